//! From the checked unit to control-flow graphs, one per function that is verified.
//!
//! Everything a function calls is inlined with fresh variables, except calls by contract. Expressions become
//! chains of commands that touch the heap once each; `&&`, `||`, `?:` become branches. A variable whose address is
//! used as a value, and every struct variable, is an automatic cell: allocated where its block is entered, released
//! where it is left. A pointer to a scalar is a pointer to such a cell, or, if the unit takes addresses of fields,
//! a *fat* pointer: a tag and one component for each place it may lead to. A struct inside another is its fields, or
//! a cell of its own if its address is used (module `part`).
//!
//! What cannot be lowered exactly is a diagnostic, and then there is no program: see the module `usage` for what is
//! known about addresses, `order` for evaluation orders.

mod address;
mod allocate;
mod call;
mod condition;
mod contract;
mod element;
mod ends;
mod entry;
mod expression;
mod finish;
mod formula;
mod intrinsic;
mod jump;
mod layout;
mod links;
mod merged;
mod order;
mod overflow;
mod part;
#[cfg(test)]
mod part_tests;
mod place;
mod promote;
mod quiet;
mod statement;
#[cfg(test)]
mod tests;
mod text;
mod usage;

use super::hir::{Checked, Function, Variable};
use super::token::{Name, Names};
use super::types::{RecordId, Ty, Types};
use super::{Malloc, Options};
use crate::frontend::diagnostic::{Diagnostic, Severity, Span};
use crate::program::{
    Command, EdgeId, Entry, FieldId, IntKind, LabelId, LocationId, LoopId, Program, StructId, Term, Type,
    Var, VarId, VarKind,
};
use crate::util::hash::Map;
use order::Order;
use place::Place;
use std::collections::BTreeMap;
use text::Text;
use usage::Usage;

/// Edges of one program, at most: inlining can grow exponentially.
const MAX_EDGES: usize = 200_000;

/// Levels of statements and expressions, those of inlined copies included.
const MAX_NESTING: u32 = 10_000;

/// The complaint is on record.
pub(super) struct Failed;

type Lowering<T> = Result<T, Failed>;

/// What all functions of a unit share.
pub(super) struct Unit<'a> {
    pub(super) types: &'a Types,
    pub(super) checked: &'a Checked,
    pub(super) names: &'a Names,
    pub(super) options: &'a Options,
    usage: Usage,
    /// Expressions with an open order of evaluation, by function.
    order: Order<'a>,
}

impl<'a> Unit<'a> {
    pub(super) fn new(
        types: &'a Types,
        checked: &'a Checked,
        names: &'a Names,
        options: &'a Options,
    ) -> Unit<'a> {
        let usage = Usage::of(checked, types);
        let order = Order::of(checked, types, names, true);
        Unit { types, checked, names, options, usage, order }
    }

    /// What keeps a function, or one that it needs inlined, from being lowered.
    pub(super) fn complaints(&self, index: u32) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut seen = vec![false; self.checked.functions.len()];
        let mut open = vec![index];
        while let Some(next) = open.pop() {
            if std::mem::replace(&mut seen[next as usize], true) {
                continue;
            }
            let function = &self.checked.functions[next as usize];
            let bad = |d: &&Diagnostic| d.severity > Severity::Warning;
            found.extend(function.diagnostics.iter().filter(bad).cloned());
            found.extend(self.order.check(next));
            // The body of a function that is only called by contract does not matter.
            open.extend(self.usage.calls[next as usize].iter().filter(|f| !self.always_by_contract(**f)));
        }
        found
    }

    /// Expressions with an open order of evaluation, by function.
    pub(super) fn open_orders(&self) -> Vec<Vec<Diagnostic>> {
        // Bytes may be of any type.
        let order = Order::of(self.checked, self.types, self.names, false);
        (0..self.checked.functions.len() as u32).map(|f| order.check(f)).collect()
    }

    /// The program of one function.
    pub(super) fn lower(&self, index: u32) -> Result<Program, Vec<Diagnostic>> {
        let complaints = self.complaints(index);
        if !complaints.is_empty() {
            return Err(complaints);
        }
        let mut first = self.begin(index);
        first.enter_parts();
        match first.run(index) {
            // Pointers may lead into structs: once more, with cells of their own for the parts.
            Err(_) if first.overlaps && !first.is_main() => {
                let mut second = self.begin(index);
                second.inside = Inside::All;
                let mut used: Vec<RecordId> = first.structs.keys().copied().collect();
                used.sort();
                second.enter_structs(&used);
                second.run(index)?;
                Ok(second.finish())
            }
            Err(found) => Err(found),
            Ok(()) => Ok(first.finish()),
        }
    }

    fn begin(&self, index: u32) -> Lowerer<'_> {
        let function = &self.checked.functions[index as usize];
        let name = self.names.text(function.name);
        let mut lowerer = Lowerer {
            unit: self,
            program: Program::new(name),
            structs: Map::default(),
            fields: Map::default(),
            inside: Inside::None,
            overlaps: false,
            parts: Map::default(),
            boxes: Vec::new(),
            tags: Vec::new(),
            exposed: Vec::new(),
            globals: Map::default(),
            global_order: Vec::new(),
            texts: Vec::new(),
            global_cells: Vec::new(),
            lone: Vec::new(),
            sizes: Map::default(),
            making: None,
            frames: Vec::new(),
            ends: Vec::new(),
            here: LocationId(0),
            taken_names: Map::default(),
            loops: Vec::new(),
            logic: Vec::new(),
            next_scope: 0,
            clock: 0,
            nesting: 0,
            diagnostics: Vec::new(),
        };
        lowerer.program.span = function.span;
        lowerer.program.begins = if name == "main" { Entry::Main } else { Entry::Function };
        if lowerer.is_main() {
            lowerer.inside = Inside::Taken;
        }
        lowerer
    }
}

