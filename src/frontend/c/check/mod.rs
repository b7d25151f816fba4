//! Names, types and conversions: from the syntax tree to [`hir`](super::hir).
//!
//! Errors and unsupported constructs are collected where they belong: inside a function with that function, so
//! that a unit with one bad function still has verdicts for the others; outside with the unit. A type without a
//! model is only reported where an object of that type is used.

mod alloca;
mod arithmetic;
mod call;
pub(crate) mod convert;
mod declare;
pub(crate) mod expression;
mod initialise;
mod link;
mod literal;
mod memory;
mod operand;
mod prototype;
mod resolve;
mod statement;

use super::ast;
use super::hir::{self, Checked, Variable};
use super::token::{Name, Names};
use super::types::{RecordId, Ty, Types};
use crate::frontend::diagnostic::{Diagnostic, Sources, Span};
use crate::util::hash::{Map, Set};
use std::rc::Rc;

/// What sets objects to 0 that have no model; its name is known in every unit.
pub(crate) const MEMSET: &str = "__builtin_memset";

/// What gives arrays whose length is computed; its name is known in every unit.
pub(crate) const ALLOCA: &str = "__builtin_alloca";

/// What reads an argument that no parameter stands for; its name is known in every unit.
pub(crate) const VA_ARG: &str = "__builtin_va_arg";

/// The type of a list of arguments that no parameters stand for.
pub(crate) const VA_LIST: &str = "__builtin_va_list";

/// The names that every unit has.
pub(crate) fn known_names() -> Names {
    let mut names = Names::default();
    names.intern(MEMSET);
    names.intern(ALLOCA);
    names.intern(VA_ARG);
    names
}

/// The complaint is on record.
pub(crate) struct Failed;

pub(crate) type Checking<T> = Result<T, Failed>;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Entity {
    Typedef(Ty),
    Var(Variable),
    Function(u32),
    /// An enumerator.
    Constant(i128, Ty),
}

#[derive(Default)]
struct Scope {
    names: Map<Name, Entity>,
    tags: Map<Name, Tag>,
}

#[derive(Clone, Debug)]
enum Tag {
    Record(RecordId),
    Enum(Ty),
}

/// A predicate of the annotation language.
pub(crate) struct Predicate {
    pub(crate) parameters: Vec<(Name, Ty)>,
    pub(crate) body: ast::Expr,
    pub(crate) span: Span,
    /// It stands for a value, not for a truth value.
    pub(crate) is_value: bool,
}

/// The cases of a switch so far.
#[derive(Default)]
pub(crate) struct Cases {
    /// The type of its subject, to which the cases are converted.
    pub(crate) kind: Option<crate::program::IntKind>,
    pub(crate) values: std::collections::BTreeSet<i128>,
    pub(crate) default: bool,
}

/// The function being checked.
#[derive(Default)]
pub(crate) struct Current {
    pub(crate) index: Option<u32>,
    pub(crate) locals: Vec<hir::Local>,
    pub(crate) parameters: u32,
    pub(crate) result: Option<Ty>,
    pub(crate) logic: Vec<hir::Local>,
    /// Labels that formulas mention.
    pub(crate) labels: Vec<Name>,
    /// Labels that exist in the body.
    pub(crate) defined_labels: Vec<Name>,
    pub(crate) bounds: u32,
    /// Predicates expanded so far.
    pub(crate) expansions: u32,
    /// Depth of loops and switches, for `break` and `continue`.
    pub(crate) loops: u32,
    pub(crate) switches: u32,
    /// The cases of the innermost switch.
    pub(crate) cases: Cases,
    /// Declarations for the compound literals of the statement that is checked.
    pub(crate) literals: Vec<hir::Stmt>,
    /// Declarations for what `alloca` gives, which lives as long as the function's body.
    pub(crate) automatic: Vec<hir::Stmt>,
    /// Inside a ghost statement.
    pub(crate) ghost: bool,
}

/// The state of checking a unit.
pub(crate) struct Checker<'a> {
    pub(crate) names: &'a Names,
    pub(crate) types: Types,
    pub(crate) checked: Checked,
    pub(crate) predicates: Map<Name, Rc<Predicate>>,
    /// Predicates with an error; their uses are not complained about again.
    pub(crate) broken: Vec<Name>,
    /// Names of annotations that were reported as having no model.
    pub(crate) unmodelled: Vec<Name>,
    pub(crate) current: Current,
    pub(crate) sink: Vec<Diagnostic>,
    /// The item that is checked: what later ones define is not known in it.
    item: u32,
    scopes: Vec<Scope>,
    /// Structs and enumerations already entered, by the address of their syntax.
    entered: Map<usize, Ty>,
    /// The typedef name before the declarators that are checked: one of them may hide it from the others.
    pinned: Option<(Name, Span, Ty)>,
    /// The name of the compiler's own `memset`.
    /// What lists of further arguments lead to, once there is one.
    va_list: Option<super::types::RecordId>,
    memset: Option<Name>,
    /// The declaration that is checked is `struct s;`, which names a type of its own block.
    alone: bool,
    /// What several units share.
    linked: link::Linked<'a>,
}

