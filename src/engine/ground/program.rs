//! Quantifier bodies compiled to straight-line code over class numbers.
//!
//! A body is taken apart into conjuncts, each conjunct into disjuncts. A conjunct becomes a *nest*: one loop
//! per variable that occurs in it; a disjunct is tested in the outermost loop that binds its variables, and
//! when it is true the rest of that iteration is skipped. So the guards of a clause prune early, whatever the
//! user wrote around it. The innermost variable, where all its occurrences allow it, is not looped over at all:
//! its values run along the bits of a word, and the code of that loop computes 64 of them at once. The tests of
//! the other loops are made along words as well where they allow it: `r(x, y)` before a loop over `z` costs as
//! many steps as there are `x`, and the loop runs for the `y` that pass.
//!
//! Registers: `terms` hold class numbers (0 and 1 are the constants false and true as arguments), `bools` hold
//! words, all zeros or all ones where the value does not depend on the innermost variable.

use super::tables::Tables;
use crate::logic::{Op, SortId, TermId, Terms, VarId};
use crate::util::hash::{Map, Set};

/// A list of registers in [`Program::args`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Args {
    start: u32,
    len: u32,
}

/// One instruction; the first field is the register written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instr {
    /// A truth value.
    Const(u32, bool),
    /// A function of class numbers.
    Func(u32, u32, Args),
    /// A choice between two classes.
    Choose(u32, u32, u32, u32),
    /// A predicate on class numbers.
    Rel(u32, u32, Args),
    /// A predicate along a row; the arguments are the others.
    Row(u32, u32, Args),
    /// Equality of two classes.
    Eq(u32, u32, u32),
    /// Whether all classes differ.
    Distinct(u32, Args),
    /// Equality with the innermost variable.
    EqRow(u32, u32),
    /// Negation.
    Not(u32, u32),
    /// Conjunction.
    And(u32, u32, u32),
    /// Disjunction.
    Or(u32, u32, u32),
    /// Equality of truth values.
    Iff(u32, u32, u32),
    /// A choice between two truth values.
    Ite(u32, u32, u32, u32),
    /// A quantifier inside: whether the block has no violation.
    Forall(u32, u32),
    /// Goes on only where the register is not this value.
    Test(u32, bool),
}

/// One loop.
#[derive(Clone, Debug)]
pub(super) struct Level {
    /// The register of the variable.
    pub(super) register: u32,
    /// Its sort.
    pub(super) sort: SortId,
    /// What tells 64 values at once whether they are of interest; empty if all are.
    pub(super) filter: Vec<Instr>,
    /// What to do for each of them.
    pub(super) code: Vec<Instr>,
}

/// The loops of one conjunct.
#[derive(Clone, Debug)]
pub(super) struct Nest {
    /// What to do before the loops.
    pub(super) prelude: Vec<Instr>,
    /// The loops from the outside.
    pub(super) levels: Vec<Level>,
    /// Whether the innermost loop works on rows.
    pub(super) rows: bool,
    /// Registers of variables that do not occur.
    pub(super) idle: Vec<u32>,
}

/// A compiled formula.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    /// The nests of each quantifier body; the program's own is the last.
    pub(super) blocks: Vec<Vec<Nest>>,
    args: Vec<u32>,
    /// How many class registers there are.
    pub(super) n_terms: u32,
    /// How many word registers there are.
    pub(super) n_bools: u32,
    /// Register and sort of each variable of the outermost quantifier.
    pub(super) variables: Vec<(u32, SortId)>,
    /// Views read.
    pub(super) views: Vec<u32>,
    /// Function tables read.
    pub(super) funcs: Vec<u32>,
}

impl Program {
    /// The registers of an argument list.
    #[inline]
    pub(super) fn args(&self, args: Args) -> &[u32] {
        &self.args[args.start as usize..(args.start + args.len) as usize]
    }
}

