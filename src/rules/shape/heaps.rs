//! Heaps of several fields, and what the shapes are: definitions that know nothing of laws.
//!
//! A heap has cells and null, the last point, which every field leads to itself. Of each shape there are *candidates*:
//! for the shapes of one heap all heaps; for the shapes of a write all pairs of heaps of which the first is fit for the
//! write and the second, but for the father, comes from it. The definition tells which candidates are of the shape.

use super::{Fact, Law, Shape, Term};
use crate::util::rng::Rng;
use std::fmt;

/// Fields and constants on finitely many cells; null is the last point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heap {
    /// By field, the successor of every point.
    pub fields: Vec<Vec<usize>>,
    /// The constants.
    pub constants: Vec<usize>,
}

impl Heap {
    /// Null.
    #[must_use]
    pub fn null(&self) -> usize {
        self.fields[0].len() - 1
    }

    fn reaches(&self, field: usize, from: usize, to: usize) -> bool {
        let mut at = from;
        (0..self.fields[field].len()).any(|_| {
            let here = at == to;
            at = self.fields[field][at];
            here
        })
    }

    fn term(&self, term: &Term, binding: &[usize]) -> usize {
        match term {
            Term::Var(i) => binding[*i],
            Term::Constant(i) => self.constants[*i],
            Term::Null => self.null(),
            Term::Field(f, of) => self.fields[*f][self.term(of, binding)],
        }
    }

    fn holds(&self, fact: &Fact, binding: &[usize]) -> bool {
        let value = |t: &Term| self.term(t, binding);
        match fact {
            Fact::Reach(f, a, b) => self.reaches(*f, value(a), value(b)),
            Fact::Equal(a, b) => value(a) == value(b),
            Fact::Differ(a, b) => value(a) != value(b),
        }
    }

    /// Values of the variables at which a law is false.
    #[must_use]
    pub fn violation(&self, law: &Law) -> Option<Vec<usize>> {
        let points = self.null() + 1;
        let width = law.variables.len() as u32;
        let mut binding = vec![0; law.variables.len()];
        for code in 0..points.pow(width) {
            let mut rest = code;
            for value in &mut binding {
                *value = rest % points;
                rest /= points;
            }
            let applies = law.premises.iter().all(|fact| self.holds(fact, &binding));
            if applies && !law.alternatives.iter().any(|fact| self.holds(fact, &binding)) {
                return Some(binding);
            }
        }
        None
    }

    /// The heap with names, for people.
    #[must_use]
    pub fn text(&self, shape: &Shape) -> String {
        let point = |p: usize| if p == self.null() { "null".to_owned() } else { format!("c{p}") };
        let mut parts = Vec::new();
        for (name, field) in shape.fields.iter().zip(&self.fields) {
            parts.extend((0..self.null()).map(|c| format!("{name}(c{c}) = {}", point(field[c]))));
        }
        let constants = shape.constants.iter().zip(&self.constants);
        parts.extend(constants.map(|(name, &value)| format!("{name} = {}", point(value))));
        parts.join(", ")
    }
}

impl fmt::Display for Heap {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?} {:?}", self.fields, self.constants)
    }
}

/// The cells that lead to a cell, once per field.
fn fathers(fields: &[&[usize]], cell: usize) -> Vec<usize> {
    let cells = fields[0].len() - 1;
    (0..cells).flat_map(|c| fields.iter().filter(move |f| f[c] == cell).map(move |_| c)).collect()
}

fn is_acyclic(field: &[usize]) -> bool {
    let null = field.len() - 1;
    (0..null).all(|start| (0..null).fold(start, |at, _| field[at]) == null)
}

/// No cell has two fathers, no cell is below itself.
fn is_forest(fields: &[&[usize]]) -> bool {
    let cells = fields[0].len() - 1;
    let links = |c: usize| fields.iter().flat_map(|f| &f[..cells]).filter(|&&to| to == c).count();
    if (0..cells).any(|c| links(c) > 1) {
        return false;
    }
    is_acyclic(&father(fields))
}

/// The only father of each cell, else null.
fn father(fields: &[&[usize]]) -> Vec<usize> {
    let null = fields[0].len() - 1;
    let one = |c: usize| match fathers(fields, c)[..] {
        [father] if c != null => father,
        _ => null,
    };
    (0..=null).map(one).collect()
}

