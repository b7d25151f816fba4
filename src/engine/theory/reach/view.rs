//! What the compiled rules see of one field, and what becomes of their conclusions.

use super::field::Field;
use super::{Conclusion, Contradiction, Entry, Reach, Refuter, RuleInstance, Split, Why};
use crate::engine::theory::egraph::{EGraph, NONE, Node, Reason};
use crate::rules::matcher::{Context, Ground, Point, Row};
use crate::rules::syntax::{Arg, Head, Pattern};
use crate::rules::table::RuleId;
use crate::util::limits::Budget;
use std::cell::RefCell;

/// What the compiled rules see of one field.
pub(super) struct View<'a> {
    pub(super) reach: &'a mut Reach,
    pub(super) egraph: &'a mut EGraph,
    pub(super) field: u32,
    /// Whether open splits are collected.
    pub(super) collect: bool,
    /// Ends loops over points early; without one they run to their end.
    pub(super) watch: Option<RefCell<Budget>>,
}

impl View<'_> {
    #[inline]
    fn tables(&self) -> &Field {
        &self.reach.fields[self.field as usize]
    }

    pub(super) fn is_live(&self, point: Point) -> bool {
        let root = self.tables().root_of[point as usize];
        self.egraph.root(root) == root
    }

    /// The point of a node's class, if it has one.
    pub(super) fn point_at(&self, node: Node) -> Option<Point> {
        self.tables().point(self.egraph.root(node))
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
                    let entry = f.fact(f.index([point_of(p), point_of(q), point_of(r)]));
                    debug_assert_ne!(entry, NONE, "a matched premise is in the table");
                    instance.premises[n_premises] = entry;
                    n_premises += 1;
                    let Conclusion::Fact(nodes) = self.reach.entry(entry).conclusion else {
                        unreachable!("the table holds facts")
                    };
                    let mut bind = |arg: Arg, node: Node| {
                        if let Arg::Var(x) = arg {
                            let slot = &mut instance.binding[x as usize];
                            if *slot == NONE {
                                *slot = node;
                            }
                        }
                    };
                    bind(p, nodes[0]);
                    bind(q, nodes[1]);
                    bind(r, nodes[2]);
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

    #[inline(always)]
    fn point_of(&self, arg: Arg, points: &[Point]) -> Point {
        match arg {
            Arg::Var(x) => points[x as usize],
            Arg::App(x) => self.successor(points[x as usize]).expect("the rule matched the application"),
            Arg::Null => unreachable!("LISBQ rules do not speak of null"),
        }
    }

    /// A head of a rule, over points.
    fn ground(&self, head: Head, points: &[Point]) -> Ground {
        let point = |arg: Arg| self.point_of(arg, points);
        match head {
            Head::Between(p, q, r) => Ground::Between(point(p), point(q), point(r)),
            Head::Equal(p, q) => Ground::Equal(point(p), point(q)),
        }
    }

    /// Enters a head of a rule, given over points as well.
    fn apply(&mut self, instance: RuleInstance, head: Head, ground: Ground) {
        let why = Why::Rule(instance);
        match (head, ground) {
            (Head::Between(p, q, r), Ground::Between(a, b, c)) => {
                let nodes = [instance.node(p), instance.node(q), instance.node(r)];
                self.reach.enter(self.field, [a, b, c], nodes, why);
            }
            (Head::Equal(p, q), _) => {
                let (left, right) = (instance.node(p), instance.node(q));
                if !self.egraph.equal(left, right) {
                    let entry = self.reach.entries.len() as u32;
                    self.reach.entries.push(Entry { field: self.field, conclusion: Conclusion::Equal, why });
                    self.egraph.merge(left, right, Reason::Entry(entry));
                }
            }
            (Head::Between(..), Ground::Equal(..)) => unreachable!("a fact over points is a fact"),
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
                let at = [self.point_of(p, points), self.point_of(q, points), self.point_of(r, points)];
                let negated = f.negated[f.index(at)];
                let (literal, nodes) = *self.reach.negatives.get((negated as usize).wrapping_sub(1))?;
                Some(Refuter { alternative: alternative as u8, literal, nodes })
            }
        })
    }
}

impl Context for View<'_> {
    /// Every loop of the rules asks for this first, so a sweep ends soon once it says that there is nothing.
    fn point_count(&self) -> usize {
        let n = self.tables().live.len();
        match &self.watch {
            Some(watch) if watch.borrow_mut().spend(n as u64 / 8 + 1).is_err() => 0,
            _ => n,
        }
    }

    #[inline]
    fn point(&self, position: usize) -> Point {
        self.tables().live[position]
    }

    fn word_count(&self) -> usize {
        let n = self.tables().rows.word_count();
        match &self.watch {
            Some(watch) if watch.borrow_mut().spend(n as u64).is_err() => 0,
            _ => n,
        }
    }

    #[inline(always)]
    fn word(&self, row: Row, word: usize) -> u64 {
        self.tables().rows.word(row, word)
    }

    #[inline]
    fn between(&self, a: Point, b: Point, c: Point) -> bool {
        let f = self.tables();
        f.fact(f.index([a, b, c])) != NONE
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
        let pattern = match self.reach.rule(rule).alternatives[0][..] {
            [only] => only,
            ref heads => {
                let pattern = heads.iter().find(|h| self.ground(**h, binding) == head);
                *pattern.expect("a conclusion is a head of its rule")
            }
        };
        let instance = self.instance(rule, binding);
        self.apply(instance, pattern, head);
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
                    let ground = self.ground(head, binding);
                    self.apply(instance, head, ground);
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
