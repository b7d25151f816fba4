//! SMT-LIB text in and out, with limits that may change between two texts.

use crate::Bounds;
use catena::{CancelToken, Dialogue};

/// A dialogue with its token.
#[derive(Debug)]
pub struct Text {
    dialogue: Dialogue,
    cancel: CancelToken,
}

impl Default for Text {
    fn default() -> Text {
        Text::new(Bounds::default())
    }
}

impl Text {
    /// A new dialogue whose checks have these limits.
    #[must_use]
    pub fn new(bounds: Bounds) -> Text {
        let cancel = CancelToken::new();
        Text { dialogue: Dialogue::with_limits(bounds.limits(&cancel)), cancel }
    }

    /// Stops the running text from another thread, or the next one if none is running.
    #[must_use]
    pub fn token(&self) -> CancelToken {
        self.cancel.clone()
    }

    /// Carries out commands and returns the responses.
    pub fn run(&mut self, commands: &str) -> String {
        let said = self.dialogue.run(commands);
        self.cancel.reset();
        said
    }

    /// The proof of the last `unsat`, if proofs are kept.
    #[must_use]
    pub fn proof(&self) -> Option<String> {
        self.dialogue.proof()
    }
}

/// Checks a proof of a script: how large it is, or why it is none.
pub fn certify_proof(script: &str, proof: &str) -> Result<String, String> {
    catena::certify_proof(script, proof)
}
