//! SMT-LIB as text: commands in, responses out.

use crate::certify::check_proof;
use crate::frontend::smtlib::dialogue::{Dialogue as Inner, Response, Settings};
use crate::frontend::smtlib::proof::Problem;
use crate::frontend::smtlib::stream::Stream;
use crate::util::limits::Limits;

/// A dialogue in SMT-LIB 2.6, as `catena solve` has it: declarations and assertions stay from one call to the next.
///
/// ```
/// use catena::Dialogue;
///
/// let mut dialogue = Dialogue::new();
/// let said = dialogue.run(
///     "(set-option :produce-proofs true)
///      (declare-sort Cell 0) (declare-fun next (Cell) Cell)
///      (declare-const x Cell) (declare-const y Cell)
///      (assert ((_ reach next) x y)) (assert (= (next x) x))
///      (check-sat)",
/// );
/// assert_eq!(said, "sat\n");
/// assert_eq!(dialogue.run("(push 1) (assert (distinct x y)) (check-sat)"), "unsat\n");
/// // What is wrong is said, and changes nothing.
/// assert_eq!(dialogue.run("(assert z)"), "(error \"1:9: expected a declared symbol, found z\")\n");
/// assert_eq!(dialogue.run("(pop 1) (check-sat)"), "sat\n");
/// ```
pub struct Dialogue {
    inner: Inner,
    ended: bool,
}

/// A dialogue can be sent to another thread.
const _: fn() = || {
    fn is_send<T: Send>() {}
    is_send::<Dialogue>();
};

impl std::fmt::Debug for Dialogue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dialogue").field("ended", &self.ended).finish_non_exhaustive()
    }
}

impl Default for Dialogue {
    fn default() -> Dialogue {
        Dialogue::new()
    }
}

impl Dialogue {
    /// A dialogue without limits.
    #[must_use]
    pub fn new() -> Dialogue {
        Dialogue::with_limits(Limits::default())
    }

    /// A dialogue whose checks have these limits; what a limit stops is answered `unknown`.
    #[must_use]
    pub fn with_limits(limits: Limits) -> Dialogue {
        let settings = Settings { limits, ..Settings::default() };
        Dialogue { inner: Inner::new(settings), ended: false }
    }

    /// Carries out commands and returns the responses, each on lines of its own. Nothing is done after `(exit)`.
    pub fn run(&mut self, commands: &str) -> String {
        let mut said = String::new();
        let mut stream = Stream::new(commands.as_bytes());
        while !self.ended {
            let chunk = match stream.next_chunk() {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break,
                Err(error) => {
                    said.push_str(&format!("(error \"{error}\")\n"));
                    break;
                }
            };
            let response = self.inner.read(chunk);
            said.push_str(&self.inner.print(&response));
            self.ended = matches!(response, Response::Exit);
        }
        said
    }

    /// The proof of the last `unsat`, if `:produce-proofs` is set: text for [`certify_proof`].
    #[must_use]
    pub fn proof(&self) -> Option<String> {
        self.inner.proof_text()
    }
}

/// Checks that a proof shows the assertions at the last check of a script to be contradictory, by code that the solver
/// does not use. `Ok` says how large the proof is, `Err` why it is none.
///
/// ```
/// use catena::{Dialogue, certify_proof};
///
/// let script = "(set-option :produce-proofs true) (declare-const x Int) (assert (< x x)) (check-sat)";
/// let mut dialogue = Dialogue::new();
/// assert_eq!(dialogue.run(script), "unsat\n");
/// let proof = dialogue.proof().expect("proofs are kept");
/// assert!(certify_proof(script, &proof).is_ok());
/// assert!(certify_proof(&script.replace("(< x x)", "(<= x x)"), &proof).is_err());
/// ```
pub fn certify_proof(script: &str, proof: &str) -> Result<String, String> {
    let problem = Problem::read(script.as_bytes()).map_err(|error| error.to_string())?;
    let mut problem = problem.map_err(|error| error.to_string())?;
    check_script(&mut problem, proof).map_err(|why| match why {
        Unproved::Unreadable(why) | Unproved::Wrong(why) => why,
    })
}

/// Why a proof shows nothing.
pub(crate) enum Unproved {
    /// It is no text of a proof; with the place.
    Unreadable(String),
    /// A step does not follow.
    Wrong(String),
}

/// Checks a proof about a script that was read.
pub(crate) fn check_script(problem: &mut Problem, proof: &str) -> Result<String, Unproved> {
    let found = problem.read_proof(proof).map_err(|error| Unproved::Unreadable(error.to_string()))?;
    check_proof(&problem.terms, &problem.assertions, &problem.assumptions, &found)
        .map_err(|error| Unproved::Wrong(error.to_string()))?;
    let about = if problem.is_translated { " (of the translation of the heap)" } else { "" };
    Ok(format!("{}{about}", found.summary()))
}
