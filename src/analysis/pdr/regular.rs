//! Whether the assumption of the logic is justified: every chain of every modelled link field ends in null.
//!
//! The heap context knows acyclic heaps only. On the way that is kept up by the sites at which a run leaves
//! the logic: a store that closes a cycle, a field of a new cell that is used before it is set, a pointer that
//! was never set. At the entry it must follow from `requires`. This file finds that by rules on its
//! conjuncts; what it does not find is not claimed, and a proof then is `unknown`.
//!
//! Cells from which a chain does *not* end in null are never met by a program that starts from ends-in-null
//! pointers: following the field from such a cell stays among them, and nothing else leads to them. So it
//! is enough that every pointer the program *uses* (dereferences, copies, stores, or whose chain a formula
//! speaks of) ends in null; one that is only compared may point anywhere.

use super::occurs::{Occurs, assigned};
use super::signature::{Role, Signature};
use crate::program::{
    At, Cmp, Command, Entry, Expr, FieldId, Formula, LocationId, Program, Question, Set, Term, VarId, VarKind,
};
use crate::util::span::Span;

/// Why the entry may not be acyclic, if that cannot be excluded.
pub(super) fn doubt(program: &Program, question: &Question, layout: &Signature) -> Option<(String, Span)> {
    if program.begins == Entry::Main {
        return None;
    }
    let contract = &program.contracts[question.contract];
    let mut facts = Vec::new();
    contract.requires.iter().for_each(|clause| conjuncts(&clause.formula, &mut facts));
    for at in 0..program.fields.len() {
        let field = FieldId(at as u32);
        let (Role::Link(_), true) = (layout.role(field), program.fields[at].is_link()) else { continue };
        if facts.iter().any(|fact| everywhere(fact, field)) {
            continue;
        }
        if let Some(reason) = doubt_about(program, question, &facts, field) {
            return Some((reason, contract.span));
        }
    }
    None
}

/// Whether the formula says that all chains of the field end in null.
pub(super) fn everywhere(formula: &Formula, of: FieldId) -> bool {
    let Formula::Forall(binder, body) = formula else { return false };
    let bound = Term::Bound(binder.id);
    matches!(&**body, Formula::Reach { field, at: At::Now, from, to: Term::Null(_), .. }
        if *field == of && *from == bound)
}

fn doubt_about(program: &Program, question: &Question, facts: &[&Formula], field: FieldId) -> Option<String> {
    let kind = program.fields[field.index()].owner;
    let name = &program.fields[field.index()].name;
    // Another way to such cells: a pointer field of the same or of another kind of cells.
    for (at, other) in program.fields.iter().enumerate() {
        let id = FieldId(at as u32);
        let leads = id != field && other.ty.pointee() == Some(kind);
        let read =
            program.edges.iter().any(|e| matches!(e.command, Command::Load { field, .. } if field == id));
        if !leads || !read || other.owner == kind && is_closed(program, question, facts, field, id) {
            continue;
        }
        let starts =
            entry_pointers(program).filter(|v| program.vars[v.index()].ty.pointee() == Some(other.owner));
        let mut terms = starts.map(|v| Term::Field(id, At::Now, Box::new(Term::Var(v, At::Now))));
        let flat = !program.fields.iter().any(|f| f.owner == other.owner && f.is_link());
        if !flat || !terms.all(|t| ends(facts, field, &t, 4)) {
            return Some(format!(
                "`requires` does not say that chains of `{name}` from `{}` end",
                other.name
            ));
        }
    }
    for v in entry_pointers(program) {
        let var = &program.vars[v.index()];
        let term = Term::Var(v, At::Now);
        let matters = is_used(program, question, v) && is_read(program, question, v);
        if var.ty.pointee() == Some(kind) && matters && !is_settled(program, facts, field, &term) {
            return Some(format!(
                "`requires` does not say that the chain of `{name}` from `{}` ends",
                var.name
            ));
        }
    }
    // Bound variables range over all cells: what a formula says of their chains must be guarded.
    let contract = &program.contracts[question.contract];
    let loose = contract.ensures.iter().any(|clause| starts_at_bound(&clause.formula));
    loose.then(|| format!("a postcondition speaks of chains of `{name}` from any cell"))
}

