//! Proofs of entailments between symbolic heaps, by induction on the number of cells.
//!
//! A *sequent* has a symbolic heap on the left and several on the right: every heap that the left describes is
//! described by one of the right, for all values of the variables. It is proved backwards. On the left every
//! call can be unfolded (each case must be proved) and equalities can be split; on the right a call is the
//! disjunction of its rules, a disjunct may be dropped and an existential variable may be given a value. A cell
//! on both sides is taken away from both; so is a call.
//!
//! A sequent that is about to be unfolded becomes a *hypothesis*. It may be used further down for a part of the
//! left side that has fewer cells than the heap had there: cells were taken away since, or a cell stays
//! outside of the part. So the proof is by well-founded induction on the number of cells, over all hypotheses at
//! once. What is used is the right side of the hypothesis in the place of the part.
//!
//! Locations of cells that were taken away are remembered: the rest of the left side has no cell there.
//!
//! Nothing is refuted here. No proof within the budget means nothing.

use crate::engine::induct::heap::{
    Arg, Call, Cell, Fact, Linear, Relation, SymbolicHeap, System, Var, mapped_form,
};
use crate::engine::induct::ints::Ints;
use crate::engine::induct::pairs::{Consequences, Pairs};
use crate::engine::induct::unfold::Names;
use crate::logic::SortId;
use crate::util::hash::{Map, Set};
use crate::util::limits::{Budget, Limits, Stop};
use crate::util::num::Int;

mod matching;
mod simplify;
mod variants;

/// What a proof may cost.
pub struct Budgets {
    /// Time, memory and cancellation.
    pub limits: Limits,
}

/// The search goes on with more unfoldings on a branch until this many.
const MAX_UNFOLDINGS: usize = 7;
/// Nodes that a search may have, for each number of unfoldings.
const MAX_NODES: u64 = 4_000;
/// Case splits on a branch.
const MAX_SPLITS: usize = 14;
/// How often a disjunct is unfolded for one cell of the left side: a definition that begins at the other end never
/// shows it.
const MAX_OPENED: usize = 2;
/// Disjuncts on the right.
const MAX_RIGHTS: usize = 40;
/// Nodes on a branch.
const MAX_DEPTH: usize = 120;

/// A disjunct of the right side.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Right {
    heap: SymbolicHeap,
    /// Its existential variables.
    bound: Vec<Var>,
    /// How often it was unfolded since a cell was taken away.
    opened: usize,
}

/// What has to be proved.
#[derive(Clone, Debug)]
struct Sequent {
    left: SymbolicHeap,
    /// Cells outside of the left side. Those of one group may be the same cell, those of two are not.
    spent: Vec<Vec<Var>>,
    rights: Vec<Right>,
}

/// A sequent that may be used for smaller heaps.
struct Hypothesis {
    sequent: Sequent,
    /// How many cells had been taken away on the branch.
    taken: usize,
}

/// Where the search is.
#[derive(Clone, Copy)]
struct Place {
    /// Cells taken away on the branch.
    taken: usize,
    /// Unfoldings and uses of hypotheses that are left.
    unfoldings: usize,
    splits: usize,
    depth: usize,
}

struct Prover<'a> {
    system: &'a System,
    pairs: &'a Pairs,
    consequences: Vec<Consequences>,
    ints: &'a mut Ints,
    names: Names,
    hypotheses: Vec<Hypothesis>,
    n_nodes: u64,
    budget: Budget,
}

