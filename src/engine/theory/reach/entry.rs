//! What the rules derive: facts, equalities and absurdities with their justifications.

use crate::engine::theory::egraph::Node;
use crate::rules::syntax::Arg;
use crate::rules::table::RuleId;
use crate::sat::Lit;

/// What an entry concludes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conclusion {
    /// The fact `R(a, b, c)`.
    Fact([Node; 3]),
    /// Two nodes are equal; the graph holds the merge.
    Equal,
    /// All alternatives of a rule are refuted.
    Absurd,
}

/// Why an entry holds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Why {
    /// An asserted literal.
    Literal(Lit),
    /// A rule instance.
    Rule(RuleInstance),
}

/// A rule instance over nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleInstance {
    pub(crate) rule: RuleId,
    /// The concluded alternative.
    pub(crate) alternative: u8,
    /// Nodes of the rule's variables.
    pub(crate) binding: [Node; 4],
    /// The application `f(x)` that the rule speaks of, if it does.
    pub(crate) application: Node,
    /// Entries of the `Between` premises, in order.
    pub(crate) premises: [u32; 2],
    /// First and number of its [`Refuter`]s.
    pub(crate) refuters: (u32, u8),
}

/// A literal that refutes an alternative.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refuter {
    pub(crate) alternative: u8,
    pub(crate) literal: Lit,
    /// The nodes of the literal's atom, in the order of the alternative's arguments.
    pub(crate) nodes: [Node; 3],
}

/// A fact, derived equality or absurdity. Entries are numbered in the order of derivation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) field: u32,
    pub(crate) conclusion: Conclusion,
    pub(crate) why: Why,
}

/// What is known of a fact.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Known {
    /// It holds; the entry says why.
    Fact(u32),
    /// This literal, whose atom has these nodes, says that it does not.
    Denied { literal: Lit, nodes: [Node; 3] },
}

/// A contradiction found while saturating.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Contradiction {
    /// This fact was asserted to be false: the literal and the nodes of its atom.
    Negated { entry: u32, literal: Lit, nodes: [Node; 3] },
    /// This absurdity.
    Absurd { entry: u32 },
}

/// An open case split: a rule instance none of whose alternatives is decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    pub(crate) field: u32,
    pub(crate) instance: RuleInstance,
    /// Whether one of the alternatives is an equality.
    pub(crate) has_equality: bool,
}

impl RuleInstance {
    /// The node that stands for an argument of the rule.
    pub(crate) fn node(&self, arg: Arg) -> Node {
        match arg {
            Arg::Var(x) => self.binding[x as usize],
            Arg::App(_) => self.application,
            Arg::Null => unreachable!("LISBQ rules do not speak of null"),
        }
    }
}
