//! Patterns from formulas against the evaluator; the entry check against enumeration; facts against runs.

use super::heaps::{Run, random_below, random_heap, run};
use crate::analysis::monotone::entry::entry_of;
use crate::analysis::monotone::facts::analyse;
use crate::analysis::monotone::model::Model;
use crate::analysis::monotone::order::below;
use crate::analysis::monotone::pattern::{Vocabulary, negation};
use crate::analysis::monotone::signature::{Node, Signature};
use crate::program::eval::{self, States};
use crate::program::{
    At, Binder, CellId, FieldId, Formula, Program, Question, Set, State, Status, StructId, Term, Value,
};
use crate::testing::pointers::random_case;
use crate::testing::words::{apart, dll, list, now, null_or_valid, program, requires, tree};
use crate::util::rng::Rng;

const NODE: StructId = StructId(0);

/// The heap of a state; freed cells and those never allocated are dangling.
pub(super) fn heap_of(model: &Model<'_>, state: &State) -> Signature {
    let alive: Vec<usize> = (0..state.cells.len()).filter(|i| state.cells[*i].status.is_valid()).collect();
    let node = |value: Value| match value {
        Value::Cell(c) => match alive.iter().position(|a| *a == c.index()) {
            Some(i) => Node::cell(i),
            None => Node::DANGLING,
        },
        _ => Node::NULL,
    };
    let mut heap = Signature::EMPTY;
    alive.iter().for_each(|_| {
        heap.add_cell();
    });
    for (i, cell) in alive.iter().enumerate() {
        for (c, field) in model.fields.iter().enumerate() {
            let target = node(state.field(Value::Cell(CellId(*cell as u32)), *field));
            heap.cells[i].set(c, target, true);
        }
    }
    for (i, slot) in model.slots.iter().enumerate() {
        heap.labels[i] = node(state.vars[slot.var.index()]);
    }
    heap.make_total();
    heap
}

fn random_state(program: &Program, rng: &mut Rng) -> State {
    let mut state = State::new(program);
    let kinds = [Status::Heap, Status::Heap, Status::Heap, Status::Freed, Status::Never];
    let cells = rng.below(5);
    for status in &kinds[..cells] {
        state.add_cell(program, NODE, *status);
    }
    // Mostly orderly heaps: otherwise hardly any formula holds.
    let orderly = rng.below(3);
    let value = |rng: &mut Rng, i: Option<usize>| match (orderly, i) {
        (0, Some(i)) if i + 1 < cells.min(3) => Value::Cell(CellId(i as u32 + 1)),
        (0, Some(_)) => Value::Null,
        _ => match rng.below(cells + 1) {
            0 => Value::Null,
            c => Value::Cell(CellId(c as u32 - 1)),
        },
    };
    for cell in 0..cells {
        for field in 0..program.fields.len() {
            let v = if field == 1 && orderly != 2 && rng.below(4) > 0 {
                if cell == 0 { Value::Null } else { Value::Cell(CellId(cell as u32 - 1)) }
            } else {
                value(rng, (field == 0).then_some(cell))
            };
            state.set_field(CellId(cell as u32), FieldId(field as u32), v);
        }
    }
    for v in 0..program.vars.len() {
        state.vars[v] = value(rng, None);
    }
    state
}

/// Formulas of all kinds over x and y.
fn menu(p: &mut Program) -> Vec<Formula> {
    let (x, y, null) = (now(p, "x"), now(p, "y"), Term::Null(NODE));
    let (n, q) = (FieldId(0), FieldId(1));
    let field = |f, t: &Term| Term::Field(f, At::Now, Box::new(t.clone()));
    let reach = |from: &Term, to: &Term, plus| Formula::Reach {
        field: n,
        at: At::Now,
        from: from.clone(),
        to: to.clone(),
        plus,
    };
    let cells = |t: &Term, to: &Term| Set::Cells(n, At::Now, Box::new(t.clone()), Box::new(to.clone()));
    let id = p.add_bound();
    let z = Term::Bound(id);
    let binder = Binder { id, name: "z".to_owned(), of: Some(NODE) };
    let back = Formula::eq(field(q, &field(n, &z)), z.clone());
    let guard =
        Formula::And(vec![Formula::In(z.clone(), cells(&x, &null)), Formula::ne(field(n, &z), null.clone())]);
    let dlseg = |y: &Term, py: &Term| {
        Formula::Dlseg(n, q, At::Now, Box::new([x.clone(), null.clone(), y.clone(), py.clone()]))
    };
    vec![
        list(x.clone()),
        reach(&x, &y, false),
        reach(&x, &y, true),
        reach(&x, &x, true),
        reach(&x, &y, false).negate(),
        reach(&x, &y, true).negate(),
        list(x.clone()).negate(),
        Formula::eq(x.clone(), y.clone()),
        Formula::ne(x.clone(), y.clone()),
        Formula::eq(field(n, &x), y.clone()),
        Formula::ne(field(n, &field(q, &x)), x.clone()),
        null_or_valid(x.clone()),
        Formula::Valid(field(n, &x), At::Now),
        Formula::Freed(x.clone(), At::Now).negate(),
        Formula::Stable(n, At::Now, x.clone()),
        Formula::In(y.clone(), cells(&x, &null)),
        Formula::In(y.clone(), cells(&x, &null)).negate(),
        Formula::In(y.clone(), Set::Of(vec![x.clone(), field(n, &x)])).negate(),
        apart(x.clone(), y.clone()),
        Formula::Forall(binder, Box::new(Formula::Implies(Box::new(guard), Box::new(back)))),
        dll(p, x.clone()),
        dlseg(&y, &null),
        dlseg(&y, &y),
        dlseg(&null, &y),
        tree(x.clone()),
        Formula::Inverse(n, q, At::Now, x.clone(), null.clone()),
        Formula::Iff(Box::new(Formula::eq(x.clone(), null.clone())), Box::new(Formula::eq(y.clone(), null))),
        Formula::Implies(Box::new(list(x.clone())), Box::new(list(y))),
    ]
}

