//! Catena for C: see `include/catena.h`, which cbindgen makes from this crate.
//!
//! Handles are numbers in a table with generations ([`table`]), so that a closed or invented handle is an error and not
//! an access to freed memory. The same holds for strings that are given out ([`strings`]). What remains to the caller is
//! that pointers point to what their type says. Every entry goes through [`status::guard`], where a panic becomes an
//! error code.

// The names are those of C.
#![allow(non_camel_case_types, reason = "the names are those of C")]
// What a caller has to keep is the same for all functions, and the head of the header says it.
#![allow(clippy::missing_safety_doc, reason = "the head of the header says it once for all functions")]

mod build;
mod programs;
mod solve;
mod status;
mod strings;
mod table;
mod text;

pub use build::*;
pub use programs::*;
pub use solve::*;
pub use status::{catena_last_error, catena_status};
pub use strings::catena_string_free;
pub use table::{catena_cancel, catena_close};
pub use text::*;

/// A solver, a dialogue or a token. 0 is none.
pub type catena_handle = u64;
/// A sort of one solver, or `CATENA_SORT_BOOL` or `CATENA_SORT_INT` of every solver. 0 is none.
pub type catena_sort = u64;
/// A function, predicate or link field of one solver. 0 is none.
pub type catena_function = u64;
/// A term of one solver. The same term has the same number. 0 is none.
pub type catena_term = u64;

/// Truth values.
pub const CATENA_SORT_BOOL: catena_sort = 1;
/// Integers.
pub const CATENA_SORT_INT: catena_sort = 2;

/// The number of this interface: it changes when a program has to be compiled again.
pub const CATENA_ABI: u32 = 0;

/// The `CATENA_ABI` of the library, to be compared with that of the header.
#[unsafe(no_mangle)]
pub extern "C" fn catena_abi() -> u32 {
    CATENA_ABI
}
