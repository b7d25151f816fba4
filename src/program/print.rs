//! Formulas, terms, sets and commands as people write them: the annotation language (DESIGN 3.2), so that what
//! is printed can be pasted into the source again.
//!
//! A leaf at the entry is printed inside `\old(..)`. Where a field of the entry is applied to a value of now,
//! which `\old` cannot say, the value gets a name first: `\forall struct node *v; v == x ==> \old(v->next) == y`.

use super::cfg::Program;
use super::decl::{BoundId, FieldId, StructId, VarId};
use super::expr::{BinOp, Cmp};
use super::formula::{At, Binder, Formula, Set, Term};

/// A formula in the annotation language.
#[must_use]
pub fn formula(program: &Program, f: &Formula) -> String {
    Printer { p: program, bound: Vec::new(), named: Vec::new() }.formula(f, Level::Whole)
}

/// A formula about an object: the name that the binder got, and the text.
#[must_use]
pub fn formula_under(program: &Program, binder: &Binder, f: &Formula) -> String {
    let mut printer = Printer { p: program, bound: Vec::new(), named: Vec::new() };
    printer.bind(binder);
    printer.formula(f, Level::Whole)
}

/// A term in the annotation language, below these binders.
#[must_use]
pub fn term_under(program: &Program, binders: &[Binder], t: &Term) -> String {
    let mut printer = Printer { p: program, bound: Vec::new(), named: Vec::new() };
    binders.iter().for_each(|binder| {
        printer.bind(binder);
    });
    printer.term(t, At::Now)
}

/// How much a formula must be bracketed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// Stands alone.
    Whole,
    /// An operand of `==>` or `<==>`.
    Implication,
    /// An operand of `||`.
    Or,
    /// An operand of `&&`.
    And,
    /// An operand of `!`.
    Atom,
}

struct Printer<'p> {
    p: &'p Program,
    bound: Vec<(BoundId, String)>,
    /// Values of now that an atom needs inside `\old`: name, type, text.
    named: Vec<(String, String, String)>,
}

