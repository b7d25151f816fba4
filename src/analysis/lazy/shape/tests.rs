//! Every transformer against concrete heaps: the successor of a heap that a region contains lies in the
//! region's image. Heaps are random, acyclic and cyclic, with unwritten fields and freed cells.

use super::class::Class;
use super::coerce::coerce;
use super::graph::{Edge, Graph, Known, Node};
use super::range::Range;
use super::region::Region;
use super::store;
use super::transfer::{self, Pointer};
use super::truths::{Kleene, Truths};
use crate::program::{Field, FieldId, IntKind, Program, StructId, Type, Var, VarId, VarKind};
use crate::util::rng::Rng;
use crate::util::span::Span;

/// A concrete pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ptr {
    Null,
    Wild,
    Cell(usize),
}

/// A concrete heap with one link field, one further pointer field and one integer field.
#[derive(Clone, Debug)]
pub(super) struct Heap {
    pub vars: Vec<Ptr>,
    pub links: Vec<[Ptr; 2]>,
    pub datum: Vec<i128>,
    pub live: Vec<bool>,
    pub value: Option<i128>,
}

const VARS: usize = 3;

/// With both pointer fields.
pub(super) fn program() -> (Program, StructId, [FieldId; 3], VarId) {
    program_with(2)
}

/// With one or two pointer fields; of one, the second is the first.
fn program_with(links: usize) -> (Program, StructId, [FieldId; 3], VarId) {
    let mut p = Program::new("heaps");
    let s = p.add_struct("node");
    let field = |name: &str, ty| Field { name: name.to_owned(), owner: s, ty, ghost: false };
    let n = p.add_field(field("n", Type::Ptr(s)));
    let m = if links > 1 { p.add_field(field("m", Type::Ptr(s))) } else { n };
    let h = p.add_field(field("h", Type::Int(IntKind::INT)));
    let var = |name: &str, ty| Var {
        name: name.to_owned(),
        ty,
        kind: VarKind::Local,
        len: None,
        span: Span::default(),
    };
    for name in ["x", "y", "z"] {
        p.add_var(var(name, Type::Ptr(s)));
    }
    let t = p.add_var(var("t", Type::Int(IntKind::INT)));
    (p, s, [n, m, h], t)
}

fn follow(heap: &Heap, link: usize, from: Ptr) -> Vec<usize> {
    let mut path = Vec::new();
    let mut at = from;
    while let Ptr::Cell(c) = at {
        if path.contains(&c) {
            break;
        }
        path.push(c);
        at = heap.links[c][link];
    }
    path
}

/// Cells that some variable reaches.
fn used(heap: &Heap) -> Vec<bool> {
    let mut used = vec![false; heap.links.len()];
    let mut open = heap.vars.clone();
    while let Some(p) = open.pop() {
        if let Ptr::Cell(c) = p
            && !std::mem::replace(&mut used[c], true)
        {
            open.extend(heap.links[c]);
        }
    }
    used
}

/// The heap without some of the cells that no variable reaches, in all ways that leave no link to a missing
/// cell, and whether an allocated cell is among them. A graph stands for a heap if it stands for one of these.
fn without_garbage(heap: &Heap) -> Vec<(Heap, bool)> {
    let used = used(heap);
    let count = heap.links.len();
    let keeps = |set: usize, p: Ptr| !matches!(p, Ptr::Cell(c) if set >> c & 1 == 0);
    let whole = |set: &usize| {
        (0..count).all(|c| {
            let kept = set >> c & 1 == 1;
            (kept || !used[c]) && (!kept || heap.links[c].iter().all(|&p| keeps(*set, p)))
        })
    };
    let pick = |set: usize| {
        let cells: Vec<usize> = (0..count).filter(|c| set >> c & 1 == 1).collect();
        let moved = |p: Ptr| match p {
            Ptr::Cell(c) => Ptr::Cell(cells.iter().position(|&k| k == c).expect("kept")),
            other => other,
        };
        Heap {
            vars: heap.vars.iter().map(|&p| moved(p)).collect(),
            links: cells.iter().map(|&c| heap.links[c].map(moved)).collect(),
            datum: cells.iter().map(|&c| heap.datum[c]).collect(),
            live: cells.iter().map(|&c| heap.live[c]).collect(),
            value: heap.value,
        }
    };
    let loses = |set: usize| (0..count).any(|c| set >> c & 1 == 0 && heap.live[c]);
    (0..1usize << count).filter(whole).map(|set| (pick(set), loses(set))).collect()
}

