//! Certificates as text.
//!
//! ```text
//! catena certificates N
//! function NAME
//! behavior NAME                         left out for the clauses outside any behaviour
//! checks WORD ...                       what was asked
//! reading LP64|ILP32 never-fails|may-fail [PROPERTY]      PROPERTY: a word of `--svcomp`
//! calls contract|inlined                which program the evidence is about
//! verdict verified|violated
//! engine WORD                           who found it, for people
//! EVIDENCE
//! end                                   N times from `function` to here, then nothing
//! ```
//! Evidence for `verified` by proofs: `loop K` for a loop that invariants were found for, numbered as in the
//! source, each followed by pairs of lines, `invariant TEXT` in the annotation language and `formula TREE`, the
//! same in the text form of programs; the reader checks that they agree. Then `proofs N`, and N times `proof BYTES`
//! and the proof. For `verified` in the language of an engine: `annotation ENGINE N` and N lines. By all runs of the program:
//! `runs RUNS COMMANDS`. For `violated`:
//! ```text
//! failing-run
//! cell STATUS STRUCT VALUE ...          per cell, in order; the values of its fields
//! null VALUE ...                        values of all fields at null
//! var VALUE                             per variable, in order; `array VALUE ...` for arrays
//! cells chosen|unchosen                 whether fields of new cells are among the choices
//! choices NUMBER ...
//! omitted NUMBER                        steps before the first one of the path
//! path EDGE ...
//! failure CHECK MESSAGE
//! ```
//! A value is an integer, `null` or `#CELL`.

use super::{Claim, Evidence, FailingRun, ProgramCertificate, Runs};
use crate::program::{
    CellId, Check, EdgeId, FieldId, Formula, LoopId, Program, Property, State, Status, StructId, Type, Value,
    print, text as tree,
};
use crate::util::span::Span;
use crate::verdict::{Failure, Language};
use std::fmt::Write as _;

const HEADER: &str = "catena certificates";

/// A file of certificates; each with the program that its evidence is about.
#[must_use]
pub fn print_certificates(certificates: &[(&Program, &ProgramCertificate)]) -> String {
    let mut out = format!("{HEADER} {}\n", certificates.len());
    for (program, certificate) in certificates {
        print_claim(&certificate.claim, &mut out);
        let _ = writeln!(out, "verdict {}", certificate.evidence.verdict());
        let _ = writeln!(out, "engine {}", certificate.engine);
        print_evidence(program, &certificate.evidence, &mut out);
        out.push_str("end\n");
    }
    out
}

fn print_claim(claim: &Claim, out: &mut String) {
    let _ = writeln!(out, "function {}", claim.function);
    if let Some(behavior) = &claim.behavior {
        let _ = writeln!(out, "behavior {behavior}");
    }
    let words: Vec<&str> = claim.checks.iter().map(|c| c.word()).collect();
    let _ = writeln!(out, "checks {}", words.join(" "));
    let model = if claim.lp64 { "LP64" } else { "ILP32" };
    let malloc = if claim.malloc_may_fail { "may-fail" } else { "never-fails" };
    let property = claim.property.map_or(String::new(), |p| format!(" {}", p.word()));
    let _ = writeln!(out, "reading {model} {malloc}{property}");
    let _ = writeln!(out, "calls {}", if claim.inlined { "inlined" } else { "contract" });
}

