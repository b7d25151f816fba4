//! Conjuncts that a loop invariant may lack, simple ones first: what the contract says, read at the loop; how pointers
//! relate; allocation; order of numbers; and all of that under the condition that a pointer is null or is not.
//!
//! Nothing here claims to hold: [`hint`](super::hint) looks which of them do.

use crate::program::initialised::certainly_assigned;
use crate::program::rewrite::{Rewrite, same};
use crate::program::{
    At, Cmp, FieldId, Formula, LoopId, Program, Question, Set, StructId, Term, Type, VarKind,
};
use crate::util::options;

/// Pointers of one kind, and integers, that are looked at.
const MAX_VARIABLES: usize = 6;

/// The candidates at a loop.
pub(super) fn candidates(program: &Program, question: &Question, of: LoopId) -> Vec<Formula> {
    let scope = Scope::new(program, of);
    let mut out = Vec::new();
    let contract = &program.contracts[question.contract];
    for clause in &contract.requires {
        conjuncts(&clause.formula, &mut out);
    }
    let (mut plain, mut wanted, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..program.structs.len() {
        scope.about_pointers(StructId(i as u32), &mut plain);
    }
    let mut promised = Vec::new();
    contract.ensures.iter().for_each(|c| conjuncts(&c.formula, &mut promised));
    promised.iter().for_each(|p| scope.read_at_loop(p, &mut wanted));
    scope.about_numbers(&mut numbers);
    plain.extend(numbers);
    for part in plain.iter().chain(&wanted) {
        push(&mut out, part.clone());
    }
    for (pointer, null) in scope.pointers() {
        for part in wanted.iter().chain(&plain) {
            for premise in
                [Formula::ne(pointer.clone(), null.clone()), Formula::eq(pointer.clone(), null.clone())]
            {
                if premise != *part && out.len() < options::VC_CANDIDATES.size() {
                    out.push(Formula::Implies(Box::new(premise), Box::new(part.clone())));
                }
            }
        }
    }
    // What short runs are most likely to suggest wrongly.
    out.extend(scope.pointers().map(|(pointer, null)| Formula::eq(pointer, null)));
    scope.about_constants(&mut out);
    out.truncate(options::VC_CANDIDATES.size());
    out
}

fn conjuncts(formula: &Formula, out: &mut Vec<Formula>) {
    match formula {
        Formula::And(parts) => parts.iter().for_each(|p| conjuncts(p, out)),
        other if !out.contains(other) => out.push(other.clone()),
        _ => {}
    }
}

/// What can be named at a loop.
struct Scope<'p> {
    program: &'p Program,
    /// Scalars with a value there.
    vars: Vec<(Term, Type)>,
}

impl<'p> Scope<'p> {
    fn new(program: &'p Program, of: LoopId) -> Scope<'p> {
        let given =
            |v: usize| matches!(program.vars[v].kind, VarKind::Param | VarKind::Global | VarKind::Logic);
        let assigned = certainly_assigned(program, given);
        let known = assigned[program.loops[of.index()].head.index()].clone().unwrap_or_default();
        let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let mut vars: Vec<(Term, Type)> = Vec::new();
        for (i, var) in program.vars.iter().enumerate() {
            let shown = !matches!(var.kind, VarKind::Temp | VarKind::Result) && is_name(&var.name);
            let like = vars.iter().filter(|(_, ty)| same_kind(*ty, var.ty)).count();
            if shown && var.ty.element().is_none() && known.get(i) == Some(&true) && like < MAX_VARIABLES {
                vars.push((Term::Var(crate::program::VarId(i as u32), At::Now), var.ty));
            }
        }
        Scope { program, vars }
    }

    fn of(&self, ty: Type) -> impl Iterator<Item = Term> + '_ {
        self.vars.iter().filter(move |(_, t)| same_kind(*t, ty)).map(|(v, _)| v.clone())
    }

