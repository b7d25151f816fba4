//! Text to programs. What is read has been checked by [`Program::validate`].

use super::print::{COMPARISONS, OPERATORS};
use super::sexpr::{self, Sexpr, TextError};
use crate::program::cfg::Program;
use crate::program::decl::{BoundId, Field, FieldId, IntKind, LabelId, StructId, Type, VarId};
use crate::program::formula::{At, Binder, Formula, Set, Term};

/// The formula that a text stands for, over the declarations of a program. Its types are not checked: that is
/// done by [`Program::validate`] for a program that contains it.
pub fn parse_formula(program: &Program, text: &str) -> Result<Formula, TextError> {
    let tree = sexpr::read(text)?;
    let reader = Reader { p: &mut program.clone() };
    reader.formula(&tree).map_err(|message| TextError { at: 0, message })
}

type Parsed<T> = Result<T, String>;

fn show(tree: &Sexpr) -> String {
    let mut out = String::new();
    sexpr::write(tree, &mut out);
    if out.chars().count() > 60 { out.chars().take(60).chain("..".chars()).collect() } else { out }
}

fn unexpected<T>(what: &str, tree: &Sexpr) -> Parsed<T> {
    Err(format!("expected {what}, found `{}`", show(tree)))
}

fn atom<'a>(what: &str, tree: &'a Sexpr) -> Parsed<&'a str> {
    match tree {
        Sexpr::Atom(word) => Ok(word),
        Sexpr::List(_) => unexpected(what, tree),
    }
}

/// The word in front of a list, and the rest.
fn form<'a>(what: &str, tree: &'a Sexpr) -> Parsed<(&'a str, &'a [Sexpr])> {
    match tree {
        Sexpr::List(items) => match items.split_first() {
            Some((Sexpr::Atom(word), rest)) => Ok((word, rest)),
            _ => unexpected(what, tree),
        },
        Sexpr::Atom(_) => unexpected(what, tree),
    }
}

fn number<T: std::str::FromStr>(tree: &Sexpr) -> Parsed<T> {
    let word = atom("a number", tree)?;
    word.parse().or_else(|_| unexpected("a number", tree))
}

fn index(i: usize) -> u32 {
    u32::try_from(i).unwrap_or(u32::MAX)
}

struct Reader<'p> {
    p: &'p mut Program,
}

