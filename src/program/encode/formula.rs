//! Formulas as terms.
//!
//! The encoding of a formula depends on the [`Side`] it stands on only in shape, never in meaning: what is
//! assumed has its quantifiers split so that every guard is an atom over one symbol, which the core
//! instantiates by; what is to be proved keeps one quantifier, which becomes one unknown cell.

use super::set::Alternative;
use super::{Built, Encoder, Inexpressible, Moments};
use crate::logic::{Op, SortId, TermId};
use crate::program::decl::{BoundId, FieldId, StructId};
use crate::program::formula::{At, Binder, Formula, Term};
use crate::program::walk;

/// Whether a formula is a hypothesis or a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// A hypothesis.
    Assume,
    /// A goal.
    Prove,
}

impl Side {
    fn flip(self) -> Side {
        match self {
            Side::Assume => Side::Prove,
            Side::Prove => Side::Assume,
        }
    }
}

/// Encodes formulas over fixed moments.
pub struct FormulaEncoder<'e, 'p> {
    pub(super) encoder: &'e mut Encoder<'p>,
    pub(super) moments: Moments<'e>,
    env: Vec<(BoundId, TermId)>,
}

/// A part of a quantifier's body, with its sign.
type Part<'f> = (&'f Formula, bool);

impl<'p> Encoder<'p> {
    /// A formula of the program.
    ///
    /// # Errors
    /// If it has no exact counterpart.
    pub fn formula(&mut self, moments: Moments<'_>, formula: &Formula, side: Side) -> Built {
        FormulaEncoder { encoder: self, moments, env: Vec::new() }.formula(formula, side)
    }

    /// A formula with a free variable, such as the object of a `track` or the member of a set.
    ///
    /// # Errors
    /// If it has no exact counterpart.
    pub fn formula_with(
        &mut self,
        moments: Moments<'_>,
        bound: (BoundId, TermId),
        formula: &Formula,
        side: Side,
    ) -> Built {
        FormulaEncoder { encoder: self, moments, env: vec![bound] }.formula(formula, side)
    }

    /// A term of the program.
    ///
    /// # Errors
    /// If it has no exact counterpart.
    pub fn term(&mut self, moments: Moments<'_>, term: &Term) -> Built {
        FormulaEncoder { encoder: self, moments, env: Vec::new() }.term(term)
    }

    /// Membership of a term in a set.
    ///
    /// # Errors
    /// If the set has no exact counterpart.
    pub fn member(&mut self, moments: Moments<'_>, term: TermId, set: &crate::program::Set) -> Built {
        FormulaEncoder { encoder: self, moments, env: Vec::new() }.member(term, set)
    }
}

impl FormulaEncoder<'_, '_> {
    /// The struct of a pointer term.
    pub(super) fn struct_of(&self, term: TermId) -> Result<StructId, Inexpressible> {
        let sort = self.encoder.terms.sort(term);
        let found = self.encoder.sorts.iter().position(|&s| s == sort);
        let index = found.ok_or_else(|| Inexpressible("a pointer was expected".to_owned()))?;
        Ok(StructId(u32::try_from(index).unwrap_or(u32::MAX)))
    }

    /// A term.
    pub(super) fn term(&mut self, term: &Term) -> Built {
        match term {
            Term::Var(v, at) => Ok(self.moments.at(*at)?.vars[v.index()]),
            Term::Bound(id) => {
                let found = self.env.iter().rev().find(|(bound, _)| bound == id);
                found.map(|(_, t)| *t).ok_or_else(|| Inexpressible("a variable is not bound".to_owned()))
            }
            Term::Null(s) => Ok(self.encoder.null(*s)),
            Term::Int(n) => Ok(self.encoder.terms.int(*n)),
            Term::Field(field, at, inner) => {
                let inner = self.term(inner)?;
                self.field(*field, *at, inner)
            }
            Term::Index(array, at, index) => {
                let index = self.term(index)?;
                let version = self.moments.at(*at)?.arrays[array.index()]
                    .ok_or_else(|| Inexpressible("an array was expected".to_owned()))?;
                self.encoder.read(version, index)
            }
            Term::Neg(inner) => {
                let inner = self.term(inner)?;
                Ok(self.encoder.terms.neg(inner)?)
            }
            Term::Binary(op, a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                self.encoder.binary(*op, a, b)
            }
            Term::Ite(c, a, b) => {
                let c = self.formula(c, Side::Assume)?;
                if !self.encoder.terms.is_quantifier_free(c) {
                    return Err(Inexpressible("a quantifier in the condition of `?:`".to_owned()));
                }
                let (a, b) = (self.term(a)?, self.term(b)?);
                Ok(self.encoder.terms.ite(c, a, b)?)
            }
        }
    }

