//! How a program's vocabulary is laid out in the heap context: variables become slots, pointer fields become
//! reachability matrices, one integer field becomes the data order, others become colours.
//!
//! Integers are abstracted: a value is a point of one total order, with the constants of the program in their
//! places. Of arithmetic only "plus or minus a constant" leaves a trace. Of several integer fields that are
//! compared by size one is the order and the others are opaque; a field of which only "is zero" is asked is
//! a colour. All of that adds behaviours and takes none away.

use super::assigns as targets_of;
use super::occurs::{Occurs, assigned};
use super::refine::Abstraction;
use crate::engine::heap::{Colour, Config, Field, Slot};
use crate::program::{
    At, Binder, BoundId, Check, Cmp, Command, Cond, Entry, Expr, FieldId, Formula, Program, Question,
    StructId, Target, Type, VarId, walk,
};
use crate::util::hash::{Map, Set};
use crate::util::options;

/// What a variable of the heap context stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Name {
    /// A variable now.
    Var(VarId),
    /// A variable at an earlier moment; it is assigned somewhere.
    Earlier(VarId, At),
    /// An arbitrary cell: what a universal postcondition speaks of.
    Ghost(u32, StructId),
    /// What a field of another name's cell leads to; it has a value at loop heads only.
    Next(Slot, FieldId),
    /// An integer constant.
    Number(i128),
}

/// What a field of the program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A pointer field as a matrix.
    Link(Field),
    /// The integer field whose order is modelled.
    Datum,
    /// An integer field of which only "is zero" is asked; the colour is "is not zero".
    Colour(Colour),
    /// Not modelled: reading it gives anything.
    Opaque,
}

/// The layout.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub(super) config: Config,
    /// By slot, null left out; pointers first, then integers.
    pub(super) names: Vec<Name>,
    slots: Map<Name, Slot>,
    /// The first integer slot.
    pub(super) integers: u16,
    roles: Vec<Role>,
    /// Matrices of fields at earlier moments.
    pub(super) earlier: Vec<(FieldId, At, Field)>,
    /// Colours that are the cells allocated at an earlier moment.
    pub(super) allocated: Vec<(At, Colour)>,
    /// The ghosts that stand for the variables bound by outermost universal quantifiers of postconditions.
    pub(super) bound: Map<BoundId, Slot>,
    /// Ghosts from this number on stand for nothing: universal clauses bind them.
    pub(super) free_ghosts: u32,
    /// What may change, read at the entry; none if everything may.
    pub(super) assigns: Option<Vec<Target>>,
    /// Variables that some command assigns.
    written: Set<VarId>,
    /// What formulas and commands mention.
    pub(super) occurs: Occurs,
    /// By integer name: the class of values it is compared with.
    classes: Map<Name, u32>,
    /// The class of the data.
    pub(super) data_class: Option<u32>,
}

impl Signature {
    /// The slot of a variable at a moment, if it has one.
    pub(super) fn slot(&self, var: VarId, at: At) -> Option<Slot> {
        let name = match at {
            At::Now => Name::Var(var),
            _ if !self.written.contains(&var) => Name::Var(var),
            at => Name::Earlier(var, at),
        };
        self.slots.get(&name).copied()
    }

    pub(super) fn slot_of(&self, name: Name) -> Option<Slot> {
        self.slots.get(&name).copied()
    }

    pub(super) fn role(&self, field: FieldId) -> Role {
        self.roles[field.index()]
    }

    /// The matrix of a pointer field at a moment.
    pub(super) fn link(&self, field: FieldId, at: At) -> Option<Field> {
        match (self.role(field), at) {
            (Role::Link(link), At::Now) => Some(link),
            (Role::Link(_), at) => {
                self.earlier.iter().find(|(f, moment, _)| *f == field && *moment == at).map(|entry| entry.2)
            }
            _ => None,
        }
    }

    /// The name of a slot.
    pub(super) fn name(&self, slot: Slot) -> Option<Name> {
        self.names.get((slot.0 as usize).checked_sub(1)?).copied()
    }

