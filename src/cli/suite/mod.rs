//! `catena suite NAME|all [--json]`: reproduces the tables of the papers.
//!
//! A suite is a list of [`Row`]s in a file of its own below this one; the programs are part of the binary
//! (`include_str!` from `tests/programs`), so the command works wherever it is installed. Each row names the
//! program, the engine, the expected verdict and what the paper reports. The exit status is 0 if every row has
//! its expected verdict, else 1.

mod bohne;
mod lazy_table;
mod lisbq;
mod monotone;
mod pdr;
mod rows;

use super::Terminals;
use super::screen::Progress;
use crate::analysis::heaps::Context;
use crate::analysis::lazy::Columns;
use crate::analysis::{Setup, Variants};
use crate::frontend::c;
use crate::portfolio::{self, Engine, Task};
use crate::program::{Check, Question};
use crate::report;
use crate::util::limits::Limits;
use crate::verdict::{Counters, Outcome, Reason, Verdict};
use clap::builder::PossibleValuesParser;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Time for one row: the longest takes half a minute on an idle machine, and a busy one must not change a verdict.
const ROW_LIMIT: Duration = Duration::from_secs(300);

/// One cell of a table: one program, one property, one engine.
pub struct Row {
    /// Name of the row.
    pub row: &'static str,
    /// Column of the table; `context NAME` runs the engine `heaps` in that context.
    pub column: &'static str,
    /// Text of the program.
    pub text: &'static str,
    /// The functions it is about; empty: all of the file. The row's verdict is the worst of them.
    pub functions: &'static [&'static str],
    /// The behaviour asked about.
    pub behavior: Option<&'static str>,
    /// The engine.
    pub engine: Engine,
    /// Property classes; empty: the default.
    pub checks: &'static [Check],
    /// Which halves of the engine `lazy` may be refined.
    pub columns: Columns,
    /// Expected verdict.
    pub expected: &'static str,
    /// Figures of the paper, by name.
    pub paper: &'static [(&'static str, &'static str)],
}

/// What a row gave.
struct Given {
    verdict: &'static str,
    reason: Option<String>,
    time: Duration,
    counters: Counters,
}

/// Reproduce a paper's table
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(super) struct Arguments {
    /// The suite, or `all`
    #[arg(value_name = "NAME", value_parser = PossibleValuesParser::new(known()))]
    name: String,
    /// An array of objects instead of tables
    #[arg(long)]
    json: bool,
}

const AFTER: &str = "\
Each row is one program and one property with the engine of its paper, the verdict that is expected, and what the
paper reports; broken variants of the programs are rows too. The programs are part of this program.

  lisbq      annotated loops, engine vc: Figure 16 of the LISBQ paper
  pdr        inferred invariants, engine pdr
  bohne      Boolean heaps, engine heaps
  monotone   backward reachability over signatures, engine monotone
  lazy       predicate abstraction and shape graphs, engine lazy

exit status: 0 every row has its expected verdict, 1 not every row, 64 usage";

/// Runs the command.
pub(super) fn run(arguments: &Arguments, terminals: Terminals, out: &mut dyn Write) -> io::Result<u8> {
    let mut progress = Progress::new(terminals.err);
    let (name, as_json) = (arguments.name.as_str(), arguments.json);
    let chosen = rows::SUITES.iter().filter(|(n, _)| name == "all" || *n == name);
    let token = crate::util::limits::CancelToken::new();
    super::interrupt::on_ctrl_c(&token);
    let mut all = Vec::new();
    let mut right = true;
    for (suite, rows) in chosen {
        let mut table = vec![heading()];
        for row in *rows {
            if token.is_cancelled() {
                break;
            }
            progress.tell(|| format!("suite {suite}: {} ({})", row.row, row.column))?;
            let limits = Limits { time: Some(ROW_LIMIT), cancel: Some(token.clone()), ..Limits::default() };
            let given = decide(row, &Setup { limits, jobs: 1, variants: variants(row), ..Setup::default() });
            right &= given.verdict == row.expected;
            table.push(line(row, &given));
            all.push(object(suite, row, &given));
        }
        progress.clear()?;
        if !as_json && table.len() > 1 {
            writeln!(out, "suite {suite}")?;
            out.write_all(aligned(&table).as_bytes())?;
        }
    }
    if as_json {
        writeln!(out, "{}", serde_json::to_string_pretty(&all).map_err(io::Error::other)?)?;
    }
    Ok(u8::from(!right))
}

