//! How many commands the interpreter executes per second: building, walking and reversing lists.

use catena::program::interp::{End, Machine, Nothing};
use catena::program::samples::{KEY, NEXT, Sample, null};
use catena::program::{BinOp, Cmp, Cond, Expr, Program, Question, State, VarKind};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Builds a list of `n` cells, then sums up its keys `rounds` times.
fn build_and_walk(n: i128, rounds: i128) -> Program {
    let mut s = Sample::main();
    let (h, x) = (s.pointer("h", VarKind::Local), s.pointer("x", VarKind::Local));
    let (i, k, total) =
        (s.int("i", VarKind::Local), s.int("k", VarKind::Local), s.int("total", VarKind::Local));
    let plus = |a, b| Expr::Binary(BinOp::Add, Box::new(a), Box::new(b));
    s.assign(h, null()).assign(i, Expr::Int(0));
    s.while_loop(Cond::Compare(Cmp::Lt, Expr::Var(i), Expr::Int(n)), vec![], |s| {
        s.assign(i, plus(Expr::Var(i), Expr::Int(1)));
        s.alloc(x).store(x, NEXT, Expr::Var(h)).store(x, KEY, Expr::Int(1)).copy(h, x);
    });
    s.assign(i, Expr::Int(0));
    s.while_loop(Cond::Compare(Cmp::Lt, Expr::Var(i), Expr::Int(rounds)), vec![], |s| {
        s.assign(i, plus(Expr::Var(i), Expr::Int(1))).copy(x, h).assign(total, Expr::Int(0));
        s.while_loop(Cond::ne(Expr::Var(x), null()), vec![], |s| {
            s.load(k, x, KEY).assign(total, plus(Expr::Var(total), Expr::Var(k))).load(x, x, NEXT);
        });
    });
    s.finish()
}

fn commands(c: &mut Criterion) {
    let mut group = c.benchmark_group("interp");
    for (name, program) in [("build", build_and_walk(100_000, 1)), ("walk", build_and_walk(1_000, 500))] {
        let question = Question::of_contract(0);
        let machine = Machine::new(&program, &question);
        let run = || {
            let mut run = machine.start_strict(State::new(&program));
            assert_eq!(machine.run(&mut run, &mut Nothing, u64::MAX), End::Exit);
            run.steps
        };
        group.throughput(Throughput::Elements(run()));
        group.bench_function(name, |b| b.iter(run));
    }
    group.finish();
}

criterion_group!(benches, commands);
criterion_main!(benches);
