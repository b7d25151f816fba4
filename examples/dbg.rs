//! scratch
use catena::engine::solver::*;
use catena::frontend::smtlib;
use catena::logic::Terms;
fn main() {
    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let mut terms = Terms::new();
    let script = smtlib::read(&text, &mut terms).unwrap();
    let mut s = Solver::with_terms(Config { proofs: true, ..Config::default() }, terms);
    for (i, (f, _)) in script.assertions.iter().enumerate() { s.assert_named(*f, &format!("a{i}")).unwrap(); }
    s.set_limits(catena::util::limits::Limits { steps: Some(5_000_000), ..Default::default() });
    match s.check() { Answer::Unknown(r) => println!("unknown {r}"), Answer::Sat(_) => println!("sat"), _ => println!("unsat") }
    println!("{:?}", s.stats());
}
