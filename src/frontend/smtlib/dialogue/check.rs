//! Checks: the solver is brought up to date with the stack, asked, and its answer judged.
//!
//! The [`Mirror`] remembers which levels and how many assertions the solver has. Levels have identities, so
//! the common part of stack and solver is found by comparing from the base: whatever the stack still has is
//! never asserted twice, so learned clauses survive any number of checks.

use super::{Answered, Dialogue, Last, Response, quoted};
use crate::engine::solver::{Answer, Config, Reason, Refutation, Solver};
use crate::frontend::smtlib::recognise::{Translation, is_candidate, recognise};
use crate::frontend::smtlib::sexpr::{NodeId, Tree};
use crate::logic::{BuildError, Evaluator, Model, Op, SortId, TermId, Terms, print};
use crate::proof::Proof;
use crate::proof::text::Translated;
use crate::util::limits::{Budget, Stop};

/// Why an answer is not given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Objection {
    /// It is wrong.
    Wrong(String),
    /// A limit was reached before it was known to be right.
    Stopped(Stop),
}

/// Checks answers before they are given, within a budget.
pub trait Judge: Send {
    /// Whether the formulas are true in the model.
    fn model(
        &self,
        terms: &Terms,
        model: &Model,
        formulas: &[TermId],
        budget: &mut Budget,
    ) -> Result<(), Objection>;
    /// Whether the proof refutes the assertions together with the assumptions.
    fn proof(
        &self,
        terms: &Terms,
        assertions: &[TermId],
        assumptions: &[TermId],
        proof: &Proof,
        budget: &mut Budget,
    ) -> Result<(), Objection>;
}

/// Assertions between two looks at the memory; counting it takes longer than one of them.
const MEMORY_EVERY: usize = 256;

/// What the solver has of the stack.
#[derive(Debug, Default)]
pub(super) struct Mirror {
    base: u64,
    /// Identity of each level, and how many assertions the solver had when it was opened.
    levels: Vec<(u64, usize)>,
    n_assertions: usize,
    proofs: bool,
    /// Whether names are known to the solver, for cores.
    pub(super) names: bool,
    /// Positions of assertions that may be axioms of a predicate.
    candidates: Vec<usize>,
    /// How recognised predicates are replaced.
    translation: Translation,
    /// What the solver has in the place of each assertion.
    pub(super) translated: Vec<TermId>,
}

impl Dialogue {
    pub(super) fn check_sat_assuming(&mut self, tree: &Tree<'_>) -> Answered {
        let [_, list] = tree.exactly(Tree::ROOT, "(check-sat-assuming (literal ...))")?;
        let nodes: Vec<NodeId> = tree.list(list, "a list of literals")?;
        let mark = self.stack.context.mark();
        let mut assumed = Vec::with_capacity(nodes.len());
        for node in nodes {
            match self.stack.formula(self.solver.terms_mut(), tree, node) {
                Ok(formula) => assumed.push((formula, self.shown(tree, node, formula))),
                Err(error) => {
                    self.stack.context.undo_to(mark);
                    // A check that is out of time before it begins is one that did not end.
                    return match self.stack.context.budget.stopped() {
                        Some(stop) => {
                            self.forget_answer();
                            Ok(self.note(Answer::Unknown(Reason::Stopped(stop))))
                        }
                        None => Err(error),
                    };
                }
            }
        }
        Ok(self.check(assumed))
    }

    /// What the last check said does not count any more.
    fn forget_answer(&mut self) {
        self.last = Last::Nothing;
        self.reason_unknown = None;
        self.heap = None;
        self.translated = Translated::default();
    }

    /// What the user wrote, on one line.
    pub(super) fn shown(&self, tree: &Tree<'_>, node: NodeId, term: TermId) -> String {
        let source = tree.source(node);
        // Blanks inside bars or strings belong to the name; a comment would swallow the rest of the line.
        if !source.contains(['\n', '\r', ';']) {
            source.to_owned()
        } else if source.contains(['|', '"', ';']) {
            print::term(self.solver.terms(), term)
        } else {
            source.split_whitespace().collect::<Vec<_>>().join(" ")
        }
    }

