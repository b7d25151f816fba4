//! Texts with contracts written into them, as they are read.
//!
//! A contract is written on one line before the first word of its function, so that every line keeps its number; places
//! are translated back to the text without it. Candidates for contracts are read together, as promises of a behaviour
//! that never applies: this gives their formulas and changes nothing else. Those that are not well formed for the types
//! of a function are left out.

use super::contract::Contract;
use crate::frontend::c::outline::{Outline, Outlined};
use crate::frontend::c::{Input, Unit};
use crate::frontend::diagnostic::{Diagnostic, Severity, Span};
use crate::program::{Check, Formula, Program, Question};
use crate::session::{self, File};
use crate::util::limits::Limits;
use std::collections::BTreeMap;

/// The name of the behaviour that never applies.
const PROBE: &str = "candidates_of_catena";
/// How often candidates that are not well formed are left out.
const ROUNDS: usize = 4;

/// Texts and the contracts that are written into them, by function.
#[derive(Clone)]
pub(super) struct Draft {
    inputs: Vec<Input>,
    pub(super) outline: Outline,
    pub(super) contracts: BTreeMap<String, Contract>,
}

/// A function with the formulas of candidates.
pub(super) struct Probe {
    /// The function; calls are replaced by bodies where that is possible.
    pub(super) program: Program,
    /// By candidate; `None`: it is not well formed here.
    pub(super) formulas: Vec<Option<Formula>>,
    /// What is asked about runs.
    pub(super) question: Question,
}

/// What is written before a function.
struct Insertion {
    file: String,
    at: usize,
    text: String,
}

impl Draft {
    pub(super) fn new(inputs: Vec<Input>, outline: Outline) -> Draft {
        Draft { inputs, outline, contracts: BTreeMap::new() }
    }

    /// The same texts, asked about their promises only.
    pub(super) fn about_ends(&self) -> Draft {
        let mut draft = self.clone();
        draft.inputs.iter_mut().for_each(|input| input.options.checks = vec![Check::Ensures]);
        draft
    }

    fn insertions(&self, extra: Option<(&Outlined, &str)>) -> Vec<Insertion> {
        let mut out = Vec::new();
        let mut add = |function: &Outlined, text: String| {
            let at = self.offset(function);
            out.push(Insertion { file: function.file.clone(), at, text });
        };
        for (name, contract) in &self.contracts {
            if let Some(function) = self.outline.function(name)
                && extra.is_none_or(|(f, _)| f.name != *name)
            {
                add(function, contract.compact());
            }
        }
        if let Some((function, text)) = extra {
            add(function, text.to_owned());
        }
        out.sort_by_key(|i| i.at);
        out
    }

    /// The byte of its text at which a function begins.
    fn offset(&self, function: &Outlined) -> usize {
        // Files lie one after the other in one space of positions, those that are given before what they include.
        (function.start.start - self.base(&function.file)) as usize
    }

    /// The line of a function's name.
    pub(super) fn line(&self, function: &Outlined) -> usize {
        let input = self.inputs.iter().find(|i| i.name == function.file);
        let at = (function.span.start - self.base(&function.file)) as usize;
        let text = input.and_then(|i| i.text.get(..at)).unwrap_or_default();
        text.iter().filter(|b| **b == b'\n').count() + 1
    }

    fn base(&self, file: &str) -> u32 {
        self.outline.bases.iter().find(|(name, _)| name == file).map_or(0, |(_, base)| *base)
    }

    /// The texts with all contracts.
    pub(super) fn completed(&self) -> Vec<Input> {
        self.inserted(&self.insertions(None))
    }

    fn inserted(&self, insertions: &[Insertion]) -> Vec<Input> {
        let mut inputs = self.inputs.clone();
        for input in &mut inputs {
            for insertion in insertions.iter().rev().filter(|i| i.file == input.name) {
                let at = insertion.at.min(input.text.len());
                input.text.splice(at..at, insertion.text.bytes());
            }
        }
        inputs
    }

    /// Reads one function with these insertions.
    fn read(&self, function: &str, insertions: &[Insertion], limits: &Limits) -> Result<File, String> {
        let mut inputs = self.inserted(insertions);
        inputs.iter_mut().for_each(|input| input.options.only = vec![function.to_owned()]);
        let names = inputs.iter().map(|i| i.name.clone()).collect();
        session::read(inputs, names, limits).map_err(|unread| unread.to_string())
    }

    /// The function with its contract, and the contracts of others, as `verify` would read it.
    pub(super) fn with(
        &self,
        function: &Outlined,
        contract: &Contract,
        limits: &Limits,
    ) -> Result<File, String> {
        let text = contract.compact();
        self.read(&function.name, &self.insertions(Some((function, &text))), limits)
    }

    /// Where a span of a text with insertions stands in the text without: `file:line:column`.
    pub(super) fn place(&self, unit: &Unit, function: &Outlined, text: &str, span: Span) -> Option<String> {
        if span == Span::default() {
            return None;
        }
        let source = unit.sources.source_of(span.start)?;
        let Some(input) = self.inputs.iter().find(|i| i.name == source.name) else {
            let place = unit.sources.presumed(span);
            return Some(format!("{}:{}:{}", place.file, place.line, place.column));
        };
        let mut at = (span.start - source.base) as usize;
        let mut before = 0;
        for insertion in self.insertions(Some((function, text))).iter().filter(|i| i.file == input.name) {
            let start = insertion.at + before;
            if at < start {
                break;
            }
            at = at.max(start + insertion.text.len());
            before += insertion.text.len();
        }
        at -= before;
        let text = input.text.get(..at.min(input.text.len()))?;
        let line = text.iter().filter(|b| **b == b'\n').count() + 1;
        let start = text.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
        let column = String::from_utf8_lossy(&text[start..]).chars().count() + 1;
        Some(format!("{}:{line}:{column}", input.name))
    }