    /// All pointers, each with its null.
    fn pointers(&self) -> impl Iterator<Item = (Term, Term)> + '_ {
        self.vars.iter().filter_map(|(v, ty)| Some((v.clone(), Term::Null(ty.pointee()?))))
    }

    fn fields(&self, of: StructId) -> impl Iterator<Item = (FieldId, Type)> + '_ {
        let fields = self.program.structs[of.index()].fields.iter();
        fields.map(|&f| (f, self.program.fields[f.index()].ty))
    }

    fn about_pointers(&self, of: StructId, out: &mut Vec<Formula>) {
        let pointers: Vec<Term> = self.of(Type::Ptr(of)).collect();
        let null = Term::Null(of);
        let links: Vec<FieldId> =
            self.fields(of).filter(|(_, t)| *t == Type::Ptr(of)).map(|(f, _)| f).collect();
        let reach = |field, from: &Term, to: &Term| Formula::Reach {
            field,
            at: At::Now,
            from: from.clone(),
            to: to.clone(),
            plus: false,
        };
        let next = |f, x: &Term| Term::Field(f, At::Now, Box::new(x.clone()));
        let pairs =
            || pointers.iter().flat_map(|x| pointers.iter().filter(move |y| *y != x).map(move |y| (x, y)));
        for x in &pointers {
            out.push(Formula::ne(x.clone(), null.clone()));
            out.extend(links.iter().map(|&f| reach(f, x, &null)));
        }
        for &f in &links {
            out.extend(pairs().map(|(x, y)| reach(f, x, y)));
        }
        for x in &pointers {
            out.extend(links.iter().map(|&f| Formula::Stable(f, At::Now, x.clone())));
            out.push(Formula::Valid(x.clone(), At::Now));
        }
        for (i, x) in pointers.iter().enumerate() {
            for y in &pointers[i + 1..] {
                out.push(Formula::eq(x.clone(), y.clone()));
                out.push(Formula::ne(x.clone(), y.clone()));
            }
        }
        for &f in &links {
            out.extend(pairs().map(|(x, y)| Formula::eq(next(f, x), y.clone())));
            let cells = |x: &Term| Set::Cells(f, At::Now, Box::new(x.clone()), Box::new(null.clone()));
            out.extend(pointers.iter().map(|x| Formula::eq(next(f, x), null.clone())));
            out.extend(pointers.iter().map(|x| Formula::ne(next(f, x), null.clone())));
            for (i, x) in pointers.iter().enumerate() {
                out.extend(pointers[i + 1..].iter().map(|y| Formula::Disjoint(vec![cells(x), cells(y)])));
            }
            out.extend(pairs().map(|(x, y)| reach(f, x, y).negate()));
            out.extend(pointers.iter().map(|x| Formula::Fresh(x.clone())));
        }
    }

    /// Integers, and the data of the cells that pointers lead to.
    fn numbers(&self) -> Vec<Term> {
        let int = Type::Int(crate::program::IntKind::INT);
        let mut numbers: Vec<Term> = self.of(int).collect();
        for (x, ty) in &self.vars {
            let Some(of) = ty.pointee() else { continue };
            let fields = self.fields(of).filter(|(_, t)| same_kind(*t, int));
            numbers.extend(fields.map(|(f, _)| Term::Field(f, At::Now, Box::new(x.clone()))));
        }
        numbers.truncate(2 * MAX_VARIABLES);
        numbers
    }

    fn about_numbers(&self, out: &mut Vec<Formula>) {
        let numbers = self.numbers();
        for (i, a) in numbers.iter().enumerate() {
            let is_var = matches!(a, Term::Var(..));
            out.extend(is_var.then(|| Formula::Compare(Cmp::Ge, a.clone(), Term::Int(0))));
            for b in &numbers[i + 1..] {
                out.extend([Cmp::Le, Cmp::Ge].map(|cmp| Formula::Compare(cmp, a.clone(), b.clone())));
            }
        }
    }

    fn about_constants(&self, out: &mut Vec<Formula>) {
        for a in self.numbers() {
            for n in [0, 1] {
                let compare = |cmp| Formula::Compare(cmp, a.clone(), Term::Int(n));
                out.extend([Cmp::Eq, Cmp::Ge, Cmp::Le].map(compare));
            }
        }
    }

    /// What a clause of `ensures` says if the result is some variable and lists end at some other one.
    fn read_at_loop(&self, clause: &Formula, out: &mut Vec<Formula>) {
        let result = self.program.result();
        let result = result.map(|r| (Term::Var(r, At::Now), self.program.vars[r.index()].ty));
        let mut readings = vec![clause.clone()];
        if let Some((result, ty)) = result.filter(|(r, _)| mentions(clause, r)) {
            let by = |v| Rewrite { terms: &[(result.clone(), v)], at: &same }.formula(clause);
            readings = self.of(ty).map(by).collect();
        }
        // Parameters mean their entry values in `ensures`; at a loop they may be the moving ones.
        let params = self.vars.iter().filter_map(|(v, _)| match v {
            Term::Var(id, _) if self.program.vars[id.index()].kind == VarKind::Param => {
                Some((Term::Var(*id, At::Entry), v.clone()))
            }
            _ => None,
        });
        let params: Vec<(Term, Term)> = params.collect();
        let now: Vec<Formula> =
            readings.iter().map(|r| Rewrite { terms: &params, at: &same }.formula(r)).collect();
        readings.extend(now);
        for reading in readings {
            for (pointer, ty) in &self.vars {
                let Some(of) = ty.pointee() else { continue };
                let terms = [(Term::Null(of), pointer.clone())];
                let ended = Rewrite { terms: &terms, at: &same }.formula(&reading);
                if ended != reading {
                    push(out, ended);
                }
            }
            if let Formula::SameSet(Set::Cells(f, At::Now, _, end), old) = &reading {
                let of = self.program.fields[f.index()].owner;
                let pointers: Vec<Term> = self.of(Type::Ptr(of)).collect();
                let cells = |x: &Term| Set::Cells(*f, At::Now, Box::new(x.clone()), end.clone());
                for (i, x) in pointers.iter().enumerate() {
                    for y in &pointers[i + 1..] {
                        push(out, Formula::SameSet(Set::Union(vec![cells(x), cells(y)]), old.clone()));
                    }
                }
            }
            push(out, reading);
        }
    }
}

fn push(out: &mut Vec<Formula>, formula: Formula) {
    if !out.contains(&formula) {
        out.push(formula);
    }
}

fn mentions(formula: &Formula, term: &Term) -> bool {
    let mut found = false;
    crate::program::walk::formula(formula, &mut |part| {
        found |= matches!(part, crate::program::walk::Part::Term(t) if t == term);
    });
    found
}

/// Whether values can be compared.
fn same_kind(a: Type, b: Type) -> bool {
    matches!((a, b), (Type::Int(_), Type::Int(_))) || a == b
}
