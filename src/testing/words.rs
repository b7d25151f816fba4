//! Programs from a few words, for tests and generators: `x = y; x = y.n; x.n = y; x = new; free x;
//! if x {..} else {..}; while x && ? {..}; return x`, `null` for null, `?` for a choice, `!x` for "x is null",
//! `x==y` for equality. One struct, pointer fields only.

use crate::program::At;
use crate::program::{
    Binder, Clause, Cmp, Command, Cond, Expr, Field, FieldId, Formula, LocationId, Loop, Program, Storage,
    StructId, Term, Type, Var, VarId, VarKind,
};
use crate::util::span::Span;

struct Builder {
    program: Program,
    fields: Vec<(String, FieldId)>,
    here: Option<LocationId>,
}

const NODE: StructId = StructId(0);

/// A function over one struct; parameters by name, the rest of the variables are locals.
///
/// Panics on text that is not of this form: it is written by programmers and generators.
#[must_use]
pub fn program(fields: &[&str], params: &[&str], text: &str) -> Program {
    let mut program = Program::new("test");
    program.add_struct("node");
    let mut named = Vec::new();
    for name in fields {
        let field = Field { name: (*name).to_owned(), owner: NODE, ty: Type::Ptr(NODE), ghost: false };
        named.push(((*name).to_owned(), program.add_field(field)));
    }
    let here = program.entry;
    let mut builder = Builder { program, fields: named, here: Some(here) };
    for name in params {
        builder.declare(name, VarKind::Param);
    }
    builder.declare("result", VarKind::Result);
    let words = text.replace('{', " { ").replace('}', " } ").replace(';', " ; ");
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut rest = &words[..];
    builder.block(&mut rest);
    let exit = builder.program.exit;
    if builder.here.is_some() {
        builder.go(exit, Command::Skip);
    }
    builder.program
}

impl Builder {
    fn declare(&mut self, name: &str, kind: VarKind) -> VarId {
        let var = Var { name: name.to_owned(), ty: Type::Ptr(NODE), kind, len: None, span: Span::default() };
        self.program.add_var(var)
    }

    fn var(&mut self, name: &str) -> VarId {
        self.program.var_named(name).unwrap_or_else(|| self.declare(name, VarKind::Local))
    }

    fn go(&mut self, to: LocationId, command: Command) {
        let from = self.here.take().expect("a reachable place");
        self.program.add_edge(from, to, command, Span::default());
        self.here = Some(to);
    }

    fn emit(&mut self, command: Command) {
        let to = self.program.add_location();
        self.go(to, command);
    }

    fn value(&mut self, word: &str) -> Expr {
        if word == "null" { Expr::Null(NODE) } else { Expr::Var(self.var(word)) }
    }

    fn field(&self, name: &str) -> FieldId {
        self.fields.iter().find(|(n, _)| n == name).expect("a declared field").1
    }

    fn block(&mut self, rest: &mut &[&str]) {
        while let Some((word, tail)) = rest.split_first() {
            *rest = tail;
            match *word {
                ";" => {}
                "}" => return,
                "if" => self.branch(rest),
                "while" => self.cycle(rest),
                "free" => {
                    let x = self.var(rest[0]);
                    self.emit(Command::Free(x));
                    *rest = &rest[1..];
                }
                "return" => {
                    let result = self.var("result");
                    let value = self.value(rest[0]);
                    self.emit(Command::Assign(result, value));
                    let exit = self.program.exit;
                    self.go(exit, Command::Skip);
                    self.here = None;
                    *rest = &rest[1..];
                }
                target => {
                    assert_eq!(rest[0], "=", "an assignment");
                    let value = rest[1];
                    *rest = &rest[2..];
                    self.assign(target, value);
                }
            }
        }
    }

    fn assign(&mut self, target: &str, value: &str) {
        let command = if let Some((x, f)) = target.split_once('.') {
            Command::Store { to: self.var(x), field: self.field(f), value: self.value(value) }
        } else if let Some((y, f)) = value.split_once('.') {
            Command::Load { to: self.var(target), from: self.var(y), field: self.field(f) }
        } else if value == "new" || value == "zeroed" {
            let to = self.var(target);
            Command::Alloc { to, of: NODE, storage: Storage::Heap, zeroed: value == "zeroed" }
        } else {
            Command::Assign(self.var(target), self.value(value))
        };
        self.emit(command);
    }

