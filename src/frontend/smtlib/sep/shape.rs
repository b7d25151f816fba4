//! What a recursive definition defines.
//!
//! The body is brought into symbolic heaps first, so names, the order of arguments and disjuncts, `ite` or
//! `or`, the way a disequality is written and equations for existential variables make no difference. What
//! is left is compared with one pattern, a *chain*: a base without a call, and one disjunct
//!
//! ```text
//! exists u. guard and head |-> (.. u ..) * P(u, ..)
//! ```
//!
//! that takes one cell and goes on at one of its fields with the other parameters as they are. By induction
//! on the number of cells such a predicate is one of a few combinations of acyclic segments
//! ([`Chain::unfold`]). The guard `head != end` matters: without it a chain may run through its end once and
//! come back. A parameter that hands the head on (`prev`) makes the chain doubly linked.
//!
//! Anything else is refused: its calls are outside what is decided.

use crate::frontend::smtlib::sep::Outside;
use crate::frontend::smtlib::sep::symbolic::{Call, Cell, SymbolicHeap, not, symbolic_heaps};
use crate::logic::sep::{Spatial, Vocabulary};
use crate::logic::{FuncId, Op, TermId, Terms, VarId};
use crate::util::hash::{Map, Set};

/// What a definition defines.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Nothing recursive: its disjuncts, to be put in the place of a call.
    Plain(Vec<SymbolicHeap>),
    /// A chain of cells.
    Chain(Chain),
}

/// A chain of cells: see the head of this file.
#[derive(Clone, Debug)]
pub struct Chain {
    cell: usize,
    /// The field that leads to the next cell.
    next: usize,
    /// The parameter that is the first cell.
    head: usize,
    end: End,
    base: Base,
    /// Whether a cell that is followed by a call must not be the end.
    guarded: bool,
    double: Option<Double>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Param(usize),
    Nil,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    /// No cell, where head and end are equal.
    Empty,
    /// One cell that leads to the end, and whether it must not be the end itself.
    OneCell { guarded: bool },
}

/// What makes a chain doubly linked.
#[derive(Clone, Copy, Debug)]
struct Double {
    /// The field that leads back.
    field: usize,
    /// The parameter for the cell before the head.
    before: usize,
    /// The parameter for the last cell (the cell before, if there is none).
    last: usize,
    /// Whether the last cell must not be the cell before the head.
    guarded: bool,
}

/// The back links of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackLinks {
    /// The field that leads back.
    pub prev: FuncId,
    /// What the first cell leads back to.
    pub before: TermId,
    /// The last cell, or `before` if there is no cell.
    pub last: TermId,
    /// Whether `last` differs from `before` where there are cells.
    pub guarded: bool,
}

/// An acyclic segment: the cells from `from` up to the first `to`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The type of its cells.
    pub cell: usize,
    /// The field it follows.
    pub next: FuncId,
    /// Its first cell, or `to`.
    pub from: TermId,
    /// What its last cell leads to.
    pub to: TermId,
    /// Its back links, if it is doubly linked.
    pub back: Option<BackLinks>,
}

/// A disjunct of what a call stands for.
#[derive(Clone, Debug, Default)]
pub struct Unfolded {
    /// Formulas that do not speak about the heap.
    pub pure: Vec<TermId>,
    /// Cells.
    pub cells: Vec<Cell>,
    /// Segments.
    pub segments: Vec<Segment>,
}

/// Shapes of the definitions met so far.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    known: Map<usize, Result<Shape, Outside>>,
}

impl Shapes {
    /// What a definition defines.
    pub fn of(
        &mut self,
        terms: &mut Terms,
        vocabulary: &Vocabulary,
        definition: usize,
    ) -> Result<&Shape, &Outside> {
        self.known.entry(definition).or_insert_with(|| recognise(terms, vocabulary, definition)).as_ref()
    }
}

fn recognise(terms: &mut Terms, vocabulary: &Vocabulary, index: usize) -> Result<Shape, Outside> {
    let definition = &vocabulary.definitions()[index];
    let name = terms.func(definition.func).name.clone();
    let about = |what: &str| Outside::new(format!("{name}: {what}"));
    let Some(body) = definition.body else { return Err(about("the definition is not complete")) };
    if !vocabulary.is_spatial(terms, body) {
        return Err(about("the definition does not speak about the heap"));
    }
    let mut heaps = symbolic_heaps(terms, vocabulary, body, true).map_err(|o| about(&o.0))?;
    for heap in &mut heaps {
        heap.use_equations(terms);
    }
    heaps.retain(|h| !h.pure.contains(&Terms::FALSE));
    if !calls_itself(terms, vocabulary, index) {
        return Ok(Shape::Plain(heaps));
    }
    let chain = Reading { terms, vocabulary, index, params: &definition.params }.chain(&heaps);
    chain.map(Shape::Chain).ok_or_else(|| about("the definition is none of the shapes that are decided"))
}

