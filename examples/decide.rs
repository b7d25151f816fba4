//! Decides formulas about a list: `cargo run --example decide`.

use catena::{Answer, Error, Solver, Sort};

fn main() -> Result<(), Error> {
    let mut s = Solver::with_proofs();
    let cell = s.sort("Cell");
    let (next, data) = (s.function("next", [cell], cell), s.function("data", [cell], Sort::INT));
    let (x, y) = (s.constant("x", cell), s.constant("y", cell));

    // Along the list from x, the data never decreases from one cell to the next; y lies on it.
    let u = s.variable("u", cell);
    let sorted = s.le(s.app(data, [u]), s.app(data, [s.app(next, [u])]));
    s.assert(s.forall([u], s.implies(s.reach(next, x, u), sorted)))?;
    s.assert(s.reach(next, x, y))?;

    // Some such list has y two steps away from x.
    s.push();
    s.assert(s.eq(s.app(next, [s.app(next, [x])]), y))?;
    s.assert(s.distinct([x, s.app(next, [x]), y]))?;
    match s.check()? {
        Answer::Sat(model) => {
            for cell in [x, s.app(next, [x]), y] {
                println!("cell {} holds {}", model.value(cell)?, model.value(s.app(data, [cell]))?);
            }
        }
        other => println!("{other:?}"),
    }
    s.pop()?;

    // None has it one step away with less in it.
    s.assert(s.eq(s.app(next, [x]), y))?;
    s.assert(s.lt(s.app(data, [y]), s.app(data, [x])))?;
    match s.check()? {
        Answer::Unsat(refutation) => {
            refutation.certify()?;
            println!("impossible, and the proof was checked");
        }
        Answer::Unknown(why) => println!("unknown: {why}"),
        other => println!("{other:?}"),
    }
    Ok(())
}
