//! Matching patterns against the classes of equal terms: where a quantifier without guards gets instances.
//!
//! A *pattern* is a list of applications that together mention every variable of the quantifier. It comes
//! from `:pattern` or, if there is none, from the body: the smallest applications that mention all variables,
//! else a few that do so together. Each way in which terms of the context match a pattern, up to equality,
//! is an instance to be made. This finds refutations outside the complete fragments, above all of formulas
//! that quantify over integers; it never answers `sat`, and [`solver.pattern_rounds`] and [`options::SOLVER_PATTERN_INSTANCES.size()`] end it.
//!
//! Missing on purpose: matching modulo arithmetic. A pattern that contains `x + 1` matches nothing.

use crate::engine::kernel::Kernel;
use crate::engine::theory::Theory;
use crate::engine::theory::egraph::Node;
use crate::logic::{Op, TermId, Terms, VarId};
use crate::util::hash::Set;
use crate::util::limits::{Budget, Stop};
use crate::util::options;

/// How a quantifier is matched: alternatives, each a list of applications.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patterns {
    alternatives: Vec<Vec<TermId>>,
}

impl Patterns {
    /// The patterns of a quantifier, written or inferred.
    pub(crate) fn new(terms: &Terms, forall: TermId) -> Patterns {
        let Op::Forall(id) = terms.op(forall) else { unreachable!("quantifiers only") };
        let quantifier = terms.quantifier(id);
        let variables = &quantifier.variables;
        let written = quantifier.patterns.iter().filter(|p| is_pattern(terms, variables, p));
        let mut alternatives: Vec<Vec<TermId>> = written.cloned().collect();
        if alternatives.is_empty() {
            alternatives = inferred(terms, variables, terms.children(forall)[0]);
        }
        Patterns { alternatives }
    }

    /// Tuples of nodes for the variables, one for each way to match that `wanted` accepts.
    pub(crate) fn matches(
        &self,
        terms: &Terms,
        theory: &Theory,
        variables: &[VarId],
        wanted: &dyn Fn(&[Node]) -> bool,
        budget: &mut Budget,
    ) -> Result<Vec<Vec<Node>>, Stop> {
        let mut matching = Matching { terms, theory, variables, wanted, budget, found: Vec::new() };
        for alternative in &self.alternatives {
            matching.first(alternative, &vec![None; variables.len()])?;
        }
        Ok(matching.found)
    }
}

impl Kernel {
    /// Adds instances at which patterns match; whether there were any.
    pub(crate) fn match_patterns(&mut self, terms: &mut Terms, budget: &mut Budget) -> Result<bool, Stop> {
        if self.match_rounds >= options::SOLVER_PATTERN_ROUNDS.count() {
            return Ok(false);
        }
        let mut any = false;
        for at in 0..self.relevancy.quantifiers.len() {
            let forall = self.relevancy.quantifiers[at];
            for values in self.quantifiers.matched(terms, &self.theory, forall, budget)? {
                any |= self.add_instance(terms, forall, &values);
            }
        }
        self.match_rounds += u32::from(any);
        Ok(any)
    }
}

type Binding = Vec<Option<Node>>;

struct Matching<'a> {
    terms: &'a Terms,
    theory: &'a Theory,
    variables: &'a [VarId],
    wanted: &'a dyn Fn(&[Node]) -> bool,
    budget: &'a mut Budget,
    found: Vec<Vec<Node>>,
}

