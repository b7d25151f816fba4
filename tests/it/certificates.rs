//! Certificates of programs: what the engine writes is certified, what is changed is rejected.

use catena::analysis::{Setup, vc};
use catena::certify::{
    Evidence, ProgramCertificate, check_certificate, print_certificate, read_certificates,
};
use catena::frontend::c;
use catena::program::{Program, Question};
use catena::verdict::Verdict;

fn load(name: &str) -> Program {
    let file = crate::root().join("tests/programs/lisbq").join(format!("{name}.c"));
    let text = std::fs::read(&file).expect("a readable file");
    let unit = c::load(name, &text, &c::Options::default());
    unit.functions[0].program.clone().expect("a program")
}

fn certificate(program: &Program, evidence: Evidence) -> ProgramCertificate {
    let checks = Question::of_contract(0).checks;
    ProgramCertificate { function: program.name.clone(), behavior: None, checks, evidence }
}

fn again(program: &Program, text: &str) -> Result<(), String> {
    let known = |name: &str| (name == program.name).then_some(program);
    for certificate in read_certificates(text, &known)? {
        check_certificate(program, &certificate)?;
    }
    Ok(())
}

#[test]
fn proofs_are_certified_and_tampering_is_not() {
    let program = load("slist_add");
    let question = Question::of_contract(0);
    let proofs = vc::prove::proofs(&program, &question, &Setup::default(), &|_| {}).expect("it is verified");
    let text = print_certificate(&program, &certificate(&program, Evidence::Proofs(proofs.clone())));
    assert_eq!(again(&program, &text), Ok(()));

    // A proof left out, proofs exchanged, a step left out, garbage.
    let mut fewer = proofs.clone();
    fewer.pop();
    let mut exchanged = proofs.clone();
    exchanged.reverse();
    let mut shorter = proofs.clone();
    let last = shorter[0].rfind("\n").expect("several lines");
    shorter[0] = format!("{})", &shorter[0][..last]);
    for bad in [fewer, exchanged, shorter, vec![String::new(); proofs.len()]] {
        let text = print_certificate(&program, &certificate(&program, Evidence::Proofs(bad)));
        assert!(again(&program, &text).is_err());
    }
    for bad in ["", "catena certificate 2\n", &text[..text.len() / 2], &text.replace("slist_add", "other")] {
        assert!(again(&program, bad).is_err());
    }
    // The same proofs for a program that is wrong.
    for twin in ["slist_add-list_lost", "slist_add-wrong_result", "slist_add-not_a_list"] {
        assert!(again(&load(twin), &text).is_err(), "{twin}");
    }
}

#[test]
fn runs_are_certified_and_tampering_is_not() {
    let program = load("slist_add-wrong_result");
    let question = Question::of_contract(0);
    let outcome = vc::run(&program, &question, &Setup::default(), &|_| {});
    let Verdict::Violated(trace) = outcome.verdict else { panic!("a run breaks it") };
    let path = trace.steps.iter().map(|s| s.edge).collect();
    let initial = Box::new(trace.initial);
    let text = print_certificate(&program, &certificate(&program, Evidence::Run { initial, path }));
    assert_eq!(again(&program, &text), Ok(()));
    // The run does not break the right program.
    assert!(again(&load("slist_add"), &text).is_err());
    for bad in [
        text.replace("var ", "var #9"),
        text.replace("run\n", "proofs 0\n"),
        text.replace("path ", "path 999 "),
    ] {
        assert!(again(&program, &bad).is_err(), "{bad}");
    }
}
