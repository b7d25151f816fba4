//! Programs: a function as a control-flow graph over a small command language, and what it means.
//!
//! [`cfg`](mod@cfg) has the graph, [`command`] the steps, [`expr`] the heap-free expressions inside them, [`formula`] the
//! language of contracts and invariants, [`decl`] structs, fields and variables.
//!
//! One semantics for all engines (DESIGN 6). What the C source says is lowered to this language by the front
//! end; what cannot be lowered exactly never gets here.

pub mod cfg;
pub mod command;
pub mod decl;
pub mod encode;
pub mod eval;
pub mod explore;
pub mod expr;
pub mod formula;
pub mod initialised;
pub mod interp;
pub mod on_heap;
pub mod parts;
pub mod print;
pub mod rewrite;
#[cfg(any(test, feature = "testing"))]
pub mod samples;
pub mod state;
pub mod termination;
pub mod text;
pub mod trace;
pub mod unbounded;
pub mod unread;
pub mod validate;
pub mod variant;
pub mod walk;
pub mod wp;

pub use cfg::{Clause, Contract, Edge, Entry, Loop, Program, Question, Shape, Sweep, Track};
pub use command::{Check, Command, Local, Property, Storage, Target};
pub use decl::{
    BoundId, EdgeId, Field, FieldId, IntKind, LabelId, LocationId, LoopId, Struct, StructId, Type, Var,
    VarId, VarKind,
};
pub use expr::{BinOp, Cmp, Cond, Expr};
pub use formula::{At, Binder, Formula, Set, Term};
pub use state::{Cell, CellId, State, Status, Value};
pub use trace::{Failure, Step, Trace};
