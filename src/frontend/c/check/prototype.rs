//! Declarations of functions that are defined elsewhere: their parameters and contracts.

use super::super::ast::{self, TypeExpr};
use super::super::hir;
use super::super::types::Ty;
use super::{Checker, Current, Entity};
use crate::frontend::diagnostic::{Diagnostic, Severity};

impl Checker<'_> {
    pub(super) fn resolve_parameter(&mut self, parameter: &ast::Parameter) -> Ty {
        match self.resolve(&parameter.ty) {
            ty @ Ty::Function(_) => ty.pointer(),
            // The length of an array parameter says nothing in C.
            Ty::Array(element, _) => Ty::Array(element, None),
            // In C it is the same type; how it is used says what is meant.
            Ty::Pointer(element) if parameter.indexed && element.is_scalar() => Ty::Array(element, None),
            ty => self.of_object(ty),
        }
    }

    /// The type of the next parameter of the present function, as all its declarations say it.
    pub(super) fn declared_parameter(&mut self, parameter: &ast::Parameter) -> Ty {
        let ty = self.resolve_parameter(parameter);
        let number = self.current.locals.len();
        let function = self.current.index.and_then(|index| self.checked.functions.get(index as usize));
        match function.and_then(|f| f.parameters.get(number)) {
            Some(array @ Ty::Array(..)) if matches!(ty, Ty::Pointer(_)) => array.clone(),
            _ => ty,
        }
    }

    /// The contract of a function that is only declared here.
    pub(super) fn declared_contract(&mut self, declaration: &ast::Declaration, clauses: &[ast::Clause]) {
        let [declarator] = &declaration.declarators[..] else {
            let span = clauses.first().map_or(declaration.span, |c| c.span);
            let _ = self.error::<()>("annotation-place", span, "a contract belongs to one function");
            return;
        };
        let (TypeExpr::Function(ty), Some(Entity::Function(index))) =
            (&declarator.ty, self.scopes[0].names.get(&declarator.name).cloned())
        else {
            return;
        };
        if self.has_linked_contract(index, declarator.span) {
            return;
        }
        let outer = std::mem::take(&mut self.sink);
        let result = self.checked.functions[index as usize].result.clone();
        self.current = Current { index: Some(index), result: Some(result), ..Current::default() };
        let contract = self.in_scope(|c| {
            for parameter in &ty.parameters {
                let ty = c.declared_parameter(parameter);
                match parameter.name {
                    Some(name) => {
                        c.add_local(name, ty, parameter.span);
                    }
                    None => {
                        c.current.locals.push(hir::Local { name: declarator.name, ty, span: parameter.span })
                    }
                }
            }
            c.current.parameters = c.current.locals.len() as u32;
            c.contract(clauses, declarator.span)
        });
        let current = std::mem::take(&mut self.current);
        let own = std::mem::replace(&mut self.sink, outer);
        let target = &mut self.checked.functions[index as usize];
        let broken = own.iter().any(|d| d.severity > Severity::Warning);
        target.diagnostics.extend(own);
        if target.defined && target.has_contract {
            if !broken {
                let text = "the definition has a contract as well; this one has no effect";
                self.sink.push(Diagnostic::warning("annotation", declarator.span, text));
            }
            return;
        }
        target.has_contract = contract.given;
        target.contract_broken = broken;
        target.contracts = contract.contracts;
        target.tracks = contract.tracks;
        target.logic = current.logic;
        target.bounds = target.bounds.max(current.bounds);
        if !target.defined {
            target.locals = current.locals;
        }
    }
}
