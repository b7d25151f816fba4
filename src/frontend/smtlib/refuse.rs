//! What a refused command means for the answers after it.
//!
//! A command that is answered by an error, or by `unsupported`, has no effect. If it could have constrained the
//! problem, a model of what is left may be none of what was meant: from then on `sat` becomes `unknown`, until
//! the scope of the command is popped or reset. A refutation of what is left stays one.
//!
//! The rule is by the word of the command, and cautious: a word that is not in the list of the harmless ones,
//! or a text without a word, is taken for a constraint.

/// How far a refused command reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It could not have constrained anything.
    Nowhere,
    /// Until the level in which it was refused is closed.
    Level,
    /// Until everything is reset.
    Everywhere,
}

/// Words that ask, print or set, but never say anything about the problem.
const HARMLESS: &[&str] = &[
    "set-logic",
    "set-option",
    "set-info",
    "echo",
    "exit",
    "check-sat",
    "check-sat-assuming",
    "check-sat-using",
    "simplify",
    "eval",
    "display",
    "help",
    "labels",
    "minimize",
    "maximize",
    // These take assertions away. Refused, they leave more of them than was meant, and go on to do so whatever
    // is pushed and popped afterwards; a model of more is a model of less.
    "pop",
    "reset",
    "reset-assertions",
];

/// How far the refusal of a command with this word reaches; `global` says that declarations outlive levels.
pub fn reach(word: Option<&str>, global: bool) -> Reach {
    match word {
        Some(word) if HARMLESS.contains(&word) || word.starts_with("get-") => Reach::Nowhere,
        // Every later `pop` closes a level too many.
        Some("push") => Reach::Everywhere,
        Some(word) if global && (word.starts_with("declare-") || word.starts_with("define-")) => {
            Reach::Everywhere
        }
        _ => Reach::Level,
    }
}

/// The word at the head of a text that may not be an expression.
pub fn word_of(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('(')?.trim_start();
    let end = inside.find(|c: char| c.is_whitespace() || "()|\";".contains(c)).unwrap_or(inside.len());
    Some(&inside[..end]).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_broken_texts() {
        for (text, word) in [
            ("(assert (= \u{1} x))", Some("assert")),
            ("( get-value(\u{1}))", Some("get-value")),
            (")", None),
            ("hello", None),
            ("()", None),
            ("(|a b|)", None),
        ] {
            assert_eq!(word_of(text), word, "{text}");
        }
    }

    #[test]
    fn what_is_not_known_constrains() {
        assert_eq!(reach(None, false), Reach::Level);
        assert_eq!(reach(Some("assert-soft"), true), Reach::Level);
        assert_eq!(reach(Some("get-abduct"), true), Reach::Nowhere);
        assert_eq!(reach(Some("declare-fun"), false), Reach::Level);
        assert_eq!(reach(Some("declare-fun"), true), Reach::Everywhere);
        assert_eq!(reach(Some("push"), false), Reach::Everywhere);
    }
}
