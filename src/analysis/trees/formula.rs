//! What formulas say about a set of states: true in all of them, false in all of them, or not known.

use super::state::{Behind, Shape, State, Value};
use crate::program::walk::{self, Part};
use crate::program::{At, BinOp, Cmp, FieldId, Formula, Program, Term, VarId};
use std::collections::BTreeSet;

/// Splits of one formula by whether a pointer is null, inside each other.
const SPLITS: u32 = 4;

/// What formulas call the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begin {
    /// The entry of the function.
    Entry,
    /// This moment.
    Now,
    /// The moment of a call that has come back: the arguments are known, the heap of then is not.
    Call,
}

/// Reads formulas.
#[derive(Clone, Copy)]
pub(super) struct Reader<'p> {
    pub(super) program: &'p Program,
    pub(super) begin: Begin,
    /// Roots of what was owned at the entry.
    pub(super) roots: &'p [(VarId, Shape)],
}

impl Reader<'_> {
    /// The value of a term.
    pub(super) fn term(&self, state: &mut State, term: &Term) -> Option<Value> {
        let used = |value: Value| Some(value).filter(|v| *v != Value::Unused);
        match term {
            Term::Var(v, At::Now) => used(state.vars[v.index()]),
            Term::Var(v, At::Entry) if self.begin == Begin::Now => used(state.vars[v.index()]),
            Term::Var(v, At::Entry) => used(state.entry[v.index()]),
            Term::Null(_) => Some(Value::Null),
            Term::Int(n) => Some(state.number((Some(*n), Some(*n)))),
            Term::Field(field, at, inner) => {
                let base = self.term(state, inner)?;
                self.field(state, *field, *at, base)
            }
            Term::Neg(inner) => {
                let value = self.term(state, inner)?;
                let (low, high) = state.range(value)?;
                Some(state.number((high.map(|n| -n), low.map(|n| -n))))
            }
            Term::Binary(op, a, b) => {
                let (a, b) = (self.term(state, a)?, self.term(state, b)?);
                arithmetic(state, *op, a, b)
            }
            _ => None,
        }
    }

    fn field(&self, state: &mut State, field: FieldId, at: At, base: Value) -> Option<Value> {
        let declared = &self.program.fields[field.index()];
        let node = match base {
            // A link of null is null.
            Value::Null => return declared.ty.pointee().map(|_| Value::Null),
            Value::Node(node) => node,
            _ => return None,
        };
        if !state.open(self.program, node) {
            return None;
        }
        let slot = self.program.structs[declared.owner.index()].fields.iter().position(|f| *f == field)?;
        let Behind::Cell { fields, entry, .. } = &state.nodes[node].behind else { return None };
        match at {
            At::Now => fields.get(slot).copied(),
            At::Entry => match self.begin {
                Begin::Entry => entry.as_ref()?.get(slot).copied(),
                Begin::Now => fields.get(slot).copied(),
                Begin::Call => None,
            },
            At::Label(_) => None,
        }
    }

    /// Whether a formula holds, if that is known.
    pub(super) fn decide(&self, state: &mut State, formula: &Formula) -> Option<bool> {
        match formula {
            Formula::Const(value) => Some(*value),
            Formula::Not(inner) => self.decide(state, inner).map(|v| !v),
            Formula::And(parts) => self.all(state, parts, true),
            Formula::Or(parts) => self.all(state, parts, false),
            Formula::Implies(a, b) => match (self.decide(state, a), self.decide(state, b)) {
                (Some(false), _) | (_, Some(true)) => Some(true),
                (Some(true), Some(false)) => Some(false),
                _ => None,
            },
            Formula::Iff(a, b) => {
                let (a, b) = (self.decide(state, a)?, self.decide(state, b)?);
                Some(a == b)
            }
            Formula::Compare(cmp, a, b) => {
                let (a, b) = (self.term(state, a)?, self.term(state, b)?);
                compare(state, *cmp, a, b)
            }
            Formula::Valid(t, At::Now) => match self.term(state, t)? {
                Value::Null => Some(false),
                Value::Node(n) => match state.nodes[n].behind {
                    Behind::Cell { .. } => Some(true),
                    Behind::Whole(_) => state.nodes[n].not_null.then_some(true),
                    Behind::Freed => Some(false),
                    Behind::Lost => None,
                },
                _ => None,
            },
            Formula::Valid(t, At::Entry) if self.begin == Begin::Entry => match self.term(state, t)? {
                value @ Value::Node(n) => {
                    let given = self.roots.iter().any(|(v, _)| state.entry[v.index()] == value);
                    (given && state.nodes[n].not_null).then_some(true)
                }
                _ => None,
            },
            Formula::Tree(left, right, At::Entry, t) if self.begin == Begin::Entry => {
                let value = self.term(state, t)?;
                let fits = |(v, shape): &(VarId, Shape)| {
                    state.entry[v.index()] == value && shape.covers(&[*left, *right])
                };
                self.roots.iter().any(fits).then_some(true)
            }
            Formula::Freed(t, At::Now) => match self.term(state, t)? {
                Value::Node(n) if state.nodes[n].behind == Behind::Freed => Some(true),
                _ => None,
            },
            Formula::Fresh(t) if self.begin == Begin::Entry => match self.term(state, t)? {
                Value::Null => Some(false),
                Value::Node(n) => {
                    let node = &state.nodes[n];
                    let owned = matches!(node.behind, Behind::Whole(_) | Behind::Cell { .. });
                    (owned && node.fresh && node.not_null).then_some(true)
                }
                _ => None,
            },
            _ => {
                let (fields, root) = self.shape(formula)?;
                let root = self.term(state, root)?;
                holds(self.program, state, &fields, root, &mut BTreeSet::new()).then_some(true)
            }
        }
    }

    /// The fields and the root of a structure that a formula says is one now.
    pub(super) fn shape<'f>(&self, formula: &'f Formula) -> Option<(Vec<FieldId>, &'f Term)> {
        let now = |at: &At| *at == At::Now || *at == At::Entry && self.begin == Begin::Now;
        match formula {
            Formula::Tree(left, right, at, root) if now(at) && left != right => {
                Some((vec![*left, *right], root))
            }
            Formula::Reach { field, at, from, to: Term::Null(_), plus: false } if now(at) => {
                Some((vec![*field], from))
            }
            Formula::Stable(field, at, root) if now(at) => Some((vec![*field], root)),
            _ => None,
        }
    }

    fn all(&self, state: &mut State, parts: &[Formula], wanted: bool) -> Option<bool> {
        let mut known = true;
        for part in parts {
            match self.decide(state, part) {
                Some(value) if value != wanted => return Some(!wanted),
                Some(_) => {}
                None => known = false,
            }
        }
        known.then_some(wanted)
    }

    /// Whether a formula holds in all states; pointers that may be null are looked at both ways.
    pub(super) fn proves(&self, state: &State, formula: &Formula) -> bool {
        self.proves_within(state, formula, SPLITS)
    }

    fn proves_within(&self, state: &State, formula: &Formula, splits: u32) -> bool {
        let mut known = state.clone();
        if let Some(value) = self.decide(&mut known, formula) {
            return value;
        }
        let open = |n: &usize| {
            let node = &known.nodes[*n];
            !node.not_null && !matches!(node.behind, Behind::Freed)
        };
        let mut mentioned = BTreeSet::new();
        self.mentioned(&mut known.clone(), formula, &mut mentioned);
        let Some(node) = mentioned.into_iter().filter(|n| *n < known.nodes.len()).find(open) else {
            return false;
        };
        if splits == 0 {
            return false;
        }
        let mut null = known.clone();
        null.replace(Value::Node(node), Value::Null);
        known.nodes[node].not_null = true;
        self.proves_within(&null, formula, splits - 1) && self.proves_within(&known, formula, splits - 1)
    }

    /// The pointers that a formula speaks of.
    fn mentioned(&self, state: &mut State, formula: &Formula, found: &mut BTreeSet<usize>) {
        let mut terms = Vec::new();
        walk::formula(formula, &mut |part| {
            if let Part::Term(term) = part {
                terms.push(term.clone());
            }
        });
        for term in terms {
            if let Some(Value::Node(n)) = self.term(state, &term) {
                found.insert(n);
            }
        }
    }

    /// Assumes a formula as far as it is understood; false if no state satisfies it.
    pub(super) fn assume(&self, state: &mut State, formula: &Formula) -> bool {
        match formula {
            Formula::Const(value) => *value,
            Formula::And(parts) => parts.iter().all(|p| self.assume(state, p)),
            Formula::Not(inner) => match &**inner {
                Formula::Compare(cmp, a, b) => {
                    self.assume(state, &Formula::Compare(cmp.negated(), a.clone(), b.clone()))
                }
                other => self.decide(state, other) != Some(true),
            },
            Formula::Or(parts) => {
                let mut open = Vec::new();
                for part in parts {
                    match self.decide(state, part) {
                        Some(true) => return true,
                        Some(false) => {}
                        None => open.push(part),
                    }
                }
                match open[..] {
                    [] => false,
                    [one] => self.assume(state, one),
                    _ => true,
                }
            }
            Formula::Implies(a, b) => match self.decide(state, a) {
                Some(true) => self.assume(state, b),
                Some(false) => true,
                None => self.decide(state, b) != Some(false) || self.assume(state, &(**a).clone().negate()),
            },
            Formula::Compare(cmp, a, b) => {
                let (Some(a), Some(b)) = (self.term(state, a), self.term(state, b)) else { return true };
                assume_comparison(state, *cmp, a, b)
            }
            Formula::Valid(t, At::Now) => match self.term(state, t) {
                Some(value @ Value::Node(_)) => state.part(value, Value::Null),
                Some(Value::Null) => false,
                _ => true,
            },
            other => self.decide(state, other) != Some(false),
        }
    }
}

