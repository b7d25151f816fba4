//! What commands do to shape graphs; writing a pointer field is in [`super::store`].
//!
//! Each transformer focuses on what the command reads, applies it exactly to the single cells so found, updates
//! the instrumentation by formulas that are exact for two-valued graphs, and coerces. Results are not blurred.

use super::class::Class;
use super::coerce::coerce;
use super::focus::{Cases, TooLarge, focus_field, focus_var};
use super::graph::{Edge, Graph, Known, NODES, Target};
use super::range::Range;
use super::store;
use super::truths::{Kleene, Truths};
use crate::program::{FieldId, StructId, VarId};

/// What a dereference may meet.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    /// The graphs after the command.
    pub after: Vec<Graph>,
    /// How the command may fail.
    pub fails: Fails,
}

/// How an access may fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fails {
    /// The pointer may be null.
    pub null: bool,
    /// It may be arbitrary, or lead to a cell that is not allocated.
    pub invalid: bool,
}

impl Fails {
    /// In some way.
    #[must_use]
    pub fn any(self) -> bool {
        self.null || self.invalid
    }
}

/// A result, unless a graph grows too large.
pub type Outcome = Result<Effect, TooLarge>;

/// A pointer that is copied or compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointer {
    /// Null.
    Null,
    /// A tracked variable, by position.
    Var(usize),
    /// Anything.
    Unknown,
}

impl Effect {
    pub(super) fn keep(&mut self, class: &Class, mut graph: Graph) {
        if coerce(class, &mut graph) {
            self.after.push(graph);
        }
    }
}

/// `x = y`, `x = NULL`, `x` becomes arbitrary.
///
/// # Errors
/// If a graph grows too large; likewise below.
pub fn assign(class: &Class, graph: &Graph, x: usize, value: Pointer) -> Outcome {
    let mut effect = Effect::default();
    match value {
        Pointer::Var(y) if y == x => effect.after.push(graph.clone()),
        Pointer::Var(y) => {
            for (mut case, target) in focus_var(class, graph, y)? {
                case.point(class, x, target);
                copy_reached(class, &mut case, x, y);
                effect.keep(class, case);
            }
        }
        Pointer::Null | Pointer::Unknown => {
            let mut case = graph.clone();
            case.forget(class, x);
            if value == Pointer::Null {
                case.point(class, x, Target::Null);
            }
            effect.keep(class, case);
        }
    }
    Ok(effect)
}

/// The cases in which the variable names an allocated cell, and whether it may not.
pub(super) fn dereference(
    class: &Class,
    graph: &Graph,
    y: usize,
    fails: &mut Fails,
) -> Result<Vec<(Graph, usize)>, TooLarge> {
    let mut cells = Vec::new();
    for (mut case, target) in focus_var(class, graph, y)? {
        match target {
            Target::Null => fails.null = true,
            Target::Wild => {
                fails.invalid = true;
                // The arbitrary value may happen to be an allocated cell, about which nothing is known.
                let of = class.pointees[y];
                for mut top in tops(class) {
                    top.values.clone_from(&case.values);
                    top.wild &= !(1 << y);
                    top.null &= !(1 << y);
                    for (case, target) in focus_var(class, &top, y)? {
                        if let Target::Node(node) = target {
                            debug_assert_eq!(case.nodes[node].of, of);
                            allocated(class, case, node, &mut cells);
                        }
                    }
                }
            }
            Target::Node(node) => {
                fails.invalid |= case.get(node, class.live()) != Kleene::True;
                if case.get(node, class.live()).may() {
                    case.nodes[node].truths.set(class.live(), Kleene::True);
                    allocated(class, case, node, &mut cells);
                }
            }
        }
    }
    Ok(cells)
}

fn allocated(class: &Class, mut case: Graph, node: usize, cells: &mut Vec<(Graph, usize)>) {
    case.nodes[node].truths.set(class.live(), Kleene::True);
    if coerce(class, &mut case) {
        cells.push((case, node));
    }
}

/// The graphs that together stand for all heaps.
#[must_use]
pub fn tops(class: &Class) -> Vec<Graph> {
    let kinds = &class.kinds;
    let subsets = 0..1usize << kinds.len().min(8);
    let pick = |set: usize| kinds.iter().enumerate().filter(move |(i, _)| set >> i & 1 == 1).map(|(_, k)| *k);
    subsets
        .map(|set| Graph::top(class, &pick(set).collect::<Vec<_>>()))
        .filter_map(|mut g| coerce(class, &mut g).then_some(g))
        .collect()
}

