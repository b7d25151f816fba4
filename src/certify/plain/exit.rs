//! What is checked on arrival: invariants at loop heads, lost cells where they count, everything at the exit.

use super::store::{Life, Store, Value};
use super::{Answer, Plain, refused};
use crate::program::{At, Check, Term, VarKind};

impl Plain<'_> {
    /// Whether the run may be where it is. Looking twice does no harm.
    pub(super) fn arrive(&self, store: &mut Store) -> Answer<()> {
        let (program, here) = (self.program, store.location);
        if self.question.asks(Check::Asserts) {
            for of in program.loops.iter().filter(|l| l.head == here) {
                for clause in &of.invariants {
                    if !self.holds(store, &clause.formula)? {
                        return self.fails(Check::Asserts, "loop invariant does not hold");
                    }
                }
            }
        }
        if self.question.asks(Check::Leaks) {
            for sweep in program.sweeps.iter().filter(|s| s.at == here) {
                let mut roots = self.lasting(store);
                for root in &sweep.roots {
                    match root {
                        Term::Var(v, At::Now) => {
                            roots.extend(store.memory.vars[v.index()]);
                            roots.extend(store.memory.arrays[v.index()].iter().flatten());
                        }
                        // A root that has no value keeps nothing.
                        other => roots.extend(self.term(store, other, &mut Vec::new()).ok()),
                    }
                }
                if let Some(of) = self.lost(store, roots) {
                    return self.fails(Check::Leaks, &format!("a cell of `{of}` is lost"));
                }
            }
        }
        if here == program.exit { self.leave(store) } else { Ok(()) }
    }

    fn leave(&self, store: &mut Store) -> Answer<()> {
        let contract = &self.program.contracts[self.question.contract];
        if self.question.asks(Check::Ensures) {
            for clause in &contract.ensures {
                if !self.holds(store, &clause.formula)? {
                    return self.fails(Check::Ensures, "postcondition does not hold");
                }
            }
            if contract.assigns.is_some() {
                return refused("`assigns` of `main` is not looked at here");
            }
        }
        for (check, what) in [(Check::Leaks, "leaked"), (Check::Garbage, "garbage at the exit")] {
            if self.question.asks(check) {
                let roots = self.lasting(store);
                if let Some(of) = self.lost(store, roots) {
                    return self.fails(check, &format!("a cell of `{of}` is {what}"));
                }
            }
        }
        Ok(())
    }

    /// What outlives `main`: globals and the result.
    fn lasting(&self, store: &Store) -> Vec<Value> {
        let mut roots = Vec::new();
        for (i, var) in self.program.vars.iter().enumerate() {
            if matches!(var.kind, VarKind::Global | VarKind::Result) {
                roots.extend(store.memory.vars[i]);
                roots.extend(store.memory.arrays[i].iter().flatten());
            }
        }
        roots
    }

    /// The kind of a cell on the heap that the roots do not lead to through allocated cells.
    fn lost(&self, store: &mut Store, mut open: Vec<Value>) -> Option<String> {
        let memory = &store.memory;
        let mut kept = vec![false; memory.cells.len()];
        while let Some(value) = open.pop() {
            if let Value::Cell(cell) = value
                && memory.is_valid(value)
                && !kept[cell]
            {
                kept[cell] = true;
                open.extend(memory.cells[cell].fields.iter().flatten());
            }
        }
        store.work += memory.cells.len() as u64 / 8;
        let lost = memory.cells.iter().zip(kept).find(|(cell, kept)| cell.life == Life::OnHeap && !kept);
        lost.map(|(cell, _)| self.program.structs[cell.of.index()].name.clone())
    }
}
