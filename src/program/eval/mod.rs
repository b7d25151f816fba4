//! The meaning of terms, sets and formulas on concrete states: the oracle for everything that encodes them.
//!
//! Everything is total (DESIGN 6, decision 3). Quantifiers over a struct range over null and the cells of
//! that struct in the state of now, whatever their status. A concrete state stands for an infinite heap whose
//! other cells were never allocated and look alike; who wants formulas to see one of those puts it into the
//! state with status [`Never`](crate::program::Status::Never), as the interpreter's initial states do.
//! An integer quantifier is evaluated if its body bounds the variable (`lo <= k && k < hi ==> ..`), otherwise
//! it has no value here, which is an error and not a guess.
//!
//! A connective whose value is settled by one part does not fail because of another.

mod range;
mod reads;
mod shape;
#[cfg(test)]
mod tests;

pub use reads::Reads;

use crate::program::cfg::Program;
use crate::program::decl::{BoundId, FieldId, StructId};
use crate::program::expr::Cmp;
use crate::program::formula::{At, Binder, Formula, Set, Term};
use crate::program::state::{CellId, State, Status, Value, zero};
use crate::util::limits::{Budget, Limits, Stop};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Integer quantifiers with more values than this have no value here.
const MAX_RANGE: i128 = 1 << 20;
/// Work of one evaluation, in visited nodes, unless the caller gives a budget.
const MAX_WORK: u64 = 1 << 22;

/// Why a formula has no value here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// An integer quantifier whose body does not bound its variable.
    Unbounded(BoundId),
    /// A bound variable outside its quantifier.
    Unbound(BoundId),
    /// A label whose snapshot has not been taken.
    NoSnapshot,
    /// An integer does not fit into 128 bits.
    Overflow,
    /// An integer where a pointer belongs, or the reverse.
    IllTyped,
    /// A limit was reached.
    Stopped(Stop),
}

impl std::fmt::Display for EvalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EvalError::Unbounded(_) => f.write_str("a quantifier over all integers cannot be evaluated"),
            EvalError::Unbound(_) => f.write_str("a variable is not bound"),
            EvalError::NoSnapshot => f.write_str("a label has not been passed"),
            EvalError::Overflow => f.write_str("an integer does not fit into 128 bits"),
            EvalError::IllTyped => f.write_str("a formula is not well typed"),
            EvalError::Stopped(stop) => stop.fmt(f),
        }
    }
}

impl std::error::Error for EvalError {}

/// The moments a formula can speak of.
#[derive(Clone, Copy, Debug)]
pub struct States<'a> {
    /// [`At::Now`].
    pub now: &'a State,
    /// [`At::Entry`].
    pub entry: &'a State,
    /// [`At::Label`], by label; `None` if it has not been passed. May be shorter than the list of labels.
    pub labels: &'a [Option<Arc<State>>],
}

