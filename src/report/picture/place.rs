//! Where boxes stand: each has a row and a column of one grid, and no two have the same.
//!
//! The structure is that at the entry of the run; boxes that come later, or lead nowhere then, are placed as they are
//! linked at its end. So a box stays where it is through the whole run. Lists are rows, rings of three and more go there and back on two rows,
//! trees are drawn by depth and order, what a list's cells lead to hangs below them or, if that is lists again, to the
//! right of a list that goes down. What is left is put side by side while there is room.

use super::links::{Role, Roles};
use super::scene::Scene;
use crate::report::findings::Status;

/// Columns of the picture, where there is a choice.
pub const COLUMNS: usize = 8;

/// A position in the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// From the top.
    pub row: usize,
    /// From the left.
    pub column: usize,
}

/// The position of each box; `rings` says of each whether it belongs to a ring of two rows.
#[derive(Clone, Debug)]
pub struct Placement {
    /// By box.
    pub positions: Vec<Position>,
    /// By box.
    pub rings: Vec<bool>,
}

/// A part of the picture: boxes with positions from its own corner.
#[derive(Clone, Debug, Default)]
struct Part {
    boxes: Vec<(usize, Position)>,
    height: usize,
    width: usize,
}

impl Part {
    fn add(&mut self, node: usize, row: usize, column: usize) {
        self.boxes.push((node, Position { row, column }));
        self.height = self.height.max(row + 1);
        self.width = self.width.max(column + 1);
    }

    fn join(&mut self, other: Part, row: usize, column: usize) {
        for (node, at) in other.boxes {
            self.add(node, row + at.row, column + at.column);
        }
    }
}

struct Placer<'s> {
    /// By box: its pointers with their roles, in the order of rows.
    onward: Vec<Vec<(Role, usize)>>,
    kinds: Vec<&'s str>,
    is_placed: Vec<bool>,
    rings: Vec<bool>,
}

/// Places all boxes of a scene.
#[must_use]
pub fn place(scene: &Scene, roles: &Roles) -> Placement {
    let n = scene.boxes.len();
    let onward = scene.boxes.iter().map(|block| {
        // A freed cell still has its fields, but nobody may look.
        let valid = |f: &usize| block.looks[*f].as_ref().is_some_and(|l| l.status != Status::Freed);
        let frames = scene.n_frames();
        // A cell that leads nowhere at the entry shows its structure later.
        let leads = |f: &usize| (0..block.rows.len()).any(|row| block.target(*f, row).is_some());
        let entry = Some(0).filter(|f| valid(f) && leads(f));
        let at = entry.or_else(|| (0..frames).rev().find(valid));
        let frame = at.or_else(|| (0..frames).rev().find(|f| block.looks[*f].is_some())).unwrap_or(0);
        let role = |row: &String| if block.is_array { Role::Aside } else { roles.of(&block.kind, row) };
        let rows = block.rows.iter().enumerate();
        rows.filter_map(|(i, row)| Some((role(row), block.target(frame, i)?))).collect()
    });
    let kinds = scene.boxes.iter().map(|b| if b.is_array { "[]" } else { b.kind.as_str() }).collect();
    let mut placer =
        Placer { onward: onward.collect(), kinds, is_placed: vec![false; n], rings: vec![false; n] };
    let mut shelves = Shelves { positions: vec![Position::default(); n], ..Shelves::default() };
    for root in roots(scene) {
        if !placer.is_placed[root] {
            let start = placer.start(root);
            shelves.put(placer.part(start));
        }
        // What the start leads to has the root; if not, a cycle of side ways kept them apart.
        if !placer.is_placed[root] {
            shelves.put(placer.part(root));
        }
    }
    Placement { positions: shelves.positions, rings: placer.rings }
}

/// Where drawing begins: arrays, then what variables lead to, then the rest.
fn roots(scene: &Scene) -> Vec<usize> {
    let mut out: Vec<usize> = (0..scene.boxes.len()).filter(|i| scene.boxes[*i].is_array).collect();
    out.extend(&scene.roots);
    out.extend(0..scene.boxes.len());
    out
}

