//! Frames: what is known about the states reached in at most so many rounds, as clauses at loop heads.
//!
//! Delta encoding: a clause is stored once, at the highest frame it is known for, and belongs to all frames
//! up to that one. In the context of its loop head it stands behind the activation literal of its frame, so
//! frame i is assumed by the literals of frames i and above. A clause is kept as the cube it excludes.

use super::system::Segment;
use crate::abstraction::cube::{Cube, Valuation};
use crate::engine::heap::Pred;
use crate::sat::Lit;

/// The clauses of all loop heads.
#[derive(Default)]
pub(super) struct Frames {
    /// By cut: cubes with their frame.
    cubes: Vec<Vec<(Cube, usize)>>,
    /// By cut: the activation literal of each frame.
    active: Vec<Vec<Lit>>,
}

impl Frames {
    pub(super) fn new(cuts: usize) -> Frames {
        Frames { cubes: vec![Vec::new(); cuts], active: vec![Vec::new(); cuts] }
    }

    /// The literals that assume frame `level` at a cut.
    pub(super) fn assume(&self, cut: usize, level: usize) -> &[Lit] {
        let active = &self.active[cut];
        &active[level.min(active.len())..]
    }

    /// Whether the state is excluded from the frame.
    pub(super) fn excludes(&self, cut: usize, level: usize, state: &Valuation) -> bool {
        self.cubes[cut].iter().any(|(cube, at)| *at >= level && cube.contains(state))
    }

    /// Whether the cube is excluded from the frame by one clause.
    pub(super) fn covers(&self, cut: usize, level: usize, cube: &Cube) -> bool {
        self.cubes[cut].iter().any(|(known, at)| *at >= level && known.subsumes(cube))
    }

    /// Excludes the cube from all frames up to `level`.
    pub(super) fn add(
        &mut self,
        segment: &mut Segment,
        preds: &[Pred],
        cut: usize,
        level: usize,
        cube: Cube,
    ) {
        self.cubes[cut].retain(|(known, at)| *at > level || !cube.subsumes(known));
        while self.active[cut].len() <= level {
            self.active[cut].push(segment.ctx.fresh());
        }
        let mut clause = vec![!self.active[cut][level]];
        for (at, positive) in cube.literals() {
            clause.push(segment.ctx.literal(&segment.before, preds[at], !positive));
        }
        segment.ctx.add_clause(&clause);
        self.cubes[cut].push((cube, level));
    }

    /// The cubes whose highest frame is `level`, smallest first.
    pub(super) fn at(&self, cut: usize, level: usize) -> Vec<Cube> {
        let mut cubes: Vec<Cube> =
            self.cubes[cut].iter().filter(|entry| entry.1 == level).map(|entry| entry.0.clone()).collect();
        cubes.sort_by_cached_key(|cube| (cube.len(), cube.clone()));
        cubes
    }

    /// The cubes of the frame, by cut.
    pub(super) fn from(&self, level: usize) -> Vec<Vec<Cube>> {
        let of_cut = |cubes: &Vec<(Cube, usize)>| {
            let mut out: Vec<Cube> = cubes.iter().filter(|c| c.1 >= level).map(|c| c.0.clone()).collect();
            out.sort_by_cached_key(|cube| (cube.len(), cube.clone()));
            out
        };
        self.cubes.iter().map(of_cut).collect()
    }

    /// Whether no clause has this as its highest frame.
    pub(super) fn is_delta_empty(&self, level: usize) -> bool {
        self.cubes.iter().all(|cubes| cubes.iter().all(|entry| entry.1 != level))
    }

    /// How many clauses there are.
    pub(super) fn len(&self) -> usize {
        self.cubes.iter().map(Vec::len).sum()
    }
}
