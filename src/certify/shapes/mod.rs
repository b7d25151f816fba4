//! Checks certificates of the engine `lazy`: per location the abstract states that together hold every state
//! that a run has there.
//!
//! Written from the meaning of the certificate, with nothing of the engine: its own reader ([`reader`]), a
//! matcher that tries all ways to map cells to nodes and computes every fact of a cell by its definition
//! ([`matcher`]), and the interpreter instead of transformers and a solver. On random runs and on variations of
//! the states met (which no run need reach):
//!
//! 1. *initiation*: the state at the entry is held by a line of the entry;
//! 2. *consecution*: a step from a state that is held leads to a state that is held;
//! 3. *safety*: such a state does not fail.
//!
//! This is a check on small instances, not a proof; what it says is how many steps it looked at. A state with
//! so much garbage that the matcher would have to try too many ways is passed over, and counted.

mod matcher;
mod reader;

use crate::program::interp::{End, Machine, Odometer, Run};
use crate::program::{
    CellId, Command, Entry, Expr, FieldId, LocationId, Program, Question, State, Type, Value,
};
use crate::util::hash::Set;
use crate::util::rng::Rng;
use matcher::World;
use reader::Annotation;
use std::fmt;

/// What a check looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckedShapes {
    /// Steps from states that a line holds.
    pub steps: u64,
    /// States passed over.
    pub skipped: u64,
}

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeFault(String);

impl fmt::Display for ShapeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ShapeFault {}

type Answer<T> = Result<T, ShapeFault>;

fn fault<T>(message: impl Into<String>) -> Answer<T> {
    Err(ShapeFault(message.into()))
}

/// Checks the lines of a certificate; `effort` is the number of random runs.
///
/// # Errors
/// Says what is wrong with the certificate.
pub fn check_shapes(
    program: &Program,
    question: &Question,
    lines: &[String],
    effort: usize,
    seed: u64,
) -> Answer<CheckedShapes> {
    if program.begins != Entry::Main {
        return fault("the certificate is about whole programs");
    }
    // The engine's graphs know one kind of cells.
    let moved = crate::program::on_heap::on_heap(program);
    let program = moved.as_ref().unwrap_or(program);
    let annotation = Annotation::read(program, lines)?;
    let machine = Machine::new(program, question);
    let mut checker =
        Checker { program, machine, annotation, rng: Rng::new(seed), checked: CheckedShapes::default() };
    let mut entry = State::new(program);
    crate::program::explore::add_strangers(program, &mut entry);
    for _ in 0..effort {
        checker.walk(&entry)?;
    }
    Ok(checker.checked)
}

/// Steps of one random run, and variations of each state met.
const MAX_WALK: usize = 80;
const VARIATIONS: usize = 3;

/// Pointers that nobody has written: of variables and of fields.
#[derive(Clone, Debug)]
pub(super) struct Unwritten {
    pub(super) vars: Vec<bool>,
    pub(super) fields: Set<(CellId, FieldId)>,
}

/// Whether the annotation holds a state.
enum Held<'a> {
    By(&'a reader::Line),
    Nowhere,
    /// Finding out would take too long.
    Unclear,
}

struct Checker<'p> {
    program: &'p Program,
    machine: Machine<'p>,
    annotation: Annotation,
    rng: Rng,
    checked: CheckedShapes,
}

