//! Terms and models as SMT-LIB text.
//!
//! Shared subterms are bound by `let`, so the text of a DAG is as long as the DAG, and reading it back
//! gives the same terms. A quantifier body is a region of its own: what is shared inside it and mentions
//! its variables is bound inside it. `not (forall ... (not ...))` prints as `exists`, and `Between` with
//! equal last arguments as `reach`.

use crate::logic::model::{Model, Value};
use crate::logic::sort::SortId;
use crate::logic::symbol::FuncId;
use crate::logic::term::{Op, TermId, Terms};
use crate::util::hash::Map;
use crate::util::num::Int;
use std::fmt::Write as _;

/// The SMT-LIB text of a term.
pub fn term(terms: &Terms, term: TermId) -> String {
    let mut printer = Printer { terms, out: String::new(), bound: Map::default(), n_lets: 0 };
    printer.region(term);
    printer.out
}

/// The text of a term, cut off when it gets long: for messages.
pub fn brief(terms: &Terms, id: TermId) -> String {
    const LONGEST: usize = 120;
    // A small term has few nodes; do not print a huge one just to cut it.
    let mut nodes = 0;
    let mut stack = vec![id];
    while let Some(t) = stack.pop() {
        nodes += 1;
        if nodes > LONGEST {
            return format!("a term with head {}", head(terms, id));
        }
        stack.extend(terms.children(t));
    }
    let text = term(terms, id);
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}...", &text[..cut]),
        None => text,
    }
}

/// A symbol, in bars if SMT-LIB needs them.
pub fn symbol(name: &str) -> String {
    let simple = !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c));
    if simple { name.to_owned() } else { format!("|{}|", name.replace(['|', '\\'], "_")) }
}

/// A symbol of a store, with the sort of its value where others have the same name.
pub fn func(terms: &Terms, func: FuncId) -> String {
    let known = terms.func(func);
    let name = symbol(&known.name);
    if terms.is_overloaded(&known.name) { format!("(as {name} {})", sort(terms, known.result)) } else { name }
}

/// The name of a sort as a script writes it.
pub fn sort(terms: &Terms, sort: SortId) -> String {
    let name = terms.sort_name(sort);
    if terms.is_composed(sort) { name.to_owned() } else { symbol(name) }
}

/// A number, with the minus sign as SMT-LIB writes it.
pub fn number(value: &Int) -> String {
    if value.is_negative() { format!("(- {})", value.abs()) } else { value.to_string() }
}

/// A value; elements of an uninterpreted sort are named after it.
pub fn value(terms: &Terms, sort: SortId, value: &Value) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => number(i),
        Value::Elem(e) => symbol(&format!("{}!val!{e}", terms.sort_name(sort))),
    }
}

/// A model, one definition per symbol; symbols that the solver made are left out.
pub fn model(terms: &Terms, model: &Model) -> String {
    let mut out = String::new();
    for sort in terms.uninterpreted_sorts() {
        let elements: Vec<String> =
            (0..model.size(sort)).map(|e| value(terms, sort, &Value::Elem(e))).collect();
        let _ = writeln!(out, "; {} = {{{}}}", self::sort(terms, sort), elements.join(", "));
    }
    for (id, func) in terms.funcs().filter(|(_, f)| !f.internal) {
        let params: Vec<String> =
            func.args.iter().enumerate().map(|(i, s)| format!("(x!{i} {})", self::sort(terms, *s))).collect();
        let mut body = match model.table(id) {
            Some(table) => value(terms, func.result, &table.default),
            None => value(terms, func.result, &Model::default_value(func.result)),
        };
        if let Some(table) = model.table(id) {
            let mut entries: Vec<_> = table.entries.iter().collect();
            entries.sort();
            for (args, result) in entries.into_iter().rev() {
                let result = value(terms, func.result, result);
                if result != body {
                    let tests: Vec<String> = args
                        .iter()
                        .enumerate()
                        .map(|(i, v)| format!("(= x!{i} {})", value(terms, func.args[i], v)))
                        .collect();
                    let test = if tests.len() == 1 {
                        tests[0].clone()
                    } else {
                        format!("(and {})", tests.join(" "))
                    };
                    body = format!("(ite {test} {result} {body})");
                }
            }
        }
        let _ = writeln!(
            out,
            "(define-fun {} ({}) {} {body})",
            symbol(&func.name),
            params.join(" "),
            self::sort(terms, func.result)
        );
    }
    out
}

fn head(terms: &Terms, id: TermId) -> String {
    match terms.op(id) {
        Op::App(func) => self::func(terms, func),
        Op::Not => "not".to_owned(),
        Op::And => "and".to_owned(),
        Op::Or => "or".to_owned(),
        Op::Iff | Op::Eq => "=".to_owned(),
        Op::Distinct => "distinct".to_owned(),
        Op::Ite => "ite".to_owned(),
        Op::Le(_) => "<=".to_owned(),
        Op::Lin(_) => "+".to_owned(),
        Op::Between(f) => format!("(_ between {})", func(terms, f)),
        Op::Forall(_) => "forall".to_owned(),
        Op::True | Op::False | Op::Var(_) | Op::Num(_) => "a leaf".to_owned(),
    }
}

