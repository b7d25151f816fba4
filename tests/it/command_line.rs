//! The command line as people expect it: explanations, suggestions, pages for shells and for man.

use std::ffi::OsString;

fn catena(args: &[&str]) -> (u8, String, String) {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = catena::cli::run(&args, &mut out, &mut err).expect("output is written");
    (status, String::from_utf8(out).expect("text"), String::from_utf8(err).expect("text"))
}

const COMMANDS: [&str; 8] = ["verify", "solve", "certify", "suite", "rules", "options", "completions", "man"];

/// Every command explains itself on standard output, in lines that fit a screen.
#[test]
fn every_command_explains_itself() {
    for command in COMMANDS {
        for args in [vec![command, "--help"], vec![command, "-h"], vec!["help", command]] {
            let (status, out, err) = catena(&args);
            assert_eq!((status, err.as_str()), (0, ""), "{args:?}");
            assert!(out.contains(&format!("Usage: catena {command}")), "{out}");
            let long = out.lines().find(|line| line.chars().count() > 140);
            assert_eq!(long, None, "{args:?}");
        }
        assert!(catena(&["--help"]).1.contains(&format!("\n  {command}")), "{command}");
    }
    assert_eq!(catena(&["--version"]).1, format!("catena {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(catena(&["-V"]).0, 0);
}

#[test]
fn what_is_misspelt_is_suggested() {
    for (args, suggestion) in [
        (&["verfy", "x.c"][..], "'verify'"),
        (&["verify", "--engin", "pdr", "x.c"], "'--engine'"),
        (&["verify", "--engine", "lasy", "x.c"], "'lazy'"),
        (&["verify", "--format", "jsn", "x.c"], "'json'"),
        (&["verify", "--svcomp", "unreach_call", "x.c"], "'unreach-call'"),
        (&["verify", "--check", "memsafety,leak", "x.c"], "`leaks`"),
        (&["solve", "--timeot", "1"], "'--timeout'"),
        (&["suite", "lisbk"], "'lisbq'"),
        (&["completions", "bsh"], "'bash'"),
        (&["list.c"], "catena verify FILE"),
        (&["list.smt2"], "catena solve FILE"),
    ] {
        let (status, out, err) = catena(args);
        assert_eq!((status, out.as_str()), (64, ""), "{args:?}");
        assert!(err.contains(suggestion), "{args:?}: {err}");
    }
}

/// Statuses of command lines that make no sense.
#[test]
fn bad_usage() {
    for args in [
        &[][..],
        &["verify"],
        &["rules"],
        &["suite"],
        &["suite", "lisbq", "pdr"],
        &["options", "x"],
        &["man", "nothing"],
        &["verify", "--timeout", "-1", "x.c"],
        &["verify", "--timeout", "soon", "x.c"],
        &["verify", "--memory", "1.5", "x.c"],
        &["verify", "--jobs", "0", "x.c"],
        &["verify", "--context", "heap", "x.c"],
        &["verify", "--check", ",", "x.c"],
        &["verify", "-D", "x.c"],
    ] {
        let (status, out, err) = catena(args);
        assert_eq!((status, out.as_str()), (64, ""), "{args:?}");
        assert!(!err.is_empty(), "{args:?}");
    }
}

/// What the words of a command line carry to a terminal cannot change it.
#[test]
fn hostile_words_are_escaped() {
    for word in ["\x1b[31mred", "--\x1b]0;title\x07", "a\u{202e}b", "a\rb", "\u{9b}31m"] {
        for args in [
            vec![word],
            vec!["verify", "--engine", word, "x.c"],
            vec!["man", word],
            vec!["rules", "show", word],
        ] {
            let (status, _, err) = catena(&args);
            assert_eq!(status, 64, "{args:?}");
            let bad = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
            assert!(!err.contains(bad), "{args:?}: {err:?}");
        }
    }
}

/// The last of several values counts, as scripts that add options expect.
#[test]
fn an_option_may_be_given_again() {
    let file = crate::root().join("tests/programs/lisbq/iterate.c");
    let file = file.to_str().expect("a plain name");
    let args = [
        "verify",
        "--timeout",
        "0.001",
        "--timeout",
        "60",
        "--engine",
        "pdr",
        "--engine",
        "vc",
        "-q",
        "-q",
        file,
    ];
    let (status, out, err) = catena(&args);
    assert_eq!(status, 0, "{out}{err}");
    assert!(out.contains("verified (vc"), "{out}");
}

#[test]
fn completions_and_pages() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let (status, out, _) = catena(&["completions", shell]);
        assert_eq!(status, 0, "{shell}");
        for word in ["verify", "compile-commands", "certify"] {
            assert!(out.contains(word), "{shell}: {word}");
        }
    }
    let (status, out, _) = catena(&["man"]);
    assert_eq!(status, 0);
    assert!(out.starts_with(".ie") && out.contains(".TH catena 1"), "{out}");
    for command in COMMANDS {
        let (status, out, _) = catena(&["man", command]);
        assert_eq!(status, 0, "{command}");
        assert!(out.contains(&format!(".TH catena-{command} 1")), "{out}");
    }
}
