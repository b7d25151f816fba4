//! Base pairs: what a predicate can make of its parameters.
//!
//! A *pair* says which parameters (and globals) are equal, which are different and which are cells. The pairs of
//! a predicate are the least fixpoint of its rules: the equations of a rule and one pair for each call,
//! without the existential variables. There are finitely many. A symbolic heap without integers is
//! satisfiable if and only if its own pairs are not empty, because there are infinitely many locations. Facts
//! about integers are left out, so with them an empty set still means unsatisfiable.
//!
//! Of two pairs the one that demands less is enough; only those are kept. Each remembers the rule and the
//! pairs of the calls that it came from first, so a finite heap can be unfolded along it.

use crate::engine::induct::heap::{Arg, Rule, SymbolicHeap, System, Var};
use crate::util::hash::Map;
use crate::util::limits::{Budget, Stop};

/// Variables as bits; more than these are refused.
const MAX_VARIABLES: usize = 64;
/// A place for nothing.
const NONE: u8 = u8::MAX;

/// Equalities, disequalities and cells among variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    /// For each variable the least one that is equal; [`NONE`] for those that were forgotten.
    class: Vec<u8>,
    /// Classes that are cells.
    cells: u64,
    /// For each class the classes that are different, where cells and nil do not say so already.
    different: Vec<u64>,
}

/// Where a pair came from.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The rule.
    pub rule: usize,
    /// For each call of the rule the pair of its predicate.
    pub calls: Vec<usize>,
}

/// The pairs of all definitions.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    by_definition: Vec<Vec<(Pair, Origin)>>,
    /// Pairs that a weaker one replaced stay in their place, for origins.
    retired: Vec<Vec<bool>>,
}

/// What follows from every pair of a predicate.
#[derive(Clone, Debug, Default)]
pub struct Consequences {
    /// Equal parameters or globals, as numbers of a rule.
    pub equal: Vec<(Var, Var)>,
    /// Different ones.
    pub different: Vec<(Var, Var)>,
    /// Parameters that are cells.
    pub cells: Vec<Var>,
}

/// Whether a symbolic heap has a model, as far as pairs tell.
#[derive(Clone, Debug)]
pub enum Satisfiable {
    /// It has none.
    No,
    /// It has one if integers agree: for each call of the heap, the pair to unfold along.
    Perhaps(Vec<usize>),
}

impl Pair {
    fn new(n: usize) -> Pair {
        Pair { class: (0..n as u8).collect(), cells: 0, different: vec![0; n] }
    }

    fn of(&self, var: usize) -> usize {
        self.class[var] as usize
    }

    /// Makes two variables equal; false if that is absurd.
    fn merge(&mut self, a: usize, b: usize, nils: u64) -> bool {
        let (a, b) = (self.of(a), self.of(b));
        if a == b {
            return true;
        }
        let (least, other) = (a.min(b), a.max(b));
        let (one, two) = (1_u64 << least, 1_u64 << other);
        if self.different[least] & two != 0 || self.cells & one != 0 && self.cells & two != 0 {
            return false;
        }
        let either = self.cells & (one | two) != 0;
        for class in self.class.iter_mut().filter(|c| **c as usize == other) {
            *class = least as u8;
        }
        for row in &mut self.different {
            if *row & two != 0 {
                *row = *row & !two | one;
            }
        }
        self.different[least] |= std::mem::take(&mut self.different[other]);
        self.cells &= !two;
        !either || self.allocate_class(least, nils)
    }

    fn allocate_class(&mut self, class: usize, nils: u64) -> bool {
        self.cells |= 1 << class;
        !self.class.iter().enumerate().any(|(v, &c)| c as usize == class && nils & (1 << v) != 0)
    }

    /// Makes a variable a cell of its own.
    fn allocate(&mut self, var: usize, nils: u64) -> bool {
        let class = self.of(var);
        self.cells & (1 << class) == 0 && self.allocate_class(class, nils)
    }

