//! Commands from a stream of bytes, one at a time.
//!
//! A dialogue must answer a command before the next one arrives, so nothing may be read ahead of the
//! closing parenthesis. [`Stream`] runs a machine of five states over the bytes as they come (outside,
//! inside parentheses, in `|bars|`, in a string, in a comment) and hands out the text of each top-level
//! expression with the place where it starts. A file is such a stream as well: memory holds one command,
//! not the file.
//!
//! Whatever is wrong inside an expression, the next one starts after its last parenthesis: that is how a
//! dialogue goes on after an error.

use crate::frontend::smtlib::error::{Position, ReadError};
use crate::util::clock::Instant;
use std::io::{self, BufRead};
use std::time::Duration;

/// A source of commands.
#[derive(Debug)]
pub struct Stream<R> {
    source: R,
    here: Position,
    n_bytes: u64,
    /// Whether reading on may have to wait for the other side.
    drained: bool,
    /// A longer expression is an error, and not kept.
    longest: usize,
    /// Time spent on waiting for bytes since somebody asked.
    waited: Duration,
}

/// What some editors write before a text; it says nothing.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// One top-level expression, as text.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// The text, from its first character to its last.
    pub text: String,
    /// Where it starts.
    pub at: Position,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Between commands, or between atoms of one.
    Blank,
    Atom,
    Bars,
    Quotes,
    /// After a `"` inside a string: a second one continues it.
    AfterQuote,
    Comment,
}

impl<R: BufRead> Stream<R> {
    /// A stream at its beginning.
    pub fn new(source: R) -> Stream<R> {
        let here = Position { line: 1, column: 1 };
        let (drained, longest, waited) = (true, usize::MAX, Duration::ZERO);
        Stream { source, here, n_bytes: 0, drained, longest, waited }
    }

    /// The same stream; an expression of more bytes is an error.
    pub fn with_longest(self, longest: usize) -> Stream<R> {
        Stream { longest, ..self }
    }

    /// The time spent on waiting for bytes since the last call.
    pub fn take_waited(&mut self) -> Duration {
        std::mem::take(&mut self.waited)
    }

    /// Bytes taken so far.
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// The next expression; nothing at the end. An error of the text is the inner one.
    pub fn next_chunk(&mut self) -> io::Result<Option<Result<Chunk, ReadError>>> {
        self.next_chunk_after(&mut || Ok(()))
    }

    /// As [`Stream::next_chunk`]; before it may have to wait for the other side, it calls `before_wait`: whoever
    /// waits for an answer must have got it.
    pub fn next_chunk_after(
        &mut self,
        before_wait: &mut dyn FnMut() -> io::Result<()>,
    ) -> io::Result<Option<Result<Chunk, ReadError>>> {
        let mut bytes = Vec::new();
        let mut scan = Scan { place: Place::Blank, depth: 0, start: None, last_open: self.here };
        let mut n_skipped = 0;
        loop {
            let mut since = None;
            if self.drained {
                before_wait()?;
                since = Some(Instant::now());
            }
            let buffer = match self.source.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            self.waited += since.map_or(Duration::ZERO, |since| since.elapsed());
            if buffer.is_empty() {
                return Ok(self.at_end(scan, bytes));
            }
            if self.n_bytes == 0 && buffer.starts_with(BYTE_ORDER_MARK) {
                self.source.consume(BYTE_ORDER_MARK.len());
                self.n_bytes += BYTE_ORDER_MARK.len() as u64;
                continue;
            }
            let mut taken = 0;
            // Where the bytes of the expression start in this buffer.
            let mut from = if scan.start.is_some() { 0 } else { buffer.len() };
            let mut end = End::More;
            while taken < buffer.len() {
                if scan.depth > 0 && matches!(scan.place, Place::Blank | Place::Atom) {
                    // Most bytes belong to words, or stand between them.
                    let run = buffer[taken..].iter().take_while(|&&byte| is_plain(byte)).count();
                    taken += run;
                    self.here.column = self.here.column.saturating_add(run as u32);
                    if taken == buffer.len() {
                        break;
                    }
                }
                let byte = buffer[taken];
                end = scan.step(byte, self.here);
                if end == End::Before {
                    break;
                }
                if scan.start.is_some() && from == buffer.len() {
                    from = taken;
                }
                taken += 1;
                self.here = after(self.here, byte);
                if end == End::After {
                    break;
                }
            }
            let part = &buffer[from.min(taken)..taken];
            if n_skipped == 0 && bytes.len() + part.len() <= self.longest {
                bytes.extend_from_slice(part);
            } else {
                n_skipped += std::mem::take(&mut bytes).len() + part.len();
            }
            self.drained = taken == buffer.len();
            self.source.consume(taken);
            self.n_bytes += taken as u64;
            if end != End::More {
                let at = scan.start.expect("an expression that ends has started");
                if n_skipped > 0 {
                    let expected = format!("an expression of at most {} bytes", self.longest);
                    return Ok(Some(Err(ReadError::expected(at, &expected, n_skipped))));
                }
                return Ok(Some(text(bytes, at)));
            }
        }
    }

    fn at_end(&self, scan: Scan, bytes: Vec<u8>) -> Option<Result<Chunk, ReadError>> {
        let at = scan.start?;
        let open = match scan.place {
            Place::Bars => Some("a | to end the symbol"),
            Place::Quotes => Some("a \" to end the string"),
            _ if scan.depth > 0 => Some("a ')' for the '('"),
            _ => None,
        };
        Some(match open {
            None => text(bytes, at),
            Some(missing) => {
                let missing = format!("{missing} at {}", scan.last_open);
                Err(ReadError::expected(self.here, &missing, "the end of the input"))
            }
        })
    }
}