/// Number of cells whose link is the cell.
fn entering(heap: &Heap, link: usize, cell: usize) -> usize {
    heap.links.iter().filter(|e| e[link] == Ptr::Cell(cell)).count()
}

/// The graph of the heap, exact, before blurring.
fn graph_of(class: &Class, kind: StructId, t: VarId, heap: &Heap) -> Graph {
    let mut graph = Graph::empty(class);
    graph.null = 0;
    for (x, p) in heap.vars.iter().enumerate() {
        graph.null |= u64::from(*p == Ptr::Null) << x;
        graph.wild |= u64::from(*p == Ptr::Wild) << x;
    }
    for c in 0..heap.links.len() {
        let mut truths = Truths { can: 0, cannot: class.all() };
        let mut set = |p: usize, v: bool| truths.set(p, Kleene::from(v));
        set(class.live(), heap.live[c]);
        for x in 0..VARS {
            set(class.points(x), heap.vars[x] == Ptr::Cell(c));
            if class.level >= 1 {
                for l in 0..class.links.len() {
                    set(class.reached(x, l), follow(heap, l, heap.vars[x]).contains(&c));
                }
            }
        }
        for (i, test) in class.tests.iter().enumerate() {
            set(class.test(i), Range::one(heap.datum[c]).within(test.1));
        }
        for l in 0..class.links.len() {
            if class.level >= 1 {
                set(class.cyclic(l), follow(heap, l, heap.links[c][l]).contains(&c));
            }
            if class.level >= 2 {
                set(class.shared(l), entering(heap, l, c) > 1);
            }
        }
        if class.level >= 3 {
            set(class.crowded(), entering(heap, 0, c) + entering(heap, 1, c) > 1);
            set(class.entered(), entering(heap, 0, c) + entering(heap, 1, c) > 0);
        }
        if class.level >= 2 {
            for (p, &(there, back)) in class.pairs.iter().enumerate() {
                let target = heap.links[c][there];
                set(class.inverse(p), !matches!(target, Ptr::Cell(w) if heap.links[w][back] != Ptr::Cell(c)));
            }
        }
        graph.nodes.push(Node { of: kind, truths, summary: false });
        for l in 0..class.fields.len() {
            graph.edges.push(match heap.links[c][l] {
                Ptr::Null => Edge { null: true, ..Edge::default() },
                Ptr::Wild => Edge { wild: true, ..Edge::default() },
                Ptr::Cell(w) => Edge { can: 1 << w, must: 1 << w, null: false, wild: false },
            });
        }
    }
    let tested = class.tests.iter().map(|t| t.1).collect::<Vec<_>>();
    if let Some(v) = heap.value {
        let hit = tested.iter().find(|range| Range::one(v).within(**range)).copied();
        let known = hit.map_or(Known::Not(tested), Known::Is);
        graph.set_value(t, Some(known));
    }
    graph
}