/// The candidates of a shape, and the definition.
struct Definition {
    /// Fields that are enumerated.
    free: &'static [usize],
    /// Fills in fields that follow from them; false if the heap is no candidate.
    complete: fn(&mut Heap) -> bool,
    is: Is,
}

/// Which candidates are of the shape.
enum Is {
    /// Those that pass the test; the second makes more heaps pass it.
    Tested(fn(&Heap) -> bool, fn(&mut Heap)),
    /// Those in which this field has these values. Laws speak of it at one cell each, so for larger heaps it is enough
    /// to try values that are wrong at one cell.
    Determined(usize, fn(&Heap) -> Vec<usize>),
}

/// Cells up to which all values of a determined field are tried.
const ALL_VALUES: usize = 2;

fn any(_: &mut Heap) -> bool {
    true
}

fn tree_write(heap: &mut Heap) -> bool {
    let (p, q) = (heap.constants[0], heap.constants[1]);
    heap.fields[2] = father(&[&heap.fields[0], &heap.fields[1]]);
    heap.fields[3] = heap.fields[0].clone();
    heap.fields[3][p] = q;
    p != heap.null()
        && is_forest(&[&heap.fields[0], &heap.fields[1]])
        && is_forest(&[&heap.fields[3], &heap.fields[1]])
}

/// Any heap whose father is one of the fathers, where there is one; no father but the one that is recorded, or a second
/// link of the same cell, gets lost by the write.
fn any_write(heap: &mut Heap) -> bool {
    let (p, q, null) = (heap.constants[0], heap.constants[1], heap.null());
    heap.fields[3] = heap.fields[0].clone();
    heap.fields[3][p] = q;
    let is_father = |f: usize, c: usize| heap.fields[0][f] == c || heap.fields[1][f] == c;
    let recorded = |c: usize| match heap.fields[2][c] {
        f if f == null => !(0..null).any(|f| is_father(f, c)),
        f => is_father(f, c),
    };
    let old = heap.fields[0][p];
    let alone = || old == null || heap.fields[2][old] != p || (0..null).all(|f| f == p || !is_father(f, old));
    p != null && (0..null).all(recorded) && alone()
}

fn block(heap: &mut Heap) -> bool {
    let [p, q, r, s] = heap.constants[..] else { return false };
    heap.fields[2] = father(&[&heap.fields[0], &heap.fields[1]]);
    heap.fields[3] = heap.fields[0].clone();
    heap.fields[3][p] = q;
    heap.fields[4] = heap.fields[1].clone();
    heap.fields[4][r] = s;
    p != heap.null()
        && r != heap.null()
        && is_forest(&[&heap.fields[0], &heap.fields[1]])
        && is_forest(&[&heap.fields[3], &heap.fields[4]])
}

fn after_guarded_write(heap: &Heap) -> Vec<usize> {
    let (p, q, null) = (heap.constants[0], heap.constants[1], heap.null());
    let father = |c: usize| {
        let known = heap.fields[2][c];
        let stays = fathers(&[&heap.fields[3], &heap.fields[1]], c).contains(&known);
        match (c == q, stays) {
            _ if c == null => null,
            (true, _) => p,
            (false, true) => known,
            (false, false) => null,
        }
    };
    (0..=null).map(father).collect()
}

