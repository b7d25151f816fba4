//! The abstract program: what of a [`Program`] this engine sees, and what must not happen in it.
//!
//! Kept: pointer variables, link fields, the heap. Integers are forgotten: a test of integers may go either
//! way, so alarms are decided by replay. Ghost fields are forgotten too. Everything that the engine cannot
//! follow (arrays, automatic cells, calls by contract) is a [`Reason`].
//!
//! **Entry heaps.** The engine starts from heaps in which every cell is reached from a parameter or a global.
//! Other cells may exist in a real run, but the program can touch them only through a pointer that was never
//! initialised. Such a pointer counts as dangling here, and accessing it is a failure that this engine
//! always looks for, asked or not; so a program proved here never touches the other cells, and what formulas
//! say does not depend on them (see [`super::pattern`]).
//!
//! At a location before an access through `v` the patterns `v@#` and `v@*` are bad. At the exit stand the
//! negated postconditions; see [`exit_patterns`](super::exit::exit_patterns).

use super::levels::negation_of;
use super::pattern::{SCRATCH, Vocabulary};
use super::pre::{Op, Rules, VarIx};
use super::signature::{MAX_COLOURS, Node, Signature};
use super::text::Names;
use crate::program::walk::{self, Part};
use crate::program::{
    At, Check, Command, EdgeId, Entry, Expr, FieldId, Formula, Program, Question, Storage, Term, Type, VarId,
    VarKind,
};
use crate::util::span::Span;
use crate::verdict::Reason;

/// A label of signatures: a pointer variable, or its value at the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The variable.
    pub var: VarId,
    /// Its value at the entry, kept because the variable changes.
    pub at_entry: bool,
}

/// An abstract step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Source.
    pub from: usize,
    /// Target.
    pub to: usize,
    /// What happens.
    pub op: Op,
    /// The edge it belongs to; `None` before the first.
    pub edge: Option<EdgeId>,
}

/// A pattern that must not occur at a location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bad {
    /// Where.
    pub location: usize,
    /// What.
    pub signature: Signature,
    /// Property class.
    pub check: Check,
    /// For people.
    pub message: String,
    /// The statement or clause.
    pub span: Span,
}

/// The abstract program.
#[derive(Clone, Debug)]
pub struct Model<'p> {
    /// The program.
    pub program: &'p Program,
    /// By label.
    pub slots: Vec<Slot>,
    /// By colour.
    pub fields: Vec<FieldId>,
    /// What labels and colours are called.
    pub names: Names,
    /// Number of locations; those of the program come first.
    pub locations: usize,
    /// First location; nothing enters it.
    pub entry: usize,
    /// Last location.
    pub exit: usize,
    /// Steps.
    pub steps: Vec<Step>,
    /// Bad patterns but those of the exit.
    pub bad: Vec<Bad>,
    /// Variables assigned somewhere.
    assigned: Vec<bool>,
}

/// The diagnosis that something is not supported.
pub fn unsupported(what: &str, span: Span) -> Reason {
    Reason { message: format!("engine monotone: {what}"), span: Some(span) }
}

