//! Verification conditions: what has to be proved so that a function keeps its contract.
//!
//! The graph is cut at loop headers and walked once, each location after its predecessors. On the way every
//! location has one symbolic state over [`encode`](crate::program::encode): writes are stores over earlier
//! versions (LISBQ's weakest preconditions, read forwards), values that differ where paths meet are named,
//! and the path is one shared formula. So the conditions are linear in the size of the function however many branches
//! it has. Each property gives one [`Obligation`]: its path implies its goal; what was checked is known
//! afterwards.
//!
//! At a header the invariants are proved for the state that arrives, everything the loop's body can change
//! is forgotten ([`effect`]), the invariants are assumed, and at back edges they are proved again (DESIGN 6,
//! decision 7).
//!
//! Hypotheses that cannot be expressed are dropped; goals that cannot be expressed stay as obligations
//! without a formula, which nobody can prove.

mod assigns;
mod back;
mod command;
pub mod effect;
mod entry;
mod exit;
mod given;
pub mod graph;
mod law;
pub mod lemma;
mod neighbour;
mod order;
mod ring;
mod route;
mod script;
mod split;
pub mod state;

pub use self::script::script;

use self::effect::Effect;
use self::given::Given;
use self::graph::Loops;
use self::state::{Paths, Symbolic};
use super::cfg::{Clause, Program, Question};
use super::command::Check;
use super::decl::{FieldId, LocationId, LoopId, VarId};
use super::encode::formula::Side;
use super::encode::{Encoder, Inexpressible, Moment};
use super::formula::Formula;
use crate::logic::{FuncId, TermId, Terms};
use crate::util::hash::{Map, Set};
use crate::util::span::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What an obligation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A memory access, an assertion, a postcondition: a place in the function.
    Place,
    /// An invariant, when its loop is reached.
    Initially(LoopId),
    /// An invariant, after one round.
    Preserved(LoopId),
}

/// Something to prove.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// Property class.
    pub check: Check,
    /// Kind.
    pub kind: Kind,
    /// For people: what cannot be proved if it fails.
    pub what: String,
    /// The statement or clause.
    pub span: Span,
    /// Where the state is looked at.
    pub location: LocationId,
    /// Everything known there.
    pub path: TermId,
    /// What has to follow.
    pub goal: Result<TermId, Inexpressible>,
    /// Which conjunct of a clause it is, if the clause has several.
    pub part: Option<(usize, Formula)>,
    /// The number of the first obligation that this clause gives here.
    pub first: usize,
    /// Headers on the way, by number.
    pub heads: Vec<usize>,
    /// The state there.
    pub now: Moment,
}

/// A header that was passed: the state after the loop's effect was forgotten.
#[derive(Clone, Debug)]
pub struct Head {
    /// Which.
    pub location: LocationId,
    /// The loop of the source.
    pub of: Option<LoopId>,
    /// Everything known there.
    pub path: TermId,
    /// An arbitrary state that satisfies the invariants.
    pub moment: Moment,
}

/// A state that comes to the head of a loop of the source, from outside or after one round.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// The loop.
    pub of: LoopId,
    /// Everything known there.
    pub path: TermId,
    /// Headers on the way, by number.
    pub heads: Vec<usize>,
    /// The state.
    pub now: Moment,
}

/// All conditions of a function.
#[derive(Clone, Debug)]
pub struct Conditions<'p> {
    /// The terms, and the facts that hold of all symbols.
    pub encoder: Encoder<'p>,
    /// What holds at the entry.
    pub hypotheses: Vec<TermId>,
    /// What has to be proved.
    pub obligations: Vec<Obligation>,
    /// State at the entry.
    pub entry: Moment,
    /// Headers.
    pub heads: Vec<Head>,
    /// States that come to headers: what invariants have to hold in.
    pub arrivals: Vec<Arrival>,
    /// What was dropped or approximated, for people.
    pub dropped: Vec<(Span, String)>,
}

