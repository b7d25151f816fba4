//! The text form of programs: prints and reads back exactly, for tests, bug reports and certificates.
//!
//! One tree in parentheses; `;` starts a comment. After the name come, each in parentheses and in this order:
//!
//! ```text
//! (program NAME function|main START END            ; START END: the span in the source, everywhere below too
//!   (graph LOCATIONS ENTRY EXIT BOUNDS)            ; numbers; BOUNDS: bound variables handed out
//!   (struct NAME)
//!   (field STRUCT NAME TYPE real|ghost)
//!   (var NAME KIND TYPE LENGTH START END)          ; LENGTH: a number or -
//!   (label NAME)
//!   (contract BEHAVIOR START END (requires START END F) (ensures START END F) (assigns TARGET ..))
//!   (loop HEAD PARENT START END (invariant START END F) (assigns TARGET ..))
//!   (track LOOP OBJECT START END F)                ; OBJECT: - or (ID NAME STRUCT|int)
//!   (shape list|dlist|tree FIELD ..)
//!   (edge FROM TO START END COMMAND))
//! ```
//!
//! Types: `(int BITS signed|unsigned)`, `(ptr STRUCT)`, `(ints BITS signed|unsigned)`, `(ptrs STRUCT)`. A field is
//! named `STRUCT.NAME`. Moments: `now`, `entry`, `label:N`. Terms and expressions: numbers, names of variables (at
//! another moment than now `(var NAME AT)`), `?N` for bound variables, `(null STRUCT)`, `(-> FIELD T AT)`,
//! `(index ARRAY I AT)`, `(neg T)`, `(+ T T)` and the other operators, `(wrap BITS SIGN T)`, `(ite F T T)`. Formulas,
//! sets and commands are written as their constructors are named; `print` is the reference.

mod parse;
mod print;
mod sexpr;
#[cfg(test)]
mod tests;

pub use parse::parse_formula;
pub use print::print_formula;