fn print_evidence(program: &Program, evidence: &Evidence, out: &mut String) {
    match evidence {
        Evidence::Proofs { invariants, proofs } => {
            for (id, formulas) in invariants.iter().filter(|(_, f)| !f.is_empty()) {
                let _ = writeln!(out, "loop {}", id.0);
                for formula in formulas {
                    let _ = writeln!(out, "invariant {}", print::formula(program, formula));
                    let _ = writeln!(out, "formula {}", tree::print_formula(program, formula));
                }
            }
            let _ = writeln!(out, "proofs {}", proofs.len());
            for proof in proofs {
                let _ = writeln!(out, "proof {}\n{proof}", proof.len());
            }
        }
        Evidence::Annotation { language, lines } => {
            let _ = writeln!(out, "annotation {} {}", language.word(), lines.len());
            for line in lines {
                let _ = writeln!(out, "{line}");
            }
        }
        Evidence::AllRuns(Runs { runs, steps }) => {
            let _ = writeln!(out, "runs {runs} {steps}");
        }
        Evidence::Run(run) => {
            out.push_str("failing-run\n");
            print_state(program, &run.initial, out);
            let _ = writeln!(out, "cells {}", if run.fills { "chosen" } else { "unchosen" });
            let numbers = |n: &mut dyn Iterator<Item = i128>| n.map(|n| format!(" {n}")).collect::<String>();
            let _ = writeln!(out, "choices{}", numbers(&mut run.choices.iter().copied()));
            let _ = writeln!(out, "omitted {}", run.omitted);
            let _ = writeln!(out, "path{}", numbers(&mut run.path.iter().map(|e| i128::from(e.0))));
            let _ = writeln!(out, "failure {} {}", run.failure.check.word(), run.failure.message);
        }
    }
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

/// Reads the certificates of a file. `program` gives the program that a claim is about.
///
/// # Errors
/// What is wrong with the text, with its line.
pub fn read_certificates(
    text: &str,
    program: &mut dyn FnMut(&Claim) -> Result<Program, String>,
) -> Result<Vec<(Program, ProgramCertificate)>, String> {
    let mut reader = Reader { text, at: 0, line: 0 };
    let count: usize = reader.number(HEADER)?;
    let mut out = Vec::new();
    for _ in 0..count {
        out.push(reader.certificate(program)?);
    }
    if reader.at < text.len() {
        reader.next_line();
        return reader.error("the end of the file");
    }
    Ok(out)
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

    fn number<T: std::str::FromStr>(&mut self, word: &str) -> Result<T, String> {
        let rest = self.after(word)?;
        rest.parse().or_else(|_| self.error(&format!("a number after `{word}`")))
    }

    fn numbers<T: std::str::FromStr>(&mut self, word: &str) -> Result<Vec<T>, String> {
        let mut out = Vec::new();
        for word in self.after(word)?.split_whitespace() {
            match word.parse() {
                Ok(n) => out.push(n),
                Err(_) => return self.error("numbers"),
            }
        }
        Ok(out)
    }

    fn certificate(
        &mut self,
        program: &mut dyn FnMut(&Claim) -> Result<Program, String>,
    ) -> Result<(Program, ProgramCertificate), String> {
        let claim = self.claim()?;
        let program = program(&claim).map_err(|why| format!("line {}: {why}", self.line))?;
        let verdict = self.after("verdict")?.to_owned();
        let engine = self.after("engine")?.to_owned();
        let evidence = if self.peeks("failing-run\n") {
            self.after("failing-run")?;
            self.run(&program)?
        } else if self.peeks("runs ") {
            match self.numbers("runs")?[..] {
                [runs, steps] => Evidence::AllRuns(Runs { runs, steps }),
                _ => return self.error("the number of runs and that of their commands"),
            }
        } else if self.peeks("annotation ") {
            self.annotation()?
        } else {
            self.proofs(&program)?
        };
        if evidence.verdict() != verdict {
            return self.error(&format!("evidence for `{verdict}`, not for `{}`", evidence.verdict()));
        }
        if !self.after("end")?.is_empty() {
            return self.error("nothing after `end`");
        }
        Ok((program, ProgramCertificate { claim, engine, evidence }))
    }

    fn claim(&mut self) -> Result<Claim, String> {
        let function = self.after("function")?.to_owned();
        let behavior = if self.peeks("behavior ") { Some(self.after("behavior")?.to_owned()) } else { None };
        let mut checks = Vec::new();
        for word in self.after("checks")?.split_whitespace() {
            match Check::named(word) {
                Some(check) if !checks.contains(&check) => checks.push(check),
                _ => return self.error("property classes, each once"),
            }
        }
        if checks.is_empty() {
            return self.error("property classes");
        }
        let reading: Vec<&str> = self.after("reading")?.split(' ').collect();
        let (model, malloc, property) = match reading[..] {
            [model, malloc] => (model, malloc, None),
            [model, malloc, word] => match Property::named(word) {
                Some(property) if property.checks() == checks => (model, malloc, Some(property)),
                _ => return self.error("a property of the competition, and its property classes"),
            },
            _ => return self.error("a data model, what malloc does, and perhaps a property"),
        };
        let lp64 = match model {
            "LP64" => true,
            "ILP32" => false,
            _ => return self.error("LP64 or ILP32"),
        };
        let malloc_may_fail = match malloc {
            "may-fail" => true,
            "never-fails" => false,
            _ => return self.error("never-fails or may-fail"),
        };
        let inlined = match self.after("calls")? {
            "inlined" => true,
            "contract" => false,
            _ => return self.error("contract or inlined"),
        };
        Ok(Claim { function, behavior, checks, lp64, malloc_may_fail, property, inlined })
    }

    fn annotation(&mut self) -> Result<Evidence, String> {
        let head = self.after("annotation")?.split_once(' ');
        let Some((Some(language), Ok(count))) = head.map(|(e, n)| (Language::named(e), n.parse::<usize>()))
        else {
            return self.error("an engine with a checker and a number of lines");
        };
        let mut lines = Vec::new();
        for _ in 0..count {
            match self.next_line() {
                Some(line) => lines.push(line.to_owned()),
                None => return self.error("as many lines"),
            }
        }
        Ok(Evidence::Annotation { language, lines })
    }

    fn proofs(&mut self, program: &Program) -> Result<Evidence, String> {
        let mut invariants: Vec<(LoopId, Vec<Formula>)> = Vec::new();
        while self.peeks("loop ") {
            let id = LoopId(self.number("loop")?);
            if id.index() >= program.loops.len() || invariants.iter().any(|(other, _)| *other == id) {
                return self.error("a loop of the program, each once");
            }
            let mut formulas = Vec::new();
            while self.peeks("invariant ") {
                let shown = self.after("invariant")?;
                let formula = tree::parse_formula(program, self.after("formula")?);
                let formula = formula.map_err(|e| format!("line {}: {}", self.line, e.message))?;
                // What people read is what is checked.
                if print::formula(program, &formula) != shown {
                    return self.error("the formula that the line before shows");
                }
                formulas.push(formula);
            }
            invariants.push((id, formulas));
        }
        let count: usize = self.number("proofs")?;
        let mut proofs = Vec::new();
        for _ in 0..count {
            let bytes: usize = self.number("proof")?;
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
        Ok(Evidence::Proofs { invariants, proofs })
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

    /// A failing run.
    fn run(&mut self, program: &Program) -> Result<Evidence, String> {
        let initial = self.state(program)?;
        let fills = match self.after("cells")? {
            "chosen" => true,
            "unchosen" => false,
            _ => return self.error("`chosen` or `unchosen`"),
        };
        let choices = self.numbers("choices")?;
        let omitted = self.number("omitted")?;
        let mut path = Vec::new();
        for edge in self.numbers::<u32>("path")? {
            if edge as usize >= program.edges.len() {
                return self.error("edges of the program");
            }
            path.push(EdgeId(edge));
        }
        let failure = self.after("failure")?;
        let (word, message) = failure.split_once(' ').unwrap_or((failure, ""));
        let Some(check) = Check::named(word) else {
            return self.error("a property class");
        };
        let failure = Failure { check, message: message.to_owned(), span: Span::default() };
        Ok(Evidence::Run(Box::new(FailingRun { initial, choices, fills, omitted, path, failure })))
    }

    fn state(&mut self, program: &Program) -> Result<State, String> {
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
        Ok(state)
    }

    fn fits(&self, ty: Type, value: Value, cells: &[StructId]) -> Result<(), String> {
        let right = match (ty.pointee(), value) {
            (None, Value::Int(_)) | (Some(_), Value::Null) => true,
            (Some(of), Value::Cell(c)) => cells.get(c.index()) == Some(&of),
            _ => false,
        };
        if right { Ok(()) } else { self.error("a value of the right type") }
    }
}
