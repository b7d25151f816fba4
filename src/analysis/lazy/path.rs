//! Path formulas: whether a path to an error can be executed, and if not, which of its steps say so.
//!
//! The *basic* formula knows variables only; what is read from the heap is unknown. The *extended* one has the
//! heap as well, by the encoding of [`program::encode`](crate::program::encode). Each step's constraint is a named
//! assertion, so a refutation names the steps that matter: the thesis takes interpolants, its own experiments
//! and ours show that cores refine the six rows with fewer rounds (`benchmarks/lazy/README.md`, section 3).

use super::live::roots_at;
use crate::engine::answer::{Answer, Config};
use crate::engine::solver::Solver;
use crate::logic::{TermId, Terms};
use crate::program::encode::{Encoder, Inexpressible, Moment, Moments, Version, status};
use crate::program::{
    Command, Cond, EdgeId, Expr, FieldId, Formula, LocationId, Program, Storage, StructId, Type, VarId,
};
use crate::util::hash::Map;
use crate::util::limits::Limits;

/// How a path ends in an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The last step's access fails.
    Access,
    /// The last step's assertion is false.
    Assertion,
    /// Being there is the error.
    Reached,
    /// After the last step an allocated cell is lost.
    Leak,
}

/// What a path formula says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feasibility {
    /// Satisfiable.
    Feasible,
    /// Refuted by these steps, ascending.
    Refuted(Vec<usize>),
    /// Not decided.
    Unknown(String),
}

/// A path as a formula.
pub(super) struct PathFormula<'p> {
    pub encoder: Encoder<'p>,
    /// What each step says.
    pub constraints: Vec<(usize, TermId)>,
    /// The variable whose value a constant was.
    pub origin: Map<TermId, VarId>,
    /// The field that a constant was stored in.
    pub stored: Map<TermId, FieldId>,
}

/// Asks for one path.
pub struct Question<'p> {
    /// The program.
    pub program: &'p Program,
    /// The steps from the entry.
    pub path: &'p [EdgeId],
    /// What is wrong at the last one.
    pub fault: Fault,
}

impl Question<'_> {
    /// Decides the formula, with or without the heap.
    #[must_use]
    pub fn decide(&self, heap: bool, limits: &Limits) -> Feasibility {
        match self.build(heap) {
            Err(reason) => Feasibility::Unknown(reason.to_string()),
            Ok(formula) => solve(formula.encoder, formula.constraints, limits),
        }
    }

    /// The formula: constraints with their steps.
    pub(super) fn build(&self, heap: bool) -> Result<PathFormula<'_>, Inexpressible> {
        let mut encoder = Encoder::new(self.program)?;
        let mut now = encoder.fresh_moment()?;
        let never = encoder.terms.int(status::NEVER);
        for s in &mut now.status {
            *s = encoder.version(Version::Constant(never));
        }
        let mut walk = Walk {
            program: self.program,
            encoder,
            entry: now.clone(),
            now,
            heap,
            constraints: Vec::new(),
            cells: Vec::new(),
            origin: Map::default(),
            stored: Map::default(),
        };
        for (i, &edge) in self.path.iter().enumerate() {
            let command = &self.program.edges[edge.index()].command;
            let fault = (i + 1 == self.path.len() && self.fault != Fault::Leak).then_some(self.fault);
            for constraint in walk.step(command, fault)? {
                walk.constraints.push((i, constraint));
            }
            walk.note_origins();
        }
        if self.fault == Fault::Leak && heap {
            let at = self.path.last().map_or(self.program.entry, |e| self.program.edges[e.index()].to);
            let leak = walk.leak(at)?;
            walk.constraints.push((self.path.len().saturating_sub(1), leak));
        }
        let Walk { encoder, constraints, origin, stored, .. } = walk;
        Ok(PathFormula { encoder, constraints, origin, stored })
    }
}

