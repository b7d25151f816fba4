//! Heaps as total signatures, their enumeration, the literal ordering steps, and the commands run on heaps:
//! the oracles of this engine.

use crate::analysis::monotone::pre::Op;
use crate::analysis::monotone::signature::{Cell, MAX_COLOURS, Node, Signature};
use crate::util::hash::Set;
use crate::util::rng::Rng;

/// All heaps of `n` cells over `colours` fields and `vars` variables, up to isomorphism.
pub fn heaps(n: usize, colours: usize, vars: usize) -> Vec<Signature> {
    let slots = n * colours + vars;
    let choices = n + 2;
    let mut seen: Set<Signature> = Set::default();
    let mut out = Vec::new();
    for mut code in 0..choices.pow(slots as u32) {
        let heap = build(n, colours, vars, || {
            let digit = code % choices;
            code /= choices;
            digit
        });
        let heap = heap.canonical();
        if seen.insert(heap) {
            out.push(heap);
        }
    }
    out
}

pub fn random_heap(n: usize, colours: usize, vars: usize, rng: &mut Rng) -> Signature {
    build(n, colours, vars, || rng.below(n + 2)).canonical()
}

fn build(n: usize, colours: usize, vars: usize, mut next: impl FnMut() -> usize) -> Signature {
    let mut node = || match next() {
        i if i < n => Node::cell(i),
        i if i == n => Node::NULL,
        _ => Node::DANGLING,
    };
    let mut heap = Signature::EMPTY;
    (0..n).for_each(|_| {
        heap.add_cell();
    });
    for i in 0..n {
        (0..colours).for_each(|c| heap.cells[i].set(c, node(), true));
    }
    (0..vars).for_each(|v| heap.labels[v] = node());
    heap.make_total();
    heap
}

/// All one-step reductions, literally (paper section 4, with E14 and E16).
pub fn steps_down(s: &Signature) -> Vec<Signature> {
    let mut out = Vec::new();
    for m in s.nodes() {
        let cell = s.cells[m.index()];
        let (labelled, entering, leaving) = (s.is_labelled(m), s.in_degree(m), cell.degree());
        if !labelled && entering == 0 && leaving == 0 {
            let mut t = *s;
            t.remove_cell(m, Node::ABSENT);
            out.push(t);
        }
        let change = |f: &dyn Fn(&mut Cell)| {
            let mut t = *s;
            f(&mut t.cells[m.index()]);
            t
        };
        for c in 0..MAX_COLOURS {
            let target = cell.coloured[c];
            if !target.is_known() {
                continue;
            }
            if !s.is_closed(target) {
                out.push(change(&|cell| cell.remove(c)));
            }
            out.push(change(&|cell| {
                cell.remove(c);
                cell.add_loose(target);
            }));
            if cell.is_direct(c) {
                out.push(change(&|cell| cell.set(c, target, false)));
            }
        }
        for target in cell.loose().filter(|t| !s.is_closed(*t)) {
            out.push(change(&|cell| cell.remove_loose(target)));
        }
        if s.is_closed(m) {
            let mut t = *s;
            t.set_closed(m, false);
            out.push(t);
        }
        if !labelled && entering == 1 && leaving == 1 {
            out.extend(contract(s, m));
        }
    }
    for v in (0..s.labels.len()).filter(|v| s.labels[*v].is_known()) {
        let mut t = *s;
        t.labels[v] = Node::ABSENT;
        out.push(t);
    }
    out
}

fn contract(s: &Signature, m: Node) -> Option<Signature> {
    let cell = s.cells[m.index()];
    let source = s.nodes().find(|p| s.cells[p.index()].targets().any(|t| t == m))?;
    let target = cell.targets().next()?;
    if source == m || cell.has_direct() {
        return None;
    }
    let mut t = *s;
    let from = &mut t.cells[source.index()];
    match cell.coloured.iter().position(|t| t.is_known()) {
        Some(c) if from.coloured[c] == m && !from.is_direct(c) => from.set(c, target, false),
        None if from.loose().any(|l| l == m) => {
            from.remove_loose(m);
            from.add_loose(target);
        }
        _ => return None,
    }
    t.remove_cell(m, Node::ABSENT);
    Some(t)
}

/// Everything below a signature, in canonical form.
pub fn down(s: &Signature) -> Set<Signature> {
    let mut seen: Set<Signature> = Set::default();
    let start = s.canonical();
    seen.insert(start);
    let mut open = vec![start];
    while let Some(s) = open.pop() {
        for t in steps_down(&s) {
            let t = t.canonical();
            if seen.insert(t) {
                open.push(t);
            }
        }
    }
    seen
}

