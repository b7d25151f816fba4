//! The six programs of the thesis and their broken twins, built statement by statement.

use super::{Columns, run_columns};
use crate::analysis::Setup;
use crate::program::{
    Check, Cmp, Command, Cond, Entry, Expr, Field, FieldId, IntKind, LocationId, Loop, Program, Question,
    Storage, StructId, Type, Var, VarId, VarKind,
};
use crate::util::span::Span;
use crate::verdict::Outcome;

/// Statements of list programs with one integer field.
#[derive(Clone)]
enum Stmt {
    Malloc(&'static str),
    Copy(&'static str, &'static str),
    Null(&'static str),
    Next(&'static str, &'static str),
    SetNext(&'static str, Option<&'static str>),
    SetData(&'static str, i128),
    Int(&'static str, i128),
    Free(&'static str),
    While(Test, Vec<Stmt>),
    If(Test, Vec<Stmt>, Vec<Stmt>),
    Error,
}

#[derive(Clone, Copy)]
enum Test {
    Nondet,
    NotNull(&'static str),
    Data(&'static str, Cmp, i128),
    Flag(&'static str),
}

use Stmt::{Copy as Set, Error, Free, If, Int, Malloc, Next, Null, SetData, SetNext, While};
use Test::{Data, Flag, Nondet, NotNull};

struct Builder {
    p: Program,
    node: StructId,
    h: FieldId,
    n: FieldId,
    at: LocationId,
    temps: u32,
}

fn build(body: &[Stmt]) -> Program {
    let mut p = Program::new("main");
    p.begins = Entry::Main;
    let node = p.add_struct("node");
    let h = p.add_field(Field { name: "h".into(), owner: node, ty: Type::Int(IntKind::INT), ghost: false });
    let n = p.add_field(Field { name: "n".into(), owner: node, ty: Type::Ptr(node), ghost: false });
    let at = p.entry;
    let mut b = Builder { p, node, h, n, at, temps: 0 };
    b.block(body);
    let (at, exit) = (b.at, b.p.exit);
    b.p.add_edge(at, exit, Command::Skip, Span::default());
    b.p
}

impl Builder {
    fn var(&mut self, name: &str, ty: Type, kind: VarKind) -> VarId {
        let fresh = Var { name: name.into(), ty, kind, len: None, span: Span::default() };
        self.p.var_named(name).unwrap_or_else(|| self.p.add_var(fresh))
    }

    fn ptr(&mut self, name: &str) -> VarId {
        self.var(name, Type::Ptr(self.node), VarKind::Local)
    }

    fn int(&mut self, name: &str) -> VarId {
        self.var(name, Type::Int(IntKind::INT), VarKind::Local)
    }

    fn temp(&mut self) -> VarId {
        self.temps += 1;
        let name = format!("t#{}", self.temps);
        self.var(&name, Type::Int(IntKind::INT), VarKind::Temp)
    }

    fn emit(&mut self, command: Command) {
        let to = self.p.add_location();
        self.p.add_edge(self.at, to, command, Span::default());
        self.at = to;
    }

    fn block(&mut self, body: &[Stmt]) {
        body.iter().for_each(|s| self.stmt(s));
    }

    /// Locations where the test holds and where it does not.
    fn test(&mut self, test: Test) -> (LocationId, LocationId) {
        let cond = match test {
            Nondet => {
                let t = self.temp();
                self.emit(Command::Havoc(t));
                Cond::ne(Expr::Var(t), Expr::Int(0))
            }
            NotNull(x) => Cond::ne(Expr::Var(self.ptr(x)), Expr::Null(self.node)),
            Data(x, cmp, c) => {
                let (t, from, field) = (self.temp(), self.ptr(x), self.h);
                self.emit(Command::Load { to: t, from, field });
                Cond::Compare(cmp, Expr::Var(t), Expr::Int(c))
            }
            Flag(x) => Cond::ne(Expr::Var(self.int(x)), Expr::Int(0)),
        };
        let (yes, no) = (self.p.add_location(), self.p.add_location());
        self.p.add_edge(self.at, yes, Command::Assume(cond.clone()), Span::default());
        self.p.add_edge(self.at, no, Command::Assume(cond.negated()), Span::default());
        (yes, no)
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let field = self.n;
        match stmt {
            Malloc(x) => {
                let to = self.ptr(x);
                self.emit(Command::Alloc { to, of: self.node, storage: Storage::Heap, zeroed: false });
            }
            Set(x, y) => {
                let (x, y) = (self.ptr(x), self.ptr(y));
                self.emit(Command::Assign(x, Expr::Var(y)));
            }
            Null(x) => {
                let x = self.ptr(x);
                self.emit(Command::Assign(x, Expr::Null(self.node)));
            }
            Next(x, y) => {
                let (to, from) = (self.ptr(x), self.ptr(y));
                self.emit(Command::Load { to, from, field });
            }
            SetNext(x, y) => {
                let to = self.ptr(x);
                let value = y.map_or(Expr::Null(self.node), |y| Expr::Var(self.ptr(y)));
                self.emit(Command::Store { to, field, value });
            }
            SetData(x, c) => {
                let to = self.ptr(x);
                self.emit(Command::Store { to, field: self.h, value: Expr::Int(*c) });
            }
            Int(x, c) => {
                let x = self.int(x);
                self.emit(Command::Assign(x, Expr::Int(*c)));
            }
            Free(x) => {
                let x = self.ptr(x);
                self.emit(Command::Free(x));
            }
            Error => {
                self.emit(Command::Fail { what: "error".into() });
                self.at = self.p.add_location();
            }
            If(test, then, other) => {
                let (yes, no) = self.test(*test);
                let end = self.p.add_location();
                for (start, body) in [(yes, then), (no, other)] {
                    self.at = start;
                    self.block(body);
                    self.p.add_edge(self.at, end, Command::Skip, Span::default());
                }
                self.at = end;
            }
            While(test, body) => {
                let head = self.p.add_location();
                self.p.add_edge(self.at, head, Command::Skip, Span::default());
                let span = Span::default();
                self.p.loops.push(Loop {
                    head,
                    invariants: Vec::new(),
                    assigns: None,
                    variant: Vec::new(),
                    parent: None,
                    span,
                });
                self.at = head;
                let (yes, no) = self.test(*test);
                self.at = yes;
                self.block(body);
                self.p.add_edge(self.at, head, Command::Skip, Span::default());
                self.at = no;
            }
        }
    }
}

/// Cells behind `tail`, each filled by `fill`.
fn grow(fill: Vec<Stmt>) -> Vec<Stmt> {
    let body = [fill, vec![Malloc("cell"), SetNext("tail", Some("cell")), Set("tail", "cell")]].concat();
    vec![Malloc("head"), Set("tail", "head"), While(Nondet, body)]
}

fn end(last: i128) -> Vec<Stmt> {
    vec![SetData("tail", last), SetNext("tail", None), Set("cur", "head")]
}

fn check(cur: &'static str, value: i128) -> Stmt {
    let body = vec![If(Data(cur, Cmp::Ne, value), vec![Error], vec![]), Next(cur, cur)];
    While(NotNull(cur), body)
}

fn skip(value: i128) -> Stmt {
    While(Data("cur", Cmp::Eq, value), vec![Next("cur", "cur")])
}

fn simple(value: i128) -> Vec<Stmt> {
    [grow(vec![SetData("tail", value)]), end(1), vec![check("cur", 1)]].concat()
}

fn simple_backw(value: i128) -> Vec<Stmt> {
    let body =
        vec![Malloc("cell"), SetData("cell", value), SetNext("cell", Some("head")), Set("head", "cell")];
    vec![Null("head"), While(Nondet, body), check("head", 1)]
}

fn list_flag(second: i128) -> Vec<Stmt> {
    let fill = If(Flag("flag"), vec![SetData("tail", 1)], vec![SetData("tail", 2)]);
    let walk = If(Flag("flag"), vec![skip(1)], vec![skip(second)]);
    let verdict = If(Data("cur", Cmp::Ne, 3), vec![Error], vec![]);
    let choose = If(Nondet, vec![Int("flag", 1)], vec![Int("flag", 0)]);
    [vec![choose], grow(vec![fill]), end(3), vec![walk, verdict]].concat()
}

fn list(last: i128) -> Vec<Stmt> {
    let twos = vec![SetData("tail", 2), Malloc("cell"), SetNext("tail", Some("cell")), Set("tail", "cell")];
    let verdict = If(Data("cur", Cmp::Ne, 3), vec![Error], vec![]);
    [grow(vec![SetData("tail", 1)]), vec![While(Nondet, twos)], end(last), vec![skip(1), skip(2), verdict]]
        .concat()
}

fn rhythm(flips: i128) -> Vec<Stmt> {
    let fill = If(
        Flag("flag"),
        vec![SetData("tail", 1), Int("flag", 0)],
        vec![SetData("tail", 2), Int("flag", flips)],
    );
    [vec![Int("flag", 1)], grow(vec![fill]), end(3), vec![Int("flag", 1)]].concat()
}

fn alternating(flips: i128) -> Vec<Stmt> {
    let expect = |value, next| vec![If(Data("cur", Cmp::Ne, value), vec![Error], vec![]), Int("flag", next)];
    let body = vec![If(Flag("flag"), expect(1, 0), expect(2, 1)), Next("cur", "cur")];
    [rhythm(flips), vec![While(Data("cur", Cmp::Ne, 3), body)]].concat()
}

fn splice(other: &'static str) -> Vec<Stmt> {
    let front = |list, next| vec![SetNext("cell", Some(list)), Set(list, "cell"), Int("flag", next)];
    let body =
        vec![Set("cell", "cur"), Next("cur", "cur"), If(Flag("flag"), front("odd", 0), front(other, 1))];
    let parts = vec![Null("odd"), Null("even"), While(Data("cur", Cmp::Ne, 3), body)];
    let checks = vec![Set("cur", "odd"), check("cur", 1), Set("cur", "even"), check("cur", 2)];
    [rhythm(1), parts, checks].concat()
}

fn outcome(body: &[Stmt], checks: &[Check], columns: Columns) -> Outcome {
    let program = build(body);
    let question = Question { contract: 0, checks: checks.to_vec() };
    run_columns(&program, &question, &Setup::default(), columns, &|_| {})
}

fn word(body: &[Stmt], columns: Columns) -> &'static str {
    outcome(body, &[Check::Asserts], columns).verdict.word()
}

/// The rows in the order of Table 5.1, right and broken.
fn rows() -> Vec<(&'static str, Vec<Stmt>, Vec<Stmt>)> {
    vec![
        ("simple", simple(1), simple(2)),
        ("simple_backw", simple_backw(1), simple_backw(2)),
        ("list", list(3), list(4)),
        ("list_flag", list_flag(2), list_flag(1)),
        ("alternating", alternating(1), alternating(0)),
        ("splice", splice("even"), splice("odd")),
    ]
}

#[test]
fn both_halves_prove_every_row_and_refute_its_twin() {
    for (name, right, broken) in rows() {
        assert_eq!(word(&right, Columns::default()), "verified", "{name}");
        assert_eq!(word(&broken, Columns::default()), "violated", "broken {name}");
    }
}

#[test]
fn one_half_proves_what_the_table_says() {
    for (i, (name, right, _)) in rows().into_iter().enumerate() {
        let predicates = word(&right, Columns { shapes: false, ..Columns::default() });
        assert_eq!(predicates, "too-weak", "{name}, predicates only");
        let shapes = word(&right, Columns { predicates: false, ..Columns::default() });
        assert_eq!(shapes, if i < 3 { "verified" } else { "too-weak" }, "{name}, shapes only");
    }
}

#[test]
fn memory_errors_are_found_and_excluded() {
    let memory = |body: &[Stmt]| outcome(body, &[Check::Memsafety], Columns::default()).verdict.word();
    let build = grow(vec![SetData("tail", 1)]);
    let free_all = While(NotNull("cur"), vec![Set("tail", "cur"), Next("cur", "cur"), Free("tail")]);
    assert_eq!(memory(&[build.clone(), end(1), vec![free_all]].concat()), "verified");
    let use_after = While(NotNull("cur"), vec![Free("cur"), Next("cur", "cur")]);
    assert_eq!(memory(&[build.clone(), end(1), vec![use_after]].concat()), "violated");
    let unwritten = vec![Malloc("head"), Next("cur", "head"), Next("cur", "cur")];
    assert_eq!(memory(&unwritten), "violated");
    let past_the_end = While(Nondet, vec![Next("cur", "cur")]);
    assert_eq!(memory(&[build, end(1), vec![past_the_end]].concat()), "violated");
}
