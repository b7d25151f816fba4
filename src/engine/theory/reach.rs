//! Saturation of the reachability rules over congruence classes (LISBQ, Figure 13).
//!
//! Each link field that occurs in a reachability atom has a dense table of facts `R(a, b, c)` over its
//! *points*: classes that contain a term the field touches (an argument of one of its atoms or guards, an
//! application of it, or the argument of one). The compiled rules of [`crate::rules::matcher`] do the
//! matching; this file keeps their context: points, facts, successors, negated facts, the queue of news.
//!
//! Facts are stored over *nodes*, the tables over points. When two classes merge, the facts of the absorbed
//! point are entered again under the surviving one and count as news; the fact itself, with its
//! justification, stays what it was. Everything is on an undo log.
//!
//! Rules with alternatives are looked at in a sweep once nothing else is left: an alternative that a
//! known disequality or negated fact refutes leaves the other one as a conclusion; what is left open is
//! reported as a split.

use crate::engine::theory::egraph::{EGraph, NONE, Node, Reason};
use crate::logic::{FuncId, Op, Terms};
use crate::rules::matcher::{self, Context, Ground, Point};
use crate::rules::syntax::{Arg, Head, Pattern, Rule};
use crate::rules::table::{RuleId, table};
use crate::sat::Lit;
use crate::util::hash::Map;
use crate::util::limits::{Budget, Stop};
use std::collections::VecDeque;

/// What an entry concludes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conclusion {
    /// The fact `R(a, b, c)`.
    Fact([Node; 3]),
    /// Two nodes are equal; the graph holds the merge.
    Equal,
    /// All alternatives of a rule are refuted.
    Absurd,
}

/// Why an entry holds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Why {
    /// An asserted literal.
    Literal(Lit),
    /// A rule instance.
    Rule(RuleInstance),
}

/// A rule instance over nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleInstance {
    pub(crate) rule: RuleId,
    /// The concluded alternative.
    pub(crate) alternative: u8,
    /// Nodes of the rule's variables.
    pub(crate) binding: [Node; 4],
    /// The application `f(x)` that the rule speaks of, if it does.
    pub(crate) application: Node,
    /// Entries of the `Between` premises, in order.
    pub(crate) premises: [u32; 2],
    /// First and number of its [`Refuter`]s.
    pub(crate) refuters: (u32, u8),
}

/// A literal that refutes an alternative.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refuter {
    pub(crate) alternative: u8,
    pub(crate) literal: Lit,
    /// The nodes of the literal's atom, in the order of the alternative's arguments.
    pub(crate) nodes: [Node; 3],
}

/// A fact, derived equality or absurdity. Entries are numbered in the order of derivation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) field: u32,
    pub(crate) conclusion: Conclusion,
    pub(crate) why: Why,
}

/// A contradiction found while saturating.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Contradiction {
    /// This fact was asserted to be false: the literal and the nodes of its atom.
    Negated { entry: u32, literal: Lit, nodes: [Node; 3] },
    /// This absurdity.
    Absurd { entry: u32 },
}

/// An open case split: a rule instance none of whose alternatives is decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    pub(crate) field: u32,
    pub(crate) instance: RuleInstance,
    /// Whether one of the alternatives is an equality.
    pub(crate) has_equality: bool,
}

enum Undo {
    Point {
        field: u32,
        root: Node,
    },
    Fact {
        field: u32,
        at: [u16; 3],
    },
    Negated {
        field: u32,
        at: [u16; 3],
    },
    Successor {
        field: u32,
        point: Point,
    },
    /// The class of a point got another root.
    Moved {
        field: u32,
        point: Point,
        from: Node,
        to: Node,
    },
    /// A point died at this position of the live list.
    Died {
        field: u32,
        point: Point,
        position: u32,
        root: Node,
    },
    Activated {
        field: u32,
    },
}

struct Level {
    undo: usize,
    entries: usize,
    refuters: usize,
    negatives: usize,
}

