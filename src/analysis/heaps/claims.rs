//! What postconditions and assertions claim of cells, as predicates for the loops.
//!
//! What is claimed of every cell of a set is a predicate of cells; what is claimed of *some* cell of a part of a list
//! (`\exists z; z \in \cells(f, h, NULL) && p(z)`) is a predicate of states, and the loop that looks for that cell
//! needs it of the part that is done: `\exists z; z \in \cells(f, h, c) && p(z)` for a pointer c that moves along f.

use super::background;
use super::fields::leads_back;
use super::live;
use super::ranges::ranges;
use super::signature::push;
use crate::program::rewrite::{Rewrite, same};
use crate::program::walk::{self, Part};
use crate::program::{
    At, Binder, BoundId, Clause, Cmp, Command, Expr, Field, FieldId, Formula, Program, Question,
    Set as Cells, StructId, Term, Track, Type, VarId, VarKind,
};
use crate::util::hash::Set;

/// Object predicates at least as many as this are not proposed.
pub(super) const MAX_OBJECTS: usize = 6;

/// Claims of some cell per loop at most.
pub(super) const MAX_PARTS: usize = 6;

/// Object predicates for all loops: what a postcondition compares of an arbitrary cell.
pub(super) fn of_objects(program: &Program, question: &Question) -> Vec<Track> {
    let mut out: Vec<Track> = Vec::new();
    let id = BoundId(program.bounds.saturating_add(program.structs.len() as u32).saturating_add(1));
    let contract = &program.contracts[question.contract];
    // Links that lead back at the entry too are kept as a conjunct of the precondition; as predicates of cells they
    // only multiply the heaps (trees with fathers).
    let mut given = Vec::new();
    for clause in &contract.requires {
        let mut tests = Vec::new();
        conclusions(&clause.formula, &mut Vec::new(), &mut tests);
        given.extend(tests.into_iter().filter_map(leads_back));
    }
    for clause in &contract.ensures {
        let (mut binders, mut tests) = (Vec::new(), Vec::new());
        conclusions(&clause.formula, &mut binders, &mut tests);
        for test in tests {
            if leads_back(test).is_some_and(|links| given.contains(&links)) {
                continue;
            }
            let own;
            let (object, test) = match tested(program, &binders, test) {
                Some(object) => (object.clone(), test),
                None => match of_variable(program, test, id) {
                    Some((object, formula)) => {
                        own = formula;
                        (object, &own)
                    }
                    None => continue,
                },
            };
            let test = if let Formula::Not(inner) = test { inner } else { test };
            let Some(formula) = before_return(program, test) else { continue };
            if out.len() == MAX_OBJECTS || out.iter().any(|t| t.clause.formula == formula) {
                continue;
            }
            let clause = Clause { formula, span: clause.span };
            out.push(Track { object: Some(object), clause, at: None });
        }
    }
    out
}

/// What is claimed of a data field of a variable's cell that the code writes, of an arbitrary cell.
fn of_variable(program: &Program, test: &Formula, id: BoundId) -> Option<(Binder, Formula)> {
    let Formula::Compare(cmp, Term::Field(field, At::Now, place), b @ Term::Int(_)) = test else {
        return None;
    };
    let Field { owner, .. } = program.fields[field.index()];
    let is_data = matches!(program.fields[field.index()].ty, Type::Int(_)) && stores(program, *field);
    if !is_data || !matches!(**place, Term::Var(..)) {
        return None;
    }
    let object = Binder { id, name: "v".to_owned(), of: Some(owner) };
    let value = Term::Field(*field, At::Now, Box::new(Term::Bound(id)));
    Some((object, Formula::Compare(*cmp, value, b.clone())))
}

