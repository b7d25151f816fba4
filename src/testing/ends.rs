//! Random programs that allocate, hand on, lose and free cells and then end, one way or another.
//!
//! The generator runs what it writes on a heap of its own, so it knows at the end what is allocated, what the globals
//! reach and what the variables of active calls reach. From that follows, by DESIGN 6, decision 10, what each property of the
//! competition says of the program; no code of the interpreter or of the engines is used for it. A program may begin
//! with a choice that returns at once, so that the engines have to say what a run alone does not.

use crate::analysis::Setup;
use crate::frontend::c;
use crate::portfolio::{self, Engine, Task};
use crate::program::{Property, Question};
use crate::util::limits::Limits;
use crate::util::rng::Rng;
use crate::verdict::Verdict;
use std::fmt::Write as _;
use std::time::Duration;

/// A pointer: null, a cell, or a value that must not be looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pointer {
    Null,
    Cell(usize),
    Unusable,
}

#[derive(Clone, Copy)]
struct Cell {
    fields: [Pointer; 2],
    freed: bool,
}

const FIELDS: [&str; 2] = ["next", "other"];

/// How a program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Return,
    Stop,
    Assert,
    Error,
    Never,
}

/// A program and what is right.
pub struct Sample {
    /// The text.
    pub text: String,
    end: End,
    lost: bool,
    allocated: bool,
}

impl Sample {
    /// Whether the property holds.
    #[must_use]
    pub fn holds(&self, property: Property) -> bool {
        match property {
            Property::UnreachCall => self.end != End::Error,
            Property::Memsafety => !self.lost,
            Property::Memcleanup => !self.allocated || self.end == End::Never,
            Property::NoOverflow => true,
            Property::Termination => self.end != End::Never,
        }
    }
}

struct Var {
    name: String,
    value: Pointer,
}

/// One function that is being written.
struct Frame {
    /// Variables by scope; parameters first.
    scopes: Vec<Vec<Var>>,
}

struct Generator {
    rng: Rng,
    cells: Vec<Cell>,
    globals: Vec<Var>,
    frames: Vec<Frame>,
    /// Functions that are complete.
    functions: String,
    names: usize,
    end: Option<End>,
}

/// The program of a seed.
#[must_use]
pub fn sample(seed: u64) -> Sample {
    let globals = ["g", "k"].map(|name| Var { name: name.to_owned(), value: Pointer::Null });
    let mut g = Generator {
        rng: Rng::new(seed),
        cells: Vec::new(),
        globals: globals.into(),
        frames: vec![Frame { scopes: vec![Vec::new()] }],
        functions: String::new(),
        names: 0,
        end: None,
    };
    let mut body = String::new();
    if g.rng.one_in(2) {
        body.push_str("  if (__VERIFIER_nondet_int()) return 0;\n");
    }
    let size = 3 + g.rng.below(6);
    g.statements(size, 2, &mut body);
    if g.end.is_none() {
        body.push_str("  return 0;\n");
        g.end = Some(End::Return);
    }
    let text = format!(
        "#include <stdlib.h>\n#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
         extern void reach_error(void);\nstruct n {{ struct n *next, *other; }};\nstatic struct n *g, *k;\n\
         {}int main(void)\n{{\n{body}}}\n",
        g.functions
    );
    let end = g.end.unwrap_or(End::Return);
    let kept = g.kept(end != End::Return);
    let lost = (0..g.cells.len()).any(|i| !g.cells[i].freed && !kept[i]);
    let allocated = g.cells.iter().any(|c| !c.freed);
    Sample { text, end, lost, allocated }
}

impl Generator {
    /// Which cells globals reach, and variables if they count.
    fn kept(&self, locals: bool) -> Vec<bool> {
        let mut kept = vec![false; self.cells.len()];
        let mut open: Vec<Pointer> = self.globals.iter().map(|v| v.value).collect();
        if locals {
            open.extend(self.frames.iter().flat_map(|f| f.scopes.iter().flatten()).map(|v| v.value));
        }
        while let Some(pointer) = open.pop() {
            if let Pointer::Cell(c) = pointer
                && !self.cells[c].freed
                && !std::mem::replace(&mut kept[c], true)
            {
                open.extend(self.cells[c].fields);
            }
        }
        kept
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a function is being written")
    }

    /// The variables that can be named here: of this function and globals.
    fn visible(&self) -> Vec<(String, Pointer)> {
        let own = self.frames.last().into_iter().flat_map(|f| f.scopes.iter().flatten());
        own.chain(&self.globals).map(|v| (v.name.clone(), v.value)).collect()
    }