/// Tables of one link field.
struct Field {
    func: FuncId,
    active: bool,
    /// Point of a class, indexed by root node.
    point_of: Vec<Point>,
    /// Root node of a point.
    root_of: Vec<Node>,
    live: Vec<Point>,
    /// Application node `f(x)` for a point of x.
    successors: Vec<Node>,
    /// Row length of the tables.
    capacity: usize,
    facts: Vec<u32>,
    /// Index into `negatives`, plus one.
    negated: Vec<u32>,
    news: VecDeque<News>,
    /// Something changed since the last sweep.
    swept: bool,
}

#[derive(Clone, Copy)]
enum News {
    Point(Point),
    Successor(Point),
    Fact([Point; 3]),
}

/// The reachability theory.
pub(crate) struct Reach {
    fields: Vec<Field>,
    field_of: Map<FuncId, u32>,
    rules: Vec<&'static Rule>,
    entries: Vec<Entry>,
    refuters: Vec<Refuter>,
    negatives: Vec<(Lit, [Node; 3])>,
    contradiction: Option<Contradiction>,
    undo: Vec<Undo>,
    levels: Vec<Level>,
    /// Splits left open by the last sweep that was asked to collect them.
    pub(crate) splits: Vec<Split>,
    pub(crate) n_facts: u64,
}

impl Reach {
    pub(crate) fn new() -> Reach {
        Reach {
            fields: Vec::new(),
            field_of: Map::default(),
            rules: table().theories().iter().flat_map(|t| &t.rules).collect(),
            entries: Vec::new(),
            refuters: Vec::new(),
            negatives: Vec::new(),
            contradiction: None,
            undo: Vec::new(),
            levels: Vec::new(),
            splits: Vec::new(),
            n_facts: 0,
        }
    }

    pub(crate) fn entry(&self, id: u32) -> &Entry {
        &self.entries[id as usize]
    }

    pub(crate) fn n_entries(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn rule(&self, id: RuleId) -> &'static Rule {
        self.rules[id.0 as usize]
    }

    pub(crate) fn refuters(&self, instance: &RuleInstance) -> &[Refuter] {
        let (first, n) = instance.refuters;
        &self.refuters[first as usize..first as usize + n as usize]
    }

    pub(crate) fn field_func(&self, field: u32) -> FuncId {
        self.fields[field as usize].func
    }

    /// The tables of a link field, if it is active.
    pub(crate) fn active_field(&self, func: FuncId) -> Option<u32> {
        let &field = self.field_of.get(&func)?;
        self.fields[field as usize].active.then_some(field)
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        let tables: usize =
            self.fields.iter().map(|f| (f.facts.capacity() + f.negated.capacity()) * 4 + 1024).sum();
        (tables + self.entries.capacity() * size_of::<Entry>() + self.undo.capacity() * size_of::<Undo>())
            as u64
    }

    // ---- levels

    pub(crate) fn push(&mut self) {
        self.levels.push(Level {
            undo: self.undo.len(),
            entries: self.entries.len(),
            refuters: self.refuters.len(),
            negatives: self.negatives.len(),
        });
    }

    pub(crate) fn pop(&mut self, n_levels: usize) {
        let keep = self.levels.len() - n_levels;
        if keep == self.levels.len() {
            return;
        }
        let level = self.levels.swap_remove(keep);
        self.levels.truncate(keep);
        while self.undo.len() > level.undo {
            let undo = self.undo.pop().expect("longer than the target");
            self.undo_one(undo);
        }
        self.entries.truncate(level.entries);
        self.refuters.truncate(level.refuters);
        self.negatives.truncate(level.negatives);
        self.splits.clear();
        self.contradiction = None;
        for field in &mut self.fields {
            field.news.clear();
            field.swept = false;
        }
    }

    fn undo_one(&mut self, undo: Undo) {
        match undo {
            Undo::Point { field, root } => {
                let f = &mut self.fields[field as usize];
                f.root_of.pop();
                f.successors.pop();
                f.live.pop();
                f.point_of[root as usize] = NONE;
            }
            Undo::Fact { field, at } => {
                let f = &mut self.fields[field as usize];
                let index = f.index(at.map(Point::from));
                f.facts[index] = NONE;
            }
            Undo::Negated { field, at } => {
                let f = &mut self.fields[field as usize];
                let index = f.index(at.map(Point::from));
                f.negated[index] = 0;
            }
            Undo::Successor { field, point } => {
                self.fields[field as usize].successors[point as usize] = NONE;
            }
            Undo::Moved { field, point, from, to } => {
                let f = &mut self.fields[field as usize];
                f.point_of[to as usize] = NONE;
                f.root_of[point as usize] = from;
            }
            Undo::Died { field, point, position, root } => {
                let f = &mut self.fields[field as usize];
                f.live.insert(position as usize, point);
                f.root_of[point as usize] = root;
            }
            Undo::Activated { field } => self.fields[field as usize].active = false,
        }
    }

