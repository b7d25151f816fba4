//! Whole structures: lists, doubly linked lists and trees that a contract names, and what no heap that
//! consists of such structures contains.
//!
//! A shape is recognised in the conjuncts of a contract, by the built-in predicates or spelled out as in the
//! examples. At the exit the patterns of a whole shape speak of all cells, not only of those reached from the
//! root: that is more than the contract says, but much simpler, and it is what the paper checks. At the entry
//! they hold for every cell if all roots have shapes and the shapes account for all link fields.

use super::pattern::Vocabulary;
use super::pre::VarIx;
use super::signature::Signature;
use super::text::{parse, plain_names};
use crate::program::{At, Cmp, Formula, Set, Term};

/// A kind of structure, with the colours of its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Singly linked, ends in null.
    List {
        /// The link.
        next: u8,
    },
    /// Doubly linked, null at both ends.
    Dll {
        /// Forward.
        next: u8,
        /// Back.
        prev: u8,
    },
    /// Binary tree.
    Tree {
        /// First child.
        left: u8,
        /// Second child.
        right: u8,
        /// Back to the parent, null at the root.
        up: Option<u8>,
    },
}

impl Kind {
    /// Whether it says where every link field of its cells points, if there are so many.
    pub fn covers(self, colours: usize) -> bool {
        match self {
            Kind::List { .. } => colours == 1,
            Kind::Dll { next, prev } => colours == 2 && next != prev,
            Kind::Tree { left, right, up: None } => colours == 2 && left != right,
            Kind::Tree { left, right, up: Some(up) } => {
                colours == 3 && left != right && up != left && up != right
            }
        }
    }

    /// Whether its cells know their parents.
    pub fn has_parents(self) -> bool {
        matches!(self, Kind::Tree { up: Some(_), .. })
    }

    /// The field along which the root reaches every cell, if there is one.
    pub fn spine(self) -> Option<u8> {
        match self {
            Kind::List { next } | Kind::Dll { next, .. } => Some(next),
            Kind::Tree { .. } => None,
        }
    }
}

/// A structure rooted at a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// What it is.
    pub kind: Kind,
    /// Where it begins.
    pub root: VarIx,
    /// Where it ends, if that has a name: the last cell of a doubly linked list.
    pub tail: Option<VarIx>,
}

/// What a list of clauses says about structures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recognised {
    /// The shapes.
    pub shapes: Vec<Shape>,
    /// Pairs of roots, and the field along which what they reach shares no cell.
    pub disjoint: Vec<(VarIx, VarIx, u8)>,
}

/// Finds shapes among the conjuncts of clauses.
pub fn recognise<'a>(vocabulary: &dyn Vocabulary, clauses: impl Iterator<Item = &'a Formula>) -> Recognised {
    let mut atoms = Vec::new();
    clauses.for_each(|c| flatten(c, &mut atoms));
    let mut found = Recognised::default();
    for atom in &atoms {
        if let Some(shape) = shape_of(vocabulary, atom) {
            let shape = completed(vocabulary, shape, &atoms);
            found.shapes.retain(|s| s.root != shape.root || matches!(s.kind, Kind::Dll { .. }));
            if !found.shapes.iter().any(|s| s.root == shape.root) {
                found.shapes.push(shape);
            }
        }
        if let Formula::Disjoint(sets) = atom {
            let roots: Vec<(VarIx, u8)> = sets.iter().filter_map(|s| list_root(vocabulary, s)).collect();
            for (i, (a, field)) in roots.iter().enumerate() {
                let same = roots[..i].iter().filter(|(_, f)| f == field);
                found.disjoint.extend(same.map(|(b, f)| (*a, *b, *f)));
            }
        }
    }
    found
}

/// The conjuncts of a formula, each by itself.
pub fn parts(formula: &Formula) -> Vec<&Formula> {
    let mut atoms = Vec::new();
    flatten(formula, &mut atoms);
    atoms
}

/// Labels and colours among the conjuncts of a formula whose paths end in null.
pub fn ending_lists(vocabulary: &dyn Vocabulary, formula: &Formula) -> Vec<(VarIx, u8)> {
    let mut atoms = Vec::new();
    flatten(formula, &mut atoms);
    let list = |atom: &&Formula| match atom {
        Formula::Reach { field, at: At::Now, from, to, plus: false } if is_null(to) => {
            Some((variable(vocabulary, from)?, vocabulary.colour(*field)?))
        }
        _ => None,
    };
    atoms.iter().filter_map(list).collect()
}

