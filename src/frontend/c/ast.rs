//! The syntax tree: what was written, before names are resolved and types are checked.
//!
//! Annotations share the expression type with C ([`ExprKind::Builtin`] and the variants after it occur in
//! annotations only), because their terms are C expressions. A construct that no model exists for is one
//! [`ExprKind::Unsupported`] or [`StmtKind::Unsupported`] node: the parser skips over it and the checker reports
//! it for the function that contains it.

mod clause;

pub use super::specifiers::{Attributes, Specifiers};
pub use clause::{Clause, ClauseKind};

use super::token::Name;
use crate::frontend::diagnostic::Span;
use std::rc::Rc;

/// Operators on two operands that are evaluated both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// Arithmetic.
    Arithmetic(crate::program::BinOp),
    /// Comparison.
    Compare(crate::program::Cmp),
    /// `&&`
    And,
    /// `||`
    Or,
    /// `==>`, annotations only.
    Implies,
    /// `<==>`, annotations only.
    Iff,
    /// `\in`, annotations only.
    In,
}

/// Operators on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `+e`
    Plus,
    /// `-e`
    Neg,
    /// `!e`
    Not,
    /// `~e`
    BitNot,
    /// `*e`
    Deref,
    /// `&e`
    Address,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
    /// Height of the tree; bounded by the parser, so that recursion over trees is safe.
    pub height: u32,
}

/// Kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A variable, function or enumerator.
    Name(Name),
    /// An integer constant.
    Int(super::number::Literal),
    /// A floating-point constant and its type.
    Float(f64, super::types::FloatKind),
    /// A character constant.
    Char(i64),
    /// A string literal, pieces joined.
    Str(Vec<u8>),
    /// `op e`
    Unary(UnaryOp, Box<Expr>),
    /// `a op b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a = b`, `a op= b`
    Assign(Option<crate::program::BinOp>, Box<Expr>, Box<Expr>),
    /// `++e`, `e--` and so on.
    Step {
        /// `++`, not `--`.
        up: bool,
        /// The value is the new one.
        prefix: bool,
        /// What changes.
        target: Box<Expr>,
    },
    /// `c ? a : b`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// GNU's `a ?: b`, and the name of the value of `a`.
    Otherwise(Box<Expr>, Box<Expr>, Name),
    /// `a, b`
    Comma(Box<Expr>, Box<Expr>),
    /// `f(...)`
    Call(Box<Expr>, Vec<Expr>),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `s.f`, `p->f`
    Member {
        /// Struct or pointer.
        base: Box<Expr>,
        /// Field.
        field: Name,
        /// Of the field's name.
        field_span: Span,
        /// `->`
        arrow: bool,
    },
    /// `(T)e`
    Cast(TypeExpr, Box<Expr>),
    /// `(T){ ... }`, and the name that its object gets
    Compound(TypeExpr, Box<Init>, Name),
    /// `sizeof(T)`
    SizeofType(TypeExpr),
    /// `sizeof e`
    SizeofExpr(Box<Expr>),
    /// `_Alignof(T)`; GNU's spelling asks for the alignment that the compiler prefers
    Alignof(TypeExpr, bool),
    /// `__builtin_offsetof(T, m.n[2])`
    Offsetof(TypeExpr, Vec<Designator>),
    /// `__builtin_va_arg(ap, T)`
    VaArg(Box<Expr>, TypeExpr),
    /// `__builtin_types_compatible_p(T, U)`
    TypesCompatible(TypeExpr, TypeExpr),
    /// `({ ... })`
    Block(Vec<Stmt>),
    /// Legal C without a model.
    Unsupported(&'static str),
    /// `\name` or `\name(...)`.
    Builtin(Name, Vec<Expr>),
    /// `x -f*-> y`, `x -f+-> y`
    Reach {
        /// Field.
        field: Name,
        /// Its place.
        field_span: Span,
        /// One or more steps.
        plus: bool,
        /// Start.
        from: Box<Expr>,
        /// End.
        to: Box<Expr>,
    },
    /// `\forall`, `\exists`
    Quantifier {
        /// `\forall`
        all: bool,
        /// What it binds.
        binders: Vec<Parameter>,
        /// Its body.
        body: Box<Expr>,
    },
    /// `{a, b}`
    Set(Vec<Expr>),
    /// `lo..hi`
    Range(Box<Expr>, Box<Expr>),
}

