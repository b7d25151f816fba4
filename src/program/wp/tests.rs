//! Conditions against the interpreter: random loop-free programs with assertions about everything the
//! annotation language has, on random small heaps. The first obligation that is false in the model of a heap must be
//! the one at which the interpreter fails, and everything known after it must be false.

mod all_heaps;
mod growth;
mod new_cells;

use super::conditions;
use crate::logic::eval::{Evaluator, eval};
use crate::logic::{Model, Op, TermId, Terms, Value as Element};
use crate::program::encode::{Encoder, Moment, status};
use crate::program::interp::{Chooser, End, Machine};
use crate::program::samples::{KEY, NEXT, NODE, PREV, Sample};
use crate::program::{
    At, BinOp, Binder, BoundId, CellId, Cmp, Command, Cond, Expr, FieldId, Formula, Program, Question, Set,
    State, Status, Storage, Term, Value, VarId, VarKind,
};
use crate::util::num::Int;
use crate::util::rng::Rng;

struct Draw {
    rng: Rng,
    pointers: Vec<VarId>,
    int: VarId,
    next_bound: u32,
    bound: Vec<BoundId>,
}

impl Draw {
    fn at(&mut self) -> At {
        if self.rng.one_in(4) { At::Entry } else { At::Now }
    }

    fn link(&mut self) -> FieldId {
        if self.rng.one_in(4) { PREV } else { NEXT }
    }

    fn pointer(&mut self) -> Term {
        if !self.bound.is_empty() && !self.rng.one_in(3) {
            return Term::Bound(*self.rng.pick(&self.bound));
        }
        match self.rng.below(6) {
            0 => Term::Null(NODE),
            1 => {
                let (field, at) = (self.link(), self.at());
                Term::Field(field, at, Box::new(self.pointer()))
            }
            _ => {
                let at = self.at();
                Term::Var(*self.rng.pick(&self.pointers), at)
            }
        }
    }

    fn int(&mut self) -> Term {
        match self.rng.below(4) {
            0 => Term::Int(self.rng.below(3) as i128),
            1 => Term::Var(self.int, At::Now),
            2 => {
                let at = self.at();
                Term::Field(KEY, at, Box::new(self.pointer()))
            }
            _ => Term::Binary(BinOp::Add, Box::new(self.int()), Box::new(Term::Int(1))),
        }
    }

    fn set(&mut self, depth: usize) -> Set {
        let field = self.link();
        let at = self.at();
        match self.rng.below(if depth == 0 { 3 } else { 6 }) {
            0 => Set::Cells(field, at, Box::new(self.pointer()), Box::new(self.pointer())),
            1 => Set::Of(vec![self.pointer(), self.pointer()]),
            2 if self.rng.one_in(2) => Set::Pre(field, at, Box::new(self.pointer())),
            2 => Set::Pre(KEY, at, Box::new(self.int())),
            3 => Set::Union(vec![self.set(depth - 1), self.set(depth - 1)]),
            4 => Set::Inter(vec![self.set(depth - 1), self.set(depth - 1)]),
            _ => Set::Diff(Box::new(self.set(depth - 1)), Box::new(self.set(depth - 1))),
        }
    }

    fn atom(&mut self) -> Formula {
        let (field, at) = (self.link(), self.at());
        match self.rng.below(18) {
            0 => Formula::Compare(Cmp::Le, self.int(), self.int()),
            1 | 2 => Formula::eq(self.pointer(), self.pointer()),
            3 | 4 => {
                let plus = self.rng.one_in(2);
                Formula::Reach { field, at, from: self.pointer(), to: self.pointer(), plus }
            }
            5 | 6 => Formula::Between(field, at, self.pointer(), self.pointer(), self.pointer()),
            7 => Formula::Valid(self.pointer(), at),
            8 => Formula::Freed(self.pointer(), at),
            9 => Formula::Fresh(self.pointer()),
            10 => Formula::Stable(field, at, self.pointer()),
            11 => Formula::Unshared(field, at, self.pointer(), self.pointer()),
            12 => Formula::Sorted(field, KEY, at, self.pointer(), self.pointer()),
            13 => Formula::Inverse(NEXT, PREV, at, self.pointer(), self.pointer()),
            14 => {
                let ends = [self.pointer(), self.pointer(), self.pointer(), self.pointer()];
                Formula::Dlseg(NEXT, PREV, at, Box::new(ends))
            }
            15 => Formula::In(self.pointer(), self.set(1)),
            16 => match self.rng.below(3) {
                0 => Formula::Subset(self.set(1), self.set(1)),
                1 => Formula::Disjoint(vec![self.set(1), self.set(0)]),
                _ => Formula::SameSet(self.set(1), self.set(1)),
            },
            _ => Formula::Const(self.rng.one_in(2)),
        }
    }

