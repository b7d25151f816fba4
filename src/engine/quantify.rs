//! Quantifier instances: where a universal formula has something to say (LISBQ, Figure 14), and what was
//! said already.
//!
//! A *guard* of a variable is a disjunct of the body that is false wherever a fact of the context is not
//! derived: `not between(f, a, u, b)` (rule BTWN) or `not g(u) = t` (rule INV). Guarded quantifiers are
//! instantiated as soon as the guard is derived, once per tuple of classes. Quantifiers over several
//! variables are matched one variable after the other.
//!
//! A *trigger* is a term `f(u)` with a link field f: the instance is made only where such a term exists
//! (ERRATA: the local equations of doubly linked lists). Triggers come from `:pattern` or, for bodies that
//! apply a link field to the variable, from the body. What triggers and missing guards leave out is found by
//! evaluating the finished model (`construct`), or by matching patterns (`ematch`) where no model can be
//! evaluated.

mod matches;

use crate::engine::ematch::Patterns;
use crate::engine::theory::Theory;
use crate::engine::theory::egraph::Node;
use crate::logic::{FuncId, Op, SortId, TermId, Terms, VarId};
use crate::util::hash::{Map, Set};
use crate::util::limits::{Budget, Stop};
use crate::util::options;
use matches::Matches;

/// A position of a guard: a closed term, or a variable of the quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Closed(TermId),
    Var(usize),
}

#[derive(Clone, Debug)]
enum Guard {
    Between(FuncId, [Place; 3]),
    /// `g(u) = t`.
    Preimage(FuncId, usize, Place),
}

/// How the variables of a quantifier are matched.
#[derive(Clone, Debug)]
struct Plan {
    variables: Vec<(VarId, SortId)>,
    /// Guards in the order of matching; together they bind every variable, or the plan is empty.
    guards: Vec<Guard>,
    /// Applications that must exist: one of the list, for each variable that has one.
    triggers: Vec<(usize, Vec<FuncId>)>,
    /// What is matched where there are no guards: only if patterns are written, or models cannot be
    /// evaluated because a variable ranges over the integers.
    patterns: Option<Patterns>,
    /// Contexts in which no tuple is without an instance, since the quantifier last became relevant.
    settled: Set<Stamps>,
}

/// What the matches of a quantifier depend on: stamps of its fields, and of the graph where that matters.
type Stamps = [u64; 3];

/// Contexts remembered for one quantifier.
const MAX_SETTLED: usize = 4096;

/// An instance that was made.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) values: Box<[TermId]>,
    pub(crate) formula: TermId,
    /// Its integers need not be terms of the context.
    pub(crate) lasting: bool,
}

/// A place where a quantifier should be instantiated.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) forall: TermId,
    pub(crate) values: Box<[TermId]>,
    /// Reachability guards that are derived there: field and terms.
    pub(crate) guards: Vec<(FuncId, [TermId; 3])>,
}

/// All quantifiers met, with their plans and instances.
#[derive(Default)]
pub(crate) struct Quantifiers {
    plans: Map<TermId, Plan>,
    instances: Map<TermId, Vec<Instance>>,
    /// By quantifier: the values of its instances.
    values: Map<TermId, Set<Box<[TermId]>>>,
    /// The same for quantifiers over one variable.
    places: Map<TermId, Set<TermId>>,
    pub(crate) n_instances: u64,
}

impl Quantifiers {
    pub(crate) fn instances(&self, forall: TermId) -> &[Instance] {
        self.instances.get(&forall).map_or(&[], |v| &v[..])
    }

    pub(crate) fn is_guarded(&self, forall: TermId) -> bool {
        self.plans.get(&forall).is_some_and(|p| !p.guards.is_empty())
    }

    /// Notes an instance; the caller adds its clause. Returns nothing if it was made before.
    pub(crate) fn add(&mut self, terms: &mut Terms, forall: TermId, values: &[TermId]) -> Option<TermId> {
        if !self.values.entry(forall).or_default().insert(values.into()) {
            return None;
        }
        if let &[value] = values {
            self.places.entry(forall).or_default().insert(value);
        }
        let known = self.instances.entry(forall).or_default();
        let Op::Forall(id) = terms.op(forall) else { unreachable!("quantifiers only") };
        let variables = terms.quantifier(id).variables.clone();
        let map: Map<VarId, TermId> = variables.into_iter().zip(values.iter().copied()).collect();
        let body = terms.children(forall)[0];
        let formula = terms.substitute(body, &map);
        known.push(Instance { values: values.into(), formula, lasting: false });
        self.n_instances += 1;
        Some(formula)
    }

