//! `(get-interpolants A B (and C D))`: sequence interpolants between groups of named assertions, in the syntax
//! of SMTInterpol (sequences only, no trees). What is answered has been proved again by the solver; what has
//! interpolants that we cannot make is `unsupported`.

use super::{Answered, Dialogue, Last, Response, not_now};
use crate::engine::interpolate::{Failure, Quotients, check, sequence_with_quotients};
use crate::frontend::smtlib::error::ReadError;
use crate::frontend::smtlib::sexpr::{NodeId, Tree};
use crate::logic::{TermId, print};

impl Dialogue {
    pub(super) fn get_interpolants(&mut self, tree: &Tree<'_>) -> Answered {
        let parts: Vec<NodeId> = tree.children(Tree::ROOT).skip(1).collect();
        if parts.len() < 2 {
            return Err(not_now(tree, "interpolants are between at least two groups of named assertions"));
        }
        let mut groups: Vec<Vec<TermId>> = Vec::new();
        for &part in &parts {
            groups.push(self.group(tree, part)?);
        }
        if !matches!(self.last, Last::Unsat { .. }) {
            let why =
                "there are no interpolants: the last check was not unsat, or something was asserted since";
            return Err(not_now(tree, why));
        }
        let limits = self.limits();
        // A copy: interpolants may need terms that the dialogue does not.
        let mut terms = self.solver.terms().clone();
        let mut quotients = Quotients::new(self.stack.context.quotients.clone());
        let found = match sequence_with_quotients(&mut terms, &groups, &mut quotients, &limits) {
            Ok(found) => found,
            Err(Failure::Satisfiable) => {
                return Err(not_now(
                    tree,
                    "the groups alone are not refuted by equality and linear integers",
                ));
            }
            Err(Failure::Unable(_)) => return Ok(Response::Unsupported),
            Err(failure) => return Err(not_now(tree, &format!("no interpolants: {failure}"))),
        };
        match check(&terms, &groups, &found, &quotients, &limits) {
            Some(true) => {}
            Some(false) => return Ok(Response::Internal("an interpolant fails its check".to_owned())),
            None => return Err(not_now(tree, "no interpolants: their check was not finished")),
        }
        let names: Vec<(String, String)> = quotients
            .divisors()
            .into_iter()
            .map(|(f, d)| (print::symbol(&terms.func(f).name), d.to_string()))
            .collect();
        let texts: Vec<String> = found.iter().map(|t| in_words(&print::term(&terms, *t), &names)).collect();
        Ok(Response::text(format!("({})", texts.join("\n "))))
    }

    /// A name, or `(and name ...)`.
    fn group(&self, tree: &Tree<'_>, part: NodeId) -> Result<Vec<TermId>, ReadError> {
        let names = match tree.symbol(part) {
            Some(_) => vec![part],
            None => {
                let list = tree.list(part, "a name, or (and name ...)")?;
                match list.split_first() {
                    Some((head, rest)) if tree.symbol(*head) == Some("and") => rest.to_vec(),
                    _ => return Err(tree.expected(part, "a name, or (and name ...)")),
                }
            }
        };
        let mut formulas = Vec::new();
        for node in names {
            let name = tree.expect_symbol(node, "the name of an assertion")?;
            let found = self.stack.assertions().iter().find(|a| a.name.as_deref() == Some(name));
            match found {
                Some(assertion) => formulas.push(assertion.formula),
                None => return Err(tree.expected(node, "the name of an assertion")),
            }
        }
        Ok(formulas)
    }
}

/// The text with `(div term n)` for applications of our symbols for quotients.
fn in_words(text: &str, names: &[(String, String)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut open: Vec<Option<&str>> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let quotient = |(name, _): &&(String, String)| {
            rest.strip_prefix('(')
                .and_then(|r| r.strip_prefix(name.as_str()))
                .is_some_and(|r| r.starts_with(' '))
        };
        if let Some((name, divisor)) = names.iter().find(quotient) {
            out.push_str("(div");
            open.push(Some(divisor));
            rest = &rest[1 + name.len()..];
            continue;
        }
        let length = match first {
            // A quoted symbol may have parentheses.
            '|' => 2 + rest[1..].find('|').unwrap_or(rest.len() - 2),
            _ => first.len_utf8(),
        };
        if first == '(' {
            open.push(None);
        } else if first == ')'
            && let Some(Some(divisor)) = open.pop()
        {
            out.push(' ');
            out.push_str(divisor);
        }
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out
}
