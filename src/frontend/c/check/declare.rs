//! Types, declarations and function definitions.

use super::super::ast::{self, TypeExpr};
use super::super::hir::{self, ExprKind, Variable};
use super::super::token::Name;
use super::super::types::Ty;
use super::convert::unmodelled;
use super::resolve::VARIABLE_LENGTH;
use super::{Checker, Checking, Current, Entity, Predicate};
use crate::frontend::diagnostic::{Diagnostic, Severity, Span};
use crate::program::BinOp;
use std::rc::Rc;

impl Checker<'_> {
    /// File scope, first pass: everything but bodies and contracts.
    pub(super) fn declare_item(&mut self, item: &ast::Item) {
        match item {
            ast::Item::Declaration(declaration, _) => self.global_declaration(declaration),
            ast::Item::Function(function) => {
                let index = self.declare_function(
                    function.name,
                    function.name_span,
                    &function.ty,
                    (true, function.specifiers.is_private()),
                );
                self.function_attributes(index, function.name_span, function.specifiers.attributes);
            }
            ast::Item::Annotation(clauses) => {
                for clause in clauses {
                    if let ast::ClauseKind::Unmodelled(names) = &clause.kind {
                        self.unmodelled.extend(names);
                    }
                    if let ast::ClauseKind::Predicate { name, parameters, body, is_value } = &clause.kind {
                        let list = parameters
                            .iter()
                            .map(|p| (p.name, self.resolve(&p.ty), p.span))
                            .collect::<Vec<_>>();
                        let mut resolved = Vec::new();
                        for (name, ty, span) in list {
                            match name {
                                Some(name) => resolved.push((name, ty)),
                                None => {
                                    let _ = self.error::<()>("annotation", span, "a parameter needs a name");
                                }
                            }
                        }
                        let predicate = Rc::new(Predicate {
                            parameters: resolved,
                            body: body.clone(),
                            span: clause.span,
                            is_value: *is_value,
                        });
                        if self.predicates.insert(*name, predicate).is_some() {
                            let message = format!("predicate `{}` is defined twice", self.text(*name));
                            let _ = self.error::<()>("redefinition", clause.span, message);
                        }
                    }
                }
            }
        }
    }

    /// The type before the declarators; it may define a struct or an enumeration, and is the same for all of them.
    fn base(&mut self, declaration: &ast::Declaration) {
        self.alone = declaration.declarators.is_empty();
        let ty = self.resolve(&declaration.base);
        self.alone = false;
        self.pinned = match &declaration.base {
            TypeExpr::Named(name, span) => Some((*name, *span, ty)),
            _ => None,
        };
    }

    fn global_declaration(&mut self, declaration: &ast::Declaration) {
        self.base(declaration);
        for declarator in &declaration.declarators {
            if let TypeExpr::Function(ty) = &declarator.ty
                && !declaration.specifiers.typedef
            {
                let private = declaration.specifiers.is_private();
                let index = self.declare_function(declarator.name, declarator.span, ty, (false, private));
                self.function_attributes(index, declarator.span, declaration.specifiers.attributes);
                continue;
            }
            let ty = self.object_type(declaration, declarator);
            if declaration.specifiers.typedef {
                self.insert(declarator.name, Entity::Typedef(ty));
                continue;
            }
            self.declare_global(declarator, ty, declaration.specifiers);
        }
    }

    fn object_type(&mut self, declaration: &ast::Declaration, declarator: &ast::Declarator) -> Ty {
        let ty = self.resolve(&declarator.ty);
        if let Some(what) = declaration.specifiers.unmodelled() {
            return Ty::Unsupported(what);
        }
        let ty = self.complete_array(ty, declarator.init.as_ref());
        if declaration.specifiers.typedef { ty } else { self.of_object(ty) }
    }

    fn declare_global(&mut self, declarator: &ast::Declarator, ty: Ty, specifiers: ast::Specifiers) {
        let external = specifiers.external && declarator.init.is_none();
        let private = specifiers.is_static;
        let known = match self.file_name(declarator.name, private) {
            Some(Entity::Var(Variable::Global(index))) => Some(index),
            Some(_) => {
                let message =
                    format!("`{}` is declared as something else before", self.text(declarator.name));
                let _ = self.error::<()>("redefinition", declarator.span, message);
                return;
            }
            None => None,
        };
        let index = known.unwrap_or_else(|| {
            let name = self.text(declarator.name).to_owned();
            self.add_global(name, ty.clone(), declarator.span, None, true)
        });
        if private && known.is_none() {
            self.note_static(index);
        }
        self.enter_file_name(declarator.name, Entity::Var(Variable::Global(index)), private);
        let global = &mut self.checked.globals[index as usize];
        global.external &= external;
        if let (Ty::Array(_, None), Ty::Array(_, Some(_))) = (&global.ty, &ty) {
            global.ty = ty.clone();
        } else if global.ty != ty {
            let message = format!("`{}` is declared with two types", self.text(declarator.name));
            let _ = self.error::<()>("redefinition", declarator.span, message);
            return;
        }
        if !external {
            self.note_definition(index, declarator.span, declarator.init.is_some());
        }
        if let Some(init) = &declarator.init {
            let sink = std::mem::take(&mut self.sink);
            let init = self.global_initialiser(Variable::Global(index), declarator.span, init);
            let own = std::mem::replace(&mut self.sink, sink);
            let global = &mut self.checked.globals[index as usize];
            global.constant = specifiers.constant && global.ty.int().is_some();
            global.init = init;
            global.diagnostics.extend(own);
        }
    }

    pub(super) fn add_global(
        &mut self,
        name: String,
        ty: Ty,
        span: Span,
        owner: Option<u32>,
        external: bool,
    ) -> u32 {
        let (init, diagnostics) = (Vec::new(), Vec::new());
        let constant = false;
        self.checked.globals.push(hir::Global {
            name,
            ty,
            span,
            init,
            external,
            constant,
            owner,
            diagnostics,
        });
        (self.checked.globals.len() - 1) as u32
    }

    pub(super) fn declare_function(
        &mut self,
        name: Name,
        span: Span,
        ty: &ast::FunctionType,
        (defined, private): (bool, bool),
    ) -> Option<u32> {
        let result = self.resolve(&ty.result);
        let result = self.of_object(result);
        let mut parameters: Vec<Ty> =
            self.in_scope(|c| ty.parameters.iter().map(|p| c.resolve_parameter(p)).collect());
        if let Some(entity) = self.file_name(name, private) {
            self.enter_file_name(name, entity.clone(), private);
            let Entity::Function(index) = entity else {
                let message = format!("`{}` is declared as something else before", self.text(name));
                let _ = self.error::<()>("redefinition", span, message);
                return None;
            };
            let function = &self.checked.functions[index as usize];
            if function.defined && defined {
                let first = function.span;
                let message = format!("function `{}` is defined twice", self.text(name));
                let complaint = Diagnostic::error("redefinition", span, message).label(first, "first here");
                let complaint = complaint.help(self.also_here(first));
                // Nobody knows which of the two is meant: neither is verified.
                self.checked.functions[index as usize].diagnostics.push(complaint.clone());
                self.sink.push(complaint);
                return None;
            }
            let silent = ty.unspecified && ty.parameters.is_empty();
            let same = function.unspecified || silent || compatible_lists(&function.parameters, &parameters);
            if !same || !compatible(&function.result, &result) {
                let first = function.span;
                let message = format!("function `{}` is declared with two types", self.text(name));
                self.sink.push(Diagnostic::error("redefinition", span, message).label(first, "first here"));
            }
            let function = &mut self.checked.functions[index as usize];
            // One of the declarations may know that a pointer is an array.
            for (new, old) in parameters.iter_mut().zip(&mut function.parameters) {
                match (&*new, &*old) {
                    (Ty::Array(..), Ty::Pointer(_)) => *old = new.clone(),
                    (Ty::Pointer(_), Ty::Array(..)) => *new = old.clone(),
                    _ => {}
                }
            }
            if defined || function.unspecified {
                function.old_style = defined && function.unspecified && !silent && ty.unspecified;
                function.parameters = parameters;
                function.result = result;
                function.unspecified = ty.unspecified && !defined;
                function.variadic = ty.variadic;
            }
            if defined {
                function.span = span;
                function.defined = true;
            }
            return Some(index);
        }
        let index = self.checked.functions.len() as u32;
        self.checked.functions.push(hir::Function {
            name,
            span,
            result,
            parameters,
            variadic: ty.variadic,
            unspecified: ty.unspecified && !defined,
            old_style: ty.unspecified && defined && !ty.parameters.is_empty(),
            locals: Vec::new(),
            body: None,
            defined,
            private,
            has_contract: false,
            contract_broken: false,
            contracts: Vec::new(),
            logic: Vec::new(),
            tracks: Vec::new(),
            labels: Vec::new(),
            bounds: 0,
            diagnostics: Vec::new(),
        });
        self.enter_file_name(name, Entity::Function(index), private);
        Some(index)
    }

    /// What attributes say about a function.
    fn function_attributes(&mut self, index: Option<u32>, span: Span, attributes: ast::Attributes) {
        let Some(index) = index else { return };
        self.checked.by_itself |= attributes.by_itself;
        let function = &mut self.checked.functions[index as usize];
        // Another name in the object file is another function than the one that is known by this name.
        let known = super::expression::intrinsic(self.names.text(function.name));
        let known = known.is_some_and(|i| !matches!(i, hir::Intrinsic::Print | hir::Intrinsic::Puts));
        if attributes.strange || (attributes.renamed && (function.defined || known)) {
            let text = "what this function's attributes do is not modelled";
            function.diagnostics.push(Diagnostic::unsupported("unsupported", span, text));
        }
    }

    /// `main` is not the first function that runs if there are constructors.
    pub(super) fn check_main(&mut self) {
        if !self.checked.by_itself {
            return;
        }
        for function in &mut self.checked.functions {
            if self.names.text(function.name) == "main" {
                let text = "a function of this unit runs before or after `main`";
                function.diagnostics.push(Diagnostic::unsupported("unsupported", function.span, text));
            }
        }
    }

    /// Second pass: body and contract.
    pub(super) fn function(&mut self, function: &ast::Function) {
        let Some(Entity::Function(index)) = self.scopes[0].names.get(&function.name).cloned() else { return };
        // A second definition was reported; the first one keeps its body.
        if self.checked.functions[index as usize].span != function.name_span {
            return;
        }
        let outer = std::mem::take(&mut self.sink);
        let result = self.checked.functions[index as usize].result.clone();
        self.current = Current { index: Some(index), result: Some(result), ..Current::default() };
        let mut broken = false;
        let (body, contract) = self.in_scope(|c| {
            c.parameters(function);
            let contract = c.contract(&function.contract, function.name_span);
            broken = c.sink.iter().any(|d| d.severity > Severity::Warning);
            let body = function.body.as_ref().map(|body| c.body(body));
            (body, contract)
        });
        let current = std::mem::take(&mut self.current);
        let own = std::mem::replace(&mut self.sink, outer);
        let target = &mut self.checked.functions[index as usize];
        target.diagnostics.extend(own);
        if function.body.is_none() {
            target.diagnostics.push(Diagnostic::error(
                super::super::UNREAD,
                function.name_span,
                format!("function `{}` could not be read", self.names.text(function.name)),
            ));
        }
        // The contract of a declaration before stays if this one has none.
        if contract.given || !target.has_contract {
            if target.has_contract {
                let text = "a declaration before has a contract as well; that one has no effect";
                target.diagnostics.push(Diagnostic::warning("annotation", function.name_span, text));
            }
            target.contracts = contract.contracts;
            target.has_contract |= contract.given;
            target.contract_broken |= broken;
            target.tracks = contract.tracks;
            target.logic = current.logic;
        }
        target.body = body;
        target.locals = current.locals;
        target.labels = current.labels;
        target.bounds = target.bounds.max(current.bounds);
    }

    fn parameters(&mut self, function: &ast::Function) {
        for parameter in &function.ty.parameters {
            let ty = self.declared_parameter(parameter);
            let Some(name) = parameter.name else {
                let _ =
                    self.error::<()>("syntax", parameter.span, "a parameter of a definition needs a name");
                continue;
            };
            if self.scopes.last().is_some_and(|s| s.names.contains_key(&name)) {
                let message = format!("parameter `{}` is declared twice", self.text(name));
                let _ = self.error::<()>("redefinition", parameter.span, message);
            }
            if !matches!(ty, Ty::Array(..)) {
                self.must_be_object(name, parameter.span, &ty);
            }
            self.add_local(name, ty, parameter.span);
        }
        self.current.parameters = self.current.locals.len() as u32;
    }

    pub(super) fn add_local(&mut self, name: Name, ty: Ty, span: Span) -> u32 {
        let index = self.current.locals.len() as u32;
        self.current.locals.push(hir::Local { name, ty, span });
        self.insert(name, Entity::Var(Variable::Local(index)));
        index
    }

    pub(super) fn local_declaration(&mut self, declaration: &ast::Declaration, out: &mut Vec<hir::Stmt>) {
        self.base(declaration);
        for declarator in &declaration.declarators {
            if let TypeExpr::Function(ty) = &declarator.ty
                && !declaration.specifiers.typedef
            {
                let index = self.declare_function(declarator.name, declarator.span, ty, (false, false));
                self.function_attributes(index, declarator.span, declaration.specifiers.attributes);
                if let Some(index) = index {
                    self.insert(declarator.name, Entity::Function(index));
                }
                continue;
            }
            let ty = self.object_type(declaration, declarator);
            if declaration.specifiers.typedef {
                self.insert(declarator.name, Entity::Typedef(ty));
            } else if declaration.specifiers.external {
                self.declare_global(declarator, ty, declaration.specifiers);
                // Here it hides what outer blocks call so.
                if let Some(global @ Entity::Var(_)) = self.scopes[0].names.get(&declarator.name).cloned() {
                    self.insert(declarator.name, global);
                }
            } else if declaration.specifiers.is_static {
                self.static_local(declarator, ty);
            } else {
                self.automatic_local(declarator, ty, out);
            }
        }
    }

    /// Complains about a variable whose type has no objects.
    fn must_be_object(&mut self, name: Name, span: Span, ty: &Ty) {
        if let Some((code, what)) = self.no_object(ty) {
            let message = format!("`{}` {what}", self.text(name));
            let _ = self.error::<()>(code, span, message);
        }
    }

    /// Globals that are defined in this unit have to be objects at its end.
    pub(super) fn check_globals(&mut self) {
        for i in 0..self.checked.globals.len() {
            let global = &self.checked.globals[i];
            // `int a[];` defines one element.
            if global.external || matches!(global.ty, Ty::Array(..)) {
                continue;
            }
            if let Some((code, what)) = self.no_object(&global.ty) {
                let complaint = Diagnostic::error(code, global.span, format!("`{}` {what}", global.name));
                self.checked.globals[i].diagnostics.push(complaint);
            }
        }
    }

    fn static_local(&mut self, declarator: &ast::Declarator, ty: Ty) {
        self.must_be_object(declarator.name, declarator.span, &ty);
        let function = self.current.index.map(|i| self.checked.functions[i as usize].name);
        let owner = function.map_or("", |n| self.text(n));
        let name = format!("{owner}::{}", self.text(declarator.name));
        let index = self.add_global(name, ty, declarator.span, self.current.index, false);
        self.insert(declarator.name, Entity::Var(Variable::Global(index)));
        if let Some(init) = &declarator.init {
            let init = self.global_initialiser(Variable::Global(index), declarator.span, init);
            self.checked.globals[index as usize].init = init;
        }
    }

    fn automatic_local(&mut self, declarator: &ast::Declarator, ty: Ty, out: &mut Vec<hir::Stmt>) {
        if self.scopes.last().is_some_and(|s| s.names.contains_key(&declarator.name)) {
            let message = format!("`{}` is declared twice in this block", self.text(declarator.name));
            let _ = self.error::<()>("redefinition", declarator.span, message);
            return;
        }
        if ty == Ty::Unsupported(VARIABLE_LENGTH)
            && let TypeExpr::Array(element, Some(length)) = &declarator.ty
            && self.computed_array(declarator, element, length, out).is_ok()
        {
            return;
        }
        self.must_be_object(declarator.name, declarator.span, &ty);
        if let Ty::Unsupported(what) = ty {
            let _ = self.unsupported::<()>(declarator.span, format!("{what} is not modelled"));
        }
        let index = self.add_local(declarator.name, ty, declarator.span);
        let mut pairs = Vec::new();
        if let Some(init) = &declarator.init {
            let target = self.variable(Variable::Local(index), declarator.span);
            let _ = self.initialise(target, init, &mut pairs);
        }
        self.check_order(&pairs, declarator.span);
        if let Some(ast::Init::List(..)) = &declarator.init {
            self.check_self(&pairs, Variable::Local(index), declarator.span);
        }
        let start = match (&declarator.init, &pairs[..]) {
            (Some(ast::Init::List(..)), _) => hir::Start::Zero,
            // `int x = x;` reads what was there before.
            (Some(_), [(target, value)])
                if target.ty.is_scalar() && !value.mentions(Variable::Local(index)) =>
            {
                hir::Start::Assigned
            }
            _ => hir::Start::Arbitrary,
        };
        out.push(hir::Stmt { kind: hir::StmtKind::Declare(index, start), span: declarator.span });
        out.extend(pairs.into_iter().map(|(target, value)| self.assignment_statement(target, value)));
    }
}