    fn separate(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.of(a), self.of(b));
        self.different[a] |= 1 << b;
        self.different[b] |= 1 << a;
        a != b
    }

    /// What it says about some variables: the others are forgotten. The result has `n` of them, `place` tells
    /// which becomes which.
    fn projected(&self, kept: &[bool], nils: u64) -> Pair {
        let n = self.class.len();
        let mut name = vec![NONE; n];
        let mut class = vec![NONE; n];
        for v in (0..n).filter(|&v| kept[v]) {
            let c = self.of(v);
            if name[c] == NONE {
                name[c] = v as u8;
            }
            class[v] = name[c];
        }
        let mut cells = 0;
        let mut different = vec![0; n];
        let is_nil =
            |c: usize| self.class.iter().enumerate().any(|(v, &d)| d as usize == c && nils >> v & 1 != 0);
        for c in (0..n).filter(|&c| name[c] != NONE) {
            let is_cell = self.cells >> c & 1 != 0;
            if is_cell {
                cells |= 1 << name[c];
            }
            let mut row = self.different[c];
            while row != 0 {
                let d = row.trailing_zeros() as usize;
                row &= row - 1;
                let implied = is_cell && (self.cells >> d & 1 != 0 || is_nil(d))
                    || is_nil(c) && self.cells >> d & 1 != 0;
                if name[d] != NONE && !implied {
                    different[name[c] as usize] |= 1 << name[d];
                }
            }
        }
        Pair { class, cells, different }
    }

    /// Whether it demands no more than another one.
    fn is_weaker(&self, other: &Pair, nils: u64) -> bool {
        let same = |(v, &c): (usize, &u8)| c == NONE || other.class[v] == other.class[c as usize];
        if !self.class.iter().enumerate().all(same) {
            return false;
        }
        let classes = (0..self.class.len()).filter(|&v| self.class[v] as usize == v);
        let mut cells = 0_u64;
        for c in classes {
            if self.cells >> c & 1 != 0 {
                // Two cells here are two cells there.
                let there = 1 << other.of(c);
                if other.cells & there == 0 || cells & there != 0 {
                    return false;
                }
                cells |= there;
            }
            let mut row = self.different[c];
            while row != 0 {
                let d = row.trailing_zeros() as usize;
                row &= row - 1;
                if !other.are_different(c, d, nils) {
                    return false;
                }
            }
        }
        true
    }

    fn are_different(&self, a: usize, b: usize, nils: u64) -> bool {
        let (a, b) = (self.of(a), self.of(b));
        let is_cell = |c: usize| self.cells >> c & 1 != 0;
        let is_nil =
            |c: usize| (0..self.class.len()).any(|v| self.class[v] as usize == c && nils >> v & 1 != 0);
        a != b
            && (self.different[a] >> b & 1 != 0
                || is_cell(a) && (is_cell(b) || is_nil(b))
                || is_nil(a) && is_cell(b))
    }
}

/// What is needed to compute pairs.
struct Fixpoint<'a> {
    system: &'a System,
    nils: u64,
    pairs: Pairs,
}

impl Pairs {
    /// The pairs of all definitions; nothing if a rule has too many variables.
    pub fn new(system: &System, budget: &mut Budget) -> Result<Option<Pairs>, Stop> {
        let nils = system.nils.iter().fold(0, |bits, &nil| bits | 1_u64 << nil);
        let rules = system.definitions.iter().flat_map(|d| &d.rules);
        if rules.map(|r| r.sorts.len()).max().unwrap_or(0) + system.n_globals() > MAX_VARIABLES {
            return Ok(None);
        }
        let n = system.definitions.len();
        let pairs = Pairs { by_definition: vec![Vec::new(); n], retired: vec![Vec::new(); n] };
        let mut fixpoint = Fixpoint { system, nils, pairs };
        fixpoint.run(budget)?;
        Ok(Some(fixpoint.pairs))
    }

    /// Whether a symbolic heap over `n` variables (globals included) has a model.
    pub fn satisfiable(
        &self,
        system: &System,
        heap: &SymbolicHeap,
        n: usize,
        budget: &mut Budget,
    ) -> Result<Option<Satisfiable>, Stop> {
        if n > MAX_VARIABLES {
            return Ok(None);
        }
        let nils = system.nils.iter().fold(0, |bits, &nil| bits | 1_u64 << nil);
        let kept: Vec<bool> = (0..n).map(|v| v < system.n_globals()).collect();
        let found = self.joined(system, heap, n, nils, &kept, |_, _| true, budget)?;
        Ok(Some(match found.into_iter().next() {
            None => Satisfiable::No,
            Some((_, calls)) => Satisfiable::Perhaps(calls),
        }))
    }

    /// Where a pair came from.
    pub fn origin(&self, definition: usize, pair: usize) -> &Origin {
        &self.by_definition[definition][pair].1
    }

