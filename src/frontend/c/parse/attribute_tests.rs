//! Attributes and extensions: those that change nothing are read over, all others keep a program from being verified.

use super::super::{Options, load};
use crate::frontend::diagnostic::Severity;

/// Declarations in which `@` is the attribute, with a `main` that uses what they declare.
const PLACES: &[&str] = &[
    "@ static int f(void) { return 1; } int main(void) { return f(); }",
    "static int f(void) @; static int f(void) { return 1; } int main(void) { return f(); }",
    "static @ int f(void) { return 1; } int main(void) { return f(); }",
    "int x @ = 1; int main(void) { return x; }",
    "int main(void) { int x @ = 1; return x; }",
    "int main(void) { @ int x = 1; return x; }",
    "static int f(int x @) { return x; } int main(void) { return f(1); }",
    "struct @ s { int a; }; int main(void) { struct s v = { 1 }; return (int)sizeof v; }",
    "struct s { int a; } @; int main(void) { struct s v = { 1 }; return (int)sizeof v; }",
    "struct s { int a @; }; int main(void) { struct s v = { 1 }; return (int)sizeof v.a + (int)sizeof v + v.a; }",
    "enum @ e { A }; int main(void) { enum e v = A; return (int)sizeof v; }",
    "enum e { A } @; int main(void) { enum e v = A; return (int)sizeof v; }",
    "typedef int t @; int main(void) { t v = 1; return v; }",
    "int main(void) { int v = 1; l: @; if (v++ < 3) goto l; return v; }",
    "int main(void) { int v = 1; switch (v) { case 1: v = 2; @; default: v++; } return v; }",
];

const HARMLESS: &[&str] = &[
    "__attribute__(())",
    "__attribute__((unused))",
    "__attribute__((__unused__, deprecated(\"x\")))",
    "__attribute__((noinline)) __attribute__((cold))",
    "__attribute__((format(printf, 1, 2)))",
];

const STRANGE: &[&str] = &[
    "__attribute__((never_heard_of))",
    "__attribute__((unused, never_heard_of(1, 2)))",
    "__attribute__((mode(QI)))",
    "__attribute__((vector_size(16)))",
    "__attribute__((weak))",
    "__attribute__((alias(\"x\")))",
    "__attribute__((ifunc(\"x\")))",
    "__attribute__((cleanup(f)))",
    "__attribute__((section(\"x\")))",
    "__attribute__((transparent_union))",
    "__attribute__((optimize(\"wrapv\")))",
    "__attribute__((no_such))",
];

fn is_modelled(text: &str) -> bool {
    let unit = load("t.c", text.as_bytes(), &Options::default());
    let main =
        unit.functions.iter().find(|f| f.name == "main").unwrap_or_else(|| panic!("no main in {text}"));
    match &main.program {
        Ok(_) => {
            assert!(!unit.has_errors(), "{text}: {:?}", unit.diagnostics);
            true
        }
        Err(found) => {
            assert!(found.iter().all(|d| d.severity == Severity::Unsupported), "{text}: {found:?}");
            // The place is in the text.
            assert!(found.iter().all(|d| !unit.sources.text(d.span).is_empty()), "{text}: {found:?}");
            false
        }
    }
}

#[test]
fn attributes_are_known_or_reported_at_every_place() {
    for place in PLACES {
        for attribute in HARMLESS {
            assert!(is_modelled(&place.replace('@', attribute)), "{attribute} in {place}");
        }
        for attribute in STRANGE {
            assert!(!is_modelled(&place.replace('@', attribute)), "{attribute} in {place}");
        }
    }
}

/// In brackets as C23 has them, where those may stand.
#[test]
fn brackets_are_attributes_as_well() {
    for (attribute, harmless) in [
        ("[[maybe_unused]]", true),
        ("[[gnu::unused, deprecated(\"x\")]]", true),
        ("[[__gnu__::__noinline__]]", true),
        ("[[gnu::weak]]", false),
        ("[[gnu::mode(QI)]]", false),
        ("[[clang::never_heard_of]]", false),
        ("[[other::unused]]", false),
        ("[[never_heard_of]]", false),
    ] {
        for place in [
            "@ static int f(void) { return 1; } int main(void) { return f(); }",
            "int main(void) { @ int x = 1; return x; }",
            "static int f(@ int x) { return x; } int main(void) { return f(1); }",
            "struct @ s { int a; }; int main(void) { struct s v = { 1 }; return (int)sizeof v; }",
            "int main(void) { int x @ = 1; return x; }",
        ] {
            assert_eq!(is_modelled(&place.replace('@', attribute)), harmless, "{attribute} in {place}");
        }
    }
}

/// Words of other kinds, each of which says something.
#[test]
fn extensions_are_modelled_or_reported() {
    for (text, modelled) in [
        ("__extension__ int x = 1; int main(void) { return __extension__ x; }", true),
        ("static __inline__ int f(void) { return 1; } int main(void) { return f(); }", true),
        ("int main(void) { register int x = 1; return x; }", true),
        ("int main(void) { register int x __asm__(\"eax\") = 1; return x; }", false),
        ("int x __asm__(\"y\") = 1; int main(void) { return x; }", false),
        ("__asm__(\"nop\"); int main(void) { return 1; }", false),
        ("int main(void) { __asm__(\"nop\"); return 1; }", false),
        ("_Atomic int x = 1; int main(void) { return x; }", false),
        ("_Atomic(int) x = 1; int main(void) { return x; }", false),
        ("_Thread_local int x = 1; int main(void) { return x; }", false),
        ("static __thread int x = 1; int main(void) { return x; }", false),
        ("volatile int x = 1; int main(void) { return x; }", false),
        ("struct s { char c; _Alignas(8) int x; }; int main(void) { return (int)sizeof(struct s); }", false),
        ("int main(void) { _Alignas(16) int x = 1; return x; }", true),
        ("int main(void) { __auto_type x = 1; return x; }", false),
        ("int main(void) { __label__ l; goto l; l: return 1; }", false),
        ("int main(void) { int x = 1; return x ?: 2; }", true),
        ("int main(void) { switch (3) { case 1 ... 3: return 1; } return 0; }", true),
        (
            "struct s { int a; char b; }; int main(void) { return __builtin_offsetof(struct s, b) == 4; }",
            true,
        ),
        ("int main(void) { return _Generic(1, int: 1, default: 2); }", false),
        ("int main(void) { __int128 x = 1; return (int)x; }", false),
        (
            "#pragma pack(1)\nstruct s { char c; int x; };\n#pragma pack()\nstruct t { struct s s; };\nint main(void) { return (int)sizeof(struct t); }",
            true,
        ),
        // Bits lie elsewhere in packed structs, and so does a member with an attribute of its own.
        (
            "#pragma pack(1)\nstruct s { int x : 3; };\nint main(void) { return (int)sizeof(struct s); }",
            false,
        ),
        (
            "struct s { char c; int x __attribute__((packed)); }; int main(void) { return (int)sizeof(struct s); }",
            false,
        ),
        (
            "struct s { char c;\n#pragma pack(1)\nint x; }; int main(void) { return (int)sizeof(struct s); }",
            false,
        ),
        (
            "#pragma pack(push, 1)\n#pragma pack(pop)\nstruct s { char c; int x; };\nint main(void) { return (int)sizeof(struct s); }",
            true,
        ),
    ] {
        assert_eq!(is_modelled(text), modelled, "{text}");
    }
}
