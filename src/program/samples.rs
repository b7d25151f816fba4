//! Small programs written by hand, for the tests of this module and of the engines.

use super::{
    Check, Clause, Command, Cond, Entry, Expr, Field, FieldId, Formula, IntKind, LocationId, Loop, Program,
    Storage, StructId, Type, Var, VarId, VarKind,
};
use crate::util::span::Span;

/// A program under construction over one struct, `struct node`, with fields `next`, `prev` and `key`.
pub struct Sample {
    /// The program so far.
    pub program: Program,
    /// Where the next command begins.
    pub here: LocationId,
    /// Number of commands so far; the span of a command is its number.
    pub count: u32,
}

/// The struct of all samples.
pub const NODE: StructId = StructId(0);
/// Its first link field.
pub const NEXT: FieldId = FieldId(0);
/// Its second link field.
pub const PREV: FieldId = FieldId(1);
/// Its data field.
pub const KEY: FieldId = FieldId(2);

impl Sample {
    /// A function without commands.
    #[must_use]
    pub fn new(name: &str) -> Sample {
        let mut program = Program::new(name);
        let owner = program.add_struct("struct node");
        let int = Type::Int(IntKind::INT);
        for (name, ty) in [("next", Type::Ptr(owner)), ("prev", Type::Ptr(owner)), ("key", int)] {
            program.add_field(Field { name: name.to_owned(), owner, ty, ghost: false });
        }
        Sample { here: program.entry, program, count: 0 }
    }

    /// `main`: nothing is allocated at entry.
    #[must_use]
    pub fn main() -> Sample {
        let mut sample = Sample::new("main");
        sample.program.begins = Entry::Main;
        sample
    }

    /// A pointer variable.
    pub fn pointer(&mut self, name: &str, kind: VarKind) -> VarId {
        self.var(name, kind, Type::Ptr(NODE))
    }

    /// An `int` variable.
    pub fn int(&mut self, name: &str, kind: VarKind) -> VarId {
        self.var(name, kind, Type::Int(IntKind::INT))
    }

    fn var(&mut self, name: &str, kind: VarKind, ty: Type) -> VarId {
        self.program.add_var(Var { name: name.to_owned(), ty, kind, len: None, span: Span::default() })
    }

    /// The span of the next command.
    #[must_use]
    pub fn span(&self) -> Span {
        Span::new(self.count, self.count + 1)
    }

    /// A command from one location to another.
    pub fn edge(&mut self, from: LocationId, to: LocationId, command: Command) {
        let span = self.span();
        self.count += 1;
        self.program.add_edge(from, to, command, span);
    }

    /// A command from here to a new location.
    pub fn then(&mut self, command: Command) -> &mut Sample {
        let to = self.program.add_location();
        self.edge(self.here, to, command);
        self.here = to;
        self
    }

    /// `x = e`
    pub fn assign(&mut self, x: VarId, e: Expr) -> &mut Sample {
        self.then(Command::Assign(x, e))
    }

    /// `x = y`
    pub fn copy(&mut self, x: VarId, y: VarId) -> &mut Sample {
        self.assign(x, Expr::Var(y))
    }

    /// `x = y->f`
    pub fn load(&mut self, to: VarId, from: VarId, field: FieldId) -> &mut Sample {
        self.then(Command::Load { to, from, field })
    }

    /// `x->f = e`
    pub fn store(&mut self, to: VarId, field: FieldId, value: Expr) -> &mut Sample {
        self.then(Command::Store { to, field, value })
    }

    /// `x = malloc(sizeof *x)`
    pub fn alloc(&mut self, to: VarId) -> &mut Sample {
        self.then(Command::Alloc { to, of: NODE, storage: Storage::Heap, zeroed: false })
    }

    /// `assert(P)`
    pub fn assert(&mut self, formula: Formula) -> &mut Sample {
        let what = "assertion".to_owned();
        self.then(Command::Assert { formula, check: Check::Asserts, what })
    }

    /// `while (c) { body }` with one invariant per formula.
    pub fn while_loop(&mut self, c: Cond, invariants: Vec<Formula>, body: impl FnOnce(&mut Sample)) {
        self.then(Command::Skip);
        let head = self.here;
        let clause = |formula| Clause { formula, span: Span::default() };
        let invariants = invariants.into_iter().map(clause).collect();
        let span = self.span();
        self.program.loops.push(Loop {
            head,
            invariants,
            assigns: None,
            variant: Vec::new(),
            parent: None,
            span,
        });
        self.then(Command::Assume(c.clone()));
        body(self);
        self.edge(self.here, head, Command::Skip);
        self.here = head;
        self.then(Command::Assume(c.negated()));
    }

    /// Adds `requires`.
    pub fn requires(&mut self, formula: Formula) -> &mut Sample {
        self.program.contracts[0].requires.push(Clause { formula, span: Span::default() });
        self
    }

    /// Adds `ensures`.
    pub fn ensures(&mut self, formula: Formula) -> &mut Sample {
        self.program.contracts[0].ensures.push(Clause { formula, span: Span::default() });
        self
    }

    /// The last command goes to the exit.
    #[must_use]
    pub fn finish(mut self) -> Program {
        let exit = self.program.exit;
        self.edge(self.here, exit, Command::Skip);
        self.program
    }
}

/// The null pointer.
#[must_use]
pub fn null() -> Expr {
    Expr::Null(NODE)
}

/// `reverse(x)`: in-place reversal; the result is the new head. The invariant says that both parts are lists.
#[must_use]
pub fn reverse() -> Program {
    use super::{At, Term};
    let mut s = Sample::new("reverse");
    let (x, y) = (s.pointer("x", VarKind::Param), s.pointer("y", VarKind::Local));
    let (t, result) = (s.pointer("t", VarKind::Local), s.pointer("\\result", VarKind::Result));
    let list =
        |v, at| Formula::Reach { field: NEXT, at, from: Term::Var(v, at), to: Term::Null(NODE), plus: false };
    s.requires(list(x, At::Now));
    s.ensures(list(result, At::Now));
    s.assign(y, null());
    s.while_loop(Cond::ne(Expr::Var(x), null()), vec![list(x, At::Now), list(y, At::Now)], |s| {
        s.load(t, x, NEXT).store(x, NEXT, Expr::Var(y)).copy(y, x).copy(x, t);
    });
    s.copy(result, y);
    s.finish()
}
