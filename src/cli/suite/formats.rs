//! Tables as text, JSON, CSV, LaTeX and HTML.

use super::machine::Machine;
use super::run::Given;
use super::{Row, Table};
use crate::report;
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::time::Duration;

/// How tables are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    #[default]
    Text,
    Json,
    Csv,
    Latex,
    Html,
}

/// Everything; of text, what comes after the tables.
pub(super) fn document(format: Format, tables: &[Table], machine: &Machine) -> String {
    match format {
        Format::Text => format!("{}\n{}\n", summary(tables), machine.line()),
        Format::Json => {
            let objects: Vec<Value> =
                rows(tables).map(|(t, row, given)| object(t, row, given, machine)).collect();
            let text = serde_json::to_string_pretty(&objects).unwrap_or_default();
            format!("{text}\n")
        }
        Format::Csv => csv(tables, machine),
        Format::Latex => latex(tables, machine),
        Format::Html => html(tables, machine),
    }
}

fn rows(tables: &[Table]) -> impl Iterator<Item = (&Table, &Row, &Given)> {
    tables.iter().flat_map(|table| table.answers.iter().map(move |(row, given)| (table, *row, given)))
}

/// `139 rows: 139 as expected, median 12 ms, 3.20 s in all`
fn summary(tables: &[Table]) -> String {
    let mut times: Vec<Duration> = rows(tables).map(|(_, _, given)| given.time()).collect();
    times.sort();
    let right = rows(tables).filter(|(_, row, given)| is_right(row, given)).count();
    let wrong = times.len() - right;
    let wrong = if wrong == 0 { String::new() } else { format!(", {wrong} WRONG") };
    let median = times.get(times.len().saturating_sub(1) / 2).copied().unwrap_or_default();
    let (median, all) = (report::text::time(median), report::text::time(times.iter().sum()));
    format!("{} rows: {right} as expected{wrong}, median {median}, {all} in all", times.len())
}

fn is_right(row: &Row, given: &Given) -> bool {
    given.verdict == row.expected
}

fn work(given: &Given) -> String {
    given.reason.clone().unwrap_or_else(|| report::text::counters(&given.counters))
}

fn paper(row: &Row) -> String {
    let figures: Vec<String> = row.paper.iter().map(|(name, value)| format!("{name} {value}")).collect();
    figures.join(", ")
}

fn verdict(row: &Row, given: &Given) -> String {
    format!("{}{}", given.verdict, if is_right(row, given) { "" } else { " WRONG" })
}

/// A table as text, under the paper it is of.
pub(super) fn text(table: &Table) -> String {
    let words = ["row", "column", "verdict", "expected", "time", "work", "paper"];
    let mut lines = vec![words.map(str::to_owned).to_vec()];
    for (row, given) in &table.answers {
        lines.push(vec![
            row.row.to_owned(),
            row.column.to_owned(),
            verdict(row, given),
            row.expected.to_owned(),
            time(given),
            work(given),
            paper(row),
        ]);
    }
    let citation = table.suite.citation();
    format!("suite {}: {citation}\n{}\n", table.suite.name, aligned(&lines))
}

/// The median; of several times the range as well.
fn time(given: &Given) -> String {
    let median = report::text::time(given.time());
    match &given.times[..] {
        [first, .., last] => {
            format!("{median} ({} to {})", report::text::time(*first), report::text::time(*last))
        }
        _ => median,
    }
}

/// Columns as wide as their widest entry.
fn aligned(table: &[Vec<String>]) -> String {
    let columns = table.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |i: usize| table.iter().filter_map(|l| l.get(i)).map(|c| c.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for line in table {
        let mut text = String::from(" ");
        for (cell, width) in line.iter().zip(&widths) {
            text.push(' ');
            text.push_str(cell);
            text.extend(std::iter::repeat_n(' ', width + 1 - cell.chars().count().min(*width)));
        }
        out.push_str(text.trim_end());
        out.push('\n');
    }
    out
}

fn milliseconds(time: Duration) -> f64 {
    // As many digits as a clock tells.
    (time.as_secs_f64() * 1e6).round() / 1e3
}

fn object(table: &Table, row: &Row, given: &Given, machine: &Machine) -> Value {
    let mut paper = Map::new();
    for (name, value) in row.paper {
        paper.insert((*name).to_owned(), json!(value));
    }
    json!({
        "suite": table.suite.name,
        "row": row.row,
        "column": row.column,
        "expected": row.expected,
        "verdict": given.verdict,
        "ok": is_right(row, given),
        "reason": given.reason,
        "time_ms": u64::try_from(given.time().as_millis()).unwrap_or(u64::MAX),
        "times_ms": given.times.iter().map(|t| milliseconds(*t)).collect::<Vec<_>>(),
        "stats": report::json::stats(&given.counters),
        "paper": paper,
        "source": table.suite.citation(),
        "version": machine.version,
        "build": machine.build,
        "machine": format!("{}, {} threads, {}", machine.processor, machine.threads, machine.system),
        "jobs": machine.jobs,
    })
}

fn csv(tables: &[Table], machine: &Machine) -> String {
    let mut out = String::from(
        "suite,row,column,engine,verdict,expected,ok,time_ms,fastest_ms,slowest_ms,repeats,work,paper,source,version,build,machine,jobs\n",
    );
    let quoted = |text: &str| match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    };
    for (table, row, given) in rows(tables) {
        let at = |i: Option<&Duration>| i.map_or(String::new(), |t| milliseconds(*t).to_string());
        let cells = [
            table.suite.name.to_owned(),
            row.row.to_owned(),
            row.column.to_owned(),
            row.engine.word().to_owned(),
            given.verdict.to_owned(),
            row.expected.to_owned(),
            is_right(row, given).to_string(),
            milliseconds(given.time()).to_string(),
            at(given.times.first()),
            at(given.times.last()),
            given.times.len().to_string(),
            work(given),
            paper(row),
            table.suite.citation(),
            machine.version.to_owned(),
            machine.build.clone(),
            format!("{}, {} threads, {}", machine.processor, machine.threads, machine.system),
            machine.jobs.to_string(),
        ];
        out.push_str(&cells.map(|cell| quoted(&cell)).join(","));
        out.push('\n');
    }
    out
}

