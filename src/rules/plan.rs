//! Join plans: what to look up, in which order, when something new arrives.
//!
//! Each rule with one alternative gets a plan per choice of newest premise (semi-naive evaluation). Each
//! rule with several gets one plan without a newest premise, for the sweep, and one for each thing that
//! may open or decide a split: a newest premise, or an alternative that is known to be false now. A plan is
//! a list of steps over *registers*: first the parts of the new thing, then what loops and successors bring in.
//! Registers are numbered by depth, not named after variables, so that plans of different rules share
//! their beginnings; the code generator merges equal beginnings into one test or one loop.
//!
//! Order of the join: everything decidable with the registers at hand is tested at once, a successor
//! is fetched before any loop, and a loop is opened for the variable that lets most premises be
//! decided. Tests come from the rule itself or from [`super::redundant`].

use super::redundant::redundant;
use super::syntax::{Arg, Head, Pattern, Rule, Theory};

/// A point the matcher holds; [`NULL`] is the point of null.
pub type Register = u8;
/// The register of null.
pub const NULL: Register = u8::MAX;

/// What arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// A point: register 0.
    Point,
    /// A fact: registers 0, 1 and 2.
    Fact,
    /// A successor term: the point in register 0, its successor in register 1.
    Successor,
    /// Nothing: all matches are wanted.
    Sweep,
    /// As `Point`, for rules with several alternatives.
    SplitPoint,
    /// As `Fact`, for rules with several alternatives.
    SplitFact,
    /// As `Successor`, for rules with several alternatives.
    SplitSuccessor,
    /// The negation of a fact: registers 0, 1 and 2.
    Denied,
    /// A disequation: registers 0 and 1, in this order.
    Apart,
}

/// What a plan starts from.
#[derive(Clone, Copy)]
enum Seed {
    Nothing,
    /// The premise with this index.
    Premise(usize),
    /// A head that does not hold.
    Refuted(Head),
}

/// One step of a plan: go on if, or for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// The context has a point for null.
    HasNull,
    /// The registers hold the same point.
    Same(Register, Register),
    /// The registers hold different points.
    Differ(Register, Register),
    /// The fact is known.
    Known(Register, Register, Register),
    /// The second register is the successor of the first.
    IsSuccessor(Register, Register),
    /// Put the successor of the first register into the second, if there is one.
    Successor(Register, Register),
    /// For all points; with a second register only for those after it (the rule is symmetric).
    Loop(Register, Option<Register>),
    /// For all points that, in the first register, make the fact known; with a second register as above.
    Each(Register, [Register; 3], Option<Register>),
}

/// A conclusion over registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Conclusion {
    /// A fact.
    Between(Register, Register, Register),
    /// An equation.
    Equal(Register, Register),
}

/// How to find the matches of one rule from one newest premise.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Index of the rule in its theory.
    pub rule: usize,
    /// The kind of the newest premise.
    pub trigger: Trigger,
    /// The way there.
    pub steps: Vec<Step>,
    /// The registers of the rule's variables.
    pub binding: Vec<Register>,
    /// The alternatives over registers.
    pub alternatives: Vec<Vec<Conclusion>>,
}

impl Plan {
    fn says_the_same(&self, other: &Plan) -> bool {
        let facts = |plan: &Plan| -> Vec<Conclusion> {
            let sorted = |c: &Conclusion| match *c {
                Conclusion::Equal(r, s) => Conclusion::Equal(r.min(s), r.max(s)),
                fact => fact,
            };
            let mut all: Vec<Conclusion> = plan.alternatives.iter().flatten().map(sorted).collect();
            // Alternatives may come in any order.
            if plan.alternatives.len() > 1 {
                all.sort_unstable();
            }
            all
        };
        self.trigger == other.trigger && self.steps == other.steps && facts(self) == facts(other)
    }
}

