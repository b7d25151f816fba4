//! The front door: terms nest, every term has a value, mistakes are values, limits hold, C is judged.

use catena::findings::{Content, Severity, Status, VerifyError};
use catena::{
    Answer, CancelToken, Engine, Error, Limits, Model, Reason, Solver, Sort, Stop, Term, Value, Verdict,
    Verifier,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

fn model(s: &Solver) -> Model<'_> {
    match s.check().expect("well-formed") {
        Answer::Sat(model) => model,
        other => panic!("satisfiable, not {other:?}"),
    }
}

#[test]
fn every_kind_of_term_has_a_value() {
    let mut s = Solver::new();
    let cell = s.sort("Cell");
    let (next, data) = (s.function("next", [cell], cell), s.function("data", [cell], Sort::INT));
    let marked = s.function("marked", [cell], Sort::BOOL);
    let (x, y, z) = (s.constant("x", cell), s.constant("y", cell), s.constant("z", cell));
    let (n, p) = (s.constant("n", Sort::INT), s.constant("p", Sort::BOOL));
    s.assert(s.and([s.distinct([x, y, z]), s.between(next, x, y, z), s.eq(s.app(next, [z]), z)]))
        .expect("closed");
    s.assert(s.lt(s.add([s.mul(s.int(3), n), s.int(1)]), s.app(data, [s.app(next, [x])]))).expect("closed");
    s.assert(s.implies(p, s.app(marked, [x]))).expect("closed");
    s.assert(s.and([p, s.le(s.int(7), n), s.le(n, s.int(7))])).expect("closed");
    let u = s.variable("u", cell);
    s.assert(s.forall([u], s.implies(s.reach(next, x, u), s.reach(next, u, z)))).expect("closed");
    let model = model(&s);
    let value = |term: Term| model.value(term).expect("it is closed");
    // Constants, numbers, applications, sums, formulas, quantifiers, and terms nobody asserted.
    assert_eq!(value(n), Value::Int(7.into()));
    assert_eq!(value(s.sub(s.mul(n, s.int(10)), s.int(1))).as_i64(), Some(69));
    assert_eq!(value(p).as_bool(), Some(true));
    assert!(value(s.app(data, [s.app(next, [x])])).as_i64() > Some(22));
    assert_eq!(value(s.app(next, [z])), value(z));
    assert_eq!(value(s.ite(p, x, y)), value(x));
    for holds in [
        s.app(marked, [x]),
        s.reach(next, x, z),
        s.xor(p, s.not(p)),
        s.or([s.eq(x, y), s.bool(true)]),
        s.exists([u], s.eq(u, y)),
        s.forall([u], s.reach(next, u, u)),
    ] {
        assert_eq!(value(holds), Value::Bool(true));
    }
    let Value::Element { sort, index } = value(y) else { panic!("a cell") };
    assert_eq!(sort, cell);
    assert!(index < model.size(cell).expect("a sort") && model.size(cell).expect("a sort") >= 3);
    assert_eq!(value(x).to_string().chars().next(), Some('#'));
    // What has no value says so.
    assert!(matches!(model.value(s.reach(next, u, x)), Err(Error::Value(_))));
    let (i, j) = (s.variable("i", Sort::INT), s.variable("j", Sort::INT));
    let open = s.forall([i, j], s.le(s.add([i, j]), n));
    assert!(matches!(model.value(open), Err(Error::Value(_))), "a quantifier over two integers");
}

#[test]
fn models_are_enumerated() {
    let mut s = Solver::new();
    let n = s.constant("n", Sort::INT);
    s.assert(s.and([s.le(s.int(1), n), s.lt(n, s.int(5))])).expect("closed");
    let mut found = Vec::new();
    // A formula may be asserted as soon as the model is not used any more.
    while let Answer::Sat(model) = s.check().expect("closed") {
        let value = model.value(n).expect("closed").as_i64().expect("small");
        found.push(value);
        s.assert(s.not(s.eq(n, s.int(value)))).expect("closed");
    }
    found.sort_unstable();
    assert_eq!(found, [1, 2, 3, 4]);
}

