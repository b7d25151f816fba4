//! What is printed, word for word.

use super::*;
use crate::program::samples::{KEY, NEXT, NODE, Sample};
use crate::program::{LabelId, VarKind};

#[test]
fn formulas_read_like_annotations() {
    let mut s = Sample::new("f");
    let (x, y) = (s.pointer("x", VarKind::Param), s.pointer("u", VarKind::Local));
    let i = s.int("i", VarKind::Local);
    let p = &mut s.program;
    p.labels.push("L".to_owned());
    let (now, then) = (|v| Term::Var(v, At::Now), |v| Term::Var(v, At::Entry));
    let field = |f, at, t| Term::Field(f, at, Box::new(t));
    let reach = |at, from, to| Formula::Reach { field: NEXT, at, from, to, plus: false };
    let id = p.add_bound();
    let binder = Binder { id, name: "u".to_owned(), of: Some(NODE) };
    let cells = |at, a, b| Set::Cells(NEXT, at, Box::new(a), Box::new(b));
    let null = || Term::Null(NODE);
    let cases = [
        (reach(At::Now, now(x), null()), "\\list(next, x)"),
        (reach(At::Now, now(x), now(y)).negate(), "!(x -next*-> u)"),
        (reach(At::Entry, then(x), then(y)), "\\old(x -next*-> u)"),
        (Formula::eq(field(NEXT, At::Entry, then(x)), now(y)), "\\old(x->next) == u"),
        (
            Formula::eq(field(KEY, At::Entry, now(y)), now(i)),
            "(\\forall struct node *v1; v1 == u ==> \\old(v1->key) == i)",
        ),
        (
            Formula::Forall(
                binder,
                Box::new(Formula::Implies(
                    Box::new(Formula::In(Term::Bound(id), cells(At::Entry, then(x), null()))),
                    Box::new(Formula::Or(vec![
                        Formula::Const(false),
                        Formula::And(vec![Formula::Const(true), Formula::eq(Term::Bound(id), now(x))]),
                    ])),
                )),
            ),
            "\\forall struct node *u2; u2 \\in \\old(\\cells(next, x, NULL)) ==> \\false || (\\true && u2 == x)",
        ),
        (
            Formula::Compare(
                Cmp::Le,
                Term::Binary(BinOp::Add, Box::new(now(i)), Box::new(Term::Int(-1))),
                Term::Var(i, At::Label(LabelId(0))),
            ),
            "i + (-1) <= \\at(i, L)",
        ),
    ];
    for (f, text) in cases {
        assert_eq!(formula(&s.program, &f), text);
    }
}
