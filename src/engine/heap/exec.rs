//! Straight-line code as symbolic execution: statements move a [`State`], errors come out as literals.
//!
//! Every statement that can fail returns literals that are true exactly if the state is reached and the
//! statement fails there; afterwards the guard excludes the failure. Nothing is asserted except the meaning
//! of new constants, so one context can hold many executions, complete paths or branches that are merged.

use super::HeapCtx;
use super::gates::constant;
use super::matrix::{OrderOrigin, Origin, SetOrigin};
use super::pred::{Colour, Const, Field, Slot, State};
use super::quantified::Quantified;
use crate::sat::Lit;

/// How a store can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreErrors {
    /// The address is null or not allocated.
    pub access: Lit,
    /// The field of a cell would lead back to the cell.
    pub cycle: Lit,
}

impl HeapCtx {
    /// "x cannot be accessed at this moment": null, or not allocated where allocation is tracked.
    pub fn inaccessible(&mut self, state: &State, x: Slot) -> Lit {
        let a = state.constant(x);
        let null = self.is_null(a);
        if !self.config.alloc {
            return null;
        }
        let held = self.holds(state.alloc, a);
        self.gates.or(null, !held)
    }

    /// Splits the guard: the literal of the failure, which must be exact, comes back, and the state goes on
    /// without it.
    pub fn fail_if(&mut self, state: &mut State, failure: Lit) -> Lit {
        self.add_inputs(&[failure]);
        let error = self.gates.and(state.guard, failure);
        state.guard = self.gates.and(state.guard, !failure);
        error
    }

    /// `assume`: the state goes on only if the literal is true.
    pub fn restrict(&mut self, state: &mut State, condition: Lit) {
        self.add_inputs(&[condition]);
        state.guard = self.gates.and(state.guard, condition);
    }

    /// `x = y`.
    pub fn assign(&mut self, state: &mut State, x: Slot, y: Slot) {
        state.slots[x.0 as usize] = state.slots[y.0 as usize];
    }

    /// `x = y->f`. Returns the access error.
    #[cfg(feature = "testing")]
    pub fn load(&mut self, state: &mut State, x: Slot, y: Slot, f: Field) -> Lit {
        let failure = self.inaccessible(state, y);
        let error = self.fail_if(state, failure);
        let next = self.successor(state.fields[f.0 as usize], state.constant(y));
        state.slots[x.0 as usize] = Some(next);
        error
    }

    /// `x->f = y`.
    pub fn store(&mut self, state: &mut State, x: Slot, f: Field, y: Slot) -> StoreErrors {
        let failure = self.inaccessible(state, x);
        let access = self.fail_if(state, failure);
        let (a, b, m) = (state.constant(x), state.constant(y), state.fields[f.0 as usize]);
        // A null address has just been excluded, so null does not close a cycle.
        let closes = if b == Const::NULL { constant(false) } else { self.reach(m, b, a) };
        let cycle = self.fail_if(state, closes);
        state.fields[f.0 as usize] = self.add_matrix(Origin::Store(m, a, b));
        StoreErrors { access, cycle }
    }

    /// `x = malloc()`: some cell that is not allocated or, where allocation is not tracked, some cell that no
    /// variable and no field points to. Its fields are arbitrary.
    pub fn malloc(&mut self, state: &mut State, x: Slot) {
        let cell = self.add_constant(format!("new{}", self.names.len()));
        let null = self.is_null(cell);
        self.gates.clause(&[!null]);
        if self.config.alloc {
            let held = self.holds(state.alloc, cell);
            self.gates.clause(&[!state.guard, !held]);
            state.alloc = self.add_set(SetOrigin::With(state.alloc, cell));
        } else {
            let pointers = &state.slots[1..state.slots.len().min(state.integers as usize)];
            for other in pointers.iter().flatten() {
                let same = self.equal(cell, *other);
                self.gates.clause(&[!state.guard, !same]);
            }
            for &m in &state.fields {
                self.quantified.push(Quantified::Fresh { m, cell, guard: state.guard });
            }
        }
        state.slots[x.0 as usize] = Some(cell);
    }

    /// `free(x)`. Returns the access error.
    #[cfg(feature = "testing")]
    pub fn free(&mut self, state: &mut State, x: Slot) -> Lit {
        let failure = self.inaccessible(state, x);
        let error = self.fail_if(state, failure);
        if self.config.alloc {
            state.alloc = self.add_set(SetOrigin::Without(state.alloc, state.constant(x)));
        }
        error
    }

