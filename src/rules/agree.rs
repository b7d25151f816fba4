//! Does the compiler say what the rules say? Matchers against the interpreter on random contexts.
//!
//! The driver is the simplest caller the contract of `matcher` allows: a queue of news, everything
//! announced anew after a merge. It checks every conclusion to be an instance of its rule; the closure
//! and the open splits must be those of the interpreter. Rules that were not compiled into this program
//! are judged by running their plans, which is all that the code generator prints.

use super::interpret::NaiveContext;
use super::matcher::{self, Context, Ground, Point};
use super::plan::{Conclusion, NULL, Plan, Register, Step, Trigger, plans};
use super::syntax::{Arg, Head, Heaps, Pattern, Rule, Span, Theory};
use super::table::{RuleId, table};
use crate::rules::heaps::Heap;
use crate::util::rng::Rng;

/// Contexts that the gate tries.
pub const ROUNDS: usize = 300;

/// Matchers get the points of a context with this distance between them, so that rows have several words.
const DISTANCE: Point = 40;

#[derive(Clone, Copy)]
enum News {
    Point(Point),
    Fact(Point, Point, Point),
    Successor(Point, Point),
}

/// Calls the compiled function that looks for splits around something.
macro_rules! compiled_splits {
    ($module:ident, $driver:expr, $trigger:expr, $parts:expr) => {
        match ($trigger, $parts) {
            (Trigger::SplitPoint, &[a]) => matcher::$module::split_on_point($driver, a),
            (Trigger::SplitSuccessor, &[a, b]) => matcher::$module::split_on_successor($driver, a, b),
            (Trigger::Apart, &[a, b]) => matcher::$module::split_on_apart($driver, a, b),
            (Trigger::SplitFact, &[a, b, c]) => {
                if matcher::$module::may_split(a, b, c) {
                    matcher::$module::split_on_fact($driver, a, b, c);
                }
            }
            (Trigger::Denied, &[a, b, c]) => matcher::$module::split_on_denied($driver, a, b, c),
            _ => unreachable!("only splits are asked for"),
        }
    };
}

/// Who finds the matches.
enum Finder {
    Lisbq,
    Acyclic,
    Plans(Vec<Plan>),
}

struct Driver<'a> {
    theory: &'a Theory,
    first: u16,
    context: NaiveContext,
    /// The points as matchers see them.
    points: Vec<Point>,
    queue: Vec<News>,
    merges: Vec<(Point, Point)>,
    splits: Vec<(usize, Vec<Point>)>,
    wrong: Option<String>,
}

impl Context for Driver<'_> {
    fn point_count(&self) -> usize {
        self.points.len()
    }

    fn point(&self, position: usize) -> Point {
        self.points[position]
    }

    fn between(&self, a: Point, b: Point, c: Point) -> bool {
        self.context.between(own(a), own(b), own(c))
    }

    fn successor(&self, a: Point) -> Option<Point> {
        self.context.successor(own(a)).map(shown)
    }

    fn null(&self) -> Option<Point> {
        self.context.null().map(shown)
    }

    fn conclude(&mut self, rule: RuleId, binding: &[Point], head: Ground) {
        let rule = &self.theory.rules[(rule.0 - self.first) as usize];
        let binding: Vec<Point> = binding.iter().copied().map(own).collect();
        let head = match head {
            Ground::Between(a, b, c) => Ground::Between(own(a), own(b), own(c)),
            Ground::Equal(a, b) => Ground::Equal(own(a), own(b)),
        };
        let mut heads = rule.heads().map(|h| self.context.ground(h, &binding));
        if !self.context.matches(rule, &binding) || !heads.any(|h| h == Some(head)) {
            self.wrong = Some(format!("{head:?} is no instance of {} at {binding:?}", rule.name));
        }
        match head {
            Ground::Between(a, b, c) if self.context.add(a, b, c) => {
                self.queue.push(News::Fact(shown(a), shown(b), shown(c)));
            }
            Ground::Between(..) => self.wrong = Some(format!("{} concludes what is known", rule.name)),
            Ground::Equal(a, b) => self.merges.push((a, b)),
        }
    }

    fn alternatives(&mut self, rule: RuleId, binding: &[Point]) {
        let binding = binding.iter().copied().map(own).collect();
        self.splits.push(((rule.0 - self.first) as usize, binding));
    }
}

