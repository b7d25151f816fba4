//! Random API traces: calls of the solver in any order, as data.
//!
//! After mobical, the model-based tester of CaDiCaL. A [`Trace`] is text through and through (formulas are
//! SMT-LIB), one call per line, so a failing one is shrunk by dropping lines and is committed under
//! `tests/data/traces`. [`crate::testing::replay`] runs it. A call whose formula does not read, because the
//! declaration was dropped, does nothing.

use crate::logic::{SortId, TermId, Terms, print};
use crate::testing::as_test;
use crate::testing::formulas::{self, Epr, Generate, Problem, Shape};
use crate::util::hash::Set;
use crate::util::rng::Rng;
use std::fmt;

/// The limit of one check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Only the one that makes a hang a complaint.
    None,
    /// So many steps.
    Steps(u64),
    /// So many bytes.
    Memory(u64),
    /// A deadline that has passed.
    Deadline,
    /// A token that was cancelled before.
    Cancelled,
}

/// A call that must be refused and must change nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bad {
    /// Asserts a term that is not a formula.
    NotAFormula,
    /// Asserts and assumes an id that the store does not have.
    Foreign,
    /// Asserts and assumes a formula with a free variable.
    Open,
    /// Pops one scope more than there are.
    Pop,
    /// Declares a name again.
    Duplicate,
    /// Builds an equation between two sorts.
    IllSorted,
}

const BAD: [(Bad, &str); 6] = [
    (Bad::NotAFormula, "not-a-formula"),
    (Bad::Foreign, "foreign"),
    (Bad::Open, "open"),
    (Bad::Pop, "pop"),
    (Bad::Duplicate, "duplicate"),
    (Bad::IllSorted, "ill-sorted"),
];

/// One call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// An SMT-LIB declaration.
    Declare(String),
    /// Asserts a formula.
    Assert(String),
    /// Asserts a formula under a name.
    AssertNamed(String, String),
    /// Opens a scope.
    Push,
    /// Closes scopes.
    Pop(usize),
    /// Checks under assumptions.
    Check(Limit, Vec<String>),
    /// A call that must be refused.
    Bad(Bad),
}

/// Calls in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The calls.
    pub calls: Vec<Call>,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::None => f.write_str("unlimited"),
            Limit::Steps(n) => write!(f, "steps={n}"),
            Limit::Memory(n) => write!(f, "memory={n}"),
            Limit::Deadline => f.write_str("deadline"),
            Limit::Cancelled => f.write_str("cancelled"),
        }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Call::Declare(text) => write!(f, "declare {text}"),
            Call::Assert(formula) => write!(f, "assert {formula}"),
            Call::AssertNamed(name, formula) => write!(f, "named {name} {formula}"),
            Call::Push => f.write_str("push"),
            Call::Pop(n) => write!(f, "pop {n}"),
            Call::Check(limit, assumptions) => {
                write!(f, "check {limit}")?;
                assumptions.iter().try_for_each(|a| write!(f, " assuming {a}"))
            }
            Call::Bad(bad) => {
                let (_, word) = BAD.iter().find(|(b, _)| b == bad).expect("the table is complete");
                write!(f, "bad {word}")
            }
        }
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.calls.iter().try_for_each(|call| writeln!(f, "{call}"))
    }
}

impl Trace {
    /// Reads the text form; lines that start with `;` are comments.
    pub fn parse(text: &str) -> Result<Trace, String> {
        let lines = text.lines().enumerate().map(|(i, l)| (i + 1, l.trim()));
        let calls = lines.filter(|(_, l)| !l.is_empty() && !l.starts_with(';'));
        let calls = calls.map(|(i, l)| parse_call(l).ok_or_else(|| format!("line {i}: not a call: {l}")));
        Ok(Trace { calls: calls.collect::<Result<_, _>>()? })
    }

    /// A test to paste.
    pub fn rust_test(&self, name: &str) -> String {
        let text = as_test::fenced(&self.to_string());
        format!(
            "#[test]\nfn {name}() {{\n    let trace = catena::testing::Trace::parse({text}).unwrap();\n    \
             catena::testing::replay::replay(&trace).unwrap();\n}}\n"
        )
    }

    /// A random trace; equal seeds give equal traces.
    pub fn random(seed: u64) -> Trace {
        Author::new(seed).write()
    }
}

fn parse_call(line: &str) -> Option<Call> {
    let (head, rest) = line.split_once(' ').unwrap_or((line, ""));
    Some(match head {
        "declare" => Call::Declare(rest.to_owned()),
        "assert" => Call::Assert(rest.to_owned()),
        "named" => {
            let (name, formula) = rest.split_once(' ')?;
            Call::AssertNamed(name.to_owned(), formula.to_owned())
        }
        "push" => Call::Push,
        "pop" => Call::Pop(rest.parse().ok()?),
        "check" => {
            let mut parts = rest.split(" assuming ");
            let limit = parse_limit(parts.next()?)?;
            Call::Check(limit, parts.map(str::to_owned).collect())
        }
        "bad" => Call::Bad(BAD.iter().find(|(_, word)| *word == rest)?.0),
        _ => return None,
    })
}

fn parse_limit(word: &str) -> Option<Limit> {
    let (head, n) = word.split_once('=').unwrap_or((word, ""));
    Some(match head {
        "unlimited" => Limit::None,
        "steps" => Limit::Steps(n.parse().ok()?),
        "memory" => Limit::Memory(n.parse().ok()?),
        "deadline" => Limit::Deadline,
        "cancelled" => Limit::Cancelled,
        _ => return None,
    })
}

