//! The options of `catena verify`.

use crate::analysis::heaps::Context;
use crate::analysis::{ENGINES, Predicates};
use crate::cli::flags;
use crate::frontend::c::Malloc;
use crate::frontend::c::files::{Disk, Provider};
use crate::portfolio::Engine;
use crate::program::{Check, Property};
use crate::session::Settings;
use crate::verdict::Language;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// How answers are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Format {
    #[default]
    Text,
    Json,
}

/// What the command line says.
#[derive(Clone, Debug, Default)]
pub(super) struct Options {
    pub files: Vec<OsString>,
    /// A compilation database.
    pub database: Option<PathBuf>,
    /// What the session is about.
    pub settings: Settings,
    pub format: Format,
    pub stats: bool,
    pub quiet: bool,
    /// Where evidence for the verdicts goes.
    pub certificate: Option<PathBuf>,
    pub help: bool,
}

/// Time for one function if nothing is said.
const TIME: Duration = Duration::from_secs(60);

/// What `catena verify --help` prints.
pub(super) fn help() -> String {
    let words: Vec<&str> = Engine::ALL.iter().map(|engine| engine.word()).collect();
    let engine = |e: &&dyn crate::analysis::Engine| {
        let shown = match e.evidence() {
            None => "loop invariants",
            Some(Language::Signatures) => "signatures",
            Some(Language::ShapeGraphs) => "shape graphs",
        };
        format!("        {:<9} {}; shows {shown}\n", e.author().word(), e.takes())
    };
    let engines: String = ENGINES.iter().map(engine).collect();
    HELP.replace("{WORDS}", &words.join("|")).replace("{ENGINES}", &engines)
}

const HELP: &str = "\
catena verify [OPTIONS] FILE.c|DIR...: proves or refutes every function that has a contract, and main

  --engine {WORDS}   default auto:
{ENGINES}  --predicates derived|paper|none  of engine pdr: derived from the program and refined; the families of its
        paper; none at all: universally quantified invariants from finite models
  --context none|heap|joint       of heaps: the Cartesian post of the paper with this context
  --function NAME                 only this function (repeatable)
  --behavior NAME                 only this behaviour (repeatable)
  --check LIST                    of memsafety,asserts,ensures,leaks,garbage; default the first three
  --timeout SECONDS               per function, default 60; unknown when reached
  --memory MB                     per function
  --jobs N                        threads
  --format text|json
  -I DIR, -D NAME[=VALUE], -U NAME, -include FILE, -iquote DIR, -isystem DIR
                                  as for a compiler (repeatable)
  --compile-commands FILE         a compilation database: its files with their flags, or the flags of the
                                  files that are named; a directory that has one (or DIR/build) is enough
  --data-model ILP32|LP64         default LP64
  --malloc never-fails|may-fail   default never-fails
  --certificate OUT               evidence for every verdict, checked again by `catena certify FILE.c OUT`
  --svcomp unreach-call|valid-memsafety|valid-memcleanup
                                  that property of main; the last line is VERDICT: true, false(..), unknown(..)
  --stats, --quiet, --seed N

verdicts: verified, violated (with a run of the interpreter), too-weak (no invariant in the engine's
language, or the given ones do not suffice), unknown (with the reason)
exit status: 0 all verified, 1 something violated, 2 something too-weak or unknown, 64 usage, 65 input rejected
A tutorial and the annotation language: docs/verify.md. A first example:

  struct node { int data; struct node *next; };
  /*@ requires \\valid(e) && \\list(next, l) && !(l -next*-> e);
      ensures  \\list(next, \\result); @*/
  struct node *push(struct node *l, struct node *e) { e->next = l; return e; }
";

const CHECKS: [Check; 5] = [Check::Memsafety, Check::Asserts, Check::Ensures, Check::Leaks, Check::Garbage];

