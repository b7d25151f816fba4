//! Contracts: the function's own, and calls that use a callee's.
//!
//! A call by contract asserts the precondition and that no pointer handed over dangles (DESIGN 6, decision 1),
//! lets the callee's targets change and assumes the postcondition. The second assertion can be written down
//! exactly only when every struct concerned has at most one pointer field, which links it to itself. It need not be
//! written down for recursion that leaves all links as they are (module `links`). Any other callee is inlined.

use super::super::hir::{Expr, Function, Ref, SpecContract, decode};
use super::super::types::{RecordId, Ty};
use super::expression::Value;
use super::formula::Mapping;
use super::layout::Repr;
use super::{Lowerer, Lowering, Unit};
use crate::frontend::diagnostic::Span;
use crate::program::rewrite::to_entry;
use crate::program::variant::{Rank, decreases, rank_of};
use crate::program::walk::{self, Part};
use crate::program::{
    At, Binder, Check, Clause, Command, Contract, Expr as Pure, Formula, LabelId, Local, Set, Target, Term,
    Type, VarId, VarKind, trace,
};

impl Unit<'_> {
    /// Calls of this function use its contract.
    pub(in crate::frontend::c) fn is_by_contract(&self, index: u32) -> bool {
        let function = &self.checked.functions[index as usize];
        let wanted = function.body.is_none() || !self.options.inline_contracts;
        wanted && self.is_eligible(index)
    }

    pub(super) fn always_by_contract(&self, index: u32) -> bool {
        self.is_by_contract(index)
    }

    fn is_eligible(&self, index: u32) -> bool {
        let function = &self.checked.functions[index as usize];
        let simple = |ty: &Ty| ty.int().is_some() || ty.target().is_some();
        let result = function.result == Ty::Void || simple(&function.result);
        let sound = !function.contract_broken;
        // A callee that frees what it is given must not be given a variable, which its contract does not say.
        let frees = function.body.is_none() || self.usage.frees[index as usize];
        let is_struct = |ty: &Ty| matches!(ty, Ty::Record(_));
        let variables = self.checked.globals.iter().any(|g| is_struct(&g.ty))
            || self.checked.functions.iter().any(|f| f.locals.iter().any(|l| is_struct(&l.ty)));
        // A global in a cell would be changed by "everything".
        let cells = self.checked.globals.iter().enumerate().any(|(i, g)| {
            matches!(g.ty, Ty::Record(_))
                || self.usage.is_boxed(u32::MAX, super::Variable::Global(i as u32))
                || super::layout::is_scalar_pointer(&g.ty)
        });
        let closed = self.closed_records(function).is_some();
        function.has_contract
            && (function.logic.is_empty() || function.body.is_none() || self.usage.recursive[index as usize])
            && !function.variadic
            && function.parameters.iter().all(simple)
            && result
            && sound
            && !cells
            && (if closed { !(frees && variables) } else { self.usage.recursive[index as usize] })
    }

    /// The structs a callee's arguments and globals lead to, if dangling pointers can be excluded by a formula.
    fn closed_records(&self, function: &Function) -> Option<Vec<RecordId>> {
        let globals = self.checked.globals.iter().filter(|g| g.owner.is_none()).map(|g| &g.ty);
        let mut records = Vec::new();
        for ty in function.parameters.iter().chain(globals) {
            let element = match ty {
                // Elements cannot be named one by one.
                Ty::Array(element, _) if element.target().is_some() => return None,
                Ty::Array(..) => continue,
                ty => ty,
            };
            if let Some(record) = element.target() {
                records.push(record);
            }
        }
        records.sort();
        records.dedup();
        records.iter().all(|r| self.link(*r).is_some()).then_some(records)
    }

    /// The only pointer field of a struct, if it links it to itself: `Some(None)` if there is none at all.
    fn link(&self, record: RecordId) -> Option<Option<crate::program::FieldId>> {
        let ty = self.types.record(record);
        ty.members.as_ref()?;
        let mut found = None;
        for index in ty.fields.clone() {
            let field = &self.types.fields[index as usize];
            if field.ty.pointee().is_none() {
                continue;
            }
            if found.is_some() || field.ty.target() != Some(record) {
                return None;
            }
            found = Some(crate::program::FieldId(index));
        }
        Some(found)
    }
}

