//! The checked program: names resolved, types known, conversions explicit.
//!
//! Formulas are those of [`crate::program`] with ids of the unit instead of ids of one program: [`VarId`]s as
//! made by [`local_id`], [`global_id`] and so on, [`FieldId`](crate::program::FieldId)s as positions in
//! [`Types::fields`](super::types::Types), [`StructId`](crate::program::StructId)s as record ids. Lowering maps
//! them to the program in which they end up, once per inlined copy.

mod walk;

use super::token::Name;
use super::types::{RecordId, Ty};
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::program::{BinOp, Cmp, Formula, Shape, Term, VarId};

const GLOBAL: u32 = 1 << 30;
const LOGIC: u32 = 1 << 29;
/// `\result` in formulas of the unit.
pub const RESULT: VarId = VarId(u32::MAX);

/// A local or parameter in formulas of the unit.
pub fn local_id(index: u32) -> VarId {
    VarId(index)
}

/// A global in formulas of the unit.
pub fn global_id(index: u32) -> VarId {
    VarId(GLOBAL | index)
}

/// A logical constant of a contract in formulas of the unit.
pub fn logic_id(index: u32) -> VarId {
    VarId(LOGIC | index)
}

/// What a variable of a unit's formula is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ref {
    /// A local or parameter of the function.
    Local(u32),
    /// A global of the unit.
    Global(u32),
    /// A logical constant of the contract.
    Logic(u32),
    /// The function's result.
    Result,
}

/// Decodes a variable of a unit's formula.
pub fn decode(id: VarId) -> Ref {
    match id.0 {
        u32::MAX => Ref::Result,
        n if n & GLOBAL != 0 => Ref::Global(n & !GLOBAL),
        n if n & LOGIC != 0 => Ref::Logic(n & !LOGIC),
        n => Ref::Local(n),
    }
}

/// What the front end knows by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intrinsic {
    /// `malloc`
    Malloc,
    /// `calloc`
    Calloc,
    /// `realloc` of one object: another object of the same type
    Realloc,
    /// `free`
    Free,
    /// `abort`: the run ends.
    Abort,
    /// `exit`
    Exit,
    /// `_exit`: nothing is called any more.
    Leave,
    /// `assert`
    Assert,
    /// `__assert_fail`
    AssertFail,
    /// `reach_error`, `__VERIFIER_error`
    Error,
    /// `__VERIFIER_assert`
    VerifierAssert,
    /// `__VERIFIER_assume`
    Assume,
    /// `__VERIFIER_nondet_*`
    Nondet,
    /// `printf` and the like: no effect on the state.
    Print,
    /// `puts` and the like: the same for a text that is no format.
    Puts,
    /// Any value of the type, after the arguments were evaluated: C has a certain one, which the cells do not know. Made
    /// for the engines (module `plain`), never by checking, as the next three.
    Guess,
    /// A number with a fraction, after the arguments were evaluated: which one is not kept.
    Fraction,
    /// What must be true of an access.
    Bounds,
    /// What must be true for the cells to be a model.
    Rely,
}

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A function of the unit.
    Function(u32),
    /// One that the compiler knows by name, without a declaration.
    Builtin(Name),
    /// Known by name.
    Intrinsic(Intrinsic),
}

/// A variable of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variable {
    /// Of the function.
    Local(u32),
    /// Of the unit.
    Global(u32),
}

/// A checked expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Ty,
    /// Where.
    pub span: Span,
}