    fn formula(&mut self, depth: usize) -> Formula {
        if depth == 0 {
            return self.atom();
        }
        match self.rng.below(9) {
            0 => self.formula(depth - 1).negate(),
            1 => Formula::And(vec![self.formula(depth - 1), self.formula(depth - 1)]),
            2 => Formula::Or(vec![self.formula(depth - 1), self.formula(depth - 1)]),
            3 => Formula::Implies(Box::new(self.formula(depth - 1)), Box::new(self.formula(depth - 1))),
            4 => Formula::Iff(Box::new(self.formula(depth - 1)), Box::new(self.formula(depth - 1))),
            5..=7 if self.bound.len() < 2 => {
                let id = BoundId(self.next_bound);
                self.next_bound += 1;
                let universal = self.rng.one_in(2);
                let guard = match self.rng.below(4) {
                    0 => Formula::In(Term::Bound(id), self.set(1)),
                    1 => {
                        let (field, at) = (self.link(), self.at());
                        Formula::Between(field, at, self.pointer(), Term::Bound(id), self.pointer())
                    }
                    2 => {
                        let (field, at, plus) = (self.link(), self.at(), self.rng.one_in(2));
                        Formula::Reach { field, at, from: self.pointer(), to: Term::Bound(id), plus }
                    }
                    _ => Formula::Valid(Term::Bound(id), At::Now),
                };
                self.bound.push(id);
                let inner = self.formula(depth - 1);
                self.bound.pop();
                let binder = Binder { id, name: format!("u{}", id.0), of: Some(NODE) };
                if universal {
                    Formula::Forall(binder, Box::new(Formula::Implies(Box::new(guard), Box::new(inner))))
                } else {
                    Formula::Exists(binder, Box::new(Formula::And(vec![guard, inner])))
                }
            }
            _ => self.atom(),
        }
    }

    fn command(&mut self, sample: &mut Sample) {
        let (x, y) = (*self.rng.pick(&self.pointers), *self.rng.pick(&self.pointers));
        let field = self.link();
        let command = match self.rng.below(9) {
            0 => Command::Assign(x, Expr::Var(y)),
            1 => Command::Assign(x, Expr::Null(NODE)),
            2 | 3 => Command::Load { to: x, from: y, field },
            4 | 5 => Command::Store { to: x, field, value: Expr::Var(y) },
            6 => Command::Store { to: x, field: KEY, value: Expr::Int(self.rng.below(3) as i128) },
            7 => Command::Load { to: self.int, from: x, field: KEY },
            _ => Command::Free(x),
        };
        sample.then(command);
    }

    fn program(&mut self) -> Program {
        let mut sample = Sample::new("f");
        self.pointers = ["x", "y", "z"].map(|n| sample.pointer(n, VarKind::Param)).to_vec();
        self.int = sample.int("k", VarKind::Param);
        for _ in 0..self.rng.below(2) {
            self.command(&mut sample);
        }
        if self.rng.one_in(3) {
            let to = *self.rng.pick(&self.pointers);
            sample.then(Command::Alloc { to, of: NODE, storage: Storage::Heap, zeroed: true });
        }
        if self.rng.one_in(2) {
            let cond = Cond::eq(Expr::Var(self.pointers[0]), Expr::Var(self.pointers[1]));
            let (from, after) = (sample.here, sample.program.add_location());
            for branch in [cond.clone(), cond.negated()] {
                sample.here = from;
                sample.then(Command::Assume(branch));
                for _ in 0..self.rng.below(3) {
                    self.command(&mut sample);
                }
                let end = sample.here;
                sample.edge(end, after, Command::Skip);
            }
            sample.here = after;
        }
        for _ in 0..self.rng.below(2) {
            self.command(&mut sample);
        }
        for _ in 0..1 + self.rng.below(3) {
            let formula = self.formula(2);
            sample.assert(formula);
        }
        let mut program = sample.finish();
        program.bounds = self.next_bound;
        program
    }

