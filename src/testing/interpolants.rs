//! Random partitions of random assertions as dialogues with `get-interpolants`, judged by further dialogues: what
//! was printed is read again, follows, is inductive, contradicts the last group, and has only symbols of both sides.

use crate::frontend::smtlib::dialogue::{Dialogue, Response, Settings};
use crate::frontend::smtlib::stream::Stream;
use crate::util::limits::Limits;
use crate::util::rng::Rng;
use std::collections::BTreeSet;
use std::fmt::Write as _;

const DECLARATIONS: &str = "(declare-sort U 0)
(declare-fun f (U) U) (declare-fun g (U U) U) (declare-fun h (U) Int) (declare-fun k (Int) Int)
(declare-fun m (Int) U) (declare-fun p (U) Bool) (declare-fun q (Int) Bool)
(declare-const |c (0| U) (declare-const c1 U) (declare-const c2 U) (declare-const c3 U) (declare-const c4 U)
(declare-const i0 Int) (declare-const i1 Int) (declare-const i2 Int) (declare-const i3 Int) (declare-const i4 Int)
(declare-const b0 Bool) (declare-const b1 Bool) (declare-const b2 Bool)
";

const CELLS: [&str; 5] = ["|c (0|", "c1", "c2", "c3", "c4"];

/// Symbols that are not of a side.
const OF_THE_LOGIC: &[&str] =
    &["and", "or", "not", "ite", "div", "mod", "true", "false", "distinct", "xor", "let", "=>"];

/// Groups of assertions, as texts.
type Groups = Vec<Vec<String>>;

/// Draws terms over the constants of one group.
struct Draw {
    rng: Rng,
    /// The first constant of the group.
    from: usize,
}

impl Draw {
    fn constant(&mut self) -> usize {
        self.from + self.rng.below(3)
    }

    fn cell(&mut self, depth: usize) -> String {
        match self.rng.below(if depth == 0 { 3 } else { 7 }) {
            3 | 4 => format!("(f {})", self.cell(depth - 1)),
            5 => format!("(g {} {})", self.cell(depth - 1), self.cell(depth - 1)),
            6 => format!("(m {})", self.int(depth - 1)),
            _ => CELLS[self.constant()].to_owned(),
        }
    }

    fn int(&mut self, depth: usize) -> String {
        let small = 2 + self.rng.below(2);
        match self.rng.below(if depth == 0 { 4 } else { 11 }) {
            3 => self.rng.below(5).to_string(),
            4 => format!("(- {})", self.rng.below(5)),
            5 => format!("(+ {} {})", self.int(depth - 1), self.int(depth - 1)),
            6 => format!("(- {} {})", self.int(depth - 1), self.int(depth - 1)),
            7 => format!("(* {small} {})", self.int(depth - 1)),
            8 => format!("(h {})", self.cell(depth - 1)),
            9 => format!("({} {} {small})", ["div", "mod"][self.rng.below(2)], self.int(depth - 1)),
            10 => format!("(k {})", self.int(depth - 1)),
            _ => format!("i{}", self.constant()),
        }
    }

    fn atom(&mut self) -> String {
        match self.rng.below(10) {
            0..=2 => format!("(= {} {})", self.cell(2), self.cell(2)),
            3..=5 => {
                let cmp = ["<=", "<", ">", ">="][self.rng.below(4)];
                format!("({cmp} {} {})", self.int(2), self.int(2))
            }
            6 | 7 => format!("(= {} {})", self.int(2), self.int(2)),
            8 => format!("b{}", self.from.min(1) + self.rng.below(2)),
            _ if self.rng.one_in(2) => format!("(p {})", self.cell(1)),
            _ => format!("(q {})", self.int(1)),
        }
    }

    fn formula(&mut self, depth: usize) -> String {
        match self.rng.below(if depth == 0 { 4 } else { 9 }) {
            0 | 1 => self.atom(),
            4 => format!("(or {} {})", self.formula(depth - 1), self.formula(depth - 1)),
            5 => format!("(and {} {})", self.formula(depth - 1), self.formula(depth - 1)),
            6 => format!("(=> {} {})", self.formula(depth - 1), self.formula(depth - 1)),
            7 => format!("(= {} {})", self.formula(depth - 1), self.formula(depth - 1)),
            8 => format!("(ite {} {} {})", self.atom(), self.formula(depth - 1), self.formula(depth - 1)),
            _ => format!("(not {})", self.atom()),
        }
    }
}

fn groups(seed: u64) -> Groups {
    let mut rng = Rng::new(seed);
    let count = 2 + rng.below(4);
    let mut draw = Draw { rng: Rng::new(rng.next_u64()), from: 0 };
    let mut out = Vec::new();
    for group in 0..count {
        draw.from = group.min(2);
        out.push((0..1 + rng.below(4)).map(|_| draw.formula(rng.below(3))).collect());
    }
    out
}

/// A case as a script.
#[must_use]
pub fn random_text(seed: u64) -> String {
    script(&groups(seed))
}

fn script(groups: &Groups) -> String {
    let mut text = format!("(set-option :produce-interpolants true)\n{DECLARATIONS}");
    let mut parts = String::new();
    for (i, group) in groups.iter().enumerate() {
        parts.push_str(" (and");
        for (j, formula) in group.iter().enumerate() {
            let _ = writeln!(text, "(assert (! {formula} :named a{i}_{j}))");
            let _ = write!(parts, " a{i}_{j}");
        }
        parts.push(')');
    }
    let _ = write!(text, "(check-sat)\n(get-interpolants{parts})\n");
    text
}

/// What is answered, command by command, without the silent ones.
fn answers(text: &str) -> Result<Vec<String>, String> {
    let limits = Limits { steps: Some(200_000), ..Limits::default() };
    let mut dialogue = Dialogue::new(Settings { limits, ..Settings::default() });
    let mut stream = Stream::new(text.as_bytes());
    let mut out = Vec::new();
    while let Some(chunk) = stream.next_chunk().map_err(|e| e.to_string())? {
        let response = dialogue.read(chunk);
        if let Response::Internal(what) = response {
            return Err(what);
        }
        out.extend(Some(dialogue.print(&response).trim().to_owned()).filter(|t| !t.is_empty()));
    }
    Ok(out)
}

/// The elements of a printed list.
fn elements(text: &str) -> Option<Vec<String>> {
    let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    let (mut out, mut at, mut depth, mut quoted) = (vec![String::new()], 0usize, 0i32, false);
    for c in inner.chars() {
        quoted ^= c == '|';
        if !quoted {
            depth += i32::from(c == '(') - i32::from(c == ')');
        }
        if c.is_whitespace() && depth == 0 && !quoted {
            at = out.len();
        } else {
            if at == out.len() {
                out.push(String::new());
            }
            out[at].push(c);
        }
    }
    out.retain(|e| !e.is_empty());
    Some(out)
}

/// The symbols of a text, without those of the logic and the names of `let`.
fn symbols(text: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for (i, piece) in text.split('|').enumerate() {
        if i % 2 == 1 {
            out.insert(piece.to_owned());
            continue;
        }
        let words = piece.split(|c: char| c.is_whitespace() || c == '(' || c == ')');
        let named = words.filter(|w| w.starts_with(|c: char| c.is_ascii_alphabetic()));
        out.extend(named.filter(|w| !OF_THE_LOGIC.contains(w)).map(str::to_owned));
    }
    out
}

/// Runs a case: `unsat` if its interpolants are right, what was answered if there are none, or what is wrong.
pub fn check_interpolants(seed: u64) -> Result<&'static str, String> {
    let groups = groups(seed);
    let text = script(&groups);
    let with_case = |what: String| format!("{what}\n{text}");
    let said = answers(&text).map_err(with_case)?;
    let [verdict, found] = &said[..] else { return Err(with_case(format!("answers: {said:?}"))) };
    if verdict != "unsat" {
        return Ok(if verdict == "sat" { "sat" } else { "unknown" });
    }
    if found == "unsupported" || found.starts_with("(error") {
        return Ok("unknown");
    }
    let Some(found) = elements(found).filter(|f| f.len() + 1 == groups.len()) else {
        return Err(with_case(format!("not one interpolant per cut: {found}")));
    };
    let mut steps = vec!["true".to_owned()];
    steps.extend(found.iter().cloned());
    steps.push("false".to_owned());
    let mut judge = DECLARATIONS.to_owned();
    for (pair, group) in steps.windows(2).zip(&groups) {
        let given = group.join(" ");
        let [before, after] = pair else { continue };
        let _ = writeln!(
            judge,
            "(push 1)(assert (and {before} {given}))(assert (not {after}))(check-sat)(pop 1)"
        );
    }
    let verdicts = answers(&judge).map_err(with_case)?;
    if verdicts.iter().any(|v| v != "unsat" && v != "unknown") || verdicts.len() != groups.len() {
        return Err(with_case(format!("{found:?}: the entailments are {verdicts:?}")));
    }
    for (cut, interpolant) in found.iter().enumerate() {
        let side = |part: &[Vec<String>]| part.iter().flatten().flat_map(|f| symbols(f)).collect();
        let (left, right): (BTreeSet<String>, BTreeSet<String>) =
            (side(&groups[..=cut]), side(&groups[cut + 1..]));
        let own = symbols(interpolant);
        if let Some(foreign) = own.iter().find(|s| !left.contains(*s) || !right.contains(*s)) {
            return Err(with_case(format!("{interpolant} at cut {cut} mentions `{foreign}`")));
        }
    }
    Ok("unsat")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_partitions_have_interpolants() {
        let mut right = 0;
        for seed in 0..120 {
            let word = check_interpolants(seed).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            right += u32::from(word == "unsat");
        }
        assert!(right > 20, "{right} cases with interpolants");
    }

    #[test]
    fn printed_lists_are_taken_apart() {
        assert_eq!(elements("((a |x )|)\n b)"), Some(vec!["(a |x )|)".to_owned(), "b".to_owned()]));
        assert_eq!(elements("()"), Some(Vec::new()));
        assert!(symbols("(let ((?t0 (f |c (0|))) (and b0 (<= 1 ?t0)))").iter().eq(["b0", "c (0", "f"]));
    }
}
