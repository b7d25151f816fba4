//! Text to programs. What is read has been checked by [`Program::validate`].

use super::print::{CHECKS, COMPARISONS, KINDS, OPERATORS};
use super::sexpr::{self, Sexpr, TextError};
use crate::program::cfg::{Clause, Contract, Edge, Entry, Loop, Program, Shape, Sweep, Track};
use crate::program::command::{Command, Storage, Target};
use crate::program::decl::{
    BoundId, Field, FieldId, IntKind, LabelId, LocationId, LoopId, StructId, Type, Var, VarId,
};
use crate::program::expr::{Cond, Expr};
use crate::program::formula::{At, Binder, Formula, Set, Term};
use crate::util::span::Span;

/// Most locations of a program that is read.
const MAX_LOCATIONS: u32 = 1 << 20;

/// The program that a text stands for.
pub fn parse(text: &str) -> Result<Program, TextError> {
    let tree = sexpr::read(text)?;
    let program = program(&tree).map_err(|message| TextError { at: 0, message })?;
    program.validate().map_err(|e| TextError { at: 0, message: e.0 })?;
    Ok(program)
}

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

fn optional<T: std::str::FromStr>(tree: &Sexpr) -> Parsed<Option<T>> {
    if atom("a number or -", tree)? == "-" { Ok(None) } else { number(tree).map(Some) }
}

fn span(start: &Sexpr, end: &Sexpr) -> Parsed<Span> {
    Ok(Span { start: number(start)?, end: number(end)? })
}

fn index(i: usize) -> u32 {
    u32::try_from(i).unwrap_or(u32::MAX)
}

fn program(tree: &Sexpr) -> Parsed<Program> {
    let ("program", rest) = form("(program ..)", tree)? else { return unexpected("(program ..)", tree) };
    let [name, begins, start, end, items @ ..] = rest else {
        return unexpected("name, kind and span of a program", tree);
    };
    let mut p = Program::new(atom("a name", name)?);
    p.contracts.clear();
    p.span = span(start, end)?;
    p.begins = match atom("function or main", begins)? {
        "function" => Entry::Function,
        "main" => Entry::Main,
        _ => return unexpected("function or main", begins),
    };
    for item in items {
        let (word, parts) = form("a declaration", item)?;
        Reader { p: &mut p }.item(word, parts, item)?;
    }
    Ok(p)
}

struct Reader<'p> {
    p: &'p mut Program,
}