    // ---- points, literals

    /// The tables of a link field; from now on its applications are points.
    pub(crate) fn activate(&mut self, terms: &Terms, egraph: &EGraph, func: FuncId) -> u32 {
        let n_fields = self.fields.len() as u32;
        let field = *self.field_of.entry(func).or_insert(n_fields);
        if field == n_fields {
            self.fields.push(Field::new(func));
        }
        if !self.fields[field as usize].active {
            self.fields[field as usize].active = true;
            self.undo.push(Undo::Activated { field });
            for node in 0..egraph.len() {
                if terms.op(egraph.term(node)) == Op::App(func) {
                    self.add_application(egraph, field, node);
                }
            }
        }
        field
    }

    /// A new node of the graph: an application of an active field makes points.
    pub(crate) fn add_node(&mut self, terms: &Terms, egraph: &EGraph, node: Node) {
        if let Op::App(func) = terms.op(egraph.term(node))
            && let Some(field) = self.active_field(func)
        {
            self.add_application(egraph, field, node);
        }
    }

    fn add_application(&mut self, egraph: &EGraph, field: u32, node: Node) {
        let from = self.touch(egraph, field, egraph.args(node)[0]);
        self.touch(egraph, field, node);
        self.set_successor(field, from, node);
    }

    fn set_successor(&mut self, field: u32, point: Point, application: Node) {
        let f = &mut self.fields[field as usize];
        if f.successors[point as usize] == NONE {
            f.successors[point as usize] = application;
            self.undo.push(Undo::Successor { field, point });
            f.news.push_back(News::Successor(point));
            f.swept = false;
        }
    }

    /// The point of a node's class, made if there is none.
    pub(crate) fn touch(&mut self, egraph: &EGraph, field: u32, node: Node) -> Point {
        let root = egraph.root(node);
        let f = &mut self.fields[field as usize];
        if f.point_of.len() <= root as usize {
            f.point_of.resize(egraph.len() as usize, NONE);
        }
        if f.point_of[root as usize] != NONE {
            return f.point_of[root as usize];
        }
        let point = f.root_of.len() as Point;
        f.point_of[root as usize] = point;
        f.root_of.push(root);
        f.successors.push(NONE);
        f.live.push(point);
        f.reserve(point as usize + 1);
        f.news.push_back(News::Point(point));
        f.swept = false;
        self.undo.push(Undo::Point { field, root });
        point
    }

    fn points(&mut self, egraph: &EGraph, field: u32, nodes: [Node; 3]) -> [Point; 3] {
        nodes.map(|n| self.touch(egraph, field, n))
    }

    /// Asserts `between(f, x, y, z)` or its negation.
    pub(crate) fn assert(
        &mut self,
        terms: &Terms,
        egraph: &EGraph,
        func: FuncId,
        nodes: [Node; 3],
        literal: Lit,
        positive: bool,
    ) {
        let field = self.activate(terms, egraph, func);
        let at = self.points(egraph, field, nodes);
        if positive {
            self.enter(field, at, nodes, Why::Literal(literal));
            return;
        }
        let f = &mut self.fields[field as usize];
        let index = f.index(at);
        f.swept = false;
        if f.facts[index] != NONE {
            let entry = f.facts[index];
            self.contradiction.get_or_insert(Contradiction::Negated { entry, literal, nodes });
        }
        if f.negated[index] == 0 {
            self.negatives.push((literal, nodes));
            f.negated[index] = self.negatives.len() as u32;
            self.undo.push(Undo::Negated { field, at: at.map(|p| p as u16) });
        }
    }

