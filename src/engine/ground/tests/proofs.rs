//! Every step of a proof is looked at by small checkers that share no code with the grounding.

use super::check;
use super::generate::Generator;
use crate::engine::ground::{GroundAnswer, Grounder, in_fragment};
use crate::logic::{Op, TermId, Terms};
use crate::proof::{Clause, Literal, Step};
use crate::util::hash::{Map, Set};

/// The clause of a step.
fn clause(terms: &mut Terms, step: &Step) -> Clause {
    let at = |terms: &mut Terms, forall: TermId, values: &[TermId]| {
        let Op::Forall(id) = terms.op(forall) else { panic!("a quantifier") };
        let variables = terms.quantifier(id).variables.clone();
        assert_eq!(variables.len(), values.len());
        assert!(values.iter().all(|&v| terms.is_closed(v)), "instances are closed");
        let body = terms.children(forall)[0];
        terms.substitute(body, &variables.into_iter().zip(values.iter().copied()).collect())
    };
    match step {
        Step::Assertion { formula } => vec![Literal::new(terms, *formula, true)],
        Step::Connective { clause, .. } | Step::Lemma { clause, .. } | Step::Propagation { clause } => {
            clause.clone()
        }
        Step::Instance { forall, values } => {
            let body = at(terms, *forall, values);
            vec![Literal::new(terms, *forall, false), Literal::new(terms, body, true)]
        }
        Step::Skolem { forall, constants } => {
            let body = at(terms, *forall, constants);
            vec![Literal::new(terms, *forall, true), Literal::new(terms, body, false)]
        }
        other => panic!("no such step here: {other:?}"),
    }
}

/// Whether a clause follows from the meaning of the connective of `node`.
fn connective_is_valid(terms: &mut Terms, node: TermId, clause: &Clause) -> bool {
    let children = terms.children(node).to_vec();
    if matches!(terms.op(node), Op::Ite) && terms.sort(node) != crate::logic::SortId::BOOL {
        let (then, other) = (terms.mk_eq(node, children[1]), terms.mk_eq(node, children[2]));
        let [first, second] = clause[..] else { return false };
        let value = if first == Literal::new(terms, children[0], false) { then } else { other };
        return first.atom == children[0] && second == Literal::new(terms, value, true);
    }
    let atoms: Vec<TermId> = children.iter().map(|&c| terms.strip_not(c).0).collect();
    (0u32..1 << atoms.len()).all(|bits| {
        let truth = |f: TermId| {
            let (atom, plain) = terms.strip_not(f);
            let at = atoms.iter().position(|&a| a == atom)?;
            Some((bits >> at & 1 == 1) == plain)
        };
        let values: Vec<bool> = children.iter().map(|&c| truth(c).unwrap()).collect();
        let whole = match terms.op(node) {
            Op::True => true,
            Op::False => false,
            Op::And => values.iter().all(|&v| v),
            Op::Or => values.iter().any(|&v| v),
            Op::Iff => values[0] == values[1],
            Op::Ite => values[if values[0] { 1 } else { 2 }],
            other => panic!("no connective: {other:?}"),
        };
        clause.iter().any(|lit| {
            let value = if lit.atom == node { Some(whole) } else { truth(lit.atom) };
            value == Some(lit.positive)
        })
    })
}

/// Whether the negated literals of a clause contradict equality and congruence.
fn lemma_is_valid(terms: &Terms, clause: &Clause) -> bool {
    let mut class: Map<TermId, usize> = Map::default();
    let mut open: Vec<TermId> = clause.iter().map(|l| l.atom).collect();
    let mut all = Vec::new();
    while let Some(term) = open.pop() {
        if class.insert(term, all.len()).is_none() {
            all.push(term);
            open.extend(terms.children(term));
        }
    }
    for (at, term) in all.iter().enumerate() {
        class.insert(*term, at);
    }
    let join = |class: &mut Map<TermId, usize>, a: TermId, b: TermId| {
        let (from, to) = (class[&a], class[&b]);
        class.values_mut().filter(|c| **c == from).for_each(|c| *c = to);
        from != to
    };
    for lit in clause.iter().filter(|l| !l.positive && terms.op(l.atom) == Op::Eq) {
        join(&mut class, terms.children(lit.atom)[0], terms.children(lit.atom)[1]);
    }
    let congruent = |class: &Map<TermId, usize>, a: TermId, b: TermId| {
        let (x, y) = (terms.children(a), terms.children(b));
        let same = x.iter().zip(y).all(|(l, r)| class[l] == class[r]);
        matches!(terms.op(a), Op::App(_)) && terms.op(a) == terms.op(b) && same
    };
    while all.iter().any(|&a| all.iter().any(|&b| congruent(&class, a, b) && join(&mut class, a, b))) {}
    clause.iter().filter(|l| l.positive).any(|l| match terms.op(l.atom) {
        Op::Eq => class[&terms.children(l.atom)[0]] == class[&terms.children(l.atom)[1]],
        _ => clause.iter().any(|o| !o.positive && class[&o.atom] == class[&l.atom]),
    })
}