/// A point of the context as matchers see it.
fn shown(point: Point) -> Point {
    point * DISTANCE
}

/// The point of the context that matchers see as this one.
fn own(point: Point) -> Point {
    point / DISTANCE
}

impl Driver<'_> {
    fn announce_all(&mut self) {
        self.points = self.context.points().into_iter().map(shown).collect();
        self.queue = self.points.iter().map(|&a| News::Point(a)).collect();
        let facts = self.context.facts().into_iter();
        self.queue.extend(facts.map(|fact| fact.map(shown)).map(|[a, b, c]| News::Fact(a, b, c)));
        let successor = |&a: &Point| Some(News::Successor(a, shown(self.context.successor(own(a))?)));
        self.queue.extend(self.points.iter().filter_map(successor));
    }

    fn saturate(&mut self, finder: &Finder) {
        self.announce_all();
        loop {
            while let Some(news) = self.queue.pop() {
                match (finder, news) {
                    (Finder::Lisbq, News::Point(a)) => matcher::lisbq::on_point(self, a),
                    (Finder::Lisbq, News::Fact(a, b, c)) => matcher::lisbq::on_fact(self, a, b, c),
                    (Finder::Lisbq, News::Successor(a, b)) => matcher::lisbq::on_successor(self, a, b),
                    (Finder::Acyclic, News::Point(a)) => matcher::acyclic::on_point(self, a),
                    (Finder::Acyclic, News::Fact(a, b, c)) => matcher::acyclic::on_fact(self, a, b, c),
                    (Finder::Acyclic, News::Successor(a, b)) => matcher::acyclic::on_successor(self, a, b),
                    (Finder::Plans(plans), News::Point(a)) => self.run(plans, Trigger::Point, &[a]),
                    (Finder::Plans(plans), News::Fact(a, b, c)) => {
                        self.run(plans, Trigger::Fact, &[a, b, c]);
                    }
                    (Finder::Plans(plans), News::Successor(a, b)) => {
                        self.run(plans, Trigger::Successor, &[a, b]);
                    }
                }
            }
            if self.merges.is_empty() {
                break;
            }
            for (a, b) in std::mem::take(&mut self.merges) {
                self.context.merge(a, b);
            }
            self.announce_all();
        }
        match finder {
            Finder::Lisbq => matcher::lisbq::sweep(self),
            Finder::Acyclic => matcher::acyclic::sweep(self),
            Finder::Plans(plans) => self.run(plans, Trigger::Sweep, &[]),
        }
    }

    /// The open splits that are found around something.
    fn splits_around(
        &mut self,
        finder: &Finder,
        trigger: Trigger,
        parts: &[Point],
    ) -> &[(usize, Vec<Point>)] {
        self.splits.clear();
        let parts: Vec<Point> = parts.iter().copied().map(shown).collect();
        match finder {
            Finder::Lisbq => compiled_splits!(lisbq, self, trigger, &parts[..]),
            Finder::Acyclic => compiled_splits!(acyclic, self, trigger, &parts[..]),
            Finder::Plans(plans) => self.run(plans, trigger, &parts),
        }
        &self.splits
    }

    /// What may make a split known or decide it: each of its premises, each alternative denied.
    fn occasions(&self, rule: usize, binding: &[Point]) -> Vec<(Trigger, Vec<Point>)> {
        let rule = &self.theory.rules[rule];
        let value = |arg: Arg| self.context.value(arg, binding).expect("a match provides its terms");
        let successor = |x: u8| (Trigger::SplitSuccessor, vec![value(Arg::Var(x)), value(Arg::App(x))]);
        let mut all: Vec<(Trigger, Vec<Point>)> = Vec::new();
        for premise in &rule.premises {
            match *premise {
                Pattern::Between(p, q, r) => all.push((Trigger::SplitFact, [p, q, r].map(value).to_vec())),
                Pattern::Term(x) => all.push(successor(x)),
                Pattern::Occurs(_) | Pattern::Equal(..) => {}
            }
        }
        all.extend(rule.heads().map(|head| match head {
            Head::Between(p, q, r) => (Trigger::Denied, [p, q, r].map(value).to_vec()),
            Head::Equal(p, q) => (Trigger::Apart, [p, q].map(value).to_vec()),
        }));
        all
    }

    fn run(&mut self, plans: &[Plan], trigger: Trigger, parts: &[Point]) {
        for plan in plans.iter().filter(|plan| plan.trigger == trigger) {
            let mut registers = parts.to_vec();
            registers.resize(32, Point::MAX);
            self.steps(plan, 0, &mut registers);
        }
    }

    fn steps(&mut self, plan: &Plan, at: usize, registers: &mut [Point]) {
        let null = self.null();
        let get = |r: Register, registers: &[Point]| match r {
            NULL => null.expect("a plan asks for null before it uses it"),
            _ => registers[r as usize],
        };
        let Some(&step) = plan.steps.get(at) else { return self.body(plan, registers) };
        let go_on = match step {
            Step::HasNull => null.is_some(),
            Step::Same(r, s) => get(r, registers) == get(s, registers),
            Step::Differ(r, s) => get(r, registers) != get(s, registers),
            Step::Known(r, s, t) => self.between(get(r, registers), get(s, registers), get(t, registers)),
            Step::IsSuccessor(r, s) => self.successor(get(r, registers)) == Some(get(s, registers)),
            Step::Successor(r, s) => match self.successor(get(r, registers)) {
                Some(next) => {
                    registers[s as usize] = next;
                    true
                }
                None => false,
            },
            Step::Loop(r, after) | Step::Each(r, _, after) => {
                let bound = after.map(|s| get(s, registers));
                for i in 0..self.points.len() {
                    registers[r as usize] = self.points[i];
                    let known = match step {
                        Step::Each(_, fact, _) => {
                            let [a, b, c] = fact.map(|s| get(s, registers));
                            self.between(a, b, c)
                        }
                        _ => true,
                    };
                    // The points are in order, so "after it" is "greater".
                    if known && bound.is_none_or(|least| self.points[i] > least) {
                        self.steps(plan, at + 1, registers);
                    }
                }
                false
            }
        };
        if go_on {
            self.steps(plan, at + 1, registers);
        }
    }

    fn body(&mut self, plan: &Plan, registers: &[Point]) {
        let null = self.null();
        let get = |r: Register| if r == NULL { null.unwrap_or(Point::MAX) } else { registers[r as usize] };
        let ground = |c: &Conclusion| match *c {
            Conclusion::Between(r, s, t) => Ground::Between(get(r), get(s), get(t)),
            Conclusion::Equal(r, s) => Ground::Equal(get(r), get(s)),
        };
        let holds = |driver: &Driver, ground| match ground {
            Ground::Between(a, b, c) => driver.between(a, b, c),
            Ground::Equal(a, b) => a == b,
        };
        let id = RuleId(self.first + plan.rule as u16);
        let binding: Vec<Point> = plan.binding.iter().map(|&r| get(r)).collect();
        if let [heads] = &plan.alternatives[..] {
            for ground in heads.iter().map(ground) {
                if !holds(self, ground) {
                    self.conclude(id, &binding, ground);
                }
            }
        } else if !plan.alternatives.iter().any(|a| a.iter().map(ground).all(|g| holds(self, g))) {
            self.alternatives(id, &binding);
        }
    }
}

