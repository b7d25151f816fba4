//! The commands of a script.
//!
//! [`read`] runs a whole text: declarations go into the caller's store, assertions are collected.
//! Commands that only ask (`get-model` and the like) are skipped; an unknown command is an error, because
//! skipping one that asserts would change the answer.

use crate::frontend::smtlib::context::Context;
use crate::frontend::smtlib::error::ReadError;
use crate::frontend::smtlib::sexpr::{Cutter, Tree};
use crate::frontend::smtlib::stack::{Done, Stack, command_name};
use crate::frontend::smtlib::status::{Status, status};
use crate::logic::{TermId, Terms};

/// One `check-sat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// How many assertions were made before it.
    pub n_assertions: usize,
    /// The status in force.
    pub status: Option<Status>,
}

/// What a script says.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Script {
    /// The assertions, with the name each was given by `(! formula :named name)`. Those that speak about the
    /// heap must be translated before they are solved: [`Context::needs_translation`].
    pub assertions: Vec<(TermId, Option<String>)>,
    /// The last `:status`.
    pub status: Option<Status>,
    /// The argument of `set-logic`.
    pub logic: Option<String>,
    /// The `check-sat` commands in order.
    pub checks: Vec<Check>,
    /// What the script has defined.
    pub context: Context,
}

impl Script {
    /// The assertions without their names.
    pub fn formulas(&self) -> Vec<TermId> {
        self.assertions.iter().map(|(formula, _)| *formula).collect()
    }
}

/// Reads a script into a store. Names that the store already has can be used without declaration. On an
/// error the store keeps what was declared before it.
pub fn read(text: &str, terms: &mut Terms) -> Result<Script, ReadError> {
    let mut cutter = Cutter::new(text);
    let mut run = Run { stack: Stack::default(), terms, script: Script::default() };
    run.stack.context.printed_variables = true;
    while let Some(tree) = cutter.next_tree()? {
        if run.command(&tree)? == After::Stop {
            break;
        }
    }
    let assertions = run.stack.assertions().iter();
    run.script.assertions = assertions.map(|a| (a.formula, a.name.clone())).collect();
    run.script.context = run.stack.context;
    Ok(run.script)
}

#[derive(PartialEq, Eq)]
enum After {
    Continue,
    Stop,
}

struct Run<'t> {
    stack: Stack,
    terms: &'t mut Terms,
    script: Script,
}

impl Run<'_> {
    fn command(&mut self, tree: &Tree<'_>) -> Result<After, ReadError> {
        let root = Tree::ROOT;
        let name = command_name(tree)?;
        let head = tree.children(root).next().expect("a command has a head");
        match name {
            "check-sat" => {
                let n_assertions = self.stack.assertions().len();
                self.script.checks.push(Check { n_assertions, status: self.script.status });
            }
            "set-info" => self.script.status = status(tree)?.or(self.script.status),
            "set-logic" => {
                let [_, logic] = tree.exactly(root, "(set-logic name)")?;
                self.script.logic = Some(tree.expect_symbol(logic, "the name of a logic")?.to_owned());
            }
            "exit" => return Ok(After::Stop),
            "set-option" | "echo" => {}
            name if name.starts_with("get-") => {}
            // Levels belong to a dialogue: a script read at once has one list of assertions.
            "push" | "pop" | "reset-assertions" => return Err(tree.expected(head, "a known command")),
            _ => match self.stack.command(self.terms, tree)? {
                Done::Declared | Done::Changed => {}
                Done::Unsupported | Done::NotMine => return Err(tree.expected(head, "a known command")),
            },
        }
        Ok(After::Continue)
    }
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
