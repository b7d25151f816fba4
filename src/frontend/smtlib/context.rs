//! What a script has defined beyond the declarations in the store: macros, sort synonyms, variables of
//! binders; and the small grammar around terms: names, `(name sort)` lists, annotations. What a name means is in
//! `names`, sorts with parameters in `sorts`.

use crate::frontend::smtlib::error::ReadError;
use crate::frontend::smtlib::names::Macro;
use crate::frontend::smtlib::operators::is_reserved;
use crate::frontend::smtlib::sep::shape::Shapes;
use crate::frontend::smtlib::sexpr::{Kind, NodeId, Tree};
use crate::frontend::smtlib::sorts::Families;
use crate::logic::sep::Vocabulary;
use crate::logic::{BuildError, FuncId, Op, SortId, TermId, Terms, VarId};
use crate::util::hash::{Map, Set};
use crate::util::limits::Budget;
use crate::util::num::Int;

/// Words with a fixed meaning; nothing can be declared or bound under these names.
pub(super) const PREDEFINED: &[&str] = &[
    "!", "_", "as", "let", "forall", "exists", "match", "par", "true", "false", "not", "and", "or", "=>",
    "xor", "=", "distinct", "ite", "+", "-", "*", "<=", "<", ">=", ">",
];

/// One name that a command introduced, to be taken back by `pop` or after an error.
#[derive(Clone, Debug)]
pub(super) enum Introduced {
    Macro(String),
    Synonym(String),
    /// A defined sort with parameters.
    Family(String),
    /// A declared sort with parameters.
    Constructor(String),
    Named,
    Func(FuncId),
    Sort(SortId),
}

/// A point in the history of a [`Context`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark(usize);

/// What a script has defined, beyond what is declared in the store, and what of the store it can see.
///
/// The store only grows; a symbol whose level was popped is *hidden* here. Declaring it again with the same
/// signature brings it back, with another signature makes a new symbol of that name.
#[derive(Clone, Debug, Default)]
pub struct Context {
    pub(super) macros: Map<String, Vec<Macro>>,
    /// All symbols ever declared under a name, where there was more than one at a time.
    pub(super) overloads: Map<String, Vec<FuncId>>,
    sorts: Map<String, SortId>,
    /// Sorts with parameters.
    pub(super) families: Families,
    pub(super) hidden: Set<FuncId>,
    hidden_sorts: Set<SortId>,
    history: Vec<Introduced>,
    /// Formulas named by `:named`, in order.
    named: Vec<(String, TermId)>,
    /// Other names of symbols, in proofs.
    pub(super) aliases: Map<String, FuncId>,
    /// Constants that stand for elements of universes in questions about models.
    elements: Map<(SortId, u32), TermId>,
    /// Variables made for binders of a name and sort.
    pub(super) variables: Map<(String, SortId), Vec<TermId>>,
    /// The symbols for quotients by a number, and that number.
    pub(super) quotients: Map<FuncId, Int>,
    /// The symbols that speak about the heap.
    pub(super) vocabulary: Vocabulary,
    /// What the recursive definitions among them define.
    pub(super) shapes: Shapes,
    /// Whether a binder `u!3` means variable 3 of the store if that one is called u, so that printed terms
    /// read back as themselves. Not in a dialogue: what a text means must not depend on what came before.
    pub(super) printed_variables: bool,
    /// What reading the present command may still take.
    pub budget: Budget,
}

impl Context {
    /// The present point, to come back to.
    pub fn mark(&self) -> Mark {
        Mark(self.history.len())
    }

    /// Takes back every name introduced after the mark.
    pub fn undo_to(&mut self, mark: Mark) {
        let undone = self.history.split_off(mark.0.min(self.history.len()));
        for introduced in undone.into_iter().rev() {
            match introduced {
                Introduced::Macro(name) => self.forget_macro(&name),
                Introduced::Synonym(name) => drop(self.sorts.remove(&name)),
                Introduced::Family(name) => self.families.forget_synonym(&name),
                Introduced::Constructor(name) => self.families.forget_constructor(&name),
                Introduced::Named => drop(self.named.pop()),
                Introduced::Func(func) => drop(self.hidden.insert(func)),
                Introduced::Sort(sort) => drop(self.hidden_sorts.insert(sort)),
            }
        }
    }

