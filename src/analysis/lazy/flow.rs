//! Which integer variables and fields exchange values: groups connected by copies, loads and stores. A variable that is
//! set to constants only belongs to what it is compared with: it stands for them (a parameter that says what to look for).

use super::shape::Range;
use crate::program::{Command, Cond, Expr, FieldId, Program, Type, VarId};

/// Groups of integer variables and fields.
#[derive(Clone, Debug)]
pub struct Flows {
    /// Variables first, then fields.
    root: Vec<usize>,
    vars: usize,
    is_int: Vec<bool>,
}

impl Flows {
    /// The groups of a program.
    #[must_use]
    pub fn of_program(program: &Program) -> Flows {
        let types = program.vars.iter().map(|v| v.ty).chain(program.fields.iter().map(|f| f.ty));
        let is_int: Vec<bool> = types.map(|ty| matches!(ty, Type::Int(_))).collect();
        let vars = program.vars.len();
        let mut flows = Flows { root: (0..is_int.len()).collect(), vars, is_int };
        for edge in &program.edges {
            match &edge.command {
                Command::Assign(x, Expr::Var(y)) => flows.join(x.index(), y.index()),
                Command::Load { to, field, .. } => flows.join(to.index(), vars + field.index()),
                Command::Store { field, value: Expr::Var(y), .. } => {
                    flows.join(vars + field.index(), y.index())
                }
                _ => {}
            }
        }
        for edge in &program.edges {
            if let Command::Assume(cond) = &edge.command {
                flows.join_compared(program, cond);
            }
        }
        flows
    }

    fn join_compared(&mut self, program: &Program, cond: &Cond) {
        match cond {
            Cond::Const(_) => {}
            Cond::Not(inner) => self.join_compared(program, inner),
            Cond::And(parts) | Cond::Or(parts) => parts.iter().for_each(|p| self.join_compared(program, p)),
            Cond::Compare(_, Expr::Var(x), Expr::Var(y)) => {
                if [x, y].into_iter().any(|&v| holds_constants(program, v)) {
                    self.join(x.index(), y.index());
                }
            }
            Cond::Compare(..) => {}
        }
    }

    fn find(&self, mut i: usize) -> usize {
        while self.root[i] != i {
            i = self.root[i];
        }
        i
    }

    fn join(&mut self, a: usize, b: usize) {
        if self.is_int[a] && self.is_int[b] {
            let (a, b) = (self.find(a), self.find(b));
            self.root[a.max(b)] = a.min(b);
        }
    }

    fn fields_of(&self, member: usize) -> impl Iterator<Item = FieldId> + '_ {
        let root = self.find(member);
        let fields = self.vars..self.root.len();
        let same = move |&i: &usize| self.is_int[i] && self.find(i) == root;
        fields.filter(same).map(|i| FieldId((i - self.vars) as u32))
    }

    /// The fields that values of the variable come from or go to.
    pub fn fields_of_var(&self, v: VarId) -> impl Iterator<Item = FieldId> + '_ {
        self.fields_of(v.index())
    }

    /// The fields that exchange values with the field, itself among them.
    pub fn fields_of_field(&self, f: FieldId) -> impl Iterator<Item = FieldId> + '_ {
        self.fields_of(self.vars + f.index())
    }

    /// The ranges that matter for each variable, given tests of fields.
    #[must_use]
    pub fn constants(&self, tests: &[(FieldId, Range)]) -> Vec<(VarId, Vec<Range>)> {
        let mut out = Vec::new();
        if tests.is_empty() {
            return out;
        }
        for v in (0..self.vars).filter(|v| self.is_int[*v]) {
            let fields: Vec<FieldId> = self.fields_of(v).collect();
            let mut all: Vec<Range> = tests.iter().filter(|t| fields.contains(&t.0)).map(|t| t.1).collect();
            all.sort_unstable();
            all.dedup();
            if !all.is_empty() {
                out.push((VarId(v as u32), all));
            }
        }
        out
    }
}

/// Whether all that is written to a variable is constants.
fn holds_constants(program: &Program, v: VarId) -> bool {
    let mut set = false;
    program.edges.iter().all(|edge| match &edge.command {
        Command::Assign(x, e) if *x == v => {
            set = true;
            matches!(e, Expr::Int(_))
        }
        Command::Load { to, .. } | Command::LoadElement { to, .. } => *to != v,
        Command::Havoc(x) => *x != v,
        _ => true,
    }) && set
}