fn definition(name: &str) -> Option<Definition> {
    let (free, complete, is): (&'static [usize], fn(&mut Heap) -> bool, Is) = match name {
        "forest" => (&[0], any, Is::Tested(|h| is_forest(&[&h.fields[0]]), |_| {})),
        "injective" => {
            (&[0], any, Is::Tested(|h| (0..h.null()).all(|c| fathers(&[&h.fields[0]], c).len() < 2), |_| {}))
        }
        "first" => (
            &[0],
            any,
            Is::Tested(
                |h| {
                    let r = h.constants[0];
                    r == h.null() || fathers(&[&h.fields[0]], r).is_empty()
                },
                |_| {},
            ),
        ),
        "back" => (
            &[0, 1],
            any,
            Is::Tested(
                |h| (0..h.null()).all(|c| h.fields[0][c] == h.null() || h.fields[1][h.fields[0][c]] == c),
                |h| {
                    let before = father(&[&h.fields[0]]);
                    let null = h.null();
                    let known = before.iter().enumerate().filter(|(_, f)| **f != null);
                    known.for_each(|(c, &f)| h.fields[1][c] = f);
                },
            ),
        ),
        "tree" => (
            &[0, 1, 2],
            any,
            Is::Tested(
                |h| {
                    let links = [h.fields[0].as_slice(), &h.fields[1]];
                    is_forest(&links) && h.fields[2] == father(&links)
                },
                |h| h.fields[2] = father(&[&h.fields[0], &h.fields[1]]),
            ),
        ),
        "doubly" => (
            &[0, 1],
            any,
            Is::Tested(
                |h| is_forest(&[&h.fields[0]]) && h.fields[1] == father(&[&h.fields[0]]),
                |h| h.fields[1] = father(&[&h.fields[0]]),
            ),
        ),
        "skip" => (
            &[0, 1],
            any,
            Is::Tested(
                |h| {
                    let later = |c: usize| h.reaches(0, h.fields[0][c], h.fields[1][c]);
                    is_acyclic(&h.fields[0]) && (0..h.null()).all(later)
                },
                |h| h.fields[1] = h.fields[0].iter().map(|&next| h.fields[0][next]).collect(),
            ),
        ),
        "father" => (&[0, 1], tree_write, Is::Determined(4, |h| father(&[&h.fields[3], &h.fields[1]]))),
        "guarded" => (&[0, 1, 2], any_write, Is::Determined(4, after_guarded_write)),
        "batch" => (&[0, 1], block, Is::Determined(5, |h| father(&[&h.fields[3], &h.fields[4]]))),
        _ => return None,
    };
    Some(Definition { free, complete, is })
}

/// Visits candidates of a shape with so many cells, and whether they are of the shape: all of them, or some at random.
/// False if nothing defines the shape.
pub(super) fn each(
    shape: &Shape,
    cells: usize,
    samples: Option<u64>,
    visit: &mut dyn FnMut(&Heap, bool),
) -> bool {
    let Some(definition) = definition(&shape.name) else { return false };
    let points = cells + 1;
    let mut heap = Heap {
        fields: vec![vec![cells; points]; shape.fields.len()],
        constants: vec![cells; shape.constants.len()],
    };
    let mut one = |value: &mut dyn FnMut() -> usize, filled: bool| {
        for &f in definition.free {
            (0..cells).for_each(|c| heap.fields[f][c] = value());
        }
        heap.constants.iter_mut().for_each(|constant| *constant = value());
        match definition.is {
            Is::Tested(is, fill) => {
                if filled {
                    fill(&mut heap);
                }
                visit(&heap, is(&heap));
            }
            Is::Determined(field, values) => {
                if (definition.complete)(&mut heap) {
                    let right = values(&heap);
                    each_value(&mut heap, field, &right, visit);
                }
            }
        }
    };
    match samples {
        None => {
            let digits = (definition.free.len() * cells + shape.constants.len()) as u32;
            for mut rest in 0..points.pow(digits) {
                let mut digit = || {
                    let digit = rest % points;
                    rest /= points;
                    digit
                };
                one(&mut digit, false);
            }
        }
        Some(n) => {
            let mut rng = Rng::new(n);
            // Null more often than anything else: most structures of four cells have few links.
            let mut value = || if rng.one_in(2) { cells } else { rng.below(points) };
            (0..n).for_each(|i| one(&mut value, i % 2 == 0));
        }
    }
    true
}

/// Tries the right values of a field, and wrong ones.
fn each_value(heap: &mut Heap, field: usize, right: &[usize], visit: &mut dyn FnMut(&Heap, bool)) {
    let cells = heap.null();
    if cells <= ALL_VALUES {
        for code in 0..(cells + 1).pow(cells as u32) {
            (0..cells).for_each(|c| heap.fields[field][c] = code / (cells + 1).pow(c as u32) % (cells + 1));
            visit(heap, heap.fields[field] == right);
        }
        return;
    }
    heap.fields[field].copy_from_slice(right);
    visit(heap, true);
    for (c, known) in right.iter().enumerate().take(cells) {
        for value in (0..=cells).filter(|v| v != known) {
            heap.fields[field][c] = value;
            visit(heap, false);
        }
        heap.fields[field][c] = *known;
    }
}
