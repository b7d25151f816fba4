//! No bytes make a dialogue panic or answer with an internal error.

#![no_main]

use catena::testing::dialogues::dialogue_bytes;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Err(complaint) = dialogue_bytes(bytes) {
        panic!("{complaint}");
    }
});
