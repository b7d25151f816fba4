//! Files as projects have them: headers beside the file and in directories, flags, compilation databases, directories.

use std::ffi::OsString;
use std::path::PathBuf;

/// Without the line that counts functions.
pub(super) fn without_summary(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.contains(" functions: ")).collect()
}

/// A directory of its own for a test, with these files.
pub(super) struct Project(pub PathBuf);

impl Project {
    pub(super) fn new(name: &str, files: &[(&str, &str)]) -> Project {
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("projects").join(name);
        let _ = std::fs::remove_dir_all(&directory);
        let project = Project(directory);
        files.iter().for_each(|(path, text)| project.write(path, text));
        project
    }

    pub(super) fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("a place for test files");
        std::fs::write(path, text).expect("a place for test files");
    }

    /// Runs `catena` with these words, in which `@` stands for the directory; the directory is taken away from the
    /// output, and the times.
    pub(super) fn run(&self, words: &str) -> (u8, String, String) {
        let (status, out, err) = self.run_whole(words);
        (status, out, without_summary(&err))
    }

    /// The same, with the line that counts functions.
    fn run_whole(&self, words: &str) -> (u8, String, String) {
        let here = self.0.display().to_string();
        let args: Vec<OsString> =
            words.split_whitespace().map(|w| OsString::from(w.replace('@', &here))).collect();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let status = catena::cli::run(&args, &mut out, &mut err).expect("output is written");
        let clean = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).expect("text").replace(&format!("{here}/"), "");
            // A path below the present directory is shown without it.
            let below = self.0.strip_prefix(std::env::current_dir().expect("a directory"));
            let text = below.map_or(text.clone(), |b| text.replace(&format!("{}/", b.display()), ""));
            super::verify::without_time(&text)
        };
        (status, clean(out), clean(err))
    }
}

const LIST_H: &str = "#ifndef LIST_H
#define LIST_H
#include <stddef.h>
struct node { int data; struct node *next; };

/*@ requires \\list(next, l) && \\valid(e) && !(l -next*-> e);
    ensures \\list(next, \\result); @*/
struct node *push(struct node *l, struct node *e);
#endif
";
const LIST_C: &str = "#include \"list.h\"
#include \"list.h\"
struct node *push(struct node *l, struct node *e) { e->next = l; return e; }
";

#[test]
fn headers_beside_the_file_and_their_contracts() {
    let p = Project::new("beside", &[("list.h", LIST_H), ("list.c", LIST_C)]);
    assert_eq!(p.run("verify @/list.c"), (0, "list.c:push: verified (vc, T)\n".into(), String::new()));
}

#[test]
fn headers_in_directories_in_order() {
    let p = Project::new(
        "directories",
        &[
            ("a/which.h", "#define WHICH 1\n"),
            ("b/which.h", "#include_next <which.h>\n#define OUTER 1\n"),
            ("c/which.h", "#define WHICH 3\n"),
            (
                "src/t.c",
                "#include <which.h>\n#include <assert.h>\nint main(void) { assert(WHICH == N); return 0; }\n",
            ),
            (
                "src/q.c",
                "#include \"which.h\"\n#include <assert.h>\nint main(void) { assert(WHICH == N); return 0; }\n",
            ),
        ],
    );
    let status = |words: &str| p.run(words).0;
    assert_eq!(status("verify -I @/a -I @/c -D N=1 @/src/t.c"), 0);
    assert_eq!(status("verify -I@/c -I @/a -DN=3 @/src/t.c"), 0);
    assert_eq!(status("verify -I@/b -I@/c -I @/a -DN=3 @/src/t.c"), 0);
    assert_eq!(status("verify -I@/a -DN=3 @/src/t.c"), 1);
    assert_eq!(status("verify -iquote @/a -I @/c -D N=3 @/src/t.c"), 0);
    assert_eq!(status("verify -iquote @/a -I @/c -D N=1 @/src/q.c"), 0);
    assert_eq!(status("verify -isystem@/c -DN=3 @/src/q.c"), 0);
}

