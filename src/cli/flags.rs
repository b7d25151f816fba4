//! The flags of compilers: on our own command line, and in the commands of a compilation database.
//!
//! What concerns the text is kept ([`Flags`], and the data model that `-m32` names). Flags that change what a program
//! means and have no model are kept by name; the reader reports them. All others concern warnings, optimisation or
//! output.

use crate::frontend::c::Options as Reading;
use crate::frontend::c::files::{Flags, MacroFlag, Standard, join};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use std::ffi::OsString;

/// The flags on our own command line. The order of `-D` and `-U` counts, so it is not left to a derived reader.
#[derive(Clone, Debug, Default)]
pub(super) struct Written(pub Flags);

/// Above these flags in explanations.
pub(super) const HEADING: &str = "Reading C, as a compiler does (repeatable)";

/// Flags that compilers write with one dash and more than one letter.
const LONG: [&str; 3] = ["include", "iquote", "isystem"];

/// Arguments as they are read: `-include FILE` becomes `--include FILE`, `-includeFILE` becomes `--include=FILE`.
pub(super) fn with_two_dashes(args: &[OsString]) -> Vec<OsString> {
    let mut options = true;
    let change = |arg: &OsString| {
        options &= arg != "--";
        let rest = arg.to_str().and_then(|text| text.strip_prefix('-')).filter(|_| options);
        let flag = rest.and_then(|rest| Some((rest, LONG.iter().find(|flag| rest.starts_with(**flag))?)));
        match flag {
            Some((rest, flag)) if rest == *flag => format!("--{flag}").into(),
            Some((rest, flag)) => format!("--{flag}={}", &rest[flag.len()..]).into(),
            None => arg.clone(),
        }
    };
    args.iter().map(change).collect()
}

impl Args for Written {
    fn augment_args(command: Command) -> Command {
        let flag = |name: &'static str, value: &'static str, help: &'static str| {
            let arg = Arg::new(name).value_name(value).help(help).action(ArgAction::Append);
            arg.help_heading(HEADING)
        };
        command.args([
            flag("I", "DIR", "Look for included files in DIR").short('I'),
            flag("D", "NAME[=VALUE]", "Define a macro").short('D').value_parser(named),
            flag("U", "NAME", "Undefine a macro").short('U').value_parser(named),
            flag("include", "FILE", "Include FILE first; `-include FILE` is understood too").long("include"),
            flag("iquote", "DIR", "For `#include \"..\"` only; `-iquote DIR` is understood too")
                .long("iquote"),
            flag("isystem", "DIR", "After all `-I`; `-isystem DIR` is understood too").long("isystem"),
        ])
    }

    fn augment_args_for_update(command: Command) -> Command {
        Written::augment_args(command)
    }
}

impl FromArgMatches for Written {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Written, clap::Error> {
        let all = |name: &str| -> Vec<(usize, String)> {
            let places = matches.indices_of(name).into_iter().flatten();
            places.zip(matches.get_many::<String>(name).into_iter().flatten().cloned()).collect()
        };
        let plain = |name: &str| all(name).into_iter().map(|(_, value)| value).collect::<Vec<_>>();
        let mut macros: Vec<(usize, MacroFlag)> =
            all("D").into_iter().map(|(at, text)| (at, MacroFlag::Define(text))).collect();
        macros.extend(all("U").into_iter().map(|(at, name)| (at, MacroFlag::Undefine(name))));
        macros.sort_by_key(|(at, _)| *at);
        let mut directories = plain("I");
        directories.append(&mut plain("isystem"));
        Ok(Written(Flags {
            directories,
            quote_directories: plain("iquote"),
            macros: macros.into_iter().map(|(_, flag)| flag).collect(),
            includes: plain("include"),
            ..Flags::default()
        }))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Written::from_arg_matches(matches)?;
        Ok(())
    }
}

/// A macro's name stands at the beginning.
fn named(text: &str) -> Result<String, String> {
    let starts = text.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
    if starts { Ok(text.to_owned()) } else { Err("it needs a macro's name".to_owned()) }
}

/// What a command of a compilation database says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Compilation {
    /// Of the text.
    pub flags: Flags,
    /// `-m32` or `-m64`.
    pub lp64: Option<bool>,
    /// The language of `-x`, if it is not C.
    pub other_language: Option<String>,
}

/// Flags that take their value from the next word and concern something else.
const WITH_VALUE: &[&str] = &[
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-Xclang",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-arch",
    "-target",
    "-T",
    "-u",
    "-z",
    "-L",
    "-l",
    "-aux-info",
    "--param",
    "-dumpbase",
    "--sysroot",
    "-isysroot",
    "-B",
    "-G",
];

/// Flags that change the meaning of a text in a way that has no model, by their beginning.
const UNMODELLED: &[&str] = &[
    "-funsigned-char",
    "-fno-signed-char",
    "-fshort-enums",
    "-fshort-wchar",
    "-fpack-struct",
    "-fms-extensions",
    "-fplan9-extensions",
    "-finstrument-functions",
    "-fopenmp",
    "-fopenacc",
    "-funsigned-bitfields",
    "-fno-signed-bitfields",
    "-malign-double",
    "-mno-align-double",
    "-mms-bitfields",
    "-mx32",
    "-trigraphs",
    "-imacros",
    "-iprefix",
    "-iwithprefix",
    "-include-pch",
    "-Wp,-",
    "-I-",
    "@",
];

