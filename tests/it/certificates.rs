//! Certificates of programs, from the command line: what `verify --certificate` writes is certified, for every
//! engine; what is changed is rejected.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

fn run(args: &[&str]) -> (u8, String, String) {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = catena::cli::run(&args, &mut out, &mut err).expect("output is written");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (status, text(out), text(err))
}

fn place(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn program(name: &str) -> PathBuf {
    crate::root().join("tests/programs").join(name)
}

fn shown(path: &Path) -> &str {
    path.to_str().expect("a path in Unicode")
}

/// The certificate that an engine writes; the status is that of `verify`.
fn written(file: &Path, options: &[&str], name: &str) -> (u8, String, String) {
    let out = place(&format!("{name}.cert"));
    let mut args = vec!["verify", "--quiet", "--certificate", shown(&out)];
    args.extend(options);
    args.push(shown(file));
    let (status, _, err) = run(&args);
    (status, std::fs::read_to_string(&out).expect("it was written"), err)
}

/// Status and first line of `certify` for a text.
fn certify(file: &Path, text: &[u8], name: &str) -> (u8, String) {
    let path = place(&format!("{name}.changed.cert"));
    std::fs::write(&path, text).expect("a place for test files");
    let (status, out, err) = run(&["certify", shown(file), shown(&path)]);
    (status, out + &err)
}

#[test]
fn what_every_engine_writes_is_certified() {
    let rows = [
        ("lisbq/slist_add.c", "vc", 0),
        ("lisbq/reverse_acyclic.c", "vc", 0),
        ("lisbq/slist_add-wrong_result.c", "vc", 1),
        ("pdr/reverse.c", "pdr", 0),
        ("pdr/delete_all.c", "pdr", 0),
        ("pdr/filter_bug1.c", "pdr", 1),
        // Chains of a field are followed along another one; a parameter is moved that the contract speaks of.
        ("beyond/pdr_dll_last.c", "pdr", 0),
        ("beyond/pdr_dll_main.c", "pdr", 0),
        ("beyond/monotone_copy.c", "pdr", 0),
        ("monotone/reverse.c", "monotone", 0),
        ("monotone/traverse.c", "monotone", 0),
        ("beyond/monotone_deal_global.c", "monotone", 0),
        ("monotone/reverse-reread.c", "monotone", 1),
        ("lazy/simple-wrong_value.c", "lazy", 1),
        ("lazy/simple.c", "lazy", 0),
        ("lazy/list_flag.c", "lazy", 0),
        ("lisbq/slist_add.c", "auto", 0),
        ("pdr/delete.c", "auto", 0),
    ];
    for (file, engine, expected) in rows {
        let path = program(file);
        let name = format!("{}.{engine}", file.replace('/', "_"));
        let (status, text, err) = written(&path, &["--engine", engine], &name);
        assert_eq!(status, expected, "{file} {engine}: {err}");
        let (status, out) = certify(&path, text.as_bytes(), &name);
        // What was only tried on instances is no proof.
        let (right, word) = if text.contains("\nannotation ") { (2, "tested") } else { (0, "certified") };
        assert_eq!(status, right, "{file} {engine}: {out}");
        let verdict = if expected == 0 { "verified" } else { "violated" };
        assert!(out.contains(&format!(": {word}: {verdict}, ")), "{file} {engine}: {out}");
        assert!(["lazy", "monotone"].contains(&engine) || word == "certified", "{file} {engine}: {out}");
    }
}

/// All must be rejected, none may be unreadable or end in a panic.
fn rejected(file: &Path, name: &str, original: &str, changed: &[(&str, String)]) {
    for (what, text) in changed {
        assert_ne!(text, original, "{what}");
        let (status, out) = certify(file, text.as_bytes(), name);
        assert_eq!(status, 1, "{what}: {out}");
        assert!(out.contains("rejected: "), "{what}: {out}");
    }
}

/// The text with the `n`th line that begins with `start` changed.
fn line(text: &str, start: &str, n: usize, change: impl Fn(&str) -> String) -> String {
    let mut seen = 0;
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        if line.starts_with(start) {
            seen += 1;
            if seen == n + 1 {
                out.push_str(&change(line));
                continue;
            }
        }
        out.push_str(line);
    }
    assert!(seen > n, "there is such a line: {start}");
    out
}

