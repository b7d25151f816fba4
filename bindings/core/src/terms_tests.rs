//! Tests of terms by number.

use super::{Checked, Fault, Kind, Terms};
use crate::certify_proof;

#[test]
fn terms_are_numbers() {
    let mut s = Terms::new(true);
    let cell = s.declare_sort("Cell").unwrap();
    let next = s.declare_function("next", &[cell], cell).unwrap();
    let [x, y, z] = ["x", "y", "z"].map(|name| s.constant(name, cell).unwrap());
    let xy = s.reach(next, x, y).unwrap();
    let yz = s.reach(next, y, z).unwrap();
    let xz = s.reach(next, x, z).unwrap();
    let not = s.build(Kind::Not, &[xz]).unwrap();
    assert_eq!(s.build(Kind::Not, &[xz]), Ok(not));
    s.assert(xy, Some("first")).unwrap();
    s.assert(yz, None).unwrap();
    assert_eq!(s.check(&[]), Ok(Checked::Sat));
    let model = s.kept_model().unwrap();
    assert_eq!(s.value(&model, xz).unwrap().as_bool(), Some(true));
    assert_eq!(s.check(&[not]), Ok(Checked::Unsat));
    assert_eq!(s.core_assumptions(), Ok(vec![not]));
    s.certify().unwrap();
    let (script, proof) = s.proof().unwrap();
    certify_proof(&script, &proof).unwrap();
    assert!(s.value(&model, xz).is_ok(), "a model outlives the next check");
    s.assert(not, Some("last")).unwrap();
    assert_eq!(s.core_names(), Err(Fault::NoAnswer("refutation")));
    assert_eq!(s.check(&[]), Ok(Checked::Unsat));
    assert_eq!(s.core_names(), Ok(vec!["first".to_owned(), "last".to_owned()]));
}

#[test]
fn misuse_is_an_error_and_changes_nothing() {
    let (mut s, mut other) = (Terms::new(false), Terms::new(false));
    let n = s.constant("n", Terms::INT).unwrap();
    let p = other.constant("p", Terms::BOOL).unwrap();
    assert_eq!(s.assert(p, None), Err(Fault::Foreign));
    assert_eq!(s.assert(0, None), Err(Fault::NoSuch("term")));
    assert_eq!(s.assert(n + 1000, None), Err(Fault::NoSuch("term")));
    assert!(matches!(s.assert(n, None), Err(Fault::Build(_))));
    assert!(matches!(s.build(Kind::And, &[n]), Err(Fault::Build(_))));
    assert!(matches!(s.build(Kind::Not, &[n, n]), Err(Fault::Build(_))));
    assert!(matches!(s.int_text("12x"), Err(Fault::Build(_))));
    assert_eq!(s.pop(), Err(Fault::NoScope));
    assert_eq!(s.reason(), Err(Fault::NoAnswer("reason")));
    assert_eq!(s.check(&[]), Ok(Checked::Sat));
    assert_eq!(s.core_names(), Err(Fault::NoAnswer("refutation")));
}

#[test]
fn a_cancelled_check_is_unknown_and_the_next_one_is_not() {
    let mut s = Terms::new(false);
    let n = s.constant("n", Terms::INT).unwrap();
    let small = s.build(Kind::Lt, &[n, n]).unwrap();
    let [a, b] = ["a", "b"].map(|name| s.constant(name, Terms::BOOL).unwrap());
    let either = s.build(Kind::Or, &[a, b, small]).unwrap();
    s.assert(either, None).unwrap();
    s.token().cancel();
    assert_eq!(s.check(&[]), Ok(Checked::Unknown));
    assert!(s.reason().unwrap().contains("cancelled"));
    assert_eq!(s.check(&[]), Ok(Checked::Sat));
}
