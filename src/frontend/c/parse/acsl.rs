//! What people who know ACSL write first: logic functions, relations between behaviours, definitions that have no
//! model, and slips that deserve an answer better than "`;` is missing".

use super::super::ast::{Clause, ClauseKind, Expr, ExprKind, Parameter};
use super::super::token::{Kind, Name};
use super::{Parsed, Parser};
use crate::frontend::diagnostic::{Diagnostic, Span};

/// Definitions of ACSL without a model. Whoever does not use what they define need not know them.
pub(super) const DEFINITIONS: &[&str] = &["axiomatic", "axiom", "lemma", "inductive", "reads"];
/// Clauses of contracts and statements without a model.
pub(super) const CLAUSES: &[&str] = &["for", "breaks", "continues", "returns", "exits", "calls"];
/// What speaks of the whole unit and has no model.
pub(super) const GLOBAL: &[&str] = &["global", "type", "model", "import", "module", "include", "volatile"];

impl Parser<'_> {
    /// After `logic`: a definition `T f(...) = e` or `T c = e` comes, no list of constants.
    pub(super) fn defines(&self) -> bool {
        let mut at = 0;
        loop {
            match self.peek_at(at).kind {
                Kind::Punct("(" | "=" | "{" | "<") => return true,
                Kind::Punct(";" | ",") | Kind::Close | Kind::End => return false,
                _ => at += 1,
            }
        }
    }

    /// `(T *x, ...)`, or nothing.
    pub(super) fn formal_parameters(&mut self) -> Parsed<Vec<Parameter>> {
        let mut parameters = Vec::new();
        if self.eat("(") && !self.eat(")") {
            loop {
                let specifiers = self.bound_type()?;
                parameters.push(self.parameter(&specifiers)?);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        Ok(parameters)
    }

    /// `logic T f(T *x) = e;`: a value with a name, expanded where it is used.
    pub(super) fn logic_definition(&mut self, start: Span) -> Parsed<Option<Clause>> {
        let inner = self.scopes.split_off(1);
        let definition = self.logic_body();
        self.scopes.truncate(1);
        self.scopes.extend(inner);
        match definition? {
            Some((name, parameters, body)) => {
                let kind = ClauseKind::Predicate { name, parameters, body, is_value: true };
                Ok(Some(Clause { kind, span: start.to(self.previous()) }))
            }
            None => self.unmodelled("logic", start),
        }
    }

    /// `None`: it has labels, type parameters, another type than we know, or no body.
    fn logic_body(&mut self) -> Parsed<Option<(Name, Vec<Parameter>, Expr)>> {
        if !self.type_follows(0) && !self.at_word("integer") && !self.at_word("boolean") {
            return Ok(None);
        }
        self.bound_type()?;
        while self.eat("*") {}
        let (name, _) = self.ident("the name of a logic function")?;
        if !self.at("(") && !self.at("=") {
            self.at -= 1;
            return Ok(None);
        }
        let back = self.at - 1;
        let parameters = self.formal_parameters()?;
        if !self.eat("=") {
            self.at = back;
            return Ok(None);
        }
        let body = self.bound(parameters.iter(), Self::assignment_expression)?;
        self.expect(";")?;
        Ok(Some((name, parameters, body)))
    }

    /// `\forall` and `\exists` have a `;` before their body.
    pub(super) fn is_quantifier(&self, name: Name) -> bool {
        matches!(self.names.text(name), "forall" | "exists")
    }

    /// One complaint for a clause without a model; the names that it defines are remembered, so that their uses
    /// are no complaints of their own.
    pub(super) fn unmodelled(&mut self, word: &str, start: Span) -> Parsed<Option<Clause>> {
        let mut names = Vec::new();
        let (mut depth, mut quantifiers) = (0usize, 0usize);
        let mut previous = None;
        while !matches!(self.peek().kind, Kind::Close | Kind::End) {
            let token = self.bump();
            match token.kind {
                Kind::Builtin(name) if self.is_quantifier(name) => quantifiers += usize::from(depth == 0),
                Kind::Punct(";") if depth == 0 && quantifiers > 0 => quantifiers -= 1,
                Kind::Punct("(" | "{" | "[") => {
                    names.extend(previous);
                    depth += 1;
                }
                Kind::Punct(")" | "]") => depth = depth.saturating_sub(1),
                Kind::Punct("}") => {
                    depth = depth.saturating_sub(1);
                    let ends = depth == 0 && word == "axiomatic";
                    if ends {
                        break;
                    }
                }
                Kind::Punct(";") if depth == 0 => break,
                Kind::Punct("=") if depth <= 1 => names.extend(previous),
                _ => {}
            }
            previous = token.ident();
        }
        let help = match word {
            "lemma" => {
                "nothing has to be helped: the engines find such facts, or `assert` says one where it is needed"
            }
            "axiomatic" | "axiom" | "inductive" => {
                "reachability is built in (`x -next*-> y`, `\\list`, `\\cells`); `predicate p(T *x) = P;` defines others"
            }
            "logic" | "reads" => "`logic int f(T *x) = e;` defines a value without recursion",
            _ => "`requires`, `ensures`, `assigns` and `behavior` say what a function does",
        };
        let text = format!("`{word}` is not modelled");
        let diagnostic = Diagnostic::unsupported("annotation", start, text).help(help);
        if GLOBAL.contains(&word) {
            self.strange.push(diagnostic);
        } else {
            self.diagnostics.push(diagnostic);
        }
        let kind = if CLAUSES.contains(&word) { ClauseKind::Broken } else { ClauseKind::Unmodelled(names) };
        Ok(Some(Clause { kind, span: start }))
    }

    /// After `complete` or `disjoint`: `behaviors;` or `behaviors A, B;`
    pub(super) fn behaviors_relation(&mut self, complete: bool) -> Parsed<ClauseKind> {
        if !self.eat_word("behaviors") && !self.eat_word("behaviours") {
            return self.unexpected("`behaviors`");
        }
        let mut names = Vec::new();
        if !self.at(";") {
            names.push(self.ident("the name of a behaviour")?);
            while self.eat(",") {
                names.push(self.ident("the name of a behaviour")?);
            }
        }
        self.expect(";")?;
        Ok(ClauseKind::Relation { complete, names })
    }

    /// `logic integer c;` would range over more than any variable holds.
    pub(super) fn no_unbounded(&mut self) -> Parsed<()> {
        if !self.at_word("integer") {
            return Ok(());
        }
        let span = self.peek().span;
        let text = "a logical constant without bounds is not modelled";
        let diagnostic =
            Diagnostic::error("annotation", span, text).help("give it a type of C: `logic long long c;`");
        Err(self.report(diagnostic))
    }

    /// `\from ...` after a location of `assigns`, up to the end of the clause: what values depend on is not checked.
    pub(super) fn dependencies(&mut self) -> bool {
        let Kind::Builtin(name) = self.peek().kind else { return false };
        if self.names.text(name) != "from" {
            return false;
        }
        let span = self.peek().span;
        while !matches!(self.peek().kind, Kind::Close | Kind::End) && !self.eat(";") {
            self.bump();
        }
        let text = "what values depend on is not checked: `\\from` has no effect";
        self.diagnostics.push(Diagnostic::warning("annotation", span, text));
        true
    }

    /// The `;` after a formula. Where it is missing, the words around may tell why.
    pub(super) fn end_of_formula(&mut self, formula: &Expr) -> Parsed<()> {
        let operator = match self.word() {
            Some("and" | "AND") => Some("&&"),
            Some("or" | "OR") => Some("||"),
            Some("implies" | "then") => Some("==>"),
            Some("iff") => Some("<==>"),
            _ => None,
        };
        if let Some(operator) = operator {
            let text = format!("{} is no operator", self.spell(self.peek()));
            let help = format!("did you mean `{operator}`?");
            return Err(self.report(Diagnostic::error("syntax", self.peek().span, text).help(help)));
        }
        if let ExprKind::Name(name) = formula.kind
            && let word @ ("forall" | "exists") = self.names.text(name)
            && !self.at(";")
        {
            let help = format!("did you mean `\\{word}`?");
            let text = format!("a quantifier begins with a backslash, found `{word}`");
            return Err(self.report(Diagnostic::error("syntax", formula.span, text).help(help)));
        }
        self.expect(";")?;
        Ok(())
    }
}
