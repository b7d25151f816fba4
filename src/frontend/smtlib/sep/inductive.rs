//! Assertions about one heap whose definitions are no chains: by base pairs, induction and small heaps.
//!
//! The assertions must be pure parts, one description that must hold and any number that must not. They are
//! brought into the small form of [`crate::engine::induct`]. `sat` comes with a heap in which the assertions were
//! evaluated as they were written; `unsat` comes from base pairs or from a proof by induction, for which there
//! is no certificate.

use crate::engine::induct::prove::{Budgets, entails};
use crate::engine::induct::unfold::{Concrete, Names, Unfoldings, along_pairs, concrete_heaps};
use crate::engine::induct::{
    Arg, Call, Cell, Definition, Fact, Ints, Linear, Pairs, Relation, Rule, Satisfiable,
    SymbolicHeap as Heap, System, Var,
};
use crate::frontend::smtlib::sep::symbolic::{SymbolicHeap, not, symbolic_heaps};
use crate::frontend::smtlib::sep::{HeapModel, Outside};
use crate::logic::sep::{self, HeapEvaluator, Hints, OUTSIDE, Vocabulary};
use crate::logic::{Model, Op, SortId, TermId, Terms, Value, VarId};
use crate::util::hash::Map;
use crate::util::limits::{Budget, Limits, Stop};

/// What was found out.
pub enum Outcome {
    /// A heap in which all assertions are true.
    Sat(Box<HeapModel>),
    /// There is none.
    Unsat,
}

/// Why nothing was found out.
pub enum Failure {
    /// The assertions are outside of what is decided.
    Outside(Outside),
    /// A limit.
    Stopped(Stop),
}

impl From<Outside> for Failure {
    fn from(outside: Outside) -> Failure {
        Failure::Outside(outside)
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        Failure::Stopped(stop)
    }
}

/// Unfoldings along pairs have at most so many parts.
const MAX_PARTS: usize = 400_000;
/// So many unfoldings are tried for a heap that satisfies everything.
const MAX_UNFOLDINGS: usize = 400;
/// So many heaps are tried for each of them.
const MAX_HEAPS: usize = 40;
/// So many partial unfoldings are kept in mind.
const MAX_OPEN: usize = 4_000;
/// So many ways to unfold the same call are remembered.
const MAX_HINTS: usize = 8;
/// Steps for the fixpoint of base pairs.
const PAIR_STEPS: u64 = 30_000_000;
/// Steps for the search of a heap.
const SEARCH_STEPS: u64 = 3_000_000;

/// A disjunct of the left side with its variables.
struct Question {
    heap: Heap,
    names: Names,
    /// Constants of the script with their variables.
    constants: Map<TermId, Var>,
    /// Existential variables, as they were written.
    labels: Vec<(VarId, Var)>,
}

