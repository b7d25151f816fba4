//! The assertion stack of a script: declarations, definitions, assertions, levels.
//!
//! Everything that a script can *say* is here; what it can *ask* is the dialogue's. The readers that only
//! want the formulas ([`crate::frontend::smtlib::read`], the certifier) share this file with the dialogue.
//!
//! A command either succeeds or changes nothing: names that a failed command introduced are taken back.

use crate::frontend::smtlib::context::{Context, Mark, name_of};
use crate::frontend::smtlib::error::ReadError;
use crate::frontend::smtlib::refuse::{Reach, reach};
use crate::frontend::smtlib::sexpr::{Kind, NodeId, Tree};
use crate::logic::{SortId, TermId, Terms};

/// How many levels may be open; `(push 4000000000)` is an error and not a way to fill the memory.
pub const MAX_LEVELS: usize = 1_000_000;

/// An assertion and its name, if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// The formula.
    pub formula: TermId,
    /// What `(! formula :named name)` called it.
    pub name: Option<String>,
    /// Whether it was written as `(not ...)`: the right side of an entailment.
    pub negation: bool,
    /// What the user wrote, with annotations.
    pub source: Box<str>,
}

#[derive(Clone, Copy, Debug)]
struct Level {
    id: u64,
    n_assertions: usize,
    mark: Mark,
}

/// What a command did to the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// Something was declared or defined, or an attribute was noted.
    Declared,
    /// The assertions or levels changed.
    Changed,
    /// The command is known but nothing in this solver does what it says.
    Unsupported,
    /// This is not a command of the stack.
    NotMine,
}

/// The assertion stack.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    /// Names.
    pub context: Context,
    assertions: Vec<Assertion>,
    /// Bytes of the texts of the assertions.
    source_bytes: u64,
    levels: Vec<Level>,
    /// Whether declarations outlive `pop` and `reset-assertions`.
    pub global_declarations: bool,
    /// The identity of the base level; another one after `reset-assertions`.
    base: u64,
    /// Levels opened so far: their identities.
    n_opened: u64,
    /// Refused commands that could have constrained the problem: the level up to which each counts, and the
    /// error. Levels ascend.
    refused: Vec<(usize, ReadError)>,
}

impl Stack {
    /// Why a model of the assertions may not be one of the script: something was refused that could have
    /// constrained it, in a level that is still open.
    pub fn refused(&self) -> Option<&ReadError> {
        self.refused.first().map(|(_, error)| error)
    }

    /// Notes that a command with this word was refused. One per level is enough.
    pub fn refuse(&mut self, word: Option<&str>, error: impl FnOnce() -> ReadError) {
        let level = match reach(word, self.global_declarations) {
            Reach::Nowhere => return,
            Reach::Level => self.levels.len(),
            Reach::Everywhere => 0,
        };
        if let Err(place) = self.refused.binary_search_by_key(&level, |(level, _)| *level) {
            self.refused.insert(place, (level, error()));
        }
    }

    /// Bytes held besides the terms, roughly.
    pub fn memory_bytes(&self) -> u64 {
        (self.assertions.capacity() * size_of::<Assertion>()) as u64 + self.source_bytes
    }

    /// All assertions in force, oldest first.
    pub fn assertions(&self) -> &[Assertion] {
        &self.assertions
    }

    /// How many levels are open.
    pub fn n_levels(&self) -> usize {
        self.levels.len()
    }

    /// The identity of the base level. As long as a level keeps its identity, what was asserted in it stays.
    pub fn base(&self) -> u64 {
        self.base
    }

