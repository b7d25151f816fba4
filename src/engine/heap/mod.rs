//! An incremental context for acyclic heaps: questions in EPR, answered by grounding to SAT.
//!
//! The universe is a growing set of named constants: null, program variables, successors s(x), new cells,
//! and witnesses on demand. Logic and predicates are those of Itzhaky et al., "Property-Directed Shape
//! Analysis" (CAV 2014), Tables 1 and 3 to 5: reachability along acyclic link fields, a total preorder on
//! data, sets of cells. The encoding keeps the universe small, because grounding is cubic in it:
//! - `matrix`: reachability literals on demand; a store makes a derived matrix; equality is mutual
//!   reachability; edges go through s(x);
//! - `define`: the universal predicates as data, `quantified`: two witness constants for each variable and
//!   predicate in negative literals, labelled universal facts for positive ones;
//! - `schema`: the axioms, read from the rule table `acyclic`;
//! - `structure`: models as bit rows with the value of every atom, `refine`: instances are added only when
//!   a model violates them;
//! - `search`: what is decided, `solve`: queries; `exec`: statements as symbolic execution; `cells`: explicit heaps.
//!
//! Invariants: clauses speak only the truth about all heaps, or define literals; so everything stays valid
//! for ever and queries differ only in their assumptions. A literal of a universal predicate *implies* the
//! predicate (or its negation) and may occur only positively: in assumptions and clauses, never negated.
//!
//! Missing on purpose: partial fields (every chain ends in null), arithmetic on data, and axioms on derived
//! matrices (redundant where a store is executed, wrong where it is not).

mod bits;
mod cells;
mod define;
mod exec;
mod gates;
mod matrix;
mod pred;
mod quantified;
mod refine;
mod schema;
mod search;
mod solve;
mod structure;
#[cfg(test)]
mod tests;

pub use cells::Heap;
pub use define::Kind;
pub use exec::StoreErrors;
pub use gates::constant;
pub use pred::{Atom, Colour, Const, Field, Matrix, Order, Pred, Slot, State, Unary};
pub use solve::{Answer, CubeAnswer, Model};

use crate::sat::Lit;
use crate::util::hash::Map;
use gates::Gates;
use matrix::{Line, OrderOrigin, Origin, SetOrigin, Table};
use quantified::Quantified;
use structure::Structure;

/// The signature of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// How many link fields there are; at least one.
    pub fields: usize,
    /// How many colours there are.
    pub colours: usize,
    /// Whether allocation is tracked: access to cells that are not allocated is an error, and new cells are
    /// cells that were not allocated.
    pub alloc: bool,
}

/// Work done since a context was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Questions asked.
    pub queries: u64,
    /// Calls of the Boolean search.
    pub sat_calls: u64,
    /// Models that violated something.
    pub rounds: u64,
    /// Instances of axioms and universal facts.
    pub instances: u64,
    /// Clauses handed to the Boolean search, instances included.
    pub clauses: u64,
}

/// An incremental context.
#[derive(Debug)]
pub struct HeapCtx {
    config: Config,
    gates: Gates,
    /// The names of the constants.
    names: Vec<String>,
    /// For a witness of a violation, the literal that says there is none.
    absent: Vec<Option<Lit>>,
    /// The fields, then the derived matrices; each reads earlier ones only.
    matrices: Vec<(Origin, Table)>,
    /// What is allocated at the beginning, the colours, then derived sets; each reads earlier ones only.
    sets: Vec<(SetOrigin, Line)>,
    /// The data at the beginning, then derived ones; each reads earlier ones only.
    orders: Vec<OrderOrigin>,
    order: Table,
    /// The constants whose data are compared.
    with_data: Vec<Const>,
    /// Integers: constants apart from the heap.
    apart: crate::util::hash::Set<Const>,
    successors: Map<(Matrix, Const), Const>,
    choices: Map<(Lit, Const, Const), Const>,
    /// The first violation for each universal predicate, matrix and start.
    witnesses: Map<(Kind, Matrix, Const), Const>,
    quantified: Vec<Quantified>,
    /// Literals that gates read and basic literals may not determine: tests of choices, free literals and
    /// literals of universal predicates.
    inputs: Vec<Lit>,
    /// The caller's clauses, except those known to be true for good.
    lemmas: Vec<Vec<Lit>>,
    literals: Map<(Atom, bool), Lit>,
    /// What a literal stands for; the first of several atoms.
    meaning: Map<Lit, (Atom, bool)>,
    structure: Structure,
    stats: Counters,
    // Memory kept between calls.
    scratch: refine::Scratch,
    clause: Vec<Lit>,
    assumed: Vec<Lit>,
}

impl HeapCtx {
    /// A context whose universe is null.
    pub fn new(config: Config) -> HeapCtx {
        assert!(config.fields > 0, "there is a link field");
        let mut context = HeapCtx {
            config,
            gates: Gates::new(),
            names: Vec::new(),
            absent: Vec::new(),
            matrices: Vec::new(),
            sets: Vec::new(),
            orders: vec![OrderOrigin::Base],
            order: Table::default(),
            with_data: Vec::new(),
            apart: Default::default(),
            successors: Map::default(),
            choices: Map::default(),
            witnesses: Map::default(),
            quantified: Vec::new(),
            inputs: Vec::new(),
            lemmas: Vec::new(),
            literals: Map::default(),
            meaning: Map::default(),
            structure: Structure::default(),
            stats: Counters::default(),
            scratch: refine::Scratch::default(),
            clause: Vec::new(),
            assumed: Vec::new(),
        };
        context.add_constant("null".to_string());
        (0..config.fields).for_each(|_| _ = context.add_matrix(Origin::Base));
        (0..=config.colours).for_each(|_| _ = context.add_set(SetOrigin::Base));
        context
    }

