//! The entry check: can a run begin with a heap above a signature?
//!
//! Sound for signatures of every size: a signature is discarded only if no entry heap is above it. First by
//! patterns that no entry heap contains; then, where all roots have shapes that account for all link fields,
//! by an exact decision; of lists among other fields by what follows from their order ([`super::levels`]).
//! Otherwise the answer is "maybe", and the replay decides.
//!
//! **Lists and doubly linked lists: a small model.** Let `s` embed in a heap of disjoint lists. Take a cell of
//! the heap that is no image and not the turning point of a path, and bypass it: its neighbours get linked.
//! A path through it goes straight on (on a line, simple paths are monotone) and only becomes shorter, with
//! its colours; a one-step image is not touched; first edges keep their colours. An in-closed image keeps its
//! in-degree: each of its in-edges is the last step of a path, so the bypassed cell, if it is a neighbour,
//! is inside that path and hands the edge on. Labels are on images. So bypassing preserves the embedding.
//! The only simple path on a line that turns is a cycle `a, c, a` over an unmapped neighbour: it can only be
//! the image of a decoloured edge from a cell to itself, and takes one cell. Hence heaps with as many cells
//! as `s`, plus one per decoloured self-loop, suffice; there are polynomially many.
//! The name of a last cell, where the signature does not show it, moves along with the end of its list.
//! (Without the last term the argument is wrong: `a -?-> a` is below the list of two cells, not below that of
//! one.)
//!
//! **Trees: exact.** Paths in a tree go down. `s` embeds in a tree with root `r` if and only if: its edges form a
//! forest (no cycle, at most one in-edge per cell) without dangling; `r`, if shown, is null and there is no
//! cell, or it is the top of a component; an in-closed top is the root; and every other component can be
//! hung below the root: that needs one place in the root's component, a cell with a free field or an edge
//! that may be subdivided. If neither a label nor an in-closed top fixes the root, a fresh root holds
//! everything.

use super::facts::Facts;
use super::levels::{Levels, NO_MEMBERS, broken_levels, recognise_levels};
use super::model::Model;
use super::order::below;
use super::pattern::{Vocabulary as _, excluded_by};
use super::pre::VarIx;
use super::shape::{
    Kind, Shape, ending_lists, excluded_cells, excluded_root, parts, pattern, recognise, strangers,
};
use super::signature::{MAX_CELLS, MAX_COLOURS, Node, Signature};
use crate::program::walk::{self, Part};
use crate::program::{Check, Cmp, Formula, Question, Term, VarKind};

/// What is known of the heaps at the entry.
#[derive(Clone, Debug)]
pub struct EntryCheck {
    /// Labels that count; others are arbitrary.
    roots: Vec<VarIx>,
    /// Those that begin structures; the others name last cells.
    heads: Vec<VarIx>,
    /// No cell is allocated.
    empty: bool,
    /// No entry heap contains one of them.
    pub excluded: Vec<Signature>,
    /// Lists over the same cells, where nothing more exact is known.
    pub levels: Vec<Levels>,
    exact: Exact,
}

#[derive(Clone, Debug)]
enum Exact {
    No,
    /// Lists of one kind; two roots may begin the same list if not separate.
    Lines {
        kind: Kind,
        separate: bool,
        /// Heads and the names of their last cells.
        tails: Vec<(VarIx, VarIx)>,
    },
    Tree {
        root: VarIx,
    },
}

/// The entry heaps of a question, and the facts about variables.
pub fn entry_of(model: &Model<'_>, question: &Question) -> (EntryCheck, Facts) {
    let ignored = ignored(model, question);
    let roots: Vec<VarIx> = model.roots().filter(|r| !ignored.contains(r)).collect();
    let mut facts = Facts::anything();
    if model.begins_empty() {
        facts.no_cells();
        let (roots, heads, excluded) = (Vec::new(), Vec::new(), Vec::new());
        let check = EntryCheck { roots, heads, empty: true, excluded, levels: Vec::new(), exact: Exact::No };
        return (check, facts);
    }
    roots.iter().for_each(|r| facts.not_dangling(*r));
    let contract = model.program.contracts.get(question.contract);
    let requires: Vec<&Formula> =
        contract.into_iter().flat_map(|c| &c.requires).map(|c| &c.formula).collect();
    requires.iter().for_each(|f| null_facts(model, f, &mut facts));
    let excluded = basic(model, &roots);
    let heads = roots.clone();
    let levels = Vec::new();
    let mut check = EntryCheck { excluded, roots, heads, empty: false, levels, exact: Exact::No };
    check.add_shapes(model, &requires);
    if matches!(check.exact, Exact::No) {
        check.levels = recognise_levels(model, &requires);
        check.levels.retain(|l| check.roots.contains(&l.root()));
        let colours = model.fields.len();
        check.excluded.extend(check.levels.iter().flat_map(|l| broken_levels(l, colours)));
    }
    let lists: Vec<(VarIx, u8)> = requires.iter().flat_map(|f| ending_lists(model, f)).collect();
    for formula in requires {
        for part in parts(formula) {
            check.excluded.extend(excluded_by(model, part, &lists).unwrap_or_default());
        }
    }
    (check, facts)
}

