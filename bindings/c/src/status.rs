//! What a call says: a status, and the text of the last error of each thread.

use catena_bindings::Fault;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a call went.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum catena_status {
    /// All is well.
    CATENA_OK = 0,
    /// A pointer is null.
    CATENA_ERROR_NULL = 1,
    /// A handle, a number or a string that was never given out, or is closed or freed.
    CATENA_ERROR_HANDLE = 2,
    /// A string is not UTF-8.
    CATENA_ERROR_UTF8 = 3,
    /// The solver is at work in another thread.
    CATENA_ERROR_BUSY = 4,
    /// A term, symbol or sort cannot be built.
    CATENA_ERROR_BUILD = 5,
    /// A term, symbol or sort belongs to another solver.
    CATENA_ERROR_FOREIGN = 6,
    /// No scope is open.
    CATENA_ERROR_NO_SCOPE = 7,
    /// The last check has no such answer, or something was changed since.
    CATENA_ERROR_NO_ANSWER = 8,
    /// A term has no value of this kind, or one that does not fit.
    CATENA_ERROR_VALUE = 9,
    /// There is no proof, or it does not check.
    CATENA_ERROR_PROOF = 10,
    /// A fault of the library's; the object should be closed.
    CATENA_ERROR_INTERNAL = 11,
}

/// A status that is not [`catena_status::CATENA_OK`], with its text.
pub(crate) struct Fail(pub catena_status, pub String);

impl Fail {
    pub(crate) fn null(what: &str) -> Fail {
        Fail(catena_status::CATENA_ERROR_NULL, format!("{what} is a null pointer"))
    }

    pub(crate) fn internal(what: &str) -> Fail {
        Fail(catena_status::CATENA_ERROR_INTERNAL, format!("internal error: {what}"))
    }
}

impl From<Fault> for Fail {
    fn from(fault: Fault) -> Fail {
        let status = match fault {
            Fault::NoSuch(_) => catena_status::CATENA_ERROR_HANDLE,
            Fault::Foreign => catena_status::CATENA_ERROR_FOREIGN,
            Fault::Build(_) => catena_status::CATENA_ERROR_BUILD,
            Fault::NoScope => catena_status::CATENA_ERROR_NO_SCOPE,
            Fault::NoAnswer(_) => catena_status::CATENA_ERROR_NO_ANSWER,
            Fault::Value(_) => catena_status::CATENA_ERROR_VALUE,
            Fault::Proof(_) => catena_status::CATENA_ERROR_PROOF,
        };
        Fail(status, fault.to_string())
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Text for C: a zero byte inside would end it.
pub(crate) fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default()
}

/// Makes a call: its error becomes the last error of the thread, a panic becomes an error.
pub(crate) fn guard(call: impl FnOnce() -> Result<(), Fail>) -> catena_status {
    let result = catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        Err(Fail::internal(text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panic")))
    });
    match result {
        Ok(()) => catena_status::CATENA_OK,
        Err(Fail(status, text)) => {
            // A thread that is ending has no last error any more.
            let _ = LAST.try_with(|last| *last.borrow_mut() = c_text(&text));
            status
        }
    }
}

/// What the last call of this thread that did not return `CATENA_OK` complained about. The text is the library's, and
/// stands until the next such call of this thread.
#[unsafe(no_mangle)]
pub extern "C" fn catena_last_error() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}
