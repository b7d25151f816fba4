//! Equalities that hold in every case of a disjunction.
//!
//! `(x = y and y = z) or (x = w and w = z)` says x = z whatever the case. The search would find that out again
//! in each combination of cases: a chain of n such diamonds has 2^n of them, all refuted for the same reason.
//! So each disjunction that holds with an asserted formula is read once: a formula stands for the partition of
//! terms that its equalities make, a conjunction for the join of its parts', a disjunction for their meet (the
//! equality abstraction of Yices). What the meet leaves is added as clauses: a lemma of congruence and
//! `not case or equality` for each case, and `not disjunction or equality`; the last two follow by unit
//! propagation.
//!
//! Missing on purpose: congruence inside the partitions, and disjunctions that hold only sometimes.

use crate::engine::clausify::Clausifier;
use crate::engine::theory::Theory;
use crate::logic::{Op, TermId, Terms};
use crate::proof::Step;
use crate::sat::Lit;
use crate::util::hash::{Map, Set};
use crate::util::limits::Budget;
use crate::util::options;

/// A formula that is not a negation, and its sign.
type Signed = (TermId, bool);

/// Terms of nontrivial classes with the label of their class.
type Partition = Map<TermId, u32>;

/// One case of a disjunction and equalities that follow from it.
type Case = (Signed, Vec<TermId>);

/// Reads disjunctions once each.
#[derive(Default)]
pub(crate) struct Cases {
    /// What follows from formulas that have been read.
    known: Map<TermId, Vec<TermId>>,
    /// What follows from disjunctions inside them. Formulas share them: the path to a statement is a conjunction that
    /// the path to the next one repeats.
    disjunctions: Map<Signed, Vec<TermId>>,
}

impl Cases {
    /// The equalities that follow from a formula because of the disjunctions that hold with it.
    pub(crate) fn following(&self, formula: TermId) -> &[TermId] {
        self.known.get(&formula).map_or(&[], |equalities| equalities)
    }

    /// Reads a formula that was encoded; new clauses are left in the clausifier.
    pub(crate) fn read(
        &mut self,
        terms: &mut Terms,
        formula: TermId,
        clausifier: &mut Clausifier,
        scratch: &mut Theory,
    ) {
        if self.known.contains_key(&formula) {
            return;
        }
        let mut found = Vec::new();
        let mut seen: Set<Signed> = Set::default();
        let mut stack = vec![terms.strip_not(formula)];
        while let Some(node) = stack.pop() {
            if is_join(terms, node) && seen.insert(node) {
                stack.extend(parts(terms, node));
            } else if is_meet(terms, node) && seen.insert(node) {
                let equalities = self.disjunctions.entry(node).or_insert_with(|| {
                    Reader { terms: &mut *terms, clausifier, scratch, size: 0 }.read(node, 0)
                });
                found.extend(equalities.iter().copied());
            }
        }
        self.known.insert(formula, found);
    }
}

fn is_join(terms: &Terms, (formula, positive): Signed) -> bool {
    matches!((terms.op(formula), positive), (Op::And, true) | (Op::Or, false))
}

fn is_meet(terms: &Terms, (formula, positive): Signed) -> bool {
    matches!((terms.op(formula), positive), (Op::Or, true) | (Op::And, false) | (Op::Ite, _))
}

/// The children of a connective with their signs; of an `ite` its two cases.
fn parts(terms: &Terms, (formula, positive): Signed) -> Vec<Signed> {
    let skipped = usize::from(terms.op(formula) == Op::Ite);
    let children = terms.children(formula)[skipped..].iter();
    let signed = children.map(|&child| terms.strip_not(child));
    signed.map(|(atom, plain)| (atom, plain == positive)).collect()
}

struct Reader<'a> {
    terms: &'a mut Terms,
    clausifier: &'a mut Clausifier,
    scratch: &'a mut Theory,
    size: usize,
}

