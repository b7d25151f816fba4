//! Checks certificates of the engine `monotone`: per location the partial heaps that no run has there.
//!
//! Written from the meaning of the certificate, with nothing of the engine: its own reader, a naive matcher
//! that tries all injections and all paths, and the interpreter instead of predecessor rules. On all small
//! entry states, on random runs from them, and on variations of the states met (which no run need reach):
//!
//! 1. *initiation*: no entry state contains an excluded partial heap of the entry;
//! 2. *consecution*: a step from a state that contains none leads to a state that contains none;
//! 3. *safety*: such a state does not fail.
//!
//! This is a check on small instances, not a proof; what it says is how many steps it looked at.

mod matcher;

use crate::program::interp::{End, Machine, Odometer, Run};
use crate::program::walk::{self, Part};
use crate::program::{
    At, CellId, Check, Command, Expr, Formula, LocationId, Program, Question, State, Status, Term, Type,
    Value, VarId, VarKind,
};
use crate::util::rng::Rng;
use matcher::{Certificate, Heap};
use std::fmt;
use std::sync::Arc;

/// What a check looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Entry states.
    pub entries: u64,
    /// Steps from states that contain nothing excluded.
    pub steps: u64,
}

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureFault(String);

impl fmt::Display for SignatureFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SignatureFault {}

type Answer<T> = Result<T, SignatureFault>;

fn fault<T>(message: impl Into<String>) -> Answer<T> {
    Err(SignatureFault(message.into()))
}

/// Checks the lines of a certificate; `effort` is about the number of random runs.
pub fn check_signatures(
    program: &Program,
    question: &Question,
    lines: &[String],
    effort: usize,
    seed: u64,
) -> Answer<Checked> {
    let certificate = Certificate::read(program, lines)?;
    let machine = Machine::new(program, question);
    let mut checker =
        Checker { program, machine, certificate, rng: Rng::new(seed), checked: Checked::default() };
    for var in &checker.certificate.ignored {
        if matters_at_entry(program, question, *var) {
            return fault(format!("the entry value of `{}` is not ignored", program.vars[var.index()].name));
        }
    }
    let entries = checker.entries();
    for state in &entries {
        let run = checker.machine.start(state.clone());
        if let Some(line) = checker.contains(&run) {
            return fault(format!("an entry state contains what the certificate excludes: {line}"));
        }
        checker.checked.entries += 1;
    }
    for _ in 0..effort {
        if entries.is_empty() {
            break;
        }
        let start = checker.rng.below(entries.len());
        checker.walk(&entries[start])?;
    }
    Ok(checker.checked)
}

/// Whether the value of a global at the entry can matter: to the entry condition, to a formula, to garbage, or
/// to a command that comes before every assignment to it. The exit looks at all globals.
fn matters_at_entry(program: &Program, question: &Question, x: VarId) -> bool {
    let global = program.vars[x.index()].kind == VarKind::Global;
    let mut named = !global || question.asks(Check::Garbage);
    let mut look = |formula: &Formula| {
        walk::formula(formula, &mut |part| {
            named |= matches!(part, Part::Term(Term::Var(v, at)) if *v == x && *at != At::Now);
        });
    };
    let contract = program.contracts.get(question.contract);
    contract.into_iter().flat_map(|c| c.ensures.iter()).for_each(|c| look(&c.formula));
    program.loops.iter().flat_map(|l| &l.invariants).for_each(|c| look(&c.formula));
    let mut seen = vec![false; program.locations as usize];
    let mut open = vec![program.entry];
    let mentions = |formula: &Formula| {
        let mut found = false;
        walk::formula(formula, &mut |part| found |= matches!(part, Part::Term(Term::Var(v, _)) if *v == x));
        found
    };
    named |= contract.into_iter().flat_map(|c| c.requires.iter()).any(|c| mentions(&c.formula));
    while let Some(at) = open.pop() {
        let invariants = program.loops.iter().filter(|l| l.head == at).flat_map(|l| &l.invariants);
        if named || at == program.exit || invariants.into_iter().any(|c| mentions(&c.formula)) {
            return true;
        }
        if std::mem::replace(&mut seen[at.index()], true) {
            continue;
        }
        for edge in program.edges.iter().filter(|e| e.from == at) {
            let mut reads = false;
            walk::expressions(&edge.command, &mut |e| reads |= *e == Expr::Var(x));
            let assigned = match &edge.command {
                Command::Assign(y, _) | Command::Havoc(y) | Command::Alloc { to: y, .. } => Some(*y),
                Command::Load { to, from, .. } => {
                    reads |= *from == x;
                    Some(*to)
                }
                Command::Store { to: y, .. } | Command::Free(y) => {
                    reads |= *y == x;
                    None
                }
                Command::Assert { formula, .. } | Command::Suppose(formula) => {
                    reads |= mentions(formula);
                    None
                }
                Command::Assume(_) | Command::Skip | Command::Fail { .. } => None,
                _ => return true,
            };
            if reads {
                return true;
            }
            if assigned != Some(x) {
                open.push(edge.to);
            }
        }
    }
    false
}

