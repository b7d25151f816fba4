//! Lists and trees of a function that is checked by itself, and calls of itself: symbolic execution over heaps in parts
//! that never meet.
//!
//! What a function requires says which structures it owns: a tree or list behind a parameter (decision 1: what a
//! parameter leads to is allocated). Where a cell of a structure is used, its root becomes a cell with structures behind
//! its links (`state`); at loop heads cells become structures again (`fold`). All accesses of the function are to cells
//! that it owns, or has allocated. So a call of the function itself needs nothing but what it owns, and leaves everything
//! else as it is: induction over the calls, with the frame rule of separation logic (Reynolds, LICS 2002; Berdine,
//! Calcagno and O'Hearn, APLAS 2005). What it promises is proved at its ends, from what is owned there.
//!
//! Promises about two structures hold of two that share nothing only if that is proved at the ends; it is tried first.
//!
//! Deliberately missing: paths into structures (a tree with a hole), order and contents, structures of which two
//! parameters know a part, arrays. The engine proves, or has no answer; it refutes nothing.

mod entry;
mod fold;
mod formula;
mod state;
mod step;

use crate::program::{
    At, Check, Contract, Entry, FieldId, Formula, LocationId, Program, Question, Target, Term, VarId, VarKind,
};
use crate::program::{Command, walk};
use crate::util::limits::{Budget, Limits};
use crate::verdict::{Author, Certificate, Counters, Outcome, Reason, Verdict};
use entry::{Owned, begin, conjuncts, owned};
use fold::{Needed, fold, forget, forget_cells, renamed};
use formula::{Begin, Reader, holds};
use state::{State, Value};
use std::collections::{BTreeMap, BTreeSet};

/// States of one loop head before what no variable names is given up, before all cells are, and at most.
const STATES: [usize; 3] = [8, 20, 40];
/// Commands that are executed at most.
const COMMANDS: u64 = 60_000;

/// One attempt at a function.
struct Run<'p> {
    program: &'p Program,
    question: &'p Question,
    contract: &'p Contract,
    owned: Owned,
    parameters: Vec<VarId>,
    /// Structures that are promised share nothing.
    joint: bool,
    /// Nothing that is promised is proved or used.
    silent: bool,
    /// Calls of the function itself change nothing that was there.
    reads_only: bool,
    /// Something is freed: pointers of the caller's that are not owned may dangle.
    may_dangle: bool,
    shapes: Vec<Vec<FieldId>>,
}

/// Whether the engine is for such programs: lists or trees are spoken of, or the function calls itself.
#[must_use]
pub fn suits(program: &Program) -> bool {
    let mut structures = program.calls_by_contract();
    let mut look = |part: walk::Part<'_>| {
        structures |= matches!(part, walk::Part::Formula(Formula::Tree(..)));
    };
    program.contracts.iter().for_each(|c| walk::contract(c, &mut look));
    program.begins == Entry::Function && structures
}

/// Whether other engines have no words for the program: what a function that it calls requires is a tree.
#[must_use]
pub fn is_alone(program: &Program) -> bool {
    program.edges.iter().any(|e| match &e.command {
        Command::Assert { formula, .. } => {
            let mut tree = false;
            walk::formula(formula, &mut |part| {
                tree |= matches!(part, walk::Part::Formula(Formula::Tree(_, _, At::Now, _)));
            });
            tree
        }
        _ => false,
    })
}

