//! Terms and formulas.

use super::{Reader, Token};
use catena::program::{At, BinOp, Binder, BoundId, Cmp, FieldId, Formula, StructId, Term, Type};
use std::collections::BTreeMap;

/// A term whose null has no sort yet.
#[derive(Clone, Debug)]
pub enum Loose {
    Null,
    /// `Alloc(t)`
    Alloc(Term),
    Term(Term, Type),
}

/// What a quantifier ranges over: a guard for each member.
enum Range {
    Btwn(FieldId, At, Term, Term),
    Pre(FieldId, At, Term),
}

type Env = BTreeMap<String, (BoundId, StructId)>;

impl Reader {
    pub fn formula(&mut self) -> Formula {
        self.implication(&Env::new())
    }

    fn implication(&mut self, env: &Env) -> Formula {
        let left = self.disjunction(env);
        if self.eat("==>") {
            let right = self.implication(env);
            return Formula::Implies(Box::new(left), Box::new(right));
        }
        if self.eat("<==>") {
            let right = self.implication(env);
            return Formula::Iff(Box::new(left), Box::new(right));
        }
        left
    }

    fn disjunction(&mut self, env: &Env) -> Formula {
        let mut parts = vec![self.conjunction(env)];
        while self.eat("||") {
            parts.push(self.conjunction(env));
        }
        if parts.len() == 1 { parts.remove(0) } else { Formula::Or(parts) }
    }

    fn conjunction(&mut self, env: &Env) -> Formula {
        let mut parts = vec![self.literal(env)];
        while self.eat("&&") {
            parts.push(self.literal(env));
        }
        Formula::all(parts)
    }

    fn literal(&mut self, env: &Env) -> Formula {
        if self.eat("!") {
            return self.literal(env).negate();
        }
        if self.eat_word("true") {
            return Formula::Const(true);
        }
        if self.eat_word("false") {
            return Formula::Const(false);
        }
        if self.eat_word("forall") {
            return self.quantifier(env);
        }
        if let Some(Token::Word(name)) = self.peek()
            && let Some((parameters, body)) = self.macros.get(name).cloned()
        {
            return self.expand(&parameters, &body, env);
        }
        // A parenthesis opens a formula or a term.
        if self.is("(") {
            let mark = self.at;
            self.expect("(");
            let inner = self.implication(env);
            self.expect(")");
            let continues = ["=", "!=", "<", "<=", ">", ">=", "+", "-"].iter().any(|s| self.is(s));
            if !continues {
                return inner;
            }
            self.at = mark;
        }
        self.atom(env)
    }

    fn expand(&mut self, parameters: &[String], body: &[Token], env: &Env) -> Formula {
        self.at += 1;
        self.expect("(");
        let mut arguments: Vec<Vec<Token>> = Vec::new();
        let mut depth = 0;
        let mut current = Vec::new();
        loop {
            let token = self.peek().expect("a closed argument list").clone();
            self.at += 1;
            match token {
                Token::Sign(")") if depth == 0 => break,
                Token::Sign(",") if depth == 0 => arguments.push(std::mem::take(&mut current)),
                Token::Sign("(") => {
                    depth += 1;
                    current.push(token);
                }
                Token::Sign(")") => {
                    depth -= 1;
                    current.push(token);
                }
                other => current.push(other),
            }
        }
        if !current.is_empty() {
            arguments.push(current);
        }
        assert_eq!(arguments.len(), parameters.len());
        let mut expanded = vec![Token::Sign("(")];
        for token in body {
            match token {
                Token::Word(w) if parameters.contains(w) => {
                    let i = parameters.iter().position(|p| p == w).unwrap();
                    expanded.extend(arguments[i].iter().cloned());
                }
                other => expanded.push(other.clone()),
            }
        }
        expanded.push(Token::Sign(")"));
        self.tokens.splice(self.at..self.at, expanded);
        self.literal(env)
    }

    fn quantifier(&mut self, env: &Env) -> Formula {
        let name = self.word();
        assert!(self.eat_word("in"));
        let range = self.range(env);
        let field = match &range {
            Range::Btwn(f, ..) | Range::Pre(f, ..) => *f,
        };
        let of = self.program.fields[field.index()].owner;
        let id = self.program.add_bound();
        let mut inner = env.clone();
        inner.insert(name.clone(), (id, of));
        let mut premises = vec![self.member(&range, Term::Bound(id))];
        if self.eat("\\") {
            self.expect("{");
            loop {
                let t = self.sum(env);
                premises.push(Formula::ne(Term::Bound(id), self.pointer(t, of)));
                if !self.eat(",") {
                    break;
                }
            }
            self.expect("}");
        }
        if self.eat("[") {
            self.sum(&inner);
            self.expect("]");
        }
        self.expect(".");
        let body = self.implication(&inner);
        let formula = Formula::Implies(Box::new(Formula::all(premises)), Box::new(body));
        Formula::Forall(Binder { id, name, of: Some(of) }, Box::new(formula))
    }

    fn member(&self, range: &Range, u: Term) -> Formula {
        match range {
            Range::Btwn(f, at, a, b) => Formula::Between(*f, *at, a.clone(), u, b.clone()),
            Range::Pre(f, at, t) => Formula::eq(Term::Field(*f, *at, Box::new(u)), t.clone()),
        }
    }

    fn field_at(&self, name: &str) -> Option<(FieldId, At)> {
        if let Some((field, label)) = self.snapshots.get(name) {
            return Some((*field, At::Label(*label)));
        }
        self.fields.get(name).map(|f| (*f, At::Now))
    }

