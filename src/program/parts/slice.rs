//! The program that knows some regions only.

use super::control::control_parents;
use super::regions::Regions;
use crate::program::cfg::{Edge, Program, Question, Sweep};
use crate::program::command::{Check, Command};
use crate::program::decl::{FieldId, LocationId, Type, Var, VarId, VarKind};
use crate::program::expr::{Cond, Expr};
use crate::program::formula::Term;
use crate::program::initialised::{assigned_by, reads};
use crate::program::walk;
use crate::util::hash::Set;
use std::collections::BTreeSet;

/// What all parts of a program share.
pub(super) struct Slicer<'p> {
    program: &'p Program,
    question: &'p Question,
    regions: &'p Regions,
    /// By location, the locations whose tests it depends on.
    parents: Vec<Vec<LocationId>>,
    /// By variable, the edges that give an integer variable its value.
    assigning: Vec<Vec<usize>>,
    leaving: Vec<Vec<usize>>,
    /// By edge: the regions of the part that must check it, if it can fail.
    owners: Vec<Option<Vec<usize>>>,
}

impl<'p> Slicer<'p> {
    pub(super) fn new(program: &'p Program, question: &'p Question, regions: &'p Regions) -> Slicer<'p> {
        let mut assigning = vec![Vec::new(); program.vars.len()];
        let mut leaving = vec![Vec::new(); program.locations as usize];
        for (index, edge) in program.edges.iter().enumerate() {
            leaving[edge.from.index()].push(index);
            if let Some(v) = assigned_by(&edge.command)
                && matches!(program.vars[v.index()].ty, Type::Int(_))
            {
                assigning[v.index()].push(index);
            }
        }
        let parents = control_parents(program);
        let owners = Vec::new();
        let mut slicer = Slicer { program, question, regions, parents, assigning, leaving, owners };
        slicer.owners = (0..program.edges.len()).map(|edge| slicer.owner(edge)).collect();
        slicer
    }

    /// The sets of regions that need a part of their own.
    pub(super) fn wanted(&self) -> Vec<Vec<usize>> {
        let mut wanted: BTreeSet<Vec<usize>> = self.owners.iter().flatten().cloned().collect();
        if self.question.asks(Check::Leaks) || self.question.asks(Check::Garbage) {
            for edge in &self.program.edges {
                if let Command::Alloc { to, .. } = edge.command {
                    wanted.insert(vec![self.regions.region(to, edge.to)]);
                }
            }
        }
        // A part that knows more regions checks what parts with fewer of them check; integers alone are a part.
        let inside = |small: &[usize], large: &[usize]| {
            !small.is_empty() && small.len() < large.len() && small.iter().all(|r| large.contains(r))
        };
        wanted.iter().filter(|set| !wanted.iter().any(|other| inside(set, other))).cloned().collect()
    }

    /// The regions that an edge's check is about; `None` if it cannot fail or nobody asks.
    fn owner(&self, edge: usize) -> Option<Vec<usize>> {
        let Edge { from, command, .. } = &self.program.edges[edge];
        let check = match command {
            Command::Load { .. }
            | Command::Store { .. }
            | Command::LoadElement { .. }
            | Command::StoreElement { .. }
            | Command::Free(_) => Check::Memsafety,
            Command::Assert { check, .. } => *check,
            Command::Fail { .. } => Check::Asserts,
            _ => return None,
        };
        if !self.question.asks(check) {
            return None;
        }
        match command {
            Command::Assert { .. } | Command::Fail { .. } => Some(self.sources(edge)),
            _ => self.base(command).map(|v| vec![self.regions.region(v, *from)]),
        }
    }

    /// What a command follows or changes.
    fn base(&self, command: &Command) -> Option<VarId> {
        match command {
            Command::Load { from: x, .. }
            | Command::Store { to: x, .. }
            | Command::LoadElement { array: x, .. }
            | Command::StoreElement { array: x, .. }
            | Command::Free(x)
            | Command::Release(x) => Some(*x),
            _ => None,
        }
    }

    fn is_int(&self, v: VarId) -> bool {
        matches!(self.program.vars[v.index()].ty, Type::Int(_))
    }

    /// The regions that an assertion speaks of, that its values come from, and that the tests right before it speak of.
    fn sources(&self, edge: usize) -> Vec<usize> {
        let mut found = BTreeSet::new();
        let mut open = vec![edge];
        for test in &self.parents[self.program.edges[edge].from.index()] {
            let tests = self.leaving[test.index()].iter();
            open.extend(tests.filter(|e| matches!(self.program.edges[**e].command, Command::Assume(_))));
        }
        let mut seen: Set<usize> = Set::default();
        while let Some(edge) = open.pop() {
            if !seen.insert(edge) {
                continue;
            }
            let Edge { from, command, .. } = &self.program.edges[edge];
            for v in reads(command).into_iter().chain(self.base(command)) {
                match self.is_int(v) {
                    true => open.extend(&self.assigning[v.index()]),
                    false => {
                        found.insert(self.regions.region(v, *from));
                    }
                }
            }
        }
        found.into_iter().collect()
    }

    /// The part with this number among those wanted.
    pub(super) fn slice(&self, wanted: &[Vec<usize>], part: usize) -> Program {
        let first = |owner: &Vec<usize>| {
            let knows = |set: &Vec<usize>| {
                set.is_empty() == owner.is_empty() && owner.iter().all(|r| set.contains(r))
            };
            wanted.iter().position(knows)
        };
        let checked = self.owners.iter().map(|owner| owner.as_ref().is_some_and(|o| first(o) == Some(part)));
        let (known, checked) = (&wanted[part][..], checked.collect());
        let mut slice =
            Slice { slicer: self, known, checked, held: Vec::new(), kept: Vec::new(), read: Vec::new() };
        slice.held = slice.held_variables();
        slice.kept = slice.kept_integers();
        slice.read = slice.read_fields();
        slice.program()
    }
}

/// One part.
struct Slice<'s, 'p> {
    slicer: &'s Slicer<'p>,
    known: &'s [usize],
    /// By edge: this part looks whether it fails.
    checked: Vec<bool>,
    /// By variable: it leads into a known region somewhere.
    held: Vec<bool>,
    /// By variable: its values are kept.
    kept: Vec<bool>,
    /// By field: what integers it holds makes a difference.
    read: Vec<bool>,
}

impl Slice<'_, '_> {
    fn knows(&self, v: VarId, at: LocationId) -> bool {
        self.known.contains(&self.slicer.regions.region(v, at))
    }