    /// Notes a name, so that it can be taken back.
    pub(super) fn introduce(&mut self, introduced: Introduced) {
        self.history.push(introduced);
    }

    /// Brings back a sort that was hidden.
    pub(super) fn show_sort(&mut self, sort: SortId) {
        if self.hidden_sorts.remove(&sort) {
            self.introduce(Introduced::Sort(sort));
        }
    }

    /// Formulas named by `:named`, oldest first.
    pub fn named(&self) -> &[(String, TermId)] {
        &self.named
    }

    /// Whether the script can use the symbol: not hidden, not the solver's own.
    pub fn sees(&self, terms: &Terms, func: FuncId) -> bool {
        !terms.func(func).internal && !self.hidden.contains(&func)
    }

    /// Whether a model speaks about the symbol: the script can use it and can say what it is.
    pub fn shows(&self, terms: &Terms, func: FuncId) -> bool {
        self.sees(terms, func) && !is_reserved(&terms.func(func).name)
    }

    /// Whether the script can use the sort.
    pub fn sees_sort(&self, sort: SortId) -> bool {
        !self.hidden_sorts.contains(&sort)
    }

    /// Lets a name mean a symbol that has another one, or none that the script could say.
    pub(super) fn alias(&mut self, name: &str, func: FuncId) {
        self.aliases.insert(name.to_owned(), func);
    }

    pub(super) fn find_sort(&self, terms: &Terms, name: &str) -> Option<SortId> {
        let declared = || terms.find_sort(name).filter(|&sort| self.sees_sort(sort));
        self.sorts.get(name).copied().or_else(declared)
    }

    /// Declares a sort under a name that [`Context::new_sort`] found free.
    pub fn declare_sort(&mut self, terms: &mut Terms, name: &str) -> Result<SortId, BuildError> {
        let sort = match terms.find_sort(name) {
            Some(hidden) => hidden,
            None => terms.declare_sort(name)?,
        };
        self.hidden_sorts.remove(&sort);
        self.history.push(Introduced::Sort(sort));
        Ok(sort)
    }

    /// The constant that stands for an element of the universe of a sort.
    pub fn element(&mut self, terms: &mut Terms, sort: SortId, element: u32) -> TermId {
        *self.elements.entry((sort, element)).or_insert_with(|| terms.fresh_const("element", sort))
    }

    /// The variable of this rank among those for binders of a name and sort; all up to it are made if
    /// need be.
    pub fn ranked(
        &mut self,
        terms: &mut Terms,
        name: &str,
        sort: SortId,
        rank: usize,
    ) -> Result<TermId, BuildError> {
        let known = self.variables.entry((name.to_owned(), sort)).or_default();
        while known.len() <= rank {
            known.push(terms.variable(name, sort)?);
        }
        Ok(known[rank])
    }

    /// The rank of each variable that a binder of the script has.
    pub fn ranks(&self, terms: &Terms) -> Map<VarId, usize> {
        let ranked = self.variables.values().flat_map(|pool| pool.iter().enumerate());
        ranked
            .filter_map(|(rank, &variable)| match terms.op(variable) {
                Op::Var(var) => Some((var, rank)),
                _ => None,
            })
            .collect()
    }

    /// Makes a name stand for a sort.
    pub fn define_sort(&mut self, name: &str, sort: SortId) {
        self.sorts.insert(name.to_owned(), sort);
        self.history.push(Introduced::Synonym(name.to_owned()));
    }

    /// Makes a name stand for a closed formula or term that `:named` named.
    pub(super) fn name_term(&mut self, name: &str, term: TermId) {
        self.define(name, term);
        self.named.push((name.to_owned(), term));
        self.history.push(Introduced::Named);
    }

    /// Makes a name stand for a closed term.
    pub fn define(&mut self, name: &str, term: TermId) {
        self.define_macro(name, Vec::new(), term);
    }
}

pub(super) fn taken(tree: &Tree<'_>, node: NodeId, name: &str) -> ReadError {
    ReadError::build(tree.at(node), &BuildError::Duplicate(name.to_owned()))
}

