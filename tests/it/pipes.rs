//! The program at the ends of its pipes and files: a reader that goes away, files that cannot be read.

use crate::root;
use std::io::{self, Read, Write};
use std::process::{Command, Stdio};

/// A writer whose reader has gone after so many bytes.
struct Closed(usize);

impl Write for Closed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let n = bytes.len().min(self.0);
        self.0 -= n;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.0 == 0 { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
    }
}

/// Every command ends quietly, with the status of a process that the signal has ended.
#[test]
fn a_closed_pipe_ends_every_command() {
    let at = |file: &str| root().join(file).to_str().expect("a plain name").to_owned();
    let script = at("tests/data/list_unfold.smt2");
    let program = at("tests/programs/monotone/merge.c");
    let commands: &[&[&str]] = &[
        &["--help"],
        &["--version"],
        &["solve", "--help"],
        &["solve", &script],
        &["solve", "--explain", &script],
        &["verify", "--help"],
        &["verify", "--timeout", "1", &program],
        &["certify", "--help"],
        &["rules", "list"],
    ];
    for args in commands {
        let args: Vec<std::ffi::OsString> = args.iter().map(Into::into).collect();
        for room in [0, 1] {
            let mut err = Vec::new();
            let status = catena::cli::run(&args, &mut Closed(room), &mut err).expect("no other error");
            let err = String::from_utf8_lossy(&err);
            assert_eq!((status, &*err), (141, ""), "{args:?}");
        }
    }
}

#[test]
fn a_reader_that_goes_away() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_catena"))
        .args(["solve", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("piped");
    let mut output = child.stdout.take().expect("piped");
    input.write_all(b"(echo \"one\")").expect("it listens");
    let mut first = [0; 6];
    output.read_exact(&mut first).expect("an answer");
    assert_eq!(&first, b"\"one\"\n");
    drop(output);
    // The program may be gone before it has read this.
    let _ = input.write_all(b"(echo \"two\")(echo \"three\")");
    drop(input);
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(141));
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
}

/// What cannot be read is bad input, with the name of the file; what cannot be written is bad usage.
#[test]
fn files_that_cannot_be_used() {
    // A directory without C files is nothing that can be read.
    let directory = root().join("rules");
    let directory = directory.to_str().expect("a plain name");
    let script = root().join("tests/data/readme_list.smt2");
    let script = script.to_str().expect("a plain name");
    let (missing, below) = (format!("{directory}/no such file"), format!("{script}/below"));
    let cases: &[(&[&str], u8, &str)] = &[
        (&["solve", directory], 65, directory),
        (&["solve", &missing], 65, &missing),
        (&["solve", &below], 65, &below),
        (&["verify", directory], 65, directory),
        (&["verify", &missing], 65, &missing),
        (&["certify", script, directory], 65, directory),
        (&["certify", script, &missing], 65, &missing),
        (&["rules", "check", "--rules", &missing], 65, &missing),
        (&["solve", "--proof", &below, script], 64, &below),
    ];
    for (args, expected, named) in cases {
        let args: Vec<std::ffi::OsString> = args.iter().map(Into::into).collect();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let status = catena::cli::run(&args, &mut out, &mut err).expect("written to memory");
        let err = String::from_utf8(err).expect("text");
        assert_eq!(status, *expected, "{args:?}: {err}");
        assert!(err.contains(named), "{args:?}: {err}");
    }
}