impl Reader<'_> {
    fn structure(&self, tree: &Sexpr) -> Parsed<StructId> {
        let name = atom("a struct", tree)?;
        let found = self.p.structs.iter().position(|s| s.name == name);
        found.map(|i| StructId(index(i))).ok_or_else(|| format!("there is no struct `{name}`"))
    }

    fn field(&self, tree: &Sexpr) -> Parsed<FieldId> {
        let name = atom("a field", tree)?;
        let full = |f: &Field| format!("{}.{}", self.p.structs[f.owner.index()].name, f.name);
        let found = self.p.fields.iter().position(|f| full(f) == name);
        found.map(|i| FieldId(index(i))).ok_or_else(|| format!("there is no field `{name}`"))
    }

    fn var(&self, tree: &Sexpr) -> Parsed<VarId> {
        let name = atom("a variable", tree)?;
        self.p.var_named(name).ok_or_else(|| format!("there is no variable `{name}`"))
    }

    fn ty(&self, tree: &Sexpr) -> Parsed<Type> {
        match form("a type", tree)? {
            ("int", [bits, sign]) => Ok(Type::Int(int_kind(bits, sign)?)),
            ("ints", [bits, sign]) => Ok(Type::IntArray(int_kind(bits, sign)?)),
            ("ptr", [s]) => Ok(Type::Ptr(self.structure(s)?)),
            ("ptrs", [s]) => Ok(Type::PtrArray(self.structure(s)?)),
            _ => unexpected("a type", tree),
        }
    }

    fn term(&self, tree: &Sexpr) -> Parsed<Term> {
        if let Sexpr::Atom(word) = tree {
            if let Some(id) = word.strip_prefix('?').and_then(|w| w.parse().ok()) {
                return Ok(Term::Bound(BoundId(id)));
            }
            return Ok(match word.parse() {
                Ok(n) => Term::Int(n),
                Err(_) => Term::Var(self.var(tree)?, At::Now),
            });
        }
        let inner = |t| self.term(t).map(Box::new);
        match form("a term", tree)? {
            ("var", [v, at]) => Ok(Term::Var(self.var(v)?, moment(at)?)),
            ("null", [s]) => Ok(Term::Null(self.structure(s)?)),
            ("->", [f, t, at]) => Ok(Term::Field(self.field(f)?, moment(at)?, inner(t)?)),
            ("index", [a, i, at]) => Ok(Term::Index(self.var(a)?, moment(at)?, inner(i)?)),
            ("neg", [t]) => Ok(Term::Neg(inner(t)?)),
            ("ite", [c, a, b]) => Ok(Term::Ite(Box::new(self.formula(c)?), inner(a)?, inner(b)?)),
            (word, [a, b]) => match OPERATORS.iter().find(|(_, w)| *w == word) {
                Some((op, _)) => Ok(Term::Binary(*op, inner(a)?, inner(b)?)),
                None => unexpected("a term", tree),
            },
            _ => unexpected("a term", tree),
        }
    }

    fn set(&self, tree: &Sexpr) -> Parsed<Set> {
        let sets = |parts: &[Sexpr]| parts.iter().map(|s| self.set(s)).collect::<Parsed<Vec<_>>>();
        let inner = |t| self.term(t).map(Box::new);
        match form("a set", tree)? {
            ("cells", [f, at, x, y]) => Ok(Set::Cells(self.field(f)?, moment(at)?, inner(x)?, inner(y)?)),
            ("of", terms) => Ok(Set::Of(terms.iter().map(|t| self.term(t)).collect::<Parsed<_>>()?)),
            ("pre", [f, at, t]) => Ok(Set::Pre(self.field(f)?, moment(at)?, inner(t)?)),
            ("union", parts) => Ok(Set::Union(sets(parts)?)),
            ("inter", parts) => Ok(Set::Inter(sets(parts)?)),
            ("diff", [a, b]) => Ok(Set::Diff(Box::new(self.set(a)?), Box::new(self.set(b)?))),
            _ => unexpected("a set", tree),
        }
    }

    fn binder(&self, id: &Sexpr, name: &Sexpr, of: &Sexpr) -> Parsed<Binder> {
        let of = match of {
            Sexpr::Atom(word) if word == "int" => None,
            _ => match self.ty(of)? {
                Type::Ptr(s) => Some(s),
                _ => return unexpected("int or a pointer", of),
            },
        };
        Ok(Binder { id: BoundId(number(id)?), name: atom("a name", name)?.to_owned(), of })
    }

    fn formula(&self, tree: &Sexpr) -> Parsed<Formula> {
        if let Some(value) = truth(tree) {
            return Ok(Formula::Const(value));
        }
        let all = |parts: &[Sexpr]| parts.iter().map(|p| self.formula(p)).collect::<Parsed<Vec<_>>>();
        let inner = |t| self.formula(t).map(Box::new);
        let (f, t, m) = (|f| self.field(f), |t| self.term(t), moment);
        match form("a formula", tree)? {
            ("not", [p]) => Ok(Formula::Not(inner(p)?)),
            ("and", parts) => Ok(Formula::And(all(parts)?)),
            ("or", parts) => Ok(Formula::Or(all(parts)?)),
            ("=>", [p, q]) => Ok(Formula::Implies(inner(p)?, inner(q)?)),
            ("<=>", [p, q]) => Ok(Formula::Iff(inner(p)?, inner(q)?)),
            (word @ ("reach" | "reach+"), [g, at, x, y]) => {
                let (from, to, plus) = (t(x)?, t(y)?, word == "reach+");
                Ok(Formula::Reach { field: f(g)?, at: m(at)?, from, to, plus })
            }
            ("between", [g, at, x, y, z]) => Ok(Formula::Between(f(g)?, m(at)?, t(x)?, t(y)?, t(z)?)),
            ("valid", [at, x]) => Ok(Formula::Valid(t(x)?, m(at)?)),
            ("freed", [at, x]) => Ok(Formula::Freed(t(x)?, m(at)?)),
            ("fresh", [x]) => Ok(Formula::Fresh(t(x)?)),
            ("stable", [g, at, x]) => Ok(Formula::Stable(f(g)?, m(at)?, t(x)?)),
            ("unshared", [g, at, x, y]) => Ok(Formula::Unshared(f(g)?, m(at)?, t(x)?, t(y)?)),
            ("sorted", [g, d, at, x, y]) => Ok(Formula::Sorted(f(g)?, f(d)?, m(at)?, t(x)?, t(y)?)),
            ("inverse", [g, b, at, x, y]) => Ok(Formula::Inverse(f(g)?, f(b)?, m(at)?, t(x)?, t(y)?)),
            ("dlseg", [n, p, at, x, px, y, py]) => {
                let ends = Box::new([t(x)?, t(px)?, t(y)?, t(py)?]);
                Ok(Formula::Dlseg(f(n)?, f(p)?, m(at)?, ends))
            }
            ("tree", [l, r, at, x]) => Ok(Formula::Tree(f(l)?, f(r)?, m(at)?, t(x)?)),
            ("range", [a, lo, hi]) => Ok(Formula::ValidRange(self.var(a)?, t(lo)?, t(hi)?)),
            ("in", [x, s]) => Ok(Formula::In(t(x)?, self.set(s)?)),
            ("subset", [a, b]) => Ok(Formula::Subset(self.set(a)?, self.set(b)?)),
            ("disjoint", sets) => {
                Ok(Formula::Disjoint(sets.iter().map(|s| self.set(s)).collect::<Parsed<_>>()?))
            }
            ("same", [a, b]) => Ok(Formula::SameSet(self.set(a)?, self.set(b)?)),
            ("forall", [id, name, of, p]) => Ok(Formula::Forall(self.binder(id, name, of)?, inner(p)?)),
            ("exists", [id, name, of, p]) => Ok(Formula::Exists(self.binder(id, name, of)?, inner(p)?)),
            (word, [a, b]) => match COMPARISONS.iter().find(|(_, w)| *w == word) {
                Some((cmp, _)) => Ok(Formula::Compare(*cmp, t(a)?, t(b)?)),
                None => unexpected("a formula", tree),
            },
            _ => unexpected("a formula", tree),
        }
    }
}

fn truth(tree: &Sexpr) -> Option<bool> {
    match tree {
        Sexpr::Atom(word) => word.parse().ok(),
        Sexpr::List(_) => None,
    }
}

fn moment(tree: &Sexpr) -> Parsed<At> {
    match atom("a moment", tree)? {
        "now" => Ok(At::Now),
        "entry" => Ok(At::Entry),
        word => match word.strip_prefix("label:").and_then(|n| n.parse().ok()) {
            Some(n) => Ok(At::Label(LabelId(n))),
            None => unexpected("a moment", tree),
        },
    }
}

fn int_kind(bits: &Sexpr, sign: &Sexpr) -> Parsed<IntKind> {
    let signed = match atom("signed or unsigned", sign)? {
        "signed" => true,
        "unsigned" => false,
        _ => return unexpected("signed or unsigned", sign),
    };
    Ok(IntKind { bits: number(bits)?, signed })
}
