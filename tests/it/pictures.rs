//! `verify --report`, `verify --dot` and `solve --picture` from outside: what is written, and what happens if it
//! cannot be. How the page behaves is tried in a browser by `tests/clients/browser_client.py`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

fn run(args: &[&Path]) -> (u8, String, String) {
    let args: Vec<OsString> = args.iter().map(|a| a.as_os_str().to_owned()).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = catena::cli::run(&args, &mut out, &mut err).expect("output is written");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (status, text(out), crate::files::without_summary(&text(err)))
}

/// An empty directory of this test's own.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("pictures-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a place for test files");
    path
}

fn verify(directory: &Path, name: &str, source: &str, option: &str, to: &Path) -> (u8, String, String) {
    let file = directory.join(name);
    std::fs::write(&file, source).expect("a place for test files");
    run(&[Path::new("verify"), Path::new(option), to, &file])
}

const UNLINK: &str = r"
struct node { int key; struct node *prev; struct node *next; };

/*@ requires \valid(x) && \valid(y) && \valid(z) && x != z && x->next == y && y->next == z && z->next == NULL;
    requires x->prev == NULL && y->prev == x && z->prev == y;
    ensures  x->next->prev == x; @*/
void unlink_second(struct node *x, struct node *y, struct node *z)
{
  x->next = z;
  y->next = NULL; // z->prev is forgotten
}

/*@ requires \valid(e); ensures e->next == l; @*/
void push(struct node *l, struct node *e) { e->next = l; }
";

/// The text of the elements of a page with this class, without tags.
fn texts(page: &str, class: &str) -> Vec<String> {
    let begin = format!("class=\"{class}\"");
    let texts = page.split(&begin).skip(1).filter_map(|rest| rest.split_once('>'));
    texts.map(|(_, rest)| rest.split('<').next().unwrap_or_default().to_owned()).collect()
}

/// Without the numbers before `ms` and `s`.
fn without_times(text: &str) -> Vec<&str> {
    let words: Vec<&str> = text.split([' ', '<', ',']).collect();
    let is_time = |i: usize| words.get(i + 1).is_some_and(|unit| ["ms", "s"].contains(unit));
    (0..words.len()).filter(|i| !is_time(*i)).map(|i| words[i]).collect()
}

#[test]
fn a_page_shows_source_run_and_heap() {
    let directory = directory("page");
    let page = directory.join("page.html");
    let (status, out, err) = verify(&directory, "unlink.c", UNLINK, "--report", &page);
    assert_eq!((status, err.as_str()), (1, ""), "{out}");
    let text = std::fs::read_to_string(&page).expect("it is written");
    assert_eq!(text.matches("<article ").count(), 2);
    assert!(text.contains("<title>1 violated, 1 verified - Catena</title>"));
    assert!(text.contains("default-src &#39;none&#39;") || text.contains("default-src 'none'"));
    // The three cells, by their names, and the variables on them.
    let titles = texts(&text, "title");
    for name in ["x", "y", "z"] {
        assert!(titles.iter().any(|t| t == name), "{titles:?}");
        assert!(texts(&text, "tagname").iter().any(|t| t == name));
    }
    // The contract, the run and the source with its comment.
    assert!(text.contains("<li>ensures x-&gt;next-&gt;prev == x;</li>"), "{text}");
    assert!(text.contains("<code>x-&gt;next = z;</code>"));
    assert!(text.contains("// z-&gt;prev is forgotten"));
    assert!(text.contains("fails here"));
    // Both directions of the list are drawn, and what was changed.
    assert!(text.contains("<g class=\"next new\">") && text.contains("<g class=\"back\">"), "{text}");
    // The same bytes again, but for times.
    let again = directory.join("again.html");
    verify(&directory, "unlink.c", UNLINK, "--report", &again);
    let second = std::fs::read_to_string(&again).expect("it is written");
    assert_eq!(without_times(&text), without_times(&second));
}

/// What the input says never becomes part of the page, a picture or a graph.
#[test]
fn hostile_text_stays_text() {
    let directory = directory("hostile");
    let source = "/* </style><script>alert(1)</script> ]]> --> */\nstruct node { int key; struct node *next; };\n\
        /*@ requires \\list(next, l); @*/ /* \"><img src=x onerror='alert(1)'> \u{202e}\u{2066} \u{1b}[31m */\n\
        int first(struct node *l) { return /* </code></article><script>alert(2)</script> */ l->key; }\n";
    let name = "a\"><script>alert(3)</script>'&\u{202e}.c".replace('/', "∕");
    let page = directory.join("page.html");
    let (status, out, _) = verify(&directory, &name, source, "--report", &page);
    assert_eq!(status, 1, "{out}");
    let text = std::fs::read_to_string(&page).expect("it is written");
    assert_eq!(text.matches("<script").count(), 1);
    assert_eq!(text.matches("</style").count(), 1);
    assert_eq!(text.matches("<img").count(), 0);
    assert_eq!(text.matches("<article").count(), text.matches("</article").count());
    assert!(!text.contains(['\u{202e}', '\u{2066}', '\u{1b}', '\0']));
    assert!(text.contains("\\u{202e}") && text.contains("&lt;script&gt;alert(2)"), "it is shown");
    let graphs = directory.join("graphs");
    let (status, _, err) = verify(&directory, &name, source, "--dot", &graphs);
    assert_eq!((status, err.as_str()), (1, ""));
    for file in crate::files(&graphs, "dot") {
        let text = std::fs::read_to_string(file).expect("it is written");
        assert!(!text.contains("<script") && !text.contains(['\u{202e}', '\u{1b}']), "{text}");
    }
}

