//! Termination as a question about assertions: programs in which a loop that goes round without anything becoming
//! smaller, or a run that repeats itself, fails. So every engine, and the interpreter, can answer.
//!
//! An infinite run ends up in a strongly connected part of the graph. Of such a part one loop head is chosen
//! ([`Region`]). If between two visits of the head, inside the part, something well-founded becomes smaller, the head is
//! visited finitely often, and the run ends up in a part without it: these are the next regions. If that holds for
//! all of them, there is no infinite run. How the loops of the source are nested does not matter, and neither do jumps.
//!
//! [`proving`] makes the program for one region and one variant: the rank is remembered at the head, and every edge that
//! closes a round asserts that it became smaller. [`candidates()`] proposes variants. [`repeating`] makes the program that
//! fails where a run comes back to what it was: Brent's method, on what decides the way of the run.

mod candidates;
mod slice;

pub use candidates::candidates;

use super::cfg::{Clause, Program};
use super::command::{Check, Command};
use super::decl::{EdgeId, FieldId, IntKind, LabelId, LocationId, LoopId, Type, Var, VarId, VarKind};
use super::expr::{BinOp, Cmp, Cond, Expr};
use super::formula::{At, Formula, Term};
use super::variant::{Rank, decreases, rank_of};
use crate::util::span::Span;

/// What is said of a run that repeats itself.
pub const REPEATS: &str = "endless run: at this loop everything that decides its way is as it was before";

/// A strongly connected part of the graph and the loop head that is cut.
#[derive(Clone, Debug)]
pub struct Region {
    /// The loop.
    pub of: LoopId,
    /// By location: belongs to the part.
    pub inside: Vec<bool>,
}

impl Region {
    /// The edges that stay inside.
    pub(crate) fn edges<'p>(&'p self, program: &'p Program) -> impl Iterator<Item = EdgeId> + 'p {
        let all = (0..program.edges.len() as u32).map(EdgeId);
        all.filter(|e| {
            let edge = &program.edges[e.index()];
            self.inside[edge.from.index()] && self.inside[edge.to.index()]
        })
    }
}

/// All regions, outer ones first; `None` if a cycle has no head.
#[must_use]
pub fn regions(program: &Program) -> Option<Vec<Region>> {
    let count = program.locations as usize;
    let mut out = Vec::new();
    let mut open = vec![vec![true; count]];
    while let Some(part) = open.pop() {
        for inside in components(program, &part) {
            let entered = |l: LocationId| program.edges.iter().any(|e| e.to == l && !inside[e.from.index()]);
            let heads = || {
                (0..program.loops.len() as u32)
                    .map(LoopId)
                    .filter(|l| inside[program.loops[l.index()].head.index()])
            };
            // The head of the outermost loop is where the part is entered.
            let of = heads().find(|l| entered(program.loops[l.index()].head)).or_else(|| heads().next())?;
            let mut rest = inside.clone();
            rest[program.loops[of.index()].head.index()] = false;
            out.push(Region { of, inside });
            open.push(rest);
        }
    }
    Some(out)
}

/// The strongly connected components with a cycle, of the graph on these locations.
fn components(program: &Program, part: &[bool]) -> Vec<Vec<bool>> {
    let count = program.locations as usize;
    let reach = |from: usize, forwards: bool, next: &[Vec<EdgeId>]| {
        let mut seen = vec![false; count];
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            for edge in &next[at] {
                let edge = &program.edges[edge.index()];
                let to = if forwards { edge.to } else { edge.from };
                if part[to.index()] && !std::mem::replace(&mut seen[to.index()], true) {
                    open.push(to.index());
                }
            }
        }
        seen
    };
    let (successors, predecessors) = (program.successors(), program.predecessors());
    let mut done = vec![false; count];
    let mut out = Vec::new();
    for l in &program.loops {
        let head = l.head.index();
        if !part[head] || done[head] {
            continue;
        }
        // What is reached from the head and reaches it, by at least one step each.
        let (after, before) = (reach(head, true, &successors), reach(head, false, &predecessors));
        if !after[head] {
            continue;
        }
        let inside: Vec<bool> = after.iter().zip(&before).map(|(a, b)| *a && *b).collect();
        for (done, inside) in done.iter_mut().zip(&inside) {
            *done |= *inside;
        }
        out.push(inside);
    }
    out
}

