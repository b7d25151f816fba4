//! The return of the analysis with a context: whether the postcondition follows from what arrives there.
//!
//! What arrives is a set of partial cubes per heap and way, as the Cartesian post made them. Splitting and
//! cleaning would only tell the cases of that formula apart, so the core is asked about the formula itself: every cell
//! has one of the cubes, in a state that differs from the entry by what the function changes and in which the field
//! constraints hold. Without an answer the postcondition counts as not implied.
//!
//! Ways that leave without passing a loop are not abstracted: they start from no heap, and the proof of the program
//! covers them.

use super::background;
use super::places::Partial;
use super::prove::{self, Owner, Remaining};
use super::signature::{Kind, Signature};
use super::trial::Trial;
use crate::engine::solver::Answer;
use crate::logic::TermId;
use crate::program::encode::formula::Side;
use crate::program::encode::{Encoder, Inexpressible, Moment, Moments};
use crate::program::rewrite::{Rewrite, same};
use crate::program::wp::effect::Effect;
use crate::program::{At, Clause, EdgeId, FieldId, Formula, Set, StructId, Term, VarId, VarKind, print};
use crate::util::hash::Map;
use crate::verdict::Reason;
use std::collections::BTreeSet;

/// Work that a question may take.
const STEPS: u64 = 100_000;

/// What arrives: cubes by kind of cells.
pub(super) type Arrived = Vec<BTreeSet<Partial>>;

fn plain(message: impl ToString) -> Reason {
    Reason { message: message.to_string(), span: None }
}

/// The conjuncts of the postcondition: field constraints, which the precondition asks for too, and the others.
pub(super) fn postcondition(trial: &Trial<'_>) -> (Vec<Formula>, Vec<Formula>) {
    let program = trial.program;
    let contract = &program.contracts[trial.question.contract];
    let of = |clauses: &[Clause]| {
        let mut all = Vec::new();
        clauses.iter().for_each(|clause| background::conjuncts(&clause.formula, &mut all));
        all
    };
    let params = (0..program.vars.len()).filter(|&v| program.vars[v].kind == VarKind::Param);
    let params = params.map(|v| VarId(u32::try_from(v).unwrap_or(u32::MAX)));
    let given: Vec<(Term, Term)> = params.map(|v| (Term::Var(v, At::Now), Term::Var(v, At::Entry))).collect();
    let given = Rewrite { terms: &given, at: &same };
    // As texts: bound variables have numbers of their own in each clause.
    let text = |f: &Formula| print::formula(program, f);
    let given: Vec<String> = of(&contract.requires).iter().map(|f| text(&given.formula(f))).collect();
    of(&contract.ensures).into_iter().partition(|f| given.contains(&text(f)))
}

/// Any moment that differs from the entry by what the function can change.
fn changed(encoder: &mut Encoder<'_>, entry: &Moment) -> Result<Moment, Inexpressible> {
    let program = encoder.program();
    let ids = |n: usize| 0..u32::try_from(n).unwrap_or(u32::MAX);
    let edges: Vec<EdgeId> = ids(program.edges.len()).map(EdgeId).collect();
    let effect = Effect::of(program, &edges);
    let mut moment = encoder.fresh_moment()?;
    for v in ids(program.vars.len()).map(VarId).filter(|v| !effect.vars.contains(v)) {
        moment.vars[v.index()] = entry.vars[v.index()];
        moment.arrays[v.index()] = entry.arrays[v.index()];
    }
    for f in ids(program.fields.len()).map(FieldId).filter(|f| !effect.fields.contains(f)) {
        if !effect.allocates.contains(&program.fields[f.index()].owner) {
            moment.fields[f.index()] = entry.fields[f.index()];
        }
    }
    for s in ids(program.structs.len()).map(StructId) {
        if !effect.allocates.contains(&s) && !effect.frees.contains(&s) {
            moment.status[s.index()] = entry.status[s.index()];
        }
    }
    Ok(moment)
}

/// The return: a state that differs from the entry by what the function changes, in which the field constraints hold.
pub(super) fn at_return(
    encoder: &mut Encoder<'_>,
    entry: &Moment,
    constraints: &[Formula],
) -> Result<(Moment, Vec<TermId>), Inexpressible> {
    let moment = changed(encoder, entry)?;
    let labels = Map::default();
    let moments = Moments { now: &moment, entry, labels: &labels };
    let mut background = Vec::new();
    for constraint in constraints {
        if let Ok(fact) = encoder.formula(moments, constraint, Side::Assume) {
            background.push(fact);
        }
    }
    Ok((moment, background))
}

/// A cell has one of the cubes.
fn one_of(signature: &Signature, kind: &Kind, cubes: &BTreeSet<Partial>) -> Formula {
    let literal = |p: &Formula, truth: bool| match truth {
        true => p.clone(),
        false => Formula::Not(Box::new(p.clone())),
    };
    let cube = |c: &Partial| {
        let own = kind.predicates.iter().enumerate().filter(|(i, _)| c.mask >> i & 1 == 1);
        let own = own.map(|(i, p)| literal(p, c.value >> i & 1 == 1));
        let state = signature.atoms[..signature.n_state].iter().enumerate();
        let state = state.filter(|(i, _)| c.state_mask >> i & 1 == 1);
        Formula::And(own.chain(state.map(|(i, p)| literal(p, c.state_value >> i & 1 == 1))).collect())
    };
    Formula::Or(cubes.iter().map(cube).collect())
}