impl Placer<'_> {
    /// The box from which everything around `root` is drawn: against the pointers as far as it goes.
    fn start(&self, root: usize) -> usize {
        let mut seen = vec![false; self.onward.len()];
        let mut here = root;
        seen[here] = true;
        loop {
            let leads = |from: &usize, same: bool| {
                let to_here = |(role, to): &&(Role, usize)| {
                    *to == here && *role != Role::Back && (*role != Role::Aside) == same
                };
                !seen[*from] && !self.is_placed[*from] && self.onward[*from].iter().any(|p| to_here(&p))
            };
            // Along the structure first, then from other structures.
            let before = |same: bool| (0..self.onward.len()).find(|from| leads(from, same));
            match before(true).or_else(|| before(false)) {
                Some(from) => {
                    seen[from] = true;
                    here = from;
                }
                // A ring begins where the root is, also one through boxes of several kinds.
                None => return if self.leads_back(here, root) { root } else { here },
            }
        }
    }

    /// Whether pointers that do not lead back come from `root` to `here`.
    fn leads_back(&self, here: usize, root: usize) -> bool {
        let mut seen = vec![false; self.onward.len()];
        let mut open = vec![root];
        while let Some(at) = open.pop() {
            if at == here {
                return true;
            }
            if !std::mem::replace(&mut seen[at], true) {
                let onward = self.onward[at].iter().filter(|(role, _)| *role != Role::Back);
                open.extend(onward.map(|(_, to)| *to));
            }
        }
        false
    }

    fn next(&self, node: usize) -> Option<usize> {
        self.onward[node].iter().find(|(role, _)| *role == Role::Next).map(|(_, to)| *to)
    }

    /// Everything from a box on that is not placed yet.
    fn part(&mut self, start: usize) -> Part {
        if self.onward[start].iter().any(|(role, _)| matches!(role, Role::Child(_))) {
            return self.tree(start);
        }
        let mut chain = Vec::new();
        let mut here = Some(start);
        let mut is_ring = false;
        while let Some(node) = here {
            if self.is_placed[node] || self.kinds[node] != self.kinds[start] {
                is_ring = node == start && chain.len() >= 3;
                break;
            }
            self.is_placed[node] = true;
            chain.push(node);
            here = self.next(node);
        }
        let mut hanging: Vec<Part> = Vec::new();
        for &node in &chain {
            hanging.push(self.aside(node));
        }
        let has_parts = hanging.iter().any(|part| part.height > 0);
        let mut out = Part::default();
        if is_ring && !has_parts {
            let half = chain.len().div_ceil(2);
            for (i, node) in chain.iter().enumerate() {
                self.rings[*node] = true;
                let (row, column) = if i < half { (0, i) } else { (1, chain.len() - 1 - i) };
                out.add(*node, row, column);
            }
        } else if !has_parts {
            for (i, node) in chain.iter().enumerate() {
                out.add(*node, i / COLUMNS, i % COLUMNS);
            }
        } else if chain.len() <= COLUMNS && chain.len() > 1 && hanging.iter().all(|part| part.width <= 1) {
            for (i, (node, part)) in chain.iter().zip(hanging).enumerate() {
                out.add(*node, 0, i);
                out.join(part, 1, i);
            }
        } else {
            let mut row = 0;
            for (node, part) in chain.iter().zip(hanging) {
                out.add(*node, row, 0);
                let height = part.height.max(1);
                out.join(part, row, 1);
                row += height;
            }
        }
        out
    }

    /// What a box leads to beside the structure it belongs to, one below the other.
    fn aside(&mut self, node: usize) -> Part {
        let mut out = Part::default();
        for (role, to) in self.onward[node].clone() {
            if role == Role::Aside && !self.is_placed[to] {
                let part = self.part(to);
                let row = out.height;
                out.join(part, row, 0);
            }
        }
        out
    }

    /// A tree: rows by depth, columns by the order of a walk that visits the first half of the children, the box, and
    /// the other half.
    fn tree(&mut self, root: usize) -> Part {
        let mut nodes = Vec::new();
        let mut column = 0;
        self.walk(root, 0, &mut column, &mut nodes);
        let mut out = Part::default();
        for &(node, row, column) in &nodes {
            out.add(node, row, column);
        }
        for (node, _, _) in nodes {
            let part = self.aside(node);
            let row = out.height;
            out.join(part, row, 0);
        }
        out
    }

    fn walk(&mut self, node: usize, row: usize, column: &mut usize, out: &mut Vec<(usize, usize, usize)>) {
        self.is_placed[node] = true;
        let child = |(role, to): &(Role, usize)| match role {
            Role::Child(i) => Some((*i, *to)),
            _ => None,
        };
        let children: Vec<(usize, usize)> = self.onward[node].iter().filter_map(child).collect();
        let n_children = children.iter().map(|(i, _)| i + 1).max().unwrap_or(0).max(2);
        let is_first = |i: usize| 2 * i < n_children;
        for &(i, to) in &children {
            if is_first(i) && !self.is_placed[to] {
                self.walk(to, row + 1, column, out);
            }
        }
        out.push((node, row, *column));
        *column += 1;
        for (i, to) in children {
            if !is_first(i) && !self.is_placed[to] {
                self.walk(to, row + 1, column, out);
            }
        }
    }
}

/// Parts side by side while there is room, then below each other.
#[derive(Default)]
struct Shelves {
    positions: Vec<Position>,
    top: usize,
    height: usize,
    used: usize,
}

impl Shelves {
    fn put(&mut self, part: Part) {
        if self.used > 0 && (self.used + part.width > COLUMNS || part.height > self.height) {
            self.top += self.height;
            (self.height, self.used) = (0, 0);
        }
        for (node, at) in part.boxes {
            self.positions[node] = Position { row: self.top + at.row, column: self.used + at.column };
        }
        self.height = self.height.max(part.height);
        self.used += part.width;
    }
}
