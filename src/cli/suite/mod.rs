//! `catena suite NAME|all`: reproduces the tables of the papers.
//!
//! A suite is a list of [`Row`]s in a file of its own below this one; the programs are part of the binary
//! (`include_str!` from `tests/programs`), so the command works wherever it is installed. Each row names the
//! program, the engine, the expected verdict and what the paper reports. `run` decides rows on several threads, `formats`
//! writes them, `machine` says who has measured. The exit status is 0 if every row has its expected verdict, else 1.

mod bohne;
mod formats;
mod lazy_table;
mod lisbq;
mod machine;
mod monotone;
mod pdr;
mod rows;
mod run;

use super::screen::Progress;
use super::{Terminals, arguments};
use crate::analysis::lazy::Columns;
use crate::portfolio::Engine;
use crate::program::Check;
use crate::util::limits::CancelToken;
use clap::builder::PossibleValuesParser;
use formats::Format;
use run::Given;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::time::Duration;

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

/// A table of a paper.
pub(super) struct Suite {
    pub(super) name: &'static str,
    /// Of the paper.
    pub(super) title: &'static str,
    /// Where and when it appeared.
    pub(super) venue: &'static str,
    /// Which of its tables.
    pub(super) table: &'static str,
    pub(super) rows: &'static [Row],
}

impl Suite {
    /// As papers are cited.
    fn citation(&self) -> String {
        format!("\"{}\" ({}), {}", self.title, self.venue, self.table)
    }
}

/// Reproduce a paper's table
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(super) struct Arguments {
    /// The suite, or `all`
    #[arg(value_name = "NAME", value_parser = PossibleValuesParser::new(known()))]
    name: String,
    /// How the tables are written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// The same as `--format json`: an array with an object per row
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Decide each row so many times; its time is the median
    #[arg(long, value_name = "N", default_value = "1")]
    repeat: NonZeroUsize,
    /// Rows that are decided at once; times are comparable with one only
    #[arg(long, short, value_name = "N", default_value = "1")]
    jobs: NonZeroUsize,
    /// Give up on a row after this time: unknown. The longest takes half a minute on an idle machine
    #[arg(long, value_name = "SECONDS", value_parser = arguments::seconds, default_value = "300")]
    timeout: Duration,
}

const AFTER: &str = "\
Each row is one program and one property with the engine of its paper, the verdict that is expected, and what the
paper reports; broken variants of the programs are rows too. The programs are part of this program. The papers
are cited in the output, with this program, the machine and a summary.

  lisbq      annotated loops, engine vc: Figure 16 of the LISBQ paper
  pdr        inferred invariants, engine pdr
  bohne      Boolean heaps, engine heaps
  monotone   backward reachability over signatures, engine monotone
  lazy       predicate abstraction and shape graphs, engine lazy

exit status: 0 every row has its expected verdict, 1 not every row, 64 usage";

/// Runs the command.
pub(super) fn run(arguments: &Arguments, terminals: Terminals, out: &mut dyn Write) -> io::Result<u8> {
    let mut progress = Progress::new(terminals.err);
    let format = if arguments.json { Format::Json } else { arguments.format };
    let chosen = rows::SUITES.iter().filter(|s| arguments.name == "all" || s.name == arguments.name);
    let token = CancelToken::new();
    super::interrupt::on_ctrl_c(&token);
    let mut tables = Vec::new();
    for suite in chosen {
        let told =
            |row: &Row| progress.tell(|| format!("suite {}: {} ({})", suite.name, row.row, row.column));
        let answers = run::all(suite.rows, arguments, &token, told)?;
        progress.clear()?;
        tables.push(Table { suite, answers });
        if let (Format::Text, Some(table)) =
            (format, tables.last().filter(|t: &&Table| !t.answers.is_empty()))
        {
            out.write_all(formats::text(table).as_bytes())?;
            out.flush()?;
        }
    }
    let machine = machine::Machine::new(arguments.jobs.get());
    out.write_all(formats::document(format, &tables, &machine).as_bytes())?;
    let right = tables.iter().flat_map(|t| &t.answers).all(|(row, given)| given.verdict == row.expected);
    Ok(u8::from(!right))
}

/// A suite with what its rows gave; rows that were not begun before an interruption are missing.
struct Table {
    suite: &'static Suite,
    answers: Vec<(&'static Row, Given)>,
}

fn known() -> Vec<&'static str> {
    rows::SUITES.iter().map(|suite| suite.name).chain(["all"]).collect()
}