    fn held_variables(&self) -> Vec<bool> {
        let mut held = vec![false; self.slicer.program.vars.len()];
        for edge in &self.slicer.program.edges {
            let used = reads(&edge.command).into_iter().map(|v| (v, edge.from));
            let given = assigned_by(&edge.command).map(|v| (v, edge.to));
            for (v, at) in used.chain(given) {
                if !self.slicer.is_int(v) && self.knows(v, at) {
                    held[v.index()] = true;
                }
            }
        }
        held
    }

    /// Whether an edge is about a known region, or an assertion of this part.
    fn is_known(&self, edge: usize) -> bool {
        let Edge { from, to, command, .. } = &self.slicer.program.edges[edge];
        let pointer = |v: &VarId| !self.slicer.is_int(*v);
        match command {
            Command::Assert { .. } | Command::Fail { .. } => self.checked[edge],
            Command::Assume(_) | Command::Suppose(_) | Command::Skip => false,
            command => match (self.slicer.base(command), assigned_by(command).filter(pointer)) {
                (Some(base), _) => self.knows(base, *from),
                (None, Some(given)) => self.knows(given, *to),
                (None, None) => false,
            },
        }
    }

    /// Integers that commands of the part use, or that decide whether they run.
    fn kept_integers(&self) -> Vec<bool> {
        let program = self.slicer.program;
        let mut kept = vec![false; program.vars.len()];
        let mut open: Vec<usize> = (0..program.edges.len()).filter(|e| self.is_known(*e)).collect();
        let mut seen = vec![false; program.edges.len()];
        while let Some(index) = open.pop() {
            if std::mem::replace(&mut seen[index], true) {
                continue;
            }
            let edge = &program.edges[index];
            // An integer from another region is arbitrary: how that is found is of no interest.
            let foreign = self.slicer.base(&edge.command).is_some_and(|base| !self.knows(base, edge.from));
            for v in reads(&edge.command).into_iter().filter(|_| !foreign) {
                if self.slicer.is_int(v) && !std::mem::replace(&mut kept[v.index()], true) {
                    open.extend(&self.slicer.assigning[v.index()]);
                }
            }
            for test in &self.slicer.parents[edge.from.index()] {
                open.extend(&self.slicer.leaving[test.index()]);
            }
        }
        kept
    }

