//! Formulas as text that is read back exactly, for certificates.
//!
//! One tree in parentheses. A field is named `STRUCT.NAME`. Moments: `now`, `entry`, `label:N`. Terms: numbers, names
//! of variables (at another moment than now `(var NAME AT)`), `?N` for bound variables, `(null STRUCT)`,
//! `(-> FIELD T AT)`, `(index ARRAY I AT)`, `(neg T)`, `(+ T T)` and the other operators, `(ite F T T)`. Formulas and
//! sets are written as their constructors are named; `print` is the reference.

mod parse;
mod print;
mod sexpr;
#[cfg(test)]
mod tests;

pub use parse::parse_formula;
pub use print::print_formula;
