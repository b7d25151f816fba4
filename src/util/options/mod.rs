//! One table of options: every limit, share and order of a search that is a judgement and not a fact.
//!
//! Each line says what the number trades and which bench or test fixes it. `catena options` prints the table,
//! `--set NAME=VALUE` changes a value for an experiment, the torture run draws values from the ranges. Whatever the
//! values are, an answer may become `unknown` but never wrong: an option that could make one wrong does not belong here.
//!
//! To add one: a line in `table`, `NAME.get()` where it is needed, a sentence why the default is what it is.
//! Names are `PART.WHAT`, where the part is the module that reads it. Values belong to the process and are set before
//! the first question; nothing changes them later, so that the same input gives the same answer.

mod table;

pub use table::*;

use std::sync::atomic::{AtomicU64, Ordering};

/// One line of the table.
#[derive(Debug)]
pub struct Choice {
    /// `PART.WHAT`.
    pub name: &'static str,
    /// The value if nobody says otherwise.
    pub default: u64,
    /// The least and the largest value that make sense.
    pub range: (u64, u64),
    /// What a larger value buys, and what it costs.
    pub trades: &'static str,
    /// The bench or test that the default was chosen by.
    pub fixed_by: &'static str,
    value: AtomicU64,
}

impl Choice {
    /// The value in force.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.value.load(Ordering::Relaxed)
    }

    /// The value in force, as a size.
    #[must_use]
    pub fn size(&self) -> usize {
        usize::try_from(self.get()).unwrap_or(usize::MAX)
    }

    /// The value in force, as a small number.
    #[must_use]
    pub fn count(&self) -> u32 {
        u32::try_from(self.get()).unwrap_or(u32::MAX)
    }

    /// The value in force, as milliseconds.
    #[must_use]
    pub fn milliseconds(&self) -> std::time::Duration {
        std::time::Duration::from_millis(self.get())
    }

    /// Puts a value in force if it is within the range.
    pub fn set(&self, value: u64) -> Result<(), String> {
        let (least, most) = self.range;
        if !(least..=most).contains(&value) {
            return Err(format!("`{}` takes a number from {least} to {most}, not {value}", self.name));
        }
        self.value.store(value, Ordering::Relaxed);
        Ok(())
    }
}

/// Carries out `NAME=VALUE`.
pub fn set(assignment: &str) -> Result<(), String> {
    let (name, value) =
        assignment.split_once('=').ok_or_else(|| format!("expected NAME=VALUE, found `{assignment}`"))?;
    let choice = TABLE.iter().find(|choice| choice.name == name.trim());
    let choice =
        choice.ok_or_else(|| format!("there is no option `{}`; `catena options` lists them", name.trim()))?;
    let number = value.trim().parse();
    choice.set(number.map_err(|_| format!("`{}` takes a number, not `{}`", choice.name, value.trim()))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_well_formed() {
        for (i, choice) in TABLE.iter().enumerate() {
            let (least, most) = choice.range;
            assert!((least..=most).contains(&choice.default), "{}", choice.name);
            assert!(TABLE[..i].iter().all(|other| other.name != choice.name), "{} twice", choice.name);
            assert!(choice.name.split('.').count() == 2 && !choice.trades.is_empty(), "{}", choice.name);
        }
    }

    #[test]
    fn wrong_assignments_are_refused() {
        let backend = |value: &str| set(&format!("solver.backend={value}"));
        assert_eq!(backend("x"), Err("`solver.backend` takes a number, not `x`".to_owned()));
        assert_eq!(backend("3"), Err("`solver.backend` takes a number from 0 to 2, not 3".to_owned()));
        assert!(set("no.such=1").is_err() && set("solver.backend").is_err());
        assert_eq!(backend("0"), Ok(()));
    }
}
