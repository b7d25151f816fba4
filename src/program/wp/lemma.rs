//! What the precondition says, in the form that first-order reasoning needs.
//!
//! A contract says that no two cells have the same `f`-successor. That cells which reach a common cell then lie on
//! one path follows by induction on the paths, which the core does not do. In the same way, a cell that is nobody's
//! successor is reached from itself only, and where `g` leads back along `f`, a cell that x reaches by at least one step
//! is pointed back from. These laws stand in `rules/shapes`, where the gate checks them; here contracts are recognised
//! and the laws put into the words of a program. Such consequences are hypotheses at the entry beside the precondition
//! itself; engines that look for invariants try them at loops too.

use super::law::law;
use crate::program::walk::{self, Part};
use crate::program::{
    At, Binder, BoundId, Clause, Cmp, Contract, FieldId, Formula, Program, Set, StructId, Term, VarId,
    VarKind,
};

/// What follows from the preconditions of a contract. Bound variables are numbered after those of the program.
#[must_use]
pub fn consequences(program: &Program, contract: &Contract) -> Vec<Clause> {
    let mut out: Vec<Clause> = Vec::new();
    let mut bounds = program.bounds;
    let followed = followed(contract);
    for clause in &contract.requires {
        let mut fields = Vec::new();
        injective_fields(&clause.formula, &mut fields);
        for field in fields.into_iter().filter(|f| program.fields[f.index()].is_link()) {
            let formula = one_path(program, field, &mut bounds);
            out.push(Clause { formula, span: clause.span });
        }
        let mut conjuncts = Vec::new();
        flatten(&clause.formula, &mut conjuncts);
        let back = conjuncts.iter().filter_map(|c| inverse(c)).filter(|(f, _)| followed.contains(f));
        for (f, gs) in back {
            let [g] = gs[..] else { continue };
            for start in pointers(program, program.fields[f.index()].owner) {
                let formula = pointed_back(program, (f, g), start, &mut bounds);
                out.push(Clause { formula, span: clause.span });
            }
        }
        for first in conjuncts {
            let formula = reached_by_itself(program, first, &mut bounds);
            out.extend(formula.map(|formula| Clause { formula, span: clause.span }));
        }
    }
    out
}

/// More consequences, worth having at the entry only: where the fields g lead back along f, a path along f to a cell
/// comes through one of the cells that its g name, and if there is one g only, f is injective.
#[must_use]
pub fn last_steps(program: &Program, contract: &Contract) -> Vec<Clause> {
    let mut out: Vec<Clause> = Vec::new();
    let mut bounds = program.bounds;
    let followed = followed(contract);
    for clause in &contract.requires {
        let mut conjuncts = Vec::new();
        flatten(&clause.formula, &mut conjuncts);
        for (f, gs) in conjuncts.iter().filter_map(|c| inverse(c)).filter(|(f, _)| followed.contains(f)) {
            let of = program.fields[f.index()].owner;
            if !program.fields[f.index()].is_link() || gs.iter().any(|g| !program.fields[g.index()].is_link())
            {
                continue;
            }
            if gs.len() == 1 {
                out.push(Clause { formula: one_path(program, f, &mut bounds), span: clause.span });
            }
            // A list is known by its first cell, a tree by the cells that are asked for: of the root, every other cell
            // would be an instance.
            let is_list = gs.len() == 1;
            let wanted = |v: &VarId| is_list || program.vars[v.index()].kind == VarKind::Param;
            for v in pointers(program, of).filter(wanted) {
                let formula = last_step(of, (f, &gs), (v, !is_list), &mut bounds);
                out.push(Clause { formula, span: clause.span });
            }
        }
    }
    out
}

/// `forall u. y != null && x != y && x -f*-> y ==> (y->g != null && x -f*-> y->g) || ...`, where y is a variable and x
/// is u, or the other way round.
fn last_step(
    of: StructId,
    (f, gs): (FieldId, &[FieldId]),
    (v, ends_here): (VarId, bool),
    bounds: &mut u32,
) -> Formula {
    *bounds += 1;
    let u = Binder { id: BoundId(*bounds - 1), name: "u".to_owned(), of: Some(of) };
    let (there, here) = (Term::Bound(u.id), Term::Var(v, At::Now));
    let (x, y) = if ends_here { (there, here) } else { (here, there) };
    let reach = |to: Term| Formula::Reach { field: f, at: At::Now, from: x.clone(), to, plus: false };
    let not_null = |t: Term| Formula::ne(t, Term::Null(of));
    let premise = vec![not_null(y.clone()), Formula::ne(x.clone(), y.clone()), reach(y.clone())];
    let through = |&g: &FieldId| {
        let before = Term::Field(g, At::Now, Box::new(y.clone()));
        Formula::And(vec![not_null(before.clone()), reach(before)])
    };
    let conclusion = Formula::Or(gs.iter().map(through).collect());
    let body = Formula::Implies(Box::new(Formula::And(premise)), Box::new(conclusion));
    Formula::Forall(u, Box::new(body))
}

