//! All combinations of answers to the interpreter's questions, one after the other.
//!
//! A call by contract asks what each field that it may write holds afterwards, and most answers are then refused by
//! `ensures`. A *lazy* odometer varies such a field only after it was looked at, the one looked at last first (as
//! the entry states are enumerated, [`Reads`](crate::program::eval::Reads)): as long as none of the fields looked at
//! changes, the same would be refused again.

use super::chooser::Chooser;
use crate::program::decl::{FieldId, IntKind};
use crate::program::state::CellId;

/// A question and its present answer.
#[derive(Clone, Copy, Debug)]
struct Wheel {
    choice: usize,
    /// Possible answers.
    n: usize,
    /// What it is about, if it waits until somebody looks there.
    place: Option<(CellId, FieldId)>,
}

/// Make choices with it, then [`Odometer::advance`] moves to the next combination.
#[derive(Clone, Debug)]
pub struct Odometer<'a> {
    ints: &'a [i128],
    fills: bool,
    lazy: bool,
    about: Option<(CellId, FieldId)>,
    wheels: Vec<Wheel>,
    /// The wheels that are varied, in the order in which they came to matter.
    varied: Vec<usize>,
    at: usize,
    /// The answers of this round, for [`Given`](super::Given).
    pub choices: Vec<i128>,
}

impl<'a> Odometer<'a> {
    /// Integers are drawn from `ints`, as far as the kind has them.
    #[must_use]
    pub fn new(ints: &'a [i128], fills: bool) -> Odometer<'a> {
        Odometer {
            ints,
            fills,
            lazy: false,
            about: None,
            wheels: Vec::new(),
            varied: Vec::new(),
            at: 0,
            choices: Vec::new(),
        }
    }

    /// The same, lazy: [`Odometer::looked_at`] says what matters.
    #[must_use]
    pub fn lazy(ints: &'a [i128], fills: bool) -> Odometer<'a> {
        Odometer { lazy: true, ..Odometer::new(ints, fills) }
    }

    fn turn(&mut self, n: usize) -> usize {
        let place = self.about.take().filter(|_| self.lazy);
        if self.at == self.wheels.len() {
            if place.is_none() {
                self.varied.push(self.at);
            }
            self.wheels.push(Wheel { choice: 0, n, place });
        }
        self.at += 1;
        self.wheels[self.at - 1].choice
    }

    /// What a call left in this field matters.
    pub fn looked_at(&mut self, cell: CellId, field: FieldId) {
        let wheel = self.wheels.iter().position(|w| w.place == Some((cell, field)));
        if let Some(wheel) = wheel.filter(|w| !self.varied.contains(w)) {
            self.varied.push(wheel);
        }
    }

    /// What nobody has looked at so far matters too, if it has at most so many combinations. Returns whether it has.
    pub fn vary_rest(&mut self, most: usize) -> bool {
        let rest: Vec<usize> = (0..self.wheels.len()).filter(|w| !self.varied.contains(w)).collect();
        let combinations = rest.iter().fold(1usize, |n, w| n.saturating_mul(self.wheels[*w].n));
        let few = combinations <= most;
        if few {
            self.varied.extend(rest);
        }
        few
    }

    /// Moves to the next combination; false when all have been tried.
    pub fn advance(&mut self) -> bool {
        let asked = std::mem::take(&mut self.at);
        self.choices.clear();
        self.wheels.truncate(asked);
        self.varied.retain(|w| *w < asked);
        while let Some(&last) = self.varied.last() {
            let wheel = &mut self.wheels[last];
            wheel.choice += 1;
            let turned = wheel.choice < wheel.n;
            // Which questions follow depends on the answer, except where it is what a field holds.
            let decides = wheel.place.is_none();
            if turned {
                if decides {
                    self.wheels.truncate(last + 1);
                }
                return true;
            }
            wheel.choice = 0;
            self.varied.pop();
            if decides {
                self.wheels.truncate(last);
            }
        }
        false
    }
}

impl Chooser for Odometer<'_> {
    fn choose(&mut self, n: usize) -> Option<usize> {
        let choice = self.turn(n);
        self.choices.push(choice as i128);
        Some(choice)
    }

    fn int(&mut self, kind: IntKind) -> Option<i128> {
        let fits = |n: &i128| (kind.min()..=kind.max()).contains(n);
        let n = self.ints.iter().filter(|n| fits(n)).count();
        // Zero is a value of every kind.
        let value = if n == 0 {
            0
        } else {
            let choice = self.turn(n);
            *self.ints.iter().filter(|n| fits(n)).nth(choice)?
        };
        self.choices.push(value);
        Some(value)
    }

    fn any(&mut self, _: usize) -> Option<usize> {
        self.about = None;
        self.choices.push(0);
        Some(0)
    }

    fn any_int(&mut self, _: IntKind) -> Option<i128> {
        self.about = None;
        self.choices.push(0);
        Some(0)
    }

    fn about(&mut self, cell: CellId, field: FieldId) {
        self.about = Some((cell, field));
    }

    fn fills(&self) -> bool {
        self.fills
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELD: FieldId = FieldId(0);

    /// The answers to `fields` questions about fields and one other, as far as `refuse` lets them through; it says
    /// which fields it has looked at.
    fn combinations(
        lazy: bool,
        fields: u32,
        refuse: impl Fn(&[usize], &mut Vec<u32>) -> bool,
    ) -> (Vec<Vec<usize>>, usize) {
        let mut odometer = if lazy { Odometer::lazy(&[], false) } else { Odometer::new(&[], false) };
        let (mut passed, mut tried) = (Vec::new(), 0);
        loop {
            let mut answers: Vec<usize> = Vec::new();
            answers.extend(odometer.choose(2));
            for i in 0..fields {
                odometer.about(CellId(i), FIELD);
                answers.extend(odometer.choose(3 + answers[0]));
            }
            answers.extend(odometer.choose(2));
            let mut looked = Vec::new();
            tried += 1;
            let refused = refuse(&answers, &mut looked);
            looked.into_iter().for_each(|i| odometer.looked_at(CellId(i), FIELD));
            if !refused {
                assert!(odometer.vary_rest(usize::MAX));
                passed.push(answers);
            }
            if !odometer.advance() {
                passed.sort();
                return (passed, tried);
            }
        }
    }

    /// Refuses unless the fields, in the order given, hold 1; the last question must be answered with 1 if the first is.
    fn in_order(order: &'static [u32]) -> impl Fn(&[usize], &mut Vec<u32>) -> bool {
        move |answers, looked| {
            for &i in order {
                looked.push(i);
                if answers[i as usize + 1] != 1 {
                    return true;
                }
            }
            answers.first() > answers.last()
        }
    }

    #[test]
    fn lazy_combinations_are_all_that_pass() {
        for order in [&[0u32, 1, 2, 3][..], &[3, 2, 1, 0], &[2, 0, 3, 1], &[1], &[]] {
            let (eager, all) = combinations(false, 4, in_order(order));
            let (lazy, tried) = combinations(true, 4, in_order(order));
            assert_eq!(eager, lazy, "{order:?}");
            assert!(tried <= all, "{order:?}");
            if order.len() == 4 {
                assert!(tried * 10 < all, "{order:?}: {tried} of {all}");
            }
        }
    }
}
