//! More predicates, when those that are tracked or derived do not prove the property.
//!
//! Proposals are read off the code. A pointer that follows another one (`prev = curr; curr = curr->next`) is linked to it:
//! `prev != NULL ==> prev->next == curr`. What is tested of a cell before a pointer moves on is afterwards true of
//! the pointer that follows: of `curr->data < n->data` remains `prev != NULL ==> prev->data < n->data`; what is tested of
//! the cell ahead (`p->next->data < n->data`) is true of the pointer's own once it has left its start. Where a
//! pointer came from is known by the links that lead back (`c->up->left == c`). Tests of integers
//! are proposed as they are, strict ones in their weak form as well, and so are bounds by what a counter is set to.
//! Two indices that count have one sum or one difference.
//! And what a postcondition says of cells, of their fields or of a range of an array is something to say of the part that
//! is done (`claims`, `fields`, `ranges`).
//! They are only predicates: whether they hold, and where, is what the analysis finds out.

use super::claims::{
    of_elements, of_objects, of_parts, of_result, of_rings, of_shapes, renamed, replaced, var,
};
use super::fields::of_fields;
use super::live;
use super::ranges::{Counter, counters, of_ranges};
use super::signature::push;
use crate::program::walk::{self, Part};
use crate::program::{
    At, BinOp, Clause, Cmp, Command, Cond, Contract, Expr, FieldId, Formula, LoopId, Program, Question,
    StructId, Term, Track, Type, VarId, VarKind,
};
use crate::util::hash::{Map, Set};
use crate::util::options;
use crate::util::span::Span;

