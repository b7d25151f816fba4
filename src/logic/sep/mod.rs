//! Separation logic as terms: the symbols that speak about the heap, and what they mean.
//!
//! A formula about the heap is an ordinary term of sort Bool in which some symbols are *spatial*: `emp`,
//! `pto`, `sep`, `wand` and predicates defined by recursion. A [`Vocabulary`] knows which symbols those are.
//! So `let`, macros, names and sharing work as for any other term. No engine knows these symbols: a formula
//! that has one must be translated before it is solved ([`Vocabulary::is_spatial`]).
//!
//! NOTE: the store unfolds formulas that are arguments of a function, which would be wrong for `sep`: its
//! arguments hold of different heaps. They are boxed: the argument P is the term `ite(P, holds, fails)` of a
//! sort of its own.
//!
//! [`eval`] is the executable semantics, on explicit finite heaps.

pub mod eval;

use crate::logic::error::BuildError;
use crate::logic::sort::SortId;
use crate::logic::symbol::{Func, FuncId};
use crate::logic::term::{Op, TermId, Terms, VarId};
use crate::util::hash::{Map, Set};

pub use eval::{Heap, HeapError, HeapEvaluator, Hints, OUTSIDE};

/// A field of a cell.
#[derive(Clone, Debug)]
pub struct Field {
    /// The sort of its value.
    pub sort: SortId,
    /// The field as a total function from locations. What it is at locations that are no cells is free.
    pub func: FuncId,
}

/// A kind of cell: what a location of one sort holds.
#[derive(Clone, Debug)]
pub struct CellType {
    /// The sort of the locations.
    pub location: SortId,
    /// The sort of the contents.
    pub content: SortId,
    /// What makes contents of fields; nothing if the content is a single value.
    pub constructor: Option<FuncId>,
    /// The fields.
    pub fields: Vec<Field>,
    /// `nil` of the location sort: never a cell.
    pub nil: TermId,
}

/// A predicate defined by recursion.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its symbol.
    pub func: FuncId,
    /// Its parameters.
    pub params: Vec<VarId>,
    /// What it stands for. Nothing while it is being read.
    pub body: Option<TermId>,
}

/// What a spatial symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spatial {
    /// There is no cell.
    Emp,
    /// There is one cell, of this type.
    Pto(usize),
    /// The heap falls into disjoint parts.
    Sep,
    /// Whatever heap of the one kind is added, the result is of the other.
    Wand,
    /// A predicate of [`Vocabulary::definitions`].
    Defined(usize),
}

/// A record sort: its constructor with the names of its fields, or nothing if it has several constructors.
#[derive(Clone, Debug)]
struct Record {
    constructor: Option<(FuncId, Vec<String>)>,
}

/// The spatial symbols of a store.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    symbols: Map<FuncId, Spatial>,
    cells: Vec<CellType>,
    definitions: Vec<Definition>,
    records: Map<SortId, Record>,
    nils: Map<SortId, TermId>,
    /// `holds` and `fails`.
    boxes: Option<(TermId, TermId)>,
    seps: Map<usize, FuncId>,
    emp: Option<FuncId>,
    wand: Option<FuncId>,
    /// Terms that are known to be spatial or not.
    spatial: std::cell::RefCell<Map<TermId, bool>>,
}

fn internal(terms: &mut Terms, name: &str, args: &[SortId], result: SortId) -> FuncId {
    let name = terms.fresh_name(name);
    terms.add_func(Func { name, args: args.to_vec(), result, internal: true })
}

