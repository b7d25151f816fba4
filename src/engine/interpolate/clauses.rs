//! Groups of formulas as clauses over atoms.
//!
//! Connectives are named group by group, conditional terms are replaced by constants of their group, so that
//! neither crosses a cut. An equality of integers is tied to the two inequalities that make it up by clauses
//! over its own symbols.

use super::Failure;
use super::vocabulary::{Range, Vocabulary};
use crate::logic::{Op, SortId, TermId, Terms};
use crate::util::hash::Map;

/// A literal: an atom and a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Lit(u32);

impl Lit {
    pub(super) fn new(var: usize, positive: bool) -> Lit {
        Lit(var as u32 * 2 + u32::from(!positive))
    }

    pub(super) fn var(self) -> usize {
        (self.0 / 2) as usize
    }

    pub(super) fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// What an atom says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Atom {
    /// Names a formula of one group.
    Name,
    /// An equality of two terms.
    Equal(TermId, TermId),
    /// `term <= number`.
    AtMost,
    /// A predicate or a Boolean constant.
    Holds,
}

#[derive(Clone, Debug)]
pub(super) struct AtomEntry {
    pub atom: Atom,
    /// The formula; of a name, `true`.
    pub term: TermId,
    pub range: Range,
}

/// Clauses with their groups, and atoms.
pub(super) struct Problem {
    pub atoms: Vec<AtomEntry>,
    pub clauses: Vec<(Vec<Lit>, usize)>,
    vocabulary: Vocabulary,
    by_term: Map<TermId, usize>,
    named: Map<(TermId, usize), Lit>,
    replaced: Map<(TermId, usize), TermId>,
}

impl Problem {
    pub(super) fn new(terms: &mut Terms, groups: &[Vec<TermId>]) -> Result<Problem, Failure> {
        let mut problem = Problem {
            atoms: Vec::new(),
            clauses: Vec::new(),
            vocabulary: Vocabulary::of(terms, groups),
            by_term: Map::default(),
            named: Map::default(),
            replaced: Map::default(),
        };
        for (group, formulas) in groups.iter().enumerate() {
            for &formula in formulas {
                let lit = problem.literal(terms, formula, group)?;
                problem.clauses.push((vec![lit], group));
            }
        }
        Ok(problem)
    }

    /// Whether the atom can be said in the groups from the cut on.
    pub(super) fn in_suffix(&self, var: usize, cut: usize) -> bool {
        self.atoms[var].range.in_suffix(cut)
    }

    pub(super) fn range(&self, terms: &Terms, term: TermId) -> Range {
        self.vocabulary.range(terms, term)
    }

    /// The formula of a literal.
    pub(super) fn literal_term(&self, terms: &mut Terms, lit: Lit) -> Result<TermId, Failure> {
        let term = self.atoms[lit.var()].term;
        Ok(if lit.is_positive() { term } else { terms.not(term)? })
    }

    fn add_name(&mut self, group: usize) -> Lit {
        let range = Range { first: group, last: group };
        self.atoms.push(AtomEntry { atom: Atom::Name, term: Terms::TRUE, range });
        Lit::new(self.atoms.len() - 1, true)
    }

    /// The literal of a formula in a group, with the clauses that define it.
    fn literal(&mut self, terms: &mut Terms, formula: TermId, group: usize) -> Result<Lit, Failure> {
        let (formula, positive) = terms.strip_not(formula);
        let negated = !positive;
        if let Some(&lit) = self.named.get(&(formula, group)) {
            return Ok(if negated { !lit } else { lit });
        }
        let children = terms.children(formula).to_vec();
        let lit = match terms.op(formula) {
            Op::True | Op::False => {
                let lit = self.add_name(group);
                let holds = terms.op(formula) == Op::True;
                self.clauses.push((vec![if holds { lit } else { !lit }], group));
                lit
            }
            Op::And | Op::Or => {
                let all = terms.op(formula) == Op::And;
                let name = self.add_name(group);
                let sign = |l: Lit| if all { l } else { !l };
                let mut long = vec![sign(name)];
                for child in children {
                    let child = self.literal(terms, child, group)?;
                    self.clauses.push((vec![!sign(name), sign(child)], group));
                    long.push(!sign(child));
                }
                self.clauses.push((long, group));
                name
            }
            Op::Iff => {
                let name = self.add_name(group);
                let (a, b) =
                    (self.literal(terms, children[0], group)?, self.literal(terms, children[1], group)?);
                for clause in [[!name, !a, b], [!name, a, !b], [name, a, b], [name, !a, !b]] {
                    self.clauses.push((clause.to_vec(), group));
                }
                name
            }
            Op::Ite => {
                let name = self.add_name(group);
                let mut parts = [name; 3];
                for (part, child) in parts.iter_mut().zip(children) {
                    *part = self.literal(terms, child, group)?;
                }
                let [c, a, b] = parts;
                for clause in [[!c, !name, a], [!c, name, !a], [c, !name, b], [c, name, !b]] {
                    self.clauses.push((clause.to_vec(), group));
                }
                name
            }
            Op::Distinct => {
                let mut pairs = Vec::new();
                for (i, &a) in children.iter().enumerate() {
                    for &b in &children[..i] {
                        let equal = terms.eq(a, b)?;
                        pairs.push(terms.not(equal)?);
                    }
                }
                let all = terms.and(&pairs)?;
                self.literal(terms, all, group)?
            }
            Op::Eq | Op::Le(_) | Op::App(_) => {
                let plain = self.without_conditionals(terms, formula, group)?;
                let (plain, kept) = terms.strip_not(plain);
                let lit = match terms.op(plain) {
                    Op::True | Op::False => self.literal(terms, plain, group)?,
                    _ => self.atom(terms, plain)?,
                };
                if kept { lit } else { !lit }
            }
            Op::Forall(_) => return Err(Failure::Unable("a quantifier".to_owned())),
            Op::Between(_) => return Err(Failure::Unable("reachability".to_owned())),
            Op::Var(_) | Op::Num(_) | Op::Lin(_) | Op::Not => {
                return Err(Failure::Unable("a term where a formula is expected".to_owned()));
            }
        };
        self.named.insert((formula, group), lit);
        Ok(if negated { !lit } else { lit })
    }

