//! Formulas about states as literals of the heap context.
//!
//! The literal of a formula can be made true in every state in which the formula is true, and (up to gaps)
//! only there; it may be used only positively, so a formula and its negation have two literals. What cannot
//! be expressed is weakened, never strengthened: a universal fact to its instances for the variables at hand,
//! anything else to a free literal, which is recorded as a gap. So proofs stay proofs; a counterexample that
//! rests on a gap does not replay.

use super::signature::Role;
use super::symbolic::{Exec, Sym, Value};
use crate::engine::heap::{Atom, Const, Kind, Matrix, Slot, Unary, constant};
use crate::program::{At, Binder, Cmp, FieldId, Formula, Set, StructId, Term};
use crate::sat::Lit;

/// Up to so many constants universal facts are instantiated for all of them.
const CONSTANTS: usize = 24;

/// Whether the formula says something of all cells.
pub(super) fn is_universal(formula: &Formula) -> bool {
    match formula {
        Formula::Forall(..) | Formula::Exists(..) => true,
        Formula::Subset(..) | Formula::SameSet(..) | Formula::Disjoint(_) => true,
        Formula::Not(p) => is_universal(p),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(is_universal),
        Formula::Implies(p, q) | Formula::Iff(p, q) => is_universal(p) || is_universal(q),
        _ => false,
    }
}

