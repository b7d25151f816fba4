//! Cores and proofs: `cargo run --example proof`.

use catena::{Answer, Dialogue, Error, Solver, certify_proof};

fn main() -> Result<(), Error> {
    let mut s = Solver::with_proofs();
    let cell = s.sort("Cell");
    let next = s.function("next", [cell], cell);
    let [x, y, z] = ["x", "y", "z"].map(|name| s.constant(name, cell));
    s.assert_named("from x to y", s.reach(next, x, y))?;
    s.assert_named("from y to z", s.reach(next, y, z))?;
    s.assert_named("x is no y", s.distinct([x, y]))?;
    let no_path = s.not(s.reach(next, x, z));
    let Answer::Unsat(refutation) = s.check_assuming([no_path])? else { panic!("paths compose") };
    // What is needed of what was said, and a proof that other code checks.
    assert_eq!(refutation.names(), ["from x to y", "from y to z"]);
    assert_eq!(refutation.assumptions(), [no_path]);
    refutation.certify()?;
    println!("the core is {:?}, and its proof was checked", refutation.names());

    // The same with text on both sides.
    let script = "
        (set-option :produce-proofs true)
        (declare-sort Cell 0) (declare-fun next (Cell) Cell)
        (declare-const x Cell) (declare-const y Cell) (declare-const z Cell)
        (assert ((_ reach next) x y)) (assert ((_ reach next) y z)) (assert (not ((_ reach next) x z)))
        (check-sat)";
    let mut dialogue = Dialogue::new();
    assert_eq!(dialogue.run(script), "unsat\n");
    let proof = dialogue.proof().expect("proofs are kept");
    println!("{proof}{:?}", certify_proof(script, &proof));
    Ok(())
}