impl ExprKind {
    /// The height of the tallest child.
    pub(super) fn tallest_child(&self) -> u32 {
        use ExprKind as K;
        let list = |items: &[Expr]| items.iter().map(|e| e.height).max().unwrap_or(0);
        match self {
            K::Name(_) | K::Int(_) | K::Float(..) | K::Char(_) | K::Str(_) | K::SizeofType(_) => 0,
            K::Unsupported(_) | K::Offsetof(..) | K::TypesCompatible(..) => 0,
            K::Alignof(..) => 0,
            K::Block(_) => 0,
            K::Compound(_, init, _) => init.height(),
            K::Unary(_, e)
            | K::Step { target: e, .. }
            | K::Cast(_, e)
            | K::SizeofExpr(e)
            | K::VaArg(e, _) => e.height,
            K::Member { base: e, .. } | K::Quantifier { body: e, .. } => e.height,
            K::Binary(_, a, b)
            | K::Assign(_, a, b)
            | K::Comma(a, b)
            | K::Otherwise(a, b, _)
            | K::Index(a, b)
            | K::Range(a, b) => a.height.max(b.height),
            K::Reach { from, to, .. } => from.height.max(to.height),
            K::Conditional(a, b, c) => a.height.max(b.height).max(c.height),
            K::Call(f, args) => f.height.max(list(args)),
            K::Builtin(_, args) | K::Set(args) => list(args),
        }
    }
}

/// A type as written.
#[derive(Clone, Debug)]
pub enum TypeExpr {
    /// `void`
    Void,
    /// An arithmetic type.
    Basic(Basic),
    /// A typedef's name.
    Named(Name, Span),
    /// `struct`, `union`; shared by the declarators after it, so that it is defined once.
    Record(Rc<Record>),
    /// `enum`
    Enum(Rc<Enumeration>),
    /// `T *`
    Pointer(Box<TypeExpr>),
    /// `T [n]`; the size may be missing.
    Array(Box<TypeExpr>, Option<Box<Expr>>),
    /// `T (...)`
    Function(Box<FunctionType>),
    /// `typeof(e)`
    Typeof(Rc<Expr>),
    /// Legal C without a model: floating, complex, atomic, vectors.
    Unsupported(&'static str),
}

/// Arithmetic types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basic {
    /// `_Bool`
    Bool,
    /// `char`, `signed char`
    Char,
    /// `unsigned char`
    UnsignedChar,
    /// `short`
    Short,
    /// `unsigned short`
    UnsignedShort,
    /// `int`
    Int,
    /// `unsigned`
    Unsigned,
    /// `long`
    Long,
    /// `unsigned long`
    UnsignedLong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    UnsignedLongLong,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `long double`
    LongDouble,
}

/// How the members of a struct are aligned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alignment {
    /// As their types are.
    #[default]
    Natural,
    /// To at most so many bytes.
    AtMost(u64),
    /// Nobody knows.
    Unknown,
}

impl Alignment {
    /// What two declarations of a struct say together.
    #[must_use]
    pub fn and(self, other: Alignment) -> Alignment {
        match (self, other) {
            (Alignment::Natural, one) | (one, Alignment::Natural) => one,
            _ if self == other => self,
            _ => Alignment::Unknown,
        }
    }
}

/// A `struct` or `union` specifier.
#[derive(Clone, Debug)]
pub struct Record {
    /// `union`
    pub union: bool,
    /// Tag.
    pub tag: Option<Name>,
    /// Members, if it is a definition.
    pub members: Option<Vec<Member>>,
    /// How its members are aligned.
    pub alignment: Alignment,
    /// Where.
    pub span: Span,
}

/// One member of a struct.
#[derive(Clone, Debug)]
pub struct Member {
    /// `None`: an anonymous struct or union, or an unnamed bit-field.
    pub name: Option<Name>,
    /// Its type.
    pub ty: TypeExpr,
    /// The width of a bit-field.
    pub width: Option<Expr>,
    /// Declared in an annotation.
    pub ghost: bool,
    /// Of its name.
    pub span: Span,
}

