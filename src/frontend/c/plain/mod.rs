//! What the cells of the engines have no words for, said with what they have, before lowering.
//!
//! - An array inside an object, of structs or of arrays, is a struct with one member per element (`Made::Elements`): a constant
//!   index is a member, any other a choice among them.
//! - A block of numbers that pointers lead to (text, `malloc(n * sizeof(int))`, a long array inside a struct) is a struct
//!   with a length and, for characters, the place of the first zero (`Made::Block`; module `block`): what it holds is not
//!   kept, so a value that is read is a guess.
//! - A union of numbers and pointers is a struct that says which member was stored last (`united`).
//! - A number with a fraction is nothing but a place: comparing two is a guess. A bit-field is a narrow integer.
//! - A function of the library is what it does to all that (`library`): what comes from outside is arbitrary.
//!
//! A *guess* is any value where C has a certain one. What is verified for all values holds in C; a run that fails with a
//! guess shows nothing ([`Trace::is_real`](crate::program::trace::Trace::is_real)).
//!
//! All that is done for one function and those that it calls, and only if something in them has no model otherwise.

mod arguments;
mod block;
mod build;
mod library;
mod memory;
mod moving;
mod number;
mod text;
mod united;
mod value;

use super::hir::{Callee, Checked, ExprKind, Function, Global, GlobalInit, Local, Variable};
use super::objects::visit::{Mapper, all};
use super::token::Names;
use super::types::{FloatKind, Made, MemberTy, RecordId, RecordTy, Signature, Ty, Types};
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::program::IntKind;
use crate::util::hash::{Map, Set};
use crate::util::options;
use std::sync::Arc;

/// Lengths and places inside blocks.
const PLACE: IntKind = IntKind { bits: 64, signed: true };

struct Plain<'a> {
    types: Types,
    old: &'a Types,
    checked: &'a Checked,
    names: &'a Names,
    /// The structs that stand for blocks, by the numbers in them.
    blocks: Vec<(IntKind, RecordId)>,
    /// Numbers such that pointers to them lead into blocks.
    pointed: Set<IntKind>,
    /// The structs that stand for arrays.
    arrays: Vec<(Ty, u64, RecordId)>,
    /// Arrays that are used as pointers; globals belong to function `u32::MAX`.
    decayed: Set<(u32, Variable)>,
    /// Variables that are made for literals.
    texts: Map<Vec<u8>, u32>,
    globals: Vec<Global>,
    function: u32,
    /// Of the function at hand.
    locals: Vec<Local>,
    is_main: bool,
    /// The variables for the places of moving pointers, of the function at hand.
    places: Map<u32, u32>,
}

/// The unit with nothing but what cells can say, as far as that goes, if the function needs it.
pub(super) fn rewrite(
    types: &Types,
    checked: &Checked,
    names: &Names,
    entry: u32,
) -> Option<(Types, Checked)> {
    let reached = reach(checked, entry);
    if !needed(checked, &reached) {
        return None;
    }
    let is_main = names.text(checked.functions[entry as usize].name) == "main";
    let mut plain = Plain {
        types: types.clone(),
        old: types,
        checked,
        names,
        blocks: Vec::new(),
        pointed: Set::default(),
        arrays: Vec::new(),
        decayed: Set::default(),
        texts: Map::default(),
        globals: checked.globals.clone(),
        function: u32::MAX,
        locals: Vec::new(),
        is_main,
        places: Map::default(),
    };
    plain.look(&reached);
    plain.change_structs();
    let mut functions = Vec::new();
    for (index, function) in (0..).zip(&checked.functions) {
        let new = if reached[index as usize] {
            plain.function(index, function)
        } else {
            Function { body: None, ..function.clone() }
        };
        functions.push(new);
    }
    plain.function = u32::MAX;
    for (index, old) in (0..).zip(&checked.globals) {
        let ty = plain.variable_type(Variable::Global(index), &old.ty);
        let mut init = Vec::new();
        if plain.holds_block(&ty) && !old.init.is_empty() {
            let message =
                "a global with numbers that pointers lead to starts with values, which is not modelled";
            let found = Diagnostic::unsupported("unsupported", old.span, message);
            match plain.global_text(index, &ty, &old.init) {
                Some(text) => init.push(text),
                None => plain.globals[index as usize].diagnostics.push(found),
            }
            (plain.globals[index as usize].ty, plain.globals[index as usize].init) = (ty, init);
            continue;
        }
        for i in &old.init {
            init.push(GlobalInit { target: plain.expression(&i.target), value: plain.expression(&i.value) });
        }
        let new = &mut plain.globals[index as usize];
        (new.ty, new.init) = (ty, init);
    }
    plain.types.flatten_more(names);
    let checked = Checked {
        functions,
        globals: plain.globals,
        shapes: checked.shapes.clone(),
        boxed: checked.boxed.clone(),
        parts: checked.parts.clone(),
        by_itself: checked.by_itself,
        kinds: checked.kinds.clone(),
    };
    Some((plain.types, checked))
}