    fn state(&mut self, program: &Program) -> State {
        let mut state = State::new(program);
        let n = self.rng.below(4);
        for _ in 0..n {
            let status = match self.rng.below(8) {
                0 => Status::Freed,
                1 => Status::Never,
                _ => Status::Heap,
            };
            state.add_cell(program, NODE, status);
        }
        let value = |rng: &mut Rng| match rng.below(n + 1) {
            0 => Value::Null,
            i => Value::Cell(CellId(i as u32 - 1)),
        };
        for i in 0..n {
            for field in [NEXT, PREV] {
                let target = value(&mut self.rng);
                state.set_field(CellId(i as u32), field, target);
            }
            state.set_field(CellId(i as u32), KEY, Value::Int(self.rng.below(3) as i128));
        }
        for v in self.pointers.clone() {
            state.vars[v.index()] = value(&mut self.rng);
        }
        state.vars[self.int.index()] = Value::Int(self.rng.below(3) as i128);
        state
    }
}

struct Never;

impl Chooser for Never {
    fn choose(&mut self, _: usize) -> Option<usize> {
        None
    }

    fn int(&mut self, _: crate::program::IntKind) -> Option<i128> {
        None
    }

    fn fills(&self) -> bool {
        false
    }
}

/// The model whose entry is the state, with room for cells that are allocated later: one after the other, or all in
/// the place of one if there is only one.
fn model(encoder: &Encoder<'_>, entry: &Moment, state: &State, allocates: u32) -> Model {
    let terms = &encoder.terms;
    let mut model = Model::new(terms);
    let sort = encoder.sort_of(NODE);
    let n = state.cells.len() as u32;
    // Quantifiers must see the same cells on both sides.
    let last = n + allocates;
    model.set_size(sort, last + 1);
    let element = |v: Value| match v {
        Value::Null => Element::Elem(0),
        Value::Cell(c) => Element::Elem(c.0 + 1),
        Value::Int(i) => Element::Int(Int::from(i)),
    };
    let constant = |model: &mut Model, term: TermId, value: Element| {
        let Op::App(func) = terms.op(term) else { panic!("a constant") };
        model.set(terms, func, &[], value);
    };
    constant(&mut model, encoder.null(NODE), Element::Elem(0));
    for (i, &term) in entry.vars.iter().enumerate() {
        let Some(version) = entry.arrays[i] else {
            constant(&mut model, term, element(state.vars[i]));
            continue;
        };
        constant(&mut model, term, Element::Int(Int::from(state.arrays[i].len() as i128)));
        let func = encoder.base(version).expect("entry arrays are symbols");
        for (k, &value) in state.arrays[i].iter().enumerate() {
            model.set(terms, func, &[Element::Int(Int::from(k as i128))], element(value));
        }
    }
    for (i, &version) in entry.fields.iter().enumerate() {
        let func = encoder.base(version).expect("entry fields are symbols");
        let field = FieldId(i as u32);
        for c in 0..=last {
            let of = if c == 0 { Value::Null } else { Value::Cell(CellId(c - 1)) };
            model.set(terms, func, &[Element::Elem(c)], element(state.field(of, field)));
        }
    }
    let func = encoder.base(entry.status[0]).expect("entry allocation is a symbol");
    for c in 0..=last {
        let value = match c {
            0 => status::NULL,
            _ => match state.status(CellId(c - 1)) {
                Status::Never => status::NEVER,
                Status::Heap => status::HEAP,
                Status::Freed => status::FREED,
                Status::Automatic => status::AUTOMATIC,
            },
        };
        model.set(terms, func, &[Element::Elem(c)], Element::Int(Int::from(value)));
    }
    // What a new cell holds must not be used: a pointer to a cell that was never allocated, if there is one.
    let stranger = state.cells.iter().position(|c| c.status == Status::Never).map_or(0, |i| i as u32 + 1);
    let mut new = n;
    for (func, declared) in terms.funcs() {
        if declared.name.starts_with("new@") {
            new = (new + 1).min(last);
            model.set(terms, func, &[], Element::Elem(new));
        } else if declared.name.starts_with("arbitrary@") && declared.result == sort {
            model.set(terms, func, &[], Element::Elem(stranger));
        } else if declared.name.starts_with("arbitrary@") {
            model.set(terms, func, &[], Element::Int(Int::from(0)));
        }
    }
    // Names of conditional values.
    for &fact in &encoder.facts {
        if terms.op(fact) != Op::Eq {
            continue;
        }
        let sides = terms.children(fact);
        for (name, meaning) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            if terms.op(meaning) == Op::Ite {
                let value = eval(terms, &model, meaning).expect("a value");
                constant(&mut model, name, value);
            }
        }
    }
    model
}

