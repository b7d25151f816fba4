//! From closed formulas to clauses: Plaisted and Greenbaum's definitions, split by polarity.
//!
//! Every Boolean variable stands for a formula of the term store (levels of `push` excepted), so a literal of
//! the search is a literal of the proof. A definition is written only for the signs with which a formula is
//! used. What is met first in an assumption is defined *loosely*: each sign has a variable of its own, and the search
//! lets the definition rest while that is not true; so a query pays for its own assumptions only. Clauses of assertions
//! and instances are opened at their root: disjunctions become part of the clause, a conjunction under a short clause
//! becomes several clauses, and no variable is made for either.
//!
//! Quantifiers are atoms; [`super::instances`] gives them their meaning.

use super::program::Program;
use super::universe::Universe;
use crate::logic::{FuncId, Op, SortId, TermId, Terms};
use crate::proof::{Clause, Derivation, Literal, Step};
use crate::sat::cdcl::Cdcl;
use crate::sat::{Lit, Var};
use crate::util::hash::{Map, Set};

const POSITIVE: u8 = 1;
const NEGATIVE: u8 = 2;

/// An equality between two nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Equality {
    /// The atom.
    pub(super) var: Var,
    /// One node.
    pub(super) left: u32,
    /// The other.
    pub(super) right: u32,
}

/// A `distinct`.
#[derive(Clone, Debug)]
pub(super) struct Distinct {
    /// The atom.
    pub(super) var: Var,
    /// Nodes that differ if it is true.
    pub(super) nodes: Box<[u32]>,
}

/// All atoms of one predicate.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    /// The predicate.
    pub(super) func: FuncId,
    /// How many arguments it has.
    pub(super) arity: usize,
    vars: Vec<Var>,
    /// Argument nodes, `arity` for each atom.
    args: Vec<u32>,
}

impl Relation {
    /// The atoms: variable and argument nodes.
    pub(super) fn atoms(&self) -> impl Iterator<Item = (Var, &[u32])> {
        let args = |at: usize| &self.args[at * self.arity..(at + 1) * self.arity];
        self.vars.iter().enumerate().map(move |(at, &var)| (var, args(at)))
    }
}

/// A closed quantified formula that is an atom of the search.
#[derive(Clone, Debug)]
pub(super) struct Quantified {
    /// The formula.
    pub(super) term: TermId,
    /// Its atom.
    pub(super) var: Var,
    /// It must have all its instances when it is true.
    pub(super) positive: bool,
    /// It must have a counterexample when it is false.
    pub(super) negative: bool,
    /// It has a counterexample.
    pub(super) skolemised: bool,
    /// The compiled body.
    pub(super) program: Option<Program>,
    /// Instances made.
    pub(super) made: Set<Box<[TermId]>>,
    /// When its body was last found true everywhere.
    pub(super) verified: u64,
}

/// What is left to define.
#[derive(Clone, Copy, Debug)]
enum Todo {
    /// A formula used with this sign.
    Sign(TermId, bool),
    /// An `ite` of an uninterpreted sort.
    Ite(TermId),
}

/// The clauses so far, and the atoms they are about.
#[derive(Clone, Debug)]
pub(super) struct Encoder {
    /// The search.
    pub(super) cdcl: Cdcl,
    vars: Map<TermId, Var>,
    /// Variables of formulas that are defined loosely, for the negation and for the formula itself.
    loose: Map<TermId, [Option<Var>; 2]>,
    /// Whether what is new is defined loosely.
    assuming: bool,
    /// What each variable stands for; none for a level.
    atoms: Vec<Option<Literal>>,
    signs: Vec<u8>,
    /// The ground terms.
    pub(super) universe: Universe,
    /// Equality atoms.
    pub(super) equalities: Vec<Equality>,
    /// `distinct` atoms.
    pub(super) distincts: Vec<Distinct>,
    /// Predicate atoms.
    pub(super) relations: Vec<Relation>,
    relation_ids: Map<FuncId, u32>,
    /// Quantifier atoms, ascending by variable.
    pub(super) quantifieds: Vec<Quantified>,
    todo: Vec<Todo>,
    /// For each tag of the proof log the steps that end in its clause; none when no proof is wanted.
    pub(super) steps: Option<Vec<Vec<Step>>>,
    /// How many clauses the search was given.
    pub(super) n_clauses: u64,
}

impl Encoder {
    /// An encoder without formulas.
    pub(super) fn new(proofs: bool) -> Encoder {
        let mut cdcl = Cdcl::default();
        cdcl.decide_on_demand();
        if proofs {
            cdcl.log_proof();
        }
        Encoder {
            cdcl,
            vars: Map::default(),
            loose: Map::default(),
            assuming: false,
            atoms: Vec::new(),
            signs: Vec::new(),
            universe: Universe::new(),
            equalities: Vec::new(),
            distincts: Vec::new(),
            relations: Vec::new(),
            relation_ids: Map::default(),
            quantifieds: Vec::new(),
            todo: Vec::new(),
            steps: proofs.then(Vec::new),
            n_clauses: 0,
        }
    }

