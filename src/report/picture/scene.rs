//! What is to be seen in the states of a run, before anything has a place: boxes with rows, labels on them, and
//! variables that lead to no box.
//!
//! A box is a cell of the heap, or an array of pointers. It is the same box in all states (*frames*) of the run: cells
//! keep their names through a trace. For each frame it has a [`Look`], or none where it is not there.

use crate::report::findings::{Content, State, Status};
use crate::util::hash::Map;

/// States of one run that are drawn: a set of frames is the bits of one number.
pub const MOST_FRAMES: usize = 64;
/// Boxes that are drawn; the others are counted.
const MOST_BOXES: usize = 120;

/// A set of frames.
pub type Frames = u64;

/// What the statement that fails is about, as far as its message tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Culprit {
    /// A variable.
    pub variable: Option<String>,
    /// A field of a cell.
    pub field: Option<(String, String)>,
    /// A cell.
    pub cell: Option<String>,
    /// The structure itself: where its ways back do not lead back.
    pub structure: bool,
}

/// The states of a run.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// In the order in which they are met.
    pub boxes: Vec<Block>,
    /// Variables that lead to no box, by frame.
    pub loose: Vec<Vec<Loose>>,
    /// Boxes that variables lead to, in the order of frames and variables.
    pub roots: Vec<usize>,
    /// How many cells are not drawn.
    pub beyond: usize,
}

/// A cell or an array of pointers.
#[derive(Clone, Debug)]
pub struct Block {
    /// The cell's name, or the array's.
    pub name: String,
    /// The struct; empty for an array.
    pub kind: String,
    /// Whether it is an array that is a variable.
    pub is_array: bool,
    /// Names of fields, or indices.
    pub rows: Vec<String>,
    /// By frame.
    pub looks: Vec<Option<Look>>,
}

/// A box in one frame.
#[derive(Clone, Debug)]
pub struct Look {
    /// Whether it may be accessed.
    pub status: Status,
    /// No variable leads to it, directly or through others.
    pub is_lost: bool,
    /// It was not there, or not freed, in the frame before.
    pub is_changed: bool,
    /// What fails is about it.
    pub is_culprit: bool,
    /// By row.
    pub slots: Vec<Slot>,
    /// Variables that lead here.
    pub labels: Vec<Label>,
}

/// A row in one frame.
#[derive(Clone, Debug)]
pub struct Slot {
    /// What it holds.
    pub value: Held,
    /// It held something else in the frame before.
    pub is_changed: bool,
    /// What fails is about it.
    pub is_culprit: bool,
}

/// What a row or a variable holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// The box has no such field.
    Absent,
    /// A number, or several.
    Text(String),
    /// The null pointer.
    Null,
    /// A pointer to nothing that was ever allocated.
    Wild,
    /// A pointer to a box, or to this field of it.
    Box(usize, Option<String>),
    /// A pointer to a cell that is not drawn.
    Beyond,
}

/// A variable on a box.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name, and the field if it leads there.
    pub text: String,
    /// It was elsewhere in the frame before.
    pub is_changed: bool,
    /// What fails is about it.
    pub is_culprit: bool,
}

/// A variable that leads to no box.
#[derive(Clone, Debug)]
pub struct Loose {
    /// Its name.
    pub name: String,
    /// What it holds; several elements if it is an array.
    pub items: Vec<Held>,
    /// Whether it is an array.
    pub is_array: bool,
    /// It held something else in the frame before.
    pub is_changed: bool,
    /// What fails is about it.
    pub is_culprit: bool,
}

impl Scene {
    /// The states of a run, in order, the first [`MOST_FRAMES`]; what fails is about `culprit`, in the last one.
    #[must_use]
    pub fn new(states: &[&State], culprit: &Culprit) -> Scene {
        let states = &states[..states.len().min(MOST_FRAMES)];
        let mut scene = Scene::default();
        let mut known: Map<(bool, &str), usize> = Map::default();
        for state in states {
            scene.meet(state, &mut known);
        }
        for (i, state) in states.iter().enumerate() {
            let before = i.checked_sub(1).and_then(|i| states.get(i)).copied();
            let culprit = if i + 1 == states.len() { culprit } else { &Culprit::default() };
            scene.frame(state, before, culprit, &known);
        }
        scene
    }

    /// The number of frames.
    #[must_use]
    pub fn n_frames(&self) -> usize {
        self.loose.len()
    }

