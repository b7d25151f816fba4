//! The built-in rules as data: what the proof checker and the gate interpret.
//!
//! Read once from the very text that the matchers were compiled from. Rules are numbered through all
//! theories, files in the order of their names.

use super::parse::parse;
use super::syntax::Theory;
use std::ops::Range;
use std::sync::OnceLock;

/// Names of the built-in files with their text.
pub const SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// A built-in rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(pub u16);

/// All built-in theories.
#[derive(Debug)]
pub struct Table {
    theories: Vec<Theory>,
}

/// The built-in table.
pub fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let read = |(file, text): &(&str, &str)| {
            parse(file, text).unwrap_or_else(|_| panic!("{file} was read by the build script"))
        };
        Table { theories: SOURCES.iter().map(read).collect() }
    })
}

impl Table {
    /// The theories in the order of their files.
    pub fn theories(&self) -> &[Theory] {
        &self.theories
    }

    /// The theory of that name.
    pub fn theory(&self, name: &str) -> Option<&Theory> {
        self.theories.iter().find(|t| t.name == name)
    }

    /// The numbers of a theory's rules.
    pub fn ids(&self, theory: &str) -> Range<u16> {
        let mut first = 0;
        for candidate in &self.theories {
            let end = first + candidate.rules.len() as u16;
            if candidate.name == theory {
                return first..end;
            }
            first = end;
        }
        first..first
    }
}
