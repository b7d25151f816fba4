//! Queries: literals under assumptions, and cubes whose literals are taken one kind at a time.
//!
//! Both loops end with a structure that violates no axiom and no universal fact in use. Before it is handed
//! out, every assumed literal that stands for an atom is evaluated in it: derived matrices and universal
//! predicates are computed there from their definitions, so this sees mistakes of the encoding. The check is
//! cheap and stays on in release (pitfall 2).

use super::HeapCtx;
use super::cells::Heap;
use super::gates::constant;
use super::pred::{Atom, Pred, State};
use crate::sat::Lit;
use crate::util::limits::{Budget, Stop};

/// A structure in which the assumptions are true. It borrows the context, so it cannot outlive it.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    context: &'a HeapCtx,
}

impl<'a> Model<'a> {
    /// The predicate's value at a moment that is reached in this model.
    pub fn eval(&self, state: &State, pred: Pred) -> bool {
        self.context.structure.eval(&state.atom(pred))
    }

    /// The atom's value.
    pub fn eval_atom(&self, atom: &Atom) -> bool {
        self.context.structure.eval(atom)
    }

    /// The level of the datum that a constant has at the beginning.
    pub fn level_of(&self, c: super::Const) -> u32 {
        self.context.structure.levels[0][c.index()]
    }

    /// The value of a literal made by the context before this query; none if the query left it open.
    pub fn value(&self, lit: Lit) -> Option<bool> {
        self.context.gates.sat.value(lit)
    }

    /// The explicit heap at a moment that is reached in this model.
    pub fn heap(&self, state: &State) -> Heap {
        Heap::of_structure(&self.context.structure, state)
    }
}

/// The answer to a query.
#[derive(Clone, Debug)]
pub enum Answer<'a> {
    /// There is a heap.
    Sat(Model<'a>),
    /// There is none; these assumptions suffice.
    Unsat(Vec<Lit>),
}

impl Answer<'_> {
    /// Whether there is a heap.
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }
}

/// The answer to a cube query.
#[derive(Clone, Debug)]
pub enum CubeAnswer<'a> {
    /// There is a heap.
    Sat(Model<'a>),
    /// There is none.
    Unsat {
        /// Fixed assumptions that take part.
        fixed: Vec<Lit>,
        /// Positions of the cube's literals that take part, in order.
        cube: Vec<usize>,
    },
}

impl CubeAnswer<'_> {
    /// Whether there is a heap.
    pub fn is_sat(&self) -> bool {
        matches!(self, CubeAnswer::Sat(_))
    }
}

impl HeapCtx {
    /// Whether there is a heap in which the clauses and assumptions are true. Cheapest when the assumptions
    /// that change least between queries come first.
    pub fn solve(&mut self, assumptions: &[Lit], budget: &mut Budget) -> Result<Answer<'_>, Stop> {
        self.stats.queries += 1;
        if !self.search(assumptions, budget)? {
            return Ok(Answer::Unsat(self.gates.sat.core().to_vec()));
        }
        self.check_agreement(assumptions);
        Ok(Answer::Sat(Model { context: self }))
    }

    /// [`HeapCtx::solve`] for a cube of atoms with polarities, after the fixed assumptions. Ground atoms are
    /// assumed at once, others only when a model disagrees with them, the cheapest kind first: most cubes
    /// are refuted without any universal predicate, whose witnesses then never enter the universe.
    pub fn solve_cube(
        &mut self,
        fixed: &[Lit],
        cube: &[(Atom, bool)],
        budget: &mut Budget,
    ) -> Result<CubeAnswer<'_>, Stop> {
        self.stats.queries += 1;
        let mut assumed = std::mem::take(&mut self.assumed);
        assumed.clear();
        assumed.extend_from_slice(fixed);
        // (literal, position in the cube) of what is assumed beside the fixed ones.
        let mut taken: Vec<(Lit, usize)> = Vec::with_capacity(cube.len());
        let mut pending: Vec<usize> = Vec::with_capacity(cube.len());
        for (at, (atom, positive)) in cube.iter().enumerate() {
            if atom.cost() == 0 {
                let lit = self.atom_literal(*atom, *positive);
                if lit != constant(true) {
                    assumed.push(lit);
                    taken.push((lit, at));
                }
            } else {
                pending.push(at);
            }
        }
        let outcome = loop {
            match self.search(&assumed, budget) {
                Ok(true) => {}
                other => break other,
            }
            let disagrees = |at: &usize| {
                let (atom, positive) = &cube[*at];
                self.structure.is_proper(atom) && self.structure.eval(atom) != *positive
            };
            let wrong: Vec<usize> = pending.iter().copied().filter(disagrees).collect();
            let Some(cost) = wrong.iter().map(|&at| cube[at].0.cost()).min() else { break Ok(true) };
            for at in wrong.into_iter().filter(|&at| cube[at].0.cost() == cost) {
                let lit = self.atom_literal(cube[at].0, cube[at].1);
                assert!(
                    !taken.iter().any(|&(_, other)| other == at),
                    "an assumed literal holds in the model"
                );
                assumed.push(lit);
                taken.push((lit, at));
            }
        };
        if outcome == Ok(true) {
            self.check_agreement(&assumed);
        }
        self.assumed = assumed;
        if outcome? {
            return Ok(CubeAnswer::Sat(Model { context: self }));
        }
        // A core names literals; several positions may share one, and the first stands for all (pitfall 6).
        let core = self.gates.sat.core();
        let mut in_cube: Vec<usize> = core
            .iter()
            .filter(|lit| !fixed.contains(lit))
            .filter_map(|lit| taken.iter().find(|(other, _)| other == lit).map(|&(_, at)| at))
            .collect();
        in_cube.sort_unstable();
        let in_fixed = core.iter().copied().filter(|lit| fixed.contains(lit)).collect();
        Ok(CubeAnswer::Unsat { fixed: in_fixed, cube: in_cube })
    }

    /// Asserts that the structure agrees with every assumed literal that stands for an atom. Atoms over a
    /// matrix that no heap has (after a store that fails in this model) mean nothing and are left out.
    fn check_agreement(&self, assumptions: &[Lit]) {
        for lit in assumptions {
            if let Some((atom, positive)) = self.meaning.get(lit) {
                assert!(
                    !self.structure.is_proper(atom) || self.structure.eval(atom) == *positive,
                    "the evaluated model agrees with every assumed literal: {atom:?} is not {positive}"
                );
            }
        }
    }
}