fn random_heap(rng: &mut Rng, pointers: usize) -> Heap {
    let cells = rng.below(6);
    let pointer = |rng: &mut Rng, acyclic_above: usize| match rng.below(5) {
        0 => Ptr::Null,
        1 if rng.below(3) == 0 => Ptr::Wild,
        _ if cells > acyclic_above => Ptr::Cell(acyclic_above + rng.below(cells - acyclic_above)),
        _ => Ptr::Null,
    };
    let acyclic = rng.below(2) == 0;
    let mut links: Vec<[Ptr; 2]> =
        (0..cells).map(|c| [0, 1].map(|_| pointer(rng, if acyclic { c + 1 } else { 0 }))).collect();
    if rng.below(3) == 0 {
        // Doubly linked as far as the first link goes.
        for c in 0..cells {
            if let Ptr::Cell(w) = links[c][0] {
                links[w][1] = Ptr::Cell(c);
            }
        }
    }
    if pointers == 1 {
        links.iter_mut().for_each(|l| l[1] = Ptr::Null);
    }
    let vars = (0..VARS).map(|_| pointer(rng, 0)).collect();
    let datum = (0..cells).map(|_| rng.below(4) as i128).collect();
    let live = (0..cells).map(|_| rng.below(8) != 0).collect();
    Heap { vars, links, datum, live, value: None }
}

pub(super) enum Step {
    Assign(usize, Pointer),
    Load(usize, usize, usize),
    Store(usize, usize, Pointer),
    Alloc(usize, bool),
    Free(usize),
    Compare(usize, Pointer, bool),
    LoadData(usize),
    StoreData(usize, i128),
}

fn random_step(rng: &mut Rng, links: usize) -> Step {
    let var = |rng: &mut Rng| rng.below(VARS);
    let pointer = |rng: &mut Rng| match rng.below(4) {
        0 => Pointer::Null,
        1 if rng.below(4) == 0 => Pointer::Unknown,
        _ => Pointer::Var(rng.below(VARS)),
    };
    match rng.below(12) {
        0 | 1 => Step::Assign(var(rng), pointer(rng)),
        2 | 3 => Step::Load(var(rng), var(rng), rng.below(links)),
        4..=6 => Step::Store(var(rng), rng.below(links), pointer(rng)),
        7 => Step::Alloc(var(rng), rng.below(2) == 0),
        8 => Step::Free(var(rng)),
        9 => Step::Compare(var(rng), pointer(rng), rng.below(2) == 0),
        10 => Step::LoadData(var(rng)),
        _ => Step::StoreData(var(rng), rng.below(4) as i128),
    }
}

/// The heap after the step; `None` if it fails or is filtered out. Wild values become what `rng` says when used.
/// Where leaks count, `free` clears the fields: nobody looks at them, and they keep nothing.
pub(super) fn run(heap: &Heap, step: &Step, leaks: bool) -> Result<Option<Heap>, ()> {
    let mut h = heap.clone();
    let value = |h: &Heap, p: Pointer| match p {
        Pointer::Null => Ptr::Null,
        Pointer::Unknown => Ptr::Wild,
        Pointer::Var(y) => h.vars[y],
    };
    let cell = |h: &Heap, y: usize| match h.vars[y] {
        Ptr::Cell(c) if h.live[c] => Ok(c),
        _ => Err(()),
    };
    match *step {
        Step::Assign(x, p) => h.vars[x] = value(&h, p),
        Step::Load(x, y, l) => h.vars[x] = h.links[cell(&h, y)?][l],
        Step::Store(x, l, p) => {
            let c = cell(&h, x)?;
            h.links[c][l] = value(&h, p);
        }
        Step::Alloc(x, zeroed) => {
            h.links.push([if zeroed { Ptr::Null } else { Ptr::Wild }; 2]);
            h.datum.push(if zeroed { 0 } else { 3 });
            h.live.push(true);
            h.vars[x] = Ptr::Cell(h.links.len() - 1);
        }
        Step::Free(x) => {
            if h.vars[x] != Ptr::Null {
                let c = cell(&h, x)?;
                h.live[c] = false;
                if leaks {
                    h.links[c] = [Ptr::Null; 2];
                }
            }
        }
        Step::Compare(x, p, equal) => {
            let (a, b) = (h.vars[x], value(&h, p));
            if a != Ptr::Wild && b != Ptr::Wild && (a == b) != equal {
                return Ok(None);
            }
            if equal && (a == Ptr::Wild) != (b == Ptr::Wild) {
                if a == Ptr::Wild {
                    h.vars[x] = b;
                } else if let Pointer::Var(y) = p {
                    h.vars[y] = a;
                }
            }
        }
        Step::LoadData(x) => h.value = Some(h.datum[cell(&h, x)?]),
        Step::StoreData(x, v) => {
            let c = cell(&h, x)?;
            h.datum[c] = v;
        }
    }
    Ok(Some(h))
}

