//! Pointers to variables of one type as numbers of these variables.

use super::super::Lowerer;
use super::super::statement::zero;
use super::points::{ENDED, Points, compares_pointers};
use super::{assign, each_part, homes, with_variables, written};
use crate::frontend::diagnostic::Span;
use crate::program::walk::{self, Part};
use crate::program::{
    Check, Command, Cond, Edge, Expr, FieldId, Formula, IntKind, LocationId, Program, StructId, Target, Term,
    Type, Var, VarId, VarKind, initialised,
};
use crate::util::hash::{Map, Set};

/// Variables that can be numbered, at most.
const MAX_HOMES: usize = 64;
/// Pointers and tags, at most: a combination has a value for each.
const MAX_POINTERS: usize = 400;

/// Replaces the cells of one kind of variables.
pub(super) fn number(lowerer: &mut Lowerer<'_>, of: StructId, field: FieldId) {
    let program = &lowerer.program;
    let homes: Vec<VarId> = homes(program).into_iter().filter(|(_, s)| *s == of).map(|(v, _)| v).collect();
    let pointers: Vec<VarId> = (0..program.vars.len() as u32)
        .map(VarId)
        .filter(|v| program.vars[v.index()].ty == Type::Ptr(of) && !homes.contains(v))
        .collect();
    let kind = Kind { program, of, field, homes: &homes, pointers: &pointers };
    let small = homes.len() <= MAX_HOMES && pointers.len() + lowerer.tags.len() <= MAX_POINTERS;
    if homes.is_empty() || !small || !kind.can_be_numbers() {
        return;
    }
    let numbers: Map<VarId, i32> = homes.iter().zip(1..).map(|(v, n)| (*v, n)).collect();
    let Some(points) = Points::of(program, &pointers, &lowerer.tags, &numbers) else { return };
    let graph = Rebuild {
        live: live(program, &pointers),
        carriers: initialised::carriers(program),
        edges: Vec::new(),
        locations: program.locations,
        kind,
        numbers: &numbers,
        points: &points,
    };
    let (edges, locations) = graph.run();
    let ty = program.fields[field.index()].ty;
    lowerer.program.edges = edges;
    lowerer.program.locations = locations;
    with_variables(&mut lowerer.program, &homes.iter().map(|h| ((*h, field), *h)).collect());
    for home in &homes {
        let name = lowerer.promoted_name(*home, None);
        let old = lowerer.program.vars[home.index()].clone();
        lowerer.program.vars[home.index()] = Var { name, ty, ..old };
    }
    for pointer in &pointers {
        lowerer.program.vars[pointer.index()].ty = Type::Int(IntKind::INT);
    }
    drop_unread(&mut lowerer.program, &pointers);
}

/// One kind of variables in cells.
#[derive(Clone, Copy)]
struct Kind<'p> {
    program: &'p Program,
    of: StructId,
    field: FieldId,
    homes: &'p [VarId],
    pointers: &'p [VarId],
}

impl Kind<'_> {
    fn is_pointer(&self, v: VarId) -> bool {
        self.pointers.contains(&v)
    }

    /// Whether these cells are only known by homes and by pointers in variables, and pointers are used in ways that
    /// numbers can express.
    fn can_be_numbers(&self) -> bool {
        let program = self.program;
        let elsewhere = program.fields.iter().any(|f| f.ty == Type::Ptr(self.of))
            || program.vars.iter().any(|v| v.ty == Type::PtrArray(self.of));
        let local = |v: &VarId| matches!(program.vars[v.index()].kind, VarKind::Local | VarKind::Temp);
        let releases = |e: &Edge| matches!(e.command, Command::Release(v) if self.homes.contains(&v));
        let released = program.edges.iter().any(releases);
        let strange = |e: &Edge| match &e.command {
            Command::Alloc { to, .. } | Command::Load { to, .. } | Command::LoadElement { to, .. } => {
                self.is_pointer(*to)
            }
            Command::Free(v) => self.is_pointer(*v) || self.homes.contains(v),
            Command::Release(v) => self.is_pointer(*v),
            Command::Assume(c) => released && compares_pointers(c, &|v| self.is_pointer(v)),
            Command::Scramble { targets, .. } => targets.contains(&Target::Everything),
            _ => false,
        };
        !elsewhere
            && self.pointers.iter().all(local)
            && !program.edges.iter().any(strange)
            && !self.is_in_formulas()
    }

    /// Whether a formula speaks of these cells otherwise than of the value of a variable that has one.
    fn is_in_formulas(&self) -> bool {
        let mut rest = self.program.clone();
        with_variables(&mut rest, &self.homes.iter().map(|h| ((*h, self.field), VarId(u32::MAX))).collect());
        let mut found = false;
        each_part(&rest, &mut |p| {
            found |= match p {
                Part::Term(Term::Var(v, _)) => self.homes.contains(v) || self.is_pointer(*v),
                Part::Term(Term::Null(of)) => *of == self.of,
                Part::Term(Term::Field(f, ..)) => *f == self.field,
                Part::Formula(Formula::Forall(b, _) | Formula::Exists(b, _)) => b.of == Some(self.of),
                _ => false,
            }
        });
        let objects = rest.tracks.iter().filter_map(|t| t.object.as_ref());
        found || objects.into_iter().any(|b| b.of == Some(self.of))
    }
}

