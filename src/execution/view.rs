//! A failing run as states of cells, so that it is shown like the runs of the engines.
//!
//! Variables of the shown part of the run are variables: the lives of a local of a loop's body are one variable, and
//! nested calls give it further ones. Structs, arrays, what was allocated and what a pointer leads to are cells with
//! the fields of their type. A pointer into the middle of an object is shown as one to the object.

use super::machine::{Fault, Machine};
use super::memory::{Found, Memory, Object, Storage};
use super::value::{ObjectId, Value as Known};
use crate::frontend::c::types::{Ty, Types};
use crate::program::trace::Failure;
use crate::program::{
    Cell, CellId, Command, EdgeId, Entry, Field, FieldId, LocationId, Program, State, Status, Step, Struct,
    StructId, Trace, Type, Value, Var, VarId, VarKind,
};
use crate::util::hash::{Map, Set};
use crate::util::span::Span;

/// Fields of one kind of cells that are shown.
const MAX_FIELDS: usize = 24;
/// Elements of an array that are shown as fields.
const MAX_ELEMENTS: u64 = 8;

/// A scalar inside of an object.
#[derive(Clone)]
struct Leaf {
    name: String,
    offset: u64,
    size: u64,
    ty: Ty,
}

struct View<'a> {
    types: &'a Types,
    names: &'a crate::frontend::c::token::Names,
    program: Program,
    /// Kinds of cells by the text of their type, with their scalars.
    kinds: Map<String, (StructId, Vec<Leaf>)>,
    /// The objects that are cells, in order.
    cells: Vec<(ObjectId, StructId, Vec<Leaf>)>,
    /// The cell of each object.
    cell_of: Map<ObjectId, CellId>,
    /// The objects that are variables, in order of their creation, with the place of their name in `shown`.
    variables: Vec<(ObjectId, usize)>,
    /// What the objects of one name and type are shown as: the n-th that is alive is the n-th of these.
    shown: Vec<Vec<VarId>>,
}

/// The run that ends in this fault.
pub(super) fn show(machine: &Machine<'_>, fault: &Fault) -> (Box<Program>, Trace) {
    let mut program = Program::new("main");
    program.begins = Entry::Main;
    let mut view = View {
        types: machine.types(),
        names: &machine.unit.names,
        program,
        kinds: Map::default(),
        cells: Vec::new(),
        cell_of: Map::default(),
        variables: Vec::new(),
        shown: Vec::new(),
    };
    let moments: Vec<&Memory> =
        machine.moments.iter().map(|moment| &moment.memory).chain([&machine.memory]).collect();
    view.declare(&moments, &machine.variables);
    let mut steps: Vec<Step> = Vec::new();
    let mut here = view.program.entry;
    let any = view.any();
    let temp = view.program.add_var(Var {
        name: "#".to_owned(),
        ty: Type::Ptr(any),
        kind: VarKind::Temp,
        len: None,
        span: Span::default(),
    });
    let omitted = machine.steps.saturating_sub(machine.moments.len() as u64);
    let initial = match machine.moments.first() {
        Some(first) if omitted > 0 => view.state(&first.memory, None),
        _ => view.state(&Memory::default(), None),
    };
    for moment in &machine.moments {
        here = view.step(here, Command::Skip, moment.span);
        let before = steps.last().map_or(&initial, |step| &step.state);
        let state = view.state(&moment.memory, Some(before));
        steps.push(Step { edge: last_edge(&view.program), state });
    }
    // The property that a failing `free` breaks is read off the last command.
    let command = if fault.message.starts_with("free ") { Command::Free(temp) } else { Command::Skip };
    view.step(here, command, fault.span);
    let before = steps.last().map_or(&initial, |step| &step.state);
    let state = view.state(&machine.memory, Some(before));
    steps.push(Step { edge: last_edge(&view.program), state });
    // Fields are shown where some command mentions them.
    for field in 0..view.program.fields.len() as u32 {
        let command = Command::Load { to: temp, from: temp, field: FieldId(field) };
        let at = view.program.exit;
        view.program.add_edge(at, at, command, Span::default());
    }
    let failure = Failure { check: fault.check, message: fault.message.clone(), span: fault.span };
    let trace = Trace { initial, steps, omitted, failure, choices: Vec::new(), fills: false };
    (Box::new(view.program), trace)
}

fn alive(memory: &Memory, id: ObjectId) -> bool {
    memory.objects.get(id as usize).is_some_and(|object| object.alive)
}

/// True for a variable that holds one value, false for one that is shown as the address of its cell.
fn is_scalar(object: &Object) -> bool {
    matches!(object.ty, Some(Ty::Int(_) | Ty::Pointer(_) | Ty::Array(_, None)))
}