#[test]
fn patterns_cover_what_is_false_and_exact_ones_nothing_else() {
    let mut p = program(&["n", "p"], &["x", "y"], "return x");
    let formulas = menu(&mut p);
    let question = Question::of_contract(0);
    let model = Model::of(&p, &question).expect("supported");
    let mut rng = Rng::new(21);
    for (i, formula) in formulas.iter().enumerate() {
        let patterns = negation(&model, formula).unwrap_or_else(|e| panic!("formula {i}: {e}"));
        let (mut holds, mut fails) = (0, 0);
        for _ in 0..4000 {
            let state = random_state(&p, &mut rng);
            let truth = eval::holds(&p, States::at_entry(&state), formula).expect("evaluates");
            let heap = heap_of(&model, &state);
            let found = patterns.iter().find(|q| below(&q.signature, &heap));
            if truth {
                holds += 1;
                let exact = patterns.iter().find(|q| q.exact && below(&q.signature, &heap));
                assert!(exact.is_none(), "formula {i} holds: {exact:?} in {state:?}");
            } else {
                fails += 1;
                assert!(found.is_some(), "formula {i} is false, uncovered: {state:?}");
            }
        }
        assert!(holds > 20 && fails > 20, "formula {i}: {holds} and {fails}");
    }
}

/// A literal about paths of one of the fields between three variables.
fn random_literal(p: &Program, rng: &mut Rng) -> Formula {
    let variable = |rng: &mut Rng| now(p, ["x", "y", "w"][rng.below(3)]);
    let field = FieldId(rng.below(2) as u32);
    let (from, to) = (variable(rng), variable(rng));
    let null = Term::Null(NODE);
    let to = if rng.one_in(4) { null.clone() } else { to };
    let cells = |t: Term| Set::Cells(field, At::Now, Box::new(t), Box::new(null.clone()));
    let literal = match rng.below(9) {
        0..=3 => Formula::Reach { field, at: At::Now, from, to, plus: rng.one_in(2) },
        4 => Formula::In(to, cells(from)),
        5 => Formula::Disjoint(vec![cells(from), cells(variable(rng))]),
        6 => tree(from),
        7 => Formula::eq(from, to),
        _ => Formula::eq(Term::Field(field, At::Now, Box::new(from)), to),
    };
    if rng.one_in(2) { literal } else { literal.negate() }
}

#[test]
fn patterns_cover_paths_that_share_cells() {
    let p = program(&["n", "p"], &["x", "y", "w"], "return x");
    let question = Question::of_contract(0);
    let model = Model::of(&p, &question).expect("supported");
    let mut rng = Rng::new(24);
    let (mut holds, mut fails, mut expressible) = (0, 0, 0);
    for round in 0..60 {
        let parts: Vec<Formula> = (0..2 + rng.below(2)).map(|_| random_literal(&p, &mut rng)).collect();
        let formula = if rng.one_in(4) { Formula::And(parts) } else { Formula::Or(parts) };
        let Ok(patterns) = negation(&model, &formula) else { continue };
        expressible += 1;
        for _ in 0..250 {
            let mut state = random_state(&p, &mut rng);
            // Paths that part and meet again are what this is about.
            let cells = state.cells.len();
            for c in 0..cells {
                let to = if c + 1 < cells { Value::Cell(CellId(c as u32 + 1)) } else { Value::Null };
                for f in (0..2).filter(|_| rng.one_in(3)).collect::<Vec<u32>>() {
                    state.set_field(CellId(c as u32), FieldId(f), to);
                }
            }
            let truth = eval::holds(&p, States::at_entry(&state), &formula).expect("evaluates");
            let heap = heap_of(&model, &state);
            if truth {
                holds += 1;
                let exact = patterns.iter().find(|q| q.exact && below(&q.signature, &heap));
                assert!(exact.is_none(), "round {round}: {formula:?} holds: {exact:?} in {state:?}");
            } else {
                fails += 1;
                let found = patterns.iter().any(|q| below(&q.signature, &heap));
                assert!(found, "round {round}: {formula:?} is false, uncovered: {state:?}");
            }
        }
    }
    assert!(expressible > 30 && holds > 1500 && fails > 1500, "{expressible}, {holds} and {fails}");
}

