//! Building terms: sort checks, and the little normalisation the store promises.
//!
//! Every function that takes terms of the user checks sorts and arities and returns a [`BuildError`] that
//! names what was expected and what was found; nothing is added to the store in that case. Derived
//! connectives are rewritten to the kernel here and nowhere else.
//!
//! NOTE: a Bool argument of a function, `f(p)`, is `ite(p, f(true), f(false))`: the congruence closure then
//! never has to look inside a formula. At most [`MAX_BOOL_ARGS`] such arguments are unfolded.

use crate::logic::error::BuildError;
use crate::logic::linear::LinearForm;
use crate::logic::sort::SortId;
use crate::logic::symbol::{Func, FuncId};
use crate::logic::term::{MAX_QUANTIFIER_DEPTH, Op, Quantifier, TermId, Terms, VarId};
use crate::util::hash::Set;
use crate::util::num::Int;

/// How many arguments of one application may be formulas other than `true` and `false`.
pub const MAX_BOOL_ARGS: usize = 8;

/// How many bytes the numbers of one sum may have beyond machine words, five million digits: definitions of a
/// few lines name numbers that no memory holds.
pub const MAX_NUMBER_BYTES: u64 = 2 << 20;

type Built = Result<TermId, BuildError>;

/// The name can be printed and read back.
fn expect_writable(name: &str) -> Result<(), BuildError> {
    if name.contains(['|', '\\']) { Err(BuildError::Unwritable(name.to_owned())) } else { Ok(()) }
}

/// So many bytes of numbers can be held in one sum.
pub(super) fn expect_small(bytes: u64) -> Result<(), BuildError> {
    if bytes > MAX_NUMBER_BYTES { Err(BuildError::TooLarge) } else { Ok(()) }
}

impl Terms {
    // ---- declarations

    /// Declares an uninterpreted sort.
    pub fn declare_sort(&mut self, name: &str) -> Result<SortId, BuildError> {
        expect_writable(name)?;
        if self.find_sort(name).is_some() {
            return Err(BuildError::Duplicate(name.to_owned()));
        }
        Ok(self.add_sort(name.to_owned()))
    }

    /// Declares a function, predicate or (with no arguments) constant.
    pub fn declare_fun(&mut self, name: &str, args: &[SortId], result: SortId) -> Result<FuncId, BuildError> {
        expect_writable(name)?;
        if self.find_func(name).is_some() {
            return Err(BuildError::Duplicate(name.to_owned()));
        }
        if args.iter().chain([&result]).any(|s| s.index() >= self.n_sorts()) {
            return Err(BuildError::ForeignId);
        }
        Ok(self.add_func(Func { name: name.to_owned(), args: args.to_vec(), result, internal: false }))
    }

    /// Declares another symbol under a name that is taken by symbols with other sorts.
    pub fn overload_fun(
        &mut self,
        name: &str,
        args: &[SortId],
        result: SortId,
    ) -> Result<FuncId, BuildError> {
        expect_writable(name)?;
        if args.iter().chain([&result]).any(|s| s.index() >= self.n_sorts()) {
            return Err(BuildError::ForeignId);
        }
        self.overloaded.insert(name.to_owned());
        Ok(self.add_func(Func { name: name.to_owned(), args: args.to_vec(), result, internal: false }))
    }

    /// Declares a constant and returns it as a term.
    pub fn declare_const(&mut self, name: &str, sort: SortId) -> Built {
        let func = self.declare_fun(name, &[], sort)?;
        self.app(func, &[])
    }

    /// A constant with a name that nobody else has. It counts as internal.
    pub fn fresh_const(&mut self, prefix: &str, sort: SortId) -> TermId {
        let name = self.fresh_name(prefix);
        let func = self.add_func(Func { name, args: Vec::new(), result: sort, internal: true });
        self.intern(Op::App(func), &[], sort)
    }

    /// A variable for a quantifier. Each call makes a new one, whatever the name.
    pub fn variable(&mut self, name: &str, sort: SortId) -> Built {
        expect_writable(name)?;
        if sort.index() >= self.n_sorts() {
            return Err(BuildError::ForeignId);
        }
        self.variables.push((name.to_owned(), sort));
        let var = VarId(self.variables.len() as u32 - 1);
        Ok(self.intern(Op::Var(var), &[], sort))
    }

