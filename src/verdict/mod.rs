//! What an engine answers about a program, and the evidence that comes with it.
//!
//! Exactly four verdicts (DESIGN 2). `Verified` carries what a checker needs to prove it again, `Violated` a
//! run that the interpreter made, `TooWeak` what the abstraction could not exclude, `Unknown` the reason.
//! Engines produce these values and nothing else; printing them is the work of `report`.

pub use crate::program::trace::{Failure, Step, Trace};
use crate::program::{Formula, LocationId, LoopId, State};
use crate::util::clock::Instant;
use crate::util::span::Span;
use std::time::Duration;

/// What was found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The property holds on every execution.
    Verified(Certificate),
    /// A concrete run breaks it.
    Violated(Box<Trace>),
    /// No invariant in the abstraction, or a counterexample that does not replay.
    TooWeak(Box<Weakness>),
    /// A limit, or something unsupported.
    Unknown(Reason),
}

impl Verdict {
    /// The word of the command line.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Verified(_) => "verified",
            Verdict::Violated(_) => "violated",
            Verdict::TooWeak(_) => "too-weak",
            Verdict::Unknown(_) => "unknown",
        }
    }
}

/// Who gives an answer. Engines have their table in `analysis`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author {
    /// The reader of C: there is no program.
    FrontEnd,
    /// The portfolio, for want of an engine that has something to say.
    Portfolio,
    /// The interpreter, by running the program.
    Interpreter,
    /// Execution of C as it is written, on all paths.
    Paths,
    /// Annotated loops.
    Vc,
    /// Property-directed reachability.
    Pdr,
    /// Boolean heaps.
    Heaps,
    /// Monotonic abstraction.
    Monotone,
    /// Lazy abstraction.
    Lazy,
    /// Heaps in parts that never meet.
    Trees,
}

impl Author {
    /// The word in the output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Author::FrontEnd => "front end",
            Author::Portfolio => "auto",
            Author::Interpreter => "interp",
            Author::Paths => "paths",
            Author::Vc => "vc",
            Author::Pdr => "pdr",
            Author::Heaps => "heaps",
            Author::Monotone => "monotone",
            Author::Lazy => "lazy",
            Author::Trees => "trees",
        }
    }
}

impl std::fmt::Display for Author {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}

/// A language of evidence that is not the annotation language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Signatures of heaps that do not occur.
    Signatures,
    /// Graphs that describe all heaps that occur.
    ShapeGraphs,
}

impl Language {
    /// The word in certificates: the engine that speaks it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Language::Signatures => Author::Monotone.word(),
            Language::ShapeGraphs => Author::Lazy.word(),
        }
    }

    /// The language of this word.
    #[must_use]
    pub fn named(word: &str) -> Option<Language> {
        [Language::Signatures, Language::ShapeGraphs].into_iter().find(|language| language.word() == word)
    }
}

/// Evidence for `verified`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// Per loop the conjuncts that, with the user's invariants, are inductive and sufficient.
    Invariants(Vec<(LoopId, Vec<Formula>)>),
    /// The interpreter ran the whole program: nothing in it is chosen.
    Run,
    /// All paths of the program, so many, were followed to their ends.
    Paths(u64),
    /// Evidence for each part of the program, in the order of `program::parts`.
    Parts(Vec<Certificate>),
    /// An engine's own evidence in its text form, read back by its checker.
    Text {
        /// What it is written in.
        language: Language,
        /// The evidence, one entry per line.
        lines: Vec<String>,
        /// What it suggests as loop invariants. Not proved.
        clauses: Vec<(LoopId, Vec<Formula>)>,
    },
}

/// Why the abstraction does not suffice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weakness {
    /// The obligation that fails.
    pub failure: Failure,
    /// The abstract trace, or the state that breaks the invariant, for people.
    pub abstract_trace: Vec<AbstractStep>,
    /// A state that satisfies the invariants but breaks the obligation, if there is one.
    pub state: Option<Box<State>>,
    /// What may help, e.g. the conjunct that is missing.
    pub hint: Option<String>,
}

/// One stop of an abstract trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbstractStep {
    /// Where.
    pub location: LocationId,
    /// The abstract state, in words.
    pub text: String,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// For people.
    pub message: String,
    /// The construct, if one is to blame.
    pub span: Option<Span>,
}

/// Counters, the `stats` object of the JSON output; absent ones are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Questions to the reasoning core.
    pub queries: Option<u64>,
    /// Frames of `pdr`.
    pub frames: Option<u64>,
    /// Clauses of the invariant or of the frames.
    pub clauses: Option<u64>,
    /// Predicates tracked.
    pub predicates: Option<u64>,
    /// Quantifier instances.
    pub instances: Option<u64>,
    /// Conflicts of the search.
    pub conflicts: Option<u64>,
    /// Signatures kept.
    pub signatures: Option<u64>,
    /// Refinement steps.
    pub refinements: Option<u64>,
    /// Answers found in a cache.
    pub cache_hits: Option<u64>,
    /// Obligations proved or refuted.
    pub obligations: Option<u64>,
    /// Predicates that refinement added, as text.
    pub added: Vec<String>,
    /// Where the time went, in the order in which phases began. Not part of the JSON output, which does not
    /// depend on the machine but for the total.
    pub phases: Phases,
}

/// Times of phases. They are no part of the answer, so that two runs that differ in them only are equal.
#[derive(Clone, Debug, Default)]
pub struct Phases(pub Vec<(&'static str, Duration)>);

impl PartialEq for Phases {
    fn eq(&self, _: &Phases) -> bool {
        true
    }
}

impl Eq for Phases {}

impl Counters {
    /// Adds the time since then to a phase.
    pub fn spent(&mut self, phase: &'static str, since: Instant) {
        let time = since.elapsed();
        match self.phases.0.iter_mut().find(|(name, _)| *name == phase) {
            Some((_, total)) => *total += time,
            None => self.phases.0.push((phase, time)),
        }
    }

    /// Adds what another run counted.
    pub fn add(&mut self, other: &Counters) {
        let pairs = [
            (&mut self.queries, other.queries),
            (&mut self.frames, other.frames),
            (&mut self.clauses, other.clauses),
            (&mut self.predicates, other.predicates),
            (&mut self.instances, other.instances),
            (&mut self.conflicts, other.conflicts),
            (&mut self.signatures, other.signatures),
            (&mut self.refinements, other.refinements),
            (&mut self.cache_hits, other.cache_hits),
            (&mut self.obligations, other.obligations),
        ];
        for (mine, theirs) in pairs {
            *mine = match (*mine, theirs) {
                (Some(a), Some(b)) => Some(a.saturating_add(b)),
                (a, b) => a.or(b),
            };
        }
        self.added.extend(other.added.iter().cloned());
    }
}

impl Outcome {
    /// Nothing is known, for this reason.
    #[must_use]
    pub fn unknown(engine: Author, reason: Reason) -> Outcome {
        Outcome { engine, verdict: Verdict::Unknown(reason), counters: Counters::default() }
    }
}

/// The result of one engine on one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who found it.
    pub engine: Author,
    /// What was found.
    pub verdict: Verdict,
    /// What it cost.
    pub counters: Counters,
}
