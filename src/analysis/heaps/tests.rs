//! The Cartesian post against enumeration: all states of up to four cells.

use super::background::{self, Demand};
use super::boolean::{Atoms, Heap, Invariant, Object, Universal};
use super::cache::Cache;
use super::cartesian::Context;
use super::prove::{Prover, Remaining};
use super::signature::{More, Signature};
use super::tautology::Tautologies;
use super::trial::Trial;
use super::{contexts, live, runs};
use crate::frontend::c;
use crate::program::eval::{States, holds};
use crate::program::rewrite::{Rewrite, same};
use crate::program::{
    At, CellId, FieldId, Formula, Program, Question, State, Status, StructId, Term, Value, VarId,
};
use crate::util::limits::Limits;
use std::collections::{BTreeMap, BTreeSet};

const WALK: &str = "
struct node { struct node *next; };
/*@ requires (\\forall struct node *u; \\list(next, u)) && \\stable(next, l);
    ensures  \\list(next, l); @*/
void walk(struct node *l)
{
  struct node *p = l;
  /*@ track (struct node *v) v != \\null && l -next*-> v;
      track (struct node *v) v != \\null && p -next*-> v; @*/
  while (p != 0)
    p = p->next;
}
";

fn point(i: usize) -> Value {
    if i == 0 { Value::Null } else { Value::Cell(CellId(i as u32 - 1)) }
}

/// All states of so many cells with every value of both variables.
fn states(program: &Program, (l, p): (VarId, VarId), n: usize) -> Vec<State> {
    let next = FieldId(0);
    let mut out = Vec::new();
    for code in 0..(n + 1).pow(n as u32 + 2) {
        let mut state = State::new(program);
        for _ in 0..n {
            state.add_cell(program, StructId(0), Status::Heap);
        }
        let mut rest = code;
        let mut take = || {
            let value = point(rest % (n + 1));
            rest /= n + 1;
            value
        };
        for i in 0..n {
            state.set_field(CellId(i as u32), next, take());
        }
        state.vars[l.index()] = take();
        state.vars[p.index()] = take();
        out.push(state);
    }
    out
}

/// The signature with a row for a cell that has no name yet, as ways know it.
fn materialised(signature: &Signature, value: &Term) -> Signature {
    let mut out = signature.clone();
    let kind = &mut out.kinds[0];
    let singleton = Formula::eq(Term::Bound(kind.object.id), value.clone());
    kind.predicates.insert(kind.rows.len(), singleton.clone());
    kind.rows.push(value.clone());
    let terms = [(Term::Bound(kind.object.id), value.clone())];
    let here = Rewrite { terms: &terms, at: &same };
    let others = kind.predicates.iter().filter(|p| **p != singleton);
    out.atoms.extend(others.map(|p| here.formula(p)));
    out
}

