//! All finite models of a signature up to a size, and random ones.
//!
//! A model of given universe sizes is a choice of one value per *slot*: a symbol with a tuple of arguments.
//! [`Models`] counts through all choices like an odometer; sizes come smallest first.
//!
//! Integers, as values and as arguments, are taken from a given range. Outside the range a function of
//! integers has its default value, so every model listed is a real one, but not every model is listed.

pub use crate::logic::script::Signature;
use crate::logic::{FuncId, Model, SortId, Terms, Value};
use crate::util::num::Int;
use crate::util::rng::Rng;
use std::ops::RangeInclusive;

/// A symbol at some arguments: one place where a model has a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    /// The symbol.
    pub func: FuncId,
    /// The arguments.
    pub args: Box<[Value]>,
}

/// The values of a sort in a model of these sizes, integers from a range.
pub fn values(model: &Model, sort: SortId, ints: &RangeInclusive<i64>) -> Vec<Value> {
    match sort {
        SortId::BOOL => vec![Value::Bool(false), Value::Bool(true)],
        SortId::INT => ints.clone().map(|i| Value::Int(Int::from(i))).collect(),
        _ => (0..model.size(sort)).map(Value::Elem).collect(),
    }
}

/// The slots of a symbol in a model of these sizes, in the order of their arguments.
pub fn slots(terms: &Terms, model: &Model, func: FuncId, ints: &RangeInclusive<i64>) -> Vec<Slot> {
    let mut tuples: Vec<Vec<Value>> = vec![Vec::new()];
    for &sort in &terms.func(func).args {
        let choices = values(model, sort, ints);
        tuples = tuples
            .into_iter()
            .flat_map(|t| {
                choices.iter().map(move |v| {
                    let mut longer = t.clone();
                    longer.push(v.clone());
                    longer
                })
            })
            .collect();
    }
    tuples.into_iter().map(|args| Slot { func, args: args.into() }).collect()
}

/// All choices of a size from 1 to `max` for each sort, the smallest sums first.
pub fn all_sizes(n_sorts: usize, max: u32) -> Vec<Vec<u32>> {
    let mut sizes = vec![Vec::new()];
    for _ in 0..n_sorts {
        sizes = sizes.iter().flat_map(|s| (1..=max).map(move |k| [&s[..], &[k]].concat())).collect();
    }
    sizes.sort_by_key(|s| s.iter().sum::<u32>());
    sizes
}

/// A model with one size for each sort of the signature and no tables.
pub fn empty_model(terms: &Terms, signature: &Signature, sizes: &[u32]) -> Model {
    let mut model = Model::new(terms);
    for (&sort, &size) in signature.sorts.iter().zip(sizes) {
        model.set_size(sort, size);
    }
    model
}

/// Iterates over all models of a signature; see [`models`].
pub struct Models<'a> {
    terms: &'a Terms,
    signature: Signature,
    ints: RangeInclusive<i64>,
    left: u64,
    /// Sizes still to come, the next one last.
    sizes: Vec<Vec<u32>>,
    base: Model,
    slots: Vec<Slot>,
    choices: Vec<Vec<Value>>,
    /// The digits of the odometer, or nothing if the current sizes are exhausted.
    digits: Option<Vec<usize>>,
}

/// All models of a signature with 1 to `max_cells` elements per sort, at most `cap` of them.
pub fn models<'a>(
    terms: &'a Terms,
    signature: &Signature,
    max_cells: u32,
    ints: RangeInclusive<i64>,
    cap: u64,
) -> Models<'a> {
    let mut sizes = all_sizes(signature.sorts.len(), max_cells);
    sizes.reverse();
    Models {
        terms,
        signature: signature.clone(),
        ints,
        left: cap,
        sizes,
        base: Model::new(terms),
        slots: Vec::new(),
        choices: Vec::new(),
        digits: None,
    }
}

impl Models<'_> {
    /// Whether the cap ended the iteration.
    pub fn was_cut(&self) -> bool {
        self.left == 0 && (self.digits.is_some() || !self.sizes.is_empty())
    }

    fn start(&mut self, sizes: &[u32]) {
        self.base = empty_model(self.terms, &self.signature, sizes);
        self.slots =
            self.signature.funcs.iter().flat_map(|&f| slots(self.terms, &self.base, f, &self.ints)).collect();
        self.choices = self
            .slots
            .iter()
            .map(|s| values(&self.base, self.terms.func(s.func).result, &self.ints))
            .collect();
        self.digits = self.choices.iter().all(|c| !c.is_empty()).then(|| vec![0; self.slots.len()]);
    }
}

