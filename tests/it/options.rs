//! Whatever the options are, an answer may become `unknown` or `too-weak`, never wrong. The values belong to the process, so
//! each setting has a process of its own.

use catena::util::options::TABLE;
use catena::util::rng::Rng;
use std::process::Command;

/// A value from the range: an end, the default, or near it.
fn draw(choice: &catena::util::options::Choice, rng: &mut Rng) -> u64 {
    let (least, most) = choice.range;
    let default = choice.default;
    let value = match rng.below(6) {
        0 => least,
        1 => default / 10,
        2 => default / 2,
        3 => default.saturating_mul(2),
        _ => default,
    };
    value.clamp(least, most)
}

#[test]
fn no_setting_makes_an_answer_wrong() {
    let programs = crate::root().join("tests/programs");
    let mut files = Vec::new();
    for directory in ["pdr", "lazy", "lisbq", "monotone"] {
        files.extend(crate::files(&programs.join(directory), "c").into_iter().step_by(5));
    }
    for seed in 0..4 {
        let mut rng = Rng::new(seed);
        let settings: Vec<String> =
            TABLE.iter().map(|choice| format!("--set={}={}", choice.name, draw(choice, &mut rng))).collect();
        for file in &files {
            let [case] = &crate::regressions::cases(file)[..] else { panic!("{}: one call", file.display()) };
            let mut command = Command::new(env!("CARGO_BIN_EXE_catena"));
            command.args(["verify", "--quiet", "--timeout", "1"]).args(&settings);
            command.args(case.option("--check").map(|checks| format!("--check={checks}")));
            let output = command.arg(file).output().expect("the program runs");
            let status = output.status.code();
            assert!(matches!(status, Some(0..=2)), "{}: {status:?} {settings:?}", file.display());
            let out = String::from_utf8(output.stdout).expect("text");
            for any in &case.expect {
                let [expected] = &any[..] else { continue };
                let wrong = if let Some(function) = expected.strip_suffix(": verified") {
                    format!(":{function}: violated (")
                } else if let Some(function) = expected.strip_suffix(": violated") {
                    format!(":{function}: verified (")
                } else {
                    continue;
                };
                assert!(!out.contains(&wrong), "{} {settings:?}: {out}", file.display());
            }
        }
    }
}

#[test]
fn a_wrong_option_is_a_usage_error() {
    for (words, complaint) in [
        (vec!["options", "--set", "no.such=1"], "there is no option `no.such`"),
        (vec!["--set=explore.cells=99", "options"], "takes a number from 0 to 8, not 99"),
        (vec!["options", "--set"], "a value is required for '--set <NAME=VALUE>'"),
        (vec!["verify", "--set", "explore.cells", "x.c"], "expected NAME=VALUE, found `explore.cells`"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_catena")).args(&words).output().expect("it runs");
        assert_eq!(output.status.code(), Some(64), "{words:?}");
        let err = String::from_utf8(output.stderr).expect("text");
        assert!(err.contains(complaint), "{words:?}: {err}");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_catena")).arg("options").output().expect("it runs");
    let out = String::from_utf8(output.stdout).expect("text");
    assert_eq!(out.lines().filter(|l| l.contains("(default ")).count(), TABLE.len());
}
