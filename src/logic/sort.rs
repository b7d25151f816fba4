//! Sorts: Bool, Int, and uninterpreted sorts of cells or other objects.

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
}

impl Default for Sorts {
    fn default() -> Sorts {
        Sorts { names: vec!["Bool".to_owned(), "Int".to_owned()] }
    }
}
