//! `--certificate OUT`: evidence for the verdicts, made while time is left and checked before it is written.
//!
//! Invariants, whoever found them, become proofs of the obligations of the annotated program; clauses that no proof needs
//! are left out. Engine `lazy` tells what it knows in a language of its own and suggests clauses: those that are
//! inductive together are its invariants, if they prove the program. Otherwise, and for engine `monotone`, the engines that
//! find invariants are asked once more. If none does, the evidence is the annotation. What does not check is not
//! written: the note says why.

use super::{Answered, Settings};
use crate::analysis::{self, Progress, Setup, vc};
use crate::certify::{
    Claim, Evidence, FailingRun, ProgramCertificate, all_runs, annotated, check_certificate,
};
use crate::frontend::c::Malloc;
use crate::program::{Formula, LoopId, Program, Question};
use crate::util::clock::Instant;
use crate::util::limits::Limits;
use crate::util::options;
use crate::verdict::{Author, Certificate, Trace, Verdict};
use std::time::Duration;

/// Commands of all runs that are made for a certificate, at most.
const MOST_COMMANDS: u64 = 200_000_000;

/// What a certificate is made of.
pub(super) struct Making<'a> {
    pub settings: &'a Settings,
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
                claim: claim(
                    self.settings,
                    self.lp64,
                    &self.program.name,
                    self.question,
                    self.behavior,
                    inlined.is_some(),
                ),
                engine: engine.word().to_owned(),
                evidence,
            };
            (self.progress)("checking the certificate");
            check_certificate(program, &certificate).map_err(|why| format!("it does not check: {why}"))?;
            Ok(certificate)
        }))
    }

    fn verified(
        &self,
        program: &Program,
        found: &Certificate,
        engine: Author,
    ) -> Result<(Evidence, Author), String> {
        match found {
            Certificate::Invariants(invariants) => Ok((self.proofs(program, invariants)?, engine)),
            Certificate::Run | Certificate::Paths(_) => match all_runs(program, self.question, MOST_COMMANDS)
            {
                Ok(runs) => Ok((Evidence::AllRuns(runs), engine)),
                Err(why) => self.proved(program, &[], engine).ok_or_else(|| {
                    format!("not all runs can be made again ({why}), and no engine finds invariants")
                }),
            },
            Certificate::Parts(_) => self.proved(program, &[], engine).ok_or_else(|| {
                "each region of the heap was decided by itself, and no engine finds invariants of the whole"
                    .to_owned()
            }),
            Certificate::Text { language, lines, clauses } => {
                // A proof is worth more than instances.
                let own = || Evidence::Annotation { language: *language, lines: lines.clone() };
                Ok(self.proved(program, clauses, engine).unwrap_or_else(|| (own(), engine)))
            }
        }
    }

    /// A proof by invariants: from clauses that were suggested, or by an engine that finds some.
    fn proved(
        &self,
        program: &Program,
        clauses: &[(LoopId, Vec<Formula>)],
        engine: Author,
    ) -> Option<(Evidence, Author)> {
        let own = self.by_clauses(program, clauses).map(|evidence| (evidence, engine));
        own.or_else(|| self.by_others(program))
    }

    /// The part of the clauses that is inductive, with proofs, if that part is enough.
    fn by_clauses(&self, program: &Program, clauses: &[(LoopId, Vec<Formula>)]) -> Option<Evidence> {
        (self.progress)("looking for invariants");
        let setup = self.at_most(options::CERTIFICATE_OTHERS_MS.milliseconds() * 4);
        let filter = |clauses: &[(LoopId, Vec<Formula>)]| {
            let found = vc::filter::inductive(program, self.question, clauses, &setup, self.progress);
            self.proofs(program, &found.ok()?).ok()
        };
        let suggested = if clauses.is_empty() { None } else { filter(clauses) };
        suggested.or_else(|| {
            // What programs mostly keep may be what is missing.
            let mut more = vc::local::proposals(program, self.question, &setup);
            for (at, of) in &mut more {
                let own = clauses.iter().filter(|(l, _)| l == at).flat_map(|(_, c)| c);
                own.for_each(|c| of.push(c.clone()));
            }
            filter(&more)
        })
    }

    /// The same limits, and no more time than this.
    fn at_most(&self, most: Duration) -> Setup {
        let limits = self.left();
        let time = Some(limits.time.map_or(most, |t| t.min(most)));
        Setup { limits: Limits { time, ..limits }, ..self.setup.clone() }
    }

    /// Invariants from an engine that finds some, with their proofs.
    fn by_others(&self, program: &Program) -> Option<(Evidence, Author)> {
        // Those that infer come first.
        for author in [Author::Pdr, Author::Heaps, Author::Vc] {
            let engine = analysis::ENGINES.into_iter().find(|e| e.author() == author)?;
            if !engine.suits(program) {
                continue;
            }
            let setup = self.at_most(options::CERTIFICATE_OTHERS_MS.milliseconds());
            let outcome = engine.run(program, self.question, &setup, self.progress);
            if let Verdict::Verified(Certificate::Invariants(invariants)) = &outcome.verdict
                && let Ok(evidence) = self.proofs(program, invariants)
            {
                return Some((evidence, author));
            }
        }
        None
    }

    fn proofs(&self, program: &Program, invariants: &[(LoopId, Vec<Formula>)]) -> Result<Evidence, String> {
        (self.progress)("leaving out what no proof needs");
        let shorter = self.at_most(options::CERTIFICATE_OTHERS_MS.milliseconds());
        let invariants = &vc::filter::minimal(program, self.question, invariants, &shorter, self.progress);
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

/// What a certificate is about.
pub(super) fn claim(
    settings: &Settings,
    lp64: bool,
    function: &str,
    question: &Question,
    behavior: Option<&str>,
    inlined: bool,
) -> Claim {
    Claim {
        function: function.to_owned(),
        behavior: behavior.map(str::to_owned),
        checks: question.checks.clone(),
        lp64,
        malloc_may_fail: settings.reading.malloc == Malloc::MayFail,
        property: settings.reading.property,
        inlined,
    }
}

/// A failing run as evidence.
pub(super) fn run(trace: &Trace) -> Evidence {
    Evidence::Run(Box::new(FailingRun {
        initial: trace.initial.clone(),
        choices: trace.choices.clone(),
        fills: trace.fills,
        omitted: trace.omitted,
        path: trace.steps.iter().map(|s| s.edge).collect(),
        failure: trace.failure.clone(),
    }))
}
