//! Lists over the same cells: the decision against enumeration, broken levels against the evaluator, variables
//! on lists against runs.

use super::contracts::heap_of;
use super::heaps::{Run, random_below, run};
use crate::analysis::monotone::entry::{EntryCheck, entry_of};
use crate::analysis::monotone::facts::analyse;
use crate::analysis::monotone::levels::{Frames, negation_of};
use crate::analysis::monotone::model::Model;
use crate::analysis::monotone::order::below;
use crate::analysis::monotone::signature::{Node, Signature};
use crate::program::eval::{self, States};
use crate::program::{
    At, Binder, CellId, FieldId, Formula, Program, Question, Set, State, Status, StructId, Term, Value,
};
use crate::testing::words::{now, program, requires};
use crate::util::rng::Rng;

const NODE: StructId = StructId(0);

/// The list along each field, and each a part of the one before; by pairs of cells or by single links.
fn levels(p: &mut Program, by_pairs: bool) -> Formula {
    let (x, null) = (now(p, "x"), Term::Null(NODE));
    let reach = |field, from: &Term, to: &Term, plus| Formula::Reach {
        field,
        at: At::Now,
        from: from.clone(),
        to: to.clone(),
        plus,
    };
    let mut all = vec![reach(FieldId(0), &x, &null, false)];
    for upper in 1..p.fields.len() as u32 {
        let (u, n) = (FieldId(upper), FieldId(upper - 1));
        all.push(reach(u, &x, &null, false));
        let [z, w] = [p.add_bound(), p.add_bound()];
        let binder = |id, name: &str| Binder { id, name: name.to_owned(), of: Some(NODE) };
        let cells = || Set::Cells(u, At::Now, Box::new(x.clone()), Box::new(null.clone()));
        let (at_z, at_w) = (Term::Bound(z), Term::Bound(w));
        all.push(if by_pairs {
            let on = |t: &Term| Formula::In(t.clone(), cells());
            let guard = Formula::And(vec![on(&at_z), on(&at_w), reach(u, &at_z, &at_w, true)]);
            let body = Formula::Implies(Box::new(guard), Box::new(reach(n, &at_z, &at_w, true)));
            Formula::Forall(binder(z, "z"), Box::new(Formula::Forall(binder(w, "w"), Box::new(body))))
        } else {
            let link = Term::Field(u, At::Now, Box::new(at_z.clone()));
            let on = Formula::In(at_z.clone(), cells());
            let guard = Formula::And(vec![on, Formula::ne(link.clone(), null.clone())]);
            let body = Formula::Implies(Box::new(guard), Box::new(reach(n, &at_z, &link, true)));
            Formula::Forall(binder(z, "z"), Box::new(body))
        });
    }
    Formula::And(all)
}

/// A heap whose first field is mostly a chain; x is its first cell.
fn random_state(p: &Program, cells: usize, rng: &mut Rng) -> State {
    let mut state = State::new(p);
    (0..cells).for_each(|_| {
        state.add_cell(p, NODE, Status::Heap);
    });
    let cell = |i: usize| if i < cells { Value::Cell(CellId(i as u32)) } else { Value::Null };
    for i in 0..cells {
        for f in 0..p.fields.len() as u32 {
            let to = if rng.one_in(3) || (f == 0 && !rng.one_in(12)) { i + 1 } else { rng.below(cells + 1) };
            state.set_field(CellId(i as u32), FieldId(f), cell(to));
        }
    }
    state.vars[0] = cell(if rng.one_in(12) { cells } else { 0 });
    state
}

/// Without the cells that nothing reaches from x: the engine leaves them out.
fn reached(heap: &Signature) -> bool {
    let mut seen = 0u16;
    let mut open = vec![heap.labels[0]];
    while let Some(m) = open.pop() {
        if m.is_cell() && seen & (1 << m.0) == 0 {
            seen |= 1 << m.0;
            open.extend(heap.cells[m.index()].targets());
        }
    }
    seen.count_ones() as usize == heap.len()
}

struct Case {
    program: Program,
    formula: Formula,
}

fn cases(text: &str) -> Vec<Case> {
    let mut out = Vec::new();
    for (fields, by_pairs) in [(&["n", "u"][..], true), (&["n", "u"], false), (&["n", "u", "t"], true)] {
        let mut program = program(fields, &["x"], text);
        let formula = levels(&mut program, by_pairs);
        requires(&mut program, formula.clone());
        out.push(Case { program, formula });
    }
    // A list among other fields.
    let mut among = program(&["n", "u"], &["x"], text);
    let Formula::And(parts) = levels(&mut among, true) else { unreachable!("a conjunction") };
    let formula = parts[0].clone();
    requires(&mut among, formula.clone());
    out.push(Case { program: among, formula });
    out
}

/// Heaps with the lists and heaps without, from small random states.
fn heaps(case: &Case, model: &Model<'_>, rounds: usize, rng: &mut Rng) -> (Vec<Signature>, Vec<Signature>) {
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let cells = 1 + rng.below(4);
        let state = random_state(&case.program, cells, rng);
        let holds = eval::holds(&case.program, States::at_entry(&state), &case.formula).expect("evaluates");
        let mut heap = heap_of(model, &state);
        (1..heap.labels.len()).for_each(|v| heap.labels[v] = Node::ABSENT);
        if reached(&heap) {
            if holds { good.push(heap) } else { bad.push(heap) }
        }
    }
    for all in [&mut good, &mut bad] {
        all.sort_unstable();
        all.dedup();
    }
    (good, bad)
}

