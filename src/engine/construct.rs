//! A finite model from a saturated context (LISBQ, section 3.2), and its evaluation.
//!
//! Elements are the classes. A link field leads from a class without a known successor to the least class
//! that is reached from it, or to itself. Other functions have a value of their own where nothing is known:
//! a new integer, or an extra element that no term denotes (the paper's bottom element).
//!
//! The model is then evaluated against every formula that has to hold. Where a quantifier fails at elements
//! that terms denote, the violated instances are added and the search goes on: this is what makes
//! quantifiers without guards (EPR) and triggers complete. A failure at the extra element is tried again
//! without it. A quantifier over an integer fails at an interval of them; the instance is made at a boundary of
//! its comparisons (`boundary`), at a term with a value from the interval, or at a number. Such quantifiers often
//! need another default of the functions, so the second draft, which takes the most frequent value of each
//! function instead of a new one, is looked at before instances of the first one are made.
//!
//! Nothing here is trusted: an answer `sat` needs all formulas to evaluate to true.

use crate::engine::boundary::boundaries;
use crate::engine::kernel::Kernel;
use crate::engine::theory::egraph::Node;
use crate::logic::eval::{EvalError, Evaluator};
use crate::logic::{FuncId, Model, Op, SortId, TermId, Terms, Value, VarId};
use crate::sat::Lit;
use crate::util::hash::Map;
use crate::util::limits::{Budget, Stop};
use crate::util::num::Int;
use crate::util::options;

/// What came of a model.
pub(crate) enum Constructed {
    /// It satisfies all formulas.
    Model(Box<Model>),
    /// It violates quantifiers, whose instances were added.
    Refined,
    /// It violates this formula, and no instance helps.
    Stuck(TermId),
}

/// A model in the making.
struct Draft {
    model: Model,
    /// For each sort, terms that denote its elements; `None` for the extra element.
    names: Vec<Vec<Option<TermId>>>,
    /// Terms that denote integers.
    integers: Map<Int, TermId>,
}

/// A quantifier and terms at which it fails. A term for an integer may mention the other variables.
struct Violation {
    forall: TermId,
    values: Vec<At>,
}

#[derive(Clone)]
enum At {
    Term(TermId),
    Number(Int),
}

enum Judged {
    Good,
    Violated(Vec<Violation>),
    Bad(TermId),
}

impl Kernel {
    /// Builds and evaluates a model of the present context, in which nothing is open or unsplit. `holding` are
    /// the Boolean constants that are true.
    pub(crate) fn construct(
        &mut self,
        terms: &mut Terms,
        assumed: &[TermId],
        holding: &[Lit],
        budget: &mut Budget,
    ) -> Result<Constructed, Stop> {
        let definitions = self.definitions.sorted(terms).to_vec();
        let mut stuck = None;
        let over_integers = self.find_boundaries(terms);
        let mut postponed: Vec<Violation> = Vec::new();
        for extra in [true, false] {
            let mut draft = self.draft(terms, extra, holding, budget)?;
            let in_context = |t| self.theory.egraph.node(t).is_some();
            define(terms, &mut draft.model, &definitions, &in_context, budget)?;
            match self.judge(terms, &draft, assumed, budget)? {
                Judged::Good => return Ok(Constructed::Model(Box::new(draft.model))),
                Judged::Bad(formula) => stuck = stuck.or(Some(formula)),
                Judged::Violated(violations) if over_integers => postponed.extend(violations),
                Judged::Violated(violations) => {
                    if self.exclude(terms, violations) {
                        return Ok(Constructed::Refined);
                    }
                    stuck = stuck.or_else(|| self.relevancy.quantifiers.first().copied());
                }
            }
        }
        if self.exclude(terms, postponed) {
            return Ok(Constructed::Refined);
        }
        stuck = stuck.or_else(|| self.relevancy.quantifiers.first().copied());
        Ok(Constructed::Stuck(stuck.unwrap_or(Terms::FALSE)))
    }

