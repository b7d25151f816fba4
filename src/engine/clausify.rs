//! From formulas to clauses, one polarity at a time (Plaisted and Greenbaum), without copying the formula.
//!
//! A Boolean variable stands for a formula that is not a negation; the clauses say what follows when the
//! formula is true (positive side) or false (negative side), and only the sides that are needed are
//! written. Quantifiers are atoms here: the positive side gets instances from `quantify`, the negative side
//! is a Skolem instance, made once per quantifier. A large `distinct` is an atom of the theory; only its
//! negative side is written out over all pairs.
//!
//! What explains a formula that was made to be assumed sleeps while it is not ([`Clausifier::encode_assumed`]).
//!
//! Every clause comes with the proof step that justifies it when proofs are on.

use crate::logic::{FuncId, Op, TermId, Terms, VarId};
use crate::proof::{Literal, Step};
use crate::sat::{Lit, Var};
use crate::util::hash::{Map, Set};

const POSITIVE: u8 = 1;
const NEGATIVE: u8 = 2;
const DEFINED: u8 = 4;

/// Clauses of one assumed formula that sleep with it, beyond its own: waking them costs something as well.
const MAX_OWNED: u64 = 48;

fn side(positive: bool) -> u8 {
    if positive { POSITIVE } else { NEGATIVE }
}

/// A clause on its way to the Boolean search, with its justification.
pub(crate) struct NewClause {
    pub(crate) lits: Vec<Lit>,
    pub(crate) step: Option<Box<Step>>,
    /// The literal of an assumed formula that it explains or helps to explain; it may not be in the clause.
    head: Option<Lit>,
}

/// The map between formulas and Boolean variables, and the clauses not yet handed over.
pub(crate) struct Clausifier {
    var_of: Vec<u32>,
    atom_of: Vec<TermId>,
    /// The symbol of each variable that stands for a Boolean constant, plus one.
    constants: Vec<u32>,
    /// Variables of constants that were assumed.
    switches: Vec<bool>,
    /// The literal of the formula that is encoded to be assumed: what explains it matters only while it is.
    owner: Option<Lit>,
    sides: Vec<u8>,
    /// Sides of formulas inside assumed ones that are explained for the sake of one of them only.
    owned: Set<(TermId, u8)>,
    counterexamples: Map<TermId, TermId>,
    pub(crate) fresh: Vec<NewClause>,
    pub(crate) proofs: bool,
    pub(crate) n_clauses: u64,
}

impl Clausifier {
    pub(crate) fn new(proofs: bool) -> Clausifier {
        Clausifier {
            var_of: Vec::new(),
            atom_of: Vec::new(),
            constants: Vec::new(),
            switches: Vec::new(),
            owner: None,
            sides: Vec::new(),
            owned: Set::default(),
            counterexamples: Map::default(),
            fresh: Vec::new(),
            proofs,
            n_clauses: 0,
        }
    }

    /// Boolean variables in use: `0..n_vars`.
    pub(crate) fn n_vars(&self) -> usize {
        self.atom_of.len()
    }

    /// The formula of a variable; `None` for variables without one (selectors).
    pub(crate) fn atom(&self, var: Var) -> TermId {
        self.atom_of[var.index()]
    }

    /// The Boolean constant that a variable stands for, if it is one.
    pub(crate) fn constant(&self, var: Var) -> Option<FuncId> {
        self.constants[var.index()].checked_sub(1).map(FuncId)
    }

    /// Notes that a literal is assumed.
    pub(crate) fn note_assumed(&mut self, lit: Lit) {
        let at = lit.var().index();
        if self.constants[at] != 0 {
            if self.switches.len() <= at {
                self.switches.resize(self.n_vars(), false);
            }
            self.switches[at] = true;
        }
    }

    /// The literal without which a clause does not matter, if there is one: the assumed formula that it explains, or an
    /// assumed constant that switches it off.
    pub(crate) fn head(&self, clause: &NewClause) -> Option<Lit> {
        let is_switch =
            |lit: &&Lit| !lit.is_positive() && self.switches.get(lit.var().index()) == Some(&true);
        clause.head.or_else(|| clause.lits.iter().find(is_switch).map(|&lit| !lit))
    }

    /// The formula and sign of a literal, for proofs.
    pub(crate) fn proof_literal(&self, lit: Lit) -> Literal {
        Literal { atom: self.atom(lit.var()), positive: lit.is_positive() }
    }

    pub(crate) fn proof_clause(&self, lits: &[Lit]) -> Vec<Literal> {
        lits.iter().map(|&l| self.proof_literal(l)).collect()
    }

