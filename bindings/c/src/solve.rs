//! Assertions, checks, and what stands behind an answer.

use crate::status::{Fail, catena_status, guard};
use crate::strings::{give, items, place, put, text};
use crate::table::{Object, open, with_solver};
use crate::{catena_handle, catena_sort, catena_term};
use catena::Value;
use catena_bindings::{Bounds, Checked, Fault, Terms};
use std::ffi::c_char;
use std::sync::{Arc, Mutex};

/// The answer to a check.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum catena_answer {
    /// Satisfiable: there is a model.
    CATENA_SAT = 1,
    /// Unsatisfiable: there is a core, and a proof if they are kept.
    CATENA_UNSAT = 2,
    /// Not decided: there is a reason.
    CATENA_UNKNOWN = 3,
}

/// Asks a solver for something and writes it down.
///
/// # Safety
/// The caller of the library may write where `out` points, if it is not null.
unsafe fn told<T>(
    solver: catena_handle,
    out: *mut T,
    ask: impl FnOnce(&mut Terms) -> Result<T, Fail>,
) -> Result<(), Fail> {
    let out = place(out)?;
    let answer = with_solver(solver, ask)?;
    // SAFETY: the place was looked at, and the caller of the library may write there.
    unsafe { put(out, answer) };
    Ok(())
}

/// A new solver without assertions. With `proofs`, it keeps a proof of every `CATENA_UNSAT`, at the cost of memory and
/// some time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_solver_new(proofs: bool, out: *mut catena_handle) -> catena_status {
    guard(|| {
        let out = place(out)?;
        let terms = Terms::new(proofs);
        let token = terms.token();
        let handle = open(Object::Solver(Arc::new(Mutex::new(terms)), token))?;
        // SAFETY: the place was looked at, and the caller may write there (head of the header).
        unsafe { put(out, handle) };
        Ok(())
    })
}

/// Limits of each following check, 0 for none: milliseconds, deterministic steps, bytes of solver state.
#[unsafe(no_mangle)]
pub extern "C" fn catena_set_limits(
    solver: catena_handle,
    time_ms: u64,
    steps: u64,
    memory: u64,
) -> catena_status {
    let set = |terms: &mut Terms| {
        terms.set_bounds(Bounds { time_ms, steps, memory });
        Ok(())
    };
    guard(|| with_solver(solver, set))
}

/// Asserts a closed formula until the present scope is closed.
#[unsafe(no_mangle)]
pub extern "C" fn catena_assert(solver: catena_handle, formula: catena_term) -> catena_status {
    guard(|| with_solver(solver, |terms| Ok(terms.assert(formula, None)?)))
}

/// Asserts a closed formula under a name that the core will mention.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_assert_named(
    solver: catena_handle,
    name: *const c_char,
    formula: catena_term,
) -> catena_status {
    guard(|| {
        // SAFETY: the caller's pointers lead to what their types say (head of the header).
        let name = unsafe { text(name, "name")? };
        with_solver(solver, |terms| Ok(terms.assert(formula, Some(name))?))
    })
}

/// Opens a scope.
#[unsafe(no_mangle)]
pub extern "C" fn catena_push(solver: catena_handle) -> catena_status {
    let push = |terms: &mut Terms| {
        terms.push();
        Ok(())
    };
    guard(|| with_solver(solver, push))
}

/// Closes the newest scope and forgets its assertions.
#[unsafe(no_mangle)]
pub extern "C" fn catena_pop(solver: catena_handle) -> catena_status {
    guard(|| with_solver(solver, |terms| Ok(terms.pop()?)))
}

/// Whether the assertions are satisfiable together with these closed formulas, of which there may be none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_check(
    solver: catena_handle,
    assumptions: *const catena_term,
    count: usize,
    out: *mut catena_answer,
) -> catena_status {
    guard(|| {
        // SAFETY: the caller's pointers lead to what their types say (head of the header).
        unsafe {
            let assumptions = items(assumptions, count, "assumptions")?;
            told(solver, out, |terms| {
                Ok(match terms.check(assumptions)? {
                    Checked::Sat => catena_answer::CATENA_SAT,
                    Checked::Unsat => catena_answer::CATENA_UNSAT,
                    Checked::Unknown => catena_answer::CATENA_UNKNOWN,
                })
            })
        }
    })
}

/// Why the last check is `CATENA_UNKNOWN`; free the string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_reason(solver: catena_handle, out: *mut *mut c_char) -> catena_status {
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { told(solver, out, |terms| give(terms.reason()?)) })
}

/// The model of the last check in the syntax of SMT-LIB; free the string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_model(solver: catena_handle, out: *mut *mut c_char) -> catena_status {
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { told(solver, out, |terms| give(&terms.model_text(&terms.kept_model()?)?)) })
}