impl Printer<'_> {
    fn var(&self, v: VarId) -> String {
        self.p.vars.get(v.index()).map_or_else(|| "?".to_owned(), |v| v.name.clone())
    }

    fn field(&self, f: FieldId) -> &str {
        self.p.fields.get(f.index()).map_or("?", |f| &f.name)
    }

    fn structure(&self, s: StructId) -> String {
        self.p.structs.get(s.index()).map_or_else(|| "?".to_owned(), |s| s.name.clone())
    }

    fn bind(&mut self, binder: &Binder) -> String {
        let taken = |name: &str, me: &Self| {
            me.bound.iter().any(|(_, n)| n == name)
                || me.named.iter().any(|(n, _, _)| n == name)
                || me.p.vars.iter().any(|v| v.name == name)
        };
        let base = if binder.name.is_empty() { "v" } else { &binder.name };
        let mut name = base.to_owned();
        let mut k = 2;
        while taken(&name, self) {
            name = format!("{base}{k}");
            k += 1;
        }
        self.bound.push((binder.id, name.clone()));
        name
    }

    fn wrap(&self, at: At, text: &str) -> String {
        match at {
            At::Now => text.to_owned(),
            At::Entry => format!("\\old({text})"),
            At::Label(l) => {
                let label = self.p.labels.get(l.index()).map_or("?", |n| n);
                format!("\\at({text}, {label})")
            }
        }
    }

    /// A term that can be followed by `->`.
    fn operand(&mut self, t: &Term, c: At) -> String {
        let text = self.term(t, c);
        match t {
            Term::Binary(..) | Term::Neg(_) => format!("({text})"),
            _ => text,
        }
    }

    /// The term where the surrounding text speaks of `c`.
    fn term(&mut self, t: &Term, c: At) -> String {
        match t {
            Term::Var(v, at) => {
                let name = self.var(*v);
                self.leaf(name, *at, c, t)
            }
            Term::Bound(id) => {
                let found = self.bound.iter().rev().find(|(b, _)| b == id);
                found.map_or_else(|| format!("?{}", id.0), |(_, n)| n.clone())
            }
            Term::Null(_) => "NULL".to_owned(),
            Term::Int(n) => n.to_string(),
            Term::Field(f, at, inner) => {
                if *at == c || c == At::Now {
                    let object = self.inside(inner, *at);
                    // The cell of a variable is known by the variable's address.
                    let text = match object.strip_prefix('&') {
                        Some(variable) => format!("{variable}.{}", self.field(*f)),
                        None => format!("{object}->{}", self.field(*f)),
                    };
                    if *at == c { text } else { self.wrap(*at, &text) }
                } else {
                    self.name(t)
                }
            }
            Term::Index(a, at, i) => {
                if *at == c || c == At::Now {
                    let index = self.inside(i, *at);
                    let text = format!("{}[{index}]", self.var(*a));
                    if *at == c { text } else { self.wrap(*at, &text) }
                } else {
                    self.name(t)
                }
            }
            Term::Neg(inner) => format!("-{}", self.bracketed(inner, c)),
            Term::Binary(op, a, b) => {
                format!("{} {} {}", self.bracketed(a, c), symbol(*op), self.bracketed(b, c))
            }
            Term::Ite(p, a, b) => {
                let p = self.formula(p, Level::Atom);
                format!("({p} ? {} : {})", self.term(a, c), self.term(b, c))
            }
        }
    }

    fn bracketed(&mut self, t: &Term, c: At) -> String {
        let text = self.term(t, c);
        match t {
            Term::Binary(..) | Term::Neg(_) => format!("({text})"),
            Term::Int(n) if *n < 0 => format!("({text})"),
            _ => text,
        }
    }

    /// An argument of something at `at`: as it stands if it speaks of that moment too or the surrounding text
    /// is about now, else by a name.
    fn inside(&mut self, t: &Term, at: At) -> String {
        if at == At::Now || speaks_only_of(t, at) { self.operand(t, at) } else { self.name(t) }
    }

    fn leaf(&mut self, text: String, at: At, c: At, t: &Term) -> String {
        if at == c {
            text
        } else if c == At::Now {
            self.wrap(at, &text)
        } else {
            self.name(t)
        }
    }

    /// Gives a term of another moment a name that `\old` does not touch.
    fn name(&mut self, t: &Term) -> String {
        let text = self.term(t, At::Now);
        let ty = match self.type_of(t) {
            Some(s) => format!("{} *", self.structure(s)),
            None => "int ".to_owned(),
        };
        if let Some((name, _, _)) = self.named.iter().find(|(_, _, old)| *old == text) {
            return name.clone();
        }
        let taken = |name: &str, me: &Self| {
            me.bound.iter().any(|(_, n)| n == name)
                || me.named.iter().any(|(n, _, _)| n == name)
                || me.p.vars.iter().any(|v| v.name == name)
        };
        let name = (1..).map(|k| format!("v{k}")).find(|n| !taken(n, self)).unwrap_or_default();
        self.named.push((name.clone(), ty, text));
        name
    }

    fn type_of(&self, t: &Term) -> Option<StructId> {
        match t {
            Term::Var(v, _) => self.p.vars.get(v.index())?.ty.pointee(),
            Term::Null(s) => Some(*s),
            Term::Field(f, ..) => self.p.fields.get(f.index())?.ty.pointee(),
            Term::Index(a, ..) => self.p.vars.get(a.index())?.ty.element()?.pointee(),
            Term::Ite(_, a, _) => self.type_of(a),
            _ => None,
        }
    }

    /// Puts the names an atom needed in front of it.
    fn with_names(&mut self, atom: String) -> String {
        let mut text = atom;
        for (name, ty, value) in std::mem::take(&mut self.named).into_iter().rev() {
            text = format!("(\\forall {ty}{name}; {name} == {value} ==> {text})");
        }
        text
    }

    /// `format(arguments)` about the moment `at`.
    fn atom(&mut self, at: At, terms: &[&Term], text: impl FnOnce(&[String]) -> String) -> String {
        let parts: Vec<String> = terms.iter().map(|t| self.inside(t, at)).collect();
        self.wrap(at, &text(&parts))
    }

    fn set(&mut self, s: &Set, c: At) -> String {
        match s {
            Set::Cells(f, at, x, y) => {
                let f = self.field(*f).to_owned();
                let parts = [self.inside(x, *at), self.inside(y, *at)];
                let text = format!("\\cells({f}, {}, {})", parts[0], parts[1]);
                if *at == c { text } else { self.wrap(*at, &text) }
            }
            Set::Of(terms) if terms.is_empty() => "\\empty".to_owned(),
            Set::Of(terms) => {
                let terms: Vec<String> = terms.iter().map(|t| self.term(t, c)).collect();
                format!("{{{}}}", terms.join(", "))
            }
            Set::Pre(f, at, t) => {
                let f = self.field(*f).to_owned();
                let text = format!("\\pre({f}, {})", self.inside(t, *at));
                if *at == c { text } else { self.wrap(*at, &text) }
            }
            Set::Union(sets) => self.nary("\\union", sets, c),
            Set::Inter(sets) => self.nary("\\inter", sets, c),
            Set::Diff(a, b) => format!("\\diff({}, {})", self.set(a, c), self.set(b, c)),
        }
    }

    fn nary(&mut self, name: &str, sets: &[Set], c: At) -> String {
        let sets: Vec<String> = sets.iter().map(|s| self.set(s, c)).collect();
        if sets.is_empty() { "\\empty".to_owned() } else { format!("{name}({})", sets.join(", ")) }
    }

    fn formula(&mut self, f: &Formula, level: Level) -> String {
        let outer = std::mem::take(&mut self.named);
        let (text, own) = self.connective(f);
        let named = !self.named.is_empty();
        let text = self.with_names(text);
        self.named = outer;
        if own < level && !named { format!("({text})") } else { text }
    }

    /// The text and the level at which it needs no brackets.
    fn connective(&mut self, f: &Formula) -> (String, Level) {
        match f {
            Formula::Const(value) => ((if *value { "\\true" } else { "\\false" }).to_owned(), Level::Atom),
            Formula::Not(p) => (format!("!{}", self.formula(p, Level::Atom)), Level::Atom),
            Formula::And(parts) => self.joined(parts, " && ", Level::And, "\\true"),
            Formula::Or(parts) => self.joined(parts, " || ", Level::Or, "\\false"),
            Formula::Implies(p, q) => {
                let (p, q) = (self.formula(p, Level::Or), self.formula(q, Level::Or));
                (format!("{p} ==> {q}"), Level::Implication)
            }
            Formula::Iff(p, q) => {
                let (p, q) = (self.formula(p, Level::Or), self.formula(q, Level::Or));
                (format!("{p} <==> {q}"), Level::Whole)
            }
            Formula::Forall(binder, body) => self.quantifier("\\forall", binder, body),
            Formula::Exists(binder, body) => self.quantifier("\\exists", binder, body),
            Formula::Compare(cmp, a, b) => {
                let text = format!("{} {} {}", self.term(a, At::Now), sign(*cmp), self.term(b, At::Now));
                (text, Level::And)
            }
            Formula::Reach { from, to: Term::Null(_), field, at, plus: false } => {
                let f = self.field(*field).to_owned();
                (self.atom(*at, &[from], |t| format!("\\list({f}, {})", t[0])), Level::Atom)
            }
            Formula::Reach { field, at, from, to, plus } => {
                let f = self.field(*field).to_owned();
                let star = if *plus { '+' } else { '*' };
                let text = self.atom(*at, &[from, to], |t| format!("{} -{f}{star}-> {}", t[0], t[1]));
                (text, if *at == At::Now { Level::And } else { Level::Atom })
            }
            Formula::In(t, s) => {
                let text = format!("{} \\in {}", self.term(t, At::Now), self.set(s, At::Now));
                (text, Level::And)
            }
            Formula::SameSet(a, b) => {
                (format!("{} == {}", self.set(a, At::Now), self.set(b, At::Now)), Level::And)
            }
            _ => (self.predicate(f), Level::Atom),
        }
    }

    fn joined(&mut self, parts: &[Formula], with: &str, level: Level, empty: &str) -> (String, Level) {
        match parts {
            [] => (empty.to_owned(), Level::Atom),
            [only] => (self.formula(only, level), level),
            several => {
                let mut texts = Vec::new();
                for part in several {
                    // `&&` below `||` is bracketed too: nobody has to remember which binds stronger.
                    let inner = if matches!(part, Formula::And(_)) { Level::Atom } else { Level::And };
                    texts.push(self.formula(part, inner));
                }
                let parts = texts;
                (parts.join(with), level)
            }
        }
    }

    fn quantifier(&mut self, word: &str, binder: &Binder, body: &Formula) -> (String, Level) {
        let ty = binder.of.map_or_else(|| "int ".to_owned(), |s| format!("{} *", self.structure(s)));
        let name = self.bind(binder);
        let body = self.formula(body, Level::Whole);
        self.bound.pop();
        (format!("{word} {ty}{name}; {body}"), Level::Whole)
    }

    /// Atoms in functional notation.
    fn predicate(&mut self, f: &Formula) -> String {
        let name = |f: &FieldId, me: &Self| me.field(*f).to_owned();
        match f {
            Formula::Between(f, at, x, y, z) => {
                let f = name(f, self);
                self.atom(*at, &[x, y, z], |t| format!("\\btwn({f}, {}, {}, {})", t[0], t[1], t[2]))
            }
            Formula::Valid(t, at) => self.atom(*at, &[t], |t| format!("\\valid({})", t[0])),
            Formula::Freed(t, at) => self.atom(*at, &[t], |t| format!("\\freed({})", t[0])),
            Formula::Fresh(t) => self.atom(At::Now, &[t], |t| format!("\\fresh({})", t[0])),
            Formula::Stable(f, at, t) => {
                let f = name(f, self);
                self.atom(*at, &[t], |t| format!("\\stable({f}, {})", t[0]))
            }
            Formula::Unshared(f, at, x, y) => {
                let f = name(f, self);
                self.atom(*at, &[x, y], |t| format!("\\unshared({f}, {}, {})", t[0], t[1]))
            }
            Formula::Sorted(f, d, at, x, y) => {
                let (f, d) = (name(f, self), name(d, self));
                self.atom(*at, &[x, y], |t| format!("\\sorted({f}, {d}, {}, {})", t[0], t[1]))
            }
            Formula::Inverse(f, b, at, x, y) => {
                let (f, b) = (name(f, self), name(b, self));
                self.atom(*at, &[x, y], |t| format!("\\inverse({f}, {b}, {}, {})", t[0], t[1]))
            }
            Formula::Dlseg(n, p, at, ends) => {
                let (n, p) = (name(n, self), name(p, self));
                self.atom(*at, &ends.each_ref(), |t| format!("\\dlseg({n}, {p}, {})", t.join(", ")))
            }
            Formula::Tree(l, r, at, t) => {
                let (l, r) = (name(l, self), name(r, self));
                self.atom(*at, &[t], |t| format!("\\tree({l}, {r}, {})", t[0]))
            }
            Formula::ValidRange(a, lo, hi) => {
                let a = self.var(*a);
                self.atom(At::Now, &[lo, hi], |t| format!("\\valid({a} + ({}..{}))", t[0], t[1]))
            }
            Formula::Subset(a, b) => {
                format!("\\subset({}, {})", self.set(a, At::Now), self.set(b, At::Now))
            }
            Formula::Disjoint(sets) => {
                let sets: Vec<String> = sets.iter().map(|s| self.set(s, At::Now)).collect();
                format!("\\disjoint({})", sets.join(", "))
            }
            other => unreachable!("{other:?} is printed by its connective"),
        }
    }
}

/// Whether all leaves with a moment are at this one.
fn speaks_only_of(t: &Term, at: At) -> bool {
    let mut only = true;
    super::walk::term(t, &mut |part| {
        if let super::walk::Part::Term(Term::Var(_, a) | Term::Field(_, a, _) | Term::Index(_, a, _)) = part {
            only &= *a == at;
        }
    });
    only
}

fn symbol(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::BitAnd => "&",
        BinOp::BitOr => "|",
        BinOp::BitXor => "^",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
    }
}

fn sign(cmp: Cmp) -> &'static str {
    match cmp {
        Cmp::Eq => "==",
        Cmp::Ne => "!=",
        Cmp::Lt => "<",
        Cmp::Le => "<=",
        Cmp::Gt => ">",
        Cmp::Ge => ">=",
    }
}

#[cfg(test)]
#[path = "print_tests.rs"]
mod tests;