    /// The atoms of a predicate, if there are any.
    pub(super) fn relation(&self, func: FuncId) -> Option<&Relation> {
        self.relation_ids.get(&func).map(|&id| &self.relations[id as usize])
    }

    /// The literal of the proof for a literal of the search; none for a level.
    pub(super) fn literal(&self, lit: Lit) -> Option<Literal> {
        self.atoms[lit.var().index()].map(|literal| if lit.is_positive() { literal } else { !literal })
    }

    /// A variable for a level of `push`.
    pub(super) fn level_var(&mut self) -> Var {
        self.new_var(None)
    }

    /// The literal of a formula that is about to be assumed.
    pub(super) fn assume(&mut self, terms: &mut Terms, formula: TermId) -> Lit {
        self.assuming = true;
        let lit = self.require(terms, Literal::new(terms, formula, true));
        self.define_all(terms);
        self.assuming = false;
        lit
    }

    /// Adds a clause that holds by `why`, or that holds when `level` does. If the clause says what a formula
    /// means, that formula is its head, and standing in this clause does not count as a use of it.
    pub(super) fn add(
        &mut self,
        terms: &mut Terms,
        clause: Clause,
        head: Option<TermId>,
        level: Option<Lit>,
        why: Step,
    ) {
        let mut steps = vec![why];
        let mut open = vec![(clause, false)];
        while let Some((clause, derived)) = open.pop() {
            let (flat, opened) = self.open_disjunctions(terms, &clause, &mut steps);
            if flat.iter().any(|&lit| lit.atom == Terms::TRUE && lit.positive || flat.contains(&!lit)) {
                continue;
            }
            if flat.len() <= 2
                && let Some(at) = flat.iter().position(|&lit| junction(terms, lit) == Some(true))
            {
                let node = flat[at];
                for &child in terms.children(node.atom).iter().rev() {
                    let part = Literal::new(terms, child, node.positive);
                    let mut split = flat.clone();
                    split[at] = part;
                    self.note(&mut steps, || Step::Connective { node: node.atom, clause: vec![!node, part] });
                    open.push((split, true));
                }
                continue;
            }
            if derived || opened {
                self.note(&mut steps, || Step::Propagation { clause: flat.clone() });
            }
            self.emit(terms, &flat, head, level, std::mem::take(&mut steps));
        }
        self.define_all(terms);
    }

    /// Adds a consequence of equality alone.
    pub(super) fn add_lemma(&mut self, lits: &[Lit]) {
        let clause: Option<Clause> = lits.iter().map(|&lit| self.literal(lit)).collect();
        let clause = clause.expect("lemmas are about formulas");
        self.submit(lits, vec![Step::Lemma { clause, derivation: Derivation::default() }]);
    }

    /// Adds the clause that switches a level off for good.
    pub(super) fn retire(&mut self, level: Lit) {
        self.submit(&[!level], Vec::new());
    }

    fn note(&self, steps: &mut Vec<Step>, step: impl FnOnce() -> Step) {
        if self.steps.is_some() {
            steps.push(step());
        }
    }

    /// The clause with its disjunctions opened, and whether there were any.
    fn open_disjunctions(&self, terms: &Terms, clause: &[Literal], steps: &mut Vec<Step>) -> (Clause, bool) {
        let mut flat: Clause = Vec::new();
        let mut opened = false;
        let mut stack: Vec<Literal> = clause.iter().rev().copied().collect();
        while let Some(lit) = stack.pop() {
            if lit.atom == Terms::FALSE && lit.positive || lit.atom == Terms::TRUE && !lit.positive {
                opened = true;
                self.note(steps, || Step::Connective { node: lit.atom, clause: vec![!lit] });
            } else if junction(terms, lit) == Some(false) {
                opened = true;
                let parts = terms.children(lit.atom).iter().map(|&c| Literal::new(terms, c, lit.positive));
                let parts: Clause = parts.collect();
                stack.extend(parts.iter().rev());
                self.note(steps, || {
                    let clause = [!lit].into_iter().chain(parts).collect();
                    Step::Connective { node: lit.atom, clause }
                });
            } else if !flat.contains(&lit) {
                flat.push(lit);
            }
        }
        (flat, opened)
    }