struct Printer<'a> {
    terms: &'a Terms,
    out: String,
    /// Terms bound by an enclosing `let`.
    bound: Map<TermId, u32>,
    n_lets: u32,
}

enum Piece {
    Term(TermId),
    Text(&'static str),
    Owned(String),
}

impl Printer<'_> {
    /// Prints a term with its own `let`s. Recursion is by quantifier depth only.
    fn region(&mut self, root: TermId) {
        let shared = self.shared_in(root);
        for &t in &shared {
            let name = self.let_name();
            let _ = write!(self.out, "(let ((?t{name} ");
            self.tree(t);
            self.out.push_str(")) ");
            self.bound.insert(t, name);
        }
        self.tree(root);
        for t in &shared {
            self.out.push(')');
            self.bound.remove(t);
        }
    }

    /// The number of a name that neither a symbol nor an enclosing `let` has.
    fn let_name(&mut self) -> u32 {
        loop {
            let name = self.n_lets;
            self.n_lets += 1;
            if self.terms.find_func(&format!("?t{name}")).is_none() {
                return name;
            }
        }
    }

    /// Terms that occur more than once below `root` outside quantifiers, children first.
    fn shared_in(&self, root: TermId) -> Vec<TermId> {
        let mut count: Map<TermId, u32> = Map::default();
        let mut order = Vec::new();
        let mut stack = vec![(root, false)];
        while let Some((t, done)) = stack.pop() {
            if done {
                order.push(t);
                continue;
            }
            if self.bound.contains_key(&t) || self.terms.children(t).is_empty() {
                continue;
            }
            let n = count.entry(t).or_insert(0);
            *n += 1;
            if *n == 1 {
                stack.push((t, true));
                if !matches!(self.terms.op(t), Op::Forall(_)) {
                    stack.extend(self.terms.children(t).iter().rev().map(|&c| (c, false)));
                }
            }
        }
        order.retain(|t| count[t] > 1 && *t != root);
        order
    }

    fn tree(&mut self, root: TermId) {
        let mut stack = vec![Piece::Term(root)];
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => self.out.push_str(text),
                Piece::Owned(text) => self.out.push_str(&text),
                Piece::Term(t) => match self.bound.get(&t) {
                    Some(name) => {
                        let _ = write!(self.out, "?t{name}");
                    }
                    None => self.node(t, &mut stack),
                },
            }
        }
    }

    fn node(&mut self, t: TermId, stack: &mut Vec<Piece>) {
        let terms = self.terms;
        let children = terms.children(t);
        match terms.op(t) {
            Op::True => self.out.push_str("true"),
            Op::False => self.out.push_str("false"),
            Op::Var(var) => self.out.push_str(&variable_name(terms, var)),
            Op::Num(id) => self.out.push_str(&number(terms.number(id))),
            Op::App(func) if children.is_empty() => self.out.push_str(&self::func(terms, func)),
            Op::Not => match terms.op(children[0]) {
                Op::Forall(_) if !self.bound.contains_key(&children[0]) => self.quantifier(children[0], true),
                _ => self.application("not", children, stack),
            },
            Op::Forall(_) => self.quantifier(t, false),
            Op::Between(field) => {
                let name = self::func(terms, field);
                if children[1] == children[2] {
                    self.application(&format!("(_ reach {name})"), &children[..2], stack);
                } else {
                    self.application(&format!("(_ between {name})"), children, stack);
                }
            }
            Op::Le(id) => {
                let bound = number(terms.number(id));
                self.out.push_str("(<= ");
                stack.push(Piece::Text(")"));
                stack.push(Piece::Owned(bound));
                stack.push(Piece::Text(" "));
                stack.push(Piece::Term(children[0]));
            }
            Op::Lin(id) => self.sum(terms.form(id), stack),
            _ => self.application(&head(terms, t), children, stack),
        }
    }

    fn application(&mut self, head: &str, args: &[TermId], stack: &mut Vec<Piece>) {
        let _ = write!(self.out, "({head}");
        stack.push(Piece::Text(")"));
        for &arg in args.iter().rev() {
            stack.push(Piece::Term(arg));
            stack.push(Piece::Text(" "));
        }
    }

    fn sum(&mut self, form: &crate::logic::LinearForm, stack: &mut Vec<Piece>) {
        let single = form.terms.len() == 1 && form.constant.is_zero();
        if !single {
            self.out.push_str("(+");
            stack.push(Piece::Text(")"));
            if !form.constant.is_zero() {
                stack.push(Piece::Owned(format!(" {}", number(&form.constant))));
            }
        }
        for (t, coefficient) in form.terms.iter().rev() {
            if coefficient.is_one() {
                stack.push(Piece::Term(*t));
            } else {
                stack.push(Piece::Text(")"));
                stack.push(Piece::Term(*t));
                stack.push(Piece::Owned(format!("(* {} ", number(coefficient))));
            }
            if !single {
                stack.push(Piece::Text(" "));
            }
        }
    }

    fn quantifier(&mut self, t: TermId, exists: bool) {
        let terms = self.terms;
        let Op::Forall(id) = terms.op(t) else { unreachable!("called on quantifiers only") };
        let quantifier = terms.quantifier(id);
        self.out.push_str(if exists { "(exists (" } else { "(forall (" });
        for (i, &var) in quantifier.variables.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            let sort = self::sort(terms, terms.variable_info(var).1);
            let _ = write!(self.out, "{space}({} {sort})", variable_name(terms, var));
        }
        self.out.push_str(") ");
        let body = terms.children(t)[0];
        let hinted = !quantifier.patterns.is_empty();
        if hinted {
            self.out.push_str("(! ");
        }
        match (exists, terms.negated(body)) {
            (false, _) => self.region(body),
            (true, Some(inner)) => self.region(inner),
            (true, None) => {
                self.out.push_str("(not ");
                self.region(body);
                self.out.push(')');
            }
        }
        for pattern in &quantifier.patterns {
            self.out.push_str(" :pattern (");
            for (i, &p) in pattern.iter().enumerate() {
                if i > 0 {
                    self.out.push(' ');
                }
                self.region(p);
            }
            self.out.push(')');
        }
        self.out.push_str(if hinted { "))" } else { ")" });
    }
}