/// Writes a random trace over the formulas of a random problem.
struct Author {
    rng: Rng,
    terms: Terms,
    /// Assertions of the problem, then the formulas below them.
    pool: Vec<TermId>,
    n_assertions: usize,
    declared: Set<String>,
    calls: Vec<Call>,
    n_scopes: usize,
}

impl Author {
    fn new(seed: u64) -> Author {
        let mut rng = Rng::new(seed ^ 0x7EACE);
        let problem = random_problem(&mut rng);
        let mut author = Author {
            rng,
            pool: problem.formulas.clone(),
            n_assertions: problem.formulas.len(),
            terms: problem.terms,
            declared: Set::default(),
            calls: Vec::new(),
            n_scopes: 0,
        };
        let below = formulas_below(&author.terms, &problem.formulas);
        author.pool.extend(below);
        author
    }

    fn write(mut self) -> Trace {
        for _ in 0..8 + self.rng.below(28) {
            match self.rng.below(20) {
                0..6 => {
                    let formula = self.assertion();
                    self.calls.push(Call::Assert(formula));
                }
                6..9 => {
                    let formula = self.assertion();
                    let name = format!("a{}", self.calls.len());
                    self.calls.push(Call::AssertNamed(name, formula));
                }
                9..12 => {
                    self.n_scopes += 1;
                    self.calls.push(Call::Push);
                }
                12..14 => {
                    let n = self.rng.below(self.n_scopes.min(2) + 1);
                    self.n_scopes -= n;
                    self.calls.push(Call::Pop(n));
                }
                14 => {
                    let bad = self.rng.pick(&BAD).0;
                    self.calls.push(Call::Bad(bad));
                }
                _ => self.check(),
            }
        }
        self.calls.push(Call::Check(Limit::None, Vec::new()));
        Trace { calls: self.calls }
    }

    fn check(&mut self) {
        let limit = match self.rng.below(12) {
            0 => Limit::Steps(self.rng.below(40) as u64),
            1 => Limit::Steps(self.rng.below(4000) as u64),
            2 => *self.rng.pick(&[Limit::Memory(1), Limit::Memory(100_000)]),
            3 => *self.rng.pick(&[Limit::Deadline, Limit::Cancelled]),
            _ => Limit::None,
        };
        let n_assumptions = if self.rng.one_in(2) { 0 } else { 1 + self.rng.below(4) };
        let assumptions = (0..n_assumptions).map(|_| self.assumption()).collect();
        self.calls.push(Call::Check(limit, assumptions));
    }

    fn assertion(&mut self) -> String {
        let formula = if self.rng.one_in(5) {
            *self.rng.pick(&self.pool)
        } else {
            self.pool[self.rng.below(self.n_assertions)]
        };
        self.text(formula)
    }

    fn assumption(&mut self) -> String {
        let formula = match self.rng.below(20) {
            0 => Terms::TRUE,
            1 => Terms::FALSE,
            _ => *self.rng.pick(&self.pool),
        };
        let negate = self.rng.one_in(3) && self.terms.is_quantifier_free(formula);
        let formula = if negate { self.terms.mk_not(formula) } else { formula };
        self.text(formula)
    }

    /// The text of a formula, after the declarations that it is the first to need.
    fn text(&mut self, formula: TermId) -> String {
        let script = as_test::script(&self.terms, &[formula], None);
        for line in script.lines().filter(|l| l.starts_with("(declare")) {
            if self.declared.insert(line.to_owned()) {
                self.calls.push(Call::Declare(line.to_owned()));
            }
        }
        print::term(&self.terms, formula)
    }
}

/// A problem of any kind, with more assertions than usual so that there is something to choose from.
fn random_problem(rng: &mut Rng) -> Problem {
    let seed = rng.next_u64();
    // The widest relations make models that only slow the evaluation down.
    if rng.one_in(8) {
        let shape = Shape { assertions: 8, depth: 1 };
        return Epr { max_arity: 2, shape, ..Epr::default() }.generate(seed);
    }
    let all = formulas::all();
    let (_, generator) = rng.pick(&all);
    generator.generate(seed)
}

/// Closed formulas strictly below the given ones, in a fixed order. None of them has a quantifier: out of its
/// place it may stand for the other kind, and the trace would leave the fragment.
fn formulas_below(terms: &Terms, formulas: &[TermId]) -> Vec<TermId> {
    let mut seen: Set<TermId> = formulas.iter().copied().collect();
    let mut stack = formulas.to_vec();
    let mut found = Vec::new();
    while let Some(term) = stack.pop() {
        for &child in terms.children(term) {
            if terms.is_closed(child) && seen.insert(child) {
                stack.push(child);
                if terms.sort(child) == SortId::BOOL && terms.is_quantifier_free(child) {
                    found.push(child);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_read_back() {
        for seed in 0..200 {
            let trace = Trace::random(seed);
            let text = trace.to_string();
            assert_eq!(Trace::parse(&text).as_ref(), Ok(&trace), "{text}");
            assert_eq!(Trace::random(seed), trace);
        }
    }

    #[test]
    fn wrong_lines_are_reported() {
        assert_eq!(Trace::parse("push\n; so\n\npup").unwrap_err(), "line 4: not a call: pup");
        for line in ["pop", "pop x", "check", "check steps=", "bad", "bad luck", "named a"] {
            assert!(Trace::parse(line).is_err(), "{line}");
        }
    }
}
