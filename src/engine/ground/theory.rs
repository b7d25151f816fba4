//! Theories of the rule files as universal formulas, so that problems over them are plain EPR problems.
//!
//! A relation symbol of two arguments stands for `x -> y`. The rule files are the only place where the axioms
//! are written down (PDR paper, Table 4, in `rules/acyclic.rules`).

use crate::logic::{BuildError, FuncId, SortId, TermId, Terms};
use crate::rules::syntax::{Arg, Head, Pattern, Rule};
use crate::rules::table::table;

/// The rules of a theory as closed formulas over `relation` (two arguments of the sort of `null`).
pub fn axioms(
    terms: &mut Terms,
    theory: &str,
    relation: FuncId,
    null: TermId,
) -> Result<Vec<TermId>, BuildError> {
    let unsupported = |what: &str| BuildError::Unsupported(format!("theory {theory}: {what}"));
    let theory = table().theory(theory).ok_or_else(|| unsupported("there is none of this name"))?;
    if !theory.is_binary() {
        return Err(unsupported("a fact speaks of three cells"));
    }
    let sort = terms.sort(null);
    let symbol = terms.func(relation);
    if symbol.args[..] != [sort, sort] || symbol.result != SortId::BOOL {
        return Err(unsupported("expected a relation on the sort of null"));
    }
    theory.rules.iter().map(|rule| axiom(terms, rule, relation, null)).collect()
}

fn axiom(terms: &mut Terms, rule: &Rule, relation: FuncId, null: TermId) -> Result<TermId, BuildError> {
    let sort = terms.sort(null);
    let mut variables = Vec::new();
    for name in &rule.variables {
        variables.push(terms.variable(name, sort)?);
    }
    let term = |arg: Arg| match arg {
        Arg::Var(x) => Ok(variables[x as usize]),
        Arg::Null => Ok(null),
        Arg::App(_) => Err(successor(rule)),
    };
    let mut parts = Vec::new();
    for premise in &rule.premises {
        let fact = match *premise {
            Pattern::Occurs(_) => continue,
            Pattern::Between(p, q, _) => terms.app(relation, &[term(p)?, term(q)?])?,
            Pattern::Equal(p, q) => terms.eq(term(p)?, term(q)?)?,
            Pattern::Term(_) => return Err(successor(rule)),
        };
        parts.push(terms.not(fact)?);
    }
    for alternative in &rule.alternatives {
        let mut heads = Vec::new();
        for head in alternative {
            heads.push(match *head {
                Head::Between(p, q, _) => terms.app(relation, &[term(p)?, term(q)?])?,
                Head::Equal(p, q) => terms.eq(term(p)?, term(q)?)?,
            });
        }
        parts.push(terms.and(&heads)?);
    }
    let body = terms.or(&parts)?;
    terms.forall(&variables, body)
}

fn successor(rule: &Rule) -> BuildError {
    BuildError::Unsupported(format!("rule {}: it speaks of successors", rule.name))
}
