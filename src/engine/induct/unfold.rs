//! Finite heaps out of symbolic ones.

use crate::engine::induct::heap::{Arg, Call, Cell, Linear, SymbolicHeap, System, Var};
use crate::engine::induct::ints::Ints;
use crate::engine::induct::pairs::Pairs;
use crate::logic::{SortId, Value, VarId};
use crate::util::hash::{Map, Set};
use crate::util::limits::{Budget, Stop};
use crate::util::num::Int;
use std::collections::VecDeque;

/// Variables with their sorts: the globals, then those of a question, then new ones.
#[derive(Clone, Debug)]
pub struct Names {
    /// The sort of each variable.
    pub sorts: Vec<SortId>,
}

impl Names {
    /// A new variable.
    pub fn fresh(&mut self, sort: SortId) -> Var {
        self.sorts.push(sort);
        self.sorts.len() as Var - 1
    }
}

/// A call that was unfolded, with what its existential variables became.
pub struct Step {
    /// The call.
    pub call: Call,
    /// Existential variables by label.
    pub bound: Vec<(VarId, Var)>,
}

/// Unfolds the calls of a heap along pairs, at most to so many parts.
pub fn along_pairs(
    system: &System,
    pairs: &Pairs,
    heap: &SymbolicHeap,
    choice: &[usize],
    names: &mut Names,
    most: usize,
) -> Option<(SymbolicHeap, Vec<Step>)> {
    let mut whole = SymbolicHeap { calls: Vec::new(), ..heap.clone() };
    let mut open: Vec<(Call, usize)> = heap.calls.iter().cloned().zip(choice.iter().copied()).collect();
    let mut steps = Vec::new();
    while let Some((call, pair)) = open.pop() {
        if steps.len() >= most {
            return None;
        }
        let origin = pairs.origin(call.definition, pair);
        let rule = &system.definitions[call.definition].rules[origin.rule];
        let mut bound = Vec::new();
        let mut part = system.instance(&call, rule, |sort| {
            let var = names.fresh(sort);
            bound.push(var);
            var
        });
        steps.push(Step { call, bound: rule.labels.iter().copied().zip(bound).collect() });
        let calls = std::mem::take(&mut part.calls);
        open.extend(calls.into_iter().zip(origin.calls.iter().copied()));
        whole.extend(part);
    }
    Some((whole, steps))
}

/// A finite heap with values for variables.
#[derive(Clone, Debug, Default)]
pub struct Concrete {
    /// The values of the globals and of the variables that were asked for.
    pub values: Map<Var, Value>,
    /// Cells: type, location, fields.
    pub cells: Vec<(usize, Value, Vec<Value>)>,
    /// How many elements each sort has.
    pub sizes: Map<SortId, u32>,
}

impl Concrete {
    /// The value of an argument whose variables were asked for.
    pub fn value(&self, arg: &Arg) -> Value {
        match arg {
            Arg::Loc(var) => self.values[var].clone(),
            Arg::Int(form) => {
                let mut sum = form.constant.clone();
                for (var, coefficient) in &form.terms {
                    if let Value::Int(value) = &self.values[var] {
                        sum = &sum + &(coefficient * value);
                    }
                }
                Value::Int(sum)
            }
        }
    }
}

/// The finite heaps that a symbolic heap without calls describes, the one with most locations first: then
/// those in which two of them are one. At most so many.
pub fn concrete_heaps(
    system: &System,
    heap: &SymbolicHeap,
    names: &Names,
    wanted: &[Var],
    ints: &Ints,
    most: usize,
) -> Vec<Concrete> {
    let mut heap = heap.clone();
    let replaced = heap.use_equations();
    if !heap.calls.is_empty() || heap.is_absurd(&system.nils) {
        return Vec::new();
    }
    let numbers = match heap.facts.is_empty() {
        true => Map::default(),
        false => match ints.values(&heap.facts) {
            Some(values) => values,
            None => return Vec::new(),
        },
    };
    let asked: Vec<Var> = (0..system.n_globals() as Var).chain(wanted.iter().copied()).collect();
    let least = |var: Var| replaced.get(&var).copied().unwrap_or(var);
    let mut used: Vec<Var> = asked.iter().map(|&v| least(v)).collect();
    for cell in &heap.cells {
        used.push(cell.at);
        used.extend(cell.values.iter().filter_map(Arg::loc));
    }
    let mut seen: Set<Var> = Set::default();
    used.retain(|&v| names.sorts[v as usize] != SortId::INT && seen.insert(v));
    let allocated: Set<Var> = heap.cells.iter().map(|c| c.at).collect();
    let differ = |a: Var, b: Var| {
        let nil = |v: Var| system.nils.contains(&v);
        let cell = |v: Var| allocated.contains(&v);
        cell(a) && (cell(b) || nil(b)) || nil(a) && cell(b) || {
            heap.different.contains(&(a, b)) || heap.different.contains(&(b, a))
        }
    };
    let mut found = vec![concrete(system, &heap, names, &asked, &used, &least, None, &numbers)];
    for (i, &a) in used.iter().enumerate() {
        for &b in &used[..i] {
            if found.len() >= most {
                return found;
            }
            if names.sorts[a as usize] == names.sorts[b as usize] && !differ(a, b) {
                let merged = Some((a, b));
                found.push(concrete(system, &heap, names, &asked, &used, &least, merged, &numbers));
            }
        }
    }
    found
}

