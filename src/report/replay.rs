//! `--replay`: a failing run as a C program. It builds the heap of the entry, gives the inputs of the run, and calls the
//! function; compiled with the address sanitizer it fails where the run fails.

use super::Entry;
use crate::program::{CellId, Command, Entry as Begins, Program, State, Status, Type, Value, Var, VarKind};
use crate::verdict::{Trace, Verdict};
use std::fmt::Write;

/// Functions that competition programs declare and do not define; each with its definition.
const HELPERS: &[(&str, &str)] = &[
    ("reach_error", "void reach_error(void) { abort(); }"),
    ("__VERIFIER_error", "void __VERIFIER_error(void) { abort(); }"),
    ("__VERIFIER_assume", "void __VERIFIER_assume(int holds) { if (!holds) _Exit(0); }"),
    ("__VERIFIER_assert", "void __VERIFIER_assert(int holds) { if (!holds) abort(); }"),
];
/// Inputs: the word after `__VERIFIER_nondet_`, and the type.
const INPUTS: &[(&str, &str)] = &[
    ("bool", "_Bool"),
    ("char", "char"),
    ("schar", "signed char"),
    ("uchar", "unsigned char"),
    ("short", "short"),
    ("ushort", "unsigned short"),
    ("int", "int"),
    ("uint", "unsigned int"),
    ("unsigned", "unsigned int"),
    ("long", "long"),
    ("ulong", "unsigned long"),
    ("longlong", "long long"),
    ("ulonglong", "unsigned long long"),
    ("size_t", "unsigned long"),
    ("u32", "unsigned int"),
    ("u8", "unsigned char"),
];

/// The program that makes the run again. `include` is the path of the file as the compiler finds it.
///
/// # Errors
/// What cannot be said in C, or is not known of the run.
pub fn harness(entry: &Entry<'_>, include: &str) -> Result<String, String> {
    let (Verdict::Violated(trace), Some(program)) = (&entry.outcome.verdict, entry.program) else {
        return Err("there is no failing run".to_owned());
    };
    if include.contains(['"', '\\', '\n', '\r']) {
        return Err("the name of the file cannot be written in C".to_owned());
    }
    let source = entry.sources.source_of(entry.span.start).map_or("", |s| s.text.as_str());
    let mut out = String::new();
    let reason = entry.reason().unwrap_or_default().replace("*/", "* /");
    let reason = super::plain::lines(&reason).replace('\n', " ");
    let _ = writeln!(out, "/* {reason}");
    let _ = writeln!(out, "   cc -g -fsanitize=address,undefined THIS_FILE -o replay && ./replay */");
    out.push_str("#include <stdlib.h>\n#include <stdio.h>\n");
    inputs(&mut out, program, trace, source)?;
    let is_main = program.begins == Begins::Main;
    if is_main {
        let _ = writeln!(out, "#include \"{include}\"");
        return Ok(out);
    }
    let _ = writeln!(out, "#define main catena_main_of_the_file\n#include \"{include}\"\n#undef main\n");
    out.push_str("int main(void)\n{\n");
    heap(&mut out, program, &trace.initial)?;
    call(&mut out, program, &trace.initial, entry.function)?;
    out.push_str("  return 0;\n}\n");
    Ok(out)
}

/// The inputs in the order of the run, and the helpers that the file does not define.
fn inputs(out: &mut String, program: &Program, trace: &Trace, source: &str) -> Result<(), String> {
    for (name, text) in HELPERS {
        if source.contains(name) && !defines(source, name) {
            let _ = writeln!(out, "{text}");
        }
    }
    if !source.contains("__VERIFIER_nondet_") {
        return Ok(());
    }
    if trace.omitted > 0
        || trace.steps.iter().all(|s| !is_input(program, s.edge)) && has_no_commands(program, trace)
    {
        return Err("the inputs of the run are not known".to_owned());
    }
    let mut values = Vec::new();
    for step in trace.steps.iter().filter(|s| is_input(program, s.edge)) {
        if let Command::Havoc(x) = program.edges[step.edge.index()].command {
            match step.state.var(x) {
                Value::Int(n) => values.push(literal(n)),
                _ => return Err("an input of the run is a pointer".to_owned()),
            }
        }
    }
    let n = values.len();
    values.push("0".to_owned());
    let _ = writeln!(out, "static const long long catena_inputs[] = {{ {} }};", values.join(", "));
    let _ = writeln!(
        out,
        "static long long catena_input(void) {{ static int n; return n < {n} ? catena_inputs[n++] : 0; }}"
    );
    for (word, ty) in INPUTS {
        let name = format!("__VERIFIER_nondet_{word}");
        if source.contains(&format!("{name}(")) && !defines(source, &name) {
            let _ = writeln!(out, "{ty} {name}(void) {{ return ({ty})catena_input(); }}");
        }
    }
    Ok(())
}

