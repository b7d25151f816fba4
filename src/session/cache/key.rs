//! What an answer depends on, as a hash.
//!
//! The program is printed with everything in it but positions: what a program means does not depend on where it stands,
//! and no evidence that is kept mentions a position. So a function keeps its key when lines are added before it.
//! `main` may also be decided by executing the whole unit as it is written; then the unit is part of the question, with its
//! positions.

use super::About;
use crate::frontend::c;
use crate::portfolio::Engine;
use crate::program::{Contract, Program};
use crate::util::options;
use crate::util::span::Span;
use sha2::{Digest, Sha256};
use std::fmt::{self, Write};

/// A hash as text.
pub(super) fn hex(bytes: &[u8]) -> String {
    text_of(&Sha256::digest(bytes))
}

fn text_of(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Text that is hashed while it is written.
#[derive(Clone)]
pub(super) struct Question(Sha256);

impl Write for Question {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

impl Question {
    /// What is asked, about the program with calls by contract.
    pub(super) fn new(about: &About<'_>, build: &str) -> Question {
        let About { settings, file, function, job } = about;
        let mut out = Question(Sha256::new());
        out.add("build", &build);
        out.add("engine", &(settings.engine.word(), settings.variants, settings.seed, settings.certificates));
        let changed = options::TABLE.iter().filter(|choice| choice.get() != choice.default);
        out.add("options", &changed.map(|choice| (choice.name, choice.get())).collect::<Vec<_>>());
        // What flags and files did to the text is seen in the program.
        let (flags, files) = Default::default();
        out.add("reading", &c::Options { flags, files, ..file.reading.clone() });
        out.add("question", &(&job.question, &job.behavior));
        out.add("program", &function.program.as_ref().ok().map(without_places));
        let whole = file.unit.checked.as_ref().filter(|_| function.name == "main");
        out.add("unit", &whole.filter(|_| settings.engine == Engine::Auto));
        out
    }

    fn add(&mut self, what: &str, value: &dyn fmt::Debug) {
        // Nothing is lost in writing to a hash.
        let _ = writeln!(self, "{what} {value:?}");
    }

    /// The key.
    pub(super) fn key(&self) -> String {
        text_of(&self.0.clone().finalize())
    }

    /// The key of the question with this program besides, in which calls are inlined.
    pub(super) fn with_bodies(&self, program: &Program) -> String {
        let mut out = self.clone();
        out.add("bodies", &without_places(program));
        out.key()
    }
}

/// The program as if everything stood at one place.
fn without_places(program: &Program) -> Program {
    let mut out = program.clone();
    let nowhere = Span::default();
    out.span = nowhere;
    out.vars.iter_mut().for_each(|v| v.span = nowhere);
    out.edges.iter_mut().for_each(|e| e.span = nowhere);
    out.sweeps.iter_mut().for_each(|s| s.span = nowhere);
    out.endless.iter_mut().for_each(|span| *span = nowhere);
    out.tracks.iter_mut().for_each(|t| t.clause.span = nowhere);
    for of in &mut out.loops {
        of.span = nowhere;
        of.invariants.iter_mut().chain(&mut of.variant).for_each(|clause| clause.span = nowhere);
    }
    for Contract { requires, ensures, span, behavior: _, assigns: _ } in &mut out.contracts {
        *span = nowhere;
        requires.iter_mut().chain(ensures).for_each(|clause| clause.span = nowhere);
    }
    out
}
