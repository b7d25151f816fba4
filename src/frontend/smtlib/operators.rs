//! The words of the theories Core and Ints.
//!
//! `div`, `mod`, `abs` and `(_ divisible n)` are here as well. A quotient by the number n is a symbol
//! `@divN` of one argument, and whoever says something about `@divN(t)` also says
//! `0 <= t - n @divN(t) < n`: [`Context::with_quotients`] adds that to every formula. This fixes the value, as
//! SMT-LIB has it: the remainder is never negative. Names that begin with `@` belong to solvers. By zero,
//! quotient and remainder are some function of the dividend, as the standard says.

use crate::frontend::smtlib::context::Context;
use crate::logic::{BuildError, Evaluator, FuncId, Model, Op, SortId, TermId, Terms, Value};
use crate::util::hash::Set;
use crate::util::num::Int;

/// Words that mean something unless the script declares them: files without arithmetic may.
pub(super) const MILD: &[&str] = &["div", "mod", "abs"];

const QUOTIENT: &str = "@div";
const REMAINDER_BY_ZERO: &str = "@mod0";

/// Whether the name is one of ours for quotients and remainders.
pub(super) fn is_reserved(name: &str) -> bool {
    let digits = |rest: &str| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit());
    name == REMAINDER_BY_ZERO || name.strip_prefix(QUOTIENT).is_some_and(digits)
}

impl Context {
    /// The symbol for the quotient by a positive number, or for the function that division by zero is.
    fn quotient_symbol(&mut self, terms: &mut Terms, name: &str) -> Result<FuncId, BuildError> {
        match self.find_func(terms, name) {
            Some(func) => Ok(func),
            None => self.declare_fun(terms, name, &[SortId::INT], SortId::INT),
        }
    }

    /// `dividend / divisor`, rounded so that the remainder is not negative.
    fn quotient(&mut self, terms: &mut Terms, dividend: TermId, divisor: &Int) -> Result<TermId, BuildError> {
        if divisor.is_negative() {
            let quotient = self.quotient(terms, dividend, &-divisor)?;
            return terms.neg(quotient);
        }
        if divisor.is_one() {
            return Ok(dividend);
        }
        let form = terms.linear_form(dividend);
        if form.is_number() && !divisor.is_zero() {
            return Ok(terms.int(form.constant.div_floor(divisor)));
        }
        let func = self.quotient_symbol(terms, &format!("{QUOTIENT}{divisor}"))?;
        if !divisor.is_zero() {
            self.quotients.insert(func, divisor.clone());
        }
        terms.app(func, &[dividend])
    }

    /// `dividend - divisor * (dividend / divisor)`.
    fn remainder(
        &mut self,
        terms: &mut Terms,
        dividend: TermId,
        divisor: &Int,
    ) -> Result<TermId, BuildError> {
        if divisor.is_zero() {
            let func = self.quotient_symbol(terms, REMAINDER_BY_ZERO)?;
            return terms.app(func, &[dividend]);
        }
        let quotient = self.quotient(terms, dividend, divisor)?;
        let factor = terms.int(divisor.clone());
        let product = terms.mul(factor, quotient)?;
        terms.sub(dividend, product)
    }

    /// `((_ divisible n) term)`.
    pub(super) fn divisible(
        &mut self,
        terms: &mut Terms,
        divisor: &Int,
        term: TermId,
    ) -> Result<TermId, BuildError> {
        let remainder = self.remainder(terms, term, divisor)?;
        let zero = terms.int(0);
        terms.eq(remainder, zero)
    }

    /// The formula together with what its quotients are.
    pub(super) fn with_quotients(
        &mut self,
        terms: &mut Terms,
        formula: TermId,
    ) -> Result<TermId, BuildError> {
        if self.quotients.is_empty() {
            return Ok(formula);
        }
        let mut parts = vec![formula];
        let mut general = Set::default();
        for app in self.quotients_in(terms, formula) {
            let Op::App(func) = terms.op(app) else { continue };
            let argument = terms.children(app)[0];
            if terms.is_closed(app) {
                parts.push(self.remainder_is_small(terms, func, argument, app)?);
            } else if general.insert(func) {
                // What the argument is depends on a quantifier around it: the law for all integers.
                let variable = self.ranked(terms, "dividend", SortId::INT, 0)?;
                let quotient = terms.app(func, &[variable])?;
                let law = self.remainder_is_small(terms, func, variable, quotient)?;
                parts.push(terms.forall_with(&[variable], law, &[vec![quotient]])?);
            }
        }
        terms.and(&parts)
    }

