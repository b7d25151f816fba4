//! Symbolic heaps in a small form: what the procedures of this module work on.
//!
//! A variable is a number. Numbers below [`System::n_globals`] are *globals*: nil of each sort of locations and
//! constants that definitions mention; they mean the same everywhere. In a rule the numbers from there on are
//! its parameters and then its existential variables. In a sequent they are variables of the sequent.

use crate::logic::{SortId, VarId};
use crate::util::hash::Map;
use crate::util::num::Int;

/// A variable.
pub type Var = u32;

/// A sum of integer variables and a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Linear {
    /// Variables in ascending order with coefficients that are not zero.
    pub terms: Vec<(Var, Int)>,
    /// The number.
    pub constant: Int,
}

impl Linear {
    /// A variable alone.
    pub fn var(var: Var) -> Linear {
        Linear { terms: vec![(var, Int::from(1))], constant: Int::from(0) }
    }

    /// The variable, if the sum is nothing else.
    pub fn as_var(&self) -> Option<Var> {
        match &self.terms[..] {
            [(var, one)] if *one == Int::from(1) && self.constant.is_zero() => Some(*var),
            _ => None,
        }
    }

    /// `self + factor * other`.
    pub fn plus(&self, other: &Linear, factor: &Int) -> Linear {
        let mut sum: Vec<(Var, Int)> = self.terms.clone();
        for (var, coefficient) in &other.terms {
            let more = coefficient * factor;
            match sum.binary_search_by_key(var, |t| t.0) {
                Ok(i) => sum[i].1 = &sum[i].1 + &more,
                Err(i) => sum.insert(i, (*var, more)),
            }
        }
        sum.retain(|(_, c)| !c.is_zero());
        Linear { terms: sum, constant: &self.constant + &(&other.constant * factor) }
    }

    /// `self - other`.
    pub fn minus(&self, other: &Linear) -> Linear {
        self.plus(other, &Int::from(-1))
    }
}

/// What a sum is compared with zero by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// It is zero.
    Zero,
    /// It is at most zero.
    AtMostZero,
    /// It is not zero.
    NotZero,
}

/// A claim about integers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fact {
    /// How the sum compares with zero.
    pub relation: Relation,
    /// The sum.
    pub form: Linear,
}

/// An argument of a predicate or the value of a field.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Arg {
    /// A variable of a sort without arithmetic.
    Loc(Var),
    /// A sum of integers.
    Int(Linear),
}

/// A cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// Its type.
    pub kind: usize,
    /// Its location.
    pub at: Var,
    /// Its fields.
    pub values: Vec<Arg>,
}

/// A predicate with arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// An index into [`System::definitions`].
    pub definition: usize,
    /// The arguments.
    pub args: Vec<Arg>,
}

/// Equations, disequations, claims about integers, cells and predicates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SymbolicHeap {
    /// Equal variables.
    pub equal: Vec<(Var, Var)>,
    /// Different variables.
    pub different: Vec<(Var, Var)>,
    /// Claims about integers.
    pub facts: Vec<Fact>,
    /// Cells.
    pub cells: Vec<Cell>,
    /// Predicates.
    pub calls: Vec<Call>,
}

/// One disjunct of a definition.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The sorts of its parameters and existential variables.
    pub sorts: Vec<SortId>,
    /// What the caller calls its existential variables.
    pub labels: Vec<VarId>,
    /// What it says.
    pub heap: SymbolicHeap,
}

/// A predicate.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its name, for people.
    pub name: String,
    /// How many parameters it has.
    pub arity: usize,
    /// Its disjuncts.
    pub rules: Vec<Rule>,
}

/// Definitions that belong together.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// The sorts of the globals.
    pub globals: Vec<SortId>,
    /// The globals that are nil.
    pub nils: Vec<Var>,
    /// The predicates.
    pub definitions: Vec<Definition>,
}

impl System {
    /// The number of globals.
    pub fn n_globals(&self) -> usize {
        self.globals.len()
    }

    /// A disjunct with arguments in the place of parameters; `fresh` makes a variable of a sort.
    pub fn instance(&self, call: &Call, rule: &Rule, mut fresh: impl FnMut(SortId) -> Var) -> SymbolicHeap {
        let n_globals = self.n_globals();
        let mut map: Vec<Arg> = call.args.clone();
        for &sort in &rule.sorts[call.args.len()..] {
            let var = fresh(sort);
            map.push(if sort == SortId::INT { Arg::Int(Linear::var(var)) } else { Arg::Loc(var) });
        }
        rule.heap.mapped(&|var| (var as usize).checked_sub(n_globals).map(|i| map[i].clone()))
    }
}

