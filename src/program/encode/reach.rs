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
//! A path whose cells have known links is followed first (`path`). The cases of the rest grow with
//! the depth of the writes and the number of cells written. A chain that is too long for that is cut (`MAX_DEPTH`,
//! `MAX_COST`): a new symbol is defined to be the contents so far, by axioms with guards. That keeps
//! conditions linear in the number of writes. Where names are given by need (`need`), paths between closed terms
//! are cut in another way, for the engine that can define names on the way.

use super::{Built, Encoder, Inexpressible, Version, VersionId};
use crate::logic::{FuncId, TermId, Terms};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Writes and meetings of paths over which reachability is expressed directly, however many cells are written.
pub const MAX_DEPTH: u32 = 8;
/// The same for longer chains that write few cells: writes times pairs of cells.
pub(super) const MAX_COST: usize = 100_000;

/// One disjunct of betweenness: `condition and between(field, from, v, to)`. With `from` the same as `to` that says
/// `v = from`.
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
        if u == w {
            return Ok(self.terms.eq(u, v)?);
        }
        let version = self.beyond_writes(version, u);
        // No cut is needed for what is known.
        if !self.is_direct(version) && u != v && self.has_known_link(version, u) {
            return self.between_on_path(version, u, v, w);
        }
        // A cut is for variables; what is asked of cells gets a name instead.
        let by_name = self.names.is_some() && [u, v, w].iter().all(|&t| self.terms.is_closed(t));
        let version = if by_name { version } else { self.shallow(version)? };
        self.between_shallow(version, u, v, w)
    }

    /// `v` is reached from `u` along these contents.
    ///
    /// # Errors
    /// As for [`Encoder::between`].
    pub fn reach(&mut self, version: VersionId, u: TermId, v: TermId) -> Built {
        self.between(version, u, v, v)
    }

    /// Recursion is by depth, which [`MAX_COST`] bounds.
    fn between_shallow(&mut self, version: VersionId, u: TermId, v: TermId, w: TermId) -> Built {
        let v = if u == v { w } else { v };
        if u == w {
            return Ok(self.terms.eq(u, v)?);
        }
        let version = self.beyond_writes(version, u);
        let key = (version, [u, v, w]);
        if let Some(&known) = self.betweens.get(&key) {
            return Ok(known);
        }
        let formula = match self.name_between(version, key.1)? {
            Some(name) => name,
            None => self.between_written(version, u, v, w)?,
        };
        self.betweens.insert(key, formula);
        Ok(formula)
    }

    /// The formula over the version before, whether or not there is a name for it. The cells are as
    /// [`Encoder::between_shallow`] leaves them.
    pub(super) fn between_written(&mut self, version: VersionId, u: TermId, v: TermId, w: TermId) -> Built {
        Ok(match self.describe(version) {
            Version::Store { .. } if self.has_known_link(version, u) => {
                self.between_on_path(version, u, v, w)?
            }
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
        })
    }

    pub(super) fn has_known_link(&self, version: VersionId, u: TermId) -> bool {
        !self.known_path(version, u).0.is_empty()
    }

    /// [`Encoder::between`] from a cell whose link is known: before w is met, v is one of the known cells from
    /// which w is reached, or lies on the rest of the path.
    fn between_on_path(&mut self, version: VersionId, u: TermId, v: TermId, w: TermId) -> Built {
        let (cells, end) = self.known_path(version, u);
        let (mut on, mut reached) = match end {
            Some(end) => {
                let reached = self.between(version, end, w, w)?;
                let on = if v == w { reached } else { self.between(version, end, v, w)? };
                (on, reached)
            }
            None => (Terms::FALSE, Terms::FALSE),
        };
        for &cell in cells.iter().rev() {
            let (is_last, is_v) = (self.same(cell, w)?, self.same(cell, v)?);
            if v == w {
                on = self.terms.or(&[is_last, on])?;
                continue;
            }
            let here = self.terms.and(&[is_v, reached])?;
            let later = self.terms.or(&[here, on])?;
            on = self.terms.ite(is_last, is_v, later)?;
            reached = self.terms.or(&[is_last, reached])?;
        }
        Ok(on)
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
        let end = self.same(p, w)?;
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
        let version = self.beyond_writes(version, u);
        if self.is_direct(version) || !self.has_known_link(version, u) {
            let version = self.shallow(version)?;
            return self.cases_shallow(version, u, w);
        }
        let mut found = Vec::new();
        let Some((end, condition)) = self.cases_on_path(version, (u, w), Terms::TRUE, &mut found)? else {
            return Ok(found);
        };
        let version = self.beyond_writes(version, end);
        let version = self.shallow(version)?;
        for case in self.cases_shallow(version, end, w)? {
            let condition = self.terms.and(&[condition, case.condition])?;
            self.found_case(&mut found, case.field, (case.from, case.to), condition)?;
        }
        Ok(found)
    }

    /// The cases for the cells whose links are known; the cell where the rest of the path begins, and when it
    /// matters.
    fn cases_on_path(
        &mut self,
        version: VersionId,
        (u, w): (TermId, TermId),
        condition: TermId,
        found: &mut Vec<Case>,
    ) -> Result<Option<(TermId, TermId)>, Inexpressible> {
        let (cells, end) = self.known_path(version, u);
        let field = self.symbol_of(version)?;
        let mut condition = condition;
        for cell in cells {
            let reached = self.between(version, cell, w, w)?;
            let here = self.terms.and(&[condition, reached])?;
            self.found_case(found, field, (cell, cell), here)?;
            let is_last = self.same(cell, w)?;
            let not_last = self.terms.not(is_last)?;
            condition = self.terms.and(&[condition, not_last])?;
        }
        Ok(end.map(|end| (end, condition)))
    }

    /// From the latest version to the symbols; what is asked of a version twice is asked once, under either condition.
    fn cases_shallow(
        &mut self,
        version: VersionId,
        u: TermId,
        w: TermId,
    ) -> Result<Vec<Case>, Inexpressible> {
        let mut found: Vec<Case> = Vec::new();
        let mut open: BTreeMap<(Reverse<VersionId>, TermId, TermId), TermId> = BTreeMap::new();
        open.insert((Reverse(version), u, w), Terms::TRUE);
        while let Some(((Reverse(version), u, w), condition)) = open.pop_first() {
            if condition == Terms::FALSE {
                continue;
            }
            let mut add = |encoder: &mut Self, before: VersionId, u: TermId, w: TermId, more: TermId| {
                let condition = encoder.terms.and(&[condition, more])?;
                let known = open.entry((Reverse(before), u, w)).or_insert(Terms::FALSE);
                *known = encoder.terms.or(&[*known, condition])?;
                Ok::<(), Inexpressible>(())
            };
            match self.describe(version) {
                Version::Base(field) => self.found_case(&mut found, field, (u, w), condition)?,
                Version::Constant(_) => {
                    return Err(Inexpressible("reachability along a constant".to_owned()));
                }
                Version::Choose { condition: which, yes, no } => {
                    let not = self.terms.not(which)?;
                    add(self, yes, u, w, which)?;
                    add(self, no, u, w, not)?;
                }
                Version::Store { .. } if self.has_known_link(version, u) => {
                    if let Some((end, rest)) = self.cases_on_path(version, (u, w), condition, &mut found)? {
                        let known = open.entry((Reverse(version), end, w)).or_insert(Terms::FALSE);
                        *known = self.terms.or(&[*known, rest])?;
                    }
                }
                Version::Store { before, place: p, value: q } => {
                    let untouched = self.avoids(before, u, w, p)?;
                    let detour = self.detour(before, u, w, p, q)?;
                    add(self, before, u, w, untouched)?;
                    add(self, before, u, p, detour)?;
                    add(self, before, q, w, detour)?;
                }
            }
        }
        Ok(found)
    }

    fn found_case(
        &mut self,
        found: &mut Vec<Case>,
        field: FuncId,
        (from, to): (TermId, TermId),
        condition: TermId,
    ) -> Result<(), Inexpressible> {
        if condition == Terms::FALSE {
            return Ok(());
        }
        match found.iter_mut().find(|c| (c.field, c.from, c.to) == (field, from, to)) {
            Some(case) => case.condition = self.terms.or(&[case.condition, condition])?,
            None => found.push(Case { condition, field, from, to }),
        }
        Ok(())
    }

    /// A symbol below a version.
    fn symbol_of(&self, version: VersionId) -> Result<FuncId, Inexpressible> {
        let mut at = version;
        loop {
            match self.describe(at) {
                Version::Base(func) => return Ok(func),
                Version::Store { before, .. } => at = before,
                Version::Choose { yes, .. } => at = yes,
                Version::Constant(_) => {
                    return Err(Inexpressible("reachability along a constant".to_owned()));
                }
            }
        }
    }

    /// The cases of `reach(u, v)`, as [`Encoder::cases`] but with conditions that may mention v. Each is
    /// `condition and reach(field, from, v)` with `to` v, or `condition and v = from` with `to` the same as `from`.
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
        let mut found: Vec<Case> = Vec::new();
        let mut start = u;
        let version = self.beyond_writes(version, u);
        if !self.is_direct(version) && self.has_known_link(version, u) {
            let (cells, end) = self.known_path(version, u);
            let field = self.symbol_of(version)?;
            for cell in cells {
                self.found_case(&mut found, field, (cell, cell), Terms::TRUE)?;
            }
            let Some(end) = end else { return Ok(found) };
            start = end;
        }
        let version = self.beyond_writes(version, start);
        let version = self.shallow(version)?;
        let mut open: BTreeMap<(Reverse<VersionId>, TermId), TermId> = BTreeMap::new();
        open.insert((Reverse(version), start), Terms::TRUE);
        while let Some(((Reverse(version), u), condition)) = open.pop_first() {
            if condition == Terms::FALSE {
                continue;
            }
            let mut add = |encoder: &mut Self, before: VersionId, u: TermId, more: TermId| {
                let condition = encoder.terms.and(&[condition, more])?;
                let known = open.entry((Reverse(before), u)).or_insert(Terms::FALSE);
                *known = encoder.terms.or(&[*known, condition])?;
                Ok::<(), Inexpressible>(())
            };
            match self.describe(version) {
                Version::Base(field) => self.found_case(&mut found, field, (u, v), condition)?,
                Version::Constant(_) => {
                    return Err(Inexpressible("reachability along a constant".to_owned()));
                }
                Version::Choose { condition: which, yes, no } => {
                    let not = self.terms.not(which)?;
                    add(self, no, u, not)?;
                    add(self, yes, u, which)?;
                }
                Version::Store { .. } if self.has_known_link(version, u) => {
                    let (cells, end) = self.known_path(version, u);
                    let field = self.symbol_of(version)?;
                    for cell in cells {
                        self.found_case(&mut found, field, (cell, cell), condition)?;
                    }
                    if let Some(end) = end {
                        add(self, version, end, Terms::TRUE)?;
                    }
                }
                Version::Store { before, place: p, value: q } => {
                    let detour = self.detour(before, u, v, p, q)?;
                    let untouched = self.avoids(before, u, v, p)?;
                    add(self, before, q, detour)?;
                    add(self, before, u, untouched)?;
                }
            }
        }
        Ok(found)
    }

    /// Whether reachability along these contents is expressed over their symbols.
    fn is_direct(&mut self, version: VersionId) -> bool {
        if self.depths[version.0 as usize] <= MAX_DEPTH {
            return true;
        }
        if let Some(&known) = self.direct.get(&version) {
            return known;
        }
        let writes = self.writes(version, |versions, cells| versions * cells > MAX_COST);
        let direct = writes.versions * (writes.cells + 3) * (writes.cells + 3) <= MAX_COST;
        self.direct.insert(version, direct);
        direct
    }

    /// The same contents; those that are not direct are cut into pieces of [`MAX_DEPTH`], because the axioms of a cut are
    /// instantiated again and again.
    fn shallow(&mut self, version: VersionId) -> Result<VersionId, Inexpressible> {
        if self.is_direct(version) {
            return Ok(version);
        }
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
        for case in self.cases_shallow(version, u, w)? {
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