    /// The literal of a formula, if it has a variable.
    pub(crate) fn known_literal(&self, terms: &Terms, formula: TermId) -> Option<Lit> {
        let (atom, positive) = terms.strip_not(formula);
        match self.var_of.get(atom.index()) {
            Some(&var) if var != 0 => Some(Lit::new(Var(var - 1), positive)),
            _ => None,
        }
    }

    /// The literal of a formula.
    pub(crate) fn literal(&mut self, terms: &Terms, formula: TermId) -> Lit {
        let (atom, positive) = terms.strip_not(formula);
        if self.var_of.len() <= atom.index() {
            self.var_of.resize(terms.len(), 0);
        }
        let slot = &mut self.var_of[atom.index()];
        if *slot == 0 {
            self.atom_of.push(atom);
            *slot = self.atom_of.len() as u32;
            self.constants.push(match (terms.op(atom), terms.children(atom)) {
                (Op::App(func), []) => func.0 + 1,
                _ => 0,
            });
        }
        Lit::new(Var(*slot - 1), positive)
    }

    pub(crate) fn add(&mut self, lits: Vec<Lit>, step: impl FnOnce(&Clausifier) -> Step) {
        let step = self.proofs.then(|| Box::new(step(self)));
        self.n_clauses += 1;
        self.fresh.push(NewClause { lits, step, head: None });
    }

    /// A clause that says what follows from the truth or falsity of a node.
    fn define(&mut self, node: TermId, lits: Vec<Lit>) {
        self.connective(node, lits);
        self.fresh.last_mut().expect("just added").head = self.owner;
    }

    fn connective(&mut self, node: TermId, lits: Vec<Lit>) {
        self.add(lits.clone(), |c| Step::Connective { node, clause: c.proof_clause(&lits) });
    }

    fn take_side(&mut self, terms: &Terms, atom: TermId, side: u8) -> bool {
        if self.sides.len() <= atom.index() {
            self.sides.resize(terms.len(), 0);
        }
        let sides = &mut self.sides[atom.index()];
        let new = *sides & side == 0;
        *sides |= side;
        new
    }

    /// The literal of a formula, with the clauses that make its truth mean something.
    pub(crate) fn encode(&mut self, terms: &mut Terms, formula: TermId) -> Lit {
        self.encode_all(terms, vec![terms.strip_not(formula)]);
        self.literal(terms, formula)
    }

    fn encode_all(&mut self, terms: &mut Terms, mut todo: Vec<(TermId, bool)>) {
        while let Some((atom, positive)) = todo.pop() {
            if self.take_side(terms, atom, side(positive)) {
                self.encode_node(terms, atom, positive, &mut todo);
            }
        }
    }

    /// As [`Clausifier::encode`] for a formula that is going to be assumed. Its clauses sleep until it is, and so do those
    /// of the connectives in it: without that, atoms that many formulas of earlier queries share would give values to
    /// all of them in every query. What another formula needs as well is explained for good.
    pub(crate) fn encode_assumed(&mut self, terms: &mut Terms, formula: TermId) -> Lit {
        let own = self.literal(terms, formula);
        let (root, positive) = terms.strip_not(formula);
        if !self.take_side(terms, root, side(positive)) {
            return own;
        }
        let end = self.n_clauses + MAX_OWNED;
        let (mut inside, mut others) = (Vec::new(), Vec::new());
        self.owner = Some(own);
        self.encode_node(terms, root, positive, &mut inside);
        while let Some((atom, positive)) = inside.pop() {
            let is_junction = matches!(terms.op(atom), Op::And | Op::Or);
            let n_clauses = self.n_clauses + terms.children(atom).len() as u64;
            let lasts = self.sides.get(atom.index()).is_some_and(|sides| sides & side(positive) != 0);
            if is_junction && !lasts && n_clauses <= end && self.owned.insert((atom, side(positive))) {
                self.encode_node(terms, atom, positive, &mut inside);
            } else {
                others.push((atom, positive));
            }
        }
        self.owner = None;
        self.encode_all(terms, others);
        own
    }