    /// Enters a new fact unless it is known.
    fn enter(&mut self, field: u32, at: [Point; 3], nodes: [Node; 3], why: Why) {
        let f = &mut self.fields[field as usize];
        let index = f.index(at);
        if f.facts[index] != NONE {
            return;
        }
        let entry = self.entries.len() as u32;
        self.entries.push(Entry { field, conclusion: Conclusion::Fact(nodes), why });
        self.n_facts += 1;
        self.place(field, at, entry);
    }

    /// Puts an entry into an empty place of the table.
    fn place(&mut self, field: u32, at: [Point; 3], entry: u32) {
        let f = &mut self.fields[field as usize];
        let index = f.index(at);
        f.facts[index] = entry;
        f.news.push_back(News::Fact(at));
        f.swept = false;
        self.undo.push(Undo::Fact { field, at: at.map(|p| p as u16) });
        if f.negated[index] != 0 {
            let (literal, nodes) = self.negatives[f.negated[index] as usize - 1];
            self.contradiction.get_or_insert(Contradiction::Negated { entry, literal, nodes });
        }
    }

    /// The fact `R(x, y, z)` if it is known, else nothing. Nodes that the field does not touch have none.
    pub(crate) fn fact(&self, egraph: &EGraph, field: u32, nodes: [Node; 3]) -> Option<u32> {
        let f = &self.fields[field as usize];
        let mut at = [0; 3];
        for (place, node) in at.iter_mut().zip(nodes) {
            *place = f.point(egraph.root(node))?;
        }
        let entry = f.facts[f.index(at)];
        (entry != NONE).then_some(entry)
    }

    /// The literal that negates `R(x, y, z)`, with the nodes of its atom.
    pub(crate) fn negation(&self, egraph: &EGraph, field: u32, nodes: [Node; 3]) -> Option<(Lit, [Node; 3])> {
        let f = &self.fields[field as usize];
        let mut at = [0; 3];
        for (place, node) in at.iter_mut().zip(nodes) {
            *place = f.point(egraph.root(node))?;
        }
        let negated = f.negated[f.index(at)];
        (negated != 0).then(|| self.negatives[negated as usize - 1])
    }

