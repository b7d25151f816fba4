//! What a name means as a function: declared symbols, and definitions, which are macros.
//!
//! The body of a definition is elaborated once and substituted at each use. As in Z3, a name may be declared
//! or defined several times as long as argument sorts or the sort of the value differ; which one is meant is seen
//! from the arguments, and where they do not tell, `(as name sort)` has to. The names that solvers and
//! annotations give (`:named`, datatypes, heap predicates) are not shared.

use crate::frontend::smtlib::context::{Context, Introduced, binder_name, taken};
use crate::frontend::smtlib::error::ReadError;
use crate::frontend::smtlib::operators::is_reserved;
use crate::frontend::smtlib::sexpr::{NodeId, Tree};
use crate::logic::{BuildError, FuncId, MAX_QUANTIFIER_DEPTH, SortId, TermId, Terms, VarId};

/// A defined function: variables to be replaced, and the term to replace them in.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    params: Vec<VarId>,
    result: TermId,
}

/// One of the meanings of a name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    /// The definition of this place among those of the name.
    Macro(usize),
    Func(FuncId),
}

impl Context {
    /// The symbol that a name means; nothing if there are several.
    pub fn find_func(&self, terms: &Terms, name: &str) -> Option<FuncId> {
        if !self.overloads.contains_key(name) {
            return self.plain_func(terms, name);
        }
        match self.funcs_named(terms, name)[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// The declared symbols that a name means, oldest first.
    pub(super) fn funcs_named(&self, terms: &Terms, name: &str) -> Vec<FuncId> {
        match self.overloads.get(name) {
            Some(all) => all.iter().copied().filter(|&func| self.sees(terms, func)).collect(),
            None => self.plain_func(terms, name).into_iter().collect(),
        }
    }

    /// Everything that a name means.
    pub(super) fn meanings(&self, terms: &Terms, name: &str) -> Vec<Meaning> {
        let macros = 0..self.macros.get(name).map_or(0, Vec::len);
        let funcs = self.funcs_named(terms, name).into_iter().map(Meaning::Func);
        macros.map(Meaning::Macro).chain(funcs).collect()
    }

    /// Argument sorts and the sort of the value.
    pub(super) fn signature(&self, terms: &Terms, name: &str, meaning: Meaning) -> (Vec<SortId>, SortId) {
        match meaning {
            Meaning::Func(func) => (terms.func(func).args.clone(), terms.func(func).result),
            Meaning::Macro(place) => {
                let Macro { params, result } = &self.macros[name][place];
                (params.iter().map(|&param| terms.variable_info(param).1).collect(), terms.sort(*result))
            }
        }
    }

    /// The meaning of a name that has one only.
    pub(super) fn only_meaning(&self, terms: &Terms, name: &str) -> Option<Meaning> {
        if self.overloads.contains_key(name) {
            return None;
        }
        let func = self.plain_func(terms, name).map(Meaning::Func);
        match (self.macros.get(name).map(Vec::len), func) {
            (None, func) => func,
            (Some(1), None) => Some(Meaning::Macro(0)),
            _ => None,
        }
    }

    /// The symbol of a name that is not overloaded.
    fn plain_func(&self, terms: &Terms, name: &str) -> Option<FuncId> {
        let declared = terms.find_func(name).filter(|&func| self.sees(terms, func));
        declared.or_else(|| self.aliases.get(name).copied())
    }

    /// The meaning of a name for these argument sorts, and for this sort of the value if one is asked for.
    pub(super) fn resolve(
        &self,
        terms: &Terms,
        name: &str,
        args: &[SortId],
        result: Option<SortId>,
    ) -> Result<Meaning, BuildError> {
        let all = self.meanings(terms, name);
        let fits = |meaning: &Meaning| {
            let (expected, value) = self.signature(terms, name, *meaning);
            expected == args && result.is_none_or(|sort| sort == value)
        };
        let found: Vec<Meaning> = all.iter().copied().filter(fits).collect();
        match (&found[..], &all[..]) {
            ([only], _) => Ok(*only),
            // One meaning: what does not fit is told by whoever applies it.
            ([], [only]) => Ok(*only),
            ([], _) => {
                let sorts: Vec<&str> = args.iter().map(|&sort| terms.sort_name(sort)).collect();
                let value =
                    result.map_or(String::new(), |sort| format!(" with value {}", terms.sort_name(sort)));
                Err(BuildError::Unsupported(format!(
                    "{name}: expected arguments of one of its declarations, found ({}){value}",
                    sorts.join(" ")
                )))
            }
            _ => Err(BuildError::Unsupported(format!(
                "{name}: it has several meanings here, expected (as {name} sort)"
            ))),
        }
    }

    /// The link field at a node: a name, or `(as name sort)` where several fields have the name.
    pub(super) fn link_field(
        &mut self,
        terms: &mut Terms,
        tree: &Tree<'_>,
        node: NodeId,
    ) -> Result<FuncId, ReadError> {
        let parts: Vec<NodeId> = tree.children(node).collect();
        let (name, sort) = match parts[..] {
            [word, name, sort] if tree.symbol(word) == Some("as") => {
                (name, Some(self.sort(terms, tree, sort)?))
            }
            _ => (node, None),
        };
        let label = tree.expect_symbol(name, "a link field")?;
        let all = self.funcs_named(terms, label);
        let fits = |func: &FuncId| {
            let known = terms.func(*func);
            known.is_link_field() && sort.is_none_or(|sort| sort == known.result)
        };
        let fields: Vec<FuncId> = all.iter().copied().filter(fits).collect();
        match (&fields[..], &all[..]) {
            ([only], _) => Ok(*only),
            // What it is instead is told by whoever builds the term.
            ([], [only]) if sort.is_none() => Ok(*only),
            ([], _) => Err(tree.expected(node, "a link field")),
            _ => Err(tree.expected(node, &format!("(as {label} sort), because there are several"))),
        }
    }

    /// The name at a node, which must be one that can be declared.
    fn free_name<'a>(&self, tree: &Tree<'a>, node: NodeId) -> Result<&'a str, ReadError> {
        let name = binder_name(tree, node)?;
        // A printed script declares the quotients that it speaks of.
        if is_reserved(name) && !self.printed_variables {
            return Err(ReadError::expected(
                tree.at(node),
                "a new name",
                format!("{name}, which is reserved"),
            ));
        }
        Ok(name)
    }

