//! The C files that a command is about: those that are named, those below a directory, those of a compilation
//! database (`compile_commands.json`), each with the flags it is read with.
//!
//! A directory that has a compilation database, by itself or in `build`, stands for the files of the database; one
//! without stands for all `.c` files below it. Names are shown as seen from the present directory.

use super::flags::{self, Compilation};
use crate::frontend::c::Options as Reading;
use crate::frontend::c::files::{join, normal};
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The name of a compilation database in a directory.
const DATABASE: &str = "compile_commands.json";
/// Directories inside directories, at most: links can make circles.
const MAX_DEPTH: usize = 64;

/// One file and how it is read.
#[derive(Clone, Debug)]
pub(super) struct Input {
    /// Its path, as shown.
    pub name: String,
    /// Where it is read.
    pub path: OsString,
    pub reading: Reading,
}

/// What the operands of a command stand for.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    pub files: Vec<Input>,
    /// All of them were named one by one.
    pub together: bool,
    /// Worth saying on standard error.
    pub notes: Vec<String>,
    /// What is wrong with the input.
    pub errors: Vec<String>,
}

/// A file of a database.
struct Entry {
    /// Absolute.
    path: String,
    command: Compilation,
}

/// The files that the operands stand for, in order, none twice.
pub(super) fn resolve(operands: &[OsString], database: Option<&Path>, base: &Reading) -> Inputs {
    let together = !operands.is_empty() && !operands.iter().any(|o| Path::new(o).is_dir());
    let mut inputs = Inputs { together, ..Inputs::default() };
    let here = std::env::current_dir().map_or_else(|_| String::new(), |p| p.to_string_lossy().into_owned());
    let known = database.map(|path| entries(path, &here, &mut inputs));
    if let (Some(known), true) = (&known, operands.is_empty()) {
        known.iter().for_each(|entry| inputs.add_entry(entry, &here, base));
    }
    for operand in operands {
        let name = operand.to_string_lossy().into_owned();
        if Path::new(operand).is_dir() {
            inputs.add_directory(&name, known.as_deref(), &here, base);
            continue;
        }
        let path = absolute(&name, &here);
        match known.as_ref().map(|k| k.iter().find(|entry| entry.path == path)) {
            Some(Some(entry)) => inputs.add(operand.clone(), flags::combine(entry.command.clone(), base)),
            Some(None) => {
                inputs.notes.push(format!("{name}: not in the compilation database"));
                inputs.add(operand.clone(), base.clone());
            }
            None => inputs.add(operand.clone(), base.clone()),
        }
    }
    inputs
}

impl Inputs {
    fn add(&mut self, path: OsString, reading: Reading) {
        if !self.files.iter().any(|f| f.path == path) {
            let name = path.to_string_lossy().into_owned();
            self.files.push(Input { name, path, reading });
        }
    }

    fn add_entry(&mut self, entry: &Entry, here: &str, base: &Reading) {
        let name = shown(&entry.path, here);
        let command = entry.command.clone();
        match &command.other_language {
            Some(language) => self.notes.push(format!("{name}: left out, it is {language}")),
            None => self.add(name.into(), flags::combine(command, base)),
        }
    }

    fn add_directory(&mut self, name: &str, known: Option<&[Entry]>, here: &str, base: &Reading) {
        let before = self.files.len();
        if let Some(known) = known {
            let inside = format!("{}/", absolute(name, here));
            for entry in known.iter().filter(|e| e.path.starts_with(&inside)) {
                self.add_entry(entry, here, base);
            }
            if self.files.len() == before {
                self.errors.push(format!("{name}: the compilation database has no C file below it"));
            }
            return;
        }
        let places = [join(name, DATABASE), join(&join(name, "build"), DATABASE)];
        if let Some(path) = places.iter().find(|p| Path::new(p).is_file()) {
            let complaints = self.errors.len();
            for entry in entries(Path::new(path), here, self) {
                self.add_entry(&entry, here, base);
            }
            if self.files.len() == before && self.errors.len() == complaints {
                self.errors.push(format!("{path}: there is no C file in it"));
            }
            return;
        }
        let mut found = Vec::new();
        below(Path::new(name), MAX_DEPTH, &mut found, &mut self.errors);
        found.sort();
        if found.is_empty() {
            self.errors.push(format!("{name}: there is no C file below it"));
        }
        for path in found {
            let path = path.to_string_lossy().into_owned();
            let path = path.strip_prefix("./").map_or(path.clone(), str::to_owned);
            self.add(path.into(), base.clone());
        }
    }
}