    fn field(&mut self, field: FieldId, at: At, object: TermId) -> Built {
        let version = self.moments.at(at)?.fields[field.index()];
        self.encoder.read(version, object)
    }

    fn reach(&mut self, field: FieldId, at: At, x: TermId, y: TermId) -> Built {
        let version = self.moments.at(at)?.fields[field.index()];
        self.encoder.reach(version, x, y)
    }

    fn between(&mut self, field: FieldId, at: At, x: TermId, y: TermId, z: TermId) -> Built {
        let version = self.moments.at(at)?.fields[field.index()];
        self.encoder.between(version, x, y, z)
    }

    fn signed(&mut self, part: Part<'_>, side: Side) -> Built {
        if part.1 {
            return self.formula(part.0, side);
        }
        let inner = self.formula(part.0, side.flip())?;
        Ok(self.encoder.terms.not(inner)?)
    }

    fn all(&mut self, parts: &[Formula], side: Side) -> Result<Vec<TermId>, Inexpressible> {
        parts.iter().map(|p| self.formula(p, side)).collect()
    }

    /// A formula.
    pub(super) fn formula(&mut self, formula: &Formula, side: Side) -> Built {
        match formula {
            Formula::Const(value) => Ok(self.encoder.terms.bool(*value)),
            Formula::Not(p) => self.signed((p, false), side),
            Formula::And(parts) => {
                let parts = self.all(parts, side)?;
                Ok(self.encoder.terms.and(&parts)?)
            }
            Formula::Or(parts) => {
                let parts = self.all(parts, side)?;
                Ok(self.encoder.terms.or(&parts)?)
            }
            Formula::Implies(p, q) => {
                let (p, q) = (self.formula(p, side.flip())?, self.formula(q, side)?);
                Ok(self.encoder.terms.implies(p, q)?)
            }
            Formula::Iff(p, q) => self.iff(p, q, side),
            Formula::Compare(cmp, a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                self.encoder.compare(*cmp, a, b)
            }
            Formula::Reach { field, at, from, to, plus } => {
                let (from, to) = (self.term(from)?, self.term(to)?);
                if !*plus {
                    return self.reach(*field, *at, from, to);
                }
                let next = self.field(*field, *at, from)?;
                let (there, cell) = (self.reach(*field, *at, next, to)?, self.is_cell(from)?);
                Ok(self.encoder.terms.and(&[cell, there])?)
            }
            Formula::Between(field, at, x, y, z) => {
                let (x, y, z) = (self.term(x)?, self.term(y)?, self.term(z)?);
                self.between(*field, *at, x, y, z)
            }
            Formula::Valid(t, at) => {
                let t = self.term(t)?;
                let of = self.struct_of(t)?;
                let moment = self.moments.at(*at)?;
                self.encoder.is_valid(moment, of, t)
            }
            Formula::Freed(t, at) => {
                let t = self.term(t)?;
                let of = self.struct_of(t)?;
                let version = self.moments.at(*at)?.status[of.index()];
                self.encoder.has_status(version, t, super::status::FREED)
            }
            Formula::Fresh(t) => {
                let t = self.term(t)?;
                let of = self.struct_of(t)?;
                let valid = self.encoder.is_valid(self.moments.entry, of, t)?;
                let (not_valid, cell) = (self.encoder.terms.not(valid)?, self.is_cell(t)?);
                Ok(self.encoder.terms.and(&[cell, not_valid])?)
            }
            Formula::ValidRange(array, lo, hi) => {
                let (lo, hi) = (self.term(lo)?, self.term(hi)?);
                let len = self.moments.now.vars[array.index()];
                let terms = &mut self.encoder.terms;
                let zero = terms.int(0);
                let (empty, low, high) = (terms.gt(lo, hi)?, terms.le(zero, lo)?, terms.lt(hi, len)?);
                let inside = terms.and(&[low, high])?;
                Ok(terms.or(&[empty, inside])?)
            }
            Formula::In(t, set) => {
                let t = self.term(t)?;
                self.member(t, set)
            }
            Formula::Subset(a, b) => self.for_all_in(a, side, |this, u| this.member(u, b)),
            Formula::SameSet(a, b) => {
                let there = self.for_all_in(a, side, |this, u| this.member(u, b))?;
                let back = self.for_all_in(b, side, |this, u| this.member(u, a))?;
                Ok(self.encoder.terms.and(&[there, back])?)
            }
            Formula::Disjoint(sets) => {
                let mut parts = Vec::new();
                for (i, a) in sets.iter().enumerate() {
                    for b in &sets[i + 1..] {
                        parts.push(self.for_all_in(a, side, |this, u| {
                            let member = this.member(u, b)?;
                            Ok(this.encoder.terms.not(member)?)
                        })?);
                    }
                }
                Ok(self.encoder.terms.and(&parts)?)
            }
            Formula::Forall(..) => self.quantifier(formula, true, side),
            Formula::Exists(..) => {
                let none = self.quantifier(formula, false, side.flip())?;
                Ok(self.encoder.terms.not(none)?)
            }
            Formula::Tree(..) => {
                Err(Inexpressible("`\\tree` has no exact counterpart along single fields".to_owned()))
            }
            Formula::Stable(..)
            | Formula::Unshared(..)
            | Formula::Sorted(..)
            | Formula::Inverse(..)
            | Formula::Dlseg(..) => {
                let definition = super::shape::definition(self.encoder.program, formula);
                self.formula(&definition, side)
            }
        }
    }

