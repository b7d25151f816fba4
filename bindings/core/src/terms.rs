//! A solver whose sorts, symbols and terms are numbers, for languages that cannot hold a borrow.
//!
//! A number says to which solver it belongs, so that one of another solver, or of one that is gone, is an error. Every
//! call says at once what is wrong with it, and changes nothing then.

use crate::Bounds;
use catena::{
    Answer, CancelToken, Error, Function, Integer, KeptModel, KeptRefutation, Model, Refutation, Solver,
    Sort, Term, Value,
};
use std::sync::atomic::{AtomicU32, Ordering};

/// The number of a sort, a symbol or a term. 0 is none.
pub type Id = u64;

/// The number of the next solver; 0 is nobody's.
static NEXT: AtomicU32 = AtomicU32::new(1);

/// What is wrong with a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A number that was never given out, or is one of another kind.
    NoSuch(&'static str),
    /// A number of another solver.
    Foreign,
    /// What the solver says of a term, symbol or sort.
    Build(String),
    /// There are fewer scopes than are to be closed.
    NoScope,
    /// There is no answer of the kind that is asked for: nothing was checked since the last change, or the answer is
    /// another one.
    NoAnswer(&'static str),
    /// A term has no such value.
    Value(String),
    /// The solver keeps no proofs, or its proof does not check.
    Proof(String),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::NoSuch(kind) => write!(f, "there is no such {kind}"),
            Fault::Foreign => f.write_str("a term, symbol or sort belongs to another solver"),
            Fault::Build(why) | Fault::Value(why) | Fault::Proof(why) => f.write_str(why),
            Fault::NoScope => f.write_str("fewer scopes are open than are to be closed"),
            Fault::NoAnswer(what) => write!(
                f,
                "there is no {what}: the last check did not give one, or something was changed since"
            ),
        }
    }
}

impl std::error::Error for Fault {}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        match error {
            Error::Foreign => Fault::Foreign,
            Error::NoScope => Fault::NoScope,
            Error::Value(why) => Fault::Value(why),
            Error::NoProof | Error::Uncertified(_) => Fault::Proof(error.to_string()),
            other => Fault::Build(other.to_string()),
        }
    }
}

/// What a check answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// Not decided; [`Terms::reason`] says why.
    Unknown,
}

/// What stands behind the last answer.
enum Last {
    Nothing,
    Sat(KeptModel),
    Unsat(KeptRefutation),
    Unknown(String),
}

/// Builders of terms that differ in nothing but what they build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Negation of one formula.
    Not,
    /// Conjunction of any number.
    And,
    /// Disjunction of any number.
    Or,
    /// The first implies the second.
    Implies,
    /// Exclusive or of two.
    Xor,
    /// Equality of two.
    Eq,
    /// All are different.
    Distinct,
    /// If the first then the second else the third.
    Ite,
    /// Sum of any number.
    Add,
    /// The first minus the second.
    Sub,
    /// Product of two, one of which is a number.
    Mul,
    /// The first is at most the second.
    Le,
    /// The first is less than the second.
    Lt,
}

/// A solver whose terms are numbers.
pub struct Terms {
    number: u32,
    solver: Solver,
    proofs: bool,
    bounds: Bounds,
    cancel: CancelToken,
    sorts: Vec<Sort>,
    functions: Vec<Function>,
    terms: Vec<Term>,
    known: std::collections::HashMap<Term, Id>,
    last: Last,
}

impl std::fmt::Debug for Terms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Terms").field("number", &self.number).finish_non_exhaustive()
    }
}

impl Terms {
    /// The sort of truth values, of every solver.
    pub const BOOL: Id = 1;
    /// The sort of integers, of every solver.
    pub const INT: Id = 2;

    /// A solver without assertions, with or without proofs.
    #[must_use]
    pub fn new(proofs: bool) -> Terms {
        let cancel = CancelToken::new();
        let mut solver = if proofs { Solver::with_proofs() } else { Solver::new() };
        solver.set_limits(Bounds::default().limits(&cancel));
        Terms {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            solver,
            proofs,
            bounds: Bounds::default(),
            cancel,
            sorts: vec![Sort::BOOL, Sort::INT],
            functions: Vec::new(),
            terms: Vec::new(),
            known: std::collections::HashMap::new(),
            last: Last::Nothing,
        }
    }

