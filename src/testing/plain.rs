//! The two interpreters as a pair: what the plain one of `certify` says about all runs of a program is held against the
//! one that the engines use.

use crate::certify::{Unmade, all_runs};
use crate::frontend::c;
use crate::program::explore::{self, Bound, Found};
use crate::program::initialised::uninitialised_read;
use crate::program::interp::{End, Machine, Nothing};
use crate::program::{Check, Program, Question, State};
use crate::testing::{ends, whole};
use crate::util::limits::Budget;

/// Commands of all runs of a program, at most.
const MOST: u64 = 20_000;

/// The program of a seed: with loops that end or do not, or with cells that are handed on and lost.
#[must_use]
pub fn random_text(seed: u64) -> String {
    if seed.is_multiple_of(2) { whole::random_text(seed) } else { ends::sample(seed).text }
}

/// Compares both on the program of a seed.
pub fn check_plain(seed: u64) -> Result<&'static str, String> {
    let text = random_text(seed);
    let unit = c::load("case.c", text.as_bytes(), &c::Options::default());
    let main = unit.functions.iter().find(|f| f.name == "main").ok_or_else(|| format!("no main\n{text}"))?;
    let Ok(program) = &main.program else { return Ok("unknown") };
    let mut checks = vec![Check::Memsafety, Check::Asserts, Check::Ensures];
    if seed.is_multiple_of(3) {
        checks.push(Check::Leaks);
    }
    compare(program, &Question { contract: 0, checks }).map_err(|why| format!("{why}\n{text}"))
}

/// The verdict on which both agree; `unknown` if the plain one has none.
///
/// # Errors
/// How they contradict each other.
pub fn compare(program: &Program, question: &Question) -> Result<&'static str, String> {
    let plain = all_runs(program, question, MOST);
    let bound = Bound { cells: 3, commands: 50_000, ..Bound::default() };
    let found = explore::search(program, question, &bound, &mut Budget::unlimited());
    if let (Ok(runs), Found::Violation(trace)) = (&plain, &found) {
        return Err(format!("all {} runs are good, but {}", runs.runs, trace.failure.message));
    }
    let alone = if uninitialised_read(program, question).is_none() {
        let machine = Machine::new(program, question);
        machine.run(&mut machine.start_strict(State::new(program)), &mut Nothing, MOST)
    } else {
        End::Steps
    };
    match (plain, alone) {
        (Ok(_), End::Failed(failure)) => Err(format!("good, but {}", failure.message)),
        (Err(Unmade::Fails(_, message)), end @ (End::Exit | End::Halted | End::Blocked)) => {
            Err(format!("fails, {message}, but the only run ends: {end:?}"))
        }
        (Err(Unmade::Fails(check, message)), End::Failed(failure)) if check != failure.check => {
            Err(format!("fails, {message}, but also: {}", failure.message))
        }
        (Ok(_), _) => Ok("verified"),
        (Err(Unmade::Fails(..)), _) => Ok("violated"),
        (Err(Unmade::Refused(_)), _) => Ok("unknown"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_interpreters_agree_on_random_programs() {
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..400 {
            let word = check_plain(seed).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            *counts.entry(word).or_insert(0) += 1;
        }
        assert!(counts["verified"] > 40 && counts["violated"] > 40, "{counts:?}");
    }

    fn all(text: &str, checks: &[Check]) -> Result<(u64, u64), Unmade> {
        let unit = c::load("case.c", text.as_bytes(), &c::Options::default());
        let main = unit.functions.iter().find(|f| f.name == "main").expect("there is a main");
        let program = main.program.as_ref().expect("it is lowered");
        let question = Question { contract: 0, checks: checks.to_vec() };
        all_runs(program, &question, MOST).map(|runs| (runs.runs, runs.steps))
    }

    const HEAD: &str = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n\
        struct node { int key; struct node *next; };\n";

    #[test]
    fn every_value_of_an_input_is_followed() {
        let asserts = [Check::Memsafety, Check::Asserts];
        let text = |bound: u32| {
            format!(
                "{HEAD}int main(void) {{ int n = __VERIFIER_nondet_int(); struct node *l = NULL; int i = 0;\n\
                 if (n < 0 || n > 5) return 0;\n\
                 while (i < n) {{ struct node *t = malloc(sizeof *t); t->key = i; t->next = l; l = t; i = i + 1; }}\n\
                 while (l != NULL) {{ struct node *t = l; /*@ assert l->key < {bound}; @*/ l = l->next; free(t); }}\n\
                 return 0; }}"
            )
        };
        let (runs, _) = all(&text(5), &asserts).expect("all runs are good");
        assert!(runs >= 7, "one for each length and one outside: {runs}");
        assert!(matches!(all(&text(4), &asserts), Err(Unmade::Fails(Check::Asserts, _))));
    }

    #[test]
    fn what_nobody_wrote_is_refused_or_open() {
        let checks = [Check::Memsafety, Check::Asserts];
        let body =
            |b: &str| format!("{HEAD}int main(void) {{ struct node *x = malloc(sizeof *x); {b} return 0; }}");
        let found = all(&body("if (x->next != NULL) x->key = 1;"), &checks);
        assert!(matches!(found, Err(Unmade::Refused(_))), "{found:?}");
        // A number that nobody wrote has all values.
        let found = all(&body("/*@ assert x->key != 7; @*/"), &checks);
        assert!(matches!(found, Err(Unmade::Fails(Check::Asserts, _))), "{found:?}");
        assert!(all(&body("/*@ assert x->key != 7 || x->key == 7; @*/"), &checks).is_ok());
        // There are cells that were never allocated.
        let found = all(&body("/*@ assert \\forall struct node *u; u == NULL || \\valid(u); @*/"), &checks);
        assert!(matches!(found, Err(Unmade::Fails(Check::Asserts, _))), "{found:?}");
    }

    #[test]
    fn endless_runs_are_refused() {
        let text = format!("{HEAD}int main(void) {{ while (1) {{ }} return 0; }}");
        assert!(matches!(all(&text, &[Check::Memsafety]), Err(Unmade::Refused(_))));
    }

    #[test]
    fn what_is_lost_is_found() {
        let text = |free: &str| {
            format!(
                "{HEAD}int main(void) {{ struct node *x = malloc(sizeof *x); x->next = NULL;\n\
                 if (__VERIFIER_nondet_int() == 3) {{ {free} }} else free(x); return 0; }}"
            )
        };
        assert_eq!(all(&text("free(x);"), &[Check::Memsafety, Check::Leaks]).map(|r| r.0 > 1), Ok(true));
        let found = all(&text(""), &[Check::Memsafety, Check::Leaks]);
        assert!(matches!(found, Err(Unmade::Fails(Check::Leaks, _))), "{found:?}");
    }
}