#[allow(clippy::too_many_arguments)]
fn concrete(
    system: &System,
    heap: &SymbolicHeap,
    names: &Names,
    asked: &[Var],
    used: &[Var],
    least: &dyn Fn(Var) -> Var,
    merged: Option<(Var, Var)>,
    numbers: &Map<Var, Int>,
) -> Concrete {
    let mut result = Concrete::default();
    let mut elements: Map<Var, u32> = Map::default();
    let mut order = used.to_vec();
    if let Some((from, _)) = merged {
        order.retain(|&v| v != from);
    }
    for var in order {
        let n = result.sizes.entry(names.sorts[var as usize]).or_insert(0);
        elements.insert(var, *n);
        *n += 1;
    }
    if let Some((from, to)) = merged {
        let element = elements[&to];
        elements.insert(from, element);
    }
    // Numbers that nothing is said about are different from each other.
    let number = |var: Var| numbers.get(&var).cloned().unwrap_or_else(|| Int::from(1000 + i64::from(var)));
    let sum = |form: &Linear| {
        form.terms.iter().fold(form.constant.clone(), |sum, (v, c)| &sum + &(c * &number(*v)))
    };
    let value = |arg: &Arg| match arg {
        Arg::Loc(var) => Value::Elem(elements[var]),
        Arg::Int(form) => Value::Int(sum(form)),
    };
    for &var in asked {
        let is_int = names.sorts[var as usize] == SortId::INT;
        let arg = if is_int { Arg::Int(Linear::var(var)) } else { Arg::Loc(least(var)) };
        result.values.insert(var, value(&arg));
    }
    for Cell { kind, at, values } in &heap.cells {
        let fields = values.iter().map(value).collect();
        result.cells.push((*kind, Value::Elem(elements[at]), fields));
    }
    debug_assert!(system.nils.iter().all(|nil| result.values.contains_key(nil)));
    result
}

/// All unfoldings of a symbolic heap, those with few steps first.
pub struct Unfoldings<'a> {
    system: &'a System,
    queue: VecDeque<SymbolicHeap>,
    /// The variables made so far.
    pub names: Names,
}

impl<'a> Unfoldings<'a> {
    /// The unfoldings of a heap.
    pub fn new(system: &'a System, heap: SymbolicHeap, names: Names) -> Unfoldings<'a> {
        Unfoldings { system, queue: VecDeque::from([heap]), names }
    }

    /// The next one without calls. At most `most` are kept in mind.
    pub fn next(
        &mut self,
        ints: &mut Ints,
        most: usize,
        budget: &mut Budget,
    ) -> Result<Option<SymbolicHeap>, Stop> {
        while let Some(mut heap) = self.queue.pop_front() {
            budget.spend(1 + heap.cells.len() as u64)?;
            if heap.calls.is_empty() {
                return Ok(Some(heap));
            }
            let call = heap.calls.remove(0);
            for rule in &self.system.definitions[call.definition].rules {
                if self.queue.len() >= most {
                    break;
                }
                let part = self.system.instance(&call, rule, |sort| self.names.fresh(sort));
                let has_facts = !part.facts.is_empty();
                let mut whole = heap.clone();
                whole.extend(part);
                let mut tested = whole.clone();
                tested.use_equations();
                budget.spend(1 + whole.cells.len() as u64)?;
                let absurd = tested.is_absurd(&self.system.nils) || (has_facts && ints.absurd(&whole.facts));
                if !absurd {
                    self.queue.push_back(whole);
                }
            }
        }
        Ok(None)
    }
}
