//! `--certificate OUT`: evidence for the verdicts, made while time is left and checked before it is written.
//!
//! Invariants, whoever found them, become proofs of the obligations of the annotated program. Engine `lazy` tells
//! what it knows in a language of its own; what it has verified is given to `pdr` and `vc` once more, and if one
//! of them finds invariants, the certificate is theirs, otherwise it is the annotation. What does not check is not written: the note says why.

use super::{Answered, Options};
use crate::analysis::{Progress, Setup, pdr, vc};
use crate::certify::{
    Claim, Evidence, FailingRun, ProgramCertificate, annotated, check_certificate, whole_run,
};
use crate::frontend::c::Malloc;
use crate::program::{Formula, LoopId, Program, Question};
use crate::util::limits::Limits;
use crate::verdict::{Certificate, Trace, Verdict};
use std::time::{Duration, Instant};

/// Most time for an engine that has to find again what another one verified.
const OTHERS: Duration = Duration::from_secs(2);

/// What a certificate is made of.
pub(super) struct Making<'a> {
    pub options: &'a Options,
    pub lp64: bool,
    /// The program of the engines, and the one with calls of functions with contracts inlined.
    pub program: &'a Program,
    pub inlined: Option<&'a Program>,
    pub question: &'a Question,
    pub behavior: Option<&'a str>,
    pub setup: &'a Setup,
    /// When the work on the function began: its time limit holds for all of it.
    pub start: Instant,
    pub progress: Progress<'a>,
}

impl Making<'_> {
    /// The certificate of an answer; `None` if there is nothing to show.
    pub(super) fn certificate(&self, answer: &Answered) -> Option<Result<ProgramCertificate, String>> {
        let inlined = self.inlined.filter(|_| answer.about_inlined);
        let program = inlined.unwrap_or(self.program);
        let made = match &answer.outcome.verdict {
            Verdict::Verified(found) => self.verified(program, found, answer.outcome.engine),
            Verdict::Violated(trace) => Ok((run(trace), answer.outcome.engine)),
            Verdict::TooWeak(_) | Verdict::Unknown(_) => return None,
        };
        Some(made.and_then(|(evidence, engine)| {
            let certificate = ProgramCertificate {
                claim: self.claim(inlined.is_some()),
                engine: engine.to_owned(),
                evidence,
            };
            (self.progress)("checking the certificate");
            check_certificate(program, &certificate).map_err(|why| format!("it does not check: {why}"))?;
            Ok(certificate)
        }))
    }

    fn claim(&self, inlined: bool) -> Claim {
        let reading = &self.options.reading;
        Claim {
            function: self.program.name.clone(),
            behavior: self.behavior.map(str::to_owned),
            checks: self.question.checks.clone(),
            lp64: self.lp64,
            malloc_may_fail: reading.malloc == Malloc::MayFail,
            property: reading.property,
            inlined,
        }
    }

    fn verified(
        &self,
        program: &Program,
        found: &Certificate,
        engine: &'static str,
    ) -> Result<(Evidence, &'static str), String> {
        match found {
            Certificate::Invariants(invariants) => Ok((self.proofs(program, invariants)?, engine)),
            Certificate::Run => {
                let steps = whole_run(program, self.question, u64::MAX)?;
                Ok((Evidence::WholeRun(steps), engine))
            }
            Certificate::Paths(_) => self.by_others(program, engine),
            Certificate::Text { engine: "monotone", lines } => {
                let evidence = Evidence::Annotation { engine: engine.to_owned(), lines: lines.clone() };
                Ok((evidence, engine))
            }
            Certificate::Text { engine: "lazy", lines } => {
                Ok(self.by_others(program, engine).unwrap_or_else(|_| {
                    let evidence = Evidence::Annotation { engine: "lazy".to_owned(), lines: lines.clone() };
                    (evidence, engine)
                }))
            }
            Certificate::Text { engine, .. } => self.by_others(program, engine),
        }
    }

    /// Invariants from another engine, for one that has its own language.
    fn by_others(&self, program: &Program, engine: &str) -> Result<(Evidence, &'static str), String> {
        let mut why = String::new();
        let annotated = program.loops.iter().all(|l| !l.invariants.is_empty());
        for (name, run) in [("pdr", pdr::run as super::work::Run), ("vc", vc::run)] {
            if name == "vc" && !annotated {
                continue;
            }
            let limits = self.left();
            let time = limits.time.map_or(OTHERS, |t| t.min(OTHERS));
            let setup = Setup { limits: Limits { time: Some(time), ..limits }, ..self.setup.clone() };
            let outcome = run(program, self.question, &setup, self.progress);
            if let Verdict::Verified(Certificate::Invariants(invariants)) = &outcome.verdict {
                match self.proofs(program, invariants) {
                    Ok(evidence) => return Ok((evidence, name)),
                    Err(reason) => why = format!(": {name}: {reason}"),
                }
            }
        }
        Err(format!(
            "the annotation of engine {engine} is not expressed in the annotation language, and no other engine \
             finds invariants that can be proved again{why}"
        ))
    }

    fn proofs(&self, program: &Program, invariants: &[(LoopId, Vec<Formula>)]) -> Result<Evidence, String> {
        let annotated = annotated(program, invariants)?;
        let setup = Setup { limits: self.left(), ..self.setup.clone() };
        let proofs = vc::prove::proofs(&annotated, self.question, &setup, self.progress);
        let proofs = proofs.map_err(|reason| format!("no proof: {}", reason.message))?;
        Ok(Evidence::Proofs { invariants: invariants.to_vec(), proofs })
    }

    fn left(&self) -> Limits {
        let limits = self.setup.limits.clone();
        let time = limits.time.map(|t| t.saturating_sub(self.start.elapsed()).max(Duration::from_millis(1)));
        Limits { time, ..limits }
    }
}

fn run(trace: &Trace) -> Evidence {
    Evidence::Run(Box::new(FailingRun {
        initial: trace.initial.clone(),
        choices: trace.choices.clone(),
        fills: trace.fills,
        omitted: trace.omitted,
        path: trace.steps.iter().map(|s| s.edge).collect(),
        failure: trace.failure.clone(),
    }))
}
