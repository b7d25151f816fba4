//! Ends of the program in the middle of a function, and what is still held there (DESIGN 6, decision 10).
//!
//! `exit`, `abort`, an error function and a failed assertion end the program. If failures count, the failure is all
//! that matters. Otherwise the end is one like any other:
//!
//! * where leaks are asked about, it is a [`Sweep`]: the variables of all calls that have not returned keep what they
//!   reach, and what nothing reaches is lost;
//! * where everything must be freed (`--svcomp valid-memcleanup`), the run goes on to the exit with nothing held;
//! * else it is a location that nothing leaves.
//!
//! Under `--svcomp valid-memsafety` loop heads are sweeps too. Temporaries keep what they hold while it is still to be
//! used, as if an end were no end: an argument that was evaluated before `abort` was called is not lost.

use super::place::Place;
use super::statement::zero;
use super::{Binding, Frame, Lowerer, Slot};
use crate::frontend::diagnostic::Span;
use crate::program::initialised::{assigned_by, reads};
use crate::program::{At, Command, Expr as Pure, LocationId, Program, Sweep, Term, Type, VarId, VarKind};
use crate::util::hash::{Map, Set};

impl Lowerer<'_> {
    /// The program ends here.
    pub(super) fn end(&mut self, span: Span) {
        let options = &self.unit.options;
        if options.cleans_up() && self.is_main() {
            self.leave_main(Pure::Int(0), span);
        } else if options.sweeps_ends() {
            let at = self.here;
            self.here = self.program.add_location();
            self.ends.push((at, self.here));
            self.add_sweep(at, span);
        } else {
            self.here = self.program.add_location();
        }
    }

    /// `exit(status)`.
    pub(super) fn exit(&mut self, status: Pure, span: Span) {
        let main = self.function(self.frames[0].function);
        let promises = main.contracts.iter().any(|c| !c.ensures.is_empty() || c.assigns.is_some());
        if !self.is_main() || self.unit.options.sweeps_ends() && !promises {
            self.end(span);
        } else if self.unit.options.sweeps_ends() {
            let text = "`exit` in a `main` with a postcondition: leaks are not checked there";
            let _ = self.unsupported::<()>(span, text);
        } else {
            self.leave_main(status, span);
        }
    }

    /// As if `main` returned.
    fn leave_main(&mut self, status: Pure, span: Span) {
        if let Some(Slot::Var(var)) = self.frames.first().map(|f| f.slot.clone()) {
            self.emit(Command::Assign(var, status), span);
        }
        let scopes = self.frames.iter().rev().flat_map(|f| f.scopes.iter().rev());
        let cells: Vec<VarId> = scopes.flat_map(|s| s.cells.iter().rev().copied()).collect();
        for cell in cells {
            self.emit(Command::Release(cell), span);
        }
        let exit = self.program.exit;
        self.jump(exit, span);
    }

    /// Lost cells count at this loop head, if they do at loop heads.
    pub(super) fn sweep_head(&mut self, head: LocationId, span: Span) {
        if self.unit.options.sweeps_heads() {
            self.add_sweep(head, span);
        }
    }

    fn add_sweep(&mut self, at: LocationId, span: Span) {
        let roots = self.roots();
        self.program.sweeps.push(Sweep { at, roots, span });
    }

    /// The pointers in all variables that are alive.
    pub(super) fn roots(&self) -> Vec<Term> {
        let mut roots = Vec::new();
        for frame in &self.frames {
            let parameters = match self.unit.checked.functions.get(frame.function as usize) {
                Some(function) => 0..function.parameters.len() as u32,
                None => 0..0,
            };
            let declared = frame.scopes.iter().flat_map(|s| s.locals.iter().copied());
            for local in parameters.chain(declared) {
                self.roots_of(frame, local, &mut roots);
            }
            for cell in frame.scopes.iter().flat_map(|s| &s.cells) {
                let Type::Ptr(of) = self.program.vars[cell.index()].ty else { continue };
                for field in &self.program.structs[of.index()].fields {
                    if matches!(self.program.fields[field.index()].ty, Type::Ptr(_)) {
                        roots.push(Term::Field(*field, At::Now, Box::new(Term::Var(*cell, At::Now))));
                    }
                }
            }
        }
        roots
    }

    /// The pointers in a local that lives in variables; the cells of others are those of their scope.
    fn roots_of(&self, frame: &Frame, local: u32, roots: &mut Vec<Term>) {
        let vars: &[VarId] = match frame.locals.get(local as usize) {
            Some(Some(Binding::Var(var) | Binding::Array(var) | Binding::Alias(Place::Cell(var, _)))) => {
                std::slice::from_ref(var)
            }
            Some(Some(Binding::Fat(vars, _) | Binding::Alias(Place::Behind(vars, _)))) => vars,
            _ => return,
        };
        let pointer =
            |v: &&VarId| matches!(self.program.vars[v.index()].ty, Type::Ptr(_) | Type::PtrArray(_));
        roots.extend(vars.iter().filter(pointer).map(|v| Term::Var(*v, At::Now)));
    }

    /// Before its declaration is reached a variable holds nothing, also when the block is entered again.
    pub(super) fn hold_nothing(&mut self, binding: &Binding, span: Span) {
        if !self.unit.options.sweeps_ends() {
            return;
        }
        let vars = match binding {
            Binding::Var(var) => std::slice::from_ref(var),
            Binding::Fat(vars, _) => vars,
            _ => return,
        };
        for var in vars {
            if let ty @ Type::Ptr(_) = self.program.vars[var.index()].ty {
                self.emit(Command::Assign(*var, zero(ty)), span);
            }
        }
    }

    /// Completes the sweeps of the promoted program: roots that are no pointers any more go, temporaries that are
    /// still to be used come.
    pub(super) fn finish_sweeps(&mut self) {
        if self.program.sweeps.is_empty() {
            return;
        }
        let live = live_temporaries(&self.program, &self.ends);
        let mut sweeps = std::mem::take(&mut self.program.sweeps);
        for sweep in &mut sweeps {
            let program = &self.program;
            let mut held: Vec<VarId> = live[sweep.at.index()].iter().copied().collect();
            held.sort_unstable();
            sweep.roots.retain(|root| match root {
                Term::Var(v, _) => matches!(program.vars[v.index()].ty, Type::Ptr(_) | Type::PtrArray(_)),
                root => program.root_of(root).is_some(),
            });
            sweep.roots.extend(held.into_iter().map(|v| Term::Var(v, At::Now)));
            let mut seen = Vec::new();
            sweep.roots.retain(|root| {
                let new = !seen.contains(root);
                seen.push(root.clone());
                new
            });
        }
        self.program.sweeps = sweeps;
    }
}

