//! `--witness`: answers in the exchange format 2.0 of the competition on software verification (YAML).
//!
//! A violation is a sequence of segments: what the inputs were, each as an assumption at the next statement, and the
//! target. Correctness is a set of loop invariants: those that C can say (comparisons of variables and of fields
//! reached from them), `1` for a loop of which only more is known. The text is written by hand: it is made of strings in
//! double quotes and of numbers.

use super::Entry;
use super::findings::Place;
use crate::program::{At, BinOp, Cmp, Command, Formula, Program, Property, Term, Value, VarKind};
use crate::util::span::Span;
use crate::verdict::{Certificate, Trace, Verdict};
use std::fmt::Write;

/// What the metadata say about a task.
pub struct Task<'a> {
    /// The file, as given.
    pub file: &'a str,
    /// Its bytes.
    pub text: &'a [u8],
    /// What was asked.
    pub property: Option<Property>,
    /// Whether it is LP64.
    pub lp64: bool,
}

/// The witness; `None` where nothing is decided.
#[must_use]
pub fn document(entry: &Entry<'_>, task: &Task<'_>) -> Option<String> {
    let program = entry.program?;
    let (kind, content) = match &entry.outcome.verdict {
        Verdict::Violated(trace) => ("violation_sequence", violation(entry, program, trace)),
        Verdict::Verified(certificate) => ("invariant_set", invariants(entry, program, certificate)),
        Verdict::TooWeak(_) | Verdict::Unknown(_) => return None,
    };
    let mut out = format!("- entry_type: {}\n", quoted(kind));
    metadata(&mut out, task, &content);
    if content.is_empty() {
        out.push_str("  content: []\n");
    } else {
        out.push_str("  content:\n");
        out.push_str(&content);
    }
    Some(out)
}

fn metadata(out: &mut String, task: &Task<'_>, content: &str) {
    let hash = sha256(task.text);
    let mut id = sha256(format!("{hash}{content}").as_bytes());
    id.truncate(32);
    // The bits that say which kind of identifier it is: made of a hash.
    id.replace_range(12..13, "8");
    id.replace_range(16..17, "a");
    let uuid = [&id[..8], &id[8..12], &id[12..16], &id[16..20], &id[20..]].join("-");
    let specification = match task.property.map_or("unreach-call", Property::word) {
        "valid-memsafety" => "G valid-free && G valid-deref && G valid-memtrack",
        "valid-memcleanup" => "G valid-memcleanup",
        "no-overflow" => "G ! overflow",
        "termination" => "F end",
        _ => "G ! call(reach_error())",
    };
    let file = quoted(task.file);
    let _ = write!(
        out,
        "  metadata:
    format_version: \"2.0\"
    uuid: \"{uuid}\"
    creation_time: \"{}\"
    producer:
      name: \"catena\"
      version: \"{}\"
    task:
      input_files:
        - {file}
      input_file_hashes:
        {file}: \"{hash}\"
      specification: {}
      data_model: {}
      language: \"C\"
",
        now(),
        env!("CARGO_PKG_VERSION"),
        quoted(&format!("CHECK( init(main()), LTL({specification}) )")),
        if task.lp64 { "\"LP64\"" } else { "\"ILP32\"" },
    );
}