/// Whether the compiled matchers stand for exactly these rules.
pub fn is_compiled(theory: &Theory) -> bool {
    let plain = |rule: &Rule| Rule { span: Span::default(), note: None, ..rule.clone() };
    let same = |a: &[Rule], b: &[Rule]| a.iter().map(plain).eq(b.iter().map(plain));
    table().theory(&theory.name).is_some_and(|own| own.null == theory.null && same(&own.rules, &theory.rules))
}

/// Runs the plans, and the matchers if there are any, against the interpreter on random contexts; the error is the
/// first context on which they differ.
pub fn compare(theory: &Theory, seed: u64, rounds: usize) -> Result<(), String> {
    let mut finders = vec![Finder::Plans(plans(theory))];
    let mut first = 0;
    if is_compiled(theory) {
        first = table().ids(&theory.name).start;
        finders.push(if theory.heaps == Heaps::Acyclic { Finder::Acyclic } else { Finder::Lisbq });
    }
    let mut rng = Rng::new(seed);
    for _ in 0..rounds {
        let start = random_context(theory, &mut rng);
        let mut expected = start.clone();
        expected.saturate(theory);
        for finder in &finders {
            let mut driver = Driver {
                theory,
                first,
                context: start.clone(),
                points: Vec::new(),
                queue: Vec::new(),
                merges: Vec::new(),
                splits: Vec::new(),
                wrong: None,
            };
            driver.saturate(finder);
            if let Some(wrong) = driver.wrong.take() {
                return Err(format!("{wrong}\n  in {start}"));
            }
            let (found, own) = (splits(theory, &expected, &driver.splits), expected.splits(theory));
            if driver.context != expected {
                return Err(format!("in {start}\n  rules  {expected}\n  plans  {}", driver.context));
            }
            if found != splits(theory, &expected, &own) {
                return Err(format!("open splits differ in {expected}"));
            }
            for (rule, binding) in own {
                let wanted = splits(theory, &expected, &[(rule, binding.clone())]);
                for (trigger, parts) in driver.occasions(rule, &binding) {
                    let around = splits(theory, &expected, driver.splits_around(finder, trigger, &parts));
                    if !around.contains(&wanted[0]) {
                        let name = &theory.rules[rule].name;
                        return Err(format!("{trigger:?} {parts:?} misses {name} {binding:?} in {expected}"));
                    }
                }
            }
        }
    }
    Ok(())
}

