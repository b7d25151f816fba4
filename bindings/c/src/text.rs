//! SMT-LIB text in and out.

use crate::catena_handle;
use crate::status::{Fail, catena_status, guard};
use crate::strings::{give, place, put, text};
use crate::table::{Object, open, with_dialogue};
use catena_bindings::{Bounds, Fault, Text, certify_proof};
use std::ffi::c_char;
use std::sync::{Arc, Mutex};

/// A new dialogue in SMT-LIB 2.6. Its checks have these limits, 0 for none: milliseconds, deterministic steps, bytes of
/// solver state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_dialogue_new(
    time_ms: u64,
    steps: u64,
    memory: u64,
    out: *mut catena_handle,
) -> catena_status {
    guard(|| {
        let out = place(out)?;
        let dialogue = Text::new(Bounds { time_ms, steps, memory });
        let token = dialogue.token();
        let handle = open(Object::Dialogue(Arc::new(Mutex::new(dialogue)), token))?;
        // SAFETY: the place was looked at, and the caller may write there (head of the header).
        unsafe { put(out, handle) };
        Ok(())
    })
}

/// Carries out commands and gives the responses; free the string. Declarations and assertions stay from one call to the
/// next. What is wrong with a command is a response `(error ...)`, as SMT-LIB has it, and no error of this call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_dialogue_run(
    dialogue: catena_handle,
    commands: *const c_char,
    out: *mut *mut c_char,
) -> catena_status {
    guard(|| {
        let out = place(out)?;
        // SAFETY: the caller's pointers lead to what their types say (head of the header).
        let commands = unsafe { text(commands, "commands")? };
        let said = with_dialogue(dialogue, |dialogue| Ok(dialogue.run(commands)))?;
        let said = give(&said)?;
        // SAFETY: the place was looked at, and the caller may write there (head of the header).
        unsafe { put(out, said) };
        Ok(())
    })
}

/// The proof of the last `unsat` of a dialogue with `:produce-proofs`; free the string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_dialogue_proof(
    dialogue: catena_handle,
    out: *mut *mut c_char,
) -> catena_status {
    guard(|| {
        let out = place(out)?;
        let proof = with_dialogue(dialogue, |dialogue| Ok(dialogue.proof()))?;
        let proof = give(&proof.ok_or(Fault::NoAnswer("proof"))?)?;
        // SAFETY: the place was looked at, and the caller may write there (head of the header).
        unsafe { put(out, proof) };
        Ok(())
    })
}

/// Checks that a proof shows the assertions at the last check of a script to be contradictory, by code that the solver
/// does not use. Gives the size of the proof in words; free the string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_certify_proof(
    script: *const c_char,
    proof: *const c_char,
    out: *mut *mut c_char,
) -> catena_status {
    guard(|| {
        let out = place(out)?;
        // SAFETY: the caller's pointers lead to what their types say (head of the header).
        let (script, proof) = unsafe { (text(script, "script")?, text(proof, "proof")?) };
        let size = certify_proof(script, proof).map_err(|why| Fail::from(Fault::Proof(why)))?;
        let size = give(&size)?;
        // SAFETY: the place was looked at, and the caller may write there (head of the header).
        unsafe { put(out, size) };
        Ok(())
    })
}
