//! `(get-interpolants A B (and C D))`: sequence interpolants between groups of named assertions, in the syntax
//! of SMTInterpol (sequences only, no trees). What is answered has been proved again by the solver.

use super::{Answered, Dialogue, Last, Response, not_now};
use crate::engine::interpolate::{Failure, check, sequence};
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
        let found = match sequence(&mut terms, &groups, &limits) {
            Ok(found) => found,
            Err(Failure::Satisfiable) => {
                return Err(not_now(
                    tree,
                    "the groups alone are not refuted by equality and linear integers",
                ));
            }
            Err(failure) => return Err(not_now(tree, &format!("no interpolants: {failure}"))),
        };
        match check(&terms, &groups, &found, &limits) {
            Some(true) => {}
            Some(false) => return Ok(Response::Internal("an interpolant fails its check".to_owned())),
            None => return Err(not_now(tree, "no interpolants: their check was not finished")),
        }
        let texts: Vec<String> = found.iter().map(|t| print::term(&terms, *t)).collect();
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