/// Proves one contract of a function, or has no answer.
#[must_use]
pub fn run(program: &Program, question: &Question, limits: &Limits) -> Outcome {
    let unknown = |message: String, span| Outcome::unknown(Author::Trees, Reason { message, span });
    let Some(contract) = program.contracts.get(question.contract) else {
        return unknown("there is no such contract".to_owned(), None);
    };
    let others = [Check::Leaks, Check::Garbage];
    if program.begins == Entry::Main || others.iter().any(|c| question.asks(*c)) {
        return unknown("this is not what the engine is for".to_owned(), None);
    }
    if program.loops.iter().any(|l| l.assigns.is_some()) {
        return unknown("`loop assigns` is not known to this engine".to_owned(), None);
    }
    let itself = |e: &crate::program::Edge| matches!(&e.command, Command::Scramble { local: Some(local), .. } if local.itself);
    let calls_itself = program.edges.iter().any(itself);
    let changes = |c: &Command| match c {
        Command::Scramble { targets, frees, local } => !step::is_read_only(targets, *frees, local.as_deref()),
        _ => false,
    };
    let parameters = (0..program.vars.len()).filter(|i| program.vars[*i].kind == VarKind::Param);
    let frees = |c: &Command| matches!(c, Command::Free(_) | Command::Scramble { frees: true, .. });
    let mut attempt = Run {
        program,
        question,
        contract,
        owned: owned(program, contract, !calls_itself),
        parameters: parameters.map(|i| VarId(i as u32)).collect(),
        joint: true,
        silent: false,
        reads_only: !program.edges.iter().any(|e| itself(e) && changes(&e.command)),
        may_dangle: program.edges.iter().any(|e| frees(&e.command)),
        shapes: shapes(program),
    };
    let mut failed = None;
    // Joint promises, one after the other, and none if nobody asks about them.
    let silent = calls_itself && !question.asks(Check::Ensures);
    let modes = [(calls_itself, true, false), (true, false, false), (silent, false, true)];
    for (_, joint, silent) in modes.into_iter().filter(|(tried, ..)| *tried) {
        (attempt.joint, attempt.silent) = (joint, silent);
        match attempt.all(limits) {
            Ok(ends) => {
                let verdict = Verdict::Verified(Certificate::Paths(ends));
                return Outcome { engine: Author::Trees, verdict, counters: Counters::default() };
            }
            Err(why) => failed = Some(why),
        }
    }
    let (message, span) = failed.unwrap_or_default();
    unknown(message, Some(span))
}

/// The fields of the structures that are spoken of, the larger first.
fn shapes(program: &Program) -> Vec<Vec<FieldId>> {
    let mut found: BTreeSet<Vec<FieldId>> = BTreeSet::new();
    let mut look = |part: walk::Part<'_>| match part {
        walk::Part::Formula(Formula::Tree(l, r, ..)) => {
            found.insert(vec![*l, *r]);
        }
        walk::Part::Formula(Formula::Reach { field, to: Term::Null(_), .. } | Formula::Stable(field, ..)) => {
            found.insert(vec![*field]);
        }
        _ => {}
    };
    program.contracts.iter().for_each(|c| walk::contract(c, &mut look));
    program.edges.iter().for_each(|e| walk::command(&e.command, &mut look));
    let mut out: Vec<Vec<FieldId>> = found.into_iter().collect();
    out.sort_by_key(|fields| std::cmp::Reverse(fields.len()));
    out
}

fn is_connective(formula: &Formula) -> bool {
    matches!(
        formula,
        Formula::Const(_)
            | Formula::Not(_)
            | Formula::And(_)
            | Formula::Or(_)
            | Formula::Implies(..)
            | Formula::Iff(..)
    )
}

/// What is not proved, and where.
type Open = (String, crate::util::span::Span);

