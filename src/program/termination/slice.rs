//! What decides the way of a run inside a region, and whether it goes on at all.
//!
//! The values of variables and fields that tests depend on, and of pointers that are followed. If they are the same at two
//! visits of the head, the run from the first to the second can be repeated with the same choices. Arithmetic that may
//! leave its type decides as well: a run that overflows has no meaning.

use super::Region;
use crate::program::cfg::Program;
use crate::program::command::Command;
use crate::program::decl::{EdgeId, FieldId, LabelId, StructId, Type, VarId};
use crate::program::expr::{BinOp, Expr};
use crate::program::formula::{At, Binder, Formula, Term};
use crate::program::walk::{self, Part};
use std::collections::BTreeSet;

/// Elements of an array that are compared one by one, at most.
const MOST_ELEMENTS: u64 = 64;

/// What must be the same.
pub(super) struct Slice {
    vars: BTreeSet<VarId>,
    fields: BTreeSet<FieldId>,
    arrays: BTreeSet<VarId>,
    /// Cells end in the region.
    frees: bool,
}

impl Slice {
    /// `None` if something in the region is not understood.
    pub(super) fn of(program: &Program, region: &Region) -> Option<Slice> {
        let edges: Vec<EdgeId> = region.edges(program).collect();
        let mut slice =
            Slice { vars: BTreeSet::new(), fields: BTreeSet::new(), arrays: BTreeSet::new(), frees: false };
        loop {
            let before = (slice.vars.len(), slice.fields.len(), slice.arrays.len());
            for edge in &edges {
                slice.command(program, &program.edges[edge.index()].command)?;
            }
            if before == (slice.vars.len(), slice.fields.len(), slice.arrays.len()) {
                break;
            }
        }
        let live = live_at_head(program, region, &edges);
        slice.vars.retain(|v| live.contains(v));
        Some(slice)
    }

    fn expr(&mut self, e: &Expr) {
        walk::expr(e, &mut |e| {
            if let Expr::Var(v) = e {
                self.vars.insert(*v);
            }
        });
    }

    fn command(&mut self, program: &Program, command: &Command) -> Option<()> {
        match command {
            Command::Skip | Command::Havoc(_) | Command::Alloc { .. } => {}
            Command::Assign(x, e) => {
                if self.vars.contains(x) || may_overflow(e) {
                    self.expr(e);
                }
            }
            Command::Load { to, from, field } => {
                self.vars.insert(*from);
                if self.vars.contains(to) {
                    self.fields.insert(*field);
                }
            }
            Command::Store { to, field, value } => {
                self.vars.insert(*to);
                if self.fields.contains(field) || may_overflow(value) {
                    self.expr(value);
                }
            }
            Command::LoadElement { to, array, index } => {
                self.expr(index);
                if self.vars.contains(to) {
                    self.arrays.insert(*array);
                }
            }
            Command::StoreElement { array, index, value } => {
                self.expr(index);
                if self.arrays.contains(array) || may_overflow(value) {
                    self.expr(value);
                }
            }
            Command::Free(x) | Command::Release(x) => {
                self.frees = true;
                self.vars.insert(*x);
            }
            Command::Assume(c) => walk::cond(c, &mut |e| {
                if let Expr::Var(v) = e {
                    self.vars.insert(*v);
                }
            }),
            Command::Suppose(formula) | Command::Assert { formula, .. } => {
                let mut understood = true;
                walk::formula(formula, &mut |part| match part {
                    Part::Term(Term::Var(v, At::Now)) => {
                        self.vars.insert(*v);
                    }
                    Part::Term(Term::Null(_) | Term::Int(_) | Term::Neg(_) | Term::Binary(..))
                    | Part::Formula(
                        Formula::Const(_)
                        | Formula::Not(_)
                        | Formula::And(_)
                        | Formula::Or(_)
                        | Formula::Implies(..)
                        | Formula::Iff(..)
                        | Formula::Compare(..),
                    ) => {}
                    _ => understood = false,
                });
                return understood.then_some(());
            }
            // A label that formulas inside read would be another one in the next round.
            Command::Fail { .. } | Command::Snapshot(_) | Command::Scramble { .. } => return None,
        }
        let known =
            self.arrays.iter().all(|a| program.vars[a.index()].len.is_some_and(|n| n <= MOST_ELEMENTS));
        known.then_some(())
    }