/// Whether every pointer of the entry that matters is into a doubly linked list of the two fields that ends
/// in null both ways: following either field never leaves such a list.
fn is_closed(
    program: &Program,
    question: &Question,
    facts: &[&Formula],
    field: FieldId,
    other: FieldId,
) -> bool {
    let kind = program.fields[field.index()].owner;
    let inside = |v: VarId| {
        let var = &program.vars[v.index()];
        let matters = is_used(program, question, v) && is_read(program, question, v);
        var.ty.pointee() != Some(kind)
            || !matters
            || is_inside(facts, [field, other], &Term::Var(v, At::Now), 4)
    };
    entry_pointers(program).all(inside)
}

/// Whether the chain of the field from the term ends: the facts say so, or that the term is in a doubly linked
/// list of this and another field.
fn is_settled(program: &Program, facts: &[&Formula], field: FieldId, term: &Term) -> bool {
    let others = (0..program.fields.len() as u32).map(FieldId).filter(|&other| other != field);
    ends(facts, field, term, 4) || others.into_iter().any(|other| is_inside(facts, [field, other], term, 4))
}

/// Whether the facts say that the term is null or in a doubly linked list of the fields, in either role.
fn is_inside(facts: &[&Formula], fields: [FieldId; 2], term: &Term, depth: u32) -> bool {
    let also = |other: &Term| depth > 0 && is_inside(facts, fields, other, depth - 1);
    let null = |t: &Term| matches!(t, Term::Null(_));
    null(term)
        || facts.iter().any(|fact| match fact {
            Formula::Dlseg(next, back, At::Now, ends) => {
                let [x, px, y, py] = &**ends;
                let roles = fields.contains(next) && fields.contains(back) && next != back;
                roles && null(px) && null(y) && (x == term || py == term)
            }
            Formula::Reach { field, at: At::Now, from, to, .. } => {
                fields.contains(field) && to == term && also(from)
            }
            Formula::Compare(Cmp::Eq, a, b) => a == term && also(b) || b == term && also(a),
            _ => false,
        })
}

fn entry_pointers(program: &Program) -> impl Iterator<Item = VarId> + '_ {
    let all = (0..program.vars.len() as u32).map(VarId);
    all.filter(|v| {
        let var = &program.vars[v.index()];
        matches!(var.kind, VarKind::Param | VarKind::Global | VarKind::Logic) && var.ty.pointee().is_some()
    })
}

fn conjuncts<'a>(formula: &'a Formula, out: &mut Vec<&'a Formula>) {
    match formula {
        Formula::And(parts) => parts.iter().for_each(|p| conjuncts(p, out)),
        other => out.push(other),
    }
}

/// Whether the facts say that the chain of the field from the term ends in null.
fn ends(facts: &[&Formula], field: FieldId, term: &Term, depth: u32) -> bool {
    if matches!(term, Term::Null(_)) {
        return true;
    }
    depth > 0 && facts.iter().any(|fact| says(fact, facts, field, term, depth))
}

fn says(fact: &Formula, facts: &[&Formula], field: FieldId, term: &Term, depth: u32) -> bool {
    let also = |other: &Term| ends(facts, field, other, depth - 1);
    let step = |t: &Term| matches!(t, Term::Field(f, At::Now, inner) if *f == field && **inner == *term);
    match fact {
        Formula::Reach { field: f, at: At::Now, from, to, .. } if *f == field => {
            from == term && also(to) || to == term && also(from)
        }
        Formula::Compare(Cmp::Eq, a, b) => {
            (a == term || step(a)) && also(b) || (b == term || step(b)) && also(a)
        }
        Formula::Dlseg(next, back, At::Now, ends) if *next == field || *back == field => {
            let [x, px, y, py] = &**ends;
            let null = |t: &Term| matches!(t, Term::Null(_));
            null(px) && null(y) && (x == term || py == term)
        }
        Formula::And(parts) => parts.iter().any(|p| says(p, facts, field, term, depth)),
        Formula::Or(parts) => parts.iter().all(|p| says(p, facts, field, term, depth)),
        // Null has no chain, so "if it is a cell" is as good.
        Formula::Implies(test, then) => {
            let cell = |t: &Formula| matches!(t, Formula::Compare(Cmp::Ne, a, Term::Null(_)) if a == term);
            cell(test) && says(then, facts, field, term, depth)
        }
        _ => false,
    }
}

