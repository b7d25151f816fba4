//! Certificates of programs: evidence for a verdict, as text that is written once and checked again by code
//! that shares nothing with the engines.
//!
//! For `verified`: one proof per obligation. The obligations are made again from the program by
//! `program::wp`, which the interpreter is the oracle of; each is written as a script and read back, and its
//! proof is checked step by step by [`check_proof`]. The invariants are those of the source. For
//! `violated`: the state at the entry and the edges taken; the interpreter runs them.
//!
//! ```text
//! catena certificate 1
//! function NAME
//! behavior NAME            (left out for the clauses outside any behaviour)
//! checks WORD ...
//! proofs N                 or   run
//! proof BYTES                   cell STATUS STRUCT VALUE ...   one per cell, in order; values of its fields
//! (proof ...)                   null VALUE ...                 values of all fields at null
//! ...                           var VALUE | array VALUE ...    one per variable, in order
//! end                           path EDGE ...
//!                               end
//! ```
//! A value is an integer, `null` or `#CELL`. A file holds one certificate per function and behaviour.

use super::check_proof;
use crate::frontend::smtlib::proof::Problem;
use crate::program::explore::{self, Bound, Found};
use crate::program::{CellId, Check, EdgeId, FieldId, Program, Question, State, Status, StructId, Value, wp};
use crate::util::limits::Budget;
use std::fmt::Write as _;

/// Evidence for a verdict about a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramCertificate {
    /// The function.
    pub function: String,
    /// The behaviour; `None` for the clauses outside any.
    pub behavior: Option<String>,
    /// Property classes that were asked for.
    pub checks: Vec<Check>,
    /// What shows it.
    pub evidence: Evidence,
}

/// What shows a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// `verified`: a proof per obligation, as text.
    Proofs(Vec<String>),
    /// `violated`: a run.
    Run {
        /// State at the entry.
        initial: Box<State>,
        /// Edges in their order; empty if they are not known.
        path: Vec<EdgeId>,
    },
}

const CHECKS: [Check; 5] = [Check::Memsafety, Check::Asserts, Check::Ensures, Check::Leaks, Check::Garbage];
const HEADER: &str = "catena certificate 1";

/// The certificate as text.
#[must_use]
pub fn print_certificate(program: &Program, certificate: &ProgramCertificate) -> String {
    let mut out = format!("{HEADER}\nfunction {}\n", certificate.function);
    if let Some(behavior) = &certificate.behavior {
        let _ = writeln!(out, "behavior {behavior}");
    }
    let words: Vec<&str> = certificate.checks.iter().map(|c| c.word()).collect();
    let _ = writeln!(out, "checks {}", words.join(" "));
    match &certificate.evidence {
        Evidence::Proofs(proofs) => {
            let _ = writeln!(out, "proofs {}", proofs.len());
            for proof in proofs {
                let _ = writeln!(out, "proof {}\n{proof}", proof.len());
            }
        }
        Evidence::Run { initial, path } => {
            out.push_str("run\n");
            print_state(program, initial, &mut out);
            let edges: Vec<String> = path.iter().map(|e| e.0.to_string()).collect();
            let _ = writeln!(out, "path {}", edges.join(" "));
        }
    }
    out.push_str("end\n");
    out
}

fn print_value(value: Value) -> String {
    match value {
        Value::Int(n) => n.to_string(),
        Value::Null => "null".to_owned(),
        Value::Cell(c) => format!("#{}", c.0),
    }
}

fn print_values(values: impl Iterator<Item = Value>) -> String {
    values.map(|v| format!(" {}", print_value(v))).collect()
}

fn print_state(program: &Program, state: &State, out: &mut String) {
    for cell in &state.cells {
        let status = match cell.status {
            Status::Never => "never",
            Status::Heap => "heap",
            Status::Automatic => "automatic",
            Status::Freed => "freed",
        };
        let _ = writeln!(out, "cell {status} {}{}", cell.of.0, print_values(cell.fields.iter().copied()));
    }
    let _ = writeln!(out, "null{}", print_values(state.at_null.iter().copied()));
    for (i, var) in program.vars.iter().enumerate() {
        if var.ty.element().is_some() {
            let _ = writeln!(out, "array{}", print_values(state.arrays[i].iter().copied()));
        } else {
            let _ = writeln!(out, "var {}", print_value(state.vars[i]));
        }
    }
}

