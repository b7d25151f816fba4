//! Mutants of proofs, for fuzzing the checker.
//!
//! A mutant is a proof with one random change. It may still be a proof (a step that nobody needs was
//! dropped), so a caller holds the checker's answer against the semantics, for instance: no mutant
//! whatever may be accepted for a satisfiable problem.

use crate::logic::{FuncId, TermId, Terms};
use crate::proof::{Clause, Closing, Cut, Literal, Proof, RuleStep, Source, Step};
use crate::rules::table::table;
use crate::util::num::Int;
use crate::util::rng::Rng;

/// Draws that may leave a proof as it is before [`mutants`] gives up on it.
const MAX_DRAWS: usize = 200;

/// Up to `count` proofs, each of which differs from `proof` in one place (fewer only if the proof is empty
/// and offers nothing to change). Equal seeds give equal mutants.
pub fn mutants(terms: &Terms, proof: &Proof, seed: u64, count: usize) -> Vec<Proof> {
    let mut rng = Rng::new(seed);
    let mut all = Vec::with_capacity(count);
    while all.len() < count {
        let mut draws = (0..MAX_DRAWS).map(|_| {
            let mut mutant = proof.clone();
            change(terms, &mut mutant, &mut rng);
            mutant
        });
        match draws.find(|mutant| mutant != proof) {
            Some(mutant) => all.push(mutant),
            None => break,
        }
    }
    all
}

/// One random change, or none where the draw does not apply.
fn change(terms: &Terms, proof: &mut Proof, rng: &mut Rng) {
    let n_steps = proof.steps.len();
    if n_steps == 0 {
        return;
    }
    let (at, other) = (rng.below(n_steps), rng.below(n_steps));
    match rng.below(16) {
        0 => {
            proof.steps.remove(at);
        }
        1 => proof.steps.swap(at, other),
        2 => proof.steps.insert(other, proof.steps[at].clone()),
        3 => proof.steps.truncate(at),
        4 => proof.steps.insert(at, Step::Propagation { clause: vec![random_literal(terms, rng)] }),
        5..8 => {
            let mut mentioned = terms_mut(&mut proof.steps[at]);
            let place = rng.below(mentioned.len());
            if let Some(term) = mentioned.get_mut(place) {
                **term = random_term(terms, **term, rng);
            }
        }
        8..12 => change_clause_or_list(terms, &mut proof.steps[at], rng),
        _ => change_derivation(terms, &mut proof.steps[at], rng),
    }
}

fn change_clause_or_list(terms: &Terms, step: &mut Step, rng: &mut Rng) {
    match step {
        Step::Connective { clause, .. } | Step::Lemma { clause, .. } | Step::Propagation { clause } => {
            let literal = random_literal(terms, rng);
            change_clause(clause, literal, rng);
        }
        Step::Instance { values: list, .. } | Step::Skolem { constants: list, .. } => {
            let extra = TermId(rng.below(terms.len()) as u32);
            change_list(list, extra, rng);
        }
        Step::Trichotomy { left, right } => *left = *right,
        Step::Assertion { .. } => {}
    }
}

fn change_clause(clause: &mut Clause, extra: Literal, rng: &mut Rng) {
    let place = rng.below(clause.len());
    match rng.below(3) {
        0 if !clause.is_empty() => clause[place].positive ^= true,
        1 => clause.insert(place, extra),
        _ => change_list(clause, extra, rng),
    }
}

/// Drops, swaps, repeats or adds an element.
fn change_list<T: Clone>(list: &mut Vec<T>, extra: T, rng: &mut Rng) {
    if list.is_empty() {
        return list.push(extra);
    }
    let (place, other) = (rng.below(list.len()), rng.below(list.len()));
    match rng.below(5) {
        0 | 1 => {
            list.remove(place);
        }
        2 => list.swap(place, other),
        3 => list[place] = list[other].clone(),
        _ => list.push(extra),
    }
}