/// The verdict is printed and the status is that of the verdict, whatever becomes of the report.
#[test]
fn what_cannot_be_written_is_said() {
    let directory = directory("unwritable");
    let missing = directory.join("no such directory").join("page.html");
    let (plain, expected, _) = verify(&directory, "unlink.c", UNLINK, "--timeout", Path::new("60"));
    let told =
        |out: &str| out.lines().filter(|l| l.contains(": violated") || l.contains(": verified")).count();
    let mut targets =
        vec![("--report", missing), ("--report", directory.clone()), ("--dot", directory.join("unlink.c"))];
    if Path::new("/dev/full").exists() {
        targets.push(("--report", PathBuf::from("/dev/full")));
    }
    for (option, target) in targets {
        let (status, out, err) = verify(&directory, "unlink.c", UNLINK, option, &target);
        assert_eq!((status, told(&out)), (plain, told(&expected)), "{out}");
        assert!(
            err.contains(&format!("{}: no ", target.display())) && err.contains("the verdicts stand"),
            "{err}"
        );
    }
    let script = directory.join("model.smt2");
    std::fs::write(&script, "(declare-const x Int)\n(check-sat)\n").expect("a place for test files");
    let (status, out, err) = run(&[Path::new("solve"), Path::new("--picture"), &directory, &script]);
    assert_eq!((status, out.as_str()), (0, "sat\n"));
    assert!(err.contains("no picture was written"), "{err}");
}

/// Two hundred functions, half of them wrong: under two megabytes.
#[test]
fn a_large_page_is_small() {
    use std::fmt::Write;
    let directory = directory("large");
    let mut source = "struct node { int key; struct node *next; struct node *prev; };\n".to_owned();
    for i in 0..200 {
        let wrong = if i % 2 == 0 { "" } else { "  y->next = x;\n" };
        let _ = write!(
            source,
            "/*@ requires \\valid(x) && \\valid(y) && x != y;\n    ensures x->next == y && y->next == NULL; @*/\n\
             void link{i}(struct node *x, struct node *y)\n{{\n  x->next = y;\n  y->prev = x;\n  y->next = NULL;\n{wrong}}}\n"
        );
    }
    let page = directory.join("page.html");
    let (status, _, err) = verify(&directory, "many.c", &source, "--report", &page);
    assert_eq!((status, err.as_str()), (1, ""));
    let text = std::fs::read_to_string(&page).expect("it is written");
    assert_eq!(text.matches("<article ").count(), 200);
    assert!(text.len() < 2_000_000, "{}", text.len());
}

/// Every state of the run is a graph that Graphviz reads, where there is one.
#[test]
fn graphs_are_read_by_graphviz() {
    let directory = directory("graphs");
    let graphs = directory.join("out");
    let (status, _, err) = verify(&directory, "unlink.c", UNLINK, "--dot", &graphs);
    assert_eq!((status, err.as_str()), (1, ""));
    let files = crate::files(&graphs, "dot");
    assert!(files.len() >= 3, "{files:?}");
    for file in &files {
        let text = std::fs::read_to_string(file).expect("it is written");
        assert!(text.starts_with("digraph") && text.contains("PORT=\"f1\""), "{text}");
        match Command::new("dot").arg("-Tsvg").arg(file).output() {
            Ok(done) => {
                let said = String::from_utf8_lossy(&done.stderr).into_owned();
                assert!(done.status.success() && !said.contains("syntax"), "{said}\n{text}");
            }
            Err(_) => eprintln!("SKIPPED: `dot -Tsvg` of {}: there is no Graphviz", file.display()),
        }
    }
}

#[test]
fn a_model_is_drawn() {
    let directory = directory("model");
    let script = directory.join("model.smt2");
    let text = "(declare-sort Cell 0)\n(declare-fun next (Cell) Cell)\n(declare-fun |key<&| (Cell) Int)\n\
        (declare-const x Cell)\n(declare-const y Cell)\n(declare-const n Int)\n(assert ((_ reach next) x y))\n\
        (assert (not (= x y)))\n(assert (= (|key<&| x) 17))\n(assert (= n 4))\n(check-sat)\n";
    std::fs::write(&script, text).expect("a place for test files");
    let picture = directory.join("model.svg");
    let call = |script: &Path| run(&[Path::new("solve"), Path::new("--picture"), &picture, script]);
    assert_eq!(call(&script), (0, "sat\n".to_owned(), String::new()));
    let svg = std::fs::read_to_string(&picture).expect("it is written");
    assert!(svg.starts_with("<svg ") && svg.contains("<g class=\"next\">"), "{svg}");
    for label in ["x", "y", "n"] {
        assert!(texts(&svg, "tagname").iter().any(|t| t == label), "{label}: {svg}");
    }
    assert!(svg.contains("key&lt;&amp;") && svg.contains(">17<"), "{svg}");
    // The heap of separation logic.
    let heap = "(set-logic ALL)\n(declare-sort Loc 0)\n(declare-heap (Loc Loc))\n(declare-const a Loc)\n\
        (declare-const b Loc)\n(assert (sep (pto a b) (pto b (as nil Loc))))\n(check-sat)\n";
    std::fs::write(&script, heap).expect("a place for test files");
    assert_eq!(call(&script), (0, "sat\n".to_owned(), String::new()));
    let svg = std::fs::read_to_string(&picture).expect("it is written");
    assert!(svg.contains("class=\"ground\"") && svg.contains("class=\"way\""), "{svg}");
    // Without a model there is no picture, and that is said.
    std::fs::remove_file(&picture).expect("it was there");
    std::fs::write(&script, "(assert false)\n(check-sat)\n").expect("a place for test files");
    let (status, out, err) = call(&script);
    assert_eq!((status, out.as_str()), (0, "unsat\n"));
    assert!(err.contains("not written, the last check was not sat") && !picture.exists(), "{err}");
}