/// The conjuncts of a formula; those that spell out one doubly linked list stay together.
pub fn conjuncts<'a>(vocabulary: &dyn Vocabulary, formula: &'a Formula) -> Vec<Vec<&'a Formula>> {
    let mut atoms = Vec::new();
    flatten(formula, &mut atoms);
    if part_shape(vocabulary, &atoms).is_some() {
        return vec![atoms];
    }
    atoms.into_iter().map(|a| vec![a]).collect()
}

/// The shape that conjuncts say, no more and no less.
pub fn part_shape(vocabulary: &dyn Vocabulary, part: &[&Formula]) -> Option<Shape> {
    match part {
        [atom] => shape_of(vocabulary, atom).filter(|s| s.tail.is_none()),
        [list, head, back] => {
            let shape = shape_of(vocabulary, list)?;
            let Kind::List { next } = shape.kind else { return None };
            let prev = null_before_head(vocabulary, shape.root, head)?;
            let same = points_back(vocabulary, shape.root, next, back)? == prev;
            same.then_some(Shape { kind: Kind::Dll { next, prev }, ..shape })
        }
        _ => None,
    }
}

fn flatten<'a>(formula: &'a Formula, atoms: &mut Vec<&'a Formula>) {
    match formula {
        Formula::And(parts) => parts.iter().for_each(|p| flatten(p, atoms)),
        other => atoms.push(other),
    }
}

fn variable(vocabulary: &dyn Vocabulary, term: &Term) -> Option<VarIx> {
    match term {
        Term::Var(v, at) => vocabulary.label(*v, *at),
        _ => None,
    }
}

fn is_null(term: &Term) -> bool {
    matches!(term, Term::Null(_))
}

fn shape_of(vocabulary: &dyn Vocabulary, atom: &Formula) -> Option<Shape> {
    let colour = |f| vocabulary.colour(f);
    let mut tail = None;
    let (kind, root) = match atom {
        Formula::Dlseg(next, prev, At::Now, ends) if is_null(&ends[1]) && is_null(&ends[2]) => {
            tail = Some(variable(vocabulary, &ends[3])?);
            (Kind::Dll { next: colour(*next)?, prev: colour(*prev)? }, &ends[0])
        }
        Formula::Reach { field, at: At::Now, from, to, plus: false } if is_null(to) => {
            (Kind::List { next: colour(*field)? }, from)
        }
        Formula::Tree(left, right, At::Now, root) => {
            (Kind::Tree { left: colour(*left)?, right: colour(*right)?, up: None }, root)
        }
        Formula::Exists(binder, body) => match &**body {
            Formula::Dlseg(next, prev, At::Now, ends)
                if is_null(&ends[1]) && is_null(&ends[2]) && ends[3] == Term::Bound(binder.id) =>
            {
                (Kind::Dll { next: colour(*next)?, prev: colour(*prev)? }, &ends[0])
            }
            _ => return None,
        },
        _ => return None,
    };
    Some(Shape { kind, root: variable(vocabulary, root)?, tail })
}

/// A list whose back links are spelled out is doubly linked; a tree may have pointers to parents.
fn completed(vocabulary: &dyn Vocabulary, shape: Shape, atoms: &[&Formula]) -> Shape {
    if let Kind::Tree { left, right, .. } = shape.kind {
        let of_root = atoms.iter().find_map(|a| null_before_head(vocabulary, shape.root, a));
        let up = of_root.filter(|u| {
            let back = |child| atoms.iter().any(|a| child_points_back(vocabulary, shape.root, child, *u, a));
            back(left) && back(right)
        });
        return Shape { kind: Kind::Tree { left, right, up }, ..shape };
    }
    let Kind::List { next } = shape.kind else { return shape };
    let prev_of_head = atoms.iter().find_map(|a| null_before_head(vocabulary, shape.root, a));
    let back = atoms.iter().find_map(|a| points_back(vocabulary, shape.root, next, a));
    match (prev_of_head, back) {
        (Some(a), Some(b)) if a == b => Shape { kind: Kind::Dll { next, prev: a }, ..shape },
        _ => shape,
    }
}

/// `h != NULL ==> h->p == NULL`, or `h == NULL || h->p == NULL`: p.
fn null_before_head(vocabulary: &dyn Vocabulary, root: VarIx, atom: &Formula) -> Option<u8> {
    let head = |f: &Formula, want: Cmp| match f {
        Formula::Compare(cmp, a, b) if *cmp == want && is_null(b) => variable(vocabulary, a) == Some(root),
        _ => false,
    };
    let conclusion = match atom {
        Formula::Implies(guard, conclusion) if head(guard, Cmp::Ne) => &**conclusion,
        Formula::Or(parts) => match &parts[..] {
            [first, second] if head(first, Cmp::Eq) => second,
            _ => return None,
        },
        _ => return None,
    };
    match conclusion {
        Formula::Compare(Cmp::Eq, Term::Field(p, At::Now, t), b)
            if is_null(b) && variable(vocabulary, t) == Some(root) =>
        {
            vocabulary.colour(*p)
        }
        _ => None,
    }
}

