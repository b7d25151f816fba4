//! The two conditions of a replacement, proved on ground instances of the axioms.

use super::{Axiom, Reading, Recognised};
use crate::engine::solver::{Answer, Config, Solver};
use crate::logic::{BuildError, SortId, TermId, Terms};
use crate::rules::syntax::{Arg, Head, Pattern, Rule};
use crate::rules::table::table;
use crate::util::limits::Limits;

/// Ground instances of one axiom set for one question.
const MOST_INSTANCES: usize = 2_000;
/// Work for one question.
const STEPS: u64 = 300_000;

/// The questions whose answers make a candidate right.
pub(super) struct Questions<'q> {
    terms: &'q mut Terms,
    candidate: &'q Recognised,
    axioms: &'q [&'q Axiom],
    sort: SortId,
}

impl<'q> Questions<'q> {
    pub(super) fn new(
        terms: &'q mut Terms,
        candidate: &'q Recognised,
        axioms: &'q [&'q Axiom],
    ) -> Questions<'q> {
        let sort = terms.func(candidate.field).result;
        Questions { terms, candidate, axioms, sort }
    }

    pub(super) fn all_hold(&mut self) -> Result<bool, BuildError> {
        if self.candidate.reading == Reading::Graph {
            return self.implies_graph();
        }
        let Some(theory) = table().theory("lisbq") else { return Ok(false) };
        for rule in &theory.rules {
            if rule.mentions_null() || !self.implies_rule(rule)? {
                return Ok(false);
            }
        }
        self.implies_reading()
    }

    fn constants(&mut self, n: usize) -> Vec<TermId> {
        (0..n).map(|_| self.terms.fresh_const("point", self.sort)).collect()
    }

    fn implies_rule(&mut self, rule: &Rule) -> Result<bool, BuildError> {
        let points = self.constants(rule.variables.len());
        let mut negation = Vec::new();
        for premise in &rule.premises {
            match *premise {
                Pattern::Occurs(_) | Pattern::Term(_) => {}
                Pattern::Between(p, q, r) => negation.push(self.between(&points, [p, q, r])?),
                Pattern::Equal(p, q) => negation.push(self.equal(&points, p, q)?),
            }
        }
        for alternative in &rule.alternatives {
            let heads: Result<Vec<TermId>, BuildError> = alternative
                .iter()
                .map(|head| match *head {
                    Head::Between(p, q, r) => self.between(&points, [p, q, r]),
                    Head::Equal(p, q) => self.equal(&points, p, q),
                })
                .collect();
            let all = self.terms.and(&heads?)?;
            negation.push(self.terms.not(all)?);
        }
        self.refuted(&points, &negation)
    }

    fn implies_reading(&mut self) -> Result<bool, BuildError> {
        let Recognised { predicate, reading, .. } = *self.candidate;
        let points = self.constants(self.terms.func(predicate).args.len());
        let atom = self.terms.app(predicate, &points)?;
        let read =
            reading.tau(self.terms, &points, &mut |terms, args| reading.beta(terms, predicate, args))?;
        let differ = self.terms.xor(atom, read)?;
        self.refuted(&points, &[differ])
    }

    fn implies_graph(&mut self) -> Result<bool, BuildError> {
        let Recognised { predicate, .. } = *self.candidate;
        let sorts = self.terms.func(predicate).args.clone();
        let points: Vec<TermId> =
            sorts.into_iter().map(|sort| self.terms.fresh_const("point", sort)).collect();
        let atom = self.terms.app(predicate, &points)?;
        let read = self.candidate.translation(self.terms, &points)?;
        let differ = self.terms.xor(atom, read)?;
        self.refuted(&points, &[differ])
    }

    fn arg(&mut self, points: &[TermId], arg: Arg) -> Result<TermId, BuildError> {
        match arg {
            Arg::Var(x) => Ok(points[x as usize]),
            Arg::App(x) => self.terms.app(self.candidate.field, &[points[x as usize]]),
            Arg::Null => Err(BuildError::Unsupported("null in a rule without null".to_owned())),
        }
    }

    fn between(&mut self, points: &[TermId], args: [Arg; 3]) -> Result<TermId, BuildError> {
        let [x, y, z] = args;
        let args = [self.arg(points, x)?, self.arg(points, y)?, self.arg(points, z)?];
        self.candidate.reading.beta(self.terms, self.candidate.predicate, args)
    }

    fn equal(&mut self, points: &[TermId], p: Arg, q: Arg) -> Result<TermId, BuildError> {
        let (p, q) = (self.arg(points, p)?, self.arg(points, q)?);
        self.terms.eq(p, q)
    }

    /// Whether the axioms contradict the formulas about these points.
    fn refuted(&mut self, points: &[TermId], formulas: &[TermId]) -> Result<bool, BuildError> {
        let mut ground = points.to_vec();
        let from = self.terms.func(self.candidate.field).args[0];
        for &point in points {
            if self.terms.sort(point) == from {
                ground.push(self.terms.app(self.candidate.field, &[point])?);
            }
        }
        // What refutes is nearly always an axiom with other names; the rest costs more and finds little.
        for (over, injective) in [(points, true), (points, false), (&ground[..], false)] {
            let most: usize =
                self.axioms.iter().map(|a| over.len().saturating_pow(a.variables.len() as u32)).sum();
            if most > MOST_INSTANCES {
                return Ok(false);
            }
            let instances = self.instances(over, injective);
            if self.unsat(formulas, &instances)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Instances of all axioms over some terms.
    fn instances(&mut self, over: &[TermId], injective: bool) -> Vec<TermId> {
        let mut instances = Vec::new();
        for axiom in self.axioms {
            let values: Vec<Vec<TermId>> = axiom
                .variables
                .iter()
                .map(|&var| {
                    let sort = self.terms.variable_info(var).1;
                    over.iter().copied().filter(|&term| self.terms.sort(term) == sort).collect()
                })
                .collect();
            if values.iter().any(Vec::is_empty) {
                continue;
            }
            // A variable more than there are terms has to share one.
            let injective = injective && axiom.variables.len() <= over.len();
            let mut choice = vec![0; values.len()];
            'choices: loop {
                let chosen: Vec<TermId> = choice.iter().zip(&values).map(|(&i, of)| of[i]).collect();
                if !injective || (1..chosen.len()).all(|i| !chosen[..i].contains(&chosen[i])) {
                    let map = axiom.variables.iter().copied().zip(chosen).collect();
                    instances.push(self.terms.substitute(axiom.body, &map));
                }
                for (digit, of) in choice.iter_mut().zip(&values) {
                    *digit += 1;
                    if *digit < of.len() {
                        continue 'choices;
                    }
                    *digit = 0;
                }
                break;
            }
        }
        instances.sort_unstable();
        instances.dedup();
        instances
    }

    fn unsat(&mut self, formulas: &[TermId], instances: &[TermId]) -> Result<bool, BuildError> {
        ask_unsat(self.terms, formulas.iter().chain(instances).copied())
    }
}

/// Whether ground formulas are contradictory; not if that takes long.
pub(super) fn ask_unsat(
    terms: &mut Terms,
    formulas: impl Iterator<Item = TermId>,
) -> Result<bool, BuildError> {
    let config = Config { minimise_cores: false, ..Config::default() };
    let mut solver = Solver::with_terms(config, std::mem::take(terms));
    solver.set_limits(Limits { steps: Some(STEPS), ..Limits::default() });
    let asserted = formulas.into_iter().try_for_each(|formula| solver.assert(formula));
    let answer = asserted.map(|()| solver.check());
    *terms = std::mem::take(solver.terms_mut());
    Ok(matches!(answer?, Answer::Unsat(_)))
}
