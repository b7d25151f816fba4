//! Recognises predicates that a user's axioms make reachability along a function.
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
//! *Why `unsat` is right.* A refutation of the translated problem uses equality, arithmetic, instances and
//! the rules, nothing else about `between` (that is the proof format). Any structure that satisfies the
//! user's problem, infinite ones included, satisfies the translated problem and the rules if it reads
//! `between` as β, by 1 and 2. So there is none. *Why `sat` is right.* The caller gives P the table of τ in the
//! model and evaluates the user's own assertions, axioms included.
//!
//! Both conditions are proved by our own solver on ground instances of A: first those that map the variables
//! to different constants of the rule, then all over the constants and their f-images. What cannot be proved
//! that way is not replaced, and neither is anything when a proof is asked for, because the proof would be
//! about the translated problem. Axioms that are not valid in the theory (acyclicity, say) are kept, in
//! translation.
//!
//! Deliberately missing: predicates with the field as an argument, several predicates that are axiomatised
//! only together.

use crate::engine::solver::{Answer, Config, Solver};
use crate::logic::{BuildError, FuncId, Model, Op, SortId, TermId, Terms, Value, VarId};
use crate::rules::syntax::{Arg, Head, Pattern, Rule};
use crate::rules::table::table;
use crate::util::hash::{Map, Set};
use crate::util::limits::Limits;

/// Fewer axioms than this do not define reachability.
const FEWEST_AXIOMS: usize = 3;
/// Ground instances of one axiom set for one question.
const MOST_INSTANCES: usize = 20_000;
/// Work for one question.
const STEPS: u64 = 2_000_000;

/// How a predicate reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// `P(a0, a1, a2)` is `between(a[p0], a[p1], a[p2])`.
    Between([usize; 3]),
    /// `P(x, y)` is `reach(x, y)`; on acyclic structures.
    Reach { swapped: bool },
    /// `P(x, y)` is `reach(x, y)` and not `x = y`; on acyclic structures.
    Strict { swapped: bool },
}

const TERNARY: [Reading; 6] = [
    Reading::Between([0, 1, 2]),
    Reading::Between([0, 2, 1]),
    Reading::Between([1, 0, 2]),
    Reading::Between([1, 2, 0]),
    Reading::Between([2, 0, 1]),
    Reading::Between([2, 1, 0]),
];
const BINARY: [Reading; 4] = [
    Reading::Reach { swapped: false },
    Reading::Reach { swapped: true },
    Reading::Strict { swapped: false },
    Reading::Strict { swapped: true },
];

/// A predicate that is reachability along a field.
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

/// The predicate and parts of an assertion that may be an axiom.
fn axiom(terms: &Terms, formula: TermId) -> Option<(FuncId, Axiom)> {
    let Op::Forall(id) = terms.op(formula) else { return None };
    let body = terms.children(formula)[0];
    if !terms.is_quantifier_free(body) {
        return None;
    }
    let variables = terms.quantifier(id).variables.clone();
    let sort = terms.variable_info(variables[0]).1;
    if !sort.is_uninterpreted() || variables.iter().any(|&v| terms.variable_info(v).1 != sort) {
        return None;
    }
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
                if known.is_link_field() && known.result == sort {
                    fields.push(func);
                } else if known.result == SortId::BOOL
                    && matches!(known.args.len(), 2 | 3)
                    && known.args.iter().all(|&arg| arg == sort)
                    && predicate.is_none_or(|p| p == func)
                {
                    predicate = Some(func);
                } else {
                    return None;
                }
            }
            Op::Not | Op::And | Op::Or | Op::Iff | Op::Ite | Op::Eq | Op::Var(_) => {}
            Op::True | Op::False | Op::Num(_) | Op::Lin(_) | Op::Le(_) | Op::Between(_) | Op::Forall(_) => {
                return None;
            }
        }
        stack.extend(terms.children(term));
    }
    fields.sort_unstable();
    fields.dedup();
    Some((predicate?, Axiom { variables, body, fields }))
}

/// The questions whose answers make a candidate right.
struct Questions<'q> {
    terms: &'q mut Terms,
    candidate: &'q Recognised,
    axioms: &'q [&'q Axiom],
    sort: SortId,
}

