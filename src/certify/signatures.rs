//! Checks certificates of the engine `monotone`: per location the partial heaps that no run has there.
//!
//! Written from the meaning of the certificate, with nothing of the engine: its own reader, a naive matcher
//! that tries all injections and all paths, and the interpreter instead of predecessor rules. On all small
//! entry states, on random runs from them, and on variations of the states met (which no run need reach):
//!
//! 1. *initiation*: no entry state contains an excluded partial heap of the entry;
//! 2. *consecution*: a step from a state that contains none leads to a state that contains none;
//! 3. *safety*: such a state does not fail.
//!
//! This is a check on small instances, not a proof; what it says is how many steps it looked at.

use crate::program::interp::{End, Machine, Odometer, Run};
use crate::program::{CellId, LocationId, Program, Question, State, Status, Type, Value, VarId, VarKind};
use crate::util::hash::Map;
use crate::util::rng::Rng;
use std::fmt;
use std::sync::Arc;

/// What a check looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Entry states.
    pub entries: u64,
    /// Steps from states that contain nothing excluded.
    pub steps: u64,
}

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureFault(String);

impl fmt::Display for SignatureFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SignatureFault {}

type Answer<T> = Result<T, SignatureFault>;

fn fault<T>(message: impl Into<String>) -> Answer<T> {
    Err(SignatureFault(message.into()))
}

/// Checks the lines of a certificate; `effort` is about the number of random runs.
pub fn check_signatures(
    program: &Program,
    question: &Question,
    lines: &[String],
    effort: usize,
    seed: u64,
) -> Answer<Checked> {
    let certificate = Certificate::read(program, lines)?;
    let machine = Machine::new(program, question);
    let mut checker =
        Checker { program, machine, certificate, rng: Rng::new(seed), checked: Checked::default() };
    let entries = checker.entries();
    for state in &entries {
        let run = checker.machine.start(state.clone());
        if let Some(line) = checker.contains(&run) {
            return fault(format!("an entry state contains what the certificate excludes: {line}"));
        }
        checker.checked.entries += 1;
    }
    for _ in 0..effort {
        if entries.is_empty() {
            break;
        }
        let start = checker.rng.below(entries.len());
        checker.walk(&entries[start])?;
    }
    Ok(checker.checked)
}

/// Where a label or an edge points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    Cell(usize),
    Null,
    Dangling,
}

#[derive(Clone, Debug)]
struct Edge {
    from: usize,
    /// A field by its number; `None`: any path.
    field: Option<usize>,
    direct: bool,
    to: Node,
}

#[derive(Clone, Debug, Default)]
struct Partial {
    cells: Vec<String>,
    closed: Vec<usize>,
    labels: Vec<(usize, Node)>,
    edges: Vec<Edge>,
    text: String,
}

/// A variable now or at the entry.
#[derive(Clone, Copy, Debug)]
struct Label {
    var: VarId,
    at_entry: bool,
}

struct Certificate {
    labels: Vec<Label>,
    fields: Vec<crate::program::FieldId>,
    excluded: Map<u32, Vec<Partial>>,
}

impl Certificate {
    fn read(program: &Program, lines: &[String]) -> Answer<Certificate> {
        let mut out = Certificate { labels: Vec::new(), fields: Vec::new(), excluded: Map::default() };
        let mut names: Vec<String> = Vec::new();
        let mut fields: Vec<String> = Vec::new();
        for line in lines {
            if let Some(rest) = line.strip_prefix("labels") {
                names = rest.split_whitespace().map(str::to_owned).collect();
                for name in &names {
                    let (plain, at_entry) = match name.strip_suffix("(entry)") {
                        Some(plain) => (plain, true),
                        None => (name.as_str(), false),
                    };
                    match program.var_named(plain) {
                        Some(var) => out.labels.push(Label { var, at_entry }),
                        None => return fault(format!("`{name}` is no variable")),
                    }
                }
            } else if let Some(rest) = line.strip_prefix("fields") {
                fields = rest.split_whitespace().map(str::to_owned).collect();
                let pointers = program
                    .fields
                    .iter()
                    .enumerate()
                    .filter(|(_, f)| matches!(f.ty, Type::Ptr(_)) && !f.ghost);
                out.fields = pointers.map(|(i, _)| crate::program::FieldId(i as u32)).collect();
                if out.fields.len() != fields.len() {
                    return fault("the certificate is about other fields");
                }
            } else if let Some((location, text)) = line.split_once(": ") {
                let location: u32 = match location.parse() {
                    Ok(location) if location < program.locations => location,
                    _ => return fault(format!("`{location}` is no location")),
                };
                out.excluded.entry(location).or_default().push(read_partial(text, &names, &fields)?);
            } else {
                return fault(format!("this line is not understood: {line}"));
            }
        }
        Ok(out)
    }
}

