//! Annotations become the formulas that they are meant to be.

use crate::frontend::c::{Options, load};
use crate::program::{
    At, Cmp, Command, FieldId, Formula, Program, Set, StructId, Target, Term, VarId, VarKind,
};

const HEAD: &str = "struct node { int data; struct node *next, *prev; }; struct node *root; int total;\n";

fn read(text: &str) -> Vec<Program> {
    let unit = load("t.c", format!("{HEAD}{text}").as_bytes(), &Options::default());
    assert!(unit.diagnostics.is_empty(), "{text}\n{:#?}", unit.diagnostics);
    unit.functions.into_iter().map(|f| f.program.expect("no diagnostics")).collect()
}

fn one(text: &str) -> Program {
    read(text).into_iter().next().expect("one function")
}

fn requires(formula: &str) -> (Program, Formula) {
    let program =
        one(&format!("/*@ requires {formula}; @*/ void f(struct node *x, struct node *y, int k) {{ }}"));
    let found = program.contracts[0].requires[0].formula.clone();
    (program, found)
}

fn var(program: &Program, name: &str) -> VarId {
    program.var_named(name).unwrap_or_else(|| panic!("no variable {name}"))
}

fn field(program: &Program, name: &str) -> FieldId {
    program.field_named(StructId(0), name).unwrap_or_else(|| panic!("no field {name}"))
}

/// The formula for x, y and the field `next`.
type Expected<'a> = &'a dyn Fn(Term, Term, FieldId) -> Formula;

#[test]
fn the_vocabulary() {
    let cases: &[(&str, Expected)] = &[
        ("x -next*-> y", &|x, y, n| Formula::Reach { field: n, at: At::Now, from: x, to: y, plus: false }),
        ("\\reach(next, x, y)", &|x, y, n| Formula::Reach {
            field: n,
            at: At::Now,
            from: x,
            to: y,
            plus: false,
        }),
        ("x -next+-> y", &|x, y, n| Formula::Reach { field: n, at: At::Now, from: x, to: y, plus: true }),
        ("\\list(next, x)", &|x, _, n| Formula::Reach {
            field: n,
            at: At::Now,
            from: x,
            to: Term::Null(StructId(0)),
            plus: false,
        }),
        ("\\cyclic(next, x)", &|x, _, n| Formula::Reach {
            field: n,
            at: At::Now,
            from: x.clone(),
            to: x,
            plus: true,
        }),
        ("\\btwn(next, x, y, NULL)", &|x, y, n| Formula::Between(n, At::Now, x, y, Term::Null(StructId(0)))),
        ("\\valid(x)", &|x, _, _| Formula::Valid(x, At::Now)),
        ("\\stable(next, y)", &|_, y, n| Formula::Stable(n, At::Now, y)),
        ("x \\in \\cells(next, y, NULL)", &|x, y, n| {
            Formula::In(x, Set::Cells(n, At::Now, Box::new(y), Box::new(Term::Null(StructId(0)))))
        }),
        ("{x} == \\empty", &|x, _, _| Formula::SameSet(Set::Of(vec![x]), Set::Of(vec![]))),
        ("x->next != y", &|x, y, n| Formula::Compare(Cmp::Ne, Term::Field(n, At::Now, Box::new(x)), y)),
        ("x", &|x, _, _| Formula::ne(x, Term::Null(StructId(0)))),
        ("x == 0", &|x, _, _| Formula::eq(x, Term::Null(StructId(0)))),
    ];
    for (text, expected) in cases {
        let (program, found) = requires(text);
        let (x, y) = (Term::Var(var(&program, "x"), At::Now), Term::Var(var(&program, "y"), At::Now));
        assert_eq!(found, expected(x, y, field(&program, "next")), "{text}");
    }
}

