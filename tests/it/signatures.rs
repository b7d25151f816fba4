//! Sorts with parameters and names with several signatures: a script that uses them means what the same script
//! means with a name of its own for each sort and each signature.

use crate::solve::talk;
use catena::util::rng::Rng;
use std::fmt::Write as _;

/// A script in both spellings.
#[derive(Default)]
struct Twin {
    shared: String,
    plain: String,
}

impl Twin {
    fn say(&mut self, shared: &str, plain: &str) {
        let _ = writeln!(self.shared, "{shared}");
        let _ = writeln!(self.plain, "{plain}");
    }
}

/// A sort: its text with parameters, a name that stands for it, whether it is one of the constructors'.
#[derive(Clone)]
struct Sort {
    shared: String,
    plain: String,
}

/// A symbol: its name, the sorts of its arguments and of its value as places in the list of sorts.
struct Symbol {
    name: String,
    args: Vec<usize>,
    result: usize,
}

fn random(seed: u64) -> Twin {
    let mut rng = Rng::new(seed);
    let mut twin = Twin::default();
    for line in ["(declare-sort L 1)", "(declare-sort P 2)", "(define-sort Flip (X Y) (P Y X))"] {
        twin.say(line, "");
    }
    twin.say("(define-sort Deep (X) (L (Flip X (L X))))", "");
    twin.say("(declare-sort U 0)", "(declare-sort U 0)");
    let base = |name: &str| Sort { shared: name.to_owned(), plain: name.to_owned() };
    let mut sorts = vec![base("U"), base("Int"), base("Bool")];
    for i in 0..2 + rng.below(3) {
        let (a, b) = (rng.pick(&sorts).shared.clone(), rng.pick(&sorts).shared.clone());
        let shared = match rng.below(4) {
            0 => format!("(L {a})"),
            1 => format!("(P {a} {b})"),
            2 => format!("(Flip {a} {b})"),
            _ => format!("(Deep {a})"),
        };
        // Two spellings of one sort, as (Flip a b) and (P b a), are one: written out, they are one text.
        let written = written_out(&shared);
        let known = sorts.iter().find(|sort| written_out(&sort.shared) == written).map(|s| s.plain.clone());
        let plain = known.unwrap_or_else(|| {
            twin.say("", &format!("(declare-sort S{i} 0)"));
            format!("S{i}")
        });
        sorts.push(Sort { shared, plain });
    }
    // Few names, so that most are shared.
    let mut symbols: Vec<Symbol> = Vec::new();
    for _ in 0..12 {
        let name = format!("f{}", rng.below(4));
        let args: Vec<usize> = (0..rng.below(3)).map(|_| rng.below(sorts.len())).collect();
        let result = rng.below(sorts.len());
        let plain_of = |places: &[usize]| places.iter().map(|&p| sorts[p].plain.clone()).collect::<Vec<_>>();
        let clash = |s: &Symbol| s.name == name && plain_of(&s.args) == plain_of(&args);
        if symbols.iter().any(clash) {
            continue;
        }
        let shared_args: Vec<&str> = args.iter().map(|&p| sorts[p].shared.as_str()).collect();
        twin.say(
            &format!("(declare-fun {name} ({}) {})", shared_args.join(" "), sorts[result].shared),
            &format!(
                "(declare-fun {name}_{} ({}) {})",
                symbols.len(),
                plain_of(&args).join(" "),
                sorts[result].plain
            ),
        );
        symbols.push(Symbol { name, args, result });
    }
    for _ in 0..3 + rng.below(6) {
        let sort = rng.below(sorts.len());
        let terms = (term(&mut rng, &sorts, &symbols, sort, 2), term(&mut rng, &sorts, &symbols, sort, 2));
        let (Some(left), Some(right)) = terms else { continue };
        let make = |l: &str, r: &str| {
            let equal = format!("(= {l} {r})");
            match seed % 3 + sort as u64 % 2 {
                0 => format!("(assert {equal})"),
                1 => format!("(assert (not {equal}))"),
                _ => format!("(assert (or {equal} (distinct {r} {l})))"),
            }
        };
        twin.say(&make(&left.0, &right.0), &make(&left.1, &right.1));
        if rng.one_in(3) {
            twin.say("(push 1)", "(push 1)");
            let not = |l: &str, r: &str| format!("(assert (distinct {l} {r}))(check-sat)(pop 1)");
            twin.say(&not(&left.0, &right.0), &not(&left.1, &right.1));
        }
        let quantified = |sort: &str, t: &str| format!("(assert (exists ((z {sort})) (= z {t})))");
        if rng.one_in(4) && sorts[sort].plain != "Bool" {
            twin.say(&quantified(&sorts[sort].shared, &left.0), &quantified(&sorts[sort].plain, &left.1));
        }
    }
    twin.say("(check-sat)", "(check-sat)");
    twin
}

