//! Functions that are named with `--function` and have no contract get one by inference.

use crate::frontend::c;
use crate::infer::{self, Found, infer};
use crate::session::{self, File, Settings};
use std::io::{self, Write};

/// Reads files again with contracts for the functions that are named and have none. What was found is told.
pub(super) fn supply(
    files: &mut [File],
    texts: &[c::Input],
    settings: &Settings,
    err: &mut dyn Write,
) -> io::Result<()> {
    for file in files.iter_mut().filter(|f| !f.unit.has_errors()) {
        let outline = &file.unit.outline;
        let lacks = |name: &&String| {
            name.as_str() != "main" && outline.function(name).is_some_and(|f| !f.has_contract && f.in_text)
        };
        let functions: Vec<String> = settings.functions.iter().filter(lacks).cloned().collect();
        if functions.is_empty() {
            continue;
        }
        let own = texts.iter().filter(|t| outline.bases.iter().any(|(name, _)| *name == t.name));
        let asked = infer::Settings { functions, limits: settings.limits.clone(), seed: settings.seed };
        let inference = infer(own.cloned().collect(), outline.clone(), &asked, &|_| {})?;
        for answer in &inference.functions {
            let name = format!("{}:{}", answer.file, answer.function);
            match &answer.found {
                Found::Contract(contract) => {
                    writeln!(
                        err,
                        "{name}: it has no contract; this one is inferred:\n{}",
                        contract.pretty("")
                    )?;
                }
                _ => writeln!(err, "{name}: it has no contract, and none is found; nothing is required")?,
            }
        }
        let inputs = inference.completed(&asked.functions);
        if let Ok(read) = session::read(inputs, file.names.clone(), &settings.limits) {
            *file = read;
        }
    }
    Ok(())
}

/// What to say of files in which nothing can be verified.
pub(super) fn hint(files: &[File]) -> String {
    let functions = files.iter().flat_map(|f| &f.unit.outline.functions);
    let (n, file) = (functions.count(), files.iter().flat_map(|f| &f.names).next());
    match (n, file) {
        (0, _) | (_, None) => String::new(),
        (n, Some(file)) => {
            let functions = if n == 1 { "function".to_owned() } else { format!("{n} functions") };
            format!("; `catena infer {file}` finds contracts for the {functions} it defines")
        }
    }
}
