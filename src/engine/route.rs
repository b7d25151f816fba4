//! The EPR route of the public solver: one grounder that follows its scopes.
//!
//! Unnamed assertions go into the grounder's level of their scope, named ones are assumed as formulas, so
//! cores speak of them. The grounder keeps everything it learns; if the formulas of its life leave the
//! fragment together (a popped scope may have applied functions the other way round), it is made anew.

use crate::engine::ground::{GroundAnswer, Grounder, in_fragment};
use crate::logic::{Model, Op, TermId, Terms};
use crate::proof::{Literal, Proof, Step};
use crate::util::hash::{Map, Set};
use crate::util::limits::{Budget, Stop};

/// One scope of the caller: its identity and its first assertion.
#[derive(Clone, Copy)]
pub(crate) struct ScopeView {
    pub(crate) id: u64,
    pub(crate) start: usize,
}

/// What one level of the grounder was told.
struct Level {
    scope: u64,
    /// Assertions before this one have been told.
    fed: usize,
    told: Told,
}

/// Formulas that a model has to satisfy. Most assertions of a long session are disjunctions that a Boolean
/// constant switches off; while it is false all formulas behind it hold, and none is looked at.
#[derive(Default)]
struct Told {
    plain: Vec<TermId>,
    guarded: Vec<(TermId, Vec<TermId>)>,
    guards: Map<TermId, usize>,
}

impl Told {
    fn add(&mut self, terms: &Terms, formula: TermId) {
        let Some(guard) = guard(terms, formula) else { return self.plain.push(formula) };
        let at = *self.guards.entry(guard).or_insert_with(|| {
            self.guarded.push((guard, Vec::new()));
            self.guarded.len() - 1
        });
        self.guarded[at].1.push(formula);
    }

    /// A formula that is false in the grounder's model.
    fn violated(&self, terms: &Terms, grounder: &mut Grounder) -> Option<TermId> {
        let mut violated = self.plain.iter().find(|&&f| !grounder.holds(terms, f));
        for (guard, formulas) in &self.guarded {
            if violated.is_none() && grounder.is_on(*guard) {
                violated = formulas.iter().find(|&&f| !grounder.holds(terms, f));
            }
        }
        violated.copied()
    }
}

/// The Boolean constant that stands negated in a disjunction, if there is one.
fn guard(terms: &Terms, formula: TermId) -> Option<TermId> {
    let negated = |&child: &TermId| (terms.op(child) == Op::Not).then(|| terms.children(child)[0]);
    let is_constant =
        |term: &TermId| matches!(terms.op(*term), Op::App(_)) && terms.children(*term).is_empty();
    let children = terms.children(formula).iter();
    (terms.op(formula) == Op::Or).then(|| children.filter_map(negated).find(is_constant))?
}

/// A grounder and what it was told.
pub(crate) struct GroundRoute {
    grounder: Grounder,
    proofs: bool,
    levels: Vec<Level>,
    /// Formulas with quantifiers that the grounder ever saw.
    life: Vec<TermId>,
    /// Formulas that are in the fragment by themselves and have no quantifiers.
    harmless: Set<TermId>,
}

impl GroundRoute {
    pub(crate) fn new(proofs: bool) -> GroundRoute {
        GroundRoute {
            grounder: Grounder::new(proofs),
            proofs,
            levels: Vec::new(),
            life: Vec::new(),
            harmless: Set::default(),
        }
    }

    /// Whether the formulas are EPR together with all that was accepted since the grounder was made.
    pub(crate) fn accepts_more(&mut self, terms: &Terms, formulas: &[TermId]) -> bool {
        let mut life = self.life.clone();
        for &formula in formulas {
            if !terms.is_quantifier_free(formula) {
                if !life.contains(&formula) {
                    life.push(formula);
                }
            } else if !self.harmless.contains(&formula) {
                if in_fragment(terms, &[formula]).is_err() {
                    return false;
                }
                self.harmless.insert(formula);
            }
        }
        let accepted = life.len() == self.life.len() || in_fragment(terms, &life).is_ok();
        if accepted {
            self.life = life;
        }
        accepted
    }

    /// Whether the formulas are EPR by themselves; if so, a new grounder is ready for them.
    pub(crate) fn accepts_anew(&mut self, terms: &Terms, formulas: &[TermId]) -> bool {
        let mut new = GroundRoute::new(self.proofs);
        std::mem::swap(&mut new.harmless, &mut self.harmless);
        let accepted = new.accepts_more(terms, formulas);
        match accepted {
            true => *self = new,
            false => self.harmless = new.harmless,
        }
        accepted
    }

    /// Brings the levels of the grounder in line with the scopes, outermost first: `unnamed` is the formula
    /// of an assertion without a name, of which there are `n`, named ones included.
    pub(crate) fn follow(
        &mut self,
        terms: &mut Terms,
        scopes: &[ScopeView],
        n: usize,
        unnamed: impl Fn(usize) -> Option<TermId>,
    ) {
        let same = self.levels.iter().zip(scopes).take_while(|(level, scope)| level.scope == scope.id);
        let same = same.count();
        while self.levels.len() > same.max(1) {
            self.grounder.pop();
            self.levels.pop();
        }
        for (i, &ScopeView { id, start }) in scopes.iter().enumerate() {
            if self.levels.len() <= i {
                if i > 0 {
                    self.grounder.push();
                }
                self.levels.push(Level { scope: id, fed: start, told: Told::default() });
            }
            let level = &mut self.levels[i];
            let end = scopes.get(i + 1).map_or(n, |inner| inner.start);
            for formula in (level.fed..end).filter_map(&unnamed) {
                self.grounder.assert(terms, formula);
                level.told.add(terms, formula);
            }
            level.fed = end;
        }
    }

    pub(crate) fn check(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        budget: &mut Budget,
    ) -> Result<GroundAnswer, Stop> {
        self.grounder.check(terms, assumptions, budget)
    }

    /// The model of the last check, or a formula that is false in it: that would be our own fault. Besides
    /// what was told, `assumed` has to hold.
    pub(crate) fn model(&mut self, terms: &Terms, assumed: &[TermId]) -> Result<Model, TermId> {
        let GroundRoute { grounder, levels, .. } = self;
        let violated = assumed.iter().copied().find(|&f| !grounder.holds(terms, f));
        let told = || levels.iter().find_map(|level| level.told.violated(terms, grounder));
        let violated = violated.or_else(told);
        debug_assert!(violated.is_none(), "the finite model satisfies every formula");
        match violated {
            Some(formula) => Err(formula),
            None => Ok(self.grounder.model(terms)),
        }
    }

    /// The proof of the last check. `named` are the assertions that were assumed, `assumptions` the caller's.
    pub(crate) fn proof(&self, terms: &Terms, named: &[TermId], assumptions: &[TermId]) -> Option<Proof> {
        let mut proof = self.grounder.proof(terms)?;
        proof.steps.extend(named.iter().map(|&formula| Step::Assertion { formula }));
        let clause = assumptions.iter().map(|&a| Literal::new(terms, a, false)).collect();
        proof.steps.push(Step::Propagation { clause });
        Some(proof)
    }

    pub(crate) fn grounder(&self) -> &Grounder {
        &self.grounder
    }
}