impl<'p> Model<'p> {
    /// The abstract program for a question.
    pub fn of(program: &'p Program, question: &Question) -> Result<Model<'p>, Reason> {
        let mut model = Model {
            program,
            slots: Vec::new(),
            fields: Vec::new(),
            names: Names::default(),
            locations: program.locations as usize,
            entry: program.entry.index(),
            exit: program.exit.index(),
            steps: Vec::new(),
            bad: Vec::new(),
            assigned: assigned(program),
        };
        if question.asks(Check::Leaks)
            && let Some(sweep) = program.sweeps.first()
        {
            return Err(unsupported("leaks in the middle of a function", sweep.span));
        }
        model.declare(question)?;
        for (i, edge) in program.edges.iter().enumerate() {
            model.lower(EdgeId(i as u32), &edge.command, edge.span, question)?;
        }
        model.add_invariants(question)?;
        Ok(model)
    }

    fn declare(&mut self, question: &Question) -> Result<(), Reason> {
        let program = self.program;
        for (i, field) in program.fields.iter().enumerate() {
            if matches!(field.ty, Type::Ptr(_)) && !field.ghost {
                self.fields.push(FieldId(i as u32));
                self.names.colours.push(field.name.replace('.', "_"));
            }
        }
        if self.fields.len() > MAX_COLOURS {
            let message = format!("{} pointer fields, at most {MAX_COLOURS} fit", self.fields.len());
            return Err(unsupported(&message, program.span));
        }
        let mut twice: Vec<&String> = self.names.colours.iter().collect();
        twice.sort();
        if twice.windows(2).any(|w| w[0] == w[1]) {
            for (name, field) in self.names.colours.iter_mut().zip(&self.fields) {
                let owner = program.fields[field.index()].owner;
                *name = format!("{}_{name}", program.structs[owner.index()].name);
            }
        }
        for (i, var) in program.vars.iter().enumerate() {
            if matches!(var.ty, Type::Ptr(_)) {
                self.slots.push(Slot { var: VarId(i as u32), at_entry: false });
                self.names.vars.push(var.name.clone());
            }
        }
        let mut remembered = Vec::new();
        let contract = program.contracts.get(question.contract);
        let clauses = contract.into_iter().flat_map(|c| &c.ensures).map(|c| &c.formula);
        let asserted = program.edges.iter().filter_map(|e| match &e.command {
            Command::Assert { formula, .. } => Some(formula),
            _ => None,
        });
        let invariants = program.loops.iter().flat_map(|l| &l.invariants).map(|c| &c.formula);
        clauses.chain(asserted).chain(invariants).for_each(|f| entry_variables(f, &mut remembered));
        if question.asks(Check::Leaks) {
            let params = program.vars.iter().enumerate().filter(|(_, v)| v.kind == VarKind::Param);
            remembered.extend(params.map(|(i, _)| VarId(i as u32)));
        }
        remembered.sort_unstable();
        remembered.dedup();
        let is_pointer = |v: VarId| matches!(program.vars[v.index()].ty, Type::Ptr(_));
        for var in
            remembered.into_iter().filter(|v| is_pointer(*v) && self.assigned[v.index()]).collect::<Vec<_>>()
        {
            let now = self.label(var, At::Now);
            self.slots.push(Slot { var, at_entry: true });
            self.names.vars.push(format!("{}(entry)", program.vars[var.index()].name));
            let old = (self.slots.len() - 1) as VarIx;
            let Some(now) = now else { continue };
            let first = self.add_location();
            self.steps.push(Step { from: first, to: self.entry, op: Op::Copy(old, now), edge: None });
            self.entry = first;
        }
        if self.slots.len() > SCRATCH as usize {
            let message = format!("{} pointer variables, at most {SCRATCH} fit", self.slots.len());
            return Err(unsupported(&message, program.span));
        }
        Ok(())
    }

    fn add_location(&mut self) -> usize {
        self.locations += 1;
        self.locations - 1
    }

    fn lower(
        &mut self,
        id: EdgeId,
        command: &Command,
        span: Span,
        question: &Question,
    ) -> Result<(), Reason> {
        let var = |v: VarId| self.label(v, At::Now);
        let op = match command {
            Command::Skip | Command::Snapshot(_) => Op::Skip,
            Command::Assign(x, e) => match (var(*x), e) {
                (None, _) => Op::Skip,
                (Some(x), Expr::Null(_)) => Op::SetNull(x),
                (Some(x), Expr::Var(y)) => match var(*y) {
                    Some(y) => Op::Copy(x, y),
                    None => Op::Havoc(x),
                },
                (Some(x), _) => Op::Havoc(x),
            },
            Command::Load { to, from, field } => {
                self.guard_access(id, *from, false, span);
                match (self.label(*to, At::Now), self.label(*from, At::Now), self.colour(*field)) {
                    (Some(to), Some(from), Some(colour)) => Op::Load { to, from, colour },
                    (Some(to), ..) => Op::Havoc(to),
                    _ => Op::Skip,
                }
            }
            Command::Store { to, field, value } => {
                let ghost = self.program.fields[field.index()].ghost;
                self.guard_access(id, *to, ghost, span);
                match (self.label(*to, At::Now), self.colour(*field), value) {
                    (Some(to), Some(colour), Expr::Null(_)) => Op::Store { to, colour, value: None },
                    (Some(to), Some(colour), Expr::Var(y)) if self.label(*y, At::Now).is_some() => {
                        Op::Store { to, colour, value: self.label(*y, At::Now) }
                    }
                    (_, Some(_), _) => {
                        return Err(unsupported("a pointer field takes a value that is no pointer", span));
                    }
                    _ => Op::Skip,
                }
            }
            Command::Alloc { to, storage: Storage::Heap, zeroed, .. } => match var(*to) {
                Some(to) => Op::Alloc { to, zeroed: *zeroed },
                None => return Err(unsupported("an allocation that no pointer takes", span)),
            },
            Command::Free(x) => {
                let Some(x) = var(*x) else { return Err(unsupported("`free` of no pointer", span)) };
                self.guard_access(id, self.slots[x as usize].var, true, span);
                self.add_step(id, Op::IsNull(x));
                Op::Free(x)
            }
            Command::Havoc(x) => var(*x).map_or(Op::Skip, Op::Havoc),
            Command::Assume(cond) => {
                self.add_tests(id, &self.tests(cond));
                return Ok(());
            }
            Command::Suppose(formula) => {
                let tests = self.supposed(formula);
                self.add_tests(id, &tests);
                return Ok(());
            }
            Command::Assert { formula, check, what } => {
                if question.asks(*check) {
                    self.forbid(id, formula, *check, what, span)?;
                }
                Op::Skip
            }
            Command::Fail { what } => {
                if question.asks(Check::Asserts) {
                    let location = self.program.edges[id.index()].from.index();
                    let signature = Signature::EMPTY;
                    self.bad.push(Bad {
                        location,
                        signature,
                        check: Check::Asserts,
                        message: what.clone(),
                        span,
                    });
                }
                Op::Skip
            }
            Command::Alloc { storage: Storage::Automatic, .. } | Command::Release(_) => {
                return Err(unsupported("variables whose address is taken", span));
            }
            Command::LoadElement { .. } | Command::StoreElement { .. } => {
                return Err(unsupported("arrays", span));
            }
            Command::Scramble { .. } => return Err(unsupported("calls by contract", span)),
        };
        self.add_step(id, op);
        Ok(())
    }

    fn add_step(&mut self, id: EdgeId, op: Op) {
        let edge = &self.program.edges[id.index()];
        self.steps.push(Step { from: edge.from.index(), to: edge.to.index(), op, edge: Some(id) });
    }

    /// Each list of tests is one way through the edge.
    fn add_tests(&mut self, id: EdgeId, ways: &[Vec<Op>]) {
        let edge = &self.program.edges[id.index()];
        for way in ways {
            let mut from = edge.from.index();
            let (last, first) = match way.split_last() {
                Some((last, first)) => (*last, first),
                None => (Op::Skip, &[][..]),
            };
            for &op in first {
                let to = self.add_location();
                self.steps.push(Step { from, to, op, edge: Some(id) });
                from = to;
            }
            self.steps.push(Step { from, to: edge.to.index(), op: last, edge: Some(id) });
        }
    }

    fn guard_access(&mut self, id: EdgeId, accessed: VarId, null_is_fine: bool, span: Span) {
        let location = self.program.edges[id.index()].from.index();
        let Some(v) = self.label(accessed, At::Now) else { return };
        let name = &self.program.vars[accessed.index()].name;
        let frees = matches!(self.program.edges[id.index()].command, Command::Free(_));
        for (node, kind) in [(Node::NULL, "null"), (Node::DANGLING, "dangling")] {
            if node == Node::NULL && null_is_fine {
                continue;
            }
            let mut signature = Signature::EMPTY;
            signature.labels[v as usize] = node;
            let what = if frees { "free" } else { "dereference" };
            let message = format!("{kind} {what} of `{name}`");
            self.bad.push(Bad { location, signature, check: Check::Memsafety, message, span });
        }
    }

    /// At the source of the edge the formula must hold.
    fn forbid(
        &mut self,
        id: EdgeId,
        formula: &Formula,
        check: Check,
        what: &str,
        span: Span,
    ) -> Result<(), Reason> {
        let location = self.program.edges[id.index()].from.index();
        let patterns = negation_of(self, formula).map_err(|e| inexpressible(&e, span))?;
        self.bad.extend(patterns.into_iter().map(|p| Bad {
            location,
            signature: p.signature,
            check,
            message: crate::program::command::broken(what),
            span,
        }));
        Ok(())
    }

    fn add_invariants(&mut self, question: &Question) -> Result<(), Reason> {
        if !question.asks(Check::Asserts) {
            return Ok(());
        }
        for head in &self.program.loops {
            for clause in &head.invariants {
                let patterns =
                    negation_of(self, &clause.formula).map_err(|e| inexpressible(&e, clause.span))?;
                self.bad.extend(patterns.into_iter().map(|p| Bad {
                    location: head.head.index(),
                    signature: p.signature,
                    check: Check::Asserts,
                    message: "loop invariant does not hold".to_owned(),
                    span: clause.span,
                }));
            }
        }
        Ok(())
    }

    /// Labels of variables that have a value at the entry: parameters and globals.
    pub fn roots(&self) -> impl Iterator<Item = VarIx> + '_ {
        self.slots_of(|kind| matches!(kind, VarKind::Param | VarKind::Global))
    }

