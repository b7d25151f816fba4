//! The arguments of a program: `argv[i]` is some text, or null after the last one.
//!
//! One variable stands for all of these texts. What it holds is a guess each time one is asked for, so that nothing is
//! known about it but what is true of all.

use super::super::hir::{Expr, ExprKind, Function, Global, Variable};
use super::super::objects::visit::{Mapper, all};
use super::super::types::Ty;
use super::build::{Steps, address, assign, compare, convert, guess, make, null, place, within};
use super::{PLACE, Plain, number};
use crate::program::Cmp;

/// The texts are known by this, which is no literal.
const ARGUMENTS: &[u8] = b"\0arguments";

/// Whether the parameters of `main` are what they were at its entry.
fn kept(function: &Function) -> bool {
    let mut kept = true;
    for statement in function.body.iter().flatten() {
        all(statement, &mut |e| {
            let object = match &e.kind {
                ExprKind::Assign(object, _) | ExprKind::Update { target: object, .. } => object,
                ExprKind::Address(object) => object,
                _ => return,
            };
            kept &= !matches!(object.exact().kind, ExprKind::Var(Variable::Local(0 | 1)));
        });
    }
    kept
}

impl Plain<'_> {
    /// `argv[i]`
    pub(super) fn program_argument(&mut self, e: &Expr) -> Option<Expr> {
        let ExprKind::Index(base, index) = &e.kind else { return None };
        let ExprKind::Var(Variable::Local(1)) = base.exact().kind else { return None };
        let function = self.checked.functions.get(self.function as usize)?;
        let main = self.is_main && self.names.text(function.name) == "main";
        if !main || function.parameters.len() != 2 || !kept(function) {
            return None;
        }
        let kind = number(e.ty.pointee()?).filter(|kind| kind.bits == 8 && self.pointed.contains(kind))?;
        let span = e.span;
        let ty = Ty::Record(self.block(kind));
        let global = match self.texts.get(ARGUMENTS) {
            Some(global) => *global,
            None => {
                let global = self.globals.len() as u32;
                self.globals.push(Global {
                    name: "arguments".to_owned(),
                    ty: ty.clone(),
                    span,
                    init: Vec::new(),
                    external: false,
                    constant: false,
                    owner: None,
                    diagnostics: Vec::new(),
                });
                self.texts.insert(ARGUMENTS.to_vec(), global);
                global
            }
        };
        let object = make(ExprKind::Var(Variable::Global(global)), ty.clone(), span);
        let field = |n: u32| make(ExprKind::Member(Box::new(object.clone()), n), Ty::Int(PLACE), span);
        let count = make(ExprKind::Var(Variable::Local(0)), Ty::INT, span);
        let mut steps = Steps::new(span);
        let index = convert(self.expression(index), &Ty::Int(PLACE));
        let index = self.keep(&mut steps, index);
        let count = convert(count, &Ty::Int(PLACE));
        let after = super::build::binary(crate::program::BinOp::Add, count.clone(), place(1, span));
        steps.bounds(within(&index, place(0, span), after));
        let length = self.keep(&mut steps, guess(Vec::new(), Ty::Int(PLACE), span));
        let end = self.keep(&mut steps, guess(Vec::new(), Ty::Int(PLACE), span));
        steps.assume(within(&end, place(0, span), length.clone()));
        steps.run(assign(field(0), length));
        steps.run(assign(field(1), end));
        let some = compare(Cmp::Lt, index, count);
        let (text, none) = (address(object), null(ty.clone().pointer(), span));
        let chosen = ExprKind::Conditional(Box::new(some), Box::new(text), Box::new(none));
        Some(steps.give(make(chosen, ty.pointer(), span)))
    }
}
