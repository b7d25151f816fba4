//! No sequence of calls of the C library crashes, and each call says whether its object was open. The bytes are the choices.

#![no_main]

#[path = "../../bindings/c/tests/calls/mod.rs"]
mod calls;

use calls::{Random, sequence};
use libfuzzer_sys::fuzz_target;

const CALLS: usize = 200;

fuzz_target!(|bytes: &[u8]| {
    let choices = if bytes.is_empty() { Random::seeded(1) } else { Random::from_bytes(bytes) };
    let done = sequence(choices, CALLS);
    assert!(done.checks + done.texts + done.terms <= CALLS, "a call has one result");
});