/// `x = y->f` for a pointer field. With `x` untracked only the dereference is checked.
///
/// # Errors
/// If a graph grows too large.
pub fn load(class: &Class, graph: &Graph, x: Option<usize>, y: usize, field: usize) -> Outcome {
    let mut effect = Effect::default();
    for (case, node) in dereference(class, graph, y, &mut effect.fails)? {
        let Some(x) = x else {
            effect.keep(class, case);
            continue;
        };
        for (mut case, target) in focus_field(class, &case, node, field)? {
            let before = case.clone();
            case.point(class, x, target);
            reached_after_load(class, &before, &mut case, x, y, field, target);
            effect.keep(class, case);
        }
    }
    Ok(effect)
}

fn reached_after_load(
    class: &Class,
    before: &Graph,
    case: &mut Graph,
    x: usize,
    y: usize,
    field: usize,
    target: Target,
) {
    if class.level == 0 {
        return;
    }
    for link in 0..class.links.len() {
        let r = class.reached(x, link);
        for v in 0..case.nodes.len() {
            let value = match target {
                Target::Node(w) if w == v && case.nodes[v].of == class.owners[class.links[link]] => {
                    Kleene::True
                }
                Target::Node(w) => from_known(class, before, w, link, v).unwrap_or_else(|| {
                    if class.links[link] == field {
                        let passed = before.get(v, class.points(y)).negated();
                        before
                            .get(v, class.reached(y, link))
                            .and(before.get(v, class.cyclic(link)).or(passed))
                    } else {
                        Kleene::Half
                    }
                }),
                Target::Null | Target::Wild => Kleene::False,
            };
            case.nodes[v].truths.set(r, value);
        }
    }
}

/// Whether `v` is reached from the cell `w`, if a variable that points to `w` tells.
fn from_known(class: &Class, graph: &Graph, w: usize, link: usize, v: usize) -> Option<Kleene> {
    let z = (0..class.vars.len()).find(|&z| graph.get(w, class.points(z)) == Kleene::True)?;
    Some(graph.get(v, class.reached(z, link)))
}

/// `x = malloc(...)`: a new cell; its fields are wild, or null and 0.
///
/// # Errors
/// If the graph is too large.
pub fn alloc(class: &Class, graph: &Graph, x: Option<usize>, of: StructId, zeroed: bool) -> Outcome {
    let mut effect = Effect::default();
    let Some(x) = x else {
        // A cell that is not followed may be lost.
        effect.after.push(Graph { leaked: class.leaks, ..graph.clone() });
        return Ok(effect);
    };
    if graph.nodes.len() + 2 >= NODES {
        return Err(TooLarge);
    }
    let mut truths = Truths { can: 0, cannot: class.all() };
    truths.set(class.live(), Kleene::True);
    for (i, (_, range)) in class.tests.iter().enumerate() {
        let is_zero = Kleene::from(Range::one(0).within(*range));
        truths.set(class.test(i), if zeroed { is_zero } else { Kleene::Half });
    }
    if class.level >= 2 {
        (0..class.pairs.len()).for_each(|p| truths.set(class.inverse(p), Kleene::True));
    }
    let mut case = graph.clone();
    case.forget(class, x);
    let node = case.add(class, of, truths);
    case.point(class, x, Target::Node(node));
    for field in 0..class.fields.len() {
        if zeroed && class.owners[field] == of {
            *case.edge_mut(class, node, field) = Edge { null: true, ..Edge::default() };
        }
    }
    if class.level >= 1 {
        for link in 0..class.links.len() {
            let own = class.owners[class.links[link]] == of;
            case.nodes[node].truths.set(class.reached(x, link), Kleene::from(own));
        }
    }
    effect.keep(class, case);
    Ok(effect)
}

