//! Answers as text and as JSON.

use crate::infer::{Case, Contract, Found, Inferred};
use serde_json::{Value, json};
use std::fmt::Write;

/// One function as comments of C: what is proved can be pasted, everything else does no harm.
pub(super) fn text(answer: &Inferred, explain: bool, left_out: bool) -> String {
    let Inferred { file, function, line, .. } = answer;
    let mut out = format!("// {file}:{line}: {function}");
    match &answer.found {
        Found::Contract(contract) => {
            out.push('\n');
            if left_out {
                out.push_str("// proved, and better left out: a caller needs the body\n");
            }
            out.push_str(&contract.pretty(""));
            out.push('\n');
            if explain {
                for explanation in &answer.explanations {
                    let _ = writeln!(out, "// without {}:", explanation.conjunct);
                    explanation.why.iter().for_each(|line| out.push_str(&format!("//     {line}\n")));
                }
                if answer.explanations.is_empty() {
                    out.push_str("// any caller is fine: no run that was tried fails\n");
                }
            }
            if !answer.bodies.is_empty() {
                let _ = writeln!(out, "// proved with the bodies of: {}", answer.bodies.join(", "));
            }
        }
        Found::Never { always, run } => {
            let what = if *always {
                "fails whenever it is called, for example"
            } else {
                "no contract: nothing that callers are usually asked for excludes this run"
            };
            let _ = writeln!(out, ": {what}");
            run.iter().for_each(|line| out.push_str(&format!("//     {line}\n")));
        }
        Found::Open { reason, candidate } => {
            let _ = writeln!(out, ": no contract: not proved: {reason}");
            if let Some(candidate) = candidate.as_ref().filter(|c| !c.requires.is_empty()) {
                let _ =
                    writeln!(out, "//     no run contradicts: requires {};", candidate.requires.join(" && "));
            }
        }
        Found::Unmodelled { why, place } => {
            let place = place.as_ref().map_or(String::new(), |p| format!("{p}: "));
            let _ = writeln!(out, ": no contract: {place}{why}");
        }
    }
    out
}

/// How a caller sees a function.
fn word(found: &Found) -> &'static str {
    match found {
        Found::Contract(contract) if contract.requires.is_empty() => "safe",
        Found::Contract(_) => "conditional",
        Found::Never { always: true, .. } => "never",
        _ => "unknown",
    }
}

/// The callers' view of one function, one line.
pub(super) fn view(answer: &Inferred) -> String {
    let name = format!("{}:{}", answer.file, answer.function);
    match &answer.found {
        Found::Contract(contract) if contract.requires.is_empty() => format!("{name}: safe from any caller"),
        Found::Contract(contract) => format!("{name}: safe if {}", conjunction(&contract.requires)),
        Found::Never { always, run } => {
            let first = run.first().map_or("", String::as_str);
            let word = if *always { "never safe" } else { "unknown: this run is not excluded" };
            format!("{name}: {word}: {first}")
        }
        Found::Open { reason, .. } => format!("{name}: unknown: {reason}"),
        Found::Unmodelled { why, place } => {
            format!("{name}: unknown: {}{why}", place.as_ref().map_or(String::new(), |p| format!("{p}: ")))
        }
    }
}

fn conjunction(parts: &[String]) -> String {
    let weak = |p: &String| p.contains("||") || p.contains("==>") || p.starts_with("\\forall");
    let parts: Vec<String> =
        parts.iter().map(|p| if weak(p) && parts.len() > 1 { format!("({p})") } else { p.clone() }).collect();
    parts.join(" && ")
}

/// How many functions there are of each kind.
pub(super) fn summary(answers: &[&Inferred]) -> String {
    let count = |w: &str| answers.iter().filter(|a| word(&a.found) == w).count();
    let functions = if answers.len() == 1 { "function" } else { "functions" };
    format!(
        "{} {functions}: {} safe from any caller, {} under a condition, {} never safe, {} unknown",
        answers.len(),
        count("safe"),
        count("conditional"),
        count("never"),
        count("unknown")
    )
}

/// Everything about one function.
pub(super) fn value(answer: &Inferred) -> Value {
    let contract = match &answer.found {
        Found::Contract(contract) => Some(contract),
        _ => None,
    };
    let case = |c: &Case| json!({ "name": c.name, "assumes": c.assumes, "ensures": c.ensures });
    let (reason, run) = match &answer.found {
        Found::Contract(_) => (None, None),
        Found::Never { run, .. } => (run.first().cloned(), Some(run.clone())),
        Found::Open { reason, .. } => (Some(reason.clone()), None),
        Found::Unmodelled { why, .. } => (Some(why.clone()), None),
    };
    let place = match &answer.found {
        Found::Unmodelled { place, .. } => place.clone(),
        _ => None,
    };
    let needed: Vec<Value> =
        answer.explanations.iter().map(|e| json!({ "conjunct": e.conjunct, "without": e.why })).collect();
    json!({
        "file": answer.file,
        "function": answer.function,
        "line": answer.line,
        "verdict": word(&answer.found),
        "requires": contract.map(|c| &c.requires),
        "assigns": contract.and_then(|c| c.assigns.as_ref()),
        "ensures": contract.map(|c| &c.ensures),
        "behaviors": contract.map(|c| c.cases.iter().map(case).collect::<Vec<_>>()),
        "contract": contract.map(|c: &Contract| c.pretty("")),
        "needed": contract.map(|_| needed),
        "bodies": answer.bodies,
        "reason": reason,
        "place": place,
        "run": run,
        "time_ms": answer.time.as_millis() as u64,
    })
}
