//! Programs in the style of the competition on software verification. The first line of each file says what is asked
//! and what the last line of the answer is: `// PROPERTY: VERDICT`; of `unknown` only the word counts.

use std::ffi::OsString;

#[test]
fn programs_get_the_answers_that_they_ask_for() {
    let mut wrong = Vec::new();
    let files = crate::files(&crate::root().join("tests/programs/competition"), "c");
    assert!(!files.is_empty());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let first = text.lines().next().and_then(|line| line.strip_prefix("// "));
        let (property, expected) = first.and_then(|line| line.split_once(": ")).expect("what is expected");
        let mut args: Vec<OsString> = ["verify", "--timeout", "120", "--svcomp"].map(OsString::from).to_vec();
        args.extend([property.into(), file.clone().into()]);
        let (mut out, mut err) = (Vec::new(), Vec::new());
        catena::cli::run(&args, &mut out, &mut err).expect("output is written");
        let out = String::from_utf8(out).expect("text");
        let found = out.lines().last().and_then(|line| line.strip_prefix("VERDICT: ")).unwrap_or("nothing");
        let found = if found.starts_with("unknown(") { "unknown" } else { found };
        if found != expected {
            wrong.push(format!("{}: expected {expected}\n{out}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