    /// Adds the instances at violations; whether any is new.
    fn exclude(&mut self, terms: &mut Terms, violations: Vec<Violation>) -> bool {
        let mut any = false;
        for Violation { forall, values } in violations {
            let Op::Forall(id) = terms.op(forall) else { unreachable!("quantifiers only") };
            let variables = terms.quantifier(id).variables.clone();
            let closed: Map<VarId, TermId> = variables
                .into_iter()
                .zip(&values)
                .filter_map(|(v, at)| match at {
                    At::Term(term) if terms.is_closed(*term) => Some((v, *term)),
                    _ => None,
                })
                .collect();
            let values: Vec<TermId> = values
                .into_iter()
                .map(|at| match at {
                    At::Term(term) => terms.substitute(term, &closed),
                    At::Number(number) => terms.int(number),
                })
                .collect();
            if self.add_instance(terms, forall, &values) {
                self.quantifiers.make_lasting(forall);
                any = true;
            }
        }
        any
    }

    /// Looks for boundaries of the relevant quantifiers over an integer; whether there are such quantifiers.
    fn find_boundaries(&mut self, terms: &mut Terms) -> bool {
        let mut any = false;
        for &forall in &self.relevancy.quantifiers {
            let Op::Forall(id) = terms.op(forall) else { unreachable!("quantifiers only") };
            let variables = &terms.quantifier(id).variables;
            let integer = variables.iter().copied().find(|&v| terms.variable_info(v).1 == SortId::INT);
            if let Some(variable) = integer {
                any = true;
                if !self.boundaries.contains_key(&forall) {
                    let found = boundaries(terms, forall, variable);
                    self.boundaries.insert(forall, found);
                }
            }
        }
        any
    }

    fn draft(&self, terms: &Terms, extra: bool, holding: &[Lit], budget: &mut Budget) -> Result<Draft, Stop> {
        let egraph = &self.theory.egraph;
        let mut model = Model::new(terms);
        model.reserve(egraph.len() as usize);
        let mut names: Vec<Vec<Option<TermId>>> = vec![Vec::new(); terms.n_sorts()];
        let mut fresh = self.fresh_integers(terms);
        let mut values: Vec<Option<Value>> = vec![None; egraph.len() as usize];
        let mut integers: Map<Int, TermId> = Map::default();
        for node in 0..egraph.len() {
            if egraph.root(node) != node {
                continue;
            }
            budget.spend(1)?;
            let sort = terms.sort(egraph.term(node));
            values[node as usize] = Some(match sort {
                SortId::BOOL => Value::Bool(egraph.node(Terms::TRUE).is_some_and(|t| egraph.equal(t, node))),
                SortId::INT => {
                    let known = self.theory.linear.value(terms, egraph, node).and_then(|v| v.to_int());
                    let value = known.unwrap_or_else(&mut fresh);
                    let name = egraph.class(node).map(|n| egraph.term(n)).min();
                    integers.extend(name.map(|name| (value.clone(), name)));
                    Value::Int(value)
                }
                _ => {
                    let name = egraph.class(node).map(|n| egraph.term(n)).min();
                    names[sort.index()].push(name);
                    Value::Elem(names[sort.index()].len() as u32 - 1)
                }
            });
        }
        let value_of =
            |node: Node| values[egraph.root(node) as usize].clone().expect("every class has a value");
        for sort in terms.uninterpreted_sorts() {
            let wanted = extra && terms.functions().any(|(_, f)| f.result == sort && !f.is_link_field());
            if wanted || names[sort.index()].is_empty() {
                names[sort.index()].push(None);
            }
            model.set_size(sort, names[sort.index()].len() as u32);
        }
        for (id, func) in terms.functions() {
            let value = match func.result {
                SortId::BOOL => Value::Bool(false),
                SortId::INT => Value::Int(fresh()),
                sort => {
                    let elements = &names[sort.index()];
                    Value::Elem(elements.iter().position(Option::is_none).unwrap_or(0) as u32)
                }
            };
            // Symbols of earlier queries may be many.
            if value != Model::default_value(func.result) {
                model.set_default(id, value);
            }
        }
        for node in 0..egraph.len() {
            if let Op::App(func) = terms.op(egraph.term(node)) {
                budget.spend(1)?;
                let args: Vec<Value> = egraph.args(node).iter().map(|&a| value_of(a)).collect();
                model.set(terms, func, &args, value_of(node));
            }
        }
        if !extra {
            frequent_defaults(terms, &mut model);
        }
        // The others are false.
        for func in holding.iter().filter_map(|lit| self.clausifier.constant(lit.var())) {
            model.set(terms, func, &[], Value::Bool(true));
        }
        for (id, func) in terms.functions().filter(|(_, f)| f.is_link_field()) {
            self.complete_field(terms, &mut model, id, func.result, &value_of, budget)?;
        }
        Ok(Draft { model, names, integers })
    }

