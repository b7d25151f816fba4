//! What a sequent says at first sight: equations are used, contradictions found, disjuncts that cannot hold
//! dropped, existential variables that an equation fixes replaced.

use super::*;

/// A question that the right side asks: the case that it holds, and the case that it does not.
type Cases = (SymbolicHeap, SymbolicHeap);

impl Prover<'_> {
    /// Simplifies; true if the left side is absurd, so that nothing remains to be proved.
    pub(super) fn simplify(&mut self, sequent: &mut Sequent) -> bool {
        let Sequent { left, spent, rights } = sequent;
        loop {
            let replaced = left.use_equations();
            if !replaced.is_empty() {
                let new = |v: Var| replaced.get(&v).copied();
                spent.iter_mut().flatten().for_each(|v| *v = new(*v).unwrap_or(*v));
                for right in rights.iter_mut() {
                    right.heap = right.heap.mapped(&|v| new(v).map(Arg::Loc));
                }
            }
            if !self.consequences_of_calls(left) {
                break;
            }
        }
        left.different.iter_mut().for_each(|pair| *pair = (pair.0.min(pair.1), pair.0.max(pair.1)));
        left.different.sort_unstable();
        left.different.dedup();
        left.facts.retain(|f| f.truth() != Some(true));
        let mut unique: Set<Fact> = Set::default();
        left.facts.retain(|f| unique.insert(f.clone()));
        let allocated = self.allocated(left, spent);
        let twice = |&(v, group): &(Var, usize)| {
            self.system.nils.contains(&v) || allocated.iter().any(|&(w, other)| v == w && group != other)
        };
        if left.is_absurd(&self.system.nils)
            || allocated.iter().any(twice)
            || left.calls.iter().any(|c| self.pairs.is_false(c.definition))
            || !left.facts.is_empty() && self.ints.absurd(&left.facts)
        {
            return true;
        }
        let mut kept = Vec::new();
        for mut right in std::mem::take(rights) {
            if self.simplify_right(left, spent, &allocated, &mut right)
                && !kept.iter().any(|k: &Right| k.heap == right.heap && k.bound == right.bound)
            {
                kept.push(right);
            }
        }
        *rights = kept;
        false
    }

    /// Adds what every unfolding of the calls says; true if there was an equation.
    fn consequences_of_calls(&self, left: &mut SymbolicHeap) -> bool {
        let n_globals = self.system.n_globals();
        let mut equal = Vec::new();
        let mut different = Vec::new();
        for call in &left.calls {
            let place = |v: Var| match (v as usize).checked_sub(n_globals) {
                None => Some(v),
                Some(param) => call.args[param].loc(),
            };
            let known = &self.consequences[call.definition];
            let pair = |&(a, b): &(Var, Var)| Some((place(a)?, place(b)?));
            equal.extend(known.equal.iter().filter_map(pair).filter(|(a, b)| a != b));
            different.extend(known.different.iter().filter_map(pair));
        }
        left.different.extend(different);
        let some = !equal.is_empty();
        left.equal.extend(equal);
        some
    }

    /// The parameters of a call that are certainly cells.
    pub(super) fn cells_of(&self, call: &Call) -> Vec<Var> {
        let n_globals = self.system.n_globals();
        let place = |&v: &Var| match (v as usize).checked_sub(n_globals) {
            None => Some(v),
            Some(param) => call.args[param].loc(),
        };
        self.consequences[call.definition].cells.iter().filter_map(place).collect()
    }

    /// Locations that are certainly cells, with a number: those of different numbers are different cells.
    pub(super) fn allocated(&self, left: &SymbolicHeap, spent: &[Vec<Var>]) -> Vec<(Var, usize)> {
        let cells = left.cells.iter().map(|c| vec![c.at]);
        let calls = left.calls.iter().map(|c| self.cells_of(c));
        let groups = spent.iter().cloned().chain(cells).chain(calls).enumerate();
        groups.flat_map(|(i, group)| group.into_iter().map(move |v| (v, i))).collect()
    }

    pub(super) fn differ(&self, left: &SymbolicHeap, allocated: &[(Var, usize)], a: Var, b: Var) -> bool {
        let group = |v: Var| allocated.iter().find(|(w, _)| *w == v).map(|(_, group)| *group);
        let is_nil = |v: Var| self.system.nils.contains(&v);
        let pair = (a.min(b), a.max(b));
        let by_cells = match (group(a), group(b)) {
            (Some(one), Some(two)) => one != two,
            (Some(_), None) => is_nil(b),
            (None, Some(_)) => is_nil(a),
            (None, None) => false,
        };
        a != b && (by_cells || left.different.contains(&pair) || left.different.contains(&(pair.1, pair.0)))
    }

    /// Simplifies a disjunct; false if it cannot hold.
    fn simplify_right(
        &mut self,
        left: &SymbolicHeap,
        spent: &[Vec<Var>],
        allocated: &[(Var, usize)],
        right: &mut Right,
    ) -> bool {
        let Right { heap, bound, .. } = right;
        // Equations that fix an existential variable.
        while let Some(i) =
            heap.equal.iter().position(|(a, b)| a == b || bound.contains(a) || bound.contains(b))
        {
            let (a, b) = heap.equal.swap_remove(i);
            let (from, to) = if bound.contains(&b) { (b, a) } else { (a, b) };
            if from != to {
                *heap = heap.mapped(&|v| (v == from).then_some(Arg::Loc(to)));
                bound.retain(|&v| v != from);
            }
        }
        while let Some((i, var, value)) = solved(&heap.facts, bound) {
            heap.facts.remove(i);
            *heap = heap.mapped(&|v| (v == var).then(|| Arg::Int(value.clone())));
            bound.retain(|&v| v != var);
        }
        heap.equal.iter_mut().for_each(|pair| *pair = (pair.0.min(pair.1), pair.0.max(pair.1)));
        heap.equal.sort_unstable();
        heap.equal.dedup();
        if heap.equal.iter().any(|&(a, b)| self.differ(left, allocated, a, b)) {
            return false;
        }
        heap.different.retain(|&(a, b)| !self.differ(left, allocated, a, b));
        if heap.is_absurd(&self.system.nils) || heap.calls.iter().any(|c| self.pairs.is_false(c.definition)) {
            return false;
        }
        if heap.cells.iter().any(|c| spent.iter().flatten().any(|v| *v == c.at)) {
            return false;
        }
        let mut facts = Vec::new();
        for fact in std::mem::take(&mut heap.facts) {
            let is_open = fact.form.terms.iter().any(|(v, _)| bound.contains(v));
            if is_open {
                facts.push(fact);
            } else if !self.ints.implies(&left.facts, &fact) {
                let mut both = left.facts.clone();
                both.push(fact.clone());
                if self.ints.absurd(&both) {
                    return false;
                }
                facts.push(fact);
            }
        }
        heap.facts = facts;
        self.drop_free(right);
        true
    }

    /// Drops demands on existential variables that occur nowhere else and can always be met.
    fn drop_free(&self, right: &mut Right) {
        let Right { heap, bound, .. } = right;
        let mut used: Set<Var> = Set::default();
        let note = |arg: &Arg, used: &mut Set<Var>| match arg {
            Arg::Loc(v) => drop(used.insert(*v)),
            Arg::Int(form) => used.extend(form.terms.iter().map(|t| t.0)),
        };
        for cell in &heap.cells {
            used.insert(cell.at);
            cell.values.iter().for_each(|a| note(a, &mut used));
        }
        heap.calls.iter().flat_map(|c| &c.args).for_each(|a| note(a, &mut used));
        let free = |v: &Var| bound.contains(v) && !used.contains(v);
        // A location different from finitely many others exists: there are infinitely many.
        let infinite = |v: &Var| {
            self.system.nils.iter().any(|n| self.names.sorts[*n as usize] == self.names.sorts[*v as usize])
        };
        heap.different.retain(|(a, b)| a == b || !(free(a) && infinite(a) || free(b) && infinite(b)));
        // A number with bounds from one side only exists.
        let candidates: Vec<Var> = bound.iter().copied().filter(|v| !used.contains(v)).collect();
        for var in candidates {
            let sign = |f: &Fact| f.form.terms.iter().find(|(v, _)| *v == var).map(|(_, c)| c.is_positive());
            let signs: Vec<(bool, bool)> = heap
                .facts
                .iter()
                .filter_map(|f| sign(f).map(|s| (s, f.relation == Relation::AtMostZero)))
                .collect();
            if signs.iter().all(|&(s, bound)| bound && s == signs[0].0) {
                heap.facts.retain(|f| sign(f).is_none());
            }
        }
        let mut needed = used;
        needed.extend(heap.different.iter().flat_map(|p| [p.0, p.1]));
        needed.extend(heap.facts.iter().flat_map(|f| f.form.terms.iter().map(|t| t.0)));
        bound.retain(|v| needed.contains(v));
    }

    /// The sequent with a call replaced by its only possible rule, if that has neither cells nor calls. Only
    /// calls with nil or the same argument twice are looked at.
    pub(super) fn collapsed(&mut self, sequent: &Sequent) -> Option<Sequent> {
        let allocated = self.allocated(&sequent.left, &sequent.spent);
        for (i, call) in sequent.left.calls.iter().enumerate() {
            if self.is_special(call)
                && let Some(only) = self.only_rule(&sequent.left, &allocated, call)
            {
                let mut next = sequent.clone();
                next.left.calls.remove(i);
                next.left.extend(only);
                return Some(next);
            }
        }
        for (r, right) in sequent.rights.iter().enumerate() {
            for (i, call) in right.heap.calls.iter().enumerate() {
                if self.is_special(call)
                    && let Some(only) = self.only_rule(&sequent.left, &allocated, call)
                {
                    let mut next = sequent.clone();
                    next.rights[r].heap.calls.remove(i);
                    next.rights[r].heap.extend(only);
                    return Some(next);
                }
            }
        }
        None
    }

    fn is_special(&self, call: &Call) -> bool {
        let is_nil = |a: &Arg| a.loc().is_some_and(|v| self.system.nils.contains(&v));
        let locations = call.args.iter().filter(|a| a.loc().is_some());
        locations.clone().enumerate().any(|(i, a)| is_nil(a) || locations.clone().take(i).any(|b| a == b))
    }

    /// The only rule of a call that does not contradict what is known, if it has no existential variables,
    /// cells or calls.
    fn only_rule(
        &mut self,
        left: &SymbolicHeap,
        allocated: &[(Var, usize)],
        call: &Call,
    ) -> Option<SymbolicHeap> {
        let mut only = None;
        let system = self.system;
        let first_new = self.names.sorts.len();
        for rule in &system.definitions[call.definition].rules {
            let heap = system.instance(call, rule, |sort| self.names.fresh(sort));
            let mut tested = heap.clone();
            let differ = |&(a, b): &(Var, Var)| self.differ(left, allocated, a, b);
            let contradicts = tested.equal.iter().any(differ);
            tested.use_equations();
            if contradicts || tested.is_absurd(&system.nils) {
                continue;
            }
            let is_plain =
                heap.cells.is_empty() && heap.calls.is_empty() && rule.sorts.len() == call.args.len();
            if !is_plain || only.replace(heap).is_some() {
                self.names.sorts.truncate(first_new);
                return None;
            }
        }
        self.names.sorts.truncate(first_new);
        only
    }

    /// Something that a disjunct demands of the variables of the left side and that is not decided.
    pub(super) fn question(&mut self, sequent: &Sequent) -> Option<Cases> {
        for right in &sequent.rights {
            if let Some(&pair) = right.heap.equal.first() {
                let yes = SymbolicHeap { equal: vec![pair], ..SymbolicHeap::default() };
                let no = SymbolicHeap { different: vec![pair], ..SymbolicHeap::default() };
                return Some((yes, no));
            }
            let known = |v: &Var| !right.bound.contains(v);
            if let Some(&pair) = right.heap.different.iter().find(|(a, b)| known(a) && known(b)) {
                let yes = SymbolicHeap { different: vec![pair], ..SymbolicHeap::default() };
                let no = SymbolicHeap { equal: vec![pair], ..SymbolicHeap::default() };
                return Some((yes, no));
            }
            let closed = |f: &&Fact| f.form.terms.iter().all(|(v, _)| known(v));
            if let Some(fact) = right.heap.facts.iter().find(closed) {
                let yes = SymbolicHeap { facts: vec![fact.clone()], ..SymbolicHeap::default() };
                let no = SymbolicHeap { facts: vec![negated(fact)], ..SymbolicHeap::default() };
                return Some((yes, no));
            }
        }
        None
    }
}

/// The negation of a claim.
pub(super) fn negated(fact: &Fact) -> Fact {
    let form = fact.form.clone();
    match fact.relation {
        Relation::Zero => Fact { relation: Relation::NotZero, form },
        Relation::NotZero => Fact { relation: Relation::Zero, form },
        Relation::AtMostZero => {
            let one = Linear { terms: Vec::new(), constant: Int::from(1) };
            Fact { relation: Relation::AtMostZero, form: one.minus(&form) }
        }
    }
}

/// An equation that fixes an existential integer: its place, the variable and its value.
pub(super) fn solved(facts: &[Fact], bound: &[Var]) -> Option<(usize, Var, Linear)> {
    for (i, fact) in facts.iter().enumerate().filter(|(_, f)| f.relation == Relation::Zero) {
        for (var, coefficient) in &fact.form.terms {
            if bound.contains(var) && coefficient.abs() == Int::from(1) {
                // c*v + rest = 0, so v = -c * rest.
                let rest = fact.form.plus(&Linear::var(*var), &-coefficient.clone());
                let value = Linear::default().plus(&rest, &-coefficient.clone());
                return Some((i, *var, value));
            }
        }
    }
    None
}