#[test]
fn precedence_is_that_of_the_reference() {
    let (_, found) = requires("k == 1 && k == 2 ==> k == 3 || k == 4 <==> k == 5");
    let Formula::Iff(left, _) = found else { panic!("{found:?}") };
    let Formula::Implies(a, b) = *left else { panic!("{left:?}") };
    assert!(matches!(*a, Formula::And(_)) && matches!(*b, Formula::Or(_)));
    let (_, found) = requires("k == 1 ==> k == 2 ==> k == 3");
    let Formula::Implies(_, right) = found else { panic!("{found:?}") };
    assert!(matches!(*right, Formula::Implies(..)), "implication associates to the right");
    let (_, found) = requires("\\forall struct node *u; u != NULL && x -next*-> u ==> u->data <= k");
    let Formula::Forall(binder, body) = found else { panic!("{found:?}") };
    assert_eq!(binder.of, Some(StructId(0)));
    assert!(matches!(*body, Formula::Implies(..)));
}

#[test]
fn moments_are_written_out() {
    let program = one("/*@ ensures \\result == x && root == \\old(root) && x->next == \\old(x->next); @*/\n\
         struct node *f(struct node *x) { struct node *y = x; /*@ loop invariant \\old(x) == x; @*/ while (y) y = y->next; return x; }");
    let Formula::And(parts) = &program.contracts[0].ensures[0].formula else { panic!("a conjunction") };
    let (x, root, result) = (var(&program, "x"), var(&program, "root"), program.result().expect("returns"));
    let next = field(&program, "next");
    // A parameter in a postcondition is its entry value; the heap is the present one.
    assert_eq!(parts[0], Formula::eq(Term::Var(result, At::Now), Term::Var(x, At::Entry)));
    assert_eq!(parts[1], Formula::eq(Term::Var(root, At::Now), Term::Var(root, At::Entry)));
    let at = |at| Term::Field(next, at, Box::new(Term::Var(x, At::Entry)));
    assert_eq!(parts[2], Formula::eq(at(At::Now), at(At::Entry)));
    let invariant = &program.loops[0].invariants[0].formula;
    assert_eq!(*invariant, Formula::eq(Term::Var(x, At::Entry), Term::Var(x, At::Now)));
}

#[test]
fn predicates_are_expanded_at_their_moment() {
    let program = one("/*@ predicate p(struct node *a) = a != root ==> a->next == root; @*/\n\
         /*@ ensures \\old(p(x)); @*/ void f(struct node *x) { }");
    let (x, root, next) = (var(&program, "x"), var(&program, "root"), field(&program, "next"));
    let entry = |v| Term::Var(v, At::Entry);
    let expected = Formula::Implies(
        Box::new(Formula::ne(entry(x), entry(root))),
        Box::new(Formula::eq(Term::Field(next, At::Entry, Box::new(entry(x))), entry(root))),
    );
    assert_eq!(program.contracts[0].ensures[0].formula, expected);
}

#[test]
fn behaviours_share_the_clauses_outside() {
    let program = one(
        "/*@ requires k >= 0; logic int c; behavior zero: requires k == 0; ensures \\result == c; assigns \\nothing;\n\
             behavior more: requires k > 0; @*/ int f(int k) { return 0; }",
    );
    let found: Vec<_> = program
        .contracts
        .iter()
        .map(|c| (c.behavior.as_deref(), c.requires.len(), c.assigns.clone()))
        .collect();
    assert_eq!(found, [(Some("zero"), 2, Some(vec![])), (Some("more"), 2, None)]);
    assert!(program.vars.iter().any(|v| v.kind == VarKind::Logic && v.name == "c"));
}

#[test]
fn assigns_tracks_and_ghosts() {
    let program = one("struct g { struct g *next; /*@ ghost struct g *back; @*/ };\n\
         /*@ shape list(next); @*/\n\
         /*@ assigns total, x->next, \\cells(next, x, NULL)->back; track total > 0; @*/\n\
         void f(struct g *x) {\n\
           /*@ track (struct g *v) v != NULL, x -next*-> v; @*/ while (x) x = x->next;\n\
           /*@ ghost if (x != NULL) x->back = x; @*/ }");
    let assigns = program.contracts[0].assigns.as_ref().expect("given");
    assert!(matches!(assigns[..], [Target::Var(_), Target::Field(..), Target::Fields(..)]), "{assigns:?}");
    assert_eq!(program.tracks.iter().filter(|t| t.at.is_none()).count(), 1);
    assert_eq!(program.tracks.iter().filter(|t| t.at.is_some() && t.object.is_some()).count(), 2);
    assert_eq!(program.shapes.len(), 1, "the other struct with such a field is not in this program");
    let back = program.fields.iter().position(|f| f.ghost && f.name == "back").expect("a ghost field");
    let stores = |c: &Command| matches!(c, Command::Store { field, .. } if field.index() == back);
    assert!(program.edges.iter().any(|e| stores(&e.command)));
}