    /// Boxes for what a state has and no state before it.
    fn meet<'s>(&mut self, state: &'s State, known: &mut Map<(bool, &'s str), usize>) {
        let arrays = state.variables.iter().filter_map(|v| match &v.value {
            Content::Array(elements) if elements.iter().any(is_pointer) => Some((&v.name, elements)),
            _ => None,
        });
        for (name, elements) in arrays {
            let rows = (0..elements.len()).map(|i| format!("[{i}]"));
            self.add(known, (true, name), "", rows);
        }
        for cell in &state.cells {
            let rows = cell.fields.iter().flat_map(|f| row_names(&f.name, &f.value));
            self.add(known, (false, &cell.name), &cell.kind, rows);
        }
    }

    fn add<'s>(
        &mut self,
        known: &mut Map<(bool, &'s str), usize>,
        key: (bool, &'s str),
        kind: &str,
        rows: impl Iterator<Item = String>,
    ) {
        let at = match known.get(&key) {
            Some(&at) => at,
            None if self.boxes.len() >= MOST_BOXES => {
                // Counted once.
                if known.insert(key, usize::MAX).is_none() {
                    self.beyond += 1;
                }
                return;
            }
            None => {
                let (name, kind) = (key.1.to_owned(), kind.to_owned());
                let empty = (Vec::new(), Vec::new());
                self.boxes.push(Block { name, kind, is_array: key.0, rows: empty.0, looks: empty.1 });
                known.insert(key, self.boxes.len() - 1);
                self.boxes.len() - 1
            }
        };
        let Some(block) = self.boxes.get_mut(at) else { return };
        for row in rows {
            if !block.rows.contains(&row) {
                block.rows.push(row);
            }
        }
    }

    fn frame(
        &mut self,
        state: &State,
        before: Option<&State>,
        culprit: &Culprit,
        known: &Map<(bool, &str), usize>,
    ) {
        let held = |content: &Content, boxes: &[Block]| match content {
            Content::Int(n) => Held::Text(n.to_string()),
            Content::Null => Held::Null,
            Content::Wild => Held::Wild,
            Content::Cell(name) => place(known, name, None, boxes),
            Content::Field { cell, field } => place(known, cell, Some(field), boxes),
            Content::Array(elements) => Held::Text(list(elements)),
        };
        let reached = reachable(state);
        let old_cell = |name: &str| before.and_then(|b| b.cell(name));
        let mut looks: Vec<Option<Look>> = vec![None; self.boxes.len()];
        for cell in &state.cells {
            let Some(look) = known.get(&(false, cell.name.as_str())).and_then(|at| looks.get_mut(*at)) else {
                continue;
            };
            let old = old_cell(&cell.name);
            let at = known[&(false, cell.name.as_str())];
            let slots = self.boxes[at].rows.iter().map(|row| {
                let find = |fields| row_value(fields, row);
                let content = find(&cell.fields);
                let was = old.and_then(|old| find(&old.fields));
                Slot {
                    value: content.map_or(Held::Absent, |c| held(c, &self.boxes)),
                    is_changed: before.is_some() && old.is_some() && content != was,
                    is_culprit: culprit.field.as_ref().is_some_and(|(c, f)| *c == cell.name && f == row),
                }
            });
            *look = Some(Look {
                status: cell.status,
                is_lost: cell.status == Status::Allocated && !reached.contains_key(cell.name.as_str()),
                is_changed: before.is_some() && old.is_none_or(|old| old.status != cell.status),
                is_culprit: culprit.cell.as_deref() == Some(&cell.name),
                slots: slots.collect(),
                labels: Vec::new(),
            });
        }
        let mut loose = Vec::new();
        for variable in &state.variables {
            let was = before.and_then(|b| b.variable(&variable.name));
            let is_changed = before.is_some() && was != Some(&variable.value);
            let is_culprit = culprit.variable.as_deref() == Some(&variable.name);
            let array = match &variable.value {
                Content::Array(elements) => Some(elements),
                _ => None,
            };
            let drawn = known.get(&(true, variable.name.as_str())).copied();
            if let (Some(elements), Some(at)) = (array, drawn.filter(|at| *at < self.boxes.len())) {
                let olds = match was {
                    Some(Content::Array(olds)) => olds.as_slice(),
                    _ => &[],
                };
                let slots = (0..self.boxes[at].rows.len()).map(|i| Slot {
                    value: elements.get(i).map_or(Held::Absent, |e| held(e, &self.boxes)),
                    is_changed: before.is_some() && elements.get(i) != olds.get(i),
                    is_culprit: false,
                });
                looks[at] = Some(Look {
                    status: Status::Automatic,
                    is_lost: false,
                    is_changed: false,
                    is_culprit,
                    slots: slots.collect(),
                    labels: Vec::new(),
                });
                continue;
            }
            let value = held(&variable.value, &self.boxes);
            if let Held::Box(at, row) = &value
                && let Some(look) = &mut looks[*at]
            {
                let text = match row {
                    Some(row) => format!("{} = &{row}", variable.name),
                    None => variable.name.clone(),
                };
                look.labels.push(Label { text, is_changed, is_culprit });
                self.roots.push(*at);
                continue;
            }
            let items = match array {
                Some(elements) => elements.iter().map(|e| held(e, &self.boxes)).collect(),
                None => vec![value],
            };
            let (name, is_array) = (variable.name.clone(), array.is_some());
            loose.push(Loose { name, items, is_array, is_changed, is_culprit });
        }
        for (block, look) in self.boxes.iter_mut().zip(looks) {
            block.looks.push(look);
        }
        self.loose.push(loose);
    }
}

impl Block {
    /// The box that a row leads to in a frame.
    #[must_use]
    pub fn target(&self, frame: usize, row: usize) -> Option<usize> {
        match self.looks.get(frame)?.as_ref()?.slots.get(row)?.value {
            Held::Box(at, _) => Some(at),
            _ => None,
        }
    }
}

fn is_pointer(content: &Content) -> bool {
    matches!(content, Content::Null | Content::Cell(_) | Content::Field { .. } | Content::Wild)
}

/// The rows of a field: one, or one per element if it holds pointers.
fn row_names(name: &str, value: &Content) -> Vec<String> {
    match value {
        Content::Array(elements) if elements.iter().any(is_pointer) => {
            (0..elements.len()).map(|i| format!("{name}[{i}]")).collect()
        }
        _ => vec![name.to_owned()],
    }
}

/// What stands in a row.
fn row_value<'s>(fields: &'s [crate::report::findings::Variable], row: &str) -> Option<&'s Content> {
    for field in fields {
        match &field.value {
            Content::Array(elements) if elements.iter().any(is_pointer) => {
                let rest = row.strip_prefix(&field.name).and_then(|r| r.strip_prefix('['));
                let index = rest.and_then(|r| r.strip_suffix(']')).and_then(|r| r.parse::<usize>().ok());
                if let Some(element) = index.and_then(|i| elements.get(i)) {
                    return Some(element);
                }
            }
            value if field.name == row => return Some(value),
            _ => {}
        }
    }
    None
}