fn solve(mut encoder: Encoder<'_>, constraints: Vec<(usize, TermId)>, limits: &Limits) -> Feasibility {
    let facts = std::mem::take(&mut encoder.facts);
    let mut solver = Solver::with_terms(Config::default(), std::mem::take(&mut encoder.terms));
    solver.set_limits(limits.clone());
    let failed = |error: crate::logic::BuildError| Feasibility::Unknown(error.to_string());
    for fact in facts {
        if let Err(error) = solver.assert(fact) {
            return failed(error);
        }
    }
    for (n, (step, constraint)) in constraints.iter().enumerate() {
        if let Err(error) = solver.assert_named(*constraint, &format!("{step}.{n}")) {
            return failed(error);
        }
    }
    match solver.check() {
        Answer::Sat(_) => Feasibility::Feasible,
        Answer::Unknown(reason) => Feasibility::Unknown(reason.to_string()),
        Answer::Unsat(refutation) => {
            let step = |name: &String| name.split('.').next().and_then(|s| s.parse().ok());
            let mut steps: Vec<usize> = refutation.names.iter().filter_map(step).collect();
            steps.sort_unstable();
            steps.dedup();
            Feasibility::Refuted(steps)
        }
    }
}

struct Walk<'p> {
    program: &'p Program,
    encoder: Encoder<'p>,
    entry: Moment,
    now: Moment,
    heap: bool,
    constraints: Vec<(usize, TermId)>,
    /// Cells allocated so far.
    cells: Vec<(StructId, TermId)>,
    origin: Map<TermId, VarId>,
    stored: Map<TermId, FieldId>,
}

type Constraints = Result<Vec<TermId>, Inexpressible>;