    /// Root nodes of all points of a field.
    pub(crate) fn point_roots(&self, field: u32) -> impl Iterator<Item = Node> + '_ {
        let f = &self.fields[field as usize];
        f.live.iter().map(|&p| f.root_of[p as usize])
    }

    // ---- saturation

    /// Follows the merges of the graph: absorbed points hand over their facts.
    pub(crate) fn follow_merges(&mut self, egraph: &EGraph, merges: &[(Node, Node)]) {
        for &(loser, winner) in merges {
            for field in 0..self.fields.len() as u32 {
                self.follow_merge(egraph, field, loser, winner);
            }
        }
    }

    fn follow_merge(&mut self, egraph: &EGraph, field: u32, loser: Node, winner: Node) {
        let f = &mut self.fields[field as usize];
        // A class that brings no point may bring a disequality that decides an alternative.
        f.swept = false;
        let Some(old) = f.point(loser) else { return };
        let Some(new) = f.point(winner) else {
            if f.point_of.len() <= winner as usize {
                f.point_of.resize(egraph.len() as usize, NONE);
            }
            f.point_of[winner as usize] = old;
            f.root_of[old as usize] = winner;
            self.undo.push(Undo::Moved { field, point: old, from: loser, to: winner });
            return;
        };
        let position = f.live.iter().position(|&p| p == old).expect("a point of a root is alive");
        self.undo.push(Undo::Died { field, point: old, position: position as u32, root: loser });
        f.live.remove(position);
        let live = f.live.clone();
        for (k, &x) in live.iter().chain([&old]).enumerate() {
            for &y in live.iter().chain([&old]) {
                self.hand_over(field, [old, x, y], old, new);
                if k < live.len() {
                    self.hand_over(field, [x, old, y], old, new);
                    if y != old {
                        self.hand_over(field, [x, y, old], old, new);
                    }
                }
            }
        }
        let successor = self.fields[field as usize].successors[old as usize];
        if successor != NONE {
            self.set_successor(field, new, successor);
        }
        // Successors that lie in the merged class read differently now.
        let f = &mut self.fields[field as usize];
        for &point in &live {
            let application = f.successors[point as usize];
            if application != NONE && (point == new || f.point(egraph.root(application)) == Some(new)) {
                f.news.push_back(News::Successor(point));
            }
        }
    }

    fn hand_over(&mut self, field: u32, at: [Point; 3], old: Point, new: Point) {
        let f = &self.fields[field as usize];
        let index = f.index(at);
        let to = at.map(|p| if p == old { new } else { p });
        let target = f.index(to);
        let (fact, negated) = (f.facts[index], f.negated[index]);
        if fact != NONE && f.facts[target] == NONE {
            self.place(field, to, fact);
        }
        if negated != 0 {
            let (literal, nodes) = self.negatives[negated as usize - 1];
            let f = &mut self.fields[field as usize];
            if f.negated[target] == 0 {
                f.negated[target] = negated;
                self.undo.push(Undo::Negated { field, at: to.map(|p| p as u16) });
            }
            let entry = self.fields[field as usize].facts[target];
            if entry != NONE {
                self.contradiction.get_or_insert(Contradiction::Negated { entry, literal, nodes });
            }
        }
    }

    /// Applies the rules to everything new. Equalities are queued in the graph; the caller closes it,
    /// follows the merges and calls again until nothing changes.
    pub(crate) fn run(
        &mut self,
        egraph: &mut EGraph,
        budget: &mut Budget,
    ) -> Result<Option<Contradiction>, Stop> {
        for field in 0..self.fields.len() as u32 {
            while let Some(news) = self.fields[field as usize].news.pop_front() {
                if self.contradiction.is_some() {
                    break;
                }
                budget.spend(1)?;
                self.fields[field as usize].swept = false;
                let mut view = View { reach: self, egraph, field, collect: false };
                // News of a point that was absorbed in the meantime came again under the other point.
                match news {
                    News::Point(p) if view.is_live(p) => matcher::on_point(&mut view, p),
                    News::Fact([a, b, c]) if [a, b, c].iter().all(|&p| view.is_live(p)) => {
                        matcher::on_fact(&mut view, a, b, c);
                    }
                    News::Point(_) | News::Fact(_) => {}
                    News::Successor(p) => {
                        if view.is_live(p)
                            && let Some(to) = view.successor(p)
                        {
                            matcher::on_successor(&mut view, p, to);
                        }
                    }
                }
            }
        }
        Ok(self.contradiction)
    }

    /// Looks at the rules with alternatives. Returns whether something new was concluded; with `collect`
    /// the open splits are in `self.splits` afterwards.
    pub(crate) fn sweep(
        &mut self,
        egraph: &mut EGraph,
        collect: bool,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        self.splits.clear();
        let mut changed = false;
        for field in 0..self.fields.len() as u32 {
            if self.fields[field as usize].swept && !collect {
                continue;
            }
            self.fields[field as usize].swept = true;
            let n = self.fields[field as usize].live.len() as u64;
            budget.spend(n * n / 4 + 1)?;
            let before = self.entries.len();
            let mut view = View { reach: self, egraph, field, collect };
            matcher::sweep(&mut view);
            changed |= self.entries.len() > before;
        }
        Ok(changed)
    }

    pub(crate) fn contradiction(&self) -> Option<Contradiction> {
        self.contradiction
    }

    /// A new disequality may decide an alternative anywhere.
    pub(crate) fn expect_sweep(&mut self) {
        for field in &mut self.fields {
            field.swept = false;
        }
    }
}

impl Field {
    fn new(func: FuncId) -> Field {
        Field {
            func,
            active: false,
            point_of: Vec::new(),
            root_of: Vec::new(),
            live: Vec::new(),
            successors: Vec::new(),
            capacity: 0,
            facts: Vec::new(),
            negated: Vec::new(),
            news: VecDeque::new(),
            swept: false,
        }
    }

    #[inline]
    fn index(&self, [a, b, c]: [Point; 3]) -> usize {
        (a as usize * self.capacity + b as usize) * self.capacity + c as usize
    }

    fn point(&self, root: Node) -> Option<Point> {
        match self.point_of.get(root as usize) {
            Some(&point) if point != NONE => Some(point),
            _ => None,
        }
    }