/// Whether a proof was found that every heap of the left side is one of the right side.
pub fn entails(
    system: &System,
    pairs: &Pairs,
    left: &SymbolicHeap,
    (rights, names): (Vec<(SymbolicHeap, Vec<Var>)>, Names),
    ints: &mut Ints,
    budgets: &Budgets,
) -> Result<bool, Stop> {
    let n = system.definitions.len();
    let mut prover = Prover {
        system,
        pairs,
        consequences: (0..n).map(|d| pairs.consequences(system, d)).collect(),
        ints,
        names,
        hypotheses: Vec::new(),
        n_nodes: 0,
        budget: Budget::new(&budgets.limits),
    };
    let rights: Vec<Right> =
        rights.into_iter().map(|(heap, bound)| Right { heap, bound, opened: 0 }).collect();
    let variants = variants::variants(left);
    for unfoldings in 0..=MAX_UNFOLDINGS {
        for variant in &variants {
            let sequent = Sequent { left: variant.clone(), spent: Vec::new(), rights: rights.clone() };
            prover.hypotheses.clear();
            prover.n_nodes = 0;
            if prover.prove(sequent, Place { taken: 0, unfoldings, splits: MAX_SPLITS, depth: MAX_DEPTH })? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

impl Prover<'_> {
    fn prove(&mut self, mut sequent: Sequent, place: Place) -> Result<bool, Stop> {
        self.budget.spend(20)?;
        self.n_nodes += 1;
        if self.n_nodes > MAX_NODES || place.depth == 0 {
            return Ok(false);
        }
        let place = Place { depth: place.depth - 1, ..place };
        if self.simplify(&mut sequent) {
            return Ok(true);
        }
        if sequent.rights.len() > MAX_RIGHTS {
            return Ok(false);
        }
        if let Some(next) = self.collapsed(&sequent) {
            return self.prove(next, place);
        }
        if sequent.rights.iter().any(|r| r.heap == SymbolicHeap::default())
            && sequent.left.cells.is_empty()
            && sequent.left.calls.is_empty()
        {
            return Ok(true);
        }
        // What the right side asks and the left side does not say is split.
        if let Some((then, otherwise)) = self.question(&sequent) {
            if place.splits == 0 {
                return Ok(false);
            }
            let place = Place { splits: place.splits - 1, ..place };
            for case in [then, otherwise] {
                let mut sequent = sequent.clone();
                sequent.left.extend(case);
                if !self.prove(sequent, place)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        if sequent.left.cells.is_empty() && sequent.left.calls.is_empty() {
            return self.empty(sequent, place);
        }
        if self.by_hypothesis(&sequent, place, true)? {
            return Ok(true);
        }
        if let Some(done) = self.common_cell(&sequent, place)? {
            if done {
                return Ok(true);
            }
        } else if self.chosen_cell(&sequent, place)? {
            return Ok(true);
        }
        if self.common_call(&sequent, place)? || self.by_hypothesis(&sequent, place, false)? {
            return Ok(true);
        }
        if self.chosen_root(&sequent, place)? || self.unfold_left(&sequent, place)? {
            return Ok(true);
        }
        self.unfold_right(&sequent, place)
    }

    /// The left side is empty: calls on the right must be, too.
    fn empty(&mut self, mut sequent: Sequent, place: Place) -> Result<bool, Stop> {
        sequent.rights.retain(|r| r.heap.cells.is_empty());
        let Some(i) = sequent.rights.iter().position(|r| !r.heap.calls.is_empty()) else { return Ok(false) };
        let Some(instances) = self.unfolded(&sequent.rights[i], 0) else { return Ok(false) };
        let instances: Vec<Right> = instances.into_iter().filter(|r| r.heap.cells.is_empty()).collect();
        sequent.rights.splice(i..=i, instances);
        self.prove(sequent, place)
    }

    /// A disjunct with one of its calls unfolded.
    fn unfolded(&mut self, right: &Right, call: usize) -> Option<Vec<Right>> {
        let mut rest = right.clone();
        let call = rest.heap.calls.remove(call);
        let definition = &self.system.definitions[call.definition];
        if definition.rules.len() > MAX_RIGHTS {
            return None;
        }
        let mut all = Vec::new();
        for rule in &definition.rules {
            let mut right = rest.clone();
            let names = &mut self.names;
            let bound = &mut right.bound;
            let instance = self.system.instance(&call, rule, |sort| {
                let var = names.fresh(sort);
                bound.push(var);
                var
            });
            right.heap.extend(instance);
            all.push(right);
        }
        Some(all)
    }

    /// Takes away a cell of the left side that all disjuncts have, after unfolding; disjuncts that do not
    /// have it are dropped. Nothing if there is no such cell.
    fn common_cell(&mut self, sequent: &Sequent, place: Place) -> Result<Option<bool>, Stop> {
        let mut tried = None;
        let may_open = |prover: &Self, r: &Right, at: Var| {
            if r.opened < MAX_OPENED { prover.rooted(r, at) } else { None }
        };
        for (i, cell) in sequent.left.cells.iter().enumerate() {
            let has = |r: &Right| r.heap.cells.iter().any(|c| c.at == cell.at);
            if sequent.rights.is_empty()
                || !sequent.rights.iter().all(|r| has(r) || may_open(self, r, cell.at).is_some())
            {
                continue;
            }
            let mut next = sequent.clone();
            if let Some(j) = sequent.rights.iter().position(|r| !has(r)) {
                let call = may_open(self, &sequent.rights[j], cell.at).expect("it has a call there");
                let Some(mut instances) = self.unfolded(&sequent.rights[j], call) else { continue };
                instances.iter_mut().for_each(|r| r.opened += 1);
                next.rights.splice(j..=j, instances);
                return Ok(Some(self.prove(next, place)?));
            }
            self.take(&mut next, i);
            return Ok(Some(self.prove(next, Place { taken: place.taken + 1, ..place })?));
        }
        // Some disjuncts have it: the others are dropped.
        for cell in &sequent.left.cells {
            let has = |r: &Right| r.heap.cells.iter().any(|c| c.at == cell.at);
            let mut next = sequent.clone();
            next.rights.retain(|r| has(r) || may_open(self, r, cell.at).is_some());
            if next.rights.is_empty() || next.rights.len() == sequent.rights.len() {
                continue;
            }
            tried = Some(false);
            if self.prove(next, place)? {
                return Ok(Some(true));
            }
        }
        Ok(tried)
    }

    /// A call of a disjunct that has a rule with a cell at this location.
    fn rooted(&self, right: &Right, at: Var) -> Option<usize> {
        let n_globals = self.system.n_globals();
        right.heap.calls.iter().position(|call| {
            let rules = &self.system.definitions[call.definition].rules;
            call.args.iter().enumerate().any(|(p, arg)| {
                let root = (n_globals + p) as Var;
                *arg == Arg::Loc(at) && rules.iter().any(|r| r.heap.cells.iter().any(|c| c.at == root))
            })
        })
    }

    /// Takes a cell away from both sides.
    fn take(&mut self, sequent: &mut Sequent, index: usize) {
        let cell = sequent.left.cells.remove(index);
        for right in &mut sequent.rights {
            let place = right.heap.cells.iter().position(|c| c.at == cell.at).expect("every disjunct has it");
            let other = right.heap.cells.remove(place);
            equate(&mut right.heap, &cell.values, &other.values);
            right.opened = 0;
        }
        sequent.spent.push(vec![cell.at]);
    }

    /// A cell of a disjunct whose location is an existential variable is a cell of the left side.
    fn chosen_cell(&mut self, sequent: &Sequent, place: Place) -> Result<bool, Stop> {
        for (i, right) in sequent.rights.iter().enumerate() {
            for cell in right.heap.cells.iter().filter(|c| right.bound.contains(&c.at)) {
                for found in &sequent.left.cells {
                    if found.kind != cell.kind || !agree(found, cell, &right.bound) {
                        continue;
                    }
                    let mut next = sequent.clone();
                    let at = cell.at;
                    next.rights[i].heap.equal.push((at, found.at));
                    if self.prove(next, place)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// An existential variable at which a call of a disjunct has a cell is a location at which the left side may
    /// have one.
    fn chosen_root(&mut self, sequent: &Sequent, place: Place) -> Result<bool, Stop> {
        if place.unfoldings == 0 {
            return Ok(false);
        }
        let mut roots: Vec<Var> = sequent.left.cells.iter().map(|c| c.at).collect();
        for call in &sequent.left.calls {
            let may = |(p, arg): (usize, &Arg)| {
                arg.loc().filter(|_| self.pairs.may_allocate(self.system, call.definition, p))
            };
            roots.extend(call.args.iter().enumerate().filter_map(may));
        }
        for (i, right) in sequent.rights.iter().enumerate() {
            for &var in &right.bound {
                if self.rooted(right, var).is_none() {
                    continue;
                }
                for &root in &roots {
                    if self.names.sorts[var as usize] != self.names.sorts[root as usize] {
                        continue;
                    }
                    let mut next = sequent.clone();
                    next.rights[i].heap.equal.push((var, root));
                    if self.prove(next, Place { unfoldings: place.unfoldings - 1, ..place })? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Takes a call away from both sides; the other disjuncts are dropped.
    fn common_call(&mut self, sequent: &Sequent, place: Place) -> Result<bool, Stop> {
        for (i, call) in sequent.left.calls.iter().enumerate() {
            for right in &sequent.rights {
                for (j, other) in right.heap.calls.iter().enumerate() {
                    if other.definition != call.definition || !self.may_be_same(call, other, right) {
                        continue;
                    }
                    let mut next = Sequent { rights: vec![right.clone()], ..sequent.clone() };
                    next.left.calls.remove(i);
                    let heap = &mut next.rights[0].heap;
                    heap.calls.remove(j);
                    equate(heap, &call.args, &other.args);
                    next.spent.push(self.cells_of(call));
                    if self.prove(next, place)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Whether two calls agree in what is known of their arguments, and in at least one location.
    fn may_be_same(&self, call: &Call, other: &Call, right: &Right) -> bool {
        let mut some = call.args.iter().all(|a| a.loc().is_none());
        for (a, b) in call.args.iter().zip(&other.args) {
            if let (Arg::Loc(a), Arg::Loc(b)) = (a, b) {
                if a == b {
                    some = true;
                } else if !right.bound.contains(b) {
                    return false;
                }
            }
        }
        some
    }

    /// Unfolds a call of the left side: every case must be proved.
    fn unfold_left(&mut self, sequent: &Sequent, place: Place) -> Result<bool, Stop> {
        if place.unfoldings == 0 {
            return Ok(false);
        }
        let place = Place { unfoldings: place.unfoldings - 1, ..place };
        let mut order: Vec<usize> = (0..sequent.left.calls.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(self.interest(sequent, &sequent.left.calls[i])));
        let general = self.generalised(sequent);
        self.hypotheses.push(Hypothesis { sequent: general, taken: place.taken });
        let mut proved = false;
        for i in order {
            if self.cases(sequent, i, place)? {
                proved = true;
                break;
            }
        }
        self.hypotheses.pop();
        Ok(proved)
    }

    fn cases(&mut self, sequent: &Sequent, index: usize, place: Place) -> Result<bool, Stop> {
        let mut rest = sequent.clone();
        let call = rest.left.calls.remove(index);
        let system = self.system;
        for rule in &system.definitions[call.definition].rules {
            let instance = system.instance(&call, rule, |sort| self.names.fresh(sort));
            let mut case = rest.clone();
            case.left.extend(instance);
            if !self.prove(case, place)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How much the right side says about the arguments of a call: what it speaks of is unfolded first.
    fn interest(&self, sequent: &Sequent, call: &Call) -> usize {
        let mut score = 0;
        for (p, arg) in call.args.iter().enumerate() {
            let Arg::Loc(at) = *arg else { continue };
            if !self.pairs.may_allocate(self.system, call.definition, p) {
                continue;
            }
            for right in &sequent.rights {
                if right.heap.cells.iter().any(|c| c.at == at) {
                    score += 4;
                }
                if right.heap.calls.iter().any(|c| c.args.first() == Some(arg)) {
                    score += 3;
                } else if self.rooted(right, at).is_some() {
                    score += 2;
                }
            }
        }
        score
    }

    /// Unfolds a call on the right whose cells have locations that are not known yet.
    fn unfold_right(&mut self, sequent: &Sequent, place: Place) -> Result<bool, Stop> {
        if place.unfoldings == 0 {
            return Ok(false);
        }
        let place = Place { unfoldings: place.unfoldings - 1, ..place };
        for (i, right) in sequent.rights.iter().enumerate() {
            for j in 0..right.heap.calls.len() {
                let Some(instances) = self.unfolded(right, j) else { continue };
                let mut next = sequent.clone();
                next.rights.splice(i..=i, instances);
                if self.prove(next, place)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Uses hypotheses: for the whole left side, or for a part of it.
    fn by_hypothesis(&mut self, sequent: &Sequent, place: Place, whole: bool) -> Result<bool, Stop> {
        if place.unfoldings == 0 && !whole {
            return Ok(false);
        }
        let n = self.hypotheses.len();
        for index in (0..n).rev() {
            for found in self.matches(index, sequent, whole) {
                let rest = &found.rest;
                let progress = self.hypotheses[index].taken < place.taken || self.has_cell(rest);
                if !progress {
                    continue;
                }
                let unfoldings = place.unfoldings - usize::from(!whole);
                let here = Place { unfoldings, ..place };
                // What the hypothesis asks and is not known is split: without it the proof goes on.
                let mut proved = true;
                let mut known = sequent.clone();
                for doubt in &found.doubts {
                    if here.splits == 0 {
                        proved = false;
                        break;
                    }
                    let mut other = known.clone();
                    other.left.extend(doubt.1.clone());
                    if !self.prove(other, Place { splits: here.splits - 1, ..here })? {
                        proved = false;
                        break;
                    }
                    known.left.extend(doubt.0.clone());
                }
                if proved && self.replaced(index, &found, &known, here)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Proves what remains when the right side of a hypothesis stands in the place of a part.
    fn replaced(
        &mut self,
        index: usize,
        found: &matching::Match,
        sequent: &Sequent,
        place: Place,
    ) -> Result<bool, Stop> {
        let rights = self.hypotheses[index].sequent.rights.clone();
        for right in rights {
            let mut map = found.map.clone();
            for &var in &right.bound {
                let sort = self.names.sorts[var as usize];
                let fresh = self.names.fresh(sort);
                map.insert(
                    var,
                    if sort == SortId::INT { Arg::Int(Linear::var(fresh)) } else { Arg::Loc(fresh) },
                );
            }
            let part = right.heap.mapped(&|var| map.get(&var).cloned());
            let mut left = found.rest.clone();
            left.equal = sequent.left.equal.clone();
            left.different = sequent.left.different.clone();
            left.facts = sequent.left.facts.clone();
            left.extend(part);
            let next = Sequent { left, spent: sequent.spent.clone(), rights: sequent.rights.clone() };
            if !self.prove(next, place)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a heap certainly has a cell.
    fn has_cell(&self, heap: &SymbolicHeap) -> bool {
        !heap.cells.is_empty() || heap.calls.iter().any(|c| !self.consequences[c.definition].cells.is_empty())
    }
}

/// Whether a cell on the right whose location is not known can be one on the left: a value is the same, or
/// nothing is known of any.
fn agree(found: &Cell, cell: &Cell, bound: &[Var]) -> bool {
    let mut known = cell.values.iter().zip(&found.values).filter_map(|(b, a)| Some((b.loc()?, a.loc()?)));
    let is_open = |v: Var| bound.contains(&v);
    let mut some = false;
    let fits = known.all(|(b, a)| {
        some = some || a == b;
        a == b || is_open(b)
    });
    fits && (some || cell.values.iter().filter_map(Arg::loc).all(is_open))
}

/// Two lists of arguments are the same.
fn equate(heap: &mut SymbolicHeap, left: &[Arg], right: &[Arg]) {
    for pair in left.iter().zip(right) {
        match pair {
            (Arg::Loc(a), Arg::Loc(b)) => heap.equal.push((*a, *b)),
            (Arg::Int(a), Arg::Int(b)) => {
                heap.facts.push(Fact { relation: Relation::Zero, form: b.minus(a) });
            }
            _ => heap.facts.push(Fact { relation: Relation::NotZero, form: Linear::default() }),
        }
    }
}
