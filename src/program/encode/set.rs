//! Sets of cells and guards of quantifiers.
//!
//! A set is never a term. Membership is a formula; a statement about all members becomes a quantifier whose
//! guard the core understands. A guard that speaks of contents written since is a disjunction
//! of *alternatives*, each with an atom over one symbol (or with a term that the variable equals), and the
//! quantifier is split along them.

use super::formula::{FormulaEncoder, Side};
use super::{Built, Inexpressible, Version, VersionId};
use crate::logic::{Op, TermId, Terms};
use crate::program::decl::StructId;
use crate::program::expr::Cmp;
use crate::program::formula::{Formula, Set, Term};
use crate::util::hash::Map;

/// One way in which a guard can hold for a variable.
#[derive(Clone, Debug)]
pub(super) struct Alternative {
    /// All of them hold.
    pub(super) conditions: Vec<TermId>,
    /// The variable is this term.
    pub(super) equal: Option<TermId>,
}

impl Alternative {
    fn of(conditions: Vec<TermId>) -> Alternative {
        Alternative { conditions, equal: None }
    }

    fn and(mut self, more: &[TermId]) -> Alternative {
        self.conditions.extend_from_slice(more);
        self
    }
}

type Alternatives = Result<Vec<Alternative>, Inexpressible>;

impl FormulaEncoder<'_, '_> {
    /// The struct whose cells a set holds; nothing for a set without members.
    pub(super) fn set_struct(&mut self, set: &Set) -> Result<Option<StructId>, Inexpressible> {
        match set {
            Set::Cells(field, ..) | Set::Pre(field, ..) => {
                Ok(Some(self.encoder.program.fields[field.index()].owner))
            }
            Set::Of(terms) => match terms.first() {
                Some(term) => {
                    let term = self.term(term)?;
                    self.struct_of(term).map(Some)
                }
                None => Ok(None),
            },
            Set::Union(sets) | Set::Inter(sets) => {
                for set in sets {
                    if let Some(of) = self.set_struct(set)? {
                        return Ok(Some(of));
                    }
                }
                Ok(None)
            }
            Set::Diff(a, _) => self.set_struct(a),
        }
    }

    /// `u` is a member.
    pub(super) fn member(&mut self, u: TermId, set: &Set) -> Built {
        match set {
            Set::Cells(field, at, x, y) => {
                let version = self.moments.at(*at)?.fields[field.index()];
                let (x, y) = (self.term(x)?, self.term(y)?);
                let on_path = self.encoder.between(version, x, u, y)?;
                let (cell, not_end) = (self.is_cell(u)?, self.differ(u, y)?);
                Ok(self.encoder.terms.and(&[on_path, cell, not_end])?)
            }
            Set::Of(terms) => {
                let mut equal = Vec::new();
                for term in terms {
                    let term = self.term(term)?;
                    equal.push(self.encoder.terms.eq(u, term)?);
                }
                let one = self.encoder.terms.or(&equal)?;
                let cell = self.is_cell(u)?;
                Ok(self.encoder.terms.and(&[one, cell])?)
            }
            Set::Pre(field, at, target) => {
                let version = self.moments.at(*at)?.fields[field.index()];
                let (value, target) = (self.encoder.read(version, u)?, self.term(target)?);
                let equal = self.encoder.terms.eq(value, target)?;
                let cell = self.is_cell(u)?;
                Ok(self.encoder.terms.and(&[equal, cell])?)
            }
            Set::Union(sets) => {
                let parts = sets.iter().map(|s| self.member(u, s)).collect::<Result<Vec<_>, _>>()?;
                Ok(self.encoder.terms.or(&parts)?)
            }
            Set::Inter(sets) => {
                let parts = sets.iter().map(|s| self.member(u, s)).collect::<Result<Vec<_>, _>>()?;
                Ok(self.encoder.terms.and(&parts)?)
            }
            Set::Diff(a, b) => {
                let (a, b) = (self.member(u, a)?, self.member(u, b)?);
                let not_b = self.encoder.terms.not(b)?;
                Ok(self.encoder.terms.and(&[a, not_b])?)
            }
        }
    }

    pub(super) fn is_cell(&mut self, u: TermId) -> Built {
        let of = self.struct_of(u)?;
        self.encoder.not_null(of, u)
    }

    pub(super) fn differ(&mut self, a: TermId, b: TermId) -> Built {
        let equal = self.encoder.terms.eq(a, b)?;
        Ok(self.encoder.terms.not(equal)?)
    }

    /// A statement about all members of a set.
    pub(super) fn for_all_in(
        &mut self,
        set: &Set,
        side: Side,
        body: impl FnOnce(&mut Self, TermId) -> Built,
    ) -> Built {
        let Some(of) = self.set_struct(set)? else { return Ok(Terms::TRUE) };
        let u = self.encoder.terms.variable("u", self.encoder.sort_of(of))?;
        let body = body(self, u)?;
        match side {
            Side::Prove => {
                let member = self.member(u, set)?;
                let formula = self.encoder.terms.implies(member, body)?;
                Ok(self.encoder.terms.forall(&[u], formula)?)
            }
            Side::Assume => {
                let alternatives = self.alternatives(u, set)?;
                let mut parts = Vec::new();
                for alternative in alternatives {
                    parts.push(self.for_all(&[u], &[(u, alternative)], &[], body)?);
                }
                Ok(self.encoder.terms.and(&parts)?)
            }
        }
    }