impl Walk<'_> {
    fn step(&mut self, command: &Command, fault: Option<Fault>) -> Constraints {
        let mut out = Vec::new();
        match command {
            Command::Assign(x, e) => {
                let value = self.encoder.expr(&self.now, e)?;
                out.push(self.define(*x, value)?);
            }
            Command::Load { to, from, field } => {
                let access = self.access(*from, fault)?;
                out.extend(access);
                if fault.is_none() {
                    if self.heap {
                        let place = self.now.vars[from.index()];
                        let value = self.encoder.read(self.now.fields[field.index()], place)?;
                        out.push(self.define(*to, value)?);
                    } else {
                        self.now.vars[to.index()] = self.encoder.fresh_var(*to)?;
                    }
                }
            }
            Command::Store { to, field, value } => {
                let access = self.access(*to, fault)?;
                out.extend(access);
                if fault.is_none() && self.heap {
                    let value = self.encoder.expr(&self.now, value)?;
                    out.push(self.write(*to, *field, value)?);
                }
            }
            Command::Alloc { to, of, storage, zeroed } => {
                out.extend(self.alloc(*to, *of, *storage, *zeroed)?)
            }
            Command::Free(x) => out.extend(self.free(*x, fault)?),
            Command::Assume(cond) => out.push(self.encoder.cond(&self.now, cond)?),
            Command::Assert { formula, .. } => out.extend(self.assertion(formula, fault)?),
            Command::Havoc(x) => {
                let value = self.encoder.fresh_var(*x)?;
                self.now.vars[x.index()] = value;
                if let Type::Int(kind) = self.program.vars[x.index()].ty {
                    out.push(self.encoder.in_range(kind, value)?);
                }
            }
            _ => {}
        }
        Ok(out)
    }

    /// Remembers which constants are values of variables.
    fn note_origins(&mut self) {
        for (i, &value) in self.now.vars.iter().enumerate() {
            self.origin.entry(value).or_insert(VarId(i as u32));
        }
    }

    /// A new constant for the variable, equal to the value: so that a core can leave the equation out.
    fn define(&mut self, x: VarId, value: TermId) -> Result<TermId, Inexpressible> {
        let constant = self.encoder.fresh_var(x)?;
        self.now.vars[x.index()] = constant;
        Ok(self.encoder.terms.eq(constant, value)?)
    }

    fn struct_of(&self, x: VarId) -> Result<StructId, Inexpressible> {
        let of = self.program.vars[x.index()].ty.pointee();
        of.ok_or_else(|| Inexpressible("a pointer was expected".to_owned()))
    }

    /// The accessed cell is allocated, or is not if that is the fault. Without heap: is not null.
    fn access(&mut self, x: VarId, fault: Option<Fault>) -> Result<Option<TermId>, Inexpressible> {
        let of = self.struct_of(x)?;
        let cell = self.now.vars[x.index()];
        let valid = if self.heap {
            self.encoder.is_valid(&self.now, of, cell)?
        } else if fault.is_some() {
            // It may fail for other reasons than null, which the basic formula does not know.
            return Ok(None);
        } else {
            self.encoder.not_null(of, cell)?
        };
        Ok(Some(if fault == Some(Fault::Access) { self.encoder.terms.not(valid)? } else { valid }))
    }

    fn write(&mut self, x: VarId, field: FieldId, value: TermId) -> Result<TermId, Inexpressible> {
        let sort = self.encoder.value_sort(self.program.fields[field.index()].ty);
        let constant = self.encoder.unknown("stored", sort)?;
        self.stored.insert(constant, field);
        let (before, place) = (self.now.fields[field.index()], self.now.vars[x.index()]);
        self.now.fields[field.index()] =
            self.encoder.version(Version::Store { before, place, value: constant });
        Ok(self.encoder.terms.eq(constant, value)?)
    }

    fn alloc(&mut self, to: VarId, of: StructId, storage: Storage, zeroed: bool) -> Constraints {
        let cell = self.encoder.fresh_var(to)?;
        self.now.vars[to.index()] = cell;
        let mut out = vec![self.encoder.not_null(of, cell)?];
        if !self.heap {
            return Ok(out);
        }
        self.cells.push((of, cell));
        let before = self.now.status[of.index()];
        out.push(self.encoder.has_status(before, cell, status::NEVER)?);
        let value = match storage {
            Storage::Heap => status::HEAP,
            Storage::Automatic => status::AUTOMATIC,
        };
        let value = self.encoder.terms.int(value);
        self.now.status[of.index()] = self.encoder.version(Version::Store { before, place: cell, value });
        for &field in &self.program.structs[of.index()].fields {
            let ty = self.program.fields[field.index()].ty;
            let value = match (zeroed, ty) {
                (true, Type::Ptr(target)) => self.encoder.null(target),
                (true, _) => self.encoder.terms.int(0),
                (false, _) => self.encoder.unknown("arbitrary", self.encoder.value_sort(ty))?,
            };
            let before = self.now.fields[field.index()];
            self.now.fields[field.index()] =
                self.encoder.version(Version::Store { before, place: cell, value });
        }
        Ok(out)
    }

    fn free(&mut self, x: VarId, fault: Option<Fault>) -> Constraints {
        if !self.heap {
            return Ok(Vec::new());
        }
        let of = self.struct_of(x)?;
        let cell = self.now.vars[x.index()];
        let before = self.now.status[of.index()];
        let null = self.encoder.null(of);
        let is_null = self.encoder.terms.eq(cell, null)?;
        let on_heap = self.encoder.has_status(before, cell, status::HEAP)?;
        let fine = self.encoder.terms.or(&[is_null, on_heap])?;
        if fault == Some(Fault::Access) {
            return Ok(vec![self.encoder.terms.not(fine)?]);
        }
        let (freed, never) = (self.encoder.terms.int(status::FREED), self.encoder.terms.int(status::NEVER));
        let value = self.encoder.terms.ite(is_null, never, freed)?;
        self.now.status[of.index()] = self.encoder.version(Version::Store { before, place: cell, value });
        Ok(vec![fine])
    }

    /// An allocated cell that nothing that counts where the path ends reaches through allocated cells. A path has
    /// finitely many cells, so reaching is unfolded that often.
    fn leak(&mut self, at: LocationId) -> Result<TermId, Inexpressible> {
        let cells = self.cells.clone();
        let mut valid = Vec::new();
        for &(of, cell) in &cells {
            valid.push(self.encoder.has_status(self.now.status[of.index()], cell, status::HEAP)?);
        }
        let mut kept = vec![Terms::FALSE; cells.len()];
        let roots = roots_at(self.program, at);
        for (i, var) in self.program.vars.iter().enumerate() {
            if roots.contains(&VarId(i as u32)) {
                for (k, &(of, cell)) in
                    cells.iter().enumerate().filter(|(_, c)| var.ty.pointee() == Some(c.0))
                {
                    debug_assert_eq!(var.ty.pointee(), Some(of));
                    let named = self.encoder.terms.eq(self.now.vars[i], cell)?;
                    kept[k] = self.encoder.terms.or(&[kept[k], named])?;
                }
            }
        }
        let rounds = if kept.iter().all(|k| *k == Terms::FALSE) { 0 } else { cells.len() };
        for _ in 0..rounds {
            let before = kept.clone();
            for (from, &(of, source)) in cells.iter().enumerate() {
                for &field in &self.program.structs[of.index()].fields {
                    let Some(target) = self.program.fields[field.index()].ty.pointee() else { continue };
                    let value = self.encoder.read(self.now.fields[field.index()], source)?;
                    for (to, &(_, cell)) in cells.iter().enumerate().filter(|(_, c)| c.0 == target) {
                        let step = self.encoder.terms.eq(value, cell)?;
                        let step = self.encoder.terms.and(&[before[from], valid[from], step])?;
                        kept[to] = self.encoder.terms.or(&[kept[to], step])?;
                    }
                }
            }
        }
        let mut lost = Vec::new();
        for (valid, kept) in valid.into_iter().zip(kept) {
            let missed = self.encoder.terms.not(kept)?;
            lost.push(self.encoder.terms.and(&[valid, missed])?);
        }
        Ok(self.encoder.terms.or(&lost)?)
    }

    fn assertion(&mut self, formula: &Formula, fault: Option<Fault>) -> Constraints {
        let labels = Map::default();
        let moments = Moments { now: &self.now, entry: &self.entry, labels: &labels };
        let Some(cond) = heap_free(formula) else {
            return Err(Inexpressible("an assertion about the heap".to_owned()));
        };
        let holds = self.encoder.cond(moments.now, &cond)?;
        Ok(vec![if fault == Some(Fault::Assertion) { self.encoder.terms.not(holds)? } else { holds }])
    }
}

