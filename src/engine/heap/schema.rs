//! The axioms of acyclic reachability, interpreted from the `acyclic` rule table into clause schemas.
//!
//! Equality is mutual reachability in field 0, so an equation in a rule becomes two facts about field 0. For
//! field 0 that makes `antisymmetric`, `reflexive`, `bottom` and `last` empty (tautologies, or the constant
//! true); for the other fields `antisymmetric` says "mutual there implies mutual in field 0". The converse is
//! the congruence axiom of equality, which no rule table states; it is added here.
//!
//! [`violated`] finds violated instances in bit rows. It knows three rules by name; the tests compare it with
//! [`Schema::holds`], the plain interpretation of every rule of the table.

use super::bits::{Word, members};
use super::structure::Structure;
use crate::rules::syntax::{Arg, Head, Pattern, Rule};
use crate::rules::table::table;
use std::sync::OnceLock;

/// A variable of a schema, or null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Var(u8),
    Null,
}

/// Reachability of two places, in the field at hand or in field 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) from: Place,
    pub(super) to: Place,
    pub(super) first_field: bool,
}

/// A clause with variables: all premises imply one of the conclusions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Schema {
    pub(super) rule: String,
    pub(super) premises: Vec<Fact>,
    pub(super) conclusions: Vec<Fact>,
}

/// A violated instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Violated {
    pub(super) field: usize,
    pub(super) rule: &'static str,
    pub(super) binding: [usize; 3],
}

/// The name of the axiom that is not in the table.
pub(super) const CONGRUENT: &str = "congruent";

/// The schemas of all axioms.
pub(super) fn schemas() -> &'static [Schema] {
    static SCHEMAS: OnceLock<Vec<Schema>> = OnceLock::new();
    SCHEMAS.get_or_init(|| {
        let theory = table().theory("acyclic").expect("the table of acyclic reachability is built in");
        let mut schemas: Vec<Schema> = theory.rules.iter().flat_map(interpret).collect();
        let (x, y) = (Place::Var(0), Place::Var(1));
        schemas.push(Schema {
            rule: CONGRUENT.to_string(),
            premises: vec![
                Fact { from: x, to: y, first_field: true },
                Fact { from: y, to: x, first_field: true },
            ],
            conclusions: vec![Fact { from: x, to: y, first_field: false }],
        });
        schemas
    })
}

fn place(arg: Arg) -> Place {
    match arg {
        Arg::Var(x) => Place::Var(x),
        Arg::Null => Place::Null,
        Arg::App(_) => panic!("the axioms of acyclic reachability name no successor"),
    }
}

fn reach(from: Arg, to: Arg) -> Fact {
    Fact { from: place(from), to: place(to), first_field: false }
}

fn equal(a: Arg, b: Arg) -> [Fact; 2] {
    let (a, b) = (place(a), place(b));
    [Fact { from: a, to: b, first_field: true }, Fact { from: b, to: a, first_field: true }]
}

/// A rule as clauses: one for each choice of a conjunct from every alternative.
fn interpret(rule: &Rule) -> Vec<Schema> {
    let mut premises = Vec::new();
    for premise in &rule.premises {
        match *premise {
            Pattern::Occurs(_) => {}
            Pattern::Between(p, q, r) if q == r => premises.push(reach(p, q)),
            Pattern::Equal(p, q) => premises.extend(equal(p, q)),
            Pattern::Term(_) | Pattern::Between(..) => {
                panic!("the axioms of acyclic reachability are about binary facts")
            }
        }
    }
    let mut choices: Vec<Vec<Fact>> = vec![Vec::new()];
    for alternative in &rule.alternatives {
        let facts: Vec<Fact> = alternative
            .iter()
            .flat_map(|head| match *head {
                Head::Between(p, q, r) if q == r => vec![reach(p, q)],
                Head::Equal(p, q) => equal(p, q).to_vec(),
                Head::Between(..) => panic!("the axioms of acyclic reachability are about binary facts"),
            })
            .collect();
        choices = choices
            .iter()
            .flat_map(|choice| facts.iter().map(move |&fact| [&choice[..], &[fact]].concat()))
            .collect();
    }
    let schema = |conclusions| Schema { rule: rule.name.clone(), premises: premises.clone(), conclusions };
    choices.into_iter().map(schema).collect()
}

impl Schema {
    /// Whether the instance holds, fact by fact.
    #[cfg(test)]
    pub(super) fn holds(&self, structure: &Structure, field: usize, binding: &[usize; 3]) -> bool {
        let point = |place| match place {
            Place::Var(x) => binding[x as usize],
            Place::Null => 0,
        };
        let fact = |fact: &Fact| {
            let field = if fact.first_field { 0 } else { field };
            structure.reach[field].rows.get(point(fact.from), point(fact.to))
        };
        !self.premises.iter().all(fact) || self.conclusions.iter().any(fact)
    }
}

/// Finds violated instances in the first `fields` matrices, at most `limit` for each row.
pub(super) fn violated(structure: &Structure, fields: usize, limit: usize, out: &mut Vec<Violated>) {
    for field in 0..fields {
        let (rows, cols) = (&structure.reach[field].rows, &structure.reach[field].cols);
        for a in 0..structure.size {
            let stop = out.len() + limit;
            let row = rows.row(a);
            'row: for b in members(row) {
                let (from_b, to_b) = (rows.row(b), cols.row(b));
                for at in 0..row.len() {
                    for bit in Word(from_b[at] & !row[at]) {
                        if out.len() == stop {
                            break 'row;
                        }
                        out.push(Violated { field, rule: "transitive", binding: [a, b, 64 * at + bit] });
                    }
                    for bit in Word(row[at] & !from_b[at] & !to_b[at]) {
                        let c = 64 * at + bit;
                        if b < c {
                            if out.len() == stop {
                                break 'row;
                            }
                            out.push(Violated { field, rule: "linear", binding: [a, b, c] });
                        }
                    }
                }
            }
        }
        if field > 0 {
            let first = &structure.reach[0];
            for a in 0..structure.size {
                for at in 0..rows.width() {
                    let same = first.rows.row(a)[at] & first.cols.row(a)[at];
                    for bit in Word(same & !rows.row(a)[at]) {
                        out.push(Violated { field, rule: CONGRUENT, binding: [a, 64 * at + bit, 0] });
                    }
                    let mutual = rows.row(a)[at] & cols.row(a)[at];
                    for bit in Word(mutual & !same) {
                        out.push(Violated { field, rule: "antisymmetric", binding: [a, 64 * at + bit, 0] });
                    }
                }
            }
        }
    }
}
