//! `(set-info :status ...)`: what a script promises about its next check.

use super::error::ReadError;
use super::sexpr::{Kind, NodeId, Tree};

/// What `(set-info :status ...)` promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// Nobody knows.
    Unknown,
}

/// What `(set-info :status ...)` says; nothing for other attributes.
pub(super) fn status(tree: &Tree<'_>) -> Result<Option<Status>, ReadError> {
    let children: Vec<NodeId> = tree.children(Tree::ROOT).collect();
    let [_, key, ref value @ ..] = children[..] else {
        return Err(tree.expected(Tree::ROOT, "(set-info :key value)"));
    };
    if tree.kind(key) != Kind::Keyword {
        return Err(tree.expected(key, "a keyword"));
    }
    if tree.text(key) != ":status" {
        return Ok(None);
    }
    let at = value.first().copied().unwrap_or(key);
    // Some files quote the word.
    let word = Some(tree.text(at)).filter(|_| matches!(tree.kind(at), Kind::Symbol | Kind::String));
    match word {
        Some("sat") => Ok(Some(Status::Sat)),
        Some("unsat") => Ok(Some(Status::Unsat)),
        Some("unknown") => Ok(Some(Status::Unknown)),
        _ => Err(tree.expected(at, "sat, unsat or unknown")),
    }
}