/// The fields along which a contract speaks of paths.
#[must_use]
pub fn followed(contract: &Contract) -> Vec<FieldId> {
    let mut out: Vec<FieldId> = Vec::new();
    walk::contract(contract, &mut |part| {
        if let Part::Formula(Formula::Reach { .. } | Formula::Between(..) | Formula::Stable(..))
        | Part::Set(Set::Cells(..)) = part
        {
            walk::fields(part, &mut |f| {
                if !out.contains(&f) {
                    out.push(f);
                }
            });
        }
    });
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

/// The link field f and the fields g of `forall u. u->f->g == u`, or of the disjunction of such equations for several g;
/// premises that u or `u->f` is not null may stand beside.
fn inverse(formula: &Formula) -> Option<(FieldId, Vec<FieldId>)> {
    let Formula::Forall(u, body) = formula else { return None };
    let Formula::Implies(premise, conclusion) = &**body else { return None };
    let is_u = |t: &Term| matches!(t, Term::Bound(id) if *id == u.id);
    let back = |f: &Formula| match f {
        Formula::Compare(Cmp::Eq, Term::Field(g, At::Now, inner), end) if is_u(end) => match &**inner {
            Term::Field(f, At::Now, start) if is_u(start) => Some((*f, *g)),
            _ => None,
        },
        _ => None,
    };
    let equations = match &**conclusion {
        Formula::Or(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    let pairs: Vec<(FieldId, FieldId)> = equations.iter().map(back).collect::<Option<_>>()?;
    let (field, _) = *pairs.first()?;
    if pairs.iter().any(|(f, _)| *f != field) {
        return None;
    }
    let mut premises = Vec::new();
    flatten(premise, &mut premises);
    let is_next = |t: &Term| matches!(t, Term::Field(f, At::Now, of) if *f == field && is_u(of));
    let harmless = |part: &&Formula| match part {
        Formula::Compare(Cmp::Ne, a, Term::Null(_)) => is_u(a) || is_next(a),
        _ => false,
    };
    premises.iter().all(harmless).then(|| (field, pairs.into_iter().map(|(_, g)| g).collect()))
}

/// The variables that hold pointers to cells of a struct when the function starts.
fn pointers(program: &Program, of: StructId) -> impl Iterator<Item = VarId> + '_ {
    let vars = program.vars.iter().enumerate();
    let mine = vars.filter(move |(_, var)| {
        var.ty.pointee() == Some(of) && matches!(var.kind, VarKind::Param | VarKind::Global)
    });
    mine.map(|(i, _)| VarId(u32::try_from(i).unwrap_or(u32::MAX)))
}

/// `forall y. y != null && x != y && x -f*-> y ==> y->g != null`, for a variable x.
fn pointed_back(program: &Program, (f, g): (FieldId, FieldId), start: VarId, bounds: &mut u32) -> Formula {
    law(program, ("back", "pointed"), &[f, g], &[("x", Term::Var(start, At::Now))], bounds)
}

/// `forall u. t != null && u -f*-> t ==> u == t` of `forall u. u->f != t`, for a variable t; premises that u or t is not
/// null may stand beside.
fn reached_by_itself(program: &Program, formula: &Formula, bounds: &mut u32) -> Option<Formula> {
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
    if !is_u(of) || !premises.iter().all(harmless) || !program.fields[field.index()].is_link() {
        return None;
    }
    Some(law(program, ("first", "reached"), &[*field], &[("r", end.clone())], bounds))
}

/// `forall z, x, y. z != null && x -f*-> z && y -f*-> z ==> x -f*-> y || y -f*-> x`
fn one_path(program: &Program, field: FieldId, bounds: &mut u32) -> Formula {
    law(program, ("injective", "one_path"), &[field], &[], bounds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::eval::{States, holds};
    use crate::program::samples::{KEY, NEXT, PREV, Sample};
    use crate::program::{CellId, State, Status, Value, VarKind};

    fn over_two(field: FieldId) -> Formula {
        let binder =
            |id: u32, name: &str| Binder { id: BoundId(id), name: name.to_owned(), of: Some(StructId(0)) };
        let (u, v) = (|| Term::Bound(BoundId(0)), || Term::Bound(BoundId(1)));
        let at = |t: Term| Term::Field(field, At::Now, Box::new(t));
        let mut premises = vec![Formula::eq(at(u()), at(v()))];
        for t in [u(), v(), at(u())] {
            premises.push(Formula::ne(t, Term::Null(StructId(0))));
        }
        if field == KEY {
            premises.truncate(1);
        }
        let body = Formula::Implies(Box::new(Formula::And(premises)), Box::new(Formula::eq(u(), v())));
        Formula::Forall(binder(0, "u"), Box::new(Formula::Forall(binder(1, "v"), Box::new(body))))
    }

    fn no_predecessor(of: Term) -> Formula {
        let u = Binder { id: BoundId(2), name: "u".to_owned(), of: Some(StructId(0)) };
        let t = || Term::Bound(BoundId(2));
        let next = Term::Field(NEXT, At::Now, Box::new(t()));
        let not_null = |t| Formula::ne(t, Term::Null(StructId(0)));
        let premise = Formula::And(vec![not_null(t()), not_null(of.clone())]);
        Formula::Forall(u, Box::new(Formula::Implies(Box::new(premise), Box::new(Formula::ne(next, of)))))
    }

    /// On all heaps of up to four cells, cyclic ones included, what is added holds where the precondition does, and
    /// fails somewhere else.
    #[test]
    fn what_is_added_follows() {
        let mut sample = Sample::new("f");
        let r = sample.pointer("r", VarKind::Param);
        sample.requires(Formula::And(vec![
            over_two(NEXT),
            no_predecessor(Term::Var(r, At::Now)),
            over_two(KEY),
        ]));
        let mut program = sample.finish();
        program.bounds = 3;
        let added = consequences(&program, &program.contracts[0]);
        let added: Vec<&Formula> = added.iter().map(|c| &c.formula).collect();
        let given = &program.contracts[0].requires[0].formula;
        assert_eq!(added.len(), 2, "an integer field has no paths");
        let (mut kept, mut broken) = (0, [0, 0]);
        for n in 0..=4usize {
            for code in 0..(n + 1).pow(n as u32) * (n + 1) {
                let point = |i: usize| if i == 0 { Value::Null } else { Value::Cell(CellId(i as u32 - 1)) };
                let mut state = State::new(&program);
                for i in 0..n {
                    let cell = state.add_cell(&program, StructId(0), Status::Heap);
                    // Null has the key 0.
                    state.set_field(cell, KEY, Value::Int(i as i128 + 1));
                }
                let mut rest = code;
                for i in 0..n {
                    state.set_field(CellId(i as u32), NEXT, point(rest % (n + 1)));
                    rest /= n + 1;
                }
                state.vars[r.index()] = point(rest % (n + 1));
                let truth = |f: &Formula| holds(&program, States::at_entry(&state), f).expect("evaluated");
                if truth(given) {
                    kept += 1;
                    assert!(added.iter().all(|f| truth(f)), "{n} cells, heap {code}");
                }
                for (count, f) in broken.iter_mut().zip(&added) {
                    *count += usize::from(!truth(f));
                }
            }
        }
        assert!(kept > 50 && broken.iter().all(|&b| b > 50), "{kept} {broken:?}");
    }

    /// A path ends with a step that one of the back links names, on all heaps of up to three cells.
    #[test]
    fn last_steps_follow() {
        for fields in [vec![PREV], vec![PREV, NEXT]] {
            let mut sample = Sample::new("f");
            let r = sample.pointer("r", VarKind::Param);
            let u = Binder { id: BoundId(0), name: "u".to_owned(), of: Some(StructId(0)) };
            let t = || Term::Bound(BoundId(0));
            let next = || Term::Field(NEXT, At::Now, Box::new(t()));
            let not_null = |t| Formula::ne(t, Term::Null(StructId(0)));
            let back = |&g: &FieldId| Formula::eq(Term::Field(g, At::Now, Box::new(next())), t());
            let premise = Formula::And(vec![not_null(t()), not_null(next())]);
            let conclusion = Formula::Or(fields.iter().map(back).collect());
            let here = || Term::Var(r, At::Now);
            let path = Formula::Reach { field: NEXT, at: At::Now, from: here(), to: here(), plus: false };
            let links =
                Formula::Forall(u, Box::new(Formula::Implies(Box::new(premise), Box::new(conclusion))));
            sample.requires(Formula::And(vec![links, path]));
            let mut program = sample.finish();
            program.bounds = 1;
            let added = last_steps(&program, &program.contracts[0]);
            let added: Vec<&Formula> = added.iter().map(|c| &c.formula).collect();
            assert_eq!(added.len(), if fields.len() == 1 { 2 } else { 1 });
            let given = &program.contracts[0].requires[0].formula;
            let (mut kept, mut broken) = (0, vec![0; added.len()]);
            for n in 0..=3usize {
                for code in 0..(n + 1).pow(2 * n as u32 + 1) {
                    let state = two_fields(&program, r, n, code);
                    let truth =
                        |f: &Formula| holds(&program, States::at_entry(&state), f).expect("evaluated");
                    let keeps = truth(given);
                    kept += usize::from(keeps);
                    for (count, f) in broken.iter_mut().zip(&added) {
                        let holds = truth(f);
                        assert!(holds || !keeps, "{n} cells, heap {code}");
                        *count += usize::from(!holds);
                    }
                }
            }
            assert!(kept > 50 && broken.iter().all(|&b| b > 50), "{kept} {broken:?}");
        }
    }

    /// A heap of `n` cells with both fields, and the value of `r`.
    fn two_fields(program: &Program, r: VarId, n: usize, code: usize) -> State {
        let point = |i: usize| if i == 0 { Value::Null } else { Value::Cell(CellId(i as u32 - 1)) };
        let mut state = State::new(program);
        for _ in 0..n {
            state.add_cell(program, StructId(0), Status::Heap);
        }
        let mut rest = code;
        let mut digit = || {
            let digit = rest % (n + 1);
            rest /= n + 1;
            point(digit)
        };
        for i in 0..n {
            state.set_field(CellId(i as u32), NEXT, digit());
            state.set_field(CellId(i as u32), PREV, digit());
        }
        state.vars[r.index()] = digit();
        state
    }

    /// The same for back links, on all heaps of up to three cells with two fields.
    #[test]
    fn what_is_added_of_back_links_follows() {
        let mut sample = Sample::new("f");
        let r = sample.pointer("r", VarKind::Param);
        let u = Binder { id: BoundId(0), name: "u".to_owned(), of: Some(StructId(0)) };
        let t = || Term::Bound(BoundId(0));
        let next = || Term::Field(NEXT, At::Now, Box::new(t()));
        let not_null = |t| Formula::ne(t, Term::Null(StructId(0)));
        let back = Formula::eq(Term::Field(PREV, At::Now, Box::new(next())), t());
        let premise = Formula::And(vec![not_null(t()), not_null(next())]);
        let body = Formula::Implies(Box::new(premise), Box::new(back));
        // That the contract speaks of paths along `next` is what asks for the consequence.
        let here = || Term::Var(r, At::Now);
        let path = Formula::Reach { field: NEXT, at: At::Now, from: here(), to: here(), plus: false };
        sample.requires(Formula::And(vec![Formula::Forall(u, Box::new(body)), path]));
        let mut program = sample.finish();
        program.bounds = 1;
        let added = consequences(&program, &program.contracts[0]);
        let added: Vec<&Formula> = added.iter().map(|c| &c.formula).collect();
        let given = &program.contracts[0].requires[0].formula;
        assert_eq!(added.len(), 1);
        let (mut kept, mut broken) = (0, 0);
        for n in 0..=3usize {
            for code in 0..(n + 1).pow(2 * n as u32 + 1) {
                let state = two_fields(&program, r, n, code);
                let truth = |f: &Formula| holds(&program, States::at_entry(&state), f).expect("evaluated");
                if truth(given) {
                    kept += 1;
                    assert!(truth(added[0]), "{n} cells, heap {code}");
                }
                broken += usize::from(!truth(added[0]));
            }
        }
        assert!(kept > 50 && broken > 50, "{kept} {broken}");
    }
}
