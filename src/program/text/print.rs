//! Programs to text.

use super::sexpr::{Sexpr, write, write_lines};
use crate::program::cfg::{Clause, Contract, Entry, Loop, Program, Shape, Track};
use crate::program::command::{Check, Command, Storage, Target};
use crate::program::decl::{FieldId, IntKind, StructId, Type, VarId, VarKind};
use crate::program::expr::{BinOp, Cmp, Cond, Expr};
use crate::program::formula::{At, Binder, Formula, Set, Term};
use crate::util::span::Span;

/// The program as text.
#[must_use]
pub fn print(program: &Program) -> String {
    let p = Printer { p: program };
    let begins = match program.begins {
        Entry::Function => "function",
        Entry::Main => "main",
    };
    let mut head = vec![atom("program"), atom(&program.name), atom(begins)];
    head.extend(span(program.span));
    let mut items = Vec::new();
    let numbers = [program.locations, program.entry.0, program.exit.0, program.bounds];
    items.push(form("graph", numbers.map(|n| atom(n.to_string()))));
    items.extend(program.structs.iter().map(|s| form("struct", [atom(&s.name)])));
    for field in &program.fields {
        let kind = atom(if field.ghost { "ghost" } else { "real" });
        items.push(form("field", [p.structure(field.owner), atom(&field.name), p.ty(field.ty), kind]));
    }
    for var in &program.vars {
        let len = var.len.map_or_else(|| "-".to_owned(), |n| n.to_string());
        let mut parts = vec![atom(&var.name), atom(kind_word(var.kind)), p.ty(var.ty), atom(len)];
        parts.extend(span(var.span));
        items.push(form("var", parts));
    }
    items.extend(program.labels.iter().map(|l| form("label", [atom(l)])));
    items.extend(program.contracts.iter().map(|c| p.contract(c)));
    items.extend(program.loops.iter().map(|l| p.a_loop(l)));
    for sweep in &program.sweeps {
        let mut parts = vec![atom(sweep.at.0.to_string())];
        parts.extend(span(sweep.span));
        parts.extend(sweep.roots.iter().map(|root| p.term(root)));
        items.push(form("sweep", parts));
    }
    items.extend(program.tracks.iter().map(|t| p.track(t)));
    for shape in &program.shapes {
        items.push(match shape {
            Shape::List(f) => form("shape", [atom("list"), p.field(*f)]),
            Shape::Dlist(f, g) => form("shape", [atom("dlist"), p.field(*f), p.field(*g)]),
            Shape::Tree(f, g) => form("shape", [atom("tree"), p.field(*f), p.field(*g)]),
        });
    }
    for edge in &program.edges {
        let mut parts = vec![atom(edge.from.0.to_string()), atom(edge.to.0.to_string())];
        parts.extend(span(edge.span));
        parts.push(p.command(&edge.command));
        items.push(form("edge", parts));
    }
    write_lines(&head, &items)
}

/// A formula as text, on one line.
#[must_use]
pub fn print_formula(program: &Program, formula: &Formula) -> String {
    let mut out = String::new();
    write(&Printer { p: program }.formula(formula), &mut out);
    out
}

fn atom(word: impl Into<String>) -> Sexpr {
    Sexpr::Atom(word.into())
}

fn form(word: &str, parts: impl IntoIterator<Item = Sexpr>) -> Sexpr {
    let mut items = vec![atom(word)];
    items.extend(parts);
    Sexpr::List(items)
}

fn span(s: Span) -> [Sexpr; 2] {
    [atom(s.start.to_string()), atom(s.end.to_string())]
}

pub(super) const KINDS: [(VarKind, &str); 6] = [
    (VarKind::Param, "param"),
    (VarKind::Global, "global"),
    (VarKind::Local, "local"),
    (VarKind::Temp, "temp"),
    (VarKind::Logic, "logic"),
    (VarKind::Result, "result"),
];

pub(super) const OPERATORS: [(BinOp, &str); 10] = [
    (BinOp::Add, "+"),
    (BinOp::Sub, "-"),
    (BinOp::Mul, "*"),
    (BinOp::Div, "/"),
    (BinOp::Rem, "%"),
    (BinOp::BitAnd, "&"),
    (BinOp::BitOr, "|"),
    (BinOp::BitXor, "^"),
    (BinOp::Shl, "<<"),
    (BinOp::Shr, ">>"),
];

