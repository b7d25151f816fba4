//! Messages: a head with the length of the body, and a body in JSON.
//!
//! A body that is no JSON, or no message, is answered by an error and the dialogue goes on. After a head that makes no sense
//! nobody knows where the next message begins: the dialogue ends.

use lsp_server::{ErrorCode, Message, Notification, Request, Response};
use serde_json::{Value, json};
use std::io::{self, BufRead, Read, Write};

/// No body is longer.
const LONGEST: usize = 64 << 20;
/// No line of a head is longer.
const LONGEST_LINE: u64 = 4096;

/// What came in.
#[derive(Debug)]
pub(super) enum Incoming {
    Request(Request),
    Notification(Notification),
    /// An answer to a request of ours.
    Response,
    /// No message; the dialogue goes on.
    Malformed(ErrorCode, String),
    /// The dialogue cannot go on.
    Broken(String),
    /// The client has gone.
    Closed,
}

/// The next message.
pub(super) fn read(input: &mut impl BufRead) -> Incoming {
    match body(input) {
        Ok(Some(body)) => message(&body),
        Ok(None) => Incoming::Closed,
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Incoming::Broken(error.to_string()),
        Err(_) => Incoming::Closed,
    }
}

fn body(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let wrong = |text: &str| io::Error::new(io::ErrorKind::InvalidData, text.to_owned());
    let mut length = None;
    loop {
        let mut line = Vec::new();
        input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        let line = std::str::from_utf8(&line).map_err(|_| wrong("the head of a message is no text"))?;
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').ok_or_else(|| wrong("a line of a head has no colon"))?;
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse::<usize>().ok().filter(|n| *n <= LONGEST);
            if length.is_none() {
                return Err(wrong("the length of a message is no number, or too large"));
            }
        }
    }
    let length = length.ok_or_else(|| wrong("a message without its length"))?;
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    Ok(Some(body))
}

fn message(body: &[u8]) -> Incoming {
    let value: Value = match serde_json::from_slice(body) {
        Ok(value) => value,
        Err(error) => return Incoming::Malformed(ErrorCode::ParseError, error.to_string()),
    };
    let has = |name: &str| value.get(name).is_some();
    let (method, id) = (has("method"), has("id"));
    let invalid =
        |error: serde_json::Error| Incoming::Malformed(ErrorCode::InvalidRequest, error.to_string());
    match (method, id) {
        (true, true) => serde_json::from_value(value).map_or_else(invalid, Incoming::Request),
        (true, false) => serde_json::from_value(value).map_or_else(invalid, Incoming::Notification),
        (false, true) => Incoming::Response,
        (false, false) => Incoming::Malformed(ErrorCode::InvalidRequest, "this is no message".to_owned()),
    }
}

/// Writes messages.
pub(super) struct Outgoing<'o> {
    out: &'o mut dyn Write,
    next: i32,
}

impl<'o> Outgoing<'o> {
    pub(super) fn new(out: &'o mut dyn Write) -> Outgoing<'o> {
        Outgoing { out, next: 0 }
    }

    pub(super) fn respond(&mut self, response: Response) -> io::Result<()> {
        Message::Response(response).write(&mut self.out)
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) -> io::Result<()> {
        Message::Notification(Notification { method: method.to_owned(), params }).write(&mut self.out)
    }

    /// A request of ours; what is answered changes nothing.
    pub(super) fn request(&mut self, method: &str, params: Value) -> io::Result<()> {
        self.next += 1;
        let id = format!("catena-{}", self.next).into();
        Message::Request(Request { id, method: method.to_owned(), params }).write(&mut self.out)
    }

    /// An answer to what has no number.
    pub(super) fn complain(&mut self, code: ErrorCode, message: &str) -> io::Result<()> {
        let error = json!({ "code": code as i32, "message": message });
        let text = json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string();
        write!(self.out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_that_make_no_sense_end_the_dialogue() {
        for text in
            ["x\r\n\r\n", "Content-Length: x\r\n\r\n", "Content-Length: 99999999999999\r\n\r\n", "\r\n"]
        {
            assert!(matches!(read(&mut text.as_bytes()), Incoming::Broken(_)), "{text:?}");
        }
        for text in ["", "Content-Length: 5\r\n\r\n{}", "Content-Length: 5\r\n"] {
            assert!(matches!(read(&mut text.as_bytes()), Incoming::Closed), "{text:?}");
        }
        for body in [
            "{",
            "[]",
            "{}",
            "1",
            "{\"id\": 1.5, \"method\": \"x\"}",
            "{\"id\": null, \"method\": \"x\"}",
            "\u{ff}",
        ] {
            let text = format!("content-length:{}\r\n\r\n{body}", body.len());
            assert!(matches!(read(&mut text.as_bytes()), Incoming::Malformed(..)), "{body}");
        }
    }
}
