//! What functions a unit defines, and what contracts for them could speak of: parameters, globals, structs.
//!
//! Whoever writes contracts for functions that have none needs names and types as C has them, and the place where
//! the definition begins. Everything else is found out from the program.

use super::ast::Item;
use super::hir::{Callee, Checked, Expr, ExprKind, Function, Variable};
use super::token::Names;
use super::types::{RecordId, Ty, Types};
use crate::frontend::diagnostic::{Sources, Span};

/// A type, as far as contracts speak of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sketch {
    /// An integer.
    Int {
        /// Whether negative values exist.
        signed: bool,
    },
    /// A pointer.
    Pointer(Box<Sketch>),
    /// A struct: an index into [`Outline::records`].
    Record(usize),
    /// An array, with its length if it has one.
    Array(Box<Sketch>, Option<u64>),
    /// Nothing, or something that contracts do not speak of.
    Other,
}

/// A struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// As C writes its type.
    pub name: String,
    /// Its fields by name; of an embedded struct's the path, `a.b`.
    pub members: Vec<(String, Sketch)>,
}

/// A function that the unit defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlined {
    /// Its name.
    pub name: String,
    /// The text that has it, or includes it.
    pub file: String,
    /// Of its name.
    pub span: Span,
    /// Of the first word of its definition.
    pub start: Span,
    /// It has a contract.
    pub has_contract: bool,
    /// Its name stands in the text that was given, not in a header or a macro: a contract can be written before it.
    pub in_text: bool,
    /// The functions of the unit that it calls, in order, each once.
    pub calls: Vec<String>,
    /// The globals that it names, each once.
    pub globals: Vec<String>,
    /// Its parameters.
    pub parameters: Vec<(String, Sketch)>,
    /// What it returns.
    pub result: Sketch,
}

/// A unit in outline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The functions that it defines, in the order of the text.
    pub functions: Vec<Outlined>,
    /// All structs.
    pub records: Vec<Record>,
    /// Variables of the whole unit that are not constant.
    pub globals: Vec<(String, Sketch)>,
    /// The texts that were given, with the position of their first byte.
    pub bases: Vec<(String, u32)>,
}

impl Outline {
    /// The function of this name.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<&Outlined> {
        self.functions.iter().find(|f| f.name == name)
    }
}

/// The outline of a unit.
pub(super) fn of(
    units: &[&[Item]],
    types: &Types,
    checked: &Checked,
    names: &Names,
    sources: &Sources,
    texts: &[(u32, &str)],
) -> Outline {
    let file_of = |span: Span| {
        let file = texts.iter().rev().find(|(base, _)| *base <= span.start);
        file.map_or(String::new(), |(_, name)| (*name).to_owned())
    };
    let mut functions = Vec::new();
    for function in units.iter().flat_map(|items| items.iter()) {
        let Item::Function(function) = function else { continue };
        let known =
            checked.functions.iter().find(|f| f.name == function.name && f.span == function.name_span);
        let Some(known) = known.filter(|f| f.defined) else { continue };
        let name = names.text(function.name).to_owned();
        let file = file_of(function.name_span);
        let given = |span: Span| sources.source_of(span.start).is_some_and(|s| s.name == file);
        let in_text = sources.text(function.name_span) == name
            && given(function.name_span)
            && given(function.start)
            && function.start.start <= function.name_span.start;
        functions.push(Outlined {
            file,
            span: function.name_span,
            start: function.start,
            has_contract: known.has_contract,
            in_text,
            calls: calls(known, checked, names),
            globals: globals(known, checked),
            parameters: parameters(known, names),
            result: sketch(&known.result),
            name,
        });
    }
    functions.sort_by_key(|f| f.span);
    let record = |i: usize| Record {
        name: types.records[i].name.clone(),
        members: members(types, RecordId(i as u32)),
    };
    let globals = checked.globals.iter().filter(|g| g.owner.is_none() && !g.constant);
    let globals = globals.map(|g| (g.name.clone(), sketch(&g.ty))).collect();
    let bases = texts.iter().map(|(base, name)| ((*name).to_owned(), *base)).collect();
    Outline { functions, records: (0..types.records.len()).map(record).collect(), globals, bases }
}

fn members(types: &Types, id: RecordId) -> Vec<(String, Sketch)> {
    let record = types.record(id);
    if record.union || record.broken {
        return Vec::new();
    }
    let fields = record.fields.clone().into_iter().filter_map(|i| types.fields.get(i as usize));
    fields.filter(|f| !f.ghost).map(|f| (f.name.clone(), sketch(&f.ty))).collect()
}

fn parameters(function: &Function, names: &Names) -> Vec<(String, Sketch)> {
    let named = function.locals.iter().zip(&function.parameters);
    named.map(|(local, ty)| (names.text(local.name).to_owned(), sketch(ty))).collect()
}

fn sketch(ty: &Ty) -> Sketch {
    match ty {
        Ty::Int(kind) => Sketch::Int { signed: kind.signed },
        Ty::Pointer(inner) => Sketch::Pointer(Box::new(sketch(inner))),
        Ty::Record(id) => Sketch::Record(id.0 as usize),
        Ty::Array(element, length) => Sketch::Array(Box::new(sketch(element)), *length),
        _ => Sketch::Other,
    }
}

fn calls(function: &Function, checked: &Checked, names: &Names) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    each_expr(function, &mut |expr| {
        if let ExprKind::Call(Callee::Function(index), _) = &expr.kind {
            let callee = &checked.functions[*index as usize];
            let name = names.text(callee.name);
            if callee.defined && !out.iter().any(|n| n == name) {
                out.push(name.to_owned());
            }
        }
    });
    out
}

fn globals(function: &Function, checked: &Checked) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    each_expr(function, &mut |expr| {
        if let ExprKind::Var(Variable::Global(index)) = &expr.kind {
            let name = &checked.globals[*index as usize].name;
            if !out.contains(name) {
                out.push(name.clone());
            }
        }
    });
    out
}

/// Shows every expression of a function.
fn each_expr(function: &Function, visit: &mut dyn FnMut(&Expr)) {
    fn look(expr: &Expr, visit: &mut dyn FnMut(&Expr)) {
        visit(expr);
        expr.each_part(&mut |part| look(part, visit));
    }
    for statement in function.body.iter().flatten() {
        statement.each_expr(&mut |e| look(e, visit));
    }
}
