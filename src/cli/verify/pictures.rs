//! `--report` and `--dot`: answers are kept until the end, then written. What cannot be written is said; verdicts and
//! exit status stay what they are.

use super::options::Arguments;
use crate::report::Entry;
use crate::report::page::{Outlines, Section, page};
use crate::report::translate;
use crate::session::File;
use std::io::{self, Write};
use std::path::Path;

/// What the page and the graphs show.
pub(super) struct Pictures<'o> {
    report: Option<&'o Path>,
    dot: Option<&'o Path>,
    sections: Vec<Section>,
    outlines: Outlines,
}

impl<'o> Pictures<'o> {
    pub(super) fn new(options: &'o Arguments) -> Pictures<'o> {
        let (report, dot) = (options.report.as_deref(), options.dot.as_deref());
        Pictures { report, dot, sections: Vec::new(), outlines: Outlines::default() }
    }

    /// Takes note of an answer about this contract of its program; costs nothing if nobody asked.
    pub(super) fn note(&mut self, entry: &Entry<'_>, contract: usize) {
        if self.report.is_some() || self.dot.is_some() {
            self.sections.push(Section::new(entry, contract, &mut self.outlines));
        }
    }

    /// Writes everything.
    pub(super) fn write(self, files: &[File], err: &mut dyn Write) -> io::Result<()> {
        if let Some(path) = self.report {
            let found = |f: &File| -> Vec<_> {
                f.unit.diagnostics.iter().map(|d| translate::diagnostic(&f.unit.sources, d)).collect()
            };
            let messages: Vec<_> = files.iter().flat_map(found).collect();
            let written = std::fs::write(path, page(&self.sections, &messages));
            complain(written, "report", path, err)?;
        }
        if let Some(directory) = self.dot {
            complain(self.dots(directory), "graphs", directory, err)?;
        }
        Ok(())
    }

    fn dots(&self, directory: &Path) -> io::Result<()> {
        std::fs::create_dir_all(directory)?;
        for (i, section) in self.sections.iter().enumerate() {
            for (k, text) in section.dots().into_iter().enumerate() {
                // Whatever a function is called, its file has a name that any system takes.
                let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
                let name: String = section.function.chars().take(60).map(plain).collect();
                std::fs::write(directory.join(format!("{:03}-{name}-{k:02}.dot", i + 1)), text)?;
            }
        }
        Ok(())
    }
}

fn complain(written: io::Result<()>, what: &str, path: &Path, err: &mut dyn Write) -> io::Result<()> {
    match written {
        Ok(()) => Ok(()),
        Err(error) => {
            writeln!(err, "catena verify: {}: no {what} written: {error}; the verdicts stand", path.display())
        }
    }
}
