//! Cells that are only accessed through their home: one variable per field.

use super::super::Lowerer;
use super::super::statement::zero;
use super::{assign, homes, replace, used_as_values, with_variables, written};
use crate::program::{Command, Expr, FieldId, Program, StructId, Var, VarId, VarKind, initialised};
use crate::util::hash::{Map, Set};

pub(super) fn split(lowerer: &mut Lowerer<'_>) {
    let homes = homes(&lowerer.program);
    if homes.is_empty() {
        return;
    }
    let (aliases, copies) = aliases(&lowerer.program, &homes);
    // Formulas are looked at as they will be if all homes go: what is left of a home there is its own value.
    let all: Map<(VarId, FieldId), VarId> = homes
        .iter()
        .flat_map(|(v, of)| {
            lowerer.program.structs[of.index()].fields.iter().map(|f| ((*v, *f), VarId(u32::MAX)))
        })
        .collect();
    let mut rest = lowerer.program.clone();
    with_variables(&mut rest, &all);
    let used = used_as_values(&rest, &copies);
    let mut stays: Set<VarId> = homes.iter().map(|(v, _)| *v).filter(|v| used.contains(v)).collect();
    stays.extend(aliases.iter().filter(|(alias, _)| used.contains(*alias)).map(|(_, home)| *home));
    let cells: Map<VarId, StructId> = homes.into_iter().filter(|(v, _)| !stays.contains(v)).collect();
    if cells.is_empty() {
        return;
    }
    let carriers = initialised::carriers(&lowerer.program);
    let parts = variables(lowerer, &cells);
    let home = |v: &VarId| -> Option<VarId> {
        let home = aliases.get(v).unwrap_or(v);
        cells.contains_key(home).then_some(*home)
    };
    let program = &mut lowerer.program;
    for edge in 0..program.edges.len() {
        let commands = match &program.edges[edge].command {
            Command::Alloc { to, of, zeroed, .. } if cells.contains_key(to) => {
                let fields = program.structs[of.index()].fields.iter();
                let begin = |part: VarId| match zeroed {
                    true => Command::Assign(part, zero(program.vars[part.index()].ty)),
                    false => Command::Havoc(part),
                };
                fields.map(|f| begin(parts[&(*to, *f)])).collect()
            }
            Command::Release(v) if cells.contains_key(v) => Vec::new(),
            Command::Assign(_, Expr::Var(v)) if copies.contains(&edge) && cells.contains_key(v) => Vec::new(),
            Command::Load { to, from, field } => match home(from) {
                Some(from) => vec![Command::Assign(*to, Expr::Var(parts[&(from, *field)]))],
                None => continue,
            },
            Command::Store { to, field, value } => match home(to) {
                Some(to) => vec![assign(parts[&(to, *field)], value, &carriers)],
                None => continue,
            },
            _ => continue,
        };
        replace(program, edge, commands);
    }
    with_variables(program, &parts);
}

/// Temporaries that only ever stand for one home, and the edges that make them so. A temporary is assigned right
/// before it is used, so the home cannot have got another cell in between.
fn aliases(program: &Program, homes: &[(VarId, StructId)]) -> (Map<VarId, VarId>, Set<usize>) {
    let homes: Set<VarId> = homes.iter().map(|(v, _)| *v).collect();
    let mut writes: Map<VarId, u32> = Map::default();
    for edge in &program.edges {
        if let Some(v) = written(&edge.command) {
            *writes.entry(v).or_default() += 1;
        }
    }
    let (mut aliases, mut copies) = (Map::default(), Set::default());
    for (index, edge) in program.edges.iter().enumerate() {
        if let Command::Assign(to, Expr::Var(home)) = edge.command
            && program.vars[to.index()].kind == VarKind::Temp
            && writes[&to] == 1
            && homes.contains(&home)
        {
            aliases.insert(to, home);
            copies.insert(index);
        }
    }
    (aliases, copies)
}

/// One variable per field; the home, which is not needed any more, becomes the first of them.
fn variables(lowerer: &mut Lowerer<'_>, cells: &Map<VarId, StructId>) -> Map<(VarId, FieldId), VarId> {
    let mut parts = Map::default();
    let mut order: Vec<_> = cells.iter().map(|(v, of)| (*v, *of)).collect();
    order.sort();
    for (home, of) in order {
        let is_box = lowerer.boxes.iter().any(|(_, b, _)| *b == of);
        let fields = lowerer.program.structs[of.index()].fields.clone();
        let names: Vec<_> =
            fields.iter().map(|f| lowerer.promoted_name(home, (!is_box).then_some(*f))).collect();
        let old = lowerer.program.vars[home.index()].clone();
        for (number, (field, name)) in fields.iter().zip(names).enumerate() {
            let var = Var { name, ty: lowerer.program.fields[field.index()].ty, ..old.clone() };
            let id = if number == 0 {
                lowerer.program.vars[home.index()] = var;
                home
            } else {
                lowerer.program.add_var(var)
            };
            parts.insert((home, *field), id);
        }
    }
    parts
}
