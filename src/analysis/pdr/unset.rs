//! Fields of new cells between their allocation and the first write, within a segment (`raw` says what is carried
//! through loop heads).
//!
//! Such a field holds anything, also what closes a cycle. In the model it is null, which is as good as any value as
//! long as nobody looks: a read, and whatever speaks of the shape of the heap, leaves the logic unless the field
//! has been written by then. After the write the model's heap is the real one.

use super::signature::Role;
use super::symbolic::{Exec, Sym};
use crate::engine::heap::{Atom, Const, Field, Pred, Slot, constant};
use crate::program::initialised::reads;
use crate::program::walk::{self, Part};
use crate::program::{At, Command, StructId, Term, VarId};

impl Exec<'_> {
    /// Fields of new cells that were never written hold anything, also what closes a cycle: before anybody
    /// looks at the shape of the heap, they must be written.
    pub(super) fn settle(&mut self, sym: &mut Sym) {
        self.settle_except(sym, &[]);
    }

    /// [`Exec::settle`], except for these fields of cells, which stay unset.
    pub(super) fn settle_except(&mut self, sym: &mut Sym, kept: &[(Const, Field)]) {
        for (cell, field, made) in std::mem::take(&mut sym.raw) {
            if kept.contains(&(cell, field)) {
                sym.raw.push((cell, field, made));
                continue;
            }
            let name = self.field_name(field);
            self.leaves(sym, made, format!("field `{name}` of a new cell is never set"));
        }
    }

    /// The field of the cell is written.
    pub(super) fn fill_in(&mut self, sym: &mut Sym, cell: Const, link: Field) {
        sym.raw.retain(|raw| (raw.0, raw.1) != (cell, link));
        for raw in sym.raw.iter_mut().filter(|raw| raw.1 == link) {
            let same = self.ctx.atom_literal(Atom::Equal(raw.0, cell), true);
            raw.2 = self.ctx.and(raw.2, !same);
        }
        sym.raw.retain(|raw| raw.2 != constant(false));
    }

    /// The field of the cell is read.
    pub(super) fn read_unset(&mut self, sym: &mut Sym, cell: Const, link: Field) {
        for (new, field, unset) in sym.raw.clone() {
            if field == link {
                let same = self.ctx.atom_literal(Atom::Equal(cell, new), true);
                let when = self.ctx.and(same, unset);
                let name = self.field_name(link);
                self.leaves(sym, when, format!("field `{name}` of a new cell is read before it is set"));
            }
        }
    }

    /// `to = malloc()`, or `calloc()`.
    pub(super) fn alloc(&mut self, sym: &mut Sym, to: VarId, zeroed: bool) {
        let Some(x) = self.layout.slot(to, At::Now) else { return };
        self.ctx.malloc(&mut sym.heap, x);
        for &(_, colour) in &self.layout.allocated {
            let was = self.ctx.literal(&sym.heap, Pred::Colour(colour, x), true);
            self.ctx.restrict(&mut sym.heap, !was);
        }
        let Some(kind) = self.program.vars[to.index()].ty.pointee() else { return };
        for &field in &self.program.structs[kind.index()].fields {
            match self.layout.role(field) {
                Role::Link(link) if zeroed => {
                    self.ctx.store(&mut sym.heap, x, link, Slot::NULL);
                }
                Role::Link(link) => {
                    // Nobody reads the field before it is set, so that any value will do: null closes no cycle
                    // if the cell is linked to first. At a loop head the value would be looked at.
                    if !self.carried.contains(&(to, field)) {
                        self.ctx.store(&mut sym.heap, x, link, Slot::NULL);
                    }
                    sym.raw.push((sym.heap.constant(x), link, sym.heap.guard));
                }
                Role::Datum if zeroed => {
                    let zero = self.number(0);
                    self.ctx.store_datum(&mut sym.heap, x, zero);
                }
                Role::Colour(colour) if zeroed => {
                    self.ctx.paint(&mut sym.heap, x, colour, constant(false));
                }
                _ => {}
            }
        }
    }

    /// Whether nothing ever uses the cell of a variable.
    pub(super) fn is_idle(&self, x: VarId) -> bool {
        let own = |command: &Command| match command {
            Command::Alloc { to, .. } => *to == x,
            Command::Release(of) => *of == x,
            _ => false,
        };
        let mut commands = self.program.edges.iter().map(|edge| &edge.command);
        let mut named = commands.any(|c| !own(c) && reads(c).contains(&x));
        for clause in self.program.loops.iter().flat_map(|l| &l.invariants) {
            walk::formula(&clause.formula, &mut |part| {
                named |= matches!(part, Part::Term(Term::Var(v, _)) if *v == x);
            });
        }
        !named
    }

    /// Whether cells of this kind are freed anywhere: that of a variable must not be.
    pub(super) fn frees(&self, of: StructId) -> bool {
        let kind = |x: &VarId| self.program.vars[x.index()].ty.pointee();
        let mut commands = self.program.edges.iter().map(|edge| &edge.command);
        commands.any(|command| match command {
            Command::Free(x) => kind(x) == Some(of),
            Command::Scramble { .. } => true,
            _ => false,
        })
    }
}