fn known() -> Vec<&'static str> {
    rows::SUITES.iter().map(|(name, _)| *name).chain(["all"]).collect()
}

/// From good to bad: the verdict of a row about several functions is the worst.
fn rank(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Verified(_) => 0,
        Verdict::TooWeak(_) => 1,
        Verdict::Unknown(_) => 2,
        Verdict::Violated(_) => 3,
    }
}

fn variants(row: &Row) -> Variants {
    Variants {
        predicates: pdr::predicates(row),
        context: row.column.strip_prefix("context ").and_then(Context::named),
        columns: row.columns,
    }
}

fn decide(row: &Row, setup: &Setup) -> Given {
    let start = Instant::now();
    let unit = c::load(row.row, row.text.as_bytes(), &c::Options::default());
    let mut worst: Option<Outcome> = None;
    let mut counters = Counters::default();
    for function in &unit.functions {
        if !row.functions.is_empty() && !row.functions.contains(&function.name.as_str()) {
            continue;
        }
        let outcomes = match &function.program {
            Ok(program) => {
                let contracts = program.contracts.iter().enumerate();
                let contracts = contracts
                    .filter(|(_, c)| row.behavior.is_none() || c.behavior.as_deref() == row.behavior);
                let decide = |(contract, _)| {
                    let mut question = Question::of_contract(contract);
                    if !row.checks.is_empty() {
                        question.checks = row.checks.to_vec();
                    }
                    let task = Task { program, inlined: None, question: &question, property: None };
                    portfolio::decide(row.engine, &task, setup, &|_| {}).outcome
                };
                contracts.map(decide).collect()
            }
            Err(diagnostics) => {
                let message = diagnostics.first().map_or("unreadable", |d| &d.message).to_owned();
                vec![Outcome::unknown(row.engine.author(), Reason { message, span: None })]
            }
        };
        for outcome in outcomes {
            counters.add(&outcome.counters);
            if worst.as_ref().is_none_or(|w| rank(&outcome.verdict) > rank(&w.verdict)) {
                worst = Some(outcome);
            }
        }
    }
    let (verdict, reason) = match worst.map(|o| o.verdict) {
        Some(Verdict::Unknown(reason)) => ("unknown", Some(reason.message)),
        Some(verdict) => (verdict.word(), None),
        None => ("unknown", Some("the program has no such function or behaviour".to_owned())),
    };
    Given { verdict, reason, time: start.elapsed(), counters }
}

fn heading() -> Vec<String> {
    let words = ["row", "column", "verdict", "expected", "time", "work", "paper"];
    words.iter().map(|w| (*w).to_owned()).collect()
}

fn line(row: &Row, given: &Given) -> Vec<String> {
    let mark = if given.verdict == row.expected { "" } else { " WRONG" };
    let paper: Vec<String> = row.paper.iter().map(|(name, value)| format!("{name} {value}")).collect();
    let work = match &given.reason {
        Some(reason) => reason.clone(),
        None => report::text::counters(&given.counters),
    };
    vec![
        row.row.to_owned(),
        row.column.to_owned(),
        format!("{}{mark}", given.verdict),
        row.expected.to_owned(),
        report::text::time(given.time),
        work,
        paper.join(", "),
    ]
}

/// Columns as wide as their widest entry.
fn aligned(table: &[Vec<String>]) -> String {
    let columns = table.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |i: usize| table.iter().filter_map(|l| l.get(i)).map(|c| c.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for line in table {
        let mut text = String::from(" ");
        for (cell, width) in line.iter().zip(&widths) {
            text.push(' ');
            text.push_str(cell);
            text.extend(std::iter::repeat_n(' ', width + 1 - cell.chars().count().min(*width)));
        }
        out.push_str(text.trim_end());
        out.push('\n');
    }
    out
}

fn object(suite: &str, row: &Row, given: &Given) -> Value {
    let mut paper = Map::new();
    for (name, value) in row.paper {
        paper.insert((*name).to_owned(), json!(value));
    }
    json!({
        "suite": suite,
        "row": row.row,
        "column": row.column,
        "expected": row.expected,
        "verdict": given.verdict,
        "ok": given.verdict == row.expected,
        "time_ms": u64::try_from(given.time.as_millis()).unwrap_or(u64::MAX),
        "stats": report::json::stats(&given.counters),
        "paper": paper,
    })
}
