//! The built-in rules as data: what the proof checker and the gate interpret.
//!
//! Read once from the very text that the matchers were compiled from. Rules are numbered through all
//! theories, files in the order of their names.

use super::parse::parse;
use super::syntax::{Rule, Theory};
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

    /// The number of a rule.
    #[cfg(feature = "testing")]
    pub fn find(&self, theory: &str, rule: &str) -> Option<RuleId> {
        let position = self.theory(theory)?.rules.iter().position(|r| r.name == rule)?;
        Some(RuleId(self.ids(theory).start + position as u16))
    }

    /// The rule with that number, if there is one: numbers in a proof file may be wrong.
    #[cfg(feature = "testing")]
    pub fn get(&self, id: RuleId) -> Option<&Rule> {
        self.theories.iter().flat_map(|t| &t.rules).nth(id.0 as usize)
    }

    /// The rule with that number.
    #[cfg(feature = "testing")]
    pub fn rule(&self, id: RuleId) -> &Rule {
        self.get(id).expect("rule numbers come from the table")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lead_back_to_rules() {
        for theory in table().theories() {
            for (id, rule) in table().ids(&theory.name).zip(&theory.rules) {
                assert_eq!(table().find(&theory.name, &rule.name), Some(RuleId(id)));
                assert_eq!(table().rule(RuleId(id)), rule);
            }
        }
        assert_eq!(table().get(RuleId(u16::MAX)), None);
        assert_eq!(table().find("lisbq", "no_such_rule"), None);
    }
}
