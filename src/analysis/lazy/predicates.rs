//! The predicate half: Cartesian posts of scalar predicates, decided by the core.
//!
//! A state knows of each predicate that it holds, that it does not, or neither. The post of a command asks for
//! every predicate that the command can change whether it, or its negation, follows from the literals and the
//! command. What is read from the heap is unknown here. Answers are remembered by command and literals. Each model that
//! the core finds is evaluated on all predicates: what it shows to be possible is not asked (on splice half of
//! the questions is left).

use super::path::heap_free;
use super::shape::truths::{Kleene, Truths};
use crate::engine::answer::{Answer, Config};
use crate::engine::solver::Solver;
use crate::logic::TermId;
use crate::logic::eval::Evaluator;
use crate::program::encode::{Encoder, Inexpressible};
use crate::program::{Command, Cond, EdgeId, Expr, Program, VarId};
use crate::util::hash::Map;
use crate::util::limits::Limits;

/// Posts under one list of predicates.
pub struct Predicates {
    solver: Solver,
    /// The predicates before, and their negations.
    before: Vec<[TermId; 2]>,
    steps: Map<EdgeId, Step>,
    memo: Map<(EdgeId, bool, Truths), Option<Truths>>,
    /// Questions asked.
    pub queries: u64,
}

/// A command as terms.
struct Step {
    /// What it assumes.
    guard: Option<TermId>,
    /// What makes it fail: the accessed pointer is null, the assertion is false.
    fault: Option<TermId>,
    /// By predicate: the predicate after and its negation, if the command can change what is known of it.
    after: Vec<Option<[TermId; 2]>>,
}

