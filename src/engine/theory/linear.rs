//! Integers: the bridge between terms, the congruence closure and the simplex.
//!
//! A term of sort Int is *present* in arithmetic when it is a summand of a comparison or a sum itself. Two
//! present terms (or a present term and a number) of one class are equated in the simplex; the bound's
//! reason is that equality, so an explanation goes back to the graph. Unknowns of the simplex are made once
//! per term and stay.
//!
//! The other direction is by model ([`Theory::integer_splits`]): terms whose equality matters to somebody
//! else (arguments of functions, sides of a disequality) and that have the same value, but not the same
//! class, are told apart or merged by a split `a = b or a < b or b < a`.

use crate::engine::arith::{self, Arith, ArithVar, IntegerCheck};
use crate::engine::theory::Theory;
use crate::engine::theory::egraph::{EGraph, NONE, Node};
use crate::engine::theory::explain::Conflict;
use crate::logic::{LinearForm, Op, SortId, TermId, Terms};
use crate::proof::{Closing, Cut, Derivation, Source};
use crate::sat::Lit;
use crate::util::hash::Map;
use crate::util::limits::{Budget, Stop};
use crate::util::num::{Int, Rat};
use crate::util::rng::Rng;

/// Why a bound holds.
#[derive(Clone, Copy, Debug)]
enum BoundReason {
    /// A comparison.
    Literal(Lit),
    /// Two nodes of one class.
    Equal(Node, Node),
}

enum Undo {
    Member { root: Node, old: Node },
    Reason,
    Diseq,
    Group,
}

/// The arithmetic half of the theory.
#[derive(Default)]
pub(crate) struct Linear {
    pub(crate) simplex: Arith,
    unknowns: Map<TermId, ArithVar>,
    terms: Map<ArithVar, TermId>,
    reasons: Vec<BoundReason>,
    /// A present node of a class, indexed by root.
    members: Vec<Node>,
    /// Integer disequalities in force.
    diseqs: Vec<(Node, Node)>,
    /// Integers in force that must differ pairwise.
    groups: Vec<Vec<Node>>,
    undo: Vec<Undo>,
    levels: Vec<usize>,
    n_branches: u64,
    /// Bounds were asserted since the last check.
    dirty: bool,
    failed: Option<arith::Conflict>,
    /// Two nodes of one class whose difference is a number other than 0, and its sign.
    absurd: Option<(Node, Node, Int)>,
}

/// What the integers still need.
pub(crate) enum IntegerNeed {
    /// Nothing: all values are integers and agree with the classes.
    Nothing,
    /// Decide this bound, beginning with the side that is more promising.
    Decide { formula: TermId, lower_first: bool },
    /// Decide between `left = right`, `left < right` and `right < left` for each pair.
    Trichotomies(Vec<(TermId, TermId)>),
    /// These literals imply the atom with this sign.
    Cut { premises: Vec<Lit>, atom: TermId, positive: bool, derivation: Derivation },
    /// No integers satisfy the bounds.
    Conflict(Conflict),
}

impl Linear {
    pub(crate) fn push(&mut self) {
        self.levels.push(self.undo.len());
        self.simplex.push();
    }

    pub(crate) fn pop(&mut self, n_levels: usize) {
        let keep = self.levels.len() - n_levels;
        let Some(&target) = self.levels.get(keep) else { return };
        self.levels.truncate(keep);
        self.simplex.pop(n_levels);
        self.failed = None;
        self.absurd = None;
        // A conflict may have left values outside the bounds that remain.
        self.dirty = true;
        while self.undo.len() > target {
            match self.undo.pop().expect("longer than the target") {
                Undo::Member { root, old } => self.members[root as usize] = old,
                Undo::Reason => {
                    self.reasons.pop();
                }
                Undo::Diseq => {
                    self.diseqs.pop();
                }
                Undo::Group => {
                    self.groups.pop();
                }
            }
        }
    }

    /// The member of a class that arithmetic knows: a present node, or a number.
    fn member(&self, egraph: &EGraph, root: Node) -> Option<Node> {
        match self.members.get(root as usize) {
            Some(&node) if node != NONE => Some(node),
            _ => egraph.constant(root),
        }
    }

    fn set_member(&mut self, egraph: &EGraph, root: Node, node: Node) {
        if self.members.len() <= root as usize {
            self.members.resize(egraph.len() as usize, NONE);
        }
        let old = std::mem::replace(&mut self.members[root as usize], node);
        self.undo.push(Undo::Member { root, old });
    }

