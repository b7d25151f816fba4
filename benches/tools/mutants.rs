//! Hammers `certify` with pairs that do not belong together: an honest certificate and a changed program, or a changed
//! certificate and the program.
//!
//! `mutants CATENA COUNT SEED FILE...` takes the program `catena`, how many pairs are made, and C files (folders stand
//! for the files below them) of which those are used that are verified as their `// RUN:` line says. A pair that is certified is judged:
//! a changed certificate may say the same in another way, and a changed program may be right too, so the verdict must
//! hold of the program by all other means: the portfolio, with its search over small heaps, must not refute it.
//! Prints the pairs that are accepted, and the sums; the status is 1 if one of them is wrong.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Numbers from a seed (SplitMix64).
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n.max(1) as u64) as usize
    }
}

struct Honest {
    options: Vec<String>,
    source: String,
    certificate: String,
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let usage = "mutants CATENA COUNT SEED FILE...";
    let catena = args.next().expect(usage);
    let count: usize = args.next().expect(usage).parse().expect(usage);
    let mut draw = Draw(args.next().expect(usage).parse().expect(usage));
    let mut files = Vec::new();
    args.for_each(|file| collect(Path::new(&file), &mut files));
    let folder = std::env::temp_dir().join(format!("mutants-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let (source, certificate) = (folder.join("case.c"), folder.join("case.cert"));
    let (source, certificate) =
        (source.to_string_lossy().into_owned(), certificate.to_string_lossy().into_owned());
    let run = |what: &[&str]| {
        let output = Command::new(&catena).args(what).output().expect("catena can be run");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let mut honest: Vec<Honest> = Vec::new();
    for file in &files {
        let Some(options) = options(file) else { continue };
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        std::fs::write(&source, &text).expect("written");
        let mut arguments: Vec<&str> = vec!["verify"];
        arguments.extend(options.iter().map(String::as_str));
        arguments.extend(["--certificate", &certificate, &source]);
        run(&arguments);
        let Ok(evidence) = std::fs::read_to_string(&certificate) else { continue };
        if run(&["certify", &source, &certificate]).contains(": certified: verified") {
            honest.push(Honest { options, source: text, certificate: evidence });
        }
    }
    println!("{} programs with certificates", honest.len());
    let (mut accepted, mut wrong, mut made) = (0, 0, 0);
    while made < count && !honest.is_empty() {
        let one = &honest[draw.below(honest.len())];
        let program = draw.below(3) > 0;
        let (text, evidence) = if program {
            (changed_program(&one.source, &mut draw), one.certificate.clone())
        } else {
            (one.source.clone(), changed_certificate(&one.certificate, &mut draw))
        };
        if text == one.source && evidence == one.certificate {
            continue;
        }
        made += 1;
        std::fs::write(&source, &text).expect("written");
        std::fs::write(&certificate, &evidence).expect("written");
        let says = run(&["certify", &source, &certificate]);
        if !says.contains(": certified: verified") {
            continue;
        }
        accepted += 1;
        let mut arguments: Vec<&str> = vec!["verify", "--timeout", "20"];
        let kept = |w: &&String| !matches!(w.as_str(), "--engine" | "--timeout");
        let mut skip = false;
        for word in &one.options {
            let flag = !kept(&word);
            if !skip && !flag {
                arguments.push(word);
            }
            skip = flag;
        }
        arguments.push(&source);
        let verdict = run(&arguments);
        let certified = says.lines().filter(|l| l.contains(": certified: verified"));
        for function in certified.filter_map(|l| l.split(": certified").next()) {
            if verdict.lines().any(|l| l.starts_with(&format!("{function}: violated"))) {
                wrong += 1;
                println!("WRONG: {says}{verdict}\n{text}\n{evidence}");
            }
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    println!("{made} pairs, {accepted} accepted, {wrong} of them wrong");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// One change in the code of a program, comments left alone.
fn changed_program(text: &str, draw: &mut Draw) -> String {
    const PAIRS: [(&str, &str); 14] = [
        ("==", "!="),
        ("!=", "=="),
        ("<", "<="),
        ("<=", "<"),
        ("&&", "||"),
        ("->next", "->prev"),
        ("->prev", "->next"),
        (" 1", " 2"),
        (" 0", " 1"),
        ("NULL", "t"),
        ("while", "if"),
        ("->n;", ";"),
        ("->left", "->right"),
        ("+ 1", "+ 2"),
    ];
    let lines: Vec<&str> = text.lines().collect();
    let code: Vec<usize> = (0..lines.len())
        .filter(|&i| {
            let line = lines[i].trim();
            lines[i].starts_with(' ') && !line.is_empty() && !line.contains("@") && !line.starts_with("//")
        })
        .collect();
    if code.is_empty() {
        return text.to_owned();
    }
    let at = code[draw.below(code.len())];
    let mut out: Vec<String> = lines.iter().map(|l| (*l).to_owned()).collect();
    if draw.below(4) == 0 && lines[at].trim_end().ends_with(';') {
        out[at] = String::new();
    } else {
        let fitting: Vec<&(&str, &str)> = PAIRS.iter().filter(|(from, _)| lines[at].contains(from)).collect();
        if fitting.is_empty() {
            return text.to_owned();
        }
        let (from, to) = fitting[draw.below(fitting.len())];
        out[at] = lines[at].replacen(from, to, 1);
    }
    out.join("\n") + "\n"
}

/// One change in a certificate: a line less, a line twice, two lines exchanged, a word or a number changed.
fn changed_certificate(text: &str, draw: &mut Draw) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let (at, other) = (draw.below(lines.len()), draw.below(lines.len()));
    match draw.below(6) {
        0 => {
            lines.remove(at);
        }
        1 => lines.insert(other, lines[at].clone()),
        2 => lines.swap(at, other),
        3 => lines.truncate(at),
        4 => {
            let words: Vec<String> = lines[other].split(' ').map(str::to_owned).collect();
            let word = words[draw.below(words.len())].clone();
            let mut changed: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
            let place = draw.below(changed.len());
            changed[place] = word;
            lines[at] = changed.join(" ");
        }
        _ => {
            let digits: Vec<usize> =
                lines[at].bytes().enumerate().filter(|(_, b)| b.is_ascii_digit()).map(|(i, _)| i).collect();
            if let Some(&i) = digits.get(draw.below(digits.len())) {
                let digit = char::from(b'0' + draw.below(10) as u8);
                lines[at].replace_range(i..=i, &digit.to_string());
            }
        }
    }
    lines.join("\n") + "\n"
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if !path.is_dir() {
        files.push(path.to_owned());
        return;
    }
    let entries = std::fs::read_dir(path).expect("a folder can be read");
    let mut below: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    below.sort();
    for path in below {
        if path.is_dir() || path.extension().is_some_and(|end| end == "c") {
            collect(&path, files);
        }
    }
}

/// The options that a file is verified with; `None` if it says that nothing in it is verified.
fn options(file: &Path) -> Option<Vec<String>> {
    let text = String::from_utf8_lossy(&std::fs::read(file).ok()?).into_owned();
    let mut head = text.lines().take(20);
    let run = head.clone().find_map(|l| l.strip_prefix("// RUN: ").map(str::to_owned))?;
    let verified = head.any(|l| l.starts_with("// EXPECT") && l.contains(": verified"));
    let mut words = run.split_whitespace().filter(|w| !w.contains('%')).map(str::to_owned);
    (verified && words.next()? == "verify").then(|| words.collect())
}
