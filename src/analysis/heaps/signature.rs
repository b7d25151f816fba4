//! The predicates at each loop: the ones that are tracked, or, where no object predicate is or those do not suffice, the
//! ones that the contract's vocabulary suggests. Singletons of null and of every live pointer come for free.

use super::boolean::{MAX_OBJECT_PREDICATES, MAX_ROWS, Widths};
use super::derive;
use super::live;
use crate::program::rewrite::{Rewrite, same};
use crate::program::walk::{self, Part};
use crate::program::{
    At, Binder, BoundId, Formula, LoopId, Program, Question, StructId, Term, Track, VarId, VarKind,
};
use crate::util::hash::Set as Vars;

/// The predicates of one kind of cells.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    /// Which cells.
    pub(super) of: StructId,
    /// The cell that predicates are about.
    pub(super) object: Binder,
    /// Null and the live pointers.
    pub(super) rows: Vec<Term>,
    /// Singletons of the rows, then the other predicates.
    pub(super) predicates: Vec<Formula>,
}

/// The predicates at one loop.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    /// Kinds of cells about which there is something to say.
    pub(super) kinds: Vec<Kind>,
    /// Statements without free cell: state predicates, equalities of rows, predicates at rows.
    pub(super) atoms: Vec<Formula>,
    /// The first atoms are the state predicates.
    pub(super) n_state: usize,
    /// Tracked or derived predicates, singletons apart.
    pub(super) n_predicates: usize,
}

/// A bound variable that no formula of the program uses, one per kind of cells.
fn object_of(program: &Program, of: StructId) -> Binder {
    Binder { id: BoundId(program.bounds.saturating_add(of.0)), name: "v".to_owned(), of: Some(of) }
}

/// Predicates besides those that are tracked.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct More<'a> {
    /// Those that the code suggests.
    pub(super) proposed: &'a [Track],
    /// Those that the contract suggests, even where some are tracked.
    pub(super) derived: bool,
}

impl Signature {
    /// The predicates at a loop.
    pub(super) fn new(
        program: &Program,
        question: &Question,
        live: &[Vars<VarId>],
        more: More<'_>,
        of: LoopId,
    ) -> Result<Signature, String> {
        let head = program.loops[of.index()].head;
        let pointers = live::pointers(program, live, head);
        let mut rows: Vec<(VarId, At)> = pointers.into_iter().map(|v| (v, At::Now)).collect();
        let moved = derive::moved(program, &program.contracts[question.contract]);
        rows.extend(moved.into_iter().map(|v| (v, At::Entry)));
        let here = |t: &&Track| t.at.is_none_or(|l| l == of);
        let tracks: Vec<_> = program.tracks.iter().filter(here).collect();
        let proposed: Vec<_> = more.proposed.iter().filter(here).collect();
        Signature::of_rows(program, question, &rows, &tracks, (&proposed, more.derived))
    }

