//! The sparse matrix under the simplex: integer rows `sum a_j x_j = 0`, each with one basic variable.
//!
//! An entry of a row and its occurrence in the column point at each other, so that both are removed in
//! constant time. Rows are kept primitive (the gcd of their coefficients is 1), which keeps numbers small
//! and makes the row itself the list of Farkas multipliers.
//!
//! Invariant: a basic variable occurs in its own row only.

use crate::util::num::Int;

/// Stands for "no row" and "no position".
pub(super) const NONE: u32 = u32::MAX;

/// One nonzero coefficient of a row.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub var: u32,
    pub coeff: Int,
    /// Where the column of `var` lists this entry.
    at: u32,
}

/// One place where a variable occurs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence {
    pub row: u32,
    /// The position in that row.
    pub at: u32,
}

#[derive(Clone, Debug)]
struct Row {
    entries: Vec<Entry>,
    basic: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Tableau {
    rows: Vec<Row>,
    columns: Vec<Vec<Occurrence>>,
    /// The row in which a variable is basic, or [`NONE`].
    home: Vec<u32>,
    /// Position of each variable in the row being combined; all [`NONE`] between operations.
    place: Vec<u32>,
    /// How many entries all rows have together.
    entries: usize,
}

impl Tableau {
    pub fn add_column(&mut self) -> u32 {
        self.columns.push(Vec::new());
        self.home.push(NONE);
        self.place.push(NONE);
        (self.columns.len() - 1) as u32
    }

    pub fn row_count(&self) -> usize {
        self.rows.len()
    }

    pub fn row(&self, row: u32) -> &[Entry] {
        &self.rows[row as usize].entries
    }

    pub fn basic(&self, row: u32) -> u32 {
        self.rows[row as usize].basic
    }

    /// The row in which `var` is basic.
    pub fn home(&self, var: u32) -> Option<u32> {
        let home = self.home[var as usize];
        (home != NONE).then_some(home)
    }

    pub fn column(&self, var: u32) -> &[Occurrence] {
        &self.columns[var as usize]
    }

    /// The coefficient of the row's basic variable.
    pub fn basic_coeff(&self, row: u32) -> &Int {
        let row = &self.rows[row as usize];
        // A basic variable occurs once.
        &row.entries[self.columns[row.basic as usize][0].at as usize].coeff
    }

    pub fn coeff(&self, o: Occurrence) -> &Int {
        &self.rows[o.row as usize].entries[o.at as usize].coeff
    }

