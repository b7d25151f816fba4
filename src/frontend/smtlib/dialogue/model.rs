//! Models and values as text that reads back.
//!
//! A model is a list of commands. For each uninterpreted sort its elements are declared as constants,
//! asserted to be different and to be all there are; then each symbol of the user is defined. A definition is a
//! macro, and `(_ reach f)` wants a function, so a field that occurs in such an atom is declared and given its
//! value at each element instead. Put in the
//! place of the declarations of the symbols, the commands turn any formula of the user into one that is
//! valid or unsatisfiable: see `docs/solve.md`. Sorts without a symbol are left out.
//!
//! Elements are called `Sort!val!0`, `Sort!val!1`, ... as in Z3, with another `!` for every user symbol that
//! has such a name already.

use crate::frontend::smtlib::context::Context;
use crate::logic::{FuncId, Model, Op, SortId, TermId, Terms, Value, print};
use crate::util::hash::{Map, Set};
use std::fmt::Write as _;

/// The names of the elements of a model.
pub(super) struct Elements {
    prefixes: Map<SortId, String>,
    sizes: Vec<(SortId, u32)>,
}

impl Elements {
    pub(super) fn new(terms: &Terms, context: &Context, model: &Model) -> Elements {
        let mut prefixes = Map::default();
        let mut taken = Set::default();
        let mut sizes = Vec::new();
        for sort in terms.uninterpreted_sorts().filter(|&sort| context.sees_sort(sort)) {
            // The name of a composed sort may have bars, which no symbol has.
            let mut prefix = format!("{}!val!", terms.sort_name(sort).replace(['|', '\\'], "_"));
            let clash =
                |prefix: &str| (0..model.size(sort)).any(|e| context.knows(terms, &format!("{prefix}{e}")));
            while clash(&prefix) || !taken.insert(prefix.clone()) {
                prefix.push('!');
            }
            prefixes.insert(sort, prefix);
            sizes.push((sort, model.size(sort)));
        }
        Elements { prefixes, sizes }
    }

    fn name(&self, sort: SortId, element: u32) -> String {
        match self.prefixes.get(&sort) {
            Some(prefix) => format!("{prefix}{element}"),
            // A value of a sort that the user cannot name does not occur.
            None => format!("hidden!val!{element}"),
        }
    }

    /// The text of a value.
    pub(super) fn value(&self, sort: SortId, value: &Value) -> String {
        match value {
            Value::Bool(b) => b.to_string(),
            Value::Int(i) => print::number(i),
            Value::Elem(e) => print::symbol(&self.name(sort, *e)),
        }
    }

    /// Makes the names of the elements mean constants that have them as values in the model.
    pub(super) fn bind(&self, terms: &mut Terms, context: &mut Context, model: &mut Model) {
        for &(sort, size) in &self.sizes {
            for element in 0..size {
                let constant: TermId = context.element(terms, sort, element);
                let Op::App(func) = terms.op(constant) else { continue };
                model.set(terms, func, &[], Value::Elem(element));
                context.define(&self.name(sort, element), constant);
            }
        }
    }
}

/// The answer to `get-model`.
pub(super) fn model_text(terms: &Terms, context: &Context, model: &Model) -> String {
    let elements = Elements::new(terms, context, model);
    let seen: Vec<FuncId> = terms.funcs().map(|(id, _)| id).filter(|&id| context.shows(terms, id)).collect();
    let mut out = "(\n".to_owned();
    for &(sort, size) in &elements.sizes {
        let mentions = |id: &FuncId| {
            let func = terms.func(*id);
            func.result == sort || func.args.contains(&sort)
        };
        if !seen.iter().any(mentions) {
            continue;
        }
        let name = print::sort(terms, sort);
        let all: Vec<String> = (0..size).map(|e| elements.value(sort, &Value::Elem(e))).collect();
        for element in &all {
            let _ = writeln!(out, "(declare-fun {element} () {name})");
        }
        if size > 1 {
            let _ = writeln!(out, "(assert (distinct {}))", all.join(" "));
        }
        let cases: Vec<String> = all.iter().map(|element| format!("(= x!0 {element})")).collect();
        let cases = if size > 1 { format!("(or {})", cases.join(" ")) } else { cases.join(" ") };
        let _ = writeln!(out, "(assert (forall ((x!0 {name})) {cases}))");
    }
    let links: Set<FuncId> = (0..terms.len())
        .filter_map(|index| match terms.op(TermId(index as u32)) {
            Op::Between(field) => Some(field),
            _ => None,
        })
        .collect();
    for id in seen {
        if links.contains(&id) {
            link(terms, &elements, model, id, &mut out);
        } else {
            define(terms, &elements, model, id, &mut out);
        }
    }
    out.push(')');
    out
}

/// A declaration and an equation per element, for a link field.
fn link(terms: &Terms, elements: &Elements, model: &Model, id: FuncId, out: &mut String) {
    let (name, sort) = (print::symbol(&terms.func(id).name), terms.func(id).result);
    let sort_name = print::sort(terms, sort);
    let _ = writeln!(out, "(declare-fun {name} ({sort_name}) {sort_name})");
    for element in (0..model.size(sort)).map(Value::Elem) {
        let value = model.get(terms, id, std::slice::from_ref(&element));
        let (from, to) = (elements.value(sort, &element), elements.value(sort, &value));
        let _ = writeln!(out, "(assert (= ({name} {from}) {to}))");
    }
}

/// `(define-fun ...)` for one symbol.
pub(super) fn define(terms: &Terms, elements: &Elements, model: &Model, id: FuncId, out: &mut String) {
    let func = terms.func(id);
    let sort_name = |sort: SortId| print::sort(terms, sort);
    let params: Vec<String> =
        func.args.iter().enumerate().map(|(i, &sort)| format!("(x!{i} {})", sort_name(sort))).collect();
    let (name, result) = (print::symbol(&func.name), sort_name(func.result));
    let _ = write!(out, "(define-fun {name} ({}) {result} ", params.join(" "));
    let mut n_open = 0;
    let mut default = Model::default_value(func.result);
    if let Some(table) = model.table(id) {
        default = table.default.clone();
        let mut entries: Vec<_> = table.entries.iter().collect();
        entries.sort();
        for (args, value) in entries {
            if *value != table.default {
                let value = elements.value(func.result, value);
                let tests: Vec<String> = args
                    .iter()
                    .enumerate()
                    .map(|(i, arg)| format!("(= x!{i} {})", elements.value(func.args[i], arg)))
                    .collect();
                let test =
                    if tests.len() == 1 { tests[0].clone() } else { format!("(and {})", tests.join(" ")) };
                let _ = write!(out, "(ite {test} {value} ");
                n_open += 1;
            }
        }
    }
    out.push_str(&elements.value(func.result, &default));
    out.extend(std::iter::repeat_n(')', n_open));
    out.push_str(")\n");
}