/// Whether an error is the one that was provoked.

#[test]
fn mistakes_are_values() {
    let mut s = Solver::new();
    let cell = s.sort("Cell");
    let next = s.function("next", [cell], cell);
    let (x, n) = (s.constant("x", cell), s.constant("n", Sort::INT));
    // Deep inside a nest, and reported once by the next assertion.
    let wrong = s.not(s.eq(s.app(next, [s.ite(s.bool(true), x, n)]), x));
    assert!(matches!(s.assert(s.bool(true)), Err(Error::Build(_))));
    assert_eq!(s.assert(s.bool(true)), Ok(()));
    // The term itself never becomes usable.
    assert!(matches!(s.assert(wrong), Err(Error::Build(_))));
    assert!(matches!(s.assert(s.and([wrong])), Err(Error::Build(_))));
    assert!(matches!(s.check_assuming([wrong]), Err(Error::Build(_))));
    let faults: Vec<(Term, &str)> = vec![
        (s.app(next, [x, x]), "expected 1 arguments, found 2"),
        (s.constant("x", cell), "already declared"),
        (s.constant("a|b", cell), "a name must not contain"),
        (s.mul(n, n), "product of two terms"),
        (s.forall([x], s.bool(true)), "expected a variable"),
        (s.reach(s.function("f", [cell], Sort::INT), x, x), "f"),
        (s.app(s.function("next", [], cell), []), "already declared"),
        (s.constant("c", s.sort("Cell")), "already declared"),
    ];
    assert!(s.check().is_err(), "there is something to report");
    for (term, expected) in faults {
        let Err(Error::Build(error)) = s.assert(term) else { panic!("{term:?} is wrong") };
        assert!(error.contains(expected), "{error}");
    }
    // What is not a closed formula cannot be asserted or assumed.
    assert!(s.assert(x).is_err());
    assert!(s.assert(s.eq(s.variable("u", cell), x)).is_err());
    assert!(s.check_assuming([n]).is_err());
    assert_eq!(s.pop(), Err(Error::NoScope));
    assert!(matches!(s.check(), Ok(Answer::Sat(_))), "the solver is as good as before");
}

#[test]
fn foreign_handles_are_values() {
    let (mut s, t) = (Solver::new(), Solver::new());
    let (cell, theirs) = (s.sort("Cell"), t.sort("Cell"));
    let (x, y) = (s.constant("x", cell), t.constant("x", theirs));
    let f = t.function("f", [theirs], theirs);
    assert_ne!(x, y);
    for term in [s.not(y), s.and([y]), s.app(f, [x]), s.reach(f, x, x), s.constant("z", theirs), y] {
        assert_eq!(s.assert(term), Err(Error::Foreign));
    }
    assert!(matches!(s.check_assuming([y]), Err(Error::Foreign)));
    // A mistake of one solver is no mistake of another.
    let wrong = t.not(y);
    assert_eq!(s.assert(wrong), Err(Error::Foreign));
    let model = model(&s);
    assert_eq!(model.value(y), Err(Error::Foreign));
    assert_eq!(model.size(theirs), Err(Error::Foreign));
    assert_eq!(model.size(cell), Ok(1));
    assert!(t.check().is_err());
}