#[test]
fn what_needs_other_cells_is_not_expressible() {
    let mut p = program(&["n", "p"], &["x"], "return x");
    let id = p.add_bound();
    let binder = Binder { id, name: "z".to_owned(), of: Some(NODE) };
    let x = now(&p, "x");
    let body = Formula::ne(Term::Field(FieldId(0), At::Now, Box::new(Term::Bound(id))), x.clone());
    let question = Question::of_contract(0);
    let model = Model::of(&p, &question).expect("supported");
    for formula in [
        Formula::Forall(binder, Box::new(body)),
        Formula::Unshared(FieldId(0), At::Now, x.clone(), Term::Null(NODE)),
        Formula::Compare(crate::program::Cmp::Lt, Term::Int(1), Term::Int(2)),
        Formula::eq(Term::Field(FieldId(0), At::Entry, Box::new(x)), Term::Null(NODE)),
    ] {
        assert!(negation(&model, &formula).is_err(), "{formula:?}");
    }
}

/// Programs whose entry heaps are known exactly.
fn known_entries() -> Vec<Program> {
    let make =
        |fields: &[&str], params: &[&str], separate: bool, shape: fn(&mut Program, Term) -> Formula| {
            let mut p = program(fields, params, "return x");
            for param in params {
                let t = now(&p, param);
                let f = shape(&mut p, t);
                requires(&mut p, f);
            }
            if separate {
                let f = apart(now(&p, "x"), now(&p, "y"));
                requires(&mut p, f);
            }
            p
        };
    vec![
        make(&["n"], &["x"], false, |_, t| list(t)),
        make(&["n"], &["x", "y"], true, |_, t| list(t)),
        make(&["n", "p"], &["x"], false, dll),
        make(&["n", "p"], &["x", "y"], true, dll),
        make(&["n", "p"], &["x", "y"], false, dll),
        make(&["n", "p"], &["x"], false, |_, t| tree(t)),
    ]
}

#[test]
fn entry_check_is_exact_for_lists_and_trees() {
    let mut rng = Rng::new(22);
    for (i, p) in known_entries().iter().enumerate() {
        let question = Question::of_contract(0);
        let model = Model::of(p, &question).expect("supported");
        let (check, _) = entry_of(&model, &question);
        let heaps = check.small_heaps(7);
        let colours = model.fields.len();
        let (mut yes, mut no) = (0, 0);
        for round in 0..2500 {
            // Below an entry heap, below a broken one, or below any heap.
            let mut from = match round % 3 {
                0 | 1 => {
                    let small: Vec<&Signature> = heaps.iter().filter(|h| h.len() <= 4).collect();
                    **rng.pick(&small)
                }
                _ => random_heap(1 + rng.below(3), colours, 2, &mut rng),
            };
            if round % 3 == 1 && !from.is_empty() {
                let cell = rng.below(from.len());
                let target = [Node::NULL, Node::cell(rng.below(from.len()))][rng.below(2)];
                from.cells[cell].set(rng.below(colours), target, true);
            }
            let roots: Vec<u8> = model.roots().collect();
            for (v, label) in from.labels.iter_mut().enumerate() {
                if !roots.contains(&(v as u8)) {
                    *label = Node::ABSENT;
                }
            }
            if round % 2 == 0 {
                from.forget_direct();
            }
            if round % 5 > 0 {
                from.nodes().for_each(|c| from.set_closed(c, false));
            }
            let s = random_below(&from, 16, &mut rng);
            if s.len() > 3 {
                continue;
            }
            let real = heaps.iter().any(|h| below(&s, h));
            assert_eq!(check.may_meet(&s), real, "entry {i}: {s:?}");
            if real { yes += 1 } else { no += 1 }
        }
        assert!(yes > 200 && no > 100, "entry {i}: {yes} and {no}");
    }
}