/// The struct whose cells a set has, if it can be seen.
fn cells_of(trial: &Trial<'_>, set: &Set) -> Option<StructId> {
    match set {
        Set::Cells(field, ..) | Set::Pre(field, ..) => Some(trial.program.fields[field.index()].owner),
        Set::Union(parts) | Set::Inter(parts) => parts.iter().find_map(|p| cells_of(trial, p)),
        Set::Diff(a, b) => cells_of(trial, a).or_else(|| cells_of(trial, b)),
        Set::Of(_) => None,
    }
}

/// A goal about all cells of a kind, as a formula about one of them.
fn of_one_cell<'s>(
    trial: &Trial<'_>,
    returns: &'s Signature,
    goal: &Formula,
) -> Option<(usize, &'s Kind, Formula)> {
    let kind = |of: StructId| returns.kinds.iter().enumerate().find(|(_, k)| k.of == of);
    match goal {
        Formula::Forall(binder, body) => {
            let (k, kind) = kind(binder.of?)?;
            let terms = [(Term::Bound(binder.id), Term::Bound(kind.object.id))];
            Some((k, kind, Rewrite { terms: &terms, at: &same }.formula(body)))
        }
        Formula::SameSet(a, b) => {
            let (k, kind) = kind(cells_of(trial, a).or_else(|| cells_of(trial, b))?)?;
            let within = |set: &Set| Box::new(Formula::In(Term::Bound(kind.object.id), set.clone()));
            Some((k, kind, Formula::Iff(within(a), within(b))))
        }
        _ => None,
    }
}

/// What arrives, ready to be asked about.
struct Return<'t, 'p> {
    trial: &'t Trial<'p>,
    returns: &'t Signature,
    entry: Moment,
    moment: Moment,
    background: Vec<TermId>,
}

impl Return<'_, '_> {
    /// The questions whether a goal fails, easiest first; the goal follows if one of them is refuted.
    ///
    /// The universal formula of a heap is what makes a question hard. Mostly its instance at the one cell that the goal
    /// is about is enough, or those at the rows with it.
    fn questions(
        &self,
        encoder: &mut Encoder<'_>,
        arrived: &Arrived,
        goal: &Formula,
    ) -> Result<Vec<Vec<TermId>>, Inexpressible> {
        let labels = Map::default();
        let moments = Moments { now: &self.moment, entry: &self.entry, labels: &labels };
        let (mut rows, mut all) = (self.background.clone(), Vec::new());
        for (kind, cubes) in self.returns.kinds.iter().zip(arrived) {
            let one = one_of(self.returns, kind, cubes);
            for row in &kind.rows {
                let terms = [(Term::Bound(kind.object.id), row.clone())];
                let here = Rewrite { terms: &terms, at: &same }.formula(&one);
                rows.push(encoder.formula(moments, &here, Side::Assume)?);
            }
            let all_cells = Formula::Forall(kind.object.clone(), Box::new(one));
            all.push(encoder.formula(moments, &all_cells, Side::Assume)?);
        }
        let mut out = Vec::new();
        if let Some((k, kind, body)) = of_one_cell(self.trial, self.returns, goal) {
            let sort = encoder.sort_of(kind.of);
            let cell = encoder.unknown("object", sort)?;
            let one = one_of(self.returns, kind, &arrived[k]);
            let here = encoder.formula_with(moments, (kind.object.id, cell), &one, Side::Assume)?;
            let holds = encoder.formula_with(moments, (kind.object.id, cell), &body, Side::Prove)?;
            let fails = encoder.terms.not(holds)?;
            out.push(self.background.iter().copied().chain([here, fails]).collect());
            out.push(rows.iter().copied().chain([here, fails]).collect());
        }
        let holds = encoder.formula(moments, goal, Side::Prove)?;
        let fails = encoder.terms.not(holds)?;
        out.push(rows.into_iter().chain(all).chain([fails]).collect());
        Ok(out)
    }
}

/// Whether the postcondition, field constraints apart, follows from everything that arrives; else what does not. The
/// number of questions comes with it.
pub(super) fn hold(
    trial: &Trial<'_>,
    returns: &Signature,
    arrived: &BTreeSet<Arrived>,
    remaining: &Remaining,
) -> Result<(Option<Formula>, u64), Reason> {
    let mut conditions = trial.conditions(trial.program)?;
    let (constraints, goals) = postcondition(trial);
    let entry = conditions.entry.clone();
    let made = at_return(&mut conditions.encoder, &entry, &constraints);
    let (moment, background) = made.map_err(|reason| plain(reason.0))?;
    let state = Return { trial, returns, entry, moment, background };
    let mut asked = Vec::new();
    for arrived in arrived {
        for goal in &goals {
            let questions = state.questions(&mut conditions.encoder, arrived, goal);
            asked.push((goal, questions.map_err(|reason| plain(reason.0))?));
        }
    }
    let mut solver = prove::solver(&conditions).map_err(plain)?;
    let mut queries = 0;
    for (goal, questions) in asked {
        let mut follows = false;
        for question in questions {
            queries += 1;
            let answer = remaining.ask(Owner::Own, &mut solver, &question, STEPS).map_err(plain)?;
            follows = matches!(answer, Answer::Unsat(_));
            if follows {
                break;
            }
        }
        if !follows {
            remaining.release(Owner::Own);
            return Ok((Some(goal.clone()), queries));
        }
    }
    remaining.release(Owner::Own);
    Ok((None, queries))
}
