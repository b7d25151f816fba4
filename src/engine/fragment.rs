//! Which fragment a formula belongs to, and what puts it outside.
//!
//! - *Ground*: no quantifiers. Decided completely.
//! - *LISBQ* (section 3 of the paper): universal quantifiers over cells, each variable bounded by a guard
//!   (`between(f, a, u, b)` or `g(u) = t`), no existential below them, and *sort-restricted*: there is an
//!   order of the sorts in which every term that contains the variable properly is of a smaller sort, so
//!   instantiation ends.
//! - *EPR*: quantifiers over uninterpreted sorts without guards, where the functions (with those that
//!   Skolemisation makes) lead from sort to sort without a cycle: the ground terms are finitely many, and
//!   instantiation by models ends. Reachability atoms on variables are allowed as far as the evaluation of
//!   models is, that is, everywhere.
//!
//! Outside, solving goes on soundly: `unsat` is proved, `sat` is evaluated, and what is left is `unknown`
//! with the subformula that [`classify`] names.

use crate::engine::quantify::is_guarded;
use crate::logic::{Op, SortId, TermId, Terms};
use crate::util::hash::{Map, Set};

/// A fragment, or what prevents membership in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fragment {
    /// No quantifiers.
    Ground,
    /// Bounded quantifiers over cells.
    Lisbq,
    /// Quantifiers over finite universes.
    Epr,
    /// None of these.
    Outside {
        /// The subformula that does not fit.
        formula: TermId,
        /// Why not.
        why: &'static str,
    },
}

impl Fragment {}

/// The fragment of a conjunction of closed formulas.
pub fn classify(terms: &Terms, formulas: &[TermId]) -> Fragment {
    let mut walk =
        Walk { terms, universals: Vec::new(), outside: None, edges: Vec::new(), seen: Set::default() };
    for &formula in formulas {
        walk.formula(formula);
    }
    if let Some((formula, why)) = walk.outside {
        return Fragment::Outside { formula, why };
    }
    if walk.universals.is_empty() {
        return Fragment::Ground;
    }
    if let Some(formula) = walk.cycle() {
        return Fragment::Outside { formula, why: "instantiation may create new terms for ever" };
    }
    let guarded = walk.universals.iter().all(|&q| is_guarded(terms, q));
    if guarded { Fragment::Lisbq } else { Fragment::Epr }
}

struct Walk<'a> {
    terms: &'a Terms,
    /// Quantifiers that are universal in their polarity.
    universals: Vec<TermId>,
    outside: Option<(TermId, &'static str)>,
    /// Sorts `from` whose terms make terms of sort `to`, with the quantifier that does.
    edges: Vec<(SortId, SortId, TermId)>,
    seen: Set<(TermId, bool, Option<TermId>)>,
}

