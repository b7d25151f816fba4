//! A law of `rules/shapes` in the words of a program.

use crate::program::{At, Binder, BoundId, FieldId, Formula, Program, StructId, Term};
use crate::rules::shape::{self, Fact};

/// A law of a shape with these fields. Variables and constants that are not given are bound.
pub(super) fn law(
    program: &Program,
    (shape, name): (&str, &str),
    fields: &[FieldId],
    given: &[(&str, Term)],
    bounds: &mut u32,
) -> Formula {
    let shape = shape::shapes().iter().find(|s| s.name == shape).expect("a built-in shape");
    let law = shape.law(name).expect("a built-in law");
    let of: StructId = program.fields[fields[0].index()].owner;
    let mut binders: Vec<Binder> = Vec::new();
    let mut place = |name: &String| match given.iter().find(|(known, _)| known == name) {
        Some((_, term)) => term.clone(),
        None => {
            *bounds += 1;
            let id = BoundId(*bounds - 1);
            binders.push(Binder { id, name: name.clone(), of: Some(of) });
            Term::Bound(id)
        }
    };
    let constants: Vec<Term> = shape.constants.iter().map(&mut place).collect();
    let variables: Vec<Term> = law.variables.iter().map(&mut place).collect();
    let words = Words { of, fields, constants, variables };
    // All alternatives but the last that say "equal" are premises that say "different": guards that cells are not null.
    let last = law.alternatives.len() - 1;
    let (mut premises, mut conclusions) = (Vec::new(), Vec::new());
    for (i, alternative) in law.alternatives.iter().enumerate() {
        match alternative {
            Fact::Equal(a, b) if i < last => premises.push(Formula::ne(words.term(a), words.term(b))),
            other => conclusions.push(words.fact(other)),
        }
    }
    premises.extend(law.premises.iter().map(|fact| words.fact(fact)));
    let conclusion = match conclusions.len() {
        1 => conclusions.remove(0),
        _ => Formula::Or(conclusions),
    };
    let body = Formula::Implies(Box::new(Formula::And(premises)), Box::new(conclusion));
    binders.into_iter().rev().fold(body, |body, binder| Formula::Forall(binder, Box::new(body)))
}

/// What the names of a law mean in a program.
struct Words<'a> {
    of: StructId,
    fields: &'a [FieldId],
    constants: Vec<Term>,
    variables: Vec<Term>,
}

impl Words<'_> {
    fn term(&self, term: &shape::Term) -> Term {
        match term {
            shape::Term::Var(i) => self.variables[*i].clone(),
            shape::Term::Constant(i) => self.constants[*i].clone(),
            shape::Term::Null => Term::Null(self.of),
            shape::Term::Field(f, of) => Term::Field(self.fields[*f], At::Now, Box::new(self.term(of))),
        }
    }

    fn fact(&self, fact: &Fact) -> Formula {
        match fact {
            Fact::Reach(f, a, b) => {
                let (from, to) = (self.term(a), self.term(b));
                Formula::Reach { field: self.fields[*f], at: At::Now, from, to, plus: false }
            }
            Fact::Equal(a, b) => Formula::eq(self.term(a), self.term(b)),
            Fact::Differ(a, b) => Formula::ne(self.term(a), self.term(b)),
        }
    }
}