/// Whether the chain of the field from the variable is known to end at a location: it does not hold its first
/// value there any more, or `requires` says so of that.
pub(super) fn is_ending(
    program: &Program,
    question: &Question,
    field: FieldId,
    v: VarId,
    at: LocationId,
) -> bool {
    let mut facts = Vec::new();
    let requires = &program.contracts[question.contract].requires;
    requires.iter().for_each(|clause| conjuncts(&clause.formula, &mut facts));
    let given = entry_pointers(program).any(|other| other == v) && keeps_first_value(program, v, at);
    !given || is_settled(program, &facts, field, &Term::Var(v, At::Now))
}

/// Whether some path to the location does not assign the variable.
fn keeps_first_value(program: &Program, v: VarId, at: LocationId) -> bool {
    let successors = program.successors();
    let mut seen = vec![false; program.locations as usize];
    let mut stack = vec![program.entry];
    while let Some(location) = stack.pop() {
        if std::mem::replace(&mut seen[location.index()], true) {
            continue;
        }
        for edge in &successors[location.index()] {
            let edge = &program.edges[edge.index()];
            if assigned(&edge.command) != Some(v) {
                stack.push(edge.to);
            }
        }
    }
    seen[at.index()]
}

/// Whether the value that the variable has at the entry is ever looked at: it is read, or the exit or a loop
/// invariant is reached, before it is assigned.
fn is_read(program: &Program, question: &Question, v: VarId) -> bool {
    let mut end = Occurs::default();
    let contract = &program.contracts[question.contract];
    let clauses = contract.ensures.iter().chain(program.loops.iter().flat_map(|l| &l.invariants));
    clauses.into_iter().for_each(|clause| end.formula(&clause.formula));
    if end.vars.iter().any(|(var, at)| *var == v && *at != At::Now) {
        return true;
    }
    let spoken = end.vars.contains(&(v, At::Now));
    let successors = program.successors();
    let mut seen = vec![false; program.locations as usize];
    let mut stack = vec![program.entry];
    while let Some(at) = stack.pop() {
        if std::mem::replace(&mut seen[at.index()], true) {
            continue;
        }
        let checked = at == program.exit
            || program.loop_at(at).is_some_and(|l| !program.loops[l.index()].invariants.is_empty());
        if spoken && checked {
            return true;
        }
        for edge in &successors[at.index()] {
            let edge = &program.edges[edge.index()];
            let mut occurs = Occurs::default();
            occurs.command(&edge.command);
            if occurs.vars.iter().any(|(var, _)| *var == v) {
                return true;
            }
            // A remembered state and the effect of a call may show any global.
            if matches!(edge.command, Command::Snapshot(_) | Command::Scramble { .. }) {
                return true;
            }
            if assigned(&edge.command) != Some(v) {
                stack.push(edge.to);
            }
        }
    }
    false
}

/// Whether the variable is more than compared: followed, copied, stored, or its chain spoken of.
fn is_used(program: &Program, question: &Question, v: VarId) -> bool {
    let is = |e: &Expr| *e == Expr::Var(v);
    let by_code = program.edges.iter().any(|edge| match &edge.command {
        Command::Assign(_, e) => is(e),
        Command::Load { from, .. } => *from == v,
        Command::Store { to, value, .. } => *to == v || is(value),
        Command::StoreElement { value, .. } => is(value),
        Command::Suppose(formula) | Command::Assert { formula, .. } => starts_at(formula, v),
        _ => false,
    });
    let contract = &program.contracts[question.contract];
    let clauses = contract.ensures.iter().chain(program.loops.iter().flat_map(|l| &l.invariants));
    by_code || clauses.into_iter().any(|clause| starts_at(&clause.formula, v))
}

/// Whether the formula speaks of a chain that starts at the variable, or of a field of it.
fn starts_at(formula: &Formula, v: VarId) -> bool {
    let mut starts = Vec::new();
    chain_starts(formula, &mut starts);
    starts.iter().any(|t| {
        let mut occurs = Occurs::default();
        occurs.term(t);
        occurs.vars.iter().any(|(var, _)| *var == v)
    })
}