    /// An integer about which nothing is known: a constant apart from the heap.
    pub fn integer(&mut self, name: &str) -> Const {
        let value = self.add_constant(name.to_string());
        self.apart.insert(value);
        let null = self.is_null(value);
        self.gates.clause(&[!null]);
        value
    }

    /// A pointer about which nothing is known.
    pub fn pointer(&mut self, name: &str) -> Const {
        self.add_constant(name.to_string())
    }

    /// What the field of a constant's cell points to at this moment; null for null.
    pub fn successor_of(&mut self, state: &State, f: Field, a: Const) -> Const {
        self.successor(state.fields[f.0 as usize], a)
    }

    /// A constant that is `yes` if the test, which must be exact, is true, and else `no`.
    pub fn choose_pointer(&mut self, test: Lit, yes: Const, no: Const) -> Const {
        self.choose_constant(test, yes, no)
    }

    /// The cell of x, if it is one, is not allocated any more.
    pub fn discard(&mut self, state: &mut State, x: Slot) {
        if self.config.alloc {
            state.alloc = self.add_set(SetOrigin::Without(state.alloc, state.constant(x)));
        }
    }

    /// The value of y->d, or of y if it is an integer.
    pub fn datum_of(&mut self, state: &State, y: Slot) -> Const {
        let order = if y.0 >= state.integers { super::Order::BASE } else { state.order };
        self.datum(order, state.constant(y))
    }

    /// The datum of a constant's cell at this moment, as a constant that has it at the beginning.
    pub fn datum_at(&mut self, state: &State, a: Const) -> Const {
        self.datum(state.order, a)
    }

    /// `x->d = value`. Returns the access error.
    pub fn store_datum(&mut self, state: &mut State, x: Slot, value: Const) -> Lit {
        let failure = self.inaccessible(state, x);
        let error = self.fail_if(state, failure);
        state.order = self.add_order(OrderOrigin::Store(state.order, state.constant(x), value));
        error
    }

    /// Gives the cell of x the colour if the literal, which must be exact, is true; else takes it away.
    /// Returns the access error.
    pub fn paint(&mut self, state: &mut State, x: Slot, colour: Colour, value: Lit) -> Lit {
        let failure = self.inaccessible(state, x);
        let error = self.fail_if(state, failure);
        let (cell, before) = (state.constant(x), state.colours[colour.0 as usize]);
        let with = self.add_set(SetOrigin::With(before, cell));
        let without = self.add_set(SetOrigin::Without(before, cell));
        state.colours[colour.0 as usize] = match self.gates.known(value) {
            value if value == constant(true) => with,
            value if value == constant(false) => without,
            value => self.add_set(SetOrigin::Choice(value, with, without)),
        };
        error
    }

    /// The states on both sides of a condition. The literal must be exact: of an atom for which
    /// [`super::Atom::is_exact`], of gates over such, or a free choice.
    #[cfg(feature = "testing")]
    pub fn branch(&mut self, state: &State, condition: Lit) -> (State, State) {
        let (mut yes, mut no) = (state.clone(), state.clone());
        self.restrict(&mut yes, condition);
        self.restrict(&mut no, !condition);
        (yes, no)
    }

    /// Joins the two sides of a branch again. A variable without a value on one side has none afterwards.
    pub fn merge(&mut self, condition: Lit, yes: &State, no: &State) -> State {
        let pairs = yes.slots.iter().zip(&no.slots);
        let slots = pairs.map(|(&a, &b)| Some(self.choose_constant(condition, a?, b?))).collect();
        let mut fields = yes.fields.clone();
        for (field, &other) in fields.iter_mut().zip(&no.fields) {
            if *field != other {
                *field = self.add_matrix(Origin::Choice(condition, *field, other));
            }
        }
        let mut choose = |yes, no| match yes == no {
            true => yes,
            false => self.add_set(SetOrigin::Choice(condition, yes, no)),
        };
        let alloc = choose(yes.alloc, no.alloc);
        let pairs = yes.colours.iter().zip(&no.colours);
        let colours = pairs.map(|(&yes, &no)| choose(yes, no)).collect();
        let order = match yes.order == no.order {
            true => yes.order,
            false => self.add_order(OrderOrigin::Choice(condition, yes.order, no.order)),
        };
        let guard = self.gates.or(yes.guard, no.guard);
        State { slots, fields, integers: yes.integers, order, colours, alloc, guard }
    }
}
