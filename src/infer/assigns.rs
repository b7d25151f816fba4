//! What a function may change and free: the fewest of the locations that it can be seen to write.

use super::contract::Contract;
use super::draft::Draft;
use super::prove::transferred;
use super::vocabulary::{Place, Vocabulary, member};
use crate::frontend::c::outline::Outlined;
use crate::program::interp::{End, Machine, Odometer};
use crate::program::{Check, Command, Edge, Program, Question, State, VarKind};
use crate::util::limits::Limits;

/// Commands of a run.
const STEPS: u64 = 2_000;
/// Runs from one entry state.
const RUNS: usize = 3;

/// A function with its precondition, and entry states of a program that satisfy it.
pub(super) struct Seen<'a> {
    pub(super) draft: &'a Draft,
    pub(super) function: &'a Outlined,
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) requires: &'a [String],
    pub(super) probe: &'a Program,
    pub(super) states: &'a [&'a State],
    pub(super) limits: &'a Limits,
    /// Half of the time is gone: a contract without this is better than none.
    pub(super) late: &'a dyn Fn() -> bool,
}

impl Seen<'_> {
    /// Whether no run is seen to break the contract; `None` if it is not well formed.
    fn suffices(&self, contract: &Contract) -> Option<bool> {
        if (self.late)() {
            return None;
        }
        let contract = Contract { requires: self.requires.to_vec(), ..contract.clone() };
        let file = self.draft.with(self.function, &contract, self.limits).ok()?;
        let own = file.unit.functions.iter().find(|f| f.name == self.function.name)?;
        let program = own.inlined.as_ref().or(own.program.as_ref().ok())?;
        Some(self.states.iter().all(|state| keeps(self.probe, program, state)))
    }

    /// The locations that suffice, if any do.
    pub(super) fn assigns(&self) -> Option<Vec<String>> {
        let clause = |targets: &[String]| Contract { assigns: Some(targets.to_vec()), ..Contract::default() };
        if self.suffices(&clause(&[])) == Some(true) {
            return Some(Vec::new());
        }
        let Candidates { single, steps, sets } = candidates(self.vocabulary, self.probe);
        self.fewest([single, steps, sets], clause)
    }

    /// The cells that may be freed; `None` if the function frees none, or not these only.
    pub(super) fn frees(&self) -> Option<Vec<String>> {
        let frees = |e: &Edge| matches!(e.command, Command::Free { .. });
        if !self.probe.edges.iter().any(frees) {
            return None;
        }
        let clause = |targets: &[String]| Contract { frees: Some(targets.to_vec()), ..Contract::default() };
        let places = &self.vocabulary.places;
        let single = places.iter().map(|p| p.text.clone()).collect();
        let step =
            |p: &Place| self.vocabulary.record(p).links.iter().map(|l| p.member(l)).collect::<Vec<_>>();
        let steps = places.iter().flat_map(step).collect();
        let lists = |p: &Place| {
            let cells = |f: &str| format!("\\cells({f}, {}, NULL)", p.text);
            self.vocabulary.record(p).lists().into_iter().map(cells).collect::<Vec<_>>()
        };
        self.fewest([single, steps, places.iter().flat_map(lists).collect()], clause)
    }

    /// The fewest of single locations, those one step away, and sets, in this order of preference.
    fn fewest(
        &self,
        [single, steps, sets]: [Vec<String>; 3],
        clause: impl Fn(&[String]) -> Contract,
    ) -> Option<Vec<String>> {
        // One that is not well formed here must not spoil the others.
        let formed = |list: Vec<String>| -> Vec<String> {
            list.into_iter().filter(|t| self.suffices(&clause(std::slice::from_ref(t))).is_some()).collect()
        };
        let suffices = |list: &[String]| self.suffices(&clause(list)) == Some(true);
        let (single, steps) = (formed(single), formed(steps));
        let mut kept = [single.clone(), steps.clone()].concat();
        if kept.is_empty() || !suffices(&kept) {
            kept = [single, formed(sets), steps].concat();
            if kept.is_empty() || !suffices(&kept) {
                return None;
            }
        }
        for i in (0..kept.len()).rev() {
            let mut fewer = kept.clone();
            fewer.remove(i);
            if !fewer.is_empty() && suffices(&fewer) {
                kept = fewer;
            }
        }
        Some(kept).filter(|_| !(self.late)())
    }
}

/// Locations that may change.
#[derive(Default)]
struct Candidates {
    /// Fields of what the function is given.
    single: Vec<String>,
    /// One step further.
    steps: Vec<String>,
    /// Fields of all cells of a list.
    sets: Vec<String>,
}

/// No run from the state changes more than the contract says.
fn keeps(probe: &Program, program: &Program, state: &State) -> bool {
    let Some(state) = transferred(state, probe, program) else { return false };
    let question = Question { contract: 0, checks: vec![Check::Memsafety, Check::Asserts, Check::Ensures] };
    let machine = Machine::new(program, &question);
    let ints = [0, 1];
    let mut odometer = Odometer::new(&ints, true);
    for _ in 0..RUNS {
        let mut run = machine.start(state.clone());
        if matches!(machine.run(&mut run, &mut odometer, STEPS), End::Failed(_)) {
            return false;
        }
        if !odometer.advance() {
            break;
        }
    }
    true
}

/// Locations that the function has the names of.
fn candidates(vocabulary: &Vocabulary, program: &Program) -> Candidates {
    let written = |name: &str| {
        program.edges.iter().any(|e| match &e.command {
            Command::Store { field, .. } => {
                let field = &program.fields[field.index()].name;
                field == name || field.ends_with(name)
            }
            _ => false,
        })
    };
    let mut out = Candidates::default();
    let globals = program.vars.iter().filter(|v| v.kind == VarKind::Global);
    out.single.extend(globals.map(|v| v.name.clone()));
    out.single.extend(vocabulary.doubles.iter().map(|(name, _)| format!("*{name}")));
    for place in &vocabulary.places {
        let own = vocabulary.record(place);
        let others = own.others.iter().map(|(f, _)| f);
        for field in own.links.iter().chain(&own.numbers).chain(others).filter(|f| written(f)) {
            out.single.push(place.member(field));
            out.steps.extend(own.links.iter().map(|link| member(&place.member(link), field)));
            let inner = vocabulary.inner.iter().filter(|p| p.behind.as_ref() == Some(&place.text));
            for root in std::iter::once(place).chain(inner) {
                let set = |link: &str| format!("\\cells({link}, {}, NULL)->{field}", root.text);
                out.sets.extend(own.lists().into_iter().map(set));
            }
        }
    }
    out
}
