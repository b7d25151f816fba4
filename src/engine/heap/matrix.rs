//! Relations on the universe, literal by literal: reachability, equality, successors, data order, sets.
//!
//! A literal is made when somebody asks for it, so the search sees only the part of each relation that
//! matters; in models a literal that was never made counts as false (`refine` completes the rest). Equality
//! is mutual reachability in field 0. R(a,a) and R(a,null) are the constant true, R(null,b) is one literal
//! "b is null" for all matrices. Derived matrices get no axioms: theirs follow, and an axiom on the matrix
//! of a store that is not executed would be wrong (pitfall 1).

use super::HeapCtx;
use super::gates::constant;
use super::pred::{Atom, Const, Matrix, Order, Unary};
use super::quantified::Quantified;
use crate::sat::Lit;

/// Constants that are made of others are named after them as long as that is shorter.
const LONGEST_NAME: usize = 80;

/// Where a matrix comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A field at the beginning.
    Base,
    /// After `x->f = y`.
    Store(Matrix, Const, Const),
    /// One of two.
    Choice(Lit, Matrix, Matrix),
}

/// Where a set comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SetOrigin {
    /// A colour, or what is allocated at the beginning.
    Base,
    /// With one more cell.
    With(Unary, Const),
    /// Without that cell.
    Without(Unary, Const),
    /// One of two.
    Choice(Lit, Unary, Unary),
}

/// Where data come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OrderOrigin {
    /// The data at the beginning.
    Base,
    /// The first constant's cell has the datum that the second has at the beginning.
    Store(Order, Const, Const),
    /// One of two.
    Choice(Lit, Order, Order),
}

/// Literals for pairs of constants, some of them made.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    stride: usize,
    lits: Vec<Option<Lit>>,
    /// The pairs that have a literal of their own, in the order of making.
    pub(super) made: Vec<(Const, Const, Lit)>,
}

impl Table {
    fn get(&self, a: Const, b: Const) -> Option<Lit> {
        let (a, b) = (a.index(), b.index());
        if a < self.stride && b < self.stride { self.lits[a * self.stride + b] } else { None }
    }

    fn set(&mut self, a: Const, b: Const, lit: Lit) {
        let need = a.index().max(b.index()) + 1;
        if need > self.stride {
            let stride = (2 * self.stride).max(need).max(16);
            let mut lits = vec![None; stride * stride];
            for (row, old) in self.lits.chunks(self.stride.max(1)).enumerate() {
                lits[row * stride..][..old.len()].copy_from_slice(old);
            }
            (self.stride, self.lits) = (stride, lits);
        }
        self.lits[a.index() * self.stride + b.index()] = Some(lit);
    }

    #[cfg(feature = "testing")]
    pub(super) fn memory_bytes(&self) -> u64 {
        8 * self.lits.capacity() as u64 + 12 * self.made.capacity() as u64
    }
}

/// Literals for single constants, some of them made.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    lits: Vec<Option<Lit>>,
    /// The constants that have a literal of their own, in the order of making.
    pub(super) made: Vec<(Const, Lit)>,
}

impl Line {
    fn get(&self, a: Const) -> Option<Lit> {
        self.lits.get(a.index()).copied().flatten()
    }

    fn set(&mut self, a: Const, lit: Lit) {
        if self.lits.len() <= a.index() {
            self.lits.resize(a.index() + 1, None);
        }
        self.lits[a.index()] = Some(lit);
    }

    #[cfg(feature = "testing")]
    pub(super) fn memory_bytes(&self) -> u64 {
        8 * (self.lits.capacity() + self.made.capacity()) as u64
    }
}

impl HeapCtx {
    /// A new constant.
    pub(super) fn add_constant(&mut self, name: String) -> Const {
        self.names.push(name);
        self.absent.push(None);
        Const(self.names.len() as u32 - 1)
    }

