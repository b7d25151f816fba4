//! A program without the steps that do nothing.
//!
//! A location with one way out, which does nothing, is the location behind it. Loops that do nothing are none: whether a
//! run ends makes no difference to whether it fails. Variables keep their numbers; locations, edges and loops are
//! numbered anew.

use crate::program::cfg::{Edge, Loop, Program, Sweep};
use crate::program::command::Command;
use crate::program::decl::LocationId;
use crate::program::formula::Term;

/// The shorter program.
pub(super) fn shorten(program: Program) -> Program {
    let mut short = Shortening::of(program);
    while short.pass() {}
    short.finish()
}

struct Shortening {
    program: Program,
    sweeps: Vec<Vec<Sweep>>,
}

impl Shortening {
    fn of(mut program: Program) -> Shortening {
        let mut sweeps = vec![Vec::new(); program.locations as usize];
        for sweep in std::mem::take(&mut program.sweeps) {
            sweeps[sweep.at.index()].push(sweep);
        }
        Shortening { program, sweeps }
    }

    /// Makes locations one where nothing happens between them; whether there were any.
    fn pass(&mut self) -> bool {
        let edges = &mut self.program.edges;
        let before = edges.len();
        edges.retain(|e| e.from != e.to || e.command != Command::Skip);
        edges.sort_by_key(|e| (e.from, e.to, e.command != Command::Skip));
        edges.dedup_by(|b, a| (a.from, a.to) == (b.from, b.to) && a.command == b.command);
        let mut ways = vec![0u32; self.program.locations as usize];
        self.program.edges.iter().for_each(|e| ways[e.from.index()] += 1);
        let mut next: Vec<Option<LocationId>> = vec![None; self.program.locations as usize];
        for edge in &self.program.edges {
            let at = edge.from;
            if ways[at.index()] == 1
                && edge.command == Command::Skip
                && at != self.program.entry
                && self.is_swept_later(at, edge.to)
            {
                next[at.index()] = Some(edge.to);
            }
        }
        let targets = ends(&next);
        let moved = targets.iter().enumerate().any(|(l, to)| to.index() != l);
        self.program.edges.retain(|e| targets[e.from.index()] == e.from);
        self.program.edges.iter_mut().for_each(|e| e.to = targets[e.to.index()]);
        moved || self.program.edges.len() != before
    }

    /// What is lost here is lost there too, and is looked for there.
    fn is_swept_later(&self, here: LocationId, there: LocationId) -> bool {
        let fewer = |roots: &[Term], than: &[Term]| roots.iter().all(|root| than.contains(root));
        self.sweeps[here.index()].iter().all(|sweep| {
            there == self.program.exit
                || self.sweeps[there.index()].iter().any(|later| fewer(&later.roots, &sweep.roots))
        })
    }

    /// Numbers what is reached anew.
    fn finish(self) -> Program {
        let Shortening { mut program, sweeps } = self;
        let leaving = program.successors();
        let mut order = vec![None; program.locations as usize];
        let mut heads = vec![false; program.locations as usize];
        let mut active = vec![false; program.locations as usize];
        let mut count = 0;
        // Depth first: an edge to a location that is still open closes a loop.
        let mut stack = vec![(program.entry, 0)];
        while let Some((at, i)) = stack.pop() {
            if i == 0 {
                order[at.index()] = Some(LocationId(count));
                active[at.index()] = true;
                count += 1;
            }
            match leaving[at.index()].get(i) {
                None => active[at.index()] = false,
                Some(edge) => {
                    stack.push((at, i + 1));
                    let to = program.edges[edge.index()].to;
                    match order[to.index()] {
                        None => stack.push((to, 0)),
                        Some(_) => heads[to.index()] |= active[to.index()],
                    }
                }
            }
        }
        let exit = order[program.exit.index()].unwrap_or_else(|| {
            count += 1;
            LocationId(count - 1)
        });
        let span_at =
            |head: LocationId| program.loops.iter().find(|l| l.head == head).map_or(program.span, |l| l.span);
        let loops = (0..program.locations).map(LocationId).filter(|l| heads[l.index()]);
        let loops = loops.filter_map(|head| {
            let span = span_at(head);
            let head = order[head.index()]?;
            Some(Loop {
                head,
                invariants: Vec::new(),
                assigns: None,
                variant: Vec::new(),
                parent: None,
                span,
            })
        });
        let loops: Vec<Loop> = loops.collect();
        let edges = program.edges.iter().filter_map(|e| {
            let (from, to) = (order[e.from.index()]?, order[e.to.index()]?);
            Some(Edge { from, to, ..e.clone() })
        });
        program.edges = edges.collect();
        let sweeps = sweeps.into_iter().flatten();
        program.sweeps = sweeps.filter_map(|s| Some(Sweep { at: order[s.at.index()]?, ..s })).collect();
        program.loops = loops;
        program.entry = LocationId(0);
        program.exit = exit;
        program.locations = count;
        program
    }
}

/// By location, the location that a chain of them leads to; in a ring one of them.
fn ends(next: &[Option<LocationId>]) -> Vec<LocationId> {
    let mut found: Vec<Option<LocationId>> = vec![None; next.len()];
    for start in 0..next.len() {
        let mut chain = Vec::new();
        let mut at = LocationId(start as u32);
        let end = loop {
            if let Some(end) = found[at.index()] {
                break end;
            }
            // The answer if the chain comes back here.
            found[at.index()] = Some(at);
            chain.push(at);
            match next[at.index()] {
                Some(to) => at = to,
                None => break at,
            }
        };
        chain.into_iter().for_each(|l| found[l.index()] = Some(end));
    }
    found.into_iter().enumerate().map(|(l, end)| end.unwrap_or(LocationId(l as u32))).collect()
}
