//! The conjuncts of a clause: each is an obligation of its own.
//!
//! A goal that is a conjunction is refuted by breaking any one part, so the search for its proof meets the cases of
//! every part at once; one by one they are small, and what was proved of one part is known for the next.

use super::Conditions;
use crate::program::formula::{Formula, Set};
use std::ops::Range;

/// A clause with more parts than this stays whole: premises are repeated for each.
const MAX_PARTS: usize = 64;

/// Formulas that together say what the given one says.
pub(super) fn conjuncts(formula: &Formula) -> Vec<Formula> {
    let parts = split(formula);
    if parts.len() > MAX_PARTS { vec![formula.clone()] } else { parts }
}

fn split(formula: &Formula) -> Vec<Formula> {
    let subset = |a: &Set, b: &Set| Formula::Subset(a.clone(), b.clone());
    match formula {
        Formula::And(parts) => parts.iter().flat_map(conjuncts).collect(),
        Formula::Implies(premise, then) => {
            let under = |part| Formula::Implies(premise.clone(), Box::new(part));
            conjuncts(then).into_iter().map(under).collect()
        }
        Formula::Iff(a, b) => {
            let there = Formula::Implies(a.clone(), b.clone());
            let back = Formula::Implies(b.clone(), a.clone());
            [there, back].iter().flat_map(conjuncts).collect()
        }
        Formula::Forall(binder, body) => {
            let over = |part| Formula::Forall(binder.clone(), Box::new(part));
            conjuncts(body).into_iter().map(over).collect()
        }
        Formula::SameSet(a, b) => vec![subset(a, b), subset(b, a)],
        other => vec![other.clone()],
    }
}

impl Conditions<'_> {
    /// The obligations of each clause, and every other one by itself. What the first of a clause may assume, the others
    /// may; they may assume the ones before them as well.
    #[must_use]
    pub fn clauses(&self) -> Vec<Range<usize>> {
        let mut clauses: Vec<Range<usize>> = Vec::new();
        for (i, obligation) in self.obligations.iter().enumerate() {
            match clauses.last_mut() {
                Some(clause) if clause.start == obligation.first => clause.end = i + 1,
                _ => clauses.push(i..i + 1),
            }
        }
        clauses
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::eval::{States, holds};
    use crate::program::formula::{At, Term};
    use crate::program::samples::{NEXT, NODE, PREV, Sample};
    use crate::program::{Binder, BoundId, CellId, State, Status, Value, VarKind};

    /// On all heaps of up to two cells with two fields the parts say together what the whole says.
    #[test]
    fn parts_say_what_the_whole_says() {
        let mut sample = Sample::new("f");
        let [x, y] = ["x", "y"].map(|name| sample.pointer(name, VarKind::Param));
        let program = sample.finish();
        let var = |v| Term::Var(v, At::Now);
        let reach = |field, from, to| Formula::Reach { field, at: At::Now, from, to, plus: false };
        let cells = |field| Set::Cells(field, At::Now, Box::new(var(x)), Box::new(var(y)));
        let u = || Term::Bound(BoundId(0));
        let binder = Binder { id: BoundId(0), name: "u".to_owned(), of: Some(NODE) };
        let there = || reach(NEXT, var(x), var(y));
        let both =
            |a: Term, b: Term| Formula::And(vec![reach(NEXT, a.clone(), b.clone()), reach(PREV, b, a)]);
        let implies = |a, b| Formula::Implies(Box::new(a), Box::new(b));
        let every = Formula::Forall(binder, Box::new(implies(reach(NEXT, var(x), u()), both(u(), var(y)))));
        let wholes = [
            (both(var(x), var(y)), 2),
            (implies(there(), Formula::And(vec![both(var(y), var(x)), there()])), 3),
            (Formula::Iff(Box::new(there()), Box::new(both(var(y), var(x)))), 3),
            (Formula::SameSet(cells(NEXT), cells(PREV)), 2),
            (every, 2),
            (Formula::Or(vec![there(), both(var(y), var(x))]), 1),
        ];
        let mut truths = [[0, 0]; 6];
        for n in 0..=2usize {
            let point = |i: usize| if i == 0 { Value::Null } else { Value::Cell(CellId(i as u32 - 1)) };
            for code in 0..(n + 1).pow(2 * n as u32 + 2) {
                let digit = |i: u32| point(code / (n + 1).pow(i) % (n + 1));
                let mut state = State::new(&program);
                for i in 0..n as u32 {
                    let cell = state.add_cell(&program, NODE, Status::Heap);
                    state.set_field(cell, NEXT, digit(2 * i));
                    state.set_field(cell, PREV, digit(2 * i + 1));
                }
                state.vars[x.index()] = digit(2 * n as u32);
                state.vars[y.index()] = digit(2 * n as u32 + 1);
                let truth = |f: &Formula| holds(&program, States::at_entry(&state), f).expect("evaluated");
                for ((whole, count), seen) in wholes.iter().zip(&mut truths) {
                    let parts = conjuncts(whole);
                    assert_eq!(parts.len(), *count);
                    assert_eq!(parts.iter().all(truth), truth(whole), "{n} cells, heap {code}: {whole:?}");
                    seen[usize::from(truth(whole))] += 1;
                }
            }
        }
        assert!(truths.iter().all(|seen| seen.iter().all(|&n| n > 0)), "{truths:?}");
    }
}
