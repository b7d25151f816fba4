//! Reads a model: `cargo run --example model`.

use catena::{Answer, Error, Solver, Sort, Value};

fn main() -> Result<(), Error> {
    let mut s = Solver::new();
    let cell = s.sort("Cell");
    let (next, data) = (s.function("next", [cell], cell), s.function("data", [cell], Sort::INT));
    let (x, y) = (s.constant("x", cell), s.constant("y", cell));

    // A ring of three cells with 10, 20 and 30 in them.
    let second = s.app(next, [x]);
    s.assert(s.distinct([x, second, y]))?;
    s.assert(s.and([s.eq(s.app(next, [second]), y), s.eq(s.app(next, [y]), x)]))?;
    for (at, number) in [(x, 10), (second, 20), (y, 30)] {
        s.assert(s.eq(s.app(data, [at]), s.int(number)))?;
    }
    let Answer::Sat(model) = s.check()? else { panic!("there is such a ring") };

    // Every closed term has a value, also one that no assertion mentions.
    for at in [x, second, y] {
        println!(
            "{} holds {} and leads to {}",
            model.value(at)?,
            model.value(s.app(data, [at]))?,
            model.value(s.app(next, [at]))?
        );
    }
    let sum = s.add([x, second, y].map(|at| s.app(data, [at])));
    assert_eq!(model.value(sum)?.as_i64(), Some(60));
    assert_eq!(model.value(s.reach(next, y, second))?, Value::Bool(true));
    println!("the sort has {} elements; as SMT-LIB:\n{model}", model.size(cell)?);
    Ok(())
}
