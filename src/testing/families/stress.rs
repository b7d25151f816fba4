//! Inputs that are large or endless in one respect each: what limits and cancellation are measured on.

use crate::frontend::smtlib::Status;
use crate::logic::{SortId, TermId};
use crate::testing::families::Instance;
use crate::testing::families::draft::Draft;
use crate::util::rng::Rng;

/// `n` different constants in one `distinct`: satisfiable.
pub(super) fn distinct(n: usize) -> Instance {
    let mut draft = Draft::default();
    let sort = draft.sort("Elem");
    let c = draft.constants("c", n, sort);
    let different = draft.distinct(&c);
    draft.add(different);
    draft.finish(Status::Sat)
}

/// As [`distinct`], and the first of them equals the last through a chain: unsatisfiable.
pub(super) fn distinct_merged(n: usize) -> Instance {
    let mut draft = Draft::default();
    let sort = draft.sort("Elem");
    let c = draft.constants("c", n, sort);
    let k = draft.constants("k", n, sort);
    let different = draft.distinct(&c);
    draft.add(different);
    let ends = [draft.eq(c[0], k[0]), draft.eq(k[n - 1], c[n - 1])];
    ends.into_iter().for_each(|end| draft.add(end));
    for pair in k.windows(2) {
        let step = draft.eq(pair[0], pair[1]);
        draft.add(step);
    }
    draft.finish(Status::Unsat)
}

/// `n` different integers between 0 and n: satisfiable.
pub(super) fn distinct_ints(n: usize) -> Instance {
    let mut draft = Draft::default();
    let x = draft.constants("x", n, SortId::INT);
    let different = draft.distinct(&x);
    draft.add(different);
    let (low, high) = (draft.int(0), draft.int(n as i64));
    for &item in &x {
        let (least, most) = (draft.le(low, item), draft.le(item, high));
        draft.add(least);
        draft.add(most);
    }
    draft.finish(Status::Sat)
}

/// `n` pigeons in n - 1 holes, as elements of a sort: unsatisfiable, exponential.
pub(super) fn pigeons(n: usize) -> Instance {
    let mut draft = Draft::default();
    let sort = draft.sort("Hole");
    let holes = draft.constants("h", n - 1, sort);
    let pigeons = draft.constants("p", n, sort);
    for &pigeon in &pigeons {
        let places: Vec<TermId> = holes.iter().map(|&hole| draft.eq(pigeon, hole)).collect();
        let somewhere = draft.or(&places);
        draft.add(somewhere);
    }
    let different = draft.distinct(&pigeons);
    draft.add(different);
    draft.finish(Status::Unsat)
}

/// A function applied `n` times below alternating connectives of depth `n`: satisfiable.
pub(super) fn deep(n: usize) -> Instance {
    let mut draft = Draft::default();
    let sort = draft.sort("Elem");
    let f = draft.fun("f", &[sort], sort);
    let x = draft.constant("x", sort);
    let mut term = x;
    for _ in 0..n {
        term = draft.app(f, &[term]);
    }
    let mut formula = draft.eq(term, x);
    for p in draft.constants("p", n, SortId::BOOL) {
        formula = draft.and(&[p, formula]);
        formula = draft.not(formula);
    }
    draft.add(formula);
    draft.finish(Status::Sat)
}

/// A chain of `n` conditional terms, each over the one before: satisfiable.
pub(super) fn deep_ite(n: usize) -> Instance {
    let mut draft = Draft::default();
    let sort = draft.sort("Elem");
    let f = draft.fun("f", &[sort], sort);
    let (x, y) = (draft.constant("x", sort), draft.constant("y", sort));
    let mut term = x;
    for p in draft.constants("p", n, SortId::BOOL) {
        let next = draft.app(f, &[term]);
        term = draft.terms.ite(p, next, y).expect("one sort");
    }
    let same = draft.eq(term, x);
    draft.add(same);
    draft.finish(Status::Sat)
}

