//! Numbers of plain runs: a constant, or a symbol plus a constant.
//!
//! Nothing overflows silently: what leaves 126 bits is refused.

use super::{Answer, Stop, refused};
use crate::program::{BinOp, Cmp, IntKind};

/// Intervals with at most so many values are split to single ones where a single one is needed.
const FEW: i128 = 256;
/// No number is larger, nor smaller than its negation.
const LARGEST: i128 = 1 << 126;

/// `symbol + plus`; without a symbol `plus` alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub symbol: Option<usize>,
    pub plus: i128,
}

impl Number {
    pub(super) fn constant(n: i128) -> Number {
        Number { symbol: None, plus: n }
    }
}

fn checked(n: Option<i128>) -> Answer<i128> {
    match n {
        Some(n) if (-LARGEST..=LARGEST).contains(&n) => Ok(n),
        _ => refused("a number is too large"),
    }
}

/// The least and the greatest value that it may have.
pub(super) fn interval(n: Number, symbols: &[(i128, i128)]) -> Answer<(i128, i128)> {
    let (low, high) = n.symbol.map_or((0, 0), |s| symbols[s]);
    Ok((checked(low.checked_add(n.plus))?, checked(high.checked_add(n.plus))?))
}

/// Its only value. If it has few, the interval is halved.
pub(super) fn single(n: Number, symbols: &[(i128, i128)]) -> Answer<i128> {
    let (low, high) = interval(n, symbols)?;
    match n.symbol {
        _ if low == high => Ok(low),
        Some(symbol) if high - low < FEW => Err(Stop::Split(symbol, middle(symbols[symbol]))),
        _ => refused("a number with many values is calculated with"),
    }
}

/// The first number of the upper half.
fn middle((low, high): (i128, i128)) -> i128 {
    low + (high - low) / 2 + 1
}

/// Asks which side of a bound the number is on: `Ok` if all its values are below it, or none is.
fn below(n: Number, bound: i128, symbols: &[(i128, i128)]) -> Answer<bool> {
    let (low, high) = interval(n, symbols)?;
    match n.symbol {
        _ if high < bound => Ok(true),
        _ if low >= bound => Ok(false),
        Some(symbol) => Err(Stop::Split(symbol, bound - n.plus)),
        None => refused("a constant is on both sides of a bound"),
    }
}

/// Its negation.
pub(super) fn negated(n: Number, symbols: &[(i128, i128)]) -> Answer<Number> {
    Ok(Number::constant(-single(n, symbols)?))
}

/// The value of the kind that is congruent to it.
pub(super) fn wrapped(kind: IntKind, n: Number, symbols: &[(i128, i128)]) -> Answer<Number> {
    let (least, most) = (kind.min(), kind.max());
    let values = most - least + 1;
    // Below, within or above the values of the kind; each by itself is moved as a whole.
    let mut moved = n;
    for _ in 0..4 {
        if below(moved, least, symbols)? {
            moved.plus = checked(moved.plus.checked_add(values))?;
        } else if below(moved, most + 1, symbols)? {
            return Ok(moved);
        } else {
            moved.plus = checked(moved.plus.checked_sub(values))?;
        }
    }
    // Far away: only single values are moved that far.
    let value = single(n, symbols)?;
    let distance = (value - least).rem_euclid(values);
    Ok(Number::constant(least + distance))
}

/// The value of an operator. Division rounds towards zero; by zero, and shifts by what is no bit of 64, give 0.
pub(super) fn binary(op: BinOp, a: Number, b: Number, symbols: &[(i128, i128)]) -> Answer<Number> {
    match (op, a.symbol, b.symbol) {
        (BinOp::Add, _, None) => {
            return Ok(Number { symbol: a.symbol, plus: checked(a.plus.checked_add(b.plus))? });
        }
        (BinOp::Add, None, _) => {
            return Ok(Number { symbol: b.symbol, plus: checked(a.plus.checked_add(b.plus))? });
        }
        (BinOp::Sub, _, None) => {
            return Ok(Number { symbol: a.symbol, plus: checked(a.plus.checked_sub(b.plus))? });
        }
        (BinOp::Sub, Some(s), Some(t)) if s == t => {
            return Ok(Number::constant(checked(a.plus.checked_sub(b.plus))?));
        }
        _ => {}
    }
    let (a, b) = (single(a, symbols)?, single(b, symbols)?);
    let is_bit = (0..64).contains(&b);
    let value = match op {
        BinOp::Add => a.checked_add(b),
        BinOp::Sub => a.checked_sub(b),
        BinOp::Mul => a.checked_mul(b),
        BinOp::Div | BinOp::Rem if b == 0 => Some(0),
        BinOp::Div => Some(quotient(a, b)),
        BinOp::Rem => Some(a - quotient(a, b) * b),
        BinOp::BitAnd => Some(a & b),
        BinOp::BitOr => Some(a | b),
        BinOp::BitXor => Some(a ^ b),
        BinOp::Shl | BinOp::Shr if !is_bit => Some(0),
        BinOp::Shl => a.checked_mul(1i128 << b),
        BinOp::Shr => Some(a.div_euclid(1i128 << b)),
    };
    Ok(Number::constant(checked(value)?))
}

/// Towards zero: the sign is that of the signs, the size that of the sizes.
fn quotient(a: i128, b: i128) -> i128 {
    let size = (a.unsigned_abs() / b.unsigned_abs()) as i128;
    if (a < 0) == (b < 0) { size } else { -size }
}

/// The truth of a comparison.
pub(super) fn compared(cmp: Cmp, a: Number, b: Number, symbols: &[(i128, i128)]) -> Answer<bool> {
    match cmp {
        Cmp::Lt => less(a, b, symbols),
        Cmp::Gt => less(b, a, symbols),
        Cmp::Ge => Ok(!less(a, b, symbols)?),
        Cmp::Le => Ok(!less(b, a, symbols)?),
        Cmp::Eq => Ok(!less(a, b, symbols)? && !less(b, a, symbols)?),
        Cmp::Ne => Ok(less(a, b, symbols)? || less(b, a, symbols)?),
    }
}

fn constant_if_single(n: Number, symbols: &[(i128, i128)]) -> Answer<Number> {
    let (low, high) = interval(n, symbols)?;
    Ok(if low == high { Number::constant(low) } else { n })
}

fn less(a: Number, b: Number, symbols: &[(i128, i128)]) -> Answer<bool> {
    let (a, b) = (constant_if_single(a, symbols)?, constant_if_single(b, symbols)?);
    if a.symbol == b.symbol {
        return Ok(a.plus < b.plus);
    }
    let (low_a, high_a) = interval(a, symbols)?;
    let (low_b, high_b) = interval(b, symbols)?;
    if high_a < low_b {
        return Ok(true);
    }
    if low_a >= high_b {
        return Ok(false);
    }
    match (a.symbol, b.symbol) {
        (Some(_), None) => below(a, b.plus, symbols),
        // a < b unless b < a + 1.
        (None, Some(_)) => Ok(!below(b, checked(a.plus.checked_add(1))?, symbols)?),
        // Both are open: the one with fewer values is halved.
        (Some(s), Some(t)) => {
            let (size_a, size_b) = (high_a - low_a, high_b - low_b);
            let small = if size_a <= size_b { s } else { t };
            if size_a.min(size_b) < FEW {
                return Err(Stop::Split(small, middle(symbols[small])));
            }
            refused("two numbers with many values are compared")
        }
        (None, None) => Ok(a.plus < b.plus),
    }
}
