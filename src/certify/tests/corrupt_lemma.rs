//! Lemmas that must be rejected: each breaks a derivation of `valid` in one place.

use super::valid::*;
use super::*;
use crate::certify::Fault;

#[test]
fn derivations() {
    rejects! {
        "missing rule step": transitive(), |c| c.derivation().rules.clear() => Fault::NoContradiction,
        "missing second rule step": reach(), |c| { c.derivation().rules.pop(); } => Fault::NoContradiction,
        "missing first rule step": reach(), |c| { c.derivation().rules.remove(0); } => Fault::Premise { .. },
        "rule steps in the wrong order": reach(), |c| c.derivation().rules.reverse() => Fault::Premise { .. },
        "unknown rule": transitive(), |c| {
            c.derivation().rules[0].rule = "transitive4"
        } => Fault::UnknownRule(_),
        "rule of another theory": transitive(), |c| {
            c.derivation().rules[0].rule = "antisymmetric"
        } => Fault::UnknownRule(_),
        "short binding": transitive(), |c| {
            c.derivation().rules[0].binding.pop();
        } => Fault::Arity { expected: 3, found: 2, .. },
        "long binding": transitive(), |c| {
            let a = c.cells[0];
            c.derivation().rules[0].binding.push(a)
        } => Fault::Arity { .. },
        "integer in a binding": transitive(), |c| {
            let x = c.ints[0];
            c.derivation().rules[0].binding[0] = x
        } => Fault::Sort { .. },
        "open term in a binding": transitive(), |c| {
            let open = c.open_cell();
            c.derivation().rules[0].binding[0] = open
        } => Fault::OpenTerm(_),
        "premise that does not hold": transitive(), |c| {
            c.derivation().rules[0].binding.reverse()
        } => Fault::Premise { .. },
        "equality that does not hold": transitive(), |c| {
            let [a, b, ..] = c.cells;
            c.derivation().rules[0] = c.rule("cycle", &[a, b], Some(0))
        } => Fault::Premise { .. },
        "path that is none": transitive(), |c| {
            let [a, b, c_, _] = c.cells;
            c.derivation().rules[0] = c.rule("order2", &[a, b, c_], Some(0))
        } => Fault::Premise { .. },
        "data field as link field": transitive(), |c| {
            let key = c.key;
            c.derivation().rules[0].field = key
        } => Fault::NotALinkField(_),
        "other link field": transitive(), |c| {
            let prev = c.t.declare_fun("prev", &[c.cell], c.cell).unwrap();
            c.derivation().rules[0].field = prev
        } => Fault::Premise { .. },
        "alternative out of range": transitive(), |c| {
            c.derivation().rules[0].alternative = Some(1)
        } => Fault::NoAlternative { expected: 1, found: 1, .. },
        "only alternative not refuted": transitive(), |c| {
            c.derivation().rules[0].binding = c.cells[..3].to_vec();
            c.clause(4).remove(2);
            c.derivation().rules[0].alternative = None
        } => Fault::NotRefuted { .. },
        "equality not refuted": reach(), |c| { c.clause(4).remove(1); } => Fault::NotRefuted { .. },
        "fact not refuted": unordered(), |c| { c.clause(4).remove(3); } => Fault::NotRefuted { .. },
        "fact assumed, not denied": unordered(), |c| {
            c.clause(4)[3].positive ^= true
        } => Fault::NotRefuted { .. },
        "no contradiction": congruence(), |c| { c.clause(4).remove(1); } => Fault::NoContradiction,
        "hypothesis of the wrong sign": congruence(), |c| {
            c.clause(4)[2].positive = true
        } => Fault::NoContradiction,
        "disequality of the wrong sign": ite_of_cells(), |c| {
            c.clause(4)[2].positive = false
        } => Fault::NoContradiction,
        "comparisons are no contradiction": rounding(), |c| {
            c.derivation().closing = Closing::Contradiction
        } => Fault::NoContradiction,
    }
}