/// Variables print with their number, so that two variables of one name stay apart, and with as many more
/// signs as it takes to keep them apart from symbols.
fn variable_name(terms: &Terms, var: crate::logic::VarId) -> String {
    let mut name = format!("{}!{}", terms.variable_info(var).0, var.0);
    while terms.find_func(&name).is_some() {
        name.push('!');
    }
    symbol(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_print_as_smtlib() {
        let mut t = Terms::new();
        let cell = t.declare_sort("Cell").unwrap();
        let next = t.declare_fun("next", &[cell], cell).unwrap();
        let x = t.declare_const("x", cell).unwrap();
        let nx = t.app(next, &[x]).unwrap();
        let u = t.variable("u", cell).unwrap();
        let reach = t.between(next, nx, u, x).unwrap();
        let all = t.exists(&[u], reach).unwrap();
        assert_eq!(term(&t, all), "(exists ((u!0 Cell)) ((_ between next) (next x) u!0 x))");
        let i = t.declare_const("i", SortId::INT).unwrap();
        let seven = t.int(-7);
        let three = t.int(3);
        let scaled = t.mul(three, i).unwrap();
        let sum = t.add(&[scaled, seven]).unwrap();
        assert_eq!(term(&t, sum), "(+ (* 3 i) (- 7))");
        let le = t.le(i, seven).unwrap();
        assert_eq!(term(&t, le), "(<= i (- 7))");
    }

    #[test]
    fn shared_terms_are_bound_once() {
        let mut t = Terms::new();
        let mut f = t.declare_const("p", SortId::BOOL).unwrap();
        for i in 0..50 {
            let q = t.declare_const(&format!("q{i}"), SortId::BOOL).unwrap();
            let left = t.or(&[f, q]).unwrap();
            let nf = t.not(f).unwrap();
            let right = t.or(&[nf, q]).unwrap();
            f = t.and(&[left, right]).unwrap();
        }
        assert!(term(&t, f).len() < 10_000);
    }

    #[test]
    fn symbols_that_look_like_bound_names() {
        let mut t = Terms::new();
        let cell = t.declare_sort("Cell").unwrap();
        let p = t.declare_fun("p", &[cell, cell], SortId::BOOL).unwrap();
        let [a, b] = ["?t0", "u!0"].map(|name| t.declare_const(name, cell).unwrap());
        let u = t.variable("u", cell).unwrap();
        let [ab, ua] = [(a, b), (u, b)].map(|(x, y)| t.app(p, &[x, y]).unwrap());
        let both = t.iff(ab, ua).unwrap();
        let twice = t.or(&[both, ab]).unwrap();
        let all = t.forall(&[u], twice).unwrap();
        assert_eq!(
            term(&t, all),
            "(forall ((u!0! Cell)) (let ((?t1 (p ?t0 u!0))) (or (= ?t1 (p u!0! u!0)) ?t1)))"
        );
    }

    #[test]
    fn deep_terms_print() {
        let mut t = Terms::new();
        let cell = t.declare_sort("Cell").unwrap();
        let next = t.declare_fun("next", &[cell], cell).unwrap();
        let mut x = t.declare_const("x", cell).unwrap();
        for _ in 0..100_000 {
            x = t.app(next, &[x]).unwrap();
        }
        assert_eq!(term(&t, x).len(), 1 + 100_000 * "(next )".len());
        assert!(brief(&t, x).len() < 200);
    }
}
