//! Universal facts that wait for violations, and their instances.
//!
//! None of them is instantiated in advance. A model that satisfies the clauses so far is searched for
//! violated instances over *all* constants that exist then, so nothing has to be remembered about which
//! constants were covered (pitfall 5), and a constant made later is covered by the next model.

use super::HeapCtx;
use super::define::{Kind, Place, Rel};
use super::gates::constant;
use super::pred::{Const, Matrix};
use super::schema::{self, Violated, schemas};
use crate::sat::Lit;

/// A universal fact over the constants.
#[derive(Clone, Copy, Debug)]
pub(super) enum Quantified {
    /// What follows `a` is `a` or follows `next`.
    Successor { m: Matrix, a: Const, next: Const },
    /// If `guard`, only `cell` reaches `cell` in the matrix as it was when the cell was made (pitfall 4).
    Fresh { m: Matrix, cell: Const, guard: Lit },
    /// If `label`, the segment has the property.
    Segment { kind: Kind, m: Matrix, x: Const, y: Const, label: Lit },
}

impl HeapCtx {
    /// Adds the instance of an axiom.
    pub(super) fn add_axiom(&mut self, violated: Violated) {
        for at in 0..schemas().len() {
            let schema = &schemas()[at];
            if schema.rule != violated.rule {
                continue;
            }
            let facts = schema.premises.iter().map(|f| (f, false));
            let mut clause = std::mem::take(&mut self.clause);
            clause.clear();
            for (fact, positive) in facts.chain(schema.conclusions.iter().map(|f| (f, true))) {
                let constant = |place| match place {
                    schema::Place::Var(x) => Const(violated.binding[x as usize] as u32),
                    schema::Place::Null => Const::NULL,
                };
                let field = if fact.first_field { 0 } else { violated.field };
                let lit = self.reach(Matrix(field as u32), constant(fact.from), constant(fact.to));
                clause.push(if positive { lit } else { !lit });
            }
            self.gates.clause(&clause);
            self.clause = clause;
            self.stats.instances += 1;
        }
    }

    /// Adds an instance of a universal fact; `c` is unused where it binds only one constant.
    pub(super) fn add_instance(&mut self, fact: Quantified, c: Const, d: Const) {
        self.stats.instances += 1;
        match fact {
            Quantified::Successor { m, a, next } => {
                let (after, before, follows) =
                    (self.reach(m, a, d), self.reach(m, d, a), self.reach(m, next, d));
                self.gates.clause(&[!after, before, follows]);
            }
            Quantified::Fresh { m, cell, guard } => {
                let (reaches, same) = (self.reach(m, d, cell), self.equal(d, cell));
                self.gates.clause(&[!guard, !reaches, same]);
            }
            Quantified::Segment { kind, m, x, y, label } => {
                let mut clause = std::mem::take(&mut self.clause);
                clause.clear();
                clause.extend([!label, self.is_null(d), !self.reach(m, d, y)]);
                let definition = kind.definition();
                for &premise in definition.premises {
                    clause.push(!self.relation(kind, m, premise, x, c, d));
                }
                for &conclusion in definition.conclusions {
                    clause.push(self.relation(kind, m, conclusion, x, c, d));
                }
                self.gates.clause(&clause);
                self.clause = clause;
            }
        }
    }

    /// An atom of a definition, its places filled in.
    fn relation(&mut self, kind: Kind, m: Matrix, rel: Rel, x: Const, c: Const, d: Const) -> Lit {
        let at = |place| match place {
            Place::X => x,
            Place::C => c,
            Place::D => d,
        };
        match (rel, kind) {
            (Rel::Reach(a, b), _) => self.reach(m, at(a), at(b)),
            (Rel::Back(a, b), Kind::Inverse(back) | Kind::Inside(back) | Kind::Before(back)) => {
                self.reach(back, at(a), at(b))
            }
            (Rel::AtMost(a, b), Kind::Sorted(order)) => self.datum_at_most((order, at(a)), (order, at(b))),
            (Rel::Holds(a), Kind::Stable(set)) => self.holds(set, at(a)),
            (Rel::From(a), Kind::Apart(z)) => self.reach(m, z, at(a)),
            (Rel::Back(..) | Rel::AtMost(..) | Rel::Holds(_) | Rel::From(_), _) => {
                unreachable!("the kind names what its definition reads")
            }
        }
    }

    /// "The segment from x to y has the property", for a positive occurrence.
    pub(super) fn segment_label(&mut self, kind: Kind, m: Matrix, x: Const, y: Const) -> Lit {
        if x == Const::NULL {
            return constant(true);
        }
        let label = self.gates.fresh();
        self.quantified.push(Quantified::Segment { kind, m, x, y, label });
        label
    }

    /// "The segment from x to y does not have the property", for a positive occurrence: the first violation
    /// d on the chain of x exists and reaches y. The two constants serve every y; that d is the first need
    /// not be said, because taking the first is a way to make all such literals true that can be.
    pub(super) fn segment_violation(&mut self, kind: Kind, m: Matrix, x: Const, y: Const) -> Lit {
        if x == Const::NULL {
            return constant(false);
        }
        let d = match self.witnesses.get(&(kind, m, x)) {
            Some(&d) => d,
            None => self.add_witness(kind, m, x),
        };
        let (null, reaches) = (self.is_null(d), self.reach(m, d, y));
        self.gates.and(!null, reaches)
    }

    fn add_witness(&mut self, kind: Kind, m: Matrix, x: Const) -> Const {
        let definition = kind.definition();
        let name = format!("{kind:?}{}({})", m.0, self.names[x.index()]);
        let d = self.add_constant(format!("d{name}"));
        let c = if definition.paired { self.add_constant(format!("c{name}")) } else { Const::NULL };
        let null = self.is_null(d);
        self.absent[d.index()] = Some(null);
        if definition.paired {
            self.absent[c.index()] = Some(null);
        }
        for &premise in definition.premises {
            let lit = self.relation(kind, m, premise, x, c, d);
            self.gates.clause(&[null, lit]);
        }
        for &conclusion in definition.conclusions {
            let lit = self.relation(kind, m, conclusion, x, c, d);
            self.gates.clause(&[null, !lit]);
        }
        // An unused pair is out of the way.
        let partner = self.is_null(c);
        self.gates.clause(&[!null, partner]);
        self.witnesses.insert((kind, m, x), d);
        d
    }
}