    /// `check-sat` under assumptions.
    pub(super) fn check(&mut self, assumed: Vec<(TermId, String)>) -> Response {
        self.forget_answer();
        self.assumed = assumed;
        let solved = if self.is_about_heap() { self.solve_heap() } else { self.solve() };
        match solved {
            Ok(answer) => self.note(answer),
            Err(complaint) => Response::Internal(complaint),
        }
    }

    /// The answer of the solver, judged.
    fn solve(&mut self) -> Result<Answer, String> {
        let told = |error: BuildError| error.to_string();
        if let Err(stop) = self.follow().map_err(told)? {
            return Ok(Answer::Unknown(Reason::Stopped(stop)));
        }
        let Mirror { translation, .. } = &mut self.mirror;
        let mut assumptions = Vec::with_capacity(self.assumed.len());
        for (formula, _) in &self.assumed {
            assumptions.push(translation.term(self.solver.terms_mut(), *formula).map_err(told)?);
        }
        self.solver.set_limits(self.limits());
        let mut answer = self.solver.check_assuming(&assumptions).map_err(told)?;
        if let Answer::Sat(model) = &mut answer
            && !self.complete(model)
        {
            let what = "no model of the axioms of a recognised predicate was found".to_owned();
            return Ok(Answer::Unknown(Reason::Incomplete { formula: Terms::TRUE, what }));
        }
        match self.judge(&answer) {
            Ok(()) => {}
            Err(Objection::Wrong(what)) => return Err(what),
            Err(Objection::Stopped(stop)) => return Ok(Answer::Unknown(Reason::Stopped(stop))),
        }
        if let Answer::Unsat(refutation) = &mut answer {
            // Back to what the user said: positions instead of translated formulas, axioms into the core.
            self.add_axioms(refutation);
        }
        Ok(answer)
    }

    fn note(&mut self, answer: Answer) -> Response {
        let answer = match (answer, self.stack.refused()) {
            (Answer::Sat(_), Some(error)) => {
                let what = format!("this was refused, and might exclude the model: {error}");
                Answer::Unknown(Reason::Incomplete { formula: Terms::TRUE, what })
            }
            (answer, _) => answer,
        };
        match answer {
            Answer::Sat(model) => {
                self.last = Last::Sat(model);
                Response::text("sat")
            }
            Answer::Unsat(Refutation { names, assumptions: needed, proof, .. }) => {
                let done = &mut self.mirror.translation;
                let terms = self.solver.terms_mut();
                let is_needed = |formula: &TermId| {
                    done.term(terms, *formula).is_ok_and(|translated| needed.contains(&translated))
                };
                let flags: Vec<bool> =
                    self.assumed.iter().map(|(formula, _)| formula).map(is_needed).collect();
                let assumptions = (0..flags.len()).filter(|&i| flags[i]).collect();
                self.last = Last::Unsat { core: names, assumptions, proof: proof.map(Box::new) };
                Response::text("unsat")
            }
            Answer::Unknown(reason) => {
                self.last = Last::Unknown;
                self.reason_unknown = Some(match &reason {
                    Reason::Stopped(Stop::Deadline) => "timeout".to_owned(),
                    Reason::Stopped(Stop::Memory) => "memout".to_owned(),
                    Reason::Stopped(Stop::Steps) => "resourceout".to_owned(),
                    Reason::Stopped(Stop::Cancelled) => "canceled".to_owned(),
                    other => format!("(incomplete {})", quoted(&other.to_string())),
                });
                Response::text("unknown")
            }
        }
    }

