//! Every transformer against concrete heaps with two kinds of cells, a list of lists: the successor of a heap that
//! a region contains lies in the region's image. The definitions of the predicates are written down here
//! once more, for heaps of any kinds.

use super::class::Class;
use super::coerce::coerce;
use super::graph::{Edge, Graph, Known, Node};
use super::range::Range;
use super::region::Region;
use super::store;
use super::tests::{Ptr, stands_for};
use super::transfer::{self, Pointer};
use super::truths::{Kleene, Truths};
use crate::program::{Field, FieldId, IntKind, Program, StructId, Type, Var, VarId, VarKind};
use crate::util::rng::Rng;
use crate::util::span::Span;

#[derive(Clone, Debug)]
struct Cell {
    kind: StructId,
    /// By position in the class; null where the kind has no such field.
    fields: Vec<Ptr>,
    datum: i128,
    live: bool,
}

#[derive(Clone, Debug)]
struct Heap {
    vars: Vec<Ptr>,
    cells: Vec<Cell>,
    value: Option<i128>,
}

struct World {
    program: Program,
    data: FieldId,
    value: VarId,
}

/// `struct item { item *n; int h; }`, `struct list { list *next; item *items; }`, two pointers to each; with
/// `both`, items point to their list as well.
fn world(both: bool) -> World {
    let mut program = Program::new("lists of lists");
    let (list, item) = (program.add_struct("list"), program.add_struct("item"));
    let int = Type::Int(IntKind::INT);
    let mut field =
        |name: &str, owner, ty| program.add_field(Field { name: name.to_owned(), owner, ty, ghost: false });
    field("next", list, Type::Ptr(list));
    field("items", list, Type::Ptr(item));
    field("n", item, Type::Ptr(item));
    if both {
        field("owner", item, Type::Ptr(list));
    }
    let data = field("h", item, int);
    let vars =
        [("a", Type::Ptr(list)), ("b", Type::Ptr(list)), ("p", Type::Ptr(item)), ("q", Type::Ptr(item))];
    let mut var = |name: &str, ty| {
        let (name, kind, span) = (name.to_owned(), VarKind::Local, Span::default());
        program.add_var(Var { name, ty, kind, len: None, span })
    };
    vars.into_iter().for_each(|(name, ty)| {
        var(name, ty);
    });
    let value = var("t", int);
    World { program, data, value }
}

const VARS: usize = 4;

/// The cells on the path from a pointer along a link, those of the link's own kind.
fn follow(class: &Class, heap: &Heap, field: usize, from: Ptr) -> Vec<usize> {
    let mut path = Vec::new();
    let mut at = from;
    while let Ptr::Cell(c) = at {
        if path.contains(&c) || heap.cells[c].kind != class.owners[field] {
            break;
        }
        path.push(c);
        at = heap.cells[c].fields[field];
    }
    path
}

fn entering(heap: &Heap, fields: &[usize], cell: usize) -> usize {
    let into = |c: &Cell| fields.iter().filter(|&&f| c.fields[f] == Ptr::Cell(cell)).count();
    heap.cells.iter().map(into).sum()
}

