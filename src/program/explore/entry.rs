//! Small entry states, each once up to the names of cells and to fields that nobody looks at.
//!
//! A candidate is a complete state. Evaluating `requires` and running the program note which fields they look
//! at ([`Reads`](crate::program::eval::Reads)), and only those are varied, the one looked at last first: as long
//! as none of them changes, the same would happen again. So a conjunct that is false after a look at two fields
//! costs as many candidates as these two have values, whatever the size of the heap.
//!
//! Cells are discovered: each pointer, first of the variables, then of the fields in the order of the looks, is
//! null, a cell met before, or the next new one. Everything that was not looked at is null or the first integer.
//! Integers among the variables are decided after the conjuncts that do not mention any.

use super::vocabulary::Vocabulary;
use crate::program::cfg::{Program, Question};
use crate::program::decl::{FieldId, StructId, Type, VarId, VarKind};
use crate::program::eval::{EvalError, States};
use crate::program::formula::{Formula, Term};
use crate::program::interp::Machine;
use crate::program::state::{CellId, State, Status, Value};
use crate::program::walk::{self, Part};

/// Which entry states are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    /// Most cells that variables reach.
    pub cells: usize,
    /// Whether there is one more cell per struct, which no variable reaches.
    pub extra: bool,
    /// Length of array parameters.
    pub length: usize,
}

/// What is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    Var(VarId),
    Element(VarId, usize),
    Field(CellId, FieldId),
}

#[derive(Clone, Copy, Debug)]
struct Decision {
    slot: Slot,
    /// Which of the values that were possible, in order.
    choice: usize,
    /// The value is a cell that this decision brought in.
    new_cell: bool,
}

/// A conjunct that held after so many decisions, with so many cells. It still does as long as none of these changes:
/// it has looked at nothing that was decided later, and quantifiers range over the same cells.
#[derive(Clone, Copy, Debug)]
struct Held {
    decisions: usize,
    cells: usize,
}

/// The enumeration: a candidate, and the decisions that led to it.
pub(super) struct Entries<'p> {
    program: &'p Program,
    /// Conjuncts of `requires`: those without integer variables, then the others.
    conjuncts: Vec<&'p Formula>,
    n_shape: usize,
    /// By conjunct: what it depended on when it was last found to hold.
    held: Vec<Option<Held>>,
    ints: &'p [i128],
    size: Size,
    state: State,
    /// Cells before the first one that a variable reaches.
    n_extra: usize,
    /// Cells before the strangers.
    n_cells: usize,
    decisions: Vec<Decision>,
    /// A pointer of an extra cell was decided, perhaps before all cells were there.
    pub(super) narrowed: bool,
}