    /// Adds the row `terms - basic = 0`, rewritten over the variables that are not basic. `basic` must be
    /// a fresh column.
    pub fn add_row<'a>(&mut self, basic: u32, terms: impl Iterator<Item = (&'a Int, u32)>) {
        let row = self.rows.len() as u32;
        self.rows.push(Row { entries: Vec::new(), basic });
        self.push_entry(row, basic, Int::MINUS_ONE);
        let mut eliminate = Vec::new();
        for (coeff, var) in terms {
            self.push_entry(row, var, coeff.clone());
            eliminate.extend(self.home(var));
        }
        self.home[basic as usize] = row;
        for source in eliminate {
            let var = self.basic(source);
            let at = self.columns[var as usize].iter().find(|o| o.row == row);
            // Basic variables do not occur in other rows, so no elimination removes another's target.
            let o = *at.expect("a basic variable of the new row is still there");
            self.eliminate(o, source, var);
        }
    }

    /// Makes `var` basic in `row`, in place of the variable that is basic there.
    pub fn pivot(&mut self, row: u32, var: u32) {
        let old = self.basic(row);
        self.home[old as usize] = NONE;
        self.home[var as usize] = row;
        self.rows[row as usize].basic = var;
        // Every elimination takes one occurrence out of the column.
        while let Some(o) = self.columns[var as usize].iter().copied().find(|o| o.row != row) {
            self.eliminate(o, row, var);
        }
    }

    /// Takes `var` out of the row of `o` by adding a multiple of `source`.
    fn eliminate(&mut self, o: Occurrence, source: u32, var: u32) {
        let in_source = self.columns[var as usize].iter().find(|p| p.row == source);
        let pivot = self.coeff(*in_source.expect("the source row has the variable")).clone();
        let coeff = self.coeff(o).clone();
        let gcd = pivot.gcd(&coeff);
        let (keep, add) =
            if gcd.is_one() { (pivot, -coeff) } else { (pivot.div_floor(&gcd), -coeff.div_floor(&gcd)) };
        self.combine(o.row, &keep, source, &add);
    }

    /// `target := keep * target + add * source`, made primitive.
    fn combine(&mut self, target: u32, keep: &Int, source: u32, add: &Int) {
        debug_assert!(target != source && !keep.is_zero() && !add.is_zero());
        for (i, entry) in self.rows[target as usize].entries.iter_mut().enumerate() {
            if !keep.is_one() {
                entry.coeff *= keep;
            }
            self.place[entry.var as usize] = i as u32;
        }
        let entries = std::mem::take(&mut self.rows[source as usize].entries);
        for entry in &entries {
            let scaled = &entry.coeff * add;
            match self.place[entry.var as usize] {
                NONE => {
                    self.place[entry.var as usize] = self.rows[target as usize].entries.len() as u32;
                    self.push_entry(target, entry.var, scaled);
                }
                at => self.rows[target as usize].entries[at as usize].coeff += scaled,
            }
        }
        self.rows[source as usize].entries = entries;
        for at in (0..self.rows[target as usize].entries.len()).rev() {
            let entry = &self.rows[target as usize].entries[at];
            self.place[entry.var as usize] = NONE;
            if entry.coeff.is_zero() {
                self.remove_entry(target, at as u32);
            }
        }
        self.make_primitive(target);
    }

    fn make_primitive(&mut self, row: u32) {
        let entries = &mut self.rows[row as usize].entries;
        let mut gcd = Int::ZERO;
        for entry in entries.iter() {
            gcd = gcd.gcd(&entry.coeff);
            if gcd.is_one() {
                return;
            }
        }
        for entry in entries.iter_mut() {
            entry.coeff = entry.coeff.div_floor(&gcd);
        }
    }

    fn push_entry(&mut self, row: u32, var: u32, coeff: Int) {
        let column = &mut self.columns[var as usize];
        let entries = &mut self.rows[row as usize].entries;
        column.push(Occurrence { row, at: entries.len() as u32 });
        entries.push(Entry { var, coeff, at: (column.len() - 1) as u32 });
        self.entries += 1;
    }

    fn remove_entry(&mut self, row: u32, at: u32) {
        let removed = self.rows[row as usize].entries.swap_remove(at as usize);
        self.entries -= 1;
        if let Some(moved) = self.rows[row as usize].entries.get(at as usize) {
            self.columns[moved.var as usize][moved.at as usize].at = at;
        }
        let column = &mut self.columns[removed.var as usize];
        column.swap_remove(removed.at as usize);
        if let Some(moved) = column.get(removed.at as usize) {
            self.rows[moved.row as usize].entries[moved.at as usize].at = removed.at;
        }
    }

    /// Bytes of all entries, nearly, without a walk over them.
    pub fn entry_bytes(&self) -> u64 {
        // Lists grow by doubling.
        (self.entries * (size_of::<Entry>() + size_of::<Occurrence>()) * 3 / 2) as u64
    }

    pub fn memory_bytes(&self) -> u64 {
        let rows = self.rows.iter().map(|row| {
            let numbers: u64 = row.entries.iter().map(|e| e.coeff.heap_bytes()).sum();
            (size_of::<Row>() + row.entries.capacity() * size_of::<Entry>()) as u64 + numbers
        });
        let columns = self.columns.iter().map(|c| (32 + c.capacity() * size_of::<Occurrence>()) as u64);
        rows.sum::<u64>() + columns.sum::<u64>()
    }

    /// Whether entries and occurrences agree, rows are primitive and basic variables occur once.
    pub fn check_links(&self) -> bool {
        let entry_ok = |r: usize, i: usize, e: &Entry| {
            let o = self.columns[e.var as usize][e.at as usize];
            !e.coeff.is_zero() && o.row as usize == r && o.at as usize == i
        };
        let rows_ok = self.rows.iter().enumerate().all(|(r, row)| {
            row.entries.iter().enumerate().all(|(i, e)| entry_ok(r, i, e))
                && self.home[row.basic as usize] as usize == r
                && self.columns[row.basic as usize].len() == 1
                && row.entries.iter().fold(Int::ZERO, |g, e| g.gcd(&e.coeff)).is_one()
        });
        let entries: usize = self.rows.iter().map(|row| row.entries.len()).sum();
        let occurrences: usize = self.columns.iter().map(Vec::len).sum();
        rows_ok && entries == occurrences && entries == self.entries && self.place.iter().all(|&p| p == NONE)
    }
}
