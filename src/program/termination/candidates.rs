//! Variants to try for a region: differences of what its tests compare, numbers that its steps change, cells that its
//! pointers have still to pass.

use super::{Region, Variant};
use crate::program::cfg::{Edge, Program};
use crate::program::command::Command;
use crate::program::decl::{FieldId, StructId, Type, VarId, VarKind};
use crate::program::expr::{BinOp, Cmp, Cond, Expr};
use crate::program::formula::{At, Set, Term};
use crate::program::variant::Rank;

/// Temporaries that are looked through.
const DEPTH: usize = 6;
/// Numbers that are paired with each other.
const PAIRED: usize = 4;

struct Collector<'p> {
    program: &'p Program,
    edges: Vec<&'p Edge>,
    numbers: Vec<Term>,
    pointers: Vec<VarId>,
    ends: Vec<Term>,
}

/// Variants to try, the most promising first.
#[must_use]
pub fn candidates(program: &Program, region: &Region) -> Vec<Variant> {
    let edges = region.edges(program).map(|e| &program.edges[e.index()]).collect();
    let mut c = Collector { program, edges, numbers: Vec::new(), pointers: Vec::new(), ends: Vec::new() };
    // Tests that leave the region first.
    let leaves =
        |e: &Edge| program.edges.iter().any(|other| other.from == e.from && !region.inside[other.to.index()]);
    for first in [true, false] {
        for edge in c.edges.clone() {
            if let Command::Assume(cond) = &edge.command
                && leaves(edge) == first
            {
                c.cond(cond, true);
            }
        }
    }
    c.steps();
    let mut out = c.walks();
    let numbers: Vec<Rank> = c.numbers.iter().cloned().map(Rank::Number).collect();
    out.extend(numbers.iter().map(|n| Variant::Ranks(vec![n.clone()])));
    for (i, a) in numbers.iter().take(PAIRED).enumerate() {
        for (j, b) in numbers.iter().take(PAIRED).enumerate() {
            if i != j {
                out.push(Variant::Ranks(vec![a.clone(), b.clone()]));
            }
        }
    }
    out
}