    fn encode_node(&mut self, terms: &mut Terms, t: TermId, positive: bool, todo: &mut Vec<(TermId, bool)>) {
        let children: Vec<TermId> = terms.children(t).to_vec();
        let own = Lit::new(self.literal(terms, t).var(), positive);
        let mut need = |terms: &Terms, formula: TermId, truth: bool| {
            let (atom, plain) = terms.strip_not(formula);
            todo.push((atom, plain == truth));
        };
        match terms.op(t) {
            Op::True | Op::False => {
                let truth = Lit::new(own.var(), terms.op(t) == Op::True);
                self.connective(t, vec![truth]);
            }
            Op::And | Op::Or => {
                let lits: Vec<Lit> = children.iter().map(|&c| self.literal(terms, c)).collect();
                for &child in &children {
                    need(terms, child, positive);
                }
                if (terms.op(t) == Op::And) == positive {
                    for lit in lits {
                        let lit = if positive { lit } else { !lit };
                        self.define(t, vec![!own, lit]);
                    }
                } else {
                    let mut clause = vec![!own];
                    clause.extend(lits.into_iter().map(|l| if positive { l } else { !l }));
                    self.define(t, clause);
                }
            }
            Op::Iff => {
                let [a, b] = [0, 1].map(|i| self.literal(terms, children[i]));
                for &child in &children {
                    need(terms, child, true);
                    need(terms, child, false);
                }
                let b = if positive { b } else { !b };
                self.define(t, vec![!own, !a, b]);
                self.define(t, vec![!own, a, !b]);
            }
            Op::Ite => {
                let [c, a, b] = [0, 1, 2].map(|i| self.literal(terms, children[i]));
                need(terms, children[0], true);
                need(terms, children[0], false);
                need(terms, children[1], positive);
                need(terms, children[2], positive);
                let (a, b) = if positive { (a, b) } else { (!a, !b) };
                self.define(t, vec![!own, !c, a]);
                self.define(t, vec![!own, c, b]);
            }
            Op::Forall(_) if !positive => {
                let instance = self.skolemise(terms, t);
                need(terms, instance, false);
            }
            Op::Distinct if !positive => {
                let pairs = terms.mk_all_pairs(&children);
                let clause = vec![!own, !self.literal(terms, pairs)];
                self.connective(t, clause);
                self.counterexamples.insert(t, pairs);
                need(terms, pairs, false);
            }
            _ => {}
        }
    }

    /// The body of a quantifier at new constants, which stand for a counterexample.
    fn skolemise(&mut self, terms: &mut Terms, forall: TermId) -> TermId {
        let Op::Forall(id) = terms.op(forall) else { unreachable!("called on quantifiers only") };
        let variables = terms.quantifier(id).variables.clone();
        let mut map: Map<VarId, TermId> = Map::default();
        let mut constants = Vec::new();
        for var in variables {
            let (name, sort) = {
                let (name, sort) = terms.variable_info(var);
                (format!("{name}!sk"), sort)
            };
            let constant = terms.fresh_const(&name, sort);
            constants.push(constant);
            map.insert(var, constant);
        }
        let body = terms.children(forall)[0];
        let instance = terms.substitute(body, &map);
        let lits = vec![self.literal(terms, forall), !self.literal(terms, instance)];
        self.add(lits, |_| Step::Skolem { forall, constants });
        self.counterexamples.insert(forall, instance);
        instance
    }

    /// What is false when a quantifier or `distinct` is, whose negative side was encoded: the Skolem
    /// instance, or the conjunction over all pairs.
    pub(crate) fn counterexample(&self, formula: TermId) -> TermId {
        self.counterexamples[&formula]
    }

    /// The clauses that define an `ite` that is not a formula; returns its two equations.
    pub(crate) fn define_ite(&mut self, terms: &mut Terms, t: TermId) -> (TermId, [TermId; 2]) {
        let [condition, left, right] = [0, 1, 2].map(|i| terms.children(t)[i]);
        let equations = [terms.mk_eq(t, left), terms.mk_eq(t, right)];
        if self.take_side(terms, t, DEFINED) {
            let negated = terms.mk_not(condition);
            let c = self.encode(terms, condition);
            self.encode(terms, negated);
            let [a, b] = equations.map(|e| self.encode(terms, e));
            self.connective(t, vec![!c, a]);
            self.connective(t, vec![c, b]);
        }
        (condition, equations)
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        let tables = self.var_of.capacity() * 4 + self.atom_of.capacity() * 4 + self.sides.capacity();
        // A clause on its way has a list of a few literals on the heap.
        let fresh = self.fresh.capacity() * size_of::<NewClause>() + self.fresh.len() * 32;
        let owned = self.owned.capacity() * (size_of::<(TermId, u8)>() + 1);
        (tables + fresh + owned + self.constants.capacity() * 4 + self.switches.capacity()) as u64
    }
}
