//! Programs as logic: what states, expressions and formulas of [`program`](crate::program) are as terms of
//! [`logic`](crate::logic).
//!
//! Each struct is an uninterpreted sort with a constant for null; cells and null are its elements. A field is
//! a unary function, allocation a function to the integers ([`status`]). The state at one moment is a
//! [`Moment`]: a term per variable and a [`VersionId`] per field, so formulas that speak of two moments (entry
//! and now, before and after a call) are told apart by the moments they are encoded over.
//!
//! A [`Version`] is the contents of a field. A write does not make a new function symbol: `f` after
//! `p->f = q` is a *store* over the version before, read through `ite(t = p, q, f(t))`, and reachability along
//! it is the formula over the version before of LISBQ, Figures 7 to 11 as corrected in ERRATA ([`reach`]).
//! So every condition speaks of the symbols of a few moments only (entry, loop heads, calls), which is the
//! shape the core decides completely. Terms are shared, results remembered by version and arguments, and
//! long chains of writes are cut ([`reach`]), so n writes cost O(n).
//!
//! Everything is total as `program::eval` says: a link field of null is null, an integer field of null keeps
//! its one value in all versions.
//!
//! What has no exact counterpart is an [`Inexpressible`] with its reason; callers drop such a hypothesis and
//! never drop such a goal.

pub mod expr;
pub mod formula;
pub mod need;
mod path;
pub mod reach;
pub mod set;
mod shape;
mod version;

pub use version::{Version, VersionId};

use super::cfg::Program;
use super::decl::{FieldId, LabelId, StructId, Type, VarId};
use super::formula::At;
use crate::logic::{BuildError, FuncId, SortId, TermId, Terms};
use crate::util::hash::{Map, Set};
use std::sync::Arc;

/// Values of the allocation function.
pub mod status {
    /// Never allocated.
    pub const NEVER: i64 = 0;
    /// Allocated on the heap.
    pub const HEAP: i64 = 1;
    /// Freed.
    pub const FREED: i64 = 2;
    /// A variable whose address is taken.
    pub const AUTOMATIC: i64 = 3;
    /// What null has: none of the above.
    pub const NULL: i64 = 4;
}

/// Why something has no exact counterpart in the logic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inexpressible(pub String);

impl From<BuildError> for Inexpressible {
    fn from(error: BuildError) -> Inexpressible {
        Inexpressible(error.to_string())
    }
}

impl std::fmt::Display for Inexpressible {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// A term, or the reason why there is none.
pub type Built = Result<TermId, Inexpressible>;

/// The state at one moment, as terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// By variable; of an array variable its length.
    pub vars: Vec<TermId>,
    /// By field.
    pub fields: Vec<VersionId>,
    /// Allocation, by struct.
    pub status: Vec<VersionId>,
    /// Elements of array variables, by variable.
    pub arrays: Vec<Option<VersionId>>,
}

/// The moments that a formula may speak of.
#[derive(Clone, Copy, Debug)]
pub struct Moments<'a> {
    /// [`At::Now`]
    pub now: &'a Moment,
    /// [`At::Entry`]
    pub entry: &'a Moment,
    /// [`At::Label`]
    pub labels: &'a Map<LabelId, Arc<Moment>>,
}

impl<'a> Moments<'a> {
    /// The moment named.
    pub fn at(&self, at: At) -> Result<&'a Moment, Inexpressible> {
        match at {
            At::Now => Ok(self.now),
            At::Entry => Ok(self.entry),
            At::Label(label) => self
                .labels
                .get(&label)
                .map(|m| &**m)
                .ok_or_else(|| Inexpressible("a label whose moment has not come on this path".to_owned())),
        }
    }
}

/// Makes terms of one program.
#[derive(Clone, Debug)]
pub struct Encoder<'p> {
    pub(crate) program: &'p Program,
    /// All terms.
    pub terms: Terms,
    sorts: Vec<SortId>,
    nulls: Vec<TermId>,
    versions: Vec<Version>,
    version_ids: Map<Version, VersionId>,
    /// Writes and meetings on the longest way to a symbol, by version.
    depths: Vec<u32>,
    reads: Map<(VersionId, TermId), TermId>,
    betweens: Map<(VersionId, [TermId; 3]), TermId>,
    cuts: Map<VersionId, VersionId>,
    /// Whether reachability along a version is expressed directly.
    direct: Map<VersionId, bool>,
    /// Whether a version writes few cells.
    few: Map<VersionId, bool>,
    /// Names for deep reachability, if it is by need.
    names: Option<need::Names>,
    /// Cells allocated on the way, pointers that the caller gives, pairs that differ from the entry on.
    allocated: Set<TermId>,
    /// Those by struct.
    births: Vec<path::Births>,
    given: Vec<TermId>,
    apart: Set<(TermId, TermId)>,
    /// Fields as they are at the entry of a function.
    closed: Set<FuncId>,
    /// Link symbols and cells whose chains end in null.
    chains: Set<(FuncId, TermId)>,
    unknowns: Map<expr::Unknown, TermId>,
    /// Whether cells of automatic storage exist; if not, allocated means on the heap.
    automatic: bool,
    /// Facts that hold by definition of the symbols made so far.
    pub facts: Vec<TermId>,
    n_symbols: u32,
}