    /// What every pair of a predicate says. A predicate without pairs is false; it says nothing here.
    pub fn consequences(&self, system: &System, definition: usize) -> Consequences {
        let nils = system.nils.iter().fold(0, |bits, &nil| bits | 1_u64 << nil);
        let live = self.by_definition[definition].iter().zip(&self.retired[definition]);
        let live: Vec<&Pair> = live.filter(|(_, retired)| !**retired).map(|((pair, _), _)| pair).collect();
        let mut found = Consequences::default();
        if live.is_empty() {
            return found;
        }
        let n = system.n_globals() + system.definitions[definition].arity;
        for a in 0..n {
            if live.iter().all(|p| p.cells >> p.of(a) & 1 != 0) {
                found.cells.push(a as Var);
            }
            for b in 0..a {
                if live.iter().all(|p| p.of(a) == p.of(b)) {
                    found.equal.push((b as Var, a as Var));
                }
                if live.iter().all(|p| p.are_different(a, b, nils)) {
                    found.different.push((b as Var, a as Var));
                }
            }
        }
        found
    }

    /// Whether some unfolding of a predicate makes a parameter a cell.
    pub fn may_allocate(&self, system: &System, definition: usize, param: usize) -> bool {
        let v = system.n_globals() + param;
        let live = self.by_definition[definition].iter().zip(&self.retired[definition]);
        live.filter(|(_, retired)| !**retired).any(|((p, _), _)| p.cells >> p.of(v) & 1 != 0)
    }

    /// Whether a predicate has no model at all.
    pub fn is_false(&self, definition: usize) -> bool {
        self.by_definition[definition].is_empty()
    }

    /// The pairs of a symbolic heap over `n` variables, without the variables that are not kept, each with
    /// the pairs of its calls. `usable` says which pairs of which call may be taken.
    #[allow(clippy::too_many_arguments)]
    fn joined(
        &self,
        system: &System,
        heap: &SymbolicHeap,
        n: usize,
        nils: u64,
        kept: &[bool],
        usable: impl Fn(usize, usize) -> bool,
        budget: &mut Budget,
    ) -> Result<Vec<(Pair, Vec<usize>)>, Stop> {
        let mut start = Pair::new(n);
        let fine = heap.equal.iter().all(|&(a, b)| start.merge(a as usize, b as usize, nils))
            && heap.different.iter().all(|&(a, b)| start.separate(a as usize, b as usize))
            && heap.cells.iter().all(|c| start.allocate(c.at as usize, nils));
        if !fine {
            return Ok(Vec::new());
        }
        let mut states: Vec<(Pair, Vec<usize>)> = vec![(start, Vec::new())];
        let n_globals = system.n_globals();
        // Calls with few pairs come first.
        let mut order: Vec<(usize, usize)> = Vec::new();
        for (i, call) in heap.calls.iter().enumerate() {
            let retired = &self.retired[call.definition];
            order.push((retired.iter().enumerate().filter(|&(j, r)| !r && usable(i, j)).count(), i));
        }
        order.sort_unstable();
        let order: Vec<usize> = order.into_iter().map(|(_, i)| i).collect();
        for (done, &i) in order.iter().enumerate() {
            let call = &heap.calls[i];
            // Variables that no later call mentions can be forgotten.
            let mut later = kept.to_vec();
            for &j in &order[done + 1..] {
                for arg in heap.calls[j].args.iter().filter_map(Arg::loc) {
                    later[arg as usize] = true;
                }
            }
            let mut seen: Map<Pair, usize> = Map::default();
            let mut next: Vec<(Pair, Vec<usize>)> = Vec::new();
            let place = |v: usize| match v.checked_sub(n_globals) {
                None => Some(v),
                Some(param) => call.args[param].loc().map(|var| var as usize),
            };
            let pairs = &self.by_definition[call.definition];
            let retired = &self.retired[call.definition];
            for (state, origin) in &states {
                for (j, (pair, _)) in pairs.iter().enumerate() {
                    if !usable(i, j) || retired[j] {
                        continue;
                    }
                    budget.spend(1 + n as u64 / 8)?;
                    let mut joined = state.clone();
                    if !joined.take(pair, &place, nils) {
                        continue;
                    }
                    let joined = joined.forget(&later, nils);
                    if !seen.contains_key(&joined) {
                        seen.insert(joined.clone(), next.len());
                        let mut origin = origin.clone();
                        origin.push(j);
                        next.push((joined, origin));
                    }
                }
            }
            states = next;
        }
        let in_place = |origin: Vec<usize>| {
            let mut placed = vec![0; order.len()];
            order.iter().zip(origin).for_each(|(&i, pair)| placed[i] = pair);
            placed
        };
        Ok(states.into_iter().map(|(pair, origin)| (pair.projected(kept, nils), in_place(origin))).collect())
    }
}

