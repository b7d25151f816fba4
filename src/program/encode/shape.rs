//! The predicates about whole segments, written out over reachability (PDR paper, Table 3; DESIGN 6,
//! decisions 4 and 12).

use crate::program::cfg::Program;
use crate::program::decl::{BoundId, FieldId, StructId};
use crate::program::expr::Cmp;
use crate::program::formula::{At, Binder, Formula, Set, Term};

/// Hands out bound variables that no program has.
struct Fresh {
    next: u32,
}

impl Fresh {
    fn variable(&mut self, of: StructId) -> (Binder, Term) {
        let id = BoundId(self.next);
        self.next -= 1;
        (Binder { id, name: "c".to_owned(), of: Some(of) }, Term::Bound(id))
    }
}

fn forall(binder: Binder, premise: Formula, conclusion: Formula) -> Formula {
    Formula::Forall(binder, Box::new(Formula::Implies(Box::new(premise), Box::new(conclusion))))
}

/// The predicates about segments, written out (PDR paper, Table 3; DESIGN 6, decisions 4 and 12).
pub(super) fn definition(program: &Program, formula: &Formula) -> Formula {
    // Names of the definitions' variables cannot meet those of the source.
    let mut fresh = Fresh { next: u32::MAX };
    let owner = |field: FieldId| program.fields[field.index()].owner;
    let reach = |field: FieldId, at: At, from: &Term, to: &Term| Formula::Reach {
        field,
        at,
        from: from.clone(),
        to: to.clone(),
        plus: false,
    };
    match formula {
        Formula::Stable(field, at, t) => {
            let of = owner(*field);
            let (binder, u) = fresh.variable(of);
            let premise = Formula::all([reach(*field, *at, t, &u), Formula::ne(u.clone(), Term::Null(of))]);
            forall(binder, premise, Formula::Valid(u, *at))
        }
        Formula::Unshared(field, at, x, y) => {
            let of = owner(*field);
            let ((bind_a, a), (bind_b, b)) = (fresh.variable(of), fresh.variable(of));
            let null = || Term::Null(of);
            let premise = Formula::all([reach(*field, *at, &b, &a), Formula::ne(b.clone(), null())]);
            let linked = Formula::Or(vec![reach(*field, *at, &b, x), reach(*field, *at, x, &b)]);
            let on = [reach(*field, *at, x, &a), reach(*field, *at, &a, y), Formula::ne(a.clone(), null())];
            forall(bind_a, Formula::all(on), forall(bind_b, premise, linked))
        }
        Formula::Sorted(field, key, at, x, y) => {
            let of = owner(*field);
            let ((bind_a, a), (bind_b, b)) = (fresh.variable(of), fresh.variable(of));
            let cells = |from: &Term| Set::Cells(*field, *at, Box::new(from.clone()), Box::new(y.clone()));
            let value = |t: &Term| Term::Field(*key, *at, Box::new(t.clone()));
            let ordered = Formula::Compare(Cmp::Le, value(&a), value(&b));
            let inner = forall(bind_b, Formula::In(b, cells(&a)), ordered);
            forall(bind_a, Formula::In(a, cells(x)), inner)
        }
        Formula::Inverse(field, back, at, x, y) => {
            let of = owner(*field);
            let ((bind_a, a), (bind_b, b)) = (fresh.variable(of), fresh.variable(of));
            let on = |t: &Term| {
                let cell = Formula::ne(t.clone(), Term::Null(of));
                Formula::all([reach(*field, *at, x, t), reach(*field, *at, t, y), cell])
            };
            let (there, backwards) = (reach(*field, *at, &a, &b), reach(*back, *at, &b, &a));
            let same = Formula::Iff(Box::new(there), Box::new(backwards));
            forall(bind_a, on(&a), forall(bind_b, on(&b), same))
        }
        Formula::Dlseg(next, prev, at, ends) => {
            let of = owner(*next);
            let [x, px, y, py] = &**ends;
            let field = |f: FieldId, t: &Term| Term::Field(f, *at, Box::new(t.clone()));
            let cells = Set::Cells(*next, *at, Box::new(x.clone()), Box::new(y.clone()));
            let (binder, u) = fresh.variable(of);
            let after = field(*next, &u);
            let inner =
                Formula::all([Formula::In(u.clone(), cells.clone()), Formula::ne(after.clone(), y.clone())]);
            let inverse = forall(binder, inner, Formula::eq(field(*prev, &after), u));
            let some = Formula::all([
                Formula::eq(field(*prev, x), px.clone()),
                Formula::In(py.clone(), cells),
                Formula::eq(field(*next, py), y.clone()),
                inverse,
            ]);
            let empty = Formula::eq(x.clone(), y.clone());
            Formula::all([
                reach(*next, *at, x, y),
                Formula::Implies(Box::new(empty.clone()), Box::new(Formula::eq(px.clone(), py.clone()))),
                Formula::Or(vec![empty, some]),
            ])
        }
        other => other.clone(),
    }
}