    // ---- formulas

    /// `true` or `false`.
    pub fn bool(&self, value: bool) -> TermId {
        if value { Terms::TRUE } else { Terms::FALSE }
    }

    /// Negation.
    pub fn not(&mut self, formula: TermId) -> Built {
        self.expect_sort(formula, SortId::BOOL, || "not".to_owned())?;
        Ok(self.mk_not(formula))
    }

    /// Conjunction of any number of formulas.
    pub fn and(&mut self, formulas: &[TermId]) -> Built {
        self.expect_bools(formulas, "and")?;
        Ok(self.mk_junction(formulas, true))
    }

    /// Disjunction of any number of formulas.
    pub fn or(&mut self, formulas: &[TermId]) -> Built {
        self.expect_bools(formulas, "or")?;
        Ok(self.mk_junction(formulas, false))
    }

    /// `premise => conclusion`.
    pub fn implies(&mut self, premise: TermId, conclusion: TermId) -> Built {
        self.expect_bools(&[premise, conclusion], "=>")?;
        let negated = self.mk_not(premise);
        Ok(self.mk_junction(&[negated, conclusion], false))
    }

    /// Equality of two formulas.
    pub fn iff(&mut self, left: TermId, right: TermId) -> Built {
        self.expect_bools(&[left, right], "=")?;
        Ok(self.mk_iff(left, right))
    }

    /// Exclusive or.
    pub fn xor(&mut self, left: TermId, right: TermId) -> Built {
        self.expect_bools(&[left, right], "xor")?;
        let same = self.mk_iff(left, right);
        Ok(self.mk_not(same))
    }

    /// Equality of two terms of one sort.
    pub fn eq(&mut self, left: TermId, right: TermId) -> Built {
        self.expect_known(&[left, right])?;
        let sort = self.sort(left);
        self.expect_sort(right, sort, || "second argument of =".to_owned())?;
        Ok(self.mk_eq(left, right))
    }

    /// All terms are different.
    pub fn distinct(&mut self, items: &[TermId]) -> Built {
        self.expect_known(items)?;
        let Some(&first) = items.first() else { return Ok(Terms::TRUE) };
        for (i, &item) in items.iter().enumerate().skip(1) {
            self.expect_sort(item, self.sort(first), || format!("argument {} of distinct", i + 1))?;
        }
        Ok(self.mk_distinct(items))
    }

    /// `if condition then left else right`, of any sort.
    pub fn ite(&mut self, condition: TermId, left: TermId, right: TermId) -> Built {
        self.expect_sort(condition, SortId::BOOL, || "condition of ite".to_owned())?;
        self.expect_known(&[left, right])?;
        self.expect_sort(right, self.sort(left), || "third argument of ite".to_owned())?;
        Ok(self.mk_ite(condition, left, right))
    }

    /// A symbol applied to arguments.
    pub fn app(&mut self, func: FuncId, args: &[TermId]) -> Built {
        if func.index() >= self.funcs.len() {
            return Err(BuildError::ForeignId);
        }
        self.expect_known(args)?;
        let n_args = self.func(func).args.len();
        if n_args != args.len() {
            let symbol = self.func(func).name.clone();
            return Err(BuildError::Arity { symbol, expected: n_args, found: args.len() });
        }
        for (i, &arg) in args.iter().enumerate() {
            let sort = self.func(func).args[i];
            self.expect_sort(arg, sort, || format!("argument {} of {}", i + 1, self.func(func).name))?;
        }
        let is_open_bool =
            |t: &TermId| self.sort(*t) == SortId::BOOL && *t != Terms::TRUE && *t != Terms::FALSE;
        if args.iter().filter(|t| is_open_bool(t)).count() > MAX_BOOL_ARGS {
            return Err(BuildError::Unsupported(format!(
                "{}: at most {MAX_BOOL_ARGS} arguments of one application may be formulas",
                self.func(func).name
            )));
        }
        Ok(self.mk_app(func, args.to_vec()))
    }

