//! `catena verify --cache DIR`: what is known comes back as it was, what changed is decided again, what is damaged is not
//! believed.

use super::files::Project;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many answers were known, and how many were found, as `--stats` tells it.
fn counts(err: &str) -> (u32, u32) {
    let line = err.lines().find_map(|line| line.strip_prefix("cache: ")).expect("a line about the cache");
    let words: Vec<&str> = line.split([' ', ',']).collect();
    (words[0].parse().expect("a number"), words[3].parse().expect("a number"))
}

/// The counts, and the lines of the answers without who found them.
fn verify(p: &Project, words: &str) -> ((u32, u32), String) {
    let (_, out, err) = p.run(&format!("verify --stats --cache @/cache {words}"));
    (counts(&err), out)
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { out.extend(entries(&path)) } else { out.push(path) }
    }
    out.sort();
    out
}

/// `time_ms` differs from run to run.
fn without_time(json: &str) -> String {
    json.lines().filter(|line| !line.contains("\"time_ms\"")).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_is_known_comes_back_as_it_was() {
    let mut programs = Vec::new();
    for directory in
        ["lisbq", "pdr", "bohne", "monotone", "lazy", "edges", "beyond", "idioms", "recursion", "termination"]
    {
        let all = crate::files(&crate::root().join("tests/programs").join(directory), "c");
        programs.extend(all.into_iter().step_by(11));
    }
    let p = Project::new("cache_same", &[]);
    let (mut known, mut again) = (0, 0);
    for (i, path) in programs.iter().enumerate() {
        let termination = path.to_string_lossy().contains("termination");
        let check = if termination { "termination" } else { "memsafety,asserts,ensures" };
        let format = ["json", "text --explain", "sarif", "text --full-trace"][i % 4];
        let words = format!(
            "verify --stats --cache @/cache --jobs 1 --timeout 3 --check {check} --format {format} {}",
            path.display()
        );
        let (first, second) = (p.run(&words), p.run(&words));
        let (k, d) = counts(&second.2);
        known += k;
        if second.1.contains("too-weak") || second.1.contains("unknown") {
            continue;
        }
        again += d;
        // What is decided again may come from another engine on a busy machine.
        if d == 0 {
            let efforts = |text: &str| -> String {
                let lines = text.lines().filter(|line| !line.trim_start().starts_with("engine "));
                lines.collect::<Vec<_>>().join("\n")
            };
            let shown = |out: &str| efforts(&without_time(out));
            assert_eq!(first.0, second.0, "{}", path.display());
            assert_eq!(shown(&first.1), shown(&second.1), "{}", path.display());
        }
    }
    // Runs on the bytes of C are made again.
    assert!(known > 40 && again * 8 < known, "{known} known, {again} decided again");
}

const LIST: &str = "struct node { int data; struct node *next; };
/*@ requires \\valid(n); assigns n->data; ensures n->data == 0; @*/
void clear(struct node *n) { n->data = 0; }
static int twice(int k) { return k + k; }
/*@ requires \\valid(n); @*/
int use(struct node *n) { clear(n); return n->data; }
/*@ requires 0 <= k < 10; ensures \\result == 2 * k; @*/
int doubled(int k) { return twice(k); }
/*@ requires \\list(next, l); @*/
struct node *second(struct node *l) { return l->next; }
";

#[test]
fn what_changed_is_decided_again_and_nothing_else() {
    let p = Project::new("cache_changed", &[("list.c", LIST)]);
    let (first, out) = verify(&p, "@/list.c");
    assert_eq!(first, (0, 4), "{out}");
    let (second, again) = verify(&p, "@/list.c");
    assert_eq!((second, &again), ((4, 0), &out));
    for (what, from, to, expected) in [
        ("lines before it", "struct node {", "/* new */\n\nstruct node {", (4, 0)),
        ("the text of another function", "return l->next;", "l = l->next; return l;", (3, 1)),
        (
            "the body of a function that is called by contract",
            "{ n->data = 0; }",
            "{ n->data = 1; n->data = 0; }",
            (3, 1),
        ),
        ("its contract", "assigns n->data; ensures n->data == 0", "ensures n->data == 0", (2, 2)),
        ("the body of a function that is inlined", "return k + k;", "return 2 * k;", (3, 1)),
        ("a type", "int data;", "long data;", (1, 3)),
        ("a comment", "static int", "/* as it is */ static int", (4, 0)),
    ] {
        let text = LIST.replacen(from, to, 1);
        assert_ne!(text, LIST, "{what}");
        p.write("list.c", &text);
        let (found, out) = verify(&p, "@/list.c");
        assert_eq!(found, expected, "{what}: {out}");
        assert_eq!(verify(&p, "@/list.c").0, (4, 0), "{what}");
    }
    // A run is shown where its statements stand now.
    p.write("list.c", &format!("\n\n{LIST}"));
    let (found, out) = verify(&p, "@/list.c");
    assert_eq!(found, (4, 0));
    assert!(out.contains("list.c:12:46: null dereference through `l`"), "{out}");
}

#[test]
fn a_wrong_body_is_found_where_a_right_one_was_known() {
    let right = "/*@ requires \\valid(p); ensures *p == 1; @*/ void one(int *p) { *p = 1; }\n";
    let p = Project::new("cache_wrong", &[("one.c", right)]);
    assert!(verify(&p, "@/one.c").1.contains("one: verified"));
    p.write("one.c", &right.replace("*p = 1;", "*p = 2;"));
    let (found, out) = verify(&p, "@/one.c");
    assert!(found == (0, 1) && out.contains("one: violated"), "{out}");
}

#[test]
fn other_questions_are_not_answered() {
    let text =
        "/*@ requires \\true; @*/\nint f(int k) { int a = 0; while (k > 0) { k--; a = 1; } return a; }\n";
    let p = Project::new("cache_questions", &[("f.c", text)]);
    for words in [
        "@/f.c",
        "--engine pdr @/f.c",
        "--check overflow @/f.c",
        "--check memsafety @/f.c",
        "--malloc may-fail @/f.c",
        "--data-model ILP32 @/f.c",
        "--seed 7 @/f.c",
        "--certificate @/c @/f.c",
    ] {
        assert_eq!(verify(&p, words).0, (0, 1), "{words}");
        assert_eq!(verify(&p, words).0, (1, 0), "{words}");
    }
    // The time that is given is no part of the question.
    assert_eq!(verify(&p, "--timeout 7 --jobs 1 @/f.c").0, (1, 0));
}

#[test]
fn what_is_not_decided_is_not_kept() {
    let weak = include_str!("../programs/lisbq/reverse_acyclic-no_invariant.c");
    let unread = "void other(void);\n/*@ requires \\true; @*/\nvoid f(void) { other(); }\n";
    let p = Project::new("cache_unknown", &[("weak.c", weak), ("unread.c", unread)]);
    for (file, word) in [("weak.c", "too-weak"), ("unread.c", "unknown")] {
        for _ in 0..2 {
            let (found, out) = verify(&p, &format!("--engine vc @/{file}"));
            assert!(found == (0, 1) && out.contains(word), "{out}");
        }
    }
    assert_eq!(entries(&p.0.join("cache")).len(), 0);
}

#[test]
fn damaged_entries_are_found_again() {
    let p = Project::new("cache_damaged", &[("list.c", LIST)]);
    let (_, whole) = verify(&p, "@/list.c");
    let files = entries(&p.0.join("cache"));
    assert_eq!(files.len(), 4);
    let texts: Vec<Vec<u8>> = files.iter().map(|f| std::fs::read(f).expect("an entry")).collect();
    let repaired = |what: &str| {
        let (found, out) = verify(&p, "@/list.c");
        assert_eq!((found, &out), ((0, 4), &whole), "{what}");
        for (file, text) in files.iter().zip(&texts) {
            assert_eq!(std::fs::read(file).ok().as_ref(), Some(text), "{what}");
        }
    };
    let damage = |what: &str, change: &dyn Fn(usize) -> Vec<u8>| {
        files.iter().enumerate().for_each(|(i, file)| std::fs::write(file, change(i)).expect("a place"));
        repaired(what);
    };
    damage("nothing in it", &|_| Vec::new());
    damage("half of it", &|i| texts[i][..texts[i].len() / 2].to_vec());
    damage("no text", &|_| vec![0xff; 300]);
    damage("those of others", &|i| texts[(i + 1) % 4].clone());
    damage("the word of the verdict", &|i| {
        let text = String::from_utf8(texts[i].clone()).expect("text");
        let flipped = if text.contains("verdict verified") {
            ("verified", "violated")
        } else {
            ("violated", "verified")
        };
        text.replace(flipped.0, flipped.1).into_bytes()
    });
    for k in 0..60 {
        let at = |i: usize| k * texts[i].len() / 60;
        damage("one byte", &|i| {
            let mut text = texts[i].clone();
            let at = at(i);
            text[at] ^= 1;
            text
        });
    }
    files.iter().for_each(|file| std::fs::remove_file(file).expect("it is there"));
    repaired("no file");
}

/// A checksum that fits does not make a wrong run real.
#[test]
fn a_forged_run_is_not_believed() {
    use sha2::{Digest, Sha256};
    let p = Project::new("cache_forged", &[("list.c", LIST)]);
    let (_, whole) = verify(&p, "--function second @/list.c");
    let file = entries(&p.0.join("cache")).pop().expect("an entry");
    let text = std::fs::read_to_string(&file).expect("an entry");
    let body = text.splitn(4, '\n').nth(3).expect("a body");
    for (from, to) in [
        ("path 0", "path 1"),
        ("null dereference", "free of"),
        ("var null", "var 5"),
        ("end\n", "\n"),
        ("loop", "end"),
    ] {
        let forged = body.replace(from, to);
        let sum: String =
            Sha256::digest(forged.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        let head: Vec<&str> = text.lines().take(2).collect();
        std::fs::write(&file, format!("{}\n{}\nsum {sum}\n{forged}", head[0], head[1])).expect("a place");
        let (_, out) = verify(&p, "--function second @/list.c");
        assert_eq!(out, whole, "{from}");
    }
}

#[test]
fn what_is_known_has_its_certificate() {
    let p = Project::new("cache_certificate", &[("list.c", LIST)]);
    let words = "--certificate @/one @/list.c";
    let (first, out) = verify(&p, words);
    let one = std::fs::read(p.0.join("one")).expect("a certificate");
    assert_eq!(first, (0, 4), "{out}");
    assert_eq!(verify(&p, &words.replace("one", "two")), ((4, 0), out));
    assert_eq!(std::fs::read(p.0.join("two")).expect("a certificate"), one);
    let (status, out, err) = p.run("certify @/list.c @/two");
    assert_eq!(status, 0, "{out}{err}");
    // A proof that was changed is not handed out, even if its checksum fits.
    use sha2::{Digest, Sha256};
    for file in entries(&p.0.join("cache")) {
        let text = std::fs::read_to_string(&file).expect("an entry");
        let body = text
            .splitn(4, '\n')
            .nth(3)
            .expect("a body")
            .replace("\nproof ", "\nproof 1")
            .replace("\nproofs 0", "\nproofs 1")
            .replace("path ", "path 1");
        let sum: String = Sha256::digest(body.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        let head: Vec<&str> = text.lines().take(2).collect();
        std::fs::write(&file, format!("{}\n{}\nsum {sum}\n{body}", head[0], head[1])).expect("a place");
    }
    let (found, _) = verify(&p, &words.replace("one", "three"));
    assert_eq!(found, (0, 4));
    assert_eq!(std::fs::read(p.0.join("three")).expect("a certificate"), one);
}

#[test]
fn several_processes_share_a_directory() {
    let p = Project::new("cache_shared", &[("list.c", LIST)]);
    let run = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_catena"));
        command.arg("verify").arg("--quiet").arg("--cache").arg(p.0.join("cache")).arg(p.0.join("list.c"));
        command
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("it runs")
    };
    let lines = |out: Vec<u8>| {
        let text = String::from_utf8(out).expect("text");
        text.lines().map(|l| l.split(" (").next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let children: Vec<_> = (0..6).map(|_| run()).collect();
    let outputs: Vec<_> = children.into_iter().map(|c| c.wait_with_output().expect("it ends")).collect();
    for output in &outputs {
        assert_eq!((output.status.code(), output.stderr.len()), (Some(1), 0));
        assert_eq!(lines(output.stdout.clone()), lines(outputs[0].stdout.clone()));
    }
    // Nothing is left beside the entries.
    assert_eq!(entries(&p.0.join("cache")).len(), 4);
}

#[test]
fn a_directory_that_cannot_be_used_is_a_complaint() {
    let p = Project::new("cache_unusable", &[("list.c", LIST), ("cache", "a file")]);
    let (status, out, err) = p.run("verify --quiet --cache @/cache @/list.c");
    assert_eq!(status, 1, "{out}");
    assert!(err.contains("cache: ") && err.contains("nothing is remembered"), "{err}");
    // A place for entries that is a file.
    let p = Project::new("cache_full", &[("list.c", LIST)]);
    let places = (0..256).map(|i| format!("cache/{i:02x}"));
    places.for_each(|place| p.write(&place, ""));
    let (status, out, err) = p.run("verify --quiet --cache @/cache @/list.c");
    assert_eq!(status, 1, "{out}");
    assert!(err.contains("some answers are not kept"), "{err}");
}
