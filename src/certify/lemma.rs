//! Theory lemmas: contexts, rule steps, closing.
//!
//! The context of a lemma holds the negations of its literals: equalities (in the closure), disequalities,
//! facts `R(a, b, c)` per link field, and facts that were assumed false. Rule steps add to it; the
//! derivation closes when it is contradictory, or by arithmetic (`cuts`).
//!
//! Invariant: facts and disequalities are over representatives, and facts are in the normal form that the
//! term store gives to literals, now modulo the closure: `R(a, a, a)` is true, `R(a, b, a)` is `a = b`, and
//! `R(a, a, c)` is `R(a, c, c)`. So a literal that the store simplified means the same here as the fact it
//! came from, and `reflexive`, `sandwich` and `prefix` hold without being stated.
//!
//! `term f(x)` and "x occurs" are premises that steer the search. A function is total and a term denotes
//! whether or not it was written down before, so they are always true here.

use super::closure::{Closure, Node};
use super::cuts::check_cuts;
use super::error::{Fault, show};
use crate::logic::{FuncId, Op, TermId, Terms};
use crate::proof::{Closing, Derivation, Literal, RuleStep};
use crate::rules::syntax::{Arg, Head, Pattern, Rule};
use crate::rules::table::table;
use crate::util::hash::Set;

/// Whether the derivation refutes the negation of the clause. Ids have been validated.
pub(super) fn check_lemma(terms: &Terms, clause: &[Literal], derivation: &Derivation) -> Result<(), Fault> {
    let mut context = Context::new(terms);
    for &literal in clause {
        context.assume(!literal);
    }
    for (at, step) in derivation.rules.iter().enumerate() {
        context.apply(at, step)?;
    }
    match &derivation.closing {
        Closing::Contradiction if context.contradictory => Ok(()),
        Closing::Contradiction => Err(Fault::NoContradiction),
        Closing::Arithmetic(cuts) => check_cuts(terms, clause, cuts, &mut context.closure),
    }
}

/// The rule of theory `lisbq` with that name.
fn find_rule(name: &str) -> Result<&'static Rule, Fault> {
    let rule = table().theory("lisbq").and_then(|theory| theory.rule(name));
    rule.filter(|rule| !rule.mentions_null()).ok_or_else(|| Fault::UnknownRule(name.to_owned()))
}

/// `R(from, via, to)` along a link field.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Fact {
    field: FuncId,
    from: Node,
    via: Node,
    to: Node,
}

/// What a fact says about classes.
enum Meaning {
    True,
    Equal(Node, Node),
    Path(Fact),
}

struct Context<'a> {
    terms: &'a Terms,
    closure: Closure<'a>,
    facts: Set<Fact>,
    /// Facts assumed false.
    denied: Set<Fact>,
    /// Pairs assumed different, the smaller node first.
    different: Set<(Node, Node)>,
    contradictory: bool,
}

