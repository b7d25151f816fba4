//! The commands and terms of the SL-COMP dialect: `declare-datatypes`, `declare-heap`, `define-fun-rec`,
//! `define-funs-rec`; `pto`, `sep`, `wand`, `emp` and `nil` in their spellings.
//!
//! `(_ emp L D)`, `sep.emp` and `emp` are the empty heap, whatever the sorts; `(as nil L)` and `(as sep.nil L)`
//! the location that is never a cell. These names mean this only after a `declare-heap`, and only where
//! the script has not declared them itself.

use crate::frontend::smtlib::context::{Context, sorted_names};
use crate::frontend::smtlib::error::ReadError;
#[cfg(not(catena_certify_alone))]
use crate::frontend::smtlib::sep::inductive::{self, Failure, Outcome};
use crate::frontend::smtlib::sep::{HeapModel, Outside, Translation, translate};
use crate::frontend::smtlib::sexpr::{Kind, NodeId, Tree};
use crate::logic::sep::Vocabulary;
use crate::logic::{BuildError, FuncId, Model, SortId, TermId, Terms};
use crate::proof::text::Translated;
use crate::util::limits::Limits;

const DATATYPES: &str = "(declare-datatypes ((name 0) ...) (((constructor (selector sort) ...) ...) ...))";
const DATATYPE: &str = "(declare-datatype name ((constructor (selector sort) ...) ...))";
const HEAP: &str = "(declare-heap (location-sort content-sort) ...)";
const FUN_REC: &str = "(define-fun-rec name ((name sort) ...) Bool term)";
const FUNS_REC: &str = "(define-funs-rec ((name ((name sort) ...) Bool) ...) (term ...))";

fn is_emp(name: &str) -> bool {
    matches!(name, "emp" | "sep.emp")
}

pub(in crate::frontend::smtlib) fn is_nil(name: &str) -> bool {
    matches!(name, "nil" | "sep.nil")
}

impl Context {
    /// The symbols that speak about the heap.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Whether a formula must be translated before it can be solved: it speaks about the heap, has terms of a
    /// datatype, or quantifies where there are infinitely many locations.
    pub fn needs_translation(&self, terms: &Terms, formula: TermId) -> bool {
        let heaps = !self.vocabulary.cells().is_empty();
        self.vocabulary.is_spatial(terms, formula)
            || self.vocabulary.stray_record(terms, formula).is_some()
            || (heaps && !terms.is_quantifier_free(formula))
    }

    /// The formula, or there is a cell.
    pub(in crate::frontend::smtlib) fn or_not_empty(&mut self, terms: &mut Terms, formula: TermId) -> TermId {
        let emp = self.vocabulary.emp(terms);
        let some_cell = terms.not(emp).expect("a formula");
        terms.or(&[formula, some_cell]).expect("two formulas")
    }

    /// Translates assertions about one heap.
    pub fn translate(&mut self, terms: &mut Terms, assertions: &[TermId]) -> Result<Translation, Outside> {
        translate(terms, &self.vocabulary, &mut self.shapes, assertions)
    }

    /// Decides assertions about one heap whose definitions are no chains.
    #[cfg(not(catena_certify_alone))]
    pub fn decide_inductive(
        &self,
        terms: &mut Terms,
        assertions: &[TermId],
        limits: &Limits,
    ) -> Result<Outcome, Failure> {
        inductive::decide(terms, &self.vocabulary, assertions, limits)
    }

    /// What the translation put into formulas and the script cannot call by a name.
    pub fn translated(&self, terms: &Terms, formulas: &[TermId]) -> Translated {
        let ranks = self.ranks(terms);
        Translated::of(terms, formulas, |var| ranks.contains_key(&var))
    }

    /// The heap behind a model of translated assertions, after the assertions were evaluated in it as they
    /// were written.
    pub fn heap_model(
        &self,
        terms: &Terms,
        assertions: &[TermId],
        translation: &Translation,
        model: Model,
    ) -> Result<HeapModel, Outside> {
        let unchecked =
            |why: &dyn std::fmt::Display| Outside::new(format!("the heap could not be checked: {why}"));
        let found = HeapModel::new(terms, &self.vocabulary, translation, model).map_err(|e| unchecked(&e))?;
        match found.satisfies(terms, &self.vocabulary, assertions) {
            Ok(true) => Ok(found),
            Ok(false) => Err(unchecked(&"an assertion is false in it")),
            Err(error) => Err(unchecked(&error)),
        }
    }