    /// Labels of present values of variables of a kind.
    pub fn slots_of<'a>(&'a self, wanted: impl Fn(VarKind) -> bool + 'a) -> impl Iterator<Item = VarIx> + 'a {
        let kind = |s: &Slot| self.program.vars[s.var.index()].kind;
        let all = self.slots.iter().enumerate();
        all.filter(move |(_, s)| !s.at_entry && wanted(kind(s))).map(|(i, _)| i as VarIx)
    }

    /// Whether a cell is needed to be of two structs at once.
    pub fn is_ill_typed(&self, s: &Signature) -> bool {
        if self.program.structs.len() < 2 {
            return false;
        }
        let mut types = [None; super::signature::MAX_CELLS];
        let mut conflict = false;
        let mut say = |node: Node, ty| {
            if node.is_cell() {
                let known = types[node.index()].get_or_insert(ty);
                conflict |= *known != ty;
            }
        };
        for (slot, label) in self.slots.iter().zip(&s.labels) {
            if let Some(ty) = self.program.vars[slot.var.index()].ty.pointee() {
                say(*label, ty);
            }
        }
        for m in s.nodes() {
            for (c, target) in s.cells[m.index()].coloured.iter().enumerate().filter(|(_, t)| t.is_known()) {
                let field = &self.program.fields[self.fields[c].index()];
                say(m, field.owner);
                if let Some(ty) = field.ty.pointee() {
                    say(*target, ty);
                }
            }
        }
        conflict
    }