/// Axioms over integers whose instances match again without end: satisfiable, but outside the fragments.
pub(super) fn matching(n: usize) -> Instance {
    let mut draft = Draft::default();
    let f = draft.fun("f", &[SortId::INT], SortId::INT);
    let g = draft.fun("g", &[SortId::INT, SortId::INT], SortId::INT);
    let [x, y] = ["x", "y"].map(|name| draft.variable(name, SortId::INT));
    let (fx, fy) = (draft.app(f, &[x]), draft.app(f, &[y]));
    let ffx = draft.app(f, &[fx]);
    let more = draft.le(fx, ffx);
    draft.axiom(&[x], &[], &[more]);
    let (gxy, gff) = (draft.app(g, &[x, y]), draft.app(g, &[fx, fy]));
    let grows = draft.le(gxy, gff);
    draft.axiom(&[x, y], &[], &[grows]);
    let c = draft.constants("c", n, SortId::INT);
    for pair in c.windows(2) {
        let (fa, fb) = (draft.app(f, &[pair[0]]), draft.app(f, &[pair[1]]));
        let joined = draft.app(g, &[fa, fb]);
        let step = draft.le(joined, pair[1]);
        draft.add(step);
    }
    draft.finish(Status::Sat)
}

/// `n` equations over `n` bounded integers with large coefficients around a hidden solution: satisfiable.
pub(super) fn ints(n: usize) -> Instance {
    let mut draft = Draft::default();
    let mut rng = Rng::new(n as u64);
    let x = draft.constants("x", n, SortId::INT);
    let hidden: Vec<i64> = x.iter().map(|_| rng.below(2000) as i64 - 1000).collect();
    let (low, high) = (draft.int(-1000), draft.int(1000));
    for &item in &x {
        let (least, most) = (draft.le(low, item), draft.le(item, high));
        draft.add(least);
        draft.add(most);
    }
    for row in 0..n {
        let weights: Vec<i64> = x.iter().map(|_| rng.below(2000) as i64 - 1000).collect();
        let total: i64 = weights.iter().zip(&hidden).map(|(w, v)| w * v).sum();
        let sum = draft.weighted(&weights, &x);
        // Half of the rows are equations, half leave a slack of a few units.
        let least = draft.int(total - (row % 2) as i64 * 3);
        let most = draft.int(total);
        let (low, high) = (draft.le(least, sum), draft.le(sum, most));
        draft.add(low);
        draft.add(high);
    }
    draft.finish(Status::Sat)
}

/// A dense graph relation on `n` elements with a colouring that takes three: EPR, hard either way.
pub(super) fn colouring(n: usize) -> Instance {
    let mut draft = Draft::default();
    let sort = draft.sort("Node");
    let edge = draft.fun("edge", &[sort, sort], SortId::BOOL);
    let colours = ["red", "green", "blue"].map(|name| draft.fun(name, &[sort], SortId::BOOL));
    let [x, y] = ["x", "y"].map(|name| draft.variable(name, sort));
    let of_x = colours.map(|colour| draft.app(colour, &[x]));
    draft.axiom(&[x], &[], &of_x);
    let joined = draft.app(edge, &[x, y]);
    for colour in colours {
        let (cx, cy) = (draft.app(colour, &[x]), draft.app(colour, &[y]));
        draft.axiom(&[x, y], &[joined, cx, cy], &[]);
    }
    let c = draft.constants("c", n, sort);
    let different = draft.distinct(&c);
    draft.add(different);
    let mut rng = Rng::new(n as u64);
    for i in 0..n {
        for j in 0..i {
            // A hidden colouring keeps it satisfiable.
            if i % 3 != j % 3 && rng.below(n) < 6 {
                let link = draft.app(edge, &[c[i], c[j]]);
                draft.add(link);
            }
        }
    }
    draft.finish(Status::Sat)
}

/// A disjunction of conjunctions, `n` by `n`, of equations: satisfiable and wide.
pub(super) fn wide(n: usize) -> Instance {
    let mut draft = Draft::default();
    let sort = draft.sort("Elem");
    let f = draft.fun("f", &[sort, sort], sort);
    let c = draft.constants("c", n, sort);
    let mut rows = Vec::new();
    for i in 0..n {
        let row: Vec<TermId> = (0..n)
            .map(|j| {
                let pair = draft.app(f, &[c[i], c[j]]);
                draft.eq(pair, c[(i + j) % n])
            })
            .collect();
        rows.push(draft.and(&row));
    }
    let some = draft.or(&rows);
    draft.add(some);
    let different = draft.distinct(&c[..n.min(50)]);
    draft.add(different);
    draft.finish(Status::Sat)
}
