//! Bytes are a seed of a random trace or the text of one; every answer on the way is verified.

#![no_main]

use catena::testing::Trace;
use catena::testing::replay::replay;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u64, &str)| {
    let (seed, text) = input;
    let trace = if text.is_empty() { Ok(Trace::random(seed)) } else { Trace::parse(text) };
    if let Ok(trace) = trace
        && let Err(complaint) = replay(&trace)
    {
        panic!("{complaint}\n{trace}");
    }
});
