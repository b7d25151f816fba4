//! Runs an API trace and verifies every answer on the way.
//!
//! After each check the model is evaluated on all live assertions and assumptions, or the refutation is
//! certified and its core solved again; a fresh solver over the live assertions must agree. A check that a
//! limit stopped proves nothing, but whatever comes after it must be right.

use crate::engine::solver::{Answer, Config, Reason, Solver};
use crate::frontend::smtlib::read;
use crate::logic::{SortId, TermId, Terms, print};
use crate::testing::oracle::{Complaint, Effort, SHRINK_TIME, Verdict, certify, fresh, guarded};
use crate::testing::shrink::shrink_list;
use crate::testing::trace::{Bad, Call, Limit, Trace};
use crate::util::limits::{CancelToken, Limits};
use std::time::{Duration, Instant};

/// What a trace showed: its answers in order, and how often each verdict was given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// One line per check, models included.
    pub transcript: Vec<String>,
    /// The last verdict.
    pub last: Option<Verdict>,
}

/// Runs a trace twice: every answer is verified, and both runs show the same. A third run does without
/// proofs, as callers do by default.
pub fn replay(trace: &Trace) -> Result<Replay, Complaint> {
    let run = |proofs: bool| guarded(|| Run::new(proofs).all(trace));
    let (first, second) = (run(true)?, run(true)?);
    if first != second {
        return Err(Complaint::new("determinism", format!("{first:?}\nand then\n{second:?}")));
    }
    run(false)?;
    Ok(first)
}

/// A shorter trace with the same kind of complaint.
pub fn shrink_trace(trace: &Trace, complaint: &Complaint) -> Trace {
    let start = Instant::now();
    let mut current = trace.clone();
    loop {
        let calls = shrink_list(&current.calls, |calls| {
            let shorter = Trace { calls: calls.to_vec() };
            start.elapsed() < SHRINK_TIME && replay(&shorter).is_err_and(|c| c.stage == complaint.stage)
        });
        let done = calls.len() == current.calls.len();
        current = Trace { calls };
        if done {
            return current;
        }
    }
}

struct Live {
    formula: TermId,
    name: Option<String>,
}

struct Run {
    solver: Solver,
    proofs: bool,
    effort: Effort,
    live: Vec<Live>,
    /// Number of live assertions at each push.
    scopes: Vec<usize>,
    shown: Replay,
}

impl Run {
    fn new(proofs: bool) -> Run {
        Run {
            solver: Solver::with_config(Config { proofs, ..Config::default() }),
            proofs,
            effort: Effort { complete: false, ..Effort::default() },
            live: Vec::new(),
            scopes: Vec::new(),
            shown: Replay::default(),
        }
    }

    fn all(mut self, trace: &Trace) -> Result<Replay, Complaint> {
        for (i, call) in trace.calls.iter().enumerate() {
            let located = |c: Complaint| Complaint { detail: format!("call {i}: {}", c.detail), ..c };
            self.call(call).map_err(located)?;
            self.bookkeeping().map_err(located)?;
        }
        Ok(self.shown)
    }

    fn call(&mut self, call: &Call) -> Result<(), Complaint> {
        match call {
            Call::Declare(text) => {
                // A declaration whose sort was dropped by shrinking does nothing.
                let _ = read(text, self.solver.terms_mut());
            }
            Call::Assert(text) => {
                if let Some(formula) = self.formula(text) {
                    self.solver.assert(formula).map_err(|e| Complaint::new("assert", e))?;
                    self.live.push(Live { formula, name: None });
                }
            }
            Call::AssertNamed(name, text) => {
                if let Some(formula) = self.formula(text) {
                    self.solver.assert_named(formula, name).map_err(|e| Complaint::new("assert", e))?;
                    self.live.push(Live { formula, name: Some(name.clone()) });
                }
            }
            Call::Push => {
                self.solver.push();
                self.scopes.push(self.live.len());
            }
            Call::Pop(n) => self.pop(*n)?,
            Call::Check(limit, texts) => {
                let assumptions: Vec<TermId> = texts.iter().filter_map(|t| self.formula(t)).collect();
                self.check(*limit, &assumptions)?;
            }
            Call::Bad(bad) => self.bad(*bad)?,
        }
        Ok(())
    }

    fn formula(&mut self, text: &str) -> Option<TermId> {
        let script = read(&format!("(assert {text})"), self.solver.terms_mut()).ok()?;
        Some(script.assertions.first()?.0)
    }

    fn pop(&mut self, n: usize) -> Result<(), Complaint> {
        let possible = n <= self.scopes.len();
        if self.solver.pop(n) != possible {
            return Err(Complaint::new("pop", format!("expected {possible}, found {}", !possible)));
        }
        if possible && n > 0 {
            let keep = self.scopes[self.scopes.len() - n];
            self.scopes.truncate(self.scopes.len() - n);
            self.live.truncate(keep);
        }
        Ok(())
    }

    /// The solver's own account of scopes and assertions.
    fn bookkeeping(&self) -> Result<(), Complaint> {
        if self.solver.n_scopes() != self.scopes.len() {
            return Err(Complaint::new("scopes", format!("{} scopes are open", self.solver.n_scopes())));
        }
        if !self.solver.assertions().eq(self.live.iter().map(|l| l.formula)) {
            return Err(Complaint::new("assertions", "the solver lists other assertions"));
        }
        Ok(())
    }

