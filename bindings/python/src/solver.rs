//! Solvers and dialogues.

use crate::faults::{AnswerError, BusyError, ClosedError, ProofError, raised};
use crate::waiting::interruptible;
use catena::{CancelToken, KeptModel, Value};
use catena_bindings::{Bounds, Checked, Fault, Id, Kind, Terms, Text};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyInt;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

/// Something that one thread uses at a time, until it is closed.
struct Shared<T> {
    object: Mutex<Option<Arc<Mutex<T>>>>,
    cancel: CancelToken,
}

impl<T> Shared<T> {
    fn new(object: T, cancel: CancelToken) -> Shared<T> {
        Shared { object: Mutex::new(Some(Arc::new(Mutex::new(object)))), cancel }
    }

    fn get(&self) -> PyResult<Arc<Mutex<T>>> {
        let object = self.object.lock().map_err(|_| fault())?;
        object.clone().ok_or_else(|| ClosedError::new_err("it is closed"))
    }

    fn with<R>(&self, work: impl FnOnce(&mut T) -> PyResult<R>) -> PyResult<R> {
        let object = self.get()?;
        let mut object = locked(&object)?;
        work(&mut object)
    }

    fn close(&self) {
        if let Ok(mut object) = self.object.lock()
            && object.take().is_some()
        {
            self.cancel.cancel();
        }
    }
}

fn fault() -> PyErr {
    PyRuntimeError::new_err("internal error: it had a fault before; close it")
}

fn locked<T>(object: &Mutex<T>) -> PyResult<MutexGuard<'_, T>> {
    object.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => BusyError::new_err("it is at work in another thread"),
        TryLockError::Poisoned(_) => fault(),
    })
}

/// A model that is kept beside its solver.
#[pyclass(frozen, module = "catena._catena")]
pub struct NativeModel(KeptModel);

/// A solver whose sorts, functions and terms are numbers.
#[pyclass(frozen, module = "catena._catena")]
pub struct NativeSolver(Shared<Terms>);

impl NativeSolver {
    fn ask<R>(&self, work: impl FnOnce(&mut Terms) -> Result<R, Fault>) -> PyResult<R> {
        self.0.with(|terms| work(terms).map_err(|fault| raised(&fault)))
    }
}

/// The builder of this word.
fn kind(word: &str) -> PyResult<Kind> {
    Ok(match word {
        "not" => Kind::Not,
        "and" => Kind::And,
        "or" => Kind::Or,
        "=>" => Kind::Implies,
        "xor" => Kind::Xor,
        "=" => Kind::Eq,
        "distinct" => Kind::Distinct,
        "ite" => Kind::Ite,
        "+" => Kind::Add,
        "-" => Kind::Sub,
        "*" => Kind::Mul,
        "<=" => Kind::Le,
        "<" => Kind::Lt,
        _ => return Err(PyTypeError::new_err(format!("there is no builder `{word}`"))),
    })
}

#[pymethods]
impl NativeSolver {
    #[new]
    fn new(proofs: bool) -> NativeSolver {
        let terms = Terms::new(proofs);
        let cancel = terms.token();
        NativeSolver(Shared::new(terms, cancel))
    }

    fn close(&self) {
        self.0.close();
    }

    fn cancel(&self) {
        self.0.cancel.cancel();
    }

    fn set_limits(&self, time_ms: u64, steps: u64, memory: u64) -> PyResult<()> {
        self.ask(|terms| {
            terms.set_bounds(Bounds { time_ms, steps, memory });
            Ok(())
        })
    }

    fn sort(&self, name: &str) -> PyResult<Id> {
        self.ask(|terms| terms.declare_sort(name))
    }

    fn function(&self, name: &str, arguments: Vec<Id>, result: Id) -> PyResult<Id> {
        self.ask(|terms| terms.declare_function(name, &arguments, result))
    }

    fn constant(&self, name: &str, sort: Id) -> PyResult<Id> {
        self.ask(|terms| terms.constant(name, sort))
    }

    fn variable(&self, name: &str, sort: Id) -> PyResult<Id> {
        self.ask(|terms| terms.variable(name, sort))
    }

    fn bool(&self, value: bool) -> PyResult<Id> {
        self.ask(|terms| terms.bool(value))
    }

    fn int(&self, value: &Bound<'_, PyInt>) -> PyResult<Id> {
        match value.extract::<i64>() {
            Ok(small) => self.ask(|terms| terms.int(small)),
            Err(_) => {
                // Beyond 4300 digits Python refuses to write a number in decimals.
                let digits = value.str()?.to_string();
                self.ask(|terms| terms.int_text(&digits))
            }
        }
    }

    fn build(&self, word: &str, parts: Vec<Id>) -> PyResult<Id> {
        let kind = kind(word)?;
        self.ask(|terms| terms.build(kind, &parts))
    }

    fn apply(&self, function: Id, arguments: Vec<Id>) -> PyResult<Id> {
        self.ask(|terms| terms.apply(function, &arguments))
    }

