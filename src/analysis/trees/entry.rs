//! The states in which a function begins: what it requires says which structures it owns.

use super::formula::{Begin, Reader};
use super::state::{Behind, Shape, State, Value};
use crate::program::{At, Cmp, Contract, FieldId, Formula, Program, StructId, Term, Type, VarId, VarKind};
use std::collections::BTreeSet;

/// What is owned at the entry, by the variable that leads to it.
pub(super) struct Owned {
    /// Roots of structures.
    pub(super) roots: Vec<(VarId, Shape)>,
    /// Structures behind the fields of roots.
    inner: Vec<(VarId, FieldId, Shape)>,
}

impl Owned {
    /// Whether calls of the function itself can be judged: what is owned is behind the roots alone.
    pub(super) fn is_plain(&self) -> bool {
        self.inner.is_empty()
    }
}

/// What the function is given.
pub(super) fn is_given(kind: VarKind) -> bool {
    matches!(kind, VarKind::Param | VarKind::Global)
}

/// The conjuncts of formulas.
pub(super) fn conjuncts<'f>(formulas: impl Iterator<Item = &'f Formula>) -> Vec<&'f Formula> {
    let mut open: Vec<&Formula> = formulas.collect();
    open.reverse();
    let mut out = Vec::new();
    while let Some(formula) = open.pop() {
        match formula {
            Formula::And(parts) => open.extend(parts.iter().rev()),
            other => out.push(other),
        }
    }
    out
}

/// What a function owns under this contract. Of one struct it owns what one variable leads to: whether two variables
/// lead to the same cells is not known. Single cells are owned only where that is required, or where `all` are.
pub(super) fn owned(program: &Program, contract: &Contract, all: bool) -> Owned {
    let reader = Reader { program, begin: Begin::Now, roots: &[] };
    let mut taken: BTreeSet<StructId> = BTreeSet::new();
    let mut out = Owned { roots: Vec::new(), inner: Vec::new() };
    let parts = conjuncts(contract.requires.iter().map(|c| &c.formula));
    let mut shapes: Vec<(Vec<FieldId>, &Term)> = parts.iter().filter_map(|p| reader.shape(p)).collect();
    shapes.sort_by_key(|(fields, _)| std::cmp::Reverse(fields.len()));
    for (fields, root) in &shapes {
        let (var, inner) = match root {
            Term::Var(v, At::Now | At::Entry) => (*v, None),
            Term::Field(f, _, base) => match **base {
                Term::Var(v, At::Now | At::Entry) => (v, Some(*f)),
                _ => continue,
            },
            _ => continue,
        };
        if !is_given(program.vars[var.index()].kind) {
            continue;
        }
        let of = program.fields[fields[0].index()].owner;
        let shape = Shape { fields: fields.clone() };
        match inner {
            None if taken.insert(of) => out.roots.push((var, shape)),
            Some(field) => {
                let around = program.fields[field.index()].owner;
                let known = out.roots.iter().any(|(v, s)| *v == var && s.fields.is_empty());
                if around == of || taken.contains(&of) || !known && !taken.insert(around) {
                    continue;
                }
                taken.insert(of);
                if !known {
                    out.roots.push((var, Shape { fields: Vec::new() }));
                }
                out.inner.push((var, field, shape));
            }
            None => {}
        }
    }
    let required = |v: VarId| {
        parts.iter().any(|p| match p {
            Formula::Valid(Term::Var(w, _), _) => *w == v,
            Formula::Compare(Cmp::Ne, Term::Var(w, _), Term::Null(_)) => *w == v,
            _ => false,
        })
    };
    for (i, var) in program.vars.iter().enumerate().filter(|(_, v)| is_given(v.kind)) {
        let id = VarId(i as u32);
        if let Type::Ptr(of) = var.ty
            && (all || required(id))
            && taken.insert(of)
        {
            out.roots.push((id, Shape { fields: Vec::new() }));
        }
    }
    out
}

/// The state at the entry; `None` if nothing satisfies what is required.
pub(super) fn begin(program: &Program, contract: &Contract, owned: &Owned) -> Option<State> {
    let mut state = State {
        vars: vec![Value::Unused; program.vars.len()],
        entry: Vec::new(),
        nodes: Vec::new(),
        numbers: Vec::new(),
        pending: None,
        promises: Vec::new(),
        written: Vec::new(),
        changed: Vec::new(),
        spoilt: false,
    };
    for (i, var) in program.vars.iter().enumerate() {
        state.vars[i] = state.anything(var.ty);
    }
    for (var, shape) in &owned.roots {
        if let Value::Node(n) = state.vars[var.index()] {
            state.nodes[n].behind = Behind::Whole(shape.clone());
            state.nodes[n].old = true;
        }
    }
    for (var, field, shape) in &owned.inner {
        let Value::Node(n) = state.vars[var.index()] else { return None };
        // The structure is there if the cell around it is; so it must be required.
        let there = conjuncts(contract.requires.iter().map(|c| &c.formula)).into_iter().any(|p| {
            matches!(p, Formula::Valid(Term::Var(w, _), _) if w == var)
                || matches!(p, Formula::Compare(Cmp::Ne, Term::Var(w, _), Term::Null(_)) if w == var)
        });
        if !there {
            continue;
        }
        state.nodes[n].not_null = true;
        state.open(program, n);
        let slot = program.structs[state.nodes[n].of.index()].fields.iter().position(|f| f == field);
        let Behind::Cell { fields, .. } = &state.nodes[n].behind else { continue };
        if let Some(Value::Node(inside)) = slot.and_then(|slot| fields.get(slot).copied()) {
            state.nodes[inside].behind = Behind::Whole(shape.clone());
            state.nodes[inside].old = true;
        }
    }
    state.entry = state.vars.clone();
    let reader = Reader { program, begin: Begin::Now, roots: &[] };
    let holds = contract.requires.iter().all(|clause| reader.assume(&mut state, &clause.formula));
    holds.then_some(state)
}
