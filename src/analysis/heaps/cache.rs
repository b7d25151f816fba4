//! The semantic cache: answers that outlive a function and do not depend on names.
//!
//! A question is a background (facts, and what holds along a way), a goal, and literals that are assumed. What a
//! subset of the literals refuted is refuted; what a superset satisfied is satisfiable. Questions are compared in a
//! *canonical form*. Symbols and bound variables are numbered by how they are used: starting from their sorts, they are
//! told apart by the terms in which they occur, and these by their symbols, some rounds (colour refinement). Terms over
//! the numbers are hash-consed, arguments of commutative operators and the conjuncts of the background sorted. So a
//! function whose variables have other names, or whose statements come in another order where that does not matter,
//! finds the answers of the first one.
//!
//! Sound because numbers are never shared: equal canonical forms mean that the questions are the same up to a renaming
//! of symbols. Symbols that refinement does not tell apart are numbered as they come, which may lose hits only.

use crate::logic::{FuncId, Op, SortId, TermId, Terms, VarId};
use crate::util::hash::{Map, Set};
use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hash};

/// Rounds of telling symbols apart.
const ROUNDS: usize = 5;

/// A term in canonical form.
type Canonical = u32;

/// Answers to questions with one background and one goal, by assumed literals.
#[derive(Default)]
struct Answers {
    refuted: Vec<BTreeSet<Canonical>>,
    satisfied: Vec<BTreeSet<Canonical>>,
}

/// What stands at a node, names replaced by numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Head {
    Plain(u8),
    Symbol(u32),
    Variable(u32),
    Path(u32),
    Text(u8, String),
    Forall(Vec<u32>),
}

/// Answers of the core, for as many functions as are asked about.
#[derive(Default)]
pub struct Cache {
    nodes: Map<(Head, SortId, Vec<Canonical>), Canonical>,
    backgrounds: Map<Vec<Canonical>, u32>,
    answers: Map<(u32, Canonical), Answers>,
}

/// What is known about a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hit {
    Refuted,
    Satisfied,
}

/// A symbol or a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Name {
    Func(FuncId),
    Var(VarId),
}

/// The numbers of the names of one background, and the canonical forms of terms over them.
pub(super) struct Naming {
    numbers: Map<Name, u32>,
    background: u32,
    forms: Map<TermId, Canonical>,
}

impl Naming {
    /// The number of a name; a new one if the background and its vocabulary do not have it.
    fn number(&mut self, name: Name) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(name).or_insert(next)
    }
}

/// Everything that occurs in some terms, arguments before the terms over them.
fn parts(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    let mut seen: Set<TermId> = Set::default();
    let mut stack = roots.to_vec();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            stack.extend(terms.children(term));
        }
    }
    let mut out: Vec<TermId> = seen.into_iter().collect();
    // Terms are made after their arguments.
    out.sort_unstable();
    out
}

fn names(terms: &Terms, term: TermId) -> Vec<Name> {
    match terms.op(term) {
        Op::App(func) | Op::Between(func) => vec![Name::Func(func)],
        Op::Var(var) => vec![Name::Var(var)],
        Op::Forall(id) => terms.quantifier(id).variables.iter().map(|&v| Name::Var(v)).collect(),
        _ => Vec::new(),
    }
}

fn is_commutative(op: Op) -> bool {
    matches!(op, Op::And | Op::Or | Op::Iff | Op::Eq | Op::Distinct | Op::Lin(_))
}

/// Coefficients of a sum, else nothing.
fn coefficients(terms: &Terms, term: TermId) -> Vec<String> {
    match terms.op(term) {
        Op::Lin(_) => terms.linear_form(term).terms.iter().map(|(_, c)| c.to_string()).collect(),
        _ => Vec::new(),
    }
}

fn hash(value: impl Hash) -> u64 {
    rustc_hash::FxBuildHasher.hash_one(value)
}

/// The operator without its name.
fn kind(terms: &Terms, term: TermId) -> (u8, String) {
    let text = |id| terms.number(id).to_string();
    match terms.op(term) {
        Op::True => (0, String::new()),
        Op::False => (1, String::new()),
        Op::Var(_) => (2, String::new()),
        Op::App(_) => (3, String::new()),
        Op::Num(id) => (4, text(id)),
        Op::Lin(_) => (5, terms.linear_form(term).constant.to_string()),
        Op::Not => (6, String::new()),
        Op::And => (7, String::new()),
        Op::Or => (8, String::new()),
        Op::Iff => (9, String::new()),
        Op::Ite => (10, String::new()),
        Op::Eq => (11, String::new()),
        Op::Distinct => (12, String::new()),
        Op::Le(id) => (13, text(id)),
        Op::Between(_) => (14, String::new()),
        Op::Forall(_) => (15, String::new()),
    }
}

