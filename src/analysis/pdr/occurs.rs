//! What formulas and commands mention: variables and fields with their moments, kinds of predicates. From
//! this the signature of the heap context and the predicate families are derived.

use crate::program::{At, BoundId, Cmp, Command, Cond, Expr, FieldId, Formula, Set, Target, Term, VarId};
use crate::util::hash;

/// Everything mentioned.
#[derive(Clone, Debug, Default)]
pub(super) struct Occurs {
    /// Variables with the moment they are read at.
    pub(super) vars: hash::Set<(VarId, At)>,
    /// Fields with the moment they are read at.
    pub(super) fields: hash::Set<(FieldId, At)>,
    /// Link fields along which something is said to be reached.
    pub(super) reach: hash::Set<FieldId>,
    /// Link fields with data that are said to be sorted along them.
    pub(super) sorted: hash::Set<(FieldId, FieldId)>,
    /// Fields and those that run backwards along them.
    pub(super) inverse: hash::Set<(FieldId, FieldId)>,
    /// Fields and those that undo each of their steps.
    pub(super) doubly: hash::Set<(FieldId, FieldId)>,
    /// Whether allocation is spoken of.
    pub(super) alloc: bool,
    /// Moments whose allocation is spoken of.
    pub(super) alloc_at: hash::Set<At>,
    /// Integer fields compared with something else than "is zero".
    pub(super) ordered: hash::Set<FieldId>,
    /// Integer constants that something is compared with.
    pub(super) numbers: std::collections::BTreeSet<i128>,
    /// Variables and fields that one comparison compares.
    pub(super) compared: Vec<(Vec<VarId>, Vec<FieldId>)>,
    /// Fields of what variables and bound variables hold that formulas read.
    pub(super) steps: hash::Set<(VarId, FieldId)>,
    pub(super) bound_steps: hash::Set<(BoundId, FieldId)>,
    /// Bound variables read.
    pub(super) bounds: hash::Set<BoundId>,
}

