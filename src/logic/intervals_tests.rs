//! Intervals against enumeration.

use super::*;
use crate::logic::sort::SortId;
use crate::logic::{Model, Terms};
use crate::util::rng::Rng;

struct Random {
    terms: Terms,
    rng: Rng,
    i: TermId,
    u: TermId,
    c: TermId,
    p: FuncId,
    f: FuncId,
    g: FuncId,
    h: FuncId,
}

impl Random {
    fn new(seed: u64) -> Random {
        let mut terms = Terms::new();
        let cell = terms.declare_sort("Cell").unwrap();
        let int = SortId::INT;
        let p = terms.declare_fun("p", &[int, int], SortId::BOOL).unwrap();
        let f = terms.declare_fun("f", &[int], int).unwrap();
        let g = terms.declare_fun("g", &[cell, int], int).unwrap();
        let h = terms.declare_fun("h", &[int], cell).unwrap();
        let i = terms.variable("i", int).unwrap();
        let u = terms.variable("u", cell).unwrap();
        let c = terms.declare_const("c", cell).unwrap();
        Random { terms, rng: Rng::new(seed), i, u, c, p, f, g, h }
    }

    fn small(&mut self) -> Int {
        Int::from(self.rng.below(13) as i64 - 6)
    }

    fn model(&mut self) -> Model {
        let mut model = Model::new(&self.terms);
        let cell = self.terms.find_sort("Cell").unwrap();
        model.set_size(cell, 2);
        for func in [self.p, self.f, self.g, self.h] {
            let declared = self.terms.func(func).clone();
            let value = |r: &mut Random, sort| match sort {
                SortId::BOOL => Value::Bool(r.rng.one_in(2)),
                SortId::INT => Value::Int(r.small()),
                _ => Value::Elem(r.rng.below(2) as u32),
            };
            let default = value(self, declared.result);
            model.set_default(func, default);
            for _ in 0..self.rng.below(5) {
                let args: Vec<Value> = declared.args.iter().map(|&s| value(self, s)).collect();
                let result = value(self, declared.result);
                model.set(&self.terms, func, &args, result);
            }
        }
        model
    }

    fn int(&mut self, depth: usize) -> TermId {
        match self.rng.below(if depth == 0 { 3 } else { 7 }) {
            0 => {
                let n = self.small();
                self.terms.int(n)
            }
            1 | 2 => self.i,
            3 => {
                let (n, t) = (self.small(), self.int(depth - 1));
                let (n, s) = (self.terms.int(n), self.int(depth - 1));
                let product = self.terms.mul(n, t).unwrap();
                self.terms.add(&[product, s]).unwrap()
            }
            4 => {
                let t = self.int(depth - 1);
                self.terms.app(self.f, &[t]).unwrap()
            }
            5 => {
                let (cell, t) = (self.cell(depth - 1), self.int(depth - 1));
                self.terms.app(self.g, &[cell, t]).unwrap()
            }
            _ => {
                let (q, s, t) = (self.formula(depth - 1), self.int(depth - 1), self.int(depth - 1));
                self.terms.ite(q, s, t).unwrap()
            }
        }
    }

    fn cell(&mut self, depth: usize) -> TermId {
        match self.rng.below(3) {
            0 => self.c,
            1 => self.u,
            _ => {
                let t = self.int(depth.saturating_sub(1));
                self.terms.app(self.h, &[t]).unwrap()
            }
        }
    }

    fn formula(&mut self, depth: usize) -> TermId {
        let below = depth.saturating_sub(1);
        match self.rng.below(if depth == 0 { 4 } else { 7 }) {
            0 | 1 => {
                let (s, t) = (self.int(below), self.int(below));
                self.terms.le(s, t).unwrap()
            }
            2 => {
                let (s, t) = (self.int(below), self.int(below));
                self.terms.app(self.p, &[s, t]).unwrap()
            }
            3 => {
                let items = [self.int(below), self.int(below), self.int(below)];
                let n = 2 + self.rng.below(2);
                self.terms.distinct(&items[..n]).unwrap()
            }
            4 => {
                let (s, t) = (self.cell(below), self.cell(below));
                self.terms.eq(s, t).unwrap()
            }
            5 => {
                let parts = [self.formula(below), self.formula(below)];
                self.terms.or(&parts).unwrap()
            }
            _ => {
                let part = self.formula(below);
                self.terms.not(part).unwrap()
            }
        }
    }
}

/// All numbers in the random problems are small, so what happens far out happens at 3000 already.
#[test]
fn intervals_agree_with_enumeration() {
    let (mut n_true, mut n_false) = (0, 0);
    for seed in 0..1500 {
        let mut random = Random::new(seed);
        let model = random.model();
        let body = random.formula(3);
        let body = random.terms.forall(&[random.u], body).unwrap();
        let forall = random.terms.forall(&[random.i], body).unwrap();
        let (Op::Var(i), terms) = (random.terms.op(random.i), &random.terms) else { panic!("a variable") };
        let mut evaluator = Evaluator::new(terms, &model);
        let found = evaluator.holds(forall).unwrap();
        let expected = (-3000..=3000).all(|n: i64| {
            let mut env: Env = [(i, Value::Int(Int::from(n)))].into_iter().collect();
            evaluator.eval_in(body, &mut env).unwrap().is_true()
        });
        assert_eq!(found, expected, "seed {seed}: {}", crate::logic::print::term(terms, forall));
        if let Some(at) = evaluator.integer_against(body, i, &mut Env::default()).unwrap() {
            let mut env: Env = [(i, Value::Int(at))].into_iter().collect();
            assert!(!evaluator.eval_in(body, &mut env).unwrap().is_true(), "seed {seed}");
        }
        *(if found { &mut n_true } else { &mut n_false }) += 1;
    }
    assert!(n_true > 100 && n_false > 100, "{n_true} {n_false}");
}

#[test]
fn far_away_is_as_good_as_near() {
    let mut terms = Terms::new();
    let i = terms.variable("i", SortId::INT).unwrap();
    let far: Int = "1000000000000000000000000000000".parse().unwrap();
    let (far, seven) = (terms.int(far), terms.int(7));
    let product = terms.mul(seven, i).unwrap();
    let different = terms.distinct(&[product, far]).unwrap();
    let forall = terms.forall(&[i], different).unwrap();
    let model = Model::new(&terms);
    // 7 does not divide a power of ten.
    assert_eq!(Evaluator::new(&terms, &model).holds(forall), Ok(true));
    let above = terms.le(product, far).unwrap();
    let forall = terms.forall(&[i], above).unwrap();
    assert_eq!(Evaluator::new(&terms, &model).holds(forall), Ok(false));
}
