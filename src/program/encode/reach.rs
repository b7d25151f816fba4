//! Reachability along contents that were written since they had a symbol of their own.
//!
//! Write `R` for betweenness before `p->f = q` and `A(u,v;w)` for "u reaches v without passing w before v",
//! that is `R(u,v,w) or (R(u,v) and not R(u,w))`. Afterwards (ERRATA, weakest precondition of `p->f = q`)
//!
//! ```text
//! R'(u,v,w) =  R(u,v,w) and A(u,w;p)
//!          or  p != w and A(u,p;w) and R(u,v,p) and A(q,w;p)
//!          or  p != w and A(u,p;w) and R(q,v,w) and A(q,w;p)
//! ```
//!
//! Each disjunct has one atom with v in the middle, so after any number of writes
//! `R'(u,v,w)` is a disjunction of *cases* `condition and R(x,v,y)` with R along a symbol and a condition without v
//! ([`Encoder::cases`]): the guards of quantifiers, which the core wants as atoms.
//!
//! The cases multiply with the depth of the writes. A chain deeper than [`MAX_DEPTH`] is therefore cut: a new
//! symbol is defined to be the contents so far, by axioms with guards. That keeps conditions linear in the
//! number of writes.

use super::{Built, Encoder, Inexpressible, Version, VersionId};
use crate::logic::{FuncId, TermId, Terms};

/// Writes and meetings of paths over which reachability is expressed directly.
pub const MAX_DEPTH: u32 = 8;

/// One disjunct of betweenness: `condition and between(field, from, v, to)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// Without the middle.
    pub condition: TermId,
    /// A symbol.
    pub field: FuncId,
    /// Start of the path.
    pub from: TermId,
    /// End of the path.
    pub to: TermId,
}

