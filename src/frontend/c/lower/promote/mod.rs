//! Variables that lowering put into automatic cells become variables again where nobody can tell the difference.
//!
//! The cell of a variable is known by its *home*, the variable `&x` that only the allocation of the cell assigns.
//!
//! * If the home is used for loads and stores alone, its cell becomes one variable per field ([`split`]): struct
//!   variables whose address is not taken.
//! * If the address of scalar variables is taken but stays in variables ([`number`]), their homes are numbered from 1
//!   and the pointers become these numbers: 0 is null, -1 leads to a variable whose life has ended. What a pointer may
//!   lead to at an access is computed first ([`points`]), so that `*pp` is `root` where pp can only be `&root`, and
//!   a case split where it can be several things.
//!
//! Both change only where values are kept, so the interpreter, all engines and the certificates work on the
//! result, in which `pp = &root` or `tail = &n->next` takes no cells of variables any more. Anything that is not
//! foreseen leaves the cells as they are.

mod number;
mod points;
mod split;
#[cfg(test)]
mod tests;

use super::Lowerer;
use crate::program::rewrite::{self, Rewrite};
use crate::program::walk::{self, Part};
use crate::program::{
    At, Command, Edge, Expr, FieldId, Formula, LabelId, Program, Storage, StructId, Target, Term, Type,
    VarId, VarKind,
};
use crate::util::hash::{Map, Set};

impl Lowerer<'_> {
    /// Replaces cells of variables by variables.
    pub(super) fn promote(&mut self) {
        split::split(self);
        for (_, of, field) in self.boxes.clone() {
            number::number(self, of, field);
        }
    }

    /// A name for what a cell held: without `&`, and no other variable's.
    fn promoted_name(&mut self, home: VarId, field: Option<FieldId>) -> String {
        let var = &self.program.vars[home.index()];
        let base = var.name.strip_prefix('&').unwrap_or(&var.name);
        let name = match field {
            Some(field) => format!("{base}.{}", self.program.fields[field.index()].name),
            None => base.to_owned(),
        };
        self.fresh_name(&name)
    }
}

/// The homes: variables that only allocations of automatic cells assign.
fn homes(program: &Program) -> Vec<(VarId, StructId)> {
    let mut only_allocated: Vec<Option<bool>> = vec![None; program.vars.len()];
    for edge in &program.edges {
        if let Some(v) = written(&edge.command) {
            let allocates = matches!(edge.command, Command::Alloc { storage: Storage::Automatic, .. });
            let known = &mut only_allocated[v.index()];
            *known = Some(known.unwrap_or(true) && allocates);
        }
    }
    let vars = program.vars.iter().enumerate().filter(|(i, _)| only_allocated[*i] == Some(true));
    vars.filter_map(|(i, var)| match (var.ty, var.kind) {
        (Type::Ptr(of), VarKind::Local | VarKind::Temp | VarKind::Global) => Some((VarId(i as u32), of)),
        _ => None,
    })
    .collect()
}

/// The variable a command assigns.
fn written(command: &Command) -> Option<VarId> {
    match command {
        Command::Assign(to, _)
        | Command::Load { to, .. }
        | Command::LoadElement { to, .. }
        | Command::Alloc { to, .. }
        | Command::Havoc(to) => Some(*to),
        _ => None,
    }
}

/// Variables whose own value is used: in expressions, by `free`, in formulas otherwise than as `x->f`,
/// in what may be assigned. The commands of the edges in `skip` do not count.
fn used_as_values(program: &Program, skip: &Set<usize>) -> Set<VarId> {
    let mut used = Set::default();
    for (index, edge) in program.edges.iter().enumerate() {
        if skip.contains(&index) {
            continue;
        }
        walk::expressions(&edge.command, &mut |e| {
            if let Expr::Var(v) = e {
                used.insert(*v);
            }
        });
        if let Command::Free(v) = edge.command {
            used.insert(v);
        }
    }
    each_part(program, &mut |p| {
        if let Part::Term(Term::Var(v, _)) = p {
            used.insert(*v);
        }
    });
    let assigns = program.contracts.iter().flat_map(|c| c.assigns.iter().flatten());
    let loops = program.loops.iter().flat_map(|l| l.assigns.iter().flatten());
    let scrambled = program.edges.iter().filter_map(|e| match &e.command {
        Command::Scramble { targets, .. } => Some(targets),
        _ => None,
    });
    for target in assigns.chain(loops).chain(scrambled.flatten()) {
        if let Target::Var(v) | Target::Range(v, ..) = target {
            used.insert(*v);
        }
    }
    used
}

/// The parts of all formulas and targets of a program.
fn each_part(program: &Program, visit: walk::Visit<'_>) {
    program.contracts.iter().for_each(|c| walk::contract(c, visit));
    program.edges.iter().for_each(|e| walk::command(&e.command, visit));
    program
        .loops
        .iter()
        .flat_map(|l| l.invariants.iter().chain(&l.variant))
        .for_each(|c| walk::formula(&c.formula, visit));
    program.loops.iter().flat_map(|l| l.assigns.iter().flatten()).for_each(|t| walk::target(t, visit));
    program.tracks.iter().for_each(|t| walk::formula(&t.clause.formula, visit));
}

/// The program with `x->f` in its formulas replaced by a variable, at each moment. Targets stay as they are.
fn with_variables(program: &mut Program, parts: &Map<(VarId, FieldId), VarId>) {
    let labels = (0..program.labels.len() as u32).map(|l| At::Label(LabelId(l)));
    let moments: Vec<At> = [At::Now, At::Entry].into_iter().chain(labels).collect();
    // The address of a variable does not change, so formulas read it now.
    let field = |v: VarId, f: FieldId, at: At| Term::Field(f, at, Box::new(Term::Var(v, At::Now)));
    let terms: Vec<(Term, Term)> = parts
        .iter()
        .flat_map(|((v, f), by)| moments.iter().map(|at| (field(*v, *f, *at), Term::Var(*by, *at))))
        .collect();
    let rewrite = Rewrite { terms: &terms, at: &rewrite::same };
    let change = |f: &mut Formula| *f = rewrite.formula(f);
    for contract in &mut program.contracts {
        let clauses = contract.requires.iter_mut().chain(&mut contract.ensures);
        clauses.for_each(|c| change(&mut c.formula));
    }
    let clauses = program.loops.iter_mut().flat_map(|l| l.invariants.iter_mut().chain(&mut l.variant));
    clauses.for_each(|c| change(&mut c.formula));
    program.tracks.iter_mut().for_each(|t| change(&mut t.clause.formula));
    for root in program.sweeps.iter_mut().flat_map(|s| &mut s.roots) {
        *root = rewrite.term(root);
    }
    for edge in &mut program.edges {
        if let Command::Suppose(f) | Command::Assert { formula: f, .. } = &mut edge.command {
            change(f);
        }
    }
}

/// Does the commands one after the other in the place of an edge's.
fn replace(program: &mut Program, edge: usize, commands: Vec<Command>) {
    let Edge { to, span, .. } = program.edges[edge].clone();
    let mut commands = commands.into_iter();
    program.edges[edge].command = commands.next().unwrap_or(Command::Skip);
    let mut last = edge;
    for command in commands {
        let middle = program.add_location();
        program.edges[last].to = middle;
        last = program.add_edge(middle, to, command, span).index();
    }
}

/// `to = value` for what was a store of `value`.
fn assign(to: VarId, value: &Expr, carriers: &[bool]) -> Command {
    match value {
        Expr::Var(v) if carriers[v.index()] => Command::Havoc(to),
        value => Command::Assign(to, value.clone()),
    }
}
