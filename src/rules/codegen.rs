//! Prints the matchers of a theory as Rust source.
//!
//! The plans of one trigger are merged as a trie: equal beginnings become one test or one loop, so
//! the output looks like what one would write by hand. Reordering plans is allowed because the closure
//! of a context does not depend on the order of conclusions. A loop over the points of a row takes 64 of them
//! at once and leaves out those with which nothing is left to conclude, which are mostly all. `matcher.rs`
//! includes the output; look at `OUT_DIR/matchers.rs` to read it.

use super::plan::{Conclusion, NULL, Plan, Register, Step, Trigger, plans};
use super::syntax::Theory;
use std::fmt::Write;

/// The module `NAME` of one theory, whose rules are numbered from `first` on.
pub fn module(theory: &Theory, first: usize) -> String {
    let plans = plans(theory);
    let mut out = format!("/// Matchers compiled from the rules of the theory {}.\n", theory.name);
    out.push_str(&format!("pub mod {} {{\n", theory.name));
    out.push_str("    use crate::rules::matcher::{Context, Ground, Point, Row, above, first};\n");
    out.push_str("    use crate::rules::table::RuleId;\n");
    let functions = [
        (Trigger::Point, "on_point", "a: Point", "a point is new"),
        (Trigger::Fact, "on_fact", "a: Point, b: Point, c: Point", "the fact R(a, b, c) is new"),
        (Trigger::Successor, "on_successor", "a: Point, b: Point", "the term f(a) in class b is new"),
        (Trigger::Sweep, "sweep", "", "all splits that are open"),
        (Trigger::SplitPoint, "split_on_point", "a: Point", "splits of the new point a"),
        (
            Trigger::SplitFact,
            "split_on_fact",
            "a: Point, b: Point, c: Point",
            "splits of the new fact R(a, b, c)",
        ),
        (
            Trigger::SplitSuccessor,
            "split_on_successor",
            "a: Point, b: Point",
            "splits of the new f(a) in class b",
        ),
        (
            Trigger::Denied,
            "split_on_denied",
            "a: Point, b: Point, c: Point",
            "splits that not R(a, b, c) decides",
        ),
        (Trigger::Apart, "split_on_apart", "a: Point, b: Point", "splits that a != b decides"),
    ];
    for (trigger, name, parameters, doc) in functions {
        let wanted: Vec<&Plan> = plans.iter().filter(|p| p.trigger == trigger).collect();
        let comma = if parameters.is_empty() { "" } else { ", " };
        let _ = write!(out, "\n    /// Applies the rules: {doc}.\n    #[inline]\n");
        let _ = writeln!(out, "    pub fn {name}<C: Context>(cx: &mut C{comma}{parameters}) {{");
        let mut printer = Printer { theory, first, out: String::new() };
        printer.tree(&wanted, 0, 2);
        if wanted.is_empty() {
            let names: Vec<&str> = ["a", "b", "c"][..parameters.matches(':').count()].to_vec();
            printer.line(2, &format!("let _ = (cx{comma}{});", names.join(", ")));
        }
        out.push_str(&printer.out);
        out.push_str("    }\n");
    }
    let _ = write!(
        out,
        "\n    /// Whether the new fact R(a, b, c) may have to do with a split.\n    #[inline]\n"
    );
    out.push_str("    pub fn may_split(a: Point, b: Point, c: Point) -> bool {\n");
    let _ = writeln!(out, "        let _ = (a, b, c);\n        {}\n    }}", may_split(&plans));
    out.push_str("}\n");
    out
}

