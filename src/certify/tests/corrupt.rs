//! Proofs that must be rejected: each breaks a proof of `valid` in one place.

use super::valid::*;
use super::*;
use crate::certify::Fault;

/// `title: valid case, |case| change => fault,` — the changed case is rejected with that fault.
macro_rules! rejects {
    ($($title:literal: $valid:expr, |$case:ident| $change:expr => $fault:pat,)*) => {$({
        let mut $case: Case = $valid;
        assert_eq!($case.check(), Ok(()), "{}: before the change", $title);
        $change;
        match $case.check() {
            Ok(()) => panic!("{}: accepted", $title),
            Err(error) => assert!(matches!(error.fault, $fault), "{}: {error}", $title),
        }
    })*};
}

/// The first id that the store does not have.
fn foreign(case: &Case) -> TermId {
    TermId(case.t.len() as u32)
}

fn arguments(step: &mut Step) -> &mut Vec<TermId> {
    match step {
        Step::Instance { values, .. } => values,
        Step::Skolem { constants, .. } => constants,
        other => panic!("{other:?} has no arguments"),
    }
}

fn open_cell(case: &mut Case) -> TermId {
    case.t.variable("open", case.cell).unwrap()
}

#[test]
fn the_whole() {
    rejects! {
        "empty proof": disjunction(), |c| c.steps.clear() => Fault::EmptyProof,
        "last clause is not empty": disjunction(), |c| { c.steps.pop(); } => Fault::FinalClause(_),
        "last clause is a tautology": disjunction(), |c| {
            let not_r = c.not(c.flags[2]);
            c.steps.pop();
            c.propagation(&[c.flags[2], not_r])
        } => Fault::FinalClause(_),
        "an assumption with the wrong sign": assumptions(), |c| {
            let r = c.literal(c.flags[2]);
            c.clause(2).push(r)
        } => Fault::FinalClause(_),
        "a literal that is no assumption": assumptions(), |c| { c.assumptions.remove(0); } => Fault::FinalClause(_),
        "an assumption as assertion": assumptions(), |c| {
            let formula = c.assumptions[0];
            c.steps.insert(0, Step::Assertion { formula })
        } => Fault::NotAsserted(_),
        "wrong assertion": disjunction(), |c| {
            c.steps[1] = Step::Assertion { formula: c.flags[0] }
        } => Fault::NotAsserted(_),
        "clause that does not propagate": disjunction(), |c| { c.steps.remove(3); } => Fault::NotPropagated(_),
        "clause about something else": disjunction(), |c| {
            let r = c.literal(c.flags[2]);
            c.steps.insert(3, Step::Propagation { clause: vec![r] })
        } => Fault::NotPropagated(_),
        "foreign assertion": disjunction(), |c| { let id = foreign(&c); c.assertions.push(id) } => Fault::ForeignTerm(_),
        "assertion that is no formula": disjunction(), |c| c.assertions.push(c.cells[0]) => Fault::Sort { .. },
    }
}

#[test]
fn ids_and_literals() {
    rejects! {
        "foreign formula": disjunction(), |c| {
            c.steps[0] = Step::Assertion { formula: foreign(&c) }
        } => Fault::ForeignTerm(_),
        "foreign atom": disjunction(), |c| { let id = foreign(&c); c.clause(3)[1].atom = id } => Fault::ForeignTerm(_),
        "foreign value": instance(), |c| {
            let id = foreign(&c);
            arguments(&mut c.steps[2])[0] = id
        } => Fault::ForeignTerm(_),
        "id that only the copy of the store has": instance(), |c| {
            let values = vec![c.cells[3]];
            let Step::Instance { forall, .. } = c.steps[2] else { panic!("an instance") };
            c.steps.insert(2, Step::Instance { forall, values });
            let atom = foreign(&c);
            c.steps.insert(3, Step::Propagation { clause: vec![Literal { atom, positive: true }] })
        } => Fault::ForeignTerm(_),
        "foreign term in a binding": transitive(), |c| {
            let id = foreign(&c);
            c.derivation().rules[0].binding[0] = id
        } => Fault::ForeignTerm(_),
        "foreign term in a cut": arithmetic_on_classes(), |c| {
            let id = foreign(&c);
            c.cuts()[0].sum[1].1 = Source::Equal(id, id)
        } => Fault::ForeignTerm(_),
        "foreign link field": transitive(), |c| {
            c.derivation().rules[0].field = FuncId(1000)
        } => Fault::ForeignSymbol(1000),
        "negation as an atom": disjunction(), |c| {
            let atom = c.not(c.flags[0]);
            c.clause(3)[1] = Literal { atom, positive: false }
        } => Fault::NotALiteral(_),
        "cell as a literal": disjunction(), |c| {
            let atom = c.cells[0];
            c.clause(4).push(Literal { atom, positive: true })
        } => Fault::Sort { .. },
        "open atom": transitive(), |c| {
            let cell = open_cell(&mut c);
            let atom = c.marked(cell);
            c.clause(4).push(Literal { atom, positive: true })
        } => Fault::OpenTerm(_),
    }
}

