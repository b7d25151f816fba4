//! Which literals matter: the justification of the asserted formulas by the present assignment.
//!
//! A true conjunction needs all its children, a true disjunction one true child; only literals met on such
//! a walk from the asserted formulas are *relevant*, and only they are handed to the theory. A relevant
//! disjunction without a true child is *open*; the search decides nothing but children of open nodes, and
//! when nothing is open the relevant literals alone make the formulas true.
//!
//! Marks are sticky: once chosen, a justification stays until the search backtracks below the level of the
//! choice. So the theory only ever sees "assert" and "pop".
//!
//! Besides formulas three things can be open: an `ite` term whose condition is undecided, and a clause that
//! a theory asked for (a [`SplitClause`]) once all its premises are relevant.
//!
//! A *definition* `k = t` at the top of an assertion is relevant only when the constant k occurs in a
//! relevant literal (benchmarks/lisbq: three to seven times fewer facts).

mod candidates;

use crate::engine::clausify::Clausifier;
use crate::engine::theory::Theory;
use crate::logic::{Op, SortId, TermId, Terms};
use crate::sat::Lit;
use crate::util::hash::Map;

/// A clause of the theory: when all premises are relevant, one of the heads has to be.
pub(crate) struct SplitClause {
    n_premises: u32,
    heads: Vec<Lit>,
    /// How many premises are relevant now.
    relevant: u32,
    /// Whether it is in the open list now (justified or not).
    listed: bool,
}

#[derive(Clone, Copy, Debug)]
enum OpenKind {
    /// A formula with its truth value that needs a child.
    Formula(TermId, bool),
    /// An `ite` term with undecided condition.
    IteTerm(TermId),
    /// A split clause.
    Split(u32),
}

struct Open {
    kind: OpenKind,
    justified: bool,
    /// Where the literals of its children begin; they end where those of the next node begin.
    children: u32,
}

enum Undo {
    Mark { atom: TermId, bit: u8 },
    Open,
    Justified { at: u32 },
    Quantifier,
}

const POSITIVE: u8 = 1;
const NEGATIVE: u8 = 2;

/// The walk and its marks.
#[derive(Default)]
pub(crate) struct Relevancy {
    marks: Vec<u8>,
    queue: Vec<(TermId, bool)>,
    open: Vec<Open>,
    /// Literals that would justify the open conjunctions and disjunctions, node by node; none for the others, and none
    /// where a child has no variable yet.
    children: Vec<Lit>,
    /// Every entry before this one is justified.
    first_open: usize,
    /// Relevant universal quantifiers.
    pub(crate) quantifiers: Vec<TermId>,
    splits: Vec<SplitClause>,
    split_ids: Map<Vec<Lit>, u32>,
    /// Split clauses whose place in the open list went with a level.
    unlisted: Vec<u32>,
    premise_of: Map<Lit, Vec<u32>>,
    /// Constants with the equation that defines them.
    pub(crate) definitions: Map<TermId, TermId>,
    /// Nodes of the theory's graph that were looked at.
    seen_nodes: u32,
    undo: Vec<Undo>,
    levels: Vec<usize>,
    /// Literals handed to the theory since the search started.
    pub(crate) n_literals: u64,
}

impl Relevancy {
    pub(crate) fn push(&mut self) {
        self.levels.push(self.undo.len());
    }

    /// Goes back to a level; the theory has gone back already.
    pub(crate) fn pop_to(&mut self, level: usize, clausifier: &Clausifier, terms: &Terms, theory: &Theory) {
        self.queue.clear();
        self.seen_nodes = self.seen_nodes.min(theory.egraph.len());
        let Some(&target) = self.levels.get(level) else { return };
        self.levels.truncate(level);
        while self.undo.len() > target {
            match self.undo.pop().expect("longer than the target") {
                Undo::Mark { atom, bit } => {
                    self.marks[atom.index()] &= !bit;
                    if let Some(lit) = clausifier.known_literal(terms, atom) {
                        let lit = if bit == POSITIVE { lit } else { !lit };
                        for &split in self.premise_of.get(&lit).into_iter().flatten() {
                            self.splits[split as usize].relevant -= 1;
                        }
                    }
                }
                Undo::Open => {
                    let open = self.open.pop().expect("logged entries are there");
                    self.children.truncate(open.children as usize);
                    if let OpenKind::Split(id) = open.kind {
                        self.splits[id as usize].listed = false;
                        self.unlisted.push(id);
                    }
                }
                Undo::Justified { at } => {
                    self.open[at as usize].justified = false;
                    self.first_open = self.first_open.min(at as usize);
                }
                Undo::Quantifier => {
                    self.quantifiers.pop();
                }
            }
        }
        self.first_open = self.first_open.min(self.open.len());
    }

