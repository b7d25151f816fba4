//! Oracles for readers: no text makes one panic, and what is accepted can be printed and read again.
//!
//! [`mutated`] makes text that is nearly right, which gets further than noise.

use crate::frontend::smtlib::read;
use crate::logic::{SortId, Terms};
use crate::rules::parse::parse;
use crate::rules::syntax::{Span, Theory};
use crate::rules::table::SOURCES;
use crate::testing::metamorphic::same_formulas;
use crate::testing::oracle::{Complaint, Effort, Verdict, fresh};
use crate::testing::replay::replay;
use crate::testing::{Problem, Trace, as_test, formulas};
use crate::util::rng::Rng;

/// Reads a rules file. True if it was accepted, and then it prints as it reads.
pub fn rule_text(text: &str) -> Result<bool, Complaint> {
    let theory = match parse("fuzz", text) {
        Ok(theory) => theory,
        Err(diagnostics) => {
            if diagnostics.is_empty() {
                return Err(Complaint::new("rule text", "rejected without a diagnostic"));
            }
            diagnostics.iter().for_each(|d| drop(d.to_string()));
            return Ok(false);
        }
    };
    let printed = theory.to_string();
    let again = parse("printed", &printed)
        .map_err(|e| Complaint::new("rule text", format!("does not read back: {}\n{printed}", e[0])))?;
    if without_spans(&again) != without_spans(&theory) || again.to_string() != printed {
        return Err(Complaint::new("rule text", format!("reads back as another theory:\n{printed}")));
    }
    Ok(true)
}

fn without_spans(theory: &Theory) -> Theory {
    let mut theory = theory.clone();
    theory.rules.iter_mut().for_each(|rule| rule.span = Span::default());
    theory
}

/// Reads a script. Nothing if it was rejected; otherwise its formulas are closed, print and read again, and
/// a check within few steps has evidence for its answer.
pub fn smtlib_text(text: &str) -> Result<Option<Verdict>, Complaint> {
    let mut terms = Terms::new();
    let script = match read(text, &mut terms) {
        Ok(script) => script,
        Err(error) => {
            drop(error.to_string());
            return Ok(None);
        }
    };
    let formulas = script.formulas();
    if formulas.iter().any(|&f| !terms.is_closed(f) || terms.sort(f) != SortId::BOOL) {
        return Err(Complaint::new("smtlib text", "an assertion is no closed formula"));
    }
    let printed = as_test::script(&terms, &formulas, script.status);
    let mut other = Terms::new();
    let again = read(&printed, &mut other)
        .map_err(|e| Complaint::new("smtlib text", format!("does not read back: {e}\n{printed}")))?;
    same_formulas(&terms, &formulas)?;
    let effort = Effort { steps: 20_000, complete: false, ..Effort::default() };
    let first = fresh(&terms, &formulas, &effort)?;
    let second = fresh(&other, &again.formulas(), &effort)?;
    if first != second && first != Verdict::Unknown && second != Verdict::Unknown {
        return Err(Complaint::new(
            "smtlib text",
            format!("{first}, but {second} when read back:\n{printed}"),
        ));
    }
    Ok(Some(first))
}

/// A rules file with some changes.
pub fn random_rule_text(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let (_, text) = *rng.pick(SOURCES);
    // A few rules are enough, and short text takes more damage per change.
    let lines: Vec<&str> = text.lines().filter(|l| !l.starts_with('#')).collect();
    let from = rng.below(lines.len());
    let header = lines.iter().find(|l| l.starts_with("theory")).copied().unwrap_or_default();
    let few: Vec<&str> = std::iter::once(header).chain(lines[from..].iter().copied().take(6)).collect();
    mutated(&few.join("\n"), &mut rng)
}

/// A script with some changes.
pub fn random_smtlib_text(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let all = formulas::all();
    let (_, generator) = rng.pick(&all);
    let problem: Problem = generator.generate(rng.next_u64());
    mutated(&problem.text(), &mut rng)
}

