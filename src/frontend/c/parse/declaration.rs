//! Specifiers, declarators, type names, initialisers.

use super::super::ast::{
    Basic, Declaration, Declarator, Expr, FunctionType, Parameter, Specifiers, TypeExpr,
};
use super::super::token::{Kind, Name};
use super::{Parsed, Parser, is_keyword};
use crate::frontend::diagnostic::{Diagnostic, Span};

/// What stands before the declarators.
#[derive(Clone)]
pub(super) struct Base {
    pub(super) specifiers: Specifiers,
    pub(super) ty: TypeExpr,
    pub(super) span: Span,
}

/// One step from the declared name outwards.
enum Derivation {
    Pointer,
    /// The pointer before it may change by itself.
    Volatile,
    Array(Option<Box<Expr>>),
    Function(Vec<Parameter>, bool, bool),
}

/// The words of arithmetic types, counted.
#[derive(Clone, Default)]
struct Words {
    bool_: u8,
    char_: u8,
    short: u8,
    int: u8,
    long: u8,
    signed: u8,
    unsigned: u8,
    void: u8,
    float: u8,
    double: u8,
    /// Complex numbers and other sizes.
    floating: u8,
}

impl Words {
    fn count(&mut self, word: &str) -> bool {
        let slot = match word {
            "_Bool" => &mut self.bool_,
            "char" => &mut self.char_,
            "short" => &mut self.short,
            "int" => &mut self.int,
            "long" => &mut self.long,
            "signed" | "__signed__" | "__signed" => &mut self.signed,
            "unsigned" => &mut self.unsigned,
            "void" => &mut self.void,
            "float" => &mut self.float,
            "double" => &mut self.double,
            "_Complex" | "__complex__" | "_Float16" | "_Float32" | "_Float64" | "_Float32x" | "_Float64x" => {
                &mut self.floating
            }
            _ => return false,
        };
        *slot = slot.saturating_add(1);
        true
    }

    fn any(&self) -> bool {
        let w = self;
        [w.bool_, w.char_, w.short, w.int, w.long, w.signed, w.unsigned, w.void].iter().any(|n| *n > 0)
            || w.floats() > 0
    }

    fn floats(&self) -> u8 {
        self.float.saturating_add(self.double).saturating_add(self.floating)
    }

    /// The type the words stand for; `None` if they do not go together.
    fn basic(&self) -> Option<Basic> {
        if self.signed > 0 && self.unsigned > 0 || self.int > 1 || self.signed > 1 || self.unsigned > 1 {
            return None;
        }
        let u = self.unsigned > 0;
        let signs = self.signed + self.unsigned;
        Some(match (self.bool_, self.char_, self.short, self.long) {
            (1, 0, 0, 0) if self.int + signs == 0 => Basic::Bool,
            (0, 1, 0, 0) if self.int == 0 => pick(u, Basic::UnsignedChar, Basic::Char),
            (0, 0, 1, 0) => pick(u, Basic::UnsignedShort, Basic::Short),
            (0, 0, 0, 0) => pick(u, Basic::Unsigned, Basic::Int),
            (0, 0, 0, 1) => pick(u, Basic::UnsignedLong, Basic::Long),
            (0, 0, 0, 2) => pick(u, Basic::UnsignedLongLong, Basic::LongLong),
            _ => return None,
        })
    }
}

fn pick(first: bool, a: Basic, b: Basic) -> Basic {
    if first { a } else { b }
}

fn is_specifier(word: &str) -> bool {
    Words::default().count(word)
        || is_qualifier(word)
        || matches!(
            word,
            "typedef"
                | "extern"
                | "static"
                | "auto"
                | "register"
                | "_Thread_local"
                | "__thread"
                | "inline"
                | "__inline"
                | "__inline__"
                | "_Noreturn"
                | "struct"
                | "union"
                | "enum"
                | "typeof"
                | "__typeof__"
                | "__typeof"
                | "_Atomic"
                | "_Alignas"
                | "__attribute__"
                | "__attribute"
                | "__auto_type"
        )
}

fn is_qualifier(word: &str) -> bool {
    matches!(
        word,
        "const"
            | "__const"
            | "__const__"
            | "volatile"
            | "__volatile__"
            | "__volatile"
            | "restrict"
            | "__restrict"
            | "__restrict__"
            | "__extension__"
            | "_Nullable"
            | "_Nonnull"
    )
}