    /// Whether a formula counts as relevant with this truth value.
    pub(crate) fn is_relevant(&self, terms: &Terms, formula: TermId) -> bool {
        let (atom, positive) = terms.strip_not(formula);
        let bit = if positive { POSITIVE } else { NEGATIVE };
        self.marks.get(atom.index()).is_some_and(|m| m & bit != 0)
    }

    /// Forgets marks and open nodes, but not the clauses and definitions.
    pub(crate) fn reset(&mut self) {
        self.marks.fill(0);
        self.queue.clear();
        self.open.clear();
        self.children.clear();
        self.first_open = 0;
        self.quantifiers.clear();
        self.seen_nodes = 0;
        self.unlisted.clear();
        self.undo.clear();
        self.levels.clear();
        for split in &mut self.splits {
            split.relevant = 0;
            split.listed = false;
        }
    }

    /// Asks that a formula be justified; it must be true in the assignment at the next advance.
    pub(crate) fn require(&mut self, terms: &Terms, formula: TermId) {
        let (atom, positive) = terms.strip_not(formula);
        self.queue.push((atom, positive));
    }

    /// Registers a clause of the theory and opens it if its premises are relevant.
    pub(crate) fn add_split(&mut self, mut premises: Vec<Lit>, heads: Vec<Lit>, clausifier: &Clausifier) {
        premises.sort_unstable();
        let mut key = premises.clone();
        key.extend(&heads);
        let id = match self.split_ids.get(&key) {
            // Known, but its place in the open list may have gone with a level.
            Some(&id) => id,
            None => {
                let id = self.splits.len() as u32;
                self.split_ids.insert(key, id);
                for &lit in &premises {
                    self.premise_of.entry(lit).or_default().push(id);
                }
                let relevant = |l: &&Lit| self.is_marked(clausifier.atom(l.var()), l.is_positive());
                let n = premises.iter().filter(relevant).count() as u32;
                self.splits.push(SplitClause {
                    n_premises: premises.len() as u32,
                    heads,
                    relevant: n,
                    listed: false,
                });
                id
            }
        };
        self.list_split(id);
    }

    /// Opens every split clause whose premises are relevant; a backtrack may have closed some. Clauses
    /// without premises (branches on integers) are asked for again where they are needed.
    pub(crate) fn list_splits(&mut self) {
        let mut unlisted = std::mem::take(&mut self.unlisted);
        unlisted.sort_unstable();
        for &id in &unlisted {
            if self.splits[id as usize].n_premises > 0 {
                self.list_split(id);
            }
        }
        unlisted.clear();
        self.unlisted = unlisted;
    }

    fn list_split(&mut self, id: u32) {
        let split = &mut self.splits[id as usize];
        if split.relevant == split.n_premises && !split.listed {
            split.listed = true;
            self.add_open(OpenKind::Split(id));
        }
    }

    fn add_open(&mut self, kind: OpenKind) {
        self.open.push(Open { kind, justified: false, children: self.children.len() as u32 });
        self.undo.push(Undo::Open);
    }

    /// Opens a conjunction or disjunction. Its children's literals are kept: most looks at an open node find none true.
    fn add_open_formula(&mut self, terms: &Terms, clausifier: &Clausifier, atom: TermId, positive: bool) {
        self.add_open(OpenKind::Formula(atom, positive));
        let start = self.children.len();
        for &child in terms.children(atom) {
            match clausifier.known_literal(terms, child) {
                Some(lit) => self.children.push(if positive { lit } else { !lit }),
                None => return self.children.truncate(start),
            }
        }
    }