/// What checking a unit gives.
pub(crate) struct Outcome {
    pub(crate) types: Types,
    pub(crate) checked: Checked,
    /// Complaints that belong to no function.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Checks units that are linked to one program; mostly there is one.
///
/// Structs of one tag are taken for one type as long as their members agree. Where they do not, all is checked again with
/// these kept apart, which may tell others apart that lead to them.
pub(crate) fn check(units: &[&[ast::Item]], names: &Names, sources: &Sources, lp64: bool) -> Outcome {
    let mut apart = Set::default();
    loop {
        let (outcome, found) = check_once(units, names, sources, lp64, &apart);
        let known = apart.len();
        apart.extend(found);
        if apart.len() == known {
            return outcome;
        }
    }
}

fn check_once(
    units: &[&[ast::Item]],
    names: &Names,
    sources: &Sources,
    lp64: bool,
    apart: &Set<link::Difference>,
) -> (Outcome, Set<link::Difference>) {
    let mut checker = Checker {
        names,
        types: Types { lp64, ..Types::default() },
        checked: Checked::default(),
        predicates: Map::default(),
        broken: Vec::new(),
        unmodelled: Vec::new(),
        current: Current::default(),
        sink: Vec::new(),
        item: 0,
        scopes: vec![Scope::default()],
        entered: Map::default(),
        pinned: None,
        memset: names.find(MEMSET),
        va_list: None,
        alone: false,
        linked: link::Linked::new(sources, apart),
    };
    let mut rooms: Vec<link::Room> = units.iter().map(|_| link::Room::default()).collect();
    let mut first_item = 0;
    for (unit, (items, room)) in units.iter().zip(&mut rooms).enumerate() {
        checker.enter(unit, room);
        // Predicates may be used before the line that defines them.
        for (i, item) in (first_item..).zip(*items) {
            checker.item = i;
            checker.declare_item(item);
        }
        first_item += items.len() as u32;
        checker.leave(room);
    }
    checker.check_globals();
    checker.check_main();
    checker.tell_statics_apart();
    let mut first_item = 0;
    for (unit, (items, room)) in units.iter().zip(&mut rooms).enumerate() {
        checker.enter(unit, room);
        checker.item = first_item + (items.len() as u32).saturating_sub(1);
        checker.declare_shapes(items);
        checker.check_predicates();
        for (i, item) in (first_item..).zip(*items) {
            checker.item = i;
            if let ast::Item::Function(function) = item {
                checker.function(function);
            } else if let ast::Item::Declaration(declaration, clauses) = item
                && !clauses.is_empty()
            {
                checker.declared_contract(declaration, clauses);
            }
        }
        first_item += items.len() as u32;
        checker.leave(room);
    }
    let found = checker.linked.take_differences();
    (Outcome { types: checker.types, checked: checker.checked, diagnostics: checker.sink }, found)
}

impl Checker<'_> {
    pub(crate) fn text(&self, name: Name) -> &str {
        self.names.text(name)
    }

    pub(crate) fn error<T>(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> Checking<T> {
        self.sink.push(Diagnostic::error(code, span, message));
        Err(Failed)
    }

    pub(crate) fn unsupported<T>(&mut self, span: Span, message: impl Into<String>) -> Checking<T> {
        self.sink.push(Diagnostic::unsupported("unsupported", span, message));
        Err(Failed)
    }

    pub(crate) fn lookup(&self, name: Name) -> Option<&Entity> {
        self.scopes.iter().rev().find_map(|s| s.names.get(&name))
    }

    fn insert(&mut self, name: Name, entity: Entity) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name, entity);
        }
    }

    fn in_scope<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Scope::default());
        let result = inner(self);
        self.scopes.pop();
        result
    }

    /// The type of a variable.
    pub(crate) fn type_of(&self, variable: Variable) -> Ty {
        match variable {
            Variable::Local(i) => self.current.locals[i as usize].ty.clone(),
            Variable::Global(i) => self.checked.globals[i as usize].ty.clone(),
        }
    }
}
