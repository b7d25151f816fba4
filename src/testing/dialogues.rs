//! Any bytes as a dialogue: whatever comes, every command is answered and nothing breaks.

use crate::frontend::smtlib::dialogue::{Dialogue, Response, Settings};
use crate::frontend::smtlib::stream::Stream;
use crate::util::limits::Limits;

/// Feeds bytes to a dialogue with little time per check. An error if an answer is an internal error.
pub fn dialogue_bytes(bytes: &[u8]) -> Result<(), String> {
    let limits = Limits { steps: Some(20_000), ..Limits::default() };
    let mut dialogue = Dialogue::new(Settings { limits, ..Settings::default() });
    let mut stream = Stream::new(bytes);
    while let Some(chunk) = stream.next_chunk().map_err(|e| e.to_string())? {
        let response = dialogue.read(chunk);
        let _ = dialogue.print(&response);
        match response {
            Response::Internal(what) => return Err(what),
            Response::Exit => break,
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::rng::Rng;

    #[test]
    fn damaged_dialogues_do_no_harm() {
        let page = include_bytes!("../../docs/solve.md");
        let mut rng = Rng::new(11);
        for _ in 0..60 {
            let start = rng.below(page.len() - 600);
            let mut bytes = page[start..start + 600].to_vec();
            for _ in 0..rng.below(6) {
                let at = rng.below(bytes.len());
                match rng.below(3) {
                    0 => bytes[at] = *rng.pick(b"()|\";: \xff0a"),
                    1 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, *rng.pick(page)),
                }
            }
            assert_eq!(dialogue_bytes(&bytes), Ok(()), "{}", String::from_utf8_lossy(&bytes));
        }
    }
}
