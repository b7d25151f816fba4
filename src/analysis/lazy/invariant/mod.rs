//! What the finished tree says at loop heads, as formulas of the annotation language.
//!
//! The graphs of a head are grouped by what they say of variables alone: literals, integers, which pointers are null,
//! equal or different, and where the chains from them end ([`End`]). The groups are the cases of the invariant: one of them
//! holds, and in each of them its own clauses hold. A clause describes the cells on a chain: each is like one of the nodes of the graphs that are
//! not denied to be on it ([`describe`]), its successors are like the nodes that the graph has behind it, and so is
//! everything behind it. Where leaks count, every allocated cell is on a chain.
//!
//! Nothing here is proved. The clauses are meant for a filter that keeps those that are inductive together, so each says
//! one thing. A node that says less than another one takes its place.

mod describe;

use super::search::Search;
use super::shape::Class;
use super::shape::graph::{Graph, Known, bits};
use super::shape::truths::Kleene;
use super::tree::Fate;
use crate::program::{
    At, Binder, BoundId, Cmp, Cond, Expr, FieldId, Formula, LoopId, Program, StructId, Term, VarId,
};
use describe::in_range;

/// More cases than this are not told apart.
const MAX_CASES: usize = 24;
/// More descriptions of cells than this are not listed.
const MAX_KINDS: usize = 10;

/// Where the chain along a link field from a variable ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// At null.
    Null,
    /// At the cell of this variable, whose field nobody has written.
    At(VarId),
    /// Nowhere: it leads back.
    Ring,
}

/// A chain: from a variable along a link field to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Chain {
    from: VarId,
    field: FieldId,
    end: End,
}

/// A graph at a head, and what its state says of the variables.
struct Seen<'t> {
    class: &'t Class,
    graph: &'t Graph,
    of_variables: Vec<Formula>,
}

impl Seen<'_> {
    /// The position of a variable that is tracked and has a value for certain.
    fn known(&self, v: VarId) -> Option<usize> {
        self.class.var(v).filter(|x| self.graph.wild >> x & 1 == 0)
    }

    /// The position of a link field among the links.
    fn link(&self, field: FieldId) -> Option<usize> {
        self.class.links.iter().position(|&l| self.class.fields[l] == field)
    }

    /// Whether the node may be on the chain.
    fn may_be_on(&self, i: usize, chain: Chain) -> bool {
        let (Some(x), Some(link)) = (self.known(chain.from), self.link(chain.field)) else { return true };
        let class = self.class;
        self.graph.nodes[i].of == class.owners[class.links[link]]
            && (class.level == 0
                || self.graph.get(i, class.points(x)).may()
                || self.graph.get(i, class.reached(x, link)).may())
    }
}

/// What is said of the variables, and all graphs that do not contradict it.
struct Case<'t> {
    of_variables: Vec<Formula>,
    chains: Vec<Chain>,
    seen: Vec<&'t Seen<'t>>,
}

/// Clauses per loop that the tree suggests.
pub(super) fn clauses(search: &Search<'_>) -> Vec<(LoopId, Vec<Formula>)> {
    let program = search.program;
    let mut out = Vec::new();
    for (number, of) in program.loops.iter().enumerate() {
        let mut seen: Vec<Seen<'_>> = Vec::new();
        for (_, node) in search.tree.nodes() {
            if node.location != of.head || node.fate != Fate::Expanded {
                continue;
            }
            let precision = &search.precisions[node.precision];
            let known = |(i, atom): (usize, &Cond)| match node.known.get(i) {
                Kleene::True => cond(atom),
                Kleene::False => cond(&atom.negated()),
                Kleene::Half => None,
            };
            let literals: Vec<Formula> = precision.atoms.iter().enumerate().filter_map(known).collect();
            let class = &*precision.class;
            for graph in node.region.graphs() {
                let mut of_variables = literals.clone();
                about_variables(class, graph, &mut of_variables);
                about_numbers(graph, &mut of_variables);
                let mut told: Vec<Formula> = Vec::new();
                of_variables.retain(|f| {
                    let new = !told.contains(f);
                    told.push(f.clone());
                    new
                });
                seen.push(Seen { class, graph, of_variables });
            }
        }
        let mut told: Vec<&Vec<Formula>> = Vec::new();
        for one in &seen {
            if !told.contains(&&one.of_variables) {
                told.push(&one.of_variables);
            }
        }
        let mut found = Vec::new();
        if !told.is_empty() && told.len() <= MAX_CASES {
            let cases: Vec<Case<'_>> = told.iter().map(|facts| case(facts, &seen)).collect();
            of_cases(program, &cases, &mut found);
        }
        out.push((LoopId(number as u32), found));
    }
    out
}

