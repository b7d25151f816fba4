//! Calls of recursive functions where states are summed up.
//!
//! A call sees what its arguments and the globals that it may mention lead to, and nothing else. So what it does is found out once
//! for each such state (`Entry`): its body is executed from there, and the states in which it returns are kept (`Exit`). A caller goes on
//! from each of them. A call inside the body finds its state among those that are known, or adds one; as long as something is
//! added, everything that has used it is executed again. In the end each call has all its ends, and each end was looked at.
//!
//! `local` says what a call sees, and puts what it has made of that into the caller's state.

use super::machine::Machine;
use super::memory::Memory;
use super::value::{ObjectId, Value};
use crate::frontend::c::CheckedUnit;
use crate::frontend::c::hir::{Callee, Expr, ExprKind, Intrinsic, Variable};
use crate::util::hash::{Map, Set};
use std::collections::BTreeMap;

/// States at calls of all functions, at most.
const MAX_ENTRIES: usize = 600;
/// States in which a call returns, at most.
const MAX_EXITS: usize = 60;

/// The bytes of a literal and where they stand.
pub(super) type Literal = (u32, u32, Vec<u8>);

/// What a call sees, or leaves. Objects are numbered from 0 on, and so are unknown numbers, of which the bounds are known.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) memory: Memory,
    pub(super) globals: Vec<(u32, ObjectId)>,
    pub(super) literals: Vec<(Literal, ObjectId)>,
    /// The arguments, or the result.
    pub(super) values: Vec<Value>,
    /// Objects that the caller's own ones lead to, in its order.
    pub(super) shared: Vec<ObjectId>,
    pub(super) bounds: Vec<(i128, i128)>,
    /// Something was decided without looking at all of C's meaning.
    pub(super) inexact: bool,
}

/// A state at calls of a function.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) function: u32,
    pub(super) at: Local,
    pub(super) exits: Vec<Local>,
    known: Set<Box<[i128]>>,
    /// The program may end in it.
    pub(super) ends: bool,
    /// Entries that were used when it was executed last, and how much was known of them.
    used: Option<Used>,
    /// Intervals around the numbers of all ends.
    pub(super) last: Option<Numbers>,
    pub(super) count: usize,
}

/// Entries that an execution has used, and how much was known of them.
pub(super) type Used = BTreeMap<usize, usize>;

/// Ranges of numbers by object and place.
pub(super) type Numbers = BTreeMap<(ObjectId, u64), (i128, i128)>;

/// What is known of a function without executing it.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// It may call itself.
    pub(super) recursive: bool,
    /// Globals that it, or a function it calls, mentions.
    pub(super) globals: Vec<u32>,
    /// It may write to what others can see.
    pub(super) writes: bool,
}

/// What recursive functions do.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    known: Vec<Known>,
    pub(super) entries: Vec<Entry>,
    by_key: Map<Box<[i128]>, usize>,
    /// Entries that the present execution has used.
    used: Used,
    /// By function: intervals around the numbers of all entries, and how many there are.
    pub(super) last: Map<u32, (Numbers, usize)>,
}

impl Calls {
    /// `None` if no function is recursive.
    pub(super) fn of(unit: &CheckedUnit) -> Option<Calls> {
        let known = Self::look(unit);
        known.iter().any(|k| k.recursive).then(|| Calls { known, ..Calls::default() })
    }

    fn look(unit: &CheckedUnit) -> Vec<Known> {
        let functions = &unit.checked.functions;
        let taken = unit.checked.taken_functions();
        let defined: Vec<bool> = functions.iter().map(|f| f.body.is_some()).collect();
        let look_at = |expr: &Expr, own: &mut Known, called: &mut Set<u32>| {
            look_at(expr, own, called, &taken, &defined);
        };
        let mut known: Vec<Known> = Vec::new();
        let mut calls: Vec<Set<u32>> = Vec::new();
        for function in functions {
            let mut own = Known::default();
            let mut called = Set::default();
            for statement in function.body.iter().flatten() {
                statement.each_expr(&mut |expr| look_at(expr, &mut own, &mut called));
            }
            known.push(own);
            calls.push(called);
        }
        // What a function calls is what it does.
        for index in 0..functions.len() {
            let mut met: Set<u32> = Set::default();
            let mut open: Vec<u32> = calls[index].iter().copied().collect();
            while let Some(next) = open.pop() {
                if met.insert(next) {
                    open.extend(&calls[next as usize]);
                }
            }
            let mut globals: Vec<u32> = known[index].globals.clone();
            let mut writes = known[index].writes;
            for other in &met {
                globals.extend(&known[*other as usize].globals);
                writes |= known[*other as usize].writes;
            }
            // A global that comes to be brings those that it leads to.
            let mut next = 0;
            while let Some(global) = globals.get(next).copied() {
                next += 1;
                let mut brought = Known::default();
                for init in &unit.checked.globals[global as usize].init {
                    look_at(&init.target, &mut brought, &mut Set::default());
                    look_at(&init.value, &mut brought, &mut Set::default());
                }
                globals
                    .extend(brought.globals.into_iter().filter(|g| !globals.contains(g)).collect::<Vec<_>>());
            }
            globals.sort_unstable();
            globals.dedup();
            let recursive = met.contains(&(index as u32));
            known[index] = Known { recursive, globals, writes };
        }
        known
    }