impl Encoder<'_> {
    /// `v` lies on the simple path from `u` to `w` along these contents.
    ///
    /// # Errors
    /// If the contents are not of a link field, or the terms not of its sort.
    pub fn between(&mut self, version: VersionId, u: TermId, v: TermId, w: TermId) -> Built {
        let version = self.shallow(version)?;
        self.between_shallow(version, u, v, w)
    }

    /// `v` is reached from `u` along these contents.
    ///
    /// # Errors
    /// As for [`Encoder::between`].
    pub fn reach(&mut self, version: VersionId, u: TermId, v: TermId) -> Built {
        self.between(version, u, v, v)
    }

    /// Recursion is by depth, which is at most [`MAX_DEPTH`].
    fn between_shallow(&mut self, version: VersionId, u: TermId, v: TermId, w: TermId) -> Built {
        let v = if u == v { w } else { v };
        if u == w {
            return Ok(self.terms.eq(u, v)?);
        }
        let key = (version, [u, v, w]);
        if let Some(&known) = self.betweens.get(&key) {
            return Ok(known);
        }
        let formula = match self.describe(version) {
            Version::Base(func) => self.terms.between(func, u, v, w)?,
            Version::Constant(_) => return Err(Inexpressible("reachability along a constant".to_owned())),
            Version::Choose { condition, yes, no } => {
                let yes = self.between_shallow(yes, u, v, w)?;
                let no = self.between_shallow(no, u, v, w)?;
                self.terms.ite(condition, yes, no)?
            }
            Version::Store { before, place: p, value: q } => {
                let stays = self.between_shallow(before, u, v, w)?;
                let untouched = self.avoids(before, u, w, p)?;
                let detour = self.detour(before, u, w, p, q)?;
                let head = self.between_shallow(before, u, v, p)?;
                let tail = self.between_shallow(before, q, v, w)?;
                let on_either = self.terms.or(&[head, tail])?;
                let old = self.terms.and(&[stays, untouched])?;
                let new = self.terms.and(&[detour, on_either])?;
                self.terms.or(&[old, new])?
            }
        };
        self.betweens.insert(key, formula);
        Ok(formula)
    }

    /// `A(u,v;w)`.
    fn avoids(&mut self, version: VersionId, u: TermId, v: TermId, w: TermId) -> Built {
        if v == w {
            return self.between_shallow(version, u, v, v);
        }
        let before = self.between_shallow(version, u, v, w)?;
        let there = self.between_shallow(version, u, v, v)?;
        let other = self.between_shallow(version, u, w, w)?;
        let not_other = self.terms.not(other)?;
        let only = self.terms.and(&[there, not_other])?;
        Ok(self.terms.or(&[before, only])?)
    }

    /// `p != w and A(u,p;w) and A(q,w;p)`: the path from u to w goes through the write.
    fn detour(&mut self, before: VersionId, u: TermId, w: TermId, p: TermId, q: TermId) -> Built {
        let end = self.terms.eq(p, w)?;
        let not_end = self.terms.not(end)?;
        if not_end == Terms::FALSE {
            return Ok(not_end);
        }
        let to_p = self.avoids(before, u, p, w)?;
        let from_q = self.avoids(before, q, w, p)?;
        Ok(self.terms.and(&[not_end, to_p, from_q])?)
    }

    /// The cases of `between(u, v, w)` for a middle v that occurs in neither u nor w. Cases over the same
    /// atom are one.
    ///
    /// # Errors
    /// As for [`Encoder::between`].
    pub fn cases(&mut self, version: VersionId, u: TermId, w: TermId) -> Result<Vec<Case>, Inexpressible> {
        let version = self.shallow(version)?;
        let mut found = Vec::new();
        self.add_cases(version, u, w, Terms::TRUE, &mut found)?;
        Ok(found)
    }

    fn add_cases(
        &mut self,
        version: VersionId,
        u: TermId,
        w: TermId,
        condition: TermId,
        found: &mut Vec<Case>,
    ) -> Result<(), Inexpressible> {
        if condition == Terms::FALSE {
            return Ok(());
        }
        match self.describe(version) {
            Version::Base(field) => {
                match found.iter_mut().find(|c| (c.field, c.from, c.to) == (field, u, w)) {
                    Some(case) => case.condition = self.terms.or(&[case.condition, condition])?,
                    None => found.push(Case { condition, field, from: u, to: w }),
                }
                Ok(())
            }
            Version::Constant(_) => Err(Inexpressible("reachability along a constant".to_owned())),
            Version::Choose { condition: which, yes, no } => {
                let then = self.terms.and(&[condition, which])?;
                self.add_cases(yes, u, w, then, found)?;
                let not = self.terms.not(which)?;
                let otherwise = self.terms.and(&[condition, not])?;
                self.add_cases(no, u, w, otherwise, found)
            }
            Version::Store { before, place: p, value: q } => {
                let untouched = self.avoids(before, u, w, p)?;
                let old = self.terms.and(&[condition, untouched])?;
                self.add_cases(before, u, w, old, found)?;
                let detour = self.detour(before, u, w, p, q)?;
                let new = self.terms.and(&[condition, detour])?;
                self.add_cases(before, u, p, new, found)?;
                self.add_cases(before, q, w, new, found)
            }
        }
    }

    /// The cases of `reach(u, v)`, as [`Encoder::cases`] but with conditions that may mention v. Each is
    /// `condition and reach(field, from, v)`; `to` is v.
    ///
    /// A path to v that runs over the write passes p first; one that meets v before p is an old path.
    ///
    /// # Errors
    /// As for [`Encoder::between`].
    pub fn reach_cases(
        &mut self,
        version: VersionId,
        u: TermId,
        v: TermId,
    ) -> Result<Vec<Case>, Inexpressible> {
        let version = self.shallow(version)?;
        let mut found: Vec<Case> = Vec::new();
        let mut stack = vec![(version, u, Terms::TRUE)];
        while let Some((version, u, condition)) = stack.pop() {
            if condition == Terms::FALSE {
                continue;
            }
            match self.describe(version) {
                Version::Base(field) => match found.iter_mut().find(|c| (c.field, c.from) == (field, u)) {
                    Some(case) => case.condition = self.terms.or(&[case.condition, condition])?,
                    None => found.push(Case { condition, field, from: u, to: v }),
                },
                Version::Constant(_) => {
                    return Err(Inexpressible("reachability along a constant".to_owned()));
                }
                Version::Choose { condition: which, yes, no } => {
                    let not = self.terms.not(which)?;
                    stack.push((no, u, self.terms.and(&[condition, not])?));
                    stack.push((yes, u, self.terms.and(&[condition, which])?));
                }
                Version::Store { before, place: p, value: q } => {
                    let detour = self.detour(before, u, v, p, q)?;
                    stack.push((before, q, self.terms.and(&[condition, detour])?));
                    let untouched = self.avoids(before, u, v, p)?;
                    stack.push((before, u, self.terms.and(&[condition, untouched])?));
                }
            }
        }
        Ok(found)
    }

    /// The same contents at a depth of at most [`MAX_DEPTH`].
    fn shallow(&mut self, version: VersionId) -> Result<VersionId, Inexpressible> {
        let mut stack = vec![version];
        while let Some(&top) = stack.last() {
            if self.depths[top.0 as usize] <= MAX_DEPTH || self.cuts.contains_key(&top) {
                stack.pop();
                continue;
            }
            let new = |encoder: &Self, v: VersionId| {
                if encoder.depths[v.0 as usize] <= MAX_DEPTH {
                    Some(v)
                } else {
                    encoder.cuts.get(&v).copied()
                }
            };
            let replaced = match self.describe(top) {
                Version::Store { before, place, value } => match new(self, before) {
                    None => {
                        stack.push(before);
                        continue;
                    }
                    Some(before) => self.version(Version::Store { before, place, value }),
                },
                Version::Choose { condition, yes, no } => match (new(self, yes), new(self, no)) {
                    (Some(yes), Some(no)) => self.version(Version::Choose { condition, yes, no }),
                    (yes_new, no_new) => {
                        stack.extend(yes_new.is_none().then_some(yes));
                        stack.extend(no_new.is_none().then_some(no));
                        continue;
                    }
                },
                Version::Base(_) | Version::Constant(_) => top,
            };
            let replaced =
                if self.depths[replaced.0 as usize] > MAX_DEPTH { self.cut(replaced)? } else { replaced };
            self.cuts.insert(top, replaced);
            stack.pop();
        }
        Ok(self.cuts.get(&version).copied().unwrap_or(version))
    }

    /// A symbol that is defined to be these contents.
    fn cut(&mut self, version: VersionId) -> Result<VersionId, Inexpressible> {
        let sort = self.link_sort(version)?;
        let name = self.symbol_name("cut");
        let func = self.terms.declare_fun(&name, &[sort], sort)?;
        let symbol = self.version(Version::Base(func));
        let [u, v, w] = ["u", "v", "w"].map(|name| self.terms.variable(name, sort));
        let (u, v, w) = (u?, v?, w?);
        // Values: wherever either side has a term.
        let (new, old) = (self.read(symbol, u)?, self.read(version, u)?);
        let same = self.terms.eq(new, old)?;
        let fact = self.terms.forall_with(&[u], same, &[vec![new]])?;
        self.facts.push(fact);
        // Reachability: both directions, each with its guard.
        let here = self.terms.between(func, u, v, w)?;
        let there = self.between_shallow(version, u, v, w)?;
        let forwards = self.terms.implies(here, there)?;
        let fact = self.terms.forall(&[u, v, w], forwards)?;
        self.facts.push(fact);
        let mut cases = Vec::new();
        self.add_cases(version, u, w, Terms::TRUE, &mut cases)?;
        for case in cases {
            let atom = self.terms.between(case.field, case.from, v, case.to)?;
            let premise = self.terms.and(&[case.condition, atom])?;
            let backwards = self.terms.implies(premise, here)?;
            let fact = self.terms.forall(&[u, v, w], backwards)?;
            self.facts.push(fact);
        }
        Ok(symbol)
    }

    fn link_sort(&self, version: VersionId) -> Result<crate::logic::SortId, Inexpressible> {
        let mut version = version;
        loop {
            match self.describe(version) {
                Version::Base(func) => return Ok(self.terms.func(func).result),
                Version::Store { value, .. } => return Ok(self.terms.sort(value)),
                Version::Choose { yes, .. } => version = yes,
                Version::Constant(_) => {
                    return Err(Inexpressible("reachability along a constant".to_owned()));
                }
            }
        }
    }
}