fn case<'t>(facts: &[Formula], all: &'t [Seen<'t>]) -> Case<'t> {
    let seen: Vec<&Seen<'_>> = all.iter().filter(|s| !contradict(facts, &s.of_variables)).collect();
    let mut chains: Vec<Chain> = Vec::new();
    for one in &seen {
        for &from in &one.class.vars {
            for &link in &one.class.links {
                let field = one.class.fields[link];
                let known = |c: &Chain| c.from == from && c.field == field;
                if chains.iter().any(known) {
                    continue;
                }
                // All graphs agree where it ends. Where the variable is null there is nothing that could end elsewhere.
                let ends: Vec<Option<Option<End>>> = seen.iter().map(|s| end_in(s, from, field)).collect();
                let Some(end) = ends.iter().flatten().flatten().next().copied() else { continue };
                let agree = |e: &Option<Option<End>>| match e {
                    None => false,
                    Some(None) => end == End::Null,
                    Some(Some(other)) => *other == end,
                };
                if ends.iter().all(agree) {
                    chains.push(Chain { from, field, end });
                }
            }
        }
    }
    Case { of_variables: facts.to_vec(), chains, seen }
}

/// Where a chain ends in a graph: `None` if that cannot be said, `Some(None)` if the variable is null.
fn end_in(seen: &Seen<'_>, from: VarId, field: FieldId) -> Option<Option<End>> {
    let (x, link) = (seen.known(from)?, seen.link(field)?);
    if seen.class.pointees[x] != seen.class.owners[seen.class.links[link]] {
        return None;
    }
    let cells = (0..seen.graph.nodes.len()).any(|i| seen.graph.get(i, seen.class.points(x)).may());
    if !cells {
        return Some(None);
    }
    end(seen.class, seen.graph, x, link).map(Some)
}

/// Whether two conjunctions exclude each other, as far as one fact shows it.
fn contradict(a: &[Formula], b: &[Formula]) -> bool {
    let opposite = |f: &Formula, g: &Formula| match (f, g) {
        (Formula::Compare(Cmp::Eq, x, Term::Int(m)), Formula::Compare(Cmp::Eq, y, Term::Int(n))) => {
            x == y && m != n
        }
        (Formula::Compare(cmp, x, y), Formula::Compare(other, v, w)) => {
            *cmp == other.negated() && (x, y) == (v, w)
        }
        (Formula::Not(f), g) | (g, Formula::Not(f)) => **f == *g,
        _ => false,
    };
    a.iter().any(|f| b.iter().any(|g| opposite(f, g)))
}

fn about_numbers(graph: &Graph, out: &mut Vec<Formula>) {
    for (v, known) in &graph.values {
        let term = Term::Var(*v, At::Now);
        match known {
            Known::Is(range) => out.extend(in_range(&term, *range)),
            Known::Not(ranges) => {
                out.extend(ranges.iter().filter_map(|r| Some(describe::not(in_range(&term, *r)?))));
            }
        }
    }
}

/// Which tracked pointers are null, equal or different for certain.
fn about_variables(class: &Class, graph: &Graph, out: &mut Vec<Formula>) {
    let n = class.vars.len();
    let nodes = |x: usize| (0..graph.nodes.len()).filter(move |&i| graph.get(i, class.points(x)).may());
    let is_null = |x: usize| graph.null >> x & 1 == 1;
    let is_wild = |x: usize| graph.wild >> x & 1 == 1;
    let term = |x: usize| Term::Var(class.vars[x], At::Now);
    for x in (0..n).filter(|&x| !is_wild(x)) {
        let null = Term::Null(class.pointees[x]);
        match (is_null(x), nodes(x).next().is_some()) {
            (true, false) => out.push(Formula::eq(term(x), null)),
            (false, true) => out.push(Formula::ne(term(x), null)),
            _ => {}
        }
        for y in (x + 1..n).filter(|&y| !is_wild(y) && class.pointees[x] == class.pointees[y]) {
            let (at_x, at_y): (Vec<usize>, Vec<usize>) = (nodes(x).collect(), nodes(y).collect());
            if is_null(x) || is_null(y) || at_x.is_empty() || at_y.is_empty() {
                continue;
            }
            match (&at_x[..], &at_y[..]) {
                ([i], [j]) if i == j && !graph.nodes[*i].summary => out.push(Formula::eq(term(x), term(y))),
                _ if at_x.iter().all(|i| !at_y.contains(i)) => out.push(Formula::ne(term(x), term(y))),
                _ => {}
            }
        }
    }
}

/// Where a chain ends, if that can be said.
fn end(class: &Class, graph: &Graph, x: usize, link: usize) -> Option<End> {
    if graph.wild >> x & 1 == 1 {
        return None;
    }
    let field = class.links[link];
    let mut open: Vec<usize> =
        (0..graph.nodes.len()).filter(|&i| graph.get(i, class.points(x)).may()).collect();
    let first = open.clone();
    if first.is_empty() {
        return None;
    }
    let (mut seen, mut null, mut wild) = (0u64, graph.null >> x & 1 == 1, Vec::new());
    while let Some(i) = open.pop() {
        if seen >> i & 1 == 1 {
            continue;
        }
        seen |= 1 << i;
        let edge = graph.edge(class, i, field);
        null |= edge.null;
        if edge.wild {
            wild.push(i);
        }
        open.extend(bits(edge.can));
    }
    match wild[..] {
        [] if null => {
            let open =
                class.level >= 1 && bits(seen).all(|i| graph.get(i, class.cyclic(link)) == Kleene::False);
            open.then_some(End::Null)
        }
        [] => {
            let closed =
                class.level >= 1 && first.iter().all(|&i| graph.get(i, class.cyclic(link)) == Kleene::True);
            closed.then_some(End::Ring)
        }
        [last] if !null && !graph.nodes[last].summary && graph.edge(class, last, field).can == 0 => {
            let here = |y: &usize| graph.get(last, class.points(*y)) == Kleene::True;
            (0..class.vars.len()).find(here).map(|y| End::At(class.vars[y]))
        }
        _ => None,
    }
}

/// That a cell is on a chain.
fn on(program: &Program, chain: Chain, cell: &Term) -> Formula {
    let start = Term::Var(chain.from, At::Now);
    let null = Term::Null(program.fields[chain.field.index()].owner);
    match chain.end {
        End::Null => {
            Formula::And(vec![Formula::ne(cell.clone(), null), reach(chain.field, start, cell.clone())])
        }
        End::At(y) => Formula::Between(chain.field, At::Now, start, cell.clone(), Term::Var(y, At::Now)),
        End::Ring => reach(chain.field, start, cell.clone()),
    }
}

/// How a chain ends.
fn ends(program: &Program, chain: Chain) -> Formula {
    let start = || Term::Var(chain.from, At::Now);
    let field = chain.field;
    match chain.end {
        End::Null => reach(field, start(), Term::Null(program.fields[field.index()].owner)),
        End::At(y) => reach(field, start(), Term::Var(y, At::Now)),
        End::Ring => Formula::Reach { field, at: At::Now, from: start(), to: start(), plus: true },
    }
}

fn reach(field: FieldId, from: Term, to: Term) -> Formula {
    Formula::Reach { field, at: At::Now, from, to, plus: false }
}

/// The clauses of all cases.
fn of_cases(program: &Program, cases: &[Case<'_>], out: &mut Vec<Formula>) {
    // What every case says needs no case.
    let common: Vec<Formula> = cases[0]
        .of_variables
        .iter()
        .filter(|f| cases.iter().all(|c| c.of_variables.contains(f)))
        .cloned()
        .collect();
    out.extend(common.iter().cloned());
    let rest = |case: &Case<'_>| -> Vec<Formula> {
        case.of_variables.iter().filter(|f| !common.contains(f)).cloned().collect()
    };
    let told: Vec<Formula> = simplest(cases.iter().map(rest)).into_iter().map(Formula::all).collect();
    if told.len() > 1 {
        out.push(Formula::Or(told));
    }
    let details: Vec<Vec<Formula>> = cases.iter().map(|case| describe::details(program, case)).collect();
    let mut said: Vec<Formula> = Vec::new();
    for detail in details.iter().flatten() {
        if said.contains(detail) {
            continue;
        }
        said.push(detail.clone());
        let premises: Vec<Formula> = (0..cases.len())
            .filter(|&i| details[i].contains(detail))
            .map(|i| Formula::all(rest(&cases[i])))
            .collect();
        out.push(if premises.len() == cases.len() {
            detail.clone()
        } else {
            under(premises, detail.clone())
        });
    }
}

fn under(mut premises: Vec<Formula>, then: Formula) -> Formula {
    premises.dedup();
    let premise = if premises.len() == 1 { premises.remove(0) } else { Formula::Or(premises) };
    match premise {
        Formula::Const(true) => then,
        premise => Formula::Implies(Box::new(premise), Box::new(then)),
    }
}

/// Conjunctions without those that say more than another one.
fn simplest(all: impl Iterator<Item = Vec<Formula>>) -> Vec<Vec<Formula>> {
    let mut kept: Vec<Vec<Formula>> = Vec::new();
    for parts in all {
        let says = |less: &Vec<Formula>, more: &Vec<Formula>| less.iter().all(|p| more.contains(p));
        if kept.iter().any(|k| says(k, &parts)) {
            continue;
        }
        kept.retain(|k| !says(&parts, k));
        kept.push(parts);
    }
    kept
}

/// A bound variable of a clause; clauses are closed, so each counts anew.
fn bound(program: &Program, number: u32, of: StructId) -> (Binder, Term) {
    let id = BoundId(program.bounds + number);
    let name = ["c", "d"].get(number as usize).copied().unwrap_or("e").to_owned();
    (Binder { id, name, of: Some(of) }, Term::Bound(id))
}

fn implies(premise: Formula, then: Formula) -> Formula {
    Formula::Implies(Box::new(premise), Box::new(then))
}

/// A condition as a formula, if formulas can say it.
fn cond(c: &Cond) -> Option<Formula> {
    Some(match c {
        Cond::Const(value) => Formula::Const(*value),
        Cond::Compare(cmp, a, b) => Formula::Compare(*cmp, expr(a)?, expr(b)?),
        Cond::Not(inner) => cond(inner)?.negate(),
        Cond::And(parts) => Formula::And(parts.iter().map(cond).collect::<Option<_>>()?),
        Cond::Or(parts) => Formula::Or(parts.iter().map(cond).collect::<Option<_>>()?),
    })
}

fn expr(e: &Expr) -> Option<Term> {
    Some(match e {
        Expr::Var(v) => Term::Var(*v, At::Now),
        Expr::Null(s) => Term::Null(*s),
        Expr::Int(n) => Term::Int(*n),
        Expr::Neg(a) => Term::Neg(Box::new(expr(a)?)),
        Expr::Binary(op, a, b) => Term::Binary(*op, Box::new(expr(a)?), Box::new(expr(b)?)),
        Expr::BitNot(_) | Expr::Wrap(..) => return None,
    })
}

fn compare(cmp: Cmp, a: &Term, b: i128) -> Formula {
    Formula::Compare(cmp, a.clone(), Term::Int(b))
}
