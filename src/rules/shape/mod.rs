//! Shapes: laws of structures over several fields, as data.
//!
//! `rules/shapes/*.rules` say what a forest, a tree with a father, a doubly linked or a skip list is, and how a father
//! follows writes. A law is a clause over all cells and null: when the premises hold, one of the alternatives does.
//!
//! ```text
//! file  = "shape" name "over" field ("," field)* ["at" constant ("," constant)*] law*
//! law   = "law" name ":" [fact ("," fact)* "=>"] fact ("|" fact)* ["note" string]
//! fact  = term "-" field "->" term | term "=" term | term "!=" term | variable
//! term  = variable | constant | "null" | field "(" term ")"
//! ```
//! A premise that is a variable only introduces it. Every field leads from null to null.
//!
//! The gate ([`check()`]) is of the same kind as for inference rules (`rules::check`): each law is true of all small
//! heaps of the shape, which are enumerated from its definition (`heaps`); a heap of which all laws are true is of the
//! shape; and a law that could be left out says in a note why it stays. Programs are told the laws that need induction
//! (`program::wp::lemma`).

mod check;
mod heaps;
mod parse;
mod table;

pub use self::check::{ShapeReport, check};
pub use self::heaps::Heap;
pub use self::parse::parse;
pub use self::table::{SOURCES, shapes};

use super::syntax::Span;
use std::fmt;

/// A term of a law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A variable of the law.
    Var(usize),
    /// A constant of the shape.
    Constant(usize),
    /// Null.
    Null,
    /// A field of a cell.
    Field(usize, Box<Term>),
}

/// A premise or an alternative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Along a field, in any number of steps.
    Reach(usize, Term, Term),
    /// The same cell.
    Equal(Term, Term),
    /// Different cells.
    Differ(Term, Term),
}

impl Fact {
    /// Adds the variables that occur, each once.
    fn variables(&self, out: &mut Vec<usize>) {
        let (Fact::Reach(_, a, b) | Fact::Equal(a, b) | Fact::Differ(a, b)) = self;
        for mut term in [a, b] {
            while let Term::Field(_, of) = term {
                term = of;
            }
            if let Term::Var(i) = term
                && !out.contains(i)
            {
                out.push(*i);
            }
        }
    }
}

/// One law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law {
    /// Its name, unique within the shape.
    pub name: String,
    /// Names of its variables, in the order of their first occurrence.
    pub variables: Vec<String>,
    /// What has to hold, all of it.
    pub premises: Vec<Fact>,
    /// What holds then, one of these.
    pub alternatives: Vec<Fact>,
    /// Why it stays although it follows from the others.
    pub note: Option<String>,
    /// Where its name stands.
    pub span: Span,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Its name.
    pub name: String,
    /// Names of the fields.
    pub fields: Vec<String>,
    /// Names of the constants.
    pub constants: Vec<String>,
    /// The laws.
    pub laws: Vec<Law>,
}

impl Shape {
    /// The law of that name.
    #[must_use]
    pub fn law(&self, name: &str) -> Option<&Law> {
        self.laws.iter().find(|law| law.name == name)
    }

    fn term(&self, law: &Law, term: &Term) -> String {
        match term {
            Term::Var(i) => law.variables[*i].clone(),
            Term::Constant(i) => self.constants[*i].clone(),
            Term::Null => "null".to_owned(),
            Term::Field(f, of) => format!("{}({})", self.fields[*f], self.term(law, of)),
        }
    }

    fn fact(&self, law: &Law, fact: &Fact) -> String {
        let of = |t: &Term| self.term(law, t);
        match fact {
            Fact::Reach(f, a, b) => format!("{} -{}-> {}", of(a), self.fields[*f], of(b)),
            Fact::Equal(a, b) => format!("{} = {}", of(a), of(b)),
            Fact::Differ(a, b) => format!("{} != {}", of(a), of(b)),
        }
    }

    /// `premises => alternatives`, without the name.
    #[must_use]
    pub fn body_text(&self, law: &Law) -> String {
        let mut premises: Vec<String> = law.premises.iter().map(|f| self.fact(law, f)).collect();
        let mut met = Vec::new();
        law.premises.iter().for_each(|fact| fact.variables(&mut met));
        if !met.iter().copied().eq(0..law.variables.len()) {
            premises.splice(0..0, law.variables.iter().cloned());
        }
        let alternatives: Vec<String> = law.alternatives.iter().map(|f| self.fact(law, f)).collect();
        match premises.is_empty() {
            true => alternatives.join(" | "),
            false => format!("{} => {}", premises.join(", "), alternatives.join(" | ")),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "shape {} over {}", self.name, self.fields.join(", "))?;
        if !self.constants.is_empty() {
            write!(out, " at {}", self.constants.join(", "))?;
        }
        writeln!(out, "\n")?;
        for law in &self.laws {
            writeln!(out, "law {}: {}", law.name, self.body_text(law))?;
            if let Some(note) = &law.note {
                writeln!(out, "    note \"{note}\"")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