/// The heap as a graph; tests of fields that a kind does not have are as given.
fn graph_of(class: &Class, value: VarId, heap: &Heap, absent: Truths) -> Graph {
    let mut graph = Graph::empty(class);
    graph.null = 0;
    for (x, p) in heap.vars.iter().enumerate() {
        graph.null |= u64::from(*p == Ptr::Null) << x;
        graph.wild |= u64::from(*p == Ptr::Wild) << x;
    }
    let all: Vec<usize> = (0..class.fields.len()).collect();
    for (c, cell) in heap.cells.iter().enumerate() {
        let mut truths = Truths { can: 0, cannot: class.all() };
        let mut set = |p: usize, v: bool| truths.set(p, Kleene::from(v));
        set(class.live(), cell.live);
        for x in 0..VARS {
            set(class.points(x), heap.vars[x] == Ptr::Cell(c));
            for (l, &f) in class.links.iter().enumerate().filter(|_| class.level >= 1) {
                set(class.reached(x, l), follow(class, heap, f, heap.vars[x]).contains(&c));
            }
        }
        for (l, &f) in class.links.iter().enumerate() {
            if class.level >= 1 {
                let own = cell.kind == class.owners[f];
                set(class.cyclic(l), own && follow(class, heap, f, cell.fields[f]).contains(&c));
            }
            if class.level >= 2 {
                set(class.shared(l), entering(heap, &[f], c) > 1);
            }
        }
        if class.level >= 3 {
            set(class.crowded(), entering(heap, &all, c) > 1);
            set(class.entered(), entering(heap, &all, c) > 0);
        }
        assert!(class.pairs.is_empty(), "no kind has two links here");
        for (i, test) in class.tests.iter().enumerate() {
            let bit = 1u128 << class.test(i);
            if cell.kind == StructId(1) {
                truths.set(class.test(i), Kleene::from(Range::one(cell.datum).within(test.1)));
            } else {
                truths.can = truths.can & !bit | absent.can & bit;
                truths.cannot = truths.cannot & !bit | absent.cannot & bit;
            }
        }
        graph.nodes.push(Node { of: cell.kind, truths, summary: false });
        for f in 0..class.fields.len() {
            graph.edges.push(match cell.fields[f] {
                _ if class.owners[f] != cell.kind => Edge::default(),
                Ptr::Null => Edge { null: true, ..Edge::default() },
                Ptr::Wild => Edge { wild: true, ..Edge::default() },
                Ptr::Cell(w) => Edge { can: 1 << w, must: 1 << w, null: false, wild: false },
            });
        }
    }
    let tested: Vec<Range> = class.tests.iter().map(|t| t.1).collect();
    if let Some(v) = heap.value {
        let hit = tested.iter().find(|range| Range::one(v).within(**range)).copied();
        let known = hit.map_or(Known::Not(tested), Known::Is);
        graph.set_value(value, Some(known));
    }
    graph
}

/// The heap without some cells that no variable reaches, and whether an allocated one is among them.
fn without_garbage(heap: &Heap) -> Vec<(Heap, bool)> {
    let count = heap.cells.len();
    let mut used = vec![false; count];
    let mut open = heap.vars.clone();
    while let Some(p) = open.pop() {
        if let Ptr::Cell(c) = p
            && !std::mem::replace(&mut used[c], true)
        {
            open.extend(&heap.cells[c].fields);
        }
    }
    let kept = |set: usize, p: Ptr| !matches!(p, Ptr::Cell(c) if set >> c & 1 == 0);
    let closed = |&set: &usize| {
        (0..count).all(|c| {
            if set >> c & 1 == 1 { heap.cells[c].fields.iter().all(|&p| kept(set, p)) } else { !used[c] }
        })
    };
    let pick = |set: usize| {
        let cells: Vec<usize> = (0..count).filter(|c| set >> c & 1 == 1).collect();
        let moved = |p: &Ptr| match *p {
            Ptr::Cell(c) => Ptr::Cell(cells.iter().position(|&k| k == c).expect("kept")),
            other => other,
        };
        let cell = |&c: &usize| {
            let fields = heap.cells[c].fields.iter().map(moved).collect();
            Cell { fields, ..heap.cells[c].clone() }
        };
        let vars = heap.vars.iter().map(moved).collect();
        let picked = Heap { vars, cells: cells.iter().map(cell).collect(), value: heap.value };
        (picked, (0..count).any(|c| set >> c & 1 == 0 && heap.cells[c].live))
    };
    (0..1usize << count).filter(closed).map(pick).collect()
}

const NEITHER: Truths = Truths { can: 0, cannot: 0 };
const EITHER: Truths = Truths { can: u128::MAX, cannot: u128::MAX };

fn contains(class: &Class, value: VarId, region: &Region, heap: &Heap) -> bool {
    without_garbage(heap).iter().any(|(h, loses)| {
        let whole = graph_of(class, value, h, EITHER);
        let mut sharpened = whole.clone();
        assert!(coerce(class, &mut sharpened), "a concrete heap contradicts the constraints: {h:?}");
        let exact = graph_of(class, value, h, NEITHER);
        let noted = |g: &&Graph| !class.leaks || g.leaked || !loses;
        region.graphs().iter().filter(noted).any(|g| stands_for(class, g, &exact))
    })
}

