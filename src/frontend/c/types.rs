//! Types after names are resolved, and the layout of structs under the two data models.

use super::ast::Alignment;
use super::token::Name;
use crate::frontend::diagnostic::Span;
use crate::program::{FieldId, IntKind};
use crate::util::hash::Map;
use std::sync::Arc;

/// `_Bool`: one bit, so that its values are 0 and 1.
pub const BOOL: IntKind = IntKind { bits: 1, signed: false };

/// A struct or union of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(pub u32);

/// A floating-point type, in order of rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FloatKind {
    /// `float`
    Single,
    /// `double`
    Double,
    /// `long double`
    Extended,
}

/// The type of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// What it returns.
    pub result: Ty,
    /// What it takes.
    pub parameters: Vec<Ty>,
    /// It takes more.
    pub variadic: bool,
    /// Nothing was said about parameters.
    pub unspecified: bool,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    /// `void`
    Void,
    /// Integers, enumerations, `_Bool`.
    Int(IntKind),
    /// `T *`
    Pointer(Arc<Ty>),
    /// A struct or union.
    Record(RecordId),
    /// `T [n]`; the length is unknown for parameters.
    Array(Arc<Ty>, Option<u64>),
    /// `float`, `double` and `long double`.
    Float(FloatKind),
    /// A function.
    Function(Arc<Signature>),
    /// Legal, but there is no model for it.
    Unsupported(&'static str),
}

impl Ty {
    /// C's `int`.
    pub const INT: Ty = Ty::Int(IntKind::INT);

    /// `self *`
    pub fn pointer(self) -> Ty {
        Ty::Pointer(Arc::new(self))
    }

    /// What it points to.
    pub fn pointee(&self) -> Option<&Ty> {
        match self {
            Ty::Pointer(inner) => Some(inner),
            _ => None,
        }
    }

    /// The kind of integer.
    pub fn int(&self) -> Option<IntKind> {
        match self {
            Ty::Int(kind) => Some(*kind),
            _ => None,
        }
    }

    /// Integer or pointer.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Ty::Int(_) | Ty::Pointer(_))
    }

    /// Integer or floating-point number.
    pub fn is_arithmetic(&self) -> bool {
        matches!(self, Ty::Int(_) | Ty::Float(_))
    }

    /// The function that is called through a value of this type.
    pub fn signature(&self) -> Option<&Arc<Signature>> {
        match self {
            Ty::Function(signature) => Some(signature),
            Ty::Pointer(inner) => match &**inner {
                Ty::Function(signature) => Some(signature),
                _ => None,
            },
            _ => None,
        }
    }

    /// The struct a pointer points to.
    pub fn target(&self) -> Option<RecordId> {
        match self.pointee() {
            Some(Ty::Record(id)) => Some(*id),
            _ => None,
        }
    }
}

/// One member of a struct.
#[derive(Clone, Debug)]
pub struct MemberTy {
    /// `None`: anonymous.
    pub name: Option<Name>,
    /// Its type.
    pub ty: Ty,
    /// Its width, if it is a bit-field.
    pub width: Option<u32>,
    /// Declared in an annotation.
    pub ghost: bool,
    /// Where.
    pub span: Span,
}

/// Where a member lies in its struct.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offset {
    /// Bytes from the beginning.
    pub byte: u64,
    /// Of a bit-field: bits from there, counted from the least significant one.
    pub bit: u32,
}

/// Several structs as one, because the same pointers lead to objects of all of them: each is a member, and an object
/// has only some of them.
#[derive(Clone, Debug)]
pub struct Merged {
    /// By member: what an object is that was made as this struct.
    pub kinds: Vec<Kind>,
    /// The member that says which kind an object is, where that is not clear otherwise.
    pub tag: Option<u32>,
}