/// The tests of the parts of a new fact that plans for splits begin with.
fn may_split(plans: &[Plan]) -> String {
    let mut ways: Vec<String> = Vec::new();
    for plan in plans.iter().filter(|plan| plan.trigger == Trigger::SplitFact) {
        let tests = plan.steps.iter().map_while(|&step| match step {
            Step::Same(r, s) if r < 3 && s < 3 => Some(format!("{} == {}", name(r), name(s))),
            Step::Differ(r, s) if r < 3 && s < 3 => Some(format!("{} != {}", name(r), name(s))),
            _ => None,
        });
        let way = tests.collect::<Vec<_>>().join(" && ");
        let way = if way.is_empty() { "true".to_string() } else { way };
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    if ways.is_empty() { "false".to_string() } else { ways.join(" || ") }
}

struct Printer<'a> {
    theory: &'a Theory,
    first: usize,
    out: String,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "    ".repeat(depth));
    }

    /// Prints plans that agree on their first `done` steps.
    fn tree(&mut self, plans: &[&Plan], done: usize, depth: usize) {
        let mut rest: Vec<&Plan> = Vec::new();
        for plan in plans {
            if plan.steps.len() == done { self.body(plan, depth) } else { rest.push(plan) }
        }
        // Tests before loops: what they conclude is then known inside the loops.
        rest.sort_by_key(|plan| matches!(plan.steps[done], Step::Loop(..) | Step::Each(..)));
        while let Some(&head) = rest.first() {
            let step = head.steps[done];
            let (same, other) = rest.into_iter().partition::<Vec<&Plan>, _>(|p| p.steps[done] == step);
            let inside = self.open(step, &same, depth);
            self.tree(&same, done + 1, inside);
            (depth..inside).rev().for_each(|depth| self.line(depth, "}"));
            rest = other;
        }
    }

    /// Prints the head of a test or loop of these plans; returns the depth inside of it.
    fn open(&mut self, step: Step, plans: &[&Plan], depth: usize) -> usize {
        let text = match step {
            Step::HasNull => "if let Some(null) = cx.null() {".to_string(),
            Step::Same(r, s) => format!("if {} == {} {{", name(r), name(s)),
            Step::Differ(r, s) => format!("if {} != {} {{", name(r), name(s)),
            Step::Known(r, s, t) => format!("if cx.between({}, {}, {}) {{", name(r), name(s), name(t)),
            Step::IsSuccessor(r, s) => format!("if cx.successor({}) == Some({}) {{", name(r), name(s)),
            Step::Successor(r, s) => format!("if let Some({}) = cx.successor({}) {{", name(s), name(r)),
            Step::Loop(r, after) => {
                let from = after.map_or("0".to_string(), |s| format!("i{s} + 1"));
                format!("for i{r} in {from}..cx.point_count() {{ let {} = cx.point(i{r});", name(r))
            }
            Step::Each(r, fact, after) => {
                let row = row(r, fact).expect("a premise with one open place");
                let (first, above) = match after {
                    Some(s) => (format!("{} as usize / 64", name(s)), format!(" & above({}, word)", name(s))),
                    None => ("0".to_string(), String::new()),
                };
                let done = done(r, step, plans).map_or(String::new(), |done| format!(" & !({done})"));
                self.line(depth, &format!("for word in {first}..cx.word_count() {{"));
                self.line(depth + 1, &format!("let mut bits = cx.word({row}, word){above}{done};"));
                self.line(
                    depth + 1,
                    &format!("while bits != 0 {{ let {} = first(&mut bits, word);", name(r)),
                );
                return depth + 2;
            }
        };
        self.line(depth, &text);
        depth + 1
    }

    fn body(&mut self, plan: &Plan, depth: usize) {
        let rule = &self.theory.rules[plan.rule];
        let id = format!("RuleId({})", self.first + plan.rule);
        let binding = plan.binding.iter().map(|&r| name(r)).collect::<Vec<_>>().join(", ");
        self.line(depth, &format!("// {}: {}", rule.name, rule.body_text()));
        if !rule.is_horn() {
            let holds = |heads: &Vec<Conclusion>| {
                let all: Vec<String> = heads.iter().map(known).collect();
                if all.len() == 1 { all[0].clone() } else { format!("({})", all.join(" && ")) }
            };
            let any: Vec<String> = plan.alternatives.iter().map(holds).collect();
            let call = format!("cx.alternatives({id}, &[{binding}]);");
            self.line(depth, &format!("if !({}) {{ {call} }}", any.join(" || ")));
            return;
        }
        for head in &plan.alternatives[0] {
            let ground = match *head {
                Conclusion::Between(r, s, t) => {
                    format!("Ground::Between({}, {}, {})", name(r), name(s), name(t))
                }
                Conclusion::Equal(r, s) => format!("Ground::Equal({}, {})", name(r), name(s)),
            };
            let call = format!("cx.conclude({id}, &[{binding}], {ground});");
            let differ =
                |r, s| plan.steps.iter().any(|&t| t == Step::Differ(r, s) || t == Step::Differ(s, r));
            match *head {
                Conclusion::Equal(r, s) if differ(r, s) => self.line(depth, &call),
                _ => self.line(depth, &format!("if !{} {{ {call} }}", known(head))),
            }
        }
    }
}

/// The row of known facts that differ from this one in what the register holds.
fn row(register: Register, fact: [Register; 3]) -> Option<String> {
    let [a, b, c] = fact.map(name);
    Some(match fact.map(|part| part == register) {
        [true, false, false] => format!("Row::Starts({b}, {c})"),
        [false, true, false] => format!("Row::Middles({a}, {c})"),
        [false, false, true] => format!("Row::Ends({a}, {b})"),
        [false, true, true] => format!("Row::Reached({a})"),
        _ => return None,
    })
}

/// The points, as bits, that need not be looked at in a loop over a register: with them, these plans have nothing left
/// to conclude. Nothing if some plan may have something with any point.
fn done(register: Register, each: Step, plans: &[&Plan]) -> Option<String> {
    let mut all: Vec<String> = Vec::new();
    for plan in plans {
        let at = plan.steps.iter().position(|&step| step == each)?;
        let bound = |part: Register| !plan.steps[at + 1..].iter().any(|step| binds(*step) == Some(part));
        let fact = |head: &Conclusion| match *head {
            Conclusion::Between(a, b, c) if [a, b, c].into_iter().all(bound) => {
                row(register, [a, b, c]).map(|row| format!("cx.word({row}, word)"))
            }
            _ => None,
        };
        let alternative = |heads: &Vec<Conclusion>| -> Option<String> {
            Some(heads.iter().map(fact).collect::<Option<Vec<_>>>()?.join(" & "))
        };
        // One alternative that holds is enough; of one that may hold with any point nothing is said.
        let holding: Vec<String> = plan.alternatives.iter().filter_map(alternative).collect();
        if holding.is_empty() {
            return None;
        }
        let plan_done = format!("({})", holding.join(" | "));
        if !all.contains(&plan_done) {
            all.push(plan_done);
        }
    }
    Some(all.join(" & "))
}

fn known(conclusion: &Conclusion) -> String {
    match *conclusion {
        Conclusion::Between(r, s, t) => format!("cx.between({}, {}, {})", name(r), name(s), name(t)),
        Conclusion::Equal(r, s) => format!("({} == {})", name(r), name(s)),
    }
}

/// The register that a step fills.
fn binds(step: Step) -> Option<Register> {
    match step {
        Step::HasNull => Some(NULL),
        Step::Successor(_, r) | Step::Loop(r, _) | Step::Each(r, ..) => Some(r),
        Step::Same(..) | Step::Differ(..) | Step::Known(..) | Step::IsSuccessor(..) => None,
    }
}

fn name(register: Register) -> String {
    match register {
        NULL => "null".to_string(),
        0..=25 => char::from(b'a' + register).to_string(),
        _ => format!("p{register}"),
    }
}
