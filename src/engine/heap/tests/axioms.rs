//! The search for violated axioms in bit rows, against the rule table taken literally.

use super::oracle::Space;
use crate::engine::heap::schema::{Violated, schemas, violated};
use crate::engine::heap::structure::{Reach, Structure};
use crate::util::rng::Rng;

/// A random structure with the conventions of `refine`: reflexive, null reached by all, one row for null.
fn random(rng: &mut Rng, size: usize, fields: usize) -> Structure {
    let mut structure = Structure { size, ..Structure::default() };
    for f in 0..fields {
        let mut reach = Reach::default();
        reach.rows.reset(size);
        for a in 0..size {
            reach.rows.set(a, a);
            reach.rows.set(a, 0);
            for b in 0..size {
                if if a == 0 { rng.one_in(6) } else { rng.one_in(3) } {
                    reach.rows.set(a, b);
                }
            }
        }
        if f > 0 {
            reach.rows.row_mut(0).copy_from_slice(structure.reach[0].rows.row(0));
        }
        reach.cols.transpose_of(&reach.rows);
        structure.reach.push(reach);
    }
    structure
}

fn by_table(structure: &Structure, fields: usize) -> Vec<(usize, String, [usize; 3])> {
    let mut all = Vec::new();
    let n = structure.size;
    for (field, schema) in (0..fields).flat_map(|f| schemas().iter().map(move |s| (f, s))) {
        for code in 0..n * n * n {
            let binding = [code / n / n, code / n % n, code % n];
            if !schema.holds(structure, field, &binding) {
                all.push((field, schema.rule.clone(), binding));
            }
        }
    }
    all
}

#[test]
fn the_fast_path_agrees_with_the_table() {
    let mut rng = Rng::new(11);
    let (mut clean, mut dirty) = (0, 0);
    for round in 0..3000 {
        let (size, fields) = (2 + round % 4, 1 + round % 2);
        let structure = random(&mut rng, size, fields);
        let mut fast = Vec::new();
        violated(&structure, fields, usize::MAX / 2, &mut fast);
        let slow = by_table(&structure, fields);
        assert_eq!(fast.is_empty(), slow.is_empty(), "{structure:?} {slow:?}");
        for Violated { field, rule, binding } in fast {
            let broken = |s: &&_| !crate::engine::heap::schema::Schema::holds(s, &structure, field, &binding);
            let own = schemas().iter().filter(|s| s.rule == rule);
            assert!(own.clone().any(|s| broken(&s)), "{rule} {binding:?} in {structure:?}");
        }
        *if slow.is_empty() { &mut clean } else { &mut dirty } += 1;
    }
    assert!(clean > 50 && dirty > 50, "{clean} {dirty}");
}

#[test]
fn heaps_satisfy_every_schema() {
    let space = Space { cells: 3, fields: 2, variables: 0, data: 0, colours: 0, alloc: false };
    for heap in space.heaps() {
        let structure = super::evaluation::structure_of(&heap);
        assert_eq!(by_table(&structure, 2), []);
    }
    assert!(schemas().iter().any(|s| s.rule == "linear" && s.conclusions.len() == 2));
}
