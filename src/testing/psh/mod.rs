//! Programs in the `.psh` notation of the PDR benchmarks (one loop, list fields, predicates of the PDR
//! paper), read into [`Program`]s.
//!
//! Each `spec` of a file is one program with one contract. What the notation leaves to its reading becomes
//! explicit: every link field is acyclic everywhere (`\forall u; u -f*-> NULL` is required at entry), `dle`
//! compares an integer field `d`, `C` tests an integer field `c`, ghosts are logical constants, and the
//! variables that `ensures` speaks of are globals, because it speaks of their final values.
//!
//! For tests and benches; errors are texts.

mod lower;
mod syntax;

use crate::program::Program;

/// One row of the benchmarks.
#[derive(Clone, Debug)]
pub struct Row {
    /// Name of the spec.
    pub spec: String,
    /// Predicate families asked for (`S`, `R`, `St`, `dle`, `C`).
    pub family: Vec<String>,
    /// The program with its one contract.
    pub program: Program,
}

/// Reads a file: one row for each spec.
pub fn read(text: &str) -> Result<Vec<Row>, String> {
    let file = syntax::parse(text)?;
    file.specs
        .iter()
        .map(|spec| {
            let program = lower::lower(&file, spec)?;
            Ok(Row { spec: spec.name.clone(), family: spec.family.clone(), program })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Command, VarKind};

    const DELETE: &str = "program delete
vars h x p q;
temps t;
code {
  p = h; q = null;
  while (p != x && p != null) { q = p; p = p->n; }
  if (p != null) { t = p->n; if (q == null) { h = t; } else { q->n = t; } }
}
spec safety { requires: h<n*>null; ensures: h<n*>null; }
spec extra { family: St dle; ghosts: z; requires: h<n*>null & x != null; ensures: !h<n*>x; }";

    #[test]
    fn a_file_gives_one_program_for_each_spec() {
        let rows = read(DELETE).unwrap();
        assert_eq!(rows.iter().map(|row| row.spec.as_str()).collect::<Vec<_>>(), ["safety", "extra"]);
        assert_eq!(rows[1].family, ["St", "dle"]);
        let program = &rows[1].program;
        assert_eq!(program.loops.len(), 1);
        let kind = |name: &str| program.vars[program.var_named(name).unwrap().index()].kind;
        assert_eq!(
            (kind("h"), kind("x"), kind("z"), kind("p")),
            (VarKind::Global, VarKind::Global, VarKind::Logic, VarKind::Local)
        );
        let stores = program.edges.iter().filter(|e| matches!(e.command, Command::Store { .. })).count();
        assert_eq!(stores, 1);
        assert_eq!(program.successors()[program.exit.index()].len(), 0);
        assert_eq!(program.predecessors()[program.entry.index()].len(), 0);
    }

    #[test]
    fn errors_are_texts() {
        assert!(read("program p\nvars h;\ncode { h = ; }").is_err());
        assert!(read("program p\nvars h;\ncode { k = h; while (*) {} } spec a {}").is_err());
        assert!(read("program p\nvars h;\ncode { while (*) {} } spec a { requires: h<m*>null; }").is_err());
    }
}
