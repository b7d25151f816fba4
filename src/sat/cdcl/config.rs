//! The knobs and the counters of a search.

/// The knobs of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// The value a variable is first decided to have.
    pub phase: bool,
    /// Conflicts until `solve` starts over from the assumptions: this many times the numbers of the Luby sequence.
    pub restart: u32,
    /// How much of an activity counts after one more conflict; below 1.
    pub decay: f64,
    /// Learnt clauses before the first round of forgetting.
    pub first_reduce: u32,
    /// How many more learnt clauses each further round waits for.
    pub more_reduce: u32,
    /// Watch entries to be visited before a sweep, for each word that it moves. On the traces of
    /// benches/sat.rs 2, 4 and 8 do equally well.
    pub sweep_price: u32,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            phase: false,
            restart: 64,
            decay: 0.95,
            first_reduce: 2000,
            more_reduce: 300,
            sweep_price: 4,
        }
    }
}

/// What a search has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Literals decided, assumptions included.
    pub decisions: u64,
    /// Conflicts resolved.
    pub conflicts: u64,
    /// Literals taken from the trail and propagated.
    pub propagations: u64,
    /// Restarts of `solve`.
    pub restarts: u64,
    /// Clauses learnt, units included.
    pub learnt: u64,
    /// Learnt clauses forgotten again.
    pub forgotten: u64,
    /// Rounds in which clauses true at level 0 were swept out.
    pub sweeps: u64,
}