    /// The atom of a formula without conditionals.
    pub(super) fn atom(&mut self, terms: &mut Terms, formula: TermId) -> Result<Lit, Failure> {
        if let Some(&var) = self.by_term.get(&formula) {
            return Ok(Lit::new(var, true));
        }
        let range = self.vocabulary.range(terms, formula);
        let children = terms.children(formula).to_vec();
        let atom = match terms.op(formula) {
            Op::Eq => Atom::Equal(children[0], children[1]),
            Op::Le(_) => Atom::AtMost,
            Op::App(_) => Atom::Holds,
            _ => return Err(Failure::Unable("an atom of another theory".to_owned())),
        };
        let var = self.atoms.len();
        self.atoms.push(AtomEntry { atom, term: formula, range });
        self.by_term.insert(formula, var);
        let lit = Lit::new(var, true);
        if let Atom::Equal(a, b) = atom
            && terms.sort(a) == SortId::INT
        {
            let (below, above) = (terms.le(a, b)?, terms.le(b, a)?);
            let mut bounds = Vec::new();
            for bound in [below, above] {
                let (bound, positive) = terms.strip_not(bound);
                let constant = matches!(terms.op(bound), Op::True | Op::False);
                if constant {
                    return Err(Failure::Unable("an equality of numbers".to_owned()));
                }
                let l = self.atom(terms, bound)?;
                bounds.push(if positive { l } else { !l });
            }
            // The clauses say something about the symbols of the equality only: any group that has them will do.
            let group = range.first;
            self.clauses.push((vec![!lit, bounds[0]], group));
            self.clauses.push((vec![!lit, bounds[1]], group));
            self.clauses.push((vec![lit, !bounds[0], !bounds[1]], group));
        }
        Ok(lit)
    }

    /// The term with a constant of the group for each conditional.
    fn without_conditionals(
        &mut self,
        terms: &mut Terms,
        term: TermId,
        group: usize,
    ) -> Result<TermId, Failure> {
        if let Some(&done) = self.replaced.get(&(term, group)) {
            return Ok(done);
        }
        let children = terms.children(term).to_vec();
        let done = if let Op::Ite = terms.op(term) {
            let constant = terms.fresh_const("if", terms.sort(term));
            if let Op::App(symbol) = terms.op(constant) {
                self.vocabulary.add(symbol, group);
            }
            let condition = self.literal(terms, children[0], group)?;
            for (child, way) in [(children[1], !condition), (children[2], condition)] {
                let child = self.without_conditionals(terms, child, group)?;
                let equal = terms.eq(constant, child)?;
                let equal = self.literal(terms, equal, group)?;
                self.clauses.push((vec![way, equal], group));
            }
            constant
        } else {
            let mut new = Vec::with_capacity(children.len());
            for &child in &children {
                if terms.sort(child) == SortId::BOOL {
                    return Err(Failure::Unable("a formula inside a term".to_owned()));
                }
                new.push(self.without_conditionals(terms, child, group)?);
            }
            if new == children { term } else { rebuilt(terms, term, &new)? }
        };
        self.replaced.insert((term, group), done);
        Ok(done)
    }
}

/// The term with other children.
pub(super) fn rebuilt(terms: &mut Terms, term: TermId, children: &[TermId]) -> Result<TermId, Failure> {
    Ok(match terms.op(term) {
        Op::App(f) => terms.app(f, children)?,
        Op::Eq => terms.eq(children[0], children[1])?,
        Op::Le(bound) => {
            let bound = terms.number(bound).clone();
            let bound = terms.int(bound);
            terms.le(children[0], bound)?
        }
        Op::Lin(form) => {
            let form = terms.form(form).clone();
            let mut summands = vec![terms.int(form.constant)];
            for ((_, coefficient), &child) in form.terms.iter().zip(children) {
                let factor = terms.int(coefficient.clone());
                summands.push(terms.mul(factor, child)?);
            }
            terms.add(&summands)?
        }
        _ => return Err(Failure::Unable("a term of another theory".to_owned())),
    })
}