    /// Whether nothing is allocated at the entry.
    pub fn begins_empty(&self) -> bool {
        self.program.begins == Entry::Main
    }
}

/// The diagnosis of a clause.
pub fn inexpressible(why: &str, span: Span) -> Reason {
    unsupported(&format!("this clause cannot be expressed by patterns: {why}"), span)
}

impl Vocabulary for Model<'_> {
    fn label(&self, var: VarId, at: At) -> Option<VarIx> {
        let at_entry = match at {
            At::Now => false,
            At::Entry => self.assigned.get(var.index()).copied().unwrap_or(true),
            At::Label(_) => return None,
        };
        self.slots.iter().position(|s| s.var == var && s.at_entry == at_entry).map(|i| i as VarIx)
    }

    fn colour(&self, field: FieldId) -> Option<u8> {
        self.fields.iter().position(|f| *f == field).map(|i| i as u8)
    }

    fn rules(&self) -> Rules {
        Rules { colours: self.fields.len(), direct: true }
    }
}

fn assigned(program: &Program) -> Vec<bool> {
    let mut out = vec![false; program.vars.len()];
    for edge in &program.edges {
        match &edge.command {
            Command::Assign(x, _)
            | Command::Load { to: x, .. }
            | Command::LoadElement { to: x, .. }
            | Command::Alloc { to: x, .. }
            | Command::Havoc(x) => out[x.index()] = true,
            // Calls by contract are not supported; whatever they change counts as changed.
            Command::Scramble { .. } => out.iter_mut().for_each(|a| *a = true),
            _ => {}
        }
    }
    out
}

/// The variables whose entry value a formula mentions.
fn entry_variables(formula: &Formula, out: &mut Vec<VarId>) {
    walk::formula(formula, &mut |part| {
        if let Part::Term(Term::Var(v, At::Entry)) = part {
            out.push(*v);
        }
    });
}
