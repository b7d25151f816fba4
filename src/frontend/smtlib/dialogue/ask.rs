//! The `get-` commands: what can be asked after a check.

use super::model::Elements;
use super::{Answered, Dialogue, Last, Response, not_now};
use crate::frontend::smtlib::error::ReadError;
use crate::frontend::smtlib::sexpr::Tree;
use crate::logic::{Evaluator, Model, SortId, Value, print};
use crate::proof::text::{Names, print as print_proof};
use crate::util::limits::Budget;

impl Dialogue {
    fn last_model(&self, tree: &Tree<'_>) -> Result<&Model, ReadError> {
        if !self.options.produce_models {
            return Err(not_now(tree, ":produce-models is false"));
        }
        match &self.last {
            Last::Sat(model) => Ok(model),
            _ => Err(not_now(
                tree,
                "there is no model: the last check was not sat, or something was asserted since",
            )),
        }
    }

    pub(super) fn get_model(&mut self, tree: &Tree<'_>) -> Answered {
        self.last_model(tree)?;
        Ok(Response::text(self.model_text().expect("there is a model")))
    }

    /// `(get-value (term ...))`. Elements of universes may be named as in the model.
    pub(super) fn get_value(&mut self, tree: &Tree<'_>) -> Answered {
        let [_, list] = tree.exactly(Tree::ROOT, "(get-value (term ...))")?;
        let nodes = tree.list(list, "a list of terms")?;
        let model = self.last_model(tree)?;
        let elements = Elements::new(self.solver.terms(), &self.stack.context, model);
        let mut model = model.clone();
        let mark = self.stack.context.mark();
        elements.bind(self.solver.terms_mut(), &mut self.stack.context, &mut model);
        let mut terms = Vec::with_capacity(nodes.len());
        let mut failed = None;
        for &node in &nodes {
            match self.stack.context.term(self.solver.terms_mut(), tree, node) {
                Ok(term) => terms.push(term),
                Err(error) => {
                    failed = Some(error);
                    break;
                }
            }
        }
        // A question names nothing, not even by `:named`.
        self.stack.context.undo_to(mark);
        if let Some(error) = failed {
            return Err(error);
        }
        let store = self.solver.terms();
        for (&node, &term) in nodes.iter().zip(&terms) {
            let done = self.stack.context.complete_quotients(store, &mut model, term);
            done.map_err(|why| ReadError::new(tree.at(node), why))?;
        }
        let mut evaluator = Evaluator::with_budget(store, &model, Budget::new(&self.limits()));
        let mut pairs = Vec::with_capacity(terms.len());
        for (&node, &term) in nodes.iter().zip(&terms) {
            let value = self.value_of(&mut evaluator, &model, term);
            let value = value.map_err(|why| ReadError::new(tree.at(node), why))?;
            let value = elements.value(store.sort(term), &value);
            pairs.push(format!("({} {value})", self.shown(tree, node, term)));
        }
        Ok(Response::text(format!("({})", pairs.join(" "))))
    }

    pub(super) fn get_assignment(&mut self, tree: &Tree<'_>) -> Answered {
        if !self.options.produce_assignments {
            return Err(not_now(tree, ":produce-assignments is false"));
        }
        let mut model = self.last_model(tree)?.clone();
        let (terms, context) = (self.solver.terms(), &self.stack.context);
        let named = context.named().iter().filter(|(_, term)| terms.sort(*term) == SortId::BOOL);
        let mut asked = Vec::new();
        for (name, term) in named {
            if context.complete_quotients(terms, &mut model, *term).is_ok() {
                asked.push((name, *term));
            }
        }
        let mut evaluator = Evaluator::with_budget(terms, &model, Budget::new(&self.limits()));
        let mut pairs = Vec::new();
        for (name, term) in asked {
            if let Ok(Value::Bool(value)) = self.value_of(&mut evaluator, &model, term) {
                pairs.push(format!("({} {value})", print::symbol(name)));
            }
        }
        Ok(Response::text(format!("({})", pairs.join(" "))))
    }

    /// The assertions as they were written, with their names.
    pub(super) fn get_assertions(&self, tree: &Tree<'_>) -> Answered {
        if !self.options.produce_assertions {
            return Err(not_now(tree, ":produce-assertions is false"));
        }
        let sources: Vec<&str> = self.stack.assertions().iter().map(|a| &*a.source).collect();
        Ok(Response::text(format!("({})", sources.join("\n "))))
    }

    pub(super) fn get_unsat_core(&mut self, tree: &Tree<'_>) -> Answered {
        if !self.options.produce_unsat_cores {
            return Err(not_now(tree, "cores need (set-option :produce-unsat-cores true) before the check"));
        }
        match &self.last {
            Last::Unsat { core, .. } => {
                let names: Vec<String> = core.iter().map(|name| print::symbol(name)).collect();
                Ok(Response::text(format!("({})", names.join(" "))))
            }
            _ => Err(not_now(
                tree,
                "there is no core: the last check was not unsat, or something was asserted since",
            )),
        }
    }

    pub(super) fn get_unsat_assumptions(&mut self, tree: &Tree<'_>) -> Answered {
        if !self.options.produce_unsat_assumptions {
            return Err(not_now(tree, ":produce-unsat-assumptions is false"));
        }
        match &self.last {
            Last::Unsat { assumptions, .. } => {
                let texts: Vec<&str> = assumptions.iter().map(|&i| self.assumed[i].1.as_str()).collect();
                Ok(Response::text(format!("({})", texts.join(" "))))
            }
            _ => Err(not_now(tree, "the last check was not unsat, or something was asserted since")),
        }
    }

    pub(super) fn get_proof(&mut self, tree: &Tree<'_>) -> Answered {
        match (&self.last, self.proof()) {
            (_, Some(_)) => Ok(Response::text(self.proof_text().expect("there is a proof"))),
            (Last::Unsat { .. }, None) => {
                Err(not_now(tree, "proofs need (set-option :produce-proofs true) before the check"))
            }
            _ => Err(not_now(
                tree,
                "there is no proof: the last check was not unsat, or something was asserted since",
            )),
        }
    }

    /// The proof of the last check as text, if there is one.
    pub fn proof_text(&self) -> Option<String> {
        let (terms, context) = (self.solver.terms(), &self.stack.context);
        let names = Names {
            ranks: context.ranks(terms),
            sees: &|func| context.sees(terms, func),
            sees_sort: &|sort| context.sees_sort(sort),
            translated: self.translated.clone(),
        };
        self.proof().map(|found| print_proof(terms, &names, found))
    }

    /// Counters as an attribute list.
    pub(super) fn statistics(&self) -> String {
        let s = self.solver.stats();
        let pairs = [
            ("queries", s.queries),
            ("sat-calls", s.sat_calls),
            ("theory-checks", s.theory_checks),
            ("decisions", s.decisions),
            ("conflicts", s.conflicts),
            ("clauses", s.clauses),
            ("instances", s.instances),
            ("splits", s.splits),
            ("facts", s.facts),
            ("pivots", s.pivots),
            ("restarts", s.restarts),
            ("terms", self.solver.terms().len() as u64),
            ("memory-bytes", self.solver.memory_bytes()),
        ];
        let pairs: Vec<String> = pairs.iter().map(|(key, n)| format!(":{key} {n}")).collect();
        format!("({})", pairs.join("\n "))
    }
}
