//! Which pointers may meet: regions of the heap.
//!
//! A variable may lead into one region now and into another later, so a node is a pointer variable at a location. The
//! value that a variable keeps along an edge joins two nodes only if it may still be used: a variable that is assigned
//! again is a new one.

use super::needs::needed;
use crate::program::cfg::Program;
use crate::program::command::Command;
use crate::program::decl::{LocationId, Type, VarId};
use crate::program::expr::{Cond, Expr};
use crate::program::formula::Term;
use crate::program::initialised::assigned_by;
use crate::program::walk::{self, Part};
use crate::util::options;

/// The region of each pointer variable at each location, and of each array.
pub(super) struct Regions {
    /// Pointer variables by number, and their numbers.
    slots: Vec<Option<usize>>,
    pointers: usize,
    locations: usize,
    parent: Vec<u32>,
}

impl Regions {
    /// Finds them; `None` if the program is too large for it.
    pub(super) fn of(program: &Program) -> Option<Regions> {
        let mut slots = vec![None; program.vars.len()];
        let mut pointers = 0;
        for (slot, var) in slots.iter_mut().zip(&program.vars) {
            if matches!(var.ty, Type::Ptr(_)) {
                *slot = Some(pointers);
                pointers += 1;
            }
        }
        let locations = program.locations as usize;
        let nodes = locations.checked_mul(pointers)?.checked_add(program.vars.len())?;
        if nodes > options::PARTS_LARGEST.count() as usize {
            return None;
        }
        let parent = (0..u32::try_from(nodes).ok()?).collect();
        let mut regions = Regions { slots, pointers, locations, parent };
        let live = needed(program, false);
        for (index, edge) in program.edges.iter().enumerate() {
            regions.keep(program, index, &live);
            regions.join_command(program, &edge.command, edge.from, edge.to);
        }
        for node in 0..nodes {
            regions.parent[node] = regions.find(node) as u32;
        }
        Some(regions)
    }

    /// How many pointer variables there are.
    pub(super) fn pointers(&self) -> usize {
        self.pointers
    }

    /// Variables keep their values along an edge.
    fn keep(&mut self, program: &Program, edge: usize, live: &[Vec<u64>]) {
        let edge = &program.edges[edge];
        let assigned = assigned_by(&edge.command);
        for (word, bits) in live[edge.to.index()].iter().enumerate() {
            let mut bits = *bits;
            while bits != 0 {
                let v = VarId((word * 64) as u32 + bits.trailing_zeros());
                bits &= bits - 1;
                if self.slots[v.index()].is_some() && Some(v) != assigned {
                    let (a, b) = (self.at(v, edge.from), self.at(v, edge.to));
                    self.join(a, b);
                }
            }
        }
    }

    fn join_command(&mut self, program: &Program, command: &Command, from: LocationId, to: LocationId) {
        let is_pointer = |v: VarId| matches!(program.vars[v.index()].ty, Type::Ptr(_) | Type::PtrArray(_));
        match command {
            Command::Assign(x, Expr::Var(y)) if is_pointer(*x) => {
                let (a, b) = (self.at(*x, to), self.at(*y, from));
                self.join(a, b);
            }
            Command::Load { to: x, from: y, .. } if is_pointer(*x) => {
                let (a, b) = (self.at(*x, to), self.at(*y, from));
                self.join(a, b);
            }
            Command::Store { to: x, value: Expr::Var(y), .. } if is_pointer(*y) => {
                let (a, b) = (self.at(*x, from), self.at(*y, from));
                self.join(a, b);
            }
            Command::LoadElement { to: x, array, .. } if is_pointer(*x) => {
                let (a, b) = (self.at(*x, to), self.at(*array, from));
                self.join(a, b);
            }
            Command::StoreElement { array, value: Expr::Var(y), .. } if is_pointer(*y) => {
                let (a, b) = (self.at(*array, from), self.at(*y, from));
                self.join(a, b);
            }
            Command::Assume(cond) => self.join_compared(program, cond, from),
            Command::Suppose(_) | Command::Assert { .. } => {
                let named = self.named(program, command, from);
                named.windows(2).for_each(|pair| self.join(pair[0], pair[1]));
            }
            _ => {}
        }
    }

    fn join_compared(&mut self, program: &Program, cond: &Cond, from: LocationId) {
        match cond {
            Cond::Compare(_, Expr::Var(x), Expr::Var(y))
                if matches!(program.vars[x.index()].ty, Type::Ptr(_)) =>
            {
                let (a, b) = (self.at(*x, from), self.at(*y, from));
                self.join(a, b);
            }
            Cond::Const(_) | Cond::Compare(..) => {}
            Cond::Not(inner) => self.join_compared(program, inner, from),
            Cond::And(parts) | Cond::Or(parts) => {
                parts.iter().for_each(|p| self.join_compared(program, p, from));
            }
        }
    }

    /// The pointers and arrays that the formula of a command names, as nodes.
    fn named(&self, program: &Program, command: &Command, at: LocationId) -> Vec<usize> {
        let mut out = Vec::new();
        walk::command(command, &mut |part| {
            if let Part::Term(Term::Var(v, _) | Term::Index(v, ..)) = part
                && !matches!(program.vars[v.index()].ty, Type::Int(_))
            {
                out.push(self.at(*v, at));
            }
        });
        out
    }

    /// The node of a pointer variable at a location, or of an array.
    fn at(&self, v: VarId, at: LocationId) -> usize {
        match self.slots[v.index()] {
            Some(slot) => at.index() * self.pointers + slot,
            None => self.locations * self.pointers + v.index(),
        }
    }

    /// The region into which a pointer variable leads at a location, or that an array is.
    pub(super) fn region(&self, v: VarId, at: LocationId) -> usize {
        self.parent[self.at(v, at)] as usize
    }

    fn find(&mut self, node: usize) -> usize {
        let mut node = node;
        while self.parent[node] as usize != node {
            self.parent[node] = self.parent[self.parent[node] as usize];
            node = self.parent[node] as usize;
        }
        node
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high] = low as u32;
    }
}
