//! The store of hash-consed terms.
//!
//! A term is an [`Op`] and a slice of children. Equal terms have equal ids, so sharing is automatic and a
//! formula is a DAG. The kernel is small on purpose: `exists`, `=>`, `xor`, small `distinct`, `<`, `>=`, ...
//! are built from it ([`crate::logic::build`]) and recognised again by the printer.
//!
//! Invariants: children are older than their parents (ids ascend), so a loop over ids is a bottom-up walk;
//! `Not` never stands on `Not`, `True` or `False`; `And`/`Or` have at least two different children; the
//! children of `Eq`, `Iff` are in ascending order; numbers below `Le` are folded into its bound.

use crate::logic::linear::LinearForm;
use crate::logic::sort::{SortId, Sorts};
use crate::logic::symbol::{Func, FuncId};
use crate::util::hash::{Map, Set};
use crate::util::num::Int;
use std::hash::{BuildHasher, Hash, Hasher};

/// How deep quantifiers may be nested; building a deeper formula is an error.
pub const MAX_QUANTIFIER_DEPTH: u32 = 200;

/// A `distinct` of at most this many terms is unfolded to its pairs; a larger one stays one term, so that it
/// takes memory in proportion to its length.
pub const UNFOLDED_DISTINCT: usize = 64;

/// A term of a [`Terms`] store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub(crate) u32);

impl TermId {
    /// The position of the term in its store, for tables indexed by term.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A quantifiable variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub(crate) u32);

/// An interned number, linear form or quantifier prefix: payload of an [`Op`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PayloadId(pub(crate) u32);

/// The head of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Truth.
    True,
    /// Falsity.
    False,
    /// A variable, bound by a quantifier around it.
    Var(VarId),
    /// A symbol applied to the children.
    App(FuncId),
    /// A number ([`Terms::number`]).
    Num(PayloadId),
    /// A sum that is not a single term ([`Terms::linear_form`]); the children are its terms.
    Lin(PayloadId),
    /// Negation.
    Not,
    /// Conjunction of at least two formulas.
    And,
    /// Disjunction of at least two formulas.
    Or,
    /// Equality of two formulas.
    Iff,
    /// `ite(condition, then, else)`, of any sort.
    Ite,
    /// Equality of two terms that are not formulas.
    Eq,
    /// All children, more than two closed terms that are not formulas, are different; children ascend. Few
    /// or open terms are compared pair by pair instead ([`Terms::distinct`]).
    Distinct,
    /// `child <= number`; the child has no constant summand and coprime coefficients, the first positive.
    Le(PayloadId),
    /// `between(f, x, y, z)`: y lies on the simple f-path from x to z. With y = z this is `reach`.
    Between(FuncId),
    /// `forall variables. child` ([`Terms::quantifier`]).
    Forall(PayloadId),
}

/// The prefix of a quantifier.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Quantifier {
    /// The bound variables, each with its sort in the store.
    pub variables: Vec<VarId>,
    /// Hints: instantiate only where these terms exist. Each inner list is one alternative.
    pub patterns: Vec<Vec<TermId>>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    op: Op,
    sort: SortId,
    first_child: u32,
    n_children: u32,
    /// Index into `free_sets`: the variables that occur free.
    free: u32,
    quantifier_depth: u32,
}

