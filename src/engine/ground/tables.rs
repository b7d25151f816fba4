//! Dense tables of predicates and functions over classes: the finite model as the evaluator reads it.
//!
//! A *view* of a predicate is a bit matrix in which one chosen argument runs along the bits of a row, so that
//! all values of a quantified variable are looked at 64 at a time. A predicate has as many views as the
//! compiled bodies ask for. Tables too large to be dense are kept as maps.
//!
//! A table is filled when a body that reads it is about to run. It remembers the tick of the world at which it
//! last changed, so that a quantifier that reads nothing new is not evaluated again.

use super::closure::Closure;
use super::encode::Encoder;
use crate::logic::{FuncId, SortId, Terms};
use crate::util::hash::Map;

/// Above this many words a table is kept as a map.
const DENSE_WORDS: usize = 1 << 20;

/// Values at places that are tuples of classes, zero where nothing is set.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Store<T> {
    Dense(Vec<T>),
    Sparse(Map<Box<[u32]>, T>),
}

impl<T: Copy + Default> Store<T> {
    /// Empties the store and makes it fit for places below `dims`.
    fn reset(&mut self, dims: &[u32]) {
        let size = dims.iter().try_fold(1usize, |n, &d| n.checked_mul(d as usize));
        match (size, &mut *self) {
            (Some(n), Store::Dense(values)) if n <= DENSE_WORDS => {
                values.clear();
                values.resize(n, T::default());
            }
            (Some(n), _) if n <= DENSE_WORDS => *self = Store::Dense(vec![T::default(); n]),
            (_, Store::Sparse(values)) => values.clear(),
            _ => *self = Store::Sparse(Map::default()),
        }
    }

    #[inline]
    fn get(&self, dims: &[u32], place: impl Iterator<Item = u32>) -> T {
        match self {
            Store::Dense(values) => values[index(dims, place)],
            Store::Sparse(values) => {
                let key: Vec<u32> = place.collect();
                values.get(&key[..]).copied().unwrap_or_default()
            }
        }
    }

    fn at(&mut self, dims: &[u32], place: impl Iterator<Item = u32>) -> &mut T {
        match self {
            Store::Dense(values) => &mut values[index(dims, place)],
            Store::Sparse(values) => values.entry(place.collect()).or_default(),
        }
    }
}

#[inline]
fn index(dims: &[u32], place: impl Iterator<Item = u32>) -> usize {
    place.zip(dims).fold(0, |at, (value, &dim)| at * dim as usize + value as usize)
}

/// A predicate as bit rows.
#[derive(Clone, Debug)]
struct View {
    func: FuncId,
    /// Which argument runs along the rows; 0 for a predicate without arguments.
    along: usize,
    /// Sorts of the other arguments in order, then of the one along the rows.
    sorts: Vec<SortId>,
    /// Numbers of classes of the other arguments, then words per row.
    dims: Vec<u32>,
    rows: Store<u64>,
    previous: Store<u64>,
    changed: u64,
    filled: u64,
}

/// A function by classes.
#[derive(Clone, Debug)]
struct FuncTable {
    func: FuncId,
    dims: Vec<u32>,
    values: Store<u32>,
    previous: Store<u32>,
    changed: u64,
    filled: u64,
}

/// The model that tables are filled from.
pub(super) struct Now<'a> {
    /// The values of atoms.
    pub(super) encoder: &'a Encoder,
    /// The classes of nodes.
    pub(super) closure: &'a Closure,
    /// Its number.
    pub(super) tick: u64,
}

impl View {
    fn fill(&mut self, now: &Now<'_>, sizes: &[u32]) {
        let &Now { encoder, closure, tick } = now;
        self.filled = tick;
        self.dims.clear();
        self.dims.extend(self.sorts.iter().map(|s| sizes[s.index()]));
        match self.dims.last_mut() {
            Some(last) => *last = last.div_ceil(64),
            None => self.dims.push(1),
        }
        std::mem::swap(&mut self.rows, &mut self.previous);
        self.rows.reset(&self.dims);
        let atoms = encoder.relation(self.func).into_iter().flat_map(|r| r.atoms());
        for (_, args) in atoms.filter(|(var, _)| encoder.holds(*var)) {
            let last = args.get(self.along).map_or(0, |&a| closure.class(a));
            let others = args.iter().enumerate().filter(|(at, _)| *at != self.along);
            let place = others.map(|(_, &a)| closure.class(a)).chain([last / 64]);
            *self.rows.at(&self.dims, place) |= 1 << (last % 64);
        }
        if self.rows != self.previous {
            self.changed = tick;
        }
    }
}