pub(super) fn abstract_run(
    class: &Class,
    fields: [FieldId; 3],
    t: VarId,
    graph: &Graph,
    step: &Step,
) -> transfer::Outcome {
    match *step {
        Step::Assign(x, p) => transfer::assign(class, graph, x, p),
        Step::Load(x, y, l) => transfer::load(class, graph, Some(x), y, l),
        Step::Store(x, l, p) => store::store(class, graph, x, l, p),
        Step::Alloc(x, zeroed) => transfer::alloc(class, graph, Some(x), StructId(0), zeroed),
        Step::Free(x) => transfer::free(class, graph, x),
        Step::Compare(x, p, equal) => transfer::compare(class, graph, x, p, equal),
        Step::LoadData(x) => transfer::load_data(class, graph, t, x, fields[2]),
        Step::StoreData(x, v) => {
            transfer::store_data(class, graph, x, fields[2], Some(&Known::Is(Range::one(v))))
        }
    }
}

/// The heap as a graph whose nodes are its cells.
pub(super) fn exact(class: &Class, kind: StructId, t: VarId, heap: &Heap) -> Graph {
    let mut graph = graph_of(class, kind, t, heap);
    let before = graph.clone();
    assert!(coerce(class, &mut graph), "a concrete heap contradicts the constraints: {heap:?}");
    assert_eq!(graph, before, "a concrete heap is changed by the constraints");
    graph
}

/// Embedding as the definition has it: some map of the cells onto the nodes.
pub(super) fn stands_for(class: &Class, graph: &Graph, heap: &Graph) -> bool {
    heap.null & !graph.null == 0
        && heap.wild & !graph.wild == 0
        && values_fit(graph, heap)
        && place(class, graph, heap, &mut Vec::new())
}

fn values_fit(graph: &Graph, heap: &Graph) -> bool {
    graph.values.iter().all(|(v, known)| heap.value(*v).is_some_and(|k| super::graph::implied(known, k)))
}

fn place(class: &Class, graph: &Graph, heap: &Graph, map: &mut Vec<usize>) -> bool {
    let cell = map.len();
    if cell == heap.nodes.len() {
        let onto = (0..graph.nodes.len()).all(|n| map.contains(&n));
        return onto && edges_fit(class, graph, heap, map);
    }
    (0..graph.nodes.len()).any(|n| {
        let free = graph.nodes[n].summary || !map.contains(&n);
        let fits =
            graph.nodes[n].of == heap.nodes[cell].of && graph.nodes[n].truths.covers(heap.nodes[cell].truths);
        free && fits && {
            map.push(n);
            let found = place(class, graph, heap, map);
            map.pop();
            found
        }
    })
}

fn edges_fit(class: &Class, graph: &Graph, heap: &Graph, map: &[usize]) -> bool {
    (0..heap.nodes.len()).all(|cell| {
        (0..class.fields.len()).all(|field| {
            let (mine, its) = (heap.edge(class, cell, field), graph.edge(class, map[cell], field));
            let target = (mine.must != 0).then(|| 1u64 << map[mine.must.trailing_zeros() as usize]);
            (!mine.null || its.null)
                && (!mine.wild || its.wild)
                && target.is_none_or(|t| its.can & t == t)
                && (its.must == 0 || target == Some(its.must))
        })
    })
}