impl Checker<'_> {
    /// An array whose length is computed: a pointer to what `alloca` gives, which ends with the variable.
    fn computed_array(
        &mut self,
        declarator: &ast::Declarator,
        element: &TypeExpr,
        length: &ast::Expr,
        out: &mut Vec<hir::Stmt>,
    ) -> Checking<()> {
        let span = declarator.span;
        let element = self.resolve(element);
        let (Some((size, _)), Some(name)) = (self.types.layout(&element), self.names.find(super::ALLOCA))
        else {
            return Err(super::Failed);
        };
        let kind = Ty::Int(self.size_kind());
        let length = self.expression(length)?;
        let length = self.convert(length, &kind, false)?;
        let size = self.make(ExprKind::Int(i128::from(size)), kind.clone(), span);
        let bytes = ExprKind::Binary(BinOp::Mul, Box::new(length), Box::new(size));
        let bytes = self.make(bytes, kind, span);
        let call = ExprKind::Call(hir::Callee::Builtin(name), vec![bytes]);
        let call = self.make(call, Ty::Void.pointer(), span);
        let ty = Ty::Array(std::sync::Arc::new(element), None);
        let index = self.add_local(declarator.name, ty.clone(), span);
        let target = self.variable(Variable::Local(index), span);
        let value = self.make(ExprKind::Convert(Box::new(call)), ty, span);
        let value = unmodelled(value, format!("{VARIABLE_LENGTH} is not modelled"));
        out.push(hir::Stmt { kind: hir::StmtKind::Declare(index, hir::Start::Assigned), span });
        out.push(self.assignment_statement(target, value));
        Ok(())
    }
}

/// Parameter lists of two declarations of one function.
fn compatible_lists(a: &[Ty], b: &[Ty]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| compatible(a, b))
}

/// Types of two declarations of one object or function; what has no model is not compared.
fn compatible(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Unsupported(_), _) | (_, Ty::Unsupported(_)) => true,
        (Ty::Pointer(a), Ty::Pointer(b)) => compatible(a, b),
        (Ty::Array(a, _), Ty::Array(b, _)) => compatible(a, b),
        (Ty::Array(a, None), Ty::Pointer(b)) | (Ty::Pointer(a), Ty::Array(b, None)) => compatible(a, b),
        _ => a == b,
    }
}
