//! More predicates, when those that are tracked or derived do not prove the property.
//!
//! Proposals are read off the code. A pointer that follows another one (`prev = curr; curr = curr->next`) is linked to it:
//! `prev != NULL ==> prev->next == curr`. What is tested of a cell before a pointer moves on is afterwards true of
//! the pointer that follows: of `curr->data < n->data` remains `prev != NULL ==> prev->data < n->data`. Tests of integers
//! are proposed as they are, strict ones in their weak form as well, and so are lower bounds by what a variable is set to.
//! They are only predicates: whether they hold, and where, is what the analysis finds out.

use super::live;
use super::signature::push;
use crate::program::{
    At, BinOp, Clause, Cmp, Command, Cond, Expr, Formula, LoopId, Program, Question, Term, Track, Type, VarId,
};
use crate::util::hash::{Map, Set};
use crate::util::span::Span;

/// Proposals per loop at most.
const MAX_PROPOSALS: usize = 12;

/// State predicates for all loops, in the order of the code.
pub(super) fn proposals(program: &Program, question: &Question) -> Vec<Track> {
    let live = live::live(program, question);
    let code = Code::of(program);
    let mut out = Vec::new();
    for (i, l) in program.loops.iter().enumerate() {
        let at = LoopId(u32::try_from(i).unwrap_or(u32::MAX));
        let known = |f: &Formula| program.tracks.iter().any(|t| t.object.is_none() && t.clause.formula == *f);
        let mut found = code.proposals(&live[l.head.index()]);
        found.retain(|f| !known(f));
        found.truncate(MAX_PROPOSALS);
        out.extend(found.into_iter().map(|formula| Track {
            object: None,
            clause: Clause { formula, span: Span::new(l.span.start, l.span.end) },
            at: Some(at),
        }));
    }
    out
}

/// What the code does with its variables.
struct Code<'p> {
    program: &'p Program,
    /// `x = y` of pointers.
    copies: Vec<(VarId, VarId)>,
    /// What variables of the lowering stand for: each is assigned once.
    meaning: Map<VarId, Term>,
}

fn var(v: VarId) -> Term {
    Term::Var(v, At::Now)
}