/// Reads the certificates of a file. `program` gives the program of a function, which states are read for.
///
/// # Errors
/// What is wrong with the text, with its line.
pub fn read_certificates<'p>(
    text: &str,
    program: &dyn Fn(&str) -> Option<&'p Program>,
) -> Result<Vec<ProgramCertificate>, String> {
    let mut reader = Reader { text, at: 0, line: 0 };
    let mut out = Vec::new();
    while reader.at < text.len() {
        out.push(reader.certificate(program)?);
    }
    if out.is_empty() { Err("line 1: expected a certificate, found nothing".to_owned()) } else { Ok(out) }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl<'t> Reader<'t> {
    fn next_line(&mut self) -> Option<&'t str> {
        if self.at >= self.text.len() {
            return None;
        }
        let rest = &self.text[self.at..];
        let line = rest.split('\n').next().unwrap_or("");
        self.at = (self.at + line.len() + 1).min(self.text.len());
        self.line += 1;
        Some(line)
    }

    fn error<T>(&self, expected: &str) -> Result<T, String> {
        Err(format!("line {}: expected {expected}", self.line.max(1)))
    }

    /// The rest of a line that begins with the word.
    fn after(&mut self, word: &str) -> Result<&'t str, String> {
        let line = self.next_line().unwrap_or("");
        match line.strip_prefix(word) {
            Some("") => Ok(""),
            Some(rest) if rest.starts_with(' ') => Ok(&rest[1..]),
            _ => self.error(&format!("`{word}`")),
        }
    }

    fn peeks(&self, word: &str) -> bool {
        self.text[self.at..].starts_with(word)
    }

    fn certificate<'p>(
        &mut self,
        program: &dyn Fn(&str) -> Option<&'p Program>,
    ) -> Result<ProgramCertificate, String> {
        self.after(HEADER)?;
        let function = self.after("function")?.to_owned();
        let Some(program) = program(&function) else { return self.error("a function of the file") };
        let behavior = if self.peeks("behavior ") { Some(self.after("behavior")?.to_owned()) } else { None };
        let mut checks = Vec::new();
        for word in self.after("checks")?.split_whitespace() {
            match CHECKS.iter().find(|c| c.word() == word) {
                Some(check) => checks.push(*check),
                None => return self.error("property classes"),
            }
        }
        let evidence = if self.peeks("run\n") {
            self.after("run")?;
            self.run(program)?
        } else {
            self.proofs()?
        };
        self.after("end")?;
        Ok(ProgramCertificate { function, behavior, checks, evidence })
    }

    fn proofs(&mut self) -> Result<Evidence, String> {
        let Ok(count) = self.after("proofs")?.parse::<usize>() else {
            return self.error("a number of proofs");
        };
        let mut proofs = Vec::new();
        for _ in 0..count {
            let Ok(bytes) = self.after("proof")?.parse::<usize>() else {
                return self.error("a number of bytes");
            };
            let end = self.at.checked_add(bytes);
            let Some(proof) = end.and_then(|end| self.text.get(self.at..end)) else {
                return self.error("a proof of that length");
            };
            self.at += bytes;
            self.line += proof.matches('\n').count();
            if self.next_line() != Some("") {
                return self.error("the end of the proof");
            }
            proofs.push(proof.to_owned());
        }
        Ok(Evidence::Proofs(proofs))
    }

    fn values(&self, words: &str) -> Result<Vec<Value>, String> {
        let mut out = Vec::new();
        for word in words.split_whitespace() {
            let value = match word.strip_prefix('#') {
                Some(cell) => cell.parse().ok().map(|c| Value::Cell(CellId(c))),
                None if word == "null" => Some(Value::Null),
                None => word.parse().ok().map(Value::Int),
            };
            match value {
                Some(value) => out.push(value),
                None => return self.error("values"),
            }
        }
        Ok(out)
    }

    fn run(&mut self, program: &Program) -> Result<Evidence, String> {
        let mut state = State::new(program);
        let mut contents = Vec::new();
        while self.peeks("cell ") {
            let line = self.after("cell")?;
            let mut words = line.splitn(3, ' ');
            let status = match words.next() {
                Some("never") => Status::Never,
                Some("heap") => Status::Heap,
                Some("automatic") => Status::Automatic,
                Some("freed") => Status::Freed,
                _ => return self.error("a status"),
            };
            let of = words.next().and_then(|w| w.parse().ok()).map(StructId);
            let Some(of) = of.filter(|s| s.index() < program.structs.len()) else {
                return self.error("a struct");
            };
            let cell = state.add_cell(program, of, status);
            let values = self.values(words.next().unwrap_or(""))?;
            if values.len() != program.structs[of.index()].fields.len() {
                return self.error("a value per field");
            }
            contents.push((cell, of, values, self.line));
        }
        let cells: Vec<StructId> = state.cells.iter().map(|c| c.of).collect();
        for (cell, of, values, _) in contents {
            for (&field, value) in program.structs[of.index()].fields.iter().zip(values) {
                self.fits(program.fields[field.index()].ty, value, &cells)?;
                state.set_field(cell, field, value);
            }
        }
        let line = self.after("null")?;
        let at_null = self.values(line)?;
        if at_null.len() != program.fields.len() {
            return self.error("a value per field");
        }
        for (i, value) in at_null.into_iter().enumerate() {
            let ty = program.fields[FieldId(i as u32).index()].ty;
            self.fits(ty, value, &cells)?;
            if ty.pointee().is_some() && value != Value::Null {
                return self.error("null for the pointer fields of null");
            }
            state.at_null[i] = value;
        }
        for (i, var) in program.vars.iter().enumerate() {
            let element = var.ty.element();
            let line = self.after(if element.is_some() { "array" } else { "var" })?;
            let values = self.values(line)?;
            for &value in &values {
                self.fits(element.unwrap_or(var.ty), value, &cells)?;
            }
            match (element, &values[..]) {
                (Some(_), _) if var.len.is_none_or(|n| n == values.len() as u64) => state.arrays[i] = values,
                (None, [value]) => state.vars[i] = *value,
                _ => return self.error("a value per variable"),
            }
        }
        let mut path = Vec::new();
        for word in self.after("path")?.split_whitespace() {
            match word.parse() {
                Ok(edge) if (edge as usize) < program.edges.len() => path.push(EdgeId(edge)),
                _ => return self.error("edges of the program"),
            }
        }
        Ok(Evidence::Run { initial: Box::new(state), path })
    }

    fn fits(&self, ty: crate::program::Type, value: Value, cells: &[StructId]) -> Result<(), String> {
        let right = match (ty.pointee(), value) {
            (None, Value::Int(_)) | (Some(_), Value::Null) => true,
            (Some(of), Value::Cell(c)) => cells.get(c.index()) == Some(&of),
            _ => false,
        };
        if right { Ok(()) } else { self.error("a value of the right type") }
    }
}