    /// One of these holds unless everything is as it was at the label.
    pub(super) fn differences(&self, program: &mut Program, label: LabelId) -> Vec<Formula> {
        let then = At::Label(label);
        let mut out = Vec::new();
        for v in &self.vars {
            out.push(Formula::ne(Term::Var(*v, At::Now), Term::Var(*v, then)));
            if self.frees && matches!(program.vars[v.index()].ty, Type::Ptr(_)) {
                let valid = |at| Formula::Valid(Term::Var(*v, At::Now), at);
                out.push(Formula::Not(Box::new(Formula::Iff(
                    Box::new(valid(At::Now)),
                    Box::new(valid(then)),
                ))));
            }
        }
        for a in &self.arrays {
            for i in 0..program.vars[a.index()].len.unwrap_or(0) {
                let element = |at| Term::Index(*a, at, Box::new(Term::Int(i128::from(i))));
                out.push(Formula::ne(element(At::Now), element(then)));
            }
        }
        let mut owners: BTreeSet<StructId> = BTreeSet::new();
        for f in &self.fields {
            let owner = program.fields[f.index()].owner;
            owners.insert(owner);
            let binder = Binder { id: program.add_bound(), name: "u".to_owned(), of: Some(owner) };
            let field = |at| Term::Field(*f, at, Box::new(Term::Bound(binder.id)));
            let differs = Formula::ne(field(At::Now), field(then));
            out.push(Formula::Exists(binder.clone(), Box::new(differs)));
        }
        for owner in owners.into_iter().filter(|_| self.frees) {
            let binder = Binder { id: program.add_bound(), name: "u".to_owned(), of: Some(owner) };
            let valid = |at| Formula::Valid(Term::Bound(binder.id), at);
            let gone = Formula::And(vec![valid(then), Formula::Not(Box::new(valid(At::Now)))]);
            out.push(Formula::Exists(binder.clone(), Box::new(gone)));
        }
        out
    }
}

/// Whether the value may leave its type: arithmetic that does not wrap.
fn may_overflow(e: &Expr) -> bool {
    match e {
        Expr::Var(_) | Expr::Null(_) | Expr::Int(_) | Expr::Wrap(..) => false,
        Expr::BitNot(inner) => may_overflow(inner),
        Expr::Binary(BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor | BinOp::Rem | BinOp::Shr, a, b) => {
            may_overflow(a) || may_overflow(b)
        }
        Expr::Neg(_) | Expr::Binary(..) => true,
    }
}

/// The variables that are read inside the region before they are written there.
fn live_at_head(program: &Program, region: &Region, edges: &[EdgeId]) -> BTreeSet<VarId> {
    let mut live: Vec<BTreeSet<VarId>> = vec![BTreeSet::new(); program.locations as usize];
    loop {
        let mut changed = false;
        for edge in edges.iter().rev() {
            let edge = &program.edges[edge.index()];
            let mut here = live[edge.to.index()].clone();
            if let Command::Assign(x, _)
            | Command::Load { to: x, .. }
            | Command::LoadElement { to: x, .. }
            | Command::Alloc { to: x, .. }
            | Command::Havoc(x) = &edge.command
            {
                here.remove(x);
            }
            read(&edge.command, &mut here);
            let known = &mut live[edge.from.index()];
            let count = known.len();
            known.extend(here);
            changed |= known.len() > count;
        }
        if !changed {
            return live.swap_remove(program.loops[region.of.index()].head.index());
        }
    }
}

fn read(command: &Command, out: &mut BTreeSet<VarId>) {
    match command {
        Command::Load { from, .. } => {
            out.insert(*from);
        }
        Command::Store { to, .. } => {
            out.insert(*to);
        }
        Command::Free(x) | Command::Release(x) => {
            out.insert(*x);
        }
        _ => {}
    }
    walk::expressions(command, &mut |e| {
        if let Expr::Var(v) = e {
            out.insert(*v);
        }
    });
    walk::command(command, &mut |part| {
        if let Part::Term(Term::Var(v, _)) = part {
            out.insert(*v);
        }
    });
}
