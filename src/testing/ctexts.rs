//! The reader of C on texts that are nearly C: none makes it panic, what has no program has a reason with a place, and
//! every program is well-formed.

use super::compiled::{family_of, program_text};
use super::oracle::Complaint;
use super::texts::mutated;
use crate::frontend::c::{Options, load};
use crate::util::rng::Rng;

/// Pieces of C that change how the text after them is read.
const PIECES: &[&str] = &[
    "#pragma pack(push, 1)\n",
    "#pragma pack(pop)\n",
    "#pragma weak f\n",
    "_Pragma(\"once\") ",
    "__attribute__((packed)) ",
    "__attribute__((aligned(8), unused)) ",
    "[[gnu::weak]] ",
    "__extension__ ",
    "_Alignas(16) ",
    "__asm__(\"x\") ",
    "_Atomic ",
    "typeof(1) ",
    "sizeof ",
    "_Alignof(int) ",
    "[0 ... 3] = ",
    ".m0.m1 = ",
    "{ [2] = 1 }",
    "\\\n",
    "??=",
    "<:",
    "%:",
    "\\u00e9",
    "L\"x\"",
    "'ab'",
    "#if 1 / 0\n",
    "#elif -1 > 0u\n",
    "#endif\n",
    "#define F(x...) #x x ## x\n",
    "F(",
    "__VA_ARGS__",
    "__COUNTER__",
    "#line 7 \"x\"\n",
    "({ ",
    "})",
    "?: ",
    "__label__ l; ",
    "case 1 ... 2: ",
    "typedef int T; T T;",
    "int a[-1];",
    "enum { A = 0x100000000 };",
    "/*@ requires ",
    "@*/",
];

/// A program with pieces put in and words exchanged.
#[must_use]
pub fn random_text(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut text = program_text(family_of(seed), rng.next_u64());
    for _ in 0..rng.below(4) {
        let blanks: Vec<usize> = text.match_indices([' ', '\n']).map(|(at, _)| at + 1).collect();
        let at = blanks[rng.below(blanks.len())];
        text.insert_str(at, PIECES[rng.below(PIECES.len())]);
    }
    if rng.one_in(2) { mutated(&text, &mut rng) } else { text }
}

/// Reads a text. True if all its functions have programs.
///
/// # Errors
/// What the reader did wrong.
pub fn check(text: &str) -> Result<bool, Complaint> {
    let mut complete = true;
    for lp64 in [true, false] {
        let unit = load("text.c", text.as_bytes(), &Options { lp64, ..Options::default() });
        for function in &unit.functions {
            match &function.program {
                Ok(program) => program.validate().map_err(|e| Complaint::new("c text", e.to_string()))?,
                Err(reasons) if reasons.is_empty() => {
                    return Err(Complaint::new("c text", "no program, and no reason for it"));
                }
                Err(_) => complete = false,
            }
        }
        for diagnostic in &unit.diagnostics {
            let place = unit.sources.location(diagnostic.span);
            if place.file.is_empty() || unit.sources.source_of(diagnostic.span.start).is_none() {
                return Err(Complaint::new("c text", format!("{diagnostic:?} has no place")));
            }
        }
    }
    Ok(complete)
}
