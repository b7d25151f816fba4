//! S-expressions to terms.
//!
//! A machine with a stack of tasks and a stack of values; nothing recurses. There is one scope for the
//! whole term: a name maps to the stack of its meanings, `let` and quantifiers push on entry and pop on
//! exit, so a `let` costs its own bindings whatever surrounds it.
//!
//! Quantified variables are reused: in a script read at once the binder `u!3` is variable 3 of the store if
//! that one is called `u` (that is how the printer writes it, so printed terms read back as themselves), and
//! otherwise the binder
//! shares a variable with earlier binders of the same name and sort, so equal text gives equal terms. A
//! variable that is bound around the binder is never reused: a `let` could carry it inside.

use crate::frontend::smtlib::context::{
    Context, PREDEFINED, attributes, binder_name, is_negative_numeral, is_of_others, name_of, sorted_names,
};
use crate::frontend::smtlib::error::ReadError;
use crate::frontend::smtlib::operators::{self, MILD};
use crate::frontend::smtlib::sep::read::is_nil;
use crate::frontend::smtlib::sexpr::{Kind, NodeId, Tree};
use crate::logic::{BuildError, FuncId, Op, SortId, TermId, Terms, VarId};
use crate::util::hash::{Map, Set};
use crate::util::num::Int;

impl Context {
    /// The term at a node, all of whose names are declared or defined.
    pub fn term(&mut self, terms: &mut Terms, tree: &Tree<'_>, node: NodeId) -> Result<TermId, ReadError> {
        Machine::new(self, terms, tree).run(node)
    }

    /// Defines a function: its name, a list of `(parameter sort)`, the sort of its value, and its body.
    pub fn define_fun(
        &mut self,
        terms: &mut Terms,
        tree: &Tree<'_>,
        [name, params, sort, body]: [NodeId; 4],
    ) -> Result<(), ReadError> {
        let result_sort = self.sort(terms, tree, sort)?;
        let params = sorted_names(self, terms, tree, params)?;
        let sorts: Vec<SortId> = params.iter().map(|pair| pair.1).collect();
        let label = self.new_overload(terms, tree, name, &sorts, result_sort)?;
        let (ids, result) = self.body(terms, tree, label, &params, result_sort, body)?;
        self.define_macro(label, ids, result);
        Ok(())
    }

