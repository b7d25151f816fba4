//! Reads what `proof::text` writes, and the problem that the proof is about.
//!
//! The problem is read again from the script by itself: the assertions in force at its last check and the
//! assumptions of that check. If they speak about the heap they are translated again, and the proof is about the
//! translation. The proof introduces its terms one by one over the names of the script. Nothing
//! here decides whether a proof is right; that is `certify`, which believes no step.

use crate::frontend::smtlib::context::Context;
use crate::frontend::smtlib::error::{Position, ReadError};
use crate::frontend::smtlib::sexpr::{Cutter, Kind, NodeId, Tree};
use crate::frontend::smtlib::stack::{Stack, command_name};
use crate::frontend::smtlib::stream::Stream;
use crate::logic::{FuncId, MAX_QUANTIFIER_DEPTH, Op, TermId, Terms};
use crate::proof::text::Translated;
use crate::proof::{Clause, Closing, Cut, Derivation, Literal, Proof, RuleStep, Source, Step};
use crate::rules::table::table;
use crate::util::num::Int;
use std::io::{self, BufRead};

/// What the last check of a script is about.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// The terms.
    pub terms: Terms,
    /// The formulas asserted at the last check.
    pub assertions: Vec<TermId>,
    /// The assumptions of the last check.
    pub assumptions: Vec<TermId>,
    /// Whether these are translations of formulas about the heap.
    pub is_translated: bool,
    translated: Translated,
    context: Context,
}

impl Problem {
    /// Reads a script up to its last `check-sat` or `check-sat-assuming`. As in a dialogue, commands with
    /// errors count for nothing. Nothing is solved.
    pub fn read(source: impl BufRead) -> io::Result<Result<Problem, ReadError>> {
        let mut stream = Stream::new(source);
        let mut chunks = Vec::new();
        let mut end = 0;
        while let Some(chunk) = stream.next_chunk()? {
            let Ok(chunk) = chunk else { continue };
            let Ok(Some(tree)) = Cutter::at(&chunk.text, chunk.at).next_tree() else { continue };
            match command_name(&tree) {
                Ok("exit") => break,
                Ok("check-sat" | "check-sat-assuming") => end = chunks.len() + 1,
                _ => {}
            }
            chunks.push(chunk);
        }
        if end == 0 {
            let at = Position { line: 1, column: 1 };
            return Ok(Err(ReadError::expected(at, "a script with a check-sat", "none")));
        }
        let (mut terms, mut stack) = (Terms::new(), Stack::default());
        let mut assumptions = Vec::new();
        for chunk in &chunks[..end] {
            let Ok(Some(tree)) = Cutter::at(&chunk.text, chunk.at).next_tree() else { continue };
            match command_name(&tree) {
                Ok("reset") => (terms, stack) = (Terms::new(), Stack::default()),
                Ok("set-option") => set_option(&tree, &mut stack),
                Ok("check-sat-assuming") => {
                    assumptions = match assumed(&tree, &mut terms, &mut stack) {
                        Ok(formulas) => formulas,
                        Err(error) => return Ok(Err(error)),
                    };
                }
                Ok("check-sat") => assumptions.clear(),
                _ => drop(stack.command(&mut terms, &tree)),
            }
        }
        let assertions: Vec<TermId> = stack.assertions().iter().map(|a| a.formula).collect();
        let mut context = stack.context;
        let mut said: Vec<TermId> = assertions.iter().chain(&assumptions).copied().collect();
        let is_translated = said.iter().any(|&f| context.needs_translation(&terms, f));
        let mut translated = Translated::default();
        if is_translated {
            said = match context.translate(&mut terms, &said) {
                Ok(translation) => translation.formulas,
                Err(outside) => {
                    let at = Position { line: 1, column: 1 };
                    return Ok(Err(ReadError::new(
                        at,
                        format!("the script has no translation: {}", outside.0),
                    )));
                }
            };
            translated = context.translated(&terms, &said);
        }
        let assumptions = said.split_off(assertions.len());
        Ok(Ok(Problem { terms, assertions: said, assumptions, is_translated, translated, context }))
    }