    /// The instance that was made last counts even where its integers are no terms of the context.
    pub(crate) fn make_lasting(&mut self, forall: TermId) {
        if let Some(instance) = self.instances.get_mut(&forall).and_then(|known| known.last_mut()) {
            instance.lasting = true;
        }
    }

    /// Closed terms of a quantifier's guards become terms of the theory, so that facts about them exist.
    pub(crate) fn prepare(&mut self, terms: &Terms, theory: &mut Theory, forall: TermId) {
        let plan = self.plans.entry(forall).or_insert_with(|| plan(terms, forall));
        plan.settled.clear();
        for guard in &plan.guards {
            match guard {
                Guard::Between(field, places) => {
                    let closed: Vec<TermId> = places.iter().filter_map(|p| p.closed()).collect();
                    for &term in &closed {
                        theory.add_guard(terms, *field, [term, term]);
                    }
                }
                Guard::Preimage(_, _, place) => {
                    if let Some(term) = place.closed() {
                        theory.add_term(terms, term);
                    }
                }
            }
        }
    }

    /// The classes at which instances of a quantifier stand.
    fn standing(&self, theory: &Theory, forall: TermId) -> Set<Vec<Node>> {
        let egraph = &theory.egraph;
        let root = |&value: &TermId| egraph.node(value).map(|n| egraph.root(n));
        self.instances(forall).iter().filter_map(|i| i.values.iter().map(root).collect()).collect()
    }

    /// Tuples of terms at which a quantifier without guards is matched by its patterns and no instance
    /// stands yet; none when it has too many instances already.
    pub(crate) fn matched(
        &self,
        terms: &Terms,
        theory: &Theory,
        forall: TermId,
        budget: &mut Budget,
    ) -> Result<Vec<Vec<TermId>>, Stop> {
        let plan = self.plans.get(&forall);
        let Some((plan, patterns)) = plan.and_then(|plan| Some((plan, plan.patterns.as_ref()?))) else {
            return Ok(Vec::new());
        };
        if self.instances(forall).len() >= options::SOLVER_PATTERN_INSTANCES.size() {
            return Ok(Vec::new());
        }
        let variables: Vec<VarId> = plan.variables.iter().map(|v| v.0).collect();
        let standing = self.standing(theory, forall);
        let wanted = |nodes: &[Node]| {
            let roots: Vec<Node> = nodes.iter().map(|&n| theory.egraph.root(n)).collect();
            !standing.contains(&roots)
        };
        let found = patterns.matches(terms, theory, &variables, &wanted, budget)?;
        let smallest = |node: Node| theory.egraph.class(node).map(|n| theory.egraph.term(n)).min();
        let term = |node: Node| smallest(node).expect("a class has members");
        Ok(found.into_iter().map(|nodes| nodes.into_iter().map(term).collect()).collect())
    }

    /// Tuples of classes where the guards of a quantifier are derived and no instance stands yet. The
    /// values are members of the classes, the smallest terms there. The caller makes all these instances.
    pub(crate) fn candidates(
        &mut self,
        terms: &Terms,
        theory: &Theory,
        forall: TermId,
        out: &mut Vec<Candidate>,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let Some(plan) = self.plans.get(&forall) else { return Ok(()) };
        if plan.guards.is_empty() {
            return Ok(());
        }
        let stamps = plan.stamps(theory);
        if stamps.is_some_and(|stamps| plan.settled.contains(&stamps)) {
            return Ok(());
        }
        let binding = vec![None; plan.variables.len()];
        let watch = budget.watch();
        let mut matches = Matches { terms, theory, plan, found: Vec::new(), binding, watch };
        matches.extend(0);
        if let Some(stop) = matches.watch.stopped() {
            return Err(stop);
        }
        self.without_instance(terms, theory, forall, &matches.found, out, budget)?;
        if let Some(stamps) = stamps {
            let settled = &mut self.plans.get_mut(&forall).expect("looked up above").settled;
            if settled.len() >= MAX_SETTLED {
                settled.clear();
            }
            settled.insert(stamps);
        }
        Ok(())
    }

