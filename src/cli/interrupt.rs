//! Ctrl-C: the first one asks the engines to stop, the second one ends the program.

use crate::util::limits::CancelToken;

/// Status of a program that was interrupted, by convention of shells.
const INTERRUPTED: i32 = 130;

/// Makes Ctrl-C cancel the token. Where no handler can be installed, Ctrl-C keeps its usual meaning.
pub(super) fn on_ctrl_c(token: &CancelToken) {
    let token = token.clone();
    let _ = ctrlc::set_handler(move || {
        if token.is_cancelled() {
            std::process::exit(INTERRUPTED);
        }
        token.cancel();
    });
}
