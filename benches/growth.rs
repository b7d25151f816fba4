//! How does the time of each formula family grow with its size? Prints the times and the exponent: the
//! slope of log time against log size over the larger half of the sizes.
//!
//! Arguments select families by parts of their names. A family stops at the first size that takes over two
//! seconds, so that everything ends in about a minute.

#[path = "common/solve.rs"]
mod common;

use catena::testing::families::{self, Family};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(8);
const LONG: f64 = 2000.0;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    println!(
        "{:14} {:>8}  size: milliseconds (checks/conflicts/splits/instances/facts/pivots)",
        "family", "exponent"
    );
    for family in families::ALL {
        if wanted.is_empty() || wanted.iter().any(|w| family.name.contains(w.as_str())) {
            grow(family);
        }
    }
}

fn grow(family: &Family) {
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut cells = Vec::new();
    for &size in family.sizes {
        let instance = (family.make)(size);
        let mut best = f64::INFINITY;
        let started = Instant::now();
        for _ in 0..5 {
            let problem = instance.problem.clone();
            let start = Instant::now();
            let (status, stats) = common::solve(problem, Some(LIMIT));
            let ms = start.elapsed().as_secs_f64() * 1e3;
            if best == f64::INFINITY {
                let s = stats;
                let word = if status.is_none() { " UNKNOWN" } else { "" };
                cells.push(format!(
                    "({}/{}/{}/{}/{}/{}){word}",
                    s.theory_checks, s.conflicts, s.splits, s.instances, s.facts, s.pivots
                ));
            }
            assert!(status.is_none_or(|s| s == instance.status), "{} {size}: {status:?}", family.name);
            best = best.min(ms);
            if started.elapsed() > Duration::from_millis(300) {
                break;
            }
        }
        let counters = cells.pop().expect("each size is run at least once");
        cells.push(format!("{size}: {best:.2} {counters}"));
        points.push((size as f64, best));
        if best > LONG {
            break;
        }
    }
    println!(
        "{:14} {:>8.2}  {}",
        family.name,
        slope(&points[points.len() / 2 - usize::from(points.len() < 4)..]),
        cells.join("  ")
    );
}

/// The slope of the line through the logarithms, by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let n = logs.len() as f64;
    let (mean_x, mean_y) =
        (logs.iter().map(|p| p.0).sum::<f64>() / n, logs.iter().map(|p| p.1).sum::<f64>() / n);
    let covariance: f64 = logs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    covariance / logs.iter().map(|(x, _)| (x - mean_x).powi(2)).sum::<f64>()
}