    /// `between(f, x, y, z)`: y lies on the simple path along the link field f from x to z.
    pub fn between(&mut self, field: FuncId, x: TermId, y: TermId, z: TermId) -> Built {
        if field.index() >= self.funcs.len() {
            return Err(BuildError::ForeignId);
        }
        let func = self.func(field);
        if !func.is_link_field() {
            let args: Vec<&str> = func.args.iter().map(|&s| self.sort_name(s)).collect();
            let signature = format!("({}) {}", args.join(" "), self.sort_name(func.result));
            return Err(BuildError::NotALinkField { symbol: func.name.clone(), signature });
        }
        let sort = func.result;
        for (i, term) in [x, y, z].into_iter().enumerate() {
            self.expect_sort(term, sort, || {
                format!("argument {} of between {}", i + 1, self.func(field).name)
            })?;
        }
        Ok(self.mk_between(field, x, y, z))
    }

    /// `reach(f, x, y)`: y is reached from x by zero or more steps along the link field f.
    pub fn reach(&mut self, field: FuncId, x: TermId, y: TermId) -> Built {
        self.between(field, x, y, y)
    }

    /// Universal quantification over variables made by [`Terms::variable`].
    pub fn forall(&mut self, variables: &[TermId], body: TermId) -> Built {
        self.forall_with(variables, body, &[])
    }

    /// Universal quantification with instantiation hints, each a list of terms over the variables.
    pub fn forall_with(&mut self, variables: &[TermId], body: TermId, patterns: &[Vec<TermId>]) -> Built {
        self.expect_sort(body, SortId::BOOL, || "body of a quantifier".to_owned())?;
        let variables = self.expect_variables(variables)?;
        for pattern in patterns {
            self.expect_known(pattern)?;
        }
        if self.quantifier_depth(body) >= MAX_QUANTIFIER_DEPTH {
            return Err(BuildError::TooDeep);
        }
        Ok(self.mk_forall(variables, body, patterns.to_vec()))
    }

    /// Existential quantification over variables made by [`Terms::variable`].
    pub fn exists(&mut self, variables: &[TermId], body: TermId) -> Built {
        let negated = self.not(body)?;
        let forall = self.forall(variables, negated)?;
        Ok(self.mk_not(forall))
    }

    // ---- integers

    /// A number.
    pub fn int(&mut self, value: impl Into<Int>) -> TermId {
        let id = self.intern_number(value.into());
        self.intern(Op::Num(id), &[], SortId::INT)
    }

    /// Sum of any number of terms.
    pub fn add(&mut self, items: &[TermId]) -> Built {
        self.expect_ints(items, "+")?;
        let forms: Vec<LinearForm> = items.iter().map(|&item| self.linear_form(item)).collect();
        expect_small(forms.iter().map(LinearForm::number_bytes).sum())?;
        Ok(self.mk_linear(LinearForm::sum(&forms)))
    }

    /// `left - right`.
    pub fn sub(&mut self, left: TermId, right: TermId) -> Built {
        self.subtract(&[left, right])
    }

    /// The first term without all others.
    pub fn subtract(&mut self, items: &[TermId]) -> Built {
        self.expect_ints(items, "-")?;
        let mut forms: Vec<LinearForm> = items.iter().map(|&item| self.linear_form(item)).collect();
        for form in forms.iter_mut().skip(1) {
            *form = form.scaled(&Int::from(-1));
        }
        expect_small(forms.iter().map(LinearForm::number_bytes).sum())?;
        Ok(self.mk_linear(LinearForm::sum(&forms)))
    }

    /// `-term`.
    pub fn neg(&mut self, term: TermId) -> Built {
        self.expect_ints(&[term], "-")?;
        let form = self.linear_form(term).scaled(&Int::from(-1));
        Ok(self.mk_linear(form))
    }

    /// `left * right`, one of which must be a number.
    pub fn mul(&mut self, left: TermId, right: TermId) -> Built {
        self.expect_ints(&[left, right], "*")?;
        let (a, b) = (self.linear_form(left), self.linear_form(right));
        let (form, factor) = match (a.is_number(), b.is_number()) {
            (true, _) => (b, &a.constant),
            (_, true) => (a, &b.constant),
            _ => return Err(BuildError::NonLinear),
        };
        expect_small(form.scaled_bytes(factor))?;
        Ok(self.mk_linear(form.scaled(factor)))
    }

    /// `left <= right`.
    pub fn le(&mut self, left: TermId, right: TermId) -> Built {
        self.expect_ints(&[left, right], "<=")?;
        Ok(self.mk_le(left, right, 0))
    }

