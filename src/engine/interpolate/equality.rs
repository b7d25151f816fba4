//! Equality and uninterpreted functions: congruence closure with proofs, and interpolants from them.
//!
//! A proof is a path of equalities from one term to another; a step is a literal or a congruence, which has a
//! path per argument. At a cut each step belongs to the suffix if it can be said there, else to the prefix; a
//! congruence between a term of either side is split at terms that both sides have. Then, after Fuchs, Goel,
//! Grundy, Krstić and Tinelli ("Ground interpolation for the theory of equality"): the interpolant says of
//! each stretch of the prefix that its ends are equal, provided that the stretches of the suffix which it uses
//! inside congruences are.

use super::Failure;
use super::clauses::{Atom, Lit, Problem, rebuilt};
use crate::logic::{Op, SortId, TermId, Terms};
use crate::util::hash::Map;
use crate::util::num::Int;

/// Why two terms that must differ are equal.
#[derive(Clone, Debug)]
pub(super) struct EqualityProof {
    /// The literal that says they differ; `None` for two values.
    differ: Option<Lit>,
    path: Vec<Step>,
}

#[derive(Clone, Debug)]
struct Step {
    from: TermId,
    to: TermId,
    why: Why,
}

#[derive(Clone, Debug)]
enum Why {
    Literal(Lit),
    Congruence(Vec<Vec<Step>>),
}

impl EqualityProof {
    /// The lemma: one of the literals is false.
    pub(super) fn clause(&self) -> Vec<Lit> {
        fn collect(path: &[Step], out: &mut Vec<Lit>) {
            for step in path {
                match &step.why {
                    Why::Literal(lit) => out.push(!*lit),
                    Why::Congruence(parts) => parts.iter().for_each(|p| collect(p, out)),
                }
            }
        }
        let mut out: Vec<Lit> = self.differ.map(|l| !l).into_iter().collect();
        collect(&self.path, &mut out);
        out.sort_unstable();
        out.dedup();
        out
    }
}

/// The closure of a set of equalities, as a forest whose edges are the equalities.
struct Closure {
    nodes: Vec<TermId>,
    index: Map<TermId, usize>,
    class: Vec<usize>,
    edge: Vec<Option<(usize, Option<Lit>)>>,
}

impl Closure {
    fn of(terms: &Terms, problem: &Problem, literals: &[Lit]) -> Closure {
        let mut closure =
            Closure { nodes: Vec::new(), index: Map::default(), class: Vec::new(), edge: Vec::new() };
        let mut equal = Vec::new();
        for &lit in literals {
            let entry = &problem.atoms[lit.var()];
            match entry.atom {
                Atom::Equal(a, b) => {
                    let (a, b) = (closure.add(terms, a), closure.add(terms, b));
                    if lit.is_positive() {
                        equal.push((a, b, lit));
                    }
                }
                Atom::Holds => {
                    let value = if lit.is_positive() { Terms::TRUE } else { Terms::FALSE };
                    let (a, b) = (closure.add(terms, entry.term), closure.add(terms, value));
                    equal.push((a, b, lit));
                }
                // Terms below an inequality may be arguments of functions.
                Atom::AtMost => {
                    closure.add(terms, terms.children(entry.term)[0]);
                }
                Atom::Name => {}
            }
        }
        for (a, b, lit) in equal {
            closure.merge(a, b, Some(lit));
        }
        closure.saturate(terms);
        closure
    }

    fn add(&mut self, terms: &Terms, term: TermId) -> usize {
        if let Some(&i) = self.index.get(&term) {
            return i;
        }
        terms.children(term).iter().for_each(|&c| {
            self.add(terms, c);
        });
        let i = self.nodes.len();
        self.nodes.push(term);
        self.index.insert(term, i);
        self.class.push(i);
        self.edge.push(None);
        i
    }