    /// Makes room for `n` points; the tables are laid out anew when they grow.
    fn reserve(&mut self, n: usize) {
        if n <= self.capacity {
            return;
        }
        let (old, new) = (self.capacity, n + n / 4 + 7);
        let mut facts = vec![NONE; new * new * new];
        let mut negated = vec![0; new * new * new];
        for a in 0..old {
            for b in 0..old {
                let (from, to) = ((a * old + b) * old, (a * new + b) * new);
                facts[to..to + old].copy_from_slice(&self.facts[from..from + old]);
                negated[to..to + old].copy_from_slice(&self.negated[from..from + old]);
            }
        }
        (self.capacity, self.facts, self.negated) = (new, facts, negated);
    }
}

/// What the compiled rules see of one field.
struct View<'a> {
    reach: &'a mut Reach,
    egraph: &'a mut EGraph,
    field: u32,
    collect: bool,
}

impl View<'_> {
    fn tables(&self) -> &Field {
        &self.reach.fields[self.field as usize]
    }

    fn is_live(&self, point: Point) -> bool {
        let root = self.tables().root_of[point as usize];
        self.egraph.root(root) == root
    }

    /// The rule instance over nodes: premises looked up, variables bound to nodes of the premises.
    fn instance(&self, rule: RuleId, points: &[Point]) -> RuleInstance {
        let f = self.tables();
        let mut instance = RuleInstance {
            rule,
            alternative: 0,
            binding: [NONE; 4],
            application: NONE,
            premises: [NONE; 2],
            refuters: (0, 0),
        };
        let mut n_premises = 0;
        let point_of = |arg: Arg| self.point_of(arg, points);
        for premise in &self.reach.rule(rule).premises {
            match *premise {
                Pattern::Between(p, q, r) => {
                    let entry = f.facts[f.index([point_of(p), point_of(q), point_of(r)])];
                    debug_assert_ne!(entry, NONE, "a matched premise is in the table");
                    instance.premises[n_premises] = entry;
                    n_premises += 1;
                    let Conclusion::Fact(nodes) = self.reach.entry(entry).conclusion else {
                        unreachable!("the table holds facts")
                    };
                    for (arg, node) in [p, q, r].into_iter().zip(nodes) {
                        if let Arg::Var(x) = arg {
                            let slot = &mut instance.binding[x as usize];
                            if *slot == NONE {
                                *slot = node;
                            }
                        }
                    }
                }
                Pattern::Term(x) | Pattern::Equal(Arg::App(x), _) | Pattern::Equal(_, Arg::App(x)) => {
                    instance.application = f.successors[points[x as usize] as usize];
                }
                Pattern::Occurs(_) | Pattern::Equal(..) => {}
            }
        }
        for (i, &point) in points.iter().enumerate() {
            if instance.binding[i] == NONE {
                instance.binding[i] = match instance.application {
                    NONE => f.root_of[point as usize],
                    application => {
                        let arg = self.egraph.args(application)[0];
                        if self.egraph.root(arg) == f.root_of[point as usize] {
                            arg
                        } else {
                            f.root_of[point as usize]
                        }
                    }
                };
            }
        }
        instance
    }

    fn point_of(&self, arg: Arg, points: &[Point]) -> Point {
        match arg {
            Arg::Var(x) => points[x as usize],
            Arg::App(x) => self.successor(points[x as usize]).expect("the rule matched the application"),
            Arg::Null => unreachable!("LISBQ rules do not speak of null"),
        }
    }

    fn apply(&mut self, instance: RuleInstance, points: &[Point], head: Head) {
        let why = Why::Rule(instance);
        match head {
            Head::Between(p, q, r) => {
                let at = [p, q, r].map(|arg| self.point_of(arg, points));
                let nodes = [p, q, r].map(|arg| instance.node(arg));
                self.reach.enter(self.field, at, nodes, why);
            }
            Head::Equal(p, q) => {
                let (left, right) = (instance.node(p), instance.node(q));
                if !self.egraph.equal(left, right) {
                    let entry = self.reach.entries.len() as u32;
                    self.reach.entries.push(Entry { field: self.field, conclusion: Conclusion::Equal, why });
                    self.egraph.merge(left, right, Reason::Entry(entry));
                }
            }
        }
    }

    /// What refutes an alternative, if anything does. An alternative is refuted by any of its heads.
    fn refute(&self, alternative: usize, heads: &[Head], points: &[Point]) -> Option<Refuter> {
        let f = self.tables();
        heads.iter().find_map(|head| match *head {
            Head::Equal(p, q) => {
                let [left, right] = [p, q].map(|arg| f.root_of[self.point_of(arg, points) as usize]);
                let found = self.egraph.separation(left, right)?;
                let nodes = [found.here, found.there, NONE];
                Some(Refuter { alternative: alternative as u8, literal: found.literal, nodes })
            }
            Head::Between(p, q, r) => {
                let at = [p, q, r].map(|arg| self.point_of(arg, points));
                let negated = f.negated[f.index(at)];
                let (literal, nodes) = *self.reach.negatives.get((negated as usize).wrapping_sub(1))?;
                Some(Refuter { alternative: alternative as u8, literal, nodes })
            }
        })
    }
}