/// Globals whose value at the entry nobody looks at: like variables that are not initialised, they may be
/// anything, and cells that only they reach count as unreached (see [`super::model`]). Garbage is about
/// those too, so there nothing is ignored.
pub fn ignored(model: &Model<'_>, question: &Question) -> Vec<VarIx> {
    if question.asks(Check::Garbage) {
        return Vec::new();
    }
    let contract = model.program.contracts.get(question.contract);
    let mut required = Vec::new();
    for clause in contract.into_iter().flat_map(|c| &c.requires) {
        walk::formula(&clause.formula, &mut |part| {
            if let Part::Term(Term::Var(v, at)) = part {
                required.extend(model.label(*v, *at));
            }
        });
    }
    let globals = model.slots_of(|kind| kind == VarKind::Global);
    globals.filter(|g| !required.contains(g) && !is_looked_at(model, *g)).collect()
}

/// Whether some way from the entry reads the variable before it is assigned; the exit reads all globals.
fn is_looked_at(model: &Model<'_>, x: VarIx) -> bool {
    let mut seen = vec![false; model.locations];
    let mut open = vec![model.entry];
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        let named = |b: &super::model::Bad| b.location == at && b.signature.labels[x as usize].is_known();
        if at == model.exit || model.bad.iter().any(named) {
            return true;
        }
        for step in model.steps.iter().filter(|s| s.from == at) {
            if step.op.reads(x) {
                return true;
            }
            if step.op.assigned() != Some(x) {
                open.push(step.to);
            }
        }
    }
    false
}

/// Nothing dangles, and without a root that is no null there is no cell.
fn basic(model: &Model<'_>, roots: &[VarIx]) -> Vec<Signature> {
    let colours = model.fields.len();
    let mut all = Vec::new();
    for root in roots {
        let mut s = Signature::EMPTY;
        s.labels[*root as usize] = Node::DANGLING;
        all.push(s);
    }
    if colours > 0 {
        all.push(pattern("a -?-> *", 0, 1, colours));
    }
    let mut nothing = pattern("g", 0, 1, colours);
    roots.iter().for_each(|r| nothing.labels[*r as usize] = Node::NULL);
    all.push(nothing);
    all
}

/// `x == NULL` and `x != NULL` among the conjuncts.
fn null_facts(model: &Model<'_>, formula: &Formula, facts: &mut Facts) {
    match formula {
        Formula::And(parts) => parts.iter().for_each(|p| null_facts(model, p, facts)),
        Formula::Compare(cmp @ (Cmp::Eq | Cmp::Ne), Term::Var(v, at), Term::Null(_)) => {
            let root = model.label(*v, *at).filter(|x| model.roots().any(|r| r == *x));
            root.into_iter().for_each(|x| facts.null(x, *cmp == Cmp::Eq));
        }
        _ => {}
    }
}

