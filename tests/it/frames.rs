//! Long sessions of frames and assumed disjunctions: what is behind a frame counts whenever the frame is assumed.
//!
//! Every answer is certified, compared with that of a fresh solver, and refuted queries with enumeration.

use catena::engine::solver::{Answer, Solver};
use catena::logic::{FuncId, SortId, TermId};
use catena::testing::brute::decide_by_enumeration;
use catena::testing::oracle::{Effort, Verdict, certify, fresh, new_solver};
use catena::util::rng::Rng;

const SOUND: &str = "formulas of the session are well sorted";
const SESSIONS: u64 = 40;
const QUERIES: usize = 40;

struct Session {
    solver: Solver,
    rng: Rng,
    cells: Vec<TermId>,
    next: FuncId,
    frames: Vec<TermId>,
    asserted: Vec<TermId>,
    /// Disjunctions that were assumed: they come again, also inside other formulas.
    disjunctions: Vec<TermId>,
}

impl Session {
    fn new(seed: u64) -> Session {
        let mut solver = new_solver(&catena::logic::Terms::new(), &Effort::default());
        let t = solver.terms_mut();
        let cell = t.declare_sort("Cell").expect(SOUND);
        let next = t.declare_fun("next", &[cell], cell).expect(SOUND);
        let cells = ["a", "b", "c"].map(|n| t.declare_const(n, cell).expect(SOUND)).to_vec();
        let frames = (0..4).map(|i| t.declare_const(&format!("g{i}"), SortId::BOOL).expect(SOUND)).collect();
        let (asserted, disjunctions) = (Vec::new(), Vec::new());
        Session { solver, rng: Rng::new(seed), cells, next, frames, asserted, disjunctions }
    }

    fn literal(&mut self) -> TermId {
        let [from, to] = [0, 1].map(|_| self.cells[self.rng.below(self.cells.len())]);
        let t = self.solver.terms_mut();
        let atom = match self.rng.below(3) {
            0 => t.eq(from, to),
            1 => t.reach(self.next, from, to),
            _ => {
                let after = t.app(self.next, &[from]).expect(SOUND);
                t.eq(after, to)
            }
        };
        self.signed(atom.expect(SOUND))
    }

    fn signed(&mut self, formula: TermId) -> TermId {
        if self.rng.one_in(2) { self.solver.terms_mut().not(formula).expect(SOUND) } else { formula }
    }

    fn disjunction(&mut self) -> TermId {
        if !self.disjunctions.is_empty() && self.rng.one_in(3) {
            return self.disjunctions[self.rng.below(self.disjunctions.len())];
        }
        let lits: Vec<TermId> = (0..2 + self.rng.below(3)).map(|_| self.literal()).collect();
        let made = self.solver.terms_mut().or(&lits).expect(SOUND);
        self.disjunctions.push(made);
        made
    }

    /// A clause behind one frame or two; at times a known disjunction, either way round, is part of it.
    fn lemma(&mut self) -> TermId {
        let mut parts: Vec<TermId> = (0..1 + self.rng.below(3)).map(|_| self.literal()).collect();
        if self.rng.one_in(3) {
            let known = self.disjunction();
            parts.push(self.signed(known));
        }
        for _ in 0..1 + usize::from(self.rng.one_in(4)) {
            let frame = self.frames[self.rng.below(self.frames.len())];
            parts.push(self.solver.terms_mut().not(frame).expect(SOUND));
        }
        self.solver.terms_mut().or(&parts).expect(SOUND)
    }

    fn query(&mut self) -> Verdict {
        let mut assumed = Vec::new();
        for at in 0..self.frames.len() {
            match self.rng.below(6) {
                0..3 => assumed.push(self.frames[at]),
                3 => assumed.push(self.solver.terms_mut().not(self.frames[at]).expect(SOUND)),
                _ => {}
            }
        }
        for _ in 0..1 + self.rng.below(2) {
            let formula = self.disjunction();
            assumed.push(if self.rng.one_in(4) { self.signed(formula) } else { formula });
        }
        assumed.push(self.literal());
        let answer = self.solver.check_assuming(&assumed).expect(SOUND);
        let Session { solver, asserted, .. } = self;
        let verdict = certify(solver.terms(), asserted, &assumed, &answer).expect("evidence of the session");
        let all = [asserted.as_slice(), &assumed].concat();
        let effort = Effort::default();
        assert_eq!(fresh(solver.terms(), &all, &effort).expect("evidence of a fresh solver"), verdict);
        if matches!(answer, Answer::Unsat(_)) {
            let found = decide_by_enumeration(solver.terms(), &all, 3, 0..=0, effort.brute_cap);
            assert!(!found.is_sat(), "refuted, but there is a model: {found:?}");
        }
        verdict
    }
}

#[test]
fn sessions() {
    let mut counts = [0, 0];
    for seed in 0..SESSIONS {
        let mut session = Session::new(seed);
        for _ in 0..QUERIES {
            match session.query() {
                Verdict::Sat => counts[0] += 1,
                Verdict::Unsat => counts[1] += 1,
                Verdict::Unknown => panic!("session {seed}: unknown"),
            }
            if session.rng.one_in(2) {
                let lemma = session.lemma();
                session.solver.assert(lemma).expect(SOUND);
                session.asserted.push(lemma);
            }
        }
    }
    // Neither answer is rare, or the sessions say little.
    assert!(counts.iter().all(|&n| n > 200), "{counts:?} answers sat and unsat");
}