#[test]
fn connectives() {
    rejects! {
        "or without a child": disjunction(), |c| { c.clause(3).remove(2); } => Fault::NotAConsequence { .. },
        "or with a child of the wrong sign": disjunction(), |c| c.clause(3)[1].positive = false => Fault::NotAConsequence { .. },
        "or without itself": disjunction(), |c| { c.clause(3).remove(0); } => Fault::NotAConsequence { .. },
        "and with a child of the wrong sign": conjunction(), |c| c.clause(3)[1].positive = false => Fault::NotAConsequence { .. },
        "and with the wrong sign": conjunction(), |c| c.clause(3)[0].positive = true => Fault::NotAConsequence { .. },
        "and without a child": conjunction(), |c| { c.clause(4).remove(2); } => Fault::NotAConsequence { .. },
        "= with the wrong sign": iff_and_ite(), |c| c.clause(4)[0].positive = true => Fault::NotAConsequence { .. },
        "= without a side": iff_and_ite(), |c| { c.clause(4).remove(1); } => Fault::NotAConsequence { .. },
        "ite with the other branch": iff_and_ite(), |c| c.clause(5)[1].positive = true => Fault::NotAConsequence { .. },
        "ite without condition": iff_and_ite(), |c| { c.clause(5).remove(1); } => Fault::NotAConsequence { .. },
        "ite of cells with the other branch": ite_of_cells(), |c| {
            c.clause(3)[0].positive = true
        } => Fault::NotAConsequence { .. },
        "ite of cells that differs": ite_of_cells(), |c| c.clause(3)[1].positive = false => Fault::NotAConsequence { .. },
        "ite of cells without condition": ite_of_cells(), |c| { c.clause(3).remove(0); } => Fault::NotAConsequence { .. },
        "true proves something else": disjunction(), |c| {
            let p = c.literal(c.flags[0]);
            c.steps.insert(0, Step::Connective { node: Terms::TRUE, clause: vec![p] })
        } => Fault::NotAConsequence { .. },
        "no connective": disjunction(), |c| {
            let p = c.literal(c.flags[0]);
            c.steps.insert(0, Step::Connective { node: p.atom, clause: vec![p] })
        } => Fault::NoConnective(_),
        "clause of another node": conjunction(), |c| {
            let (Step::Connective { node, .. }, Step::Connective { clause, .. }) = (&c.steps[3], &c.steps[4]) else {
                panic!("two connectives")
            };
            c.steps[3] = Step::Connective { node: *node, clause: clause.clone() }
        } => Fault::NotAConsequence { .. },
    }
}

#[test]
fn quantifiers() {
    rejects! {
        "no values": instance(), |c| arguments(&mut c.steps[2]).clear() => Fault::Arity { expected: 1, found: 0, .. },
        "too many values": instance(), |c| {
            let a = c.cells[0];
            arguments(&mut c.steps[2]).push(a)
        } => Fault::Arity { expected: 1, found: 2, .. },
        "value of another sort": instance(), |c| arguments(&mut c.steps[2])[0] = c.ints[0] => Fault::Sort { .. },
        "open value": instance(), |c| arguments(&mut c.steps[2])[0] = open_cell(&mut c) => Fault::OpenTerm(_),
        "other value": instance(), |c| arguments(&mut c.steps[2])[0] = c.cells[0] => Fault::NotPropagated(_),
        "instance of no quantifier": instance(), |c| {
            c.steps[2] = Step::Instance { forall: c.flags[0], values: vec![] }
        } => Fault::NotAQuantifier(_),
        "witness for no quantifier": skolem(), |c| {
            c.steps[2] = Step::Skolem { forall: c.flags[0], constants: vec![] }
        } => Fault::NotAQuantifier(_),
        "witness used again": skolem(), |c| c.steps.insert(3, c.steps[2].clone()) => Fault::NotFresh(_),
        "witness used before": skolem(), |c| c.steps.swap(2, 3) => Fault::NotFresh(_),
        "witness in an assertion": skolem(), |c| {
            let witness = arguments(&mut c.steps[2])[0];
            let marked = c.marked(witness);
            c.assertions.push(marked)
        } => Fault::NotFresh(_),
        "witness in an assumption": skolem(), |c| {
            let witness = arguments(&mut c.steps[2])[0];
            let marked = c.marked(witness);
            c.assumptions.push(marked)
        } => Fault::NotFresh(_),
        "user constant as witness": skolem(), |c| arguments(&mut c.steps[2])[0] = c.cells[0] => Fault::NotASkolemConstant(_),
        "no constant as witness": skolem(), |c| {
            let witness = arguments(&mut c.steps[2])[0];
            arguments(&mut c.steps[2])[0] = c.next(witness)
        } => Fault::NotASkolemConstant(_),
        "witness of another sort": skolem(), |c| {
            arguments(&mut c.steps[2])[0] = c.t.fresh_const("witness", SortId::INT)
        } => Fault::Sort { .. },
        "too many witnesses": skolem(), |c| {
            let other = c.t.fresh_const("witness", c.cell);
            arguments(&mut c.steps[2]).push(other)
        } => Fault::Arity { .. },
        "one witness for two variables": skolem(), |c| {
            let witness = arguments(&mut c.steps[2])[0];
            let [u, v] = ["u", "v"].map(|n| c.t.variable(n, c.cell).unwrap());
            let body = c.reach(u, v);
            let forall = c.t.forall(&[u, v], body).unwrap();
            c.steps.insert(2, Step::Skolem { forall, constants: vec![witness, witness] })
        } => Fault::NotFresh(_),
        "witness in its own quantifier": skolem(), |c| {
            let witness = arguments(&mut c.steps[2])[0];
            let u = c.t.variable("u", c.cell).unwrap();
            let body = c.reach(witness, u);
            let forall = c.t.forall(&[u], body).unwrap();
            c.steps.insert(2, Step::Skolem { forall, constants: vec![witness] })
        } => Fault::NotFresh(_),
        "trichotomy of cells": trichotomy(), |c| {
            c.steps[3] = Step::Trichotomy { left: c.cells[0], right: c.cells[1] }
        } => Fault::Sort { .. },
        "trichotomy of an integer and a cell": trichotomy(), |c| {
            c.steps[3] = Step::Trichotomy { left: c.ints[0], right: c.cells[1] }
        } => Fault::Sort { .. },
        "trichotomy of other integers": trichotomy(), |c| {
            c.steps[3] = Step::Trichotomy { left: c.ints[0], right: c.ints[0] }
        } => Fault::NotPropagated(_),
    }
}