/// A random signature below.
pub fn random_below(s: &Signature, steps: usize, rng: &mut Rng) -> Signature {
    let mut s = *s;
    for _ in 0..rng.below(steps + 1) {
        let all = steps_down(&s);
        if all.is_empty() {
            break;
        }
        let fewer: Vec<&Signature> = all.iter().filter(|t| t.len() < s.len()).collect();
        s = if !fewer.is_empty() && rng.one_in(2) { **rng.pick(&fewer) } else { *rng.pick(&all) };
    }
    s.canonical()
}

/// How a command ends on a heap.
pub enum Run {
    /// It accesses what is no cell.
    Fails,
    /// Its possible results; none if a test does not pass.
    Ends(Vec<Signature>),
}

/// Runs a command on a heap.
pub fn run(heap: &Signature, op: Op, colours: usize) -> Run {
    let at = |x: u8| heap.labels[x as usize];
    let assign = |x: u8, node: Node| {
        let mut t = *heap;
        t.labels[x as usize] = node;
        vec![t]
    };
    let when = |passes: bool| if passes { vec![*heap] } else { Vec::new() };
    if op.accessed().is_some_and(|x| !at(x).is_cell()) {
        return Run::Fails;
    }
    Run::Ends(match op {
        Op::Skip => vec![*heap],
        Op::IsNull(x) => when(at(x) == Node::NULL),
        Op::NotNull(x) => when(at(x) != Node::NULL),
        Op::Same(x, y) => when(at(x) == at(y)),
        Op::Differ(x, y) => when(x != y && (at(x) != at(y) || at(x) == Node::DANGLING)),
        Op::Havoc(x) => heap.nodes().chain([Node::NULL, Node::DANGLING]).flat_map(|n| assign(x, n)).collect(),
        Op::SetNull(x) => assign(x, Node::NULL),
        Op::Copy(x, y) => assign(x, at(y)),
        Op::Load { to, from, colour } => assign(to, heap.cells[at(from).index()].coloured[colour as usize]),
        Op::Store { to, colour, value } => {
            let mut t = *heap;
            let value = value.map_or(Node::NULL, at);
            t.cells[at(to).index()].set(colour as usize, value, true);
            vec![t]
        }
        Op::Alloc { to, zeroed } => allocated(heap, to, zeroed, colours),
        Op::Free(x) => {
            let mut t = *heap;
            t.remove_cell(at(x), Node::DANGLING);
            vec![t]
        }
    })
}

/// A new cell with all values of its fields; each dangling reference may turn out to be its address.
fn allocated(heap: &Signature, x: u8, zeroed: bool, colours: usize) -> Vec<Signature> {
    let mut base = *heap;
    base.labels[x as usize] = Node::ABSENT;
    let mut dangling: Vec<(Option<usize>, usize)> = Vec::new();
    dangling.extend((0..base.labels.len()).filter(|v| base.labels[*v] == Node::DANGLING).map(|v| (None, v)));
    for m in base.nodes() {
        let cell = &base.cells[m.index()];
        let fields = (0..MAX_COLOURS).filter(|c| cell.coloured[*c] == Node::DANGLING);
        dangling.extend(fields.map(|c| (Some(m.index()), c)));
    }
    let new = base.add_cell();
    base.labels[x as usize] = new;
    let mut out = Vec::new();
    for chosen in 0..1usize << dangling.len() {
        let mut t = base;
        for (_, (cell, slot)) in dangling.iter().enumerate().filter(|(i, _)| chosen & (1 << i) != 0) {
            match cell {
                Some(i) => t.cells[*i].set(*slot, new, true),
                None => t.labels[*slot] = new,
            }
        }
        let mut values = vec![Node::NULL];
        if !zeroed {
            values.push(Node::DANGLING);
            values.extend(t.nodes());
        }
        for mut code in 0..values.len().pow(colours as u32) {
            for c in 0..colours {
                t.cells[new.index()].set(c, values[code % values.len()], true);
                code /= values.len();
            }
            t.make_total();
            out.push(t);
        }
    }
    out
}

/// Every kind of command over the variables 0 and 1.
pub fn commands(colours: usize) -> Vec<Op> {
    let mut all = vec![Op::Skip];
    for x in 0..2 {
        all.extend([Op::IsNull(x), Op::NotNull(x), Op::Havoc(x), Op::SetNull(x), Op::Free(x)]);
        all.extend([false, true].map(|zeroed| Op::Alloc { to: x, zeroed }));
        for y in 0..2 {
            all.push(Op::Copy(x, y));
            all.extend((0..colours as u8).map(|colour| Op::Load { to: x, from: y, colour }));
            all.extend((0..colours as u8).map(|colour| Op::Store { to: x, colour, value: Some(y) }));
        }
        all.extend((0..colours as u8).map(|colour| Op::Store { to: x, colour, value: None }));
    }
    all.extend([Op::Same(0, 1), Op::Differ(0, 1), Op::Same(1, 1), Op::Differ(1, 1)]);
    all
}
