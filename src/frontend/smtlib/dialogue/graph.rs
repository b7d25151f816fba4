//! The last model as a graph, for pictures: elements of declared sorts are nodes, unary functions lead from them to
//! values, constants have values. After a check about the heap the nodes are its cells. Functions of several arguments
//! are left out.

use super::model::Elements;
use super::{Dialogue, Last};
use crate::logic::sep::Heap;
use crate::logic::{FuncId, Model, Op, SortId, Terms, Value, print};
use crate::util::hash::Map;

/// A model as a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Constants with their values.
    pub constants: Vec<(String, Node)>,
    /// Elements of declared sorts, or cells.
    pub elements: Vec<Element>,
}

/// An element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Its name in the text of the model.
    pub name: String,
    /// Its sort.
    pub sort: String,
    /// Where unary functions lead from it.
    pub fields: Vec<(String, Node)>,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A number or a truth value.
    Text(String),
    /// The location that is never a cell.
    Nil,
    /// One of the elements.
    Element(usize),
}

/// The names of values.
struct Values<'a> {
    terms: &'a Terms,
    elements: Elements,
    nodes: Map<(SortId, u32), usize>,
    nils: Vec<(SortId, Value)>,
}

impl Values<'_> {
    fn node(&self, sort: SortId, value: &Value) -> Node {
        if self.nils.iter().any(|(s, nil)| *s == sort && nil == value) {
            return Node::Nil;
        }
        match value {
            Value::Elem(e) => match self.nodes.get(&(sort, *e)) {
                Some(at) => Node::Element(*at),
                None => Node::Text(self.elements.value(sort, value)),
            },
            _ => Node::Text(self.elements.value(sort, value)),
        }
    }

    fn element(&self, sort: SortId, value: &Value) -> Element {
        let (name, sort) = (self.elements.value(sort, value), print::sort(self.terms, sort));
        Element { name, sort, fields: Vec::new() }
    }
}

impl Dialogue {
    /// The model of the last check as a graph, if it was sat.
    #[must_use]
    pub fn graph(&self) -> Option<Graph> {
        let Last::Sat(model) = &self.last else { return None };
        Some(match &self.heap {
            Some(heap) => self.heap_graph(model, heap),
            None => self.model_graph(model),
        })
    }

    fn model_graph(&self, model: &Model) -> Graph {
        let (terms, context) = (self.solver.terms(), &self.stack.context);
        let seen: Vec<FuncId> =
            terms.funcs().map(|(id, _)| id).filter(|&id| context.shows(terms, id)).collect();
        let mut values = Values {
            terms,
            elements: Elements::new(terms, context, model),
            nodes: Map::default(),
            nils: Vec::new(),
        };
        let mut graph = Graph::default();
        for sort in terms.uninterpreted_sorts().filter(|&sort| context.sees_sort(sort)) {
            let mentions =
                |id: &FuncId| terms.func(*id).result == sort || terms.func(*id).args.contains(&sort);
            if !seen.iter().any(mentions) {
                continue;
            }
            for e in 0..model.size(sort) {
                values.nodes.insert((sort, e), graph.elements.len());
                graph.elements.push(values.element(sort, &Value::Elem(e)));
            }
        }
        for &id in &seen {
            let func = terms.func(id);
            match func.args[..] {
                [] => {
                    let node = values.node(func.result, &model.get(terms, id, &[]));
                    graph.constants.push((func.name.clone(), node));
                }
                [sort] if sort.is_uninterpreted() => {
                    for e in 0..model.size(sort) {
                        let Some(&at) = values.nodes.get(&(sort, e)) else { continue };
                        let value = model.get(terms, id, &[Value::Elem(e)]);
                        graph.elements[at].fields.push((func.name.clone(), values.node(func.result, &value)));
                    }
                }
                _ => {}
            }
        }
        graph
    }

    fn heap_graph(&self, model: &Model, heap: &Heap) -> Graph {
        let (terms, context) = (self.solver.terms(), &self.stack.context);
        let vocabulary = context.vocabulary();
        let nils = vocabulary.nils().filter_map(|(sort, nil)| match terms.op(nil) {
            Op::App(func) => Some((sort, model.get(terms, func, &[]))),
            _ => None,
        });
        let mut values = Values {
            terms,
            elements: Elements::new(terms, context, model),
            nodes: Map::default(),
            nils: nils.collect(),
        };
        let mut graph = Graph::default();
        for (sort, at, _) in heap.cells() {
            if let Value::Elem(e) = at {
                values.nodes.insert((sort, *e), graph.elements.len());
                graph.elements.push(values.element(sort, at));
            }
        }
        for (sort, at, fields) in heap.cells() {
            let (Value::Elem(e), Some(cell)) = (at, vocabulary.cell_of(sort)) else { continue };
            let Some(&node) = values.nodes.get(&(sort, *e)) else { continue };
            for (field, value) in cell.fields.iter().zip(fields) {
                let name = terms.func(field.func).name.clone();
                graph.elements[node].fields.push((name, values.node(field.sort, value)));
            }
        }
        for (id, func) in terms.funcs().filter(|(id, f)| f.args.is_empty() && context.shows(terms, *id)) {
            if !vocabulary.is_record(func.result) && vocabulary.symbol(id).is_none() {
                let node = values.node(func.result, &model.get(terms, id, &[]));
                graph.constants.push((func.name.clone(), node));
            }
        }
        graph
    }
}