/// Splits as sets of alternatives: a symmetric match is the same question.
fn splits(theory: &Theory, context: &NaiveContext, open: &[(usize, Vec<Point>)]) -> Vec<Vec<Vec<Ground>>> {
    let split = |(rule, binding): &(usize, Vec<Point>)| {
        let ground = |&head: &_| context.ground(head, binding).expect("a match provides its terms");
        let alternatives = theory.rules[*rule].alternatives.iter();
        let mut split: Vec<Vec<Ground>> =
            alternatives.map(|heads| heads.iter().map(ground).collect()).collect();
        split.sort();
        split
    };
    let mut all: Vec<_> = open.iter().map(split).collect();
    all.sort();
    all.dedup();
    all
}

/// Part of the truth about a random heap, now and then with a few arbitrary facts.
fn random_context(theory: &Theory, rng: &mut Rng) -> NaiveContext {
    let cells = 1 + rng.below(5);
    let null = theory.null.then_some(cells);
    let size = cells + usize::from(theory.null);
    let mut field: Vec<usize> =
        (0..cells)
            // Acyclic heaps: links lead to later cells only, and null is the last.
            .map(|a| {
                if theory.heaps == Heaps::Acyclic { a + 1 + rng.below(size - a - 1) } else { rng.below(size) }
            })
            .collect();
    field.extend(null);
    let heap = Heap { field, null };
    let mut context = NaiveContext::new(size, null.map(|null| null as Point));
    let density = 1 + rng.below(6);
    for [a, b, c] in heap.context().facts() {
        if rng.one_in(density) && (b == c || !theory.is_binary()) {
            context.add(a, b, c);
        }
    }
    for (a, &b) in heap.field.iter().enumerate() {
        if rng.one_in(3) {
            context.add_successor(a as Point, b as Point);
        }
    }
    let extra = if rng.one_in(3) { 1 + rng.below(3) } else { 0 };
    for _ in 0..extra {
        let [a, b, c] = [0; 3].map(|_| rng.below(size) as Point);
        context.add(a, b, if theory.is_binary() { b } else { c });
    }
    context
}