#[test]
fn scopes_names_assumptions_and_proofs() {
    let mut s = Solver::with_proofs();
    let cell = s.sort("Cell");
    let next = s.function("next", [cell], cell);
    let (x, y) = (s.constant("x", cell), s.constant("y", cell));
    s.assert_named("path", s.reach(next, x, y)).expect("closed");
    s.push();
    s.assert_named("loop", s.eq(s.app(next, [x]), x)).expect("closed");
    let (differ, same) = (s.distinct([x, y]), s.eq(x, x));
    match s.check_assuming([same, differ]).expect("closed") {
        Answer::Unsat(refutation) => {
            assert_eq!(refutation.names(), ["path", "loop"]);
            assert_eq!(refutation.assumptions(), [differ]);
            assert_eq!(refutation.certify(), Ok(()));
        }
        other => panic!("who steps in place reaches nobody else: {other:?}"),
    }
    s.pop().expect("it is open");
    assert!(matches!(s.check_assuming([differ]), Ok(Answer::Sat(_))));
    let mut plain = Solver::new();
    plain.assert(plain.bool(false)).expect("closed");
    let Ok(Answer::Unsat(refutation)) = plain.check() else { panic!("false is false") };
    assert_eq!(refutation.certify(), Err(Error::NoProof));
}

/// The pigeonhole principle, out of reach from a dozen holes on.
fn pigeons(s: &mut Solver, holes: usize) {
    let name = |p: usize, h: usize| format!("p{p}_{h}");
    let at: Vec<Vec<Term>> =
        (0..=holes).map(|p| (0..holes).map(|h| s.constant(&name(p, h), Sort::BOOL)).collect()).collect();
    for row in &at {
        s.assert(s.or(row.iter().copied())).expect("closed");
    }
    for hole in 0..holes {
        for (i, first) in at.iter().enumerate() {
            for second in &at[i + 1..] {
                s.assert(s.not(s.and([first[hole], second[hole]]))).expect("closed");
            }
        }
    }
}

#[test]
fn checks_keep_limits_and_are_cancelled() {
    let mut s = Solver::new();
    pigeons(&mut s, 14);
    let stopped = |s: &Solver| match s.check() {
        Ok(Answer::Unknown(Reason::Stopped(stop))) => stop,
        other => panic!("out of reach: {other:?}"),
    };
    s.set_limits(Limits { steps: Some(10_000), ..Limits::default() });
    assert_eq!(stopped(&s), Stop::Steps);
    s.set_limits(Limits { time: Some(Duration::from_millis(20)), ..Limits::default() });
    assert_eq!(stopped(&s), Stop::Deadline);
    let token = CancelToken::new();
    s.set_limits(Limits { cancel: Some(token.clone()), ..Limits::default() });
    let waiting = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        token.cancel();
    });
    // A solver may be sent to another thread.
    let answer = std::thread::spawn(move || matches!(s.check(), Ok(Answer::Unknown(_)))).join();
    assert!(answer.expect("no panic"));
    waiting.join().expect("no panic");
}

const LIST: &str = r"
struct node { int data; struct node *next; };

/*@ requires \valid(e) && \list(next, l) && !(l -next*-> e);
    ensures  \list(next, \result); @*/
struct node *push(struct node *l, struct node *e) { e->next = l; return e; }

/*@ requires \list(next, l);
    ensures  \result == 0; @*/
struct node *last(struct node *l) {
  while (l != 0) {
    l = l->next;
  }
  return l;
}

/*@ requires \list(next, l); @*/
struct node *second(struct node *l) {
  struct node *e = l;
  return e->next;
}
";

