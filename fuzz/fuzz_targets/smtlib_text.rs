//! No text makes the reader of scripts panic; what it accepts prints, reads back and has a certified answer.

#![no_main]

use catena::testing::texts::smtlib_text;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(complaint) = smtlib_text(text) {
        panic!("{complaint}");
    }
});
