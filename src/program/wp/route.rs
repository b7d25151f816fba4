//! Which way the edges of a location stand for.

use super::Walk;
use super::state::Symbolic;
use crate::logic::{SortId, TermId, Terms};
use crate::program::command::Command;
use crate::program::decl::EdgeId;
use crate::program::encode::Inexpressible;

impl Walk<'_> {
    /// The decision that each outgoing edge stands for. No two hold together.
    pub(super) fn routes(
        &mut self,
        edges: &[EdgeId],
        state: &Symbolic,
    ) -> Result<Vec<TermId>, Inexpressible> {
        let program = self.program;
        let condition = |edge: &EdgeId| match &program.edges[edge.index()].command {
            Command::Assume(cond) => Some(cond),
            _ => None,
        };
        if let [_] = edges {
            return Ok(vec![Terms::TRUE]);
        }
        if let [yes, no] = edges
            && let (Some(c), Some(d)) = (condition(yes), condition(no))
            && (c.negated() == *d || d.negated() == *c)
        {
            let route = self.encoder.cond(&state.now, c)?;
            let other = self.encoder.terms.not(route)?;
            return Ok(vec![route, other]);
        }
        let mut routes = Vec::new();
        let mut rest = Terms::TRUE;
        for i in 0..edges.len() {
            if i + 1 == edges.len() {
                routes.push(rest);
                break;
            }
            let choice = self.encoder.unknown("branch", SortId::BOOL)?;
            routes.push(self.encoder.terms.and(&[rest, choice])?);
            let not = self.encoder.terms.not(choice)?;
            rest = self.encoder.terms.and(&[rest, not])?;
        }
        Ok(routes)
    }
}
