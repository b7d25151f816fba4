//! The gate for shapes.

use super::heaps::{Heap, each};
use super::{Law, Shape};
use crate::rules::check::Outcome;
use std::fmt;

/// All heaps of up to this many cells are looked at.
const CELLS: usize = 3;
/// Random heaps of one cell more.
const SAMPLES: u64 = 20_000;

/// The tests of one shape.
#[derive(Clone, Debug)]
pub struct ShapeReport {
    /// Its name.
    pub name: String,
    /// By law: true of the shape's heaps, and needed or noted.
    pub laws: Vec<(String, Outcome, Outcome)>,
    /// Heaps of which all laws are true are of the shape.
    pub complete: Outcome,
}

impl ShapeReport {
    /// Whether everything passed.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.laws.iter().all(|(_, sound, needed)| sound.passed() && needed.passed()) && self.complete.passed()
    }
}

/// Runs the gate on one shape.
#[must_use]
pub fn check(shape: &Shape) -> ShapeReport {
    check_up_to(shape, CELLS, SAMPLES)
}

/// The same with all heaps of up to so many cells, and so many random ones of one cell more.
pub(super) fn check_up_to(shape: &Shape, cells: usize, samples: u64) -> ShapeReport {
    let n = shape.laws.len();
    let mut false_in: Vec<Option<String>> = vec![None; n];
    let mut needed = vec![false; n];
    let (mut admitted, mut inside, mut outside) = (None, 0, 0);
    let mut look = |heap: &Heap, is: bool| {
        if is {
            inside += 1;
            for (law, known) in shape.laws.iter().zip(&mut false_in).filter(|(_, known)| known.is_none()) {
                let at = heap.violation(law);
                *known = at.map(|at| format!("false at {at:?} in the heap {}", heap.text(shape)));
            }
            return;
        }
        outside += 1;
        let mut failing =
            (0..n).filter(|&i| shape.laws[i].note.is_none() && heap.violation(&shape.laws[i]).is_some());
        match (failing.next(), failing.next()) {
            (None, _) => _ = admitted.get_or_insert_with(|| heap.text(shape)),
            (Some(only), None) => needed[only] = true,
            _ => {}
        }
    };
    let mut defined = true;
    for n in 1..=cells {
        defined &= each(shape, n, None, &mut look);
    }
    each(shape, cells + 1, Some(samples), &mut look);
    let sound = |why: &Option<String>| match why {
        Some(why) => Outcome::Fail(why.clone()),
        None => Outcome::Pass(format!("{inside} heaps")),
    };
    let stays = |law: &Law, needed: bool| match (&law.note, needed) {
        (Some(note), _) => Outcome::Pass(format!("noted: {note}")),
        (None, true) => Outcome::Pass("needed".to_owned()),
        (None, false) => Outcome::Fail("no heap needs it: drop it or say why it stays in a note".to_owned()),
    };
    let laws = shape.laws.iter().zip(false_in.iter().zip(needed));
    ShapeReport {
        name: shape.name.clone(),
        laws: laws.map(|(law, (why, needed))| (law.name.clone(), sound(why), stays(law, needed))).collect(),
        complete: match admitted {
            _ if !defined => Outcome::Fail("nothing defines the heaps of this shape".to_owned()),
            _ if inside == 0 => Outcome::Fail("no heap is of this shape".to_owned()),
            None => Outcome::Pass(format!("{outside} other heaps excluded")),
            Some(heap) => Outcome::Fail(format!("all laws are true of the heap {heap}")),
        },
    }
}

impl fmt::Display for ShapeReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "shape {}: {}", self.name, if self.passed() { "ok" } else { "FAILED" })?;
        let width = self.laws.iter().map(|law| law.0.len()).max().unwrap_or(0);
        let mut line = |name: &str, test: &str, outcome: &Outcome| match outcome {
            Outcome::Pass(what) => writeln!(out, "  {name:width$}  {test:<9} ok      {what}"),
            Outcome::Fail(why) => writeln!(out, "  {name:width$}  {test:<9} FAILED  {why}"),
        };
        for (name, sound, needed) in &self.laws {
            line(name, "sound", sound)?;
            line("", "minimal", needed)?;
        }
        line("all laws", "complete", &self.complete)
    }
}