/// `free(x)`.
///
/// # Errors
/// If a graph grows too large.
pub fn free(class: &Class, graph: &Graph, x: usize) -> Outcome {
    let mut effect = Effect::default();
    for (case, target) in focus_var(class, graph, x)? {
        if target == Target::Null {
            effect.keep(class, case);
            continue;
        }
        for (mut case, node) in dereference(class, &case, x, &mut effect.fails)? {
            // Nobody looks at the fields of a cell that is freed. Where leaks count, they lead nowhere: what was reached
            // through it is not reached any more.
            if class.leaks && !store::clear(class, &mut case, x, node) {
                continue;
            }
            case.nodes[node].truths.set(class.live(), Kleene::False);
            effect.keep(class, case);
        }
    }
    Ok(effect)
}

/// `assume(x == y)` or `assume(x != y)`.
///
/// # Errors
/// If a graph grows too large.
pub fn compare(class: &Class, graph: &Graph, x: usize, other: Pointer, equal: bool) -> Outcome {
    let mut effect = Effect::default();
    for (case, left) in focus_var(class, graph, x)? {
        let rights: Cases = match other {
            Pointer::Null => Ok(vec![(case.clone(), Target::Null)]),
            Pointer::Unknown => Ok(vec![(case.clone(), Target::Wild)]),
            Pointer::Var(y) => focus_var(class, &case, y),
        };
        for (mut case, right) in rights? {
            match (left, right) {
                (Target::Wild, _) | (_, Target::Wild) => {
                    // Arbitrary: both outcomes; an equality tells what it was.
                    if let (true, Target::Wild) = (equal, left) {
                        case.point(class, x, right);
                        if let Pointer::Var(y) = other {
                            copy_reached(class, &mut case, x, y);
                        }
                    } else if let (true, Pointer::Var(y)) = (equal, other) {
                        case.point(class, y, left);
                        copy_reached(class, &mut case, y, x);
                    }
                    effect.keep(class, case);
                }
                _ if (left == right) == equal => effect.keep(class, case),
                _ => {}
            }
        }
    }
    Ok(effect)
}

/// `v = x->h` for an integer field: the tests of the cell tell what is known of the value.
///
/// # Errors
/// If a graph grows too large.
pub fn load_data(class: &Class, graph: &Graph, v: VarId, x: usize, field: FieldId) -> Outcome {
    let mut effect = Effect::default();
    for (case, node) in dereference(class, graph, x, &mut effect.fails)? {
        let tests = || class.tests.iter().enumerate().filter(|(_, t)| t.0 == field);
        let mut rest = case.clone();
        for (i, &(_, range)) in tests() {
            if case.get(node, class.test(i)).may() {
                let mut hit = case.clone();
                hit.nodes[node].truths.set(class.test(i), Kleene::True);
                hit.set_value(v, Some(Known::Is(range)));
                effect.keep(class, hit);
            }
        }
        if tests().all(|(i, _)| case.get(node, class.test(i)) != Kleene::True) {
            let ranges: Vec<Range> = tests().map(|(_, t)| t.1).collect();
            for (i, _) in tests() {
                rest.nodes[node].truths.set(class.test(i), Kleene::False);
            }
            let known = (!ranges.is_empty()).then_some(Known::Not(ranges));
            rest.set_value(v, known);
            effect.keep(class, rest);
        }
    }
    Ok(effect)
}

/// `x->h = value` for an integer field.
///
/// # Errors
/// If a graph grows too large.
pub fn store_data(class: &Class, graph: &Graph, x: usize, field: FieldId, value: Option<&Known>) -> Outcome {
    let mut effect = Effect::default();
    for (mut case, node) in dereference(class, graph, x, &mut effect.fails)? {
        for (i, &(f, range)) in class.tests.iter().enumerate() {
            if f == field {
                let truth = match value {
                    Some(Known::Is(it)) if it.within(range) => Kleene::True,
                    Some(Known::Is(it)) if !it.meets(range) => Kleene::False,
                    Some(Known::Not(none)) if range.without(none).is_empty() => Kleene::False,
                    _ => Kleene::Half,
                };
                case.nodes[node].truths.set(class.test(i), truth);
            }
        }
        effect.keep(class, case);
    }
    Ok(effect)
}

fn copy_reached(class: &Class, graph: &mut Graph, x: usize, y: usize) {
    if class.level >= 1 {
        for link in 0..class.links.len() {
            for node in &mut graph.nodes {
                let value = node.truths.get(class.reached(y, link));
                node.truths.set(class.reached(x, link), value);
            }
        }
    }
}
