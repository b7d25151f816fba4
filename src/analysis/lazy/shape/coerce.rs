//! Coerce: sharpens a graph by what holds in every heap, or finds that it stands for none.
//!
//! The constraints: a variable has one value; a field of one cell has one value; a data field has one value; "reached
//! from x along f" is closed along f, starts where x points and is explained by a predecessor; a cell that is on
//! no cycle is not reached from its successors; a cell that is not shared has one predecessor; a link that is
//! inverted by another one determines it.

use super::class::Class;
use super::graph::{Graph, bits};
use super::truths::Kleene;
use crate::program::StructId;

/// Why a graph stands for no heap.
struct Contradiction;

struct Coerce<'a> {
    class: &'a Class,
    graph: &'a mut Graph,
    changed: bool,
}

/// Sharpens the graph to a fixpoint; `false` if it stands for no heap.
#[must_use]
pub fn coerce(class: &Class, graph: &mut Graph) -> bool {
    let mut run = Coerce { class, graph, changed: true };
    while run.changed {
        run.changed = false;
        if run.round().is_err() {
            return false;
        }
    }
    true
}

impl Coerce<'_> {
    fn round(&mut self) -> Result<(), Contradiction> {
        for x in 0..self.class.vars.len() {
            self.variable(x)?;
        }
        for node in 0..self.graph.nodes.len() {
            for field in 0..self.class.fields.len() {
                self.edge(node, field)?;
            }
            self.tests(node)?;
        }
        if self.class.level >= 1 {
            for link in 0..self.class.links.len() {
                for x in 0..self.class.vars.len() {
                    self.reached(x, link)?;
                }
                self.acyclic(link)?;
                self.ends(link)?;
            }
        }
        if self.class.level >= 2 {
            for link in 0..self.class.links.len() {
                self.unshared(link)?;
            }
            for pair in 0..self.class.pairs.len() {
                self.inverse(pair)?;
            }
        }
        if self.class.level >= 3 {
            let all: Vec<usize> = (0..self.class.fields.len()).collect();
            for w in 0..self.graph.nodes.len() {
                self.predecessors(w, self.class.crowded(), &all)?;
                self.entered(w)?;
            }
            for &kind in &self.class.kinds {
                self.hangs_on_something(kind)?;
            }
        }
        Ok(())
    }

    /// Learns the value of a predicate.
    fn learn(&mut self, node: usize, predicate: usize, value: bool) -> Result<(), Contradiction> {
        match self.graph.get(node, predicate) {
            Kleene::Half => {
                self.graph.nodes[node].truths.set(predicate, Kleene::from(value));
                self.changed = true;
                Ok(())
            }
            known if known == Kleene::from(value) => Ok(()),
            _ => Err(Contradiction),
        }
    }

    /// The node stands for exactly one cell.
    fn single(&mut self, node: usize) {
        if self.graph.nodes[node].summary {
            self.graph.nodes[node].summary = false;
            self.changed = true;
        }
    }

    /// A field does not point to the node.
    fn cut(&mut self, from: usize, field: usize, to: usize) -> Result<(), Contradiction> {
        let edge = self.graph.edge_mut(self.class, from, field);
        if edge.must >> to & 1 == 1 {
            return Err(Contradiction);
        }
        if edge.can >> to & 1 == 1 {
            edge.can &= !(1 << to);
            self.changed = true;
        }
        Ok(())
    }

    fn variable(&mut self, x: usize) -> Result<(), Contradiction> {
        let p = self.class.points(x);
        let other = self.graph.null >> x & 1 == 1 || self.graph.wild >> x & 1 == 1;
        let may: Vec<usize> = (0..self.graph.nodes.len()).filter(|&i| self.graph.get(i, p).may()).collect();
        let must = may.iter().copied().find(|&i| self.graph.get(i, p) == Kleene::True);
        if let Some(node) = must {
            self.graph.null &= !(1 << x);
            self.graph.wild &= !(1 << x);
            self.single(node);
            for i in may.into_iter().filter(|&i| i != node) {
                self.learn(i, p, false)?;
            }
        } else if !other {
            match may[..] {
                [] => return Err(Contradiction),
                [only] if !self.graph.nodes[only].summary => self.learn(only, p, true)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn edge(&mut self, node: usize, field: usize) -> Result<(), Contradiction> {
        let edge = self.graph.edge(self.class, node, field);
        if edge.must != 0 {
            if edge.must.count_ones() > 1 {
                return Err(Contradiction);
            }
            let target = edge.must.trailing_zeros() as usize;
            self.single(target);
            if edge.can != edge.must || edge.null || edge.wild {
                let edge = self.graph.edge_mut(self.class, node, field);
                (edge.can, edge.null, edge.wild) = (edge.must, false, false);
                self.changed = true;
            }
        } else if !edge.null && !edge.wild {
            if edge.can == 0 {
                return if self.has_field(node, field) { Err(Contradiction) } else { Ok(()) };
            }
            let target = edge.can.trailing_zeros() as usize;
            if edge.can.count_ones() == 1 && !self.graph.nodes[target].summary {
                self.graph.edge_mut(self.class, node, field).must = edge.can;
                self.changed = true;
            }
        }
        Ok(())
    }

    /// Fields of other kinds of cells have no value at all.
    fn has_field(&self, node: usize, field: usize) -> bool {
        self.class.owners[field] == self.graph.nodes[node].of
    }

    fn tests(&mut self, node: usize) -> Result<(), Contradiction> {
        for i in 0..self.class.tests.len() {
            if self.graph.get(node, self.class.test(i)) == Kleene::True {
                for j in 0..self.class.tests.len() {
                    if j != i && self.class.tests[j].0 == self.class.tests[i].0 {
                        self.learn(node, self.class.test(j), false)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn reached(&mut self, x: usize, link: usize) -> Result<(), Contradiction> {
        let (r, p, field) = (self.class.reached(x, link), self.class.points(x), self.class.links[link]);
        let owner = self.class.owners[field];
        let count = self.graph.nodes.len();
        let starts = (0..count).any(|i| self.graph.get(i, p).may());
        for u in 0..count {
            let here = self.graph.get(u, r);
            if !starts || self.graph.nodes[u].of != owner {
                self.learn(u, r, false)?;
                continue;
            }
            if here == Kleene::False {
                self.learn(u, p, false)?;
            }
            if self.graph.get(u, p) == Kleene::True {
                self.learn(u, r, true)?;
            }
            let edge = self.graph.edge(self.class, u, field);
            for w in bits(edge.can) {
                let there = self.graph.get(w, r);
                let certain = edge.must >> w & 1 == 1;
                if self.graph.get(u, r) == Kleene::True && there == Kleene::False {
                    self.cut(u, field, w)?;
                } else if certain && self.graph.get(u, r) == Kleene::True {
                    self.learn(w, r, true)?;
                } else if certain && there == Kleene::False {
                    self.learn(u, r, false)?;
                }
            }
        }
        for w in 0..count {
            if self.graph.get(w, r).may() && self.graph.get(w, p) == Kleene::False {
                self.explain(x, link, w)?;
            }
        }
        self.led_to(x, link)
    }

    /// Where no possible path from x leads, nothing is reached: cells do not explain each other in a circle.
    fn led_to(&mut self, x: usize, link: usize) -> Result<(), Contradiction> {
        let (r, p, field) = (self.class.reached(x, link), self.class.points(x), self.class.links[link]);
        let mut open: Vec<usize> =
            (0..self.graph.nodes.len()).filter(|&i| self.graph.get(i, p).may()).collect();
        let mut seen = 0u64;
        while let Some(u) = open.pop() {
            if seen >> u & 1 == 0 && self.graph.get(u, r).may() {
                seen |= 1 << u;
                open.extend(bits(self.graph.edge(self.class, u, field).can & !seen));
            }
        }
        for u in (0..self.graph.nodes.len()).filter(|u| seen >> u & 1 == 0) {
            self.learn(u, r, false)?;
        }
        Ok(())
    }

    /// A cell reached from x to which x does not point has a predecessor that is reached.
    fn explain(&mut self, x: usize, link: usize, w: usize) -> Result<(), Contradiction> {
        let (r, field) = (self.class.reached(x, link), self.class.links[link]);
        let leads =
            |u: usize| self.graph.edge(self.class, u, field).can >> w & 1 == 1 && self.graph.get(u, r).may();
        let mut others = (0..self.graph.nodes.len()).filter(|&u| u != w && leads(u));
        let first = others.next();
        let more = others.next().is_some();
        match first {
            None => self.learn(w, r, false)?,
            Some(u) if !more && !self.graph.nodes[u].summary && !self.graph.nodes[w].summary => {
                if self.graph.get(w, r) == Kleene::True {
                    self.learn(u, r, true)?;
                    let edge = self.graph.edge_mut(self.class, u, field);
                    if edge.must >> w & 1 == 0 {
                        edge.must |= 1 << w;
                        self.changed = true;
                    }
                }
            }
            Some(_) => {}
        }
        Ok(())
    }

    fn acyclic(&mut self, link: usize) -> Result<(), Contradiction> {
        let (c, field) = (self.class.cyclic(link), self.class.links[link]);
        for u in 0..self.graph.nodes.len() {
            if self.graph.nodes[u].of != self.class.owners[field] {
                self.learn(u, c, false)?;
                continue;
            }
            if self.graph.get(u, c) != Kleene::False || self.graph.nodes[u].summary {
                continue;
            }
            self.cut(u, field, u)?;
            for x in 0..self.class.vars.len() {
                if self.graph.get(u, self.class.points(x)) == Kleene::True {
                    for w in 0..self.graph.nodes.len() {
                        if self.graph.get(w, self.class.reached(x, link)) == Kleene::True {
                            self.cut(w, field, u)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// A path from a cell that is on no cycle ends at a field without target, or enters a cycle.
    fn ends(&mut self, link: usize) -> Result<(), Contradiction> {
        let (c, field) = (self.class.cyclic(link), self.class.links[link]);
        let owner = self.class.owners[field];
        let mine = |u: usize| self.graph.nodes[u].of == owner;
        let stops = |u: usize| {
            let edge = self.graph.edge(self.class, u, field);
            edge.null || edge.wild || self.graph.get(u, c) != Kleene::False
        };
        let nodes: Vec<usize> = (0..self.graph.nodes.len()).filter(|&u| mine(u)).collect();
        let mut ending = nodes.iter().filter(|&&u| stops(u)).fold(0u64, |m, u| m | 1 << u);
        loop {
            let leads = |u: &&usize| self.graph.edge(self.class, **u, field).can & ending != 0;
            let more = nodes.iter().filter(leads).fold(ending, |m, u| m | 1 << u);
            if more == ending {
                break;
            }
            ending = more;
        }
        if nodes.iter().any(|u| ending >> u & 1 == 0) { Err(Contradiction) } else { Ok(()) }
    }

    fn unshared(&mut self, link: usize) -> Result<(), Contradiction> {
        let (s, field) = (self.class.shared(link), self.class.links[link]);
        for w in 0..self.graph.nodes.len() {
            if self.graph.nodes[w].of != self.class.owners[field] {
                self.learn(w, s, false)?;
                continue;
            }
            self.predecessors(w, s, &[field])?;
        }
        Ok(())
    }

    /// "Has several predecessors along these fields" against the edges into the node.
    fn predecessors(&mut self, w: usize, s: usize, fields: &[usize]) -> Result<(), Contradiction> {
        let mut certain = None;
        let (mut sure, mut possible) = (0usize, 0usize);
        for u in 0..self.graph.nodes.len() {
            for &field in fields {
                let edge = self.graph.edge(self.class, u, field);
                if edge.must >> w & 1 == 1 {
                    certain = certain.or(Some((u, field)));
                    sure += 1;
                }
                if edge.can >> w & 1 == 1 {
                    possible += if self.graph.nodes[u].summary { 2 } else { 1 };
                }
            }
        }
        if sure > 1 {
            self.learn(w, s, true)?;
        }
        if possible <= 1 {
            self.learn(w, s, false)?;
        }
        if self.graph.get(w, s) != Kleene::False || self.graph.nodes[w].summary {
            return Ok(());
        }
        let Some((u, through)) = certain else { return Ok(()) };
        // All cells of u point to w, which has one predecessor.
        self.single(u);
        for v in 0..self.graph.nodes.len() {
            for &field in fields {
                if (v, field) != (u, through) {
                    self.cut(v, field, w)?;
                }
            }
        }
        Ok(())
    }

    /// "Has a predecessor" against the edges into the node.
    fn entered(&mut self, w: usize) -> Result<(), Contradiction> {
        let e = self.class.entered();
        let (mut sure, mut possible) = (false, false);
        for u in 0..self.graph.nodes.len() {
            for field in 0..self.class.fields.len() {
                let edge = self.graph.edge(self.class, u, field);
                sure |= edge.must >> w & 1 == 1;
                possible |= edge.can >> w & 1 == 1;
            }
        }
        if sure {
            self.learn(w, e, true)?;
        }
        if !possible {
            self.learn(w, e, false)?;
        }
        if self.graph.get(w, e) == Kleene::False {
            for u in 0..self.graph.nodes.len() {
                for field in 0..self.class.fields.len() {
                    self.cut(u, field, w)?;
                }
            }
        }
        Ok(())
    }

    /// Cells of a kind with one link to itself that are on no cycle: whoever follows their predecessors backwards
    /// ends at a cell that has none, or leaves the kind.
    fn hangs_on_something(&mut self, kind: StructId) -> Result<(), Contradiction> {
        let own = |f: usize| self.class.owners[f] == kind && self.class.targets[f] == kind;
        let mut links = (0..self.class.links.len()).filter(|&l| own(self.class.links[l]));
        let (Some(link), None) = (links.next(), links.next()) else { return Ok(()) };
        let (e, field) = (self.class.entered(), self.class.links[link]);
        let of_kind = |u: usize| self.graph.nodes[u].of == kind;
        let outside = (0..self.graph.nodes.len()).filter(|&u| !of_kind(u));
        let fields = 0..self.class.fields.len();
        let from_outside = outside
            .flat_map(|u| fields.clone().map(move |f| (u, f)))
            .fold(0u64, |all, (u, f)| all | self.graph.edge(self.class, u, f).can);
        let begins = |u: usize| from_outside >> u & 1 == 1 || self.graph.get(u, e) != Kleene::True;
        let mut open: Vec<usize> = (0..self.graph.nodes.len()).filter(|&u| of_kind(u) && begins(u)).collect();
        let mut seen = 0u64;
        while let Some(u) = open.pop() {
            if seen >> u & 1 == 0 {
                seen |= 1 << u;
                open.extend(bits(self.graph.edge(self.class, u, field).can & !seen));
            }
        }
        let circular = |u: usize| {
            of_kind(u) && seen >> u & 1 == 0 && self.graph.get(u, self.class.cyclic(link)) == Kleene::False
        };
        if (0..self.graph.nodes.len()).any(circular) { Err(Contradiction) } else { Ok(()) }
    }

    /// What the first link of a pair leads to, leads back by the second.
    fn inverse(&mut self, pair: usize) -> Result<(), Contradiction> {
        let (k, l) = self.class.pairs[pair];
        let (there, back) = (self.class.links[k], self.class.links[l]);
        let p = self.class.inverse(pair);
        for u in 0..self.graph.nodes.len() {
            let edge = self.graph.edge(self.class, u, there);
            if edge.can == 0 {
                self.learn(u, p, true)?;
                continue;
            }
            let leads_back = |graph: &Graph, w: usize| graph.edge(self.class, w, back).can >> u & 1 == 1;
            match self.graph.get(u, p) {
                Kleene::True => {
                    let wrong: Vec<usize> = bits(edge.can).filter(|&w| !leads_back(self.graph, w)).collect();
                    for w in wrong {
                        self.cut(u, there, w)?;
                    }
                    if edge.must != 0 {
                        // All cells of u lead to one cell, which leads back to one.
                        self.single(u);
                        let w = edge.must.trailing_zeros() as usize;
                        let reverse = self.graph.edge_mut(self.class, w, back);
                        if reverse.must >> u & 1 == 0 {
                            reverse.must |= 1 << u;
                            self.changed = true;
                        }
                    }
                }
                Kleene::False => {
                    if edge.null || edge.wild {
                        let edge = self.graph.edge_mut(self.class, u, there);
                        (edge.null, edge.wild) = (false, false);
                        self.changed = true;
                    }
                    self.back(u, p, edge.must, back)?;
                }
                Kleene::Half => self.back(u, p, edge.must, back)?,
            }
        }
        Ok(())
    }

    /// Learns whether the certain target of a single cell leads back to it.
    fn back(&mut self, u: usize, p: usize, must: u64, back: usize) -> Result<(), Contradiction> {
        if must == 0 || self.graph.nodes[u].summary {
            return Ok(());
        }
        let reverse = self.graph.edge(self.class, must.trailing_zeros() as usize, back);
        if reverse.must >> u & 1 == 1 {
            self.learn(u, p, true)?;
        } else if reverse.can >> u & 1 == 0 {
            self.learn(u, p, false)?;
        }
        Ok(())
    }
}