/// The cell that a test is about, if it is about one: a field of it is compared, or it is asked whether it is allocated.
fn tested<'f>(program: &Program, binders: &[&'f Binder], test: &Formula) -> Option<&'f Binder> {
    let cell = |t: &Term| match t {
        Term::Bound(id) => binders.iter().copied().find(|b| b.id == *id && b.of.is_some()),
        _ => None,
    };
    let about = |t: &Term| match t {
        // A field of the cell, or of what a field of it points to.
        Term::Field(field, at, of) => match &**of {
            Term::Field(_, _, inner) => cell(inner),
            of => cell(of),
        }
        .map(|b| (b, *field, *at)),
        _ => None,
    };
    match test {
        Formula::Not(inner) if !matches!(**inner, Formula::Not(_)) => tested(program, binders, inner),
        Formula::Freed(t, At::Now) | Formula::Valid(t, At::Now) | Formula::Fresh(t) => cell(t),
        Formula::Compare(_, a, b) => {
            let (a, b) = if about(a).is_some() { (a, b) } else { (b, a) };
            let (object, field, _) = about(a).filter(|(_, _, at)| *at == At::Now)?;
            let is_known = match b {
                Term::Int(_) | Term::Null(_) | Term::Var(..) => true,
                // A link that leads back.
                Term::Bound(id) => *id == object.id,
                // Of another cell.
                Term::Field(_, At::Now, place) if matches!(**place, Term::Var(..)) => true,
                other => about(other).is_some_and(|(it, ..)| it.id == object.id),
            };
            let is_link = program.fields[field.index()].is_link();
            (is_known && (stores(program, field) || !is_link)).then_some(object)
        }
        _ => None,
    }
}

/// What is returned: the result, and a variable or a field of one.
fn returned(program: &Program) -> Option<(VarId, Term)> {
    let is_result = |v: &VarId| program.vars[v.index()].kind == VarKind::Result;
    let loaded = |v: VarId| {
        let loads = program.edges.iter().filter_map(|edge| match edge.command {
            Command::Load { to, from, field } if to == v => {
                Some(Term::Field(field, At::Now, Box::new(var(from))))
            }
            _ => None,
        });
        let mut loads = loads.filter(|_| program.vars[v.index()].kind == VarKind::Temp);
        loads.next().filter(|_| loads.next().is_none())
    };
    program.edges.iter().find_map(|edge| match &edge.command {
        Command::Assign(x, Expr::Var(y)) if is_result(x) => Some((*x, loaded(*y).unwrap_or_else(|| var(*y)))),
        Command::Load { to, from, field } if is_result(to) => {
            Some((*to, Term::Field(*field, At::Now, Box::new(var(*from)))))
        }
        _ => None,
    })
}

/// A formula with the result replaced by what is returned; nothing if that is not simple.
pub(super) fn before_return(program: &Program, test: &Formula) -> Option<Formula> {
    let formula = match returned(program) {
        Some((result, Term::Var(local, _))) => renamed(test, result, local),
        Some((result, value)) => replaced(test, &var(result), &value),
        None => test.clone(),
    };
    let mut vars = Set::default();
    live::variables(&formula, &mut vars);
    let is_result = |v: &VarId| program.vars[v.index()].kind == VarKind::Result;
    (!vars.iter().any(is_result)).then_some(formula)
}

/// What a formula claims, premises apart, and the cells it claims it of.
pub(super) fn conclusions<'f>(
    formula: &'f Formula,
    binders: &mut Vec<&'f Binder>,
    out: &mut Vec<&'f Formula>,
) {
    match formula {
        Formula::Forall(binder, body) => {
            binders.push(binder);
            conclusions(body, binders, out);
        }
        Formula::Implies(_, conclusion) => conclusions(conclusion, binders, out),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|p| conclusions(p, binders, out)),
        other => out.push(other),
    }
}

