//! `catena verify` from the outside: verdicts, texts, JSON, exit statuses.

use serde_json::Value;
use std::ffi::OsString;
use std::path::PathBuf;

use crate::files::without_summary;

/// Writes a file and verifies it; time is replaced, the directory is taken away.
fn verify(name: &str, text: &[u8], options: &[&str]) -> (u8, String, String) {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = directory.join(name);
    // Another test may be reading the same text.
    if std::fs::read(&file).ok().as_deref() != Some(text) {
        std::fs::write(&file, text).expect("a place for test files");
    }
    let mut args: Vec<OsString> = vec!["verify".into()];
    args.extend(options.iter().map(OsString::from));
    args.push(file.into());
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = catena::cli::run(&args, &mut out, &mut err).expect("output is written");
    let clean = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes).expect("text");
        text.replace(&format!("{}/", directory.display()), "")
    };
    (status, without_time(&clean(out)), clean(err))
}

/// `(vc, 12 ms)` becomes `(vc, T)`.
pub(super) fn without_time(text: &str) -> String {
    let is_time = |text: &str| {
        let number = text.strip_suffix(" ms)\n").or_else(|| text.strip_suffix(" s)\n"));
        number.is_some_and(|n| n.parse::<f64>().is_ok())
    };
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        match line.rsplit_once(", ") {
            Some((head, tail)) if is_time(tail) => {
                out.push_str(head);
                out.push_str(", T)\n");
            }
            _ => out.push_str(line),
        }
    }
    out
}

const SECOND: &str = "struct node { int key; struct node *next; };
/*@ requires \\valid(x) && \\list(next, x);
    ensures \\result == x->next->key;
@*/
int second(struct node *x)
{
  struct node *y = x->next;
  return y->key;
}
";

#[test]
fn a_violation_is_shown_step_by_step() {
    let (status, out, err) = verify("second.c", SECOND.as_bytes(), &["--engine", "vc"]);
    assert_eq!(err, "");
    let expected = "second.c:second: violated (vc, T)
    second.c:8:10: null dereference through `y`
    at entry: x → ⟨x⟩{key=0} → NULL
    second.c:7:20: struct node *y = x->next;    [y = NULL]
    second.c:8:10: return y->key;    [fails]
    there: x → ⟨x⟩{key=0} → NULL    y = NULL
";
    assert_eq!(out, expected);
    assert_eq!(status, 1);
}

#[test]
fn a_contract_is_verified() {
    let fixed = SECOND.replace("requires", "requires x->next != NULL;\n    requires");
    let fixed =
        fixed.replace("requires x->next != NULL;\n    requires", "requires x != NULL && x->next != NULL &&");
    let (status, out, err) = verify("second_fixed.c", fixed.as_bytes(), &["--quiet"]);
    assert_eq!((status, out.as_str(), err.as_str()), (0, "second_fixed.c:second: verified (vc, T)\n", ""));
}

const SUM: &str = "#include <assert.h>
#include <stdlib.h>
struct node { int key; struct node *next; };
int main(void)
{
  struct node *h = NULL;
  for (int i = 0; i < 10; i++) {
    struct node *n = malloc(sizeof *n);
    n->key = i;
    n->next = h;
    h = n;
  }
  int sum = 0;
  while (h) {
    struct node *n = h->next;
    sum += h->key;
    free(h);
    h = n;
  }
  assert(sum == 45);
  return 0;
}
";

#[test]
fn a_program_without_input_is_run() {
    let (status, out, _) = verify("sum.c", SUM.as_bytes(), &["--explain"]);
    let expected = "sum.c:main: verified (paths, T)
    signed arithmetic on unbounded values occurs: runs that overflow are outside the claim
    the program has one path, which was followed to its end
    engine paths: queries 0, obligations 1
";
    assert_eq!((status, out.as_str()), (0, expected));
    let wrong = SUM.replace("sum == 45", "sum != 45");
    let (status, out, _) = verify("sum_wrong.c", wrong.as_bytes(), &[]);
    assert_eq!(status, 1, "{out}");
    assert!(out.starts_with("sum_wrong.c:main: violated (paths, T)\n    sum_wrong.c:20:"), "{out}");
    assert!(out.contains("[sum = 45]") && out.contains(" is freed"), "{out}");
    let leaking = SUM.replace("    free(h);\n", "");
    let (status, out, _) = verify("sum_leak.c", leaking.as_bytes(), &["--check", "leaks"]);
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("a cell of `struct node` is leaked"), "{out}");
}