/// Whether a definition leads back to itself, directly or through others.
fn calls_itself(terms: &Terms, vocabulary: &Vocabulary, index: usize) -> bool {
    let mut seen: Set<TermId> = Set::default();
    let mut stack: Vec<TermId> = vocabulary.definitions()[index].body.into_iter().collect();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        stack.extend(terms.children(term));
        if let Some(Spatial::Defined(called)) = vocabulary.head(terms, term) {
            if called == index {
                return true;
            }
            stack.extend(vocabulary.definitions()[called].body);
        }
    }
    false
}

/// A definition while it is compared with the pattern.
struct Reading<'a> {
    terms: &'a Terms,
    vocabulary: &'a Vocabulary,
    index: usize,
    params: &'a [VarId],
}

impl Reading<'_> {
    fn chain(&self, heaps: &[SymbolicHeap]) -> Option<Chain> {
        let [first, second] = heaps else { return None };
        let (base, step) = if first.calls.is_empty() { (first, second) } else { (second, first) };
        let ([], [call], [cell]) = (&base.calls[..], &step.calls[..], &step.cells[..]) else { return None };
        if call.definition != self.index {
            return None;
        }
        let head = self.param(cell.at)?;
        let next_var = self.existential(step, *call.args.get(head)?)?;
        let next = cell.values.iter().position(|&v| v == next_var)?;
        // Where the other parameters go: nowhere, or one of them receives the head.
        let mut before = None;
        for (i, &arg) in call.args.iter().enumerate().filter(|(i, _)| *i != head) {
            match self.param(arg)? {
                p if p == i => {}
                p if p == head && before.is_none() => before = Some(i),
                _ => return None,
            }
        }
        let (end, base_kind, equal) = self.base(base, head, cell.cell, next)?;
        let double = match (before, equal) {
            (None, None) => None,
            (Some(before), Some((a, b))) => {
                let last = if a == before { b } else { a };
                let field = cell.values.iter().position(|&v| self.param(v) == Some(before))?;
                let proper = [a, b].contains(&before) && last != head && End::Param(last) != end;
                if !proper || End::Param(before) == end || field == next {
                    return None;
                }
                Some(Double { field, before, last, guarded: false })
            }
            _ => return None,
        };
        let back = double.map(|d| d.field);
        if !self.other_fields_are_free(step, cell, &[Some(next), back], 2) {
            return None;
        }
        let mut chain = Chain { cell: cell.cell, next, head, end, base: base_kind, guarded: false, double };
        for &guard in &step.pure {
            let (a, b) = self.disequality(guard)?;
            let pair = [self.end(a)?, self.end(b)?];
            let is = |x: End, y: End| pair == [x, y] || pair == [y, x];
            if is(End::Param(head), end) {
                chain.guarded = true;
            } else if is(End::Param(head), End::Nil) {
                // A cell is never nil.
            } else if let Some(double) = &mut chain.double
                && is(End::Param(double.before), End::Param(double.last))
            {
                double.guarded = true;
            } else {
                return None;
            }
        }
        let nil_ended = end == End::Nil;
        (chain.double.is_none() || (chain.guarded || nil_ended) && base_kind == Base::Empty).then_some(chain)
    }

    /// The end of the chain, the kind of base, and two further parameters that the base makes equal.
    fn base(
        &self,
        base: &SymbolicHeap,
        head: usize,
        cell: usize,
        next: usize,
    ) -> Option<(End, Base, Option<(usize, usize)>)> {
        match &base.cells[..] {
            [] => {
                let (mut end, mut equal) = (None, None);
                for &part in &base.pure {
                    let (Op::Eq, &[a, b]) = (self.terms.op(part), self.terms.children(part)) else {
                        return None;
                    };
                    let twice = match (self.end(a)?, self.end(b)?) {
                        (x, y) if x == End::Param(head) => end.replace(y).is_some(),
                        (x, y) if y == End::Param(head) => end.replace(x).is_some(),
                        (End::Param(x), End::Param(y)) => equal.replace((x, y)).is_some(),
                        _ => return None,
                    };
                    if twice {
                        return None;
                    }
                }
                Some((end?, Base::Empty, equal))
            }
            [only] if only.cell == cell && self.param(only.at) == Some(head) => {
                let end = self.end(only.values[next])?;
                if end == End::Param(head) || !self.other_fields_are_free(base, only, &[Some(next)], 1) {
                    return None;
                }
                let mut guarded = false;
                for &guard in &base.pure {
                    let (a, b) = self.disequality(guard)?;
                    let pair = [self.end(a)?, self.end(b)?];
                    let is = |x: End, y: End| pair == [x, y] || pair == [y, x];
                    if is(End::Param(head), end) {
                        guarded = true;
                    } else if !is(End::Param(head), End::Nil) {
                        return None;
                    }
                }
                Some((end, Base::OneCell { guarded }, None))
            }
            _ => None,
        }
    }

    /// Whether every field but the given ones holds an existential variable that occurs nowhere else, and
    /// the variable of the next cell occurs `n_next` times.
    fn other_fields_are_free(
        &self,
        heap: &SymbolicHeap,
        cell: &Cell,
        given: &[Option<usize>],
        n_next: usize,
    ) -> bool {
        let mut count: Map<VarId, usize> = Map::default();
        let cells = heap.cells.iter().flat_map(|c| c.values.iter().chain([&c.at]));
        let calls = heap.calls.iter().flat_map(|c| &c.args);
        for &term in heap.pure.iter().chain(cells).chain(calls) {
            for &var in self.terms.free_variables(term) {
                *count.entry(var).or_default() += 1;
            }
        }
        let occurrences = |term: TermId| match self.terms.op(term) {
            Op::Var(var) => count[&var],
            _ => usize::MAX,
        };
        cell.values.iter().enumerate().all(|(i, &value)| {
            if given.first() == Some(&Some(i)) {
                return n_next == 1 || occurrences(value) == n_next;
            }
            given.contains(&Some(i)) || (self.existential(heap, value).is_some() && occurrences(value) == 1)
        })
    }

    fn param(&self, term: TermId) -> Option<usize> {
        match self.terms.op(term) {
            Op::Var(var) => self.params.iter().position(|&p| p == var),
            _ => None,
        }
    }

    fn existential(&self, heap: &SymbolicHeap, term: TermId) -> Option<TermId> {
        match self.terms.op(term) {
            Op::Var(var) if heap.variables.contains(&var) => Some(term),
            _ => None,
        }
    }

    fn end(&self, term: TermId) -> Option<End> {
        if self.vocabulary.nils().any(|(_, nil)| nil == term) {
            return Some(End::Nil);
        }
        self.param(term).map(End::Param)
    }

    fn disequality(&self, formula: TermId) -> Option<(TermId, TermId)> {
        let inner = self.terms.negated(formula)?;
        match (self.terms.op(inner), self.terms.children(inner)) {
            (Op::Eq, &[a, b]) => Some((a, b)),
            _ => None,
        }
    }
}