/// The store of all sorts, symbols and terms of a problem. It only grows.
#[derive(Clone, Debug)]
pub struct Terms {
    pub(crate) sorts: Sorts,
    pub(crate) funcs: Vec<Func>,
    /// The symbols with arguments.
    functions: Vec<FuncId>,
    func_names: Map<String, FuncId>,
    /// Names that several symbols have; they are found by the newest.
    pub(crate) overloaded: Set<String>,
    fresh: u64,
    /// A `distinct` of more terms than this stays one term.
    pub(crate) unfolded_distinct: usize,
    /// The most terms that one `distinct` has.
    pub(crate) widest_distinct: usize,
    nodes: Vec<Node>,
    children: Vec<TermId>,
    unique: hashbrown::HashTable<TermId>,
    pub(crate) variables: Vec<(String, SortId)>,
    numbers: Vec<Int>,
    number_ids: Map<Int, PayloadId>,
    forms: Vec<LinearForm>,
    form_ids: Map<LinearForm, PayloadId>,
    /// Summands of all forms together.
    form_terms: usize,
    /// Bytes of numbers beyond machine words, each held twice.
    number_bytes: usize,
    quantifiers: Vec<Quantifier>,
    quantifier_ids: Map<Quantifier, PayloadId>,
    free_sets: Vec<Box<[VarId]>>,
    free_set_ids: Map<Box<[VarId]>, u32>,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    /// A store with the sorts Bool and Int, `true` and `false`.
    pub fn new() -> Terms {
        let mut terms = Terms {
            sorts: Sorts::default(),
            funcs: Vec::new(),
            functions: Vec::new(),
            func_names: Map::default(),
            overloaded: Set::default(),
            fresh: 0,
            unfolded_distinct: UNFOLDED_DISTINCT,
            widest_distinct: 0,
            nodes: Vec::new(),
            children: Vec::new(),
            unique: hashbrown::HashTable::new(),
            variables: Vec::new(),
            numbers: Vec::new(),
            number_ids: Map::default(),
            forms: Vec::new(),
            form_ids: Map::default(),
            form_terms: 0,
            number_bytes: 0,
            quantifiers: Vec::new(),
            quantifier_ids: Map::default(),
            free_sets: vec![Box::default()],
            free_set_ids: Map::default(),
        };
        terms.free_set_ids.insert(Box::default(), 0);
        terms.intern(Op::True, &[], SortId::BOOL);
        terms.intern(Op::False, &[], SortId::BOOL);
        terms
    }

    /// The formula `true`.
    pub const TRUE: TermId = TermId(0);
    /// The formula `false`.
    pub const FALSE: TermId = TermId(1);

    /// How many terms there are; ids run from 0 to this.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: `true` and `false` are always there.
    #[cfg(feature = "testing")]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether the id belongs to this store.
    pub fn contains(&self, term: TermId) -> bool {
        term.index() < self.nodes.len()
    }

    /// The head of a term.
    #[inline]
    pub fn op(&self, term: TermId) -> Op {
        self.nodes[term.index()].op
    }

    /// The children of a term.
    #[inline]
    pub fn children(&self, term: TermId) -> &[TermId] {
        let node = &self.nodes[term.index()];
        &self.children[node.first_child as usize..(node.first_child + node.n_children) as usize]
    }

    /// The sort of a term.
    #[inline]
    pub fn sort(&self, term: TermId) -> SortId {
        self.nodes[term.index()].sort
    }

    /// Whether no variable occurs free in the term.
    #[inline]
    pub fn is_closed(&self, term: TermId) -> bool {
        self.nodes[term.index()].free == 0
    }

    /// Whether no quantifier occurs in the term.
    #[inline]
    pub fn is_quantifier_free(&self, term: TermId) -> bool {
        self.nodes[term.index()].quantifier_depth == 0
    }

    /// The variables that occur free in the term, ascending.
    pub fn free_variables(&self, term: TermId) -> &[VarId] {
        &self.free_sets[self.nodes[term.index()].free as usize]
    }

    /// The number of an `Op::Num` or `Op::Le`.
    pub fn number(&self, id: PayloadId) -> &Int {
        &self.numbers[id.0 as usize]
    }

    /// The form of an `Op::Lin`.
    pub fn form(&self, id: PayloadId) -> &LinearForm {
        &self.forms[id.0 as usize]
    }

    /// The prefix of an `Op::Forall`.
    pub fn quantifier(&self, id: PayloadId) -> &Quantifier {
        &self.quantifiers[id.0 as usize]
    }

    /// Name and sort of a variable.
    pub fn variable_info(&self, var: VarId) -> (&str, SortId) {
        let (name, sort) = &self.variables[var.0 as usize];
        (name, *sort)
    }

    /// Name and signature of a symbol.
    pub fn func(&self, func: FuncId) -> &Func {
        &self.funcs[func.index()]
    }