    pub(super) fn add_matrix(&mut self, origin: Origin) -> Matrix {
        if let Some(known) = self.matrices.iter().position(|m| m.0 == origin && origin != Origin::Base) {
            return Matrix(known as u32);
        }
        if let Origin::Choice(test, ..) = origin {
            self.add_inputs(&[test]);
        }
        self.matrices.push((origin, Table::default()));
        Matrix(self.matrices.len() as u32 - 1)
    }

    pub(super) fn add_set(&mut self, origin: SetOrigin) -> Unary {
        if let Some(known) = self.sets.iter().position(|s| s.0 == origin && origin != SetOrigin::Base) {
            return Unary(known as u32);
        }
        if let SetOrigin::Choice(test, ..) = origin {
            self.add_inputs(&[test]);
        }
        self.sets.push((origin, Line::default()));
        Unary(self.sets.len() as u32 - 1)
    }

    pub(super) fn add_order(&mut self, origin: OrderOrigin) -> Order {
        if let Some(known) = self.orders.iter().position(|&o| o == origin && origin != OrderOrigin::Base) {
            return Order(known as u32);
        }
        if let OrderOrigin::Choice(test, ..) = origin {
            self.add_inputs(&[test]);
        }
        self.orders.push(origin);
        Order(self.orders.len() as u32 - 1)
    }

    /// Makes the search decide these literals, unless they are exact and so follow from others.
    pub(super) fn add_inputs(&mut self, lits: &[Lit]) {
        for lit in lits {
            let exact = |lit: Lit| self.meaning.get(&lit).is_some_and(|(atom, _)| atom.is_exact());
            if !exact(*lit) && !exact(!*lit) && !self.inputs.contains(lit) {
                self.inputs.push(*lit);
            }
        }
    }

    /// "a reaches b".
    pub(super) fn reach(&mut self, m: Matrix, a: Const, b: Const) -> Lit {
        if a == b || b == Const::NULL {
            return constant(true);
        }
        let m = if a == Const::NULL { Matrix(0) } else { m };
        if let Some(lit) = self.matrices[m.index()].1.get(a, b) {
            return lit;
        }
        let lit = match self.matrices[m.index()].0 {
            Origin::Base => {
                let lit = self.gates.fresh();
                self.matrices[m.index()].1.made.push((a, b, lit));
                lit
            }
            Origin::Store(before, x, y) => self.reach_after(before, x, y, a, b),
            Origin::Choice(test, yes, no) => {
                let (yes, no) = (self.reach(yes, a, b), self.reach(no, a, b));
                self.gates.choose(test, yes, no)
            }
        };
        self.matrices[m.index()].1.set(a, b, lit);
        lit
    }

    /// "a reaches b after x->f = y": as before if a does not reach x; else b lies between a and x, or y
    /// reaches b.
    fn reach_after(&mut self, before: Matrix, x: Const, y: Const, a: Const, b: Const) -> Lit {
        let through = self.reach(before, a, x);
        let (through, old) = (self.gates.known(through), self.reach(before, a, b));
        if through == constant(false) {
            return old;
        }
        let (to_x, from_y) = (self.reach(before, b, x), self.reach(before, y, b));
        if through == constant(true) {
            let between = self.gates.and(old, to_x);
            return self.gates.or(between, from_y);
        }
        let new = self.gates.fresh();
        self.gates.clause(&[through, !new, old]);
        self.gates.clause(&[through, new, !old]);
        self.gates.clause(&[!through, !from_y, new]);
        self.gates.clause(&[!through, from_y, !new, old]);
        self.gates.clause(&[!through, from_y, !new, to_x]);
        // Both cases in one: between a and x, or untouched.
        self.gates.clause(&[!old, !to_x, new]);
        new
    }

    /// "a is null".
    pub(super) fn is_null(&mut self, a: Const) -> Lit {
        self.reach(Matrix(0), Const::NULL, a)
    }

    /// "a and b are the same".
    pub(super) fn equal(&mut self, a: Const, b: Const) -> Lit {
        match (a, b) {
            _ if a == b => constant(true),
            (Const::NULL, c) | (c, Const::NULL) => self.is_null(c),
            _ => {
                let (there, back) = (self.reach(Matrix(0), a, b), self.reach(Matrix(0), b, a));
                self.gates.and(there, back)
            }
        }
    }