#[test]
fn calls_by_contract_and_inlined() {
    let text = "struct l { int d; struct l *n; };\n\
        /*@ requires \\valid(x); assigns x->d; ensures x->d == \\old(x->d) + 1 && \\result == x; @*/\n\
        struct l *inc(struct l *x) { x->d = x->d + 1; return x; }\n\
        /*@ requires \\list(n, y) && y != NULL; ensures \\result->d == 1; @*/\n\
        struct l *twice(struct l *y) { y->d = 0; return inc(y); }";
    let whole = format!("struct none {{ int a; }};\n{text}");
    let unit = load("t.c", whole.as_bytes(), &Options::default());
    let programs: Vec<_> = unit.functions.into_iter().map(|f| f.program.expect("supported")).collect();
    let twice = &programs[1];
    let kinds = |p: &Program, f: &dyn Fn(&Command) -> bool| p.edges.iter().filter(|e| f(&e.command)).count();
    assert_eq!(kinds(twice, &|c| matches!(c, Command::Scramble { frees: false, .. })), 1);
    assert_eq!(kinds(twice, &|c| matches!(c, Command::Suppose(_))), 1);
    assert_eq!(
        kinds(twice, &|c| matches!(c, Command::Assert { what, .. } if what.starts_with("precondition"))),
        2
    );
    let options = Options { inline_contracts: true, ..Options::default() };
    let unit = load("t.c", whole.as_bytes(), &options);
    let inlined = unit.functions[1].program.as_ref().expect("supported");
    assert_eq!(kinds(inlined, &|c| matches!(c, Command::Scramble { .. })), 0);
    assert_eq!(kinds(inlined, &|c| matches!(c, Command::Store { .. })), 2);
}

#[test]
fn recursion_needs_a_contract() {
    let text = "struct l { struct l *n; };\n\
        /*@ requires \\list(n, x); ensures \\result >= 0; @*/\n\
        int length(struct l *x) { if (!x) return 0; return 1 + length(x->n); }";
    for inline_contracts in [false, true] {
        let options = Options { inline_contracts, ..Options::default() };
        let unit = load("t.c", text.as_bytes(), &options);
        assert!(unit.functions[0].program.is_ok(), "{:#?}", unit.diagnostics);
    }
}

#[test]
fn a_broken_contract_is_not_used_for_calls() {
    let text = "struct l { int d; struct l *n; };\n\
        /*@ requires x->nothing == 1; @*/ void g(struct l *x) { }\n\
        /*@ ensures \\true; @*/ void f(struct l *x) { g(x); }";
    let unit = load("t.c", text.as_bytes(), &Options::default());
    assert!(unit.functions.iter().all(|f| f.program.is_err()));
}

#[test]
fn patterns_are_postconditions() {
    let text = "/*@ pattern (struct node *a, *b) x -next*-> a && a->next == b; pattern \\result == NULL; @*/\n\
        struct node *f(struct node *x) { return x; }";
    let program = one(text);
    let next = field(&program, "next");
    let [pair, alone] = &program.contracts[0].ensures[..] else { panic!("two clauses") };
    let Formula::Forall(a, inner) = &pair.formula else { panic!("{pair:?}") };
    let Formula::Forall(b, inner) = &**inner else { panic!("{pair:?}") };
    let (ta, tb) = (Term::Bound(a.id), Term::Bound(b.id));
    let x = Term::Var(var(&program, "x"), At::Entry);
    let body = Formula::And(vec![
        Formula::Reach { field: next, at: At::Now, from: x, to: ta.clone(), plus: false },
        Formula::eq(Term::Field(next, At::Now, Box::new(ta.clone())), tb.clone()),
    ]);
    let parts = vec![
        Formula::Valid(ta.clone(), At::Now),
        Formula::Valid(tb.clone(), At::Now),
        Formula::ne(ta, tb),
        body,
    ];
    assert_eq!(**inner, Formula::Not(Box::new(Formula::And(parts))));
    assert!(matches!(&alone.formula, Formula::Not(_)), "{alone:?}");
    for wrong in
        ["pattern (int k) k > 0;", "pattern (struct node *a) a->nothing == a;", "pattern (struct node *a);"]
    {
        let text = format!("{HEAD}/*@ {wrong} @*/ void f(struct node *x) {{ }}");
        let unit = load("t.c", text.as_bytes(), &Options::default());
        assert!(!unit.diagnostics.is_empty(), "{wrong}");
    }
}

