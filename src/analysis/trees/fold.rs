//! States at loop heads: what nobody needs is forgotten, cells become structures again, and names no longer matter.

use super::state::{Behind, Node, Range, Shape, State, Value};
use crate::program::walk::{self, Part};
use crate::program::{At, Command, Contract, Expr, FieldId, LocationId, Program, Term, VarId, VarKind};
use crate::util::hash::Map;
use std::collections::BTreeSet;

/// The variables whose values are needed.
pub(super) struct Needed {
    /// By location, by variable.
    now: Vec<Vec<bool>>,
    /// By variable: its value at the entry.
    entry: Vec<bool>,
}

impl Needed {
    pub(super) fn of(program: &Program, contract: &Contract) -> Needed {
        let n = program.vars.len();
        let mut entry = vec![false; n];
        let mut exit = vec![false; n];
        let mut note = |part: Part<'_>| match part {
            Part::Term(Term::Var(v, At::Entry)) => entry[v.index()] = true,
            Part::Term(Term::Var(v, _)) => exit[v.index()] = true,
            _ => {}
        };
        walk::contract(contract, &mut note);
        program.edges.iter().for_each(|e| walk::command(&e.command, &mut note));
        program.loops.iter().flat_map(|l| &l.invariants).for_each(|c| walk::formula(&c.formula, &mut note));
        for (i, var) in program.vars.iter().enumerate() {
            exit[i] = matches!(var.kind, VarKind::Result | VarKind::Global) || exit[i] && is_given(var.kind);
        }
        let mut now = vec![vec![false; n]; program.locations as usize];
        now[program.exit.index()] = exit;
        for l in &program.loops {
            for clause in &l.invariants {
                walk::formula(&clause.formula, &mut |part| {
                    if let Part::Term(Term::Var(v, _)) = part {
                        now[l.head.index()][v.index()] = true;
                    }
                });
            }
        }
        loop {
            let mut more = false;
            for edge in program.edges.iter().rev() {
                let mut here = now[edge.to.index()].clone();
                let (read, written) = uses(&edge.command);
                if let Some(x) = written {
                    here[x.index()] = false;
                }
                read.into_iter().for_each(|v| here[v.index()] = true);
                for (old, new) in now[edge.from.index()].iter_mut().zip(here) {
                    more |= new && !*old;
                    *old |= new;
                }
            }
            if !more {
                return Needed { now, entry };
            }
        }
    }
}

fn is_given(kind: VarKind) -> bool {
    matches!(kind, VarKind::Param | VarKind::Global)
}

/// The variables that a command reads, and the one that it assigns.
fn uses(command: &Command) -> (Vec<VarId>, Option<VarId>) {
    let mut read = Vec::new();
    walk::expressions(command, &mut |e| {
        if let Expr::Var(v) = e {
            read.push(*v);
        }
    });
    walk::command(command, &mut |part| {
        if let Part::Term(Term::Var(v, _)) = part {
            read.push(*v);
        }
    });
    let written = match command {
        Command::Assign(x, _) | Command::Havoc(x) | Command::Alloc { to: x, .. } => Some(*x),
        Command::Load { to, from, .. } => {
            read.push(*from);
            // A variable may be read and assigned at once.
            Some(*to).filter(|to| to != from)
        }
        Command::Store { to, .. } => {
            read.push(*to);
            None
        }
        Command::Free(x) | Command::Release(x) => {
            read.push(*x);
            None
        }
        Command::Scramble { local: Some(local), .. } => {
            read.extend(&local.arguments);
            None
        }
        _ => None,
    };
    (read, written)
}

/// Forgets what is not needed at a location, and folds cells.
pub(super) fn fold(
    program: &Program,
    needed: &Needed,
    shapes: &[Vec<FieldId>],
    at: LocationId,
    state: &mut State,
) {
    for (i, value) in state.vars.iter_mut().enumerate() {
        if !needed.now[at.index()][i] {
            *value = Value::Unused;
        }
    }
    for (i, value) in state.entry.iter_mut().enumerate() {
        if !needed.entry[i] {
            *value = Value::Unused;
        }
    }
    if !state.written.is_empty() {
        state.spoilt = true;
        state.written.clear();
    }
    while shapes.iter().any(|fields| fold_one(program, fields, state)) {}
}

