//! A whole program as several smaller ones, one per region of the heap.
//!
//! Two pointers belong to one *region* if one is assigned to the other, stored behind it or compared with it, at a place
//! where the value may still be used (`regions`). Cells of different regions never meet, so a run of the program is, region
//! by region, a run of a smaller program that knows one region only (`slice`): commands about other regions do nothing,
//! their tests go both ways, and integers that come from them are arbitrary. Integers are kept where they decide which
//! commands of the region run (`control`). What is left is mostly empty and is shortened (`shorten`); variables that are
//! never needed at the same time become one (`fewer`).
//!
//! The claim: if the program has a failing run, then one of its parts has one. Each command that can fail belongs to a part.
//! Take the first failure of a run and the part it belongs to; leaving out what the part does not know gives a run of the
//! part to the same failure. A pointer that was never given a value may by chance lead into another region; in the part
//! it leads nowhere, so its use fails there all the more. The converse does not hold: a part does not know why a test of
//! another region goes one way, so a part that fails says nothing.
//!
//! Only programs that begin with `main`: elsewhere the heap at the entry is not made of regions. Programs with calls by
//! contract or formulas about other moments than now have no parts.

mod control;
mod fewer;
mod needs;
mod regions;
mod shorten;
mod slice;

use super::cfg::{Entry, Program, Question};
use super::command::{Check, Command};
use super::formula::{At, Formula, Set, Term};
use super::walk::{self, Part};
use crate::util::options;
use regions::Regions;
use slice::Slicer;

/// The parts of a program; none if it does not fall apart and is not large either. One part is the program without what
/// does not matter to the question, which helps large programs.
#[must_use]
pub fn parts(program: &Program, question: &Question) -> Vec<Program> {
    // A part has fewer loops, so that it ends says nothing.
    let ends = question.asks(Check::Termination);
    if program.begins != Entry::Main || ends || !is_plain(program, question) {
        return Vec::new();
    }
    let Some(regions) = Regions::of(program) else { return Vec::new() };
    let slicer = Slicer::new(program, question, &regions);
    let wanted = slicer.wanted();
    if wanted.len() < 2 && regions.pointers() < options::PARTS_POINTERS.size() {
        return Vec::new();
    }
    let part = |number| {
        let short = shorten::shorten(slicer.slice(&wanted, number));
        fewer::with_fewer_variables(short, question)
    };
    (0..wanted.len()).map(part).collect()
}

/// Whether all formulas speak of the present state.
fn is_plain(program: &Program, question: &Question) -> bool {
    let mut plain = program.labels.is_empty() && program.tracks.is_empty();
    plain &= program.contracts.get(question.contract).is_none_or(|contract| {
        contract.requires.is_empty() && contract.ensures.is_empty() && contract.assigns.is_none()
    });
    plain &= program.loops.iter().all(|l| l.invariants.is_empty() && l.assigns.is_none());
    for edge in &program.edges {
        plain &= !matches!(edge.command, Command::Scramble { .. } | Command::Snapshot(_));
        walk::command(&edge.command, &mut |part| plain &= is_now(part));
    }
    plain
}

/// Whether a part of a formula speaks of the present state and of cells that its variables name.
fn is_now(part: Part<'_>) -> bool {
    match part {
        Part::Term(Term::Var(_, at) | Term::Field(_, at, _) | Term::Index(_, at, _)) => *at == At::Now,
        Part::Set(Set::Cells(..) | Set::Pre(..)) => false,
        Part::Formula(Formula::Valid(_, at) | Formula::Freed(_, at)) => *at == At::Now,
        Part::Formula(
            Formula::Const(_)
            | Formula::Not(_)
            | Formula::And(_)
            | Formula::Or(_)
            | Formula::Implies(..)
            | Formula::Iff(..)
            | Formula::Compare(..),
        ) => true,
        Part::Formula(_) => false,
        Part::Term(_) | Part::Set(_) => true,
    }
}

#[cfg(test)]
mod tests;
