//! CPU time of whole child processes.
//!
//! A finished child that nobody has waited for still has its entry in `/proc`, whose scheduler statistics
//! count its time on a processor in nanoseconds, user and system together (main thread only; neither solver
//! starts others). Where that file is missing the wall-clock time is used.

use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Longer children are killed.
pub const LIMIT: Duration = Duration::from_secs(20);

/// Milliseconds of CPU and the standard output of a child; nothing if it was killed.
pub fn run(command: &mut Command, input: Option<File>) -> Option<(f64, String)> {
    run_within(command, input, LIMIT)
}

/// As [`run`], with a limit of its own.
pub fn run_within(command: &mut Command, input: Option<File>, limit: Duration) -> Option<(f64, String)> {
    let (ms, text, ended) = run_counted(command, input, limit);
    ended.then_some((ms, text))
}

/// As [`run_within`], with the time used and the output written even if the child was killed; says last
/// whether it ended by itself.
pub fn run_counted(command: &mut Command, input: Option<File>, limit: Duration) -> (f64, String, bool) {
    let input = input.map_or_else(Stdio::null, Stdio::from);
    let start = Instant::now();
    let mut child = command
        .stdin(input)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut output = child.stdout.take().expect("piped");
    let (sender, receiver) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        let _ = output.read_to_string(&mut text);
        let _ = sender.send(text);
    });
    let whole = receiver.recv_timeout(limit).ok();
    if whole.is_none() {
        let _ = child.kill();
    }
    while state(child.id()).is_some_and(|state| state != 'Z') {
        std::thread::sleep(Duration::from_micros(200));
    }
    let ms = cpu_ms(child.id()).unwrap_or(start.elapsed().as_secs_f64() * 1e3);
    let _ = child.wait();
    let _ = reader.join();
    let ended = whole.is_some();
    let text = whole.or_else(|| receiver.try_recv().ok()).unwrap_or_default();
    (ms, text, ended)
}

fn state(pid: u32) -> Option<char> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    text.rsplit_once(") ")?.1.chars().next()
}

/// Milliseconds of CPU of the main thread of a process; exact once it has ended, else to a few milliseconds.
pub fn cpu_ms(pid: u32) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/schedstat")).ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e6)
}
