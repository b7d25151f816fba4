//! What stands behind an answer: a model, or the reason why there is none.

use super::solver::{Error, Solver, Sort, Term};
use crate::certify;
use crate::engine::solver as core;
use crate::logic::{self, eval::eval};
use crate::util::num::Int;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// An integer of any size.
///
/// ```
/// use catena::{Answer, Integer, Solver, Sort};
///
/// let mut s = Solver::new();
/// let n = s.constant("n", Sort::INT);
/// let huge: Integer = "123456789012345678901234567890".parse()?;
/// s.assert(s.eq(n, s.int(huge.clone())))?;
/// let Answer::Sat(model) = s.check()? else { panic!("there are as many integers") };
/// assert_eq!(model.value(n)?.to_string(), huge.to_string());
/// assert_eq!(Integer::from(-7).to_i64(), Some(-7));
/// # Ok::<(), catena::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Integer(pub(super) Int);

impl Integer {
    /// The same number, if it fits.
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        self.0.to_i64()
    }
}

macro_rules! from {
    ($($number:ty),*) => {$(
        impl From<$number> for Integer {
            fn from(number: $number) -> Integer {
                Integer(Int::from(number))
            }
        }
    )*};
}

from!(i32, i64, u64, i128);

impl FromStr for Integer {
    type Err = Error;

    fn from_str(digits: &str) -> Result<Integer, Error> {
        let error = |_| Error::Build(format!("`{digits}` is not a decimal integer"));
        Int::from_str(digits).map(Integer).map_err(error)
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A value of some sort.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Integer),
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

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => value.fmt(f),
            Value::Int(value) => value.fmt(f),
            Value::Element { index, .. } => write!(f, "#{index}"),
        }
    }
}

/// A finite model of the assertions. It gives a value to every closed term, also to terms that are built later.
///
/// ```
/// use catena::{Answer, Solver};
///
/// let mut s = Solver::new();
/// let cell = s.sort("Cell");
/// let next = s.function("next", [cell], cell);
/// let (x, y) = (s.constant("x", cell), s.constant("y", cell));
/// s.assert(s.and([s.reach(next, x, y), s.distinct([x, y]), s.not(s.reach(next, y, x))]))?;
/// let Answer::Sat(model) = s.check()? else { panic!("a list of two cells") };
/// // Where `next` leads from each element that a term denotes.
/// assert_eq!(model.value(s.app(next, [x]))?, model.value(y)?);
/// assert!(model.elements(cell)?.contains(&model.value(x)?));
/// assert_eq!(model.value(s.reach(next, y, x))?.as_bool(), Some(false));
/// println!("{model}");
/// # Ok::<(), catena::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model<'s> {
    solver: &'s Solver,
    model: Arc<logic::Model>,
}

impl<'s> Model<'s> {
    pub(super) fn new(solver: &'s Solver, model: logic::Model) -> Model<'s> {
        Model { solver, model: Arc::new(model) }
    }

    /// The model without its solver, for whoever cannot keep a borrow.
    ///
    /// ```
    /// use catena::{Answer, Solver, Sort, Value};
    ///
    /// let mut s = Solver::new();
    /// let n = s.constant("n", Sort::INT);
    /// s.assert(s.eq(n, s.int(7)))?;
    /// let Answer::Sat(model) = s.check()? else { panic!("7 is a number") };
    /// let kept = model.keep();
    /// s.assert(s.lt(n, s.int(0)))?;
    /// assert_eq!(kept.of(&s)?.value(n)?, Value::Int(7.into()));
    /// assert!(kept.of(&Solver::new()).is_err());
    /// # Ok::<(), catena::Error>(())
    /// ```
    #[must_use]
    pub fn keep(&self) -> KeptModel {
        KeptModel { number: self.solver.number(), model: self.model.clone() }
    }

    /// The value of a closed term.
    pub fn value(&self, term: Term) -> Result<Value, Error> {
        let id = self.solver.usable(term.0)?;
        let value = eval(self.solver.core().terms(), &self.model, id)
            .map_err(|error| Error::Value(error.to_string()))?;
        Ok(match value {
            logic::Value::Bool(value) => Value::Bool(value),
            logic::Value::Int(value) => Value::Int(Integer(value)),
            logic::Value::Elem(index) => Value::Element { sort: self.solver.sort_of_id(id), index },
        })
    }

    /// The elements of an uninterpreted sort: those of the values of its terms.
    pub fn elements(&self, sort: Sort) -> Result<Vec<Value>, Error> {
        Ok((0..self.size(sort)?).map(|index| Value::Element { sort, index }).collect())
    }

    /// How many elements an uninterpreted sort has.
    pub fn size(&self, sort: Sort) -> Result<u32, Error> {
        Ok(self.model.size(self.solver.usable(sort.0)?))
    }
}

/// A [`Model`] that does not borrow its solver. It stays the model of the assertions at its check.
#[derive(Clone, Debug)]
pub struct KeptModel {
    number: u64,
    model: Arc<logic::Model>,
}

impl KeptModel {
    /// The model, with the solver that made it.
    pub fn of<'s>(&self, solver: &'s Solver) -> Result<Model<'s>, Error> {
        if self.number == solver.number() {
            Ok(Model { solver, model: self.model.clone() })
        } else {
            Err(Error::Foreign)
        }
    }
}

/// The model in the syntax of SMT-LIB.
impl fmt::Display for Model<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&logic::print::model(self.solver.core().terms(), &self.model))
    }
}

/// Why the assertions have no model.
///
/// ```
/// use catena::{Answer, Solver, Sort};
///
/// let mut s = Solver::with_proofs();
/// let [x, y, z] = ["x", "y", "z"].map(|name| s.constant(name, Sort::INT));
/// s.assert_named("x before y", s.lt(x, y))?;
/// s.assert_named("y before x", s.lt(y, x))?;
/// s.assert_named("of no matter", s.lt(z, x))?;
/// let Answer::Unsat(refutation) = s.check()? else { panic!("they contradict each other") };
/// assert_eq!(refutation.names(), ["x before y", "y before x"]);
/// refutation.certify()?;
/// # Ok::<(), catena::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Refutation<'s> {
    solver: &'s Solver,
    refutation: Arc<core::Refutation>,
}

impl<'s> Refutation<'s> {
    pub(super) fn new(solver: &'s Solver, refutation: core::Refutation) -> Refutation<'s> {
        Refutation { solver, refutation: Arc::new(refutation) }
    }

    /// The refutation without its solver, for whoever cannot keep a borrow.
    #[must_use]
    pub fn keep(&self) -> KeptRefutation {
        KeptRefutation { number: self.solver.number(), refutation: self.refutation.clone() }
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

/// A [`Refutation`] that does not borrow its solver. It speaks of the assertions at its check: when others have come or
/// some are gone, its proof may not be certified any more.
#[derive(Clone, Debug)]
pub struct KeptRefutation {
    number: u64,
    refutation: Arc<core::Refutation>,
}

impl KeptRefutation {
    /// The refutation, with the solver that made it.
    pub fn of<'s>(&self, solver: &'s Solver) -> Result<Refutation<'s>, Error> {
        if self.number == solver.number() {
            Ok(Refutation { solver, refutation: self.refutation.clone() })
        } else {
            Err(Error::Foreign)
        }
    }
}
