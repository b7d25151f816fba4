//! Random pointer programs with contracts, and the judge of engines that answer about them.
//!
//! A program is a few words (see [`crate::testing::words`]); its contract is a shape of the parameters and of the result.
//! `verified` is held against bounded concrete exploration and against the certificate checker, `violated`
//! against a second run of the trace's own evidence. Everything is a function of its seed.

use crate::analysis::Setup;
use crate::analysis::monotone;
use crate::certify::check_signatures;
use crate::program::explore::{self, Bound};
use crate::program::{Check, Program, Question};
use crate::testing::words::{apart, dll, ensures, list, now, null_or_valid, program, requires, tree};
use crate::util::limits::{Budget, Limits};
use crate::util::rng::Rng;
use crate::verdict::{Certificate, Verdict};

/// A program, the question asked, and its text.
pub struct Case {
    /// The program.
    pub program: Program,
    /// The question.
    pub question: Question,
    /// Contract and body in words.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Nothing,
    List,
    Dll,
    Tree,
    NullOrValid,
}

const LOCALS: [&str; 3] = ["a", "b", "c"];

/// The case of a seed.
#[must_use]
pub fn random_case(seed: u64) -> Case {
    let mut rng = Rng::new(seed);
    let fields: &[&str] = if rng.one_in(4) { &["n"] } else { &["n", "p"] };
    let shapes: &[Shape] = if fields.len() == 1 {
        &[Shape::List, Shape::List, Shape::Nothing]
    } else {
        &[Shape::Dll, Shape::Dll, Shape::Tree, Shape::List, Shape::Nothing]
    };
    let entry = *rng.pick(shapes);
    let params: &[&str] = if rng.one_in(4) { &["x", "y"] } else { &["x"] };
    let mut vars: Vec<&str> = params.to_vec();
    vars.extend(&LOCALS[..1 + rng.below(2)]);
    let mut body = String::new();
    for local in &vars[params.len()..] {
        // Now and then a local is read before it has a value.
        if !rng.one_in(12) {
            body.push_str(&format!(" {local} = null;"));
        }
    }
    let size = 2 + rng.below(6);
    block(&mut rng, &vars, fields, size, 2, &mut body);
    let value = *rng.pick(&vars);
    body.push_str(&format!(" return {value}"));
    let mut p = program(fields, params, &body);
    for param in params {
        let t = now(&p, param);
        if let Some(f) = formula(&mut p, entry, t) {
            requires(&mut p, f);
        }
    }
    let disjoint = params.len() == 2 && rng.one_in(2);
    if disjoint {
        let both = apart(now(&p, "x"), now(&p, "y"));
        requires(&mut p, both);
    }
    let exit = match rng.below(5) {
        0 => Shape::NullOrValid,
        1 => Shape::Nothing,
        _ => entry,
    };
    let result = now(&p, "result");
    if let Some(f) = formula(&mut p, exit, result) {
        ensures(&mut p, f);
    }
    let mut checks = vec![Check::Memsafety, Check::Ensures];
    match rng.below(4) {
        0 => checks.push(Check::Garbage),
        1 => checks.push(Check::Leaks),
        _ => {}
    }
    let text = format!(
        "{entry:?}{} {params:?} -> {exit:?} {checks:?}: {body}",
        if disjoint { " disjoint" } else { "" }
    );
    Case { program: p, question: Question { contract: 0, checks }, text }
}

fn formula(p: &mut Program, shape: Shape, t: crate::program::Term) -> Option<crate::program::Formula> {
    match shape {
        Shape::Nothing => None,
        Shape::List => Some(list(t)),
        Shape::Dll => Some(dll(p, t)),
        Shape::Tree => Some(tree(t)),
        Shape::NullOrValid => Some(null_or_valid(t)),
    }
}