fn last_edge(program: &Program) -> EdgeId {
    EdgeId(program.edges.len().saturating_sub(1) as u32)
}

impl View<'_> {
    fn step(&mut self, from: LocationId, command: Command, span: Span) -> LocationId {
        let to = self.program.add_location();
        self.program.add_edge(from, to, command, span);
        to
    }

    /// A kind of cells for pointers to whatever.
    fn any(&mut self) -> StructId {
        self.kind("object", Vec::new())
    }

    fn kind(&mut self, name: &str, leaves: Vec<Leaf>) -> StructId {
        if let Some((id, _)) = self.kinds.get(name) {
            return *id;
        }
        let id = StructId(self.program.structs.len() as u32);
        self.program.structs.push(Struct { name: name.to_owned(), fields: Vec::new() });
        self.kinds.insert(name.to_owned(), (id, leaves.clone()));
        for leaf in leaves {
            let ty = match &leaf.ty {
                Ty::Int(kind) => Type::Int(*kind),
                // A pointer to the same type is a link.
                ty => match ty.pointee().map(|t| self.types.show(t)) {
                    Some(target) if target == name => Type::Ptr(id),
                    _ => Type::Ptr(self.any()),
                },
            };
            let field = FieldId(self.program.fields.len() as u32);
            self.program.fields.push(Field { name: leaf.name, owner: id, ty, ghost: false });
            self.program.structs[id.index()].fields.push(field);
        }
        id
    }

    /// The scalars of an object of this type.
    fn leaves(&self, ty: &Ty, offset: u64, name: &str, out: &mut Vec<Leaf>) {
        if out.len() >= MAX_FIELDS {
            return;
        }
        let inner = |part: &str| match (name.is_empty(), part.starts_with('[')) {
            (true, _) => part.to_owned(),
            (false, true) => format!("{name}{part}"),
            (false, false) => format!("{name}.{part}"),
        };
        match ty {
            Ty::Record(id) => {
                let record = self.types.record(*id);
                let members = record.members.iter().flatten().zip(&record.offsets);
                for (member, place) in members.filter(|(m, _)| m.width.is_none() && !m.ghost) {
                    let part = member.name.map_or("", |n| self.names.text(n));
                    let at = offset + place.byte;
                    let path = if part.is_empty() { name.to_owned() } else { inner(part) };
                    self.leaves(&member.ty, at, &path, out);
                }
            }
            Ty::Array(element, length) => {
                let Some((size, _)) = self.types.layout(element) else { return };
                for i in 0..length.unwrap_or(0).min(MAX_ELEMENTS) {
                    self.leaves(element, offset + i * size, &inner(&format!("[{i}]")), out);
                }
            }
            Ty::Int(_) | Ty::Pointer(_) => {
                let Some((size, _)) = self.types.layout(ty) else { return };
                let name = if name.is_empty() { "value".to_owned() } else { name.to_owned() };
                out.push(Leaf { name, offset, size, ty: ty.clone() });
            }
            _ => {}
        }
    }

    /// Enters the variables and cells of these moments, of which the last one is the failure.
    fn declare(&mut self, moments: &[&Memory], variables: &[ObjectId]) {
        self.any();
        let Some(last) = moments.last() else { return };
        let mut groups: Map<(String, String), usize> = Map::default();
        for &id in variables {
            let Some(object) = last.objects.get(id as usize) else { continue };
            if !moments.iter().any(|memory| alive(memory, id)) {
                continue;
            }
            let name = object.name.clone().unwrap_or_default();
            let ty = object.ty.as_ref().map_or_else(String::new, |ty| self.types.show(ty));
            let next = groups.len();
            self.variables.push((id, *groups.entry((name, ty)).or_insert(next)));
        }
        self.variables.sort_unstable();
        self.shown = vec![Vec::new(); groups.len()];
        for memory in moments {
            let mut counts = vec![0; self.shown.len()];
            for (id, group) in self.variables.clone() {
                if !alive(memory, id) {
                    continue;
                }
                counts[group] += 1;
                // Of calls that have returned, one is enough to name what they changed.
                let wanted = counts[group] == 1 || alive(last, id);
                if wanted && self.shown[group].len() < counts[group] {
                    let var = self.variable(&memory.objects[id as usize]);
                    self.shown[group].push(var);
                }
            }
        }
        let aims = self.aims(moments);
        for (i, object) in (0..).zip(&last.objects) {
            let variable = self.variables.binary_search_by_key(&i, |(id, _)| *id).is_ok();
            if object.storage == Storage::Heap || (variable && !is_scalar(object)) || aims.contains(&i) {
                self.add_cell(i, object);
            }
        }
    }

    /// A new variable for what is shown of this object.
    fn variable(&mut self, object: &Object) -> VarId {
        let kind = if object.storage == Storage::Static { VarKind::Global } else { VarKind::Local };
        let name = object.name.clone().unwrap_or_default();
        let taken = |name: &str| self.program.vars.iter().any(|v| v.name == name);
        let further = (2..).map(|n| format!("{name} ({n})"));
        let name = [name.clone()].into_iter().chain(further).find(|n| !taken(n)).unwrap_or_default();
        let ty = match &object.ty {
            Some(Ty::Int(kind)) => Type::Int(*kind),
            _ => Type::Ptr(self.any()),
        };
        self.program.add_var(Var { name, ty, kind, len: None, span: Span::default() })
    }

    /// The objects that pointers of variables and allocated objects lead to.
    fn aims(&self, moments: &[&Memory]) -> Set<ObjectId> {
        let mut aims = Set::default();
        for memory in moments {
            for (id, object) in (0..).zip(&memory.objects) {
                let variable = self.variables.binary_search_by_key(&id, |(id, _)| *id).is_ok();
                let Some(ty) = object.ty.as_ref().filter(|_| variable || object.storage == Storage::Heap)
                else {
                    continue;
                };
                let mut leaves = Vec::new();
                self.leaves(ty, 0, "", &mut leaves);
                for leaf in leaves.iter().filter(|leaf| leaf.ty.pointee().is_some()) {
                    if let Found::Value(Known::Pointer(aim, _)) = object.read(leaf.offset, leaf.size) {
                        aims.insert(aim);
                    }
                }
            }
        }
        aims
    }

    fn add_cell(&mut self, id: ObjectId, object: &Object) {
        let mut leaves = Vec::new();
        let name = match &object.ty {
            // More than one of them: a block.
            Some(ty) if self.types.layout(ty).is_some_and(|(size, _)| size < object.size) => {
                let size = self.types.layout(ty).map_or(1, |(size, _)| size.max(1));
                let count = object.size / size;
                self.leaves(&Ty::Array(std::sync::Arc::new(ty.clone()), Some(count)), 0, "", &mut leaves);
                format!("{}[{count}]", self.types.show(ty))
            }
            Some(ty) => {
                self.leaves(ty, 0, "", &mut leaves);
                self.types.show(ty)
            }
            None => format!("{} bytes", object.size),
        };
        let of = self.kind(&name, leaves.clone());
        self.cell_of.insert(id, CellId(self.cells.len() as u32));
        self.cells.push((id, of, leaves));
    }

    fn value(&self, found: Found, ty: &Type) -> Value {
        match (found, ty) {
            (Found::Value(Known::Int(number)), Type::Int(kind)) => Value::Int(kind.wrap(number.constant)),
            (Found::Value(Known::Pointer(object, _)), Type::Ptr(_)) => {
                self.cell_of.get(&object).map_or(Value::Null, |cell| Value::Cell(*cell))
            }
            (_, Type::Int(_)) => Value::Int(0),
            _ => Value::Null,
        }
    }

    /// What is shown of this memory. A variable that is not alive keeps the value it had before.
    fn state(&self, memory: &Memory, before: Option<&State>) -> State {
        let mut state = State::new(&self.program);
        if let Some(before) = before {
            state.vars.clone_from_slice(&before.vars);
        }
        let mut counts = vec![0; self.shown.len()];
        for &(id, group) in self.variables.iter().filter(|(id, _)| alive(memory, *id)) {
            let object = &memory.objects[id as usize];
            let Some(var) = self.shown[group].get(counts[group]) else { continue };
            counts[group] += 1;
            state.vars[var.index()] = match self.cell_of.get(&id).filter(|_| !is_scalar(object)) {
                Some(cell) => Value::Cell(*cell),
                None => self.value(object.read(0, object.size), &self.program.vars[var.index()].ty),
            };
        }
        for (id, of, leaves) in &self.cells {
            let object = memory.objects.get(*id as usize);
            let status = match object {
                None => Status::Never,
                Some(o) if !o.alive => Status::Freed,
                Some(o) if o.storage == Storage::Heap => Status::Heap,
                Some(_) => Status::Automatic,
            };
            let fields = &self.program.structs[of.index()].fields;
            let values = leaves.iter().zip(fields).map(|(leaf, field)| {
                let ty = &self.program.fields[field.index()].ty;
                match object {
                    Some(o) => self.value(o.read(leaf.offset, leaf.size), ty),
                    None => self.value(Found::Arbitrary, ty),
                }
            });
            state.cells.push(Cell { of: *of, status, fields: values.collect() });
        }
        state
    }
}