    /// `left < right`.
    pub fn lt(&mut self, left: TermId, right: TermId) -> Built {
        self.expect_ints(&[left, right], "<")?;
        Ok(self.mk_le(left, right, 1))
    }

    /// `left >= right`.
    pub fn ge(&mut self, left: TermId, right: TermId) -> Built {
        self.le(right, left)
    }

    /// `left > right`.
    pub fn gt(&mut self, left: TermId, right: TermId) -> Built {
        self.lt(right, left)
    }

    // ---- the kernel: arguments are known to be of the right sort

    pub(crate) fn mk_not(&mut self, formula: TermId) -> TermId {
        match self.op(formula) {
            Op::True => Terms::FALSE,
            Op::False => Terms::TRUE,
            Op::Not => self.children(formula)[0],
            _ => self.intern(Op::Not, &[formula], SortId::BOOL),
        }
    }

    /// Conjunction or disjunction: constants folded, repetitions dropped, order kept.
    pub(crate) fn mk_junction(&mut self, formulas: &[TermId], conjunction: bool) -> TermId {
        let (unit, zero) = (self.bool(conjunction), self.bool(!conjunction));
        let mut seen = Set::default();
        let mut kept = Vec::with_capacity(formulas.len());
        for &formula in formulas {
            if formula == zero {
                return zero;
            }
            if formula != unit && seen.insert(formula) {
                kept.push(formula);
            }
        }
        for &formula in &kept {
            if self.negated(formula).is_some_and(|inner| seen.contains(&inner)) {
                return zero;
            }
        }
        match kept[..] {
            [] => unit,
            [only] => only,
            _ => self.intern(if conjunction { Op::And } else { Op::Or }, &kept, SortId::BOOL),
        }
    }

    pub(crate) fn mk_iff(&mut self, left: TermId, right: TermId) -> TermId {
        // Negations move outside, so that p <-> not q and not p <-> q are one term.
        let ((a, pa), (b, pb)) = (self.strip_not(left), self.strip_not(right));
        let same = pa == pb;
        let positive = if a == b {
            Terms::TRUE
        } else {
            match (a, b) {
                (Terms::TRUE, other) | (other, Terms::TRUE) => other,
                (Terms::FALSE, other) | (other, Terms::FALSE) => self.mk_not(other),
                _ => self.intern(Op::Iff, &[a.min(b), a.max(b)], SortId::BOOL),
            }
        };
        if same { positive } else { self.mk_not(positive) }
    }

    pub(crate) fn mk_eq(&mut self, left: TermId, right: TermId) -> TermId {
        if left == right {
            return Terms::TRUE;
        }
        match self.sort(left) {
            SortId::BOOL => return self.mk_iff(left, right),
            SortId::INT => {
                let difference = self.linear_form(left).add_scaled(&self.linear_form(right), &Int::from(-1));
                let content = difference.content();
                if difference.is_number() {
                    return self.bool(difference.constant.is_zero());
                }
                if !difference.constant.mod_floor(&content).is_zero() {
                    return Terms::FALSE;
                }
            }
            _ => {}
        }
        self.intern(Op::Eq, &[left.min(right), left.max(right)], SortId::BOOL)
    }

    pub(crate) fn mk_distinct(&mut self, items: &[TermId]) -> TermId {
        if items.len() <= self.unfolded_distinct.max(2) || !items.iter().all(|&t| self.is_closed(t)) {
            return self.mk_all_pairs(items);
        }
        let mut items = items.to_vec();
        items.sort_unstable();
        let repeated = items.windows(2).any(|pair| pair[0] == pair[1]);
        // There are only two truth values.
        if repeated || self.sort(items[0]) == SortId::BOOL {
            return Terms::FALSE;
        }
        self.widest_distinct = self.widest_distinct.max(items.len());
        self.intern(Op::Distinct, &items, SortId::BOOL)
    }

    /// The conjunction of the disequalities of all pairs.
    pub(crate) fn mk_all_pairs(&mut self, items: &[TermId]) -> TermId {
        let mut parts = Vec::with_capacity(items.len() * items.len() / 2);
        for (i, &left) in items.iter().enumerate() {
            for &right in &items[i + 1..] {
                let equal = self.mk_eq(left, right);
                parts.push(self.mk_not(equal));
            }
        }
        self.mk_junction(&parts, true)
    }

