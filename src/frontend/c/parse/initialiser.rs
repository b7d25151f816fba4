//! Initialisers: values, lists, designators.

use super::super::ast::{Designator, Init};
use super::{Parsed, Parser};

impl Parser<'_> {
    /// A value, or a list in braces.
    pub(super) fn initialiser(&mut self) -> Parsed<Init> {
        if !self.at("{") {
            return Ok(Init::Expr(self.assignment_expression()?));
        }
        let open = self.bump().span;
        let mut entries = Vec::new();
        while !self.at("}") {
            let mut designators = Vec::new();
            loop {
                if self.at(".") {
                    self.bump();
                    let (name, span) = self.ident("a member's name")?;
                    designators.push(Designator::Field(name, span));
                } else if self.at("[") {
                    self.bump();
                    let index = self.assignment_expression()?;
                    if self.eat("...") {
                        let last = self.assignment_expression()?;
                        designators.push(Designator::Range(index, last));
                    } else {
                        designators.push(Designator::Index(index));
                    }
                    self.expect("]")?;
                } else {
                    break;
                }
            }
            if !designators.is_empty() {
                self.expect("=")?;
            }
            let value = self.nested(|p| p.initialiser())?;
            entries.push((designators, value));
            if !self.eat(",") {
                break;
            }
        }
        let close = self.expect("}")?;
        Ok(Init::List(entries, open.to(close)))
    }
}