    /// Stops the running check from another thread, or the next one if none is running.
    #[must_use]
    pub fn token(&self) -> CancelToken {
        self.cancel.clone()
    }

    /// Limits of each following check.
    pub fn set_bounds(&mut self, bounds: Bounds) {
        self.bounds = bounds;
        self.solver.set_limits(bounds.limits(&self.cancel));
    }

    /// The limits of each check.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    // ---- numbers

    fn id(&self, index: usize) -> Id {
        u64::from(self.number) << 32 | (index as u64 + 1)
    }

    fn index(&self, id: Id, kind: &'static str) -> Result<usize, Fault> {
        let index = (id & 0xffff_ffff) as usize;
        match (index, (id >> 32) as u32) {
            (0, _) => Err(Fault::NoSuch(kind)),
            (_, owner) if owner == self.number => Ok(index - 1),
            _ => Err(Fault::Foreign),
        }
    }

    fn sort(&self, id: Id) -> Result<Sort, Fault> {
        let index =
            if id == Terms::BOOL || id == Terms::INT { id as usize - 1 } else { self.index(id, "sort")? };
        self.sorts.get(index).copied().ok_or(Fault::NoSuch("sort"))
    }

    fn function(&self, id: Id) -> Result<Function, Fault> {
        self.functions.get(self.index(id, "function")?).copied().ok_or(Fault::NoSuch("function"))
    }

    fn term(&self, id: Id) -> Result<Term, Fault> {
        self.terms.get(self.index(id, "term")?).copied().ok_or(Fault::NoSuch("term"))
    }

    fn term_list(&self, ids: &[Id]) -> Result<Vec<Term>, Fault> {
        ids.iter().map(|id| self.term(*id)).collect()
    }

    /// The number of a term that was just built. The same term has the same number.
    fn built(&mut self, term: Term) -> Result<Id, Fault> {
        self.solver.report()?;
        Ok(self.numbered(term))
    }

    fn numbered(&mut self, term: Term) -> Id {
        let next = self.id(self.terms.len());
        let id = *self.known.entry(term).or_insert(next);
        if id == next {
            self.terms.push(term);
        }
        id
    }

    // ---- declarations

    /// Declares an uninterpreted sort.
    pub fn declare_sort(&mut self, name: &str) -> Result<Id, Fault> {
        let sort = self.solver.sort(name);
        self.solver.report()?;
        self.sorts.push(sort);
        Ok(self.id(self.sorts.len() - 1))
    }

    /// Declares a function, predicate or link field.
    pub fn declare_function(&mut self, name: &str, arguments: &[Id], result: Id) -> Result<Id, Fault> {
        let arguments: Result<Vec<Sort>, Fault> = arguments.iter().map(|id| self.sort(*id)).collect();
        let function = self.solver.function(name, arguments?, self.sort(result)?);
        self.solver.report()?;
        self.functions.push(function);
        Ok(self.id(self.functions.len() - 1))
    }

    /// Declares a constant.
    pub fn constant(&mut self, name: &str, sort: Id) -> Result<Id, Fault> {
        let term = self.solver.constant(name, self.sort(sort)?);
        self.built(term)
    }

    /// A new variable for a quantifier.
    pub fn variable(&mut self, name: &str, sort: Id) -> Result<Id, Fault> {
        let term = self.solver.variable(name, self.sort(sort)?);
        self.built(term)
    }

    // ---- terms

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> Result<Id, Fault> {
        let term = self.solver.bool(value);
        self.built(term)
    }

    /// A number.
    pub fn int(&mut self, value: i64) -> Result<Id, Fault> {
        let term = self.solver.int(value);
        self.built(term)
    }

    /// A number of any size, in decimal digits.
    pub fn int_text(&mut self, digits: &str) -> Result<Id, Fault> {
        let value: Integer = digits.parse()?;
        let term = self.solver.int(value);
        self.built(term)
    }

