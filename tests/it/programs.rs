//! Annotated C through the front end and the engine `vc`. The first line of each file says what is expected:
//! `// expect: VERDICT` for all its functions, or `// expect: f=VERDICT g=VERDICT`.

use catena::analysis::{Setup, vc};
use catena::frontend::c;
use catena::program::Question;
use catena::util::limits::Limits;
use catena::verdict::Verdict;
use std::path::Path;
use std::time::{Duration, Instant};

/// The verdict expected of a function.
fn expected(text: &str, function: &str) -> String {
    let first = text.lines().next().unwrap_or("");
    let wanted = first.strip_prefix("// expect: ").expect("the first line says what is expected");
    for part in wanted.split_whitespace() {
        match part.split_once('=') {
            None => return part.to_owned(),
            Some((name, verdict)) if name == function => return verdict.to_owned(),
            Some(_) => {}
        }
    }
    panic!("nothing is expected of {function}")
}

fn check(file: &Path, wrong: &mut Vec<String>) {
    let text = std::fs::read_to_string(file).expect("a readable file");
    let name = file.file_stem().and_then(|n| n.to_str()).expect("a name");
    let unit = c::load(name, text.as_bytes(), &c::Options::default());
    if !unit.diagnostics.is_empty() {
        wrong.push(format!("{name}: {:?}", unit.diagnostics));
    }
    for function in &unit.functions {
        let want = expected(&text, &function.name);
        let Ok(program) = &function.program else {
            wrong.push(format!("{name}:{}: no program", function.name));
            continue;
        };
        let setup = Setup {
            limits: Limits { time: Some(Duration::from_secs(120)), ..Limits::default() },
            jobs: 2,
            seed: 0,
            ..Setup::default()
        };
        let start = Instant::now();
        let outcome = vc::run(program, &Question::of_contract(0), &setup, &|_| {});
        let (found, time) = (outcome.verdict.word(), start.elapsed());
        let detail = match &outcome.verdict {
            Verdict::Violated(trace) => {
                format!("{}, {} cells", trace.failure.message, trace.initial.cells.len())
            }
            Verdict::TooWeak(weakness) => weakness.failure.message.clone(),
            Verdict::Unknown(reason) => reason.message.clone(),
            Verdict::Verified(_) => String::new(),
        };
        eprintln!("{name}:{}: {found} in {time:.1?} ({detail})", function.name);
        if found != want {
            wrong.push(format!("{name}:{}: expected {want}, found {found} ({detail})", function.name));
        }
    }
}

/// Programs without invariants, named after the engine that infers them; their own tests run them.
fn is_of_another_engine(file: &Path) -> bool {
    let name = file.file_name().and_then(|n| n.to_str()).unwrap_or("");
    ["heaps_", "monotone_", "pdr_"].iter().any(|engine| name.starts_with(engine))
}

fn run(directory: &str) {
    let files = crate::files(&crate::root().join("tests/programs").join(directory), "c");
    assert!(!files.is_empty());
    let mut wrong = Vec::new();
    for file in files.iter().filter(|f| !is_of_another_engine(f)) {
        check(file, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn programs_of_the_lisbq_paper() {
    run("lisbq");
}

#[test]
fn list_programs_beyond_the_paper() {
    run("beyond");
}
