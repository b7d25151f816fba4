//! The check of a model: evaluate every formula.
//!
//! Evaluation presupposes that the tables stay within the universes, so that is checked first.

use super::error::show;
use crate::logic::{EvalError, Evaluator, Model, SortId, TermId, Terms, Value};
use crate::util::limits::Budget;
use std::fmt;

/// Why a model is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelError {
    /// A symbol takes a value that its sort does not have.
    Value {
        /// The symbol.
        symbol: String,
        /// Its sort of values.
        expected: String,
        /// The value.
        found: Value,
    },
    /// The number names no formula of the store.
    NotAFormula {
        /// The position in the list.
        index: usize,
    },
    /// A formula is false.
    False {
        /// Its position in the list.
        index: usize,
        /// The formula.
        formula: String,
    },
    /// A formula has no value.
    Eval {
        /// Its position in the list.
        index: usize,
        /// Why.
        error: EvalError,
    },
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelError::Value { symbol, expected, found } => {
                write!(f, "{symbol}: expected a value of sort {expected}, found {found:?}")
            }
            ModelError::NotAFormula { index } => write!(f, "formula {index}: expected a formula"),
            ModelError::False { index, formula } => {
                write!(f, "formula {index}: expected a true formula, found {formula}")
            }
            ModelError::Eval { index, error } => write!(f, "formula {index}: {error}"),
        }
    }
}

impl std::error::Error for ModelError {}

/// Whether every formula is true in the model.
#[cfg(feature = "testing")]
pub fn check_model(terms: &Terms, model: &Model, formulas: &[TermId]) -> Result<(), ModelError> {
    check_model_within(terms, model, formulas, &Budget::unlimited())
}

/// As [`check_model`], within a budget.
pub fn check_model_within(
    terms: &Terms,
    model: &Model,
    formulas: &[TermId],
    budget: &Budget,
) -> Result<(), ModelError> {
    check_tables(terms, model)?;
    let mut evaluator = Evaluator::with_budget(terms, model, budget.clone());
    for (index, &formula) in formulas.iter().enumerate() {
        if !terms.contains(formula) || terms.sort(formula) != SortId::BOOL {
            return Err(ModelError::NotAFormula { index });
        }
        if !evaluator.holds(formula).map_err(|error| ModelError::Eval { index, error })? {
            return Err(ModelError::False { index, formula: show(terms, formula) });
        }
    }
    Ok(())
}

/// Every symbol takes values of its sort only.
fn check_tables(terms: &Terms, model: &Model) -> Result<(), ModelError> {
    for (id, func) in terms.funcs() {
        let Some(table) = model.table(id) else { continue };
        let fits = |value: &Value| match value {
            Value::Bool(_) => func.result == SortId::BOOL,
            Value::Int(_) => func.result == SortId::INT,
            Value::Elem(n) => func.result.is_uninterpreted() && *n < model.size(func.result),
        };
        // The least of the bad values, so that the message does not depend on the order of the table.
        let bad = table.entries.values().chain([&table.default]).filter(|value| !fits(value)).min();
        if let Some(found) = bad {
            let expected = terms.sort_name(func.result).to_owned();
            return Err(ModelError::Value { symbol: func.name.clone(), expected, found: found.clone() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_false_formula_and_the_bad_table() {
        let mut t = Terms::new();
        let s = t.declare_sort("S").unwrap();
        let f = t.declare_fun("f", &[s], s).unwrap();
        let a = t.declare_const("a", s).unwrap();
        let fa = t.app(f, &[a]).unwrap();
        let fixed = t.eq(fa, a).unwrap();
        let moved = t.not(fixed).unwrap();
        let mut model = Model::new(&t);
        model.set_size(s, 2);
        assert_eq!(check_model(&t, &model, &[fixed]), Ok(()));
        let error = check_model(&t, &model, &[fixed, moved]).unwrap_err();
        assert!(matches!(&error, ModelError::False { index: 1, .. }), "{error}");
        model.set(&t, f, &[Value::Elem(0)], Value::Elem(1));
        assert_eq!(check_model(&t, &model, &[moved]), Ok(()));
        assert!(matches!(check_model(&t, &model, &[fixed]), Err(ModelError::False { index: 0, .. })));

        assert_eq!(check_model(&t, &model, &[a]), Err(ModelError::NotAFormula { index: 0 }));
        let foreign = TermId(t.len() as u32);
        assert_eq!(check_model(&t, &model, &[foreign]), Err(ModelError::NotAFormula { index: 0 }));
        let x = t.variable("x", s).unwrap();
        let open = t.eq(x, a).unwrap();
        assert!(matches!(check_model(&t, &model, &[open]), Err(ModelError::Eval { index: 0, .. })));

        model.set(&t, f, &[Value::Elem(1)], Value::Elem(2));
        let error = check_model(&t, &model, &[]).unwrap_err();
        assert_eq!(error.to_string(), "f: expected a value of sort S, found Elem(2)");
        model.set(&t, f, &[Value::Elem(1)], Value::Bool(true));
        assert!(matches!(check_model(&t, &model, &[]), Err(ModelError::Value { .. })));
    }
}