    /// All symbols in the order of their declaration.
    pub fn funcs(&self) -> impl ExactSizeIterator<Item = (FuncId, &Func)> {
        self.funcs.iter().enumerate().map(|(i, f)| (FuncId(i as u32), f))
    }

    /// The symbols with arguments: functions and predicates, no constants.
    pub fn functions(&self) -> impl Iterator<Item = (FuncId, &Func)> {
        self.functions.iter().map(|&id| (id, &self.funcs[id.index()]))
    }

    /// The symbol of this name.
    pub fn find_func(&self, name: &str) -> Option<FuncId> {
        self.func_names.get(name).copied()
    }

    /// Whether several symbols have the name.
    pub fn is_overloaded(&self, name: &str) -> bool {
        self.overloaded.contains(name)
    }

    /// The body of a negation, or nothing.
    pub fn negated(&self, term: TermId) -> Option<TermId> {
        matches!(self.op(term), Op::Not).then(|| self.children(term)[0])
    }

    /// A formula without its outermost negation, and whether there was none.
    pub fn strip_not(&self, term: TermId) -> (TermId, bool) {
        match self.negated(term) {
            Some(inner) => (inner, false),
            None => (term, true),
        }
    }

    /// Bytes held by the store, roughly.
    pub fn memory_bytes(&self) -> u64 {
        let nodes = self.nodes.capacity() * (size_of::<Node>() + 8);
        let children = self.children.capacity() * size_of::<TermId>();
        // Forms are held twice as well.
        let forms = self.forms.len() * 176 + self.form_terms * 2 * size_of::<(TermId, Int)>();
        let forms = forms + self.numbers.len() * 64 + self.quantifiers.len() * 128 + self.number_bytes;
        // Names are held twice, by the symbol and by the table that finds it, each in a block of its own.
        let symbols = self.funcs.capacity() * size_of::<Func>() + self.func_names.capacity() * 40;
        let symbols = symbols + self.funcs.len() * 80;
        (nodes + children + forms + symbols) as u64
    }

    /// Bytes that one more term or symbol may take: tables that are full are held twice while they grow.
    pub fn growth_bytes(&self) -> u64 {
        let full =
            |n: usize, capacity: usize, bytes: usize| if n == capacity { 2 * capacity * bytes } else { 0 };
        let terms = full(self.nodes.len(), self.nodes.capacity(), size_of::<Node>() + 8);
        let symbols = full(self.funcs.len(), self.funcs.capacity(), size_of::<Func>());
        let names = full(self.func_names.len(), self.func_names.capacity(), 40);
        (terms + symbols + names) as u64
    }

    /// The linear form of a term of sort Int.
    pub fn linear_form(&self, term: TermId) -> LinearForm {
        match self.op(term) {
            Op::Num(id) => LinearForm::number(self.number(id).clone()),
            Op::Lin(id) => self.form(id).clone(),
            _ => LinearForm::term(term),
        }
    }

    pub(crate) fn add_func(&mut self, func: Func) -> FuncId {
        let id = FuncId(self.funcs.len() as u32);
        self.func_names.insert(func.name.clone(), id);
        if !func.args.is_empty() {
            self.functions.push(id);
        }
        self.funcs.push(func);
        id
    }

    /// Takes the name of a symbol away, so that another one can be declared under it. The symbol lives on
    /// as an internal one, under a name that nobody else has.
    pub fn release_name(&mut self, func: FuncId) {
        let old = self.funcs[func.index()].name.clone();
        self.func_names.remove(&old);
        // Not the old name: it is about to be declared again.
        let name = self.fresh_name(&format!("{old}!old"));
        self.func_names.insert(name.clone(), func);
        let entry = &mut self.funcs[func.index()];
        entry.name = name;
        entry.internal = true;
    }

    /// A name that no symbol has.
    pub(crate) fn fresh_name(&mut self, prefix: &str) -> String {
        loop {
            let name = format!("{prefix}!{}", self.fresh);
            self.fresh += 1;
            if !self.func_names.contains_key(&name) {
                return name;
            }
        }
    }