    /// `guard` implies that a and b are the same, in every field.
    fn imply_equal(&mut self, guard: Lit, a: Const, b: Const) {
        for field in 0..self.config.fields {
            for (from, to) in [(a, b), (b, a)] {
                let lit = self.reach(Matrix(field as u32), from, to);
                self.gates.clause(&[!guard, lit]);
            }
        }
    }

    /// A constant that is `yes` if `test` and else `no`.
    pub(super) fn choose_constant(&mut self, test: Lit, yes: Const, no: Const) -> Const {
        let test = self.gates.known(test);
        if yes == no || test == constant(true) {
            return yes;
        }
        if test == constant(false) {
            return no;
        }
        if let Some(&known) = self.choices.get(&(test, yes, no)) {
            return known;
        }
        let (yes_name, no_name) = (&self.names[yes.index()], &self.names[no.index()]);
        // Choices are nested without end, and each may name another one twice.
        let name = if yes_name.len() + no_name.len() < LONGEST_NAME {
            format!("({yes_name}|{no_name})")
        } else {
            format!("choice{}", self.names.len())
        };
        let choice = self.add_constant(name);
        self.add_inputs(&[test]);
        self.imply_equal(test, choice, yes);
        self.imply_equal(!test, choice, no);
        self.choices.insert((test, yes, no), choice);
        choice
    }

    /// The constant that a's field points to; null for null.
    pub(super) fn successor(&mut self, m: Matrix, a: Const) -> Const {
        if a == Const::NULL {
            return Const::NULL;
        }
        if let Some(&known) = self.successors.get(&(m, a)) {
            return known;
        }
        let next = match self.matrices[m.index()].0 {
            Origin::Base => {
                let of = &self.names[a.index()];
                let name = if of.len() < LONGEST_NAME {
                    format!("s{}({of})", m.0)
                } else {
                    format!("s{}#{}", m.0, self.names.len())
                };
                let next = self.add_constant(name);
                let (a_null, next_null) = (self.is_null(a), self.is_null(next));
                let (there, back) = (self.reach(m, a, next), self.reach(m, next, a));
                self.gates.clause(&[there]);
                self.gates.clause(&[a_null, !back]);
                self.gates.clause(&[!a_null, next_null]);
                self.quantified.push(Quantified::Successor { m, a, next });
                next
            }
            Origin::Store(before, x, y) => {
                let same = self.equal(a, x);
                let same = self.gates.known(same);
                if same == constant(true) {
                    y
                } else {
                    let old = self.successor(before, a);
                    self.choose_constant(same, y, old)
                }
            }
            Origin::Choice(test, yes, no) => {
                let (yes, no) = (self.successor(yes, a), self.successor(no, a));
                self.choose_constant(test, yes, no)
            }
        };
        self.successors.insert((m, a), next);
        next
    }

    /// "a is a cell and its field is b". After stores this needs no successor but those at the beginning.
    pub(super) fn edge(&mut self, m: Matrix, a: Const, b: Const) -> Lit {
        if a == Const::NULL || a == b {
            return constant(false);
        }
        let a_null = self.is_null(a);
        match self.matrices[m.index()].0 {
            Origin::Base => {
                let next = self.successor(m, a);
                let same = self.equal(next, b);
                self.gates.and(!a_null, same)
            }
            Origin::Store(before, x, y) => {
                let written = self.equal(a, x);
                let new = self.equal(b, y);
                let new = self.gates.and(!a_null, new);
                if self.gates.known(written) == constant(true) {
                    return new;
                }
                let old = self.edge(before, a, b);
                self.gates.choose(written, new, old)
            }
            Origin::Choice(test, yes, no) => {
                let (yes, no) = (self.edge(yes, a, b), self.edge(no, a, b));
                self.gates.choose(test, yes, no)
            }
        }
    }