/// What is claimed of some cell of a part of a list, of the parts that end at the pointers that move along it.
pub(super) fn of_parts(program: &Program, question: &Question, live: &Set<VarId>) -> Vec<Formula> {
    let mut claims: Vec<(Binder, Formula)> = Vec::new();
    let mut take = |part: Part<'_>| {
        if let Part::Formula(Formula::Exists(binder, body)) = part
            && binder.of.is_some()
        {
            claims.push((binder.clone(), (**body).clone()));
        }
    };
    for clause in &program.contracts[question.contract].ensures {
        walk::formula(&clause.formula, &mut take);
    }
    for edge in &program.edges {
        walk::command(&edge.command, &mut take);
    }
    let mut out = Vec::new();
    for (binder, body) in claims {
        let Some(body) = before_return(program, &body) else { continue };
        let body = with_constants_now(program, &body);
        if !is_closed_under(&binder, &body) {
            continue;
        }
        let mut all = vec![body.clone()];
        let mut moving: Vec<VarId> = live.iter().copied().filter(|&v| moves(program, v)).collect();
        moving.sort_unstable();
        for v in moving {
            all.extend(until(program, &binder, &body, v));
        }
        for body in all {
            let mut vars = Set::default();
            live::variables(&body, &mut vars);
            let is_param = |v: &VarId| program.vars[v.index()].kind == VarKind::Param;
            if vars.iter().all(|v| live.contains(v) || is_param(v)) && out.len() < MAX_PARTS {
                push(&mut out, Formula::Exists(binder.clone(), Box::new(body)));
            }
        }
    }
    out
}

/// What is claimed at the end, as it may hold at the loop: `\list(f, \result)` of the variable that is returned.
pub(super) fn of_shapes(program: &Program, question: &Question, live: &Set<VarId>) -> Vec<Formula> {
    let mut all = Vec::new();
    for clause in &program.contracts[question.contract].ensures {
        background::conjuncts(&clause.formula, &mut all);
    }
    let mut out = Vec::new();
    for claim in all {
        let is_shape = matches!(
            claim,
            Formula::Reach { at: At::Now, .. } | Formula::Sorted(_, _, At::Now, ..) | Formula::Disjoint(_)
        );
        let Some(claim) = before_return(program, &claim).filter(|_| is_shape) else { continue };
        let claim = with_constants_now(program, &claim);
        let mut vars = Set::default();
        live::variables(&claim, &mut vars);
        let is_param = |v: &VarId| program.vars[v.index()].kind == VarKind::Param;
        if out.len() < MAX_PARTS && vars.iter().all(|v| live.contains(v) || is_param(v)) {
            push(&mut out, claim);
        }
    }
    out
}

/// What is claimed of the result, of the variable that is returned.
pub(super) fn of_result(program: &Program, question: &Question, live: &Set<VarId>) -> Vec<Formula> {
    let mut out = Vec::new();
    for clause in &program.contracts[question.contract].ensures {
        walk::formula(&clause.formula, &mut |part| {
            let Part::Formula(test @ Formula::Compare(_, a, b)) = part else { return };
            let Some(before) = before_return(program, test).filter(|before| before != test) else { return };
            let mut vars = Set::default();
            live::variables(&before, &mut vars);
            let is_integer = |v: &VarId| matches!(program.vars[v.index()].ty, Type::Int(_));
            let is_simple = [a, b].iter().all(|t| matches!(t, Term::Var(..) | Term::Int(_)));
            if is_simple && vars.iter().all(|v| live.contains(v) && is_integer(v)) {
                push(&mut out, with_constants_now(program, &before));
            }
        });
    }
    out
}

