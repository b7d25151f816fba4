//! Integers of any size: a machine word while it fits, [`BigInt`] beyond.
//!
//! Invariant: the big form is used only for values outside `i64`, so derived equality is value equality.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use super::gcd::gcd_big;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive};

/// An integer of any size. Cloning one that fits `i64` copies two words.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Int(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    Big(Box<BigInt>),
}

impl Int {
    /// Zero.
    pub const ZERO: Int = Int(Repr::Small(0));
    /// One.
    pub const ONE: Int = Int(Repr::Small(1));
    /// Minus one.
    pub const MINUS_ONE: Int = Int(Repr::Small(-1));

    /// The value as a machine word, if it fits.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Repr::Small(a) => Some(a),
            Repr::Big(_) => None,
        }
    }

    /// The value as a [`BigInt`].
    pub fn to_big(&self) -> BigInt {
        match &self.0 {
            Repr::Small(a) => BigInt::from(*a),
            Repr::Big(a) => (**a).clone(),
        }
    }

    /// The value for the slow paths: nothing is copied if it is big already.
    fn as_big(&self) -> Cow<'_, BigInt> {
        match &self.0 {
            Repr::Small(a) => Cow::Owned(BigInt::from(*a)),
            Repr::Big(a) => Cow::Borrowed(a),
        }
    }

    /// Whether this is 0.
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0))
    }

    /// Whether this is 1.
    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Repr::Small(1))
    }

    /// Whether this is above 0.
    #[inline]
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    /// Whether this is below 0.
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// -1, 0 or 1.
    #[inline]
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Repr::Small(a) => a.signum() as i32,
            Repr::Big(a) => match a.sign() {
                Sign::Minus => -1,
                Sign::NoSign => 0,
                Sign::Plus => 1,
            },
        }
    }

    /// The absolute value.
    pub fn abs(&self) -> Int {
        match &self.0 {
            Repr::Small(a) => match a.checked_abs() {
                Some(b) => Int::from(b),
                None => Int::from(BigInt::from(*a).abs()),
            },
            Repr::Big(a) => Int::from(a.abs()),
        }
    }

    /// The greatest common divisor, never negative; `gcd(0, 0)` is 0.
    pub fn gcd(&self, other: &Int) -> Int {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => Int::from(a.unsigned_abs().gcd(&b.unsigned_abs())),
            (Repr::Small(0), _) => other.abs(),
            (Repr::Small(_), _) => {
                Int::from((other.as_big().as_ref() % self.as_big().as_ref()).abs()).gcd(self)
            }
            (_, Repr::Small(_)) => other.gcd(self),
            (Repr::Big(a), Repr::Big(b)) => Int::from(gcd_big(a, b)),
        }
    }

    /// The least common multiple, never negative.
    pub fn lcm(&self, other: &Int) -> Int {
        if self.is_zero() || other.is_zero() {
            return Int::ZERO;
        }
        (self.div_floor(&self.gcd(other)) * other).abs()
    }

    /// The quotient rounded towards minus infinity. Panics when `other` is 0.
    pub fn div_floor(&self, other: &Int) -> Int {
        match (&self.0, &other.0) {
            // The one quotient of two words that is no word.
            (Repr::Small(a), Repr::Small(b)) if !(*a == i64::MIN && *b == -1) => {
                Int::from(Integer::div_floor(a, b))
            }
            _ => Int::from(self.as_big().div_floor(&other.as_big())),
        }
    }

    /// The quotient rounded towards plus infinity. Panics when `other` is 0.
    pub fn div_ceil(&self, other: &Int) -> Int {
        -(-self).div_floor(other)
    }

    /// The remainder of [`Int::div_floor`]: 0 or of the sign of `other`. Panics when `other` is 0.
    pub fn mod_floor(&self, other: &Int) -> Int {
        match (&self.0, &other.0) {
            (Repr::Small(_), Repr::Small(-1)) => Int::ZERO,
            (Repr::Small(a), Repr::Small(b)) => Int::from(Integer::mod_floor(a, b)),
            _ => Int::from(self.as_big().mod_floor(&other.as_big())),
        }
    }

    /// Whether `self` divides `other`; 0 divides only 0.
    pub fn divides(&self, other: &Int) -> bool {
        if self.is_zero() { other.is_zero() } else { other.mod_floor(self).is_zero() }
    }

    /// Bytes held outside the value itself.
    pub fn heap_bytes(&self) -> u64 {
        match &self.0 {
            Repr::Small(_) => 0,
            Repr::Big(a) => size_of::<BigInt>() as u64 + a.bits() / 8 + 8,
        }
    }

    fn add_ref(&self, other: &Int) -> Int {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
            && let Some(c) = a.checked_add(*b)
        {
            return Int(Repr::Small(c));
        }
        Int::from(self.as_big().as_ref() + other.as_big().as_ref())
    }

    fn sub_ref(&self, other: &Int) -> Int {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
            && let Some(c) = a.checked_sub(*b)
        {
            return Int(Repr::Small(c));
        }
        Int::from(self.as_big().as_ref() - other.as_big().as_ref())
    }

    fn mul_ref(&self, other: &Int) -> Int {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0) {
            return match a.checked_mul(*b) {
                Some(c) => Int(Repr::Small(c)),
                None => Int::from(i128::from(*a) * i128::from(*b)),
            };
        }
        Int::from(self.as_big().as_ref() * other.as_big().as_ref())
    }
}

