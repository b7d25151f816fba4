//! Definitions: top-level equations `k = t` whose constant k is free to follow t.
//!
//! An assertion `k = ite(c, a, b)` with a constant k that t does not mention, directly or through other
//! definitions, restricts nobody but k. Relevancy uses that: the equation matters only where k does, and in
//! a model k gets the value of t.

use crate::logic::{Op, TermId, Terms};
use crate::util::hash::{Map, Set};

/// The definitions among the assertions.
#[derive(Default)]
pub(crate) struct Definitions {
    meaning: Map<TermId, TermId>,
    /// The constant that an assertion defines.
    defined: Map<TermId, TermId>,
    /// Constants in the order of definition.
    order: Vec<TermId>,
    /// Subterms of all assertions so far.
    mentioned: Set<TermId>,
    sorted: Option<Vec<(TermId, TermId)>>,
}

impl Definitions {
    /// Reads an assertion. If it is a definition, the constant it defines.
    pub(crate) fn read(&mut self, terms: &Terms, assertion: TermId) -> Option<TermId> {
        let defined = self.definition(terms, assertion);
        if let Some((constant, meaning)) = defined {
            self.meaning.insert(constant, meaning);
            self.defined.insert(assertion, constant);
            self.order.push(constant);
            self.sorted = None;
        }
        let mut stack = vec![assertion];
        while let Some(term) = stack.pop() {
            if self.mentioned.insert(term) {
                stack.extend(terms.children(term));
            }
        }
        defined.map(|(constant, _)| constant)
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        ((self.mentioned.capacity() * 5) + self.order.capacity() * 40) as u64
    }

    /// The constant that an assertion defines, if it was read as a definition.
    pub(crate) fn defined(&self, assertion: TermId) -> Option<TermId> {
        self.defined.get(&assertion).copied()
    }

    fn definition(&self, terms: &Terms, assertion: TermId) -> Option<(TermId, TermId)> {
        if terms.op(assertion) != Op::Eq {
            return None;
        }
        let sides = terms.children(assertion);
        [(sides[0], sides[1]), (sides[1], sides[0])].into_iter().find(|&(constant, meaning)| {
            let is_constant = matches!(terms.op(constant), Op::App(_)) && terms.children(constant).is_empty();
            is_constant
                && terms.op(meaning) == Op::Ite
                && !self.meaning.contains_key(&constant)
                && !self.rests_on(terms, meaning, constant)
        })
    }

    /// Whether a term mentions a constant, also through definitions.
    fn rests_on(&self, terms: &Terms, term: TermId, constant: TermId) -> bool {
        // A constant nobody mentioned yet can only occur in the term itself.
        let through_definitions = self.mentioned.contains(&constant);
        let mut seen: Set<TermId> = Set::default();
        let mut stack = vec![term];
        while let Some(t) = stack.pop() {
            if t == constant {
                return true;
            }
            if seen.insert(t) {
                stack.extend(terms.children(t));
                if through_definitions && let Some(&meaning) = self.meaning.get(&t) {
                    stack.push(meaning);
                }
            }
        }
        false
    }

    /// All definitions as (constant, meaning), each after the ones it rests on.
    pub(crate) fn sorted(&mut self, terms: &Terms) -> &[(TermId, TermId)] {
        if self.sorted.is_none() {
            let mut done: Set<TermId> = Set::default();
            let mut sorted = Vec::new();
            let mut stack: Vec<(TermId, bool)> = self.order.iter().rev().map(|&c| (c, false)).collect();
            while let Some((term, children_done)) = stack.pop() {
                if children_done {
                    if let Some(&meaning) = self.meaning.get(&term) {
                        sorted.push((term, meaning));
                    }
                } else if done.insert(term) {
                    stack.push((term, true));
                    stack.extend(terms.children(term).iter().map(|&c| (c, false)));
                    if let Some(&meaning) = self.meaning.get(&term) {
                        stack.push((meaning, false));
                    }
                }
            }
            self.sorted = Some(sorted);
        }
        self.sorted.as_deref().expect("just computed")
    }
}
