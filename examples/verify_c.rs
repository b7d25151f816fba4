//! Proves and refutes C: `cargo run --example verify_c [FILE.c]`.

use catena::{Verdict, Verifier};
use std::error::Error;
use std::time::Duration;

const TEXT: &str = r"
struct node { int data; struct node *next; };

/*@ requires \list(next, l);
    ensures  \list(next, \result); @*/
struct node *tail(struct node *l) {
  return l->next;                      /* what if the list is empty? */
}
";

fn main() -> Result<(), Box<dyn Error>> {
    let (name, text) = match std::env::args().nth(1) {
        Some(name) => (name.clone(), std::fs::read_to_string(name)?),
        None => ("tail.c".to_owned(), TEXT.to_owned()),
    };
    let verifier = Verifier::new().timeout(Duration::from_secs(10)).jobs(2);
    let report = verifier.verify(&name, text)?;
    for diagnostic in report.diagnostics() {
        println!("{diagnostic}");
    }
    for f in report.functions() {
        match f.verdict() {
            Verdict::Verified(evidence) => {
                println!("{}: verified by {}", f.function, f.engine);
                evidence.invariants.iter().for_each(|i| println!("  loop invariant {}", i.formula));
            }
            Verdict::Violated(trace) => {
                println!("{}: {}, if at entry {}", f.function, trace.message, trace.entry);
                for cell in &trace.entry.cells {
                    println!("  a {} called {}: {:?}", cell.kind, cell.name, cell.fields);
                }
                trace
                    .steps
                    .iter()
                    .for_each(|step| println!("  {}  {}", step.source, step.changes.join(", ")));
            }
            Verdict::Unknown(why) => println!("{}: unknown, {}", f.function, why.message),
            // The answer as the program `catena` prints it.
            _ => print!("{f}"),
        }
    }
    Ok(())
}