    /// A term from terms.
    pub fn build(&mut self, kind: Kind, parts: &[Id]) -> Result<Id, Fault> {
        let parts = self.term_list(parts)?;
        let s = &self.solver;
        let term = match (kind, parts.as_slice()) {
            (Kind::Not, [a]) => s.not(*a),
            (Kind::And, all) => s.and(all.iter().copied()),
            (Kind::Or, all) => s.or(all.iter().copied()),
            (Kind::Implies, [a, b]) => s.implies(*a, *b),
            (Kind::Xor, [a, b]) => s.xor(*a, *b),
            (Kind::Eq, [a, b]) => s.eq(*a, *b),
            (Kind::Distinct, all) => s.distinct(all.iter().copied()),
            (Kind::Ite, [a, b, c]) => s.ite(*a, *b, *c),
            (Kind::Add, all) => s.add(all.iter().copied()),
            (Kind::Sub, [a, b]) => s.sub(*a, *b),
            (Kind::Mul, [a, b]) => s.mul(*a, *b),
            (Kind::Le, [a, b]) => s.le(*a, *b),
            (Kind::Lt, [a, b]) => s.lt(*a, *b),
            (_, parts) => return Err(Fault::Build(format!("{kind:?} does not take {} terms", parts.len()))),
        };
        self.built(term)
    }

    /// A symbol applied to arguments.
    pub fn apply(&mut self, function: Id, arguments: &[Id]) -> Result<Id, Fault> {
        let term = self.solver.app(self.function(function)?, self.term_list(arguments)?);
        self.built(term)
    }

    /// `to` is reached from `from` along the link field.
    pub fn reach(&mut self, field: Id, from: Id, to: Id) -> Result<Id, Fault> {
        let term = self.solver.reach(self.function(field)?, self.term(from)?, self.term(to)?);
        self.built(term)
    }

    /// `via` lies on the path along the link field from `from` to `to`.
    pub fn between(&mut self, field: Id, from: Id, via: Id, to: Id) -> Result<Id, Fault> {
        let (field, from, via, to) =
            (self.function(field)?, self.term(from)?, self.term(via)?, self.term(to)?);
        let term = self.solver.between(field, from, via, to);
        self.built(term)
    }

    /// For all values of the variables, or for some, the body holds.
    pub fn quantified(&mut self, for_all: bool, variables: &[Id], body: Id) -> Result<Id, Fault> {
        let (variables, body) = (self.term_list(variables)?, self.term(body)?);
        let s = &self.solver;
        let term = if for_all { s.forall(variables, body) } else { s.exists(variables, body) };
        self.built(term)
    }

    /// The sort of a term: [`Terms::BOOL`], [`Terms::INT`] or a declared one.
    pub fn sort_of(&self, term: Id) -> Result<Id, Fault> {
        let sort = self.solver.sort_of(self.term(term)?)?;
        let index = self.sorts.iter().position(|known| *known == sort).ok_or(Fault::NoSuch("sort"))?;
        Ok(if index < 2 { index as Id + 1 } else { self.id(index) })
    }

    /// A term as SMT-LIB writes it.
    pub fn text_of(&self, term: Id) -> Result<String, Fault> {
        Ok(self.solver.text_of(self.term(term)?)?)
    }

    // ---- assertions

    /// Asserts a closed formula, under a name if there is one.
    pub fn assert(&mut self, formula: Id, name: Option<&str>) -> Result<(), Fault> {
        let formula = self.term(formula)?;
        match name {
            Some(name) => self.solver.assert_named(name, formula)?,
            None => self.solver.assert(formula)?,
        }
        self.last = Last::Nothing;
        Ok(())
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.solver.push();
        self.last = Last::Nothing;
    }

    /// Closes the newest scope.
    pub fn pop(&mut self) -> Result<(), Fault> {
        self.solver.pop()?;
        self.last = Last::Nothing;
        Ok(())
    }

    /// Declarations and assertions as an SMT-LIB script.
    #[must_use]
    pub fn script(&self) -> String {
        self.solver.script()
    }

    // ---- answers

