//! The server: one thread keeps the documents, reads events and writes answers.

use super::Manner;
use super::show::{Repair, Shown};
use super::text::{Position, Text, range};
use super::uri::path_of;
use super::wire::{self, Incoming, Outgoing};
use super::work::{Event, Work};
use crate::frontend::c::files::normal;
use crate::util::limits::CancelToken;
use lsp_server::{ErrorCode, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// The command that looks for a contract.
const INFER: &str = "catena.infer";
/// How long the server sleeps when nothing happens.
const IDLE: Duration = Duration::from_secs(3600);

/// A document that is open.
struct Document {
    path: String,
    version: i64,
    text: Text,
    /// The number of the text.
    of: u64,
    /// What it shows, and of which text.
    shown: Shown,
    shown_of: u64,
    /// The number of the work on it; another one is of no interest any more.
    round: u64,
    /// When it is to be verified.
    due: Option<Instant>,
    /// Stops the work on it.
    token: CancelToken,
}

/// Where the dialogue stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Before,
    Open,
    ShutDown,
}

struct Server<'o> {
    manner: Manner,
    phase: Phase,
    documents: BTreeMap<String, Document>,
    /// Contracts that are looked for, with what stops them.
    inferring: Vec<(RequestId, CancelToken)>,
    events: Sender<Event>,
    /// Numbers of texts and rounds.
    next: u64,
    out: Outgoing<'o>,
    /// The client shows further places of diagnostics.
    related: bool,
    /// The client asks for code lenses again when it is told to.
    refreshes: bool,
}

/// Answers until the client says `exit` or goes away.
pub(super) fn serve(
    manner: Manner,
    mut input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
) -> io::Result<u8> {
    let (events, received) = channel();
    let incoming = events.clone();
    std::thread::Builder::new().name("reader".to_owned()).spawn(move || {
        loop {
            let message = wire::read(&mut input);
            let last = matches!(message, Incoming::Closed | Incoming::Broken(_));
            if incoming.send(Event::Incoming(message)).is_err() || last {
                return;
            }
        }
    })?;
    let mut server = Server {
        manner,
        phase: Phase::Before,
        documents: BTreeMap::new(),
        inferring: Vec::new(),
        events,
        next: 0,
        out: Outgoing::new(out),
        related: false,
        refreshes: false,
    };
    let status = server.run(&received);
    server.documents.values().for_each(|document| document.token.cancel());
    server.inferring.iter().for_each(|(_, token)| token.cancel());
    status
}

/// Why a request is refused.
type Refused = (ErrorCode, String);

fn invalid(what: &str) -> Refused {
    (ErrorCode::InvalidParams, format!("{what} is missing, or not what it should be"))
}

/// The name of the document that a message is about.
fn document_of(params: &Value) -> Result<&str, Refused> {
    params["textDocument"]["uri"].as_str().ok_or_else(|| invalid("textDocument.uri"))
}

