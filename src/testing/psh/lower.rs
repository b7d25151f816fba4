//! `.psh` syntax to a control-flow graph.

use super::syntax::{File, Phrase, Spec, Statement};
use crate::program::{
    At, Binder, Check, Clause, Cmp, Command, Cond, Contract, Expr, Field, FieldId, Formula, IntKind,
    LocationId, Loop, Program, Storage, StructId, Term, Type, Var, VarId, VarKind,
};
use crate::util::span::Span;

/// The program of one spec.
pub(super) fn lower(file: &File, spec: &Spec) -> Result<Program, String> {
    let mut program = Program::new(&file.name);
    let node = program.add_struct("node");
    let int = Type::Int(IntKind::INT);
    let field = |name: &str, ty| Field { name: name.to_string(), owner: node, ty, ghost: false };
    for name in &file.fields {
        program.add_field(field(name, Type::Ptr(node)));
    }
    let data = program.add_field(field("d", int));
    let colour = program.add_field(field("c", int));
    let mut lower = Lower { program, node, data, colour, scratch: Vec::new() };
    let set = |name: &String| first_is_write(&file.code, name);
    for name in &file.vars {
        // `ensures` speaks of final values, so what it names is a global.
        let kind = if set(name) { VarKind::Local } else { VarKind::Global };
        let kind = if spec.ensures.iter().any(|p| mentions(p, name)) { VarKind::Global } else { kind };
        lower.declare(name, Type::Ptr(node), kind);
    }
    for name in &file.temps {
        lower.declare(name, Type::Ptr(node), VarKind::Temp);
    }
    for name in &spec.ghosts {
        lower.declare(name, Type::Ptr(node), VarKind::Param);
    }
    for name in ["d1", "d2"] {
        let var = lower.declare(name, int, VarKind::Temp);
        lower.scratch.push(var);
    }
    lower.contract(spec, &file.fields)?;
    let (entry, exit) = (lower.program.entry, lower.program.exit);
    let last = lower.block(&file.code, entry)?;
    lower.edge(last, exit, Command::Skip);
    Ok(lower.program)
}

/// Whether the variable is assigned before it is read, on the way to the loop.
fn first_is_write(code: &[Statement], name: &str) -> bool {
    for statement in code {
        match statement {
            Statement::Copy(x, y) | Statement::Load(x, y, _) => {
                if y == name {
                    return false;
                }
                if x == name {
                    return true;
                }
            }
            Statement::Malloc(x) if x == name => return true,
            Statement::Store(x, _, y) if x == name || y == name => return false,
            Statement::While(..) | Statement::If(..) => return false,
            _ => {}
        }
    }
    false
}

fn mentions(phrase: &Phrase, name: &str) -> bool {
    match phrase {
        Phrase::Const(_) | Phrase::Choice => false,
        Phrase::Not(p) => mentions(p, name),
        Phrase::And(p, q) | Phrase::Or(p, q) | Phrase::Implies(p, q) | Phrase::Iff(p, q) => {
            mentions(p, name) || mentions(q, name)
        }
        Phrase::Equal(x, y) | Phrase::AtMost(x, y) => x == name || y == name,
        Phrase::Reach { from, to, .. } => from == name || to == name,
        Phrase::Edge(_, x, y) | Phrase::Segment(_, _, x, y) | Phrase::Inverse(_, _, x, y) => {
            x == name || y == name
        }
        Phrase::Stable(_, x) | Phrase::Unary(_, x) => x == name,
    }
}

/// Whether the phrase speaks of what the field reaches.
fn follows(phrase: &Phrase, name: &str) -> bool {
    match phrase {
        Phrase::Not(p) => follows(p, name),
        Phrase::And(p, q) | Phrase::Or(p, q) | Phrase::Implies(p, q) | Phrase::Iff(p, q) => {
            follows(p, name) || follows(q, name)
        }
        Phrase::Reach { field, .. } | Phrase::Edge(field, ..) | Phrase::Stable(field, _) => field == name,
        Phrase::Segment(_, field, ..) => field == name,
        Phrase::Inverse(field, back, ..) => field == name || back == name,
        Phrase::Const(_) | Phrase::Choice | Phrase::Equal(..) | Phrase::AtMost(..) | Phrase::Unary(..) => {
            false
        }
    }
}

struct Lower {
    program: Program,
    node: StructId,
    data: FieldId,
    colour: FieldId,
    /// Two integers that conditions load data into.
    scratch: Vec<VarId>,
}

impl Lower {
    fn declare(&mut self, name: &str, ty: Type, kind: VarKind) -> VarId {
        self.program.add_var(Var { name: name.to_string(), ty, kind, len: None, span: Span::default() })
    }

    fn edge(&mut self, from: LocationId, to: LocationId, command: Command) {
        self.program.add_edge(from, to, command, Span::default());
    }

