//! Checks of assertions that speak about the heap.
//!
//! All assertions describe one heap, so they are translated together, at each check, and go to a solver of
//! their own. A `sat` is given only after the assertions were evaluated, as they were written, in the heap
//! behind the model; an `unsat` has the proof of the translated formulas.

use super::model::{Elements, define};
use super::{Dialogue, Last, Objection};
use crate::engine::solver::{Answer, Reason, Refutation};
use crate::frontend::smtlib::sep::Translation;
use crate::frontend::smtlib::sep::inductive::{Failure, Outcome};
use crate::logic::sep::{Heap, HeapEvaluator};
use crate::logic::{Evaluator, FuncId, Model, Op, SortId, TermId, Terms, Value, print};
use std::fmt::Write as _;

fn incomplete(what: impl Into<String>) -> Answer {
    Answer::Unknown(Reason::Incomplete { formula: Terms::TRUE, what: what.into() })
}

impl Dialogue {
    /// Everything that was said: the assertions, then the assumptions of this check.
    fn said(&self) -> Vec<TermId> {
        self.assertions().chain(self.assumed.iter().map(|(formula, _)| *formula)).collect()
    }

    /// Whether this check is about the heap.
    pub(super) fn is_about_heap(&self) -> bool {
        let (context, terms) = (&self.stack.context, self.solver.terms());
        !context.vocabulary().is_empty() && self.said().iter().any(|&f| context.needs_translation(terms, f))
    }

    /// The answer to a check about the heap, judged.
    pub(super) fn solve_heap(&mut self) -> Result<Answer, String> {
        let said = self.said();
        let (mut answer, translation) = match self.solve_translated(&said)? {
            (answer, Some(translation)) => (answer, translation),
            (answer, None) => return self.solve_inductive(&said, answer),
        };
        match &mut answer {
            Answer::Unknown(_) => {}
            Answer::Sat(model) => {
                let found = self.stack.context.heap_model(
                    self.solver.terms(),
                    &said,
                    &translation,
                    std::mem::take(&mut **model),
                );
                match found {
                    Ok(found) => {
                        **model = found.model;
                        self.heap = Some(found.heap);
                    }
                    Err(outside) => return Ok(incomplete(outside.0)),
                }
                if let Some(judge) = &self.judge {
                    let mut budget = self.reading_budget();
                    let judged = judge.model(self.solver.terms(), model, &translation.formulas, &mut budget);
                    match judged {
                        Ok(()) => {}
                        Err(Objection::Wrong(what)) => return Err(what),
                        Err(Objection::Stopped(stop)) => return Ok(Answer::Unknown(Reason::Stopped(stop))),
                    }
                }
            }
            Answer::Unsat(refutation) => {
                match self.judge_unsat(refutation) {
                    Ok(()) => {}
                    Err(Objection::Wrong(what)) => return Err(what),
                    Err(Objection::Stopped(stop)) => return Ok(Answer::Unknown(Reason::Stopped(stop))),
                }
                self.translated = self.stack.context.translated(self.solver.terms(), &translation.formulas);
                self.add_owners(refutation, &translation);
                if let Some(doubtful) = self.doubtful(&said)
                    && !matches!(self.solve_translated(&doubtful)?.0, Answer::Unsat(_))
                {
                    return Ok(incomplete(
                        "a negated assertion without a description of the heap: with emp on its right side the \
                         entailment fails, with any heap it holds; write what is meant",
                    ));
                }
            }
        }
        Ok(answer)
    }