    pub(crate) fn mk_ite(&mut self, condition: TermId, left: TermId, right: TermId) -> TermId {
        if left == right || condition == Terms::TRUE {
            return left;
        }
        if condition == Terms::FALSE {
            return right;
        }
        if let Some(inner) = self.negated(condition) {
            return self.mk_ite(inner, right, left);
        }
        let sort = self.sort(left);
        if sort == SortId::BOOL {
            let negated = self.mk_not(condition);
            match (left, right) {
                (Terms::TRUE, other) => return self.mk_junction(&[condition, other], false),
                (Terms::FALSE, other) => return self.mk_junction(&[negated, other], true),
                (other, Terms::TRUE) => return self.mk_junction(&[negated, other], false),
                (other, Terms::FALSE) => return self.mk_junction(&[condition, other], true),
                _ => {}
            }
        }
        self.intern(Op::Ite, &[condition, left, right], sort)
    }

    pub(crate) fn mk_app(&mut self, func: FuncId, args: Vec<TermId>) -> TermId {
        let open_bool =
            args.iter().position(|&t| self.sort(t) == SortId::BOOL && t != Terms::TRUE && t != Terms::FALSE);
        match open_bool {
            None => self.intern(Op::App(func), &args, self.func(func).result),
            Some(i) => {
                let (condition, mut with) = (args[i], args);
                with[i] = Terms::TRUE;
                let left = self.mk_app(func, with.clone());
                with[i] = Terms::FALSE;
                let right = self.mk_app(func, with);
                self.mk_ite(condition, left, right)
            }
        }
    }

    pub(crate) fn mk_between(&mut self, field: FuncId, x: TermId, y: TermId, z: TermId) -> TermId {
        if x == y && y == z {
            return Terms::TRUE;
        }
        if x == z {
            // The path from x that stops at the first x has one cell.
            return self.mk_eq(x, y);
        }
        // x lies on every path that starts in it, so between(x, x, z) is reach(x, z).
        let y = if x == y { z } else { y };
        self.intern(Op::Between(field), &[x, y, z], SortId::BOOL)
    }

    pub(crate) fn mk_forall(
        &mut self,
        mut variables: Vec<VarId>,
        body: TermId,
        patterns: Vec<Vec<TermId>>,
    ) -> TermId {
        // A sort is never empty, so a variable that does not occur does not matter.
        let free = self.free_variables(body);
        variables.retain(|v| free.binary_search(v).is_ok());
        if variables.is_empty() {
            return body;
        }
        let id = self.intern_quantifier(Quantifier { variables, patterns });
        self.intern(Op::Forall(id), &[body], SortId::BOOL)
    }

    pub(crate) fn mk_linear(&mut self, form: LinearForm) -> TermId {
        if form.is_number() {
            return self.int(form.constant);
        }
        if let ([(term, one)], true) = (&form.terms[..], form.constant.is_zero())
            && *one == Int::from(1)
        {
            return *term;
        }
        let children: Vec<TermId> = form.terms.iter().map(|(t, _)| *t).collect();
        let id = self.intern_form(form);
        self.intern(Op::Lin(id), &children, SortId::INT)
    }

    /// `left + offset <= right`.
    pub(crate) fn mk_le(&mut self, left: TermId, right: TermId, offset: i64) -> TermId {
        let form = self.linear_form(left).add_scaled(&self.linear_form(right), &Int::from(-1));
        let bound = -(&form.constant + &Int::from(offset));
        self.mk_bound(LinearForm { terms: form.terms, constant: Int::from(0) }, bound)
    }

