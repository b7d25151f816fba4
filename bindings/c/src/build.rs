//! Sorts, symbols and terms.

use crate::status::{Fail, catena_status, guard};
use crate::strings::{give, items, place, put, text};
use crate::table::with_solver;
use crate::{catena_function, catena_handle, catena_sort, catena_term};
use catena_bindings::{Fault, Kind, Terms};
use std::ffi::c_char;

/// Makes something with a solver and writes its number down.
///
/// # Safety
/// The caller of the library may write where `out` points, if it is not null.
unsafe fn made(
    solver: catena_handle,
    out: *mut u64,
    make: impl FnOnce(&mut Terms) -> Result<u64, Fault>,
) -> Result<(), Fail> {
    let out = place(out)?;
    let id = with_solver(solver, |terms| Ok(make(terms)?))?;
    // SAFETY: the place was looked at, and the caller of the library may write there.
    unsafe { put(out, id) };
    Ok(())
}

/// Declares an uninterpreted sort.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_declare_sort(
    solver: catena_handle,
    name: *const c_char,
    out: *mut catena_sort,
) -> catena_status {
    guard(|| {
        // SAFETY: the caller's pointers lead to what their types say (head of the header).
        unsafe {
            let name = text(name, "name")?;
            made(solver, out, |terms| terms.declare_sort(name))
        }
    })
}

/// Declares a function, or a predicate if its result is `CATENA_SORT_BOOL`. A function from an uninterpreted sort to
/// itself is a link field.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_declare_function(
    solver: catena_handle,
    name: *const c_char,
    arguments: *const catena_sort,
    count: usize,
    result: catena_sort,
    out: *mut catena_function,
) -> catena_status {
    guard(|| {
        // SAFETY: the caller's pointers lead to what their types say (head of the header).
        unsafe {
            let (name, arguments) = (text(name, "name")?, items(arguments, count, "arguments")?);
            made(solver, out, |terms| terms.declare_function(name, arguments, result))
        }
    })
}

/// Declares a constant.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_declare_constant(
    solver: catena_handle,
    name: *const c_char,
    sort: catena_sort,
    out: *mut catena_term,
) -> catena_status {
    guard(|| {
        // SAFETY: the caller's pointers lead to what their types say (head of the header).
        unsafe {
            let name = text(name, "name")?;
            made(solver, out, |terms| terms.constant(name, sort))
        }
    })
}

/// A variable for a quantifier. Each call makes a new one, whatever the name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_variable(
    solver: catena_handle,
    name: *const c_char,
    sort: catena_sort,
    out: *mut catena_term,
) -> catena_status {
    guard(|| {
        // SAFETY: the caller's pointers lead to what their types say (head of the header).
        unsafe {
            let name = text(name, "name")?;
            made(solver, out, |terms| terms.variable(name, sort))
        }
    })
}

/// A truth value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_bool(
    solver: catena_handle,
    value: bool,
    out: *mut catena_term,
) -> catena_status {
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { made(solver, out, |terms| terms.bool(value)) })
}

/// An integer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_int(
    solver: catena_handle,
    value: i64,
    out: *mut catena_term,
) -> catena_status {
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { made(solver, out, |terms| terms.int(value)) })
}

/// An integer of any size, in decimal digits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_int_text(
    solver: catena_handle,
    digits: *const c_char,
    out: *mut catena_term,
) -> catena_status {
    guard(|| {
        // SAFETY: the caller's pointers lead to what their types say (head of the header).
        unsafe {
            let digits = text(digits, "digits")?;
            made(solver, out, |terms| terms.int_text(digits))
        }
    })
}

/// Negation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_not(
    solver: catena_handle,
    formula: catena_term,
    out: *mut catena_term,
) -> catena_status {
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { made(solver, out, |terms| terms.build(Kind::Not, &[formula])) })
}

/// `left` implies `right`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_implies(
    solver: catena_handle,
    left: catena_term,
    right: catena_term,
    out: *mut catena_term,
) -> catena_status {
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { made(solver, out, |terms| terms.build(Kind::Implies, &[left, right])) })
}

/// Exclusive or.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_xor(
    solver: catena_handle,
    left: catena_term,
    right: catena_term,
    out: *mut catena_term,
) -> catena_status {
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { made(solver, out, |terms| terms.build(Kind::Xor, &[left, right])) })
}

/// Equality of two terms of one sort, formulas included.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_eq(
    solver: catena_handle,
    left: catena_term,
    right: catena_term,
    out: *mut catena_term,
) -> catena_status {
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { made(solver, out, |terms| terms.build(Kind::Eq, &[left, right])) })
}

/// `left - right`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_sub(
    solver: catena_handle,
    left: catena_term,
    right: catena_term,
    out: *mut catena_term,
) -> catena_status {
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { made(solver, out, |terms| terms.build(Kind::Sub, &[left, right])) })
}

/// `left * right`, one of which must be a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_mul(
    solver: catena_handle,
    left: catena_term,
    right: catena_term,
    out: *mut catena_term,
) -> catena_status {
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { made(solver, out, |terms| terms.build(Kind::Mul, &[left, right])) })
}

