//! Descriptions: symbolic heaps whose predicates are unfolded to cells and segments, without variables.

use crate::frontend::smtlib::sep::Outside;
use crate::frontend::smtlib::sep::atoms::Atom;
use crate::frontend::smtlib::sep::shape::{Shape, Shapes};
use crate::frontend::smtlib::sep::symbolic::SymbolicHeap;
use crate::logic::sep::Vocabulary;
use crate::logic::{Op, TermId, Terms, VarId};
use crate::util::hash::Map;

/// One disjunct of a formula that describes the heap.
#[derive(Clone, Debug)]
pub struct Description {
    /// Formulas that do not speak about the heap.
    pub pure: Vec<TermId>,
    /// What the heap is made of.
    pub atoms: Vec<Atom>,
}

/// More descriptions than this are refused: pairs of them are looked at.
pub const MAX_DESCRIPTIONS: usize = 400;

impl Description {
    /// Whether a location is one of its cells.
    pub fn cover(&self, terms: &mut Terms, vocabulary: &Vocabulary, at: TermId) -> Result<TermId, Outside> {
        let sort = terms.sort(at);
        let mut ways = Vec::new();
        for atom in &self.atoms {
            if atom.location(vocabulary) == sort {
                ways.push(atom.covers(terms, at)?);
            }
        }
        Ok(terms.or(&ways)?)
    }
}

/// What unfolding needs.
pub struct Unfolding<'a> {
    /// The terms.
    pub terms: &'a mut Terms,
    /// The spatial symbols.
    pub vocabulary: &'a Vocabulary,
    /// What definitions define.
    pub shapes: &'a mut Shapes,
    /// Whether the descriptions must hold, or must not.
    pub positive: bool,
}

impl Unfolding<'_> {
    /// The disjuncts of a symbolic heap after its calls are unfolded.
    pub fn descriptions(&mut self, heap: SymbolicHeap) -> Result<Vec<Description>, Outside> {
        let mut open = vec![(heap, Vec::<Atom>::new())];
        let mut done = Vec::new();
        while let Some((mut heap, mut atoms)) = open.pop() {
            if open.len() + done.len() > MAX_DESCRIPTIONS {
                return Err(Outside::new("a description of the heap with too many disjuncts"));
            }
            if !heap.variables.is_empty() {
                self.bind(&mut heap)?;
            }
            let Some(call) = heap.calls.pop() else {
                // What was unfolded stands in reverse.
                atoms.reverse();
                atoms.extend(heap.cells.into_iter().map(Atom::Cell));
                done.push(Description { pure: heap.pure, atoms });
                continue;
            };
            let shape = self.shapes.of(self.terms, self.vocabulary, call.definition);
            match shape.map_err(Clone::clone)?.clone() {
                Shape::Plain(bodies) => {
                    let params = &self.vocabulary.definitions()[call.definition].params;
                    let map: Map<VarId, TermId> =
                        params.iter().copied().zip(call.args.iter().copied()).collect();
                    for mut body in bodies {
                        body.rename(self.terms)?;
                        body.substitute(self.terms, &map);
                        let mut whole = heap.clone();
                        whole.variables.extend(body.variables);
                        whole.pure.extend(body.pure);
                        whole.cells.extend(body.cells);
                        whole.calls.extend(body.calls);
                        open.push((whole, atoms.clone()));
                    }
                }
                Shape::Chain(chain) => {
                    let unfolded = chain.unfold(self.terms, self.vocabulary, &call);
                    for part in unfolded.into_iter().rev() {
                        let mut whole = heap.clone();
                        whole.pure.extend(part.pure);
                        whole.cells.extend(part.cells);
                        let segments = part.segments.into_iter().map(Atom::Segment);
                        open.push((whole, atoms.iter().cloned().chain(segments).collect()));
                    }
                }
            }
        }
        Ok(done)
    }

    /// Gives existential variables their meaning: new constants where the description must hold; where it
    /// must not, the terms that cells or equations fix them to.
    fn bind(&mut self, heap: &mut SymbolicHeap) -> Result<(), Outside> {
        let mut map: Map<VarId, TermId> = Map::default();
        if self.positive {
            for &var in &heap.variables {
                let (name, sort) = self.terms.variable_info(var);
                let name = name.to_owned();
                map.insert(var, self.terms.fresh_const(&name, sort));
            }
            heap.substitute(self.terms, &map);
            return Ok(());
        }
        heap.use_equations(self.terms);
        while let Some((var, cell, field)) = self.fixed(heap) {
            let func = self.vocabulary.cells()[heap.cells[cell].cell].fields[field].func;
            let term = self.terms.app(func, &[heap.cells[cell].at])?;
            heap.substitute(self.terms, &[(var, term)].into_iter().collect());
            heap.use_equations(self.terms);
        }
        match heap.variables.is_empty() {
            true => Ok(()),
            false => Err(Outside::new("an existential on the right side that no cell fixes")),
        }
    }

    /// A variable that is the value of a field of a cell whose location is known.
    fn fixed(&self, heap: &SymbolicHeap) -> Option<(VarId, usize, usize)> {
        for (i, cell) in heap.cells.iter().enumerate() {
            if !self.terms.is_closed(cell.at) {
                continue;
            }
            for (j, &value) in cell.values.iter().enumerate() {
                if let Op::Var(var) = self.terms.op(value)
                    && heap.variables.contains(&var)
                {
                    return Some((var, i, j));
                }
            }
        }
        None
    }
}
