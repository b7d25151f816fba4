//! `catena suite`: the tables of the papers in every format, with the paper, the program and the machine.

use serde_json::Value;
use sha2::{Digest, Sha256};
use std::ffi::OsString;

fn suite(args: &[&str]) -> (u8, String) {
    let args: Vec<OsString> = ["suite"].iter().chain(args).map(OsString::from).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = catena::cli::run(&args, &mut out, &mut err).expect("output is written");
    assert_eq!(String::from_utf8(err).expect("text"), "", "{args:?}");
    (status, String::from_utf8(out).expect("text"))
}

const TITLE: &str = "Back to the Future: Revisiting Precise Program Verification using SMT Solvers";

/// The cells of a line of CSV.
fn cells(line: &str) -> Vec<String> {
    let (mut out, mut quoted) = (vec![String::new()], false);
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' if quoted && rest.next_if_eq(&'"').is_some() => out.last_mut().expect("a cell").push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => out.push(String::new()),
            c => out.last_mut().expect("a cell").push(c),
        }
    }
    assert!(!quoted, "{line}");
    out
}

#[test]
fn text_cites_the_paper_and_sums_up() {
    let (status, out) = suite(&["lisbq", "--jobs", "2"]);
    assert_eq!(status, 0, "{out}");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], format!("suite lisbq: \"{TITLE}\" (POPL 2008), Figure 16"));
    assert!(lines[2].starts_with("  iterate "), "{out}");
    let [.., summary, machine] = lines[..] else { panic!("{out}") };
    let rows = lines.iter().filter(|line| line.starts_with("  ")).count() - 1;
    assert!(summary.starts_with(&format!("{rows} rows: {rows} as expected, median ")), "{summary}");
    let version = format!("catena {} (", env!("CARGO_PKG_VERSION"));
    assert!(machine.starts_with(&version) && machine.ends_with("; 2 rows at once"), "{machine}");
}

#[test]
fn json_has_every_time() {
    let (status, out) = suite(&["lisbq", "--json", "--repeat", "2", "--jobs", "2", "--timeout", "100"]);
    assert_eq!(status, 0, "{out}");
    let objects: Vec<Value> = serde_json::from_str(&out).expect("JSON");
    for object in &objects {
        let times: Vec<f64> =
            object["times_ms"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        assert!(times.len() == 2 && times[0] <= times[1], "{object}");
        assert!(object["ok"] == true && object["jobs"] == 2 && object["build"].is_string(), "{object}");
        assert!(object["source"].as_str().is_some_and(|source| source.contains(TITLE)), "{object}");
    }
    // Rows stay in the order of the table, however many are decided at once.
    let names =
        |key: &str| objects.iter().map(|o| o[key].as_str().expect("a name").to_owned()).collect::<Vec<_>>();
    assert_eq!((names("row")[0].as_str(), names("column")[1].as_str()), ("iterate", "head forgotten"));
    let (_, again) = suite(&["lisbq", "--format", "json"]);
    let again: Vec<Value> = serde_json::from_str(&again).expect("JSON");
    assert_eq!(
        again.iter().map(|o| o["column"].as_str().expect("a name").to_owned()).collect::<Vec<_>>(),
        names("column")
    );
}

#[test]
fn csv_has_a_line_per_row() {
    let (status, out) = suite(&["lisbq", "--format", "csv", "--jobs", "2"]);
    assert_eq!(status, 0, "{out}");
    let lines: Vec<Vec<String>> = out.lines().map(cells).collect();
    let head = &lines[0];
    let at = |name: &str| head.iter().position(|cell| cell == name).expect("a column");
    assert!(lines.len() > 40 && lines.iter().all(|line| line.len() == head.len()), "{out}");
    for line in &lines[1..] {
        assert_eq!(
            (line[at("suite")].as_str(), line[at("verdict")].as_str()),
            ("lisbq", line[at("expected")].as_str())
        );
        assert!(line[at("time_ms")].parse::<f64>().is_ok() && line[at("source")].contains(TITLE), "{line:?}");
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for part in bytes.chunks(3) {
        let number = (0..3).fold(0usize, |n, i| n << 8 | usize::from(part.get(i).copied().unwrap_or(0)));
        let digit = |i: usize| if i > part.len() { '=' } else { DIGITS[number >> (18 - 6 * i) & 63] as char };
        out.extend((0..4).map(digit));
    }
    out
}

#[test]
fn latex_and_html_are_whole() {
    let (status, out) = suite(&["lisbq", "--format", "latex", "--jobs", "2"]);
    assert_eq!(status, 0, "{out}");
    assert!(out.contains("\\begin{tabular}") && out.trim_end().ends_with("\\end{table}"), "{out}");
    assert!(
        out.contains("slist\\_add & list lost & violated & ") && out.contains("(POPL 2008), Figure 16"),
        "{out}"
    );
    for line in out.lines().filter(|line| line.ends_with("\\\\")) {
        assert_eq!(line.matches(" & ").count(), 4, "{line}");
        assert_eq!(line.matches('_').count(), line.matches("\\_").count(), "{line}");
    }
    let (status, out) = suite(&["lisbq", "--format", "html", "--jobs", "2"]);
    assert_eq!(status, 0, "{out}");
    for (open, close) in [("<table", "</table>"), ("<tr", "</tr>"), ("<td", "</td>"), ("<html", "</html>")] {
        assert_eq!(out.matches(open).count(), out.matches(close).count(), "{open}");
    }
    assert!(out.contains(TITLE) && out.contains("default-src 'none'") && !out.contains("http:"), "{out}");
    let style = out.split("<style>").nth(1).and_then(|rest| rest.split("</style>").next()).expect("a style");
    assert!(out.contains(&format!("'sha256-{}'", base64(&Sha256::digest(style)))), "{out}");
}

#[test]
fn a_row_without_time_is_wrong() {
    let (status, out) = suite(&["monotone", "--timeout", "0", "--jobs", "2"]);
    assert_eq!(status, 1, "{out}");
    assert!(out.contains(" WRONG") && out.contains("unknown"), "{out}");
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    for args in [["--repeat", "0"], ["--jobs", "0"], ["--timeout", "soon"], ["--format", "pdf"]] {
        let args: Vec<OsString> = ["suite", "lisbq"].iter().chain(&args).map(OsString::from).collect();
        let mut err = Vec::new();
        assert_eq!(catena::cli::run(&args, &mut Vec::new(), &mut err).expect("output is written"), 64);
        assert!(!err.is_empty());
    }
}
