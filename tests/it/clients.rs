//! Existing clients drive the program: what they send and how they read answers is theirs.

use rsmt2::parse::{IdentParser, ModelParser, ValueParser};
use rsmt2::{SmtConf, SmtRes, Solver};

const CATENA: &str = env!("CARGO_BIN_EXE_catena");

#[test]
fn easy_smt() {
    use easy_smt::Response;
    let mut ctx = easy_smt::ContextBuilder::new()
        .solver(CATENA)
        .solver_args(["solve", "--check", "-"])
        .build()
        .expect("it starts");
    ctx.set_option(":produce-unsat-cores", ctx.true_()).expect("an option that is known");
    let int = ctx.int_sort();
    let x = ctx.declare_const("x", int).expect("declared");
    let y = ctx.declare_const("y", int).expect("declared");
    let below = ctx.lt(x, y);
    ctx.assert(below).expect("asserted");
    assert_eq!(ctx.check().expect("an answer"), Response::Sat);
    let values = ctx.get_value(vec![x, y]).expect("values");
    let number = |text: String| -> i64 {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let value: i64 = digits.parse().expect("a number");
        if text.contains('-') { -value } else { value }
    };
    let shown: Vec<i64> = values.iter().map(|(_, v)| number(ctx.display(*v).to_string())).collect();
    assert!(shown[0] < shown[1], "{shown:?}");
    // Without a numeral.
    ctx.push().expect("pushed");
    let above = ctx.lt(y, x);
    let named = ctx.named("above", above);
    ctx.assert(named).expect("asserted");
    assert_eq!(ctx.check().expect("an answer"), Response::Unsat);
    let core = ctx.get_unsat_core().expect("a core");
    assert_eq!(ctx.display(core).to_string(), "(above)");
    ctx.pop().expect("popped");
    let p = ctx.declare_const("p", ctx.bool_sort()).expect("declared");
    let implied = ctx.imp(p, above);
    ctx.assert(implied).expect("asserted");
    assert_eq!(ctx.check_assuming([p]).expect("an answer"), Response::Unsat);
    assert_eq!(ctx.check().expect("an answer"), Response::Sat);
    // The reachability dialect through a client that knows nothing of it.
    let cell = ctx.atom("Cell");
    ctx.declare_sort("Cell", 0).expect("declared");
    let next = ctx.declare_fun("next", vec![cell], cell).expect("declared");
    let a = ctx.declare_const("a", cell).expect("declared");
    let b = ctx.declare_const("b", cell).expect("declared");
    let reach = ctx.list(vec![ctx.atom("_"), ctx.atom("reach"), next]);
    let there = ctx.list(vec![reach, a, b]);
    let back = ctx.list(vec![reach, b, a]);
    let stays = ctx.eq(ctx.list(vec![next, a]), a);
    let apart = ctx.distinct(a, b);
    for formula in [there, apart, stays] {
        ctx.assert(formula).expect("asserted");
    }
    assert_eq!(ctx.check().expect("an answer"), Response::Unsat);
    assert!(ctx.assert(ctx.atom("nobody")).is_err(), "an undeclared symbol is an error");
    assert!(ctx.assert(back).is_ok(), "and the dialogue goes on");
    assert_eq!(ctx.check().expect("an answer"), Response::Unsat);
}

/// Takes everything as text.
#[derive(Clone, Copy)]
struct Texts;

impl<'a> IdentParser<String, String, &'a str> for Texts {
    fn parse_ident(self, input: &'a str) -> SmtRes<String> {
        Ok(input.to_owned())
    }
    fn parse_type(self, input: &'a str) -> SmtRes<String> {
        Ok(input.to_owned())
    }
}

impl<'a> ModelParser<String, String, String, &'a str> for Texts {
    fn parse_value(self, input: &'a str, _: &String, _: &[(String, String)], _: &String) -> SmtRes<String> {
        Ok(input.to_owned())
    }
}

impl<'a> ValueParser<String, &'a str> for Texts {
    fn parse_value(self, input: &'a str) -> SmtRes<String> {
        Ok(input.to_owned())
    }
}

impl<'a> rsmt2::parse::ExprParser<String, (), &'a str> for Texts {
    fn parse_expr(self, input: &'a str, (): ()) -> SmtRes<String> {
        Ok(input.to_owned())
    }
}

#[test]
fn rsmt2_as_if_it_were_z3() {
    let mut conf = SmtConf::z3(CATENA);
    conf.models();
    conf.unsat_cores();
    let mut solver: Solver<Texts> = conf.spawn(Texts).expect("it starts with -in -smt2");
    drive(&mut solver).unwrap_or_else(|error| panic!("{error}"));
}

fn drive(solver: &mut Solver<Texts>) -> SmtRes<()> {
    solver.declare_const("n", "Int")?;
    solver.declare_fun("f", ["Int"], "Int")?;
    solver.assert("(and\n  (> n 2)\n  (= (f n) 7))")?;
    assert!(solver.check_sat()?);
    let model = solver.get_model()?;
    let names: Vec<&str> = model.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, ["n", "f"]);
    let values = solver.get_values(["(f n)", "(> n 2)"])?;
    assert_eq!(values, [("(f n)".to_owned(), "7".to_owned()), ("(> n 2)".to_owned(), "true".to_owned())]);
    solver.push(1)?;
    solver.assert("(< n 0)")?;
    assert!(!solver.check_sat()?);
    solver.pop(1)?;
    assert!(solver.check_sat()?);
    solver.reset()?;
    solver.declare_const("n", "Bool")?;
    solver.assert("n")?;
    assert!(solver.check_sat()?);
    solver.kill()
}