#[test]
fn json_has_all_fields() {
    let (status, out, _) = verify("second_json.c", SECOND.as_bytes(), &["--format", "json"]);
    assert_eq!(status, 1);
    let answers: Value = serde_json::from_str(&out).expect("JSON");
    let answer = &answers[0];
    for field in ["file", "function", "engine", "verdict", "reason", "checks", "time_ms", "trace"] {
        assert!(!answer[field].is_null(), "{field} in {out}");
    }
    for field in ["behavior", "invariant"] {
        assert!(answer.get(field).is_some_and(Value::is_null), "{field} in {out}");
    }
    let stats = "queries frames clauses predicates instances conflicts signatures refinements cache_hits";
    for field in stats.split(' ') {
        assert!(answer["stats"].get(field).is_some(), "{field} in {out}");
    }
    assert_eq!(answer["verdict"], "violated");
    let last = answer["trace"].as_array().and_then(|t| t.last()).expect("steps");
    assert_eq!(last["failure"]["check"], "memsafety");
}

#[test]
fn exit_statuses() {
    let status = |name: &str, text: &str, options: &[&str]| verify(name, text.as_bytes(), options).0;
    assert_eq!(status("broken.c", "int f( {", &[]), 65);
    assert_eq!(verify("binary.c", &[0, 159, 146, 150], &[]).0, 65);
    assert_eq!(status("nothing.c", "int f(void) { return 1; }\n", &[]), 2);
    assert_eq!(status("second.c", SECOND, &["--function", "third"]), 64);
    assert_eq!(status("second.c", SECOND, &["--behavior", "b"]), 64);
    assert_eq!(status("second.c", SECOND, &["--check", "everything"]), 64);
    assert_eq!(status("second.c", SECOND, &["--engine", "magic"]), 64);
    assert_eq!(status("second.c", SECOND, &["--format", "html"]), 64);
    assert_eq!(status("second.c", SECOND, &["--jobs", "0"]), 64);
    let odd = "union u { int i; void *p; };\n/*@ ensures \\result == 1; @*/\nint f(union u x) { x.i = 1; return x.i; }\n";
    let (status, out, err) = verify("union.c", odd.as_bytes(), &[]);
    assert_eq!(status, 2, "{out}{err}");
    assert!(out.starts_with("union.c:f: unknown (front end, "), "{out}");
    let missing: Vec<OsString> = ["verify", "no_such_file.c"].map(OsString::from).to_vec();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    assert_eq!(catena::cli::run(&missing, &mut out, &mut err).expect("written"), 65);
}

#[test]
fn the_competition_reads_the_last_line() {
    let head = "#include <stdlib.h>\n#include <assert.h>\nvoid reach_error(void);\n\
        extern int __VERIFIER_nondet_int(void);\nstruct node { int d; struct node *next; };\nstruct node *kept;\n";
    let rows = [
        ("unreach-call", "if (__VERIFIER_nondet_int() > 3) reach_error();", "false(unreach-call)", 1),
        ("unreach-call", "int x = __VERIFIER_nondet_int(); assert(x == 0); if (x) reach_error();", "true", 0),
        ("unreach-call", "struct node *n = NULL; if (__VERIFIER_nondet_int()) n->d = 1; ", "true", 0),
        (
            "valid-memsafety",
            "struct node *n = malloc(sizeof *n); free(n); n->d = 1;",
            "false(valid-deref)",
            1,
        ),
        ("valid-memsafety", "struct node *n = malloc(sizeof *n); free(n); free(n);", "false(valid-free)", 1),
        ("valid-memsafety", "struct node *n = malloc(sizeof *n); n = NULL;", "false(valid-memtrack)", 1),
        ("valid-memsafety", "struct node *n = malloc(sizeof *n); n->next = NULL; free(n);", "true", 0),
        ("valid-memcleanup", "struct node *n = malloc(sizeof *n); n->d = 1;", "false(valid-memcleanup)", 1),
        ("valid-memcleanup", "kept = malloc(sizeof *kept); kept->next = NULL;", "false(valid-memcleanup)", 1),
    ];
    for (i, (property, body, expected, status)) in rows.into_iter().enumerate() {
        let text = format!("{head}int main(void) {{ {body} return 0; }}\n");
        let (found, out, err) =
            verify(&format!("competition{i}.c"), text.as_bytes(), &["--svcomp", property]);
        let last = out.lines().last().unwrap_or_default();
        assert_eq!((last, found), (format!("VERDICT: {expected}").as_str(), status), "{body}: {out}{err}");
    }
    let (_, out, _) =
        verify("competition_none.c", b"int f(void) { return 1; }\n", &["--svcomp", "unreach-call"]);
    assert_eq!(out, "VERDICT: unknown(there is no function main)\n");
    assert_eq!(verify("second.c", SECOND.as_bytes(), &["--svcomp", "no-data-race"]).0, 64);
}