#[test]
fn a_file_is_verified_and_violated() {
    let told = Arc::new(AtomicUsize::new(0));
    let counted = told.clone();
    let verifier = Verifier::new().engine(Engine::Auto).timeout(Duration::from_secs(60)).jobs(2);
    let verifier = verifier.on_progress(move |function, text| {
        assert!(!function.is_empty() && !text.is_empty());
        counted.fetch_add(1, Ordering::Relaxed);
    });
    let report = verifier.verify("list.c", LIST).expect("it is C");
    let names: Vec<&str> = report.functions().iter().map(|f| f.function.as_str()).collect();
    assert_eq!((report.file.as_str(), &names[..]), ("list.c", &["push", "last", "second"][..]));
    assert!(!report.is_verified() && report.diagnostics().is_empty());
    assert!(told.load(Ordering::Relaxed) > 0);
    assert!(matches!(report.functions()[0].verdict(), Verdict::Verified(_)));
    assert_eq!((report.functions()[0].place.line, report.functions()[0].place.column), (6, 14));
    let Verdict::Verified(evidence) = report.functions()[1].verdict() else { panic!("{report}") };
    assert!(
        evidence.invariants.iter().all(|i| i.place.as_ref().is_some_and(|p| p.line == 11)),
        "{evidence:?}"
    );
    let Verdict::Violated(trace) = report.functions()[2].verdict() else { panic!("{report}") };
    assert!(trace.message.contains("null"), "{trace:?}");
    assert_eq!(trace.place.as_ref().map(|p| (p.line, p.file.as_str())), Some((20, "list.c")));
    assert_eq!(trace.entry.variable("l"), Some(&Content::Null), "{trace:?}");
    assert_eq!(trace.end.variable("e"), Some(&Content::Null), "{trace:?}");
    assert!(trace.entry.to_string().contains("l = NULL"), "{}", trace.entry);
    let last = trace.steps.last().expect("the step that fails");
    assert_eq!(last.source, "return e->next;");
    assert!(report.to_string().contains("list.c:second: violated"));
    let only = verifier.functions(["push"]).verify("list.c", LIST).expect("it is C");
    assert!(only.is_verified() && only.functions().len() == 1);
}

#[test]
fn a_failing_run_is_one_with_the_bodies_of_all_callees() {
    let text = r"
struct node { struct node *next; };
/*@ requires \true; ensures \true; @*/
struct node *none(void) { return 0; }
/*@ requires \true; @*/
struct node *use(void) { return none()->next; }
";
    let report = Verifier::new().functions(["use"]).verify("call.c", text).expect("it is C");
    let Verdict::Violated(trace) = report.functions()[0].verdict() else { panic!("{report}") };
    assert_eq!(trace.place.as_ref().map(|p| p.line), Some(6));
}

#[test]
fn a_weak_invariant_comes_with_a_state_and_a_hint() {
    let text = r"
/*@ requires n >= 0; ensures \result == n; @*/
int count(int n) {
  int i = 0;
  /*@ loop invariant \true; @*/
  while (i < n) {
    i = i + 1;
  }
  return i;
}
";
    let report = Verifier::new().engine(Engine::Vc).verify("weak.c", text).expect("it is C");
    let Verdict::TooWeak(weakness) = report.functions()[0].verdict() else { panic!("{report}") };
    assert_eq!(weakness.place.as_ref().map(|p| p.line), Some(2), "{weakness:?}");
    assert!(weakness.hint.as_ref().is_some_and(|h| h.contains("n >= i")), "{weakness:?}");
    let state = weakness.state.as_ref().expect("a state that is not excluded");
    assert!(matches!(state.variable("i"), Some(Content::Int(_))), "{weakness:?}");
}

#[test]
fn an_unknown_answer_has_a_place() {
    let text = "/*@ requires \\true; @*/\nint f(int *p) {\n  return (long)p > 5;\n}\n";
    let report = Verifier::new().verify("number.c", text).expect("it is C");
    let Verdict::Unknown(unknown) = report.functions()[0].verdict() else { panic!("{report}") };
    assert!(unknown.place.as_ref().is_some_and(|p| p.line >= 2), "{unknown:?}");
    assert!(report.diagnostics().iter().any(|d| d.severity == Severity::Unsupported), "{report:?}");
}

