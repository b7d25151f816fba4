//! Forward facts: per location what every run has there, cheap and without the heap. A signature that
//! contradicts them is no part of a run and is dropped.
//!
//! Per variable the kinds of nodes it may be at, per pair whether they may be at the same or at different nodes
//! (two dangling variables are at one node), and fields that certainly point to where a variable is. The semantics is that of [`super::pre`].
//!
//! **Frames.** While no command has written the heap, the heap is still the entry heap: what the entry excludes
//! is excluded there too, as far as it speaks of variables not yet assigned. The same holds beside a single
//! new cell, as long as a variable certainly points to it and nothing else has been written: the entry heap
//! lies beside it, and nothing of it points to the new cell, because no field dangles at the entry. Where cells were
//! freed and nothing else was written, what is left is a part of the entry heap: a path in it is one of the entry
//! heap, so what the entry excludes is excluded as far as it shows nothing that dangles and no in-closed cell.

mod excluded;

use super::model::Model;
use super::pre::{Op, VarIx};
use super::signature::{MAX_COLOURS, MAX_VARS, Node, Signature};

const CELL: u8 = 1;
const NULL: u8 = 2;
const DANGLING: u8 = 4;
const ANY: u8 = CELL | NULL | DANGLING;
const SAME: u8 = 1;
const DIFFERENT: u8 = 2;
const EITHER: u8 = SAME | DIFFERENT;

/// What is known of a field of a variable's cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    Unknown,
    Null,
    Var(VarIx),
}

/// What has been written since the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    /// Nothing.
    Nothing,
    /// Cells were freed.
    Freed,
    /// One cell is new, and only it was written; these variables point to it, at least one.
    New(u32),
    /// Anything.
    Anything,
}

impl Written {
    fn join(self, other: Written) -> Written {
        match (self, other) {
            (Written::Nothing, Written::Nothing) => Written::Nothing,
            (Written::Nothing | Written::Freed, Written::Nothing | Written::Freed) => Written::Freed,
            (Written::New(a), Written::New(b)) if a & b != 0 => Written::New(a & b),
            _ => Written::Anything,
        }
    }

    fn after(self, op: Op) -> Written {
        let holds = |mask: u32, x: VarIx| mask & (1 << x) != 0;
        let next = match (self, op) {
            (Written::Nothing, Op::Alloc { to, .. }) => return Written::New(1 << to),
            (Written::Nothing | Written::Freed, Op::Free(_)) => Written::Freed,
            (Written::New(mask), Op::Store { to, .. }) if holds(mask, to) => self,
            (Written::New(mask), Op::Copy(x, y)) if holds(mask, y) => return Written::New(mask | 1 << x),
            (_, op) if op.writes() => return Written::Anything,
            _ => self,
        };
        match (next, op.assigned()) {
            (Written::New(mask), Some(x)) if mask & !(1 << x) == 0 => Written::Anything,
            (Written::New(mask), Some(x)) => Written::New(mask & !(1 << x)),
            _ => next,
        }
    }
}

/// Facts at one location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    reached: bool,
    kinds: [u8; MAX_VARS],
    pairs: [[u8; MAX_VARS]; MAX_VARS],
    links: [[Link; MAX_COLOURS]; MAX_VARS],
    /// What has been written.
    written: Written,
    /// Variables that still have their entry value, as bits.
    untouched: u32,
}

/// Facts at all locations of a model; `kinds` are those of the variables at the entry.
pub fn analyse(model: &Model<'_>, at_entry: &Facts) -> Vec<Facts> {
    let n = model.slots.len();
    let mut all = vec![Facts::unreached(); model.locations];
    all[model.entry] = at_entry.clone();
    all[model.entry].reduce(n);
    loop {
        let mut changed = false;
        for step in &model.steps {
            if all[step.from].reached {
                let after = all[step.from].after(step.op, n);
                changed |= all[step.to].join(&after);
            }
        }
        if !changed {
            return all;
        }
    }
}

impl Facts {
    fn unreached() -> Facts {
        Facts { reached: false, ..Facts::anything() }
    }

    /// Nothing is known.
    pub fn anything() -> Facts {
        let mut pairs = [[EITHER; MAX_VARS]; MAX_VARS];
        (0..MAX_VARS).for_each(|v| pairs[v][v] = SAME);
        Facts {
            reached: true,
            kinds: [ANY; MAX_VARS],
            pairs,
            links: [[Link::Unknown; MAX_COLOURS]; MAX_VARS],
            written: Written::Nothing,
            untouched: u32::MAX,
        }
    }