/// Object predicates for rings: to lie before a pointer that goes round. (On a list that ends, what one pointer reaches
/// and another does not says the same.)
pub(super) fn of_rings(program: &Program, question: &Question) -> Vec<Track> {
    let mut out: Vec<Track> = Vec::new();
    for clause in &program.contracts[question.contract].requires {
        walk::formula(&clause.formula, &mut |part| {
            let Part::Formula(Formula::Reach { field, at: At::Now, from, to, plus: true }) = part else {
                return;
            };
            let Term::Var(start, At::Now) = from else { return };
            if from != to {
                return;
            }
            let of = program.fields[field.index()].owner;
            let id = program.bounds.saturating_add(program.structs.len() as u32).saturating_add(1);
            let object = Binder { id: BoundId(id), name: "v".to_owned(), of: Some(of) };
            let is_fixed = !live::is_written(program, *start);
            let start = if is_fixed { from.clone() } else { Term::Var(*start, At::Entry) };
            for v in (0..program.vars.len()).map(|i| VarId(u32::try_from(i).unwrap_or(u32::MAX))) {
                let is_named = program.vars[v.index()].kind != VarKind::Temp;
                if is_named && program.vars[v.index()].ty.pointee() == Some(of) && moves(program, v) {
                    let before = Cells::Cells(*field, At::Now, Box::new(start.clone()), Box::new(var(v)));
                    let formula = Formula::In(Term::Bound(object.id), before);
                    let clause = Clause { formula, span: clause.span };
                    out.push(Track { object: Some(object.clone()), clause, at: None });
                }
            }
        });
    }
    out.truncate(MAX_OBJECTS);
    out
}

/// Parameters that are never assigned are what they were at the entry.
pub(super) fn with_constants_now(program: &Program, f: &Formula) -> Formula {
    let mut vars = Set::default();
    live::variables(f, &mut vars);
    let mut terms: Vec<(Term, Term)> = Vec::new();
    for v in vars {
        if !live::is_written(program, v) {
            terms.push((Term::Var(v, At::Entry), var(v)));
        }
    }
    Rewrite { terms: &terms, at: &same }.formula(f)
}

/// Whether nothing is bound outside.
fn is_closed_under(binder: &Binder, body: &Formula) -> bool {
    let mut known = vec![binder.id];
    walk::formula(body, &mut |part| {
        if let Part::Formula(Formula::Forall(b, _) | Formula::Exists(b, _)) = part {
            known.push(b.id);
        }
    });
    let mut closed = true;
    walk::formula(body, &mut |part| {
        if let Part::Term(Term::Bound(id)) = part {
            closed &= known.contains(id);
        }
    });
    closed
}

/// Whether a pointer is loaded from a field of its own kind, through a variable of the lowering perhaps.
fn moves(program: &Program, v: VarId) -> bool {
    let is_copy = |from: VarId| {
        let of = |e: &crate::program::Edge| matches!(e.command, Command::Assign(x, Expr::Var(y)) if x == v && y == from);
        program.edges.iter().any(of)
    };
    program.edges.iter().any(|edge| match edge.command {
        Command::Load { to, field, .. } => {
            program.fields[field.index()].is_link()
                && program.vars[v.index()].ty == program.fields[field.index()].ty
                && (to == v || is_copy(to))
        }
        _ => false,
    })
}

/// The body with the cell that it speaks of in the part before a pointer, for each conjunct that says where it is.
fn until(program: &Program, binder: &Binder, body: &Formula, end: VarId) -> Vec<Formula> {
    if program.vars[end.index()].ty.pointee() != binder.of {
        return Vec::new();
    }
    let cell = Term::Bound(binder.id);
    let parts: &[Formula] = if let Formula::And(parts) = body { parts } else { std::slice::from_ref(body) };
    let mut out = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let (field, at, from) = match part {
            Formula::In(t, Cells::Cells(field, at, from, _)) if *t == cell => (*field, *at, &**from),
            Formula::Between(field, at, from, t, _) if *t == cell => (*field, *at, from),
            Formula::Reach { field, at, from, to, .. } if *to == cell => (*field, *at, from),
            _ => continue,
        };
        let before = Cells::Cells(field, at, Box::new(from.clone()), Box::new(var(end)));
        let mut parts = parts.to_vec();
        parts[i] = Formula::In(cell.clone(), before);
        if *from != var(end) {
            out.push(Formula::And(parts));
        }
    }
    out
}