/// How many values lead to each node.
fn counts(state: &State) -> Vec<usize> {
    let mut counts = vec![0; state.nodes.len()];
    let mut open: Vec<Value> = state.vars.iter().chain(&state.entry).copied().collect();
    let mut seen = BTreeSet::new();
    while let Some(value) = open.pop() {
        let Value::Node(n) = value else { continue };
        counts[n] += 1;
        if seen.insert(n)
            && let Behind::Cell { fields, .. } = &state.nodes[n].behind
        {
            open.extend(fields.iter().copied());
        }
    }
    counts
}

/// One cell, with structures behind its fields to which nothing else leads, becomes a structure.
fn fold_one(program: &Program, fields: &[FieldId], state: &mut State) -> bool {
    let counts = counts(state);
    for n in 0..state.nodes.len() {
        let Behind::Cell { fields: values, automatic: false, .. } = &state.nodes[n].behind else { continue };
        let own = &program.structs[state.nodes[n].of.index()].fields;
        if counts[n] == 0 || !fields.iter().all(|f| own.contains(f)) {
            continue;
        }
        let fits = |value: &Value| match value {
            Value::Null => true,
            Value::Node(m) => {
                let whole = matches!(&state.nodes[*m].behind, Behind::Whole(s) if s.covers(fields));
                whole && counts[*m] == 1
            }
            _ => false,
        };
        if own.iter().zip(values).filter(|(f, _)| fields.contains(f)).all(|(_, v)| fits(v)) {
            let children: Vec<Value> =
                own.iter().zip(values).filter(|(f, _)| fields.contains(f)).map(|(_, v)| *v).collect();
            let fresh = state.nodes[n].fresh
                && children.iter().all(|v| !matches!(v, Value::Node(m) if !state.nodes[*m].fresh));
            let node = &mut state.nodes[n];
            node.behind = Behind::Whole(Shape { fields: fields.to_vec() });
            node.old = false;
            node.fresh = fresh;
            return true;
        }
    }
    false
}

/// Gives up what only cells lead to that no variable names.
pub(super) fn forget(state: &mut State) {
    let named: BTreeSet<Value> = state.vars.iter().chain(&state.entry).copied().collect();
    for n in 0..state.nodes.len() {
        if matches!(state.nodes[n].behind, Behind::Cell { .. }) && !named.contains(&Value::Node(n)) {
            state.lose(n);
        }
    }
}

/// The same for all cells.
pub(super) fn forget_cells(state: &mut State) {
    for n in 0..state.nodes.len() {
        if matches!(state.nodes[n].behind, Behind::Cell { automatic: false, .. }) {
            state.lose(n);
        }
    }
}

/// The state with nodes and numbers in the order in which variables lead to them. Of numbers only their sign is kept.
pub(super) fn renamed(state: &State) -> State {
    let mut out = State {
        vars: Vec::new(),
        entry: Vec::new(),
        nodes: Vec::new(),
        numbers: Vec::new(),
        pending: None,
        promises: Vec::new(),
        written: Vec::new(),
        ..state.clone()
    };
    let (mut names, mut numbers): (Map<usize, usize>, Map<usize, usize>) = Default::default();
    let mut order = Vec::new();
    let mut rename = |value: Value, order: &mut Vec<usize>, found: &mut Vec<Range>| match value {
        Value::Node(n) => {
            let next = names.len();
            Value::Node(*names.entry(n).or_insert_with(|| {
                order.push(n);
                next
            }))
        }
        Value::Int(n) => {
            let next = numbers.len();
            Value::Int(*numbers.entry(n).or_insert_with(|| {
                let low = state.numbers[n].0.filter(|low| *low >= 0).map(|_| 0);
                found.push((low, None));
                next
            }))
        }
        other => other,
    };
    let mut ranges = Vec::new();
    for value in &state.vars {
        out.vars.push(rename(*value, &mut order, &mut ranges));
    }
    for value in &state.entry {
        out.entry.push(rename(*value, &mut order, &mut ranges));
    }
    let mut at = 0;
    while at < order.len() {
        let node = &state.nodes[order[at]];
        let behind = match &node.behind {
            Behind::Cell { fields, automatic, .. } => {
                let fields = fields.iter().map(|v| rename(*v, &mut order, &mut ranges)).collect();
                Behind::Cell { fields, entry: None, automatic: *automatic }
            }
            other => other.clone(),
        };
        out.nodes.push(Node { behind, ..node.clone() });
        at += 1;
    }
    out.numbers = ranges;
    out
}
