//! Proofs that must be accepted, at least one for each kind of step. In all of them but the last few,
//! every assertion is needed: without any one of them the problem is satisfiable (`fuzz` relies on it).

use super::*;

/// `p or q`, `not p`, `not q`: steps 0 to 2 assert, step 3 unfolds the disjunction.
pub(super) fn disjunction() -> Case {
    let mut case = Case::new();
    let [p, q, _] = case.flags;
    let either = case.t.or(&[p, q]).unwrap();
    let [not_either, not_p, not_q] = [either, p, q].map(|f| case.not(f));
    [either, not_p, not_q].into_iter().for_each(|f| case.assert(f));
    case.connective(either, &[not_either, p, q]);
    case.propagation(&[]);
    case
}

/// `p and q`, `not (q and not r)`, `not r`.
pub(super) fn conjunction() -> Case {
    let mut case = Case::new();
    let [p, q, r] = case.flags;
    let not_r = case.not(r);
    let (both, second) = (case.t.and(&[p, q]).unwrap(), case.t.and(&[q, not_r]).unwrap());
    let [not_both, not_second, not_q] = [both, second, q].map(|f| case.not(f));
    [both, not_second, not_r].into_iter().for_each(|f| case.assert(f));
    case.connective(both, &[not_both, q]);
    case.connective(second, &[second, not_q, r]);
    case.propagation(&[]);
    case
}

/// `p = q`, `p`, `ite(q, r, not p)`, `not r`.
pub(super) fn iff_and_ite() -> Case {
    let mut case = Case::new();
    let [p, q, r] = case.flags;
    let same = case.t.iff(p, q).unwrap();
    let not_p = case.not(p);
    let choice = case.t.ite(q, r, not_p).unwrap();
    let [not_same, not_q, not_r, not_choice] = [same, q, r, choice].map(|f| case.not(f));
    [same, p, choice, not_r].into_iter().for_each(|f| case.assert(f));
    case.connective(same, &[not_same, not_p, q]);
    case.connective(choice, &[not_choice, not_q, r]);
    case.propagation(&[not_q]);
    case.propagation(&[]);
    case
}

/// `p`, `ite(p, a, b) = c`, `a != c`.
pub(super) fn ite_of_cells() -> Case {
    let mut case = Case::new();
    let (p, [a, b, c, _]) = (case.flags[0], case.cells);
    let choice = case.t.ite(p, a, b).unwrap();
    let (choice_a, choice_c, ac) = (case.eq(choice, a), case.eq(choice, c), case.eq(a, c));
    let [not_p, not_ac] = [p, ac].map(|f| case.not(f));
    [p, choice_c, not_ac].into_iter().for_each(|f| case.assert(f));
    case.connective(choice, &[not_p, choice_a]);
    let clause = vec![!case.literal(choice_a), !case.literal(choice_c), case.literal(ac)];
    case.steps.push(Step::Lemma { clause, derivation: Derivation::default() });
    case.propagation(&[]);
    case
}

/// `forall u. marked(u)`, `not marked(next(a))`.
pub(super) fn instance() -> Case {
    let mut case = Case::new();
    let next_a = case.next(case.cells[0]);
    let (forall, marked) = (case.all_marked(), case.marked(next_a));
    let unmarked = case.not(marked);
    case.assert(forall);
    case.assert(unmarked);
    case.steps.push(Step::Instance { forall, values: vec![next_a] });
    case.propagation(&[]);
    case
}

/// `forall u. marked(u)`, `not forall v. marked(v)`: step 2 introduces the constant.
pub(super) fn skolem() -> Case {
    let mut case = Case::new();
    let (all, other) = (case.all_marked(), case.all_marked());
    let some = case.not(other);
    case.assert(all);
    case.assert(some);
    let witness = case.t.fresh_const("witness", case.cell);
    case.steps.push(Step::Skolem { forall: other, constants: vec![witness] });
    case.steps.push(Step::Instance { forall: all, values: vec![witness] });
    case.propagation(&[]);
    case
}

/// `not x = y`, `not x < y`, `not y < x`.
pub(super) fn trichotomy() -> Case {
    let mut case = Case::new();
    let [x, y] = case.ints;
    let cases = [case.eq(x, y), case.t.lt(x, y).unwrap(), case.t.lt(y, x).unwrap()];
    cases.into_iter().for_each(|f| {
        let negated = case.not(f);
        case.assert(negated);
    });
    case.steps.push(Step::Trichotomy { left: x, right: y });
    case.propagation(&[]);
    case
}

/// `next(a) = b`, `b = c`, `marked(next(next(a)))`, `not marked(next(c))`.
pub(super) fn congruence() -> Case {
    let mut case = Case::new();
    let [a, b, c, _] = case.cells;
    let next_a = case.next(a);
    let (far, next_c) = (case.next(next_a), case.next(c));
    let (first, second) = (case.eq(next_a, b), case.eq(b, c));
    let (marked, other) = (case.marked(far), case.marked(next_c));
    let unmarked = case.not(other);
    case.refute(&[first, second, marked, unmarked], vec![], Closing::Contradiction);
    case
}

