//! Where pointers to numbered variables may lead, by location.
//!
//! Explicit: the set of all combinations of values that the pointers and the tags of fat pointers can have. The
//! combinations are few because these variables depend on each other (tag 1 goes with component 0); where they are not,
//! the search gives up.

use crate::program::{Cmp, Command, Cond, Expr, LocationId, Program, VarId};
use crate::util::hash::{Map, Set};

/// Combinations at all locations together, at most.
const MAX_COMBINATIONS: usize = 50_000;

/// Leads to a variable whose life has ended.
pub(super) const ENDED: i32 = -1;

/// What a variable holds in one combination; `None`: anything.
type Value = Option<i32>;

/// What is known about pointers and tags.
pub(super) struct Points<'p> {
    program: &'p Program,
    /// Position of a pointer or tag in a combination.
    position: Map<VarId, usize>,
    /// The positions of pointers.
    pointers: Vec<usize>,
    /// Numbers of homes, from 1.
    numbers: &'p Map<VarId, i32>,
    /// Combinations, by location.
    at: Vec<Vec<Vec<Value>>>,
}

impl<'p> Points<'p> {
    /// All combinations; `None` if there are too many.
    pub(super) fn of(
        program: &'p Program,
        pointers: &[VarId],
        tags: &[VarId],
        numbers: &'p Map<VarId, i32>,
    ) -> Option<Points<'p>> {
        let vars = pointers.iter().chain(tags);
        let mut points = Points {
            program,
            position: vars.enumerate().map(|(i, v)| (*v, i)).collect(),
            pointers: (0..pointers.len()).collect(),
            numbers,
            at: vec![Vec::new(); program.locations as usize],
        };
        points.search().then_some(points)
    }

    fn search(&mut self) -> bool {
        let successors = self.program.successors();
        let mut seen: Vec<Set<Vec<Value>>> = vec![Set::default(); self.at.len()];
        let first = vec![None; self.position.len()];
        let mut open = vec![(self.program.entry, first)];
        let mut count = 0;
        while let Some((location, combination)) = open.pop() {
            if !seen[location.index()].insert(combination.clone()) {
                continue;
            }
            count += 1;
            if count > MAX_COMBINATIONS {
                return false;
            }
            for edge in &successors[location.index()] {
                let edge = &self.program.edges[edge.index()];
                if let Some(next) = self.step(&edge.command, &combination) {
                    open.push((edge.to, next));
                }
            }
            self.at[location.index()].push(combination);
        }
        true
    }

    fn step(&self, command: &Command, before: &[Value]) -> Option<Vec<Value>> {
        let mut after = before.to_vec();
        match command {
            Command::Assume(condition) if self.truth(condition, before) == Some(false) => return None,
            Command::Release(home) => {
                if let Some(number) = self.numbers.get(home) {
                    for at in &self.pointers {
                        if after[*at] == Some(*number) {
                            after[*at] = Some(ENDED);
                        }
                    }
                }
            }
            _ => {
                if let Some(at) = super::written(command).and_then(|v| self.position.get(&v)) {
                    after[*at] = match command {
                        Command::Assign(_, e) => self.value(e, before),
                        _ => None,
                    };
                }
            }
        }
        Some(after)
    }

    fn value(&self, e: &Expr, combination: &[Value]) -> Value {
        match e {
            Expr::Null(_) => Some(0),
            Expr::Int(n) => i32::try_from(*n).ok(),
            Expr::Var(v) => match self.numbers.get(v) {
                Some(number) => Some(*number),
                None => self.position.get(v).and_then(|at| combination[*at]),
            },
            _ => None,
        }
    }

    fn truth(&self, c: &Cond, combination: &[Value]) -> Option<bool> {
        match c {
            Cond::Const(value) => Some(*value),
            Cond::Compare(cmp, a, b) => {
                let (a, b) = (self.value(a, combination)?, self.value(b, combination)?);
                Some(cmp.holds(&a, &b))
            }
            Cond::Not(inner) => self.truth(inner, combination).map(|t| !t),
            Cond::And(parts) => {
                let truths: Vec<_> = parts.iter().map(|p| self.truth(p, combination)).collect();
                let known = truths.iter().all(Option::is_some);
                if truths.contains(&Some(false)) { Some(false) } else { known.then_some(true) }
            }
            Cond::Or(parts) => {
                let truths: Vec<_> = parts.iter().map(|p| self.truth(p, combination)).collect();
                let known = truths.iter().all(Option::is_some);
                if truths.contains(&Some(true)) { Some(true) } else { known.then_some(false) }
            }
        }
    }

    /// What the pointer may be at a location: `None` stands for anything.
    pub(super) fn of_pointer(&self, location: LocationId, pointer: VarId) -> Set<Value> {
        let at = self.position[&pointer];
        self.at[location.index()].iter().map(|c| c[at]).collect()
    }

    /// The truth of a condition at a location, if it is the same in all runs.
    pub(super) fn always(&self, location: LocationId, condition: &Cond) -> Option<bool> {
        let mut truths = self.at[location.index()].iter().map(|c| self.truth(condition, c));
        let first = truths.next()??;
        truths.all(|t| t == Some(first)).then_some(first)
    }
}

/// Whether the condition compares two pointers of which neither is null or a home: ended lives are all alike to us.
pub(super) fn compares_pointers(c: &Cond, is_pointer: &dyn Fn(VarId) -> bool) -> bool {
    match c {
        Cond::Const(_) => false,
        Cond::Compare(Cmp::Eq | Cmp::Ne, Expr::Var(a), Expr::Var(b)) => is_pointer(*a) && is_pointer(*b),
        Cond::Compare(..) => false,
        Cond::Not(inner) => compares_pointers(inner, is_pointer),
        Cond::And(parts) | Cond::Or(parts) => parts.iter().any(|p| compares_pointers(p, is_pointer)),
    }
}
