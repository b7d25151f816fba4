//! `catena solve` and `catena certify` from outside: documents, bad input, models and proofs that read back.

use crate::{files, root};
use catena::cli::solve::Certifier;
use catena::frontend::smtlib::dialogue::{Dialogue, Response};
use catena::frontend::smtlib::proof::Problem;
use catena::frontend::smtlib::stream::Stream;
use catena::testing::scripts::{Logic, script};
use catena::util::rng::Rng;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a dialogue prints, every answer certified.
pub(crate) fn talk(text: &[u8]) -> String {
    let mut dialogue = Dialogue::default();
    dialogue.set_judge(Box::new(Certifier));
    let mut stream = Stream::new(text);
    let mut out = String::new();
    while let Some(chunk) = stream.next_chunk().expect("a slice is readable") {
        let response = dialogue.read(chunk);
        assert!(!matches!(response, Response::Internal(_)), "{response:?}");
        out += &dialogue.print(&response);
        if response == Response::Exit {
            break;
        }
    }
    out
}

/// Runs the program in this process.
fn catena(args: &[&str]) -> (u8, String, String) {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = catena::cli::run(&args, &mut out, &mut err).expect("writing to memory");
    (status, String::from_utf8(out).expect("text"), String::from_utf8(err).expect("text"))
}