    fn unknown(&mut self, term: TermId) -> ArithVar {
        if let Some(&var) = self.unknowns.get(&term) {
            return var;
        }
        let var = self.simplex.new_var();
        self.unknowns.insert(term, var);
        self.terms.insert(var, term);
        var
    }

    fn form_var(&mut self, form: &LinearForm) -> ArithVar {
        let terms: Vec<(Int, ArithVar)> =
            form.terms.iter().map(|(t, c)| (c.clone(), self.unknown(*t))).collect();
        self.simplex.linear(&terms)
    }

    /// A node becomes present.
    pub(crate) fn present(&mut self, terms: &Terms, egraph: &EGraph, node: Node) {
        let root = egraph.root(node);
        if self.members.get(root as usize).is_some_and(|&m| m == node) || egraph.constant(root) == Some(node)
        {
            return;
        }
        for (summand, _) in terms.linear_form(egraph.term(node)).terms {
            self.unknown(summand);
        }
        match self.member(egraph, root) {
            Some(other) => self.equate(terms, egraph, node, other),
            None => self.set_member(egraph, root, node),
        }
        // A class that so far had a number only needs a present node for later merges.
        if self.members.get(root as usize).is_none_or(|&m| m == NONE) {
            self.set_member(egraph, root, node);
        }
    }

    pub(crate) fn follow_merges(&mut self, terms: &Terms, egraph: &EGraph, merges: &[(Node, Node)]) {
        for &(loser, winner) in merges {
            if terms.sort(egraph.term(loser)) != SortId::INT {
                continue;
            }
            let present = |s: &Linear, root: Node| match s.members.get(root as usize) {
                Some(&node) if node != NONE => Some(node),
                _ => None,
            };
            let (from, to) = (present(self, loser), present(self, winner));
            match (from, to) {
                (Some(a), Some(b)) => self.equate(terms, egraph, a, b),
                (Some(a), None) => {
                    self.set_member(egraph, winner, a);
                    self.equate_constant(terms, egraph, a);
                }
                (None, Some(b)) => self.equate_constant(terms, egraph, b),
                (None, None) => {}
            }
        }
    }

    fn equate_constant(&mut self, terms: &Terms, egraph: &EGraph, node: Node) {
        if let Some(constant) = egraph.constant(node) {
            self.equate(terms, egraph, node, constant);
        }
    }

    /// Equates two nodes of one class in the simplex.
    fn equate(&mut self, terms: &Terms, egraph: &EGraph, a: Node, b: Node) {
        if a == b {
            return;
        }
        let (a, b) = (a.min(b), a.max(b));
        let form =
            terms.linear_form(egraph.term(a)).add_scaled(&terms.linear_form(egraph.term(b)), &Int::from(-1));
        if form.is_number() {
            // One form twice says nothing, x and x + 2 in one class are absurd.
            if !form.constant.is_zero() {
                self.dirty = true;
                self.absurd.get_or_insert((a, b, Int::from(i64::from(form.constant.signum()))));
            }
            return;
        }
        let var = self.form_var(&form);
        let bound = -&form.constant;
        let reason = self.reason(BoundReason::Equal(a, b));
        let result = self
            .simplex
            .assert_upper(var, &bound, reason)
            .and_then(|()| self.simplex.assert_lower(var, &bound, reason));
        self.note(result);
    }

    fn reason(&mut self, reason: BoundReason) -> u32 {
        self.reasons.push(reason);
        self.undo.push(Undo::Reason);
        self.reasons.len() as u32 - 1
    }

    fn note(&mut self, result: Result<(), arith::Conflict>) {
        self.dirty = true;
        if let Err(conflict) = result {
            self.failed.get_or_insert(conflict);
        }
    }

    /// Asserts `form <= bound` or its negation; the summands are in the graph.
    pub(crate) fn assert(&mut self, terms: &Terms, atom: TermId, literal: Lit, positive: bool) {
        let Op::Le(bound) = terms.op(atom) else { unreachable!("comparisons only") };
        let form = terms.linear_form(terms.children(atom)[0]);
        let var = self.form_var(&form);
        let reason = self.reason(BoundReason::Literal(literal));
        let bound = terms.number(bound);
        let result = if positive {
            self.simplex.assert_upper(var, bound, reason)
        } else {
            self.simplex.assert_lower(var, &(bound + &Int::from(1)), reason)
        };
        self.note(result);
    }

