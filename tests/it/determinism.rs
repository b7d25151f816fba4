//! The same input gives the same bytes: models, cores, proofs, counters, traces.

use catena::engine::solver::{Answer, Config, Solver};
use catena::frontend::smtlib::read;
use catena::logic::{Terms, print};
use catena::testing::kinds::case_seed;
use catena::testing::{Trace, formulas, replay};

fn run(text: &str) -> String {
    let mut terms = Terms::new();
    let script = read(text, &mut terms).expect("a script");
    let mut solver = Solver::with_terms(Config { proofs: true, ..Config::default() }, terms);
    for (i, formula) in script.formulas().into_iter().enumerate() {
        solver.assert_named(formula, &format!("a{i}")).expect("closed");
    }
    let evidence = match solver.check() {
        Answer::Sat(model) => print::model(solver.terms(), &model),
        Answer::Unsat(refutation) => format!("{refutation:?}"),
        Answer::Unknown(reason) => reason.to_string(),
    };
    format!("{evidence}\n{:?}\n{}", solver.stats(), solver.memory_bytes())
}

/// In another thread with another history of the allocator, from text.
#[test]
fn threads_agree() {
    let texts: Vec<String> = formulas::all()
        .iter()
        .flat_map(|(name, g)| (0..10).map(|i| g.generate(case_seed(9, name, i)).text()))
        .collect();
    let here: Vec<String> = texts.iter().map(|t| run(t)).collect();
    let there: Vec<String> = std::thread::scope(|scope| {
        let reversed = scope.spawn(|| texts.iter().rev().map(|t| run(t)).collect::<Vec<_>>());
        reversed.join().expect("no panic")
    });
    for ((first, second), text) in here.iter().zip(there.iter().rev()).zip(&texts) {
        assert_eq!(first, second, "{text}");
    }
}

#[test]
fn traces_agree() {
    for index in 0..20 {
        let trace = Trace::random(case_seed(10, "trace", index));
        let first = replay::replay(&trace).unwrap_or_else(|c| panic!("{c}\n{trace}"));
        let again = Trace::parse(&trace.to_string()).expect("traces read back");
        assert_eq!(replay::replay(&again), Ok(first));
    }
}
