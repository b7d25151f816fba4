//! What a piece of a program can change, and how a symbolic state forgets it.
//!
//! A loop forgets what its body can change, nothing else (DESIGN 6, decision 7): variables that are assigned
//! and fields that are written become unknown; where cells are only allocated, older cells keep their
//! fields; allocation only grows if nothing is freed, and freed cells stay freed. Calls by contract forget in the
//! same way.
//!
//! Where a link field keeps its values at some cells, paths over such cells stay as they are. That does not
//! follow from the values by first-order reasoning, so it is said for the paths between variables
//! (`keep_paths`).

use super::state::Symbolic;
use super::{Done, Walk};
use crate::logic::{TermId, Terms};
use crate::program::cfg::Program;
use crate::program::command::{Command, Target};
use crate::program::decl::{EdgeId, FieldId, LabelId, StructId, Type, VarId, VarKind};
use crate::program::encode::{Inexpressible, Moments, Version, VersionId, status};
use std::collections::BTreeSet;

/// What commands can change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// Assigned variables; arrays with a written element.
    pub vars: BTreeSet<VarId>,
    /// Fields written in some cell.
    pub fields: BTreeSet<FieldId>,
    /// Structs of which cells are allocated.
    pub allocates: BTreeSet<StructId>,
    /// Structs of which cells are freed.
    pub frees: BTreeSet<StructId>,
    /// Labels passed.
    pub labels: BTreeSet<LabelId>,
}

impl Effect {
    /// Of the commands on these edges.
    #[must_use]
    pub fn of(program: &Program, edges: &[EdgeId]) -> Effect {
        let mut effect = Effect::default();
        for edge in edges {
            effect.add(program, &program.edges[edge.index()].command);
        }
        effect
    }

    fn add(&mut self, program: &Program, command: &Command) {
        let pointee = |v: &VarId| program.vars[v.index()].ty.pointee();
        match command {
            Command::Assign(x, _) | Command::Havoc(x) => {
                self.vars.insert(*x);
            }
            Command::Load { to, .. } | Command::LoadElement { to, .. } => {
                self.vars.insert(*to);
            }
            Command::Store { field, .. } => {
                self.fields.insert(*field);
            }
            Command::StoreElement { array, .. } => {
                self.vars.insert(*array);
            }
            Command::Alloc { to, of, .. } => {
                self.vars.insert(*to);
                self.allocates.insert(*of);
            }
            Command::Free(x) | Command::Release(x) => self.frees.extend(pointee(x)),
            Command::Snapshot(label) => {
                self.labels.insert(*label);
            }
            Command::Scramble { targets, frees, .. } => self.scramble(program, targets, *frees),
            Command::Skip
            | Command::Assume(_)
            | Command::Suppose(_)
            | Command::Assert { .. }
            | Command::Fail { .. } => {}
        }
    }

    /// A call by contract.
    pub(super) fn scramble(&mut self, program: &Program, targets: &[Target], frees: bool) {
        let structs = || (0..program.structs.len()).map(|i| StructId(i as u32));
        self.allocates.extend(structs());
        if frees {
            self.frees.extend(structs());
        }
        for target in targets {
            match target {
                Target::Var(v) | Target::Range(v, ..) => {
                    self.vars.insert(*v);
                }
                Target::Field(_, field) | Target::Fields(_, field) => {
                    self.fields.insert(*field);
                }
                Target::Everything => {
                    self.fields.extend((0..program.fields.len()).map(|i| FieldId(i as u32)));
                    let visible = |v: &crate::program::Var| {
                        v.kind == VarKind::Global || (v.kind == VarKind::Param && v.ty.element().is_some())
                    };
                    let vars = program.vars.iter().enumerate().filter(|(_, v)| visible(v));
                    self.vars.extend(vars.map(|(i, _)| VarId(i as u32)));
                }
            }
        }
    }
}

