//! What a script has defined beyond the declarations in the store: macros, sort synonyms, variables of
//! binders; and the small grammar around terms: names, `(name sort)` lists, annotations.
//!
//! Definitions are macros: the body is elaborated once and substituted at each use.

use crate::frontend::smtlib::error::ReadError;
use crate::frontend::smtlib::sep::shape::Shapes;
use crate::frontend::smtlib::sexpr::{Kind, NodeId, Tree};
use crate::logic::sep::Vocabulary;
use crate::logic::{BuildError, MAX_QUANTIFIER_DEPTH, SortId, TermId, Terms, VarId};
use crate::util::hash::{Map, Set};

/// Words with a fixed meaning; nothing can be declared or bound under these names.
pub(super) const PREDEFINED: &[&str] = &[
    "!", "_", "as", "let", "forall", "exists", "match", "par", "true", "false", "not", "and", "or", "=>",
    "xor", "=", "distinct", "ite", "+", "-", "*", "<=", "<", ">=", ">",
];

/// A defined function: variables to be replaced, and the term to replace them in.
#[derive(Clone, Debug)]
struct Macro {
    params: Vec<VarId>,
    result: TermId,
}

/// What a script has defined, beyond what is declared in the store.
#[derive(Clone, Debug, Default)]
pub struct Context {
    macros: Map<String, Macro>,
    sorts: Map<String, SortId>,
    /// Variables made for binders of a name and sort.
    pub(super) variables: Map<(String, SortId), Vec<TermId>>,
    /// The symbols that speak about the heap.
    pub(super) vocabulary: Vocabulary,
    /// What the recursive definitions among them define.
    pub(super) shapes: Shapes,
}

impl Context {
    /// The sort that a node names.
    pub fn sort(&self, terms: &Terms, tree: &Tree<'_>, node: NodeId) -> Result<SortId, ReadError> {
        let name = tree.expect_symbol(node, "a sort")?;
        let found = self.sorts.get(name).copied().or_else(|| terms.find_sort(name));
        found.ok_or_else(|| tree.expected(node, "a declared sort"))
    }

    /// The name at a node, which must not mean anything yet as a sort.
    pub fn new_sort<'a>(&self, terms: &Terms, tree: &Tree<'a>, node: NodeId) -> Result<&'a str, ReadError> {
        let name = tree.expect_symbol(node, "the name of a sort")?;
        if self.sorts.contains_key(name) || terms.find_sort(name).is_some() {
            return Err(taken(tree, node, name));
        }
        Ok(name)
    }

    /// The name at a node, which must not mean anything yet as a function.
    pub fn new_name<'a>(&self, terms: &Terms, tree: &Tree<'a>, node: NodeId) -> Result<&'a str, ReadError> {
        let name = binder_name(tree, node)?;
        if self.macros.contains_key(name) || terms.find_func(name).is_some() {
            return Err(taken(tree, node, name));
        }
        Ok(name)
    }

    /// Declares a sort under a name that [`Context::new_sort`] found free.
    pub fn declare_sort(&mut self, terms: &mut Terms, name: &str) -> Result<SortId, BuildError> {
        terms.declare_sort(name)
    }

    /// Declares a symbol under a name that [`Context::new_name`] found free.
    pub fn declare_fun(
        &mut self,
        terms: &mut Terms,
        name: &str,
        args: &[SortId],
        result: SortId,
    ) -> Result<crate::logic::FuncId, BuildError> {
        terms.declare_fun(name, args, result)
    }

    /// Makes a name stand for a sort.
    pub fn define_sort(&mut self, name: &str, sort: SortId) {
        self.sorts.insert(name.to_owned(), sort);
    }

    /// Whether a function of this name is defined.
    pub fn is_defined(&self, name: &str) -> bool {
        self.macros.contains_key(name)
    }

    /// Makes a name stand for a function of variables.
    pub(super) fn define_macro(&mut self, name: &str, params: Vec<VarId>, result: TermId) {
        self.macros.insert(name.to_owned(), Macro { params, result });
    }

    /// Makes a name stand for a closed term.
    pub fn define(&mut self, name: &str, term: TermId) {
        self.define_macro(name, Vec::new(), term);
    }

    /// A defined function applied to arguments; the name must be defined.
    pub(super) fn expand(
        &self,
        terms: &mut Terms,
        name: &str,
        args: &[TermId],
    ) -> Result<TermId, BuildError> {
        let definition = &self.macros[name];
        if definition.params.len() != args.len() {
            let expected = definition.params.len();
            return Err(BuildError::Arity { symbol: name.to_owned(), expected, found: args.len() });
        }
        for (i, (&param, &arg)) in definition.params.iter().zip(args).enumerate() {
            let (expected, found) = (terms.variable_info(param).1, terms.sort(arg));
            if expected != found {
                return Err(BuildError::Sort {
                    place: format!("argument {} of {name}", i + 1),
                    expected: terms.sort_name(expected).to_owned(),
                    found: terms.sort_name(found).to_owned(),
                });
            }
        }
        if args.is_empty() {
            return Ok(definition.result);
        }
        let map = definition.params.iter().copied().zip(args.iter().copied()).collect();
        let expanded = terms.substitute(definition.result, &map);
        // Substitution adds the depth of the argument to the depth of the body.
        if terms.quantifier_depth(expanded) > MAX_QUANTIFIER_DEPTH {
            return Err(BuildError::TooDeep);
        }
        Ok(expanded)
    }
}

fn taken(tree: &Tree<'_>, node: NodeId, name: &str) -> ReadError {
    ReadError::build(tree.at(node), &BuildError::Duplicate(name.to_owned()))
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
    context: &Context,
    terms: &Terms,
    tree: &Tree<'a>,
    list: NodeId,
) -> Result<Vec<(&'a str, SortId)>, ReadError> {
    let mut names = Vec::new();
    let mut seen = Set::default();
    for pair in tree.list(list, "a list of (name sort)")? {
        let [name, sort] = tree.exactly(pair, "(name sort)")?;
        let label = binder_name(tree, name)?;
        if !seen.insert(label) {
            return Err(ReadError::new(tree.at(name), format!("{label}: bound twice in one list")));
        }
        names.push((label, context.sort(terms, tree, sort)?));
    }
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