/// A string of YAML in double quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if (c as u32) < 0x20 || (c as u32) == 0x7f => {
                let _ = write!(out, "\\x{:02x}", c as u32);
            }
            c if super::plain::is_hostile(c) => {
                let _ = write!(out, "\\U{:08x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The time in the form of RFC 3339.
fn now() -> String {
    let seconds = crate::util::clock::unix_seconds();
    let (days, rest) = ((seconds / 86_400) as i64, seconds % 86_400);
    // Days to a date: eras of 400 years that begin in March (Hinnant, chrono-compatible date algorithms).
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let day_of_era = z.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

fn location(entry: &Entry<'_>, span: Span) -> Option<String> {
    let Place { file, line, column } = super::translate::place(entry.sources, span)?;
    Some(format!("{{ file_name: {}, line: {line}, column: {column} }}", quoted(&file)))
}

fn violation(entry: &Entry<'_>, program: &Program, trace: &Trace) -> String {
    let mut out = String::new();
    let mut pending: Vec<String> = Vec::new();
    for step in &trace.steps {
        let edge = &program.edges[step.edge.index()];
        if !pending.is_empty()
            && begins_statement(entry, edge.span)
            && let Some(place) = location(entry, edge.span)
        {
            let value = quoted(&pending.join(" && "));
            let _ = writeln!(
                out,
                "    - segment:\n        - waypoint:\n            type: \"assumption\"\n            action: \"follow\"\n            location: {place}\n            constraint: {{ value: {value}, format: \"c_expression\" }}"
            );
            pending.clear();
        }
        if let Command::Havoc(x) = edge.command {
            let var = &program.vars[x.index()];
            let named =
                var.kind != VarKind::Temp && var.name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if let (true, Value::Int(n)) = (named && var.span != edge.span, step.state.var(x)) {
                pending.push(format!("{} == {n}", var.name));
            }
        }
    }
    let last = trace.steps.last().map(|s| program.edges[s.edge.index()].span);
    let target = last.and_then(|span| location(entry, span)).or_else(|| location(entry, trace.failure.span));
    if let Some(place) = target {
        let _ = writeln!(
            out,
            "    - segment:\n        - waypoint:\n            type: \"target\"\n            action: \"follow\"\n            location: {place}"
        );
    }
    out
}

/// Whether a statement begins where the span does, as far as the text before it tells.
fn begins_statement(entry: &Entry<'_>, span: Span) -> bool {
    let Some(source) = entry.sources.source_of(span.start) else { return false };
    let before = source.text.get(..(span.start - source.base) as usize).unwrap_or_default().trim_end();
    before.ends_with([';', '{', '}'])
}

fn invariants(entry: &Entry<'_>, program: &Program, certificate: &Certificate) -> String {
    let none = Vec::new();
    let found = match certificate {
        Certificate::Invariants(found) => found,
        _ => &none,
    };
    let mut out = String::new();
    let mut places = Vec::new();
    for (i, of) in program.loops.iter().enumerate() {
        let Some(place) = location(entry, of.span) else { continue };
        if places.contains(&place) {
            continue;
        }
        let mut formulas: Vec<String> =
            of.invariants.iter().filter_map(|c| in_c(program, &c.formula)).collect();
        for (_, more) in found.iter().filter(|(id, _)| id.index() == i) {
            formulas.extend(more.iter().filter_map(|f| in_c(program, f)));
        }
        let value = if formulas.is_empty() { "1".to_owned() } else { formulas.join(" && ") };
        let _ = writeln!(
            out,
            "    - invariant:\n        type: \"loop_invariant\"\n        location: {place}\n        value: {}\n        format: \"c_expression\"",
            quoted(&value)
        );
        places.push(place);
    }
    out
}

/// A formula as a C expression, if it is one.
fn in_c(program: &Program, formula: &Formula) -> Option<String> {
    let all = |parts: &[Formula], op: &str| {
        let parts: Option<Vec<String>> = parts.iter().map(|p| in_c(program, p)).collect();
        parts.filter(|p| !p.is_empty()).map(|p| format!("({})", p.join(op)))
    };
    Some(match formula {
        Formula::Const(value) => u8::from(*value).to_string(),
        Formula::Not(p) => format!("!({})", in_c(program, p)?),
        Formula::And(parts) => all(parts, " && ")?,
        Formula::Or(parts) => all(parts, " || ")?,
        Formula::Implies(p, q) => format!("(!({}) || {})", in_c(program, p)?, in_c(program, q)?),
        Formula::Compare(cmp, a, b) => {
            let op = match cmp {
                Cmp::Eq => "==",
                Cmp::Ne => "!=",
                Cmp::Lt => "<",
                Cmp::Le => "<=",
                Cmp::Gt => ">",
                Cmp::Ge => ">=",
            };
            format!("({} {op} {})", term(program, a)?, term(program, b)?)
        }
        _ => return None,
    })
}

/// A term that can be evaluated in every state: variables and numbers. A dereference could fail.
fn term(program: &Program, t: &Term) -> Option<String> {
    Some(match t {
        Term::Var(v, At::Now) => {
            let var = &program.vars[v.index()];
            let named = matches!(var.kind, VarKind::Local | VarKind::Param | VarKind::Global)
                && var.name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            named.then(|| var.name.clone())?
        }
        Term::Null(_) => "0".to_owned(),
        Term::Int(n) => format!("{n}"),
        Term::Neg(a) => format!("-({})", term(program, a)?),
        Term::Binary(op, a, b) => {
            let op = match op {
                BinOp::Add => "+",
                BinOp::Sub => "-",
                BinOp::Mul => "*",
                _ => return None,
            };
            format!("({} {op} {})", term(program, a)?, term(program, b)?)
        }
        _ => return None,
    })
}

/// The hash of FIPS 180-4, as hexadecimal digits.
fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    let digest = sha2::Sha256::digest(bytes);
    digest.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_hashes() {
        assert_eq!(quoted("a\"\\\n\u{1b}\u{202e}"), "\"a\\\"\\\\\\x0a\\x1b\\U0000202e\"");
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(b""), empty);
    }
}
