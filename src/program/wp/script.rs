//! An obligation as a script: what the engine's proof is about and what a checker reads again.

use super::Conditions;
use crate::logic::print;
use crate::program::encode::Inexpressible;
use std::fmt::Write as _;

/// The obligation with all it may use: the script is unsatisfiable exactly if the obligation follows.
///
/// # Errors
/// If the goal has no counterpart in the logic.
pub fn script(conditions: &Conditions<'_>, number: usize) -> Result<String, Inexpressible> {
    let obligation = conditions.obligations.get(number);
    let obligation = obligation.ok_or_else(|| Inexpressible("there is no such obligation".to_owned()))?;
    let mut terms = conditions.encoder.terms.clone();
    let goal = obligation.goal.clone()?;
    let negated = terms.not(goal)?;
    let mut out = "(set-logic ALL)\n".to_owned();
    let name = |sort| print::symbol(terms.sort_name(sort));
    for sort in terms.uninterpreted_sorts() {
        let _ = writeln!(out, "(declare-sort {} 0)", name(sort));
    }
    for (_, func) in terms.funcs() {
        let args: Vec<String> = func.args.iter().map(|&s| name(s)).collect();
        let _ = writeln!(
            out,
            "(declare-fun {} ({}) {})",
            print::symbol(&func.name),
            args.join(" "),
            name(func.result)
        );
    }
    let shared = conditions.encoder.facts.iter().chain(&conditions.hypotheses);
    for &formula in shared.chain([&obligation.path, &negated]) {
        let _ = writeln!(out, "(assert {})", print::term(&terms, formula));
    }
    out.push_str("(check-sat)\n");
    Ok(out)
}