/// Decides assertions about one heap.
pub fn decide(
    terms: &mut Terms,
    vocabulary: &Vocabulary,
    assertions: &[TermId],
    limits: &Limits,
) -> Result<Outcome, Failure> {
    let mut reader = Reader {
        terms,
        vocabulary,
        system: System::default(),
        globals: Map::default(),
        indices: Map::default(),
    };
    let (left, right) = reader.sides(assertions)?;
    reader.definitions(&left, &right)?;
    let mut questions = Vec::new();
    for heap in &left {
        questions.push(reader.question(heap)?);
    }
    let mut overall = Budget::new(limits);
    let Reader { terms, system, globals, indices, .. } = reader;
    let mut part = Budget::new(&overall.within(&Limits { steps: Some(PAIR_STEPS), ..Limits::default() }));
    let pairs = Pairs::new(&system, &mut part)?;
    let pairs = pairs.ok_or_else(|| Outside::new("a definition with too many variables"))?;
    let mut places = vec![0; indices.len()];
    indices.iter().for_each(|(&there, &here)| places[here] = there);
    let mut ints = Ints::default();
    let mut open = None;
    for question in &questions {
        overall.poll()?;
        let n = question.names.sorts.len();
        let found = pairs.satisfiable(&system, &question.heap, n, &mut part)?;
        let choice = match found {
            Some(Satisfiable::No) => continue,
            Some(Satisfiable::Perhaps(choice)) => Some(choice),
            None => None,
        };
        let mut search = Search {
            terms,
            vocabulary,
            system: &system,
            globals: &globals,
            assertions,
            question,
            indices: &places,
            ints: &mut ints,
        };
        if let (Some(choice), true) = (&choice, right.is_empty())
            && let Some(found) = search.along(&pairs, choice)
        {
            return Ok(Outcome::Sat(Box::new(found)));
        }
        let mut steps =
            Budget::new(&overall.within(&Limits { steps: Some(SEARCH_STEPS), ..Limits::default() }));
        match search.enumerate(&mut steps) {
            Ok(Some(found)) => return Ok(Outcome::Sat(Box::new(found))),
            Ok(None) | Err(Stop::Steps) => {}
            Err(stop) => return Err(stop.into()),
        }
        let rights = {
            let mut reader = Reader {
                terms,
                vocabulary,
                system: system.clone(),
                globals: globals.clone(),
                indices: indices.clone(),
            };
            let mut rights = Vec::new();
            let mut names = question.names.clone();
            for heap in &right {
                rights.push(reader.right(heap, question, &mut names)?);
            }
            (rights, names)
        };
        let budgets = Budgets { limits: overall.within(&Limits::default()) };
        if !entails(&system, &pairs, &question.heap, rights, &mut ints, &budgets)? {
            let called = question.heap.calls.first();
            let name =
                called.map_or("a description".to_owned(), |c| system.definitions[c.definition].name.clone());
            open = Some(name);
        }
    }
    match open {
        None => Ok(Outcome::Unsat),
        Some(name) => {
            Err(Outside::new(format!("{name}: neither a proof by induction nor a small heap was found"))
                .into())
        }
    }
}

/// Brings terms into the small form.
struct Reader<'a> {
    terms: &'a mut Terms,
    vocabulary: &'a Vocabulary,
    system: System,
    globals: Map<TermId, Var>,
    /// Where each definition of the vocabulary is in the system.
    indices: Map<usize, usize>,
}

/// Variables in scope: bound ones and constants.
struct Scope<'a> {
    bound: Map<VarId, Var>,
    constants: &'a mut Map<TermId, Var>,
    /// Makes a variable for a constant that was not met before; nothing in definitions.
    names: Option<&'a mut Names>,
}

