//! Exact rationals: two machine words while they fit, a pair of [`BigInt`] beyond.
//!
//! Invariant: numerator and denominator are coprime, the denominator is positive, and the big form is used
//! only when one of them does not fit `i64`. Small operands are combined in `i128`, where no intermediate
//! value of a sum, product or comparison can overflow.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::Int;
use super::gcd::gcd_big;

/// An exact rational number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rat(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64, i64),
    Big(Box<(BigInt, BigInt)>),
}

/// The sign-free gcd of two `i128`; most are words, whose division is several times faster.
fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b > u128::from(u64::MAX) {
        (a, b) = (b, a % b);
    }
    if b == 0 {
        return a as i128;
    }
    let (mut x, mut y) = (b as u64, (a % b) as u64);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    i128::from(x)
}

impl Rat {
    /// Zero.
    pub const ZERO: Rat = Rat(Repr::Small(0, 1));
    /// One.
    pub const ONE: Rat = Rat(Repr::Small(1, 1));

    /// The quotient of two integers. Panics when `denominator` is 0.
    pub fn new(numerator: &Int, denominator: &Int) -> Rat {
        assert!(!denominator.is_zero(), "a rational has a nonzero denominator");
        match (numerator.to_i64(), denominator.to_i64()) {
            (Some(a), Some(b)) => Rat::from_i128(a.into(), b.into()),
            _ => Rat::from_big(numerator.to_big(), denominator.to_big()),
        }
    }

    fn from_i128(mut n: i128, mut d: i128) -> Rat {
        let g = gcd(n, d);
        if g != 1 {
            (n, d) = (n / g, d / g);
        }
        if d < 0 {
            (n, d) = (-n, -d);
        }
        match (i64::try_from(n), i64::try_from(d)) {
            (Ok(n), Ok(d)) => Rat(Repr::Small(n, d)),
            _ => Rat(Repr::Big(Box::new((BigInt::from(n), BigInt::from(d))))),
        }
    }

    fn from_big(mut n: BigInt, mut d: BigInt) -> Rat {
        let g = gcd_big(&n, &d);
        if !g.is_one() {
            (n, d) = (n / &g, d / g);
        }
        if d.is_negative() {
            (n, d) = (-n, -d);
        }
        Rat::from_reduced(n, d)
    }

    /// Of a numerator and a positive denominator without a common factor.
    fn from_reduced(n: BigInt, d: BigInt) -> Rat {
        match (n.to_i64(), d.to_i64()) {
            (Some(n), Some(d)) => Rat(Repr::Small(n, d)),
            _ => Rat(Repr::Big(Box::new((n, d)))),
        }
    }

    /// The sum of reduced fractions. Divisors are looked for in the denominators, which are shorter than what would have to
    /// be divided in the end (Knuth, volume 2, section 4.5.1).
    fn add_big(a: &BigInt, b: &BigInt, c: &BigInt, d: &BigInt) -> Rat {
        let g = gcd_big(b, d);
        if g.is_one() {
            return Rat::from_reduced(a * d + c * b, b * d);
        }
        let (b, d_part) = (b / &g, d / &g);
        let t = a * &d_part + c * &b;
        let h = gcd_big(&t, &g);
        if h.is_one() { Rat::from_reduced(t, b * d) } else { Rat::from_reduced(t / &h, b * (d / h)) }
    }

    /// The product of reduced fractions, by the same consideration. The denominators are positive.
    fn mul_big(a: &BigInt, b: &BigInt, c: &BigInt, d: &BigInt) -> Rat {
        let divided = |x: &BigInt, g: &BigInt| if g.is_one() { x.clone() } else { x / g };
        let (g, h) = (gcd_big(a, d), gcd_big(c, b));
        Rat::from_reduced(divided(a, &g) * divided(c, &h), divided(b, &h) * divided(d, &g))
    }

