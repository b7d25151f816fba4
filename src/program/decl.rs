//! Declarations of a program: structs (kinds of cells), fields, variables, and the ids by which everything
//! else names them.
//!
//! An id is an index into the vector of the [`Program`](super::Program) that declares it; ids of two programs
//! must not be mixed.

use crate::util::span::Span;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into the vector of declarations.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A struct: one kind of heap cells. Cells of different structs are disjoint.
    StructId
);
id!(
    /// A field of one struct.
    FieldId
);
id!(
    /// A variable: parameter, global, local, result or logical constant.
    VarId
);
/// A variable bound by a quantifier; unique within its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoundId(pub u32);
id!(
    /// A named moment whose state formulas may speak of ([`Command::Snapshot`](super::Command::Snapshot)).
    LabelId
);
id!(
    /// A location of the control-flow graph.
    LocationId
);
id!(
    /// An edge of the control-flow graph.
    EdgeId
);
id!(
    /// A loop of the source.
    LoopId
);

/// A C integer type. Signed arithmetic is mathematical (DESIGN 6, decision 6); unsigned arithmetic is made
/// exact by [`Expr::Wrap`](super::Expr::Wrap) in the lowered program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IntKind {
    /// Width in bits.
    pub bits: u8,
    /// Whether negative values exist.
    pub signed: bool,
}

impl IntKind {
    /// C's `int`.
    pub const INT: IntKind = IntKind { bits: 32, signed: true };

    /// Smallest value.
    #[must_use]
    pub fn min(self) -> i128 {
        if self.signed { -(1i128 << (self.bits.clamp(1, 64) - 1)) } else { 0 }
    }

    /// Largest value.
    #[must_use]
    pub fn max(self) -> i128 {
        let bits = self.bits.clamp(1, 64);
        if self.signed { (1i128 << (bits - 1)) - 1 } else { (1i128 << bits) - 1 }
    }

    /// The value of the kind that is congruent to `n` modulo 2^bits.
    #[must_use]
    pub fn wrap(self, n: i128) -> i128 {
        let modulus = 1i128 << self.bits.clamp(1, 64);
        let low = n.rem_euclid(modulus);
        if low > self.max() { low - modulus } else { low }
    }
}

/// The type of a variable or a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// An integer (also `_Bool`, characters and enumerations).
    Int(IntKind),
    /// A pointer to a cell of the struct, or null.
    Ptr(StructId),
    /// An array of integers; variables only.
    IntArray(IntKind),
    /// An array of pointers; variables only.
    PtrArray(StructId),
}

impl Type {
    /// The struct pointed to.
    #[must_use]
    pub fn pointee(self) -> Option<StructId> {
        match self {
            Type::Ptr(s) => Some(s),
            _ => None,
        }
    }

    /// What an array holds.
    #[must_use]
    pub fn element(self) -> Option<Type> {
        match self {
            Type::IntArray(kind) => Some(Type::Int(kind)),
            Type::PtrArray(s) => Some(Type::Ptr(s)),
            _ => None,
        }
    }
}

/// How the invented names of the structs begin whose cells are variables.
pub const VARIABLE: &str = "variable of type ";

/// One kind of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Struct {
    /// The type as C writes it, `struct node` or the name of a typedef, or an invented name (address-taken
    /// variables live in cells of invented structs).
    pub name: String,
    /// Its fields, in the order of the source.
    pub fields: Vec<FieldId>,
}

/// A field of a struct. A field of type `Ptr(owner)` is a link field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name in the source; of an embedded struct's field the path, `a.b`.
    pub name: String,
    /// The struct it belongs to.
    pub owner: StructId,
    /// `Int` or `Ptr`.
    pub ty: Type,
    /// Declared in an annotation, written by ghost statements only.
    pub ghost: bool,
}

impl Field {
    /// Whether cells of one struct are linked to cells of the same struct by it.
    #[must_use]
    pub fn is_link(&self) -> bool {
        self.ty == Type::Ptr(self.owner)
    }
}

/// What a variable is in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VarKind {
    /// Parameter of the function; its entry value is arbitrary under the entry condition.
    Param,
    /// Global; alive at the exit.
    Global,
    /// Local of the source (also of an inlined function).
    Local,
    /// Invented by lowering; never shown, dead at every loop head unless used there.
    Temp,
    /// Ghost constant of a contract (`logic T *u`): arbitrary, never assigned.
    Logic,
    /// What the function returns; assigned before the exit location is reached.
    Result,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Var {
    /// Name as shown; unique in its program (a shadowing local is renamed `x#2`).
    pub name: String,
    /// Type.
    pub ty: Type,
    /// Role.
    pub kind: VarKind,
    /// Number of elements of a local or global array; an array parameter has an unknown length.
    pub len: Option<u64>,
    /// Where it is declared.
    pub span: Span,
}
