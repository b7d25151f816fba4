//! What postconditions claim of every element in a range of an array, of the part of the range that is done.
//!
//! `\forall int k; 0 <= k && k < n ==> a[k] == 0` holds of the elements before an index that counts up, or of those from
//! an index on that counts down. And where the claim compares with what an array held at the entry, the elements on the
//! other side of the index, or between two that count towards each other, still hold that.

use super::claims::{before_return, var, with_constants_now};
use super::live;
use super::signature::push;
use crate::program::walk::{self, Part};
use crate::program::{
    At, BinOp, Binder, Cmp, Command, Expr, Formula, Program, Question, Term, Type, VarId, VarKind,
};
use crate::util::hash::Set;

/// Formulas per loop at most.
const MAX_RANGES: usize = 10;

/// A variable that code increases or decreases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counter {
    pub(super) var: VarId,
    pub(super) up: bool,
    pub(super) down: bool,
}

/// The counters among these variables, in the order of their declaration.
pub(super) fn counters(program: &Program, live: &Set<VarId>) -> Vec<Counter> {
    let steps = |x: VarId, op: BinOp| {
        program.edges.iter().any(|edge| match &edge.command {
            Command::Assign(v, Expr::Binary(o, a, _)) => *v == x && *o == op && **a == Expr::Var(x),
            _ => false,
        })
    };
    let mut vars: Vec<VarId> = live.iter().copied().collect();
    vars.sort_unstable();
    vars.retain(|v| matches!(program.vars[v.index()].ty, Type::Int(_)));
    let all =
        vars.into_iter().map(|var| Counter { var, up: steps(var, BinOp::Add), down: steps(var, BinOp::Sub) });
    all.filter(|c| c.up || c.down).collect()
}

/// Predicates of states at a loop where these variables are live.
pub(super) fn of_ranges(program: &Program, question: &Question, live: &Set<VarId>) -> Vec<Formula> {
    let contract = &program.contracts[question.contract];
    let counters = counters(program, live);
    let mut out = Vec::new();
    let mut add = |formula: Formula| {
        let mut vars = Set::default();
        live::variables(&formula, &mut vars);
        let is_param = |v: &VarId| program.vars[v.index()].kind == VarKind::Param;
        if out.len() < MAX_RANGES && vars.iter().all(|v| live.contains(v) || is_param(v)) {
            push(&mut out, formula);
        }
    };
    for clause in &contract.ensures {
        let mut claims = Vec::new();
        ranges(&clause.formula, &mut claims);
        for (k, guard, claim) in claims {
            let Some(guard) = before_return(program, guard) else { continue };
            let Some(claim) = before_return(program, claim) else { continue };
            let (guard, claim) = (with_constants_now(program, &guard), with_constants_now(program, &claim));
            let all = |guard: Vec<Formula>, claim: &Formula| {
                let body = Formula::Implies(Box::new(Formula::And(guard)), Box::new(claim.clone()));
                Formula::Forall(k.clone(), Box::new(body))
            };
            let guards: Vec<Formula> = match guard {
                Formula::And(parts) => parts,
                one => vec![one],
            };
            for &counter in &counters {
                for part in parts(k, &guards, counter) {
                    add(all(part, &claim));
                }
            }
            add(all(guards, &claim));
            for (array, lo, hi) in kept(program, question, &claim) {
                let element = |at| Term::Index(array, at, Box::new(Term::Bound(k.id)));
                let same = Formula::eq(element(At::Now), element(At::Entry));
                let cell = || Term::Bound(k.id);
                let whole = [Formula::Compare(Cmp::Le, lo, cell()), Formula::Compare(Cmp::Le, cell(), hi)];
                for &Counter { var: v, up, down } in &counters {
                    let opposite = Counter { var: v, up: down, down: up };
                    for part in parts(k, &whole, opposite) {
                        add(all(part, &same));
                    }
                }
                for part in between(k, &counters) {
                    add(all(part, &same));
                }
            }
        }
    }
    out
}

