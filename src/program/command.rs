//! The command language: what an edge of the control-flow graph does to a state.
//!
//! Each command touches the heap at most once. Dereferences are checked by the command itself: `Load`,
//! `Store` and array accesses fail on null, unallocated or freed cells and indices out of bounds, `Free`
//! fails on cells that are not allocated on the heap (null is fine).
//!
//! A call by contract is lowered to `Snapshot; Assert requires; Scramble assigns; Havoc result; Assume
//! ensures`, so engines know no calls. Replays run the variant of the program in which such calls are inlined.

use super::decl::{FieldId, LabelId, StructId, VarId};
use super::expr::{Cond, Expr};
use super::formula::{Formula, Set, Term};

/// Property classes, the words of `--check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Check {
    /// `memsafety`: dereferences, frees, array bounds.
    Memsafety,
    /// `asserts`: assertions in code and annotations, loop invariants, preconditions of calls.
    Asserts,
    /// `ensures`: postconditions and `assigns`.
    Ensures,
    /// `leaks`
    Leaks,
    /// `garbage`
    Garbage,
    /// `overflow`: signed arithmetic and shifts that have no value in their type.
    Overflow,
    /// `termination`: loops and recursion end.
    Termination,
}

impl Check {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Check; 7] = [
        Check::Memsafety,
        Check::Asserts,
        Check::Ensures,
        Check::Leaks,
        Check::Garbage,
        Check::Overflow,
        Check::Termination,
    ];

    /// The check of this word.
    #[must_use]
    pub fn named(word: &str) -> Option<Check> {
        Check::ALL.into_iter().find(|c| c.word() == word)
    }

    /// Its word on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Check::Memsafety => "memsafety",
            Check::Asserts => "asserts",
            Check::Ensures => "ensures",
            Check::Leaks => "leaks",
            Check::Garbage => "garbage",
            Check::Overflow => "overflow",
            Check::Termination => "termination",
        }
    }
}

/// How the names of assertions begin that name what must not happen; the others name what must hold.
const FAULTS: [&str; 9] = [
    "endless run",
    "division by zero",
    "shift by ",
    "signed overflow ",
    "left shift ",
    "free of ",
    "address of a member ",
    "access beyond ",
    super::trace::UNMODELLED,
];

fn is_fault(what: &str) -> bool {
    FAULTS.iter().any(|fault| what.starts_with(fault))
}

/// Says that an assertion failed.
#[must_use]
pub fn broken(what: &str) -> String {
    if is_fault(what) { what.to_owned() } else { format!("{what} does not hold") }
}

/// Says that an assertion is not proved.
#[must_use]
pub fn may_break(what: &str) -> String {
    if is_fault(what) { format!("{what} is not excluded") } else { format!("{what} may not hold") }
}

/// Properties of the competition on software verification, the words of `--svcomp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// `unreach-call`: no error function or `ERROR` label is reached.
    UnreachCall,
    /// `valid-memsafety`: no bad dereference, no bad `free`, no lost memory in any finite part of a run.
    Memsafety,
    /// `valid-memcleanup`: everything is freed where the program ends.
    Memcleanup,
    /// `no-overflow`: signed arithmetic stays in the range of its type.
    NoOverflow,
    /// `termination`: every run ends.
    Termination,
}

impl Property {
    /// All of them.
    pub const ALL: [Property; 5] = [
        Property::UnreachCall,
        Property::Memsafety,
        Property::Memcleanup,
        Property::NoOverflow,
        Property::Termination,
    ];

    /// Its word on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::Memsafety => "valid-memsafety",
            Property::Memcleanup => "valid-memcleanup",
            Property::NoOverflow => "no-overflow",
            Property::Termination => "termination",
        }
    }

    /// The property of this word.
    #[must_use]
    pub fn named(word: &str) -> Option<Property> {
        Property::ALL.into_iter().find(|p| p.word() == word)
    }

    /// The check words that decide it.
    #[must_use]
    pub fn checks(self) -> Vec<Check> {
        match self {
            Property::UnreachCall => vec![Check::Asserts],
            Property::Memsafety => vec![Check::Memsafety, Check::Leaks],
            Property::Memcleanup => vec![Check::Leaks],
            Property::NoOverflow => vec![Check::Overflow],
            Property::Termination => vec![Check::Termination],
        }
    }
}

