//! What of a program can matter to its runs: the integers it compares with, whether formulas see cells that no
//! variable reaches.

use crate::program::cfg::Program;
use crate::program::command::Command;
use crate::program::expr::Expr;
use crate::program::formula::{Formula, Set, Term};
use crate::program::walk::{self, Part};
use std::collections::BTreeSet;

/// What matters.
#[derive(Clone, Debug, Default)]
pub(super) struct Vocabulary {
    /// Integers to try, small ones first.
    pub ints: Vec<i128>,
    /// Formulas quantify over cells.
    pub quantifies: bool,
    /// Fields of new cells are arbitrary.
    pub allocates: bool,
}

impl Vocabulary {
    pub(super) fn of(program: &Program, asked: usize, most_ints: usize) -> Vocabulary {
        let mut constants = BTreeSet::new();
        let mut quantifies = false;
        let mut visit = |part: Part<'_>| {
            if let Part::Term(Term::Int(n)) = part {
                constants.insert(*n);
            }
            quantifies |= matches!(
                part,
                Part::Formula(Formula::Forall(..) | Formula::Exists(..) | Formula::Unshared(..))
                    | Part::Set(Set::Pre(..))
            );
        };
        walk::program(program, asked, &mut visit);
        let mut allocates = false;
        for edge in &program.edges {
            match &edge.command {
                Command::Alloc { zeroed, .. } => allocates |= !zeroed,
                Command::Scramble { .. } => allocates = true,
                _ => {}
            }
            // Which element an initialiser sets says nothing about values.
            let place = match &edge.command {
                Command::StoreElement { index: index @ Expr::Int(_), .. } => Some(index),
                _ => None,
            };
            walk::expressions(&edge.command, &mut |e| {
                if let Expr::Int(n) = e
                    && !place.is_some_and(|place| std::ptr::eq(place, e))
                {
                    constants.insert(*n);
                }
            });
        }
        Vocabulary { ints: integers(&constants, most_ints), quantifies, allocates }
    }
}

/// 0, 1, 2, -1 and the program's constants with their neighbours, small ones first. If there are too many, the
/// constants go before their neighbours; a negative one is always there.
fn integers(constants: &BTreeSet<i128>, most: usize) -> Vec<i128> {
    let mut ranked: Vec<(usize, i128)> = vec![(0, 0), (2, 1), (3, 2), (3, -1)];
    for &n in constants {
        ranked.push((0, n));
        ranked.extend(n.checked_add(1).map(|n| (1, n)));
        ranked.extend(n.checked_sub(1).map(|n| (2, n)));
    }
    ranked.sort_by_key(|(rank, n)| (*rank, n.unsigned_abs(), *n < 0));
    let mut chosen: Vec<i128> = Vec::new();
    for (_, n) in ranked {
        if chosen.len() < most && !chosen.contains(&n) {
            chosen.push(n);
        }
    }
    if chosen.iter().all(|n| *n >= 0) {
        chosen.push(-1);
    }
    chosen.sort_by_key(|n| (n.unsigned_abs(), *n < 0));
    chosen
}