    fn merge(&mut self, a: usize, b: usize, why: Option<Lit>) {
        let (old, new) = (self.class[a], self.class[b]);
        if old == new {
            return;
        }
        // Turn the edges between a and the root of its tree around.
        let (mut at, mut next) = (a, Some((b, why)));
        while let Some(edge) = next {
            let before = self.edge[at].replace(edge);
            next = before.map(|(_, why)| (at, why));
            match before {
                Some((parent, _)) => at = parent,
                None => break,
            }
        }
        self.class.iter_mut().filter(|c| **c == old).for_each(|c| *c = new);
    }

    fn saturate(&mut self, terms: &Terms) {
        loop {
            let mut seen: Map<(Op, Vec<usize>), usize> = Map::default();
            let mut changed = false;
            for i in 0..self.nodes.len() {
                let children = terms.children(self.nodes[i]);
                if children.is_empty() {
                    continue;
                }
                let key = children.iter().map(|c| self.class[self.index[c]]).collect();
                let first = *seen.entry((terms.op(self.nodes[i]), key)).or_insert(i);
                if self.class[first] != self.class[i] {
                    self.merge(first, i, None);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn are_equal(&self, a: TermId, b: TermId) -> bool {
        a == b
            || match (self.index.get(&a), self.index.get(&b)) {
                (Some(&a), Some(&b)) => self.class[a] == self.class[b],
                _ => false,
            }
    }

    /// The path between two equal terms.
    fn explain(&self, terms: &Terms, a: usize, b: usize) -> Vec<Step> {
        let up = |mut at: usize| {
            let mut nodes = vec![at];
            while let Some((parent, _)) = self.edge[at] {
                nodes.push(parent);
                at = parent;
            }
            nodes
        };
        let (left, right) = (up(a), up(b));
        let meet = left.iter().copied().find(|n| right.contains(n)).unwrap_or(a);
        let mut path = Vec::new();
        for &n in left.iter().take_while(|n| **n != meet) {
            path.extend(self.edge[n].map(|(to, why)| self.step(terms, n, to, why)));
        }
        let back: Vec<usize> = right.iter().copied().take_while(|n| *n != meet).collect();
        for &n in back.iter().rev() {
            path.extend(self.edge[n].map(|(to, why)| self.step(terms, to, n, why)));
        }
        path
    }

    fn step(&self, terms: &Terms, from: usize, to: usize, why: Option<Lit>) -> Step {
        let (from, to) = (self.nodes[from], self.nodes[to]);
        let why = match why {
            Some(lit) => Why::Literal(lit),
            None => {
                let pairs = terms.children(from).iter().zip(terms.children(to));
                Why::Congruence(
                    pairs.map(|(a, b)| self.explain(terms, self.index[a], self.index[b])).collect(),
                )
            }
        };
        Step { from, to, why }
    }
}

fn is_value(terms: &Terms, term: TermId) -> bool {
    matches!(terms.op(term), Op::Num(_) | Op::True | Op::False)
}

/// A proof that the literals contradict each other in the theory of equality.
pub(super) fn refute(terms: &Terms, problem: &Problem, literals: &[Lit]) -> Option<EqualityProof> {
    let closure = Closure::of(terms, problem, literals);
    let mut shortest: Option<EqualityProof> = None;
    let mut consider = |proof: EqualityProof| {
        if shortest.as_ref().is_none_or(|s| proof.clause().len() < s.clause().len()) {
            shortest = Some(proof);
        }
    };
    for &lit in literals.iter().filter(|l| !l.is_positive()) {
        if let Atom::Equal(a, b) = problem.atoms[lit.var()].atom
            && closure.are_equal(a, b)
        {
            let path = closure.explain(terms, closure.index[&a], closure.index[&b]);
            consider(EqualityProof { differ: Some(lit), path });
        }
    }
    let mut values: Map<usize, usize> = Map::default();
    for (i, &term) in closure.nodes.iter().enumerate().filter(|(_, t)| is_value(terms, **t)) {
        match values.get(&closure.class[i]) {
            Some(&other) if closure.nodes[other] != term => {
                consider(EqualityProof { differ: None, path: closure.explain(terms, i, other) });
            }
            Some(_) => {}
            None => {
                values.insert(closure.class[i], i);
            }
        }
    }
    shortest
}

/// Whether the two theories agree about equalities of integers.
pub(super) enum Exchange {
    Agree,
    /// New atoms are to be decided.
    Ask,
    /// They would have to be asked about an equality that has no side at some cut.
    Mixed,
}

/// Compares the classes with a solution of the inequalities.
pub(super) fn exchange(
    terms: &mut Terms,
    problem: &mut Problem,
    literals: &[Lit],
    values: &Map<TermId, Int>,
) -> Result<Exchange, Failure> {
    let closure = Closure::of(terms, problem, literals);
    let value = |t: TermId| -> Option<Int> {
        let form = terms.linear_form(t);
        let mut sum = form.constant.clone();
        for (unknown, factor) in &form.terms {
            sum += factor * values.get(unknown)?;
        }
        Some(sum)
    };
    let mut pairs: Vec<(TermId, TermId)> = Vec::new();
    let ints: Vec<TermId> = closure.nodes.iter().copied().filter(|t| terms.sort(*t) == SortId::INT).collect();
    for (i, &a) in ints.iter().enumerate() {
        for &b in &ints[..i] {
            if closure.are_equal(a, b)
                && let (Some(x), Some(y)) = (value(a), value(b))
                && x != y
            {
                pairs.push((a, b));
            }
        }
    }
    for (i, &s) in closure.nodes.iter().enumerate() {
        for &t in &closure.nodes[..i] {
            if terms.op(s) != terms.op(t) || !matches!(terms.op(s), Op::App(_)) || closure.are_equal(s, t) {
                continue;
            }
            for (&a, &b) in terms.children(s).iter().zip(terms.children(t)) {
                if terms.sort(a) != SortId::INT || closure.are_equal(a, b) {
                    continue;
                }
                let sums = [a, b].iter().any(|x| matches!(terms.op(*x), Op::Lin(_)));
                match (value(a), value(b)) {
                    (Some(x), Some(y)) if x == y => pairs.push((a, b)),
                    (None, _) | (_, None) if sums => pairs.push((a, b)),
                    _ => {}
                }
            }
        }
    }
    let before = problem.atoms.len();
    let mut mixed = false;
    for (a, b) in pairs {
        let equal = terms.eq(a, b)?;
        if matches!(terms.op(equal), Op::True | Op::False) {
            continue;
        }
        if problem.range(terms, equal).is_one_sided() {
            problem.atom(terms, equal)?;
        } else {
            mixed = true;
        }
    }
    Ok(if problem.atoms.len() > before {
        Exchange::Ask
    } else if mixed {
        Exchange::Mixed
    } else {
        Exchange::Agree
    })
}

/// A step with its side.
#[derive(Clone, Debug)]
struct Sided {
    from: TermId,
    to: TermId,
    suffix: bool,
    /// Of a congruence.
    parts: Vec<Vec<Sided>>,
}

struct Cut<'a> {
    terms: &'a mut Terms,
    problem: &'a Problem,
    cut: usize,
}

/// The interpolant of a lemma.
pub(super) fn interpolant(
    terms: &mut Terms,
    problem: &Problem,
    proof: &EqualityProof,
    cut: usize,
) -> Result<TermId, Failure> {
    let mut at = Cut { terms, problem, cut };
    let path = at.sides(&proof.path)?;
    let mut out = Vec::new();
    if proof.differ.is_none_or(|l| problem.in_suffix(l.var(), cut)) {
        at.suffix_view(&path, &mut out)?;
    } else {
        // The prefix says that they differ: some stretch of the suffix must fail.
        at.implication(&path, None, &mut out)?;
    }
    Ok(at.terms.and(&out)?)
}

impl Cut<'_> {
    fn in_suffix(&self, term: TermId) -> bool {
        self.problem.range(self.terms, term).in_suffix(self.cut)
    }

    fn in_prefix(&self, term: TermId) -> bool {
        self.problem.range(self.terms, term).in_prefix(self.cut)
    }

    fn sides(&mut self, path: &[Step]) -> Result<Vec<Sided>, Failure> {
        let mut out = Vec::new();
        for step in path {
            let (from, to) = (step.from, step.to);
            match &step.why {
                Why::Literal(lit) => {
                    let suffix = self.problem.in_suffix(lit.var(), self.cut);
                    out.push(Sided { from, to, suffix, parts: Vec::new() });
                }
                Why::Congruence(parts) => {
                    let mut sided = Vec::new();
                    for part in parts {
                        sided.push(self.sides(part)?);
                    }
                    if self.in_suffix(from) && self.in_suffix(to) {
                        out.push(Sided { from, to, suffix: true, parts: sided });
                    } else if self.in_prefix(from) && self.in_prefix(to) {
                        out.push(Sided { from, to, suffix: false, parts: sided });
                    } else {
                        self.split(from, to, sided, &mut out)?;
                    }
                }
            }
        }
        Ok(out)
    }

    /// A congruence from one side to the other, through a term that both have.
    fn split(
        &mut self,
        from: TermId,
        to: TermId,
        parts: Vec<Vec<Sided>>,
        out: &mut Vec<Sided>,
    ) -> Result<(), Failure> {
        let starts_in_suffix = self.in_suffix(from);
        let (ends, targets) = (self.terms.children(from).to_vec(), self.terms.children(to).to_vec());
        let (mut middle, mut before, mut after) = (Vec::new(), Vec::new(), Vec::new());
        for (i, part) in parts.into_iter().enumerate() {
            // Up to the first step of the other side.
            let n = part.iter().position(|s| s.suffix != starts_in_suffix).unwrap_or(part.len());
            middle.push(if n == 0 {
                ends[i]
            } else if n == part.len() {
                targets[i]
            } else {
                part[n].from
            });
            before.push(part[..n].to_vec());
            after.push(part[n..].to_vec());
        }
        let between = rebuilt(self.terms, from, &middle)?;
        out.push(Sided { from, to: between, suffix: starts_in_suffix, parts: before });
        out.push(Sided { from: between, to, suffix: !starts_in_suffix, parts: after });
        Ok(())
    }

    /// What the suffix needs of the prefix to have the path.
    fn suffix_view(&mut self, path: &[Sided], out: &mut Vec<TermId>) -> Result<(), Failure> {
        for run in path.chunk_by(|a, b| a.suffix == b.suffix) {
            if run[0].suffix {
                for part in run.iter().flat_map(|s| &s.parts) {
                    self.suffix_view(part, out)?;
                }
            } else {
                let (from, to) = (run[0].from, run[run.len() - 1].to);
                self.implication(run, Some((from, to)), out)?;
            }
        }
        Ok(())
    }

    /// What a stretch of the prefix says: its conclusion, if the stretches of the suffix inside it hold. The
    /// conclusion `None` is a contradiction.
    fn implication(
        &mut self,
        run: &[Sided],
        conclusion: Option<(TermId, TermId)>,
        out: &mut Vec<TermId>,
    ) -> Result<(), Failure> {
        let mut premises: Vec<Vec<Sided>> = Vec::new();
        premises_of(run, &mut premises);
        let mut clause = Vec::new();
        for premise in &premises {
            let (from, to) = (premise[0].from, premise[premise.len() - 1].to);
            let equal = self.equality(from, to)?;
            clause.push(self.terms.not(equal)?);
        }
        if let Some((from, to)) = conclusion {
            clause.push(self.equality(from, to)?);
        }
        out.push(self.terms.or(&clause)?);
        for premise in &premises {
            self.suffix_view(premise, out)?;
        }
        Ok(())
    }

    fn equality(&mut self, a: TermId, b: TermId) -> Result<TermId, Failure> {
        Ok(if self.terms.sort(a) == SortId::BOOL { self.terms.iff(a, b)? } else { self.terms.eq(a, b)? })
    }
}

/// The stretches of the suffix in a path, and those inside congruences of the prefix.
fn premises_of(path: &[Sided], out: &mut Vec<Vec<Sided>>) {
    for run in path.chunk_by(|a, b| a.suffix == b.suffix) {
        if run[0].suffix {
            out.push(run.to_vec());
        } else {
            run.iter().flat_map(|s| &s.parts).for_each(|p| premises_of(p, out));
        }
    }
}
