//! Formulas as a script: the declarations they need, and the assertions.

use super::{FuncId, Op, SortId, TermId, Terms, print};
use crate::util::hash::Set;
use std::fmt::Write as _;

/// The sorts and symbols that matter for some formulas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// Uninterpreted sorts, in the order of their declaration.
    pub sorts: Vec<SortId>,
    /// Symbols, in the order of their declaration.
    pub funcs: Vec<FuncId>,
}

impl Signature {
    /// Everything that is declared.
    #[cfg(any(test, feature = "testing"))]
    pub fn all(terms: &Terms) -> Signature {
        Signature {
            sorts: terms.uninterpreted_sorts().collect(),
            funcs: terms.funcs().map(|(id, _)| id).collect(),
        }
    }

    /// What occurs in the formulas, quantified variables and instantiation hints included.
    pub fn of(terms: &Terms, formulas: &[TermId]) -> Signature {
        let mut sorts: Set<SortId> = Set::default();
        let mut funcs: Set<FuncId> = Set::default();
        let mut seen: Set<TermId> = Set::default();
        let mut stack = formulas.to_vec();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            sorts.insert(terms.sort(term));
            match terms.op(term) {
                Op::App(func) | Op::Between(func) => {
                    funcs.insert(func);
                    sorts.extend(terms.func(func).args.iter().copied());
                }
                Op::Forall(id) => {
                    let quantifier = terms.quantifier(id);
                    sorts.extend(quantifier.variables.iter().map(|&v| terms.variable_info(v).1));
                    stack.extend(quantifier.patterns.iter().flatten());
                }
                _ => {}
            }
            stack.extend(terms.children(term));
        }
        let mut signature = Signature {
            sorts: sorts.into_iter().filter(|s| s.is_uninterpreted()).collect(),
            funcs: funcs.into_iter().collect(),
        };
        signature.sorts.sort_unstable();
        signature.funcs.sort_unstable();
        signature
    }
}

/// The formulas as a script with the declarations they need, and a `check-sat`.
pub fn script(terms: &Terms, formulas: &[TermId]) -> String {
    let signature = Signature::of(terms, formulas);
    let name = |sort| print::symbol(terms.sort_name(sort));
    let mut out = String::new();
    let mut sorts = signature.sorts;
    // A function may lead to a sort that no term of the formulas has.
    sorts.extend(signature.funcs.iter().map(|&f| terms.func(f).result).filter(|s| s.is_uninterpreted()));
    sorts.sort_unstable();
    sorts.dedup();
    for sort in sorts {
        let _ = writeln!(out, "(declare-sort {} 0)", name(sort));
    }
    for &func in &signature.funcs {
        let func = terms.func(func);
        let args: Vec<String> = func.args.iter().map(|&s| name(s)).collect();
        let symbol = print::symbol(&func.name);
        let _ = writeln!(out, "(declare-fun {symbol} ({}) {})", args.join(" "), name(func.result));
    }
    for &formula in formulas {
        let _ = writeln!(out, "(assert {})", print::term(terms, formula));
    }
    out.push_str("(check-sat)\n");
    out
}
