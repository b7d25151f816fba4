//! Runs programs on explicit heaps: the oracle for every transformer and the judge of every trace.
//!
//! A [`Machine`] is a program prepared for running and the question that says which failures count; a [`Run`]
//! is where it stands. What the program leaves open is asked of a [`Chooser`]. Loop invariants are
//! assertions (DESIGN 6, decision 8), checked at every arrival at the head; `ensures`, `assigns`, leaks and
//! garbage are checked when the exit is reached.
//!
//! A run that does something undefined whose class does not count, that makes a false assertion that does not
//! count, or whose signed arithmetic leaves the type's range is [`End::Outside`]: nothing is claimed about it.

mod chooser;
mod command;
mod defined;
mod entry;
mod exit;
mod odometer;
#[cfg(test)]
mod tests;

#[cfg(feature = "testing")]
pub use chooser::Random;
pub use chooser::{Chooser, First, Given, Nothing, Recorder};
pub use entry::clean_entry;
pub use odometer::Odometer;

use super::cfg::{Program, Question};
use super::command::{Check, Command};
use super::decl::{EdgeId, LocationId, LoopId, VarKind};
use super::eval::{EvalError, Evaluator, Reads, States};
use super::expr::Cond;
use super::formula::{At, Formula, Term};
use super::state::State;
use super::trace::{Failure, Step, Trace};
use super::unread::unread_havocs;
use defined::{Undefined, is_defined};
use std::sync::Arc;

/// Why a run goes no further where only a contract is known.
const BY_CONTRACT: &str = "a call is known by its contract only";

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// At the exit, with everything asked for in order.
    Exit,
    /// At a location that nothing leaves (`abort`).
    Halted,
    /// No edge can be taken: an assumption is false.
    Blocked,
    /// It breaks the property.
    Failed(Failure),
    /// It did something about which nothing is claimed.
    Outside(String),
    /// A formula could not be evaluated.
    Undecided(EvalError),
    /// The chooser stopped it, or something it must not read is uninitialised.
    Open(&'static str),
    /// The step limit.
    Steps,
}

/// Where a run stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Location.
    pub location: LocationId,
    /// State.
    pub state: State,
    /// State at the entry.
    pub entry: Arc<State>,
    /// Snapshots by label.
    pub labels: Vec<Option<Arc<State>>>,
    /// Commands executed.
    pub steps: u64,
    /// Which fields have no value yet, if that is tracked.
    undefined: Option<Undefined>,
    /// Before so many steps no further sweep is made at a loop head: large heaps are swept rarely.
    next_sweep: u64,
}

impl Run {
    /// The states formulas speak of.
    #[must_use]
    pub fn states(&self) -> States<'_> {
        States { now: &self.state, entry: &self.entry, labels: &self.labels }
    }
}

/// An edge prepared for running.
struct Op<'p> {
    edge: EdgeId,
    to: LocationId,
    command: &'p Command,
    /// The formula of an assertion or a supposition that does not look at the heap.
    cond: Option<Cond>,
    /// A havoc whose value makes no difference, if somebody wants to know.
    unread: bool,
}

struct Place {
    /// Its ops are `ops[first..first + len]`.
    first: u32,
    len: u32,
    /// The head of a loop.
    loops: bool,
    /// A loop head with invariants to check.
    head: Option<LoopId>,
    /// A place where lost cells count, if they are asked about.
    sweep: Option<u32>,
}

/// A program prepared for running, with the question that says what counts as a failure.
pub struct Machine<'p> {
    program: &'p Program,
    question: Question,
    places: Vec<Place>,
    ops: Vec<Op<'p>>,
    /// Variables that carry arbitrary values only: see `initialised`.
    carriers: Vec<bool>,
    /// What runs and formulas look at, if somebody wants to know.
    reads: Option<Reads>,
}

