//! The invariants of programs, checked on everything that the tests lower: ids in range, types that agree, an entry
//! that nothing leads to, an exit that nothing leaves, and no cycle without a loop head.

use crate::program::{Command, Cond, Expr, FieldId, Program, StructId, Type, VarId};

/// Panics if an invariant is broken.
pub(super) fn check(program: &Program, text: &str) {
    for edge in &program.edges {
        assert!(edge.from.0 < program.locations && edge.to.0 < program.locations, "{text}");
        assert_ne!(edge.to, program.entry, "something leads to the entry: {text}");
        assert_ne!(edge.from, program.exit, "something leaves the exit: {text}");
        assert!(typed(program, &edge.command), "{:?} in {text}", edge.command);
    }
    for (i, a) in program.vars.iter().enumerate() {
        assert!(program.vars[..i].iter().all(|b| a.name != b.name), "`{}` twice in {text}", a.name);
    }
    for field in &program.fields {
        assert!(field.owner.index() < program.structs.len());
    }
    cycles_pass_heads(program, text);
}

/// Without the loop heads the graph has an order: nodes without incoming edges are taken away until none is left.
fn cycles_pass_heads(program: &Program, text: &str) {
    let count = program.locations as usize;
    let is_head = |l: usize| program.loops.iter().any(|h| h.head.index() == l);
    let heads: Vec<bool> = (0..count).map(is_head).collect();
    let mut incoming = vec![0usize; count];
    let kept = |e: &&crate::program::Edge| !heads[e.to.index()];
    program.edges.iter().filter(kept).for_each(|e| incoming[e.to.index()] += 1);
    let successors = program.successors();
    let mut open: Vec<usize> = (0..count).filter(|l| incoming[*l] == 0).collect();
    let mut seen = 0;
    while let Some(next) = open.pop() {
        seen += 1;
        for edge in successors[next].iter().map(|e| &program.edges[e.index()]).filter(kept) {
            incoming[edge.to.index()] -= 1;
            if incoming[edge.to.index()] == 0 {
                open.push(edge.to.index());
            }
        }
    }
    assert_eq!(seen, count, "a cycle without a loop head: {text}");
}

fn var(program: &Program, v: VarId) -> Type {
    program.vars[v.index()].ty
}

/// `None`: an integer.
fn pointee(program: &Program, expr: &Expr) -> Result<Option<StructId>, ()> {
    let int = |e: &Expr| pointee(program, e).and_then(|p| if p.is_none() { Ok(None) } else { Err(()) });
    match expr {
        Expr::Var(v) => match var(program, *v) {
            Type::Int(_) => Ok(None),
            Type::Ptr(of) => Ok(Some(of)),
            _ => Err(()),
        },
        Expr::Null(of) => Ok(Some(*of)),
        Expr::Int(_) => Ok(None),
        Expr::Neg(e) | Expr::BitNot(e) | Expr::Wrap(_, e) => int(e),
        Expr::Binary(_, a, b) => int(a).and(int(b)),
    }
}

fn fits(program: &Program, ty: Type, expr: &Expr) -> bool {
    match ty {
        Type::Int(_) => pointee(program, expr) == Ok(None),
        Type::Ptr(of) => pointee(program, expr) == Ok(Some(of)),
        _ => false,
    }
}

fn same_kind(a: Type, b: Type) -> bool {
    matches!((a, b), (Type::Int(_), Type::Int(_))) || a == b
}

fn field_of(program: &Program, pointer: VarId, field: FieldId) -> bool {
    var(program, pointer) == Type::Ptr(program.fields[field.index()].owner)
}

fn condition(program: &Program, cond: &Cond) -> bool {
    match cond {
        Cond::Const(_) => true,
        Cond::Compare(_, a, b) => pointee(program, a).is_ok() && pointee(program, a) == pointee(program, b),
        Cond::Not(inner) => condition(program, inner),
        Cond::And(parts) | Cond::Or(parts) => parts.iter().all(|p| condition(program, p)),
    }
}

fn typed(program: &Program, command: &Command) -> bool {
    match command {
        Command::Assign(v, e) => fits(program, var(program, *v), e),
        Command::Load { to, from, field } => {
            field_of(program, *from, *field) && same_kind(var(program, *to), program.fields[field.index()].ty)
        }
        Command::Store { to, field, value } => {
            field_of(program, *to, *field) && fits(program, program.fields[field.index()].ty, value)
        }
        Command::LoadElement { to, array, index } => {
            var(program, *array).element().is_some_and(|e| same_kind(e, var(program, *to)))
                && pointee(program, index) == Ok(None)
        }
        Command::StoreElement { array, index, value } => {
            var(program, *array).element().is_some_and(|e| fits(program, e, value))
                && pointee(program, index) == Ok(None)
        }
        Command::Alloc { to, of, .. } => var(program, *to) == Type::Ptr(*of),
        Command::Free(v) | Command::Release(v) => var(program, *v).pointee().is_some(),
        Command::Assume(cond) => condition(program, cond),
        Command::Havoc(v) => var(program, *v).element().is_none(),
        Command::Snapshot(label) => label.index() < program.labels.len(),
        Command::Skip
        | Command::Suppose(_)
        | Command::Assert { .. }
        | Command::Fail { .. }
        | Command::Scramble { .. } => true,
    }
}
