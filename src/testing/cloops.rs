//! Loops over few numbers and short lists: whether all of their runs end is found out by looking at all states.
//!
//! The programs keep their numbers small, so from an entry state finitely many states are reached, and a run without an
//! end exists exactly if these have a cycle. What the portfolio says about termination must agree: a program that is
//! verified has no cycle from any small entry, and one that is violated has one from the entry that is shown.

use crate::analysis::Setup;
use crate::frontend::c;
use crate::portfolio::{self, Engine, Task};
use crate::program::interp::{Machine, Odometer};
use crate::program::{CellId, Check, Program, Question, State, Status, StructId, Value, VarKind};
use crate::util::hash::Map;
use crate::util::limits::Limits;
use crate::util::rng::Rng;
use crate::verdict::Verdict;
use std::time::Duration;

const NODES: usize = 40_000;

struct Writer {
    rng: Rng,
    out: String,
    labels: usize,
    lists: bool,
}

impl Writer {
    fn number(&mut self) -> &'static str {
        const NAMES: [&str; 4] = ["a", "b", "c", "d"];
        NAMES[self.rng.below(4)]
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn pointer(&mut self) -> &'static str {
        ["p", "q"][self.rng.below(2)]
    }

    fn test(&mut self) -> String {
        if self.lists && !self.rng.one_in(3) {
            let p = self.pointer();
            return match self.rng.below(5) {
                0 => format!("{p} != l"),
                1 => format!("{p} && {p}->next"),
                2 => format!("{p} && {p}->data == {}", self.rng.below(2)),
                _ => p.to_owned(),
            };
        }
        let (x, y) = (self.number(), self.number());
        match self.rng.below(6) {
            0 => "__VERIFIER_nondet_int()".to_owned(),
            1 => format!("{x} != {y}"),
            2 => format!("{x} < {y}"),
            3 => format!("{x} > {}", self.rng.below(3)),
            4 => format!("{x} < {}", 2 + self.rng.below(4)),
            _ => format!("{x} > 0"),
        }
    }

    fn statement(&mut self, depth: usize, in_loop: bool) {
        let (x, y) = (self.number(), self.number());
        let choice = self.rng.below(if depth == 0 { 7 } else { 12 });
        match choice {
            0 => {
                let by = 1 + self.rng.below(3);
                self.put(&format!("{x} = ({x} + {by}) % 6; "));
            }
            1 | 2 => self.put(&format!("if ({x} > 0) {x} = {x} - 1; ")),
            3 => self.put(&format!("if ({x} < 5) {x} = {x} + 1; ")),
            4 if self.lists => {
                let p = self.pointer();
                let change = match self.rng.below(4) {
                    0 => format!("{p}->data = 1 - {p}->data;"),
                    1 => format!("if ({p}->next) {p}->next = {p}->next->next;"),
                    _ => format!("{p} = {p}->next;"),
                };
                self.put(&format!("if ({p}) {{ {change} }} "));
            }
            5 if self.lists => {
                let p = self.pointer();
                self.put(&format!("if ({p}) {p} = {p}->next; "));
            }
            4 | 5 => self.put(&format!("{x} = {y}; ")),
            6 if in_loop => {
                let test = self.test();
                let word = ["break", "continue"][self.rng.below(2)];
                self.put(&format!("if ({test}) {word}; "));
            }
            7 | 8 => {
                let test = self.test();
                self.put(&format!("if ({test}) {{ "));
                self.statements(depth - 1, in_loop);
                self.out.push_str("} else { ");
                self.statements(depth - 1, in_loop);
                self.out.push_str("} ");
            }
            9 | 10 => {
                let test = self.test();
                let do_while = self.rng.one_in(4);
                self.put(&format!(
                    "{} {{ ",
                    if do_while { "do".to_owned() } else { format!("while ({test})") }
                ));
                self.statements(depth - 1, true);
                self.put(&format!(
                    "}} {}",
                    if do_while { format!("while ({test}); ") } else { String::new() }
                ));
            }
            11 => {
                self.labels += 1;
                let (label, test) = (self.labels, self.test());
                self.put(&format!("again{label}: ; "));
                self.statements(depth - 1, in_loop);
                self.put(&format!("if ({test}) goto again{label}; "));
            }
            _ => {}
        }
    }

    fn statements(&mut self, depth: usize, in_loop: bool) {
        for _ in 0..1 + self.rng.below(3) {
            self.statement(depth, in_loop);
        }
    }
}

/// The program of this seed: a function `f` with numbers, and with a list if asked for.
#[must_use]
pub fn text(seed: u64, lists: bool) -> String {
    let mut w = Writer { rng: Rng::new(seed), out: String::new(), labels: 0, lists };
    let shape = ["\\true", "\\list(next, l)", "\\cyclic(next, l)"][w.rng.below(3)];
    let shape = if lists { shape } else { "\\true" };
    let test = w.test();
    w.put(&format!("while ({test}) {{ "));
    w.statements(2, true);
    w.out.push_str("} ");
    w.statements(2, false);
    let body = w.out;
    format!(
        "extern int __VERIFIER_nondet_int(void);\nstruct node {{ int data; struct node *next; }};\n\
         /*@ requires 0 <= a && a < 3 && 0 <= b && b < 3 && {shape}; @*/\n\
         int f(int a, int b, struct node *l) {{ int c = 0, d = 2; struct node *p = l, *q = l; {body}return a + b + c + d; }}\n"
    )
}

/// What was found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// All runs end, and it was verified.
    Ends,
    /// A run does not end, and it was shown.
    Endless,
    /// The portfolio does not know.
    Open,
    /// Too many states, or the program has no model.
    Skipped,
}

