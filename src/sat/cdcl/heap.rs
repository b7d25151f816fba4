//! The decision order: a binary heap of variables, most active first.
//!
//! Activities follow VSIDS in its growing-increment form: a bump adds the increment, a decay enlarges the
//! increment, and everything is scaled down together before the numbers overflow. Assigned variables stay
//! in the heap until they surface; backtracking puts them back. No query touches all variables.

use crate::sat::lit::Var;

/// Marks a variable that is not in the heap.
const ABSENT: u32 = u32::MAX;
/// Activities are scaled down when one of them passes this.
const RESCALE_AT: f64 = 1e100;

/// Variables ordered by activity.
#[derive(Clone, Debug)]
pub(super) struct Order {
    heap: Vec<u32>,
    /// Where each variable sits in `heap`, or [`ABSENT`].
    place: Vec<u32>,
    activity: Vec<f64>,
    increment: f64,
}

impl Order {
    pub(super) fn new() -> Order {
        Order { heap: Vec::new(), place: Vec::new(), activity: Vec::new(), increment: 1.0 }
    }

    /// Adds the next variable, with activity 0.
    pub(super) fn new_var(&mut self) {
        let var = Var(self.place.len() as u32);
        self.place.push(ABSENT);
        self.activity.push(0.0);
        self.insert(var);
    }

    pub(super) fn activity(&self, var: Var) -> f64 {
        self.activity[var.index()]
    }

    pub(super) fn bump(&mut self, var: Var) {
        let activity = &mut self.activity[var.index()];
        *activity += self.increment;
        if *activity > RESCALE_AT {
            for a in &mut self.activity {
                *a /= RESCALE_AT;
            }
            self.increment /= RESCALE_AT;
        }
        let place = self.place[var.index()];
        if place != ABSENT {
            self.sift_up(place as usize);
        }
    }

    /// Makes all earlier bumps count less, by this factor below 1.
    pub(super) fn decay(&mut self, factor: f64) {
        self.increment /= factor;
    }

    /// Puts a variable back; nothing happens if it is there.
    #[inline]
    pub(super) fn insert(&mut self, var: Var) {
        if self.place[var.index()] == ABSENT {
            self.place[var.index()] = self.heap.len() as u32;
            self.heap.push(var.0);
            self.sift_up(self.heap.len() - 1);
        }
    }

    /// The most active variable of the heap, left in place.
    pub(super) fn peek(&self) -> Option<Var> {
        self.heap.first().map(|&var| Var(var))
    }

    /// Takes the most active variable out.
    pub(super) fn pop(&mut self) -> Option<Var> {
        let top = *self.heap.first()?;
        self.place[top as usize] = ABSENT;
        let last = self.heap.pop().expect("the heap has a first element");
        if !self.heap.is_empty() {
            self.heap[0] = last;
            self.place[last as usize] = 0;
            self.sift_down(0);
        }
        Some(Var(top))
    }

    fn sift_up(&mut self, mut at: usize) {
        let var = self.heap[at];
        let activity = self.activity[var as usize];
        while at > 0 {
            let parent = (at - 1) / 2;
            let above = self.heap[parent];
            if self.activity[above as usize] >= activity {
                break;
            }
            self.heap[at] = above;
            self.place[above as usize] = at as u32;
            at = parent;
        }
        self.heap[at] = var;
        self.place[var as usize] = at as u32;
    }

    fn sift_down(&mut self, mut at: usize) {
        let var = self.heap[at];
        let activity = self.activity[var as usize];
        loop {
            let mut child = 2 * at + 1;
            if child >= self.heap.len() {
                break;
            }
            let mut best = self.activity[self.heap[child] as usize];
            if child + 1 < self.heap.len() {
                let right = self.activity[self.heap[child + 1] as usize];
                if right > best {
                    best = right;
                    child += 1;
                }
            }
            if best <= activity {
                break;
            }
            let below = self.heap[child];
            self.heap[at] = below;
            self.place[below as usize] = at as u32;
            at = child;
        }
        self.heap[at] = var;
        self.place[var as usize] = at as u32;
    }

    #[cfg(feature = "testing")]
    pub(super) fn contains(&self, var: Var) -> bool {
        self.place[var.index()] != ABSENT
    }

    /// Asserts the heap order and that `place` inverts `heap`.
    #[cfg(feature = "testing")]
    pub(super) fn check_invariants(&self) {
        for (at, &var) in self.heap.iter().enumerate() {
            assert_eq!(self.place[var as usize] as usize, at, "places invert the heap");
            let above = self.heap[at.saturating_sub(1) / 2];
            assert!(self.activity[above as usize] >= self.activity[var as usize], "heap order");
        }
        let placed = self.place.iter().filter(|&&place| place != ABSENT).count();
        assert_eq!(placed, self.heap.len(), "every placed variable is in the heap");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::rng::Rng;

    #[test]
    fn variables_come_out_by_activity() {
        let mut rng = Rng::new(1);
        let mut order = Order::new();
        (0..50).for_each(|_| order.new_var());
        for _ in 0..5000 {
            match rng.below(4) {
                0 => order.bump(Var(rng.below(50) as u32)),
                1 => order.insert(Var(rng.below(50) as u32)),
                2 => order.decay(0.5),
                _ => {
                    let best = order.peek().map(|v| order.activity(v));
                    assert_eq!(order.pop().map(|v| order.activity(v)), best);
                }
            }
            order.check_invariants();
        }
        (0..50).for_each(|v| order.insert(Var(v)));
        let out: Vec<f64> = std::iter::from_fn(|| order.pop().map(|v| order.activity(v))).collect();
        assert_eq!(out.len(), 50);
        assert!(out.windows(2).all(|w| w[0] >= w[1]));
    }
}
