//! Long work with Ctrl-C in mind.
//!
//! Python runs handlers of signals only in its main thread, between two of its own steps. So work is done in a thread of
//! its own, without the lock of the interpreter, while the caller looks for signals several times a second. A handler
//! that raises an exception, as that of Ctrl-C does, cancels the work.

use catena::CancelToken;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Between two looks for signals.
const EVERY: Duration = Duration::from_millis(20);

/// Does the work. What a handler of signals raises cancels it, and is raised when it has ended.
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    cancel: &CancelToken,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (send, receive) = channel();
    let worker =
        std::thread::Builder::new().name("catena".to_owned()).spawn(move || drop(send.send(work())))?;
    let mut raised = None;
    let mut receive = receive;
    loop {
        let (received, back) = py.detach(move || {
            let received = receive.recv_timeout(EVERY);
            (received, receive)
        });
        receive = back;
        match received {
            Ok(done) => {
                // The thread has said everything; it ends without the interpreter.
                return match raised {
                    Some(error) => Err(error),
                    None => Ok(done),
                };
            }
            Err(RecvTimeoutError::Disconnected) => {
                let _ = py.detach(|| worker.join());
                return Err(
                    raised.unwrap_or_else(|| PyRuntimeError::new_err("internal error: the solver panicked"))
                );
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Err(error) = py.check_signals() {
                    cancel.cancel();
                    raised.get_or_insert(error);
                }
            }
        }
    }
}
