//! Substitution of terms for free variables.
//!
//! Capture is avoided by renaming: where a quantifier binds a variable that is being replaced, or that
//! occurs in a replacement, its bound variables are made new first. Instantiation substitutes closed
//! terms, so this is rare.

use crate::logic::build::expect_small;
use crate::logic::error::BuildError;
use crate::logic::linear::LinearForm;
use crate::logic::term::{Op, TermId, Terms, VarId};
use crate::util::hash::Map;
use crate::util::limits::Budget;

impl Terms {
    /// The term with each variable of `map` replaced. Sorts of variable and replacement must agree.
    pub fn substitute(&mut self, term: TermId, map: &Map<VarId, TermId>) -> TermId {
        for (&var, &by) in map {
            assert_eq!(self.variable_info(var).1, self.sort(by), "a substitution keeps sorts");
        }
        match self.substitute_checked(term, map, &mut None) {
            Ok(replaced) => replaced,
            Err(error) => unreachable!("nothing limits this: {error}"),
        }
    }

    /// As [`Terms::substitute`], within a budget and without numbers that are too large.
    pub fn substitute_within(
        &mut self,
        term: TermId,
        map: &Map<VarId, TermId>,
        budget: &mut Budget,
    ) -> Result<TermId, BuildError> {
        for (&var, &by) in map {
            assert_eq!(self.variable_info(var).1, self.sort(by), "a substitution keeps sorts");
        }
        self.substitute_checked(term, map, &mut Some(budget))
    }

    fn substitute_checked(
        &mut self,
        root: TermId,
        map: &Map<VarId, TermId>,
        budget: &mut Option<&mut Budget>,
    ) -> Result<TermId, BuildError> {
        let mut done: Map<TermId, TermId> = Map::default();
        let mut stack = vec![(root, false)];
        while let Some((term, children_done)) = stack.pop() {
            if done.contains_key(&term) {
                continue;
            }
            if !self.free_variables(term).iter().any(|v| map.contains_key(v)) {
                done.insert(term, term);
                continue;
            }
            let result = match self.op(term) {
                Op::Var(var) => map[&var],
                Op::Forall(_) => self.substitute_below(term, map, budget)?,
                _ if !children_done => {
                    stack.push((term, true));
                    stack.extend(self.children(term).iter().map(|&c| (c, false)));
                    continue;
                }
                _ => {
                    let children: Vec<TermId> = self.children(term).iter().map(|c| done[c]).collect();
                    if let Some(budget) = budget {
                        self.expect_buildable(term, &children)?;
                        let work =
                            1 + children.iter().map(|&c| self.children(c).len() as u64 + 1).sum::<u64>();
                        budget.spend(work).map_err(BuildError::Stopped)?;
                    }
                    self.rebuild(term, &children)
                }
            };
            done.insert(term, result);
        }
        Ok(done[&root])
    }

    /// Whether the numbers of a sum stay within bounds if these are its terms.
    fn expect_buildable(&self, term: TermId, children: &[TermId]) -> Result<(), BuildError> {
        let Op::Lin(id) = self.op(term) else { return Ok(()) };
        let summands = self.form(id).terms.iter().zip(children);
        expect_small(summands.map(|((_, c), &child)| self.linear_form(child).scaled_bytes(c)).sum())
    }

    /// Substitution below a quantifier; recursion is bounded by the quantifier depth.
    fn substitute_below(
        &mut self,
        term: TermId,
        map: &Map<VarId, TermId>,
        budget: &mut Option<&mut Budget>,
    ) -> Result<TermId, BuildError> {
        let Op::Forall(id) = self.op(term) else { unreachable!("called on quantifiers only") };
        let quantifier = self.quantifier(id).clone();
        let body = self.children(term)[0];
        let free = self.free_variables(term).to_vec();
        // What applies here: variables that are free in this quantifier.
        let mut inner: Map<VarId, TermId> =
            map.iter().filter(|(v, _)| free.contains(v)).map(|(&v, &t)| (v, t)).collect();
        let captures =
            quantifier.variables.iter().any(|v| inner.values().any(|&t| self.free_variables(t).contains(v)));
        let mut variables = quantifier.variables.clone();
        if captures {
            for var in &mut variables {
                let (name, sort) = {
                    let (n, s) = self.variable_info(*var);
                    (n.to_owned(), s)
                };
                let renamed = self.variable(&name, sort).expect("the sort is known");
                inner.insert(*var, renamed);
                let Op::Var(new) = self.op(renamed) else { unreachable!("just made") };
                *var = new;
            }
        }
        let body = self.substitute_checked(body, &inner, budget)?;
        let mut patterns = Vec::with_capacity(quantifier.patterns.len());
        for pattern in &quantifier.patterns {
            let hints: Result<Vec<TermId>, BuildError> =
                pattern.iter().map(|&hint| self.substitute_checked(hint, &inner, budget)).collect();
            patterns.push(hints?);
        }
        Ok(self.mk_forall(variables, body, patterns))
    }