    /// Definitions that are no chains: base pairs, induction, small heaps. `before` is the answer if this does
    /// not help either.
    fn solve_inductive(&mut self, said: &[TermId], before: Answer) -> Result<Answer, String> {
        let limits = self.limits();
        let found = self.stack.context.decide_inductive(self.solver.terms_mut(), said, &limits);
        match found {
            Ok(Outcome::Sat(found)) => {
                self.heap = Some(found.heap);
                Ok(Answer::Sat(Box::new(found.model)))
            }
            Ok(Outcome::Unsat) => {
                if self.config().proofs {
                    return Ok(incomplete("unsat by induction, of which no certificate is made"));
                }
                if self.doubtful(said).is_some() {
                    return Ok(incomplete("a negated assertion without a description of the heap"));
                }
                let names = self.stack.assertions().iter().filter_map(|a| a.name.clone()).collect();
                let assumptions = self.assumed.iter().map(|(formula, _)| *formula).collect();
                Ok(Answer::Unsat(Refutation { names, assumptions, ..Refutation::default() }))
            }
            Err(Failure::Stopped(stop)) => Ok(Answer::Unknown(Reason::Stopped(stop))),
            Err(Failure::Outside(outside)) => match before {
                Answer::Unknown(Reason::Incomplete { .. }) => Ok(incomplete(outside.0)),
                before => Ok(before),
            },
        }
    }

    /// Translates formulas and asks a new solver: the first ones are the assertions, the rest assumptions.
    fn solve_translated(&mut self, said: &[TermId]) -> Result<(Answer, Option<Translation>), String> {
        let translated = self.stack.context.translate(self.solver.terms_mut(), said);
        let translation = match translated {
            Ok(translation) => translation,
            Err(outside) => return Ok((incomplete(outside.0), None)),
        };
        self.start_again();
        let (n_assertions, names) = (self.stack.assertions().len(), self.mirror.names);
        let (asserted, assumed) = translation.formulas.split_at(n_assertions);
        for (assertion, &formula) in self.stack.assertions().iter().zip(asserted) {
            let done = match &assertion.name {
                Some(name) if names => self.solver.assert_named(formula, name),
                _ => self.solver.assert(formula),
            };
            done.map_err(|e| e.to_string())?;
        }
        self.mirror.translated = asserted.to_vec();
        self.solver.set_limits(self.limits());
        let answer = self.solver.check_assuming(assumed).map_err(|e| e.to_string())?;
        Ok((answer, Some(translation)))
    }

    /// The descriptions that say what a cell is belong to every core; needed assumptions are said as the
    /// formulas that the user gave.
    fn add_owners(&self, refutation: &mut Refutation, translation: &Translation) {
        let assertions = self.stack.assertions();
        let is_owner = |i: usize| translation.owners.contains(&i);
        let names = assertions.iter().enumerate().filter_map(|(i, a)| Some((i, a.name.as_ref()?)));
        let needed: Vec<String> = names
            .filter(|(i, name)| is_owner(*i) || refutation.names.contains(name))
            .map(|(_, name)| name.clone())
            .collect();
        if self.mirror.names {
            refutation.names = needed;
        }
        let translated = &translation.formulas[assertions.len()..];
        let assumed = self.assumed.iter().zip(translated).enumerate();
        refutation.assumptions = assumed
            .filter(|(i, (_, t))| is_owner(assertions.len() + i) || refutation.assumptions.contains(t))
            .map(|(_, ((formula, _), _))| *formula)
            .collect();
    }

    /// The assertions with `(not P)`, where P says nothing about the heap, read as if P spoke of the empty
    /// heap; nothing if there is no such assertion.
    fn doubtful(&mut self, said: &[TermId]) -> Option<Vec<TermId>> {
        let negations: Vec<bool> = self.stack.assertions().iter().map(|a| a.negation).collect();
        let context = &mut self.stack.context;
        let terms = self.solver.terms_mut();
        let mut weaker = said.to_vec();
        for (formula, negation) in weaker.iter_mut().zip(negations) {
            if negation && !context.vocabulary().is_spatial(terms, *formula) {
                *formula = context.or_not_empty(terms, *formula);
            }
        }
        (weaker != said).then_some(weaker)
    }