    /// `declare-datatypes`.
    pub fn declare_datatypes(&mut self, terms: &mut Terms, tree: &Tree<'_>) -> Result<(), ReadError> {
        let [_, sorts, bodies] = tree.exactly(Tree::ROOT, DATATYPES)?;
        let (sorts, bodies) = (tree.list(sorts, DATATYPES)?, tree.list(bodies, DATATYPES)?);
        if sorts.len() != bodies.len() {
            let found = format!("{} names and {} bodies", sorts.len(), bodies.len());
            return Err(ReadError::expected(tree.at(Tree::ROOT), "as many names as bodies", found));
        }
        let mut declared = Vec::new();
        for sort in sorts {
            let [name, arity] = tree.exactly(sort, "(name 0)")?;
            if tree.kind(arity) != Kind::Numeral || tree.text(arity).bytes().any(|b| b != b'0') {
                return Err(tree.expected(arity, "0 (datatypes with parameters are not supported)"));
            }
            declared.push(self.new_datatype(terms, tree, name)?);
        }
        for (sort, body) in declared.into_iter().zip(bodies) {
            self.constructors(terms, tree, sort, body, DATATYPES)?;
        }
        Ok(())
    }

    /// `declare-datatype`.
    pub fn declare_datatype(&mut self, terms: &mut Terms, tree: &Tree<'_>) -> Result<(), ReadError> {
        let [_, name, body] = tree.exactly(Tree::ROOT, DATATYPE)?;
        let sort = self.new_datatype(terms, tree, name)?;
        self.constructors(terms, tree, sort, body, DATATYPE)
    }

    fn new_datatype(
        &mut self,
        terms: &mut Terms,
        tree: &Tree<'_>,
        name: NodeId,
    ) -> Result<SortId, ReadError> {
        let label = self.new_sort(terms, tree, name)?;
        self.declare_sort(terms, label).map_err(|e| ReadError::build(tree.at(name), &e))
    }

    fn constructors(
        &mut self,
        terms: &mut Terms,
        tree: &Tree<'_>,
        sort: SortId,
        body: NodeId,
        expected: &str,
    ) -> Result<(), ReadError> {
        let mut constructors: Vec<(FuncId, Vec<String>)> = Vec::new();
        for constructor in tree.list(body, expected)? {
            // A constructor without fields may stand alone.
            let parts = match tree.kind(constructor) {
                Kind::Symbol => vec![constructor],
                _ => tree.list(constructor, expected)?,
            };
            let Some((&name, fields)) = parts.split_first() else {
                return Err(tree.expected(constructor, expected));
            };
            let (mut names, mut sorts) = (Vec::new(), Vec::new());
            for &field in fields {
                let [selector, field_sort] = tree.exactly(field, "(selector sort)")?;
                let field_sort = self.sort(terms, tree, field_sort)?;
                names.push(self.new_symbol(terms, tree, selector, &[sort], field_sort)?.1);
                sorts.push(field_sort);
            }
            let (func, _) = self.new_symbol(terms, tree, name, &sorts, sort)?;
            constructors.push((func, names));
        }
        if constructors.is_empty() {
            return Err(tree.expected(body, "at least one constructor"));
        }
        self.vocabulary.add_record(sort, &constructors);
        Ok(())
    }

    fn new_symbol(
        &mut self,
        terms: &mut Terms,
        tree: &Tree<'_>,
        name: NodeId,
        args: &[SortId],
        result: SortId,
    ) -> Result<(FuncId, String), ReadError> {
        let label = self.new_name(terms, tree, name)?;
        let func = self.declare_fun(terms, label, args, result);
        Ok((func.map_err(|e| ReadError::build(tree.at(name), &e))?, label.to_owned()))
    }

    /// `declare-heap`.
    pub fn declare_heap(&mut self, terms: &mut Terms, tree: &Tree<'_>) -> Result<(), ReadError> {
        let pairs: Vec<NodeId> = tree.children(Tree::ROOT).skip(1).collect();
        if pairs.is_empty() {
            return Err(tree.expected(Tree::ROOT, HEAP));
        }
        for pair in pairs {
            let [location, content] = tree.exactly(pair, "(location-sort content-sort)")?;
            let sorts = (self.sort(terms, tree, location)?, self.sort(terms, tree, content)?);
            let added = self.vocabulary.add_cell(terms, sorts.0, sorts.1);
            added.map_err(|e| ReadError::build(tree.at(pair), &e))?;
        }
        Ok(())
    }

    /// `define-fun-rec`.
    pub fn define_fun_rec(&mut self, terms: &mut Terms, tree: &Tree<'_>) -> Result<(), ReadError> {
        let [_, name, params, sort, body] = tree.exactly(Tree::ROOT, FUN_REC)?;
        let announced = self.announce(terms, tree, [name, params, sort])?;
        self.complete(terms, tree, announced, body)
    }

    /// `define-funs-rec`.
    pub fn define_funs_rec(&mut self, terms: &mut Terms, tree: &Tree<'_>) -> Result<(), ReadError> {
        let [_, heads, bodies] = tree.exactly(Tree::ROOT, FUNS_REC)?;
        let (heads, bodies) = (tree.list(heads, FUNS_REC)?, tree.list(bodies, FUNS_REC)?);
        if heads.len() != bodies.len() {
            let found = format!("{} heads and {} bodies", heads.len(), bodies.len());
            return Err(ReadError::expected(tree.at(Tree::ROOT), "as many heads as bodies", found));
        }
        let mut announced = Vec::new();
        for head in heads {
            let parts = tree.exactly(head, "(name ((name sort) ...) Bool)")?;
            announced.push(self.announce(terms, tree, parts)?);
        }
        for (head, body) in announced.into_iter().zip(bodies) {
            self.complete(terms, tree, head, body)?;
        }
        Ok(())
    }

