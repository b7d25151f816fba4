//! Proofs as text: the answer to `get-proof`, the file of `solve --proof`. `docs/proof.md` is the reference.
//!
//! A proof is one S-expression, `(proof item ...)`. Terms are written once each, as a flat node over earlier
//! nodes, so the text is as long as the proof with its terms as a DAG. What the script declares is called
//! by its name; symbols that the solver made are declared first. Bound variables of the script are
//! identified by name, sort and rank, the place of the variable among those that the reader of scripts made
//! for this name and sort. The reader of proofs is `frontend::smtlib::proof`.

use super::{Clause, Closing, Cut, Derivation, Literal, Proof, RuleStep, Source, Step};
use crate::logic::print::{self, number, symbol};
use crate::logic::{FuncId, Op, SortId, TermId, Terms, VarId};
use crate::util::hash::{Map, Set};
use std::fmt::Write as _;

/// How the script of a proof calls things.
pub struct Names<'a> {
    /// The ranks of the script's variables; other variables are the solver's own.
    pub ranks: Map<VarId, usize>,
    /// Whether the script can call a symbol by its name at the time of the check.
    pub sees: &'a dyn Fn(FuncId) -> bool,
    /// The same for sorts.
    pub sees_sort: &'a dyn Fn(SortId) -> bool,
    /// What a translation of the script made; nothing for most scripts.
    pub translated: Translated,
}

/// Symbols and variables in translated assertions that the script cannot call by a name. Whoever translates the
/// script again finds the same ones in the same order, so each is known by its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Translated {
    /// Symbols in the order of their making.
    pub symbols: Vec<FuncId>,
    /// Variables in the order of their making.
    pub variables: Vec<VarId>,
}

impl Translated {
    /// Collects them from formulas; `is_named` tells the variables of the script.
    pub fn of(terms: &Terms, formulas: &[TermId], is_named: impl Fn(VarId) -> bool) -> Translated {
        let (mut symbols, mut variables) = (Vec::new(), Vec::new());
        let mut seen = Set::default();
        let mut open = formulas.to_vec();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match terms.op(term) {
                Op::App(func) | Op::Between(func) if terms.func(func).internal => symbols.push(func),
                Op::Forall(id) => {
                    let quantifier = terms.quantifier(id);
                    variables.extend(quantifier.variables.iter().copied().filter(|&var| !is_named(var)));
                    open.extend(quantifier.patterns.iter().flatten());
                }
                _ => {}
            }
            open.extend(terms.children(term));
        }
        symbols.sort_unstable_by_key(|func| func.index());
        symbols.dedup();
        variables.sort_unstable_by_key(|var| var.0);
        variables.dedup();
        Translated { symbols, variables }
    }

    fn symbol(&self, func: FuncId) -> Option<usize> {
        self.symbols.binary_search_by_key(&func.index(), |known| known.index()).ok()
    }

    fn variable(&self, var: VarId) -> Option<usize> {
        self.variables.binary_search_by_key(&var.0, |known| known.0).ok()
    }
}

/// The text of a proof about terms of this store, without a newline at the end.
pub fn print(terms: &Terms, names: &Names<'_>, proof: &Proof) -> String {
    let mut printer = Printer {
        terms,
        names,
        sorts: Set::default(),
        mark: mark(terms),
        out: "(proof".to_owned(),
        nodes: Set::default(),
        symbols: Set::default(),
        variables: Set::default(),
    };
    for step in &proof.steps {
        printer.step(step);
    }
    printer.out.push(')');
    printer.out
}

/// The prefix of the names that the text introduces; no symbol of the user starts with it.
fn mark(terms: &Terms) -> String {
    let mut mark = "@".to_owned();
    while terms.funcs().any(|(_, func)| !func.internal && func.name.starts_with(&mark)) {
        mark.push('@');
    }
    mark
}

