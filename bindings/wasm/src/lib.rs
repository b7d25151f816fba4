//! Catena for browsers: a module with plain exports, so that no generator of glue is needed.
//!
//! The host writes the bytes of each argument where [`input`] says, calls a function, and reads so many bytes of the
//! result as it returned where [`result`] says. It gives two functions: `now`, a clock in milliseconds, and `panicked`,
//! which gets the text of a fault before the module traps. `page/worker.js` is such a host.
//!
//! There are no threads. Whoever wants to stop a long run runs the module in a worker and ends the worker.

use catena_bindings::{Bounds, Text, Ways};
use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

#[cfg(target_family = "wasm")]
#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since some fixed point.
    fn now() -> f64;
    /// The text of a fault.
    fn panicked(text: *const u8, length: usize);
}

/// Elsewhere the module is only compiled, for lints and tests of its types.
#[cfg(not(target_family = "wasm"))]
mod native {
    pub unsafe fn now() -> f64 {
        0.0
    }
    pub unsafe fn panicked(_text: *const u8, _length: usize) {}
}
#[cfg(not(target_family = "wasm"))]
use native::{now, panicked};

/// How many arguments a function has at most.
const ARGUMENTS: usize = 3;

#[derive(Default)]
struct Desk {
    inputs: [Vec<u8>; ARGUMENTS],
    result: Vec<u8>,
    dialogues: HashMap<u32, Text>,
    /// The number of the next dialogue.
    next: u32,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

/// Has to be called once, before anything else.
#[unsafe(no_mangle)]
pub extern "C" fn start() {
    #[cfg(target_family = "wasm")]
    catena::set_clock(|| {
        // SAFETY: the function takes nothing and touches no memory of the module.
        let milliseconds = unsafe { now() };
        Duration::from_micros((milliseconds.max(0.0) * 1000.0) as u64)
    });
    #[cfg(not(target_family = "wasm"))]
    // SAFETY: it is a function of this crate that does nothing.
    let _ = Duration::from_secs_f64(unsafe { now() });
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        // SAFETY: pointer and length are those of a text that lives until the function has returned.
        unsafe { panicked(text.as_ptr(), text.len()) };
    }));
}

/// A place for so many bytes of an argument, counted from 0. There is none for the fourth: that is a null pointer.
#[unsafe(no_mangle)]
pub extern "C" fn input(argument: usize, length: usize) -> *mut u8 {
    DESK.with_borrow_mut(|desk| match desk.inputs.get_mut(argument) {
        Some(buffer) => {
            *buffer = vec![0; length];
            buffer.as_mut_ptr()
        }
        None => std::ptr::null_mut(),
    })
}

/// Where the result of the last call stands.
#[unsafe(no_mangle)]
pub extern "C" fn result() -> *const u8 {
    DESK.with_borrow(|desk| desk.result.as_ptr())
}

fn argument(n: usize) -> Vec<u8> {
    DESK.with_borrow_mut(|desk| std::mem::take(&mut desk.inputs[n]))
}

fn text(n: usize) -> String {
    String::from_utf8_lossy(&argument(n)).into_owned()
}

fn answered(answer: String) -> usize {
    DESK.with_borrow_mut(|desk| {
        desk.result = answer.into_bytes();
        desk.result.len()
    })
}

/// Verifies argument 0 with the options of argument 1; the result is JSON.
#[unsafe(no_mangle)]
pub extern "C" fn verify() -> usize {
    let (source, options) = (argument(0), text(1));
    answered(catena_bindings::verify(&source, &options, Ways::default()))
}

/// Checks the certificate of argument 2 for the text of argument 1 whose name is argument 0; the result is JSON.
#[unsafe(no_mangle)]
pub extern "C" fn certify() -> usize {
    let (file, source, certificate) = (text(0), argument(1), text(2));
    answered(catena_bindings::certify(&file, &source, &certificate))
}

/// A new dialogue in SMT-LIB with limits, 0 for none: milliseconds and steps.
#[unsafe(no_mangle)]
pub extern "C" fn dialogue_new(time_ms: u32, steps: u32) -> u32 {
    let text = Text::new(Bounds { time_ms: time_ms.into(), steps: steps.into(), memory: 0 });
    DESK.with_borrow_mut(|desk| {
        desk.next += 1;
        desk.dialogues.insert(desk.next, text);
        desk.next
    })
}

/// Carries out the commands of argument 0; the result is the responses.
#[unsafe(no_mangle)]
pub extern "C" fn dialogue_run(dialogue: u32) -> usize {
    let commands = text(0);
    let Some(mut found) = DESK.with_borrow_mut(|desk| desk.dialogues.remove(&dialogue)) else {
        return answered("(error \"there is no such dialogue\")\n".to_owned());
    };
    let said = found.run(&commands);
    DESK.with_borrow_mut(|desk| desk.dialogues.insert(dialogue, found));
    answered(said)
}

/// Forgets a dialogue. It is no error if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn dialogue_close(dialogue: u32) {
    DESK.with_borrow_mut(|desk| desk.dialogues.remove(&dialogue));
}