    /// The predicates at the return: those of the loops, as far as their variables have been carried there. Parameters
    /// are those of the entry, as in a postcondition.
    ///
    /// Variables that nobody reads any more stay, as in the paper: they name the cells of the last writes, and what is
    /// known of those tells where a new cell has gone.
    pub(super) fn at_return(
        program: &Program,
        question: &Question,
        live: &[Vars<VarId>],
    ) -> Result<Signature, String> {
        let kind = |v: VarId| program.vars[v.index()].kind;
        let mut rows: Vec<(VarId, At)> = live::pointers(program, live, program.exit)
            .into_iter()
            .map(|v| (v, if kind(v) == VarKind::Param { At::Entry } else { At::Now }))
            .collect();
        let carried = live::carried(program, live);
        for v in live::pointers_among(program, &carried) {
            let stays = kind(v) == VarKind::Param && !live::is_written(program, v);
            let row = (v, if stays { At::Entry } else { At::Now });
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
        let is_known = |track: &&Track| {
            let mut known = true;
            walk::formula(&track.clause.formula, &mut |part| {
                if let Part::Term(Term::Var(v, at) | Term::Index(v, at, _)) = part {
                    known &= *at == At::Entry || kind(*v) == VarKind::Global || carried.contains(v);
                }
            });
            known
        };
        let tracks: Vec<_> = program.tracks.iter().filter(is_known).collect();
        Signature::of_rows(program, question, &rows, &tracks, (&[], false))
    }

    fn of_rows(
        program: &Program,
        question: &Question,
        pointers: &[(VarId, At)],
        tracks: &[&Track],
        (proposed, derived): (&[&Track], bool),
    ) -> Result<Signature, String> {
        let mut kinds: Vec<Kind> = Vec::new();
        for i in 0..program.structs.len() {
            let of = StructId(u32::try_from(i).unwrap_or(u32::MAX));
            let object = object_of(program, of);
            let mut rows = vec![Term::Null(of)];
            let mine = pointers.iter().filter(|(v, _)| program.vars[v.index()].ty.pointee() == Some(of));
            rows.extend(mine.map(|&(v, at)| Term::Var(v, at)));
            let mut predicates: Vec<Formula> =
                rows.iter().map(|row| Formula::eq(Term::Bound(object.id), row.clone())).collect();
            let given = |tracks: &[&Track], predicates: &mut Vec<Formula>| {
                for track in tracks {
                    if let Some(binder) = track.object.as_ref().filter(|b| b.of == Some(of)) {
                        let terms = [(Term::Bound(binder.id), Term::Bound(object.id))];
                        let rewrite = Rewrite { terms: &terms, at: &same };
                        push(predicates, rewrite.formula(&track.clause.formula));
                    }
                }
            };
            given(tracks, &mut predicates);
            if predicates.len() == rows.len() || derived {
                let contract = &program.contracts[question.contract];
                derive::objects(program, contract, &object, of, &rows, &mut predicates);
            }
            given(proposed, &mut predicates);
            if rows.len() > MAX_ROWS {
                return Err(format!("more than {MAX_ROWS} pointers to one kind of cells at a loop"));
            }
            if predicates.len() - rows.len() > MAX_OBJECT_PREDICATES {
                return Err(format!("more than {MAX_OBJECT_PREDICATES} predicates of one kind of cells"));
            }
            if rows.len() > 1 || predicates.len() > rows.len() {
                kinds.push(Kind { of, object, rows, predicates });
            }
        }
        let mut atoms = Vec::new();
        let mut n_predicates = kinds.iter().map(|k| k.predicates.len() - k.rows.len()).sum();
        for track in tracks.iter().chain(proposed).filter(|t| t.object.is_none()) {
            push(&mut atoms, track.clause.formula.clone());
            n_predicates += 1;
        }
        let n_state = atoms.len();
        for kind in &kinds {
            for (i, row) in kind.rows.iter().enumerate() {
                for other in &kind.rows[..i] {
                    atoms.push(Formula::eq(row.clone(), other.clone()));
                }
                if matches!(row, Term::Null(_)) {
                    // What is said of null is the same in all states, or worthless.
                    continue;
                }
                let terms = [(Term::Bound(kind.object.id), row.clone())];
                let rewrite = Rewrite { terms: &terms, at: &same };
                for predicate in &kind.predicates[kind.rows.len()..] {
                    push(&mut atoms, rewrite.formula(predicate));
                }
            }
        }
        Ok(Signature { kinds, atoms, n_state, n_predicates })
    }

    /// Rows and predicates by kind, and the weights of the atoms.
    pub(super) fn widths(&self) -> Widths {
        Widths {
            atoms: self.atoms.iter().map(weight).collect(),
            kinds: self.kinds.iter().map(|k| (k.rows.len(), k.predicates.len())).collect(),
        }
    }
}

/// How hard it is to reason with a formula: equalities are light, quantifiers are heavy.
fn weight(formula: &Formula) -> usize {
    let mut weight = 0;
    walk::formula(formula, &mut |part| {
        weight += match part {
            Part::Formula(Formula::Forall(..) | Formula::Exists(..)) => 30,
            Part::Formula(Formula::Compare(..) | Formula::Const(_)) => 1,
            Part::Formula(Formula::And(_) | Formula::Not(_)) | Part::Term(_) => 0,
            Part::Formula(_) | Part::Set(_) => 3,
        };
    });
    weight.max(1)
}

pub(super) fn push(list: &mut Vec<Formula>, formula: Formula) {
    if !list.contains(&formula) {
        list.push(formula);
    }
}
