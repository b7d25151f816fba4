//! A finite model from a saturated context (LISBQ, section 3.2), and its evaluation.
//!
//! Elements are the classes. A link field leads from a class without a known successor to the least class
//! that is reached from it, or to itself. Other functions have a value of their own where nothing is known:
//! a new integer, or an extra element that no term denotes (the paper's bottom element).
//!
//! The model is then evaluated against every formula that has to hold. Where a quantifier fails at elements
//! that terms denote, the violated instances are added and the search goes on: this is what makes
//! quantifiers without guards (EPR) and triggers complete. A failure at the extra element is tried again
//! without it.
//!
//! Nothing here is trusted: an answer `sat` needs all formulas to evaluate to true.

use crate::engine::kernel::{Kernel, Values};
use crate::engine::theory::egraph::Node;
use crate::logic::eval::{EvalError, Evaluator};
use crate::logic::{FuncId, Model, Op, SortId, TermId, Terms, Value, VarId};
use crate::util::hash::Map;
use crate::util::limits::{Budget, Stop};
use crate::util::num::Int;

/// Violated instances added per quantifier and model.
const INSTANCES_PER_MODEL: usize = 12;

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
}

enum Judged {
    Good,
    Violated(Vec<(TermId, Vec<TermId>)>),
    Bad(TermId),
}

impl Kernel {
    /// Builds and evaluates a model of the present context, in which nothing is open or unsplit.
    pub(crate) fn construct(
        &mut self,
        terms: &mut Terms,
        assumed: &[TermId],
        value: Values,
        budget: &mut Budget,
    ) -> Result<Constructed, Stop> {
        let definitions = self.definitions.sorted(terms).to_vec();
        let mut stuck = None;
        for extra in [true, false] {
            let mut draft = self.draft(terms, extra, value, budget)?;
            let in_context = |t| self.theory.egraph.node(t).is_some();
            define(terms, &mut draft.model, &definitions, &in_context, budget)?;
            match self.judge(terms, &draft, assumed, budget)? {
                Judged::Good => return Ok(Constructed::Model(Box::new(draft.model))),
                Judged::Bad(formula) => stuck = stuck.or(Some(formula)),
                Judged::Violated(instances) => {
                    let mut any = false;
                    for (forall, values) in instances {
                        any |= self.add_instance(terms, forall, &values);
                    }
                    if any {
                        return Ok(Constructed::Refined);
                    }
                    stuck = stuck.or_else(|| self.relevancy.quantifiers.first().copied());
                }
            }
        }
        Ok(Constructed::Stuck(stuck.unwrap_or(Terms::FALSE)))
    }

