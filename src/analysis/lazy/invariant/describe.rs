//! What the nodes of graphs say about cells.

use super::{
    Case, Chain, End, MAX_KINDS, Seen, bound, compare, contradict, ends, implies, on, reach, simplest,
};
use crate::analysis::lazy::shape::Range;
use crate::analysis::lazy::shape::graph::bits;
use crate::analysis::lazy::shape::truths::Kleene;
use crate::program::{At, Binder, Cmp, FieldId, Formula, Program, StructId, Term, Type, VarId};

/// That a number is in a range; nothing to say if the range has no ends.
pub(super) fn in_range(term: &Term, range: Range) -> Option<Formula> {
    match (range.from, range.to) {
        (Some(from), Some(to)) if from == to => Some(compare(Cmp::Eq, term, from)),
        (Some(from), Some(to)) => {
            Some(Formula::And(vec![compare(Cmp::Ge, term, from), compare(Cmp::Le, term, to)]))
        }
        (Some(from), None) => Some(compare(Cmp::Ge, term, from)),
        (None, Some(to)) => Some(compare(Cmp::Le, term, to)),
        (None, None) => None,
    }
}

fn field(f: FieldId, of: &Term) -> Term {
    Term::Field(f, At::Now, Box::new(of.clone()))
}

/// Everything that a case says about cells.
pub(super) fn details(program: &Program, case: &Case<'_>) -> Vec<Formula> {
    let mut out = Vec::new();
    for &chain in &case.chains {
        out.push(ends(program, chain));
        cover(program, case, chain, &mut out);
    }
    for &chain in &case.chains {
        successors(program, case, chain, &mut out);
    }
    for &chain in &case.chains {
        items(program, case, chain, &mut out);
    }
    if case.seen.iter().all(|s| s.class.leaks && !s.graph.leaked) {
        nothing_lost(program, case, &mut out);
    }
    out
}

/// The nodes that may be on a chain, with their graphs.
fn members<'c>(case: &'c Case<'_>, chain: Chain) -> impl Iterator<Item = (&'c Seen<'c>, usize)> {
    let all = case.seen.iter().flat_map(|seen| (0..seen.graph.nodes.len()).map(move |i| (*seen, i)));
    all.filter(move |(seen, i)| seen.may_be_on(*i, chain))
}

/// Each cell on the chain is like one of the nodes.
fn cover(program: &Program, case: &Case<'_>, chain: Chain, out: &mut Vec<Formula>) {
    let owner = program.fields[chain.field.index()].owner;
    let (binder, cell) = bound(program, 0, owner);
    let kinds = members(case, chain).map(|(seen, i)| describe(program, case, seen, i, &cell, chain, true));
    let kinds = simplest(kinds.collect::<Vec<_>>().into_iter());
    let every =
        |then: Formula| Formula::Forall(binder.clone(), Box::new(implies(on(program, chain, &cell), then)));
    let Some(first) = kinds.first() else { return };
    let common: Vec<Formula> =
        first.iter().filter(|fact| kinds.iter().all(|k| k.contains(fact))).cloned().collect();
    out.extend(common.iter().cloned().map(every));
    if kinds.len() > 1 && kinds.len() <= MAX_KINDS {
        let rest =
            |kind: &Vec<Formula>| Formula::all(kind.iter().filter(|fact| !common.contains(fact)).cloned());
        out.push(every(Formula::Or(kinds.iter().map(rest).collect())));
    }
    if kinds.len() > 1 {
        // The same without what is behind the cells.
        let kinds =
            members(case, chain).map(|(seen, i)| describe(program, case, seen, i, &cell, chain, false));
        let kinds = simplest(kinds.collect::<Vec<_>>().into_iter());
        let rest =
            |kind: &Vec<Formula>| Formula::all(kind.iter().filter(|fact| !common.contains(fact)).cloned());
        if kinds.len() > 1 && kinds.len() <= MAX_KINDS {
            push(out, every(Formula::Or(kinds.iter().map(rest).collect())));
        }
    }
}

