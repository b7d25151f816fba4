//! Answers many questions through the front door of the crate, for comparison with the bindings.
//!
//! `same LIST OUT`: each line of LIST names a file below the root of the repository, `.c` or `.smt2`. The answer to the
//! one in line N goes to `OUT/N.txt`. `bindings/same/compare` leaves times out of the comparison.

use catena::{Dialogue, Limits, Verifier};
use serde_json::json;
use std::path::Path;

/// Steps of each function and each check: no answer depends on the clock.
const STEPS: u64 = 2_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(list), Some(out)) = (arguments.next(), arguments.next()) else {
        return Err("usage: same LIST OUT".into());
    };
    std::fs::create_dir_all(&out)?;
    for (n, name) in std::fs::read_to_string(list)?.lines().enumerate() {
        let text = std::fs::read(name)?;
        let limits = Limits { steps: Some(STEPS), ..Limits::default() };
        let answer = if name.ends_with(".c") {
            match Verifier::new().limits(limits).verify(name, &text) {
                Ok(report) => {
                    let (verified, text) = (report.is_verified(), report.to_string());
                    json!({ "report": report, "verified": verified, "text": text }).to_string()
                }
                Err(error) => error.to_string(),
            }
        } else {
            Dialogue::with_limits(limits).run(&String::from_utf8(text)?)
        };
        std::fs::write(Path::new(&out).join(format!("{n}.txt")), answer)?;
    }
    Ok(())
}