/// A file that goes away.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, content: &[u8]) -> Temporary {
        let path = std::env::temp_dir().join(format!("catena-{}-{name}", std::process::id()));
        std::fs::write(&path, content).expect("a writable directory");
        Temporary(path)
    }
    fn path(&self) -> &str {
        self.0.to_str().expect("a plain name")
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn the_dialogues_of_the_documents() {
    let text = std::fs::read_to_string(root().join("docs/solve.md")).expect("the page");
    let mut blocks = 0;
    for part in text.split("```smt2\n").skip(1) {
        let (script, rest) = part.split_once("```\n").expect("a closed block");
        let (_, expected) = rest.split_once("```text\n").expect("an answer");
        let (expected, _) = expected.split_once("```").expect("a closed block");
        assert_eq!(talk(script.as_bytes()), expected, "{script}");
        blocks += 1;
    }
    assert!(blocks >= 8, "{blocks} blocks");
}

#[test]
fn bad_input_is_answered_and_the_dialogue_goes_on() {
    let digits = format!("(assert (= i {}))", "9".repeat(10_000));
    let cases: &[(&[u8], &str)] = &[
        (b"(frob)", "1:2: expected a known command, found frob"),
        (b"(assert)", "expected (assert formula), found a list of 1 elements"),
        (b"(assert (f i j))", "f: expected 1 argument"),
        (b"(assert (f q))", "expected"),
        (b"(assert (= i q))", "expected"),
        (b"(assert nobody)", "1:9: expected a declared symbol, found nobody"),
        (b"(assert i)", "expected a formula, found sort Int"),
        (b")", "expected a command, found ')'"),
        (b"hello", "expected a command, found hello"),
        (b"()", "expected a command, found ()"),
        (b"(assert \xff)", "1:9: expected UTF-8 text, found the byte 0xff"),
        (b"(assert :b)", "expected a term"),
        (b"(assert (forall () q))", "expected at least one variable"),
        (b"(declare-fun g (Nowhere) Int)", "expected a declared sort, found Nowhere"),
        (b"(declare-const i Int)", "i"),
        (b"(push x)", "expected a numeral"),
        (b"(pop 99999999999999999999999)", "expected a smaller number"),
        (b"(push 4000000000)", "at most"),
        (b"(get-model)", "there is no model"),
        (b"(get-unsat-core)", "produce-unsat-cores"),
        (b"(get-proof)", "there is no proof"),
        (b"(get-value (i))", "there is no model"),
        (b"(set-option :print-success maybe)", "expected true or false"),
        (b"(check-sat-assuming (i))", "expected a formula"),
        (b"(assert (= \0 i))", "expected"),
        (b"(declare-fun @div3 (Int) Int)", "@div3, which is reserved"),
        (b"(assert (= i (ite q i)))", "ite: expected 3 arguments, found 2"),
        (b"(assert (not q q))", "not: expected 1 arguments, found 2"),
        (b"(assert (let ((v 1) (v 2)) q))", "bound twice"),
        (b"(define-fun g ((a Int)) Bool a)", "expected sort Bool, found Int"),
    ];
    for (bad, expected) in cases {
        let mut text = b"(declare-const i Int)(declare-const j Int)(declare-const q Bool)".to_vec();
        text.extend(b"(declare-fun f (Int) Int)(assert (< i j))\n");
        // The bad command stands on a line of its own, and lines count from it.
        let mut script = bad.to_vec();
        script.splice(0..0, text);
        script.extend(b"\n(check-sat)(assert (< j i))(check-sat)");
        let out = talk(&script);
        let lines: Vec<&str> = out.lines().collect();
        let shown = String::from_utf8_lossy(bad);
        let expected = expected.replace("1:", "2:");
        assert!(lines[0].starts_with("(error \"2:") && lines[0].contains(&expected), "{shown}: {out}");
        let harmless = ["(get-", "(set-option", "(pop", "(check-sat-assuming"];
        let after = if harmless.iter().any(|word| shown.starts_with(word)) { "sat" } else { "unknown" };
        assert_eq!(lines[1..], [after, "unsat"], "{shown}");
    }
    assert_eq!(talk("\u{feff}(check-sat)\r\n(check-sat)\r\n".as_bytes()), "sat\nsat\n");
    for fine in ["(set-logic QF_BV)", "(set-option :frob 3)", "(get-info :frob)"] {
        assert_eq!(talk(fine.as_bytes()), "unsupported\n", "{fine}");
    }
    assert_eq!(
        talk(format!("(declare-const i Int){digits}(check-sat)(assert (< i 0))(check-sat)").as_bytes()),
        "sat\nunsat\n"
    );
}

#[test]
fn interpolants_between_named_assertions() {
    let start = "(declare-sort S 0)(declare-fun f (S) S)(declare-const a S)(declare-const b S)(declare-const c S)
        (declare-const x Int)(declare-const y Int)(declare-const z Int)
        (assert (! (= a b) :named A))(assert (! (= b c) :named B))(assert (! (not (= (f a) (f c))) :named C))";
    let ask = |more: &str| talk(format!("{start}{more}").as_bytes());
    assert_eq!(ask("(check-sat)(get-interpolants A B C)"), "unsat\n((= a b)\n (= a c))\n");
    assert_eq!(ask("(check-sat)(get-interpolants (and A B) C)"), "unsat\n((= a c))\n");
    let sums =
        "(push)(assert (! (<= x y) :named D))(assert (! (< y z) :named E))(assert (! (<= z x) :named F))";
    assert_eq!(
        ask(&format!("{sums}(check-sat)(get-interpolants D E F)")),
        "unsat\n((<= (+ x (* (- 1) y)) 0)\n (<= (+ x (* (- 1) z)) (- 1)))\n"
    );
    for (wrong, complaint) in [
        ("(check-sat)(get-interpolants A)", "at least two groups"),
        ("(check-sat)(get-interpolants A nobody)", "expected the name of an assertion, found nobody"),
        ("(check-sat)(get-interpolants A (or B C))", "expected a name, or (and name ...)"),
        ("(get-interpolants A B)", "the last check was not unsat"),
        ("(check-sat)(get-interpolants A B)", "the groups alone are not refuted"),
    ] {
        let out = ask(wrong);
        assert!(out.contains("(error ") && out.contains(complaint), "{wrong}: {out}");
    }
}

/// Even on one side, odd on the other; the answers can be read again.
#[test]
fn interpolants_speak_of_divisibility() {
    let start = "(declare-const x Int)(declare-const y Int)(declare-const z Int)(declare-const |a ) b| Int)";
    let asks = [
        ("(= x (* 2 y))", "(= x (+ 1 (* 2 z)))"),
        ("(= (mod x 6) 3)", "(= x (* 2 z))"),
        ("(= |a ) b| (* 3 y))", "(= (mod |a ) b| 3) 1)"),
        ("(and (<= (* 3 y) x) (<= x (+ 1 (* 3 y))))", "(= x (+ 2 (* 3 z)))"),
        ("(or (= x (* 4 y)) (= x (+ 2 (* 4 y))))", "(not (= (div (+ x 1) 2) (div x 2)))"),
        ("(and (= x (div y 3)) (< 5 y 9))", "(or (< x 1) (= x (+ 5 (* 4 z))))"),
    ];
    for (a, b) in asks {
        let named =
            format!("(assert (! {a} :named A))(assert (! {b} :named B))(check-sat)(get-interpolants A B)");
        let out = talk(format!("{start}{named}").as_bytes());
        let text = out.strip_prefix("unsat\n(").unwrap_or_else(|| panic!("{a}, {b}: {out}"));
        assert!(!text.contains("error") && !text.contains('@'), "{a}, {b}: {out}");
        let found = text.trim_end().strip_suffix(')').expect("a list");
        for question in
            [format!("(assert {a})(assert (not {found}))"), format!("(assert {b})(assert {found})")]
        {
            assert_eq!(talk(format!("{start}{question}(check-sat)").as_bytes()), "unsat\n", "{out}");
        }
    }
}

/// What is in order but not ours might exclude the model that we find; a refutation stays one.
#[test]
fn after_a_refused_command_sat_is_unknown() {
    let cases = [
        "(declare-const r Real)",
        "(declare-const a (Array Int Int))",
        "(declare-const b (_ BitVec 8))",
        "(assert (= (* i i) 4))",
        "(assert (= (div 4 i) 4))",
        "(assert (= (to_real i) 1.5))",
        "(assert (= #b1 #b1))",
        "(assert ((_ is cons) i))",
        "(assert (= (_ bv1 8) (_ bv1 8)))",
        "(assert (bvult i i))",
        "(assert (match i ((x true))))",
        "(assert (= (lambda ((x Int)) x) i))",
        "(declare-const g (-> Int Int))",
        "(define-fun-rec g ((n Int)) Int (g n))",
    ];
    for refused in cases {
        let text = format!("(declare-const i Int)(push){refused}(check-sat)(get-info :reason-unknown)");
        let more = "(push)(assert false)(check-sat)(pop)(pop)(check-sat)";
        let out = talk(format!("{text}{more}").as_bytes());
        let lines: Vec<&str> = out.lines().collect();
        assert!(lines[0].starts_with("(error \"1:"), "{refused}: {out}");
        assert!(lines[2].contains("this was refused"), "{refused}: {out}");
        assert_eq!([lines[1], lines[3], lines[4]], ["unknown", "unsat", "sat"], "{refused}: {out}");
    }
}

#[test]
fn large_input_is_read() {
    let mut text = String::from("(declare-const p Bool)\n");
    for i in 0..20_000 {
        text += &format!("(declare-const |x {i}| Int) ; a comment\n(assert (or p (< |x {i}| {i})))\n");
    }
    text += "(check-sat)(assert (not p))(check-sat)";
    assert!(text.len() > 1_000_000);
    assert_eq!(talk(text.as_bytes()), "sat\nsat\n");
}

#[test]
fn quotients_have_values_that_nobody_asked_about_before() {
    let text = "(declare-const x Int)(assert (= x (- 5)))(assert (! (= (mod x 3) 1) :named odd))(check-sat)
        (get-value ((div x 3) (mod x 4) (div x (- 4)) (mod x (- 4)) (div (div x 2) 2) ((_ divisible 5) x)))
        (get-assignment)(get-model)";
    let expected = "sat
(((div x 3) (- 2)) ((mod x 4) 3) ((div x (- 4)) 2) ((mod x (- 4)) 3) ((div (div x 2) 2) (- 2)) \
        (((_ divisible 5) x) true))
((odd true))
(
(define-fun x () Int (- 5))
)
";
    assert_eq!(talk(text.as_bytes()), expected);
}

#[test]
fn exit_status_tells_errors() {
    let good = Temporary::new("good.smt2", b"(check-sat)\n(set-logic QF_BV)");
    let bad = Temporary::new("bad.smt2", b"(check-sat)\n(frob)\n(check-sat)\n(assert (and true");
    assert_eq!(catena(&["solve", good.path()]), (0, "sat\nunsupported\n".to_owned(), String::new()));
    let (status, out, _) = catena(&["solve", "--check", bad.path()]);
    assert_eq!(status, 65);
    let expected = "sat\n(error \"3:2: expected a known command, found frob\")\nunknown\n";
    assert_eq!(out.replace("2:2: ", "3:2: ").split("(error \"4").next(), Some(expected));
    assert_eq!(catena(&["solve", "--frob"]).0, 64);
    assert_eq!(catena(&["solve", "/nowhere/at/all.smt2"]).0, 65);
    assert!(catena(&["solve", "--help"]).1.contains("(get-unsat-core)"));
}

#[test]
fn answers_come_one_by_one() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_catena"))
        .args(["solve", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("piped");
    let mut answers = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut ask = |command: &str| {
        // No newline: a command ends with its parenthesis.
        input.write_all(command.as_bytes()).expect("it listens");
        input.flush().expect("it listens");
        answers.next().expect("an answer").expect("text")
    };
    assert_eq!(ask("(declare-const p Bool)(assert p)(check-sat)"), "sat");
    assert_eq!(ask("(get-value (p))"), "((p true))");
    assert_eq!(ask("(nonsense)"), "(error \"1:60: expected a known command, found nonsense\")");
    assert_eq!(ask("(assert (not p))(check-sat)"), "unsat");
    assert_eq!(ask("(echo \"a \"\"b\"\"\")(exit)"), "\"a \"\"b\"\"\"");
    assert_eq!(child.wait().expect("it ends").code(), Some(65));
}

#[test]
fn deep_input_is_as_good_as_flat() {
    let depth = 100_000;
    let text = format!(
        "(declare-const p Bool)(assert {}p{})(check-sat){}",
        "(not ".repeat(depth),
        ")".repeat(depth),
        "(".repeat(depth)
    );
    let out = talk(text.as_bytes());
    assert!(out.starts_with("sat\n(error \"1:"), "{}", &out[..200.min(out.len())]);
    let mut lets = String::from("(declare-const p Bool)(declare-const q Bool)(assert ");
    for i in 0..10_000 {
        lets += &format!(
            "(let ((v{} (and {v} (or q {v})))) ",
            i + 1,
            v = if i == 0 { "p".to_owned() } else { format!("v{i}") }
        );
    }
    lets += &format!("v10000{})(check-sat)", ")".repeat(10_000));
    assert_eq!(talk(lets.as_bytes()), "sat\n");
}

/// The declarations of sorts, everything else that is declared, and the assertions of a script.
fn parts(text: &str) -> (String, String) {
    let mut stream = Stream::new(text.as_bytes());
    let (mut sorts, mut asserted) = (String::new(), String::new());
    while let Some(chunk) = stream.next_chunk().expect("a slice") {
        let chunk = chunk.expect("a well-formed file");
        let word =
            chunk.text.trim_start_matches('(').split_whitespace().next().unwrap_or_default().to_owned();
        match word.as_str() {
            "declare-sort" | "define-sort" => sorts += &chunk.text,
            "assert" | "define-fun" | "define-const" => asserted += &chunk.text,
            _ => {}
        }
    }
    (sorts, asserted)
}

#[test]
fn models_read_back_as_input() {
    let mut n_models = 0;
    for file in files(&root().join("tests/data"), "smt2") {
        let text = std::fs::read_to_string(&file).expect("readable");
        if !text.starts_with("; expected: sat") || text.len() > 20_000 {
            continue;
        }
        let out = talk(format!("{text}\n(get-model)").as_bytes());
        let Some((_, model)) = out.split_once("sat\n(\n") else { panic!("{}: {out}", file.display()) };
        let commands = model.trim_end().strip_suffix(')').expect("a list");
        let (sorts, asserted) = parts(&text);
        let again = talk(format!("{sorts}{commands}{asserted}(check-sat)").as_bytes());
        assert_eq!(again, "sat\n", "{}", file.display());
        n_models += 1;
    }
    assert!(n_models >= 10, "{n_models}");
}

#[test]
fn models_of_random_scripts_read_back() {
    let mut n_models = 0;
    for logic in Logic::ALL {
        for seed in 0..20 {
            let text = script(logic, seed);
            let limit = "(set-option :reproducible-resource-limit 100000)";
            let out = talk(format!("{limit}{text}(get-model)").as_bytes());
            let Some(model) = out.strip_prefix("sat\n(\n") else { continue };
            let commands = model.trim_end().strip_suffix(')').expect("a list");
            let (sorts, asserted) = parts(&text);
            let again = talk(format!("{sorts}{commands}{asserted}(check-sat)").as_bytes());
            assert_eq!(again, "sat\n", "{text}");
            n_models += 1;
        }
    }
    assert!(n_models >= 50, "{n_models}");
}

/// Files of ours that are unsat, with their proofs as text.
fn proofs() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for file in files(&root().join("tests/data"), "smt2") {
        let text = std::fs::read_to_string(&file).expect("readable");
        if !text.starts_with("; expected: unsat") || text.len() > 5_000 {
            continue;
        }
        let out = talk(format!("(set-option :produce-proofs true){text}\n(get-proof)").as_bytes());
        if let Some((_, proof)) = out.split_once("unsat\n(proof") {
            found.push((file, format!("(proof{proof}")));
        }
    }
    assert!(found.len() >= 10, "{}", found.len());
    found
}

/// Whether the program certifies the proof for the script.
fn certifies(script: &str, proof: &str) -> bool {
    let mut problem = Problem::read(script.as_bytes()).expect("a slice").expect("a check");
    problem.read_proof(proof).is_ok_and(|proof| {
        catena::certify::check_proof(&problem.terms, &problem.assertions, &problem.assumptions, &proof)
            .is_ok()
    })
}

#[test]
fn proofs_are_certified_and_tampered_ones_are_not() {
    let mut rng = Rng::new(4);
    let (mut n_changed, mut n_needed) = (0, 0);
    for (file, proof) in proofs() {
        let script = std::fs::read_to_string(&file).expect("readable");
        assert!(certifies(&script, &proof), "{}", file.display());
        // The same proof without an assertion that it uses.
        let lines: Vec<&str> = proof.lines().collect();
        for (at, _) in lines.iter().enumerate().filter(|(_, line)| line.starts_with(" (assertion")) {
            let mut fewer = lines.clone();
            fewer.remove(at);
            n_needed += usize::from(!certifies(&script, &fewer.join("\n")));
        }
        // Of a script without any assertion nothing follows, whatever is done to the proof.
        let (sorts, _) = parts(&script);
        let empty: String = script.lines().filter(|l| l.starts_with("(declare-")).collect();
        let empty = if empty.is_empty() { sorts } else { empty };
        for _ in 0..30 {
            let changed = tamper(&proof, &mut rng);
            assert!(!certifies(&format!("{empty}(check-sat)"), &changed), "{}: {changed}", file.display());
            n_changed += 1;
        }
    }
    assert!(n_changed >= 300 && n_needed >= 10, "{n_changed} {n_needed}");
}

/// A few changes to the text of a proof: lines dropped, doubled or exchanged, tokens replaced by others.
fn tamper(proof: &str, rng: &mut Rng) -> String {
    let mut lines: Vec<String> = proof.lines().map(str::to_owned).collect();
    for _ in 0..=rng.below(2) {
        let at = rng.below(lines.len());
        let other = rng.below(lines.len());
        match rng.below(4) {
            0 if lines.len() > 2 => drop(lines.remove(at)),
            1 => lines.swap(at, other),
            2 => lines.insert(at, lines[other].clone()),
            _ => {
                let words: Vec<String> = lines[other].split(' ').map(str::to_owned).collect();
                let mut mine: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
                let place = rng.below(mine.len());
                mine[place] = words[rng.below(words.len())].clone();
                lines[at] = mine.join(" ");
            }
        }
    }
    lines.join("\n")
}

#[test]
fn certify_on_the_command_line() {
    let script = root().join("tests/data/readme_list.smt2");
    let script = script.to_str().expect("a plain name");
    let proof = Temporary::new("readme.proof", b"");
    let (status, out, err) = catena(&["solve", "--check", "--proof", proof.path(), script]);
    assert_eq!((status, out.as_str(), err.as_str()), (0, "unsat\n", ""));
    let (status, out, _) = catena(&["certify", script, proof.path()]);
    assert!(status == 0 && out.starts_with("certified: "), "{out}");
    let text = std::fs::read_to_string(&proof.0).expect("written");
    let other = Temporary::new("other.proof", text.replacen("(assertion", "(assume", 1).as_bytes());
    let (status, out, _) = catena(&["certify", script, other.path()]);
    assert!(status == 1 && out.starts_with("rejected: "), "{out}");
    let other = Temporary::new("cut.proof", &text.as_bytes()[..text.len() / 2]);
    assert_eq!(catena(&["certify", script, other.path()]).0, 1);
    assert_eq!(catena(&["certify", script, "/nowhere/at/all"]).0, 65);
    assert_eq!(catena(&["certify", script]).0, 64);
    assert_eq!(catena(&["certify", "x.txt", proof.path()]).0, 64);
}

#[test]
fn proofs_about_the_heap_are_about_the_translation() {
    let script = root().join("tests/data/sep/compose_nil.smt2");
    let script = script.to_str().expect("a plain name");
    let proof = Temporary::new("heap.proof", b"");
    let (status, out, err) = catena(&["solve", "--proof", proof.path(), script]);
    assert_eq!((status, out.lines().last(), err.as_str()), (0, Some("unsat"), ""));
    let (status, out, _) = catena(&["certify", script, proof.path()]);
    assert!(status == 0 && out.contains("translation of the heap"), "{out}");
    // The same proof for the problem with an open end, which does not hold.
    let other = root().join("tests/data/sep/compose_open.smt2");
    let (status, out, _) = catena(&["certify", other.to_str().expect("a plain name"), proof.path()]);
    assert!(status == 1 && out.starts_with("rejected"), "{out}");
    let text = std::fs::read_to_string(&proof.0).expect("written");
    let from = text.find("(translated ").expect("symbols of the translation");
    let changed = format!("{}(translated @@f99 9999)\n{}", &text[..from], &text[from..]);
    let changed = Temporary::new("heap-changed.proof", changed.as_bytes());
    assert_eq!(catena(&["certify", script, changed.path()]).0, 1);
}

#[test]
fn the_proof_of_the_document() {
    let page = std::fs::read_to_string(root().join("docs/proof.md")).expect("the page");
    let (_, rest) = page.split_once("```\n(proof").expect("an example");
    let (proof, rest) = rest.split_once("```").expect("a closed block");
    let (_, rest) = rest.split_once("is a proof about `").expect("what it is about");
    let (script, _) = rest.split_once('`').expect("a script");
    assert!(certifies(script, &format!("(proof{proof}")));
    assert!(!certifies(&script.replace("(<= x 3)", "(<= x 5)"), &format!("(proof{proof}")));
}

#[test]
fn recognised_axioms_are_found_in_users_files() {
    let dir = root().join("../shared/benchmarks/lisbq/vcs/axioms");
    if !Path::new(&dir).exists() {
        eprintln!("SKIPPED recognised_axioms_are_found_in_users_files: {} is absent", dir.display());
        return;
    }
    for file in files(&dir, "smt2") {
        let text = std::fs::read(&file).expect("readable");
        assert_eq!(talk(&text), "unsat\n", "{}", file.display());
    }
}
