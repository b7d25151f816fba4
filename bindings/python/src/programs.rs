//! C programs, with functions of Python that are told or asked meanwhile.

use crate::waiting::interruptible;
use catena::{CancelToken, Files};
use catena_bindings::{Ways, certify, verify};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex};

/// The first exception of a function of Python that was called meanwhile. It cancels the work.
#[derive(Clone, Default)]
struct Raised {
    first: Arc<Mutex<Option<PyErr>>>,
    cancel: CancelToken,
}

impl Raised {
    fn note(&self, error: PyErr) {
        if let Ok(mut first) = self.first.lock() {
            first.get_or_insert(error);
        }
        self.cancel.cancel();
    }
}

/// Files that a function of Python gives: bytes, text or `None` for a path.
struct Asked {
    read: Py<PyAny>,
    raised: Raised,
}

impl Files for Asked {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        Python::attach(|py| {
            let read = || -> PyResult<Option<Vec<u8>>> {
                let given = self.read.bind(py).call1((path,))?;
                if given.is_none() {
                    return Ok(None);
                }
                if let Ok(text) = given.extract::<String>() {
                    return Ok(Some(text.into_bytes()));
                }
                let found = given.get_type().name()?.to_string();
                let bytes = given.extract::<Vec<u8>>();
                let wrong = format!("files({path:?}) must give str, bytes or None, not {found}");
                bytes.map(Some).map_err(|_| PyTypeError::new_err(wrong))
            };
            read().map_err(|error| {
                let text = error.to_string();
                self.raised.note(error);
                text
            })
        })
    }
}

/// Verifies a text; the result is JSON.
#[pyfunction]
pub fn verify_json(
    py: Python<'_>,
    source: Vec<u8>,
    options: String,
    progress: Option<Py<PyAny>>,
    files: Option<Py<PyAny>>,
) -> PyResult<String> {
    let raised = Raised::default();
    let cancel = raised.cancel.clone();
    let mut ways = Ways { cancel: cancel.clone(), ..Ways::default() };
    if let Some(told) = progress {
        let raised = raised.clone();
        ways.progress = Some(Box::new(move |function: &str, text: &str| {
            Python::attach(|py| {
                if let Err(error) = told.bind(py).call1((function, text)) {
                    raised.note(error);
                }
            });
        }));
    }
    if let Some(read) = files {
        ways.files = Some(Box::new(Asked { read, raised: raised.clone() }));
    }
    let result = interruptible(py, &cancel, move || verify(&source, &options, ways))?;
    let first = raised.first.lock().ok().and_then(|mut first| first.take());
    first.map_or(Ok(result), Err)
}

/// Checks a certificate; the result is JSON.
#[pyfunction]
pub fn certify_json(py: Python<'_>, file: String, source: Vec<u8>, certificate: String) -> PyResult<String> {
    interruptible(py, &CancelToken::new(), move || certify(&file, &source, &certificate))
}
