//! Clause sets as such: DIMACS text, and families with known answers for tests and benchmarks.

use super::lit::{Lit, Var};
use crate::util::rng::Rng;

/// A set of clauses over the variables 0 to `vars - 1`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    /// How many variables there are.
    pub vars: u32,
    /// The clauses.
    pub clauses: Vec<Vec<Lit>>,
}

impl Cnf {
    /// Reads DIMACS text: `c` lines are comments, the `p` line is optional, 0 ends a clause.
    pub fn parse(text: &str) -> Result<Cnf, String> {
        let mut cnf = Cnf::default();
        let mut clause = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let fail = |what: &str| Err(format!("line {}: {what}", number + 1));
            if line.starts_with('c') {
                continue;
            }
            if let Some(head) = line.strip_prefix("p cnf") {
                match head.split_whitespace().next().map(str::parse) {
                    Some(Ok(vars)) => cnf.vars = cnf.vars.max(vars),
                    _ => return fail("the head names no number of variables"),
                }
                continue;
            }
            for word in line.split_whitespace() {
                match word.parse::<i32>() {
                    Ok(0) => cnf.clauses.push(std::mem::take(&mut clause)),
                    Ok(lit) => {
                        let lit = Lit::from_dimacs(lit.into());
                        cnf.vars = cnf.vars.max(lit.var().0 + 1);
                        clause.push(lit);
                    }
                    Err(_) => return fail("not a literal"),
                }
            }
        }
        if clause.is_empty() { Ok(cnf) } else { Err("the last clause has no end".to_string()) }
    }

    /// Random clauses of `width` different variables each.
    pub fn random(vars: u32, clauses: usize, width: usize, rng: &mut Rng) -> Cnf {
        let mut cnf = Cnf { vars, clauses: Vec::with_capacity(clauses) };
        for _ in 0..clauses {
            let mut clause: Vec<Lit> = Vec::with_capacity(width);
            while clause.len() < width.min(vars as usize) {
                let lit = Lit::new(Var(rng.below(vars as usize) as u32), rng.one_in(2));
                if clause.iter().all(|other| other.var() != lit.var()) {
                    clause.push(lit);
                }
            }
            cnf.clauses.push(clause);
        }
        cnf
    }

    /// `pigeons` pigeons, each in one of `holes` holes, no two in the same.
    pub fn pigeonhole(pigeons: u32, holes: u32) -> Cnf {
        let lit = |pigeon, hole, positive| Lit::new(Var(pigeon * holes + hole), positive);
        let mut cnf = Cnf { vars: pigeons * holes, clauses: Vec::new() };
        for pigeon in 0..pigeons {
            cnf.clauses.push((0..holes).map(|hole| lit(pigeon, hole, true)).collect());
            for (hole, other) in (0..holes).flat_map(|h| (0..pigeon).map(move |p| (h, p))) {
                cnf.clauses.push(vec![lit(pigeon, hole, false), lit(other, hole, false)]);
            }
        }
        cnf
    }

    /// Whether some assignment, given as a function, makes every clause true.
    pub fn holds(&self, value: impl Fn(Lit) -> bool) -> bool {
        self.clauses.iter().all(|clause| clause.iter().any(|&lit| value(lit)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimacs_text_is_read() {
        let cnf = Cnf::parse("c hello\np cnf 4 2\n1 -2 0 3\n0\n").unwrap();
        let lits = |ns: &[i64]| ns.iter().map(|&n| Lit::from_dimacs(n)).collect::<Vec<_>>();
        assert_eq!(cnf, Cnf { vars: 4, clauses: vec![lits(&[1, -2]), lits(&[3])] });
        assert!(Cnf::parse("1 2").is_err());
        assert!(Cnf::parse("1 x 0").is_err());
        assert!(Cnf::parse("p cnf x").is_err());
    }

    #[test]
    fn families_have_the_right_size() {
        let holes = Cnf::pigeonhole(4, 3);
        assert_eq!((holes.vars, holes.clauses.len()), (12, 4 + 3 * 6));
        let random = Cnf::random(20, 50, 3, &mut Rng::new(7));
        assert!(random.clauses.iter().all(|c| c.len() == 3));
        assert!(random.holds(|_| true));
        assert!(!Cnf::pigeonhole(2, 1).holds(Lit::is_positive));
    }
}