impl Matching<'_> {
    /// Matches the first application of the list with any term, then the others. Recursion is as deep as the
    /// pattern is large.
    fn first(&mut self, rest: &[TermId], binding: &Binding) -> Result<(), Stop> {
        let Some((&pattern, rest)) = rest.split_first() else {
            self.note(binding);
            return Ok(());
        };
        for node in 0..self.theory.egraph.len() {
            if self.found.len() >= options::SOLVER_PATTERN_INSTANCES_PER_ROUND.size() {
                return Ok(());
            }
            if self.terms.op(self.theory.egraph.term(node)) == self.terms.op(pattern) {
                let open = self.arguments(pattern, node);
                self.extend(open, rest, binding)?;
            }
        }
        Ok(())
    }

    fn arguments(&self, pattern: TermId, node: Node) -> Vec<(TermId, Node)> {
        self.terms
            .children(pattern)
            .iter()
            .copied()
            .zip(self.theory.egraph.args(node).iter().copied())
            .collect()
    }

    /// Matches pairs of subpatterns and nodes, then the rest of the list.
    fn extend(
        &mut self,
        mut open: Vec<(TermId, Node)>,
        rest: &[TermId],
        binding: &Binding,
    ) -> Result<(), Stop> {
        self.budget.spend(1)?;
        let egraph = &self.theory.egraph;
        let mut binding = binding.clone();
        while let Some((pattern, node)) = open.pop() {
            if self.terms.is_closed(pattern) {
                if !egraph.node(pattern).is_some_and(|known| egraph.equal(known, node)) {
                    return Ok(());
                }
                continue;
            }
            match self.terms.op(pattern) {
                Op::Var(var) => {
                    let at = self.variables.iter().position(|&v| v == var);
                    let at = at.expect("patterns mention variables of their quantifier only");
                    match binding[at] {
                        Some(bound) if !egraph.equal(bound, node) => return Ok(()),
                        Some(_) => {}
                        None => binding[at] = Some(egraph.root(node)),
                    }
                }
                op => {
                    let same = |&member: &Node| self.terms.op(egraph.term(member)) == op;
                    let members: Vec<Node> = egraph.class(node).filter(same).collect();
                    for member in members {
                        let mut open = open.clone();
                        open.extend(self.arguments(pattern, member));
                        self.extend(open, rest, &binding)?;
                    }
                    return Ok(());
                }
            }
        }
        self.first(rest, &binding)
    }

    fn note(&mut self, binding: &Binding) {
        let tuple: Option<Vec<Node>> = binding.iter().copied().collect();
        let tuple = tuple.expect("a pattern mentions every variable");
        if self.found.len() < options::SOLVER_PATTERN_INSTANCES_PER_ROUND.size()
            && !self.found.contains(&tuple)
            && (self.wanted)(&tuple)
        {
            self.found.push(tuple);
        }
    }
}

/// Whether a list of terms can be matched and mentions every variable.
fn is_pattern(terms: &Terms, variables: &[VarId], list: &[TermId]) -> bool {
    let covers = |var: &VarId| list.iter().any(|&t| terms.free_variables(t).contains(var));
    list.iter().all(|&t| is_application(terms, variables, t)) && variables.iter().all(covers)
}

/// Whether a term is an application of functions to nothing but the variables, closed terms and other such
/// applications.
fn is_application(terms: &Terms, variables: &[VarId], root: TermId) -> bool {
    let mut open = vec![root];
    let mut size = 0;
    while let Some(term) = open.pop() {
        size += 1;
        let fits = match terms.op(term) {
            Op::Var(var) => term != root && variables.contains(&var),
            Op::App(_) => {
                open.extend(terms.children(term));
                true
            }
            _ => terms.is_closed(term),
        };
        if !fits || size > options::SOLVER_PATTERN_LARGEST.size() {
            return false;
        }
    }
    !terms.is_closed(root) && matches!(terms.op(root), Op::App(_))
}

/// Patterns from the body of a quantifier.
fn inferred(terms: &Terms, variables: &[VarId], body: TermId) -> Vec<Vec<TermId>> {
    let mut applications: Vec<TermId> = Vec::new();
    let mut seen: Set<TermId> = Set::default();
    let mut open = vec![body];
    while let Some(term) = open.pop() {
        if terms.is_closed(term) || !seen.insert(term) {
            continue;
        }
        open.extend(terms.children(term));
        if is_application(terms, variables, term) {
            applications.push(term);
        }
    }
    // Subterms are older than what contains them, so the smallest applications come first.
    applications.sort_unstable();
    let all = |term: &TermId| terms.free_variables(*term).len() == variables.len();
    let mut single: Vec<Vec<TermId>> = Vec::new();
    for &term in applications.iter().filter(|&t| all(t)) {
        let covered = |known: &Vec<TermId>| contains(terms, term, known[0]);
        if !single.iter().any(covered) && single.len() < options::SOLVER_PATTERN_ALTERNATIVES.size() {
            single.push(vec![term]);
        }
    }
    if !single.is_empty() {
        return single;
    }
    let mut covered: Set<VarId> = Set::default();
    let mut several = Vec::new();
    for &term in &applications {
        let free = terms.free_variables(term);
        if free.iter().any(|var| !covered.contains(var)) {
            covered.extend(free.iter().copied());
            several.push(term);
        }
    }
    if covered.len() == variables.len() { vec![several] } else { Vec::new() }
}

fn contains(terms: &Terms, root: TermId, part: TermId) -> bool {
    let mut open = vec![root];
    while let Some(term) = open.pop() {
        if term == part {
            return true;
        }
        open.extend(terms.children(term));
    }
    false
}
