//! Specifiers of structs, unions and enumerations.

use super::super::ast::{Alignment, Enumeration, Member, Record, TypeExpr};
use super::super::token::Kind;
use super::{Parsed, Parser, is_keyword};
use std::rc::Rc;

impl Parser<'_> {
    pub(super) fn record(&mut self) -> Parsed<TypeExpr> {
        let word = self.bump();
        let outer = self.take_attributes();
        let union = word.ident().is_some_and(|n| self.names.text(n) == "union");
        self.skip_attributes();
        let mut span = word.span;
        let mut tag = None;
        if let Some(name) = self.peek().ident().filter(|n| !is_keyword(self.names.text(*n))) {
            span = span.to(self.bump().span);
            tag = Some(name);
        }
        let mut members = None;
        let body = self.at;
        let mut pragma = Alignment::Natural;
        if self.eat("{") {
            members = Some(self.members()?);
            for (range, bytes) in self.packed {
                if range.start <= body && self.at < range.end {
                    pragma = pragma.and(Alignment::AtMost(*bytes));
                } else if range.start < self.at && body < range.end {
                    pragma = Alignment::Unknown;
                }
            }
            self.skip_attributes();
        } else if tag.is_none() {
            return self.unexpected("a struct's tag or `{`");
        }
        let own = std::mem::replace(&mut self.attributes, outer);
        let alignment = match pragma {
            _ if own.layout || own.strange => Alignment::Unknown,
            Alignment::Natural | Alignment::AtMost(_) if own.packed => Alignment::AtMost(1),
            pragma => pragma,
        };
        Ok(TypeExpr::Record(Rc::new(Record { union, tag, members, alignment, span })))
    }

    fn members(&mut self) -> Parsed<Vec<Member>> {
        let mut members = Vec::new();
        loop {
            if self.peek().kind == Kind::Open {
                let ghosts = self.ghost_members();
                let ghost =
                    |(name, ty, span)| Member { name: Some(name), ty, width: None, ghost: true, span };
                members.extend(ghosts.into_iter().map(ghost));
                continue;
            }
            if self.eat("}") {
                return Ok(members);
            }
            if self.eat(";") {
                continue;
            }
            if self.at_word("_Static_assert") {
                self.static_assert()?;
                continue;
            }
            self.member(&mut members)?;
        }
    }

    fn member(&mut self, members: &mut Vec<Member>) -> Parsed<()> {
        let mut base = self.specifiers()?;
        // What a member says about sizes belongs to the struct.
        let mut outer = self.take_attributes();
        loop {
            let span = self.peek().span;
            let (mut name, mut ty) = (None, base.ty.clone());
            if !self.at(";") && !self.at(":") {
                let (found, derived, _) = self.declarator(&base.ty)?;
                (name, ty) = (found, derived);
            }
            let width = if self.eat(":") { Some(self.nested(|p| p.binary_expression(3))?) } else { None };
            self.skip_attributes();
            let attributes = self.take_attributes();
            base.specifiers.attributes.add(attributes);
            outer.layout |= base.specifiers.attributes.layout || base.specifiers.attributes.packed;
            if let Some(what) = base.specifiers.unmodelled() {
                ty = TypeExpr::Unsupported(what);
            }
            let span = if self.at(";") && name.is_none() { base.span } else { span.to(self.previous()) };
            members.push(Member { name, ty, width, ghost: false, span });
            if !self.eat(",") {
                break;
            }
        }
        self.attributes = outer;
        self.expect(";")?;
        Ok(())
    }

    pub(super) fn enumeration(&mut self) -> Parsed<TypeExpr> {
        let outer = self.take_attributes();
        self.bump();
        self.skip_attributes();
        let tag = self.peek().ident().filter(|n| !is_keyword(self.names.text(*n)));
        if tag.is_some() {
            self.bump();
        }
        let mut constants = None;
        if self.eat("{") {
            let mut list = Vec::new();
            while !self.eat("}") {
                let (name, span) = self.ident("an enumerator")?;
                self.skip_attributes();
                let value = if self.eat("=") { Some(self.nested(|p| p.binary_expression(3))?) } else { None };
                self.declare(name, false);
                list.push((name, value, span));
                if !self.eat(",") && !self.at("}") {
                    return self.unexpected("`,` or `}`");
                }
            }
            self.skip_attributes();
            constants = Some(list);
        } else if tag.is_none() {
            return self.unexpected("an enumeration's tag or `{`");
        }
        let own = std::mem::replace(&mut self.attributes, outer);
        let laid_out = own.layout || own.packed || own.strange;
        Ok(TypeExpr::Enum(Rc::new(Enumeration { tag, constants, laid_out })))
    }
}