/// Reads the arguments that follow `catena verify`.
pub(super) fn parse(args: &[OsString]) -> Result<Options, lexopt::Error> {
    use lexopt::prelude::*;
    let mut options = Options::default();
    let settings = &mut options.settings;
    settings.jobs = std::thread::available_parallelism().map_or(1, usize::from);
    settings.limits.time = Some(TIME);
    let mut parser = lexopt::Parser::from_args(args);
    while let Some(arg) = parser.next()? {
        match arg {
            Long("engine") => {
                let word = parser.value()?.string()?;
                settings.engine =
                    Engine::named(&word).ok_or_else(|| format!("there is no engine `{word}`"))?;
            }
            Long("context") => {
                let word = parser.value()?.string()?;
                settings.variants.context = Context::named(&word);
                if settings.variants.context.is_none() {
                    return Err(format!("the context is none, heap or joint, not `{word}`").into());
                }
            }
            Long("predicates") => {
                settings.variants.predicates = match parser.value()?.string()?.as_str() {
                    "derived" => Predicates::Derived,
                    "paper" => Predicates::Paper,
                    "none" => Predicates::None,
                    other => return Err(format!("there are no predicates `{other}`").into()),
                };
            }
            Long("function") => settings.functions.push(parser.value()?.string()?),
            Long("behavior") => settings.behaviors.push(parser.value()?.string()?),
            Long("check") => settings.reading.checks = checks(&parser.value()?.string()?)?,
            Long("timeout") => {
                let seconds: f64 = parser.value()?.parse()?;
                let time = Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())?;
                settings.limits.time = Some(time);
            }
            Long("memory") => {
                let megabytes: u64 = parser.value()?.parse()?;
                settings.limits.memory = Some(megabytes.saturating_mul(1 << 20));
            }
            Long("jobs") | Short('j') => {
                settings.jobs = parser.value()?.parse()?;
                if settings.jobs == 0 {
                    return Err("`--jobs` needs a positive number".into());
                }
            }
            Long("format") => {
                options.format = match parser.value()?.string()?.as_str() {
                    "text" => Format::Text,
                    "json" => Format::Json,
                    "sarif" => return Err("`--format sarif` is not part of this version".into()),
                    other => return Err(format!("there is no format `{other}`").into()),
                };
            }
            Long("data-model") => {
                settings.reading.lp64 = match parser.value()?.string()?.as_str() {
                    "LP64" => true,
                    "ILP32" => false,
                    other => return Err(format!("there is no data model `{other}`").into()),
                };
            }
            Long("malloc") => {
                settings.reading.malloc = match parser.value()?.string()?.as_str() {
                    "never-fails" => Malloc::NeverFails,
                    "may-fail" => Malloc::MayFail,
                    other => return Err(format!("malloc never-fails or may-fail, not `{other}`").into()),
                };
            }
            Long("help") | Short('h') => options.help = true,
            Long("stats") => options.stats = true,
            Long("quiet") | Short('q') => options.quiet = true,
            Long("seed") => settings.seed = parser.value()?.parse()?,
            Long("certificate") => {
                settings.certificates = true;
                options.certificate = Some(parser.value()?.into());
            }
            Long("svcomp") => {
                let word = parser.value()?.string()?;
                let property = Property::named(&word);
                settings.reading.property = Some(property.ok_or_else(|| {
                    format!(
                        "the properties are unreach-call, valid-memsafety and valid-memcleanup, not `{word}`"
                    )
                })?);
            }
            Long(name @ ("report" | "witness")) => {
                return Err(format!("`--{name}` is not part of this version").into());
            }
            Long("compile-commands") => options.database = Some(parser.value()?.into()),
            Short(letter) if flags::LETTERS.contains(&letter) => {
                flags::take(letter, &mut parser, &mut settings.reading.flags)?;
            }
            Value(file) => options.files.push(file),
            other => return Err(other.unexpected()),
        }
    }
    if settings.variants.context.is_some() && settings.engine != Engine::Heaps {
        return Err("`--context` belongs to `--engine heaps`".into());
    }
    if let Some(property) = settings.reading.property {
        settings.reading.checks = property.checks();
    }
    settings.reading.files = Provider::new(Disk);
    if options.files.is_empty() && options.database.is_none() && !options.help {
        return Err("no file is given".into());
    }
    Ok(options)
}

fn checks(list: &str) -> Result<Vec<Check>, String> {
    let mut out = Vec::new();
    for word in list.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        let check = CHECKS.into_iter().find(|c| c.word() == word);
        let check = check.ok_or_else(|| format!("there is no check `{word}`"))?;
        if !out.contains(&check) {
            out.push(check);
        }
    }
    if out.is_empty() { Err("`--check` needs at least one word".to_owned()) } else { Ok(out) }
}