super::binary!(Int, Add, add, AddAssign, add_assign, Int::add_ref);
super::binary!(Int, Sub, sub, SubAssign, sub_assign, Int::sub_ref);
super::binary!(Int, Mul, mul, MulAssign, mul_assign, Int::mul_ref);

impl std::ops::Neg for &Int {
    type Output = Int;
    #[inline]
    fn neg(self) -> Int {
        match &self.0 {
            Repr::Small(a) => match a.checked_neg() {
                Some(b) => Int(Repr::Small(b)),
                None => Int::from(-BigInt::from(*a)),
            },
            Repr::Big(a) => Int::from(-(**a).clone()),
        }
    }
}

impl std::ops::Neg for Int {
    type Output = Int;
    #[inline]
    fn neg(self) -> Int {
        -&self
    }
}

impl Ord for Int {
    #[inline]
    fn cmp(&self, other: &Int) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            (Repr::Big(a), Repr::Big(b)) => a.cmp(b),
            // A big value lies beyond every word, on the side of its sign.
            (Repr::Small(_), Repr::Big(_)) => 0.cmp(&other.signum()),
            (Repr::Big(_), Repr::Small(_)) => self.signum().cmp(&0),
        }
    }
}

impl PartialOrd for Int {
    #[inline]
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for Int {
    fn default() -> Int {
        Int::ZERO
    }
}

impl From<i64> for Int {
    #[inline]
    fn from(value: i64) -> Int {
        Int(Repr::Small(value))
    }
}

impl From<i32> for Int {
    #[inline]
    fn from(value: i32) -> Int {
        Int(Repr::Small(value.into()))
    }
}

impl From<u64> for Int {
    fn from(value: u64) -> Int {
        match i64::try_from(value) {
            Ok(small) => Int(Repr::Small(small)),
            Err(_) => Int(Repr::Big(Box::new(BigInt::from(value)))),
        }
    }
}

impl From<i128> for Int {
    fn from(value: i128) -> Int {
        match i64::try_from(value) {
            Ok(small) => Int(Repr::Small(small)),
            Err(_) => Int(Repr::Big(Box::new(BigInt::from(value)))),
        }
    }
}

impl From<BigInt> for Int {
    fn from(value: BigInt) -> Int {
        match value.to_i64() {
            Some(small) => Int(Repr::Small(small)),
            None => Int(Repr::Big(Box::new(value))),
        }
    }
}

/// The text is not a decimal integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseIntError;

impl fmt::Display for ParseIntError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a decimal integer")
    }
}

