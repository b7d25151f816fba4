//! Tests of the preprocessor.

use super::super::token::{Kind, Names};
use super::preprocess;
use crate::frontend::diagnostic::{Diagnostic, Sources};

fn run(text: &str) -> (String, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let main = sources.add("t.c", text.to_owned()).expect("small");
    let (mut names, mut diagnostics) = (Names::default(), Vec::new());
    let tokens = preprocess(&mut sources, main, true, &mut names, &mut diagnostics);
    let words: Vec<_> =
        tokens.iter().filter(|t| t.kind != Kind::End).map(|t| t.spelling(&names).into_owned()).collect();
    (words.join(" "), diagnostics)
}

/// The same tables of text and expected output that a C programmer would draw up.
const EXPANSIONS: &[(&str, &str)] = &[
    ("#define N 3\nN + n", "3 + n"),
    ("#define N 3\n#undef N\nN", "N"),
    ("#define F(a, b) a + b\nF(1, F(2, 3)) F", "1 + 2 + 3 F"),
    ("#define F(a) a\nF\n(\n7\n)", "7"),
    ("#define F() x\nF() F( )", "x x"),
    ("#define F(a) #a\nF(x  +  \"q\")", "\"x + \\\"q\\\"\""),
    ("#define C(a, b) a ## b\nC(x, 1) C(, y)", "x1 y"),
    ("#define V(f, ...) f(__VA_ARGS__)\nV(g, 1, 2) V(h)", "g ( 1 , 2 ) h ( )"),
    ("#define A B\n#define B A\nA B", "A B"),
    ("#define f(x) f(x + 1)\nf(f(2))", "f ( f ( 2 + 1 ) + 1 )"),
    ("#define E\nE x E", "x"),
    ("#define G h\n#define h(x) x * 2\nG(3)", "3 * 2"),
    ("#ifdef X\na\n#else\nb\n#endif", "b"),
    ("#if defined(X) || !defined Y && 1 + 1 == 2\na\n#elif 1/0\nb\n#endif", "a"),
    ("#if 0\n#if 1\na\n#else\nb\n#endif\n#elif 3 > 2 ? 1 : 0\nc\n#else\nd\n#endif", "c"),
    ("#if 0\n#error no\n#include <x>\n'\n#endif\nok", "ok"),
    ("#define N 2\n/*@ requires x > N; @*/", "/*@ requires x > 2 ; @*/"),
    ("#define P(x) x != 0\n//@ assert P(y);\nz", "/*@ assert y != 0 ; @*/ z"),
    ("__LINE__\n__LINE__", "1 2"),
    ("# 40 \"a.c\"\n__LINE__ __FILE__", "40 \"a.c\""),
    ("#pragma once\nx \\\ny", "x y"),
    (
        "#include <stddef.h>\nNULL",
        "typedef unsigned long size_t ; typedef long ptrdiff_t ; typedef int wchar_t ; ( ( void * ) 0 )",
    ),
    ("#include <limits.h>\n#if INT_MAX == 2147483647 && LONG_MAX > INT_MAX\nyes\n#endif", "yes"),
];

#[test]
fn macros_and_conditionals() {
    for (text, expected) in EXPANSIONS {
        let (found, diagnostics) = run(text);
        // Text in a group that is skipped may be anything but an open quote, which is reported all the same.
        let complaints: Vec<_> = diagnostics.iter().filter(|d| d.code != "unclosed-quote").collect();
        assert!(complaints.is_empty(), "{text}: {complaints:?}");
        assert_eq!(found, *expected, "{text}");
    }
}

#[test]
fn every_bundled_header_is_fine_twice() {
    let lines: String = super::stubs::names().map(|n| format!("#include <{n}>\n#include <{n}>\n")).collect();
    let unit = super::super::load("t.c", lines.as_bytes(), &super::super::Options::default());
    assert!(unit.diagnostics.is_empty(), "{:#?}", unit.diagnostics);
}

#[test]
fn wrong_directives_are_reported() {
    let wrong = [
        "#if\n#endif",
        "#if 1 +\n#endif",
        "#if 1 / 0\n#endif",
        "#if (1\n#endif",
        "#if 1 2\n#endif",
        "#if 1.5\n#endif",
        "#ifdef\n#endif",
        "#endif",
        "#else",
        "#if 1\n#else\n#else\n#endif",
        "#define",
        "#define defined",
        "#define F(a, a)",
        "#define F(a",
        "#undef",
        "#include",
        "#include foo",
        "#bogus",
        "#define F(x) x\nF(1",
        "#define F(x) x\nF(1, 2)",
        "#define C(a, b) a ## b\nC(+, -)",
        "#define X /*@ assert 1; @*/",
    ];
    for text in wrong {
        assert!(!run(text).1.is_empty(), "{text}");
    }
}

#[test]
fn positions_survive_expansion() {
    let text =
        "#define BAD(x) (x)->nothing\nstruct s { int a; };\nint f(struct s *p) {\n  return BAD(p);\n}\n";
    let unit = super::super::load("t.c", text.as_bytes(), &super::super::Options::default());
    let [found] = &unit.diagnostics[..] else { panic!("{:#?}", unit.diagnostics) };
    let at = unit.sources.location(found.span);
    assert_eq!((at.line, at.column), (4, 10));
    assert_eq!(unit.sources.text(found.span), "BAD(p)");
}