/// By location: temporaries with pointers that may still be read. A location at which the program ends goes on here
/// where the text does.
fn live_temporaries(program: &Program, ends: &[(LocationId, LocationId)]) -> Vec<Set<VarId>> {
    let held = |v: &VarId| {
        let var = &program.vars[v.index()];
        var.kind == VarKind::Temp && matches!(var.ty, Type::Ptr(_))
    };
    let mut live: Vec<Set<VarId>> = vec![Set::default(); program.locations as usize];
    let mut into: Map<LocationId, Vec<usize>> = Map::default();
    let mut work: Vec<LocationId> = Vec::new();
    for (i, edge) in program.edges.iter().enumerate() {
        into.entry(edge.to).or_default().push(i);
        let at = &mut live[edge.from.index()];
        let before = at.len();
        at.extend(reads(&edge.command).iter().copied().filter(held));
        if at.len() > before {
            work.push(edge.from);
        }
    }
    let ended: Map<LocationId, LocationId> = ends.iter().map(|(at, after)| (*after, *at)).collect();
    while let Some(location) = work.pop() {
        let here = live[location.index()].clone();
        let mut extend = |from: LocationId, except: Option<VarId>| {
            let at = &mut live[from.index()];
            let before = at.len();
            at.extend(here.iter().copied().filter(|v| Some(*v) != except));
            if at.len() > before {
                work.push(from);
            }
        };
        if let Some(at) = ended.get(&location) {
            extend(*at, None);
        }
        for edge in into.get(&location).into_iter().flatten() {
            let edge = &program.edges[*edge];
            extend(edge.from, assigned_by(&edge.command));
        }
    }
    live
}
