//! How long does congruence closure take on chains of equalities and towers of applications, through the public
//! solver?

#[path = "common/solve.rs"]
mod common;

use catena::testing::families;
use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use std::time::Duration;

fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("congruence");
    group.sample_size(10).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_secs(1));
    for (name, sizes) in
        [("equal-chain", [50, 100, 200]), ("equal-power", [50, 100, 200]), ("diamonds", [3, 6, 9])]
    {
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

criterion_group!(congruence, benches);
criterion_main!(congruence);