#[test]
fn limits_of_time_and_memory_are_kept() {
    // Squares modulo a prime never come to this number, as running shows: that is beyond the engines.
    let text = "#include <stdlib.h>\n#include <assert.h>\nstruct node { struct node *next; long d; };\n\
        int main(void) { struct node *h = NULL; long i = 0;\n\
        while (i != 1000002) { struct node *n = malloc(sizeof *n); n->next = h; n->d = i; h = n;\n\
        i = (h->d * h->d + 7) % 1000003; }\n\
        assert(h->d == 5); return 0; }\n";
    let start = std::time::Instant::now();
    let (status, out, _) = verify("for_ever.c", text.as_bytes(), &["--timeout", "3", "--memory", "64"]);
    let took = start.elapsed();
    assert!(status == 2 && (out.contains("limit") || out.contains("deadline")), "{out}");
    assert!(took.as_secs_f64() < 6.0, "{took:?}");
}

#[test]
fn two_runs_give_the_same_bytes() {
    let options = ["--jobs", "2", "--check", "memsafety,asserts,ensures,leaks"];
    for (name, text) in [("second.c", SECOND), ("sum.c", SUM)] {
        assert_eq!(verify(name, text.as_bytes(), &options), verify(name, text.as_bytes(), &options));
    }
}

/// Each file of the tutorial is written, each command of it run, and its output compared.
#[test]
fn the_tutorial_is_true() {
    for page in ["docs/verify.md", "docs/infer.md"] {
        page_is_true(page);
    }
}

fn page_is_true(page: &str) {
    let page = std::fs::read_to_string(crate::root().join(page)).expect("the page");
    let mut files: Vec<(String, String)> = Vec::new();
    let mut commands = 0;
    for block in page.split("```").skip(1).step_by(2) {
        let (head, body) = block.split_once('\n').expect("a fence line");
        if let Some(name) = head.strip_prefix("c ") {
            files.push((name.to_owned(), body.to_owned()));
        } else if head == "console" {
            let (command, expected) = body.split_once('\n').expect("a command and its output");
            let words = command.strip_prefix("$ catena ").expect("a command").split(' ');
            let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
            let mut args: Vec<OsString> = Vec::new();
            for word in words {
                if let Some((name, text)) = files.iter().find(|(n, _)| n == word) {
                    std::fs::write(directory.join(name), text).expect("a place for test files");
                }
                let is_file = word.ends_with(".c") || word.ends_with(".cert");
                args.push(if is_file { directory.join(word).into() } else { word.into() });
            }
            let (mut out, mut err) = (Vec::new(), Vec::new());
            catena::cli::run(&args, &mut out, &mut err).expect("output is written");
            let clean = |bytes: Vec<u8>| {
                let text = String::from_utf8(bytes).expect("text");
                text.replace(&format!("{}/", directory.display()), "")
            };
            assert_eq!(
                (without_time(&clean(out)).as_str(), without_summary(&clean(err)).as_str()),
                (expected, ""),
                "{command}"
            );
            commands += 1;
        }
    }
    assert!(commands >= 3, "the page has lost its commands");
}

