use catena::engine::solver::{Answer, Config, Solver};
use catena::logic::print;
use catena::proof::*;
use catena::testing::formulas;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let seed: u64 = args[2].parse().unwrap();
    for (name, g) in formulas::all() {
        if name != args[1] { continue }
        let p = g.generate(seed);
        let mut s = Solver::with_terms(Config { proofs: true, ..Config::default() }, p.terms.clone());
        for &f in &p.formulas { s.assert(f).unwrap(); }
        let Answer::Unsat(r) = s.check() else { return };
        let proof = r.proof.unwrap();
        let k: usize = args[3].parse().unwrap();
        if let Step::Lemma { clause, derivation } = &proof.steps[k] {
            for l in clause { println!("{}{}", if l.positive { "" } else { "not " }, print::term(s.terms(), l.atom)); }
            for r in &derivation.rules { println!("{} {:?} alt {:?}", r.rule, r.binding.iter().map(|&t| print::term(s.terms(), t)).collect::<Vec<_>>(), r.alternative) }
            println!("{:?}", derivation.closing);
        }
    }
}