fn kind_of(class: &Class, x: usize) -> StructId {
    class.pointees[x]
}

fn random_heap(rng: &mut Rng, class: &Class) -> Heap {
    let kinds: Vec<StructId> = (0..rng.below(6)).map(|_| StructId(rng.below(2) as u32)).collect();
    let acyclic = rng.below(3) > 0;
    let pointer = |rng: &mut Rng, to: StructId, above: usize| {
        let there: Vec<usize> = (above..kinds.len()).filter(|&c| kinds[c] == to).collect();
        match rng.below(5) {
            0 => Ptr::Null,
            1 if rng.below(4) == 0 => Ptr::Wild,
            _ if there.is_empty() => Ptr::Null,
            _ => Ptr::Cell(there[rng.below(there.len())]),
        }
    };
    let mut cells = Vec::new();
    for (c, &kind) in kinds.iter().enumerate() {
        let mut fields = vec![Ptr::Null; class.fields.len()];
        for (f, slot) in fields.iter_mut().enumerate().filter(|(f, _)| class.owners[*f] == kind) {
            let same = class.targets[f] == kind;
            *slot = pointer(rng, class.targets[f], if acyclic && same { c + 1 } else { 0 });
        }
        cells.push(Cell { kind, fields, datum: rng.below(4) as i128, live: rng.below(8) != 0 });
    }
    let vars = (0..VARS).map(|x| pointer(rng, kind_of(class, x), 0)).collect();
    Heap { vars, cells, value: None }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Assign(usize, Option<usize>),
    Load(usize, usize, usize),
    Store(usize, usize, Option<usize>),
    Alloc(usize, bool),
    Free(usize),
    Compare(usize, Option<usize>, bool),
    LoadData(usize),
    StoreData(usize, i128),
}

/// `None` is null; every pointer of the kind otherwise.
fn random_step(rng: &mut Rng, class: &Class) -> Step {
    let of = |rng: &mut Rng, kind: StructId| {
        let all: Vec<usize> = (0..VARS).filter(|&x| kind_of(class, x) == kind).collect();
        all[rng.below(all.len())]
    };
    let value = |rng: &mut Rng, kind| (rng.below(4) > 0).then(|| of(rng, kind));
    let x = rng.below(VARS);
    let f = rng.below(class.fields.len());
    match rng.below(12) {
        0 | 1 => Step::Assign(x, value(rng, kind_of(class, x))),
        2..=4 => Step::Load(of(rng, class.targets[f]), of(rng, class.owners[f]), f),
        5..=7 => Step::Store(of(rng, class.owners[f]), f, value(rng, class.targets[f])),
        8 => Step::Alloc(x, rng.below(2) == 0),
        9 if rng.below(2) == 0 => Step::Free(x),
        9 => Step::Compare(x, value(rng, kind_of(class, x)), rng.below(2) == 0),
        10 => Step::LoadData(of(rng, StructId(1))),
        _ => Step::StoreData(of(rng, StructId(1)), rng.below(4) as i128),
    }
}

/// The heap after the step; `Err` if it fails, `None` if it is filtered out.
fn run(class: &Class, heap: &Heap, step: Step) -> Result<Option<Heap>, ()> {
    let mut h = heap.clone();
    let value = |p: Option<usize>| p.map_or(Ptr::Null, |y| heap.vars[y]);
    let cell = |y: usize| match heap.vars[y] {
        Ptr::Cell(c) if heap.cells[c].live => Ok(c),
        _ => Err(()),
    };
    match step {
        Step::Assign(x, p) => h.vars[x] = value(p),
        Step::Load(x, y, f) => h.vars[x] = heap.cells[cell(y)?].fields[f],
        Step::Store(x, f, p) => h.cells[cell(x)?].fields[f] = value(p),
        Step::Alloc(x, zeroed) => {
            let kind = kind_of(class, x);
            let fresh = |f: usize| if zeroed || class.owners[f] != kind { Ptr::Null } else { Ptr::Wild };
            let fields = (0..class.fields.len()).map(fresh).collect();
            h.vars[x] = Ptr::Cell(h.cells.len());
            h.cells.push(Cell { kind, fields, datum: if zeroed { 0 } else { 3 }, live: true });
        }
        Step::Free(x) => {
            if heap.vars[x] != Ptr::Null {
                let freed = &mut h.cells[cell(x)?];
                freed.live = false;
                // Where leaks count, `free` clears the fields: nobody looks at them, and they keep nothing.
                if class.leaks {
                    freed.fields.fill(Ptr::Null);
                }
            }
        }
        Step::Compare(x, p, equal) => {
            let (a, b) = (heap.vars[x], value(p));
            if a != Ptr::Wild && b != Ptr::Wild && (a == b) != equal {
                return Ok(None);
            }
            if equal && (a == Ptr::Wild) != (b == Ptr::Wild) {
                if a == Ptr::Wild {
                    h.vars[x] = b;
                } else if let Some(y) = p {
                    h.vars[y] = a;
                }
            }
        }
        Step::LoadData(x) => h.value = Some(heap.cells[cell(x)?].datum),
        Step::StoreData(x, v) => h.cells[cell(x)?].datum = v,
    }
    Ok(Some(h))
}

