//! `catena completions SHELL` and `catena man [COMMAND]`: what shells and readers of manuals know of the command line.

use super::BAD_USAGE;
use super::arguments::Arguments;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use std::io::{self, Write};

/// Completions for a shell, to be sourced by it
#[derive(Debug, clap::Args)]
#[command(after_help = "\
For bash, in ~/.bashrc:   source <(catena completions bash)
For zsh:                  catena completions zsh > DIRECTORY/_catena   (a directory of $fpath)
For fish:                 catena completions fish > ~/.config/fish/completions/catena.fish")]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

/// The manual as a page for man(1)
#[derive(Debug, clap::Args)]
#[command(after_help = "\
To read:      catena man | man -l -
To install:   catena man > DIRECTORY/man1/catena.1; catena man verify > DIRECTORY/man1/catena-verify.1")]
pub(super) struct Man {
    /// The page of this command; without it the page of the program
    command: Option<String>,
}

pub(super) fn completions(what: &Completions, out: &mut dyn Write) -> io::Result<u8> {
    // The generator does not report errors of its writer, ours does.
    let mut text = Vec::new();
    clap_complete::generate(what.shell, &mut Arguments::command(), "catena", &mut text);
    out.write_all(&text)?;
    Ok(0)
}

pub(super) fn man(what: &Man, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
    let mut program = Arguments::command().disable_help_subcommand(true);
    program.build();
    let page = match &what.command {
        None => program,
        Some(word) => match program.find_subcommand(word) {
            Some(found) => named(found, word),
            None => {
                writeln!(err, "catena man: there is no command `{word}`")?;
                return Ok(BAD_USAGE);
            }
        },
    };
    // Explanations after the options are already laid out, so they are kept line by line.
    let explanation = page.get_after_help().map(ToString::to_string);
    let page = clap_mangen::Man::new(page.after_help(None::<&str>));
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    page.render_options_section(out)?;
    if what.command.is_none() {
        page.render_subcommands_section(out)?;
    }
    if let Some(text) = explanation {
        writeln!(out, ".SH EXPLANATION\n.nf")?;
        text.lines()
            .try_for_each(|line| writeln!(out, "\\&{}", line.replace('\\', "\\e").replace('-', "\\-")))?;
        writeln!(out, ".fi")?;
    }
    page.render_version_section(out)?;
    Ok(0)
}

/// The command with the name that its page has.
fn named(command: &Command, word: &str) -> Command {
    let name: &'static str = format!("catena-{word}").leak();
    command.clone().name(name).version(env!("CARGO_PKG_VERSION"))
}