impl Reader<'_> {
    /// The disjuncts of what must hold, and of what must not.
    fn sides(&mut self, assertions: &[TermId]) -> Result<(Vec<SymbolicHeap>, Vec<SymbolicHeap>), Outside> {
        let mut parts: Vec<(TermId, bool)> = assertions.iter().rev().map(|&a| (a, true)).collect();
        let (mut pure, mut left, mut right) = (Vec::new(), None, Vec::new());
        while let Some((formula, positive)) = parts.pop() {
            if !self.vocabulary.is_spatial(self.terms, formula) {
                pure.push(if positive { formula } else { not(self.terms, formula) });
                continue;
            }
            let children = self.terms.children(formula).to_vec();
            match (self.terms.op(formula), positive) {
                (Op::Not, _) if !matches!(self.terms.op(children[0]), Op::Forall(_)) => {
                    parts.push((children[0], !positive));
                }
                (Op::And, true) | (Op::Or, false) => {
                    parts.extend(children.into_iter().rev().map(|c| (c, positive)));
                }
                // A universal is the negation of an existential.
                (Op::Forall(_), true) => right.push((formula, false)),
                (_, true) => {
                    if left.replace((formula, true)).is_some() {
                        return Err(Outside::new(
                            "two descriptions of one heap with definitions that are no chains",
                        ));
                    }
                }
                (Op::Forall(_), false) => {
                    if left.replace((formula, false)).is_some() {
                        return Err(Outside::new(
                            "two descriptions of one heap with definitions that are no chains",
                        ));
                    }
                }
                (_, false) => right.push((formula, true)),
            }
        }
        let Some((formula, positive)) = left else {
            return Err(Outside::new("definitions that are no chains without a description that must hold"));
        };
        let conjunction = self.terms.and(&pure)?;
        let mut lefts = symbolic_heaps(self.terms, self.vocabulary, formula, positive)?;
        for heap in &mut lefts {
            heap.add_pure(self.terms, conjunction)?;
            heap.use_equations(self.terms);
        }
        let mut rights = Vec::new();
        for (formula, positive) in right {
            rights.extend(symbolic_heaps(self.terms, self.vocabulary, formula, positive)?);
        }
        for heap in &mut rights {
            heap.use_equations(self.terms);
        }
        let possible = |h: &SymbolicHeap| !h.pure.contains(&Terms::FALSE);
        lefts.retain(possible);
        rights.retain(possible);
        Ok((lefts, rights))
    }

    /// Reads all definitions that are called, directly or not.
    fn definitions(&mut self, left: &[SymbolicHeap], right: &[SymbolicHeap]) -> Result<(), Outside> {
        for (sort, nil) in self.vocabulary.nils() {
            let var = self.system.globals.len() as Var;
            self.system.globals.push(sort);
            self.system.nils.push(var);
            self.globals.insert(nil, var);
        }
        let calls = left.iter().chain(right).flat_map(|h| &h.calls);
        let mut open: Vec<usize> = calls.map(|c| c.definition).collect();
        let mut bodies: Vec<(usize, Vec<SymbolicHeap>)> = Vec::new();
        while let Some(index) = open.pop() {
            if self.indices.contains_key(&index) {
                continue;
            }
            self.indices.insert(index, bodies.len());
            let definition = &self.vocabulary.definitions()[index];
            let name = self.terms.func(definition.func).name.clone();
            let about = |what: &str| Outside::new(format!("{name}: {what}"));
            let body = definition.body.ok_or_else(|| about("the definition is not complete"))?;
            if !self.vocabulary.is_spatial(self.terms, body) {
                return Err(about("the definition does not speak about the heap"));
            }
            let mut heaps =
                symbolic_heaps(self.terms, self.vocabulary, body, true).map_err(|o| about(&o.0))?;
            for heap in &mut heaps {
                heap.use_equations(self.terms);
                open.extend(heap.calls.iter().map(|c| c.definition));
            }
            heaps.retain(|h| !h.pure.contains(&Terms::FALSE));
            bodies.push((index, heaps));
        }
        // Constants in bodies mean the same everywhere.
        let mut constants = Vec::new();
        for heap in bodies.iter().flat_map(|(_, heaps)| heaps) {
            collect_constants(self.terms, heap, &mut constants);
        }
        for constant in constants {
            if !self.globals.contains_key(&constant) {
                self.globals.insert(constant, self.system.globals.len() as Var);
                self.system.globals.push(self.terms.sort(constant));
            }
        }
        for (index, heaps) in &bodies {
            let definition = &self.vocabulary.definitions()[*index];
            let name = self.terms.func(definition.func).name.clone();
            let n_globals = self.system.n_globals();
            let mut rules = Vec::new();
            for heap in heaps {
                let variables: Vec<VarId> =
                    definition.params.iter().chain(&heap.variables).copied().collect();
                let sorts: Vec<SortId> = variables.iter().map(|&v| self.terms.variable_info(v).1).collect();
                let places =
                    variables.iter().enumerate().map(|(i, &v)| (v, (n_globals + i) as Var)).collect();
                let labels = heap.variables.iter().map(|v| heap.written[v]).collect();
                let mut constants = self.globals.clone();
                let mut scope = Scope { bound: places, constants: &mut constants, names: None };
                let heap =
                    self.heap(heap, &mut scope).map_err(|o| Outside::new(format!("{name}: {}", o.0)))?;
                rules.push(Rule { sorts, labels, heap });
            }
            self.system.definitions.push(Definition { name, arity: definition.params.len(), rules });
        }
        Ok(())
    }

    /// A disjunct of the left side.
    fn question(&mut self, heap: &SymbolicHeap) -> Result<Question, Outside> {
        let mut names = Names { sorts: self.system.globals.clone() };
        let mut constants = self.globals.clone();
        let bound: Map<VarId, Var> =
            heap.variables.iter().map(|&v| (v, names.fresh(self.terms.variable_info(v).1))).collect();
        let labels = heap.variables.iter().map(|v| (heap.written[v], bound[v])).collect();
        let mut scope = Scope { bound, constants: &mut constants, names: Some(&mut names) };
        let heap = self.heap(heap, &mut scope)?;
        Ok(Question { heap, names, constants, labels })
    }

    /// A disjunct of the right side, with its existential variables.
    fn right(
        &mut self,
        heap: &SymbolicHeap,
        question: &Question,
        names: &mut Names,
    ) -> Result<(Heap, Vec<Var>), Outside> {
        let mut constants = question.constants.clone();
        let bound: Map<VarId, Var> =
            heap.variables.iter().map(|&v| (v, names.fresh(self.terms.variable_info(v).1))).collect();
        let variables = heap.variables.iter().map(|v| bound[v]).collect();
        let mut scope = Scope { bound, constants: &mut constants, names: Some(names) };
        Ok((self.heap(heap, &mut scope)?, variables))
    }

    fn heap(&self, heap: &SymbolicHeap, scope: &mut Scope<'_>) -> Result<Heap, Outside> {
        let mut result = Heap::default();
        for cell in &heap.cells {
            let at = self.location(cell.at, scope)?;
            let values = self.args(&cell.values, scope)?;
            result.cells.push(Cell { kind: cell.cell, at, values });
        }
        for call in &heap.calls {
            let args = self.args(&call.args, scope)?;
            result.calls.push(Call { definition: self.indices[&call.definition], args });
        }
        for &part in &heap.pure {
            self.pure(part, scope, &mut result)?;
        }
        Ok(result)
    }

    fn args(&self, args: &[TermId], scope: &mut Scope<'_>) -> Result<Vec<Arg>, Outside> {
        args.iter().map(|&arg| self.arg(arg, scope)).collect()
    }

    fn arg(&self, arg: TermId, scope: &mut Scope<'_>) -> Result<Arg, Outside> {
        match self.terms.sort(arg) {
            SortId::INT => Ok(Arg::Int(self.form(arg, scope)?)),
            _ => Ok(Arg::Loc(self.location(arg, scope)?)),
        }
    }

    /// The variable of a term that is a variable or a constant.
    fn location(&self, term: TermId, scope: &mut Scope<'_>) -> Result<Var, Outside> {
        let sort = self.terms.sort(term);
        let refused = || Outside::new("a term that is no variable beside definitions that are no chains");
        match self.terms.op(term) {
            _ if sort == SortId::BOOL => Err(refused()),
            Op::Var(var) => scope.bound.get(&var).copied().ok_or_else(refused),
            Op::App(_) if self.terms.children(term).is_empty() => {
                if let Some(&known) = scope.constants.get(&term) {
                    return Ok(known);
                }
                let names = scope.names.as_deref_mut().ok_or_else(refused)?;
                let var = names.fresh(sort);
                scope.constants.insert(term, var);
                Ok(var)
            }
            _ => Err(refused()),
        }
    }

    fn form(&self, term: TermId, scope: &mut Scope<'_>) -> Result<Linear, Outside> {
        let form = self.terms.linear_form(term);
        let mut sum = Linear { terms: Vec::new(), constant: form.constant.clone() };
        for (part, coefficient) in &form.terms {
            sum = sum.plus(&Linear::var(self.location(*part, scope)?), coefficient);
        }
        Ok(sum)
    }

    fn pure(&self, part: TermId, scope: &mut Scope<'_>, out: &mut Heap) -> Result<(), Outside> {
        let (inner, positive) = self.terms.strip_not(part);
        let children = self.terms.children(inner).to_vec();
        let refused =
            || Outside::new("a formula that is no comparison beside definitions that are no chains");
        match (self.terms.op(inner), &children[..]) {
            (Op::True, _) if positive => {}
            (Op::False, _) if !positive => {}
            (Op::Eq, &[a, b]) if self.terms.sort(a) == SortId::INT => {
                let form = self.form(a, scope)?.minus(&self.form(b, scope)?);
                let relation = if positive { Relation::Zero } else { Relation::NotZero };
                out.facts.push(Fact { relation, form });
            }
            (Op::Eq, &[a, b]) => {
                let pair = (self.location(a, scope)?, self.location(b, scope)?);
                if positive { out.equal.push(pair) } else { out.different.push(pair) }
            }
            (Op::Distinct, many) if positive => {
                for (i, &a) in many.iter().enumerate() {
                    for &b in &many[..i] {
                        if self.terms.sort(a) == SortId::INT {
                            let form = self.form(a, scope)?.minus(&self.form(b, scope)?);
                            out.facts.push(Fact { relation: Relation::NotZero, form });
                        } else {
                            out.different.push((self.location(a, scope)?, self.location(b, scope)?));
                        }
                    }
                }
            }
            (Op::Le(bound), &[sum]) => {
                let number = Linear { terms: Vec::new(), constant: self.terms.number(bound).clone() };
                let form = self.form(sum, scope)?.minus(&number);
                // Not (form <= 0) is 1 - form <= 0.
                let one = Linear { terms: Vec::new(), constant: 1.into() };
                let form = if positive { form } else { one.minus(&form) };
                out.facts.push(Fact { relation: Relation::AtMostZero, form });
            }
            _ => return Err(refused()),
        }
        Ok(())
    }
}