    /// Reads a function with candidates.
    pub(super) fn probe(
        &self,
        function: &Outlined,
        candidates: &[String],
        limits: &Limits,
    ) -> Result<(Probe, File, String), Refusal> {
        let mut alive: Vec<bool> = vec![true; candidates.len()];
        for round in 0..=ROUNDS {
            if round == ROUNDS {
                alive.fill(false);
            }
            let mut text = "/*@ requires \\true;".to_owned();
            if alive.contains(&true) {
                text.push_str(&format!(" behavior {PROBE}: assumes \\false;"));
            }
            let mut ranges = Vec::new();
            for (i, candidate) in candidates.iter().enumerate().filter(|(i, _)| alive[*i]) {
                let start = text.len();
                text.push_str(&format!(" ensures {candidate};"));
                ranges.push((i, start..text.len()));
            }
            text.push_str(" @*/ ");
            let insertions = self.insertions(Some((function, &text)));
            let at = self.offset(function);
            let before: usize = insertions
                .iter()
                .filter(|i| i.file == function.file && i.at < at)
                .map(|i| i.text.len())
                .sum();
            let file =
                self.read(&function.name, &insertions, limits).map_err(|why| Refusal { why, place: None })?;
            let base = file.unit.sources.find(&function.file).map_or(0, |s| s.base) as usize + at + before;
            let candidate = |span: Span| {
                let at = (span.start as usize).checked_sub(base)?;
                ranges.iter().find(|(_, range)| range.contains(&at)).map(|(i, _)| *i)
            };
            let mut dropped = false;
            let own = file.unit.functions.iter().find(|f| f.name == function.name);
            let found = own.and_then(|f| f.program.as_ref().err()).into_iter().flatten();
            for diagnostic in found.chain(&file.unit.diagnostics) {
                if diagnostic.severity > Severity::Warning
                    && let Some(i) = candidate(diagnostic.span)
                {
                    dropped |= std::mem::replace(&mut alive[i], false);
                }
            }
            if dropped {
                continue;
            }
            let Some(own) = own else {
                let why = "the function could not be read".to_owned();
                return Err(Refusal { why, place: None });
            };
            let program = match &own.program {
                Ok(program) => own.inlined.as_ref().unwrap_or(program).clone(),
                Err(found) => return Err(self.refused(&file, function, &text, found)),
            };
            let mut formulas: Vec<Option<Formula>> = vec![None; candidates.len()];
            let probe = program.contracts.iter().find(|c| c.behavior.as_deref() == Some(PROBE));
            for clause in probe.iter().flat_map(|c| &c.ensures) {
                if let Some(i) = candidate(clause.span) {
                    formulas[i] = Some(clause.formula.clone());
                }
            }
            let mut program = program;
            program.contracts.truncate(1);
            let question = Question { contract: 0, checks: vec![Check::Memsafety, Check::Asserts] };
            return Ok((Probe { program, formulas, question }, file, text));
        }
        Err(Refusal { why: "the function could not be read".to_owned(), place: None })
    }

    fn refused(&self, file: &File, function: &Outlined, text: &str, found: &[Diagnostic]) -> Refusal {
        let worst = found.iter().max_by_key(|d| d.severity);
        let why = worst.map_or("the function could not be read".to_owned(), |d| d.message.clone());
        Refusal { why, place: worst.and_then(|d| self.place(&file.unit, function, text, d.span)) }
    }

    /// The text of a file with the contracts of these functions, each on lines of its own.
    pub(super) fn pasted(&self, file: &str, names: &[&str]) -> Option<String> {
        let input = self.inputs.iter().find(|i| i.name == file)?;
        let mut text = input.text.clone();
        let mut places: Vec<(usize, &Contract)> = Vec::new();
        for name in names {
            if let (Some(function), Some(contract)) = (self.outline.function(name), self.contracts.get(*name))
                && function.file == file
                && function.in_text
            {
                places.push((self.offset(function), contract));
            }
        }
        places.sort_by_key(|(at, _)| *at);
        for (at, contract) in places.into_iter().rev() {
            let at = at.min(text.len());
            let start = text[..at].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
            let lead = &text[start..at];
            let blank = lead.iter().all(|b| matches!(b, b' ' | b'\t'));
            let indent = if blank { String::from_utf8_lossy(lead).into_owned() } else { String::new() };
            let pretty =
                if blank { format!("{}\n{indent}", contract.pretty(&indent)) } else { contract.compact() };
            text.splice(at..at, pretty.bytes());
        }
        Some(String::from_utf8_lossy(&text).into_owned())
    }

    pub(super) fn inputs(&self) -> &[Input] {
        &self.inputs
    }
}

/// Why there is no program.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    pub(super) why: String,
    pub(super) place: Option<String>,
}
