//! Variables that hold null or cells of the entry, wherever a walk has led them.
//!
//! Parameters, globals and everything reached from them are null or allocated at the entry (DESIGN 6, decision 1); the
//! conditions have a closed set of such cells. A variable that was loaded from one of them through a field which still
//! leads from such cells to such cells holds one too, however many steps a loop has taken: through trees, lists
//! of lists, anything. No formula of the annotations says so, and no inference is needed: it follows from
//! the commands alone. A field is no longer closed where something else may have been stored in it.

use super::{Done, Walk};
use crate::program::wp::Symbolic;
use crate::program::wp::effect::Effect;
use crate::program::{Command, Expr, FieldId, LocationId, Program, Target, Type, VarId, VarKind};

/// By location: what is given there; nothing for locations that no path leads to.
pub(super) struct Given(Vec<Option<Here>>);

#[derive(Clone, PartialEq, Eq)]
struct Here {
    /// By variable: it holds null or a cell of the entry.
    vars: Vec<bool>,
    /// By field: it leads from cells of the entry to null or cells of the entry.
    closed: Vec<bool>,
}

impl Given {
    pub(super) fn of(program: &Program) -> Given {
        let is_root = |kind| matches!(kind, VarKind::Param | VarKind::Global);
        let vars = program.vars.iter().map(|v| is_root(v.kind) && matches!(v.ty, Type::Ptr(_))).collect();
        let start = Here { vars, closed: vec![true; program.fields.len()] };
        let mut given: Vec<Option<Here>> = vec![None; program.locations as usize];
        given[program.entry.index()] = Some(start);
        let successors = program.successors();
        let mut work = vec![program.entry];
        while let Some(location) = work.pop() {
            let Some(before) = given[location.index()].clone() else { continue };
            for edge in &successors[location.index()] {
                let edge = &program.edges[edge.index()];
                let mut after = before.clone();
                after.step(program, &edge.command);
                let to = &mut given[edge.to.index()];
                let met = match &to {
                    None => after,
                    Some(old) => old.meet(&after),
                };
                if to.as_ref() != Some(&met) {
                    *to = Some(met);
                    work.push(edge.to);
                }
            }
        }
        Given(given)
    }

    /// Whether a variable holds null or a cell of the entry wherever a run comes to the location.
    pub(super) fn holds(&self, location: LocationId, var: VarId) -> bool {
        self.0[location.index()].as_ref().is_some_and(|here| here.vars[var.index()])
    }
}

impl Here {
    fn meet(&self, other: &Here) -> Here {
        let both = |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| *a && *b).collect();
        Here { vars: both(&self.vars, &other.vars), closed: both(&self.closed, &other.closed) }
    }

    fn value(&self, value: &Expr) -> bool {
        match value {
            Expr::Null(_) => true,
            Expr::Var(x) => self.vars[x.index()],
            _ => false,
        }
    }

    fn step(&mut self, program: &Program, command: &Command) {
        match command {
            Command::Assign(x, value) => self.vars[x.index()] = self.value(value),
            Command::Load { to, from, field } => {
                self.vars[to.index()] = self.vars[from.index()] && self.closed[field.index()];
            }
            Command::Store { field, value, .. } => self.closed[field.index()] &= self.value(value),
            Command::LoadElement { to, .. } | Command::Alloc { to, .. } | Command::Havoc(to) => {
                self.vars[to.index()] = false;
            }
            Command::Scramble { targets, .. } => targets.iter().for_each(|t| self.change(program, t)),
            Command::Skip
            | Command::StoreElement { .. }
            | Command::Free(_)
            | Command::Release(_)
            | Command::Assume(_)
            | Command::Suppose(_)
            | Command::Assert { .. }
            | Command::Fail { .. }
            | Command::Snapshot(_) => {}
        }
    }

    /// A call may have changed this.
    fn change(&mut self, program: &Program, target: &Target) {
        match target {
            Target::Var(x) => self.vars[x.index()] = false,
            Target::Field(_, f) | Target::Fields(_, f) => self.closed[f.index()] = false,
            Target::Range(..) => {}
            Target::Everything => {
                self.closed.fill(false);
                for (given, var) in self.vars.iter_mut().zip(&program.vars) {
                    *given &= var.kind != VarKind::Global;
                }
            }
        }
    }
}