    /// The variable is not dangling.
    pub fn not_dangling(&mut self, x: VarIx) {
        self.kinds[x as usize] &= !DANGLING;
    }

    /// The variable is null, or it is not.
    pub fn null(&mut self, x: VarIx, is_null: bool) {
        self.kinds[x as usize] &= if is_null { NULL } else { CELL };
    }

    /// No variable is at a cell.
    pub fn no_cells(&mut self) {
        self.kinds.iter_mut().for_each(|k| *k &= !CELL);
    }

    /// Some run gets here.
    pub fn is_reached(&self) -> bool {
        self.reached
    }

    /// What the entry excludes by the signature is excluded here: the entry heap, or a part of it, is there, and every
    /// variable that the signature labels has its entry value.
    fn is_frame_of(&self, s: &Signature) -> bool {
        let labelled = s.labels.iter().enumerate().filter(|(_, l)| l.is_known());
        let part = self.only_freed() && !s.has_closed() && !s.shows_dangling();
        (part || self.is_frame()) && labelled.fold(0u32, |m, (v, _)| m | 1 << v) & !self.untouched == 0
    }

    /// What is there is a part of the entry heap: cells were freed, nothing else was written.
    pub fn only_freed(&self) -> bool {
        self.reached && self.written == Written::Freed
    }

    /// A variable that points to the only new cell, beside which the entry heap lies unchanged; `None` if there
    /// is no new cell, or nothing of the kind is known.
    pub fn only_new(&self) -> Option<VarIx> {
        match self.written {
            Written::New(mask) if self.reached => Some(mask.trailing_zeros() as VarIx),
            _ => None,
        }
    }

    /// What the entry excludes here, given what it excludes at the entry.
    pub fn frame(&self, excluded: &[Signature], colours: usize) -> Vec<Signature> {
        let mut out: Vec<Signature> = excluded.iter().copied().filter(|e| self.is_frame_of(e)).collect();
        out = self.beside_new(out, colours);
        if let Some(new) = self.only_new()
            && colours > 0
        {
            let mut linked = Signature::EMPTY;
            let [cell, other] = [linked.add_cell(), linked.add_cell()];
            linked.labels[new as usize] = cell;
            linked.cells[other.index()].add_loose(cell);
            out.push(linked);
        }
        out
    }

    /// Signatures of the entry heap, beside the new cell if there is one.
    pub fn beside_new(&self, mut all: Vec<Signature>, colours: usize) -> Vec<Signature> {
        let Some(new) = self.only_new() else { return all };
        all.retain(|e| e.room() > 0 && !e.labels[new as usize].is_known());
        for e in &mut all {
            e.labels[new as usize] = e.add_cell();
        }
        // In-edges from the new cell come and go: an in-closed cell may have any of them besides.
        for colour in 0..colours {
            for i in 0..all.len() {
                let e = all[i];
                let cell = e.labels[new as usize];
                all.extend(e.nodes().filter(|c| e.is_closed(*c)).map(|closed| {
                    let mut linked = e;
                    linked.cells[cell.index()].set(colour, closed, true);
                    linked
                }));
            }
        }
        all
    }

    /// Whether the entry heap is still there, perhaps beside one new cell.
    pub fn is_frame(&self) -> bool {
        self.reached && matches!(self.written, Written::Nothing | Written::New(_))
    }

    /// The part of a signature that lies in the entry heap, if that is still there: without the new cell, and
    /// with the labels that have their entry values, or that the caller wants.
    pub fn entry_part(&self, s: &Signature, or_kept: impl Fn(usize) -> bool) -> Option<Signature> {
        if !self.is_frame() {
            return None;
        }
        let mut part = *s;
        let new = self.only_new().map_or(Node::ABSENT, |x| s.labels[x as usize]);
        for (v, label) in part.labels.iter_mut().enumerate() {
            if self.untouched & (1 << v) == 0 && !or_kept(v) {
                *label = Node::ABSENT;
            }
        }
        if new.is_cell() {
            part.remove_cell(new, Node::ABSENT);
        } else if self.only_new().is_some() {
            return None;
        }
        Some(part)
    }