/// The `.c` files below a directory; hidden directories are left out.
fn below(directory: &Path, depth: usize, found: &mut Vec<PathBuf>, errors: &mut Vec<String>) {
    let entries = match std::fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) => return errors.push(format!("{}: {error}", directory.display())),
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && !hidden && depth > 0 {
            below(&path, depth - 1, found, errors);
        } else if path.extension().is_some_and(|e| e == "c") && path.is_file() {
            found.push(path);
        }
    }
}

fn absolute(path: &str, here: &str) -> String {
    normal(&join(here, path))
}

/// A path as seen from the present directory, if it lies below it.
fn shown(path: &str, here: &str) -> String {
    let inside = path.strip_prefix(here).and_then(|rest| rest.strip_prefix('/'));
    inside.filter(|_| !here.is_empty()).unwrap_or(path).to_owned()
}

/// The entries of a database, each file once. What is wrong with it is said.
fn entries(path: &Path, here: &str, inputs: &mut Inputs) -> Vec<Entry> {
    let shown_path = path.display().to_string();
    let value = match std::fs::read(path) {
        Ok(bytes) => serde_json::from_slice::<Value>(&bytes).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    let value = match value {
        Ok(Value::Array(list)) => list,
        Ok(_) => {
            inputs.errors.push(format!("{shown_path}: expected a list of commands"));
            return Vec::new();
        }
        Err(error) => {
            inputs.errors.push(format!("{shown_path}: {error}"));
            return Vec::new();
        }
    };
    // A directory that is not absolute is seen from the database.
    let beside = path.parent().map_or(String::new(), |p| p.to_string_lossy().into_owned());
    let beside = absolute(&beside, here);
    let mut out: Vec<Entry> = Vec::new();
    for (i, value) in value.iter().enumerate() {
        match entry(value, &beside, here) {
            Ok(entry) => match out.iter().find(|e| e.path == entry.path) {
                Some(first) if first.command != entry.command => {
                    let name = shown(&entry.path, here);
                    let text = "compiled several times with different flags; the first are used";
                    inputs.notes.push(format!("{name}: {text}"));
                }
                Some(_) => {}
                None => out.push(entry),
            },
            Err(what) => inputs.errors.push(format!("{shown_path}: command {}: {what}", i + 1)),
        }
    }
    out
}

fn entry(value: &Value, beside: &str, here: &str) -> Result<Entry, String> {
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    let file = text("file").ok_or("`file` is missing")?;
    let directory = text("directory").ok_or("`directory` is missing")?;
    let words = match (value.get("arguments").and_then(Value::as_array), text("command")) {
        (Some(list), _) => {
            let words: Option<Vec<String>> = list.iter().map(|w| w.as_str().map(str::to_owned)).collect();
            words.ok_or("`arguments` is no list of texts")?
        }
        (None, Some(command)) => flags::split(command),
        (None, None) => return Err("neither `command` nor `arguments` is there".to_owned()),
    };
    let directory = absolute(directory, beside);
    let path = normal(&join(&directory, file));
    // Directories are shown in messages as the files are.
    let mut command =
        flags::of_command(words.get(1..).unwrap_or_default(), &shown_directory(&directory, here));
    let c = Path::new(file).extension().is_some_and(|e| matches!(e.to_str(), Some("c" | "i" | "h")));
    if !c && command.other_language.is_none() {
        let end = Path::new(file).extension().map_or(String::new(), |e| e.to_string_lossy().into_owned());
        command.other_language = Some(format!("`.{end}`, not C"));
    }
    Ok(Entry { path, command })
}

fn shown_directory(directory: &str, here: &str) -> String {
    if directory == here { String::new() } else { shown(directory, here) }
}