impl Iterator for Models<'_> {
    type Item = Model;

    fn next(&mut self) -> Option<Model> {
        while self.digits.is_none() {
            let sizes = self.sizes.pop()?;
            self.start(&sizes);
        }
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let digits = self.digits.as_mut()?;
        let mut model = self.base.clone();
        for ((slot, choices), &digit) in self.slots.iter().zip(&self.choices).zip(digits.iter()) {
            model.set(self.terms, slot.func, &slot.args, choices[digit].clone());
        }
        match (0..digits.len()).find(|&i| digits[i] + 1 < self.choices[i].len()) {
            Some(i) => {
                digits[i] += 1;
                digits[..i].fill(0);
            }
            None => self.digits = None,
        }
        Some(model)
    }
}

/// A random model with 1 to `max_cells` elements per sort. The integer range must not be empty.
pub fn random_model(
    terms: &Terms,
    signature: &Signature,
    rng: &mut Rng,
    max_cells: u32,
    ints: &RangeInclusive<i64>,
) -> Model {
    let sizes: Vec<u32> =
        signature.sorts.iter().map(|_| 1 + rng.below(max_cells.max(1) as usize) as u32).collect();
    let mut model = empty_model(terms, signature, &sizes);
    for &func in &signature.funcs {
        let choices = values(&model, terms.func(func).result, ints);
        for slot in slots(terms, &model, func, ints) {
            let value = rng.pick(&choices).clone();
            model.set(terms, func, &slot.args, value);
        }
    }
    model
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::print;

    fn store() -> Terms {
        let mut t = Terms::new();
        let cell = t.declare_sort("Cell").unwrap();
        t.declare_fun("next", &[cell], cell).unwrap();
        t.declare_fun("x", &[], cell).unwrap();
        t.declare_fun("i", &[], SortId::INT).unwrap();
        t
    }

    #[test]
    fn every_model_once() {
        let t = store();
        let signature = Signature::all(&t);
        let mut all = models(&t, &signature, 3, -1..=1, 1_000_000);
        let texts: Vec<String> = all.by_ref().map(|m| print::model(&t, &m)).collect();
        // Per size n: n^n tables, n places for x, 3 numbers.
        assert_eq!(texts.len(), 3 * (1 + 4 * 2 + 27 * 3));
        assert!(!all.was_cut());
        let distinct: std::collections::BTreeSet<&String> = texts.iter().collect();
        assert_eq!(distinct.len(), texts.len());
        let mut few = models(&t, &signature, 3, -1..=1, 10);
        assert_eq!(few.by_ref().count(), 10);
        assert!(few.was_cut());
    }

    #[test]
    fn random_models_repeat_with_their_seed() {
        let t = store();
        let signature = Signature::all(&t);
        let text = |seed| print::model(&t, &random_model(&t, &signature, &mut Rng::new(seed), 4, &(-3..=3)));
        assert_eq!(text(1), text(1));
        assert!((2..50).any(|seed| text(seed) != text(1)));
    }

    #[test]
    fn signatures_hold_what_occurs() {
        let mut t = store();
        let cell = t.find_sort("Cell").unwrap();
        let next = t.find_func("next").unwrap();
        let other = t.declare_sort("Other").unwrap();
        let (u, v) = (t.variable("u", cell).unwrap(), t.variable("v", other).unwrap());
        let x = t.find_func("x").and_then(|x| t.app(x, &[]).ok()).unwrap();
        let reach = t.reach(next, u, x).unwrap();
        let w = t.variable("w", other).unwrap();
        let same = t.eq(v, w).unwrap();
        let both = t.and(&[reach, same]).unwrap();
        let all = t.forall(&[u, v, w], both).unwrap();
        let signature = Signature::of(&t, &[all]);
        assert_eq!(signature.sorts, [cell, other]);
        assert_eq!(signature.funcs.len(), 2);
    }
}
