//! No text makes the reader of rules panic; what it accepts prints and reads back.

#![no_main]

use catena::testing::texts::rule_text;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(complaint) = rule_text(text) {
        panic!("{complaint}");
    }
});
