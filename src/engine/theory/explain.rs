//! Explanations: the literals behind an equality, a fact or a conflict, and the rule instances used.
//!
//! An explanation is collected from the proof forest of the graph and the justifications of the
//! reachability entries. Entries are numbered in the order of their derivation, so sorting their numbers
//! gives an order in which a checker can replay them.
//!
//! NOTE: DESIGN.md suggests an arena (bumpalo) for scratch that dies with a query. Worklists and results live
//! in one [`Explanation`] that is cleared and used again, and all sets are stamps ([`Marks`]), so a query
//! allocates nothing here and an arena would save nothing. The grounder ([`crate::engine::ground`]) has one.

use crate::engine::theory::Theory;
use crate::engine::theory::egraph::{Marks, NONE, Node, Reason};
use crate::engine::theory::reach::{Conclusion, RuleInstance, Why};
use crate::proof::{Closing, Derivation, RuleStep};
use crate::rules::syntax::{Arg, Head, Pattern};
use crate::sat::Lit;

/// A contradiction among asserted literals.
#[derive(Clone, Debug)]
pub(crate) struct Conflict {
    /// Asserted literals that contradict each other, ascending.
    pub(crate) literals: Vec<Lit>,
    /// Why they do; its hypotheses are numbered as the literals are.
    pub(crate) derivation: Derivation,
}

/// Worklists and results of one explanation.
#[derive(Default)]
pub(crate) struct Explanation {
    pairs: Vec<(Node, Node)>,
    todo: Vec<u32>,
    path_marks: Marks,
    edge_marks: Marks,
    entry_marks: Marks,
    pub(crate) literals: Vec<Lit>,
    pub(crate) entries: Vec<u32>,
}

impl Explanation {
    pub(crate) fn equality(&mut self, left: Node, right: Node) {
        if left != right {
            self.pairs.push((left, right));
        }
    }

    pub(crate) fn entry(&mut self, entry: u32) {
        self.todo.push(entry);
    }

    pub(crate) fn literal(&mut self, literal: Lit) {
        self.literals.push(literal);
    }
}

impl Theory {
    /// Collects everything that the given seeds rest on. Literals come out sorted and without repetition.
    pub(crate) fn explain(&mut self, seeds: impl FnOnce(&mut Explanation)) -> &Explanation {
        let mut out = std::mem::take(&mut self.explanation);
        out.literals.clear();
        out.entries.clear();
        out.edge_marks.start(self.egraph.len() as usize);
        out.entry_marks.start(self.reach.n_entries());
        seeds(&mut out);
        loop {
            if let Some((left, right)) = out.pairs.pop() {
                self.explain_pair(left, right, &mut out);
            } else if let Some(entry) = out.todo.pop() {
                if out.entry_marks.set(entry) {
                    out.entries.push(entry);
                    self.explain_entry(entry, &mut out);
                }
            } else {
                break;
            }
        }
        out.literals.sort_unstable();
        out.literals.dedup();
        out.entries.sort_unstable();
        self.explanation = out;
        &self.explanation
    }

    fn explain_pair(&self, left: Node, right: Node, out: &mut Explanation) {
        let Explanation { pairs, todo, path_marks, edge_marks, literals, .. } = out;
        self.egraph.path(left, right, path_marks, |child, reason| {
            if !edge_marks.set(child) {
                return;
            }
            match reason {
                Reason::Root => unreachable!("a path stops below the root"),
                Reason::Literal(literal) => literals.push(literal),
                Reason::Congruence(a, b) => {
                    let args = self.egraph.args(a).iter().zip(self.egraph.args(b));
                    pairs.extend(args.filter(|(x, y)| x != y).map(|(&x, &y)| (x, y)));
                }
                Reason::Entry(entry) => todo.push(entry),
            }
        });
    }

    fn explain_entry(&self, entry: u32, out: &mut Explanation) {
        match self.reach.entry(entry).why {
            Why::Literal(literal) => out.literals.push(literal),
            Why::Rule(instance) => self.explain_instance(&instance, out),
        }
    }

