//! A trace of queries as property-directed reachability asks them, over lists.
//!
//! Constants of a sort of cells, reachability as a relation under the EPR axioms of a forest that ends in
//! null (Itzhaky et al., "Property-directed shape analysis"), one transition `p->next = q`, frames behind
//! activation constants. A query: can a cube be entered from a frame, from outside the cube?
//! The trace depends on the answers only, not on cores or models, so every solver gives the same one.

use catena::engine::solver::{Answer, Config, Solver};
use catena::logic::{FuncId, SortId, TermId, Terms};
use catena::util::rng::Rng;
use std::time::Instant;

/// One call of a trace.
pub enum Call {
    /// A formula for good.
    Assert(TermId),
    /// A query under assumptions, and whether it is satisfiable.
    Check(Vec<TermId>, bool),
}

/// The calls and the store of their terms.
pub struct Trace {
    /// The store.
    pub terms: Terms,
    /// The calls, in order.
    pub calls: Vec<Call>,
}

/// How reachability is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// The predicate of the solver.
    Native,
    /// A relation with axioms, which every solver reads.
    Relation,
}

/// The universes that are measured.
pub const CELLS: [usize; 3] = [6, 12, 20];

const FRAMES: usize = 5;
/// Queries before the frames are given up for new ones: random cubes would otherwise empty them.
const PER_PROPERTY: usize = 100;
/// Lemmas have at least this many literals.
const FLOOR: usize = 4;
/// The cells that the first frame and the transition speak of; more have no role, and null is the last.
const NAMES: [&str; 5] = ["h", "i", "j", "p", "q"];
const SOUND: &str = "formulas of the trace are well sorted";

struct Recorder {
    solver: Solver,
    calls: Vec<Call>,
    cells: Vec<TermId>,
    frames: Vec<TermId>,
    relation: Option<FuncId>,
    next: FuncId,
    queries: usize,
}

/// A literal of a cube: reach or equality of two cells, by index.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Literal {
    reach: bool,
    from: usize,
    to: usize,
    positive: bool,
}

/// Records this many queries about so many cells, at least six.
pub fn record(encoding: Encoding, n_cells: usize, queries: usize, seed: u64) -> Trace {
    let mut recorder = Recorder::new(encoding, n_cells);
    let mut rng = Rng::new(seed);
    let mut properties = 0;
    while recorder.queries < queries {
        if recorder.queries >= properties * PER_PROPERTY {
            recorder.new_property(properties);
            properties += 1;
        }
        let mut cube: Vec<Literal> = Vec::new();
        while cube.len() < 5 {
            let literal = Literal {
                reach: !rng.one_in(4),
                from: rng.below(n_cells - 1),
                to: rng.below(n_cells),
                positive: rng.one_in(2),
            };
            let known =
                cube.iter().any(|l| (l.reach, l.from, l.to) == (literal.reach, literal.from, literal.to));
            if literal.from != literal.to && !known {
                cube.push(literal);
            }
        }
        recorder.block(1 + rng.below(FRAMES - 1), cube, &mut rng);
    }
    Trace { terms: recorder.solver.terms().clone(), calls: recorder.calls }
}

/// Answers a trace again; panics if an answer differs.
///
/// Returns the solver and the milliseconds of each query.
pub fn replay(trace: &Trace, config: Config) -> (Solver, Vec<f64>) {
    let mut solver = Solver::with_terms(config, trace.terms.clone());
    let mut times = Vec::new();
    for call in &trace.calls {
        match call {
            Call::Assert(formula) => solver.assert(*formula).expect(SOUND),
            Call::Check(assumptions, expected) => {
                let start = Instant::now();
                let answer = solver.check_assuming(assumptions).expect(SOUND);
                times.push(start.elapsed().as_secs_f64() * 1e3);
                assert_eq!(matches!(answer, Answer::Sat(_)), *expected, "the answer of the recording");
            }
        }
    }
    (solver, times)
}