/// Which structs inside others are cells of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    /// None: they are fields.
    None,
    /// Those whose address is taken. Enough where all objects are the program's own.
    Taken,
    /// All that pointers lead to anywhere: those of the caller may come from anywhere.
    All,
}

/// Where a variable lives.
#[derive(Clone, Debug)]
enum Binding {
    /// In a variable of the program.
    Var(VarId),
    /// A fat pointer in several variables; the type is what it points to.
    Fat(Vec<VarId>, Ty),
    /// A scalar in a cell of its own, which the variable points to.
    Cell(VarId, FieldId),
    /// A struct in a cell, which the variable points to.
    Struct(VarId, RecordId),
    /// An array.
    Array(VarId),
    /// A parameter `p` that stands for `&place`.
    Alias(Place),
    /// A parameter that stands for a string literal.
    Text(Text),
    /// There is no model.
    Unsupported(String),
}

/// Where a function's result goes.
#[derive(Clone, Debug)]
enum Slot {
    Nothing,
    Var(VarId),
    Fat(Vec<VarId>, Ty),
    Struct(VarId, RecordId),
}

impl Slot {
    fn place(&self) -> Place {
        match self {
            // Nobody writes there: the caller looks first.
            Slot::Nothing => Place::Fat(Vec::new(), Ty::Void),
            Slot::Var(var) => Place::Var(*var),
            Slot::Fat(vars, target) => Place::Fat(vars.clone(), target.clone()),
            Slot::Struct(var, record) => Place::Struct(*var, *record, Vec::new()),
        }
    }
}

/// A block that was entered.
#[derive(Clone, Debug)]
struct Scope {
    id: u32,
    /// Its variables.
    locals: Vec<u32>,
    /// Cells that end their life with it.
    cells: Vec<VarId>,
    /// It declares something.
    declares: bool,
}

/// Where `break` or `continue` leads, and how many scopes stay open there.
#[derive(Clone, Copy, Debug)]
struct Jump {
    to: LocationId,
    scopes: usize,
}

/// A label that was met.
#[derive(Clone, Debug)]
struct Label {
    at: LocationId,
    scopes: Vec<Scope>,
    clock: u32,
    parent: Option<LoopId>,
    /// What is held there.
    roots: Vec<Term>,
    span: Span,
}

/// A `goto`, resolved when the whole function is lowered.
#[derive(Clone, Debug)]
struct Goto {
    from: LocationId,
    to: Name,
    scopes: Vec<Scope>,
    clock: u32,
    span: Span,
}

/// The cases of a `switch` that is being lowered.
#[derive(Clone, Debug)]
struct Switch {
    /// The type of the subject, to which labels are converted.
    kind: IntKind,
    cases: BTreeMap<i128, LocationId>,
    default: Option<LocationId>,
    scopes: usize,
}

/// The moment at which a copy of a function begins.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// The program's entry.
    Entry,
    /// An edge that does nothing so far; it becomes a snapshot when a formula needs one.
    Edge(EdgeId),
    /// A snapshot.
    Label(LabelId),
}

/// One copy of a function.
struct Frame {
    function: u32,
    locals: Vec<Option<Binding>>,
    exit: LocationId,
    slot: Slot,
    scopes: Vec<Scope>,
    breaks: Vec<Jump>,
    continues: Vec<Jump>,
    switches: Vec<Switch>,
    labels: Map<Name, Label>,
    gotos: Vec<Goto>,
    /// Labels of the program for the labels that formulas mention.
    spec_labels: Vec<LabelId>,
    /// Entry values of parameters, of the function that the program is about.
    parameters: Vec<Option<VarId>>,
    /// The moment `\old` means.
    entry: Moment,
    /// It has labels or switches, so declarations can be jumped over or executed again.
    jumps: bool,
}