/// Whether the evidence shows what it claims about the program.
///
/// # Errors
/// Why not.
pub fn check_certificate(program: &Program, certificate: &ProgramCertificate) -> Result<(), String> {
    if program.name != certificate.function {
        return Err(format!("the certificate is about `{}`", certificate.function));
    }
    let contract = program.contracts.iter().position(|c| c.behavior == certificate.behavior);
    let contract = contract.ok_or("there is no such behaviour")?;
    let question = Question { contract, checks: certificate.checks.clone() };
    match &certificate.evidence {
        Evidence::Proofs(proofs) => check_proofs(program, &question, proofs),
        Evidence::Run { initial, path } => {
            let path = (!path.is_empty()).then_some(&path[..]);
            let (bound, mut budget) = (Bound::default(), Budget::unlimited());
            match explore::replay(program, &question, initial, path, &bound, &mut budget) {
                Found::Violation(_) => Ok(()),
                _ => Err("the run does not break the property".to_owned()),
            }
        }
    }
}

fn check_proofs(program: &Program, question: &Question, proofs: &[String]) -> Result<(), String> {
    let conditions = wp::conditions(program, question).map_err(|reason| reason.message)?;
    if conditions.obligations.len() != proofs.len() {
        return Err(format!("{} obligations, {} proofs", conditions.obligations.len(), proofs.len()));
    }
    for (i, (obligation, proof)) in conditions.obligations.iter().zip(proofs).enumerate() {
        let failed = |why: String| format!("obligation {} ({}): {why}", i + 1, obligation.what);
        let script = wp::script(&conditions, i).map_err(|reason| failed(reason.0))?;
        let problem = Problem::read(script.as_bytes()).map_err(|e| failed(e.to_string()))?;
        let mut problem = problem.map_err(|e| failed(e.to_string()))?;
        let proof = problem.read_proof(proof).map_err(|e| failed(e.to_string()))?;
        check_proof(&problem.terms, &problem.assertions, &problem.assumptions, &proof)
            .map_err(|e| failed(e.to_string()))?;
    }
    Ok(())
}