/// Predicates for all loops, in the order of contract and code.
pub(super) fn proposals(program: &Program, question: &Question) -> Vec<Track> {
    let live = live::live(program, question);
    let code = Code::of(program);
    let contract = &program.contracts[question.contract];
    let mut out = of_objects(program, question);
    out.extend(of_elements(program, question));
    out.extend(of_rings(program, question));
    for (i, l) in program.loops.iter().enumerate() {
        let at = LoopId(u32::try_from(i).unwrap_or(u32::MAX));
        let known = |f: &Formula| program.tracks.iter().any(|t| t.object.is_none() && t.clause.formula == *f);
        let mut found = of_parts(program, question, &live[l.head.index()]);
        found.extend(of_shapes(program, question, &live[l.head.index()]));
        found.extend(of_result(program, question, &live[l.head.index()]));
        found.extend(of_ranges(program, question, &live[l.head.index()]));
        found.extend(code.proposals(contract, &live[l.head.index()]));
        found.extend(of_fields(program, question, &live[l.head.index()]));
        let mut new: Vec<Formula> = Vec::new();
        found.into_iter().filter(|f| !known(f) && !says_nothing(f)).for_each(|f| push(&mut new, f));
        new.truncate(options::HEAPS_PROPOSALS.size());
        out.extend(new.into_iter().map(|formula| Track {
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

    fn proposals(&self, contract: &Contract, live: &Set<VarId>) -> Vec<Formula> {
        let mut out = Vec::new();
        self.links(live, &mut out);
        self.walks(live, &mut out);
        self.back_links(contract, live, &mut out);
        self.ahead_of(live, &mut out);
        for edge in &self.program.edges {
            if let Command::Assume(cond) = &edge.command {
                self.tests(cond, live, &mut out);
            }
        }
        self.bounds(live, &mut out);
        out
    }

    /// What counts up stays above what it is set to, what counts down below; of two that count up one may stay behind
    /// the other.
    fn bounds(&self, live: &Set<VarId>, out: &mut Vec<Formula>) {
        let counters = counters(self.program, live);
        for counter in &counters {
            for edge in &self.program.edges {
                let Command::Assign(x, e) = &edge.command else { continue };
                let Some(start) = self.integer(e).filter(|_| *x == counter.var) else { continue };
                let mut vars = Set::default();
                live::variables(&Formula::eq(start.clone(), Term::Int(0)), &mut vars);
                if vars.contains(x) || !vars.iter().all(|v| live.contains(v)) {
                    continue;
                }
                if counter.up {
                    push(out, Formula::Compare(Cmp::Ge, var(*x), start.clone()));
                }
                if counter.down {
                    push(out, Formula::Compare(Cmp::Le, var(*x), start));
                }
            }
        }
        if let [one, other] = &counters[..] {
            if one.up && other.up {
                for (x, y) in [(one.var, other.var), (other.var, one.var)] {
                    push(out, Formula::Compare(Cmp::Le, var(x), var(y)));
                }
            }
            self.in_step(one, other, live, out);
        }
    }

    /// Two counters that go opposite ways have one sum, two that go the same way one difference.
    fn in_step(&self, one: &Counter, other: &Counter, live: &Set<VarId>, out: &mut Vec<Formula>) {
        let op = match (one.up, one.down, other.up, other.down) {
            (true, false, false, true) | (false, true, true, false) => BinOp::Add,
            (true, false, true, false) | (false, true, false, true) => BinOp::Sub,
            _ => return,
        };
        let starts = |x: VarId| {
            let edges = self.program.edges.iter();
            edges.filter_map(move |edge| match &edge.command {
                Command::Assign(v, e) if *v == x => self.integer(e),
                _ => None,
            })
        };
        let combined = |a: Term, b: Term| match (op, a, b) {
            (_, a, Term::Int(0)) => a,
            (BinOp::Add, Term::Int(0), b) => b,
            (op, a, b) => Term::Binary(op, Box::new(a), Box::new(b)),
        };
        for a in starts(one.var) {
            for b in starts(other.var) {
                let start = combined(a.clone(), b);
                let mut vars = Set::default();
                live::variables(&Formula::eq(start.clone(), Term::Int(0)), &mut vars);
                let is_fixed = !vars.contains(&one.var) && !vars.contains(&other.var);
                if is_fixed && vars.iter().all(|v| live.contains(v)) {
                    push(out, Formula::eq(combined(var(one.var), var(other.var)), start));
                }
            }
        }
    }

    /// Loads `x = x->f` of a variable from its own cell, perhaps through a temporary.
    fn moves(&self) -> Vec<(VarId, FieldId)> {
        let mut out = Vec::new();
        for edge in &self.program.edges {
            let Command::Load { to, from, field } = edge.command else { continue };
            let copy = self.copies.iter().find(|(_, t)| *t == to && self.is_temporary(to));
            if copy.map_or(to, |c| c.0) == from && !out.contains(&(from, field)) {
                out.push((from, field));
            }
        }
        out
    }

    /// `x->g != NULL ==> x->g->f == x` where x moves along f and the contract says of some cell where g leads from
    /// f, or f from g.
    fn back_links(&self, contract: &Contract, live: &Set<VarId>, out: &mut Vec<Formula>) {
        let mut pairs = Vec::new();
        walk::contract(contract, &mut |part| {
            if let Part::Term(Term::Field(g, _, inner)) = part
                && let Term::Field(f, ..) = **inner
                && *g != f
            {
                pairs.extend([(f, *g), (*g, f)]);
            }
        });
        for (x, f) in self.moves() {
            let Some(of) = self.program.vars[x.index()].ty.pointee().filter(|_| live.contains(&x)) else {
                continue;
            };
            for g in pairs.iter().filter(|(along, _)| *along == f).map(|(_, g)| *g) {
                let field = &self.program.fields[g.index()];
                if field.owner == of && field.is_link() {
                    let back = Term::Field(g, At::Now, Box::new(var(x)));
                    let there = Term::Field(f, At::Now, Box::new(back.clone()));
                    let linked = Formula::Implies(
                        Box::new(Formula::ne(back, Term::Null(of))),
                        Box::new(Formula::eq(there, var(x))),
                    );
                    push(out, implied(of, x, linked));
                }
            }
        }
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

    /// `x != NULL ==> x->f != NULL` where a cell is accessed through `x->f`.
    fn ahead_of(&self, live: &Set<VarId>, out: &mut Vec<Formula>) {
        for edge in &self.program.edges {
            let (Command::Load { from: place, .. } | Command::Store { to: place, .. }) = edge.command else {
                continue;
            };
            if let (Term::Field(f, _, inner), Some(to)) =
                (self.term(place), self.program.vars[place.index()].ty.pointee())
                && let Term::Var(x, _) = *inner
                && live.contains(&x)
                && let Some(of) = self.program.vars[x.index()].ty.pointee()
            {
                let next = Term::Field(f, At::Now, inner);
                push(out, implied(of, x, Formula::ne(next, Term::Null(to))));
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
                self.ahead(&test, live, out);
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

    /// What is tested of the next cell before a pointer moves there holds of its cell afterwards, unless the pointer is
    /// still where it started.
    fn ahead(&self, test: &Formula, live: &Set<VarId>, out: &mut Vec<Formula>) {
        for (x, f) in self.moves() {
            let next = Term::Field(f, At::Now, Box::new(var(x)));
            let moved = replaced(test, &next, &var(x));
            let starts = self.copies.iter().filter(|(to, _)| *to == x).map(|(_, start)| *start);
            for start in starts.filter(|s| !self.is_temporary(*s)) {
                let tested =
                    Formula::Implies(Box::new(Formula::ne(var(x), var(start))), Box::new(moved.clone()));
                let mut vars = Set::default();
                live::variables(&tested, &mut vars);
                if moved != *test && vars.iter().all(|v| live.contains(v)) {
                    push(out, tested);
                }
            }
        }
    }
}

fn negated(f: &Formula) -> Formula {
    match f {
        Formula::Compare(cmp, a, b) => Formula::Compare(cmp.negated(), a.clone(), b.clone()),
        other => other.clone().negate(),
    }
}

/// Whether something is compared with itself.
fn says_nothing(f: &Formula) -> bool {
    match f {
        Formula::Compare(_, a, b) => a == b,
        Formula::Implies(_, f) => says_nothing(f),
        _ => false,
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
