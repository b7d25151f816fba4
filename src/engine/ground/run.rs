//! Running compiled bodies: which tuples of classes violate a quantifier.

use super::program::{Instr, Level, Nest, Program};
use super::tables::Tables;
use crate::util::limits::{Budget, Stop};

/// The registers, kept between runs to save their allocation.
#[derive(Clone, Debug, Default)]
pub(super) struct Machine {
    terms: Vec<u32>,
    bools: Vec<u64>,
}

/// Called with the class registers at each violation; true ends the search.
type Found<'f> = &'f mut dyn FnMut(&[u32]) -> bool;

impl Machine {
    /// Finds assignments of the program's variables that make its body false, in lexicographic order of the
    /// loops. Returns whether `found` ended the search.
    pub(super) fn violations(
        &mut self,
        program: &Program,
        tables: &Tables,
        budget: &mut Budget,
        found: Found<'_>,
    ) -> Result<bool, Stop> {
        self.terms.clear();
        self.terms.resize(program.n_terms as usize, 0);
        self.terms[1] = 1;
        self.bools.clear();
        self.bools.resize(program.n_bools as usize, 0);
        let mut run = Run { program, tables, machine: self, budget };
        run.block(program.blocks.len() - 1, found)
    }
}

struct Run<'a> {
    program: &'a Program,
    tables: &'a Tables,
    machine: &'a mut Machine,
    budget: &'a mut Budget,
}

impl Run<'_> {
    fn block(&mut self, block: usize, found: Found<'_>) -> Result<bool, Stop> {
        let program = self.program;
        for nest in &program.blocks[block] {
            for &register in &nest.idle {
                self.machine.terms[register as usize] = 0;
            }
            if self.execute(&nest.prelude, 0, !0)? != 0 && self.descend(nest, &nest.levels, found)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn descend(&mut self, nest: &Nest, levels: &[Level], found: Found<'_>) -> Result<bool, Stop> {
        let Some((level, inner)) = levels.split_first() else {
            return Ok(found(&self.machine.terms));
        };
        let size = self.tables.size(level.sort);
        let register = level.register as usize;
        if nest.rows && inner.is_empty() {
            for word in 0..size.div_ceil(64) {
                let width = (size - 64 * word).min(64);
                let mut mask = self.execute(&level.code, word, !0 >> (64 - width))?;
                while mask != 0 {
                    self.machine.terms[register] = 64 * word + mask.trailing_zeros();
                    if found(&self.machine.terms) {
                        return Ok(true);
                    }
                    mask &= mask - 1;
                }
            }
            return Ok(false);
        }
        for word in 0..size.div_ceil(64) {
            let width = (size - 64 * word).min(64);
            let mut mask = self.execute(&level.filter, word, !0 >> (64 - width))?;
            while mask != 0 {
                self.machine.terms[register] = 64 * word + mask.trailing_zeros();
                let passes = level.code.is_empty() || self.execute(&level.code, 0, !0)? != 0;
                if passes && self.descend(nest, inner, found)? {
                    return Ok(true);
                }
                mask &= mask - 1;
            }
        }
        Ok(false)
    }

    /// Runs code for one word of the innermost variable and returns the values of `mask` that pass its tests.
    fn execute(&mut self, code: &[Instr], word: u32, mut mask: u64) -> Result<u64, Stop> {
        self.budget.spend(1)?;
        let spread = |truth: bool| if truth { !0 } else { 0 };
        for &instr in code {
            let Machine { terms, bools } = &mut *self.machine;
            let class = |register: &u32| terms[*register as usize];
            match instr {
                Instr::Const(to, value) => bools[to as usize] = spread(value),
                Instr::Func(to, table, args) => {
                    let value = self.tables.value(table, self.program.args(args).iter().map(class));
                    terms[to as usize] = value;
                }
                Instr::Choose(to, c, a, b) => {
                    let from = if bools[c as usize] != 0 { a } else { b };
                    terms[to as usize] = terms[from as usize];
                }
                Instr::Rel(to, view, args) => {
                    let args = self.program.args(args);
                    let (last, others) = args.split_last().map_or((0, args), |(last, o)| (class(last), o));
                    bools[to as usize] = spread(self.tables.bit(view, others.iter().map(class), last));
                }
                Instr::Row(to, view, args) => {
                    let others = self.program.args(args).iter().map(class);
                    bools[to as usize] = self.tables.word(view, others, word);
                }
                Instr::Eq(to, a, b) => bools[to as usize] = spread(terms[a as usize] == terms[b as usize]),
                Instr::Distinct(to, args) => {
                    let mut classes: Vec<u32> = self.program.args(args).iter().map(class).collect();
                    classes.sort_unstable();
                    bools[to as usize] = spread(classes.windows(2).all(|pair| pair[0] != pair[1]));
                }
                Instr::EqRow(to, a) => {
                    let class = terms[a as usize];
                    bools[to as usize] = if class / 64 == word { 1 << (class % 64) } else { 0 };
                }
                Instr::Not(to, a) => bools[to as usize] = !bools[a as usize],
                Instr::And(to, a, b) => bools[to as usize] = bools[a as usize] & bools[b as usize],
                Instr::Or(to, a, b) => bools[to as usize] = bools[a as usize] | bools[b as usize],
                Instr::Iff(to, a, b) => bools[to as usize] = !(bools[a as usize] ^ bools[b as usize]),
                Instr::Ite(to, c, a, b) => {
                    let c = bools[c as usize];
                    bools[to as usize] = c & bools[a as usize] | !c & bools[b as usize];
                }
                Instr::Forall(to, block) => {
                    let violated = self.block(block as usize, &mut |_| true)?;
                    self.machine.bools[to as usize] = spread(!violated);
                }
                Instr::Test(a, value) => {
                    mask &= if value { !bools[a as usize] } else { bools[a as usize] };
                    if mask == 0 {
                        return Ok(0);
                    }
                }
            }
        }
        Ok(mask)
    }
}
