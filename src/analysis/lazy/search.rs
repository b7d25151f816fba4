//! Exploration and refinement: grows the tree until an error appears, decides the path to it, and either has
//! a run that fails, or tracks what the path's infeasibility rests on and goes on.

use super::flow::Flows;
use super::live::{liveness, roots_at};
use super::path::{self, Fault, Feasibility, heap_free};
use super::precision::{Components, Precision, Wish};
use super::predicates::Predicates;
use super::shape::command::{apply, assume};
use super::shape::focus::TooLarge;
use super::shape::graph::Graph;
use super::shape::truths::Truths;
use super::shape::{Class, Region};
use super::tree::{Fate, Tree};
use super::{Columns, Refiner, Report, interpolants, wish};
use crate::program::{Check, Command, Cond, EdgeId, Expr, LocationId, Program, Question, VarId, walk};
use crate::util::hash::Set;
use crate::util::limits::{Budget, Limits, Stop};
use crate::util::options;

/// Why the search ends without a tree.
pub enum Halt {
    /// A path that the formula says can be executed.
    Feasible(Vec<EdgeId>, Fault),
    /// A path that is infeasible, yet nothing is left to be tracked.
    Stuck(Vec<EdgeId>, Vec<(LocationId, String)>),
    /// A limit.
    Stopped(Stop),
    /// Something cannot be expressed or has grown too large.
    Unable(String),
}

/// How a step may fail, and whether the values of variables decide that.
type Danger = Option<(Fault, bool)>;

/// What a step makes of a state.
pub(super) enum Post {
    /// Nothing: it cannot be executed.
    Empty,
    /// It may fail.
    Fails(Fault),
    /// What is known, and the shapes.
    State(Truths, Region),
}

/// The state of the analysis.
pub struct Search<'p> {
    pub(super) program: &'p Program,
    question: &'p Question,
    pub(super) columns: Columns,
    limits: Limits,
    pub(super) budget: Budget,
    successors: Vec<Vec<EdgeId>>,
    pub(super) joins: Vec<bool>,
    live: Vec<Set<VarId>>,
    /// By precision and location: the predicates about dead variables.
    dead: Vec<Vec<u128>>,
    components: Components,
    flows: Flows,
    /// Each tracks what the one before it does, and more.
    pub(super) precisions: Vec<Precision>,
    pub(super) predicates: Vec<Predicates>,
    /// By location: the precision of its states, where each location has its own.
    pub(super) tracked_at: Vec<usize>,
    /// After a refinement: the node at which the refuted path is walked again, and the steps left of it. That shows at
    /// once whether the path is gone, before anything else is built again.
    pub(super) walk: Option<(usize, Vec<EdgeId>)>,
    rescues: u32,
    /// The tree.
    pub tree: Tree,
    /// Counters.
    pub report: Report,
}

