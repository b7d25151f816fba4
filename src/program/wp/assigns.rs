//! `assigns` at loops: of the function, whose claim is an invariant of every loop, and elements of arrays in both.

use super::effect::Effect;
use super::state::{Paths, Symbolic};
use super::{Check, Done, Inexpressible, Kind, Walk};
use crate::logic::{SortId, TermId, Terms};
use crate::program::encode::Moments;
use crate::program::{LocationId, Target, VarId, VarKind};
use crate::util::hash::Map;

impl Walk<'_> {
    /// What `assigns` says of an effect, between the entry and this state: an invariant of every loop, because what
    /// is changed in a round stays changed.
    pub(super) fn assigned_so_far(
        &mut self,
        state: &Symbolic,
        effect: &Effect,
    ) -> Result<Vec<(String, TermId)>, Inexpressible> {
        let program = self.program;
        let targets = &program.contracts[self.question.contract].assigns;
        let (Some(targets), true) = (targets, self.question.asks(Check::Ensures)) else {
            return Ok(Vec::new());
        };
        let entry = self.entry_state();
        let frame = self.frame(&entry, state, effect, targets)?;
        let fields = frame.into_iter().map(|(what, goal, _)| (format!("field {what} of a cell"), goal));
        let mut out: Vec<_> = fields.collect();
        out.extend(self.kept_elements(&entry, state, effect, targets)?);
        Ok(out)
    }

    pub(super) fn entry_state(&self) -> Symbolic {
        let (labels, heads) = (Map::default(), Vec::new());
        Symbolic { now: self.entry.clone(), labels, path: Paths::EMPTY, heads }
    }

    pub(super) fn keep_assigns(
        &mut self,
        state: &Symbolic,
        effect: &Effect,
        location: LocationId,
        kind: Option<Kind>,
    ) -> Done {
        let span = self.program.contracts[self.question.contract].span;
        for (what, goal) in self.assigned_so_far(state, effect)? {
            let what = format!("{what} may change, which `assigns` does not allow");
            let about = (Check::Ensures, kind.unwrap_or(Kind::Place), what, span);
            self.prove(&mut state.clone(), location, about, Ok(goal))?;
        }
        Ok(())
    }

    /// For each array of the caller's that the effect changes and of which the targets name elements: the others
    /// stay. Of an array that no target names nothing is said here; the end of the function does.
    pub(super) fn kept_elements(
        &mut self,
        before: &Symbolic,
        now: &Symbolic,
        effect: &Effect,
        targets: &[Target],
    ) -> Result<Vec<(String, TermId)>, Inexpressible> {
        let mut out = Vec::new();
        let named = |v: VarId| targets.iter().any(|t| matches!(t, Target::Range(array, ..) if *array == v));
        let whole = |v: VarId| targets.iter().any(|t| *t == Target::Everything || *t == Target::Var(v));
        for &array in effect.vars.iter().filter(|v| named(**v) && !whole(**v)) {
            let declared = &self.program.vars[array.index()];
            if matches!(declared.kind, VarKind::Global | VarKind::Param) {
                let goal = self.same_elements(before, now, array, targets)?;
                out.push((format!("an element of `{}`", declared.name), goal));
            }
        }
        Ok(out)
    }

    /// Elements of an array that no target names, read before, are the same in both states.
    pub(super) fn same_elements(
        &mut self,
        before: &Symbolic,
        after: &Symbolic,
        array: VarId,
        targets: &[Target],
    ) -> Result<TermId, Inexpressible> {
        let (Some(old), Some(new)) = (before.now.arrays[array.index()], after.now.arrays[array.index()])
        else {
            return Ok(Terms::TRUE);
        };
        let k = self.encoder.terms.variable("k", SortId::INT)?;
        let (zero, len) = (self.encoder.terms.int(0), self.entry.vars[array.index()]);
        let (below, above) = (self.encoder.terms.lt(k, zero)?, self.encoder.terms.ge(k, len)?);
        let mut parts = vec![below, above];
        let entry = self.entry.clone();
        let moments = Moments { now: &before.now, entry: &entry, labels: &before.labels };
        for target in targets {
            if let Target::Range(var, lo, hi) = target
                && *var == array
            {
                let (lo, hi) = (self.encoder.term(moments, lo)?, self.encoder.term(moments, hi)?);
                let (low, high) = (self.encoder.terms.le(lo, k)?, self.encoder.terms.le(k, hi)?);
                parts.push(self.encoder.terms.and(&[low, high])?);
            }
        }
        let (then, now) = (self.encoder.read(old, k)?, self.encoder.read(new, k)?);
        parts.push(self.encoder.terms.eq(then, now)?);
        let body = self.encoder.terms.or(&parts)?;
        Ok(self.encoder.terms.forall(&[k], body)?)
    }
}