    /// Reads a proof about this problem. Its terms go into the store.
    pub fn read_proof(&mut self, text: &str) -> Result<Proof, ReadError> {
        let mut cutter = Cutter::new(text);
        let Some(tree) = cutter.next_tree()? else {
            let at = Position { line: 1, column: 1 };
            return Err(ReadError::expected(at, "(proof ...)", "nothing"));
        };
        if let Some(rest) = cutter.next_tree()? {
            return Err(rest.expected(Tree::ROOT, "the end after the proof"));
        }
        let mut reader = Reader { tree: &tree, problem: self, proof: Proof::default() };
        let items = tree.list(Tree::ROOT, "(proof ...)")?;
        match items.first() {
            Some(&head) if tree.symbol(head) == Some("proof") => {}
            _ => return Err(tree.expected(Tree::ROOT, "(proof ...)")),
        }
        for &item in &items[1..] {
            reader.item(item)?;
        }
        Ok(reader.proof)
    }
}

fn set_option(tree: &Tree<'_>, stack: &mut Stack) {
    let parts: Vec<NodeId> = tree.children(Tree::ROOT).collect();
    if let [_, key, value] = parts[..]
        && tree.text(key) == ":global-declarations"
        && let Some(word @ ("true" | "false")) = tree.symbol(value)
    {
        stack.global_declarations = word == "true";
    }
}

fn assumed(tree: &Tree<'_>, terms: &mut Terms, stack: &mut Stack) -> Result<Vec<TermId>, ReadError> {
    let [_, list] = tree.exactly(Tree::ROOT, "(check-sat-assuming (literal ...))")?;
    let nodes = tree.list(list, "a list of literals")?;
    nodes.into_iter().map(|node| stack.formula(terms, tree, node)).collect()
}

struct Reader<'r, 'a> {
    tree: &'r Tree<'a>,
    problem: &'r mut Problem,
    proof: Proof,
}

impl Reader<'_, '_> {
    fn item(&mut self, item: NodeId) -> Result<(), ReadError> {
        let tree = self.tree;
        let parts = tree.list(item, "an item of a proof")?;
        let Some((&head, parts)) = parts.split_first() else {
            return Err(tree.expected(item, "an item of a proof"));
        };
        let word = tree.expect_symbol(head, "an item of a proof")?;
        let step = match (word, parts) {
            ("define", &[name, meaning]) => return self.define(name, meaning),
            ("variable", &[name, label, sort, rank]) => return self.variable(name, label, sort, rank),
            ("symbol", &[name, args, result]) => return self.symbol(name, args, result),
            ("sort", &[name]) => return self.sort(name),
            ("translated", &[name, place]) => return self.translated(name, place),
            ("assertion", &[formula]) => Step::Assertion { formula: self.term(formula)? },
            ("connective", &[node, clause]) => {
                Step::Connective { node: self.term(node)?, clause: self.clause(clause)? }
            }
            ("instance", &[forall, values]) => {
                Step::Instance { forall: self.term(forall)?, values: self.terms(values)? }
            }
            ("skolem", &[forall, constants]) => {
                Step::Skolem { forall: self.term(forall)?, constants: self.terms(constants)? }
            }
            ("trichotomy", &[left, right]) => {
                Step::Trichotomy { left: self.term(left)?, right: self.term(right)? }
            }
            ("lemma", &[clause, ref rest @ .., closing]) => {
                let clause = self.clause(clause)?;
                let rules: Result<Vec<RuleStep>, ReadError> =
                    rest.iter().map(|&rule| self.rule(rule)).collect();
                let derivation = Derivation { rules: rules?, closing: self.closing(closing)? };
                Step::Lemma { clause, derivation }
            }
            ("propagation", &[clause]) => Step::Propagation { clause: self.clause(clause)? },
            _ => return Err(tree.expected(item, "an item of a proof")),
        };
        self.proof.steps.push(step);
        Ok(())
    }

    fn term(&mut self, node: NodeId) -> Result<TermId, ReadError> {
        self.problem.context.term(&mut self.problem.terms, self.tree, node)
    }

    fn terms(&mut self, list: NodeId) -> Result<Vec<TermId>, ReadError> {
        let nodes = self.tree.list(list, "a list of terms")?;
        nodes.into_iter().map(|node| self.term(node)).collect()
    }

    fn clause(&mut self, list: NodeId) -> Result<Clause, ReadError> {
        let formulas = self.terms(list)?;
        Ok(formulas.into_iter().map(|f| Literal::new(&self.problem.terms, f, true)).collect())
    }