    pub(crate) fn intern_number(&mut self, number: Int) -> PayloadId {
        if let Some(&id) = self.number_ids.get(&number) {
            return id;
        }
        let id = PayloadId(self.numbers.len() as u32);
        self.number_bytes += 2 * number.heap_bytes() as usize;
        self.numbers.push(number.clone());
        self.number_ids.insert(number, id);
        id
    }

    pub(crate) fn intern_form(&mut self, form: LinearForm) -> PayloadId {
        if let Some(&id) = self.form_ids.get(&form) {
            return id;
        }
        let id = PayloadId(self.forms.len() as u32);
        self.form_terms += form.terms.len();
        self.number_bytes += 2 * form.number_bytes() as usize;
        self.forms.push(form.clone());
        self.form_ids.insert(form, id);
        id
    }

    pub(crate) fn intern_quantifier(&mut self, quantifier: Quantifier) -> PayloadId {
        if let Some(&id) = self.quantifier_ids.get(&quantifier) {
            return id;
        }
        let id = PayloadId(self.quantifiers.len() as u32);
        self.quantifiers.push(quantifier.clone());
        self.quantifier_ids.insert(quantifier, id);
        id
    }

    pub(crate) fn quantifier_depth(&self, term: TermId) -> u32 {
        self.nodes[term.index()].quantifier_depth
    }

    fn hash_key(op: Op, children: &[TermId]) -> u64 {
        let mut hasher = rustc_hash::FxBuildHasher.build_hasher();
        op.hash(&mut hasher);
        children.hash(&mut hasher);
        hasher.finish()
    }

    /// The term with this head and these children, which must satisfy the invariants of the store.
    pub(crate) fn intern(&mut self, op: Op, children: &[TermId], sort: SortId) -> TermId {
        let hash = Terms::hash_key(op, children);
        if let Some(&id) = self.unique.find(hash, |&t| self.op(t) == op && self.children(t) == children) {
            return id;
        }
        let id = TermId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms fit into memory"));
        let (free, quantifier_depth) = self.scope_of(op, children);
        let first_child = self.children.len() as u32;
        self.children.extend_from_slice(children);
        self.nodes.push(Node {
            op,
            sort,
            first_child,
            n_children: children.len() as u32,
            free,
            quantifier_depth,
        });
        let (nodes, all_children) = (&self.nodes, &self.children);
        self.unique.insert_unique(hash, id, |&t| {
            let node = &nodes[t.index()];
            let range = node.first_child as usize..(node.first_child + node.n_children) as usize;
            Terms::hash_key(node.op, &all_children[range])
        });
        id
    }

    /// Free variables and quantifier depth of a term about to be interned.
    fn scope_of(&mut self, op: Op, children: &[TermId]) -> (u32, u32) {
        let depth = children.iter().map(|&c| self.quantifier_depth(c)).max().unwrap_or(0);
        match op {
            Op::Var(var) => (self.intern_free_set(vec![var]), depth),
            Op::Forall(id) => {
                let mut bound = self.quantifier(id).variables.clone();
                bound.sort_unstable();
                let mut free = self.free_variables(children[0]).to_vec();
                free.retain(|v| bound.binary_search(v).is_err());
                (self.intern_free_set(free), depth + 1)
            }
            _ => {
                let open =
                    children.iter().map(|child| self.nodes[child.index()].free).filter(|&set| set != 0);
                let mut sets: Vec<u32> = open.collect();
                sets.dedup();
                match sets[..] {
                    [] => (0, depth),
                    [only] => (only, depth),
                    _ => {
                        sets.sort_unstable();
                        sets.dedup();
                        // One union: those of the first children, interned one by one, would be quadratic.
                        let union = sets
                            .iter()
                            .flat_map(|&set| self.free_sets[set as usize].iter().copied())
                            .collect();
                        (self.intern_free_set(union), depth)
                    }
                }
            }
        }
    }

    fn intern_free_set(&mut self, mut set: Vec<VarId>) -> u32 {
        set.sort_unstable();
        set.dedup();
        let set = set.into_boxed_slice();
        if let Some(&id) = self.free_set_ids.get(&set) {
            return id;
        }
        let id = self.free_sets.len() as u32;
        self.free_sets.push(set.clone());
        self.free_set_ids.insert(set, id);
        id
    }
}