    /// The kind of cells a pointer name points to.
    pub(super) fn kind(&self, program: &Program, name: Name) -> Option<StructId> {
        match name {
            Name::Var(v) | Name::Earlier(v, _) => program.vars[v.index()].ty.pointee(),
            Name::Ghost(_, kind) => Some(kind),
            Name::Next(_, field) => program.fields[field.index()].ty.pointee(),
            Name::Number(_) => None,
        }
    }

    /// The class of values of an integer name.
    pub(super) fn class(&self, name: Name) -> u32 {
        self.classes.get(&name).copied().unwrap_or(u32::MAX)
    }

    /// The layout for one question and one choice of terms.
    pub(super) fn new(program: &Program, question: &Question, abstraction: &Abstraction) -> Signature {
        let contract = &program.contracts[question.contract];
        let mut occurs = Occurs::default();
        let clauses = contract.requires.iter().chain(&contract.ensures);
        clauses.for_each(|clause| occurs.formula(&clause.formula));
        program.loops.iter().flat_map(|l| &l.invariants).for_each(|c| occurs.formula(&c.formula));
        program.tracks.iter().for_each(|t| occurs.formula(&t.clause.formula));
        program.edges.iter().for_each(|edge| occurs.command(&edge.command));
        let assigns = contract.assigns.as_ref().filter(|_| question.asks(Check::Ensures));
        let assigns = assigns.filter(|targets| !targets.contains(&Target::Everything));
        let assigns: Option<Vec<Target>> =
            assigns.map(|targets| targets.iter().map(targets_of::target).collect());
        for target in assigns.iter().flatten() {
            occurs.target(target);
            occurs.alloc_at.insert(At::Entry);
        }
        let written: Set<VarId> = program.edges.iter().filter_map(|edge| assigned(&edge.command)).collect();
        let tracks = program.tracks.iter().map(|t| (t.object.as_ref(), &t.clause.formula));
        let ensures = contract.ensures.iter().map(|clause| (None, &clause.formula));
        let (bound, mut ghosts) = ghosts(ensures.chain(tracks));
        let free_ghosts = ghosts.len() as u32;
        ghosts.extend((0..abstraction.cells).map(|_| StructId(0)));
        let values = Values::new(program, &occurs);
        let alloc = tracks_allocation(program, &occurs);

        let (roles, links, colours) = roles(program, &occurs, &values);
        let mut config = Config { fields: links, colours, alloc };
        let mut earlier = Vec::new();
        let mut moments: Vec<(FieldId, At)> =
            occurs.fields.iter().copied().filter(|f| f.1 != At::Now).collect();
        moments.sort_unstable();
        for (field, at) in moments {
            if matches!(roles[field.index()], Role::Link(_)) {
                earlier.push((field, at, Field(config.fields as u8)));
                config.fields += 1;
            }
        }
        config.fields = config.fields.max(1);
        let mut allocated = Vec::new();
        if alloc {
            let mut moments: Vec<At> = occurs.alloc_at.iter().copied().filter(|&at| at != At::Now).collect();
            moments.sort_unstable();
            for at in moments {
                allocated.push((at, Colour(config.colours as u8)));
                config.colours += 1;
            }
        }

        let is_pointer = |v: &VarId| program.vars[v.index()].ty.pointee().is_some();
        let is_integer = |v: &VarId| matches!(program.vars[v.index()].ty, Type::Int(_));
        let all = (0..program.vars.len() as u32).map(VarId);
        let mut early: Vec<(VarId, At)> =
            occurs.vars.iter().copied().filter(|(v, at)| *at != At::Now && written.contains(v)).collect();
        early.sort_unstable();
        let mut names: Vec<Name> = all.clone().filter(is_pointer).map(Name::Var).collect();
        names.extend(early.iter().filter(|e| is_pointer(&e.0)).map(|&(v, at)| Name::Earlier(v, at)));
        names.extend(ghosts.iter().enumerate().map(|(i, &kind)| Name::Ghost(i as u32, kind)));
        let next = next_names(program, &occurs, abstraction, &names, &bound, &roles);
        names.extend(next);
        let integers = names.len() as u16 + 1;
        names.extend(all.filter(is_integer).map(Name::Var));
        names.extend(early.iter().filter(|e| is_integer(&e.0)).map(|&(v, at)| Name::Earlier(v, at)));
        names.extend(occurs.numbers.iter().map(|&n| Name::Number(n)));
        let slots: Map<Name, Slot> =
            names.iter().enumerate().map(|(i, &name)| (name, Slot(i as u16 + 1))).collect();
        let bound = bound
            .into_iter()
            .filter_map(|(id, at, kind)| Some((id, *slots.get(&Name::Ghost(at, kind))?)))
            .collect();
        let classes = values.classes_of(&names);
        let data_class = roles.iter().position(|&r| r == Role::Datum).map(|f| values.class_of_field(f));
        let layout = Signature {
            config,
            names,
            slots,
            integers,
            roles,
            earlier,
            allocated,
            bound,
            free_ghosts,
            assigns,
            written,
            occurs,
            classes,
            data_class,
        };
        debug_assert!(layout.names.len() < u16::MAX as usize, "slots are numbered by 16 bits");
        layout
    }
}

