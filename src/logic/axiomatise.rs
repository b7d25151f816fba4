//! Reachability for solvers that do not know it: an uninterpreted ternary predicate per link field, with
//! the ten rules of LISBQ's Figure 13 as axioms, each with its trigger.
//!
//! The text has the shape of the axiomatised twins of the LISBQ conditions: a quantifier is triggered by
//! the reachability atoms of its body that mention its variables.

use super::rewrite::{bottom_up, with_children};
use super::script::script;
use super::{FuncId, Op, TermId, Terms, VarId, print};
use crate::util::hash::{Map, Set};
use std::fmt::Write as _;

/// The rules; R is the predicate, F the field, S the sort.
const RULES: &str = "\
(assert (forall ((x S)) (! (R (F x) (F x) (F x)) :pattern ((F x)))))
(assert (forall ((x S)) (! (R x x x) :pattern ((F x)))))
(assert (forall ((x S)) (! (R x (F x) (F x)) :pattern ((F x)))))
(assert (forall ((x S) (y S)) (! (=> (R x y y) (or (= x y) (R x (F x) y))) :pattern ((F x) (R x y y)))))
(assert (forall ((x S) (y S)) (! (=> (and (= (F x) x) (R x y y)) (= x y)) :pattern ((F x) (R x y y)))))
(assert (forall ((x S) (y S)) (! (=> (R x y x) (= x y)) :pattern ((R x y x)))))
(assert (forall ((x S) (y S) (z S)) (! (=> (and (R x y y) (R x z z)) (or (R x y z) (R x z y))) :pattern ((R x y y) (R x z z)))))
(assert (forall ((x S) (y S) (z S)) (! (=> (R x y z) (and (R x y y) (R y z z))) :pattern ((R x y z)))))
(assert (forall ((x S) (y S) (z S)) (! (=> (and (R x y y) (R y z z)) (R x z z)) :pattern ((R x y y) (R y z z)))))
(assert (forall ((x S) (y S) (z S) (w S)) (! (=> (and (R x y z) (R y w z)) (and (R x y w) (R x w z))) :pattern ((R x y z) (R y w z)))))
(assert (forall ((x S) (y S) (z S) (w S)) (! (=> (and (R x y z) (R x w y)) (and (R x w z) (R w y z))) :pattern ((R x y z) (R x w y)))))
";

/// The formulas as a script without `reach` and `between`.
pub fn axiomatised(terms: &Terms, formulas: &[TermId]) -> String {
    let mut terms = terms.clone();
    let mut translation = Translation { predicates: Map::default(), done: Map::default() };
    let mut formulas: Vec<TermId> = formulas.iter().map(|&f| translation.formula(&mut terms, f)).collect();
    let mut fields: Vec<(FuncId, FuncId)> = translation.predicates.into_iter().collect();
    fields.sort_unstable();
    for &(field, predicate) in &fields {
        let sort = terms.func(field).result;
        for constant in constants(&terms, &formulas) {
            if terms.sort(constant) == sort {
                formulas.push(terms.mk_app(predicate, vec![constant; 3]));
            }
        }
    }
    let text = script(&terms, &formulas);
    let mut axioms = String::new();
    for &(field, predicate) in &fields {
        let name = |func: FuncId| print::symbol(&terms.func(func).name);
        if !text.contains(&format!("(declare-fun {} (", name(field))) {
            let sort = print::symbol(terms.sort_name(terms.func(field).result));
            let _ = writeln!(axioms, "(declare-fun {} ({sort}) {sort})", name(field));
        }
        axioms.push_str(&rules(&terms, field, predicate));
    }
    let at = text.find("(assert").unwrap_or(text.len());
    format!("(set-logic ALL)\n{}{axioms}{}", &text[..at], &text[at..])
}

fn rules(terms: &Terms, field: FuncId, predicate: FuncId) -> String {
    let names = [
        ('R', print::symbol(&terms.func(predicate).name)),
        ('F', print::symbol(&terms.func(field).name)),
        ('S', print::symbol(terms.sort_name(terms.func(field).result))),
    ];
    let mut out = String::new();
    for letter in RULES.chars() {
        match names.iter().find(|(from, _)| *from == letter) {
            Some((_, name)) => out.push_str(name),
            None => out.push(letter),
        }
    }
    out
}

fn constants(terms: &Terms, formulas: &[TermId]) -> Vec<TermId> {
    let below = below(terms, formulas);
    below.into_iter().filter(|&t| matches!(terms.op(t), Op::App(_)) && terms.children(t).is_empty()).collect()
}

/// Everything below the formulas, ascending.
fn below(terms: &Terms, formulas: &[TermId]) -> Vec<TermId> {
    let mut seen: Set<TermId> = Set::default();
    let mut stack = formulas.to_vec();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            stack.extend(terms.children(term));
        }
    }
    let mut all: Vec<TermId> = seen.into_iter().collect();
    all.sort_unstable();
    all
}

struct Translation {
    predicates: Map<FuncId, FuncId>,
    done: Map<TermId, TermId>,
}

impl Translation {
    fn formula(&mut self, terms: &mut Terms, root: TermId) -> TermId {
        let mut done = std::mem::take(&mut self.done);
        let result = bottom_up(terms, root, &mut done, |terms, term, children| match terms.op(term) {
            Op::Between(field) => {
                let predicate = self.predicate(terms, field);
                terms.mk_app(predicate, children)
            }
            Op::Forall(id) => {
                let variables = terms.quantifier(id).variables.clone();
                let patterns: Vec<Vec<TermId>> =
                    self.trigger(terms, &variables, children[0]).into_iter().collect();
                terms.mk_forall(variables, children[0], patterns)
            }
            _ => with_children(terms, term, &children),
        });
        self.done = done;
        result
    }

    fn predicate(&mut self, terms: &mut Terms, field: FuncId) -> FuncId {
        *self.predicates.entry(field).or_insert_with(|| {
            let func = terms.func(field);
            let (mut name, sort) = (format!("Reach_{}", func.name), func.result);
            loop {
                // A symbol of the problem may have the name.
                match terms.declare_fun(&name, &[sort; 3], super::SortId::BOOL) {
                    Ok(predicate) => return predicate,
                    Err(_) => name.push('_'),
                }
            }
        })
    }

    /// Reachability atoms that together mention all variables and none that is bound inside, if there are.
    fn trigger(&self, terms: &Terms, variables: &[VarId], body: TermId) -> Option<Vec<TermId>> {
        let mut open: Vec<VarId> = variables.to_vec();
        let known = terms.free_variables(body);
        let mut chosen = Vec::new();
        for atom in below(terms, &[body]) {
            let Op::App(func) = terms.op(atom) else { continue };
            let free = terms.free_variables(atom);
            let inner = free.iter().any(|v| !known.contains(v));
            if !inner && self.predicates.values().any(|&p| p == func) && open.iter().any(|v| free.contains(v))
            {
                open.retain(|v| !free.contains(v));
                chosen.push(atom);
            }
        }
        (open.is_empty() && !chosen.is_empty()).then_some(chosen)
    }
}