impl Predicates {
    /// Prepares all commands of the program.
    ///
    /// # Errors
    /// If a predicate cannot be expressed.
    pub fn new(program: &Program, atoms: &[Cond], limits: &Limits) -> Result<Predicates, Inexpressible> {
        let mut encoder = Encoder::new(program)?;
        let now = encoder.fresh_moment()?;
        let pair =
            |encoder: &mut Encoder<'_>, moment: &_, atom: &Cond| -> Result<[TermId; 2], Inexpressible> {
                let term = encoder.cond(moment, atom)?;
                Ok([term, encoder.terms.not(term)?])
            };
        let before = atoms.iter().map(|a| pair(&mut encoder, &now, a)).collect::<Result<Vec<_>, _>>()?;
        let mut steps = Map::default();
        for (i, edge) in program.edges.iter().enumerate() {
            let mut then = now.clone();
            let mut written = None;
            let mut guard = None;
            match &edge.command {
                Command::Assign(x, e) => {
                    then.vars[x.index()] = encoder.expr(&now, e)?;
                    written = Some(*x);
                }
                Command::Load { to: x, .. } | Command::Havoc(x) | Command::LoadElement { to: x, .. } => {
                    then.vars[x.index()] = encoder.fresh_var(*x)?;
                    written = Some(*x);
                }
                Command::Alloc { to: x, of, .. } => {
                    let cell = encoder.fresh_var(*x)?;
                    then.vars[x.index()] = cell;
                    guard = Some(encoder.not_null(*of, cell)?);
                    written = Some(*x);
                }
                Command::Assume(cond) => guard = Some(encoder.cond(&now, cond)?),
                _ => {}
            }
            let mut after = Vec::new();
            for atom in atoms {
                let filters = matches!(edge.command, Command::Assume(_));
                let changed = filters || written.is_some_and(|x| mentions(atom, x));
                after.push(if changed { Some(pair(&mut encoder, &then, atom)?) } else { None });
            }
            let fault = match &edge.command {
                Command::Load { from: x, .. } | Command::Store { to: x, .. } => {
                    let of = program.vars[x.index()].ty.pointee();
                    let null = of.map(|of| encoder.null(of));
                    null.map(|null| encoder.terms.eq(now.vars[x.index()], null)).transpose()?
                }
                Command::Assert { formula, .. } => match heap_free(formula) {
                    Some(cond) => {
                        let holds = encoder.cond(&now, &cond)?;
                        guard = Some(holds);
                        Some(encoder.terms.not(holds)?)
                    }
                    None => None,
                },
                _ => None,
            };
            steps.insert(EdgeId(i as u32), Step { guard, fault, after });
        }
        let facts = std::mem::take(&mut encoder.facts);
        let mut solver = Solver::with_terms(
            Config { minimise_cores: false, ..Config::default() },
            std::mem::take(&mut encoder.terms),
        );
        solver.set_limits(limits.clone());
        for fact in facts {
            solver.assert(fact)?;
        }
        Ok(Predicates { solver, before, steps, memo: Map::default(), queries: 0 })
    }

    /// Nothing known of any predicate.
    #[must_use]
    pub fn unknown(&self) -> Truths {
        let all = if self.before.is_empty() { 0 } else { u128::MAX >> (128 - self.before.len()) };
        Truths { can: all, cannot: all }
    }

    fn literals(&self, known: Truths) -> Vec<TermId> {
        let literal = |(i, pair): (usize, &[TermId; 2])| match known.get(i) {
            Kleene::True => Some(pair[0]),
            Kleene::False => Some(pair[1]),
            Kleene::Half => None,
        };
        self.before.iter().enumerate().filter_map(literal).collect()
    }

    /// Whether the assumptions contradict each other. "No" if the core does not know. If they do not, what the predicates are
    /// in the model is added to what they can be.
    fn refuted(&mut self, assumptions: &[TermId], after: &[Option<[TermId; 2]>], seen: &mut Truths) -> bool {
        self.queries += 1;
        let model = match self.solver.check_assuming(assumptions) {
            Ok(Answer::Unsat(_)) => return true,
            Ok(Answer::Sat(model)) => model,
            _ => return false,
        };
        let mut evaluator = Evaluator::new(self.solver.terms(), &model);
        for (i, pair) in after.iter().enumerate() {
            match pair.map(|[holds, _]| evaluator.holds(holds)) {
                Some(Ok(true)) => seen.can |= 1 << i,
                Some(Ok(false)) => seen.cannot |= 1 << i,
                Some(Err(_)) | None => {}
            }
        }
        false
    }

    /// What is known after the command; `None` if it cannot be executed.
    pub fn post(&mut self, edge: EdgeId, known: Truths) -> Option<Truths> {
        if let Some(answer) = self.memo.get(&(edge, false, known)) {
            return *answer;
        }
        let answer = self.compute(edge, known);
        self.memo.insert((edge, false, known), answer);
        answer
    }

    fn compute(&mut self, edge: EdgeId, known: Truths) -> Option<Truths> {
        let step = &self.steps[&edge];
        let (guard, after) = (step.guard, step.after.clone());
        let mut assumptions = self.literals(known);
        assumptions.extend(guard);
        // What some model shows needs no question.
        let mut seen = Truths::default();
        if guard.is_some() && self.refuted(&assumptions, &after, &mut seen) {
            return None;
        }
        let mut result = known;
        for (i, pair) in after.iter().enumerate() {
            let Some([holds, fails]) = *pair else { continue };
            let mut excluded = |this: &mut Predicates, term: TermId, shown: fn(&Truths) -> u128| {
                if shown(&seen) >> i & 1 == 1 {
                    return false;
                }
                assumptions.push(term);
                let refuted = this.refuted(&assumptions, &after, &mut seen);
                assumptions.pop();
                refuted
            };
            let value = if excluded(self, fails, |seen| seen.cannot) {
                Kleene::True
            } else if excluded(self, holds, |seen| seen.can) {
                Kleene::False
            } else {
                Kleene::Half
            };
            result.set(i, value);
        }
        Some(result)
    }

    /// Whether the command may fail, as far as variables tell.
    pub fn may_fail(&mut self, edge: EdgeId, known: Truths) -> bool {
        let Some(fault) = self.steps[&edge].fault else { return true };
        if let Some(answer) = self.memo.get(&(edge, true, known)) {
            return answer.is_some();
        }
        let mut assumptions = self.literals(known);
        assumptions.push(fault);
        let may = !self.refuted(&assumptions, &[], &mut Truths::default());
        self.memo.insert((edge, true, known), may.then_some(known));
        may
    }
}

/// Whether a condition speaks of the variable.
#[must_use]
pub fn mentions(cond: &Cond, v: VarId) -> bool {
    let mut found = false;
    crate::program::walk::cond(cond, &mut |e| found |= *e == Expr::Var(v));
    found
}
