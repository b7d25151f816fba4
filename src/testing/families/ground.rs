//! Families without cells: congruence and integers.

use crate::frontend::smtlib::Status;
use crate::logic::{FuncId, SortId, TermId};
use crate::testing::families::Instance;
use crate::testing::families::draft::Draft;

/// `a_i = a_i+1` and `f(a_0) != f(a_n)`, every `f(a_i)` present: unsatisfiable.
pub(super) fn equal_chain(n: usize) -> Instance {
    let mut draft = Draft::default();
    let sort = draft.sort("Elem");
    let f = draft.fun("f", &[sort], sort);
    let g = draft.fun("g", &[sort, sort], sort);
    let a = draft.constants("a", n + 1, sort);
    let b = draft.constants("b", n, sort);
    for i in 0..n {
        let equal = draft.eq(a[i], a[i + 1]);
        draft.add(equal);
        let (left, right) = (draft.app(f, &[a[i]]), draft.app(f, &[a[i + 1]]));
        let pair = draft.app(g, &[left, right]);
        let named = draft.eq(pair, b[i]);
        draft.add(named);
    }
    let same = draft.eq(b[0], b[n - 1]);
    let (left, right) = (draft.app(f, &[a[0]]), draft.app(f, &[a[n]]));
    let ends = draft.eq(left, right);
    let both = draft.and(&[same, ends]);
    draft.deny(both);
    draft.finish(Status::Unsat)
}

fn power(draft: &mut Draft, f: FuncId, n: usize, x: TermId) -> TermId {
    (0..n).fold(x, |x, _| draft.app(f, &[x]))
}

/// `f^n(x) = x`, `f^(n+1)(x) = x` and `f(x) != x`: unsatisfiable.
pub(super) fn equal_power(n: usize) -> Instance {
    let mut draft = Draft::default();
    let sort = draft.sort("Elem");
    let f = draft.fun("f", &[sort], sort);
    let x = draft.constant("x", sort);
    for n in [n, n + 1] {
        let high = power(&mut draft, f, n, x);
        let back = draft.eq(high, x);
        draft.add(back);
    }
    let once = draft.app(f, &[x]);
    let fixed = draft.eq(once, x);
    draft.deny(fixed);
    draft.finish(Status::Unsat)
}

/// A chain of `n` diamonds, each passed on one of two sides: unsatisfiable, with 2^n ways.
pub(super) fn diamonds(n: usize) -> Instance {
    let mut draft = Draft::default();
    let sort = draft.sort("Elem");
    let x = draft.constants("x", n + 1, sort);
    let sides = [draft.constants("y", n, sort), draft.constants("z", n, sort)];
    for i in 0..n {
        let ways = [0, 1].map(|side| {
            let (first, second) = (draft.eq(x[i], sides[side][i]), draft.eq(sides[side][i], x[i + 1]));
            draft.and(&[first, second])
        });
        let way = draft.or(&ways);
        draft.add(way);
    }
    let ends = draft.eq(x[0], x[n]);
    draft.deny(ends);
    draft.finish(Status::Unsat)
}

/// `x_i + 1 <= x_i+1` for `n` steps and `x_n <= x_0 + n - 1`: unsatisfiable.
pub(super) fn difference(n: usize) -> Instance {
    let mut draft = Draft::default();
    let x = draft.constants("x", n + 1, SortId::INT);
    for pair in x.windows(2) {
        let left = draft.plus(pair[0], 1);
        let step = draft.le(left, pair[1]);
        draft.add(step);
    }
    let right = draft.plus(x[0], n as i64 - 1);
    let last = draft.le(x[n], right);
    draft.add(last);
    draft.finish(Status::Unsat)
}

/// Items that are taken or not, their weights, and the equation that they weigh `total`.
fn knapsack(draft: &mut Draft, n: usize) -> (Vec<TermId>, Vec<i64>) {
    let x = draft.constants("x", n, SortId::INT);
    let (zero, one) = (draft.int(0), draft.int(1));
    for &item in &x {
        let (least, most) = (draft.le(zero, item), draft.le(item, one));
        draft.add(least);
        draft.add(most);
    }
    let weights: Vec<i64> = (0..n as i64).map(|i| 5 + (i * 7) % 23).collect();
    (x, weights)
}

fn weigh(draft: &mut Draft, x: &[TermId], weights: &[i64], total: i64) {
    let sum = draft.weighted(weights, x);
    let total = draft.int(total);
    let equation = draft.eq(sum, total);
    draft.add(equation);
}

/// Two equations whose difference is twice a sum, on one side, and odd on the other: unsatisfiable.
pub(super) fn knapsack_odd(n: usize) -> Instance {
    let mut draft = Draft::default();
    let (x, weights) = knapsack(&mut draft, n);
    let total: i64 = weights.iter().sum::<i64>() / 2;
    weigh(&mut draft, &x, &weights, total);
    let heavier: Vec<i64> = weights.iter().map(|w| w + 2).collect();
    weigh(&mut draft, &x, &heavier, total + 2 * (n as i64 / 2) + 1);
    draft.finish(Status::Unsat)
}

/// Every second item is a solution: satisfiable.
pub(super) fn knapsack_even(n: usize) -> Instance {
    let mut draft = Draft::default();
    let (x, weights) = knapsack(&mut draft, n);
    let total = weights.iter().step_by(2).sum();
    weigh(&mut draft, &x, &weights, total);
    draft.finish(Status::Sat)
}
