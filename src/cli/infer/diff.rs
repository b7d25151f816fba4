//! A change of a file in the unified format, for texts that differ by a few insertions.

use std::fmt::Write;

/// Lines around a change.
const CONTEXT: usize = 3;
/// How far the next common line is looked for.
const FAR: usize = 2_000;

/// A line of both texts, of the old or of the new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line<'t> {
    Both(&'t str),
    Old(&'t str),
    New(&'t str),
}

/// The change, or nothing if there is none.
pub(super) fn unified(name: &str, old: &str, new: &str) -> String {
    let lines = compare(
        &old.split_inclusive('\n').collect::<Vec<_>>(),
        &new.split_inclusive('\n').collect::<Vec<_>>(),
    );
    let changed: Vec<usize> =
        lines.iter().enumerate().filter(|(_, l)| !matches!(l, Line::Both(_))).map(|(i, _)| i).collect();
    let mut out = String::new();
    let mut at = 0;
    while at < changed.len() {
        // Changes whose surroundings touch are one.
        let mut last = at;
        while last + 1 < changed.len() && changed[last + 1] - changed[last] <= 2 * CONTEXT {
            last += 1;
        }
        let start = changed[at].saturating_sub(CONTEXT);
        let end = (changed[last] + CONTEXT + 1).min(lines.len());
        let count =
            |part: &[Line<'_>], leave: fn(&Line<'_>) -> bool| part.iter().filter(|l| !leave(l)).count();
        let in_old = |part: &[Line<'_>]| count(part, |l| matches!(l, Line::New(_)));
        let in_new = |part: &[Line<'_>]| count(part, |l| matches!(l, Line::Old(_)));
        let (before, hunk) = (&lines[..start], &lines[start..end]);
        let first = |before: usize, own: usize| if own == 0 { before } else { before + 1 };
        let (old_lines, new_lines) = (in_old(hunk), in_new(hunk));
        let _ = writeln!(
            out,
            "@@ -{},{old_lines} +{},{new_lines} @@",
            first(in_old(before), old_lines),
            first(in_new(before), new_lines)
        );
        for line in hunk {
            let (mark, text) = match line {
                Line::Both(text) => (' ', text),
                Line::Old(text) => ('-', text),
                Line::New(text) => ('+', text),
            };
            out.push(mark);
            out.push_str(text);
            if !text.ends_with('\n') {
                out.push_str("\n\\ No newline at end of file\n");
            }
        }
        at = last + 1;
    }
    if out.is_empty() { out } else { format!("--- {name}\n+++ {name}\n{out}") }
}

fn compare<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Line<'t>> {
    let mut out = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            out.push(Line::Both(old[i]));
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let found = old.get(i).map(|line| new[j..].iter().take(FAR).position(|n| n == line));
        match found {
            None => {
                out.push(Line::New(new[j]));
                j += 1;
            }
            Some(Some(ahead)) => {
                out.extend(new[j..j + ahead].iter().map(|l| Line::New(l)));
                j += ahead;
            }
            Some(None) => {
                out.push(Line::Old(old[i]));
                i += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the change makes of the old text.
    fn patched(old: &str, diff: &str) -> String {
        let mut rest: Vec<&str> = old.split_inclusive('\n').collect();
        let mut out = String::new();
        let mut consumed = 0;
        for line in diff.lines().skip(2) {
            if let Some(header) = line.strip_prefix("@@ -") {
                let start: usize = header.split(',').next().and_then(|n| n.parse().ok()).expect("a number");
                let count: usize =
                    header.split([',', ' ']).nth(1).and_then(|n| n.parse().ok()).expect("a number");
                let start = if count == 0 { start } else { start - 1 };
                out.extend(rest.drain(..start - consumed));
                consumed = start;
            } else if let Some(text) = line.strip_prefix(' ') {
                assert_eq!(rest.remove(0).trim_end_matches('\n'), text);
                consumed += 1;
                out.push_str(text);
                out.push('\n');
            } else if line.starts_with('-') {
                rest.remove(0);
                consumed += 1;
            } else if let Some(text) = line.strip_prefix('+') {
                out.push_str(text);
                out.push('\n');
            }
        }
        out.extend(rest);
        out
    }

    #[test]
    fn a_change_can_be_applied() {
        let old: String = (0..30).map(|i| format!("line {}\n", i % 7)).collect();
        for places in [vec![0], vec![12], vec![29], vec![2, 5, 20], vec![]] {
            let mut new = String::new();
            for (i, line) in old.split_inclusive('\n').enumerate() {
                if places.contains(&i) {
                    new.push_str("/*@ a;\n    b; @*/\n");
                }
                new.push_str(line);
            }
            let diff = unified("x.c", &old, &new);
            assert_eq!(diff.is_empty(), places.is_empty());
            if !places.is_empty() {
                assert_eq!(patched(&old, &diff), new, "{diff}");
            }
        }
        // A line that is changed, and a text without an end of line.
        let (old, new) = ("a\nint f;\nb", "a\n/*@ x; @*/ int f;\nb");
        let diff = unified("x.c", old, new);
        assert!(diff.contains("-int f;\n+/*@ x; @*/ int f;\n"), "{diff}");
        assert!(diff.contains("No newline"), "{diff}");
    }
}
