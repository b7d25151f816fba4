//! Every operator of conditions on every pair of operands, signed and unsigned. What is right is computed over the
//! integers, and reduced to 64 bits once.

use super::tests::run;

/// A spelling, its value, and whether it is unsigned.
const OPERANDS: &[(&str, i128, bool)] = &[
    ("0", 0, false),
    ("1", 1, false),
    ("(-1)", -1, false),
    ("7", 7, false),
    ("-3", -3, false),
    ("63", 63, false),
    ("9223372036854775807", i64::MAX as i128, false),
    ("(-9223372036854775807 - 1)", i64::MIN as i128, false),
    ("0u", 0, true),
    ("1UL", 1, true),
    ("5llu", 5, true),
    ("0x8000000000000000", 1 << 63, true),
    ("18446744073709551615u", u64::MAX as i128, true),
    ("'a'", 97, false),
    ("'\\377'", -1, false),
    ("nothing", 0, false),
];

const OPERATORS: &[&str] =
    &["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&&", "||"];

fn reduce(value: i128, unsigned: bool) -> i128 {
    let low = value.rem_euclid(1 << 64);
    if !unsigned && low >= 1 << 63 { low - (1 << 64) } else { low }
}

/// The value and whether it is unsigned; `None`: no value, a diagnostic.
fn expected(op: &str, (a, a_unsigned): (i128, bool), (b, b_unsigned): (i128, bool)) -> Option<(i128, bool)> {
    let truth = |t: bool| Some((i128::from(t), false));
    match op {
        "&&" => return truth(a != 0 && b != 0),
        "||" => return truth(a != 0 || b != 0),
        "<<" | ">>" => {
            // A negative count shifts the other way, as GCC has it.
            let count = if op == "<<" { b } else { -b };
            let value = if count >= 64 {
                0
            } else if count >= 0 {
                a << count
            } else {
                a >> (-count).min(64)
            };
            return Some((reduce(value, a_unsigned), a_unsigned));
        }
        _ => {}
    }
    let unsigned = a_unsigned || b_unsigned;
    let (a, b) = (reduce(a, unsigned), reduce(b, unsigned));
    let value = match op {
        "<" => return truth(a < b),
        ">" => return truth(a > b),
        "<=" => return truth(a <= b),
        ">=" => return truth(a >= b),
        "==" => return truth(a == b),
        "!=" => return truth(a != b),
        "+" => a + b,
        "-" => a - b,
        "*" => (a % (1 << 64)).wrapping_mul(b % (1 << 64)),
        "/" | "%" if b == 0 => return None,
        "/" => a / b,
        "%" => a % b,
        "&" => a & b,
        "|" => a | b,
        _ => a ^ b,
    };
    Some((reduce(value, unsigned), unsigned))
}

/// A condition that holds if the expression has this value and this type.
fn says(expression: &str, value: i128, unsigned: bool) -> String {
    let bits = value.rem_euclid(1 << 64);
    // Compared as unsigned numbers the bits count; -1 is large exactly beside an unsigned number.
    format!(
        "((({expression}) + 0u) == {bits}u) && (((({expression}) * 0 - 1) > 0) == {})",
        u8::from(unsigned)
    )
}

#[test]
fn all_operators_on_all_operands() {
    let mut cases = 0;
    for op in OPERATORS {
        for (x, a, a_unsigned) in OPERANDS {
            for (y, b, b_unsigned) in OPERANDS {
                let text = format!("{x} {op} {y}");
                let Some((value, unsigned)) = expected(op, (*a, *a_unsigned), (*b, *b_unsigned)) else {
                    assert!(!run(&format!("#if {text}\n#endif")).1.is_empty(), "{text}");
                    continue;
                };
                let (out, complaints) = run(&format!("#if {}\nyes\n#endif", says(&text, value, unsigned)));
                assert_eq!((out.as_str(), complaints.len()), ("yes", 0), "{text} is {value}: {complaints:?}");
                cases += 1;
            }
        }
    }
    assert!(cases > 4000, "{cases}");
}

#[test]
fn unary_operators_and_choices() {
    for (x, a, unsigned) in OPERANDS {
        for (op, value, result_unsigned) in [
            ("-", reduce(-a, *unsigned), *unsigned),
            ("~", reduce(!a, *unsigned), *unsigned),
            ("+", *a, *unsigned),
            ("!", i128::from(*a == 0), false),
        ] {
            let text = says(&format!("{op}({x})"), value, result_unsigned);
            assert_eq!(run(&format!("#if {text}\nyes\n#endif")).0, "yes", "{op}{x}");
        }
        for (y, b, other) in OPERANDS {
            let both = *unsigned || *other;
            for (test, value) in [("1", a), ("0", b)] {
                let text = says(&format!("{test} ? {x} : {y}"), reduce(*value, both), both);
                assert_eq!(run(&format!("#if {text}\nyes\n#endif")).0, "yes", "{test} ? {x} : {y}");
            }
        }
    }
}

#[test]
fn what_is_not_evaluated_does_no_harm() {
    for text in [
        "1 || 1 / 0",
        "!(0 && 1 % 0)",
        "1 ? 2 : 3 / 0",
        "0 ? 1 / 0 : 4",
        "(1 || (0 && 5 / 0)) && !(0 && (1 ? 1 / 0 : 0))",
    ] {
        let (out, complaints) = run(&format!("#if {text}\nyes\n#endif"));
        assert_eq!((out.as_str(), complaints.len()), ("yes", 0), "{text}");
    }
    for text in ["0 || 1 / 0", "1 && 1 % 0", "1 ? 3 / 0 : 2", "1 / 0 ? 1 : 2"] {
        assert!(!run(&format!("#if {text}\nyes\n#endif")).1.is_empty(), "{text}");
    }
}