fn change_derivation(terms: &Terms, step: &mut Step, rng: &mut Rng) {
    let Step::Lemma { clause, derivation } = step else { return };
    if let (Closing::Arithmetic(cuts), true) = (&mut derivation.closing, rng.one_in(2)) {
        if rng.one_in(8) {
            derivation.closing = Closing::Contradiction;
        } else {
            change_cuts(clause.len(), cuts, rng);
        }
        return;
    }
    if derivation.rules.is_empty() || rng.one_in(4) {
        let extra = random_rule_step(terms, rng);
        return change_list(&mut derivation.rules, extra, rng);
    }
    let place = rng.below(derivation.rules.len());
    let rule = &mut derivation.rules[place];
    match rng.below(4) {
        0 => rule.alternative = *rng.pick(&[None, Some(0), Some(1), Some(2)]),
        1 => rule.rule = random_rule_step(terms, rng).rule,
        2 => rule.field = random_field(terms, rng),
        _ => {
            let extra = TermId(rng.below(terms.len()) as u32);
            change_list(&mut rule.binding, extra, rng);
        }
    }
}

fn change_cuts(n_hypotheses: usize, cuts: &mut Vec<Cut>, rng: &mut Rng) {
    let multiplier = Int::from(rng.below(7) as i64 - 3);
    let source = match rng.below(2) {
        0 => Source::Hypothesis(rng.below(n_hypotheses + 1)),
        _ => Source::Cut(rng.below(cuts.len() + 1)),
    };
    let place = rng.below(cuts.len());
    let Some(cut) = cuts.get_mut(place).filter(|cut| !cut.sum.is_empty() && !rng.one_in(5)) else {
        return change_list(cuts, Cut { sum: vec![(multiplier, source)] }, rng);
    };
    let summand = rng.below(cut.sum.len());
    match rng.below(3) {
        0 => cut.sum[summand].0 = multiplier,
        1 => cut.sum[summand].1 = source,
        _ => change_list(&mut cut.sum, (multiplier, source), rng),
    }
}

/// Another term, mostly of the same sort; now and then any term, or none of the store at all.
fn random_term(terms: &Terms, old: TermId, rng: &mut Rng) -> TermId {
    let any = TermId(rng.below(terms.len() + 1) as u32);
    if !terms.contains(old) || rng.one_in(8) {
        return any;
    }
    let fits = |t: TermId| t != old && terms.sort(t) == terms.sort(old) && terms.is_closed(t);
    let candidates: Vec<TermId> = (0..terms.len() as u32).map(TermId).filter(|&t| fits(t)).collect();
    if candidates.is_empty() { any } else { *rng.pick(&candidates) }
}

fn random_literal(terms: &Terms, rng: &mut Rng) -> Literal {
    let formula = random_term(terms, Terms::TRUE, rng);
    let positive = rng.one_in(2);
    if terms.contains(formula) {
        Literal::new(terms, formula, positive)
    } else {
        Literal { atom: formula, positive }
    }
}

fn random_field(terms: &Terms, rng: &mut Rng) -> FuncId {
    FuncId(rng.below(terms.funcs().len() + 1) as u32)
}

fn random_rule_step(terms: &Terms, rng: &mut Rng) -> RuleStep {
    let rules: Vec<_> = table().theories().iter().flat_map(|theory| &theory.rules).collect();
    let rule = *rng.pick(&rules);
    let field = random_field(terms, rng);
    let binding = rule.variables.iter().map(|_| TermId(rng.below(terms.len()) as u32)).collect();
    RuleStep { field, rule: &rule.name, binding, alternative: Some(rng.below(rule.alternatives.len())) }
}

/// All terms that stand in a step, to be changed.
fn terms_mut(step: &mut Step) -> Vec<&mut TermId> {
    match step {
        Step::Assertion { formula } => vec![formula],
        Step::Connective { node, clause } => {
            std::iter::once(node).chain(clause.iter_mut().map(|l| &mut l.atom)).collect()
        }
        Step::Instance { forall, values: list } | Step::Skolem { forall, constants: list } => {
            std::iter::once(forall).chain(list).collect()
        }
        Step::Trichotomy { left, right } => vec![left, right],
        Step::Propagation { clause } => clause.iter_mut().map(|l| &mut l.atom).collect(),
        Step::Lemma { clause, derivation } => {
            let atoms = clause.iter_mut().map(|l| &mut l.atom);
            let bound = derivation.rules.iter_mut().flat_map(|rule| &mut rule.binding);
            let cuts = match &mut derivation.closing {
                Closing::Contradiction => &mut [],
                Closing::Arithmetic(cuts) => &mut cuts[..],
            };
            let equal = cuts.iter_mut().flat_map(|cut| &mut cut.sum).flat_map(|(_, source)| match source {
                Source::Equal(left, right) => vec![left, right],
                Source::Hypothesis(_) | Source::Cut(_) => vec![],
            });
            atoms.chain(bound).chain(equal).collect()
        }
    }
}