impl Reader<'_> {
    /// Equalities that follow from a formula.
    fn read(&mut self, node: Signed, depth: usize) -> Vec<TermId> {
        self.size += 1;
        if self.size > options::SOLVER_CASE_TERMS.size() || depth > options::SOLVER_CASE_DEPTH.size() {
            return Vec::new();
        }
        match self.terms.op(node.0) {
            Op::Eq if node.1 && self.terms.sort(self.terms.children(node.0)[0]).is_uninterpreted() => {
                vec![node.0]
            }
            _ if is_join(self.terms, node) => self.join(node, depth),
            _ if is_meet(self.terms, node) => self.meet(node, depth),
            _ => Vec::new(),
        }
    }

    fn join(&mut self, node: Signed, depth: usize) -> Vec<TermId> {
        let parts = parts(self.terms, node).into_iter();
        let mut equalities: Vec<TermId> = parts.flat_map(|part| self.read(part, depth + 1)).collect();
        equalities.sort_unstable();
        equalities.dedup();
        equalities
    }

    fn meet(&mut self, node: Signed, depth: usize) -> Vec<TermId> {
        let mut cases: Vec<Case> = Vec::new();
        for part in parts(self.terms, node) {
            let equalities = self.read(part, depth + 1);
            if equalities.is_empty() {
                return Vec::new();
            }
            cases.push((part, equalities));
        }
        let mut equalities = Vec::new();
        for (left, right) in common(self.terms, &cases) {
            let equality = self.terms.mk_eq(left, right);
            if self.terms.op(equality) == Op::Eq && self.add(node, &cases, equality) {
                equalities.push(equality);
            }
        }
        equalities
    }

    /// Adds the clauses by which an equality follows from a disjunction.
    fn add(&mut self, node: Signed, cases: &[Case], equality: TermId) -> bool {
        let head = self.clausifier.encode(self.terms, equality);
        for (case, equalities) in cases.iter().filter(|case| !case.1.contains(&equality)) {
            self.scratch.push();
            for &atom in equalities {
                let lit = self.clausifier.encode(self.terms, atom);
                self.scratch.assert(self.terms, atom, true, lit);
            }
            self.scratch.assert(self.terms, equality, false, !head);
            let conflict = self.scratch.saturate(self.terms, &mut Budget::unlimited());
            self.scratch.pop_to(0);
            let Ok(Some(conflict)) = conflict else { return false };
            let lits: Vec<_> = conflict.literals.iter().map(|&lit| !lit).collect();
            let derivation = conflict.derivation;
            self.clausifier.add(lits.clone(), |c| Step::Lemma { clause: c.proof_clause(&lits), derivation });
            self.imply(*case, head);
        }
        self.imply(node, head);
        true
    }

    /// The clause `not node or head`, which follows by propagation.
    fn imply(&mut self, (formula, positive): Signed, head: Lit) {
        let own = self.clausifier.literal(self.terms, formula);
        let lits = vec![if positive { !own } else { own }, head];
        self.clausifier.add(lits.clone(), |c| Step::Propagation { clause: c.proof_clause(&lits) });
    }
}

/// The classes that equalities make.
fn partition(terms: &Terms, equalities: &[TermId]) -> Partition {
    let mut label: Partition = Map::default();
    let mut parent: Vec<u32> = Vec::new();
    fn root(parent: &[u32], mut at: u32) -> u32 {
        while parent[at as usize] != at {
            at = parent[at as usize];
        }
        at
    }
    for &equality in equalities {
        let [left, right] = [0, 1].map(|i| {
            *label.entry(terms.children(equality)[i]).or_insert_with(|| {
                parent.push(parent.len() as u32);
                parent.len() as u32 - 1
            })
        });
        let (left, right) = (root(&parent, left), root(&parent, right));
        parent[left.max(right) as usize] = left.min(right);
    }
    label.values_mut().for_each(|at| *at = root(&parent, *at));
    label
}

/// Pairs that make the meet of all partitions: each class's first term with its others, by term.
fn common(terms: &Terms, cases: &[Case]) -> Vec<(TermId, TermId)> {
    let partitions: Vec<Partition> = cases.iter().map(|case| partition(terms, &case.1)).collect();
    let Some(first) = partitions.first() else { return Vec::new() };
    let mut members: Vec<TermId> = first.keys().copied().collect();
    members.sort_unstable();
    let mut classes: Map<Vec<u32>, TermId> = Map::default();
    let mut pairs = Vec::new();
    for term in members {
        let labels = partitions.iter().map(|partition| partition.get(&term).copied());
        let Some(labels) = labels.collect::<Option<Vec<u32>>>() else { continue };
        match classes.get(&labels) {
            Some(&representative) => pairs.push((representative, term)),
            None => _ = classes.insert(labels, term),
        }
    }
    pairs.truncate(options::SOLVER_CASE_EQUALITIES.size());
    pairs
}