    /// The premises of a rule instance, and what refutes its other alternatives.
    pub(crate) fn explain_instance(&self, instance: &RuleInstance, out: &mut Explanation) {
        let rule = self.reach.rule(instance.rule);
        let mut n_premises = 0;
        for premise in &rule.premises {
            match *premise {
                Pattern::Between(p, q, r) => {
                    let entry = instance.premises[n_premises];
                    n_premises += 1;
                    out.todo.push(entry);
                    let Conclusion::Fact(nodes) = self.reach.entry(entry).conclusion else {
                        unreachable!("premises are facts")
                    };
                    for (arg, node) in [p, q, r].into_iter().zip(nodes) {
                        out.equality(instance.node(arg), node);
                    }
                }
                Pattern::Equal(p, q) => out.equality(instance.node(p), instance.node(q)),
                Pattern::Term(_) | Pattern::Occurs(_) => {}
            }
            if let Some(x) = applied_variable(premise) {
                out.equality(instance.binding[x as usize], self.egraph.args(instance.application)[0]);
            }
        }
        for refuter in self.reach.refuters(instance) {
            out.literals.push(refuter.literal);
            for (arg, node) in self.refuted_head(instance, refuter).into_iter().zip(refuter.nodes) {
                if let Some(arg) = arg {
                    out.equality(instance.node(arg), node);
                }
            }
        }
    }

    /// The arguments of the head that a refuter contradicts: the one whose nodes are equal to its own.
    fn refuted_head(
        &self,
        instance: &RuleInstance,
        refuter: &crate::engine::theory::reach::Refuter,
    ) -> [Option<Arg>; 3] {
        let heads = &self.reach.rule(instance.rule).alternatives[refuter.alternative as usize];
        let matches = |args: &[Option<Arg>; 3]| {
            args.iter().zip(refuter.nodes).all(|(arg, node)| match arg {
                Some(arg) => node != NONE && self.egraph.equal(instance.node(*arg), node),
                None => node == NONE,
            })
        };
        let arguments = |head: &Head| match *head {
            Head::Between(p, q, r) => [Some(p), Some(q), Some(r)],
            Head::Equal(p, q) => [Some(p), Some(q), None],
        };
        heads.iter().map(arguments).find(matches).expect("a refuter contradicts a head of its alternative")
    }

    /// The rule instances of the last explanation, as steps of a proof.
    pub(crate) fn rule_steps(&self) -> Vec<RuleStep> {
        let mut steps: Vec<RuleStep> = Vec::new();
        for &id in &self.explanation.entries {
            let entry = self.reach.entry(id);
            if let Why::Rule(instance) = &entry.why {
                let absurd = entry.conclusion == Conclusion::Absurd;
                steps.push(self.rule_step(entry.field, instance, !absurd));
            }
        }
        steps
    }

    /// A rule instance as a step of a proof; without an open alternative it closes the derivation.
    pub(crate) fn rule_step(&self, field: u32, instance: &RuleInstance, open: bool) -> RuleStep {
        let rule = self.reach.rule(instance.rule);
        let binding = &instance.binding[..rule.variables.len()];
        RuleStep {
            field: self.reach.field_func(field),
            rule: &rule.name,
            binding: binding.iter().map(|&n| self.egraph.term(n)).collect(),
            alternative: open.then_some(instance.alternative as usize),
        }
    }

    /// The literals behind the premises of a rule instance.
    pub(crate) fn instance_conflict(&mut self, instance: &RuleInstance) -> Conflict {
        let mut premises = Explanation::default();
        self.explain_instance(instance, &mut premises);
        self.conflict(|out| {
            out.pairs.append(&mut premises.pairs);
            out.todo.append(&mut premises.todo);
            out.literals.append(&mut premises.literals);
        })
    }

    /// The conflict that the seeds describe.
    pub(crate) fn conflict(&mut self, seeds: impl FnOnce(&mut Explanation)) -> Conflict {
        self.explain(seeds);
        let rules = if self.proofs { self.rule_steps() } else { Vec::new() };
        Conflict {
            literals: self.explanation.literals.clone(),
            derivation: Derivation { rules, closing: Closing::Contradiction },
        }
    }
}

/// The variable to which a premise applies the link field.
fn applied_variable(premise: &Pattern) -> Option<u8> {
    let of = |arg: Arg| match arg {
        Arg::App(x) => Some(x),
        Arg::Var(_) | Arg::Null => None,
    };
    match *premise {
        Pattern::Term(x) => Some(x),
        Pattern::Equal(p, q) => of(p).or(of(q)),
        Pattern::Between(p, q, r) => of(p).or(of(q)).or(of(r)),
        Pattern::Occurs(_) => None,
    }
}