/// Whether the program is too large for the numbering of slots, fields and colours, or for a table of names by location.
pub(super) fn too_large(program: &Program) -> bool {
    let mut constants: Set<i128> = Set::default();
    for edge in &program.edges {
        walk::expressions(&edge.command, &mut |e| {
            if let Expr::Int(n) = e {
                constants.insert(*n);
            }
        });
    }
    let names = constants.len() + program.vars.len();
    program.vars.len() > 4096
        || program.fields.len() > 60
        || program.labels.len() > 16
        || names.saturating_mul(program.locations as usize) > options::PDR_TRIPLES.size()
}

/// For each variable bound by an outermost universal quantifier of a postcondition, or of what is tracked, the number of its ghost,
/// and the kinds of the ghosts. Clauses share ghosts.
#[allow(clippy::type_complexity)]
fn ghosts<'a>(
    clauses: impl Iterator<Item = (Option<&'a Binder>, &'a Formula)>,
) -> (Vec<(BoundId, u32, StructId)>, Vec<StructId>) {
    fn outermost(formula: &Formula, out: &mut Vec<(BoundId, StructId)>) {
        match formula {
            Formula::Forall(Binder { id, of: Some(kind), .. }, body) => {
                out.push((*id, *kind));
                outermost(body, out);
            }
            Formula::And(parts) | Formula::Or(parts) => {
                // Conjuncts could share ghosts; quantified conjuncts are rare enough.
                parts.iter().for_each(|p| outermost(p, out));
            }
            Formula::Implies(_, q) => outermost(q, out),
            _ => {}
        }
    }
    let (mut bound, mut kinds): (Vec<(BoundId, u32, StructId)>, Vec<StructId>) = (Vec::new(), Vec::new());
    for (object, formula) in clauses {
        let mut found = Vec::new();
        found.extend(object.and_then(|binder| Some((binder.id, binder.of?))));
        outermost(formula, &mut found);
        let mut used: Vec<usize> = Vec::new();
        for (id, kind) in found {
            let free = (0..kinds.len()).find(|at| kinds[*at] == kind && !used.contains(at));
            let at = free.unwrap_or_else(|| {
                kinds.push(kind);
                kinds.len() - 1
            });
            used.push(at);
            bound.push((id, at as u32, kind));
        }
    }
    (bound, kinds)
}

