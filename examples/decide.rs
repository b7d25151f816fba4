//! Decides formulas about a sorted list: `cargo run --example decide`.

use catena::{Answer, Error, Solver, Sort};

fn main() -> Result<(), Error> {
    let mut s = Solver::new();
    let cell = s.sort("Cell");
    let (next, data) = (s.function("next", [cell], cell), s.function("data", [cell], Sort::INT));
    let (x, y) = (s.constant("x", cell), s.constant("y", cell));

    // Along the list from x, the data never decreases from one cell to the next; y lies on it.
    let u = s.variable("u", cell);
    let sorted = s.le(s.app(data, [u]), s.app(data, [s.app(next, [u])]));
    s.assert(s.forall([u], s.implies(s.reach(next, x, u), sorted)))?;
    s.assert(s.reach(next, x, y))?;

    // It may be that y is two steps away; it cannot be that there is less in it.
    let two_away = s.eq(s.app(next, [s.app(next, [x])]), y);
    let less = s.lt(s.app(data, [y]), s.app(data, [x]));
    for (what, assumptions) in [("two steps away", vec![two_away]), ("and less in it", vec![two_away, less])]
    {
        match s.check_assuming(assumptions)? {
            Answer::Sat(_) => println!("{what}: possible"),
            Answer::Unsat(_) => println!("{what}: impossible"),
            Answer::Unknown(why) => println!("{what}: {why}"),
            other => println!("{what}: {other:?}"),
        }
    }
    Ok(())
}