impl Lowerer<'_> {
    /// The contracts of the function that the program is about.
    pub(super) fn contracts(&mut self, function: &Function) {
        let mut contracts = Vec::new();
        for contract in &function.contracts {
            if let Ok(contract) = self.own_contract(contract) {
                contracts.push(contract);
            }
        }
        if contracts.is_empty() {
            contracts.push(Contract { span: function.span, ..Contract::default() });
        }
        self.program.contracts = contracts;
    }

    fn own_contract(&mut self, contract: &SpecContract) -> Lowering<Contract> {
        let mut requires = Vec::new();
        let entry = self.entry_mapping();
        for clause in &contract.requires {
            let formula = self.map_with(&clause.formula, &entry, clause.span)?;
            requires.push(Clause { formula, span: clause.span });
        }
        let mut ensures = Vec::new();
        for clause in &contract.ensures {
            ensures.push(self.map_clause(clause)?);
        }
        let assigns = match &contract.assigns {
            Some(targets) => Some(self.map_targets_with(targets, &entry)?),
            None => None,
        };
        Ok(Contract { behavior: contract.behavior.clone(), requires, ensures, assigns, span: contract.span })
    }

    pub(super) fn call_by_contract(
        &mut self,
        index: u32,
        arguments: &[Expr],
        whole: &Expr,
        into: Option<VarId>,
    ) -> Lowering<Value> {
        let span = whole.span;
        let function = self.function(index);
        let name = self.unit.names.text(function.name).to_owned();
        if !self.parts.is_empty() {
            let text =
                "a call by contract where the address of a struct inside another is used is not modelled";
            return self.unsupported(span, text);
        }
        let caller = self.frames.first().map_or(index, |f| f.function);
        let closed = self.unit.closed_records(function).is_some();
        // Nothing dangles where no link changes; elsewhere it is not written down, and left to whoever knows.
        let needed = !closed && self.unit.usage.changes_links[caller as usize];
        let mut terms = Vec::new();
        for (argument, ty) in arguments.iter().zip(&function.parameters) {
            let value = self.value(argument)?;
            let value = self.pure(value, ty, argument.span)?;
            terms.push(Term::Var(self.held(value, ty, argument.span)?, At::Now));
        }
        let arguments = terms.iter().filter_map(|t| if let Term::Var(v, _) = t { Some(*v) } else { None });
        let keeps_links = !self.unit.usage.changes_links[index as usize];
        let local = Local { arguments: arguments.collect(), itself: index == caller, keeps_links, needed };
        let local = (!closed).then(|| Box::new(local));
        let before = LabelId(self.program.labels.len() as u32);
        self.program.labels.push(format!("{}{name}", trace::CALL));
        self.emit(Command::Snapshot(before), span);
        if !needed {
            self.assert_closed(function, &terms, &name, span)?;
        }
        let now = Mapping {
            arguments: Some(terms.clone()),
            result: None,
            entry: At::Label(before),
            ..self.own_mapping()
        };
        let then = Mapping { now: At::Label(before), ..now.clone() };
        let what = format!("{}`{name}`", trace::PRECONDITION);
        let check = self.unit.options.precondition();
        for formula in self.required(function, &now, span)? {
            self.emit(Command::Assert { formula, check, what: what.clone() }, span);
        }
        if self.unit.options.asks(Check::Termination) {
            self.assert_decrease(index, &now, span)?;
        }
        let targets = self.call_targets(function, &then, span)?;
        let frees = function.body.is_none() || self.unit.usage.frees[index as usize];
        self.emit(Command::Scramble { targets, frees, local }, span);
        let (result, value) = self.call_result(function, into, span)?;
        let after = Mapping { result, ..now };
        for contract in &function.contracts {
            for clause in &contract.ensures {
                let (binders, logic) = self.bound_constants(function)?;
                let (then, after) = (
                    Mapping { logic: Some(logic.clone()), ..then.clone() },
                    Mapping { logic: Some(logic), ..after.clone() },
                );
                let mut formula = self.map_with(&clause.formula, &after, span)?;
                if function.contracts.len() > 1 || !binders.is_empty() {
                    let guard = self.requirement(contract, &then, span)?;
                    if guard != Formula::Const(true) {
                        formula = Formula::Implies(Box::new(guard), Box::new(formula));
                    }
                }
                for binder in binders.into_iter().rev() {
                    formula = Formula::Forall(binder, Box::new(formula));
                }
                self.emit(Command::Suppose(formula), span);
            }
        }
        Ok(value)
    }

    /// A call that may lead back to the function that the program is about: what decreases is smaller than at its entry.
    fn assert_decrease(&mut self, callee: u32, arguments: &Mapping, span: Span) -> Lowering<()> {
        let Some(caller) = self.frames.first().map(|f| f.function) else { return Ok(()) };
        if !self.unit.usage.leads_to(callee, caller) {
            return Ok(());
        }
        let (mut old, mut new) = (Vec::new(), Vec::new());
        let entry = self.entry_mapping();
        let (whole, part) = (self.function(caller), self.function(callee));
        for clause in whole.contracts.first().iter().flat_map(|c| &c.decreases) {
            let formula = self.map_with(&clause.formula, &entry, clause.span)?;
            old.extend(rank_of(&formula).map(|rank| rank.at(&to_entry)));
        }
        for clause in part.contracts.first().iter().flat_map(|c| &c.decreases) {
            let formula = self.map_with(&clause.formula, arguments, clause.span)?;
            new.extend(rank_of(&formula));
        }
        if old.is_empty() && new.is_empty() && callee == caller {
            // Nobody says what becomes smaller: what the function goes down, if it requires that it ends.
            let formulas = || whole.contracts.first().into_iter().flat_map(|c| &c.requires);
            let parts =
                || formulas().flat_map(|clause| conjuncts(&clause.formula).iter().map(|p| (p, clause.span)));
            let tree = parts().find(|(p, _)| matches!(p, Formula::Tree(..)));
            let found = tree.or_else(|| parts().find(|(p, _)| gone_down(p).is_some()));
            if let Some((formula, at)) = found {
                old.extend(gone_down(&self.map_with(formula, &entry, at)?).map(|rank| rank.at(&to_entry)));
                new.extend(gone_down(&self.map_with(formula, arguments, at)?));
            }
            let trees = old.iter().any(|r| matches!(r, Rank::Tree(..)));
            if trees && self.unit.usage.changes_links[caller as usize] {
                old.clear();
            }
        }
        if old.is_empty() || new.is_empty() {
            self.program.endless.push(span);
            return Ok(());
        }
        let trees = old.iter().chain(&new).any(|r| matches!(r, Rank::Tree(..)));
        if trees && self.unit.usage.changes_links[caller as usize] {
            let text = "a tree that decreases is not modelled in a function that changes links";
            return self.unsupported(span, text);
        }
        let what = format!("decrease at the call of `{}`", self.unit.names.text(part.name));
        self.emit(Command::Assert { formula: decreases(&old, &new), check: Check::Termination, what }, span);
        Ok(())
    }

    /// A copy of a function with a contract: what it requires holds here as well.
    pub(super) fn assert_required(&mut self, function: &Function, span: Span) -> Lowering<()> {
        if !function.has_contract || function.contract_broken || !self.unit.options.counts_assert() {
            return Ok(());
        }
        let what = format!("{}`{}`", trace::PRECONDITION, self.unit.names.text(function.name));
        let mapping = Mapping { result: None, ..self.own_mapping() };
        for formula in self.required(function, &mapping, span)? {
            self.emit(Command::Assert { formula, check: Check::Asserts, what: what.clone() }, span);
        }
        Ok(())
    }

    /// What a callee requires: what one of its contracts does, for some values of its logical constants.
    fn required(&mut self, function: &Function, mapping: &Mapping, span: Span) -> Lowering<Vec<Formula>> {
        let mut any = Vec::new();
        for contract in &function.contracts {
            let (binders, logic) = self.bound_constants(function)?;
            let mapping = Mapping { logic: Some(logic), ..mapping.clone() };
            let (mut parts, mut about_constants) = (Vec::new(), Vec::new());
            for clause in &contract.requires {
                for part in conjuncts(&clause.formula) {
                    let mapped = self.map_with(part, &mapping, span)?;
                    if names_constant(part) { about_constants.push(mapped) } else { parts.push(mapped) }
                }
            }
            if !about_constants.is_empty() {
                let all = Formula::all(about_constants);
                let some = |inner, binder| Formula::Exists(binder, Box::new(inner));
                parts.push(binders.into_iter().rev().fold(all, some));
            }
            any.push(Formula::all(parts));
        }
        let clauses = match any.pop() {
            Some(Formula::And(clauses)) if any.is_empty() => clauses,
            Some(only) if any.is_empty() => vec![only],
            last => vec![Formula::Or(any.into_iter().chain(last).collect())],
        };
        Ok(clauses.into_iter().filter(|f| *f != Formula::Const(true)).collect())
    }

    /// The logical constants of a callee as bound variables.
    fn bound_constants(&mut self, function: &Function) -> Lowering<(Vec<Binder>, Vec<Term>)> {
        let (mut binders, mut terms) = (Vec::new(), Vec::new());
        for constant in &function.logic {
            let of = match self.repr(&constant.ty, constant.span)? {
                Repr::Scalar(Type::Ptr(of)) => Some(of),
                Repr::Scalar(Type::Int(_)) => None,
                _ => return self.unsupported(constant.span, "this logical constant is not modelled"),
            };
            let id = self.program.add_bound();
            binders.push(Binder { id, name: self.unit.names.text(constant.name).to_owned(), of });
            terms.push(Term::Bound(id));
        }
        Ok((binders, terms))
    }

    /// The value in a variable that the call does not change.
    fn held(&mut self, value: Pure, ty: &Ty, span: Span) -> Lowering<VarId> {
        if let Pure::Var(var) = value
            && matches!(self.program.vars[var.index()].kind, VarKind::Local | VarKind::Param)
        {
            return Ok(var);
        }
        let ty = match (ty, ty.target()) {
            (Ty::Int(kind), _) => Type::Int(*kind),
            (_, Some(record)) => Type::Ptr(self.struct_id(record, span)?),
            _ => return self.unsupported(span, "this argument is not modelled"),
        };
        let var = self.temp(ty, span);
        self.emit(Command::Assign(var, value), span);
        Ok(var)
    }

    fn requirement(&mut self, contract: &SpecContract, mapping: &Mapping, span: Span) -> Lowering<Formula> {
        let mut parts = Vec::new();
        for clause in &contract.requires {
            parts.push(self.map_with(&clause.formula, mapping, span)?);
        }
        Ok(Formula::all(parts))
    }

    fn call_result(
        &mut self,
        function: &Function,
        into: Option<VarId>,
        span: Span,
    ) -> Lowering<(Option<VarId>, Value)> {
        let ty = match (&function.result, function.result.target()) {
            (Ty::Int(kind), _) => Type::Int(*kind),
            (_, Some(record)) => Type::Ptr(self.struct_id(record, span)?),
            _ => return Ok((None, Value::Void)),
        };
        // The variable assigned to may occur in the formulas with its old value.
        let _ = into;
        let var = self.temp(ty, span);
        self.emit(Command::Havoc(var), span);
        Ok((Some(var), self.scalar_value(Pure::Var(var), &function.result, span)?))
    }

    /// Nothing that the callee may reach dangles.
    fn assert_closed(
        &mut self,
        function: &Function,
        arguments: &[Term],
        name: &str,
        span: Span,
    ) -> Lowering<()> {
        let mut pointers = Vec::new();
        for (term, ty) in arguments.iter().zip(&function.parameters) {
            if let Some(record) = ty.target() {
                pointers.push((term.clone(), record));
            }
        }
        for index in 0..self.unit.checked.globals.len() {
            let global = &self.unit.checked.globals[index];
            if let (Some(record), None) = (global.ty.target(), global.owner)
                && let super::Binding::Var(var) = self.global(index as u32)
            {
                pointers.push((Term::Var(var, At::Now), record));
            }
        }
        let what = format!("{}`{name}`: a pointer handed over dangles", trace::PRECONDITION);
        for (term, record) in pointers {
            let id = self.struct_id(record, span)?;
            let formula = match self.unit.link(record).flatten() {
                Some(field) => Formula::Stable(self.field(field, span)?, At::Now, term),
                None => Formula::Or(vec![
                    Formula::eq(term.clone(), Term::Null(id)),
                    Formula::Valid(term, At::Now),
                ]),
            };
            self.emit(
                Command::Assert { formula, check: self.unit.options.precondition(), what: what.clone() },
                span,
            );
        }
        Ok(())
    }

    fn call_targets(&mut self, function: &Function, mapping: &Mapping, span: Span) -> Lowering<Vec<Target>> {
        let mut targets = Vec::new();
        for contract in &function.contracts {
            let Some(assigns) = &contract.assigns else { return Ok(vec![Target::Everything]) };
            for target in assigns {
                let mut named = false;
                walk::target(&target.target, &mut |part| named |= is_constant(part));
                if named {
                    // Which cells that are depends on a value that nobody gives.
                    return Ok(vec![Target::Everything]);
                }
                targets.push(self.map_target(&target.target, mapping, span)?);
            }
        }
        Ok(targets)
    }

    /// A clause of the function that the program is about, or of a copy.
    pub(super) fn map_clause(&mut self, clause: &Clause) -> Lowering<Clause> {
        let formula = self.map_formula(&clause.formula, clause.span)?;
        Ok(Clause { formula, span: clause.span })
    }
}

fn conjuncts(formula: &Formula) -> &[Formula] {
    match formula {
        Formula::And(parts) => parts,
        single => std::slice::from_ref(single),
    }
}

/// What becomes smaller if a function goes down the structure that a formula speaks of.
fn gone_down(formula: &Formula) -> Option<Rank> {
    match formula {
        Formula::Tree(..) => rank_of(formula),
        Formula::Reach { field, at, from, to: end @ Term::Null(_), plus: false } => {
            Some(Rank::Cells(Set::Cells(*field, *at, Box::new(from.clone()), Box::new(end.clone()))))
        }
        _ => None,
    }
}

/// A logical constant of the contract occurs.
fn names_constant(formula: &Formula) -> bool {
    let mut found = false;
    walk::formula(formula, &mut |part| found |= is_constant(part));
    found
}

fn is_constant(part: Part<'_>) -> bool {
    matches!(part, Part::Term(Term::Var(var, _)) if matches!(decode(*var), Ref::Logic(_)))
}