    /// The body of the definition of `label`, with new variables for its parameters.
    pub(super) fn body<'a>(
        &mut self,
        terms: &mut Terms,
        tree: &Tree<'a>,
        label: &str,
        params: &[(&'a str, SortId)],
        result_sort: SortId,
        body: NodeId,
    ) -> Result<(Vec<VarId>, TermId), ReadError> {
        let mut machine = Machine::new(self, terms, tree);
        let mut ids = Vec::with_capacity(params.len());
        for &(param, sort) in params {
            let variable =
                machine.terms.variable(param, sort).map_err(|e| ReadError::build(tree.at(body), &e))?;
            machine.bind(param, variable);
            machine.bound.insert(variable);
            let Op::Var(id) = machine.terms.op(variable) else { unreachable!("just made as a variable") };
            ids.push(id);
        }
        let result = machine.run(body)?;
        let found = terms.sort(result);
        if found != result_sort {
            let (expected, found) = (terms.sort_name(result_sort), terms.sort_name(found));
            return Err(ReadError::new(
                tree.at(body),
                format!("body of {label}: expected sort {expected}, found {found}"),
            ));
        }
        Ok((ids, result))
    }
}

/// What stands at the head of an application.
#[derive(Clone, Copy)]
pub(super) enum Head<'a> {
    Predefined(&'a str),
    /// A declared or defined name, and the sort of its value if the text says it.
    Name(&'a str, Option<SortId>),
    Reach(FuncId),
    Between(FuncId),
    /// `(_ divisible n)`, with the digits of n.
    Divisible(&'a str),
    /// `pto`, `sep` or `wand`.
    Heap(&'a str),
}

pub(super) enum Task<'a> {
    Eval(NodeId),
    Apply {
        node: NodeId,
        head: Head<'a>,
        n_args: usize,
    },
    BindLet {
        node: NodeId,
        names: Vec<&'a str>,
    },
    Unbind {
        names: Vec<&'a str>,
    },
    Close {
        node: NodeId,
        exists: bool,
        names: Vec<&'a str>,
        variables: Vec<TermId>,
        groups: Vec<usize>,
    },
    /// One case of the variables of sort Bool of a quantifier: bit i is the value of the i-th.
    Case {
        node: NodeId,
        exists: bool,
        values: u32,
    },
    /// Both cases, or all of them.
    Cases {
        node: NodeId,
        exists: bool,
        n_cases: usize,
    },
    Name {
        node: NodeId,
        name: &'a str,
    },
}

pub(super) struct Machine<'m, 'a> {
    pub(super) context: &'m mut Context,
    pub(super) terms: &'m mut Terms,
    pub(super) tree: &'m Tree<'a>,
    scope: Map<&'a str, Vec<TermId>>,
    /// Variables of the quantifiers around the current place.
    pub(super) bound: Set<TermId>,
    /// How many quantifiers are around it: too many are refused on entry, before the search for a variable
    /// that none of them binds gets slow.
    pub(super) open_quantifiers: u32,
    /// How many cases of variables of sort Bool were entered.
    pub(super) n_cases: u32,
    pub(super) tasks: Vec<Task<'a>>,
    pub(super) values: Vec<TermId>,
}

impl<'m, 'a> Machine<'m, 'a> {
    fn new(context: &'m mut Context, terms: &'m mut Terms, tree: &'m Tree<'a>) -> Machine<'m, 'a> {
        Machine {
            context,
            terms,
            tree,
            scope: Map::default(),
            bound: Set::default(),
            open_quantifiers: 0,
            n_cases: 0,
            tasks: Vec::new(),
            values: Vec::new(),
        }
    }

    fn run(&mut self, root: NodeId) -> Result<TermId, ReadError> {
        self.tasks.push(Task::Eval(root));
        let at = self.tree.at(root);
        while let Some(task) = self.tasks.pop() {
            self.context.budget.spend(1).map_err(|stop| ReadError::new(at, stop.to_string()))?;
            match task {
                Task::Eval(node) => self.eval(node)?,
                Task::Apply { node, head, n_args } => {
                    let args = self.values.split_off(self.values.len() - n_args);
                    let built = self.apply(head, &args);
                    let built = built.map_err(|e| ReadError::build(self.tree.at(node), &e))?;
                    // A sum has the terms of all sums inside it.
                    let work = self.terms.children(built).len() as u64;
                    self.context.budget.spend(work).map_err(|stop| ReadError::new(at, stop.to_string()))?;
                    self.values.push(built);
                }
                Task::BindLet { node, names } => {
                    let values = self.values.split_off(self.values.len() - names.len());
                    for (&name, value) in names.iter().zip(values) {
                        self.bind(name, value);
                    }
                    let body = self.tree.children(node).nth(2).expect("checked when the let was entered");
                    self.tasks.push(Task::Unbind { names });
                    self.tasks.push(Task::Eval(body));
                }
                Task::Unbind { names } => self.unbind(&names),
                Task::Close { node, exists, names, variables, groups } => {
                    self.unbind(&names);
                    self.close(node, exists, &variables, &groups)?;
                }
                Task::Case { node, exists, values } => self.enter_case(node, exists, values)?,
                Task::Cases { node, exists, n_cases } => {
                    let cases = self.values.split_off(self.values.len() - n_cases);
                    let built = if exists { self.terms.or(&cases) } else { self.terms.and(&cases) };
                    self.values.push(built.map_err(|e| ReadError::build(self.tree.at(node), &e))?);
                }
                Task::Name { node, name } => self.name(node, name)?,
            }
        }
        Ok(self.values.pop().expect("a run leaves one value"))
    }

    pub(super) fn bind(&mut self, name: &'a str, meaning: TermId) {
        self.scope.entry(name).or_default().push(meaning);
    }

    fn unbind(&mut self, names: &[&'a str]) {
        for name in names {
            self.scope.get_mut(name).and_then(Vec::pop).expect("every name unbound was bound");
        }
    }

    fn meaning(&self, name: &str) -> Option<TermId> {
        self.scope.get(name).and_then(|s| s.last()).copied()
    }

    fn eval(&mut self, node: NodeId) -> Result<(), ReadError> {
        let tree = self.tree;
        match tree.kind(node) {
            Kind::Symbol => {
                let value = self.atom(node, tree.text(node), None)?;
                self.values.push(value);
                Ok(())
            }
            Kind::Numeral => {
                let value: Int = tree.text(node).parse().map_err(|_| tree.expected(node, "a number"))?;
                let number = self.terms.int(value);
                self.values.push(number);
                Ok(())
            }
            Kind::List => self.enter(node),
            Kind::Keyword => Err(tree.expected(node, "a term")),
            // Literals of theories that are not here.
            Kind::Decimal | Kind::Bits | Kind::String => Err(tree.expected(node, "a term").beyond_us(true)),
        }
    }

    /// A name that stands alone; of several meanings the one of this sort, if the text says it.
    fn atom(&mut self, node: NodeId, name: &str, result: Option<SortId>) -> Result<TermId, ReadError> {
        if let Some(term) = self.meaning(name) {
            return Ok(term);
        }
        let built = match name {
            "true" => Ok(Terms::TRUE),
            "false" => Ok(Terms::FALSE),
            _ if self.context.knows(self.terms, name) => {
                let meaning = match self.context.only_meaning(self.terms, name) {
                    Some(only) => Ok(only),
                    None => self.context.resolve(self.terms, name, &[], result),
                };
                meaning.and_then(|meaning| self.context.applied(self.terms, name, meaning, &[]))
            }
            _ => match self.context.heap_constant(self.terms, name) {
                Some(term) => Ok(term),
                // Z3 prints and takes these, though the standard reads them as symbols.
                None if is_negative_numeral(name) => {
                    let value: Int = name.parse().map_err(|_| self.tree.expected(node, "a number"))?;
                    return Ok(self.terms.int(value));
                }
                None => {
                    let error = self.tree.expected(node, "a declared symbol");
                    return Err(error.beyond_us(is_of_others(name)));
                }
            },
        };
        built.map_err(|e| ReadError::build(self.tree.at(node), &e))
    }

    fn enter(&mut self, node: NodeId) -> Result<(), ReadError> {
        let tree = self.tree;
        let Some(head_node) = tree.children(node).next() else {
            return Err(tree.expected(node, "a term"));
        };
        match tree.symbol(head_node) {
            Some("let") => return self.enter_let(node),
            Some("forall") => return self.enter_quantifier(node, false),
            Some("exists") => return self.enter_quantifier(node, true),
            Some("!") => return self.enter_annotation(node),
            Some("as") if self.qualified(node).is_some() => {
                let [_, name, sort] = tree.exactly(node, "(as name sort)")?;
                let sort = self.context.sort(self.terms, tree, sort)?;
                let term = self.atom(name, tree.text(name), Some(sort))?;
                if self.terms.sort(term) != sort {
                    let found = self.terms.sort_name(self.terms.sort(term));
                    return Err(ReadError::expected(tree.at(node), "the sort of the term", found));
                }
                self.values.push(term);
                return Ok(());
            }
            Some("_" | "as") => {
                let term = self.context.heap_literal(self.terms, tree, node)?;
                self.values.push(term);
                return Ok(());
            }
            _ => {}
        }
        let head = self.head(head_node)?;
        let start = self.tasks.len();
        match head {
            Head::Predefined("+") => self.tasks.extend(self.summands(node).into_iter().map(Task::Eval)),
            _ => self.tasks.extend(tree.children(node).skip(1).map(Task::Eval)),
        }
        let n_args = self.tasks.len() - start;
        if n_args == 0 {
            return Err(ReadError::expected(tree.at(node), "at least one argument", "none"));
        }
        // The first argument is evaluated first, so that the first error is the one reported.
        self.tasks[start..].reverse();
        self.tasks.insert(start, Task::Apply { node, head, n_args });
        Ok(())
    }

    /// The summands of a sum and of the sums directly inside it: a term for each of them would have the terms
    /// of all sums inside it again.
    fn summands(&self, sum: NodeId) -> Vec<NodeId> {
        let tree = self.tree;
        let mut open: Vec<NodeId> = tree.children(sum).skip(1).collect();
        open.reverse();
        let mut found = Vec::with_capacity(open.len());
        while let Some(node) = open.pop() {
            let inside: Vec<NodeId> = tree.children(node).collect();
            match inside[..] {
                // A sum of nothing is an error, found where it stands.
                [head, _, ..] if tree.symbol(head) == Some("+") => open.extend(inside[1..].iter().rev()),
                _ => found.push(node),
            }
        }
        found
    }

    /// The name of `(as name sort)` if it means something by itself.
    fn qualified(&self, node: NodeId) -> Option<&'a str> {
        let name = self.tree.children(node).nth(1).and_then(|name| self.tree.symbol(name))?;
        if is_nil(name) && !self.context.vocabulary.is_empty() {
            return None;
        }
        let means = self.meaning(name).is_some() || self.context.knows(self.terms, name);
        (means || matches!(name, "true" | "false")).then_some(name)
    }

    fn head(&mut self, node: NodeId) -> Result<Head<'a>, ReadError> {
        let tree = self.tree;
        if tree.kind(node) == Kind::List {
            return self.indexed(node);
        }
        let name = tree.expect_symbol(node, "a function")?;
        if self.meaning(name).is_some() {
            return Err(ReadError::expected(tree.at(node), "a function", format!("the bound name {name}")));
        }
        match name {
            "_" | "as" | "match" | "par" | "true" | "false" => {
                Err(tree.expected(node, "a function").beyond_us(is_of_others(name)))
            }
            _ if PREDEFINED.contains(&name) => Ok(Head::Predefined(name)),
            _ => match self.context.knows(self.terms, name) {
                true => Ok(Head::Name(name, None)),
                false if self.context.is_heap_connective(name) => Ok(Head::Heap(name)),
                false if MILD.contains(&name) => Ok(Head::Predefined(name)),
                false => Err(tree.expected(node, "a declared function").beyond_us(is_of_others(name))),
            },
        }
    }

    fn indexed(&mut self, node: NodeId) -> Result<Head<'a>, ReadError> {
        const EXPECTED: &str = "(_ reach field), (_ between field), (_ divisible n) or (as function sort)";
        const OURS: [&str; 3] = ["reach", "between", "divisible"];
        let tree = self.tree;
        // Nobody can declare an indexed symbol, so one that is not ours is another theory's.
        let mut words = tree.children(node);
        if words.next().and_then(|word| tree.symbol(word)) == Some("_")
            && let Some(name) = words.next().filter(|&w| tree.symbol(w).is_some_and(|w| !OURS.contains(&w)))
        {
            return Err(tree.expected(name, "reach, between or divisible").beyond_us(true));
        }
        let [underscore, predicate, field] = tree.exactly(node, EXPECTED)?;
        match tree.symbol(underscore) {
            Some("_") => {}
            Some("as") => {
                let head = self.head(predicate)?;
                let result = self.context.sort(self.terms, tree, field)?;
                let Head::Name(name, _) = head else { return Ok(head) };
                let all = self.context.meanings(self.terms, name);
                let values: Vec<SortId> =
                    all.iter().map(|&m| self.context.signature(self.terms, name, m).1).collect();
                if !values.contains(&result) {
                    let found = self.terms.sort_name(values[0]);
                    return Err(ReadError::expected(tree.at(field), "the sort of the function", found));
                }
                return Ok(Head::Name(name, Some(result)));
            }
            _ => return Err(tree.expected(underscore, "_ or as")),
        }
        if tree.symbol(predicate) == Some("divisible") && tree.kind(field) == Kind::Numeral {
            if tree.text(field).bytes().all(|digit| digit == b'0') {
                return Err(tree.expected(field, "a positive number"));
            }
            return Ok(Head::Divisible(tree.text(field)));
        }
        let func = self.context.link_field(self.terms, tree, field)?;
        match tree.symbol(predicate) {
            Some("reach") => Ok(Head::Reach(func)),
            Some("between") => Ok(Head::Between(func)),
            _ => Err(tree.expected(predicate, "reach or between")),
        }
    }

    fn enter_let(&mut self, node: NodeId) -> Result<(), ReadError> {
        let tree = self.tree;
        let [_, bindings, _] = tree.exactly(node, "(let ((name term) ...) term)")?;
        let mut names = Vec::new();
        let mut values = Vec::new();
        let mut seen = Set::default();
        for pair in tree.list(bindings, "a list of (name term)")? {
            let [name, value] = tree.exactly(pair, "(name term)")?;
            let label = binder_name(tree, name)?;
            if !seen.insert(label) {
                return Err(ReadError::new(tree.at(name), format!("{label}: bound twice in one list")));
            }
            names.push(label);
            values.push(value);
        }
        self.tasks.push(Task::BindLet { node, names });
        self.tasks.extend(values.into_iter().rev().map(Task::Eval));
        Ok(())
    }

    fn enter_annotation(&mut self, node: NodeId) -> Result<(), ReadError> {
        let tree = self.tree;
        let Some(term) = tree.children(node).nth(1) else {
            return Err(ReadError::expected(tree.at(node), "a term after !", "nothing"));
        };
        attributes(tree, node)?;
        if let Some((name, at)) = name_of(tree, node)? {
            self.context.new_name(self.terms, tree, at)?;
            self.tasks.push(Task::Name { node: at, name });
        }
        self.tasks.push(Task::Eval(term));
        Ok(())
    }

    fn name(&mut self, node: NodeId, name: &str) -> Result<(), ReadError> {
        let term = *self.values.last().expect("the term is evaluated before it is named");
        if !self.terms.is_closed(term) {
            let message = format!("{name}: expected a closed term to name, found a free variable in it");
            return Err(ReadError::new(self.tree.at(node), message));
        }
        self.context.new_name(self.terms, self.tree, node)?;
        self.context.name_term(name, term);
        Ok(())
    }

    fn apply(&mut self, head: Head<'a>, args: &[TermId]) -> Result<TermId, BuildError> {
        match head {
            Head::Name(name, result) => {
                let meaning = match self.context.only_meaning(self.terms, name) {
                    Some(only) => only,
                    None => {
                        let sorts: Vec<SortId> = args.iter().map(|&arg| self.terms.sort(arg)).collect();
                        self.context.resolve(self.terms, name, &sorts, result)?
                    }
                };
                self.context.applied(self.terms, name, meaning, args)
            }
            Head::Reach(field) => match *args {
                [x, y] => self.terms.reach(field, x, y),
                _ => Err(BuildError::Arity { symbol: "reach".to_owned(), expected: 2, found: args.len() }),
            },
            Head::Between(field) => match *args {
                [x, y, z] => self.terms.between(field, x, y, z),
                _ => Err(BuildError::Arity { symbol: "between".to_owned(), expected: 3, found: args.len() }),
            },
            Head::Predefined(name) => operators::apply(self.context, self.terms, name, args),
            Head::Divisible(divisor) => match *args {
                [term] => {
                    let divisor: Int =
                        divisor.parse().map_err(|_| BuildError::Unsupported("(_ divisible n)".to_owned()))?;
                    self.context.divisible(self.terms, &divisor, term)
                }
                _ => {
                    Err(BuildError::Arity { symbol: "divisible".to_owned(), expected: 1, found: args.len() })
                }
            },
            Head::Heap(name) => self.context.heap_connective(self.terms, name, args),
        }
    }
}