/// A trace of calls with some changes.
pub fn random_trace_text(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let trace = Trace::random(rng.next_u64());
    mutated(&trace.to_string(), &mut rng)
}

/// Bytes without any sense, a few of them syntax.
pub fn random_bytes(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut bytes = Vec::new();
    for _ in 0..rng.below(200) {
        match rng.below(3) {
            0 => bytes.extend_from_slice(rng.pick(SPICE).as_bytes()),
            1 => bytes.push(b' '),
            _ => bytes.push(rng.below(256) as u8),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Every reader on one text: the bodies of the fuzz targets that take text. Whether one accepted it.
pub fn any_text(text: &str) -> Result<bool, Complaint> {
    let rules = rule_text(text)?;
    let script = smtlib_text(text)?.is_some();
    Ok(trace_text(text)?.is_some() || rules || script)
}

/// The answers along a trace that reads are right; nothing if it does not read.
pub fn trace_text(text: &str) -> Result<Option<Verdict>, Complaint> {
    match Trace::parse(text) {
        Err(_) => Ok(None),
        Ok(trace) => Ok(Some(replay(&trace)?.last.unwrap_or(Verdict::Unknown))),
    }
}

/// Bits of syntax that mean something to one of the readers.
const SPICE: &[&str] = &[
    "(",
    ")",
    "|",
    "\"",
    "!",
    ":named",
    ":pattern",
    "let",
    "forall",
    "exists",
    "distinct",
    "ite",
    "=>",
    "xor",
    "*",
    "-",
    "0",
    "1",
    "99999999999999999999",
    "true",
    "false",
    "Int",
    "Bool",
    "(_ reach n0)",
    "push",
    "pop",
    "(check-sat)",
    "x",
    "f(x)",
    "->",
    "=",
    ",",
    "rule",
    "note",
    "null",
    "term",
    "_",
    "é",
    ";",
    "#",
    "\0",
];

/// The text with up to four tokens deleted, repeated, exchanged or replaced.
pub fn mutated(text: &str, rng: &mut Rng) -> String {
    let mut tokens = tokens(text);
    for _ in 0..rng.below(5) {
        if tokens.is_empty() {
            break;
        }
        let (at, other) = (rng.below(tokens.len()), rng.below(tokens.len()));
        match rng.below(6) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(other, tokens[at].clone()),
            2 => tokens.swap(at, other),
            3 => tokens[at] = tokens[other].clone(),
            4 => tokens[at] = (*rng.pick(SPICE)).to_owned(),
            _ => tokens.insert(at, (*rng.pick(SPICE)).to_owned()),
        }
    }
    tokens.concat()
}

/// Words, single other characters, and the white space between them.
fn tokens(text: &str) -> Vec<String> {
    let class = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' || c == '-' => 1,
        c if c.is_whitespace() => 2,
        _ => 0,
    };
    let mut all: Vec<String> = Vec::new();
    let mut last = 0;
    for c in text.chars() {
        match all.last_mut() {
            Some(token) if last == class(c) && last != 0 => token.push(c),
            _ => all.push(c.to_string()),
        }
        last = class(c);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_texts_are_accepted() {
        let rules = (0..200).filter(|&s| rule_text(&random_rule_text(s)).unwrap()).count();
        assert!((20..190).contains(&rules), "{rules} of 200");
        let scripts = (0..200).filter(|&s| smtlib_text(&random_smtlib_text(s)).unwrap().is_some()).count();
        assert!((40..190).contains(&scripts), "{scripts} of 200");
    }

    #[test]
    fn some_traces_are_accepted() {
        let traces = (0..40).filter(|&s| trace_text(&random_trace_text(s)).unwrap().is_some()).count();
        assert!((5..40).contains(&traces), "{traces} of 40");
        let accepted = (0..100).filter(|&s| any_text(&random_bytes(s)).unwrap()).count();
        assert!(accepted < 50, "{accepted} of 100");
    }

    #[test]
    fn tokens_keep_the_text() {
        let text = "(assert (= |a b| 10))\n\t; é";
        assert_eq!(tokens(text).concat(), text);
    }
}
