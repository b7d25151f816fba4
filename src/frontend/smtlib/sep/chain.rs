//! Chains of cells, and what a call of one stands for.
//!
//! By induction on the number of cells a chain is a combination of acyclic segments: if its guard keeps cells
//! away from the end, one segment; if not, the chain may also run through its end once and come back.

use crate::frontend::smtlib::sep::Outside;
use crate::frontend::smtlib::sep::symbolic::{Call, Cell, not};
use crate::logic::sep::Vocabulary;
use crate::logic::{FuncId, TermId, Terms, VarId};
use crate::util::hash::Map;

/// A chain of cells.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The type of its cells.
    pub cell: usize,
    /// The field that leads to the next cell.
    pub next: usize,
    /// The parameter that is the first cell.
    pub head: usize,
    /// Where it ends.
    pub end: End,
    /// How it ends.
    pub base: Base,
    /// Whether a cell that is followed by a call must not be the end.
    pub guarded: bool,
    /// Whether it is doubly linked.
    pub double: Option<Double>,
    /// What is true of every cell; the parameter `head` stands for it.
    pub claims: Vec<TermId>,
    /// Whether it is sorted.
    pub sorted: Option<Sorted>,
}

/// What makes a chain sorted: a parameter that bounds the data of the head and goes on as that data.
#[derive(Clone, Copy, Debug)]
pub struct Sorted {
    /// The parameter.
    pub param: usize,
    /// The field with the data.
    pub field: usize,
    /// How the parameter is related to the data of the head.
    pub order: Order,
}

/// An order of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// `<=`
    AtMost,
    /// `<`
    Less,
    /// `>=`
    AtLeast,
    /// `>`
    Greater,
}

impl Order {
    /// `left order right`.
    pub fn relate(self, terms: &mut Terms, left: TermId, right: TermId) -> Result<TermId, Outside> {
        Ok(match self {
            Order::AtMost => terms.le(left, right)?,
            Order::Less => terms.lt(left, right)?,
            Order::AtLeast => terms.ge(left, right)?,
            Order::Greater => terms.gt(left, right)?,
        })
    }
}

/// The data of a segment that is sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortedBy {
    /// The field with the data.
    pub field: FuncId,
    /// `bound order data` holds of every cell.
    pub bound: TermId,
    /// The data of each cell is related to the data of the following ones.
    pub order: Order,
}

/// The end of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A parameter.
    Param(usize),
    /// Nil.
    Nil,
}

/// The disjunct without a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// No cell, where head and end are equal.
    Empty,
    /// One cell that leads to the end, and whether it must not be the end itself.
    OneCell {
        /// Whether it is guarded.
        guarded: bool,
    },
}

/// What makes a chain doubly linked.
#[derive(Clone, Copy, Debug)]
pub struct Double {
    /// The field that leads back.
    pub field: usize,
    /// The parameter for the cell before the head.
    pub before: usize,
    /// The parameter for the last cell (the cell before, if there is none).
    pub last: usize,
    /// Whether the last cell must not be the cell before the head.
    pub guarded: bool,
}

/// The back links of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackLinks {
    /// The field that leads back.
    pub prev: FuncId,
    /// What the first cell leads back to.
    pub before: TermId,
    /// The last cell, or `before` if there is no cell.
    pub last: TermId,
    /// Whether `last` differs from `before` where there are cells.
    pub guarded: bool,
}

/// An acyclic segment: the cells from `from` up to the first `to`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The type of its cells.
    pub cell: usize,
    /// The field it follows.
    pub next: FuncId,
    /// Its first cell, or `to`.
    pub from: TermId,
    /// What its last cell leads to.
    pub to: TermId,
    /// Its back links, if it is doubly linked.
    pub back: Option<BackLinks>,
    /// Formulas that are true of every cell, which the variable stands for.
    pub claims: Vec<(VarId, TermId)>,
    /// The order of its data, if it is sorted.
    pub sorted: Option<SortedBy>,
}

