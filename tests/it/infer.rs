//! Inferred contracts, against what a person would write and against brute force.
//!
//! The functions stand in `tests/programs/infer`; a line `// PERSON name: P` says what a person would require.
//! (1) Every inferred contract, pasted into its text, is verified from scratch by `catena verify`. (2) On all small
//! heaps the precondition excludes every failing run, and each of its conjuncts excludes one. (3) It is compared with
//! the person's.

use catena::frontend::c::{Input, Options, load};
use catena::infer::oracle::{compare, judge};
use catena::infer::{Found, Inference, Settings, infer};
use catena::util::limits::Limits;
use catena::{Verdict, Verifier};
use std::path::Path;
use std::time::Duration;

fn settings() -> Settings {
    let limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::default() };
    Settings { limits, ..Settings::default() }
}

fn inferred(name: &str, text: &str) -> (Vec<Input>, catena::frontend::c::outline::Outline, Inference) {
    let options = Options::default();
    let unit = load(name, text.as_bytes(), &options);
    assert!(!unit.has_errors(), "{name}: {:?}", unit.diagnostics);
    let inputs = vec![Input { name: name.to_owned(), text: text.as_bytes().to_vec(), options }];
    let inference = infer(inputs.clone(), unit.outline.clone(), &settings(), &|_| {}).expect("a thread");
    (inputs, unit.outline, inference)
}

fn name_of(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

/// Everything of which a contract was found is verified after pasting, and every pasted contract is there.
fn verified_from_scratch(name: &str, inference: &Inference) {
    for (_, before, after) in inference.texts() {
        if before == after {
            continue;
        }
        let verifier = Verifier::new().timeout(Duration::from_secs(120));
        let report = verifier.verify(name, &after).unwrap_or_else(|e| panic!("{name}: {e}\n{after}"));
        for f in report.functions().iter().filter(|f| f.function != "main") {
            let verified = matches!(f.verdict(), Verdict::Verified(_));
            assert!(verified, "{name}:{} {:?}: {:?}\n{after}", f.function, f.behavior, f.verdict());
        }
        let pasted = inference
            .functions
            .iter()
            .filter(|f| matches!(f.found, Found::Contract(_)) && !inference.is_left_out(&f.function));
        for answer in pasted {
            assert!(report.functions().iter().any(|f| f.function == answer.function), "{}", answer.function);
        }
    }
}

#[test]
fn contracts_are_verified_minimal_and_no_stronger_than_a_persons() {
    let (mut asked, mut fine, mut lines) = (0, 0, Vec::new());
    for path in crate::files(&crate::root().join("tests/programs/infer"), "c") {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let name = name_of(&path);
        let (inputs, outline, inference) = inferred(&name, &text);
        verified_from_scratch(&name, &inference);
        for line in text.lines() {
            let Some((function, person)) = line.strip_prefix("// PERSON ").and_then(|l| l.split_once(": "))
            else {
                continue;
            };
            asked += 1;
            let answer = inference.functions.iter().find(|f| f.function == function);
            let answer = answer.unwrap_or_else(|| panic!("{name}: no answer about {function}"));
            let Found::Contract(contract) = &answer.found else {
                lines.push(format!("{name}:{function}: none: {:?}", answer.found));
                continue;
            };
            // Runs on small heaps and few numbers do not show what every conjunct is for: that is no success.
            match judge(&inputs, &outline, function, contract, 3) {
                Ok(_) => {}
                Err(why) if why.contains("excludes no run") => {
                    lines.push(format!("{name}:{function}: {why}"));
                    continue;
                }
                Err(why) => panic!("{name}:{function}: {why}\n{}", contract.pretty("")),
            }
            let compared = compare(&inputs, &outline, function, &contract.requires, person)
                .unwrap_or_else(|why| panic!("{name}:{function}: {why}"));
            assert!(compared.both > 0, "{name}:{function}: nobody can call it\n{}", contract.pretty(""));
            let word = compared.word();
            fine += usize::from(matches!(word, "equal" | "weaker"));
            lines.push(format!("{name}:{function}: {word} ({compared:?})"));
        }
    }
    eprintln!("{}\n{fine} of {asked}", lines.join("\n"));
    assert!(asked >= 30, "{asked}");
    assert!(fine * 100 >= asked * 60, "{fine} of {asked}\n{}", lines.join("\n"));
}

#[test]
fn the_same_input_gives_the_same_contracts() {
    let path = crate::root().join("tests/programs/infer/ring.c");
    let text = std::fs::read_to_string(path).expect("a readable file");
    let contracts = || {
        let found = inferred("ring.c", &text).2.functions;
        found.into_iter().map(|f| (f.function, f.found, f.explanations)).collect::<Vec<_>>()
    };
    assert_eq!(contracts(), contracts());
}

#[test]
fn annotated_functions_keep_their_contracts_and_verdicts() {
    let text = "struct node { struct node *next; };\n\
        /*@ requires \\valid(p); assigns \\nothing; ensures \\result == p->next; @*/\n\
        struct node *step(struct node *p) { return p->next; }\n\
        struct node *twice(struct node *p) { return step(step(p)); }\n";
    let (_, _, inference) = inferred("x.c", text);
    let names: Vec<&str> = inference.functions.iter().map(|f| f.function.as_str()).collect();
    assert_eq!(names, ["twice"]);
    let (_, before, after) = inference.texts().remove(0);
    let (head, tail) = before.split_at(before.find("struct node *twice").expect("there"));
    assert!(after.starts_with(head) && after.ends_with(tail) && after.len() > before.len(), "{after}");
    verified_from_scratch("x.c", &inference);
}