fn read_partial(text: &str, names: &[String], fields: &[String]) -> Answer<Partial> {
    let mut out = Partial { text: text.to_owned(), ..Partial::default() };
    if text == "anything" {
        return Ok(out);
    }
    for item in text.split(", ") {
        if let Some((label, node)) = item.rsplit_once('@') {
            let Some(label) = names.iter().position(|n| n == label) else {
                return fault(format!("`{label}` is no label"));
            };
            let node = out.node(node);
            out.labels.push((label, node));
            continue;
        }
        let words: Vec<&str> = item.split(' ').collect();
        match words[..] {
            [cell] => {
                out.node(cell);
            }
            [from, arrow, to] => {
                let Node::Cell(from) = out.node(from) else { return fault("an edge begins at no cell") };
                let to = out.node(to);
                let direct = arrow.starts_with('=');
                let name =
                    arrow.trim_start_matches(['-', '=']).trim_end_matches('>').trim_end_matches(['-', '=']);
                let field = if name == "?" { None } else { fields.iter().position(|f| f == name) };
                if field.is_none() && name != "?" {
                    return fault(format!("`{name}` is no field"));
                }
                out.edges.push(Edge { from, field, direct, to });
            }
            _ => return fault(format!("`{item}` is not understood")),
        }
    }
    Ok(out)
}

impl Partial {
    fn node(&mut self, text: &str) -> Node {
        match text {
            "#" => Node::Null,
            "*" => Node::Dangling,
            name => {
                let plain = name.trim_end_matches('!');
                let at = self.cells.iter().position(|c| c == plain).unwrap_or_else(|| {
                    self.cells.push(plain.to_owned());
                    self.cells.len() - 1
                });
                if plain != name && !self.closed.contains(&at) {
                    self.closed.push(at);
                }
                Node::Cell(at)
            }
        }
    }
}

/// The allocated cells of a state as a graph.
struct Heap {
    labels: Vec<Node>,
    /// By cell, then field; `None` if the cell has no such field.
    edges: Vec<Vec<Option<Node>>>,
}

impl Heap {
    fn of(program: &Program, certificate: &Certificate, run: &Run) -> Heap {
        let state = &run.state;
        let alive: Vec<usize> =
            (0..state.cells.len()).filter(|i| state.cells[*i].status.is_valid()).collect();
        let node = |value: Value| match value {
            Value::Null | Value::Int(_) => Node::Null,
            Value::Cell(c) => match alive.iter().position(|a| *a == c.index()) {
                Some(i) => Node::Cell(i),
                None => Node::Dangling,
            },
        };
        let label = |l: &Label| node(if l.at_entry { run.entry.var(l.var) } else { state.var(l.var) });
        let edges = alive.iter().map(|&i| {
            let field = |f: &crate::program::FieldId| {
                let owned = program.fields[f.index()].owner == state.cells[i].of;
                owned.then(|| node(state.field(Value::Cell(CellId(i as u32)), *f)))
            };
            certificate.fields.iter().map(field).collect()
        });
        Heap { edges: edges.collect(), labels: certificate.labels.iter().map(label).collect() }
    }

    /// Whether the partial heap is contained: some injection of cells, then paths for all edges.
    fn contains(&self, p: &Partial) -> bool {
        let mut image = vec![usize::MAX; p.cells.len()];
        for (label, node) in &p.labels {
            match (node, self.labels[*label]) {
                (Node::Cell(c), Node::Cell(h)) if image[*c] == usize::MAX || image[*c] == h => image[*c] = h,
                (node, there) if *node == there && !matches!(node, Node::Cell(_)) => {}
                _ => return false,
            }
        }
        self.inject(p, &mut image, 0)
    }

    fn inject(&self, p: &Partial, image: &mut Vec<usize>, at: usize) -> bool {
        if at == image.len() {
            let mut sorted = image.clone();
            sorted.sort_unstable();
            if sorted.windows(2).any(|w| w[0] == w[1]) {
                return false;
            }
            let in_degree =
                |cell: usize| self.edges.iter().flatten().filter(|e| **e == Some(Node::Cell(cell))).count();
            let shown = |c: usize| p.edges.iter().filter(|e| e.to == Node::Cell(c)).count();
            return p.closed.iter().all(|c| in_degree(image[*c]) == shown(*c))
                && self.connect(p, image, 0, &mut image.clone(), &mut Vec::new());
        }
        if image[at] != usize::MAX {
            return self.inject(p, image, at + 1);
        }
        for cell in 0..self.edges.len() {
            image[at] = cell;
            if self.inject(p, image, at + 1) {
                return true;
            }
        }
        image[at] = usize::MAX;
        false
    }

