//! What a failing run breaks: the formula, of it the conjunct that is false, and the values that make it so.

use super::draw::Canvas;
use super::names;
use crate::program::eval::{Evaluator, States, holds};
use crate::program::walk::{self, Part};
use crate::program::{
    Binder, BoundId, CellId, Command, Formula, Program, State, Term, Value, VarKind, print,
};
use crate::verdict::Trace;

/// Values that are shown.
const MOST_VALUES: usize = 6;

/// The conjunct that is false.
pub struct Broken {
    /// What must hold, in the annotation language.
    pub expected: String,
    /// The values of its terms, `x->key = 3`.
    pub found: Vec<String>,
}

/// The formula that fails at the end of a run, if one does.
#[must_use]
pub fn formula<'p>(program: &'p Program, trace: &Trace) -> Option<&'p Formula> {
    let now = &trace.steps.last()?.state;
    let states = States { now, entry: &trace.initial, labels: &[] };
    let ensures = program.contracts.iter().flat_map(|c| &c.ensures);
    let invariants = program.loops.iter().flat_map(|l| &l.invariants);
    let clauses = ensures.chain(invariants).filter(|c| c.span == trace.failure.span);
    let mut formulas: Vec<&Formula> = clauses.map(|clause| &clause.formula).collect();
    if let Command::Assert { formula, .. } = &program.edges[trace.steps.last()?.edge.index()].command {
        formulas.push(formula);
    }
    formulas.into_iter().find(|f| holds(program, states, f) == Ok(false))
}

/// What is false about it.
#[must_use]
pub fn broken(program: &Program, trace: &Trace, canvas: &mut Canvas<'_>) -> Option<Broken> {
    let now = &trace.steps.last()?.state;
    let mut search = Search {
        program,
        states: States { now, entry: &trace.initial, labels: &[] },
        bound: Vec::new(),
        binders: Vec::new(),
    };
    let whole = formula(program, trace)?;
    let conjunct = search.conjunct(whole);
    // What only lowering knows says nothing to a reader.
    let mut says = !matches!(conjunct, Formula::Const(_));
    walk::formula(conjunct, &mut |part| {
        if let Part::Term(Term::Var(v, _)) = part {
            says &= program.vars[v.index()].kind != VarKind::Temp;
        }
    });
    if !says {
        return None;
    }
    let expected = print::formula(program, conjunct);
    let inner = search.inner(conjunct);
    let mut found = Vec::new();
    for (binder, (_, value)) in search.binders.clone().iter().zip(search.bound.clone()) {
        found.push(format!("{} = {}", search.text(&Term::Bound(binder.id)), canvas.value(now, value)));
    }
    let mut terms = Vec::new();
    walk::formula(inner, &mut |part| {
        let Part::Term(term) = part else { return };
        let constant =
            matches!(term, Term::Null(_) | Term::Int(_) | Term::Bound(_) | Term::Binary(..) | Term::Neg(_));
        if !constant && !terms.contains(term) {
            terms.push(term.clone());
        }
    });
    for term in terms {
        if let Ok(value) = search.evaluator().term(&term) {
            let shown = format!("{} = {}", search.text(&term), canvas.value(now, value));
            if !found.contains(&shown) && !shown.ends_with('?') {
                found.push(shown);
            }
        }
    }
    found.truncate(MOST_VALUES);
    let found = found.iter().map(|text| names::without_numbers(text)).collect();
    Some(Broken { expected: names::without_numbers(&expected), found })
}

struct Search<'a> {
    program: &'a Program,
    states: States<'a>,
    /// Values of quantified variables for which the rest is false.
    bound: Vec<(BoundId, Value)>,
    binders: Vec<Binder>,
}

impl<'a> Search<'a> {
    fn evaluator(&self) -> Evaluator<'a> {
        let mut evaluator = Evaluator::new(self.program, self.states);
        self.bound.iter().for_each(|(id, value)| evaluator.bind(*id, *value));
        evaluator
    }

    fn is(&self, formula: &Formula, truth: bool) -> bool {
        self.evaluator().formula(formula) == Ok(truth)
    }

    fn text(&self, term: &Term) -> String {
        print::term_under(self.program, &self.binders, term)
    }

    /// The first false conjunct of a false formula.
    fn conjunct<'f>(&self, formula: &'f Formula) -> &'f Formula {
        match formula {
            Formula::And(parts) => match parts.iter().find(|part| self.is(part, false)) {
                Some(part) => self.conjunct(part),
                None => formula,
            },
            _ => formula,
        }
    }

    /// The smallest part of a false formula that has to be true, below its quantifiers.
    fn inner<'f>(&mut self, formula: &'f Formula) -> &'f Formula {
        match formula {
            Formula::And(_) => {
                let part = self.conjunct(formula);
                if std::ptr::eq(part, formula) { formula } else { self.inner(part) }
            }
            Formula::Implies(p, q) if self.is(p, true) => self.inner(q),
            Formula::Forall(binder, body) => {
                let state: &State = self.states.now;
                let Some(of) = binder.of else { return formula };
                let cells = (0..state.cells.len()).map(|i| CellId(i as u32));
                let cells = cells.filter(|c| state.cells[c.index()].of == of).map(Value::Cell);
                for value in std::iter::once(Value::Null).chain(cells) {
                    self.bound.push((binder.id, value));
                    if self.is(body, false) {
                        self.binders.push(binder.clone());
                        return self.inner(body);
                    }
                    self.bound.pop();
                }
                formula
            }
            _ => formula,
        }
    }
}
