//! The gate passes what is built in and catches what is broken.

use crate::rules::agree::compare;
use crate::rules::check::{Outcome, TheoryReport, check, unrealised};
use crate::rules::codegen;
use crate::rules::parse::parse;
use crate::rules::syntax::{Arg, Head, Heaps, Pattern, Rule, Span, Theory};
use crate::rules::table::{SOURCES, table};
use crate::util::rng::Rng;

#[test]
fn built_in_rules_pass() {
    for theory in table().theories() {
        let report = check(theory);
        assert!(report.passed(), "{report}");
    }
}

/// The numbers of ERRATA, and for acyclic heaps the labelled rooted forests.
#[test]
fn closed_contexts_are_counted() {
    let count = |name: &str, terms: usize, noted: bool| {
        let theory = table().theory(name).unwrap();
        let rules: Vec<&Rule> = theory.rules.iter().filter(|r| noted || r.note.is_none()).collect();
        let mut contexts = Vec::new();
        assert_eq!(unrealised(theory, &rules, terms, &mut contexts), None);
        contexts
    };
    assert_eq!(count("lisbq", 4, true), [2, 16, 216, 4096]);
    assert_eq!(count("lisbq", 3, false), [2, 16, 216]);
    assert_eq!(count("acyclic", 3, false), [1, 3, 16]);
}

/// The built-in file of a theory with one line replaced.
fn broken(name: &str, line: &str, replacement: &str) -> TheoryReport {
    let (file, text) = SOURCES.iter().find(|(file, _)| file.contains(name)).unwrap();
    let start = text.find(line).unwrap_or_else(|| panic!("{file} has no line {line}"));
    let end = start + text[start..].find('\n').unwrap();
    let text = format!("{}{replacement}{}", &text[..start], &text[end..]);
    check(&parse(file, &text).unwrap_or_else(|errors| panic!("{}", errors[0])))
}

fn counterexample(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Fail(text) => text,
        Outcome::Pass(what) => panic!("passed: {what}"),
    }
}

fn unsound(report: &TheoryReport) -> (&str, &str) {
    let rule = report.rules.iter().find(|r| !r.sound.passed()).expect("some rule is unsound");
    (&rule.name, counterexample(&rule.sound))
}

#[test]
fn unsound_rules_are_caught() {
    let report = broken("lisbq", "rule sandwich:", "rule sandwich: x -> y, y -> x => x = y");
    let heap = "false in the heap f(c0) = c1, f(c1) = c0 at x = c0, y = c1";
    assert_eq!(unsound(&report), ("sandwich", heap));

    let swapped = "rule transitive2: x -> y -> z, y -> w -> z => x -> w -> y, x -> z -> w";
    assert_eq!(unsound(&broken("lisbq", "rule transitive2:", swapped)).0, "transitive2");
    let extra = "rule extra: x -> y, z -> y => x -> z | z -> x\nrule prefix: x -> y => x -> x -> y";
    assert_eq!(unsound(&broken("lisbq", "rule prefix:", extra)).0, "extra");
    let antisymmetric = "rule cycle: x -> y, y -> x => x = y";
    assert_eq!(unsound(&broken("lisbq", "rule cycle:", antisymmetric)).0, "cycle");
    let up = "rule last: x -> null => x = null";
    assert_eq!(unsound(&broken("acyclic", "rule last:", up)).0, "last");
    // Linear order the other way round: cells that share a successor need not reach one another.
    let linear = "rule linear: y -> x, z -> x => y -> z | z -> y";
    assert_eq!(unsound(&broken("acyclic", "rule linear:", linear)).0, "linear");
}

#[test]
fn missing_and_weak_rules_are_caught() {
    for theory in table().theories() {
        for rule in theory.rules.iter().filter(|rule| rule.note.is_none()) {
            let mut rest = theory.clone();
            rest.rules.retain(|other| other.name != rule.name);
            let report = check(&rest);
            let text = counterexample(&report.complete);
            assert!(text.starts_with("closed but not realised: points c0"), "{}: {text}", rule.name);
            assert!(report.rules.iter().all(|r| r.sound.passed()));
        }
    }
    let half = broken("lisbq", "rule order2:", "rule order2: x -> y -> _z => x -> y");
    assert!(!half.complete.passed());
}

