//! Formulas of the unit in terms of one program.

use super::super::hir::{DEREF, PART, Ref, SpecTarget, SpecTrack, Variable, decode};
use super::{Binding, Lowerer, Lowering, Moment};
use crate::frontend::diagnostic::Span;
use crate::program::{
    At, Binder, BoundId, Clause, Cmp, Command, FieldId, Formula, LabelId, Set, Shape, StructId, Target, Term,
    Type, VarId,
};
use crate::util::hash::Map;

/// What variables and moments of the unit mean.
#[derive(Clone)]
pub(super) struct Mapping {
    /// Of a callee: what its parameters stand for. `None`: the present function.
    pub(super) arguments: Option<Vec<Term>>,
    /// Of a callee: what its logical constants stand for. `None`: the present function.
    pub(super) logic: Option<Vec<Term>>,
    /// What `\result` stands for.
    pub(super) result: Option<VarId>,
    pub(super) now: At,
    /// The moment `\old` means in a call; the present function knows its own.
    pub(super) entry: At,
    /// The formula is about the entry of the present function: a parameter whose address is used has no cell yet.
    pub(super) at_entry: bool,
}

/// Bound variables of the unit in the program, with their structs.
type Bounds = Map<BoundId, (BoundId, Option<StructId>)>;

pub(super) struct Mapper<'a, 'b> {
    pub(super) lowerer: &'a mut Lowerer<'b>,
    pub(super) mapping: &'a Mapping,
    bounds: Bounds,
    pub(super) span: Span,
}

impl Lowerer<'_> {
    pub(super) fn own_mapping(&self) -> Mapping {
        let result = self.program.result();
        Mapping { arguments: None, logic: None, result, now: At::Now, entry: At::Entry, at_entry: false }
    }

    /// For formulas about the entry of the present function.
    pub(super) fn entry_mapping(&self) -> Mapping {
        Mapping { at_entry: true, ..self.own_mapping() }
    }

    /// A formula of the present function.
    pub(super) fn map_formula(&mut self, formula: &Formula, span: Span) -> Lowering<Formula> {
        let mapping = self.own_mapping();
        self.map_with(formula, &mapping, span)
    }

    pub(super) fn map_with(&mut self, formula: &Formula, mapping: &Mapping, span: Span) -> Lowering<Formula> {
        Mapper { lowerer: self, mapping, bounds: Map::default(), span }.formula(formula)
    }

    pub(super) fn map_track(&mut self, track: &SpecTrack) -> Lowering<(Option<Binder>, Clause)> {
        let mapping = self.own_mapping();
        let span = track.clause.span;
        let mut mapper = Mapper { lowerer: self, mapping: &mapping, bounds: Map::default(), span };
        let object = match &track.object {
            Some(binder) => Some(mapper.binder(binder)?),
            None => None,
        };
        let formula = mapper.formula(&track.clause.formula)?;
        Ok((object, Clause { formula, span }))
    }

    /// What a loop of the present function may change.
    pub(super) fn map_targets(&mut self, targets: &[SpecTarget]) -> Lowering<Vec<Target>> {
        let mapping = self.own_mapping();
        self.map_targets_with(targets, &mapping)
    }

    pub(super) fn map_targets_with(
        &mut self,
        targets: &[SpecTarget],
        mapping: &Mapping,
    ) -> Lowering<Vec<Target>> {
        let mut mapped = Vec::new();
        for target in targets {
            let mut mapper = Mapper { lowerer: self, mapping, bounds: Map::default(), span: target.span };
            if let Target::Field(base, field) = &target.target
                && (DEREF..PART).contains(&field.0)
                && let Some(behind) = mapper.behind(base)?
            {
                mapped.extend(behind);
                continue;
            }
            mapped.push(self.map_target(&target.target, mapping, target.span)?);
        }
        Ok(mapped)
    }

    pub(super) fn map_target(&mut self, target: &Target, mapping: &Mapping, span: Span) -> Lowering<Target> {
        let mut mapper = Mapper { lowerer: self, mapping, bounds: Map::default(), span };
        Ok(match target {
            Target::Var(var) => match mapper.variable(*var)? {
                Binding::Var(var) | Binding::Array(var) => Target::Var(var),
                Binding::Cell(var, field) => Target::Field(Term::Var(var, At::Now), field),
                _ => return mapper.unsupported("`assigns` of this variable is not modelled"),
            },
            Target::Field(base, field) => {
                let mapped = mapper.term(&Term::Field(*field, At::Now, Box::new(base.clone())))?;
                match mapped {
                    Term::Field(field, _, base) => Target::Field(*base, field),
                    Term::Var(var, _) => Target::Var(var),
                    _ => return mapper.unsupported("`assigns` of this location is not modelled"),
                }
            }
            Target::Fields(set, field) => {
                let set = mapper.set(set)?;
                Target::Fields(set, mapper.lowerer.spec_field(*field, span)?)
            }
            Target::Range(var, low, high) => {
                let (low, high) = (mapper.term(low)?, mapper.term(high)?);
                Target::Range(mapper.array(*var)?, low, high)
            }
            Target::Everything => Target::Everything,
        })
    }

    /// What a field that formulas name is called now.
    fn renamed(&mut self, field: FieldId, span: Span) -> Lowering<FieldId> {
        let fields = &self.unit.checked.kinds.fields;
        match fields.get(&field) {
            Some(now) => Ok(*now),
            None if fields.is_empty() => Ok(field),
            None => self.unsupported(span, "this member is not modelled in formulas"),
        }
    }

    /// A field that formulas name.
    pub(super) fn spec_field(&mut self, field: FieldId, span: Span) -> Lowering<FieldId> {
        let field = self.renamed(field, span)?;
        self.field(field, span)
    }

    /// A hint, if its fields are in the program.
    pub(super) fn add_shape(&mut self, shape: Shape) {
        let renamed = |f: FieldId| self.unit.checked.kinds.fields.get(&f).copied().unwrap_or(f);
        let field = |f: FieldId| self.fields.get(&renamed(f)).copied();
        let mapped = match shape {
            Shape::List(f) => field(f).map(Shape::List),
            Shape::Dlist(n, p) => field(n).zip(field(p)).map(|(n, p)| Shape::Dlist(n, p)),
            Shape::Tree(l, r) => field(l).zip(field(r)).map(|(l, r)| Shape::Tree(l, r)),
        };
        self.program.shapes.extend(mapped);
    }
}