    pub(super) fn known(&self, function: u32) -> &Known {
        &self.known[function as usize]
    }

    /// The entry with this state, which may be new; none if there are too many.
    pub(super) fn enter(
        &mut self,
        function: u32,
        key: Box<[i128]>,
        at: impl FnOnce() -> Local,
    ) -> Option<usize> {
        let index = match self.by_key.get(&key) {
            Some(index) => *index,
            None if self.entries.len() >= MAX_ENTRIES => return None,
            None => {
                let index = self.entries.len();
                self.by_key.insert(key, index);
                self.entries.push(Entry {
                    function,
                    at: at(),
                    exits: Vec::new(),
                    known: Set::default(),
                    ends: false,
                    used: None,
                    last: None,
                    count: 0,
                });
                index
            }
        };
        let ends = self.size(index);
        let used = self.used.entry(index).or_insert(ends);
        *used = (*used).min(ends);
        Some(index)
    }

    /// An end of an entry; whether it can be kept.
    pub(super) fn leave(&mut self, entry: usize, key: Box<[i128]>, at: impl FnOnce() -> Local) -> bool {
        let entry = &mut self.entries[entry];
        if entry.known.insert(key) {
            entry.exits.push(at());
        }
        entry.exits.len() <= MAX_EXITS
    }

    /// An entry that has to be executed, because it never was or because what it used has more ends now: the newest one, on which
    /// others wait.
    pub(super) fn next(&self) -> Option<usize> {
        let grown = |used: &Used| self.has_grown(used);
        self.entries.iter().rposition(|e| e.used.as_ref().is_none_or(grown))
    }

    pub(super) fn has_grown(&self, used: &Used) -> bool {
        used.iter().any(|(entry, size)| self.size(*entry) > *size)
    }

    /// How much is known of an entry.
    fn size(&self, entry: usize) -> usize {
        let entry = &self.entries[entry];
        2 * entry.exits.len() + usize::from(entry.ends)
    }

    /// After the execution of an entry, or of `main`: what it has used.
    pub(super) fn done(&mut self, entry: Option<usize>) -> Used {
        let used = std::mem::take(&mut self.used);
        if let Some(entry) = entry {
            self.entries[entry].used = Some(used.clone());
        }
        used
    }
}

/// Notes what an expression mentions.
fn look_at(expr: &Expr, own: &mut Known, called: &mut Set<u32>, taken: &[u32], defined: &[bool]) {
    match &expr.kind {
        ExprKind::Var(Variable::Global(index)) => own.globals.push(*index),
        ExprKind::Call(Callee::Function(index), _) => {
            called.insert(*index);
            // The library writes, and calls what it is given.
            if !defined[*index as usize] {
                own.writes = true;
                called.extend(taken);
            }
        }
        ExprKind::Call(
            Callee::Intrinsic(
                Intrinsic::Assert
                | Intrinsic::AssertFail
                | Intrinsic::VerifierAssert
                | Intrinsic::Assume
                | Intrinsic::Error
                | Intrinsic::Nondet,
            ),
            _,
        ) => {}
        ExprKind::Call(..) => {
            own.writes = true;
            called.extend(taken);
        }
        ExprKind::CallPointer(..) => {
            own.writes = true;
            called.extend(taken);
        }
        ExprKind::Assign(target, _) | ExprKind::Update { target, .. } => {
            own.writes |= !matches!(target.exact().kind, ExprKind::Var(Variable::Local(_)));
        }
        _ => {}
    }
    expr.each_part(&mut |part| look_at(part, own, called, taken, defined));
}

impl Machine<'_> {
    /// Whether a call of this function is taken from what is known of it.
    pub(super) fn is_summed(&self, function: u32) -> bool {
        self.summing.is_some()
            && self.held == 0
            && !self.function(function).variadic
            && self.calls.as_ref().is_some_and(|calls| calls.borrow().known(function).recursive)
    }
}
