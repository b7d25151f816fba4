//! The commands of a script.
//!
//! [`read`] runs a whole text: declarations go into the caller's store, assertions are collected.
//! Commands that only ask (`get-model` and the like) are skipped; an unknown command is an error, because
//! skipping one that asserts would change the answer.

use crate::frontend::smtlib::context::{Context, name_of};
use crate::frontend::smtlib::error::ReadError;
use crate::frontend::smtlib::sexpr::{Cutter, Kind, NodeId, Tree};
use crate::logic::{SortId, TermId, Terms};

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
    /// The assertions, with the name each was given by `(! formula :named name)`.
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
    let mut run = Run { context: Context::default(), terms, script: Script::default() };
    while let Some(tree) = cutter.next_tree()? {
        if run.command(&tree)? == After::Stop {
            break;
        }
    }
    run.script.context = run.context;
    Ok(run.script)
}

#[derive(PartialEq, Eq)]
enum After {
    Continue,
    Stop,
}

struct Run<'t> {
    context: Context,
    terms: &'t mut Terms,
    script: Script,
}

impl Run<'_> {
    fn command(&mut self, tree: &Tree<'_>) -> Result<After, ReadError> {
        let root = Tree::ROOT;
        let head = tree.list(root, "a command")?.first().copied();
        let Some(head) = head else { return Err(tree.expected(root, "a command")) };
        match tree.expect_symbol(head, "a command")? {
            "declare-sort" => self.declare_sort(tree)?,
            "define-sort" => self.define_sort(tree)?,
            "declare-fun" => {
                let [_, name, args, result] = tree.exactly(root, "(declare-fun name (sort ...) sort)")?;
                let args = tree.list(args, "a list of sorts")?;
                self.declare(tree, name, &args, result)?;
            }
            "declare-const" => {
                let [_, name, result] = tree.exactly(root, "(declare-const name sort)")?;
                self.declare(tree, name, &[], result)?;
            }
            "define-fun" => {
                let [_, parts @ ..] =
                    tree.exactly::<5>(root, "(define-fun name ((name sort) ...) sort term)")?;
                self.context.define_fun(self.terms, tree, parts)?;
            }
            "declare-datatypes" => self.context.declare_datatypes(self.terms, tree)?,
            "declare-datatype" => self.context.declare_datatype(self.terms, tree)?,
            "declare-heap" => self.context.declare_heap(self.terms, tree)?,
            "define-fun-rec" => self.context.define_fun_rec(self.terms, tree)?,
            "define-funs-rec" => self.context.define_funs_rec(self.terms, tree)?,
            "assert" => self.assert(tree)?,
            "check-sat" => {
                let check = Check { n_assertions: self.script.assertions.len(), status: self.script.status };
                self.script.checks.push(check);
            }
            "set-info" => self.set_info(tree)?,
            "set-logic" => {
                let [_, logic] = tree.exactly(root, "(set-logic name)")?;
                self.script.logic = Some(tree.expect_symbol(logic, "the name of a logic")?.to_owned());
            }
            "exit" => return Ok(After::Stop),
            "set-option" | "echo" => {}
            name if name.starts_with("get-") => {}
            _ => return Err(tree.expected(head, "a known command")),
        }
        Ok(After::Continue)
    }

    fn declare_sort(&mut self, tree: &Tree<'_>) -> Result<(), ReadError> {
        let children: Vec<NodeId> = tree.children(Tree::ROOT).collect();
        let (name, arity) = match children[..] {
            [_, name] => (name, None),
            [_, name, arity] => (name, Some(arity)),
            _ => return Err(tree.expected(Tree::ROOT, "(declare-sort name 0)")),
        };
        let label = self.context.new_sort(self.terms, tree, name)?;
        if let Some(arity) = arity
            && (tree.kind(arity) != Kind::Numeral || tree.text(arity).bytes().any(|b| b != b'0'))
        {
            return Err(tree.expected(arity, "0 (sorts with parameters are not supported)"));
        }
        self.terms.declare_sort(label).map_err(|e| ReadError::build(tree.at(name), &e))?;
        Ok(())
    }

    fn define_sort(&mut self, tree: &Tree<'_>) -> Result<(), ReadError> {
        let [_, name, params, sort] = tree.exactly(Tree::ROOT, "(define-sort name () sort)")?;
        let label = self.context.new_sort(self.terms, tree, name)?;
        if !tree.list(params, "()")?.is_empty() {
            return Err(tree.expected(params, "() (sorts with parameters are not supported)"));
        }
        let sort = self.context.sort(self.terms, tree, sort)?;
        self.context.define_sort(label, sort);
        Ok(())
    }

    fn declare(
        &mut self,
        tree: &Tree<'_>,
        name: NodeId,
        args: &[NodeId],
        result: NodeId,
    ) -> Result<(), ReadError> {
        let label = self.context.new_name(self.terms, tree, name)?;
        let args: Result<Vec<SortId>, ReadError> =
            args.iter().map(|&arg| self.context.sort(self.terms, tree, arg)).collect();
        let result = self.context.sort(self.terms, tree, result)?;
        self.terms.declare_fun(label, &args?, result).map_err(|e| ReadError::build(tree.at(name), &e))?;
        Ok(())
    }

    fn assert(&mut self, tree: &Tree<'_>) -> Result<(), ReadError> {
        let [_, body] = tree.exactly(Tree::ROOT, "(assert formula)")?;
        let formula = self.context.term(self.terms, tree, body)?;
        let sort = self.terms.sort(formula);
        if sort != SortId::BOOL {
            let found = format!("sort {}", self.terms.sort_name(sort));
            return Err(ReadError::expected(tree.at(body), "a formula", found));
        }
        let name = name_of(tree, body)?.map(|(name, _)| name.to_owned());
        self.script.assertions.push((formula, name));
        Ok(())
    }

    fn set_info(&mut self, tree: &Tree<'_>) -> Result<(), ReadError> {
        let children: Vec<NodeId> = tree.children(Tree::ROOT).collect();
        let [_, key, ref value @ ..] = children[..] else {
            return Err(tree.expected(Tree::ROOT, "(set-info :key value)"));
        };
        if tree.kind(key) != Kind::Keyword {
            return Err(tree.expected(key, "a keyword"));
        }
        if tree.text(key) == ":status" {
            let at = value.first().copied().unwrap_or(key);
            self.script.status = match tree.symbol(at) {
                Some("sat") => Some(Status::Sat),
                Some("unsat") => Some(Status::Unsat),
                Some("unknown") => Some(Status::Unknown),
                _ => return Err(tree.expected(at, "sat, unsat or unknown")),
            };
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