    /// Integers above everything that occurs.
    fn fresh_integers(&self, terms: &Terms) -> impl FnMut() -> Int + use<> {
        let egraph = &self.theory.egraph;
        let mut top = Int::from(1000);
        for node in 0..egraph.len() {
            if terms.sort(egraph.term(node)) == SortId::INT
                && let Some(value) = self.theory.linear.value(terms, egraph, node)
            {
                top = top.max(value.ceil());
            }
        }
        move || {
            top = &top + &Int::from(1);
            top.clone()
        }
    }

    /// Successors where none is known: the least class reached, else the cell itself.
    fn complete_field(
        &self,
        terms: &Terms,
        model: &mut Model,
        func: FuncId,
        sort: SortId,
        value_of: &dyn Fn(Node) -> Value,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let egraph = &self.theory.egraph;
        let mut known: Vec<bool> = vec![false; model.size(sort) as usize];
        let table = model.table_mut(terms, func);
        for args in table.entries.keys() {
            if let Value::Elem(e) = args[0] {
                known[e as usize] = true;
            }
        }
        table.entries.reserve(known.len().saturating_sub(table.entries.len()));
        if let Some(field) = self.theory.reach.active_field(func) {
            let points: Vec<Node> = self.theory.reach.point_roots(field).collect();
            for &u in &points {
                let Value::Elem(element) = value_of(u) else { continue };
                if std::mem::replace(&mut known[element as usize], true) {
                    continue;
                }
                budget.spend(points.len() as u64)?;
                let least = self.theory.reach.least_reached(egraph, field, u);
                let successor = least.map_or(Value::Elem(element), value_of);
                model.set(terms, func, &[Value::Elem(element)], successor);
            }
        }
        for (element, known) in known.into_iter().enumerate() {
            if !known {
                let cell = Value::Elem(element as u32);
                model.set(terms, func, std::slice::from_ref(&cell), cell.clone());
            }
        }
        Ok(())
    }

    fn judge(
        &self,
        terms: &Terms,
        draft: &Draft,
        assumed: &[TermId],
        budget: &mut Budget,
    ) -> Result<Judged, Stop> {
        let mut evaluator = Evaluator::with_budget(terms, &draft.model, budget.clone());
        let mut bad = None;
        let on = draft.model.true_constants().filter_map(|guard| self.guarded.group(guard));
        let mut on: Vec<usize> = on.collect();
        on.sort_unstable();
        let guarded = on.iter().flat_map(|&at| &self.guarded.groups[at].1);
        for &root in self.guarded.plain.iter().chain(guarded).chain(assumed) {
            match evaluator.holds(root) {
                Ok(true) => {}
                Ok(false) => bad = bad.or(Some(root)),
                Err(EvalError::Stopped(stop)) => return Err(stop),
                Err(EvalError::IntQuantifier(forall)) => bad = Some(forall),
                Err(EvalError::Unbound(_)) => unreachable!("assertions are closed"),
            }
        }
        let Some(bad) = bad else { return Ok(Judged::Good) };
        let mut violated = Vec::new();
        // What makes elements equal comes first: instances of others at one that is about to go would make more.
        for urgent in [true, false] {
            for &forall in self.relevancy.quantifiers.iter().filter(|f| self.urgent.contains(f) == urgent) {
                let boundaries = self.boundaries.get(&forall).map_or(&[][..], |b| b);
                violations(terms, draft, &mut evaluator, forall, boundaries, &mut violated)?;
            }
            if !violated.is_empty() {
                break;
            }
        }
        budget.spend(violated.len() as u64 + 1)?;
        Ok(if violated.is_empty() { Judged::Bad(bad) } else { Judged::Violated(violated) })
    }
}

/// Functions other than link fields have their most frequent value where nothing is known.
fn frequent_defaults(terms: &Terms, model: &mut Model) {
    for (id, _) in terms.functions().filter(|(_, f)| !f.is_link_field()) {
        let Some(table) = model.table(id) else { continue };
        let mut values: Vec<&Value> = table.entries.values().collect();
        values.sort_unstable();
        let runs = values.chunk_by(|a, b| a == b);
        if let Some(run) = runs.max_by_key(|run| run.len()) {
            let value = run[0].clone();
            model.set_default(id, value);
        }
    }
}