/// All plans of a theory, in the order of its rules.
pub fn plans(theory: &Theory) -> Vec<Plan> {
    let mut plans = Vec::new();
    for (index, rule) in theory.rules.iter().enumerate() {
        if redundant(theory, rule, None) {
            continue;
        }
        let atoms = atoms(rule);
        let newest = (0..atoms.len()).filter(|&i| !matches!(atoms[i], Atom::Same(..)));
        let mut seeds: Vec<Seed> = newest.map(Seed::Premise).collect();
        if !rule.is_horn() {
            seeds.push(Seed::Nothing);
            seeds.extend(rule.heads().map(Seed::Refuted));
        }
        for plan in seeds.into_iter().map(|seed| Planner::new(theory, index, &atoms, seed).plan()) {
            // Of a symmetric rule, one newest premise is enough.
            if !plans.iter().any(|p: &Plan| p.rule == index && p.says_the_same(&plan)) {
                plans.push(plan);
            }
        }
    }
    plans
}

/// Premises, with every application spelled out as a successor of its variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Atom {
    Point(u8),
    Successor(u8),
    Fact(Arg, Arg, Arg),
    Same(Arg, Arg),
}

fn atoms(rule: &Rule) -> Vec<Atom> {
    let mut atoms: Vec<Atom> = Vec::new();
    for arg in rule.premise_args() {
        if let Arg::App(x) = arg
            && !atoms.contains(&Atom::Successor(x))
        {
            atoms.push(Atom::Successor(x));
        }
    }
    atoms.extend(rule.premises.iter().filter_map(|p| match *p {
        Pattern::Between(p, q, r) => Some(Atom::Fact(p, q, r)),
        Pattern::Equal(p, q) => Some(Atom::Same(p, q)),
        Pattern::Occurs(_) | Pattern::Term(_) => None,
    }));
    // Points of facts and successors occur anyway.
    let covered = |x: u8, atoms: &[Atom]| {
        atoms.iter().any(|atom| match *atom {
            Atom::Fact(p, q, r) => [p, q, r].contains(&Arg::Var(x)),
            Atom::Same(p, q) => [p, q].contains(&Arg::Var(x)),
            Atom::Successor(y) | Atom::Point(y) => x == y,
        })
    };
    for x in 0..rule.variables.len() as u8 {
        if !covered(x, &atoms) {
            atoms.push(Atom::Point(x));
        }
    }
    atoms
}

struct Planner<'a> {
    theory: &'a Theory,
    rule: &'a Rule,
    index: usize,
    trigger: Trigger,
    open: Vec<Atom>,
    registers: Vec<(Arg, Register)>,
    guarded: Vec<(Arg, Arg)>,
    next: Register,
    steps: Vec<Step>,
}