/// Why there are no conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// For people.
    pub message: String,
    /// The place.
    pub span: Option<Span>,
}

impl From<Inexpressible> for Unsupported {
    fn from(reason: Inexpressible) -> Unsupported {
        Unsupported { message: reason.0, span: None }
    }
}

/// The conditions of a question about a program.
///
/// # Errors
/// If control flow enters a loop in the middle.
pub fn conditions<'p>(program: &'p Program, question: &'p Question) -> Result<Conditions<'p>, Unsupported> {
    conditions_of(program, question, Encoder::new(program)?)
}

/// The same with names for paths over many writes ([`need`](crate::program::encode::need)): linear in the number of
/// writes and branches, for a caller that defines the names that matter.
///
/// # Errors
/// As for [`conditions`].
pub fn conditions_by_need<'p>(
    program: &'p Program,
    question: &'p Question,
) -> Result<Conditions<'p>, Unsupported> {
    let mut encoder = Encoder::new(program)?;
    encoder.by_need();
    conditions_of(program, question, encoder)
}

fn conditions_of<'p>(
    program: &'p Program,
    question: &'p Question,
    mut encoder: Encoder<'p>,
) -> Result<Conditions<'p>, Unsupported> {
    let loops = Loops::of(program).map_err(|graph::Irreducible(edge)| Unsupported {
        message: "control flow enters a loop in the middle".to_owned(),
        span: Some(program.edges[edge.index()].span),
    })?;
    let entry = encoder.fresh_moment()?;
    let mut walk = Walk {
        program,
        question,
        loops,
        encoder,
        paths: Paths::default(),
        entry,
        hypotheses: Vec::new(),
        obligations: Vec::new(),
        heads: Vec::new(),
        arrivals: Vec::new(),
        opened: Map::default(),
        dropped: Vec::new(),
        live: Vec::new(),
        given: Given::of(program),
        one_sided: neighbour::one_sided(program, question.contract),
        ordered: order::ordered(program, question.contract),
        named: Set::default(),
    };
    walk.run()?;
    Ok(Conditions {
        encoder: walk.encoder,
        hypotheses: walk.hypotheses,
        obligations: walk.obligations,
        entry: walk.entry,
        heads: walk.heads,
        arrivals: walk.arrivals,
        dropped: walk.dropped,
    })
}

/// What `loop assigns` leaves alone, to be proved at back edges.
#[derive(Clone, Debug)]
struct Opened {
    of: Option<LoopId>,
    /// State in which the loop was reached, for its frame.
    before: Symbolic,
}

struct Walk<'p> {
    program: &'p Program,
    question: &'p Question,
    loops: Loops,
    encoder: Encoder<'p>,
    paths: Paths,
    entry: Moment,
    hypotheses: Vec<TermId>,
    obligations: Vec<Obligation>,
    heads: Vec<Head>,
    arrivals: Vec<Arrival>,
    opened: Map<LocationId, Opened>,
    dropped: Vec<(Span, String)>,
    /// By struct: the closed set of cells that is allocated at entry (decision 1).
    live: Vec<super::encode::VersionId>,
    given: Given,
    /// Link fields along which predecessors are named, and those that are.
    one_sided: Vec<FieldId>,
    named: Set<(FuncId, TermId, TermId)>,
    /// Link fields along which cells are ordered.
    ordered: BTreeSet<FieldId>,
}

type Done = Result<(), Inexpressible>;

