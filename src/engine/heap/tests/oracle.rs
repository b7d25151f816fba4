//! All small heaps, all predicates over a few variables, and concrete execution.

use crate::engine::heap::{Colour, Config, Field, Heap, HeapCtx, Pred, Slot, State};
use crate::util::rng::Rng;

/// What is enumerated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Space {
    /// Cells beside null, at most.
    pub(super) cells: usize,
    pub(super) fields: usize,
    /// Variables beside null.
    pub(super) variables: usize,
    /// Different data.
    pub(super) data: u32,
    pub(super) colours: usize,
    pub(super) alloc: bool,
}

impl Space {
    pub(super) fn config(&self) -> Config {
        Config { fields: self.fields, colours: self.colours, alloc: self.alloc }
    }

    pub(super) fn initial(&self, ctx: &mut HeapCtx) -> State {
        let names = [Some("x"), Some("y"), Some("z"), Some("u"), Some("v")];
        ctx.initial(&names[..self.variables])
    }

    /// Every heap with exactly that many cells for each number up to the bound.
    pub(super) fn heaps(&self) -> Vec<Heap> {
        (0..=self.cells).flat_map(|cells| self.heaps_with(cells)).collect()
    }

    fn heaps_with(&self, cells: usize) -> Vec<Heap> {
        let fields: Vec<Vec<usize>> = words(cells, cells + 1)
            .into_iter()
            .map(|w| [&[0], &w[..]].concat())
            .filter(|f| acyclic(f))
            .collect();
        let nexts = words(self.fields, fields.len());
        let slots = words(self.variables, cells + 1);
        let data = words(cells, self.data.max(1) as usize);
        let bits = words(cells * (self.colours + usize::from(self.alloc)), 2);
        let mut heaps = Vec::new();
        for (next, slot) in nexts.iter().flat_map(|n| slots.iter().map(move |s| (n, s))) {
            for (datum, bit) in data.iter().flat_map(|d| bits.iter().map(move |b| (d, b))) {
                let set = |at: usize| -> Vec<bool> {
                    std::iter::once(false).chain((0..cells).map(|c| bit[at * cells + c] == 1)).collect()
                };
                let mut values = vec![self.data];
                values.extend(datum.iter().map(|&d| d as u32));
                heaps.push(Heap {
                    next: next.iter().map(|&f| fields[f].clone()).collect(),
                    slots: std::iter::once(&0).chain(slot).map(|&cell| Some(cell)).collect(),
                    data: values,
                    colours: (0..self.colours).map(set).collect(),
                    alloc: if self.alloc { set(self.colours) } else { vec![false; cells + 1] },
                });
            }
        }
        heaps
    }

    /// Every predicate over the variables.
    pub(super) fn predicates(&self) -> Vec<Pred> {
        let slots: Vec<Slot> = (0..=self.variables as u16).map(Slot).collect();
        let mut preds = Vec::new();
        for &x in &slots {
            for &y in &slots {
                preds.push(Pred::Equal(x, y));
                for f in (0..self.fields as u8).map(Field) {
                    preds.extend([Pred::Reach(f, x, y), Pred::Plus(f, x, y), Pred::Edge(f, x, y)]);
                    preds.extend([Pred::Unshared(f, x, y), Pred::Apart(f, x, y)]);
                    let others = (0..self.fields as u8).map(Field).filter(|&b| b != f);
                    preds.extend(others.flat_map(|b| [Pred::Inverse(f, b, x, y), Pred::Doubly(f, b, x, y)]));
                    if self.data > 0 {
                        preds.push(Pred::Sorted(f, x, y));
                    }
                }
                if self.data > 0 {
                    preds.push(Pred::AtMost(x, y));
                }
            }
            for c in (0..self.colours as u8).map(Colour) {
                preds.push(Pred::Colour(c, x));
                preds.extend((0..self.fields as u8).map(|f| Pred::All(Field(f), c, x)));
            }
            if self.alloc {
                preds.push(Pred::Alloc(x));
                preds.extend((0..self.fields as u8).map(|f| Pred::Stable(Field(f), x)));
            }
        }
        preds
    }
}

/// All words of a length over an alphabet of numbers.
fn words(length: usize, letters: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..length {
        all = all.iter().flat_map(|w| (0..letters).map(move |l| [&w[..], &[l]].concat())).collect();
    }
    all
}

