//! Shape classes: what a region of shape graphs keeps apart.
//!
//! A class is given by the pointers it tracks (T), the pointers whose cells are kept apart by abstraction (Ts),
//! tests whether data fields lie in ranges of integers (P), and a level of instrumentation: 1 adds "reached from x along
//! f" and "on an f-cycle"; 2 adds "has several f-predecessors" and for two link fields f, g "what f leads to
//! leads back by g" (doubly linked lists); 3 adds "has several predecessors at all" and "has a predecessor" (lists
//! of lists: what hangs on a cell is not lost as long as that cell is there); 4 keeps cells apart whose link is null for
//! certain, or is not for certain (the last cell of a list is not among those before it). The edges say that already, so
//! it takes no predicate: only fewer nodes are merged.
//!
//! Integers flow between variables and fields; a variable is compared with the constants of the fields that
//! its value may come from or go to.

use super::super::flow::Flows;
use super::range::Range;
use crate::program::{FieldId, Program, StructId, Type, VarId};

/// Most unary predicates a class may have.
const CAPACITY: usize = 128;
/// Most pointers and most pointer fields.
const POINTERS: usize = 64;

/// A tracking definition with the positions of its predicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Instrumentation level, 0 to [`Class::LAST_LEVEL`].
    pub level: u8,
    /// T, ascending.
    pub vars: Vec<VarId>,
    /// Ts, by position in `vars`.
    pub separating: Vec<bool>,
    /// P, ascending.
    pub tests: Vec<(FieldId, Range)>,
    /// Pointer fields of the tracked kinds of cells, ascending.
    pub fields: Vec<FieldId>,
    /// The kind of cells that has the field, by position in `fields`.
    pub owners: Vec<StructId>,
    /// The kind of cells the field points to, by position in `fields`.
    pub targets: Vec<StructId>,
    /// The kind of cells the pointer points to, by position in `vars`.
    pub pointees: Vec<StructId>,
    /// Positions in `fields` of the link fields.
    pub links: Vec<usize>,
    /// Kinds of cells the tracked pointers and fields lead to, ascending.
    pub kinds: Vec<StructId>,
    /// Pairs of different link fields of one kind of cells, by position in `links`.
    pub pairs: Vec<(usize, usize)>,
    /// Ranges that an integer variable is tested for, by variable, ascending; those without any left out.
    pub constants: Vec<(VarId, Vec<Range>)>,
    /// Whether cells that are lost while allocated are noted.
    pub leaks: bool,
    /// The predicates whose values name a node.
    pub naming: u128,
}

impl Class {
    /// The last level of instrumentation.
    pub const LAST_LEVEL: u8 = 4;

    /// The class, or `None` if it is too large.
    #[must_use]
    pub fn new(
        program: &Program,
        level: u8,
        vars: Vec<VarId>,
        separating: &[VarId],
        tests: Vec<(FieldId, Range)>,
    ) -> Option<Class> {
        let kinds = kinds(program, &vars);
        let of_kinds = |f: &FieldId| kinds.contains(&program.fields[f.index()].owner);
        let all = (0..program.fields.len()).map(|i| FieldId(i as u32)).filter(of_kinds);
        let fields: Vec<FieldId> =
            all.filter(|f| matches!(program.fields[f.index()].ty, Type::Ptr(_))).collect();
        let links: Vec<usize> =
            (0..fields.len()).filter(|&k| program.fields[fields[k].index()].is_link()).collect();
        let owners: Vec<StructId> = fields.iter().map(|f| program.fields[f.index()].owner).collect();
        let all = (0..links.len()).flat_map(|k| (0..links.len()).map(move |l| (k, l)));
        let same_kind = |&(k, l): &(usize, usize)| k != l && owners[links[k]] == owners[links[l]];
        let pairs = all.filter(same_kind).collect();
        let constants = Flows::of_program(program).constants(&tests);
        let targets = fields.iter().filter_map(|f| program.fields[f.index()].ty.pointee()).collect();
        let pointees = vars.iter().filter_map(|v| program.vars[v.index()].ty.pointee()).collect();
        let separating = vars.iter().map(|v| separating.contains(v)).collect();
        let mut class = Class {
            level,
            vars,
            separating,
            tests,
            fields,
            owners,
            targets,
            pointees,
            links,
            kinds,
            pairs,
            constants,
            leaks: false,
            naming: 0,
        };
        if class.size() > CAPACITY || class.vars.len() > POINTERS || class.fields.len() > 32 {
            return None;
        }
        class.naming = class.naming_mask();
        Some(class)
    }