/// The constants of a symbolic heap.
fn collect_constants(terms: &Terms, heap: &SymbolicHeap, out: &mut Vec<TermId>) {
    let cells = heap.cells.iter().flat_map(|c| c.values.iter().chain([&c.at]));
    let calls = heap.calls.iter().flat_map(|c| &c.args);
    let mut stack: Vec<TermId> = heap.pure.iter().chain(cells).chain(calls).copied().collect();
    while let Some(term) = stack.pop() {
        match (terms.op(term), terms.children(term)) {
            (Op::App(_), []) => out.push(term),
            (_, children) => stack.extend(children),
        }
    }
}

/// The search for a heap.
struct Search<'a> {
    terms: &'a Terms,
    vocabulary: &'a Vocabulary,
    system: &'a System,
    globals: &'a Map<TermId, Var>,
    assertions: &'a [TermId],
    question: &'a Question,
    /// Where each definition of the system is in the vocabulary.
    indices: &'a [usize],
    ints: &'a mut Ints,
}

impl Search<'_> {
    /// A heap along base pairs, in which a derivation of each assertion was found.
    fn along(&mut self, pairs: &Pairs, choice: &[usize]) -> Option<HeapModel> {
        let mut names = self.question.names.clone();
        let (heap, steps) =
            along_pairs(self.system, pairs, &self.question.heap, choice, &mut names, MAX_PARTS)?;
        let mut wanted: Vec<Var> = self.question.constants.values().copied().collect();
        wanted.extend(self.question.labels.iter().map(|(_, var)| *var));
        for step in &steps {
            wanted
                .extend(step.call.args.iter().filter_map(Arg::loc).chain(step.bound.iter().map(|(_, v)| *v)));
            let sums =
                step.call.args.iter().filter_map(|a| if let Arg::Int(form) = a { Some(form) } else { None });
            wanted.extend(sums.flat_map(|form| form.terms.iter().map(|t| t.0)));
        }
        let concrete = concrete_heaps(self.system, &heap, &names, &wanted, self.ints, 1).pop()?;
        let mut hints = Hints::default();
        let values = |bound: &[(VarId, Var)]| -> Map<VarId, Value> {
            bound.iter().map(|(label, var)| (*label, concrete.values[var].clone())).collect()
        };
        hints.insert((OUTSIDE, Vec::new()), vec![values(&self.question.labels)]);
        for step in &steps {
            let args = step.call.args.iter().map(|a| concrete.value(a)).collect();
            let definition = self.indices[step.call.definition];
            let known = hints.entry((definition, args)).or_default();
            let new = values(&step.bound);
            if known.len() < MAX_HINTS && !known.contains(&new) {
                known.push(new);
            }
        }
        let found = self.model(&concrete);
        let nil_is_cell = |(sort, nil): (SortId, TermId)| match self.terms.op(nil) {
            Op::App(func) => found.heap.get(sort, &found.model.get(self.terms, func, &[])).is_some(),
            _ => true,
        };
        if self.vocabulary.nils().any(nil_is_cell) {
            return None;
        }
        let mut evaluator = HeapEvaluator::new(self.terms, self.vocabulary, &found.model, &found.heap);
        for &assertion in self.assertions {
            if evaluator.derivable_by(assertion, &hints) != Ok(true) {
                return self.judged(&concrete);
            }
        }
        drop(evaluator);
        Some(found)
    }

    /// All small unfoldings.
    fn enumerate(&mut self, budget: &mut Budget) -> Result<Option<HeapModel>, Stop> {
        let mut unfoldings =
            Unfoldings::new(self.system, self.question.heap.clone(), self.question.names.clone());
        for _ in 0..MAX_UNFOLDINGS {
            let Some(heap) = unfoldings.next(self.ints, MAX_OPEN, budget)? else { break };
            let names = unfoldings.names.clone();
            // What an evaluation takes grows with the parts that a heap can have.
            let cells = heap.cells.len() as u64 + 1;
            budget.spend(cells.saturating_pow(3).saturating_mul(MAX_HEAPS as u64))?;
            if let Some(found) = self.first(&heap, &names, MAX_HEAPS) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The first of some heaps in which the assertions are true.
    fn first(&mut self, heap: &Heap, names: &Names, most: usize) -> Option<HeapModel> {
        let wanted: Vec<Var> = self.question.constants.values().copied().collect();
        let found = concrete_heaps(self.system, heap, names, &wanted, self.ints, most);
        found.into_iter().find_map(|concrete| self.judged(&concrete))
    }

    /// The heap, if the assertions are true in it.
    fn judged(&self, concrete: &Concrete) -> Option<HeapModel> {
        let found = self.model(concrete);
        (found.satisfies(self.terms, self.vocabulary, self.assertions) == Ok(true)).then_some(found)
    }

    /// A finite heap as a model.
    fn model(&self, concrete: &Concrete) -> HeapModel {
        let mut model = Model::new(self.terms);
        for (&sort, &size) in &concrete.sizes {
            model.set_size(sort, size);
        }
        for (term, var) in self.question.constants.iter().chain(self.globals) {
            if let (Op::App(func), Some(value)) = (self.terms.op(*term), concrete.values.get(var)) {
                model.set(self.terms, func, &[], value.clone());
            }
        }
        let mut heap = sep::Heap::default();
        for (kind, at, fields) in &concrete.cells {
            heap.insert(self.vocabulary.cells()[*kind].location, at.clone(), fields.clone());
        }
        HeapModel { model, heap }
    }
}
