//! The part of the package `catena` that is not written in Python: solvers, dialogues and programs behind numbers and
//! texts. `package/catena` makes terms, models and reports of them.
//!
//! The lock of the interpreter is released while anything is decided, and Ctrl-C is looked for meanwhile.

mod faults;
mod programs;
mod solver;
mod waiting;

use pyo3::prelude::*;

/// What stands behind the package.
#[pymodule]
fn _catena(module: &Bound<'_, PyModule>) -> PyResult<()> {
    faults::add(module)?;
    module.add_class::<solver::NativeSolver>()?;
    module.add_class::<solver::NativeModel>()?;
    module.add_class::<solver::NativeDialogue>()?;
    module.add_function(wrap_pyfunction!(solver::certify_proof, module)?)?;
    module.add_function(wrap_pyfunction!(programs::verify_json, module)?)?;
    module.add_function(wrap_pyfunction!(programs::certify_json, module)?)?;
    module.add("BOOL", catena_bindings::Terms::BOOL)?;
    module.add("INT", catena_bindings::Terms::INT)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    Ok(())
}
