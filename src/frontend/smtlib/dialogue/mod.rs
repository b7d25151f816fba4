//! The dialogue: commands in, responses out, in the order of SMT-LIB 2.6.
//!
//! A [`Dialogue`] owns the terms (inside its solver), the assertion stack, the options and the last answer.
//! [`Dialogue::command`] takes one S-expression and returns one [`Response`]; it never prints. `options` holds
//! what can be set, `check` brings the solver up to date and asks it (`heap` where the heap is spoken of),
//! `ask` answers the `get-` commands, `model` writes models and values.
//!
//! The solver is brought up to date when a check comes, not when an assertion does: options may come late,
//! levels that were never checked cost nothing.
//!
//! After an error the dialogue goes on with everything that was said before: a command either succeeds or
//! changes nothing. What was refused is remembered if it could have constrained the problem, and turns `sat`
//! into `unknown` ([`crate::frontend::smtlib::refuse`]).

mod allowance;
mod ask;
mod check;
#[cfg(feature = "cli")]
pub mod graph;
mod heap;
mod interpolants;
mod model;
mod options;
/// How many parentheses are opened in a text and how many words it has, roughly.
fn lists_and_words(text: &str) -> (u64, u64) {
    let (mut n_lists, mut n_words, mut in_word) = (0, 0, false);
    for byte in text.bytes() {
        let parenthesis = matches!(byte, b'(' | b')');
        n_lists += u64::from(byte == b'(');
        let now = !parenthesis && !byte.is_ascii_whitespace();
        n_words += u64::from(now && !in_word);
        in_word = now;
    }
    (n_lists, n_words)
}

#[cfg(test)]
mod tests;

pub use check::{Judge, Objection};
pub use options::{LOGICS, Settings};

use crate::engine::solver::Solver;
use crate::frontend::smtlib::error::ReadError;
use crate::frontend::smtlib::refuse::word_of;
use crate::frontend::smtlib::sexpr::{Cutter, Kind, Tree};
use crate::frontend::smtlib::stack::{Done, Stack, command_name};
use crate::frontend::smtlib::stream::Chunk;
use crate::logic::sep::Heap;
use crate::logic::{Model, TermId, Terms};
use crate::proof::Proof;
use crate::proof::text::Translated;
use crate::util::limits::{Budget, Limits, Stop};
use allowance::{Allowance, Part};
use check::Mirror;
use options::Options;
use std::time::Duration;

/// What a command answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response {
    /// The command was carried out; printed only under `:print-success`.
    Success,
    /// An answer, on one or more lines, without a newline at the end.
    Text(String),
    /// The command or option is known or well formed, but this solver does not have it.
    Unsupported,
    /// Something is wrong with the command; nothing has changed.
    Error(ReadError),
    /// The end of the dialogue.
    Exit,
    /// An answer of ours failed its own check: a bug in this program, not in the input.
    Internal(String),
}

impl Response {
    fn text(text: impl Into<String>) -> Response {
        Response::Text(text.into())
    }
}

/// What reading a command takes for each of its parentheses and for each of its words, measured on deep and on
/// wide terms.
const BYTES_PER_LIST: u64 = 100;
const BYTES_PER_WORD: u64 = 120;

type Answered = Result<Response, ReadError>;

/// What the last check said; forgotten as soon as the assertions change.
#[derive(Debug, Default)]
enum Last {
    #[default]
    Nothing,
    Sat(Box<Model>),
    Unsat {
        core: Vec<String>,
        /// Positions in the list of assumptions.
        assumptions: Vec<usize>,
        proof: Option<Box<Proof>>,
    },
    Unknown,
}

/// A dialogue with one client.
pub struct Dialogue {
    solver: Solver,
    stack: Stack,
    options: Options,
    settings: Settings,
    judge: Option<Box<dyn Judge>>,
    mirror: Mirror,
    last: Last,
    /// The assumptions of the last check, with the text that the user gave.
    assumed: Vec<(TermId, String)>,
    reason_unknown: Option<String>,
    /// The heap of the last check, if it was sat and about the heap.
    heap: Option<Heap>,
    /// What the translation of the last check made, if that was about the heap.
    translated: Translated,
    allowance: Allowance,
}

impl Default for Dialogue {
    fn default() -> Dialogue {
        Dialogue::new(Settings::default())
    }
}

impl Dialogue {
    /// A dialogue at its beginning.
    pub fn new(settings: Settings) -> Dialogue {
        let options = Options::default();
        let solver = Solver::with_config(options.config(&settings, false));
        Dialogue {
            solver,
            stack: Stack::default(),
            options,
            settings,
            judge: None,
            mirror: Mirror::default(),
            last: Last::Nothing,
            assumed: Vec::new(),
            reason_unknown: None,
            heap: None,
            translated: Translated::default(),
            allowance: Allowance::default(),
        }
    }

    /// Every answer from now on is checked by the judge before it is given.
    pub fn set_judge(&mut self, judge: Box<dyn Judge>) {
        self.judge = Some(judge);
    }