fn value(terms: &Terms, term: catena_term) -> Result<Value, Fail> {
    Ok(terms.value(&terms.kept_model()?, term)?)
}

fn no_such(value: &Value, expected: &str) -> Fail {
    Fault::Value(format!("expected {expected}, found {value}")).into()
}

/// The value of a closed term in the model of the last check: `true`, `false`, a decimal number, or `#0`, `#1` for the
/// elements of a sort; free the string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_value(
    solver: catena_handle,
    term: catena_term,
    out: *mut *mut c_char,
) -> catena_status {
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { told(solver, out, |terms| give(&value(terms, term)?.to_string())) })
}

/// The truth value of a closed formula in the model of the last check.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_value_bool(
    solver: catena_handle,
    term: catena_term,
    out: *mut bool,
) -> catena_status {
    let ask = |terms: &mut Terms| {
        let found = value(terms, term)?;
        found.as_bool().ok_or_else(|| no_such(&found, "a truth value"))
    };
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { told(solver, out, ask) })
}

/// The integer that a closed term is in the model of the last check, if it fits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_value_int(
    solver: catena_handle,
    term: catena_term,
    out: *mut i64,
) -> catena_status {
    let ask = |terms: &mut Terms| {
        let found = value(terms, term)?;
        found.as_i64().ok_or_else(|| no_such(&found, "an integer of 64 bits"))
    };
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { told(solver, out, ask) })
}

/// Which element of its sort a closed term is in the model of the last check, counted from 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_value_element(
    solver: catena_handle,
    term: catena_term,
    out: *mut u32,
) -> catena_status {
    let ask = |terms: &mut Terms| match value(terms, term)? {
        Value::Element { index, .. } => Ok(index),
        other => Err(no_such(&other, "an element of a declared sort")),
    };
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { told(solver, out, ask) })
}

/// How many elements a declared sort has in the model of the last check.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_size(
    solver: catena_handle,
    sort: catena_sort,
    out: *mut u32,
) -> catena_status {
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { told(solver, out, |terms| Ok(terms.size(&terms.kept_model()?, sort)?)) })
}

/// How many named assertions the last `CATENA_UNSAT` needs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_core_size(solver: catena_handle, out: *mut usize) -> catena_status {
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { told(solver, out, |terms| Ok(terms.core_names()?.len())) })
}

/// The name of one of the named assertions that the last `CATENA_UNSAT` needs, counted from 0; free the string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_core_name(
    solver: catena_handle,
    index: usize,
    out: *mut *mut c_char,
) -> catena_status {
    let ask = |terms: &mut Terms| {
        let names = terms.core_names()?;
        give(names.get(index).ok_or(Fault::NoSuch("name in the core"))?)
    };
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { told(solver, out, ask) })
}

/// How many assumptions the last `CATENA_UNSAT` needs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_core_assumptions_size(
    solver: catena_handle,
    out: *mut usize,
) -> catena_status {
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { told(solver, out, |terms| Ok(terms.core_assumptions()?.len())) })
}

/// One of the assumptions that the last `CATENA_UNSAT` needs, counted from 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_core_assumption(
    solver: catena_handle,
    index: usize,
    out: *mut catena_term,
) -> catena_status {
    let ask = |terms: &mut Terms| {
        let needed = terms.core_assumptions()?;
        Ok(*needed.get(index).ok_or(Fault::NoSuch("assumption in the core"))?)
    };
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { told(solver, out, ask) })
}

/// Checks the proof of the last `CATENA_UNSAT` by code that the solver does not use.
#[unsafe(no_mangle)]
pub extern "C" fn catena_certify(solver: catena_handle) -> catena_status {
    guard(|| with_solver(solver, |terms| Ok(terms.certify()?)))
}

/// A script and its proof as texts for `catena_certify_proof()` or `catena certify`: the assertions and needed
/// assumptions of the last `CATENA_UNSAT`, which are decided once more for that; free both strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_proof(
    solver: catena_handle,
    script: *mut *mut c_char,
    proof: *mut *mut c_char,
) -> catena_status {
    guard(|| {
        let (script, proof) = (place(script)?, place(proof)?);
        let (of, shown) = with_solver(solver, |terms| Ok(terms.proof()?))?;
        let (of, shown) = (give(&of)?, give(&shown)?);
        // SAFETY: the places were looked at, and the caller may write there (head of the header).
        unsafe {
            put(script, of);
            put(proof, shown);
        }
        Ok(())
    })
}

/// Declarations and assertions as an SMT-LIB script; free the string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_script(solver: catena_handle, out: *mut *mut c_char) -> catena_status {
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { told(solver, out, |terms| give(&terms.script())) })
}