    fn set(&mut self, name: &str, value: Pointer) {
        let own = self.frames.last_mut().into_iter().flat_map(|f| f.scopes.iter_mut().flatten());
        if let Some(var) = own.chain(&mut self.globals).find(|v| v.name == name) {
            var.value = value;
        }
    }

    /// What C allows to read: null or a cell that is not freed.
    fn is_usable(&self, pointer: Pointer) -> bool {
        match pointer {
            Pointer::Null => true,
            Pointer::Cell(c) => !self.cells[c].freed,
            Pointer::Unusable => false,
        }
    }

    fn statements(&mut self, size: usize, depth: usize, out: &mut String) {
        for _ in 0..size {
            if self.end.is_some() {
                return;
            }
            self.statement(depth, out);
        }
    }

    fn statement(&mut self, depth: usize, out: &mut String) {
        let visible = self.visible();
        let usable: Vec<_> = visible.iter().filter(|(_, p)| self.is_usable(*p)).cloned().collect();
        let cells: Vec<(String, usize)> = usable
            .iter()
            .filter_map(|(name, p)| match p {
                Pointer::Cell(c) => Some((name.clone(), *c)),
                _ => None,
            })
            .collect();
        match self.rng.below(16) {
            0..=2 => self.declare(&usable, out),
            3..=5 => {
                let (x, _) = self.rng.pick(&visible).clone();
                let cell = self.allocate();
                let _ = writeln!(out, "  {x} = malloc(sizeof *{x}); {x}->next = NULL; {x}->other = NULL;");
                self.set(&x, cell);
            }
            6 => {
                let (x, _) = self.rng.pick(&visible).clone();
                let _ = writeln!(out, "  {x} = NULL;");
                self.set(&x, Pointer::Null);
            }
            7 if !usable.is_empty() => {
                let ((x, _), (y, value)) = (self.rng.pick(&visible).clone(), self.rng.pick(&usable).clone());
                let _ = writeln!(out, "  {x} = {y};");
                self.set(&x, value);
            }
            8 | 9 if !cells.is_empty() => {
                let ((x, c), (y, value)) = (self.rng.pick(&cells).clone(), self.rng.pick(&usable).clone());
                let f = self.rng.below(2);
                let _ = writeln!(out, "  {x}->{} = {y};", FIELDS[f]);
                self.cells[c].fields[f] = value;
            }
            10 if !cells.is_empty() => {
                let ((x, _), (y, c)) = (self.rng.pick(&visible).clone(), self.rng.pick(&cells).clone());
                let f = self.rng.below(2);
                let value = self.cells[c].fields[f];
                if self.is_usable(value) {
                    let _ = writeln!(out, "  {x} = {y}->{};", FIELDS[f]);
                    self.set(&x, value);
                }
            }
            11 if !cells.is_empty() => {
                let (x, c) = self.rng.pick(&cells).clone();
                let _ = writeln!(out, "  free({x});");
                self.cells[c].freed = true;
            }
            12 if depth > 0 => {
                out.push_str("  {\n");
                self.frame().scopes.push(Vec::new());
                let size = 1 + self.rng.below(4);
                self.statements(size, depth - 1, out);
                if self.end.is_none() {
                    self.frame().scopes.pop();
                }
                out.push_str("  }\n");
            }
            13 if depth > 0 => self.call(&usable, depth, out),
            14 => self.build(out),
            15 => self.finish(out),
            _ => {}
        }
    }

    fn allocate(&mut self) -> Pointer {
        self.cells.push(Cell { fields: [Pointer::Null; 2], freed: false });
        Pointer::Cell(self.cells.len() - 1)
    }

    fn declare(&mut self, usable: &[(String, Pointer)], out: &mut String) {
        let name = self.fresh("v");
        let value = match self.rng.below(4) {
            0 => {
                let _ = writeln!(out, "  struct n *{name};");
                Pointer::Unusable
            }
            1 if !usable.is_empty() => {
                let (y, value) = self.rng.pick(usable).clone();
                let _ = writeln!(out, "  struct n *{name} = {y};");
                value
            }
            2 => {
                let cell = self.allocate();
                let _ = writeln!(
                    out,
                    "  struct n *{name} = malloc(sizeof *{name}); {name}->next = NULL; {name}->other = NULL;"
                );
                cell
            }
            _ => {
                let _ = writeln!(out, "  struct n *{name} = NULL;");
                Pointer::Null
            }
        };
        if let Some(scope) = self.frame().scopes.last_mut() {
            scope.push(Var { name, value });
        }
    }