/// Whether the value is null or the root of a structure along the fields, whose cells are owned and none of those that
/// were seen already.
pub(super) fn holds(
    program: &Program,
    state: &State,
    fields: &[FieldId],
    root: Value,
    seen: &mut BTreeSet<usize>,
) -> bool {
    let mut open = vec![root];
    while let Some(value) = open.pop() {
        let node = match value {
            Value::Null => continue,
            Value::Node(node) => node,
            _ => return false,
        };
        if !seen.insert(node) {
            return false;
        }
        match &state.nodes[node].behind {
            Behind::Whole(shape) if shape.covers(fields) => {}
            Behind::Cell { fields: values, automatic: false, .. } => {
                let own = &program.structs[state.nodes[node].of.index()].fields;
                let children = own.iter().zip(values).filter(|(f, _)| fields.contains(f));
                open.extend(children.map(|(_, v)| *v));
            }
            _ => return false,
        }
    }
    true
}

/// Whether a comparison holds, if that is known.
pub(super) fn compare(state: &State, cmp: Cmp, a: Value, b: Value) -> Option<bool> {
    match cmp {
        Cmp::Eq => state.equal(a, b),
        Cmp::Ne => state.equal(a, b).map(|v| !v),
        Cmp::Gt | Cmp::Ge => compare(state, cmp.mirrored(), b, a),
        Cmp::Lt | Cmp::Le => {
            let ((low, high), (least, most)) = (state.range(a)?, state.range(b)?);
            if a == b {
                return Some(cmp == Cmp::Le);
            }
            match (high, least) {
                (Some(high), Some(least)) if cmp.holds(&high, &least) => return Some(true),
                _ => {}
            }
            match (low, most) {
                (Some(low), Some(most)) if !cmp.holds(&low, &most) => Some(false),
                _ => None,
            }
        }
    }
}

