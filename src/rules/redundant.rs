//! Which instances of a rule have nothing new to say.
//!
//! When variables of a rule coincide, its conclusions are often among its premises, or one step from
//! them. The criterion, by which the compiler skips such instances: every conclusion lies in the
//! closure of the premises under the *axioms* (rules whose only premise is that a point occurs) and
//! the *unary* rules (one path fact, one alternative). Whoever runs the matcher gets those
//! consequences anyway, from the premises themselves, because axioms are never skipped and unary rules
//! are skipped only by axioms: no circle of skips can close. Equations count too: if a unary rule
//! merges two points then the instance is judged after the merge, since every fact survives a merge.

use super::syntax::{Arg, Head, Pattern, Rule, Theory};

/// How much of the closure may be used against a rule; see the module head.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Axiom,
    Unary,
    Other,
}

fn level(rule: &Rule) -> Level {
    match rule.premises[..] {
        _ if !rule.is_horn() => Level::Other,
        [Pattern::Occurs(_)] => Level::Axiom,
        [Pattern::Between(p, q, r)] if [p, q, r].iter().all(|a| matches!(a, Arg::Var(_))) => Level::Unary,
        _ => Level::Other,
    }
}

/// Whether the instances of `rule` in which two arguments are the same point are redundant; without
/// such a pair, whether all instances are.
pub fn redundant(theory: &Theory, rule: &Rule, coincide: Option<(Arg, Arg)>) -> bool {
    if level(rule) == Level::Axiom {
        return false;
    }
    let mut closure = Closure::new(rule);
    if let Some((u, v)) = coincide {
        closure.merge(u, v);
    }
    for premise in &rule.premises {
        match *premise {
            Pattern::Between(p, q, r) => closure.add(p, q, r),
            Pattern::Equal(p, q) => closure.merge(p, q),
            Pattern::Occurs(_) | Pattern::Term(_) => {}
        }
    }
    loop {
        let before = closure.size();
        for other in &theory.rules {
            match level(other) {
                Level::Axiom => closure.apply_axiom(other),
                Level::Unary if level(rule) == Level::Other => closure.apply_unary(other),
                _ => {}
            }
        }
        if closure.size() == before {
            break;
        }
    }
    rule.alternatives.iter().any(|heads| heads.iter().all(|&h| closure.holds(h)))
}

/// A set of facts over the arguments of one rule, modulo equations.
struct Closure {
    slots: Vec<Arg>,
    class: Vec<usize>,
    facts: Vec<[usize; 3]>,
}

impl Closure {
    fn new(rule: &Rule) -> Closure {
        let variables = 0..rule.variables.len() as u8;
        let mut slots: Vec<Arg> = variables.clone().map(Arg::Var).collect();
        // An application that no premise mentions is not a point of the context.
        let applied: Vec<Arg> = rule.premise_args().collect();
        slots.extend(variables.map(Arg::App).filter(|a| applied.contains(a)));
        // Likewise null: the context need not have it.
        slots.extend(rule.mentions_null().then_some(Arg::Null));
        Closure { class: (0..slots.len()).collect(), slots, facts: Vec::new() }
    }

    /// Grows with every step of the closure.
    fn size(&self) -> (usize, usize) {
        let merged = self.class.iter().enumerate().filter(|(i, c)| i != *c).count();
        (self.facts.len() + merged * self.slots.len().pow(3), merged)
    }

    fn of(&self, arg: Arg) -> usize {
        let slot = self.slots.iter().position(|a| *a == arg).expect("every argument has a slot");
        self.class[slot]
    }

    fn merge(&mut self, p: Arg, q: Arg) {
        self.merge_classes(self.of(p), self.of(q));
    }

    fn merge_classes(&mut self, p: usize, q: usize) {
        let (low, high) = (p.min(q), p.max(q));
        if low == high {
            return;
        }
        let rename = |c: &mut usize| *c = if *c == high { low } else { *c };
        self.class.iter_mut().for_each(rename);
        self.facts.iter_mut().flatten().for_each(rename);
        self.facts.sort();
        self.facts.dedup();
        // Congruence: equal points have equal successors.
        for i in 0..self.slots.len() {
            for j in 0..i {
                if let (Arg::App(x), Arg::App(y)) = (self.slots[i], self.slots[j])
                    && self.of(Arg::Var(x)) == self.of(Arg::Var(y))
                {
                    self.merge_classes(self.class[i], self.class[j]);
                }
            }
        }
    }

    fn add(&mut self, p: Arg, q: Arg, r: Arg) {
        self.insert([self.of(p), self.of(q), self.of(r)]);
    }

    fn insert(&mut self, fact: [usize; 3]) {
        if !self.facts.contains(&fact) {
            self.facts.push(fact);
        }
    }

    fn holds(&self, head: Head) -> bool {
        match head {
            Head::Between(p, q, r) => self.facts.contains(&[self.of(p), self.of(q), self.of(r)]),
            Head::Equal(p, q) => self.of(p) == self.of(q),
        }
    }

    fn apply_axiom(&mut self, axiom: &Rule) {
        if axiom.mentions_null() && !self.slots.contains(&Arg::Null) {
            return;
        }
        for slot in 0..self.slots.len() {
            self.conclude(axiom, &[self.class[slot]]);
        }
    }

    fn apply_unary(&mut self, unary: &Rule) {
        let [Pattern::Between(p, q, r)] = unary.premises[..] else { unreachable!("unary rules have one") };
        if unary.mentions_null() && !self.slots.contains(&Arg::Null) {
            return;
        }
        for fact in self.facts.clone() {
            let fact = fact.map(|slot| self.class[slot]);
            let mut binding = vec![usize::MAX; unary.variables.len()];
            let matches = [p, q, r].into_iter().zip(fact).all(|(arg, value)| match arg {
                Arg::Var(x) => {
                    let bound = &mut binding[x as usize];
                    *bound = if *bound == usize::MAX { value } else { *bound };
                    *bound == value
                }
                Arg::App(_) | Arg::Null => unreachable!("unary rules have variables only"),
            });
            if matches {
                self.conclude(unary, &binding);
            }
        }
    }

    fn conclude(&mut self, rule: &Rule, binding: &[usize]) {
        for head in rule.heads() {
            let value = |arg: Arg| match arg {
                Arg::Var(x) => self.class[binding[x as usize]],
                Arg::Null => self.of(Arg::Null),
                Arg::App(_) => unreachable!("no application without its premise"),
            };
            match head {
                Head::Between(p, q, r) => self.insert([value(p), value(q), value(r)]),
                Head::Equal(p, q) => self.merge_classes(value(p), value(q)),
            }
        }
    }
}