#[test]
fn changed_proofs_are_rejected() {
    let file = program("pdr/delete_all.c");
    let (status, text, _) = written(&file, &["--engine", "pdr", "--behavior", "freed"], "changed_proofs");
    assert_eq!(status, 0);
    // The other behaviours of the function have no certificate.
    let (status, out) = certify(&file, text.as_bytes(), "changed_proofs");
    assert!(status == 2 && out.contains("[freed]: certified: verified, "), "{out}");
    let drop_line = |start: &str, n| line(&text, start, n, |_| String::new());
    let invariant = |from: &str, to: &str| line(&text, "invariant ", 0, |l| l.replace(from, to));
    // The first proof is left out, with the count as it was and corrected.
    let proofs: usize =
        text.lines().find_map(|l| l.strip_prefix("proofs ")).expect("proofs").parse().expect("N");
    let (start, second) = (text.find("\nproof ").expect("a proof"), text.find(")\nproof ").expect("another"));
    let fewer = format!("{}{}", &text[..start], &text[second + 1..]);
    let corrected = fewer.replace(&format!("proofs {proofs}\n"), &format!("proofs {}\n", proofs - 1));
    let other_loop = text.replace("\nloop 0\n", "\nloop 1\n");
    let both = line(&text, "invariant ", 0, |_| "invariant h == NULL\n".to_owned());
    let both = line(&both, "formula ", 0, |_| "formula (== h (null \"struct node\"))\n".to_owned());
    let changed = [
        ("empty", String::new()),
        ("other header", text.replacen("certificates", "certificate", 1)),
        ("half of it", text[..text.len() / 2].to_owned()),
        ("the last line is missing", text[..text.len() - 4].to_owned()),
        ("something follows", format!("{text}\n")),
        ("none is announced", text.replacen("certificates 1", "certificates 0", 1)),
        ("more are announced", text.replacen("certificates 1", "certificates 2", 1)),
        ("another function", text.replacen("function ", "function x", 1)),
        ("another behaviour", line(&text, "checks ", 0, |l| format!("behavior b\n{l}"))),
        ("fewer checks", line(&text, "checks ", 0, |_| "checks memsafety\n".to_owned())),
        ("more checks", line(&text, "checks ", 0, |l| l.replace('\n', " leaks\n"))),
        ("no checks", line(&text, "checks ", 0, |_| "checks\n".to_owned())),
        ("unknown checks", line(&text, "checks ", 0, |_| "checks all\n".to_owned())),
        ("another verdict", text.replace("\nverdict verified\n", "\nverdict violated\n")),
        ("another loop", other_loop),
        ("the invariant people read", invariant("invariant ", "invariant !")),
        ("an invariant is left out", line(&drop_line("invariant ", 0), "formula ", 0, |_| String::new())),
        ("half an invariant is left out", drop_line("formula ", 0)),
        ("an invariant and its text", both),
        ("a proof is left out", fewer),
        ("a proof and its number", corrected),
        ("a proof is empty", line(&text, "proof ", 0, |_| "proof 0\n\n".to_owned())),
        ("a step is left out", drop_line(" (", 3)),
    ];
    rejected(&file, "changed_proofs", &text, &changed);
    // Evidence of another kind, and no text at all.
    let head: String = text.split_inclusive('\n').take_while(|l| !l.starts_with("loop ")).collect();
    let other = |evidence: &str| format!("{head}{evidence}end\n");
    let kinds = [
        ("a run of the whole program", other("run 10\n")),
        ("signatures", other("annotation monotone 0\n")),
        ("a language that nobody knows", other("annotation magic 0\n")),
        ("no proofs", other("proofs 0\n")),
    ];
    rejected(&file, "changed_proofs", &text, &kinds);
    assert_eq!(certify(&file, &[0, 159, 146, 150], "changed_proofs").0, 1);
    // Another program: the same function, broken.
    let source = std::fs::read_to_string(&file).expect("readable");
    for (from, to) in [("free(h);", ""), ("h->n;", "h->n->n;"), ("h = t;", "")] {
        let twin = place("delete_all_twin.c");
        assert!(source.contains(from));
        std::fs::write(&twin, source.replace(from, to)).expect("a place for test files");
        let (status, out) = certify(&twin, text.as_bytes(), "changed_proofs");
        assert_eq!(status, 1, "{from}: {out}");
    }
    assert_eq!(certify(&program("pdr/reverse.c"), text.as_bytes(), "changed_proofs").0, 1);
    // Files that are not there, and a file that is no C.
    assert_eq!(run(&["certify", shown(&file), shown(&place("nowhere.cert"))]).0, 65);
    assert_eq!(run(&["certify", "nowhere.c", shown(&place("changed_proofs.cert"))]).0, 65);
    std::fs::write(place("no.c"), "int f( {").expect("a place");
    assert_eq!(certify(&place("no.c"), text.as_bytes(), "changed_proofs").0, 65);
    assert_eq!(run(&["certify", "a.txt", "b"]).0, 64);
}