    pub(crate) fn separate(&mut self, left: Node, right: Node) {
        self.diseqs.push((left, right));
        self.undo.push(Undo::Diseq);
    }

    pub(crate) fn separate_all(&mut self, nodes: Vec<Node>) {
        self.groups.push(nodes);
        self.undo.push(Undo::Group);
    }

    /// The value of an integer node, if arithmetic knows its class.
    pub(crate) fn value(&self, terms: &Terms, egraph: &EGraph, node: Node) -> Option<Rat> {
        let member = self.member(egraph, egraph.root(node))?;
        let form = terms.linear_form(egraph.term(member));
        let mut sum = Rat::from(&form.constant);
        for (term, coefficient) in &form.terms {
            let var = self.unknowns.get(term)?;
            sum += Rat::from(coefficient) * self.simplex.value(*var);
        }
        Some(sum)
    }

    /// Which side of a branch to try first: towards zero, since solutions are rarely far out; but a search
    /// that always runs the same way may never end, so every so often the other one.
    fn lower_first(&mut self, floor: &Int) -> bool {
        self.n_branches += 1;
        let towards_zero = !floor.is_negative();
        if Rng::new(self.n_branches).one_in(3) { !towards_zero } else { towards_zero }
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        self.simplex.memory_bytes() + (self.reasons.capacity() * 16 + self.members.capacity() * 4) as u64
    }
}

impl Theory {
    /// Rational feasibility of the bounds; cheap when nothing was asserted since the last call.
    pub(crate) fn check_linear(&mut self, budget: &mut Budget) -> Result<Option<Conflict>, Stop> {
        if !self.linear.dirty {
            return Ok(None);
        }
        if let Some((a, b, sign)) = self.linear.absurd.take() {
            let mut conflict = self.conflict(|out| out.equality(a, b));
            let source = Source::Equal(self.egraph.term(a), self.egraph.term(b));
            conflict.derivation.closing = Closing::Arithmetic(vec![Cut { sum: vec![(sign, source)] }]);
            return Ok(Some(conflict));
        }
        let failed = match self.linear.failed.take() {
            Some(conflict) => Some(conflict),
            None => self.linear.simplex.check(budget)?.err(),
        };
        match failed {
            Some(conflict) => Ok(Some(self.linear_conflict(&conflict.derivation))),
            None => {
                self.linear.dirty = false;
                Ok(None)
            }
        }
    }

    /// The literals behind an arithmetic derivation, and the derivation over them.
    fn linear_conflict(&mut self, derivation: &arith::Derivation) -> Conflict {
        let reasons: Vec<BoundReason> =
            derivation.reasons().into_iter().map(|r| self.linear.reasons[r as usize]).collect();
        let mut conflict = self.conflict(|out| {
            for reason in &reasons {
                match *reason {
                    BoundReason::Literal(literal) => out.literal(literal),
                    BoundReason::Equal(a, b) => out.equality(a, b),
                }
            }
        });
        if self.proofs {
            let cuts = self.cuts(derivation, &conflict.literals);
            conflict.derivation.closing = Closing::Arithmetic(cuts);
        }
        conflict
    }

    fn cuts(&self, derivation: &arith::Derivation, literals: &[Lit]) -> Vec<Cut> {
        let source = |multiplier: &Int, source: &arith::Source| match source {
            arith::Source::Step(step) => (multiplier.clone(), Source::Cut(*step)),
            arith::Source::Bound(premise) => match self.linear.reasons[premise.reason as usize] {
                BoundReason::Literal(literal) => {
                    let at = literals.binary_search(&literal).expect("reasons are among the literals");
                    (multiplier.clone(), Source::Hypothesis(at))
                }
                BoundReason::Equal(a, b) => {
                    let multiplier = if premise.upper { multiplier.clone() } else { -multiplier };
                    (multiplier, Source::Equal(self.egraph.term(a), self.egraph.term(b)))
                }
            },
        };
        let steps = derivation.steps.iter();
        steps.map(|step| Cut { sum: step.sum.iter().map(|(k, s)| source(k, s)).collect() }).collect()
    }

