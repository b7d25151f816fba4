//! Recognises predicates that a user's axioms make reachability along a function, or its graph.
//!
//! Files written for other solvers declare `P(x, y, z)` or `P(x, y)` and assert axioms that say "y lies on the
//! f-path from x to z" or "x reaches y". Left alone, such axioms are quantified formulas without guards. If
//! they amount to the theory we own, the predicate is replaced by `between` and the axioms are dropped.
//!
//! *What is established before a replacement*, for the axioms A (closed universal assertions over P and one
//! function f, nothing else), a reading β of `between` as a formula over P, and a reading τ of P as a formula
//! over `between`:
//! 1. A implies every rule of `lisbq.rules` with `between` read as β;
//! 2. A implies P(args) = τ(args) with `between` read as β.
//!
//! For the graph of a function (`P(x, t)` is `f(x) = t`, a guard that the LISBQ fragment understands) there is no
//! `between` to read, and 2 alone is asked for.
//!
//! *Why `unsat` is right.* A refutation of the translated problem uses equality, arithmetic, instances and
//! the rules, nothing else about `between` (that is the proof format). Any structure that satisfies the
//! user's problem, infinite ones included, satisfies the translated problem and the rules if it reads
//! `between` as β, by 1 and 2. So there is none. *Why `sat` is right.* The caller gives P the table of τ in the
//! model and evaluates the user's own assertions, axioms included.
//!
//! Both conditions are proved by our own solver on ground instances of A: first those that map the variables
//! to different constants of the rule, then all over the constants, then all over their f-images too. What cannot be proved
//! that way is not replaced, and neither is anything when a proof is asked for, because the proof would be
//! about the translated problem. Axioms that are not valid in the theory (acyclicity, say) are kept, in
//! translation.
//!
//! Deliberately missing: predicates with the field as an argument, several predicates that are axiomatised
//! only together.

mod questions;
#[cfg(test)]
mod tests;

use crate::logic::{BuildError, FuncId, Model, Op, SortId, TermId, Terms, Value, VarId};
use crate::util::hash::{Map, Set};
use questions::{Questions, ask_unsat};

/// Fewer axioms than this define neither a graph nor reachability; a conjunction counts as one.
const FEWEST_AXIOMS: usize = 2;

/// How a predicate reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// `P(a0, a1, a2)` is `between(a[p0], a[p1], a[p2])`.
    Between([usize; 3]),
    /// `P(x, y)` is `reach(x, y)`; on acyclic structures.
    Reach { swapped: bool },
    /// `P(x, y)` is `reach(x, y)` and not `x = y`; on acyclic structures.
    Strict { swapped: bool },
    /// `P(x, t)` is `f(x) = t`: the graph of the function, from cells to any sort.
    Graph,
}

const TERNARY: [Reading; 6] = [
    Reading::Between([0, 1, 2]),
    Reading::Between([0, 2, 1]),
    Reading::Between([1, 0, 2]),
    Reading::Between([1, 2, 0]),
    Reading::Between([2, 0, 1]),
    Reading::Between([2, 1, 0]),
];
const BINARY: [Reading; 5] = [
    Reading::Graph,
    Reading::Reach { swapped: false },
    Reading::Reach { swapped: true },
    Reading::Strict { swapped: false },
    Reading::Strict { swapped: true },
];

/// A predicate that is reachability along a field, or the graph of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recognised {
    /// The user's predicate.
    pub predicate: FuncId,
    /// The field.
    pub field: FuncId,
    reading: Reading,
}

impl Recognised {
    /// What the predicate says of these terms, in our own vocabulary.
    fn translation(&self, terms: &mut Terms, args: &[TermId]) -> Result<TermId, BuildError> {
        let field = self.field;
        if self.reading == Reading::Graph {
            let value = terms.app(field, &args[..1])?;
            return terms.eq(value, args[1]);
        }
        self.reading.tau(terms, args, &mut |terms, [x, y, z]| terms.between(field, x, y, z))
    }
}

type Between<'b> = dyn FnMut(&mut Terms, [TermId; 3]) -> Result<TermId, BuildError> + 'b;

impl Reading {
    /// P of some arguments, in terms of `between`.
    fn tau(
        self,
        terms: &mut Terms,
        args: &[TermId],
        between: &mut Between<'_>,
    ) -> Result<TermId, BuildError> {
        let pair = |swapped: bool| if swapped { (args[1], args[0]) } else { (args[0], args[1]) };
        match self {
            Reading::Between(order) => between(terms, order.map(|i| args[i])),
            Reading::Graph => Err(no_path()),
            Reading::Reach { swapped } => {
                let (x, y) = pair(swapped);
                between(terms, [x, y, y])
            }
            Reading::Strict { swapped } => {
                let (x, y) = pair(swapped);
                let reach = between(terms, [x, y, y])?;
                let differ = terms.distinct(&[x, y])?;
                terms.and(&[reach, differ])
            }
        }
    }

