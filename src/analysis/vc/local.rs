//! Clauses that speak of single cells and their neighbours, for loops about which nobody says anything: what programs
//! with lists mostly keep. Each is proposed for all variables; which of them hold is found out elsewhere.

use super::Remaining;
use super::candidates::candidates;
use super::hint::reached;
use crate::analysis::Setup;
use crate::program::eval::{States, holds};
use crate::program::initialised::certainly_assigned;
use crate::program::{
    At, Binder, BoundId, Check, FieldId, Formula, LoopId, Program, Question, StructId, Term, Type, VarId,
    VarKind,
};

/// Pointers of one kind that are looked at.
const MAX_POINTERS: usize = 6;
/// Candidates of a loop that hold in all runs that were tried, at most.
const MAX_KEPT: usize = 120;
/// States of runs at a loop that candidates are tried on.
const MAX_STATES: usize = 400;

/// Clauses per loop that hold in all short runs.
#[must_use]
pub fn proposals(program: &Program, question: &Question, setup: &Setup) -> Vec<(LoopId, Vec<Formula>)> {
    let remaining = Remaining::new(&setup.limits);
    let states = reached(program, question, &remaining);
    let mut out = Vec::new();
    for number in 0..program.loops.len() {
        let of = LoopId(number as u32);
        let seen = states.get(&of).map_or(&[][..], |s| &s[..s.len().min(MAX_STATES)]);
        let true_in_runs = |f: &Formula| {
            let holds =
                |(now, entry): &(_, _)| holds(program, States { now, entry, labels: &[] }, f) == Ok(true);
            !seen.is_empty() && seen.iter().all(holds)
        };
        let mut kept: Vec<Formula> = Vec::new();
        for formula in clauses(program, question, of).into_iter().chain(candidates(program, question, of)) {
            let over = remaining.now().time.is_some_and(|t| t.is_zero());
            if over || kept.len() >= MAX_KEPT {
                break;
            }
            if !kept.contains(&formula) && true_in_runs(&formula) {
                kept.push(formula);
            }
        }
        out.push((of, kept));
    }
    out
}

/// What can be named at a loop.
struct Scope<'p> {
    program: &'p Program,
    of: StructId,
    pointers: Vec<Term>,
    links: Vec<FieldId>,
}

fn clauses(program: &Program, question: &Question, at: LoopId) -> Vec<Formula> {
    let given = |v: usize| matches!(program.vars[v].kind, VarKind::Param | VarKind::Global | VarKind::Logic);
    let assigned = certainly_assigned(program, given);
    let known = assigned[program.loops[at.index()].head.index()].clone().unwrap_or_default();
    let mut out = Vec::new();
    for number in 0..program.structs.len() {
        let of = StructId(number as u32);
        let named = |(i, v): &(usize, &crate::program::Var)| {
            v.ty == Type::Ptr(of)
                && known.get(*i) == Some(&true)
                && !matches!(v.kind, VarKind::Temp | VarKind::Result)
        };
        let pointers = program.vars.iter().enumerate().filter(named);
        let pointers =
            pointers.map(|(i, _)| Term::Var(VarId(i as u32), At::Now)).take(MAX_POINTERS).collect();
        let links = program.structs[number].fields.iter().copied();
        let links = links.filter(|f| program.fields[f.index()].is_link()).collect();
        let scope = Scope { program, of, pointers, links };
        scope.about_ends(&mut out);
        scope.about_cells(&mut out);
        scope.about_neighbours(&mut out);
        scope.about_parts(&mut out);
        if question.asks(Check::Garbage) || question.asks(Check::Leaks) {
            scope.about_loss(question, &mut out);
        }
    }
    out
}

fn reach(field: FieldId, at: At, from: &Term, to: &Term) -> Formula {
    Formula::Reach { field, at, from: from.clone(), to: to.clone(), plus: false }
}

fn next(field: FieldId, of: &Term) -> Term {
    Term::Field(field, At::Now, Box::new(of.clone()))
}

fn implies(premise: Formula, then: Formula) -> Formula {
    Formula::Implies(Box::new(premise), Box::new(then))
}