/// What may become smaller in every round.
#[derive(Clone, Debug)]
pub enum Variant {
    /// Ranks: the first one that changes becomes smaller.
    Ranks(Vec<Rank>),
    /// A pointer goes on along a list that the loop does not change, towards the end: there are fewer cells between
    /// the two. With `ahead`, those after the pointer's own cell count.
    Walk {
        /// The pointer.
        pointer: VarId,
        /// The link.
        field: FieldId,
        /// Where it leads.
        end: Term,
        /// Cells after the first one.
        ahead: bool,
    },
    /// A pointer goes down a tree that the loop does not change.
    Descent(VarId, FieldId, FieldId),
}

/// The variant that the user gives for a loop.
#[must_use]
pub fn given(program: &Program, of: LoopId) -> Option<Variant> {
    let clauses: &[Clause] = &program.loops[of.index()].variant;
    let ranks: Option<Vec<Rank>> = clauses.iter().map(|c| rank_of(&c.formula)).collect();
    ranks.filter(|r| !r.is_empty()).map(Variant::Ranks)
}

/// The value of a term without the heap.
fn plain(term: &Term) -> Option<Expr> {
    Some(match term {
        Term::Var(v, At::Now) => Expr::Var(*v),
        Term::Int(n) => Expr::Int(*n),
        Term::Neg(t) => Expr::Neg(Box::new(plain(t)?)),
        Term::Binary(op, a, b) => Expr::Binary(*op, Box::new(plain(a)?), Box::new(plain(b)?)),
        _ => return None,
    })
}

fn ghost(program: &mut Program, name: &str, ty: Type, span: Span) -> VarId {
    program.add_var(Var { name: name.to_owned(), ty, kind: VarKind::Temp, len: None, span })
}

const WIDE: Type = Type::Int(IntKind { bits: 64, signed: true });

/// The program in which every round of the region must make the variant smaller (check word `termination`).
#[must_use]
pub fn proving(program: &Program, region: &Region, variant: &Variant) -> Program {
    let mut out = program.clone();
    let head = out.loops[region.of.index()].head;
    let span = out.loops[region.of.index()].span;
    let mut before = Vec::new();
    let now = |v: VarId| Term::Var(v, At::Now);
    let goal = match variant {
        Variant::Ranks(ranks) => {
            let mut old = Vec::new();
            let mut label = None;
            for rank in ranks {
                if let Rank::Number(term) = rank
                    && let Some(value) = plain(term)
                {
                    let was = ghost(&mut out, &format!("#rank{}", old.len()), WIDE, span);
                    before.push(Command::Assign(was, value));
                    old.push(Rank::Number(now(was)));
                    continue;
                }
                let label = *label.get_or_insert_with(|| {
                    out.labels.push("the last round".to_owned());
                    LabelId(out.labels.len() as u32 - 1)
                });
                old.push(rank.at(&|at| if at == At::Now { At::Label(label) } else { at }));
            }
            before.extend(label.map(Command::Snapshot));
            decreases(&old, ranks)
        }
        Variant::Walk { pointer, field, end, ahead } => {
            let ty = out.vars[pointer.index()].ty;
            let was = ghost(&mut out, "#was", ty, span);
            before.push(Command::Assign(was, Expr::Var(*pointer)));
            let place = |v: VarId| match ahead {
                true => Term::Field(*field, At::Now, Box::new(now(v))),
                false => now(v),
            };
            let (old, new) = (place(was), place(*pointer));
            match end {
                Term::Null(_) => Formula::And(vec![
                    Formula::Reach {
                        field: *field,
                        at: At::Now,
                        from: old.clone(),
                        to: end.clone(),
                        plus: false,
                    },
                    Formula::Reach { field: *field, at: At::Now, from: old, to: new, plus: true },
                ]),
                _ => Formula::And(vec![
                    Formula::ne(old.clone(), new.clone()),
                    Formula::Between(*field, At::Now, old, new, end.clone()),
                ]),
            }
        }
        Variant::Descent(pointer, left, right) => {
            let ty = out.vars[pointer.index()].ty;
            let was = ghost(&mut out, "#was", ty, span);
            before.push(Command::Assign(was, Expr::Var(*pointer)));
            let child = |f: FieldId| Formula::eq(now(*pointer), Term::Field(f, At::Now, Box::new(now(was))));
            let null = match ty {
                Type::Ptr(of) => Term::Null(of),
                _ => return out,
            };
            Formula::And(vec![
                Formula::ne(now(was), null),
                Formula::Or(vec![child(*left), child(*right)]),
                Formula::Tree(*left, *right, At::Now, now(was)),
            ])
        }
    };
    remember(&mut out, head, before, span);
    let closing: Vec<EdgeId> =
        region.edges(program).filter(|e| program.edges[e.index()].to == head).collect();
    for edge in closing {
        let between = out.add_location();
        out.edges[edge.index()].to = between;
        let what = "decrease of the loop's variant".to_owned();
        out.add_edge(
            between,
            head,
            Command::Assert { formula: goal.clone(), check: Check::Termination, what },
            span,
        );
    }
    out
}

