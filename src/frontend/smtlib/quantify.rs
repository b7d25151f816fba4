//! Quantifiers: their variables, their patterns, and variables of sort Bool, which the logic underneath does
//! not have and which are gone through case by case.

use crate::frontend::smtlib::context::{attributes, is_annotated, shadowed_names};
use crate::frontend::smtlib::elaborate::{Machine, Task};
use crate::frontend::smtlib::error::ReadError;
use crate::frontend::smtlib::sexpr::NodeId;
use crate::logic::{BuildError, MAX_QUANTIFIER_DEPTH, Op, SortId, TermId, Terms, VarId};

/// How often the bodies of quantifiers over Bool may be read in one term.
const MAX_CASES: u32 = 1 << 12;

impl<'a> Machine<'_, 'a> {
    /// A quantifier. Its variables of sort Bool are gone through case by case.
    pub(super) fn enter_quantifier(&mut self, node: NodeId, exists: bool) -> Result<(), ReadError> {
        let tree = self.tree;
        let [_, prefix, _] = tree.exactly(node, "(quantifier ((name sort) ...) body)")?;
        let pairs = shadowed_names(self.context, self.terms, tree, prefix)?;
        if pairs.is_empty() {
            return Err(tree.expected(prefix, "at least one variable"));
        }
        let bools: Vec<&str> =
            pairs.iter().filter(|pair| pair.1 == SortId::BOOL).map(|pair| pair.0).collect();
        if bools.is_empty() {
            return self.enter_body(node, exists, &pairs);
        }
        let n_cases = u32::try_from(bools.len()).ok().and_then(|n| 1u32.checked_shl(n)).unwrap_or(u32::MAX);
        self.n_cases = self.n_cases.saturating_add(n_cases);
        if self.n_cases > MAX_CASES {
            let what = format!("quantifiers over Bool: expected at most {MAX_CASES} cases");
            return Err(ReadError::build(tree.at(prefix), &BuildError::Unsupported(what)));
        }
        self.tasks.push(Task::Cases { node, exists, n_cases: n_cases as usize });
        for values in 0..n_cases {
            self.tasks.push(Task::Unbind { names: bools.clone() });
            self.tasks.push(Task::Case { node, exists, values });
        }
        Ok(())
    }

    pub(super) fn enter_case(&mut self, node: NodeId, exists: bool, values: u32) -> Result<(), ReadError> {
        let tree = self.tree;
        let [_, prefix, body] = tree.exactly(node, "(quantifier ((name sort) ...) body)")?;
        let pairs = shadowed_names(self.context, self.terms, tree, prefix)?;
        let (bools, others): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|pair| pair.1 == SortId::BOOL);
        for (i, (name, _)) in bools.into_iter().enumerate() {
            self.bind(name, if values >> i & 1 == 1 { Terms::TRUE } else { Terms::FALSE });
        }
        if others.is_empty() {
            self.tasks.push(Task::Eval(body));
            return Ok(());
        }
        self.enter_body(node, exists, &others)
    }

    fn enter_body(
        &mut self,
        node: NodeId,
        exists: bool,
        pairs: &[(&'a str, SortId)],
    ) -> Result<(), ReadError> {
        let tree = self.tree;
        let [_, prefix, body] = tree.exactly(node, "(quantifier ((name sort) ...) body)")?;
        self.open_quantifiers += 1;
        if self.open_quantifiers > MAX_QUANTIFIER_DEPTH {
            return Err(ReadError::build(tree.at(node), &BuildError::TooDeep));
        }
        let mut names = Vec::with_capacity(pairs.len());
        let mut variables = Vec::with_capacity(pairs.len());
        for &(name, sort) in pairs {
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

    pub(super) fn close(
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
}
