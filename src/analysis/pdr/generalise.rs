//! Generalisation of an excluded cube: cores first, then dropping of literals within a budget, then the
//! highest frame at which what is left is still excluded.

use super::search::{Reached, Search};
use crate::abstraction::cube::Cube;
use crate::util::limits::Stop;
use crate::util::options;

impl Search<'_> {
    /// A smaller cube that is not reached at `level`, and the highest frame up to the frontier at which that
    /// holds as well.
    pub(super) fn generalise(
        &mut self,
        cut: usize,
        level: usize,
        core: Cube,
        frontier: usize,
    ) -> Result<(Cube, usize), Stop> {
        let mut cube = core;
        let (mut failures, mut attempts) = (0, 0);
        // Expensive predicates first: what they cost in later queries is worth most.
        let mut order: Vec<usize> = cube.literals().map(|literal| literal.0).collect();
        let before = &self.system.segments[cut].before;
        let preds = &self.system.cuts[cut].preds;
        order.sort_by_key(|&at| (std::cmp::Reverse(before.atom(preds[at]).cost()), at));
        for at in order {
            if failures == options::PDR_GENERALISE_FAILURES.size()
                || attempts == options::PDR_GENERALISE_ATTEMPTS.size()
            {
                break;
            }
            if !cube.mentions(at) || cube.len() == 1 {
                continue;
            }
            attempts += 1;
            let mut smaller = cube.clone();
            smaller.remove(at);
            match self.reached(cut, level, &smaller)? {
                Reached::No(core) => {
                    cube = core;
                    failures = 0;
                }
                Reached::From(..) | Reached::FromEntry => failures += 1,
            }
        }
        let mut level = level;
        while level < frontier {
            match self.reached(cut, level + 1, &cube)? {
                Reached::No(_) => level += 1,
                Reached::From(..) | Reached::FromEntry => break,
            }
        }
        Ok((cube, level))
    }
}