impl Walk<'_> {
    /// The state becomes any state that differs from it by the effect.
    pub(super) fn forget(&mut self, state: &mut Symbolic, effect: &Effect) -> Done {
        let program = self.program;
        let before = state.now.clone();
        for &var in &effect.vars {
            let declared = &program.vars[var.index()];
            if declared.ty.element().is_some() {
                state.now.arrays[var.index()] = Some(self.encoder.fresh_array(var)?);
                continue;
            }
            let value = self.encoder.fresh_var(var)?;
            state.now.vars[var.index()] = value;
            self.in_kind(state, declared.ty, value)?;
        }
        for &of in effect.allocates.union(&effect.frees) {
            let new = self.encoder.fresh_status(of)?;
            state.now.status[of.index()] = new;
            for fact in self.later_status(of, before.status[of.index()], new, effect)? {
                state.assume(&mut self.encoder, &mut self.paths, fact)?;
            }
        }
        for (i, field) in program.fields.iter().enumerate() {
            let id = FieldId(i as u32);
            let old = before.fields[i];
            if effect.fields.contains(&id) {
                state.now.fields[i] = self.encoder.fresh_field(id, Some(old))?;
            } else if effect.allocates.contains(&field.owner) {
                // Only cells that were never allocated can have changed.
                let new = self.encoder.fresh_field(id, Some(old))?;
                state.now.fields[i] = new;
                let status_before = before.status[field.owner.index()];
                self.keep(state, id, old, new, &mut |walk, u| {
                    walk.encoder.has_status(status_before, u, status::NEVER)
                })?;
            }
        }
        for label in &effect.labels {
            state.labels.remove(label);
        }
        Ok(())
    }

    /// What is read lies in the range of its type: a run in which something else was written has left it by signed
    /// arithmetic, and nothing is claimed about it.
    pub(super) fn in_kind(&mut self, state: &mut Symbolic, ty: Type, value: TermId) -> Done {
        if let Type::Int(kind) = ty {
            let fact = self.encoder.in_range(kind, value)?;
            state.assume(&mut self.encoder, &mut self.paths, fact)?;
        }
        Ok(())
    }

    /// How allocation can have changed.
    fn later_status(
        &mut self,
        of: StructId,
        old: VersionId,
        new: VersionId,
        effect: &Effect,
    ) -> Result<Vec<TermId>, Inexpressible> {
        let mut kept = vec![status::FREED];
        if !effect.frees.contains(&of) {
            kept.extend([status::HEAP, status::AUTOMATIC]);
        }
        if !effect.allocates.contains(&of) {
            kept.push(status::NEVER);
        }
        let u = self.encoder.terms.variable("u", self.encoder.sort_of(of))?;
        let mut facts = Vec::new();
        for value in kept {
            let then = self.encoder.has_status(new, u, value)?;
            facts.extend(self.wherever(old, u, value, then)?);
        }
        Ok(facts)
    }

    /// `forall u. version(u) = value => then`, with guards over symbols.
    fn wherever(
        &mut self,
        version: VersionId,
        u: TermId,
        value: i64,
        then: TermId,
    ) -> Result<Vec<TermId>, Inexpressible> {
        let mut facts = Vec::new();
        let mut stack = vec![(version, Terms::TRUE)];
        while let Some((version, condition)) = stack.pop() {
            match self.encoder.describe(version) {
                Version::Base(_) | Version::Constant(_) => {
                    let is = self.encoder.has_status(version, u, value)?;
                    let (not, not_condition) =
                        (self.encoder.terms.not(is)?, self.encoder.terms.not(condition)?);
                    let body = self.encoder.terms.or(&[not, not_condition, then])?;
                    facts.push(self.encoder.terms.forall(&[u], body)?);
                }
                Version::Store { before, place, value: written } => {
                    let crate::logic::Op::Var(id) = self.encoder.terms.op(u) else { continue };
                    let number = self.encoder.terms.int(value);
                    let is = self.encoder.terms.eq(written, number)?;
                    let map = std::iter::once((id, place)).collect();
                    let (condition_here, then_here) = (
                        self.encoder.terms.substitute(condition, &map),
                        self.encoder.terms.substitute(then, &map),
                    );
                    let premise = self.encoder.terms.and(&[is, condition_here])?;
                    facts.push(self.encoder.terms.implies(premise, then_here)?);
                    let here = self.encoder.terms.eq(u, place)?;
                    let elsewhere = self.encoder.terms.not(here)?;
                    stack.push((before, self.encoder.terms.and(&[condition, elsewhere])?));
                }
                Version::Choose { condition: which, yes, no } => {
                    let not = self.encoder.terms.not(which)?;
                    stack.push((yes, self.encoder.terms.and(&[condition, which])?));
                    stack.push((no, self.encoder.terms.and(&[condition, not])?));
                }
            }
        }
        Ok(facts)
    }

    /// A field keeps its value at all cells but those that `changed` describes.
    fn keep(
        &mut self,
        state: &mut Symbolic,
        field: FieldId,
        old: VersionId,
        new: VersionId,
        changed: &mut dyn FnMut(&mut Self, TermId) -> Result<TermId, Inexpressible>,
    ) -> Done {
        let declared = &self.program.fields[field.index()];
        let u = self.encoder.terms.variable("u", self.encoder.sort_of(declared.owner))?;
        let (now, then) = (self.encoder.read(new, u)?, self.encoder.read(old, u)?);
        let (same, may) = (self.encoder.terms.eq(now, then)?, changed(self, u)?);
        let body = self.encoder.terms.or(&[may, same])?;
        let fact = self.encoder.terms.forall_with(&[u], body, &[vec![now]])?;
        state.assume(&mut self.encoder, &mut self.paths, fact)?;
        if declared.is_link() {
            self.keep_paths(state, field, (old, new), changed)?;
        }
        Ok(())
    }

    /// Paths from variables over cells that keep their field are the same before and after.
    ///
    /// For x, and for y that is a variable or null: some cell on the path from x up to y has changed, or
    /// the same cells are between them as before, in the same order (`keep_order`). And: some cell that x reaches has changed, or x
    /// reaches the same cells.
    fn keep_paths(
        &mut self,
        state: &mut Symbolic,
        field: FieldId,
        (old, new): (VersionId, VersionId),
        changed: &mut dyn FnMut(&mut Self, TermId) -> Result<TermId, Inexpressible>,
    ) -> Done {
        let of = self.program.fields[field.index()].owner;
        let sort = self.encoder.sort_of(of);
        let null = self.encoder.null(of);
        let vars = self.program.vars.iter().zip(&state.now.vars);
        let known = vars.filter(|(v, _)| v.ty == Type::Ptr(of) && v.kind != VarKind::Temp).map(|(_, &t)| t);
        let starts: BTreeSet<TermId> = known.filter(|&t| t != null).collect();
        let mut ends: Vec<TermId> = vec![null];
        // Pairs are many; between many variables only whole lists are kept.
        if starts.len() <= 4 {
            ends.extend(&starts);
        }
        for &x in &starts {
            let v = self.encoder.terms.variable("v", sort)?;
            for &y in ends.iter().filter(|&&y| y != x) {
                let culprit = self.encoder.unknown("changed", sort)?;
                let (on, end) =
                    (self.encoder.between(old, x, culprit, y)?, self.encoder.terms.eq(culprit, y)?);
                let (not_end, it) = (self.encoder.terms.not(end)?, changed(self, culprit)?);
                let broken = self.encoder.terms.and(&[on, not_end, it])?;
                let (now, then) = (self.encoder.between(new, x, v, y)?, self.encoder.between(old, x, v, y)?);
                let there = self.guarded(v, old, x, y, now)?;
                let back = self.guarded(v, new, x, y, then)?;
                let (reached, ends_there) = (self.encoder.reach(old, x, y)?, self.encoder.reach(new, x, y)?);
                let mut kept = vec![ends_there, there, back];
                if self.ordered.contains(&field) {
                    kept.push(self.keep_order((old, new), x, y)?);
                    kept.push(self.keep_order((new, old), x, y)?);
                }
                let kept = self.encoder.terms.and(&kept)?;
                let premise = self.encoder.terms.not(reached)?;
                let fact = self.encoder.terms.or(&[premise, broken, kept])?;
                state.assume(&mut self.encoder, &mut self.paths, fact)?;
            }
            let culprit = self.encoder.unknown("changed", sort)?;
            let (on, it) = (self.encoder.reach(old, x, culprit)?, changed(self, culprit)?);
            let broken = self.encoder.terms.and(&[on, it])?;
            let (now, then) = (self.encoder.reach(new, x, v)?, self.encoder.reach(old, x, v)?);
            let (not_now, not_then) = (self.encoder.terms.not(now)?, self.encoder.terms.not(then)?);
            let (there, back) =
                (self.encoder.terms.or(&[not_then, now])?, self.encoder.terms.or(&[not_now, then])?);
            let (there, back) =
                (self.encoder.terms.forall(&[v], there)?, self.encoder.terms.forall(&[v], back)?);
            let fact = self.encoder.terms.and(&[there, back])?;
            let fact = self.encoder.terms.or(&[broken, fact])?;
            state.assume(&mut self.encoder, &mut self.paths, fact)?;
        }
        Ok(())
    }

    /// `forall v. between(version, x, v, y) => then`, split by cases.
    pub(super) fn guarded(
        &mut self,
        v: TermId,
        version: VersionId,
        x: TermId,
        y: TermId,
        then: TermId,
    ) -> Result<TermId, Inexpressible> {
        let mut parts = Vec::new();
        for case in self.encoder.cases(version, x, y)? {
            let atom = self.encoder.terms.between(case.field, case.from, v, case.to)?;
            let (not, not_case) = (self.encoder.terms.not(atom)?, self.encoder.terms.not(case.condition)?);
            let body = self.encoder.terms.or(&[not, then])?;
            let all = self.encoder.terms.forall(&[v], body)?;
            parts.push(self.encoder.terms.or(&[not_case, all])?);
        }
        Ok(self.encoder.terms.and(&parts)?)
    }

    /// For each field of the effect: that it changes at cells of the targets only, or at cells that were not
    /// allocated. Its name, as a goal and as a hypothesis. Nothing if everything may change.
    pub(super) fn frame(
        &mut self,
        before: &Symbolic,
        now: &Symbolic,
        effect: &Effect,
        targets: &[Target],
    ) -> Result<Vec<(String, TermId, TermId)>, Inexpressible> {
        let program = self.program;
        let mut out = Vec::new();
        if targets.contains(&Target::Everything) {
            return Ok(out);
        }
        for &field in &effect.fields {
            let declared = &program.fields[field.index()];
            let (old, new) = (before.now.fields[field.index()], now.now.fields[field.index()]);
            if old == new {
                continue;
            }
            let u = self.encoder.terms.variable("u", self.encoder.sort_of(declared.owner))?;
            let allowed = self.allowed(before, targets, field, u)?;
            let valid = self.encoder.is_valid(&before.now, declared.owner, u)?;
            let (then, value) = (self.encoder.read(old, u)?, self.encoder.read(new, u)?);
            let (same, not_valid) = (self.encoder.terms.eq(then, value)?, self.encoder.terms.not(valid)?);
            let body = self.encoder.terms.or(&[not_valid, allowed, same])?;
            let goal = self.encoder.terms.forall(&[u], body)?;
            let mut known = now.clone();
            known.path = super::state::Paths::EMPTY;
            let mut changed = |walk: &mut Self, cell: TermId| {
                let crate::logic::Op::Var(id) = walk.encoder.terms.op(u) else { return Ok(Terms::TRUE) };
                let either = walk.encoder.terms.or(&[not_valid, allowed])?;
                // The fields of null never change.
                let real = walk.encoder.not_null(declared.owner, cell)?;
                let map = std::iter::once((id, cell)).collect();
                let either = walk.encoder.terms.substitute(either, &map);
                Ok(walk.encoder.terms.and(&[real, either])?)
            };
            self.keep(&mut known, field, old, new, &mut changed)?;
            let fact = self.paths.formula(known.path);
            out.push((format!("`{}`", declared.name), goal, fact));
        }
        Ok(out)
    }

    /// Whether the targets, read in a state, allow the field to change at a cell.
    pub(super) fn allowed(
        &mut self,
        at: &Symbolic,
        targets: &[Target],
        field: FieldId,
        cell: TermId,
    ) -> Result<TermId, Inexpressible> {
        let moments = Moments { now: &at.now, entry: &self.entry, labels: &at.labels };
        let mut parts = Vec::new();
        for target in targets {
            match target {
                Target::Field(t, f) if *f == field => {
                    let t = self.encoder.term(moments, t)?;
                    parts.push(self.encoder.terms.eq(cell, t)?);
                }
                Target::Fields(set, f) if *f == field => {
                    parts.push(self.encoder.member(moments, cell, set)?);
                }
                Target::Everything => return Ok(Terms::TRUE),
                _ => {}
            }
        }
        Ok(self.encoder.terms.or(&parts)?)
    }

    /// A call by contract.
    pub(super) fn call(&mut self, state: &mut Symbolic, targets: &[Target], frees: bool) -> Done {
        let mut effect = Effect::default();
        effect.scramble(self.program, targets, frees);
        let before = state.clone();
        self.forget(state, &effect)?;
        for (_, _, fact) in self.frame(&before, state, &effect, targets)? {
            state.assume(&mut self.encoder, &mut self.paths, fact)?;
        }
        // What is stored is null or allocated.
        for (i, var) in self.program.vars.iter().enumerate() {
            if let (Type::Ptr(of), true) = (var.ty, effect.vars.contains(&VarId(i as u32))) {
                let value = state.now.vars[i];
                let (valid, null) = (self.encoder.is_valid(&state.now, of, value)?, self.encoder.null(of));
                let is_null = self.encoder.terms.eq(value, null)?;
                let fact = self.encoder.terms.or(&[valid, is_null])?;
                state.assume(&mut self.encoder, &mut self.paths, fact)?;
            }
        }
        for target in targets {
            let (cells, field) = match target {
                Target::Field(t, field) => (crate::program::Set::Of(vec![t.clone()]), *field),
                Target::Fields(set, field) => (set.clone(), *field),
                _ => continue,
            };
            let declared = &self.program.fields[field.index()];
            let Type::Ptr(of) = declared.ty else { continue };
            // The targets are cells of the state before the call.
            let u = self.encoder.terms.variable("u", self.encoder.sort_of(declared.owner))?;
            let moments = Moments { now: &before.now, entry: &self.entry, labels: &before.labels };
            let member = self.encoder.member(moments, u, &cells)?;
            let value = self.encoder.read(state.now.fields[field.index()], u)?;
            let (valid, null) = (self.encoder.is_valid(&state.now, of, value)?, self.encoder.null(of));
            let (is_null, not_member) =
                (self.encoder.terms.eq(value, null)?, self.encoder.terms.not(member)?);
            let body = self.encoder.terms.or(&[not_member, valid, is_null])?;
            let fact = self.encoder.terms.forall_with(&[u], body, &[vec![value]])?;
            state.assume(&mut self.encoder, &mut self.paths, fact)?;
        }
        Ok(())
    }
}