/// What an object of a merged struct can be.
#[derive(Clone, Debug)]
pub struct Kind {
    /// The struct of the unit.
    pub record: RecordId,
    /// Its size in bytes.
    pub size: Option<i128>,
    /// Where it begins, compared with the others.
    pub start: i128,
    /// Members that such an object has.
    pub owns: Vec<u32>,
    /// There are such objects that are no variables.
    pub loose: bool,
    /// Some of them lie inside other objects, so that an access beyond them need not be one beyond those.
    pub inside: bool,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct RecordTy {
    /// As written: `struct node`, or an invented name.
    pub name: String,
    /// `union`
    pub union: bool,
    /// Members, once it is defined.
    pub members: Option<Vec<MemberTy>>,
    /// How its members are aligned.
    pub alignment: Alignment,
    /// Size and alignment in bytes, once it is defined, if all members have them.
    pub layout: Option<(u64, u64)>,
    /// Where its members lie, if it has a layout.
    pub offsets: Vec<Offset>,
    /// Its fields in [`Types::fields`].
    pub fields: Vec<u32>,
    /// Its definition has an error: nothing is known about objects of this type.
    pub broken: bool,
    /// Where.
    pub span: Span,
    /// It stands for several structs.
    pub merged: Option<Arc<Merged>>,
    /// What it stands for.
    pub made: Made,
}

/// Where a struct comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// From the text.
    Declared,
    /// It stands for an array inside an object, and each member for an element (module `plain`).
    Elements,
    /// It stands for a block of numbers whose values are not kept (module `plain`).
    Block,
}

impl Made {
    /// How a member is called that has no name.
    fn label(self, index: usize) -> String {
        match self {
            Made::Declared => String::new(),
            Made::Elements => format!("[{index}]"),
            Made::Block => ["length", "end", "fixed"].get(index).map_or(String::new(), |l| (*l).to_owned()),
        }
    }
}

/// A field of the flattened struct: a path through embedded structs to a scalar.
#[derive(Clone, Debug)]
pub struct FlatField {
    /// The struct.
    pub record: RecordId,
    /// Members on the way.
    pub path: Vec<u32>,
    /// The last member's type.
    pub ty: Ty,
    /// Declared in an annotation.
    pub ghost: bool,
    /// `a.b`
    pub name: String,
}

/// All structs of a unit.
#[derive(Clone, Debug, Default)]
pub struct Types {
    /// By id.
    pub records: Vec<RecordTy>,
    /// Fields of all complete structs; the position is the id within the unit.
    pub fields: Vec<FlatField>,
    /// `long` and pointers have 64 bits.
    pub lp64: bool,
    pub(super) paths: Map<(RecordId, Vec<u32>), u32>,
    /// What objects of type `void *` lead to, once there is one: a struct without members. Such pointers are copied and
    /// compared with each other and with null; nothing is known of what is behind them, which may be any object.
    pub(super) opaque: Option<RecordId>,
}

/// Fields of one struct that are entered; embedding can double the number with every struct.
pub const MAX_FIELDS: usize = 4096;

impl Types {
    /// The struct with that id.
    pub fn record(&self, id: RecordId) -> &RecordTy {
        &self.records[id.0 as usize]
    }

    /// A pointer to what nobody knows.
    pub fn is_opaque(&self, ty: &Ty) -> bool {
        ty.target().is_some_and(|id| self.opaque == Some(id))
    }

    /// The member of that name, looked up through anonymous structs: the path to it.
    pub fn member(&self, id: RecordId, name: Name) -> Option<Vec<u32>> {
        let members = self.record(id).members.as_ref()?;
        for (i, member) in members.iter().enumerate() {
            if member.name == Some(name) {
                return Some(vec![i as u32]);
            }
            if let (None, Ty::Record(inner)) = (member.name, &member.ty)
                && let Some(mut path) = self.member(*inner, name)
            {
                path.insert(0, i as u32);
                return Some(path);
            }
        }
        None
    }

    /// The type of a member by its position.
    pub fn member_at(&self, id: RecordId, index: u32) -> Option<&MemberTy> {
        self.record(id).members.as_ref()?.get(index as usize)
    }

    /// The field at the end of a path.
    pub fn field(&self, record: RecordId, path: &[u32]) -> Option<FieldId> {
        self.paths.get(&(record, path.to_vec())).map(|n| FieldId(*n))
    }

    /// The type of what lies at the end of a path of members.
    pub fn part_type(&self, record: RecordId, path: &[u32]) -> Option<&Ty> {
        let (&last, before) = path.split_last()?;
        let mut at = record;
        for &index in before {
            match self.member_at(at, index)?.ty {
                Ty::Record(inner) => at = inner,
                _ => return None,
            }
        }
        Some(&self.member_at(at, last)?.ty)
    }

