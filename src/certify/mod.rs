//! The checker: re-checks answers with code that the solver does not use.
//!
//! [`check_proof`] decides whether a [`crate::proof::Proof`] shows that assertions are unsatisfiable;
//! [`check_model`] evaluates formulas in a model; `check_certificate` (feature `verify`) re-checks the evidence for a
//! verdict about a program. Whoever trusts this module, the term store and the rule
//! table (`rules/lisbq.rules`, held against brute force by its own gate) need not trust the engine.
//!
//! Architecture invariant: nothing here uses `crate::engine` or `crate::sat`. Unit propagation
//! (`propagate`), congruence (`closure`), the rules (`context`, `lemma`), linear arithmetic (`cuts`) and the meaning of
//! connectives (`connective`) are all written a second time, for clarity instead of speed. Rules are
//! interpreted from the table as data, never through the compiled matchers.
//!
//! A proof may come from anywhere: no id in it is believed before it was looked up, and a bad proof gives a
//! [`ProofError`], never a panic. Deliberately missing: repair. A step that could be justified in another
//! way than it says is an error.

mod closure;
mod connective;
mod context;
mod cuts;
mod error;
mod lemma;
mod model;
#[cfg(any(test, feature = "testing"))]
pub mod mutate;
#[cfg(feature = "verify")]
mod plain;
#[cfg(feature = "verify")]
mod program;
mod proof;
mod propagate;
#[cfg(feature = "verify")]
mod shapes;
#[cfg(feature = "verify")]
mod signatures;
#[cfg(test)]
mod tests;

pub use error::{Fault, ProofError};
#[cfg(feature = "testing")]
pub use model::check_model;
pub use model::{ModelError, check_model_within};
#[cfg(feature = "verify")]
pub use plain::{Runs, Unmade, all_runs};
#[cfg(feature = "cli")]
pub use program::made_again;
#[cfg(feature = "verify")]
pub use program::{
    Claim, Evidence, FailingRun, ProgramCertificate, Proved, Shown, annotated, check_certificate,
    check_telling, print_certificates, read_certificates, trusted,
};
pub use proof::{check_proof, check_proof_within};
#[cfg(feature = "verify")]
pub use shapes::{CheckedShapes, ShapeFault, check_shapes};
#[cfg(feature = "verify")]
pub use signatures::{Checked, SignatureFault, check_signatures};