/// Tuples of named elements, and integers, at which a quantifier fails.
fn violations(
    terms: &Terms,
    draft: &Draft,
    evaluator: &mut Evaluator,
    forall: TermId,
    boundaries: &[TermId],
    out: &mut Vec<Violation>,
) -> Result<(), Stop> {
    let Op::Forall(id) = terms.op(forall) else { unreachable!("quantifiers only") };
    let variables = &terms.quantifier(id).variables;
    let sort = |v: VarId| terms.variable_info(v).1;
    let (finite, others): (Vec<VarId>, Vec<VarId>) =
        variables.iter().partition(|&&v| sort(v).is_uninterpreted());
    if others.len() > 1 || others.iter().any(|&v| sort(v) != SortId::INT) {
        return Ok(());
    }
    let body = terms.children(forall)[0];
    let before = out.len();
    let mut tuple = vec![0usize; finite.len()];
    loop {
        let named: Option<Map<VarId, TermId>> =
            tuple.iter().zip(&finite).map(|(&e, &v)| Some((v, draft.names[sort(v).index()][e]?))).collect();
        if let Some(named) = named {
            let mut env: Map<VarId, Value> =
                finite.iter().zip(&tuple).map(|(&v, &e)| (v, Value::Elem(e as u32))).collect();
            let failures = match others.first() {
                None => evaluator.eval_in(body, &mut env).map(|value| match value.is_true() {
                    true => Vec::new(),
                    false => vec![None],
                }),
                Some(&integer) => integers_against(draft, evaluator, body, integer, boundaries, &mut env),
            };
            match failures {
                Ok(failures) => out.extend(failures.into_iter().map(|integer| {
                    let value = |v: &VarId| named.get(v).map(|&t| At::Term(t)).or_else(|| integer.clone());
                    let values = variables.iter().map(|v| value(v).expect("every variable has a value"));
                    Violation { forall, values: values.collect() }
                })),
                Err(EvalError::Stopped(stop)) => return Err(stop),
                Err(_) => return Ok(()),
            }
            if out.len() - before >= options::SOLVER_INSTANCES_PER_MODEL.size() {
                return Ok(());
            }
        }
        let next = (0..tuple.len()).find(|&i| tuple[i] + 1 < draft.names[sort(finite[i]).index()].len());
        let Some(i) = next else { return Ok(()) };
        tuple[i] += 1;
        tuple[..i].fill(0);
    }
}

/// Terms for the integer variable at which the body fails: boundaries, else one of the integers found.
fn integers_against(
    draft: &Draft,
    evaluator: &mut Evaluator,
    body: TermId,
    variable: VarId,
    boundaries: &[TermId],
    env: &mut Map<VarId, Value>,
) -> Result<Vec<Option<At>>, EvalError> {
    let Some(found) = evaluator.integer_against(body, variable, env)? else { return Ok(Vec::new()) };
    let mut failures = Vec::new();
    for &boundary in boundaries {
        let value = evaluator.eval_in(boundary, env)?;
        env.insert(variable, value);
        let truth = evaluator.eval_in(body, env);
        env.remove(&variable);
        if !truth?.is_true() {
            failures.push(Some(At::Term(boundary)));
        }
        if failures.len() >= options::SOLVER_BOUNDARIES_PER_MODEL.size() {
            break;
        }
    }
    if failures.is_empty() {
        let name = draft.integers.get(&found).copied();
        failures.push(Some(name.map_or(At::Number(found), At::Term)));
    }
    Ok(failures)
}

/// Gives constants that only their definition mentions the value of the definition. The definitions come
/// in an order in which each rests on earlier ones only.
fn define(
    terms: &Terms,
    model: &mut Model,
    definitions: &[(TermId, TermId)],
    in_context: &dyn Fn(TermId) -> bool,
    budget: &mut Budget,
) -> Result<(), Stop> {
    for &(constant, meaning) in definitions {
        if in_context(constant) {
            continue;
        }
        let Op::App(func) = terms.op(constant) else { unreachable!("constants are defined") };
        // A definition that cannot be evaluated leaves its constant as it is; the evaluation of the
        // formulas then says so.
        match Evaluator::with_budget(terms, model, budget.clone()).eval(meaning) {
            Ok(value) => model.set(terms, func, &[], value),
            Err(EvalError::Stopped(stop)) => return Err(stop),
            Err(_) => {}
        }
        budget.spend(1)?;
    }
    Ok(())
}
