//! What the steps of a refuted path ask to be tracked: scalar predicates, pointers, tests of data fields.

use super::flow::Flows;
use super::path::heap_free;
use super::precision::Wish;
use super::shape::Range;
use crate::program::{Cmp, Command, Cond, EdgeId, Expr, FieldId, Program, VarId};

/// Collects wishes about one program.
pub struct Reader<'p> {
    program: &'p Program,
    flows: &'p Flows,
    heap: bool,
    wish: Wish,
}

/// What the steps of a refutation ask for; with the heap, or of variables only.
#[must_use]
pub fn wish(program: &Program, flows: &Flows, path: &[EdgeId], steps: &[usize], heap: bool) -> Wish {
    let mut reader = Reader::new(program, flows, heap);
    for &step in steps {
        reader.command(&program.edges[path[step].index()].command);
    }
    reader.finish()
}

impl<'p> Reader<'p> {
    /// Without wishes; with the heap, or of variables only.
    #[must_use]
    pub fn new(program: &'p Program, flows: &'p Flows, heap: bool) -> Reader<'p> {
        Reader { program, flows, heap, wish: Wish::default() }
    }

    /// What was collected.
    #[must_use]
    pub fn finish(self) -> Wish {
        self.wish
    }

    /// Keep the pointer's cell apart; integers are left out.
    pub fn pointer(&mut self, v: VarId) {
        if self.program.vars[v.index()].ty.pointee().is_some() && !self.wish.pointers.contains(&v) {
            self.wish.pointers.push(v);
        }
    }

    /// Tests of the field, and of those that it exchanges values with.
    pub fn test(&mut self, field: FieldId, range: Range) {
        for f in self.flows.fields_of_field(field) {
            if !self.wish.tests.contains(&(f, range)) {
                self.wish.tests.push((f, range));
            }
        }
    }

    /// Tests of the fields that the variable exchanges values with; whether there are any.
    fn test_of(&mut self, v: VarId, range: Range) -> bool {
        let field = self.flows.fields_of_var(v).next();
        field.into_iter().for_each(|f| self.test(f, range));
        field.is_some()
    }

    /// Adds a comparison as a predicate, `!=` and the strict ones as their negations.
    fn atom(&mut self, cmp: Cmp, a: Expr, b: Expr) {
        if a == b {
            return;
        }
        let (cmp, a, b) = match cmp {
            Cmp::Eq | Cmp::Ne => (Cmp::Eq, a, b),
            Cmp::Le | Cmp::Gt => (Cmp::Le, a, b),
            Cmp::Lt | Cmp::Ge => (Cmp::Le, b, a),
        };
        let atom = Cond::Compare(cmp, a, b);
        if !self.wish.atoms.contains(&atom) {
            self.wish.atoms.push(atom);
        }
    }

    fn command(&mut self, command: &Command) {
        let is_pointer = |v: VarId| self.program.vars[v.index()].ty.pointee().is_some();
        match command {
            Command::Assume(cond) => self.condition(cond),
            Command::Assert { formula, .. } => {
                if let Some(cond) = heap_free(formula) {
                    self.condition(&cond);
                }
            }
            Command::Assign(x, e) => match e {
                Expr::Var(y) if self.heap && is_pointer(*y) => {
                    self.pointer(*x);
                    self.pointer(*y);
                }
                Expr::Null(_) if self.heap => self.pointer(*x),
                Expr::Var(y) if self.heap && self.flows.fields_of_var(*y).next().is_some() => {}
                Expr::Int(c) if self.heap && self.test_of(*x, Range::one(*c)) => {}
                Expr::Var(_) | Expr::Null(_) | Expr::Int(_) => self.atom(Cmp::Eq, Expr::Var(*x), e.clone()),
                _ => {}
            },
            Command::Load { to, from, .. } if self.heap => {
                self.pointer(*from);
                self.pointer(*to);
            }
            Command::Store { to, field, value } if self.heap => {
                self.pointer(*to);
                match value {
                    Expr::Var(y) => self.pointer(*y),
                    Expr::Int(c) => self.test(*field, Range::one(*c)),
                    _ => {}
                }
            }
            Command::Alloc { to: x, of, .. } => {
                if self.heap {
                    self.pointer(*x);
                } else {
                    self.atom(Cmp::Eq, Expr::Var(*x), Expr::Null(*of));
                }
            }
            Command::Free(x) if self.heap => self.pointer(*x),
            _ => {}
        }
    }

    fn condition(&mut self, cond: &Cond) {
        match cond {
            Cond::Const(_) => {}
            Cond::Not(inner) => self.condition(inner),
            Cond::And(parts) | Cond::Or(parts) => parts.iter().for_each(|p| self.condition(p)),
            Cond::Compare(cmp, a, b) => self.compare(*cmp, a, b),
        }
    }

    /// A comparison as something to be tracked.
    pub fn compare(&mut self, cmp: Cmp, a: &Expr, b: &Expr) {
        if self.heap {
            let vars = [a, b].into_iter().filter_map(|e| match e {
                Expr::Var(v) => Some(*v),
                _ => None,
            });
            let before = self.wish.pointers.len();
            let vars: Vec<VarId> = vars.collect();
            vars.iter().for_each(|v| self.pointer(*v));
            let pointers = vars.iter().any(|v| self.program.vars[v.index()].ty.pointee().is_some());
            if pointers || self.wish.pointers.len() > before {
                return;
            }
            let against = match (a, b) {
                (Expr::Var(v), Expr::Int(c)) => Some((*v, cmp, *c)),
                (Expr::Int(c), Expr::Var(v)) => Some((*v, cmp.mirrored(), *c)),
                _ => None,
            };
            if let Some((v, cmp, c)) = against
                && self.test_of(v, Range::one(c))
            {
                Range::of_test(cmp, c).into_iter().for_each(|range| _ = self.test_of(v, range));
                return;
            }
        }
        self.atom(cmp, a.clone(), b.clone());
    }
}