    fn draft(&self, terms: &Terms, extra: bool, value: Values, budget: &mut Budget) -> Result<Draft, Stop> {
        let egraph = &self.theory.egraph;
        let mut model = Model::new(terms);
        let mut names: Vec<Vec<Option<TermId>>> = vec![Vec::new(); terms.n_sorts()];
        let mut fresh = self.fresh_integers(terms);
        let mut values: Vec<Option<Value>> = vec![None; egraph.len() as usize];
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
                    Value::Int(known.unwrap_or_else(&mut fresh))
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
            let wanted = extra
                && terms.funcs().any(|(_, f)| f.result == sort && !f.args.is_empty() && !f.is_link_field());
            if wanted || names[sort.index()].is_empty() {
                names[sort.index()].push(None);
            }
            model.set_size(sort, names[sort.index()].len() as u32);
        }
        for (id, func) in terms.funcs().filter(|(_, f)| !f.args.is_empty()) {
            model.set_default(
                id,
                match func.result {
                    SortId::BOOL => Value::Bool(false),
                    SortId::INT => Value::Int(fresh()),
                    sort => {
                        let elements = &names[sort.index()];
                        Value::Elem(elements.iter().position(Option::is_none).unwrap_or(0) as u32)
                    }
                },
            );
        }
        for node in 0..egraph.len() {
            if let Op::App(func) = terms.op(egraph.term(node)) {
                budget.spend(1)?;
                let args: Vec<Value> = egraph.args(node).iter().map(|&a| value_of(a)).collect();
                model.set(terms, func, &args, value_of(node));
            }
        }
        // The others are false.
        for &(var, func) in self.clausifier.constants() {
            if value(var.positive()) == Some(true) {
                model.set(terms, func, &[], Value::Bool(true));
            }
        }
        for (id, func) in terms.funcs().filter(|(_, f)| f.is_link_field()) {
            self.complete_field(terms, &mut model, id, func.result, &value_of, budget)?;
        }
        Ok(Draft { model, names })
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
        if let Some(table) = model.table(func) {
            for args in table.entries.keys() {
                if let Value::Elem(e) = args[0] {
                    known[e as usize] = true;
                }
            }
        }
        if let Some(field) = self.theory.reach.active_field(func) {
            let points: Vec<Node> = self.theory.reach.point_roots(field).collect();
            let fact = |x, y, z| self.theory.reach.fact(egraph, field, [x, y, z]).is_some();
            for &u in &points {
                let Value::Elem(element) = value_of(u) else { continue };
                if std::mem::replace(&mut known[element as usize], true) {
                    continue;
                }
                let reached: Vec<Node> =
                    points.iter().copied().filter(|&v| v != u && fact(u, v, v)).collect();
                budget.spend((points.len() + reached.len() * reached.len() / 4) as u64)?;
                let least = reached.iter().find(|&&v| reached.iter().all(|&w| fact(u, v, w)));
                let successor = least.map_or(Value::Elem(element), |&v| value_of(v));
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
        let on = |guard: TermId| match terms.op(guard) {
            Op::App(func) => draft.model.get(terms, func, &[]).is_true(),
            _ => unreachable!("guards are constants"),
        };
        let guarded = self.guarded.groups.iter().filter(|(guard, _)| on(*guard)).flat_map(|(_, f)| f);
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
        for &forall in &self.relevancy.quantifiers {
            violations(terms, draft, &mut evaluator, forall, &mut violated)?;
        }
        budget.spend(violated.len() as u64 + 1)?;
        Ok(if violated.is_empty() { Judged::Bad(bad) } else { Judged::Violated(violated) })
    }
}

/// Tuples of named elements at which a quantifier fails.
fn violations(
    terms: &Terms,
    draft: &Draft,
    evaluator: &mut Evaluator,
    forall: TermId,
    out: &mut Vec<(TermId, Vec<TermId>)>,
) -> Result<(), Stop> {
    let Op::Forall(id) = terms.op(forall) else { unreachable!("quantifiers only") };
    let variables = &terms.quantifier(id).variables;
    let sorts: Vec<SortId> = variables.iter().map(|&v| terms.variable_info(v).1).collect();
    if sorts.iter().any(|s| !s.is_uninterpreted()) {
        return Ok(());
    }
    let body = terms.children(forall)[0];
    let before = out.len();
    let mut tuple = vec![0usize; variables.len()];
    loop {
        let named: Option<Vec<TermId>> =
            tuple.iter().zip(&sorts).map(|(&e, s)| draft.names[s.index()][e]).collect();
        if let Some(values) = named {
            let mut env: Map<VarId, Value> =
                variables.iter().zip(&tuple).map(|(&v, &e)| (v, Value::Elem(e as u32))).collect();
            match evaluator.eval_in(body, &mut env) {
                Ok(value) if value.is_true() => {}
                Ok(_) => out.push((forall, values)),
                Err(EvalError::Stopped(stop)) => return Err(stop),
                Err(_) => return Ok(()),
            }
            if out.len() - before >= INSTANCES_PER_MODEL {
                return Ok(());
            }
        }
        let Some(i) = (0..tuple.len()).find(|&i| tuple[i] + 1 < draft.names[sorts[i].index()].len()) else {
            return Ok(());
        };
        tuple[i] += 1;
        tuple[..i].fill(0);
    }
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
