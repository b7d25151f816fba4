//! How long does saturation take on chains and on lists without a given order, through the public solver?

#[path = "common/solve.rs"]
mod common;

use catena::testing::families;
use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use std::time::Duration;

fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("saturation");
    group.sample_size(10).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_secs(1));
    for (name, sizes) in [("chain", [6, 12, 24, 48]), ("unordered", [4, 8, 12, 16])] {
        let family = families::find(name).expect("a family");
        for size in sizes {
            let instance = (family.make)(size);
            group.bench_function(BenchmarkId::new(name, size), |b| {
                b.iter_batched(
                    || instance.problem.clone(),
                    |problem| assert_eq!(common::solve(problem, None).0, Some(instance.status)),
                    BatchSize::SmallInput,
                );
            });
        }
    }
    group.finish();
}

criterion_group!(saturation, benches);
criterion_main!(saturation);
