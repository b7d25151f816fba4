//! cvc5 through its Python package.

use std::process::Command;

/// Whether the Python package cvc5 is installed.
pub fn has_cvc5() -> bool {
    Command::new("python3").args(["-c", "import cvc5"]).output().is_ok_and(|o| o.status.success())
}

/// Solves a file with the Python package and prints the answer and its own CPU milliseconds, the start of
/// Python not included.
pub const CVC5: &str = r"
import sys, time, cvc5
tm = cvc5.TermManager()
solver = cvc5.Solver(tm)
symbols = cvc5.SymbolManager(tm)
start = time.process_time()
parser = cvc5.InputParser(solver, symbols)
parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.argv[1])
while True:
    command = parser.nextCommand()
    if command.isNull():
        break
    answer = command.invoke(solver, symbols)
    if answer:
        print(answer.strip())
print((time.process_time() - start) * 1000)
";