impl Recorder {
    fn new(encoding: Encoding, n_cells: usize) -> Recorder {
        let mut solver = Solver::with_config(Config { minimise_cores: false, ..Config::default() });
        let t = solver.terms_mut();
        let cell = t.declare_sort("Cell").expect(SOUND);
        let next = t.declare_fun("next", &[cell], cell).expect(SOUND);
        let more = (NAMES.len()..n_cells - 1).map(|i| format!("x{i}"));
        let names = NAMES.iter().map(|n| (*n).to_owned()).chain(more).chain(["null".to_owned()]);
        let cells: Vec<TermId> = names.map(|n| t.declare_const(&n, cell).expect(SOUND)).collect();
        let relation = (encoding == Encoding::Relation)
            .then(|| t.declare_fun("R", &[cell, cell], SortId::BOOL).expect(SOUND));
        let mut all =
            Recorder { solver, calls: Vec::new(), cells, frames: Vec::new(), relation, next, queries: 0 };
        match relation {
            Some(relation) => all.forest(relation, cell),
            None => all.native(),
        }
        let (p, q, null) = (3, 4, n_cells - 1);
        // The transition links p, which is not null, to q without closing a cycle.
        let back = all.reach(q, p);
        all.assert_or(&[], &[back]);
        let same = all.equal(p, null);
        all.assert_or(&[], &[same]);
        all
    }

    /// New frames; in the first of them i, j and p lie on the list from h.
    fn new_property(&mut self, number: usize) {
        let t = self.solver.terms_mut();
        let frame = |i: usize| t.declare_const(&format!("frame{number}_{i}"), SortId::BOOL).expect(SOUND);
        self.frames = (0..FRAMES).map(frame).collect();
        let (h, i, j, p) = (0, 1, 2, 3);
        for (from, to) in [(h, i), (i, j), (h, p)] {
            let there = self.reach(from, to);
            self.assert_or(&[there], &[self.frames[0]]);
        }
    }

    /// `some positive or some negative is false`, for good.
    fn assert_or(&mut self, positive: &[TermId], negative: &[TermId]) {
        let t = self.solver.terms_mut();
        let mut clause = positive.to_vec();
        clause.extend(negative.iter().map(|&f| t.not(f).expect(SOUND)));
        let clause = t.or(&clause).expect(SOUND);
        self.assert(clause);
    }

    fn assert(&mut self, formula: TermId) {
        self.solver.assert(formula).expect(SOUND);
        self.calls.push(Call::Assert(formula));
    }

    fn native(&mut self) {
        let null = self.cells[self.cells.len() - 1];
        let t = self.solver.terms_mut();
        let after = t.app(self.next, &[null]).expect(SOUND);
        let ends = t.eq(after, null).expect(SOUND);
        self.assert(ends);
        for i in 0..self.cells.len() - 1 {
            let listed = self.reach(i, self.cells.len() - 1);
            self.assert(listed);
        }
    }

    fn forest(&mut self, relation: FuncId, cell: SortId) {
        let null = self.cells[self.cells.len() - 1];
        let t = self.solver.terms_mut();
        let [x, y, z] = ["x", "y", "z"].map(|n| t.variable(n, cell).expect(SOUND));
        let [xx, xy, yx, yz, zy, xz, xn] = [(x, x), (x, y), (y, x), (y, z), (z, y), (x, z), (x, null)]
            .map(|(a, b)| t.app(relation, &[a, b]).expect(SOUND));
        let same = t.eq(x, y).expect(SOUND);
        let rules: [(&[TermId], &[TermId], &[TermId]); 5] = [
            (&[x], &[], &[xx]),
            (&[x, y, z], &[xy, yz], &[xz]),
            (&[x, y], &[xy, yx], &[same]),
            (&[x, y, z], &[xy, xz], &[yz, zy]),
            (&[x], &[], &[xn]),
        ];
        for (variables, premises, conclusions) in rules {
            let t = self.solver.terms_mut();
            let mut clause: Vec<TermId> = premises.iter().map(|&p| t.not(p).expect(SOUND)).collect();
            clause.extend(conclusions);
            let body = t.or(&clause).expect(SOUND);
            let all = t.forall(variables, body).expect(SOUND);
            self.assert(all);
        }
    }