impl Checker<'_> {
    /// The first line of its location that holds the state.
    fn held(&self, run: &Run, unwritten: &Unwritten) -> Held<'_> {
        let Some(lines) = self.annotation.lines.get(&run.location.0) else { return Held::Nowhere };
        let world = World::new(self.program, &run.state, unwritten, self.annotation.leaks);
        let mut certain = true;
        for line in lines {
            match world.is_of(line) {
                Some(true) => return Held::By(line),
                Some(false) => {}
                None => certain = false,
            }
        }
        if certain { Held::Nowhere } else { Held::Unclear }
    }

    /// A random run and steps from variations of its states.
    fn walk(&mut self, entry: &State) -> Answer<()> {
        let mut run = self.machine.start(entry.clone());
        let is_pointer = |ty: Type| matches!(ty, Type::Ptr(_));
        let vars = self.program.vars.iter().map(|v| is_pointer(v.ty)).collect();
        let mut unwritten = Unwritten { vars, fields: Set::default() };
        for _ in 0..MAX_WALK {
            let next = self.step(&run, &unwritten, true)?;
            for _ in 0..VARIATIONS {
                let (varied, facts) = self.vary(&run, &unwritten);
                self.step(&varied, &facts, false)?;
            }
            match next {
                Some(next) => (run, unwritten) = next,
                None => break,
            }
        }
        Ok(())
    }

    /// Checks all steps from a state; one of the states after them. A real run must be held.
    fn step(&mut self, run: &Run, unwritten: &Unwritten, real: bool) -> Answer<Option<(Run, Unwritten)>> {
        // A pointer of which the line says nothing may count as one that nobody has written; one of which it
        // says where it points has been written.
        let mut unwritten = unwritten.clone();
        let mut open = unwritten.clone();
        match self.held(run, &unwritten) {
            Held::By(line) => {
                for (v, targets) in &line.vars {
                    open.vars[v.index()] = targets.anything;
                    unwritten.vars[v.index()] &= targets.anything;
                }
            }
            Held::Unclear if real => self.checked.skipped += 1,
            Held::Nowhere if real => {
                return fault(format!("a run leaves the annotation at {}", run.location.0));
            }
            _ => return Ok(None),
        }
        let ints = [0, 1];
        let mut odometer = Odometer::new(&ints, true);
        let mut after = Vec::new();
        for _ in 0..60 {
            let mut next = run.clone();
            let mut readings = [unwritten.clone(), open.clone()];
            let mut taken = None;
            let end = self.machine.step(&mut next, &mut odometer, &mut |edge, _| taken = Some(edge));
            self.checked.steps += 1;
            if let Some(edge) = taken {
                let command = &self.program.edges[edge.index()].command;
                readings.iter_mut().for_each(|r| r.after(self.program, command, &run.state, &next.state));
            }
            let [plain, open] = readings;
            match end {
                Some(End::Failed(failure)) => {
                    return fault(format!("a state at {} fails: {}", run.location.0, failure.message));
                }
                None | Some(End::Exit) => {
                    let (facts, skipped) = match (self.held(&next, &plain), self.held(&next, &open)) {
                        (Held::By(_), _) => (plain, 0),
                        (_, Held::By(_)) => (open, 0),
                        (Held::Nowhere, Held::Nowhere) => {
                            let (from, to) = (run.location.0, next.location.0);
                            return fault(format!("a step from {from} to {to} leaves the annotation"));
                        }
                        _ => (plain, 1),
                    };
                    self.checked.skipped += skipped;
                    if end.is_none() {
                        after.push((next, facts));
                    }
                }
                Some(_) => {}
            }
            if !odometer.advance() {
                break;
            }
        }
        Ok((!after.is_empty()).then(|| after.swap_remove(self.rng.below(after.len()))))
    }

    /// The state with one or two variables or fields changed, maybe at another location.
    fn vary(&mut self, run: &Run, unwritten: &Unwritten) -> (Run, Unwritten) {
        let (mut out, mut facts) = (run.clone(), unwritten.clone());
        let program = self.program;
        for _ in 0..1 + self.rng.below(2) {
            let cells = out.state.cells.len();
            let at = self.rng.below(program.vars.len() + cells);
            let (ty, place) = if let Some(var) = program.vars.get(at) {
                (var.ty, None)
            } else {
                let cell = CellId((at - program.vars.len()) as u32);
                let fields = &program.structs[out.state.cells[cell.index()].of.index()].fields;
                if fields.is_empty() {
                    continue;
                }
                let field = *self.rng.pick(fields);
                (program.fields[field.index()].ty, Some((cell, field)))
            };
            let value = match ty {
                Type::Int(_) => Value::Int(self.rng.below(4) as i128),
                Type::Ptr(of) => {
                    let fits =
                        |i: &usize| out.state.cells[*i].of == of && out.state.cells[*i].status.is_valid();
                    let targets: Vec<usize> = (0..cells).filter(fits).collect();
                    match self.rng.below(targets.len() + 1) {
                        0 => Value::Null,
                        i => Value::Cell(CellId(targets[i - 1] as u32)),
                    }
                }
                _ => continue,
            };
            match place {
                None => {
                    out.state.vars[at] = value;
                    facts.vars[at] = false;
                }
                Some((cell, field)) => {
                    out.state.set_field(cell, field, value);
                    facts.fields.remove(&(cell, field));
                }
            }
        }
        if self.rng.one_in(4) {
            out.location = LocationId(self.rng.below(program.locations as usize) as u32);
        }
        (out, facts)
    }
}

impl Unwritten {
    /// What is unwritten after a command.
    fn after(&mut self, program: &Program, command: &Command, before: &State, after: &State) {
        let is_pointer = |f: FieldId| matches!(program.fields[f.index()].ty, Type::Ptr(_));
        match command {
            Command::Assign(x, e) => {
                self.vars[x.index()] = match e {
                    Expr::Var(y) => self.vars[y.index()],
                    _ => false,
                }
            }
            Command::Load { to, from, field } => {
                self.vars[to.index()] = match before.var(*from) {
                    Value::Cell(c) => self.fields.contains(&(c, *field)),
                    _ => false,
                }
            }
            Command::Store { to, field, value } if is_pointer(*field) => {
                if let Value::Cell(c) = before.var(*to) {
                    if matches!(value, Expr::Var(y) if self.vars[y.index()]) {
                        self.fields.insert((c, *field));
                    } else {
                        self.fields.remove(&(c, *field));
                    }
                }
            }
            Command::Alloc { to, of, zeroed, .. } => {
                self.vars[to.index()] = false;
                if let Value::Cell(c) = after.var(*to) {
                    for &field in program.structs[of.index()].fields.iter().filter(|f| is_pointer(**f)) {
                        if *zeroed {
                            self.fields.remove(&(c, field));
                        } else {
                            self.fields.insert((c, field));
                        }
                    }
                }
            }
            Command::Havoc(x) => self.vars[x.index()] = matches!(program.vars[x.index()].ty, Type::Ptr(_)),
            _ => {}
        }
    }
}
