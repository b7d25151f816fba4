//! Whole programs through the front end and the engine `lazy`: the rows of the thesis and programs beyond it.
//! The first line of each file says what is expected.

use catena::analysis::{Setup, lazy};
use catena::frontend::c;
use catena::program::Question;

fn run(directory: &str) {
    let files = crate::files(&crate::root().join("tests/programs").join(directory), "c");
    assert!(!files.is_empty());
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let name = file.file_stem().and_then(|n| n.to_str()).expect("a name");
        let want = text.lines().next().and_then(|l| l.strip_prefix("// expect: ")).expect("an expectation");
        let unit = c::load(name, text.as_bytes(), &c::Options::default());
        let function = unit.functions.iter().find(|f| f.name == "main").expect("a main function");
        let program = function.program.as_ref().unwrap_or_else(|d| panic!("{name}: {d:?}"));
        let outcome = lazy::run(program, &Question::of_contract(0), &Setup::default(), &|_| {});
        if outcome.verdict.word() != want {
            wrong.push(format!("{name}: expected {want}, found {}", outcome.verdict.word()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn programs_of_the_thesis_and_their_twins() {
    run("lazy");
}

#[test]
fn whole_programs_beyond_the_thesis() {
    run("beyond/lazy");
}
