//! Assertions about one heap, as formulas of the reachability logic.
//!
//! Every assertion describes the whole heap. A description that must hold gives the facts of its atoms, says
//! that no two of them share a cell, and that none has nil as a cell; with it comes `alloc(t)`, which says of
//! any location whether it is a cell. A description that must not hold is the negation of its pure parts, or
//! of a fact, or one constant w with which the cells are not as described: w is a cell and not covered,
//! covered and no cell, or covered twice. So negation brings no quantifier. This is exact: heaps and finite
//! models correspond to each other in both directions, and nothing is said about the size of either.
//!
//! Descriptions below disjunctions get a Boolean constant each, their *selector*: it chooses the description.
//! Of the children of one disjunction at most one may have chosen descriptions; two descriptions that can be
//! chosen together must have the same cells. If none is chosen, `alloc` is an unknown predicate.

use crate::frontend::smtlib::sep::Outside;
use crate::frontend::smtlib::sep::atoms::Atom;
use crate::frontend::smtlib::sep::describe::{Description, MAX_DESCRIPTIONS, Unfolding};
use crate::frontend::smtlib::sep::shape::Shapes;
use crate::frontend::smtlib::sep::symbolic::{SymbolicHeap, symbolic_heaps};
use crate::logic::sep::Vocabulary;
use crate::logic::symbol::Func;
use crate::logic::{Op, SortId, TermId, Terms, VarId};
use crate::util::hash::Set;

/// The result of a translation.
#[derive(Clone, Debug)]
pub struct Translation {
    /// For each assertion a formula without spatial symbols.
    pub formulas: Vec<TermId>,
    /// The assertions whose descriptions define what a cell is: a core is one only together with them.
    pub owners: Vec<usize>,
    /// For each sort of locations, a formula with one free variable: it is a cell.
    pub(super) alloc: Vec<(SortId, VarId, TermId)>,
}

/// A description that may have to hold.
struct Chosen {
    description: Description,
    /// `true` for a description that must hold in any case.
    selector: TermId,
    assertion: usize,
}

/// The Boolean structure of an assertion in negation normal form; children come before their parents.
enum Node {
    Pure(TermId),
    Chosen(usize),
    Denied(Vec<Description>),
    Join { all: bool, children: Vec<usize> },
}

/// Sharing is unfolded; more nodes than this are refused.
const MAX_NODES: usize = 400_000;

struct Translator<'a> {
    terms: &'a mut Terms,
    vocabulary: &'a Vocabulary,
    shapes: &'a mut Shapes,
    nodes: Vec<Node>,
    chosen: Vec<Chosen>,
    exclusive: Set<(usize, usize)>,
}

/// Translates assertions about one heap.
pub fn translate(
    terms: &mut Terms,
    vocabulary: &Vocabulary,
    shapes: &mut Shapes,
    assertions: &[TermId],
) -> Result<Translation, Outside> {
    for &assertion in assertions {
        if let Some(stray) = vocabulary.stray_record(terms, assertion) {
            let sort = terms.sort_name(terms.sort(stray));
            return Err(Outside::new(format!("a term of the datatype {sort} outside of pto")));
        }
    }
    let mut translator = Translator {
        terms,
        vocabulary,
        shapes,
        nodes: Vec::new(),
        chosen: Vec::new(),
        exclusive: Set::default(),
    };
    let mut roots = Vec::new();
    for (i, &assertion) in assertions.iter().enumerate() {
        roots.push(translator.structure(i, assertion)?);
    }
    translator.formulas(&roots)
}

enum Task {
    Eval { formula: TermId, positive: bool, definite: bool },
    Join { all: bool, n_children: usize },
}

