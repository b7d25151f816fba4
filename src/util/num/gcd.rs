//! The greatest common divisor of long integers, by Lehmer's method (Knuth, volume 2, section 4.5.2, algorithm L).
//!
//! The quotients of Euclid's algorithm depend on the leading digits. So many steps are done on machine words,
//! and one pass over the long numbers makes up for all of them, which shortens both by about thirty bits. The
//! binary algorithm takes a pass for every bit or two.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::Zero;

/// Bits of the leading parts.
const LEADING: u64 = 62;

/// The greatest common divisor, never negative.
pub(super) fn gcd_big(a: &BigInt, b: &BigInt) -> BigInt {
    let (a, b) = (a.magnitude(), b.magnitude());
    let (a, b) = if a < b { (b, a) } else { (a, b) };
    // Often one number divides the other, or one is short, above all 1.
    if b.is_zero() || b.bits() == 1 {
        return BigInt::from_biguint(Sign::Plus, if b.is_zero() { a.clone() } else { b.clone() });
    }
    let rest = a % b;
    if rest.is_zero() {
        return BigInt::from_biguint(Sign::Plus, b.clone());
    }
    BigInt::from_biguint(Sign::Plus, lehmer(b.clone(), rest))
}

/// Of `a > b > 0`.
fn lehmer(mut a: BigUint, mut b: BigUint) -> BigUint {
    while b.bits() > 2 * LEADING {
        let (p, q, r, s) = cofactors(&a, &b);
        if q == 0 {
            (a, b) = (b.clone(), a % b);
        } else {
            (a, b) = (combine(&a, p, &b, q), combine(&a, r, &b, s));
        }
    }
    if b.is_zero() {
        return a;
    }
    let rest = a % &b;
    if rest.is_zero() { b } else { b.gcd(&rest) }
}

/// Steps of Euclid's algorithm that the leading bits decide: the pair becomes `(p a + q b, r a + s b)`.
fn cofactors(a: &BigUint, b: &BigUint) -> (i64, i64, i64, i64) {
    let shift = a.bits() - LEADING;
    let (mut x, mut y) = (leading(a, shift), leading(b, shift));
    let (mut p, mut q, mut r, mut s) = (1, 0, 0, 1);
    while y + r != 0 && y + s != 0 {
        let quotient = (x + p) / (y + r);
        // Whatever the lower bits are, the quotient lies between these two.
        if quotient != (x + q) / (y + s) {
            break;
        }
        (p, r) = (r, p - quotient * r);
        (q, s) = (s, q - quotient * s);
        (x, y) = (y, x - quotient * y);
    }
    (p, q, r, s)
}

/// The number without its lowest bits; at most [`LEADING`] are left.
fn leading(number: &BigUint, shift: u64) -> i64 {
    let (word, bit) = ((shift / 64) as usize, shift % 64);
    let digits = number.iter_u64_digits();
    let n_digits = digits.len();
    // Counted from the end, where there are few.
    let digit = |i: usize| match n_digits.checked_sub(i + 1) {
        Some(from_end) => number.iter_u64_digits().rev().nth(from_end).unwrap_or(0),
        None => 0,
    };
    let high = if bit == 0 { 0 } else { digit(word + 1) << (64 - bit) };
    (digit(word) >> bit | high) as i64
}

/// `p a + q b`, which is not negative; the factors have different signs, or one is 0.
fn combine(a: &BigUint, p: i64, b: &BigUint, q: i64) -> BigUint {
    let (left, right) = (a * p.unsigned_abs(), b * q.unsigned_abs());
    match (p < 0, q < 0) {
        (false, true) => left - right,
        (true, false) => right - left,
        _ => left + right,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::rng::Rng;

    fn random(rng: &mut Rng, n_words: usize) -> BigInt {
        let words: Vec<u32> = (0..n_words).map(|_| rng.next_u64() as u32).collect();
        BigInt::from_biguint(if rng.one_in(2) { Sign::Plus } else { Sign::Minus }, BigUint::new(words))
    }

    #[test]
    fn agrees_with_the_binary_algorithm() {
        let mut rng = Rng::new(5);
        for round in 0..2000 {
            let n_words = 1 + rng.below(if round % 50 == 0 { 400 } else { 30 });
            let more = 1 + rng.below(40);
            let (a, b, c) = (random(&mut rng, n_words), random(&mut rng, more), random(&mut rng, more));
            for (x, y) in [(&a * &b, &a * &c), (a.clone(), b.clone()), (&a * &b, a.clone()), (&a + 1, a)] {
                assert_eq!(gcd_big(&x, &y), x.gcd(&y), "{x} {y}");
            }
        }
    }

    /// Neighbours of Fibonacci have all quotients 1; powers of two have none but large ones.
    #[test]
    fn extreme_quotients() {
        let (mut a, mut b) = (BigInt::from(1), BigInt::from(1));
        for _ in 0..3000 {
            (a, b) = (&a + &b, a);
        }
        assert_eq!(gcd_big(&a, &b), BigInt::from(1));
        let seven = BigInt::from(7);
        assert_eq!(gcd_big(&(&a * &seven), &(&b * &seven)), seven);
        let power = |n: u32| BigInt::from(2).pow(n);
        for (x, y) in
            [(power(500), power(300)), (power(500) - 1, power(300) - 1), (power(640) + 1, power(639))]
        {
            assert_eq!(gcd_big(&x, &y), x.gcd(&y));
        }
        assert_eq!(gcd_big(&BigInt::ZERO, &power(70)), power(70));
        assert_eq!(gcd_big(&BigInt::ZERO, &BigInt::ZERO), BigInt::ZERO);
    }
}
