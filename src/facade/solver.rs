//! Formulas are built, asserted and checked.

use super::model::{Integer, Model, Refutation};
use crate::engine::solver as core;
use crate::logic::{BuildError, FuncId, SortId, TermId, Terms, print};
use crate::util::limits::{Limits, Stop};
use std::cell::RefCell;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of the next solver; 0 is nobody's.
static NEXT: AtomicU64 = AtomicU64::new(1);
/// What belongs to every solver.
const EVERYBODY: u64 = 0;

/// An id with the number of its solver, or the number of the error that was found in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Handle<I> {
    solver: u64,
    id: Result<I, usize>,
}

/// A term of one [`Solver`]. A formula is a term of sort [`Sort::BOOL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(pub(super) Handle<TermId>);

/// A function, predicate or constant symbol of one [`Solver`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Function(Handle<FuncId>);

/// A sort of one [`Solver`], or one of the two that all have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sort(pub(super) Handle<SortId>);

impl Sort {
    /// Truth values.
    pub const BOOL: Sort = Sort(Handle { solver: EVERYBODY, id: Ok(SortId::BOOL) });
    /// Integers.
    pub const INT: Sort = Sort(Handle { solver: EVERYBODY, id: Ok(SortId::INT) });
}

/// What is wrong with a term or a question.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A term, symbol or sort could not be built: what, with what was expected and found.
    Build(String),
    /// A handle belongs to another solver.
    Foreign,
    /// There are fewer open scopes than are to be closed.
    NoScope,
    /// A term has no value, and why.
    Value(String),
    /// The solver keeps no proofs; [`Solver::with_proofs`] makes one that does.
    NoProof,
    /// The proof was not certified: a fault of the solver's.
    Uncertified(String),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Build(error) | Error::Value(error) => f.write_str(error),
            Error::Foreign => f.write_str("a term, symbol or sort belongs to another solver"),
            Error::NoScope => f.write_str("fewer scopes are open than are to be closed"),
            Error::NoProof => f.write_str("the solver keeps no proofs"),
            Error::Uncertified(why) => write!(f, "the proof was not certified: {why}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<BuildError> for Error {
    fn from(error: BuildError) -> Error {
        Error::Build(error.to_string())
    }
}

/// The answer to a check.
#[derive(Debug)]
#[non_exhaustive]
pub enum Answer<'s> {
    /// Satisfiable, with a model in which every assertion was evaluated to true.
    Sat(Model<'s>),
    /// Unsatisfiable.
    Unsat(Refutation<'s>),
    /// Not decided, and why.
    Unknown(Reason),
}

/// Why a check has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// A limit was reached, or the token was cancelled.
    Stopped(Stop),
    /// The formulas are outside the fragments that are decided completely.
    Incomplete {
        /// The subformula that could not be dealt with.
        formula: Term,
        /// What about it, in words.
        what: String,
    },
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Stopped(stop) => stop.fmt(f),
            Reason::Incomplete { what, .. } => f.write_str(what),
        }
    }
}

/// Errors in the order in which they were made.
#[derive(Default)]
struct Errors {
    found: Vec<Error>,
    /// So many were reported, the oldest.
    reported: usize,
}

/// Why a handle cannot be used: an error that is known already, or a new one.
enum Fault {
    Known(usize),
    New(Error),
}

impl From<BuildError> for Fault {
    fn from(error: BuildError) -> Fault {
        Fault::New(Error::from(error))
    }
}

