//! Sorts with parameters: `(declare-sort L 1)`, `(define-sort P (X Y) ...)`, and their applications `(L Int)`.
//!
//! An application of a declared constructor to sorts is an uninterpreted sort of its own, made when it is first
//! spoken of; equal applications are one sort. A defined sort with parameters is a macro: its body is read once,
//! and put together at each use. Applications are remembered, so that a chain of definitions each of which
//! uses the one before it twice takes time in proportion to its length. A sort whose text would be too
//! long is refused.

use crate::frontend::smtlib::context::{Context, Introduced, taken};
use crate::frontend::smtlib::error::ReadError;
use crate::frontend::smtlib::sexpr::{Kind, NodeId, Tree};
use crate::logic::{BuildError, SortId, Terms, print};
use crate::util::hash::Map;

/// How many parameters a sort may have.
const MAX_PARAMETERS: usize = 1000;
/// How deep applications may be nested, in a text and through definitions.
const MAX_DEPTH: usize = 500;
/// How long the text of a sort may be.
const MAX_TEXT: usize = 4096;

/// Sorts of theories that are not here.
const OTHERS: &[&str] = &[
    "Real",
    "String",
    "RegLan",
    "Array",
    "BitVec",
    "RoundingMode",
    "FloatingPoint",
    "->",
    "Seq",
    "Set",
    "Bag",
    "Tuple",
    "Relation",
    "FiniteField",
];

/// A sort over parameters.
#[derive(Clone, Debug)]
enum Body {
    Parameter(usize),
    Sort(SortId),
    Application(String, Vec<Body>),
}

/// A defined sort.
#[derive(Clone, Debug)]
struct Synonym {
    n_parameters: usize,
    body: Body,
}

/// What a script has said about sorts, beyond those without parameters.
#[derive(Clone, Debug, Default)]
pub(super) struct Families {
    synonyms: Map<String, Synonym>,
    /// Declared constructors and how many parameters they take.
    constructors: Map<String, usize>,
    /// Applications of constructors. They stay when their constructor is popped: the same text means the same
    /// sort when it is declared again.
    instances: Map<(String, Vec<SortId>), SortId>,
    /// Applications of synonyms, as long as no definition is taken back.
    expanded: Map<(String, Vec<SortId>), SortId>,
}

impl Families {
    /// How many parameters a name takes, if it is the name of a sort with parameters.
    fn n_parameters(&self, name: &str) -> Option<usize> {
        let defined = self.synonyms.get(name).map(|synonym| synonym.n_parameters);
        defined.or_else(|| self.constructors.get(name).copied())
    }

    pub(super) fn forget_synonym(&mut self, name: &str) {
        self.synonyms.remove(name);
        self.expanded.clear();
    }

    pub(super) fn forget_constructor(&mut self, name: &str) {
        self.constructors.remove(name);
        self.expanded.clear();
    }
}

impl Context {
    /// The sort that a node names.
    pub fn sort(&mut self, terms: &mut Terms, tree: &Tree<'_>, node: NodeId) -> Result<SortId, ReadError> {
        let body = self.sort_body(terms, tree, node, &[], 0)?;
        self.sort_of(terms, &body, &[], 0).map_err(|e| ReadError::build(tree.at(node), &e))
    }