impl Exec<'_> {
    /// The literal of a formula, or of its negation.
    pub(super) fn formula(&mut self, sym: &Sym, formula: &Formula, positive: bool) -> Lit {
        match formula {
            Formula::Const(value) => constant(*value == positive),
            Formula::Not(p) => self.formula(sym, p, !positive),
            Formula::And(parts) => self.parts(sym, parts, positive, positive),
            Formula::Or(parts) => self.parts(sym, parts, positive, !positive),
            Formula::Implies(p, q) => {
                let (p, q) = (self.formula(sym, p, !positive), self.formula(sym, q, positive));
                if positive { self.ctx.or(p, q) } else { self.ctx.and(p, q) }
            }
            Formula::Iff(p, q) => {
                let (p, not_p) = (self.formula(sym, p, true), self.formula(sym, p, false));
                let (q, not_q) = (self.formula(sym, q, positive), self.formula(sym, q, !positive));
                let (both, neither) = (self.ctx.and(p, q), self.ctx.and(not_p, not_q));
                self.ctx.or(both, neither)
            }
            Formula::Compare(cmp, a, b) => {
                let cmp = if positive { *cmp } else { cmp.negated() };
                self.comparison(sym, cmp, a, b)
            }
            Formula::Reach { field, at, from, to, plus } => {
                let (Some(m), Some(a), Some(b)) =
                    (self.matrix(sym, *field, *at), self.cell(sym, from), self.cell(sym, to))
                else {
                    return self.gap("reachability along a field that is not modelled");
                };
                let atom = if *plus { Atom::Plus(m, a, b) } else { Atom::Reach(m, a, b) };
                self.ctx.atom_literal(atom, positive)
            }
            Formula::Between(field, at, x, y, z) => {
                let cells = (self.cell(sym, x), self.cell(sym, y), self.cell(sym, z));
                let (Some(m), (Some(x), Some(y), Some(z))) = (self.matrix(sym, *field, *at), cells) else {
                    return self.gap("a path along a field that is not modelled");
                };
                let first = self.ctx.atom_literal(Atom::Reach(m, x, y), true);
                let second = self.ctx.atom_literal(Atom::Reach(m, y, z), true);
                let both = self.ctx.and(first, second);
                if positive { both } else { !both }
            }
            Formula::Valid(t, at) => match (self.allocated(sym, *at), self.cell(sym, t)) {
                (Some(set), Some(c)) => self.ctx.atom_literal(Atom::Holds(set, c), positive),
                _ => self.gap("allocation at another moment"),
            },
            Formula::Fresh(t) => match (self.allocated(sym, At::Entry), self.cell(sym, t)) {
                (Some(set), Some(c)) => {
                    let held = self.ctx.atom_literal(Atom::Holds(set, c), true);
                    let null = self.ctx.atom_literal(Atom::Equal(c, Const::NULL), true);
                    let fresh = self.ctx.and(!held, !null);
                    if positive { fresh } else { !fresh }
                }
                _ => self.gap("allocation at entry"),
            },
            Formula::Stable(field, at, t) => {
                let parts = (self.matrix(sym, *field, *at), self.allocated(sym, *at), self.cell(sym, t));
                let (Some(m), Some(set), Some(c)) = parts else {
                    return self.gap("allocation along a field that is not modelled");
                };
                self.ctx.atom_literal(Atom::Segment(Kind::Stable(set), m, c, Const::NULL), positive)
            }
            Formula::Unshared(field, at, x, y) => {
                self.segment(sym, Kind::Unshared, *field, *at, x, y, positive)
            }
            Formula::Sorted(field, data, at, x, y) => {
                let current = self.layout.role(*data) == Role::Datum && *at == At::Now;
                // NOTE: the segment of the heap context includes its end, that of the annotation does not.
                if !current || self.cell(sym, y) != Some(Const::NULL) {
                    return self.gap("sortedness of this segment");
                }
                self.segment(sym, Kind::Sorted(sym.heap.order), *field, *at, x, y, positive)
            }
            Formula::Inverse(field, back, at, x, y) => match self.matrix(sym, *back, *at) {
                Some(back) => self.segment(sym, Kind::Inverse(back), *field, *at, x, y, positive),
                None => self.gap("an inverse field that is not modelled"),
            },
            Formula::Dlseg(next, back, at, ends) => {
                self.doubly_linked(sym, *next, *back, *at, ends, positive)
            }
            Formula::In(t, set) => match self.cell(sym, t) {
                Some(c) => self.member(sym, c, set, positive),
                None => self.gap("membership"),
            },
            Formula::Subset(..) | Formula::Disjoint(_) | Formula::SameSet(..) => {
                if let Formula::Disjoint(sets) = formula
                    && let Some(lit) = self.lists_apart(sym, sets, positive)
                {
                    return lit;
                }
                self.sets(sym, formula, positive)
            }
            Formula::Forall(binder, body) => self.quantified(sym, binder, body, positive, !positive),
            Formula::Exists(binder, body) => self.quantified(sym, binder, body, positive, positive),
            Formula::Freed(..) => self.gap("\\freed"),
            Formula::Tree(..) => self.gap("\\tree"),
            Formula::ValidRange(..) => self.gap("arrays"),
        }
    }

    /// All of the parts or one of them.
    fn parts(&mut self, sym: &Sym, parts: &[Formula], positive: bool, all: bool) -> Lit {
        let lits: Vec<Lit> = parts.iter().map(|p| self.formula(sym, p, positive)).collect();
        let join = |exec: &mut Self, a, b| if all { exec.ctx.and(a, b) } else { exec.ctx.or(a, b) };
        lits.into_iter().fold(constant(all), |done, lit| join(self, done, lit))
    }

    #[allow(clippy::too_many_arguments)]
    fn segment(
        &mut self,
        sym: &Sym,
        kind: Kind,
        field: FieldId,
        at: At,
        x: &Term,
        y: &Term,
        positive: bool,
    ) -> Lit {
        let (Some(m), Some(x), Some(y)) = (self.matrix(sym, field, at), self.cell(sym, x), self.cell(sym, y))
        else {
            return self.gap("a segment along a field that is not modelled");
        };
        self.ctx.atom_literal(Atom::Segment(kind, m, x, y), positive)
    }

    /// `\dlseg`: empty, or both ends lead where they should and each step between them is undone.
    fn doubly_linked(
        &mut self,
        sym: &Sym,
        next: FieldId,
        back: FieldId,
        at: At,
        ends: &[Term; 4],
        positive: bool,
    ) -> Lit {
        let [x, px, y, py] = ends;
        let matrices = (self.matrix(sym, next, at), self.matrix(sym, back, at));
        let ((Some(m), Some(b)), Some(first), Some(last)) = (matrices, self.cell(sym, x), self.cell(sym, py))
        else {
            return self.gap("\\dlseg along a field that is not modelled");
        };
        let field = |f, t: &Term| Term::Field(f, at, Box::new(t.clone()));
        let reach = |from: &Term, to: &Term| Formula::Reach {
            field: next,
            at,
            from: from.clone(),
            to: to.clone(),
            plus: false,
        };
        let empty = Formula::all([Formula::eq(x.clone(), y.clone()), Formula::eq(px.clone(), py.clone())]);
        let null = || Term::Null(self.program.fields[next.index()].owner);
        let some = Formula::all([
            Formula::ne(x.clone(), y.clone()),
            Formula::ne(x.clone(), null()),
            Formula::ne(py.clone(), null()),
            Formula::eq(field(back, x), px.clone()),
            Formula::eq(field(next, py), y.clone()),
            reach(x, py),
        ]);
        let (empty, some) = (self.formula(sym, &empty, positive), self.formula(sym, &some, positive));
        let undone = self.ctx.atom_literal(Atom::Doubly(m, b, first, last), positive);
        if positive {
            let some = self.ctx.and(some, undone);
            return self.ctx.or(empty, some);
        }
        let some = self.ctx.or(some, undone);
        self.ctx.and(empty, some)
    }

    /// The matrix of a field at a moment.
    fn matrix(&self, sym: &Sym, field: FieldId, at: At) -> Option<Matrix> {
        self.layout.link(field, at).map(|link| sym.heap.matrix(link))
    }

    /// The allocated cells at a moment.
    fn allocated(&self, sym: &Sym, at: At) -> Option<Unary> {
        if !self.layout.config.alloc {
            return None;
        }
        match at {
            At::Now => Some(sym.heap.alloc),
            at => {
                let found = self.layout.allocated.iter().find(|entry| entry.0 == at)?;
                Some(sym.heap.colours[found.1.0 as usize])
            }
        }
    }

    /// The constant of a pointer term.
    fn cell(&mut self, sym: &Sym, term: &Term) -> Option<Const> {
        match term {
            Term::Null(_) => Some(Const::NULL),
            Term::Var(v, at) => {
                let slot = self.layout.slot(*v, *at).filter(|slot| slot.0 < self.layout.integers)?;
                sym.heap.slots[slot.0 as usize]
            }
            Term::Bound(id) => match self.bound.get(id) {
                Some(&c) => Some(c),
                None => sym.heap.slots[self.layout.bound.get(id)?.0 as usize],
            },
            Term::Field(field, at, t) => {
                let link = self.layout.link(*field, *at)?;
                let c = self.cell(sym, t)?;
                Some(self.ctx.successor_of(&sym.heap, link, c))
            }
            Term::Ite(test, a, b) => {
                let (a, b) = (self.cell(sym, a)?, self.cell(sym, b)?);
                let (yes, no) = (self.formula(sym, test, true), self.formula(sym, test, false));
                // Only a test with one literal for both sides says which value it is.
                (yes == !no).then(|| self.ctx.choose_pointer(yes, a, b))
            }
            Term::Int(_) | Term::Index(..) | Term::Neg(_) | Term::Binary(..) => None,
        }
    }

    /// The value of an integer term, and the cell whose being null makes it unknown.
    fn number_of(&mut self, sym: &Sym, term: &Term) -> Option<(Value, Option<Const>)> {
        match term {
            Term::Int(n) => Some((Value::Number(*n), None)),
            Term::Var(v, at) => Some((self.integer(sym, *v, *at)?, None)),
            Term::Field(field, At::Now, t) => {
                let c = self.cell(sym, t)?;
                match self.layout.role(*field) {
                    Role::Datum => Some((Value::Point(self.ctx.datum_at(&sym.heap, c)), Some(c))),
                    Role::Colour(colour) => {
                        let set = sym.heap.colours[colour.0 as usize];
                        Some((Value::Flag(self.ctx.atom_literal(Atom::Holds(set, c), true)), Some(c)))
                    }
                    Role::Link(_) | Role::Opaque => None,
                }
            }
            Term::Binary(op, a, b) => {
                let ((a, None), (b, None)) = (self.number_of(sym, a)?, self.number_of(sym, b)?) else {
                    return None;
                };
                Some((self.binary(sym, *op, a, b), None))
            }
            _ => None,
        }
    }

    fn comparison(&mut self, sym: &Sym, cmp: Cmp, a: &Term, b: &Term) -> Lit {
        if matches!(cmp, Cmp::Eq | Cmp::Ne)
            && let (Some(x), Some(y)) = (self.cell(sym, a), self.cell(sym, b))
        {
            return self.ctx.atom_literal(Atom::Equal(x, y), cmp == Cmp::Eq);
        }
        let (Some((x, first)), Some((y, second))) = (self.number_of(sym, a), self.number_of(sym, b)) else {
            return self.gap("this comparison");
        };
        let mut lit = self.compare(cmp, x, y);
        // The datum of null is some value, not the one that the heap context gives it.
        for cell in [first, second].into_iter().flatten() {
            let null = self.ctx.atom_literal(Atom::Equal(cell, Const::NULL), true);
            if null != constant(false) {
                let free = self.ctx.fresh();
                lit = self.ctx.choose(null, free, lit);
            }
        }
        lit
    }

    /// "c is in the set", or its negation.
    fn member(&mut self, sym: &Sym, c: Const, set: &Set, positive: bool) -> Lit {
        let lit = match set {
            Set::Cells(field, at, x, y) => {
                let (Some(m), Some(x), Some(y)) =
                    (self.matrix(sym, *field, *at), self.cell(sym, x), self.cell(sym, y))
                else {
                    return self.gap("cells along a field that is not modelled");
                };
                let (from, to) = (
                    self.ctx.atom_literal(Atom::Reach(m, x, c), true),
                    self.ctx.atom_literal(Atom::Reach(m, c, y), true),
                );
                let end = self.ctx.atom_literal(Atom::Equal(c, y), true);
                let null = self.ctx.atom_literal(Atom::Equal(c, Const::NULL), true);
                let (on, inside) = (self.ctx.and(from, to), self.ctx.and(!end, !null));
                self.ctx.and(on, inside)
            }
            Set::Of(terms) => {
                let mut any = constant(false);
                for t in terms {
                    let Some(d) = self.cell(sym, t) else { return self.gap("a set of terms") };
                    let same = self.ctx.atom_literal(Atom::Equal(c, d), true);
                    any = self.ctx.or(any, same);
                }
                let null = self.ctx.atom_literal(Atom::Equal(c, Const::NULL), true);
                self.ctx.and(any, !null)
            }
            Set::Pre(field, at, t) => {
                let (Some(m), Some(d)) = (self.matrix(sym, *field, *at), self.cell(sym, t)) else {
                    return self.gap("a preimage along a field that is not modelled");
                };
                self.ctx.atom_literal(Atom::Edge(m, c, d), true)
            }
            Set::Union(sets) | Set::Inter(sets) => {
                let all = matches!(set, Set::Inter(_)) == positive;
                let lits: Vec<Lit> = sets.iter().map(|s| self.member(sym, c, s, positive)).collect();
                let join = |exec: &mut Self, a, b| if all { exec.ctx.and(a, b) } else { exec.ctx.or(a, b) };
                return lits.into_iter().fold(constant(all), |done, lit| join(self, done, lit));
            }
            Set::Diff(a, b) => {
                let (a, b) = (self.member(sym, c, a, positive), self.member(sym, c, b, !positive));
                return if positive { self.ctx.and(a, b) } else { self.ctx.or(a, b) };
            }
        };
        if positive { lit } else { !lit }
    }

    /// "The lists have no cell in common", if the sets are two whole lists of one field.
    fn lists_apart(&mut self, sym: &Sym, sets: &[Set], positive: bool) -> Option<Lit> {
        let [Set::Cells(f, at, x, x_end), Set::Cells(g, then, y, y_end)] = sets else { return None };
        let whole = |end: &Term| matches!(end, Term::Null(_));
        if f != g || at != then || !whole(x_end) || !whole(y_end) {
            return None;
        }
        let (m, x, y) = (self.matrix(sym, *f, *at)?, self.cell(sym, x)?, self.cell(sym, y)?);
        Some(self.ctx.atom_literal(Atom::Segment(Kind::Apart(y), m, x, Const::NULL), positive))
    }

    /// Relations of sets: for all cells, or there is one.
    fn sets(&mut self, sym: &Sym, formula: &Formula, positive: bool) -> Lit {
        let candidates = if positive {
            match self.all_cells() {
                Some(all) => all,
                None => {
                    sym.heap.slots[1..usize::from(self.layout.integers)].iter().flatten().copied().collect()
                }
            }
        } else {
            vec![self.ctx.pointer("element")]
        };
        let mut lits = Vec::new();
        for c in candidates {
            let mut member = |set: &Set, positive: bool| self.member(sym, c, set, positive);
            lits.push(match formula {
                Formula::Subset(a, b) => {
                    let (a, b) = (member(a, !positive), member(b, positive));
                    if positive { self.ctx.or(a, b) } else { self.ctx.and(a, b) }
                }
                Formula::SameSet(a, b) => {
                    let (a, not_a) = (member(a, true), member(a, false));
                    let (b, not_b) = (member(b, positive), member(b, !positive));
                    let (both, neither) = (self.ctx.and(a, b), self.ctx.and(not_a, not_b));
                    self.ctx.or(both, neither)
                }
                Formula::Disjoint(sets) => {
                    let mut pairs = Vec::new();
                    for (i, a) in sets.iter().enumerate() {
                        for b in &sets[..i] {
                            let (a, b) =
                                (self.member(sym, c, a, !positive), self.member(sym, c, b, !positive));
                            pairs.push(if positive { self.ctx.or(a, b) } else { self.ctx.and(a, b) });
                        }
                    }
                    let join =
                        |exec: &mut Self, a, b| if positive { exec.ctx.and(a, b) } else { exec.ctx.or(a, b) };
                    pairs.into_iter().fold(constant(positive), |done, lit| join(self, done, lit))
                }
                _ => unreachable!("called for relations of sets"),
            });
        }
        lits.into_iter().fold(constant(true), |all, lit| self.ctx.and(all, lit))
    }

    /// A quantifier: `one` if some value has to be found, else the formula holds for all values and so for
    /// those at hand.
    fn quantified(&mut self, sym: &Sym, binder: &Binder, body: &Formula, positive: bool, one: bool) -> Lit {
        let Some(kind) = binder.of else { return self.gap("a quantifier over integers") };
        let old = self.bound.remove(&binder.id);
        let lit = if one {
            let ghost = self.layout.bound.get(&binder.id).and_then(|slot| sym.heap.slots[slot.0 as usize]);
            let value = ghost.unwrap_or_else(|| self.ctx.pointer(&binder.name));
            self.bound.insert(binder.id, value);
            self.formula(sym, body, positive)
        } else {
            let mut all = constant(true);
            for value in self.values_of(sym, kind) {
                if self.watch.poll().is_err() {
                    break;
                }
                self.bound.insert(binder.id, value);
                let lit = self.formula(sym, body, positive);
                all = self.ctx.and(all, lit);
            }
            all
        };
        self.bound.remove(&binder.id);
        if let Some(old) = old {
            self.bound.insert(binder.id, old);
        }
        lit
    }

    /// All constants, if they are wanted, all of one kind, and not too many.
    fn all_cells(&self) -> Option<Vec<Const>> {
        if !self.everywhere || self.program.structs.len() != 1 || self.ctx.universe() > CONSTANTS {
            return None;
        }
        let cells = self.ctx.constants().filter(|&c| !self.ctx.is_integer(c));
        Some(std::iter::once(Const::NULL).chain(cells).collect())
    }

    /// The constants of a kind that variables hold, or all of them.
    fn values_of(&self, sym: &Sym, kind: StructId) -> Vec<Const> {
        if let Some(all) = self.all_cells() {
            return all;
        }
        let slots = (1..self.layout.integers).map(Slot);
        let of_kind = |slot: &Slot| {
            let name = self.layout.name(*slot).expect("slots are named");
            self.layout.kind(self.program, name) == Some(kind)
        };
        let mut values: Vec<Const> =
            slots.filter(of_kind).filter_map(|slot| sym.heap.slots[slot.0 as usize]).collect();
        values.push(Const::NULL);
        values.sort_unstable();
        values.dedup();
        values
    }
}