/// A guard with its range cut at a counter: what a counter that counts up has behind it, and one that counts down.
fn parts(k: &Binder, guard: &[Formula], counter: Counter) -> Vec<Vec<Formula>> {
    let cell = Term::Bound(k.id);
    let is_upper = |f: &Formula| match f {
        Formula::Compare(Cmp::Lt | Cmp::Le, a, _) => *a == cell,
        Formula::Compare(Cmp::Gt | Cmp::Ge, _, b) => *b == cell,
        _ => false,
    };
    let is_lower = |f: &Formula| match f {
        Formula::Compare(Cmp::Lt | Cmp::Le, _, b) => *b == cell,
        Formula::Compare(Cmp::Gt | Cmp::Ge, a, _) => *a == cell,
        _ => false,
    };
    let with = |is_end: &dyn Fn(&Formula) -> bool, end: Formula| {
        let exchanged = guard.iter().map(|f| if is_end(f) { end.clone() } else { f.clone() });
        exchanged.collect::<Vec<Formula>>()
    };
    let index = || var(counter.var);
    let mut out = Vec::new();
    if counter.up {
        out.push(with(&is_upper, Formula::Compare(Cmp::Lt, cell.clone(), index())));
    }
    if counter.down {
        out.push(with(&is_lower, Formula::Compare(Cmp::Le, index(), cell.clone())));
        out.push(with(&is_lower, Formula::Compare(Cmp::Lt, index(), cell.clone())));
    }
    out.retain(|part| part != guard);
    out
}

/// What lies between a counter that counts up and one that counts down, the second among it or not.
fn between(k: &Binder, counters: &[Counter]) -> Vec<Vec<Formula>> {
    let cell = || Term::Bound(k.id);
    let mut out = Vec::new();
    for low in counters.iter().filter(|c| c.up && !c.down) {
        for high in counters.iter().filter(|c| c.down && !c.up) {
            let from = Formula::Compare(Cmp::Le, var(low.var), cell());
            let ends = [Cmp::Le, Cmp::Lt].map(|cmp| Formula::Compare(cmp, cell(), var(high.var)));
            out.extend(ends.map(|end| vec![from.clone(), end]));
        }
    }
    out
}

/// The arrays whose elements at the entry a claim compares with and that are written, with their range.
fn kept(program: &Program, question: &Question, claim: &Formula) -> Vec<(VarId, Term, Term)> {
    let mut arrays = Vec::new();
    walk::formula(claim, &mut |part| {
        if let Part::Term(Term::Index(a, At::Entry, _)) = part
            && !arrays.contains(a)
        {
            arrays.push(*a);
        }
    });
    let stored = |a: &VarId| {
        let stores = |e: &crate::program::Edge| matches!(&e.command, Command::StoreElement { array, .. } if array == a);
        program.edges.iter().any(stores)
    };
    arrays.retain(stored);
    let mut out = Vec::new();
    for clause in &program.contracts[question.contract].requires {
        walk::formula(&clause.formula, &mut |part| {
            if let Part::Formula(Formula::ValidRange(a, lo, hi)) = part
                && arrays.contains(a)
            {
                out.push((*a, lo.clone(), hi.clone()));
            }
        });
    }
    out
}

/// `forall int k. guard ==> claim` among the conjuncts of a formula, premises apart.
pub(super) fn ranges<'f>(formula: &'f Formula, out: &mut Vec<(&'f Binder, &'f Formula, &'f Formula)>) {
    match formula {
        Formula::And(parts) => parts.iter().for_each(|p| ranges(p, out)),
        Formula::Implies(_, claim) => ranges(claim, out),
        Formula::Forall(k, body) if k.of.is_none() => {
            if let Formula::Implies(guard, claim) = &**body {
                out.push((k, guard, claim));
            }
        }
        _ => {}
    }
}
