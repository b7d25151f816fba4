//! Which fields of a state's cells evaluations and runs have looked at.
//!
//! What a formula or a run comes to depends on the variables and on these fields only, so a search over entry
//! states need not vary any other (as in Boyapati, Khurshid, Marinov: Korat). Reads of fields that a run has written
//! in the meantime count too: more is noted than matters, never less.

use crate::program::decl::FieldId;
use crate::program::state::CellId;
use std::cell::{Cell, RefCell};

/// Notes reads of the fields of the first cells of a state.
#[derive(Debug, Default)]
pub struct Reads {
    n_cells: Cell<usize>,
    /// By cell, the fields noted; a cell has few.
    seen: RefCell<Vec<Vec<FieldId>>>,
    order: RefCell<Vec<(CellId, FieldId)>>,
    /// All reads since the watch began, if one did.
    watched: RefCell<Option<Vec<(CellId, FieldId)>>>,
    work: Cell<u64>,
}

impl Reads {
    /// Forgets all reads. From now on those of the first `n_cells` cells are noted.
    pub fn restart(&self, n_cells: usize) {
        self.n_cells.set(n_cells);
        self.order.borrow_mut().clear();
        let mut seen = self.seen.borrow_mut();
        seen.iter_mut().for_each(Vec::clear);
        if seen.len() < n_cells {
            seen.resize(n_cells, Vec::new());
        }
    }

    /// A field of a cell is looked at.
    pub fn note(&self, cell: CellId, field: FieldId) {
        if let Some(watched) = &mut *self.watched.borrow_mut() {
            watched.push((cell, field));
        }
        if cell.index() >= self.n_cells.get() {
            return;
        }
        let fields = &mut self.seen.borrow_mut()[cell.index()];
        if !fields.contains(&field) {
            fields.push(field);
            self.order.borrow_mut().push((cell, field));
        }
    }

    /// The reads, in the order in which they came first.
    pub fn each(&self, mut visit: impl FnMut(CellId, FieldId)) {
        self.order.borrow().iter().for_each(|&(cell, field)| visit(cell, field));
    }

    /// From now on all reads are kept, those of cells added later too.
    pub fn watch(&self) {
        *self.watched.borrow_mut() = Some(Vec::new());
    }

    /// The reads since [`Reads::watch`], some of them several times; the watch ends.
    pub fn watched(&self) -> Vec<(CellId, FieldId)> {
        self.watched.borrow_mut().take().unwrap_or_default()
    }

    /// A node of a formula was evaluated.
    pub(super) fn count(&self) {
        self.work.set(self.work.get() + 1);
    }

    /// Nodes of formulas evaluated since this was last asked.
    pub fn take_work(&self) -> u64 {
        self.work.take()
    }
}
