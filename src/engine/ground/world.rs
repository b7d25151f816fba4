//! The finite model behind one assignment of the search: classes of equal nodes and tables over them.

use super::closure::{Closure, NONE};
use super::encode::Encoder;
use super::program::Program;
use super::run::Machine;
use super::tables::{Now, Tables};
use crate::logic::{Model, Op, SortId, TermId, Terms, Value};
use crate::sat::Lit;
use crate::util::hash::Map;
use crate::util::limits::{Budget, Stop};
use crate::util::options;
use bumpalo::{Bump, collections as bump};

/// Subformulas of a formula that is read without being compiled, repetitions counted.
const VISITS: u32 = 200;

/// A finite model that follows the assignments of the search.
#[derive(Clone, Debug, Default)]
pub(super) struct World {
    closure: Closure,
    /// What compiled formulas read.
    pub(super) tables: Tables,
    machine: Machine,
    /// Counts the assignments looked at.
    tick: u64,
    previous_classes: Vec<u32>,
    classes_changed: u64,
}

impl World {
    /// Computes the classes for the present assignment. The tables are old until [`World::fill`].
    pub(super) fn rebuild(&mut self, terms: &mut Terms, encoder: &mut Encoder) {
        self.tick += 1;
        loop {
            let equalities = encoder.equalities.iter().filter(|e| encoder.holds(e.var));
            let edges = equalities.map(|e| (e.var, e.left, e.right));
            self.closure.rebuild(&encoder.universe, terms.n_sorts(), edges);
            if !self.represent(terms, encoder) {
                break;
            }
        }
        if self.closure.classes() != self.previous_classes {
            self.previous_classes.clear();
            self.previous_classes.extend_from_slice(self.closure.classes());
            self.classes_changed = self.tick;
        }
        self.tables.resize(terms, &self.closure);
    }

    /// Makes a node that ranges for each class that has none: `f(ite(c, a, b))` gets company by `f(a)` or
    /// `f(b)`. Returns whether there are new nodes.
    fn represent(&mut self, terms: &mut Terms, encoder: &mut Encoder) -> bool {
        let known = encoder.universe.nodes().len();
        for id in 0..known as u32 {
            let node = encoder.universe.node(id);
            let Some(func) = node.func else { continue };
            if node.ranges || self.representative(node.sort, self.closure.class(id)) != NONE {
                continue;
            }
            let args =
                node.args.iter().map(|&a| self.representative(encoder.sort_of(a), self.closure.class(a)));
            let args: Vec<u32> = args.collect();
            // Otherwise an argument's class comes first, in the next round.
            if !args.contains(&NONE) {
                let args = args.iter().map(|&a| encoder.universe.node(a).term).collect();
                let term = terms.mk_app(func, args);
                encoder.node(terms, term);
            }
        }
        encoder.universe.nodes().len() > known
    }

    fn representative(&self, sort: SortId, class: u32) -> u32 {
        self.closure.representatives(sort)[class as usize]
    }

    /// Adds lemmas that this assignment of the equalities violates; true if there are any.
    pub(super) fn repair_equalities(&mut self, encoder: &mut Encoder, scratch: &Bump) -> bool {
        let mut lemmas = bump::Vec::new_in(scratch);
        if self.closure.has_merges() {
            let equal = |a, b| {
                encoder.sort_of(a) == encoder.sort_of(b) && self.closure.class(a) == self.closure.class(b)
            };
            let wrong = encoder.equalities.iter().filter(|e| !encoder.holds(e.var) && equal(e.left, e.right));
            for atom in wrong.take(options::GROUND_LEMMAS_PER_ROUND.size()) {
                let mut lemma = self.because(encoder, &[(atom.left, atom.right)], scratch);
                lemma.push(atom.var.positive());
                lemmas.push(lemma);
            }
        }
        for atom in encoder.distincts.iter().filter(|d| self.closure.has_merges() && encoder.holds(d.var)) {
            let mut first: Map<u32, u32> = Map::default();
            for &node in &atom.nodes {
                if let Some(other) = first.insert(self.closure.class(node), node)
                    && lemmas.len() < options::GROUND_LEMMAS_PER_ROUND.size()
                {
                    let mut lemma = self.because(encoder, &[(other, node)], scratch);
                    lemma.push(atom.var.negative());
                    lemmas.push(lemma);
                }
            }
        }
        lemmas.iter().for_each(|lemma| encoder.add_lemma(lemma));
        !lemmas.is_empty()
    }

