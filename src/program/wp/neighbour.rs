//! Predecessors on paths, for doubly linked structures that are described from one side.
//!
//! `forall u on the list. u->next->prev == u` says what `prev` is only at cells that are the `next` of a term. Of
//! a cell c that is reached from h, other than h, the cell before it exists, but nothing in a condition names it,
//! and the core instantiates along the path from h without ever arriving. So it is named: for pointers x and y,
//!
//! ```text
//! y is not reached from x, or x = y, or f(b) = y for a cell b != y between x and y
//! ```
//!
//! which holds on every heap. Structures described from both sides (`u->prev->next == u` as well) name the cell as
//! `c->prev` and do without.

use super::state::Symbolic;
use super::{Done, Walk};
use crate::logic::{FuncId, TermId};
use crate::program::cfg::Program;
use crate::program::decl::{FieldId, Type, VarKind};
use crate::program::encode::{Built, Encoder};
use crate::program::formula::{Formula, Term};
use crate::program::walk::{self, Part};
use std::collections::BTreeSet;

/// Between more pointers than this no predecessors are named.
const MAX_POINTERS: usize = 6;

/// Link fields f of which annotations mention `u->f->g` but not `u->g->f`, for bound variables u.
pub(super) fn one_sided(program: &Program, contract: usize) -> Vec<FieldId> {
    let mut nested: BTreeSet<(FieldId, FieldId)> = BTreeSet::new();
    walk::program(program, contract, &mut |part| match part {
        Part::Term(Term::Field(outer, _, inner)) => {
            if let Term::Field(field, _, of) = &**inner
                && matches!(**of, Term::Bound(_))
            {
                nested.insert((*field, *outer));
            }
        }
        Part::Formula(Formula::Dlseg(next, prev, ..)) => {
            nested.insert((*next, *prev));
        }
        _ => {}
    });
    let is_link = |f: &FieldId| program.fields[f.index()].is_link();
    let one_way = nested.iter().filter(|(f, g)| is_link(f) && is_link(g) && !nested.contains(&(*g, *f)));
    let fields: BTreeSet<FieldId> = one_way.map(|(f, _)| *f).collect();
    fields.into_iter().collect()
}

impl Walk<'_> {
    /// Names the predecessors between the pointers of a state, along fields that are symbols there.
    pub(super) fn name_predecessors(&mut self, state: &Symbolic) -> Done {
        let program = self.program;
        for field in self.one_sided.clone() {
            let Some(func) = self.encoder.base(state.now.fields[field.index()]) else { continue };
            let ty = Type::Ptr(program.fields[field.index()].owner);
            let mut pointers: Vec<TermId> = Vec::new();
            for (i, var) in program.vars.iter().enumerate().filter(|(_, v)| v.ty == ty) {
                let value = state.now.vars[i];
                let given = matches!(var.kind, VarKind::Param | VarKind::Global | VarKind::Logic);
                // Other variables mean nothing before they are assigned.
                let assigned = var.kind != VarKind::Temp && value != self.entry.vars[i];
                if (given || assigned) && !pointers.contains(&value) {
                    pointers.push(value);
                }
            }
            if pointers.len() > MAX_POINTERS {
                continue;
            }
            for &x in &pointers {
                for &y in pointers.iter().filter(|&&y| y != x) {
                    if self.named.insert((func, x, y)) {
                        let fact = predecessor(&mut self.encoder, func, x, y)?;
                        self.encoder.facts.push(fact);
                    }
                }
            }
        }
        Ok(())
    }
}

/// The fact, with a new constant for the predecessor.
fn predecessor(encoder: &mut Encoder<'_>, func: FuncId, x: TermId, y: TermId) -> Built {
    let sort = encoder.terms.sort(x);
    let before = encoder.unknown("before", sort)?;
    let terms = &mut encoder.terms;
    let (reached, same) = (terms.reach(func, x, y)?, terms.eq(x, y)?);
    let (on_path, next) = (terms.between(func, x, before, y)?, terms.app(func, &[before])?);
    let (leads, end) = (terms.eq(next, y)?, terms.eq(before, y)?);
    let (not_reached, not_end) = (terms.not(reached)?, terms.not(end)?);
    let exists = terms.and(&[on_path, leads, not_end])?;
    Ok(terms.or(&[not_reached, same, exists])?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::eval::eval;
    use crate::logic::{Model, Op, Value};
    use crate::program::samples::{NEXT, NODE, Sample};

    #[test]
    fn predecessors_exist_on_all_small_heaps() {
        let program = Sample::new("f").finish();
        let mut encoder = Encoder::new(&program).expect("a program");
        let entry = encoder.fresh_moment().expect("a moment");
        let sort = encoder.sort_of(NODE);
        let func = encoder.base(entry.fields[NEXT.index()]).expect("a symbol");
        let [x, y] = ["x", "y"].map(|name| encoder.unknown(name, sort).expect("a constant"));
        let fact = predecessor(&mut encoder, func, x, y).expect("a formula");
        let terms = &encoder.terms;
        let before = terms.funcs().find(|(_, f)| f.name.starts_with("before@")).expect("the predecessor").0;
        let constant = |term| match terms.op(term) {
            Op::App(func) => func,
            _ => panic!("a constant"),
        };
        for n in 1..=4u32 {
            for code in 0..n.pow(n + 2) {
                let digit = |i: u32| Value::Elem(code / n.pow(i) % n);
                let mut model = Model::new(terms);
                model.set_size(sort, n);
                (0..n).for_each(|i| model.set(terms, func, &[Value::Elem(i)], digit(i)));
                model.set(terms, constant(x), &[], digit(n));
                model.set(terms, constant(y), &[], digit(n + 1));
                let exists = (0..n).any(|b| {
                    model.set(terms, before, &[], Value::Elem(b));
                    eval(terms, &model, fact).expect("a value").is_true()
                });
                assert!(exists, "{n} elements, heap {code}");
            }
        }
    }
}
