//! Built-in constructs of compilers that take types: what `offsetof` and `va_arg` are made of.

use super::super::ast::{Designator, Expr, ExprKind};
use super::expression::CONDITIONAL;
use super::{Parsed, Parser};

impl Parser<'_> {
    /// `__builtin_offsetof(T, member)`
    pub(super) fn offset_of(&mut self) -> Parsed<Expr> {
        let start = self.bump().span;
        self.expect("(")?;
        let ty = self.type_name()?;
        self.expect(",")?;
        let (name, span) = self.ident("a member")?;
        let mut way = vec![Designator::Field(name, span)];
        loop {
            if self.eat(".") {
                let (name, span) = self.ident("a member")?;
                way.push(Designator::Field(name, span));
            } else if self.eat("[") {
                way.push(Designator::Index(self.nested(|p| p.expression())?));
                self.expect("]")?;
            } else {
                break;
            }
        }
        let span = start.to(self.expect(")")?);
        self.expr(ExprKind::Offsetof(ty, way), span)
    }

    /// `__builtin_va_arg(ap, T)`
    pub(super) fn va_arg(&mut self) -> Parsed<Expr> {
        let start = self.bump().span;
        self.expect("(")?;
        let list = self.nested(|p| p.binary_expression(CONDITIONAL))?;
        self.expect(",")?;
        let ty = self.type_name()?;
        let span = start.to(self.expect(")")?);
        self.expr(ExprKind::VaArg(Box::new(list), ty), span)
    }

    /// `__builtin_types_compatible_p(T, U)`
    pub(super) fn types_compatible(&mut self) -> Parsed<Expr> {
        let start = self.bump().span;
        self.expect("(")?;
        let one = self.type_name()?;
        self.expect(",")?;
        let other = self.type_name()?;
        let span = start.to(self.expect(")")?);
        self.expr(ExprKind::TypesCompatible(one, other), span)
    }
}