    fn check(&mut self, limit: Limit, assumptions: &[TermId]) -> Result<(), Complaint> {
        self.solver.set_limits(limits(limit, &self.effort));
        let answer = match assumptions {
            [] => self.solver.check(),
            _ => self.solver.check_assuming(assumptions).map_err(|e| Complaint::new("assume", e))?,
        };
        let asserted: Vec<TermId> = self.live.iter().map(|l| l.formula).collect();
        let verdict = match &answer {
            Answer::Unsat(_) if !self.proofs => Verdict::Unsat,
            _ => certify(self.solver.terms(), &asserted, assumptions, &answer)?,
        };
        self.show(verdict, &answer);
        if let Answer::Unknown(Reason::Stopped(stop)) = &answer {
            if limit == Limit::None {
                return Err(Complaint::new("hang", stop));
            }
            return Ok(());
        }
        let all = [&asserted[..], assumptions].concat();
        let other = fresh(self.solver.terms(), &all, &self.effort)?;
        if verdict != other {
            return Err(Complaint::new("fresh", format!("{verdict}, but a fresh solver says {other}")));
        }
        if let Answer::Unsat(refutation) = &answer {
            self.check_core(&refutation.names, &refutation.assumptions)?;
        }
        Ok(())
    }

    /// The unnamed assertions together with the core are contradictory.
    fn check_core(&self, names: &[String], assumptions: &[TermId]) -> Result<(), Complaint> {
        let live_names = || self.live.iter().filter_map(|l| l.name.as_ref());
        if let Some(stranger) = names.iter().find(|n| live_names().all(|l| l != *n)) {
            return Err(Complaint::new("core", format!("{stranger} is the name of no live assertion")));
        }
        let kept = self.live.iter().filter(|l| l.name.as_ref().is_none_or(|n| names.contains(n)));
        let mut formulas: Vec<TermId> = kept.map(|l| l.formula).collect();
        formulas.extend(assumptions);
        match fresh(self.solver.terms(), &formulas, &self.effort)? {
            Verdict::Unsat => Ok(()),
            other => {
                Err(Complaint::new("core", format!("{names:?} with the core of assumptions is {other}")))
            }
        }
    }

    fn show(&mut self, verdict: Verdict, answer: &Answer) {
        let evidence = match answer {
            Answer::Sat(model) => print::model(self.solver.terms(), model),
            Answer::Unsat(refutation) => format!("{:?} {:?}", refutation.names, refutation.assumptions),
            Answer::Unknown(reason) => reason.to_string(),
        };
        self.shown.transcript.push(format!("{verdict} {evidence} {:?}", self.solver.stats()));
        self.shown.last = Some(verdict);
    }

    fn bad(&mut self, bad: Bad) -> Result<(), Complaint> {
        let stats = self.solver.stats();
        let accepted = match bad {
            Bad::NotAFormula => {
                let number = self.solver.terms_mut().int(7);
                self.solver.assert(number).is_ok() || self.solver.assert_named(number, "bad").is_ok()
            }
            Bad::Foreign => self.accepts(foreign_formula(self.solver.terms().len())),
            Bad::Open => {
                let terms = self.solver.terms_mut();
                let open = terms.variable("v", SortId::INT).and_then(|v| {
                    let zero = terms.int(0);
                    terms.le(v, zero)
                });
                self.accepts(open.map_err(|e| Complaint::new("bad", e))?)
            }
            Bad::Pop => self.solver.pop(self.scopes.len() + 1),
            Bad::Duplicate => {
                let terms = self.solver.terms_mut();
                let name = terms.funcs().find(|(_, f)| !f.internal).map(|(_, f)| f.name.clone());
                name.is_some_and(|n| terms.declare_const(&n, SortId::INT).is_ok())
            }
            Bad::IllSorted => {
                let terms = self.solver.terms_mut();
                let number = terms.int(1);
                terms.eq(number, Terms::TRUE).is_ok() || terms.not(number).is_ok()
            }
        };
        if accepted || self.solver.stats() != stats {
            return Err(Complaint::new("bad", format!("{bad:?} was accepted or did some work")));
        }
        Ok(())
    }

    fn accepts(&mut self, formula: TermId) -> bool {
        self.solver.assert(formula).is_ok()
            || self.solver.assert_named(formula, "bad").is_ok()
            || self.solver.check_assuming(&[formula]).is_ok()
    }
}

/// A formula of another store, with an id that a store of this size does not have.
fn foreign_formula(len: usize) -> TermId {
    let mut terms = Terms::new();
    let mut last = Terms::TRUE;
    while terms.len() <= len {
        last = terms.fresh_const("p", SortId::BOOL);
    }
    last
}

fn limits(limit: Limit, effort: &Effort) -> Limits {
    let mut limits = effort.limits();
    match limit {
        Limit::None => {}
        Limit::Steps(n) => limits.steps = Some(n),
        Limit::Memory(n) => limits.memory = Some(n),
        Limit::Deadline => limits.time = Some(Duration::ZERO),
        Limit::Cancelled => {
            let token = CancelToken::new();
            token.cancel();
            limits.cancel = Some(token);
        }
    }
    limits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_trace_is_fine() {
        let trace = Trace::parse("push\npop 1\ncheck unlimited").unwrap();
        assert_eq!(replay(&trace).unwrap().last, Some(Verdict::Sat));
    }

    #[test]
    fn shrinking_keeps_what_is_needed() {
        let text = "declare (declare-fun p () Bool)\nbad pop\npush\nassert p\ncheck unlimited\npop 2\npush";
        let trace = Trace::parse(text).unwrap();
        // Nothing complains, so nothing is dropped.
        let complaint = Complaint::new("never", "");
        assert_eq!(shrink_trace(&trace, &complaint), trace);
    }
}