/// a reaches b, b reaches c, a does not reach d, c = d. Steps 0 to 3 assert, step 4 is the lemma.
pub(super) fn transitive() -> Case {
    let mut case = Case::new();
    let [a, b, c, d] = case.cells;
    let (ab, bc, ad, cd) = (case.reach(a, b), case.reach(b, c), case.reach(a, d), case.eq(c, d));
    let not_ad = case.not(ad);
    let rules = vec![case.rule("transitive1", &[a, b, c], Some(0))];
    case.refute(&[ab, bc, not_ad, cd], rules, Closing::Contradiction);
    case
}

/// a reaches b and is not b, and its successor c does not reach b.
pub(super) fn reach() -> Case {
    let mut case = Case::new();
    let [a, b, c, _] = case.cells;
    let next_a = case.next(a);
    let (ab, same, step, cb) = (case.reach(a, b), case.eq(a, b), case.eq(next_a, c), case.reach(c, b));
    let [different, not_cb] = [same, cb].map(|f| case.not(f));
    let rules = vec![case.rule("reach", &[a, b], Some(1)), case.rule("order2", &[a, next_a, b], Some(0))];
    case.refute(&[ab, different, step, not_cb], rules, Closing::Contradiction);
    case
}

/// b and c are reached from a, but not in any order: all alternatives of the only rule step are refuted.
pub(super) fn unordered() -> Case {
    let mut case = Case::new();
    let [a, b, c, _] = case.cells;
    let (ab, ac) = (case.reach(a, b), case.reach(a, c));
    let (abc, acb) = (case.between(a, b, c), case.between(a, c, b));
    let [not_abc, not_acb] = [abc, acb].map(|f| case.not(f));
    let rules = vec![case.rule("order1", &[a, b, c], None)];
    case.refute(&[ab, ac, not_abc, not_acb], rules, Closing::Contradiction);
    case
}

/// `x + y <= 1`, `x - y <= 0`, `1 <= x`: the sum of the first two is rounded.
pub(super) fn rounding() -> Case {
    let mut case = Case::new();
    let [x, y] = case.ints;
    let (zero, one) = (case.t.int(0), case.t.int(1));
    let (sum, difference) = (case.t.add(&[x, y]).unwrap(), case.t.sub(x, y).unwrap());
    let formulas = [case.t.le(sum, one), case.t.le(difference, zero), case.t.le(one, x)].map(Result::unwrap);
    let cuts = vec![
        cut(&[(1, Source::Hypothesis(0)), (1, Source::Hypothesis(1))]),
        cut(&[(1, Source::Cut(0)), (1, Source::Hypothesis(2))]),
    ];
    case.refute(&formulas, vec![], Closing::Arithmetic(cuts));
    case
}

/// `key(a) <= 3`, `4 <= key(b)`, and a = b by the rule sandwich: b lies between a and d, d = a.
pub(super) fn arithmetic_on_classes() -> Case {
    let mut case = Case::new();
    let [a, b, _, d] = case.cells;
    let (key_a, key_b) = (case.key(a), case.key(b));
    let (three, four) = (case.t.int(3), case.t.int(4));
    let bounds = [case.t.le(key_a, three), case.t.le(four, key_b)].map(Result::unwrap);
    let (path, closed) = (case.between(a, b, d), case.eq(a, d));
    let rules = vec![case.rule("sandwich", &[a, b], Some(0))];
    let cuts = vec![cut(&[
        (1, Source::Hypothesis(0)),
        (-1, Source::Equal(key_a, key_b)),
        (1, Source::Hypothesis(1)),
    ])];
    case.refute(&[bounds[0], bounds[1], path, closed], rules, Closing::Arithmetic(cuts));
    case
}

/// `x = y + 1`, `x <= 3`, `3 <= y`: an equality as hypothesis, with a negative multiplier.
pub(super) fn arithmetic_equality() -> Case {
    let mut case = Case::new();
    let [x, y] = case.ints;
    let (one, three) = (case.t.int(1), case.t.int(3));
    let successor = case.t.add(&[y, one]).unwrap();
    let equal = case.eq(x, successor);
    let bounds = [case.t.le(x, three), case.t.le(three, y)].map(Result::unwrap);
    let sign = if x < successor { -1 } else { 1 };
    let cuts =
        vec![cut(&[(sign, Source::Hypothesis(0)), (1, Source::Hypothesis(1)), (1, Source::Hypothesis(2))])];
    case.refute(&[equal, bounds[0], bounds[1]], vec![], Closing::Arithmetic(cuts));
    case
}

