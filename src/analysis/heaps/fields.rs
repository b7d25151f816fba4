//! What postconditions claim of the fields of single cells: links that lead back, and comparisons of what variables
//! point to.

use super::background;
use super::claims::{MAX_OBJECTS, MAX_PARTS, before_return, conclusions, with_constants_now};
use super::live;
use super::signature::push;
use crate::program::walk::{self, Part};
use crate::program::{
    At, Binder, BoundId, Clause, Cmp, Field, FieldId, Formula, Program, Question, Term, Track, VarId, VarKind,
};
use crate::util::hash::Set;

/// The links that a postcondition claims to lead back and the precondition too, as predicates of cells: where the conjunct
/// is not kept as it is, a cell whose link leads nowhere or leads back has to be told from the others.
pub(super) fn of_back_links(program: &Program, question: &Question) -> Vec<Track> {
    let contract = &program.contracts[question.contract];
    let links = |clauses: &[Clause]| {
        let mut out = Vec::new();
        for clause in clauses {
            let mut tests = Vec::new();
            conclusions(&clause.formula, &mut Vec::new(), &mut tests);
            out.extend(tests.into_iter().filter_map(|t| Some((leads_back(t)?, clause.span))));
        }
        out
    };
    let given = links(&contract.requires);
    let id = BoundId(program.bounds.saturating_add(program.structs.len() as u32).saturating_add(1));
    let mut out: Vec<Track> = Vec::new();
    for ((to, back), span) in links(&contract.ensures) {
        let Field { owner, ty, .. } = program.fields[to.index()];
        let Some(target) = ty.pointee().filter(|_| given.iter().any(|(l, _)| *l == (to, back))) else {
            continue;
        };
        let object = Binder { id, name: "v".to_owned(), of: Some(owner) };
        let there = Term::Field(to, At::Now, Box::new(Term::Bound(id)));
        let again = Term::Field(back, At::Now, Box::new(there.clone()));
        let formula = Formula::Implies(
            Box::new(Formula::ne(there, Term::Null(target))),
            Box::new(Formula::eq(again, Term::Bound(id))),
        );
        if out.len() < MAX_OBJECTS && !out.iter().any(|t| t.clause.formula == formula) {
            out.push(Track { object: Some(object), clause: Clause { formula, span }, at: None });
        }
    }
    out
}

/// What is claimed at the end of fields of single cells, as it may hold at the loop: `\result->prev == NULL`,
/// `\result <= t->key`.
pub(super) fn of_fields(program: &Program, question: &Question, live: &Set<VarId>) -> Vec<Formula> {
    let mut all = Vec::new();
    for clause in &program.contracts[question.contract].ensures {
        background::conjuncts(&clause.formula, &mut all);
    }
    let mut out = Vec::new();
    for claim in all {
        let Some(claim) = before_return(program, &claim) else { continue };
        let claim = with_constants_now(program, &claim);
        let (mut is_plain, mut has_field) = (true, false);
        walk::formula(&claim, &mut |part| match part {
            Part::Formula(
                Formula::Compare(..)
                | Formula::Implies(..)
                | Formula::Not(_)
                | Formula::And(_)
                | Formula::Or(_),
            )
            | Part::Term(Term::Var(..) | Term::Null(_) | Term::Int(_) | Term::Binary(..)) => {}
            Part::Term(Term::Field(_, At::Now, _)) => has_field = true,
            _ => is_plain = false,
        });
        let mut vars = Set::default();
        live::variables(&claim, &mut vars);
        let is_param = |v: &VarId| program.vars[v.index()].kind == VarKind::Param;
        let is_known = vars.iter().all(|v| live.contains(v) || is_param(v));
        if is_plain && has_field && is_known && out.len() < MAX_PARTS {
            push(&mut out, claim);
        }
    }
    out
}

/// The links of a claim that the second leads back from where the first leads.
pub(super) fn leads_back(test: &Formula) -> Option<(FieldId, FieldId)> {
    let Formula::Compare(Cmp::Eq, a, b) = test else { return None };
    let links = |path: &Term, end: &Term| match (path, end) {
        (Term::Field(back, _, of), Term::Bound(end)) => match &**of {
            Term::Field(to, _, start) => {
                matches!(**start, Term::Bound(s) if s == *end).then_some((*to, *back))
            }
            _ => None,
        },
        _ => None,
    };
    links(a, b).or_else(|| links(b, a))
}
