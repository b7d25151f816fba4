//! Where the interpreter gets what the program leaves open: which edge to take, what a havoc yields, what the
//! fields of a new cell hold.

use crate::program::decl::{FieldId, IntKind};
use crate::program::state::CellId;
use crate::util::rng::Rng;

/// Answers the interpreter's questions. `None` means that the run is to stop here.
pub trait Chooser {
    /// One of `n` ways to go on, `n` at least 2: enabled edges in their order, or null and cells in theirs.
    fn choose(&mut self, n: usize) -> Option<usize>;

    /// A value of the kind.
    fn int(&mut self, kind: IntKind) -> Option<i128>;

    /// One of `n` ways between which nothing can tell: who tries all choices may try one.
    fn any(&mut self, n: usize) -> Option<usize> {
        self.choose(n)
    }

    /// A value of the kind that nobody reads.
    fn any_int(&mut self, kind: IntKind) -> Option<i128> {
        self.int(kind)
    }

    /// The next question is what a call leaves in this field.
    fn about(&mut self, _cell: CellId, _field: FieldId) {}

    /// Whether the fields of new cells are chosen too. Otherwise pointers take a value that must not be used
    /// (a cell never allocated, if the state has one) and integers are 0.
    fn fills(&self) -> bool {
        true
    }
}

impl<C: Chooser + ?Sized> Chooser for &mut C {
    fn choose(&mut self, n: usize) -> Option<usize> {
        (**self).choose(n)
    }

    fn int(&mut self, kind: IntKind) -> Option<i128> {
        (**self).int(kind)
    }

    fn any(&mut self, n: usize) -> Option<usize> {
        (**self).any(n)
    }

    fn any_int(&mut self, kind: IntKind) -> Option<i128> {
        (**self).any_int(kind)
    }

    fn about(&mut self, cell: CellId, field: FieldId) {
        (**self).about(cell, field);
    }

    fn fills(&self) -> bool {
        (**self).fills()
    }
}

/// Passes questions on; those about a value that nobody reads as such.
pub(super) struct Asking<'a> {
    pub(super) chooser: &'a mut dyn Chooser,
    pub(super) unread: bool,
}

impl Chooser for Asking<'_> {
    fn choose(&mut self, n: usize) -> Option<usize> {
        if self.unread { self.chooser.any(n) } else { self.chooser.choose(n) }
    }

    fn int(&mut self, kind: IntKind) -> Option<i128> {
        if self.unread { self.chooser.any_int(kind) } else { self.chooser.int(kind) }
    }

    fn fills(&self) -> bool {
        self.chooser.fills()
    }
}

/// For programs that leave nothing open.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nothing;

impl Chooser for Nothing {
    fn choose(&mut self, _: usize) -> Option<usize> {
        None
    }

    fn int(&mut self, _: IntKind) -> Option<i128> {
        None
    }

    fn fills(&self) -> bool {
        false
    }
}

/// Always the first way and 0; new cells hold what must not be used.
#[derive(Clone, Copy, Debug, Default)]
pub struct First;

impl Chooser for First {
    fn choose(&mut self, _: usize) -> Option<usize> {
        Some(0)
    }

    fn int(&mut self, _: IntKind) -> Option<i128> {
        Some(0)
    }

    fn fills(&self) -> bool {
        false
    }
}

/// Random choices from a seed; integers mostly from a list.
#[cfg(feature = "testing")]
#[derive(Clone, Debug)]
pub struct Random {
    rng: Rng,
    ints: Vec<i128>,
}

#[cfg(feature = "testing")]
impl Random {
    /// Equal seeds and lists give equal choices.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn new(seed: u64, ints: Vec<i128>) -> Random {
        Random { rng: Rng::new(seed), ints }
    }
}

#[cfg(feature = "testing")]
impl Chooser for Random {
    fn choose(&mut self, n: usize) -> Option<usize> {
        Some(self.rng.below(n))
    }

    fn int(&mut self, kind: IntKind) -> Option<i128> {
        if self.ints.is_empty() || self.rng.one_in(8) {
            return Some(kind.wrap(i128::from(self.rng.next_u64())));
        }
        Some(kind.wrap(*self.rng.pick(&self.ints)))
    }
}

/// Choices from a list of numbers, as [`Recorder`] writes it; stops when the list ends.
#[derive(Clone, Debug)]
pub struct Given<'a> {
    choices: &'a [i128],
    fills: bool,
}

impl<'a> Given<'a> {
    /// Takes the choices in order.
    #[must_use]
    pub fn new(choices: &'a [i128], fills: bool) -> Given<'a> {
        Given { choices, fills }
    }

    fn next(&mut self) -> Option<i128> {
        let (first, rest) = self.choices.split_first()?;
        self.choices = rest;
        Some(*first)
    }
}

impl Chooser for Given<'_> {
    fn choose(&mut self, n: usize) -> Option<usize> {
        let choice = usize::try_from(self.next()?).ok()?;
        (choice < n).then_some(choice)
    }

    fn int(&mut self, kind: IntKind) -> Option<i128> {
        self.next().filter(|n| (kind.min()..=kind.max()).contains(n))
    }

    fn fills(&self) -> bool {
        self.fills
    }
}

/// Passes questions on and writes down the answers.
#[derive(Clone, Debug)]
pub struct Recorder<C> {
    inner: C,
    /// The answers, for [`Given`].
    pub choices: Vec<i128>,
}

impl<C> Recorder<C> {
    /// Records what `inner` answers.
    pub fn new(inner: C) -> Recorder<C> {
        Recorder { inner, choices: Vec::new() }
    }
}

impl<C: Chooser> Chooser for Recorder<C> {
    fn choose(&mut self, n: usize) -> Option<usize> {
        let choice = self.inner.choose(n)?;
        self.choices.push(choice as i128);
        Some(choice)
    }

    fn int(&mut self, kind: IntKind) -> Option<i128> {
        let choice = self.inner.int(kind)?;
        self.choices.push(choice);
        Some(choice)
    }

    fn about(&mut self, cell: CellId, field: FieldId) {
        self.inner.about(cell, field);
    }

    fn fills(&self) -> bool {
        self.inner.fills()
    }
}