/// Puts commands between a head and the edges that leave it.
fn remember(program: &mut Program, head: LocationId, commands: Vec<Command>, span: Span) {
    let start = program.add_location();
    for edge in &mut program.edges {
        if edge.from == head {
            edge.from = start;
        }
    }
    let mut at = head;
    let count = commands.len();
    for (i, command) in commands.into_iter().enumerate() {
        let to = if i + 1 == count { start } else { program.add_location() };
        program.add_edge(at, to, command, span);
        at = to;
    }
}

/// The program that fails where a run comes back to the region's head with everything that decides its way as it was:
/// then it can go on like this for ever. `None` if something in the region could end such a run.
#[must_use]
pub fn repeating(program: &Program, region: &Region) -> Option<Program> {
    let slice = slice::Slice::of(program, region)?;
    let mut out = program.clone();
    let head = out.loops[region.of.index()].head;
    let span = out.loops[region.of.index()].span;
    let (count, limit) = (ghost(&mut out, "#count", WIDE, span), ghost(&mut out, "#limit", WIDE, span));
    out.labels.push("the repeated state".to_owned());
    let label = LabelId(out.labels.len() as u32 - 1);
    let number = |v: VarId, n: i128| Formula::eq(Term::Var(v, At::Now), Term::Int(n));
    let mut differences = vec![number(limit, 0)];
    differences.extend(slice.differences(&mut out, label));
    // Where the region is entered nothing is remembered: what is outside of it may change anything.
    for edge in 0..program.edges.len() {
        let (from, to) = (program.edges[edge].from, program.edges[edge].to);
        if region.inside[to.index()] && !region.inside[from.index()] {
            let (first, second) = (out.add_location(), out.add_location());
            out.edges[edge].to = first;
            out.add_edge(first, second, Command::Assign(count, Expr::Int(0)), span);
            out.add_edge(second, to, Command::Assign(limit, Expr::Int(0)), span);
        }
    }
    // At the head: compare, then remember after 1, 2, 4, 8, ... rounds.
    let start = out.add_location();
    for edge in &mut out.edges {
        if edge.from == head {
            edge.from = start;
        }
    }
    let (compared, save, saved, doubled) =
        (out.add_location(), out.add_location(), out.add_location(), out.add_location());
    let what = REPEATS.to_owned();
    let formula = Formula::Or(differences);
    out.add_edge(head, compared, Command::Assert { formula, check: Check::Termination, what }, span);
    let due = Cond::Compare(Cmp::Ge, Expr::Var(count), Expr::Var(limit));
    let plus = |v: VarId, n: Expr| Expr::Binary(BinOp::Add, Box::new(Expr::Var(v)), Box::new(n));
    out.add_edge(compared, save, Command::Assume(due.clone()), span);
    let wait = out.add_location();
    out.add_edge(compared, wait, Command::Assume(due.negated()), span);
    out.add_edge(wait, start, Command::Assign(count, plus(count, Expr::Int(1))), span);
    out.add_edge(save, saved, Command::Snapshot(label), span);
    // 0, 1, 3, 7, ...
    let more = plus(limit, plus(limit, Expr::Int(1)));
    out.add_edge(saved, doubled, Command::Assign(limit, more), span);
    out.add_edge(doubled, start, Command::Assign(count, Expr::Int(1)), span);
    Some(out)
}