pub(super) fn contains(class: &Class, kind: StructId, t: VarId, region: &Region, heap: &Heap) -> bool {
    let exacts: Vec<(Graph, bool)> =
        without_garbage(heap).iter().map(|(h, loses)| (exact(class, kind, t, h), *loses)).collect();
    let noted = |g: &Graph, loses: bool| !class.leaks || g.leaked || !loses;
    region
        .graphs()
        .iter()
        .any(|g| exacts.iter().any(|(h, loses)| noted(g, *loses) && stands_for(class, g, h)))
}

#[test]
fn images_contain_the_successors() {
    // With one link only, the cells of a kind must hang on something.
    let programs = [1, 2].map(program_with);
    let mut rng = Rng::new(11);
    let mut steps = 0;
    for _ in 0..2500 {
        let pointers = 1 + rng.below(2);
        let (program, kind, fields, t) = &programs[pointers - 1];
        let (kind, fields, t) = (*kind, *fields, *t);
        let level = rng.below(5) as u8;
        let vars: Vec<VarId> = (0..VARS as u32).map(VarId).collect();
        let separating: Vec<VarId> = vars.iter().copied().filter(|_| rng.below(2) == 0).collect();
        let all = [Range::up_to(0), Range::one(1), Range::one(2)];
        let tests = all.into_iter().filter(|_| rng.below(2) == 0).map(|range| (fields[2], range)).collect();
        let class = Class::new(program, level, vars, &separating, tests).expect("small");
        let class = Class { leaks: rng.below(2) == 0, ..class };
        let mut heap = random_heap(&mut rng, pointers);
        let mut region = Region::none();
        region.insert(&class, exact(&class, kind, t, &heap));
        assert!(contains(&class, kind, t, &region, &heap), "abstraction loses {heap:?}");
        if rng.below(10) == 0 {
            region = Region::top(&class);
        }
        for _ in 0..5 {
            let step = random_step(&mut rng, pointers);
            let mut image = Region::none();
            let mut fails = false;
            for graph in region.graphs() {
                let effect = abstract_run(&class, fields, t, graph, &step).expect("small graphs");
                fails |= effect.fails.any();
                effect.after.into_iter().for_each(|g| image.insert(&class, g));
            }
            match run(&heap, &step, class.leaks) {
                Err(()) => {
                    assert!(fails, "a failing step is missed: {heap:?}");
                    break;
                }
                Ok(None) => break,
                Ok(Some(next)) => {
                    assert!(
                        contains(&class, kind, t, &image, &next),
                        "level {level}\n{heap:?}\n{next:?}\n{image:?}"
                    );
                    heap = next;
                    region = image;
                    steps += 1;
                }
            }
        }
    }
    assert!(steps > 2000, "{steps} steps are too few to say anything");
}

#[test]
fn a_richer_class_keeps_every_heap() {
    let (program, kind, fields, t) = program();
    let mut rng = Rng::new(5);
    for _ in 0..400 {
        let vars: Vec<VarId> = (0..VARS as u32).map(VarId).collect();
        let fewer = vec![vars[rng.below(3)]];
        let (low, high) = (rng.below(2) as u8, 1 + rng.below(3) as u8);
        let small = Class::new(&program, low, fewer.clone(), &fewer, Vec::new()).expect("small");
        let large =
            Class::new(&program, high, vars.clone(), &vars, vec![(fields[2], Range::one(1))]).expect("small");
        let heap = random_heap(&mut rng, 2);
        // In the small class the heap is what its one pointer reaches.
        let all = Class::new(&program, low, vars.clone(), &vars, Vec::new()).expect("small");
        let mut whole = Region::none();
        whole.insert(&all, graph_of(&all, kind, t, &heap));
        let region = whole.seen_in(&all, &small);
        let wide = region.convert(&small, &large);
        assert!(contains(&large, kind, t, &wide, &heap), "{heap:?}\n{wide:#?}");
    }
}