    /// Nothing tracked.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        self.vars.is_empty()
    }

    /// Position of a tracked pointer.
    #[must_use]
    pub fn var(&self, v: VarId) -> Option<usize> {
        self.vars.binary_search(&v).ok()
    }

    /// Position of a pointer field.
    #[must_use]
    pub fn field(&self, f: FieldId) -> Option<usize> {
        self.fields.binary_search(&f).ok()
    }

    /// "Is allocated."
    #[must_use]
    pub fn live(&self) -> usize {
        0
    }

    /// "x points to it", by position of x.
    #[must_use]
    pub fn points(&self, x: usize) -> usize {
        1 + x
    }

    /// "Its field is in the range", by position of the test.
    #[must_use]
    pub fn test(&self, i: usize) -> usize {
        1 + self.vars.len() + i
    }

    /// "Reached from x along the link", by positions of x and of the link.
    #[must_use]
    pub fn reached(&self, x: usize, link: usize) -> usize {
        self.test(self.tests.len()) + x * self.links.len() + link
    }

    /// "On a cycle of the link."
    #[must_use]
    pub fn cyclic(&self, link: usize) -> usize {
        self.reached(self.vars.len(), 0) + link
    }

    /// "Has several predecessors along the link."
    #[must_use]
    pub fn shared(&self, link: usize) -> usize {
        self.cyclic(self.links.len()) + link
    }

    /// "The first field's target, if it is a cell, leads back by the second", by position of the pair.
    #[must_use]
    pub fn inverse(&self, pair: usize) -> usize {
        self.shared(self.links.len()) + pair
    }

    /// "Has several predecessors", whichever the fields.
    #[must_use]
    pub fn crowded(&self) -> usize {
        self.inverse(self.pairs.len())
    }

    /// "Has a predecessor", whichever the field.
    #[must_use]
    pub fn entered(&self) -> usize {
        self.crowded() + 1
    }

    /// Number of unary predicates.
    #[must_use]
    pub fn size(&self) -> usize {
        match self.level {
            0 => self.reached(0, 0),
            1 => self.shared(0),
            2 => self.crowded(),
            _ => self.entered() + 1,
        }
    }

    /// Ranges that the integer variable is tested for.
    #[must_use]
    pub fn constants(&self, v: VarId) -> &[Range] {
        let at = self.constants.binary_search_by_key(&v, |(w, _)| *w);
        at.map_or(&[], |i| &self.constants[i].1)
    }

    /// Mask of all unary predicates.
    #[must_use]
    pub fn all(&self) -> u128 {
        if self.size() == CAPACITY { u128::MAX } else { (1u128 << self.size()) - 1 }
    }

    fn naming_mask(&self) -> u128 {
        let mut mask = 1u128 << self.live();
        for x in (0..self.vars.len()).filter(|&x| self.separating[x]) {
            mask |= 1 << self.points(x);
            if self.level >= 1 {
                (0..self.links.len()).for_each(|l| mask |= 1 << self.reached(x, l));
            }
        }
        (0..self.tests.len()).for_each(|i| mask |= 1 << self.test(i));
        for link in 0..self.links.len() {
            if self.level >= 1 {
                mask |= 1 << self.cyclic(link);
            }
            if self.level >= 2 {
                mask |= 1 << self.shared(link);
            }
        }
        if self.level >= 2 {
            (0..self.pairs.len()).for_each(|p| mask |= 1 << self.inverse(p));
        }
        if self.level >= 3 {
            mask |= 1 << self.crowded();
            mask |= 1 << self.entered();
        }
        mask
    }
}

/// The kinds of cells that the pointers lead to, directly or through pointer fields.
fn kinds(program: &Program, vars: &[VarId]) -> Vec<StructId> {
    let mut found: Vec<StructId> = Vec::new();
    let mut open: Vec<StructId> = vars.iter().filter_map(|v| program.vars[v.index()].ty.pointee()).collect();
    while let Some(kind) = open.pop() {
        if !found.contains(&kind) {
            found.push(kind);
            let fields = program.structs[kind.index()].fields.iter();
            open.extend(fields.filter_map(|f| program.fields[f.index()].ty.pointee()));
        }
    }
    found.sort_unstable();
    found
}
