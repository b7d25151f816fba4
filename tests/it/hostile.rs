//! Texts that are no programs, and files in which only a part is one. Programs that try to provoke a wrong `verified` are in
//! `tests/data/c`; `regressions` runs them.

use std::ffi::OsString;
use std::path::Path;

fn verify(options: &[&str], file: &Path) -> (u8, String, String) {
    let mut args: Vec<OsString> = vec!["verify".into()];
    args.extend(options.iter().map(OsString::from));
    args.push(file.into());
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = catena::cli::run(&args, &mut out, &mut err).expect("output is written");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (status, text(out), text(err))
}

#[test]
fn no_text_makes_it_panic_or_hang() {
    let nested = |open: &str, inner: &str, close: &str| {
        format!(
            "int main(void) {{ int x = 0; {}{inner}{} return x; }}\n",
            open.repeat(10_000),
            close.repeat(10_000)
        )
    };
    let functions: String = (0..100)
        .map(|i| format!("/*@ ensures \\result == {i}; @*/ int f{i}(void) {{ return {i}; }}\n"))
        .collect();
    let rows: Vec<(&str, Vec<u8>, u8)> = vec![
        ("blocks", nested("{", "", "}").into(), 65),
        ("conditionals", nested("if (x) {", "", "}").into(), 65),
        ("brackets", nested("x = (", "1", ");").into(), 65),
        ("minus", nested("x = - ", "1;", "").into(), 65),
        (
            "annotation",
            format!("/*@ requires {}x == 1; @*/ int f(int x) {{ return x; }}\n", "(".repeat(10_000)).into(),
            65,
        ),
        ("large", format!("{functions}/* {} */\n", "x".repeat(5 << 20)).into(), 0),
        (
            "macros",
            {
                let lines: String =
                    (1..30).map(|i| format!("#define A{i} A{0} + A{0} + A{0}\n", i - 1)).collect();
                format!("#define A0 1\n{lines}int main(void) {{ return A29; }}\n").into()
            },
            65,
        ),
        ("binary", (0..=255).cycle().take(10_000).collect(), 65),
        ("empty", Vec::new(), 2),
        ("comment", b"int main(void) { /* never closed\n return 0; }\n".to_vec(), 65),
        ("string", b"int main(void) { char *s = \"abc\n; return 0; }\n".to_vec(), 65),
        ("twice", b"int main(void) { return 0; }\nint main(void) { return 1; }\n".to_vec(), 65),
    ];
    for (name, text, expected) in rows {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hostile_{name}.c"));
        std::fs::write(&file, text).expect("a place for test files");
        let (status, out, err) = verify(&["--quiet"], &file);
        assert_eq!(status, expected, "{name}: {out}{}", err.chars().take(500).collect::<String>());
        if expected == 65 {
            assert!(!out.contains("verified"), "{name}: {out}");
            assert!(err.contains(&format!("hostile_{name}.c:")), "{name}: {err}");
        }
    }
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile_empty_directory");
    std::fs::create_dir_all(&directory).expect("a place for test files");
    assert_eq!(verify(&[], &directory).0, 65);
    assert_eq!(verify(&[], &directory.join("nowhere.c")).0, 65);
}

#[test]
fn one_bad_function_does_not_hide_the_others() {
    let text = "struct node { int d; struct node *next; };
/*@ requires \\list(nxt, x); @*/ struct node *a(struct node *x) { return x; }
/*@ requires \\valid(y); @*/ int b(struct node *x) { return x->d; }
/*@ requires \\valid(x); ensures \\result == x->d; @*/ int good(struct node *x) { return x->d; }
/*@ ensures \\frobnicate(3); @*/ int c(void) { return 3; }
/*@ requires x +; @*/ int d(int x) { return 3; }
/*@ ensures \\result == \\at(x->d, Nowhere); @*/ int e(struct node *x) { return x->d; }
/*@ assigns x->zz; @*/ int f(struct node *x) { return 3; }
";
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile_functions.c");
    std::fs::write(&file, text).expect("a place for test files");
    let (status, out, err) = verify(&["--quiet"], &file);
    assert_eq!(status, 65, "{out}{err}");
    let verified: Vec<&str> = out.lines().filter(|l| l.contains(": verified ")).collect();
    assert!(verified.len() == 1 && verified[0].contains(":good: "), "{out}");
    for line in [2, 3, 5, 6, 7, 8] {
        assert!(err.contains(&format!("hostile_functions.c:{line}:")), "line {line}: {err}");
    }
}