/// `left <= right`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_le(
    solver: catena_handle,
    left: catena_term,
    right: catena_term,
    out: *mut catena_term,
) -> catena_status {
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { made(solver, out, |terms| terms.build(Kind::Le, &[left, right])) })
}

/// `left < right`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_lt(
    solver: catena_handle,
    left: catena_term,
    right: catena_term,
    out: *mut catena_term,
) -> catena_status {
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { made(solver, out, |terms| terms.build(Kind::Lt, &[left, right])) })
}

/// If `condition` then `left` else `right`, of any sort.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_ite(
    solver: catena_handle,
    condition: catena_term,
    left: catena_term,
    right: catena_term,
    out: *mut catena_term,
) -> catena_status {
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { made(solver, out, |terms| terms.build(Kind::Ite, &[condition, left, right])) })
}

/// `to` is reached from `from` by zero or more steps along the link field.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_reach(
    solver: catena_handle,
    field: catena_function,
    from: catena_term,
    to: catena_term,
    out: *mut catena_term,
) -> catena_status {
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { made(solver, out, |terms| terms.reach(field, from, to)) })
}

/// `via` lies on the simple path along the link field from `from` to `to`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_between(
    solver: catena_handle,
    field: catena_function,
    from: catena_term,
    via: catena_term,
    to: catena_term,
    out: *mut catena_term,
) -> catena_status {
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { made(solver, out, |terms| terms.between(field, from, via, to)) })
}

/// Conjunction of any number of formulas.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_and(
    solver: catena_handle,
    terms: *const catena_term,
    count: usize,
    out: *mut catena_term,
) -> catena_status {
    guard(|| {
        // SAFETY: the caller's pointers lead to what their types say (head of the header).
        unsafe {
            let given = items(terms, count, "terms")?;
            made(solver, out, |terms| terms.build(Kind::And, given))
        }
    })
}

/// Disjunction of any number of formulas.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_or(
    solver: catena_handle,
    terms: *const catena_term,
    count: usize,
    out: *mut catena_term,
) -> catena_status {
    guard(|| {
        // SAFETY: the caller's pointers lead to what their types say (head of the header).
        unsafe {
            let given = items(terms, count, "terms")?;
            made(solver, out, |terms| terms.build(Kind::Or, given))
        }
    })
}

/// All terms are different.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_distinct(
    solver: catena_handle,
    terms: *const catena_term,
    count: usize,
    out: *mut catena_term,
) -> catena_status {
    guard(|| {
        // SAFETY: the caller's pointers lead to what their types say (head of the header).
        unsafe {
            let given = items(terms, count, "terms")?;
            made(solver, out, |terms| terms.build(Kind::Distinct, given))
        }
    })
}

/// Sum of any number of integers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_add(
    solver: catena_handle,
    terms: *const catena_term,
    count: usize,
    out: *mut catena_term,
) -> catena_status {
    guard(|| {
        // SAFETY: the caller's pointers lead to what their types say (head of the header).
        unsafe {
            let given = items(terms, count, "terms")?;
            made(solver, out, |terms| terms.build(Kind::Add, given))
        }
    })
}

/// A symbol applied to arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_apply(
    solver: catena_handle,
    function: catena_function,
    terms: *const catena_term,
    count: usize,
    out: *mut catena_term,
) -> catena_status {
    guard(|| {
        // SAFETY: the caller's pointers lead to what their types say (head of the header).
        unsafe {
            let given = items(terms, count, "terms")?;
            made(solver, out, |terms| terms.apply(function, given))
        }
    })
}

/// For all values of the variables, made by `catena_variable()`, the body holds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_forall(
    solver: catena_handle,
    terms: *const catena_term,
    count: usize,
    body: catena_term,
    out: *mut catena_term,
) -> catena_status {
    guard(|| {
        // SAFETY: the caller's pointers lead to what their types say (head of the header).
        unsafe {
            let given = items(terms, count, "terms")?;
            made(solver, out, |terms| terms.quantified(true, given, body))
        }
    })
}

/// For some values of the variables, made by `catena_variable()`, the body holds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_exists(
    solver: catena_handle,
    terms: *const catena_term,
    count: usize,
    body: catena_term,
    out: *mut catena_term,
) -> catena_status {
    guard(|| {
        // SAFETY: the caller's pointers lead to what their types say (head of the header).
        unsafe {
            let given = items(terms, count, "terms")?;
            made(solver, out, |terms| terms.quantified(false, given, body))
        }
    })
}

/// The sort of a term.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_sort_of(
    solver: catena_handle,
    term: catena_term,
    out: *mut catena_sort,
) -> catena_status {
    // SAFETY: the caller may write where `out` points (head of the header).
    guard(|| unsafe { made(solver, out, |terms| terms.sort_of(term)) })
}

/// A term as SMT-LIB writes it; free the string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_term_text(
    solver: catena_handle,
    term: catena_term,
    out: *mut *mut c_char,
) -> catena_status {
    guard(|| {
        let out = place(out)?;
        let shown = with_solver(solver, |terms| Ok(terms.text_of(term)?))?;
        let shown = give(&shown)?;
        // SAFETY: the place was looked at, and the caller may write there (head of the header).
        unsafe { put(out, shown) };
        Ok(())
    })
}
