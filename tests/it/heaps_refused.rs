//! What `heaps` must not believe: predicates that are none, contracts that nothing satisfies, fathers that are not kept.

use catena::analysis::{Setup, heaps};
use catena::frontend::c;
use catena::program::Question;
use catena::verdict::Verdict;

/// The verdict on a text.
fn verdict_of(text: &str) -> String {
    let unit = c::load("text.c", text.as_bytes(), &c::Options::default());
    if unit.has_errors() {
        return "rejected".to_owned();
    }
    let function = unit.functions.iter().find(|f| f.name != "main").expect("a function with a contract");
    match &function.program {
        Ok(program) => {
            let outcome = heaps::run(program, &Question::of_contract(0), &Setup::default(), &|_| {});
            outcome.verdict.word().to_owned()
        }
        Err(_) => "rejected".to_owned(),
    }
}

/// Predicates that are no predicates of objects, and preconditions that nothing satisfies: never verified by accident.
#[test]
fn bad_predicates_and_empty_preconditions() {
    let with = |requires: &str, track: &str| {
        format!(
            "struct node {{ int data; struct node *next; }};
             /*@ requires {requires}; ensures \\result == 7; @*/
             int f(struct node *l) {{
               struct node *p = l;
               /*@ track {track}; @*/
               while (p != 0) p = p->next;
               return 3;
             }}"
        )
    };
    let list = "\\list(next, l)";
    for track in
        ["(struct node *v) v + 1", "(struct node *v) v->nothing == 0", "(int v) v -next*-> l", "p->data"]
    {
        let verdict = verdict_of(&with(list, track));
        assert!(["rejected", "violated", "unknown"].contains(&verdict.as_str()), "{track}: {verdict}");
    }
    assert_eq!(verdict_of(&with(list, "(struct node *v) p -next*-> v")), "violated");
    // Contradictory: everything follows, and the verdict must not claim anything.
    for requires in ["l != l", "\\list(next, l) && l != \\null && l->next == l"] {
        let verdict = verdict_of(&with(requires, "(struct node *v) p -next*-> v"));
        assert_eq!(verdict, "unknown", "{requires}");
    }
}

/// A predicate that the logic cannot express is named with its place where the others are not enough, and does no harm
/// where they are.
#[test]
fn a_predicate_that_cannot_be_expressed_has_its_place() {
    let asked = |ensures: &str| {
        let text = format!(
            "struct node {{ int mark; struct node *l, *r; }};
             /*@ requires \\tree(l, r, t) && \\list(l, t); ensures {ensures}; @*/
             void f(struct node *t) {{
               struct node *c = t;
               /*@ track c != \\null, \\tree(l, r, c); @*/
               while (c) {{ c->mark = 1; c = c->l; }}
             }}"
        );
        let unit = c::load("text.c", text.as_bytes(), &c::Options::default());
        let program = unit.functions[0].program.clone().expect("lowered");
        let verdict = heaps::run(&program, &Question::of_contract(0), &Setup::default(), &|_| {}).verdict;
        (text, verdict)
    };
    let (text, verdict) = asked("\\tree(l, r, t)");
    let Verdict::Unknown(reason) = &verdict else { panic!("{verdict:?}") };
    let span = reason.span.expect("a place");
    assert_eq!(&text[span.start as usize..span.end as usize], "\\tree(l, r, c)", "{reason:?}");
    let (_, verdict) = asked("\\forall struct node *u; u \\in \\cells(l, t, \\null) ==> u->mark == 1");
    assert_eq!(verdict.word(), "verified", "{verdict:?}");
}

/// A ghost father changes by ghost statements only: without them, with half of them, or where a child has two fathers in
/// between, what the contract says of it is not proved, and a run shows why.
#[test]
fn a_father_that_is_not_kept_is_not_believed() {
    let text = std::fs::read_to_string(crate::root().join("tests/programs/bohne/tree_add.c"));
    let text = text.expect("a readable program");
    let update = "/*@ ghost e->par = p; @*/";
    assert_eq!(text.matches(update).count(), 2);
    for broken in [
        text.replace(update, ""),
        text.replacen(update, "", 1),
        text.replace(update, "/*@ ghost e->par = root; @*/"),
        text.replace(update, "/*@ ghost p->par = e; @*/"),
    ] {
        assert_eq!(verdict_of(&broken), "violated");
    }
}
