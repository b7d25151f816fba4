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
//! Rules with alternatives are looked at once nothing else is left: an alternative that a known disequality
//! or negated fact refutes leaves the other one as a conclusion. Only what is *due* is looked at (`due`);
//! a sweep over everything comes last and reports what is left open as splits.

mod due;
mod entry;
mod field;
mod levels;
mod merge;
mod rows;
mod view;

use crate::engine::theory::egraph::{EGraph, NONE, Node};
use crate::logic::{FuncId, Op, Terms};
use crate::rules::matcher::{self, Context, Point, Row};
use crate::rules::syntax::Rule;
use crate::rules::table::{RuleId, table};
use crate::sat::Lit;
use crate::util::limits::{Budget, Stop};
use due::Due;
pub(crate) use entry::{Conclusion, Contradiction, Entry, Known, Refuter, RuleInstance, Split, Why};
use field::{Field, News};
use view::View;

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
    /// How much was due, and how much of that had been looked at.
    due: (usize, usize),
    /// Where the stamps of the fields begin in `stamps`, and how many fields there were.
    stamps: (usize, usize),
}

/// The reachability theory.
pub(crate) struct Reach {
    fields: Vec<Field>,
    /// By symbol, its field, plus one.
    field_of: Vec<u32>,
    rules: Vec<&'static Rule>,
    entries: Vec<Entry>,
    refuters: Vec<Refuter>,
    negatives: Vec<(Lit, [Node; 3])>,
    contradiction: Option<Contradiction>,
    undo: Vec<Undo>,
    levels: Vec<Level>,
    /// What may open or decide alternatives of rules; the first `swept` were looked at.
    due: Vec<Due>,
    swept: usize,
    /// Counts changes of points and facts; never goes back.
    clock: u64,
    /// The stamps that fields had when levels were opened.
    stamps: Vec<u64>,
    /// Splits left open by the last sweep that was asked to collect them.
    pub(crate) splits: Vec<Split>,
    pub(crate) n_facts: u64,
    /// Bytes that may be held.
    ceiling: u64,
    /// The tables could not grow.
    overrun: bool,
}

/// Bytes beyond which tables do not grow even without a limit: better no answer than no process.
const LARGEST: u64 = 16 << 30;

impl Reach {
    pub(crate) fn new() -> Reach {
        Reach {
            fields: Vec::new(),
            field_of: Vec::new(),
            rules: table().theories().iter().flat_map(|t| &t.rules).collect(),
            entries: Vec::new(),
            refuters: Vec::new(),
            negatives: Vec::new(),
            contradiction: None,
            undo: Vec::new(),
            levels: Vec::new(),
            due: Vec::new(),
            swept: 0,
            clock: 0,
            stamps: Vec::new(),
            splits: Vec::new(),
            n_facts: 0,
            ceiling: LARGEST,
            overrun: false,
        }
    }

    /// Sets how many bytes may be added to what is held now.
    pub(crate) fn set_room(&mut self, bytes: u64) {
        self.ceiling = self.memory_bytes().saturating_add(bytes).min(LARGEST);
    }

    /// Whether the tables should have grown beyond what is allowed. They have not, and nothing may be asked
    /// until all levels are gone.
    pub(crate) fn is_overrun(&self) -> bool {
        self.overrun
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
        let field = self.field_of.get(func.index())?.checked_sub(1)?;
        self.fields[field as usize].active.then_some(field)
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        let tables: u64 = self.fields.iter().map(Field::memory_bytes).sum();
        let entries = self.entries.len() * size_of::<Entry>() + self.undo.len() * size_of::<Undo>();
        let due = self.due.len() * size_of::<Due>();
        tables + (entries + due) as u64 + self.refuters.len() as u64 * size_of::<Refuter>() as u64
    }

    // ---- points, literals

