//! The seven rows of Table 1, built by hand, and what the search says about them.

use crate::analysis::Setup;
use crate::analysis::monotone::entry::entry_of;
use crate::analysis::monotone::exit::exit_patterns;
use crate::analysis::monotone::facts::analyse;
use crate::analysis::monotone::model::Model;
use crate::analysis::monotone::run as engine;
use crate::analysis::monotone::search::{End, Options, Tally, search};
use crate::program::{Check, Program, Question};
use crate::testing::words::{apart, dll, ensures, now, null_or_valid, program, requires, tree};
use crate::util::limits::Budget;
use crate::verdict::Verdict;

fn question() -> Question {
    Question { contract: 0, checks: vec![Check::Memsafety, Check::Asserts, Check::Ensures, Check::Garbage] }
}

fn search_once(program: &Program, question: &Question, whole: bool, refined: bool) -> (End, Tally) {
    let model = Model::of(program, question).expect("supported");
    let (entry, at_entry) = entry_of(&model, question);
    let facts = analyse(&model, &at_entry);
    let mut bad = model.bad.clone();
    bad.extend(exit_patterns(&model, question, whole).expect("expressible"));
    let options = Options {
        refined,
        anchored: false,
        thinned: false,
        widened: false,
        max_kept: 50_000,
        max_compared: u64::MAX,
    };
    search(&model, &bad, &facts, &entry, options, &mut Budget::unlimited(), &|_| {})
}

fn dll_program(params: &[&str], text: &str) -> Program {
    let mut p = program(&["n", "p"], params, text);
    for param in params {
        let t = now(&p, param);
        let shape = dll(&mut p, t);
        requires(&mut p, shape);
    }
    if params.len() == 2 {
        let both = apart(now(&p, params[0]), now(&p, params[1]));
        requires(&mut p, both);
    }
    let result = now(&p, "result");
    let shape = dll(&mut p, result);
    ensures(&mut p, shape);
    p
}

fn tree_program(text: &str) -> Program {
    let mut p = program(&["l", "r"], &["t"], text);
    let root = now(&p, "t");
    requires(&mut p, tree(root));
    let result = now(&p, "result");
    ensures(&mut p, tree(result));
    p
}

pub const TRAVERSE: &str = "x = l; while x { x = x.n }; return l";
pub const INSERT: &str = "t = new; t.n = l; t.p = null; if l { l.p = t }; l = t; return l";
pub const ORDERED: &str = "t = new; p = null; x = l; t.n = null; t.p = null;
    while x && ? { p = x; x = x.n };
    t.n = x; t.p = p; if x { x.p = t }; if p { p.n = t } else { l = t }; return l";
pub const MERGE: &str = "if !x { return y }; if !y { return x };
    if ? { r = x; x = x.n } else { r = y; y = y.n };
    r.p = null; u = r;
    while x && y {
      if ? { t = x; x = t.n } else { t = y; y = t.n };
      t.p = u; u.n = t; u = t };
    if x { u.n = x; x.p = u } else { u.n = y; if y { y.p = u } };
    return r";
pub const REVERSE: &str = "r = null; x = l; while x { t = x.n; x.n = r; x.p = t; r = x; x = t }; return r";
pub const SEARCH: &str = "x = t; while x && ? { if ? { x = x.l } else { x = x.r } }; return t";
pub const TREE_INSERT: &str = "if !t { t = new; t.l = null; t.r = null; return t };
    x = t;
    while ? {
      if ? { p = x.l; if !p { n = new; n.l = null; n.r = null; x.l = n; return t } }
      else { p = x.r; if !p { n = new; n.l = null; n.r = null; x.r = n; return t } };
      x = p };
    return t";

fn rows() -> Vec<(&'static str, Program)> {
    vec![
        ("traverse", dll_program(&["l"], TRAVERSE)),
        ("insert", dll_program(&["l"], INSERT)),
        ("ordered insert", dll_program(&["l"], ORDERED)),
        ("merge", dll_program(&["x", "y"], MERGE)),
        ("reverse", dll_program(&["l"], REVERSE)),
        ("tree search", tree_program(SEARCH)),
        ("tree insert", tree_program(TREE_INSERT)),
    ]
}

#[test]
fn rows_close() {
    for (name, p) in rows() {
        let (end, tally) = search_once(&p, &question(), true, false);
        assert!(matches!(end, End::Closed { .. }), "{name}: {tally:?}");
        assert_eq!(verdict(&p).word(), "verified", "{name}");
    }
}

fn verdict(p: &Program) -> Verdict {
    engine(p, &question(), &Setup::default(), &|_| {}).verdict
}

/// The text with one piece replaced, which must be there.
fn without(text: &str, piece: &str, instead: &str) -> String {
    assert!(text.contains(piece), "{piece} in {text}");
    text.replacen(piece, instead, 1)
}

