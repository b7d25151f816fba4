//! The invariants of [`Program`], as a check: ids in range, types, shape of the graph.
//!
//! Everything that takes a program may rely on them, so whatever makes programs (the front end, the text
//! form, a simplification) is tested against this.

mod formula;

use super::cfg::{Contract, Program, Shape, Sweep};
use super::command::{Command, Target};
use super::decl::{BoundId, FieldId, LocationId, StructId, Type, VarId, VarKind};
use super::expr::{Cmp, Cond, Expr};
use super::formula::{At, Term};

/// What is wrong, for the author of the producer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid(pub String);

impl std::fmt::Display for Invalid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Invalid {}

type Checked<T = ()> = Result<T, Invalid>;

fn wrong<T>(what: impl Into<String>) -> Checked<T> {
    Err(Invalid(what.into()))
}

/// What a value is, as far as typing goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Int,
    Ptr(StructId),
}

impl Program {
    /// Whether the program keeps the invariants of its type.
    pub fn validate(&self) -> Result<(), Invalid> {
        let mut v = Validator { p: self, bound: Vec::new() };
        v.declarations()?;
        v.graph()?;
        for edge in &self.edges {
            v.command(&edge.command)?;
        }
        for contract in &self.contracts {
            v.contract(contract)?;
        }
        for l in &self.loops {
            l.invariants.iter().chain(&l.variant).try_for_each(|c| v.formula(&c.formula))?;
            l.assigns.iter().flatten().try_for_each(|t| v.target(t))?;
        }
        for sweep in &self.sweeps {
            v.sweep(sweep)?;
        }
        for track in &self.tracks {
            if track.at.is_some_and(|l| l.index() >= self.loops.len()) {
                return wrong("a tracked predicate names a loop that does not exist");
            }
            match &track.object {
                Some(binder) => v.under(binder, &track.clause.formula)?,
                None => v.formula(&track.clause.formula)?,
            }
        }
        for shape in &self.shapes {
            match shape {
                Shape::List(f) => v.link(*f).map(drop)?,
                Shape::Dlist(f, g) | Shape::Tree(f, g) => v.links(*f, *g).map(drop)?,
            }
        }
        Ok(())
    }
}

struct Validator<'p> {
    p: &'p Program,
    bound: Vec<(BoundId, Kind)>,
}

