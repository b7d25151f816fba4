//! Statements.

use super::{Reader, Token};
use catena::program::{
    BinOp, Check, Clause, Cmp, Command, Cond, Expr, LocationId, Loop, LoopId, Storage, Type, Var, VarId,
    VarKind,
};
use catena::util::span::Span;

impl Reader {
    pub fn body(&mut self) {
        let start = self.program.entry;
        let end = self.block(start, None);
        let exit = self.program.exit;
        if let Some(end) = end {
            self.edge(end, exit, Command::Skip);
        }
    }

    fn edge(&mut self, from: LocationId, to: LocationId, command: Command) {
        let span = Span::new(self.at as u32, self.at as u32 + 1);
        self.program.add_edge(from, to, command, span);
    }

    fn then(&mut self, from: LocationId, command: Command) -> LocationId {
        let to = self.program.add_location();
        self.edge(from, to, command);
        to
    }

    /// Where the block ends, unless it returned.
    fn block(&mut self, from: LocationId, parent: Option<LoopId>) -> Option<LocationId> {
        self.expect("{");
        let mut at = Some(from);
        while !self.eat("}") {
            let here = at.expect("statements after return");
            at = self.statement(here, parent);
        }
        at
    }

    fn statement(&mut self, at: LocationId, parent: Option<LoopId>) -> Option<LocationId> {
        let word = self.word();
        match word.as_str() {
            "snapshot" => {
                let name = self.word();
                self.expect(":=");
                self.word();
                self.expect(";");
                let (_, label) = self.snapshots[&name];
                return Some(self.then(at, Command::Snapshot(label)));
            }
            "free" => {
                self.expect("(");
                let (at, value) = self.value(at, None);
                self.expect(")");
                self.expect(";");
                let (at, var) = self.as_var(at, value);
                return Some(self.then(at, Command::Free(var)));
            }
            "return" => {
                self.expect(";");
                let exit = self.program.exit;
                self.edge(at, exit, Command::Skip);
                return None;
            }
            "assert" | "assume" => {
                let formula = self.formula();
                self.expect(";");
                let command = if word == "assume" {
                    Command::Suppose(formula)
                } else {
                    Command::Assert { formula, check: Check::Asserts, what: "assertion".to_owned() }
                };
                return Some(self.then(at, command));
            }
            "havoc" => {
                let var = self.word();
                self.expect(";");
                let var = self.var(&var);
                return Some(self.then(at, Command::Havoc(var)));
            }
            "if" => return self.branch(at, parent),
            "while" => return Some(self.repeat(at, parent)),
            _ => {}
        }
        let var = self.var(&word);
        if self.eat(".") {
            let field = self.word();
            let field = self.fields[&field];
            self.expect(":=");
            let ty = self.program.fields[field.index()].ty;
            let (at, value) = self.value(at, Some(ty));
            self.expect(";");
            return Some(self.then(at, Command::Store { to: var, field, value }));
        }
        self.expect(":=");
        let ty = self.program.vars[var.index()].ty;
        if self.eat_word("new") {
            self.expect(";");
            let Type::Ptr(of) = ty else { panic!("a pointer") };
            let command = Command::Alloc { to: var, of, storage: Storage::Heap, zeroed: false };
            return Some(self.then(at, command));
        }
        let (at, value) = self.value(at, Some(ty));
        self.expect(";");
        Some(self.then(at, Command::Assign(var, value)))
    }

    fn branch(&mut self, at: LocationId, parent: Option<LoopId>) -> Option<LocationId> {
        let (yes, no) = (self.program.add_location(), self.program.add_location());
        self.expect("(");
        self.condition(at, yes, no);
        self.expect(")");
        let yes = self.block(yes, parent);
        let no = if self.eat_word("else") { self.block(no, parent) } else { Some(no) };
        match (yes, no) {
            (None, other) | (other, None) => other,
            (Some(yes), Some(no)) => {
                let after = self.program.add_location();
                self.edge(yes, after, Command::Skip);
                self.edge(no, after, Command::Skip);
                Some(after)
            }
        }
    }