/// The text of a sort without defined sorts.
fn written_out(sort: &str) -> String {
    let Some(inside) = sort.strip_prefix('(').and_then(|s| s.strip_suffix(')')) else {
        return sort.to_owned();
    };
    let (head, rest) = inside.split_once(' ').expect("an application");
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, c) in rest.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ' ' if depth == 0 => {
                parts.push(written_out(&rest[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(written_out(&rest[start..]));
    match head {
        "Flip" => format!("(P {} {})", parts[1], parts[0]),
        "Deep" => format!("(L (P (L {0}) {0}))", parts[0]),
        _ => format!("({head} {})", parts.join(" ")),
    }
}

/// A random term of a sort in both spellings, if there is a symbol for it.
fn term(
    rng: &mut Rng,
    sorts: &[Sort],
    symbols: &[Symbol],
    sort: usize,
    depth: usize,
) -> Option<(String, String)> {
    let plain = sorts[sort].plain.as_str();
    let fits: Vec<usize> = (0..symbols.len())
        .filter(|&i| sorts[symbols[i].result].plain == plain && (depth > 0 || symbols[i].args.is_empty()))
        .collect();
    let literal = match plain {
        "Int" => Some(rng.below(3).to_string()),
        "Bool" => Some(if rng.one_in(2) { "true" } else { "false" }.to_owned()),
        _ => None,
    };
    if fits.is_empty() || (literal.is_some() && rng.one_in(3)) {
        return literal.map(|text| (text.clone(), text));
    }
    let at = *rng.pick(&fits);
    let symbol = &symbols[at];
    let (mut shared, mut own) = (Vec::new(), Vec::new());
    for &arg in &symbol.args {
        let (a, b) = term(rng, sorts, symbols, arg, depth - 1)?;
        shared.push(a);
        own.push(b);
    }
    // Constants of one name are told apart by their sorts only.
    let qualified = symbol.args.is_empty() || rng.one_in(4);
    let name = match qualified {
        true => format!("(as {} {})", symbol.name, sorts[sort].shared),
        false => symbol.name.clone(),
    };
    let plain = format!("{}_{at}", symbol.name);
    if shared.is_empty() {
        return Some((name, plain));
    }
    Some((format!("({name} {})", shared.join(" ")), format!("({plain} {})", own.join(" "))))
}

#[test]
fn shared_names_mean_what_own_names_mean() {
    let (mut n_sat, mut n_unsat) = (0, 0);
    for seed in 0..400 {
        let twin = random(seed);
        let (shared, plain) = (talk(twin.shared.as_bytes()), talk(twin.plain.as_bytes()));
        assert!(!shared.contains("error"), "seed {seed}: {shared}\n{}", twin.shared);
        assert_eq!(shared, plain, "seed {seed}\n{}\n{}", twin.shared, twin.plain);
        n_sat += shared.lines().filter(|line| *line == "sat").count();
        n_unsat += shared.lines().filter(|line| *line == "unsat").count();
    }
    assert!(n_sat > 100 && n_unsat > 100, "{n_sat} {n_unsat}");
}

const START: &str = "(declare-sort C 0)(declare-sort L 1)(declare-fun n (C) C)(declare-fun n ((L C)) (L C))
    (declare-const x C)(declare-const x (L C))(declare-const x Int)(declare-const y (L C))
    (define-fun twice ((i Int)) Int (+ i i))(define-fun twice ((b Bool)) Bool b)\n";

/// A model says what each of the symbols is, and reads back.
#[test]
fn models_of_shared_names_read_back() {
    let said = "(assert ((_ reach (as n (L C))) (as x (L C)) y))(assert (not (= (as x (L C)) y)))
        (assert (= (twice (as x Int)) 6))(assert (twice (distinct (n (as x C)) (as x C))))";
    let out = talk(format!("{START}{said}(check-sat)(get-model)").as_bytes());
    let model = out.strip_prefix("sat\n(\n").and_then(|rest| rest.trim_end().strip_suffix(')'));
    let model = model.unwrap_or_else(|| panic!("{out}"));
    let sorts = "(declare-sort C 0)(declare-sort L 1)";
    let macros = "(define-fun twice ((i Int)) Int (+ i i))(define-fun twice ((b Bool)) Bool b)";
    assert_eq!(talk(format!("{sorts}{model}{macros}{said}(check-sat)").as_bytes()), "sat\n", "{model}");
    let wrong = "(assert (= (twice (as x Int)) 8))";
    assert_eq!(talk(format!("{sorts}{model}{macros}{wrong}(check-sat)").as_bytes()), "unsat\n", "{model}");
}

#[test]
fn levels_hide_what_shares_a_name() {
    let script = "(declare-fun f (Int) Int)(push 1)(declare-fun f (Bool) Int)(declare-sort Q 1)
        (declare-const q (Q Int))(assert (distinct (f true) (f 1)))(check-sat)(pop 1)(assert (= (f 1) 1))(check-sat)
        (declare-sort Q 2)(declare-const q (Q Int Int))(declare-fun f (Bool) Bool)(assert (f true))(check-sat)
        (push 1)(declare-fun f (Bool) Int)(assert (not ((as f Bool) true)))(check-sat)(pop 1)(check-sat)
        (assert (f 1 1))(check-sat)";
    let out = talk(script.as_bytes());
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[..5], ["sat", "sat", "sat", "unsat", "sat"], "{out}");
    assert!(lines[5].contains("f: expected arguments of one of its declarations, found (Int Int)"), "{out}");
    assert_eq!(lines[6], "unknown");
}

#[test]
fn what_cannot_be_shared_or_told_apart() {
    for (wrong, complaint) in [
        ("(declare-fun n (C) C)", "n: this name is already declared"),
        ("(define-fun twice ((j Int)) Int 3)", "twice: this name is already declared"),
        ("(assert (= x x))", "x: it has several meanings here, expected (as x sort)"),
        ("(assert (= (as x Bool) true))", "x: expected arguments of one of its declarations"),
        ("(assert ((_ reach n) y y))", "expected (as n sort), because there are several"),
        ("(assert (= (n 3) 3))", "n: expected arguments of one of its declarations, found (Int)"),
        ("(assert (! true :named x))", "x: this name is already declared"),
        ("(declare-const z L)", "expected (L ...) with 1 sorts, found L"),
        ("(declare-const z (L C C))", "L: expected 1 arguments, found 2"),
        ("(declare-const z (C))", "expected a sort"),
        ("(declare-sort L 0)", "L: this name is already declared"),
        ("(define-sort L (X) X)", "L: this name is already declared"),
        ("(define-sort M (X) (L Y))", "expected a declared sort, found Y"),
    ] {
        let out = talk(format!("{START}{wrong}(check-sat)").as_bytes());
        assert!(out.starts_with("(error \"") && out.contains(complaint), "{wrong}: {out}");
        assert!(out.ends_with("\nunknown\n"), "{wrong}: {out}");
    }
}

/// Each definition uses the one before it twice: the sorts are few, though their texts would be long.
#[test]
fn chains_of_defined_sorts_are_short() {
    let chain = |first: &str| {
        let mut text = format!("(declare-sort P 2)(define-sort D0 (X) {first})");
        for i in 0..60 {
            let _ = write!(text, "(define-sort D{} (X) (D{i} (D{i} X)))", i + 1);
        }
        talk(format!("{text}(declare-const c (D60 Int))(check-sat)").as_bytes())
    };
    assert_eq!(chain("X"), "sat\n");
    let out = chain("(P X X)");
    assert!(out.contains("sort: expected at most 4096 characters") && out.ends_with("\nunknown\n"), "{out}");
    let deep =
        format!("(declare-sort L 1)(declare-const c {}Int{})", "(L ".repeat(100_000), ")".repeat(100_000));
    assert!(talk(deep.as_bytes()).contains("sorts are nested more than"));
}