fn after(here: Position, byte: u8) -> Position {
    if byte == b'\n' {
        Position { line: here.line.saturating_add(1), column: 1 }
    } else if byte & 0xC0 != 0x80 {
        // Every byte of a character but its first continues it.
        Position { line: here.line, column: here.column.saturating_add(1) }
    } else {
        here
    }
}

fn text(bytes: Vec<u8>, at: Position) -> Result<Chunk, ReadError> {
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Chunk { text, at }),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let here = error.as_bytes()[..valid].iter().fold(at, |here, &byte| after(here, byte));
            let byte = error.as_bytes()[valid];
            Err(ReadError::expected(here, "UTF-8 text", format!("the byte 0x{byte:02x}")))
        }
    }
}

#[derive(PartialEq, Eq)]
enum End {
    More,
    /// The expression ended before this byte.
    Before,
    /// The expression ended with this byte.
    After,
}

struct Scan {
    place: Place,
    depth: u64,
    start: Option<Position>,
    /// Where what is open now was opened: the outermost parenthesis, or a quote.
    last_open: Position,
}

impl Scan {
    fn step(&mut self, byte: u8, here: Position) -> End {
        match self.place {
            Place::Comment => {
                if byte == b'\n' {
                    self.place = Place::Blank;
                }
                return End::More;
            }
            Place::Bars if byte != b'|' => return End::More,
            Place::Bars => return self.atom_ends(),
            Place::Quotes => {
                if byte == b'"' {
                    self.place = Place::AfterQuote;
                }
                return End::More;
            }
            Place::AfterQuote if byte == b'"' => {
                self.place = Place::Quotes;
                return End::More;
            }
            Place::AfterQuote if self.depth == 0 => return End::Before,
            Place::AfterQuote => self.place = Place::Blank,
            Place::Atom if self.depth == 0 && is_delimiter(byte) => return End::Before,
            Place::Atom | Place::Blank => {}
        }
        match byte {
            b'(' => {
                if self.depth == 0 {
                    self.last_open = here;
                }
                self.start.get_or_insert(here);
                self.place = Place::Blank;
                self.depth += 1;
            }
            b')' => {
                self.start.get_or_insert(here);
                self.place = Place::Blank;
                // A stray one is an expression of its own, and an error.
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    return End::After;
                }
            }
            b'|' | b'"' => {
                self.start.get_or_insert(here);
                self.last_open = here;
                self.place = if byte == b'|' { Place::Bars } else { Place::Quotes };
            }
            b';' => self.place = Place::Comment,
            byte if byte.is_ascii_whitespace() => self.place = Place::Blank,
            _ => {
                self.start.get_or_insert(here);
                self.place = Place::Atom;
            }
        }
        End::More
    }

    fn atom_ends(&mut self) -> End {
        self.place = Place::Blank;
        if self.depth == 0 { End::After } else { End::More }
    }
}

/// Whether a byte inside parentheses neither opens nor closes anything, and is one column wide.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii() && !matches!(byte, b'(' | b')' | b'|' | b'"' | b';' | b'\n')
}

fn is_delimiter(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b'|' | b'"' | b';')
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    /// The chunks of a text, whatever the size of the buffer.
    fn chunks(bytes: &[u8]) -> Vec<String> {
        let by_size = |size: usize| {
            let mut stream = Stream::new(BufReader::with_capacity(size, bytes));
            let mut found = Vec::new();
            while let Some(chunk) = stream.next_chunk().expect("a slice is readable") {
                found.push(match chunk {
                    Ok(chunk) => format!("{} {}", chunk.at, chunk.text),
                    Err(error) => format!("error {error}"),
                });
            }
            found
        };
        let found = by_size(1);
        for size in [2, 3, 7, 4096] {
            assert_eq!(by_size(size), found, "buffer of {size}");
        }
        found
    }

    #[test]
    fn expressions_one_by_one() {
        let text = "; (no\n(a (b \"x)\"\")\" |)(| ; )\n c))(d)\n e f|g|\"h\"\"i\"";
        let expected = [
            "2:1 (a (b \"x)\"\")\" |)(| ; )\n c))",
            "3:5 (d)",
            "4:2 e",
            "4:4 f",
            "4:5 |g|",
            "4:8 \"h\"\"i\"",
        ];
        assert_eq!(chunks(text.as_bytes()), expected);
        assert_eq!(chunks(b" \n ; nothing"), [""; 0]);
    }

    #[test]
    fn what_is_open_at_the_end_is_an_error() {
        let ends = |text: &[u8]| chunks(text).pop().expect("something was read");
        assert_eq!(
            ends(b"(a)\n(b (c)"),
            "error 2:7: expected a ')' for the '(' at 2:1, found the end of the input"
        );
        assert!(ends(b"(a |b").contains("expected a | to end the symbol at 1:4"));
        assert!(ends(b"(a \"b\"\"").contains("to end the string at 1:4"));
        assert_eq!(chunks(b")(a)"), ["1:1 )", "1:2 (a)"]);
    }

    #[test]
    fn other_bytes_are_an_error_of_their_command() {
        let found = chunks(b"(a \xc3\xa4 \xff b)(c \xc3\xa4)(d)");
        assert_eq!(found[0], "error 1:6: expected UTF-8 text, found the byte 0xff");
        assert_eq!(found[1..], ["1:10 (c \u{e4})", "1:15 (d)"]);
    }
}
