//! Conditions as tests of pointers; what they say about integers is forgotten.

use super::model::Model;
use super::pattern::Vocabulary as _;
use super::pre::{Op, VarIx};
use crate::program::{At, Cmp, Cond, Expr, Formula, Term};

/// Tests of one edge beyond which it is taken to pass always.
const MAX_TESTS: usize = 64;

impl Model<'_> {
    /// The ways to pass a condition, as conjunctions of tests; integers pass always.
    pub(super) fn tests(&self, cond: &Cond) -> Vec<Vec<Op>> {
        let pass = || vec![Vec::new()];
        match cond {
            Cond::Const(true) => pass(),
            Cond::Const(false) => Vec::new(),
            Cond::Not(inner) => match &**inner {
                Cond::Not(inner) => self.tests(inner),
                inner => self.tests(&inner.negated()),
            },
            Cond::Compare(cmp, a, b) => {
                let equal = *cmp == Cmp::Eq;
                if !matches!(cmp, Cmp::Eq | Cmp::Ne) {
                    return pass();
                }
                let test = |x: VarIx| if equal { Op::IsNull(x) } else { Op::NotNull(x) };
                match (a, b) {
                    (Expr::Null(_), Expr::Null(_)) => {
                        if equal {
                            pass()
                        } else {
                            Vec::new()
                        }
                    }
                    (Expr::Var(x), Expr::Null(_)) | (Expr::Null(_), Expr::Var(x)) => {
                        self.label(*x, At::Now).map_or_else(pass, |x| vec![vec![test(x)]])
                    }
                    (Expr::Var(x), Expr::Var(y)) => {
                        let (Some(x), Some(y)) = (self.label(*x, At::Now), self.label(*y, At::Now)) else {
                            return pass();
                        };
                        vec![vec![if equal { Op::Same(x, y) } else { Op::Differ(x, y) }]]
                    }
                    _ => pass(),
                }
            }
            Cond::And(parts) => {
                let mut ways = pass();
                for part in parts {
                    let more = self.tests(part);
                    let joined = ways.iter().flat_map(|w| more.iter().map(|m| [&w[..], &m[..]].concat()));
                    ways = joined.collect();
                    if ways.len() > MAX_TESTS {
                        return pass();
                    }
                }
                ways
            }
            Cond::Or(parts) => {
                let ways: Vec<_> = parts.iter().flat_map(|p| self.tests(p)).collect();
                if ways.len() > MAX_TESTS || ways.iter().any(Vec::is_empty) { pass() } else { ways }
            }
        }
    }

    /// What of a supposed formula can be tested.
    pub(super) fn supposed(&self, formula: &Formula) -> Vec<Vec<Op>> {
        let pass = || vec![Vec::new()];
        let operand = |t: &Term| match t {
            Term::Null(s) => Some(Expr::Null(*s)),
            Term::Var(v, At::Now) => Some(Expr::Var(*v)),
            _ => None,
        };
        match formula {
            Formula::Const(false) => Vec::new(),
            Formula::Compare(cmp, a, b) => match (operand(a), operand(b)) {
                (Some(a), Some(b)) => self.tests(&Cond::Compare(*cmp, a, b)),
                _ => pass(),
            },
            Formula::And(parts) => {
                let mut way = Vec::new();
                for part in parts {
                    match &self.supposed(part)[..] {
                        [] => return Vec::new(),
                        [only] => way.extend(only),
                        _ => {}
                    }
                }
                vec![way]
            }
            _ => pass(),
        }
    }
}
