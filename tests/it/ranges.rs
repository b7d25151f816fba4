//! Values at the entry lie in the range of their type: every kind of integer, as a parameter, a field and a global, at
//! and around its bounds, asked of every engine.

use std::ffi::OsString;
use std::path::Path;

/// A type with its bounds.
const TYPES: [(&str, i128, i128); 10] = [
    ("_Bool", 0, 1),
    ("char", -128, 127),
    ("signed char", -128, 127),
    ("unsigned char", 0, 255),
    ("short", -32_768, 32_767),
    ("unsigned short", 0, 65_535),
    ("int", -2_147_483_648, 2_147_483_647),
    ("unsigned", 0, 4_294_967_295),
    ("long", -9_223_372_036_854_775_808, 9_223_372_036_854_775_807),
    ("unsigned long", 0, 18_446_744_073_709_551_615),
];

/// The program, and of each function whether its postcondition holds.
fn program() -> (String, Vec<bool>) {
    let fields: String = TYPES.iter().enumerate().map(|(i, (ty, ..))| format!("{ty} f{i}; ")).collect();
    let globals: String = TYPES.iter().enumerate().map(|(i, (ty, ..))| format!("{ty} g{i};\n")).collect();
    let mut text = format!("struct s {{ struct s *next; {fields}}};\n{globals}");
    let mut holds = Vec::new();
    for (i, (ty, low, high)) in TYPES.iter().enumerate() {
        let places = [
            ("", format!("{ty} x"), "x".to_owned()),
            ("requires \\valid(p); ", "struct s *p".to_owned(), format!("p->f{i}")),
            ("", "void".to_owned(), format!("g{i}")),
        ];
        for (requires, parameter, value) in places {
            for (relation, bound, right) in
                [("<=", *high, true), ("<=", high - 1, false), (">=", *low, true), (">=", low + 1, false)]
            {
                let number = holds.len();
                text += &format!(
                    "/*@ {requires}ensures \\result {relation} {bound}; @*/ {ty} r{number}({parameter}) {{ return {value}; }}\n"
                );
                holds.push(right);
            }
        }
    }
    (text, holds)
}

#[test]
fn every_integer_has_the_range_of_its_type() {
    let (text, holds) = program();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ranges.c");
    std::fs::write(&file, text).expect("a place for test files");
    for engine in ["auto", "vc", "pdr", "heaps", "monotone"] {
        let mut args: Vec<OsString> = ["verify", "--quiet", "--engine", engine].map(OsString::from).to_vec();
        args.push(file.clone().into());
        let (mut out, mut err) = (Vec::new(), Vec::new());
        catena::cli::run(&args, &mut out, &mut err).expect("output is written");
        let out = String::from_utf8(out).expect("text");
        for (number, right) in holds.iter().enumerate() {
            let start = format!("ranges.c:r{number}: ");
            let line = out.lines().find_map(|l| l.split_once(start.as_str())).expect("an answer").1;
            let (wrong, wanted) = if *right { ("violated", "verified") } else { ("verified", "violated") };
            assert!(!line.starts_with(wrong), "{engine} r{number}: {line}");
            assert!(engine != "auto" || line.starts_with(wanted), "{engine} r{number}: {line}");
        }
    }
}