    /// `between` of some arguments, in terms of P.
    fn beta(self, terms: &mut Terms, predicate: FuncId, args: [TermId; 3]) -> Result<TermId, BuildError> {
        let [x, y, z] = args;
        let mut step = |from: TermId, to: TermId, swapped: bool, strict: bool| {
            let pair = if swapped { [to, from] } else { [from, to] };
            let atom = terms.app(predicate, &pair)?;
            if !strict {
                return Ok(atom);
            }
            let same = terms.eq(from, to)?;
            terms.or(&[same, atom])
        };
        match self {
            Reading::Between(order) => {
                let mut placed = args;
                for (i, &at) in order.iter().enumerate() {
                    placed[at] = args[i];
                }
                terms.app(predicate, &placed)
            }
            Reading::Graph => Err(no_path()),
            Reading::Reach { swapped } => {
                let parts = [step(x, y, swapped, false)?, step(y, z, swapped, false)?];
                terms.and(&parts)
            }
            Reading::Strict { swapped } => {
                let parts = [step(x, y, swapped, true)?, step(y, z, swapped, true)?];
                terms.and(&parts)
            }
        }
    }
}

fn no_path() -> BuildError {
    BuildError::Unsupported("the graph of a function says nothing of paths".to_owned())
}

/// An assertion that may be an axiom: universal, without constants, about one predicate and unary functions.
struct Axiom {
    variables: Vec<VarId>,
    body: TermId,
    fields: Vec<FuncId>,
}

/// Recognises predicates among closed formulas that hold together. `terms` grows by constants and instances.
pub fn recognise(terms: &mut Terms, formulas: &[TermId]) -> Vec<Recognised> {
    let mut by_predicate: Map<FuncId, Vec<Axiom>> = Map::default();
    let mut order = Vec::new();
    for &formula in formulas {
        if let Some((predicate, axiom)) = axiom(terms, formula) {
            by_predicate
                .entry(predicate)
                .or_insert_with(|| {
                    order.push(predicate);
                    Vec::new()
                })
                .push(axiom);
        }
    }
    let mut found = Vec::new();
    for predicate in order {
        let axioms = &by_predicate[&predicate];
        if axioms.len() < FEWEST_AXIOMS {
            continue;
        }
        let mut fields: Vec<FuncId> = axioms.iter().flat_map(|a| a.fields.iter().copied()).collect();
        fields.sort_unstable();
        fields.dedup();
        let readings = if terms.func(predicate).args.len() == 3 { &TERNARY[..] } else { &BINARY[..] };
        let candidates = fields.iter().flat_map(|&field| readings.iter().map(move |&r| (field, r)));
        let candidates: Vec<_> = candidates.filter(|&(f, r)| fits(terms, predicate, f, r)).collect();
        for (field, reading) in candidates {
            let mine: Vec<&Axiom> = axioms.iter().filter(|a| a.fields.iter().all(|&f| f == field)).collect();
            let candidate = Recognised { predicate, field, reading };
            if Questions::new(terms, &candidate, &mine).all_hold() == Ok(true) {
                found.push(candidate);
                break;
            }
        }
    }
    found
}

/// Whether the sorts allow a reading of a predicate.
fn fits(terms: &Terms, predicate: FuncId, field: FuncId, reading: Reading) -> bool {
    let (args, field) = (&terms.func(predicate).args, terms.func(field));
    match reading {
        Reading::Graph => args[0].is_uninterpreted() && field.args[0] == args[0] && field.result == args[1],
        _ => field.is_link_field() && args.iter().all(|&arg| arg == field.result),
    }
}

/// The predicate and parts of an assertion that may be an axiom.
fn axiom(terms: &Terms, formula: TermId) -> Option<(FuncId, Axiom)> {
    let Op::Forall(id) = terms.op(formula) else { return None };
    let body = terms.children(formula)[0];
    if !terms.is_quantifier_free(body) {
        return None;
    }
    let variables = terms.quantifier(id).variables.clone();
    let mut predicate = None;
    let mut fields = Vec::new();
    let mut stack = vec![body];
    let mut seen: Set<TermId> = Set::default();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.op(term) {
            Op::App(func) => {
                let known = terms.func(func);
                if known.args.len() == 1 && known.result != SortId::BOOL {
                    fields.push(func);
                } else if known.result == SortId::BOOL
                    && matches!(known.args.len(), 2 | 3)
                    && predicate.is_none_or(|p| p == func)
                {
                    predicate = Some(func);
                } else {
                    return None;
                }
            }
            Op::Not | Op::And | Op::Or | Op::Iff | Op::Ite | Op::Eq | Op::Var(_) => {}
            Op::True
            | Op::False
            | Op::Num(_)
            | Op::Lin(_)
            | Op::Le(_)
            | Op::Between(_)
            | Op::Distinct
            | Op::Forall(_) => return None,
        }
        stack.extend(terms.children(term));
    }
    fields.sort_unstable();
    fields.dedup();
    Some((predicate?, Axiom { variables, body, fields }))
}