/// The terms of the abstraction and those of tracked formulas, as names.
fn next_names(
    program: &Program,
    occurs: &Occurs,
    abstraction: &Abstraction,
    names: &[Name],
    bound: &[(BoundId, u32, StructId)],
    roles: &[Role],
) -> Vec<Name> {
    let mut wanted: Vec<(Name, FieldId)> = abstraction.terms.clone();
    let mut tracked = Occurs::default();
    program.tracks.iter().for_each(|t| tracked.formula(&t.clause.formula));
    debug_assert!(tracked.steps.iter().all(|step| occurs.steps.contains(step)), "tracks were read");
    wanted.extend(tracked.steps.iter().map(|&(v, field)| (Name::Var(v), field)));
    for (id, field) in &tracked.bound_steps {
        let ghost = bound.iter().find(|entry| entry.0 == *id);
        wanted.extend(ghost.map(|&(_, at, kind)| (Name::Ghost(at, kind), *field)));
    }
    wanted.sort_unstable();
    wanted.dedup();
    let of = |(name, field): (Name, FieldId)| {
        let at = names.iter().position(|other| *other == name)?;
        matches!(roles[field.index()], Role::Link(_)).then_some(Name::Next(Slot(at as u16 + 1), field))
    };
    wanted.into_iter().filter_map(of).collect()
}

/// Allocation matters if something can be unallocated that code may touch: in a program that allocates or
/// frees; or if the property speaks of it. Pointers of unknown origin are no such case: reading one leaves
/// the logic.
fn tracks_allocation(program: &Program, occurs: &Occurs) -> bool {
    let by_command = program.edges.iter().any(|edge| {
        matches!(
            edge.command,
            Command::Alloc { .. } | Command::Free(_) | Command::Release(_) | Command::Scramble { .. }
        )
    });
    occurs.alloc || by_command || program.begins == Entry::Main
}

/// The role of each field, the number of matrices and of colours.
fn roles(program: &Program, occurs: &Occurs, values: &Values) -> (Vec<Role>, usize, usize) {
    let loaded: Set<FieldId> = program
        .edges
        .iter()
        .filter_map(|edge| match edge.command {
            Command::Load { field, .. } => Some(field),
            _ => None,
        })
        .collect();
    let reaches = |f: FieldId| occurs.reach.contains(&f);
    let (mut links, mut colours) = (0, 0);
    let datum = values.datum(occurs);
    let roles = (0..program.fields.len() as u32)
        .map(FieldId)
        .map(|id| {
            let field = &program.fields[id.index()];
            let used = loaded.contains(&id) || occurs.fields.iter().any(|f| f.0 == id);
            match field.ty {
                Type::Ptr(_) => {
                    // A link field of which nobody says what it reaches is a plain function: it may be cyclic.
                    let modelled = reaches(id) || used && (!field.is_link() || program.begins == Entry::Main);
                    if !modelled {
                        return Role::Opaque;
                    }
                    links += 1;
                    Role::Link(Field(links - 1))
                }
                _ if datum == Some(id) => Role::Datum,
                _ if used && !values.ordered.contains(&id) => {
                    colours += 1;
                    Role::Colour(Colour(colours - 1))
                }
                _ => Role::Opaque,
            }
        })
        .collect();
    (roles, links as usize, colours as usize)
}

/// Which integers are compared with which: classes of variables, fields and constants.
struct Values {
    /// Union-find over variables, then fields.
    parent: Vec<usize>,
    vars: usize,
    /// Fields whose values are compared by size, or with something else than zero.
    ordered: Set<FieldId>,
}