/// Kinds of checked expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant.
    Int(i128),
    /// A floating-point constant.
    Float(f64),
    /// A function of the unit.
    Function(u32),
    /// The size of a type; the number if it is known.
    Sizeof(Ty, Option<i128>),
    /// A null pointer constant.
    Null,
    /// A string literal.
    Str(Vec<u8>),
    /// A variable; an lvalue like the next three.
    Var(Variable),
    /// `*p`
    Deref(Box<Expr>),
    /// A member of a struct lvalue.
    Member(Box<Expr>, u32),
    /// An element of an array, or `p[i]`.
    Index(Box<Expr>, Box<Expr>),
    /// `&lvalue`
    Address(Box<Expr>),
    /// `-e`
    Neg(Box<Expr>),
    /// `~e`
    BitNot(Box<Expr>),
    /// `!e`
    Not(Box<Expr>),
    /// A pointer moved by so many objects; backwards if the flag is set.
    Offset(Box<Expr>, Box<Expr>, bool),
    /// The objects between two pointers.
    Difference(Box<Expr>, Box<Expr>),
    /// Both operands have the type of the result, but for shifts.
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// Both operands have the same type.
    Compare(Cmp, Box<Expr>, Box<Expr>),
    /// `&&`
    And(Box<Expr>, Box<Expr>),
    /// `||`
    Or(Box<Expr>, Box<Expr>),
    /// `?:`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a, b`
    Comma(Box<Expr>, Box<Expr>),
    /// `a = b`
    Assign(Box<Expr>, Box<Expr>),
    /// `a op= b`, `++a`, `a++`; computed in the type of `value`.
    Update {
        /// The lvalue.
        target: Box<Expr>,
        /// Operator.
        op: BinOp,
        /// Right operand.
        value: Box<Expr>,
        /// The type in which the operation is done.
        compute: Ty,
        /// The value of the expression is the old one.
        old: bool,
    },
    /// A call.
    Call(Callee, Vec<Expr>),
    /// A call through a pointer to a function.
    CallPointer(Box<Expr>, Vec<Expr>),
    /// What C says exactly, for which the cells of the engines have no model: lowering reports the diagnostic.
    Unmodelled(Box<Expr>, Box<Diagnostic>),
    /// A pointer that the cells take for the same one after it was moved inside its object, and what must be true of
    /// it. Made for the engines (module `objects`), never by checking.
    Moved(Box<Expr>, Demand),
    /// To the type of the whole.
    Convert(Box<Expr>),
    /// `({ ... })`
    Block(Vec<Stmt>),
}

/// What must be true of a pointer for the cells to be a model of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// It is not null.
    NotNull,
    /// It is not reached: a call of something else than a function of the program.
    Called,
    /// It leads to a new object of one of these kinds of a merged struct: from the first to before the second.
    Made(u32, u32),
    /// It leads to this member of an object of this struct, and becomes a pointer to that object.
    Around(RecordId, u32),
    /// It leads to the beginning of an object: those that begin at this byte of the merged struct.
    Begins(i128),
}

/// Which kind an object of a merged struct is ([`Merged`](super::types::Merged)).
#[derive(Clone, Debug, Default)]
pub struct Kinds {
    /// By function and local.
    pub locals: crate::util::hash::Map<(u32, u32), u32>,
    /// By global.
    pub globals: crate::util::hash::Map<u32, u32>,
    /// By struct and member.
    pub members: crate::util::hash::Map<(RecordId, u32), u32>,
    /// Structs of the unit that are others now, for formulas.
    pub records: crate::util::hash::Map<RecordId, RecordId>,
    /// Fields of the unit that are others now, for formulas.
    pub fields: crate::util::hash::Map<crate::program::FieldId, crate::program::FieldId>,
}

/// A checked statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where.
    pub span: Span,
}

/// Which loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopKind {
    /// The test comes first.
    While,
    /// The body comes first.
    Do,
}

/// A formula with its place.
pub type SpecClause = crate::program::Clause;

/// What `assigns` names, in ids of the unit.
#[derive(Clone, Debug)]
pub struct SpecTarget {
    /// The location.
    pub target: crate::program::Target,
    /// Where.
    pub span: Span,
}

/// A predicate to track.
#[derive(Clone, Debug)]
pub struct SpecTrack {
    /// The heap object.
    pub object: Option<crate::program::Binder>,
    /// The predicate.
    pub clause: SpecClause,
}

/// Annotations of a loop.
#[derive(Clone, Debug, Default)]
pub struct LoopSpec {
    /// `loop invariant`
    pub invariants: Vec<SpecClause>,
    /// `loop assigns`
    pub assigns: Option<Vec<SpecTarget>>,
    /// `loop track`
    pub tracks: Vec<SpecTrack>,
    /// `loop variant`, in the form of [`rank_as_formula`](crate::program::variant::rank_as_formula)
    pub variant: Vec<SpecClause>,
}

/// What a local holds after its declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Anything.
    Arbitrary,
    /// Zero, before the values of an initialiser list are assigned.
    Zero,
    /// The value that the next statement assigns.
    Assigned,
}

