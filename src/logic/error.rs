//! Why a term could not be built.

use crate::logic::term::MAX_QUANTIFIER_DEPTH;
use crate::util::limits::Stop;

/// Why a term could not be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// An argument has the wrong sort.
    Sort {
        /// What was being built, and which argument of it.
        place: String,
        /// The sort that was expected.
        expected: String,
        /// The sort that was found.
        found: String,
    },
    /// A symbol is applied to the wrong number of arguments.
    Arity {
        /// The symbol.
        symbol: String,
        /// How many arguments it takes.
        expected: usize,
        /// How many were given.
        found: usize,
    },
    /// `reach` and `between` need a function from an uninterpreted sort to itself.
    NotALinkField {
        /// The symbol.
        symbol: String,
        /// Its signature.
        signature: String,
    },
    /// A product of two terms neither of which is a number.
    NonLinear,
    /// The name is taken by another symbol or sort.
    Duplicate(String),
    /// SMT-LIB has no way to write this name: it contains `|` or a backslash.
    Unwritable(String),
    /// A sort or argument that cannot be used here.
    Unsupported(String),
    /// Something that is not a variable stands in a quantifier prefix.
    NotAVariable(String),
    /// Quantifiers are nested deeper than [`MAX_QUANTIFIER_DEPTH`].
    TooDeep,
    /// A sum has numbers of more than [`crate::logic::build::MAX_NUMBER_BYTES`] in all.
    TooLarge,
    /// A limit was reached while the term was built.
    Stopped(Stop),
    /// An id that does not belong to this store.
    ForeignId,
}

impl std::fmt::Display for BuildError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BuildError::Sort { place, expected, found } => {
                write!(f, "{place}: expected sort {expected}, found {found}")
            }
            BuildError::Arity { symbol, expected, found } => {
                write!(f, "{symbol}: expected {expected} arguments, found {found}")
            }
            BuildError::NotALinkField { symbol, signature } => {
                write!(
                    f,
                    "{symbol}: expected a function from an uninterpreted sort to itself, found {signature}"
                )
            }
            BuildError::NonLinear => f.write_str("product of two terms: expected at least one number"),
            BuildError::Duplicate(name) => write!(f, "{name}: this name is already declared"),
            BuildError::Unwritable(name) => {
                write!(f, "{}: a name must not contain | or \\", name.escape_debug())
            }
            BuildError::Unsupported(what) => f.write_str(what),
            BuildError::NotAVariable(what) => write!(f, "quantifier: expected a variable, found {what}"),
            BuildError::TooDeep => {
                write!(f, "quantifiers are nested more than {MAX_QUANTIFIER_DEPTH} deep")
            }
            BuildError::TooLarge => f.write_str("a number is too large: expected fewer digits"),
            BuildError::Stopped(stop) => write!(f, "{stop}"),
            BuildError::ForeignId => f.write_str("the id does not belong to this store"),
        }
    }
}

impl std::error::Error for BuildError {}