impl Mapper<'_, '_> {
    pub(super) fn unsupported<T>(&mut self, message: &str) -> Lowering<T> {
        self.lowerer.unsupported(self.span, message)
    }

    pub(super) fn variable(&mut self, var: VarId) -> Lowering<Binding> {
        match decode(var) {
            Ref::Local(index) => {
                if self.mapping.arguments.is_some() {
                    return self.unsupported("a callee's contract names one of its locals");
                }
                self.lowerer.binding(Variable::Local(index), self.span)
            }
            Ref::Global(index) => self.lowerer.binding(Variable::Global(index), self.span),
            Ref::Logic(_) | Ref::Result => self.unsupported("this is no variable"),
        }
    }

    fn array(&mut self, var: VarId) -> Lowering<VarId> {
        match self.variable(var)? {
            Binding::Array(array) => Ok(array),
            _ => self.unsupported("this array is not modelled"),
        }
    }

    pub(super) fn at(&mut self, at: At) -> At {
        match at {
            At::Now => self.mapping.now,
            At::Entry if self.mapping.arguments.is_some() => self.mapping.entry,
            At::Entry => self.own_entry(),
            At::Label(label) => {
                let frame = self.lowerer.frame();
                frame.spec_labels.get(label.index()).map_or(At::Entry, |l| At::Label(*l))
            }
        }
    }

