//! Numbers that make the conditions of a path true, without asking the solver.
//!
//! Whether a condition may hold is asked at every branch. Mostly the numbers that fitted the branch before fit again, or
//! do after one or two of them have been changed (`mended`); and mostly what is impossible is so by intervals alone (`refuted`).
//! Only what is left is for the solver.

use super::path::Relation;
use super::value::{Linear, Symbol};
use crate::util::hash::Map;

/// A condition, and whether it holds.
pub(super) type Condition = (Linear, Relation, bool);

/// Conditions that are looked at for one question, at most.
const MAX_LOOKS: usize = 2_000;
/// Numbers that are changed one because of the other, at most.
const MAX_DEPTH: usize = 6;
/// Conditions that tighten intervals for one question, at most.
const MAX_TIGHTENED: usize = 300;

/// What a search for numbers may look at.
pub(super) struct Known<'p> {
    pub(super) bounds: &'p dyn Fn(usize) -> (i128, i128),
    pub(super) conditions: &'p [Condition],
    /// In which conditions a symbol occurs.
    pub(super) uses: &'p [Vec<u32>],
}

/// The value of a sum.
fn value_of(sum: &Linear, values: &[i128]) -> Option<i128> {
    let mut total = sum.constant;
    for (symbol, factor) in &sum.terms {
        total = total.checked_add(factor.checked_mul(*values.get(*symbol as usize)?)?)?;
    }
    Some(total)
}

/// Whether these numbers make a condition true.
pub(super) fn satisfies(condition: &Condition, values: &[i128]) -> bool {
    let (sum, relation, holds) = condition;
    value_of(sum, values).is_some_and(|n| match relation {
        Relation::Zero => (n == 0) == *holds,
        Relation::NotPositive => (n <= 0) == *holds,
    })
}

/// Changes of numbers, and those that may not be changed any more.
struct Mending<'p, 'v> {
    known: &'p Known<'p>,
    values: &'v mut Vec<i128>,
    /// What was changed, and what it was before.
    changed: Vec<(usize, i128)>,
    looks: usize,
}

/// Changes that make a condition true, and leave the others true. The numbers stay as they are.
pub(super) fn mended(
    known: &Known<'_>,
    values: &mut Vec<i128>,
    condition: &Condition,
) -> Option<Vec<(usize, i128)>> {
    let mut mending = Mending { known, values, changed: Vec::new(), looks: 0 };
    let found = mending.mend(&[condition], 0);
    let changed = std::mem::take(&mut mending.changed);
    let after = changed.iter().map(|(symbol, _)| (*symbol, values[*symbol])).collect();
    for (symbol, before) in changed.iter().rev() {
        values[*symbol] = *before;
    }
    found.then_some(after)
}

impl Mending<'_, '_> {
    /// Makes these conditions true, one after the other.
    fn mend(&mut self, open: &[&Condition], depth: usize) -> bool {
        let Some(condition) = open.iter().find(|c| !satisfies(c, self.values)) else { return true };
        if depth >= MAX_DEPTH {
            return false;
        }
        let terms = condition.0.terms.clone();
        // The latest symbols occur in the fewest conditions.
        for (symbol, factor) in terms.iter().rev() {
            let symbol = *symbol as usize;
            if self.changed.iter().any(|(s, _)| *s == symbol) {
                continue;
            }
            let known = self.known;
            let uses: &[u32] = known.uses.get(symbol).map_or(&[], |u| &u[..]);
            self.looks += 1 + uses.len();
            if self.looks > MAX_LOOKS {
                return false;
            }
            let before = self.values[symbol];
            let Some(value) = self.target(condition, symbol, *factor).filter(|v| *v != before) else {
                continue;
            };
            self.values[symbol] = value;
            self.changed.push((symbol, before));
            let mark = self.changed.len();
            let mut next: Vec<&Condition> = uses
                .iter()
                .map(|i| &known.conditions[*i as usize])
                .filter(|c| !satisfies(c, self.values))
                .collect();
            next.extend_from_slice(open);
            if self.mend(&next, depth + 1) {
                return true;
            }
            for (symbol, old) in self.changed.split_off(mark) {
                self.values[symbol] = old;
            }
            self.changed.pop();
            self.values[symbol] = before;
        }
        false
    }

    /// The value of a symbol nearest to the one that makes a condition true.
    fn target(&self, (sum, relation, holds): &Condition, symbol: usize, factor: i128) -> Option<i128> {
        let (low, high) = (self.known.bounds)(symbol);
        let now = self.values[symbol];
        let rest = value_of(sum, self.values)?.checked_sub(factor.checked_mul(now)?)?;
        let wanted = match (relation, holds) {
            (Relation::Zero, true) => -rest.div_euclid(factor),
            (Relation::Zero, false) => match now < high {
                true => now + 1,
                false => now - 1,
            },
            // rest + factor * x <= 0
            (Relation::NotPositive, true) if factor > 0 => (-rest).div_euclid(factor),
            (Relation::NotPositive, true) => -(-rest).div_euclid(-factor),
            // rest + factor * x >= 1
            (Relation::NotPositive, false) if factor > 0 => -(rest - 1).div_euclid(factor),
            (Relation::NotPositive, false) => (rest - 1).div_euclid(-factor),
        };
        (low <= high).then(|| wanted.clamp(low, high))
    }
}