/// An incremental solver for formulas about linked structures.
///
/// Terms nest: every builder takes the solver by shared reference and returns a small [`Term`]. A term that cannot
/// be built is remembered as an error; the next [`Solver::assert`] or [`Solver::check`] reports it, so that no
/// builder has to be asked one by one. Handles know their solver: one that belongs to another solver is an error too.
///
/// ```
/// use catena::{Answer, Solver, Value};
///
/// let mut s = Solver::new();
/// let cell = s.sort("Cell");
/// let next = s.function("next", [cell], cell);
/// let (x, y) = (s.constant("x", cell), s.constant("y", cell));
/// s.assert(s.reach(next, x, y))?;
/// s.assert(s.not(s.eq(s.app(next, [x]), y)))?;
/// s.assert(s.distinct([x, y]))?;
/// let Answer::Sat(model) = s.check()? else { panic!("x, another cell, y") };
/// assert_eq!(model.value(s.reach(next, x, y))?, Value::Bool(true));
/// assert_ne!(model.value(s.app(next, [x]))?, model.value(y)?);
///
/// // An answer borrows the solver: it is gone when the next formula comes.
/// s.assert(s.eq(s.app(next, [x]), x))?;
/// assert!(matches!(s.check()?, Answer::Unsat(_)));
/// # Ok::<(), catena::Error>(())
/// ```
///
/// It can be sent to another thread, and gives the same answers in the same order on every run.
pub struct Solver {
    number: u64,
    core: RefCell<core::Solver>,
    errors: RefCell<Errors>,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

impl std::fmt::Debug for Solver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solver").field("number", &self.number).finish_non_exhaustive()
    }
}

impl Solver {
    /// A solver without assertions.
    #[must_use]
    pub fn new() -> Solver {
        Solver::with_config(core::Config::default())
    }

    /// A solver that keeps a proof of every `unsat`, at the cost of memory and some time.
    #[must_use]
    pub fn with_proofs() -> Solver {
        Solver::with_config(core::Config { proofs: true, ..core::Config::default() })
    }

    fn with_config(config: core::Config) -> Solver {
        Solver {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            core: RefCell::new(core::Solver::with_config(config)),
            errors: RefCell::default(),
        }
    }

    /// Sets the limits of each following check.
    pub fn set_limits(&mut self, limits: Limits) {
        self.core.get_mut().set_limits(limits);
    }

    /// Asserts a closed formula until the present scope is closed. Nothing is asserted if there is an error that was
    /// not reported yet.
    pub fn assert(&mut self, formula: Term) -> Result<(), Error> {
        let formula = self.usable(formula.0)?;
        Ok(self.core.get_mut().assert(formula)?)
    }

    /// Asserts a closed formula under a name that [`Refutation::names`] will mention.
    pub fn assert_named(&mut self, name: &str, formula: Term) -> Result<(), Error> {
        let formula = self.usable(formula.0)?;
        Ok(self.core.get_mut().assert_named(formula, name)?)
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.core.get_mut().push();
    }

    /// Closes the newest scope and forgets its assertions.
    pub fn pop(&mut self) -> Result<(), Error> {
        if self.core.get_mut().pop(1) { Ok(()) } else { Err(Error::NoScope) }
    }

