//! Limits: a check that is stopped says why, stops soon, and leaves the solver usable.

use catena::engine::solver::{Answer, Config, Reason, Solver};
use catena::frontend::smtlib::Status;
use catena::logic::{SortId, TermId};
use catena::testing::families;
use catena::util::limits::{CancelToken, Limits, Stop};
use std::time::{Duration, Instant};

/// Far above what a stop takes, far below what the problem takes.
const SOON: Duration = Duration::from_secs(20);

/// The pigeonhole principle: `holes + 1` pigeons, out of reach for resolution from a dozen holes on.
fn pigeons(holes: usize) -> (Solver, TermId) {
    let mut solver = Solver::new();
    let t = solver.terms_mut();
    let at: Vec<Vec<TermId>> = (0..=holes)
        .map(|p| {
            (0..holes)
                .map(|h| t.declare_const(&format!("p{p}_{h}"), SortId::BOOL).expect("a new name"))
                .collect()
        })
        .collect();
    let mut formulas: Vec<TermId> = at.iter().map(|row| t.or(row).expect("formulas")).collect();
    for hole in 0..holes {
        for (i, first) in at.iter().enumerate() {
            for second in &at[i + 1..] {
                let both = t.and(&[first[hole], second[hole]]).expect("formulas");
                formulas.push(t.not(both).expect("a formula"));
            }
        }
    }
    let easy = at[0][0];
    solver.push();
    for formula in formulas {
        solver.assert(formula).expect("closed");
    }
    (solver, easy)
}

fn stopped(answer: &Answer) -> Option<Stop> {
    match answer {
        Answer::Unknown(Reason::Stopped(stop)) => Some(*stop),
        _ => None,
    }
}

/// After a stop: the hard assertions go, and the solver answers as ever.
fn still_works(mut solver: Solver, easy: TermId) {
    solver.set_limits(Limits::default());
    assert!(solver.pop(1));
    assert!(matches!(solver.check(), Answer::Sat(_)));
    solver.assert(easy).expect("closed");
    let not = solver.terms_mut().not(easy).expect("a formula");
    let answer = solver.check_assuming(&[not]).expect("closed");
    assert!(matches!(&answer, Answer::Unsat(r) if r.assumptions == [not]), "{answer:?}");
    assert!(matches!(solver.check(), Answer::Sat(_)));
}

#[test]
fn cancelled_from_another_thread() {
    let (mut solver, easy) = pigeons(14);
    let token = CancelToken::new();
    solver.set_limits(Limits { cancel: Some(token.clone()), ..Limits::default() });
    let start = Instant::now();
    let answer = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            token.cancel();
        });
        solver.check()
    });
    assert_eq!(stopped(&answer), Some(Stop::Cancelled));
    assert!(start.elapsed() < SOON);
    still_works(solver, easy);
}

#[test]
fn cancelled_before() {
    let (mut solver, easy) = pigeons(3);
    let token = CancelToken::new();
    token.cancel();
    solver.set_limits(Limits { cancel: Some(token.clone()), ..Limits::default() });
    assert_eq!(stopped(&solver.check()), Some(Stop::Cancelled));
    token.reset();
    assert!(matches!(solver.check(), Answer::Unsat(_)));
    still_works(solver, easy);
}

#[test]
fn deadline() {
    let (mut solver, easy) = pigeons(14);
    solver.set_limits(Limits { time: Some(Duration::from_millis(100)), ..Limits::default() });
    let start = Instant::now();
    assert_eq!(stopped(&solver.check()), Some(Stop::Deadline));
    assert!(start.elapsed() >= Duration::from_millis(100));
    assert!(start.elapsed() < SOON);
    still_works(solver, easy);
}

#[test]
fn steps_are_deterministic() {
    let run = |steps| {
        let (mut solver, easy) = pigeons(12);
        solver.set_limits(Limits { steps: Some(steps), ..Limits::default() });
        assert_eq!(stopped(&solver.check()), Some(Stop::Steps), "{steps}");
        let stats = solver.stats();
        still_works(solver, easy);
        stats
    };
    for steps in [0, 1, 100, 5_000, 50_000] {
        assert_eq!(run(steps), run(steps), "{steps}");
    }
    assert!(run(50_000).conflicts >= run(5_000).conflicts);
}

#[test]
fn memory() {
    let (mut solver, easy) = pigeons(14);
    let limit = solver.memory_bytes() + 200_000;
    solver.set_limits(Limits {
        memory: Some(limit),
        // A solver that never counts must not hang the test.
        time: Some(Duration::from_secs(60)),
        ..Limits::default()
    });
    assert_eq!(stopped(&solver.check()), Some(Stop::Memory));
    still_works(solver, easy);
}

/// Stopped anywhere, the small instances of every family keep their answers.
#[test]
fn families_are_stopped_and_resumed() {
    for family in families::ALL {
        let instance = (family.make)(family.sizes[0]);
        for steps in [1, 40, 300, 2_000, 9_000] {
            let mut solver = Solver::with_terms(Config::default(), instance.problem.terms.clone());
            for &formula in &instance.problem.formulas {
                solver.assert(formula).expect("closed");
            }
            solver.set_limits(Limits { steps: Some(steps), ..Limits::default() });
            let first = status(&solver.check());
            assert!(first.is_none_or(|s| s == instance.status), "{} at {steps}", family.name);
            solver.set_limits(Limits::default());
            assert_eq!(status(&solver.check()), Some(instance.status), "{} after {steps}", family.name);
        }
    }
}

fn status(answer: &Answer) -> Option<Status> {
    match answer {
        Answer::Sat(_) => Some(Status::Sat),
        Answer::Unsat(_) => Some(Status::Unsat),
        Answer::Unknown(_) => None,
    }
}

/// A stopped check, repeated without the limit, gives the answer.
#[test]
fn stopped_and_resumed() {
    for steps in [1, 10, 50, 200, 1000, 3000] {
        let (mut solver, easy) = pigeons(5);
        solver.set_limits(Limits { steps: Some(steps), ..Limits::default() });
        let first = solver.check();
        assert!(stopped(&first).is_some() || matches!(first, Answer::Unsat(_)));
        solver.set_limits(Limits::default());
        assert!(matches!(solver.check(), Answer::Unsat(_)), "after {steps} steps");
        still_works(solver, easy);
    }
}