impl Run<'_> {
    /// Follows all paths; how many ends they have.
    fn all(&self, limits: &Limits) -> Result<u64, Open> {
        let program = self.program;
        let mut budget = Budget::new(limits);
        let needed = Needed::of(program, self.contract);
        let successors = program.successors();
        let mut heads: BTreeMap<LocationId, Vec<State>> = BTreeMap::new();
        let Some(start) = begin(program, self.contract, &self.owned) else { return Ok(0) };
        let (mut open, mut ends, mut commands) = (vec![(program.entry, start)], 0, 0);
        while let Some((at, mut state)) = open.pop() {
            commands += 1;
            if commands > COMMANDS || budget.spend(200).is_err() {
                return Err(("there are too many paths".to_owned(), program.span));
            }
            if at == program.exit {
                if self.finish_call(&mut state) {
                    self.end(&state)?;
                    ends += 1;
                }
                continue;
            }
            if let Some(l) = program.loop_at(at) {
                if !self.finish_call(&mut state) {
                    continue;
                }
                for clause in program.loops[l.index()].invariants.iter() {
                    if self.question.asks(Check::Asserts) && !self.reader().proves(&state, &clause.formula) {
                        return Err(("loop invariant may not hold".to_owned(), clause.span));
                    }
                }
                let known = heads.entry(at).or_default();
                fold(program, &needed, &self.shapes, at, &mut state);
                if known.len() > STATES[0] {
                    forget(&mut state);
                }
                if known.len() > STATES[1] {
                    forget_cells(&mut state);
                }
                state = renamed(&state);
                if known.contains(&state) {
                    continue;
                }
                if known.len() > STATES[2] {
                    return Err(("a loop has too many states".to_owned(), program.loops[l.index()].span));
                }
                known.push(state.clone());
            }
            for edge in &successors[at.index()] {
                let edge = &program.edges[edge.index()];
                let next = self.step(state.clone(), edge).map_err(|why| (why, edge.span))?;
                open.extend(next.into_iter().map(|s| (edge.to, s)));
            }
        }
        Ok(ends)
    }

    /// The structures that are promised, that of the result first.
    fn promised(&self) -> Vec<(Vec<FieldId>, &Term)> {
        let reader = Reader { program: self.program, begin: Begin::Now, roots: &[] };
        let parts = conjuncts(self.contract.ensures.iter().map(|c| &c.formula));
        let mut found: Vec<(Vec<FieldId>, &Term)> =
            parts.into_iter().filter_map(|p| reader.shape(p)).collect();
        let result = self.program.result();
        found.sort_by_key(|(_, root)| !matches!(root, Term::Var(v, _) if Some(*v) == result));
        found
    }

    /// What is promised holds at an end.
    fn end(&self, state: &State) -> Result<(), Open> {
        if self.silent {
            return Ok(());
        }
        let reader = self.reader();
        for clause in &self.contract.ensures {
            if !self.is_promised(state, &clause.formula) && !reader.proves(state, &clause.formula) {
                return Err(("postcondition may not hold".to_owned(), clause.span));
            }
        }
        if self.joint {
            let mut state = state.clone();
            let mut seen = BTreeSet::new();
            let reads_only = self.reads_only;
            for (i, (fields, root)) in self.promised().into_iter().enumerate() {
                let value = reader.term(&mut state, root);
                let before = seen.clone();
                let apart = value.is_some_and(|v| holds(self.program, &state, &fields, v, &mut seen));
                // What was there before stays with the caller.
                let own = !reads_only || seen.difference(&before).all(|n| state.nodes[*n].fresh);
                let of_entry =
                    reads_only && matches!(root, Term::Var(v, _) if Some(*v) != self.program.result());
                if of_entry {
                    seen = before;
                } else if !apart || !own {
                    let span = self.contract.ensures.get(i).map_or(self.contract.span, |c| c.span);
                    return Err(("what is promised may share cells".to_owned(), span));
                }
            }
        }
        self.changes(state)
    }

    /// A call of the function itself has promised the same of the same values, and nothing has changed since.
    fn is_promised(&self, state: &State, formula: &Formula) -> bool {
        let (mut about, mut heap_then) = (BTreeSet::new(), false);
        walk::formula(formula, &mut |part| match part {
            walk::Part::Term(Term::Var(v, At::Entry)) => {
                about.insert(*v);
            }
            walk::Part::Term(Term::Var(v, At::Now)) if Some(*v) == self.program.result() => {}
            walk::Part::Term(Term::Var(..)) => heap_then = true,
            walk::Part::Term(Term::Field(_, at, _) | Term::Index(_, at, _)) => heap_then |= *at != At::Now,
            walk::Part::Formula(f) => heap_then |= !(matches!(f, Formula::Compare(..)) || is_connective(f)),
            walk::Part::Set(_) => heap_then = true,
            walk::Part::Term(_) => {}
        });
        let Some(result) = self.program.result() else { return false };
        let known = |parameter: &VarId| self.parameters.iter().position(|p| p == parameter);
        let same = |promise: &state::Promise| {
            let fits = |v: &VarId| known(v).is_some_and(|i| promise.arguments[i] == state.entry[v.index()]);
            promise.result == state.vars[result.index()] && about.iter().all(fits)
        };
        !heap_then && state.promises.iter().any(same)
    }

    /// Nothing else changes than what may.
    fn changes(&self, state: &State) -> Result<(), Open> {
        let Some(targets) = &self.contract.assigns else { return Ok(()) };
        let open = || ("`assigns` may not hold".to_owned(), self.contract.span);
        if targets.contains(&Target::Everything) {
            return Ok(());
        }
        let mut state = state.clone();
        let mut allowed = Vec::new();
        for target in targets {
            if let Target::Field(term, field) = target
                && let Some(Value::Node(n)) = self.reader().term(&mut state, term)
            {
                allowed.push((n, *field));
            }
        }
        let kept = state.changed.iter().all(|v| targets.contains(&Target::Var(*v)));
        let fits = !state.spoilt && kept && state.written.iter().all(|w| allowed.contains(w));
        if fits { Ok(()) } else { Err(open()) }
    }
}
