//! A function as a control-flow graph, with its declarations and contract: the one representation that all
//! engines, the interpreter and the certificate checker work on.
//!
//! Invariants: ids are in range; types agree; the entry has no incoming and
//! the exit no outgoing edge; every cycle passes a loop head; formulas in commands mention declared labels.
//!
//! Every location but the exit has outgoing edges that cover all cases, or none (a run that ends there has
//! ended: `abort`). Several outgoing edges mean a choice: each edge's command may be an `Assume` that filters.

use super::command::{Check, Command, Target};
use super::decl::{
    BoundId, EdgeId, Field, FieldId, LocationId, LoopId, Struct, StructId, Type, VARIABLE, Var, VarId,
    VarKind,
};
use super::expr::Cond;
use super::formula::{Binder, Formula, Term};
use crate::util::span::Span;

/// A step between two locations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Source.
    pub from: LocationId,
    /// Target.
    pub to: LocationId,
    /// What happens.
    pub command: Command,
    /// Where it stands in the source.
    pub span: Span,
}

/// A formula of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// What it says.
    pub formula: Formula,
    /// Where.
    pub span: Span,
}

/// A predicate to track (`track P`, `loop track P`, `track (T *v) P`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Track {
    /// Of a heap object: the bound variable it is about.
    pub object: Option<Binder>,
    /// The predicate.
    pub clause: Clause,
    /// At one loop only.
    pub at: Option<LoopId>,
}

/// A loop of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The location before every evaluation of the test (`while`, `for`) or before every execution of the body (`do`).
    pub head: LocationId,
    /// Conjuncts given by the user; assertions (decision 8).
    pub invariants: Vec<Clause>,
    /// `loop assigns`, if given.
    pub assigns: Option<Vec<Target>>,
    /// `loop variant`, if given: the first rank that changes decreases ([`variant`](super::variant)).
    pub variant: Vec<Clause>,
    /// The loop around it.
    pub parent: Option<LoopId>,
    /// The statement.
    pub span: Span,
}

/// A place where every cell that the function has allocated must still be reached (check word `leaks`), besides the
/// exit: an end of the program by `exit`, `abort` or a failure that is not asked about, or a loop head, where what
/// is lost counts even if the loop never ends (DESIGN 6, decision 10).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweep {
    /// The place.
    pub at: LocationId,
    /// What keeps cells besides globals and what was there at the entry: pointers in the variables that are alive;
    /// an array stands for its elements.
    pub roots: Vec<Term>,
    /// The statement.
    pub span: Span,
}

/// One contract: the clauses common to all behaviours and those of one of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contract {
    /// `None`: the clauses outside any behaviour.
    pub behavior: Option<String>,
    /// Entry condition.
    pub requires: Vec<Clause>,
    /// Exit condition.
    pub ensures: Vec<Clause>,
    /// `None`: everything reachable may change.
    pub assigns: Option<Vec<Target>>,
    /// Span of the `assigns` clause, or of the contract.
    pub span: Span,
}

/// `shape` hints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `shape list(f)`
    List(FieldId),
    /// `shape dlist(n, p)`
    Dlist(FieldId, FieldId),
    /// `shape tree(l, r)`
    Tree(FieldId, FieldId),
}

/// How a run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A function: any heap in which parameters, globals and everything reached from them are null or
    /// allocated (decision 1), and that satisfies `requires`.
    Function,
    /// `main`: no cell is allocated; the first commands initialise the globals.
    Main,
}

/// One function, everything it needs inlined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Name of the function.
    pub name: String,
    /// How a run begins.
    pub begins: Entry,
    /// Kinds of cells.
    pub structs: Vec<Struct>,
    /// Fields of all structs.
    pub fields: Vec<Field>,
    /// Variables.
    pub vars: Vec<Var>,
    /// Names of labels, by [`LabelId`](super::LabelId).
    pub labels: Vec<String>,
    /// Number of bound variables handed out.
    pub bounds: u32,
    /// One contract per behaviour; exactly one with `behavior: None` if there are no named behaviours.
    pub contracts: Vec<Contract>,
    /// Number of locations.
    pub locations: u32,
    /// First location.
    pub entry: LocationId,
    /// Where every regular run ends.
    pub exit: LocationId,
    /// Steps.
    pub edges: Vec<Edge>,
    /// Loops of the source.
    pub loops: Vec<Loop>,
    /// Where lost cells count besides the exit.
    pub sweeps: Vec<Sweep>,
    /// Calls of which it is not known that they end: recursion without `decreases`. Only if termination is asked about.
    pub endless: Vec<Span>,
    /// Predicates to track.
    pub tracks: Vec<Track>,
    /// Shape hints.
    pub shapes: Vec<Shape>,
    /// The function in the source.
    pub span: Span,
}

/// What is asked about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Index into [`Program::contracts`].
    pub contract: usize,
    /// Property classes that count.
    pub checks: Vec<Check>,
}

impl Question {
    /// The default checks for a contract.
    #[must_use]
    pub fn of_contract(contract: usize) -> Question {
        Question { contract, checks: vec![Check::Memsafety, Check::Asserts, Check::Ensures] }
    }

    /// Whether the class counts.
    #[must_use]
    pub fn asks(&self, check: Check) -> bool {
        self.checks.contains(&check)
    }
}

