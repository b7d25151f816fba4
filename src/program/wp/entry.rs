//! What is known at the entry: DESIGN 6, decision 1, and `requires` with its consequences ([`lemma`]).

use super::state::{Paths, Symbolic};
use super::{Done, Walk, back, lemma};
use crate::logic::TermId;
use crate::program::cfg::Entry;
use crate::program::command::Check;
use crate::program::decl::{FieldId, StructId, Type, Var, VarKind};
use crate::program::encode::formula::Side;
use crate::program::encode::{Inexpressible, Version, status};
use crate::program::expr::Cmp;
use crate::program::formula::{At, Formula, Term};
use crate::util::hash::Map;
use crate::util::span::Span;

/// Whether a variable is a pointer to the struct that the caller gives.
fn is_root(var: &Var, of: StructId) -> bool {
    var.ty == Type::Ptr(of) && matches!(var.kind, VarKind::Param | VarKind::Global)
}

impl Walk<'_> {
    /// The entry state, with what decision 1 and `requires` say of it.
    pub(super) fn start(&mut self) -> Result<Symbolic, Inexpressible> {
        let program = self.program;
        match program.begins {
            Entry::Main => {
                let never = self.encoder.terms.int(status::NEVER);
                let null = self.encoder.terms.int(status::NULL);
                for (i, version) in self.entry.status.iter_mut().enumerate() {
                    let of = StructId(u32::try_from(i).unwrap_or(u32::MAX));
                    let before = self.encoder.version(Version::Constant(never));
                    let place = self.encoder.null(of);
                    *version = self.encoder.version(Version::Store { before, place, value: null });
                }
            }
            Entry::Function => self.closed_entry()?,
        }
        for (i, var) in program.vars.iter().enumerate() {
            if let Type::Int(kind) = var.ty {
                let fact = self.encoder.in_range(kind, self.entry.vars[i])?;
                if matches!(var.kind, VarKind::Param | VarKind::Global | VarKind::Logic) {
                    self.hypotheses.push(fact);
                }
            }
        }
        let start = Symbolic {
            now: self.entry.clone(),
            labels: Map::default(),
            path: Paths::EMPTY,
            heads: Vec::new(),
        };
        for clause in &program.contracts[self.question.contract].requires {
            self.require(&start, clause.span, &clause.formula);
        }
        let contract = &program.contracts[self.question.contract];
        let known = lemma::consequences(program, contract);
        let known = known.into_iter().chain(lemma::last_steps(program, contract)).map(|c| c.formula);
        let required = contract.requires.iter().map(|c| &c.formula);
        let back = back::consequences(program, self.question.contract, required);
        for formula in known.chain(back) {
            // They say nothing new: without one, less is proved.
            let fact = self.encoder.formula(start.moments(&self.entry), &formula, Side::Assume);
            self.hypotheses.extend(fact);
        }
        Ok(start)
    }

    /// Parameters, globals and everything reached from them are null or allocated: there is a set that holds
    /// the roots, is closed under all fields, and has allocated cells only. Being reached along one link
    /// field is a consequence that first-order reasoning does not find, so it is said as well.
    fn closed_entry(&mut self) -> Done {
        let program = self.program;
        for (i, _) in program.structs.iter().enumerate() {
            let of = StructId(u32::try_from(i).unwrap_or(u32::MAX));
            let live = self.encoder.fresh_set("live", of)?;
            self.live.push(live);
            let u = self.encoder.terms.variable("u", self.encoder.sort_of(of))?;
            let is_live = self.is_live(of, u)?;
            let allocated = self.encoder.has_status(self.entry.status[i], u, status::HEAP)?;
            let fact = self.encoder.terms.implies(is_live, allocated)?;
            let fact = self.encoder.terms.forall(&[u], fact)?;
            self.hypotheses.push(fact);
        }
        for (i, field) in program.fields.iter().enumerate() {
            let Type::Ptr(target) = field.ty else { continue };
            let version = self.entry.fields[i];
            if let Some(func) = self.encoder.base(version) {
                self.encoder.closed(func);
            }
            let u = self.encoder.terms.variable("u", self.encoder.sort_of(field.owner))?;
            let is_live = self.is_live(field.owner, u)?;
            let fact = if field.is_link() && self.only_link(field.owner) == Some(FieldId(i as u32)) {
                // Everything of this struct is reached from a variable along this one field.
                for (x, _) in program.vars.iter().enumerate().filter(|(_, v)| is_root(v, target)) {
                    let reached = self.encoder.reach(version, self.entry.vars[x], u)?;
                    let (ok, not) = (self.null_or_live(target, u)?, self.encoder.terms.not(reached)?);
                    let body = self.encoder.terms.or(&[not, ok])?;
                    let fact = self.encoder.terms.forall(&[u], body)?;
                    self.hypotheses.push(fact);
                }
                continue;
            } else if field.is_link() {
                let v = self.encoder.terms.variable("v", self.encoder.sort_of(target))?;
                let (reached, ok) = (self.encoder.reach(version, u, v)?, self.null_or_live(target, v)?);
                let (not_live, not_reached) =
                    (self.encoder.terms.not(is_live)?, self.encoder.terms.not(reached)?);
                let body = self.encoder.terms.or(&[not_live, not_reached, ok])?;
                self.encoder.terms.forall(&[u, v], body)?
            } else {
                let value = self.encoder.read(version, u)?;
                let ok = self.null_or_live(target, value)?;
                let body = self.encoder.terms.implies(is_live, ok)?;
                self.encoder.terms.forall_with(&[u], body, &[vec![value]])?
            };
            self.hypotheses.push(fact);
        }
        for (i, var) in program.vars.iter().enumerate() {
            if let Type::Ptr(of) = var.ty
                && is_root(var, of)
            {
                let fact = self.null_or_live(of, self.entry.vars[i])?;
                self.hypotheses.push(fact);
                self.encoder.given(self.entry.vars[i]);
            }
        }
        if self.question.asks(Check::Garbage) {
            for i in 0..program.structs.len() {
                self.least_live(StructId(i as u32))?;
            }
        }
        Ok(())
    }

    /// The set of [`Walk::closed_entry`] may be taken to be the least one: what the roots reach. So it is part of every set
    /// that holds the roots and is closed. What the roots reach along one field is such a set if the other fields
    /// stay inside; that is said for each link field of a struct into which only its own fields lead.
    fn least_live(&mut self, of: StructId) -> Done {
        let program = self.program;
        let into = |f: &FieldId| program.fields[f.index()].ty == Type::Ptr(of);
        let fields: Vec<FieldId> = (0..program.fields.len() as u32).map(FieldId).filter(into).collect();
        let own = |f: &FieldId| program.fields[f.index()].owner == of;
        let arrays = program.vars.iter().any(|v| v.ty == Type::PtrArray(of));
        if arrays || !fields.iter().all(own) {
            return Ok(());
        }
        let vars = program.vars.iter().enumerate();
        let roots: Vec<TermId> =
            vars.filter(|(_, v)| is_root(v, of)).map(|(x, _)| self.entry.vars[x]).collect();
        for &along in &fields {
            let c = self.encoder.terms.variable("c", self.encoder.sort_of(of))?;
            let u = self.encoder.terms.variable("u", self.encoder.sort_of(of))?;
            // What is reached is a root, or comes after something that is reached.
            let (inside, after) = (
                self.reached_at_entry(of, along, &roots, u)?,
                self.encoder.read(self.entry.fields[along.index()], u)?,
            );
            let (not_inside, stays) =
                (self.encoder.terms.not(inside)?, self.stays(of, along, &fields, &roots, after)?);
            let null = self.encoder.null(of);
            let ends = self.encoder.terms.eq(after, null)?;
            let body = self.encoder.terms.or(&[not_inside, ends, stays])?;
            let mut closed = vec![self.encoder.terms.forall(&[u], body)?];
            for &root in &roots {
                let (is_null, stays) =
                    (self.encoder.terms.eq(root, null)?, self.stays(of, along, &fields, &roots, root)?);
                closed.push(self.encoder.terms.or(&[is_null, stays])?);
            }
            let closed = self.encoder.terms.and(&closed)?;
            let (is_live, reached) = (self.is_live(of, c)?, self.reached_at_entry(of, along, &roots, c)?);
            let least = self.encoder.terms.implies(is_live, reached)?;
            let least = self.encoder.terms.forall(&[c], least)?;
            let fact = self.encoder.terms.implies(closed, least)?;
            self.hypotheses.push(fact);
        }
        Ok(())
    }

    /// That the other fields of a cell lead to null or to what the roots reach along one field.
    fn stays(
        &mut self,
        of: StructId,
        along: FieldId,
        fields: &[FieldId],
        roots: &[TermId],
        cell: TermId,
    ) -> Result<TermId, Inexpressible> {
        let mut all = Vec::new();
        for &field in fields.iter().filter(|f| **f != along) {
            let next = self.encoder.read(self.entry.fields[field.index()], cell)?;
            let null = self.encoder.null(of);
            let is_null = self.encoder.terms.eq(next, null)?;
            let within = self.reached_at_entry(of, along, roots, next)?;
            all.push(self.encoder.terms.or(&[is_null, within])?);
        }
        Ok(self.encoder.terms.and(&all)?)
    }

    /// That a root reaches a cell along the field at the entry.
    fn reached_at_entry(
        &mut self,
        of: StructId,
        along: FieldId,
        roots: &[TermId],
        cell: TermId,
    ) -> Result<TermId, Inexpressible> {
        let version = self.entry.fields[along.index()];
        let mut ways = Vec::new();
        for &root in roots {
            ways.push(self.encoder.reach(version, root, cell)?);
        }
        let (some, is_cell) = (self.encoder.terms.or(&ways)?, self.encoder.not_null(of, cell)?);
        Ok(self.encoder.terms.and(&[is_cell, some])?)
    }

    /// A conjunct of `requires` is known, as far as it can be said.
    fn require(&mut self, start: &Symbolic, span: Span, formula: &Formula) {
        match (self.encoder.formula(start.moments(&self.entry), formula, Side::Assume), formula) {
            (Ok(fact), _) => {
                self.note_differences(formula);
                self.note_ends(start, formula);
                self.hypotheses.push(fact);
            }
            (Err(_), Formula::And(parts)) => parts.iter().for_each(|part| self.require(start, span, part)),
            (Err(reason), _) => self.dropped.push((span, reason.0)),
        }
    }

    /// `x != y` as a conjunct of `requires`, for pointers that are given.
    fn note_differences(&mut self, formula: &Formula) {
        match formula {
            Formula::And(parts) => parts.iter().for_each(|part| self.note_differences(part)),
            Formula::Compare(Cmp::Ne, Term::Var(x, _), Term::Var(y, _)) => {
                self.encoder.apart(self.entry.vars[x.index()], self.entry.vars[y.index()]);
            }
            Formula::Compare(Cmp::Ne, Term::Var(x, _), Term::Null(of))
            | Formula::Compare(Cmp::Ne, Term::Null(of), Term::Var(x, _)) => {
                let null = self.encoder.null(*of);
                self.encoder.apart(self.entry.vars[x.index()], null);
            }
            Formula::Not(inner) => {
                if let Formula::Compare(Cmp::Eq, a, b) = &**inner {
                    self.note_differences(&Formula::Compare(Cmp::Ne, a.clone(), b.clone()));
                }
            }
            _ => {}
        }
    }

    /// Chains that end, among the conjuncts of what is known of a state, along fields that are symbols there.
    pub(super) fn note_ends(&mut self, state: &Symbolic, formula: &Formula) {
        let (field, from, to) = match formula {
            Formula::And(parts) => return parts.iter().for_each(|part| self.note_ends(state, part)),
            Formula::Reach { field, at: At::Now, from, to, .. } => (field, from, to),
            Formula::Dlseg(next, _, At::Now, ends) => (next, &ends[0], &ends[2]),
            _ => return,
        };
        if let (Term::Var(x, At::Now), Term::Null(_)) = (from, to)
            && let Some(func) = self.encoder.base(state.now.fields[field.index()])
        {
            self.encoder.ends(func, state.now.vars[x.index()]);
        }
    }

    pub(super) fn is_live(&mut self, of: StructId, cell: TermId) -> Result<TermId, Inexpressible> {
        let live = self.live[of.index()];
        self.encoder.has_status(live, cell, 1)
    }

    pub(super) fn null_or_live(&mut self, of: StructId, cell: TermId) -> Result<TermId, Inexpressible> {
        let null = self.encoder.null(of);
        let (is_null, is_live) = (self.encoder.terms.eq(cell, null)?, self.is_live(of, cell)?);
        Ok(self.encoder.terms.or(&[is_null, is_live])?)
    }

    /// The one field by which cells of a struct are reached, if there is one only.
    pub(super) fn only_link(&self, of: StructId) -> Option<FieldId> {
        let program = self.program;
        if program.vars.iter().any(|v| v.ty == Type::PtrArray(of)) {
            return None;
        }
        let mut into = program.fields.iter().enumerate().filter(|(_, f)| f.ty == Type::Ptr(of));
        match (into.next(), into.next()) {
            (Some((i, field)), None) if field.is_link() => Some(FieldId(i as u32)),
            _ => None,
        }
    }
}
