//! Tests of the preprocessor.

use super::super::Options;
use super::super::token::{Kind, Names};
use super::preprocess;
use crate::frontend::diagnostic::{Diagnostic, Severity, Sources};

pub(super) fn run(text: &str) -> (String, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let main = sources.add("t.c", text.to_owned()).expect("small");
    let (mut names, mut diagnostics) = (Names::default(), Vec::new());
    let tokens = preprocess(&mut sources, main, &Options::default(), &mut names, &mut diagnostics).tokens;
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
    ("#define EMPTY\n#define f(x) [x]\n#define g f EMPTY\ng(1) g (2) g\n(3)", "f ( 1 ) f ( 2 ) f ( 3 )"),
    ("#define f(x) [x]\n#define g f\n#define h(x) x g\nh(1)(2) h(g)\n(3)", "1 [ 2 ] f [ 3 ]"),
    ("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2 * 9 * g"),
    (
        "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define t(a) a\nt(t(g)(0) + t)(1);",
        "f ( 2 * ( 0 ) ) + t ( 1 ) ;",
    ),
    (
        "#define s(x) #x\n#define xs(x) s(x)\n#define E\nxs(a E b) s( a  \n b ) xs(E) s('\\n' \"\\\"\")",
        "\"a b\" \"a b\" \"\" \"'\\\\n' \\\"\\\\\\\"\\\"\"",
    ),
    (
        "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n#define join(c, d) in_between(c hash_hash d)\njoin(x, y)",
        "\"x ## y\"",
    ),
    (
        "#define t(x,y,z) x ## y ## z\nt(1,2,3) t(,4,5) t(6,,7) t(8,9,) t(10,,) t(,11,) t(,,12) [t(,,)]",
        "123 45 67 89 10 11 12 [ ]",
    ),
    ("#define C(a) x a y\nC(##)", "x ## y"),
    (
        "#define e(fmt, ...) p(fmt, ## __VA_ARGS__)\ne(1) e(1,) e(1, 2, 3)",
        "p ( 1 ) p ( 1 , ) p ( 1 , 2 , 3 )",
    ),
    ("#define e(args...) p(0, ## args)\ne() e(1, 2)", "p ( 0 ) p ( 0 , 1 , 2 )"),
    ("#define D defined(X)\n#define X\n#if D && defined D\na\n#endif", "a"),
    ("a<:0:> %: <%%>", "a [ 0 ] # { }"),
    ("%:define A 1\n%:if A\nx %:%: y\n%:endif", "x ## y"),
    ("_Pragma(\"once\") x _Pragma ( \"GCC diagnostic \\\"push\\\"\" ) y", "x y"),
    ("#define P _Pragma(\"once\")\nP x", "x"),
    ("__COUNTER__ __COUNTER__ __INCLUDE_LEVEL__", "0 1 0"),
    ("#define L 7\n#line L\n__LINE__", "7"),
    (
        "#define H <stddef.h>\n#ifdef H\n#include H\n#endif\n#undef NULL",
        "typedef unsigned long size_t ; typedef long ptrdiff_t ; typedef int wchar_t ;",
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
        "#define F(a b) a",
        "#define F(a,) a",
        "#define F(..., a) a",
        "#define F(a) #b",
        "#define A ## b",
        "#define A b ##",
        "#define A __VA_ARGS__",
        "#line x",
        "_Pragma(x)",
        "#define C(a, b) a ## b\nC(/, /)",
        "#if 1 == 1.0\n#endif",
        "#if 08\n#endif",
        "#if 1 = 1\n#endif",
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

/// Pragmas that change nothing, and pragmas that are modelled.
const HARMLESS: &[&str] = &[
    "#pragma",
    "#pragma once",
    "#pragma GCC diagnostic push",
    "#pragma GCC system_header",
    "#pragma GCC poison gets",
    "#pragma clang diagnostic ignored \"-Wall\"",
    "#pragma STDC FENV_ACCESS ON",
    "#pragma region x y z",
    "#pragma message(\"text\")",
    "#pragma GCC unroll 4",
    "#pragma pack()",
    "#pragma pack(push)\n#pragma pack(pop)",
    "#pragma push_macro(\"X\")",
    "#pragma pop_macro(\"X\")",
    "_Pragma(\"once\")",
    "#if 0\n#pragma weak f\n#if 0\n#elifdef X\n#endif\n#endif\n#ifdef __LINE__\n#endif",
];

/// What may change the meaning of text after it.
const STRANGE: &[&str] = &[
    "#pragma weak f",
    "#pragma weak f = g",
    "#pragma redefine_extname f g",
    "#pragma scalar_storage_order big-endian",
    "#pragma GCC optimize (\"wrapv\")",
    "#pragma GCC target (\"avx\")",
    "#pragma omp parallel for",
    "#pragma pack(pop)",
    "#pragma pack(push, name, 1)",
    "#pragma pack 1",
    "#pragma unknown words",
    "#pragma 1",
    "#pragma GCC",
    "#pragma STDC FLOAT_CONST_DECIMAL64 ON",
    "_Pragma(\"weak f\")",
    "#define P _Pragma(\"weak f\")\nP",
    "#define F(a, ...) __VA_OPT__(a)",
    "#if __has_feature(x)\n#endif",
    "#define __has_attribute(x) 0",
    "#undef __has_include",
    "#if u'a'\n#endif",
    "#if 'abcde'\n#endif",
    "#if 0\n#elifdef X\n#endif",
    "#define __LINE__ 3",
    "#undef __FILE__",
    "#define _Pragma(x)",
    "__DATE__",
    "??=",
    "#define S(x) #x\nS(caf\\u00e9)",
];

#[test]
fn what_may_change_the_meaning_is_never_skipped_in_silence() {
    for text in HARMLESS {
        assert!(run(text).1.is_empty(), "{text}: {:?}", run(text).1);
    }
    for text in STRANGE {
        let found = run(text).1;
        let unsupported = found.iter().any(|d| d.severity == Severity::Unsupported);
        assert!(
            unsupported && found.iter().all(|d| d.severity == Severity::Unsupported),
            "{text}: {found:?}"
        );
        let whole = format!("{text}\nint main(void) {{ return 0; }}\n");
        let unit = super::super::load("t.c", whole.as_bytes(), &super::super::Options::default());
        assert!(unit.functions.iter().all(|f| f.program.is_err()), "{text}");
    }
}

#[test]
fn what_a_compiler_can_do_is_answered_as_gcc_does() {
    let holds = |condition: &str| {
        let (text, found) = run(&format!("#if {condition}\nyes\n#else\nno\n#endif\n"));
        assert!(found.is_empty(), "{condition}: {found:?}");
        text.contains("yes")
    };
    for yes in [
        "defined __has_include && defined(__has_attribute)",
        "__has_include(<stdlib.h>) && __has_include(\"assert.h\")",
        "__has_attribute(packed) && __has_attribute(__unused__) && __has_attribute(cleanup)",
        "__has_c_attribute(fallthrough) >= 201904L && __has_c_attribute(gnu::packed)",
        "__GNUC__ == 4 && !defined __clang__ && !defined __x86_64__",
    ] {
        assert!(holds(yes), "{yes}");
    }
    for no in [
        "__has_include(<nothere.h>) || __has_include(\"nothere.h\") || __has_include_next(<nothere.h>)",
        "__has_attribute(objc_bridge) || __has_builtin(__builtin_clz)",
        "defined __has_feature || defined __has_extension",
    ] {
        assert!(!holds(no), "{no}");
    }
    for wrong in ["__has_include", "__has_include()", "__has_attribute(1)", "__has_include(<x"] {
        let found = run(&format!("#if {wrong}\n#endif\n")).1;
        assert!(found.iter().any(|d| d.severity == Severity::Error), "{wrong}: {found:?}");
    }
}
