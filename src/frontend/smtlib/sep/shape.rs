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
//! come back. A parameter that hands the head on (`prev`) makes the chain doubly linked, one that hands data of
//! the head on makes it sorted; other pure parts are claims about every cell.
//!
//! Anything else is refused: its calls are outside what is decided.

use crate::frontend::smtlib::sep::Outside;
use crate::frontend::smtlib::sep::chain::{Base, Chain, Double, End, Order, Sorted};
use crate::frontend::smtlib::sep::symbolic::{Call, Cell, SymbolicHeap, symbolic_heaps};
use crate::logic::sep::{Spatial, Vocabulary};
use crate::logic::{Op, SortId, TermId, Terms, VarId};
use crate::util::hash::{Map, Set};

/// What a definition defines.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Nothing recursive: its disjuncts, to be put in the place of a call.
    Plain(Vec<SymbolicHeap>),
    /// A chain of cells.
    Chain(Chain),
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
    let undecided = || about("the definition is none of the shapes that are decided");
    let found = Reading { terms, vocabulary, index, params: &definition.params }.chain(&heaps);
    let Found { mut chain, values, relation } = found.ok_or_else(undecided)?;
    // The value of a field is the field of the cell.
    let head =
        terms.intern(Op::Var(definition.params[chain.head]), &[], vocabulary.cells()[chain.cell].location);
    let mut map: Map<VarId, TermId> = Map::default();
    for (field, &value) in vocabulary.cells()[chain.cell].fields.iter().zip(&values) {
        if let Op::Var(var) = terms.op(value) {
            map.insert(var, terms.app(field.func, &[head])?);
        }
    }
    for claim in &mut chain.claims {
        *claim = terms.substitute(*claim, &map);
    }
    if let Some(sorted) = &mut chain.sorted {
        let bound = terms.intern(Op::Var(definition.params[sorted.param]), &[], SortId::INT);
        let orders = [Order::AtMost, Order::Less, Order::AtLeast, Order::Greater];
        let mut order = None;
        for candidate in orders {
            if Some(candidate.relate(terms, bound, values[sorted.field])?) == relation {
                order = Some(candidate);
            }
        }
        sorted.order = order.ok_or_else(undecided)?;
    }
    Ok(Shape::Chain(chain))
}

/// A chain whose claims are still about the values in the cell.
struct Found {
    chain: Chain,
    values: Vec<TermId>,
    /// The formula that relates the bound of a sorted chain to the data of its head.
    relation: Option<TermId>,
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

/// Two parameters that are equal.
type Equal = (usize, usize);

/// A definition while it is compared with the pattern.
struct Reading<'a> {
    terms: &'a Terms,
    vocabulary: &'a Vocabulary,
    index: usize,
    params: &'a [VarId],
}

