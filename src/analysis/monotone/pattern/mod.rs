//! Bad patterns from formulas: signatures that cover all states in which a formula is false.
//!
//! The negation of a formula is read as instructions that add what it says to a signature: a term is located
//! by trying all places, a comparison keeps the places that fit, a path is threaded through the cells that
//! are there. Every state in which the formula is false is above one of the results. The converse may fail
//! where the formula speaks of what a signature does not show (fields of freed cells): such a result is not
//! *exact*. Bad patterns need the cover; what an entry condition excludes needs the exact ones.
//!
//! A formula must not look at cells that nobody reaches from the program's variables (`\forall` without a
//! guard, `\unshared`, `\pre`), because the engine leaves such cells out of the entry heap. What cannot be
//! expressed is an error with its reason, for the answer `unknown`.

mod broken;
mod guard;
mod paths;

use super::pre::{ANYWHERE, CELLS, Kinds, Rules, VarIx, edge, place};
use super::signature::{MAX_VARS, Node, Signature};
use crate::program::{At, Binder, BoundId, Cmp, FieldId, Formula, Set, Term, VarId};
use crate::util::options;
use guard::is_guarded;

/// The label that is used while a term is located; no variable of a program has it.
pub const SCRATCH: VarIx = MAX_VARS as VarIx - 1;

/// A pattern is given up when it has more cells, or a formula more patterns.
const MAX_PATTERN_CELLS: usize = 8;

/// How variables and fields of formulas are seen in signatures.
pub trait Vocabulary {
    /// The label of a variable's value at a moment.
    fn label(&self, var: VarId, at: At) -> Option<VarIx>;
    /// The colour of a link field.
    fn colour(&self, field: FieldId) -> Option<u8>;
    /// The rules by which signatures are completed.
    fn rules(&self) -> Rules;
}

/// A signature that covers a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The signature.
    pub signature: Signature,
    /// Every heap above it is of the case.
    pub exact: bool,
}

/// Patterns that cover all states in which the formula does not hold; the error says what is not expressible.
pub fn negation(vocabulary: &dyn Vocabulary, formula: &Formula) -> Result<Vec<Pattern>, String> {
    let compiler = Compiler { vocabulary, rules: vocabulary.rules(), lists: &[], every_cell: false };
    compiler.negation(formula)
}

/// Patterns that no heap contains in which the formula holds. The paths of these colours from these labels are
/// known to end in null: more is exact. Here a quantifier needs no guard: what is excluded of all cells is
/// excluded of those that the engine sees.
pub fn excluded_by(
    vocabulary: &dyn Vocabulary,
    formula: &Formula,
    lists: &[(VarIx, u8)],
) -> Result<Vec<Signature>, String> {
    let compiler = Compiler { vocabulary, rules: vocabulary.rules(), lists, every_cell: true };
    let all = compiler.negation(formula)?;
    Ok(all.into_iter().filter(|p| p.exact).map(|p| p.signature).collect())
}

impl Compiler<'_> {
    fn negation(&self, formula: &Formula) -> Result<Vec<Pattern>, String> {
        let start = Partial { sig: Signature::EMPTY, bound: Vec::new(), exact: true, crossed: false };
        let all = self.assume(formula, false, vec![start])?;
        let all = all.into_iter().map(|p| Pattern { signature: p.sig.canonical(), exact: p.exact });
        Ok(minimal(all.collect()))
    }
}

/// Without patterns that another one covers; an inexact one does not replace an exact one.
pub fn minimal(mut all: Vec<Pattern>) -> Vec<Pattern> {
    all.sort_by_key(|p| (p.signature.size(), p.signature, !p.exact));
    let mut kept: Vec<Pattern> = Vec::new();
    for pattern in all {
        let covered = |k: &Pattern| {
            (k.exact || !pattern.exact) && super::order::below(&k.signature, &pattern.signature)
        };
        if !kept.iter().any(covered) {
            kept.push(pattern);
        }
    }
    kept
}

#[derive(Clone)]
struct Partial {
    sig: Signature,
    bound: Vec<(BoundId, Node)>,
    exact: bool,
    /// A path crosses one of another colour and is followed beyond.
    crossed: bool,
}

impl Partial {
    fn with(&self, sig: Signature) -> Partial {
        Partial { sig, ..self.clone() }
    }

    fn inexact(&self) -> Partial {
        Partial { exact: false, ..self.clone() }
    }
}

type Cases = Result<Vec<Partial>, String>;

struct Compiler<'a> {
    vocabulary: &'a dyn Vocabulary,
    rules: Rules,
    lists: &'a [(VarIx, u8)],
    /// Quantifiers may range over cells that nothing need reach.
    every_cell: bool,
}

