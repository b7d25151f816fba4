//! The command-line words of Z3 that its clients send, as words of `catena solve`.
//!
//! A client that can be told which program to start, but not with which arguments, starts catena as it would start
//! Z3. Limits are kept; words about output and parameters of the search (`name=value`) mean nothing here
//! and are accepted in silence, `timeout=MS` and `memory_max_size=MB` excepted.

use std::ffi::OsString;

/// The arguments in our own words, if they are those of Z3: the first is one of its words, and none is a command
/// of ours. `-version` becomes `--version`.
pub fn rewritten(args: &[OsString]) -> Option<Vec<OsString>> {
    let first = args.first()?.to_str()?;
    if !is_word(first) {
        return None;
    }
    if args.iter().any(|arg| arg == "-version") {
        return Some(vec!["--version".into()]);
    }
    let mut ours: Vec<OsString> = vec!["solve".into()];
    let mut limits: Vec<&'static str> = Vec::new();
    for arg in args {
        let Some(text) = arg.to_str() else {
            ours.push(arg.clone());
            continue;
        };
        match limit(text) {
            // The first of several limits of one kind counts.
            Some((option, _)) if limits.contains(&option) => {}
            Some((option, value)) => {
                limits.push(option);
                ours.extend([option.into(), value.into()]);
            }
            None if text == "-st" => ours.push("--stats".into()),
            None if text == "-in" => ours.push("-".into()),
            None if is_word(text) => {}
            None => ours.push(arg.clone()),
        }
    }
    Some(ours)
}

/// Whether this is a word of Z3 that is none of ours.
fn is_word(text: &str) -> bool {
    let known = ["-smt2", "-in", "-st", "-version", "-nw", "-model"];
    let valued = ["-t:", "-T:", "-memory:", "-v:", "-rs:"];
    let parameter = || match text.split_once('=') {
        Some((name, _)) => {
            !name.is_empty()
                && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
                && !name.starts_with('-')
        }
        None => false,
    };
    known.contains(&text) || valued.iter().any(|v| text.starts_with(v)) || parameter()
}

/// A limit in our words. Times in milliseconds are per check, as ours are; the time of the whole run is
/// at least a limit of each check.
fn limit(text: &str) -> Option<(&'static str, String)> {
    let seconds = |ms: &str| {
        let ms: u64 = ms.parse().ok()?;
        // 2^32 - 1 is Z3's way to say that there is no limit.
        (ms > 0 && ms < u64::from(u32::MAX)).then(|| format!("{}.{:03}", ms / 1000, ms % 1000))
    };
    let positive = |n: &str| n.parse::<u32>().ok().filter(|&n| n > 0 && n < u32::MAX).map(|n| n.to_string());
    if let Some(ms) = text.strip_prefix("-t:").or_else(|| text.strip_prefix("timeout=")) {
        return seconds(ms).map(|s| ("--timeout", s));
    }
    if let Some(s) = text.strip_prefix("-T:") {
        return positive(s).map(|s| ("--timeout", s));
    }
    let megabytes = text.strip_prefix("-memory:").or_else(|| text.strip_prefix("memory_max_size="));
    megabytes.and_then(positive).map(|mb| ("--memory", mb))
}

#[cfg(test)]
mod tests {
    use super::rewritten;
    use std::ffi::OsString;

    fn words(text: &str) -> Option<String> {
        let args: Vec<OsString> = text.split_whitespace().map(OsString::from).collect();
        let ours = rewritten(&args)?;
        Some(ours.iter().map(|w| w.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn words_of_z3() {
        let cases = [
            ("-smt2 -in", "solve -"),
            ("-smt2 -T:10 file.smt2", "solve --timeout 10 file.smt2"),
            ("-t:1500 -st -v:3 auto_config=false smt.mbqi=true -in", "solve --timeout 1.500 --stats -"),
            ("timeout=4294967295 -memory:512 a.smt2", "solve --memory 512 a.smt2"),
            ("-in -version", "--version"),
        ];
        for (theirs, ours) in cases {
            assert_eq!(words(theirs).as_deref(), Some(ours), "{theirs}");
        }
        for ours in ["solve -", "verify a.c", "--help", "-h", "", "a.smt2", "-x"] {
            assert_eq!(words(ours), None, "{ours}");
        }
    }
}