impl Program {
    /// An empty program: one struct-less function whose entry and exit are not connected.
    #[must_use]
    pub fn new(name: &str) -> Program {
        Program {
            name: name.to_owned(),
            begins: Entry::Function,
            structs: Vec::new(),
            fields: Vec::new(),
            vars: Vec::new(),
            labels: Vec::new(),
            bounds: 0,
            contracts: vec![Contract::default()],
            locations: 2,
            entry: LocationId(0),
            exit: LocationId(1),
            edges: Vec::new(),
            loops: Vec::new(),
            sweeps: Vec::new(),
            endless: Vec::new(),
            tracks: Vec::new(),
            shapes: Vec::new(),
            span: Span::default(),
        }
    }

    /// A new struct without fields.
    pub fn add_struct(&mut self, name: &str) -> StructId {
        self.structs.push(Struct { name: name.to_owned(), fields: Vec::new() });
        StructId(index(self.structs.len() - 1))
    }

    /// A new field.
    pub fn add_field(&mut self, field: Field) -> FieldId {
        let id = FieldId(index(self.fields.len()));
        self.structs[field.owner.index()].fields.push(id);
        self.fields.push(field);
        id
    }

    /// A new variable.
    pub fn add_var(&mut self, var: Var) -> VarId {
        self.vars.push(var);
        VarId(index(self.vars.len() - 1))
    }

    /// A new location.
    pub fn add_location(&mut self) -> LocationId {
        self.locations += 1;
        LocationId(self.locations - 1)
    }

    /// A new bound variable.
    pub fn add_bound(&mut self) -> BoundId {
        self.bounds += 1;
        BoundId(self.bounds - 1)
    }

    /// A new edge.
    pub fn add_edge(&mut self, from: LocationId, to: LocationId, command: Command, span: Span) -> EdgeId {
        self.edges.push(Edge { from, to, command, span });
        EdgeId(index(self.edges.len() - 1))
    }

    /// The edges that leave each location, by location.
    #[must_use]
    pub fn successors(&self) -> Vec<Vec<EdgeId>> {
        let mut out = vec![Vec::new(); self.locations as usize];
        for (i, edge) in self.edges.iter().enumerate() {
            out[edge.from.index()].push(EdgeId(index(i)));
        }
        out
    }

    /// The edges that enter each location, by location.
    #[must_use]
    pub fn predecessors(&self) -> Vec<Vec<EdgeId>> {
        let mut out = vec![Vec::new(); self.locations as usize];
        for (i, edge) in self.edges.iter().enumerate() {
            out[edge.to.index()].push(EdgeId(index(i)));
        }
        out
    }

    /// The loop whose head is this location.
    #[must_use]
    pub fn loop_at(&self, location: LocationId) -> Option<LoopId> {
        self.loops.iter().position(|l| l.head == location).map(|i| LoopId(index(i)))
    }

    /// The variable of this name.
    #[must_use]
    pub fn var_named(&self, name: &str) -> Option<VarId> {
        self.vars.iter().position(|v| v.name == name).map(|i| VarId(index(i)))
    }

    /// The field of this name in the struct.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn field_named(&self, owner: StructId, name: &str) -> Option<FieldId> {
        self.structs[owner.index()].fields.iter().copied().find(|f| self.fields[f.index()].name == name)
    }

    /// Whether calls are known by contract only: their effect is arbitrary.
    #[must_use]
    pub fn calls_by_contract(&self) -> bool {
        self.edges.iter().any(|e| matches!(e.command, Command::Scramble { .. }))
    }

    /// Whether some call can be judged only by what is reached from its arguments ([`Local`](super::Local)).
    #[must_use]
    pub fn calls_locally(&self) -> bool {
        let needed = |c: &Command| matches!(c, Command::Scramble { local: Some(local), .. } if local.needed);
        self.edges.iter().any(|e| needed(&e.command))
    }

    /// Whether the command makes a value up that C knows ([`GUESS`](super::trace::GUESS)).
    #[must_use]
    pub fn is_guess(&self, command: &Command) -> bool {
        match command {
            Command::Havoc(x) => self.vars[x.index()].name.starts_with(super::trace::GUESS),
            _ => false,
        }
    }

    /// Whether some value is made up.
    #[must_use]
    pub fn guesses(&self) -> bool {
        self.vars.iter().any(|v| v.name.starts_with(super::trace::GUESS))
    }

    /// The program without the runs in which a value is made up.
    #[must_use]
    pub fn without_guesses(&self) -> Program {
        let mut known = self.clone();
        for edge in &mut known.edges {
            if self.is_guess(&edge.command) {
                edge.command = Command::Assume(Cond::Const(false));
            }
        }
        known
    }

    /// A parameter that may lead to a variable of the caller's, which is no cell of the heap.
    #[must_use]
    pub fn leads_to_variable(&self) -> Option<VarId> {
        let leads = |v: &Var| match v.ty {
            Type::Ptr(of) => v.kind == VarKind::Param && self.structs[of.index()].name.starts_with(VARIABLE),
            _ => false,
        };
        self.vars.iter().position(leads).map(|i| VarId(index(i)))
    }

    /// The struct whose cells a root of a sweep leads to.
    #[must_use]
    pub fn root_of(&self, root: &Term) -> Option<StructId> {
        let ty = match root {
            Term::Var(v, _) => self.vars[v.index()].ty,
            Term::Field(f, ..) => self.fields[f.index()].ty,
            _ => return None,
        };
        ty.pointee()
    }

    /// The variable that holds the result.
    #[must_use]
    pub fn result(&self) -> Option<VarId> {
        self.vars.iter().position(|v| v.kind == VarKind::Result).map(|i| VarId(index(i)))
    }
}

fn index(i: usize) -> u32 {
    u32::try_from(i).expect("a program has fewer than 2^32 declarations of a kind")
}