    fn join(&mut self, other: &Facts) -> bool {
        if !other.reached {
            return false;
        }
        if !self.reached {
            *self = other.clone();
            return true;
        }
        let old = self.clone();
        for x in 0..MAX_VARS {
            self.kinds[x] |= other.kinds[x];
            for y in 0..MAX_VARS {
                self.pairs[x][y] |= other.pairs[x][y];
            }
            for c in 0..MAX_COLOURS {
                if self.links[x][c] != other.links[x][c] {
                    self.links[x][c] = Link::Unknown;
                }
            }
        }
        self.written = self.written.join(other.written);
        self.untouched &= other.untouched;
        *self != old
    }

    fn relate(&mut self, x: usize, y: usize, relation: u8) {
        if x != y {
            self.pairs[x][y] = relation;
            self.pairs[y][x] = relation;
        }
    }

    /// Draws the conclusions of kinds and pairs from each other.
    fn reduce(&mut self, n: usize) {
        loop {
            let old = self.clone();
            for x in 0..n {
                for y in (0..n).filter(|y| *y != x) {
                    let (a, b) = (self.kinds[x], self.kinds[y]);
                    let mut relation = self.pairs[x][y];
                    if a & b == 0 {
                        relation &= DIFFERENT;
                    }
                    if a == b && (a == NULL || a == DANGLING) {
                        relation &= SAME;
                    }
                    if relation == SAME {
                        self.kinds[x] = a & b;
                        self.kinds[y] = a & b;
                        for z in (0..n).filter(|z| *z != x && *z != y) {
                            let both = self.pairs[x][z] & self.pairs[y][z];
                            self.relate(x, z, both);
                            self.relate(y, z, both);
                        }
                    } else if relation == DIFFERENT && (a == NULL || a == DANGLING) {
                        self.kinds[y] &= !a;
                    }
                    self.relate(x, y, relation);
                    self.reached &= relation != 0;
                }
                self.reached &= self.kinds[x] != 0;
            }
            if !self.reached || *self == old {
                return;
            }
        }
    }

    /// Forgets the links of x and those to it.
    fn forget_links(&mut self, x: usize) {
        self.links[x] = [Link::Unknown; MAX_COLOURS];
        for links in &mut self.links {
            links.iter_mut().filter(|l| **l == Link::Var(x as VarIx)).for_each(|l| *l = Link::Unknown);
        }
    }

    /// x takes a new value of which only the kinds are known.
    fn assign(&mut self, x: usize, kinds: u8, n: usize) {
        self.forget_links(x);
        self.kinds[x] = kinds;
        (0..n).for_each(|z| self.relate(x, z, EITHER));
    }

    fn copy(&mut self, x: usize, y: usize, n: usize) {
        if x == y {
            return;
        }
        self.forget_links(x);
        self.kinds[x] = self.kinds[y];
        (0..n).filter(|z| *z != y).for_each(|z| self.relate(x, z, self.pairs[y][z]));
        self.relate(x, y, SAME);
        self.links[x] = self.links[y];
    }

    /// Facts after a command that ran without failing.
    fn after(&self, op: Op, n: usize) -> Facts {
        let mut f = self.clone();
        if let Some(x) = op.accessed() {
            f.kinds[x as usize] &= CELL;
            f.reduce(n);
        }
        if !f.reached {
            return f;
        }
        if let Some(x) = op.assigned() {
            f.untouched &= !(1 << x);
        }
        f.written = f.written.after(op);
        match op {
            Op::Skip => {}
            Op::IsNull(x) => f.kinds[x as usize] &= NULL,
            Op::NotNull(x) => f.kinds[x as usize] &= !NULL,
            Op::Same(x, y) => {
                let (x, y) = (x as usize, y as usize);
                f.relate(x, y, f.pairs[x][y] & SAME);
            }
            Op::Differ(x, y) => {
                let (x, y) = (x as usize, y as usize);
                let both_dangling = f.kinds[x] & f.kinds[y] & DANGLING != 0;
                let kept = if both_dangling { EITHER } else { DIFFERENT };
                f.reached = x != y;
                f.relate(x, y, f.pairs[x][y] & kept);
            }
            Op::Havoc(x) => f.assign(x as usize, ANY, n),
            Op::SetNull(x) => f.assign(x as usize, NULL, n),
            Op::Copy(x, y) => f.copy(x as usize, y as usize, n),
            Op::Load { to, from, colour } => f.load(to as usize, from as usize, colour as usize, n),
            Op::Store { to, colour, value } => f.store(to as usize, colour as usize, value, n),
            Op::Alloc { to, zeroed } => f.alloc(to as usize, zeroed, n),
            Op::Free(x) => f.free(x as usize, n),
        }
        f.reduce(n);
        f
    }