    /// The tables of a link field; from now on its applications are points.
    pub(crate) fn activate(&mut self, terms: &Terms, egraph: &EGraph, func: FuncId) -> u32 {
        if self.field_of.len() <= func.index() {
            self.field_of.resize(func.index() + 1, 0);
        }
        if self.field_of[func.index()] == 0 {
            self.fields.push(Field::new(func));
            self.field_of[func.index()] = self.fields.len() as u32;
        }
        let field = self.field_of[func.index()] - 1;
        if !self.fields[field as usize].active {
            self.fields[field as usize].active = true;
            self.undo.push(Undo::Activated { field });
            let is_application = |&node: &Node| terms.op(egraph.term(node)) == Op::App(func);
            let applications: Vec<Node> = (0..egraph.len()).filter(is_application).collect();
            // One layout for all of them, unless that is refused later.
            let f = &self.fields[field as usize];
            let n = f.n_points_with(egraph, &applications);
            if self.memory_bytes().saturating_add(f.growth(n).unwrap_or(0)) <= self.ceiling {
                self.fields[field as usize].reserve(n);
            }
            for node in applications {
                self.add_application(egraph, field, node);
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
            self.due.push(Due::Successor { field, point });
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
        if let Some(bytes) = f.growth(point as usize + 1) {
            // The old tables live until the new ones are filled.
            let held = self.memory_bytes();
            self.overrun |= held.saturating_add(bytes) > self.ceiling;
        }
        let f = &mut self.fields[field as usize];
        f.point_of[root as usize] = point;
        f.root_of.push(root);
        f.successors.push(NONE);
        f.live.push(point);
        if !self.overrun {
            f.reserve(point as usize + 1);
            f.rows.set_live(point, true);
        }
        f.news.push_back(News::Point(point));
        self.due.push(Due::Point { field, point });
        self.undo.push(Undo::Point { field, root });
        self.note_change(field);
        point
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
        let at = nodes.map(|node| self.touch(egraph, field, node));
        if self.overrun {
            return;
        }
        if positive {
            self.enter(field, at, nodes, Why::Literal(literal));
            return;
        }
        let f = &mut self.fields[field as usize];
        let index = f.index(at);
        if f.fact(index) != NONE {
            let entry = f.fact(index);
            self.contradiction.get_or_insert(Contradiction::Negated { entry, literal, nodes });
        }
        if f.negated[index] == 0 {
            self.negatives.push((literal, nodes));
            f.negated[index] = self.negatives.len() as u32;
            self.due.push(Due::Denied { field, at });
            self.undo.push(Undo::Negated { field, at: at.map(|p| p as u16) });
        }
    }

    /// Enters a new fact unless it is known.
    fn enter(&mut self, field: u32, at: [Point; 3], nodes: [Node; 3], why: Why) {
        let f = &mut self.fields[field as usize];
        let index = f.index(at);
        if f.fact(index) != NONE {
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
        f.set_fact(at, entry);
        f.news.push_back(News::Fact(at));
        if matcher::may_split(at[0], at[1], at[2]) {
            self.due.push(Due::Fact { field, at });
        }
        self.undo.push(Undo::Fact { field, at: at.map(|p| p as u16) });
        self.clock += 1;
        f.stamp = self.clock;
        if f.negated[index] != 0 {
            let (literal, nodes) = self.negatives[f.negated[index] as usize - 1];
            self.contradiction.get_or_insert(Contradiction::Negated { entry, literal, nodes });
        }
    }

    /// The fact `R(x, y, z)` if it is known, else nothing.
    pub(crate) fn fact(&self, egraph: &EGraph, field: u32, nodes: [Node; 3]) -> Option<u32> {
        let entry = self.fields[field as usize].fact(self.place_of(egraph, field, nodes)?);
        (entry != NONE).then_some(entry)
    }

    /// What is known of `R(x, y, z)`, if anything is.
    pub(crate) fn known(&self, egraph: &EGraph, field: u32, nodes: [Node; 3]) -> Option<Known> {
        let f = &self.fields[field as usize];
        let place = self.place_of(egraph, field, nodes)?;
        match (f.fact(place), f.negated[place]) {
            (NONE, 0) => None,
            (NONE, negated) => {
                let (literal, nodes) = self.negatives[negated as usize - 1];
                Some(Known::Denied { literal, nodes })
            }
            (entry, _) => Some(Known::Fact(entry)),
        }
    }

    /// The place of a fact in the tables. Nodes that the field does not touch have none.
    fn place_of(&self, egraph: &EGraph, field: u32, [a, b, c]: [Node; 3]) -> Option<usize> {
        let f = &self.fields[field as usize];
        let point = |node: Node| f.point(egraph.root(node));
        Some(f.index([point(a)?, point(b)?, point(c)?]))
    }

    /// Root nodes of the points that, put into the open places, make a known fact.
    pub(crate) fn completions(
        &self,
        egraph: &EGraph,
        field: u32,
        places: [Option<Node>; 3],
    ) -> impl Iterator<Item = Node> + use<'_> {
        let f = &self.fields[field as usize];
        let points = places.map(|place| place.map(|node| f.point(egraph.root(node))));
        // A node that the field does not touch is in no fact.
        let live: &[Point] = if points.contains(&Some(None)) { &[] } else { &f.live };
        let holds =
            move |&point: &Point| f.fact(f.index(points.map(|p| p.flatten().unwrap_or(point)))) != NONE;
        live.iter().copied().filter(holds).map(|point| f.root_of[point as usize])
    }

    /// The root node of the point that comes first of all that a node reaches, itself excepted. Where everything
    /// reached is ordered, there is one unless nothing is reached.
    pub(crate) fn least_reached(&self, egraph: &EGraph, field: u32, node: Node) -> Option<Node> {
        let f = &self.fields[field as usize];
        let from = f.point(egraph.root(node))?;
        let holds = |y: Point, z: Point| f.fact(f.index([from, y, z])) != NONE;
        let all = || f.rows.points(Row::Reached(from)).filter(|&point| point != from);
        let least = all().reduce(|least, p| if holds(p, least) { p } else { least })?;
        all().all(|p| holds(least, p)).then(|| f.root_of[least as usize])
    }

    /// Root nodes of all points of a field.
    pub(crate) fn point_roots(&self, field: u32) -> impl Iterator<Item = Node> + '_ {
        let f = &self.fields[field as usize];
        f.live.iter().map(|&p| f.root_of[p as usize])
    }

    // ---- saturation

    /// Applies the rules to everything new. Equalities are queued in the graph; the caller closes it,
    /// follows the merges and calls again until nothing changes.
    pub(crate) fn run(
        &mut self,
        egraph: &mut EGraph,
        budget: &mut Budget,
    ) -> Result<Option<Contradiction>, Stop> {
        let watched = budget.watches_memory();
        for field in 0..self.fields.len() as u32 {
            while let Some(news) = self.fields[field as usize].news.pop_front() {
                if self.contradiction.is_some() {
                    break;
                }
                // A fact is joined with every point, and large tables miss the cache.
                budget.spend(1 + self.fields[field as usize].live.len() as u64 / 32)?;
                if watched && self.memory_bytes() > self.ceiling {
                    return Err(budget.refuse_memory());
                }
                let mut view = View { reach: self, egraph, field, collect: false, watch: None };
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

    /// What one more point may cost, in steps: its share of laying the tables out anew.
    pub(crate) fn point_cost(&self) -> u64 {
        self.fields.iter().map(|f| (f.capacity * f.capacity / 64) as u64).sum()
    }
}