/// The graph without these cells. An arbitrary pointer is an arbitrary number: one that is no home's is invalid.
struct Rebuild<'p> {
    kind: Kind<'p>,
    numbers: &'p Map<VarId, i32>,
    points: &'p Points<'p>,
    /// Pointers whose value matters, by location.
    live: Vec<Set<VarId>>,
    carriers: Vec<bool>,
    edges: Vec<Edge>,
    locations: u32,
}

impl Rebuild<'_> {
    fn run(mut self) -> (Vec<Edge>, u32) {
        for edge in &self.kind.program.edges {
            self.edge(edge);
        }
        (self.edges, self.locations)
    }

    fn edge(&mut self, edge: &Edge) {
        let Edge { from, to, command, span } = edge;
        let step = match command {
            Command::Alloc { to: home, zeroed, .. } if self.numbers.contains_key(home) => {
                let ty = self.kind.program.fields[self.kind.field.index()].ty;
                if *zeroed { Command::Assign(*home, zero(ty)) } else { Command::Havoc(*home) }
            }
            Command::Release(home) if self.numbers.contains_key(home) => {
                return self.end(edge, self.numbers[home]);
            }
            Command::Load { to: x, from: pointer, field } if *field == self.kind.field => {
                return self.access(edge, *pointer, |home| Command::Assign(*x, Expr::Var(home)));
            }
            Command::Store { to: pointer, field, value } if *field == self.kind.field => {
                let carriers = self.carriers.clone();
                return self.access(edge, *pointer, |home| assign(home, value, &carriers));
            }
            Command::Assign(x, e) if self.kind.is_pointer(*x) => Command::Assign(*x, self.expr(e)),
            Command::Assume(c) => match self.points.always(*from, c) {
                Some(true) => Command::Skip,
                Some(false) => return,
                None => Command::Assume(self.cond(c)),
            },
            other => other.clone(),
        };
        self.step(*from, *to, step, *span);
    }

    fn step(&mut self, from: LocationId, to: LocationId, command: Command, span: Span) {
        self.edges.push(Edge { from, to, command, span });
    }

    fn location(&mut self) -> LocationId {
        self.locations += 1;
        LocationId(self.locations - 1)
    }

    /// `*pointer`, by cases of where it leads.
    fn access(&mut self, edge: &Edge, pointer: VarId, command: impl Fn(VarId) -> Command) {
        if self.numbers.contains_key(&pointer) {
            return self.step(edge.from, edge.to, command(pointer), edge.span);
        }
        let values = self.points.of_pointer(edge.from, pointer);
        let anything = values.contains(&None);
        let may = |n: i32| anything || values.contains(&Some(n));
        let homes: Vec<VarId> = self.kind.homes.to_vec();
        let reached: Vec<VarId> = homes.into_iter().filter(|h| may(self.numbers[h])).collect();
        let fails = may(0) || may(ENDED);
        let is = |n: i32| Cond::eq(Expr::Var(pointer), Expr::Int(n.into()));
        if let ([home], false) = (&reached[..], fails) {
            return self.step(edge.from, edge.to, command(*home), edge.span);
        }
        for home in &reached {
            let middle = self.location();
            self.step(edge.from, middle, Command::Assume(is(self.numbers[home])), edge.span);
            self.step(middle, edge.to, command(*home), edge.span);
        }
        if fails || reached.is_empty() {
            let others = reached.iter().map(|h| is(self.numbers[h]).negated()).collect();
            let (middle, end) = (self.location(), self.location());
            self.step(edge.from, middle, Command::Assume(Cond::And(others)), edge.span);
            let what = format!("validity of pointer `{}`", self.shown(pointer));
            let assert = Command::Assert { formula: Formula::Const(false), check: Check::Memsafety, what };
            self.step(middle, end, assert, edge.span);
        }
    }

    /// The name of a pointer in the source.
    fn shown(&self, pointer: VarId) -> &str {
        let name = &self.kind.program.vars[pointer.index()].name;
        name.split_once('.').map_or(name, |(base, _)| base)
    }

    /// Pointers to the home's variable, if they are still used, lead nowhere from now on.
    fn end(&mut self, edge: &Edge, number: i32) {
        let mut at = edge.from;
        let live: Vec<VarId> =
            self.kind.pointers.iter().copied().filter(|p| self.live[edge.to.index()].contains(p)).collect();
        for pointer in live {
            let values = self.points.of_pointer(edge.from, pointer);
            if !values.contains(&None) && !values.contains(&Some(number)) {
                continue;
            }
            let is = Cond::eq(Expr::Var(pointer), Expr::Int(number.into()));
            let (yes, next) = (self.location(), self.location());
            self.step(at, next, Command::Assume(is.negated()), edge.span);
            self.step(at, yes, Command::Assume(is), edge.span);
            self.step(yes, next, Command::Assign(pointer, Expr::Int(ENDED.into())), edge.span);
            at = next;
        }
        self.step(at, edge.to, Command::Skip, edge.span);
    }

    fn expr(&self, e: &Expr) -> Expr {
        match e {
            Expr::Null(of) if *of == self.kind.of => Expr::Int(0),
            Expr::Var(v) => self.numbers.get(v).map_or_else(|| e.clone(), |n| Expr::Int((*n).into())),
            other => other.clone(),
        }
    }

    fn cond(&self, c: &Cond) -> Cond {
        match c {
            Cond::Const(value) => Cond::Const(*value),
            Cond::Compare(cmp, a, b) => Cond::Compare(*cmp, self.expr(a), self.expr(b)),
            Cond::Not(inner) => Cond::Not(Box::new(self.cond(inner))),
            Cond::And(parts) => Cond::And(parts.iter().map(|p| self.cond(p)).collect()),
            Cond::Or(parts) => Cond::Or(parts.iter().map(|p| self.cond(p)).collect()),
        }
    }
}

