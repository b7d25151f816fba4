//! The interpreter alone: for programs that leave nothing open, running them is deciding them.
//!
//! Nothing is open if the run starts from nothing (`main`), no command and no location asks for a choice, and
//! nothing uninitialised is read. The last two are noticed while it runs, so the attempt costs little.

use crate::program::initialised::uninitialised_read;
use crate::program::interp::{End, First, Machine, Nothing};
use crate::program::{Entry, Program, Question, State};
use crate::util::limits::{Budget, Limits, Stop};
use crate::verdict::{Author, Certificate, Counters, Outcome, Reason, Verdict};

/// Commands between two looks at the limits.
const SLICE: u64 = 1 << 16;
/// Bytes of cells if no limit is set: a run that allocates for ever ends here.
const MEMORY: u64 = 1 << 30;
/// What a cell takes beside its fields.
const CELL: usize = 64;
/// Steps of a trace that are kept.
const KEEP: usize = 2_000;

/// Runs the program. `Err` says why running it does not decide it.
pub fn run(program: &Program, question: &Question, limits: &Limits) -> Result<Outcome, String> {
    if program.begins != Entry::Main {
        return Err("the entry heap is arbitrary".to_owned());
    }
    let contract = program.contracts.get(question.contract);
    if contract.is_some_and(|c| !c.requires.is_empty()) {
        return Err("the entry is constrained".to_owned());
    }
    if let Some(v) = uninitialised_read(program, question) {
        return Err(format!("`{}` may be read before it is assigned", program.vars[v.index()].name));
    }
    let machine = Machine::new(program, question);
    let fields = program.structs.iter().map(|s| s.fields.len()).max().unwrap_or(0);
    let mut run = machine.start_strict(State::new(program));
    let memory = limits.memory.or(Some(MEMORY));
    let mut budget = Budget::new(&Limits { memory, ..limits.clone() });
    // A state that comes back comes back for ever. The one that later ones are compared with is renewed after
    // 1, 2, 4, .. slices, so that every period is found.
    let (mut kept, mut slices, mut renewed) = ((run.location, run.state.clone()), 0u64, 1u64);
    let end = loop {
        match machine.run(&mut run, &mut Nothing, SLICE) {
            End::Steps => {}
            end => break end,
        }
        if kept.0 == run.location && kept.1 == run.state {
            return Err(format!("the run repeats itself, after {} commands", run.steps));
        }
        slices += 1;
        if slices == renewed {
            kept = (run.location, run.state.clone());
            renewed *= 2;
        }
        budget.set_memory(
            (run.state.cells.len() * (CELL + fields * size_of::<crate::program::Value>())) as u64,
        );
        if let Err(stop) = budget.spend(SLICE).and_then(|()| budget.poll()) {
            return Ok(outcome(Verdict::Unknown(stopped(stop, run.steps))));
        }
    };
    match end {
        End::Exit | End::Halted | End::Blocked => Ok(outcome(Verdict::Verified(Certificate::Run))),
        End::Failed(_) => {
            let trace = machine.trace(&State::new(program), &mut First, run.steps + 1, KEEP);
            match trace {
                Some(trace) => Ok(outcome(Verdict::Violated(Box::new(trace)))),
                None => Err("the failing run could not be repeated".to_owned()),
            }
        }
        End::Outside(why) => Err(format!("the run leaves what is modelled: {why}")),
        End::Undecided(why) => Err(why.to_string()),
        End::Open(why) => Err(why.to_owned()),
        End::Steps => Err("the run was cut off".to_owned()),
    }
}

fn stopped(stop: Stop, steps: u64) -> Reason {
    Reason { message: format!("{stop} after {steps} commands of the run"), span: None }
}

fn outcome(verdict: Verdict) -> Outcome {
    Outcome { engine: Author::Interpreter, verdict, counters: Counters::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::samples::{KEY, NEXT, Sample, null};
    use crate::program::{At, BinOp, Cmp, Command, Cond, Expr, Formula, Term, VarKind};

    /// Builds a list of n cells with keys n..1, sums them up and compares.
    fn sum(n: i128, expected: i128) -> Program {
        let mut s = Sample::main();
        let (h, x) = (s.pointer("h", VarKind::Local), s.pointer("x", VarKind::Local));
        let (i, k, total) =
            (s.int("i", VarKind::Local), s.int("k", VarKind::Local), s.int("total", VarKind::Local));
        let plus = |a, b| Expr::Binary(BinOp::Add, Box::new(a), Box::new(b));
        s.assign(h, null()).assign(i, Expr::Int(0)).assign(total, Expr::Int(0));
        s.while_loop(Cond::Compare(Cmp::Lt, Expr::Var(i), Expr::Int(n)), vec![], |s| {
            s.assign(i, plus(Expr::Var(i), Expr::Int(1)));
            s.alloc(x).store(x, NEXT, Expr::Var(h)).store(x, KEY, Expr::Var(i)).copy(h, x);
        });
        s.while_loop(Cond::ne(Expr::Var(h), null()), vec![], |s| {
            s.load(k, h, KEY).assign(total, plus(Expr::Var(total), Expr::Var(k))).load(h, h, NEXT);
        });
        s.assert(Formula::eq(Term::Var(total, At::Now), Term::Int(expected)));
        s.finish()
    }

    #[test]
    fn a_run_that_repeats_itself_is_left_to_the_engines() {
        let mut s = Sample::main();
        let i = s.int("i", VarKind::Local);
        s.assign(i, Expr::Int(0));
        s.while_loop(Cond::Compare(Cmp::Lt, Expr::Var(i), Expr::Int(9)), vec![], |s| {
            s.assign(i, Expr::Binary(BinOp::Sub, Box::new(Expr::Int(1)), Box::new(Expr::Var(i))));
        });
        let why = run(&s.finish(), &Question::of_contract(0), &Limits::default()).expect_err("endless");
        assert!(why.starts_with("the run repeats itself"), "{why}");
    }

    #[test]
    fn running_decides() {
        let question = Question::of_contract(0);
        let verdict = |p: &Program| run(p, &question, &Limits::default()).map(|o| o.verdict);
        assert_eq!(verdict(&sum(100, 5050)), Ok(Verdict::Verified(Certificate::Run)));
        match verdict(&sum(100, 5051)) {
            Ok(Verdict::Violated(trace)) => assert_eq!(trace.failure.message, "assertion does not hold"),
            other => panic!("{other:?}"),
        }
        let mut input = sum(3, 6);
        let i = input.var_named("i").unwrap();
        input.edges[1].command = Command::Havoc(i);
        assert!(verdict(&input).is_err());
        let mut uninitialised = sum(3, 6);
        uninitialised.edges[1].command = Command::Skip;
        assert_eq!(verdict(&uninitialised), Err("`i` may be read before it is assigned".to_owned()));
        let steps = Limits { steps: Some(1000), ..Limits::default() };
        assert!(matches!(
            run(&sum(i128::from(i32::MAX), 0), &question, &steps).map(|o| o.verdict),
            Ok(Verdict::Unknown(_))
        ));
    }
}