/// `p or q` contradicts the assumptions `not p` and `not q`, not `r`: the last clause is `p or q`.
pub(super) fn assumptions() -> Case {
    let mut case = Case::new();
    let [p, q, r] = case.flags;
    let either = case.t.or(&[p, q]).unwrap();
    let [not_either, not_p, not_q] = [either, p, q].map(|f| case.not(f));
    case.assert(either);
    case.assumptions = vec![not_p, not_q, r];
    case.connective(either, &[not_either, p, q]);
    case.propagation(&[p, q]);
    case
}

/// All cases in which every assertion is needed.
pub(super) fn minimal_cases() -> Vec<(&'static str, Case)> {
    vec![
        ("disjunction", disjunction()),
        ("iff and ite", iff_and_ite()),
        ("ite of cells", ite_of_cells()),
        ("instance", instance()),
        ("skolem", skolem()),
        ("trichotomy", trichotomy()),
        ("congruence", congruence()),
        ("transitive", transitive()),
        ("reach", reach()),
        ("unordered", unordered()),
        ("rounding", rounding()),
        ("arithmetic on classes", arithmetic_on_classes()),
        ("arithmetic equality", arithmetic_equality()),
        ("assumptions", assumptions()),
        ("conjunction", conjunction()),
    ]
}

#[test]
fn are_accepted() {
    for (title, case) in minimal_cases() {
        if let Err(error) = case.check() {
            panic!("{title}: {error}");
        }
    }
}

/// What the store simplified is what the rules say: R(x, x, z) is R(x, z, z), R(x, y, x) is x = y.
#[test]
fn facts_are_simplified_like_literals() {
    // a -> c with a = b is a path through b.
    let mut case = Case::new();
    let [a, b, c, d] = case.cells;
    let (ac, same, abc) = (case.reach(a, c), case.eq(a, b), case.between(a, b, c));
    let not_abc = case.not(abc);
    case.refute(&[ac, same, not_abc], vec![], Closing::Contradiction);
    assert_eq!(case.check(), Ok(()));

    // A path from a to a has no other cell, so one alternative of order1 is an equality.
    let mut case = Case::new();
    let (ab, same, ad, db) = (case.reach(a, b), case.eq(a, b), case.eq(a, d), case.between(a, d, b));
    let [different, not_db] = [same, db].map(|f| case.not(f));
    let rules = vec![case.rule("order1", &[a, b, d], None)];
    case.refute(&[ab, different, ad, not_db], rules, Closing::Contradiction);
    assert_eq!(case.check(), Ok(()));

    // Every cell reaches itself.
    let mut case = Case::new();
    let (ab, same) = (case.reach(a, b), case.eq(a, b));
    let not_ab = case.not(ab);
    case.refute(&[not_ab, same], vec![], Closing::Contradiction);
    assert_eq!(case.check(), Ok(()));
}

/// A number refutes an equality in a head only if the rule has one, so through the closure.
#[test]
fn different_numbers_refute() {
    let mut case = Case::new();
    let [x, y] = case.ints;
    let (one, two) = (case.t.int(1), case.t.int(2));
    let equal = [case.eq(x, one), case.eq(y, two), case.eq(x, y)];
    case.refute(&equal, vec![], Closing::Contradiction);
    assert_eq!(case.check(), Ok(()));
}

#[test]
fn one_quantifier_may_have_two_witnesses() {
    let mut case = skolem();
    let Step::Skolem { forall, .. } = case.steps[2] else { panic!("a Skolem step") };
    let other = case.t.fresh_const("witness", case.cell);
    case.steps.insert(3, Step::Skolem { forall, constants: vec![other] });
    assert_eq!(case.check(), Ok(()));
}

/// `true` and `not false` need no reason, and may be given one.
#[test]
fn constants_are_unfolded() {
    let mut case = Case::new();
    let yes = case.literal(Terms::TRUE);
    case.assert(Terms::FALSE);
    case.connective(Terms::FALSE, &[Terms::TRUE]);
    case.steps.push(Step::Connective { node: Terms::TRUE, clause: vec![!case.literal(Terms::FALSE), !yes] });
    case.propagation(&[]);
    assert_eq!(case.check(), Ok(()));
}

/// 90,000 steps take well under a second; the bound leaves room for a busy machine.
#[test]
fn long_proofs_are_checked_in_near_linear_time() {
    let mut case = Case::new();
    let mut at = case.flags[0];
    case.assert(at);
    for _ in 0..30_000 {
        let step = case.t.fresh_const("step", SortId::BOOL);
        let not_at = case.not(at);
        let implies = case.t.or(&[not_at, step]).unwrap();
        let not_implies = case.not(implies);
        case.assert(implies);
        case.connective(implies, &[not_implies, not_at, step]);
        case.propagation(&[step]);
        at = step;
    }
    let last = case.not(at);
    case.assert(last);
    case.propagation(&[]);
    let start = std::time::Instant::now();
    assert_eq!(case.check(), Ok(()));
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}
