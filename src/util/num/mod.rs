//! Exact integers and rationals.
//!
//! [`Int`] and [`Rat`] hold machine words as long as the value fits and go over to [`num_bigint`] when it
//! does not, so that no result ever wraps or rounds. Both are always normalised: a value that fits is held
//! small, a fraction is reduced with a positive denominator. Equality and hashing are therefore structural.
//!
//! Deliberately missing: floating point in any form, and conversions that lose information.

mod gcd;
mod int;
mod rat;

pub use int::{Int, ParseIntError};
pub use rat::Rat;

/// Implements a binary operator for all four ownership cases, and its assigning form, from a function on
/// two references.
macro_rules! binary {
    ($t:ty, $op:ident, $method:ident, $assign:ident, $assign_method:ident, $f:path) => {
        impl std::ops::$op<&$t> for &$t {
            type Output = $t;
            #[inline]
            fn $method(self, other: &$t) -> $t {
                $f(self, other)
            }
        }
        impl std::ops::$op<$t> for &$t {
            type Output = $t;
            #[inline]
            fn $method(self, other: $t) -> $t {
                $f(self, &other)
            }
        }
        impl std::ops::$op<&$t> for $t {
            type Output = $t;
            #[inline]
            fn $method(self, other: &$t) -> $t {
                $f(&self, other)
            }
        }
        impl std::ops::$op<$t> for $t {
            type Output = $t;
            #[inline]
            fn $method(self, other: $t) -> $t {
                $f(&self, &other)
            }
        }
        impl std::ops::$assign<&$t> for $t {
            #[inline]
            fn $assign_method(&mut self, other: &$t) {
                *self = $f(self, other);
            }
        }
        impl std::ops::$assign<$t> for $t {
            #[inline]
            fn $assign_method(&mut self, other: $t) {
                *self = $f(self, &other);
            }
        }
    };
}
use binary;

/// Integers around every limit the fast paths test for.
#[cfg(test)]
fn test_values() -> Vec<Int> {
    let mut values = Vec::new();
    for centre in
        [0, 1 << 31, 1 << 32, 3_037_000_500, i128::from(i64::MAX), 1 << 64, i128::from(i64::MAX) << 20]
    {
        for offset in [-3, -2, -1, 0, 1, 2, 3] {
            values.push(Int::from(centre + offset));
            values.push(Int::from(-centre + offset));
        }
    }
    values.extend([6, 12, 60, 97, -30].map(Int::from));
    values.push("123456789012345678901234567890123456789012345678901".parse().unwrap());
    values
}