impl EntryCheck {
    fn add_shapes(&mut self, model: &Model<'_>, requires: &[&Formula]) {
        let colours = model.fields.len();
        let found = recognise(model, requires.iter().copied());
        let of_root = |r: &VarIx| found.shapes.iter().copied().find(|s| s.root == *r);
        let is_tail = |r: &&VarIx| found.shapes.iter().any(|s| s.tail == Some(**r) && s.root != **r);
        self.heads = self.roots.iter().filter(|r| !is_tail(r)).copied().collect();
        let shapes: Option<Vec<Shape>> = self.heads.iter().map(of_root).collect();
        let Some(shapes) = shapes else { return };
        let Some(first) = shapes.first().copied() else { return };
        if !shapes.iter().all(|s| s.kind == first.kind && s.kind.covers(colours)) {
            return;
        }
        let apart = |a: VarIx, b: VarIx| {
            let says = |(x, y, f): &(VarIx, VarIx, u8)| {
                first.kind.spine() == Some(*f) && ((*x, *y) == (a, b) || (*x, *y) == (b, a))
            };
            found.disjoint.iter().any(says)
        };
        let mut pairs = shapes.iter().enumerate().flat_map(|(i, a)| shapes[..i].iter().map(move |b| (a, b)));
        let separate = pairs.all(|(a, b)| apart(a.root, b.root));
        // Two doubly linked lists that share a cell are one list. Other kinds may share parts.
        if !separate && !matches!(first.kind, Kind::Dll { .. }) {
            return;
        }
        self.excluded.extend(excluded_cells(first.kind, colours));
        shapes.iter().for_each(|s| self.excluded.extend(excluded_root(*s, colours)));
        if let [only] = shapes[..] {
            self.excluded.extend(strangers(only, colours));
        }
        self.exact = match (first.kind, &shapes[..]) {
            (Kind::Tree { up: None, .. }, [only]) => Exact::Tree { root: only.root },
            (Kind::Tree { .. }, _) => Exact::No,
            (kind, _) => {
                let tails = shapes.iter().filter_map(|s| Some((s.root, s.tail?))).collect();
                Exact::Lines { kind, separate, tails }
            }
        };
    }

    /// All entry heaps of at most this many cells, fewest first, if they are known exactly.
    pub fn small_heaps(&self, cells: usize) -> Vec<Signature> {
        let mut out = Vec::new();
        match &self.exact {
            Exact::No => {}
            Exact::Lines { kind, separate, tails } => {
                let mut groups = vec![Vec::new()];
                partitions(&self.heads, *separate, &mut groups);
                for groups in &groups {
                    let mut lengths = vec![0; groups.len()];
                    some_lengths(&mut lengths, 0, cells, &mut |lengths| {
                        out.extend(lines(*kind, groups, lengths, tails));
                        false
                    });
                }
            }
            Exact::Tree { root } => {
                for n in 0..=cells {
                    let mut heap = Signature::EMPTY;
                    (0..n).for_each(|_| {
                        heap.add_cell();
                    });
                    heap.labels[*root as usize] = if n == 0 { Node::NULL } else { Node::cell(0) };
                    trees(heap, vec![(0, n)], &mut out);
                }
            }
        }
        out.sort_by_key(Signature::len);
        out
    }

    /// Whether an entry heap may be above the signature; no is certain.
    pub fn may_meet(&self, s: &Signature) -> bool {
        let mut s = *s;
        for (v, label) in s.labels.iter_mut().enumerate() {
            if !self.roots.contains(&(v as VarIx)) {
                *label = Node::ABSENT;
            }
        }
        if self.empty {
            return s.is_empty();
        }
        if self.excluded.iter().any(|e| below(e, &s)) || self.breaks_levels(&s) {
            return false;
        }
        match &self.exact {
            Exact::No => true,
            Exact::Lines { kind, separate, tails } => self.meets_lines(&s, *kind, *separate, tails),
            Exact::Tree { root } => meets_tree(&s, *root),
        }
    }

    fn breaks_levels(&self, s: &Signature) -> bool {
        self.levels.iter().any(|l| !l.admit(s, &NO_MEMBERS))
    }

    fn meets_lines(&self, s: &Signature, kind: Kind, separate: bool, tails: &[(VarIx, VarIx)]) -> bool {
        let turns = s.nodes().map(|m| s.cells[m.index()].loose().filter(|t| *t == m).count()).sum::<usize>();
        let cells = s.len() + turns;
        if cells > MAX_CELLS || self.heads.len() > 3 {
            return true;
        }
        let mut groups = vec![Vec::new()];
        partitions(&self.heads, separate, &mut groups);
        groups.iter().any(|groups| {
            let mut lengths = vec![0; groups.len()];
            let fits = |heap: Signature| below(s, &heap);
            some_lengths(&mut lengths, 0, cells, &mut |lengths| {
                lines(kind, groups, lengths, tails).is_some_and(fits)
            })
        })
    }
}

/// All ways to let roots begin the same list.
fn partitions(roots: &[VarIx], separate: bool, all: &mut Vec<Vec<Vec<VarIx>>>) {
    for root in roots {
        let mut next = Vec::new();
        for groups in all.iter() {
            let mut alone = groups.clone();
            alone.push(vec![*root]);
            next.push(alone);
            if !separate {
                for i in 0..groups.len() {
                    let mut joined = groups.clone();
                    joined[i].push(*root);
                    next.push(joined);
                }
            }
        }
        *all = next;
    }
}

