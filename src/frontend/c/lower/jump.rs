//! Jumps: `switch`, labels and `goto`, `break` and `continue`.

use super::super::check::convert::wrap;
use super::super::hir::{Expr, Stmt, StmtKind};
use super::{Jump, Label, Lowerer, Lowering, Switch};
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::program::{Cmp, Command, Cond, Expr as Pure, IntKind, LocationId, Loop, Sweep, Type, VarId};
use std::collections::BTreeMap;

/// Cases that are tested one after the other.
const FEW_CASES: usize = 8;

impl Lowerer<'_> {
    pub(super) fn switch(&mut self, subject: &Expr, body: &Stmt, span: Span) -> Lowering<()> {
        let kind = subject.ty.int().unwrap_or(IntKind::INT);
        let value = self.int(subject)?;
        let subject = Pure::Var(self.in_var(value, Type::Int(kind), span));
        // The scope of the body is entered before the jump to a case.
        let inner: &[Stmt] = match &body.kind {
            StmtKind::Block(inner) => inner,
            _ => std::slice::from_ref(body),
        };
        self.enter_scope(inner, span);
        let mut labels = Vec::new();
        collect_cases(inner, &mut labels);
        let out = self.program.add_location();
        let mut switch =
            Switch { kind, cases: BTreeMap::new(), default: None, scopes: self.frame().scopes.len() };
        let dispatch = self.here;
        for label in labels {
            let to = self.program.add_location();
            match label {
                Some(value) => {
                    let value = wrap(value, kind);
                    if switch.cases.insert(value, to).is_some() {
                        return self.unsupported(span, "a case occurs twice in this switch");
                    }
                }
                None => switch.default = Some(to),
            }
        }
        self.here = dispatch;
        let skip = self.program.add_location();
        let cases: Vec<(i128, LocationId)> = switch.cases.iter().map(|(v, to)| (*v, *to)).collect();
        self.dispatch(&subject, &cases, switch.default.unwrap_or(skip), span);
        let scopes = self.frame().scopes.len();
        self.frame().breaks.push(Jump { to: skip, scopes });
        self.frame().switches.push(switch);
        self.here = self.program.add_location();
        self.statements(inner);
        self.emit_to(skip, Command::Skip, span);
        self.here = skip;
        self.frame().switches.pop();
        self.frame().breaks.pop();
        self.leave_scope(span);
        self.emit_to(out, Command::Skip, span);
        self.here = out;
        Ok(())
    }

    /// Branches to the case that the subject equals; the cases are in order. Many cases are halved until few are left,
    /// so that every location has few ways on.
    fn dispatch(&mut self, subject: &Pure, cases: &[(i128, LocationId)], otherwise: LocationId, span: Span) {
        if cases.len() > FEW_CASES {
            let (low, high) = cases.split_at(cases.len() / 2);
            let (below, above) = (self.program.add_location(), self.program.add_location());
            let is_below = Cond::Compare(Cmp::Lt, subject.clone(), Pure::Int(high[0].0));
            self.emit_to(above, Command::Assume(is_below.negated()), span);
            self.emit_to(below, Command::Assume(is_below), span);
            for (at, part) in [(below, low), (above, high)] {
                self.here = at;
                self.dispatch(subject, part, otherwise, span);
            }
            return;
        }
        let mut others = Vec::new();
        for (value, to) in cases {
            self.emit_to(*to, Command::Assume(Cond::eq(subject.clone(), Pure::Int(*value))), span);
            others.push(Cond::ne(subject.clone(), Pure::Int(*value)));
        }
        let rest = if others.is_empty() { Command::Skip } else { Command::Assume(Cond::And(others)) };
        self.emit_to(otherwise, rest, span);
    }

    pub(super) fn case(&mut self, value: Option<i128>, span: Span) -> Lowering<()> {
        let depth = self.frame().scopes.len();
        let Some(switch) = self.frame().switches.last() else { return Ok(()) };
        let base = switch.scopes;
        let to = match value {
            None => switch.default,
            Some(value) => {
                let value = wrap(value, switch.kind);
                switch.cases.get(&value).copied()
            }
        };
        let jumped = self.frame().scopes[base.min(depth)..].iter().any(|s| s.declares);
        if jumped {
            return self.unsupported(span, "a jump into a block past its declarations is not modelled");
        }
        if let Some(to) = to {
            self.emit_to(to, Command::Skip, span);
            self.here = to;
        }
        Ok(())
    }

    pub(super) fn label(&mut self, name: super::Name, span: Span) {
        let at = self.program.add_location();
        self.emit_to(at, Command::Skip, span);
        self.here = at;
        self.clock += 1;
        let (clock, parent) = (self.clock, self.loops.last().copied());
        let roots = if self.unit.options.sweeps_heads() { self.roots() } else { Vec::new() };
        let scopes = self.frame().scopes.clone();
        self.frame().labels.insert(name, Label { at, scopes, clock, parent, roots, span });
        let function = self.frame().function;
        if let Some(index) = self.function(function).labels.iter().position(|l| *l == name)
            && let Some(label) = self.frame().spec_labels.get(index).copied()
        {
            self.emit(Command::Snapshot(label), span);
        }
        if self.unit.options.is_error_label(self.unit.names.text(name)) {
            self.emit(Command::Fail { what: "label `ERROR`".to_owned() }, span);
        }
    }

    /// Connects the gotos of the present function with their labels.
    pub(super) fn resolve_gotos(&mut self) {
        let gotos = std::mem::take(&mut self.frame().gotos);
        for goto in gotos {
            let Some(label) = self.frame().labels.get(&goto.to).cloned() else { continue };
            let shared = goto.scopes.iter().zip(&label.scopes).take_while(|(a, b)| a.id == b.id).count();
            if label.scopes[shared..].iter().any(|s| s.declares) {
                let text = "a jump into a block past its declarations is not modelled";
                self.diagnostics.push(Diagnostic::unsupported("unsupported", goto.span, text));
                continue;
            }
            self.here = goto.from;
            let left: Vec<VarId> =
                goto.scopes[shared..].iter().rev().flat_map(|s| s.cells.iter().rev().copied()).collect();
            for cell in left {
                self.emit(Command::Release(cell), goto.span);
            }
            self.emit_to(label.at, Command::Skip, goto.span);
            // A jump backwards closes a cycle.
            if goto.clock > label.clock && self.program.loop_at(label.at).is_none() {
                let (head, parent, span) = (label.at, label.parent, label.span);
                let (invariants, variant) = (Vec::new(), Vec::new());
                self.program.loops.push(Loop { head, invariants, assigns: None, variant, parent, span });
                if self.unit.options.sweeps_heads() {
                    self.program.sweeps.push(Sweep { at: head, roots: label.roots.clone(), span });
                }
            }
        }
    }

    pub(super) fn leave_to(&mut self, jump: Option<Jump>, span: Span) {
        if let Some(jump) = jump {
            self.release_beyond(jump.scopes, span);
            self.jump(jump.to, span);
        }
    }
}

/// The labels of a switch, not those of switches inside it.
fn collect_cases(statements: &[Stmt], out: &mut Vec<Option<i128>>) {
    for statement in statements {
        match &statement.kind {
            StmtKind::Block(inner) => collect_cases(inner, out),
            StmtKind::If(_, yes, no) => {
                collect_cases(std::slice::from_ref(yes), out);
                if let Some(no) = no {
                    collect_cases(std::slice::from_ref(no), out);
                }
            }
            StmtKind::Loop { body, .. } => collect_cases(std::slice::from_ref(body), out),
            StmtKind::Case(value, inner) => {
                out.push(Some(*value));
                collect_cases(std::slice::from_ref(inner), out);
            }
            StmtKind::Default(inner) => {
                out.push(None);
                collect_cases(std::slice::from_ref(inner), out);
            }
            StmtKind::Label(_, inner) => collect_cases(std::slice::from_ref(inner), out),
            _ => {}
        }
    }
}
