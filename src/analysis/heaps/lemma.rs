//! What the precondition says, in the form that first-order reasoning needs.
//!
//! A contract says that no two cells have the same `f`-successor. That cells which reach a common cell then lie on
//! one path follows by induction on the paths, which the core does not do: if f^i(x) = z = f^j(y) with i <= j and z not
//! null, no cell on the way is null, so x = f^(j-i)(y). In the same way, a cell that is nobody's successor is reached
//! from itself only: the path of another cell to it would have a last cell before it. Such consequences are added to
//! the precondition; whoever keeps the contract under the stronger one keeps it under the weaker, since both say
//! the same.

use crate::program::{At, Binder, BoundId, Clause, Cmp, FieldId, Formula, Program, StructId, Term};

/// The program whose preconditions say their consequences as well.
pub(super) fn completed(program: &Program) -> Program {
    let mut out = program.clone();
    for contract in &mut out.contracts {
        let mut added: Vec<Clause> = Vec::new();
        for clause in &contract.requires {
            let mut fields = Vec::new();
            injective_fields(&clause.formula, &mut fields);
            for field in fields {
                let formula = one_path(program, field, &mut out.bounds);
                added.push(Clause { formula, span: clause.span });
            }
            let mut conjuncts = Vec::new();
            flatten(&clause.formula, &mut conjuncts);
            let first_cells = conjuncts.into_iter().filter_map(reached_by_itself);
            added.extend(first_cells.map(|formula| Clause { formula, span: clause.span }));
        }
        contract.requires.extend(added);
    }
    out
}

fn injective_fields(formula: &Formula, out: &mut Vec<FieldId>) {
    match formula {
        Formula::And(parts) => parts.iter().for_each(|p| injective_fields(p, out)),
        other => {
            if let Some(field) = injective(other)
                && !out.contains(&field)
            {
                out.push(field);
            }
        }
    }
}

/// The link field f of `forall u, v. u->f == v->f ==> u == v`; premises that something is not null may stand beside.
fn injective(formula: &Formula) -> Option<FieldId> {
    let Formula::Forall(u, inner) = formula else { return None };
    let Formula::Forall(v, body) = &**inner else { return None };
    let Formula::Implies(premise, conclusion) = &**body else { return None };
    let is = |t: &Term, binder: &Binder| matches!(t, Term::Bound(id) if *id == binder.id);
    let pair = |a: &Term, b: &Term| (is(a, u) && is(b, v)) || (is(a, v) && is(b, u));
    match &**conclusion {
        Formula::Compare(Cmp::Eq, a, b) if u.id != v.id && pair(a, b) => {}
        _ => return None,
    }
    let mut premises = Vec::new();
    flatten(premise, &mut premises);
    let mut found = None;
    for part in &premises {
        if let Formula::Compare(Cmp::Eq, Term::Field(f, At::Now, a), Term::Field(g, At::Now, b)) = part
            && f == g
            && pair(a, b)
        {
            found = Some(*f);
        }
    }
    let field = found?;
    let harmless = |part: &&Formula| match part {
        Formula::Compare(Cmp::Eq, Term::Field(f, At::Now, a), Term::Field(g, At::Now, b)) => {
            *f == field && *g == field && pair(a, b)
        }
        Formula::Compare(Cmp::Ne, a, Term::Null(_)) => match a {
            Term::Field(f, At::Now, a) => *f == field && (is(a, u) || is(a, v)),
            a => is(a, u) || is(a, v),
        },
        _ => false,
    };
    premises.iter().all(harmless).then_some(field)
}

fn flatten<'f>(formula: &'f Formula, out: &mut Vec<&'f Formula>) {
    match formula {
        Formula::And(parts) => parts.iter().for_each(|p| flatten(p, out)),
        other => out.push(other),
    }
}

/// `forall u. t != null && u -f*-> t ==> u == t` of `forall u. u->f != t`, for a variable t; premises that u or t is not
/// null may stand beside.
fn reached_by_itself(formula: &Formula) -> Option<Formula> {
    let Formula::Forall(u, body) = formula else { return None };
    let (premises, conclusion) = match &**body {
        Formula::Implies(premise, conclusion) => {
            let mut premises = Vec::new();
            flatten(premise, &mut premises);
            (premises, &**conclusion)
        }
        other => (Vec::new(), other),
    };
    let Formula::Compare(Cmp::Ne, Term::Field(field, At::Now, of), end @ Term::Var(_, At::Now)) = conclusion
    else {
        return None;
    };
    let is_u = |t: &Term| matches!(t, Term::Bound(id) if *id == u.id);
    let harmless = |part: &&Formula| match part {
        Formula::Compare(Cmp::Ne, a, Term::Null(_)) => is_u(a) || a == end,
        _ => false,
    };
    let owner = u.of?;
    if !is_u(of) || !premises.iter().all(harmless) {
        return None;
    }
    let from = Term::Bound(u.id);
    let reach =
        Formula::Reach { field: *field, at: At::Now, from: from.clone(), to: end.clone(), plus: false };
    let premise = Formula::And(vec![Formula::ne(end.clone(), Term::Null(owner)), reach]);
    let body = Formula::Implies(Box::new(premise), Box::new(Formula::eq(from, end.clone())));
    Some(Formula::Forall(u.clone(), Box::new(body)))
}

/// `forall z, x, y. z != null && x -f*-> z && y -f*-> z ==> x -f*-> y || y -f*-> x`
fn one_path(program: &Program, field: FieldId, bounds: &mut u32) -> Formula {
    let of: StructId = program.fields[field.index()].owner;
    let mut binder = |name: &str| {
        *bounds += 1;
        Binder { id: BoundId(*bounds - 1), name: name.to_owned(), of: Some(of) }
    };
    let (z, x, y) = (binder("z"), binder("x"), binder("y"));
    let var = |b: &Binder| Term::Bound(b.id);
    let reach =
        |a: &Binder, b: &Binder| Formula::Reach { field, at: At::Now, from: var(a), to: var(b), plus: false };
    let premise = Formula::And(vec![Formula::ne(var(&z), Term::Null(of)), reach(&x, &z), reach(&y, &z)]);
    let conclusion = Formula::Or(vec![reach(&x, &y), reach(&y, &x)]);
    let body = Formula::Implies(Box::new(premise), Box::new(conclusion));
    let over = |binder, body| Formula::Forall(binder, Box::new(body));
    over(z.clone(), over(x.clone(), over(y.clone(), body)))
}
