//! Paths backwards along a doubly linked list, in the form that first-order reasoning needs.
//!
//! `\dlseg(n, p, x, NULL, NULL, y)` says of neighbours that p leads back where n leads on. That then every path along n is
//! one along p backwards, that paths along p end, and that they do not leave the list, follows by induction on
//! the paths: the p-chain of the k-th cell is the k cells before it, then null. The first also follows where p leads back
//! from every next cell of a list and the p-chain of its first cell ends: if that chain came back into the list, it would
//! go round for ever. Doubly linked rings have laws of their own (`ring`). Such consequences are said where the premises are assumed, at the entry and at loop heads, if
//! annotations speak of paths along p.

use super::ring;
use crate::program::expr::Cmp;
use crate::program::walk::{self, Part};
use crate::program::{At, Binder, BoundId, FieldId, Formula, Program, Set, StructId, Term};

/// What follows from clauses that are assumed of one state.
pub(super) fn consequences<'f>(
    program: &Program,
    asked: usize,
    assumed: impl Iterator<Item = &'f Formula>,
) -> Vec<Formula> {
    let mut parts = Vec::new();
    assumed.for_each(|formula| conjuncts(formula, &mut parts));
    let mut out = ring::consequences(program, asked, &parts);
    for part in &parts {
        if let Formula::Dlseg(n, p, At::Now, ends) = part
            && let [first, Term::Null(of), Term::Null(_), _] = &**ends
            && follows(program, asked, *p)
        {
            out.push(Formula::Inverse(*n, *p, At::Now, first.clone(), Term::Null(*of)));
            out.extend(chains(program, *of, (*n, *p), first));
        }
        if let Some((n, p, first)) = pointed_back(part)
            && let of = program.fields[n.index()].owner
            && [n, p].iter().all(|&f| parts.contains(&&reach(f, first.clone(), Term::Null(of))))
            && follows(program, asked, p)
        {
            out.push(Formula::Inverse(n, p, At::Now, first.clone(), Term::Null(of)));
        }
    }
    out
}

pub(super) fn reach(field: FieldId, from: Term, to: Term) -> Formula {
    Formula::Reach { field, at: At::Now, from, to, plus: false }
}

pub(super) fn conjuncts<'f>(formula: &'f Formula, out: &mut Vec<&'f Formula>) {
    match formula {
        Formula::And(parts) => parts.iter().for_each(|part| conjuncts(part, out)),
        other => out.push(other),
    }
}

/// `forall u. u on the n-list of x && u != NULL && u->n != NULL ==> u->n->p == u`: both fields, and x.
fn pointed_back(formula: &Formula) -> Option<(FieldId, FieldId, &Term)> {
    let Formula::Forall(binder, body) = formula else { return None };
    let Formula::Implies(premise, then) = &**body else { return None };
    let u = Term::Bound(binder.id);
    let (p, n) = match &**then {
        Formula::Compare(Cmp::Eq, Term::Field(p, At::Now, inner), back) if *back == u => match &**inner {
            Term::Field(n, At::Now, of) if **of == u => (*p, *n),
            _ => return None,
        },
        _ => return None,
    };
    let next = Term::Field(n, At::Now, Box::new(u.clone()));
    let mut premises = Vec::new();
    conjuncts(premise, &mut premises);
    let mut first = None;
    for premise in premises {
        match premise {
            Formula::Between(f, At::Now, x, on, Term::Null(_)) if *f == n && *on == u => first = Some(x),
            Formula::Reach { field, at: At::Now, from, to, plus: false } if *field == n && *to == u => {
                first = Some(from)
            }
            Formula::In(on, Set::Cells(f, At::Now, x, end))
                if *f == n && *on == u && matches!(**end, Term::Null(_)) =>
            {
                first = Some(&**x);
            }
            Formula::Compare(Cmp::Ne, a, Term::Null(_)) if *a == u || *a == next => {}
            _ => return None,
        }
    }
    // What is bound does not mean anything outside.
    first.filter(|x| matches!(x, Term::Var(..))).map(|x| (n, p, x))
}

/// Whether anything speaks of paths along the field.
pub(super) fn follows(program: &Program, asked: usize, field: FieldId) -> bool {
    let mut found = false;
    walk::program(program, asked, &mut |part| {
        found |= match part {
            Part::Formula(Formula::Inverse(_, back, ..)) => *back == field,
            Part::Formula(
                Formula::Reach { field: f, .. } | Formula::Between(f, ..) | Formula::Stable(f, ..),
            )
            | Part::Set(Set::Cells(f, ..)) => *f == field,
            _ => false,
        };
    });
    found
}

