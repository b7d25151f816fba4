//! Programs to text.

use super::sexpr::{Sexpr, write};
use crate::program::cfg::Program;
use crate::program::decl::{FieldId, StructId, VarId};
use crate::program::expr::{BinOp, Cmp};
use crate::program::formula::{At, Binder, Formula, Set, Term};

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

fn word<T: PartialEq + Copy>(table: &[(T, &'static str)], value: T) -> &'static str {
    table.iter().find(|(v, _)| *v == value).map_or("?", |(_, w)| w)
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

    fn binder(&self, b: &Binder) -> [Sexpr; 3] {
        let of = b.of.map_or_else(|| atom("int"), |s| form("ptr", [self.structure(s)]));
        [atom(b.id.0.to_string()), atom(&b.name), of]
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
