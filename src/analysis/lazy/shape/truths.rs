//! Vectors of three-valued truths, as two bit masks: which may be true, which may be false.

/// A truth value of Kleene's logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kleene {
    /// 0
    False,
    /// 1/2
    Half,
    /// 1
    True,
}

impl Kleene {
    /// Whether 1 is possible.
    #[must_use]
    pub fn may(self) -> bool {
        self != Kleene::False
    }

    /// Conjunction.
    #[must_use]
    pub fn and(self, other: Kleene) -> Kleene {
        match (self, other) {
            (Kleene::False, _) | (_, Kleene::False) => Kleene::False,
            (Kleene::True, Kleene::True) => Kleene::True,
            _ => Kleene::Half,
        }
    }

    /// Negation.
    #[must_use]
    pub fn negated(self) -> Kleene {
        match self {
            Kleene::False => Kleene::True,
            Kleene::Half => Kleene::Half,
            Kleene::True => Kleene::False,
        }
    }

    /// Disjunction.
    #[must_use]
    pub fn or(self, other: Kleene) -> Kleene {
        self.negated().and(other.negated()).negated()
    }
}

impl From<bool> for Kleene {
    fn from(value: bool) -> Self {
        if value { Kleene::True } else { Kleene::False }
    }
}

/// Up to 128 truths. Each bit is in `can`, in `cannot`, or in both (1/2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Truths {
    /// May be true.
    pub can: u128,
    /// May be false.
    pub cannot: u128,
}

impl Truths {
    /// The value at a position.
    #[must_use]
    pub fn get(self, i: usize) -> Kleene {
        match (self.can >> i & 1, self.cannot >> i & 1) {
            (1, 0) => Kleene::True,
            (0, _) => Kleene::False,
            _ => Kleene::Half,
        }
    }

    /// Writes a position.
    pub fn set(&mut self, i: usize, value: Kleene) {
        let bit = 1u128 << i;
        self.can = if value == Kleene::False { self.can & !bit } else { self.can | bit };
        self.cannot = if value == Kleene::True { self.cannot & !bit } else { self.cannot | bit };
    }

    /// What holds for either.
    #[must_use]
    pub fn join(self, other: Truths) -> Truths {
        Truths { can: self.can | other.can, cannot: self.cannot | other.cannot }
    }

    /// Whether every value of `other` is allowed here.
    #[must_use]
    pub fn covers(self, other: Truths) -> bool {
        other.can & !self.can == 0 && other.cannot & !self.cannot == 0
    }

    /// The positions of the mask only.
    #[must_use]
    pub fn restrict(self, mask: u128) -> Truths {
        Truths { can: self.can & mask, cannot: self.cannot & mask }
    }
}
