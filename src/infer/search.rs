//! The search for the contract of one function.
//!
//! 1. Candidates are read, and the function is run from small entry states (`pool`).
//! 2. The weakest condition that excludes every bad run of the pool is put to the engines; a run that they find goes to
//!    the pool, and the next condition excludes it as well. If no engine can prove it, shapes are added.
//! 3. What holds at the exits of all runs becomes a promise, if it tells them from others (`mutants`); what holds for
//!    lists, trees or rings only becomes a behaviour, with the condition under which it holds, found as in 2.
//! 4. The whole contract is proved. What is not proved is left out.

use super::after::{After, sample};
use super::assigns::Seen;
use super::atoms::{Atom, Shape, atoms};
use super::choose::Judge;
use super::contract::{Case, Contract};
use super::draft::{Draft, Probe};
use super::goals::{Goal, goals};
use super::mutants::Mutants;
use super::order;
use super::pool::{Fate, Pool};
use super::prove::{Proof, prove, transferred};
use super::vocabulary::Vocabulary;
use super::{Explanation, Found};
use crate::frontend::c::outline::{Outlined, Sketch};
use crate::program::Formula;
use crate::program::trace::UNMODELLED;
use crate::report::draw::Canvas;
use crate::session::File;
use crate::util::clock::Instant;
use crate::util::limits::{Budget, Limits};
use std::collections::BTreeSet;
use std::time::Duration;

/// Conditions that are put to the engines.
const CONDITIONS: usize = 10;
/// Entry states from which it is seen what a function changes.
const STATES: usize = 90;
/// What the shape of a parameter costs at most.
const PLAIN: u32 = 3;
/// Promises of one kind.
const PROMISES: usize = 5;
/// The part of the time that one question gets.
const SLICE: u32 = 4;
/// The least time that a question is worth asking for.
const LEAST: Duration = Duration::from_millis(60);

/// The search.
pub(super) struct Search<'a> {
    pub(super) draft: &'a Draft,
    pub(super) function: &'a Outlined,
    pub(super) limits: Limits,
    pub(super) seed: u64,
    pub(super) start: Instant,
}

/// What is known of a function before engines are asked.
struct Known {
    probe: Probe,
    file: File,
    text: String,
    vocabulary: Vocabulary,
    atoms: Vec<Atom>,
    goals: Vec<Goal>,
}

/// A contract that was found, and why its parts are needed.
pub(super) struct Outcome {
    pub(super) found: Found,
    pub(super) explanations: Vec<Explanation>,
}

impl Outcome {
    fn of(found: Found) -> Outcome {
        Outcome { found, explanations: Vec::new() }
    }
}

