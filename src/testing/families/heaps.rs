//! Families over one link field: chains, lists without a given order, heap writes, segments.

use crate::frontend::smtlib::Status;
use crate::logic::{FuncId, SortId, TermId};
use crate::testing::families::Instance;
use crate::testing::families::draft::Draft;
use crate::util::hash::Map;

fn cells(draft: &mut Draft) -> (SortId, FuncId) {
    let cell = draft.sort("Cell");
    let next = draft.fun("next", &[cell], cell);
    (cell, next)
}

/// `next(x_i) = x_i+1` for `n` steps, and x_0 does not reach x_n: unsatisfiable.
pub(super) fn chain(n: usize) -> Instance {
    let mut draft = Draft::default();
    let (cell, next) = cells(&mut draft);
    let x = draft.constants("x", n + 1, cell);
    for pair in x.windows(2) {
        let after = draft.app(next, &[pair[0]]);
        let link = draft.eq(after, pair[1]);
        draft.add(link);
    }
    let goal = draft.reach(next, x[0], x[n]);
    draft.deny(goal);
    draft.finish(Status::Unsat)
}

/// `n` different cells reached from a head, in no given order: satisfiable, with quadratically many splits.
pub(super) fn unordered(n: usize) -> Instance {
    let mut draft = Draft::default();
    let (cell, next) = cells(&mut draft);
    let x = draft.constants("x", n + 1, cell);
    for &other in &x[1..] {
        let there = draft.reach(next, x[0], other);
        draft.add(there);
    }
    let different = draft.distinct(&x);
    draft.add(different);
    draft.finish(Status::Sat)
}

/// A sequence of writes `p->next = q`, and reachability after it as a formula about the heap before it.
///
/// NOTE: this is the weakest precondition with the avoidances that the text of LISBQ's section 3.1 lost.
struct Writes {
    next: FuncId,
    writes: Vec<(TermId, TermId)>,
    /// R(u, v, w) after the first n writes.
    known: Map<(usize, TermId, TermId, TermId), TermId>,
}

impl Writes {
    fn between(&mut self, draft: &mut Draft, n: usize, u: TermId, v: TermId, w: TermId) -> TermId {
        if n == 0 {
            return draft.between(self.next, u, v, w);
        }
        if let Some(&known) = self.known.get(&(n, u, v, w)) {
            return known;
        }
        let (p, q) = self.writes[n - 1];
        let direct = self.between(draft, n - 1, u, v, w);
        let misses = self.avoids(draft, n - 1, u, w, p);
        let untouched = draft.and(&[direct, misses]);
        let same = draft.eq(p, w);
        let apart = draft.not(same);
        let to_p = self.avoids(draft, n - 1, u, p, w);
        let from_q = self.avoids(draft, n - 1, q, w, p);
        let before_p = self.between(draft, n - 1, u, v, p);
        let after_q = self.between(draft, n - 1, q, v, w);
        let place = draft.or(&[before_p, after_q]);
        let through = draft.and(&[apart, to_p, place, from_q]);
        let result = draft.or(&[untouched, through]);
        self.known.insert((n, u, v, w), result);
        result
    }

    /// u reaches v without passing through w before v.
    fn avoids(&mut self, draft: &mut Draft, n: usize, u: TermId, v: TermId, w: TermId) -> TermId {
        let ordered = self.between(draft, n, u, v, w);
        let there = self.between(draft, n, u, v, v);
        let meets = self.between(draft, n, u, w, w);
        let misses = draft.not(meets);
        let alone = draft.and(&[there, misses]);
        draft.or(&[ordered, alone])
    }
}

/// Prepends `k` new cells to a list that ends in null and denies that the last one reaches null. The proof
/// needs that no new cell is on the list before: `fresh` cells are.
fn prepend(k: usize, fresh: usize, status: Status) -> Instance {
    let mut draft = Draft::default();
    let (cell, next) = cells(&mut draft);
    let null = draft.constant("null", cell);
    let head = draft.constant("head", cell);
    let new = draft.constants("c", k, cell);
    let after_null = draft.app(next, &[null]);
    let ends = draft.eq(after_null, null);
    draft.add(ends);
    let listed = draft.reach(next, head, null);
    draft.add(listed);
    let all: Vec<TermId> = new.iter().copied().chain([null]).collect();
    let different = draft.distinct(&all);
    draft.add(different);
    for &cell in &new[..fresh] {
        let shared = draft.reach(next, head, cell);
        draft.deny(shared);
    }
    let targets = [head].into_iter().chain(new.iter().copied());
    let writes = new.iter().copied().zip(targets).collect();
    let mut writes = Writes { next, writes, known: Map::default() };
    let goal = writes.between(&mut draft, k, new[k - 1], null, null);
    draft.deny(goal);
    draft.finish(status)
}

/// Reachability after `k` writes that prepend fresh cells: unsatisfiable when denied.
pub(super) fn writes_valid(k: usize) -> Instance {
    prepend(k, k, Status::Unsat)
}

/// The same when the last cell may lie on the list already: the writes may close a cycle.
pub(super) fn writes_wrong(k: usize) -> Instance {
    prepend(k, k - 1, Status::Sat)
}

/// `n` segments of at least two cells before their end, all data of segment i equal to i: they must be laid out apart.
pub(super) fn segments(n: usize) -> Instance {
    let mut draft = Draft::default();
    let (cell, next) = cells(&mut draft);
    let data = draft.fun("data", &[cell], SortId::INT);
    let (heads, middles, ends) =
        (draft.constants("h", n, cell), draft.constants("m", n, cell), draft.constants("e", n, cell));
    for i in 0..n {
        let (head, middle, end) = (heads[i], middles[i], ends[i]);
        let inside = draft.between(next, head, middle, end);
        draft.add(inside);
        let different = draft.distinct(&[head, middle, end]);
        draft.add(different);
        let variable = draft.variable("u", cell);
        let guard = draft.between(next, head, variable, end);
        let is_end = draft.eq(variable, end);
        let value = draft.app(data, &[variable]);
        let number = draft.int(i as i64);
        let right = draft.eq(value, number);
        draft.axiom(&[variable], &[guard], &[is_end, right]);
        let value = draft.app(data, &[end]);
        let number = draft.int(-1);
        let marked = draft.eq(value, number);
        draft.add(marked);
    }
    draft.finish(Status::Sat)
}
