//! From an inductive set of cubes to the invariant that is shown: fewer clauses, fewer literals, then
//! formulas of the annotation language.
//!
//! A clause is needed if safety needs it or a needed clause does: cores over one activation literal for each
//! clause find a small such set. What is left is thinned by trying to do without each clause and each literal.
//! Every answer here comes from queries about exactly the set that is returned, so a mistake of the search
//! itself (frames, samples, levels) would be seen.

use super::signature::{Name, Role, Signature};
use super::system::System;
use crate::abstraction::cube::Cube;
use crate::engine::heap::{Answer, CubeAnswer, Field, Pred, Slot};
use crate::program::{At, Binder, BoundId, Cmp, FieldId, Formula, Program, Set, StructId, Term};
use crate::sat::Lit;
use crate::util::limits::{Budget, Stop};
use crate::util::options;

/// A clause of the candidate.
struct Member {
    cut: usize,
    cube: Cube,
    /// Assumed where the clause is.
    active: Lit,
}

struct Thinning<'a> {
    system: &'a mut System,
    budget: &'a mut Budget,
    members: Vec<Member>,
    queries: usize,
}

/// A small inductive subset that excludes the bad states; `None` if the cubes given are not such a set.
pub(super) fn thin(
    system: &mut System,
    cubes: Vec<Vec<Cube>>,
    budget: &mut Budget,
) -> Result<Option<Vec<Vec<Cube>>>, Stop> {
    let cuts = system.cuts.len();
    let mut thinning = Thinning { system, budget, members: Vec::new(), queries: 0 };
    for (cut, cubes) in cubes.into_iter().enumerate() {
        for cube in cubes {
            thinning.add(cut, cube);
        }
    }
    let all: Vec<usize> = (0..thinning.members.len()).collect();
    let Some(mut kept) = thinning.closure(&all)? else { return Ok(None) };
    kept = thinning.without_clauses(kept)?;
    kept = thinning.without_literals(kept)?;
    let mut out = vec![Vec::new(); cuts];
    for at in kept {
        let member = &thinning.members[at];
        out[member.cut].push(member.cube.clone());
    }
    Ok(Some(out))
}

