//! Errors as exceptions.

use catena_bindings::Fault;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(
    catena,
    Error,
    PyException,
    "Something is wrong with a call; the object is as it was before."
);
create_exception!(catena, BuildError, Error, "A term, symbol or sort cannot be built.");
create_exception!(catena, ForeignError, Error, "A term, symbol or sort belongs to another solver.");
create_exception!(catena, ScopeError, Error, "Fewer scopes are open than are to be closed.");
create_exception!(
    catena,
    AnswerError,
    Error,
    "The last check has no such answer, or something was changed since."
);
create_exception!(catena, NoValueError, Error, "A term has no such value.");
create_exception!(catena, ProofError, Error, "There is no proof, or it does not check.");
create_exception!(catena, BusyError, Error, "The solver is at work in another thread.");
create_exception!(catena, ClosedError, Error, "The solver is closed.");

/// Adds them to the module.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("Error", py.get_type::<Error>())?;
    module.add("BuildError", py.get_type::<BuildError>())?;
    module.add("ForeignError", py.get_type::<ForeignError>())?;
    module.add("ScopeError", py.get_type::<ScopeError>())?;
    module.add("AnswerError", py.get_type::<AnswerError>())?;
    module.add("NoValueError", py.get_type::<NoValueError>())?;
    module.add("ProofError", py.get_type::<ProofError>())?;
    module.add("BusyError", py.get_type::<BusyError>())?;
    module.add("ClosedError", py.get_type::<ClosedError>())
}

/// The exception of a fault.
pub fn raised(fault: &Fault) -> PyErr {
    let text = fault.to_string();
    match fault {
        Fault::NoSuch(_) | Fault::Build(_) => BuildError::new_err(text),
        Fault::Foreign => ForeignError::new_err(text),
        Fault::NoScope => ScopeError::new_err(text),
        Fault::NoAnswer(_) => AnswerError::new_err(text),
        Fault::Value(_) => NoValueError::new_err(text),
        Fault::Proof(_) => ProofError::new_err(text),
    }
}
