//! `catena verify --watch`: a round for every change, until the program is interrupted.
#![cfg(unix)]

use super::files::Project;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Nothing that is waited for takes longer, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(p: &Project, options: &[&str]) -> Watching {
        // One stream, so that lines come in their order.
        let mut command = Command::new("sh");
        command.args(["-c", "exec \"$0\" verify --watch --stats \"$@\" 2>&1", env!("CARGO_BIN_EXE_catena")]);
        let mut child =
            command.args(options).current_dir(&p.0).stdout(Stdio::piped()).spawn().expect("it runs");
        let output = child.stdout.take().expect("a pipe");
        let (send, lines) = channel();
        std::thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).for_each(|line| drop(send.send(line)));
        });
        Watching { child, lines }
    }

    /// The lines up to one with this text.
    fn until(&self, text: &str) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        while !out.last().is_some_and(|line| line.contains(text)) {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => out.push(line),
                Err(why) => panic!("{why} before `{text}`: {out:?}"),
            }
        }
        out
    }

    /// Status after an interruption.
    fn end(mut self) -> Option<i32> {
        let sent = Command::new("kill").arg("-INT").arg(self.child.id().to_string()).status();
        assert!(sent.expect("it runs").success());
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // Where a test has failed, the program is still there.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const HEADER: &str = "struct node { struct node *next; };\n";
const TEXT: &str = "#include \"node.h\"
/*@ requires \\valid(n); ensures n->next == n; @*/ void ring(struct node *n) { n->next = n; }
/*@ requires \\list(next, l); @*/ struct node *second(struct node *l) { return l ? l->next : l; }
";

#[test]
fn a_change_begins_a_round() {
    let p = Project::new("watch", &[("node.h", HEADER), ("list.c", TEXT)]);
    let watching = Watching::start(&p, &["list.c"]);
    let first = watching.until("watching 2 files");
    for line in ["list.c:ring: verified", "list.c:second: verified", "cache: 0 known, 2 decided"] {
        assert!(first.iter().any(|l| l.contains(line)), "{line}: {first:?}");
    }
    p.write("list.c", &TEXT.replace("l ? l->next : l", "l->next"));
    let second = watching.until("cache: 1 known, 1 decided");
    let round =
        second.iter().position(|l| l == "==== 2: list.c changed ====").expect("a line between rounds");
    assert_eq!(second[round - 1], "");
    assert!(second.iter().any(|l| l.contains("list.c:second: violated")), "{second:?}");
    assert!(
        !second.iter().any(|l| l.contains("list.c:ring: verified")),
        "what is known is not repeated: {second:?}"
    );
    // What is not verified is said again; a header counts.
    p.write("node.h", &HEADER.replace("{", "{ int n;"));
    let third = watching.until("cache: 0 known, 2 decided");
    assert!(third.iter().any(|l| l == "==== 3: node.h changed ===="), "{third:?}");
    std::fs::remove_file(p.0.join("list.c")).expect("it is there");
    watching.until("==== 4: list.c changed ====");
    watching.until("list.c: ");
    p.write("list.c", TEXT);
    watching.until("==== 5: list.c changed ====");
    watching.until("decided");
    assert_eq!(watching.end(), Some(0));
}

#[test]
fn new_files_of_a_directory_count() {
    let p = Project::new(
        "watch_directory",
        &[("src/node.h", HEADER), ("src/list.c", &TEXT.replace("l ? l->next : l", "l->next"))],
    );
    let watching = Watching::start(&p, &["--format", "json", "src"]);
    watching.until("watching 2 files");
    p.write("src/more.c", "/*@ ensures \\result == 1; @*/ int one(void) { return 1; }\n");
    let second = watching.until("cache: 2 known, 1 decided");
    assert!(second.iter().any(|l| l == "==== 2: other files ===="), "{second:?}");
    // Every round has a document.
    assert_eq!(watching.until("[").last().map(String::as_str), Some("["));
    assert_eq!(watching.end(), Some(1));
}

#[test]
fn a_command_that_makes_no_sense_is_not_repeated() {
    let p = Project::new("watch_wrong", &[("list.c", HEADER)]);
    let mut watching = Watching::start(&p, &["--context", "heap", "list.c"]);
    assert_eq!(watching.child.wait().expect("it ends").code(), Some(64));
}
