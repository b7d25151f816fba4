//! Whether an abstract state holds a concrete one: some map of the cells onto the nodes, every fact computed by
//! its definition on the cells themselves.

use super::Unwritten;
use super::reader::{Fact, Known, Line, Literal, Node, Range, Targets};
use crate::program::{BinOp, CellId, Cmp, Expr, FieldId, Program, State, Status, Type, Value, VarId};

/// Cells that no variable reaches may be in the graph or not; with more of them nothing is decided.
const MAX_GARBAGE: usize = 7;

/// A concrete state.
pub(super) struct World<'a> {
    program: &'a Program,
    state: &'a State,
    unwritten: &'a Unwritten,
    /// Lost cells count. Then the fields of a freed cell lead nowhere: nobody looks at them, and they keep nothing.
    leaks: bool,
}

/// The cells that count, and the variables that do.
struct Choice<'a> {
    world: &'a World<'a>,
    line: &'a Line,
    cells: Vec<CellId>,
}

fn is_in(n: i128, (from, to): &Range) -> bool {
    from.is_none_or(|from| from <= n) && to.is_none_or(|to| n <= to)
}

impl<'a> World<'a> {
    pub(super) fn new(
        program: &'a Program,
        state: &'a State,
        unwritten: &'a Unwritten,
        leaks: bool,
    ) -> World<'a> {
        World { program, state, unwritten, leaks }
    }

    /// Whether the line holds the state; `None` if that would take too long.
    pub(super) fn is_of(&self, line: &Line) -> Option<bool> {
        if !line.literals.iter().all(|l| self.literal(l)) || !line.ints.iter().all(|(v, k)| self.int(*v, k)) {
            return Some(false);
        }
        let mut roots = Vec::new();
        for (v, targets) in line.vars.iter().filter(|(_, t)| !t.anything) {
            match self.state.var(*v) {
                Value::Null if targets.null => {}
                Value::Cell(c) if self.counts(c) => roots.push(c),
                _ => return Some(false),
            }
        }
        let needed = self.reached(&roots);
        let tracked = |c: &CellId| line.nodes.iter().any(|n| n.of == self.state.cells[c.index()].of.0);
        let all = (0..self.state.cells.len()).map(|i| CellId(i as u32)).filter(|c| self.counts(*c));
        let garbage: Vec<CellId> = all.filter(|c| !needed.contains(c)).collect();
        let candidates: Vec<CellId> = garbage.iter().copied().filter(tracked).collect();
        let lost = |kept: &[CellId]| {
            garbage.iter().any(|c| !kept.contains(c) && self.state.cells[c.index()].status.is_valid())
        };
        let subsets = 1usize << candidates.len().min(MAX_GARBAGE);
        for set in 0..subsets {
            let picked = candidates.iter().enumerate().filter(|(i, _)| *i < MAX_GARBAGE && set >> i & 1 == 1);
            let cells: Vec<CellId> = needed.iter().copied().chain(picked.map(|(_, c)| *c)).collect();
            if cells.iter().any(|c| self.targets(*c).iter().any(|t| !cells.contains(t))) {
                continue;
            }
            if self.leaks && !line.leaked && lost(&cells) {
                continue;
            }
            let choice = Choice { world: self, line, cells };
            if choice.place(&mut Vec::new()) {
                return Some(true);
            }
        }
        (candidates.len() <= MAX_GARBAGE).then_some(false)
    }

    /// Allocated, or freed; not a cell that never was.
    fn counts(&self, c: CellId) -> bool {
        matches!(self.state.cells[c.index()].status, Status::Heap | Status::Freed)
    }

    /// The pointer in a field: `None` if nobody wrote it.
    fn pointer(&self, c: CellId, field: FieldId) -> Option<Value> {
        if self.leaks && self.state.cells[c.index()].status == Status::Freed {
            return Some(Value::Null);
        }
        let value = self.state.field(Value::Cell(c), field);
        let strange = matches!(value, Value::Cell(d) if !self.counts(d));
        (!strange && !self.unwritten.fields.contains(&(c, field))).then_some(value)
    }

    fn next(&self, c: CellId, field: FieldId) -> Option<CellId> {
        match self.pointer(c, field) {
            Some(Value::Cell(d)) => Some(d),
            _ => None,
        }
    }

    fn pointer_fields(&self, c: CellId) -> impl Iterator<Item = FieldId> + '_ {
        let fields = &self.program.structs[self.state.cells[c.index()].of.index()].fields;
        fields.iter().copied().filter(|f| matches!(self.program.fields[f.index()].ty, Type::Ptr(_)))
    }

    fn targets(&self, c: CellId) -> Vec<CellId> {
        self.pointer_fields(c).filter_map(|f| self.next(c, f)).collect()
    }

    fn reached(&self, roots: &[CellId]) -> Vec<CellId> {
        let mut seen = Vec::new();
        let mut open = roots.to_vec();
        while let Some(c) = open.pop() {
            if !seen.contains(&c) {
                seen.push(c);
                open.extend(self.targets(c));
            }
        }
        seen
    }

    /// The cells from a cell on along one field.
    fn along(&self, from: Option<CellId>, field: FieldId) -> Vec<CellId> {
        let mut path = Vec::new();
        let mut at = from;
        while let Some(c) = at {
            if path.contains(&c) {
                break;
            }
            path.push(c);
            at = self.next(c, field);
        }
        path
    }

    fn literal(&self, literal: &Literal) -> bool {
        let holds = match (self.value(&literal.left), self.value(&literal.right)) {
            (Some(Value::Int(a)), Some(Value::Int(b))) => literal.cmp.holds(&a, &b),
            (Some(a), Some(b)) => match literal.cmp {
                Cmp::Eq => a == b,
                Cmp::Ne => a != b,
                _ => return false,
            },
            _ => return false,
        };
        holds == literal.holds
    }

    fn value(&self, e: &Expr) -> Option<Value> {
        Some(match e {
            Expr::Var(v) => self.state.var(*v),
            Expr::Null(_) => Value::Null,
            Expr::Int(n) => Value::Int(*n),
            Expr::Binary(op, a, b) => {
                let (Value::Int(a), Value::Int(b)) = (self.value(a)?, self.value(b)?) else { return None };
                Value::Int(match op {
                    BinOp::Add => a.checked_add(b)?,
                    BinOp::Sub => a.checked_sub(b)?,
                    BinOp::Mul => a.checked_mul(b)?,
                    _ => return None,
                })
            }
            _ => return None,
        })
    }

    fn int(&self, v: VarId, known: &Known) -> bool {
        match (self.state.var(v), known) {
            (Value::Int(n), Known::Is(range)) => is_in(n, range),
            (Value::Int(n), Known::Not(none)) => !none.iter().any(|range| is_in(n, range)),
            _ => false,
        }
    }
}

