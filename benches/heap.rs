//! Queries as property-directed reachability asks them, on the heap context: frames behind activation
//! literals, cubes over the predicates after a loop body, lemmas from cores over the predicates before it.
//!
//! Each trace is 10,000 queries in one context. Before the measurements the mean time of a query and the
//! size of the universe are printed.

use catena::engine::heap::{Colour, Config, CubeAnswer, Field, HeapCtx, Pred, Slot, State};
use catena::sat::Lit;
use catena::util::limits::Budget;
use catena::util::rng::Rng;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::time::{Duration, Instant};

const N: Field = Field(0);
const QUERIES: usize = 10_000;
/// Lemmas before the frames are emptied again: random lemmas soon contradict each other.
const LEMMAS: usize = 60;

/// A loop whose body was executed symbolically.
struct Loop {
    ctx: HeapCtx,
    before: State,
    after: State,
    preds: Vec<Pred>,
}

/// The predicates of the paper's blank column over variables 1 to `live`, and null at the end.
fn shape(live: u16) -> Vec<Pred> {
    let mut preds = Vec::new();
    for x in (1..=live).map(Slot) {
        for y in (0..=live).map(Slot).filter(|&y| y != x) {
            preds.extend([Pred::Reach(N, x, y), Pred::Edge(N, x, y), Pred::Unshared(N, x, y)]);
            if y < x {
                preds.push(Pred::Equal(x, y));
            }
        }
    }
    preds
}

/// `k = i->n; i->n = j; j = i; i = k` with a ghost.
fn reverse() -> Loop {
    let mut ctx = HeapCtx::new(Config { fields: 1, colours: 0, alloc: false });
    let before = ctx.initial(&[Some("h"), Some("i"), Some("j"), Some("x"), None]);
    let [i, j, k] = [Slot(2), Slot(3), Slot(5)];
    let mut after = before.clone();
    ctx.load(&mut after, k, i, N);
    ctx.store(&mut after, i, N, j);
    ctx.assign(&mut after, j, i);
    ctx.assign(&mut after, i, k);
    Loop { ctx, before, after, preds: shape(4) }
}

/// `t = i->n; if (C(i)) j = i; else if (i == h) h = t; else j->n = t; i = t` with a ghost.
fn filter() -> Loop {
    let mut ctx = HeapCtx::new(Config { fields: 1, colours: 1, alloc: false });
    let before = ctx.initial(&[Some("h"), Some("i"), Some("j"), Some("x"), None]);
    let [h, i, j, t] = [Slot(1), Slot(2), Slot(3), Slot(5)];
    let mut start = before.clone();
    ctx.load(&mut start, t, i, N);
    let keep = ctx.literal(&start, Pred::Colour(Colour(0), i), true);
    let (mut kept, dropped) = ctx.branch(&start, keep);
    ctx.assign(&mut kept, j, i);
    let head = ctx.literal(&dropped, Pred::Equal(i, h), true);
    let (mut first, mut inner) = ctx.branch(&dropped, head);
    ctx.assign(&mut first, h, t);
    ctx.store(&mut inner, j, N, t);
    let dropped = ctx.merge(head, &first, &inner);
    let mut after = ctx.merge(keep, &kept, &dropped);
    ctx.assign(&mut after, i, t);
    let mut preds = shape(4);
    preds.extend((1..=4).map(|x| Pred::Colour(Colour(0), Slot(x))));
    Loop { ctx, before, after, preds }
}

/// The walk of sorted insert followed by the insertion: `q = p; p = p->n; e->n = p; q->n = e`.
fn sorted_insert() -> Loop {
    let mut ctx = HeapCtx::new(Config { fields: 1, colours: 0, alloc: false });
    let before = ctx.initial(&[Some("h"), Some("e"), Some("p"), Some("q")]);
    let [e, p, q] = [Slot(2), Slot(3), Slot(4)];
    let mut after = before.clone();
    ctx.assign(&mut after, q, p);
    ctx.load(&mut after, p, p, N);
    ctx.store(&mut after, e, N, p);
    ctx.store(&mut after, q, N, e);
    let mut preds = shape(4);
    for x in (1..=4).map(Slot) {
        preds.push(Pred::Sorted(N, x, Slot::NULL));
        for y in (1..=4).map(Slot).filter(|&y| y != x) {
            preds.extend([Pred::AtMost(x, y), Pred::Sorted(N, x, y)]);
        }
    }
    Loop { ctx, before, after, preds }
}