/// Compiles a closed formula; one without an outer quantifier has no variables.
pub(super) fn compile(terms: &Terms, tables: &mut Tables, formula: TermId) -> Program {
    let mut compiler = Compiler {
        terms,
        tables,
        program: Program { n_terms: 2, ..Program::default() },
        scope: Map::default(),
    };
    let (variables, body) = match terms.op(formula) {
        Op::Forall(id) => (&terms.quantifier(id).variables[..], terms.children(formula)[0]),
        _ => (&[][..], formula),
    };
    compiler.block(variables, body);
    let mut program = compiler.program;
    // The root's variables have the first registers after the two constants.
    let registers = variables.iter().zip(2..);
    program.variables = registers.map(|(&v, register)| (register, terms.variable_info(v).1)).collect();
    for list in [&mut program.views, &mut program.funcs] {
        list.sort_unstable();
        list.dedup();
    }
    program
}

/// The state of a compilation.
struct Compiler<'a> {
    terms: &'a Terms,
    tables: &'a mut Tables,
    program: Program,
    scope: Map<VarId, u32>,
}

/// The nest under construction.
struct Frame {
    nest: Nest,
    own: Vec<VarId>,
    /// Registers of the subterms compiled so far.
    done: Map<TermId, u32>,
    /// The loop whose filter is compiled now, counted from 1, and the registers of the words in it.
    filtering: Option<(usize, Map<TermId, u32>)>,
}

impl Frame {
    /// 0 before the loops, n inside n loops.
    fn level(&self, terms: &Terms, term: TermId) -> usize {
        let free = terms.free_variables(term);
        self.own.iter().rposition(|v| free.contains(v)).map_or(0, |at| at + 1)
    }

    fn push(&mut self, level: usize, instr: Instr) {
        match level {
            0 => self.nest.prelude.push(instr),
            n if self.is_filtered(n) => self.nest.levels[n - 1].filter.push(instr),
            n => self.nest.levels[n - 1].code.push(instr),
        }
    }

    /// Whether the terms of a level are being compiled for its filter.
    fn is_filtered(&self, level: usize) -> bool {
        self.filtering.as_ref().is_some_and(|(at, _)| *at == level)
    }

    /// The variable along whose values the terms of a level are computed, if they are.
    fn row_variable(&self, level: usize) -> Option<VarId> {
        let innermost = self.nest.rows && level == self.own.len();
        (level > 0 && (innermost || self.is_filtered(level))).then(|| self.own[level - 1])
    }

    fn register(&self, term: TermId) -> Option<u32> {
        let words = self.filtering.as_ref().and_then(|(_, words)| words.get(&term));
        words.or_else(|| self.done.get(&term)).copied()
    }

    fn set_register(&mut self, level: usize, term: TermId, register: u32) {
        match &mut self.filtering {
            Some((at, words)) if *at == level => words.insert(term, register),
            _ => self.done.insert(term, register),
        };
    }
}

