//! No text makes the reader of C panic or hang. The bytes are a text; their sum is the seed of another that is nearly C.

#![no_main]

use catena::frontend::c::{Options, load};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let unit = load("fuzz.c", text, &Options::default());
    catena::report::diagnostic::text(&unit.diagnostics, &unit.sources, false);
    let seed = text.iter().fold(0u64, |sum, byte| sum.wrapping_mul(257).wrapping_add(u64::from(*byte)));
    catena::testing::ctexts::check(&catena::testing::ctexts::random_text(seed)).expect("a well-formed unit");
});