fn place(known: &Map<(bool, &str), usize>, cell: &str, field: Option<&str>, boxes: &[Block]) -> Held {
    match known.get(&(false, cell)) {
        Some(&at) if at < boxes.len() => Held::Box(at, field.map(str::to_owned)),
        Some(_) => Held::Beyond,
        // It is not in this state: nothing is there.
        None => Held::Wild,
    }
}

/// `[1, 2, 3]`.
fn list(elements: &[Content]) -> String {
    let item = |content: &Content| match content {
        Content::Int(n) => n.to_string(),
        Content::Array(inner) => list(inner),
        _ => "·".to_owned(),
    };
    format!("[{}]", elements.iter().map(item).collect::<Vec<_>>().join(", "))
}

/// The cells that variables lead to.
fn reachable(state: &State) -> Map<&str, ()> {
    let mut found: Map<&str, ()> = Map::default();
    let mut open: Vec<&Content> = state.variables.iter().map(|v| &v.value).collect();
    let automatic = state.cells.iter().filter(|c| c.status == Status::Automatic);
    open.extend(automatic.flat_map(|cell| cell.fields.iter().map(|f| &f.value)));
    let cells: Map<&str, usize> = state.cells.iter().enumerate().map(|(i, c)| (c.name.as_str(), i)).collect();
    while let Some(content) = open.pop() {
        match content {
            Content::Cell(name) | Content::Field { cell: name, .. } => {
                if let Some(&at) = cells.get(name.as_str())
                    && found.insert(name, ()).is_none()
                {
                    open.extend(state.cells[at].fields.iter().map(|f| &f.value));
                }
            }
            Content::Array(elements) => open.extend(elements),
            Content::Int(_) | Content::Null | Content::Wild => {}
        }
    }
    found
}