/// A formula that does not look at the heap, as a condition.
#[must_use]
pub fn heap_free(formula: &Formula) -> Option<Cond> {
    use crate::program::{At, Term};
    fn expr(term: &Term) -> Option<Expr> {
        Some(match term {
            Term::Var(v, At::Now) => Expr::Var(*v),
            Term::Null(s) => Expr::Null(*s),
            Term::Int(n) => Expr::Int(*n),
            Term::Neg(t) => Expr::Neg(Box::new(expr(t)?)),
            Term::Binary(op, a, b) => Expr::Binary(*op, Box::new(expr(a)?), Box::new(expr(b)?)),
            _ => return None,
        })
    }
    Some(match formula {
        Formula::Const(value) => Cond::Const(*value),
        Formula::Compare(cmp, a, b) => Cond::Compare(*cmp, expr(a)?, expr(b)?),
        Formula::Not(inner) => heap_free(inner)?.negated(),
        Formula::And(parts) => Cond::And(parts.iter().map(heap_free).collect::<Option<_>>()?),
        Formula::Or(parts) => Cond::Or(parts.iter().map(heap_free).collect::<Option<_>>()?),
        Formula::Implies(a, b) => Cond::Or(vec![heap_free(a)?.negated(), heap_free(b)?]),
        _ => return None,
    })
}