impl Compiler<'_> {
    /// The cases in which the formula has the given truth.
    fn assume(&self, formula: &Formula, truth: bool, cases: Vec<Partial>) -> Cases {
        if cases.len() > options::MONOTONE_PATTERNS.size()
            || cases.iter().any(|c| c.sig.len() > MAX_PATTERN_CELLS)
        {
            return Err("it has too many cases".to_owned());
        }
        if cases.is_empty() {
            return Ok(cases);
        }
        match (formula, truth) {
            (Formula::Const(value), _) => Ok(if *value == truth { cases } else { Vec::new() }),
            (Formula::Not(inner), _) => self.assume(inner, !truth, cases),
            (Formula::And(parts), true) | (Formula::Or(parts), false) => {
                parts.iter().try_fold(cases, |cases, part| self.assume(part, truth, cases))
            }
            (Formula::And(parts), false) | (Formula::Or(parts), true) => {
                let mut out = Vec::new();
                for part in parts {
                    out.extend(self.assume(part, truth, cases.clone())?);
                }
                Ok(out)
            }
            (Formula::Implies(a, b), false) => {
                let cases = self.assume(a, true, cases)?;
                self.assume(b, false, cases)
            }
            (Formula::Implies(a, b), true) => {
                let mut out = self.assume(a, false, cases.clone())?;
                out.extend(self.assume(b, true, cases)?);
                Ok(out)
            }
            (Formula::Iff(a, b), _) => {
                let both = self.assume(a, true, cases.clone())?;
                let mut out = self.assume(b, truth, both)?;
                let neither = self.assume(a, false, cases)?;
                out.extend(self.assume(b, !truth, neither)?);
                Ok(out)
            }
            (Formula::Exists(binder, body), true) | (Formula::Forall(binder, body), false) => {
                let outer: Vec<BoundId> =
                    cases.first().into_iter().flat_map(|c| &c.bound).map(|b| b.0).collect();
                if !self.every_cell && !is_guarded(binder.id, body, truth, &outer) {
                    return Err(format!("`{}` ranges over cells that nothing need reach", binder.name));
                }
                let cases = self.introduce(binder, cases)?;
                self.assume(body, truth, cases)
            }
            (Formula::Exists(binder, body), false) => match &**body {
                Formula::Dlseg(next, prev, At::Now, ends) if ends[3] == Term::Bound(binder.id) => {
                    self.each(cases, |c| self.broken_dlseg(*next, *prev, &ends[..3], None, c))
                }
                _ => Err("it has `\\exists` where all values would have to be tried".to_owned()),
            },
            _ => self.each(cases, |case| self.literal(formula, truth, case)),
        }
    }

    fn each(&self, cases: Vec<Partial>, f: impl Fn(Partial) -> Cases) -> Cases {
        let mut out = Vec::new();
        for case in cases {
            out.extend(f(case)?);
            if out.len() > options::MONOTONE_PATTERNS.size() {
                return Err("it has too many cases".to_owned());
            }
        }
        Ok(out)
    }

    fn introduce(&self, binder: &Binder, cases: Vec<Partial>) -> Cases {
        if binder.of.is_none() {
            return Err(format!("`{}` is an integer", binder.name));
        }
        self.each(cases, |case| {
            let placed = self.anywhere(&case, ANYWHERE)?;
            let bind = |(mut p, node): (Partial, Node)| {
                p.bound.push((binder.id, node));
                p
            };
            Ok(placed.into_iter().map(bind).collect())
        })
    }

    fn literal(&self, formula: &Formula, truth: bool, case: Partial) -> Cases {
        match formula {
            Formula::Compare(cmp @ (Cmp::Eq | Cmp::Ne), a, b) => {
                let equal = (*cmp == Cmp::Eq) == truth;
                self.pairs(&case, a, b, |p, a, b| Ok(compare(p, a, b, equal).into_iter().collect()))
            }
            Formula::Compare(..) => Err("it compares integers".to_owned()),
            Formula::Reach { field, at: At::Now, from, to, plus } => {
                let colour = self.colour(*field)?;
                self.pairs(&case, from, to, |p, from, to| self.path(p, colour, from, to, *plus, truth))
            }
            Formula::Valid(t, At::Now) => self.places(&case, t, |p, node| {
                Ok(match node {
                    Node::ABSENT => vec![p.inexact()],
                    node => {
                        if node.is_cell() == truth {
                            vec![p]
                        } else {
                            Vec::new()
                        }
                    }
                })
            }),
            Formula::Freed(t, At::Now) => self.places(&case, t, |p, node| {
                Ok(match node {
                    Node::ABSENT | Node::DANGLING => vec![p.inexact()],
                    _ => {
                        if truth {
                            Vec::new()
                        } else {
                            vec![p]
                        }
                    }
                })
            }),
            Formula::Stable(field, At::Now, t) => {
                let colour = self.colour(*field)?;
                self.places(&case, t, |p, node| self.unstable(p, colour, node, truth))
            }
            Formula::In(t, set) => self.places(&case, t, |p, node| self.member(p, node, set, truth)),
            Formula::Disjoint(sets) => self.shared(sets, truth, case),
            Formula::Dlseg(next, prev, At::Now, ends) => {
                if truth {
                    return Ok(vec![case.inexact()]);
                }
                self.broken_dlseg(*next, *prev, &ends[..3], Some(&ends[3]), case)
            }
            Formula::Tree(left, right, At::Now, t) => {
                if truth {
                    return Ok(vec![case.inexact()]);
                }
                self.broken_tree(*left, *right, t, case)
            }
            Formula::Inverse(field, back, At::Now, x, y) => {
                if truth {
                    return Ok(vec![case.inexact()]);
                }
                self.broken_inverse(*field, *back, x, y, case)
            }
            _ => Err("this predicate, or an earlier moment of the heap, is not in its language".to_owned()),
        }
    }

    fn colour(&self, field: FieldId) -> Result<usize, String> {
        let colour = self.vocabulary.colour(field).map(usize::from);
        colour.ok_or_else(|| "it speaks of a field that is no link field of the program".to_owned())
    }

    /// All places of a fresh node.
    fn anywhere(&self, case: &Partial, kinds: Kinds) -> Result<Vec<(Partial, Node)>, String> {
        if case.sig.len() >= MAX_PATTERN_CELLS {
            return Err("it needs too many cells".to_owned());
        }
        let mut placed = Vec::new();
        place(&case.sig, SCRATCH, kinds, &mut placed);
        let taken = |mut sig: Signature| {
            let node = std::mem::replace(&mut sig.labels[SCRATCH as usize], Node::ABSENT);
            (case.with(sig), node)
        };
        Ok(placed.into_iter().map(taken).collect())
    }

    /// The places of a term; [`Node::ABSENT`] is a value that nothing is known of.
    fn locate(&self, case: &Partial, term: &Term) -> Result<Vec<(Partial, Node)>, String> {
        match term {
            Term::Null(_) => Ok(vec![(case.clone(), Node::NULL)]),
            Term::Bound(id) => {
                let known = case.bound.iter().find(|(b, _)| b == id);
                let (_, node) = known.ok_or("a variable is not bound")?;
                Ok(vec![(case.clone(), *node)])
            }
            Term::Var(v, at) => {
                let label =
                    self.vocabulary.label(*v, *at).ok_or("it speaks of a variable that is no pointer")?;
                let mut placed = Vec::new();
                if case.sig.len() >= MAX_PATTERN_CELLS {
                    return Err("it needs too many cells".to_owned());
                }
                place(&case.sig, label, ANYWHERE, &mut placed);
                Ok(placed.into_iter().map(|s| (case.with(s), s.labels[label as usize])).collect())
            }
            Term::Field(field, At::Now, inner) => {
                let colour = self.colour(*field)?;
                let mut out = Vec::new();
                for (p, node) in self.locate(case, inner)? {
                    match node {
                        Node::NULL => out.push((p, Node::NULL)),
                        Node::ABSENT | Node::DANGLING => out.push((p.inexact(), Node::ABSENT)),
                        cell => out.extend(self.successor(&p, cell, colour)?),
                    }
                }
                Ok(out)
            }
            _ => Err("it has a term that is no pointer, or of an earlier heap".to_owned()),
        }
    }

    fn places(&self, case: &Partial, t: &Term, f: impl Fn(Partial, Node) -> Cases) -> Cases {
        let mut out = Vec::new();
        for (p, node) in self.locate(case, t)? {
            out.extend(f(p, node)?);
        }
        Ok(out)
    }

    fn pairs(&self, case: &Partial, a: &Term, b: &Term, f: impl Fn(Partial, Node, Node) -> Cases) -> Cases {
        self.places(case, a, |p, at_a| self.places(&p, b, |p, at_b| f(p, at_a, at_b)))
    }

    /// The target of exactly one step.
    fn successor(&self, case: &Partial, m: Node, colour: usize) -> Result<Vec<(Partial, Node)>, String> {
        let cell = &case.sig.cells[m.index()];
        if cell.is_direct(colour) {
            return Ok(vec![(case.clone(), cell.coloured[colour])]);
        }
        let mut out = Vec::new();
        for (p, node) in self.anywhere(case, ANYWHERE)? {
            out.extend(edge(&p.sig, m, colour, node, &self.rules, true).map(|s| (p.with(s), node)));
        }
        Ok(out)
    }

    /// Whether a node is in a set. That the end of `\cells` is reached is not demanded of a member.
    fn member(&self, p: Partial, node: Node, set: &Set, truth: bool) -> Cases {
        if node == Node::NULL {
            return Ok(if truth { Vec::new() } else { vec![p] });
        }
        match set {
            Set::Of(terms) => {
                let mut cases = vec![p];
                let mut out = Vec::new();
                for term in terms {
                    let mut rest = Vec::new();
                    for case in cases {
                        for (q, at) in self.locate(&case, term)? {
                            out.extend(compare(q.clone(), node, at, true).filter(|_| truth));
                            rest.extend(compare(q, node, at, false));
                        }
                    }
                    cases = rest;
                }
                Ok(if truth { out } else { cases })
            }
            Set::Cells(field, At::Now, from, to) => {
                let colour = self.colour(*field)?;
                let label = match &**from {
                    Term::Var(v, at) => self.vocabulary.label(*v, *at),
                    _ => None,
                };
                let is_list = |l: VarIx| self.lists.contains(&(l, colour as u8));
                let ends = matches!(**to, Term::Null(_)) && label.is_some_and(is_list);
                self.pairs(&p, from, to, |p, from, to| {
                    if !node.is_known() {
                        return Ok(vec![p.inexact()]);
                    }
                    if !truth {
                        return Ok(self.missed(p, colour, from, to, node));
                    }
                    if node == Node::DANGLING && from.is_cell() {
                        // The way to it leads over the first cell that is not allocated.
                        let mut out = Vec::new();
                        self.reach(&p, from, node, colour, 0, &[], &mut out);
                        return Ok(out.iter().map(Partial::inexact).collect());
                    }
                    if node == to || !from.is_cell() {
                        let unclear = from == Node::DANGLING || !from.is_known();
                        return Ok(if unclear { vec![p.inexact()] } else { Vec::new() });
                    }
                    // The end need be reached too.
                    let p = if ends { p } else { p.inexact() };
                    if node == from {
                        return Ok(vec![p]);
                    }
                    let mut out = Vec::new();
                    let avoid: &[Node] = if to.is_cell() { &[to] } else { &[] };
                    self.reach(&p, from, node, colour, 0, avoid, &mut out);
                    Ok(out)
                })
            }
            Set::Union(parts) if truth => {
                let mut out = Vec::new();
                for part in parts {
                    out.extend(self.member(p.clone(), node, part, true)?);
                }
                Ok(out)
            }
            Set::Inter(parts) if truth => parts
                .iter()
                .try_fold(vec![p], |cases, part| self.each(cases, |c| self.member(c, node, part, true))),
            _ => Err("it has a set that is not in its language".to_owned()),
        }
    }

    /// The node is not among the cells of a colour from one node to another: the path misses it, or the path
    /// does not get to its end (then there are no such cells).
    fn missed(&self, p: Partial, colour: usize, from: Node, to: Node, node: Node) -> Vec<Partial> {
        if !node.is_cell() || to != Node::NULL || !from.is_cell() {
            return vec![if from == Node::NULL { p } else { p.inexact() }];
        }
        let mut out = Vec::new();
        let mut met = Vec::new();
        if node == from {
            met.push(p);
        } else {
            self.miss(&p, from, node, colour, 0, &mut out);
            self.reach(&p, from, node, colour, 0, &[], &mut met);
        }
        // That the path does not end behind the node is not shown.
        out.extend(met.iter().map(Partial::inexact));
        out
    }

    /// A cell in two of the sets.
    fn shared(&self, sets: &[Set], truth: bool, case: Partial) -> Cases {
        if truth {
            return Ok(vec![case.inexact()]);
        }
        let mut out = Vec::new();
        for (i, a) in sets.iter().enumerate() {
            for b in &sets[..i] {
                for (p, node) in self.anywhere(&case, CELLS)? {
                    let in_a = self.member(p, node, a, true)?;
                    out.extend(self.each(in_a, |p| self.member(p, node, b, true))?);
                }
            }
        }
        Ok(out)
    }
}

/// The case, if the nodes can be equal or different as asked.
fn compare(p: Partial, a: Node, b: Node, equal: bool) -> Option<Partial> {
    if !a.is_known() || !b.is_known() || (a == b && a == Node::DANGLING) {
        return Some(p.inexact());
    }
    ((a == b) == equal).then_some(p)
}
