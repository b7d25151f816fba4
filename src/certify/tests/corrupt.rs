//! Proofs that must be rejected: each breaks a proof of `valid` in one place, outside of derivations.

use super::valid::*;
use super::*;
use crate::certify::Fault;

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
        "a literal that is no assumption": assumptions(), |c| {
            c.assumptions.remove(0);
        } => Fault::FinalClause(_),
        "an assumption as assertion": assumptions(), |c| {
            let formula = c.assumptions[0];
            c.steps.insert(0, Step::Assertion { formula })
        } => Fault::NotAsserted(_),
        "wrong assertion": disjunction(), |c| {
            c.steps[1] = Step::Assertion { formula: c.flags[0] }
        } => Fault::NotAsserted(_),
        "clause that does not propagate": disjunction(), |c| {
            c.steps.remove(3);
        } => Fault::NotPropagated(_),
        "clause about something else": disjunction(), |c| {
            let r = c.literal(c.flags[2]);
            c.steps.insert(3, Step::Propagation { clause: vec![r] })
        } => Fault::NotPropagated(_),
        "foreign assertion": disjunction(), |c| {
            let id = foreign(&c); c.assertions.push(id)
        } => Fault::ForeignTerm(_),
        "assertion that is no formula": disjunction(), |c| {
            c.assertions.push(c.cells[0])
        } => Fault::Sort { .. },
    }
}

#[test]
fn ids_and_literals() {
    rejects! {
        "foreign formula": disjunction(), |c| {
            c.steps[0] = Step::Assertion { formula: foreign(&c) }
        } => Fault::ForeignTerm(_),
        "foreign atom": disjunction(), |c| {
            let id = foreign(&c); c.clause(3)[1].atom = id
        } => Fault::ForeignTerm(_),
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
            let cell = c.open_cell();
            let atom = c.marked(cell);
            c.clause(4).push(Literal { atom, positive: true })
        } => Fault::OpenTerm(_),
    }
}

#[test]
fn connectives() {
    rejects! {
        "or without a child": disjunction(), |c| { c.clause(3).remove(2); } => Fault::NotAConsequence { .. },
        "or with a child of the wrong sign": disjunction(), |c| {
            c.clause(3)[1].positive = false
        } => Fault::NotAConsequence { .. },
        "or without itself": disjunction(), |c| { c.clause(3).remove(0); } => Fault::NotAConsequence { .. },
        "and with a child of the wrong sign": conjunction(), |c| {
            c.clause(3)[1].positive = false
        } => Fault::NotAConsequence { .. },
        "and with the wrong sign": conjunction(), |c| {
            c.clause(3)[0].positive = true
        } => Fault::NotAConsequence { .. },
        "and without a child": conjunction(), |c| { c.clause(4).remove(2); } => Fault::NotAConsequence { .. },
        "= with the wrong sign": iff_and_ite(), |c| {
            c.clause(4)[0].positive = true
        } => Fault::NotAConsequence { .. },
        "= without a side": iff_and_ite(), |c| { c.clause(4).remove(1); } => Fault::NotAConsequence { .. },
        "ite with the other branch": iff_and_ite(), |c| {
            c.clause(5)[1].positive = true
        } => Fault::NotAConsequence { .. },
        "ite without condition": iff_and_ite(), |c| {
            c.clause(5).remove(1);
        } => Fault::NotAConsequence { .. },
        "ite of cells with the other branch": ite_of_cells(), |c| {
            c.clause(3)[0].positive = true
        } => Fault::NotAConsequence { .. },
        "ite of cells that differs": ite_of_cells(), |c| {
            c.clause(3)[1].positive = false
        } => Fault::NotAConsequence { .. },
        "ite of cells without condition": ite_of_cells(), |c| {
            c.clause(3).remove(0);
        } => Fault::NotAConsequence { .. },
        "true proves something else": disjunction(), |c| {
            let p = c.literal(c.flags[0]);
            c.steps.insert(0, Step::Connective { node: Terms::TRUE, clause: vec![p] })
        } => Fault::NotAConsequence { .. },
        "no connective": disjunction(), |c| {
            let p = c.literal(c.flags[0]);
            c.steps.insert(0, Step::Connective { node: p.atom, clause: vec![p] })
        } => Fault::NoConnective(_),
        "clause of another node": conjunction(), |c| {
            let [Step::Connective { node, .. }, Step::Connective { clause, .. }] = &c.steps[3..5] else {
                panic!("two connectives")
            };
            c.steps[3] = Step::Connective { node: *node, clause: clause.clone() }
        } => Fault::NotAConsequence { .. },
    }
}

#[test]
fn quantifiers() {
    rejects! {
        "no values": instance(), |c| {
            arguments(&mut c.steps[2]).clear()
        } => Fault::Arity { expected: 1, found: 0, .. },
        "too many values": instance(), |c| {
            let a = c.cells[0];
            arguments(&mut c.steps[2]).push(a)
        } => Fault::Arity { expected: 1, found: 2, .. },
        "value of another sort": instance(), |c| {
            arguments(&mut c.steps[2])[0] = c.ints[0]
        } => Fault::Sort { .. },
        "open value": instance(), |c| arguments(&mut c.steps[2])[0] = c.open_cell() => Fault::OpenTerm(_),
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
        "user constant as witness": skolem(), |c| {
            arguments(&mut c.steps[2])[0] = c.cells[0]
        } => Fault::NotASkolemConstant(_),
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
            let witness = c.t.fresh_const("other", c.cell);
            let [u, v] = ["u", "v"].map(|n| c.t.variable(n, c.cell).unwrap());
            let body = c.reach(u, v);
            let forall = c.t.forall(&[u, v], body).unwrap();
            c.steps.insert(2, Step::Skolem { forall, constants: vec![witness, witness] })
        } => Fault::NotFresh(_),
        "witness in its own quantifier": skolem(), |c| {
            let witness = c.t.fresh_const("other", c.cell);
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