impl Search<'_> {
    /// The time that is left for one question.
    fn slice(&self) -> Option<Limits> {
        let Some(time) = self.limits.time else { return Some(self.limits.clone()) };
        let left = time.checked_sub(self.start.elapsed())?;
        let slice = left.min((time / SLICE).max(LEAST));
        (slice >= LEAST).then(|| Limits { time: Some(slice), ..self.limits.clone() })
    }

    fn prove(&self, contract: &Contract) -> Proof {
        match self.slice() {
            Some(limits) => prove(self.draft, self.function, contract, &limits, self.seed),
            None => Proof::Open { reason: "the time is up".to_owned() },
        }
    }

    /// Searches; `proves` is false where only the pool is asked, for functions that call each other.
    pub(super) fn run(&self, proves: bool) -> Outcome {
        let vocabulary = Vocabulary::of(&self.draft.outline, self.function);
        let (atoms, goals) = (atoms(&vocabulary, &[]), goals(&vocabulary));
        let texts = atoms.iter().map(|a| a.text.clone()).chain(goals.iter().map(|g| g.text.clone()));
        let texts: Vec<String> = texts.collect();
        let (probe, file, text) = match self.draft.probe(self.function, &texts, &self.limits) {
            Ok(read) => read,
            Err(refusal) => return Outcome::of(Found::Unmodelled { why: refusal.why, place: refusal.place }),
        };
        let known = Known { probe, file, text, vocabulary, atoms, goals };
        // A third of the time is for runs.
        let time = self.limits.time.map(|time| time / 3);
        let mut budget = Budget::new(&Limits { time, ..self.limits.clone() });
        let mut pool = Pool::new(&known.probe, known.atoms.len(), self.recursive(), &mut budget);
        self.with_pool(&known, &mut pool, proves)
    }

    /// The function calls itself, perhaps over others.
    fn recursive(&self) -> bool {
        order::below(&self.draft.outline, &self.function.name).contains(&self.function.name)
    }

    fn with_pool(&self, known: &Known, pool: &mut Pool<'_>, proves: bool) -> Outcome {
        let banned: BTreeSet<usize> = unformed(&known.probe.formulas, known.atoms.len());
        let mut reason = String::new();
        let mut condition = Vec::new();
        let mut proved = false;
        for _ in 0..CONDITIONS {
            let judge = Judge::new(pool, &known.atoms);
            if judge.good.is_empty() && !judge.bad.is_empty() {
                let run = self.show(known, pool, judge.bad[0]);
                return Outcome::of(Found::Never { always: proves && self.never_ends(), run });
            }
            let Some(found) = judge.condition(&banned) else {
                let heap = judge.bad.iter().copied().find(|e| pool.entries[*e].fate != Fate::Circles);
                return Outcome::of(self.excluded_by_none(known, pool, heap.or(judge.bad.first().copied())));
            };
            condition = found;
            if !proves {
                proved = true;
                break;
            }
            // Whoever calls itself relies on what it promises.
            let contract = if self.recursive() {
                self.supported(known, pool, &condition)
            } else {
                Contract { requires: texts(known, &condition), ..Contract::default() }
            };
            match self.prove(&contract) {
                Proof::Proved => {
                    proved = true;
                    break;
                }
                Proof::Broken { initial, program, message, .. } => {
                    reason = message;
                    let state = transferred(&initial, &program, &known.probe.program);
                    if !state.is_some_and(|state| pool.add(state)) {
                        break;
                    }
                }
                Proof::Open { reason: why } => {
                    reason = why;
                    proved = self.recursive() && self.settle(contract).is_some();
                    break;
                }
            }
        }
        if !proved {
            let modelled = !reason.starts_with(UNMODELLED);
            let stronger = if modelled { self.shaped(known, pool, &condition) } else { None };
            match stronger {
                Some(stronger) => condition = stronger,
                None => {
                    let contract = Contract { requires: texts(known, &condition), ..Contract::default() };
                    return Outcome::of(Found::Open { reason, candidate: Some(contract) });
                }
            }
        }
        let contract = self.promises(known, pool, &condition, proves);
        Outcome { explanations: self.explain(known, pool, &condition), found: Found::Contract(contract) }
    }

    /// What no engine can prove may be provable for lists, or trees: all shapes of one kind are assumed, then dropped
    /// as long as the engines agree.
    fn shaped(&self, known: &Known, pool: &Pool<'_>, condition: &[usize]) -> Option<Vec<usize>> {
        let judge = Judge::new(pool, &known.atoms);
        for shape in [Shape::List, Shape::Dlist, Shape::Tree, Shape::Ring] {
            let wanted =
                |a: &usize| known.atoms[*a].shape == Some(shape) && known.probe.formulas[*a].is_some();
            let provable = |all: &[usize]| {
                let contract = Contract { requires: texts(known, all), ..Contract::default() };
                matches!(self.prove(&contract), Proof::Proved)
            };
            // What a function that calls itself requires it must establish as well: the less, the better.
            for atom in (0..known.atoms.len()).filter(wanted).filter(|a| known.atoms[*a].cost <= PLAIN) {
                let mut one: Vec<usize> = condition.iter().copied().chain([atom]).collect();
                one.dedup();
                judge.minimise(&mut one);
                if self.recursive() && one.contains(&atom) && judge.covers_all(&one) && provable(&one) {
                    return Some(one);
                }
            }
            let mut all = condition.to_vec();
            for atom in (0..known.atoms.len()).filter(wanted).filter(|a| !condition.contains(a)) {
                all.push(atom);
                if !judge.covers_all(&all) {
                    all.pop();
                }
            }
            if all.len() == condition.len() {
                continue;
            }
            if !provable(&all) {
                continue;
            }
            // What the condition had may follow from what was added; the dearest goes first.
            let mut order = all.clone();
            order.sort_by_key(|a| (std::cmp::Reverse(known.atoms[*a].cost), std::cmp::Reverse(*a)));
            for atom in order {
                let fewer: Vec<usize> = all.iter().copied().filter(|a| *a != atom).collect();
                if judge.satisfying(&fewer, &judge.bad).is_empty() && provable(&fewer) {
                    all = fewer;
                }
            }
            return Some(all);
        }
        None
    }

    /// What the pool supports, apart from behaviours.
    fn supported(&self, known: &Known, pool: &Pool<'_>, condition: &[usize]) -> Contract {
        let requires = texts(known, condition);
        let mut contract = Contract { requires: requires.clone(), ..Contract::default() };
        let entries = self.satisfying(known, pool, condition);
        if entries.is_empty() {
            return contract;
        }
        let after = After::new(known.goals.len(), pool, &entries);
        let stride = entries.len().div_ceil(STATES).max(1);
        let states = entries.iter().rev().step_by(stride).map(|e| &*pool.entries[*e].state);
        let seen = Seen {
            draft: self.draft,
            function: self.function,
            vocabulary: &known.vocabulary,
            requires: &requires,
            probe: &known.probe.program,
            states: &states.collect::<Vec<_>>(),
            limits: &self.limits,
            late: &|| self.limits.time.is_some_and(|time| self.start.elapsed() > time / 2),
        };
        contract.assigns = seen.assigns();
        contract.frees = seen.frees();
        let always: Vec<(usize, u32)> =
            (0..known.goals.len()).filter(|g| after.always(*g)).map(|g| (g, known.goals[g].cost)).collect();
        let mutants = Mutants::new(pool, &entries, contract.assigns.is_some());
        let chosen = mutants.choose(pool, &always, PROMISES);
        contract.ensures = chosen.iter().map(|g| known.goals[*g].text.clone()).collect();
        contract
    }

    fn satisfying(&self, known: &Known, pool: &Pool<'_>, condition: &[usize]) -> Vec<usize> {
        let judge = Judge::new(pool, &known.atoms);
        sample(&judge.satisfying(condition, &judge.good))
    }

    /// The contract with everything that can be promised.
    fn promises(&self, known: &Known, pool: &Pool<'_>, condition: &[usize], proves: bool) -> Contract {
        let mut contract = self.supported(known, pool, condition);
        let entries = self.satisfying(known, pool, condition);
        if !proves || entries.is_empty() {
            return contract;
        }
        let after = After::new(known.goals.len(), pool, &entries);
        let bare = Contract { requires: contract.requires.clone(), ..Contract::default() };
        contract = self.settle(contract).unwrap_or(bare);
        for shape in Shape::ALL {
            // A structure that is a list is no ring.
            let listed = contract.cases.iter().any(|c| c.name != Shape::Ring.word());
            if shape == Shape::Ring && listed && !matches!(known.vocabulary.result, Some(Sketch::Pointer(_)))
            {
                continue;
            }
            let framed = contract.assigns.is_some();
            let Some(case) = self.case(known, pool, (&after, &entries), framed, shape) else { continue };
            let mut tried = contract.clone();
            tried.cases.push(case.clone());
            if matches!(self.prove(&tried), Proof::Proved) {
                contract = tried;
                continue;
            }
            // Not all of it can be proved: one promise after the other.
            let mut kept = Vec::new();
            for promise in &case.ensures {
                let one = Case { ensures: vec![promise.clone()], ..case.clone() };
                let alone = Contract { cases: vec![one], ..contract.clone() };
                if self.slice().is_some() && matches!(self.prove(&alone), Proof::Proved) {
                    kept.push(promise.clone());
                }
            }
            if !kept.is_empty() {
                contract.cases.push(Case { ensures: kept, ..case });
                if !matches!(self.prove(&contract), Proof::Proved) {
                    contract.cases.pop();
                }
            }
        }
        contract
    }

    /// The part outside of behaviours, without what is not proved; `None` if nothing of it is.
    fn settle(&self, contract: Contract) -> Option<Contract> {
        let proved = |contract: &Contract| matches!(self.prove(contract), Proof::Proved);
        if proved(&contract) {
            return Some(contract);
        }
        let frame = Contract { ensures: Vec::new(), ..contract.clone() };
        let start = frame.clone();
        let unframed = Contract { assigns: None, frees: None, ..frame.clone() };
        let freeing = Contract { assigns: None, ..frame.clone() };
        let mut kept = [frame, freeing, unframed].into_iter().find(|c| proved(c));
        for promise in contract.ensures {
            // A function that calls itself may be proved with a promise and not without.
            let mut tried = kept.clone().unwrap_or_else(|| start.clone());
            tried.ensures.push(promise);
            if proved(&tried) {
                kept = Some(tried);
            }
        }
        kept
    }

    /// What is promised for a shape, and when.
    fn case(
        &self,
        known: &Known,
        pool: &Pool<'_>,
        (after, entries): (&After, &[usize]),
        framed: bool,
        shape: Shape,
    ) -> Option<Case> {
        let of_shape = |g: &usize| known.goals[*g].shape == Some(shape) && !after.always(*g);
        let ringed = |g: &usize| shape != Shape::Ring || known.goals[*g].text.contains("\\result");
        let result = matches!(known.vocabulary.result, Some(Sketch::Pointer(_)));
        let of_shape = |g: &usize| {
            of_shape(g) && (shape == Shape::List || known.goals[*g].moves) && (!result || ringed(g))
        };
        let primary = |g: &usize| of_shape(g) && known.goals[*g].primary;
        let mut primaries: Vec<usize> = (0..known.goals.len()).filter(primary).collect();
        primaries.sort_by_key(|g| (!known.goals[*g].moves, known.goals[*g].cost, *g));
        let edges = Judge::of(pool, &known.atoms, Vec::new(), Vec::new()).covered(entries).len();
        let allowed = |a: usize| {
            let atom = &known.atoms[a];
            let apart = atom.text.starts_with("!(") || atom.text.starts_with("\\disjoint");
            let list = shape == Shape::Sorted && atom.shape == Some(Shape::List);
            let plain = atom.shape.is_none() && atom.cost <= 3;
            known.probe.formulas[a].is_some() && (atom.shape == Some(shape) || apart || list || plain)
        };
        let banned: BTreeSet<usize> = (0..known.atoms.len()).filter(|a| !allowed(*a)).collect();
        for goal in primaries.into_iter().take(6) {
            let (good, bad) = after.split(goal, entries);
            if good.is_empty() {
                continue;
            }
            let judge = Judge::of(pool, &known.atoms, good, bad);
            let Some(mut condition) = judge.condition(&banned) else { continue };
            let mut satisfying = judge.satisfying(&condition, entries);
            if shape != Shape::Sorted && !condition.iter().any(|a| known.atoms[*a].shape.is_some()) {
                continue;
            }
            condition.sort_unstable();
            satisfying.retain(|e| !pool.entries[*e].exits.is_empty());
            // A shape that leaves parts of the function unused is none that its callers have.
            if satisfying.len() < 2 || judge.covered(&satisfying).len() < edges {
                continue;
            }
            let holding: Vec<(usize, u32)> = (0..known.goals.len())
                .filter(|g| known.goals[*g].shape.is_some() && !after.always(*g))
                .filter(|g| satisfying.iter().all(|e| after.holds(*g, *e)))
                .map(|g| (g, known.goals[g].cost))
                .collect();
            let mutants = Mutants::new(pool, &satisfying, framed);
            if mutants.choose(pool, &[(goal, 1)], 1).is_empty() {
                continue;
            }
            let mut chosen = mutants.choose(pool, &holding, PROMISES);
            chosen.retain(|g| *g != goal);
            chosen.insert(0, goal);
            return Some(Case {
                name: shape.word().to_owned(),
                assumes: texts(known, &condition),
                ensures: chosen.iter().map(|g| known.goals[*g].text.clone()).collect(),
            });
        }
        None
    }

    /// Why each conjunct is needed.
    fn explain(&self, known: &Known, pool: &Pool<'_>, condition: &[usize]) -> Vec<Explanation> {
        let judge = Judge::new(pool, &known.atoms);
        let mut out = Vec::new();
        let mut condition = condition.to_vec();
        condition.sort_by_key(|a| (known.atoms[*a].cost, *a));
        for &atom in &condition {
            let why = match judge.witness(&condition, atom) {
                Some(entry) => self.show(known, pool, entry),
                None => vec!["no run of the bounded search needs it; the proof does".to_owned()],
            };
            out.push(Explanation { conjunct: known.atoms[atom].text.clone(), why });
        }
        out
    }

    /// An entry state and what becomes of a run from it.
    fn show(&self, known: &Known, pool: &Pool<'_>, entry: usize) -> Vec<String> {
        let entry = &pool.entries[entry];
        let mut canvas = Canvas::new(&known.probe.program);
        let heap = canvas.state(&entry.state, true);
        let heap = if heap.is_empty() { "anything".to_owned() } else { heap.join("    ") };
        let mut out = Vec::new();
        match &entry.fate {
            Fate::Fails(failure) => {
                let place = self.place(known, failure.span);
                out.push(format!("{}{}", place.map_or(String::new(), |p| p + ": "), failure.message));
                out.push(format!("at entry: {heap}"));
                if let Some(trace) = pool.trace(entry) {
                    for step in canvas.steps(&trace.initial, &trace.steps, false).iter().rev().take(6).rev() {
                        let place = self.place(known, step.span).unwrap_or_default();
                        let mut changes = step.changes.join(", ");
                        if step.last {
                            let comma = if changes.is_empty() { "" } else { "; " };
                            changes.push_str(&format!("{comma}fails"));
                        }
                        out.push(format!("{place}: [{changes}]"));
                    }
                }
            }
            _ => {
                out.push("a run does not end".to_owned());
                out.push(format!("at entry: {heap}"));
            }
        }
        out
    }

    fn place(&self, known: &Known, span: crate::util::span::Span) -> Option<String> {
        self.draft.place(&known.file.unit, self.function, &known.text, span)
    }

    /// No run comes to its end: proved, not only seen.
    fn never_ends(&self) -> bool {
        let contract = Contract { ensures: vec!["\\false".to_owned()], ..Contract::default() };
        let draft = self.draft.about_ends();
        let asked = |limits: Limits| prove(&draft, self.function, &contract, &limits, self.seed);
        matches!(self.slice().map(asked), Some(Proof::Proved))
    }

    fn excluded_by_none(&self, known: &Known, pool: &Pool<'_>, entry: Option<usize>) -> Found {
        let run = entry.map_or(Vec::new(), |e| self.show(known, pool, e));
        Found::Never { always: false, run }
    }
}

fn unformed(formulas: &[Option<Formula>], n: usize) -> BTreeSet<usize> {
    (0..n).filter(|i| formulas[*i].is_none()).collect()
}

fn texts(known: &Known, condition: &[usize]) -> Vec<String> {
    let mut sorted = condition.to_vec();
    sorted.sort_by_key(|a| (known.atoms[*a].cost, *a));
    let mut out: Vec<String> = Vec::new();
    for text in sorted.into_iter().map(|a| known.atoms[a].text.clone()) {
        // What follows from it and everybody wants to read: a field that is not null belongs to a cell.
        let plain = Some(text.as_str()).filter(|t| !t.contains("||"));
        let base = plain
            .and_then(|t| t.strip_suffix(" != NULL"))
            .and_then(|t| t.split_once("->"))
            .map(|(base, _)| base.to_owned());
        let base = base.filter(|b| b.chars().all(|c| c.is_alphanumeric() || c == '_'));
        match base.map(|b| format!("\\valid({b})")) {
            Some(valid) if !out.iter().any(|p| p.contains(&valid)) => out.push(format!("{valid} && {text}")),
            _ => out.push(text),
        }
    }
    out
}
