//! Sorts: Bool, Int, and uninterpreted sorts of cells or other objects.

use crate::logic::term::Terms;
use crate::util::hash::{Map, Set};

/// A sort of a [`crate::logic::Terms`] store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortId(pub(crate) u32);

impl SortId {
    /// Truth values; a term of this sort is a formula.
    pub const BOOL: SortId = SortId(0);
    /// Mathematical integers.
    pub const INT: SortId = SortId(1);

    /// Whether this is neither Bool nor Int.
    pub fn is_uninterpreted(self) -> bool {
        self.0 >= 2
    }

    /// The position of the sort in its store, for tables indexed by sort.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The names of the sorts, in the order of their declaration.
#[derive(Clone, Debug)]
pub(crate) struct Sorts {
    pub(crate) names: Vec<String>,
    /// The sorts that are found by their names.
    pub(crate) ids: Map<String, SortId>,
    /// Sorts whose names are applications `(L Int)`: nobody finds them by their names.
    pub(crate) composed: Set<SortId>,
}

impl Sorts {
    pub(crate) fn push(&mut self, name: String) -> SortId {
        self.names.push(name);
        SortId(self.names.len() as u32 - 1)
    }
}

impl Default for Sorts {
    fn default() -> Sorts {
        let mut sorts = Sorts { names: Vec::new(), ids: Map::default(), composed: Set::default() };
        for name in ["Bool", "Int"] {
            let sort = sorts.push(name.to_owned());
            sorts.ids.insert(name.to_owned(), sort);
        }
        sorts
    }
}

impl Terms {
    /// The sort of this name.
    pub fn find_sort(&self, name: &str) -> Option<SortId> {
        self.sorts.ids.get(name).copied()
    }

    /// The name of a sort.
    pub fn sort_name(&self, sort: SortId) -> &str {
        &self.sorts.names[sort.index()]
    }

    /// How many sorts there are, Bool and Int included.
    pub fn n_sorts(&self) -> usize {
        self.sorts.names.len()
    }

    /// All uninterpreted sorts.
    pub fn uninterpreted_sorts(&self) -> impl Iterator<Item = SortId> + use<> {
        (2..self.sorts.names.len() as u32).map(SortId)
    }

    pub(crate) fn add_sort(&mut self, name: String) -> SortId {
        let sort = self.sorts.push(name.clone());
        self.sorts.ids.insert(name, sort);
        sort
    }

    /// A sort whose name is the text of an application, as in `(List Int)`. Each call makes a new one.
    pub fn compose_sort(&mut self, text: String) -> SortId {
        let sort = self.sorts.push(text);
        self.sorts.composed.insert(sort);
        sort
    }

    /// Whether the name of a sort is the text of an application.
    pub fn is_composed(&self, sort: SortId) -> bool {
        self.sorts.composed.contains(&sort)
    }
}
