//! All contexts over a few distinct points that are closed under some rules.
//!
//! For fixed successor terms the facts are the propositional variables and the rule instances the
//! clauses; a small backtracking search with unit propagation lists the models. With n points there
//! are n^3 facts, so four points fill the 64 bits of a mask. The rules of LISBQ leave (2n)^n contexts:
//! one per functional graph on the points and choice of the successors that have a term.

use super::heaps::Heap;
use super::interpret::NaiveContext;
use super::matcher::{Ground, Point};
use super::syntax::{Heaps, Rule, Theory};
use std::ops::ControlFlow;

/// Facts that must not all be known, unless one of the others is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Clause {
    premises: u64,
    conclusions: u64,
}

/// Visits the contexts over `points` points, pairwise distinct, that are closed under `rules`. The
/// last point is null if the theory has null. Only facts of the theory's own form are considered.
pub fn each_closed(
    theory: &Theory,
    rules: &[&Rule],
    points: usize,
    visit: &mut dyn FnMut(&NaiveContext) -> ControlFlow<()>,
) -> ControlFlow<()> {
    assert!(points <= 4, "a mask has 64 bits");
    let null = theory.null.then_some(points as Point - 1);
    let choices = if theory.mentions_successor() { points + 1 } else { 1 };
    for code in 0..choices.pow(points as u32) {
        let mut context = NaiveContext::new(points, null);
        for a in 0..points {
            let choice = code / choices.pow(a as u32) % choices;
            if choice > 0 {
                context.add_successor(a as Point, choice as Point - 1);
            }
        }
        let mut clauses: Vec<Clause> =
            rules.iter().flat_map(|rule| clauses(&context, rule, points)).collect();
        clauses.sort();
        clauses.dedup();
        let outside = if theory.is_binary() { !binary_facts(points) } else { 0 };
        let facts = u64::MAX >> (64 - points.pow(3));
        let search = &mut Search { clauses, facts, context, visit };
        search.models(0, outside & facts)?;
    }
    ControlFlow::Continue(())
}

fn bit(points: usize, a: Point, b: Point, c: Point) -> u64 {
    1 << ((a as usize * points + b as usize) * points + c as usize)
}

fn binary_facts(points: usize) -> u64 {
    let n = points as Point;
    (0..n).flat_map(|a| (0..n).map(move |b| bit(points, a, b, b))).fold(0, |mask, bit| mask | bit)
}

/// The instances of a rule, given the successors of an otherwise empty context.
fn clauses(context: &NaiveContext, rule: &Rule, points: usize) -> Vec<Clause> {
    // With every fact known, a rule matches unless successors forbid it.
    let mut full = context.clone();
    let n = points as Point;
    for a in 0..n {
        for b in 0..n {
            (0..n).for_each(|c| _ = full.add(a, b, c));
        }
    }
    let mut clauses = Vec::new();
    let width = rule.variables.len() as u32;
    for code in 0..points.pow(width) {
        let binding: Vec<Point> =
            (0..width).map(|place| (code / points.pow(place) % points) as Point).collect();
        if !full.matches(rule, &binding) {
            continue;
        }
        let premises = full.premise_facts(rule, &binding).into_iter();
        let premises = premises.fold(0, |mask, [a, b, c]| mask | bit(points, a, b, c));
        // One conclusion from each alternative, in all ways; an equation is decided here and now.
        let mut picks = vec![0];
        for alternative in &rule.alternatives {
            let mut next = Vec::new();
            for &head in alternative {
                match full.ground(head, &binding).expect("premises provide the terms of conclusions") {
                    Ground::Between(a, b, c) => next.push(bit(points, a, b, c)),
                    Ground::Equal(a, b) if a != b => next.push(0),
                    Ground::Equal(..) => {}
                }
            }
            picks = picks.iter().flat_map(|pick| next.iter().map(move |head| pick | head)).collect();
        }
        let news = picks.into_iter().filter(|conclusions| conclusions & premises == 0);
        clauses.extend(news.map(|conclusions| Clause { premises, conclusions }));
    }
    clauses
}

struct Search<'a> {
    clauses: Vec<Clause>,
    facts: u64,
    context: NaiveContext,
    visit: &'a mut dyn FnMut(&NaiveContext) -> ControlFlow<()>,
}

impl Search<'_> {
    fn models(&mut self, known: u64, denied: u64) -> ControlFlow<()> {
        let Some((known, denied)) = self.propagate(known, denied) else { return ControlFlow::Continue(()) };
        let open = self.facts & !(known | denied);
        if open == 0 {
            let mut model = self.context.clone();
            let n = model.points().len() as Point;
            let facts = (0..n * n * n).filter(|&i| known >> i & 1 == 1);
            facts.for_each(|i| _ = model.add(i / n / n, i / n % n, i % n));
            return (self.visit)(&model);
        }
        // Deny first: the first context found is a small one.
        let fact = 1 << open.trailing_zeros();
        self.models(known, denied | fact)?;
        self.models(known | fact, denied)
    }

    fn propagate(&self, mut known: u64, mut denied: u64) -> Option<(u64, u64)> {
        loop {
            let before = (known, denied);
            for clause in &self.clauses {
                if clause.premises & denied != 0 || clause.conclusions & known != 0 {
                    continue;
                }
                let deny = clause.premises & !known;
                let assert = clause.conclusions & !denied;
                match deny.count_ones() + assert.count_ones() {
                    0 => return None,
                    1 => (known, denied) = (known | assert, denied | deny),
                    _ => {}
                }
            }
            if (known, denied) == before {
                return Some(before);
            }
        }
    }
}

/// The heap of section 3.2 of LISBQ for a closed context, if it really has the context's facts: a
/// known successor stays, otherwise f goes to the nearest point that is reached, otherwise to itself.
pub fn realise(theory: &Theory, context: &NaiveContext) -> Result<Heap, String> {
    let points = context.points();
    let reaches = |a, b| context.between(a, b, b);
    let before = |a, b, c| if theory.is_binary() { reaches(b, c) } else { context.between(a, b, c) };
    let mut field = Vec::new();
    for &a in &points {
        let others: Vec<Point> = points.iter().copied().filter(|&b| b != a && reaches(a, b)).collect();
        let nearest = others.iter().copied().find(|&b| others.iter().all(|&c| before(a, b, c)));
        let next = match (context.successor(a), nearest) {
            (Some(next), _) | (None, Some(next)) => next,
            (None, None) if others.is_empty() => a,
            (None, None) => return Err(format!("no point is nearest to {}", context.name(a))),
        };
        field.push(next as usize);
    }
    let heap = Heap { field, null: context.null().map(|null| null as usize) };
    if heap.null.is_some_and(|null| heap.field[null] != null) {
        return Err("null would have a successor".to_string());
    }
    if theory.heaps == Heaps::Acyclic && !heap.is_acyclic() {
        return Err(format!("the heap {heap} is cyclic"));
    }
    for &a in &points {
        for &b in &points {
            for &c in points.iter().filter(|&&c| c == b || !theory.is_binary()) {
                let real = heap.between(a as usize, b as usize, c as usize);
                if real != context.between(a, b, c) {
                    let [a, b, c] = [a, b, c].map(|p| context.name(p));
                    let verb = if real { "holds" } else { "fails" };
                    return Err(format!("{a} -> {b} -> {c} {verb} in the heap {heap}"));
                }
            }
        }
    }
    Ok(heap)
}
