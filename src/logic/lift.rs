//! Quantifiers out of terms: `f(ite(Q, a, b)) = c` becomes `ite(Q, f(a) = c, f(b) = c)`.
//!
//! The engines meet quantifiers in the Boolean structure only. An atom with a quantifier inside is the same as
//! a choice between two atoms in which it is true and false. Each quantifier doubles an atom, so there is a
//! limit; what lies beyond it stays as it is.

use crate::logic::term::{Op, TermId, Terms};
use crate::util::hash::Map;

/// Choices made in one formula.
const MOST: usize = 64;

impl Terms {
    /// An equivalent formula in which atoms have no quantifiers inside.
    pub fn lift_quantifiers(&mut self, formula: TermId) -> TermId {
        Lift { terms: self, done: Map::default(), n_choices: 0 }.formula(formula)
    }
}

struct Lift<'a> {
    terms: &'a mut Terms,
    done: Map<TermId, TermId>,
    n_choices: usize,
}

impl Lift<'_> {
    /// Recursion is by nested quantifiers and by choices, both of which are bounded.
    fn formula(&mut self, root: TermId) -> TermId {
        let mut stack = vec![(root, false)];
        while let Some((term, children_done)) = stack.pop() {
            if self.done.contains_key(&term) {
                continue;
            }
            let result = if self.terms.is_quantifier_free(term) {
                term
            } else if let Op::Forall(_) = self.terms.op(term) {
                let body = self.terms.children(term)[0];
                let lifted = self.formula(body);
                if lifted == body { term } else { self.terms.rebuild(term, &[lifted]) }
            } else if !self.is_connective(term) {
                self.atom(term)
            } else if !children_done {
                stack.push((term, true));
                stack.extend(self.terms.children(term).iter().map(|&c| (c, false)));
                continue;
            } else {
                let children: Vec<TermId> = self.terms.children(term).iter().map(|c| self.done[c]).collect();
                if children == self.terms.children(term) { term } else { self.terms.rebuild(term, &children) }
            };
            self.done.insert(term, result);
        }
        self.done[&root]
    }

    /// Whether the children are formulas that count as such. The term is one.
    fn is_connective(&self, term: TermId) -> bool {
        matches!(self.terms.op(term), Op::Not | Op::And | Op::Or | Op::Iff | Op::Ite)
    }

    fn atom(&mut self, atom: TermId) -> TermId {
        if self.n_choices >= MOST {
            return atom;
        }
        self.n_choices += 1;
        let quantifier = self.some_quantifier(atom);
        let [yes, no] = [Terms::TRUE, Terms::FALSE].map(|truth| {
            let replaced = self.replace(atom, quantifier, truth);
            self.formula(replaced)
        });
        let condition = self.formula(quantifier);
        self.terms.mk_ite(condition, yes, no)
    }

    /// A quantifier inside that is in no other.
    fn some_quantifier(&self, atom: TermId) -> TermId {
        let mut at = atom;
        while !matches!(self.terms.op(at), Op::Forall(_)) {
            let inside = self.terms.children(at).iter().find(|&&c| !self.terms.is_quantifier_free(c));
            at = *inside.expect("a term with a quantifier is one or has a child with one");
        }
        at
    }

    /// The term with a quantifier replaced, except inside of other quantifiers.
    fn replace(&mut self, root: TermId, quantifier: TermId, truth: TermId) -> TermId {
        let mut done: Map<TermId, TermId> = Map::default();
        done.insert(quantifier, truth);
        let mut stack = vec![(root, false)];
        while let Some((term, children_done)) = stack.pop() {
            if done.contains_key(&term) {
                continue;
            }
            if self.terms.is_quantifier_free(term) || matches!(self.terms.op(term), Op::Forall(_)) {
                done.insert(term, term);
            } else if !children_done {
                stack.push((term, true));
                stack.extend(self.terms.children(term).iter().map(|&c| (c, false)));
            } else {
                let children: Vec<TermId> = self.terms.children(term).iter().map(|c| done[c]).collect();
                let rebuilt = self.terms.rebuild(term, &children);
                done.insert(term, rebuilt);
            }
        }
        done[&root]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::{Evaluator, Model, Value};
    use crate::util::rng::Rng;

    /// Whether no atom of a formula has a quantifier inside.
    fn is_lifted(terms: &Terms, formula: TermId) -> bool {
        let mut stack = vec![formula];
        while let Some(term) = stack.pop() {
            match terms.op(term) {
                _ if terms.is_quantifier_free(term) => {}
                Op::Not | Op::And | Op::Or | Op::Iff | Op::Ite | Op::Forall(_) => {
                    stack.extend(terms.children(term));
                }
                _ => return false,
            }
        }
        true
    }

    #[test]
    fn the_meaning_stays() {
        let mut t = Terms::new();
        let cell = t.declare_sort("Cell").unwrap();
        let next = t.declare_fun("next", &[cell], cell).unwrap();
        let p = t.declare_fun("p", &[crate::logic::SortId::BOOL, cell], crate::logic::SortId::BOOL).unwrap();
        let (a, b) = (t.declare_const("a", cell).unwrap(), t.declare_const("b", cell).unwrap());
        let (u, v) = (t.variable("u", cell).unwrap(), t.variable("v", cell).unwrap());
        // forall u. p(forall v. reach(u, v), ite(forall v. p(false, v), next(a), u)) = (a = ite(exists.., b, u))
        let reach = t.reach(next, u, v).unwrap();
        let all_reached = t.forall(&[v], reach).unwrap();
        let p_false = t.app(p, &[Terms::FALSE, v]).unwrap();
        let all_p = t.forall(&[v], p_false).unwrap();
        let next_a = t.app(next, &[a]).unwrap();
        let choice = t.ite(all_p, next_a, u).unwrap();
        let left = t.app(p, &[all_reached, choice]).unwrap();
        let nested = t.ite(all_reached, b, u).unwrap();
        let condition = t.eq(nested, a).unwrap();
        let nested = t.ite(condition, choice, nested).unwrap();
        let right = t.eq(a, nested).unwrap();
        let body = t.iff(left, right).unwrap();
        let formula = t.forall(&[u], body).unwrap();
        let lifted = t.lift_quantifiers(formula);
        assert!(!is_lifted(&t, formula) && is_lifted(&t, lifted));
        let mut n_true = 0;
        for seed in 0..300 {
            let mut rng = Rng::new(seed);
            let mut model = Model::new(&t);
            model.set_size(cell, 2);
            for (id, func) in t.funcs().map(|(id, f)| (id, f.clone())).collect::<Vec<_>>() {
                for n in 0..4u32 {
                    let first = match func.args.first() {
                        Some(sort) if sort.is_uninterpreted() => Value::Elem(n % 2),
                        _ => Value::Bool(n % 2 == 1),
                    };
                    let args = [first, Value::Elem(n / 2)];
                    let value = match func.result.is_uninterpreted() {
                        true => Value::Elem(rng.below(2) as u32),
                        false => Value::Bool(rng.one_in(2)),
                    };
                    model.set(&t, id, &args[..func.args.len()], value);
                }
            }
            let mut evaluator = Evaluator::new(&t, &model);
            let truth = evaluator.holds(formula).unwrap();
            assert_eq!(truth, evaluator.holds(lifted).unwrap(), "seed {seed}");
            n_true += u32::from(truth);
        }
        assert!((10..290).contains(&n_true), "{n_true}");
    }
}