struct Lowerer<'a> {
    unit: &'a Unit<'a>,
    program: Program,
    structs: Map<RecordId, StructId>,
    /// From fields of the unit.
    fields: Map<FieldId, FieldId>,
    /// Which structs inside others are cells of their own.
    inside: Inside,
    /// A pointer may lead into a struct, and the part it leads to is no cell.
    overlaps: bool,
    /// Structs inside others that are cells of their own, by the struct around.
    parts: Map<StructId, Vec<part::Part>>,
    /// Cells of address-taken variables, by type.
    boxes: Vec<(Ty, StructId, FieldId)>,
    /// Tags of fat pointers.
    tags: Vec<VarId>,
    /// Scalars to which parameters from outside lead.
    exposed: Vec<Ty>,
    globals: Map<u32, Binding>,
    global_order: Vec<u32>,
    /// String literals that are used as values, with their cells.
    texts: Vec<(Text, VarId)>,
    /// Cells of globals in a program that does not begin with `main`: they exist at the entry.
    global_cells: Vec<VarId>,
    /// Variables of merged structs, with their kinds.
    lone: Vec<(VarId, RecordId, u32)>,
    /// Parameters that hold a constant while their copy of a function runs.
    sizes: Map<VarId, i128>,
    /// Kinds of a merged struct that the next allocation can be.
    making: Option<(RecordId, u32, u32)>,
    frames: Vec<Frame>,
    /// Where the program ends inside a function, and where its text goes on.
    ends: Vec<(LocationId, LocationId)>,
    here: LocationId,
    taken_names: Map<String, u32>,
    loops: Vec<LoopId>,
    /// Logical constants of the contract.
    logic: Vec<VarId>,
    next_scope: u32,
    clock: u32,
    /// Statements and expressions being lowered, inside each other.
    nesting: u32,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Lowerer<'a> {
    /// Lowers the function, or says why not.
    fn run(&mut self, index: u32) -> Result<(), Vec<Diagnostic>> {
        self.entry_function(index);
        let mut found = std::mem::take(&mut self.diagnostics);
        found.sort_by_key(|d| (d.span, d.message.clone()));
        found.dedup();
        if found.is_empty() { Ok(()) } else { Err(found) }
    }

    /// Runs `inner` one level deeper: copies inside deep expressions must not exhaust the stack.
    fn nested<T>(&mut self, span: Span, inner: impl FnOnce(&mut Self) -> Lowering<T>) -> Lowering<T> {
        if self.nesting > MAX_NESTING {
            return self.unsupported(span, "the program is nested too deeply after inlining");
        }
        self.nesting += 1;
        let result = inner(self);
        self.nesting -= 1;
        result
    }

    fn unsupported<T>(&mut self, span: Span, message: impl Into<String>) -> Lowering<T> {
        self.diagnostics.push(Diagnostic::unsupported("unsupported", span, message));
        Err(Failed)
    }

    /// What checking found to have no model.
    fn reported<T>(&mut self, diagnostic: &Diagnostic) -> Lowering<T> {
        self.diagnostics.push(diagnostic.clone());
        Err(Failed)
    }

    fn function(&self, index: u32) -> &'a Function {
        &self.unit.checked.functions[index as usize]
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("lowering runs inside a frame")
    }

    fn is_main(&self) -> bool {
        self.program.begins == Entry::Main
    }

    /// A step from the present location to a new one.
    fn emit(&mut self, command: Command, span: Span) {
        let to = self.program.add_location();
        self.program.add_edge(self.here, to, command, span);
        self.here = to;
    }

    /// A step to a known location; what follows is not reached from here.
    fn emit_to(&mut self, to: LocationId, command: Command, span: Span) {
        self.program.add_edge(self.here, to, command, span);
    }

    fn jump(&mut self, to: LocationId, span: Span) {
        self.emit_to(to, Command::Skip, span);
        self.here = self.program.add_location();
    }

    /// A name that no other variable has.
    fn fresh_name(&mut self, name: &str) -> String {
        let count = self.taken_names.entry(name.to_owned()).or_insert(0);
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name}#{count}") }
    }

    fn add_var(&mut self, name: &str, ty: Type, kind: VarKind, span: Span) -> VarId {
        let name = self.fresh_name(name);
        self.program.add_var(Var { name, ty, kind, len: None, span })
    }

    fn temp(&mut self, ty: Type, span: Span) -> VarId {
        self.add_var("#", ty, VarKind::Temp, span)
    }

    fn temp_int(&mut self, span: Span) -> VarId {
        self.temp(Type::Int(IntKind::INT), span)
    }

    /// Where a variable of the present function lives.
    fn binding(&mut self, variable: Variable, span: Span) -> Lowering<Binding> {
        let binding = match variable {
            Variable::Local(index) => self.frame().locals.get(index as usize).cloned().flatten(),
            Variable::Global(index) => Some(self.global(index)),
        };
        match binding {
            // Without a reason: it was given elsewhere.
            Some(Binding::Unsupported(why)) if why.is_empty() => Err(Failed),
            Some(Binding::Unsupported(why)) => self.unsupported(span, why),
            Some(binding) => Ok(binding),
            None => self.unsupported(span, "a variable is used where its declaration is jumped over"),
        }
    }

    fn may_fail(&self) -> bool {
        self.unit.options.malloc == Malloc::MayFail
    }
}