fn acyclic(field: &[usize]) -> bool {
    (0..field.len()).all(|a| (0..field.len()).fold(a, |at, _| field[at]) == 0)
}

/// The values of up to 256 predicates.
pub(super) type Valuation = [u64; 4];

pub(super) fn valuation(heap: &Heap, preds: &[Pred]) -> Valuation {
    let mut bits = [0; 4];
    for (at, &pred) in preds.iter().enumerate() {
        bits[at / 64] |= u64::from(heap.eval(pred)) << (at % 64);
    }
    bits
}

pub(super) fn agrees(valuation: &Valuation, literals: &[(usize, bool)]) -> bool {
    literals.iter().all(|&(at, positive)| (valuation[at / 64] >> (at % 64) & 1 == 1) == positive)
}

/// A random set of literals; half of the time nearly those of a heap, so that both answers are common.
pub(super) fn random_literals(
    rng: &mut Rng,
    preds: usize,
    known: &[Valuation],
    most: usize,
) -> Vec<(usize, bool)> {
    let count = 1 + rng.below(most);
    let base = rng.pick(known);
    let near = rng.one_in(2);
    let mut literals: Vec<(usize, bool)> = Vec::new();
    for _ in 0..count {
        let at = rng.below(preds);
        if literals.iter().all(|&(other, _)| other != at) {
            let value = base[at / 64] >> (at % 64) & 1 == 1;
            literals.push((at, if near && !rng.one_in(6) { value } else { rng.one_in(2) }));
        }
    }
    literals
}

/// A statement.
#[derive(Clone, Debug)]
pub(super) enum Code {
    Assign(Slot, Slot),
    Load(Slot, Slot, Field),
    Store(Slot, Field, Slot),
    Malloc(Slot),
    Free(Slot),
    /// The first one's datum becomes that of the second.
    CopyDatum(Slot, Slot),
    /// The cell gets or loses the colour.
    Paint(Slot, bool),
    If(Pred, Vec<Code>, Vec<Code>),
}

/// How an execution ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    Done(Heap),
    Access,
    Cycle,
}

/// All executions from a heap; `malloc` takes every cell it may.
pub(super) fn execute(code: &[Code], heap: &Heap, tracked: bool) -> Vec<End> {
    let mut ends = vec![End::Done(heap.clone())];
    for statement in code {
        let step = |end: End| match end {
            End::Done(heap) => execute_one(statement, heap, tracked),
            error => vec![error],
        };
        ends = ends.into_iter().flat_map(step).collect();
    }
    ends
}

fn execute_one(statement: &Code, mut heap: Heap, tracked: bool) -> Vec<End> {
    let bad = |heap: &Heap, x: Slot| heap.cell(x) == 0 || tracked && !heap.alloc[heap.cell(x)];
    match *statement {
        Code::Assign(x, y) => heap.slots[x.0 as usize] = heap.slots[y.0 as usize],
        Code::Load(x, y, Field(f)) => {
            if bad(&heap, y) {
                return vec![End::Access];
            }
            heap.slots[x.0 as usize] = Some(heap.next[f as usize][heap.cell(y)]);
        }
        Code::Store(x, f, y) => {
            if bad(&heap, x) {
                return vec![End::Access];
            }
            if heap.reaches(f, heap.cell(y), heap.cell(x)) {
                return vec![End::Cycle];
            }
            let (from, to) = (heap.cell(x), heap.cell(y));
            heap.next[f.0 as usize][from] = to;
        }
        Code::Free(x) => {
            if bad(&heap, x) {
                return vec![End::Access];
            }
            let cell = heap.cell(x);
            heap.alloc[cell] = false;
        }
        Code::CopyDatum(x, y) => {
            if bad(&heap, x) || bad(&heap, y) {
                return vec![End::Access];
            }
            let (to, from) = (heap.cell(x), heap.cell(y));
            heap.data[to] = heap.data[from];
        }
        Code::Paint(x, value) => {
            if bad(&heap, x) {
                return vec![End::Access];
            }
            let cell = heap.cell(x);
            heap.colours[0][cell] = value;
        }
        Code::Malloc(x) => {
            let entered = |c: usize| heap.next.iter().any(|next| next[1..].contains(&c));
            let held = |c: usize| heap.slots.contains(&Some(c));
            let free = |&c: &usize| if tracked { !heap.alloc[c] } else { !entered(c) && !held(c) };
            let make = |c: usize| {
                let mut heap = heap.clone();
                heap.slots[x.0 as usize] = Some(c);
                heap.alloc[c] = tracked;
                End::Done(heap)
            };
            return (1..heap.size()).filter(free).map(make).collect();
        }
        Code::If(condition, ref yes, ref no) => {
            let side = if heap.eval(condition) { yes } else { no };
            return execute(side, &heap, tracked);
        }
    }
    vec![End::Done(heap)]
}

