//! What is wrong with an input, and where.

use crate::logic::BuildError;

/// A place in a text; both count from 1, columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column within the line.
    pub column: u32,
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The first error of a text. It prints as `line:column: message`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line, from 1.
    pub line: u32,
    /// The column within the line, from 1.
    pub column: u32,
    /// What was expected and what was found.
    pub message: String,
    /// Whether the text is in order, but says something that this solver does not have.
    pub unsupported: bool,
}

impl ReadError {
    /// An error at a place.
    pub fn new(at: Position, message: impl Into<String>) -> ReadError {
        ReadError { line: at.line, column: at.column, message: message.into(), unsupported: false }
    }

    /// The usual error: one thing was expected, another one found.
    pub fn expected(at: Position, expected: &str, found: impl std::fmt::Display) -> ReadError {
        ReadError::new(at, format!("expected {expected}, found {found}"))
    }

    /// A term of the input that the store refuses.
    pub fn build(at: Position, error: &BuildError) -> ReadError {
        let beyond =
            matches!(error, BuildError::NonLinear | BuildError::Unsupported(_) | BuildError::TooDeep);
        ReadError::new(at, error.to_string()).beyond_us(beyond)
    }

    /// The same error; if `beyond`, about something that is in order but that this solver does not have.
    pub fn beyond_us(self, beyond: bool) -> ReadError {
        ReadError { unsupported: self.unsupported || beyond, ..self }
    }
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ReadError {}