/// Where a new cell lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// `malloc`, `calloc`: lives until `free`.
    Heap,
    /// A variable whose address is taken: lives until [`Command::Release`]; `free` of it is an error.
    Automatic,
}

/// What `assigns` allows, what [`Command::Scramble`] changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A global variable (all elements, if it is an array).
    Var(VarId),
    /// `t->f`
    Field(Term, FieldId),
    /// `S->f` for all cells of the set
    Fields(Set, FieldId),
    /// `a[lo..hi]`
    Range(VarId, Term, Term),
    /// Everything reached from parameters and globals, and the globals.
    Everything,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Nothing.
    Skip,
    /// `x = e`
    Assign(VarId, Expr),
    /// `x = y->f`
    Load {
        /// Assigned variable.
        to: VarId,
        /// Pointer.
        from: VarId,
        /// Field read.
        field: FieldId,
    },
    /// `x->f = e`
    Store {
        /// Pointer.
        to: VarId,
        /// Field written. A ghost field may be written in any allocated cell; writing it through null does nothing.
        field: FieldId,
        /// New value.
        value: Expr,
    },
    /// `x = a[i]`
    LoadElement {
        /// Assigned variable.
        to: VarId,
        /// Array variable.
        array: VarId,
        /// Index.
        index: Expr,
    },
    /// `a[i] = e`
    StoreElement {
        /// Array variable.
        array: VarId,
        /// Index.
        index: Expr,
        /// New value.
        value: Expr,
    },
    /// `x = malloc(sizeof *x)`: a cell never allocated before, fields arbitrary. Failing allocation is a branch.
    Alloc {
        /// Assigned variable.
        to: VarId,
        /// Kind of cell.
        of: StructId,
        /// Lifetime.
        storage: Storage,
        /// `calloc`: fields are 0 and null.
        zeroed: bool,
    },
    /// `free(x)`
    Free(VarId),
    /// The automatic cell x points to ends its life.
    Release(VarId),
    /// Runs in which the condition is false are ignored.
    Assume(Cond),
    /// The same with a formula (`assume`, `ensures` of a callee).
    Suppose(Formula),
    /// The formula must hold.
    Assert {
        /// What must hold.
        formula: Formula,
        /// Property class.
        check: Check,
        /// What failed, as the user reads it: "assertion", "precondition of `f`", "division by zero".
        what: String,
    },
    /// `reach_error()`, the `ERROR` label: being here is the failure.
    Fail {
        /// As for `Assert`.
        what: String,
    },
    /// `x = nondet()`; an integer takes the values of its type, a pointer any value, allocated or not.
    Havoc(VarId),
    /// Remembers the state under the label.
    Snapshot(LabelId),
    /// Effect of a call by contract: the targets take arbitrary values; cells may be allocated, and freed if
    /// `frees`. Pointers stored are null or cells allocated afterwards.
    Scramble {
        /// What may change.
        targets: Vec<Target>,
        /// Whether cells among those reached from the arguments may be freed.
        frees: bool,
        /// What is known of a recursive call besides.
        local: Option<Box<Local>>,
    },
}

/// A recursive call: the callee changes, and frees, only what is reached from its arguments and globals, and nothing
/// that it reaches must dangle at the call. No formula says the second where structs have several links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// The arguments, in variables that the call does not change.
    pub arguments: Vec<VarId>,
    /// The callee is the function that the program is about.
    pub itself: bool,
    /// The callee writes no pointer into a cell, allocates nothing and frees nothing.
    pub keeps_links: bool,
    /// Whoever does not look at this knows nothing of the call.
    pub needed: bool,
}