    fn reach(&mut self, from: usize, to: usize) -> TermId {
        let (from, to) = (self.cells[from], self.cells[to]);
        let t = self.solver.terms_mut();
        match self.relation {
            Some(relation) => t.app(relation, &[from, to]),
            None => t.reach(self.next, from, to),
        }
        .expect(SOUND)
    }

    fn equal(&mut self, from: usize, to: usize) -> TermId {
        let (from, to) = (self.cells[from], self.cells[to]);
        self.solver.terms_mut().eq(from, to).expect(SOUND)
    }

    /// A literal in the state before, or (primed) after the transition.
    fn literal(&mut self, literal: Literal, primed: bool) -> TermId {
        let Literal { reach, from, to, positive } = literal;
        let atom = match (reach, primed) {
            (false, _) => self.equal(from, to),
            (true, false) => self.reach(from, to),
            (true, true) => self.reach_after(from, to),
        };
        if positive { atom } else { self.solver.terms_mut().not(atom).expect(SOUND) }
    }

    /// Without cycles: the old path unless it goes on from p, or to p and on from q.
    fn reach_after(&mut self, from: usize, to: usize) -> TermId {
        let (p, q) = (3, 4);
        let old = self.reach(from, to);
        let (to_p, from_p, from_q) = (self.reach(from, p), self.reach(p, to), self.reach(q, to));
        let at_p = self.equal(to, p);
        let t = self.solver.terms_mut();
        let beyond = t.not(at_p).expect(SOUND);
        let cut = t.and(&[to_p, from_p, beyond]).expect(SOUND);
        let whole = t.not(cut).expect(SOUND);
        let kept = t.and(&[old, whole]).expect(SOUND);
        let new = t.and(&[to_p, from_q]).expect(SOUND);
        t.or(&[kept, new]).expect(SOUND)
    }

    fn negated(&mut self, cube: &[Literal]) -> Vec<TermId> {
        cube.iter().map(|&l| self.literal(Literal { positive: !l.positive, ..l }, false)).collect()
    }

    fn enters(&mut self, frame: usize, cube: &[Literal]) -> bool {
        let mut assumptions = self.frames[frame - 1..].to_vec();
        let outside = self.negated(cube);
        assumptions.push(self.solver.terms_mut().or(&outside).expect(SOUND));
        assumptions.extend(cube.iter().map(|&l| self.literal(l, true)).collect::<Vec<_>>());
        let answer = self.solver.check_assuming(&assumptions).expect(SOUND);
        let sat = match answer {
            Answer::Sat(_) => true,
            Answer::Unsat(_) => false,
            Answer::Unknown(reason) => panic!("a query of the trace: {reason}"),
        };
        self.calls.push(Call::Check(assumptions, sat));
        self.queries += 1;
        sat
    }

    /// Blocks a cube if it cannot be entered, after a few tries to drop literals.
    fn block(&mut self, frame: usize, mut cube: Vec<Literal>, rng: &mut Rng) {
        if self.enters(frame, &cube) {
            return;
        }
        for _ in 0..3 {
            // A floor stands in for initiation: without it the lemmas would soon empty the frames.
            if cube.len() > FLOOR {
                let mut less = cube.clone();
                less.remove(rng.below(less.len()));
                if !self.enters(frame, &less) {
                    cube = less;
                }
            }
        }
        let mut lemma = self.negated(&cube);
        let t = self.solver.terms_mut();
        lemma.push(t.not(self.frames[frame]).expect(SOUND));
        let lemma = t.or(&lemma).expect(SOUND);
        self.assert(lemma);
    }
}