impl<'a> States<'a> {
    /// The entry itself: now and entry are one state.
    #[must_use]
    pub fn at_entry(state: &'a State) -> States<'a> {
        States { now: state, entry: state, labels: &[] }
    }
}

/// Whether a closed formula holds.
pub fn holds(program: &Program, states: States<'_>, formula: &Formula) -> Result<bool, EvalError> {
    Evaluator::new(program, states).formula(formula)
}

/// The value of a closed term.
#[cfg(feature = "testing")]
pub fn value(program: &Program, states: States<'_>, term: &Term) -> Result<Value, EvalError> {
    Evaluator::new(program, states).term(term)
}

/// The elements of a closed set.
#[cfg(feature = "testing")]
pub fn elements(program: &Program, states: States<'_>, set: &Set) -> Result<BTreeSet<CellId>, EvalError> {
    Evaluator::new(program, states).set(set)
}

type Answer<T> = Result<T, EvalError>;

/// Evaluates on fixed states.
pub struct Evaluator<'a> {
    program: &'a Program,
    states: States<'a>,
    env: Vec<(BoundId, Value)>,
    budget: Budget,
    reads: Option<&'a Reads>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that gives up only on formulas of enormous cost.
    #[must_use]
    pub fn new(program: &'a Program, states: States<'a>) -> Evaluator<'a> {
        let limits = Limits { steps: Some(MAX_WORK), ..Limits::default() };
        Evaluator::with_budget(program, states, Budget::new(&limits))
    }

    /// An evaluator under a budget.
    #[must_use]
    pub fn with_budget(program: &'a Program, states: States<'a>, budget: Budget) -> Evaluator<'a> {
        Evaluator { program, states, env: Vec::new(), budget, reads: None }
    }

    /// The same, and everything it looks at is noted.
    #[must_use]
    pub fn noting(self, reads: Option<&'a Reads>) -> Evaluator<'a> {
        Evaluator { reads, ..self }
    }

    /// Gives a value to a free variable, such as the object of a `track`.
    pub fn bind(&mut self, id: BoundId, value: Value) {
        self.env.push((id, value));
    }

    fn spend(&mut self) -> Answer<()> {
        if let Some(reads) = self.reads {
            reads.count();
        }
        self.budget.spend(1).map_err(EvalError::Stopped)
    }

    /// `object->field`.
    fn read(&self, state: &State, object: Value, field: FieldId) -> Value {
        if let (Some(reads), Value::Cell(cell)) = (self.reads, object) {
            reads.note(cell, field);
        }
        state.field(object, field)
    }

    fn state(&self, at: At) -> Answer<&'a State> {
        match at {
            At::Now => Ok(self.states.now),
            At::Entry => Ok(self.states.entry),
            At::Label(label) => {
                let labels = self.states.labels;
                labels.get(label.index()).and_then(Option::as_deref).ok_or(EvalError::NoSnapshot)
            }
        }
    }

    /// The value of a term.
    pub fn term(&mut self, term: &Term) -> Answer<Value> {
        self.spend()?;
        Ok(match term {
            Term::Var(v, at) => self.state(*at)?.var(*v),
            Term::Bound(id) => {
                let found = self.env.iter().rev().find(|(b, _)| b == id);
                found.ok_or(EvalError::Unbound(*id))?.1
            }
            Term::Null(_) => Value::Null,
            Term::Int(n) => Value::Int(*n),
            Term::Field(field, at, inner) => {
                let object = self.pointer(inner)?;
                self.read(self.state(*at)?, object, *field)
            }
            Term::Index(array, at, index) => {
                let index = self.int(index)?;
                let elements = &self.state(*at)?.arrays[array.index()];
                let element = usize::try_from(index).ok().and_then(|i| elements.get(i)).copied();
                let ty = self.program.vars[array.index()].ty.element().ok_or(EvalError::IllTyped)?;
                element.unwrap_or(zero(ty))
            }
            Term::Neg(inner) => Value::Int(self.int(inner)?.checked_neg().ok_or(EvalError::Overflow)?),
            Term::Binary(op, a, b) => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                Value::Int(op.apply(a, b).ok_or(EvalError::Overflow)?)
            }
            Term::Ite(c, a, b) => {
                if self.formula(c)? {
                    self.term(a)?
                } else {
                    self.term(b)?
                }
            }
        })
    }

    fn int(&mut self, term: &Term) -> Answer<i128> {
        match self.term(term)? {
            Value::Int(n) => Ok(n),
            Value::Null | Value::Cell(_) => Err(EvalError::IllTyped),
        }
    }

    fn pointer(&mut self, term: &Term) -> Answer<Value> {
        match self.term(term)? {
            Value::Int(_) => Err(EvalError::IllTyped),
            pointer => Ok(pointer),
        }
    }

    /// The cells of a set.
    pub fn set(&mut self, set: &Set) -> Answer<BTreeSet<CellId>> {
        self.spend()?;
        Ok(match set {
            Set::Cells(field, at, x, y) => {
                let (x, y) = (self.pointer(x)?, self.pointer(y)?);
                self.segment(*field, *at, x, y)?.unwrap_or_default().into_iter().collect()
            }
            Set::Of(terms) => {
                let mut out = BTreeSet::new();
                for term in terms {
                    if let Value::Cell(cell) = self.pointer(term)? {
                        out.insert(cell);
                    }
                }
                out
            }
            Set::Pre(field, at, target) => {
                let target = self.term(target)?;
                let state = self.state(*at)?;
                let owner = self.program.fields[field.index()].owner;
                // A cell that exists only now had the fields of a stranger then.
                self.cells_of(owner).filter(|c| self.read(state, Value::Cell(*c), *field) == target).collect()
            }
            Set::Union(sets) => {
                let mut out = BTreeSet::new();
                for s in sets {
                    out.extend(self.set(s)?);
                }
                out
            }
            Set::Inter(sets) => {
                let mut sets = sets.iter();
                let mut out = match sets.next() {
                    Some(first) => self.set(first)?,
                    None => return Err(EvalError::IllTyped),
                };
                for s in sets {
                    let other = self.set(s)?;
                    out.retain(|c| other.contains(c));
                }
                out
            }
            Set::Diff(a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                a.difference(&b).copied().collect()
            }
        })
    }

    /// The cells of a struct that formulas see: those of now, or of the entry if that has more (states of one
    /// run only grow).
    fn cells_of(&self, of: StructId) -> impl Iterator<Item = CellId> + use<'a> {
        let longest = if self.states.now.cells.len() >= self.states.entry.cells.len() {
            self.states.now
        } else {
            self.states.entry
        };
        let cells = longest.cells.iter().enumerate();
        cells.filter(move |(_, c)| c.of == of).map(|(i, _)| CellId(i as u32))
    }

    /// The cells from x to before the first y along the field, in order; `None` if y is not reached.
    fn segment(&mut self, field: FieldId, at: At, x: Value, y: Value) -> Answer<Option<Vec<CellId>>> {
        let state = self.state(at)?;
        let mut path = Vec::new();
        let mut here = x;
        // A walk longer than the heap goes round in a circle. Cells unknown to the state lead to null.
        while path.len() <= state.cells.len() + 1 {
            if here == y {
                return Ok(Some(path));
            }
            self.spend()?;
            match here {
                Value::Cell(cell) => path.push(cell),
                Value::Null => return Ok(None),
                Value::Int(_) => return Err(EvalError::IllTyped),
            }
            here = self.read(state, here, field);
        }
        Ok(None)
    }

    fn reaches(&mut self, field: FieldId, at: At, x: Value, y: Value) -> Answer<bool> {
        Ok(self.passes(field, at, (x, y), None)?.is_some())
    }

    /// Whether the walk from x to before the first y along the field meets a cell; `None` if y is not reached. What
    /// [`Evaluator::segment`] says, without the list.
    fn passes(
        &mut self,
        field: FieldId,
        at: At,
        (x, y): (Value, Value),
        cell: Option<CellId>,
    ) -> Answer<Option<bool>> {
        let state = self.state(at)?;
        let (mut here, mut met) = (x, false);
        for _ in 0..state.cells.len() + 2 {
            if here == y {
                return Ok(Some(met));
            }
            self.spend()?;
            match here {
                Value::Cell(c) => met |= cell == Some(c),
                Value::Null => return Ok(None),
                Value::Int(_) => return Err(EvalError::IllTyped),
            }
            here = self.read(state, here, field);
        }
        Ok(None)
    }

    /// Whether a cell is in a set.
    fn is_in(&mut self, cell: CellId, set: &Set) -> Answer<bool> {
        match set {
            Set::Cells(field, at, x, y) => {
                self.spend()?;
                let ends = (self.pointer(x)?, self.pointer(y)?);
                Ok(self.passes(*field, *at, ends, Some(cell))? == Some(true))
            }
            other => Ok(self.set(other)?.contains(&cell)),
        }
    }

    /// All cells reached from x, x included, in the order in which they are met.
    fn closure(&mut self, field: FieldId, at: At, x: Value) -> Answer<Vec<CellId>> {
        let state = self.state(at)?;
        let mut met: Vec<CellId> = Vec::new();
        let mut seen = BTreeSet::new();
        let mut here = x;
        while let Value::Cell(cell) = here {
            self.spend()?;
            if !seen.insert(cell) {
                break;
            }
            met.push(cell);
            here = self.read(state, here, field);
        }
        Ok(met)
    }

    /// The truth of a formula.
    pub fn formula(&mut self, formula: &Formula) -> Answer<bool> {
        self.spend()?;
        match formula {
            Formula::Const(value) => Ok(*value),
            Formula::Not(p) => Ok(!self.formula(p)?),
            Formula::And(parts) => self.settle(parts.iter().map(|p| (p, true)), false),
            Formula::Or(parts) => self.settle(parts.iter().map(|p| (p, true)), true),
            Formula::Implies(p, q) => self.settle([(&**p, false), (&**q, true)].into_iter(), true),
            Formula::Iff(p, q) => Ok(self.formula(p)? == self.formula(q)?),
            Formula::Compare(cmp, a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                compare(*cmp, a, b)
            }
            Formula::Reach { field, at, from, to, plus } => {
                let (from, to) = (self.pointer(from)?, self.pointer(to)?);
                if !*plus {
                    return self.reaches(*field, *at, from, to);
                }
                let Value::Cell(_) = from else { return Ok(false) };
                let next = self.read(self.state(*at)?, from, *field);
                self.reaches(*field, *at, next, to)
            }
            Formula::Between(field, at, x, y, z) => {
                let (x, y, z) = (self.pointer(x)?, self.pointer(y)?, self.pointer(z)?);
                let path = self.segment(*field, *at, x, z)?;
                Ok(path.is_some_and(|p| y == z || p.iter().any(|c| Value::Cell(*c) == y)))
            }
            Formula::Valid(t, at) => {
                let pointer = self.pointer(t)?;
                Ok(self.state(*at)?.is_valid(pointer))
            }
            Formula::Freed(t, at) => {
                let pointer = self.pointer(t)?;
                let state = self.state(*at)?;
                Ok(matches!(pointer, Value::Cell(c) if state.status(c) == Status::Freed))
            }
            Formula::Fresh(t) => {
                let pointer = self.pointer(t)?;
                Ok(pointer != Value::Null && !self.states.entry.is_valid(pointer))
            }
            Formula::In(t, set) => match self.pointer(t)? {
                Value::Cell(cell) => self.is_in(cell, set),
                _ => Ok(false),
            },
            Formula::Subset(a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                Ok(a.is_subset(&b))
            }
            Formula::SameSet(a, b) => Ok(self.set(a)? == self.set(b)?),
            Formula::Disjoint(sets) => {
                let mut seen = BTreeSet::new();
                for s in sets {
                    for cell in self.set(s)? {
                        if !seen.insert(cell) {
                            return Ok(false);
                        }
                    }
                }
                Ok(true)
            }
            Formula::ValidRange(array, lo, hi) => {
                let (lo, hi) = (self.int(lo)?, self.int(hi)?);
                let len = self.states.now.arrays[array.index()].len() as i128;
                Ok(lo > hi || (0 <= lo && hi < len))
            }
            Formula::Stable(..)
            | Formula::Unshared(..)
            | Formula::Sorted(..)
            | Formula::Inverse(..)
            | Formula::Dlseg(..)
            | Formula::Tree(..) => self.shape(formula),
            Formula::Forall(binder, body) => self.quantified(binder, body, false),
            Formula::Exists(binder, body) => self.quantified(binder, body, true),
        }
    }

    /// Conjunction (`settles` is false) or disjunction (`settles` is true) of parts taken with their sign.
    fn settle<'f>(
        &mut self,
        parts: impl Iterator<Item = (&'f Formula, bool)>,
        settles: bool,
    ) -> Answer<bool> {
        let mut error = None;
        for (part, sign) in parts {
            match self.formula(part) {
                Ok(value) if (value == sign) == settles => return Ok(settles),
                Ok(_) => {}
                Err(EvalError::Stopped(stop)) => return Err(EvalError::Stopped(stop)),
                Err(e) => error = error.or(Some(e)),
            }
        }
        error.map_or(Ok(!settles), Err)
    }

    /// `settles` is the value of the body that decides: true for `\exists`.
    fn quantified(&mut self, binder: &Binder, body: &Formula, settles: bool) -> Answer<bool> {
        match binder.of {
            Some(of) => {
                let cells = self.cells_of(of).map(Value::Cell);
                self.decided(std::iter::once(Value::Null).chain(cells), (binder, body), settles)
            }
            None => {
                let range = self.range(binder.id, body, settles);
                let (Some(lo), Some(hi)) = range else { return Err(EvalError::Unbounded(binder.id)) };
                if hi.saturating_sub(lo) > MAX_RANGE {
                    return Err(EvalError::Unbounded(binder.id));
                }
                self.decided((lo..=hi).map(Value::Int), (binder, body), settles)
            }
        }
    }

    fn decided(
        &mut self,
        values: impl Iterator<Item = Value>,
        (binder, body): (&Binder, &Formula),
        settles: bool,
    ) -> Answer<bool> {
        let mut error = None;
        for value in values {
            self.env.push((binder.id, value));
            let answer = self.formula(body);
            self.env.pop();
            match answer {
                Ok(value) if value == settles => return Ok(settles),
                Ok(_) => {}
                Err(EvalError::Stopped(stop)) => return Err(EvalError::Stopped(stop)),
                Err(e) => error = error.or(Some(e)),
            }
        }
        error.map_or(Ok(!settles), Err)
    }
}

fn compare(cmp: Cmp, a: Value, b: Value) -> Answer<bool> {
    match (cmp, a, b) {
        (_, Value::Int(a), Value::Int(b)) => Ok(cmp.holds(&a, &b)),
        (_, Value::Int(_), _) | (_, _, Value::Int(_)) => Err(EvalError::IllTyped),
        (Cmp::Eq, a, b) => Ok(a == b),
        (Cmp::Ne, a, b) => Ok(a != b),
        _ => Err(EvalError::IllTyped),
    }
}