    /// An edge to a new location.
    fn step(&mut self, from: LocationId, command: Command) -> LocationId {
        let to = self.program.add_location();
        self.edge(from, to, command);
        to
    }

    fn var(&self, name: &str) -> Result<VarId, String> {
        self.program.var_named(name).ok_or_else(|| format!("`{name}` is not declared"))
    }

    fn field(&self, name: &str) -> Result<FieldId, String> {
        let found = self.program.field_named(self.node, name).filter(|f| f.index() < self.data.index());
        found.ok_or_else(|| format!("`{name}` is no link field"))
    }

    fn value(&self, name: &str) -> Result<Expr, String> {
        if name == "null" { Ok(Expr::Null(self.node)) } else { Ok(Expr::Var(self.var(name)?)) }
    }

    fn term(&self, name: &str) -> Result<Term, String> {
        if name == "null" { Ok(Term::Null(self.node)) } else { Ok(Term::Var(self.var(name)?, At::Now)) }
    }

    fn contract(&mut self, spec: &Spec, fields: &[String]) -> Result<(), String> {
        let clause = |formula| Clause { formula, span: Span::default() };
        let mut requires = Vec::new();
        // A field that no formula speaks of is a plain function and may be anything.
        let spoken = |name: &String| spec.requires.iter().chain(&spec.ensures).any(|p| follows(p, name));
        for name in fields.iter().filter(|name| spoken(name)) {
            let id = self.program.add_bound();
            let binder = Binder { id, name: "u".to_string(), of: Some(self.node) };
            let reach = Formula::Reach {
                field: self.field(name)?,
                at: At::Now,
                from: Term::Bound(id),
                to: Term::Null(self.node),
                plus: false,
            };
            requires.push(clause(Formula::Forall(binder, Box::new(reach))));
        }
        for phrase in &spec.requires {
            requires.push(clause(self.formula(phrase)?));
        }
        let ensures =
            spec.ensures.iter().map(|p| Ok(clause(self.formula(p)?))).collect::<Result<_, String>>()?;
        self.program.contracts = vec![Contract { requires, ensures, ..Contract::default() }];
        Ok(())
    }

    fn formula(&self, phrase: &Phrase) -> Result<Formula, String> {
        let both = |p: &Phrase, q: &Phrase| Ok::<_, String>((self.formula(p)?, self.formula(q)?));
        Ok(match phrase {
            Phrase::Const(value) => Formula::Const(*value),
            Phrase::Choice => return Err("a choice is no formula".to_string()),
            Phrase::Not(p) => self.formula(p)?.negate(),
            Phrase::And(p, q) => {
                let (p, q) = both(p, q)?;
                Formula::all([p, q])
            }
            Phrase::Or(p, q) => {
                let (p, q) = both(p, q)?;
                Formula::Or(vec![p, q])
            }
            Phrase::Implies(p, q) => {
                let (p, q) = both(p, q)?;
                Formula::Implies(Box::new(p), Box::new(q))
            }
            Phrase::Iff(p, q) => {
                let (p, q) = both(p, q)?;
                Formula::Iff(Box::new(p), Box::new(q))
            }
            Phrase::Equal(x, y) => Formula::eq(self.term(x)?, self.term(y)?),
            Phrase::Reach { field, from, to, plus } => Formula::Reach {
                field: self.field(field)?,
                at: At::Now,
                from: self.term(from)?,
                to: self.term(to)?,
                plus: *plus,
            },
            Phrase::Edge(f, x, y) => {
                let next = Term::Field(self.field(f)?, At::Now, Box::new(self.term(x)?));
                let cell = Formula::ne(self.term(x)?, Term::Null(self.node));
                Formula::all([cell, Formula::eq(next, self.term(y)?)])
            }
            Phrase::Segment(kind, f, x, y) => {
                let (field, x, y) = (self.field(f)?, self.term(x)?, self.term(y)?);
                match kind.as_str() {
                    "ls" => Formula::Unshared(field, At::Now, x, y),
                    "sorted" => Formula::Sorted(field, self.data, At::Now, x, y),
                    other => return Err(format!("`{other}` is no segment predicate")),
                }
            }
            Phrase::Inverse(f, b, x, y) => {
                Formula::Inverse(self.field(f)?, self.field(b)?, At::Now, self.term(x)?, self.term(y)?)
            }
            Phrase::Stable(f, x) => Formula::Stable(self.field(f)?, At::Now, self.term(x)?),
            Phrase::AtMost(x, y) => {
                let datum = |t| Term::Field(self.data, At::Now, Box::new(t));
                Formula::Compare(Cmp::Le, datum(self.term(x)?), datum(self.term(y)?))
            }
            Phrase::Unary(name, x) if name == "alloc" => Formula::Valid(self.term(x)?, At::Now),
            Phrase::Unary(name, x) if name == "C" => {
                let datum = Term::Field(self.colour, At::Now, Box::new(self.term(x)?));
                Formula::Compare(Cmp::Ne, datum, Term::Int(0))
            }
            Phrase::Unary(name, _) => return Err(format!("`{name}` is no predicate")),
        })
    }