impl Vocabulary {
    /// Whether nothing was ever declared here.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty() && self.records.is_empty()
    }

    /// The types of cells.
    pub fn cells(&self) -> &[CellType] {
        &self.cells
    }

    /// The predicates defined by recursion.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// What a symbol means, if it is spatial.
    pub fn symbol(&self, func: FuncId) -> Option<Spatial> {
        self.symbols.get(&func).copied()
    }

    /// The type of the cells at locations of a sort.
    pub fn cell_of(&self, location: SortId) -> Option<&CellType> {
        self.cells.iter().find(|c| c.location == location)
    }

    /// Whether a sort is a record sort.
    pub fn is_record(&self, sort: SortId) -> bool {
        self.records.contains_key(&sort)
    }

    /// Makes a sort a record sort. With several constructors it cannot be the content of cells.
    pub fn add_record(&mut self, sort: SortId, constructors: &[(FuncId, Vec<String>)]) {
        let constructor = match constructors {
            [only] => Some(only.clone()),
            _ => None,
        };
        self.records.insert(sort, Record { constructor });
    }

    /// Lets locations of one sort hold contents of another.
    pub fn add_cell(
        &mut self,
        terms: &mut Terms,
        location: SortId,
        content: SortId,
    ) -> Result<(), BuildError> {
        let refused = |what: &str| Err(BuildError::Unsupported(what.to_owned()));
        if !location.is_uninterpreted() || self.is_record(location) {
            return refused("locations: expected an uninterpreted sort");
        }
        let (constructor, parts): (Option<FuncId>, Vec<(String, SortId)>) = match self.records.get(&content) {
            None => (None, vec![("value".to_owned(), content)]),
            Some(Record { constructor: None }) => {
                return refused("cells: expected a datatype with one constructor");
            }
            Some(Record { constructor: Some((func, names)) }) => {
                let sorts = terms.func(*func).args.clone();
                (Some(*func), names.iter().cloned().zip(sorts).collect())
            }
        };
        if let Some(known) = self.cell_of(location) {
            // A level that was popped may have declared the same.
            let same = known.content == content && known.constructor == constructor;
            let name = terms.sort_name(location).to_owned();
            return if same { Ok(()) } else { Err(BuildError::Duplicate(name)) };
        }
        let fields = parts
            .into_iter()
            .map(|(name, sort)| Field { func: internal(terms, &name, &[location], sort), sort })
            .collect();
        let nil = self.nil(terms, location);
        let pto = internal(terms, "pto", &[location, content], SortId::BOOL);
        self.symbols.insert(pto, Spatial::Pto(self.cells.len()));
        self.cells.push(CellType { location, content, constructor, fields, nil });
        Ok(())
    }

    /// Announces a predicate, so that bodies can mention it.
    pub fn declare_predicate(&mut self, terms: &Terms, func: FuncId) -> usize {
        debug_assert_eq!(terms.func(func).result, SortId::BOOL, "predicates are formulas");
        let index = self.definitions.len();
        self.symbols.insert(func, Spatial::Defined(index));
        self.definitions.push(Definition { func, params: Vec::new(), body: None });
        index
    }

    /// Gives an announced predicate its meaning.
    pub fn define_predicate(&mut self, index: usize, params: Vec<VarId>, body: TermId) {
        self.definitions[index].params = params;
        self.definitions[index].body = Some(body);
    }

    /// `nil` of a sort.
    pub fn nil(&mut self, terms: &mut Terms, sort: SortId) -> TermId {
        *self.nils.entry(sort).or_insert_with(|| {
            let func = internal(terms, "nil", &[], sort);
            terms.intern(Op::App(func), &[], sort)
        })
    }

    /// The `nil`s that exist, by sort.
    pub fn nils(&self) -> impl Iterator<Item = (SortId, TermId)> {
        let mut all: Vec<(SortId, TermId)> = self.nils.iter().map(|(&s, &t)| (s, t)).collect();
        all.sort_unstable();
        all.into_iter()
    }

    /// The empty heap.
    pub fn emp(&mut self, terms: &mut Terms) -> TermId {
        let func = *self.emp.get_or_insert_with(|| internal(terms, "emp", &[], SortId::BOOL));
        self.symbols.insert(func, Spatial::Emp);
        terms.intern(Op::App(func), &[], SortId::BOOL)
    }

    /// A single cell: location and content.
    pub fn pto(&mut self, terms: &mut Terms, at: TermId, content: TermId) -> Result<TermId, BuildError> {
        let sort = terms.sort(at);
        let Some(index) = self.cells.iter().position(|c| c.location == sort) else {
            let name = terms.sort_name(sort);
            return Err(BuildError::Unsupported(format!(
                "pto: no declare-heap has locations of sort {name}"
            )));
        };
        let found = self.symbols.iter().find(|(_, s)| **s == Spatial::Pto(index)).map(|(&f, _)| f);
        let pto = found.expect("each type of cell has its symbol");
        let (expected, found) = (self.cells[index].content, terms.sort(content));
        if expected != found {
            return Err(BuildError::Sort {
                place: "second argument of pto".to_owned(),
                expected: terms.sort_name(expected).to_owned(),
                found: terms.sort_name(found).to_owned(),
            });
        }
        terms.app(pto, &[at, content])
    }

    /// Disjoint parts of the heap.
    pub fn sep(&mut self, terms: &mut Terms, parts: &[TermId]) -> Result<TermId, BuildError> {
        if let [only] = *parts {
            return terms.and(&[only]);
        }
        let boxed = self.boxed(terms, parts, "sep")?;
        let sort = terms.sort(boxed[0]);
        let func = *self
            .seps
            .entry(parts.len())
            .or_insert_with(|| internal(terms, "sep", &vec![sort; parts.len()], SortId::BOOL));
        self.symbols.insert(func, Spatial::Sep);
        terms.app(func, &boxed)
    }

    /// The magic wand. It can be read, and nothing more.
    pub fn wand(&mut self, terms: &mut Terms, parts: [TermId; 2]) -> Result<TermId, BuildError> {
        let boxed = self.boxed(terms, &parts, "wand")?;
        let sort = terms.sort(boxed[0]);
        let func = *self.wand.get_or_insert_with(|| internal(terms, "wand", &[sort; 2], SortId::BOOL));
        self.symbols.insert(func, Spatial::Wand);
        terms.app(func, &boxed)
    }

    fn boxed(&mut self, terms: &mut Terms, parts: &[TermId], name: &str) -> Result<Vec<TermId>, BuildError> {
        if parts.is_empty() {
            return Err(BuildError::Unsupported(format!("{name}: expected at least one argument")));
        }
        for (i, &part) in parts.iter().enumerate() {
            let found = terms.sort(part);
            if found != SortId::BOOL {
                return Err(BuildError::Sort {
                    place: format!("argument {} of {name}", i + 1),
                    expected: "Bool".to_owned(),
                    found: terms.sort_name(found).to_owned(),
                });
            }
        }
        let (holds, fails) = *self.boxes.get_or_insert_with(|| {
            let mut name = terms.fresh_name("heap");
            while terms.find_sort(&name).is_some() {
                name = terms.fresh_name("heap");
            }
            let sort = terms.add_sort(name);
            (terms.fresh_const("holds", sort), terms.fresh_const("fails", sort))
        });
        parts.iter().map(|&part| terms.ite(part, holds, fails)).collect()
    }

    /// The formula in a box, and whether it stands there positively.
    pub fn unboxed(&self, terms: &Terms, boxed: TermId) -> (TermId, bool) {
        let (holds, _) = self.boxes.expect("something was boxed");
        match (terms.op(boxed), terms.children(boxed)) {
            (Op::Ite, &[condition, then, _]) => (condition, then == holds),
            _ => (Terms::TRUE, boxed == holds),
        }
    }

    /// The spatial symbol at the head of a term, with its index.
    pub fn head(&self, terms: &Terms, term: TermId) -> Option<Spatial> {
        match terms.op(term) {
            Op::App(func) => self.symbol(func),
            _ => None,
        }
    }

    /// Whether a term has a spatial symbol in it.
    pub fn is_spatial(&self, terms: &Terms, root: TermId) -> bool {
        if self.symbols.is_empty() {
            return false;
        }
        let mut known = self.spatial.borrow_mut();
        let mut stack = vec![(root, false)];
        while let Some((term, children_done)) = stack.pop() {
            if known.contains_key(&term) {
                continue;
            }
            let children = terms.children(term);
            let answer = if self.head(terms, term).is_some() {
                true
            } else if !children_done && !children.is_empty() {
                stack.push((term, true));
                stack.extend(children.iter().map(|&c| (c, false)));
                continue;
            } else {
                children.iter().any(|c| known[c])
            };
            known.insert(term, answer);
        }
        known[&root]
    }

    /// A term of a record sort that is not the content of a `pto`: nothing here gives records a meaning.
    pub fn stray_record(&self, terms: &Terms, formula: TermId) -> Option<TermId> {
        if self.records.is_empty() {
            return None;
        }
        let mut seen: Set<TermId> = Set::default();
        let mut stack = vec![formula];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            if self.is_record(terms.sort(term)) {
                return Some(term);
            }
            let children = terms.children(term);
            if let Some(Spatial::Pto(index)) = self.head(terms, term)
                && self.content(terms, index, children[1]).is_some()
            {
                stack.push(children[0]);
                stack.extend(self.content(terms, index, children[1]).into_iter().flatten());
                continue;
            }
            stack.extend(children);
        }
        None
    }

    /// The values of the fields in a content, if it is written out.
    pub fn content(&self, terms: &Terms, cell: usize, content: TermId) -> Option<Vec<TermId>> {
        match self.cells[cell].constructor {
            None => Some(vec![content]),
            Some(constructor) => match terms.op(content) {
                Op::App(func) if func == constructor => Some(terms.children(content).to_vec()),
                _ => None,
            },
        }
    }
}