    /// The names of the members on a path: `a.b`.
    pub fn path_name(&self, record: RecordId, path: &[u32], names: &super::token::Names) -> String {
        let mut text = String::new();
        for n in 0..path.len() {
            let around = if n == 0 { Some(&Ty::Record(record)) } else { self.part_type(record, &path[..n]) };
            let Some(&Ty::Record(around)) = around else { continue };
            let made = self.record(around).made;
            let name = match self.member_at(around, path[n]).and_then(|m| m.name) {
                Some(name) => names.text(name).to_owned(),
                None => made.label(path[n] as usize),
            };
            if !(text.is_empty() || name.is_empty() || made == Made::Elements) {
                text.push('.');
            }
            text.push_str(&name);
        }
        text
    }

    /// Enters layout and fields of a struct that was just defined.
    pub fn flatten(&mut self, record: RecordId, names: &super::token::Names) {
        let (layout, offsets) = self.record_layout(record).unzip();
        self.records[record.0 as usize].layout = layout;
        self.records[record.0 as usize].offsets = offsets.unwrap_or_default();
        self.records[record.0 as usize].fields.clear();
        self.flatten_into(record, record, &mut Vec::new(), String::new(), names);
    }

    /// Enters the fields of all structs after members were added to some; fields keep their numbers, sizes stay as they are.
    pub(super) fn flatten_more(&mut self, names: &super::token::Names) {
        for index in 0..self.records.len() as u32 {
            let record = RecordId(index);
            self.records[index as usize].fields.clear();
            if self.record(record).members.is_some() {
                self.flatten_into(record, record, &mut Vec::new(), String::new(), names);
            }
        }
    }

    /// Enters the fields of all structs again after members were changed; sizes stay as they are.
    pub(super) fn flatten_again(&mut self, names: &super::token::Names) {
        self.fields.clear();
        self.paths.clear();
        self.flatten_more(names);
    }

    fn flatten_into(
        &mut self,
        owner: RecordId,
        part: RecordId,
        path: &mut Vec<u32>,
        prefix: String,
        names: &super::token::Names,
    ) {
        if self.record(part).union || self.record(owner).fields.len() > MAX_FIELDS {
            return;
        }
        let members = self.record(part).members.clone().unwrap_or_default();
        for (i, member) in members.iter().enumerate() {
            path.push(i as u32);
            let made = self.record(part).made;
            let own = member.name.map_or_else(|| made.label(i), |n| names.text(n).to_owned());
            let dot = if prefix.is_empty() || made == Made::Elements { "" } else { "." };
            let name = format!("{prefix}{dot}{own}");
            match &member.ty {
                Ty::Record(inner) => self.flatten_into(owner, *inner, path, name, names),
                ty if ty.is_scalar() && member.width.is_none() => {
                    let field = FlatField {
                        record: owner,
                        path: path.clone(),
                        ty: ty.clone(),
                        ghost: member.ghost,
                        name: name.trim_start_matches('.').to_owned(),
                    };
                    // A field that is known already keeps its number.
                    if let Some(known) = self.paths.get(&(owner, path.clone())).copied() {
                        self.fields[known as usize] = field;
                        self.records[owner.0 as usize].fields.push(known);
                    } else {
                        let new = self.fields.len() as u32;
                        self.paths.insert((owner, path.clone()), new);
                        self.fields.push(field);
                        self.records[owner.0 as usize].fields.push(new);
                    }
                }
                _ => {}
            }
            path.pop();
        }
    }

    /// Structs embedded by value, directly or inside others.
    pub fn embedded(&self, id: RecordId) -> Vec<RecordId> {
        let mut found = Vec::new();
        let mut open = vec![id];
        while let Some(next) = open.pop() {
            for member in self.record(next).members.iter().flatten() {
                let mut ty = &member.ty;
                while let Ty::Array(inner, _) = ty {
                    ty = inner;
                }
                if let Ty::Record(inner) = ty
                    && !found.contains(inner)
                {
                    found.push(*inner);
                    open.push(*inner);
                }
            }
        }
        found
    }