/// Whether unit propagation refutes the negation of a clause.
fn follows(clauses: &[Clause], clause: &Clause) -> bool {
    let mut truths: Set<Literal> = clause.iter().map(|&l| !l).collect();
    loop {
        let before = truths.len();
        for known in clauses {
            let mut open: Vec<Literal> = known.iter().copied().filter(|&l| !truths.contains(&!l)).collect();
            open.dedup();
            match open[..] {
                [] => return true,
                [unit] => _ = truths.insert(unit),
                _ => {}
            }
        }
        if truths.iter().any(|&l| truths.contains(&!l)) {
            return true;
        }
        if truths.len() == before {
            return false;
        }
    }
}

/// All constants below the given formulas.
fn constants(terms: &Terms, roots: &Clause, seen: &mut Set<TermId>) {
    let mut open: Vec<TermId> = roots.iter().map(|l| l.atom).collect();
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            open.extend(terms.children(term));
        }
    }
}

/// Checks the proof of the last answer step by step.
pub(super) fn certify(grounder: &Grounder, terms: &mut Terms, asserted: &[TermId], core: &[TermId]) {
    let proof = grounder.proof(terms).expect("proofs are on");
    let mut clauses: Vec<Clause> = Vec::new();
    let mut seen = Set::default();
    for step in &proof.steps {
        let clause = clause(terms, step);
        match step {
            Step::Assertion { formula } => assert!(asserted.contains(formula), "asserted by the problem"),
            Step::Connective { node, clause } => assert!(connective_is_valid(terms, *node, clause)),
            Step::Lemma { clause, .. } => assert!(lemma_is_valid(terms, clause), "a lemma of equality"),
            Step::Propagation { clause } => assert!(follows(&clauses, clause), "unit propagation suffices"),
            Step::Skolem { constants, .. } => {
                assert!(constants.iter().all(|c| !seen.contains(c)), "witnesses are new");
            }
            _ => {}
        }
        constants(terms, &clause, &mut seen);
        clauses.push(clause);
    }
    let last = clauses.last().expect("a proof has steps");
    let negated: Clause = core.iter().map(|&c| Literal::new(terms, c, false)).collect();
    assert!(last.iter().all(|l| negated.contains(l)), "the last clause negates the core");
}

#[test]
fn proofs_of_random_problems() {
    let mut proofs = 0;
    for seed in 0..900 {
        let mut generator = Generator::new(seed + 10_000);
        let mut formulas: Vec<TermId> = Vec::new();
        for _ in 0..5 {
            let formula = generator.formula(3, &formulas);
            formulas.push(formula);
        }
        let terms = &mut generator.terms;
        let mut grounder = Grounder::new(true);
        let (asserted, assumed) = formulas.split_at(3);
        grounder.assert(terms, asserted[0]);
        // Something in between that is gone when the question is asked.
        grounder.push();
        grounder.assert(terms, asserted[1]);
        check(&mut grounder, terms, assumed);
        assert!(grounder.pop());
        grounder.push();
        grounder.assert(terms, asserted[2]);
        let negated = terms.not(assumed[0]).unwrap();
        let all: Vec<TermId> = formulas.iter().copied().chain([negated]).collect();
        let opposite = if in_fragment(terms, &all).is_ok() { &[negated][..] } else { &[] };
        for assumptions in [assumed, opposite, &[]] {
            if let GroundAnswer::Unsat { core } = check(&mut grounder, terms, assumptions) {
                certify(&grounder, terms, &[asserted[0], asserted[2]], &core);
                proofs += 1;
            }
        }
    }
    assert!(proofs > 200, "refutations are common: {proofs}");
}

#[test]
fn the_checkers_here_reject_nonsense() {
    let mut t = Terms::new();
    let s = t.declare_sort("S").unwrap();
    let (a, b, c) = (
        t.declare_const("a", s).unwrap(),
        t.declare_const("b", s).unwrap(),
        t.declare_const("c", s).unwrap(),
    );
    let (ab, bc, ac) = (t.eq(a, b).unwrap(), t.eq(b, c).unwrap(), t.eq(a, c).unwrap());
    let lit = |atom, positive| Literal { atom, positive };
    assert!(lemma_is_valid(&t, &vec![lit(ab, false), lit(bc, false), lit(ac, true)]));
    assert!(!lemma_is_valid(&t, &vec![lit(ab, false), lit(ac, true)]));
    let both = t.and(&[ab, bc]).unwrap();
    assert!(connective_is_valid(&mut t, both, &vec![lit(both, false), lit(ab, true)]));
    assert!(!connective_is_valid(&mut t, both, &vec![lit(both, true), lit(ab, true)]));
    assert!(!follows(&[vec![lit(ab, true), lit(bc, true)]], &vec![lit(ab, true)]));
}
