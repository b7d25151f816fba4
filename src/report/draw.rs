//! Concrete states as text: lists along their link (`links`), trees as trees, cells by names (`names`) that stay the same
//! through a trace, and what a step changed.
//!
//! ```text
//! x → ⟨x⟩{key=3} → ⟨x->next⟩{key=5} → NULL    y → ⟨x->next⟩    t → ⟨new⟩(freed)
//! ```

use super::findings::{self, Content, Variable};
use super::links;
use super::names::{self, Names};
use crate::program::walk;
use crate::program::{CellId, Command, Edge, FieldId, Program, State, Status, Step, Type, Value, VarKind};

/// Elements of an array that are shown.
const MOST_ELEMENTS: usize = 8;

/// Cells of a list that are drawn.
const MOST_CELLS: usize = 12;
/// Levels of a tree that are drawn inside each other.
const MOST_DEPTH: usize = 6;

/// Draws the states of one program.
pub struct Canvas<'p> {
    program: &'p Program,
    /// Fields worth showing: those that code or formulas mention.
    shown: Vec<bool>,
    /// Variables that are left out of whole states.
    hidden: Vec<bool>,
    names: Names,
}

impl<'p> Canvas<'p> {
    /// A canvas on which no cell has a name yet.
    #[must_use]
    pub fn new(program: &'p Program) -> Canvas<'p> {
        let mut shown = vec![false; program.fields.len()];
        for edge in &program.edges {
            if let Command::Load { field, .. } | Command::Store { field, .. } = &edge.command {
                shown[field.index()] = true;
            }
        }
        for i in 0..program.contracts.len() {
            walk::program(program, i, &mut |part| {
                walk::fields(part, &mut |f| {
                    if let Some(shown) = shown.get_mut(f.index()) {
                        *shown = true;
                    }
                });
            });
        }
        let hidden = vec![false; program.vars.len()];
        Canvas { program, shown, hidden, names: Names::default() }
    }

    fn visible(&self, kind: VarKind, at_entry: bool) -> bool {
        match kind {
            VarKind::Param | VarKind::Global | VarKind::Logic => true,
            VarKind::Local | VarKind::Result => !at_entry,
            VarKind::Temp => false,
        }
    }

    /// Leaves these variables out of whole states from now on.
    pub fn hide(&mut self, hidden: Vec<bool>) {
        self.hidden = hidden;
    }

    /// The whole state, one piece per variable, then the allocated cells that are left, under their access path if
    /// there is one. At the entry only what exists before the first command.
    pub fn state(&mut self, state: &State, at_entry: bool) -> Vec<String> {
        let paths = names::paths(self.program, state, |kind| self.visible(kind, at_entry));
        self.names.begin(paths.clone(), |cell| state.status(cell) != Status::Never);
        let mut drawn = vec![false; state.cells.len()];
        let mut pieces = Vec::new();
        let mut hidden = 0..0;
        for (i, var) in self.program.vars.iter().enumerate() {
            if !self.visible(var.kind, at_entry) || self.hidden[i] {
                continue;
            }
            let name = names::of_variable(var);
            if let Some(fat) = names::fat(self.program, i) {
                hidden = fat.parts.clone();
                pieces.extend(self.leads(state, &fat).then(|| self.fat(state, &fat, &mut drawn)));
                continue;
            }
            if hidden.contains(&i) {
                continue;
            }
            match var.ty {
                Type::Int(_) => pieces.push(format!("{name} = {}", self.value(state, state.vars[i]))),
                Type::Ptr(_) => pieces.push(self.chain(state, name, state.vars[i], &mut drawn)),
                Type::IntArray(_) | Type::PtrArray(_) => {
                    let shown = state.arrays[i].iter().take(MOST_ELEMENTS);
                    let mut items: Vec<String> = shown.map(|v| self.value(state, *v)).collect();
                    if state.arrays[i].len() > items.len() {
                        items.push("..".to_owned());
                    }
                    pieces.push(format!("{name} = [{}]", items.join(", ")));
                }
            }
        }
        let mut rest: Vec<(usize, &str)> =
            (0..state.cells.len()).map(|i| (i, paths[i].as_deref().unwrap_or("(unreached)"))).collect();
        rest.sort_by_key(|(i, path)| (paths[*i].is_none(), path.len(), *path, *i));
        for (i, path) in rest {
            if !drawn[i] && state.cells[i].status.is_valid() {
                pieces.push(self.chain(state, path, Value::Cell(CellId(i as u32)), &mut drawn));
            }
        }
        pieces
    }

    /// The whole state as a value: the same variables and cells, with the same names.
    pub fn snapshot(&mut self, state: &State, at_entry: bool) -> findings::State {
        let drawn = self.state(state, at_entry);
        let mut variables = Vec::new();
        let mut hidden = 0..0;
        for (i, var) in self.program.vars.iter().enumerate() {
            if !self.visible(var.kind, at_entry) || hidden.contains(&i) {
                continue;
            }
            let (name, value) = if let Some(fat) = names::fat(self.program, i) {
                hidden = fat.parts.clone();
                (fat.name.to_owned(), self.lead(state, &fat))
            } else if var.ty.element().is_some() {
                let shown = state.arrays[i].iter().take(MOST_ELEMENTS);
                (var.name.clone(), Content::Array(shown.map(|v| self.content(state, *v)).collect()))
            } else {
                (var.name.clone(), self.content(state, state.vars[i]))
            };
            variables.push(Variable { name, value });
        }
        let mut cells = Vec::new();
        for i in 0..state.cells.len() {
            cells.extend(self.cell(state, CellId(i as u32)));
        }
        findings::State { variables, cells, drawn }
    }

    /// What a pointer to a scalar leads to.
    fn lead(&mut self, state: &State, fat: &names::Fat<'_>) -> Content {
        let Some(i) = fat.parts.clone().find(|i| state.vars[*i] != Value::Null) else { return Content::Null };
        match self.content(state, state.vars[i]) {
            Content::Cell(cell) if i != fat.parts.start || !fat.to_variable => {
                let field = self.program.vars[i].name[fat.name.len() + 1..].to_owned();
                Content::Field { cell, field }
            }
            content => content,
        }
    }

    fn content(&mut self, state: &State, value: Value) -> Content {
        match value {
            Value::Int(n) => Content::Int(n),
            Value::Null => Content::Null,
            Value::Cell(cell) if state.status(cell) == Status::Never => Content::Wild,
            Value::Cell(cell) => Content::Cell(self.names.plain(cell)),
        }
    }

    fn cell(&mut self, state: &State, cell: CellId) -> Option<findings::Cell> {
        let status = match state.status(cell) {
            Status::Never => return None,
            Status::Heap => findings::Status::Allocated,
            Status::Automatic => findings::Status::Automatic,
            Status::Freed => findings::Status::Freed,
        };
        let of = self.program.structs.get(state.cells[cell.index()].of.index())?;
        let mut fields = Vec::new();
        for &field in of.fields.iter().filter(|f| self.shown[f.index()]) {
            let name = self.program.fields[field.index()].name.clone();
            let value = state.field(Value::Cell(cell), field);
            fields.push((name, value));
        }
        let fields = fields.into_iter().map(|(name, v)| Variable { name, value: self.content(state, v) });
        let fields = fields.collect();
        Some(findings::Cell { name: self.names.plain(cell), kind: of.name.clone(), status, fields })
    }

    /// Whether it is known where a pointer to a scalar leads: those to variables that are no cells are not followed.
    fn leads(&self, state: &State, fat: &names::Fat<'_>) -> bool {
        fat.to_variable || fat.parts.clone().any(|i| state.vars[i] != Value::Null)
    }

    /// `p → ⟨p⟩{value=..}` or `p = &⟨x⟩->next`.
    fn fat(&mut self, state: &State, fat: &names::Fat<'_>, drawn: &mut [bool]) -> String {
        let leads = fat.parts.clone().find(|i| state.vars[*i] != Value::Null);
        let Some(i) = leads else { return format!("{} = NULL", fat.name) };
        if i == fat.parts.start && fat.to_variable {
            return self.chain(state, fat.name, state.vars[i], drawn);
        }
        let field = &self.program.vars[i].name[fat.name.len() + 1..];
        format!("{} = &{}->{field}", fat.name, self.value(state, state.vars[i]))
    }

    /// `x → ⟨x⟩{..} → ⟨x->next⟩{..} → NULL`, up to a cell that was drawn before.
    fn chain(&mut self, state: &State, name: &str, from: Value, drawn: &mut [bool]) -> String {
        if from == Value::Null {
            return format!("{name} = NULL");
        }
        let mut text = name.to_owned();
        let mut here = from;
        let mut length = 0;
        loop {
            text.push_str(" → ");
            text.push_str(&self.value(state, here));
            let Value::Cell(cell) = here else { return text };
            let known = drawn.get_mut(cell.index()).is_none_or(|d| std::mem::replace(d, true));
            if known || state.status(cell) == Status::Never {
                return text;
            }
            let of = state.cells[cell.index()].of;
            if links::children(self.program, of, &self.shown).is_some() {
                self.tree(state, cell, drawn, 0, &mut text);
                return text;
            }
            let link = links::main_link(self.program, of, &self.shown);
            text.push_str(&self.inside(state, cell, link.as_slice()));
            let Some(link) = link else { return text };
            here = state.field(here, link);
            length += 1;
            if length == MOST_CELLS {
                text.push_str(&format!(" → ..{}", self.rest(state, here, link, drawn)));
                return text;
            }
        }
    }

    /// Marks the rest of a long list as drawn and says how long it is.
    fn rest(&self, state: &State, mut here: Value, link: FieldId, drawn: &mut [bool]) -> String {
        let mut n = 0;
        while let Value::Cell(cell) = here
            && drawn.get_mut(cell.index()).is_some_and(|d| !std::mem::replace(d, true))
        {
            n += 1;
            here = state.field(here, link);
        }
        format!(" {n} more cells")
    }

    /// What follows the name of a tree's cell: `{key=3}(left: ⟨x->left⟩, right: NULL)`; nothing for two empty children.
    fn tree(&mut self, state: &State, cell: CellId, drawn: &mut [bool], depth: usize, text: &mut String) {
        let of = state.cells[cell.index()].of;
        let Some((left, right)) = links::children(self.program, of, &self.shown) else { return };
        text.push_str(&self.inside(state, cell, &[left, right]));
        let children = [left, right].map(|f| (f, state.field(Value::Cell(cell), f)));
        if children.iter().all(|(_, child)| *child == Value::Null) {
            return;
        }
        for (i, (field, child)) in children.into_iter().enumerate() {
            text.push_str(if i == 0 { "(" } else { ", " });
            text.push_str(&format!("{}: ", self.program.fields[field.index()].name));
            text.push_str(&self.value(state, child));
            let Value::Cell(below) = child else { continue };
            let known = drawn.get_mut(below.index()).is_none_or(|d| *d);
            if known || state.status(below) == Status::Never || depth == MOST_DEPTH {
                continue;
            }
            drawn[below.index()] = true;
            self.tree(state, below, drawn, depth + 1, text);
        }
        text.push(')');
    }

    /// `{key=3, prev=⟨x⟩}`: the shown fields besides those that are drawn.
    fn inside(&mut self, state: &State, cell: CellId, drawn: &[FieldId]) -> String {
        let of = state.cells[cell.index()].of;
        let fields: Vec<FieldId> = self.program.structs[of.index()].fields.clone();
        let mut items = Vec::new();
        for f in fields {
            if drawn.contains(&f) || !self.shown[f.index()] {
                continue;
            }
            let value = self.value(state, state.field(Value::Cell(cell), f));
            items.push(format!("{}={value}", self.program.fields[f.index()].name));
        }
        if items.is_empty() { String::new() } else { format!("{{{}}}", items.join(", ")) }
    }

    /// A value: `3`, `NULL`, `⟨x->next⟩`.
    pub fn value(&mut self, state: &State, value: Value) -> String {
        match value {
            Value::Int(n) => n.to_string(),
            Value::Null => "NULL".to_owned(),
            Value::Cell(cell) => match state.status(cell) {
                Status::Never => "?".to_owned(),
                Status::Freed => format!("{}(freed)", self.names.of(cell)),
                Status::Heap | Status::Automatic => self.names.of(cell),
            },
        }
    }

    /// A variable that points to the cell, or the cell's name.
    fn handle(&mut self, state: &State, cell: CellId) -> String {
        let at_cell = |i: usize| state.vars[i] == Value::Cell(cell);
        let vars = self.program.vars.iter().enumerate();
        let vars = vars.filter(|(i, v)| v.kind != VarKind::Temp && at_cell(*i));
        match vars.min_by_key(|(i, _)| names::is_part(self.program, *i)) {
            Some((i, var)) => match names::fat_of(self.program, i) {
                Some(fat) => fat.name.to_owned(),
                None => names::of_variable(var).to_owned(),
            },
            None => self.names.of(cell),
        }
    }

    /// Whether the edge only brings variables into being: it carries the span of the function itself.
    fn begins(&self, edge: &Edge) -> bool {
        let mut edges = self.program.edges.iter();
        edges.find(|e| e.from == self.program.entry).is_some_and(|first| first.span == edge.span)
    }

    /// What a command did, one piece each: `y = ⟨x⟩`, `x->next: ⟨y⟩ ⇒ NULL`, `⟨new⟩ is allocated`.
    pub fn changes(&mut self, edge: &Edge, before: &State, after: &State) -> Vec<String> {
        let mut pieces = Vec::new();
        let assigned = match &edge.command {
            Command::Assign(x, _)
            | Command::Load { to: x, .. }
            | Command::LoadElement { to: x, .. }
            | Command::Alloc { to: x, .. } => Some(*x),
            // An input. A variable that is only declared has no value worth showing.
            Command::Havoc(x) if self.program.vars[x.index()].span != edge.span && !self.begins(edge) => {
                Some(*x)
            }
            _ => None,
        };
        // A command of a path only says that something was done.
        let by_call = matches!(edge.command, Command::Scramble { .. } | Command::Skip);
        for i in before.cells.len()..after.cells.len() {
            pieces.push(format!("{} is allocated", self.names.of(CellId(i as u32))));
        }
        for (i, var) in self.program.vars.iter().enumerate() {
            if var.kind == VarKind::Temp {
                continue;
            }
            let name = names::of_variable(var);
            let changed = |i: usize| {
                assigned.is_some_and(|x| x.index() == i) || (by_call && before.vars[i] != after.vars[i])
            };
            if let Some(fat) = names::fat(self.program, i) {
                if (changed(i) || fat.parts.clone().any(changed)) && self.leads(after, &fat) {
                    pieces.push(self.fat(after, &fat, &mut vec![true; after.cells.len()]));
                }
            } else if changed(i) && !names::is_part(self.program, i) {
                let value = self.value(after, after.vars[i]);
                pieces.push(format!("{name} = {value}"));
            }
            let elements = before.arrays[i].iter().zip(&after.arrays[i]).enumerate();
            for (k, (_, new)) in elements.filter(|(_, (old, new))| old != new) {
                pieces.push(format!("{name}[{k}] = {}", self.value(after, *new)));
            }
        }
        for (i, (old, new)) in before.cells.iter().zip(&after.cells).enumerate() {
            let cell = CellId(i as u32);
            if old.status != new.status && new.status == Status::Freed {
                pieces.push(format!("{} is freed", self.names.of(cell)));
            }
            let fields: Vec<FieldId> = self.program.structs[new.of.index()].fields.clone();
            for (slot, field) in fields.into_iter().enumerate() {
                if old.fields[slot] != new.fields[slot] {
                    let object = self.handle(before, cell);
                    let name = self.program.fields[field.index()].name.clone();
                    let (was, is) =
                        (self.value(before, old.fields[slot]), self.value(after, new.fields[slot]));
                    pieces.push(format!("{object}->{name}: {was} ⇒ {is}"));
                }
            }
        }
        pieces
    }

    /// The steps of a trace that a reader wants to see: those of one statement together, without those that
    /// change nothing that has a name.
    pub fn steps(&mut self, initial: &State, steps: &[Step], omitted: bool) -> Vec<Shown> {
        let mut out: Vec<Shown> = Vec::new();
        let mut before = initial;
        for (i, step) in steps.iter().enumerate() {
            let edge = &self.program.edges[step.edge.index()];
            let (span, last) = (edge.span, i + 1 == steps.len());
            // A failing command has done nothing; what happened in a gap is not known.
            let changes = if (omitted && i == 0) || (last && *before == step.state) {
                Vec::new()
            } else {
                self.changes(edge, before, &step.state)
            };
            before = &step.state;
            match out.last_mut() {
                Some(shown) if shown.span == span => {
                    // Of several assignments to one variable in a statement the last one counts.
                    let again = |old: &String| changes.iter().any(|new| assigned(new) == assigned(old));
                    shown.changes.retain(|old| assigned(old).is_none() || !again(old));
                    shown.changes.extend(changes);
                    (shown.last, shown.step) = (last, i);
                }
                _ => out.push(Shown { span, changes, last, first: i, step: i }),
            }
        }
        out.retain(|s| s.last || !s.changes.is_empty());
        out
    }
}

/// The variable that a piece of a change is about.
fn assigned(piece: &str) -> Option<&str> {
    let end = piece.find(" = ").or_else(|| piece.find(" → "))?;
    Some(&piece[..end]).filter(|name| !name.contains(' '))
}

/// A statement of a trace and what it changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The statement.
    pub span: crate::util::span::Span,
    /// What it changed.
    pub changes: Vec<String>,
    /// Whether it is where the run fails.
    pub last: bool,
    /// Which step of the run is the first of the statement.
    pub first: usize,
    /// Which step of the run is the last of the statement.
    pub step: usize,
}