impl<'p> Search<'p> {
    /// Ready to start.
    ///
    /// # Errors
    /// If the program cannot be expressed.
    pub fn new(
        program: &'p Program,
        question: &'p Question,
        columns: Columns,
        limits: &Limits,
    ) -> Result<Search<'p>, Halt> {
        let leaks = question.asks(Check::Leaks) || question.asks(Check::Garbage);
        let first = Precision::nothing(program, columns.level, leaks).ok_or_else(too_large)?;
        let predicates =
            Predicates::new(program, &first.atoms, limits).map_err(|e| Halt::Unable(e.to_string()))?;
        let known = predicates.unknown();
        let tree = Tree::new(program.locations as usize, program.entry, known, Region::start(&first.class));
        let joins = program.predecessors().iter().map(|p| p.len() > 1).collect();
        Ok(Search {
            program,
            question,
            columns,
            limits: limits.clone(),
            budget: Budget::new(limits),
            successors: program.successors(),
            joins,
            live: liveness(program, leaks),
            flows: Flows::of_program(program),
            components: Components::of_program(program),
            precisions: vec![first],
            dead: vec![vec![0; program.locations as usize]],
            predicates: vec![predicates],
            tracked_at: vec![0; program.locations as usize],
            walk: None,
            rescues: 0,
            tree,
            report: Report::default(),
        })
    }

    pub(super) fn latest(&self) -> usize {
        self.precisions.len() - 1
    }

    /// Predicates of the last precision.
    #[must_use]
    pub fn precision(&self) -> &Precision {
        &self.precisions[self.latest()]
    }

    /// Explores and refines until the tree is finished.
    ///
    /// # Errors
    /// Says why it is not.
    pub fn run(&mut self, progress: &dyn Fn(&str)) -> Result<(), Halt> {
        let mut told = 0;
        while let Some(node) = self.next_node() {
            self.budget.spend(64).map_err(Halt::Stopped)?;
            self.budget.poll().map_err(Halt::Stopped)?;
            if self.tree.made / 512 > told {
                told = self.tree.made / 512;
                let (nodes, rounds) = (self.tree.made, self.report.refinements);
                progress(&format!("lazy: {nodes} nodes, {rounds} refinements, {}", self.tracked()));
            }
            if !self.refresh(node)? {
                continue;
            }
            let precision = self.tree.node(node).precision;
            let joins = self.joins[self.tree.node(node).location.index()];
            if joins && self.tree.cover(node, &self.precisions, &mut self.budget).map_err(Halt::Stopped)? {
                continue;
            }
            if joins && self.columns.joins && self.tree.join(node, &self.precisions[precision]) {
                continue;
            }
            self.tree.settle(node, Fate::Expanded);
            if self.loses_cells(node) {
                self.refine(node, None, Fault::Leak)?;
            } else if let Some((edge, fault)) = self.expand(node)? {
                self.refine(node, Some(edge), fault)?;
            } else {
                self.walk_on(node);
            }
        }
        self.report.queries = self.predicates.iter().map(|p| p.queries).sum();
        Ok(())
    }

    /// The next node: on the path that was refuted last, as long as it is there, otherwise from the queue.
    fn next_node(&mut self) -> Option<usize> {
        if let Some((node, _)) = &self.walk
            && self.tree.node(*node).fate == Fate::Open
        {
            return Some(*node);
        }
        self.walk = None;
        self.tree.pop(self.columns.depth_first)
    }

    /// Goes one step along the refuted path, after its node was expanded.
    fn walk_on(&mut self, node: usize) {
        let Some((at, mut left)) = self.walk.take().filter(|(at, left)| *at == node && !left.is_empty())
        else {
            return;
        };
        let edge = left.remove(0);
        self.walk = self.tree.child(at, edge).map(|child| (child, left));
    }

    /// Whether a run may end here with an allocated cell that is lost.
    fn loses_cells(&self, node: usize) -> bool {
        let node = self.tree.node(node);
        let class = &self.precisions[node.precision].class;
        let swept = self.program.sweeps.iter().any(|s| s.at == node.location);
        if !class.leaks || node.location != self.program.exit && !swept {
            return false;
        }
        let kept = roots_at(self.program, node.location);
        let roots: Vec<usize> = (0..class.vars.len()).filter(|&x| kept.contains(&class.vars[x])).collect();
        node.region.graphs().iter().any(|g| g.may_leak(class, &roots))
    }

    /// Adds the successors; stops at the first error.
    fn expand(&mut self, i: usize) -> Result<Option<(EdgeId, Fault)>, Halt> {
        let edges = self.successors[self.tree.node(i).location.index()].clone();
        for edge in edges {
            self.budget.spend(16).map_err(Halt::Stopped)?;
            let step = &self.program.edges[edge.index()];
            if let Command::Fail { .. } = step.command {
                if self.question.asks(Check::Asserts) {
                    return Ok(Some((edge, Fault::Reached)));
                }
                continue;
            }
            match self.post(i, edge)? {
                Post::Empty => {}
                Post::Fails(fault) => return Ok(Some((edge, fault))),
                Post::State(known, region) => {
                    self.tree.grow(i, edge, step.to, (known, region), self.target(step.to));
                }
            }
        }
        Ok(None)
    }

    /// What a step makes of a node, as the location it leads to sees it.
    pub(super) fn post(&mut self, node: usize, edge: EdgeId) -> Result<Post, Halt> {
        let to = self.program.edges[edge.index()].to;
        let target = self.target(to);
        // The step is computed in the precision that tracks more, otherwise what is new would be unknown at once.
        let by = self.tree.node(node).precision.max(target);
        let (known, region) = self.seen_in(node, by);
        let class = self.precisions[by].class.clone();
        let (region, fails) = self.shapes(&class, &region, edge)?;
        if let Some((fault, scalar)) = fails
            && (!scalar || self.predicates[by].may_fail(edge, known))
        {
            return Ok(Post::Fails(fault));
        }
        let known = if region.is_empty() { None } else { self.predicates[by].post(edge, known) };
        let Some(known) = known else { return Ok(Post::Empty) };
        let known = self.alive(known, by, to);
        if target == by {
            return Ok(Post::State(known, region));
        }
        let region = region.seen_in(&class, &self.precisions[target].class);
        Ok(Post::State(known.restrict(self.predicates[target].unknown().can), region))
    }

    /// The shape half of a step, and whether it may fail; `true` if variables alone decide whether it does (a
    /// null pointer, an assertion), `false` if the state of the cell does.
    fn shapes(&mut self, class: &Class, from: &Region, edge: EdgeId) -> Result<(Region, Danger), Halt> {
        let step = &self.program.edges[edge.index()];
        let mut region = Region::none();
        let mut fault: Danger = None;
        if let Command::Assert { formula, check, .. } = &step.command
            && let Some(cond) = heap_free(formula)
        {
            for graph in from.graphs() {
                self.budget.poll().map_err(Halt::Stopped)?;
                let assume = |c: &Cond| assume(class, graph, c).map_err(|TooLarge| too_large());
                if self.question.asks(*check) && !assume(&cond.negated())?.is_empty() {
                    fault = Some((Fault::Assertion, true));
                }
                for g in assume(&cond)? {
                    self.keep(class, &mut region, g, step.to);
                }
            }
            return Ok((region, fault));
        }
        for graph in from.graphs() {
            // A state may have thousands of graphs.
            self.budget.poll().map_err(Halt::Stopped)?;
            self.report.posts += 1;
            let effect = apply(self.program, class, graph, &step.command).map_err(|TooLarge| too_large())?;
            if effect.fails.any() && self.question.asks(Check::Memsafety) {
                let scalar = !effect.fails.invalid && fault.is_none_or(|(_, scalar)| scalar);
                fault = Some((Fault::Access, scalar));
            }
            for g in effect.after {
                self.keep(class, &mut region, g, step.to);
            }
        }
        Ok((region, fault))
    }

    /// What is known, without predicates about variables that are dead there.
    fn alive(&self, known: Truths, precision: usize, at: LocationId) -> Truths {
        let dead = self.dead[precision][at.index()];
        Truths { can: known.can | dead, cannot: known.cannot | dead }
    }

    /// Adds a graph, without what is known of variables that are dead.
    fn keep(&self, class: &Class, region: &mut Region, mut graph: Graph, at: LocationId) {
        let live = &self.live[at.index()];
        graph.values.retain(|(v, _)| live.contains(v));
        for (x, v) in class.vars.iter().enumerate() {
            if !live.contains(v) {
                graph.forget(class, x);
            }
        }
        region.insert(class, graph);
    }

    /// Decides the path to an error and tracks what excludes it.
    fn refine(&mut self, node: usize, edge: Option<EdgeId>, fault: Fault) -> Result<(), Halt> {
        let nodes = self.tree.path(node);
        let mut path: Vec<EdgeId> = nodes.iter().filter_map(|&n| Some(self.tree.node(n).parent?.1)).collect();
        path.extend(edge);
        let question = path::Question { program: self.program, path: &path, fault };
        let basic = if self.columns.predicates {
            question.decide(false, &self.limits)
        } else {
            Feasibility::Feasible
        };
        let (steps, heap) = match basic {
            Feasibility::Refuted(steps) => (steps, false),
            _ => match question.decide(true, &self.limits) {
                Feasibility::Refuted(steps) => (steps, true),
                Feasibility::Feasible => return Err(Halt::Feasible(path, fault)),
                Feasibility::Unknown(reason) => return Err(self.stopped_or(reason)),
            },
        };
        self.report.paths += 1;
        if heap && !self.columns.shapes {
            return Err(self.stuck(path, &nodes));
        }
        let next = self.wanted(&question, &steps, heap)?;
        let grew = next != *self.precision();
        if grew {
            self.add_precision(next)?;
        }
        let first = steps.first().copied().unwrap_or(0).min(nodes.len() - 1);
        let last = steps.last().copied().unwrap_or(0).min(nodes.len() - 1);
        let spread = self.spread(&nodes[first..=last]);
        let first = if self.columns.from_root { 0 } else { first };
        if grew || spread || self.stale(&nodes[first..]) {
            return self.walk_again(&path, &nodes, first);
        }
        if self.stale(&nodes) || self.spread_everywhere() {
            return self.walk_again(&path, &nodes, 0);
        }
        if let Some(next) = if heap { None } else { self.by_interpolants(&question, &steps)? } {
            self.add_precision(next)?;
            self.spread(&nodes);
            return self.walk_again(&path, &nodes, 0);
        }
        if !heap && let Some(next) = self.by_shapes(&path, &steps)? {
            self.add_precision(next)?;
            self.spread(&nodes);
            return self.walk_again(&path, &nodes, 0);
        }
        let stronger = self.precision().with_converses();
        let next = match stronger {
            Some(next) if self.columns.predicates => Some(next),
            _ if heap => self.beyond_the_core(&question)?,
            _ => None,
        };
        match next {
            Some(next) => {
                self.add_precision(next)?;
                self.spread(&nodes);
                self.walk_again(&path, &nodes, 0)
            }
            None if self.columns.depth_first => {
                // In another order other paths come first, and ask for other things.
                self.columns.depth_first = false;
                self.restart(nodes[0])
            }
            None if self.columns.joins => {
                // A joined node has the path of one of its parts only; the others may need something else.
                self.columns.joins = false;
                self.restart(nodes[0])
            }
            None => {
                // What a limit cut short is not stuck.
                self.budget.poll().map_err(Halt::Stopped)?;
                Err(self.stuck(path, &nodes))
            }
        }
    }

    /// Where the steps of a core ask for nothing new about variables: what interpolants between them ask for, a
    /// few times. (Of the heap a core's steps name everything that interpolants could.)
    fn by_interpolants(
        &mut self,
        question: &path::Question<'_>,
        steps: &[usize],
    ) -> Result<Option<Precision>, Halt> {
        if self.columns.refiner != Refiner::Cores
            || !self.columns.predicates
            || self.rescues == options::LAZY_RESCUES.count()
        {
            return Ok(None);
        }
        self.rescues += 1;
        let Some(wish) = interpolants::wish(question, &self.flows, steps, false, &self.limits) else {
            return Ok(None);
        };
        let next = self.precision().refined(self.program, &self.components, &wish).ok_or_else(too_large)?;
        Ok((next != *self.precision()).then_some(next))
    }

    /// Where variables alone refute a path, but nothing known of them excludes it (each predicate is known or not; no
    /// relation among them is): the same steps, told by shape graphs.
    fn by_shapes(&self, path: &[EdgeId], steps: &[usize]) -> Result<Option<Precision>, Halt> {
        if !self.columns.shapes {
            return Ok(None);
        }
        let wish = Wish { atoms: Vec::new(), ..wish::wish(self.program, &self.flows, path, steps, true) };
        let next = self.precision().refined(self.program, &self.components, &wish).ok_or_else(too_large)?;
        Ok((next != *self.precision()).then_some(next))
    }

    /// Where the steps of a core ask for nothing new about the heap: the next level; with nothing tracked or after the
    /// last, what all steps ask for. (What a cell holds and whether it is allocated follows from steps that are no
    /// assertions, such as `free`, so a core may leave them out.)
    fn beyond_the_core(&self, question: &path::Question<'_>) -> Result<Option<Precision>, Halt> {
        // The last level makes many states: another order is tried before it.
        let is_early = |next: &Precision| next.class.level == Class::LAST_LEVEL && self.columns.depth_first;
        let raised = self.precision().raised(self.program).filter(|next| !is_early(next));
        if !self.precision().class.is_trivial() && raised.is_some() {
            return Ok(raised);
        }
        let all: Vec<usize> = (0..question.path.len()).collect();
        let wish =
            Wish { atoms: Vec::new(), ..wish::wish(self.program, &self.flows, question.path, &all, true) };
        let next = self.precision().refined(self.program, &self.components, &wish).ok_or_else(too_large)?;
        Ok(if next == *self.precision() { raised } else { Some(next) })
    }

    /// The precision that a refuted path asks for.
    fn wanted(&self, question: &path::Question<'_>, steps: &[usize], heap: bool) -> Result<Precision, Halt> {
        let refine = |mut wish: Wish| {
            if !self.columns.predicates {
                wish.atoms.clear();
            }
            self.precision().refined(self.program, &self.components, &wish).ok_or_else(too_large)
        };
        if self.columns.refiner == Refiner::Interpolants
            && let Some(wish) = interpolants::wish(question, &self.flows, steps, heap, &self.limits)
        {
            let next = refine(wish)?;
            if next != *self.precision() {
                return Ok(next);
            }
        }
        refine(wish::wish(self.program, &self.flows, question.path, steps, heap))
    }

    fn stopped_or(&mut self, reason: String) -> Halt {
        match self.budget.poll() {
            Err(stop) => Halt::Stopped(stop),
            Ok(()) => Halt::Unable(reason),
        }
    }

    fn stuck(&self, path: Vec<EdgeId>, nodes: &[usize]) -> Halt {
        let text = |&n: &usize| (self.tree.node(n).location, self.describe(self.tree.node(n)));
        Halt::Stuck(path, nodes.iter().map(text).collect())
    }

    fn add_precision(&mut self, next: Precision) -> Result<(), Halt> {
        self.report.refinements += 1;
        if self.report.refinements > options::LAZY_REFINEMENTS.get() {
            return Err(Halt::Unable(format!(
                "no end of refinements after {}",
                options::LAZY_REFINEMENTS.get()
            )));
        }
        let predicates = Predicates::new(self.program, &next.atoms, &self.limits)
            .map_err(|e| Halt::Unable(e.to_string()))?;
        let dead = |live: &Set<VarId>, atom: &Cond| {
            let mut dead = false;
            walk::cond(atom, &mut |e| dead |= matches!(e, Expr::Var(v) if !live.contains(v)));
            dead
        };
        let mask = |live: &Set<VarId>| {
            let bits = next.atoms.iter().enumerate().map(|(i, atom)| u128::from(dead(live, atom)) << i);
            bits.fold(0, |mask, bit| mask | bit)
        };
        self.dead.push(self.live.iter().map(mask).collect());
        self.precisions.push(next);
        self.predicates.push(predicates);
        Ok(())
    }
}

pub(super) fn too_large() -> Halt {
    Halt::Unable("more pointers, predicates or cells than a shape graph can hold".to_owned())
}