/// The frames' activation literals, new and empty.
fn empty_frames(ctx: &mut HeapCtx, old: &[Lit]) -> Vec<Lit> {
    old.iter().for_each(|&frame| ctx.add_clause(&[!frame]));
    (0..4).map(|_| ctx.fresh()).collect()
}

/// Runs the queries; returns how many had no model.
fn trace(body: &mut Loop, queries: usize, seed: u64) -> usize {
    let Loop { ctx, before, after, preds } = body;
    let mut rng = Rng::new(seed);
    let mut budget = Budget::unlimited();
    let mut frames = empty_frames(ctx, &[]);
    let (mut lemmas, mut unsat) = (0, 0);
    // Cubes are the states seen so far, as the search meets them: a predecessor is the next obligation.
    let mut seen: Vec<Vec<bool>> = Vec::new();
    for _ in 0..queries {
        let level = rng.below(frames.len());
        let mut fixed = vec![after.guard];
        fixed.extend_from_slice(&frames[level..]);
        let keep = 2 + rng.below(9);
        let base = if seen.is_empty() { None } else { Some(rng.below(seen.len())) };
        let mut cube: Vec<_> = preds
            .iter()
            .enumerate()
            .filter(|_| rng.below(10) < keep)
            .filter_map(|(at, &pred)| Some((pred, seen[base?][at])))
            .collect();
        // A generalised or unreachable state now and then, so that both answers occur.
        if rng.one_in(4) && !cube.is_empty() {
            let at = rng.below(cube.len());
            cube[at].1 = !cube[at].1;
        }
        let atoms: Vec<_> = cube.iter().map(|&(pred, positive)| (after.atom(pred), positive)).collect();
        match ctx.solve_cube(&fixed, &atoms, &mut budget).expect("no limit") {
            CubeAnswer::Sat(model) => {
                let values = preds.iter().map(|&pred| model.eval(before, pred)).collect();
                if seen.len() < 500 {
                    seen.push(values);
                } else {
                    let at = rng.below(seen.len());
                    seen[at] = values;
                }
            }
            CubeAnswer::Unsat { cube: core, .. } => {
                unsat += 1;
                lemmas += 1;
                if lemmas % LEMMAS == 0 {
                    frames = empty_frames(ctx, &frames);
                }
                let mut clause = vec![!frames[(level + 1).min(frames.len() - 1)]];
                clause.extend(core.iter().map(|&at| ctx.literal(before, cube[at].0, !cube[at].1)));
                ctx.add_clause(&clause);
            }
        }
    }
    unsat
}

/// A loop and its name.
type Named = (&'static str, fn() -> Loop);

const LOOPS: [Named; 3] = [("reverse", reverse), ("filter", filter), ("sorted_insert", sorted_insert)];

fn heap(c: &mut Criterion) {
    let mut group = c.benchmark_group("heap");
    group.sample_size(10).measurement_time(Duration::from_secs(4));
    for (name, make) in LOOPS {
        let mut body = make();
        let start = Instant::now();
        let unsat = trace(&mut body, QUERIES, 1);
        let mean = start.elapsed().as_secs_f64() * 1e6 / QUERIES as f64;
        let stats = body.ctx.stats();
        println!(
            "{name}: {mean:.1} us a query, universe {}, {} predicates, {unsat} unsat, {} variables, {} KiB, {stats:?} {:?}",
            body.ctx.universe(),
            body.preds.len(),
            body.ctx.num_vars(),
            body.ctx.memory_bytes() / 1024,
            body.ctx.sat_stats(),
        );
        group.bench_function(BenchmarkId::new("trace", name), |b| b.iter(|| trace(&mut make(), QUERIES, 1)));
    }
    group.finish();
}

criterion_group!(benches, heap);
criterion_main!(benches);
