//! First cut.
use catena::certify::{check_model, check_proof};
use catena::engine::solver::{Answer, Config, Solver};
use catena::testing::{Brute, decide_by_enumeration, formulas};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let from: u64 = args[1].parse().unwrap();
    let to: u64 = args[2].parse().unwrap();
    let only = args.get(3).cloned();
    for (name, generator) in formulas::all() {
        if only.as_ref().is_some_and(|o| o != name) {
            continue;
        }
        let (mut sat, mut unsat, mut unknown, mut wrong) = (0, 0, 0, 0);
        let start = std::time::Instant::now();
        let mut brute_time = 0.0;
        for seed in from..to {
            let problem = generator.generate(seed);
            let (terms, asserted) = (problem.terms.clone(), problem.formulas.clone());
            let mut solver = Solver::with_terms(Config { proofs: true, ..Config::default() }, terms);
            for &f in &asserted {
                solver.assert(f).unwrap();
            }
            solver.set_limits(catena::util::limits::Limits { steps: Some(3_000_000), ..Default::default() });
            let answer = solver.check();
            let complain = |what: String| println!("{name} seed {seed}: {what}\n{}", problem.text());
            match answer {
                Answer::Sat(model) => {
                    sat += 1;
                    if let Err(e) = check_model(solver.terms(), &model, &asserted) {
                        complain(format!("bad model {e:?}"));
                        wrong += 1;
                    }
                }
                Answer::Unsat(refutation) => {
                    unsat += 1;
                    let proof = refutation.proof.unwrap();
                    if let Err(e) = check_proof(solver.terms(), &asserted, &[], &proof) {
                        complain(format!("bad proof {e:?}"));
                        wrong += 1;
                    }
                    let t = std::time::Instant::now();
                    if let Brute::Sat(_) =
                        decide_by_enumeration(&problem.terms, &asserted, 3, -2..=3, 200_000)
                    {
                        complain("WRONG unsat".into());
                        wrong += 1;
                    }
                    brute_time += t.elapsed().as_secs_f64();
                }
                Answer::Unknown(reason) => {
                    unknown += 1;
                    complain(format!("unknown {reason}"));
                }
            }
            if wrong + unknown > 2 {
                break;
            }
        }
        println!(
            "{name}: sat {sat} unsat {unsat} unknown {unknown} wrong {wrong} in {:.2}s brute {brute_time:.2}",
            start.elapsed().as_secs_f64()
        );
    }
}
