//! Symbolic execution of commands in the heap context: one [`Sym`] is the state of a run, its literals say
//! under which conditions; failures come out as [`Site`]s.
//!
//! What has no counterpart in the logic adds behaviours: an unknown value is a new constant, an unknown
//! condition a free literal. Where even that would not be an over-approximation (a cycle is closed, a field
//! of a new cell is read before it is written, an array is accessed), there is a site of its own kind:
//! whoever reaches it has left the logic, and nothing is claimed.

use super::signature::{Name, Role, Signature};
use crate::engine::heap::{Const, Field, HeapCtx, Pred, Slot, State, constant};
use crate::program::{
    At, BoundId, Check, Cmp, Command, EdgeId, Expr, FieldId, Formula, Program, Question, Storage, Type, VarId,
};
use crate::sat::Lit;
use crate::util::hash::{Map, Set};
use crate::util::limits::Budget;
use crate::util::span::Span;
use crate::verdict::Failure;
use std::collections::BTreeMap;

/// An integer value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// The datum that the constant has at the beginning.
    Point(Const),
    /// A number.
    Number(i128),
    /// Not zero exactly if the literal is true.
    Flag(Lit),
}

/// The state of a run.
#[derive(Clone, Debug)]
pub(super) struct Sym {
    pub(super) heap: State,
    /// By integer slot.
    pub(super) ints: Vec<Option<Value>>,
    /// The tests on the way since the beginning that exclude each other where runs part.
    pub(super) path: Vec<Lit>,
    /// Fields of new cells that were not written yet, and when that is so.
    pub(super) raw: Vec<(Const, Field, Lit)>,
}

/// Where a run can fail, or leave the logic.
#[derive(Clone, Debug)]
pub(super) struct Site {
    /// True if it does.
    pub(super) lit: Lit,
    /// What happens.
    pub(super) what: What,
}

/// What happens at a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// The property is broken.
    Fails(Failure),
    /// The logic says nothing about what follows.
    Leaves(String, Span),
}

impl What {
    /// Whether the logic is left by a cycle.
    pub(super) fn is_cycle(&self) -> bool {
        matches!(self, What::Leaves(why, _) if why.starts_with("a cycle"))
    }
}

/// A formula or a command that could not be expressed and was replaced by a free choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    pub(super) what: String,
    pub(super) span: Span,
}

/// Symbolic execution in one context.
pub(super) struct Exec<'a> {
    pub(super) program: &'a Program,
    pub(super) question: &'a Question,
    pub(super) layout: &'a Signature,
    pub(super) ctx: HeapCtx,
    pub(super) sites: Vec<Site>,
    pub(super) gaps: Vec<Gap>,
    /// The source of what is being translated.
    pub(super) span: Span,
    /// Whether universal facts are instantiated for every constant instead of those that variables hold.
    pub(super) everywhere: bool,
    /// Values of bound variables.
    pub(super) bound: Map<BoundId, Const>,
    /// The constants of numbers.
    pub(super) numbers: BTreeMap<i128, Const>,
    /// Literals that say which integers are zero.
    pub(super) zero_tests: Map<Const, Lit>,
    /// Variables whose new cells reach a loop head before these fields of theirs are set.
    pub(super) carried: Set<(VarId, FieldId)>,
    /// When to stop; what is translated afterwards means nothing.
    pub(super) watch: Budget,
}