/// Forty link writes or branches in a row.
#[test]
fn long_chains_are_decided() {
    const N: usize = 40;
    let head = "#include <stdlib.h>\nstruct node { int key; struct node *next; };\n";
    let lines = |line: &dyn Fn(usize) -> String| (0..N).map(line).collect::<String>();
    let build = format!(
        "{head}/*@ ensures \\list(next, \\result); @*/\nstruct node *f(void) {{\n  struct node *h = NULL, *n;\n{}  \
         return h;\n}}\n",
        lines(&|i| format!("  n = malloc(sizeof *n); n->key = {i}; n->next = h; h = n;\n"))
    );
    let parameters: Vec<String> = (0..=N).map(|i| format!("struct node *x{i}")).collect();
    let apart: Vec<String> = (0..=N).flat_map(|i| (0..i).map(move |j| format!("x{i} != x{j}"))).collect();
    let link = format!(
        "{head}/*@ requires {};\n    requires {};\n    ensures x0 -next*-> x{N}; @*/\nvoid f({}) {{\n{}}}\n",
        lines(&|i| format!("\\valid(x{i}) && ")) + "\\true",
        apart.join(" && "),
        parameters.join(", "),
        lines(&|i| format!("  x{i}->next = x{};\n", i + 1))
    );
    let conditions: Vec<String> = (0..N).map(|i| format!("int c{i}")).collect();
    let branches = format!(
        "{head}/*@ requires \\list(next, x) && \\list(next, y) && x != NULL && y != NULL;\n    \
         ensures \\list(next, x); ensures \\result >= 0; @*/\nint f(struct node *x, struct node *y, {}) {{\n  int s = 0;\n{}  \
         return s;\n}}\n",
        conditions.join(", "),
        lines(&|i| format!("  if (c{i}) {{ s++; x->next = NULL; }} else y->next = NULL;\n"))
    );
    for (name, text) in [("build.c", build), ("link.c", link), ("branches.c", branches)] {
        let (status, out, err) = verify(name, text.as_bytes(), &["--engine", "vc", "--timeout", "20"]);
        assert_eq!((status, err.as_str()), (0, ""), "{out}");
        assert_eq!(out, format!("{name}:f: verified (vc, T)\n"));
    }
}

/// What is missing is named, and with it the function is verified.
#[test]
fn a_missing_invariant_is_named() {
    let text = "struct node { int key; struct node *next; };
/*@ requires \\list(next, x);
    ensures \\list(next, \\result);
@*/
struct node *reverse(struct node *x)
{
  struct node *y = 0;
  /*@ loop invariant \\list(next, x) && \\stable(next, x) && \\list(next, y); @*/
  while (x != 0) { struct node *t = x->next; x->next = y; y = x; x = t; }
  return y;
}
";
    let (status, out, _) = verify("hint.c", text.as_bytes(), &["--engine", "vc"]);
    assert_eq!(status, 2, "{out}");
    let hints: Vec<&str> = out.split('`').filter(|part| part.starts_with("loop invariant ")).collect();
    assert!(out.contains("too-weak") && out.contains("with it this follows"), "{out}");
    assert_eq!(
        hints,
        ["loop invariant \\disjoint(\\cells(next, x, NULL), \\cells(next, y, NULL));"],
        "{out}"
    );
    let pasted = text.replace("/*@ loop", &format!("/*@ {}\n      loop", hints[0]));
    let (status, out, _) = verify("hinted.c", pasted.as_bytes(), &["--engine", "vc"]);
    assert_eq!(status, 0, "{out}");
}

/// The twins that lack an invariant get a proposal, all of them.
#[test]
fn twins_without_an_invariant_get_a_proposal() {
    let mut count = 0;
    for directory in ["lisbq", "beyond"] {
        let path = crate::root().join("tests/programs").join(directory);
        let mut files: Vec<_> =
            std::fs::read_dir(path).expect("a directory").map(|e| e.expect("a file").path()).collect();
        files.sort();
        for file in files.iter().filter(|f| f.to_string_lossy().ends_with("-missing_invariant.c")) {
            let text = std::fs::read(file).expect("a program");
            let (_, out, _) = verify("twin.c", &text, &["--engine", "vc"]);
            assert!(out.contains("`loop invariant "), "{}: {out}", file.display());
            count += 1;
        }
    }
    assert!(count >= 10, "{count}");
}