/// The functions that may be called, and the function itself.
fn reach(checked: &Checked, entry: u32) -> Vec<bool> {
    let mut reached = vec![false; checked.functions.len()];
    let mut open = vec![entry];
    // Whoever calls through a pointer may call any of these.
    let mut through = false;
    let mut taken: Option<Vec<u32>> = None;
    while let Some(index) = open.pop() {
        if std::mem::replace(&mut reached[index as usize], true) {
            continue;
        }
        for statement in checked.functions[index as usize].body.iter().flatten() {
            all(statement, &mut |e| match &e.kind {
                ExprKind::Call(Callee::Function(callee), _) | ExprKind::Function(callee) => {
                    open.push(*callee);
                }
                ExprKind::CallPointer(..) => through = true,
                _ => {}
            });
        }
        if through {
            open.extend(taken.get_or_insert_with(|| checked.taken_functions()).iter());
            through = false;
        }
    }
    reached
}

/// Whether something has no model as it is.
fn needed(checked: &Checked, reached: &[bool]) -> bool {
    let mut found = false;
    for (function, _) in checked.functions.iter().zip(reached).filter(|(_, reached)| **reached) {
        for statement in function.body.iter().flatten() {
            all(statement, &mut |e| match &e.kind {
                ExprKind::Unmodelled(..) | ExprKind::Float(_) => found = true,
                ExprKind::Call(Callee::Function(callee), _) => {
                    let callee = &checked.functions[*callee as usize];
                    found |= !callee.defined && !callee.has_contract;
                }
                _ => {}
            });
        }
        let fraction = |ty: &Ty| matches!(ty, Ty::Float(_));
        found |= fraction(&function.result) || function.locals.iter().any(|l| fraction(&l.ty));
    }
    found
}

/// The integer that stands for a number.
fn number(ty: &Ty) -> Option<IntKind> {
    match ty {
        Ty::Int(kind) => Some(*kind),
        Ty::Float(FloatKind::Single) => Some(IntKind { bits: 32, signed: true }),
        Ty::Float(FloatKind::Double) => Some(IntKind { bits: 64, signed: true }),
        _ => None,
    }
}

/// Scalars in an object.
fn scalars(types: &Types, ty: &Ty) -> u64 {
    match ty {
        Ty::Array(element, Some(length)) => scalars(types, element).saturating_mul(*length),
        Ty::Record(id) => {
            let members = types.record(*id).members.iter().flatten();
            members.fold(0, |sum: u64, m| sum.saturating_add(scalars(types, &m.ty)))
        }
        _ => 1,
    }
}