fn block(rng: &mut Rng, vars: &[&str], fields: &[&str], size: usize, depth: usize, out: &mut String) {
    for _ in 0..size {
        let (x, y) = (*rng.pick(vars), *rng.pick(vars));
        let f = *rng.pick(fields);
        let compound = if depth == 0 { 0 } else { rng.below(6) };
        let text = match (compound, rng.below(12)) {
            (5, n) => {
                let mut inner = String::new();
                let size = 1 + rng.below(3);
                block(rng, vars, fields, size, depth - 1, &mut inner);
                match n {
                    0..=2 => format!("while {x} && ? {{ {inner} }};"),
                    3..=4 => format!("while {x} {{ {inner} }};"),
                    5..=8 => format!("if {x} {{ {inner} }};"),
                    9 => format!("if !{x} {{ {inner} }} else {{ {x} = {y} }};"),
                    10 => format!("if {x}=={y} {{ {inner} }};"),
                    _ => format!("if ? {{ {inner} }};"),
                }
            }
            (_, 0..=1) => format!("{x} = {y};"),
            (_, 2) => format!("{x} = null;"),
            (_, 3..=5) => format!("if {y} {{ {x} = {y}.{f} }};"),
            (_, 6) => format!("{x} = {y}.{f};"),
            (_, 7..=8) => format!("if {x} {{ {x}.{f} = {y} }};"),
            (_, 9) => {
                let set: String = fields.iter().map(|f| format!("{x}.{f} = null; ")).collect();
                format!("{x} = new; {set}")
            }
            (_, 10) => format!("if {x} {{ {x}.{f} = null }};"),
            _ => format!("free {x}; {x} = null;"),
        };
        out.push(' ');
        out.push_str(&text);
    }
}

/// Runs the engine `monotone` on a case; the word of its verdict, or what is wrong.
pub fn check_monotone(seed: u64) -> Result<&'static str, String> {
    let case = random_case(seed);
    let limits = Limits { steps: Some(60_000), ..Limits::default() };
    let setup = Setup { limits, ..Setup::default() };
    let outcome = monotone::run(&case.program, &case.question, &setup, &|_| {});
    let word = outcome.verdict.word();
    match &outcome.verdict {
        Verdict::Verified(certificate) => {
            let bound = Bound { cells: 3, commands: 300_000, ..Bound::default() };
            let found = explore::search(&case.program, &case.question, &bound, &mut Budget::unlimited());
            if let explore::Found::Violation(trace) = found {
                return Err(format!("verified, but {} in {}", trace.failure.message, case.text));
            }
            let Certificate::Text { lines, .. } = certificate else {
                return Err(format!("a certificate of another kind for {}", case.text));
            };
            check_signatures(&case.program, &case.question, lines, 12, seed)
                .map_err(|e| format!("certificate: {e} in {}", case.text))?;
        }
        Verdict::Violated(trace) => {
            let bound = Bound::default();
            let again = explore::replay(
                &case.program,
                &case.question,
                &trace.initial,
                None,
                &bound,
                &mut Budget::unlimited(),
            );
            if !matches!(again, explore::Found::Violation(_)) {
                return Err(format!("a trace that does not replay for {}", case.text));
            }
        }
        Verdict::TooWeak(_) | Verdict::Unknown(_) => {}
    }
    Ok(word)
}

/// The words of a case, for people.
#[must_use]
pub fn print_case(seed: u64) -> String {
    random_case(seed).text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One branch allocates for ever, the other one fails.
    #[test]
    fn a_run_without_end_hides_no_other() {
        assert_eq!(check_monotone(1_104_668_373_084_756_245), Ok("violated"));
    }

    /// A local takes the root of a list that is returned: the certificate says that the root is on the local's list.
    #[test]
    fn copies_of_a_root_are_certified() {
        assert_eq!(check_monotone(223_509_059_108_763_473), Ok("verified"));
    }

    #[test]
    fn random_programs_are_judged_right() {
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..300 {
            let word = check_monotone(seed).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            *counts.entry(word).or_insert(0) += 1;
        }
        assert!(counts["verified"] > 50 && counts["violated"] > 50, "{counts:?}");
    }
}
