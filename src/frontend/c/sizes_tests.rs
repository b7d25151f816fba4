//! Sizes and types of expressions of every form: each row is an array whose length would be negative were it wrong.
//! `tests/it/compiled.rs` asks the system's compiler about the same rows.

use super::{Options, load};

/// Declarations that the rows use.
const DECLARATIONS: &str = include_str!("../../../tests/data/sizes/declarations.c");
/// `size expression` in each line.
const LP64: &str = include_str!("../../../tests/data/sizes/rows.txt");
/// The same under the other data model.
const ILP32: &str = include_str!("../../../tests/data/sizes/rows_ilp32.txt");

#[test]
fn every_form_of_expression_has_its_size() {
    for (table, lp64) in [(LP64, true), (ILP32, false)] {
        let options = Options { lp64, ..Options::default() };
        let mut rows = 0;
        for line in table.lines().filter(|l| !l.is_empty()) {
            let (size, expression) = line.split_once(' ').expect("a size and an expression");
            let check = format!("  char check[sizeof({expression}) == {size} ? 1 : -1];");
            let text = format!("{DECLARATIONS}{check}\n  return 0;\n}}\n");
            let unit = load("t.c", text.as_bytes(), &options);
            assert!(!unit.has_errors(), "sizeof({expression}) is not {size}: {:?}", unit.diagnostics);
            let main = unit.functions.iter().find(|f| f.name == "main").expect("main");
            assert!(main.program.is_ok(), "sizeof({expression}): {:?}", main.program);
            // The row can fail.
            let wrong = text.replace(&format!("== {size} ?"), &format!("== {size} + 1 ?"));
            assert!(load("t.c", wrong.as_bytes(), &options).has_errors(), "{expression}");
            rows += 1;
        }
        assert!(rows > 200, "{rows}");
    }
}
