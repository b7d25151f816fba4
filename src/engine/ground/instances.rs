//! Quantifiers on demand: a counterexample for each one that is false, instances where one that is true is
//! violated by the finite model.
//!
//! Why this ends, and why a model without violation is a model: an instance that was made is true in every
//! later assignment, and the finite model agrees with the assignment on all ground atoms. So if the body of a
//! true quantifier is false somewhere, either that instance is new, or it contains a quantifier that the
//! assignment calls true and the model violates, and the argument goes on inside. New instances are finitely
//! many because the ground terms are ([`super::fragment`]).

use super::encode::Encoder;
use super::program::compile;
use super::world::{World, constant_of};
use crate::logic::{Op, TermId, Terms, VarId};
use crate::proof::{Literal, Step};
use crate::util::hash::Map;
use crate::util::limits::{Budget, Stop};
use crate::util::options;
use bumpalo::{Bump, collections as bump};

/// The formula that a quantifier becomes at some values.
fn body_at(terms: &mut Terms, forall: TermId, values: &[TermId]) -> TermId {
    let variables = variables(terms, forall);
    let map: Map<VarId, TermId> = variables.into_iter().zip(values.iter().copied()).collect();
    let body = terms.children(forall)[0];
    terms.substitute(body, &map)
}

fn variables(terms: &Terms, forall: TermId) -> Vec<VarId> {
    let Op::Forall(id) = terms.op(forall) else { unreachable!("called on quantifiers only") };
    terms.quantifier(id).variables.clone()
}

/// Gives a counterexample to each quantifier that the assignment makes false; true if there are new ones.
pub(super) fn skolemise(terms: &mut Terms, encoder: &mut Encoder) -> bool {
    let is_false = |at: &usize| {
        let quantified = &encoder.quantifieds[*at];
        let value = encoder.cdcl.model_value(quantified.var.positive());
        quantified.negative && !quantified.skolemised && value == Some(false)
    };
    let refuted: Vec<usize> = (0..encoder.quantifieds.len()).filter(is_false).collect();
    for &at in &refuted {
        encoder.quantifieds[at].skolemised = true;
        let forall = encoder.quantifieds[at].term;
        let sorts: Vec<_> = variables(terms, forall).iter().map(|&v| terms.variable_info(v).1).collect();
        let constants: Vec<TermId> = sorts.into_iter().map(|s| terms.fresh_const("witness", s)).collect();
        let body = body_at(terms, forall, &constants);
        let clause = vec![Literal { atom: forall, positive: true }, Literal::new(terms, body, false)];
        encoder.add(terms, clause, Some(forall), None, Step::Skolem { forall, constants });
    }
    !refuted.is_empty()
}

/// Compiles each quantifier that the assignment makes true and that has to be, and sees to it that no sort
/// that it ranges over is empty.
pub(super) fn compile_active(terms: &mut Terms, encoder: &mut Encoder, world: &mut World) {
    for at in 0..encoder.quantifieds.len() {
        let quantified = &encoder.quantifieds[at];
        if !quantified.positive || quantified.program.is_some() || !encoder.holds(quantified.var) {
            continue;
        }
        let program = compile(terms, &mut world.tables, quantified.term);
        for &(_, sort) in &program.variables {
            if encoder.universe.is_empty(sort) {
                let constant = constant_of(terms, &program, &world.tables, sort);
                encoder.node(terms, constant);
            }
        }
        encoder.quantifieds[at].program = Some(program);
    }
}

/// Adds instances that the finite model violates; returns how many.
pub(super) fn instantiate(
    terms: &mut Terms,
    encoder: &mut Encoder,
    world: &mut World,
    scratch: &Bump,
    budget: &mut Budget,
) -> Result<u64, Stop> {
    let mut added: bump::Vec<'_, (usize, &[TermId])> = bump::Vec::new_in(scratch);
    for at in 0..encoder.quantifieds.len() {
        let quantified = &encoder.quantifieds[at];
        if !quantified.positive || !encoder.holds(quantified.var) {
            continue;
        }
        let program = quantified.program.as_ref().expect("active quantifiers are compiled");
        world.fill(terms, encoder, program);
        if world.unchanged(program, quantified.verified) {
            continue;
        }
        match violated(encoder, world, at, scratch, budget)? {
            Some(tuples) => added.extend(tuples.into_iter().map(|tuple| (at, tuple))),
            None => encoder.quantifieds[at].verified = world.tick(),
        }
    }
    let n = added.len() as u64;
    for (at, values) in added {
        let forall = encoder.quantifieds[at].term;
        let body = body_at(terms, forall, values);
        let clause = vec![Literal { atom: forall, positive: false }, Literal::new(terms, body, true)];
        encoder.quantifieds[at].made.insert(values.into());
        let values = values.to_vec();
        encoder.add(terms, clause, Some(forall), None, Step::Instance { forall, values });
    }
    Ok(n)
}

/// Values at which a quantifier is violated and not instantiated; none if it is not violated at all.
fn violated<'b>(
    encoder: &Encoder,
    world: &mut World,
    at: usize,
    scratch: &'b Bump,
    budget: &mut Budget,
) -> Result<Option<bump::Vec<'b, &'b [TermId]>>, Stop> {
    let quantified = &encoder.quantifieds[at];
    let program = quantified.program.as_ref().expect("active quantifiers are compiled");
    let mut any = false;
    let mut tuples: bump::Vec<'b, &'b [TermId]> = bump::Vec::new_in(scratch);
    world.violations(program, budget, &mut |nodes| {
        any = true;
        let tuple: &[TermId] =
            scratch.alloc_slice_fill_iter(nodes.iter().map(|&n| encoder.universe.node(n).term));
        if !quantified.made.contains(tuple) && !tuples.contains(&tuple) {
            tuples.push(tuple);
        }
        tuples.len() >= options::GROUND_INSTANCES_PER_ROUND.size()
    })?;
    Ok(any.then_some(tuples))
}