/// For every truth of the atoms and every object: what the engine says of the object after one round is exactly
/// what all small states have in common. The cell that the round gives a name is a row before it.
#[test]
fn the_cartesian_post_is_the_best() {
    let unit = c::load("walk.c", WALK.as_bytes(), &c::Options::default());
    let program = unit.functions[0].program.as_ref().expect("lowered");
    let question = Question::of_contract(0);
    let remaining = Remaining::new(&Limits::default());
    let live = live::live(program, &question);
    let signatures: Vec<Signature> = background::loops(program)
        .map(|l| Signature::new(program, &question, &live, More::default(), l).expect("predicates"))
        .collect();
    let returns = Signature::at_return(program, &question, &live).expect("predicates");
    let candidates = background::candidates(program, &question, &signatures);
    let conditions = crate::program::wp::conditions(program, &question).expect("conditions");
    let mut prover = Prover::new(conditions).expect("a prover");
    let kept = background::propagate(&mut prover, &candidates, Demand::Always, &remaining, &|_| {})
        .expect("propagated");
    let (shown, failed) = (Vec::new(), std::cell::RefCell::new(None));
    let trial = Trial {
        program,
        question: &question,
        remaining: &remaining,
        progress: &|_| {},
        signatures: &signatures,
        candidates: &candidates,
        shown: &shown,
        failed: &failed,
    };
    let mut cache = Cache::default();
    let mut fixpoint =
        contexts::fixpoint(&trial, &kept, &returns, Context::Heap, &mut cache).expect("places and ways");
    fixpoint.enter().and_then(|()| fixpoint.run()).expect("a fixpoint");
    let variable = |name: &str| {
        let at = program.vars.iter().position(|v| v.name == name).expect("a variable");
        VarId(at as u32)
    };
    let (l, p) = (variable("l"), variable("p"));
    let ahead = Term::Field(FieldId(0), At::Now, Box::new(Term::Var(p, At::Now)));
    let split = materialised(&signatures[0], &ahead);
    let (before_kind, kind) = (&split.kinds[0], &signatures[0].kinds[0]);
    let mut observed: BTreeMap<(Atoms, Object), BTreeSet<Object>> = BTreeMap::new();
    for n in 0..=4 {
        for before in states(program, (l, p), n) {
            let at = States::at_entry(&before);
            let is_known = kept[0].iter().all(|&c| holds(program, at, &candidates[c]) == Ok(true));
            let Value::Cell(cell) = before.vars[p.index()] else { continue };
            if !is_known {
                continue;
            }
            let mut after = before.clone();
            after.vars[p.index()] = before.field(Value::Cell(cell), FieldId(0));
            let (atoms, _) = runs::heap_of(program, &split, at).expect("values");
            for i in 0..=n {
                let object = |kind, state| runs::object_of(program, kind, States::at_entry(state), point(i));
                let old = object(before_kind, &before).expect("values");
                let new = object(kind, &after).expect("values");
                observed.entry((atoms.clone(), old)).or_default().insert(new);
            }
        }
    }
    let mut compared = 0;
    let ways: Vec<usize> = (0..fixpoint.ways.len()).filter(|&w| fixpoint.ways[w].from == Some(0)).collect();
    let back: Vec<usize> = ways.into_iter().filter(|&w| fixpoint.ways[w].to == 0).collect();
    for ((atoms, object), seen) in &observed {
        if !fixpoint.heaps[0].heaps.contains_key(&atoms[..signatures[0].atoms.len()]) {
            continue;
        }
        let always = seen.iter().fold(Object::MAX, |a, b| a & b);
        let never = seen.iter().fold(Object::MAX, |a, b| a & !b);
        let width: Object = (1 << kind.predicates.len()) - 1;
        let mut found = BTreeSet::new();
        for &w in &back {
            assert_eq!(fixpoint.ways[w].before.atoms.len(), atoms.len(), "one row more");
            let common = vec![None; atoms.len()];
            let cubes = fixpoint.post(w, atoms, &[BTreeSet::from([*object])], &common).expect("a post");
            found.extend(cubes.into_iter().flatten());
        }
        let [cube] = found.iter().collect::<Vec<_>>()[..] else { panic!("{atoms:?} {object:b}: {found:?}") };
        assert_eq!(cube.mask, (always | never) & width, "{atoms:?} {object:b}");
        assert_eq!(cube.value, always & cube.mask, "{atoms:?} {object:b}");
        compared += 1;
    }
    assert!(compared >= 10, "{compared} objects");
}

/// What is left out of an invariant holds in every small state; and something is left out.
#[test]
fn tautologies_hold_in_all_states() {
    let unit = c::load("walk.c", WALK.as_bytes(), &c::Options::default());
    let program = unit.functions[0].program.as_ref().expect("lowered");
    let question = Question::of_contract(0);
    let live = live::live(program, &question);
    let signatures: Vec<Signature> = background::loops(program)
        .map(|l| Signature::new(program, &question, &live, More::default(), l).expect("predicates"))
        .collect();
    let variable = |name: &str| {
        let at = program.vars.iter().position(|v| v.name == name).expect("a variable");
        VarId(at as u32)
    };
    let vars = (variable("l"), variable("p"));
    let shown: Vec<Heap> = (0..=3)
        .flat_map(|n| states(program, vars, n))
        .map(|state| runs::heap_of(program, &signatures[0], States::at_entry(&state)).expect("values"))
        .collect();
    let conditions = crate::program::wp::conditions(program, &question).expect("conditions");
    let mut tautologies = Tautologies::new(conditions, &signatures).expect("readings");
    let n_atoms = signatures[0].atoms.len();
    let mut left_out = 0;
    let literals = || (0..n_atoms).flat_map(|i| [(i, false), (i, true)]);
    let cubes = literals().flat_map(|a| literals().filter(move |b| a.0 < b.0).map(move |b| vec![a, b]));
    for cube in cubes {
        let whole = Invariant { excluded: vec![cube.clone()], ..Invariant::default() };
        let pruned = tautologies.pruned(0, whole, &Remaining::new(&Limits::default())).expect("built");
        if pruned.excluded.is_empty() {
            left_out += 1;
            let breaks = |(atoms, _): &&Heap| cube.iter().all(|&(i, truth)| atoms[i] == truth);
            assert!(!shown.iter().any(|h| breaks(&h)), "{cube:?}");
        }
    }
    let kind = &signatures[0].kinds[0];
    for mask in 1..1u64 << kind.predicates.len() {
        for value in (0..=mask).filter(|v| v & mask == *v) {
            let universal = Universal { guard: Vec::new(), kind: 0, mask, value };
            let whole = Invariant { universals: vec![universal], ..Invariant::default() };
            let pruned = tautologies.pruned(0, whole, &Remaining::new(&Limits::default())).expect("built");
            if pruned.universals.is_empty() {
                left_out += 1;
                let occurs = |(_, kinds): &Heap| kinds[0].iter().any(|o| o & mask == value);
                assert!(!shown.iter().any(occurs), "{mask:b} {value:b}");
            }
        }
    }
    assert!(left_out > 20, "{left_out}");
}