impl Pair {
    /// Adds what the pair of a call says; false if that is absurd.
    fn take(&mut self, pair: &Pair, place: &dyn Fn(usize) -> Option<usize>, nils: u64) -> bool {
        for v in 0..pair.class.len() {
            let Some(to) = place(v) else { continue };
            let class = pair.of(v);
            if class != v
                && let Some(other) = place(class)
                && !self.merge(to, other, nils)
            {
                return false;
            }
        }
        for c in (0..pair.class.len()).filter(|&c| pair.of(c) == c) {
            let Some(at) = place(c) else { continue };
            if pair.cells >> c & 1 != 0 && !self.allocate(at, nils) {
                return false;
            }
            let mut row = pair.different[c];
            while row != 0 {
                let d = row.trailing_zeros() as usize;
                row &= row - 1;
                if let Some(other) = place(d)
                    && !self.separate(at, other)
                {
                    return false;
                }
            }
        }
        true
    }

    /// Forgets what some variables are; they stay as variables about which nothing is known.
    fn forget(&self, kept: &[bool], nils: u64) -> Pair {
        let mut pair = self.projected(kept, nils);
        for v in 0..pair.class.len() {
            if pair.class[v] == NONE {
                pair.class[v] = v as u8;
            }
        }
        pair
    }
}

impl Fixpoint<'_> {
    fn run(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let n = self.system.definitions.len();
        // Pairs of each definition that were known before the round before.
        let mut old = vec![0_usize; n];
        let mut first = true;
        loop {
            let known: Vec<usize> = self.pairs.by_definition.iter().map(Vec::len).collect();
            for d in 0..n {
                for r in 0..self.system.definitions[d].rules.len() {
                    self.rule(d, r, &old, &known, first, budget)?;
                }
            }
            first = false;
            if self.pairs.by_definition.iter().zip(&known).all(|(now, &before)| now.len() == before) {
                return Ok(());
            }
            old = known;
        }
    }

    /// The pairs of one rule of which at least one call has a pair that is new.
    fn rule(
        &mut self,
        definition: usize,
        index: usize,
        old: &[usize],
        known: &[usize],
        first: bool,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let rule: &Rule = &self.system.definitions[definition].rules[index];
        let n_globals = self.system.n_globals();
        let n = n_globals + rule.sorts.len();
        let arity = self.system.definitions[definition].arity;
        let kept: Vec<bool> = (0..n).map(|v| v < n_globals + arity).collect();
        let calls = &rule.heap.calls;
        if calls.is_empty() {
            if first {
                let found =
                    self.pairs.joined(self.system, &rule.heap, n, self.nils, &kept, |_, _| true, budget)?;
                self.keep(definition, index, arity, found);
            }
            return Ok(());
        }
        for newest in 0..calls.len() {
            let d = calls[newest].definition;
            if old[d] == known[d] {
                continue;
            }
            let usable = |call: usize, pair: usize| {
                let d = calls[call].definition;
                match call.cmp(&newest) {
                    std::cmp::Ordering::Less => pair < old[d],
                    std::cmp::Ordering::Equal => old[d] <= pair && pair < known[d],
                    std::cmp::Ordering::Greater => pair < known[d],
                }
            };
            let found = self.pairs.joined(self.system, &rule.heap, n, self.nils, &kept, usable, budget)?;
            self.keep(definition, index, arity, found);
        }
        Ok(())
    }

    fn keep(&mut self, definition: usize, rule: usize, arity: usize, found: Vec<(Pair, Vec<usize>)>) {
        let n = self.system.n_globals() + arity;
        for (mut pair, calls) in found {
            pair.class.truncate(n);
            pair.different.truncate(n);
            let (known, retired) =
                (&self.pairs.by_definition[definition], &mut self.pairs.retired[definition]);
            let mut live = known.iter().zip(&*retired).filter(|(_, retired)| !**retired);
            if live.any(|((weaker, _), _)| weaker.is_weaker(&pair, self.nils)) {
                continue;
            }
            for (i, (other, _)) in known.iter().enumerate() {
                retired[i] = retired[i] || pair.is_weaker(other, self.nils);
            }
            self.pairs.by_definition[definition].push((pair, Origin { rule, calls }));
            self.pairs.retired[definition].push(false);
        }
    }
}