    /// The name at a node, which must not mean anything yet as a function.
    pub fn new_name<'a>(&self, terms: &Terms, tree: &Tree<'a>, node: NodeId) -> Result<&'a str, ReadError> {
        let name = self.free_name(tree, node)?;
        if self.knows(terms, name) {
            return Err(taken(tree, node, name));
        }
        Ok(name)
    }

    /// The name at a node, which must not mean anything yet with these sorts.
    pub(super) fn new_overload<'a>(
        &self,
        terms: &Terms,
        tree: &Tree<'a>,
        node: NodeId,
        args: &[SortId],
        result: SortId,
    ) -> Result<&'a str, ReadError> {
        let name = self.free_name(tree, node)?;
        for meaning in self.meanings(terms, name) {
            let (known, value) = self.signature(terms, name, meaning);
            if !self.can_be_shared(terms, name, meaning) || (known == args && value == result) {
                return Err(taken(tree, node, name));
            }
        }
        Ok(name)
    }

    /// Whether other meanings may stand beside this one.
    fn can_be_shared(&self, terms: &Terms, name: &str, meaning: Meaning) -> bool {
        let Meaning::Func(func) = meaning else {
            return !self.named().iter().any(|(named, _)| named == name);
        };
        let mut sorts = terms.func(func).args.iter().chain([&terms.func(func).result]);
        self.vocabulary.symbol(func).is_none() && !sorts.any(|&sort| self.vocabulary.is_record(sort))
    }

    /// Declares a symbol under a name that [`Context::new_name`] found free, or another one with these sorts
    /// under a name that has other meanings.
    pub fn declare_fun(
        &mut self,
        terms: &mut Terms,
        name: &str,
        args: &[SortId],
        result: SortId,
    ) -> Result<FuncId, BuildError> {
        let known = match self.overloads.get(name) {
            Some(all) => all.clone(),
            None => terms.find_func(name).into_iter().collect(),
        };
        let same = |func: &&FuncId| {
            let known = terms.func(**func);
            !known.internal && known.args == args && known.result == result
        };
        let func = match known.iter().find(same) {
            Some(&func) => func,
            None if self.overloads.contains_key(name) || known.iter().any(|&func| self.sees(terms, func)) => {
                let func = terms.overload_fun(name, args, result)?;
                let all = self.overloads.entry(name.to_owned()).or_insert(known);
                all.push(func);
                func
            }
            None => {
                known.into_iter().for_each(|hidden| terms.release_name(hidden));
                terms.declare_fun(name, args, result)?
            }
        };
        self.hidden.remove(&func);
        self.introduce(Introduced::Func(func));
        Ok(func)
    }

    /// Whether a name means something as a function.
    pub fn knows(&self, terms: &Terms, name: &str) -> bool {
        self.is_defined(name)
            || match self.overloads.get(name) {
                Some(all) => all.iter().any(|&func| self.sees(terms, func)),
                None => self.plain_func(terms, name).is_some(),
            }
    }

    /// Whether a function of this name is defined.
    pub fn is_defined(&self, name: &str) -> bool {
        self.macros.contains_key(name)
    }

    /// Makes a name stand for a function of variables.
    pub(super) fn define_macro(&mut self, name: &str, params: Vec<VarId>, result: TermId) {
        self.macros.entry(name.to_owned()).or_default().push(Macro { params, result });
        self.introduce(Introduced::Macro(name.to_owned()));
    }

    /// Takes the last definition of a name back.
    pub(super) fn forget_macro(&mut self, name: &str) {
        if let Some(all) = self.macros.get_mut(name) {
            all.pop();
            if all.is_empty() {
                self.macros.remove(name);
            }
        }
    }

    /// One of the meanings of a name applied to arguments.
    pub(super) fn applied(
        &mut self,
        terms: &mut Terms,
        name: &str,
        meaning: Meaning,
        args: &[TermId],
    ) -> Result<TermId, BuildError> {
        let place = match meaning {
            Meaning::Func(func) => return terms.app(func, args),
            Meaning::Macro(place) => place,
        };
        let definition = &self.macros[name][place];
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
        let expanded = terms.substitute_within(definition.result, &map, &mut self.budget)?;
        // Substitution adds the depth of the argument to the depth of the body.
        if terms.quantifier_depth(expanded) > MAX_QUANTIFIER_DEPTH {
            return Err(BuildError::TooDeep);
        }
        Ok(expanded)
    }
}