    /// `forall variables. guards and premises => conclusion`, guards as atoms of the clause; what does not
    /// mention a variable stands outside.
    pub(super) fn for_all(
        &mut self,
        variables: &[TermId],
        guards: &[(TermId, Alternative)],
        premises: &[TermId],
        conclusion: TermId,
    ) -> Built {
        let mut map = Map::default();
        let mut conditions = Vec::new();
        for (variable, alternative) in guards {
            conditions.extend_from_slice(&alternative.conditions);
            if let Some(value) = alternative.equal {
                let Op::Var(id) = self.encoder.terms.op(*variable) else {
                    return Err(Inexpressible("a variable was expected".to_owned()));
                };
                map.insert(id, value);
            }
        }
        let (mut outside, mut inside) = (Vec::new(), Vec::new());
        for &condition in &conditions {
            let terms = &mut self.encoder.terms;
            let condition = terms.substitute(condition, &map);
            let negated = terms.not(condition)?;
            if terms.is_closed(condition) { outside.push(negated) } else { inside.push(negated) }
        }
        for &premise in premises {
            let premise = self.encoder.terms.substitute(premise, &map);
            inside.push(self.encoder.terms.not(premise)?);
        }
        inside.push(self.encoder.terms.substitute(conclusion, &map));
        let terms = &mut self.encoder.terms;
        let body = terms.or(&inside)?;
        let quantified = terms.forall(variables, body)?;
        outside.push(quantified);
        Ok(terms.or(&outside)?)
    }

    /// Ways for `u`, a variable, to be in a set.
    pub(super) fn alternatives(&mut self, u: TermId, set: &Set) -> Alternatives {
        match set {
            Set::Cells(field, at, x, y) => {
                let version = self.moments.at(*at)?.fields[field.index()];
                let (x, y) = (self.term(x)?, self.term(y)?);
                let (cell, not_end) = (self.is_cell(u)?, self.differ(u, y)?);
                let found = self.on_path(version, x, u, y)?;
                Ok(found.into_iter().map(|a| a.and(&[cell, not_end])).collect())
            }
            Set::Of(terms) => {
                let mut found = Vec::new();
                for term in terms {
                    let term = self.term(term)?;
                    let cell = self.is_cell(term)?;
                    found.push(Alternative { conditions: vec![cell], equal: Some(term) });
                }
                Ok(found)
            }
            Set::Pre(field, at, target) => {
                let version = self.moments.at(*at)?.fields[field.index()];
                let target = self.term(target)?;
                let cell = self.is_cell(u)?;
                let found = self.holding(version, u, target)?;
                Ok(found.into_iter().map(|a| a.and(&[cell])).collect())
            }
            Set::Union(sets) => {
                let mut found = Vec::new();
                for set in sets {
                    found.extend(self.alternatives(u, set)?);
                }
                Ok(found)
            }
            Set::Inter(sets) => {
                let Some((first, rest)) = sets.split_first() else { return Ok(Vec::new()) };
                let others = rest.iter().map(|s| self.member(u, s)).collect::<Result<Vec<_>, _>>()?;
                Ok(self.alternatives(u, first)?.into_iter().map(|a| a.and(&others)).collect())
            }
            Set::Diff(a, b) => {
                let in_b = self.member(u, b)?;
                let not_b = self.encoder.terms.not(in_b)?;
                Ok(self.alternatives(u, a)?.into_iter().map(|a| a.and(&[not_b])).collect())
            }
        }
    }

    /// Ways for the variable `u` to lie on the path from x to y, neither of which mentions it.
    fn on_path(&mut self, version: VersionId, x: TermId, u: TermId, y: TermId) -> Alternatives {
        let mut found = Vec::new();
        for case in self.encoder.cases(version, x, y)? {
            if case.from == case.to {
                found.push(Alternative { conditions: vec![case.condition], equal: Some(case.from) });
                continue;
            }
            let atom = self.encoder.terms.between(case.field, case.from, u, case.to)?;
            found.push(Alternative::of(vec![case.condition, atom]));
        }
        Ok(found)
    }

