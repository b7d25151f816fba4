//! Random scripts in the logics of SMT-LIB, as files of other people are written: `let`, names, definitions,
//! chained and n-ary operators, patterns, quotients by numbers.
//!
//! Text from the start, so that the reader has something to do; the other generators make terms.

use crate::util::rng::Rng;
use std::fmt::Write as _;

/// A logic of SMT-LIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of SMT-LIB")]
pub enum Logic {
    QfUf,
    QfLia,
    QfIdl,
    QfUflia,
    Uf,
    Uflia,
}

impl Logic {
    /// Every logic.
    pub const ALL: [Logic; 6] =
        [Logic::QfUf, Logic::QfLia, Logic::QfIdl, Logic::QfUflia, Logic::Uf, Logic::Uflia];

    /// Its name in `set-logic`.
    pub fn name(self) -> &'static str {
        match self {
            Logic::QfUf => "QF_UF",
            Logic::QfLia => "QF_LIA",
            Logic::QfIdl => "QF_IDL",
            Logic::QfUflia => "QF_UFLIA",
            Logic::Uf => "UF",
            Logic::Uflia => "UFLIA",
        }
    }

    fn has_ints(self) -> bool {
        !matches!(self, Logic::QfUf | Logic::Uf)
    }

    fn has_functions(self) -> bool {
        !matches!(self, Logic::QfLia | Logic::QfIdl)
    }

    fn has_quantifiers(self) -> bool {
        matches!(self, Logic::Uf | Logic::Uflia)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Bool,
    Int,
    U,
}

impl Sort {
    fn name(self) -> &'static str {
        match self {
            Sort::Bool => "Bool",
            Sort::Int => "Int",
            Sort::U => "U",
        }
    }
}

struct Symbol {
    name: String,
    args: Vec<Sort>,
    result: Sort,
}

struct Writer {
    rng: Rng,
    logic: Logic,
    symbols: Vec<Symbol>,
    /// Names bound here, innermost last.
    bound: Vec<(String, Sort)>,
    n_names: usize,
}

/// A script with one check, a function of the seed.
pub fn script(logic: Logic, seed: u64) -> String {
    let mut writer =
        Writer { rng: Rng::new(seed), logic, symbols: Vec::new(), bound: Vec::new(), n_names: 0 };
    writer.script()
}

impl Writer {
    fn script(&mut self) -> String {
        let logic = self.logic;
        let mut out = format!("(set-logic {})\n", logic.name());
        if logic.has_functions() {
            out.push_str("(declare-sort U 0)\n(define-sort V () U)\n");
        }
        let mut sorts = vec![Sort::Bool];
        sorts.extend(logic.has_ints().then_some(Sort::Int));
        sorts.extend(logic.has_functions().then_some(Sort::U));
        for (i, &sort) in sorts.iter().cycle().take(sorts.len() * (2 + self.rng.below(2))).enumerate() {
            let _ = writeln!(out, "(declare-fun c{i} () {})", sort.name());
            self.symbols.push(Symbol { name: format!("c{i}"), args: Vec::new(), result: sort });
        }
        if logic.has_functions() {
            for i in 0..2 + self.rng.below(3) {
                let n_args = 1 + self.rng.below(2);
                // Formulas as arguments are rare, and a quantified logic has enough to do without them.
                let from = usize::from(logic.has_quantifiers() || !self.rng.one_in(4));
                let args: Vec<Sort> =
                    (0..n_args).map(|_| sorts[from + self.rng.below(sorts.len() - from)]).collect();
                let result = *self.rng.pick(&sorts);
                let names: Vec<&str> = args.iter().map(|sort| sort.name()).collect();
                let _ = writeln!(out, "(declare-fun f{i} ({}) {})", names.join(" "), result.name());
                self.symbols.push(Symbol { name: format!("f{i}"), args, result });
            }
        }
        if self.rng.one_in(2) {
            let sort = sorts[sorts.len() - 1];
            self.bound = vec![("a".to_owned(), sort), ("b".to_owned(), Sort::Bool)];
            let body = self.formula(1);
            self.bound.clear();
            let _ = writeln!(out, "(define-fun g ((a {s}) (b Bool)) Bool {body})", s = sort.name());
            self.symbols.push(Symbol {
                name: "g".to_owned(),
                args: vec![sort, Sort::Bool],
                result: Sort::Bool,
            });
        }
        for _ in 0..2 + self.rng.below(5) {
            let depth = 1 + self.rng.below(3);
            let formula = self.formula(depth);
            let _ = writeln!(out, "(assert {formula})");
        }
        out.push_str("(check-sat)\n");
        out
    }