#[test]
fn wrong_input_is_rejected_with_line_and_column() {
    let verify = |text: &[u8]| Verifier::new().verify("bad.c", text);
    let Err(VerifyError::Rejected(found)) = verify(b"int f(void) {\n  return nobody;\n}\n") else {
        panic!("nobody is declared")
    };
    let error = found.iter().find(|d| d.severity == Severity::Error).expect("an error");
    assert_eq!((error.place.line, error.place.column), (2, 10), "{error}");
    assert!(error.to_string().starts_with("bad.c:2:10: "), "{error}");
    for text in [&b"\xff\xfe"[..], b"struct {", b"/*@ requires", b"\0"] {
        assert!(matches!(verify(text), Err(VerifyError::Rejected(_))), "{text:?}");
    }
    let none = verify(b"").expect("nothing is C too");
    assert!(none.functions().is_empty() && !none.is_verified());
    let missing = Verifier::new().functions(["f"]).verify("list.c", LIST);
    assert_eq!(missing.expect_err("no f").to_string(), "there is no function `f` to verify");
}

#[test]
fn what_cannot_be_called_is_warned_about() {
    let text = "/*@ requires x < 0 && x > 0; ensures \\false; @*/\nint f(int x) { return x; }\n";
    let report = Verifier::new().verify("never.c", text).expect("it is C");
    assert!(report.is_verified());
    let warning = report.diagnostics().iter().find(|d| d.code == "vacuous").expect("a warning");
    assert_eq!((warning.severity, warning.place.line), (Severity::Warning, 1));
}

#[test]
fn verification_is_cancelled() {
    let token = CancelToken::new();
    token.cancel();
    match Verifier::new().cancel(token).verify("list.c", LIST) {
        Err(VerifyError::Stopped(stop)) => assert_eq!(stop, Stop::Cancelled),
        Ok(report) => assert!(!report.is_verified()),
        Err(other) => panic!("{other}"),
    }
    // From the callback, in the middle of the work.
    let token = CancelToken::new();
    let (stop, seen) = (token.clone(), Arc::new(Mutex::new(Vec::new())));
    let names = seen.clone();
    let verifier = Verifier::new().engine(Engine::Pdr).cancel(token).functions(["last"]);
    let verifier = verifier.on_progress(move |function, _| {
        stop.cancel();
        names.lock().expect("nobody panicked").push(function.to_owned());
    });
    let start = Instant::now();
    let report = verifier.verify("list.c", LIST).expect("it was read before");
    assert!(start.elapsed() < Duration::from_secs(20));
    let seen = seen.lock().expect("nobody panicked");
    assert!(seen.iter().all(|name| name == "last"));
    let stopped = matches!(report.functions()[0].verdict(), Verdict::Unknown(_));
    assert!(stopped || seen.is_empty(), "{report}");
}

#[test]
fn states_are_values() {
    let text = r"
#include <stdlib.h>
struct node { int key; struct node *next; };
/*@ requires l != NULL && \list(next, l); @*/
int key(struct node *l) {
  struct node *old = l;
  l = l->next;
  free(old);
  return old->key;
}
";
    let report = Verifier::new().verify("freed.c", text).expect("it is C");
    let Verdict::Violated(trace) = report.functions()[0].verdict() else { panic!("{report}") };
    let cell = trace.entry.cell("l").expect("the list has a cell");
    assert_eq!((cell.kind.as_str(), cell.status), ("struct node", Status::Allocated));
    assert!(matches!(cell.field("key"), Some(Content::Int(_))));
    assert_eq!(trace.end.variable("old"), Some(&Content::Cell("l".to_owned())));
    assert_eq!(trace.end.cell("l").map(|cell| cell.status), Some(Status::Freed));
}

#[test]
fn reports_serialise() {
    let report = Verifier::new().functions(["second"]).verify("list.c", LIST).expect("it is C");
    let value = serde_json::to_value(&report).expect("plain values");
    let found = &value["functions"][0];
    assert_eq!(found["function"], "second");
    assert_eq!(found["verdict"]["violated"]["check"], "memsafety");
    let entry = &found["verdict"]["violated"]["entry"];
    assert_eq!(entry["variables"][0], serde_json::json!({ "name": "l", "value": null }));
}
