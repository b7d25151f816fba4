//! The abstract syntax of `*.rules` files, and its printed form.
//!
//! A theory is a list of rules over one link field f. A rule has premises and one or more
//! alternatives, each a conjunction of conclusions. Variables are indices into [`Rule::variables`],
//! which lists them in the order of their first occurrence; bindings everywhere follow that order.
//! This file and its neighbours `parse`, `plan` and `codegen` use nothing but std: the build script
//! includes them by path.

use std::fmt;

/// A place in a rules file: 1-based line and column, length in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Length in characters.
    pub length: u32,
}

/// What stands in a position of a fact. A variable is an index into [`Rule::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Arg {
    /// A variable.
    Var(u8),
    /// f applied to a variable.
    App(u8),
    /// The constant null.
    Null,
}

/// A premise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// The variable occurs in the context.
    Occurs(u8),
    /// The term f(x) occurs in the context.
    Term(u8),
    /// The path fact R(p, q, r).
    Between(Arg, Arg, Arg),
    /// p and q are the same; at least one side is an application.
    Equal(Arg, Arg),
}

/// A conclusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// The path fact R(p, q, r).
    Between(Arg, Arg, Arg),
    /// p and q are the same.
    Equal(Arg, Arg),
}

/// One inference rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name, unique within the theory.
    pub name: String,
    /// Names of the variables in the order of first occurrence.
    pub variables: Vec<String>,
    /// What has to be known, all of it.
    pub premises: Vec<Pattern>,
    /// What follows: one of these conjunctions. Never empty, nor is any of them.
    pub alternatives: Vec<Vec<Head>>,
    /// Why the rule stays although it follows from the others.
    pub note: Option<String>,
    /// Where its name stands.
    pub span: Span,
}

impl Rule {
    /// A rule with a single alternative is applied; one with several is a case split.
    pub fn is_horn(&self) -> bool {
        self.alternatives.len() == 1
    }

    /// All arguments of all premises, for questions such as "is f mentioned".
    pub fn premise_args(&self) -> impl Iterator<Item = Arg> + '_ {
        self.premises.iter().flat_map(|p| match *p {
            Pattern::Occurs(x) => vec![Arg::Var(x)],
            Pattern::Term(x) => vec![Arg::App(x)],
            Pattern::Between(p, q, r) => vec![p, q, r],
            Pattern::Equal(p, q) => vec![p, q],
        })
    }

    /// All conclusions of all alternatives.
    pub fn heads(&self) -> impl Iterator<Item = Head> + '_ {
        self.alternatives.iter().flatten().copied()
    }

    /// Whether null stands anywhere in the rule.
    pub fn mentions_null(&self) -> bool {
        let in_head = |head| match head {
            Head::Between(p, q, r) => [p, q, r].contains(&Arg::Null),
            Head::Equal(p, q) => [p, q].contains(&Arg::Null),
        };
        self.premise_args().any(|a| a == Arg::Null) || self.heads().any(in_head)
    }

    fn arg(&self, arg: Arg) -> String {
        match arg {
            Arg::Var(x) => self.variables[x as usize].clone(),
            Arg::App(x) => format!("f({})", self.variables[x as usize]),
            Arg::Null => "null".to_string(),
        }
    }

    fn between(&self, p: Arg, q: Arg, r: Arg) -> String {
        if q == r {
            format!("{} -> {}", self.arg(p), self.arg(q))
        } else {
            format!("{} -> {} -> {}", self.arg(p), self.arg(q), self.arg(r))
        }
    }

    /// A premise as it stands in the file.
    pub fn premise_text(&self, pattern: Pattern) -> String {
        match pattern {
            Pattern::Occurs(x) => self.arg(Arg::Var(x)),
            Pattern::Term(x) => format!("term {}", self.arg(Arg::App(x))),
            Pattern::Between(p, q, r) => self.between(p, q, r),
            Pattern::Equal(p, q) => format!("{} = {}", self.arg(p), self.arg(q)),
        }
    }

    /// A conclusion as it stands in the file.
    pub fn head_text(&self, head: Head) -> String {
        match head {
            Head::Between(p, q, r) => self.between(p, q, r),
            Head::Equal(p, q) => format!("{} = {}", self.arg(p), self.arg(q)),
        }
    }

    /// `premises => alternatives`, without the name.
    pub fn body_text(&self) -> String {
        let premises: Vec<_> = self.premises.iter().map(|&p| self.premise_text(p)).collect();
        let alternatives: Vec<_> = self
            .alternatives
            .iter()
            .map(|heads| heads.iter().map(|&h| self.head_text(h)).collect::<Vec<_>>().join(", "))
            .collect();
        format!("{} => {}", premises.join(", "), alternatives.join(" | "))
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "rule {}: {}", self.name, self.body_text())?;
        if let Some(note) = &self.note {
            write!(out, "\n    note \"{note}\"")?;
        }
        Ok(())
    }
}

/// The heaps a theory speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heaps {
    /// Any function on finitely many cells (theory `lisbq`).
    Functional,
    /// Every chain ends in null (theory `acyclic`).
    Acyclic,
}

/// A rules file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theory {
    /// The name in the header.
    pub name: String,
    /// The heaps its rules have to be true of.
    pub heaps: Heaps,
    /// Whether the header says `with null`.
    pub null: bool,
    /// The rules in the order of the file.
    pub rules: Vec<Rule>,
}

impl Theory {
    /// The rule of that name.
    pub fn rule(&self, name: &str) -> Option<&Rule> {
        self.rules.iter().find(|r| r.name == name)
    }

    /// Whether every fact, in premises and conclusions, is of the form x -> y.
    pub fn is_binary(&self) -> bool {
        self.rules.iter().all(|rule| {
            rule.premises.iter().all(|p| !matches!(p, Pattern::Between(_, q, r) if q != r))
                && rule.heads().all(|h| !matches!(h, Head::Between(_, q, r) if q != r))
        })
    }

    /// Whether any premise looks at a successor.
    pub fn mentions_successor(&self) -> bool {
        self.rules.iter().any(|rule| rule.premise_args().any(|a| matches!(a, Arg::App(_))))
    }
}

impl fmt::Display for Theory {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "theory {}{}\n", self.name, if self.null { " with null" } else { "" })?;
        self.rules.iter().try_for_each(|rule| writeln!(out, "{rule}"))
    }
}