    /// Fields that are read into an integer that is kept, or that a formula names.
    fn read_fields(&self) -> Vec<bool> {
        let mut read = vec![false; self.slicer.program.fields.len()];
        for edge in &self.slicer.program.edges {
            if let Command::Load { to, field, .. } = edge.command {
                read[field.index()] |= !self.slicer.is_int(to) || self.kept[to.index()];
            }
            walk::command(&edge.command, &mut |part| walk::fields(part, &mut |f| read[f.index()] = true));
        }
        read
    }

    fn program(&self) -> Program {
        let program = self.slicer.program;
        let mut part = Program { edges: Vec::new(), ..program.clone() };
        for (index, edge) in program.edges.iter().enumerate() {
            let Some(command) = self.command(index, edge) else { continue };
            let command = match command {
                Command::Store { to, field, .. } if !self.read[field.index()] => {
                    match program.fields[field.index()].ty {
                        // Nobody reads what is stored; that there is a cell is checked.
                        Type::Int(_) => Command::Load { to: spare(&mut part, field), from: to, field },
                        _ => command,
                    }
                }
                command => command,
            };
            part.edges.push(Edge { command, ..edge.clone() });
        }
        let root = |root: &Term| match root {
            Term::Var(v, _) => self.held[v.index()],
            Term::Field(_, _, of) => matches!(**of, Term::Var(v, _) if self.held[v.index()]),
            _ => false,
        };
        let sweep = |sweep: &Sweep| {
            let roots = sweep.roots.iter().filter(|r| root(r)).cloned().collect();
            Sweep { roots, ..sweep.clone() }
        };
        part.sweeps = program.sweeps.iter().map(sweep).collect();
        part
    }

    /// What an edge does in the part; `None` if it leads to a failure that another part looks at.
    fn command(&self, index: usize, edge: &Edge) -> Option<Command> {
        let command = &edge.command;
        Some(match command {
            Command::Fail { .. } if !self.checked[index] => return None,
            Command::Assume(cond) => self.weakened(cond, edge.from).map_or(Command::Skip, Command::Assume),
            Command::Suppose(_) => {
                let usable = |v: VarId| match self.slicer.is_int(v) {
                    true => self.kept[v.index()],
                    false => self.knows(v, edge.from),
                };
                if reads(command).into_iter().all(usable) { command.clone() } else { Command::Skip }
            }
            command if self.is_known(index) => command.clone(),
            command => match assigned_by(command) {
                Some(v) if self.slicer.is_int(v) && self.kept[v.index()] => match self.slicer.base(command) {
                    Some(_) => Command::Havoc(v),
                    None => command.clone(),
                },
                Some(v) if self.held[v.index()] => match self.slicer.program.vars[v.index()].ty {
                    // It leads into a region that is not known here.
                    Type::Ptr(of) => Command::Assign(v, Expr::Null(of)),
                    _ => Command::Skip,
                },
                _ => Command::Skip,
            },
        })
    }

    /// A condition without what is not known here: it holds at least as often.
    fn weakened(&self, cond: &Cond, at: LocationId) -> Option<Cond> {
        let mut usable = true;
        walk::cond(cond, &mut |e| {
            if let Expr::Var(v) = e {
                usable &= match self.slicer.is_int(*v) {
                    true => self.kept[v.index()],
                    false => self.knows(*v, at),
                };
            }
        });
        match cond {
            cond if usable => Some(cond.clone()),
            Cond::And(parts) => {
                let parts: Vec<Cond> = parts.iter().filter_map(|p| self.weakened(p, at)).collect();
                (!parts.is_empty()).then_some(Cond::And(parts))
            }
            Cond::Not(inner) => match &**inner {
                Cond::Or(parts) => {
                    let negated = parts.iter().map(|p| Cond::Not(Box::new(p.clone())));
                    let parts: Vec<Cond> = negated.filter_map(|p| self.weakened(&p, at)).collect();
                    (!parts.is_empty()).then_some(Cond::And(parts))
                }
                Cond::Not(inner) => self.weakened(inner, at),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A variable that nobody reads, for the values of a field.
fn spare(part: &mut Program, field: FieldId) -> VarId {
    let ty = part.fields[field.index()].ty;
    let name = format!("spare {}", field.0);
    if let Some(known) = part.vars.iter().position(|v| v.name == name) {
        return VarId(known as u32);
    }
    part.add_var(Var { name, ty, kind: VarKind::Temp, len: None, span: part.span })
}