    /// The terms.
    #[cfg(feature = "testing")]
    pub fn terms(&self) -> &Terms {
        self.solver.terms()
    }

    /// The formulas asserted now, oldest first.
    pub fn assertions(&self) -> impl Iterator<Item = TermId> + '_ {
        self.stack.assertions().iter().map(|a| a.formula)
    }

    /// The proof of the last check, if it was unsat and proofs are kept.
    pub fn proof(&self) -> Option<&Proof> {
        match &self.last {
            Last::Unsat { proof, .. } => proof.as_deref(),
            _ => None,
        }
    }

    /// The names of the assertions that the last check needed, if it was unsat and cores are made.
    pub fn core(&self) -> &[String] {
        match &self.last {
            Last::Unsat { core, .. } => core,
            _ => &[],
        }
    }

    /// Why the last check answered `unknown`, if it did.
    pub fn reason_unknown(&self) -> Option<&str> {
        self.reason_unknown.as_deref()
    }

    /// The model of the last check as commands, if it was sat.
    pub fn model_text(&self) -> Option<String> {
        if let Some(text) = self.heap_model_text() {
            return Some(text);
        }
        match &self.last {
            Last::Sat(model) => Some(model::model_text(self.solver.terms(), &self.stack.context, model)),
            _ => None,
        }
    }

    /// Work done so far.
    pub fn stats(&self) -> crate::util::stats::Stats {
        self.solver.stats()
    }

    /// What is left of the limits for the present command.
    fn limits(&self) -> Limits {
        let limits = self.options.limits(&self.settings);
        Limits { time: limits.time.map(|time| self.allowance.left(time)), ..limits }
    }

    /// What reading the present command may take: steps are counted in checks only.
    fn reading_budget(&self) -> Budget {
        Budget::new(&Limits { steps: None, memory: None, ..self.limits() })
    }

    /// What is left of the time limit for the next command, if there is one.
    pub fn time_left(&self) -> Option<Duration> {
        self.limits().time
    }

    /// Whether the time limit is used up, so that whatever says something is refused until the next check.
    pub fn is_exhausted(&self) -> bool {
        self.allowance.exhausted
    }

    /// Counts the time since the last answer, which was spent on reading the next command, towards the limit of
    /// the next check; not that of waiting for it.
    pub fn charge_reading(&mut self, waited: Duration) {
        if self.settings.limits.time.is_some() {
            self.allowance.charge_reading(waited);
        }
    }

    /// What is printed for a response, with its newline; empty if nothing is.
    pub fn print(&self, response: &Response) -> String {
        match response {
            Response::Success if self.options.print_success => "success\n".to_owned(),
            Response::Success => String::new(),
            // The end is a success as well.
            Response::Exit if self.options.print_success => "success\n".to_owned(),
            Response::Exit => String::new(),
            Response::Text(text) => format!("{text}\n"),
            Response::Unsupported => "unsupported\n".to_owned(),
            Response::Error(error) => format!("(error {})\n", quoted(&error.to_string())),
            Response::Internal(what) => format!("(error {})\n", quoted(&format!("internal error: {what}"))),
        }
    }

    /// Answers one command given as text.
    pub fn chunk(&mut self, chunk: &Chunk) -> Response {
        let word = word_of(&chunk.text);
        if self.allowance.exhausted && says(word) && !self.options.print_success {
            let over = "the deadline passed";
            self.stack.refuse(word, || ReadError::new(chunk.at, over));
            return Response::Success;
        }
        self.allowance.begin();
        let response = match self.beyond_limits(word, chunk) {
            Some(error) => self.refuse_for_limits(word, error),
            None => match Cutter::at(&chunk.text, chunk.at).next_tree() {
                Ok(Some(tree)) => self.command(&tree),
                Ok(None) => Response::Success,
                Err(error) => self.refuse(word, error),
            },
        };
        self.allowance.end(Part::of(word));
        response
    }

    /// Answers what a stream gave: a command, or the error of a text that is none.
    pub fn read(&mut self, chunk: Result<Chunk, ReadError>) -> Response {
        match chunk {
            Ok(chunk) => self.chunk(&chunk),
            Err(error) => self.refuse(None, error),
        }
    }

    /// The answer to a command with an error. If it could have constrained the problem, no model of the rest
    /// is one of the script.
    fn refuse(&mut self, word: Option<&str>, error: ReadError) -> Response {
        self.stack.refuse(word, || error.clone());
        Response::Error(error)
    }

    /// The answer to a command beyond the limits. Of those that say something the first one is told; whoever goes
    /// on has the answer `unknown` to the next check.
    fn refuse_for_limits(&mut self, word: Option<&str>, error: ReadError) -> Response {
        self.stack.refuse(word, || error.clone());
        let told = std::mem::replace(&mut self.allowance.complained, true);
        let silent = told && says(word) && !self.options.print_success;
        if silent { Response::Success } else { Response::Error(error) }
    }

    /// The error of a command that says something for which there is no time or no memory left. Questions are
    /// always in order: they count for themselves.
    fn beyond_limits(&mut self, word: Option<&str>, chunk: &Chunk) -> Option<ReadError> {
        self.stack.context.budget = self.reading_budget();
        if !says(word) {
            return None;
        }
        if let Err(stop) = self.stack.context.budget.poll() {
            self.allowance.exhausted = stop == Stop::Deadline;
            return Some(ReadError::new(chunk.at, format!("{stop}: this and what follows it is not read")));
        }
        self.beyond_memory(chunk)
    }

    fn beyond_memory(&self, chunk: &Chunk) -> Option<ReadError> {
        let limit = self.settings.limits.memory?;
        let (n_lists, n_words) = lists_and_words(&chunk.text);
        let reading = n_lists * BYTES_PER_LIST + n_words * BYTES_PER_WORD + chunk.text.len() as u64;
        let reading = reading + self.solver.terms().growth_bytes();
        let held = self.solver.terms().memory_bytes() + self.stack.memory_bytes();
        (held.saturating_add(reading) > limit).then(|| {
            let [held, reading, limit] = [held, reading, limit].map(|bytes| bytes.div_ceil(1 << 20));
            let what = format!(
                "the memory limit is reached: {held} MB are held, this takes {reading} MB, the limit is {limit} MB"
            );
            ReadError::new(chunk.at, what).beyond_us(true)
        })
    }

    /// Answers one command.
    pub fn command(&mut self, tree: &Tree<'_>) -> Response {
        let word = command_name(tree).ok();
        match self.answer(tree) {
            Ok(Response::Unsupported) => {
                let what = format!("{} is not supported", word.unwrap_or_default());
                self.stack.refuse(word, || ReadError::new(tree.at(Tree::ROOT), what));
                Response::Unsupported
            }
            Ok(response) => response,
            Err(error) if self.stack.context.budget.stopped().is_some() => {
                self.refuse_for_limits(word, error)
            }
            Err(error) => self.refuse(word, error),
        }
    }

    fn answer(&mut self, tree: &Tree<'_>) -> Answered {
        match self.stack.command(self.solver.terms_mut(), tree)? {
            Done::Declared => return Ok(Response::Success),
            Done::Changed => {
                self.last = Last::Nothing;
                return Ok(Response::Success);
            }
            Done::Unsupported => return Ok(Response::Unsupported),
            Done::NotMine => {}
        }
        let root = Tree::ROOT;
        let none = |expected: &str| tree.exactly::<1>(root, expected);
        match command_name(tree)? {
            "set-logic" => options::set_logic(tree),
            "set-info" => options::set_info(tree),
            "set-option" => self.set_option(tree),
            "get-option" => self.get_option(tree),
            "get-info" => self.get_info(tree),
            "check-sat" => {
                none("(check-sat)")?;
                Ok(self.check(Vec::new()))
            }
            "check-sat-assuming" => self.check_sat_assuming(tree),
            "get-model" => {
                none("(get-model)")?;
                self.get_model(tree)
            }
            "get-value" => self.get_value(tree),
            "get-assignment" => {
                none("(get-assignment)")?;
                self.get_assignment(tree)
            }
            "get-assertions" => {
                none("(get-assertions)")?;
                self.get_assertions(tree)
            }
            "get-unsat-core" => {
                none("(get-unsat-core)")?;
                self.get_unsat_core(tree)
            }
            "get-unsat-assumptions" => {
                none("(get-unsat-assumptions)")?;
                self.get_unsat_assumptions(tree)
            }
            "get-proof" => {
                none("(get-proof)")?;
                self.get_proof(tree)
            }
            "get-interpolants" => self.get_interpolants(tree),
            "echo" => {
                let [_, text] = tree.exactly(root, "(echo \"text\")")?;
                if tree.kind(text) != Kind::String {
                    return Err(tree.expected(text, "a string"));
                }
                Ok(Response::text(tree.source(text)))
            }
            "reset" => {
                none("(reset)")?;
                let judge = self.judge.take();
                let print_success = self.options.print_success;
                *self = Dialogue { allowance: self.allowance, ..Dialogue::new(self.settings.clone()) };
                self.judge = judge;
                // How the two sides talk is no state of the solver; where the standard resets it, to `true`.
                self.options.print_success = print_success;
                Ok(Response::Success)
            }
            "exit" => {
                none("(exit)")?;
                Ok(Response::Exit)
            }
            _ => {
                let head = tree.children(root).next().expect("a command has a head");
                Err(tree.expected(head, "a known command"))
            }
        }
    }
}

/// Whether a command with this word says something that has to be read and kept.
fn says(word: Option<&str>) -> bool {
    let words = ["assert", "declare-", "define-"];
    word.is_some_and(|word| words.iter().any(|start| word.starts_with(start)))
}

/// A string literal with this content; quotes are doubled.
fn quoted(content: &str) -> String {
    format!("\"{}\"", content.replace('"', "\"\""))
}

/// A command that has no answer in the present state.
fn not_now(tree: &Tree<'_>, why: &str) -> ReadError {
    ReadError::new(tree.at(Tree::ROOT), why)
}