impl Occurs {
    pub(super) fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Const(_) => {}
            Formula::Not(p) | Formula::Forall(_, p) | Formula::Exists(_, p) => self.formula(p),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|p| self.formula(p)),
            Formula::Implies(p, q) | Formula::Iff(p, q) => {
                self.formula(p);
                self.formula(q);
            }
            Formula::Compare(cmp, a, b) => {
                self.compare(*cmp, a, b);
                self.term(a);
                self.term(b);
            }
            Formula::Reach { field, at, from, to, .. } => self.segment(*field, *at, &[from, to]),
            Formula::Between(field, at, a, b, c) => self.segment(*field, *at, &[a, b, c]),
            Formula::Valid(t, at) | Formula::Freed(t, at) => {
                self.alloc = true;
                self.alloc_at.insert(*at);
                self.term(t);
            }
            Formula::Fresh(t) => {
                self.alloc = true;
                self.alloc_at.insert(At::Entry);
                self.term(t);
            }
            Formula::Stable(field, at, t) => {
                self.alloc = true;
                self.alloc_at.insert(*at);
                self.segment(*field, *at, &[t]);
            }
            Formula::Unshared(field, at, a, b) => self.segment(*field, *at, &[a, b]),
            Formula::Sorted(field, data, at, a, b) => {
                self.sorted.insert((*field, *data));
                self.ordered.insert(*data);
                self.fields.insert((*data, *at));
                self.segment(*field, *at, &[a, b]);
            }
            Formula::Inverse(field, back, at, a, b) => {
                self.inverse.insert((*field, *back));
                self.segment(*back, *at, &[]);
                self.segment(*field, *at, &[a, b]);
            }
            Formula::Dlseg(field, back, at, ends) => {
                self.doubly.insert((*field, *back));
                self.segment(*back, *at, &[]);
                self.segment(*field, *at, &ends.each_ref());
            }
            Formula::Tree(left, right, at, t) => {
                self.segment(*left, *at, &[t]);
                self.segment(*right, *at, &[]);
            }
            Formula::ValidRange(array, lo, hi) => {
                self.vars.insert((*array, At::Now));
                self.term(lo);
                self.term(hi);
            }
            Formula::In(t, set) => {
                self.term(t);
                self.set(set);
            }
            Formula::Subset(a, b) | Formula::SameSet(a, b) => {
                self.set(a);
                self.set(b);
            }
            Formula::Disjoint(sets) => sets.iter().for_each(|set| self.set(set)),
        }
    }

    fn segment(&mut self, field: FieldId, at: At, terms: &[&Term]) {
        self.fields.insert((field, at));
        self.reach.insert(field);
        terms.iter().for_each(|t| self.term(t));
    }

    /// A comparison of terms: with zero for equality only, or of data as ordered values.
    fn compare(&mut self, cmp: Cmp, a: &Term, b: &Term) {
        let zero = |t: &Term| *t == Term::Int(0);
        let only_zero = matches!(cmp, Cmp::Eq | Cmp::Ne) && (zero(a) || zero(b));
        let (mut vars, mut fields) = (Vec::new(), Vec::new());
        for t in [a, b] {
            match t {
                Term::Var(v, _) => vars.push(*v),
                Term::Field(field, ..) => fields.push(*field),
                _ => {}
            }
        }
        self.compared.push((vars, fields));
        for t in [a, b] {
            match t {
                Term::Field(field, _, _) if !only_zero => _ = self.ordered.insert(*field),
                Term::Int(n) => _ = self.numbers.insert(*n),
                _ => {}
            }
        }
    }

    pub(super) fn term(&mut self, term: &Term) {
        match term {
            Term::Var(v, at) => _ = self.vars.insert((*v, *at)),
            Term::Bound(b) => _ = self.bounds.insert(*b),
            Term::Null(_) | Term::Int(_) => {}
            Term::Field(field, at, t) => {
                self.fields.insert((*field, *at));
                match (at, &**t) {
                    (At::Now, Term::Var(v, At::Now)) => _ = self.steps.insert((*v, *field)),
                    (At::Now, Term::Bound(id)) => _ = self.bound_steps.insert((*id, *field)),
                    _ => {}
                }
                self.term(t);
            }
            Term::Index(array, at, t) => {
                self.vars.insert((*array, *at));
                self.term(t);
            }
            Term::Neg(t) => self.term(t),
            Term::Binary(_, a, b) => {
                self.term(a);
                self.term(b);
            }
            Term::Ite(test, a, b) => {
                self.formula(test);
                self.term(a);
                self.term(b);
            }
        }
    }

    pub(super) fn set(&mut self, set: &Set) {
        match set {
            Set::Cells(field, at, a, b) => self.segment(*field, *at, &[a, b]),
            Set::Of(terms) => terms.iter().for_each(|t| self.term(t)),
            Set::Pre(field, at, t) => {
                self.fields.insert((*field, *at));
                self.term(t);
            }
            Set::Union(sets) | Set::Inter(sets) => sets.iter().for_each(|set| self.set(set)),
            Set::Diff(a, b) => {
                self.set(a);
                self.set(b);
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Var(v) => _ = self.vars.insert((*v, At::Now)),
            Expr::Null(_) | Expr::Int(_) => {}
            Expr::Neg(e) | Expr::BitNot(e) | Expr::Wrap(_, e) => self.expr(e),
            Expr::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
        }
    }

    fn cond(&mut self, cond: &Cond) {
        match cond {
            Cond::Const(_) => {}
            Cond::Compare(_, a, b) => {
                for e in [a, b] {
                    if let Expr::Int(n) = e {
                        self.numbers.insert(*n);
                    }
                    self.expr(e);
                }
            }
            Cond::Not(p) => self.cond(p),
            Cond::And(parts) | Cond::Or(parts) => parts.iter().for_each(|p| self.cond(p)),
        }
    }

    /// What the command reads; of formulas also what they speak of.
    pub(super) fn command(&mut self, command: &Command) {
        match command {
            Command::Skip
            | Command::Fail { .. }
            | Command::Havoc(_)
            | Command::Alloc { .. }
            | Command::Snapshot(_) => {}
            Command::Assign(_, e) => self.expr(e),
            Command::Load { from, .. } => _ = self.vars.insert((*from, At::Now)),
            Command::Store { to, value, .. } => {
                self.vars.insert((*to, At::Now));
                self.expr(value);
            }
            Command::LoadElement { array, index, .. } => {
                self.vars.insert((*array, At::Now));
                self.expr(index);
            }
            Command::StoreElement { array, index, value } => {
                self.vars.insert((*array, At::Now));
                self.expr(index);
                self.expr(value);
            }
            Command::Free(x) | Command::Release(x) => _ = self.vars.insert((*x, At::Now)),
            Command::Assume(cond) => self.cond(cond),
            Command::Suppose(formula) | Command::Assert { formula, .. } => self.formula(formula),
            Command::Scramble { targets, .. } => targets.iter().for_each(|t| self.target(t)),
        }
    }

    pub(super) fn target(&mut self, target: &Target) {
        match target {
            Target::Var(_) | Target::Everything => {}
            Target::Field(t, _) => self.term(t),
            Target::Fields(set, _) => self.set(set),
            Target::Range(_, lo, hi) => {
                self.term(lo);
                self.term(hi);
            }
        }
    }
}

/// The variable that the command assigns.
pub(super) fn assigned(command: &Command) -> Option<VarId> {
    match command {
        Command::Assign(x, _) | Command::Havoc(x) => Some(*x),
        Command::Load { to, .. } | Command::LoadElement { to, .. } | Command::Alloc { to, .. } => Some(*to),
        _ => None,
    }
}