/// The same code, symbolically. Returns the literals of access errors and of cycles.
pub(super) fn encode(
    ctx: &mut HeapCtx,
    code: &[Code],
    state: &mut State,
) -> (Vec<crate::sat::Lit>, Vec<crate::sat::Lit>) {
    let (mut access, mut cycle) = (Vec::new(), Vec::new());
    for statement in code {
        match *statement {
            Code::Assign(x, y) => ctx.assign(state, x, y),
            Code::Load(x, y, f) => access.push(ctx.load(state, x, y, f)),
            Code::Store(x, f, y) => {
                let errors = ctx.store(state, x, f, y);
                access.push(errors.access);
                cycle.push(errors.cycle);
            }
            Code::Malloc(x) => ctx.malloc(state, x),
            Code::Free(x) => access.push(ctx.free(state, x)),
            Code::CopyDatum(x, y) => {
                let value = ctx.datum_of(state, y);
                let failure = ctx.inaccessible(state, y);
                access.push(ctx.fail_if(state, failure));
                access.push(ctx.store_datum(state, x, value));
            }
            Code::Paint(x, value) => {
                let value = crate::engine::heap::constant(value);
                access.push(ctx.paint(state, x, Colour(0), value));
            }
            Code::If(condition, ref yes, ref no) => {
                let test = ctx.literal(state, condition, true);
                let (mut left, mut right) = ctx.branch(state, test);
                for (side, code) in [(&mut left, yes), (&mut right, no)] {
                    let errors = encode(ctx, code, side);
                    access.extend(errors.0);
                    cycle.extend(errors.1);
                }
                *state = ctx.merge(test, &left, &right);
            }
        }
    }
    (access, cycle)
}

/// A random program; conditions are exact predicates.
pub(super) fn random_code(rng: &mut Rng, space: &Space, length: usize, depth: usize) -> Vec<Code> {
    let slot = |rng: &mut Rng| Slot(1 + rng.below(space.variables) as u16);
    let any = |rng: &mut Rng| Slot(rng.below(1 + space.variables) as u16);
    let field = |rng: &mut Rng| Field(rng.below(space.fields) as u8);
    let mut code = Vec::new();
    for _ in 0..length {
        code.push(match rng.below(10) {
            0 | 1 => Code::Assign(slot(rng), any(rng)),
            2 | 3 => Code::Load(slot(rng), slot(rng), field(rng)),
            4..=6 => Code::Store(slot(rng), field(rng), any(rng)),
            7 => Code::Malloc(slot(rng)),
            8 if space.alloc => Code::Free(slot(rng)),
            8 if space.data > 0 => Code::CopyDatum(slot(rng), slot(rng)),
            9 if space.colours > 0 && rng.one_in(3) => Code::Paint(slot(rng), rng.one_in(2)),
            _ if depth > 0 => {
                let (f, x, y) = (field(rng), slot(rng), any(rng));
                let condition = match rng.below(5) {
                    0 => Pred::Reach(f, x, y),
                    1 => Pred::Edge(f, x, y),
                    2 if space.colours > 0 => Pred::Colour(Colour(0), x),
                    3 if space.data > 0 => Pred::AtMost(x, y),
                    _ => Pred::Equal(x, y),
                };
                let (yes, no) = (1 + rng.below(2), rng.below(2));
                let yes = random_code(rng, space, yes, depth - 1);
                Code::If(condition, yes, random_code(rng, space, no, depth - 1))
            }
            _ => Code::Store(slot(rng), field(rng), any(rng)),
        });
    }
    code
}