impl<'p> Machine<'p> {
    /// Prepares a well-formed program.
    #[must_use]
    pub fn new(program: &'p Program, question: &Question) -> Machine<'p> {
        let mut places = Vec::new();
        let mut ops = Vec::new();
        for (location, edges) in program.successors().iter().enumerate() {
            let first = ops.len() as u32;
            ops.extend(edges.iter().map(|&edge| op(program, edge)));
            let head = program.loop_at(LocationId(location as u32));
            let loops = head.is_some();
            let head = head
                .filter(|l| question.asks(Check::Asserts) && !program.loops[l.index()].invariants.is_empty());
            places.push(Place { first, len: edges.len() as u32, loops, head, sweep: None });
        }
        if question.asks(Check::Leaks) {
            for (i, sweep) in program.sweeps.iter().enumerate() {
                places[sweep.at.index()].sweep = Some(i as u32);
            }
        }
        let carriers = super::initialised::carriers(program);
        Machine { program, question: question.clone(), places, ops, carriers, reads: None }
    }

    /// The same machine; it notes which fields it looks at ([`Machine::reads`]).
    #[must_use]
    pub fn noting(self) -> Machine<'p> {
        Machine { reads: Some(Reads::default()), ..self }
    }

    /// The same machine; values that nobody reads are asked for as such ([`Chooser::any`]).
    #[must_use]
    pub fn sparing(mut self) -> Machine<'p> {
        let unread = unread_havocs(self.program);
        self.ops.iter_mut().for_each(|op| op.unread = unread[op.edge.index()]);
        self
    }

    /// What was looked at.
    #[must_use]
    pub fn reads(&self) -> Option<&Reads> {
        self.reads.as_ref()
    }

    /// Evaluates on states of this program.
    pub(in crate::program) fn evaluator<'a>(&'a self, states: States<'a>) -> Evaluator<'a> {
        Evaluator::new(self.program, states).noting(self.reads.as_ref())
    }

    /// The program that runs.
    #[must_use]
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The contract that is asked about.
    pub(in crate::program) fn contract(&self) -> usize {
        self.question.contract
    }

    /// A run at the entry.
    #[must_use]
    pub fn start(&self, state: State) -> Run {
        Run {
            location: self.program.entry,
            entry: Arc::new(state.clone()),
            state,
            labels: vec![None; self.program.labels.len()],
            steps: 0,
            undefined: None,
            next_sweep: 0,
        }
    }

    /// A run at the entry for programs that read no variable before it is assigned
    /// ([`initialised`](super::initialised)); it stops with [`End::Open`] when it reads a field of a new cell, or an
    /// element of a local array, before it is written.
    #[must_use]
    pub fn start_strict(&self, state: State) -> Run {
        let masks = vec![0; state.cells.len()];
        let vars = self.program.vars.iter().zip(&state.arrays);
        let elements = vars.map(|(v, a)| vec![v.kind != VarKind::Global; a.len()]).collect();
        Run { undefined: Some(Undefined { masks, count: 0, elements }), ..self.start(state) }
    }

    /// Whether a state can be the entry of a run: the entry condition (decision 1) and `requires`.
    pub fn admits(&self, state: &State) -> Result<bool, EvalError> {
        if !clean_entry(self.program, state) {
            return Ok(false);
        }
        let Some(contract) = self.program.contracts.get(self.question.contract) else { return Ok(true) };
        for clause in &contract.requires {
            if !self.evaluator(States::at_entry(state)).formula(&clause.formula)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Runs until the end, at most `limit` further commands.
    pub fn run(&self, run: &mut Run, chooser: &mut dyn Chooser, limit: u64) -> End {
        self.observe(run, chooser, limit, |_, _| {})
    }

    /// The same; `seen` gets every edge with the state after it (of a failing step: in which it failed).
    pub fn observe(
        &self,
        run: &mut Run,
        chooser: &mut dyn Chooser,
        limit: u64,
        mut seen: impl FnMut(EdgeId, &State),
    ) -> End {
        if let Some(end) = self.arrive(run) {
            return end;
        }
        for _ in 0..limit {
            if let Some(end) = self.step(run, chooser, &mut seen) {
                return end;
            }
        }
        End::Steps
    }

    /// What happens on arrival at the run's location: invariants of a head, lost cells where they count, everything
    /// at the exit.
    pub fn arrive(&self, run: &mut Run) -> Option<End> {
        let place = &self.places[run.location.index()];
        if let Some(head) = place.head
            && let Some(end) = self.invariants(run, head)
        {
            return Some(end);
        }
        if let Some(sweep) = place.sweep
            && let Some(end) = self.sweep(run, &self.program.sweeps[sweep as usize])
        {
            return Some(end);
        }
        if run.location == self.program.exit { Some(self.leave(run)) } else { None }
    }

    /// Whether the next step asks the chooser; `fills` as in [`Chooser::fills`].
    #[must_use]
    pub fn is_open(&self, run: &Run, fills: bool) -> bool {
        let ops = self.ops_at(run.location);
        let op = match ops {
            [] => return false,
            [only] => only,
            several => match self.select(run, several, &mut Nothing) {
                Ok(op) => op,
                Err(end) => return matches!(end, End::Open(_)),
            },
        };
        match op.command {
            Command::Havoc(_) => !op.unread,
            Command::Scramble { .. } => true,
            Command::Alloc { zeroed, .. } => fills && !zeroed,
            _ => false,
        }
    }

    /// Whether the location is the head of a loop.
    #[must_use]
    pub fn is_head(&self, location: LocationId) -> bool {
        self.places[location.index()].loops
    }

    fn ops_at(&self, location: LocationId) -> &[Op<'p>] {
        let place = &self.places[location.index()];
        &self.ops[place.first as usize..(place.first + place.len) as usize]
    }

    /// One command, and the arrival at its end.
    pub fn step(
        &self,
        run: &mut Run,
        chooser: &mut dyn Chooser,
        seen: &mut impl FnMut(EdgeId, &State),
    ) -> Option<End> {
        let op = match self.ops_at(run.location) {
            [] => return Some(End::Halted),
            [only] => only,
            several => match self.select(run, several, chooser) {
                Ok(op) => op,
                Err(end) => return Some(end),
            },
        };
        self.take(run, op, chooser, seen)
    }

    fn take(
        &self,
        run: &mut Run,
        op: &Op<'_>,
        chooser: &mut dyn Chooser,
        seen: &mut impl FnMut(EdgeId, &State),
    ) -> Option<End> {
        run.steps += 1;
        let end = self.execute(run, op, chooser);
        if end.is_none() {
            run.location = op.to;
        }
        if !matches!(end, Some(End::Blocked)) {
            seen(op.edge, &run.state);
        }
        end.or_else(|| {
            let place = &self.places[op.to.index()];
            let looks = place.head.is_some() || place.sweep.is_some() || op.to == self.program.exit;
            if looks { self.arrive(run) } else { None }
        })
    }

    /// One of several edges: those whose assumption holds are enabled.
    fn select<'a>(&self, run: &Run, ops: &'a [Op<'p>], chooser: &mut dyn Chooser) -> Result<&'a Op<'p>, End> {
        let mut first = None;
        let mut more: Vec<&Op> = Vec::new();
        for op in ops {
            if !self.enabled(run, op)? {
                continue;
            }
            match first {
                None => first = Some(op),
                Some(f) => {
                    if more.is_empty() {
                        more.push(f);
                    }
                    more.push(op);
                }
            }
        }
        if more.is_empty() {
            return first.ok_or(End::Blocked);
        }
        let choice = chooser.choose(more.len()).ok_or(End::Open("the program chooses its way"))?;
        more.get(choice).copied().ok_or(End::Open("the choice does not exist"))
    }

    fn enabled(&self, run: &Run, op: &Op<'_>) -> Result<bool, End> {
        match op.command {
            Command::Assume(cond) => command::cond(&run.state, cond).ok_or_else(command::overflow),
            Command::Suppose(formula) => self.truth(run, op, formula),
            _ => Ok(true),
        }
    }

    /// The truth of a formula on an edge.
    fn truth(&self, run: &Run, op: &Op<'_>, formula: &Formula) -> Result<bool, End> {
        if let Some(cond) = &op.cond {
            return command::cond(&run.state, cond).ok_or_else(command::overflow);
        }
        self.holds(run, formula)
    }

    fn holds(&self, run: &Run, formula: &Formula) -> Result<bool, End> {
        let undefined = |u: &Undefined| {
            (u.count > 0 || u.elements.iter().flatten().any(|e| *e)) && !is_defined(formula, &run.state, u)
        };
        if run.undefined.as_ref().is_some_and(undefined) {
            return Err(End::Open("a formula looks at a heap with uninitialised fields"));
        }
        self.evaluator(run.states()).formula(formula).map_err(End::Undecided)
    }

    fn invariants(&self, run: &Run, head: LoopId) -> Option<End> {
        for clause in &self.program.loops[head.index()].invariants {
            match self.holds(run, &clause.formula) {
                Ok(true) => {}
                Ok(false) => {
                    let message = "loop invariant does not hold".to_owned();
                    let failure = Failure { check: Check::Asserts, message, span: clause.span };
                    return Some(End::Failed(failure));
                }
                Err(end) => return Some(end),
            }
        }
        None
    }

    /// Runs with given choices from an initial state and records the states, if the run fails within `limit` steps.
    /// Of more than `keep` steps only the last ones are kept.
    pub fn trace(
        &self,
        initial: &State,
        chooser: &mut dyn Chooser,
        limit: u64,
        keep: usize,
    ) -> Option<Trace> {
        let mut run = self.start(initial.clone());
        let mut steps: std::collections::VecDeque<Step> = std::collections::VecDeque::new();
        let mut omitted = 0;
        let mut recorder = Recorder::new(chooser);
        let end = self.observe(&mut run, &mut recorder, limit, |edge, state| {
            steps.push_back(Step { edge, state: state.clone() });
            if steps.len() > keep {
                steps.pop_front();
                omitted += 1;
            }
        });
        match end {
            End::Failed(failure) => Some(Trace {
                initial: initial.clone(),
                steps: steps.into(),
                omitted,
                failure,
                fills: recorder.fills(),
                choices: recorder.choices,
            }),
            _ => None,
        }
    }
}

fn op(program: &Program, edge: EdgeId) -> Op<'_> {
    let e = &program.edges[edge.index()];
    let cond = match &e.command {
        Command::Assert { formula, .. } | Command::Suppose(formula) => heap_free(formula),
        _ => None,
    };
    Op { edge, to: e.to, command: &e.command, cond, unread: false }
}

/// A formula about present values of variables only, as a condition.
fn heap_free(formula: &Formula) -> Option<Cond> {
    use super::expr::Expr;
    fn expr(term: &Term) -> Option<Expr> {
        Some(match term {
            Term::Var(v, At::Now) => Expr::Var(*v),
            Term::Null(s) => Expr::Null(*s),
            Term::Int(n) => Expr::Int(*n),
            Term::Neg(t) => Expr::Neg(Box::new(expr(t)?)),
            Term::Binary(op, a, b) => Expr::Binary(*op, Box::new(expr(a)?), Box::new(expr(b)?)),
            _ => return None,
        })
    }
    Some(match formula {
        Formula::Const(value) => Cond::Const(*value),
        Formula::Compare(cmp, a, b) => Cond::Compare(*cmp, expr(a)?, expr(b)?),
        Formula::Not(p) => Cond::Not(Box::new(heap_free(p)?)),
        Formula::And(parts) => Cond::And(parts.iter().map(heap_free).collect::<Option<_>>()?),
        Formula::Or(parts) => Cond::Or(parts.iter().map(heap_free).collect::<Option<_>>()?),
        _ => return None,
    })
}