impl std::error::Error for ParseIntError {}

impl FromStr for Int {
    type Err = ParseIntError;

    /// Reads an optional `-` and at least one ASCII digit; nothing else is accepted.
    fn from_str(text: &str) -> Result<Int, ParseIntError> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(ParseIntError);
        }
        if let Ok(small) = text.parse::<i64>() {
            return Ok(Int::from(small));
        }
        let magnitude = decimal(digits.as_bytes());
        Ok(Int::from(if text.len() > digits.len() { -magnitude } else { magnitude }))
    }
}

/// The number that decimal digits write. Halves are read and put together by one multiplication, so that long
/// texts cost what multiplications of their length cost, and not the square of it.
fn decimal(digits: &[u8]) -> BigInt {
    /// Up to this length reading digit by digit is faster.
    const SHORT: usize = 1024;
    let mut parts: Vec<BigInt> =
        digits.rchunks(SHORT).map(|part| BigInt::parse_bytes(part, 10).expect("decimal digits")).collect();
    let mut base = BigInt::from(10).pow(SHORT as u32);
    // Each round puts neighbours together: the least part stands first.
    while parts.len() > 1 {
        let pairs = parts.chunks(2);
        parts =
            pairs.map(|pair| pair.get(1).map_or(pair[0].clone(), |high| high * &base + &pair[0])).collect();
        if parts.len() > 1 {
            base = &base * &base;
        }
    }
    parts.pop().unwrap_or_default()
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(a) => fmt::Display::fmt(a, f),
            Repr::Big(a) => fmt::Display::fmt(a, f),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::num::test_values;

    #[test]
    fn agrees_with_big_integers() {
        let values = test_values();
        for a in &values {
            assert_eq!(Int::from(a.to_big()), *a);
            assert_eq!(a.to_string().parse::<Int>().unwrap(), *a);
            assert_eq!((-a).to_big(), -a.to_big());
            assert_eq!(a.abs().to_big(), a.to_big().abs());
            for b in &values {
                let (x, y) = (a.to_big(), b.to_big());
                assert_eq!(a + b, Int::from(&x + &y));
                assert_eq!(a - b, Int::from(&x - &y));
                assert_eq!(a * b, Int::from(&x * &y));
                assert_eq!(a.cmp(b), x.cmp(&y));
                assert_eq!(a.gcd(b), Int::from(x.gcd(&y)));
                assert_eq!(a.lcm(b), Int::from(x.lcm(&y)));
                if !b.is_zero() {
                    assert_eq!(a.div_floor(b), Int::from(x.div_floor(&y)));
                    assert_eq!(a.div_ceil(b), Int::from(Integer::div_ceil(&x, &y)));
                    assert_eq!(a.mod_floor(b), Int::from(x.mod_floor(&y)));
                    assert_eq!(a.div_floor(b) * b + a.mod_floor(b), *a);
                }
            }
        }
    }

    #[test]
    fn reads_decimal_text_only() {
        for bad in ["", "-", "+1", "1_0", " 1", "1 ", "0x1", "--1", "1.0"] {
            assert_eq!(bad.parse::<Int>(), Err(ParseIntError), "{bad:?}");
        }
        let long = format!("-1{}", "7".repeat(10_000));
        assert_eq!(long.parse::<Int>().unwrap().to_string(), long);
        for n in [1023, 1024, 1025, 2047, 2048, 2049, 3072, 5000, 20_000] {
            let long: String = (0..n).map(|i| char::from(b'1' + (i * 7 % 9) as u8)).collect();
            assert_eq!(long.parse::<Int>().unwrap().to_big(), long.parse::<BigInt>().unwrap(), "{n}");
        }
        assert_eq!("-000".parse::<Int>().unwrap(), Int::ZERO);
        let padded = format!("{}42", "0".repeat(40));
        assert_eq!(padded.parse::<Int>().unwrap(), Int::from(42));
    }
}
