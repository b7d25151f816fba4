//! Compiles `rules/*.rules` into matchers and into the text of the run-time table.
//!
//! The parser and the compiler are the library's own files, included by path: the table that proofs
//! are checked against and the code that finds them come from one reading of one text.

use std::{env, fmt::Write, fs, path::Path, process::exit};

#[path = "."]
mod rules {
    #![expect(dead_code, reason = "the library uses items of these files that a build does not need")]
    #[path = "../src/rules/codegen.rs"]
    pub mod codegen;
    #[path = "../src/rules/parse.rs"]
    pub mod parse;
    #[path = "../src/rules/plan.rs"]
    pub mod plan;
    #[path = "../src/rules/redundant.rs"]
    pub mod redundant;
    #[path = "../src/rules/syntax.rs"]
    pub mod syntax;
}

fn main() {
    for file in ["syntax", "parse", "redundant", "plan", "codegen"] {
        println!("cargo::rerun-if-changed=src/rules/{file}.rs");
    }
    // The folder too, for files that come and go.
    println!("cargo::rerun-if-changed=rules");
    let entries = fs::read_dir("rules").expect("the folder rules/ is readable");
    let mut files: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".rules"))
        .collect();
    files.sort();

    let (mut code, mut sources) = (String::new(), String::new());
    let (mut count, mut failed) = (0, false);
    for file in files {
        let path = format!("rules/{file}");
        println!("cargo::rerun-if-changed={path}");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        match rules::parse::parse(&path, &text) {
            Ok(theory) => {
                code.push_str(&rules::codegen::module(&theory, count));
                let _ = writeln!(sources, "    ({path:?}, {text:?}),");
                count += theory.rules.len();
            }
            Err(diagnostics) => {
                failed = true;
                for diagnostic in &diagnostics {
                    let span = diagnostic.span;
                    println!("cargo::error={path}:{}:{}: {}", span.line, span.column, diagnostic.message);
                    eprintln!("{diagnostic}");
                }
            }
        }
    }
    if failed {
        exit(1);
    }
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("matchers.rs"), code).expect("OUT_DIR is writable");
    fs::write(Path::new(&out).join("sources.rs"), format!("&[\n{sources}]\n")).expect("OUT_DIR is writable");
}