impl Values {
    fn new(program: &Program, occurs: &Occurs) -> Values {
        let vars = program.vars.len();
        let mut values = Values {
            parent: (0..vars + program.fields.len()).collect(),
            vars,
            ordered: occurs.ordered.iter().copied().collect(),
        };
        for edge in &program.edges {
            match &edge.command {
                Command::Assign(x, e) => values.join_expr(x.index(), e),
                Command::Load { to, field, .. } => values.join(to.index(), vars + field.index()),
                Command::Store { field, value, .. } => values.join_expr(vars + field.index(), value),
                Command::Assume(cond) => values.cond(cond),
                _ => {}
            }
        }
        for (vars_of, fields_of) in &occurs.compared {
            let all: Vec<usize> =
                vars_of.iter().map(|v| v.index()).chain(fields_of.iter().map(|f| vars + f.index())).collect();
            all.windows(2).for_each(|pair| values.join(pair[0], pair[1]));
        }
        // A field is compared by size if something of its class is.
        let mut by_size: Set<usize> = Set::default();
        for edge in &program.edges {
            if let Command::Assume(cond) = &edge.command {
                values.by_size(cond, &mut by_size);
            }
        }
        for f in 0..program.fields.len() {
            if by_size.contains(&values.find(vars + f)) {
                values.ordered.insert(FieldId(f as u32));
            }
        }
        // Pointers are compared too, but have no size.
        values.ordered.retain(|f| program.fields[f.index()].ty.pointee().is_none());
        values
    }

    fn find(&self, mut at: usize) -> usize {
        while self.parent[at] != at {
            at = self.parent[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b);
    }

    fn join_expr(&mut self, a: usize, expr: &Expr) {
        match expr {
            Expr::Var(v) => self.join(a, v.index()),
            Expr::Null(_) | Expr::Int(_) => {}
            Expr::Neg(e) | Expr::BitNot(e) | Expr::Wrap(_, e) => self.join_expr(a, e),
            Expr::Binary(_, l, r) => {
                self.join_expr(a, l);
                self.join_expr(a, r);
            }
        }
    }

    fn cond(&mut self, cond: &Cond) {
        match cond {
            Cond::Const(_) => {}
            Cond::Compare(_, a, b) => {
                let mut vars = Vec::new();
                variables(a, &mut vars);
                variables(b, &mut vars);
                vars.windows(2).for_each(|pair| self.join(pair[0].index(), pair[1].index()));
            }
            Cond::Not(p) => self.cond(p),
            Cond::And(parts) | Cond::Or(parts) => parts.iter().for_each(|p| self.cond(p)),
        }
    }

    fn by_size(&self, cond: &Cond, out: &mut Set<usize>) {
        match cond {
            Cond::Const(_) => {}
            Cond::Compare(cmp, a, b) => {
                let zero = |e: &Expr| *e == Expr::Int(0);
                if matches!(cmp, Cmp::Eq | Cmp::Ne) && (zero(a) || zero(b)) {
                    return;
                }
                let mut vars = Vec::new();
                variables(a, &mut vars);
                variables(b, &mut vars);
                out.extend(vars.iter().map(|v| self.find(v.index())));
            }
            Cond::Not(p) => self.by_size(p, out),
            Cond::And(parts) | Cond::Or(parts) => parts.iter().for_each(|p| self.by_size(p, out)),
        }
    }

    /// The field whose order is modelled: one that is said to be sorted, else the first compared by size.
    fn datum(&self, occurs: &Occurs) -> Option<FieldId> {
        let sorted = occurs.sorted.iter().map(|pair| pair.1).min();
        sorted.or_else(|| self.ordered.iter().copied().min())
    }

    fn class_of_field(&self, field: usize) -> u32 {
        self.find(self.vars + field) as u32
    }

    /// The class of each integer name; a constant belongs to every class and is marked so.
    fn classes_of(&self, names: &[Name]) -> Map<Name, u32> {
        let class = |name: &Name| match name {
            Name::Var(v) | Name::Earlier(v, _) => Some((*name, self.find(v.index()) as u32)),
            Name::Ghost(..) | Name::Next(..) | Name::Number(_) => None,
        };
        names.iter().filter_map(class).collect()
    }
}

/// The variables of an expression.
pub(super) fn variables(expr: &Expr, out: &mut Vec<VarId>) {
    match expr {
        Expr::Var(v) => out.push(*v),
        Expr::Null(_) | Expr::Int(_) => {}
        Expr::Neg(e) | Expr::BitNot(e) | Expr::Wrap(_, e) => variables(e, out),
        Expr::Binary(_, a, b) => {
            variables(a, out);
            variables(b, out);
        }
    }
}