    /// `0 <= dividend - n quotient <= n - 1`.
    fn remainder_is_small(
        &self,
        terms: &mut Terms,
        func: FuncId,
        dividend: TermId,
        quotient: TermId,
    ) -> Result<TermId, BuildError> {
        let divisor = &self.quotients[&func];
        let (factor, zero, largest) =
            (terms.int(divisor.clone()), terms.int(0), terms.int(divisor - &Int::from(1)));
        let product = terms.mul(factor, quotient)?;
        let remainder = terms.sub(dividend, product)?;
        let bounds = [terms.le(zero, remainder)?, terms.le(remainder, largest)?];
        terms.and(&bounds)
    }

    /// The applications of quotient symbols in a term, arguments before what they stand in.
    fn quotients_in(&self, terms: &Terms, root: TermId) -> Vec<TermId> {
        let mut seen = Set::default();
        let mut open = vec![root];
        let mut found = Vec::new();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Op::App(func) = terms.op(term)
                && self.quotients.contains_key(&func)
            {
                found.push(term);
            }
            open.extend(terms.children(term));
        }
        // A term is made after its parts.
        found.sort_unstable_by_key(|term| term.index());
        found
    }

    /// Gives quotients in the term their values in the model, which knows only those that were spoken of.
    pub(super) fn complete_quotients(
        &self,
        terms: &Terms,
        model: &mut Model,
        term: TermId,
    ) -> Result<(), String> {
        if self.quotients.is_empty() {
            return Ok(());
        }
        for app in self.quotients_in(terms, term) {
            let Op::App(func) = terms.op(app) else { continue };
            if !terms.is_closed(app) {
                return Err("a quotient of something quantified has no value here".to_owned());
            }
            let dividend =
                Evaluator::new(terms, model).eval(terms.children(app)[0]).map_err(|e| e.to_string())?;
            if let Value::Int(number) = &dividend {
                let quotient = Value::Int(number.div_floor(&self.quotients[&func]));
                model.set(terms, func, &[dividend], quotient);
            }
        }
        Ok(())
    }
}

/// A word of the theories applied to arguments.
pub(super) fn apply(
    context: &mut Context,
    terms: &mut Terms,
    name: &str,
    args: &[TermId],
) -> Result<TermId, BuildError> {
    let (least, most) = match name {
        "not" | "abs" => (1, 1),
        "ite" => (3, 3),
        "mod" => (2, 2),
        "and" | "or" | "+" | "-" | "*" => (1, usize::MAX),
        _ => (2, usize::MAX),
    };
    if args.len() > most || (args.len() < least && least == most) {
        return Err(BuildError::Arity { symbol: name.to_owned(), expected: most, found: args.len() });
    }
    if args.len() < least {
        return Err(BuildError::Unsupported(format!(
            "{name}: expected at least {least} arguments, found {}",
            args.len()
        )));
    }
    let (first, rest) = args.split_first().expect("at least one argument, just checked");
    let fold = |terms: &mut Terms, step: fn(&mut Terms, TermId, TermId) -> Result<TermId, BuildError>| {
        rest.iter().try_fold(*first, |left, &right| step(terms, left, right))
    };
    let chain = |terms: &mut Terms, step: fn(&mut Terms, TermId, TermId) -> Result<TermId, BuildError>| {
        let links: Result<Vec<TermId>, BuildError> =
            args.windows(2).map(|pair| step(terms, pair[0], pair[1])).collect();
        terms.and(&links?)
    };
    match name {
        "not" => terms.not(args[0]),
        "and" => terms.and(args),
        "or" => terms.or(args),
        "=>" => {
            let (last, premises) = args.split_last().expect("at least two arguments, just checked");
            premises.iter().rev().try_fold(*last, |conclusion, &premise| terms.implies(premise, conclusion))
        }
        "xor" => fold(terms, Terms::xor),
        "=" => chain(terms, Terms::eq),
        "distinct" => terms.distinct(args),
        "ite" => terms.ite(args[0], args[1], args[2]),
        "+" => terms.add(args),
        "-" if rest.is_empty() => terms.neg(*first),
        "-" => terms.subtract(args),
        "*" => fold(terms, Terms::mul),
        "<=" => chain(terms, Terms::le),
        "<" => chain(terms, Terms::lt),
        ">=" => chain(terms, Terms::ge),
        ">" => chain(terms, Terms::gt),
        "div" | "mod" => rest.iter().try_fold(*first, |left, &right| {
            if terms.sort(left) != SortId::INT || terms.sort(right) != SortId::INT {
                // The error of the sorts.
                return terms.add(&[left, right]);
            }
            let form = terms.linear_form(right);
            if !form.is_number() {
                return Err(BuildError::Unsupported(format!("{name}: expected a number to divide by")));
            }
            match name {
                "div" => context.quotient(terms, left, &form.constant),
                _ => context.remainder(terms, left, &form.constant),
            }
        }),
        "abs" => {
            let (zero, negated) = (terms.int(0), terms.neg(*first)?);
            let sign = terms.le(zero, *first)?;
            terms.ite(sign, *first, negated)
        }
        _ => Err(BuildError::Unsupported(format!("expected a function, found {name}"))),
    }
}
