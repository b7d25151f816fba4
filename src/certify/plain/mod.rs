//! A second, plain interpreter: it makes all runs of a whole program, for certificates that say that there are finitely
//! many and that none of them fails.
//!
//! It shares the commands and formulas of [`crate::program`] with the first interpreter, and nothing else: neither its
//! states, nor its arithmetic, nor its meaning of formulas, nor its rules of what is a failure. It is made to be read:
//! every command is a few lines ([`step`]), every formula is evaluated by its definition ([`formula`]).
//!
//! What the program leaves open is left open here too:
//! - an integer that is chosen or that nobody wrote is a *symbol* with an interval. A test that the interval does not
//!   decide splits it, and both parts are followed;
//! - a pointer that nobody wrote has no value. Copying it is fine; what looks at it is refused;
//! - where several edges can be taken, all are;
//! - a quantifier over cells also sees a cell that was never allocated, of which nothing is known.
//!
//! So [`all_runs`] answers `Ok` only if every run of the program ends and none fails. Whatever is not understood is refused
//! with a reason. Deliberately missing: entries other than that of `main`, calls by contract, quantifiers over
//! integers, `assigns` of `main`, arithmetic on symbols beyond adding constants (small intervals are split to single values).

mod exit;
mod formula;
mod number;
mod step;
mod store;

use crate::program::{Check, Command, EdgeId, Entry, Program, Question};
use store::Store;

/// Why a run does not simply go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It breaks the property: class and message.
    Fails(Check, String),
    /// It cannot be judged here.
    Refused(String),
    /// The symbol has to be known better: below the number, or not.
    Split(usize, i128),
}

type Answer<T> = Result<T, Stop>;

fn refused<T>(why: &str) -> Answer<T> {
    Err(Stop::Refused(why.to_owned()))
}

/// How many runs there are, up to the values of symbols, and how many commands they have together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Runs {
    /// Runs.
    pub runs: u64,
    /// Commands.
    pub steps: u64,
}

/// Runs that wait, at most.
const MAX_WAITING: usize = 10_000;

/// Why not all runs were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unmade {
    /// A run breaks the property.
    Fails(Check, String),
    /// Something is not judged here, or a limit was reached.
    Refused(String),
}

impl std::fmt::Display for Unmade {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unmade::Fails(_, message) => write!(f, "a run fails: {message}"),
            Unmade::Refused(why) => f.write_str(why),
        }
    }
}

/// Makes all runs of a program, in all at most so many commands.
///
/// # Errors
/// If a run fails, does not end within the limit, or does something that is not judged here.
pub fn all_runs(program: &Program, question: &Question, limit: u64) -> Result<Runs, Unmade> {
    let refused = |why: &str| Err(Unmade::Refused(why.to_owned()));
    let Some(contract) = program.contracts.get(question.contract) else {
        return refused("there is no such contract");
    };
    if program.begins != Entry::Main || !contract.requires.is_empty() {
        return refused("the entry is open: there are as many runs as heaps");
    }
    let plain = Plain { program, question, successors: program.successors() };
    let mut waiting = vec![Store::new(program)];
    let mut made = Runs::default();
    while let Some(mut store) = waiting.pop() {
        match plain.arrive(&mut store) {
            Ok(()) => {}
            Err(stop) => {
                fork(store, stop, &mut waiting)?;
                continue;
            }
        }
        loop {
            if made.steps + store.work > limit {
                return refused("there are more or longer runs than can be made");
            }
            match plain.enabled(&store) {
                Ok(edges) => match edges[..] {
                    [] => {
                        made.runs += 1;
                        made.steps += store.work;
                        break;
                    }
                    [edge] => {
                        if let Err(stop) = plain.take(&mut store, edge) {
                            fork(store, stop, &mut waiting)?;
                            break;
                        }
                    }
                    [first, ref others @ ..] => {
                        // Each way is followed for itself; what was done so far counts once.
                        for &edge in others.iter().rev() {
                            let mut other = Store { work: 0, ..store.clone() };
                            match plain.take(&mut other, edge) {
                                Ok(()) => waiting.push(other),
                                Err(stop) => fork(other, stop, &mut waiting)?,
                            }
                        }
                        if waiting.len() > MAX_WAITING {
                            return refused("there are more runs than can be made");
                        }
                        if let Err(stop) = plain.take(&mut store, first) {
                            fork(store, stop, &mut waiting)?;
                            break;
                        }
                    }
                },
                Err(stop) => {
                    fork(store, stop, &mut waiting)?;
                    break;
                }
            }
        }
    }
    Ok(made)
}

/// Goes on where a run stopped for want of a value: once with each part of the interval.
fn fork(store: Store, stop: Stop, waiting: &mut Vec<Store>) -> Result<(), Unmade> {
    match stop {
        Stop::Fails(check, message) => Err(Unmade::Fails(check, message)),
        Stop::Refused(why) => Err(Unmade::Refused(why)),
        Stop::Split(symbol, at) => {
            let (low, high) = store.symbols[symbol];
            if at <= low || at > high || waiting.len() > MAX_WAITING {
                return Err(Unmade::Refused("there are more runs than can be made".to_owned()));
            }
            let mut above = Store { work: 0, ..store.clone() };
            above.symbols[symbol] = (at, high);
            let mut below = store;
            below.symbols[symbol] = (low, at - 1);
            waiting.push(above);
            waiting.push(below);
            Ok(())
        }
    }
}

/// A program and what is asked about it.
struct Plain<'p> {
    program: &'p Program,
    question: &'p Question,
    successors: Vec<Vec<EdgeId>>,
}

impl Plain<'_> {
    /// The edges that can be taken: all but those whose assumption is false. A run ends where there is none.
    fn enabled(&self, store: &Store) -> Answer<Vec<EdgeId>> {
        let mut out = Vec::new();
        for &edge in &self.successors[store.location.index()] {
            let can = match &self.program.edges[edge.index()].command {
                Command::Assume(cond) => store.cond(cond)?,
                Command::Suppose(formula) => self.holds(store, formula)?,
                _ => true,
            };
            if can {
                out.push(edge);
            }
        }
        Ok(out)
    }

    /// Executes the command of an edge and arrives at its end. If it is stopped, the store is as it was before.
    fn take(&self, store: &mut Store, edge: EdgeId) -> Answer<()> {
        store.work += 1;
        self.execute(store, edge)?;
        store.location = self.program.edges[edge.index()].to;
        self.arrive(store)
    }
}