impl Scope<'_> {
    fn null(&self) -> Term {
        Term::Null(self.of)
    }

    fn every(&self, body: impl FnOnce(&Term) -> Formula) -> Formula {
        let id = BoundId(self.program.bounds);
        let binder = Binder { id, name: "c".to_owned(), of: Some(self.of) };
        Formula::Forall(binder, Box::new(body(&Term::Bound(id))))
    }

    /// Pairs of different pointers.
    fn pairs(&self) -> impl Iterator<Item = (&Term, &Term)> {
        self.pointers.iter().flat_map(|x| self.pointers.iter().filter(move |y| *y != x).map(move |y| (x, y)))
    }

    fn about_ends(&self, out: &mut Vec<Formula>) {
        for &f in &self.links {
            for x in &self.pointers {
                out.push(reach(f, At::Now, x, &self.null()));
                out.push(Formula::Stable(f, At::Now, x.clone()));
            }
            for (x, y) in self.pairs() {
                out.push(reach(f, At::Now, x, y));
            }
        }
    }

    /// What is behind the cells that a pointer leads to.
    fn about_cells(&self, out: &mut Vec<Formula>) {
        for x in &self.pointers {
            let is_cell = || Formula::ne(x.clone(), self.null());
            for &f in &self.links {
                for y in self.pointers.iter().chain([&self.null()]) {
                    out.push(implies(is_cell(), Formula::eq(next(f, x), y.clone())));
                }
                for y in self.pointers.iter().filter(|y| *y != x) {
                    let both = Formula::And(vec![is_cell(), Formula::ne(y.clone(), self.null())]);
                    out.push(implies(both, Formula::eq(next(f, x), y.clone())));
                }
            }
        }
    }

    /// Links that lead back, on lists and everywhere.
    fn about_neighbours(&self, out: &mut Vec<Formula>) {
        let pairs = self.links.iter().flat_map(|f| self.links.iter().map(move |g| (*f, *g)));
        for (f, g) in pairs.filter(|(f, g)| f != g) {
            let back = |c: &Term| {
                let there = Formula::ne(next(f, c), self.null());
                (there, Formula::eq(next(g, &next(f, c)), c.clone()))
            };
            for x in &self.pointers {
                out.push(self.every(|c| {
                    let (there, back) = back(c);
                    implies(Formula::And(vec![reach(f, At::Now, x, c), there]), back)
                }));
            }
            out.push(self.every(|c| {
                let (there, back) = back(c);
                implies(Formula::And(vec![Formula::Valid(c.clone(), At::Now), there]), back)
            }));
        }
    }

    /// Lists that have no cell in common, or lead to each other.
    fn about_parts(&self, out: &mut Vec<Formula>) {
        for &f in &self.links {
            for (i, x) in self.pointers.iter().enumerate() {
                for y in &self.pointers[i + 1..] {
                    out.push(self.every(|c| {
                        let both = vec![reach(f, At::Now, x, c), reach(f, At::Now, y, c)];
                        implies(Formula::And(both), Formula::eq(c.clone(), self.null()))
                    }));
                }
            }
            for x in &self.pointers {
                // Nothing points to it.
                out.push(self.every(|c| {
                    let points =
                        vec![Formula::Valid(c.clone(), At::Now), Formula::ne(x.clone(), self.null())];
                    implies(Formula::And(points), Formula::ne(next(f, c), x.clone()))
                }));
            }
        }
    }

    /// Every cell that counts is on a list.
    fn about_loss(&self, question: &Question, out: &mut Vec<Formula>) {
        let vars = self.program.vars.iter().enumerate();
        let given = vars.filter(|(_, v)| {
            v.ty == Type::Ptr(self.of) && matches!(v.kind, VarKind::Param | VarKind::Global)
        });
        let roots: Vec<Term> = given.map(|(i, _)| Term::Var(VarId(i as u32), At::Entry)).collect();
        for &f in &self.links {
            let counts = |c: &Term| {
                let mut ways = vec![Formula::Fresh(c.clone())];
                if question.asks(Check::Garbage) {
                    ways.extend(roots.iter().map(|r| reach(f, At::Entry, r, c)));
                }
                let some = if ways.len() == 1 { ways.remove(0) } else { Formula::Or(ways) };
                Formula::And(vec![Formula::Valid(c.clone(), At::Now), some])
            };
            let mut sets: Vec<Vec<&Term>> = self.pointers.iter().map(|x| vec![x]).collect();
            for (i, x) in self.pointers.iter().enumerate() {
                sets.extend(self.pointers[i + 1..].iter().map(|y| vec![x, y]));
            }
            sets.push(self.pointers.iter().collect());
            for set in sets.into_iter().filter(|s| !s.is_empty()) {
                out.push(self.every(|c| {
                    let mut places: Vec<Formula> = set.iter().map(|x| reach(f, At::Now, x, c)).collect();
                    let some = if places.len() == 1 { places.remove(0) } else { Formula::Or(places) };
                    implies(counts(c), some)
                }));
            }
        }
    }
}