    fn emit(
        &mut self,
        terms: &mut Terms,
        clause: &[Literal],
        head: Option<TermId>,
        level: Option<Lit>,
        steps: Vec<Step>,
    ) {
        let guard = level.map(|lit| !lit);
        let mut lits: Vec<Lit> = guard.into_iter().collect();
        for &lit in clause {
            lits.push(match head == Some(lit.atom) {
                true => !self.lit(terms, !lit),
                false => self.require(terms, lit),
            });
        }
        match head {
            // The head of a definition is its first literal.
            Some(atom) if self.loose.contains_key(&atom) => {
                let tag = self.log(steps);
                self.cdcl.add_definition(!lits[0], &lits[1..], tag);
            }
            _ => self.submit(&lits, steps),
        }
    }

    fn submit(&mut self, lits: &[Lit], steps: Vec<Step>) {
        let tag = self.log(steps);
        self.cdcl.add_clause(lits, tag);
    }

    /// Notes the steps that end in a clause and returns its tag.
    fn log(&mut self, steps: Vec<Step>) -> u32 {
        let tag = self.steps.as_ref().map_or(0, Vec::len) as u32;
        if let Some(log) = &mut self.steps {
            log.push(steps);
        }
        self.n_clauses += 1;
        tag
    }

    /// The search's literal for a literal that occurs in a clause; its definition is put on the list.
    fn require(&mut self, terms: &mut Terms, lit: Literal) -> Lit {
        let known = self.lit(terms, lit);
        let sign = if known.is_positive() { POSITIVE } else { NEGATIVE };
        let signs = &mut self.signs[known.var().index()];
        if *signs & sign == 0 {
            *signs |= sign;
            if !matches!(terms.op(lit.atom), Op::App(_) | Op::Eq) {
                self.todo.push(Todo::Sign(lit.atom, lit.positive));
            }
        }
        known
    }

    /// The search's literal for a literal, whether it is used or not.
    fn lit(&mut self, terms: &mut Terms, lit: Literal) -> Lit {
        let connective = matches!(terms.op(lit.atom), Op::And | Op::Or | Op::Iff | Op::Ite);
        let loosely = connective && self.assuming && !self.vars.contains_key(&lit.atom);
        if !loosely && !self.loose.contains_key(&lit.atom) {
            return Lit::new(self.var(terms, lit.atom), lit.positive);
        }
        let var = self.loose.entry(lit.atom).or_default()[usize::from(lit.positive)];
        var.unwrap_or_else(|| {
            let var = self.new_var(Some(lit));
            self.loose.entry(lit.atom).or_default()[usize::from(lit.positive)] = Some(var);
            var
        })
        .positive()
    }

    fn new_var(&mut self, atom: Option<Literal>) -> Var {
        self.atoms.push(atom);
        self.signs.push(0);
        self.cdcl.new_var()
    }

    /// The variable of a formula.
    fn var(&mut self, terms: &mut Terms, atom: TermId) -> Var {
        if let Some(&var) = self.vars.get(&atom) {
            return var;
        }
        let var = self.new_var(Some(Literal { atom, positive: true }));
        self.vars.insert(atom, var);
        match terms.op(atom) {
            Op::App(func) => {
                let args: Vec<u32> = terms.children(atom).iter().map(|&c| self.node(terms, c)).collect();
                let id = *self.relation_ids.entry(func).or_insert_with(|| {
                    self.relations.push(Relation {
                        func,
                        arity: args.len(),
                        vars: Vec::new(),
                        args: Vec::new(),
                    });
                    self.relations.len() as u32 - 1
                });
                let relation = &mut self.relations[id as usize];
                relation.vars.push(var);
                relation.args.extend(args);
            }
            Op::Eq => {
                let (left, right) = (terms.children(atom)[0], terms.children(atom)[1]);
                let (left, right) = (self.node(terms, left), self.node(terms, right));
                self.equalities.push(Equality { var, left, right });
            }
            Op::Distinct => {
                let nodes = terms.children(atom).iter().map(|&c| self.node(terms, c)).collect();
                self.distincts.push(Distinct { var, nodes });
            }
            Op::Forall(_) => self.quantifieds.push(Quantified {
                term: atom,
                var,
                positive: false,
                negative: false,
                skolemised: false,
                program: None,
                made: Set::default(),
                verified: 0,
            }),
            _ => {}
        }
        var
    }

    /// The node of a closed term.
    pub(super) fn node(&mut self, terms: &Terms, term: TermId) -> u32 {
        let mut ites = Vec::new();
        let node = self.universe.add(terms, term, &mut ites);
        self.todo.extend(ites.into_iter().map(Todo::Ite));
        node
    }