fn variable(terms: &mut Terms, var: VarId) -> TermId {
    let sort = terms.variable_info(var).1;
    terms.intern(Op::Var(var), &[], sort)
}

/// Whether a formula may be one of the axioms of a predicate.
pub fn is_candidate(terms: &Terms, formula: TermId) -> bool {
    axiom(terms, formula).is_some()
}

/// Translates formulas; remembers what it has translated.
#[derive(Debug, Default)]
pub struct Translation {
    recognised: Vec<Recognised>,
    done: Map<TermId, TermId>,
}

impl Translation {
    /// The translation that replaces these predicates.
    pub fn new(recognised: Vec<Recognised>) -> Translation {
        Translation { recognised, done: Map::default() }
    }

    /// What is replaced.
    pub fn recognised(&self) -> &[Recognised] {
        &self.recognised
    }

    /// The formula with every recognised predicate replaced. An assertion that the theory makes valid
    /// becomes `true`.
    pub fn assertion(&mut self, terms: &mut Terms, formula: TermId) -> Result<TermId, BuildError> {
        let translated = self.term(terms, formula)?;
        let Some((predicate, axiom)) = axiom(terms, formula) else { return Ok(translated) };
        if !self.recognised.iter().any(|r| r.predicate == predicate) {
            return Ok(translated);
        }
        let points: Map<VarId, TermId> = axiom
            .variables
            .iter()
            .map(|&var| {
                let sort = terms.variable_info(var).1;
                (var, terms.fresh_const("point", sort))
            })
            .collect();
        let body = self.term(terms, axiom.body)?;
        let instance = terms.substitute(body, &points);
        let negation = terms.not(instance)?;
        Ok(if ask_unsat(terms, std::iter::once(negation))? { Terms::TRUE } else { translated })
    }

    /// A term with every recognised predicate replaced.
    pub fn term(&mut self, terms: &mut Terms, root: TermId) -> Result<TermId, BuildError> {
        let mut stack = vec![(root, false)];
        while let Some((term, children_done)) = stack.pop() {
            if self.done.contains_key(&term) {
                continue;
            }
            let children = terms.children(term).to_vec();
            if !children_done {
                stack.push((term, true));
                stack.extend(children.iter().map(|&child| (child, false)));
                continue;
            }
            let new: Vec<TermId> = children.iter().map(|child| self.done[child]).collect();
            let replaced = match terms.op(term) {
                Op::App(func) => self.recognised.iter().find(|r| r.predicate == func),
                _ => None,
            };
            let result = match replaced {
                Some(recognised) => recognised.translation(terms, &new)?,
                None if new == children => term,
                // Patterns may mention what is replaced, and are hints only.
                None if matches!(terms.op(term), Op::Forall(_)) => {
                    let Op::Forall(id) = terms.op(term) else { unreachable!("just matched") };
                    let variables = terms.quantifier(id).variables.clone();
                    let variables: Vec<TermId> = variables.iter().map(|&var| variable(terms, var)).collect();
                    terms.forall(&variables, new[0])?
                }
                None => terms.rebuild(term, &new),
            };
            self.done.insert(term, result);
        }
        Ok(self.done[&root])
    }
}

impl Recognised {
    /// Gives the predicate its table in a model: what the theory says of the field. False if the universe is
    /// too large for a table.
    pub fn complete(&self, terms: &Terms, model: &mut Model) -> bool {
        const LARGEST: u32 = 200;
        let size = model.size(terms.func(self.field).args[0]);
        if size > LARGEST {
            return false;
        }
        model.set_default(self.predicate, Value::Bool(false));
        if self.reading == Reading::Graph {
            for element in (0..size).map(Value::Elem) {
                let value = model.get(terms, self.field, std::slice::from_ref(&element));
                model.set(terms, self.predicate, &[element, value], Value::Bool(true));
            }
            return true;
        }
        for start in 0..size {
            let mut path = vec![Value::Elem(start)];
            loop {
                let next = model.get(terms, self.field, &path[path.len() - 1..]);
                if path.contains(&next) {
                    break;
                }
                path.push(next);
            }
            for (j, end) in path.iter().enumerate() {
                let mut hold = |args: &[Value]| model.set(terms, self.predicate, args, Value::Bool(true));
                let mut pair = |swapped: bool| match swapped {
                    false => hold(&[path[0].clone(), end.clone()]),
                    true => hold(&[end.clone(), path[0].clone()]),
                };
                match self.reading {
                    Reading::Reach { swapped } => pair(swapped),
                    Reading::Strict { swapped } if j > 0 => pair(swapped),
                    Reading::Strict { .. } | Reading::Graph => {}
                    Reading::Between(order) => {
                        for middle in &path[..=j] {
                            let mut args = [path[0].clone(), path[0].clone(), path[0].clone()];
                            for (&at, value) in order.iter().zip([&path[0], middle, end]) {
                                args[at] = value.clone();
                            }
                            hold(&args);
                        }
                    }
                }
            }
        }
        true
    }
}