/// Whether an edge takes an input, as opposed to a declaration without a value.
fn is_input(program: &Program, edge: crate::program::EdgeId) -> bool {
    let edge = &program.edges[edge.index()];
    let first = program.edges.iter().find(|e| e.from == program.entry).map(|e| e.span);
    let Command::Havoc(x) = edge.command else { return false };
    let var = &program.vars[x.index()];
    (var.kind == VarKind::Temp || var.span != edge.span) && first != Some(edge.span)
}

/// Whether the run is a view of another execution, whose steps do not say what they do.
fn has_no_commands(program: &Program, trace: &Trace) -> bool {
    trace
        .steps
        .iter()
        .all(|s| matches!(program.edges[s.edge.index()].command, Command::Skip | Command::Free(_)))
}

/// Whether the text defines the function: a body follows its parameters.
fn defines(source: &str, name: &str) -> bool {
    source.match_indices(name).any(|(at, _)| {
        let rest = source[at + name.len()..].trim_start();
        let after =
            rest.strip_prefix('(').and_then(|r| r.split_once(')')).map(|(_, after)| after.trim_start());
        after.is_some_and(|after| after.starts_with('{'))
    })
}

/// A name that C knows; what lowering invents is none.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.')
}

fn literal(n: i128) -> String {
    // The smallest number has no literal of its own.
    if n == i128::from(i64::MIN) { "(-9223372036854775807LL - 1)".to_owned() } else { format!("{n}LL") }
}

fn value(state: &State, value: Value) -> String {
    match value {
        Value::Int(n) => literal(n),
        Value::Null => "NULL".to_owned(),
        Value::Cell(cell) if state.status(cell) == Status::Never => "NULL".to_owned(),
        Value::Cell(cell) => format!("c{}", cell.0),
    }
}

/// The cells of the entry with their fields.
fn heap(out: &mut String, program: &Program, state: &State) -> Result<(), String> {
    let cells = || (0..state.cells.len()).filter(|i| state.cells[*i].status.is_valid());
    for i in cells() {
        let name = &program.structs[state.cells[i].of.index()].name;
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == ' ');
        if !plain || name.starts_with("variable of type") {
            return Err(format!("a cell of the entry is {name}"));
        }
        let _ = writeln!(out, "  {name} *c{i} = calloc(1, sizeof *c{i});");
    }
    for i in cells() {
        for &field in &program.structs[state.cells[i].of.index()].fields {
            let declared = &program.fields[field.index()];
            if declared.ghost {
                continue;
            }
            if !is_plain(&declared.name) {
                return Err(format!("the entry has a field {}", declared.name));
            }
            let content = value(state, state.field(Value::Cell(CellId(i as u32)), field));
            let _ = writeln!(out, "  c{i}->{} = {content};", declared.name);
        }
    }
    Ok(())
}

/// Globals, arguments and the call.
fn call(out: &mut String, program: &Program, state: &State, function: &str) -> Result<(), String> {
    let mut arguments = Vec::new();
    for (i, var) in program.vars.iter().enumerate() {
        match var.kind {
            VarKind::Global | VarKind::Param if !is_plain(&var.name) || var.name.contains('.') => {
                return Err(format!("the entry has a variable {}", var.name));
            }
            VarKind::Global => global(out, state, i, var),
            VarKind::Param => arguments.push(argument(out, program, state, i, var)),
            _ => {}
        }
    }
    let _ = writeln!(out, "  {function}({});", arguments.join(", "));
    Ok(())
}

fn global(out: &mut String, state: &State, i: usize, var: &Var) {
    if var.ty.element().is_some() {
        for (k, element) in state.arrays[i].iter().enumerate() {
            let _ = writeln!(out, "  {}[{k}] = {};", var.name, value(state, *element));
        }
    } else {
        let _ = writeln!(out, "  {} = {};", var.name, value(state, state.vars[i]));
    }
}

fn argument(out: &mut String, program: &Program, state: &State, i: usize, var: &Var) -> String {
    let Some(element) = var.ty.element() else { return value(state, state.vars[i]) };
    let ty = match element {
        Type::Ptr(of) => format!("{} *", program.structs[of.index()].name),
        Type::Int(kind) => {
            let word = match kind.bits {
                8 => "char",
                16 => "short",
                32 => "int",
                _ => "long long",
            };
            format!("{}{word} ", if kind.signed { "signed " } else { "unsigned " })
        }
        Type::IntArray(_) | Type::PtrArray(_) => "int ".to_owned(),
    };
    // The elements are allocated one by one as a block, so that an index outside of them is seen.
    let n = state.arrays[i].len();
    let _ = writeln!(out, "  {ty}*a{i} = malloc({n} * sizeof *a{i});");
    for (k, element) in state.arrays[i].iter().enumerate() {
        let _ = writeln!(out, "  a{i}[{k}] = {};", value(state, *element));
    }
    format!("a{i}")
}
