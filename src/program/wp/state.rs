//! Symbolic states, the paths that lead to them, and where paths meet.
//!
//! A path is a list of links. Each link has a *route*, the decisions taken (without quantifiers, and no two
//! paths that meet have the same decisions), and a *fact*, the route with everything assumed on the way. Where
//! paths meet, routes choose between values and facts become one disjunction. Terms are shared, so a path
//! costs what was added to it.

use crate::logic::{Op, SortId, TermId, Terms};
use crate::program::decl::LabelId;
use crate::program::encode::{Encoder, Inexpressible, Moment, Moments, Version, VersionId};
use crate::util::hash::Map;
use std::sync::Arc;

/// A path: an index into [`Paths`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathId(u32);

#[derive(Clone, Copy, Debug)]
struct Link {
    before: PathId,
    depth: u32,
    route: TermId,
    fact: TermId,
    /// Conjunction of all facts up to here.
    all: TermId,
}

/// All paths.
#[derive(Clone, Debug)]
pub struct Paths(Vec<Link>);

impl Default for Paths {
    fn default() -> Paths {
        let (route, fact, all) = (Terms::TRUE, Terms::TRUE, Terms::TRUE);
        Paths(vec![Link { before: PathId(0), depth: 0, route, fact, all }])
    }
}

impl Paths {
    /// The path on which nothing has happened.
    pub const EMPTY: PathId = PathId(0);

    fn get(&self, path: PathId) -> &Link {
        &self.0[path.0 as usize]
    }

    /// Everything that holds on the path.
    #[must_use]
    pub fn formula(&self, path: PathId) -> TermId {
        self.get(path).all
    }

    fn add(
        &mut self,
        terms: &mut Terms,
        before: PathId,
        route: TermId,
        fact: TermId,
    ) -> Result<PathId, Inexpressible> {
        if fact == Terms::TRUE && route == Terms::TRUE {
            return Ok(before);
        }
        let link = self.get(before);
        let (depth, all) = (link.depth + 1, terms.and(&[link.all, fact])?);
        self.0.push(Link { before, depth, route, fact, all });
        Ok(PathId(u32::try_from(self.0.len() - 1).expect("fewer than 2^32 links")))
    }

    /// Routes and facts after a common beginning.
    fn after(&self, path: PathId, common: PathId) -> (Vec<TermId>, Vec<TermId>) {
        let (mut routes, mut facts) = (Vec::new(), Vec::new());
        let mut at = path;
        while at != common {
            let link = self.get(at);
            routes.push(link.route);
            facts.push(link.fact);
            at = link.before;
        }
        routes.reverse();
        facts.reverse();
        (routes, facts)
    }

    fn common(&self, mut a: PathId, mut b: PathId) -> PathId {
        while a != b {
            let (da, db) = (self.get(a).depth, self.get(b).depth);
            if da >= db {
                a = self.get(a).before;
            }
            if db >= da {
                b = self.get(b).before;
            }
        }
        a
    }
}

/// A state on a path.
#[derive(Clone, Debug)]
pub struct Symbolic {
    /// Now.
    pub now: Moment,
    /// Snapshots.
    pub labels: Map<LabelId, Arc<Moment>>,
    /// How it was reached.
    pub path: PathId,
    /// Loop heads on the way, by their number among the cuts.
    pub heads: Vec<usize>,
}

impl Symbolic {
    /// What formulas may speak of.
    #[must_use]
    pub fn moments<'a>(&'a self, entry: &'a Moment) -> Moments<'a> {
        Moments { now: &self.now, entry, labels: &self.labels }
    }

    /// Goes on along a branch.
    ///
    /// # Errors
    /// Never for formulas.
    pub fn branch(
        &mut self,
        encoder: &mut Encoder<'_>,
        paths: &mut Paths,
        route: TermId,
    ) -> Result<(), Inexpressible> {
        self.path = paths.add(&mut encoder.terms, self.path, route, route)?;
        Ok(())
    }

    /// Something holds here.
    ///
    /// # Errors
    /// Never for formulas.
    pub fn assume(
        &mut self,
        encoder: &mut Encoder<'_>,
        paths: &mut Paths,
        fact: TermId,
    ) -> Result<(), Inexpressible> {
        self.path = paths.add(&mut encoder.terms, self.path, Terms::TRUE, fact)?;
        Ok(())
    }
}

/// A short term equal to the given one: conditional values get a name.
///
/// # Errors
/// Never for terms of the encoder.
pub fn name(encoder: &mut Encoder<'_>, value: TermId, hint: &str) -> Result<TermId, Inexpressible> {
    if encoder.terms.op(value) != Op::Ite {
        return Ok(value);
    }
    let sort = encoder.terms.sort(value);
    let constant = encoder.unknown(hint, sort)?;
    let definition = encoder.terms.eq(constant, value)?;
    encoder.facts.push(definition);
    bound(encoder, constant, value)?;
    Ok(constant)
}

