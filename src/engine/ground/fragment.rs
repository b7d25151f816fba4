//! Which formulas the grounding decides: those whose ground terms are finitely many.
//!
//! A term below a quantifier stands for one ground term per tuple of values of the variables it depends on,
//! and so does the witness of an existential quantifier. Draw an edge from the sort of every such variable to
//! the sort of the term (or witness). If the graph of all edges has no cycle, instantiation ends: the terms of
//! a sort are made from those of earlier sorts by finitely many patterns. This contains EPR (no edges at all)
//! and stratified functions; a function that is applied to closed terms only makes no edge.
//!
//! NOTE: what a variable depends on is collected over all places where the same quantifier occurs, so the
//! test is slightly coarser than the tree of the formula would allow.

use crate::logic::{Op, SortId, TermId, Terms, VarId};
use crate::util::hash::{Map, Set};
use std::collections::BTreeSet;

const POSITIVE: u8 = 1;
const NEGATIVE: u8 = 2;
const BOTH: u8 = POSITIVE | NEGATIVE;

/// Decides whether the grounding terminates on these formulas together; otherwise names a subterm that leaves
/// the fragment: one that speaks of integers or paths, or one whose instances feed themselves.
pub(crate) fn in_fragment(terms: &Terms, formulas: &[TermId]) -> Result<(), TermId> {
    let mut walk = Walk { terms, seen: Map::default(), open: Vec::new(), terms_with_edges: Vec::new() };
    for &formula in formulas {
        if !terms.is_closed(formula) || terms.sort(formula) != SortId::BOOL {
            return Err(formula);
        }
        walk.open.push((formula, POSITIVE));
    }
    walk.run()?;
    walk.check_acyclic()
}

struct Walk<'a> {
    terms: &'a Terms,
    /// With which signs a formula occurs; 0 for a term that is none.
    seen: Map<TermId, u8>,
    open: Vec<(TermId, u8)>,
    /// Open applications and quantifiers, in the order in which they were met.
    terms_with_edges: Vec<TermId>,
}

impl Walk<'_> {
    fn run(&mut self) -> Result<(), TermId> {
        while let Some((term, signs)) = self.open.pop() {
            let known = self.seen.get(&term).copied();
            if known.is_some_and(|old| old | signs == old) {
                continue;
            }
            self.seen.insert(term, known.unwrap_or(0) | signs);
            self.visit(term, signs, known.is_none())?;
        }
        Ok(())
    }

    fn visit(&mut self, term: TermId, signs: u8, first: bool) -> Result<(), TermId> {
        let terms = self.terms;
        let children = terms.children(term);
        let swapped = if signs == BOTH { BOTH } else { signs ^ BOTH };
        match terms.op(term) {
            Op::True | Op::False => {}
            Op::Var(_) if terms.sort(term).is_uninterpreted() => {}
            Op::App(func) => {
                let symbol = terms.func(func);
                if symbol.args.iter().chain([&symbol.result]).any(|&s| s == SortId::INT) {
                    return Err(term);
                }
                if first && !terms.is_closed(term) && symbol.result.is_uninterpreted() {
                    self.terms_with_edges.push(term);
                }
                let arguments = children.iter().filter(|&&c| terms.sort(c).is_uninterpreted());
                self.open.extend(arguments.map(|&c| (c, 0)));
            }
            Op::Eq | Op::Distinct if terms.sort(children[0]).is_uninterpreted() => {
                self.open.extend(children.iter().map(|&c| (c, 0)));
            }
            Op::Not => self.open.push((children[0], swapped)),
            Op::And | Op::Or => self.open.extend(children.iter().map(|&c| (c, signs))),
            Op::Iff => self.open.extend(children.iter().map(|&c| (c, BOTH))),
            Op::Ite if terms.sort(term) != SortId::INT => {
                self.open.push((children[0], BOTH));
                self.open.extend(children[1..].iter().map(|&c| (c, signs)));
            }
            Op::Forall(id) => {
                if terms.quantifier(id).variables.iter().any(|&v| terms.variable_info(v).1 == SortId::INT) {
                    return Err(term);
                }
                if first {
                    self.terms_with_edges.push(term);
                }
                self.open.push((children[0], signs));
            }
            _ => return Err(term),
        }
        Ok(())
    }

    /// For every variable the sorts of the universal variables that determine its values.
    fn dependencies(&self) -> Map<VarId, BTreeSet<SortId>> {
        let mut result: Map<VarId, BTreeSet<SortId>> = Map::default();
        loop {
            let mut grown = false;
            for &term in &self.terms_with_edges {
                let Op::Forall(id) = self.terms.op(term) else { continue };
                let outer =
                    if self.seen[&term] & NEGATIVE != 0 { self.free(&result, term) } else { BTreeSet::new() };
                for &var in &self.terms.quantifier(id).variables {
                    let own = result.entry(var).or_default();
                    let before = own.len();
                    own.extend(&outer);
                    if self.seen[&term] & POSITIVE != 0 {
                        own.insert(self.terms.variable_info(var).1);
                    }
                    grown |= own.len() > before;
                }
            }
            if !grown {
                return result;
            }
        }
    }

    /// The sorts on which the free variables of a term depend.
    fn free(&self, of: &Map<VarId, BTreeSet<SortId>>, term: TermId) -> BTreeSet<SortId> {
        self.terms.free_variables(term).iter().filter_map(|v| of.get(v)).flatten().copied().collect()
    }

    fn check_acyclic(&self) -> Result<(), TermId> {
        let dependencies = self.dependencies();
        let mut edges: Vec<(SortId, SortId, TermId)> = Vec::new();
        for &term in &self.terms_with_edges {
            let from = self.free(&dependencies, term);
            let to: Vec<SortId> = match self.terms.op(term) {
                Op::Forall(_) if self.seen[&term] & NEGATIVE == 0 => continue,
                Op::Forall(id) => {
                    let variables = &self.terms.quantifier(id).variables;
                    variables.iter().map(|&v| self.terms.variable_info(v).1).collect()
                }
                _ => vec![self.terms.sort(term)],
            };
            edges.extend(from.iter().flat_map(|&f| to.iter().map(move |&t| (f, t, term))));
        }
        match edges.iter().find(|&&(from, to, _)| reaches(&edges, to, from)) {
            Some(&(_, _, term)) => Err(term),
            None => Ok(()),
        }
    }
}

