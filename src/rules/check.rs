//! The gate: no rule enters without it.
//!
//! 1. *Sound*: every rule is true in every heap of up to [`SOUND_CELLS`] cells.
//! 2. *Complete*: every context over up to [`TERMS`] distinct terms that is closed under the rules is
//!    realised by a heap, the one section 3.2 of LISBQ constructs.
//! 3. *Minimal*: without the rule some context is closed that no heap realises, or the file says in a
//!    note why the rule stays.
//! 4. *Compiled as written*: see `agree`.
//!
//! A note claims that a rule follows from the others, so rules with a note are left out of tests 2 and
//! 3. That is stricter than testing all rules together: with `prefix` and `ends` present one could drop
//! `order2`, and the notes of both would be wrong.
//!
//! Failures carry a counterexample as text. The whole gate takes well under a second.

use super::agree::{ROUNDS, compare, is_compiled};
use super::closed::{each_closed, realise};
use super::heaps::heaps;
use super::syntax::{Rule, Theory};
use std::fmt;
use std::ops::ControlFlow;

/// Heaps of up to this many cells (and null) judge soundness.
pub const SOUND_CELLS: usize = 4;
/// Contexts over up to this many terms (and null) judge completeness.
pub const TERMS: usize = 3;
/// Seed of the random contexts.
const SEED: u64 = 0x0CA7_E4A0;

/// What a test of the gate says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It passed; what was looked at.
    Pass(String),
    /// It failed; the counterexample.
    Fail(String),
}

impl Outcome {
    /// Whether it passed.
    pub fn passed(&self) -> bool {
        matches!(self, Outcome::Pass(_))
    }
}

/// The tests of one rule.
#[derive(Clone, Debug)]
pub struct RuleReport {
    /// The rule's name.
    pub name: String,
    /// True in all small heaps.
    pub sound: Outcome,
    /// Needed, or noted.
    pub minimal: Outcome,
}

/// The tests of one theory.
#[derive(Clone, Debug)]
pub struct TheoryReport {
    /// The theory's name.
    pub name: String,
    /// Its rules.
    pub rules: Vec<RuleReport>,
    /// Closed contexts are realised.
    pub complete: Outcome,
    /// Matchers and plans say what the rules say.
    pub compiled: Outcome,
}

impl TheoryReport {
    /// Whether everything passed.
    pub fn passed(&self) -> bool {
        let rules = self.rules.iter().all(|rule| rule.sound.passed() && rule.minimal.passed());
        rules && self.complete.passed() && self.compiled.passed()
    }
}

/// Runs the whole gate on one theory.
pub fn check(theory: &Theory) -> TheoryReport {
    let core: Vec<&Rule> = theory.rules.iter().filter(|rule| rule.note.is_none()).collect();
    let mut contexts = Vec::new();
    let complete = match unrealised(theory, &core, TERMS, &mut contexts) {
        None => Outcome::Pass(format!("{} contexts over 1 to {TERMS} terms", join(&contexts))),
        Some(counterexample) => Outcome::Fail(counterexample),
    };
    let rule = |rule: &Rule| RuleReport {
        name: rule.name.clone(),
        sound: sound(theory, rule),
        minimal: minimal(theory, rule),
    };
    TheoryReport {
        name: theory.name.clone(),
        rules: theory.rules.iter().map(rule).collect(),
        complete,
        compiled: match compare(theory, SEED, ROUNDS) {
            Ok(()) if is_compiled(theory) => Outcome::Pass("matchers, plans and rules agree".into()),
            Ok(()) => Outcome::Pass("plans and rules agree; these rules are not compiled in".into()),
            Err(difference) => Outcome::Fail(difference),
        },
    }
}

fn join(counts: &[usize]) -> String {
    counts.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

/// Whether a rule is true in all small heaps.
pub fn sound(theory: &Theory, rule: &Rule) -> Outcome {
    let mut count = 0;
    for heap in (1..=SOUND_CELLS).flat_map(|cells| heaps(theory.heaps, theory.null, cells)) {
        let context = heap.context();
        count += 1;
        if let Some(binding) = context.violation(rule) {
            let bound = rule.variables.iter().zip(binding).map(|(x, a)| format!("{x} = {}", context.name(a)));
            let bound: Vec<String> = bound.collect();
            return Outcome::Fail(format!("false in the heap {heap} at {}", bound.join(", ")));
        }
    }
    Outcome::Pass(format!("{count} heaps"))
}

/// A closed context that no heap realises, over the least number of terms; counts the others.
pub fn unrealised(
    theory: &Theory,
    rules: &[&Rule],
    terms: usize,
    contexts: &mut Vec<usize>,
) -> Option<String> {
    for n in 1..=terms {
        let (mut count, mut found) = (0, None);
        let points = n + usize::from(theory.null);
        let _ = each_closed(theory, rules, points, &mut |context| match realise(theory, context) {
            Ok(_) => {
                count += 1;
                ControlFlow::Continue(())
            }
            Err(reason) => {
                found = Some(format!("closed but not realised: {context}\n  ({reason})"));
                ControlFlow::Break(())
            }
        });
        if found.is_some() {
            return found;
        }
        contexts.push(count);
    }
    None
}

fn minimal(theory: &Theory, rule: &Rule) -> Outcome {
    if let Some(note) = &rule.note {
        return Outcome::Pass(format!("noted: {note}"));
    }
    let kept = |other: &&Rule| other.note.is_none() && other.name != rule.name;
    let others: Vec<&Rule> = theory.rules.iter().filter(kept).collect();
    match unrealised(theory, &others, TERMS, &mut Vec::new()) {
        Some(_) => Outcome::Pass("needed".into()),
        None => Outcome::Fail(format!(
            "without it the rules are complete up to {TERMS} terms: drop it or say why it stays in a note"
        )),
    }
}

impl fmt::Display for TheoryReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.passed() { "ok" } else { "FAILED" };
        writeln!(out, "theory {}: {verdict}", self.name)?;
        let width = self.rules.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
        let mut line = |name: &str, test: &str, outcome: &Outcome| match outcome {
            Outcome::Pass(what) => writeln!(out, "  {name:width$}  {test:<9} ok      {what}"),
            Outcome::Fail(why) => {
                writeln!(out, "  {name:width$}  {test:<9} FAILED  {}", why.replace('\n', "\n    "))
            }
        };
        for rule in &self.rules {
            line(&rule.name, "sound", &rule.sound)?;
            line("", "minimal", &rule.minimal)?;
        }
        line("all rules", "complete", &self.complete)?;
        line("", "compiled", &self.compiled)
    }
}