    /// Gives recognised predicates their tables and evaluates everything that the user said.
    fn complete(&self, model: &mut Model) -> bool {
        let recognised = self.mirror.translation.recognised();
        if recognised.is_empty() {
            return true;
        }
        let terms = self.solver.terms();
        if !recognised.iter().all(|r| r.complete(terms, model)) {
            return false;
        }
        let mut evaluator = Evaluator::with_budget(terms, model, Budget::new(&self.limits()));
        self.evaluable().into_iter().all(|formula| evaluator.holds(formula) == Ok(true))
    }

    /// Everything that the user said, but for axioms over the integers that the translation was proved to make
    /// valid: no finite table can show those.
    fn evaluable(&self) -> Vec<TermId> {
        let terms = self.solver.terms();
        let over_integers = |formula: TermId| match terms.op(formula) {
            Op::Forall(id) => {
                let variables = &terms.quantifier(id).variables;
                variables.iter().any(|&var| terms.variable_info(var).1 == SortId::INT)
            }
            _ => false,
        };
        let asserted = self.assertions().zip(&self.mirror.translated);
        let kept = asserted
            .filter(|&(formula, &put)| put == formula || put != Terms::TRUE || !over_integers(formula));
        let assumed = self.assumed.iter().map(|(formula, _)| *formula);
        kept.map(|(formula, _)| formula).chain(assumed).collect()
    }

    /// The axioms of recognised predicates belong to every core: the translation rests on them.
    fn add_axioms(&self, refutation: &mut Refutation) {
        if self.mirror.translation.recognised().is_empty() || !self.mirror.names {
            return;
        }
        let assertions = self.stack.assertions();
        let axioms: Vec<&str> =
            self.mirror.candidates.iter().filter_map(|&i| assertions[i].name.as_deref()).collect();
        let mut names: Vec<String> = Vec::new();
        for name in assertions.iter().filter_map(|a| a.name.as_ref()) {
            if axioms.contains(&name.as_str()) || refutation.names.contains(name) {
                names.push(name.clone());
            }
        }
        refutation.names = names;
    }

    pub(super) fn config(&self) -> Config {
        self.options.config(&self.settings, self.judge.is_some())
    }

    /// Brings the solver up to date with the stack; stops where the memory limit is reached.
    fn follow(&mut self) -> Result<Result<(), Stop>, BuildError> {
        let config = self.config();
        let (proofs, names) = (config.proofs, self.options.cores(&self.settings));
        let mirror = &self.mirror;
        if (mirror.base, mirror.proofs, mirror.names) != (self.stack.base(), proofs, names) {
            self.forget(Translation::default());
        }
        let levels: Vec<(u64, usize)> = self.stack.levels().collect();
        let common = levels.iter().zip(&self.mirror.levels).take_while(|(a, b)| a.0 == b.0).count();
        if let Some(&(_, n_before)) = self.mirror.levels.get(common) {
            self.solver.pop(self.mirror.levels.len() - common);
            self.mirror.levels.truncate(common);
            self.mirror.n_assertions = n_before;
            self.mirror.translated.truncate(n_before);
        }
        self.recognise();
        self.solver.set_limits(self.limits());
        let limit = self.settings.limits.memory;
        let mut budget = self.reading_budget();
        let mut new_levels = levels[self.mirror.levels.len()..].iter().peekable();
        for (i, assertion) in self.stack.assertions().iter().enumerate().skip(self.mirror.n_assertions) {
            while let Some(&(id, _)) = new_levels.next_if(|level| level.1 <= i) {
                self.solver.push();
                self.mirror.levels.push((id, i));
            }
            let terms = self.solver.terms_mut();
            let formula = self.mirror.translation.assertion(terms, assertion.formula)?;
            self.mirror.translated.push(formula);
            match &assertion.name {
                Some(name) if names => self.solver.assert_named(formula, name)?,
                _ => self.solver.assert(formula)?,
            }
            self.mirror.n_assertions = i + 1;
            if i.is_multiple_of(MEMORY_EVERY) {
                if limit.is_some_and(|limit| self.solver.memory_bytes() > limit) {
                    return Ok(Err(Stop::Memory));
                }
                if let Err(stop) = budget.poll() {
                    return Ok(Err(stop));
                }
            }
        }
        // Levels without assertions are opened when something is asserted in or above them.
        self.mirror.n_assertions = self.stack.assertions().len();
        Ok(Ok(()))
    }

