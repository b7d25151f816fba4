//! Ranges of integers: what a test of a data field asks, and what is known of a variable. The tests of one field never
//! overlap; where a new one does, the ranges are cut.

use crate::program::Cmp;

/// The integers between two ends, both among them; an end that is absent is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Range {
    /// The lowest.
    pub from: Option<i128>,
    /// The highest.
    pub to: Option<i128>,
}

impl Range {
    /// One integer.
    #[must_use]
    pub fn one(c: i128) -> Range {
        Range { from: Some(c), to: Some(c) }
    }

    /// All up to this one.
    #[must_use]
    pub fn up_to(c: i128) -> Range {
        Range { from: None, to: Some(c) }
    }

    /// What `x cmp c` splits the integers by: it, or its negation, is this range.
    #[must_use]
    pub fn of_test(cmp: Cmp, c: i128) -> Option<Range> {
        match cmp {
            Cmp::Eq | Cmp::Ne => Some(Range::one(c)),
            Cmp::Le | Cmp::Gt => Some(Range::up_to(c)),
            Cmp::Lt | Cmp::Ge => c.checked_sub(1).map(Range::up_to),
        }
    }

    /// The only integer in it.
    #[must_use]
    pub fn single(self) -> Option<i128> {
        self.from.filter(|_| self.from == self.to)
    }

    /// Whether an integer is in both.
    #[must_use]
    pub fn meets(self, other: Range) -> bool {
        let below = |from: Option<i128>, to: Option<i128>| match (from, to) {
            (Some(from), Some(to)) => from <= to,
            _ => true,
        };
        below(self.from, other.to) && below(other.from, self.to)
    }

    /// Whether all of it is in the other.
    #[must_use]
    pub fn within(self, other: Range) -> bool {
        let low = other.from.is_none_or(|from| self.from.is_some_and(|f| f >= from));
        let high = other.to.is_none_or(|to| self.to.is_some_and(|t| t <= to));
        low && high
    }

    /// What is in none of the others, in pieces.
    #[must_use]
    pub fn without(self, others: &[Range]) -> Vec<Range> {
        let mut pieces = vec![self];
        for other in others {
            pieces = pieces.into_iter().flat_map(|piece| piece.cut(*other).1).collect();
        }
        pieces
    }

    /// The part in the other, and the parts that are not.
    fn cut(self, other: Range) -> (Option<Range>, Vec<Range>) {
        if !self.meets(other) {
            return (None, vec![self]);
        }
        let from = match (self.from, other.from) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        let to = match (self.to, other.to) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let mut rest = Vec::new();
        if let Some(low) = from.filter(|_| from != self.from) {
            rest.push(Range { from: self.from, to: Some(low - 1) });
        }
        if let Some(high) = to.filter(|_| to != self.to) {
            rest.push(Range { from: Some(high + 1), to: self.to });
        }
        (Some(Range { from, to }), rest)
    }

    /// The integers x with `x cmp y` for some y in this range; nothing if they are no range.
    #[must_use]
    pub fn compared(self, cmp: Cmp) -> Option<Range> {
        let all = Range { from: None, to: None };
        match cmp {
            Cmp::Eq => Some(self),
            Cmp::Ne => self.single().is_none().then_some(all),
            Cmp::Le => Some(Range { from: None, to: self.to }),
            Cmp::Ge => Some(Range { from: self.from, to: None }),
            Cmp::Lt => Some(Range { from: None, to: self.to.map(|t| t.saturating_sub(1)) }),
            Cmp::Gt => Some(Range { from: self.from.map(|f| f.saturating_add(1)), to: None }),
        }
    }
}

/// Adds a range to ranges that do not overlap: those that it overlaps are cut.
pub fn refine(ranges: &mut Vec<Range>, new: Range) {
    let mut out = Vec::new();
    for old in ranges.iter() {
        let (common, rest) = old.cut(new);
        out.extend(common);
        out.extend(rest);
    }
    out.extend(new.without(ranges));
    *ranges = out;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::rng::Rng;

    fn holds(range: Range, n: i128) -> bool {
        range.from.is_none_or(|f| f <= n) && range.to.is_none_or(|t| n <= t)
    }

    #[test]
    fn ranges_are_sets() {
        let mut rng = Rng::new(7);
        let mut end = || (rng.below(4) > 0).then(|| rng.below(7) as i128 - 3);
        let mut ranges = Vec::new();
        while ranges.len() < 60 {
            let (a, b) = (end(), end());
            let flipped = matches!((a, b), (Some(a), Some(b)) if a > b);
            ranges.push(if flipped { Range { from: b, to: a } } else { Range { from: a, to: b } });
        }
        // Far enough to stand for all integers.
        let numbers = || -9..=9_i128;
        for pair in ranges.windows(3) {
            let [a, b, c] = [pair[0], pair[1], pair[2]];
            assert_eq!(a.meets(b), numbers().any(|n| holds(a, n) && holds(b, n)), "{a:?} {b:?}");
            assert_eq!(a.within(b), numbers().all(|n| !holds(a, n) || holds(b, n)), "{a:?} {b:?}");
            let rest = a.without(&[b, c]);
            for n in numbers() {
                let left = holds(a, n) && !holds(b, n) && !holds(c, n);
                assert_eq!(
                    rest.iter().filter(|r| holds(**r, n)).count(),
                    usize::from(left),
                    "{a:?} {b:?} {c:?} {n}"
                );
            }
            for cmp in [Cmp::Eq, Cmp::Ne, Cmp::Lt, Cmp::Le, Cmp::Gt, Cmp::Ge] {
                let Some(found) = a.compared(cmp) else { continue };
                for n in -8..=8_i128 {
                    assert_eq!(
                        holds(found, n),
                        numbers().any(|m| holds(a, m) && cmp.holds(&n, &m)),
                        "{n} {cmp:?} {a:?}"
                    );
                }
            }
            let mut parts = vec![a];
            refine(&mut parts, b);
            for n in numbers() {
                let inside = holds(a, n) || holds(b, n);
                assert_eq!(
                    parts.iter().filter(|r| holds(**r, n)).count(),
                    usize::from(inside),
                    "{a:?} {b:?} {n}"
                );
            }
            assert!(
                parts.iter().all(|p| p.within(a) || !p.meets(a))
                    && parts.iter().all(|p| p.within(b) || !p.meets(b))
            );
        }
    }
}
