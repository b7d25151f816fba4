//! A question about several classes of failures that nobody decides at once is decided class by class.
//!
//! What is proved of one class is that it is the class of no run's first failure: other failures end a run. So if each
//! class is proved alone, by whomever, no run has a first failure, and none fails. Assertions that were proved are assumed
//! while the next class is looked at.

use super::{Aside, Clock, Decided, Engine, Runner, Task, decide_by, unknown};
use crate::analysis::{Progress, Setup};
use crate::program::{Check, Command, Program, Question};
use crate::util::limits::CancelToken;
use crate::verdict::{Certificate, Counters, Outcome, Reason, Verdict};

/// The part of the time, one in so many, that each class gets first.
const SHORT: usize = 8;

/// Decides all classes at once, or else one by one.
pub(super) fn decide(
    engine: Engine,
    task: &Task<'_>,
    setup: &Setup,
    progress: Progress<'_>,
    run: Runner<'_>,
) -> Decided {
    let classes: Vec<Check> = occurring(task);
    // Evidence about one class is none about the whole question.
    if engine != Engine::Auto || setup.certificates || classes.len() < 2 {
        return decide_by(engine, task, setup, progress, run);
    }
    let clock = Clock::new(&setup.limits);
    let together = Setup { limits: clock.share(2), ..setup.clone() };
    let found = decide_by(engine, task, &together, progress, run);
    let is_over = matches!(found.outcome.verdict, Verdict::Verified(_) | Verdict::Violated(_))
        || found.disagreement
        || task.aside.is_some_and(Aside::is_decided)
        || setup.limits.cancel.as_ref().is_some_and(CancelToken::is_cancelled);
    if is_over {
        return found;
    }
    let mut open = Open { program: task.program.clone(), classes, proved: Vec::new(), evidence: Vec::new() };
    let mut counters = Counters::default();
    // Most classes are easy, and help with the others.
    for share in [SHORT, 1] {
        let classes = std::mem::take(&mut open.classes);
        for (i, &class) in classes.iter().enumerate() {
            if task.aside.is_some_and(|a| a.has_excluded(class)) {
                open.holds(class, task);
                continue;
            }
            let question = Question { contract: task.question.contract, checks: vec![class] };
            let about =
                Task { program: &open.program, inlined: None, question: &question, aside: None, ..*task };
            let limits = clock.share(share.max(classes.len() - i));
            let told = |text: &str| progress(&format!("{}: {text}", class.word()));
            let one = decide_by(engine, &about, &Setup { limits, ..setup.clone() }, &told, run);
            if one.disagreement {
                return one;
            }
            counters.add(&one.outcome.counters);
            match one.outcome.verdict {
                Verdict::Verified(certificate) => {
                    open.evidence.push(certificate);
                    open.holds(class, task);
                }
                // Where other classes do not count, a run may go on behind a failure of theirs.
                Verdict::Violated(trace) if trace.is_real(task.program, task.question) => {
                    return Decided::new(Outcome { verdict: Verdict::Violated(trace), ..one.outcome });
                }
                _ => open.classes.push(class),
            }
        }
    }
    if open.classes.is_empty() {
        let verdict = Verdict::Verified(Certificate::Parts(open.evidence));
        return Decided::new(Outcome { verdict, counters, ..unknown("") });
    }
    saying(found, &open.proved)
}

/// What is left to be shown.
struct Open {
    /// The program, with assertions assumed that hold.
    program: Program,
    classes: Vec<Check>,
    proved: Vec<Check>,
    evidence: Vec<Certificate>,
}

impl Open {
    fn holds(&mut self, class: Check, task: &Task<'_>) {
        self.proved.push(class);
        if let Some(aside) = task.aside {
            aside.exclude(class);
        }
        assume(&mut self.program, class);
    }
}

/// The classes of a question of which the program has anything, those on which others depend first.
fn occurring(task: &Task<'_>) -> Vec<Check> {
    let asserts = |class: Check| {
        task.program.edges.iter().any(|e| match &e.command {
            Command::Assert { check, .. } => *check == class,
            Command::Fail { .. } => class == Check::Asserts,
            _ => false,
        })
    };
    let in_code = |class: &Check| match class {
        Check::Asserts | Check::Overflow => {
            asserts(*class) || !task.program.loops.iter().all(|l| l.invariants.is_empty())
        }
        _ => true,
    };
    let mut classes: Vec<Check> = task.question.checks.iter().copied().filter(in_code).collect();
    classes.sort_unstable();
    classes.dedup();
    classes
}

