//! Catena decides formulas about linked heap structures, in pure Rust: reachability and betweenness along
//! link fields, equality and functions, linear integers, bounded and EPR quantifiers. Every answer can be
//! checked: `sat` comes with a finite model that was evaluated, `unsat` with a core and a proof that
//! independent code certifies, `unknown` with the reason.
//!
//! # Start here
//!
//! The names at the root are the supported interface: [`Solver`] for formulas and `Verifier` (feature `verify`) for C
//! programs. The modules below them are public for tools that need more, and change without notice.
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
//! [`facade::solver`] and [`facade::verifier`](facade) continue from here.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | none | the solver, SMT-LIB, the checker of models and proofs |
//! | `verify` | C programs: front end, engines, portfolio, certificates, reports as text |
//! | `cli` (default) | the program `catena`, reports as JSON; implies `verify` |
//! | `varisat` (default), `batsat` | other SAT solvers as second opinions |
//! | `testing` | generators and oracles; implies `verify` |
//!
//! Built with `RUSTFLAGS="--cfg catena_certify_alone"`, the crate has neither solver nor engines: what is left is the
//! checker with what it needs to read its input, and the compiler shows that it needs nothing else.
//!
//! # The map
//!
//! A module uses only modules above it in this list; a test reads the `use crate::` lines.
//!
//! | module | what it is |
//! |---|---|
//! | [`util`] | hashing with a fixed seed, limits and cancellation, exact numbers, counters, a seeded generator |
//! | [`logic`] | sorts, symbols, hash-consed terms, finite models; [`logic::eval`] is the executable semantics |
//! | [`rules`] | inference rules as data: language, table, compiled matchers, the gate that validates them |
//! | [`proof`] | the format of proofs |
//! | [`sat`] | clauses, assumptions, cores, proof log: our own CDCL, varisat, batsat |
//! | [`engine`] | the decision procedures; [`engine::solver`] is the public face |
//! | `program` | a function as a control-flow graph of commands, its contract, concrete states |
//! | [`frontend`] | SMT-LIB text and annotated C |
//! | `verdict` | what an engine answers: verdict, invariants, traces, counters |
//! | `execution` | C executed as it is written, byte for byte, on all paths of a `main` |
//! | `abstraction` | cubes over predicates, predicate families |
//! | `analysis` | the engines that prove or refute programs |
//! | `portfolio` | which engine answers: `--engine auto` |
//! | [`certify`] | checks models and proofs; shares no solving code with the engine |
//! | `testing` | generators and brute-force oracles (feature `testing`) |
//! | `report` | verdicts, traces and diagnostics as text and JSON |
//! | [`facade`] | the front door: what the root of the crate exports |
//! | `cli` | the command line, the only place that prints (feature `cli`) |
//!
//! # The life of a query
//!
//! Terms are asserted; [`engine::fragment`] tells the fragment. An EPR problem goes to the *EPR route*: a finite
//! universe, a SAT model, violated instances, again. Everything else goes to the *LISBQ route*: formulas become
//! clauses one polarity at a time; a CDCL search decides nothing but children of unjustified disjunctions; the
//! *relevant* literals of each partial assignment go to the theory (congruence closure with a proof forest,
//! saturation of the reachability rules over classes, simplex), which answers with conflicts, consequences,
//! instances whose guard is derived and, when nothing else is left, case splits. A saturated context becomes a
//! finite model, which is evaluated before it is handed out.
//!
//! # Invariants
//!
//! - An answer `sat` is a model in which [`logic::eval`] makes every assertion true.
//! - Every clause of a search has a justification; with proofs on, each is logged ([`proof::Step`]).
//! - Nothing is random: hash maps have a fixed seed, queues a total order, so the same input gives the same
//!   bytes.
//! - Every loop that can take long spends a [`util::limits::Budget`]; a stopped check leaves the solver usable.
//! - No `unsafe`, no recursion over terms, no printing outside `cli`.

#![forbid(unsafe_code)]
#![cfg_attr(
    catena_certify_alone,
    expect(dead_code, reason = "readers have a few items that only a dialogue with a solver uses")
)]

#[cfg(all(feature = "verify", not(catena_certify_alone)))]
pub mod abstraction;
#[cfg(all(feature = "verify", not(catena_certify_alone)))]
pub mod analysis;
pub mod certify;
#[cfg(all(feature = "cli", not(catena_certify_alone)))]
pub mod cli;
#[cfg(not(catena_certify_alone))]
pub mod engine;
#[cfg(all(feature = "verify", not(catena_certify_alone)))]
pub mod execution;
#[cfg(not(catena_certify_alone))]
pub mod facade;
pub mod frontend;
pub mod logic;
#[cfg(all(feature = "verify", not(catena_certify_alone)))]
pub mod portfolio;
#[cfg(feature = "verify")]
pub mod program;
pub mod proof;
#[cfg(feature = "verify")]
pub mod report;
pub mod rules;
#[cfg(not(catena_certify_alone))]
pub mod sat;
#[cfg(all(feature = "testing", not(catena_certify_alone)))]
pub mod testing;
pub mod util;
#[cfg(feature = "verify")]
pub mod verdict;

#[cfg(all(feature = "verify", not(catena_certify_alone)))]
pub use facade::{
    findings::{Report, Verdict, VerifyError},
    verifier::Verifier,
};
#[cfg(not(catena_certify_alone))]
pub use facade::{
    model::{Model, Value},
    solver::{Answer, Error, Solver, Sort, Term},
};
#[cfg(all(feature = "verify", not(catena_certify_alone)))]
pub use frontend::c::files::{Disk, Files};
#[cfg(all(feature = "verify", not(catena_certify_alone)))]
pub use portfolio::Engine;
pub use util::limits::{CancelToken, Limits};

/// The code in the README is compiled and run with the other examples.
#[cfg(all(doctest, feature = "verify"))]
#[doc = include_str!("../README.md")]
struct Readme;