impl Arg {
    /// The variable, if the argument is no sum.
    pub fn loc(&self) -> Option<Var> {
        match self {
            Arg::Loc(var) => Some(*var),
            Arg::Int(_) => None,
        }
    }
}

/// What stands for a variable; nothing if it stays.
type Mapping<'a> = &'a dyn Fn(Var) -> Option<Arg>;

fn mapped_var(var: Var, map: Mapping<'_>) -> Var {
    match map(var) {
        Some(Arg::Loc(to)) => to,
        _ => var,
    }
}

/// A sum with sums in the place of variables.
pub fn mapped_form(form: &Linear, map: Mapping<'_>) -> Linear {
    let mut sum = Linear { terms: Vec::new(), constant: form.constant.clone() };
    for (var, coefficient) in &form.terms {
        let part = match map(*var) {
            Some(Arg::Int(part)) => part,
            _ => Linear::var(*var),
        };
        sum = sum.plus(&part, coefficient);
    }
    sum
}

/// An argument with others in the place of variables.
pub fn mapped_arg(arg: &Arg, map: Mapping<'_>) -> Arg {
    match arg {
        Arg::Loc(var) => Arg::Loc(mapped_var(*var, map)),
        Arg::Int(form) => Arg::Int(mapped_form(form, map)),
    }
}

impl SymbolicHeap {
    /// The same with other arguments in the place of variables.
    pub fn mapped(&self, map: Mapping<'_>) -> SymbolicHeap {
        let pair = |&(a, b): &(Var, Var)| (mapped_var(a, map), mapped_var(b, map));
        let args = |args: &Vec<Arg>| args.iter().map(|a| mapped_arg(a, map)).collect();
        SymbolicHeap {
            equal: self.equal.iter().map(pair).collect(),
            different: self.different.iter().map(pair).collect(),
            facts: self
                .facts
                .iter()
                .map(|f| Fact { relation: f.relation, form: mapped_form(&f.form, map) })
                .collect(),
            cells: self
                .cells
                .iter()
                .map(|c| Cell { kind: c.kind, at: mapped_var(c.at, map), values: args(&c.values) })
                .collect(),
            calls: self
                .calls
                .iter()
                .map(|c| Call { definition: c.definition, args: args(&c.args) })
                .collect(),
        }
    }

    /// Adds the parts of another.
    pub fn extend(&mut self, other: SymbolicHeap) {
        self.equal.extend(other.equal);
        self.different.extend(other.different);
        self.facts.extend(other.facts);
        self.cells.extend(other.cells);
        self.calls.extend(other.calls);
    }

    /// Uses the equations: every class of variables becomes its least member. Says which variables were
    /// replaced.
    pub fn use_equations(&mut self) -> Map<Var, Var> {
        let mut parents: Map<Var, Var> = Map::default();
        let root = |parents: &Map<Var, Var>, mut var: Var| {
            while let Some(&parent) = parents.get(&var) {
                var = parent;
            }
            var
        };
        for (a, b) in std::mem::take(&mut self.equal) {
            let (a, b) = (root(&parents, a), root(&parents, b));
            if a != b {
                parents.insert(a.max(b), a.min(b));
            }
        }
        let vars: Vec<Var> = parents.keys().copied().collect();
        let replaced: Map<Var, Var> = vars.into_iter().map(|v| (v, root(&parents, v))).collect();
        if !replaced.is_empty() {
            *self = self.mapped(&|var| replaced.get(&var).map(|&to| Arg::Loc(to)));
        }
        replaced
    }

    /// Whether its equations were used and its disequations, cells and numbers contradict each other at
    /// first sight.
    pub fn is_absurd(&self, nils: &[Var]) -> bool {
        self.different.iter().any(|(a, b)| a == b)
            || self
                .cells
                .iter()
                .enumerate()
                .any(|(i, c)| nils.contains(&c.at) || self.cells[..i].iter().any(|d| d.at == c.at))
            || self.facts.iter().any(|f| f.truth() == Some(false))
    }
}

impl Fact {
    /// Whether it is true, if no variable is in it.
    pub fn truth(&self) -> Option<bool> {
        let zero = Int::from(0);
        self.form.terms.is_empty().then(|| match self.relation {
            Relation::Zero => self.form.constant.is_zero(),
            Relation::NotZero => !self.form.constant.is_zero(),
            Relation::AtMostZero => self.form.constant <= zero,
        })
    }
}
