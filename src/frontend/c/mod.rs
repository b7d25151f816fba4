//! C with annotations: text in, checked programs out.
//!
//! ```text
//! bytes --lex, preprocess--> tokens --parse--> syntax tree --check--> typed tree --lower--> one program per function
//! ```
//!
//! [`load`] does all of it. Each function that has a contract, and `main`, comes back as a program or as the
//! diagnostics that explain why there is none; what is wrong or unmodelled in one function does not touch the
//! others. No input makes it panic: nesting is bounded by the parser, expansion by the preprocessor, and the work
//! runs on a thread with a stack that fits those bounds.

pub mod ast;
pub(crate) mod check;
pub mod files;
pub(crate) mod formats;
pub mod hir;
pub mod lex;
pub mod link;
mod lower;
pub mod number;
mod objects;
pub mod outline;
pub mod padding;
pub mod parse;
mod plain;
pub mod preprocess;
#[cfg(test)]
mod sizes_tests;
pub mod specifiers;
mod splice;
#[cfg(test)]
mod tests;
pub mod token;
pub mod types;
mod veil;
#[cfg(test)]
mod wellformed_tests;

use crate::frontend::diagnostic::{Diagnostic, Severity, Sources, Span};
use crate::program::{Check, Program, Property};
use crate::util::options;
use crate::util::threads::with_stack;
pub(crate) use check::expression::intrinsic;
use std::sync::Arc;
use token::Names;

/// Stack of the thread that reads: enough for the bounds on nesting, with room to spare.
const STACK: usize = 512 << 20;

/// Says of a function that the parser complained about it; the complaint itself stands with the unit.
pub(crate) const UNREAD: &str = "unread";

/// What `malloc` may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Malloc {
    /// It always returns a new cell.
    #[default]
    NeverFails,
    /// It may return null.
    MayFail,
}

/// How C is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// `long` and pointers have 64 bits (LP64), not 32 (ILP32).
    pub lp64: bool,
    /// What `malloc` may do.
    pub malloc: Malloc,
    /// Inline functions that have a contract too, recursive ones some levels deep: for finding runs. What such a
    /// program shows of all runs is worth nothing, because deeper ones are cut off.
    pub inline_contracts: bool,
    /// What is asked about the programs: what is not asked about ends a run as C would, or is left out.
    pub checks: Vec<Check>,
    /// The property of the competition that is asked about, if it is one.
    pub property: Option<Property>,
    /// Find out what `void *` and pointers into objects lead to before lowering. Without it less is decided, and nothing
    /// else changes.
    pub objects: bool,
    /// Only these functions are wanted; nobody means all that have a contract, and `main`.
    pub only: Vec<String>,
    /// What is said about the text outside of it.
    pub flags: files::Flags,
    /// Who gives the files that the text includes.
    pub files: files::Provider,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            lp64: true,
            malloc: Malloc::default(),
            inline_contracts: false,
            checks: vec![Check::Memsafety, Check::Asserts, Check::Ensures],
            property: None,
            objects: true,
            only: Vec::new(),
            flags: files::Flags::default(),
            files: files::Provider::default(),
        }
    }
}

impl Options {
    /// Whether the class is asked about.
    fn asks(&self, check: Check) -> bool {
        self.checks.contains(&check)
    }

    /// A failed `assert` of C is a failure, not just an end.
    pub(crate) fn counts_assert(&self) -> bool {
        self.asks(Check::Asserts) && self.property != Some(Property::UnreachCall)
    }

    /// The class that what a callee requires belongs to. Its contract says nothing of a call that breaks it, so it
    /// is checked whatever is asked.
    fn precondition(&self) -> Check {
        let asserts = self.asks(Check::Asserts).then_some(Check::Asserts);
        asserts.or(self.checks.first().copied()).unwrap_or(Check::Asserts)
    }

    /// Reaching the label is a failure.
    pub(crate) fn is_error_label(&self, name: &str) -> bool {
        self.property == Some(Property::UnreachCall) && name == "ERROR"
    }

    /// Everything must be freed where the program ends.
    fn cleans_up(&self) -> bool {
        self.property == Some(Property::Memcleanup)
    }

    /// Lost cells count where the program ends inside a function.
    fn sweeps_ends(&self) -> bool {
        self.asks(Check::Leaks) && !self.cleans_up()
    }

    /// Lost cells count even if the run never ends.
    fn sweeps_heads(&self) -> bool {
        self.property == Some(Property::Memsafety)
    }
}

/// A text and how it is read.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its path.
    pub name: String,
    /// Its bytes.
    pub text: Vec<u8>,
    /// How it is read.
    pub options: Options,
}