impl FuncTable {
    fn fill(&mut self, terms: &Terms, now: &Now<'_>, sizes: &[u32]) {
        let &Now { encoder, closure, tick } = now;
        self.filled = tick;
        self.dims.clear();
        self.dims.extend(terms.func(self.func).args.iter().map(|s| sizes[s.index()]));
        std::mem::swap(&mut self.values, &mut self.previous);
        self.values.reset(&self.dims);
        for &node in encoder.universe.of_func(self.func) {
            let place = encoder.universe.node(node).args.iter().map(|&a| closure.class(a));
            *self.values.at(&self.dims, place) = closure.class(node);
        }
        if self.values != self.previous {
            self.changed = tick;
        }
    }
}

/// All tables that some compiled body reads.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    views: Vec<View>,
    view_ids: Map<(FuncId, usize), u32>,
    funcs: Vec<FuncTable>,
    func_ids: Map<FuncId, u32>,
    sizes: Vec<u32>,
}

impl Tables {
    /// The view of a predicate along one argument.
    pub(super) fn view(&mut self, terms: &Terms, func: FuncId, along: usize) -> u32 {
        *self.view_ids.entry((func, along)).or_insert_with(|| {
            let mut sorts = terms.func(func).args.clone();
            if !sorts.is_empty() {
                let last = sorts.remove(along);
                sorts.push(last);
            }
            let empty = || Store::Dense(Vec::new());
            let (rows, previous) = (empty(), empty());
            self.views.push(View {
                func,
                along,
                sorts,
                dims: Vec::new(),
                rows,
                previous,
                changed: 0,
                filled: 0,
            });
            self.views.len() as u32 - 1
        })
    }

    /// The view of a predicate along its last argument.
    pub(super) fn main_view(&mut self, terms: &Terms, func: FuncId) -> u32 {
        let along = terms.func(func).args.len().saturating_sub(1);
        self.view(terms, func, along)
    }

    /// The table of a function.
    pub(super) fn func(&mut self, func: FuncId) -> u32 {
        *self.func_ids.entry(func).or_insert_with(|| {
            let empty = || Store::Dense(Vec::new());
            let (values, previous) = (empty(), empty());
            self.funcs.push(FuncTable { func, dims: Vec::new(), values, previous, changed: 0, filled: 0 });
            self.funcs.len() as u32 - 1
        })
    }

    /// The number of classes of a sort, at least 1.
    #[inline]
    pub(super) fn size(&self, sort: SortId) -> u32 {
        self.sizes[sort.index()]
    }

    /// Takes over the numbers of classes.
    pub(super) fn resize(&mut self, terms: &Terms, closure: &Closure) {
        self.sizes.clear();
        let sorts = (0..terms.n_sorts() as u32).map(SortId);
        self.sizes.extend(sorts.map(|s| closure.representatives(s).len().max(1) as u32));
    }

    /// Fills these tables from the present model if they are older than `tick`.
    pub(super) fn fill(&mut self, terms: &Terms, now: &Now<'_>, views: &[u32], funcs: &[u32]) {
        for &view in views {
            let view = &mut self.views[view as usize];
            if view.filled < now.tick {
                view.fill(now, &self.sizes);
            }
        }
        for &table in funcs {
            let table = &mut self.funcs[table as usize];
            if table.filled < now.tick {
                table.fill(terms, now, &self.sizes);
            }
        }
    }

    /// The symbol of a function table.
    pub(super) fn symbol(&self, table: u32) -> FuncId {
        self.funcs[table as usize].func
    }

    /// When a view last changed.
    pub(super) fn view_changed(&self, view: u32) -> u64 {
        self.views[view as usize].changed
    }

    /// When a function last changed.
    pub(super) fn func_changed(&self, table: u32) -> u64 {
        self.funcs[table as usize].changed
    }

    /// One word of a row: `others` are the arguments that do not run along it.
    #[inline]
    pub(super) fn word(&self, view: u32, mut others: impl Iterator<Item = u32>, word: u32) -> u64 {
        let view = &self.views[view as usize];
        // Relations of two arguments over few cells are most of what is asked in benches/incremental.
        if let (Store::Dense(rows), [_, 1]) = (&view.rows, &view.dims[..])
            && let Some(row) = others.next()
        {
            return rows[row as usize];
        }
        view.rows.get(&view.dims, others.chain([word]))
    }

    /// Whether a predicate holds; `args` with the argument along the rows last.
    #[inline]
    pub(super) fn bit(&self, view: u32, others: impl Iterator<Item = u32>, last: u32) -> bool {
        self.word(view, others, last / 64) >> (last % 64) & 1 != 0
    }

    /// The class of a function's value; class 0 where nothing is known.
    #[inline]
    pub(super) fn value(&self, table: u32, args: impl Iterator<Item = u32>) -> u32 {
        let table = &self.funcs[table as usize];
        table.values.get(&table.dims, args)
    }
}