/// Text that means itself in LaTeX.
fn tex(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '"' => out.push_str("''"),
            _ => out.push(c),
        }
    }
    out
}

fn latex(tables: &[Table], machine: &Machine) -> String {
    let mut out = format!("% {}\n% {}\n", summary(tables), machine.line());
    for table in tables {
        let suite = table.suite;
        let caption = format!("``{}'' ({}), {}", tex(suite.title), tex(suite.venue), tex(suite.table));
        let _ = write!(
            out,
            "\n\\begin{{table}}\n\\caption{{{caption}, and this program: {}.}}\n\\label{{tab:catena-{}}}\n\
             \\begin{{tabular}}{{lllrl}}\n\\hline\nprogram & column & verdict & time & paper \\\\\n\\hline\n",
            tex(&summary(std::slice::from_ref(table))),
            suite.name,
        );
        for (row, given) in &table.answers {
            let cells = [row.row, row.column, &verdict(row, given), &time(given), &paper(row)].map(tex);
            let _ = writeln!(out, "{} \\\\", cells.join(" & "));
        }
        out.push_str("\\hline\n\\end{tabular}\n\\end{table}\n");
    }
    out
}

/// Text that means itself in HTML.
fn plain(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const STYLE: &str = "body{font:15px/1.4 sans-serif;margin:2em;color-scheme:light dark}\
table{border-collapse:collapse;margin:0 0 2em}caption{text-align:left;font-weight:bold;padding:.5em 0}\
th,td{text-align:left;padding:.15em .8em .15em 0;border-bottom:1px solid #8884;vertical-align:top}\
td.time{text-align:right;white-space:nowrap}tr.wrong td{color:#c00;font-weight:bold}";
/// Of the style; a test compares them.
const STYLE_HASH: &str = "jrQN33iyKt80CDd45au+MKRty1poO45+TCkfGSQ4n6U=";

fn html(tables: &[Table], machine: &Machine) -> String {
    let (summary_line, machine) = (plain(&summary(tables)), plain(&machine.line()));
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{STYLE_HASH}'\">\n\
         <title>Suites of Catena</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>Suites of Catena</h1>\n<p>{summary_line}</p>\n<p>{machine}</p>\n",
    );
    for table in tables {
        let head = ["program", "column", "verdict", "expected", "time", "work", "paper"]
            .map(|word| format!("<th scope=\"col\">{word}</th>"));
        let _ = write!(
            out,
            "<table id=\"{}\">\n<caption>{}</caption>\n<thead><tr>{}</tr></thead>\n<tbody>\n",
            table.suite.name,
            plain(&table.suite.citation()),
            head.concat(),
        );
        for (row, given) in &table.answers {
            let class = if is_right(row, given) { "" } else { " class=\"wrong\"" };
            let cells = [row.row, row.column, &verdict(row, given), row.expected]
                .map(|c| format!("<td>{}</td>", plain(c)));
            let _ = writeln!(
                out,
                "<tr{class}>{}<td class=\"time\">{}</td><td>{}</td><td>{}</td></tr>",
                cells.concat(),
                plain(&time(given)),
                plain(&work(given)),
                plain(&paper(row)),
            );
        }
        let _ = writeln!(
            out,
            "</tbody>\n<tfoot><tr><td colspan=\"7\">{}</td></tr></tfoot>\n</table>",
            plain(&summary(std::slice::from_ref(table))),
        );
    }
    out.push_str("</body>\n</html>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_means_itself() {
        assert_eq!(
            tex("a_b & 19% {x} \\ ~^ <\"y\">"),
            "a\\_b \\& 19\\% \\{x\\} \\textbackslash{} \\textasciitilde{}\\textasciicircum{} \\textless{}''y''\\textgreater{}"
        );
        assert_eq!(plain("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;&gt;&amp;");
    }
}