    /// The term with the same head and other children (of the same sorts), normalised again.
    pub(crate) fn rebuild(&mut self, term: TermId, children: &[TermId]) -> TermId {
        match self.op(term) {
            Op::True | Op::False | Op::Var(_) | Op::Num(_) => term,
            Op::App(func) => self.mk_app(func, children.to_vec()),
            Op::Not => self.mk_not(children[0]),
            Op::And => self.mk_junction(children, true),
            Op::Or => self.mk_junction(children, false),
            Op::Iff => self.mk_iff(children[0], children[1]),
            Op::Ite => self.mk_ite(children[0], children[1], children[2]),
            Op::Eq => self.mk_eq(children[0], children[1]),
            Op::Distinct => self.mk_distinct(children),
            Op::Between(field) => self.mk_between(field, children[0], children[1], children[2]),
            Op::Le(id) => {
                let bound = self.number(id).clone();
                let right = self.int(bound);
                self.mk_le(children[0], right, 0)
            }
            Op::Lin(id) => {
                let form = self.form(id).clone();
                let parts = form.terms.iter().zip(children);
                let mut forms: Vec<LinearForm> =
                    parts.map(|((_, c), &child)| self.linear_form(child).scaled(c)).collect();
                forms.push(LinearForm::number(form.constant));
                self.mk_linear(LinearForm::sum(&forms))
            }
            Op::Forall(id) => {
                let quantifier = self.quantifier(id).clone();
                self.mk_forall(quantifier.variables, children[0], quantifier.patterns)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::SortId;

    #[test]
    fn bound_variables_are_left_alone_and_never_captured() {
        let mut t = Terms::new();
        let cell = t.declare_sort("Cell").unwrap();
        let next = t.declare_fun("next", &[cell], cell).unwrap();
        let x = t.declare_const("x", cell).unwrap();
        let (u, v) = (t.variable("u", cell).unwrap(), t.variable("v", cell).unwrap());
        let (Op::Var(var_u), Op::Var(var_v)) = (t.op(u), t.op(v)) else { panic!("variables") };
        let body = t.reach(next, u, v).unwrap();
        let all_u = t.forall(&[u], body).unwrap();
        // u is bound: replacing it changes nothing.
        assert_eq!(t.substitute(all_u, &[(var_u, x)].into_iter().collect()), all_u);
        // Replacing v by u must not let the quantifier catch it.
        let renamed = t.substitute(all_u, &[(var_v, u)].into_iter().collect());
        assert_eq!(t.free_variables(renamed), &[var_u]);
        let closed = t.substitute(all_u, &[(var_v, x)].into_iter().collect());
        assert!(t.is_closed(closed));
    }

    #[test]
    fn sums_are_folded_again() {
        let mut t = Terms::new();
        let i = t.variable("i", SortId::INT).unwrap();
        let Op::Var(var) = t.op(i) else { panic!("a variable") };
        let (one, five) = (t.int(1), t.int(5));
        let sum = t.add(&[i, one]).unwrap();
        let bound = t.le(sum, five).unwrap();
        let four = t.int(4);
        let map: Map<VarId, TermId> = [(var, four)].into_iter().collect();
        assert_eq!(t.substitute(sum, &map), five);
        assert_eq!(t.substitute(bound, &map), Terms::TRUE);
    }
}