impl Code<'_> {
    fn of(program: &Program) -> Code<'_> {
        let mut code = Code { program, copies: Vec::new(), meaning: Map::default() };
        let mut written: Map<VarId, usize> = Map::default();
        for edge in &program.edges {
            if let Command::Assign(v, _) | Command::Load { to: v, .. } | Command::Havoc(v) = edge.command {
                *written.entry(v).or_default() += 1;
            }
        }
        for edge in &program.edges {
            match &edge.command {
                Command::Assign(x, Expr::Var(y)) if program.vars[x.index()].ty.pointee().is_some() => {
                    code.copies.push((*x, *y));
                }
                Command::Load { to, from, field } if written[to] == 1 => {
                    let place = code.term(*from);
                    code.meaning.insert(*to, Term::Field(*field, At::Now, Box::new(place)));
                }
                _ => {}
            }
        }
        code
    }

    fn is_temporary(&self, v: VarId) -> bool {
        self.program.vars[v.index()].kind == crate::program::VarKind::Temp
    }

    fn term(&self, v: VarId) -> Term {
        match self.meaning.get(&v) {
            Some(meaning) if self.is_temporary(v) => meaning.clone(),
            _ => var(v),
        }
    }

    fn proposals(&self, live: &Set<VarId>) -> Vec<Formula> {
        let mut out = Vec::new();
        self.links(live, &mut out);
        for edge in &self.program.edges {
            if let Command::Assume(cond) = &edge.command {
                self.tests(cond, live, &mut out);
            }
        }
        for edge in &self.program.edges {
            if let Command::Assign(x, Expr::Int(n)) = &edge.command
                && live.contains(x)
                && self.counts_up(*x)
            {
                push(&mut out, Formula::Compare(Cmp::Ge, var(*x), Term::Int(*n)));
            }
        }
        out
    }

    /// `x != NULL ==> x->f == y` where x follows what y was loaded from.
    fn links(&self, live: &Set<VarId>, out: &mut Vec<Formula>) {
        for edge in &self.program.edges {
            let (to, from, field) = match &edge.command {
                Command::Load { to, from, field } => (*to, *from, *field),
                _ => continue,
            };
            // The lowering may load into a temporary that is then assigned.
            let targets = self.copies.iter().filter(|(_, t)| *t == to && self.is_temporary(to));
            let targets: Vec<VarId> = targets.map(|c| c.0).chain([to]).collect();
            for &(x, _) in self.copies.iter().filter(|(_, y)| *y == from) {
                for &y in targets.iter().filter(|y| **y != x && live.contains(*y) && live.contains(&x)) {
                    let Some(of) = self.program.vars[x.index()].ty.pointee() else { continue };
                    if self.program.vars[y.index()].ty != self.program.fields[field.index()].ty {
                        continue;
                    }
                    let value = Term::Field(field, At::Now, Box::new(var(x)));
                    push(out, implied(of, x, Formula::eq(value, var(y))));
                }
            }
        }
    }

    /// Comparisons of integers in a test.
    fn tests(&self, cond: &Cond, live: &Set<VarId>, out: &mut Vec<Formula>) {
        match cond {
            Cond::Const(_) => {}
            Cond::Not(inner) => self.tests(inner, live, out),
            Cond::And(parts) | Cond::Or(parts) => parts.iter().for_each(|p| self.tests(p, live, out)),
            Cond::Compare(cmp, a, b) => {
                let (Some(a), Some(b)) = (self.integer(a), self.integer(b)) else { return };
                let test = Formula::Compare(*cmp, a, b);
                let mut pointers = Vec::new();
                dereferenced(&test, &mut pointers);
                if pointers.is_empty() {
                    let mut vars = Set::default();
                    live::variables(&test, &mut vars);
                    if vars.is_empty() || !vars.iter().all(|v| live.contains(v)) {
                        return;
                    }
                    if let Formula::Compare(cmp @ (Cmp::Lt | Cmp::Gt), a, b) = &test {
                        let weak = if *cmp == Cmp::Lt { Cmp::Le } else { Cmp::Ge };
                        push(out, Formula::Compare(weak, a.clone(), b.clone()));
                    }
                    let known = |f: &Formula| matches!(f, Formula::Compare(c, ..) if *c == cmp.negated());
                    let (same, _) = (out.iter().any(|f| known(f) && sides(f) == sides(&test)), ());
                    if !same {
                        push(out, test);
                    }
                    return;
                }
                for &(x, y) in self.copies.iter().filter(|(_, y)| pointers.contains(y)) {
                    let moved = renamed(&test, y, x);
                    let mut vars = Set::default();
                    live::variables(&moved, &mut vars);
                    if vars.iter().all(|v| live.contains(v))
                        && let Some(of) = self.program.vars[x.index()].ty.pointee()
                    {
                        let negated = negated(&moved);
                        if !out.contains(&implied(of, x, negated)) {
                            push(out, implied(of, x, moved));
                        }
                    }
                }
            }
        }
    }

    /// An integer expression as a term, if it is simple.
    fn integer(&self, e: &Expr) -> Option<Term> {
        match e {
            Expr::Var(v) if matches!(self.program.vars[v.index()].ty, Type::Int(_)) => Some(self.term(*v)),
            Expr::Int(n) => Some(Term::Int(*n)),
            Expr::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                Some(Term::Binary(*op, Box::new(self.integer(a)?), Box::new(self.integer(b)?)))
            }
            _ => None,
        }
    }

    /// Whether the variable is increased somewhere.
    fn counts_up(&self, x: VarId) -> bool {
        self.program.edges.iter().any(|edge| match &edge.command {
            Command::Assign(v, Expr::Binary(BinOp::Add, a, _)) => *v == x && **a == Expr::Var(x),
            _ => false,
        })
    }
}

fn sides(f: &Formula) -> Option<(&Term, &Term)> {
    match f {
        Formula::Compare(_, a, b) => Some((a, b)),
        _ => None,
    }
}

fn negated(f: &Formula) -> Formula {
    match f {
        Formula::Compare(cmp, a, b) => Formula::Compare(cmp.negated(), a.clone(), b.clone()),
        other => other.clone().negate(),
    }
}

fn implied(of: crate::program::StructId, x: VarId, f: Formula) -> Formula {
    Formula::Implies(Box::new(Formula::ne(var(x), Term::Null(of))), Box::new(f))
}

/// The variables whose cells a comparison looks at.
fn dereferenced(f: &Formula, out: &mut Vec<VarId>) {
    crate::program::walk::formula(f, &mut |part| {
        if let crate::program::walk::Part::Term(Term::Field(_, _, place)) = part
            && let Term::Var(v, _) = &**place
        {
            out.push(*v);
        }
    });
}

fn renamed(f: &Formula, from: VarId, to: VarId) -> Formula {
    fn term(t: &Term, from: VarId, to: VarId) -> Term {
        match t {
            Term::Var(v, at) if *v == from => Term::Var(to, *at),
            Term::Field(f, at, inner) => Term::Field(*f, *at, Box::new(term(inner, from, to))),
            Term::Binary(op, a, b) => {
                Term::Binary(*op, Box::new(term(a, from, to)), Box::new(term(b, from, to)))
            }
            other => other.clone(),
        }
    }
    match f {
        Formula::Compare(cmp, a, b) => Formula::Compare(*cmp, term(a, from, to), term(b, from, to)),
        other => other.clone(),
    }
}