    /// Ways for contents to have a value at the variable `u`.
    fn holding(&mut self, version: VersionId, u: TermId, target: TermId) -> Alternatives {
        let mut found = Vec::new();
        let mut stack = vec![(version, Vec::new())];
        while let Some((version, conditions)) = stack.pop() {
            match self.encoder.describe(version) {
                Version::Base(_) | Version::Constant(_) => {
                    let value = self.encoder.read(version, u)?;
                    let equal = self.encoder.terms.eq(value, target)?;
                    found.push(Alternative::of(conditions).and(&[equal]));
                }
                Version::Store { before, place, value } => {
                    let here = self.encoder.terms.eq(value, target)?;
                    let alternative = Alternative { conditions: conditions.clone(), equal: Some(place) };
                    found.push(alternative.and(&[here]));
                    let elsewhere = self.differ(u, place)?;
                    stack.push((before, with(conditions, elsewhere)));
                }
                Version::Choose { condition, yes, no } => {
                    let not = self.encoder.terms.not(condition)?;
                    stack.push((yes, with(conditions.clone(), condition)));
                    stack.push((no, with(conditions, not)));
                }
            }
        }
        Ok(found)
    }

    /// Ways for a hypothesis about the variable `u` to hold, if it can serve as a guard.
    pub(super) fn guard(
        &mut self,
        u: TermId,
        hypothesis: &Formula,
    ) -> Result<Option<Vec<Alternative>>, Inexpressible> {
        let mentions = |this: &Self, t: TermId| match this.encoder.terms.op(u) {
            Op::Var(id) => this.encoder.terms.free_variables(t).contains(&id),
            _ => false,
        };
        match hypothesis {
            Formula::In(t, set) => {
                if self.term(t)? != u || self.set_mentions(set, u)? {
                    return Ok(None);
                }
                self.alternatives(u, set).map(Some)
            }
            Formula::Between(field, at, x, y, z) => {
                let version = self.moments.at(*at)?.fields[field.index()];
                let (x, y, z) = (self.term(x)?, self.term(y)?, self.term(z)?);
                if y != u || mentions(self, x) || mentions(self, z) {
                    return Ok(None);
                }
                self.on_path(version, x, u, z).map(Some)
            }
            Formula::Reach { field, at, from, to, plus } => {
                let version = self.moments.at(*at)?.fields[field.index()];
                let (x, y) = (self.term(from)?, self.term(to)?);
                if y != u || mentions(self, x) {
                    return Ok(None);
                }
                let (start, cell) =
                    if *plus { (self.encoder.read(version, x)?, self.is_cell(x)?) } else { (x, Terms::TRUE) };
                let found = self.reached(version, start, u)?;
                Ok(Some(found.into_iter().map(|a| a.and(&[cell])).collect()))
            }
            Formula::Compare(Cmp::Eq, a, b) => {
                for (field_term, target) in [(a, b), (b, a)] {
                    let Term::Field(field, at, inner) = field_term else { continue };
                    let (inner, target) = (self.term(inner)?, self.term(target)?);
                    if inner == u && !mentions(self, target) {
                        let version = self.moments.at(*at)?.fields[field.index()];
                        return self.holding(version, u, target).map(Some);
                    }
                }
                Ok(None)
            }
            Formula::Valid(t, at) => {
                if self.term(t)? != u {
                    return Ok(None);
                }
                let of = self.struct_of(u)?;
                let version = self.moments.at(*at)?.status[of.index()];
                let mut found = Vec::new();
                for value in self.encoder.valid_values() {
                    let value = self.encoder.terms.int(value);
                    found.extend(self.holding(version, u, value)?);
                }
                Ok(Some(found))
            }
            _ => Ok(None),
        }
    }

    /// Ways for the variable `u` to be reached from x.
    fn reached(&mut self, version: VersionId, x: TermId, u: TermId) -> Alternatives {
        let mut found = Vec::new();
        for case in self.encoder.reach_cases(version, x, u)? {
            if case.from == case.to {
                found.push(Alternative { conditions: vec![case.condition], equal: Some(case.from) });
                continue;
            }
            let atom = self.encoder.terms.reach(case.field, case.from, u)?;
            found.push(Alternative::of(vec![atom, case.condition]));
        }
        Ok(found)
    }

    fn set_mentions(&mut self, set: &Set, u: TermId) -> Result<bool, Inexpressible> {
        let Op::Var(id) = self.encoder.terms.op(u) else { return Ok(false) };
        Ok(self.terms_of(set)?.into_iter().any(|t| self.encoder.terms.free_variables(t).contains(&id)))
    }

    fn terms_of(&mut self, set: &Set) -> Result<Vec<TermId>, Inexpressible> {
        match set {
            Set::Cells(_, _, x, y) => Ok(vec![self.term(x)?, self.term(y)?]),
            Set::Of(terms) => terms.iter().map(|t| self.term(t)).collect(),
            Set::Pre(_, _, t) => Ok(vec![self.term(t)?]),
            Set::Union(sets) | Set::Inter(sets) => {
                let mut all = Vec::new();
                for set in sets {
                    all.extend(self.terms_of(set)?);
                }
                Ok(all)
            }
            Set::Diff(a, b) => {
                let mut all = self.terms_of(a)?;
                all.extend(self.terms_of(b)?);
                Ok(all)
            }
        }
    }
}

fn with(mut conditions: Vec<TermId>, more: TermId) -> Vec<TermId> {
    conditions.push(more);
    conditions
}