    fn range(&mut self, env: &Env) -> Range {
        let name = self.word();
        if name == "Btwn" {
            self.expect("(");
            let field = self.word();
            let (field, at) = self.field_at(&field).expect("a field");
            let of = self.program.fields[field.index()].owner;
            self.expect(",");
            let a = self.sum(env);
            self.expect(",");
            let b = self.sum(env);
            self.expect(")");
            return Range::Btwn(field, at, self.pointer(a, of), self.pointer(b, of));
        }
        self.expect("^-1");
        let (field, at) = self.field_at(&name).expect("a field");
        self.expect("(");
        let t = self.sum(env);
        self.expect(")");
        let t = match self.program.fields[field.index()].ty {
            Type::Ptr(of) => self.pointer(t, of),
            _ => match t {
                Loose::Term(t, _) => t,
                _ => panic!("an integer was expected"),
            },
        };
        Range::Pre(field, at, t)
    }

    pub fn pointer(&self, t: Loose, of: StructId) -> Term {
        match t {
            Loose::Null => Term::Null(of),
            Loose::Term(t, _) => t,
            Loose::Alloc(_) => panic!("Alloc is no pointer"),
        }
    }

    fn atom(&mut self, env: &Env) -> Formula {
        let left = self.sum(env);
        if self.eat_word("in") {
            let Loose::Term(t, _) = left else { panic!("a term") };
            let range = self.range(env);
            return self.member(&range, t);
        }
        if self.eat_word("notin") {
            let Loose::Term(t, _) = left else { panic!("a term") };
            let range = self.range(env);
            return self.member(&range, t).negate();
        }
        if self.is("-") {
            return self.arrow(left, env);
        }
        let cmp = [
            ("=", Cmp::Eq),
            ("!=", Cmp::Ne),
            ("<=", Cmp::Le),
            (">=", Cmp::Ge),
            ("<", Cmp::Lt),
            (">", Cmp::Gt),
        ];
        let (_, cmp) = cmp.into_iter().find(|(s, _)| self.eat(s)).expect("a comparison");
        let right = self.sum(env);
        match (left, right) {
            (Loose::Alloc(t), Loose::Term(Term::Int(1), _)) if cmp == Cmp::Eq => Formula::Valid(t, At::Now),
            (Loose::Term(a, ty), b) | (b, Loose::Term(a, ty)) => {
                // Only equalities are turned round.
                let b = match (b, ty) {
                    (b, Type::Ptr(of)) => self.pointer(b, of),
                    (Loose::Term(b, _), _) => b,
                    _ => panic!("two values of one sort were expected"),
                };
                Formula::Compare(cmp, a, b)
            }
            _ => panic!("two values of one sort were expected"),
        }
    }

    fn arrow(&mut self, first: Loose, env: &Env) -> Formula {
        self.expect("-");
        let name = self.word();
        let (field, at) = self.field_at(&name).expect("a field");
        let of = self.program.fields[field.index()].owner;
        self.expect("->");
        let second = self.sum(env);
        let (first, second) = (self.pointer(first, of), self.pointer(second, of));
        if self.eat("-") {
            assert_eq!(self.word(), name);
            self.expect("->");
            let third = self.sum(env);
            return Formula::Between(field, at, first, second, self.pointer(third, of));
        }
        Formula::Reach { field, at, from: first, to: second, plus: false }
    }

    fn is_arrow(&self) -> bool {
        self.is("-")
            && matches!(self.tokens.get(self.at + 1), Some(Token::Word(_)))
            && matches!(self.tokens.get(self.at + 2), Some(Token::Sign("->")))
    }

    pub fn sum(&mut self, env: &BTreeMap<String, (BoundId, StructId)>) -> Loose {
        let mut left = self.primary(env);
        loop {
            let op = if self.is("+") {
                BinOp::Add
            } else if self.is("-") && !self.is_arrow() {
                BinOp::Sub
            } else {
                return left;
            };
            self.at += 1;
            let right = self.primary(env);
            let (Loose::Term(a, ty), Loose::Term(b, _)) = (left, right) else {
                panic!("integers were expected")
            };
            left = Loose::Term(Term::Binary(op, Box::new(a), Box::new(b)), ty);
        }
    }

    fn primary(&mut self, env: &Env) -> Loose {
        let int = Type::Int(catena::program::IntKind::INT);
        if self.eat("(") {
            let inner = self.sum(env);
            self.expect(")");
            return inner;
        }
        if let Some(Token::Number(n)) = self.peek() {
            let n = *n;
            self.at += 1;
            return Loose::Term(Term::Int(n), int);
        }
        let name = self.word();
        if name == "null" {
            return Loose::Null;
        }
        if self.eat("(") {
            let inner = self.sum(env);
            self.expect(")");
            if name == "Alloc" || name.starts_with("Alloc_") {
                let Loose::Term(t, _) = inner else { panic!("a cell") };
                return Loose::Alloc(t);
            }
            let (field, at) = self.field_at(&name).unwrap_or_else(|| panic!("unknown field {name}"));
            let (of, ty) = (self.program.fields[field.index()].owner, self.program.fields[field.index()].ty);
            let inner = self.pointer(inner, of);
            return Loose::Term(Term::Field(field, at, Box::new(inner)), ty);
        }
        if let Some((id, of)) = env.get(&name) {
            return Loose::Term(Term::Bound(*id), Type::Ptr(*of));
        }
        let var = self.var(&name);
        Loose::Term(Term::Var(var, At::Now), self.program.vars[var.index()].ty)
    }
}