    /// `form <= bound` for a form without constant summand, in normal form: coprime coefficients, the first
    /// one positive (`-e <= k` is `not (e <= -k-1)`), the bound rounded down.
    pub(crate) fn mk_bound(&mut self, form: LinearForm, bound: Int) -> TermId {
        debug_assert!(form.constant.is_zero(), "the bound holds the constant");
        let Some((_, first)) = form.terms.first() else {
            return self.bool(bound.signum() >= 0);
        };
        let negative = first.signum() < 0;
        let content = form.content();
        let divide = |c: &Int| if negative { -c.div_floor(&content) } else { c.div_floor(&content) };
        let terms = form.terms.iter().map(|(t, c)| (*t, divide(c))).collect();
        let bound = bound.div_floor(&content);
        let sum = self.mk_linear(LinearForm { terms, constant: Int::from(0) });
        if negative {
            let id = self.intern_number(-(&bound + &Int::from(1)));
            let atom = self.intern(Op::Le(id), &[sum], SortId::BOOL);
            self.mk_not(atom)
        } else {
            let id = self.intern_number(bound);
            self.intern(Op::Le(id), &[sum], SortId::BOOL)
        }
    }

    // ---- checks

    fn expect_known(&self, items: &[TermId]) -> Result<(), BuildError> {
        if items.iter().all(|&t| self.contains(t)) { Ok(()) } else { Err(BuildError::ForeignId) }
    }

    fn expect_sort(
        &self,
        term: TermId,
        expected: SortId,
        place: impl FnOnce() -> String,
    ) -> Result<(), BuildError> {
        self.expect_known(&[term])?;
        let found = self.sort(term);
        if found == expected {
            return Ok(());
        }
        Err(BuildError::Sort {
            place: place(),
            expected: self.sort_name(expected).to_owned(),
            found: self.sort_name(found).to_owned(),
        })
    }

    fn expect_all(&self, items: &[TermId], sort: SortId, what: &str) -> Result<(), BuildError> {
        for (i, &item) in items.iter().enumerate() {
            self.expect_sort(item, sort, || format!("argument {} of {what}", i + 1))?;
        }
        Ok(())
    }

    fn expect_bools(&self, items: &[TermId], what: &str) -> Result<(), BuildError> {
        self.expect_all(items, SortId::BOOL, what)
    }

    fn expect_ints(&self, items: &[TermId], what: &str) -> Result<(), BuildError> {
        self.expect_all(items, SortId::INT, what)
    }