impl Server<'_> {
    fn run(&mut self, received: &Receiver<Event>) -> io::Result<u8> {
        loop {
            let due = self.documents.values().filter_map(|document| document.due).min();
            let patience = due.map_or(IDLE, |due| due.saturating_duration_since(Instant::now()));
            match received.recv_timeout(patience) {
                Ok(Event::Incoming(message)) => {
                    if let Some(status) = self.incoming(message)? {
                        return Ok(status);
                    }
                }
                Ok(Event::Shown { uri, round, shown, done }) => self.show(&uri, round, shown, done)?,
                Ok(Event::Inferred { id, uri, of, found }) => self.inferred(&id, &uri, of, found)?,
                Err(RecvTimeoutError::Timeout) => {}
                // The server itself holds a sender.
                Err(RecvTimeoutError::Disconnected) => return Ok(1),
            }
            self.verify_what_is_due()?;
        }
    }

    /// A message of the client; the exit status if it was the last one.
    fn incoming(&mut self, message: Incoming) -> io::Result<Option<u8>> {
        let left = || Ok(Some(u8::from(self.phase != Phase::ShutDown)));
        match message {
            Incoming::Request(request) => {
                let id = request.id.clone();
                match self.request(request) {
                    Ok(Some(result)) => self.out.respond(Response::new_ok(id, result))?,
                    // It is answered later.
                    Ok(None) => {}
                    Err((code, why)) => self.out.respond(Response::new_err(id, code as i32, why))?,
                }
            }
            Incoming::Notification(notification) if notification.method == "exit" => return left(),
            Incoming::Notification(notification) => {
                let method = notification.method.clone();
                if let Err((_, why)) = self.notification(notification) {
                    self.log(&format!("{method}: {why}"))?;
                }
            }
            Incoming::Response => {}
            Incoming::Malformed(code, why) => self.out.complain(code, &why)?,
            Incoming::Broken(why) => {
                self.out.complain(ErrorCode::ParseError, &why)?;
                return Ok(Some(1));
            }
            Incoming::Closed => return left(),
        }
        Ok(None)
    }

    /// A number that nothing has yet.
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn log(&mut self, message: &str) -> io::Result<()> {
        self.out.notify("window/logMessage", json!({ "type": 2, "message": message }))
    }

    fn request(&mut self, request: Request) -> Result<Option<Value>, Refused> {
        let Request { id, method, params } = request;
        match (self.phase, method.as_str()) {
            (Phase::Before, "initialize") => Ok(Some(self.initialize(&params))),
            (Phase::Before, _) => {
                Err((ErrorCode::ServerNotInitialized, "the first request is `initialize`".to_owned()))
            }
            (Phase::ShutDown, _) => Err((ErrorCode::InvalidRequest, "the server is shut down".to_owned())),
            (Phase::Open, "initialize") => {
                Err((ErrorCode::InvalidRequest, "`initialize` was said already".to_owned()))
            }
            (Phase::Open, "shutdown") => {
                self.phase = Phase::ShutDown;
                Ok(Some(Value::Null))
            }
            (Phase::Open, "textDocument/codeLens") => {
                let lenses = self.documents.get(document_of(&params)?).map(|d| d.shown.lenses.clone());
                Ok(Some(Value::Array(lenses.unwrap_or_default())))
            }
            (Phase::Open, "textDocument/codeAction") => self.actions(&params).map(Some),
            (Phase::Open, "workspace/executeCommand") => self.execute(id, &params).map(|()| None),
            (Phase::Open, _) => Err((ErrorCode::MethodNotFound, format!("there is no method `{method}`"))),
        }
    }

    fn initialize(&mut self, params: &Value) -> Value {
        self.phase = Phase::Open;
        let client = &params["capabilities"];
        let can = |value: &Value| value.as_bool().unwrap_or(false);
        self.related = can(&client["textDocument"]["publishDiagnostics"]["relatedInformation"]);
        self.refreshes = can(&client["workspace"]["codeLens"]["refreshSupport"]);
        let folder = params["workspaceFolders"][0]["uri"].as_str().or_else(|| params["rootUri"].as_str());
        if self.manner.compile_commands.is_none() {
            self.manner.compile_commands = folder.and_then(|folder| database(Path::new(&path_of(folder))));
        }
        json!({
            "capabilities": {
                "positionEncoding": "utf-16",
                "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
                "codeLensProvider": { "resolveProvider": false },
                "codeActionProvider": { "codeActionKinds": ["quickfix"] },
                "executeCommandProvider": { "commands": [INFER] },
            },
            "serverInfo": { "name": "catena", "version": env!("CARGO_PKG_VERSION") },
        })
    }

    fn notification(&mut self, notification: Notification) -> Result<(), Refused> {
        let Notification { method, params } = notification;
        if self.phase != Phase::Open {
            return Ok(());
        }
        match method.as_str() {
            "textDocument/didOpen" => {
                let uri = document_of(&params)?.to_owned();
                let text =
                    params["textDocument"]["text"].as_str().ok_or_else(|| invalid("textDocument.text"))?;
                let path = path_of(&uri);
                let version = params["textDocument"]["version"].as_i64().unwrap_or(0);
                let number = self.number();
                let document = Document {
                    path,
                    version,
                    text: Text::new(text),
                    of: number,
                    shown: Shown::default(),
                    shown_of: 0,
                    round: number,
                    due: Some(Instant::now()),
                    token: CancelToken::new(),
                };
                if let Some(old) = self.documents.insert(uri, document) {
                    old.token.cancel();
                }
            }
            "textDocument/didChange" => {
                let uri = document_of(&params)?;
                let number = self.number();
                let document = self.documents.get_mut(uri).ok_or_else(|| invalid("an open document"))?;
                let changes = params["contentChanges"].as_array().ok_or_else(|| invalid("contentChanges"))?;
                document.version = params["textDocument"]["version"].as_i64().unwrap_or(document.version + 1);
                let carried = changes.iter().try_for_each(|change| document.text.change(change));
                (document.of, document.round) = (number, number);
                document.token.cancel();
                document.due = Instant::now().checked_add(self.manner.pause);
                carried.ok_or_else(|| invalid("contentChanges"))?;
            }
            "textDocument/didSave" => {
                let saved = document_of(&params)?.to_owned();
                // Headers may have changed for others.
                for (uri, document) in &mut self.documents {
                    if *uri == saved || !saved.ends_with(".c") {
                        document.due = Some(Instant::now());
                    }
                }
            }
            "textDocument/didClose" => {
                let uri = document_of(&params)?.to_owned();
                if let Some(document) = self.documents.remove(&uri) {
                    document.token.cancel();
                    let nothing = json!({ "uri": uri, "diagnostics": [] });
                    let written = self.out.notify("textDocument/publishDiagnostics", nothing);
                    written.map_err(|error| (ErrorCode::InternalError, error.to_string()))?;
                }
            }
            "$/cancelRequest" => {
                let id = serde_json::from_value::<RequestId>(params["id"].clone()).ok();
                let own = self.inferring.iter().filter(|(other, _)| Some(other) == id.as_ref());
                own.for_each(|(_, token)| token.cancel());
            }
            _ => {}
        }
        Ok(())
    }

    /// The work on a document as it stands.
    fn work(&self, uri: &str, token: &CancelToken) -> Option<Work> {
        let document = self.documents.get(uri)?;
        let mut settings = self.manner.settings.clone();
        settings.limits.cancel = Some(token.clone());
        let texts = self.documents.values();
        let open = texts.map(|d| (normal(&d.path), d.text.as_str().as_bytes().to_vec())).collect();
        Some(Work {
            uri: uri.to_owned(),
            path: document.path.clone(),
            text: document.text.clone(),
            of: document.of,
            round: document.round,
            settings,
            open: Arc::new(open),
            database: self.manner.compile_commands.clone(),
            related: self.related,
        })
    }

    fn verify_what_is_due(&mut self) -> io::Result<()> {
        let now = Instant::now();
        let is_due = |document: &Document| document.due.is_some_and(|due| due <= now);
        let due: Vec<String> =
            self.documents.iter().filter(|(_, d)| is_due(d)).map(|(uri, _)| uri.clone()).collect();
        for uri in due {
            let (token, number) = (CancelToken::new(), self.number());
            if let Some(document) = self.documents.get_mut(&uri) {
                // Whoever still works on it is not waited for.
                document.token.cancel();
                document.round = number;
                document.due = None;
                document.token = token.clone();
            }
            if let Some(work) = self.work(&uri, &token) {
                work.verify(self.events.clone())?;
            }
        }
        Ok(())
    }

    /// Shows what was found of a document, if it still has that text.
    fn show(&mut self, uri: &str, round: u64, shown: Shown, done: bool) -> io::Result<()> {
        let Some(document) = self.documents.get_mut(uri) else { return Ok(()) };
        if document.round != round {
            return Ok(());
        }
        let (diagnostics, (known, decided)) = (shown.diagnostics.clone(), shown.counts);
        (document.shown, document.shown_of) = (shown, document.of);
        let version = document.version;
        let params = json!({ "uri": uri, "version": version, "diagnostics": diagnostics });
        self.out.notify("textDocument/publishDiagnostics", params)?;
        if done {
            let message = format!("{uri}: {known} known, {decided} decided");
            self.out.notify("window/logMessage", json!({ "type": 4, "message": message }))?;
        }
        if done && self.refreshes {
            self.out.request("workspace/codeLens/refresh", Value::Null)?;
        }
        Ok(())
    }

    /// The quick fixes that are offered for a range.
    fn actions(&self, params: &Value) -> Result<Value, Refused> {
        let uri = document_of(params)?;
        let at = |name: &str| Position::of(&params["range"][name]).ok_or_else(|| invalid("range"));
        let (start, end) = (at("start")?, at("end")?);
        let only = params["context"]["only"].as_array();
        let wanted = only.is_none_or(|kinds| kinds.iter().any(|kind| kind == "quickfix" || kind == ""));
        let Some(document) = self.documents.get(uri).filter(|_| wanted) else { return Ok(json!([])) };
        // Positions of another text are none of this one.
        if document.shown_of != document.of {
            return Ok(json!([]));
        }
        let meets = |from: Position, to: Position| from.line <= end.line && start.line <= to.line;
        let fixes = document.shown.fixes.iter().filter(|fix| meets(fix.from, fix.to));
        let action = |fix: &super::show::Fix| match &fix.what {
            Repair::Insert(at, text) => {
                let edit = json!({ "range": range(*at, *at), "newText": text });
                json!({ "title": fix.title, "kind": "quickfix", "edit": { "changes": { uri: [edit] } } })
            }
            Repair::Infer(function) => {
                let command = json!({ "title": fix.title, "command": INFER, "arguments": [uri, function] });
                json!({ "title": fix.title, "kind": "quickfix", "command": command })
            }
        };
        Ok(fixes.map(action).collect())
    }

    fn execute(&mut self, id: RequestId, params: &Value) -> Result<(), Refused> {
        let command = params["command"].as_str().ok_or_else(|| invalid("command"))?;
        if command != INFER {
            return Err((ErrorCode::InvalidParams, format!("there is no command `{command}`")));
        }
        let argument = |i: usize| params["arguments"][i].as_str().ok_or_else(|| invalid("arguments"));
        let (uri, function) = (argument(0)?, argument(1)?);
        let token = CancelToken::new();
        let work = self.work(uri, &token).ok_or_else(|| invalid("an open document"))?;
        self.inferring.push((id.clone(), token));
        let started = work.infer(function.to_owned(), id, self.events.clone());
        started.map_err(|error| (ErrorCode::InternalError, error.to_string()))
    }

    /// A contract was found, or none.
    fn inferred(
        &mut self,
        id: &RequestId,
        uri: &str,
        of: u64,
        found: Result<Value, String>,
    ) -> io::Result<()> {
        let at = self.inferring.iter().position(|(other, _)| other == id);
        let cancelled = at.is_some_and(|at| self.inferring.swap_remove(at).1.is_cancelled());
        if cancelled {
            let code = ErrorCode::RequestCanceled as i32;
            return self.out.respond(Response::new_err(id.clone(), code, "cancelled".to_owned()));
        }
        let same = self.documents.get(uri).is_some_and(|document| document.of == of);
        let found = if same { found } else { Err("the text has changed meanwhile".to_owned()) };
        match found {
            Ok(edit) => {
                let edit = json!({ "label": "Infer a contract", "edit": { "changes": { uri: [edit] } } });
                self.out.request("workspace/applyEdit", edit)?;
            }
            Err(why) => self.out.notify("window/showMessage", json!({ "type": 2, "message": why }))?,
        }
        self.out.respond(Response::new_ok(id.clone(), Value::Null))
    }
}

/// The compilation database of a folder.
fn database(folder: &Path) -> Option<PathBuf> {
    let places = [folder.join("compile_commands.json"), folder.join("build").join("compile_commands.json")];
    places.into_iter().find(|path| path.is_file())
}