/// What is behind a cell that is like a node is like what the graph has behind that node: one step, and any number of
/// them.
fn successors(program: &Program, case: &Case<'_>, chain: Chain, out: &mut Vec<Formula>) {
    let next = chain.field;
    let owner = program.fields[next.index()].owner;
    let (binder, cell) = bound(program, 0, owner);
    let (later_binder, later) = bound(program, 1, owner);
    let after = field(next, &cell);
    let kind = |seen: &Seen<'_>, i: usize, of: &Term| describe(program, case, seen, i, of, chain, false);
    let all: Vec<(&Seen<'_>, usize)> = members(case, chain).collect();
    let mut kinds: Vec<Vec<Formula>> = Vec::new();
    for &(seen, i) in &all {
        let here = kind(seen, i, &cell);
        if !here.is_empty() && !kinds.contains(&here) {
            kinds.push(here);
        }
    }
    if kinds.len() > MAX_KINDS {
        return;
    }
    for here in kinds {
        // Other nodes of other graphs may be described alike: what is behind any of them counts.
        let alike = all.iter().filter(|(s, j)| !contradict(&here, &kind(s, *j, &cell)));
        let (mut one, mut any, mut null, mut wild) = (Vec::new(), Vec::new(), false, false);
        for &(seen, j) in alike {
            let Some(link) = seen.class.field(next) else { return };
            let edge = seen.graph.edge(seen.class, j, link);
            null |= edge.null;
            wild |= edge.wild;
            one.extend(bits(edge.can).map(|k| kind(seen, k, &after)));
            let mut open: Vec<usize> = bits(edge.can).collect();
            let mut met = 0u64;
            while let Some(k) = open.pop() {
                if met >> k & 1 == 0 {
                    met |= 1 << k;
                    any.push(kind(seen, k, &later));
                    open.extend(bits(seen.graph.edge(seen.class, k, link).can));
                }
            }
        }
        let premise = vec![on(program, chain, &cell), Formula::all(here)];
        let one = simplest(one.into_iter());
        if !wild && one.iter().all(|k| !k.is_empty()) && one.len() <= MAX_KINDS {
            let mut then: Vec<Formula> = one.into_iter().map(Formula::all).collect();
            if null {
                then.insert(0, Formula::eq(after.clone(), Term::Null(owner)));
            }
            let then = match then.len() {
                0 => Formula::Const(false),
                1 => then.remove(0),
                _ => Formula::Or(then),
            };
            let body = implies(Formula::all(premise.clone()), then);
            push(out, Formula::Forall(binder.clone(), Box::new(body)));
        }
        let any = simplest(any.into_iter());
        if any.iter().all(|k| !k.is_empty()) && any.len() <= MAX_KINDS {
            let from = after.clone();
            // From the end of a chain that nobody has written yet, anything may be reached.
            let (within, behind) = match chain.end {
                End::At(y) => {
                    let end = Term::Var(y, At::Now);
                    let before = Formula::ne(cell.clone(), end.clone());
                    (before, Formula::Between(next, At::Now, from, later.clone(), end))
                }
                End::Null | End::Ring => (Formula::Const(true), reach(next, from, later.clone())),
            };
            let mut premise = premise;
            premise.extend([within, behind, on(program, chain, &later)]);
            let then = match any.len() {
                0 => Formula::Const(false),
                1 => Formula::all(any.into_iter().flatten()),
                _ => Formula::Or(any.into_iter().map(Formula::all).collect()),
            };
            let inner = implies(Formula::all(premise), then);
            let inner = Formula::Forall(later_binder.clone(), Box::new(inner));
            push(out, Formula::Forall(binder.clone(), Box::new(inner)));
        }
    }
}

fn push(out: &mut Vec<Formula>, formula: Formula) {
    if !out.contains(&formula) {
        out.push(formula);
    }
}

/// What cells on a chain point to, if that is another kind of cells: each its own, and what begins there is a list, of
/// which no cell is on another one's.
fn items(program: &Program, case: &Case<'_>, chain: Chain, out: &mut Vec<Formula>) {
    let owner = program.fields[chain.field.index()].owner;
    let (binder, cell) = bound(program, 0, owner);
    let (other_binder, other) = bound(program, 1, owner);
    let over = |binder: &Binder, body: Formula| Formula::Forall(binder.clone(), Box::new(body));
    let two = || {
        vec![on(program, chain, &cell), on(program, chain, &other), Formula::ne(cell.clone(), other.clone())]
    };
    for &f in &program.structs[owner.index()].fields {
        let Some(target) = program.fields[f.index()].ty.pointee().filter(|t| *t != owner) else { continue };
        let (item, others) = (field(f, &cell), field(f, &other));
        let mut premise = two();
        premise.push(Formula::eq(item.clone(), others.clone()));
        let same = implies(Formula::And(premise), Formula::eq(item.clone(), Term::Null(target)));
        out.push(over(&binder, over(&other_binder, same)));
        let links = program.structs[target.index()].fields.iter().copied();
        for link in links.filter(|l| program.fields[l.index()].is_link()) {
            let (inner_binder, inner) = bound(program, 2, target);
            let ends = reach(link, item.clone(), Term::Null(target));
            out.push(over(&binder, implies(on(program, chain, &cell), ends)));
            let is_cell = Formula::ne(inner.clone(), Term::Null(target));
            let inside =
                [on(program, chain, &cell), is_cell.clone(), reach(link, item.clone(), inner.clone())];
            for fact in common(program, case, target, &inner) {
                let body = implies(Formula::all(inside.clone()), fact);
                out.push(over(&binder, over(&inner_binder, body)));
            }
            let mut premise = two();
            premise.extend([
                reach(link, item.clone(), inner.clone()),
                reach(link, others.clone(), inner.clone()),
            ]);
            let apart = implies(Formula::all(premise), Formula::eq(inner.clone(), Term::Null(target)));
            out.push(over(&binder, over(&other_binder, over(&inner_binder, apart))));
        }
    }
}

/// What all nodes of a kind say of themselves.
fn common(program: &Program, case: &Case<'_>, of: StructId, cell: &Term) -> Vec<Formula> {
    let mut kinds = Vec::new();
    for seen in &case.seen {
        for i in (0..seen.graph.nodes.len()).filter(|&i| seen.graph.nodes[i].of == of) {
            let mut facts = Vec::new();
            by_itself(program, seen, i, cell, &mut facts);
            kinds.push(facts);
        }
    }
    let Some(first) = kinds.first() else { return Vec::new() };
    first.iter().filter(|fact| kinds.iter().all(|k| k.contains(fact))).cloned().collect()
}

/// Every allocated cell is on a chain, or is what a cell on a chain points to.
fn nothing_lost(program: &Program, case: &Case<'_>, out: &mut Vec<Formula>) {
    let Some(first) = case.seen.first() else { return };
    let owner = |f: FieldId| program.fields[f.index()].owner;
    for of in (0..program.structs.len()).map(|i| StructId(i as u32)) {
        let (binder, cell) = bound(program, 0, of);
        let chains = case.chains.iter().filter(|c| owner(c.field) == of);
        let mut places: Vec<Formula> = chains.map(|c| on(program, *c, &cell)).collect();
        for &v in &first.class.vars {
            let chained = case.chains.iter().any(|c| c.from == v);
            let known = case.seen.iter().all(|s| s.known(v).is_some());
            if program.vars[v.index()].ty.pointee() == Some(of) && !chained && known {
                places.push(Formula::eq(cell.clone(), Term::Var(v, At::Now)));
            }
        }
        let into = |f: &FieldId| program.fields[f.index()].ty == Type::Ptr(of) && owner(*f) != of;
        let own = program.structs[of.index()].fields.iter().copied();
        let links: Vec<FieldId> = own.filter(|l| program.fields[l.index()].is_link()).collect();
        for f in (0..program.fields.len()).map(|i| FieldId(i as u32)).filter(into) {
            let (outer, holder) = bound(program, 1, owner(f));
            for &chain in case.chains.iter().filter(|c| owner(c.field) == owner(f)) {
                let item = field(f, &holder);
                let mut ways = vec![Formula::eq(item.clone(), cell.clone())];
                ways.extend(links.iter().map(|l| reach(*l, item.clone(), cell.clone())));
                for held in ways {
                    let both = Formula::all([on(program, chain, &holder), held]);
                    places.push(Formula::Exists(outer.clone(), Box::new(both)));
                }
            }
        }
        let then = match places.len() {
            0 => Formula::eq(cell.clone(), Term::Null(of)),
            1 => places.remove(0),
            _ => Formula::Or(places),
        };
        let lost = implies(Formula::Valid(cell, At::Now), then);
        push(out, Formula::Forall(binder, Box::new(lost)));
    }
}

/// What a node says about a cell that is like it. Along the chain it is looked at from, being reached is nothing new.
fn describe(
    program: &Program,
    case: &Case<'_>,
    seen: &Seen<'_>,
    i: usize,
    cell: &Term,
    from: Chain,
    successors: bool,
) -> Vec<Formula> {
    let (class, graph) = (seen.class, seen.graph);
    let of = graph.nodes[i].of;
    let mut out = Vec::new();
    let known = |v: VarId| case.seen.iter().all(|s| s.known(v).is_some());
    for (x, v) in class.vars.iter().enumerate().filter(|(x, v)| class.pointees[*x] == of && known(**v)) {
        let var = Term::Var(*v, At::Now);
        match graph.get(i, class.points(x)) {
            Kleene::True => out.push(Formula::eq(cell.clone(), var)),
            Kleene::False => out.push(Formula::ne(cell.clone(), var)),
            Kleene::Half => {}
        }
    }
    by_itself(program, seen, i, cell, &mut out);
    if class.level >= 1 {
        for &chain in &case.chains {
            let here = from.from == chain.from && from.field == chain.field;
            let (Some(x), Some(link)) = (class.var(chain.from), seen.link(chain.field)) else { continue };
            if here || class.owners[class.links[link]] != of {
                continue;
            }
            let first = graph.get(i, class.points(x));
            match graph.get(i, class.reached(x, link)).or(first) {
                Kleene::True => out.push(on(program, chain, cell)),
                Kleene::False => out.push(off(program, chain, cell)),
                Kleene::Half => {}
            }
        }
    }
    if class.level >= 2 {
        for (p, (k, l)) in class.pairs.iter().enumerate() {
            let (there, back) = (class.links[*k], class.links[*l]);
            if class.owners[there] == of && graph.get(i, class.inverse(p)) == Kleene::True {
                let next = field(class.fields[there], cell);
                let again = Formula::eq(field(class.fields[back], &next), cell.clone());
                out.push(Formula::Or(vec![Formula::eq(next, Term::Null(of)), again]));
            }
        }
    }
    if successors {
        for k in (0..class.fields.len()).filter(|&k| class.owners[k] == of) {
            behind(program, seen, (i, k), cell, &mut out);
        }
    }
    out
}

/// That a cell is not on a chain.
fn off(program: &Program, chain: Chain, cell: &Term) -> Formula {
    match on(program, chain, cell) {
        // Null is on no chain: only cells are described.
        Formula::And(mut parts) => parts.remove(1).negate(),
        other => other.negate(),
    }
}

/// The negation of a fact.
pub(super) fn not(fact: Formula) -> Formula {
    match fact {
        Formula::Compare(cmp, a, b) => Formula::Compare(cmp.negated(), a, b),
        other => other.negate(),
    }
}

/// Whether the cell is allocated, and its data.
fn by_itself(program: &Program, seen: &Seen<'_>, i: usize, cell: &Term, out: &mut Vec<Formula>) {
    let (class, graph) = (seen.class, seen.graph);
    match graph.get(i, class.live()) {
        Kleene::True => out.push(Formula::Valid(cell.clone(), At::Now)),
        Kleene::False => out.push(Formula::Valid(cell.clone(), At::Now).negate()),
        Kleene::Half => {}
    }
    let of = graph.nodes[i].of;
    let tests = class.tests.iter().enumerate().filter(|(_, (f, _))| program.fields[f.index()].owner == of);
    for (t, (f, range)) in tests {
        // What is in one range is in no other one.
        let told = class
            .tests
            .iter()
            .enumerate()
            .any(|(u, (g, _))| u != t && g == f && graph.get(i, class.test(u)) == Kleene::True);
        let Some(fact) = in_range(&field(*f, cell), *range) else { continue };
        match graph.get(i, class.test(t)) {
            Kleene::True => out.push(fact),
            Kleene::False if !told => out.push(not(fact)),
            _ => {}
        }
    }
}

/// What a field of the node's cell holds.
fn behind(program: &Program, seen: &Seen<'_>, (i, k): (usize, usize), cell: &Term, out: &mut Vec<Formula>) {
    let (class, graph) = (seen.class, seen.graph);
    let edge = graph.edge(class, i, k);
    if edge.wild {
        return;
    }
    let next = field(class.fields[k], cell);
    let null = Term::Null(class.targets[k]);
    if edge.can == 0 {
        if edge.null {
            out.push(Formula::eq(next, null));
        }
        return;
    }
    if !edge.null {
        out.push(Formula::ne(next.clone(), null.clone()));
    }
    let targets: Vec<usize> = bits(edge.can).collect();
    if let [only] = targets[..]
        && !edge.null
        && !graph.nodes[only].summary
        && let Some(x) = (0..class.vars.len()).find(|&x| graph.get(only, class.points(x)) == Kleene::True)
    {
        out.push(Formula::eq(next, Term::Var(class.vars[x], At::Now)));
        return;
    }
    // Cells of another kind are described one level down; those of the same kind are on a chain themselves.
    if class.targets[k] != class.owners[k] {
        let kinds = targets.iter().map(|&t| below(program, seen, t, &next)).collect::<Vec<_>>();
        let mut kinds = simplest(kinds.into_iter());
        if kinds.iter().any(Vec::is_empty) {
            return;
        }
        if edge.null {
            kinds.insert(0, vec![Formula::eq(next, null)]);
        }
        let mut all: Vec<Formula> = kinds.into_iter().map(Formula::all).collect();
        out.push(if all.len() == 1 { all.remove(0) } else { Formula::Or(all) });
    }
}

/// What a node says without looking far.
fn below(program: &Program, seen: &Seen<'_>, i: usize, cell: &Term) -> Vec<Formula> {
    let (class, graph) = (seen.class, seen.graph);
    let of: StructId = graph.nodes[i].of;
    let mut out = Vec::new();
    by_itself(program, seen, i, cell, &mut out);
    for k in (0..class.fields.len()).filter(|&k| class.owners[k] == of) {
        let edge = graph.edge(class, i, k);
        let next = field(class.fields[k], cell);
        let null = Term::Null(class.targets[k]);
        match (edge.wild, edge.null, edge.can != 0) {
            (false, true, false) => out.push(Formula::eq(next, null)),
            (false, false, true) => out.push(Formula::ne(next, null)),
            _ => {}
        }
    }
    out
}