    /// Finds paths for the edges from number `at` on; `taken` are cells no path may go through, `begun` the
    /// first steps in use.
    fn connect(
        &self,
        p: &Partial,
        image: &[usize],
        at: usize,
        taken: &mut Vec<usize>,
        begun: &mut Vec<(usize, usize)>,
    ) -> bool {
        let Some(edge) = p.edges.get(at) else { return true };
        let from = image[edge.from];
        for field in 0..self.edges[from].len() {
            if edge.field.is_some_and(|f| f != field) || begun.contains(&(from, field)) {
                continue;
            }
            begun.push((from, field));
            let depth = taken.len();
            if self.follow(p, image, at, edge, from, field, taken, begun) {
                return true;
            }
            taken.truncate(depth);
            begun.pop();
        }
        false
    }

    #[expect(clippy::too_many_arguments, reason = "the state of one recursion")]
    fn follow(
        &self,
        p: &Partial,
        image: &[usize],
        at: usize,
        edge: &Edge,
        cell: usize,
        field: usize,
        taken: &mut Vec<usize>,
        begun: &mut Vec<(usize, usize)>,
    ) -> bool {
        let Some(next) = self.edges[cell][field] else { return false };
        let arrived = match (edge.to, next) {
            (Node::Cell(c), Node::Cell(h)) => image[c] == h,
            (a, b) => a == b,
        };
        if arrived {
            return self.connect(p, image, at + 1, taken, begun);
        }
        let Node::Cell(next) = next else { return false };
        if edge.direct || taken.contains(&next) {
            return false;
        }
        let depth = taken.len();
        taken.push(next);
        let fields = 0..self.edges[next].len();
        for field in fields.filter(|f| edge.field.is_none_or(|e| e == *f)) {
            if self.follow(p, image, at, edge, next, field, taken, begun) {
                return true;
            }
            taken.truncate(depth + 1);
        }
        taken.truncate(depth);
        false
    }
}

/// Steps of one random run, variations of each state met, entry states of one size.
const MAX_WALK: usize = 60;
const VARIATIONS: usize = 2;
const MAX_ENTRIES: usize = 30_000;

struct Checker<'p> {
    program: &'p Program,
    machine: Machine<'p>,
    certificate: Certificate,
    rng: Rng,
    checked: Checked,
}