    /// Numerator and denominator for the slow paths: nothing is copied if they are big already.
    fn as_big(&self) -> Cow<'_, (BigInt, BigInt)> {
        match &self.0 {
            Repr::Small(n, d) => Cow::Owned((BigInt::from(*n), BigInt::from(*d))),
            Repr::Big(nd) => Cow::Borrowed(nd),
        }
    }

    /// The numerator of the reduced fraction; it carries the sign.
    pub fn numerator(&self) -> Int {
        match &self.0 {
            Repr::Small(n, _) => Int::from(*n),
            Repr::Big(nd) => Int::from(nd.0.clone()),
        }
    }

    /// The denominator of the reduced fraction; positive.
    pub fn denominator(&self) -> Int {
        match &self.0 {
            Repr::Small(_, d) => Int::from(*d),
            Repr::Big(nd) => Int::from(nd.1.clone()),
        }
    }

    /// Whether this is 0.
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0, _))
    }

    /// Whether this is 1.
    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Repr::Small(1, 1))
    }

    /// Whether the denominator is 1.
    #[inline]
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small(_, d) => *d == 1,
            Repr::Big(nd) => nd.1.is_one(),
        }
    }

    /// The value as an integer, if it is one.
    pub fn to_int(&self) -> Option<Int> {
        self.is_integer().then(|| self.numerator())
    }

    /// -1, 0 or 1.
    #[inline]
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Repr::Small(n, _) => n.signum() as i32,
            Repr::Big(nd) if nd.0.is_negative() => -1,
            Repr::Big(nd) => i32::from(!nd.0.is_zero()),
        }
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

    /// The greatest integer not above the value.
    pub fn floor(&self) -> Int {
        match &self.0 {
            Repr::Small(n, d) => Int::from(Integer::div_floor(n, d)),
            Repr::Big(nd) => Int::from(nd.0.div_floor(&nd.1)),
        }
    }

    /// The least integer not below the value.
    pub fn ceil(&self) -> Int {
        if self.is_integer() { self.numerator() } else { self.floor() + Int::ONE }
    }

    /// The absolute value.
    pub fn abs(&self) -> Rat {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// One divided by the value. Panics when it is 0.
    pub fn recip(&self) -> Rat {
        assert!(!self.is_zero(), "zero has no reciprocal");
        match &self.0 {
            Repr::Small(n, d) if *n > 0 => Rat(Repr::Small(*d, *n)),
            Repr::Small(n, d) => Rat::from_i128((*d).into(), (*n).into()),
            Repr::Big(nd) if nd.0.is_negative() => Rat::from_reduced(-nd.1.clone(), -nd.0.clone()),
            Repr::Big(nd) => Rat::from_reduced(nd.1.clone(), nd.0.clone()),
        }
    }

    /// Compares with an integer, without making a fraction of it.
    #[inline]
    pub fn cmp_int(&self, other: &Int) -> Ordering {
        match (&self.0, other.to_i64()) {
            (Repr::Small(n, 1), Some(k)) => n.cmp(&k),
            (Repr::Small(n, d), Some(k)) => i128::from(*n).cmp(&(i128::from(k) * i128::from(*d))),
            _ => self.cmp(&Rat::from(other)),
        }
    }

    /// Bytes held outside the value itself.
    pub fn heap_bytes(&self) -> u64 {
        match &self.0 {
            Repr::Small(..) => 0,
            Repr::Big(nd) => size_of::<(BigInt, BigInt)>() as u64 + (nd.0.bits() + nd.1.bits()) / 8 + 16,
        }
    }

    fn add_ref(&self, other: &Rat) -> Rat {
        match (&self.0, &other.0) {
            (Repr::Small(a, b), Repr::Small(c, d)) => {
                if *b == 1
                    && *d == 1
                    && let Some(n) = a.checked_add(*c)
                {
                    return Rat(Repr::Small(n, 1));
                }
                let (a, b, c, d) = (i128::from(*a), i128::from(*b), i128::from(*c), i128::from(*d));
                Rat::from_i128(a * d + c * b, b * d)
            }
            _ => {
                let (x, y) = (self.as_big(), other.as_big());
                let ((a, b), (c, d)) = (&*x, &*y);
                Rat::add_big(a, b, c, d)
            }
        }
    }

    fn sub_ref(&self, other: &Rat) -> Rat {
        self.add_ref(&-other)
    }

    fn mul_ref(&self, other: &Rat) -> Rat {
        match (&self.0, &other.0) {
            (Repr::Small(a, b), Repr::Small(c, d)) => {
                if *b == 1
                    && *d == 1
                    && let Some(n) = a.checked_mul(*c)
                {
                    return Rat(Repr::Small(n, 1));
                }
                Rat::from_i128(i128::from(*a) * i128::from(*c), i128::from(*b) * i128::from(*d))
            }
            _ => {
                let (x, y) = (self.as_big(), other.as_big());
                let ((a, b), (c, d)) = (&*x, &*y);
                Rat::mul_big(a, b, c, d)
            }
        }
    }

    fn div_ref(&self, other: &Rat) -> Rat {
        assert!(!other.is_zero(), "division of a rational by zero");
        match (&self.0, &other.0) {
            (Repr::Small(a, b), Repr::Small(c, d)) => {
                Rat::from_i128(i128::from(*a) * i128::from(*d), i128::from(*b) * i128::from(*c))
            }
            _ => {
                let (x, y) = (self.as_big(), other.recip());
                let ((a, b), y) = (&*x, y.as_big());
                Rat::mul_big(a, b, &y.0, &y.1)
            }
        }
    }
}