    /// The candidates among matches, which are tuples of nodes one after the other.
    fn without_instance(
        &self,
        terms: &Terms,
        theory: &Theory,
        forall: TermId,
        found: &[Node],
        out: &mut Vec<Candidate>,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let plan = &self.plans[&forall];
        // Most tuples have an instance at these very values; only for others the classes of all instances are needed.
        let known = self.values.get(&forall);
        let mut standing: Option<Set<Vec<Node>>> = None;
        let mut roots = Vec::new();
        let mut values: Vec<TermId> = Vec::new();
        let places = self.places.get(&forall);
        for nodes in found.chunks_exact(plan.variables.len()) {
            budget.spend(1)?;
            let stands = |node| places.is_some_and(|places| places.contains(&theory.egraph.term(node)));
            if matches!(nodes, &[node] if theory.egraph.class(node).any(stands)) {
                continue;
            }
            values.clear();
            values.extend(nodes.iter().enumerate().map_while(|(i, &n)| plan.value(terms, theory, i, n)));
            if values.len() < nodes.len() || known.is_some_and(|known| known.contains(&values[..])) {
                continue;
            }
            roots.clear();
            roots.extend(nodes.iter().map(|&n| theory.egraph.root(n)));
            if standing.get_or_insert_with(|| self.standing(theory, forall)).contains(&roots) {
                continue;
            }
            // Two tuples of one round may name the same classes.
            if out.iter().any(|c| c.forall == forall && c.values[..] == values[..]) {
                continue;
            }
            let guards = plan.guards.iter().filter_map(|g| match g {
                Guard::Between(field, places) => Some((*field, places.map(|p| p.term(&values)))),
                Guard::Preimage(..) => None,
            });
            let guards = guards.collect();
            out.push(Candidate { forall, guards, values: values[..].into() });
        }
        Ok(())
    }
}

impl Place {
    fn closed(self) -> Option<TermId> {
        match self {
            Place::Closed(term) => Some(term),
            Place::Var(_) => None,
        }
    }

    fn term(self, values: &[TermId]) -> TermId {
        match self {
            Place::Closed(term) => term,
            Place::Var(i) => values[i],
        }
    }
}

impl Plan {
    /// What the matches depend on at this moment; nothing where that is too much to name. Without triggers and
    /// preimages it is the facts of the fields only: more members of a class need no further instance.
    fn stamps(&self, theory: &Theory) -> Option<Stamps> {
        let mut stamps = [0; 3];
        let mut n_fields = 0;
        let mut by_facts = self.triggers.is_empty();
        for guard in &self.guards {
            match guard {
                Guard::Between(func, _) => {
                    // While a field is inactive nothing is known of it.
                    let stamp = theory.reach.active_field(*func).map_or(0, |field| theory.reach.stamp(field));
                    *stamps.get_mut(n_fields).filter(|_| n_fields < 2)? = stamp;
                    n_fields += 1;
                }
                Guard::Preimage(..) => by_facts = false,
            }
        }
        if !by_facts {
            stamps[2] = theory.egraph.stamp();
        }
        Some(stamps)
    }

    /// The term that stands for a class: with a trigger, the argument of the triggering application.
    fn value(&self, terms: &Terms, theory: &Theory, variable: usize, node: Node) -> Option<TermId> {
        let egraph = &theory.egraph;
        if let Some((_, fields)) = self.triggers.iter().find(|(v, _)| *v == variable) {
            let application = fields.iter().find_map(|&f| egraph.application(terms, Op::App(f), node))?;
            return Some(egraph.term(egraph.args(application)[0]));
        }
        egraph.class(node).map(|n| egraph.term(n)).min()
    }
}

/// Whether guards bound every variable of a quantifier.
pub(crate) fn is_guarded(terms: &Terms, forall: TermId) -> bool {
    !plan(terms, forall).guards.is_empty()
}

/// Finds guards and triggers of a quantifier.
fn plan(terms: &Terms, forall: TermId) -> Plan {
    let Op::Forall(id) = terms.op(forall) else { unreachable!("quantifiers only") };
    let quantifier = terms.quantifier(id);
    let variables: Vec<(VarId, SortId)> =
        quantifier.variables.iter().map(|&v| (v, terms.variable_info(v).1)).collect();
    let body = terms.children(forall)[0];
    let disjuncts: &[TermId] = if terms.op(body) == Op::Or { terms.children(body) } else { &[body] };
    let guards: Vec<Guard> =
        disjuncts.iter().filter_map(|&d| guard(terms, &variables, terms.negated(d)?)).collect();
    let guards = order_guards(variables.len(), guards);
    let written = !quantifier.patterns.is_empty();
    let evaluated = variables.iter().all(|(_, sort)| sort.is_uninterpreted());
    let matched = guards.is_empty() && (written || !evaluated);
    Plan {
        guards,
        triggers: triggers(terms, forall, &variables),
        patterns: matched.then(|| Patterns::new(terms, forall)),
        settled: Set::default(),
        variables,
    }
}

