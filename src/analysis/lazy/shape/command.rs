//! Commands of programs on shape graphs: which transformer, with which tracked pointers.

use super::class::Class;
use super::focus::TooLarge;
use super::graph::{Graph, Known};
use super::range::Range;
use super::store;
use super::transfer::{self, Effect, Fails, Pointer};
use crate::program::{Cmp, Command, Cond, Expr, Program, VarId};

/// The effect of a command on one graph.
///
/// # Errors
/// If a graph grows too large.
pub fn apply(program: &Program, class: &Class, graph: &Graph, command: &Command) -> Result<Effect, TooLarge> {
    let is_pointer = |v: VarId| program.vars[v.index()].ty.pointee().is_some();
    let unchanged = || Effect { after: vec![graph.clone()], ..Effect::default() };
    let untracked =
        |graph: &Graph| Effect { after: vec![graph.clone()], fails: Fails { null: true, invalid: true } };
    match command {
        Command::Assign(x, e) if is_pointer(*x) => match class.var(*x) {
            Some(x) => transfer::assign(class, graph, x, pointer(class, e)),
            None => Ok(unchanged()),
        },
        Command::Assign(x, e) => {
            let known = match (e, class.constants(*x)) {
                (Expr::Var(y), _) => graph.value(*y).cloned(),
                (Expr::Int(c), ranges) => learned(None, ranges, Range::one(*c)),
                _ => None,
            };
            Ok(bind(graph, *x, known))
        }
        Command::Havoc(x) => match (is_pointer(*x), class.var(*x)) {
            (true, Some(x)) => transfer::assign(class, graph, x, Pointer::Unknown),
            (true, None) => Ok(unchanged()),
            (false, _) => Ok(bind(graph, *x, None)),
        },
        Command::Load { to, from, field } => {
            let Some(y) = class.var(*from) else {
                return Ok(match class.var(*to) {
                    Some(x) => Effect {
                        fails: untracked(graph).fails,
                        ..transfer::assign(class, graph, x, Pointer::Unknown)?
                    },
                    None => Effect { fails: untracked(graph).fails, ..bind(graph, *to, None) },
                });
            };
            match class.field(*field) {
                Some(field) => transfer::load(class, graph, class.var(*to), y, field),
                None => transfer::load_data(class, graph, *to, y, *field),
            }
        }
        Command::Store { to, field, value } => {
            let Some(x) = class.var(*to) else { return Ok(untracked(graph)) };
            match class.field(*field) {
                Some(field) => store::store(class, graph, x, field, pointer(class, value)),
                None => transfer::store_data(class, graph, x, *field, integer(graph, value).as_ref()),
            }
        }
        Command::Alloc { to, of, zeroed, .. } => transfer::alloc(class, graph, class.var(*to), *of, *zeroed),
        Command::Free(x) => match class.var(*x) {
            Some(x) => transfer::free(class, graph, x),
            None => Ok(untracked(graph)),
        },
        Command::Assume(cond) => Ok(Effect { after: assume(class, graph, cond)?, ..Effect::default() }),
        _ => Ok(unchanged()),
    }
}

/// The graphs in which the condition may hold.
///
/// # Errors
/// If a graph grows too large.
pub fn assume(class: &Class, graph: &Graph, cond: &Cond) -> Result<Vec<Graph>, TooLarge> {
    Ok(match cond {
        Cond::Const(true) => vec![graph.clone()],
        Cond::Const(false) => Vec::new(),
        Cond::Not(inner) => assume(class, graph, &inner.negated())?,
        Cond::And(parts) => {
            let mut graphs = vec![graph.clone()];
            for part in parts {
                let mut next = Vec::new();
                for g in &graphs {
                    next.extend(assume(class, g, part)?);
                }
                graphs = next;
            }
            graphs
        }
        Cond::Or(parts) => {
            let mut graphs = Vec::new();
            for part in parts {
                graphs.extend(assume(class, graph, part)?);
            }
            graphs
        }
        Cond::Compare(cmp, a, b) => compare(class, graph, *cmp, a, b)?,
    })
}

