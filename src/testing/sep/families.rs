//! Larger problems in the manner of the public collections, of any size.
//!
//! - *bolognesa*: random cells and segments over n variables; the right side folds random runs of them into
//!   segments, so about half of the entailments hold.
//! - *spaguetti*: random segments with random disequalities; is that satisfiable?
//! - *clones*: k renamed copies of a small entailment side by side.

use crate::frontend::smtlib::ReadError;
use crate::frontend::smtlib::sexpr::{Cutter, Kind, NodeId, Tree};
use crate::logic::print;
use crate::util::rng::Rng;
use std::fmt::Write as _;

const HEAD: &str = "(set-logic QF_SHLS)
(declare-sort Ref 0)
(declare-datatypes ((Node 0)) (((node (next Ref)))))
(declare-heap (Ref Node))
(define-fun-rec ls ((in Ref) (out Ref)) Bool
  (or (and (= in out) (_ emp Ref Node))
      (exists ((u Ref)) (and (distinct in out) (sep (pto in (node u)) (ls u out))))))
(check-sat)
";

fn script(n_vars: usize, assertions: &[String]) -> String {
    let mut text = HEAD.to_owned();
    for i in 0..n_vars {
        let _ = writeln!(text, "(declare-const x{i} Ref)");
    }
    for assertion in assertions {
        let _ = writeln!(text, "(assert {assertion})");
    }
    text.push_str("(check-sat)\n");
    text
}

fn sep(atoms: &[String]) -> String {
    match atoms {
        [] => "(_ emp Ref Node)".to_owned(),
        [only] => only.clone(),
        _ => format!("(sep {})", atoms.join(" ")),
    }
}

fn segment(a: usize, b: usize) -> String {
    format!("(ls x{a} x{b})")
}

fn cell(a: usize, b: usize) -> String {
    format!("(pto x{a} (node x{b}))")
}

/// One entailment over variables from `first`: a random graph on the left, folded at random on the right.
fn folded(rng: &mut Rng, first: usize, n: usize) -> (Vec<String>, Vec<String>) {
    // Every variable has at most one atom that starts there, so the left side is usually satisfiable.
    let target: Vec<usize> = (0..n).map(|_| rng.below(n)).collect();
    let is_cell: Vec<bool> = (0..n).map(|_| rng.one_in(2)).collect();
    let mut left = Vec::new();
    for i in 0..n {
        let (a, b) = (first + i, first + target[i]);
        left.push(if is_cell[i] { cell(a, b) } else { segment(a, b) });
    }
    let mut right = Vec::new();
    let mut used = vec![false; n];
    for start in 0..n {
        if used[start] {
            continue;
        }
        let mut at = start;
        loop {
            used[at] = true;
            at = target[at];
            if used[at] || rng.one_in(3) {
                break;
            }
        }
        right.push(segment(first + start, first + at));
    }
    (left, right)
}

/// Random graphs, folded.
pub fn bolognesa(seed: u64, n: usize) -> String {
    let mut rng = Rng::new(seed);
    let (left, right) = folded(&mut rng, 0, n);
    script(n, &[sep(&left), format!("(not {})", sep(&right))])
}

/// Random segments and disequalities.
pub fn spaguetti(seed: u64, n: usize) -> String {
    let mut rng = Rng::new(seed);
    let mut atoms = Vec::new();
    let mut parts = Vec::new();
    for i in 0..n {
        for j in 0..n {
            if i != j && rng.below(n * 10) < 11 {
                atoms.push(segment(i, j));
            }
            if i < j && rng.below(10) < 2 {
                parts.push(format!("(distinct x{i} x{j})"));
            }
        }
    }
    parts.push(sep(&atoms));
    script(n, &[format!("(and {})", parts.join(" "))])
}

/// Copies of one small entailment.
pub fn clones(seed: u64, n: usize, copies: usize) -> String {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for copy in 0..copies {
        let (l, r) = folded(&mut Rng::new(seed), copy * n, n);
        left.extend(l);
        right.extend(r);
    }
    script(n * copies, &[sep(&left), format!("(not {})", sep(&right))])
}

/// The same script with the children of `and`, `or` and `sep` in another order, and other names for variables
/// that are called x and a number.
pub fn shuffle(text: &str, seed: u64) -> Result<String, ReadError> {
    let mut rng = Rng::new(seed);
    let offset = rng.below(1000);
    let mut out = String::new();
    let mut cutter = Cutter::new(text);
    while let Some(tree) = cutter.next_tree()? {
        write_shuffled(&tree, Tree::ROOT, offset, &mut rng, &mut out);
        out.push('\n');
    }
    Ok(out)
}

fn write_shuffled(tree: &Tree<'_>, node: NodeId, offset: usize, rng: &mut Rng, out: &mut String) {
    let mut children: Vec<NodeId> = tree.children(node).collect();
    match tree.kind(node) {
        Kind::List => {
            if matches!(children.first().and_then(|&c| tree.symbol(c)), Some("and" | "or" | "sep")) {
                for i in (2..children.len()).rev() {
                    children.swap(i, 1 + rng.below(i));
                }
            }
            out.push('(');
            for (i, &child) in children.iter().enumerate() {
                if i > 0 {
                    out.push(' ');
                }
                write_shuffled(tree, child, offset, rng, out);
            }
            out.push(')');
        }
        Kind::Symbol => {
            let name = tree.text(node);
            match name.strip_prefix('x').and_then(|n| n.parse::<usize>().ok()) {
                // Not in the same order: the reverse within a thousand.
                Some(n) => out.push_str(&format!("v{}", (1000 + offset).abs_diff(n))),
                None => out.push_str(&print::symbol(name)),
            }
        }
        Kind::String => out.push_str(&format!("\"{}\"", tree.text(node))),
        _ => out.push_str(tree.text(node)),
    }
}