/// A function that is to be verified.
#[derive(Clone, Debug)]
pub struct LoadedFunction {
    /// Its name.
    pub name: String,
    /// The text that has it, or includes it.
    pub file: String,
    /// Of its name.
    pub span: Span,
    /// Its program, or why there is none: errors, and unsupported constructs that it or a function it needs uses.
    pub program: Result<Program, Vec<Diagnostic>>,
    /// If calls in it are known by contract only: the program with the bodies of all callees, where there is one.
    pub inlined: Option<Program>,
}

/// A unit after checking, as C has it: what is executed.
#[derive(Debug)]
pub struct CheckedUnit {
    /// Structs and their layout.
    pub types: types::Types,
    /// Functions and globals.
    pub checked: hir::Checked,
    /// Spellings.
    pub names: Names,
    /// What is wrong with the text outside of functions; then nothing is known of any.
    pub lost: Vec<Diagnostic>,
    /// Expressions with an open order of evaluation, by function.
    pub open_orders: Vec<Vec<Diagnostic>>,
}

/// A file after reading.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The text of the file and of the headers it includes, for positions.
    pub sources: Sources,
    /// The functions with a contract, and `main`, in the order of the file.
    pub functions: Vec<LoadedFunction>,
    /// Everything there is to say, in the order of the text, nothing twice; includes what stands with the functions.
    pub diagnostics: Vec<Diagnostic>,
    /// What functions there are, and what contracts for them could speak of.
    pub outline: outline::Outline,
    /// The unit as it was checked, if it has a `main`.
    pub checked: Option<Arc<CheckedUnit>>,
}

impl Unit {
    /// Is there an error in the input, as opposed to something unsupported?
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity == Severity::Error)
    }
}

/// Reads a file.
pub fn load(name: &str, text: &[u8], options: &Options) -> Unit {
    load_linked(&[Input { name: name.to_owned(), text: text.to_vec(), options: options.clone() }])
}

/// Reads files that are linked to one program. What is asked about it is what the options of the first say.
pub fn load_linked(inputs: &[Input]) -> Unit {
    with_stack(STACK, || read(inputs)).unwrap_or_else(|_| {
        let name = inputs.first().map_or("", |i| &i.name);
        rejected(name, "there is no memory for reading this file")
    })
}

/// The text, or where it stops being one.
fn clean(bytes: &[u8]) -> Result<&str, &str> {
    let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let clean = valid.find('\0').map_or(valid, |at| &valid[..at]);
    if clean.len() < bytes.len() { Err(clean) } else { Ok(clean) }
}

fn rejected(name: &str, message: &str) -> Unit {
    let mut sources = Sources::default();
    // An empty text always fits.
    let _ = sources.add(name, String::new());
    let diagnostics = vec![Diagnostic::error("input", Span::default(), message)];
    Unit { sources, functions: Vec::new(), diagnostics, outline: outline::Outline::default(), checked: None }
}

/// After a clean beginning comes a byte that no text has.
fn no_text(name: &str, clean: &str, byte: u8) -> Unit {
    let mut sources = Sources::default();
    let shown = format!("{clean}{}", char::REPLACEMENT_CHARACTER);
    let (start, end) = (clean.len() as u32, shown.len() as u32);
    let span = match sources.add(name, shown) {
        Ok(_) => Span { start, end },
        Err(_) => return rejected(name, "this file is too large"),
    };
    let message =
        format!("this is not a text file: found the byte 0x{byte:02x}, expected UTF-8 without zero bytes");
    let diagnostics = vec![Diagnostic::error("input", span, message)];
    Unit { sources, functions: Vec::new(), diagnostics, outline: outline::Outline::default(), checked: None }
}

/// The program of one function. What has no model as it is written is said with cells first.
fn lower_one(unit: &lower::Unit<'_>, index: u32) -> Result<Program, Vec<Diagnostic>> {
    let found = match lower_objects(unit, index) {
        Ok(program) => return Ok(program),
        Err(found) => found,
    };
    // The order of evaluation is judged as it is written.
    if options::C_PLAIN.get() == 0 || !unit.options.objects || !unit.complaints(index).is_empty() {
        return Err(found);
    }
    let with = |(types, checked): (types::Types, hir::Checked)| {
        lower_objects(&lower::Unit::new(&types, &checked, unit.names, unit.options), index)
    };
    let found = match plain::rewrite(unit.types, unit.checked, unit.names, index).map(with) {
        Some(Ok(program)) => return Ok(program),
        Some(Err(found)) => found,
        None => found,
    };
    if unit.names.text(unit.checked.functions[index as usize].name) == "main" {
        return Err(found);
    }
    let Some((types, checked)) = veil::rewrite(unit.types, unit.checked, index) else { return Err(found) };
    let plain = plain::rewrite(&types, &checked, unit.names, index);
    let program = with((types, checked)).ok().or_else(|| plain.and_then(|new| with(new).ok()));
    program.ok_or(found)
}

