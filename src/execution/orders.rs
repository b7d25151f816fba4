//! Operands whose order C leaves open: does it make a difference on this path?
//!
//! Where the types alone do not tell (`CheckedUnit::open_orders`), the accesses of each operand are noted. If no operand writes
//! what another one reads or writes, every order gives the same result, and so does the one that was taken. A write of the
//! expression itself comes after the values of its operands; side effects that are not inside of a call may still be to come.
//! A program that ends inside of an operand may not have come there in another order.
//!
//! Calls are not interleaved. So where all that makes a difference is inside of one call in each of two operands, there are two
//! orders, and each is a path. Which one is taken is a number from outside, so that a run makes the same choice.

use super::machine::{Doing, Halt, Machine};
use super::value::ObjectId;
use crate::util::span::Span;

/// One access to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Touch {
    object: ObjectId,
    start: u64,
    end: u64,
    write: bool,
    /// Calls it was made in.
    depth: usize,
}

impl Touch {
    fn conflicts(&self, other: &Touch) -> bool {
        (self.write || other.write)
            && self.object == other.object
            && self.start < other.end
            && other.start < self.end
    }
}

/// The accesses of expressions whose order is looked at.
#[derive(Debug, Default)]
pub(super) struct Accesses {
    touches: Vec<Touch>,
    /// Expressions that are looked at, one inside of the other.
    watched: usize,
    /// Where those of the operand at hand begin.
    begin: usize,
    /// How many there may be before they are looked through for accesses that are there twice.
    limit: usize,
    /// There were too many.
    full: bool,
    /// Where calls begin: how deep they stand, and how many accesses come before.
    calls: Vec<(usize, usize)>,
    /// Accesses do not stand in their order any more.
    sorted: bool,
    /// The outermost of them.
    outermost: Span,
}

/// An expression that is looked at: where the accesses of each operand begin.
#[derive(Debug)]
pub(super) struct Operands {
    begins: Vec<usize>,
    /// The decision about the order, if there is one.
    order: Option<usize>,
    /// The last operand is the first one.
    pub(super) reversed: bool,
}

const MESSAGE: &str = "the result depends on the order in which C evaluates this expression";
/// Accesses after which they are looked through for the first time.
const FIRST_TOUCHES: usize = 10_000;
/// Different accesses that are kept, at most.
const MAX_TOUCHES: usize = 2_000_000;
/// Pairs of accesses to one object that are compared for one expression, at most.
const MAX_COMPARED: usize = 4_000_000;
/// Accesses of operands whose orders are both followed, at most.
const MAX_PAIRED: usize = 2_000;

/// The accesses of an operand by object, each once.
struct Part {
    touches: Vec<Touch>,
}

impl Part {
    fn new(touches: &[Touch], keep: impl Fn(&Touch) -> bool) -> Part {
        let mut touches: Vec<Touch> = touches.iter().copied().filter(|t| keep(t)).collect();
        touches.sort_unstable();
        touches.dedup();
        Part { touches }
    }

    /// Whether the order of two operands makes a difference, or that takes too long to find out.
    fn conflicts(&self, other: &Part, compared: &mut usize) -> bool {
        let mine = self.touches.chunk_by(|a, b| a.object == b.object);
        let mut theirs = other.touches.chunk_by(|a, b| a.object == b.object).peekable();
        for group in mine {
            while theirs.next_if(|t| t[0].object < group[0].object).is_some() {}
            let Some(same) = theirs.next_if(|t| t[0].object == group[0].object) else { continue };
            *compared = compared.saturating_add(group.len().saturating_mul(same.len()));
            if *compared > MAX_COMPARED || group.iter().any(|a| same.iter().any(|b| a.conflicts(b))) {
                return true;
            }
        }
        false
    }
}

impl Accesses {
    /// Keeps each access of the operand at hand once.
    fn compact(&mut self) {
        let mut own = self.touches.split_off(self.begin);
        own.sort_unstable();
        own.dedup();
        self.touches.append(&mut own);
        self.limit = 2 * self.touches.len();
        self.sorted = true;
        self.full |= self.touches.len() >= MAX_TOUCHES;
    }
}

