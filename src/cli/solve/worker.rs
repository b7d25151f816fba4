//! The thread that has the dialogue: it reads commands, answers them, and tells the supervisor what it is at.

use super::{Certifier, Options};
use crate::cli::{BAD_INPUT, INTERNAL};
use crate::frontend::smtlib::dialogue::{Dialogue, Response};
use crate::frontend::smtlib::error::Position;
use crate::frontend::smtlib::stream::{Chunk, Stream};
use crate::proof::Proof;
use crate::util::limits::CancelToken;
use std::io::{self, BufRead};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Answers are handed over when so much text has come together, or when the next command has to be waited for.
const ENOUGH: usize = 1 << 15;

/// How commands begin that have to be kept.
const SAYS: [&str; 3] = ["(assert", "(declare-", "(define-"];

/// A command that is being answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Busy {
    /// Commands are numbered.
    pub number: u64,
    pub since: Instant,
    /// What was left of the time when it came.
    pub left: Option<Duration>,
    /// Whether it is a check.
    pub is_check: bool,
    /// Where it stands.
    pub at: Option<Position>,
}

/// What both sides see.
#[derive(Debug, Default)]
pub(super) struct Shared {
    busy: Mutex<Option<Busy>>,
    /// Stops the present command.
    pub token: CancelToken,
    /// Nothing more is to be read: there is no memory for it.
    pub full: AtomicBool,
    /// Bytes read so far.
    pub n_bytes: AtomicU64,
}

impl Shared {
    pub(super) fn busy(&self) -> Option<Busy> {
        *self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_busy(&self, busy: Option<Busy>) {
        *self.busy.lock().unwrap_or_else(PoisonError::into_inner) = busy;
    }
}

/// What the worker tells.
pub(super) enum Told {
    /// Text for standard output.
    Answers(String),
    /// The dialogue has ended.
    End(End),
}

/// How a dialogue ended.
#[derive(Debug, Default)]
pub(super) struct End {
    pub status: u8,
    /// The text of the last proof, if the last check was unsat.
    pub proof: Option<String>,
    /// The picture of the last model, if the last check was sat.
    pub picture: Option<String>,
    /// Counters, for `--stats`.
    pub stats: String,
    /// Why the input could not be read to its end.
    pub unreadable: Option<io::Error>,
}

/// The other side has gone.
struct Gone;

impl From<Gone> for io::Error {
    fn from(_: Gone) -> io::Error {
        io::ErrorKind::BrokenPipe.into()
    }
}

/// Has the dialogue to its end.
pub(super) fn run(options: &Options, source: impl BufRead, shared: &Shared, tell: &SyncSender<Told>) {
    let mut settings = options.settings.clone();
    settings.limits.cancel = Some(shared.token.clone());
    // A command has to be held as text and as a tree.
    let longest = settings.limits.memory.map_or(usize::MAX, |bytes| (bytes / 4) as usize);
    let mut stream = Stream::new(source).with_longest(longest);
    let mut dialogue = Dialogue::new(settings);
    if options.check {
        dialogue.set_judge(Box::new(Certifier));
    }
    let limited = options.settings.limits.time.is_some() || options.settings.limits.memory.is_some();
    let mut end = End::default();
    let mut pending = String::new();
    for number in 0.. {
        let mut hand_over = || {
            let text = std::mem::take(&mut pending);
            match text.is_empty() || tell.send(Told::Answers(text)).is_ok() {
                true => Ok(()),
                false => Err(Gone.into()),
            }
        };
        let chunk = match stream.next_chunk_after(&mut hand_over) {
            Ok(Some(chunk)) => chunk,
            Ok(None) => break,
            Err(error) => {
                end.status = BAD_INPUT;
                end.unreadable = Some(error);
                break;
            }
        };
        dialogue.charge_reading(stream.take_waited());
        shared.n_bytes.store(stream.n_bytes(), Ordering::Relaxed);
        let is_check = chunk.as_ref().is_ok_and(|chunk| chunk.text.starts_with("(check-sat"));
        shared.token.reset();
        let begins = |chunk: &Chunk| SAYS.iter().any(|word| chunk.text.starts_with(word));
        let says = chunk.as_ref().is_ok_and(begins);
        if says && shared.full.load(Ordering::Relaxed) {
            shared.token.exhaust();
        }
        if limited && !(says && dialogue.is_exhausted()) {
            let (left, at) = (dialogue.time_left(), chunk.as_ref().ok().map(|chunk| chunk.at));
            shared.set_busy(Some(Busy { number, since: Instant::now(), left, is_check, at }));
        }
        let response = dialogue.read(chunk);
        pending += &dialogue.print(&response);
        if options.explain {
            pending += &explanation(&mut dialogue, &response);
        }
        if let (Some(_), Response::Text(answer)) = (&options.proof, &response) {
            match answer.as_str() {
                "unsat" => end.proof = dialogue.proof_text(),
                "sat" | "unknown" => end.proof = None,
                _ => {}
            }
        }
        if let (Some(_), Response::Text(answer)) = (&options.picture, &response)
            && let "sat" | "unsat" | "unknown" = answer.as_str()
        {
            end.picture = dialogue.graph().map(|graph| crate::report::picture::model::svg(&graph));
        }
        shared.set_busy(None);
        match response {
            Response::Exit => break,
            Response::Error(_) => end.status = BAD_INPUT,
            Response::Internal(_) => {
                end.status = INTERNAL;
                break;
            }
            _ => {}
        }
        if pending.len() > ENOUGH && tell.send(Told::Answers(std::mem::take(&mut pending))).is_err() {
            return;
        }
    }
    if options.stats {
        end.stats = format!("{:#?}\n", dialogue.stats());
    }
    // Whoever has gone does not want to know; and the dialogue is taken down when all is told.
    let _ = tell.send(Told::Answers(pending)).and_then(|()| tell.send(Told::End(end)));
}

/// What `--explain` adds to an answer.
fn explanation(dialogue: &mut Dialogue, response: &Response) -> String {
    match response {
        Response::Text(answer) if answer == "sat" => {
            let n_formulas = dialogue.assertions().count();
            let model = dialogue.model_text().unwrap_or_default();
            let commented: String = model.lines().map(|line| format!("; {line}\n")).collect();
            format!("{commented}; the model was evaluated: all {n_formulas} assertions are true in it\n")
        }
        Response::Text(answer) if answer == "unsat" => {
            let core = dialogue.core().join(" ");
            let core = if core.is_empty() { core } else { format!("; core: {core}\n") };
            let summary = dialogue.proof().map(Proof::summary).unwrap_or_default();
            format!("{core}; proof: {summary}\n; the proof was certified by independent code\n")
        }
        Response::Text(answer) if answer == "unknown" => {
            let reason = dialogue.reason_unknown().unwrap_or("no reason");
            format!("; {reason}\n")
        }
        _ => String::new(),
    }
}