/// The variables among these that a command reads.
fn reads(command: &Command, of: &[VarId]) -> Vec<VarId> {
    let mut read = Vec::new();
    walk::expressions(command, &mut |e| {
        if let Expr::Var(v) = e {
            read.push(*v);
        }
    });
    if let Command::Load { from: x, .. } | Command::Store { to: x, .. } = command {
        read.push(*x);
    }
    read.retain(|v| of.contains(v));
    read
}

/// The pointers that may be read before they are assigned again, by location.
fn live(program: &Program, pointers: &[VarId]) -> Vec<Set<VarId>> {
    let mut live: Vec<Set<VarId>> = vec![Set::default(); program.locations as usize];
    let predecessors = program.predecessors();
    let mut open: Vec<LocationId> = (0..program.locations).map(LocationId).collect();
    while let Some(location) = open.pop() {
        for edge in &predecessors[location.index()] {
            let edge = &program.edges[edge.index()];
            let mut before = live[location.index()].clone();
            if let Some(v) = written(&edge.command) {
                before.remove(&v);
            }
            before.extend(reads(&edge.command, pointers));
            let known = &mut live[edge.from.index()];
            let count = known.len();
            known.extend(before);
            if known.len() > count {
                open.push(edge.from);
            }
        }
    }
    live
}

/// Drops assignments to numbers that nothing depends on.
fn drop_unread(program: &mut Program, pointers: &[VarId]) {
    let mut needed: Set<VarId> = Set::default();
    loop {
        let count = needed.len();
        for edge in &program.edges {
            match &edge.command {
                Command::Assign(to, _) if pointers.contains(to) && !needed.contains(to) => {}
                command => needed.extend(reads(command, pointers)),
            }
        }
        if needed.len() == count {
            break;
        }
    }
    for edge in &mut program.edges {
        if written(&edge.command).is_some_and(|v| pointers.contains(&v) && !needed.contains(&v)) {
            edge.command = Command::Skip;
        }
    }
}