super::binary!(Rat, Add, add, AddAssign, add_assign, Rat::add_ref);
super::binary!(Rat, Sub, sub, SubAssign, sub_assign, Rat::sub_ref);
super::binary!(Rat, Mul, mul, MulAssign, mul_assign, Rat::mul_ref);
super::binary!(Rat, Div, div, DivAssign, div_assign, Rat::div_ref);

impl std::ops::Neg for &Rat {
    type Output = Rat;
    #[inline]
    fn neg(self) -> Rat {
        match &self.0 {
            Repr::Small(n, d) => match n.checked_neg() {
                Some(m) => Rat(Repr::Small(m, *d)),
                None => Rat::from_i128(-i128::from(*n), (*d).into()),
            },
            Repr::Big(nd) => Rat::from_reduced(-nd.0.clone(), nd.1.clone()),
        }
    }
}

impl std::ops::Neg for Rat {
    type Output = Rat;
    #[inline]
    fn neg(self) -> Rat {
        -&self
    }
}

impl Ord for Rat {
    #[inline]
    fn cmp(&self, other: &Rat) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a, b), Repr::Small(c, d)) if b == d => a.cmp(c),
            (Repr::Small(a, b), Repr::Small(c, d)) => {
                (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)))
            }
            _ => {
                let (x, y) = (self.as_big(), other.as_big());
                let ((a, b), (c, d)) = (&*x, &*y);
                (a * d).cmp(&(c * b))
            }
        }
    }
}

impl PartialOrd for Rat {
    #[inline]
    fn partial_cmp(&self, other: &Rat) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for Rat {
    fn default() -> Rat {
        Rat::ZERO
    }
}

impl From<i64> for Rat {
    #[inline]
    fn from(value: i64) -> Rat {
        Rat(Repr::Small(value, 1))
    }
}

impl From<&Int> for Rat {
    fn from(value: &Int) -> Rat {
        match value.to_i64() {
            Some(n) => Rat(Repr::Small(n, 1)),
            None => Rat(Repr::Big(Box::new((value.to_big(), BigInt::one())))),
        }
    }
}

impl fmt::Display for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_integer() {
            write!(f, "{}", self.numerator())
        } else {
            write!(f, "{}/{}", self.numerator(), self.denominator())
        }
    }
}

impl fmt::Debug for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::num::test_values;
    use crate::util::rng::Rng;

    fn check_normal(r: &Rat) {
        let (n, d) = (r.numerator(), r.denominator());
        assert!(d.is_positive() && n.gcd(&d).is_one());
        assert_eq!(matches!(r.0, Repr::Small(..)), n.to_i64().is_some() && d.to_i64().is_some());
    }

    /// Whether `r` is `n / d`, decided on big integers alone.
    fn is(r: &Rat, n: BigInt, d: BigInt) -> bool {
        check_normal(r);
        r.numerator().to_big() * d == n * r.denominator().to_big()
    }

    #[test]
    fn agrees_with_pairs_of_big_integers() {
        let values = test_values();
        let mut rng = Rng::new(7);
        let mut pick = || rng.pick(&values).clone();
        for _ in 0..20_000 {
            let (a, b, c, d) = (pick(), pick(), pick(), pick());
            if b.is_zero() || d.is_zero() {
                continue;
            }
            let (r, s) = (Rat::new(&a, &b), Rat::new(&c, &d));
            let (a, b, c, d) = (a.to_big(), b.to_big(), c.to_big(), d.to_big());
            assert!(is(&r, a.clone(), b.clone()));
            assert!(is(&-&r, -a.clone(), b.clone()));
            assert!(is(&(&r + &s), &a * &d + &c * &b, &b * &d));
            assert!(is(&(&r - &s), &a * &d - &c * &b, &b * &d));
            assert!(is(&(&r * &s), &a * &c, &b * &d));
            if !s.is_zero() {
                assert!(is(&(&r / &s), &a * &d, &b * &c));
                assert!(is(&s.recip(), d.clone(), c.clone()));
            }
            let sign = (&a * &d * &b * &d).cmp(&(&c * &b * &d * &b));
            assert_eq!(r.cmp(&s), sign);
            assert_eq!(r == s, sign == Ordering::Equal);
            assert_eq!(r.cmp_int(&Int::from(c.clone())), r.cmp(&Rat::from(&Int::from(c.clone()))));
            assert_eq!(r.floor().to_big(), a.div_floor(&b));
            assert_eq!(r.ceil().to_big(), Integer::div_ceil(&a, &b));
            assert_eq!(r.is_integer(), r.floor() == r.ceil());
        }
    }
}