    /// Extends the justification as far as the assignment allows and asserts what is new to the theory.
    /// Returns the number of literals asserted.
    pub(crate) fn advance(
        &mut self,
        terms: &mut Terms,
        clausifier: &mut Clausifier,
        theory: &mut Theory,
        value: &dyn Fn(Lit) -> Option<bool>,
    ) -> u64 {
        let before = self.n_literals;
        // The assignment stays what it is, so a node is looked at once.
        let mut from = self.first_open;
        loop {
            while let Some((atom, positive)) = self.queue.pop() {
                self.visit(terms, clausifier, theory, atom, positive);
            }
            if self.look_at_nodes(terms, clausifier, theory) {
                continue;
            }
            let n_open = self.open.len();
            if !self.justify_open(from, terms, clausifier, theory, value) {
                return self.n_literals - before;
            }
            from = n_open;
        }
    }

    fn visit(
        &mut self,
        terms: &mut Terms,
        clausifier: &mut Clausifier,
        theory: &mut Theory,
        atom: TermId,
        positive: bool,
    ) {
        let bit = if positive { POSITIVE } else { NEGATIVE };
        if self.marks.len() <= atom.index() {
            self.marks.resize(terms.len(), 0);
        }
        if self.marks[atom.index()] & bit != 0 {
            return;
        }
        self.marks[atom.index()] |= bit;
        self.undo.push(Undo::Mark { atom, bit });
        let plain = clausifier.literal(terms, atom);
        let literal = if positive { plain } else { !plain };
        if let Some(splits) = self.premise_of.get(&literal) {
            for id in splits.clone() {
                self.splits[id as usize].relevant += 1;
                self.list_split(id);
            }
        }
        match terms.op(atom) {
            Op::And | Op::Or => {
                if (terms.op(atom) == Op::And) == positive {
                    for &child in terms.children(atom).iter().rev() {
                        let (child, plain) = terms.strip_not(child);
                        self.queue.push((child, plain == positive));
                    }
                } else {
                    self.add_open_formula(terms, clausifier, atom, positive);
                }
            }
            Op::Iff | Op::Ite => self.add_open(OpenKind::Formula(atom, positive)),
            Op::Forall(_) if positive => {
                self.quantifiers.push(atom);
                self.undo.push(Undo::Quantifier);
            }
            // A false quantifier or `distinct` has a counterexample.
            Op::Forall(_) | Op::Distinct if !positive => {
                let instance = clausifier.counterexample(atom);
                let (instance, plain) = terms.strip_not(instance);
                self.queue.push((instance, !plain));
            }
            Op::True | Op::False => {}
            _ => {
                self.n_literals += 1;
                theory.assert(terms, atom, positive, literal);
            }
        }
    }

    /// Terms that are new to the theory: definitions and `ite`s.
    fn look_at_nodes(&mut self, terms: &mut Terms, clausifier: &mut Clausifier, theory: &mut Theory) -> bool {
        let mut changed = false;
        while self.seen_nodes < theory.egraph.len() {
            let term = theory.egraph.term(self.seen_nodes);
            self.seen_nodes += 1;
            if let Some(&equation) = self.definitions.get(&term) {
                self.require(terms, equation);
                changed = true;
            }
            if terms.op(term) == Op::Ite && terms.sort(term) != SortId::BOOL {
                clausifier.define_ite(terms, term);
                self.add_open(OpenKind::IteTerm(term));
            }
        }
        changed
    }