/// An `enum` specifier.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// Tag.
    pub tag: Option<Name>,
    /// Constants, if it is a definition.
    pub constants: Option<Vec<(Name, Option<Expr>, Span)>>,
    /// Attributes change its size.
    pub laid_out: bool,
}

/// The type of a function.
#[derive(Clone, Debug)]
pub struct FunctionType {
    /// What it returns.
    pub result: TypeExpr,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// It takes more.
    pub variadic: bool,
    /// `f()`: nothing is said about parameters.
    pub unspecified: bool,
}

/// A parameter, or what a quantifier binds.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: Option<Name>,
    /// Its type.
    pub ty: TypeExpr,
    /// Its contract or its body uses it as an array: `a[i]`, `\valid(a + (0..n))`.
    pub indexed: bool,
    /// Where.
    pub span: Span,
}

/// `int a = 1, *b;`
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Storage.
    pub specifiers: Specifiers,
    /// The type before the declarators: it may define a struct or an enum.
    pub base: TypeExpr,
    /// What is declared.
    pub declarators: Vec<Declarator>,
    /// Where.
    pub span: Span,
}

/// One declared name.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// The name.
    pub name: Name,
    /// Its place.
    pub span: Span,
    /// Its type.
    pub ty: TypeExpr,
    /// `= ...`
    pub init: Option<Init>,
}

/// An initialiser.
#[derive(Clone, Debug)]
pub enum Init {
    /// An expression.
    Expr(Expr),
    /// `{ ... }` with designators.
    List(Vec<(Vec<Designator>, Init)>, Span),
}

impl Init {
    /// The height of the tallest expression in it.
    fn height(&self) -> u32 {
        match self {
            Init::Expr(e) => e.height,
            Init::List(entries, _) => entries.iter().map(|(_, init)| init.height()).max().unwrap_or(0),
        }
    }
}

/// `.f` or `[i]` in an initialiser.
#[derive(Clone, Debug)]
pub enum Designator {
    /// `.f`
    Field(Name, Span),
    /// `[i]`
    Index(Expr),
    /// GNU's `[i ... j]`
    Range(Expr, Expr),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where.
    pub span: Span,
}

/// Kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `{ ... }`
    Block(Vec<Stmt>),
    /// A declaration.
    Declaration(Declaration),
    /// `e;` or `;`
    Expr(Option<Expr>),
    /// `if`
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `while`
    While(Vec<Clause>, Expr, Box<Stmt>),
    /// `do`
    Do(Vec<Clause>, Box<Stmt>, Expr),
    /// `for`
    For {
        /// Loop annotations.
        clauses: Vec<Clause>,
        /// First part.
        init: Option<Box<Stmt>>,
        /// Second part.
        test: Option<Expr>,
        /// Third part.
        step: Option<Expr>,
        /// Body.
        body: Box<Stmt>,
    },
    /// `switch`
    Switch(Expr, Box<Stmt>),
    /// `case e:`, and GNU's `case e ... f:`
    Case(Expr, Option<Box<Expr>>, Box<Stmt>),
    /// `default:`
    Default(Box<Stmt>),
    /// `label:`
    Label(Name, Box<Stmt>),
    /// `goto label;`
    Goto(Name),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return`
    Return(Option<Expr>),
    /// Annotations in statement position.
    Annotation(Vec<Clause>),
    /// Legal C without a model.
    Unsupported(&'static str),
}

/// A function definition.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// Of its name.
    pub name_span: Span,
    /// Of the first word of its definition.
    pub start: Span,
    /// Storage.
    pub specifiers: Specifiers,
    /// Its type.
    pub ty: FunctionType,
    /// Contract clauses.
    pub contract: Vec<Clause>,
    /// Its body; `None` if it could not be read.
    pub body: Option<Vec<Stmt>>,
}

/// Something at file scope.
#[derive(Clone, Debug)]
pub enum Item {
    /// A function with a body.
    Function(Box<Function>),
    /// A declaration, with the contract before it (of a function that is defined elsewhere).
    Declaration(Declaration, Vec<Clause>),
    /// Predicates and shapes.
    Annotation(Vec<Clause>),
}