    fn load(&mut self, x: usize, y: usize, colour: usize, n: usize) {
        match self.links[y][colour] {
            Link::Var(z) => self.copy(x, z as usize, n),
            Link::Null => self.assign(x, NULL, n),
            Link::Unknown => {
                self.assign(x, ANY, n);
                if x != y {
                    self.links[y][colour] = Link::Var(x as VarIx);
                }
            }
        }
    }

    fn store(&mut self, x: usize, colour: usize, value: Option<VarIx>, n: usize) {
        let link = value.map_or(Link::Null, Link::Var);
        for z in 0..n {
            match self.pairs[x][z] {
                SAME => self.links[z][colour] = link,
                relation if relation & SAME != 0 => self.links[z][colour] = Link::Unknown,
                _ => {}
            }
        }
    }

    /// A pointer that dangled may have held the address of the new cell.
    fn alloc(&mut self, x: usize, zeroed: bool, n: usize) {
        self.assign(x, CELL, n);
        let dangled: Vec<usize> = (0..n).filter(|z| *z != x && self.kinds[*z] & DANGLING != 0).collect();
        for z in (0..n).filter(|z| *z != x) {
            self.relate(x, z, DIFFERENT);
        }
        for &z in &dangled {
            self.kinds[z] |= CELL;
            self.links[z] = [Link::Unknown; MAX_COLOURS];
            self.relate(x, z, EITHER);
            for &w in &dangled {
                self.relate(z, w, EITHER);
            }
            for links in &mut self.links {
                links.iter_mut().filter(|l| **l == Link::Var(z as VarIx)).for_each(|l| *l = Link::Unknown);
            }
        }
        self.links[x] = [if zeroed { Link::Null } else { Link::Unknown }; MAX_COLOURS];
    }

    fn free(&mut self, x: usize, n: usize) {
        let aliases = self.pairs[x];
        for z in (0..n).filter(|z| aliases[*z] & SAME != 0) {
            self.kinds[z] = if aliases[z] == SAME { DANGLING } else { self.kinds[z] | DANGLING };
            self.forget_links(z);
        }
        for z in 0..n {
            for w in (0..n).filter(|w| *w != z) {
                if self.kinds[z] & self.kinds[w] & DANGLING != 0 {
                    self.relate(z, w, EITHER);
                }
            }
        }
    }

    /// Whether a heap above the signature can satisfy the facts.
    pub fn allow(&self, s: &Signature, n: usize, colours: usize) -> bool {
        if !self.reached {
            return false;
        }
        for x in 0..n {
            let label = s.labels[x];
            if !label.is_known() {
                continue;
            }
            let kind = match label {
                Node::NULL => NULL,
                Node::DANGLING => DANGLING,
                _ => CELL,
            };
            if self.kinds[x] & kind == 0 {
                return false;
            }
            for y in 0..x {
                let relation = if s.labels[y] == label { SAME } else { DIFFERENT };
                if s.labels[y].is_known() && self.pairs[x][y] & relation == 0 {
                    return false;
                }
            }
            if kind == CELL && !self.links_allow(s, x, label, colours) {
                return false;
            }
        }
        true
    }

    /// An edge shown where a field is known ends at what the field is known to hold: interiors of paths have
    /// no labels. A decoloured edge begins with one of the other fields.
    fn links_allow(&self, s: &Signature, x: usize, cell: Node, colours: usize) -> bool {
        let cell = &s.cells[cell.index()];
        let fits = |colour: usize, target: Node| {
            let known = match self.links[x][colour] {
                Link::Unknown => Node::ABSENT,
                Link::Null => Node::NULL,
                Link::Var(y) => s.labels[y as usize],
            };
            !known.is_known() || known == target
        };
        let shown = |c: usize| cell.coloured[c].is_known();
        (0..colours).all(|c| !shown(c) || fits(c, cell.coloured[c]))
            && cell.loose().all(|t| (0..colours).any(|c| !shown(c) && fits(c, t)))
    }
}
