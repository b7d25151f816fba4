//! Reading and printing rules.

use crate::rules::parse::parse;
use crate::rules::syntax::{Span, Theory};
use crate::rules::table::{SOURCES, table};

fn without_spans(mut theory: Theory) -> Theory {
    theory.rules.iter_mut().for_each(|rule| rule.span = Span::default());
    theory
}

#[test]
fn printed_rules_read_back() {
    for (theory, (file, _)) in table().theories().iter().zip(SOURCES) {
        let printed = theory.to_string();
        let again = parse(file, &printed).unwrap_or_else(|errors| panic!("{}", errors[0]));
        assert_eq!(without_spans(again.clone()), without_spans(theory.clone()));
        assert_eq!(again.to_string(), printed);
    }
}

#[test]
fn line_ends_and_comments_mean_nothing() {
    let spread = "theory lisbq // one\nrule\n r : x -> y , # two\n y->z\n => x->z\nnote \"why # not\"";
    let theory = parse("t", spread).unwrap();
    assert_eq!(theory.rules[0].to_string(), "rule r: x -> y, y -> z => x -> z\n    note \"why # not\"");
    assert_eq!(theory.rules[0].variables, ["x", "y", "z"]);
}

/// Each text with the places and messages expected of it.
#[test]
fn wrong_files_are_explained() {
    let header = "theory lisbq\n";
    let cases: &[(&str, &[&str])] = &[
        ("", &["1:1: found the end of the file, expected `theory NAME`"]),
        ("theory lists", &["1:8: found theory `lists`, expected `lisbq` or `acyclic`"]),
        ("theory acyclic", &["1:8: found `theory acyclic`, expected `theory acyclic with null`"]),
        ("@rule a: x -> y => y -> x | z", &["2:29: found the end of the file, expected `->` or `=`"]),
        ("@rule a x => x -> x", &["2:8: found `x`, expected `:`"]),
        ("@rule a: => x -> x", &["2:9: found `=>`, expected a variable, `f(x)` or `null`"]),
        (
            "@rule a: x -> y => x -> z",
            &[
                "2:14: found `y` only once, expected a second use or the name `_y`",
                "2:24: found `z`, expected a variable of the premises",
            ],
        ),
        ("@rule a: x => x -> f(x)", &["2:19: found `f(x)`, expected a premise `term f(x)`"]),
        ("@rule a: f(x) => x -> f(x)", &["2:9: found a bare `f(x)`, expected `term f(x)`"]),
        ("@rule a: x => x -> null", &["2:19: found `null`, expected `with null` in the header"]),
        (
            "@rule a: x -> y -> x -> y => x = y",
            &["2:21: found `->`, expected a path of at most three points"],
        ),
        (
            "@rule a: x = y => x -> y",
            &["2:9: found an equation without f, expected the same name used twice"],
        ),
        (
            "@rule a: x => x -> x\n\nrule a: x => x -> x",
            &["4:6: found a second rule `a`, expected a new name (the first is on line 2)"],
        ),
        ("@rule a: x => x -> x note why", &["2:26: found `why`, expected a string"]),
        ("@rule a: x => x -> x note \"why", &["2:26: found the end of the line, expected a closing `\"`"]),
        (
            "@rule a: x & x => x -> x\nrule b: x => x ->",
            &[
                "2:11: found `&`, expected a name or a sign",
                "2:13: found `x`, expected `->` or `=`",
                "3:18: found the end of the file, expected a variable, `f(x)` or `null`",
            ],
        ),
        ("@rule f: x => x -> x", &["2:6: found `f`, expected the name of the rule"]),
        (
            "@rule a: x, y, z, u, v, w, t => x -> y, y -> z, z -> u, u -> v, v -> w, w -> t",
            &["2:6: found 7 variables, expected at most 6"],
        ),
    ];
    for (text, expected) in cases {
        let text = text.replace('@', header);
        let errors = parse("t.rules", &text).expect_err(&text);
        let found: Vec<String> =
            errors.iter().map(|e| format!("{}:{}: {}", e.span.line, e.span.column, e.message)).collect();
        assert_eq!(&found, expected, "in {text}");
    }
}

#[test]
fn errors_show_the_line() {
    let errors = parse("my.rules", "theory lisbq\nrule a: x -> y => x -> zz, y = x").unwrap_err();
    let expected = "\
error: found `zz`, expected a variable of the premises
 --> my.rules:2:24
  |
2 | rule a: x -> y => x -> zz, y = x
  |                        ^^
";
    assert_eq!(errors[0].to_string(), expected);
}