/// `\forall z; z \in \cells(n, h, NULL) && z->n != NULL ==> z->n->p == z`: p.
fn points_back(vocabulary: &dyn Vocabulary, root: VarIx, next: u8, atom: &Formula) -> Option<u8> {
    let Formula::Forall(binder, body) = atom else { return None };
    let Formula::Implies(guard, conclusion) = &**body else { return None };
    let Formula::And(guards) = &**guard else { return None };
    let z = Term::Bound(binder.id);
    let is_next = |t: &Term| matches!(t, Term::Field(n, At::Now, inner) if **inner == z && vocabulary.colour(*n) == Some(next));
    let [Formula::In(member, set), Formula::Compare(Cmp::Ne, link, null)] = &guards[..] else { return None };
    let guarded =
        *member == z && list_root(vocabulary, set) == Some((root, next)) && is_next(link) && is_null(null);
    match &**conclusion {
        Formula::Compare(Cmp::Eq, Term::Field(p, At::Now, inner), back)
            if guarded && is_next(inner) && *back == z =>
        {
            vocabulary.colour(*p)
        }
        _ => None,
    }
}

/// Says of every cell z of the tree that its child, if there is one, has z as parent:
/// `\forall z; z->l != NULL ==> z->l->up == z`, perhaps of several children at once, perhaps only of z that are
/// no null, valid, or lead up to the root (which holds for all cells of the tree, from the root downwards).
fn child_points_back(vocabulary: &dyn Vocabulary, root: VarIx, child: u8, up: u8, atom: &Formula) -> bool {
    let Formula::Forall(binder, body) = atom else { return false };
    let z = Term::Bound(binder.id);
    let is_child = |t: &Term| matches!(t, Term::Field(l, At::Now, inner) if **inner == z && vocabulary.colour(*l) == Some(child));
    let harmless = |guard: &Formula| match guard {
        Formula::Compare(Cmp::Ne, t, null) => (*t == z || is_child(t)) && is_null(null),
        Formula::Valid(t, At::Now) => *t == z,
        Formula::Reach { field, at: At::Now, from, to, .. } => {
            *from == z
                && vocabulary.colour(*field) == Some(up)
                && variable(vocabulary, to) == Some(root)
                && matches!(guard, Formula::Reach { plus: false, .. })
        }
        _ => false,
    };
    parts(body).into_iter().any(|part| {
        let Formula::Implies(guard, conclusion) = part else { return false };
        parts(guard).into_iter().all(harmless)
            && parts(conclusion).into_iter().any(|c| {
                matches!(c, Formula::Compare(Cmp::Eq, Term::Field(u, At::Now, inner), back)
                    if vocabulary.colour(*u) == Some(up) && is_child(inner) && *back == z)
            })
    })
}

/// Root and field of `\cells(f, x, NULL)`.
fn list_root(vocabulary: &dyn Vocabulary, set: &Set) -> Option<(VarIx, u8)> {
    match set {
        Set::Cells(field, At::Now, from, to) if is_null(to) => {
            Some((variable(vocabulary, from)?, vocabulary.colour(*field)?))
        }
        _ => None,
    }
}

/// Reads a pattern over colours `1`, `2`, ... and the labels `h` and `k`.
pub fn pattern(text: &str, h: VarIx, k: VarIx, colours: usize) -> Signature {
    let parsed = parse(text, &plain_names(&["h", "k"], colours));
    let mut s = parsed.expect("a pattern of this engine is well-formed");
    let (at_h, at_k) = (s.labels[0], s.labels[1]);
    s.labels = Signature::EMPTY.labels;
    s.labels[k as usize] = at_k;
    s.labels[h as usize] = at_h;
    s.canonical()
}