/// Whether the formula speaks of a chain from a bound variable that nothing ties to a chain of a variable.
fn starts_at_bound(formula: &Formula) -> bool {
    match formula {
        Formula::Forall(_, body) | Formula::Exists(_, body) => starts_at_bound(body),
        Formula::Implies(guard, body) => {
            let mut tied = Vec::new();
            let mut parts = Vec::new();
            conjuncts(guard, &mut parts);
            for part in parts {
                match part {
                    Formula::In(Term::Bound(b), Set::Cells(..)) => tied.push(*b),
                    Formula::Reach { from: Term::Var(..), to: Term::Bound(b), .. } => tied.push(*b),
                    _ => {}
                }
            }
            loose_starts(guard, &tied) || loose_starts(body, &tied)
        }
        other => loose_starts(other, &[]),
    }
}

fn loose_starts(formula: &Formula, tied: &[crate::program::BoundId]) -> bool {
    let mut starts = Vec::new();
    chain_starts(formula, &mut starts);
    starts.iter().any(|t| {
        let mut occurs = Occurs::default();
        occurs.term(t);
        occurs.bounds.iter().any(|b| !tied.contains(b))
    })
}

/// The terms from which the formula follows a field.
fn chain_starts<'a>(formula: &'a Formula, out: &mut Vec<&'a Term>) {
    fn of_set<'a>(set: &'a Set, out: &mut Vec<&'a Term>) {
        match set {
            Set::Cells(_, _, x, y) => {
                out.push(x);
                out.push(y);
            }
            Set::Of(terms) => terms.iter().for_each(|t| of_term(t, out)),
            Set::Pre(_, _, t) => out.push(t),
            Set::Union(sets) | Set::Inter(sets) => sets.iter().for_each(|s| of_set(s, out)),
            Set::Diff(a, b) => {
                of_set(a, out);
                of_set(b, out);
            }
        }
    }
    fn of_term<'a>(term: &'a Term, out: &mut Vec<&'a Term>) {
        match term {
            Term::Field(_, _, t) => out.push(t),
            Term::Neg(t) | Term::Index(_, _, t) => of_term(t, out),
            Term::Binary(_, a, b) => {
                of_term(a, out);
                of_term(b, out);
            }
            Term::Ite(test, a, b) => {
                chain_starts(test, out);
                of_term(a, out);
                of_term(b, out);
            }
            Term::Var(..) | Term::Bound(_) | Term::Null(_) | Term::Int(_) => {}
        }
    }
    match formula {
        Formula::Const(_) | Formula::ValidRange(..) => {}
        Formula::Not(p) | Formula::Forall(_, p) | Formula::Exists(_, p) => chain_starts(p, out),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|p| chain_starts(p, out)),
        Formula::Implies(p, q) | Formula::Iff(p, q) => {
            chain_starts(p, out);
            chain_starts(q, out);
        }
        Formula::Compare(_, a, b) => {
            of_term(a, out);
            of_term(b, out);
        }
        Formula::Reach { from, to, .. } => {
            out.push(from);
            of_term(to, out);
        }
        Formula::Between(_, _, x, y, z) => {
            out.push(x);
            of_term(y, out);
            of_term(z, out);
        }
        Formula::Valid(t, _) | Formula::Freed(t, _) | Formula::Fresh(t) => of_term(t, out),
        Formula::Stable(_, _, t) | Formula::Tree(_, _, _, t) => out.push(t),
        Formula::Unshared(_, _, x, y) | Formula::Sorted(_, _, _, x, y) | Formula::Inverse(_, _, _, x, y) => {
            out.push(x);
            of_term(y, out);
        }
        Formula::Dlseg(_, _, _, ends) => ends.iter().for_each(|t| out.push(t)),
        Formula::In(t, set) => {
            of_term(t, out);
            of_set(set, out);
        }
        Formula::Subset(a, b) | Formula::SameSet(a, b) => {
            of_set(a, out);
            of_set(b, out);
        }
        Formula::Disjoint(sets) => sets.iter().for_each(|s| of_set(s, out)),
    }
}