impl Machine<'_> {
    /// Notes an access.
    pub(super) fn touch(&mut self, object: ObjectId, start: u64, length: u64, write: bool) {
        if self.accesses.watched == 0 {
            return;
        }
        let (end, depth) = (start.saturating_add(length.max(1)), self.frames.len());
        if self.accesses.touches.len() >= self.accesses.limit.max(FIRST_TOUCHES) {
            self.accesses.compact();
        }
        if !self.accesses.full {
            self.accesses.touches.push(Touch { object, start, end, write, depth });
        }
    }

    /// Notes accesses to all of an object in a call that is not followed.
    pub(super) fn touch_below(&mut self, object: ObjectId, length: u64, write: bool) {
        if self.accesses.watched > 0 && !self.accesses.full {
            let (end, depth) = (length.max(1), self.frames.len() + 1);
            self.accesses.touches.push(Touch { object, start: 0, end, write, depth });
        }
    }

    /// A call of the unit's own functions begins.
    pub(super) fn touch_call(&mut self) {
        if self.accesses.watched > 0 {
            self.accesses.calls.push((self.frames.len(), self.accesses.touches.len()));
        }
    }

    /// Whether orders are looked at now.
    pub(super) fn watches_orders(&self) -> bool {
        self.accesses.watched > 0
    }

    /// Before the first operand of an expression.
    pub(super) fn operands(&mut self, span: Span) -> Option<Operands> {
        let frame = self.frames.last()?;
        let open = &self.unit.open_orders[frame.function as usize];
        if open.is_empty() || !open.iter().any(|d| d.span == span) {
            return None;
        }
        if self.accesses.watched == 0 {
            self.accesses.outermost = span;
        }
        self.accesses.watched += 1;
        self.accesses.begin = self.accesses.touches.len();
        Some(Operands { begins: vec![self.accesses.begin], order: None, reversed: false })
    }

    /// The same, where the operands may be evaluated from left to right or the other way round.
    pub(super) fn operands_either(&mut self, span: Span) -> Option<Operands> {
        let mut operands = self.operands(span)?;
        (operands.order, operands.reversed) = self.path.order();
        Some(operands)
    }

    /// Whether one pair of operands depends on each other, because of one call in each.
    fn has_two_orders(&self, parts: &[(usize, usize)], depth: usize) -> bool {
        let Accesses { touches, calls, full, sorted, .. } = &self.accesses;
        let span = |part: (usize, usize)| part.0..part.1;
        let product: usize = parts.iter().map(|p| p.1 - p.0).sum();
        if *full || *sorted || product > MAX_PAIRED {
            return false;
        }
        // The call in an operand that an access belongs to.
        let call = |part: (usize, usize), at: usize| {
            let begun = |c: &&(usize, usize)| c.0 == depth && c.1 >= part.0 && c.1 <= at;
            (touches[at].depth > depth).then(|| calls.iter().rposition(|c| begun(&c))).flatten()
        };
        let mut pairs = 0;
        for (i, a) in parts.iter().enumerate() {
            for b in &parts[..i] {
                let mut found = Vec::new();
                for x in span(*a) {
                    for y in span(*b) {
                        if touches[x].conflicts(&touches[y]) {
                            found.push((call(*a, x), call(*b, y)));
                        }
                    }
                }
                found.sort_unstable();
                found.dedup();
                match found[..] {
                    [] => {}
                    [(Some(_), Some(_))] => pairs += 1,
                    _ => return false,
                }
            }
        }
        pairs == 1
    }

    /// After an operand.
    pub(super) fn operand_done(&mut self, operands: &mut Option<Operands>) {
        if let Some(operands) = operands {
            self.accesses.begin = self.accesses.touches.len();
            operands.begins.push(self.accesses.begin);
        }
    }

    /// After the last operand, and after the write of the expression itself if `writes`: then that is the last part.
    pub(super) fn operands_end(&mut self, operands: Option<Operands>, writes: bool, span: Span) -> Doing<()> {
        let Some(Operands { begins, order, reversed }) = operands else { return Ok(()) };
        let depth = self.frames.len();
        let parts: Vec<&[Touch]> = begins.windows(2).map(|w| &self.accesses.touches[w[0]..w[1]]).collect();
        let count = parts.len() - usize::from(writes && !parts.is_empty());
        let (values, own) = parts.split_at(count);
        let mut compared = 0;
        let mut differs = self.accesses.full;
        let whole: Vec<Part> = values.iter().map(|p| Part::new(p, |_| true)).collect();
        for (i, part) in whole.iter().enumerate() {
            differs |= whole[..i].iter().any(|other| part.conflicts(other, &mut compared));
        }
        for own in own {
            let own = Part::new(own, |t| t.write);
            let loose = |p: &[Touch]| Part::new(p, |t| t.write && t.depth == depth);
            differs |= values.iter().any(|p| own.conflicts(&loose(p), &mut compared));
        }
        let mut both = false;
        if differs && !writes && (order.is_some() || self.path.is_run()) {
            let parts: Vec<(usize, usize)> = begins.windows(2).map(|w| (w[0], w[1])).collect();
            both = self.has_two_orders(&parts, depth);
        }
        if let (true, Some(order), false) = (both, order, reversed) {
            self.path.orders.push(order);
        }
        self.budget.spend(compared as u64 / 64)?;
        self.accesses.watched -= 1;
        if self.accesses.watched == 0 {
            self.accesses = Accesses::default();
        }
        if differs && !both { self.give_up(span, MESSAGE) } else { Ok(()) }
    }

    /// What a path has come to, where it ended inside of an expression that is looked at.
    pub(super) fn ended_in_order(&self, halt: Halt) -> Halt {
        match halt {
            Halt::Ended | Halt::Cut if self.watches_orders() && !self.waits => {
                Halt::GaveUp(MESSAGE.to_owned(), self.accesses.outermost)
            }
            halt => halt,
        }
    }
}
