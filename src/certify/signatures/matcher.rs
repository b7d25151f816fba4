//! Partial heaps read from a certificate, and a naive matcher: all injections, all paths.

use super::{Answer, fault};
use crate::program::interp::Run;
use crate::program::{CellId, FieldId, Program, Type, Value, VarId};
use crate::util::hash::Map;

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
pub(super) struct Partial {
    cells: Vec<String>,
    closed: Vec<usize>,
    labels: Vec<(usize, Node)>,
    edges: Vec<Edge>,
    pub(super) text: String,
}

/// A variable now or at the entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    pub(super) var: VarId,
    pub(super) at_entry: bool,
}

pub(super) struct Certificate {
    pub(super) labels: Vec<Label>,
    pub(super) fields: Vec<FieldId>,
    pub(super) excluded: Map<u32, Vec<Partial>>,
    /// Globals whose entry values are said to matter to nobody.
    pub(super) ignored: Vec<VarId>,
}

impl Certificate {
    pub(super) fn read(program: &Program, lines: &[String]) -> Answer<Certificate> {
        let mut out = Certificate {
            labels: Vec::new(),
            fields: Vec::new(),
            excluded: Map::default(),
            ignored: Vec::new(),
        };
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
                out.fields = pointers.map(|(i, _)| FieldId(i as u32)).collect();
                if out.fields.len() != fields.len() {
                    return fault("the certificate is about other fields");
                }
            } else if let Some(rest) = line.strip_prefix("ignored ") {
                for name in rest.split_whitespace() {
                    match program.var_named(name) {
                        Some(var) => out.ignored.push(var),
                        None => return fault(format!("`{name}` is no variable")),
                    }
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
pub(super) struct Heap {
    labels: Vec<Node>,
    /// By cell, then field; `None` if the cell has no such field.
    edges: Vec<Vec<Option<Node>>>,
}

impl Heap {
    pub(super) fn of(program: &Program, certificate: &Certificate, run: &Run) -> Heap {
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
            let field = |f: &FieldId| {
                let owned = program.fields[f.index()].owner == state.cells[i].of;
                owned.then(|| node(state.field(Value::Cell(CellId(i as u32)), *f)))
            };
            certificate.fields.iter().map(field).collect()
        });
        Heap { edges: edges.collect(), labels: certificate.labels.iter().map(label).collect() }
    }

    /// Whether the partial heap is contained: some injection of cells, then paths for all edges.
    pub(super) fn contains(&self, p: &Partial) -> bool {
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