    fn reach(&self, field: Id, from: Id, to: Id) -> PyResult<Id> {
        self.ask(|terms| terms.reach(field, from, to))
    }

    fn between(&self, field: Id, from: Id, via: Id, to: Id) -> PyResult<Id> {
        self.ask(|terms| terms.between(field, from, via, to))
    }

    fn quantified(&self, for_all: bool, variables: Vec<Id>, body: Id) -> PyResult<Id> {
        self.ask(|terms| terms.quantified(for_all, &variables, body))
    }

    fn sort_of(&self, term: Id) -> PyResult<Id> {
        self.ask(|terms| terms.sort_of(term))
    }

    fn text_of(&self, term: Id) -> PyResult<String> {
        self.ask(|terms| terms.text_of(term))
    }

    #[pyo3(name = "assert_")]
    fn assert(&self, formula: Id, name: Option<&str>) -> PyResult<()> {
        self.ask(|terms| terms.assert(formula, name))
    }

    fn push(&self) -> PyResult<()> {
        self.ask(|terms| {
            terms.push();
            Ok(())
        })
    }

    fn pop(&self) -> PyResult<()> {
        self.ask(Terms::pop)
    }

    fn script(&self) -> PyResult<String> {
        self.ask(|terms| Ok(terms.script()))
    }

    fn check(&self, py: Python<'_>, assumptions: Vec<Id>) -> PyResult<&'static str> {
        let terms = self.0.get()?;
        drop(locked(&terms)?);
        let work = move || locked(&terms).map(|mut terms| terms.check(&assumptions));
        match interruptible(py, &self.0.cancel, work)?? {
            Ok(Checked::Sat) => Ok("sat"),
            Ok(Checked::Unsat) => Ok("unsat"),
            Ok(Checked::Unknown) => Ok("unknown"),
            Err(fault) => Err(raised(&fault)),
        }
    }

    fn reason(&self) -> PyResult<String> {
        self.ask(|terms| terms.reason().map(str::to_owned))
    }

    fn model(&self) -> PyResult<NativeModel> {
        self.ask(|terms| terms.kept_model()).map(NativeModel)
    }

    /// A truth value, an integer, or the index of an element in a list of one.
    fn value<'py>(&self, py: Python<'py>, model: &NativeModel, term: Id) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self.ask(|terms| terms.value(&model.0, term))? {
            Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
            Value::Int(value) => match value.to_i64() {
                Some(small) => small.into_pyobject(py)?.into_any(),
                None => py.get_type::<PyInt>().call1((value.to_string(),))?,
            },
            Value::Element { index, .. } => vec![index].into_pyobject(py)?.into_any(),
            other => return Err(AnswerError::new_err(format!("a value of an unknown kind: {other}"))),
        })
    }

    fn model_text(&self, model: &NativeModel) -> PyResult<String> {
        self.ask(|terms| terms.model_text(&model.0))
    }

    fn size(&self, model: &NativeModel, sort: Id) -> PyResult<u32> {
        self.ask(|terms| terms.size(&model.0, sort))
    }

    fn core_names(&self) -> PyResult<Vec<String>> {
        self.ask(|terms| terms.core_names())
    }

    fn core_assumptions(&self) -> PyResult<Vec<Id>> {
        self.ask(Terms::core_assumptions)
    }

    fn certify(&self) -> PyResult<()> {
        self.ask(|terms| terms.certify())
    }

    fn proof(&self, py: Python<'_>) -> PyResult<(String, String)> {
        let terms = self.0.get()?;
        let work = move || locked(&terms).map(|terms| terms.proof());
        interruptible(py, &self.0.cancel, work)??.map_err(|fault| raised(&fault))
    }
}

/// A dialogue in SMT-LIB.
#[pyclass(frozen, module = "catena._catena")]
pub struct NativeDialogue(Shared<Text>);

#[pymethods]
impl NativeDialogue {
    #[new]
    fn new(time_ms: u64, steps: u64, memory: u64) -> NativeDialogue {
        let text = Text::new(Bounds { time_ms, steps, memory });
        let cancel = text.token();
        NativeDialogue(Shared::new(text, cancel))
    }

    fn close(&self) {
        self.0.close();
    }

    fn cancel(&self) {
        self.0.cancel.cancel();
    }

    fn run(&self, py: Python<'_>, commands: String) -> PyResult<String> {
        let text = self.0.get()?;
        drop(locked(&text)?);
        interruptible(py, &self.0.cancel, move || locked(&text).map(|mut text| text.run(&commands)))?
    }

    fn proof(&self) -> PyResult<Option<String>> {
        self.0.with(|text| Ok(text.proof()))
    }
}

/// Checks a proof of a script: how large it is.
#[pyfunction]
pub fn certify_proof(py: Python<'_>, script: String, proof: String) -> PyResult<String> {
    let work = move || catena_bindings::certify_proof(&script, &proof);
    interruptible(py, &CancelToken::new(), work)?.map_err(ProofError::new_err)
}