impl Thinning<'_> {
    fn add(&mut self, cut: usize, cube: Cube) -> usize {
        let segment = &mut self.system.segments[cut];
        let active = segment.ctx.fresh();
        let mut clause = vec![!active];
        for (at, positive) in cube.literals() {
            clause.push(segment.ctx.literal(&segment.before, self.system.cuts[cut].preds[at], !positive));
        }
        segment.ctx.add_clause(&clause);
        self.members.push(Member { cut, cube, active });
        self.members.len() - 1
    }

    fn assumed(&self, cut: usize, among: &[usize]) -> Vec<Lit> {
        among.iter().map(|&at| &self.members[at]).filter(|m| m.cut == cut).map(|m| m.active).collect()
    }

    fn members_of(&self, core: &[Lit], cut: usize, among: &[usize]) -> Vec<usize> {
        let named = |at: &&usize| self.members[**at].cut == cut && core.contains(&self.members[**at].active);
        among.iter().filter(named).copied().collect()
    }

    /// Members that exclude the bad states of a cut; none if they do not.
    fn safety(&mut self, cut: usize, among: &[usize]) -> Result<Option<Vec<usize>>, Stop> {
        self.queries += 1;
        let mut assumed = self.assumed(cut, among);
        let segment = &mut self.system.segments[cut];
        assumed.push(segment.bad);
        let core = match segment.ctx.solve(&assumed, self.budget)? {
            Answer::Sat(_) => return Ok(None),
            Answer::Unsat(core) => core,
        };
        Ok(Some(self.members_of(&core, cut, among)))
    }

    /// Members that keep a cube excluded in every round; none if they do not, or an entry run leads into it.
    fn induction(&mut self, cut: usize, cube: &Cube, among: &[usize]) -> Result<Option<Vec<usize>>, Stop> {
        let preds = &self.system.cuts[cut].preds;
        let atoms = |state: &crate::engine::heap::State| {
            cube.literals().map(|(at, positive)| (state.atom(preds[at]), positive)).collect::<Vec<_>>()
        };
        self.queries += 1;
        let entry = &mut self.system.entry;
        if let Some(after) = &entry.after[cut]
            && entry.ctx.solve_cube(&[after.guard], &atoms(after), self.budget)?.is_sat()
        {
            return Ok(None);
        }
        let mut used = Vec::new();
        for source in 0..self.system.cuts.len() {
            let mut fixed = self.assumed(source, among);
            let segment = &mut self.system.segments[source];
            let Some(after) = &segment.after[cut] else { continue };
            fixed.push(after.guard);
            self.queries += 1;
            let core = match segment.ctx.solve_cube(&fixed, &atoms(after), self.budget)? {
                CubeAnswer::Sat(_) => return Ok(None),
                CubeAnswer::Unsat { fixed, .. } => fixed,
            };
            used.extend(self.members_of(&core, source, among));
        }
        Ok(Some(used))
    }

    /// The members that safety needs, and what they need; none if the set is not inductive or not safe.
    fn closure(&mut self, among: &[usize]) -> Result<Option<Vec<usize>>, Stop> {
        let mut needed = std::collections::BTreeSet::new();
        let mut open = Vec::new();
        for cut in 0..self.system.cuts.len() {
            let Some(used) = self.safety(cut, among)? else { return Ok(None) };
            open.extend(used);
        }
        while let Some(at) = open.pop() {
            if needed.insert(at) {
                let (cut, cube) = (self.members[at].cut, self.members[at].cube.clone());
                let Some(used) = self.induction(cut, &cube, among)? else { return Ok(None) };
                open.extend(used);
            }
        }
        Ok(Some(needed.into_iter().collect()))
    }

    /// Tries to do without each clause, the longest first.
    fn without_clauses(&mut self, mut kept: Vec<usize>) -> Result<Vec<usize>, Stop> {
        let mut order = kept.clone();
        order.sort_by_key(|&at| (std::cmp::Reverse(self.members[at].cube.len()), at));
        for at in order {
            if self.queries > options::PDR_SHORTEN_QUERIES.size() {
                break;
            }
            if kept.contains(&at) {
                let fewer: Vec<usize> = kept.iter().copied().filter(|&other| other != at).collect();
                if let Some(closed) = self.closure(&fewer)? {
                    kept = closed;
                }
            }
        }
        Ok(kept)
    }

    /// Tries to do without each literal of each clause.
    fn without_literals(&mut self, mut kept: Vec<usize>) -> Result<Vec<usize>, Stop> {
        let mut next = 0;
        while next < kept.len() {
            let at = kept[next];
            let (cut, cube) = (self.members[at].cut, self.members[at].cube.clone());
            let mut shorter = None;
            for (literal, _) in cube.literals() {
                if self.queries > options::PDR_SHORTEN_QUERIES.size() || cube.len() == 1 {
                    break;
                }
                let mut smaller = cube.clone();
                smaller.remove(literal);
                let new = self.add(cut, smaller.clone());
                let mut trial = kept.clone();
                trial[next] = new;
                // The shorter clause implies the longer one, so only it has to be shown.
                if self.induction(cut, &smaller, &trial)?.is_some() {
                    shorter = Some(new);
                    break;
                }
            }
            match shorter {
                Some(new) => kept[next] = new,
                None => next += 1,
            }
        }
        // A shorter clause may make others superfluous.
        Ok(self.closure(&kept)?.unwrap_or(kept))
    }
}

/// Predicates and cubes as formulas.
pub(super) struct Writer<'a> {
    pub(super) program: &'a Program,
    pub(super) layout: &'a Signature,
}