/// Steps of one random run, variations of each state met, entry states of one size.
const MAX_WALK: usize = 60;
const VARIATIONS: usize = 2;
const MAX_ENTRIES: usize = 30_000;

struct Checker<'p> {
    program: &'p Program,
    machine: Machine<'p>,
    certificate: Certificate,
    rng: Rng,
    checked: Checked,
}

impl Checker<'_> {
    fn contains(&self, run: &Run) -> Option<String> {
        let excluded = self.certificate.excluded.get(&run.location.0)?;
        let heap = Heap::of(self.program, &self.certificate, run);
        excluded.iter().find(|p| heap.contains(p)).map(|p| p.text.clone())
    }

    /// Entry states of at most three cells, all of them reached from parameters or globals.
    fn entries(&self) -> Vec<State> {
        let program = self.program;
        let mut slots: Vec<Option<VarId>> = Vec::new();
        for (i, var) in program.vars.iter().enumerate() {
            let visible = matches!(var.kind, VarKind::Param | VarKind::Global);
            let ignored = self.certificate.ignored.contains(&VarId(i as u32));
            if visible && !ignored && matches!(var.ty, Type::Ptr(_)) {
                slots.push(Some(VarId(i as u32)));
            }
        }
        let mut out = Vec::new();
        let of = program.fields.iter().find(|f| matches!(f.ty, Type::Ptr(_))).map(|f| f.owner);
        for cells in 0..=3u32 {
            let mut base = State::new(program);
            if cells > 0 {
                let Some(of) = of else { break };
                (0..cells).for_each(|_| {
                    base.add_cell(program, of, Status::Heap);
                });
            }
            let mut places: Vec<(Option<CellId>, u32)> =
                slots.iter().flatten().map(|v| (None, v.0)).collect();
            for cell in 0..cells {
                places.extend(self.certificate.fields.iter().map(|f| (Some(CellId(cell)), f.0)));
            }
            let choices = cells as usize + 1;
            let Some(total) = choices.checked_pow(places.len() as u32).filter(|t| *t <= MAX_ENTRIES) else {
                break;
            };
            for mut code in 0..total {
                let mut state = base.clone();
                for (cell, id) in &places {
                    let value = match code % choices {
                        0 => Value::Null,
                        i => Value::Cell(CellId(i as u32 - 1)),
                    };
                    code /= choices;
                    match cell {
                        Some(cell) => state.set_field(*cell, crate::program::FieldId(*id), value),
                        None => state.vars[*id as usize] = value,
                    }
                }
                if self.all_reached(&state) && self.machine.admits(&state) == Ok(true) {
                    crate::program::explore::add_strangers(program, &mut state);
                    out.push(state);
                }
            }
        }
        out
    }

    fn all_reached(&self, state: &State) -> bool {
        let mut open: Vec<Value> = Vec::new();
        for (var, value) in self.program.vars.iter().zip(&state.vars) {
            if matches!(var.kind, VarKind::Param | VarKind::Global) {
                open.push(*value);
            }
        }
        let mut seen = vec![false; state.cells.len()];
        while let Some(value) = open.pop() {
            if let Value::Cell(c) = value
                && !std::mem::replace(&mut seen[c.index()], true)
            {
                open.extend(&state.cells[c.index()].fields);
            }
        }
        seen.into_iter().all(|s| s)
    }

    /// A random run and steps from variations of its states.
    fn walk(&mut self, entry: &State) -> Answer<()> {
        let mut run = self.machine.start(entry.clone());
        for _ in 0..MAX_WALK {
            let next = self.step(&run, true)?;
            for _ in 0..VARIATIONS {
                let varied = self.vary(&run);
                self.step(&varied, false)?;
            }
            match next {
                Some(next) => run = next,
                None => break,
            }
        }
        Ok(())
    }

    /// Checks all steps from a state; one of the states after them. A real run must contain nothing excluded.
    fn step(&mut self, run: &Run, real: bool) -> Answer<Option<Run>> {
        if let Some(line) = self.contains(run) {
            if real {
                return fault(format!(
                    "a run reaches what the certificate excludes at {}: {line}",
                    run.location.0
                ));
            }
            return Ok(None);
        }
        if !real && run.location == self.program.entry {
            // Nothing enters it: there the entry condition is the invariant.
            return Ok(None);
        }
        let ints = [0, 1];
        let mut odometer = Odometer::new(&ints, true);
        let mut after = Vec::new();
        for _ in 0..200 {
            let mut next = run.clone();
            let end = self.machine.step(&mut next, &mut odometer, &mut |_, _| {});
            self.checked.steps += 1;
            match end {
                Some(End::Failed(failure)) if next.location != self.program.exit => {
                    return fault(format!("a state at {} fails: {}", run.location.0, failure.message));
                }
                None | Some(End::Exit | End::Failed(_)) => {
                    let line = self.contains(&next);
                    if let Some(line) = line {
                        return fault(format!(
                            "a step from {} leads to {}: {line}",
                            run.location.0, next.location.0
                        ));
                    }
                    if let Some(End::Failed(failure)) = end {
                        return fault(format!("an exit state fails: {}", failure.message));
                    }
                    after.push(next);
                }
                Some(_) => {}
            }
            if !odometer.advance() {
                break;
            }
        }
        after.retain(|r| r.location != self.program.exit);
        Ok((!after.is_empty()).then(|| after.swap_remove(self.rng.below(after.len()))))
    }

    /// Whether it is a parameter that no command assigns.
    fn is_constant(&self, x: VarId) -> bool {
        let assigns = |command: &Command| match command {
            Command::Assign(y, _)
            | Command::Havoc(y)
            | Command::Alloc { to: y, .. }
            | Command::Load { to: y, .. }
            | Command::LoadElement { to: y, .. } => *y == x,
            Command::Scramble { .. } => true,
            _ => false,
        };
        let program = self.program;
        program.vars[x.index()].kind == VarKind::Param && !program.edges.iter().any(|e| assigns(&e.command))
    }

    /// The state with one or two pointers changed, maybe at another location.
    fn vary(&mut self, run: &Run) -> Run {
        let mut out = run.clone();
        let cells = out.state.cells.len();
        for _ in 0..1 + self.rng.below(2) {
            let value = match self.rng.below(cells + 1) {
                0 => Value::Null,
                i => Value::Cell(CellId(i as u32 - 1)),
            };
            let label = self.rng.below(self.certificate.labels.len().max(1) + cells);
            if let Some(label) = self.certificate.labels.get(label) {
                if label.at_entry {
                    let mut entry = (*out.entry).clone();
                    entry.vars[label.var.index()] = value;
                    out.entry = Arc::new(entry);
                } else {
                    out.state.vars[label.var.index()] = value;
                    // A parameter that nobody assigns has its entry value in every run.
                    if self.is_constant(label.var) {
                        let mut entry = (*out.entry).clone();
                        entry.vars[label.var.index()] = value;
                        out.entry = Arc::new(entry);
                    }
                }
            } else if cells > 0 && !self.certificate.fields.is_empty() {
                let cell = CellId(self.rng.below(cells) as u32);
                let field = *self.rng.pick(&self.certificate.fields);
                if self.program.fields[field.index()].owner == out.state.cells[cell.index()].of {
                    out.state.set_field(cell, field, value);
                }
            }
        }
        if self.rng.one_in(4) {
            out.location = LocationId(self.rng.below(self.program.locations as usize) as u32);
        }
        out
    }
}