    /// The entry of the present copy; the first formula that needs it turns its first edge into a snapshot.
    fn own_entry(&mut self) -> At {
        match self.lowerer.frame().entry {
            Moment::Entry => At::Entry,
            Moment::Label(label) => At::Label(label),
            Moment::Edge(edge) => {
                let label = LabelId(self.lowerer.program.labels.len() as u32);
                let function = self.lowerer.frame().function;
                let name = self.lowerer.function(function).name;
                let name = format!("entry of {}", self.lowerer.unit.names.text(name));
                self.lowerer.program.labels.push(name);
                self.lowerer.program.edges[edge.index()].command = Command::Snapshot(label);
                self.lowerer.frame().entry = Moment::Label(label);
                At::Label(label)
            }
        }
    }

    fn struct_id(&mut self, of: StructId) -> Lowering<StructId> {
        if of.0 < DEREF {
            let record = super::RecordId(of.0);
            let now = self.lowerer.unit.checked.kinds.records.get(&record).copied().unwrap_or(record);
            return self.lowerer.struct_id(now, self.span);
        }
        let ty = self.lowerer.unit.checked.boxed[(of.0 - DEREF) as usize].clone();
        if self.lowerer.alternatives(&ty, self.span)?.len() > 1 {
            return self.unsupported("a pointer that may lead into cells is not modelled in formulas");
        }
        Ok(self.lowerer.box_of(&ty, self.span)?.0)
    }

    fn var_term(&mut self, var: VarId, at: At) -> Lowering<Term> {
        let moment = self.at(at);
        match decode(var) {
            Ref::Result => match self.mapping.result {
                Some(result) => Ok(Term::Var(result, self.mapping.now)),
                None => self.unsupported("`\\result` has no meaning here"),
            },
            Ref::Logic(index) => {
                let own = self.lowerer.frames.len() == 1;
                let constant = match &self.mapping.logic {
                    Some(constants) => constants.get(index as usize).cloned(),
                    None if !own => None,
                    None => self.lowerer.logic.get(index as usize).map(|var| Term::Var(*var, At::Now)),
                };
                match constant {
                    Some(constant) => Ok(constant),
                    None => self.unsupported("this logical constant is not modelled"),
                }
            }
            Ref::Local(index) => {
                if let Some(arguments) = &self.mapping.arguments {
                    return match arguments.get(index as usize) {
                        Some(term) => Ok(term.clone()),
                        None => self.unsupported("a callee's contract names one of its locals"),
                    };
                }
                if (moment == At::Entry || self.mapping.at_entry)
                    && let Some(Some(parameter)) = self.lowerer.frame().parameters.get(index as usize)
                {
                    return Ok(Term::Var(*parameter, moment));
                }
                self.bound_term(Variable::Local(index), moment)
            }
            Ref::Global(index) => self.bound_term(Variable::Global(index), moment),
        }
    }

    fn bound_term(&mut self, variable: Variable, at: At) -> Lowering<Term> {
        match self.lowerer.binding(variable, self.span)? {
            Binding::Var(var) => Ok(Term::Var(var, at)),
            // The address of a variable does not change.
            Binding::Cell(var, field) => Ok(Term::Field(field, at, Box::new(Term::Var(var, At::Now)))),
            Binding::Struct(var, _) => Ok(Term::Var(var, At::Now)),
            Binding::Fat(..) | Binding::Alias(_) => {
                self.unsupported("this pointer is modelled in formulas only as `*p`")
            }
            Binding::Array(_) | Binding::Text(_) | Binding::Unsupported(_) => {
                self.unsupported("this variable is not modelled in formulas")
            }
        }
    }

