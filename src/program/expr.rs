//! Expressions and conditions of commands: heap-free, without side effects, total.
//!
//! What reads the heap is a command of its own ([`Command::Load`](super::Command::Load)), what may fail
//! (division) is preceded by an assertion, `&&`, `||` and `?:` over anything that may fail are branches of
//! the graph. So an expression has a value in every state.

use super::decl::{IntKind, StructId, VarId};

/// Operators on two integers. `Div` and `Rem` truncate towards zero as in C; with a zero divisor, and shifts
/// by an amount outside 0..64, the value is 0 (the front end asserts that this does not happen).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BinOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `&` of two's complement representations
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<<`
    Shl,
    /// `>>`, arithmetic
    Shr,
}

impl BinOp {
    /// Its value on two integers; `None` if it does not fit into 128 bits.
    #[must_use]
    pub fn apply(self, a: i128, b: i128) -> Option<i128> {
        match self {
            BinOp::Add => a.checked_add(b),
            BinOp::Sub => a.checked_sub(b),
            BinOp::Mul => a.checked_mul(b),
            BinOp::Div if b == 0 => Some(0),
            BinOp::Div => a.checked_div(b),
            BinOp::Rem if b == 0 => Some(0),
            BinOp::Rem => a.checked_rem(b),
            BinOp::BitAnd => Some(a & b),
            BinOp::BitOr => Some(a | b),
            BinOp::BitXor => Some(a ^ b),
            BinOp::Shl if !(0..64).contains(&b) => Some(0),
            BinOp::Shl => a.checked_mul(1 << b),
            BinOp::Shr if !(0..64).contains(&b) => Some(0),
            BinOp::Shr => Some(a >> b),
        }
    }
}

/// A heap-free value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// Value of a variable that is no array.
    Var(VarId),
    /// The null pointer of a struct.
    Null(StructId),
    /// An integer.
    Int(i128),
    /// `-e`
    Neg(Box<Expr>),
    /// `~e`
    BitNot(Box<Expr>),
    /// `a op b`
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// The value of the kind that is congruent modulo 2^bits: what unsigned arithmetic and conversions do.
    Wrap(IntKind, Box<Expr>),
}

/// Comparisons; pointers have `Eq` and `Ne` only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cmp {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl Cmp {
    /// The comparison that holds exactly when this one does not.
    #[must_use]
    pub fn negated(self) -> Cmp {
        match self {
            Cmp::Eq => Cmp::Ne,
            Cmp::Ne => Cmp::Eq,
            Cmp::Lt => Cmp::Ge,
            Cmp::Le => Cmp::Gt,
            Cmp::Gt => Cmp::Le,
            Cmp::Ge => Cmp::Lt,
        }
    }

    /// The comparison with its sides exchanged.
    #[must_use]
    pub fn mirrored(self) -> Cmp {
        match self {
            Cmp::Eq | Cmp::Ne => self,
            Cmp::Lt => Cmp::Gt,
            Cmp::Le => Cmp::Ge,
            Cmp::Gt => Cmp::Lt,
            Cmp::Ge => Cmp::Le,
        }
    }

    /// Its truth on two numbers.
    #[must_use]
    pub fn holds<T: Ord>(self, a: &T, b: &T) -> bool {
        match self {
            Cmp::Eq => a == b,
            Cmp::Ne => a != b,
            Cmp::Lt => a < b,
            Cmp::Le => a <= b,
            Cmp::Gt => a > b,
            Cmp::Ge => a >= b,
        }
    }
}

/// A heap-free condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cond {
    /// Always, never.
    Const(bool),
    /// Two values of one type.
    Compare(Cmp, Expr, Expr),
    /// Negation.
    Not(Box<Cond>),
    /// All of them.
    And(Vec<Cond>),
    /// One of them.
    Or(Vec<Cond>),
}

impl Cond {
    /// `a == b`
    #[must_use]
    pub fn eq(a: Expr, b: Expr) -> Cond {
        Cond::Compare(Cmp::Eq, a, b)
    }

    /// `a != b`
    #[must_use]
    pub fn ne(a: Expr, b: Expr) -> Cond {
        Cond::Compare(Cmp::Ne, a, b)
    }

    /// The negation, pushed to the comparisons.
    #[must_use]
    pub fn negated(&self) -> Cond {
        match self {
            Cond::Const(value) => Cond::Const(!value),
            Cond::Compare(cmp, a, b) => Cond::Compare(cmp.negated(), a.clone(), b.clone()),
            Cond::Not(inner) => (**inner).clone(),
            Cond::And(parts) => Cond::Or(parts.iter().map(Cond::negated).collect()),
            Cond::Or(parts) => Cond::And(parts.iter().map(Cond::negated).collect()),
        }
    }
}