    /// Identity of each open level and how many assertions were made before it, outermost first.
    pub fn levels(&self) -> impl Iterator<Item = (u64, usize)> + '_ {
        self.levels.iter().map(|level| (level.id, level.n_assertions))
    }

    /// Runs a command if it is one of the stack's.
    pub fn command(&mut self, terms: &mut Terms, tree: &Tree<'_>) -> Result<Done, ReadError> {
        let mark = self.context.mark();
        let result = self.run(terms, tree);
        if result.is_err() {
            self.context.undo_to(mark);
        }
        result
    }

    fn run(&mut self, terms: &mut Terms, tree: &Tree<'_>) -> Result<Done, ReadError> {
        let root = Tree::ROOT;
        match command_name(tree)? {
            "declare-sort" => self.context.declare_sort_family(terms, tree)?,
            "define-sort" => self.context.define_sort_family(terms, tree)?,
            "declare-fun" => {
                let [_, name, args, result] = tree.exactly(root, "(declare-fun name (sort ...) sort)")?;
                let args = tree.list(args, "a list of sorts")?;
                self.declare(terms, tree, name, &args, result)?;
            }
            "declare-const" => {
                let [_, name, result] = tree.exactly(root, "(declare-const name sort)")?;
                self.declare(terms, tree, name, &[], result)?;
            }
            "define-fun" => {
                let [_, parts @ ..] =
                    tree.exactly::<5>(root, "(define-fun name ((name sort) ...) sort term)")?;
                self.context.define_fun(terms, tree, parts)?;
            }
            "define-const" => self.define_const(terms, tree)?,
            "define-fun-rec" => self.context.define_fun_rec(terms, tree)?,
            "define-funs-rec" => self.context.define_funs_rec(terms, tree)?,
            "declare-datatype" => self.context.declare_datatype(terms, tree)?,
            "declare-datatypes" => self.context.declare_datatypes(terms, tree)?,
            "declare-heap" => self.context.declare_heap(terms, tree)?,
            "declare-sort-parameter" => return Ok(Done::Unsupported),
            "assert" => {
                self.assert(terms, tree)?;
                return Ok(Done::Changed);
            }
            "push" => {
                self.push(count(tree, "(push n)")?).map_err(|m| ReadError::new(tree.at(root), m))?;
                return Ok(Done::Changed);
            }
            "pop" => {
                self.pop(count(tree, "(pop n)")?).map_err(|m| ReadError::new(tree.at(root), m))?;
                return Ok(Done::Changed);
            }
            "reset-assertions" => {
                tree.exactly::<1>(root, "(reset-assertions)")?;
                self.reset_assertions();
                return Ok(Done::Changed);
            }
            _ => return Ok(Done::NotMine),
        }
        Ok(Done::Declared)
    }

    /// Opens levels.
    pub fn push(&mut self, n: usize) -> Result<(), String> {
        if n > MAX_LEVELS - self.levels.len().min(MAX_LEVELS) {
            return Err(format!("push: at most {MAX_LEVELS} levels, found {} more", n));
        }
        for _ in 0..n {
            self.n_opened += 1;
            let (n_assertions, mark) = (self.assertions.len(), self.context.mark());
            self.levels.push(Level { id: self.n_opened, n_assertions, mark });
        }
        Ok(())
    }

    /// Closes levels and forgets what was said in them.
    pub fn pop(&mut self, n: usize) -> Result<(), String> {
        let Some(kept) = self.levels.len().checked_sub(n) else {
            return Err(format!("pop: expected at most {} levels, found {n}", self.levels.len()));
        };
        if n > 0 {
            let level = self.levels[kept];
            self.levels.truncate(kept);
            let closed = self.assertions.drain(level.n_assertions..);
            self.source_bytes -= closed.map(|assertion| assertion.source.len() as u64).sum::<u64>();
            self.refused.retain(|&(level, _)| level <= kept);
            if !self.global_declarations {
                self.context.undo_to(level.mark);
            }
        }
        Ok(())
    }

    /// Forgets all assertions and levels, and declarations unless they are global.
    pub fn reset_assertions(&mut self) {
        self.assertions.clear();
        self.source_bytes = 0;
        self.levels.clear();
        self.refused.clear();
        self.n_opened += 1;
        self.base = self.n_opened;
        if !self.global_declarations {
            self.context.undo_to(Context::default().mark());
        }
    }

    fn define_const(&mut self, terms: &mut Terms, tree: &Tree<'_>) -> Result<(), ReadError> {
        let [_, name, sort, body] = tree.exactly(Tree::ROOT, "(define-const name sort term)")?;
        let sort = self.context.sort(terms, tree, sort)?;
        let label = self.context.new_overload(terms, tree, name, &[], sort)?;
        let term = self.context.term(terms, tree, body)?;
        let found = terms.sort(term);
        if found != sort {
            let (expected, found) = (terms.sort_name(sort), terms.sort_name(found));
            let message = format!("body of {label}: expected sort {expected}, found {found}");
            return Err(ReadError::new(tree.at(body), message));
        }
        self.context.define(label, term);
        Ok(())
    }

    fn declare(
        &mut self,
        terms: &mut Terms,
        tree: &Tree<'_>,
        name: NodeId,
        args: &[NodeId],
        result: NodeId,
    ) -> Result<(), ReadError> {
        let args: Result<Vec<SortId>, ReadError> =
            args.iter().map(|&arg| self.context.sort(terms, tree, arg)).collect();
        let (args, result) = (args?, self.context.sort(terms, tree, result)?);
        let label = self.context.new_overload(terms, tree, name, &args, result)?;
        let declared = self.context.declare_fun(terms, label, &args, result);
        declared.map(drop).map_err(|e| ReadError::build(tree.at(name), &e))
    }

    fn assert(&mut self, terms: &mut Terms, tree: &Tree<'_>) -> Result<(), ReadError> {
        let [_, body] = tree.exactly(Tree::ROOT, "(assert formula)")?;
        let formula = self.formula(terms, tree, body)?;
        let name = name_of(tree, body)?.map(|(name, _)| name.to_owned());
        let negation = is_negation(tree, body);
        let source: Box<str> = tree.source(body).into();
        self.source_bytes += source.len() as u64;
        self.assertions.push(Assertion { formula, name, negation, source });
        Ok(())
    }

    /// The formula at a node, without quantifiers inside of terms, with what its quotients are.
    pub fn formula(&mut self, terms: &mut Terms, tree: &Tree<'_>, node: NodeId) -> Result<TermId, ReadError> {
        let formula = self.context.term(terms, tree, node)?;
        let sort = terms.sort(formula);
        if sort != SortId::BOOL {
            let found = format!("sort {}", terms.sort_name(sort));
            return Err(ReadError::expected(tree.at(node), "a formula", found));
        }
        let as_it_is = terms.is_quantifier_free(formula) || self.context.needs_translation(terms, formula);
        let formula = if as_it_is { formula } else { terms.lift_quantifiers(formula) };
        self.context.with_quotients(terms, formula).map_err(|e| ReadError::build(tree.at(node), &e))
    }
}