impl<'a> Planner<'a> {
    fn new(theory: &'a Theory, index: usize, atoms: &[Atom], seed: Seed) -> Planner<'a> {
        let open = atoms.to_vec();
        let rule = &theory.rules[index];
        let mut planner = Planner {
            theory,
            rule,
            index,
            trigger: Trigger::Sweep,
            open,
            registers: Vec::new(),
            guarded: Vec::new(),
            next: 0,
            steps: Vec::new(),
        };
        if rule.mentions_null() {
            planner.steps.push(Step::HasNull);
            planner.registers.push((Arg::Null, NULL));
        }
        let (trigger, parts) = match seed {
            Seed::Nothing => (Trigger::Sweep, vec![]),
            Seed::Refuted(Head::Between(p, q, r)) => (Trigger::Denied, vec![p, q, r]),
            Seed::Refuted(Head::Equal(p, q)) => (Trigger::Apart, vec![p, q]),
            Seed::Premise(i) => match (planner.open.remove(i), rule.is_horn()) {
                (Atom::Point(x), true) => (Trigger::Point, vec![Arg::Var(x)]),
                (Atom::Successor(x), true) => (Trigger::Successor, vec![Arg::Var(x), Arg::App(x)]),
                (Atom::Fact(p, q, r), true) => (Trigger::Fact, vec![p, q, r]),
                (Atom::Successor(x), false) => (Trigger::SplitSuccessor, vec![Arg::Var(x), Arg::App(x)]),
                (Atom::Fact(p, q, r), false) => (Trigger::SplitFact, vec![p, q, r]),
                (Atom::Point(x), false) => (Trigger::SplitPoint, vec![Arg::Var(x)]),
                (Atom::Same(..), _) => unreachable!("an equation is announced as facts and successors"),
            },
        };
        planner.trigger = trigger;
        let mut equal = Vec::new();
        for (register, part) in parts.into_iter().enumerate() {
            let register = register as Register;
            match planner.register(part) {
                Some(first) => equal.push(Step::Same(first, register)),
                None => planner.registers.push((part, register)),
            }
            planner.next = register + 1;
        }
        // Tests on the last parts first: binary facts are told from ternary ones before anything else.
        equal.reverse();
        planner.steps.append(&mut equal);
        planner
    }

    fn plan(mut self) -> Plan {
        loop {
            self.test();
            if self.fetch() {
                continue;
            }
            let Some(variable) = self.loop_variable() else { break };
            let register = self.fresh(Arg::Var(variable));
            let after = self.registers.iter().find(|&&(other, _)| {
                self.trigger == Trigger::Sweep && self.symmetric(other, Arg::Var(variable))
            });
            self.steps.push(Step::Loop(register, after.map(|&(_, r)| r)));
        }
        assert!(self.open.is_empty(), "every premise is tested");
        let register = |arg: Arg| self.register(arg).expect("conclusions use arguments of premises");
        let conclusion = |head: &Head| match *head {
            Head::Between(p, q, r) => Conclusion::Between(register(p), register(q), register(r)),
            Head::Equal(p, q) => Conclusion::Equal(register(p), register(q)),
        };
        Plan {
            rule: self.index,
            trigger: self.trigger,
            binding: (0..self.rule.variables.len() as u8).map(|x| register(Arg::Var(x))).collect(),
            alternatives: self.rule.alternatives.iter().map(|a| a.iter().map(conclusion).collect()).collect(),
            steps: narrowed(self.steps),
        }
    }

    fn register(&self, arg: Arg) -> Option<Register> {
        self.registers.iter().find(|(a, _)| *a == arg).map(|(_, r)| *r)
    }

    fn fresh(&mut self, arg: Arg) -> Register {
        let register = self.next;
        self.next += 1;
        self.registers.push((arg, register));
        register
    }

    /// Emits every test whose arguments all have registers: skips first, they need no lookup.
    fn test(&mut self) {
        let mut guards = Vec::new();
        for i in 0..self.registers.len() {
            for j in 0..i {
                let ((p, r), (q, s)) = (self.registers[j], self.registers[i]);
                if !self.guarded.contains(&(p, q)) {
                    self.guarded.push((p, q));
                    if redundant(self.theory, self.rule, Some((p, q))) {
                        guards.push(Step::Differ(r, s));
                    }
                }
            }
        }
        guards.sort_by_key(|g| match g {
            Step::Differ(r, s) => (*s, std::cmp::Reverse(*r)),
            _ => unreachable!("guards are disequations"),
        });
        guards.reverse();
        self.steps.append(&mut guards);
        let mut tests = Vec::new();
        let mut open = std::mem::take(&mut self.open);
        open.retain(|&atom| {
            let test = self.decidable(atom);
            tests.extend(test.flatten());
            test.is_none()
        });
        self.open = open;
        tests.sort();
        self.steps.append(&mut tests);
    }

    /// `None`: not yet; `Some(None)`: nothing to test.
    fn decidable(&self, atom: Atom) -> Option<Option<Step>> {
        Some(match atom {
            Atom::Point(x) => self.register(Arg::Var(x)).map(|_| None)?,
            Atom::Successor(x) => {
                Some(Step::IsSuccessor(self.register(Arg::Var(x))?, self.register(Arg::App(x))?))
            }
            Atom::Fact(p, q, r) => Some(Step::Known(self.register(p)?, self.register(q)?, self.register(r)?)),
            Atom::Same(p, q) => {
                let (r, s) = (self.register(p)?, self.register(q)?);
                (r != s).then_some(Step::Same(r, s))
            }
        })
    }

    /// Fetches one successor of a point that is at hand.
    fn fetch(&mut self) -> bool {
        let ready = |atom: &Atom| matches!(atom, Atom::Successor(x) if self.register(Arg::Var(*x)).is_some());
        let Some(at) = self.open.iter().position(ready) else { return false };
        let Atom::Successor(x) = self.open.remove(at) else { unreachable!("only successors are ready") };
        let of = self.register(Arg::Var(x)).expect("checked by `ready`");
        // `f(x) = y` with y at hand is one comparison, without a register of its own.
        let known = self.open.iter().find_map(|atom| match *atom {
            Atom::Same(p, q) if p == Arg::App(x) => self.register(q),
            Atom::Same(p, q) if q == Arg::App(x) => self.register(p),
            _ => None,
        });
        match known {
            Some(register) => {
                self.registers.push((Arg::App(x), register));
                // Both names of one register: no disequation between them can be wanted.
                let names: Vec<Arg> = self.registers.iter().map(|(a, _)| *a).collect();
                self.guarded.extend(names.iter().flat_map(|&p| [(p, Arg::App(x)), (Arg::App(x), p)]));
                self.steps.push(Step::IsSuccessor(of, register));
            }
            None => {
                let register = self.fresh(Arg::App(x));
                self.steps.push(Step::Successor(of, register));
            }
        }
        true
    }

    /// The unbound variable that completes most open premises; the first such.
    fn loop_variable(&self) -> Option<u8> {
        let unbound = |x: &u8| self.register(Arg::Var(*x)).is_none();
        let completes = |x: u8| {
            let bound = |a: Arg| a == Arg::Var(x) || self.register(a).is_some();
            let done = |atom: &&Atom| match **atom {
                Atom::Point(y) => x == y,
                Atom::Successor(y) => x == y,
                Atom::Fact(p, q, r) => bound(p) && bound(q) && bound(r),
                Atom::Same(p, q) => bound(p) && bound(q),
            };
            self.open.iter().filter(done).count()
        };
        let variables = (0..self.rule.variables.len() as u8).filter(unbound);
        variables.max_by_key(|&x| (completes(x), std::cmp::Reverse(x)))
    }

    /// Whether exchanging two variables gives the same rule, and nothing if they coincide.
    fn symmetric(&self, u: Arg, v: Arg) -> bool {
        let (Arg::Var(x), Arg::Var(y)) = (u, v) else { return false };
        let swap = |z: u8| {
            if z == x {
                y
            } else if z == y {
                x
            } else {
                z
            }
        };
        let arg = |a: Arg| match a {
            Arg::Var(z) => Arg::Var(swap(z)),
            Arg::App(z) => Arg::App(swap(z)),
            Arg::Null => Arg::Null,
        };
        let rule = self.rule;
        let premises = rule.premises.iter().all(|p| {
            rule.premises.contains(&match *p {
                Pattern::Occurs(z) => Pattern::Occurs(swap(z)),
                Pattern::Term(z) => Pattern::Term(swap(z)),
                Pattern::Between(p, q, r) => Pattern::Between(arg(p), arg(q), arg(r)),
                Pattern::Equal(p, q) => Pattern::Equal(arg(p), arg(q)),
            })
        });
        let swap_head = |h: &Head| match *h {
            Head::Between(p, q, r) => Head::Between(arg(p), arg(q), arg(r)),
            Head::Equal(p, q) => Head::Equal(arg(p), arg(q)),
        };
        let alternatives = rule
            .alternatives
            .iter()
            .all(|heads| rule.alternatives.contains(&heads.iter().map(swap_head).collect()));
        premises && alternatives && redundant(self.theory, rule, Some((u, v)))
    }
}

/// Loops over all points that go on with a fact about the point become loops over the points that make it known.
fn narrowed(mut steps: Vec<Step>) -> Vec<Step> {
    for at in 0..steps.len() {
        let Some(&Step::Loop(register, after)) = steps.get(at) else { continue };
        let tests = steps[at + 1..].iter().take_while(|s| !matches!(s, Step::Loop(..) | Step::Successor(..)));
        let found = tests.enumerate().find_map(|(i, step)| match *step {
            Step::Known(r, s, t) => is_row([r, s, t], register).then_some((at + 1 + i, [r, s, t])),
            _ => None,
        });
        if let Some((known, fact)) = found {
            steps[at] = Step::Each(register, fact, after);
            steps.remove(known);
        }
    }
    steps
}

/// Whether a fact is open at one place, or at the last two.
fn is_row(fact: [Register; 3], open: Register) -> bool {
    matches!(fact.map(|r| r == open), [true, false, false] | [false, true, false] | [false, false, true])
        || fact.map(|r| r == open) == [false, true, true]
}