    /// "a's datum is at most b's"; null is above everything.
    pub(super) fn at_most(&mut self, a: Const, b: Const) -> Lit {
        if a == b || b == Const::NULL {
            return constant(true);
        }
        if a == Const::NULL {
            return self.is_null(b);
        }
        if let Some(lit) = self.order.get(a, b) {
            return lit;
        }
        let (there, back) = (self.gates.fresh(), self.gates.fresh());
        self.gates.clause(&[there, back]);
        for (from, to, lit) in [(a, b, there), (b, a, back)] {
            self.order.set(from, to, lit);
            self.order.made.push((from, to, lit));
        }
        for c in [a, b] {
            if !self.with_data.contains(&c) {
                self.with_data.push(c);
            }
        }
        there
    }

    /// "The datum of a, at its moment, is at most that of b at its own".
    pub(super) fn datum_at_most(&mut self, a: (Order, Const), b: (Order, Const)) -> Lit {
        if a.0 == Order::BASE && b.0 == Order::BASE {
            return self.at_most(a.1, b.1);
        }
        let atom = Atom::AtMost(a.0, a.1, b.0, b.1);
        if let Some(&lit) = self.literals.get(&(atom, true)) {
            return lit;
        }
        let lit = match self.earlier_datum(a) {
            Some((test, yes, no)) => {
                let (yes, no) = (self.datum_at_most(yes, b), self.datum_at_most(no, b));
                self.gates.choose(test, yes, no)
            }
            None => {
                let (test, yes, no) = self.earlier_datum(b).expect("one of the moments is not the first");
                let (yes, no) = (self.datum_at_most(a, yes), self.datum_at_most(a, no));
                self.gates.choose(test, yes, no)
            }
        };
        self.literals.insert((atom, true), lit);
        self.literals.insert((atom, false), !lit);
        lit
    }

    /// Which of two data of earlier moments this one is; none if it is one of the beginning.
    #[allow(clippy::type_complexity)]
    fn earlier_datum(&mut self, (order, a): (Order, Const)) -> Option<(Lit, (Order, Const), (Order, Const))> {
        match self.orders[order.index()] {
            OrderOrigin::Base => None,
            OrderOrigin::Store(before, x, value) => {
                Some((self.equal(a, x), (Order::BASE, value), (before, a)))
            }
            OrderOrigin::Choice(test, yes, no) => Some((test, (yes, a), (no, a))),
        }
    }

    /// A constant whose datum at the beginning is the datum of `a` at this moment.
    pub(super) fn datum(&mut self, order: Order, a: Const) -> Const {
        match self.earlier_datum((order, a)) {
            None => a,
            Some((test, yes, no)) => {
                let test = self.gates.known(test);
                if test == constant(true) {
                    return self.datum(yes.0, yes.1);
                }
                let (yes, no) = (self.datum(yes.0, yes.1), self.datum(no.0, no.1));
                self.choose_constant(test, yes, no)
            }
        }
    }

    /// "a is in the set"; null is in none.
    pub(super) fn holds(&mut self, set: Unary, a: Const) -> Lit {
        if a == Const::NULL {
            return constant(false);
        }
        if let Some(lit) = self.sets[set.index()].1.get(a) {
            return lit;
        }
        let lit = match self.sets[set.index()].0 {
            SetOrigin::Base => {
                let lit = self.gates.fresh();
                self.sets[set.index()].1.made.push((a, lit));
                lit
            }
            SetOrigin::With(before, c) => {
                // The cell is new and so not null; no need to say that null stays outside.
                let (old, same) = (self.holds(before, a), self.equal(a, c));
                self.gates.or(old, same)
            }
            SetOrigin::Without(before, c) => {
                let (old, same) = (self.holds(before, a), self.equal(a, c));
                self.gates.and(old, !same)
            }
            SetOrigin::Choice(test, yes, no) => {
                let (yes, no) = (self.holds(yes, a), self.holds(no, a));
                self.gates.choose(test, yes, no)
            }
        };
        self.sets[set.index()].1.set(a, lit);
        lit
    }
}