impl Reader<'_> {
    fn item(&mut self, word: &str, parts: &[Sexpr], whole: &Sexpr) -> Parsed<()> {
        match (word, parts) {
            ("graph", [locations, entry, exit, bounds]) => {
                self.p.locations = number(locations)?;
                self.p.entry = LocationId(number(entry)?);
                self.p.exit = LocationId(number(exit)?);
                self.p.bounds = number(bounds)?;
                if self.p.locations > MAX_LOCATIONS {
                    return unexpected("fewer locations", locations);
                }
            }
            ("struct", [name]) => {
                self.p.add_struct(atom("a name", name)?);
            }
            ("field", [owner, name, ty, ghost]) => {
                let owner = self.structure(owner)?;
                let (name, ty) = (atom("a name", name)?.to_owned(), self.ty(ty)?);
                let ghost = match atom("real or ghost", ghost)? {
                    "real" => false,
                    "ghost" => true,
                    _ => return unexpected("real or ghost", ghost),
                };
                self.p.add_field(Field { name, owner, ty, ghost });
            }
            ("var", [name, kind, ty, len, start, end]) => {
                let word = atom("a kind", kind)?;
                let kind = KINDS.iter().find(|(_, w)| *w == word);
                let Some((kind, _)) = kind else { return unexpected("a kind of variable", whole) };
                let (name, ty, len) = (atom("a name", name)?.to_owned(), self.ty(ty)?, optional(len)?);
                self.p.add_var(Var { name, ty, kind: *kind, len, span: span(start, end)? });
            }
            ("label", [name]) => self.p.labels.push(atom("a name", name)?.to_owned()),
            ("contract", [behavior, start, end, clauses @ ..]) => {
                let behavior = Some(atom("a name", behavior)?.to_owned()).filter(|b| b != "-");
                let mut contract = Contract { behavior, span: span(start, end)?, ..Contract::default() };
                for clause in clauses {
                    match form("a clause", clause)? {
                        ("requires", parts) => contract.requires.push(self.clause(parts, clause)?),
                        ("ensures", parts) => contract.ensures.push(self.clause(parts, clause)?),
                        ("assigns", parts) => contract.assigns = Some(self.targets(parts)?),
                        _ => return unexpected("a clause", clause),
                    }
                }
                self.p.contracts.push(contract);
            }
            ("loop", [head, parent, start, end, clauses @ ..]) => {
                let (mut invariants, mut assigns) = (Vec::new(), None);
                for clause in clauses {
                    match form("a clause", clause)? {
                        ("invariant", parts) => invariants.push(self.clause(parts, clause)?),
                        ("assigns", parts) => assigns = Some(self.targets(parts)?),
                        _ => return unexpected("a clause", clause),
                    }
                }
                let parent = optional(parent)?.map(LoopId);
                let head = LocationId(number(head)?);
                self.p.loops.push(Loop { head, invariants, assigns, parent, span: span(start, end)? });
            }
            ("sweep", [at, start, end, roots @ ..]) => {
                let roots = roots.iter().map(|root| self.term(root)).collect::<Parsed<_>>()?;
                let (at, span) = (LocationId(number(at)?), span(start, end)?);
                self.p.sweeps.push(Sweep { at, roots, span });
            }
            ("track", [at, object, start, end, formula]) => {
                let object = match object {
                    Sexpr::Atom(_) => None,
                    Sexpr::List(parts) => match parts.as_slice() {
                        [id, name, of] => Some(self.binder(id, name, of)?),
                        _ => return unexpected("an object", object),
                    },
                };
                let clause = Clause { formula: self.formula(formula)?, span: span(start, end)? };
                self.p.tracks.push(Track { object, clause, at: optional(at)?.map(LoopId) });
            }
            ("shape", [kind, fields @ ..]) => {
                let fields = fields.iter().map(|f| self.field(f)).collect::<Parsed<Vec<_>>>()?;
                let shape = match (atom("a shape", kind)?, fields.as_slice()) {
                    ("list", [f]) => Shape::List(*f),
                    ("dlist", [f, g]) => Shape::Dlist(*f, *g),
                    ("tree", [f, g]) => Shape::Tree(*f, *g),
                    _ => return unexpected("a shape", whole),
                };
                self.p.shapes.push(shape);
            }
            ("edge", [from, to, start, end, command]) => {
                let (from, to) = (LocationId(number(from)?), LocationId(number(to)?));
                let command = self.command(command)?;
                self.p.edges.push(Edge { from, to, command, span: span(start, end)? });
            }
            _ => return unexpected("a declaration", whole),
        }
        Ok(())
    }

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

    fn clause(&self, parts: &[Sexpr], whole: &Sexpr) -> Parsed<Clause> {
        match parts {
            [start, end, formula] => Ok(Clause { formula: self.formula(formula)?, span: span(start, end)? }),
            _ => unexpected("a clause", whole),
        }
    }

    fn targets(&self, parts: &[Sexpr]) -> Parsed<Vec<Target>> {
        parts.iter().map(|t| self.target(t)).collect()
    }

    fn target(&self, tree: &Sexpr) -> Parsed<Target> {
        if matches!(tree, Sexpr::Atom(word) if word == "everything") {
            return Ok(Target::Everything);
        }
        match form("a target", tree)? {
            ("var", [v]) => Ok(Target::Var(self.var(v)?)),
            ("place", [f, t]) => Ok(Target::Field(self.term(t)?, self.field(f)?)),
            ("places", [f, s]) => Ok(Target::Fields(self.set(s)?, self.field(f)?)),
            ("elements", [a, lo, hi]) => Ok(Target::Range(self.var(a)?, self.term(lo)?, self.term(hi)?)),
            _ => unexpected("a target", tree),
        }
    }

    fn command(&self, tree: &Sexpr) -> Parsed<Command> {
        Ok(match form("a command", tree)? {
            ("skip", []) => Command::Skip,
            ("assign", [x, e]) => Command::Assign(self.var(x)?, self.expr(e)?),
            ("load", [to, from, f]) => {
                Command::Load { to: self.var(to)?, from: self.var(from)?, field: self.field(f)? }
            }
            ("store", [to, f, e]) => {
                Command::Store { to: self.var(to)?, field: self.field(f)?, value: self.expr(e)? }
            }
            ("load-element", [to, array, i]) => {
                Command::LoadElement { to: self.var(to)?, array: self.var(array)?, index: self.expr(i)? }
            }
            ("store-element", [array, i, e]) => {
                Command::StoreElement { array: self.var(array)?, index: self.expr(i)?, value: self.expr(e)? }
            }
            ("alloc", [to, of, storage, zeroed]) => {
                let storage = match atom("heap or automatic", storage)? {
                    "heap" => Storage::Heap,
                    "automatic" => Storage::Automatic,
                    _ => return unexpected("heap or automatic", storage),
                };
                let zeroed = atom("zeroed or arbitrary", zeroed)? == "zeroed";
                Command::Alloc { to: self.var(to)?, of: self.structure(of)?, storage, zeroed }
            }
            ("free", [x]) => Command::Free(self.var(x)?),
            ("release", [x]) => Command::Release(self.var(x)?),
            ("assume", [c]) => Command::Assume(self.cond(c)?),
            ("suppose", [f]) => Command::Suppose(self.formula(f)?),
            ("assert", [f, check, what]) => {
                let word = atom("a check", check)?;
                let Some(check) = CHECKS.into_iter().find(|c| c.word() == word) else {
                    return unexpected("a check", check);
                };
                let what = atom("what is checked", what)?.to_owned();
                Command::Assert { formula: self.formula(f)?, check, what }
            }
            ("fail", [what]) => Command::Fail { what: atom("what fails", what)?.to_owned() },
            ("havoc", [x]) => Command::Havoc(self.var(x)?),
            ("snapshot", [l]) => Command::Snapshot(LabelId(number(l)?)),
            ("scramble", [frees, targets @ ..]) => {
                let frees = atom("frees or keeps", frees)? == "frees";
                Command::Scramble { targets: self.targets(targets)?, frees }
            }
            _ => return unexpected("a command", tree),
        })
    }

    fn expr(&self, tree: &Sexpr) -> Parsed<Expr> {
        if let Sexpr::Atom(word) = tree {
            return Ok(match word.parse() {
                Ok(n) => Expr::Int(n),
                Err(_) => Expr::Var(self.var(tree)?),
            });
        }
        let inner = |t| self.expr(t).map(Box::new);
        match form("an expression", tree)? {
            ("null", [s]) => Ok(Expr::Null(self.structure(s)?)),
            ("neg", [a]) => Ok(Expr::Neg(inner(a)?)),
            ("bitnot", [a]) => Ok(Expr::BitNot(inner(a)?)),
            ("wrap", [bits, sign, a]) => Ok(Expr::Wrap(int_kind(bits, sign)?, inner(a)?)),
            (word, [a, b]) => match OPERATORS.iter().find(|(_, w)| *w == word) {
                Some((op, _)) => Ok(Expr::Binary(*op, inner(a)?, inner(b)?)),
                None => unexpected("an expression", tree),
            },
            _ => unexpected("an expression", tree),
        }
    }

    fn cond(&self, tree: &Sexpr) -> Parsed<Cond> {
        if let Some(value) = truth(tree) {
            return Ok(Cond::Const(value));
        }
        let all = |parts: &[Sexpr]| parts.iter().map(|p| self.cond(p)).collect::<Parsed<Vec<_>>>();
        match form("a condition", tree)? {
            ("not", [a]) => Ok(Cond::Not(Box::new(self.cond(a)?))),
            ("and", parts) => Ok(Cond::And(all(parts)?)),
            ("or", parts) => Ok(Cond::Or(all(parts)?)),
            (word, [a, b]) => match COMPARISONS.iter().find(|(_, w)| *w == word) {
                Some((cmp, _)) => Ok(Cond::Compare(*cmp, self.expr(a)?, self.expr(b)?)),
                None => unexpected("a condition", tree),
            },
            _ => unexpected("a condition", tree),
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