#[test]
fn two_cells_are_needed_for_a_turn() {
    let p = &known_entries()[2];
    let question = Question::of_contract(0);
    let model = Model::of(p, &question).expect("supported");
    let (check, _) = entry_of(&model, &question);
    let names = &model.names;
    let read = |t: &str| crate::analysis::monotone::text::parse(t, names).expect("a signature");
    assert!(check.may_meet(&read("a -?-> a")));
    assert!(check.may_meet(&read("x@a, a -?-> a")));
    assert!(!check.may_meet(&read("x@a, a -n-> #, g")));
    assert!(!check.may_meet(&read("x@a, a -?-> a, a -p-> b")));
    assert!(!check.may_meet(&read("x@#, g")));
    // More cells than any enumeration of heaps of fixed size would look at.
    let chain: Vec<String> = (0..9).map(|i| format!("c{i} -n-> c{}", i + 1)).collect();
    assert!(check.may_meet(&read(&format!("x@c0, {}", chain.join(", ")))));
    assert!(!check.may_meet(&read(&format!("x@c1, {}", chain.join(", ")))));
}

#[test]
fn facts_hold_on_runs_and_their_exclusions_say_the_same() {
    let mut rng = Rng::new(23);
    let (mut steps, mut frames, mut parts) = (0, 0, 0);
    for seed in 0..150 {
        let case = random_case(seed);
        let Ok(model) = Model::of(&case.program, &case.question) else { continue };
        let (check, at_entry) = entry_of(&model, &case.question);
        let facts = analyse(&model, &at_entry);
        let (vars, colours) = (model.slots.len(), model.fields.len());
        let known = check.small_heaps(3);
        for _ in 0..10 {
            let mut heap = if known.is_empty() {
                let mut h = random_heap(rng.below(3), colours, vars, &mut rng);
                let valid = |n: Node| if n == Node::DANGLING { Node::NULL } else { n };
                for cell in h.nodes() {
                    for c in 0..colours {
                        let target = valid(h.cells[cell.index()].coloured[c]);
                        h.cells[cell.index()].set(c, target, true);
                    }
                }
                model.roots().for_each(|r| h.labels[r as usize] = valid(h.labels[r as usize]));
                h
            } else {
                *rng.pick(&known)
            };
            for v in 0..vars {
                if !heap.labels[v].is_known() {
                    heap.labels[v] = [Node::NULL, Node::DANGLING][rng.below(2)];
                }
            }
            let mut location = model.entry;
            for _ in 0..25 {
                assert!(facts[location].allow(&heap, vars, colours), "seed {seed} at {location}: {heap:?}");
                let excluded = facts[location].excluded(vars, colours);
                assert!(!excluded.iter().any(|e| below(e, &heap)), "seed {seed} at {location}");
                if !known.is_empty() {
                    let mut total = heap;
                    total.make_total();
                    let framed = facts[location].frame(&check.excluded, colours);
                    frames += framed.len();
                    parts += if facts[location].only_freed() { framed.len() } else { 0 };
                    let found = framed.iter().find(|e| below(e, &total));
                    assert!(found.is_none(), "seed {seed} at {location}: {found:?} in {heap:?}");
                }
                let mut other = heap;
                other.labels[rng.below(vars)] = [Node::NULL, Node::DANGLING][rng.below(2)];
                let allowed = facts[location].allow(&other, vars, colours);
                assert_eq!(
                    allowed,
                    !excluded.iter().any(|e| below(e, &other)),
                    "seed {seed} at {location}: {other:?}"
                );
                let leaving: Vec<_> = model.steps.iter().filter(|s| s.from == location).collect();
                if leaving.is_empty() || heap.room() < 2 {
                    break;
                }
                let step = *rng.pick(&leaving);
                match run(&heap, step.op, colours) {
                    Run::Ends(all) if !all.is_empty() => {
                        heap = *rng.pick(&all);
                        location = step.to;
                        steps += 1;
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(steps > 3000 && frames > 3000 && parts > 300, "{steps}, {frames}, {parts}");
}

#[test]
fn labels_of_entry_values_are_kept_apart() {
    let mut p = program(&["n"], &["x"], "x = null; return x");
    let id = p.var_named("x").expect("a parameter");
    let old = Formula::eq(Term::Var(id, At::Entry), Term::Null(NODE));
    crate::testing::words::ensures(&mut p, old);
    let question = Question::of_contract(0);
    let model = Model::of(&p, &question).expect("supported");
    assert_ne!(model.label(id, At::Entry), model.label(id, At::Now));
    let outcome = crate::analysis::monotone::run(&p, &question, &crate::analysis::Setup::default(), &|_| {});
    assert_eq!(outcome.verdict.word(), "violated");
}
