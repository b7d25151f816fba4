//! Every way a program can end, times everything it can hold there, times every property: the verdicts are computed
//! here from what DESIGN 6 says of ends, not by the program.

use std::ffi::OsString;
use std::path::Path;

/// A way to end: its name, the statement (in `main` or in a function that `main` calls), and what it is.
struct Way {
    name: &'static str,
    statement: &'static str,
    kind: Kind,
    in_callee: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `main` returns.
    Return,
    /// `exit`, `abort`: the program ends, locals are alive.
    Stop,
    /// A failed `assert`.
    Assert,
    /// An error function.
    Error,
    /// It never ends.
    Never,
    /// A label that looks like an error, and then `main` returns.
    Label,
}

const WAYS: [Way; 13] = [
    Way { name: "return", statement: "return 0;", kind: Kind::Return, in_callee: false },
    Way { name: "exit", statement: "exit(0);", kind: Kind::Stop, in_callee: false },
    Way { name: "exit_below", statement: "exit(1);", kind: Kind::Stop, in_callee: true },
    Way { name: "abort", statement: "abort();", kind: Kind::Stop, in_callee: false },
    Way { name: "abort_below", statement: "abort();", kind: Kind::Stop, in_callee: true },
    Way { name: "assert", statement: "assert(0);", kind: Kind::Assert, in_callee: false },
    Way { name: "assert_below", statement: "assert(zero != 0);", kind: Kind::Assert, in_callee: true },
    Way { name: "error", statement: "reach_error();", kind: Kind::Error, in_callee: false },
    Way { name: "error_below", statement: "__VERIFIER_error();", kind: Kind::Error, in_callee: true },
    Way { name: "checked", statement: "__VERIFIER_assert(zero);", kind: Kind::Error, in_callee: false },
    Way { name: "loop", statement: "while (1) ;", kind: Kind::Never, in_callee: false },
    Way { name: "loop_below", statement: "again: goto again;", kind: Kind::Never, in_callee: true },
    Way { name: "label", statement: "goto ERROR; ERROR: return 0;", kind: Kind::Label, in_callee: false },
];

/// What became of the cells: statements before the end, whether a cell is lost, is held by locals only, is held at all.
struct Situation {
    name: &'static str,
    before: &'static str,
    lost: bool,
    held_by_local: bool,
    allocated: bool,
}

const SITUATIONS: [Situation; 7] = [
    Situation { name: "nothing", before: "", lost: false, held_by_local: false, allocated: false },
    Situation {
        name: "freed",
        before: "p = malloc(sizeof *p); free(p);",
        lost: false,
        held_by_local: false,
        allocated: false,
    },
    Situation {
        name: "local",
        before: "p = malloc(sizeof *p); p->next = NULL;",
        lost: false,
        held_by_local: true,
        allocated: true,
    },
    Situation {
        name: "second",
        before: "p = malloc(sizeof *p); p->next = malloc(sizeof *p); p->next->next = NULL;",
        lost: false,
        held_by_local: true,
        allocated: true,
    },
    Situation {
        name: "global",
        before: "root = malloc(sizeof *root); root->next = NULL;",
        lost: false,
        held_by_local: false,
        allocated: true,
    },
    Situation {
        name: "overwritten",
        before: "p = malloc(sizeof *p); p = NULL;",
        lost: true,
        held_by_local: false,
        allocated: true,
    },
    Situation {
        name: "scope",
        before: "{ struct n *q = malloc(sizeof *q); q->next = NULL; }",
        lost: true,
        held_by_local: false,
        allocated: true,
    },
];

/// The program. Declarations of the held pointer stand in the function that ends the program.
fn program(way: &Way, situation: &Situation, open: bool) -> String {
    let body = format!("  struct n *p = NULL;\n  {}\n  {}\n", situation.before, way.statement);
    let guard = if open { "  if (__VERIFIER_nondet_int()) return 0;\n" } else { "" };
    let head = "#include <stdlib.h>\n#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
        extern void reach_error(void);\nextern void __VERIFIER_error(void);\n\
        extern void __VERIFIER_assert(int);\n\
        struct n { struct n *next; };\nstatic struct n *root;\nstatic int zero;\n";
    if way.in_callee {
        format!(
            "{head}static void below(void) {{\n{body}}}\nint main(void) {{\n{guard}  below();\n  return 0;\n}}\n"
        )
    } else {
        format!("{head}int main(void) {{\n{guard}{body}}}\n")
    }
}

/// What is right.
fn expected(way: &Way, situation: &Situation, property: &str) -> &'static str {
    let ends = way.kind != Kind::Never;
    let returns = matches!(way.kind, Kind::Return | Kind::Label);
    match property {
        "unreach-call" => match way.kind {
            Kind::Error | Kind::Label => "false(unreach-call)",
            _ => "true",
        },
        // Locals of `main` die when it returns; elsewhere they are alive.
        "valid-memsafety" if situation.lost || situation.held_by_local && returns => "false(valid-memtrack)",
        "valid-memsafety" => "true",
        "valid-memcleanup" if situation.allocated && ends => "false(valid-memcleanup)",
        _ => "true",
    }
}

fn verdict(file: &Path, property: &str) -> String {
    let mut args: Vec<OsString> =
        ["verify", "--quiet", "--timeout", "60", "--svcomp"].map(OsString::from).to_vec();
    args.extend([property.into(), file.into()]);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    catena::cli::run(&args, &mut out, &mut err).expect("output is written");
    let out = String::from_utf8(out).expect("text");
    out.lines().last().and_then(|line| line.strip_prefix("VERDICT: ")).unwrap_or("nothing").to_owned()
}

#[test]
fn every_end_holds_what_it_should() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut wrong = Vec::new();
    for way in &WAYS {
        for situation in &SITUATIONS {
            for open in [false, true] {
                let name = format!("end_{}_{}_{open}.c", way.name, situation.name);
                let file = directory.join(&name);
                let text = program(way, situation, open);
                std::fs::write(&file, &text).expect("a place for test files");
                for property in ["unreach-call", "valid-memsafety", "valid-memcleanup"] {
                    let (found, right) = (verdict(&file, property), expected(way, situation, property));
                    // A run without end that loses nothing needs an engine; it may give up, but not be wrong.
                    let undecided = way.kind == Kind::Never && found.starts_with("unknown(");
                    if found != right && !undecided {
                        wrong.push(format!("{name} {property}: {found}, not {right}\n{text}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
