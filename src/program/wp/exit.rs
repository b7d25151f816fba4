//! What has to hold when a function returns: `ensures`, `assigns`, no leaks, no garbage.
//!
//! Leaks and garbage are about reachability along all fields at once, which the logic does not have. What is
//! asked for instead is sufficient: every cell in question lies on a path of allocated cells along one field
//! that starts in a root.

use super::effect::Effect;
use super::state::Symbolic;
use super::{Done, Kind, Walk};
use crate::logic::TermId;
use crate::program::cfg::{Entry, Sweep};
use crate::program::command::{Check, Target};
use crate::program::decl::{FieldId, StructId, Type, VarId, VarKind};
use crate::program::encode::{Inexpressible, status};
use crate::util::span::Span;

impl Walk<'_> {
    pub(super) fn at_exit(&mut self, state: &Symbolic) -> Done {
        let program = self.program;
        let contract = &program.contracts[self.question.contract];
        let exit = program.exit;
        for clause in &contract.ensures {
            // Postconditions are proved independently: what one says must not depend on another.
            let mut state = state.clone();
            let about = (Check::Ensures, Kind::Place, "the postcondition may not hold");
            self.prove_clause(&mut state, exit, about, clause)?;
        }
        if let Some(targets) = &contract.assigns {
            self.assigns(state, targets, contract.span)?;
        }
        for (check, message) in
            [(Check::Leaks, "a cell may be leaked"), (Check::Garbage, "a cell may be garbage at the exit")]
        {
            if !self.question.asks(check) {
                continue;
            }
            for i in 0..program.structs.len() {
                let goal = self.all_kept(state, StructId(i as u32), check == Check::Leaks, Vec::new())?;
                let about = (check, Kind::Place, message.to_owned(), program.span);
                self.prove(&mut state.clone(), exit, about, Ok(goal))?;
            }
        }
        Ok(())
    }

    /// No cell is lost at this place in the middle of the function.
    pub(super) fn sweep(&mut self, state: &mut Symbolic, sweep: &Sweep) -> Done {
        if !self.question.asks(Check::Leaks) {
            return Ok(());
        }
        for i in 0..self.program.structs.len() {
            let of = StructId(i as u32);
            let mut roots = Vec::new();
            for root in &sweep.roots {
                if self.program.root_of(root) == Some(of) {
                    // What cannot be expressed keeps nothing: the obligation is stronger then.
                    roots.extend(self.encoder.term(state.moments(&self.entry), root));
                }
            }
            let goal = self.all_kept(state, of, true, roots)?;
            let about = (Check::Leaks, Kind::Place, "a cell may be lost".to_owned(), sweep.span);
            self.prove(state, sweep.at, about, Ok(goal))?;
        }
        Ok(())
    }

    /// Only the targets, read at entry, have changed.
    fn assigns(&mut self, state: &Symbolic, targets: &[Target], span: Span) -> Done {
        let program = self.program;
        if targets.contains(&Target::Everything) || !self.question.asks(Check::Ensures) {
            return Ok(());
        }
        let entry = self.entry_state();
        let all = Effect {
            fields: (0..program.fields.len()).map(|i| FieldId(i as u32)).collect(),
            ..Effect::default()
        };
        let mut goals = Vec::new();
        for (what, goal, _) in self.frame(&entry, state, &all, targets)? {
            goals.push((format!("field {what} of a cell"), goal));
        }
        for (i, var) in program.vars.iter().enumerate() {
            let id = VarId(i as u32);
            if targets.contains(&Target::Var(id)) {
                continue;
            }
            if var.kind == VarKind::Global && var.ty.element().is_none() {
                let goal = self.encoder.terms.eq(state.now.vars[i], self.entry.vars[i])?;
                goals.push((format!("`{}`", var.name), goal));
            }
            if matches!(var.kind, VarKind::Global | VarKind::Param)
                && self.entry.arrays[i] != state.now.arrays[i]
            {
                let goal = self.same_elements(&entry, state, id, targets)?;
                goals.push((format!("an element of `{}`", var.name), goal));
            }
        }
        for (what, goal) in goals {
            let what = format!("{what} may change, which `assigns` does not allow");
            let about = (Check::Ensures, Kind::Place, what, span);
            self.prove(&mut state.clone(), program.exit, about, Ok(goal))?;
        }
        Ok(())
    }

    /// Every cell on the heap (for leaks: that the function allocated) is reached from one of these roots, or from
    /// what lasts.
    fn all_kept(
        &mut self,
        state: &Symbolic,
        of: StructId,
        leaks: bool,
        mut roots: Vec<TermId>,
    ) -> Result<TermId, Inexpressible> {
        let program = self.program;
        let sort = self.encoder.sort_of(of);
        let c = self.encoder.terms.variable("c", sort)?;
        let on_heap = self.encoder.has_status(state.now.status[of.index()], c, status::HEAP)?;
        let mut parts = vec![self.encoder.terms.not(on_heap)?];
        for (i, var) in program.vars.iter().enumerate().filter(|(_, v)| v.ty == Type::Ptr(of)) {
            match var.kind {
                VarKind::Global | VarKind::Result => roots.push(state.now.vars[i]),
                VarKind::Param if leaks => roots.push(self.entry.vars[i]),
                _ => {}
            }
        }
        let links: Vec<FieldId> = program.structs[of.index()]
            .fields
            .iter()
            .copied()
            .filter(|f| program.fields[f.index()].is_link())
            .collect();
        for &root in &roots {
            parts.push(self.encoder.terms.eq(root, c)?);
            for &field in &links {
                parts.push(self.path_of_cells(state, of, field, root, c)?);
            }
        }
        if leaks {
            let at_entry = self.encoder.is_valid(&self.entry, of, c)?;
            parts.push(at_entry);
            for &field in &links {
                let e = self.encoder.terms.variable("e", sort)?;
                let (old, path) =
                    (self.encoder.is_valid(&self.entry, of, e)?, self.path_of_cells(state, of, field, e, c)?);
                let both = self.encoder.terms.and(&[old, path])?;
                parts.push(self.encoder.terms.exists(&[e], both)?);
            }
        }
        if !leaks && program.begins == Entry::Function {
            // What nothing reached at the entry does not count: the set of what is reached may be the least one.
            let (at_entry, live) = (self.encoder.is_valid(&self.entry, of, c)?, self.is_live(of, c)?);
            let unreached = self.encoder.terms.not(live)?;
            parts.push(self.encoder.terms.and(&[at_entry, unreached])?);
        }
        let body = self.encoder.terms.or(&parts)?;
        Ok(self.encoder.terms.forall(&[c], body)?)
    }

    /// A path from `x` to `y` along the field on which all cells are allocated.
    fn path_of_cells(
        &mut self,
        state: &Symbolic,
        of: StructId,
        field: FieldId,
        x: TermId,
        y: TermId,
    ) -> Result<TermId, Inexpressible> {
        let version = state.now.fields[field.index()];
        let d = self.encoder.terms.variable("d", self.encoder.sort_of(of))?;
        let (reached, on) = (self.encoder.reach(version, x, y)?, self.encoder.between(version, x, d, y)?);
        let valid = self.encoder.is_valid(&state.now, of, d)?;
        let body = self.encoder.terms.implies(on, valid)?;
        let all = self.encoder.terms.forall(&[d], body)?;
        Ok(self.encoder.terms.and(&[reached, all])?)
    }
}