    fn iff(&mut self, p: &Formula, q: &Formula, side: Side) -> Built {
        let (left, right) = (self.formula(p, side)?, self.formula(q, side)?);
        let terms = &mut self.encoder.terms;
        if terms.is_quantifier_free(left) && terms.is_quantifier_free(right) {
            return Ok(terms.iff(left, right)?);
        }
        let (not_left, not_right) = (self.formula(p, side.flip())?, self.formula(q, side.flip())?);
        let terms = &mut self.encoder.terms;
        let (there, back) = (terms.implies(not_left, right)?, terms.implies(not_right, left)?);
        Ok(terms.and(&[there, back])?)
    }

    /// `forall u. P`, or `forall u. not P` of an `exists u. P`, with all quantifiers of that kind below.
    fn quantifier(&mut self, formula: &Formula, universal: bool, side: Side) -> Built {
        let depth = self.env.len();
        let mut variables = Vec::new();
        let mut body = formula;
        loop {
            let (binder, inner) = match body {
                Formula::Forall(binder, inner) if universal => (binder, inner),
                Formula::Exists(binder, inner) if !universal => (binder, inner),
                _ => break,
            };
            variables.push(self.bind(binder)?);
            body = inner;
        }
        let built = match side {
            Side::Prove => self
                .signed((body, universal), side)
                .and_then(|body| Ok(self.encoder.terms.forall(&variables, body)?)),
            Side::Assume => self.assume_all(&variables, (body, universal)),
        };
        self.env.truncate(depth);
        built
    }

    fn bind(&mut self, binder: &Binder) -> Built {
        let sort = binder.of.map_or(SortId::INT, |s| self.encoder.sort_of(s));
        let variable = self.encoder.terms.variable(&binder.name, sort)?;
        self.env.push((binder.id, variable));
        Ok(variable)
    }

    /// A universal hypothesis, one quantifier per conjunct and alternative of its guards. Conjuncts of a conclusion count
    /// too if they follow links: each then has triggers of its own. Where `u->n->p == u && u->p->n == u` stood together, each instance
    /// would make the terms that trigger the next one.
    fn assume_all(&mut self, variables: &[TermId], body: Part<'_>) -> Built {
        let mut conjuncts = Vec::new();
        conjuncts_of(body, &mut conjuncts);
        let mut waiting: Vec<(Vec<Part<'_>>, Part<'_>)> =
            conjuncts.into_iter().rev().map(|conjunct| (Vec::new(), conjunct)).collect();
        let mut built = Vec::new();
        while let Some((mut premises, part)) = waiting.pop() {
            let mut conclusions = Vec::new();
            clause_of(part, &mut premises, &mut conclusions);
            if let [single] = conclusions[..] {
                let mut claims = Vec::new();
                conjuncts_of(single, &mut claims);
                if claims.len() > 1 && claims.iter().any(|(claim, _)| self.steps_on(claim)) {
                    waiting.extend(claims.into_iter().rev().map(|claim| (premises.clone(), claim)));
                    continue;
                }
            }
            let mut conclusion = Vec::new();
            for part in conclusions {
                conclusion.push(self.signed(part, Side::Assume)?);
            }
            let conclusion = self.encoder.terms.or(&conclusion)?;
            built.push(self.assume_clause(variables.to_vec(), premises, conclusion)?);
        }
        Ok(self.encoder.terms.and(&built)?)
    }