    /// The name at a node, which must not mean anything yet as a sort.
    pub fn new_sort<'a>(&self, terms: &Terms, tree: &Tree<'a>, node: NodeId) -> Result<&'a str, ReadError> {
        let name = tree.expect_symbol(node, "the name of a sort")?;
        if self.find_sort(terms, name).is_some() || self.families.n_parameters(name).is_some() {
            return Err(taken(tree, node, name));
        }
        Ok(name)
    }

    /// `(declare-sort name n)`; some clients leave out the number.
    pub(super) fn declare_sort_family(
        &mut self,
        terms: &mut Terms,
        tree: &Tree<'_>,
    ) -> Result<(), ReadError> {
        let children: Vec<NodeId> = tree.children(Tree::ROOT).collect();
        let (name, arity) = match children[..] {
            [_, name] => (name, None),
            [_, name, arity] => (name, Some(arity)),
            _ => return Err(tree.expected(Tree::ROOT, "(declare-sort name n)")),
        };
        let label = self.new_sort(terms, tree, name)?;
        let n_parameters = match arity {
            None => 0,
            Some(arity) if tree.kind(arity) != Kind::Numeral => {
                return Err(tree.expected(arity, "a number of parameters"));
            }
            Some(arity) => {
                tree.text(arity).parse().ok().filter(|&n: &usize| n <= MAX_PARAMETERS).ok_or_else(|| {
                    tree.expected(arity, &format!("at most {MAX_PARAMETERS} parameters")).beyond_us(true)
                })?
            }
        };
        if n_parameters == 0 {
            let declared = self.declare_sort(terms, label);
            return declared.map(drop).map_err(|e| ReadError::build(tree.at(name), &e));
        }
        if label.contains(['|', '\\']) {
            return Err(ReadError::build(tree.at(name), &BuildError::Unwritable(label.to_owned())));
        }
        self.families.constructors.insert(label.to_owned(), n_parameters);
        self.introduce(Introduced::Constructor(label.to_owned()));
        Ok(())
    }

    /// `(define-sort name (parameter ...) sort)`.
    pub(super) fn define_sort_family(&mut self, terms: &mut Terms, tree: &Tree<'_>) -> Result<(), ReadError> {
        let [_, name, list, sort] = tree.exactly(Tree::ROOT, "(define-sort name (parameter ...) sort)")?;
        let label = self.new_sort(terms, tree, name)?;
        let mut parameters: Vec<&str> = Vec::new();
        for node in tree.list(list, "a list of parameters")? {
            let parameter = tree.expect_symbol(node, "the name of a parameter")?;
            if parameters.contains(&parameter) {
                return Err(ReadError::new(tree.at(node), format!("{parameter}: bound twice in one list")));
            }
            if parameters.len() == MAX_PARAMETERS {
                return Err(tree.expected(node, &format!("at most {MAX_PARAMETERS} parameters")));
            }
            parameters.push(parameter);
        }
        if parameters.is_empty() {
            let sort = self.sort(terms, tree, sort)?;
            self.define_sort(label, sort);
            return Ok(());
        }
        let body = self.sort_body(terms, tree, sort, &parameters, 0)?;
        let n_parameters = parameters.len();
        self.families.synonyms.insert(label.to_owned(), Synonym { n_parameters, body });
        self.introduce(Introduced::Family(label.to_owned()));
        Ok(())
    }

    /// What stands at a node, over parameters.
    fn sort_body(
        &self,
        terms: &Terms,
        tree: &Tree<'_>,
        node: NodeId,
        parameters: &[&str],
        depth: usize,
    ) -> Result<Body, ReadError> {
        let refused = |name: &str| OTHERS.contains(&name);
        if tree.kind(node) != Kind::List {
            let name = tree.expect_symbol(node, "a sort")?;
            if let Some(place) = parameters.iter().position(|parameter| *parameter == name) {
                return Ok(Body::Parameter(place));
            }
            if let Some(n) = self.families.n_parameters(name) {
                let expected = format!("({name} ...) with {n} sorts");
                return Err(ReadError::expected(tree.at(node), &expected, name));
            }
            let found = self.find_sort(terms, name).map(Body::Sort);
            return found.ok_or_else(|| tree.expected(node, "a declared sort").beyond_us(refused(name)));
        }
        if depth >= MAX_DEPTH {
            return Err(ReadError::build(tree.at(node), &too_deep()));
        }
        let children: Vec<NodeId> = tree.children(node).collect();
        let name = children.first().and_then(|&head| tree.symbol(head));
        let Some((name, n)) = name.and_then(|name| Some((name, self.families.n_parameters(name)?))) else {
            // (Array Int Int) or (_ BitVec 8) is a sort, but none of ours.
            let of_others = children.iter().take(2).any(|&word| tree.symbol(word).is_some_and(refused));
            return Err(tree.expected(node, "a sort").beyond_us(of_others));
        };
        if children.len() - 1 != n {
            let error = BuildError::Arity { symbol: name.to_owned(), expected: n, found: children.len() - 1 };
            return Err(ReadError::build(tree.at(node), &error));
        }
        let arguments: Result<Vec<Body>, ReadError> = children[1..]
            .iter()
            .map(|&child| self.sort_body(terms, tree, child, parameters, depth + 1))
            .collect();
        Ok(Body::Application(name.to_owned(), arguments?))
    }

    /// The sort that a body is for these parameters.
    fn sort_of(
        &mut self,
        terms: &mut Terms,
        body: &Body,
        parameters: &[SortId],
        depth: usize,
    ) -> Result<SortId, BuildError> {
        let (name, arguments) = match body {
            Body::Parameter(place) => return Ok(parameters[*place]),
            Body::Sort(sort) => return Ok(*sort),
            Body::Application(name, arguments) => (name, arguments),
        };
        if depth >= MAX_DEPTH {
            return Err(too_deep());
        }
        self.budget.spend(1).map_err(BuildError::Stopped)?;
        let arguments: Result<Vec<SortId>, BuildError> =
            arguments.iter().map(|argument| self.sort_of(terms, argument, parameters, depth + 1)).collect();
        let key = (name.clone(), arguments?);
        if !self.families.synonyms.contains_key(name) {
            return self.instance(terms, key);
        }
        if let Some(&known) = self.families.expanded.get(&key) {
            return Ok(known);
        }
        let body = self.families.synonyms[name].body.clone();
        let sort = self.sort_of(terms, &body, &key.1, depth + 1)?;
        self.families.expanded.insert(key, sort);
        Ok(sort)
    }

    /// A constructor applied to sorts.
    fn instance(&mut self, terms: &mut Terms, key: (String, Vec<SortId>)) -> Result<SortId, BuildError> {
        if let Some(&known) = self.families.instances.get(&key) {
            self.show_sort(known);
            return Ok(known);
        }
        let arguments: Vec<String> = key.1.iter().map(|&sort| print::sort(terms, sort)).collect();
        let text = format!("({} {})", print::symbol(&key.0), arguments.join(" "));
        if text.len() > MAX_TEXT {
            return Err(BuildError::Unsupported(format!("sort: expected at most {MAX_TEXT} characters")));
        }
        let sort = terms.compose_sort(text);
        self.families.instances.insert(key, sort);
        self.introduce(Introduced::Sort(sort));
        Ok(sort)
    }
}

fn too_deep() -> BuildError {
    BuildError::Unsupported(format!("sorts are nested more than {MAX_DEPTH} deep"))
}