impl Walk<'_> {
    fn run(&mut self) -> Result<(), Unsupported> {
        let start = self.start()?;
        self.name_predecessors(&start)?;
        let successors = self.program.successors();
        let mut arriving: Map<LocationId, Vec<Symbolic>> = Map::default();
        arriving.insert(self.program.entry, vec![start]);
        for location in self.loops.order.clone() {
            let Some(states) = arriving.remove(&location) else { continue };
            let Some(mut state) = state::meet(&mut self.encoder, &mut self.paths, states)? else { continue };
            self.at_head(location, &mut state)?;
            for sweep in self.program.sweeps.iter().filter(|s| s.at == location) {
                self.sweep(&mut state, sweep)?;
            }
            if location == self.program.exit {
                self.at_exit(&state)?;
                continue;
            }
            let edges = &successors[location.index()];
            let routes = self.routes(edges, &state)?;
            for (&edge, route) in edges.iter().zip(routes) {
                let mut next = state.clone();
                next.branch(&mut self.encoder, &mut self.paths, route)?;
                let step = &self.program.edges[edge.index()];
                if route == Terms::FALSE || !self.command(&mut next, step)? {
                    continue;
                }
                if self.loops.is_back[edge.index()] {
                    self.at_back_edge(step.to, &next)?;
                } else {
                    arriving.entry(step.to).or_default().push(next);
                }
            }
        }
        Ok(())
    }

    /// Adds an obligation, and what it says to what is known.
    fn prove(
        &mut self,
        state: &mut Symbolic,
        location: LocationId,
        (check, kind, what, span): (Check, Kind, String, Span),
        formula: Result<TermId, Inexpressible>,
    ) -> Done {
        // Invariants are assumed, so they are proved whatever is asked.
        let wanted = self.question.asks(check) || kind != Kind::Place;
        if wanted && formula != Ok(Terms::TRUE) {
            let path = self.paths.formula(state.path);
            let (heads, now) = (state.heads.clone(), state.now.clone());
            let goal = formula.clone();
            let (part, first) = (None, self.obligations.len());
            self.obligations.push(Obligation {
                check,
                kind,
                what,
                span,
                location,
                path,
                goal,
                part,
                first,
                heads,
                now,
            });
        }
        match formula {
            Ok(fact) => state.assume(&mut self.encoder, &mut self.paths, fact),
            Err(_) => Ok(()),
        }
    }

    /// Adds the obligations of a clause, one per conjunct; each is known afterwards in its assumed form.
    fn prove_clause(
        &mut self,
        state: &mut Symbolic,
        location: LocationId,
        (check, kind, what): (Check, Kind, &str),
        clause: &Clause,
    ) -> Done {
        if !self.question.asks(check) && kind == Kind::Place {
            return self.suppose(state, clause.span, &clause.formula);
        }
        let parts = split::conjuncts(&clause.formula);
        let (several, first) = (parts.len() > 1, self.obligations.len());
        for (i, part) in parts.into_iter().enumerate() {
            let goal = self.encoder.formula(state.moments(&self.entry), &part, Side::Prove);
            if goal != Ok(Terms::TRUE) {
                self.obligations.push(Obligation {
                    check,
                    kind,
                    what: what.to_owned(),
                    span: clause.span,
                    location,
                    path: self.paths.formula(state.path),
                    goal,
                    part: several.then(|| (i, part.clone())),
                    first,
                    heads: state.heads.clone(),
                    now: state.now.clone(),
                });
            }
            self.suppose(state, clause.span, &part)?;
        }
        Ok(())
    }

    /// A formula holds here.
    fn suppose(&mut self, state: &mut Symbolic, span: Span, formula: &Formula) -> Done {
        let mut parts = Vec::new();
        back::conjuncts(formula, &mut parts);
        for part in parts {
            match self.encoder.formula(state.moments(&self.entry), part, Side::Assume) {
                Ok(fact) => state.assume(&mut self.encoder, &mut self.paths, fact)?,
                Err(reason) => self.dropped.push((span, reason.0)),
            }
        }
        Ok(())
    }

    /// Invariants and the effect of the loop, if the location is a head.
    fn at_head(&mut self, location: LocationId, state: &mut Symbolic) -> Done {
        let program = self.program;
        let declared = program.loop_at(location);
        let invariants = declared.map_or(&[][..], |l| &program.loops[l.index()].invariants);
        if let Some(l) = declared {
            self.arrive(l, state);
            for clause in invariants {
                let what = (Check::Asserts, Kind::Initially(l), "the loop invariant does not hold initially");
                // What holds is assumed again after the effect.
                let mut arriving = state.clone();
                self.prove_clause(&mut arriving, location, what, clause)?;
            }
        }
        let Some(body) = self.loops.bodies[location.index()].clone() else {
            for clause in invariants {
                self.suppose(state, clause.span, &clause.formula)?;
            }
            return Ok(());
        };
        let before = state.clone();
        let effect = Effect::of(program, &body);
        self.keep_assigns(&before, &effect, location, declared.map(Kind::Initially))?;
        self.forget(state, &effect)?;
        self.keep_given(state, location, &effect)?;
        for (_, goal) in self.assigned_so_far(state, &effect)? {
            state.assume(&mut self.encoder, &mut self.paths, goal)?;
        }
        let assigns = declared.and_then(|l| program.loops[l.index()].assigns.as_deref());
        if let Some(targets) = assigns {
            for (_, _, fact) in self.frame(&before, state, &effect, targets)? {
                state.assume(&mut self.encoder, &mut self.paths, fact)?;
            }
            for (_, fact) in self.kept_elements(&before, state, &effect, targets)? {
                state.assume(&mut self.encoder, &mut self.paths, fact)?;
            }
        }
        for clause in invariants {
            self.suppose(state, clause.span, &clause.formula)?;
            self.note_ends(state, &clause.formula);
        }
        let assumed = invariants.iter().map(|c| &c.formula);
        for formula in back::consequences(program, self.question.contract, assumed) {
            let fact = self.encoder.formula(state.moments(&self.entry), &formula, Side::Assume);
            // It says nothing new: without it, less is proved.
            if let Ok(fact) = fact {
                state.assume(&mut self.encoder, &mut self.paths, fact)?;
            }
        }
        self.name_predecessors(state)?;
        state.heads.push(self.heads.len());
        let (path, moment) = (self.paths.formula(state.path), state.now.clone());
        self.heads.push(Head { location, of: declared, path, moment });
        self.opened.insert(location, Opened { of: declared, before });
        Ok(())
    }

    fn arrive(&mut self, of: LoopId, state: &Symbolic) {
        let (path, heads, now) = (self.paths.formula(state.path), state.heads.clone(), state.now.clone());
        self.arrivals.push(Arrival { of, path, heads, now });
    }

    /// A round is over.
    fn at_back_edge(&mut self, head: LocationId, state: &Symbolic) -> Done {
        let program = self.program;
        let Some(opened) = self.opened.get(&head).cloned() else { return Ok(()) };
        let body = self.loops.bodies[head.index()].clone().unwrap_or_default();
        let effect = Effect::of(program, &body);
        self.keep_assigns(state, &effect, head, opened.of.map(Kind::Preserved))?;
        let Some(l) = opened.of else { return Ok(()) };
        self.arrive(l, state);
        let mut state = state.clone();
        let source = &program.loops[l.index()];
        for clause in &source.invariants {
            let what = (Check::Asserts, Kind::Preserved(l), "the loop invariant is not preserved");
            self.prove_clause(&mut state, head, what, clause)?;
        }
        if let Some(targets) = &source.assigns {
            let frame = self.frame(&opened.before, &state, &effect, targets)?;
            let fields = frame.into_iter().map(|(what, goal, _)| (what, goal));
            let elements = self.kept_elements(&opened.before, &state, &effect, targets)?;
            for (what, goal) in fields.chain(elements) {
                let what = format!("the loop changes {what}, which `loop assigns` does not allow");
                let about = (Check::Asserts, Kind::Preserved(l), what, source.span);
                self.prove(&mut state, head, about, Ok(goal))?;
            }
        }
        Ok(())
    }

    fn var_name(&self, var: VarId) -> &str {
        &self.program.vars[var.index()].name
    }

    fn snapshot(state: &mut Symbolic, label: super::LabelId) {
        let moment = Arc::new(state.now.clone());
        state.labels.insert(label, moment);
    }
}

#[cfg(test)]
mod tests;
