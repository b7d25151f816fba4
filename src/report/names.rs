//! Names of cells: the access path that leads to a cell in the first state that is drawn (`x`, `x->next`), the
//! shortest one that does not lead back if there is one, and of those the first in the order of declarations. A name stays with its cell through a trace,
//! whatever the path leads to later; it is written `⟨x->next⟩`, so that nobody takes it for the present value of
//! an expression. Cells that come later are `⟨new⟩`, `⟨new 2⟩`, those that no variable leads to `⟨other⟩`.

use super::links;
use crate::program::{CellId, Program, State, Type, Value, Var, VarKind};
use std::collections::VecDeque;
use std::ops::Range;

/// A pointer to a scalar that may lead to a variable or into cells: in the program a tag and pointers.
pub struct Fat<'p> {
    /// Its name.
    pub name: &'p str,
    /// The positions of its pointers; the tag stands before them.
    pub parts: Range<usize>,
    /// Whether the first of them is that to a variable.
    pub to_variable: bool,
}

/// The pointer whose tag is this variable.
#[must_use]
pub fn fat(program: &Program, tag: usize) -> Option<Fat<'_>> {
    let name = program.vars.get(tag)?.name.strip_suffix(".tag")?;
    let part = |i: usize| {
        let var = program.vars.get(i)?;
        let part = var.name.strip_prefix(name)?.strip_prefix('.')?;
        matches!(var.ty, Type::Ptr(_)).then_some(part)
    };
    let to_variable = part(tag + 1)? == "variable";
    let end = (tag + 1..).find(|i| part(*i).is_none())?;
    Some(Fat { name, parts: tag + 1..end, to_variable })
}

/// The [`Fat`] that a variable is a pointer of.
pub(super) fn fat_of(program: &Program, var: usize) -> Option<Fat<'_>> {
    (0..var)
        .rev()
        .take_while(|i| matches!(program.vars[i + 1].ty, Type::Ptr(_)))
        .find_map(|i| fat(program, i).filter(|fat| fat.parts.contains(&var)))
}

/// Whether a variable is a pointer of a [`Fat`].
pub(super) fn is_part(program: &Program, var: usize) -> bool {
    fat_of(program, var).is_some()
}

/// The name of a variable in its text: copies of one variable and variables that shadow others have numbers.
pub(super) fn of_variable(var: &Var) -> &str {
    var.name.split('#').next().unwrap_or(&var.name)
}

/// A formula with such names instead of those with numbers.
pub(super) fn without_numbers(text: &str) -> String {
    let mut parts = text.split('#');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        if rest.len() == part.len() {
            out.push('#');
        }
        out.push_str(rest);
    }
    out
}

/// The shortest access path to each cell of a state, from the variables of these kinds.
#[must_use]
pub fn paths(program: &Program, state: &State, visible: impl Fn(VarKind) -> bool) -> Vec<Option<String>> {
    let mut found: Vec<Option<String>> = vec![None; state.cells.len()];
    let mut queue = VecDeque::new();
    let mut meet = |value: Value, path: &dyn Fn() -> String, queue: &mut VecDeque<CellId>| {
        if let Value::Cell(cell) = value
            && let Some(known @ None) = found.get_mut(cell.index())
        {
            *known = Some(path());
            queue.push_back(cell);
        }
    };
    let shown = || program.vars.iter().enumerate().filter(|(_, v)| visible(v.kind));
    // What a variable leads to is named after that, not after a pointer to its field.
    for parts in [false, true] {
        for (i, var) in shown().filter(|(i, _)| is_part(program, *i) == parts) {
            meet(state.vars[i], &|| var.name.clone(), &mut queue);
        }
    }
    for (i, var) in program.vars.iter().enumerate().filter(|(_, v)| visible(v.kind)) {
        for (k, element) in state.arrays[i].iter().enumerate() {
            meet(*element, &|| format!("{}[{k}]", var.name), &mut queue);
        }
    }
    // Links that lead back are followed when nothing else leads on.
    let mut later = VecDeque::new();
    while let Some((cell, back)) =
        queue.pop_front().map(|c| (c, false)).or_else(|| later.pop_front().map(|c| (c, true)))
    {
        let Some(path) = found[cell.index()].clone() else { continue };
        let of = state.cells[cell.index()].of;
        for &field in &program.structs[of.index()].fields {
            let value = state.field(Value::Cell(cell), field);
            let Value::Cell(next) = value else { continue };
            if links::leads_back(program, field) == back
                && let Some(known @ None) = found.get_mut(next.index())
            {
                *known = Some(format!("{path}->{}", program.fields[field.index()].name));
                queue.push_back(next);
            }
        }
        if !back {
            later.push_back(cell);
        }
    }
    found
}

