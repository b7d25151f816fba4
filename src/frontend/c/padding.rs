//! Blanks between tokens that macros produce: `#` makes strings of them.
//!
//! C says only that blanks count between tokens of an argument. What counts where macros and arguments stood is GCC's
//! doing: the first of them before a token decides with the blanks before its name, but one without blanks decides
//! nothing beyond its end.

/// Whether there are blanks, as far as that is decided.
type Decided = Option<bool>;

/// What stands between two tokens, as a map: from what is decided before it to what is decided after it. Blanks
/// that are decided stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Padding {
    /// If nothing was decided.
    open: Decided,
    /// If it was decided that there are none.
    tight: Decided,
}

impl Default for Padding {
    fn default() -> Padding {
        Padding { open: None, tight: Some(false) }
    }
}

impl Padding {
    /// A macro or an argument begins here.
    pub fn begin(&mut self, spaced: bool) {
        self.open = self.open.or(Some(spaced));
        self.tight = self.tight.or(Some(spaced));
    }

    /// It ends here.
    pub fn end(&mut self) {
        self.open = self.open.filter(|spaced| *spaced);
        self.tight = self.tight.filter(|spaced| *spaced);
    }

    /// More stands behind it.
    pub fn then(&mut self, next: Padding) {
        let after = |decided: Decided| match decided {
            None => next.open,
            Some(false) => next.tight,
            Some(true) => Some(true),
        };
        (self.open, self.tight) = (after(self.open), after(self.tight));
    }

    /// Whether there are blanks before a token behind it; `own`: there are some right before the token.
    pub fn is_spaced(self, own: bool) -> bool {
        self.open.unwrap_or(own)
    }
}
