//! Steps of symbolic execution that refinement asks for: fields of what names hold as names of their own, new
//! cells that are carried through loop heads, two stores in the other order.

use super::signature::{Name, Role};
use super::symbolic::{Exec, Sym};
use crate::engine::heap::{Pred, Slot, constant};
use crate::program::{At, Command, EdgeId, FieldId, VarId};

impl Exec<'_> {
    /// Gives the wanted fields of what names hold their values, as names of their own.
    pub(super) fn follow(&mut self, sym: &mut Sym, wanted: impl Fn(Name) -> bool) {
        for (at, name) in self.layout.names.iter().enumerate() {
            if let (Name::Next(base, field), true) = (*name, wanted(*name))
                && let (Some(cell), Some(link)) =
                    (sym.heap.slots[base.0 as usize], self.layout.link(field, At::Now))
            {
                sym.heap.slots[at + 1] = Some(self.ctx.successor_of(&sym.heap, link, cell));
            }
        }
    }

    /// Says that the field of the variable's cell is not set yet.
    pub(super) fn carry(&mut self, sym: &mut Sym, var: VarId, field: FieldId) {
        if let (Some(slot), Some(link)) = (self.layout.slot(var, At::Now), self.layout.link(field, At::Now))
            && let Some(cell) = sym.heap.slots[slot.0 as usize]
        {
            sym.raw.push((cell, link, constant(true)));
        }
    }

    /// Takes two stores to one field that follow each other. If the first one closes a cycle, the second is
    /// taken before it: it reads nothing that the first one writes, and what it writes wins if both write
    /// the same cell.
    pub(super) fn step_both(&mut self, sym: &mut Sym, first: EdgeId, second: EdgeId) {
        let edges = &self.program.edges;
        let (Command::Store { to: x, field, value }, Command::Store { to: y, .. }) =
            (&edges[first.index()].command, &edges[second.index()].command)
        else {
            return;
        };
        let Role::Link(link) = self.layout.role(*field) else {
            self.step(sym, first);
            self.step(sym, second);
            return;
        };
        self.span = edges[first.index()].span;
        let (Some(slot), Some(end), Some(other)) =
            (self.pointer(sym, *x), self.source(sym, value), self.pointer(sym, *y))
        else {
            return;
        };
        let closes = self.ctx.literal(&sym.heap, Pred::Reach(link, end, slot), true);
        let null = self.ctx.literal(&sym.heap, Pred::Equal(end, Slot::NULL), true);
        let closes = self.ctx.and(closes, !null);
        let side = |exec: &mut Self, sym: &Sym, test| {
            let mut side = sym.clone();
            exec.ctx.restrict(&mut side.heap, test);
            side.path.push(test);
            side
        };
        let (mut direct, mut turned) = (side(self, sym, !closes), side(self, sym, closes));
        self.step(&mut direct, first);
        self.step(&mut direct, second);
        self.step(&mut turned, second);
        let same = self.ctx.literal(&turned.heap, Pred::Equal(slot, other), true);
        let (once, mut twice) = (side(self, &turned, same), side(self, &turned, !same));
        self.step(&mut twice, first);
        let turned = self.join(&once, &twice);
        *sym = self.join(&direct, &turned);
    }
}