#[test]
fn derivations() {
    rejects! {
        "missing rule step": transitive(), |c| c.derivation().rules.clear() => Fault::NoContradiction,
        "missing second rule step": reach(), |c| { c.derivation().rules.pop(); } => Fault::NoContradiction,
        "missing first rule step": reach(), |c| { c.derivation().rules.remove(0); } => Fault::Premise { .. },
        "rule steps in the wrong order": reach(), |c| c.derivation().rules.reverse() => Fault::Premise { .. },
        "unknown rule": transitive(), |c| c.derivation().rules[0].rule = "transitive4" => Fault::UnknownRule(_),
        "rule of another theory": transitive(), |c| c.derivation().rules[0].rule = "antisymmetric" => Fault::UnknownRule(_),
        "short binding": transitive(), |c| { c.derivation().rules[0].binding.pop(); } => Fault::Arity { expected: 3, found: 2, .. },
        "long binding": transitive(), |c| {
            let a = c.cells[0];
            c.derivation().rules[0].binding.push(a)
        } => Fault::Arity { .. },
        "integer in a binding": transitive(), |c| {
            let x = c.ints[0];
            c.derivation().rules[0].binding[0] = x
        } => Fault::Sort { .. },
        "open term in a binding": transitive(), |c| {
            let open = open_cell(&mut c);
            c.derivation().rules[0].binding[0] = open
        } => Fault::OpenTerm(_),
        "premise that does not hold": transitive(), |c| c.derivation().rules[0].binding.reverse() => Fault::Premise { .. },
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
        "hypothesis of the wrong sign": congruence(), |c| c.clause(4)[2].positive = true => Fault::NoContradiction,
        "disequality of the wrong sign": ite_of_cells(), |c| c.clause(4)[2].positive = false => Fault::NoContradiction,
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
        "cut that uses itself": rounding(), |c| c.cuts()[1].sum[0].1 = Source::Cut(1) => Fault::NoEarlierCut { at: 1, found: 1 },
        "cut that uses a later one": rounding(), |c| c.cuts()[0].sum[0].1 = Source::Cut(1) => Fault::NoEarlierCut { at: 0, found: 1 },
        "no cuts": rounding(), |c| c.cuts().clear() => Fault::NoRefutation(_),
        "last cut is satisfiable": rounding(), |c| { c.cuts().pop(); } => Fault::NoRefutation(_),
        "0 <= 0 is no refutation": rounding(), |c| c.cuts().push(cut(&[(0, Source::Cut(0))])) => Fault::NoRefutation(_),
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
        "unequal terms": arithmetic_on_classes(), |c| { c.derivation().rules.clear(); c.clause(4).pop(); } => Fault::NotEqual { .. },
        "equal cells": arithmetic_on_classes(), |c| {
            let [a, _, _, d] = c.cells;
            c.cuts()[0].sum[1].1 = Source::Equal(a, d)
        } => Fault::Sort { .. },
        "equality left out": arithmetic_on_classes(), |c| { c.cuts()[0].sum.remove(1); } => Fault::NoRefutation(_),
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