impl Chain {
    /// What a call stands for, one item per disjunct.
    pub fn unfold(&self, terms: &mut Terms, vocabulary: &Vocabulary, call: &Call) -> Vec<Unfolded> {
        let cell_type = &vocabulary.cells()[self.cell];
        let next = cell_type.fields[self.next].func;
        let from = call.args[self.head];
        let to = match self.end {
            End::Param(i) => call.args[i],
            End::Nil => cell_type.nil,
        };
        let back = self.double.map(|d| BackLinks {
            prev: cell_type.fields[d.field].func,
            before: call.args[d.before],
            last: call.args[d.last],
            guarded: d.guarded,
        });
        let segment = |from, to| Segment { cell: self.cell, next, from, to, back: back.clone() };
        let field = |terms: &mut Terms, func, at| terms.app(func, &[at]).expect("a field of a location");
        // A cell about whose fields nothing is said.
        let cell = |terms: &mut Terms, at| {
            let values = cell_type.fields.iter().map(|f| field(terms, f.func, at)).collect();
            Cell { cell: self.cell, at, values }
        };
        let equal = |terms: &mut Terms, a, b| terms.eq(a, b).expect("two locations of one sort");
        let straight = Unfolded { segments: vec![segment(from, to)], ..Unfolded::default() };
        let nonempty = |terms: &mut Terms| {
            let empty = equal(terms, from, to);
            Unfolded { pure: vec![not(terms, empty)], ..straight.clone() }
        };
        // Through the end and back to it.
        let around = |terms: &mut Terms| {
            let after = field(terms, next, to);
            let around = cell(terms, to);
            let segments = vec![segment(from, to), segment(after, to)];
            Unfolded { pure: Vec::new(), cells: vec![around], segments }
        };
        if self.end == End::Nil {
            return match self.base {
                Base::Empty => vec![straight],
                Base::OneCell { .. } => vec![nonempty(terms)],
            };
        }
        match (self.base, self.guarded) {
            (Base::Empty, true) => vec![straight],
            (Base::Empty, false) => {
                let around = around(terms);
                vec![straight, around]
            }
            (Base::OneCell { guarded: true }, true) => vec![nonempty(terms)],
            (Base::OneCell { guarded: false }, true) => {
                // The last cell, and no other, may be the end.
                let mut last = straight.clone();
                last.cells.push(cell(terms, to));
                let after = field(terms, next, to);
                last.pure.push(equal(terms, after, to));
                vec![nonempty(terms), last]
            }
            (Base::OneCell { guarded: true }, false) => {
                let mut around = around(terms);
                let after = field(terms, next, to);
                let looped = equal(terms, after, to);
                around.pure.push(not(terms, looped));
                vec![nonempty(terms), around]
            }
            (Base::OneCell { guarded: false }, false) => {
                let around = around(terms);
                vec![nonempty(terms), around]
            }
        }
    }
}
