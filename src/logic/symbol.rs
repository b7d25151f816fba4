//! Function symbols: constants, functions and predicates of any arity.
//!
//! A *link field* is a function `S -> S` on an uninterpreted sort, a *data field* any other unary function
//! on one. Nothing has to be declared to make a function a link field: using it in `reach` or `between`
//! does.

use crate::logic::sort::SortId;

/// A function symbol of a [`crate::logic::Terms`] store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FuncId(pub(crate) u32);

impl FuncId {
    /// The position of the symbol in its store, for tables indexed by symbol.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Name and signature of a symbol.
#[derive(Clone, Debug)]
pub struct Func {
    /// The name under which it was declared.
    pub name: String,
    /// Argument sorts; empty for a constant.
    pub args: Vec<SortId>,
    /// Sort of the value.
    pub result: SortId,
    /// Made by the solver (Skolem constants and the like), not by the user.
    pub internal: bool,
}

impl Func {
    /// Whether the symbol maps an uninterpreted sort to itself.
    pub fn is_link_field(&self) -> bool {
        self.args.len() == 1 && self.args[0] == self.result && self.result.is_uninterpreted()
    }
}
