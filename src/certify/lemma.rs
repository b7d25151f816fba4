//! Theory lemmas: rule steps and closing.
//!
//! The context of a lemma (`context`) holds the negations of its literals. Rule steps, interpreted from the
//! table, add to it; the derivation closes when it is contradictory, or by arithmetic (`cuts`).
//!
//! `term f(x)` and "x occurs" are premises that steer the search. A function is total and a term denotes
//! whether or not it was written down before, so they are always true here.

use super::closure::Node;
use super::context::{Context, Fact, Meaning};
use super::cuts::check_cuts;
use super::error::Fault;
use crate::logic::{FuncId, TermId, Terms};
use crate::proof::{Closing, Derivation, Literal, RuleStep};
use crate::rules::syntax::{Arg, Head, Pattern, Rule};
use crate::rules::table::table;

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

impl Context<'_> {
    /// Applies one rule instance.
    fn apply(&mut self, at: usize, step: &RuleStep) -> Result<(), Fault> {
        let rule = find_rule(step.rule)?;
        let binding = self.bind(rule, step)?;
        if let Some(found) = step.alternative.filter(|&i| i >= rule.alternatives.len()) {
            let expected = rule.alternatives.len();
            return Err(Fault::NoAlternative { at, rule: rule.name.clone(), expected, found });
        }
        if self.contradictory {
            // Everything follows; in particular a head that normalises to `true` has nothing to refute it.
            return Ok(());
        }
        for &premise in &rule.premises {
            if !self.holds(step.field, &binding, premise) {
                let expected = rule.premise_text(premise);
                return Err(Fault::Premise { at, rule: rule.name.clone(), expected });
            }
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
        self.closure.differ(left, right) || self.are_different(left, right)
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::{Evaluator, Model, Op, Value};
    use crate::util::rng::Rng;

    const N_CELLS: u32 = 3;

    /// Whether the conjunction of the literals is false in every model with three cells.
    fn is_unsatisfiable(t: &Terms, next: FuncId, constants: &[TermId], literals: &[Literal]) -> bool {
        let cell = t.func(next).result;
        let n_models = N_CELLS.pow(N_CELLS + constants.len() as u32);
        (0..n_models).all(|mut code| {
            let mut digit = || {
                let digit = code % N_CELLS;
                code /= N_CELLS;
                Value::Elem(digit)
            };
            let mut model = Model::new(t);
            model.set_size(cell, N_CELLS);
            for from in 0..N_CELLS {
                model.set(t, next, &[Value::Elem(from)], digit());
            }
            for &constant in constants {
                let Op::App(func) = t.op(constant) else { panic!("a constant") };
                model.set(t, func, &[], digit());
            }
            let mut evaluator = Evaluator::new(t, &model);
            !literals.iter().all(|l| evaluator.holds(l.atom).unwrap() == l.positive)
        })
    }

    /// Applies every rule instance that the context allows until nothing changes.
    fn saturate(context: &mut Context<'_>, field: FuncId, values: &[TermId]) {
        let size = |context: &Context<'_>| (context.facts.len(), context.closure.n_classes());
        let mut before = None;
        while !context.contradictory && before != Some(size(context)) {
            before = Some(size(context));
            for rule in &table().theory("lisbq").unwrap().rules {
                for mut code in 0..values.len().pow(rule.variables.len() as u32) {
                    let binding: Vec<TermId> = (0..rule.variables.len())
                        .map(|_| {
                            let value = values[code % values.len()];
                            code /= values.len();
                            value
                        })
                        .collect();
                    for alternative in [None, Some(0), Some(1)] {
                        let binding = binding.clone();
                        // Refused steps leave the context as it was.
                        let _ = context.apply(0, &RuleStep { field, rule: &rule.name, binding, alternative });
                    }
                }
            }
        }
    }

    /// Whatever the context calls contradictory is false in all small models. The share of unsatisfiable
    /// conjunctions that are refuted shows that the test is not empty; the rest needs case splits.
    #[test]
    fn contradictions_agree_with_brute_force() {
        let mut t = Terms::new();
        let cell = t.declare_sort("Cell").unwrap();
        let next = t.declare_fun("next", &[cell], cell).unwrap();
        let constants = ["a", "b", "c"].map(|n| t.declare_const(n, cell).unwrap());
        let mut values = constants.to_vec();
        values.push(t.app(next, &[constants[0]]).unwrap());
        let mut rng = Rng::new(11);
        let (mut n_refuted, mut n_unsatisfiable) = (0, 0);
        for _ in 0..250 {
            let mut literals = Vec::new();
            for _ in 0..3 + rng.below(4) {
                let [x, y, z] = [0; 3].map(|_| *rng.pick(&values));
                let atom = if rng.one_in(4) { t.eq(x, y) } else { t.between(next, x, y, z) }.unwrap();
                literals.push(Literal::new(&t, atom, !rng.one_in(3)));
            }
            let mut context = Context::new(&t);
            literals.iter().for_each(|&l| context.assume(l));
            saturate(&mut context, next, &values);
            let unsatisfiable = is_unsatisfiable(&t, next, &constants, &literals);
            assert!(unsatisfiable || !context.contradictory, "{literals:?}");
            n_refuted += usize::from(context.contradictory);
            n_unsatisfiable += usize::from(unsatisfiable);
        }
        assert!(n_refuted >= 50 && 10 * n_refuted >= 7 * n_unsatisfiable, "{n_refuted} of {n_unsatisfiable}");
    }
}