impl<'p> Entries<'p> {
    pub(super) fn new(
        program: &'p Program,
        question: &Question,
        vocabulary: &'p Vocabulary,
        size: Size,
    ) -> Entries<'p> {
        let (mut shape, mut rest) = (Vec::new(), Vec::new());
        for clause in program.contracts.get(question.contract).iter().flat_map(|c| &c.requires) {
            split(program, &clause.formula, &mut shape, &mut rest);
        }
        let mut state = State::new(program);
        if size.extra {
            for i in 0..program.structs.len() {
                state.add_cell(program, StructId(i as u32), Status::Heap);
            }
        }
        let n_extra = state.cells.len();
        add_strangers(program, &mut state);
        for (i, var) in visible(program) {
            if let (Some(element), None) = (var.ty.element(), var.len) {
                state.arrays[i] = vec![crate::program::state::zero(element); size.length];
            }
        }
        Entries {
            program,
            held: vec![None; shape.len() + rest.len()],
            n_shape: shape.len(),
            conjuncts: shape.into_iter().chain(rest).collect(),
            ints: &vocabulary.ints,
            size,
            state,
            n_extra,
            n_cells: n_extra,
            decisions: Vec::new(),
            narrowed: false,
        }
    }

    /// Whether array parameters exist, so that their length matters.
    pub(super) fn has_arrays(program: &Program) -> bool {
        program.vars.iter().any(|v| v.kind == VarKind::Param && v.ty.element().is_some() && v.len.is_none())
    }

    /// The candidate.
    pub(super) fn state(&self) -> &State {
        &self.state
    }

    /// Judges the candidate: whether it satisfies `requires`. The machine must be one that notes reads.
    pub(super) fn admitted(&mut self, machine: &Machine<'_>) -> Result<bool, EvalError> {
        if let Some(reads) = machine.reads() {
            reads.restart(self.n_cells);
        }
        self.decide_variables(|ty| ty.pointee().is_some());
        for i in 0..self.conjuncts.len() {
            if i == self.n_shape {
                self.decide_variables(|ty| ty.pointee().is_none());
            }
            if self.held[i].is_some_and(|held| held.cells == self.n_cells) {
                continue;
            }
            let holds = machine.evaluator(States::at_entry(&self.state)).formula(self.conjuncts[i]);
            self.note_reads(machine);
            self.held[i] =
                (holds == Ok(true)).then_some(Held { decisions: self.decisions.len(), cells: self.n_cells });
            if holds != Ok(true) {
                return holds;
            }
        }
        if self.n_shape == self.conjuncts.len() {
            self.decide_variables(|ty| ty.pointee().is_none());
        }
        Ok(true)
    }

    /// Goes on to the next candidate after everything was done with this one; false if it was the last.
    pub(super) fn advance(&mut self, machine: &Machine<'_>) -> bool {
        self.note_reads(machine);
        while let Some(mut decision) = self.decisions.pop() {
            if self.next_value(&mut decision) {
                let unchanged = self.decisions.len();
                self.decisions.push(decision);
                for held in &mut self.held {
                    *held = held.filter(|h| h.decisions <= unchanged);
                }
                return true;
            }
        }
        false
    }

    fn note_reads(&mut self, machine: &Machine<'_>) {
        let Some(reads) = machine.reads() else { return };
        reads.each(|cell, field| {
            let slot = Slot::Field(cell, field);
            self.narrowed |= cell.index() < self.n_extra && self.kind(slot).pointee().is_some();
            self.decide(slot);
        });
    }

    /// Gives a slot its first value, unless it has one.
    fn decide(&mut self, slot: Slot) {
        if self.decisions.iter().any(|d| d.slot == slot) {
            return;
        }
        let first = match self.kind(slot) {
            ty @ Type::Int(_) => self.int(ty, 0).map(Value::Int),
            _ => Some(Value::Null),
        };
        if let Some(first) = first {
            put(&mut self.state, slot, first);
            self.decisions.push(Decision { slot, choice: 0, new_cell: false });
        }
    }

    fn kind(&self, slot: Slot) -> Type {
        match slot {
            Slot::Var(v) => self.program.vars[v.index()].ty,
            Slot::Element(v, _) => {
                let ty = self.program.vars[v.index()].ty;
                ty.element().unwrap_or(ty)
            }
            Slot::Field(_, f) => self.program.fields[f.index()].ty,
        }
    }

    /// The integer of that number among those the type has.
    fn int(&self, ty: Type, number: usize) -> Option<i128> {
        let Type::Int(kind) = ty else { return None };
        self.ints.iter().copied().filter(|n| (kind.min()..=kind.max()).contains(n)).nth(number)
    }

    /// Moves a decision, the last one, to its next value; if there is none, what it did is undone.
    fn next_value(&mut self, decision: &mut Decision) -> bool {
        if std::mem::take(&mut decision.new_cell) {
            put(&mut self.state, decision.slot, Value::Null);
            self.n_cells -= 1;
            self.state.cells.remove(self.n_cells);
            return false;
        }
        decision.choice += 1;
        let ty = self.kind(decision.slot);
        let Some(of) = ty.pointee() else {
            let next = self.int(ty, decision.choice);
            let value = next.or_else(|| self.int(ty, 0)).unwrap_or(0);
            put(&mut self.state, decision.slot, Value::Int(value));
            return next.is_some();
        };
        // Nothing that a variable reaches leads to an extra cell, and those lead to no new one.
        let of_extra = matches!(decision.slot, Slot::Field(c, _) if c.index() < self.n_extra);
        let from = if of_extra { 0 } else { self.n_extra };
        let known = (from..self.n_cells).filter(|i| self.state.cells[*i].of == of).nth(decision.choice - 1);
        if let Some(known) = known {
            put(&mut self.state, decision.slot, Value::Cell(CellId(known as u32)));
            return true;
        }
        if !of_extra && self.n_cells - self.n_extra < self.size.cells {
            // The new cell comes before the strangers, to which nothing leads.
            self.state.add_cell(self.program, of, Status::Heap);
            let new = self.state.cells.pop().expect("just added");
            self.state.cells.insert(self.n_cells, new);
            put(&mut self.state, decision.slot, Value::Cell(CellId(self.n_cells as u32)));
            self.n_cells += 1;
            decision.new_cell = true;
            return true;
        }
        put(&mut self.state, decision.slot, Value::Null);
        false
    }

    /// Variables and array elements of the types wanted.
    fn decide_variables(&mut self, wanted: fn(Type) -> bool) {
        for (i, var) in visible(self.program) {
            let id = VarId(i as u32);
            match var.ty.element() {
                Some(element) if wanted(element) => {
                    let n = self.state.arrays[i].len().min(MOST_ELEMENTS);
                    (0..n).for_each(|k| self.decide(Slot::Element(id, k)));
                }
                None if wanted(var.ty) => self.decide(Slot::Var(id)),
                _ => {}
            }
        }
    }
}

fn visible(program: &Program) -> impl Iterator<Item = (usize, &crate::program::Var)> {
    let given = |kind: VarKind| matches!(kind, VarKind::Param | VarKind::Global | VarKind::Logic);
    program.vars.iter().enumerate().filter(move |(_, v)| given(v.kind))
}

/// Longer arrays keep zeros behind this many elements.
const MOST_ELEMENTS: usize = 4;

/// One cell per struct that was never allocated, for formulas that quantify and for pointers that must not be used.
pub fn add_strangers(program: &Program, state: &mut State) {
    for i in 0..program.structs.len() {
        state.add_cell(program, StructId(i as u32), Status::Never);
    }
}

fn put(state: &mut State, slot: Slot, value: Value) {
    match slot {
        Slot::Var(v) => state.vars[v.index()] = value,
        Slot::Element(v, k) => state.arrays[v.index()][k] = value,
        Slot::Field(cell, field) => state.set_field(cell, field, value),
    }
}

/// Sorts conjuncts by whether they mention integer variables or arrays.
fn split<'p>(
    program: &Program,
    formula: &'p Formula,
    shape: &mut Vec<&'p Formula>,
    rest: &mut Vec<&'p Formula>,
) {
    if let Formula::And(parts) = formula {
        return parts.iter().for_each(|p| split(program, p, shape, rest));
    }
    let mut ints = false;
    walk::formula(formula, &mut |part| {
        ints |= match part {
            Part::Term(Term::Var(v, _)) => matches!(program.vars[v.index()].ty, Type::Int(_)),
            Part::Term(Term::Index(..)) | Part::Formula(Formula::ValidRange(..)) => true,
            _ => false,
        };
    });
    if ints { rest.push(formula) } else { shape.push(formula) }
}