impl<'a> Context<'a> {
    fn new(terms: &'a Terms) -> Context<'a> {
        Context {
            terms,
            closure: Closure::new(terms),
            facts: Set::default(),
            denied: Set::default(),
            different: Set::default(),
            contradictory: false,
        }
    }

    /// Adds a literal that is assumed to be true. Connectives and comparisons say nothing here.
    fn assume(&mut self, literal: Literal) {
        let children = self.terms.children(literal.atom);
        match self.terms.op(literal.atom) {
            Op::Eq => {
                let (left, right) = (self.closure.class(children[0]), self.closure.class(children[1]));
                if literal.positive { self.equate(left, right) } else { self.distinguish(left, right) }
            }
            Op::Between(field) => {
                let [from, via, to] = [0, 1, 2].map(|i| self.closure.class(children[i]));
                let fact = Fact { field, from, via, to };
                if literal.positive { self.add(fact) } else { self.deny(fact) }
            }
            Op::App(_) | Op::True | Op::False => {
                let left = self.closure.class(literal.atom);
                let right = self.closure.class(self.terms.bool(literal.positive));
                self.equate(left, right);
            }
            _ => {}
        }
    }

    /// Applies one rule instance.
    fn apply(&mut self, at: usize, step: &RuleStep) -> Result<(), Fault> {
        let rule = find_rule(step.rule)?;
        let binding = self.bind(rule, step)?;
        for &premise in &rule.premises {
            if !self.holds(step.field, &binding, premise) {
                let expected = rule.premise_text(premise);
                return Err(Fault::Premise { at, rule: rule.name.clone(), expected });
            }
        }
        if let Some(found) = step.alternative.filter(|&i| i >= rule.alternatives.len()) {
            let expected = rule.alternatives.len();
            return Err(Fault::NoAlternative { at, rule: rule.name.clone(), expected, found });
        }
        for (i, heads) in rule.alternatives.iter().enumerate() {
            let concluded = step.alternative == Some(i);
            if !concluded && !heads.iter().any(|&head| self.is_refuted(step.field, &binding, head)) {
                let texts: Vec<String> = heads.iter().map(|&head| rule.head_text(head)).collect();
                let alternative = texts.join(", ");
                return Err(Fault::NotRefuted { at, rule: rule.name.clone(), alternative });
            }
        }
        match step.alternative {
            None => self.contradictory = true,
            Some(i) => {
                rule.alternatives[i].iter().for_each(|&head| self.conclude(step.field, &binding, head));
            }
        }
        Ok(())
    }

    /// Checks field, number and sorts of the values of a rule step.
    fn bind(&mut self, rule: &Rule, step: &RuleStep) -> Result<Vec<Node>, Fault> {
        let field = self.terms.func(step.field);
        if !field.is_link_field() {
            return Err(Fault::NotALinkField(field.name.clone()));
        }
        let (expected, found) = (rule.variables.len(), step.binding.len());
        if expected != found {
            return Err(Fault::Arity { place: format!("binding of {}", rule.name), expected, found });
        }
        for &value in &step.binding {
            super::proof::expect_sort(self.terms, value, field.result)?;
        }
        Ok(step.binding.iter().map(|&value: &TermId| self.closure.class(value)).collect())
    }

    fn holds(&mut self, field: FuncId, binding: &[Node], premise: Pattern) -> bool {
        match premise {
            Pattern::Occurs(_) | Pattern::Term(_) => true,
            Pattern::Equal(p, q) => self.eval(field, binding, p) == self.eval(field, binding, q),
            Pattern::Between(p, q, r) => match self.meaning_of(field, binding, [p, q, r]) {
                Meaning::True => true,
                Meaning::Equal(..) => false,
                Meaning::Path(fact) => self.facts.contains(&fact),
            },
        }
    }

    fn is_refuted(&mut self, field: FuncId, binding: &[Node], head: Head) -> bool {
        let (left, right) = match head {
            Head::Equal(p, q) => (self.eval(field, binding, p), self.eval(field, binding, q)),
            Head::Between(p, q, r) => match self.meaning_of(field, binding, [p, q, r]) {
                Meaning::True => return false,
                Meaning::Equal(left, right) => (left, right),
                Meaning::Path(fact) => return self.denied.contains(&fact),
            },
        };
        self.closure.differ(left, right) || self.different.contains(&(left.min(right), left.max(right)))
    }

    fn conclude(&mut self, field: FuncId, binding: &[Node], head: Head) {
        match head {
            Head::Equal(p, q) => {
                let (left, right) = (self.eval(field, binding, p), self.eval(field, binding, q));
                self.equate(left, right);
            }
            Head::Between(p, q, r) => {
                let [from, via, to] = [p, q, r].map(|arg| self.eval(field, binding, arg));
                self.add(Fact { field, from, via, to });
            }
        }
    }

    /// The representative of what stands in a place of a rule.
    fn eval(&mut self, field: FuncId, binding: &[Node], arg: Arg) -> Node {
        match arg {
            Arg::Var(x) => self.closure.find(binding[usize::from(x)]),
            Arg::App(x) => self.closure.apply(field, &[binding[usize::from(x)]]),
            Arg::Null => unreachable!("rules that mention null are not found"),
        }
    }

    fn meaning_of(&mut self, field: FuncId, binding: &[Node], args: [Arg; 3]) -> Meaning {
        let [from, via, to] = args.map(|arg| self.eval(field, binding, arg));
        self.meaning(Fact { field, from, via, to })
    }

    /// The normal form of a fact modulo the closure.
    fn meaning(&self, fact: Fact) -> Meaning {
        let [from, via, to] = [fact.from, fact.via, fact.to].map(|n| self.closure.find(n));
        if from == to {
            return if from == via { Meaning::True } else { Meaning::Equal(from, via) };
        }
        Meaning::Path(Fact { field: fact.field, from, via: if from == via { to } else { via }, to })
    }

    fn add(&mut self, fact: Fact) {
        match self.meaning(fact) {
            Meaning::True => {}
            Meaning::Equal(left, right) => self.equate(left, right),
            Meaning::Path(fact) => {
                self.facts.insert(fact);
                self.contradictory |= self.denied.contains(&fact);
            }
        }
    }

    fn deny(&mut self, fact: Fact) {
        match self.meaning(fact) {
            Meaning::True => self.contradictory = true,
            Meaning::Equal(left, right) => self.distinguish(left, right),
            Meaning::Path(fact) => {
                self.denied.insert(fact);
                self.contradictory |= self.facts.contains(&fact);
            }
        }
    }

    fn distinguish(&mut self, left: Node, right: Node) {
        let (left, right) = (self.closure.find(left), self.closure.find(right));
        self.different.insert((left.min(right), left.max(right)));
        self.contradictory |= left == right;
    }

    /// Merges two classes and restores the invariant, which may merge more: a fact `R(a, b, c)` becomes an
    /// equality when a and c become equal.
    fn equate(&mut self, left: Node, right: Node) {
        let mut todo = vec![(left, right)];
        while let Some((left, right)) = todo.pop() {
            if self.closure.find(left) == self.closure.find(right) {
                continue;
            }
            self.closure.merge(left, right);
            for fact in std::mem::take(&mut self.facts) {
                match self.meaning(fact) {
                    Meaning::True => {}
                    Meaning::Equal(left, right) => todo.push((left, right)),
                    Meaning::Path(fact) => {
                        self.facts.insert(fact);
                    }
                }
            }
        }
        for (left, right) in std::mem::take(&mut self.different) {
            self.distinguish(left, right);
        }
        for fact in std::mem::take(&mut self.denied) {
            self.deny(fact);
        }
        self.contradictory |= self.closure.has_conflict();
    }
}

/// The two terms are in one class.
pub(super) fn expect_equal(
    terms: &Terms,
    closure: &mut Closure<'_>,
    left: TermId,
    right: TermId,
) -> Result<(), Fault> {
    if closure.class(left) == closure.class(right) {
        return Ok(());
    }
    Err(Fault::NotEqual { left: show(terms, left), right: show(terms, right) })
}
