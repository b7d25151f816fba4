//! One copy of each function for each call of it, as inlining will make them: so that a function that works on any
//! objects is known for the objects of that call.

use super::super::hir::{Callee, Checked, Expr, ExprKind, Function};
use super::visit::{Mapper, map_children, map_statement};

/// Copies, at most; further calls share the first one.
const MAX_COPIES: usize = 2000;

/// Functions with their copies.
pub(super) struct Copies {
    /// The functions of the unit, then the copies.
    pub(super) functions: Vec<Function>,
    /// The copy of the function that the program is about.
    pub(super) entry: u32,
    /// The first copy.
    pub(super) first: u32,
}

struct Copier<'a> {
    checked: &'a Checked,
    by_contract: &'a dyn Fn(u32) -> bool,
    functions: Vec<Function>,
    /// Functions being copied, inside each other: the original and the copy.
    active: Vec<(u32, u32)>,
    shared: Vec<Option<u32>>,
}

/// Copies what the function reaches.
pub(super) fn copy(checked: &Checked, entry: u32, by_contract: &dyn Fn(u32) -> bool) -> Copies {
    let mut copier = Copier {
        checked,
        by_contract,
        functions: checked.functions.clone(),
        active: Vec::new(),
        shared: vec![None; checked.functions.len()],
    };
    let first = copier.functions.len() as u32;
    let entry = copier.function(entry);
    Copies { functions: copier.functions, entry, first }
}

impl Copier<'_> {
    fn function(&mut self, index: u32) -> u32 {
        if let Some((_, copy)) = self.active.iter().find(|(original, _)| *original == index) {
            return *copy;
        }
        let count = self.functions.len() - self.checked.functions.len();
        if let (true, Some(copy)) = (count > MAX_COPIES, self.shared[index as usize]) {
            return copy;
        }
        let original = &self.checked.functions[index as usize];
        let copy = self.functions.len() as u32;
        self.functions.push(original.clone());
        self.shared[index as usize].get_or_insert(copy);
        self.active.push((index, copy));
        if let Some(body) = &original.body {
            let body = body.iter().map(|s| map_statement(s, self)).collect();
            self.functions[copy as usize].body = Some(body);
        }
        self.active.pop();
        copy
    }
}

impl Mapper for Copier<'_> {
    fn expression(&mut self, expr: &Expr) -> Expr {
        let mut kind = map_children(expr, self);
        if let ExprKind::Call(Callee::Function(index), _) = &mut kind
            && self.checked.functions[*index as usize].body.is_some()
            && !(self.by_contract)(*index)
        {
            *index = self.function(*index);
        }
        Expr { kind, ty: expr.ty.clone(), span: expr.span }
    }
}
