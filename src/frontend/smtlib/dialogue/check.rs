//! Checks: the solver is brought up to date with the stack, asked, and its answer judged.
//!
//! The [`Mirror`] remembers which levels and how many assertions the solver has. Levels have identities, so
//! the common part of stack and solver is found by comparing from the base: whatever the stack still has is
//! never asserted twice, so learned clauses survive any number of checks.

use super::{Answered, Dialogue, Last, Response, quoted};
use crate::engine::solver::{Answer, Config, Reason, Refutation, Solver};
use crate::frontend::smtlib::error::ReadError;
use crate::frontend::smtlib::sexpr::{NodeId, Tree};
use crate::logic::{BuildError, Model, TermId, Terms, print};
use crate::proof::Proof;
use crate::util::limits::Stop;

/// Checks answers before they are given. The error says what is wrong with one.
pub trait Judge {
    /// Whether the formulas are true in the model.
    fn model(&self, terms: &Terms, model: &Model, formulas: &[TermId]) -> Result<(), String>;
    /// Whether the proof refutes the assertions together with the assumptions.
    fn proof(
        &self,
        terms: &Terms,
        assertions: &[TermId],
        assumptions: &[TermId],
        proof: &Proof,
    ) -> Result<(), String>;
}

/// What the solver has of the stack.
#[derive(Debug, Default)]
pub(super) struct Mirror {
    base: u64,
    /// Identity of each level, and how many assertions the solver had when it was opened.
    levels: Vec<(u64, usize)>,
    n_assertions: usize,
    proofs: bool,
    /// Whether names are known to the solver, for cores.
    names: bool,
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
                    return Err(error);
                }
            }
        }
        Ok(self.check(assumed))
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
        self.last = Last::Nothing;
        self.reason_unknown = None;
        self.assumed = assumed;
        let assumptions: Vec<TermId> = self.assumed.iter().map(|(formula, _)| *formula).collect();
        let answer = match self.follow().and_then(|()| self.solver.check_assuming(&assumptions)) {
            Ok(answer) => answer,
            Err(error) => return Response::Internal(error.to_string()),
        };
        if let Err(complaint) = self.judge(&answer, &assumptions) {
            return Response::Internal(complaint);
        }
        match answer {
            Answer::Sat(model) => {
                self.last = Last::Sat(model);
                Response::text("sat")
            }
            Answer::Unsat(Refutation { names, assumptions: needed, proof, .. }) => {
                let assumptions =
                    (0..assumptions.len()).filter(|&i| needed.contains(&assumptions[i])).collect();
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

    fn config(&self) -> Config {
        self.options.config(&self.settings, self.judge.is_some())
    }

    /// Brings the solver up to date with the stack.
    fn follow(&mut self) -> Result<(), BuildError> {
        let config = self.config();
        let (proofs, names) = (config.proofs, self.options.cores(&self.settings));
        let mirror = &self.mirror;
        if (mirror.base, mirror.proofs, mirror.names) != (self.stack.base(), proofs, names) {
            let terms = std::mem::take(self.solver.terms_mut());
            self.solver = Solver::with_terms(config, terms);
            self.mirror = Mirror { base: self.stack.base(), proofs, names, ..Mirror::default() };
        }
        self.solver.set_limits(self.options.limits(&self.settings));
        let levels: Vec<(u64, usize)> = self.stack.levels().collect();
        let common = levels.iter().zip(&self.mirror.levels).take_while(|(a, b)| a.0 == b.0).count();
        if let Some(&(_, n_before)) = self.mirror.levels.get(common) {
            self.solver.pop(self.mirror.levels.len() - common);
            self.mirror.levels.truncate(common);
            self.mirror.n_assertions = n_before;
        }
        let mut new_levels = levels[common..].iter().peekable();
        for (i, assertion) in self.stack.assertions().iter().enumerate().skip(self.mirror.n_assertions) {
            while let Some(&(id, _)) = new_levels.next_if(|level| level.1 <= i) {
                self.solver.push();
                self.mirror.levels.push((id, i));
            }
            match &assertion.name {
                Some(name) if names => self.solver.assert_named(assertion.formula, name)?,
                _ => self.solver.assert(assertion.formula)?,
            }
        }
        // Levels without assertions are opened when something is asserted in or above them.
        self.mirror.n_assertions = self.stack.assertions().len();
        Ok(())
    }

    /// Holds an answer against the judge, if there is one.
    fn judge(&self, answer: &Answer, assumptions: &[TermId]) -> Result<(), String> {
        let Some(judge) = &self.judge else { return Ok(()) };
        let terms = self.solver.terms();
        let asserted: Vec<TermId> = self.assertions().collect();
        match answer {
            Answer::Unknown(_) => Ok(()),
            Answer::Sat(model) => {
                let all: Vec<TermId> = asserted.iter().chain(assumptions).copied().collect();
                judge.model(terms, model, &all)
            }
            Answer::Unsat(refutation) => {
                let proof = refutation.proof.as_ref().ok_or("an unsat answer without a proof")?;
                judge.proof(terms, &asserted, &refutation.assumptions, proof)?;
                self.check_core(refutation)
            }
        }
    }

    /// Solves the core again, alone.
    fn check_core(&self, refutation: &Refutation) -> Result<(), String> {
        let mut fresh = Solver::with_terms(Config::default(), self.solver.terms().clone());
        fresh.set_limits(self.limits());
        let names = self.options.cores(&self.settings);
        let kept = self.stack.assertions().iter().filter(|a| match &a.name {
            Some(name) if names => refutation.names.contains(name),
            _ => true,
        });
        let formulas = kept.map(|a| a.formula).chain(refutation.assumptions.iter().copied());
        for formula in formulas {
            fresh.assert(formula).map_err(|e| e.to_string())?;
        }
        match fresh.check() {
            Answer::Sat(_) => Err("an unsat core that is satisfiable".to_owned()),
            // A limit is no objection; the proof was checked.
            Answer::Unsat(_) | Answer::Unknown(_) => Ok(()),
        }
    }
}

/// The error that a term in a question has no value.
pub(super) fn no_value(tree: &Tree<'_>, node: NodeId, why: impl std::fmt::Display) -> ReadError {
    ReadError::new(tree.at(node), why.to_string())
}
