//! A state in words, for those who do not see its picture: what variables hold, then what is in each cell.

use crate::report::findings::{Cell, Content, State, Status, Variable};

/// Cells that are described; the others are counted.
const MOST: usize = 40;

/// The state as one text.
#[must_use]
pub fn state(state: &State) -> String {
    let variables = list(&state.variables);
    let cells: Vec<String> = state.cells.iter().take(MOST).map(cell).collect();
    let more = match state.cells.len().saturating_sub(MOST) {
        0 => String::new(),
        n => format!(" {n} more cells."),
    };
    match (variables.is_empty(), cells.is_empty()) {
        (true, true) => "No variables, no cells.".to_owned(),
        (false, true) => format!("Variables: {variables}. No cells."),
        (true, false) => format!("Cells: {}.{more}", cells.join("; ")),
        (false, false) => format!("Variables: {variables}. Cells: {}.{more}", cells.join("; ")),
    }
}

fn list(variables: &[Variable]) -> String {
    let one = |v: &Variable| format!("{} {}", v.name, content(&v.value));
    variables.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn cell(cell: &Cell) -> String {
    let status = match cell.status {
        Status::Allocated => "",
        Status::Automatic => " (a variable)",
        Status::Freed => " (freed)",
    };
    format!("⟨{}⟩{status}: {}", cell.name, list(&cell.fields))
}

fn content(value: &Content) -> String {
    match value {
        Content::Int(n) => format!("= {n}"),
        Content::Null => "is NULL".to_owned(),
        Content::Cell(cell) => format!("→ ⟨{cell}⟩"),
        Content::Field { cell, field } => format!("→ {field} of ⟨{cell}⟩"),
        Content::Wild => "is invalid".to_owned(),
        Content::Array(elements) => {
            format!("[{}]", elements.iter().map(content).collect::<Vec<_>>().join(", "))
        }
    }
}
