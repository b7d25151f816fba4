//! A failing case as text: an SMT-LIB script, and a Rust test that reads it.

use crate::frontend::smtlib::Status;
use crate::logic::script::script as plain;
use crate::logic::{TermId, Terms};

/// The formulas as a script with the declarations they need.
pub fn script(terms: &Terms, formulas: &[TermId], status: Option<Status>) -> String {
    with_status(status, &plain(terms, formulas))
}

/// A script that says what its answer is.
pub fn with_status(status: Option<Status>, script: &str) -> String {
    let word = match status {
        None => return script.to_owned(),
        Some(Status::Sat) => "sat",
        Some(Status::Unsat) => "unsat",
        Some(Status::Unknown) => "unknown",
    };
    format!("(set-info :status {word})\n{script}")
}

/// A test to paste: every check that [`crate::testing::oracle::check_text`] has.
pub fn rust_test(name: &str, terms: &Terms, formulas: &[TermId], expected: Option<Status>) -> String {
    let text = script(terms, formulas, expected);
    format!(
        "#[test]\nfn {name}() {{\n    let text = {};\n    catena::testing::oracle::check_text(text).unwrap();\n}}\n",
        fenced(&text)
    )
}

/// A raw string literal with as many hashes as the text needs.
pub fn fenced(text: &str) -> String {
    let mut fence = "#".to_owned();
    while text.contains(&format!("\"{fence}")) {
        fence.push('#');
    }
    format!("r{fence}\"{text}\"{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::smtlib::read;
    use crate::logic::print;
    use crate::testing::formulas;

    #[test]
    fn scripts_read_back() {
        for (name, generator) in formulas::all() {
            for seed in 0..30 {
                let problem = generator.generate(seed);
                let text = problem.text();
                let mut terms = Terms::new();
                let script = read(&text, &mut terms).unwrap_or_else(|e| panic!("{name} {seed}: {e}\n{text}"));
                assert_eq!(script.assertions.len(), problem.formulas.len());
                // In the store it came from, each formula reads back as itself.
                let mut terms = problem.terms.clone();
                for &formula in &problem.formulas {
                    let text = format!("(assert {})", print::term(&terms, formula));
                    assert_eq!(read(&text, &mut terms).unwrap().assertions[0].0, formula, "{text}");
                }
            }
        }
    }

    #[test]
    fn tests_are_fenced() {
        let mut terms = Terms::new();
        let p = terms.declare_const("p\"#", crate::logic::SortId::BOOL).unwrap();
        let text = rust_test("case_1", &terms, &[p], Some(Status::Sat));
        assert!(text.contains("r##\"(set-info :status sat)\n(declare-fun |p\"#| () Bool)\n(assert |p\"#|)"));
        assert!(text.starts_with("#[test]\nfn case_1() {\n"));
    }
}
