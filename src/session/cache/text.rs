//! Answers as text, and back.
//!
//! ```text
//! verdict verified|violated
//! engine WORD
//! vacuous true|false
//! count NAME NUMBER                     per counter that the engine has
//! added PREDICATE                       per predicate that refinement added
//! evidence run | paths N | parts N | invariants | text LANGUAGE N, then N lines
//! loop K N                              then N formulas, in the text form of programs
//! end
//! ```
//! After it, for `violated` and where certificates are wanted, comes a file of one certificate. Times of phases are not kept,
//! nor what shows each part of a program that was decided in parts.

use super::About;
use crate::certify::{
    Evidence, ProgramCertificate, check_certificate, made_again, print_certificates, read_certificates,
};
use crate::program::text::{parse_formula, print_formula};
use crate::program::{Formula, LoopId, Program};
use crate::session::Answered;
use crate::session::certificate::{claim, run};
use crate::verdict::{Author, Certificate, Counters, Language, Outcome, Verdict};
use std::fmt::Write;
use std::str::Lines;
use std::time::Duration;

type Loops = Vec<(LoopId, Vec<Formula>)>;

/// Whether an answer came back as it was, as far as its text does not show it.
pub(super) fn is_same(answer: &Answered, again: &Answered) -> bool {
    let mut outcome = answer.outcome.clone();
    if let Verdict::Verified(Certificate::Parts(parts)) = &mut outcome.verdict {
        parts.iter_mut().for_each(|part| *part = Certificate::Invariants(Vec::new()));
    }
    (&outcome, answer.about_inlined, answer.vacuous) == (&again.outcome, again.about_inlined, again.vacuous)
}

impl<'a> About<'a> {
    fn program(&self, inlined: bool) -> Option<&'a Program> {
        if inlined { self.function.inlined.as_ref() } else { self.function.program.as_ref().ok() }
    }
}

/// An answer as text; `None` if it is not one that is kept.
pub(super) fn print(about: &About<'_>, answer: &Answered) -> Option<String> {
    if answer.is_fault || answer.view.is_some() {
        return None;
    }
    let program = about.program(answer.about_inlined);
    let mut out = format!("verdict {}\n", answer.outcome.verdict.word());
    let _ = writeln!(out, "engine {}", answer.outcome.engine.word());
    let _ = writeln!(out, "vacuous {}", answer.vacuous);
    let mut counters = answer.outcome.counters.clone();
    for (name, value) in counts(&mut counters) {
        if let Some(value) = value {
            let _ = writeln!(out, "count {name} {value}");
        }
    }
    for predicate in &answer.outcome.counters.added {
        let _ = writeln!(out, "added {predicate}");
    }
    let certificate = match &answer.outcome.verdict {
        Verdict::Verified(certificate) => {
            print_evidence(program, certificate, &mut out)?;
            match (&answer.certificate, about.settings.certificates) {
                (Some(Ok(certificate)), true) => Some(certificate.clone()),
                (None, false) => None,
                _ => return None,
            }
        }
        Verdict::Violated(trace) => Some(ProgramCertificate {
            claim: about.claim(answer.about_inlined),
            engine: answer.outcome.engine.word().to_owned(),
            evidence: run(trace),
        }),
        Verdict::TooWeak(_) | Verdict::Unknown(_) => return None,
    };
    out.push_str("end\n");
    if let Some(certificate) = certificate {
        out.push_str(&print_certificates(&[(program?, &certificate)]));
    }
    Some(out)
}

impl About<'_> {
    fn claim(&self, inlined: bool) -> crate::certify::Claim {
        let About { settings, file, function, job } = self;
        claim(settings, file.reading.lp64, &function.name, &job.question, job.behavior.as_deref(), inlined)
    }
}

fn print_evidence(program: Option<&Program>, certificate: &Certificate, out: &mut String) -> Option<()> {
    let print_loops = |loops: &Loops, out: &mut String| {
        for (id, formulas) in loops {
            let _ = writeln!(out, "loop {} {}", id.0, formulas.len());
            for formula in formulas {
                let _ = writeln!(out, "{}", print_formula(program?, formula));
            }
        }
        Some(())
    };
    match certificate {
        Certificate::Run => out.push_str("evidence run\n"),
        Certificate::Paths(n) => out.push_str(&format!("evidence paths {n}\n")),
        Certificate::Parts(parts) => out.push_str(&format!("evidence parts {}\n", parts.len())),
        Certificate::Invariants(loops) => {
            out.push_str("evidence invariants\n");
            print_loops(loops, out)?;
        }
        Certificate::Text { language, lines, clauses } => {
            let _ = writeln!(out, "evidence text {} {}", language.word(), lines.len());
            lines.iter().for_each(|line| out.push_str(&format!("{line}\n")));
            print_loops(clauses, out)?;
        }
    }
    Some(())
}

