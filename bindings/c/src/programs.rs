//! C programs.

use crate::catena_handle;
use crate::status::{catena_status, guard};
use crate::strings::{give, items, place, put, text};
use crate::table::{Object, open, token_of};
use catena::CancelToken;
use catena_bindings::{Ways, certify, verify};
use std::ffi::c_char;

/// A token by which another thread stops verifications, with `catena_cancel()`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_token_new(out: *mut catena_handle) -> catena_status {
    guard(|| {
        let out = place(out)?;
        let handle = open(Object::Token(CancelToken::new()))?;
        // SAFETY: the place was looked at, and the caller may write there (head of the header).
        unsafe { put(out, handle) };
        Ok(())
    })
}

/// Makes a token usable again after `catena_cancel()`.
#[unsafe(no_mangle)]
pub extern "C" fn catena_token_reset(token: catena_handle) -> catena_status {
    guard(|| {
        let token = if token == 0 { Err(catena_bindings::Fault::NoSuch("token"))? } else { token_of(token)? };
        token.reset();
        Ok(())
    })
}

/// Verifies so many bytes of annotated C. `options` is a JSON object, or null; `token` may be 0. The result is a JSON
/// object with `report`, `verified` and `text`, or with `error`; free the string. A text that is wrong is such an `error`,
/// and no error of this call. docs/c.md describes both objects.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_verify(
    source: *const c_char,
    length: usize,
    options: *const c_char,
    token: catena_handle,
    out: *mut *mut c_char,
) -> catena_status {
    guard(|| {
        let out = place(out)?;
        // SAFETY: the caller's pointers lead to what their types say (head of the header).
        let source = unsafe { items(source.cast::<u8>(), length, "source")? };
        // SAFETY: as before.
        let options = if options.is_null() { "" } else { unsafe { text(options, "options")? } };
        let ways = Ways { cancel: token_of(token)?, ..Ways::default() };
        let result = give(&verify(source, options, ways))?;
        // SAFETY: the place was looked at, and the caller may write there (head of the header).
        unsafe { put(out, result) };
        Ok(())
    })
}

/// Checks a certificate that `catena_verify()` made with `"certificates": true`: the text is read again, proofs are
/// checked step by step, runs are made again. `file` is the name that the text had. The result is a JSON object with
/// `checked` or `error`; free the string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn catena_certify_program(
    file: *const c_char,
    source: *const c_char,
    length: usize,
    certificate: *const c_char,
    out: *mut *mut c_char,
) -> catena_status {
    guard(|| {
        let out = place(out)?;
        // SAFETY: the caller's pointers lead to what their types say (head of the header).
        let (file, source, certificate) = unsafe {
            (
                text(file, "file")?,
                items(source.cast::<u8>(), length, "source")?,
                text(certificate, "certificate")?,
            )
        };
        let result = give(&certify(file, source, certificate))?;
        // SAFETY: the place was looked at, and the caller may write there (head of the header).
        unsafe { put(out, result) };
        Ok(())
    })
}