/// Reads the words of a command after the compiler's name. Names of directories and files are seen from `directory`.
pub(super) fn of_command(words: &[String], directory: &str) -> Compilation {
    let mut out = Compilation::default();
    let mut system = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        // `-Ix` or `-I x`; `None`: another flag.
        let mut value = |flag: &str| -> Option<String> {
            match word.strip_prefix(flag)? {
                "" => {
                    at += 1;
                    words.get(at - 1).cloned()
                }
                rest => Some(rest.to_owned()),
            }
        };
        if UNMODELLED.iter().any(|flag| word.starts_with(flag)) {
            out.flags.unmodelled.push(word.clone());
            let _ = value("-imacros");
        } else if let Some(path) = value("-include") {
            // A file of the directory in which the compiler runs, or one that is searched.
            let here = join(directory, &path);
            out.flags.includes.push(if std::path::Path::new(&here).is_file() { here } else { path });
        } else if let Some(path) = value("-iquote") {
            out.flags.quote_directories.push(join(directory, &path));
        } else if let Some(path) = value("-isystem").or_else(|| value("-idirafter")) {
            system.push(join(directory, &path));
        } else if let Some(path) = value("-I") {
            out.flags.directories.push(join(directory, &path));
        } else if let Some(text) = value("-D") {
            out.flags.macros.push(MacroFlag::Define(text));
        } else if let Some(name) = value("-U") {
            out.flags.macros.push(MacroFlag::Undefine(name));
        } else if let Some(language) = value("-x") {
            out.other_language = (language != "c" && language != "none").then_some(language);
        } else if let Some(name) = word.strip_prefix("-std=").or_else(|| word.strip_prefix("--std=")) {
            match standard(name) {
                Some(standard) => out.flags.standard = Some(standard),
                None => out.flags.unmodelled.push(word.clone()),
            }
        } else if word == "-ansi" {
            out.flags.standard = standard("c90");
        } else if let "-m32" | "-m64" = word.as_str() {
            out.lp64 = Some(word == "-m64");
        } else if WITH_VALUE.contains(&word.as_str()) {
            at += 1;
        }
    }
    out.flags.directories.append(&mut system);
    out
}

/// The standard with that name.
fn standard(name: &str) -> Option<Standard> {
    let version = match name.trim_start_matches("gnu").trim_start_matches(['c', ':']) {
        "90" | "89" => None,
        "iso9899:1990" | "iso9899:199409" => None,
        "99" | "9x" | "iso9899:1999" | "iso9899:199x" => Some(199_901),
        "11" | "1x" | "iso9899:2011" => Some(201_112),
        "17" | "18" | "iso9899:2017" | "iso9899:2018" => Some(201_710),
        "23" | "2x" => Some(202_311),
        _ => return None,
    };
    Some(Standard { version, strict: !name.starts_with("gnu") })
}

/// The words of a command as a shell splits it.
pub(super) fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = command.chars().peekable();
    let mut quote = None;
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None, ' ' | '\t' | '\n' | '\r') => words.extend(word.take()),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(q), c) if q == c => quote = None,
            (None, '\\') => word.get_or_insert_default().extend(chars.next()),
            (Some('"'), '\\') => {
                let escapes = chars.peek().is_some_and(|c| "\"\\$`\n".contains(*c));
                let taken = if escapes { chars.next() } else { Some('\\') };
                word.get_or_insert_default().extend(taken);
            }
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The options of reading, with what a command says before what our own command line says.
pub(super) fn combine(command: Compilation, base: &Reading) -> Reading {
    let Compilation { mut flags, lp64, other_language: _ } = command;
    let own = base.flags.clone();
    flags.quote_directories.extend(own.quote_directories);
    flags.directories.extend(own.directories);
    flags.macros.extend(own.macros);
    flags.includes.extend(own.includes);
    Reading { flags, lp64: lp64.unwrap_or(base.lp64), ..base.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        split(text)
    }

    #[test]
    fn commands_are_split_as_shells_do() {
        assert_eq!(
            words(r#"cc -DA="x y" '-DB="z"' -D C\ D "a\"b\c" ''"#),
            ["cc", "-DA=x y", r#"-DB="z""#, "-D", "C D", r#"a"b\c"#, ""]
        );
        assert_eq!(words("  "), [""; 0]);
    }

    #[test]
    fn flags_of_a_command() {
        let text = "-c -O2 -Wall -Iinc -I /abs -D A -DB=2 -UC -include pre.h -isystem sys -std=gnu99 -m32 -o x.o -MF d a.c";
        let command = of_command(&words(text), "/p");
        let Flags { directories, macros, includes, standard, unmodelled, .. } = command.flags;
        assert_eq!(directories, ["/p/inc", "/abs", "/p/sys"]);
        let define = |s: &str| MacroFlag::Define(s.to_owned());
        assert_eq!(macros, [define("A"), define("B=2"), MacroFlag::Undefine("C".into())]);
        assert_eq!(includes, ["pre.h"]);
        assert_eq!(standard, Some(Standard { version: Some(199_901), strict: false }));
        assert_eq!((command.lp64, command.other_language), (Some(false), None));
        assert_eq!(unmodelled, [""; 0]);
    }

    #[test]
    fn flags_that_change_the_meaning_are_kept() {
        let command =
            of_command(&words("-funsigned-char -fpack-struct=2 -std=c++17 -x c++ -fwrapv @more"), "");
        assert_eq!(command.flags.unmodelled, ["-funsigned-char", "-fpack-struct=2", "-std=c++17", "@more"]);
        assert_eq!(command.other_language.as_deref(), Some("c++"));
    }

    #[test]
    fn standards_by_name() {
        let version = |name: &str| standard(name).map(|s| (s.version, s.strict));
        assert_eq!(version("c89"), Some((None, true)));
        assert_eq!(version("gnu17"), Some((Some(201_710), false)));
        assert_eq!(version("iso9899:1999"), Some((Some(199_901), true)));
        assert_eq!(version("c++11"), None);
    }
}
