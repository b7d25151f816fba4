//! Programs in which the cells of variables are like all others: allocated where their life begins, freed where it ends.
//!
//! For engines that know one kind of cells. What differs is said by the program itself: `free` of a variable is an error,
//! so before each `free` stands an assertion that its argument is no variable's cell. A variable's cell is known by the
//! only program variable that its allocation assigns; an earlier cell of the same one was freed before the next was
//! allocated, and to free it again is an error anyway. A cell that is never released (a global, the result of a call)
//! is reached from that variable, and the result of a call is nobody's address.
//!
//! Locations, loops and variables keep their numbers; new locations follow the old ones, edges are numbered anew.

use super::cfg::{Edge, Program};
use super::command::{Check, Command, Storage};
use super::decl::{StructId, VarId, VarKind};
use super::expr::Expr;
use super::formula::{At, Formula, Term};

/// The program with all cells on the heap; `None` if they are there already, or if a variable's cell is only known by
/// variables that are assigned otherwise too.
#[must_use]
pub fn on_heap(program: &Program) -> Option<Program> {
    let mut homes: Vec<(VarId, StructId)> = Vec::new();
    for edge in &program.edges {
        if let Command::Alloc { to, of, storage: Storage::Automatic, .. } = edge.command
            && !homes.contains(&(to, of))
        {
            homes.push((to, of));
        }
    }
    let strange = |edge: &Edge| match &edge.command {
        Command::Alloc { to, storage: Storage::Heap, .. }
        | Command::Assign(to, _)
        | Command::Load { to, .. }
        | Command::LoadElement { to, .. }
        | Command::Havoc(to) => homes.iter().any(|(v, _)| v == to),
        _ => false,
    };
    let temporary = |v: VarId| program.vars[v.index()].kind == VarKind::Temp;
    let released = |v: VarId| program.edges.iter().any(|e| e.command == Command::Release(v));
    // What is neither released nor a root would be a leak that is none.
    let lost = homes.iter().any(|(v, _)| {
        let kind = program.vars[v.index()].kind;
        temporary(*v) || (kind != VarKind::Global && !released(*v))
    });
    if homes.is_empty() || lost || program.edges.iter().any(strange) {
        return None;
    }
    let mut moved = Program { edges: Vec::new(), ..program.clone() };
    for edge in &program.edges {
        let mut edge = edge.clone();
        match &mut edge.command {
            Command::Alloc { storage, .. } => *storage = Storage::Heap,
            Command::Release(x) => edge.command = Command::Free(*x),
            Command::Free(x) => {
                let of = program.vars[x.index()].ty.pointee();
                let of_kind = homes.iter().filter(|(_, s)| Some(*s) == of).map(|(v, _)| *v);
                if let Some(formula) = no_variable(*x, of, of_kind) {
                    let middle = moved.add_location();
                    let what = "free of a variable".to_owned();
                    let command = Command::Assert { formula, check: Check::Memsafety, what };
                    moved.add_edge(edge.from, middle, command, edge.span);
                    edge.from = middle;
                }
            }
            _ => {}
        }
        moved.edges.push(edge);
    }
    // A cell that is not freed yet belongs to a variable that is alive.
    for sweep in &mut moved.sweeps {
        sweep.roots.extend(homes.iter().map(|(home, _)| Term::Var(*home, At::Now)));
    }
    // A variable without a cell is nobody's address.
    let first = moved.entry;
    moved.entry = moved.add_location();
    let mut at = moved.entry;
    for (number, (home, of)) in homes.iter().enumerate() {
        let next = if number + 1 == homes.len() { first } else { moved.add_location() };
        moved.add_edge(at, next, Command::Assign(*home, Expr::Null(*of)), program.span);
        at = next;
    }
    Some(moved)
}

/// `x` is null or none of the homes' cells; nothing to say without homes.
fn no_variable(x: VarId, of: Option<StructId>, homes: impl Iterator<Item = VarId>) -> Option<Formula> {
    let var = |v: VarId| Term::Var(v, At::Now);
    let others: Vec<Formula> = homes.map(|h| Formula::ne(var(x), var(h))).collect();
    let null = Formula::eq(var(x), Term::Null(of?));
    (!others.is_empty()).then(|| Formula::Or(vec![null, Formula::all(others)]))
}