/// Whether a run from this state does not end; `None` if there are too many states.
fn has_cycle(program: &Program, machine: &Machine<'_>, initial: &State) -> Option<bool> {
    // By state: its number. A node is open while what follows from it is looked at.
    type Seen = (u32, Vec<Value>, Vec<Vec<Value>>);
    let mut numbers: Map<Seen, usize> = Map::default();
    let mut done: Vec<bool> = Vec::new();
    let key = |run: &crate::program::interp::Run| {
        let state = &run.state;
        let cells = (0..state.cells.len()).map(|i| {
            let of = state.cells[i].of;
            let cell = Value::Cell(CellId(i as u32));
            program.structs[of.index()].fields.iter().map(|f| state.field(cell, *f)).collect()
        });
        (run.location.0, state.vars.clone(), cells.collect())
    };
    let next = |run: &crate::program::interp::Run| {
        let mut out = Vec::new();
        let ints = [0, 1];
        let mut odometer = Odometer::new(&ints, false);
        loop {
            let mut after = run.clone();
            if machine.step(&mut after, &mut odometer, &mut |_, _| {}).is_none() {
                out.push(after);
            }
            if !odometer.advance() {
                return out;
            }
        }
    };
    let start = machine.start(initial.clone());
    numbers.insert(key(&start), 0);
    done.push(false);
    let mut stack = vec![(0usize, next(&start))];
    while let Some((node, rest)) = stack.last_mut() {
        let Some(run) = rest.pop() else {
            done[*node] = true;
            stack.pop();
            continue;
        };
        let count = numbers.len();
        let number = *numbers.entry(key(&run)).or_insert(count);
        if number < count {
            if !done[number] {
                return Some(true);
            }
            continue;
        }
        if count > NODES {
            return None;
        }
        done.push(false);
        let after = next(&run);
        stack.push((number, after));
    }
    Some(false)
}

/// Small entry states.
fn entries(program: &Program, lists: bool) -> Vec<State> {
    let param = |name: &str| {
        let found = program.vars.iter().position(|v| v.kind == VarKind::Param && v.name == name);
        found.unwrap_or(0)
    };
    let mut out = Vec::new();
    for a in 0..3 {
        for b in 0..3 {
            for n in 0..if lists { 3usize } else { 1 } {
                // Every cell leads to a cell or to null, with one of two numbers.
                for code in 0..(2 * (n + 1)).pow(n as u32) {
                    let mut state = State::new(program);
                    let mut code = code;
                    let mut digit = |base: usize| {
                        let digit = code % base;
                        code /= base;
                        digit
                    };
                    for _ in 0..n {
                        state.add_cell(program, StructId(0), Status::Heap);
                    }
                    let pointer =
                        |k: usize| if k == 0 { Value::Null } else { Value::Cell(CellId(k as u32 - 1)) };
                    for cell in 0..n {
                        for field in program.structs[0].fields.clone() {
                            let value = match program.fields[field.index()].ty {
                                crate::program::Type::Int(_) => Value::Int(digit(2) as i128),
                                _ => pointer(digit(n + 1)),
                            };
                            state.set_field(CellId(cell as u32), field, value);
                        }
                    }
                    state.vars[param("a")] = Value::Int(a);
                    state.vars[param("b")] = Value::Int(b);
                    state.vars[param("l")] = pointer(usize::from(n > 0));
                    out.push(state);
                }
            }
        }
    }
    out
}

/// Compares what the portfolio says of the program of this seed with all its states.
///
/// # Errors
/// If they contradict each other.
pub fn check(seed: u64, lists: bool) -> Result<Answer, String> {
    let text = text(seed, lists);
    let options = c::Options { checks: vec![Check::Termination], ..c::Options::default() };
    let unit = c::load("loops.c", text.as_bytes(), &options);
    let Some(Ok(program)) = unit.functions.first().map(|f| &f.program) else {
        return if unit.has_errors() {
            Err(format!("{:?}\n{text}", unit.diagnostics))
        } else {
            Ok(Answer::Skipped)
        };
    };
    let question = Question { contract: 0, checks: vec![Check::Termination] };
    let task = Task { program, inlined: None, question: &question, property: None, aside: None };
    let limits = Limits { time: Some(Duration::from_secs(4)), ..Limits::default() };
    let decided = portfolio::decide(Engine::Auto, &task, &Setup { limits, ..Setup::default() }, &|_| {});
    if decided.disagreement {
        return Err(format!("{:?}\n{text}", decided.outcome));
    }
    let machine = Machine::new(program, &question);
    match decided.outcome.verdict {
        Verdict::Verified(_) => {
            for state in entries(program, lists) {
                if machine.admits(&state) == Ok(true) && has_cycle(program, &machine, &state) == Some(true) {
                    return Err(format!(
                        "seed {seed}: verified, but there is an endless run from {state:?}\n{text}"
                    ));
                }
            }
            Ok(Answer::Ends)
        }
        Verdict::Violated(trace) => {
            // The program of the trace has more variables, all after those of this one.
            let mut initial = trace.initial.clone();
            initial.vars.truncate(program.vars.len());
            initial.arrays.truncate(program.vars.len());
            match has_cycle(program, &machine, &initial) {
                Some(true) => Ok(Answer::Endless),
                Some(false) => {
                    Err(format!("seed {seed}: violated, but all runs end from {initial:?}\n{text}"))
                }
                None => Ok(Answer::Skipped),
            }
        }
        Verdict::TooWeak(_) | Verdict::Unknown(_) => Ok(Answer::Open),
    }
}
