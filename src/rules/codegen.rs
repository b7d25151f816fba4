//! Prints the matchers of a theory as Rust source.
//!
//! The plans of one trigger are merged as a trie: equal beginnings become one test or one loop, so
//! the output looks like what one would write by hand. Reordering plans is allowed because the closure
//! of a context does not depend on the order of conclusions. `matcher.rs` includes the output; look at
//! `OUT_DIR/matchers.rs` to read it.

use super::plan::{Conclusion, NULL, Plan, Register, Step, Trigger, plans};
use super::syntax::Theory;
use std::fmt::Write;

/// The module `NAME` of one theory, whose rules are numbered from `first` on.
pub fn module(theory: &Theory, first: usize) -> String {
    let plans = plans(theory);
    let mut out = format!("/// Matchers compiled from the rules of the theory {}.\n", theory.name);
    out.push_str(&format!("pub mod {} {{\n", theory.name));
    out.push_str("    use crate::rules::matcher::{Context, Ground, Point, Row};\n");
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
    out.push_str("}\n");
    out
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
            self.open(step, depth);
            self.tree(&same, done + 1, depth + 1);
            self.line(depth, "}");
            rest = other;
        }
    }

    fn open(&mut self, step: Step, depth: usize) {
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
                let [a, b, c] = fact.map(name);
                let row = match fact.map(|part| part == r) {
                    [true, ..] => format!("Starts({b}, {c})"),
                    [_, true, false] => format!("Middles({a}, {c})"),
                    [_, false, _] => format!("Ends({a}, {b})"),
                    [_, true, true] => format!("Reached({a})"),
                };
                let from = after.map_or("0".to_string(), |s| format!("{} + 1", name(s)));
                self.line(depth, &format!("let mut from = {from};"));
                format!("while let Some({0}) = cx.next_in(Row::{row}, from) {{ from = {0} + 1;", name(r))
            }
        };
        self.line(depth, &text);
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

fn known(conclusion: &Conclusion) -> String {
    match *conclusion {
        Conclusion::Between(r, s, t) => format!("cx.between({}, {}, {})", name(r), name(s), name(t)),
        Conclusion::Equal(r, s) => format!("({} == {})", name(r), name(s)),
    }
}

fn name(register: Register) -> String {
    match register {
        NULL => "null".to_string(),
        0..=25 => char::from(b'a' + register).to_string(),
        _ => format!("p{register}"),
    }
}