impl Choice<'_> {
    /// Finds nodes for the cells from number `map.len()` on.
    fn place(&self, map: &mut Vec<usize>) -> bool {
        let Some(&cell) = self.cells.get(map.len()) else {
            return (0..self.line.nodes.len()).all(|n| map.contains(&n)) && self.pointers_fit(map);
        };
        for (n, node) in self.line.nodes.iter().enumerate() {
            if (node.summary || !map.contains(&n)) && self.fits(cell, n, node) {
                map.push(n);
                if self.place(map) {
                    return true;
                }
                map.pop();
            }
        }
        false
    }

    fn fits(&self, cell: CellId, number: usize, node: &Node) -> bool {
        let state = self.world.state;
        if node.of != state.cells[cell.index()].of.0 {
            return false;
        }
        for (v, targets) in self.line.vars.iter().filter(|(_, t)| !t.anything) {
            if state.var(*v) == Value::Cell(cell) && !targets.nodes.contains(&number) {
                return false;
            }
        }
        node.facts.iter().all(|(positive, fact)| self.fact(cell, fact).is_none_or(|truth| truth == *positive))
    }

    /// Whether the fact holds of the cell; `None` if it is about a pointer of which nothing is said.
    fn fact(&self, cell: CellId, fact: &Fact) -> Option<bool> {
        let world = self.world;
        let entering = |fields: &dyn Fn(FieldId) -> bool| {
            let mut count = 0;
            for &c in &self.cells {
                count +=
                    world.pointer_fields(c).filter(|f| fields(*f) && world.next(c, *f) == Some(cell)).count();
            }
            count
        };
        Some(match fact {
            Fact::Live => world.state.cells[cell.index()].status == Status::Heap,
            Fact::Within(field, range) => match world.state.field(Value::Cell(cell), *field) {
                Value::Int(n) => is_in(n, range),
                _ => false,
            },
            Fact::Reached(v, field) => {
                let (_, targets) = self.line.vars.iter().find(|(w, _)| w == v)?;
                if targets.anything {
                    return None;
                }
                match world.state.var(*v) {
                    Value::Cell(c) => {
                        let field_of_start = world.pointer_fields(c).any(|f| f == *field);
                        field_of_start && world.along(Some(c), *field).contains(&cell)
                    }
                    _ => false,
                }
            }
            Fact::Cyclic(field) => world.along(world.next(cell, *field), *field).contains(&cell),
            Fact::Shared(field) => entering(&|f| f == *field) > 1,
            Fact::Crowded => entering(&|_| true) > 1,
            Fact::Entered => entering(&|_| true) > 0,
            Fact::Inverse(there, back) => match world.next(cell, *there) {
                Some(other) => world.next(other, *back) == Some(cell),
                None => true,
            },
        })
    }

    fn pointers_fit(&self, map: &[usize]) -> bool {
        let node_of = |c: CellId| self.cells.iter().position(|d| *d == c).map(|i| map[i]);
        self.cells.iter().zip(map).all(|(&cell, &n)| {
            self.line.nodes[n]
                .fields
                .iter()
                .all(|(field, targets)| self.leads(cell, *field, targets, &node_of))
        })
    }

    fn leads(
        &self,
        cell: CellId,
        field: FieldId,
        targets: &Targets,
        node_of: &dyn Fn(CellId) -> Option<usize>,
    ) -> bool {
        match self.world.pointer(cell, field) {
            None => targets.anything,
            Some(Value::Null | Value::Int(_)) => targets.null,
            Some(Value::Cell(d)) => node_of(d).is_some_and(|n| targets.nodes.contains(&n)),
        }
    }
}