impl<'a> Exec<'a> {
    pub(super) fn new(program: &'a Program, question: &'a Question, layout: &'a Signature) -> Exec<'a> {
        Exec {
            program,
            question,
            layout,
            ctx: HeapCtx::new(layout.config),
            sites: Vec::new(),
            gaps: Vec::new(),
            span: Span::default(),
            everywhere: false,
            bound: Map::default(),
            numbers: BTreeMap::new(),
            zero_tests: Map::default(),
            carried: Set::default(),
            watch: Budget::unlimited(),
        }
    }

    /// A state in which the named variables have arbitrary values and the others none.
    pub(super) fn begin(&mut self, named: impl Fn(Name) -> bool) -> Sym {
        let program = self.program;
        let text = |name: &Name| match *name {
            Name::Var(v) => program.vars[v.index()].name.clone(),
            Name::Earlier(v, _) => format!("{}@", program.vars[v.index()].name),
            Name::Ghost(i, _) => format!("ghost{i}"),
            Name::Next(base, _) => format!("next{}", base.0),
            Name::Number(n) => n.to_string(),
        };
        let pointers = usize::from(self.layout.integers) - 1;
        let names = &self.layout.names[..pointers];
        let given = |name: &Name| named(*name) && !matches!(name, Name::Next(..));
        let texts: Vec<Option<String>> = names.iter().map(|name| given(name).then(|| text(name))).collect();
        let mut heap = self.ctx.initial(&texts.iter().map(Option::as_deref).collect::<Vec<_>>());
        let integers = &self.layout.names[pointers..];
        self.ctx.add_integers(&mut heap, &vec![None; integers.len()]);
        let mut ints = Vec::with_capacity(integers.len());
        for name in integers {
            ints.push(match name {
                Name::Number(n) => Some(Value::Number(*n)),
                _ if named(*name) => Some(Value::Point(self.ctx.integer(&text(name)))),
                _ => None,
            });
        }
        Sym { heap, ints, path: Vec::new(), raw: Vec::new() }
    }

    /// Puts the values of integers where predicates look for them.
    pub(super) fn materialise(&mut self, sym: &mut Sym, wanted: impl Fn(Slot) -> bool) {
        for at in 0..sym.ints.len() {
            let slot = Slot(self.layout.integers + at as u16);
            if let (Some(value), true) = (sym.ints[at], wanted(slot)) {
                let point = self.point(value);
                sym.heap.slots[slot.0 as usize] = Some(point);
            }
        }
    }

    /// Forgets the values of dead variables, so that joins need no constants for them.
    pub(super) fn forget(&self, sym: &mut Sym, live: impl Fn(Name) -> bool) {
        for (at, name) in self.layout.names.iter().enumerate() {
            if !live(*name) && !matches!(name, Name::Number(_)) {
                sym.heap.slots[at + 1] = None;
                if let Some(at) = (at + 1).checked_sub(usize::from(self.layout.integers)) {
                    sym.ints[at] = None;
                }
            }
        }
    }

    /// Joins two runs that exclude each other.
    pub(super) fn join(&mut self, a: &Sym, b: &Sym) -> Sym {
        let common = a.path.iter().zip(&b.path).take_while(|(x, y)| x == y).count();
        let test = match (a.path.get(common), b.path.get(common)) {
            (Some(&x), Some(&y)) if x == !y => x,
            _ => a.heap.guard,
        };
        let heap = self.ctx.merge(test, &a.heap, &b.heap);
        let mut ints = Vec::with_capacity(a.ints.len());
        for (x, y) in a.ints.iter().zip(&b.ints) {
            ints.push(match (x, y) {
                (Some(x), Some(y)) if x == y => Some(*x),
                (Some(Value::Flag(x)), Some(Value::Flag(y))) => {
                    Some(Value::Flag(self.ctx.choose(test, *x, *y)))
                }
                (Some(x), Some(y)) => {
                    let (x, y) = (self.point(*x), self.point(*y));
                    Some(Value::Point(self.ctx.choose_pointer(test, x, y)))
                }
                _ => None,
            });
        }
        let mut raw = a.raw.clone();
        raw.extend(b.raw.iter().filter(|r| !a.raw.contains(r)));
        Sym { heap, ints, path: a.path[..common].to_vec(), raw }
    }

    pub(super) fn is_pointer(&self, var: VarId) -> bool {
        self.program.vars[var.index()].ty.pointee().is_some()
    }

    pub(super) fn is_integer(&self, var: VarId) -> bool {
        matches!(self.program.vars[var.index()].ty, Type::Int(_))
    }

    pub(super) fn asks(&self, check: Check) -> bool {
        self.question.asks(check)
    }

    /// A site at which the property is broken, if that property is asked about; the literal is not excluded
    /// from the run here.
    pub(super) fn fails(&mut self, lit: Lit, check: Check, message: String) {
        if lit != constant(false) && self.asks(check) {
            let failure = Failure { check, message, span: self.span };
            self.sites.push(Site { lit, what: What::Fails(failure) });
        }
    }

    /// A site at which the run leaves the logic; it does not go on if `when`, which must be exact.
    pub(super) fn leaves(&mut self, sym: &mut Sym, when: Lit, why: String) {
        let lit = self.ctx.fail_if(&mut sym.heap, when);
        if lit != constant(false) {
            self.sites.push(Site { lit, what: What::Leaves(why, self.span) });
        }
    }

    /// The slot of a pointer variable that has a value; otherwise the run leaves the logic.
    pub(super) fn pointer(&mut self, sym: &mut Sym, var: VarId) -> Option<Slot> {
        let slot = self.layout.slot(var, At::Now)?;
        if sym.heap.slots[slot.0 as usize].is_some() {
            return Some(slot);
        }
        let name = &self.program.vars[var.index()].name;
        self.leaves(sym, constant(true), format!("`{name}` may be read before it is set"));
        None
    }

    /// The slot of a pointer expression.
    pub(super) fn source(&mut self, sym: &mut Sym, expr: &Expr) -> Option<Slot> {
        match expr {
            Expr::Var(v) => self.pointer(sym, *v),
            _ => Some(Slot::NULL),
        }
    }

    pub(super) fn field_name(&self, link: Field) -> String {
        let fields = (0..self.program.fields.len() as u32).map(FieldId);
        let found = fields.into_iter().find(|f| self.layout.role(*f) == Role::Link(link));
        found.map_or_else(String::new, |f| self.program.fields[f.index()].name.clone())
    }

    fn load(&mut self, sym: &mut Sym, to: VarId, from: VarId, field: FieldId) {
        let Some(y) = self.pointer(sym, from) else { return };
        self.check_access(sym, from, y);
        match self.layout.role(field) {
            Role::Link(link) => {
                let a = sym.heap.constant(y);
                self.read_unset(sym, a, link);
                if let Some(x) = self.layout.slot(to, At::Now) {
                    let next = self.ctx.successor_of(&sym.heap, link, a);
                    sym.heap.slots[x.0 as usize] = Some(next);
                }
            }
            Role::Datum => {
                let value = self.ctx.datum_of(&sym.heap, y);
                self.set_integer(sym, to, Value::Point(value));
            }
            Role::Colour(colour) => {
                let lit = self.ctx.literal(&sym.heap, Pred::Colour(colour, y), true);
                self.set_integer(sym, to, Value::Flag(lit));
            }
            Role::Opaque => self.havoc(sym, to),
        }
    }

    /// Names of intermediate values are not the user's.
    fn invalid(&self, what: &str, var: VarId) -> String {
        let name = &self.program.vars[var.index()].name;
        if name.contains('#') { format!("invalid {what}") } else { format!("invalid {what} of `{name}`") }
    }

    fn check_access(&mut self, sym: &mut Sym, var: VarId, slot: Slot) {
        let failure = self.ctx.inaccessible(&sym.heap, slot);
        let error = self.ctx.fail_if(&mut sym.heap, failure);
        let message = self.invalid("dereference", var);
        self.fails(error, Check::Memsafety, message);
    }

    fn store(&mut self, sym: &mut Sym, to: VarId, field: FieldId, value: &Expr) {
        let Some(x) = self.pointer(sym, to) else { return };
        if self.program.fields[field.index()].ghost {
            self.leaves(sym, constant(true), "ghost fields are not modelled".to_string());
            return;
        }
        self.check_access(sym, to, x);
        self.check_assigns(sym, to, field);
        match self.layout.role(field) {
            Role::Link(link) => {
                let Some(y) = self.source(sym, value) else { return };
                let errors = self.ctx.store(&mut sym.heap, x, link, y);
                // A field that leads to another kind of cells never leads back: such models are no heaps.
                let closes = self.program.fields[field.index()].is_link();
                let name = self.field_name(link);
                let why = format!("a cycle along `{name}` is created");
                if closes && errors.cycle != constant(false) {
                    self.sites.push(Site { lit: errors.cycle, what: What::Leaves(why, self.span) });
                }
                let cell = sym.heap.constant(x);
                self.fill_in(sym, cell, link);
            }
            Role::Datum => {
                let value = self.value(sym, value);
                let point = self.point(value);
                self.ctx.store_datum(&mut sym.heap, x, point);
            }
            Role::Colour(colour) => {
                let value = self.value(sym, value);
                let lit = self.compare(Cmp::Ne, value, Value::Number(0));
                self.ctx.paint(&mut sym.heap, x, colour, lit);
            }
            Role::Opaque => {}
        }
    }

    /// The variable takes any value. A pointer then has none that could be read.
    fn havoc(&mut self, sym: &mut Sym, var: VarId) {
        if self.is_pointer(var) {
            if let Some(slot) = self.layout.slot(var, At::Now) {
                sym.heap.slots[slot.0 as usize] = Some(self.ctx.pointer("any"));
            }
        } else if self.is_integer(var) {
            let value = self.unknown_integer();
            self.set_integer(sym, var, value);
        }
    }

    fn free(&mut self, sym: &mut Sym, var: VarId) {
        let Some(x) = self.pointer(sym, var) else { return };
        let null = self.ctx.literal(&sym.heap, Pred::Equal(x, Slot::NULL), true);
        let held = self.ctx.literal(&sym.heap, Pred::Alloc(x), true);
        let failure = self.ctx.and(!null, !held);
        let error = self.ctx.fail_if(&mut sym.heap, failure);
        let message = self.invalid("free", var);
        self.fails(error, Check::Memsafety, message);
        self.ctx.discard(&mut sym.heap, x);
    }

    /// Takes the step of an edge, apart from a test that parts runs.
    pub(super) fn step(&mut self, sym: &mut Sym, edge: EdgeId) {
        let step = &self.program.edges[edge.index()];
        self.span = step.span;
        self.check_global(sym, &step.command);
        match &step.command {
            Command::Skip => {}
            Command::Assign(x, e) if self.is_pointer(*x) => {
                if let (Some(y), Some(x)) = (self.source(sym, e), self.layout.slot(*x, At::Now)) {
                    self.ctx.assign(&mut sym.heap, x, y);
                }
            }
            Command::Assign(x, e) if self.is_integer(*x) => {
                let value = self.value(sym, e);
                self.set_integer(sym, *x, value);
            }
            Command::Load { to, from, field } => self.load(sym, *to, *from, *field),
            Command::Store { to, field, value } => self.store(sym, *to, *field, value),
            Command::Alloc { to, storage: Storage::Heap, zeroed, .. } => self.alloc(sym, *to, *zeroed),
            Command::Alloc { to: x, storage: Storage::Automatic, .. } | Command::Release(x)
                if self.is_idle(*x) => {}
            // Where no cell of the kind is freed, a variable's cell is one that is allocated here and gone at its end.
            Command::Alloc { to, of, zeroed, .. } if !self.frees(*of) => self.alloc(sym, *to, *zeroed),
            Command::Release(x)
                if self.program.vars[x.index()].ty.pointee().is_some_and(|of| !self.frees(of)) =>
            {
                if let Some(slot) = self.layout.slot(*x, At::Now)
                    && sym.heap.slots[slot.0 as usize].is_some()
                {
                    self.ctx.discard(&mut sym.heap, slot);
                }
            }
            Command::Free(x) => self.free(sym, *x),
            Command::Assume(cond) => {
                let lit = self.cond(sym, cond);
                self.ctx.restrict(&mut sym.heap, lit);
            }
            Command::Suppose(formula) => {
                self.settle(sym);
                let lit = self.formula(sym, formula, true);
                self.ctx.restrict(&mut sym.heap, lit);
            }
            Command::Assert { formula, check, what } => {
                self.settle(sym);
                self.assert(sym, formula, *check, what.clone());
            }
            Command::Fail { what } => {
                self.fails(sym.heap.guard, Check::Asserts, what.clone());
                self.ctx.restrict(&mut sym.heap, constant(false));
            }
            Command::Havoc(x) if self.is_pointer(*x) => {
                if let Some(slot) = self.layout.slot(*x, At::Now) {
                    sym.heap.slots[slot.0 as usize] = None;
                }
            }
            Command::Havoc(x) => self.havoc(sym, *x),
            Command::Snapshot(label) => {
                self.settle(sym);
                self.snapshot(sym, At::Label(*label));
            }
            Command::LoadElement { .. } | Command::StoreElement { .. } | Command::Assign(..) => {
                self.leaves(sym, constant(true), "arrays are not modelled".to_string());
            }
            Command::Alloc { .. } | Command::Release(_) => {
                self.leaves(
                    sym,
                    constant(true),
                    "cells of variables are not modelled where cells are freed".to_string(),
                );
            }
            Command::Scramble { .. } => {
                self.leaves(sym, constant(true), "calls by contract are not modelled".to_string());
            }
        }
    }

    /// The formula must hold here; the run goes on if it does.
    pub(super) fn assert(&mut self, sym: &mut Sym, formula: &Formula, check: Check, message: String) {
        if self.asks(check) {
            let wrong = self.formula(sym, formula, false);
            let lit = self.ctx.and(sym.heap.guard, wrong);
            self.fails(lit, check, message);
        }
        let right = self.formula(sym, formula, true);
        self.ctx.restrict(&mut sym.heap, right);
    }

    /// Remembers the present state for a moment.
    pub(super) fn snapshot(&mut self, sym: &mut Sym, moment: At) {
        for name in &self.layout.names {
            let Name::Earlier(v, at) = *name else { continue };
            if at != moment {
                continue;
            }
            let (Some(to), Some(from)) = (self.layout.slot_of(*name), self.layout.slot(v, At::Now)) else {
                continue;
            };
            match to.0.checked_sub(self.layout.integers) {
                Some(to) => {
                    let value = sym.ints[usize::from(from.0 - self.layout.integers)];
                    sym.ints[usize::from(to)] = value;
                }
                None => sym.heap.slots[to.0 as usize] = sym.heap.slots[from.0 as usize],
            }
        }
        for &(field, at, copy) in &self.layout.earlier {
            if let (true, Some(link)) = (at == moment, self.layout.link(field, At::Now)) {
                sym.heap.fields[copy.0 as usize] = sym.heap.fields[link.0 as usize];
            }
        }
        for &(at, colour) in &self.layout.allocated {
            if at == moment {
                sym.heap.colours[colour.0 as usize] = sym.heap.alloc;
            }
        }
    }

    /// Records that something could not be expressed; the literal may be anything.
    pub(super) fn gap(&mut self, what: &str) -> Lit {
        let gap = Gap { what: what.to_string(), span: self.span };
        if !self.gaps.contains(&gap) {
            self.gaps.push(gap);
        }
        self.ctx.fresh()
    }
}
