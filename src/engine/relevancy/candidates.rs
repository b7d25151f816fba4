//! The literals that would justify open nodes.

use super::{OpenKind, Relevancy, wanted};
use crate::engine::clausify::Clausifier;
use crate::logic::{Op, TermId, Terms};
use crate::sat::Lit;

impl Relevancy {
    /// Literals that would justify the first open node; none when nothing is open.
    pub(crate) fn for_each_first_candidate(
        &self,
        terms: &Terms,
        clausifier: &Clausifier,
        visit: &mut dyn FnMut(Lit),
    ) {
        if let Some(at) = (self.first_open..self.open.len()).find(|&at| !self.open[at].justified) {
            self.candidates_of(terms, clausifier, at, visit);
        }
    }

    /// Literals that would justify some open node, first node first.
    pub(crate) fn for_each_candidate(
        &self,
        terms: &Terms,
        clausifier: &Clausifier,
        visit: &mut dyn FnMut(Lit),
    ) {
        for at in (self.first_open..self.open.len()).filter(|&at| !self.open[at].justified) {
            self.candidates_of(terms, clausifier, at, visit);
        }
    }

    /// The literals kept of an open node's children, if any are.
    pub(super) fn kept_children(&self, at: usize) -> &[Lit] {
        let end = self.open.get(at + 1).map_or(self.children.len(), |next| next.children as usize);
        &self.children[self.open[at].children as usize..end]
    }

    fn candidates_of(&self, terms: &Terms, clausifier: &Clausifier, at: usize, visit: &mut dyn FnMut(Lit)) {
        let kept = self.kept_children(at);
        if !kept.is_empty() {
            return kept.iter().for_each(|&lit| visit(lit));
        }
        let literal = |formula: TermId, truth: bool| {
            let (atom, positive) = wanted(terms, formula, truth);
            let lit = clausifier.known_literal(terms, atom).expect("children are encoded");
            if positive { lit } else { !lit }
        };
        match self.open[at].kind {
            OpenKind::Split(id) => self.splits[id as usize].heads.iter().for_each(|&l| visit(l)),
            OpenKind::IteTerm(term) => {
                let condition = terms.children(term)[0];
                [false, true].into_iter().for_each(|truth| visit(literal(condition, truth)));
            }
            OpenKind::Formula(atom, positive) => match terms.op(atom) {
                Op::And | Op::Or => {
                    terms.children(atom).iter().for_each(|&c| visit(literal(c, positive)));
                }
                // A formula that is an `ite` or an equivalence: its undecided children, false first.
                op => {
                    let n = if op == Op::Iff { 2 } else { 1 };
                    for &child in &terms.children(atom)[..n] {
                        [false, true].into_iter().for_each(|truth| visit(literal(child, truth)));
                    }
                }
            },
        }
    }
}