impl<'p> Encoder<'p> {
    /// An encoder with the sorts of the program.
    ///
    /// # Errors
    /// Never for a program that keeps its invariants.
    pub fn new(program: &'p Program) -> Result<Encoder<'p>, Inexpressible> {
        let mut terms = Terms::new();
        let (mut sorts, mut nulls) = (Vec::new(), Vec::new());
        for (i, s) in program.structs.iter().enumerate() {
            let sort = terms.declare_sort(&format!("{}#{i}", s.name))?;
            sorts.push(sort);
            nulls.push(terms.declare_const(&format!("null#{i}"), sort)?);
        }
        let is_automatic = |e: &super::Edge| {
            matches!(
                e.command,
                super::Command::Alloc { storage: super::Storage::Automatic, .. } | super::Command::Release(_)
            )
        };
        Ok(Encoder {
            program,
            terms,
            sorts,
            nulls,
            versions: Vec::new(),
            version_ids: Map::default(),
            depths: Vec::new(),
            reads: Map::default(),
            betweens: Map::default(),
            cuts: Map::default(),
            direct: Map::default(),
            few: Map::default(),
            names: None,
            allocated: Set::default(),
            births: vec![path::Births::default(); program.structs.len()],
            given: Vec::new(),
            apart: Set::default(),
            closed: Set::default(),
            chains: Set::default(),
            unknowns: Map::default(),
            automatic: program.edges.iter().any(is_automatic),
            facts: Vec::new(),
            n_symbols: 0,
        })
    }

    /// The program whose terms these are.
    #[must_use]
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The sort of a struct.
    #[must_use]
    pub fn sort_of(&self, s: StructId) -> SortId {
        self.sorts[s.index()]
    }

    /// The null of a struct.
    #[must_use]
    pub fn null(&self, s: StructId) -> TermId {
        self.nulls[s.index()]
    }

    /// The sort of values of a type that is no array.
    #[must_use]
    pub fn value_sort(&self, ty: Type) -> SortId {
        match ty {
            Type::Int(_) | Type::IntArray(_) | Type::PtrArray(_) => SortId::INT,
            Type::Ptr(s) => self.sort_of(s),
        }
    }

    fn symbol_name(&mut self, name: &str) -> String {
        self.n_symbols += 1;
        // Names of the source like `\\result` are not names of the logic.
        format!("{}@{}", name.replace(['\\', '|'], ""), self.n_symbols)
    }

    /// A constant nobody knows anything about.
    ///
    /// # Errors
    /// Never for sorts of this encoder.
    pub fn unknown(&mut self, name: &str, sort: SortId) -> Built {
        let name = self.symbol_name(name);
        Ok(self.terms.declare_const(&name, sort)?)
    }

    fn function(&mut self, name: &str, from: SortId, to: SortId) -> Result<VersionId, Inexpressible> {
        let name = self.symbol_name(name);
        let func = self.terms.declare_fun(&name, &[from], to)?;
        Ok(self.version(Version::Base(func)))
    }

    /// Unknown contents of a field, equal to those of `like` at null.
    ///
    /// # Errors
    /// Never for fields of the program.
    pub fn fresh_field(
        &mut self,
        field: FieldId,
        like: Option<VersionId>,
    ) -> Result<VersionId, Inexpressible> {
        let declared = &self.program.fields[field.index()];
        let (from, to) = (self.sort_of(declared.owner), self.value_sort(declared.ty));
        let version = self.function(&declared.name, from, to)?;
        let null = self.null(declared.owner);
        let at_null = self.read(version, null)?;
        let value = match (declared.ty, like) {
            (Type::Ptr(s), _) => self.null(s),
            (_, Some(like)) => self.read(like, null)?,
            (_, None) => return Ok(version),
        };
        let fact = self.terms.eq(at_null, value)?;
        self.facts.push(fact);
        Ok(version)
    }

    /// An unknown allocation function.
    ///
    /// # Errors
    /// Never for structs of the program.
    pub fn fresh_status(&mut self, of: StructId) -> Result<VersionId, Inexpressible> {
        let version = self.function("alloc", self.sort_of(of), SortId::INT)?;
        let null = self.null(of);
        let (at_null, value) = (self.read(version, null)?, self.terms.int(status::NULL));
        let fact = self.terms.eq(at_null, value)?;
        self.facts.push(fact);
        Ok(version)
    }

    /// An unknown set of cells: those at which the version has the value 1. Null is not in it.
    ///
    /// # Errors
    /// Never for structs of the program.
    pub fn fresh_set(&mut self, name: &str, of: StructId) -> Result<VersionId, Inexpressible> {
        let version = self.function(name, self.sort_of(of), SortId::INT)?;
        let null = self.null(of);
        let (at_null, value) = (self.read(version, null)?, self.terms.int(0));
        let fact = self.terms.eq(at_null, value)?;
        self.facts.push(fact);
        Ok(version)
    }

    /// Unknown elements of an array variable.
    ///
    /// # Errors
    /// Never for array variables of the program.
    pub fn fresh_array(&mut self, var: VarId) -> Result<VersionId, Inexpressible> {
        let declared = &self.program.vars[var.index()];
        let element =
            declared.ty.element().ok_or_else(|| Inexpressible("an array was expected".to_owned()))?;
        let to = self.value_sort(element);
        self.function(&declared.name, SortId::INT, to)
    }

    /// An unknown value of a variable; of an array its length, which is a number of elements.
    ///
    /// # Errors
    /// Never for variables of the program.
    pub fn fresh_var(&mut self, var: VarId) -> Built {
        let declared = &self.program.vars[var.index()];
        if let (Some(_), Some(len)) = (declared.ty.element(), declared.len) {
            return Ok(self.terms.int(i128::from(len)));
        }
        let value = self.unknown(&declared.name, self.value_sort(declared.ty))?;
        if declared.ty.element().is_some() {
            let zero = self.terms.int(0);
            let fact = self.terms.le(zero, value)?;
            self.facts.push(fact);
        }
        Ok(value)
    }

    /// A moment of which nothing is known.
    ///
    /// # Errors
    /// Never for a program that keeps its invariants.
    pub fn fresh_moment(&mut self) -> Result<Moment, Inexpressible> {
        let program = self.program;
        let ids = |n: usize| 0..u32::try_from(n).unwrap_or(u32::MAX);
        Ok(Moment {
            vars: ids(program.vars.len()).map(|v| self.fresh_var(VarId(v))).collect::<Result<_, _>>()?,
            fields: ids(program.fields.len())
                .map(|f| self.fresh_field(FieldId(f), None))
                .collect::<Result<_, _>>()?,
            status: ids(program.structs.len())
                .map(|s| self.fresh_status(StructId(s)))
                .collect::<Result<_, _>>()?,
            arrays: ids(program.vars.len())
                .map(|v| {
                    let is_array = program.vars[v as usize].ty.element().is_some();
                    is_array.then(|| self.fresh_array(VarId(v))).transpose()
                })
                .collect::<Result<_, _>>()?,
        })
    }

    /// Whether the cell is allocated.
    ///
    /// # Errors
    /// If the term is not of the sort of the struct.
    pub fn is_valid(&mut self, moment: &Moment, of: StructId, cell: TermId) -> Built {
        let value = self.read(moment.status[of.index()], cell)?;
        let heap = self.terms.int(status::HEAP);
        let on_heap = self.terms.eq(value, heap)?;
        if !self.automatic {
            return Ok(on_heap);
        }
        let automatic = self.terms.int(status::AUTOMATIC);
        let is_automatic = self.terms.eq(value, automatic)?;
        Ok(self.terms.or(&[on_heap, is_automatic])?)
    }

    /// Statuses of allocated cells.
    pub(crate) fn valid_values(&self) -> Vec<i64> {
        if self.automatic { vec![status::HEAP, status::AUTOMATIC] } else { vec![status::HEAP] }
    }

    /// Whether the cell has this status.
    ///
    /// # Errors
    /// If the term is not of the sort of the struct.
    pub fn has_status(&mut self, version: VersionId, cell: TermId, value: i64) -> Built {
        let found = self.read(version, cell)?;
        let value = self.terms.int(value);
        Ok(self.terms.eq(found, value)?)
    }

    /// `term != null`.
    ///
    /// # Errors
    /// If the term is not of the sort of the struct.
    pub fn not_null(&mut self, of: StructId, term: TermId) -> Built {
        let null = self.null(of);
        let equal = self.terms.eq(term, null)?;
        Ok(self.terms.not(equal)?)
    }
}