impl Collector<'_> {
    fn cond(&mut self, cond: &Cond, holds: bool) {
        match cond {
            Cond::Const(_) => {}
            Cond::Not(inner) => self.cond(inner, !holds),
            Cond::And(parts) | Cond::Or(parts) => parts.iter().for_each(|p| self.cond(p, holds)),
            Cond::Compare(cmp, a, b) => {
                let cmp = if holds { *cmp } else { cmp.negated() };
                self.comparison(cmp, a, b);
            }
        }
    }

    fn comparison(&mut self, cmp: Cmp, a: &Expr, b: &Expr) {
        if self.is_pointer(a) || self.is_pointer(b) {
            for side in [a, b] {
                match side {
                    Expr::Var(v) if !self.is_assigned(*v) => self.add_end(Term::Var(*v, At::Now)),
                    _ => {}
                }
            }
            return;
        }
        let (Some(x), Some(y)) = (self.term(a, DEPTH), self.term(b, DEPTH)) else { return };
        match cmp {
            Cmp::Lt | Cmp::Le => self.add_number(difference(&y, &x)),
            Cmp::Gt | Cmp::Ge => self.add_number(difference(&x, &y)),
            Cmp::Eq | Cmp::Ne => {
                self.add_number(difference(&y, &x));
                self.add_number(difference(&x, &y));
                if !matches!(x, Term::Int(_)) && !matches!(y, Term::Int(_)) {
                    self.add_number(Term::Binary(BinOp::Add, Box::new(x), Box::new(y)));
                }
            }
        }
    }

    /// Numbers that are counted down, and up.
    fn steps(&mut self) {
        for edge in self.edges.clone() {
            if let Command::Assign(x, e) = &edge.command
                && self.program.vars[x.index()].kind != VarKind::Temp
                && matches!(self.program.vars[x.index()].ty, Type::Int(_))
                && mentions(e, *x)
            {
                self.add_number(Term::Var(*x, At::Now));
                self.add_number(Term::Neg(Box::new(Term::Var(*x, At::Now))));
            }
        }
    }

    /// Pointers that follow links.
    fn walks(&mut self) -> Vec<Variant> {
        let mut loaded: Vec<FieldId> = Vec::new();
        let (mut written, mut everything): (Vec<FieldId>, bool) = (Vec::new(), false);
        let mut made: Vec<StructId> = Vec::new();
        for edge in &self.edges {
            match &edge.command {
                Command::Load { field, .. } if self.link(*field).is_some() && !loaded.contains(field) => {
                    loaded.push(*field);
                }
                Command::Store { field, .. } => written.push(*field),
                Command::Alloc { of, .. } => made.push(*of),
                Command::Scramble { .. } => everything = true,
                _ => {}
            }
        }
        for (i, var) in self.program.vars.iter().enumerate() {
            let id = VarId(i as u32);
            let named = !matches!(var.kind, VarKind::Temp | VarKind::Logic);
            if named && matches!(var.ty, Type::Ptr(_)) && self.is_assigned(id) {
                self.pointers.push(id);
            }
        }
        let mut out = Vec::new();
        let fixed = |f: FieldId, of: StructId| !everything && !written.contains(&f) && !made.contains(&of);
        for &pointer in &self.pointers {
            let Type::Ptr(of) = self.program.vars[pointer.index()].ty else { continue };
            let own: Vec<FieldId> = loaded.iter().copied().filter(|f| self.link(*f) == Some(of)).collect();
            let ends = |c: &Self| {
                let variables = c.ends.iter().filter(|t| c.points_to(t) == Some(of)).cloned();
                variables.chain([Term::Null(of)]).collect::<Vec<_>>()
            };
            for &field in &own {
                for end in ends(self) {
                    if fixed(field, of) {
                        for ahead in [false, true] {
                            // After null there is nothing.
                            if !(ahead && matches!(end, Term::Null(_))) {
                                out.push(Variant::Walk { pointer, field, end: end.clone(), ahead });
                            }
                        }
                    } else {
                        let from = Box::new(Term::Var(pointer, At::Now));
                        let cells = Set::Cells(field, At::Now, from, Box::new(end));
                        out.push(Variant::Ranks(vec![Rank::Cells(cells)]));
                    }
                }
            }
            for (i, &left) in own.iter().enumerate() {
                for &right in &own[i + 1..] {
                    if fixed(left, of) && fixed(right, of) {
                        out.push(Variant::Descent(pointer, left.min(right), left.max(right)));
                    }
                }
            }
        }
        out
    }

    /// The struct that a field links to itself.
    fn link(&self, field: FieldId) -> Option<StructId> {
        let field = &self.program.fields[field.index()];
        (field.ty == Type::Ptr(field.owner)).then_some(field.owner)
    }

    fn points_to(&self, term: &Term) -> Option<StructId> {
        match term {
            Term::Var(v, _) => match self.program.vars[v.index()].ty {
                Type::Ptr(of) => Some(of),
                _ => None,
            },
            _ => None,
        }
    }

    fn is_pointer(&self, e: &Expr) -> bool {
        match e {
            Expr::Null(_) => true,
            Expr::Var(v) => matches!(self.program.vars[v.index()].ty, Type::Ptr(_)),
            _ => false,
        }
    }

    fn is_assigned(&self, v: VarId) -> bool {
        self.edges.iter().any(|e| assigned(&e.command) == Some(v))
    }

    fn add_number(&mut self, term: Term) {
        if !self.numbers.contains(&term) {
            self.numbers.push(term);
        }
    }

    fn add_end(&mut self, term: Term) {
        if !self.ends.contains(&term) {
            self.ends.push(term);
        }
    }

    /// The expression in terms of what the head knows: temporaries are what the region computes them from.
    fn term(&self, e: &Expr, depth: usize) -> Option<Term> {
        Some(match e {
            Expr::Int(n) => Term::Int(*n),
            Expr::Var(v) => self.variable(*v, depth)?,
            Expr::Neg(inner) => Term::Neg(Box::new(self.term(inner, depth)?)),
            Expr::Binary(op, a, b) => {
                Term::Binary(*op, Box::new(self.term(a, depth)?), Box::new(self.term(b, depth)?))
            }
            // The number itself, as long as it fits.
            Expr::Wrap(_, inner) => self.term(inner, depth)?,
            Expr::Null(_) | Expr::BitNot(_) => return None,
        })
    }

    fn variable(&self, v: VarId, depth: usize) -> Option<Term> {
        if self.program.vars[v.index()].kind != VarKind::Temp {
            return Some(Term::Var(v, At::Now));
        }
        let depth = depth.checked_sub(1)?;
        let mut made = self.edges.iter().filter(|e| assigned(&e.command) == Some(v));
        let edge = made.next()?;
        if made.next().is_some() {
            return None;
        }
        match &edge.command {
            Command::Assign(_, e) => self.term(e, depth),
            Command::Load { from, field, .. } => {
                Some(Term::Field(*field, At::Now, Box::new(self.variable(*from, depth)?)))
            }
            Command::LoadElement { array, index, .. } => {
                Some(Term::Index(*array, At::Now, Box::new(self.term(index, depth)?)))
            }
            _ => None,
        }
    }
}

fn difference(a: &Term, b: &Term) -> Term {
    match b {
        Term::Int(0) => a.clone(),
        _ => Term::Binary(BinOp::Sub, Box::new(a.clone()), Box::new(b.clone())),
    }
}

fn mentions(e: &Expr, x: VarId) -> bool {
    let mut found = false;
    crate::program::walk::expr(e, &mut |e| found |= *e == Expr::Var(x));
    found
}

fn assigned(command: &Command) -> Option<VarId> {
    match command {
        Command::Assign(x, _)
        | Command::Load { to: x, .. }
        | Command::LoadElement { to: x, .. }
        | Command::Alloc { to: x, .. }
        | Command::Havoc(x) => Some(*x),
        _ => None,
    }
}
