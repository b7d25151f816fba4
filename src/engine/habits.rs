//! In which order assumptions are best assumed: what was assumed most often of late comes first.
//!
//! The trail outlives a query, and the next one keeps the levels of the assumptions that both begin with. Frames
//! and the upper part of a path come back in query after query, the literals of a cube do not; callers name them
//! in any order. So every literal has a score: one for each query that assumed it, a tenth less with each query
//! since. Ties go by position, so the order depends on nothing but the queries.

use crate::sat::Lit;
use crate::util::hash::Map;

/// What is left of a score after one more query.
const FADING: f64 = 0.9;
/// Queries after which nothing is left of a score.
const FORGOTTEN: u64 = 200;

/// Scores of the literals assumed of late.
#[derive(Clone, Debug, Default)]
pub(crate) struct Habits {
    queries: u64,
    /// By literal: the query that assumed it last, and its score then.
    scores: Map<Lit, (u64, f64)>,
}

impl Habits {
    /// Notes a query and returns the positions of its assumptions in the order of their scores.
    pub(crate) fn order(&mut self, assumed: &[Lit]) -> Vec<usize> {
        self.queries += 1;
        let now = self.queries;
        if now.is_multiple_of(FORGOTTEN) {
            self.scores.retain(|_, (last, _)| now - *last < FORGOTTEN);
        }
        let mut scores: Vec<f64> = Vec::with_capacity(assumed.len());
        for &lit in assumed {
            let (last, score) = self.scores.entry(lit).or_insert((now, 0.0));
            // A literal that is named twice counts once.
            if *last < now || *score == 0.0 {
                *score = *score * FADING.powi((now - *last).min(FORGOTTEN) as i32) + 1.0;
                *last = now;
            }
            scores.push(*score);
        }
        let mut order: Vec<usize> = (0..assumed.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::Var;

    fn lits(indices: &[u32]) -> Vec<Lit> {
        indices.iter().map(|&i| Var(i).positive()).collect()
    }

    #[test]
    fn what_comes_back_comes_first() {
        let mut habits = Habits::default();
        assert_eq!(habits.order(&lits(&[5, 6, 7])), [0, 1, 2], "nothing is known yet");
        assert_eq!(habits.order(&lits(&[1, 6, 7])), [1, 2, 0], "two were assumed before");
        assert_eq!(habits.order(&lits(&[2, 7, 3, 6])), [1, 3, 0, 2], "ties go by position");
        assert_eq!(habits.order(&lits(&[7, 7, 6])), [0, 1, 2], "twice in one query is once");
    }

    #[test]
    fn what_stays_away_is_forgotten() {
        let mut habits = Habits::default();
        habits.order(&lits(&[9]));
        for i in 0..2 * FORGOTTEN {
            habits.order(&lits(&[1, i as u32 % 2]));
        }
        assert!(habits.scores.len() <= 2);
    }
}