impl<'q> Questions<'q> {
    fn new(terms: &'q mut Terms, candidate: &'q Recognised, axioms: &'q [&'q Axiom]) -> Questions<'q> {
        let sort = terms.func(candidate.field).result;
        Questions { terms, candidate, axioms, sort }
    }

    fn all_hold(&mut self) -> Result<bool, BuildError> {
        let Some(theory) = table().theory("lisbq") else { return Ok(false) };
        for rule in &theory.rules {
            if rule.mentions_null() || !self.implies_rule(rule)? {
                return Ok(false);
            }
        }
        self.implies_reading()
    }

    fn constants(&mut self, n: usize) -> Vec<TermId> {
        (0..n).map(|_| self.terms.fresh_const("point", self.sort)).collect()
    }

    fn implies_rule(&mut self, rule: &Rule) -> Result<bool, BuildError> {
        let points = self.constants(rule.variables.len());
        let mut negation = Vec::new();
        for premise in &rule.premises {
            match *premise {
                Pattern::Occurs(_) | Pattern::Term(_) => {}
                Pattern::Between(p, q, r) => negation.push(self.between(&points, [p, q, r])?),
                Pattern::Equal(p, q) => negation.push(self.equal(&points, p, q)?),
            }
        }
        for alternative in &rule.alternatives {
            let heads: Result<Vec<TermId>, BuildError> = alternative
                .iter()
                .map(|head| match *head {
                    Head::Between(p, q, r) => self.between(&points, [p, q, r]),
                    Head::Equal(p, q) => self.equal(&points, p, q),
                })
                .collect();
            let all = self.terms.and(&heads?)?;
            negation.push(self.terms.not(all)?);
        }
        self.refuted(&points, &negation)
    }

    fn implies_reading(&mut self) -> Result<bool, BuildError> {
        let Recognised { predicate, reading, .. } = *self.candidate;
        let points = self.constants(self.terms.func(predicate).args.len());
        let atom = self.terms.app(predicate, &points)?;
        let read =
            reading.tau(self.terms, &points, &mut |terms, args| reading.beta(terms, predicate, args))?;
        let differ = self.terms.xor(atom, read)?;
        self.refuted(&points, &[differ])
    }

    fn arg(&mut self, points: &[TermId], arg: Arg) -> Result<TermId, BuildError> {
        match arg {
            Arg::Var(x) => Ok(points[x as usize]),
            Arg::App(x) => self.terms.app(self.candidate.field, &[points[x as usize]]),
            Arg::Null => Err(BuildError::Unsupported("null in a rule without null".to_owned())),
        }
    }

    fn between(&mut self, points: &[TermId], args: [Arg; 3]) -> Result<TermId, BuildError> {
        let [x, y, z] = args;
        let args = [self.arg(points, x)?, self.arg(points, y)?, self.arg(points, z)?];
        self.candidate.reading.beta(self.terms, self.candidate.predicate, args)
    }

    fn equal(&mut self, points: &[TermId], p: Arg, q: Arg) -> Result<TermId, BuildError> {
        let (p, q) = (self.arg(points, p)?, self.arg(points, q)?);
        self.terms.eq(p, q)
    }

    /// Whether the axioms contradict the formulas about these points.
    fn refuted(&mut self, points: &[TermId], formulas: &[TermId]) -> Result<bool, BuildError> {
        let quick = self.instances(points, true);
        if self.unsat(formulas, &quick)? {
            return Ok(true);
        }
        let mut ground = points.to_vec();
        for &point in points {
            ground.push(self.terms.app(self.candidate.field, &[point])?);
        }
        ground.sort_unstable();
        let n_instances: usize =
            self.axioms.iter().map(|a| ground.len().saturating_pow(a.variables.len() as u32)).sum();
        if n_instances > MOST_INSTANCES {
            return Ok(false);
        }
        let all = self.instances(&ground, false);
        self.unsat(formulas, &all)
    }

    /// Instances of all axioms over some terms.
    fn instances(&mut self, over: &[TermId], injective: bool) -> Vec<TermId> {
        let mut instances = Vec::new();
        for axiom in self.axioms {
            let mut choice = vec![0; axiom.variables.len()];
            'choices: loop {
                let distinct = || (1..choice.len()).all(|i| !choice[..i].contains(&choice[i]));
                // A variable more than there are terms has to share one.
                if !injective || axiom.variables.len() > over.len() || distinct() {
                    let map = axiom.variables.iter().copied().zip(choice.iter().map(|&i| over[i])).collect();
                    instances.push(self.terms.substitute(axiom.body, &map));
                }
                for digit in &mut choice {
                    *digit += 1;
                    if *digit < over.len() {
                        continue 'choices;
                    }
                    *digit = 0;
                }
                break;
            }
        }
        instances.sort_unstable();
        instances.dedup();
        instances
    }

    fn unsat(&mut self, formulas: &[TermId], instances: &[TermId]) -> Result<bool, BuildError> {
        ask_unsat(self.terms, formulas.iter().chain(instances).copied())
    }
}

/// Whether ground formulas are contradictory; not if that takes long.
fn ask_unsat(terms: &mut Terms, formulas: impl Iterator<Item = TermId>) -> Result<bool, BuildError> {
    let config = Config { minimise_cores: false, ..Config::default() };
    let mut solver = Solver::with_terms(config, std::mem::take(terms));
    solver.set_limits(Limits { steps: Some(STEPS), ..Limits::default() });
    let asserted = formulas.into_iter().try_for_each(|formula| solver.assert(formula));
    let answer = asserted.map(|()| solver.check());
    *terms = std::mem::take(solver.terms_mut());
    Ok(matches!(answer?, Answer::Unsat(_)))
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
        let size = model.size(terms.func(self.field).result);
        if size > LARGEST {
            return false;
        }
        model.set_default(self.predicate, Value::Bool(false));
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
                    Reading::Strict { .. } => {}
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
