//! What reaches a terminal: escaped text, colours, and a line that tells how far the work is.

use crate::report::plain;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// A writer of text that nobody has looked at: everything is escaped on its way. Each call has to hold whole characters.
pub(super) struct Plain<W>(pub W);

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(plain::lines(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Which of the two writers are terminals.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terminals {
    /// Standard output.
    pub out: bool,
    /// Standard error.
    pub err: bool,
}

/// When answers are coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Colour {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

impl Colour {
    /// Whether what goes to a writer is coloured.
    pub(super) fn is_on(self, on_terminal: bool) -> bool {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        match self {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => {
                on_terminal && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
            }
        }
    }
}

/// Colours the verdict in the first line of an answer.
pub(super) fn painted(answer: &str, verdict: &str) -> String {
    let code = match verdict {
        "verified" => "32",
        "violated" => "31",
        _ => "33",
    };
    let plain = format!(": {verdict} (");
    let first = answer.find('\n').unwrap_or(answer.len());
    match answer[..first].rfind(&plain) {
        Some(at) => {
            let (before, after) = (&answer[..at], &answer[at + plain.len()..]);
            format!("{before}: \x1b[1;{code}m{verdict}\x1b[0m ({after}")
        }
        None => answer.to_owned(),
    }
}

/// A line on the terminal that is written over until the answer comes.
pub(super) struct Progress {
    on: bool,
    shown: Option<Instant>,
}

/// How often the line is written.
const EVERY: Duration = Duration::from_millis(100);

impl Progress {
    pub(super) fn new(on: bool) -> Progress {
        Progress { on, shown: None }
    }

    /// Writes the line, not too often.
    pub(super) fn tell(&mut self, text: impl FnOnce() -> String) -> io::Result<()> {
        if !self.on || self.shown.is_some_and(|then| then.elapsed() < EVERY) {
            return Ok(());
        }
        self.shown = Some(Instant::now());
        let text = text().replace('\n', " ");
        let mut err = io::stderr();
        write!(err, "\r\x1b[K{}", plain::lines(&text))?;
        err.flush()
    }

    /// Removes the line.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        if self.on && self.shown.is_some() { write!(io::stderr(), "\r\x1b[K") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_do_not_come_through() {
        let mut out = Vec::new();
        writeln!(Plain(&mut out), "\u{7}\u{9b}1m").expect("memory");
        assert_eq!(out, b"\\u{7}\\u{9b}1m\n");
    }
}