pub(super) const COMPARISONS: [(Cmp, &str); 6] =
    [(Cmp::Eq, "=="), (Cmp::Ne, "!="), (Cmp::Lt, "<"), (Cmp::Le, "<="), (Cmp::Gt, ">"), (Cmp::Ge, ">=")];

pub(super) const CHECKS: [Check; 5] =
    [Check::Memsafety, Check::Asserts, Check::Ensures, Check::Leaks, Check::Garbage];

fn word<T: PartialEq + Copy>(table: &[(T, &'static str)], value: T) -> &'static str {
    table.iter().find(|(v, _)| *v == value).map_or("?", |(_, w)| w)
}

fn kind_word(kind: VarKind) -> &'static str {
    word(&KINDS, kind)
}

fn int_kind(kind: IntKind) -> [Sexpr; 2] {
    [atom(kind.bits.to_string()), atom(if kind.signed { "signed" } else { "unsigned" })]
}

struct Printer<'p> {
    p: &'p Program,
}

impl Printer<'_> {
    fn structure(&self, s: StructId) -> Sexpr {
        atom(self.p.structs.get(s.index()).map_or("?", |s| &s.name))
    }

    fn field(&self, f: FieldId) -> Sexpr {
        let Some(field) = self.p.fields.get(f.index()) else { return atom("?") };
        let owner = self.p.structs.get(field.owner.index()).map_or("?", |s| &s.name);
        atom(format!("{owner}.{}", field.name))
    }

    fn var(&self, v: VarId) -> Sexpr {
        atom(self.p.vars.get(v.index()).map_or("?", |v| &v.name))
    }

    fn ty(&self, ty: Type) -> Sexpr {
        match ty {
            Type::Int(kind) => form("int", int_kind(kind)),
            Type::Ptr(s) => form("ptr", [self.structure(s)]),
            Type::IntArray(kind) => form("ints", int_kind(kind)),
            Type::PtrArray(s) => form("ptrs", [self.structure(s)]),
        }
    }

    fn clause(&self, word: &str, clause: &Clause) -> Sexpr {
        let [start, end] = span(clause.span);
        form(word, [start, end, self.formula(&clause.formula)])
    }

    fn contract(&self, c: &Contract) -> Sexpr {
        let mut parts = vec![atom(c.behavior.as_deref().unwrap_or("-"))];
        parts.extend(span(c.span));
        parts.extend(c.requires.iter().map(|r| self.clause("requires", r)));
        parts.extend(c.ensures.iter().map(|e| self.clause("ensures", e)));
        parts.extend(c.assigns.as_ref().map(|t| form("assigns", t.iter().map(|t| self.target(t)))));
        form("contract", parts)
    }

    fn a_loop(&self, l: &Loop) -> Sexpr {
        let parent = l.parent.map_or_else(|| "-".to_owned(), |p| p.0.to_string());
        let mut parts = vec![atom(l.head.0.to_string()), atom(parent)];
        parts.extend(span(l.span));
        parts.extend(l.invariants.iter().map(|i| self.clause("invariant", i)));
        parts.extend(l.assigns.as_ref().map(|t| form("assigns", t.iter().map(|t| self.target(t)))));
        form("loop", parts)
    }

    fn track(&self, t: &Track) -> Sexpr {
        let at = t.at.map_or_else(|| "-".to_owned(), |l| l.0.to_string());
        let object = t.object.as_ref().map_or_else(|| atom("-"), |b| Sexpr::List(self.binder(b).to_vec()));
        let mut parts = vec![atom(at), object];
        parts.extend(span(t.clause.span));
        parts.push(self.formula(&t.clause.formula));
        form("track", parts)
    }

    fn binder(&self, b: &Binder) -> [Sexpr; 3] {
        let of = b.of.map_or_else(|| atom("int"), |s| form("ptr", [self.structure(s)]));
        [atom(b.id.0.to_string()), atom(&b.name), of]
    }

    fn target(&self, t: &Target) -> Sexpr {
        match t {
            Target::Var(v) => form("var", [self.var(*v)]),
            Target::Field(t, f) => form("place", [self.field(*f), self.term(t)]),
            Target::Fields(s, f) => form("places", [self.field(*f), self.set(s)]),
            Target::Range(a, lo, hi) => form("elements", [self.var(*a), self.term(lo), self.term(hi)]),
            Target::Everything => atom("everything"),
        }
    }

    fn command(&self, c: &Command) -> Sexpr {
        match c {
            Command::Skip => form("skip", []),
            Command::Assign(x, e) => form("assign", [self.var(*x), self.expr(e)]),
            Command::Load { to, from, field } => {
                form("load", [self.var(*to), self.var(*from), self.field(*field)])
            }
            Command::Store { to, field, value } => {
                form("store", [self.var(*to), self.field(*field), self.expr(value)])
            }
            Command::LoadElement { to, array, index } => {
                form("load-element", [self.var(*to), self.var(*array), self.expr(index)])
            }
            Command::StoreElement { array, index, value } => {
                form("store-element", [self.var(*array), self.expr(index), self.expr(value)])
            }
            Command::Alloc { to, of, storage, zeroed } => {
                let storage = match storage {
                    Storage::Heap => "heap",
                    Storage::Automatic => "automatic",
                };
                let zeroed = if *zeroed { "zeroed" } else { "arbitrary" };
                form("alloc", [self.var(*to), self.structure(*of), atom(storage), atom(zeroed)])
            }
            Command::Free(x) => form("free", [self.var(*x)]),
            Command::Release(x) => form("release", [self.var(*x)]),
            Command::Assume(c) => form("assume", [self.cond(c)]),
            Command::Suppose(f) => form("suppose", [self.formula(f)]),
            Command::Assert { formula, check, what } => {
                form("assert", [self.formula(formula), atom(check.word()), atom(what)])
            }
            Command::Fail { what } => form("fail", [atom(what)]),
            Command::Havoc(x) => form("havoc", [self.var(*x)]),
            Command::Snapshot(l) => form("snapshot", [atom(l.0.to_string())]),
            Command::Scramble { targets, frees } => {
                let frees = atom(if *frees { "frees" } else { "keeps" });
                form("scramble", std::iter::once(frees).chain(targets.iter().map(|t| self.target(t))))
            }
        }
    }

    fn expr(&self, e: &Expr) -> Sexpr {
        match e {
            Expr::Var(v) => self.var(*v),
            Expr::Null(s) => form("null", [self.structure(*s)]),
            Expr::Int(n) => atom(n.to_string()),
            Expr::Neg(a) => form("neg", [self.expr(a)]),
            Expr::BitNot(a) => form("bitnot", [self.expr(a)]),
            Expr::Binary(op, a, b) => form(word(&OPERATORS, *op), [self.expr(a), self.expr(b)]),
            Expr::Wrap(kind, a) => {
                let [bits, sign] = int_kind(*kind);
                form("wrap", [bits, sign, self.expr(a)])
            }
        }
    }

    fn cond(&self, c: &Cond) -> Sexpr {
        match c {
            Cond::Const(value) => atom(value.to_string()),
            Cond::Compare(cmp, a, b) => form(word(&COMPARISONS, *cmp), [self.expr(a), self.expr(b)]),
            Cond::Not(a) => form("not", [self.cond(a)]),
            Cond::And(parts) => form("and", parts.iter().map(|p| self.cond(p))),
            Cond::Or(parts) => form("or", parts.iter().map(|p| self.cond(p))),
        }
    }

    fn at(&self, at: At) -> Sexpr {
        match at {
            At::Now => atom("now"),
            At::Entry => atom("entry"),
            At::Label(l) => atom(format!("label:{}", l.0)),
        }
    }

    fn term(&self, t: &Term) -> Sexpr {
        match t {
            Term::Var(v, At::Now) => self.var(*v),
            Term::Var(v, at) => form("var", [self.var(*v), self.at(*at)]),
            Term::Bound(id) => atom(format!("?{}", id.0)),
            Term::Null(s) => form("null", [self.structure(*s)]),
            Term::Int(n) => atom(n.to_string()),
            Term::Field(f, at, t) => form("->", [self.field(*f), self.term(t), self.at(*at)]),
            Term::Index(a, at, i) => form("index", [self.var(*a), self.term(i), self.at(*at)]),
            Term::Neg(t) => form("neg", [self.term(t)]),
            Term::Binary(op, a, b) => form(word(&OPERATORS, *op), [self.term(a), self.term(b)]),
            Term::Ite(c, a, b) => form("ite", [self.formula(c), self.term(a), self.term(b)]),
        }
    }

    fn set(&self, s: &Set) -> Sexpr {
        match s {
            Set::Cells(f, at, x, y) => {
                form("cells", [self.field(*f), self.at(*at), self.term(x), self.term(y)])
            }
            Set::Of(terms) => form("of", terms.iter().map(|t| self.term(t))),
            Set::Pre(f, at, t) => form("pre", [self.field(*f), self.at(*at), self.term(t)]),
            Set::Union(sets) => form("union", sets.iter().map(|s| self.set(s))),
            Set::Inter(sets) => form("inter", sets.iter().map(|s| self.set(s))),
            Set::Diff(a, b) => form("diff", [self.set(a), self.set(b)]),
        }
    }

    fn about(&self, word: &str, fields: &[FieldId], at: At, terms: &[&Term]) -> Sexpr {
        let mut parts: Vec<Sexpr> = fields.iter().map(|f| self.field(*f)).collect();
        parts.push(self.at(at));
        parts.extend(terms.iter().map(|t| self.term(t)));
        form(word, parts)
    }

    fn formula(&self, f: &Formula) -> Sexpr {
        match f {
            Formula::Const(value) => atom(value.to_string()),
            Formula::Not(p) => form("not", [self.formula(p)]),
            Formula::And(parts) => form("and", parts.iter().map(|p| self.formula(p))),
            Formula::Or(parts) => form("or", parts.iter().map(|p| self.formula(p))),
            Formula::Implies(p, q) => form("=>", [self.formula(p), self.formula(q)]),
            Formula::Iff(p, q) => form("<=>", [self.formula(p), self.formula(q)]),
            Formula::Compare(cmp, a, b) => form(word(&COMPARISONS, *cmp), [self.term(a), self.term(b)]),
            Formula::Reach { field, at, from, to, plus } => {
                self.about(if *plus { "reach+" } else { "reach" }, &[*field], *at, &[from, to])
            }
            Formula::Between(f, at, x, y, z) => self.about("between", &[*f], *at, &[x, y, z]),
            Formula::Valid(t, at) => self.about("valid", &[], *at, &[t]),
            Formula::Freed(t, at) => self.about("freed", &[], *at, &[t]),
            Formula::Fresh(t) => form("fresh", [self.term(t)]),
            Formula::Stable(f, at, t) => self.about("stable", &[*f], *at, &[t]),
            Formula::Unshared(f, at, x, y) => self.about("unshared", &[*f], *at, &[x, y]),
            Formula::Sorted(f, d, at, x, y) => self.about("sorted", &[*f, *d], *at, &[x, y]),
            Formula::Inverse(f, b, at, x, y) => self.about("inverse", &[*f, *b], *at, &[x, y]),
            Formula::Dlseg(n, p, at, ends) => self.about("dlseg", &[*n, *p], *at, &ends.each_ref()),
            Formula::Tree(l, r, at, t) => self.about("tree", &[*l, *r], *at, &[t]),
            Formula::ValidRange(a, lo, hi) => form("range", [self.var(*a), self.term(lo), self.term(hi)]),
            Formula::In(t, s) => form("in", [self.term(t), self.set(s)]),
            Formula::Subset(a, b) => form("subset", [self.set(a), self.set(b)]),
            Formula::Disjoint(sets) => form("disjoint", sets.iter().map(|s| self.set(s))),
            Formula::SameSet(a, b) => form("same", [self.set(a), self.set(b)]),
            Formula::Forall(b, p) => {
                let [id, name, of] = self.binder(b);
                form("forall", [id, name, of, self.formula(p)])
            }
            Formula::Exists(b, p) => {
                let [id, name, of] = self.binder(b);
                form("exists", [id, name, of, self.formula(p)])
            }
        }
    }
}