    /// The signature.
    #[cfg(feature = "testing")]
    pub fn config(&self) -> Config {
        self.config
    }

    /// A state at the beginning: a new constant for each named variable, no value for an unnamed one. The
    /// variable at position i is slot i + 1.
    pub fn initial(&mut self, variables: &[Option<&str>]) -> State {
        let mut slots = vec![Some(Const::NULL)];
        slots.extend(variables.iter().map(|name| name.map(|name| self.add_constant(name.to_string()))));
        let fields = (0..self.config.fields).map(|f| Matrix(f as u32)).collect();
        State {
            slots,
            fields,
            integers: u16::MAX,
            order: Order::BASE,
            colours: (1..=self.config.colours as u32).map(Unary).collect(),
            alloc: Unary(0),
            guard: constant(true),
        }
    }

    /// Adds integer variables, with arbitrary values, after the variables of a state at the beginning.
    pub fn add_integers(&mut self, state: &mut State, names: &[Option<&str>]) {
        state.integers = state.slots.len() as u16;
        for name in names {
            let value = name.map(|name| self.integer(name));
            state.slots.push(value);
        }
    }

    /// A literal that implies the predicate, or its negation, at this moment. It may be used in assumptions
    /// and clauses but not be negated, unless the atom is exact.
    pub fn literal(&mut self, state: &State, pred: Pred, positive: bool) -> Lit {
        self.atom_literal(state.atom(pred), positive)
    }

    /// [`HeapCtx::literal`] of an atom.
    pub fn atom_literal(&mut self, atom: Atom, positive: bool) -> Lit {
        if let Some(&lit) = self.literals.get(&(atom, positive)) {
            return lit;
        }
        let signed = |lit: Lit| if positive { lit } else { !lit };
        let lit = match atom {
            Atom::Equal(a, b) => signed(self.equal(a, b)),
            Atom::Reach(m, a, b) => signed(self.reach(m, a, b)),
            Atom::Plus(m, a, b) => {
                let (reach, equal) = (self.reach(m, a, b), self.equal(a, b));
                signed(self.gates.and(reach, !equal))
            }
            Atom::Edge(m, a, b) => signed(self.edge(m, a, b)),
            Atom::AtMost(first, a, second, b) => signed(self.datum_at_most((first, a), (second, b))),
            Atom::Holds(set, a) => signed(self.holds(set, a)),
            Atom::Segment(kind, m, x, y) if positive => self.segment_label(kind, m, x, y),
            Atom::Segment(kind, m, x, y) => self.segment_violation(kind, m, x, y),
            Atom::Doubly(m, back, x, y) => {
                let parts =
                    Kind::doubly(back).map(|kind| self.atom_literal(Atom::Segment(kind, m, x, y), positive));
                let join = |ctx: &mut Self, a, b| if positive { ctx.and(a, b) } else { ctx.or(a, b) };
                let first = join(self, parts[0], parts[1]);
                join(self, first, parts[2])
            }
        };
        self.literals.insert((atom, positive), lit);
        self.meaning.entry(lit).or_insert((atom, positive));
        lit
    }

    /// A literal about which nothing is known: a free choice, or an activation literal.
    pub fn fresh(&mut self) -> Lit {
        self.gates.fresh()
    }

    /// Both literals.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        self.add_inputs(&[a, b]);
        self.gates.and(a, b)
    }

    /// One of the literals.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        self.add_inputs(&[a, b]);
        self.gates.or(a, b)
    }

    /// `a` if `test`, else `b`; `test` must be exact.
    pub fn choose(&mut self, test: Lit, a: Lit, b: Lit) -> Lit {
        self.add_inputs(&[test, a, b]);
        self.gates.choose(test, a, b)
    }

    /// The number of constants, null included.
    pub fn universe(&self) -> usize {
        self.names.len()
    }

    /// The constants, null left out.
    pub fn constants(&self) -> impl Iterator<Item = Const> + use<> {
        (1..self.names.len() as u32).map(Const)
    }

    /// Whether the constant was made to be an integer, apart from the heap.
    pub fn is_integer(&self, c: Const) -> bool {
        self.apart.contains(&c)
    }

    /// The name of a constant.
    #[cfg(feature = "testing")]
    pub fn name(&self, c: Const) -> &str {
        &self.names[c.index()]
    }

    /// What was done so far.
    pub fn stats(&self) -> Counters {
        Counters { clauses: self.gates.clauses, ..self.stats }
    }

    /// What the Boolean search did so far.
    #[cfg(feature = "testing")]
    pub fn sat_stats(&self) -> crate::sat::cdcl::Counters {
        self.gates.sat.stats
    }

    /// Variables of the Boolean search.
    #[cfg(feature = "testing")]
    pub fn num_vars(&self) -> usize {
        self.gates.sat.num_vars()
    }

    /// Bytes held, nearly.
    #[cfg(feature = "testing")]
    pub fn memory_bytes(&self) -> u64 {
        let tables = self.matrices.iter().map(|m| m.1.memory_bytes()).sum::<u64>();
        let sets = self.sets.iter().map(|s| s.1.memory_bytes()).sum::<u64>();
        let names = self.names.iter().map(|name| 24 + name.capacity() as u64).sum::<u64>();
        let entries = self.literals.capacity() + self.meaning.capacity() + self.quantified.capacity();
        let small = self.successors.capacity() + self.choices.capacity() + self.witnesses.capacity();
        let lemmas = self.lemmas.iter().map(|lemma| 24 + 4 * lemma.capacity() as u64).sum::<u64>();
        let other = lemmas + self.order.memory_bytes() + self.structure.memory_bytes();
        self.gates.memory_bytes() + tables + sets + names + other + 32 * entries as u64 + 24 * small as u64
    }
}