impl Compiler<'_> {
    /// Compiles a quantifier body and returns its block.
    fn block(&mut self, variables: &[VarId], body: TermId) -> u32 {
        let shadowed: Vec<Option<u32>> = variables
            .iter()
            .map(|&var| {
                self.program.n_terms += 1;
                self.scope.insert(var, self.program.n_terms - 1)
            })
            .collect();
        let mut nests = Vec::new();
        for conjunct in self.parts(vec![(body, true)], true) {
            let disjuncts = self.parts(vec![conjunct], false);
            nests.push(self.nest(variables, disjuncts));
        }
        for (&var, old) in variables.iter().zip(shadowed).rev() {
            match old {
                Some(register) => self.scope.insert(var, register),
                None => self.scope.remove(&var),
            };
        }
        self.program.blocks.push(nests);
        self.program.blocks.len() as u32 - 1
    }

    /// The conjuncts or disjuncts of a formula with a sign.
    fn parts(&self, mut stack: Vec<(TermId, bool)>, conjuncts: bool) -> Vec<(TermId, bool)> {
        let mut parts = Vec::new();
        while let Some((term, sign)) = stack.pop() {
            let children = self.terms.children(term);
            match self.terms.op(term) {
                Op::Not => stack.push((children[0], !sign)),
                Op::And if sign == conjuncts => stack.extend(children.iter().rev().map(|&c| (c, sign))),
                Op::Or if sign != conjuncts => stack.extend(children.iter().rev().map(|&c| (c, sign))),
                _ => parts.push((term, sign)),
            }
        }
        parts
    }

    fn nest(&mut self, variables: &[VarId], mut disjuncts: Vec<(TermId, bool)>) -> Nest {
        let terms = self.terms;
        let occurs = |v: &VarId| disjuncts.iter().any(|d| terms.free_variables(d.0).contains(v));
        let (mut own, idle): (Vec<VarId>, Vec<VarId>) = variables.iter().partition(|v| occurs(v));
        let subterms: Vec<Vec<TermId>> = disjuncts.iter().map(|d| self.subterms(d.0)).collect();
        let row = own.iter().rposition(|&v| subterms.iter().flatten().all(|&t| self.fits_rows(t, v)));
        if let Some(at) = row {
            let var = own.remove(at);
            own.push(var);
        }
        let levels = own
            .iter()
            .map(|&v| Level {
                register: self.scope[&v],
                sort: terms.variable_info(v).1,
                filter: Vec::new(),
                code: Vec::new(),
            })
            .collect();
        let idle = idle.iter().map(|v| self.scope[v]).collect();
        let nest = Nest { prelude: Vec::new(), levels, rows: row.is_some(), idle };
        let mut frame = Frame { nest, own, done: Map::default(), filtering: None };
        // A loop tests what it can before it computes anything for the loops inside.
        disjuncts.sort_by_key(|d| frame.level(terms, d.0));
        for (term, sign) in disjuncts {
            let level = frame.level(terms, term);
            let subterms = self.subterms(term);
            if level > 0
                && frame.row_variable(level).is_none()
                && subterms.iter().all(|&t| self.fits_rows(t, frame.own[level - 1]))
            {
                frame.filtering = Some((level, Map::default()));
            }
            for subterm in subterms {
                self.expression(&mut frame, subterm);
            }
            let register = frame.register(term).expect("the term was just compiled");
            frame.push(level, Instr::Test(register, sign));
            frame.filtering = None;
        }
        frame.nest
    }

    /// All subterms up to inner quantifiers, children first.
    fn subterms(&self, root: TermId) -> Vec<TermId> {
        let mut seen: Set<TermId> = [root].into_iter().collect();
        let mut order = vec![root];
        let mut at = 0;
        while at < order.len() {
            let term = order[at];
            at += 1;
            if !matches!(self.terms.op(term), Op::Forall(_)) {
                order.extend(self.terms.children(term).iter().filter(|&&c| seen.insert(c)));
            }
        }
        // Children have smaller numbers than their parents.
        order.sort_unstable();
        order
    }

    /// Whether the values of a term can be computed for 64 values of the variable at once.
    fn fits_rows(&self, term: TermId, var: VarId) -> bool {
        let inside = |t: TermId| self.terms.free_variables(t).contains(&var);
        if !inside(term) {
            return true;
        }
        let children = self.terms.children(term);
        match self.terms.op(term) {
            Op::Var(_) | Op::Not | Op::And | Op::Or | Op::Iff => true,
            Op::Ite => self.terms.sort(term) == SortId::BOOL,
            Op::Eq => children.iter().filter(|&&c| inside(c)).count() == 1 && self.has_plain(children, var),
            Op::App(_) => {
                self.terms.sort(term) == SortId::BOOL
                    && children.iter().filter(|&&c| inside(c)).count() == 1
                    && self.has_plain(children, var)
            }
            _ => false,
        }
    }

    fn has_plain(&self, children: &[TermId], var: VarId) -> bool {
        children.iter().any(|&c| self.terms.op(c) == Op::Var(var))
    }

    fn new_bool(&mut self) -> u32 {
        self.program.n_bools += 1;
        self.program.n_bools - 1
    }

    fn arguments(&mut self, frame: &Frame, items: impl Iterator<Item = TermId>) -> Args {
        let start = self.program.args.len() as u32;
        for item in items {
            // Truth values as arguments have registers of their own.
            let register = match item {
                Terms::FALSE => 0,
                Terms::TRUE => 1,
                _ => frame.register(item).expect("children are compiled first"),
            };
            self.program.args.push(register);
        }
        Args { start, len: self.program.args.len() as u32 - start }
    }

    /// Compiles one term whose children are compiled.
    fn expression(&mut self, frame: &mut Frame, term: TermId) {
        let terms = self.terms;
        let children = terms.children(term);
        let level = frame.level(terms, term);
        // A value computed for one value of the variable is of no use for a word of them.
        let known = match &frame.filtering {
            Some((at, words)) if *at == level => words.contains_key(&term),
            _ => frame.done.contains_key(&term),
        };
        if known {
            return;
        }
        let row = frame.row_variable(level);
        let is_bool = terms.sort(term) == SortId::BOOL;
        let child =
            |frame: &Frame, at: usize| frame.register(children[at]).expect("children are compiled first");
        if let Op::Var(var) = terms.op(term) {
            frame.done.insert(term, self.scope[&var]);
            return;
        }
        let to = if is_bool {
            self.new_bool()
        } else {
            self.program.n_terms += 1;
            self.program.n_terms - 1
        };
        let instr = match terms.op(term) {
            Op::True | Op::False => Instr::Const(to, term == Terms::TRUE),
            Op::App(func) if !is_bool => {
                let table = self.tables.func(func);
                self.program.funcs.push(table);
                Instr::Func(to, table, self.arguments(frame, children.iter().copied()))
            }
            Op::App(func) => match row {
                Some(var) => {
                    let is_row = |t: &TermId| terms.op(*t) == Op::Var(var);
                    let along = children.iter().position(is_row).expect("rows run along an argument");
                    let view = self.tables.view(terms, func, along);
                    self.program.views.push(view);
                    Instr::Row(
                        to,
                        view,
                        self.arguments(frame, children.iter().copied().filter(|t| !is_row(t))),
                    )
                }
                None => {
                    let view = self.tables.main_view(terms, func);
                    self.program.views.push(view);
                    Instr::Rel(to, view, self.arguments(frame, children.iter().copied()))
                }
            },
            Op::Eq => match row {
                Some(var) if terms.op(children[0]) == Op::Var(var) => Instr::EqRow(to, child(frame, 1)),
                Some(_) => Instr::EqRow(to, child(frame, 0)),
                None => Instr::Eq(to, child(frame, 0), child(frame, 1)),
            },
            Op::Distinct => Instr::Distinct(to, self.arguments(frame, children.iter().copied())),
            Op::Not => Instr::Not(to, child(frame, 0)),
            op @ (Op::And | Op::Or) => {
                let make = |a, b| if op == Op::And { Instr::And(to, a, b) } else { Instr::Or(to, a, b) };
                frame.push(level, make(child(frame, 0), child(frame, 1)));
                for at in 2..children.len() {
                    frame.push(level, make(to, child(frame, at)));
                }
                frame.set_register(level, term, to);
                return;
            }
            Op::Iff => Instr::Iff(to, child(frame, 0), child(frame, 1)),
            Op::Ite if is_bool => Instr::Ite(to, child(frame, 0), child(frame, 1), child(frame, 2)),
            Op::Ite => Instr::Choose(to, child(frame, 0), child(frame, 1), child(frame, 2)),
            Op::Forall(id) => Instr::Forall(to, self.block(&terms.quantifier(id).variables, children[0])),
            other => unreachable!("outside the fragment: {other:?}"),
        };
        frame.push(level, instr);
        frame.set_register(level, term, to);
    }
}