    /// Reads a condition and goes to one of two locations.
    fn condition(&mut self, rest: &mut &[&str]) -> (LocationId, LocationId) {
        let (yes, no) = (self.program.add_location(), self.program.add_location());
        loop {
            let from = self.here.take().expect("a reachable place");
            let word = rest[0];
            *rest = &rest[1..];
            let more = rest[0] != "{";
            let or = more && rest[0] == "||";
            let next = if more {
                self.program.add_location()
            } else if or {
                no
            } else {
                yes
            };
            let (then, other) = if or { (yes, next) } else { (next, no) };
            let (a, b) = if word == "?" {
                (Command::Skip, Command::Skip)
            } else if let Some((x, y)) = word.split_once("==") {
                let (x, y) = (self.value(x), self.value(y));
                (Command::Assume(Cond::eq(x.clone(), y.clone())), Command::Assume(Cond::ne(x, y)))
            } else {
                let x = Expr::Var(self.var(word.trim_start_matches('!')));
                let is = Command::Assume(Cond::eq(x.clone(), Expr::Null(NODE)));
                let is_not = Command::Assume(Cond::ne(x, Expr::Null(NODE)));
                if word.starts_with('!') { (is, is_not) } else { (is_not, is) }
            };
            self.program.add_edge(from, then, a, Span::default());
            self.program.add_edge(from, other, b, Span::default());
            if !more {
                *rest = &rest[1..];
                return (yes, no);
            }
            self.here = Some(next);
            *rest = &rest[1..];
        }
    }

    fn branch(&mut self, rest: &mut &[&str]) {
        let (yes, no) = self.condition(rest);
        self.here = Some(yes);
        self.block(rest);
        let after = self.here.take();
        self.here = Some(no);
        if rest.first() == Some(&"else") {
            *rest = &rest[1..];
            if rest.first() == Some(&"if") {
                *rest = &rest[1..];
                self.branch(rest);
            } else {
                *rest = &rest[1..];
                self.block(rest);
            }
        }
        self.here = match (after, self.here) {
            (Some(a), Some(b)) => {
                self.program.add_edge(a, b, Command::Skip, Span::default());
                Some(b)
            }
            (a, b) => a.or(b),
        };
    }

    fn cycle(&mut self, rest: &mut &[&str]) {
        let head = self.program.add_location();
        self.go(head, Command::Skip);
        let parent = None;
        self.program.loops.push(Loop {
            head,
            invariants: Vec::new(),
            assigns: None,
            variant: Vec::new(),
            parent,
            span: Span::default(),
        });
        let (yes, no) = self.condition(rest);
        self.here = Some(yes);
        self.block(rest);
        if self.here.is_some() {
            self.go(head, Command::Skip);
        }
        self.here = Some(no);
    }
}

fn clause(formula: Formula) -> Clause {
    Clause { formula, span: Span::default() }
}

/// `requires`
pub fn requires(program: &mut Program, formula: Formula) {
    program.contracts[0].requires.push(clause(formula));
}

/// `ensures`
pub fn ensures(program: &mut Program, formula: Formula) {
    program.contracts[0].ensures.push(clause(formula));
}

/// A variable's value now, or at the entry if it is a parameter of a postcondition.
#[must_use]
pub fn now(program: &Program, name: &str) -> Term {
    Term::Var(program.var_named(name).expect("a variable"), At::Now)
}

/// `dll(t)` over the first two fields.
#[must_use]
pub fn dll(program: &mut Program, t: Term) -> Formula {
    let id = program.add_bound();
    let ends = [t, Term::Null(NODE), Term::Null(NODE), Term::Bound(id)];
    let body = Formula::Dlseg(FieldId(0), FieldId(1), At::Now, Box::new(ends));
    Formula::Exists(Binder { id, name: "e".to_owned(), of: Some(NODE) }, Box::new(body))
}

/// `\list(first field, t)`
#[must_use]
pub fn list(t: Term) -> Formula {
    Formula::Reach { field: FieldId(0), at: At::Now, from: t, to: Term::Null(NODE), plus: false }
}

/// `\tree(t)` over the first two fields.
#[must_use]
pub fn tree(t: Term) -> Formula {
    Formula::Tree(FieldId(0), FieldId(1), At::Now, t)
}

/// The list cells of two variables are disjoint.
#[must_use]
pub fn apart(a: Term, b: Term) -> Formula {
    use crate::program::Set;
    let cells = |t| Set::Cells(FieldId(0), At::Now, Box::new(t), Box::new(Term::Null(NODE)));
    Formula::Disjoint(vec![cells(a), cells(b)])
}

/// `t == NULL || \valid(t)`
#[must_use]
pub fn null_or_valid(t: Term) -> Formula {
    let null = Formula::Compare(Cmp::Eq, t.clone(), Term::Null(NODE));
    Formula::Or(vec![null, Formula::Valid(t, At::Now)])
}
