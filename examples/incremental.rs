//! Many questions to one solver, limits, and a thread that stops it: `cargo run --example incremental`.

use catena::{Answer, CancelToken, Error, Limits, Reason, Solver, Sort, Stop};
use std::thread;
use std::time::Duration;

fn main() -> Result<(), Error> {
    let mut s = Solver::new();
    let cell = s.sort("Cell");
    let next = s.function("next", [cell], cell);
    let cells: Vec<_> = (0..8).map(|i| s.constant(&format!("c{i}"), cell)).collect();
    for pair in cells.windows(2) {
        s.assert(s.reach(next, pair[0], pair[1]))?;
    }
    // What is asserted after `push` is forgotten by `pop`; what the solver has learned stays.
    for &c in &cells[1..] {
        s.push();
        s.assert(s.distinct([cells[0], c]))?;
        s.assert(s.reach(next, c, cells[0]))?;
        let round = matches!(s.check()?, Answer::Sat(_));
        println!(
            "a cycle through the first cell and another one: {}",
            if round { "possible" } else { "impossible" }
        );
        s.pop()?;
    }

    // Steps are deterministic: the same check stops at the same place on every machine.
    let numbers: Vec<_> = (0..12).map(|i| s.constant(&format!("n{i}"), Sort::INT)).collect();
    let [seven, thirteen] = [7, 13].map(|k| s.int(k));
    let terms = numbers.iter().enumerate().map(|(i, &n)| s.mul(if i % 2 == 0 { seven } else { thirteen }, n));
    s.assert(s.eq(s.add(terms.collect::<Vec<_>>()), s.int(1)))?;
    s.set_limits(Limits { steps: Some(1), ..Limits::default() });
    match s.check()? {
        Answer::Unknown(Reason::Stopped(Stop::Steps)) => println!("one step is not enough"),
        other => println!("{other:?}"),
    }

    // Another thread may stop a check at any time; the solver stays usable.
    let token = CancelToken::new();
    s.set_limits(Limits {
        cancel: Some(token.clone()),
        time: Some(Duration::from_secs(60)),
        ..Limits::default()
    });
    let stopper = thread::spawn(move || token.cancel());
    match s.check()? {
        Answer::Unknown(why) => println!("stopped: {why}"),
        _ => println!("it was quicker"),
    }
    stopper.join().expect("it only cancels");
    s.set_limits(Limits::default());
    assert!(matches!(s.check()?, Answer::Sat(_)));
    Ok(())
}
