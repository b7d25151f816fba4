//! Weaker left sides that may be easier to prove by induction.
//!
//! `n >= 100` does not hold of the rest of a list, so a hypothesis with it cannot be used there. What holds again is
//! often a difference (`n - m >= 80`) or a sum (`k = n + m`) of what was said of single numbers. Every
//! variant follows from the left side, so proving the sequent with it proves the sequent.

use super::*;

/// Sums of three numbers that are tried.
const MAX_SUMS: usize = 4;
/// Offsets of sums that are tried.
const MAX_OFFSET: i64 = 3;

/// The left side itself, last, after weaker ones.
pub(super) fn variants(left: &SymbolicHeap) -> Vec<SymbolicHeap> {
    let mut lower: Vec<(Var, Int)> = Vec::new();
    let mut upper: Vec<(Var, Int)> = Vec::new();
    let mut rest = Vec::new();
    for fact in &left.facts {
        let [(var, coefficient)] = &fact.form.terms[..] else {
            rest.push(fact.clone());
            continue;
        };
        // c*v + k is 0 or at most 0, with c = 1 or -1.
        let bound = -(&fact.form.constant * coefficient);
        match (fact.relation, coefficient.abs().is_one(), coefficient.is_positive()) {
            (Relation::Zero, true, _) => {
                lower.push((*var, bound.clone()));
                upper.push((*var, bound));
            }
            (Relation::AtMostZero, true, true) => upper.push((*var, bound)),
            (Relation::AtMostZero, true, false) => lower.push((*var, bound)),
            _ => rest.push(fact.clone()),
        }
    }
    if lower.is_empty() && upper.is_empty() {
        return vec![left.clone()];
    }
    // That a number is positive is kept: it holds as long as there are cells.
    for (var, bound) in &lower {
        if bound.is_positive() || bound.is_zero() {
            let least = Int::from(i64::from(bound.is_positive()));
            let form = Linear { terms: vec![(*var, Int::from(-1))], constant: least };
            rest.push(Fact { relation: Relation::AtMostZero, form });
        }
    }
    let with = |more: Vec<Fact>| {
        let mut heap = left.clone();
        heap.facts = rest.iter().cloned().chain(more).collect();
        heap
    };
    let mut all = vec![with(Vec::new())];
    let mut differences = Vec::new();
    for (u, least) in &lower {
        for (v, most) in upper.iter().filter(|(v, _)| v != u) {
            // v <= most and u >= least: v - u - (most - least) <= 0.
            let gap = Linear { terms: Vec::new(), constant: most - least };
            let form = Linear::var(*v).minus(&Linear::var(*u)).minus(&gap);
            differences.push(Fact { relation: Relation::AtMostZero, form });
        }
    }
    let fixed: Vec<&(Var, Int)> = lower.iter().filter(|bound| upper.contains(bound)).collect();
    let mut sums = Vec::new();
    for (i, (u, a)) in fixed.iter().enumerate() {
        for (v, b) in &fixed[..i] {
            for (w, c) in fixed.iter().filter(|(w, _)| w != u && w != v) {
                let offset = &(a + b) - c;
                if offset.abs() <= Int::from(MAX_OFFSET) && sums.len() < MAX_SUMS {
                    let number = Linear { terms: Vec::new(), constant: offset };
                    let one = Int::from(1);
                    let form =
                        Linear::var(*u).plus(&Linear::var(*v), &one).minus(&Linear::var(*w)).minus(&number);
                    sums.push(Fact { relation: Relation::Zero, form });
                }
            }
        }
    }
    all.extend(sums.into_iter().map(|sum| with(vec![sum])));
    if !differences.is_empty() {
        all.push(with(differences));
    }
    all.push(left.clone());
    all
}
