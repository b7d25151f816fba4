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
    Context, PREDEFINED, attributes, binder_name, is_annotated, name_of, sorted_names,
};
use crate::frontend::smtlib::error::ReadError;
use crate::frontend::smtlib::sexpr::{Kind, NodeId, Tree};
use crate::logic::{BuildError, FuncId, MAX_QUANTIFIER_DEPTH, Op, SortId, TermId, Terms, VarId};
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
        let label = self.new_name(terms, tree, name)?;
        let result_sort = self.sort(terms, tree, sort)?;
        let params = sorted_names(self, terms, tree, params)?;
        let mut machine = Machine::new(self, terms, tree);
        let mut ids = Vec::with_capacity(params.len());
        for &(param, sort) in &params {
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
        self.define_macro(label, ids, result);
        Ok(())
    }
}

/// What stands at the head of an application.
#[derive(Clone, Copy)]
enum Head<'a> {
    Predefined(&'a str),
    Macro(&'a str),
    Func(FuncId),
    Reach(FuncId),
    Between(FuncId),
}

enum Task<'a> {
    Eval(NodeId),
    Apply { node: NodeId, head: Head<'a>, n_args: usize },
    BindLet { node: NodeId, names: Vec<&'a str> },
    Unbind { names: Vec<&'a str> },
    Close { node: NodeId, exists: bool, names: Vec<&'a str>, variables: Vec<TermId>, groups: Vec<usize> },
    Name { node: NodeId, name: &'a str },
}

struct Machine<'m, 'a> {
    context: &'m mut Context,
    terms: &'m mut Terms,
    tree: &'m Tree<'a>,
    scope: Map<&'a str, Vec<TermId>>,
    /// Variables of the quantifiers around the current place.
    bound: Set<TermId>,
    /// How many quantifiers are around it: too many are refused on entry, before the search for a variable
    /// that none of them binds gets slow.
    open_quantifiers: u32,
    tasks: Vec<Task<'a>>,
    values: Vec<TermId>,
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
            tasks: Vec::new(),
            values: Vec::new(),
        }
    }

    fn run(&mut self, root: NodeId) -> Result<TermId, ReadError> {
        self.tasks.push(Task::Eval(root));
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Eval(node) => self.eval(node)?,
                Task::Apply { node, head, n_args } => {
                    let args = self.values.split_off(self.values.len() - n_args);
                    let built = self.apply(head, &args);
                    self.values.push(built.map_err(|e| ReadError::build(self.tree.at(node), &e))?);
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
                Task::Name { node, name } => self.name(node, name)?,
            }
        }
        Ok(self.values.pop().expect("a run leaves one value"))
    }

    fn bind(&mut self, name: &'a str, meaning: TermId) {
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
                let value = self.atom(node, tree.text(node))?;
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
            Kind::Keyword | Kind::Decimal | Kind::Bits | Kind::String => Err(tree.expected(node, "a term")),
        }
    }

    fn atom(&mut self, node: NodeId, name: &str) -> Result<TermId, ReadError> {
        if let Some(term) = self.meaning(name) {
            return Ok(term);
        }
        let built = match name {
            "true" => Ok(Terms::TRUE),
            "false" => Ok(Terms::FALSE),
            _ if self.context.is_defined(name) => self.context.expand(self.terms, name, &[]),
            _ => match self.context.find_func(self.terms, name) {
                Some(func) => self.terms.app(func, &[]),
                None => return Err(self.tree.expected(node, "a declared symbol")),
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
            _ => {}
        }
        let head = self.head(head_node)?;
        let start = self.tasks.len();
        self.tasks.extend(tree.children(node).skip(1).map(Task::Eval));
        let n_args = self.tasks.len() - start;
        if n_args == 0 {
            return Err(ReadError::expected(tree.at(node), "at least one argument", "none"));
        }
        // The first argument is evaluated first, so that the first error is the one reported.
        self.tasks[start..].reverse();
        self.tasks.insert(start, Task::Apply { node, head, n_args });
        Ok(())
    }

    fn head(&self, node: NodeId) -> Result<Head<'a>, ReadError> {
        let tree = self.tree;
        if tree.kind(node) == Kind::List {
            return self.indexed(node);
        }
        let name = tree.expect_symbol(node, "a function")?;
        if self.meaning(name).is_some() {
            return Err(ReadError::expected(tree.at(node), "a function", format!("the bound name {name}")));
        }
        match name {
            "_" | "as" | "match" | "par" | "true" | "false" => Err(tree.expected(node, "a function")),
            _ if PREDEFINED.contains(&name) => Ok(Head::Predefined(name)),
            _ if self.context.is_defined(name) => Ok(Head::Macro(name)),
            _ => match self.context.find_func(self.terms, name) {
                Some(func) => Ok(Head::Func(func)),
                None => Err(tree.expected(node, "a declared function")),
            },
        }
    }

    fn indexed(&self, node: NodeId) -> Result<Head<'a>, ReadError> {
        const EXPECTED: &str = "(_ reach field) or (_ between field)";
        let tree = self.tree;
        let [underscore, predicate, field] = tree.exactly(node, EXPECTED)?;
        if tree.symbol(underscore) != Some("_") {
            return Err(tree.expected(underscore, "_"));
        }
        let name = tree.expect_symbol(field, "a link field")?;
        let func =
            self.context.find_func(self.terms, name).ok_or_else(|| tree.expected(field, "a link field"))?;
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

    fn enter_quantifier(&mut self, node: NodeId, exists: bool) -> Result<(), ReadError> {
        let tree = self.tree;
        let [_, prefix, body] = tree.exactly(node, "(quantifier ((name sort) ...) body)")?;
        let pairs = sorted_names(self.context, self.terms, tree, prefix)?;
        if pairs.is_empty() {
            return Err(tree.expected(prefix, "at least one variable"));
        }
        self.open_quantifiers += 1;
        if self.open_quantifiers > MAX_QUANTIFIER_DEPTH {
            return Err(ReadError::build(tree.at(node), &BuildError::TooDeep));
        }
        let mut names = Vec::with_capacity(pairs.len());
        let mut variables = Vec::with_capacity(pairs.len());
        for (name, sort) in pairs {
            let variable = self.variable(name, sort).map_err(|e| ReadError::build(tree.at(prefix), &e))?;
            self.bound.insert(variable);
            self.bind(name, variable);
            names.push(name);
            variables.push(variable);
        }
        let mut hints = Vec::new();
        let mut groups = Vec::new();
        let mut inner = body;
        while is_annotated(tree, inner) {
            for (key, value) in attributes(tree, inner)? {
                if key == ":pattern" {
                    let value = value.ok_or_else(|| tree.expected(inner, "a list after :pattern"))?;
                    let group = tree.list(value, "a list of terms")?;
                    groups.push(group.len());
                    hints.extend(group);
                }
            }
            let Some(next) = tree.children(inner).nth(1) else { break };
            inner = next;
        }
        self.tasks.push(Task::Close { node, exists, names, variables, groups });
        self.tasks.extend(hints.into_iter().rev().map(Task::Eval));
        self.tasks.push(Task::Eval(body));
        Ok(())
    }

    /// A variable for a binder that is not bound around it.
    fn variable(&mut self, name: &str, sort: SortId) -> Result<TermId, BuildError> {
        if self.context.printed_variables
            && let Some((stem, number)) = name.rsplit_once('!')
            && let Ok(number) = number.parse::<u32>()
            && (number as usize) < self.terms.variables.len()
            && self.terms.variable_info(VarId(number)) == (stem, sort)
        {
            let printed = self.terms.intern(Op::Var(VarId(number)), &[], sort);
            if !self.bound.contains(&printed) {
                return Ok(printed);
            }
        }
        let known = self.context.variables.entry((name.to_owned(), sort)).or_default();
        if let Some(&free) = known.iter().find(|v| !self.bound.contains(*v)) {
            return Ok(free);
        }
        let made = self.terms.variable(name, sort)?;
        known.push(made);
        Ok(made)
    }

    fn close(
        &mut self,
        node: NodeId,
        exists: bool,
        variables: &[TermId],
        groups: &[usize],
    ) -> Result<(), ReadError> {
        self.open_quantifiers -= 1;
        for variable in variables {
            self.bound.remove(variable);
        }
        let mut hints = self.values.split_off(self.values.len() - groups.iter().sum::<usize>()).into_iter();
        let patterns: Vec<Vec<TermId>> = groups.iter().map(|&n| hints.by_ref().take(n).collect()).collect();
        let body = self.values.pop().expect("the body is evaluated before the quantifier closes");
        let terms = &mut *self.terms;
        let built = if exists {
            terms
                .not(body)
                .and_then(|negated| terms.forall_with(variables, negated, &patterns))
                .and_then(|forall| terms.not(forall))
        } else {
            terms.forall_with(variables, body, &patterns)
        };
        self.values.push(built.map_err(|e| ReadError::build(self.tree.at(node), &e))?);
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
            Head::Func(func) => self.terms.app(func, args),
            Head::Macro(name) => self.context.expand(self.terms, name, args),
            Head::Reach(field) => match *args {
                [x, y] => self.terms.reach(field, x, y),
                _ => Err(BuildError::Arity { symbol: "reach".to_owned(), expected: 2, found: args.len() }),
            },
            Head::Between(field) => match *args {
                [x, y, z] => self.terms.between(field, x, y, z),
                _ => Err(BuildError::Arity { symbol: "between".to_owned(), expected: 3, found: args.len() }),
            },
            Head::Predefined(name) => predefined(self.terms, name, args),
        }
    }
}

