//! Reachability by need: what is asked of a version that was written many times gets a name, and the name a meaning
//! only where that matters.
//!
//! Writing out a path over n writes to n cells takes a triple of cells per write, though a proof looks at few of
//! them. So `between(u, v, w)` along a deep version becomes a Boolean constant. [`Encoder::define`] gives the fact that
//! says what one constant means over a version `PIECE` writes earlier, with names for what it asks there. Without
//! such a fact a constant is arbitrary: what is refuted with some of them is refuted with all, and a model is one
//! of the conditions only if every constant has the value that [`Truths`] computes from the model's fields.

use super::reach::{MAX_COST, MAX_DEPTH};
use super::{Built, Encoder, Inexpressible, Version, VersionId};
use crate::logic::eval::Evaluator;
use crate::logic::{Model, SortId, TermId, Terms, Value};
use crate::util::hash::Map;

/// Writes and meetings that one definition covers.
const PIECE: u32 = 8;

/// Places and values of writes over which paths are written out however many writes there are.
const FEW_CELLS: usize = 5;

/// A constant for `between(u, v, w)` along a version.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// The constant.
    pub name: TermId,
    version: VersionId,
    places: [TermId; 3],
}

/// What has a name.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    list: Vec<Named>,
    /// Versions of at most this depth get names.
    below: u32,
}

impl Encoder<'_> {
    /// From now on deep reachability gets names. The caller defines those that matter.
    pub fn by_need(&mut self) {
        self.names = Some(Names { list: Vec::new(), below: u32::MAX });
    }

    /// All names given so far.
    #[must_use]
    pub fn named(&self) -> &[Named] {
        self.names.as_ref().map_or(&[], |names| &names.list)
    }

    /// The name of what is asked, if it gets one.
    pub(super) fn name_between(
        &mut self,
        version: VersionId,
        places: [TermId; 3],
    ) -> Result<Option<TermId>, Inexpressible> {
        let depth = self.depths[version.0 as usize];
        let below = self.names.as_ref().is_some_and(|names| depth <= names.below);
        if !below || self.writes_few_cells(version) || !places.iter().all(|&p| self.terms.is_closed(p)) {
            return Ok(None);
        }
        // A path that is known is followed at once.
        if matches!(self.describe(version), Version::Store { .. }) && self.has_known_link(version, places[0])
        {
            return Ok(None);
        }
        let name = self.unknown("path", SortId::BOOL)?;
        if let Some(names) = &mut self.names {
            names.list.push(Named { name, version, places });
        }
        Ok(Some(name))
    }

    /// Whether so few cells are written that a path over all writes takes little more than their number.
    fn writes_few_cells(&mut self, version: VersionId) -> bool {
        if self.depths[version.0 as usize] <= MAX_DEPTH {
            return true;
        }
        if let Some(&known) = self.few.get(&version) {
            return known;
        }
        let writes = self.writes(version, |versions, cells| cells > FEW_CELLS || versions > MAX_COST / 100);
        let few = writes.all && writes.cells <= FEW_CELLS;
        self.few.insert(version, few);
        few
    }

    /// The fact that defines a name. It may use names that are new.
    ///
    /// # Errors
    /// As for [`Encoder::between`].
    pub fn define(&mut self, number: usize) -> Built {
        let Named { name, version, places: [u, v, w] } = self.named()[number];
        let below = self.depths[version.0 as usize].saturating_sub(PIECE);
        let outside = self.names.as_mut().map(|names| std::mem::replace(&mut names.below, below));
        let meaning = self.between_written(version, u, v, w);
        if let (Some(names), Some(outside)) = (&mut self.names, outside) {
            names.below = outside;
        }
        Ok(self.terms.eq(name, meaning?)?)
    }
}

/// The values that names have in a model, computed from its fields.
pub struct Truths<'a, 'p> {
    encoder: &'a Encoder<'p>,
    terms: &'a Terms,
    model: &'a Model,
    evaluator: Evaluator<'a>,
    /// Contents of versions: by element, the element that it leads to.
    contents: Map<VersionId, Vec<u32>>,
}

impl<'a, 'p> Truths<'a, 'p> {
    /// Of a model over these terms, which are those of the encoder or more.
    #[must_use]
    pub fn new(encoder: &'a Encoder<'p>, terms: &'a Terms, model: &'a Model) -> Truths<'a, 'p> {
        Truths { encoder, terms, model, evaluator: Evaluator::new(terms, model), contents: Map::default() }
    }

    /// Whether the model gives the name its value; unknown counts as no.
    pub fn is_right(&mut self, named: &Named) -> bool {
        let truth = self.between(named);
        truth.is_some() && truth == self.evaluator.holds(named.name).ok()
    }

    fn between(&mut self, named: &Named) -> Option<bool> {
        self.fill(named.version)?;
        let [u, v, w] = named.places.map(|place| self.element(place));
        let (mut at, v, w) = (u?, v?, w?);
        let next = &self.contents[&named.version];
        let mut met = false;
        for _ in 0..=next.len() {
            met |= at == v;
            if at == w {
                return Some(met);
            }
            at = *next.get(at as usize)?;
        }
        Some(false)
    }

    fn element(&mut self, term: TermId) -> Option<u32> {
        match self.evaluator.eval(term).ok()? {
            Value::Elem(e) => Some(e),
            _ => None,
        }
    }

    /// Computes the contents of a version and of those before it, the earliest first.
    fn fill(&mut self, version: VersionId) -> Option<()> {
        let mut stack = vec![version];
        while let Some(&top) = stack.last() {
            if self.contents.contains_key(&top) {
                stack.pop();
                continue;
            }
            let contents = match self.encoder.describe(top) {
                Version::Base(func) => {
                    let sort = self.terms.func(func).result;
                    let target = |e: u32| match self.model.get(self.terms, func, &[Value::Elem(e)]) {
                        Value::Elem(to) => Some(to),
                        _ => None,
                    };
                    (0..self.model.size(sort)).map(target).collect::<Option<Vec<u32>>>()?
                }
                Version::Constant(_) => return None,
                Version::Store { before, place, value } => {
                    let Some(old) = self.contents.get(&before) else {
                        stack.push(before);
                        continue;
                    };
                    let mut new = old.clone();
                    let (place, value) = (self.element(place)?, self.element(value)?);
                    *new.get_mut(place as usize)? = value;
                    new
                }
                Version::Choose { condition, yes, no } => {
                    let chosen = if self.evaluator.holds(condition).ok()? { yes } else { no };
                    let Some(same) = self.contents.get(&chosen) else {
                        stack.push(chosen);
                        continue;
                    };
                    same.clone()
                }
            };
            self.contents.insert(top, contents);
            stack.pop();
        }
        Some(())
    }
}
