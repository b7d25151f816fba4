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

use super::pre::{ANYWHERE, CELLS, Kinds, Rules, VarIx, edge, place};
use super::signature::{MAX_VARS, Node, Signature};
use crate::program::{At, Binder, BoundId, Cmp, FieldId, Formula, Set, Term, VarId};

/// The label that is used while a term is located; no variable of a program has it.
pub const SCRATCH: VarIx = MAX_VARS as VarIx - 1;

/// A pattern is given up when it has more cells, or a formula more patterns.
const MAX_PATTERN_CELLS: usize = 8;
const MAX_PATTERNS: usize = 4000;

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
    let start = Partial { sig: Signature::EMPTY, bound: Vec::new(), exact: true };
    let compiler = Compiler { vocabulary, rules: vocabulary.rules() };
    let all = compiler.assume(formula, false, vec![start])?;
    let all = all.into_iter().map(|p| Pattern { signature: p.sig.canonical(), exact: p.exact });
    Ok(minimal(all.collect()))
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
}

impl Compiler<'_> {
    /// The cases in which the formula has the given truth.
    fn assume(&self, formula: &Formula, truth: bool, cases: Vec<Partial>) -> Cases {
        if cases.len() > MAX_PATTERNS || cases.iter().any(|c| c.sig.len() > MAX_PATTERN_CELLS) {
            return Err("it has too many cases".to_owned());
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
                if !is_guarded(binder.id, body, truth) {
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

    /// Whether a path of one colour leads from one node to another.
    fn path(&self, p: Partial, colour: usize, from: Node, to: Node, plus: bool, truth: bool) -> Cases {
        if !from.is_known() || !to.is_known() || from == Node::DANGLING {
            return Ok(vec![p.inexact()]);
        }
        if !plus && from == to {
            return Ok(if truth { vec![p] } else { Vec::new() });
        }
        if from == Node::NULL {
            return Ok(if truth { Vec::new() } else { vec![p] });
        }
        let mut out = Vec::new();
        if truth {
            self.reach(&p, from, to, colour, 0, &[], &mut out);
        } else if to == Node::DANGLING {
            out.push(p.inexact());
        } else {
            self.miss(&p, from, to, colour, 0, &mut out);
        }
        Ok(out)
    }

    /// Threads a path of one or more steps from a cell to a node through cells not yet visited.
    #[expect(clippy::too_many_arguments, reason = "the state of one recursion")]
    fn reach(
        &self,
        p: &Partial,
        m: Node,
        to: Node,
        colour: usize,
        visited: u16,
        avoid: &[Node],
        out: &mut Vec<Partial>,
    ) {
        let visited = visited | 1 << m.0;
        for (p, next) in self.continuations(p, m, colour, &[to, Node::DANGLING]) {
            if next == to {
                out.push(p);
            } else if next == Node::DANGLING {
                // Beyond it fields of cells that are not allocated are followed.
                out.push(p.inexact());
            } else if next.is_cell() && visited & (1 << next.0) == 0 && !avoid.contains(&next) {
                self.reach(&p, next, to, colour, visited, avoid, out);
            }
        }
    }

    /// Threads the path from a cell so that it never meets a node.
    fn miss(&self, p: &Partial, m: Node, to: Node, colour: usize, visited: u16, out: &mut Vec<Partial>) {
        let visited = visited | 1 << m.0;
        for (p, next) in self.continuations(p, m, colour, &[Node::NULL, Node::DANGLING]) {
            if next == to {
                continue;
            } else if next == Node::DANGLING {
                out.push(p.inexact());
            } else if next == Node::NULL || visited & (1 << next.0) != 0 {
                out.push(p);
            } else {
                self.miss(&p, next, to, colour, visited, out);
            }
        }
        if !p.sig.cells[m.index()].coloured[colour].is_known() && p.sig.len() < MAX_PATTERN_CELLS {
            // A cycle among cells that are not shown.
            let mut sig = p.sig;
            let turn = sig.add_cell();
            sig.cells[turn.index()].set(colour, turn, false);
            out.extend(edge(&sig, m, colour, turn, &self.rules, false).map(|s| p.with(s)));
        }
    }

    /// The next shown node on the path of a colour: what the edge says, or one of the ends or any cell.
    fn continuations(&self, p: &Partial, m: Node, colour: usize, ends: &[Node]) -> Vec<(Partial, Node)> {
        let shown = p.sig.cells[m.index()].coloured[colour];
        if shown.is_known() {
            return vec![(p.clone(), shown)];
        }
        let ends = ends.iter().copied().filter(|e| !e.is_cell());
        let targets = p.sig.nodes().chain(ends);
        targets
            .filter_map(|t| edge(&p.sig, m, colour, t, &self.rules, false).map(|s| (p.with(s), t)))
            .collect()
    }

    fn unstable(&self, p: Partial, colour: usize, node: Node, truth: bool) -> Cases {
        if truth {
            return Ok(vec![p.inexact()]);
        }
        Ok(match node {
            Node::ABSENT => vec![p.inexact()],
            Node::DANGLING => vec![p],
            Node::NULL => Vec::new(),
            cell => {
                let mut out = Vec::new();
                self.reach(&p, cell, Node::DANGLING, colour, 0, &[], &mut out);
                out
            }
        })
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
                self.pairs(&p, from, to, |p, from, to| {
                    if node == Node::DANGLING || !node.is_known() || !truth {
                        return Ok(vec![p.inexact()]);
                    }
                    if node == to || !from.is_cell() {
                        return Ok(if from == Node::DANGLING { vec![p.inexact()] } else { Vec::new() });
                    }
                    // The end need be reached too.
                    let p = p.inexact();
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

    /// `ends` are x, px, y; without py any last cell will do.
    fn broken_dlseg(
        &self,
        next: FieldId,
        prev: FieldId,
        ends: &[Term],
        py: Option<&Term>,
        case: Partial,
    ) -> Cases {
        let (n, p) = (self.colour(next)?, self.colour(prev)?);
        let [x, px, y] = ends else { return Err("a segment has four ends".to_owned()) };
        let mut out = Vec::new();
        for (c, at_x) in self.locate(&case, x)? {
            for (c, at_y) in self.locate(&c, y)? {
                if at_x == at_y && at_x != Node::DANGLING && at_x.is_known() {
                    if let Some(py) = py {
                        out.extend(self.pairs(&c, px, py, |q, a, b| {
                            Ok(compare(q, a, b, false).into_iter().collect())
                        })?);
                    }
                    continue;
                }
                if !at_x.is_cell() {
                    // A segment from null to something else never ends; of a dangling start nothing is known.
                    out.push(if at_x == Node::NULL && at_y.is_cell() { c } else { c.inexact() });
                    continue;
                }
                out.extend(self.path(c.clone(), n, at_x, at_y, true, false)?);
                for (q, first) in self.successor(&c, at_x, p)? {
                    out.extend(
                        self.places(&q, px, |q, at| Ok(compare(q, first, at, false).into_iter().collect()))?,
                    );
                }
                out.extend(self.broken_link(&c, n, p, at_x, at_y, py)?);
            }
        }
        Ok(out)
    }

    /// A cell of the segment whose successor does not point back, or a last cell that is not the one given.
    fn broken_link(&self, case: &Partial, n: usize, p: usize, x: Node, y: Node, py: Option<&Term>) -> Cases {
        let mut out = Vec::new();
        for (c, z) in self.anywhere(case, CELLS)? {
            if z == y {
                continue;
            }
            let mut reached = Vec::new();
            if z == x {
                reached.push(c);
            } else {
                let avoid: &[Node] = if y.is_cell() { &[y] } else { &[] };
                self.reach(&c, x, z, n, 0, avoid, &mut reached);
            }
            for c in reached {
                for (c, w) in self.successor(&c, z, n)? {
                    if w == y {
                        if let Some(py) = py {
                            out.extend(self.places(&c, py, |q, at| {
                                Ok(compare(q, z, at, false).into_iter().collect())
                            })?);
                        }
                    } else if w.is_cell() {
                        for (c, back) in self.successor(&c, w, p)? {
                            out.extend(compare(c, back, z, false));
                        }
                    }
                }
            }
        }
        Ok(out)
    }

    /// Two cells on the way that one field connects and the other does not.
    fn broken_inverse(&self, field: FieldId, back: FieldId, x: &Term, y: &Term, case: Partial) -> Cases {
        let (f, b) = (self.colour(field)?, self.colour(back)?);
        self.pairs(&case, x, y, |c, x, _| {
            if !x.is_cell() {
                return Ok(if x == Node::NULL { Vec::new() } else { vec![c.inexact()] });
            }
            let mut out = Vec::new();
            // That the cells reach the end is not demanded.
            for (c, first) in self.anywhere(&c.inexact(), CELLS)? {
                for c in self.path(c, f, x, first, false, true)? {
                    for (c, second) in self.anywhere(&c, CELLS)? {
                        for c in self.path(c, f, x, second, false, true)? {
                            for there in [true, false] {
                                let one = self.path(c.clone(), f, first, second, false, there)?;
                                out.extend(
                                    self.each(one, |c| self.path(c, b, second, first, false, !there))?,
                                );
                            }
                        }
                    }
                }
            }
            Ok(out)
        })
    }

    /// From the root something dangling, a cycle, or a cell that two paths lead to (the first common ancestor
    /// of two paths, and the path to it).
    fn broken_tree(&self, left: FieldId, right: FieldId, t: &Term, case: Partial) -> Cases {
        let (l, r) = (self.colour(left)?, self.colour(right)?);
        if l == r || self.rules.colours != 2 {
            return Err("its struct has other link fields than those of the tree".to_owned());
        }
        self.places(&case, t, |c, root| {
            if !root.is_cell() {
                return Ok(if root == Node::NULL { Vec::new() } else { vec![c.inexact()] });
            }
            if c.sig.cells[root.index()].degree() > 0 {
                return Err("it says more about the cells of the tree".to_owned());
            }
            let mut out = Vec::new();
            let mut dangling = c.sig;
            dangling.cells[root.index()].add_loose(Node::DANGLING);
            out.push(c.with(dangling).inexact());
            let mut below = c.sig;
            let ancestor = below.add_cell();
            below.cells[root.index()].add_loose(ancestor);
            for (sig, top) in [(c.sig, root), (below, ancestor)] {
                let mut cycle = sig;
                cycle.cells[top.index()].add_loose(top);
                out.push(c.with(cycle));
                let mut shared = sig;
                let cell = shared.add_cell();
                shared.cells[top.index()].add_loose(cell);
                shared.cells[top.index()].add_loose(cell);
                out.push(c.with(shared));
            }
            Ok(out)
        })
    }
}

/// The case, if the nodes can be equal or different as asked.
fn compare(p: Partial, a: Node, b: Node, equal: bool) -> Option<Partial> {
    if !a.is_known() || !b.is_known() || (a == b && a == Node::DANGLING) {
        return Some(p.inexact());
    }
    ((a == b) == equal).then_some(p)
}

/// Whether a bound variable can only be null or a cell reached from a term without bound variables: in
/// `body` (of `\exists`), or in the guard of `body` (of `\forall`).
fn is_guarded(id: BoundId, body: &Formula, exists: bool) -> bool {
    match body {
        Formula::Implies(guard, rest) if !exists => {
            is_guarded(id, guard, true) || is_guarded(id, rest, false)
        }
        Formula::Or(parts) if !exists => parts.iter().any(|p| is_guarded(id, p, false)),
        Formula::Not(inner) if !exists => is_guarded(id, inner, true),
        Formula::And(parts) if exists => parts.iter().any(|p| is_guarded(id, p, true)),
        Formula::Forall(_, inner) if !exists => is_guarded(id, inner, false),
        Formula::Exists(_, inner) if exists => is_guarded(id, inner, true),
        Formula::In(Term::Bound(b), set) if exists => *b == id && is_anchored(set),
        Formula::Reach { from, to: Term::Bound(b), .. } if exists => *b == id && is_rooted(from),
        Formula::Compare(Cmp::Eq, Term::Bound(b), t) | Formula::Compare(Cmp::Eq, t, Term::Bound(b))
            if exists =>
        {
            *b == id && is_rooted(t)
        }
        _ => false,
    }
}

fn is_anchored(set: &Set) -> bool {
    match set {
        Set::Cells(_, _, from, _) => is_rooted(from),
        Set::Of(terms) => terms.iter().all(is_rooted),
        Set::Union(parts) => parts.iter().all(is_anchored),
        Set::Inter(parts) => parts.iter().any(is_anchored),
        Set::Pre(..) | Set::Diff(..) => false,
    }
}

/// A variable, null, or a field of such.
fn is_rooted(term: &Term) -> bool {
    match term {
        Term::Field(_, _, inner) => is_rooted(inner),
        Term::Var(..) | Term::Null(_) => true,
        _ => false,
    }
}