    pub(super) fn term(&mut self, term: &Term) -> Lowering<Term> {
        Ok(match term {
            Term::Var(var, at) => self.var_term(*var, *at)?,
            Term::Bound(id) => Term::Bound(self.bounds.get(id).map_or(*id, |(new, _)| *new)),
            Term::Null(of) => Term::Null(self.struct_id(*of)?),
            Term::Int(value) => Term::Int(*value),
            Term::Field(field, at, base) if field.0 >= PART => {
                let (record, path) = self.lowerer.unit.checked.parts[(field.0 - PART) as usize].clone();
                let (at, base) = (self.at(*at), self.term(base)?);
                self.lowerer.part_term((record, &path), at, base, self.span)?
            }
            Term::Field(field, at, base) if field.0 >= DEREF => self.deref(*field, *at, base)?,
            Term::Field(field, at, base) => {
                let field = self.lowerer.renamed(*field, self.span)?;
                let flat = &self.lowerer.unit.types.fields[field.index()];
                let (record, path) = (flat.record, flat.path.clone());
                let (at, base) = (self.at(*at), self.term(base)?);
                self.lowerer.field_term((record, &path), at, base, self.span)?
            }
            Term::Index(array, at, index) => {
                let index = Box::new(self.term(index)?);
                let array = self.array(*array)?;
                Term::Index(array, self.at(*at), index)
            }
            Term::Neg(inner) => Term::Neg(Box::new(self.term(inner)?)),
            Term::Binary(op, a, b) => Term::Binary(*op, Box::new(self.term(a)?), Box::new(self.term(b)?)),
            Term::Ite(test, a, b) => {
                let test = Box::new(self.formula(test)?);
                Term::Ite(test, Box::new(self.term(a)?), Box::new(self.term(b)?))
            }
        })
    }

    fn sets(&mut self, sets: &[Set]) -> Lowering<Vec<Set>> {
        sets.iter().map(|s| self.set(s)).collect()
    }

    fn set(&mut self, set: &Set) -> Lowering<Set> {
        Ok(match set {
            Set::Cells(field, at, x, y) => {
                let field = self.lowerer.spec_field(*field, self.span)?;
                let at = self.at(*at);
                Set::Cells(field, at, Box::new(self.term(x)?), Box::new(self.term(y)?))
            }
            Set::Of(terms) => Set::Of(terms.iter().map(|t| self.term(t)).collect::<Lowering<_>>()?),
            Set::Pre(field, at, term) => {
                let field = self.lowerer.spec_field(*field, self.span)?;
                Set::Pre(field, self.at(*at), Box::new(self.term(term)?))
            }
            Set::Union(sets) => Set::Union(self.sets(sets)?),
            Set::Inter(sets) => Set::Inter(self.sets(sets)?),
            Set::Diff(a, b) => Set::Diff(Box::new(self.set(a)?), Box::new(self.set(b)?)),
        })
    }

    fn binder(&mut self, binder: &Binder) -> Lowering<Binder> {
        let of = match binder.of {
            Some(of) => Some(self.struct_id(of)?),
            None => None,
        };
        let id = self.lowerer.program.add_bound();
        self.bounds.insert(binder.id, (id, of));
        Ok(Binder { id, name: binder.name.clone(), of })
    }

    fn list(&mut self, parts: &[Formula]) -> Lowering<Vec<Formula>> {
        parts.iter().map(|p| self.formula(p)).collect()
    }