/// Numbers for all names in some terms, by their use.
fn numbers(terms: &Terms, roots: &[TermId]) -> Map<Name, u32> {
    let parts = parts(terms, roots);
    let mut colours: Map<Name, u64> = Map::default();
    for &part in &parts {
        for name in names(terms, part) {
            let signature = match name {
                Name::Func(f) => hash((&terms.func(f).args, terms.func(f).result)),
                Name::Var(v) => hash(terms.variable_info(v).1),
            };
            colours.insert(name, signature);
        }
    }
    for _ in 0..ROUNDS {
        let mut below: Map<TermId, u64> = Map::default();
        for &part in &parts {
            let own: Vec<u64> = names(terms, part).iter().map(|n| colours[n]).collect();
            let coefficients = coefficients(terms, part);
            let mut of: Vec<u64> = terms.children(part).iter().map(|c| below[c]).collect();
            if !coefficients.is_empty() {
                of = of.iter().zip(&coefficients).map(hash).collect();
            }
            if is_commutative(terms.op(part)) {
                of.sort_unstable();
            }
            below.insert(part, hash((kind(terms, part), own, of, terms.sort(part))));
        }
        // Where a term stands: sums, so that the order of what is around it does not matter.
        let mut above: Map<TermId, u64> = Map::default();
        for &root in roots {
            *above.entry(root).or_default() = hash("root");
        }
        for &part in parts.iter().rev() {
            let here = above.get(&part).copied().unwrap_or_default();
            for (i, child) in terms.children(part).iter().enumerate() {
                let at = if is_commutative(terms.op(part)) { 0 } else { i };
                let place = above.entry(*child).or_default();
                *place = place.wrapping_add(hash((here, below[&part], at)));
            }
        }
        let mut next = colours.clone();
        for &part in &parts {
            let here = above.get(&part).copied().unwrap_or_default();
            for (i, name) in names(terms, part).into_iter().enumerate() {
                let colour = next.entry(name).or_default();
                *colour = colour.wrapping_add(hash((below[&part], here, i)));
            }
        }
        colours = next;
    }
    let mut order: Vec<(u64, Name)> = colours.into_iter().map(|(name, colour)| (colour, name)).collect();
    order.sort_unstable();
    order.into_iter().enumerate().map(|(i, (_, name))| (name, i as u32)).collect()
}

impl Cache {
    /// Names for questions with this background; `vocabulary` is what literals and goals are made of.
    pub(super) fn naming(&mut self, terms: &Terms, background: &[TermId], vocabulary: &[TermId]) -> Naming {
        let roots: Vec<TermId> = background.iter().chain(vocabulary).copied().collect();
        let (numbers, forms) = (numbers(terms, &roots), Map::default());
        let mut naming = Naming { numbers, background: 0, forms };
        let mut known: Vec<Canonical> =
            background.iter().map(|&b| self.form(terms, &mut naming, b)).collect();
        known.sort_unstable();
        known.dedup();
        let fresh = u32::try_from(self.backgrounds.len()).unwrap_or(u32::MAX);
        naming.background = *self.backgrounds.entry(known).or_insert(fresh);
        naming
    }

    /// The canonical form of a term.
    fn form(&mut self, terms: &Terms, naming: &mut Naming, term: TermId) -> Canonical {
        if let Some(&known) = naming.forms.get(&term) {
            return known;
        }
        for part in parts(terms, &[term]) {
            if naming.forms.contains_key(&part) {
                continue;
            }
            let numbers: Vec<u32> = names(terms, part).into_iter().map(|n| naming.number(n)).collect();
            let head = match terms.op(part) {
                Op::App(_) => Head::Symbol(numbers[0]),
                Op::Between(_) => Head::Path(numbers[0]),
                Op::Var(_) => Head::Variable(numbers[0]),
                Op::Forall(_) => Head::Forall(numbers),
                _ => match kind(terms, part) {
                    (tag, text) if text.is_empty() => Head::Plain(tag),
                    (tag, text) => Head::Text(tag, text),
                },
            };
            let mut children: Vec<Canonical> = terms.children(part).iter().map(|c| naming.forms[c]).collect();
            let head = match coefficients(terms, part) {
                none if none.is_empty() => head,
                coefficients => {
                    let mut pairs: Vec<_> = children.iter().copied().zip(coefficients).collect();
                    pairs.sort_unstable();
                    Head::Text(5, format!("{:?} {pairs:?}", kind(terms, part).1))
                }
            };
            if is_commutative(terms.op(part)) {
                children.sort_unstable();
            }
            let fresh = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
            let form = *self.nodes.entry((head, terms.sort(part), children)).or_insert(fresh);
            naming.forms.insert(part, form);
        }
        naming.forms[&term]
    }

    fn forms(
        &mut self,
        terms: &Terms,
        naming: &mut Naming,
        literals: &BTreeSet<TermId>,
    ) -> BTreeSet<Canonical> {
        literals.iter().map(|&l| self.form(terms, naming, l)).collect()
    }

    /// What is known about a question.
    pub(super) fn look(
        &mut self,
        terms: &Terms,
        naming: &mut Naming,
        goal: TermId,
        literals: &BTreeSet<TermId>,
    ) -> Option<Hit> {
        let key = (naming.background, self.form(terms, naming, goal));
        let literals = self.forms(terms, naming, literals);
        let known = self.answers.get(&key)?;
        if known.refuted.iter().any(|core| core.is_subset(&literals)) {
            return Some(Hit::Refuted);
        }
        known.satisfied.iter().any(|set| literals.is_subset(set)).then_some(Hit::Satisfied)
    }

    /// Notes an answer: the literals that refute, or those that are satisfiable, with the goal being false.
    pub(super) fn note(
        &mut self,
        terms: &Terms,
        naming: &mut Naming,
        goal: TermId,
        literals: &BTreeSet<TermId>,
        hit: Hit,
    ) {
        let key = (naming.background, self.form(terms, naming, goal));
        let literals = self.forms(terms, naming, literals);
        let known = self.answers.entry(key).or_default();
        match hit {
            Hit::Refuted => known.refuted.push(literals),
            Hit::Satisfied => known.satisfied.push(literals),
        }
    }
}