impl Reading<'_> {
    fn chain(&self, heaps: &[SymbolicHeap]) -> Option<Found> {
        let [first, second] = heaps else { return None };
        let (base, step) = if first.calls.is_empty() { (first, second) } else { (second, first) };
        let ([], [call], [cell]) = (&base.calls[..], &step.calls[..], &step.cells[..]) else { return None };
        if call.definition != self.index {
            return None;
        }
        let head = self.param(cell.at)?;
        let next_var = self.existential(step, *call.args.get(head)?)?;
        let next = cell.values.iter().position(|&v| v == next_var)?;
        // Where the other parameters go: nowhere, or one of them receives the head or data of it.
        let (mut before, mut sorted) = (None, None);
        for (i, &arg) in call.args.iter().enumerate().filter(|(i, _)| *i != head) {
            match self.param(arg) {
                Some(p) if p == i => {}
                Some(p) if p == head && before.is_none() => before = Some(i),
                None if self.terms.sort(arg) == SortId::INT && sorted.is_none() => {
                    let field = cell.values.iter().position(|&v| v == arg)?;
                    sorted = Some(Sorted { param: i, field, order: Order::AtMost });
                }
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
        if !self.fields_are_values(step, call, cell, next, back, sorted.map(|s| s.field)) {
            return None;
        }
        let claims = Vec::new();
        let mut chain = Chain {
            cell: cell.cell,
            next,
            head,
            end,
            base: base_kind,
            guarded: false,
            double,
            claims,
            sorted,
        };
        let mut relation = None;
        for &guard in &step.pure {
            let ends = self.disequality(guard).and_then(|(a, b)| Some([self.end(a)?, self.end(b)?]));
            let is = |x: End, y: End| ends == Some([x, y]) || ends == Some([y, x]);
            if is(End::Param(head), end) {
                chain.guarded = true;
            } else if is(End::Param(head), End::Nil) {
                // A cell is never nil.
            } else if let Some(double) = &mut chain.double
                && is(End::Param(double.before), End::Param(double.last))
            {
                double.guarded = true;
            } else if self.mentions(guard, next_var) || double.is_some() {
                return None;
            } else if let Some(sorted) = sorted
                && self.terms.free_variables(guard).contains(&self.params[sorted.param])
            {
                if relation.replace(guard).is_some() {
                    return None;
                }
            } else {
                let is_known = |v: &VarId| {
                    self.params.contains(v) || cell.values.iter().any(|&t| self.terms.op(t) == Op::Var(*v))
                };
                if !self.terms.free_variables(guard).iter().all(is_known) {
                    return None;
                }
                chain.claims.push(guard);
            }
        }
        // Further demands are understood only for chains that stop at their first end.
        let plain = chain.double.is_none() && chain.claims.is_empty() && chain.sorted.is_none();
        let stops = (chain.guarded || end == End::Nil) && base_kind == Base::Empty;
        let simple = chain.double.is_none() || chain.sorted.is_none();
        (plain || stops && simple).then(|| Found { chain, values: cell.values.clone(), relation })
    }

    fn mentions(&self, formula: TermId, variable: TermId) -> bool {
        matches!(self.terms.op(variable), Op::Var(v) if self.terms.free_variables(formula).contains(&v))
    }

    /// Whether the fields of the cell of a step hold different existential variables (but for the link back),
    /// of which the call gets the next cell and the data of a sorted chain and nothing else.
    fn fields_are_values(
        &self,
        step: &SymbolicHeap,
        call: &Call,
        cell: &Cell,
        next: usize,
        back: Option<usize>,
        data: Option<usize>,
    ) -> bool {
        cell.values.iter().enumerate().all(|(i, &value)| {
            if Some(i) == back {
                return true;
            }
            let n_calls = call.args.iter().filter(|&&a| self.mentions(a, value)).count();
            let n_cells = cell.values.iter().filter(|&&v| v == value).count();
            let passed = i == next || Some(i) == data;
            self.existential(step, value).is_some() && n_cells == 1 && n_calls == usize::from(passed)
        })
    }

    /// The end of the chain, the kind of base, and two further parameters that the base makes equal.
    fn base(
        &self,
        base: &SymbolicHeap,
        head: usize,
        cell: usize,
        next: usize,
    ) -> Option<(End, Base, Option<Equal>)> {
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
                if end == End::Param(head) || !self.other_fields_are_free(base, only, next) {
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

    /// Whether every field but one holds an existential variable that occurs nowhere else.
    fn other_fields_are_free(&self, heap: &SymbolicHeap, cell: &Cell, given: usize) -> bool {
        let mut count: Map<VarId, usize> = Map::default();
        for &term in heap.pure.iter().chain(&cell.values) {
            for &var in self.terms.free_variables(term) {
                *count.entry(var).or_default() += 1;
            }
        }
        let is_alone = |value: TermId| match self.terms.op(value) {
            Op::Var(var) => heap.variables.contains(&var) && count[&var] == 1,
            _ => false,
        };
        cell.values.iter().enumerate().all(|(i, &value)| i == given || is_alone(value))
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