impl Checker<'_> {
    fn contains(&self, run: &Run) -> Option<String> {
        let excluded = self.certificate.excluded.get(&run.location.0)?;
        let heap = Heap::of(self.program, &self.certificate, run);
        excluded.iter().find(|p| heap.contains(p)).map(|p| p.text.clone())
    }

    /// Entry states of at most three cells, all of them reached from parameters or globals.
    fn entries(&self) -> Vec<State> {
        let program = self.program;
        let mut slots: Vec<Option<VarId>> = Vec::new();
        for (i, var) in program.vars.iter().enumerate() {
            let visible = matches!(var.kind, VarKind::Param | VarKind::Global);
            if visible && matches!(var.ty, Type::Ptr(_)) {
                slots.push(Some(VarId(i as u32)));
            }
        }
        let mut out = Vec::new();
        let of = program.fields.iter().find(|f| matches!(f.ty, Type::Ptr(_))).map(|f| f.owner);
        for cells in 0..=3u32 {
            let mut base = State::new(program);
            if cells > 0 {
                let Some(of) = of else { break };
                (0..cells).for_each(|_| {
                    base.add_cell(program, of, Status::Heap);
                });
            }
            let mut places: Vec<(Option<CellId>, u32)> =
                slots.iter().flatten().map(|v| (None, v.0)).collect();
            for cell in 0..cells {
                places.extend(self.certificate.fields.iter().map(|f| (Some(CellId(cell)), f.0)));
            }
            let choices = cells as usize + 1;
            let Some(total) = choices.checked_pow(places.len() as u32).filter(|t| *t <= MAX_ENTRIES) else {
                break;
            };
            for mut code in 0..total {
                let mut state = base.clone();
                for (cell, id) in &places {
                    let value = match code % choices {
                        0 => Value::Null,
                        i => Value::Cell(CellId(i as u32 - 1)),
                    };
                    code /= choices;
                    match cell {
                        Some(cell) => state.set_field(*cell, crate::program::FieldId(*id), value),
                        None => state.vars[*id as usize] = value,
                    }
                }
                if self.all_reached(&state) && self.machine.admits(&state) == Ok(true) {
                    crate::program::explore::add_strangers(program, &mut state);
                    out.push(state);
                }
            }
        }
        out
    }

    fn all_reached(&self, state: &State) -> bool {
        let mut open: Vec<Value> = Vec::new();
        for (var, value) in self.program.vars.iter().zip(&state.vars) {
            if matches!(var.kind, VarKind::Param | VarKind::Global) {
                open.push(*value);
            }
        }
        let mut seen = vec![false; state.cells.len()];
        while let Some(value) = open.pop() {
            if let Value::Cell(c) = value
                && !std::mem::replace(&mut seen[c.index()], true)
            {
                open.extend(&state.cells[c.index()].fields);
            }
        }
        seen.into_iter().all(|s| s)
    }

    /// A random run and steps from variations of its states.
    fn walk(&mut self, entry: &State) -> Answer<()> {
        let mut run = self.machine.start(entry.clone());
        for _ in 0..MAX_WALK {
            let next = self.step(&run, true)?;
            for _ in 0..VARIATIONS {
                let varied = self.vary(&run);
                self.step(&varied, false)?;
            }
            match next {
                Some(next) => run = next,
                None => break,
            }
        }
        Ok(())
    }

    /// Checks all steps from a state; one of the states after them. A real run must contain nothing excluded.
    fn step(&mut self, run: &Run, real: bool) -> Answer<Option<Run>> {
        if let Some(line) = self.contains(run) {
            if real {
                return fault(format!(
                    "a run reaches what the certificate excludes at {}: {line}",
                    run.location.0
                ));
            }
            return Ok(None);
        }
        if !real && run.location == self.program.entry {
            // Nothing enters it: there the entry condition is the invariant.
            return Ok(None);
        }
        let ints = [0, 1];
        let mut odometer = Odometer::new(&ints, true);
        let mut after = Vec::new();
        for _ in 0..200 {
            let mut next = run.clone();
            let end = self.machine.step(&mut next, &mut odometer, &mut |_, _| {});
            self.checked.steps += 1;
            match end {
                Some(End::Failed(failure)) if next.location != self.program.exit => {
                    return fault(format!("a state at {} fails: {}", run.location.0, failure.message));
                }
                None | Some(End::Exit | End::Failed(_)) => {
                    let line = self.contains(&next);
                    if let Some(line) = line {
                        return fault(format!(
                            "a step from {} leads to {}: {line}",
                            run.location.0, next.location.0
                        ));
                    }
                    if let Some(End::Failed(failure)) = end {
                        return fault(format!("an exit state fails: {}", failure.message));
                    }
                    after.push(next);
                }
                Some(_) => {}
            }
            if !odometer.next() {
                break;
            }
        }
        after.retain(|r| r.location != self.program.exit);
        Ok((!after.is_empty()).then(|| after.swap_remove(self.rng.below(after.len()))))
    }

    /// The state with one or two pointers changed, maybe at another location.
    fn vary(&mut self, run: &Run) -> Run {
        let mut out = run.clone();
        let cells = out.state.cells.len();
        for _ in 0..1 + self.rng.below(2) {
            let value = match self.rng.below(cells + 1) {
                0 => Value::Null,
                i => Value::Cell(CellId(i as u32 - 1)),
            };
            let label = self.rng.below(self.certificate.labels.len().max(1) + cells);
            if let Some(label) = self.certificate.labels.get(label) {
                if label.at_entry {
                    let mut entry = (*out.entry).clone();
                    entry.vars[label.var.index()] = value;
                    out.entry = Arc::new(entry);
                } else {
                    out.state.vars[label.var.index()] = value;
                }
            } else if cells > 0 && !self.certificate.fields.is_empty() {
                let cell = CellId(self.rng.below(cells) as u32);
                let field = *self.rng.pick(&self.certificate.fields);
                if self.program.fields[field.index()].owner == out.state.cells[cell.index()].of {
                    out.state.set_field(cell, field, value);
                }
            }
        }
        if self.rng.one_in(4) {
            out.location = LocationId(self.rng.below(self.program.locations as usize) as u32);
        }
        out
    }
}