    /// A function of its own, called once; it may end the program.
    fn call(&mut self, usable: &[(String, Pointer)], depth: usize, out: &mut String) {
        let (name, parameter) = (self.fresh("f"), self.fresh("p"));
        let (argument, value) = match usable {
            [] => ("NULL".to_owned(), Pointer::Null),
            usable => self.rng.pick(usable).clone(),
        };
        let _ = writeln!(out, "  {name}({argument});");
        let scope = vec![Var { name: parameter.clone(), value }];
        self.frames.push(Frame { scopes: vec![scope] });
        let mut body = String::new();
        let size = 1 + self.rng.below(5);
        self.statements(size, depth - 1, &mut body);
        if self.end.is_none() {
            self.frames.pop();
        }
        let _ = write!(self.functions, "static void {name}(struct n *{parameter})\n{{\n{body}}}\n");
    }

    /// A loop that builds a list, or one whose cells are lost round by round.
    fn build(&mut self, out: &mut String) {
        let visible = self.visible();
        let (x, value) = self.rng.pick(&visible).clone();
        let (rounds, t, i) = (1 + self.rng.below(3), self.fresh("t"), self.fresh("i"));
        let keeps = !self.rng.one_in(4) && self.is_usable(value);
        let link = if keeps { format!("{t}->next = {x}; {x} = {t};") } else { format!("{t}->next = NULL;") };
        let _ = writeln!(
            out,
            "  for (int {i} = 0; {i} < {rounds}; {i}++) {{ struct n *{t} = malloc(sizeof *{t}); {t}->other = NULL; {link} }}"
        );
        let mut last = value;
        for _ in 0..rounds {
            let cell = self.allocate();
            if let (Pointer::Cell(c), true) = (cell, keeps) {
                self.cells[c].fields[0] = last;
                last = cell;
            }
        }
        if keeps {
            self.set(&x, last);
        }
    }

    fn finish(&mut self, out: &mut String) {
        let main = self.frames.len() == 1;
        let (end, statement) = match self.rng.below(7) {
            0 if main => (End::Return, "return 0;"),
            0 | 1 => (End::Stop, "exit(1);"),
            2 => (End::Stop, "abort();"),
            3 | 4 => (End::Assert, "assert(0);"),
            5 => (End::Error, "reach_error();"),
            _ => (End::Never, "while (1) ;"),
        };
        let _ = writeln!(out, "  {statement}");
        self.end = Some(end);
    }
}

/// Judges the program of a seed; the word of the last verdict.
///
/// # Errors
/// What is wrong.
pub fn check_ends(seed: u64) -> Result<&'static str, String> {
    let sample = sample(seed);
    let mut last = "unknown";
    for property in Property::ALL {
        let options =
            c::Options { checks: property.checks(), property: Some(property), ..c::Options::default() };
        let unit = c::load("ends.c", sample.text.as_bytes(), &options);
        let main = unit.functions.iter().find(|f| f.name == "main");
        let program = match main.map(|f| &f.program) {
            Some(Ok(program)) => program,
            other => return Err(format!("no program: {other:?}\n{}", sample.text)),
        };
        let question = Question { contract: 0, checks: property.checks() };
        let limits = Limits { time: Some(Duration::from_secs(2)), ..Limits::default() };
        let setup = Setup { limits, ..Setup::default() };
        let task = Task { program, inlined: None, question: &question, property: None, aside: None };
        let decided = portfolio::decide(Engine::Auto, &task, &setup, &|_| {});
        let (word, holds) = (decided.outcome.verdict.word(), sample.holds(property));
        let wrong = match decided.outcome.verdict {
            Verdict::Verified(_) => !holds,
            Verdict::Violated(_) => holds,
            Verdict::TooWeak(_) | Verdict::Unknown(_) => false,
        };
        if wrong || decided.disagreement {
            let right = if holds { "it holds" } else { "it does not hold" };
            let said = format!("{} by {}", word, decided.outcome.engine);
            return Err(format!("{}: {said}, but {right}\n{}", property.word(), sample.text));
        }
        last = word;
    }
    Ok(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_judged_right() {
        for seed in 0..150 {
            if let Err(complaint) = check_ends(seed) {
                panic!("seed {seed}: {complaint}");
            }
        }
    }
}