#[test]
fn changed_runs_are_rejected() {
    let file = program("lisbq/dlist_remove-one_way.c");
    let (status, text, _) = written(&file, &[], "changed_runs");
    assert_eq!(status, 1);
    assert_eq!(certify(&file, text.as_bytes(), "changed_runs").0, 0);
    let changed = [
        ("a step is left out", line(&text, "path ", 0, |l| l.replacen(" 1 ", " ", 1))),
        (
            "a shorter path",
            line(&text, "path ", 0, |l| format!("{}\n", &l[..l.trim_end().rfind(' ').expect("steps")])),
        ),
        ("an edge that is not there", line(&text, "path ", 0, |l| l.replace("path ", "path 999 "))),
        ("steps left out", text.replace("\nomitted 0\n", "\nomitted 1\n")),
        ("more choices", line(&text, "choices", 0, |l| l.replace('\n', " 7\n"))),
        ("another failure", line(&text, "failure ", 0, |l| l.replace("failure ", "failure memsafety "))),
        ("another message", line(&text, "failure ", 0, |l| l.replace('\n', "!\n"))),
        ("another verdict", text.replace("\nverdict violated\n", "\nverdict verified\n")),
        ("a cell that is not there", text.replace("\nvar #", "\nvar #9")),
        ("a freed cell", text.replace("cell heap", "cell freed")),
        ("no cells", line(&text, "cell ", 0, |_| String::new())),
        ("no null", line(&text, "null", 0, |_| String::new())),
        ("a variable too many", line(&text, "var ", 0, |l| format!("{l}{l}"))),
        ("not asked", line(&text, "checks ", 0, |_| "checks memsafety\n".to_owned())),
    ];
    rejected(&file, "changed_runs", &text, &changed);
    // The run does not break the right program.
    assert_eq!(certify(&program("lisbq/dlist_remove.c"), text.as_bytes(), "changed_runs").0, 1);
}

#[test]
fn changed_signatures_are_rejected() {
    // No engine finds invariants of trees without a field that leads to the father.
    let file = program("monotone/tree_search.c");
    let (status, text, _) = written(&file, &["--engine", "monotone"], "changed_signatures");
    assert_eq!(status, 0);
    let count: usize = text
        .lines()
        .find_map(|l| l.strip_prefix("annotation monotone "))
        .expect("an annotation")
        .parse()
        .expect("a number");
    let numbered = format!("annotation monotone {count}\n");
    let (head, rest) = text.split_once(&numbered).expect("the annotation");
    let mut lines: Vec<&str> = rest.lines().collect();
    assert_eq!(lines.pop(), Some("end"));
    let with =
        |lines: &[&str]| format!("{head}annotation monotone {}\n{}\nend\n", lines.len(), lines.join("\n"));
    let changed = [
        ("nothing is excluded", format!("{head}annotation monotone 0\nend\n")),
        ("too few lines", text.replace(&numbered, "annotation monotone 999999\n")),
        ("too many lines", text.replace(&numbered, "annotation monotone 1\n")),
        ("another engine", text.replace("annotation monotone ", "annotation heaps ")),
        ("garbage", with(&["garbage"])),
        ("half", with(&lines[..lines.len() / 2])),
    ];
    rejected(&file, "changed_signatures", &text, &changed);
    assert_eq!(certify(&program("monotone/tree_search-frees.c"), text.as_bytes(), "changed_signatures").0, 1);
}

#[test]
fn the_way_of_reading_belongs_to_the_certificate() {
    let text = "#include <stdlib.h>\n#include <assert.h>\n\
        struct node { struct node *next; };\n\
        int main(void) { struct node *n = malloc(sizeof *n); n->next = NULL; assert(sizeof(long) == 8); return 0; }\n";
    let file = place("reading.c");
    std::fs::write(&file, text).expect("a place for test files");
    let (status, text, _) = written(&file, &[], "reading");
    assert_eq!(status, 0);
    let (status, out) = certify(&file, text.as_bytes(), "reading");
    assert!(status == 0 && out.contains("its only run, of "), "{out}");
    for (what, from, to) in [
        ("malloc may fail", "LP64 never-fails", "LP64 may-fail"),
        ("another data model", "LP64 never-fails", "ILP32 never-fails"),
        ("no such model", "LP64 never-fails", "LP65 never-fails"),
        ("another length", "\nruns 1 ", "\nruns 1 1"),
        ("another number of runs", "\nruns 1 ", "\nruns 2 "),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        assert_eq!(certify(&file, changed.as_bytes(), "reading").0, 1, "{what}");
    }
    // Under another option the verdict is another one, and its certificate says so.
    let (status, text, _) = written(&file, &["--malloc", "may-fail"], "reading");
    assert_eq!(status, 1);
    let (status, out) = certify(&file, text.as_bytes(), "reading");
    assert!(status == 0 && out.contains("malloc may fail"), "{out}");
}

#[test]
fn without_evidence_there_is_no_certificate() {
    // Nothing is shown for `unknown` and `too-weak`; the status is that of the verdict.
    let file = program("lisbq/iterate-missing_invariant.c");
    let (status, text, _) = written(&file, &["--engine", "vc"], "nothing");
    assert_eq!((status, text.as_str()), (2, "catena certificates 0\n"));
    let (status, out) = certify(&file, text.as_bytes(), "nothing");
    assert_eq!(status, 1);
    assert!(out.contains("there is no certificate in it"), "{out}");
    // A place that cannot be written to is noticed before any work.
    let (status, out, err) = run(&["verify", "--certificate", "/", shown(&file)]);
    assert_eq!((status, out.as_str()), (64, ""), "{err}");
}
