//! Finite models: a universe per uninterpreted sort and a table per symbol.

use crate::logic::sort::SortId;
use crate::logic::symbol::FuncId;
use crate::logic::term::Terms;
use crate::util::hash::Map;
use crate::util::num::Int;

/// A value of some sort.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Int),
    /// Element number n of the universe of an uninterpreted sort.
    Elem(u32),
}

impl Value {
    /// The truth value; false for other values, which have no truth.
    pub fn is_true(&self) -> bool {
        *self == Value::Bool(true)
    }
}

/// The interpretation of one symbol: finitely many entries and a value for everything else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FuncTable {
    /// Values at given arguments.
    pub entries: Map<Box<[Value]>, Value>,
    /// The value elsewhere.
    pub default: Value,
}

impl FuncTable {
    /// The value at these arguments.
    pub fn get(&self, args: &[Value]) -> &Value {
        self.entries.get(args).unwrap_or(&self.default)
    }
}

/// A finite model. Symbols without a table have the default value of their sort everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    sizes: Vec<u32>,
    tables: Map<FuncId, FuncTable>,
}

impl Model {
    /// A model in which every uninterpreted sort has one element.
    pub fn new(terms: &Terms) -> Model {
        Model { sizes: vec![1; terms.n_sorts()], tables: Map::default() }
    }

    /// The number of elements of an uninterpreted sort; at least 1.
    pub fn size(&self, sort: SortId) -> u32 {
        self.sizes.get(sort.index()).copied().unwrap_or(1)
    }

    /// Sets the number of elements of an uninterpreted sort.
    pub fn set_size(&mut self, sort: SortId, size: u32) {
        if self.sizes.len() <= sort.index() {
            self.sizes.resize(sort.index() + 1, 1);
        }
        self.sizes[sort.index()] = size.max(1);
    }

    /// The value that symbols without a table take in this sort.
    pub fn default_value(sort: SortId) -> Value {
        match sort {
            SortId::BOOL => Value::Bool(false),
            SortId::INT => Value::Int(Int::from(0)),
            _ => Value::Elem(0),
        }
    }

    /// Makes room for the tables of so many more symbols.
    pub(crate) fn reserve(&mut self, symbols: usize) {
        self.tables.reserve(symbols);
    }

    /// Sets the value of a symbol at some arguments. A constant has its value as default and no entries.
    pub fn set(&mut self, terms: &Terms, func: FuncId, args: &[Value], value: Value) {
        if args.is_empty() {
            return self.set_default(func, value);
        }
        self.table_mut(terms, func).entries.insert(args.into(), value);
    }

    /// The table of a symbol, made if it has none.
    pub fn table_mut(&mut self, terms: &Terms, func: FuncId) -> &mut FuncTable {
        let default = || Model::default_value(terms.func(func).result);
        self.tables.entry(func).or_insert_with(|| FuncTable { entries: Map::default(), default: default() })
    }

    /// Sets the value of a symbol where no entry says otherwise.
    pub fn set_default(&mut self, func: FuncId, value: Value) {
        match self.tables.get_mut(&func) {
            Some(table) => table.default = value,
            None => {
                self.tables.insert(func, FuncTable { entries: Map::default(), default: value });
            }
        }
    }

    /// The value of a symbol at some arguments.
    pub fn get(&self, terms: &Terms, func: FuncId, args: &[Value]) -> Value {
        match self.tables.get(&func) {
            Some(table) => table.get(args).clone(),
            None => Model::default_value(terms.func(func).result),
        }
    }

    /// The Boolean constants that are true, and perhaps predicates that are true everywhere; in no order.
    pub(crate) fn true_constants(&self) -> impl Iterator<Item = FuncId> + '_ {
        let holds = |table: &FuncTable| table.entries.is_empty() && table.default.is_true();
        self.tables.iter().filter(move |(_, table)| holds(table)).map(|(&func, _)| func)
    }

    /// The table of a symbol, if it has one.
    pub fn table(&self, func: FuncId) -> Option<&FuncTable> {
        self.tables.get(&func)
    }
}