    fn define(&mut self, name: NodeId, meaning: NodeId) -> Result<(), ReadError> {
        let tree = self.tree;
        let label = tree.expect_symbol(name, "a name")?;
        let parts: Vec<NodeId> = tree.children(meaning).collect();
        let term = match parts.first().and_then(|&head| tree.symbol(head)) {
            Some("forall") => self.forall(meaning, &parts)?,
            _ => self.term(meaning)?,
        };
        self.problem.context.define(label, term);
        Ok(())
    }

    /// `(forall (variable ...) body (hint ...) ...)`.
    fn forall(&mut self, node: NodeId, parts: &[NodeId]) -> Result<TermId, ReadError> {
        let &[_, variables, body, ref patterns @ ..] = parts else {
            return Err(self.tree.expected(node, "(forall (variable ...) body)"));
        };
        let variables = self.terms(variables)?;
        let body = self.term(body)?;
        let patterns: Result<Vec<Vec<TermId>>, ReadError> =
            patterns.iter().map(|&pattern| self.terms(pattern)).collect();
        let built = self.problem.terms.forall_with(&variables, body, &patterns?);
        built.map_err(|e| ReadError::build(self.tree.at(node), &e))
    }

    fn variable(&mut self, name: NodeId, label: NodeId, sort: NodeId, rank: NodeId) -> Result<(), ReadError> {
        let tree = self.tree;
        let name = tree.expect_symbol(name, "a name")?;
        let label = tree.expect_symbol(label, "the name of a variable")?;
        let Problem { terms, context, translated: made_by, .. } = &mut *self.problem;
        let sort = context.sort(terms, tree, sort)?;
        let translated = match tree.children(rank).collect::<Vec<_>>()[..] {
            [word, place] if tree.symbol(word) == Some("translated") => Some(place),
            _ => None,
        };
        let made = match (tree.symbol(rank), translated) {
            (_, Some(place)) => {
                let known = tree.text(place).parse().ok().and_then(|i: usize| made_by.variables.get(i));
                let Some(&var) = known else {
                    return Err(tree.expected(place, "a variable of the translation"));
                };
                if terms.variable_info(var).1 != sort {
                    return Err(tree.expected(place, "a variable of this sort"));
                }
                Ok(terms.intern(Op::Var(var), &[], sort))
            }
            (Some("new"), _) => terms.variable(label, sort),
            _ => {
                let place: usize =
                    tree.text(rank).parse().map_err(|_| tree.expected(rank, "a rank or new"))?;
                // As many as there can be around a binder.
                if place > MAX_QUANTIFIER_DEPTH as usize {
                    return Err(tree.expected(rank, "a smaller rank"));
                }
                context.ranked(terms, label, sort, place)
            }
        };
        let variable = made.map_err(|e| ReadError::build(tree.at(rank), &e))?;
        context.define(name, variable);
        Ok(())
    }

    fn symbol(&mut self, name: NodeId, args: NodeId, result: NodeId) -> Result<(), ReadError> {
        let tree = self.tree;
        let Problem { terms, context, .. } = &mut *self.problem;
        let label = context.new_name(terms, tree, name)?;
        let args = tree.list(args, "a list of sorts")?;
        let args: Result<Vec<_>, ReadError> =
            args.into_iter().map(|sort| context.sort(terms, tree, sort)).collect();
        let (args, result) = (args?, context.sort(terms, tree, result)?);
        if args.is_empty() {
            // The checker takes only such constants for Skolem constants.
            let constant = terms.fresh_const("proof", result);
            context.define(label, constant);
            return Ok(());
        }
        let declared = context.declare_fun(terms, label, &args, result);
        declared.map(drop).map_err(|e| ReadError::build(tree.at(name), &e))
    }

    /// A symbol of the translation, by its place.
    fn translated(&mut self, name: NodeId, place: NodeId) -> Result<(), ReadError> {
        let tree = self.tree;
        let place = self.index(place).ok().and_then(|i| self.problem.translated.symbols.get(i)).copied();
        let func = place.ok_or_else(|| tree.expected(name, "a symbol of the translation"))?;
        let Problem { terms, context, .. } = &mut *self.problem;
        let label = context.new_name(terms, tree, name)?;
        context.alias(label, func);
        Ok(())
    }