impl Validator<'_> {
    fn declarations(&self) -> Checked {
        let p = self.p;
        for (i, s) in p.structs.iter().enumerate() {
            if p.structs[..i].iter().any(|t| t.name == s.name) {
                return wrong(format!("struct `{}` is declared twice", s.name));
            }
            for f in &s.fields {
                if p.fields.get(f.index()).is_none_or(|f| f.owner.index() != i) {
                    return wrong(format!("struct `{}` lists a field that is not its own", s.name));
                }
            }
        }
        for (i, f) in p.fields.iter().enumerate() {
            let Some(owner) = p.structs.get(f.owner.index()) else {
                return wrong(format!("field `{}` belongs to no struct", f.name));
            };
            let listed = owner.fields.iter().filter(|g| g.index() == i).count();
            let namesakes = owner.fields.iter().filter(|g| p.fields[g.index()].name == f.name).count();
            if listed != 1 || namesakes != 1 {
                return wrong(format!("field `{}` occurs {listed} times in its struct", f.name));
            }
            match f.ty {
                Type::Int(_) => {}
                Type::Ptr(s) => self.in_range(s)?,
                Type::IntArray(_) | Type::PtrArray(_) => {
                    return wrong(format!("field `{}` is an array", f.name));
                }
            }
        }
        for (i, v) in p.vars.iter().enumerate() {
            if p.vars[..i].iter().any(|w| w.name == v.name) {
                return wrong(format!("variable `{}` is declared twice", v.name));
            }
            if let Some(s) = v.ty.element().unwrap_or(v.ty).pointee() {
                self.in_range(s)?;
            }
            if v.ty.element().is_none() && v.len.is_some() {
                return wrong(format!("`{}` has a length and is no array", v.name));
            }
        }
        if p.vars.iter().filter(|v| v.kind == VarKind::Result).count() > 1 {
            return wrong("there are two results");
        }
        if p.contracts.is_empty() {
            return wrong("there is no contract");
        }
        Ok(())
    }

    fn in_range(&self, s: StructId) -> Checked {
        if s.index() < self.p.structs.len() { Ok(()) } else { wrong("a struct does not exist") }
    }

    fn graph(&self) -> Checked {
        let p = self.p;
        let exists = |l: LocationId| l.0 < p.locations;
        if !exists(p.entry) || !exists(p.exit) {
            return wrong("entry or exit does not exist");
        }
        for edge in &p.edges {
            if !exists(edge.from) || !exists(edge.to) {
                return wrong("an edge ends at a location that does not exist");
            }
            if edge.to == p.entry || edge.from == p.exit {
                return wrong("an edge enters the entry or leaves the exit");
            }
        }
        for (i, l) in p.loops.iter().enumerate() {
            if !exists(l.head) || l.parent.is_some_and(|q| q.index() >= p.loops.len() || q.index() == i) {
                return wrong("a loop's head or parent does not exist");
            }
            if p.loops[..i].iter().any(|m| m.head == l.head) {
                return wrong("two loops have one head");
            }
        }
        // Without the heads nothing goes round: peel off locations without predecessors.
        let heads: Vec<bool> = (0..p.locations).map(|l| p.loop_at(LocationId(l)).is_some()).collect();
        let mut incoming = vec![0usize; p.locations as usize];
        for e in p.edges.iter().filter(|e| !heads[e.from.index()] && !heads[e.to.index()]) {
            incoming[e.to.index()] += 1;
        }
        let successors = p.successors();
        let mut ready: Vec<usize> = (0..incoming.len()).filter(|&l| !heads[l] && incoming[l] == 0).collect();
        let mut done = heads.iter().filter(|h| **h).count();
        while let Some(l) = ready.pop() {
            done += 1;
            for e in &successors[l] {
                let to = p.edges[e.index()].to.index();
                if !heads[to] {
                    incoming[to] -= 1;
                    if incoming[to] == 0 {
                        ready.push(to);
                    }
                }
            }
        }
        if done == incoming.len() { Ok(()) } else { wrong("a cycle passes no loop head") }
    }

    fn sweep(&mut self, sweep: &Sweep) -> Checked {
        if sweep.at.0 >= self.p.locations || sweep.at == self.p.exit {
            return wrong("a sweep is at the exit, or at a location that does not exist");
        }
        for root in &sweep.roots {
            match root {
                Term::Var(v, At::Now) if self.var(*v)?.element().is_some() => {}
                root if matches!(self.term(root)?, Kind::Ptr(_)) => {}
                _ => return wrong("a root of a sweep is no pointer"),
            }
        }
        Ok(())
    }

    fn var(&self, v: VarId) -> Checked<Type> {
        self.p.vars.get(v.index()).map(|v| v.ty).ok_or_else(|| Invalid("a variable does not exist".into()))
    }

    fn scalar(&self, v: VarId) -> Checked<Kind> {
        match self.var(v)? {
            Type::Int(_) => Ok(Kind::Int),
            Type::Ptr(s) => Ok(Kind::Ptr(s)),
            _ => wrong(format!("array `{}` is used as a value", self.p.vars[v.index()].name)),
        }
    }

    fn pointer(&self, v: VarId) -> Checked<StructId> {
        match self.scalar(v)? {
            Kind::Ptr(s) => Ok(s),
            Kind::Int => wrong(format!("`{}` is no pointer", self.p.vars[v.index()].name)),
        }
    }

    fn array(&self, v: VarId) -> Checked<Kind> {
        match self.var(v)? {
            Type::IntArray(_) => Ok(Kind::Int),
            Type::PtrArray(s) => Ok(Kind::Ptr(s)),
            _ => wrong(format!("`{}` is no array", self.p.vars[v.index()].name)),
        }
    }

    /// Owner and kind of a field.
    fn field(&self, f: FieldId) -> Checked<(StructId, Kind)> {
        let Some(field) = self.p.fields.get(f.index()) else { return wrong("a field does not exist") };
        let kind = field.ty.pointee().map_or(Kind::Int, Kind::Ptr);
        Ok((field.owner, kind))
    }

    fn link(&self, f: FieldId) -> Checked<StructId> {
        match self.field(f)? {
            (owner, Kind::Ptr(to)) if owner == to => Ok(owner),
            _ => wrong(format!("`{}` is no link field", self.p.fields[f.index()].name)),
        }
    }

    fn links(&self, f: FieldId, g: FieldId) -> Checked<StructId> {
        let (a, b) = (self.link(f)?, self.link(g)?);
        if a == b { Ok(a) } else { wrong("two link fields belong to different structs") }
    }

    fn same(&self, a: Kind, b: Kind) -> Checked {
        if a == b { Ok(()) } else { wrong(format!("{a:?} and {b:?} do not fit together")) }
    }

    fn at(&self, at: At) -> Checked {
        match at {
            At::Label(l) if l.index() >= self.p.labels.len() => wrong("a label does not exist"),
            _ => Ok(()),
        }
    }

    fn expr(&self, e: &Expr) -> Checked<Kind> {
        match e {
            Expr::Var(v) => self.scalar(*v),
            Expr::Null(s) => self.in_range(*s).map(|()| Kind::Ptr(*s)),
            Expr::Int(_) => Ok(Kind::Int),
            Expr::Neg(a) | Expr::BitNot(a) | Expr::Wrap(_, a) => {
                self.same(self.expr(a)?, Kind::Int)?;
                Ok(Kind::Int)
            }
            Expr::Binary(_, a, b) => {
                self.same(self.expr(a)?, Kind::Int)?;
                self.same(self.expr(b)?, Kind::Int)?;
                Ok(Kind::Int)
            }
        }
    }

    fn compared(&self, cmp: Cmp, a: Kind, b: Kind) -> Checked {
        self.same(a, b)?;
        if a != Kind::Int && !matches!(cmp, Cmp::Eq | Cmp::Ne) {
            return wrong("pointers are compared by order");
        }
        Ok(())
    }

    fn cond(&self, c: &Cond) -> Checked {
        match c {
            Cond::Const(_) => Ok(()),
            Cond::Compare(cmp, a, b) => self.compared(*cmp, self.expr(a)?, self.expr(b)?),
            Cond::Not(inner) => self.cond(inner),
            Cond::And(parts) | Cond::Or(parts) => parts.iter().try_for_each(|p| self.cond(p)),
        }
    }

    fn command(&mut self, c: &Command) -> Checked {
        match c {
            Command::Skip => Ok(()),
            Command::Assign(x, e) => self.same(self.scalar(*x)?, self.expr(e)?),
            Command::Load { to, from, field } => {
                let (owner, kind) = self.field(*field)?;
                self.same(Kind::Ptr(self.pointer(*from)?), Kind::Ptr(owner))?;
                self.same(self.scalar(*to)?, kind)
            }
            Command::Store { to, field, value } => {
                let (owner, kind) = self.field(*field)?;
                self.same(Kind::Ptr(self.pointer(*to)?), Kind::Ptr(owner))?;
                self.same(self.expr(value)?, kind)
            }
            Command::LoadElement { to, array, index } => {
                self.same(self.expr(index)?, Kind::Int)?;
                self.same(self.scalar(*to)?, self.array(*array)?)
            }
            Command::StoreElement { array, index, value } => {
                self.same(self.expr(index)?, Kind::Int)?;
                self.same(self.expr(value)?, self.array(*array)?)
            }
            Command::Alloc { to, of, .. } => {
                self.in_range(*of)?;
                self.same(Kind::Ptr(self.pointer(*to)?), Kind::Ptr(*of))
            }
            Command::Free(x) | Command::Release(x) => self.pointer(*x).map(drop),
            Command::Assume(c) => self.cond(c),
            Command::Suppose(f) | Command::Assert { formula: f, .. } => self.formula(f),
            Command::Fail { .. } => Ok(()),
            Command::Havoc(x) => self.scalar(*x).map(drop),
            Command::Snapshot(label) => self.at(At::Label(*label)),
            Command::Scramble { targets, .. } => targets.iter().try_for_each(|t| self.target(t)),
        }
    }

    fn contract(&mut self, c: &Contract) -> Checked {
        c.requires.iter().chain(&c.ensures).try_for_each(|clause| self.formula(&clause.formula))?;
        c.assigns.iter().flatten().try_for_each(|t| self.target(t))
    }

    fn target(&mut self, t: &Target) -> Checked {
        match t {
            Target::Var(v) => self.var(*v).map(drop),
            Target::Everything => Ok(()),
            Target::Field(t, f) => {
                let (owner, _) = self.field(*f)?;
                let kind = self.term(t)?;
                self.same(kind, Kind::Ptr(owner))
            }
            Target::Fields(s, f) => {
                let (owner, _) = self.field(*f)?;
                self.set(s, Some(owner)).map(drop)
            }
            Target::Range(a, lo, hi) => {
                self.array(*a)?;
                self.int(lo)?;
                self.int(hi)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::samples::{NEXT, Sample, reverse};

    #[test]
    fn samples_are_valid() {
        assert_eq!(reverse().validate(), Ok(()));
    }

    #[test]
    fn broken_programs_are_rejected() {
        type Damage = Box<dyn FnOnce(&mut Program)>;
        let mut cases: Vec<(&str, Damage)> = vec![
            ("`t` is declared twice", Box::new(|p| p.vars[1].name = "t".into())),
            ("not its own", Box::new(|p| p.fields[0].owner = StructId(7))),
            ("cycle", Box::new(|p| p.loops.clear())),
            ("leaves the exit", Box::new(|p| p.edges[0].from = p.exit)),
            ("variable does not exist", Box::new(|p| p.edges[0].command = Command::Havoc(VarId(99)))),
            ("no contract", Box::new(|p| p.contracts.clear())),
            ("do not fit", Box::new(|p| p.edges[0].command = Command::Assign(VarId(0), Expr::Int(1)))),
        ];
        for (message, edit) in cases.drain(..) {
            let mut program = reverse();
            edit(&mut program);
            let error = program.validate().expect_err(message);
            assert!(error.0.contains(message), "{error} instead of {message}");
        }
        let mut s = Sample::new("f");
        let i = s.int("i", VarKind::Local);
        s.load(i, i, NEXT);
        assert!(s.finish().validate().is_err());
    }
}
