//! Doubly linked rings, in the form that first-order reasoning needs.
//!
//! Where h lies on an n-cycle and p leads back from the next cell of each of its cells, every cell of the ring has a cell
//! before it, which is its p: so p stays in the ring, n leads on from where p led, and paths along p visit the same cells.
//! That there is a cell before each one follows by induction on the path from h, which the core does not do.

use super::back::{conjuncts, follows, reach};
use crate::program::expr::Cmp;
use crate::program::{At, Binder, BoundId, FieldId, Formula, Program, Term};

/// What follows from conjuncts that are assumed of one state.
pub(super) fn consequences(program: &Program, asked: usize, parts: &[&Formula]) -> Vec<Formula> {
    let mut out = Vec::new();
    for part in parts {
        for (n, p, home) in pointed_back(part) {
            if parts.iter().all(|part| !is_cycle(part, n, home)) {
                continue;
            }
            out.push(closed(program, (n, p), home));
            if follows(program, asked, p) {
                out.extend(same_cells(program, (n, p), home));
                out.push(reach(p, field(p, home.clone()), home.clone()));
            }
        }
    }
    out
}

/// `h -n+-> h` or `h->n -n*-> h`
fn is_cycle(formula: &Formula, n: FieldId, home: &Term) -> bool {
    match formula {
        Formula::Reach { field: f, at: At::Now, from, to, plus } => {
            *f == n && to == home && (*plus && from == home || *from == field(n, home.clone()))
        }
        _ => false,
    }
}

/// `forall u. h -n*-> u ==> ... u->n->p == u ...`: for each such conjunct both fields, and h. In the place of the path
/// from h may stand one from `h->n` to h; that u or `u->n` is not null may be said beside.
fn pointed_back(formula: &Formula) -> Vec<(FieldId, FieldId, &Term)> {
    let Formula::Forall(binder, body) = formula else { return Vec::new() };
    let Formula::Implies(premise, then) = &**body else { return Vec::new() };
    let u = Term::Bound(binder.id);
    let (mut premises, mut claims) = (Vec::new(), Vec::new());
    conjuncts(premise, &mut premises);
    conjuncts(then, &mut claims);
    let back = |claim: &Formula| match claim {
        Formula::Compare(Cmp::Eq, Term::Field(p, At::Now, inner), end) if *end == u => match &**inner {
            Term::Field(n, At::Now, start) if **start == u && n != p => Some((*n, *p)),
            _ => None,
        },
        _ => None,
    };
    let pairs = claims.into_iter().filter_map(back);
    pairs.filter_map(|(n, p)| Some((n, p, home(&premises, n, &u)?))).collect()
}

/// The variable on whose ring u lies by the premises, if they say nothing else.
fn home<'f>(premises: &[&'f Formula], n: FieldId, u: &Term) -> Option<&'f Term> {
    let mut home = None;
    for &premise in premises {
        match premise {
            Formula::Reach { field: f, at: At::Now, from, to, .. } if *f == n && to == u => home = Some(from),
            Formula::Between(f, At::Now, from, on, to)
                if *f == n && on == u && *from == field(n, to.clone()) =>
            {
                home = Some(to);
            }
            Formula::Compare(Cmp::Ne, a, Term::Null(_)) if a == u || *a == field(n, u.clone()) => {}
            _ => return None,
        }
    }
    home.filter(|h| matches!(h, Term::Var(_, At::Now)))
}

fn field(f: FieldId, of: Term) -> Term {
    Term::Field(f, At::Now, Box::new(of))
}

fn for_all(program: &Program, n: FieldId, body: impl FnOnce(&Term) -> (Formula, Formula)) -> Formula {
    // The formula is closed, so a number that its own parts do not use will do.
    let id = BoundId(program.bounds);
    let binder = Binder { id, name: "u".to_owned(), of: Some(program.fields[n.index()].owner) };
    let (premise, then) = body(&Term::Bound(id));
    Formula::Forall(binder, Box::new(Formula::Implies(Box::new(premise), Box::new(then))))
}

/// `forall u. h -n*-> u ==> h -n*-> u->p && u->p->n == u`
fn closed(program: &Program, (n, p): (FieldId, FieldId), home: &Term) -> Formula {
    for_all(program, n, |u| {
        let before = field(p, u.clone());
        let stays = reach(n, home.clone(), before.clone());
        let leads_on = Formula::eq(field(n, before), u.clone());
        (reach(n, home.clone(), u.clone()), Formula::And(vec![stays, leads_on]))
    })
}

/// `forall u. h -n*-> u ==> h -p*-> u`, and the other way round
fn same_cells(program: &Program, (n, p): (FieldId, FieldId), home: &Term) -> [Formula; 2] {
    [(n, p), (p, n)].map(|(there, back)| {
        for_all(program, n, |u| (reach(there, home.clone(), u.clone()), reach(back, home.clone(), u.clone())))
    })
}
