//! The seven rows of Table 1, built by hand, and what the search says about them.

use super::build::{apart, dll, ensures, now, program, requires, tree};
use crate::analysis::monotone::entry::entry_of;
use crate::analysis::monotone::exit::exit_patterns;
use crate::analysis::monotone::facts::analyse;
use crate::analysis::monotone::model::Model;
use crate::analysis::monotone::search::{End, Options, Tally, search};
use crate::analysis::monotone::text::show;
use crate::program::{Check, Program, Question};
use crate::util::limits::Budget;

fn question() -> Question {
    Question { contract: 0, checks: vec![Check::Memsafety, Check::Asserts, Check::Ensures, Check::Garbage] }
}

pub fn run(program: &Program, question: &Question, whole: bool, refined: bool) -> (End, Tally) {
    let model = Model::of(program, question).expect("supported");
    let (entry, at_entry) = entry_of(&model, question);
    let facts = analyse(&model, &at_entry);
    let mut bad = model.bad.clone();
    bad.extend(exit_patterns(&model, question, whole).expect("expressible"));
    let options = Options { refined, max_kept: 50_000 };
    let (end, tally) = search(&model, &bad, &facts, &entry, options, &mut Budget::unlimited(), &|_| {});
    if let End::Alarm(trace) = &end {
        for f in trace {
            eprintln!(
                "{:>3} {:?} {}",
                f.location,
                f.next.map(|_| model.steps[f.step].op),
                show(&f.signature, &model.names)
            );
        }
        eprintln!("{}", bad[trace[0].bad].message);
    }
    (end, tally)
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
        let start = std::time::Instant::now();
        let (end, tally) = run(&p, &question(), true, false);
        let time = start.elapsed();
        eprintln!("{name}: {tally:?} {time:?}");
        assert!(matches!(end, End::Closed(_)), "{name}: {tally:?}");
    }
}
