//! `--replay`: the C program of a failing run, compiled with the address sanitizer, fails at the line that was reported.

use crate::root;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

fn has_compiler() -> bool {
    let dir = std::env::temp_dir().join(format!("catena-cc-{}", std::process::id()));
    let _ = std::fs::create_dir_all(&dir);
    let source = dir.join("t.c");
    let _ = std::fs::write(&source, "int main(void) { return 0; }\n");
    let done = Command::new("cc")
        .args(["-g", "-fsanitize=address"])
        .arg(&source)
        .arg("-o")
        .arg(dir.join("t"))
        .output()
        .is_ok_and(|o| o.status.success());
    let _ = std::fs::remove_dir_all(&dir);
    done
}

/// The line of the first violated memory error that the output reports, if it is one of the file itself.
fn reported(out: &str, file: &str) -> Option<u32> {
    let reason = out.lines().skip_while(|l| !l.contains(": violated (")).nth(1)?.trim();
    // A read whose value nobody uses is no code for a compiler.
    let statement = out.lines().find(|l| l.ends_with("[fails]")).and_then(|l| l.rsplit_once(": "))?.1;
    let first = statement.split(';').next()?;
    if statement.contains(';') && !first.contains(['=', '(']) && !first.contains("return") {
        return None;
    }
    let memory =
        ["null dereference", "access to a freed", "free of a freed"].iter().any(|w| reason.contains(w));
    let line = reason.strip_prefix(file)?.strip_prefix(':')?.split(':').next()?;
    memory.then(|| line.parse().ok())?
}

fn run(path: &Path, directory: &Path) -> Option<Result<(), String>> {
    let name = path.to_str()?;
    let harness = directory.join("replay.c");
    let _ = std::fs::remove_file(&harness);
    let args: Vec<OsString> = ["verify", "--timeout", "2", "--replay", harness.to_str()?, name]
        .iter()
        .map(OsString::from)
        .collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    catena::cli::run(&args, &mut out, &mut err).ok()?;
    let out = String::from_utf8(out).ok()?;
    let line = reported(&out, name)?;
    if !harness.exists() {
        return Some(Err(format!("no harness: {}", String::from_utf8_lossy(&err))));
    }
    let program = directory.join("replay");
    let flags = ["-g", "-w", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let compiled = Command::new("cc").args(flags).arg(&harness).arg("-o").arg(&program).output().ok()?;
    if !compiled.status.success() {
        return Some(Err(format!("it does not compile: {}", String::from_utf8_lossy(&compiled.stderr))));
    }
    let ran = Command::new(&program).env("ASAN_OPTIONS", "detect_leaks=0").output().ok()?;
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    let file = path.file_name()?.to_str()?;
    let seen = said.contains(&format!("{file}:{line}"));
    Some(if !ran.status.success() && seen { Ok(()) } else { Err(format!("line {line}: {said}")) })
}

#[test]
fn a_replay_fails_where_the_run_fails() {
    if !has_compiler() {
        eprintln!("SKIPPED: there is no C compiler with the address sanitizer");
        return;
    }
    let directory = std::env::temp_dir().join(format!("catena-replay-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    let (mut right, mut wrong) = (0, Vec::new());
    for folder in ["lisbq", "pdr", "bohne", "monotone", "lazy", "edges", "beyond"] {
        for path in crate::files(&root().join("tests/programs").join(folder), "c") {
            // Only files that are known to break memory safety are worth the time.
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            if !text.contains("violated") || text.contains("--malloc") || text.contains("-I ") {
                continue;
            }
            match run(&path, &directory) {
                Some(Ok(())) => right += 1,
                Some(Err(why)) => wrong.push(format!("{}: {why}", path.display())),
                None => {}
            }
        }
    }
    std::fs::remove_dir_all(&directory).expect("removed");
    eprintln!("{right} replays fail where the run fails, {} do not:\n{}", wrong.len(), wrong.join("\n"));
    // Cells that C has no declaration for, and runs whose inputs are not recorded, have no replay.
    let real: Vec<&String> = wrong.iter().filter(|w| !w.contains("no harness")).collect();
    assert!(right >= 30 && real.is_empty(), "{right}, {real:#?}");
}
