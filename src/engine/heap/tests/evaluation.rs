//! Atoms evaluated in bit rows by their definitions, against the predicates' meaning on explicit heaps.

use super::oracle::Space;
use crate::engine::heap::structure::{Reach, Structure};
use crate::engine::heap::{Const, Field, Heap, Matrix, Order, State, Unary, constant};

/// The structure of an explicit heap; points are cells.
pub(super) fn structure_of(heap: &Heap) -> Structure {
    let size = heap.size();
    let levels = vec![heap.data.clone()];
    let below = vec![Default::default()];
    let mut structure = Structure { size, levels, below, ..Structure::default() };
    for f in 0..heap.next.len() {
        let mut reach = Reach { proper: true, ..Reach::default() };
        reach.rows.reset(size);
        for (a, b) in (0..size).flat_map(|a| (0..size).map(move |b| (a, b))) {
            if heap.reaches(Field(f as u8), a, b) {
                reach.rows.set(a, b);
            }
        }
        reach.cols.transpose_of(&reach.rows);
        structure.reach.push(reach);
    }
    structure.order_by_level(0);
    for set in std::iter::once(&heap.alloc).chain(&heap.colours) {
        let bits = (0..size).map(|a| u64::from(set[a]) << a).sum();
        structure.sets.push(vec![bits]);
    }
    structure
}

fn state_of(heap: &Heap) -> State {
    State {
        slots: heap.slots.iter().map(|slot| slot.map(|cell| Const(cell as u32))).collect(),
        fields: (0..heap.next.len()).map(|f| Matrix(f as u32)).collect(),
        integers: u16::MAX,
        order: Order::BASE,
        colours: (1..=heap.colours.len() as u32).map(Unary).collect(),
        alloc: Unary(0),
        guard: constant(true),
    }
}

fn check(space: Space) -> usize {
    let preds = space.predicates();
    let heaps = space.heaps();
    for heap in &heaps {
        assert!(heap.is_acyclic());
        let (structure, state) = (structure_of(heap), state_of(heap));
        for &pred in &preds {
            let atom = state.atom(pred);
            assert_eq!(structure.eval(&atom), heap.eval(pred), "{pred:?} on {heap:?}");
        }
        assert_eq!(Heap::of_structure(&structure, &state), *heap);
    }
    heaps.len()
}

#[test]
fn one_field_four_cells() {
    let space = Space { cells: 4, fields: 1, variables: 2, data: 0, colours: 0, alloc: false };
    assert_eq!(check(space), 1 + 4 + 3 * 9 + 16 * 16 + 125 * 25);
}

#[test]
fn one_field_with_data_colours_and_allocation() {
    check(Space { cells: 3, fields: 1, variables: 2, data: 3, colours: 0, alloc: false });
    check(Space { cells: 3, fields: 1, variables: 1, data: 0, colours: 1, alloc: true });
}

#[test]
fn two_fields() {
    check(Space { cells: 3, fields: 2, variables: 2, data: 0, colours: 0, alloc: false });
}