#[test]
fn arithmetic() {
    rejects! {
        "negative multiplier of an inequality": rounding(), |c| {
            c.cuts()[0].sum[0].0 = Int::from(-1)
        } => Fault::NegativeMultiplier { at: 0, .. },
        "negative multiplier of a cut": rounding(), |c| {
            c.cuts()[1].sum[0].0 = Int::from(-1)
        } => Fault::NegativeMultiplier { at: 1, .. },
        "wrong multiplier": rounding(), |c| c.cuts()[1].sum[0].0 = Int::from(2) => Fault::NoRefutation(_),
        "wrong multiplier of an equality": arithmetic_equality(), |c| {
            let sum = &mut c.cuts()[0].sum;
            sum[0].0 = -&sum[0].0
        } => Fault::NoRefutation(_),
        "cut that uses itself": rounding(), |c| {
            c.cuts()[1].sum[0].1 = Source::Cut(1)
        } => Fault::NoEarlierCut { at: 1, found: 1 },
        "cut that uses a later one": rounding(), |c| {
            c.cuts()[0].sum[0].1 = Source::Cut(1)
        } => Fault::NoEarlierCut { at: 0, found: 1 },
        "no cuts": rounding(), |c| c.cuts().clear() => Fault::NoRefutation(_),
        "last cut is satisfiable": rounding(), |c| { c.cuts().pop(); } => Fault::NoRefutation(_),
        "0 <= 0 is no refutation": rounding(), |c| {
            c.cuts().push(cut(&[(0, Source::Cut(0))]))
        } => Fault::NoRefutation(_),
        "bound too weak for rounding": rounding(), |c| {
            let [x, y] = c.ints;
            let two = c.t.int(2);
            let sum = c.t.add(&[x, y]).unwrap();
            let weaker = c.t.le(sum, two).unwrap();
            c.clause(3)[0] = !c.literal(weaker)
        } => Fault::NoRefutation(_),
        "hypothesis out of range": rounding(), |c| {
            c.cuts()[0].sum[0].1 = Source::Hypothesis(3)
        } => Fault::NoHypothesis { at: 0, expected: 3, found: 3 },
        "hypothesis that is a path": arithmetic_on_classes(), |c| {
            c.cuts()[0].sum[0].1 = Source::Hypothesis(2)
        } => Fault::NotArithmetic { .. },
        "hypothesis that equates cells": arithmetic_on_classes(), |c| {
            c.cuts()[0].sum[0].1 = Source::Hypothesis(3)
        } => Fault::NotArithmetic { .. },
        "hypothesis that is a disequality": arithmetic_equality(), |c| {
            c.clause(3)[0].positive = true
        } => Fault::NotArithmetic { .. },
        "inequality of the wrong sign": arithmetic_equality(), |c| {
            c.clause(3)[1].positive ^= true
        } => Fault::NoRefutation(_),
        "unequal terms": arithmetic_on_classes(), |c| {
            c.derivation().rules.clear(); c.clause(4).pop();
        } => Fault::NotEqual { .. },
        "equal cells": arithmetic_on_classes(), |c| {
            let [a, _, _, d] = c.cells;
            c.cuts()[0].sum[1].1 = Source::Equal(a, d)
        } => Fault::Sort { .. },
        "equality left out": arithmetic_on_classes(), |c| {
            c.cuts()[0].sum.remove(1);
        } => Fault::NoRefutation(_),
    }
}

#[test]
fn messages_name_step_expected_and_found() {
    let mut case = transitive();
    case.derivation().rules[0].binding.pop();
    let error = case.check().unwrap_err();
    assert_eq!((error.step, error.kind), (Some(4), "lemma"));
    assert_eq!(error.to_string(), "step 4 (lemma): binding of transitive1: expected 3 terms, found 2");
    case.steps.clear();
    assert_eq!(case.check().unwrap_err().to_string(), "proof: expected at least one step, found none");
    let mut case = transitive();
    case.derivation().rules[0].binding.reverse();
    let error = case.check().unwrap_err();
    assert_eq!(
        error.to_string(),
        "step 4 (lemma): rule step 0 (transitive1): expected x -> y, which is not known"
    );
}