    fn block(&mut self, code: &[Statement], mut at: LocationId) -> Result<LocationId, String> {
        for statement in code {
            at = self.statement(statement, at)?;
        }
        Ok(at)
    }

    fn statement(&mut self, statement: &Statement, at: LocationId) -> Result<LocationId, String> {
        Ok(match statement {
            Statement::Copy(x, y) => {
                let command = Command::Assign(self.var(x)?, self.value(y)?);
                self.step(at, command)
            }
            Statement::Load(x, y, f) => {
                let (to, from, field) = (self.var(x)?, self.var(y)?, self.field(f)?);
                self.step(at, Command::Load { to, from, field })
            }
            Statement::Store(x, f, y) => {
                let (to, field, value) = (self.var(x)?, self.field(f)?, self.value(y)?);
                self.step(at, Command::Store { to, field, value })
            }
            Statement::Malloc(x) => {
                let to = self.var(x)?;
                self.step(at, Command::Alloc { to, of: self.node, storage: Storage::Heap, zeroed: false })
            }
            Statement::Free(x) => {
                // Freeing null is an error in this notation.
                let x = self.var(x)?;
                let formula = Formula::ne(Term::Var(x, At::Now), Term::Null(self.node));
                let what = "free of null".to_string();
                let at = self.step(at, Command::Assert { formula, check: Check::Memsafety, what });
                self.step(at, Command::Free(x))
            }
            Statement::Assume(phrase) => {
                let formula = self.formula(phrase)?;
                self.step(at, Command::Suppose(formula))
            }
            Statement::If(test, yes, no) => {
                let (on_yes, on_no) = (self.program.add_location(), self.program.add_location());
                self.test(test, at, on_yes, on_no)?;
                let end_yes = self.block(yes, on_yes)?;
                let end_no = self.block(no, on_no)?;
                self.edge(end_no, end_yes, Command::Skip);
                end_yes
            }
            Statement::While(test, body) => {
                let head = self.step(at, Command::Skip);
                let (inside, after) = (self.program.add_location(), self.program.add_location());
                self.program.loops.push(Loop {
                    head,
                    invariants: Vec::new(),
                    assigns: None,
                    variant: Vec::new(),
                    parent: None,
                    span: Span::default(),
                });
                self.test(test, head, inside, after)?;
                let end = self.block(body, inside)?;
                self.edge(end, head, Command::Skip);
                after
            }
        })
    }

    /// Branches on a condition, left to right with short circuit.
    fn test(&mut self, test: &Phrase, at: LocationId, yes: LocationId, no: LocationId) -> Result<(), String> {
        match test {
            Phrase::Const(value) => self.edge(at, if *value { yes } else { no }, Command::Skip),
            Phrase::Choice => {
                self.edge(at, yes, Command::Skip);
                self.edge(at, no, Command::Skip);
            }
            Phrase::Not(inner) => self.test(inner, at, no, yes)?,
            Phrase::And(p, q) => {
                let middle = self.program.add_location();
                self.test(p, at, middle, no)?;
                self.test(q, middle, yes, no)?;
            }
            Phrase::Or(p, q) => {
                let middle = self.program.add_location();
                self.test(p, at, yes, middle)?;
                self.test(q, middle, yes, no)?;
            }
            Phrase::Equal(x, y) => {
                let cond = Cond::eq(self.value(x)?, self.value(y)?);
                self.fork(cond, at, yes, no);
            }
            Phrase::AtMost(x, y) => {
                let [a, b] = [self.scratch[0], self.scratch[1]];
                let (x, y) = (self.var(x)?, self.var(y)?);
                let at = self.step(at, Command::Load { to: a, from: x, field: self.data });
                let at = self.step(at, Command::Load { to: b, from: y, field: self.data });
                self.fork(Cond::Compare(Cmp::Le, Expr::Var(a), Expr::Var(b)), at, yes, no);
            }
            Phrase::Unary(name, x) if name == "C" => {
                let (a, x) = (self.scratch[0], self.var(x)?);
                let at = self.step(at, Command::Load { to: a, from: x, field: self.colour });
                self.fork(Cond::ne(Expr::Var(a), Expr::Int(0)), at, yes, no);
            }
            _ => return Err("this condition cannot be tested by code".to_string()),
        }
        Ok(())
    }

    fn fork(&mut self, cond: Cond, at: LocationId, yes: LocationId, no: LocationId) {
        let negated = cond.negated();
        self.edge(at, yes, Command::Assume(cond));
        self.edge(at, no, Command::Assume(negated));
    }
}
