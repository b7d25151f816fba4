//! The call graph from the bottom to the top: functions that call each other come together.

use crate::frontend::c::outline::Outline;

/// Functions without a contract, callees before callers, in groups that call each other. With names, only these and
/// what they call.
pub(super) fn groups(outline: &Outline, wanted: &[String]) -> Vec<Vec<String>> {
    let mut tarjan = Tarjan {
        outline,
        index: vec![None; outline.functions.len()],
        low: vec![0; outline.functions.len()],
        stack: Vec::new(),
        on_stack: vec![false; outline.functions.len()],
        next: 0,
        out: Vec::new(),
    };
    for (i, function) in outline.functions.iter().enumerate() {
        if wanted.is_empty() || wanted.contains(&function.name) {
            tarjan.visit(i);
        }
    }
    let open = |name: &String| outline.function(name).is_some_and(|f| !f.has_contract && f.name != "main");
    let groups = tarjan.out.into_iter().map(|g| g.into_iter().filter(open).collect::<Vec<_>>());
    groups.filter(|g| !g.is_empty()).collect()
}

/// Everything that a function calls, directly or not.
pub(super) fn below(outline: &Outline, name: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = vec![name.to_owned()];
    while let Some(name) = open.pop() {
        for callee in outline.function(&name).iter().flat_map(|f| &f.calls) {
            if !found.contains(callee) {
                found.push(callee.clone());
                open.push(callee.clone());
            }
        }
    }
    found
}

/// Strongly connected components, as they are finished.
struct Tarjan<'o> {
    outline: &'o Outline,
    index: Vec<Option<usize>>,
    low: Vec<usize>,
    stack: Vec<usize>,
    on_stack: Vec<bool>,
    next: usize,
    out: Vec<Vec<String>>,
}

impl Tarjan<'_> {
    fn callees(&self, at: usize) -> Vec<usize> {
        let functions = &self.outline.functions;
        functions[at].calls.iter().filter_map(|name| functions.iter().position(|f| f.name == *name)).collect()
    }

    fn enter(&mut self, at: usize) {
        (self.index[at], self.low[at]) = (Some(self.next), self.next);
        self.next += 1;
        self.stack.push(at);
        self.on_stack[at] = true;
    }

    fn visit(&mut self, start: usize) {
        if self.index[start].is_some() {
            return;
        }
        // The calls that are being followed, each with how many callees are done.
        let mut path = vec![(start, 0)];
        self.enter(start);
        while let Some(&mut (at, ref mut done)) = path.last_mut() {
            let number = *done;
            *done += 1;
            match self.callees(at).get(number).copied() {
                Some(callee) if self.index[callee].is_none() => {
                    self.enter(callee);
                    path.push((callee, 0));
                }
                Some(callee) => {
                    if self.on_stack[callee] {
                        self.low[at] = self.low[at].min(self.index[callee].unwrap_or(0));
                    }
                }
                None => {
                    path.pop();
                    if let Some((above, _)) = path.last() {
                        self.low[*above] = self.low[*above].min(self.low[at]);
                    }
                    self.finish(at);
                }
            }
        }
    }

    fn finish(&mut self, at: usize) {
        if Some(self.low[at]) != self.index[at] {
            return;
        }
        let mut group = Vec::new();
        while let Some(member) = self.stack.pop() {
            self.on_stack[member] = false;
            group.push(member);
            if member == at {
                break;
            }
        }
        group.sort_unstable();
        self.out.push(group.into_iter().map(|i| self.outline.functions[i].name.clone()).collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::c::{Options, load};

    #[test]
    fn callees_come_first_and_circles_together() {
        let text = b"int c(int n) { return n; }\nint even(int n);\n\
            int odd(int n) { return n == 0 ? 0 : even(n - 1); }\n\
            int a(int n) { return even(n) + c(n); }\n\
            int even(int n) { return n == 0 ? 1 : odd(n - 1); }\nint main(void) { return a(1); }\n";
        let unit = load("x.c", text, &Options::default());
        let all = groups(&unit.outline, &[]);
        assert_eq!(all, [vec!["c"], vec!["odd", "even"], vec!["a"]]);
        assert_eq!(groups(&unit.outline, &["odd".to_owned()]), [vec!["odd", "even"]]);
        assert_eq!(below(&unit.outline, "odd"), ["even", "odd"]);
    }
}