impl Writer<'_> {
    /// A predicate for people who read an abstract state.
    pub(super) fn words(&self, pred: Pred) -> String {
        let name = |slot: Slot| match self.layout.name(slot) {
            None => "NULL".to_string(),
            Some(Name::Var(v) | Name::Earlier(v, _)) => self.program.vars[v.index()].name.clone(),
            Some(Name::Ghost(i, _)) => format!("u{i}"),
            Some(Name::Next(base, f)) => {
                format!("{}->{}", self.base(base), self.program.fields[f.index()].name)
            }
            Some(Name::Number(n)) => n.to_string(),
        };
        let field = |f: Field| self.program.fields[self.field(f).0.index()].name.clone();
        match pred {
            Pred::Equal(x, y) => format!("{} == {}", name(x), name(y)),
            Pred::Reach(f, x, y) => format!("{} -{}*-> {}", name(x), field(f), name(y)),
            Pred::Plus(f, x, y) => format!("{} -{}+-> {}", name(x), field(f), name(y)),
            Pred::Edge(f, x, y) => format!("{}->{} == {}", name(x), field(f), name(y)),
            Pred::Unshared(f, x, y) => format!("\\unshared({}, {}, {})", field(f), name(x), name(y)),
            Pred::Sorted(f, x, y) => format!("\\sorted({}, {}, {})", field(f), name(x), name(y)),
            Pred::Inverse(f, b, x, y) => {
                format!("\\inverse({}, {}, {}, {})", field(f), field(b), name(x), name(y))
            }
            Pred::Doubly(f, b, x, y) => {
                let (f, b) = (field(f), field(b));
                format!("u->{f}->{b} == u between {} and {}", name(x), name(y))
            }
            Pred::Stable(f, x) => format!("\\stable({}, {})", field(f), name(x)),
            Pred::Apart(f, x, y) => format!("\\disjoint({}, {}, {})", field(f), name(x), name(y)),
            Pred::All(f, c, x) => format!("colour {} along {} from {}", c.0, field(f), name(x)),
            Pred::AtMost(x, y) => format!("{} <= {}", name(x), name(y)),
            Pred::Colour(c, x) => format!("colour {} of {}", c.0, name(x)),
            Pred::Alloc(x) => format!("\\valid({})", name(x)),
        }
    }

    /// The name of what a field is read of.
    fn base(&self, slot: Slot) -> String {
        match self.layout.name(slot) {
            Some(Name::Var(v)) => self.program.vars[v.index()].name.clone(),
            Some(Name::Ghost(i, _)) => format!("u{i}"),
            _ => String::new(),
        }
    }

    /// The negation of a diagram.
    pub(super) fn universal(&self, diagram: &super::universal::Diagram) -> Formula {
        let preds: Vec<Pred> = diagram.0.iter().map(|literal| literal.0).collect();
        let mut cube = Cube::empty(preds.len());
        diagram.0.iter().enumerate().for_each(|(at, literal)| cube.insert(at, literal.1));
        self.clause(&preds, &cube)
    }

    /// The negation of a cube; ghosts are quantified.
    pub(super) fn clause(&self, preds: &[Pred], cube: &Cube) -> Formula {
        let mut parts = Vec::new();
        let mut ghosts = Vec::new();
        for (at, positive) in cube.literals() {
            let formula = self.formula(preds[at], &mut ghosts);
            parts.push(if positive { formula.negate() } else { formula });
        }
        for slot in self.null_by_logic(preds, cube) {
            parts.insert(0, self.formula(Pred::Equal(slot, Slot::NULL), &mut ghosts));
        }
        let body = if parts.len() == 1 { parts.remove(0) } else { Formula::Or(parts) };
        ghosts.sort_unstable();
        ghosts.dedup();
        ghosts.into_iter().rev().fold(body, |body, (ghost, kind)| {
            let binder = Binder { id: self.ghost(ghost), name: format!("u{ghost}"), of: Some(kind) };
            Formula::Forall(binder, Box::new(body))
        })
    }

    /// Ghosts for which the clause holds at null because every chain of the logic ends there. In cyclic heaps it
    /// may not, unless what starts the chain is said to end in null: a variable now.
    fn null_by_logic(&self, preds: &[Pred], cube: &Cube) -> Vec<Slot> {
        let is_ghost = |slot: Slot| matches!(self.layout.name(slot), Some(Name::Ghost(..)));
        let mut slots: Vec<Slot> = Vec::new();
        for (at, positive) in cube.literals() {
            if let (Pred::Reach(f, x, y), false) = (preds[at], positive)
                && is_ghost(y)
                && (self.field(f).1 != At::Now || !matches!(self.layout.name(x), Some(Name::Var(_))))
            {
                slots.push(y);
            }
        }
        slots.sort_unstable();
        slots.dedup();
        let said = |slot: Slot| {
            let null = Pred::Equal(slot, Slot::NULL);
            cube.literals().any(|(at, _)| preds[at] == null || preds[at] == Pred::Equal(Slot::NULL, slot))
        };
        slots.retain(|&slot| !said(slot));
        slots
    }

    /// The bound variable of a ghost in invariants: beyond those of the program.
    fn ghost(&self, ghost: u32) -> BoundId {
        BoundId(self.program.bounds + ghost)
    }

    /// A bound variable inside a predicate: beyond those of ghosts, of which there are fewer than names.
    fn inner(&self) -> BoundId {
        BoundId(self.program.bounds + self.layout.names.len() as u32)
    }

    fn term(&self, slot: Slot, ghosts: &mut Vec<(u32, StructId)>) -> Term {
        match self.layout.name(slot) {
            None => Term::Null(StructId(0)),
            Some(Name::Var(v)) => Term::Var(v, At::Now),
            Some(Name::Earlier(v, at)) => Term::Var(v, at),
            Some(Name::Number(n)) => Term::Int(n),
            Some(Name::Next(base, field)) => Term::Field(field, At::Now, Box::new(self.term(base, ghosts))),
            Some(Name::Ghost(i, kind)) => {
                ghosts.push((i, kind));
                Term::Bound(self.ghost(i))
            }
        }
    }

    /// The program's field, and the moment, of a matrix.
    fn field(&self, field: Field) -> (FieldId, At) {
        let now = (0..self.program.fields.len() as u32)
            .map(FieldId)
            .find(|f| self.layout.link(*f, At::Now) == Some(field));
        match now {
            Some(id) => (id, At::Now),
            None => {
                let entry = self.layout.earlier.iter().find(|entry| entry.2 == field);
                entry.map_or((FieldId(0), At::Now), |entry| (entry.0, entry.1))
            }
        }
    }

    fn integer_field(&self, role: Role) -> FieldId {
        let fields = (0..self.program.fields.len() as u32).map(FieldId);
        fields.into_iter().find(|f| self.layout.role(*f) == role).unwrap_or(FieldId(0))
    }

    /// A predicate in the annotation language.
    pub(super) fn formula(&self, pred: Pred, ghosts: &mut Vec<(u32, StructId)>) -> Formula {
        let kind_of = |slot: Slot| {
            self.layout
                .name(slot)
                .and_then(|name| self.layout.kind(self.program, name))
                .unwrap_or(StructId(0))
        };
        let null = |of: Slot| Term::Null(kind_of(of));
        let mut term = |slot: Slot, like: Slot| match slot {
            Slot::NULL => Term::Null(kind_of(like)),
            slot => self.term(slot, ghosts),
        };
        let reach = |(field, at): (FieldId, At), from, to, plus| Formula::Reach { field, at, from, to, plus };
        let target = |field: FieldId| {
            self.program.fields[field.index()].ty.pointee().map_or(Term::Null(StructId(0)), Term::Null)
        };
        match pred {
            Pred::Equal(x, y) => Formula::eq(term(x, y), term(y, x)),
            Pred::Reach(f, x, y) => reach(self.field(f), term(x, y), term(y, x), false),
            Pred::Plus(f, x, y) => reach(self.field(f), term(x, y), term(y, x), true),
            Pred::Edge(f, x, y) => {
                let (field, at) = self.field(f);
                let end = if y == Slot::NULL { target(field) } else { term(y, x) };
                let next = Formula::eq(Term::Field(field, at, Box::new(term(x, y))), end);
                Formula::all([Formula::ne(term(x, y), null(x)), next])
            }
            Pred::Unshared(f, x, y) => {
                let (field, at) = self.field(f);
                Formula::Unshared(field, at, term(x, y), term(y, x))
            }
            Pred::Sorted(f, x, y) => {
                let (field, at) = self.field(f);
                let data = self.integer_field(Role::Datum);
                let sorted = |end| Formula::Sorted(field, data, at, self.term(x, &mut Vec::new()), end);
                let whole = sorted(null(x));
                let start = term(x, y);
                if y == Slot::NULL {
                    return whole;
                }
                // The heap context's segment includes its end.
                let end = term(y, x);
                let past = Term::Field(field, at, Box::new(end.clone()));
                let part = Formula::Implies(
                    Box::new(reach((field, at), start, end.clone(), false)),
                    Box::new(sorted(past)),
                );
                Formula::Or(vec![
                    Formula::all([Formula::eq(end.clone(), null(x)), whole]),
                    Formula::all([Formula::ne(end, null(x)), part]),
                ])
            }
            Pred::Inverse(f, b, x, y) => {
                let ((field, at), (back, _)) = (self.field(f), self.field(b));
                Formula::Inverse(field, back, at, term(x, y), term(y, x))
            }
            Pred::Doubly(f, b, x, y) => {
                let ((field, at), (back, _)) = (self.field(f), self.field(b));
                let id = self.inner();
                let (start, end) = (term(x, y), term(y, x));
                let here = || Term::Bound(id);
                let step = Term::Field(field, at, Box::new(here()));
                let guard = Formula::all([
                    Formula::Between(field, at, start, here(), end.clone()),
                    Formula::ne(here(), end),
                    Formula::ne(step.clone(), target(field)),
                ]);
                let undone = Formula::eq(Term::Field(back, at, Box::new(step)), here());
                let binder = Binder { id, name: "cell".to_string(), of: Some(kind_of(x)) };
                Formula::Forall(binder, Box::new(Formula::Implies(Box::new(guard), Box::new(undone))))
            }
            Pred::Stable(f, x) => {
                let (field, at) = self.field(f);
                Formula::Stable(field, at, term(x, x))
            }
            Pred::AtMost(x, y) => {
                let data = self.integer_field(Role::Datum);
                let integer = |slot: Slot| slot.0 >= self.layout.integers;
                let mut value = |slot: Slot| match integer(slot) {
                    true => term(slot, slot),
                    false => Term::Field(data, At::Now, Box::new(term(slot, slot))),
                };
                let mut part = Formula::Compare(Cmp::Le, value(x), value(y));
                if !integer(x) {
                    part = Formula::all([Formula::ne(self.term(x, &mut Vec::new()), null(x)), part]);
                }
                if !integer(y) {
                    part = Formula::Or(vec![Formula::eq(self.term(y, &mut Vec::new()), null(y)), part]);
                }
                part
            }
            Pred::Colour(colour, x) => {
                if let Some(entry) = self.layout.allocated.iter().find(|entry| entry.1 == colour) {
                    return Formula::Valid(term(x, x), entry.0);
                }
                let field = self.integer_field(Role::Colour(colour));
                let value = Term::Field(field, At::Now, Box::new(term(x, x)));
                Formula::all([
                    Formula::ne(term(x, x), null(x)),
                    Formula::Compare(Cmp::Ne, value, Term::Int(0)),
                ])
            }
            Pred::Apart(f, x, y) => {
                let (field, at) = self.field(f);
                let mut cells = |t: Slot| Set::Cells(field, at, Box::new(term(t, t)), Box::new(null(t)));
                Formula::Disjoint(vec![cells(x), cells(y)])
            }
            Pred::All(f, colour, x) => {
                let (field, at) = self.field(f);
                let id = self.inner();
                let cells = Set::Cells(field, at, Box::new(term(x, x)), Box::new(null(x)));
                let holds = match self.layout.allocated.iter().find(|entry| entry.1 == colour) {
                    Some(entry) => Formula::Valid(Term::Bound(id), entry.0),
                    None => {
                        let data = self.integer_field(Role::Colour(colour));
                        let value = Term::Field(data, At::Now, Box::new(Term::Bound(id)));
                        Formula::Compare(Cmp::Ne, value, Term::Int(0))
                    }
                };
                let inside = Formula::In(Term::Bound(id), cells);
                let binder = Binder { id, name: "cell".to_string(), of: Some(kind_of(x)) };
                Formula::Forall(binder, Box::new(Formula::Implies(Box::new(inside), Box::new(holds))))
            }
            Pred::Alloc(x) => Formula::Valid(term(x, x), At::Now),
        }
    }
}
