//! The built-in shapes pass the gate; spoilt ones do not.

use super::check::check_up_to;
use super::*;
use crate::rules::parse::Diagnostic;

#[test]
fn the_built_in_shapes_pass() {
    for shape in shapes() {
        let report = check(shape);
        assert!(report.passed(), "{report}");
    }
}

#[test]
fn what_is_printed_can_be_read() {
    for shape in shapes() {
        let again = parse("again", &shape.to_string()).expect("a shape");
        assert_eq!(again.to_string(), shape.to_string());
        for (law, other) in shape.laws.iter().zip(&again.laws) {
            assert_eq!((&law.premises, &law.alternatives), (&other.premises, &other.alternatives));
        }
    }
}

/// A law that is dropped or changed is found out, whichever it is; two cells show nearly everything.
#[test]
fn spoilt_shapes_fail() {
    let passes = |shape: &Shape| check_up_to(shape, 2, 2_000).passed() && check(shape).passed();
    for shape in shapes() {
        for (i, law) in shape.laws.iter().enumerate().filter(|(_, law)| law.note.is_none()) {
            let mut without = shape.clone();
            without.laws.remove(i);
            assert!(!passes(&without), "{} without {}", shape.name, law.name);
            if law.alternatives.len() > 1 {
                let mut stronger = shape.clone();
                stronger.laws[i].alternatives.remove(0);
                assert!(!passes(&stronger), "{}.{} needs its first alternative", shape.name, law.name);
            }
        }
    }
}

#[test]
fn a_shape_that_nothing_defines_fails() {
    let shape = parse("mine", "shape mine over f\nlaw ends: x => x -f-> null\n").expect("a shape");
    assert!(!check(&shape).passed());
}

#[test]
fn mistakes_have_places() {
    for (text, expected) in [
        ("theory x", "1:1: found `theory`, expected `shape`"),
        ("shape s over f, f", "1:17: `f` has a meaning already"),
        ("shape s over f\nlaw a: x => x -g-> null", "2:16: `g` is no field of the shape"),
        ("shape s over f\nlaw a: x => y = x", "2:5: no premise mentions `y`"),
        ("shape s over f\nlaw a: x => f(x)", "2:1: found the end of the file, expected `=`, `!=` or a path"),
        ("shape s over f\nlaw a: x = null\nlaw a: x = null", "2:5: no premise mentions `x`"),
        ("shape s over f\nlaw a: x => x ? null", "2:15: found `?`, expected a name or a sign"),
        ("shape s over f\nlaw a: x => x = null note", "2:1: found the end of the file, expected a text"),
    ] {
        let errors = parse("file", text).expect_err("a mistake");
        let Diagnostic { span, message, .. } = &errors[0];
        assert_eq!(format!("{}:{}: {message}", span.line, span.column), expected, "{text}");
    }
}