/// The answer that a text stands for; `None` if it stands for none.
pub(super) fn read(about: &About<'_>, about_inlined: bool, text: &str) -> Option<Answered> {
    let program = about.program(about_inlined);
    let (head, certificate) = text.split_once("\nend\n")?;
    let mut lines = head.lines();
    let word = lines.next()?.strip_prefix("verdict ")?;
    let engine = author(lines.next()?.strip_prefix("engine ")?)?;
    let vacuous = lines.next()?.strip_prefix("vacuous ")?.parse().ok()?;
    let mut counters = Counters::default();
    let mut evidence = None;
    for line in lines.by_ref() {
        if let Some(count) = line.strip_prefix("count ") {
            let (name, number) = count.split_once(' ')?;
            let number: u64 = number.parse().ok()?;
            let mut counts = counts(&mut counters);
            let (_, slot) = counts.iter_mut().find(|(n, _)| *n == name)?;
            **slot = Some(number);
        } else if let Some(predicate) = line.strip_prefix("added ") {
            counters.added.push(predicate.to_owned());
        } else {
            evidence = Some(line.strip_prefix("evidence ")?);
            break;
        }
    }
    let (verdict, certificate) = match (word, evidence) {
        ("verified", Some(evidence)) => {
            let found = read_evidence(program, evidence, &mut lines)?;
            let certificate = match about.settings.certificates {
                true => Some(Ok(checked(about, about_inlined, certificate)?)),
                false => certificate.is_empty().then_some(None)?,
            };
            (Verdict::Verified(found), certificate)
        }
        ("violated", None) => {
            let program = program?;
            let Evidence::Run(failing) = certified(about, about_inlined, certificate)?.evidence else {
                return None;
            };
            let trace = made_again(program, &about.job.question, &failing).ok()?;
            let certificate = about.settings.certificates.then(|| {
                let (claim, engine) = (about.claim(about_inlined), engine.word().to_owned());
                Ok(ProgramCertificate { claim, engine, evidence: run(&trace) })
            });
            (Verdict::Violated(Box::new(trace)), certificate)
        }
        _ => return None,
    };
    let outcome = Outcome { engine, verdict, counters };
    let time = Duration::ZERO;
    Some(Answered {
        outcome,
        about_inlined,
        view: None,
        time,
        is_fault: false,
        certificate,
        vacuous,
        known: true,
    })
}

/// The certificate that a text holds, about this question.
fn certified(about: &About<'_>, inlined: bool, text: &str) -> Option<ProgramCertificate> {
    let program = about.program(inlined)?;
    let mut found = read_certificates(text, &mut |_| Ok(program.clone())).ok()?;
    let (_, certificate) = found.pop().filter(|_| found.is_empty())?;
    (certificate.claim == about.claim(inlined)).then_some(certificate)
}

/// The same, checked.
fn checked(about: &About<'_>, inlined: bool, text: &str) -> Option<ProgramCertificate> {
    let certificate = certified(about, inlined, text)?;
    check_certificate(about.program(inlined)?, &certificate).ok()?;
    Some(certificate)
}

fn read_evidence(program: Option<&Program>, text: &str, lines: &mut Lines<'_>) -> Option<Certificate> {
    let words: Vec<&str> = text.split(' ').collect();
    let found = match words[..] {
        ["run"] => Certificate::Run,
        ["paths", n] => Certificate::Paths(n.parse().ok()?),
        ["parts", n] => {
            let n: usize = n.parse().ok()?;
            // A program has no more parts than its text has lines.
            let part = || Certificate::Invariants(Vec::new());
            Certificate::Parts((n < 1 << 16).then(|| std::iter::repeat_with(part).take(n).collect())?)
        }
        ["invariants"] => Certificate::Invariants(read_loops(program?, lines)?),
        ["text", language, n] => {
            let language = Language::named(language)?;
            let n: usize = n.parse().ok()?;
            let own: Vec<String> = lines.by_ref().take(n).map(str::to_owned).collect();
            let clauses = read_loops(program?, lines)?;
            (own.len() == n).then_some(Certificate::Text { language, lines: own, clauses })?
        }
        _ => return None,
    };
    lines.next().is_none().then_some(found)
}

fn read_loops(program: &Program, lines: &mut Lines<'_>) -> Option<Loops> {
    let mut out = Vec::new();
    while let Some(line) = lines.next() {
        let (id, n) = line.strip_prefix("loop ")?.split_once(' ')?;
        let (id, n): (u32, usize) = (id.parse().ok()?, n.parse().ok()?);
        let formulas: Option<Vec<Formula>> =
            lines.by_ref().take(n).map(|line| parse_formula(program, line).ok()).collect();
        let formulas = formulas.filter(|f| f.len() == n && (id as usize) < program.loops.len())?;
        out.push((LoopId(id), formulas));
    }
    Some(out)
}

fn author(word: &str) -> Option<Author> {
    let all = [
        Author::Portfolio,
        Author::Interpreter,
        Author::Paths,
        Author::Vc,
        Author::Pdr,
        Author::Heaps,
        Author::Monotone,
        Author::Lazy,
        Author::Trees,
    ];
    all.into_iter().find(|author| author.word() == word)
}

/// The counters by name.
fn counts(counters: &mut Counters) -> Vec<(&'static str, &mut Option<u64>)> {
    let Counters {
        queries,
        frames,
        clauses,
        predicates,
        instances,
        conflicts,
        signatures,
        refinements,
        cache_hits,
        obligations,
        added: _,
        phases: _,
    } = counters;
    vec![
        ("queries", queries),
        ("frames", frames),
        ("clauses", clauses),
        ("predicates", predicates),
        ("instances", instances),
        ("conflicts", conflicts),
        ("signatures", signatures),
        ("refinements", refinements),
        ("cache_hits", cache_hits),
        ("obligations", obligations),
    ]
}