#[test]
fn superfluous_rules_need_a_note() {
    let far = "rule far: x -> y, y -> z, z -> w => x -> w";
    for (note, passes) in [("", false), (" note \"for the test\"", true)] {
        let text = format!("{far}{note}\nrule ends: x -> _y -> z => x -> z");
        let report = broken("lisbq", "rule ends:", &text);
        assert_eq!(report.passed(), passes, "{report}");
        let rule = report.rules.iter().find(|r| r.name == "far").unwrap();
        assert_eq!(rule.minimal.passed(), passes);
    }
}

#[test]
fn matchers_agree_on_more_contexts() {
    for theory in table().theories() {
        for seed in 0..5 {
            compare(theory, seed, 300).unwrap_or_else(|difference| panic!("{}: {difference}", theory.name));
        }
    }
}

/// The compiler has to be right about any rules, sound or not: random theories, run by their plans.
#[test]
fn plans_of_random_rules_agree() {
    let mut rng = Rng::new(7);
    for round in 0..400 {
        let theory = random_theory(&mut rng);
        compare(&theory, round, 12).unwrap_or_else(|difference| panic!("{theory}\n{difference}"));
        let again = parse("random", &theory.to_string()).unwrap_or_else(|e| panic!("{theory}\n{}", e[0]));
        assert_eq!(again.to_string(), theory.to_string());
        assert!(codegen::module(&again, 0).contains("pub fn sweep"));
    }
}

fn random_theory(rng: &mut Rng) -> Theory {
    let mut rules = Vec::new();
    for number in 0..1 + rng.below(5) {
        // Small theories made of unary rules and axioms are where a wrong skip would show.
        let premises: Vec<Pattern> = (0..1 + rng.below(3)).map(|_| random_premise(rng)).collect();
        let rule = Rule {
            name: format!("r{number}"),
            variables: Vec::new(),
            premises,
            alternatives: Vec::new(),
            note: None,
            span: Span::default(),
        };
        rules.push(close(rule, rng));
    }
    Theory { name: "lisbq".into(), heaps: Heaps::Functional, null: true, rules }
}

fn random_premise(rng: &mut Rng) -> Pattern {
    let x = rng.below(3) as u8;
    let arg = |rng: &mut Rng| match rng.below(12) {
        0 => Arg::Null,
        1 => Arg::App(rng.below(3) as u8),
        _ => Arg::Var(rng.below(3) as u8),
    };
    match rng.below(8) {
        0 => Pattern::Occurs(x),
        1 => Pattern::Term(x),
        2 => Pattern::Equal(Arg::App(x), arg(rng)),
        _ => {
            let (p, q) = (arg(rng), arg(rng));
            Pattern::Between(p, q, if rng.one_in(2) { q } else { arg(rng) })
        }
    }
}

/// Numbers the variables in the order of the premises and adds conclusions over what they mention.
fn close(mut rule: Rule, rng: &mut Rng) -> Rule {
    let mut order: Vec<u8> = Vec::new();
    for arg in rule.premise_args().collect::<Vec<_>>() {
        if let Arg::Var(x) | Arg::App(x) = arg
            && !order.contains(&x)
        {
            order.push(x);
        }
    }
    let number = |x: u8| order.iter().position(|y| *y == x).unwrap() as u8;
    let rename = |arg: Arg| match arg {
        Arg::Var(x) => Arg::Var(number(x)),
        Arg::App(x) => Arg::App(number(x)),
        Arg::Null => Arg::Null,
    };
    for premise in &mut rule.premises {
        *premise = match *premise {
            Pattern::Occurs(x) => Pattern::Occurs(number(x)),
            Pattern::Term(x) => Pattern::Term(number(x)),
            Pattern::Between(p, q, r) => Pattern::Between(rename(p), rename(q), rename(r)),
            Pattern::Equal(p, q) => Pattern::Equal(rename(p), rename(q)),
        };
    }
    // A leading underscore: the variable may be used only once.
    rule.variables = (0..order.len()).map(|i| format!("_v{i}")).collect();
    let mut args: Vec<Arg> = rule.premise_args().collect();
    args.extend((0..order.len() as u8).map(Arg::Var));
    args.push(Arg::Null);
    let head = |rng: &mut Rng| {
        let [p, q, r] = [0; 3].map(|_| *rng.pick(&args));
        match rng.below(6) {
            0 => Head::Equal(p, q),
            1 | 2 => Head::Between(p, q, q),
            _ => Head::Between(p, q, r),
        }
    };
    for _ in 0..if rng.one_in(3) { 2 } else { 1 } {
        let heads = (0..1 + rng.below(2)).map(|_| head(rng)).collect();
        rule.alternatives.push(heads);
    }
    rule
}