impl RuleInstance {
    /// The node that stands for an argument of the rule.
    pub(crate) fn node(&self, arg: Arg) -> Node {
        match arg {
            Arg::Var(x) => self.binding[x as usize],
            Arg::App(_) => self.application,
            Arg::Null => unreachable!("LISBQ rules do not speak of null"),
        }
    }
}

impl Context for View<'_> {
    fn point_count(&self) -> usize {
        self.tables().live.len()
    }

    #[inline]
    fn point(&self, position: usize) -> Point {
        self.tables().live[position]
    }

    #[inline]
    fn between(&self, a: Point, b: Point, c: Point) -> bool {
        let f = self.tables();
        f.facts[f.index([a, b, c])] != NONE
    }

    #[inline]
    fn successor(&self, a: Point) -> Option<Point> {
        let f = self.tables();
        match f.successors[a as usize] {
            NONE => None,
            application => f.point(self.egraph.root(application)),
        }
    }

    fn conclude(&mut self, rule: RuleId, binding: &[Point], head: Ground) {
        let pattern = self.reach.rule(rule).alternatives[0].iter().find(|h| match (**h, head) {
            (Head::Between(p, q, r), Ground::Between(a, b, c)) => {
                [p, q, r].map(|arg| self.point_of(arg, binding)) == [a, b, c]
            }
            (Head::Equal(p, q), Ground::Equal(a, b)) => {
                [p, q].map(|arg| self.point_of(arg, binding)) == [a, b]
            }
            _ => false,
        });
        let &pattern = pattern.expect("a conclusion is a head of its rule");
        let instance = self.instance(rule, binding);
        self.apply(instance, binding, pattern);
    }

    fn alternatives(&mut self, rule: RuleId, binding: &[Point]) {
        if self.reach.contradiction.is_some() {
            return;
        }
        let alternatives = &self.reach.rule(rule).alternatives;
        let first = self.reach.refuters.len();
        let mut open = None;
        let mut n_open = 0;
        for (i, heads) in alternatives.iter().enumerate() {
            match self.refute(i, heads, binding) {
                Some(refuter) => self.reach.refuters.push(refuter),
                None => {
                    open = Some(i);
                    n_open += 1;
                }
            }
        }
        if n_open > 1 {
            self.reach.refuters.truncate(first);
            if self.collect {
                let has_equality = alternatives.iter().flatten().any(|h| matches!(h, Head::Equal(..)));
                let split = Split { field: self.field, instance: self.instance(rule, binding), has_equality };
                self.reach.splits.push(split);
            }
            return;
        }
        let mut instance = self.instance(rule, binding);
        instance.refuters = (first as u32, (self.reach.refuters.len() - first) as u8);
        match open {
            Some(i) => {
                instance.alternative = i as u8;
                for &head in &alternatives[i] {
                    self.apply(instance, binding, head);
                }
            }
            None => {
                let entry = self.reach.entries.len() as u32;
                let why = Why::Rule(instance);
                self.reach.entries.push(Entry { field: self.field, conclusion: Conclusion::Absurd, why });
                self.reach.contradiction = Some(Contradiction::Absurd { entry });
            }
        }
    }
}