    /// Gives open nodes that have a true child their justification; whether any got one.
    fn justify_open(
        &mut self,
        from: usize,
        terms: &mut Terms,
        clausifier: &Clausifier,
        theory: &Theory,
        value: &dyn Fn(Lit) -> Option<bool>,
    ) -> bool {
        let mut any = false;
        for at in from..self.open.len() {
            let Open { kind, justified, .. } = self.open[at];
            if justified {
                continue;
            }
            let children = self.kept_children(at);
            if !children.is_empty() && children.iter().all(|&lit| value(lit) != Some(true)) {
                continue;
            }
            let truth = |formula: TermId| clausifier.known_literal(terms, formula).and_then(value);
            let chosen = match kind {
                OpenKind::Formula(atom, positive) => match terms.op(atom) {
                    Op::And | Op::Or => {
                        let children = terms.children(atom).iter().map(|&c| wanted(terms, c, positive));
                        let holding = children.filter(|&(c, sign)| truth(c) == Some(sign));
                        let best = holding.min_by_key(|&(c, sign)| self.cost(terms, theory, c, sign));
                        best.map_or([None, None], |child| [Some(child), None])
                    }
                    Op::Iff => {
                        let [a, b] = [0, 1].map(|i| terms.children(atom)[i]);
                        match (truth(a), truth(b)) {
                            (Some(x), Some(y)) => [Some(wanted(terms, a, x)), Some(wanted(terms, b, y))],
                            _ => [None, None],
                        }
                    }
                    _ => self
                        .branch(terms, atom, &truth, |terms, branch| Some(wanted(terms, branch, positive))),
                },
                OpenKind::IteTerm(term) => {
                    let equations = [1, 2].map(|i| (terms.children(term)[i], i));
                    let equations = equations.map(|(branch, _)| (branch, terms.mk_eq(term, branch)));
                    let truth = |formula: TermId| clausifier.known_literal(terms, formula).and_then(value);
                    self.branch(terms, term, &truth, |_, branch| {
                        equations.iter().find(|(b, _)| *b == branch).map(|&(_, equation)| (equation, true))
                    })
                }
                OpenKind::Split(id) => {
                    let heads = self.splits[id as usize].heads.iter().filter(|&&l| value(l) == Some(true));
                    let heads = heads.map(|l| (clausifier.atom(l.var()), l.is_positive()));
                    let best = heads.min_by_key(|&(atom, sign)| !self.is_marked(atom, sign));
                    [best, None]
                }
            };
            if chosen[0].is_some() {
                self.open[at].justified = true;
                self.undo.push(Undo::Justified { at: at as u32 });
                self.queue.extend(chosen.into_iter().flatten());
                any = true;
            }
        }
        while self.first_open < self.open.len() && self.open[self.first_open].justified {
            self.first_open += 1;
        }
        any
    }

    /// The condition of an `ite` with its value, and what its branch asks for; nothing while undecided.
    fn branch(
        &self,
        terms: &Terms,
        ite: TermId,
        truth: &dyn Fn(TermId) -> Option<bool>,
        need: impl Fn(&Terms, TermId) -> Option<(TermId, bool)>,
    ) -> [Option<(TermId, bool)>; 2] {
        let condition = terms.children(ite)[0];
        match truth(condition) {
            None => [None, None],
            Some(holds) => {
                let branch = terms.children(ite)[if holds { 1 } else { 2 }];
                [Some(wanted(terms, condition, holds)), need(terms, branch)]
            }
        }
    }

    fn is_marked(&self, atom: TermId, positive: bool) -> bool {
        let bit = if positive { POSITIVE } else { NEGATIVE };
        self.marks.get(atom.index()).is_some_and(|m| m & bit != 0)
    }

    /// How much a justification adds to what the theory has to look at.
    fn cost(&self, terms: &Terms, theory: &Theory, atom: TermId, positive: bool) -> u8 {
        if self.is_marked(atom, positive) {
            return 0;
        }
        match terms.op(atom) {
            Op::Eq if terms.children(atom).iter().all(|&c| theory.egraph.node(c).is_some()) => 1,
            Op::Eq => 3,
            Op::Between(_) | Op::Le(_) | Op::App(_) | Op::True | Op::False => 2,
            Op::Forall(_) => 4,
            _ => 5,
        }
    }

    /// Whether something is open.
    pub(crate) fn has_open(&self) -> bool {
        self.first_open < self.open.len()
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        (self.marks.capacity()
            + self.open.capacity() * 20
            + self.children.capacity() * 4
            + self.undo.capacity() * 16
            + self.splits.len() * 128) as u64
    }
}

/// A formula without its negation, and the sign it must have to get the truth value.
fn wanted(terms: &Terms, formula: TermId, truth: bool) -> (TermId, bool) {
    let (atom, positive) = terms.strip_not(formula);
    (atom, positive == truth)
}