fn image(world: &World, class: &Class, graph: &Graph, step: Step) -> transfer::Outcome {
    let pointer = |p: Option<usize>| p.map_or(Pointer::Null, Pointer::Var);
    match step {
        Step::Assign(x, p) => transfer::assign(class, graph, x, pointer(p)),
        Step::Load(x, y, f) => transfer::load(class, graph, Some(x), y, f),
        Step::Store(x, f, p) => store::store(class, graph, x, f, pointer(p)),
        Step::Alloc(x, zeroed) => transfer::alloc(class, graph, Some(x), kind_of(class, x), zeroed),
        Step::Free(x) => transfer::free(class, graph, x),
        Step::Compare(x, p, equal) => transfer::compare(class, graph, x, pointer(p), equal),
        Step::LoadData(x) => transfer::load_data(class, graph, world.value, x, world.data),
        Step::StoreData(x, v) => {
            transfer::store_data(class, graph, x, world.data, Some(&Known::Is(Range::one(v))))
        }
    }
}

#[test]
fn images_contain_the_successors_with_two_kinds() {
    let worlds = [world(false), world(true)];
    let mut rng = Rng::new(23);
    let (mut steps, mut failed) = (0, 0);
    for _ in 0..2500 {
        let world = &worlds[usize::from(rng.below(3) == 0)];
        let level = rng.below(5) as u8;
        let vars: Vec<VarId> = (0..VARS as u32).map(VarId).collect();
        let separating: Vec<VarId> = vars.iter().copied().filter(|_| rng.below(2) == 0).collect();
        let all = [Range::up_to(0), Range::one(1), Range::one(2)];
        let tests = all.into_iter().filter(|_| rng.below(2) == 0).map(|range| (world.data, range)).collect();
        let class = Class::new(&world.program, level, vars, &separating, tests).expect("small");
        let class = Class { leaks: rng.below(2) == 0, ..class };
        let mut heap = random_heap(&mut rng, &class);
        let mut region = Region::none();
        region.insert(&class, graph_of(&class, world.value, &heap, EITHER));
        assert!(contains(&class, world.value, &region, &heap), "abstraction loses {heap:?}");
        if rng.below(10) == 0 {
            region = Region::top(&class);
            assert!(contains(&class, world.value, &region, &heap), "not everything: {heap:?}");
        }
        for _ in 0..6 {
            let step = random_step(&mut rng, &class);
            let mut after = Region::none();
            let mut fails = false;
            for graph in region.graphs() {
                let effect = image(world, &class, graph, step).expect("small graphs");
                fails |= effect.fails.any();
                effect.after.into_iter().for_each(|g| after.insert(&class, g));
            }
            match run(&class, &heap, step) {
                Err(()) => {
                    assert!(fails, "a failing step is missed: {step:?}\n{heap:?}");
                    failed += 1;
                    break;
                }
                Ok(None) => break,
                Ok(Some(next)) => {
                    let found = contains(&class, world.value, &after, &next);
                    assert!(found, "level {level} {step:?}\n{heap:?}\n{next:?}\n{after:?}");
                    (heap, region) = (next, after);
                    steps += 1;
                }
            }
        }
    }
    assert!(steps > 3000 && failed > 300, "{steps} steps, {failed} failing, are too few to say anything");
}