    /// What is missing to make the present rational solution an integral one that agrees with the classes; at
    /// most `width` pairs of terms to tell apart.
    pub(crate) fn integer_need(
        &mut self,
        terms: &mut Terms,
        width: usize,
        budget: &mut Budget,
    ) -> Result<IntegerNeed, Stop> {
        if let Some(conflict) = self.check_linear(budget)? {
            return Ok(IntegerNeed::Conflict(conflict));
        }
        match self.linear.simplex.check_integer(budget)? {
            IntegerCheck::Integral => {}
            IntegerCheck::Branch { var, floor } => {
                let form = self.unknown_form(&[(Int::from(1), var)]);
                let lower_first = self.linear.lower_first(&floor);
                return Ok(IntegerNeed::Decide { formula: terms.mk_bound(form, floor), lower_first });
            }
            IntegerCheck::Cut { terms: cut, bound, derivation } => {
                return Ok(self.cut_need(terms, &cut, bound, &derivation));
            }
            IntegerCheck::Conflict(conflict) => {
                return Ok(IntegerNeed::Conflict(self.linear_conflict(&conflict.derivation)));
            }
        }
        let pairs = self.coincidences(terms, width);
        budget.spend(u64::from(self.egraph.len()))?;
        Ok(match pairs.is_empty() {
            true => IntegerNeed::Nothing,
            false => IntegerNeed::Trichotomies(pairs),
        })
    }

    fn unknown_form(&self, cut: &[(Int, ArithVar)]) -> LinearForm {
        let mut form = LinearForm::default();
        for (coefficient, var) in cut {
            let part = match self.linear.simplex.definition(*var) {
                None => LinearForm::term(self.linear.terms[var]),
                Some(parts) => self.unknown_form(parts),
            };
            form = form.add_scaled(&part, coefficient);
        }
        form
    }

    fn cut_need(
        &mut self,
        terms: &mut Terms,
        cut: &[(Int, ArithVar)],
        bound: Int,
        derivation: &arith::Derivation,
    ) -> IntegerNeed {
        let form = self.unknown_form(cut);
        let formula = terms.mk_bound(form, bound);
        let (atom, positive) = terms.strip_not(formula);
        let mut conflict = self.linear_conflict(derivation);
        if let Closing::Arithmetic(cuts) = &mut conflict.derivation.closing {
            // The cut contradicts the negated conclusion, which is the last hypothesis.
            let hypothesis = Source::Hypothesis(conflict.literals.len());
            let last = Source::Cut(cuts.len() - 1);
            cuts.push(Cut { sum: vec![(Int::from(1), last), (Int::from(1), hypothesis)] });
        }
        let Conflict { literals: premises, derivation } = conflict;
        IntegerNeed::Cut { premises, atom, positive, derivation }
    }

    /// Integer terms with equal values in different classes whose equality matters, at most `width` pairs.
    fn coincidences(&self, terms: &Terms, width: usize) -> Vec<(TermId, TermId)> {
        let mut pairs: Vec<(Node, Node)> = Vec::new();
        self.coincidences_of_literals(terms, width, &mut pairs);
        if pairs.is_empty() {
            self.coincidences_of_arguments(terms, width, &mut pairs);
        }
        pairs.into_iter().map(|(a, b)| (self.egraph.term(a), self.egraph.term(b))).collect()
    }

    /// Sides of disequalities, and members of a `distinct`.
    fn coincidences_of_literals(&self, terms: &Terms, width: usize, pairs: &mut Vec<(Node, Node)>) {
        let value = |node: Node| self.linear.value(terms, &self.egraph, node);
        let agree = |a: Node, b: Node| value(a).is_some_and(|x| value(b) == Some(x));
        let of_sides = self.linear.diseqs.iter().filter(|&&(a, b)| !self.egraph.equal(a, b) && agree(a, b));
        pairs.extend(of_sides.take(width));
        for group in &self.linear.groups {
            let mut seen: Map<Rat, Node> = Map::default();
            for &node in group {
                if let Some(x) = value(node)
                    && let Some(other) = seen.insert(x, node)
                    && pairs.len() < width
                {
                    pairs.push((other, node));
                }
            }
        }
    }

    /// Arguments of functions, each class once.
    fn coincidences_of_arguments(&self, terms: &Terms, width: usize, pairs: &mut Vec<(Node, Node)>) {
        let mut seen: Map<Rat, Node> = Map::default();
        for node in (0..self.egraph.len()).filter(|&node| self.egraph.root(node) == node) {
            let is_shared =
                terms.sort(self.egraph.term(node)) == SortId::INT && !self.egraph.parents(node).is_empty();
            if is_shared
                && let Some(x) = self.linear.value(terms, &self.egraph, node)
                && let Some(other) = seen.insert(x, node)
                && self.egraph.separation(node, other).is_none()
            {
                pairs.push((other, node));
                if pairs.len() >= width {
                    return;
                }
            }
        }
    }
}