#[test]
fn macros_and_files_before_the_text() {
    let text = "#include <assert.h>
#if defined A && !defined B && C == 5 && F(2) == 3
int main(void) { assert(pre == 7); return 0; }
#endif
";
    let p = Project::new("flags", &[("t.c", text), ("pre.h", "static const int pre = VALUE;\n")]);
    let (status, out, err) =
        p.run("verify -DB -D A -U B -D C=5 -DF(x)=(x+1) -DVALUE=7 -include @/pre.h @/t.c");
    assert_eq!((status, out.lines().count()), (0, 1), "{out}{err}");
    let (status, _, err) = p.run("verify -D 1x @/t.c");
    assert_eq!((status, err.contains("needs a macro's name")), (64, true), "{err}");
    let (status, _, err) = p.run("verify -include nowhere.h @/t.c");
    assert_eq!((status, err.contains("<command line>:1:10")), (65, true), "{err}");
    let (status, _, err) = p.run("verify -ifoo @/t.c");
    assert_eq!((status, err.contains("unexpected argument '-i'")), (64, true), "{err}");
}

#[test]
fn a_missing_header_names_the_places() {
    let p = Project::new("missing", &[("src/t.c", "#include \"gone.h\"\nint main(void) { return 0; }\n")]);
    let (status, _, err) = p.run("verify -I @/inc @/src/t.c");
    assert_eq!(status, 65);
    assert!(err.contains("src/t.c:1:10"), "{err}");
    assert!(err.contains("header `gone.h` is not found"), "{err}");
    assert!(err.contains("searched: src/gone.h, inc/gone.h"), "{err}");
}

#[test]
fn messages_inside_headers_name_the_chain() {
    let p = Project::new(
        "chain",
        &[
            ("t.c", "\n#include \"a.h\"\nint main(void) { return 0; }\n"),
            ("a.h", "#include \"sub/b.h\"\n"),
            ("sub/b.h", "\n\nint x = ;\n"),
        ],
    );
    let (status, _, err) = p.run("verify @/t.c");
    assert_eq!(status, 65);
    let expected = ["--> sub/b.h:3:9", "included from a.h:1:10", "included from t.c:2:10"];
    let places: Vec<_> = expected.iter().map(|e| err.find(e)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{err}");
    let (_, out, _) = p.run("verify --format json @/t.c");
    let json: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let chain = &json[0]["diagnostic"]["included_from"];
    assert_eq!((&chain[0]["file"], &chain[1]["line"]), (&"a.h".into(), &2.into()), "{json}");
}

#[test]
fn circles_of_includes_end() {
    let p = Project::new(
        "circles",
        &[
            ("t.c", "#include \"a.h\"\nint main(void) { return 0; }\n"),
            ("a.h", "#include \"b.h\"\n#include \"b.h\"\n"),
            ("b.h", "#include \"a.h\"\n#include \"a.h\"\n"),
            ("u.c", "#include \"wide.h\"\nint main(void) { return 0; }\n"),
            ("wide.h", "#if __INCLUDE_LEVEL__ < 60\n#include \"wide.h\"\n#include \"wide.h\"\n#endif\n"),
            ("o.c", "#include \"once.h\"\n#include \"./once.h\"\nint main(void) { return 0; }\n"),
            ("once.h", "#pragma once\n#include \"o.c\"\nint once;\nstruct s { int x; };\n"),
        ],
    );
    let (status, _, err) = p.run("verify @/t.c");
    assert_eq!((status, err.matches("nested more than 200").count()), (65, 1), "{err}");
    let (status, _, err) = p.run("verify @/u.c");
    assert_eq!((status, err.matches("more text than is reasonable").count()), (65, 1), "{err}");
    // The second `main` is the only complaint.
    let (status, _, err) = p.run("verify @/o.c");
    assert_eq!((status, err.matches("error[").count()), (65, 1), "{err}");
}

#[test]
fn headers_are_asked_for() {
    let text = "#define WHICH \"here.h\"
#define ANGLED <stdlib.h>
#include WHICH
#include ANGLED
#if defined __has_include && __has_include(\"here.h\") && !__has_include(\"gone.h\") && __has_include(<stdlib.h>) \\
 && !__has_include(<gone/gone.h>) && __has_include(WHICH)
int main(void) { int *p = malloc(HERE); free(p); return 0; }
#endif
";
    let p = Project::new("asked", &[("t.c", text), ("here.h", "#define HERE sizeof(int)\n")]);
    let (status, out, err) = p.run("verify @/t.c");
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
}

#[test]
fn standard_headers_stay_the_bundled_ones() {
    let text = "#include <stdlib.h>\n#include <pthread.h>\n#include \"string.h\"\nint main(void) { return OWN + MINE; }\n";
    let p = Project::new(
        "standard",
        &[
            ("t.c", text),
            ("inc/stdlib.h", "#error not this one\n"),
            ("inc/pthread.h", "#define OWN 0\n"),
            ("string.h", "#define MINE 0\n"),
        ],
    );
    let (status, _, err) = p.run("verify -I @/inc @/t.c");
    assert_eq!(status, 0, "{err}");
    assert!(err.contains("the bundled `<stdlib.h>` is read, not `inc/stdlib.h`"), "{err}");
}

/// A program that can say which flags it was read with.
const SIZES: &str = "#include <assert.h>
#include \"config.h\"
int main(void) { assert(sizeof(long) == LONG && STD == __STDC_VERSION__ && FORCED); return 0; }
";

#[test]
fn flags_of_a_compilation_database() {
    let p = Project::new(
        "database",
        &[
            ("src/a.c", SIZES),
            ("src/b.c", SIZES),
            ("src/c.cpp", "int main() {}\n"),
            ("inc/config.h", "#define CONFIG\n"),
            ("forced.h", "#define FORCED 1\n"),
        ],
    );
    let here = p.0.display().to_string();
    let database = r#"[
      {"directory": "HERE", "file": "src/a.c",
       "command": "cc -Wall -O2 -Iinc -DLONG=8 '-DSTD=201112L' -include forced.h -c -o a.o src/a.c"},
      {"directory": "HERE/src", "file": "b.c",
       "arguments": ["gcc", "-m32", "-std=c99", "-I", "../inc", "-D", "LONG=4", "-DSTD=199901L", "-include", "../forced.h", "b.c"]},
      {"directory": "HERE", "file": "src/c.cpp", "command": "c++ -c src/c.cpp"}
    ]"#;
    p.write("compile_commands.json", &database.replace("HERE", &here));
    for words in ["verify @", "verify --compile-commands @/compile_commands.json", "verify @/"] {
        let (status, out, err) = p.run(words);
        let heads = out.lines().filter(|l| !l.starts_with(' '));
        let heads: Vec<_> = heads.filter_map(|l| l.split_once(" (").map(|(head, _)| head)).collect();
        let expected = ["src/a.c:main: verified", "src/b.c:main: verified"];
        assert_eq!((status, heads.as_slice()), (0, &expected[..]), "{err}");
        assert!(err.contains("src/c.cpp: left out"), "{err}");
    }
    let (status, out, _) = p.run("verify --compile-commands @/compile_commands.json @/src/b.c");
    assert_eq!((status, out.lines().filter(|l| l.contains(":main:")).count()), (0, 1), "{out}");
    let (status, _, _) = p.run("verify @/src/b.c");
    assert_eq!(status, 65, "without its flags");
    let certificate = "--compile-commands @/compile_commands.json @/src/b.c";
    let (status, _, err) = p.run(&format!("verify --certificate @/b.cert {certificate}"));
    assert_eq!(status, 0, "{err}");
    let (status, out, err) = p.run(&format!("certify {certificate} @/b.cert"));
    assert_eq!((status, out.contains("ILP32")), (0, true), "{out}{err}");
}