/// Functions with n writes in a row along a list: `%` is the number of the step.
fn straight(n: usize, step: &str, requires: &str, last: &str) -> String {
    let mut text = "struct node { struct node *next; };\n".to_owned();
    let not_null: String = (0..=2 * n).map(|i| format!(" && x{} != 0", "->next".repeat(i))).collect();
    text.push_str(&format!(
        "/*@ requires \\list(next, x){not_null}{requires};\n    ensures \\list(next, \\result); @*/\n"
    ));
    text.push_str("struct node *f(struct node *x)\n{\n  struct node *y = 0, *t = x;\n");
    (0..n).for_each(|_| text.push_str(step));
    text.push_str(&format!("  return {last};\n}}\n"));
    text
}

/// Rewriting a list cell by cell is decided however long it goes on, and a fault at its end is found.
#[test]
fn many_writes_along_a_list_are_followed() {
    let reverse = "  t = x->next; x->next = y; y = x; x = t;\n";
    let skip = "  t->next = t->next->next; t = t->next;\n";
    let same = "  t->next = t->next; t = t->next;\n";
    for (name, step, last) in [("reverse.c", reverse, "y"), ("skip.c", skip, "x"), ("same.c", same, "x")] {
        let (status, out, _) = verify(name, straight(10, step, "", last).as_bytes(), &["--engine", "vc"]);
        assert_eq!(status, 0, "{out}");
    }
    let ring = straight(3, reverse, "", "y").replace("  return", "  x->next = y; y->next = x;\n  return");
    let (status, out, _) = verify("ring.c", ring.as_bytes(), &["--engine", "vc"]);
    assert!(status != 0 && !out.contains(": verified"), "{out}");
}

/// `void *` is copied and compared; parameters may be declared after the parentheses.
#[test]
fn opaque_pointers_and_old_definitions() {
    let text = "#include <stdlib.h>
struct item { struct item *next; void *what; };
/*@ requires \\list(next, l);
    ensures \\list(next, \\result) && \\result->what == what && \\result->next == l; @*/
struct item *push(l, what)
  struct item *l;
  void *what;
{
  struct item *i = malloc(sizeof *i);
  i->next = l;
  i->what = what;
  return i;
}
/*@ requires \\list(next, l) && l != NULL;
    ensures \\result == \\old(l->what); @*/
void *top(struct item *l) { return l->what; }
/*@ requires l != NULL;
    ensures \\result == NULL; @*/
void *wrong(struct item *l) { return l->what; }
";
    let (status, out, err) = verify("opaque.c", text.as_bytes(), &[]);
    assert_eq!((status, without_summary(&err).as_str()), (1, ""), "{out}");
    for line in ["push: verified", "top: verified", "wrong: violated"] {
        assert!(out.contains(line), "{out}");
    }
}

/// A contract that nobody can satisfy is verified, and somebody is told.
#[test]
fn contradictory_preconditions_are_pointed_out() {
    let text = "struct node { struct node *next; };
/*@ requires x == 1 && x == 2;
    ensures \\result == 7; @*/
int never(int x) { return x; }
/*@ requires \\list(next, l) && l -next+-> l;
    ensures \\result == 7; @*/
int ring(struct node *l) { return 3; }
/*@ requires x == 1 || x == 2;
    ensures \\result == x; @*/
int fine(int x) { return x; }
";
    let (status, out, err) = verify("vacuous.c", text.as_bytes(), &["--engine", "vc"]);
    assert_eq!((status, out.matches(": verified").count()), (0, 3), "{out}");
    assert_eq!(err.matches("warning[vacuous]").count(), 2, "{err}");
    assert!(err.contains("vacuous.c:2:") && err.contains("vacuous.c:5:"), "{err}");
}

/// What a wrong directive left out may be anywhere in the file.
#[test]
fn nothing_is_verified_in_a_file_with_wrong_directives() {
    for line in ["#include <nowhere.h>", "#error unknown machine", "#if 1"] {
        let text = format!("int main(void) {{ return 0; }}\n{line}\n");
        let (status, out, err) = verify("directive.c", text.as_bytes(), &[]);
        assert!(status == 65 && !out.contains(": verified") && err.contains("directive.c:2:"), "{out}{err}");
    }
}