/// Names of cells, fixed when they are first needed.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// By cell.
    known: Vec<Option<String>>,
    /// Which cells the first state has.
    first: Option<Vec<bool>>,
    n_new: usize,
    n_other: usize,
}

impl Names {
    /// Names the cells of the first state, which has those that `is_there` says; later calls change nothing.
    pub fn begin(&mut self, paths: Vec<Option<String>>, is_there: impl Fn(CellId) -> bool) {
        if self.first.is_none() {
            self.first = Some((0..paths.len()).map(|i| is_there(CellId(i as u32))).collect());
            self.known = paths;
        }
    }

    /// The name of a cell as it is drawn: `⟨x->next⟩`.
    pub fn of(&mut self, cell: CellId) -> String {
        format!("⟨{}⟩", self.plain(cell))
    }

    /// The name of a cell.
    pub fn plain(&mut self, cell: CellId) -> String {
        let i = cell.index();
        if i >= self.known.len() {
            self.known.resize(i + 1, None);
        }
        if let Some(name) = &self.known[i] {
            return name.clone();
        }
        let is_new = self.first.as_ref().is_some_and(|first| !first.get(i).is_some_and(|is_there| *is_there));
        let (word, count) = if is_new { ("new", &mut self.n_new) } else { ("other", &mut self.n_other) };
        // A variable may be called `new`; then the cell that it leads to has the name.
        let name = loop {
            *count += 1;
            let name = if *count == 1 { word.to_owned() } else { format!("{word} {count}") };
            if !self.known.iter().flatten().any(|known| *known == name) {
                break name;
            }
        };
        self.known[i] = Some(name.clone());
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::samples::{NEXT, NODE, PREV, reverse};
    use crate::program::{Status, VarId};

    #[test]
    fn the_shortest_path_names_a_cell_for_good() {
        let program = reverse();
        let mut state = State::new(&program);
        let cells: Vec<CellId> = (0..4).map(|_| state.add_cell(&program, NODE, Status::Heap)).collect();
        state.vars[VarId(0).index()] = Value::Cell(cells[0]);
        state.set_field(cells[0], NEXT, Value::Cell(cells[1]));
        state.set_field(cells[1], NEXT, Value::Cell(cells[2]));
        state.set_field(cells[0], PREV, Value::Cell(cells[2]));
        let param = |kind: VarKind| kind == VarKind::Param;
        let found = paths(&program, &state, param);
        let x = &program.vars[0].name;
        let expected = [Some(x.clone()), Some(format!("{x}->next")), Some(format!("{x}->next->next")), None];
        assert_eq!(found, expected);
        let mut names = Names::default();
        names.begin(found, |_| true);
        // Later paths do not matter.
        names.begin(vec![None; 4], |_| false);
        let texts = [1, 3, 4, 5, 3].map(|i| names.of(CellId(i)));
        assert_eq!(texts, [&format!("⟨{x}->next⟩"), "⟨other⟩", "⟨new⟩", "⟨new 2⟩", "⟨other⟩"]);
        // A cell that the first state only makes room for is new, and not the one that a variable `new` leads to.
        let mut names = Names::default();
        names.begin(vec![Some("new".to_owned()), None], |cell| cell.0 == 0);
        assert_eq!([0, 1].map(|i| names.of(CellId(i))), ["⟨new⟩", "⟨new 2⟩"]);
    }
}