impl Plain<'_> {
    /// Finds out which numbers lie in blocks that pointers lead to, and which arrays are used as pointers.
    fn look(&mut self, reached: &[bool]) {
        for (index, function) in (0..).zip(&self.checked.functions) {
            if !reached[index as usize] {
                continue;
            }
            let contract = function.has_contract;
            for local in function.locals.iter().take(function.parameters.len()) {
                // An array of the caller's has a model of its own, which formulas speak about.
                if let (Ty::Array(element, None), true) = (&local.ty, contract) {
                    self.old_arrays(element);
                }
            }
        }
        let mut kept = std::mem::take(&mut self.pointed);
        // Formulas speak of what such pointers lead to.
        kept.extend(self.checked.boxed.iter().filter_map(number));
        let mut pointed = Set::default();
        let mut decayed = Set::default();
        for (index, function) in (0..).zip(&self.checked.functions) {
            if !reached[index as usize] {
                continue;
            }
            for statement in function.body.iter().flatten() {
                all(statement, &mut |e| {
                    value::points(self.checked, e, &mut pointed);
                    value::decays(e, index, &mut decayed);
                    // Bytes of structs are no blocks.
                    kept.extend(value::bytes_of_structs(self.old, e));
                });
            }
        }
        for global in &self.checked.globals {
            for init in &global.init {
                value::points(self.checked, &init.value, &mut pointed);
                value::decays(&init.value, u32::MAX, &mut decayed);
            }
        }
        self.pointed = pointed.into_iter().filter(|kind| !kept.contains(kind)).collect();
        // A pointer of the caller's leads to objects of which only the contract speaks.
        if !self.is_main {
            self.pointed.clear();
        }
        self.decayed = decayed;
    }

    fn old_arrays(&mut self, element: &Ty) {
        self.pointed.extend(number(element));
    }

    /// The members of all structs in new types.
    fn change_structs(&mut self) {
        for index in 0..self.old.records.len() {
            let Some(mut members) = self.old.records[index].members.clone() else { continue };
            if self.old.records[index].union {
                if self.is_simple_union(RecordId(index as u32)) {
                    self.types.records[index].members = Some(self.united_members(members));
                    self.types.records[index].union = false;
                }
                continue;
            }
            for member in &mut members {
                match (member.width, &member.ty) {
                    (Some(width), Ty::Int(kind)) if member.name.is_some() => {
                        member.ty = Ty::Int(number::bits(*kind, width));
                        member.width = None;
                    }
                    (None, ty) => member.ty = self.member_type(&ty.clone()),
                    _ => {}
                }
            }
            self.types.records[index].members = Some(members);
        }
    }

    /// The struct that stands for a block of such numbers.
    fn block(&mut self, kind: IntKind) -> RecordId {
        if let Some((_, id)) = self.blocks.iter().find(|(known, _)| *known == kind) {
            return *id;
        }
        let name = format!("block of {}", self.old.show(&Ty::Int(kind)));
        let members = if kind.bits == 8 { 3 } else { 1 };
        let member =
            || MemberTy { name: None, ty: Ty::Int(PLACE), width: None, ghost: false, span: Span::default() };
        let members = (0..members).map(|_| member()).collect();
        let id = self.add_record(name, members, Made::Block, None);
        self.blocks.push((kind, id));
        id
    }

    /// The struct that stands for an array of so many elements.
    fn elements(&mut self, element: &Ty, length: u64) -> RecordId {
        if let Some((.., id)) = self.arrays.iter().find(|(e, n, _)| e == element && *n == length) {
            return *id;
        }
        let name = format!("{}[{length}]", self.types.show(element));
        let member = |_| MemberTy {
            name: None,
            ty: element.clone(),
            width: None,
            ghost: false,
            span: Span::default(),
        };
        let members = (0..length).map(member).collect();
        let layout =
            self.types.layout(element).and_then(|(size, align)| Some((size.checked_mul(length)?, align)));
        let id = self.add_record(name, members, Made::Elements, layout);
        self.arrays.push((element.clone(), length, id));
        id
    }

    fn add_record(
        &mut self,
        name: String,
        members: Vec<MemberTy>,
        made: Made,
        layout: Option<(u64, u64)>,
    ) -> RecordId {
        let id = RecordId(self.types.records.len() as u32);
        let count = members.len() as u64;
        let size = layout.map_or(0, |(size, _)| size / count.max(1));
        let offset = |n: u64| super::types::Offset { byte: n * size, bit: 0 };
        self.types.records.push(RecordTy {
            name,
            union: false,
            members: Some(members),
            alignment: if layout.is_some() {
                super::ast::Alignment::Natural
            } else {
                super::ast::Alignment::Unknown
            },
            layout,
            offsets: (0..count).map(offset).collect(),
            fields: Vec::new(),
            broken: false,
            span: Span::default(),
            merged: None,
            made,
        });
        id
    }

    /// The type of a value.
    fn value_type(&mut self, ty: &Ty) -> Ty {
        match ty {
            Ty::Float(_) => number(ty).map_or_else(|| ty.clone(), Ty::Int),
            Ty::Pointer(element) | Ty::Array(element, None)
                if number(element).is_some_and(|kind| self.pointed.contains(&kind)) =>
            {
                let kind = number(element).unwrap_or(IntKind::INT);
                Ty::Record(self.block(kind)).pointer()
            }
            Ty::Pointer(inner) => self.value_type(inner).pointer(),
            Ty::Array(element, length) => Ty::Array(Arc::new(self.value_type(element)), *length),
            Ty::Function(signature) => {
                let parameters = signature.parameters.iter().map(|p| self.value_type(p)).collect();
                let result = self.value_type(&signature.result);
                Ty::Function(Arc::new(Signature { parameters, result, ..(**signature).clone() }))
            }
            ty => ty.clone(),
        }
    }

    /// The type of an object inside another.
    fn member_type(&mut self, ty: &Ty) -> Ty {
        let Ty::Array(element, Some(length)) = ty else { return self.value_type(ty) };
        let most = options::C_ELEMENTS.get();
        match number(element) {
            Some(kind) if self.pointed.contains(&kind) || *length > most => Ty::Record(self.block(kind)),
            _ => {
                let inside = self.member_type(element);
                let count = scalars(&self.types, &inside).saturating_mul(*length);
                match (1..=most.saturating_mul(2)).contains(&count) && *length <= most {
                    true => Ty::Record(self.elements(&inside, *length)),
                    false => self.value_type(ty),
                }
            }
        }
    }

    /// The type of a variable of the function at hand, or of a global.
    fn variable_type(&mut self, variable: Variable, ty: &Ty) -> Ty {
        let Ty::Array(element, Some(length)) = ty else { return self.value_type(ty) };
        let owner = match variable {
            Variable::Local(_) => self.function,
            Variable::Global(_) => u32::MAX,
        };
        let decayed = self.decayed.contains(&(owner, variable));
        match number(element) {
            Some(kind) if decayed && self.pointed.contains(&kind) => Ty::Record(self.block(kind)),
            Some(_) => self.value_type(ty),
            None if !decayed && element.pointee().is_some() => self.value_type(ty),
            None => match (self.member_type(ty), value::flat(ty)) {
                // A large array of arrays is one array.
                (Ty::Array(..), Some((kind, total))) if *length > 0 => {
                    Ty::Array(Arc::new(Ty::Int(kind)), Some(total))
                }
                (ty, _) => ty,
            },
        }
    }

    fn function(&mut self, index: u32, old: &Function) -> Function {
        self.function = index;
        self.places.clear();
        let mut new = old.clone();
        for (local, entry) in (0..).zip(&mut new.locals) {
            entry.ty = self.variable_type(Variable::Local(local), &entry.ty);
        }
        for (i, ty) in new.parameters.iter_mut().enumerate() {
            *ty = new.locals.get(i).map_or_else(|| ty.clone(), |local| local.ty.clone());
        }
        new.result = self.value_type(&old.result);
        self.locals = std::mem::take(&mut new.locals);
        if let Some(body) = &old.body {
            let mut all = self.companions(old);
            all.extend(self.statements(body));
            new.body = Some(all);
        }
        new.locals = std::mem::take(&mut self.locals);
        new
    }
}