/// The program of one function, with the types of its objects found first if it needs that.
fn lower_objects(unit: &lower::Unit<'_>, index: u32) -> Result<Program, Vec<Diagnostic>> {
    if unit.options.objects {
        let by_contract = |f: u32| unit.is_by_contract(f);
        let resolved = objects::resolve(unit.types, unit.checked, unit.names, index, &by_contract);
        if let Some(resolved) = resolved {
            let unit = lower::Unit::new(&resolved.types, &resolved.checked, unit.names, unit.options);
            return unit.lower(resolved.entry);
        }
    }
    unit.lower(index)
}

fn read(inputs: &[Input]) -> Unit {
    let mut sources = Sources::default();
    let mut names = check::known_names();
    let (mut diagnostics, mut lost, mut units, mut texts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let Some(Input { options, .. }) = inputs.first() else { return rejected("", "there is no file") };
    for Input { name, text, options: own } in inputs {
        let text = match clean(text) {
            Ok(text) => text.to_owned(),
            Err(beginning) => return no_text(name, beginning, text[beginning.len()]),
        };
        let Ok(main) = sources.add(name, text) else {
            return rejected(name, "this file is too large");
        };
        // Everything that a text includes comes after it.
        texts.push((sources.get(main).base, name.as_str()));
        let mut own_diagnostics = Vec::new();
        if own.lp64 != options.lp64 {
            let text = "the files that are linked have different data models";
            let span = Span { start: sources.get(main).base, end: sources.get(main).base };
            own_diagnostics.push(Diagnostic::error("input", span, text));
        }
        let text = preprocess::preprocess(&mut sources, main, own, &mut names, &mut own_diagnostics);
        // What a wrong directive leaves out may be anywhere, and so may be what an unknown one changes.
        lost.extend(own_diagnostics.iter().filter(|d| d.severity != Severity::Warning).cloned());
        let parse = parse::parse(
            &text.tokens,
            &text.packed,
            options.property.is_some(),
            &mut names,
            &mut own_diagnostics,
        );
        lost.extend(parse.strange);
        units.push(parse.items);
        diagnostics.append(&mut own_diagnostics);
    }
    let units: Vec<&[ast::Item]> = units.iter().map(Vec::as_slice).collect();
    let outcome = check::check(&units, &names, &sources, options.lp64);
    diagnostics.extend(outcome.diagnostics);
    let unit = lower::Unit::new(&outcome.types, &outcome.checked, &names, options);
    let with_bodies = Options { inline_contracts: true, ..options.clone() };
    let with_bodies = lower::Unit::new(&outcome.types, &outcome.checked, &names, &with_bodies);
    let file_of = |span: Span| {
        let file = texts.iter().rev().find(|(base, _)| *base <= span.start);
        file.map_or(String::new(), |(_, name)| (*name).to_owned())
    };
    let mut functions = Vec::new();
    for (index, function) in outcome.checked.functions.iter().enumerate() {
        diagnostics
            .extend(function.diagnostics.iter().filter(|d| d.severity != Severity::Unsupported).cloned());
        let name = names.text(function.name);
        let wanted = options.only.is_empty() || options.only.iter().any(|n| n == name);
        if !function.defined || !wanted || !(function.has_contract || name == "main") {
            continue;
        }
        let program = if lost.is_empty() { lower_one(&unit, index as u32) } else { Err(lost.clone()) };
        if let Err(found) = &program {
            diagnostics.extend(found.iter().cloned());
        }
        let by_contract = program.as_ref().is_ok_and(Program::calls_by_contract);
        let inlined = by_contract.then(|| with_bodies.lower(index as u32).ok()).flatten();
        let (name, span) = (name.to_owned(), function.span);
        let file = file_of(span);
        functions.push(LoadedFunction { name, file, span, program, inlined });
    }
    for global in &outcome.checked.globals {
        diagnostics.extend(global.diagnostics.iter().filter(|d| d.severity == Severity::Error).cloned());
    }
    diagnostics.retain(|d| d.code != UNREAD);
    functions.sort_by_key(|f| f.span);
    let place = |d: &Diagnostic| (sources.outermost(d.span), d.span);
    diagnostics.sort_by(|a, b| (place(a), b.severity, &a.message).cmp(&(place(b), a.severity, &b.message)));
    diagnostics.dedup();
    let outline = outline::of(&units, &outcome.types, &outcome.checked, &names, &sources, &texts);
    let open_orders = functions.iter().any(|f| f.name == "main").then(|| unit.open_orders());
    drop(unit);
    let checked = open_orders.map(|open_orders| {
        Arc::new(CheckedUnit { types: outcome.types, checked: outcome.checked, names, lost, open_orders })
    });
    Unit { sources, functions, diagnostics, outline, checked }
}