#[test]
fn no_entry_heap_is_above_what_is_excluded() {
    let mut rng = Rng::new(31);
    for (i, case) in cases("return x").iter().enumerate() {
        let question = Question::of_contract(0);
        let model = Model::of(&case.program, &question).expect("supported");
        let (check, _): (EntryCheck, _) = entry_of(&model, &question);
        let (good, bad) = heaps(case, &model, 6000, &mut rng);
        assert!(good.iter().all(|h| check.may_meet(h)), "case {i}");
        assert!(!bad.iter().any(|h| check.may_meet(h)), "case {i}");
        let (mut yes, mut no, mut vague) = (0, 0, 0);
        for round in 0..3000 {
            let from = if round % 3 == 0 { rng.pick(&good) } else { rng.pick(&bad) };
            let mut from = *from;
            from.forget_direct();
            from.nodes().for_each(|c| from.set_closed(c, false));
            let s = random_below(&from, 10, &mut rng);
            let real = good.iter().any(|h| below(&s, h));
            let answer = check.may_meet(&s);
            assert!(answer || !real, "case {i}: {s:?}");
            if answer && !real {
                vague += 1
            } else if real {
                yes += 1
            } else {
                no += 1
            }
        }
        // What is vague speaks of decoloured edges, or needs a heap that was not drawn.
        assert!(yes > 500 && no > 200 && vague < 700, "case {i}: {yes}, {no}, {vague}");
    }
}

#[test]
fn broken_levels_are_covered() {
    let mut rng = Rng::new(32);
    for (i, case) in cases("return x").iter().enumerate() {
        let question = Question::of_contract(0);
        let model = Model::of(&case.program, &question).expect("supported");
        let patterns = negation_of(&model, &case.formula).expect("expressible");
        let (good, bad) = heaps(case, &model, 8000, &mut rng);
        assert!(good.len() > 5 && bad.len() > 100, "case {i}: {} and {}", good.len(), bad.len());
        for heap in &bad {
            assert!(patterns.iter().any(|p| below(&p.signature, heap)), "case {i} uncovered: {heap:?}");
        }
        for heap in &good {
            let found = patterns.iter().find(|p| p.exact && below(&p.signature, heap));
            assert!(found.is_none(), "case {i}: {found:?} in {heap:?}");
        }
    }
}

#[test]
fn variables_are_on_their_lists_in_runs() {
    let texts = [
        "q = x; while q && ? { q = q.n }; p = q; while p && ? { r = p; p = p.n }; return p",
        "q = x; while q && ? { q = q.f }; p = q; while p && ? { p = p.n }; t = new; t.n = p; t.f = x; return t",
        "q = null; p = x; while p && ? { q = p; p = p.f; if ? { p = x } }; r = q; while r { r = r.n; s = r }; return s",
        "q = x; while x && ? { x = x.f; p = x }; r = x; return q",
        "q = x.f; p = q; if ? { p = x; q = null }; while p { r = p; p = p.n; if p { if ? { p = p.f } } }; return r",
    ];
    let mut rng = Rng::new(33);
    let mut told = 0;
    for text in texts {
        for field in ["n", "u"] {
            for case in &cases(&text.replace(".f", &format!(".{field}"))) {
                let question = Question::of_contract(0);
                let model = Model::of(&case.program, &question).expect("supported");
                let (check, at_entry) = entry_of(&model, &question);
                let facts = analyse(&model, &at_entry);
                let frames = Frames::of(&model, &facts, &check.levels);
                let (good, _) = heaps(case, &model, 300, &mut rng);
                told += (0..model.locations).filter(|l| !frames.beside(*l).is_empty()).count();
                for _ in 0..200 {
                    let mut heap = *rng.pick(&good);
                    (1..model.slots.len()).for_each(|v| heap.labels[v] = Node::DANGLING);
                    walk(&model, heap, &frames, &mut rng);
                }
            }
        }
    }
    assert!(told > 100, "{told}");
}

fn walk(model: &Model<'_>, mut heap: Signature, frames: &Frames<'_>, rng: &mut Rng) {
    let mut location = model.entry;
    for _ in 0..40 {
        let part = if rng.one_in(2) { heap } else { random_below(&heap, 6, rng) };
        assert!(frames.broken(location, &part).is_none(), "at {location}: {part:?}");
        let beside = frames.beside(location);
        assert!(!beside.iter().any(|b| below(b, &heap)), "at {location}: {heap:?}");
        let leaving: Vec<_> = model.steps.iter().filter(|s| s.from == location).collect();
        if leaving.is_empty() || heap.room() < 2 {
            return;
        }
        let step = *rng.pick(&leaving);
        match run(&heap, step.op, model.fields.len()) {
            Run::Ends(all) if !all.is_empty() => {
                heap = *rng.pick(&all);
                location = step.to;
            }
            _ => {}
        }
    }
}