/// `forall u. x -n*-> u ==> u -p*-> NULL` and
/// `forall u, v. x -n*-> v && v -p*-> u && u != NULL ==> x -n*-> u && u -n*-> v`
fn chains(program: &Program, of: StructId, (n, p): (FieldId, FieldId), first: &Term) -> [Formula; 2] {
    // Each formula is closed, so numbers that its own parts do not use will do.
    let binder =
        |i, name: &str| Binder { id: BoundId(program.bounds + i), name: name.to_owned(), of: Some(of) };
    let (u, v) = (binder(0, "u"), binder(1, "v"));
    let bound = |b: &Binder| Term::Bound(b.id);
    let null = Term::Null(of);
    let implies = |premise, then| Box::new(Formula::Implies(Box::new(premise), Box::new(then)));
    let ends = implies(reach(n, first.clone(), bound(&u)), reach(p, bound(&u), null.clone()));
    let premise = Formula::And(vec![
        reach(n, first.clone(), bound(&v)),
        reach(p, bound(&v), bound(&u)),
        Formula::ne(bound(&u), null),
    ]);
    let then = Formula::And(vec![reach(n, first.clone(), bound(&u)), reach(n, bound(&u), bound(&v))]);
    let stays = Formula::Forall(v, implies(premise, then));
    [Formula::Forall(u.clone(), ends), Formula::Forall(u, Box::new(stays))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Clause;
    use crate::program::eval::{States, holds};
    use crate::program::samples::{NEXT, NODE, PREV, Sample};
    use crate::program::{CellId, State, Status, Value, VarId, VarKind};
    use crate::util::span::Span;

    /// On all heaps of up to three cells with two fields what is added holds where the precondition does, and fails
    /// somewhere else.
    #[test]
    fn what_is_added_follows() {
        let mut sample = Sample::new("f");
        let [x, y] = ["x", "y"].map(|name| sample.pointer(name, VarKind::Param));
        let var = |v| Term::Var(v, At::Now);
        let ends = Box::new([var(x), Term::Null(NODE), Term::Null(NODE), var(y)]);
        let path = Formula::Reach { field: PREV, at: At::Now, from: var(y), to: var(y), plus: false };
        let list = Formula::And(vec![Formula::Dlseg(NEXT, PREV, At::Now, ends), path]);
        let u = Binder { id: BoundId(0), name: "u".to_owned(), of: Some(NODE) };
        let t = || Term::Bound(BoundId(0));
        let next = || Term::Field(NEXT, At::Now, Box::new(t()));
        let premise = Formula::And(vec![
            Formula::Between(NEXT, At::Now, var(x), t(), Term::Null(NODE)),
            Formula::ne(t(), Term::Null(NODE)),
            Formula::ne(next(), Term::Null(NODE)),
        ]);
        let back = Formula::eq(Term::Field(PREV, At::Now, Box::new(next())), t());
        let neighbours = Formula::Forall(u, Box::new(Formula::Implies(Box::new(premise), Box::new(back))));
        let ends = [NEXT, PREV].map(|f| reach(f, var(x), Term::Null(NODE)));
        let pointwise = Formula::And(std::iter::once(neighbours).chain(ends).collect());
        let ring = |from: Formula| {
            let u = Binder { id: BoundId(0), name: "u".to_owned(), of: Some(NODE) };
            let back = Formula::eq(Term::Field(PREV, At::Now, Box::new(next())), t());
            let both = Formula::And(vec![back, Formula::ne(t(), Term::Null(NODE))]);
            Formula::Forall(u, Box::new(Formula::Implies(Box::new(from), Box::new(both))))
        };
        let cycle = Formula::Reach { field: NEXT, at: At::Now, from: var(x), to: var(x), plus: true };
        let along_prev = Formula::eq(var(y), var(y));
        let path = Formula::Reach { field: PREV, at: At::Now, from: var(y), to: var(y), plus: false };
        let on_ring = ring(reach(NEXT, var(x), t()));
        let plain = Formula::And(vec![cycle.clone(), on_ring.clone(), along_prev]);
        let followed = Formula::And(vec![cycle, on_ring, path]);
        let after = || Term::Field(NEXT, At::Now, Box::new(var(x)));
        let between = ring(Formula::Between(NEXT, At::Now, after(), t(), var(x)));
        let lisbq = Formula::And(vec![reach(NEXT, after(), var(x)), between]);
        for (formula, n_added) in [(list, 3), (pointwise, 1), (plain, 1), (followed, 4), (lisbq, 1)] {
            let mut program = sample.program.clone();
            program.bounds = 1;
            program.contracts[0].requires = vec![Clause { formula, span: Span::default() }];
            follow(&program, n_added, (x, y));
        }
    }

    fn follow(program: &Program, n_added: usize, (x, y): (VarId, VarId)) {
        let given = &program.contracts[0].requires[0].formula;
        let added = consequences(program, 0, std::iter::once(given));
        assert_eq!(added.len(), n_added);
        let (mut kept, mut broken) = (0, vec![0; n_added]);
        for n in 0..=3usize {
            let point = |i: usize| if i == 0 { Value::Null } else { Value::Cell(CellId(i as u32 - 1)) };
            for code in 0..(n + 1).pow(2 * n as u32 + 2) {
                let mut state = State::new(program);
                let mut rest = code;
                let mut digit = || {
                    let digit = rest % (n + 1);
                    rest /= n + 1;
                    point(digit)
                };
                for i in 0..n {
                    let cell = state.add_cell(program, NODE, Status::Heap);
                    debug_assert_eq!(cell, CellId(i as u32));
                    let (next, prev) = (digit(), digit());
                    state.set_field(cell, NEXT, next);
                    state.set_field(cell, PREV, prev);
                }
                (state.vars[x.index()], state.vars[y.index()]) = (digit(), digit());
                let truth = |f: &Formula| holds(program, States::at_entry(&state), f).expect("evaluated");
                let keeps = truth(given);
                kept += usize::from(keeps);
                for (count, formula) in broken.iter_mut().zip(&added) {
                    let holds = truth(formula);
                    assert!(holds || !keeps, "{n} cells, heap {code}");
                    *count += usize::from(!holds);
                }
            }
        }
        assert!(kept > 20 && broken.iter().all(|&b| b > 50), "{kept} {broken:?}");
    }
}