/// Numbers that differ by constants only bound each choice between them. That follows from the definition, but a
/// search that finds it out meets every combination of the decisions on the way.
fn bound(encoder: &mut Encoder<'_>, constant: TermId, value: TermId) -> Result<(), Inexpressible> {
    if encoder.terms.sort(value) != SortId::INT {
        return Ok(());
    }
    let (mut leaves, mut stack) = (Vec::new(), vec![value]);
    while let Some(term) = stack.pop() {
        match (encoder.terms.op(term), encoder.terms.children(term)) {
            (Op::Ite, &[_, yes, no]) => stack.extend([yes, no]),
            _ if leaves.contains(&term) => {}
            _ if leaves.len() > 8 => return Ok(()),
            _ => leaves.push(term),
        }
    }
    let Some(&base) = leaves.first() else { return Ok(()) };
    let (mut low, mut high) = (base, base);
    for &leaf in &leaves[1..] {
        let above = encoder.terms.le(low, leaf)?;
        match above {
            Terms::TRUE => {}
            Terms::FALSE => low = leaf,
            _ => return Ok(()),
        }
        if encoder.terms.le(leaf, high)? == Terms::FALSE {
            high = leaf;
        }
    }
    for fact in [encoder.terms.le(low, constant)?, encoder.terms.le(constant, high)?] {
        encoder.facts.push(fact);
    }
    Ok(())
}

/// The state where several paths meet. There is at least one.
///
/// # Errors
/// Never for states of one program.
pub fn meet(
    encoder: &mut Encoder<'_>,
    paths: &mut Paths,
    mut states: Vec<Symbolic>,
) -> Result<Option<Symbolic>, Inexpressible> {
    let Some(last) = states.pop() else { return Ok(None) };
    if states.is_empty() {
        return Ok(Some(last));
    }
    let common = states.iter().fold(last.path, |path, s| paths.common(path, s.path));
    let mut routes = Vec::new();
    let (mut all_routes, mut all_facts) = (Vec::new(), Vec::new());
    for state in states.iter().chain([&last]) {
        let (route, fact) = paths.after(state.path, common);
        let (route, fact) = (encoder.terms.and(&route)?, encoder.terms.and(&fact)?);
        routes.push(route);
        all_routes.push(route);
        all_facts.push(fact);
    }
    let (route, fact) = (encoder.terms.or(&all_routes)?, encoder.terms.or(&all_facts)?);
    let mut met = last;
    met.path = paths.add(&mut encoder.terms, common, route, fact)?;
    for (state, &route) in states.iter().zip(&routes).rev() {
        choose_moment(encoder, route, &state.now, &mut met.now)?;
        // A label that some path has not passed has no moment here.
        met.labels.retain(|label, _| state.labels.contains_key(label));
        for (label, other) in &mut met.labels {
            let moment = &state.labels[label];
            if !Arc::ptr_eq(other, moment) {
                let mut chosen = (**other).clone();
                choose_moment(encoder, route, moment, &mut chosen)?;
                *other = Arc::new(chosen);
            }
        }
        for head in &state.heads {
            if !met.heads.contains(head) {
                met.heads.push(*head);
            }
        }
    }
    met.heads.sort_unstable();
    name_all(encoder, &mut met.now)?;
    Ok(Some(met))
}

/// `other` becomes `if route then moment else other`.
fn choose_moment(
    encoder: &mut Encoder<'_>,
    route: TermId,
    moment: &Moment,
    other: &mut Moment,
) -> Result<(), Inexpressible> {
    for (old, &new) in other.vars.iter_mut().zip(&moment.vars) {
        *old = encoder.terms.ite(route, new, *old)?;
    }
    let mut choose = |old: &mut VersionId, new: VersionId| {
        *old = encoder.version(Version::Choose { condition: route, yes: new, no: *old });
    };
    for (old, &new) in other.fields.iter_mut().zip(&moment.fields) {
        choose(old, new);
    }
    for (old, &new) in other.status.iter_mut().zip(&moment.status) {
        choose(old, new);
    }
    for (old, &new) in other.arrays.iter_mut().zip(&moment.arrays) {
        if let (Some(old), Some(new)) = (old, new) {
            choose(old, new);
        }
    }
    Ok(())
}

fn name_all(encoder: &mut Encoder<'_>, moment: &mut Moment) -> Result<(), Inexpressible> {
    for (i, value) in moment.vars.iter_mut().enumerate() {
        let hint = encoder.program.vars[i].name.as_str();
        *value = name(encoder, *value, hint)?;
    }
    Ok(())
}