/// Compares the run from each state with the conditions; the number of failing and of complete ones.
fn compare(program: &Program, states: impl IntoIterator<Item = State>) -> (u32, u32) {
    let (mut failures, mut exits) = (0, 0);
    let question = Question::of_contract(0);
    let conditions = conditions(program, &question).expect("no loops, no unsupported formulas");
    let machine = Machine::new(program, &question);
    let is_alloc = |e: &&crate::program::Edge| matches!(e.command, Command::Alloc { .. });
    let allocates = program.edges.iter().filter(is_alloc).count() as u32;
    // On different ways only one of them happens.
    let straight = program.successors().iter().all(|edges| edges.len() <= 1);
    let allocates = if straight { allocates } else { allocates.min(1) };
    for state in states {
        let model = model(&conditions.encoder, &conditions.entry, &state, allocates);
        let mut evaluator = Evaluator::new(&conditions.encoder.terms, &model);
        let mut holds = |term: TermId| evaluator.holds(term).expect("a value");
        let mut run = machine.start(state.clone());
        let end = machine.run(&mut run, &mut Never, 1000);
        let broken = conditions.obligations.iter().find(|o| {
            let goal = o.goal.clone().expect("everything drawn is expressible");
            holds(o.path) && !holds(goal)
        });
        match (&end, broken) {
            (End::Failed(failure), Some(o)) => {
                failures += 1;
                assert_eq!(
                    (failure.check, failure.span),
                    (o.check, o.span),
                    "{program:?}\n{state:?}\n{end:?}"
                );
                // Later obligations know what was asserted, in the other shape.
                for later in conditions.obligations.iter().filter(|l| l.span.start > o.span.start) {
                    assert!(!holds(later.path), "{program:?}\n{state:?}\n{failure:?}");
                }
            }
            (End::Exit | End::Blocked, None) => exits += 1,
            (end, broken) => {
                panic!("{program:?}\n{state:?}\n{end:?}\n{:?}", broken.map(|o| (&o.what, o.span)))
            }
        }
    }
    (failures, exits)
}

/// Compares runs of random programs.
fn agree(seed: u64, programs: usize, states: usize) -> (u32, u32) {
    let rng = Rng::new(seed);
    let mut draw = Draw { rng, pointers: Vec::new(), int: VarId(0), next_bound: 0, bound: Vec::new() };
    let (mut failures, mut exits) = (0, 0);
    for _ in 0..programs {
        let program = draw.program();
        let states: Vec<State> = (0..states).map(|_| draw.state(&program)).collect();
        let (f, e) = compare(&program, states);
        failures += f;
        exits += e;
    }
    (failures, exits)
}

#[test]
fn conditions_agree_with_the_interpreter() {
    let (mut failures, mut exits) = (0, 0);
    for seed in 0..4 {
        let (f, e) = agree(seed, 20, 10);
        failures += f;
        exits += e;
    }
    assert!(failures > 100 && exits > 60, "{failures} failures, {exits} exits");
}

#[test]
fn terms_exist_for_the_smallest_program() {
    let program = Sample::new("f").finish();
    let question = Question::of_contract(0);
    let conditions = conditions(&program, &question).expect("nothing to refuse");
    assert!(conditions.obligations.is_empty());
    assert!(conditions.encoder.terms.len() > usize::from(Terms::TRUE != Terms::FALSE));
}