impl Walk<'_> {
    /// Walks the Boolean structure with polarities; `below` is the universal quantifier around, if any.
    fn formula(&mut self, root: TermId) {
        let mut stack = vec![(root, true, None)];
        while let Some((formula, positive, below)) = stack.pop() {
            if self.terms.is_quantifier_free(formula) && below.is_none() {
                continue;
            }
            if !self.seen.insert((formula, positive, below)) {
                continue;
            }
            let children = self.terms.children(formula);
            match self.terms.op(formula) {
                Op::Not => stack.push((children[0], !positive, below)),
                Op::And | Op::Or => stack.extend(children.iter().map(|&c| (c, positive, below))),
                Op::Iff => {
                    stack.extend(children.iter().flat_map(|&c| [(c, true, below), (c, false, below)]));
                }
                Op::Ite if self.terms.sort(formula) == SortId::BOOL => {
                    stack.extend([(children[0], true, below), (children[0], false, below)]);
                    stack.extend(children[1..].iter().map(|&c| (c, positive, below)));
                }
                Op::Forall(_) => self.quantifier(formula, positive, below, &mut stack),
                _ => {
                    if let Some(quantifier) = below {
                        self.atom(formula, quantifier);
                    } else if !self.terms.is_quantifier_free(formula) {
                        self.reject(formula, "a quantifier inside a term");
                    }
                }
            }
        }
    }

    fn quantifier(
        &mut self,
        formula: TermId,
        positive: bool,
        below: Option<TermId>,
        stack: &mut Vec<(TermId, bool, Option<TermId>)>,
    ) {
        let Op::Forall(id) = self.terms.op(formula) else { unreachable!("quantifiers only") };
        let variables = &self.terms.quantifier(id).variables;
        let sorts: Vec<SortId> = variables.iter().map(|&v| self.terms.variable_info(v).1).collect();
        if sorts.iter().any(|s| !s.is_uninterpreted()) && positive {
            self.reject(formula, "a universal quantifier over the integers");
            return;
        }
        let body = self.terms.children(formula)[0];
        if positive {
            self.universals.push(formula);
            stack.push((body, true, Some(formula)));
            return;
        }
        // A witness for each value of the variables around it: a Skolem function from their sorts.
        for &var in self.terms.free_variables(formula) {
            let from = self.terms.variable_info(var).1;
            self.edges.extend(sorts.iter().filter(|s| s.is_uninterpreted()).map(|&to| (from, to, formula)));
        }
        stack.push((body, false, below));
    }

    /// Terms in an atom below a quantifier that contain variables properly.
    fn atom(&mut self, atom: TermId, quantifier: TermId) {
        let mut stack = vec![atom];
        let mut seen: Set<TermId> = Set::default();
        while let Some(term) = stack.pop() {
            if self.terms.is_closed(term) || !seen.insert(term) {
                continue;
            }
            if !self.terms.is_quantifier_free(term) {
                self.reject(term, "a quantifier inside a term");
                return;
            }
            stack.extend(self.terms.children(term));
            let to = self.terms.sort(term);
            if to.is_uninterpreted() && !matches!(self.terms.op(term), Op::Var(_)) {
                for &var in self.terms.free_variables(term) {
                    self.edges.push((self.terms.variable_info(var).1, to, quantifier));
                }
            }
        }
    }

    fn reject(&mut self, formula: TermId, why: &'static str) {
        self.outside.get_or_insert((formula, why));
    }

    /// A quantifier on a cycle of sorts.
    fn cycle(&self) -> Option<TermId> {
        let mut successors: Map<SortId, Vec<SortId>> = Map::default();
        for &(from, to, _) in &self.edges {
            successors.entry(from).or_default().push(to);
        }
        self.edges.iter().find(|&&(from, to, _)| Walk::leads(&successors, to, from)).map(|&(.., q)| q)
    }

    fn leads(successors: &Map<SortId, Vec<SortId>>, from: SortId, to: SortId) -> bool {
        let mut stack = vec![from];
        let mut seen: Set<SortId> = Set::default();
        while let Some(sort) = stack.pop() {
            if sort == to {
                return true;
            }
            if seen.insert(sort) {
                stack.extend(successors.get(&sort).into_iter().flatten());
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::smtlib;

    fn fragment(text: &str) -> (Terms, Fragment) {
        let header = "(declare-sort C 0) (declare-sort D 0) (declare-fun f (C) C) (declare-fun g (C) D)
            (declare-fun h (D) C) (declare-fun size (C) Int) (declare-const x C) (declare-const y C)
            (declare-const d D) (declare-fun r (C C) Bool)";
        let mut terms = Terms::new();
        let script = smtlib::read(&format!("{header}{text}"), &mut terms).expect("well-formed");
        let fragment = classify(&terms, &script.formulas());
        (terms, fragment)
    }

    #[test]
    fn the_fragments_are_told_apart() {
        let cases = [
            ("(assert (= (f x) y))", Fragment::Ground),
            ("(assert (exists ((u C)) (r u x)))", Fragment::Ground),
            ("(assert (forall ((u C)) (=> ((_ between f) x u y) (= (size u) 1))))", Fragment::Lisbq),
            ("(assert (forall ((u C)) (=> (= (g u) d) (r u u))))", Fragment::Lisbq),
            ("(assert (forall ((u C) (v C)) (=> (r u v) (r v u))))", Fragment::Epr),
            ("(assert (forall ((u C)) (= (g u) d)))", Fragment::Epr),
        ];
        for (text, expected) in cases {
            assert_eq!(fragment(text).1, expected, "{text}");
        }
    }

    #[test]
    fn what_is_outside_is_named() {
        let cases = [
            ("(assert (forall ((u C)) (r u (f u))))", "instantiation may create new terms for ever"),
            ("(assert (forall ((u C)) (= (h (g u)) u)))", "instantiation may create new terms for ever"),
            (
                "(assert (forall ((u C)) (exists ((v C)) (r u v))))",
                "instantiation may create new terms for ever",
            ),
            ("(assert (forall ((i Int)) (<= (size x) i)))", "a universal quantifier over the integers"),
        ];
        for (text, expected) in cases {
            let (_, found) = fragment(text);
            assert!(matches!(found, Fragment::Outside { why, .. } if why == expected), "{text}: {found:?}");
        }
        // The negation of the last one is a Skolem constant.
        let (_, found) = fragment("(assert (not (forall ((i Int)) (<= (size x) i))))");
        assert_eq!(found, Fragment::Ground);
    }
}
