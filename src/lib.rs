//! Catena decides formulas about linked heap structures, in pure Rust: reachability and betweenness along
//! link fields, equality and functions, linear integers, bounded and EPR quantifiers. Every answer can be
//! checked: `sat` comes with a finite model that was evaluated, `unsat` with a core and a proof that
//! independent code certifies, `unknown` with the reason.
//!
//! # Formulas
//!
//! A [`Solver`] builds terms, asserts and checks. Terms nest; what is wrong with one is reported by the next `assert` or
//! `check`. A [`Dialogue`] does the same with SMT-LIB text.
//!
//! ```
//! use catena::{Answer, Solver};
//!
//! let mut s = Solver::with_proofs();
//! let cell = s.sort("Cell");
//! let next = s.function("next", [cell], cell);
//! let (x, y, z) = (s.constant("x", cell), s.constant("y", cell), s.constant("z", cell));
//! // x reaches y, y reaches z, yet x does not reach z.
//! s.assert(s.reach(next, x, y))?;
//! s.assert(s.reach(next, y, z))?;
//! s.assert(s.not(s.reach(next, x, z)))?;
//! match s.check()? {
//!     Answer::Unsat(refutation) => refutation.certify()?,
//!     other => panic!("paths compose: {other:?}"),
//! }
//! # Ok::<(), catena::Error>(())
//! ```
//!
//! # Programs
//!
#![cfg_attr(
    feature = "verify",
    doc = "A [`Verifier`] proves or refutes annotated C. A [`Report`] has one [`Verdict`] for each function with a"
)]
#![cfg_attr(
    feature = "verify",
    doc = "contract, with traces, states and invariants as plain values ([`findings`]); [`certify`] checks evidence again."
)]
#![cfg_attr(
    not(feature = "verify"),
    doc = "The feature `verify` adds a `Verifier` that proves or refutes annotated C."
)]
//!
//! # Limits
//!
//! [`Limits`] hold for each check and for each function: deterministic steps, time, memory, and a [`CancelToken`] that
//! another thread may cancel. What a limit stops is `unknown`, never wrong, and the solver stays usable. The same input
//! gives the same answer on every run.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | none | the solver, SMT-LIB, the checker of models and proofs: six small crates |
//! | `verify` | C programs: front end, engines, certificates; no further crate |
//! | `serde` | reports serialise; implies `verify` |
//! | `cli` (default) | the program `catena`; implies `serde` |
//! | `varisat` (default), `batsat` | other SAT solvers as second opinions |
//! | `testing` | opens all modules, for the tests of this crate only: what is inside changes without notice |
//!
//! Built with `RUSTFLAGS="--cfg catena_certify_alone"`, the crate has neither solver nor engines: what is left is the
//! checker with what it needs to read its input, and the compiler shows that it needs nothing else.
//!
//! How the crate is made is written down in `docs/architecture.md` of its source.

#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "cli"),
    allow(dead_code, reason = "the default build finds what nobody uses; smaller ones leave users out")
)]
#![cfg_attr(
    not(feature = "testing"),
    allow(unused_imports, reason = "modules re-export a few names for tests")
)]
#![cfg_attr(
    catena_certify_alone,
    expect(dead_code, reason = "readers have a few items that only a dialogue with a solver uses")
)]

// The rooms of the house are private, so that the compiler finds what nobody uses.
#[cfg(all(feature = "verify", not(catena_certify_alone), not(feature = "testing")))]
mod abstraction;
#[cfg(all(feature = "verify", not(catena_certify_alone), not(feature = "testing")))]
mod analysis;
#[cfg(not(feature = "testing"))]
mod certify;
#[cfg(all(feature = "cli", not(catena_certify_alone), not(feature = "testing")))]
mod cli;
#[cfg(all(not(catena_certify_alone), not(feature = "testing")))]
mod engine;
#[cfg(all(feature = "verify", not(catena_certify_alone), not(feature = "testing")))]
mod execution;
#[cfg(all(not(catena_certify_alone), not(feature = "testing")))]
mod facade;
#[cfg(not(feature = "testing"))]
mod frontend;
#[cfg(all(feature = "verify", not(catena_certify_alone), not(feature = "testing")))]
mod infer;
#[cfg(not(feature = "testing"))]
mod logic;
#[cfg(all(feature = "verify", not(catena_certify_alone), not(feature = "testing")))]
mod portfolio;
#[cfg(all(feature = "verify", not(feature = "testing")))]
mod program;
#[cfg(not(feature = "testing"))]
mod proof;
#[cfg(all(feature = "verify", not(feature = "testing")))]
mod report;
#[cfg(not(feature = "testing"))]
mod rules;
#[cfg(all(not(catena_certify_alone), not(feature = "testing")))]
mod sat;
#[cfg(all(feature = "verify", not(catena_certify_alone), not(feature = "testing")))]
mod session;
#[cfg(not(feature = "testing"))]
mod util;
#[cfg(all(feature = "verify", not(feature = "testing")))]
mod verdict;

// Tests, benches and fuzz targets look behind the door.
#[cfg(all(feature = "testing", not(catena_certify_alone)))]
#[doc(hidden)]
pub mod abstraction;
#[cfg(all(feature = "testing", not(catena_certify_alone)))]
#[doc(hidden)]
pub mod analysis;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod certify;
#[cfg(all(feature = "testing", feature = "cli", not(catena_certify_alone)))]
#[doc(hidden)]
pub mod cli;
#[cfg(all(feature = "testing", not(catena_certify_alone)))]
#[doc(hidden)]
pub mod engine;
#[cfg(all(feature = "testing", not(catena_certify_alone)))]
#[doc(hidden)]
pub mod execution;
#[cfg(all(feature = "testing", not(catena_certify_alone)))]
#[doc(hidden)]
pub mod facade;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod frontend;
#[cfg(all(feature = "testing", not(catena_certify_alone)))]
#[doc(hidden)]
pub mod infer;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod logic;
#[cfg(all(feature = "testing", not(catena_certify_alone)))]
#[doc(hidden)]
pub mod portfolio;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod program;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod proof;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod report;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod rules;
#[cfg(all(feature = "testing", not(catena_certify_alone)))]
#[doc(hidden)]
pub mod sat;
#[cfg(all(feature = "testing", not(catena_certify_alone)))]
#[doc(hidden)]
pub mod session;
#[cfg(all(feature = "testing", not(catena_certify_alone)))]
#[doc(hidden)]
pub mod testing;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod util;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod verdict;

#[cfg(all(feature = "cli", not(catena_certify_alone)))]
#[doc(hidden)]
pub use cli::{Terminals, run as command_line, run_on as command_line_on};
#[cfg(all(feature = "verify", not(catena_certify_alone)))]
pub use facade::{certify::certify, verifier::Verifier};
#[cfg(not(catena_certify_alone))]
pub use facade::{
    dialogue::{Dialogue, certify_proof},
    model::{Integer, KeptModel, KeptRefutation, Model, Refutation, Value},
    solver::{Answer, Error, Function, Reason, Solver, Sort, Term},
};
#[cfg(all(feature = "verify", not(catena_certify_alone)))]
pub use frontend::c::files::{Disk, Files};
#[cfg(all(feature = "verify", not(catena_certify_alone)))]
pub use portfolio::Engine;
#[cfg(all(feature = "verify", not(catena_certify_alone)))]
pub use report::findings::{self, Report, Verdict};
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use util::clock::set_clock;
pub use util::limits::{CancelToken, Limits, Stop};

/// The code in the README is compiled and run with the other examples.
#[cfg(all(doctest, feature = "verify"))]
#[doc = include_str!("../README.md")]
struct Readme;