    fn expect_variables(&self, items: &[TermId]) -> Result<Vec<VarId>, BuildError> {
        self.expect_known(items)?;
        items
            .iter()
            .map(|&t| match self.op(t) {
                Op::Var(var) if self.sort(t) == SortId::BOOL => Err(BuildError::Unsupported(format!(
                    "quantifier over Bool ({})",
                    self.variable_info(var).0
                ))),
                Op::Var(var) => Ok(var),
                _ => Err(BuildError::NotAVariable(crate::logic::print::brief(self, t))),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> (Terms, SortId, FuncId, TermId, TermId) {
        let mut t = Terms::new();
        let cell = t.declare_sort("Cell").unwrap();
        let next = t.declare_fun("next", &[cell], cell).unwrap();
        let x = t.declare_const("x", cell).unwrap();
        let y = t.declare_const("y", cell).unwrap();
        (t, cell, next, x, y)
    }

    #[test]
    fn equal_terms_are_shared() {
        let (mut t, _, next, x, y) = store();
        let a = t.app(next, &[x]).unwrap();
        assert_eq!(a, t.app(next, &[x]).unwrap());
        assert_eq!(t.eq(a, y), t.eq(y, a));
        let i = t.declare_const("i", SortId::INT).unwrap();
        let j = t.declare_const("j", SortId::INT).unwrap();
        let less = t.lt(i, j).unwrap();
        let not_ge = {
            let ge = t.ge(i, j).unwrap();
            t.not(ge).unwrap()
        };
        assert_eq!(less, not_ge);
        let (two, three) = (t.int(2), t.int(3));
        let (ii, jj) = (t.mul(two, i).unwrap(), t.mul(two, j).unwrap());
        let scaled = {
            let s = t.add(&[jj, three]).unwrap();
            t.le(ii, s).unwrap()
        };
        let one = t.int(1);
        let plain = {
            let s = t.add(&[j, one]).unwrap();
            t.le(i, s).unwrap()
        };
        assert_eq!(scaled, plain);
    }

    #[test]
    fn errors_name_both_sorts() {
        let (mut t, cell, next, x, _) = store();
        let one = t.int(1);
        assert_eq!(
            t.eq(x, one).unwrap_err().to_string(),
            "second argument of =: expected sort Cell, found Int"
        );
        assert_eq!(
            t.app(next, &[one]).unwrap_err().to_string(),
            "argument 1 of next: expected sort Cell, found Int"
        );
        assert_eq!(t.app(next, &[]).unwrap_err().to_string(), "next: expected 1 arguments, found 0");
        assert_eq!(t.not(x).unwrap_err().to_string(), "not: expected sort Bool, found Cell");
        let size = t.declare_fun("size", &[cell], SortId::INT).unwrap();
        assert_eq!(
            t.reach(size, x, x).unwrap_err().to_string(),
            "size: expected a function from an uninterpreted sort to itself, found (Cell) Int"
        );
        assert_eq!(t.declare_sort("Cell").unwrap_err(), BuildError::Duplicate("Cell".to_owned()));
        assert_eq!(
            t.forall(&[x], Terms::TRUE).unwrap_err().to_string(),
            "quantifier: expected a variable, found x"
        );
        let i = t.declare_const("i", SortId::INT).unwrap();
        assert_eq!(t.mul(i, i).unwrap_err(), BuildError::NonLinear);
        assert_eq!(t.not(TermId(10_000)).unwrap_err(), BuildError::ForeignId);
    }

    #[test]
    fn large_distincts_are_linear() {
        let (mut t, cell, _, x, y) = store();
        let c: Vec<TermId> = (0..5_000).map(|i| t.declare_const(&format!("c{i}"), cell).unwrap()).collect();
        let before = t.len();
        let different = t.distinct(&c).unwrap();
        assert_eq!(t.len(), before + 1);
        let mut reversed = c.clone();
        reversed.reverse();
        assert_eq!(t.distinct(&reversed).unwrap(), different);
        let mut repeated = c.clone();
        repeated.push(c[17]);
        assert_eq!(t.distinct(&repeated).unwrap(), Terms::FALSE);
        let formulas: Vec<TermId> = c.iter().map(|&c| t.eq(c, x).unwrap()).collect();
        assert_eq!(t.distinct(&formulas).unwrap(), Terms::FALSE);
        let pair = t.eq(x, y).unwrap();
        let not = t.not(pair).unwrap();
        assert_eq!(t.distinct(&[x, y]).unwrap(), not);
    }

    #[test]
    fn names_can_be_written() {
        let (mut t, cell, ..) = store();
        for name in ["a|b", "a\\b", "|"] {
            let error = BuildError::Unwritable(name.to_owned());
            assert_eq!(t.declare_sort(name).unwrap_err(), error);
            assert_eq!(t.declare_const(name, cell).unwrap_err(), error);
            assert_eq!(t.variable(name, cell).unwrap_err(), error);
        }
        assert_eq!(t.declare_sort("|").unwrap_err().to_string(), "|: a name must not contain | or \\");
    }

    #[test]
    fn deep_terms_are_linear() {
        let (mut t, _, next, x, y) = store();
        let mut deep = x;
        for _ in 0..100_000 {
            deep = t.app(next, &[deep]).unwrap();
        }
        let mut formula = t.eq(deep, y).unwrap();
        for i in 0..100_000 {
            let p = t.declare_const(&format!("p{i}"), SortId::BOOL).unwrap();
            formula = t.and(&[p, formula]).unwrap();
            formula = t.not(formula).unwrap();
        }
        assert!(t.is_closed(formula) && t.is_quantifier_free(formula));
    }

    #[test]
    fn quantifiers_keep_what_occurs() {
        let (mut t, cell, next, x, _) = store();
        let u = t.variable("u", cell).unwrap();
        let v = t.variable("v", cell).unwrap();
        let body = t.reach(next, x, u).unwrap();
        let all = t.forall(&[u, v], body).unwrap();
        let Op::Forall(id) = t.op(all) else { panic!("a quantifier") };
        assert_eq!(t.quantifier(id).variables.len(), 1);
        assert!(t.is_closed(all) && !t.is_closed(body));
        let mut nested = body;
        for _ in 0..MAX_QUANTIFIER_DEPTH {
            let w = t.variable("w", cell).unwrap();
            let more = t.eq(w, u).unwrap();
            let both = t.or(&[nested, more]).unwrap();
            nested = t.forall(&[w], both).unwrap();
        }
        assert_eq!(t.forall(&[u], nested).unwrap_err(), BuildError::TooDeep);
    }
}