#[test]
fn a_flag_without_a_model_is_no_verdict() {
    let p = Project::new("unmodelled", &[("a.c", "int main(void) { return 0; }\n")]);
    p.write(
        "build/compile_commands.json",
        r#"[{"directory": "..", "file": "a.c", "command": "cc -funsigned-char -c a.c"}]"#,
    );
    let (status, out, err) = p.run("verify @");
    assert_eq!(status, 2, "{err}");
    assert!(out.contains("a.c:main: unknown") && out.contains("`-funsigned-char`"), "{out}");
}

#[test]
fn broken_databases_are_refused() {
    let p = Project::new("broken", &[("a.c", "int main(void) { return 0; }\n"), ("empty/x", "")]);
    let cases = [
        ("{", "EOF"),
        ("{}", "expected a list"),
        (r#"[{"file": "a.c"}]"#, "`directory` is missing"),
        (r#"[{"directory": "."}]"#, "`file` is missing"),
        (r#"[{"directory": ".", "file": "a.c"}]"#, "neither `command` nor `arguments`"),
        (r#"[{"directory": ".", "file": "a.c", "arguments": [1]}]"#, "no list of texts"),
        ("[]", "no C file"),
    ];
    for (text, expected) in cases {
        p.write("compile_commands.json", text);
        let (status, _, err) = p.run("verify @");
        assert_eq!((status, err.contains(expected)), (65, true), "{text}: {err}");
    }
    let (status, _, err) = p.run("verify @/empty");
    assert_eq!((status, err.contains("no C file below it")), (65, true), "{err}");
    let (status, _, _) = p.run("verify --compile-commands @/nowhere.json");
    assert_eq!(status, 65);
}

#[test]
fn a_directory_stands_for_its_files() {
    let contract = "/*@ ensures \\result == 1; @*/\nint f(void) { return 1; }\n";
    let p = Project::new(
        "below",
        &[("b/x.c", contract), ("a.c", contract), ("a.h", "#error\n"), (".git/y.c", "#error\n")],
    );
    let (status, out, err) = p.run_whole("verify @");
    let expected = "a.c:f: verified (vc, T)\nb/x.c:f: verified (vc, T)\n";
    assert_eq!((status, out.as_str()), (0, expected));
    assert!(err.starts_with("2 functions: 2 verified (") && err.lines().count() == 1, "{err}");
}

/// `gcc -E` of everything that a program may include: what glibc declares and the program does not use is no reason
/// to refuse it.
#[test]
fn preprocessed_text_with_the_headers_of_a_system() {
    let headers =
        ["stdio", "stdlib", "string", "ctype", "errno", "time", "math", "assert", "limits", "stdint"]
            .into_iter()
            .chain([
                "stdbool",
                "unistd",
                "pthread",
                "signal",
                "sys/types",
                "sys/stat",
                "fcntl",
                "wchar",
                "locale",
            ]);
    let mut text: String = headers.map(|h| format!("#include <{h}.h>\n")).collect();
    text.push_str(
        "struct node { int data; struct node *next; };
int main(void) {
  struct node *l = NULL;
  for (int i = 0; i < 5; i++) {
    struct node *n = malloc(sizeof *n);
    n->data = i; n->next = l; l = n;
  }
  while (l) { struct node *n = l->next; assert(l->data > 0); free(l); l = n; }
  return 0;
}
",
    );
    let p = Project::new("system", &[("t.c", &text)]);
    let preprocess = |flags: &[&str], out: &str| {
        let mut gcc = std::process::Command::new("gcc");
        let gcc = gcc.current_dir(&p.0).args(flags).args(["-E", "t.c", "-o", out]).output();
        gcc.is_ok_and(|done| done.status.success())
    };
    let variants: [&[&str]; 4] =
        [&[], &["-D_GNU_SOURCE", "-O2"], &["-O2", "-D_FORTIFY_SOURCE=2"], &["-std=c99"]];
    for flags in variants {
        if !preprocess(flags, "t.i") {
            eprintln!("no compiler for {flags:?}");
            continue;
        }
        let (status, out, err) = p.run("verify @/t.i");
        assert_eq!((status, err.as_str()), (1, ""), "{flags:?}: {out}");
        assert!(out.contains("t.c:27:"), "the place is one of t.c: {out}");
    }
}

#[test]
fn the_library_reads_what_it_is_given() {
    use catena::Verifier;
    let source =
        "#include \"list.h\"\nstruct node *push(struct node *l, struct node *e) { e->next = l; return e; }\n";
    let alone = Verifier::new().verify("src/list.c", source);
    let error = alone.expect_err("nobody gives files").to_string();
    assert!(error.contains("src/list.c:1:10: header `list.h` is not found"), "{error}");
    let files = std::collections::BTreeMap::from([("include/list.h".to_owned(), LIST_H.as_bytes().to_vec())]);
    let report = Verifier::new().files(files).include_directory("include").verify("src/list.c", source);
    assert!(report.expect("a report").is_verified());
    let wrong = std::collections::BTreeMap::from([("src/list.h".to_owned(), b"int x = ;\n".to_vec())]);
    let report = Verifier::new().files(wrong).verify("src/list.c", source);
    let Err(catena::findings::VerifyError::Rejected(found)) = report else { panic!("{report:?}") };
    assert_eq!((found[0].place.file.as_str(), found[0].place.line), ("src/list.h", 1));
    assert_eq!(found[0].included_from[0].file, "src/list.c");
    let source = "/*@ ensures \\result == N; @*/\nint f(void) { return M; }\n#ifdef U\n#error\n#endif\n";
    let report =
        Verifier::new().define("U").define("N=2").define("M=(1+1)").undefine("U").verify("f.c", source);
    assert!(report.expect("a report").is_verified());
    let disk = Project::new("library", &[("list.h", LIST_H)]);
    let name = disk.0.join("list.c").display().to_string();
    assert!(Verifier::new().files(catena::Disk).verify(&name, LIST_C).expect("a report").is_verified());
}