/// A contract clause and a part of what is said about it.
const SLIPS: &[(&str, &str, &str)] = &[
    ("requires \\lst(next, x);", "`\\lst` is not known", "did you mean `\\list`?"),
    ("require x != NULL;", "is not a clause", "did you mean `requires`?"),
    ("ensure x != NULL;", "is not a clause", "did you mean `ensures`?"),
    ("requires \\Old(x) == x;", "not known", "did you mean `\\old`?"),
    ("requires list(next, x);", "is no predicate", "did you mean `\\list`?"),
    ("requires x ->next*-> y;", "found `->`", "`x -next*-> y`"),
    ("requires x -next-> y;", "a number is expected", "`x->next == y`"),
    ("invariant x != NULL;", "belongs to a loop", "loop invariant"),
    ("loop invariants k > 0;", "after `loop`", "did you mean `loop invariant`?"),
    ("requires k > 0 and k < 3;", "no operator", "did you mean `&&`?"),
    ("requires forall int i; i > k;", "backslash", "did you mean `\\forall`?"),
    ("requires \\base_addr(x) == x;", "not modelled", "`p == q`"),
    ("requires \\block_length(x) == k;", "not modelled", "`\\valid(p + (0..n - 1))`"),
    ("ensures \\initialized(x);", "not modelled", "reported"),
    ("requires \\valid(x + (0..k));", "several objects", "`\\valid(p)`"),
    ("assumes k > 0;", "into a behaviour", "`requires`"),
    ("complete behaviors a;", "no behaviour `a`", ""),
    ("complete;", "expected `behaviors`", ""),
    ("logic integer c; requires k == c;", "without bounds", "logic long long c"),
    ("exits k > 0;", "`exits` is not modelled", "`ensures`"),
    ("assigns total \\from k;", "depend on", ""),
    ("requires k == 1", "`;` is missing", ""),
    ("frees k;", "a pointer to a struct", ""),
];

#[test]
fn slips_are_answered_with_what_is_meant() {
    for (clause, message, help) in SLIPS {
        let text = format!("{HEAD}/*@ {clause} @*/ void f(struct node *x, struct node *y, int k) {{ }}");
        let unit = load("t.c", text.as_bytes(), &Options::default());
        let fits = |d: &crate::frontend::diagnostic::Diagnostic| {
            d.message.contains(message) && d.help.as_deref().unwrap_or("").contains(help)
        };
        let found = unit.diagnostics.iter().find(|d| fits(d));
        let found = found.unwrap_or_else(|| panic!("{clause}: {:#?}", unit.diagnostics));
        assert_eq!(unit.sources.location(found.span).line, 2, "{clause}");
    }
}

#[test]
fn definitions_without_a_model_are_one_complaint() {
    let text = "/*@ axiomatic Length { logic integer length{L}(struct node *l) reads l->next;\n\
          axiom nil: length(NULL) == 0; predicate odd(integer n); } @*/\n\
        /*@ lemma l: \\forall integer x; x == x; @*/\n\
        /*@ ensures \\result == 1; @*/ int one(void) { return 1; }\n\
        /*@ requires length(x) == 1 && odd(k); @*/ void f(struct node *x, int k) { }";
    let unit = load("t.c", format!("{HEAD}{text}").as_bytes(), &Options::default());
    assert!(!unit.has_errors(), "{:#?}", unit.diagnostics);
    assert!(unit.functions[0].program.is_ok() && unit.functions[1].program.is_err());
    let about = |word: &str| unit.diagnostics.iter().filter(|d| d.message.contains(word)).count();
    assert_eq!((about("`axiomatic`"), about("`lemma`")), (1, 1), "{:#?}", unit.diagnostics);
}