/// Kinds of checked statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `{ ... }`
    Block(Vec<Stmt>),
    /// The declaration of a local is executed.
    Declare(u32, Start),
    /// An expression.
    Expr(Expr),
    /// `if`
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// Any loop; the first part of `for` stands before it.
    Loop {
        /// Which.
        kind: LoopKind,
        /// Missing: forever.
        test: Option<Expr>,
        /// Third part of `for`.
        step: Option<Expr>,
        /// Body.
        body: Box<Stmt>,
        /// Annotations.
        spec: Box<LoopSpec>,
    },
    /// `switch`
    Switch(Expr, Box<Stmt>),
    /// `case`
    Case(i128, Box<Stmt>),
    /// `default`
    Default(Box<Stmt>),
    /// A label.
    Label(Name, Box<Stmt>),
    /// `goto`
    Goto(Name),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`
    Return(Option<Expr>),
    /// `assert P;`
    Assert(Formula),
    /// `assume P;`
    Assume(Formula),
    /// `track P;` that is not before a loop.
    Track(Vec<SpecTrack>),
}

/// A local variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Ty,
    /// Where.
    pub span: Span,
}

/// One contract of a function, in ids of the unit.
#[derive(Clone, Debug, Default)]
pub struct SpecContract {
    /// Name of the behaviour.
    pub behavior: Option<String>,
    /// Clauses.
    pub requires: Vec<SpecClause>,
    /// Clauses.
    pub ensures: Vec<SpecClause>,
    /// Locations.
    pub assigns: Option<Vec<SpecTarget>>,
    /// `decreases`, in the form of [`rank_as_formula`](crate::program::variant::rank_as_formula)
    pub decreases: Vec<SpecClause>,
    /// Of the `assigns` clause or the function.
    pub span: Span,
}

/// A function of the unit.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// Of its name.
    pub span: Span,
    /// What it returns.
    pub result: Ty,
    /// Types of parameters.
    pub parameters: Vec<Ty>,
    /// It takes more.
    pub variadic: bool,
    /// Nothing was said about parameters.
    pub unspecified: bool,
    /// Defined in the style before C89, without a prototype: arguments are not converted to the parameters' types.
    pub old_style: bool,
    /// Parameters come first.
    pub locals: Vec<Local>,
    /// Statements; `None`: only declared, or broken.
    pub body: Option<Vec<Stmt>>,
    /// A definition exists, whether or not it could be read.
    pub defined: bool,
    /// No other unit sees it.
    pub private: bool,
    /// It has a contract.
    pub has_contract: bool,
    /// A clause of the contract was complained about and is missing.
    pub contract_broken: bool,
    /// One per behaviour, or exactly one.
    pub contracts: Vec<SpecContract>,
    /// Logical constants of the contract.
    pub logic: Vec<Local>,
    /// `track` clauses of the contract.
    pub tracks: Vec<SpecTrack>,
    /// Labels that formulas mention.
    pub labels: Vec<Name>,
    /// Bound variables handed out in its formulas.
    pub bounds: u32,
    /// Errors and unsupported constructs in it.
    pub diagnostics: Vec<Diagnostic>,
}

/// The value a global starts with, besides zero.
#[derive(Clone, Debug)]
pub struct GlobalInit {
    /// An lvalue inside the global.
    pub target: Expr,
    /// A constant, or the address of a global.
    pub value: Expr,
}

/// A global variable, or a `static` local.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name, as shown.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// Where.
    pub span: Span,
    /// Values; what is not named is 0.
    pub init: Vec<GlobalInit>,
    /// Only declared: `extern` without a definition in this unit.
    pub external: bool,
    /// Its value is that of its initialiser at all times.
    pub constant: bool,
    /// The function whose `static` local it is.
    pub owner: Option<u32>,
    /// Errors in its declaration.
    pub diagnostics: Vec<Diagnostic>,
}

/// A unit after checking.
#[derive(Debug, Default)]
pub struct Checked {
    /// Functions.
    pub functions: Vec<Function>,
    /// Globals.
    pub globals: Vec<Global>,
    /// Hints, in ids of the unit.
    pub shapes: Vec<Shape>,
    /// Types of variables that pointers point to: `*pp` in a formula is the field `DEREF + n`.
    pub boxed: Vec<Ty>,
    /// Structs inside others whose address a formula names: `&p->inner` is the field `PART + n` of p.
    pub parts: Vec<(RecordId, Vec<u32>)>,
    /// Some function runs before or after `main`.
    pub by_itself: bool,
    /// Objects whose structs were merged; empty after checking.
    pub kinds: Kinds,
}

/// Fields with ids from here on stand for `*p` of a pointer to a scalar of type [`Checked::boxed`].
pub const DEREF: u32 = 1 << 30;

/// Fields with ids from here on stand for the address of a struct inside another ([`Checked::parts`]).
pub const PART: u32 = 1 << 31;

/// A term's type in formulas.
#[derive(Clone, Debug, PartialEq)]
pub enum TermTy {
    /// An integer.
    Int,
    /// A pointer.
    Pointer(Ty),
    /// The null pointer of no particular type.
    Null,
}

/// A typed term.
#[derive(Clone, Debug)]
pub struct TypedTerm {
    /// The term.
    pub term: Term,
    /// Its type.
    pub ty: TermTy,
}
