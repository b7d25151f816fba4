//! C with annotations: text in, checked programs out.

pub mod ast;
pub mod lex;
pub mod number;
pub mod parse;
pub mod preprocess;
pub mod token;
