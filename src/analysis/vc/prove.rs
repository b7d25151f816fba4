//! Proofs of all obligations, for a certificate.
//!
//! Each obligation goes through the SMT-LIB dialogue as a script, so that the proof speaks of the names of
//! the script and not of the engine's terms: the checker reads the script that it makes itself.

use super::Remaining;
use crate::analysis::{Progress, Setup};
use crate::frontend::smtlib::dialogue::{Dialogue, Response, Settings};
use crate::frontend::smtlib::stream::Stream;
use crate::program::wp;
use crate::program::{Program, Question};
use crate::verdict::Reason;

/// A proof per obligation, as text.
///
/// # Errors
/// The reason, if an obligation is not proved within the limits.
pub fn proofs(
    program: &Program,
    question: &Question,
    setup: &Setup,
    progress: Progress<'_>,
) -> Result<Vec<String>, Reason> {
    let remaining = Remaining::new(&setup.limits);
    let conditions = wp::conditions(program, question)
        .map_err(|reason| Reason { message: reason.message, span: reason.span })?;
    let mut out = Vec::new();
    for (i, obligation) in conditions.obligations.iter().enumerate() {
        progress(&format!("proof {} of {}", i + 1, conditions.obligations.len()));
        let failed = |message: String| Reason { message, span: Some(obligation.span) };
        let script = wp::script(&conditions, i).map_err(|reason| failed(reason.0))?;
        let settings = Settings { limits: remaining.now(), proofs: true, cores: false };
        out.push(prove(&script, settings).map_err(|why| failed(format!("{}: {why}", obligation.what)))?);
    }
    Ok(out)
}

fn prove(script: &str, settings: Settings) -> Result<String, String> {
    let mut dialogue = Dialogue::new(settings);
    let text = format!("(set-option :produce-proofs true)\n{script}(get-proof)\n");
    let mut stream = Stream::new(text.as_bytes());
    let mut last = String::new();
    loop {
        let chunk = match stream.next_chunk() {
            Ok(Some(Ok(chunk))) => chunk,
            Ok(None) => break,
            Ok(Some(Err(error))) => return Err(error.to_string()),
            Err(error) => return Err(error.to_string()),
        };
        match dialogue.chunk(&chunk) {
            Response::Text(text) if text == "sat" || text == "unknown" => {
                return Err(format!("the answer is {text}"));
            }
            Response::Text(text) => last = text,
            Response::Success => {}
            Response::Exit => break,
            Response::Error(error) => return Err(error.to_string()),
            Response::Unsupported => return Err("a command is not supported".to_owned()),
            Response::Internal(what) => return Err(what),
        }
    }
    Ok(last)
}