struct Printer<'a> {
    terms: &'a Terms,
    names: &'a Names<'a>,
    mark: String,
    out: String,
    nodes: Set<TermId>,
    symbols: Set<FuncId>,
    sorts: Set<SortId>,
    variables: Set<VarId>,
}

impl Printer<'_> {
    /// A line of the text. What it mentions must have been introduced.
    fn line(&mut self, line: &str) {
        self.out.push_str("\n ");
        self.out.push_str(line);
    }

    /// The name of a node, introduced with everything below it.
    fn term(&mut self, root: TermId) -> String {
        let mut stack = vec![(root, false)];
        while let Some((term, children_done)) = stack.pop() {
            if self.nodes.contains(&term) {
                continue;
            }
            if children_done {
                self.nodes.insert(term);
                self.introduce(term);
                continue;
            }
            stack.push((term, true));
            stack.extend(self.terms.children(term).iter().rev().map(|&child| (child, false)));
            if let Op::Forall(id) = self.terms.op(term) {
                stack.extend(self.terms.quantifier(id).patterns.iter().flatten().map(|&hint| (hint, false)));
            }
        }
        self.node_name(root)
    }

    fn node_name(&self, term: TermId) -> String {
        format!("{}{}", self.mark, term.index())
    }

    fn introduce(&mut self, term: TermId) {
        let terms = self.terms;
        let children: Vec<String> = terms.children(term).iter().map(|&child| self.node_name(child)).collect();
        let joined = children.join(" ");
        let head = match terms.op(term) {
            Op::True => return self.define(term, "true"),
            Op::False => return self.define(term, "false"),
            Op::Num(id) => return self.define(term, &number(terms.number(id))),
            Op::Var(var) => return self.variable(term, var),
            Op::App(func) => {
                let name = self.symbol(func);
                if children.is_empty() {
                    return self.define(term, &name);
                }
                name
            }
            Op::Not => "not".to_owned(),
            Op::And => "and".to_owned(),
            Op::Or => "or".to_owned(),
            Op::Iff | Op::Eq => "=".to_owned(),
            Op::Ite => "ite".to_owned(),
            Op::Distinct => "distinct".to_owned(),
            Op::Between(field) => format!("(_ between {})", self.symbol(field)),
            Op::Le(id) => {
                let bound = number(terms.number(id));
                return self.define(term, &format!("(<= {joined} {bound})"));
            }
            Op::Lin(id) => {
                let form = terms.form(id);
                let mut sum = "(+".to_owned();
                for (part, factor) in &form.terms {
                    let _ = write!(sum, " (* {} {})", number(factor), self.node_name(*part));
                }
                let _ = write!(sum, " {})", number(&form.constant));
                return self.define(term, &sum);
            }
            Op::Forall(id) => {
                let quantifier = terms.quantifier(id);
                let variables: Vec<String> =
                    quantifier.variables.iter().map(|&var| self.bound(var)).collect();
                let mut text = format!("(forall ({}) {joined}", variables.join(" "));
                for pattern in &quantifier.patterns {
                    let hints: Vec<String> = pattern.iter().map(|&hint| self.node_name(hint)).collect();
                    let _ = write!(text, " ({})", hints.join(" "));
                }
                text.push(')');
                return self.define(term, &text);
            }
        };
        self.define(term, &format!("({head} {joined})"));
    }

    fn define(&mut self, term: TermId, meaning: &str) {
        self.line(&format!("(define {} {meaning})", self.node_name(term)));
    }

    fn bound(&mut self, var: VarId) -> String {
        let name = format!("{}v{}", self.mark, var.0);
        if self.variables.insert(var) {
            let (label, sort) = self.terms.variable_info(var);
            let (label, sort) = (symbol(label), self.sort(sort));
            let rank = match (self.names.ranks.get(&var), self.names.translated.variable(var)) {
                (Some(rank), _) => rank.to_string(),
                (None, Some(place)) => format!("(translated {place})"),
                (None, None) => "new".to_owned(),
            };
            self.line(&format!("(variable {name} {label} {sort} {rank})"));
        }
        name
    }

    fn variable(&mut self, term: TermId, var: VarId) {
        let name = self.bound(var);
        self.define(term, &name);
    }

    fn symbol(&mut self, func: FuncId) -> String {
        let known = self.terms.func(func);
        if !known.internal && (self.names.sees)(func) {
            return print::func(self.terms, func);
        }
        let name = format!("{}f{}", self.mark, func.index());
        if let Some(place) = self.names.translated.symbol(func) {
            if self.symbols.insert(func) {
                self.line(&format!("(translated {name} {place})"));
            }
            return name;
        }
        if self.symbols.insert(func) {
            let sorts: Vec<String> = known.args.iter().map(|&sort| self.sort(sort)).collect();
            let result = self.sort(known.result);
            self.line(&format!("(symbol {name} ({}) {result})", sorts.join(" ")));
        }
        name
    }

    fn sort(&mut self, sort: SortId) -> String {
        if !sort.is_uninterpreted() || (self.names.sees_sort)(sort) {
            return print::sort(self.terms, sort);
        }
        let name = format!("{}s{}", self.mark, sort.index());
        if self.sorts.insert(sort) {
            self.line(&format!("(sort {name})"));
        }
        name
    }

    fn list(&mut self, terms: &[TermId]) -> String {
        let names: Vec<String> = terms.iter().map(|&term| self.term(term)).collect();
        format!("({})", names.join(" "))
    }

    fn clause(&mut self, clause: &Clause) -> String {
        let literals: Vec<String> = clause
            .iter()
            .map(|&Literal { atom, positive }| {
                let name = self.term(atom);
                if positive { name } else { format!("(not {name})") }
            })
            .collect();
        format!("({})", literals.join(" "))
    }

    fn step(&mut self, step: &Step) {
        let line = match step {
            Step::Assertion { formula } => format!("(assertion {})", self.term(*formula)),
            Step::Connective { node, clause } => {
                let node = self.term(*node);
                format!("(connective {node} {})", self.clause(clause))
            }
            Step::Instance { forall, values } => {
                let forall = self.term(*forall);
                format!("(instance {forall} {})", self.list(values))
            }
            Step::Skolem { forall, constants } => {
                let forall = self.term(*forall);
                format!("(skolem {forall} {})", self.list(constants))
            }
            Step::Trichotomy { left, right } => {
                let left = self.term(*left);
                format!("(trichotomy {left} {})", self.term(*right))
            }
            Step::Lemma { clause, derivation } => {
                let clause = self.clause(clause);
                format!("(lemma {clause}{})", self.derivation(derivation))
            }
            Step::Propagation { clause } => format!("(propagation {})", self.clause(clause)),
        };
        self.line(&line);
    }

    fn derivation(&mut self, derivation: &Derivation) -> String {
        let mut text = String::new();
        for RuleStep { field, rule, binding, alternative } in &derivation.rules {
            let field = self.symbol(*field);
            let choice = alternative.map_or("none".to_owned(), |n| n.to_string());
            let _ = write!(text, " (rule {field} {rule} {} {choice})", self.list(binding));
        }
        match &derivation.closing {
            Closing::Contradiction => text.push_str(" (contradiction)"),
            Closing::Arithmetic(cuts) => {
                text.push_str(" (arithmetic");
                for Cut { sum } in cuts {
                    text.push_str(" (cut");
                    for (factor, source) in sum {
                        let source = match source {
                            Source::Hypothesis(n) => format!("(hypothesis {n})"),
                            Source::Cut(n) => format!("(cut {n})"),
                            Source::Equal(left, right) => {
                                let left = self.term(*left);
                                format!("(equal {left} {})", self.term(*right))
                            }
                        };
                        let _ = write!(text, " ({} {source})", number(factor));
                    }
                    text.push(')');
                }
                text.push(')');
            }
        }
        text
    }
}
