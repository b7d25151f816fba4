//! Numbers of conditions: `intmax_t` and `uintmax_t` (C11 6.10.1, 4), both of 64 bits.
//!
//! Where C leaves the result open (overflow, shifts beyond the width) the result is that of GCC.

/// A number with its signedness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    /// Its bits.
    pub(super) bits: u64,
    /// It is a `uintmax_t`.
    pub(super) unsigned: bool,
}

impl Number {
    /// An `intmax_t`.
    pub(super) fn signed(value: i64) -> Number {
        Number { bits: value as u64, unsigned: false }
    }

    fn truth(value: bool) -> Number {
        Number::signed(i64::from(value))
    }

    /// Whether a condition with this value holds.
    pub(super) fn holds(self) -> bool {
        self.bits != 0
    }

    fn is_negative(self) -> bool {
        !self.unsigned && (self.bits as i64) < 0
    }

    /// `!`, `-`, `+` or `~` before it.
    pub(super) fn unary(self, op: &str) -> Number {
        match op {
            "!" => Number::truth(!self.holds()),
            "-" => Number { bits: self.bits.wrapping_neg(), ..self },
            "~" => Number { bits: !self.bits, ..self },
            _ => self,
        }
    }

    /// The value of `?:` after its test chose this one; the other one counts for the type.
    pub(super) fn chosen_over(self, other: Number) -> Number {
        Number { unsigned: self.unsigned || other.unsigned, ..self }
    }

    /// `self op other` for the operators on two operands; `None`: a division by zero.
    pub(super) fn binary(self, op: &str, other: Number) -> Option<Number> {
        match op {
            "||" => return Some(Number::truth(self.holds() || other.holds())),
            "&&" => return Some(Number::truth(self.holds() && other.holds())),
            "<<" => return Some(self.shifted(other, true)),
            ">>" => return Some(self.shifted(other, false)),
            _ => {}
        }
        // If one operand is unsigned, the other is converted.
        let unsigned = self.unsigned || other.unsigned;
        let (a, b) = (self.bits, other.bits);
        let (x, y) = (a as i64, b as i64);
        let bits = match op {
            "==" => return Some(Number::truth(a == b)),
            "!=" => return Some(Number::truth(a != b)),
            "<" => return Some(Number::truth(if unsigned { a < b } else { x < y })),
            ">" => return Some(Number::truth(if unsigned { a > b } else { x > y })),
            "<=" => return Some(Number::truth(if unsigned { a <= b } else { x <= y })),
            ">=" => return Some(Number::truth(if unsigned { a >= b } else { x >= y })),
            "|" => a | b,
            "^" => a ^ b,
            "&" => a & b,
            "+" => a.wrapping_add(b),
            "-" => a.wrapping_sub(b),
            "*" => a.wrapping_mul(b),
            _ if b == 0 => return None,
            "/" if unsigned => a / b,
            "/" => x.wrapping_div(y) as u64,
            _ if unsigned => a % b,
            _ => x.wrapping_rem(y) as u64,
        };
        Some(Number { bits, unsigned })
    }

    /// A shift has the type of its left operand. By a negative number it goes the other way.
    fn shifted(self, by: Number, left: bool) -> Number {
        let (left, by) = if by.is_negative() { (!left, by.bits.wrapping_neg()) } else { (left, by.bits) };
        let fill = if self.is_negative() { u64::MAX } else { 0 };
        let bits = match (left, u32::try_from(by).ok().filter(|n| *n < 64)) {
            (true, Some(n)) => self.bits << n,
            (true, None) => 0,
            (false, Some(n)) if self.is_negative() => ((self.bits as i64) >> n) as u64,
            (false, Some(n)) => self.bits >> n,
            (false, None) => fill,
        };
        Number { bits, ..self }
    }
}
