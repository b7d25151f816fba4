//! The commands of a script.
//!
//! [`read`] runs a whole text: declarations go into the caller's store, assertions are collected.
//! Commands that only ask (`get-model` and the like) are skipped; an unknown command is an error, because
//! skipping one that asserts would change the answer.

use crate::frontend::smtlib::context::Context;
use crate::frontend::smtlib::error::ReadError;
use crate::frontend::smtlib::sexpr::{Cutter, Kind, NodeId, Tree};
use crate::frontend::smtlib::stack::{Done, Stack, command_name};
use crate::logic::{TermId, Terms};

/// What `(set-info :status ...)` promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// Nobody knows.
    Unknown,
}

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

/// What `(set-info :status ...)` says; nothing for other attributes.
pub(super) fn status(tree: &Tree<'_>) -> Result<Option<Status>, ReadError> {
    let children: Vec<NodeId> = tree.children(Tree::ROOT).collect();
    let [_, key, ref value @ ..] = children[..] else {
        return Err(tree.expected(Tree::ROOT, "(set-info :key value)"));
    };
    if tree.kind(key) != Kind::Keyword {
        return Err(tree.expected(key, "a keyword"));
    }
    if tree.text(key) != ":status" {
        return Ok(None);
    }
    let at = value.first().copied().unwrap_or(key);
    // Some files quote the word.
    let word = Some(tree.text(at)).filter(|_| matches!(tree.kind(at), Kind::Symbol | Kind::String));
    match word {
        Some("sat") => Ok(Some(Status::Sat)),
        Some("unsat") => Ok(Some(Status::Unsat)),
        Some("unknown") => Ok(Some(Status::Unknown)),
        _ => Err(tree.expected(at, "sat, unsat or unknown")),
    }
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
