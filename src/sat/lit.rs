//! Variables and literals of the Boolean search.
//!
//! A literal is one number, `2 * variable + (1 if negated)`, so that arrays indexed by literals are dense
//! and the two literals of a variable are neighbours.

/// A Boolean variable; variables are numbered from 0 in the order in which they were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub u32);

impl Var {
    /// The variable's number, as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal that is true when the variable is.
    #[inline]
    pub fn positive(self) -> Lit {
        Lit::new(self, true)
    }

    /// The literal that is true when the variable is false.
    #[inline]
    pub fn negative(self) -> Lit {
        Lit::new(self, false)
    }
}

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The literal of `var` with this sign.
    #[inline]
    pub fn new(var: Var, positive: bool) -> Lit {
        debug_assert!(var.0 < 1 << 31, "variable number fits a literal");
        Lit(2 * var.0 + u32::from(!positive))
    }

    /// The literal with this code.
    #[inline]
    pub fn from_code(code: u32) -> Lit {
        Lit(code)
    }

    /// The literal's variable.
    #[inline]
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether the literal is the variable itself.
    #[inline]
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// `2 * variable + (1 if negated)`.
    #[inline]
    pub fn code(self) -> u32 {
        self.0
    }

    /// The code, as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal as DIMACS writes it: variables from 1, a minus sign for negation.
    pub fn to_dimacs(self) -> i64 {
        let number = i64::from(self.var().0) + 1;
        if self.is_positive() { number } else { -number }
    }

    /// The literal that DIMACS writes as `number`, which is not 0.
    #[cfg(feature = "testing")]
    pub fn from_dimacs(number: i64) -> Lit {
        assert!(number != 0, "0 ends a clause and is no literal");
        let var = u32::try_from(number.unsigned_abs() - 1).expect("variable number fits 32 bits");
        Lit::new(Var(var), number > 0)
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl std::fmt::Debug for Lit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.to_dimacs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_signs() {
        let lit = Lit::new(Var(3), false);
        assert_eq!((lit.code(), lit.var(), lit.is_positive()), (7, Var(3), false));
        assert_eq!(!lit, Var(3).positive());
        assert_eq!(!!lit, lit);
        assert_eq!(Lit::from_code(lit.code()), lit);
    }

    #[test]
    fn dimacs_numbers_round_trip() {
        for number in [1, -1, 7, -40] {
            assert_eq!(Lit::from_dimacs(number).to_dimacs(), number);
        }
        assert_eq!(format!("{:?}", Var(0).negative()), "-1");
    }
}