impl Walk<'_> {
    /// At the head of a loop, whose effect was forgotten: what is known of variables that hold cells of the entry.
    pub(super) fn keep_given(&mut self, state: &mut Symbolic, at: LocationId, effect: &Effect) -> Done {
        if self.live.is_empty() {
            return Ok(());
        }
        for &x in &effect.vars {
            if !self.given.holds(at, x) {
                continue;
            }
            let Type::Ptr(of) = self.program.vars[x.index()].ty else { continue };
            let value = state.now.vars[x.index()];
            let fact = self.null_or_live(of, value)?;
            state.assume(&mut self.encoder, &mut self.paths, fact)?;
            // Where cells are reached along one field only, the set of the entry is known by its paths.
            if let Some(FieldId(f)) = self.only_link(of)
                && let version = self.entry.fields[f as usize]
                && state.now.fields[f as usize] == version
            {
                let u = self.encoder.terms.variable("u", self.encoder.sort_of(of))?;
                let (reached, ok) = (self.encoder.reach(version, value, u)?, self.null_or_live(of, u)?);
                let not_reached = self.encoder.terms.not(reached)?;
                let body = self.encoder.terms.or(&[not_reached, ok])?;
                let fact = self.encoder.terms.forall(&[u], body)?;
                state.assume(&mut self.encoder, &mut self.paths, fact)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::interp::{End, Machine, Random};
    use crate::program::samples::{NEXT, NODE, PREV, Sample};
    use crate::program::{CellId, Cond, Question, State, Status, Storage, Value};
    use crate::util::rng::Rng;

    /// Random programs with a loop, on random heaps: what is given at the exit holds in every run that ends.
    #[test]
    fn what_is_given_holds_in_every_run() {
        let (mut n_given, mut n_other) = (0, 0);
        for seed in 0..3_000 {
            let mut rng = Rng::new(seed);
            let mut sample = Sample::new("f");
            let kinds = [VarKind::Param, VarKind::Param, VarKind::Local];
            let vars: Vec<VarId> =
                kinds.iter().zip(["x", "y", "z"]).map(|(k, name)| sample.pointer(name, *k)).collect();
            sample.then(Command::Assign(vars[2], Expr::Null(NODE)));
            let n = 1 + rng.below(3);
            commands(&mut rng, &mut sample, &vars, n);
            let head = sample.here;
            let nothing = Cond::Const(true);
            let (left, again) = (sample.program.add_location(), rng.below(4));
            sample.edge(head, left, Command::Assume(nothing.clone()));
            sample.then(Command::Assume(nothing));
            commands(&mut rng, &mut sample, &vars, again);
            let end = sample.here;
            sample.edge(end, head, Command::Skip);
            sample.here = left;
            let n = rng.below(3);
            commands(&mut rng, &mut sample, &vars, n);
            let program = sample.finish();
            let given = Given::of(&program);
            let state = entry(&mut rng, &program, &vars);
            let roots: Vec<Value> = vars[..2].iter().map(|v| state.vars[v.index()]).collect();
            let live = reached(&state, roots);
            let machine = Machine::new(&program, &Question::of_contract(0));
            let mut run = machine.start(state);
            if !matches!(machine.run(&mut run, &mut Random::new(seed, vec![0, 1]), 200), End::Exit) {
                continue;
            }
            for &v in &vars {
                let value = run.state.vars[v.index()];
                let inside = value == Value::Null || live.contains(&value);
                if given.holds(program.exit, v) {
                    assert!(inside, "seed {seed}: {value:?}");
                    n_given += usize::from(value != Value::Null);
                } else {
                    n_other += usize::from(!inside);
                }
            }
        }
        assert!(n_given > 300 && n_other > 100, "{n_given} {n_other}");
    }

    fn commands(rng: &mut Rng, sample: &mut Sample, vars: &[VarId], n: usize) {
        for _ in 0..n {
            let (x, y) = (*rng.pick(vars), *rng.pick(vars));
            let field = if rng.one_in(2) { NEXT } else { PREV };
            sample.then(match rng.below(8) {
                0 => Command::Assign(x, Expr::Var(y)),
                1 => Command::Alloc { to: x, of: NODE, storage: Storage::Heap, zeroed: true },
                2 => Command::Store { to: x, field, value: Expr::Var(y) },
                _ => Command::Load { to: x, from: y, field },
            });
        }
    }

    fn entry(rng: &mut Rng, program: &Program, vars: &[VarId]) -> State {
        let mut state = State::new(program);
        for _ in 0..4 {
            state.add_cell(program, NODE, Status::Heap);
        }
        for i in 0..4 {
            for field in [NEXT, PREV] {
                state.set_field(CellId(i), field, Value::Cell(CellId(rng.below(4) as u32)));
            }
        }
        for v in &vars[..2] {
            state.vars[v.index()] = Value::Cell(CellId(rng.below(4) as u32));
        }
        state
    }

    fn reached(state: &State, mut open: Vec<Value>) -> Vec<Value> {
        let mut all = Vec::new();
        while let Some(value) = open.pop() {
            if value != Value::Null && !all.contains(&value) {
                all.push(value);
                open.extend([NEXT, PREV].map(|f| state.field(value, f)));
            }
        }
        all
    }
}