/// Assumes a comparison; false if it does not hold.
pub(super) fn assume_comparison(state: &mut State, cmp: Cmp, a: Value, b: Value) -> bool {
    match cmp {
        Cmp::Eq => state.unite(a, b),
        Cmp::Ne => state.part(a, b),
        Cmp::Gt | Cmp::Ge => assume_comparison(state, cmp.mirrored(), b, a),
        Cmp::Lt | Cmp::Le => {
            if compare(state, cmp, a, b) == Some(false) {
                return false;
            }
            let (Value::Int(m), Value::Int(n)) = (a, b) else { return true };
            let less = i128::from(cmp == Cmp::Lt);
            let (low, most) = (state.numbers[m].0, state.numbers[n].1);
            let tighter =
                |old: Option<i128>, new: Option<i128>, pick: fn(i128, i128) -> i128| match (old, new) {
                    (Some(a), Some(b)) => Some(pick(a, b)),
                    (a, b) => a.or(b),
                };
            let (above, below) = (low.map(|l| l + less), most.map(|h| h - less));
            state.numbers[n].0 = tighter(state.numbers[n].0, above, i128::max);
            state.numbers[m].1 = tighter(state.numbers[m].1, below, i128::min);
            true
        }
    }
}

/// The value of `a op b`.
pub(super) fn arithmetic(state: &mut State, op: BinOp, a: Value, b: Value) -> Option<Value> {
    let ((low, high), (least, most)) = (state.range(a)?, state.range(b)?);
    let both = |a: Option<i128>, b: Option<i128>, f: fn(i128, i128) -> Option<i128>| f(a?, b?);
    let range = match op {
        BinOp::Add => (both(low, least, i128::checked_add), both(high, most, i128::checked_add)),
        BinOp::Sub => (both(low, most, i128::checked_sub), both(high, least, i128::checked_sub)),
        _ if low.is_some() && low == high && least.is_some() && least == most => {
            let value = op.apply(low?, least?);
            (value, value)
        }
        _ => (None, None),
    };
    Some(state.number(range))
}