    fn sort(&mut self, name: NodeId) -> Result<(), ReadError> {
        let Problem { terms, context, .. } = &mut *self.problem;
        let label = context.new_sort(terms, self.tree, name)?;
        let declared = context.declare_sort(terms, label);
        declared.map(drop).map_err(|e| ReadError::build(self.tree.at(name), &e))
    }

    fn rule(&mut self, node: NodeId) -> Result<RuleStep, ReadError> {
        let tree = self.tree;
        let [word, field, rule, binding, choice] =
            tree.exactly(node, "(rule field name (term ...) alternative)")?;
        if tree.symbol(word) != Some("rule") {
            return Err(tree.expected(word, "rule"));
        }
        let name = tree.expect_symbol(rule, "the name of a rule")?;
        let rules = table().theory("lisbq").map_or(&[][..], |theory| &theory.rules);
        let known = rules.iter().find(|candidate| candidate.name == name);
        let known = known.ok_or_else(|| tree.expected(rule, "the name of a rule"))?;
        let alternative = match tree.symbol(choice) {
            Some("none") => None,
            _ => Some(self.index(choice)?),
        };
        let field = self.field(field)?;
        Ok(RuleStep { field, rule: &known.name, binding: self.terms(binding)?, alternative })
    }

    fn field(&mut self, node: NodeId) -> Result<FuncId, ReadError> {
        let Problem { terms, context, .. } = &mut *self.problem;
        context.link_field(terms, self.tree, node)
    }

    fn index(&self, node: NodeId) -> Result<usize, ReadError> {
        if self.tree.kind(node) != Kind::Numeral {
            return Err(self.tree.expected(node, "a number"));
        }
        self.tree.text(node).parse().map_err(|_| self.tree.expected(node, "a smaller number"))
    }

    fn closing(&mut self, node: NodeId) -> Result<Closing, ReadError> {
        let tree = self.tree;
        let parts = tree.list(node, "(contradiction) or (arithmetic ...)")?;
        let word = parts.first().and_then(|&head| tree.symbol(head));
        match (word, parts.len()) {
            (Some("contradiction"), 1) => Ok(Closing::Contradiction),
            (Some("arithmetic"), _) => {
                let cuts: Result<Vec<Cut>, ReadError> = parts[1..].iter().map(|&cut| self.cut(cut)).collect();
                Ok(Closing::Arithmetic(cuts?))
            }
            _ => Err(tree.expected(node, "(contradiction) or (arithmetic ...)")),
        }
    }

    fn cut(&mut self, node: NodeId) -> Result<Cut, ReadError> {
        let tree = self.tree;
        let parts = tree.list(node, "(cut (factor source) ...)")?;
        if parts.first().and_then(|&head| tree.symbol(head)) != Some("cut") {
            return Err(tree.expected(node, "(cut (factor source) ...)"));
        }
        let mut sum = Vec::with_capacity(parts.len() - 1);
        for &summand in &parts[1..] {
            let [factor, source] = tree.exactly(summand, "(factor source)")?;
            sum.push((self.number(factor)?, self.source(source)?));
        }
        Ok(Cut { sum })
    }

    fn number(&self, node: NodeId) -> Result<Int, ReadError> {
        let tree = self.tree;
        let digits = |node: NodeId| {
            let numeral = tree.kind(node) == Kind::Numeral;
            let parsed = tree.text(node).parse::<Int>().ok().filter(|_| numeral);
            parsed.ok_or_else(|| tree.expected(node, "a number"))
        };
        if tree.kind(node) != Kind::List {
            return digits(node);
        }
        let [minus, magnitude] = tree.exactly(node, "(- number)")?;
        if tree.symbol(minus) != Some("-") {
            return Err(tree.expected(minus, "-"));
        }
        Ok(-digits(magnitude)?)
    }

    fn source(&mut self, node: NodeId) -> Result<Source, ReadError> {
        let tree = self.tree;
        let parts = tree.list(node, "a source")?;
        let word = parts.first().and_then(|&head| tree.symbol(head));
        match (word, &parts[..]) {
            (Some("hypothesis"), &[_, n]) => Ok(Source::Hypothesis(self.index(n)?)),
            (Some("cut"), &[_, n]) => Ok(Source::Cut(self.index(n)?)),
            (Some("equal"), &[_, left, right]) => Ok(Source::Equal(self.term(left)?, self.term(right)?)),
            _ => Err(tree.expected(node, "(hypothesis n), (equal term term) or (cut n)")),
        }
    }
}