    /// Declares a predicate, so that bodies can call it.
    fn announce<'a>(
        &mut self,
        terms: &mut Terms,
        tree: &Tree<'a>,
        [name, params, sort]: [NodeId; 3],
    ) -> Result<Announced<'a>, ReadError> {
        if self.sort(terms, tree, sort)? != SortId::BOOL {
            let error = tree.expected(sort, "Bool (recursive functions of other sorts are not supported)");
            return Err(error.beyond_us(true));
        }
        let params = sorted_names(self, terms, tree, params)?;
        let sorts: Vec<SortId> = params.iter().map(|&(_, s)| s).collect();
        if let Some(i) = sorts.iter().position(|&s| s == SortId::BOOL) {
            let message = format!("{}: a parameter of sort Bool is not supported here", params[i].0);
            return Err(ReadError::new(tree.at(name), message));
        }
        let (func, label) = self.new_symbol(terms, tree, name, &sorts, SortId::BOOL)?;
        let index = self.vocabulary.declare_predicate(terms, func);
        Ok(Announced { label, params, index })
    }

    fn complete<'a>(
        &mut self,
        terms: &mut Terms,
        tree: &Tree<'a>,
        announced: Announced<'a>,
        body: NodeId,
    ) -> Result<(), ReadError> {
        let Announced { label, params, index } = announced;
        let (params, body) = self.body(terms, tree, &label, &params, SortId::BOOL, body)?;
        self.vocabulary.define_predicate(index, params, body);
        Ok(())
    }

    /// The meaning of a name that stands alone, if it speaks about the heap.
    pub(in crate::frontend::smtlib) fn heap_constant(
        &mut self,
        terms: &mut Terms,
        name: &str,
    ) -> Option<TermId> {
        match self.vocabulary.cells() {
            [] => None,
            _ if is_emp(name) => Some(self.vocabulary.emp(terms)),
            // Without its sort, where there is only one.
            [only] if is_nil(name) => Some(only.nil),
            _ => None,
        }
    }

    /// `(_ emp L D)` or `(as nil L)`.
    pub(in crate::frontend::smtlib) fn heap_literal(
        &mut self,
        terms: &mut Terms,
        tree: &Tree<'_>,
        node: NodeId,
    ) -> Result<TermId, ReadError> {
        let children: Vec<NodeId> = tree.children(node).collect();
        let words: Vec<&str> = children.iter().take(2).filter_map(|&c| tree.symbol(c)).collect();
        match (&words[..], &children[..]) {
            (["as", name], &[_, _, sort]) if is_nil(name) => {
                let found = self.sort(terms, tree, sort)?;
                if !found.is_uninterpreted() || self.vocabulary.is_record(found) {
                    return Err(tree.expected(sort, "a sort of locations"));
                }
                Ok(self.vocabulary.nil(terms, found))
            }
            (["_", name], &[_, _, location, content]) if is_emp(name) => {
                let pair = (self.sort(terms, tree, location)?, self.sort(terms, tree, content)?);
                match self.vocabulary.cell_of(pair.0) {
                    Some(cell) if cell.content == pair.1 => Ok(self.vocabulary.emp(terms)),
                    _ => Err(tree.expected(node, "the two sorts of a declare-heap")),
                }
            }
            _ => {
                let error = tree.expected(node, "a term, (_ emp location content) or (as nil location)");
                Err(error.beyond_us(words.first() == Some(&"_")))
            }
        }
    }

    /// Whether a name is `pto`, `sep` or `wand` and means it.
    pub(in crate::frontend::smtlib) fn is_heap_connective(&self, name: &str) -> bool {
        !self.vocabulary.cells().is_empty() && matches!(name, "pto" | "sep" | "wand")
    }

    /// `pto`, `sep` or `wand` applied to arguments.
    pub(in crate::frontend::smtlib) fn heap_connective(
        &mut self,
        terms: &mut Terms,
        name: &str,
        args: &[TermId],
    ) -> Result<TermId, BuildError> {
        let two = || {
            <[TermId; 2]>::try_from(args).map_err(|_| BuildError::Arity {
                symbol: name.to_owned(),
                expected: 2,
                found: args.len(),
            })
        };
        match name {
            "sep" => self.vocabulary.sep(terms, args),
            "pto" => two().and_then(|[at, content]| self.vocabulary.pto(terms, at, content)),
            _ => two().and_then(|parts| self.vocabulary.wand(terms, parts)),
        }
    }
}

/// A predicate whose body is still to come.
struct Announced<'a> {
    label: String,
    params: Vec<(&'a str, SortId)>,
    index: usize,
}
