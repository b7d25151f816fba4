//! From a Boolean model to a structure: read it, complete it, add the instances that it violates.
//!
//! Unmade literals are read as false. A structure that violates nothing is a heap: reachability is an acyclic
//! linear order on every chain, classes of equal constants agree on everything, and data are ordered by
//! levels. Stages run from cheap to expensive and the first one that finds violations ends the round, because
//! later stages read what earlier ones have to repair.

use super::HeapCtx;
use super::bits::{Square, has, insert, members};
use super::matrix::{OrderOrigin, Origin, SetOrigin};
use super::pred::Const;
use super::quantified::Quantified;
use super::schema::{self, Violated};
use super::structure::Reach;
use crate::sat::Lit;

/// Instances added for each row, or universal fact, and round.
const LIMIT: usize = 40;

/// Memory of one round, kept for the next.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    axioms: Vec<Violated>,
    instances: Vec<(Quantified, Const, Const)>,
    order: Square,
}

impl HeapCtx {
    fn value(&self, lit: Lit) -> bool {
        self.gates.sat.value(lit) == Some(true)
    }

    /// Reads the last Boolean model into `structure`. False if it violated something; instances were added.
    pub(super) fn refine(&mut self) -> bool {
        let mut scratch = std::mem::take(&mut self.scratch);
        self.read_fields();
        scratch.axioms.clear();
        schema::violated(&self.structure, self.config.fields, LIMIT, &mut scratch.axioms);
        let mut good = scratch.axioms.is_empty();
        scratch.axioms.iter().for_each(|&violated| self.add_axiom(violated));
        good = good && self.read_sets() && self.read_order(&mut scratch.order);
        good = good && {
            self.derive();
            scratch.instances.clear();
            self.find_instances(&mut scratch.instances);
            scratch.instances.iter().for_each(|&(fact, c, d)| self.add_instance(fact, c, d));
            scratch.instances.is_empty()
        };
        self.scratch = scratch;
        good
    }

    fn read_fields(&mut self) {
        let size = self.names.len();
        let mut structure = std::mem::take(&mut self.structure);
        structure.size = size;
        structure.reach.resize_with(self.matrices.len(), Reach::default);
        for field in 0..self.config.fields {
            let reach = &mut structure.reach[field];
            reach.rows.reset(size);
            for a in 0..size {
                reach.rows.set(a, a);
                reach.rows.set(a, 0);
            }
            for &(a, b, lit) in &self.matrices[field].1.made {
                if self.value(lit) && !self.is_idle(a) && !self.is_idle(b) {
                    reach.rows.set(a.index(), b.index());
                }
            }
            reach.proper = true;
        }
        let idle: Vec<usize> = (0..size).filter(|&c| self.is_idle(Const(c as u32))).collect();
        let null = structure.reach[0].rows.row(0).to_vec();
        for reach in &mut structure.reach[..self.config.fields] {
            reach.rows.row_mut(0).copy_from_slice(&null);
            for &c in &idle {
                (0..size).for_each(|a| reach.rows.set(a, c));
            }
            idle.iter().for_each(|&c| reach.rows.copy_row(0, c));
            reach.cols.transpose_of(&reach.rows);
        }
        self.structure = structure;
    }

    /// Reads the basic sets and gives each class one value; false if a class had two.
    fn read_sets(&mut self) -> bool {
        let mut structure = std::mem::take(&mut self.structure);
        let width = Square::width_for(structure.size);
        structure.sets.resize(self.sets.len(), Vec::new());
        let mut violated: Vec<(usize, Const, Const)> = Vec::new();
        for at in 0..=self.config.colours {
            structure.sets[at].clear();
            structure.sets[at].resize(width, 0);
            let made = &self.sets[at].1.made;
            for &(a, lit) in made {
                if !self.value(lit) || self.is_idle(a) {
                    continue;
                }
                if has(structure.nulls(), a.index()) {
                    violated.push((at, a, Const::NULL));
                }
                structure.insert_class(at, a.index());
            }
            for &(a, lit) in made {
                if has(&structure.sets[at], a.index()) && !self.value(lit) && !self.is_idle(a) {
                    let gave = |b: Const, lit| self.value(lit) && structure.equal(a.index(), b.index());
                    let other = made.iter().find(|&&(b, lit)| gave(b, lit) && !self.is_idle(b));
                    violated.push((at, other.expect("some member put the class in").0, a));
                }
            }
        }
        self.structure = structure;
        for &(at, a, b) in &violated {
            let set = super::pred::Unary(at as u32);
            let (same, from, to) = (self.equal(a, b), self.holds(set, a), self.holds(set, b));
            self.gates.clause(&[!same, !from, to]);
            self.stats.instances += 1;
        }
        violated.is_empty()
    }

