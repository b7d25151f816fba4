//! Where the left side of a hypothesis is a part of another left side.

use super::simplify::{negated, solved};
use super::*;

/// A part of a left side that is an instance of a hypothesis.
pub(super) struct Match {
    /// What stands for the variables of the hypothesis.
    pub map: Map<Var, Arg>,
    /// Cells and calls outside of the part.
    pub rest: SymbolicHeap,
    /// Demands of the hypothesis that are not known: that they hold, that they do not.
    pub doubts: Vec<(SymbolicHeap, SymbolicHeap)>,
}

/// Matches of one hypothesis that are looked at.
const MAX_MATCHES: usize = 6;
/// Demands that are split.
const MAX_DOUBTS: usize = 2;

/// A partial match.
#[derive(Clone)]
struct Partial {
    map: Map<Var, Arg>,
    cells: Vec<Cell>,
    calls: Vec<Call>,
    /// Sums that must be equal.
    sums: Vec<(Linear, Linear)>,
}

impl Prover<'_> {
    /// A sequent as a hypothesis: every integer argument on the left is a variable of its own.
    pub(super) fn generalised(&mut self, sequent: &Sequent) -> Sequent {
        let mut general = sequent.clone();
        let mut seen: Set<Var> = Set::default();
        let mut facts = Vec::new();
        let Sequent { left, .. } = &mut general;
        let cells = left.cells.iter_mut().flat_map(|c| c.values.iter_mut());
        let calls = left.calls.iter_mut().flat_map(|c| c.args.iter_mut());
        for arg in cells.chain(calls) {
            let Arg::Int(form) = arg else { continue };
            if form.as_var().is_some_and(|v| v as usize >= self.system.n_globals() && seen.insert(v)) {
                continue;
            }
            self.names.sorts.push(SortId::INT);
            let var = self.names.sorts.len() as Var - 1;
            seen.insert(var);
            facts.push(Fact { relation: Relation::Zero, form: Linear::var(var).minus(form) });
            *form = Linear::var(var);
        }
        left.facts.extend(facts);
        general
    }

    /// The matches of a hypothesis in the left side of a sequent.
    pub(super) fn matches(&mut self, index: usize, sequent: &Sequent, whole: bool) -> Vec<Match> {
        let pattern = &self.hypotheses[index].sequent;
        let (n_cells, n_calls) = (pattern.left.cells.len(), pattern.left.calls.len());
        let left = &sequent.left;
        let size = (left.cells.len(), left.calls.len());
        if n_cells > size.0 || n_calls > size.1 || (whole != ((n_cells, n_calls) == size)) {
            return Vec::new();
        }
        let start = Partial {
            map: (0..self.system.n_globals() as Var).map(|v| (v, self.global(v))).collect(),
            cells: left.cells.clone(),
            calls: left.calls.clone(),
            sums: Vec::new(),
        };
        let mut open = vec![(start, 0)];
        let mut partial = Vec::new();
        while let Some((state, at)) = open.pop() {
            if at == n_cells + n_calls {
                partial.push(state);
                if partial.len() >= MAX_MATCHES {
                    break;
                }
                continue;
            }
            if at < n_cells {
                let wanted = &pattern.left.cells[at];
                for (i, cell) in state.cells.iter().enumerate().rev().filter(|(_, c)| c.kind == wanted.kind) {
                    let mut next = state.clone();
                    next.cells.remove(i);
                    if next.bind(&Arg::Loc(wanted.at), &Arg::Loc(cell.at))
                        && next.bind_all(&wanted.values, &cell.values)
                    {
                        open.push((next, at + 1));
                    }
                }
            } else {
                let wanted = &pattern.left.calls[at - n_cells];
                for (i, call) in
                    state.calls.iter().enumerate().rev().filter(|(_, c)| c.definition == wanted.definition)
                {
                    let mut next = state.clone();
                    next.calls.remove(i);
                    if next.bind_all(&wanted.args, &call.args) {
                        open.push((next, at + 1));
                    }
                }
            }
        }
        partial.into_iter().filter_map(|p| self.completed(index, sequent, p)).collect()
    }

    fn global(&self, var: Var) -> Arg {
        match self.system.globals[var as usize] {
            SortId::INT => Arg::Int(Linear::var(var)),
            _ => Arg::Loc(var),
        }
    }

    /// Checks what the hypothesis says beside cells and calls.
    fn completed(&mut self, index: usize, sequent: &Sequent, found: Partial) -> Option<Match> {
        let pattern = &self.hypotheses[index].sequent;
        let (mut map, pattern_left, spent) = (found.map, pattern.left.clone(), pattern.spent.clone());
        // Integers of the hypothesis that only its equations speak of.
        loop {
            let is_new = |v: &Var| !map.contains_key(v);
            let news: Vec<Var> = pattern_left
                .facts
                .iter()
                .flat_map(|f| f.form.terms.iter().map(|t| t.0))
                .filter(is_new)
                .collect();
            let alone: Vec<Fact> = pattern_left
                .facts
                .iter()
                .filter(|f| f.form.terms.iter().filter(|(v, _)| is_new(v)).count() == 1)
                .cloned()
                .collect();
            let Some((_, var, value)) = solved(&alone, &news) else { break };
            let value = mapped_form(&value, &|v| map.get(&v).cloned());
            map.insert(var, Arg::Int(value));
        }
        // A variable that is nowhere in cells or calls may stand for anything: it stays what it is.
        let demands = SymbolicHeap {
            different: pattern_left.different.clone(),
            facts: pattern_left.facts.clone(),
            ..SymbolicHeap::default()
        };
        let mut demands = demands.mapped(&|v| map.get(&v).cloned());
        for (wanted, given) in &found.sums {
            let form = mapped_form(wanted, &|v| map.get(&v).cloned()).minus(given);
            demands.facts.push(Fact { relation: Relation::Zero, form });
        }
        let left = &sequent.left;
        let allocated = self.allocated(left, &sequent.spent);
        let mut doubts = Vec::new();
        for pair in demands.different {
            if pair.0 == pair.1 {
                return None;
            }
            if !self.differ(left, &allocated, pair.0, pair.1) {
                let yes = SymbolicHeap { different: vec![pair], ..SymbolicHeap::default() };
                let no = SymbolicHeap { equal: vec![pair], ..SymbolicHeap::default() };
                doubts.push((yes, no));
            }
        }
        for fact in demands.facts {
            if !self.ints.implies(&left.facts, &fact) {
                if fact.truth().is_some() {
                    return None;
                }
                let no = SymbolicHeap { facts: vec![negated(&fact)], ..SymbolicHeap::default() };
                let yes = SymbolicHeap { facts: vec![fact], ..SymbolicHeap::default() };
                doubts.push((yes, no));
            }
        }
        if doubts.len() > MAX_DOUBTS {
            return None;
        }
        // Cells outside of the hypothesis must be outside of the part; those of two groups in two groups.
        let rest_cells = found.cells.iter().map(|c| vec![c.at]);
        let outside: Vec<Vec<Var>> = sequent.spent.iter().cloned().chain(rest_cells).collect();
        let mut owners: Map<usize, usize> = Map::default();
        for (group, vars) in spent.iter().enumerate() {
            for var in vars {
                let at = match map.get(var) {
                    None => *var,
                    Some(Arg::Loc(at)) => *at,
                    Some(Arg::Int(_)) => return None,
                };
                let place = outside.iter().position(|g| g.contains(&at))?;
                if *owners.entry(place).or_insert(group) != group {
                    return None;
                }
            }
        }
        let rest = SymbolicHeap { cells: found.cells, calls: found.calls, ..SymbolicHeap::default() };
        Some(Match { map, rest, doubts })
    }
}

impl Partial {
    fn bind_all(&mut self, wanted: &[Arg], given: &[Arg]) -> bool {
        wanted.iter().zip(given).all(|(w, g)| self.bind(w, g))
    }

    fn bind(&mut self, wanted: &Arg, given: &Arg) -> bool {
        match (wanted, given) {
            (Arg::Loc(var), Arg::Loc(_)) => *self.map.entry(*var).or_insert_with(|| given.clone()) == *given,
            (Arg::Int(form), Arg::Int(sum)) => {
                match form.as_var() {
                    Some(var) if !self.map.contains_key(&var) => {
                        self.map.insert(var, given.clone());
                    }
                    _ => self.sums.push((form.clone(), sum.clone())),
                }
                true
            }
            _ => false,
        }
    }
}