    /// The answer to `get-model`: values for the constants, nil, and the heap, as commands.
    pub(super) fn heap_text(&self, model: &Model, heap: &Heap) -> String {
        let (terms, context) = (self.solver.terms(), &self.stack.context);
        let vocabulary = context.vocabulary();
        let elements = Elements::new(terms, context, model);
        let is_ours = |&id: &FuncId| {
            let func = terms.func(id);
            let records = func.args.iter().chain([&func.result]).any(|&s| vocabulary.is_record(s));
            context.shows(terms, id) && !records && vocabulary.symbol(id).is_none()
        };
        let seen: Vec<FuncId> = terms.funcs().map(|(id, _)| id).filter(is_ours).collect();
        let mut sorts: Vec<SortId> = vocabulary.nils().map(|(sort, _)| sort).collect();
        for &id in &seen {
            let func = terms.func(id);
            sorts.extend(func.args.iter().chain([&func.result]).filter(|s| s.is_uninterpreted()));
        }
        for cell in vocabulary.cells() {
            sorts.extend(cell.fields.iter().map(|f| f.sort).filter(|s| s.is_uninterpreted()));
        }
        sorts.sort_unstable();
        sorts.dedup();
        sorts.retain(|&sort| context.sees_sort(sort));
        let mut out = "(\n".to_owned();
        for sort in sorts {
            let name = print::sort(terms, sort);
            let all: Vec<String> =
                (0..model.size(sort)).map(|e| elements.value(sort, &Value::Elem(e))).collect();
            for element in &all {
                let _ = writeln!(out, "(declare-fun {element} () {name})");
            }
            if all.len() > 1 {
                let _ = writeln!(out, "(assert (distinct {}))", all.join(" "));
            }
        }
        for id in seen {
            define(terms, &elements, model, id, &mut out);
        }
        for (sort, nil) in vocabulary.nils().filter(|(sort, _)| context.sees_sort(*sort)) {
            let Op::App(func) = terms.op(nil) else { continue };
            let value = elements.value(sort, &model.get(terms, func, &[]));
            let _ = writeln!(out, "(assert (= (as nil {}) {value}))", print::sort(terms, sort));
        }
        let mut cells = Vec::new();
        for (sort, at, fields) in heap.cells() {
            let Some(cell) = vocabulary.cell_of(sort) else { continue };
            let values: Vec<String> =
                cell.fields.iter().zip(fields).map(|(f, v)| elements.value(f.sort, v)).collect();
            let content = match cell.constructor {
                None => values.join(" "),
                Some(func) if values.is_empty() => print::symbol(&terms.func(func).name),
                Some(func) => format!("({} {})", print::symbol(&terms.func(func).name), values.join(" ")),
            };
            cells.push(format!("(pto {} {content})", elements.value(sort, at)));
        }
        let _ = match &cells[..] {
            [] => writeln!(out, "(assert emp)"),
            [only] => writeln!(out, "(assert {only})"),
            _ => writeln!(out, "(assert (sep\n  {}))", cells.join("\n  ")),
        };
        out.push(')');
        out
    }

    /// The value of a term in the last model; formulas about the heap are evaluated in the heap.
    pub(super) fn value_of(
        &self,
        evaluator: &mut Evaluator<'_>,
        model: &Model,
        term: TermId,
    ) -> Result<Value, String> {
        let (terms, vocabulary) = (self.solver.terms(), self.stack.context.vocabulary());
        if vocabulary.stray_record(terms, term).is_some() {
            return Err("a term of a datatype has no value here".to_owned());
        }
        if !vocabulary.is_spatial(terms, term) {
            return evaluator.eval(term).map_err(|e| e.to_string());
        }
        let Some(heap) = &self.heap else {
            return Err("the assertions do not speak about the heap, so there is none".to_owned());
        };
        let holds = HeapEvaluator::new(terms, vocabulary, model, heap).holds(term);
        holds.map(Value::Bool).map_err(|e| e.to_string())
    }

    /// The answer to `get-model` after a check about the heap, if that was the last one.
    pub(super) fn heap_model_text(&self) -> Option<String> {
        match (&self.last, &self.heap) {
            (Last::Sat(model), Some(heap)) => Some(self.heap_text(model, heap)),
            _ => None,
        }
    }
}
