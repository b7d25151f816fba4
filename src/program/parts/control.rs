//! Which tests decide whether a location is reached.
//!
//! A location depends on a test if one way from the test always leads there and another need not (Ferrante, Ottenstein,
//! Warren). Ways that end the program early do not count: what runs after `if (bad) abort();` does not depend on that
//! test here, so fewer integers are kept. That is only less precise.

use crate::program::cfg::Program;
use crate::program::decl::LocationId;

/// By location, the locations whose tests it depends on.
pub(super) fn control_parents(program: &Program) -> Vec<Vec<LocationId>> {
    let postdominators = Postdominators::of(program);
    let mut parents = vec![Vec::new(); program.locations as usize];
    for (at, edges) in program.successors().iter().enumerate() {
        if edges.len() < 2 {
            continue;
        }
        let stop = postdominators.of_location(at);
        for edge in edges {
            let mut reached = program.edges[edge.index()].to.index();
            while reached != stop && reached != postdominators.end {
                let test = LocationId(at as u32);
                if parents[reached].last() != Some(&test) {
                    parents[reached].push(test);
                }
                reached = postdominators.of_location(reached);
            }
        }
    }
    parents
}

/// The first location that all ways from a location to the end pass.
struct Postdominators {
    immediate: Vec<usize>,
    /// A location behind all ends.
    end: usize,
}

impl Postdominators {
    /// The algorithm of Cooper, Harvey and Kennedy on the reversed graph.
    fn of(program: &Program) -> Postdominators {
        let count = program.locations as usize;
        let end = count;
        let (mut before, mut after) = (vec![Vec::new(); count + 1], vec![Vec::new(); count + 1]);
        let mut connect = |from: usize, to: usize| {
            before[to].push(from);
            after[from].push(to);
        };
        let reaches = reaching(program, program.exit);
        for edge in &program.edges {
            let (from, to) = (edge.from.index(), edge.to.index());
            if reaches[to] || !reaches[from] {
                connect(from, to);
            }
        }
        connect(program.exit.index(), end);
        // What never gets to the exit ends somewhere else.
        (0..count).filter(|at| !reaches[*at]).for_each(|at| connect(at, end));
        let order = postorder(&before, end);
        let mut number = vec![usize::MAX; count + 1];
        for (i, at) in order.iter().enumerate() {
            number[*at] = i;
        }
        let unknown = usize::MAX;
        let mut immediate = vec![unknown; count + 1];
        immediate[end] = end;
        let mut changed = true;
        while changed {
            changed = false;
            for &at in order.iter().rev().filter(|at| **at != end) {
                let mut found = unknown;
                for &next in after[at].iter().filter(|next| immediate[**next] != unknown) {
                    found = match found == unknown {
                        true => next,
                        false => meet(&immediate, &number, found, next),
                    };
                }
                changed |= immediate[at] != found;
                immediate[at] = found;
            }
        }
        Postdominators { immediate, end }
    }

    fn of_location(&self, at: usize) -> usize {
        self.immediate[at].min(self.end)
    }
}

fn meet(immediate: &[usize], number: &[usize], a: usize, b: usize) -> usize {
    let (mut a, mut b) = (a, b);
    while a != b {
        while number[a] < number[b] {
            a = immediate[a];
        }
        while number[b] < number[a] {
            b = immediate[b];
        }
    }
    a
}

fn postorder(next: &[Vec<usize>], root: usize) -> Vec<usize> {
    let mut seen = vec![false; next.len()];
    let mut order = Vec::new();
    let mut stack = vec![(root, 0)];
    seen[root] = true;
    while let Some((at, i)) = stack.pop() {
        match next[at].get(i) {
            Some(&to) => {
                stack.push((at, i + 1));
                if !std::mem::replace(&mut seen[to], true) {
                    stack.push((to, 0));
                }
            }
            None => order.push(at),
        }
    }
    order
}

/// By location: whether a path leads from there to this one.
fn reaching(program: &Program, goal: LocationId) -> Vec<bool> {
    let predecessors = program.predecessors();
    let mut out = vec![false; program.locations as usize];
    let mut work = vec![goal];
    while let Some(at) = work.pop() {
        if !std::mem::replace(&mut out[at.index()], true) {
            work.extend(predecessors[at.index()].iter().map(|e| program.edges[e.index()].from));
        }
    }
    out
}