    fn formula(&mut self, formula: &Formula) -> Lowering<Formula> {
        use Formula as F;
        Ok(match formula {
            F::Const(value) => F::Const(*value),
            F::Not(inner) => F::Not(Box::new(self.formula(inner)?)),
            F::And(parts) => F::And(self.list(parts)?),
            F::Or(parts) => F::Or(self.list(parts)?),
            F::Implies(a, b) => F::Implies(Box::new(self.formula(a)?), Box::new(self.formula(b)?)),
            F::Iff(a, b) => F::Iff(Box::new(self.formula(a)?), Box::new(self.formula(b)?)),
            F::Compare(cmp @ (Cmp::Eq | Cmp::Ne), a, b) => match self.same_address(a, b)? {
                Some(same) if *cmp == Cmp::Eq => same,
                Some(same) => same.negate(),
                None => F::Compare(*cmp, self.term(a)?, self.term(b)?),
            },
            F::Compare(cmp, a, b) => F::Compare(*cmp, self.term(a)?, self.term(b)?),
            F::Reach { field, at, from, to, plus } => {
                let (field, at) = self.field_at(*field, *at)?;
                F::Reach { field, at, from: self.term(from)?, to: self.term(to)?, plus: *plus }
            }
            F::Between(field, at, x, y, z) => {
                let (field, at) = self.field_at(*field, *at)?;
                F::Between(field, at, self.term(x)?, self.term(y)?, self.term(z)?)
            }
            F::Valid(term, at) => self.valid(term, *at)?,
            F::Freed(term, at) => F::Freed(self.term(term)?, self.at(*at)),
            F::Fresh(term) => self.fresh(term)?,
            F::Stable(field, at, x) => {
                let (field, at) = self.field_at(*field, *at)?;
                F::Stable(field, at, self.term(x)?)
            }
            F::Unshared(field, at, x, y) => {
                let (field, at) = self.field_at(*field, *at)?;
                F::Unshared(field, at, self.term(x)?, self.term(y)?)
            }
            F::Sorted(field, other, at, x, y) => {
                let ((field, at), other) =
                    (self.field_at(*field, *at)?, self.lowerer.spec_field(*other, self.span)?);
                F::Sorted(field, other, at, self.term(x)?, self.term(y)?)
            }
            F::Inverse(field, other, at, x, y) => {
                let ((field, at), other) =
                    (self.field_at(*field, *at)?, self.lowerer.spec_field(*other, self.span)?);
                F::Inverse(field, other, at, self.term(x)?, self.term(y)?)
            }
            F::Dlseg(field, other, at, terms) => {
                let ((field, at), other) =
                    (self.field_at(*field, *at)?, self.lowerer.spec_field(*other, self.span)?);
                let [a, b, c, d] = &**terms;
                let terms = [self.term(a)?, self.term(b)?, self.term(c)?, self.term(d)?];
                F::Dlseg(field, other, at, Box::new(terms))
            }
            F::Tree(field, other, at, x) => {
                let ((field, at), other) =
                    (self.field_at(*field, *at)?, self.lowerer.spec_field(*other, self.span)?);
                F::Tree(field, other, at, self.term(x)?)
            }
            F::ValidRange(array, low, high) => {
                let (low, high) = (self.term(low)?, self.term(high)?);
                F::ValidRange(self.array(*array)?, low, high)
            }
            F::In(term, set) => F::In(self.term(term)?, self.set(set)?),
            F::Subset(a, b) => F::Subset(self.set(a)?, self.set(b)?),
            F::Disjoint(sets) => F::Disjoint(self.sets(sets)?),
            F::SameSet(a, b) => F::SameSet(self.set(a)?, self.set(b)?),
            F::Forall(binder, body) => F::Forall(self.binder(binder)?, Box::new(self.formula(body)?)),
            F::Exists(binder, body) => F::Exists(self.binder(binder)?, Box::new(self.formula(body)?)),
        })
    }

    fn field_at(&mut self, field: FieldId, at: At) -> Lowering<(FieldId, At)> {
        Ok((self.lowerer.spec_field(field, self.span)?, self.at(at)))
    }

    /// New since the entry of the function that the formula belongs to.
    fn fresh(&mut self, term: &Term) -> Lowering<Formula> {
        let term = self.term(term)?;
        let entry = self.at(At::Entry);
        if entry == At::Entry {
            return Ok(Formula::Fresh(term));
        }
        match self.struct_of(&term) {
            Some(of) => {
                let cell = Formula::ne(term.clone(), Term::Null(of));
                Ok(Formula::And(vec![cell, Formula::Valid(term, entry).negate()]))
            }
            None => self.unsupported("`\\fresh` of this term is not modelled here"),
        }
    }

    fn struct_of(&self, term: &Term) -> Option<StructId> {
        let program = &self.lowerer.program;
        match term {
            Term::Var(var, _) => program.vars[var.index()].ty.pointee(),
            Term::Bound(id) => self.bounds.values().find(|(new, _)| new == id).and_then(|(_, of)| *of),
            Term::Null(of) => Some(*of),
            Term::Field(field, _, _) => program.fields[field.index()].ty.pointee(),
            Term::Index(array, _, _) => program.vars[array.index()].ty.element().and_then(Type::pointee),
            Term::Ite(_, a, _) => self.struct_of(a),
            _ => None,
        }
    }
}