    /// Whether the assertions are satisfiable together with assumptions.
    pub fn check(&mut self, assumptions: &[Id]) -> Result<Checked, Fault> {
        let assumptions = self.term_list(assumptions)?;
        self.last = Last::Nothing;
        let last = match self.solver.check_assuming(assumptions) {
            Ok(Answer::Sat(model)) => Ok(Last::Sat(model.keep())),
            Ok(Answer::Unsat(refutation)) => Ok(Last::Unsat(refutation.keep())),
            Ok(Answer::Unknown(reason)) => Ok(Last::Unknown(reason.to_string())),
            Ok(_) => Ok(Last::Unknown("an answer that this binding does not know".to_owned())),
            Err(error) => Err(error),
        };
        self.cancel.reset();
        self.last = last?;
        Ok(match self.last {
            Last::Sat(_) => Checked::Sat,
            Last::Unsat(_) => Checked::Unsat,
            _ => Checked::Unknown,
        })
    }

    /// Why the last check has no answer.
    pub fn reason(&self) -> Result<&str, Fault> {
        match &self.last {
            Last::Unknown(why) => Ok(why),
            _ => Err(Fault::NoAnswer("reason")),
        }
    }

    /// The model of the last check, to be kept beside the solver.
    pub fn kept_model(&self) -> Result<KeptModel, Fault> {
        match &self.last {
            Last::Sat(model) => Ok(model.clone()),
            _ => Err(Fault::NoAnswer("model")),
        }
    }

    /// The value of a closed term in a model of this solver: as SMT-LIB writes it where that has a syntax, elements of
    /// sorts as `#0`, `#1`.
    pub fn value(&self, model: &KeptModel, term: Id) -> Result<Value, Fault> {
        Ok(self.model(model)?.value(self.term(term)?)?)
    }

    /// A model as SMT-LIB text.
    pub fn model_text(&self, model: &KeptModel) -> Result<String, Fault> {
        Ok(self.model(model)?.to_string())
    }

    /// How many elements an uninterpreted sort has in a model.
    pub fn size(&self, model: &KeptModel, sort: Id) -> Result<u32, Fault> {
        Ok(self.model(model)?.size(self.sort(sort)?)?)
    }

    fn model(&self, model: &KeptModel) -> Result<Model<'_>, Fault> {
        Ok(model.of(&self.solver)?)
    }

    fn refutation(&self) -> Result<Refutation<'_>, Fault> {
        match &self.last {
            Last::Unsat(refutation) => Ok(refutation.of(&self.solver)?),
            _ => Err(Fault::NoAnswer("refutation")),
        }
    }

    /// Names of the named assertions that the last `unsat` needs.
    pub fn core_names(&self) -> Result<Vec<String>, Fault> {
        Ok(self.refutation()?.names().to_vec())
    }

    /// The assumptions that the last `unsat` needs.
    pub fn core_assumptions(&mut self) -> Result<Vec<Id>, Fault> {
        let needed = self.refutation()?.assumptions();
        Ok(needed.into_iter().map(|term| self.numbered(term)).collect())
    }

    /// Checks the proof of the last `unsat` by code that the solver does not use.
    pub fn certify(&self) -> Result<(), Fault> {
        Ok(self.refutation()?.certify()?)
    }

    /// A script and its proof as text, for [`certify_proof`](crate::certify_proof): the assertions and assumptions of
    /// the last `unsat`, which are decided once more for that, within the same limits.
    pub fn proof(&self) -> Result<(String, String), Fault> {
        let refutation = self.refutation()?;
        if !self.proofs {
            return Err(Fault::Proof(Error::NoProof.to_string()));
        }
        let mut script = "(set-option :produce-proofs true)\n".to_owned();
        script.push_str(&self.solver.script());
        for assumption in refutation.assumptions() {
            script.push_str(&format!("(assert {})\n", self.solver.text_of(assumption)?));
        }
        script.push_str("(check-sat)\n");
        let mut dialogue = catena::Dialogue::with_limits(self.bounds.limits(&self.cancel));
        let said = dialogue.run(&script);
        self.cancel.reset();
        let proof = dialogue.proof().filter(|_| said == "unsat\n");
        let proof = proof.ok_or_else(|| Fault::Proof(format!("the script says {}", said.trim_end())))?;
        Ok((script, proof))
    }
}

#[cfg(test)]
#[path = "terms_tests.rs"]
mod tests;