    /// The negated equalities that make the pairs equal.
    fn because<'b>(&self, encoder: &Encoder, pairs: &[(u32, u32)], scratch: &'b Bump) -> bump::Vec<'b, Lit> {
        let equalities = self.closure.explain(&encoder.universe, pairs, scratch);
        bump::Vec::from_iter_in(equalities.into_iter().map(|var| var.negative()), scratch)
    }

    /// Brings the tables that a program reads up to date.
    pub(super) fn fill(&mut self, terms: &Terms, encoder: &Encoder, program: &Program) {
        let now = Now { encoder, closure: &self.closure, tick: self.tick };
        self.tables.fill(terms, &now, &program.views, &program.funcs);
    }

    /// Adds lemmas for predicates that differ on equal arguments; true if there are any.
    pub(super) fn repair_predicates(&mut self, terms: &Terms, encoder: &mut Encoder, scratch: &Bump) -> bool {
        let mut lemmas = bump::Vec::new_in(scratch);
        if self.closure.has_merges() {
            for relation in encoder.relations.iter().filter(|r| r.arity > 0) {
                let view = self.tables.main_view(terms, relation.func);
                let now = Now { encoder, closure: &self.closure, tick: self.tick };
                self.tables.fill(terms, &now, &[view], &[]);
                for (var, args) in relation.atoms().filter(|a| !encoder.holds(a.0)) {
                    // Without another name for an argument there is no twin.
                    if !args.iter().any(|&a| self.closure.is_crowded(a)) {
                        continue;
                    }
                    let (&last, others) = args.split_last().expect("arity is positive");
                    let others = others.iter().map(|&a| self.closure.class(a));
                    if !self.tables.bit(view, others, self.closure.class(last)) {
                        continue;
                    }
                    let same = |other: &[u32]| {
                        args.iter().zip(other).all(|(&a, &b)| self.closure.class(a) == self.closure.class(b))
                    };
                    let twin = relation.atoms().find(|(v, other)| encoder.holds(*v) && same(other));
                    let (twin, others) = twin.expect("a set bit has an atom");
                    let pairs = args.iter().copied().zip(others.iter().copied());
                    let pairs = bump::Vec::from_iter_in(pairs, scratch);
                    let mut lemma = self.because(encoder, &pairs, scratch);
                    lemma.extend([twin.negative(), var.positive()]);
                    lemmas.push(lemma);
                    if lemmas.len() >= options::GROUND_LEMMAS_PER_ROUND.size() {
                        break;
                    }
                }
            }
        }
        lemmas.iter().for_each(|lemma| encoder.add_lemma(lemma));
        !lemmas.is_empty()
    }

    /// The present tick, to remember that a program found no violation now.
    pub(super) fn tick(&self) -> u64 {
        self.tick
    }

    /// Whether everything a program reads, filled just now, is as it was at `tick`.
    pub(super) fn unchanged(&self, program: &Program, tick: u64) -> bool {
        self.classes_changed <= tick
            && program.views.iter().all(|&v| self.tables.view_changed(v) <= tick)
            && program.funcs.iter().all(|&f| self.tables.func_changed(f) <= tick)
    }

    /// Whether a program has no violation.
    pub(super) fn holds(&mut self, program: &Program, budget: &mut Budget) -> Result<bool, Stop> {
        Ok(!self.machine.violations(program, &self.tables, budget, &mut |_| true)?)
    }

    /// The truth of a short closed formula without quantifiers; none if it is not one.
    pub(super) fn truth(&mut self, terms: &Terms, encoder: &Encoder, formula: TermId) -> Option<bool> {
        Reader { world: self, terms, encoder, visits: 0 }.truth(formula)
    }

    /// Calls `found` at each violation with nodes for the program's variables until it returns true.
    pub(super) fn violations(
        &mut self,
        program: &Program,
        budget: &mut Budget,
        found: &mut dyn FnMut(&[u32]) -> bool,
    ) -> Result<bool, Stop> {
        let World { closure, machine, tables, .. } = self;
        let mut nodes = Vec::new();
        machine.violations(program, tables, budget, &mut |registers| {
            nodes.clear();
            let class = |&(register, sort): &(u32, SortId)| (registers[register as usize], sort);
            let variables = program.variables.iter().map(class);
            nodes.extend(variables.map(|(class, sort)| closure.representatives(sort)[class as usize]));
            found(&nodes)
        })
    }

    /// The model in the words of the logic.
    pub(super) fn model(&self, terms: &Terms, encoder: &Encoder) -> Model {
        let mut model = Model::new(terms);
        for sort in terms.uninterpreted_sorts() {
            model.set_size(sort, self.tables.size(sort));
        }
        let value = |node: u32| match encoder.sort_of(node) {
            SortId::BOOL => Value::Bool(self.closure.class(node) == 1),
            _ => Value::Elem(self.closure.class(node)),
        };
        for (id, node) in encoder.universe.nodes().iter().enumerate() {
            if let Some(func) = node.func {
                let args: Vec<Value> = node.args.iter().map(|&a| value(a)).collect();
                model.set(terms, func, &args, value(id as u32));
            }
        }
        for relation in &encoder.relations {
            let holding = || relation.atoms().filter(|a| encoder.holds(a.0));
            let n = holding().count();
            if n > 0 && relation.arity == 0 {
                model.set(terms, relation.func, &[], Value::Bool(true));
            } else if n > 0 {
                let entries = &mut model.table_mut(terms, relation.func).entries;
                entries.reserve(n);
                let args = holding().map(|(_, args)| args.iter().map(|&a| value(a)).collect());
                entries.extend(args.map(|args: Box<[Value]>| (args, Value::Bool(true))));
            }
        }
        model
    }
}