    /// Reads the data order and completes it by levels; false if what is made is no total preorder.
    fn read_order(&mut self, order: &mut Square) -> bool {
        let size = self.structure.size;
        self.structure.levels.resize_with(self.orders.len(), Vec::new);
        self.structure.below.resize_with(self.orders.len(), Square::default);
        let level = &mut self.structure.levels[0];
        level.clear();
        level.resize(size, 0);
        if self.with_data.is_empty() {
            members(self.structure.reach[0].rows.row(0)).for_each(|a| level[a] = 1);
            self.structure.order_by_level(0);
            return true;
        }
        order.reset(size);
        let mut points: Vec<usize> = vec![0];
        points.extend(self.with_data.iter().filter(|&&c| !self.is_idle(c)).map(|c| c.index()));
        for &a in &points {
            order.set(a, a);
            order.set(a, 0);
            if has(self.structure.nulls(), a) {
                insert(order.row_mut(0), a);
            }
        }
        for &(a, b, lit) in &self.order.made {
            if self.value(lit) && !self.is_idle(a) && !self.is_idle(b) {
                order.set(a.index(), b.index());
            }
        }
        let mut equal: Vec<(usize, usize)> = Vec::new();
        let mut missing: Vec<[usize; 3]> = Vec::new();
        for &a in &points {
            let stop = missing.len() + LIMIT;
            equal.extend(
                points
                    .iter()
                    .map(|&b| (a, b))
                    .filter(|&(a, b)| !order.get(a, b) && self.structure.equal(a, b)),
            );
            'row: for b in members(order.row(a)) {
                for c in members(order.row(b)).filter(|&c| !order.get(a, c)) {
                    if missing.len() == stop {
                        break 'row;
                    }
                    missing.push([a, b, c]);
                }
            }
        }
        let constant = |at: usize| Const(at as u32);
        for &(a, b) in &equal {
            let (same, below) =
                (self.equal(constant(a), constant(b)), self.at_most(constant(a), constant(b)));
            self.gates.clause(&[!same, below]);
        }
        for &[a, b, c] in &missing {
            let [a, b, c] = [a, b, c].map(constant);
            let (first, second, both) = (self.at_most(a, b), self.at_most(b, c), self.at_most(a, c));
            self.gates.clause(&[!first, !second, both]);
        }
        self.stats.instances += (equal.len() + missing.len()) as u64;
        if !equal.is_empty() || !missing.is_empty() {
            return false;
        }
        // The number of points below grows strictly along the strict order, so it is a level.
        let structure = &mut self.structure;
        for &d in &points {
            let below = points.iter().filter(|&&c| order.get(c, d)).count() as u32;
            let (rows, cols) = (structure.reach[0].rows.row(d), structure.reach[0].cols.row(d));
            for at in 0..rows.len() {
                super::bits::Word(rows[at] & cols[at])
                    .for_each(|bit| structure.levels[0][64 * at + bit] = below);
            }
        }
        structure.order_by_level(0);
        true
    }

    /// Computes the derived matrices and sets.
    fn derive(&mut self) {
        let mut structure = std::mem::take(&mut self.structure);
        for at in self.config.fields..self.matrices.len() {
            match self.matrices[at].0 {
                Origin::Base => unreachable!("fields come first"),
                Origin::Store(before, x, y) => structure.store(at, before.index(), x.index(), y.index()),
                Origin::Choice(test, yes, no) => {
                    let chosen = if self.value(test) { yes } else { no };
                    let (from, to) = structure.reach.split_at_mut(at);
                    to[0].clone_from(&from[chosen.index()]);
                }
            }
        }
        for at in self.config.colours + 1..self.sets.len() {
            match self.sets[at].0 {
                SetOrigin::Base => unreachable!("basic sets come first"),
                SetOrigin::With(before, c) => structure.update_set(at, before.index(), c.index(), true),
                SetOrigin::Without(before, c) => structure.update_set(at, before.index(), c.index(), false),
                SetOrigin::Choice(test, yes, no) => {
                    let chosen = if self.value(test) { yes } else { no };
                    structure.sets[at] = structure.sets[chosen.index()].clone();
                }
            }
        }
        for at in 1..self.orders.len() {
            match self.orders[at] {
                OrderOrigin::Base => unreachable!("the data at the beginning come first"),
                OrderOrigin::Store(before, x, value) => {
                    structure.store_datum(at, before.index(), x.index(), value.index());
                }
                OrderOrigin::Choice(test, yes, no) => {
                    let chosen = if self.value(test) { yes } else { no }.index();
                    structure.levels[at] = structure.levels[chosen].clone();
                    structure.below[at] = structure.below[chosen].clone();
                }
            }
        }
        self.structure = structure;
    }

    fn find_instances(&self, out: &mut Vec<(Quantified, Const, Const)>) {
        let constant = |at: usize| Const(at as u32);
        for &fact in &self.quantified {
            match fact {
                Quantified::Successor { m, a, next } => {
                    let Reach { rows, cols, .. } = &self.structure.reach[m.index()];
                    let sets = (rows.row(a.index()), cols.row(a.index()), rows.row(next.index()));
                    for at in 0..sets.0.len() {
                        for bit in super::bits::Word(sets.0[at] & !sets.1[at] & !sets.2[at]) {
                            out.push((fact, Const::NULL, constant(64 * at + bit)));
                        }
                    }
                }
                Quantified::Fresh { m, cell, guard } => {
                    if self.value(guard) {
                        let others = members(self.structure.reach[m.index()].cols.row(cell.index()))
                            .filter(|&d| !self.structure.equal(d, cell.index()));
                        out.extend(others.map(|d| (fact, Const::NULL, constant(d))));
                    }
                }
                Quantified::Segment { kind, m, x, y, label } => {
                    if self.value(label) {
                        let stop = out.len() + LIMIT;
                        self.structure.violations(kind, m, x, y, |c, d| {
                            out.push((fact, constant(c), constant(d)));
                            out.len() < stop
                        });
                    }
                }
            }
        }
    }
}