/// Whether the node is `(not ...)`, with or without annotations.
fn is_negation(tree: &Tree<'_>, mut node: NodeId) -> bool {
    while let Some(head) = tree.children(node).next() {
        match (tree.symbol(head), tree.children(node).nth(1)) {
            (Some("!"), Some(inner)) => node = inner,
            (word, _) => return word == Some("not"),
        }
    }
    false
}

/// The word at the head of a command.
pub fn command_name<'a>(tree: &Tree<'a>) -> Result<&'a str, ReadError> {
    let head = tree.list(Tree::ROOT, "a command")?.first().copied();
    let Some(head) = head else { return Err(tree.expected(Tree::ROOT, "a command")) };
    tree.expect_symbol(head, "a command")
}

/// The numeral of `(push n)` or `(pop n)`; 1 if it is left out, as some clients do.
fn count(tree: &Tree<'_>, expected: &str) -> Result<usize, ReadError> {
    let children: Vec<NodeId> = tree.children(Tree::ROOT).collect();
    match children[..] {
        [_] => Ok(1),
        [_, n] if tree.kind(n) == Kind::Numeral => {
            tree.text(n).parse().map_err(|_| tree.expected(n, "a smaller number"))
        }
        [_, n] => Err(tree.expected(n, "a numeral")),
        _ => {
            let found = format!("a list of {} elements", children.len());
            Err(ReadError::expected(tree.at(Tree::ROOT), expected, found))
        }
    }
}
