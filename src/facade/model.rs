//! What stands behind an answer: a model, or the reason why there is none.

use super::solver::{Error, Solver, Sort, Term};
use crate::certify;
use crate::engine::solver as core;
use crate::logic::{self, eval::eval};
use crate::util::num::Int;

/// A value of some sort.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer of any size.
    Int(Int),
    /// An element of an uninterpreted sort, counted from 0.
    Element {
        /// The sort.
        sort: Sort,
        /// Which of the [`Model::size`] elements of the sort.
        index: u32,
    },
}

impl Value {
    /// The truth value, if it is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The integer, if it is one that fits.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Int(value) => value.to_i64(),
            _ => None,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Bool(value) => value.fmt(f),
            Value::Int(value) => value.fmt(f),
            Value::Element { index, .. } => write!(f, "#{index}"),
        }
    }
}

/// A finite model of the assertions. It gives a value to every closed term, also to terms that are built later.
#[derive(Clone, Debug)]
pub struct Model<'s> {
    solver: &'s Solver,
    model: logic::Model,
}

impl<'s> Model<'s> {
    pub(super) fn new(solver: &'s Solver, model: logic::Model) -> Model<'s> {
        Model { solver, model }
    }

    /// The value of a closed term.
    pub fn value(&self, term: Term) -> Result<Value, Error> {
        let id = self.solver.usable(term.0)?;
        let value = eval(self.solver.core().terms(), &self.model, id).map_err(Error::Value)?;
        Ok(match value {
            logic::Value::Bool(value) => Value::Bool(value),
            logic::Value::Int(value) => Value::Int(value),
            logic::Value::Elem(index) => Value::Element { sort: self.solver.sort_of(id), index },
        })
    }

    /// How many elements an uninterpreted sort has.
    pub fn size(&self, sort: Sort) -> Result<u32, Error> {
        Ok(self.model.size(self.solver.usable(sort.0)?))
    }
}

/// Why the assertions have no model.
#[derive(Clone, Debug)]
pub struct Refutation<'s> {
    solver: &'s Solver,
    refutation: core::Refutation,
}

impl<'s> Refutation<'s> {
    pub(super) fn new(solver: &'s Solver, refutation: core::Refutation) -> Refutation<'s> {
        Refutation { solver, refutation }
    }

    /// Names of the named assertions that are needed.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.refutation.names
    }

    /// The assumptions that are needed.
    #[must_use]
    pub fn assumptions(&self) -> Vec<Term> {
        self.refutation.assumptions.iter().map(|&id| self.solver.term(id)).collect()
    }

    /// Checks the proof by code that the solver does not use.
    pub fn certify(&self) -> Result<(), Error> {
        let proof = self.refutation.proof.as_ref().ok_or(Error::NoProof)?;
        let core = self.solver.core();
        let assertions: Vec<_> = core.assertions().collect();
        certify::check_proof(core.terms(), &assertions, &self.refutation.assumptions, proof)
            .map_err(|error| Error::Uncertified(error.to_string()))
    }
}
