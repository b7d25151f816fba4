//! Ground formulas: functions and predicates, linear integers, reachability, and all of them together.

use crate::logic::SortId;
use crate::testing::formulas::vocabulary::Vocabulary;
use crate::testing::formulas::{Generate, Problem, Shape};

fn ground(mut v: Vocabulary, shape: Shape) -> Problem {
    let formulas = (0..shape.assertions).map(|_| v.formula(shape.depth)).collect();
    v.finish(formulas)
}

/// Equality with uninterpreted functions of arity 1 and 2 and predicates.
#[derive(Clone, Debug)]
pub struct GroundEuf {
    /// How much formula.
    pub shape: Shape,
    /// Sorts.
    pub sorts: usize,
    /// Constants per sort.
    pub constants: usize,
    /// Functions, between random sorts.
    pub functions: usize,
    /// Predicates, over random sorts.
    pub predicates: usize,
    /// How deep applications are nested.
    pub term_depth: usize,
}

impl Default for GroundEuf {
    fn default() -> GroundEuf {
        let shape = Shape { assertions: 8, depth: 1 };
        GroundEuf { shape, sorts: 2, constants: 3, functions: 2, predicates: 1, term_depth: 2 }
    }
}

impl GroundEuf {
    fn declare(&self, v: &mut Vocabulary) {
        for i in 0..self.sorts.max(1) {
            let sort = v.sort(&format!("S{i}"));
            v.constants(&format!("c{i}_"), self.constants.max(1), sort);
        }
        let (functions, predicates) = (self.functions, self.predicates);
        let names = (0..functions)
            .map(|i| (format!("f{i}"), false))
            .chain((0..predicates).map(|i| (format!("p{i}"), true)));
        for (name, is_predicate) in names {
            let n_args = 1 + usize::from(v.rng.one_in(3));
            let args: Vec<SortId> = (0..n_args).map(|_| *v.rng.pick(&v.sorts)).collect();
            let result = if is_predicate { SortId::BOOL } else { *v.rng.pick(&v.sorts) };
            v.function(&name, &args, result);
        }
        v.fuel = self.term_depth;
    }
}

impl Generate for GroundEuf {
    fn generate(&self, seed: u64) -> Problem {
        let mut v = Vocabulary::new(seed);
        self.declare(&mut v);
        ground(v, self.shape)
    }
}

/// Linear integer arithmetic with small coefficients.
#[derive(Clone, Debug)]
pub struct LinearInts {
    /// How much formula.
    pub shape: Shape,
    /// Integer constants.
    pub constants: usize,
    /// Coefficients and numbers lie between plus and minus this.
    pub largest: i64,
}

impl Default for LinearInts {
    fn default() -> LinearInts {
        LinearInts { shape: Shape { assertions: 6, depth: 1 }, constants: 3, largest: 3 }
    }
}

impl Generate for LinearInts {
    fn generate(&self, seed: u64) -> Problem {
        let mut v = Vocabulary::new(seed);
        v.constants("i", self.constants.max(1), SortId::INT);
        v.ints = Some(self.largest.clamp(1, 1_000_000));
        ground(v, self.shape)
    }
}

/// Reachability along link fields: `next` terms, `reach`, `between`.
#[derive(Clone, Debug)]
pub struct GroundReach {
    /// How much formula.
    pub shape: Shape,
    /// Constants of the one sort of cells.
    pub constants: usize,
    /// Link fields.
    pub link_fields: usize,
    /// How deep `next` is nested.
    pub term_depth: usize,
}

impl Default for GroundReach {
    fn default() -> GroundReach {
        let shape = Shape { assertions: 6, depth: 1 };
        GroundReach { shape, constants: 4, link_fields: 1, term_depth: 1 }
    }
}

impl GroundReach {
    fn declare(&self, v: &mut Vocabulary) {
        let cell = v.sort("Cell");
        v.constants("x", self.constants.max(1), cell);
        for i in 0..self.link_fields.max(1) {
            v.link(&format!("n{i}"), cell);
        }
        v.fuel = self.term_depth;
    }
}

impl Generate for GroundReach {
    fn generate(&self, seed: u64) -> Problem {
        let mut v = Vocabulary::new(seed);
        self.declare(&mut v);
        ground(v, self.shape)
    }
}

/// Functions, integers and reachability in one formula, with `ite` terms and fields into the integers.
#[derive(Clone, Debug)]
pub struct Mixed {
    /// How much formula.
    pub shape: Shape,
    /// The functions and predicates.
    pub euf: GroundEuf,
    /// The cells and link fields.
    pub reach: GroundReach,
    /// Integer constants.
    pub int_constants: usize,
    /// Fields from cells to integers.
    pub int_fields: usize,
    /// Coefficients and numbers lie between plus and minus this.
    pub largest: i64,
}

impl Default for Mixed {
    fn default() -> Mixed {
        Mixed {
            shape: Shape { assertions: 6, depth: 1 },
            euf: GroundEuf { sorts: 1, constants: 2, functions: 1, ..GroundEuf::default() },
            reach: GroundReach { constants: 2, ..GroundReach::default() },
            int_constants: 2,
            int_fields: 1,
            largest: 2,
        }
    }
}

impl Generate for Mixed {
    fn generate(&self, seed: u64) -> Problem {
        let mut v = Vocabulary::new(seed);
        self.reach.declare(&mut v);
        // After the cells, so that random functions may go to and from them.
        self.euf.declare(&mut v);
        v.constants("i", self.int_constants, SortId::INT);
        v.ints = Some(self.largest.clamp(1, 1_000_000));
        let cell = v.sorts[0];
        for i in 0..self.int_fields {
            v.function(&format!("d{i}"), &[cell], SortId::INT);
        }
        v.ite = true;
        v.fuel = 2;
        ground(v, self.shape)
    }
}