    /// Whether the formula applies a link field to a variable that is bound.
    fn steps_on(&self, formula: &Formula) -> bool {
        let mut found = false;
        walk::formula(formula, &mut |part| {
            if let walk::Part::Term(Term::Field(f, _, of)) = part {
                found |= self.encoder.program.fields[f.index()].is_link() && matches!(**of, Term::Bound(_));
            }
        });
        found
    }

    /// `forall variables. premises => conclusion`. A variable that a guard ties to closed terms comes first,
    /// the others follow inside.
    fn assume_clause(
        &mut self,
        mut variables: Vec<TermId>,
        premises: Vec<Part<'_>>,
        conclusion: TermId,
    ) -> Built {
        let mut plain = Vec::new();
        for &part in &premises {
            plain.push(self.signed(part, Side::Prove)?);
        }
        for i in 0..variables.len() {
            let u = variables[i];
            let others: Vec<TermId> = variables.iter().copied().filter(|&v| v != u).collect();
            for (j, &(premise, sign)) in premises.iter().enumerate() {
                if !sign || self.mentions(plain[j], &others) {
                    continue;
                }
                let Some(alternatives) = self.guard(u, premise)? else { continue };
                variables.remove(i);
                return self.split(u, alternatives, (variables, premises, plain), j, conclusion);
            }
        }
        let alternative = Alternative { conditions: plain, equal: None };
        let Some(&first) = variables.first() else {
            return self.for_all(&[], &[], &alternative.conditions, conclusion);
        };
        self.for_all(&variables, &[(first, alternative)], &[], conclusion)
    }

    /// One quantifier over u per alternative of its guard, which is premise number `guard`.
    fn split(
        &mut self,
        u: TermId,
        alternatives: Vec<Alternative>,
        (variables, premises, plain): (Vec<TermId>, Vec<Part<'_>>, Vec<TermId>),
        guard: usize,
        conclusion: TermId,
    ) -> Built {
        let (mut now, mut later) = (Vec::new(), Vec::new());
        for (i, part) in premises.into_iter().enumerate().filter(|(i, _)| *i != guard) {
            if self.mentions(plain[i], &variables) { later.push(part) } else { now.push(plain[i]) }
        }
        let inside = if variables.is_empty() && later.is_empty() {
            conclusion
        } else {
            self.assume_clause(variables, later, conclusion)?
        };
        let mut parts = Vec::new();
        for alternative in alternatives {
            parts.push(self.for_all(&[u], &[(u, alternative)], &now, inside)?);
        }
        Ok(self.encoder.terms.and(&parts)?)
    }

    fn mentions(&self, term: TermId, variables: &[TermId]) -> bool {
        let free = self.encoder.terms.free_variables(term);
        variables.iter().any(|&v| matches!(self.encoder.terms.op(v), Op::Var(id) if free.contains(&id)))
    }
}

/// The conjuncts of a body with its sign.
fn conjuncts_of<'f>(part: Part<'f>, out: &mut Vec<Part<'f>>) {
    match part {
        (Formula::And(parts), true) => parts.iter().for_each(|p| conjuncts_of((p, true), out)),
        (Formula::Or(parts), false) => parts.iter().for_each(|p| conjuncts_of((p, false), out)),
        (Formula::Not(inner), sign) => conjuncts_of((inner, !sign), out),
        other => out.push(other),
    }
}

/// A body as `premises => one of the conclusions`.
fn clause_of<'f>(part: Part<'f>, premises: &mut Vec<Part<'f>>, conclusions: &mut Vec<Part<'f>>) {
    match part {
        (Formula::Implies(p, q), true) => {
            conjuncts_of((p, true), premises);
            clause_of((q, true), premises, conclusions);
        }
        (Formula::Or(parts), true) => parts.iter().for_each(|p| clause_of((p, true), premises, conclusions)),
        (Formula::And(parts), false) => parts.iter().for_each(|p| conjuncts_of((p, true), premises)),
        (Formula::Not(inner), sign) => clause_of((inner, !sign), premises, conclusions),
        other => conclusions.push(other),
    }
}