fn place(terms: &Terms, variables: &[(VarId, SortId)], term: TermId) -> Option<Place> {
    if terms.is_closed(term) {
        return Some(Place::Closed(term));
    }
    match terms.op(term) {
        Op::Var(var) => variables.iter().position(|(v, _)| *v == var).map(Place::Var),
        _ => None,
    }
}

/// The guard that an atom makes, if it does.
fn guard(terms: &Terms, variables: &[(VarId, SortId)], atom: TermId) -> Option<Guard> {
    let children = terms.children(atom);
    match terms.op(atom) {
        Op::Between(field) => {
            let mut places = [Place::Var(0); 3];
            for (place_, &child) in places.iter_mut().zip(children) {
                *place_ = place(terms, variables, child)?;
            }
            Some(Guard::Between(field, places))
        }
        Op::Eq => [(0, 1), (1, 0)].into_iter().find_map(|(i, j)| {
            let (application, target) = (children[i], children[j]);
            let Op::App(func) = terms.op(application) else { return None };
            let [arg] = terms.children(application) else { return None };
            let Place::Var(variable) = place(terms, variables, *arg)? else { return None };
            // A link field as a preimage guard is outside LISBQ: its value at other cells is not free.
            let target = place(terms, variables, target)?;
            (!terms.func(func).is_link_field()).then_some(Guard::Preimage(func, variable, target))
        }),
        _ => None,
    }
}

/// An order of guards in which each binds at most one new variable; empty if some variable stays free.
fn order_guards(n_variables: usize, mut guards: Vec<Guard>) -> Vec<Guard> {
    let mut bound = vec![false; n_variables];
    let mut ordered = Vec::new();
    loop {
        let new_variables = |g: &Guard, bound: &[bool]| -> Option<Vec<usize>> {
            let mut free: Vec<usize> = Vec::new();
            match g {
                Guard::Between(_, places) => {
                    for p in places {
                        if let Place::Var(i) = p
                            && !bound[*i]
                            && !free.contains(i)
                        {
                            free.push(*i);
                        }
                    }
                    (free.len() <= 1).then_some(free)
                }
                Guard::Preimage(_, var, target) => {
                    if matches!(target, Place::Var(i) if !bound[*i]) {
                        return None;
                    }
                    if !bound[*var] {
                        free.push(*var);
                    }
                    Some(free)
                }
            }
        };
        let Some(at) = guards.iter().position(|g| new_variables(g, &bound).is_some()) else { break };
        let guard = guards.remove(at);
        for i in new_variables(&guard, &bound).into_iter().flatten() {
            bound[i] = true;
        }
        ordered.push(guard);
    }
    if bound.iter().all(|&b| b) { ordered } else { Vec::new() }
}

/// Link fields applied to a variable, from the patterns if there are any, else from the body.
fn triggers(terms: &Terms, forall: TermId, variables: &[(VarId, SortId)]) -> Vec<(usize, Vec<FuncId>)> {
    let Op::Forall(id) = terms.op(forall) else { unreachable!("quantifiers only") };
    let patterns = &terms.quantifier(id).patterns;
    let mut roots: Vec<TermId> = patterns.iter().flatten().copied().collect();
    if roots.is_empty() {
        roots.push(terms.children(forall)[0]);
    }
    let mut found: Vec<(usize, Vec<FuncId>)> = Vec::new();
    let mut seen: Map<TermId, ()> = Map::default();
    while let Some(term) = roots.pop() {
        if terms.is_closed(term) || seen.insert(term, ()).is_some() {
            continue;
        }
        roots.extend(terms.children(term));
        let Op::App(func) = terms.op(term) else { continue };
        if !terms.func(func).is_link_field() && patterns.is_empty() {
            continue;
        }
        let &[arg] = terms.children(term) else { continue };
        if let Some(Place::Var(i)) = place(terms, variables, arg) {
            match found.iter_mut().find(|(v, _)| *v == i) {
                Some((_, funcs)) => {
                    if !funcs.contains(&func) {
                        funcs.push(func);
                    }
                }
                None => found.push((i, vec![func])),
            }
        }
    }
    found
}