fn compare(class: &Class, graph: &Graph, cmp: Cmp, a: &Expr, b: &Expr) -> Result<Vec<Graph>, TooLarge> {
    let equal = match cmp {
        Cmp::Eq => Some(true),
        Cmp::Ne => Some(false),
        _ => None,
    };
    if let Some(equal) = equal {
        let tracked = |e: &Expr| match e {
            Expr::Var(v) => class.var(*v),
            _ => None,
        };
        let sides = match (tracked(a), tracked(b)) {
            (Some(x), _) => Some((x, b)),
            (None, Some(y)) => Some((y, a)),
            (None, None) => None,
        };
        if let Some((x, other)) = sides {
            return Ok(transfer::compare(class, graph, x, pointer(class, other), equal)?.after);
        }
    }
    let mut after = graph.clone();
    for (e, cmp, other) in [(a, cmp, b), (b, cmp.mirrored(), a)] {
        let Some(Known::Is(range)) = integer(graph, other) else { continue };
        // What the first may be: a range, or all but one number.
        let fitting = range.compared(cmp);
        let without: &[Range] = match fitting {
            Some(_) => &[],
            None => &[range],
        };
        let all = fitting.unwrap_or(Range { from: None, to: None });
        let known = integer(graph, e);
        let possible = match &known {
            Some(Known::Is(it)) => it.meets(all) && !it.without(without).is_empty(),
            Some(Known::Not(none)) => !all.without(&[none, without].concat()).is_empty(),
            None => true,
        };
        if !possible {
            return Ok(Vec::new());
        }
        let Expr::Var(v) = e else { continue };
        let ranges = class.constants(*v);
        match fitting {
            Some(fitting) => after.set_value(*v, learned(known.as_ref(), ranges, fitting)),
            None if ranges.contains(&range) => after.set_value(*v, Some(excluded(known.as_ref(), &[range]))),
            None => {}
        }
    }
    Ok(vec![after])
}

/// What is known of a value that turned out to be in a range, given what it is tested for.
fn learned(before: Option<&Known>, ranges: &[Range], fitting: Range) -> Option<Known> {
    if ranges.is_empty() || matches!(before, Some(Known::Is(_))) {
        return before.cloned();
    }
    let none: &[Range] = match before {
        Some(Known::Not(none)) => none,
        _ => &[],
    };
    let possible = |r: &&Range| r.meets(fitting) && !r.without(none).is_empty();
    let left: Vec<Range> = ranges.iter().filter(possible).copied().collect();
    // One range is left, and nothing outside of all.
    if let [only] = left[..]
        && fitting.without(&[ranges, none].concat()).is_empty()
    {
        return Some(Known::Is(only));
    }
    let gone: Vec<Range> = ranges.iter().filter(|r| !r.meets(fitting)).copied().collect();
    if gone.is_empty() { before.cloned() } else { Some(excluded(before, &gone)) }
}

/// What is known of a value that turned out to be in none of these ranges.
fn excluded(before: Option<&Known>, gone: &[Range]) -> Known {
    match before {
        Some(known @ Known::Is(_)) => known.clone(),
        Some(Known::Not(some)) => {
            let mut all = [some, gone].concat();
            all.sort_unstable();
            all.dedup();
            Known::Not(all)
        }
        None => Known::Not(gone.to_vec()),
    }
}

fn bind(graph: &Graph, v: VarId, known: Option<Known>) -> Effect {
    let mut graph = graph.clone();
    graph.set_value(v, known);
    Effect { after: vec![graph], ..Effect::default() }
}

fn pointer(class: &Class, e: &Expr) -> Pointer {
    match e {
        Expr::Null(_) => Pointer::Null,
        Expr::Var(v) => class.var(*v).map_or(Pointer::Unknown, Pointer::Var),
        _ => Pointer::Unknown,
    }
}

fn integer(graph: &Graph, e: &Expr) -> Option<Known> {
    match e {
        Expr::Int(c) => Some(Known::Is(Range::one(*c))),
        Expr::Var(v) => graph.value(*v).cloned(),
        _ => None,
    }
}