impl Parser<'_> {
    /// The token `ahead` begins a type name.
    pub(super) fn type_follows(&self, ahead: usize) -> bool {
        let Some(name) = self.peek_at(ahead).ident() else { return false };
        let word = self.names.text(name);
        word != "__extension__" && is_specifier(word) || self.is_typedef(name)
    }

    /// The present token begins a declaration.
    pub(super) fn declaration_follows(&self) -> bool {
        let Some(name) = self.peek().ident() else { return self.double_bracket() };
        let word = self.names.text(name);
        if word == "__extension__" {
            // In front of an expression it means nothing.
            return self.peek_at(1).ident().is_some() && self.type_follows(1);
        }
        is_specifier(word) || word == "_Static_assert" || (self.is_typedef(name) && !self.peek_at(1).is(":"))
    }

    /// Everything before the declarators.
    pub(super) fn specifiers(&mut self) -> Parsed<Base> {
        let start = self.peek().span;
        let outer = self.take_attributes();
        let mut specifiers = Specifiers::default();
        let mut words = Words::default();
        let mut ty: Option<TypeExpr> = None;
        if self.double_bracket() {
            self.skip_attributes();
        }
        while let Some(name) = self.peek().ident() {
            let word = self.names.text(name).to_owned();
            let span = self.peek().span;
            if words.count(&word) {
                self.bump();
                continue;
            }
            match word.as_str() {
                "typedef" => specifiers.typedef = true,
                "extern" => specifiers.external = true,
                "static" => specifiers.is_static = true,
                "_Thread_local" | "__thread" => specifiers.thread = true,
                "volatile" | "__volatile__" | "__volatile" => specifiers.volatile = !self.undisturbed,
                "inline" | "__inline" | "__inline__" => specifiers.inline = true,
                "auto" | "register" | "_Noreturn" => {}
                "__attribute__" | "__attribute" | "_Alignas" => {
                    self.skip_attributes();
                    continue;
                }
                "struct" | "union" if ty.is_none() => {
                    ty = Some(self.nested(|p| p.record())?);
                    continue;
                }
                "enum" if ty.is_none() => {
                    ty = Some(self.nested(|p| p.enumeration())?);
                    continue;
                }
                "_Atomic" if !self.peek_at(1).is("(") => specifiers.atomic = true,
                "typeof" | "__typeof__" | "__typeof" if ty.is_none() => {
                    ty = Some(self.nested(|p| p.type_of())?);
                    continue;
                }
                "_Atomic" | "__auto_type" if ty.is_none() => {
                    self.bump();
                    if self.at("(") {
                        self.skip_group();
                    }
                    let what = if word == "_Atomic" { "an atomic type" } else { "`__auto_type`" };
                    ty = Some(TypeExpr::Unsupported(what));
                    continue;
                }
                "const" | "__const" | "__const__" => specifiers.constant = true,
                _ if is_qualifier(&word) => {}
                _ if ty.is_none() && !words.any() && (self.is_typedef(name) || self.is_hidden_type(name)) => {
                    ty = Some(TypeExpr::Named(name, span));
                }
                // Values in formulas have no bounds, whatever type is said.
                "integer" | "boolean" if self.type_wanted && ty.is_none() && !words.any() => {
                    ty = Some(TypeExpr::Basic(Basic::Int));
                }
                _ => break,
            }
            self.bump();
        }
        let span = start.to(self.previous());
        let ty = self.base_type(ty, &words, span)?;
        specifiers.attributes = std::mem::replace(&mut self.attributes, outer);
        Ok(Base { specifiers, ty, span })
    }

    /// `typeof(T)` or `typeof(e)`.
    fn type_of(&mut self) -> Parsed<TypeExpr> {
        self.bump();
        self.expect("(")?;
        let ty = if self.type_follows(0) {
            self.type_name()?
        } else {
            let operand = self.nested(|p| p.expression())?;
            TypeExpr::Typeof(std::rc::Rc::new(operand))
        };
        self.expect(")")?;
        Ok(ty)
    }

    fn base_type(&mut self, ty: Option<TypeExpr>, words: &Words, span: Span) -> Parsed<TypeExpr> {
        if let Some(ty) = ty {
            if words.any() {
                return self.fail(span, "two types in one declaration");
            }
            return Ok(ty);
        }
        if words.floats() > 0 {
            let plain = Words { float: 0, double: 0, long: 0, ..words.clone() };
            return Ok(match (words.float, words.double, words.long) {
                (1, 0, 0) if !plain.any() => TypeExpr::Basic(Basic::Float),
                (0, 1, 0) if !plain.any() => TypeExpr::Basic(Basic::Double),
                (0, 1, 1) if !plain.any() => TypeExpr::Basic(Basic::LongDouble),
                _ => TypeExpr::Unsupported("this floating-point type"),
            });
        }
        if words.void > 0 {
            return Ok(TypeExpr::Void);
        }
        if words.any() {
            return match words.basic() {
                Some(basic) => Ok(TypeExpr::Basic(basic)),
                None => self.fail(span, "these words do not name a type together"),
            };
        }
        let token = self.peek();
        match token.kind {
            Kind::Ident(name) if !is_keyword(self.names.text(name)) => {
                let text = self.names.text(name).to_owned();
                let diagnostic =
                    Diagnostic::error("unknown-type", token.span, format!("unknown type name `{text}`"))
                        .help(format!(
                            "a struct's tag is no type by itself: write `struct {text}`, or add a typedef"
                        ));
                Err(self.report(diagnostic))
            }
            _ => self.unexpected("a type"),
        }
    }

    pub(super) fn static_assert(&mut self) -> Parsed<()> {
        self.bump();
        if self.at("(") {
            self.skip_group();
        }
        self.expect(";")?;
        Ok(())
    }

    /// `(T *)` without the parentheses.
    pub(super) fn type_name(&mut self) -> Parsed<TypeExpr> {
        let mut base = self.specifiers()?;
        let outer = self.take_attributes();
        let (name, ty, span) = self.declarator(&base.ty)?;
        base.specifiers.attributes.add(std::mem::replace(&mut self.attributes, outer));
        if name.is_some() {
            return self.fail(span, "a type without a name is expected here");
        }
        if let Some(what) = base.specifiers.unmodelled() {
            return Ok(TypeExpr::Unsupported(what));
        }
        Ok(ty)
    }

    /// One parameter or binder.
    pub(super) fn parameter(&mut self, base: &Base) -> Parsed<Parameter> {
        let start = self.peek().span;
        let outer = self.take_attributes();
        let (name, ty, name_span) = self.declarator(&base.ty)?;
        let span = if name.is_some() { name_span } else { start };
        let mut specifiers = base.specifiers;
        specifiers.attributes.add(std::mem::replace(&mut self.attributes, outer));
        let ty = specifiers.unmodelled().map_or(ty, TypeExpr::Unsupported);
        Ok(Parameter { name, ty, indexed: false, span })
    }

    /// A declarator, maybe without a name, applied to the type before it.
    pub(super) fn declarator(&mut self, base: &TypeExpr) -> Parsed<(Option<Name>, TypeExpr, Span)> {
        let mut derivations = Vec::new();
        let start = self.peek().span;
        let name = self.nested(|p| p.derivations(&mut derivations))?;
        let mut ty = base.clone();
        for derivation in derivations.into_iter().rev() {
            ty = match derivation {
                Derivation::Volatile => TypeExpr::Unsupported("a volatile object"),
                Derivation::Pointer => TypeExpr::Pointer(Box::new(ty)),
                Derivation::Array(size) => TypeExpr::Array(Box::new(ty), size),
                Derivation::Function(parameters, variadic, unspecified) => {
                    TypeExpr::Function(Box::new(FunctionType {
                        result: ty,
                        parameters,
                        variadic,
                        unspecified,
                    }))
                }
            };
        }
        let span = name.map_or(start, |(_, span)| span);
        Ok((name.map(|(n, _)| n), ty, span))
    }

    fn derivations(&mut self, out: &mut Vec<Derivation>) -> Parsed<Option<(Name, Span)>> {
        let mut pointers = Vec::new();
        while self.eat("*") {
            pointers.push(Derivation::Pointer);
            if pointers.len() > super::MAX_DEPTH as usize {
                let span = self.previous();
                return Err(self.report(Diagnostic::error("nesting", span, "nested too deeply")));
            }
            while self.word().is_some_and(is_qualifier) {
                if matches!(self.word(), Some("volatile" | "__volatile__" | "__volatile"))
                    && !self.undisturbed
                {
                    pointers.push(Derivation::Volatile);
                }
                self.bump();
            }
            self.skip_attributes();
        }
        self.skip_attributes();
        let mut name = None;
        if let Some(found) = self.peek().ident().filter(|n| !is_keyword(self.names.text(*n))) {
            name = Some((found, self.bump().span));
        } else if self.at("(") && !self.parameters_follow() {
            self.bump();
            name = self.nested(|p| p.derivations(out))?;
            self.expect(")")?;
        }
        self.suffixes(out)?;
        out.extend(pointers.into_iter().rev());
        Ok(name)
    }

    /// After an abstract declarator's `(`: parameters, not a nested declarator.
    fn parameters_follow(&self) -> bool {
        self.peek_at(1).is(")") || self.type_follows(1)
    }

    fn suffixes(&mut self, out: &mut Vec<Derivation>) -> Parsed<()> {
        let mut count = 0;
        loop {
            count += 1;
            if count > super::MAX_DEPTH {
                let span = self.peek().span;
                return Err(self.report(Diagnostic::error("nesting", span, "nested too deeply")));
            }
            if self.double_bracket() {
                self.skip_attributes();
            } else if self.eat("[") {
                while self.word().is_some_and(|w| is_qualifier(w) || w == "static") {
                    self.bump();
                }
                let size = if self.at("]") { None } else { Some(Box::new(self.assignment_expression()?)) };
                self.expect("]")?;
                out.push(Derivation::Array(size));
            } else if self.at("(") {
                self.bump();
                let (parameters, variadic, unspecified) = self.nested(|p| p.parameters())?;
                out.push(Derivation::Function(parameters, variadic, unspecified));
            } else {
                self.skip_attributes();
                return Ok(());
            }
        }
    }

    fn parameters(&mut self) -> Parsed<(Vec<Parameter>, bool, bool)> {
        if self.eat(")") {
            return Ok((Vec::new(), false, true));
        }
        if self.at_word("void") && self.peek_at(1).is(")") {
            self.bump();
            self.bump();
            return Ok((Vec::new(), false, false));
        }
        if self.names_follow() {
            let mut parameters = Vec::new();
            while !self.eat(")") {
                let token = self.bump();
                let ty = TypeExpr::Unsupported("a parameter in the style before C89");
                let name = token.ident();
                parameters.extend(name.map(|_| Parameter { name, ty, indexed: false, span: token.span }));
            }
            return Ok((parameters, false, true));
        }
        let mut parameters = Vec::new();
        loop {
            if self.eat("...") {
                self.expect(")")?;
                return Ok((parameters, true, false));
            }
            let base = self.specifiers()?;
            parameters.push(self.parameter(&base)?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok((parameters, false, false))
    }

    /// `a, b, c)`: the parameters of a definition in the style before C89.
    fn names_follow(&self) -> bool {
        let mut ahead = 0;
        loop {
            let Some(name) = self.peek_at(ahead).ident() else { return false };
            if self.type_follows(ahead) || is_keyword(self.names.text(name)) {
                return false;
            }
            match self.peek_at(ahead + 1) {
                token if token.is(")") => return true,
                token if token.is(",") => ahead += 2,
                _ => return false,
            }
        }
    }

    /// The declarators after the specifiers, up to and with `;`. The first may have been read already.
    pub(super) fn declarators(
        &mut self,
        mut base: Base,
        first: Option<(Name, TypeExpr, Span)>,
    ) -> Parsed<Declaration> {
        let mut declarators = Vec::new();
        let mut next = first;
        if next.is_none() && self.at(";") {
            self.bump();
            let span = base.span;
            return Ok(Declaration { specifiers: base.specifiers, base: base.ty, declarators, span });
        }
        loop {
            let (name, ty, span) = match next.take() {
                Some(found) => found,
                None => match self.declarator(&base.ty)? {
                    (Some(name), ty, span) => (name, ty, span),
                    _ => return self.unexpected("a name"),
                },
            };
            self.skip_attributes();
            let attributes = self.take_attributes();
            base.specifiers.attributes.add(attributes);
            self.declare(name, base.specifiers.typedef);
            let init = if self.eat("=") { Some(self.initialiser()?) } else { None };
            declarators.push(Declarator { name, span, ty, init });
            if !self.eat(",") {
                break;
            }
        }
        self.expect(";")?;
        let span = base.span.to(self.previous());
        Ok(Declaration { specifiers: base.specifiers, base: base.ty, declarators, span })
    }
}
