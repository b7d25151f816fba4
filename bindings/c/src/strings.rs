//! Texts that come in and go out. Those that go out are written down, so that freeing one twice is an error.

use crate::status::{Fail, c_text, catena_status, guard};
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char};
use std::sync::Mutex;

/// The texts that are not freed yet, by address.
static LIVE: Mutex<Option<HashMap<usize, CString>>> = Mutex::new(None);

/// The text behind a pointer.
///
/// # Safety
/// The pointer is null, or leads to bytes that end with zero and stay unchanged until the text is used no more.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, what: &str) -> Result<&'a str, Fail> {
    if pointer.is_null() {
        return Err(Fail::null(what));
    }
    // SAFETY: it is not null, and the caller promises the rest.
    let bytes = unsafe { CStr::from_ptr(pointer) };
    bytes.to_str().map_err(|error| {
        let text = format!("{what} is not UTF-8: the byte at {} begins no character", error.valid_up_to());
        Fail(catena_status::CATENA_ERROR_UTF8, text)
    })
}

/// So many items behind a pointer.
///
/// # Safety
/// The pointer leads to so many items that stay unchanged until they are used no more; if there are none, it may be null.
pub(crate) unsafe fn items<'a, T>(pointer: *const T, count: usize, what: &str) -> Result<&'a [T], Fail> {
    if count == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(Fail::null(what));
    }
    if count > isize::MAX as usize / size_of::<T>() || !pointer.is_aligned() {
        let text = format!("{count} {what} do not fit into memory");
        return Err(Fail(catena_status::CATENA_ERROR_HANDLE, text));
    }
    // SAFETY: it is neither null nor misaligned, the size fits, and the caller promises the rest.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// Where a result goes: looked at before anything is done, so that a call without a place for its result changes nothing.
pub(crate) fn place<T>(out: *mut T) -> Result<*mut T, Fail> {
    if out.is_null() { Err(Fail::null("the place for the result")) } else { Ok(out) }
}

/// Writes a result.
///
/// # Safety
/// The place comes from [`place`], and the caller of the library may write there.
pub(crate) unsafe fn put<T>(out: *mut T, value: T) {
    // SAFETY: it is not null, and the caller promises the rest.
    unsafe { out.write(value) }
}

/// Gives a text out.
pub(crate) fn give(text: &str) -> Result<*mut c_char, Fail> {
    let text = c_text(text);
    let pointer = text.as_ptr().cast_mut();
    let mut live = LIVE.lock().map_err(|_| Fail::internal("the table of texts is broken"))?;
    live.get_or_insert_default().insert(pointer as usize, text);
    Ok(pointer)
}

/// Frees a string that a function of this library gave out. A null pointer is no error; any other pointer that is not
/// such a string, or was freed already, is `CATENA_ERROR_HANDLE`.
#[unsafe(no_mangle)]
pub extern "C" fn catena_string_free(string: *mut c_char) -> catena_status {
    guard(|| {
        if string.is_null() {
            return Ok(());
        }
        let mut live = LIVE.lock().map_err(|_| Fail::internal("the table of texts is broken"))?;
        match live.get_or_insert_default().remove(&(string as usize)) {
            Some(_) => Ok(()),
            None => {
                let text = "this is no string of the library, or it was freed already".to_owned();
                Err(Fail(catena_status::CATENA_ERROR_HANDLE, text))
            }
        }
    })
}