#[test]
fn broken_lists_are_violated() {
    let one = |text: &str, piece: &str, instead: &str| dll_program(&["l"], &without(text, piece, instead));
    let two = |piece: &str, instead: &str| dll_program(&["x", "y"], &without(MERGE, piece, instead));
    let variants = [
        ("traverse, no null test", one(TRAVERSE, "while x {", "while ? {")),
        ("traverse advances l", one(TRAVERSE, "x = x.n", "x = x.n; l = x")),
        ("traverse writes prev", one(TRAVERSE, "x = x.n", "x.p = x; x = x.n")),
        ("traverse frees", one(TRAVERSE, "x = x.n", "free x; x = x.n")),
        ("insert, no back link", one(INSERT, "l.p = t", "")),
        ("insert, prev not set", one(INSERT, "t.p = null;", "")),
        ("insert, no null test", one(INSERT, "if l { l.p = t }", "l.p = t")),
        ("insert, next back", one(INSERT, "l.p = t", "l.p = t; l.n = t")),
        ("insert, second cell", one(INSERT, "l = t;", "l = t; u = new; u.n = null; u.p = null;")),
        ("insert, next not set", one(INSERT, "t.n = l;", "")),
        ("insert, result not set", one(INSERT, "l = t;", "")),
        ("ordered, head not set", one(ORDERED, "else { l = t }", "")),
        ("ordered, no prev", one(ORDERED, "x.p = t", "")),
        ("ordered, no next", one(ORDERED, "p.n = t", "")),
        ("ordered, no null test", one(ORDERED, "x && ?", "?")),
        ("ordered, exchanged", one(ORDERED, "t.n = x; t.p = p;", "t.n = p; t.p = x;")),
        ("merge, no prev", two("t.p = u;", "")),
        ("merge, no rest", two("else { u.n = y; if y { y.p = u } }", "")),
        ("merge, u stays", two("u = t }", "}")),
        ("merge, or", two("while x && y", "while x || y")),
        ("merge, no prev at the tail", two("u.n = x; x.p = u", "u.n = x")),
        ("reverse, no prev", one(REVERSE, "x.p = t;", "")),
        ("reverse, null", one(REVERSE, "x.n = r;", "x.n = null;")),
        ("reverse, old head", one(REVERSE, "return r", "return l")),
        ("reverse, reread", one(REVERSE, "r = x; x = t", "r = x; x = x.n")),
    ];
    for (name, p) in variants {
        assert_eq!(verdict(&p).word(), "violated", "{name}");
    }
    assert_eq!(verdict(&two("r.p = null;", "")).word(), "verified");
}

#[test]
fn broken_trees_are_violated() {
    let made = |text: &str, piece: &str, instead: &str| {
        let mut p = tree_program(&without(text, piece, instead));
        let result = now(&p, "result");
        ensures(&mut p, null_or_valid(result));
        p
    };
    let variants = [
        ("search, no null test", made(SEARCH, "x && ?", "?")),
        ("search writes left", made(SEARCH, "if ? { x = x.l }", "x.l = t; if ? { x = x.l }")),
        ("search copies a child", made(SEARCH, "if ? { x = x.l }", "y = x.l; x.r = y; if ? { x = x.l }")),
        ("search frees", made(SEARCH, "if ? { x = x.l } else { x = x.r }", "y = x; x = x.l; free y")),
        ("insert, both fields", made(TREE_INSERT, "x.l = n;", "x.l = n; x.r = n;")),
        ("insert, leaf points to the root", made(TREE_INSERT, "n.l = null;", "n.l = t;")),
        ("insert, field not set", made(TREE_INSERT, "n.r = null; x.l = n", "x.l = n")),
        (
            "insert, no test for empty",
            made(TREE_INSERT, "if !t { t = new; t.l = null; t.r = null; return t };", ""),
        ),
        ("insert, lost leaf", made(TREE_INSERT, "t.r = null; return t }", "t.r = null; return null }")),
        ("insert, early, both", tree_program(&without(EARLY, "p.l = n", "p.l = n; p.r = n"))),
        ("overwriting", tree_program(OVERWRITING)),
    ];
    for (name, p) in variants {
        assert_eq!(verdict(&p).word(), "violated", "{name}");
    }
}

/// Walks down, then overwrites a field: a tree comes out, but a subtree may be lost.
const OVERWRITING: &str = "x = t; p = null; while x && ? { p = x; if ? { x = x.l } else { x = x.r } };
    n = new; n.l = null; n.r = null;
    if !p { if !t { return n } else { free n; return t } } else { if ? { p.l = n } else { p.r = n } }; return t";

/// Allocates first and stores in the walk.
const EARLY: &str = "n = new; n.l = null; n.r = null; if !t { return n }; p = t; d = null;
    while !d {
      if ? { x = p.l; if !x { p.l = n; d = n } } else { x = p.r; if !x { p.r = n; d = n } };
      if x { p = x } };
    return t";

#[test]
fn a_root_rotation_is_no_alarm() {
    let p =
        tree_program("if !t { return t }; x = t.l; if !x { return t }; y = x.r; t.l = y; x.r = t; return x");
    assert_eq!(verdict(&p).word(), "verified");
    let lost = tree_program("if !t { return t }; x = t.l; if !x { return t }; t.l = null; x.r = t; return x");
    assert_eq!(verdict(&lost).word(), "violated");
}

#[test]
fn overwriting_insert_keeps_a_tree() {
    let p = tree_program(OVERWRITING);
    let question = Question::of_contract(0);
    let outcome = engine(&p, &question, &Setup::default(), &|_| {});
    assert_eq!(outcome.verdict.word(), "verified", "{:?}", outcome.counters);
}