    /// Whether the assertions are satisfiable.
    pub fn check(&self) -> Result<Answer<'_>, Error> {
        self.check_assuming([])
    }

    /// Whether the assertions are satisfiable together with these closed formulas.
    pub fn check_assuming(&self, assumptions: impl IntoIterator<Item = Term>) -> Result<Answer<'_>, Error> {
        let assumptions: Vec<Term> = assumptions.into_iter().collect();
        self.report()?;
        let assumptions: Result<Vec<TermId>, Error> =
            assumptions.into_iter().map(|t| self.usable(t.0)).collect();
        let answer = self.core.borrow_mut().check_assuming(&assumptions?)?;
        Ok(match answer {
            core::Answer::Sat(model) => Answer::Sat(Model::new(self, *model)),
            core::Answer::Unsat(refutation) => Answer::Unsat(Refutation::new(self, refutation)),
            core::Answer::Unknown(core::Reason::Stopped(stop)) => Answer::Unknown(Reason::Stopped(stop)),
            core::Answer::Unknown(core::Reason::Incomplete { formula, what }) => {
                Answer::Unknown(Reason::Incomplete { formula: self.term(formula), what })
            }
        })
    }

    /// Reports the oldest error of a builder that was not reported yet; those after it mostly follow from it. Whoever
    /// wants to know at once whether a term could be built asks after each builder; nothing is left to report then.
    ///
    /// ```
    /// use catena::{Solver, Sort};
    ///
    /// let s = Solver::new();
    /// let (n, p) = (s.constant("n", Sort::INT), s.constant("p", Sort::BOOL));
    /// let _ = s.and([n, p]);
    /// assert!(s.report().is_err());
    /// assert_eq!(s.report(), Ok(()));
    /// ```
    pub fn report(&self) -> Result<(), Error> {
        let mut errors = self.errors.borrow_mut();
        let error = errors.found.get(errors.reported).cloned();
        errors.reported = errors.found.len();
        error.map_or(Ok(()), Err)
    }

    // ---- handles

    /// The id of a handle, unless there is an error to report.
    pub(super) fn usable<I>(&self, handle: Handle<I>) -> Result<I, Error> {
        self.report()?;
        self.known(handle).map_err(|fault| match fault {
            Fault::Known(i) => self.errors.borrow().found.get(i).cloned().unwrap_or(Error::Foreign),
            Fault::New(error) => error,
        })
    }

    fn known<I>(&self, handle: Handle<I>) -> Result<I, Fault> {
        if handle.solver == self.number || handle.solver == EVERYBODY {
            handle.id.map_err(Fault::Known)
        } else {
            Err(Fault::New(Error::Foreign))
        }
    }

    fn handle<I>(&self, built: Result<I, Fault>) -> Handle<I> {
        let id = built.map_err(|fault| match fault {
            Fault::Known(i) => i,
            Fault::New(error) => {
                let found = &mut self.errors.borrow_mut().found;
                found.push(error);
                found.len() - 1
            }
        });
        Handle { solver: self.number, id }
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn term(&self, id: TermId) -> Term {
        Term(Handle { solver: self.number, id: Ok(id) })
    }

    pub(super) fn sort_of_id(&self, id: TermId) -> Sort {
        match self.core.borrow().terms().sort(id) {
            SortId::BOOL => Sort::BOOL,
            SortId::INT => Sort::INT,
            sort => Sort(Handle { solver: self.number, id: Ok(sort) }),
        }
    }

    /// The sort of a term.
    pub fn sort_of(&self, term: Term) -> Result<Sort, Error> {
        Ok(self.sort_of_id(self.usable(term.0)?))
    }

    /// A term as SMT-LIB writes it.
    pub fn text_of(&self, term: Term) -> Result<String, Error> {
        let id = self.usable(term.0)?;
        Ok(print::term(self.core().terms(), id))
    }

    /// A sort as SMT-LIB writes it.
    pub fn sort_text(&self, sort: Sort) -> Result<String, Error> {
        let id = self.usable(sort.0)?;
        Ok(print::sort(self.core().terms(), id))
    }

    /// The present declarations and assertions as an SMT-LIB script, for a [`Dialogue`](crate::Dialogue) or another
    /// solver. Names of assertions are kept, scopes are not.
    ///
    /// ```
    /// use catena::{Dialogue, Solver, Sort};
    ///
    /// let mut s = Solver::new();
    /// let p = s.constant("p", Sort::BOOL);
    /// s.assert_named("open", s.not(p))?;
    /// assert_eq!(s.script(), "(declare-fun p () Bool)\n(assert (! (not p) :named open))\n");
    /// assert_eq!(Dialogue::new().run(&format!("{}(check-sat)", s.script())), "sat\n");
    /// # Ok::<(), catena::Error>(())
    /// ```
    #[must_use]
    pub fn script(&self) -> String {
        let core = self.core();
        let terms = core.terms();
        let mut out = String::new();
        for sort in terms.uninterpreted_sorts().filter(|sort| !terms.is_composed(*sort)) {
            let _ = writeln!(out, "(declare-sort {} 0)", print::sort(terms, sort));
        }
        for (_, func) in terms.funcs().filter(|(_, func)| !func.internal) {
            let sorts: Vec<String> = func.args.iter().map(|sort| print::sort(terms, *sort)).collect();
            let (name, result) = (print::symbol(&func.name), print::sort(terms, func.result));
            let _ = writeln!(out, "(declare-fun {name} ({}) {result})", sorts.join(" "));
        }
        for (formula, name) in core.named_assertions() {
            let formula = print::term(terms, formula);
            let _ = match name {
                Some(name) => writeln!(out, "(assert (! {formula} :named {}))", print::symbol(name)),
                None => writeln!(out, "(assert {formula})"),
            };
        }
        out
    }

    /// The solver behind this one. The reference must not outlive a call from outside.
    pub(super) fn core(&self) -> std::cell::Ref<'_, core::Solver> {
        self.core.borrow()
    }

    /// Builds a term from terms.
    pub(super) fn build<const N: usize>(
        &self,
        parts: [Term; N],
        build: impl FnOnce(&mut Terms, [TermId; N]) -> Result<TermId, BuildError>,
    ) -> Term {
        let mut ids = [Terms::TRUE; N];
        for (id, part) in ids.iter_mut().zip(parts) {
            match self.known(part.0) {
                Ok(known) => *id = known,
                Err(fault) => return Term(self.handle(Err(fault))),
            }
        }
        let built = build(self.core.borrow_mut().terms_mut(), ids);
        Term(self.handle(built.map_err(Fault::from)))
    }

    /// Builds a term from any number of terms.
    pub(super) fn build_many(
        &self,
        parts: impl IntoIterator<Item = Term>,
        build: impl FnOnce(&mut Terms, &[TermId]) -> Result<TermId, BuildError>,
    ) -> Term {
        // The iterator may use the solver, so it ends before the solver is borrowed.
        let ids: Result<Vec<TermId>, Fault> = parts.into_iter().map(|part| self.known(part.0)).collect();
        let built = ids.and_then(|ids| Ok(build(self.core.borrow_mut().terms_mut(), &ids)?));
        Term(self.handle(built))
    }

    /// Builds a term with a symbol.
    pub(super) fn build_with(
        &self,
        function: Function,
        parts: impl IntoIterator<Item = Term>,
        build: impl FnOnce(&mut Terms, FuncId, &[TermId]) -> Result<TermId, BuildError>,
    ) -> Term {
        match self.known(function.0) {
            Ok(function) => self.build_many(parts, |terms, ids| build(terms, function, ids)),
            Err(fault) => Term(self.handle(Err(fault))),
        }
    }

    // ---- declarations

    /// Declares an uninterpreted sort.
    #[must_use]
    pub fn sort(&self, name: &str) -> Sort {
        let declared = self.core.borrow_mut().terms_mut().declare_sort(name);
        Sort(self.handle(declared.map_err(Fault::from)))
    }

    /// Declares a function, or a predicate if its result is [`Sort::BOOL`]. A function from an uninterpreted sort to
    /// itself is a link field.
    #[must_use]
    pub fn function(&self, name: &str, arguments: impl IntoIterator<Item = Sort>, result: Sort) -> Function {
        let sorts = arguments.into_iter().chain([result]).map(|sort| self.known(sort.0));
        let sorts: Result<Vec<SortId>, Fault> = sorts.collect();
        let declared = sorts.and_then(|sorts| match sorts.split_last() {
            Some((result, arguments)) => {
                Ok(self.core.borrow_mut().terms_mut().declare_fun(name, arguments, *result)?)
            }
            None => Err(Fault::New(Error::Foreign)),
        });
        Function(self.handle(declared))
    }

    /// Declares a constant.
    #[must_use]
    pub fn constant(&self, name: &str, sort: Sort) -> Term {
        self.named(sort, |terms, sort| terms.declare_const(name, sort))
    }

    /// A variable for a quantifier. Each call makes a new one, whatever the name.
    #[must_use]
    pub fn variable(&self, name: &str, sort: Sort) -> Term {
        self.named(sort, |terms, sort| terms.variable(name, sort))
    }

    fn named(&self, sort: Sort, make: impl FnOnce(&mut Terms, SortId) -> Result<TermId, BuildError>) -> Term {
        let sort = self.known(sort.0);
        let made = sort.and_then(|sort| Ok(make(self.core.borrow_mut().terms_mut(), sort)?));
        Term(self.handle(made))
    }

    /// A number.
    #[must_use]
    pub fn int(&self, value: impl Into<Integer>) -> Term {
        let Integer(value) = value.into();
        self.build([], |terms, []| Ok(terms.int(value)))
    }
}