    /// Starts a new solver that has nothing of the stack, and will have nothing of it at the next check.
    pub(super) fn start_again(&mut self) {
        self.forget(Translation::default());
        self.mirror.base = u64::MAX;
        self.solver.set_limits(self.limits());
    }

    /// Starts a new solver over the same terms.
    fn forget(&mut self, translation: Translation) {
        let config = self.config();
        let (proofs, names) = (config.proofs, self.options.cores(&self.settings));
        let terms = std::mem::take(self.solver.terms_mut());
        self.solver = Solver::with_terms(config, terms);
        self.mirror = Mirror { base: self.stack.base(), proofs, names, translation, ..Mirror::default() };
    }

    /// Looks for axiomatised predicates. If they are others than before, the solver starts again.
    fn recognise(&mut self) {
        // A proof has to be about what the user said, not about a translation.
        if self.options.produce_proofs || self.settings.proofs {
            return;
        }
        let assertions = self.stack.assertions();
        let n_known = self.mirror.n_assertions;
        let mut candidates = self.mirror.candidates.clone();
        candidates.retain(|&i| i < n_known);
        let kept = candidates.len();
        let terms = self.solver.terms();
        candidates
            .extend((n_known..assertions.len()).filter(|&i| is_candidate(terms, assertions[i].formula)));
        if kept == self.mirror.candidates.len() && kept == candidates.len() {
            return;
        }
        let formulas: Vec<TermId> = candidates.iter().map(|&i| assertions[i].formula).collect();
        let recognised = recognise(self.solver.terms_mut(), &formulas);
        if recognised != self.mirror.translation.recognised() {
            self.forget(Translation::new(recognised));
        }
        self.mirror.candidates = candidates;
    }

    /// Holds an answer against the judge, if there is one.
    fn judge(&self, answer: &Answer) -> Result<(), Objection> {
        let Some(judge) = &self.judge else { return Ok(()) };
        let terms = self.solver.terms();
        match answer {
            Answer::Unknown(_) => Ok(()),
            Answer::Sat(model) => judge.model(terms, model, &self.evaluable(), &mut self.reading_budget()),
            Answer::Unsat(refutation) => self.judge_unsat(refutation),
        }
    }

    /// Holds a refutation against the judge, if there is one.
    pub(super) fn judge_unsat(&self, refutation: &Refutation) -> Result<(), Objection> {
        let Some(judge) = &self.judge else { return Ok(()) };
        let missing = || Objection::Wrong("an unsat answer without a proof".to_owned());
        let proof = refutation.proof.as_ref().ok_or_else(missing)?;
        let (terms, assumptions) = (self.solver.terms(), &refutation.assumptions);
        judge.proof(terms, &self.mirror.translated, assumptions, proof, &mut self.reading_budget())?;
        self.check_core(refutation).map_err(Objection::Wrong)
    }

    /// Solves the core again, alone.
    fn check_core(&self, refutation: &Refutation) -> Result<(), String> {
        let mut fresh = Solver::with_terms(Config::default(), self.solver.terms().clone());
        fresh.set_limits(self.limits());
        let asserted = self.stack.assertions().iter().zip(&self.mirror.translated);
        let kept = asserted.filter(|(assertion, _)| match &assertion.name {
            Some(name) if self.mirror.names => refutation.names.contains(name),
            _ => true,
        });
        for formula in kept.map(|(_, &formula)| formula).chain(refutation.assumptions.iter().copied()) {
            fresh.assert(formula).map_err(|e| e.to_string())?;
        }
        match fresh.check() {
            Answer::Sat(_) => Err("an unsat core that is satisfiable".to_owned()),
            // A limit is no objection; the proof was checked.
            Answer::Unsat(_) | Answer::Unknown(_) => Ok(()),
        }
    }
}
