//! No text makes the reader of C panic or hang.

#![no_main]

use catena::frontend::c::{Options, load};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let unit = load("fuzz.c", text, &Options::default());
    catena::report::diagnostic::text(&unit.diagnostics, &unit.sources, false);
});
