//! Counters of a solver: what was done, not how long it took, so that two runs can be compared.

/// Work done since a solver was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Checks asked by the caller.
    pub queries: u64,
    /// Calls of the Boolean search (offline loop and grounding: SAT calls).
    pub sat_calls: u64,
    /// Theory checks on partial or full assignments.
    pub theory_checks: u64,
    /// Boolean decisions.
    pub decisions: u64,
    /// Conflicts, Boolean and theory.
    pub conflicts: u64,
    /// Clauses handed to the Boolean search.
    pub clauses: u64,
    /// Quantifier instances.
    pub instances: u64,
    /// Case splits asked for by the theories.
    pub splits: u64,
    /// Facts derived by rules.
    pub facts: u64,
    /// Pivots of the simplex tableau.
    pub pivots: u64,
    /// Restarts of the Boolean search.
    pub restarts: u64,
}
