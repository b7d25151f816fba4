//! What is tracked: scalar predicates and a shape class. A precision only grows.
//!
//! T must be closed under aliasing, otherwise a write through an untracked pointer would change cells that
//! the graphs describe. Components of pointers connected by assignments, loads and stores are tracked as a whole.

use super::shape::{Class, Range, range};
use crate::program::{Cmp, Command, Cond, Expr, FieldId, Program, VarId};
use crate::util::options;
use std::sync::Arc;

/// What the analysis keeps apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Precision {
    /// Scalar predicates: comparisons of variables and constants.
    pub atoms: Vec<Cond>,
    /// The shape class.
    pub class: Arc<Class>,
    separating: Vec<VarId>,
}

/// What a refinement asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// Scalar predicates.
    pub atoms: Vec<Cond>,
    /// Pointers to keep apart.
    pub pointers: Vec<VarId>,
    /// Tests of data fields.
    pub tests: Vec<(FieldId, Range)>,
}

impl Precision {
    /// Nothing tracked, at the given level of instrumentation; whether lost cells are to be noted.
    #[must_use]
    pub fn nothing(program: &Program, level: u8, leaks: bool) -> Option<Precision> {
        let class = Class { leaks, ..Class::new(program, level, Vec::new(), &[], Vec::new())? };
        Some(Precision { atoms: Vec::new(), class: Arc::new(class), separating: Vec::new() })
    }

    /// With what is wished for; `None` if that is too much to be tracked.
    #[must_use]
    pub fn refined(&self, program: &Program, components: &Components, wish: &Wish) -> Option<Precision> {
        let mut next = self.clone();
        for atom in &wish.atoms {
            if !next.atoms.contains(atom) {
                next.atoms.push(atom.clone());
            }
        }
        let mut vars = self.class.vars.clone();
        for &p in &wish.pointers {
            if !next.separating.contains(&p) {
                next.separating.push(p);
            }
            vars.extend(components.of(p));
        }
        next.separating.sort_unstable();
        vars.sort_unstable();
        vars.dedup();
        let mut tests = self.class.tests.clone();
        for &(field, test) in &wish.tests {
            let (mine, others): (Vec<_>, Vec<_>) = tests.into_iter().partition(|(f, _)| *f == field);
            let mut ranges: Vec<Range> = mine.into_iter().map(|(_, range)| range).collect();
            range::refine(&mut ranges, test);
            tests = others;
            tests.extend(ranges.into_iter().map(|range| (field, range)));
        }
        tests.sort_unstable();
        if next.atoms.len() > options::LAZY_ATOMS.size() {
            return None;
        }
        let class = Class::new(program, self.class.level, vars, &next.separating, tests)?;
        let class = Class { leaks: self.class.leaks, ..class };
        // Precisions that differ in predicates only have one class: regions need not be converted.
        if class != *self.class {
            next.class = Arc::new(class);
        }
        Some(next)
    }

    /// With `b <= a` for every `a <= b`: what loops over counters often need. `None` if that adds nothing.
    #[must_use]
    pub fn with_converses(&self) -> Option<Precision> {
        let mut next = self.clone();
        for atom in &self.atoms {
            if let Cond::Compare(Cmp::Le, a, b) = atom {
                let converse = Cond::Compare(Cmp::Le, b.clone(), a.clone());
                if !next.atoms.contains(&converse) {
                    next.atoms.push(converse);
                }
            }
        }
        (next.atoms.len() > self.atoms.len() && next.atoms.len() <= options::LAZY_ATOMS.size())
            .then_some(next)
    }

    /// The next level of instrumentation, if there is one.
    #[must_use]
    pub fn raised(&self, program: &Program) -> Option<Precision> {
        let level = self.class.level + 1;
        if level > Class::LAST_LEVEL {
            return None;
        }
        let class =
            Class::new(program, level, self.class.vars.clone(), &self.separating, self.class.tests.clone())?;
        let class = Class { leaks: self.class.leaks, ..class };
        Some(Precision { class: Arc::new(class), ..self.clone() })
    }
}

/// Groups of pointers that may lead to common cells.
#[derive(Clone, Debug)]
pub struct Components {
    root: Vec<usize>,
    is_pointer: Vec<bool>,
}

impl Components {
    /// The components of a program.
    #[must_use]
    pub fn of_program(program: &Program) -> Components {
        let is_pointer: Vec<bool> = program.vars.iter().map(|v| v.ty.pointee().is_some()).collect();
        let mut all = Components { root: (0..program.vars.len()).collect(), is_pointer };
        for edge in &program.edges {
            match &edge.command {
                Command::Assign(x, Expr::Var(y)) => all.join(*x, *y),
                Command::Load { to, from, .. } => all.join(*to, *from),
                Command::Store { to, value: Expr::Var(y), .. } => all.join(*to, *y),
                _ => {}
            }
        }
        all
    }

    fn find(&self, mut i: usize) -> usize {
        while self.root[i] != i {
            i = self.root[i];
        }
        i
    }

    fn join(&mut self, a: VarId, b: VarId) {
        if self.is_pointer[a.index()] && self.is_pointer[b.index()] {
            let (a, b) = (self.find(a.index()), self.find(b.index()));
            let (low, high) = (a.min(b), a.max(b));
            self.root[high] = low;
        }
    }

    /// The pointers of the component.
    pub fn of(&self, v: VarId) -> impl Iterator<Item = VarId> + '_ {
        let root = self.find(v.index());
        (0..self.root.len())
            .filter(move |&i| self.is_pointer[i] && self.find(i) == root)
            .map(|i| VarId(i as u32))
    }
}