/// Reads closed formulas off the tables. Most are the assumptions of one query, so compiling them would cost
/// more than a visit of their subformulas.
struct Reader<'a> {
    world: &'a mut World,
    terms: &'a Terms,
    encoder: &'a Encoder,
    visits: u32,
}

impl Reader<'_> {
    fn truth(&mut self, formula: TermId) -> Option<bool> {
        self.visits += 1;
        if self.visits > VISITS {
            return None;
        }
        let (terms, children) = (self.terms, self.terms.children(formula));
        Some(match (terms.op(formula), children) {
            (Op::True, _) => true,
            (Op::False, _) => false,
            (Op::Not, &[body]) => !self.truth(body)?,
            (op @ (Op::And | Op::Or), _) => {
                for &child in children {
                    if self.truth(child)? == (op == Op::Or) {
                        return Some(op == Op::Or);
                    }
                }
                op == Op::And
            }
            (Op::Iff, &[a, b]) => self.truth(a)? == self.truth(b)?,
            (Op::Ite, &[condition, a, b]) => match self.truth(condition)? {
                true => self.truth(a)?,
                false => self.truth(b)?,
            },
            (Op::Eq, &[a, b]) => self.class(a)? == self.class(b)?,
            (Op::App(_), []) => self.encoder.is_on(formula),
            (Op::App(func), [others @ .., last]) => {
                let view = self.world.tables.main_view(terms, func);
                let now = Now { encoder: self.encoder, closure: &self.world.closure, tick: self.world.tick };
                self.world.tables.fill(terms, &now, &[view], &[]);
                let last = self.class(*last)?;
                let others: Option<Vec<u32>> = others.iter().map(|&a| self.class(a)).collect();
                self.world.tables.bit(view, others?.into_iter(), last)
            }
            _ => return None,
        })
    }

    /// The class of a closed term that the search speaks of.
    fn class(&self, term: TermId) -> Option<u32> {
        self.encoder.universe.find(term).map(|node| self.world.closure.class(node))
    }
}

/// A closed constant of a sort among the symbols that a program reads.
pub(super) fn constant_of(terms: &mut Terms, program: &Program, tables: &Tables, sort: SortId) -> TermId {
    let known = program.funcs.iter().map(|&table| tables.symbol(table)).find(|&func| {
        let symbol = terms.func(func);
        symbol.args.is_empty() && symbol.result == sort
    });
    match known {
        Some(func) => terms.intern(Op::App(func), &[], sort),
        None => terms.fresh_const("element", sort),
    }
}
