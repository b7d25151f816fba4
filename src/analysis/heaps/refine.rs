//! More predicates, when those that are tracked or derived do not prove the property.
//!
//! Proposals are read off the code. A pointer that follows another one (`prev = curr; curr = curr->next`) is linked to it:
//! `prev != NULL ==> prev->next == curr`. What is tested of a cell before a pointer moves on is afterwards true of
//! the pointer that follows: of `curr->data < n->data` remains `prev != NULL ==> prev->data < n->data`. Tests of integers
//! are proposed as they are, strict ones in their weak form as well, and so are lower bounds by what a variable is set to.
//! And what a postcondition says of cells is something to say of the cells that are done (`claims`).
//! They are only predicates: whether they hold, and where, is what the analysis finds out.

use super::claims::{of_elements, of_objects, of_parts, of_result, of_rings, renamed, var};
use super::live;
use super::signature::push;
use crate::program::walk::{self, Part};
use crate::program::{
    At, BinOp, Clause, Cmp, Command, Cond, Expr, Formula, LoopId, Program, Question, StructId, Term, Track,
    Type, VarId, VarKind,
};
use crate::util::hash::{Map, Set};
use crate::util::span::Span;

/// Proposals per loop at most.
const MAX_PROPOSALS: usize = 12;

/// Predicates for all loops, in the order of contract and code.
pub(super) fn proposals(program: &Program, question: &Question) -> Vec<Track> {
    let live = live::live(program, question);
    let code = Code::of(program);
    let mut out = of_objects(program, question);
    out.extend(of_elements(program, question));
    out.extend(of_rings(program, question));
    for (i, l) in program.loops.iter().enumerate() {
        let at = LoopId(u32::try_from(i).unwrap_or(u32::MAX));
        let known = |f: &Formula| program.tracks.iter().any(|t| t.object.is_none() && t.clause.formula == *f);
        let mut found = of_parts(program, question, &live[l.head.index()]);
        found.extend(of_result(program, question, &live[l.head.index()]));
        found.extend(code.proposals(&live[l.head.index()]));
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
        self.program.vars[v.index()].kind == VarKind::Temp
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
        self.walks(live, &mut out);
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

    /// `x != NULL ==> (x->g) -f*-> y` where y starts at `x->g` and moves along f.
    fn walks(&self, live: &Set<VarId>, out: &mut Vec<Formula>) {
        let loads = || {
            let edges = self.program.edges.iter();
            edges.filter_map(|edge| match &edge.command {
                Command::Load { to, from, field } => Some((*to, *from, *field)),
                _ => None,
            })
        };
        // A load into a temporary that is then assigned counts as one into the variable.
        let named = |v: VarId| {
            let copy = self.copies.iter().find(|(_, t)| *t == v && self.is_temporary(v));
            copy.map_or(v, |c| c.0)
        };
        for (to, x, g) in loads() {
            let y = named(to);
            for (other, from, f) in loads() {
                let moves = named(other) == y && from == y && self.program.fields[f.index()].is_link();
                let known = x != y && live.contains(&x) && live.contains(&y);
                let Some(of) = self.program.vars[x.index()].ty.pointee() else { continue };
                if moves && known {
                    let (from, to) = (Term::Field(g, At::Now, Box::new(var(x))), var(y));
                    let walk = Formula::Reach { field: f, at: At::Now, from, to, plus: false };
                    push(out, implied(of, x, walk));
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
                    if !out.contains(&negated(&test)) {
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

fn negated(f: &Formula) -> Formula {
    match f {
        Formula::Compare(cmp, a, b) => Formula::Compare(cmp.negated(), a.clone(), b.clone()),
        other => other.clone().negate(),
    }
}

fn implied(of: StructId, x: VarId, f: Formula) -> Formula {
    Formula::Implies(Box::new(Formula::ne(var(x), Term::Null(of))), Box::new(f))
}

/// The variables whose cells a comparison looks at.
fn dereferenced(f: &Formula, out: &mut Vec<VarId>) {
    walk::formula(f, &mut |part| {
        if let Part::Term(Term::Field(_, _, place)) = part
            && let Term::Var(v, _) = &**place
        {
            out.push(*v);
        }
    });
}
