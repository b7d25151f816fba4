//! Programs whose parts are known.

use super::parts;
use crate::frontend::c;
use crate::program::{Check, Command, Program, Question};

fn parts_of(body: &str, checks: &[Check]) -> (Program, Vec<Program>) {
    let text = format!(
        "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n\
         struct n {{ int d; struct n *nx; }};\nint main(void) {{ {body} return 0; }}\n"
    );
    let unit = c::load("parts.c", text.as_bytes(), &c::Options::default());
    let program = unit.functions[0].program.clone().expect("it can be lowered");
    let question = Question { contract: 0, checks: checks.to_vec() };
    let found = parts(&program, &question);
    found.iter().for_each(|part| part.validate().expect("a part is a program"));
    (program, found)
}

fn count(program: &Program, of: fn(&Command) -> bool) -> usize {
    program.edges.iter().filter(|e| of(&e.command)).count()
}

const ALLOCATES: fn(&Command) -> bool = |c| matches!(c, Command::Alloc { .. });

#[test]
fn lists_that_never_meet_are_parts_even_if_they_share_a_temporary() {
    let body = "struct n *a = NULL, *b = NULL, *t;
        while (__VERIFIER_nondet_int()) { t = malloc(sizeof *t); t->nx = a; a = t; }
        while (__VERIFIER_nondet_int()) { t = malloc(sizeof *t); t->nx = b; b = t; }
        while (a) { t = a->nx; free(a); a = t; }
        while (b) { t = b->nx; free(b); b = t; }";
    let (whole, found) = parts_of(body, &[Check::Memsafety, Check::Leaks]);
    assert_eq!((count(&whole, ALLOCATES), found.len()), (2, 2));
    for part in &found {
        assert_eq!(count(part, ALLOCATES), 1);
        assert!(part.locations < whole.locations, "{} of {}", part.locations, whole.locations);
    }
}

#[test]
fn lists_that_are_joined_are_one_part() {
    let body =
        "struct n *a = malloc(sizeof *a), *b = malloc(sizeof *b); a->nx = b; b->nx = NULL; free(b); free(a);";
    let (_, found) = parts_of(body, &[Check::Memsafety, Check::Leaks]);
    assert_eq!(found.len(), 1);
    assert_eq!(count(&found[0], ALLOCATES), 2);
}

#[test]
fn an_integer_that_decides_what_runs_stays() {
    let body = "int f = __VERIFIER_nondet_int(), g = __VERIFIER_nondet_int();
        struct n *a = malloc(sizeof *a), *b = malloc(sizeof *b);
        if (f) free(a);
        if (g) free(b);
        if (!f) free(a);";
    let (_, found) = parts_of(body, &[Check::Memsafety]);
    let tests = |part: &Program| count(part, |c| matches!(c, Command::Assume(_)));
    // Both branches of one test, and of two.
    assert_eq!(found.iter().map(tests).max(), Some(4), "{found:?}");
    assert_eq!(found.iter().map(tests).min(), Some(2), "{found:?}");
}

#[test]
fn what_is_not_asked_about_is_no_part() {
    let body = "struct n *a = malloc(sizeof *a); int k = __VERIFIER_nondet_int(); a->d = k; if (k > 3) reach_error();";
    let (_, found) = parts_of(body, &[Check::Asserts]);
    assert_eq!(found.len(), 1);
    assert_eq!(count(&found[0], ALLOCATES), 0);
}

#[test]
fn whether_a_program_ends_is_not_asked_of_parts() {
    assert!(parts_of("while (__VERIFIER_nondet_int()) { }", &[Check::Termination]).1.is_empty());
}