/// Runs in which an assertion of this class fails are left out.
fn assume(program: &mut Program, class: Check) {
    for edge in &mut program.edges {
        if let Command::Assert { formula, check, .. } = &edge.command
            && *check == class
        {
            edge.command = Command::Suppose(formula.clone());
        }
    }
}

/// An answer that leaves the question open, and what holds all the same.
fn saying(mut found: Decided, proved: &[Check]) -> Decided {
    let words: Vec<&str> = proved.iter().map(|c| c.word()).collect();
    if words.is_empty() {
        return found;
    }
    let also = format!("on its own holds: {}", words.join(", "));
    match &mut found.outcome.verdict {
        Verdict::Unknown(Reason { message, .. }) => *message = format!("{message}; {also}"),
        Verdict::TooWeak(weakness) => {
            weakness.hint = Some(match weakness.hint.take() {
                Some(hint) => format!("{hint}; {also}"),
                None => also,
            });
        }
        _ => {}
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::alone;
    use super::*;
    use crate::program::samples::{Sample, null};
    use crate::program::{At, Cond, Expr, Formula, Term, VarKind};
    use crate::verdict::Verdict;

    /// One assertion behind a loop, which holds or not.
    fn sample(holds: bool) -> Program {
        let mut s = Sample::new("f");
        let x = s.pointer("x", VarKind::Param);
        s.while_loop(Cond::ne(Expr::Var(x), null()), vec![], |s| {
            s.assign(x, null());
        });
        let null = Formula::eq(Term::Var(x, At::Now), Term::Null(crate::program::StructId(0)));
        s.assert(if holds { null } else { Formula::Const(false) });
        s.finish()
    }

    /// Engines that know an answer only if one class is asked about, and none about leaks unless assertions are assumed.
    fn narrow(_: Engine, task: &Task<'_>, _: &Setup, _: Progress<'_>) -> Outcome {
        let assumed = task.program.edges.iter().any(|e| matches!(e.command, Command::Suppose(_)));
        match task.question.checks[..] {
            [Check::Leaks] if !assumed => unknown("not yet"),
            [_] => Outcome { verdict: Verdict::Verified(Certificate::Invariants(Vec::new())), ..unknown("") },
            _ => unknown("too much at once"),
        }
    }

    #[test]
    fn classes_are_proved_one_by_one() {
        let question = Question { contract: 0, checks: vec![Check::Asserts, Check::Memsafety, Check::Leaks] };
        let program = sample(true);
        let task =
            Task { program: &program, inlined: None, question: &question, property: None, aside: None };
        let found = decide(Engine::Auto, &task, &Setup::default(), &|_| {}, &narrow);
        assert!(matches!(found.outcome.verdict, Verdict::Verified(Certificate::Parts(_))));
        // One engine alone is asked once.
        let found = decide(Engine::Pdr, &task, &Setup::default(), &|_| {}, &narrow);
        assert!(matches!(found.outcome.verdict, Verdict::Unknown(_)));
        // What fails is no less violated.
        let program = sample(false);
        let task = Task { program: &program, ..task };
        let found = decide(Engine::Auto, &task, &Setup::default(), &|_| {}, &alone);
        assert!(matches!(found.outcome.verdict, Verdict::Violated(_)));
    }

    #[test]
    fn what_holds_is_said() {
        let question = Question { contract: 0, checks: vec![Check::Asserts, Check::Memsafety] };
        let program = sample(true);
        let task =
            Task { program: &program, inlined: None, question: &question, property: None, aside: None };
        let half = |_: Engine, task: &Task<'_>, _: &Setup, _: Progress<'_>| match task.question.checks[..] {
            [Check::Memsafety] => {
                Outcome { verdict: Verdict::Verified(Certificate::Invariants(Vec::new())), ..unknown("") }
            }
            _ => unknown("no idea"),
        };
        let found = decide(Engine::Auto, &task, &Setup::default(), &|_| {}, &half);
        let Verdict::Unknown(reason) = found.outcome.verdict else { panic!() };
        assert!(reason.message.ends_with("on its own holds: memsafety"), "{}", reason.message);
    }
}