    fn define_all(&mut self, terms: &mut Terms) {
        while let Some(todo) = self.todo.pop() {
            match todo {
                Todo::Sign(atom, positive) => self.define(terms, atom, positive),
                Todo::Ite(term) => {
                    let [condition, then, other] = terms.children(term)[..] else { unreachable!("an ite") };
                    for (value, positive) in [(then, false), (other, true)] {
                        let equal = terms.mk_eq(term, value);
                        self.connective(terms, term, &[(condition, positive), (equal, true)]);
                    }
                }
            }
        }
    }

    /// Writes what follows from a formula (`positive`) or from its negation.
    fn define(&mut self, terms: &mut Terms, atom: TermId, positive: bool) {
        let children = terms.children(atom).to_vec();
        let head = (atom, !positive);
        match (terms.op(atom), &children[..]) {
            (Op::True, _) => self.connective(terms, atom, &[(atom, true)]),
            (Op::False, _) => self.connective(terms, atom, &[(atom, false)]),
            (op @ (Op::And | Op::Or), _) if (op == Op::And) == positive => {
                for &child in &children {
                    self.connective(terms, atom, &[head, (child, positive)]);
                }
            }
            (Op::And | Op::Or, _) => {
                let parts = children.iter().map(|&c| (c, positive));
                let clause: Vec<_> = [head].into_iter().chain(parts).collect();
                self.connective(terms, atom, &clause);
            }
            (Op::Iff, &[a, b]) => {
                self.connective(terms, atom, &[head, (a, true), (b, !positive)]);
                self.connective(terms, atom, &[head, (a, false), (b, positive)]);
            }
            (Op::Ite, &[c, a, b]) => {
                self.connective(terms, atom, &[head, (c, false), (a, positive)]);
                self.connective(terms, atom, &[head, (c, true), (b, positive)]);
            }
            (Op::Forall(_), _) => self.use_quantified(atom, positive),
            // The world looks after true ones.
            (Op::Distinct, _) if positive => {}
            (Op::Distinct, _) => {
                let pairs = terms.mk_all_pairs(&children);
                self.connective(terms, atom, &[head, (pairs, false)]);
            }
            (other, _) => unreachable!("outside the fragment: {other:?}"),
        }
    }

    fn use_quantified(&mut self, atom: TermId, positive: bool) {
        let var = self.vars[&atom];
        let at = self.quantifieds.binary_search_by_key(&var, |q| q.var).expect("listed when made");
        let quantified = &mut self.quantifieds[at];
        if positive {
            quantified.positive = true;
        } else {
            quantified.negative = true;
            // Unless something asks for a counterexample, make no constant for one.
            self.cdcl.set_phase(var, true);
        }
    }

    /// The compiled body of a quantifier and when it was last found true everywhere, if it ever was.
    pub(super) fn verified(&self, formula: TermId) -> Option<(&Program, u64)> {
        let var = self.vars.get(&formula)?;
        let at = self.quantifieds.binary_search_by_key(var, |q| q.var).ok()?;
        let quantified = &self.quantifieds[at];
        Some((quantified.program.as_ref()?, quantified.verified)).filter(|(_, verified)| *verified > 0)
    }

    fn connective(&mut self, terms: &mut Terms, node: TermId, clause: &[(TermId, bool)]) {
        let clause: Clause = clause.iter().map(|&(f, sign)| Literal::new(terms, f, sign)).collect();
        let steps = match self.steps {
            Some(_) => vec![Step::Connective { node, clause: clause.clone() }],
            None => Vec::new(),
        };
        self.emit(terms, &clause, Some(node), None, steps);
    }

    /// Bytes held, nearly: an atom is in a table by its formula, has arguments, and names what it stands for.
    pub(super) fn memory_bytes(&self) -> u64 {
        let made: usize = self.quantifieds.iter().map(|q| q.made.len() * 80).sum();
        let tables = self.atoms.len() * 96 + self.universe.nodes().len() * 160 + made;
        self.cdcl.memory_bytes() + self.n_clauses * 64 + tables as u64
    }

    /// Whether a literal of the search is true in its last model; false for those made since.
    #[inline]
    pub(super) fn holds(&self, var: Var) -> bool {
        self.cdcl.model_value(var.positive()) == Some(true)
    }

    /// Whether the atom is known and true in the last model.
    pub(super) fn is_on(&self, atom: TermId) -> bool {
        self.vars.get(&atom).is_some_and(|&var| self.holds(var))
    }

    /// The sort of a node.
    pub(super) fn sort_of(&self, node: u32) -> SortId {
        self.universe.node(node).sort
    }
}

/// Whether a literal is a conjunction (`Some(true)`) or a disjunction (`Some(false)`).
fn junction(terms: &Terms, lit: Literal) -> Option<bool> {
    match terms.op(lit.atom) {
        Op::And => Some(lit.positive),
        Op::Or => Some(!lit.positive),
        _ => None,
    }
}