impl Translator<'_> {
    /// The Boolean structure of an assertion: its root.
    fn structure(&mut self, assertion: usize, formula: TermId) -> Result<usize, Outside> {
        let mut tasks = vec![Task::Eval { formula, positive: true, definite: true }];
        // Nodes, each with the descriptions chosen below.
        let mut values: Vec<(usize, Vec<usize>)> = Vec::new();
        while let Some(task) = tasks.pop() {
            if self.nodes.len() + tasks.len() > MAX_NODES || self.chosen.len() > MAX_DESCRIPTIONS {
                return Err(Outside::new("too many descriptions of the heap in one formula"));
            }
            match task {
                Task::Join { all, n_children } => {
                    let children = values.split_off(values.len() - n_children);
                    if !all {
                        self.exclude(&children);
                    }
                    let below = children.iter().flat_map(|(_, c)| c).copied().collect();
                    let children = children.into_iter().map(|(node, _)| node).collect();
                    values.push((self.node(Node::Join { all, children }), below));
                }
                Task::Eval { formula, positive, definite } => {
                    self.eval(assertion, formula, positive, definite, &mut tasks, &mut values)?;
                }
            }
        }
        Ok(values.pop().expect("one root remains").0)
    }

    fn node(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// At most one child of a disjunction has chosen descriptions.
    fn exclude(&mut self, children: &[(usize, Vec<usize>)]) {
        for (i, (_, left)) in children.iter().enumerate() {
            for (_, right) in &children[i + 1..] {
                for &a in left {
                    self.exclusive.extend(right.iter().map(|&b| (a.min(b), a.max(b))));
                }
            }
        }
    }

    fn eval(
        &mut self,
        assertion: usize,
        formula: TermId,
        positive: bool,
        definite: bool,
        tasks: &mut Vec<Task>,
        values: &mut Vec<(usize, Vec<usize>)>,
    ) -> Result<(), Outside> {
        if !self.vocabulary.is_spatial(self.terms, formula) {
            if !self.terms.is_quantifier_free(formula) {
                return Err(Outside::new("a quantifier beside a description of the heap"));
            }
            let literal = if positive { formula } else { self.terms.not(formula)? };
            let node = self.node(Node::Pure(literal));
            values.push((node, Vec::new()));
            return Ok(());
        }
        let children = self.terms.children(formula).to_vec();
        let mut join = |all: bool, parts: &[(TermId, bool)]| {
            tasks.push(Task::Join { all, n_children: parts.len() });
            let definite = definite && all;
            tasks.extend(parts.iter().rev().map(|&(formula, positive)| Task::Eval {
                formula,
                positive,
                definite,
            }));
        };
        match (self.terms.op(formula), &children[..]) {
            (Op::Not, &[inner]) if !matches!(self.terms.op(inner), Op::Forall(_)) => {
                tasks.push(Task::Eval { formula: inner, positive: !positive, definite });
            }
            (Op::And | Op::Or, parts) => {
                let all = matches!(self.terms.op(formula), Op::And) == positive;
                let parts: Vec<(TermId, bool)> = parts.iter().map(|&c| (c, positive)).collect();
                join(all, &parts);
            }
            (Op::Iff, &[a, b]) => {
                let (same, other) = (self.terms.and(&[a, b])?, self.terms.or(&[a, b])?);
                // a = b is: both or none; a != b: one and not both.
                join(!positive, &[(same, positive), (other, !positive)]);
            }
            (Op::Ite, &[test, then, otherwise]) => {
                let negated = self.terms.not(test)?;
                let (then, otherwise) = match positive {
                    true => (then, otherwise),
                    false => (self.terms.not(then)?, self.terms.not(otherwise)?),
                };
                let (yes, no) = (self.terms.and(&[test, then])?, self.terms.and(&[negated, otherwise])?);
                join(false, &[(yes, true), (no, true)]);
            }
            (Op::App(_) | Op::Not | Op::Forall(_), _) => {
                // A negated universal is an existential description; a universal is the negation of one.
                let (leaf, leaf_positive) = match self.terms.op(formula) {
                    Op::Forall(_) => (false, !positive),
                    _ => (true, positive),
                };
                let heaps = symbolic_heaps(self.terms, self.vocabulary, formula, leaf)?;
                let value = match leaf_positive {
                    true => self.choose(assertion, heaps, definite)?,
                    false => {
                        let mut denied = Vec::new();
                        for heap in heaps {
                            denied.extend(self.descriptions(heap, false)?);
                        }
                        (self.node(Node::Denied(denied)), Vec::new())
                    }
                };
                values.push(value);
            }
            _ => return Err(Outside::new("a term that depends on the heap")),
        }
        Ok(())
    }

    /// A description that may have to hold: a disjunction of selectors.
    fn choose(
        &mut self,
        assertion: usize,
        heaps: Vec<SymbolicHeap>,
        definite: bool,
    ) -> Result<(usize, Vec<usize>), Outside> {
        let mut descriptions = Vec::new();
        for heap in heaps {
            descriptions.extend(self.descriptions(heap, true)?);
        }
        let definite = definite && descriptions.len() == 1;
        let mut children = Vec::new();
        for description in descriptions {
            let selector =
                if definite { Terms::TRUE } else { self.terms.fresh_const("chosen", SortId::BOOL) };
            self.chosen.push(Chosen { description, selector, assertion });
            let index = self.chosen.len() - 1;
            children.push((self.node(Node::Chosen(index)), vec![index]));
        }
        self.exclude(&children);
        let below = children.iter().map(|(_, c)| c[0]).collect();
        let children = children.into_iter().map(|(node, _)| node).collect();
        Ok((self.node(Node::Join { all: false, children }), below))
    }

    fn descriptions(&mut self, heap: SymbolicHeap, positive: bool) -> Result<Vec<Description>, Outside> {
        let mut unfolding =
            Unfolding { terms: self.terms, vocabulary: self.vocabulary, shapes: self.shapes, positive };
        unfolding.descriptions(heap)
    }

    /// All descriptions are known: the formulas.
    fn formulas(mut self, roots: &[usize]) -> Result<Translation, Outside> {
        let owner = self.chosen.iter().position(|c| c.selector == Terms::TRUE);
        let owners: Vec<usize> = match owner {
            Some(owner) => vec![self.chosen[owner].assertion],
            None => {
                let mut all: Vec<usize> = self.chosen.iter().map(|c| c.assertion).collect();
                all.dedup();
                all
            }
        };
        let alloc = self.alloc(owner)?;
        let mut parts: Vec<Vec<TermId>> = vec![Vec::new(); roots.len()];
        let values = self.node_formulas(&alloc)?;
        for (part, &root) in parts.iter_mut().zip(roots) {
            part.push(values[root]);
        }
        for i in 0..self.chosen.len() {
            let (facts, selector) = (self.facts(i)?, self.chosen[i].selector);
            let part = &mut parts[self.chosen[i].assertion];
            guard(self.terms, &[selector], facts, part)?;
            for j in 0..i {
                let selectors = [selector, self.chosen[j].selector];
                if self.exclusive.contains(&(j, i)) {
                    let both = self.terms.and(&selectors)?;
                    part.push(self.terms.not(both)?);
                } else if owner.is_none_or(|o| o == j || o == i) {
                    let same = self.same_cells(i, j)?;
                    guard(self.terms, &selectors, same, part)?;
                }
            }
        }
        let mut formulas = Vec::new();
        for part in parts {
            formulas.push(self.terms.and(&part)?);
        }
        Ok(Translation { formulas, owners, alloc })
    }

    /// What is a cell, by sort of location.
    fn alloc(&mut self, owner: Option<usize>) -> Result<Vec<(SortId, VarId, TermId)>, Outside> {
        let mut alloc = Vec::new();
        for cell in self.vocabulary.cells() {
            let t = self.terms.variable("t", cell.location)?;
            let Op::Var(var) = self.terms.op(t) else { unreachable!("just made as a variable") };
            let mut ways = Vec::new();
            let mut none = Vec::new();
            for (i, chosen) in self.chosen.iter().enumerate() {
                if owner.is_some_and(|o| o != i) {
                    continue;
                }
                none.push(self.terms.not(chosen.selector)?);
                let covered = chosen.description.cover(self.terms, self.vocabulary, t)?;
                ways.push(self.terms.and(&[chosen.selector, covered])?);
            }
            if owner.is_none() {
                let name = self.terms.fresh_name("alloc");
                let unknown = Func { name, args: vec![cell.location], result: SortId::BOOL, internal: true };
                let unknown = self.terms.add_func(unknown);
                let anything = self.terms.app(unknown, &[t])?;
                let is_nil = self.terms.eq(t, cell.nil)?;
                none.extend([anything, self.terms.not(is_nil)?]);
                ways.push(self.terms.and(&none)?);
            }
            alloc.push((cell.location, var, self.terms.or(&ways)?));
        }
        Ok(alloc)
    }

    /// The formula of each node.
    fn node_formulas(&mut self, alloc: &[(SortId, VarId, TermId)]) -> Result<Vec<TermId>, Outside> {
        let mut values: Vec<TermId> = Vec::with_capacity(self.nodes.len());
        for node in std::mem::take(&mut self.nodes) {
            let value = match node {
                Node::Pure(formula) => formula,
                Node::Chosen(i) => self.chosen[i].selector,
                Node::Denied(descriptions) => {
                    let mut all = Vec::new();
                    for description in descriptions {
                        all.push(self.denial(&description, alloc)?);
                    }
                    self.terms.and(&all)?
                }
                Node::Join { all, children } => {
                    let children: Vec<TermId> = children.into_iter().map(|c| values[c]).collect();
                    if all { self.terms.and(&children)? } else { self.terms.or(&children)? }
                }
            };
            values.push(value);
        }
        Ok(values)
    }

    /// What follows from a description.
    fn facts(&mut self, index: usize) -> Result<Vec<TermId>, Outside> {
        let Description { pure, atoms } = &self.chosen[index].description;
        let mut facts = pure.clone();
        for (i, atom) in atoms.iter().enumerate() {
            atom.facts(self.terms, self.vocabulary, &mut facts)?;
            let sort = atom.location(self.vocabulary);
            let nil = self.vocabulary.cell_of(sort).expect("atoms have cells").nil;
            let bad = atom.covers(self.terms, nil)?;
            facts.push(self.terms.not(bad)?);
            for other in &atoms[..i] {
                if other.location(self.vocabulary) == sort {
                    facts.push(atom.disjoint(self.terms, other)?);
                }
            }
        }
        Ok(facts)
    }

    /// Two descriptions have the same cells.
    fn same_cells(&mut self, i: usize, j: usize) -> Result<Vec<TermId>, Outside> {
        let mut facts = Vec::new();
        for (one, other) in [(i, j), (j, i)] {
            let other = &self.chosen[other].description;
            for atom in &self.chosen[one].description.atoms {
                let vocabulary = self.vocabulary;
                let within = atom.every_cell(self.terms, |terms, u| other.cover(terms, vocabulary, u))?;
                facts.push(within);
            }
        }
        Ok(facts)
    }

    /// A description does not hold.
    fn denial(
        &mut self,
        description: &Description,
        alloc: &[(SortId, VarId, TermId)],
    ) -> Result<TermId, Outside> {
        let mut ways = Vec::new();
        for &part in &description.pure {
            ways.push(self.terms.not(part)?);
        }
        for atom in &description.atoms {
            atom.denials(self.terms, self.vocabulary, &mut ways)?;
        }
        for &(sort, var, body) in alloc {
            let covering: Vec<&Atom> =
                description.atoms.iter().filter(|a| a.location(self.vocabulary) == sort).collect();
            if covering.is_empty() && body == Terms::FALSE {
                continue;
            }
            let w = self.terms.fresh_const("w", sort);
            let is_cell = self.terms.substitute(body, &[(var, w)].into_iter().collect());
            let mut covers = Vec::new();
            for atom in covering {
                covers.push(atom.covers(self.terms, w)?);
            }
            let covered = self.terms.or(&covers)?;
            let (not_covered, no_cell) = (self.terms.not(covered)?, self.terms.not(is_cell)?);
            ways.push(self.terms.and(&[is_cell, not_covered])?);
            ways.push(self.terms.and(&[covered, no_cell])?);
            for (i, &one) in covers.iter().enumerate() {
                for &other in &covers[..i] {
                    ways.push(self.terms.and(&[one, other])?);
                }
            }
        }
        Ok(self.terms.or(&ways)?)
    }
}

/// Each fact, under the condition that all selectors are true.
fn guard(
    terms: &mut Terms,
    selectors: &[TermId],
    facts: Vec<TermId>,
    out: &mut Vec<TermId>,
) -> Result<(), Outside> {
    let mut off = Vec::new();
    for &selector in selectors {
        off.push(terms.not(selector)?);
    }
    for fact in facts {
        let guarded: Vec<TermId> = off.iter().copied().chain([fact]).collect();
        out.push(terms.or(&guarded)?);
    }
    Ok(())
}