/// Whether intervals alone show that a condition cannot hold.
pub(super) fn refuted(known: &Known<'_>, condition: &Condition) -> bool {
    let mut bounds: Map<Symbol, (i128, i128)> = Map::default();
    let mut work: Vec<&Condition> = vec![condition];
    let mut next = 0;
    while let Some(condition) = work.get(next).copied() {
        next += 1;
        if next > MAX_TIGHTENED {
            return false;
        }
        let Some(tightened) = tighten(known, &mut bounds, condition) else { return true };
        for symbol in tightened {
            let uses: &[u32] = known.uses.get(symbol as usize).map_or(&[], |u| &u[..]);
            if work.len() < MAX_TIGHTENED {
                work.extend(uses.iter().map(|i| &known.conditions[*i as usize]));
                work.push(condition);
            }
        }
    }
    false
}

/// The symbols whose intervals a condition makes smaller; `None` if nothing is left of one.
fn tighten(
    known: &Known<'_>,
    bounds: &mut Map<Symbol, (i128, i128)>,
    (sum, relation, holds): &Condition,
) -> Option<Vec<Symbol>> {
    let of = |bounds: &Map<Symbol, (i128, i128)>, s: Symbol| {
        bounds.get(&s).copied().unwrap_or_else(|| (known.bounds)(s as usize))
    };
    let mut smaller = Vec::new();
    // What is at most 0: the sum, its opposite, or one more than that.
    let sides: Vec<Linear> = match (relation, holds) {
        (Relation::NotPositive, true) => vec![sum.clone()],
        (Relation::NotPositive, false) => sum.times(-1).and_then(|s| s.shifted(1)).into_iter().collect(),
        (Relation::Zero, true) => [Some(sum.clone()), sum.times(-1)].into_iter().flatten().collect(),
        (Relation::Zero, false) => {
            let fixed = sum.terms.iter().all(|(s, _)| of(bounds, *s).0 == of(bounds, *s).1);
            let value = sum
                .terms
                .iter()
                .try_fold(sum.constant, |n, (s, f)| n.checked_add(f.checked_mul(of(bounds, *s).0)?));
            return (!fixed || value != Some(0)).then_some(smaller);
        }
    };
    for side in sides {
        let mut least = Some(side.constant);
        for (symbol, factor) in &side.terms {
            let (low, high) = of(bounds, *symbol);
            let part = factor.checked_mul(if *factor > 0 { low } else { high });
            least = least.zip(part).and_then(|(a, b)| a.checked_add(b));
        }
        let Some(least) = least else { continue };
        if least > 0 {
            return None;
        }
        for (symbol, factor) in &side.terms {
            let (low, high) = of(bounds, *symbol);
            // factor * x may be this much more than its least value.
            let room = (-least).div_euclid(factor.abs());
            let new = match *factor > 0 {
                true => (low, high.min(low.saturating_add(room))),
                false => (low.max(high.saturating_sub(room)), high),
            };
            if new != (low, high) {
                bounds.insert(*symbol, new);
                smaller.push(*symbol);
            }
        }
    }
    Some(smaller)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x - y <= 0, z = 3q + r with 0 <= r < 3, and what follows.
    #[test]
    fn numbers_are_mended_and_intervals_refute() {
        let sum = |constant, terms: &[(Symbol, i128)]| Linear { constant, terms: terms.to_vec() };
        let conditions = vec![
            (sum(0, &[(0, 1), (1, -1)]), Relation::NotPositive, true),
            (sum(0, &[(2, 1), (3, -3), (4, -1)]), Relation::Zero, true),
        ];
        let uses = vec![vec![0], vec![0], vec![1], vec![1], vec![1]];
        let bounds = |symbol: usize| [(0, 9), (0, 9), (0, 100), (0, 33), (0, 2)][symbol];
        let known = Known { bounds: &bounds, conditions: &conditions, uses: &uses };
        let mut values = vec![0; 5];
        // x >= 7
        let wanted = (sum(-6, &[(0, 1)]), Relation::NotPositive, false);
        let changes = mended(&known, &mut values, &wanted).expect("numbers");
        assert_eq!(values, vec![0; 5]);
        changes.iter().for_each(|(s, v)| values[*s] = *v);
        assert!(values[0] >= 7 && values[1] >= values[0]);
        // z = 50
        let wanted = (sum(-50, &[(2, 1)]), Relation::Zero, true);
        for (s, v) in mended(&known, &mut values, &wanted).expect("numbers") {
            values[s] = v;
        }
        assert_eq!(values[2..], [50, 16, 2]);
        assert!(conditions.iter().all(|c| satisfies(c, &values)));
        // x + 3 > y + 12
        let wanted = (sum(-9, &[(0, 1), (1, -1)]), Relation::NotPositive, false);
        assert!(refuted(&known, &wanted) && mended(&known, &mut values, &wanted).is_none());
        assert!(!refuted(&known, &(sum(0, &[(0, 1)]), Relation::Zero, true)));
    }
}