/// Whether the predicate holds for some lengths with at most this sum.
fn some_lengths(
    lengths: &mut Vec<usize>,
    at: usize,
    left: usize,
    f: &mut dyn FnMut(&[usize]) -> bool,
) -> bool {
    if at == lengths.len() {
        return f(lengths);
    }
    (0..=left).any(|n| {
        lengths[at] = n;
        some_lengths(lengths, at + 1, left - n, f)
    })
}

/// The heap of lists of these lengths; `None` if one name would be the end of two different lists.
fn lines(
    kind: Kind,
    groups: &[Vec<VarIx>],
    lengths: &[usize],
    tails: &[(VarIx, VarIx)],
) -> Option<Signature> {
    let mut heap = Signature::EMPTY;
    for (group, &length) in groups.iter().zip(lengths) {
        let cells: Vec<Node> = (0..length).map(|_| heap.add_cell()).collect();
        let head = cells.first().copied().unwrap_or(Node::NULL);
        group.iter().for_each(|r| heap.labels[*r as usize] = head);
        let last = cells.last().copied().unwrap_or(Node::NULL);
        for (_, tail) in tails.iter().filter(|(head, _)| group.contains(head)) {
            let label = &mut heap.labels[*tail as usize];
            if label.is_known() && *label != last {
                return None;
            }
            *label = last;
        }
        for (i, cell) in cells.iter().enumerate() {
            let after = cells.get(i + 1).copied().unwrap_or(Node::NULL);
            let before = if i > 0 { cells[i - 1] } else { Node::NULL };
            let out = &mut heap.cells[cell.index()];
            match kind {
                Kind::List { next } => out.set(next as usize, after, true),
                Kind::Dll { next, prev } => {
                    out.set(next as usize, after, true);
                    out.set(prev as usize, before, true);
                }
                Kind::Tree { .. } => {}
            }
        }
    }
    heap.make_total();
    Some(heap)
}

/// All trees whose cells are numbered in preorder; `open` are the first cell and the size of subtrees to build.
fn trees(mut heap: Signature, mut open: Vec<(usize, usize)>, out: &mut Vec<Signature>) {
    let Some((top, size)) = open.pop() else {
        heap.make_total();
        out.push(heap);
        return;
    };
    if size == 0 {
        return trees(heap, open, out);
    }
    for left in 0..size {
        let child = |at: usize, n: usize| if n == 0 { Node::NULL } else { Node::cell(at) };
        heap.cells[top].set(0, child(top + 1, left), true);
        heap.cells[top].set(1, child(top + 1 + left, size - 1 - left), true);
        let mut open = open.clone();
        open.extend([(top + 1, left), (top + 1 + left, size - 1 - left)]);
        trees(heap, open, out);
    }
}

fn meets_tree(s: &Signature, root: VarIx) -> bool {
    let label = s.labels[root as usize];
    if label == Node::NULL {
        return s.is_empty();
    }
    let mut entering = [0u8; MAX_CELLS];
    for target in s.nodes().flat_map(|m| s.cells[m.index()].targets().collect::<Vec<_>>()) {
        if target == Node::DANGLING {
            return false;
        }
        if target.is_cell() {
            entering[target.index()] += 1;
        }
    }
    let tops: Vec<Node> = s.nodes().filter(|m| entering[m.index()] == 0).collect();
    // Cells with one in-edge each that no top reaches are on a cycle.
    let mut reached = 0u16;
    let mut open = tops.clone();
    while let Some(m) = open.pop() {
        reached |= 1 << m.0;
        open.extend(s.cells[m.index()].targets().filter(|t| t.is_cell()));
    }
    if entering.iter().any(|n| *n > 1) || reached.count_ones() as usize != s.len() {
        return false;
    }
    let mut fixed: Vec<Node> = tops.iter().copied().filter(|t| s.is_closed(*t)).collect();
    if label.is_cell() && !fixed.contains(&label) {
        fixed.push(label);
    }
    match fixed[..] {
        [] => true,
        [top] => tops.contains(&top) && (tops.len() == 1 || has_place(s, top)),
        _ => false,
    }
}

/// Whether something can be hung into the component below a cell.
fn has_place(s: &Signature, top: Node) -> bool {
    let mut open = vec![top];
    while let Some(m) = open.pop() {
        let cell = &s.cells[m.index()];
        let path = |c: usize| cell.coloured[c].is_known() && !cell.is_direct(c);
        if cell.degree() < 2 || cell.loose().next().is_some() || (0..MAX_COLOURS).any(path) {
            return true;
        }
        open.extend(cell.targets().filter(|t| t.is_cell()));
    }
    false
}