/// A disjunct of what a call stands for.
#[derive(Clone, Debug, Default)]
pub struct Unfolded {
    /// Formulas that do not speak about the heap.
    pub pure: Vec<TermId>,
    /// Cells.
    pub cells: Vec<Cell>,
    /// Segments.
    pub segments: Vec<Segment>,
}

impl Chain {
    /// What a call stands for, one item per disjunct.
    pub fn unfold(&self, terms: &mut Terms, vocabulary: &Vocabulary, call: &Call) -> Vec<Unfolded> {
        let cell_type = &vocabulary.cells()[self.cell];
        let next = cell_type.fields[self.next].func;
        let from = call.args[self.head];
        let to = match self.end {
            End::Param(i) => call.args[i],
            End::Nil => cell_type.nil,
        };
        let back = self.double.map(|d| BackLinks {
            prev: cell_type.fields[d.field].func,
            before: call.args[d.before],
            last: call.args[d.last],
            guarded: d.guarded,
        });
        let params = &vocabulary.definitions()[call.definition].params;
        let hole = params[self.head];
        let mut map: Map<VarId, TermId> = params.iter().copied().zip(call.args.iter().copied()).collect();
        map.remove(&hole);
        let claims: Vec<(VarId, TermId)> =
            self.claims.iter().map(|&claim| (hole, terms.substitute(claim, &map))).collect();
        let sorted = self.sorted.map(|s| SortedBy {
            field: cell_type.fields[s.field].func,
            bound: call.args[s.param],
            order: s.order,
        });
        let segment = |from, to| {
            let (back, claims, sorted) = (back.clone(), claims.clone(), sorted.clone());
            Segment { cell: self.cell, next, from, to, back, claims, sorted }
        };
        let field = |terms: &mut Terms, func, at| terms.app(func, &[at]).expect("a field of a location");
        // A cell about whose fields nothing is said.
        let cell = |terms: &mut Terms, at| {
            let values = cell_type.fields.iter().map(|f| field(terms, f.func, at)).collect();
            Cell { cell: self.cell, at, values }
        };
        let equal = |terms: &mut Terms, a, b| terms.eq(a, b).expect("two locations of one sort");
        let straight = Unfolded { segments: vec![segment(from, to)], ..Unfolded::default() };
        let nonempty = |terms: &mut Terms| {
            let empty = equal(terms, from, to);
            Unfolded { pure: vec![not(terms, empty)], ..straight.clone() }
        };
        // Through the end and back to it.
        let around = |terms: &mut Terms| {
            let after = field(terms, next, to);
            let around = cell(terms, to);
            let segments = vec![segment(from, to), segment(after, to)];
            Unfolded { pure: Vec::new(), cells: vec![around], segments }
        };
        if self.end == End::Nil {
            return match self.base {
                Base::Empty => vec![straight],
                Base::OneCell { .. } => vec![nonempty(terms)],
            };
        }
        match (self.base, self.guarded) {
            (Base::Empty, true) => vec![straight],
            (Base::Empty, false) => {
                let around = around(terms);
                vec![straight, around]
            }
            (Base::OneCell { guarded: true }, true) => vec![nonempty(terms)],
            (Base::OneCell { guarded: false }, true) => {
                // The last cell, and no other, may be the end.
                let mut last = straight.clone();
                last.cells.push(cell(terms, to));
                let after = field(terms, next, to);
                last.pure.push(equal(terms, after, to));
                vec![nonempty(terms), last]
            }
            (Base::OneCell { guarded: true }, false) => {
                let mut around = around(terms);
                let after = field(terms, next, to);
                let looped = equal(terms, after, to);
                around.pure.push(not(terms, looped));
                vec![nonempty(terms), around]
            }
            (Base::OneCell { guarded: false }, false) => {
                let around = around(terms);
                vec![nonempty(terms), around]
            }
        }
    }
}