    /// Size and alignment in bytes; `None` if it has none that we know.
    pub fn layout(&self, ty: &Ty) -> Option<(u64, u64)> {
        let word = if self.lp64 { 8 } else { 4 };
        match ty {
            Ty::Int(kind) => {
                let bytes = u64::from(kind.bits).div_ceil(8);
                // On 32-bit x86 a 64-bit integer inside a struct is aligned to 4 bytes.
                Some((bytes, if self.lp64 { bytes } else { bytes.min(4) }))
            }
            Ty::Pointer(_) => Some((word, word)),
            Ty::Float(FloatKind::Single) => Some((4, 4)),
            Ty::Float(FloatKind::Double) => Some((8, if self.lp64 { 8 } else { 4 })),
            Ty::Float(FloatKind::Extended) => Some(if self.lp64 { (16, 16) } else { (12, 4) }),
            Ty::Array(element, Some(length)) => {
                let (size, align) = self.layout(element)?;
                Some((size.checked_mul(*length)?, align))
            }
            Ty::Record(id) => self.record(*id).layout,
            _ => None,
        }
    }

    /// Size, alignment and the places of members, as GCC and Clang have them on x86.
    fn record_layout(&self, id: RecordId) -> Option<((u64, u64), Vec<Offset>)> {
        let record = self.record(id);
        let most = match record.alignment {
            Alignment::Natural => u64::MAX,
            Alignment::AtMost(most) => most,
            Alignment::Unknown => return None,
        };
        // `bits` is where the next member may begin.
        let (mut bits, mut size, mut align) = (0u64, 0u64, 1u64);
        let members = record.members.as_ref()?;
        let mut offsets = Vec::with_capacity(members.len());
        for (i, member) in members.iter().enumerate() {
            if member.ghost {
                offsets.push(Offset::default());
                continue;
            }
            let (bytes, boundary) = match &member.ty {
                // A flexible array at the end takes no room.
                Ty::Array(element, None) if i + 1 == members.len() && !record.union => {
                    (0, self.layout(element)?.1)
                }
                ty => self.layout(ty)?,
            };
            if member.width.is_some() && most != u64::MAX {
                return None;
            }
            let boundary = boundary.min(most);
            let start = if record.union { 0 } else { bits };
            let place = match member.width {
                None => start.checked_next_multiple_of(boundary.checked_mul(8)?)?,
                Some(0) => start.checked_next_multiple_of(boundary * 8)?,
                // A bit-field lies within one aligned unit of its type.
                Some(width) => {
                    let unit = boundary * 8;
                    let units = (start % unit + u64::from(width)).div_ceil(unit);
                    if units > bytes * 8 / unit { start.checked_next_multiple_of(unit)? } else { start }
                }
            };
            if member.width.is_none() || member.name.is_some() {
                align = align.max(boundary);
            }
            let length = member.width.map_or(bytes.checked_mul(8)?, u64::from);
            bits = place.checked_add(length)?;
            size = size.max(bits.div_ceil(8));
            offsets.push(Offset { byte: place / 8, bit: (place % 8) as u32 });
        }
        Some(((size.checked_next_multiple_of(align)?, align), offsets))
    }

    /// As a user would write it.
    pub fn show(&self, ty: &Ty) -> String {
        match ty {
            Ty::Void => "void".to_owned(),
            Ty::Int(kind) => show_int(*kind, self.lp64).to_owned(),
            Ty::Pointer(inner) => {
                let inner = self.show(inner);
                if inner.ends_with('*') { format!("{inner}*") } else { format!("{inner} *") }
            }
            Ty::Record(id) => self.record(*id).name.clone(),
            Ty::Array(element, Some(length)) => format!("{}[{length}]", self.show(element)),
            Ty::Array(element, None) => format!("{}[]", self.show(element)),
            Ty::Float(FloatKind::Single) => "float".to_owned(),
            Ty::Float(FloatKind::Double) => "double".to_owned(),
            Ty::Float(FloatKind::Extended) => "long double".to_owned(),
            Ty::Function(_) => "function".to_owned(),
            Ty::Unsupported(what) => (*what).to_owned(),
        }
    }
}

fn show_int(kind: IntKind, lp64: bool) -> &'static str {
    match (kind.bits, kind.signed) {
        (1, _) => "_Bool",
        (8, true) => "char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned int",
        (_, true) => {
            if lp64 {
                "long"
            } else {
                "long long"
            }
        }
        (_, false) => {
            if lp64 {
                "unsigned long"
            } else {
                "unsigned long long"
            }
        }
    }
}
