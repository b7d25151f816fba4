//! Values of C: numbers that may be symbolic, addresses, functions, fragments of them.

use crate::frontend::c::types::FloatKind;

/// An unknown number of one path.
pub(super) type Symbol = u32;

/// A sum of symbols with factors, and a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Linear {
    pub(super) constant: i128,
    /// Sorted by symbol; no factor is 0.
    pub(super) terms: Vec<(Symbol, i128)>,
}

impl Linear {
    pub(super) fn number(constant: i128) -> Linear {
        Linear { constant, terms: Vec::new() }
    }

    pub(super) fn symbol(symbol: Symbol) -> Linear {
        Linear { constant: 0, terms: vec![(symbol, 1)] }
    }

    /// The number that it is.
    pub(super) fn known(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self + factor * other`; `None` beyond 128 bits.
    pub(super) fn plus(&self, factor: i128, other: &Linear) -> Option<Linear> {
        let constant = self.constant.checked_add(factor.checked_mul(other.constant)?)?;
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (symbol, sum) = match (a.peek(), b.peek()) {
                (Some((x, n)), Some((y, m))) if x == y => {
                    a.next();
                    b.next();
                    (*x, n.checked_add(factor.checked_mul(*m)?)?)
                }
                (Some((x, n)), Some((y, _))) if x < y => {
                    a.next();
                    (*x, *n)
                }
                (_, Some((y, m))) => {
                    b.next();
                    (*y, factor.checked_mul(*m)?)
                }
                (Some((x, n)), None) => {
                    a.next();
                    (*x, *n)
                }
                (None, None) => break,
            };
            if sum != 0 {
                terms.push((symbol, sum));
            }
        }
        Some(Linear { constant, terms })
    }

    pub(super) fn shifted(&self, by: i128) -> Option<Linear> {
        Some(Linear { constant: self.constant.checked_add(by)?, terms: self.terms.clone() })
    }

    pub(super) fn times(&self, factor: i128) -> Option<Linear> {
        Linear::number(0).plus(factor, self)
    }

    /// The greatest number that divides all factors; 0 if there are none.
    pub(super) fn step(&self) -> i128 {
        self.terms.iter().fold(0, |g, (_, n)| gcd(g, n.abs()))
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// An object of the memory.
pub(super) type ObjectId = u32;

/// A value. Pointers may stand in integers and the other way round.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// A number; as a pointer, null or an address that no object has.
    Int(Linear),
    /// So many bytes behind the beginning of an object.
    Pointer(ObjectId, Linear),
    /// A function of the unit.
    Function(u32),
    /// A number with a fraction.
    Float(f64),
    /// Some number with a fraction.
    AnyFloat,
    /// A pointer that was never assigned: null if the number is 0, else an address that no object has.
    Wild(Linear),
    /// One byte of a value that takes so many.
    Fragment(Box<Value>, u8, u8),
    /// A struct or union.
    Record(Box<Bytes>),
    /// One of these, in a chain: which one differs from cell to cell.
    Either(Vec<Value>),
    /// Nothing is known of it: whoever looks at it gives up.
    Unknown,
}

impl Value {
    pub(super) const fn int(value: i128) -> Value {
        Value::Int(Linear { constant: value, terms: Vec::new() })
    }

    /// Null, or the number.
    pub(super) fn known(&self) -> Option<i128> {
        match self {
            Value::Int(linear) => linear.known(),
            _ => None,
        }
    }

    pub(super) fn float(value: f64, kind: FloatKind) -> Value {
        match kind {
            FloatKind::Single => Value::Float(f64::from(value as f32)),
            FloatKind::Double => Value::Float(value),
            // It has more digits.
            FloatKind::Extended => Value::AnyFloat,
        }
    }
}

/// What bytes hold that were never assigned one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    /// Anything.
    Arbitrary,
    /// 0
    Zero,
}

/// What some bytes next to each other hold.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Content {
    Fill(Fill),
    Value(Value),
}

/// A copy of some bytes: places, lengths and contents, without gaps.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bytes {
    pub(super) size: u64,
    pub(super) pieces: Vec<(u64, u64, Content)>,
}