/// Object predicates of the cells that an array holds: what a postcondition claims of every element in a range, and to be
/// among those before an index that the code uses.
pub(super) fn of_elements(program: &Program, question: &Question) -> Vec<Track> {
    let mut out: Vec<Track> = Vec::new();
    let mut id = program.bounds.saturating_add(program.structs.len() as u32).saturating_add(1);
    for clause in &program.contracts[question.contract].ensures {
        let mut claims = Vec::new();
        ranges(&clause.formula, &mut claims);
        for (k, guard, claim) in claims {
            let Some((element, array, of)) = element_of(program, k, claim) else { continue };
            let object = Binder { id: BoundId(id), name: "v".to_owned(), of: Some(of) };
            id += 1;
            let v = Term::Bound(object.id);
            let mut add = |formula: Formula| {
                if out.len() < MAX_OBJECTS {
                    let clause = Clause { formula, span: clause.span };
                    out.push(Track { object: Some(object.clone()), clause, at: None });
                }
            };
            let (mut binders, mut tests) = (Vec::new(), Vec::new());
            conclusions(claim, &mut binders, &mut tests);
            for test in tests.into_iter().filter(|t| matches!(t, Formula::Compare(..))) {
                let Some(formula) = before_return(program, &replaced(test, &element, &v)) else { continue };
                if formula != *test && !matches!(&formula, Formula::Compare(_, a, _) if *a == v) {
                    add(formula);
                }
            }
            for i in indices(program, array) {
                let end = Term::Bound(k.id);
                let before = |part: &Formula| match part {
                    Formula::Compare(Cmp::Lt, a, _) if *a == end => {
                        Formula::Compare(Cmp::Lt, a.clone(), var(i))
                    }
                    other => other.clone(),
                };
                let mut parts: Vec<Formula> = match guard {
                    Formula::And(parts) => parts.iter().map(before).collect(),
                    one => vec![before(one)],
                };
                parts.push(Formula::eq(element.clone(), v.clone()));
                add(Formula::Exists(k.clone(), Box::new(Formula::And(parts))));
            }
        }
    }
    out
}

/// The element `a[k]` that a claim is about, its array and the kind of its cells.
fn element_of(program: &Program, k: &Binder, claim: &Formula) -> Option<(Term, VarId, StructId)> {
    let mut found = None;
    walk::formula(claim, &mut |part| {
        if let Part::Term(term @ Term::Index(a, At::Now, index)) = part
            && **index == Term::Bound(k.id)
            && let Type::PtrArray(of) = program.vars[a.index()].ty
        {
            found.get_or_insert((term.clone(), *a, of));
        }
    });
    found
}

/// The variables by which the code reads an array.
fn indices(program: &Program, of: VarId) -> Vec<VarId> {
    let mut out = Vec::new();
    for edge in &program.edges {
        if let Command::LoadElement { array, index: Expr::Var(i), .. } = &edge.command
            && *array == of
            && !out.contains(i)
            && program.vars[i.index()].kind != VarKind::Temp
        {
            out.push(*i);
        }
    }
    out
}

/// A formula with a term replaced.
pub(super) fn replaced(test: &Formula, from: &Term, to: &Term) -> Formula {
    Rewrite { terms: &[(from.clone(), to.clone())], at: &same }.formula(test)
}

/// A formula with a variable replaced, now and at the entry.
pub(super) fn renamed(f: &Formula, from: VarId, to: VarId) -> Formula {
    let one = replaced(f, &var(from), &var(to));
    replaced(&one, &Term::Var(from, At::Entry), &Term::Var(to, At::Entry))
}

/// The variable's value now.
pub(super) fn var(v: VarId) -> Term {
    Term::Var(v, At::Now)
}

fn stores(program: &Program, of: FieldId) -> bool {
    program.edges.iter().any(|e| matches!(e.command, Command::Store { field, .. } if field == of))
}