    fn repeat(&mut self, at: LocationId, parent: Option<LoopId>) -> LocationId {
        let head = self.then(at, Command::Skip);
        let (inside, after) = (self.program.add_location(), self.program.add_location());
        self.expect("(");
        self.condition(head, inside, after);
        self.expect(")");
        let mut invariants = Vec::new();
        while self.eat_word("inv") {
            let span = Span::new(self.at as u32, self.at as u32 + 1);
            let formula = self.formula();
            self.expect(";");
            invariants.push(Clause { formula, span });
        }
        let id = LoopId(self.program.loops.len() as u32);
        self.program.loops.push(Loop {
            head,
            invariants,
            assigns: None,
            variant: Vec::new(),
            parent,
            span: Span::default(),
        });
        if let Some(end) = self.block(inside, Some(id)) {
            self.edge(end, head, Command::Skip);
        }
        after
    }

    /// Short-circuit evaluation.
    fn condition(&mut self, at: LocationId, yes: LocationId, no: LocationId) {
        let more = self.program.add_location();
        self.and_condition(at, yes, more);
        if self.eat("||") {
            self.condition(more, yes, no);
        } else {
            self.edge(more, no, Command::Skip);
        }
    }

    fn and_condition(&mut self, at: LocationId, yes: LocationId, no: LocationId) {
        let more = self.program.add_location();
        self.simple_condition(at, more, no);
        if self.eat("&&") {
            self.and_condition(more, yes, no);
        } else {
            self.edge(more, yes, Command::Skip);
        }
    }

    fn simple_condition(&mut self, at: LocationId, yes: LocationId, no: LocationId) {
        let (at, left) = self.value(at, None);
        let ty = self.type_of(&left);
        let cmp = [
            ("=", Cmp::Eq),
            ("!=", Cmp::Ne),
            ("<=", Cmp::Le),
            (">=", Cmp::Ge),
            ("<", Cmp::Lt),
            (">", Cmp::Gt),
        ];
        let (_, cmp) = cmp.into_iter().find(|(s, _)| self.eat(s)).expect("a comparison");
        let (at, right) = self.value(at, ty);
        let cond = Cond::Compare(cmp, left, right);
        let not = cond.negated();
        self.edge(at, yes, Command::Assume(cond));
        self.edge(at, no, Command::Assume(not));
    }

    fn type_of(&self, expr: &Expr) -> Option<Type> {
        match expr {
            Expr::Var(v) => Some(self.program.vars[v.index()].ty),
            Expr::Null(s) => Some(Type::Ptr(*s)),
            _ => None,
        }
    }

    fn as_var(&mut self, at: LocationId, value: Expr) -> (LocationId, VarId) {
        if let Expr::Var(v) = value {
            return (at, v);
        }
        panic!("a variable was expected, found {value:?}")
    }

    fn temp(&mut self, ty: Type) -> VarId {
        self.temps += 1;
        let name = format!("t#{}", self.temps);
        self.program.add_var(Var { name, ty, kind: VarKind::Temp, len: None, span: Span::default() })
    }

    fn value(&mut self, at: LocationId, ty: Option<Type>) -> (LocationId, Expr) {
        let (mut at, mut left) = self.operand(at, ty);
        loop {
            let op = if self.eat("+") {
                BinOp::Add
            } else if self.eat("-") {
                BinOp::Sub
            } else {
                return (at, left);
            };
            let (next, right) = self.operand(at, ty);
            at = next;
            left = Expr::Binary(op, Box::new(left), Box::new(right));
        }
    }

    fn operand(&mut self, mut at: LocationId, ty: Option<Type>) -> (LocationId, Expr) {
        if let Some(Token::Number(n)) = self.peek() {
            let n = *n;
            self.at += 1;
            return (at, Expr::Int(n));
        }
        let name = self.word();
        if name == "null" {
            let Some(Type::Ptr(of)) = ty else { panic!("null without a sort") };
            return (at, Expr::Null(of));
        }
        let mut var = self.var(&name);
        while self.eat(".") {
            let field = self.word();
            let field = self.fields[&field];
            let to = self.temp(self.program.fields[field.index()].ty);
            at = self.then(at, Command::Load { to, from: var, field });
            var = to;
        }
        (at, Expr::Var(var))
    }
}