fn predefined(terms: &mut Terms, name: &str, args: &[TermId]) -> Result<TermId, BuildError> {
    let (least, most) = match name {
        "not" => (1, 1),
        "ite" => (3, 3),
        "and" | "or" | "+" | "-" | "*" => (1, usize::MAX),
        _ => (2, usize::MAX),
    };
    if args.len() > most || (args.len() < least && least == most) {
        return Err(BuildError::Arity { symbol: name.to_owned(), expected: most, found: args.len() });
    }
    if args.len() < least {
        return Err(BuildError::Unsupported(format!(
            "{name}: expected at least {least} arguments, found {}",
            args.len()
        )));
    }
    let (first, rest) = args.split_first().expect("at least one argument, just checked");
    let fold = |terms: &mut Terms, step: fn(&mut Terms, TermId, TermId) -> Result<TermId, BuildError>| {
        rest.iter().try_fold(*first, |left, &right| step(terms, left, right))
    };
    let chain = |terms: &mut Terms, step: fn(&mut Terms, TermId, TermId) -> Result<TermId, BuildError>| {
        let links: Result<Vec<TermId>, BuildError> =
            args.windows(2).map(|pair| step(terms, pair[0], pair[1])).collect();
        terms.and(&links?)
    };
    match name {
        "not" => terms.not(args[0]),
        "and" => terms.and(args),
        "or" => terms.or(args),
        "=>" => {
            let (last, premises) = args.split_last().expect("at least two arguments, just checked");
            premises.iter().rev().try_fold(*last, |conclusion, &premise| terms.implies(premise, conclusion))
        }
        "xor" => fold(terms, Terms::xor),
        "=" => chain(terms, Terms::eq),
        "distinct" => terms.distinct(args),
        "ite" => terms.ite(args[0], args[1], args[2]),
        "+" => terms.add(args),
        "-" if rest.is_empty() => terms.neg(*first),
        "-" => fold(terms, Terms::sub),
        "*" => fold(terms, Terms::mul),
        "<=" => chain(terms, Terms::le),
        "<" => chain(terms, Terms::lt),
        ">=" => chain(terms, Terms::ge),
        ">" => chain(terms, Terms::gt),
        _ => Err(BuildError::Unsupported(format!("expected a function, found {name}"))),
    }
}