/// What no heap contains whose cells all belong to structures of this kind; without dangling pointers.
pub fn excluded_cells(kind: Kind, colours: usize) -> Vec<Signature> {
    let read = |text: String| pattern(&text, 0, 1, colours);
    match kind {
        Kind::List { next } => {
            let n = next + 1;
            vec![read(format!("a -{n}-> a")), read(format!("a -{n}-> b, c -{n}-> b"))]
        }
        Kind::Dll { next, prev } => {
            let (n, p) = (next + 1, prev + 1);
            let mut all = Vec::new();
            for (f, g) in [(n, p), (p, n)] {
                all.push(format!("a -{f}-> b, b -{g}-> c"));
                all.push(format!("a -{f}-> b, b -{g}-> #"));
                all.push(format!("a -{f}-> a"));
            }
            all.into_iter().map(read).collect()
        }
        Kind::Tree { left, right, up: Some(up) } => {
            let (l, r, u) = (left + 1, right + 1, up + 1);
            let mut all = vec![format!("a -{u}-> a")];
            for f in [l, r] {
                all.push(format!("a -{f}-> b, b -{u}-> c"));
                all.push(format!("a -{f}-> b, b -{u}-> #"));
            }
            // Whatever leads up to a cell passes one of its children.
            for ends in ["c d", "c #", "# d", "# #"] {
                let (c, d) = ends.split_once(' ').expect("two ends");
                all.push(format!("b -{u}-> a, a -{l}-> {c}, a -{r}-> {d}"));
            }
            let children = broken_children(left, right);
            all.into_iter().chain(children).map(read).collect()
        }
        Kind::Tree { .. } => {
            ["a -?-> a", "a -?-> b, a -?-> b", "a -?-> b, c -?-> b"].map(|t| read(t.to_owned())).into()
        }
    }
}

/// What makes two fields, followed from a root without parent, no tree; texts over colours.
fn broken_children(left: u8, right: u8) -> Vec<String> {
    let (l, r) = (left + 1, right + 1);
    vec![
        format!("a -{l}-> a"),
        format!("a -{r}-> a"),
        format!("a -{l}-> b, a -{r}-> b"),
        format!("a -{l}-> b, c -{l}-> b"),
        format!("a -{l}-> b, c -{r}-> b"),
        format!("a -{r}-> b, c -{r}-> b"),
    ]
}

/// Covers all heaps in which the two fields are no tree from this root, whatever other link fields there are: the
/// first cell that two steps lead to, where the root counts as led to, or a step that dangles.
pub fn no_tree(left: u8, right: u8, h: VarIx, colours: usize) -> Vec<Signature> {
    let k = if h == 0 { 1 } else { 0 };
    let mut all = broken_children(left, right);
    for f in [left + 1, right + 1] {
        all.push(format!("h@b, a -{f}-> b"));
        all.push(format!("a -{f}-> *"));
    }
    all.push("h@*".to_owned());
    all.iter().map(|t| pattern(t, h, k, colours)).collect()
}

/// What no such heap contains about its root.
pub fn excluded_root(shape: Shape, colours: usize) -> Vec<Signature> {
    let h = shape.root;
    let k = if h == 0 { 1 } else { 0 };
    let read = |text: String| pattern(&text, h, k, colours);
    match shape.kind {
        Kind::List { next } | Kind::Dll { next, .. } => vec![read(format!("h@b, a -{}-> b", next + 1))],
        Kind::Tree { left, right, up: Some(up) } => {
            let above = format!("h@b, b -{}-> a", up + 1);
            [left, right]
                .map(|f| format!("h@b, a -{}-> b", f + 1))
                .into_iter()
                .chain([above])
                .map(read)
                .collect()
        }
        Kind::Tree { .. } => vec![read("h@b, a -?-> b".to_owned())],
    }
}

/// Cells that do not belong to the structure, if everything else is in order.
pub fn strangers(shape: Shape, colours: usize) -> Vec<Signature> {
    let h = shape.root;
    let k = if h == 0 { 1 } else { 0 };
    let read = |text: String| pattern(&text, h, k, colours);
    if let Kind::Tree { up: Some(up), .. } = shape.kind {
        let u = up + 1;
        return vec![read(format!("h@a, g -{u}-> #")), read(format!("a -{u}-> #, b -{u}-> #"))];
    }
    match shape.kind.spine() {
        Some(next) => vec![read("h@#, g".to_owned()), read(format!("h@a, a -{}-> #, g", next + 1))],
        None => vec![read("h@#, g!".to_owned()), read("h@a, g!".to_owned())],
    }
}

/// Cells that belong to neither of two lists with this link, if both are in order: the lists may be apart, one
/// may be part of the other, or they may meet.
pub fn strangers_of_two(next: u8, roots: [VarIx; 2], colours: usize) -> Vec<Signature> {
    let n = next + 1;
    let [h, k] = roots;
    let texts = [
        "h@#, k@#, g".to_owned(),
        format!("h@a, a -{n}-> #, k@#, g"),
        format!("h@#, k@a, a -{n}-> #, g"),
        format!("h@a, k@a, a -{n}-> #, g"),
        format!("h@a, k@b, a -{n}-> #, b -{n}-> #, g"),
        format!("h@a, k@b, a -{n}-> b, b -{n}-> #, g"),
        format!("h@a, k@b, b -{n}-> a, a -{n}-> #, g"),
        format!("h@a, k@b, a -{n}-> c, b -{n}-> c, c -{n}-> #, g"),
    ];
    texts.iter().map(|t| pattern(t, h, k, colours)).collect()
}