    fn some(&mut self, least: usize, most: usize, mut one: impl FnMut(&mut Writer) -> String) -> String {
        let n = least + self.rng.below(most - least + 1);
        let parts: Vec<String> = (0..n).map(|_| one(self)).collect();
        parts.join(" ")
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.n_names += 1;
        format!("{prefix}{}", self.n_names)
    }

    fn formula(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.atom();
        }
        let next = depth - 1;
        match self.rng.below(if self.logic.has_quantifiers() { 13 } else { 10 }) {
            0 => format!("(not {})", self.formula(next)),
            1 => format!("(and {})", self.some(1, 3, |w| w.formula(next))),
            2 => format!("(or {})", self.some(1, 3, |w| w.formula(next))),
            3 => format!("(=> {})", self.some(2, 3, |w| w.formula(next))),
            4 => format!("(xor {})", self.some(2, 3, |w| w.formula(next))),
            5 => {
                let word = *self.rng.pick(&["=", "distinct"]);
                format!("({word} {})", self.some(2, 2, |w| w.formula(next)))
            }
            6 => format!("(ite {})", self.some(3, 3, |w| w.formula(next))),
            7 => {
                let (sort, name) = (self.any_sort(), self.fresh("v"));
                let value = self.term(sort, 1);
                self.bound.push((name.clone(), sort));
                let body = self.formula(next);
                self.bound.pop();
                format!("(let (({name} {value})) {body})")
            }
            8 if self.bound.is_empty() => {
                let name = self.fresh("named");
                format!("(! {} :named {name})", self.formula(next))
            }
            10.. => self.quantifier(next),
            _ => self.atom(),
        }
    }

    fn quantifier(&mut self, depth: usize) -> String {
        let word = if self.rng.one_in(4) { "exists" } else { "forall" };
        let n = 1 + self.rng.below(2);
        let mut variables = Vec::new();
        for _ in 0..n {
            let sort = match self.rng.below(8) {
                0 => Sort::Bool,
                1 | 2 if self.logic.has_ints() => Sort::Int,
                _ => Sort::U,
            };
            variables.push((self.fresh("q"), sort));
        }
        self.bound.extend(variables.iter().cloned());
        let mut body = self.formula(depth);
        if let [(name, sort)] = &variables[..]
            && *sort != Sort::Bool
            && let Some(symbol) = self.symbols.iter().find(|s| s.name != "g" && s.args == [*sort])
        {
            body = format!("(! {body} :pattern (({} {name})))", symbol.name);
        }
        self.bound.truncate(self.bound.len() - n);
        let list: Vec<String> =
            variables.iter().map(|(name, sort)| format!("({name} {})", sort.name())).collect();
        format!("({word} ({}) {body})", list.join(" "))
    }

    fn any_sort(&mut self) -> Sort {
        match (self.logic.has_ints(), self.logic.has_functions()) {
            (true, true) => *self.rng.pick(&[Sort::Int, Sort::U]),
            (true, false) => Sort::Int,
            _ => Sort::U,
        }
    }

    fn atom(&mut self) -> String {
        if self.rng.one_in(4) {
            return self.term(Sort::Bool, 2);
        }
        let sort = self.any_sort();
        if self.logic == Logic::QfIdl {
            let word = *self.rng.pick(&["<", "<=", ">", ">=", "=", "distinct"]);
            let (left, right) = (self.known(Sort::Int), self.known(Sort::Int));
            return match self.rng.one_in(3) {
                true => format!("({word} {left} {right})"),
                false => format!("({word} (- {left} {right}) {})", self.number()),
            };
        }
        let word = match sort {
            Sort::Int => *self.rng.pick(&["<", "<=", ">", ">=", "=", "=", "distinct"]),
            _ => *self.rng.pick(&["=", "=", "distinct"]),
        };
        format!("({word} {})", self.some(2, 3, |w| w.term(sort, 2)))
    }

    fn number(&mut self) -> String {
        let n = self.rng.below(12);
        if self.rng.one_in(3) { format!("(- {n})") } else { n.to_string() }
    }

    /// A constant or a bound name.
    fn known(&mut self, sort: Sort) -> String {
        let bound = self.bound.iter().rev().filter(|(_, s)| *s == sort).map(|(name, _)| name.clone());
        let constants = self.symbols.iter().filter(|s| s.result == sort && s.args.is_empty());
        // Bound names are few; twice as often, then.
        let bound: Vec<String> = bound.collect();
        let all: Vec<String> =
            bound.iter().chain(&bound).cloned().chain(constants.map(|s| s.name.clone())).collect();
        if all.is_empty() { "true".to_owned() } else { self.rng.pick(&all).clone() }
    }

    fn term(&mut self, sort: Sort, depth: usize) -> String {
        if depth == 0 || (self.logic == Logic::QfIdl && sort == Sort::Int) {
            return self.known(sort);
        }
        let next = depth - 1;
        let functions: Vec<usize> = (0..self.symbols.len())
            .filter(|&i| self.symbols[i].result == sort && !self.symbols[i].args.is_empty())
            .collect();
        if !functions.is_empty() && !self.rng.one_in(3) {
            let i = *self.rng.pick(&functions);
            let (name, sorts) = (self.symbols[i].name.clone(), self.symbols[i].args.clone());
            let args: Vec<String> = sorts.iter().map(|&sort| self.term(sort, next)).collect();
            return format!("({name} {})", args.join(" "));
        }
        if sort != Sort::Int {
            return match self.rng.one_in(6) {
                true => {
                    let test = self.known(Sort::Bool);
                    format!("(ite {test} {} {})", self.term(sort, next), self.term(sort, next))
                }
                false => self.known(sort),
            };
        }
        match self.rng.below(12) {
            0 | 1 => self.number(),
            2 | 3 => format!("(+ {})", self.some(2, 3, |w| w.term(sort, next))),
            4 => format!("(- {})", self.some(1, 3, |w| w.term(sort, next))),
            5 => format!("(* {} {})", self.number(), self.term(sort, next)),
            6 => format!(
                "(ite {} {} {})",
                self.known(Sort::Bool),
                self.term(sort, next),
                self.term(sort, next)
            ),
            7 => {
                let word = *self.rng.pick(&["div", "mod"]);
                let divisor = 2 + self.rng.below(5);
                let divisor = if self.rng.one_in(4) { format!("(- {divisor})") } else { divisor.to_string() };
                format!("({word} {} {divisor})", self.term(sort, next))
            }
            8 => format!("(abs {})", self.term(sort, next)),
            _ => self.known(sort),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::smtlib::read;
    use crate::logic::Terms;

    #[test]
    fn every_script_is_read() {
        for logic in Logic::ALL {
            for seed in 0..60 {
                let text = script(logic, seed);
                let read = read(&text, &mut Terms::new());
                assert!(read.is_ok(), "{:?}\n{text}", read.err());
                assert_eq!(text, script(logic, seed));
            }
        }
    }
}