/// Whether `target` can be reached from `start` along zero or more edges.
fn reaches(edges: &[(SortId, SortId, TermId)], start: SortId, target: SortId) -> bool {
    let mut seen: Set<SortId> = [start].into_iter().collect();
    let mut open = vec![start];
    while let Some(sort) = open.pop() {
        if sort == target {
            return true;
        }
        for &(_, to, _) in edges.iter().filter(|e| e.0 == sort) {
            if seen.insert(to) {
                open.push(to);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stratification_is_seen() {
        let mut t = Terms::new();
        let (s, u) = (t.declare_sort("S").unwrap(), t.declare_sort("U").unwrap());
        let f = t.declare_fun("f", &[s], u).unwrap();
        let g = t.declare_fun("g", &[s], s).unwrap();
        let p = t.declare_fun("p", &[u], SortId::BOOL).unwrap();
        let r = t.declare_fun("r", &[s, s], SortId::BOOL).unwrap();
        let q = t.declare_const("q", SortId::BOOL).unwrap();
        let a = t.declare_const("a", s).unwrap();
        let (x, y) = (t.variable("x", s).unwrap(), t.variable("y", s).unwrap());
        let fx = t.app(f, &[x]).unwrap();
        let p_fx = t.app(p, &[fx]).unwrap();
        let stratified = t.forall(&[x], p_fx).unwrap();
        assert_eq!(in_fragment(&t, &[stratified]), Ok(()));
        let gx = t.app(g, &[x]).unwrap();
        let r_gx = t.app(r, &[gx, x]).unwrap();
        let looping = t.forall(&[x], r_gx).unwrap();
        assert_eq!(in_fragment(&t, &[looping]), Err(gx));
        let witness = t.exists(&[x], r_gx).unwrap();
        assert_eq!(in_fragment(&t, &[witness]), Ok(()));
        let both = t.iff(witness, q).unwrap();
        assert!(in_fragment(&t, &[both]).is_err());
        let ga = t.app(g, &[a]).unwrap();
        let r_ga = t.app(r, &[ga, x]).unwrap();
        let closed_argument = t.forall(&[x], r_ga).unwrap();
        assert_eq!(in_fragment(&t, &[closed_argument]), Ok(()));
        let rxy = t.app(r, &[x, y]).unwrap();
        let some = t.exists(&[y], rxy).unwrap();
        let every = t.forall(&[x], some).unwrap();
        assert!(in_fragment(&t, &[every]).is_err());
        let refused = t.not(every).unwrap();
        assert_eq!(in_fragment(&t, &[refused]), Ok(()));
        assert_eq!(in_fragment(&t, &[rxy]), Err(rxy));
        let path = t.reach(g, a, ga).unwrap();
        assert_eq!(in_fragment(&t, &[stratified, path]), Err(path));
        let i = t.declare_const("i", SortId::INT).unwrap();
        let bound = t.le(i, i).unwrap();
        assert_eq!(bound, Terms::TRUE);
        let zero = t.int(0);
        let positive = t.le(zero, i).unwrap();
        assert!(in_fragment(&t, &[positive]).is_err());
    }
}
