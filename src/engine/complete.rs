//! The last resorts of a check: splits of the reachability rules, matched patterns, integers.
//!
//! They run when every formula is justified and nothing else is left to conclude. Each leaves clauses and open
//! nodes behind, from which the search decides; more splits are opened at once while no conflict follows.

use crate::engine::kernel::{Kernel, Progress};
use crate::engine::theory::Theory;
use crate::engine::theory::explain::Conflict;
use crate::engine::theory::linear::IntegerNeed;
use crate::engine::theory::reach::Split;
use crate::logic::{TermId, Terms};
use crate::proof::{Closing, Step};
use crate::rules::syntax::{Arg, Head};
use crate::sat::Lit;
use crate::util::limits::{Budget, Stop};
use crate::util::options;

impl Kernel {
    /// Splits and integers, when nothing is open any more.
    pub(crate) fn complete(
        &mut self,
        terms: &mut Terms,
        fixed: &dyn Fn(Lit) -> bool,
        budget: &mut Budget,
    ) -> Result<Progress, Stop> {
        if self.theory.reach.sweep(&mut self.theory.egraph, true, budget)? {
            debug_assert!(false, "a saturated context leaves nothing to conclude");
            self.changed = true;
            return Ok(Progress::More);
        }
        if self.open_splits(terms, budget)? || self.match_patterns(terms, budget)? {
            return Ok(Progress::More);
        }
        match self.theory.integer_need(terms, self.split_width, budget)? {
            IntegerNeed::Nothing => return Ok(Progress::Quiet),
            IntegerNeed::Conflict(conflict) => self.add_conflict(terms, conflict, fixed, budget)?,
            IntegerNeed::Decide { formula, lower_first } => {
                let lit = self.clausifier.encode(terms, formula);
                let negated = terms.mk_not(formula);
                self.clausifier.encode(terms, negated);
                self.open(Vec::new(), if lower_first { vec![lit, !lit] } else { vec![!lit, lit] });
            }
            IntegerNeed::Trichotomies(pairs) => {
                self.split_width = (self.split_width * 2).min(options::SOLVER_SPLITS.size());
                pairs.into_iter().for_each(|(left, right)| self.add_trichotomy(terms, left, right));
            }
            IntegerNeed::Cut { premises, atom, positive, derivation } => {
                let head = self.clausifier.encode(terms, atom);
                let head = if positive { head } else { !head };
                let mut lits: Vec<Lit> = premises.iter().map(|&l| !l).collect();
                lits.push(head);
                self.clausifier
                    .add(lits.clone(), |c| Step::Lemma { clause: c.proof_clause(&lits), derivation });
                self.open(premises, vec![head]);
            }
        }
        self.n_splits += 1;
        Ok(Progress::More)
    }

    fn add_trichotomy(&mut self, terms: &mut Terms, left: TermId, right: TermId) {
        let formulas = [terms.mk_eq(left, right), terms.mk_le(left, right, 1), terms.mk_le(right, left, 1)];
        let heads = formulas.map(|f| self.clausifier.encode(terms, f)).to_vec();
        self.clausifier.add(heads.clone(), |_| Step::Trichotomy { left, right });
        self.open(Vec::new(), heads);
    }

    /// Opens a clause of the theory: when the premises are relevant, one of the heads must be.
    fn open(&mut self, premises: Vec<Lit>, heads: Vec<Lit>) {
        let Kernel { relevancy, clausifier, .. } = self;
        relevancy.add_split(premises, heads, clausifier);
    }

    /// Opens some of the splits that the last sweep collected: equalities first, short explanations first.
    fn open_splits(&mut self, terms: &mut Terms, budget: &mut Budget) -> Result<bool, Stop> {
        let mut splits = std::mem::take(&mut self.theory.reach.splits);
        if splits.is_empty() {
            return Ok(false);
        }
        splits.sort_by_key(|s| !s.has_equality);
        let width = self.split_width;
        self.split_width = (self.split_width * 2).min(options::SOLVER_SPLITS.size());
        let mut explained: Vec<(usize, Split, Conflict)> = Vec::new();
        for split in splits.into_iter().take(options::SOLVER_SPLITS_COMPARED.size().max(width)) {
            let why = self.explain_split(&split);
            budget.spend(why.literals.len() as u64)?;
            explained.push((why.literals.len() + 1000 * usize::from(!split.has_equality), split, why));
        }
        explained.sort_by_key(|(length, ..)| *length);
        explained.truncate(width);
        for (_, split, why) in explained {
            self.add_split(terms, &split, why);
        }
        Ok(true)
    }

    fn explain_split(&mut self, split: &Split) -> Conflict {
        let mut why = self.theory.instance_conflict(&split.instance);
        if self.theory.proofs {
            why.derivation.rules.push(self.theory.rule_step(split.field, &split.instance, false));
            why.derivation.closing = Closing::Contradiction;
        }
        why
    }

    fn add_split(&mut self, terms: &mut Terms, split: &Split, why: Conflict) {
        self.n_splits += 1;
        let rule = self.theory.reach.rule(split.instance.rule);
        let field = self.theory.reach.field_func(split.field);
        let term = |theory: &Theory, arg: Arg| theory.egraph.term(split.instance.node(arg));
        let mut heads = Vec::new();
        for alternative in &rule.alternatives {
            debug_assert_eq!(alternative.len(), 1, "alternatives of split rules have one head");
            let formula = match alternative[0] {
                Head::Between(p, q, r) => {
                    let [x, y, z] = [p, q, r].map(|arg| term(&self.theory, arg));
                    terms.mk_between(field, x, y, z)
                }
                Head::Equal(p, q) => {
                    let (left, right) = (term(&self.theory, p), term(&self.theory, q));
                    terms.mk_eq(left, right)
                }
            };
            heads.push(self.clausifier.encode(terms, formula));
        }
        let mut lits: Vec<Lit> = why.literals.iter().map(|&l| !l).collect();
        lits.extend(&heads);
        self.clausifier
            .add(lits.clone(), |c| Step::Lemma { clause: c.proof_clause(&lits), derivation: why.derivation });
        self.open(why.literals, heads);
    }
}