/// Whether an undeclared symbol is a number with its sign, which some programs write for `(- 2)`.
pub(super) fn is_negative_numeral(name: &str) -> bool {
    let digits = name.strip_prefix('-').unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Whether an undeclared symbol is known from a theory that is not here, or from the language around it.
pub(super) fn is_of_others(name: &str) -> bool {
    const WORDS: [&str; 12] = [
        "/", "to_real", "to_int", "is_int", "select", "store", "concat", "match", "par", "lambda", "choice",
        "update",
    ];
    const FAMILIES: [&str; 10] =
        ["bv", "fp.", "str.", "re.", "seq.", "set.", "bag.", "rel.", "tuple.", "ff."];
    WORDS.contains(&name) || FAMILIES.iter().any(|family| name.starts_with(family))
}

/// The name at a node, which must not be predefined.
pub(super) fn binder_name<'a>(tree: &Tree<'a>, node: NodeId) -> Result<&'a str, ReadError> {
    let name = tree.expect_symbol(node, "a name")?;
    if PREDEFINED.contains(&name) {
        return Err(ReadError::expected(tree.at(node), "a new name", format!("the predefined {name}")));
    }
    Ok(name)
}

/// A list of `(name sort)` without repetition.
pub(super) fn sorted_names<'a>(
    context: &mut Context,
    terms: &mut Terms,
    tree: &Tree<'a>,
    list: NodeId,
) -> Result<Vec<(&'a str, SortId)>, ReadError> {
    let mut seen = Set::default();
    for pair in tree.list(list, "a list of (name sort)")? {
        let [name, _] = tree.exactly(pair, "(name sort)")?;
        let label = binder_name(tree, name)?;
        if !seen.insert(label) {
            return Err(ReadError::new(tree.at(name), format!("{label}: bound twice in one list")));
        }
    }
    shadowed_names(context, terms, tree, list)
}

/// A list of `(name sort)` of a quantifier: it stands for nested quantifiers of one variable each, so where a
/// name is repeated, the last one counts and the others occur nowhere.
pub(super) fn shadowed_names<'a>(
    context: &mut Context,
    terms: &mut Terms,
    tree: &Tree<'a>,
    list: NodeId,
) -> Result<Vec<(&'a str, SortId)>, ReadError> {
    let mut names = Vec::new();
    for pair in tree.list(list, "a list of (name sort)")? {
        let [name, sort] = tree.exactly(pair, "(name sort)")?;
        names.push((binder_name(tree, name)?, context.sort(terms, tree, sort)?));
    }
    let mut seen = Set::default();
    names.reverse();
    names.retain(|(name, _)| seen.insert(*name));
    names.reverse();
    Ok(names)
}

/// The attributes of `(! term :key value ...)`.
pub(super) fn attributes<'a>(
    tree: &Tree<'a>,
    node: NodeId,
) -> Result<Vec<(&'a str, Option<NodeId>)>, ReadError> {
    let mut found: Vec<(&str, Option<NodeId>)> = Vec::new();
    for child in tree.children(node).skip(2) {
        match (tree.kind(child), found.last_mut()) {
            (Kind::Keyword, _) => found.push((tree.text(child), None)),
            (_, Some((_, value @ None))) => *value = Some(child),
            _ => return Err(tree.expected(child, "a keyword")),
        }
    }
    Ok(found)
}

/// Whether the node is `(! ...)`.
pub(super) fn is_annotated(tree: &Tree<'_>, node: NodeId) -> bool {
    tree.children(node).next().is_some_and(|head| tree.symbol(head) == Some("!"))
}

/// The name that `(! term :named name)` gives, if the node is that.
pub fn name_of<'a>(tree: &Tree<'a>, node: NodeId) -> Result<Option<(&'a str, NodeId)>, ReadError> {
    if !is_annotated(tree, node) {
        return Ok(None);
    }
    match attributes(tree, node)?.into_iter().find(|(key, _)| *key == ":named") {
        None => Ok(None),
        Some((_, Some(value))) => Ok(Some((tree.expect_symbol(value, "a name")?, value))),
        Some((_, None)) => Err(ReadError::expected(tree.at(node), "a name after :named", "nothing")),
    }
}
