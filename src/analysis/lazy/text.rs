//! Abstract states in words, for traces; and in full, for certificates (the form is that of
//! `certify::shapes`).

use super::precision::Precision;
use super::search::Search;
use super::shape::Range;
use super::shape::graph::{Graph, Known, bits};
use super::shape::truths::Kleene;
use super::tree::Node;
use crate::program::{BinOp, Cmp, Cond, Expr, Program};

impl Search<'_> {
    /// The lines of a certificate for a node.
    #[must_use]
    pub fn certificate(&self, node: &Node) -> Vec<String> {
        certificate(self.program, &self.precisions[node.precision], node)
    }

    /// What is tracked now, in words.
    #[must_use]
    pub fn tracked(&self) -> String {
        precision(self.program, self.precision())
    }

    /// A node in words.
    #[must_use]
    pub fn describe(&self, of: &Node) -> String {
        let precision = &self.precisions[of.precision];
        node(self.program, precision, of)
    }
}

/// A node of the tree: its literals, then its graphs.
#[must_use]
pub fn node(program: &Program, precision: &Precision, node: &Node) -> String {
    let literal = |(i, atom): (usize, &Cond)| match node.known.get(i) {
        Kleene::True => Some(cond(program, atom)),
        Kleene::False => Some(format!("!({})", cond(program, atom))),
        Kleene::Half => None,
    };
    let mut parts: Vec<String> = precision.atoms.iter().enumerate().filter_map(literal).collect();
    if !precision.class.is_trivial() {
        let graphs = node.region.graphs().iter().map(|g| graph(program, precision, g));
        parts.push(graphs.collect::<Vec<_>>().join(" or "));
    }
    if parts.is_empty() { "anything".to_owned() } else { parts.join(" and ") }
}

/// What is tracked: predicates, pointers, tests of fields, the level.
#[must_use]
pub fn precision(program: &Program, precision: &Precision) -> String {
    let class = &precision.class;
    let mut parts: Vec<String> = precision.atoms.iter().map(|a| cond(program, a)).collect();
    parts.extend(class.vars.iter().map(|v| program.vars[v.index()].name.clone()));
    parts.extend(class.tests.iter().map(|(f, range)| tested(&program.fields[f.index()].name, *range, " ")));
    if parts.is_empty() {
        "nothing".to_owned()
    } else {
        format!("{} (level {})", parts.join(", "), class.level)
    }
}

fn graph(program: &Program, precision: &Precision, graph: &Graph) -> String {
    let class = &precision.class;
    let mut parts = Vec::new();
    for (x, v) in class.vars.iter().enumerate() {
        let mut targets: Vec<String> = Vec::new();
        for i in 0..graph.nodes.len() {
            if graph.get(i, class.points(x)).may() {
                targets.push(format!("n{i}"));
            }
        }
        if graph.null >> x & 1 == 1 {
            targets.push("NULL".to_owned());
        }
        if graph.wild >> x & 1 == 1 {
            targets.push("?".to_owned());
        }
        parts.push(format!("{}={}", program.vars[v.index()].name, targets.join("|")));
    }
    for (i, node) in graph.nodes.iter().enumerate() {
        let mut facts = vec![format!("n{i}{}", if node.summary { "*" } else { "" })];
        for (t, (field, range)) in class.tests.iter().enumerate() {
            let name = &program.fields[field.index()].name;
            match (graph.get(i, class.test(t)), range.single()) {
                (Kleene::True, _) => facts.push(tested(name, *range, "")),
                (Kleene::False, Some(constant)) => facts.push(format!("{name}!={constant}")),
                (Kleene::False, None) => facts.push(format!("!({})", tested(name, *range, ""))),
                (Kleene::Half, _) => {}
            }
        }
        for (k, field) in class.fields.iter().enumerate() {
            if class.owners[k] != node.of {
                continue;
            }
            let edge = graph.edge(class, i, k);
            let mut targets: Vec<String> = bits(edge.can).map(|t| format!("n{t}")).collect();
            targets.extend(edge.null.then(|| "NULL".to_owned()));
            targets.extend(edge.wild.then(|| "?".to_owned()));
            facts.push(format!("{}->{}", program.fields[field.index()].name, targets.join("|")));
        }
        parts.push(format!("[{}]", facts.join(" ")));
    }
    if parts.is_empty() { "empty heap".to_owned() } else { parts.join(" ") }
}

/// That something lies in a range, in C.
fn tested(name: &str, range: Range, space: &str) -> String {
    match (range.from, range.to) {
        (Some(c), Some(d)) if c == d => format!("{name}{space}=={space}{c}"),
        (Some(from), Some(to)) => format!("{from}{space}<={space}{name}{space}<={space}{to}"),
        (None, Some(to)) => format!("{name}{space}<={space}{to}"),
        (Some(from), None) => format!("{name}{space}>={space}{from}"),
        (None, None) => "1".to_owned(),
    }
}

/// A range in a certificate.
fn full_range(range: &Range) -> String {
    let end = |end: Option<i128>| end.map_or(String::new(), |n| n.to_string());
    match range.single() {
        Some(c) => c.to_string(),
        None => format!("{}..{}", end(range.from), end(range.to)),
    }
}

/// A comparison in C.
#[must_use]
pub fn cond(program: &Program, c: &Cond) -> String {
    match c {
        Cond::Const(value) => u8::from(*value).to_string(),
        Cond::Not(inner) => format!("!({})", cond(program, inner)),
        Cond::And(parts) => {
            parts.iter().map(|p| format!("({})", cond(program, p))).collect::<Vec<_>>().join(" && ")
        }
        Cond::Or(parts) => {
            parts.iter().map(|p| format!("({})", cond(program, p))).collect::<Vec<_>>().join(" || ")
        }
        Cond::Compare(cmp, a, b) => {
            let sign = match cmp {
                Cmp::Eq => "==",
                Cmp::Ne => "!=",
                Cmp::Lt => "<",
                Cmp::Le => "<=",
                Cmp::Gt => ">",
                Cmp::Ge => ">=",
            };
            format!("{} {sign} {}", expr(program, a), expr(program, b))
        }
    }
}

fn expr(program: &Program, e: &Expr) -> String {
    match e {
        Expr::Var(v) => program.vars[v.index()].name.clone(),
        Expr::Null(_) => "NULL".to_owned(),
        Expr::Int(n) => n.to_string(),
        Expr::Neg(a) => format!("-({})", expr(program, a)),
        Expr::BitNot(a) => format!("~({})", expr(program, a)),
        Expr::Wrap(_, a) => expr(program, a),
        Expr::Binary(op, a, b) => {
            let sign = match op {
                BinOp::Add => "+".to_owned(),
                BinOp::Sub => "-".to_owned(),
                BinOp::Mul => "*".to_owned(),
                other => format!("{other:?}").to_lowercase(),
            };
            format!("({} {sign} {})", expr(program, a), expr(program, b))
        }
    }
}

/// All that a node of the tree says, one line per graph. A literal that has no such form is left out, which
/// makes the annotation weaker.
#[must_use]
pub fn certificate(program: &Program, precision: &Precision, node: &Node) -> Vec<String> {
    let mut literals = Vec::new();
    for (i, atom) in precision.atoms.iter().enumerate() {
        let value = node.known.get(i);
        if value != Kleene::Half
            && let Some(text) = prefix(program, atom)
        {
            literals.push(if value == Kleene::True { text } else { format!("(! {text})") });
        }
    }
    let literals = if literals.is_empty() { "true".to_owned() } else { literals.join(" ") };
    let line = |g: &Graph| format!("{}: {literals} ; {}", node.location.0, full(program, precision, g));
    node.region.graphs().iter().map(line).collect()
}

fn full(program: &Program, precision: &Precision, graph: &Graph) -> String {
    let class = &precision.class;
    let name = |v: crate::program::VarId| &program.vars[v.index()].name;
    let mut vars = Vec::new();
    for (x, v) in class.vars.iter().enumerate() {
        let may = (0..graph.nodes.len()).filter(|&i| graph.get(i, class.points(x)).may());
        let mut targets: Vec<String> = may.map(|i| format!("n{i}")).collect();
        targets.extend((graph.null >> x & 1 == 1).then(|| "NULL".to_owned()));
        targets.extend((graph.wild >> x & 1 == 1).then(|| "?".to_owned()));
        vars.push(format!("{}={}", name(*v), targets.join("|")));
    }
    for (v, known) in &graph.values {
        vars.push(match known {
            Known::Is(range) => format!("{}:{}", name(*v), full_range(range)),
            Known::Not(all) => {
                let all: Vec<String> = all.iter().map(full_range).collect();
                format!("{}:!{}", name(*v), all.join(","))
            }
        });
    }
    vars.extend(graph.leaked.then(|| "leaked".to_owned()));
    let vars = if vars.is_empty() { "-".to_owned() } else { vars.join(" ") };
    let nodes = (0..graph.nodes.len()).map(|i| full_node(program, precision, graph, i));
    std::iter::once(vars).chain(nodes).collect::<Vec<_>>().join(" ; ")
}

fn full_node(program: &Program, precision: &Precision, graph: &Graph, i: usize) -> String {
    let class = &precision.class;
    let node = &graph.nodes[i];
    let field = |f: crate::program::FieldId| &program.fields[f.index()].name;
    let link = |l: usize| field(class.fields[class.links[l]]);
    let owned = |l: &usize| class.owners[class.links[*l]] == node.of;
    let mut facts = vec![(class.live(), "live".to_owned())];
    for (t, (f, range)) in class.tests.iter().enumerate() {
        if program.fields[f.index()].owner == node.of {
            facts.push((class.test(t), format!("{}=={}", field(*f), full_range(range))));
        }
    }
    for l in (0..class.links.len()).filter(owned) {
        if class.level >= 1 {
            for (x, v) in class.vars.iter().enumerate() {
                let name = &program.vars[v.index()].name;
                facts.push((class.reached(x, l), format!("reached({name},{})", link(l))));
            }
            facts.push((class.cyclic(l), format!("cyclic({})", link(l))));
        }
        if class.level >= 2 {
            facts.push((class.shared(l), format!("shared({})", link(l))));
        }
    }
    if class.level >= 3 {
        facts.push((class.crowded(), "crowded".to_owned()));
        facts.push((class.entered(), "entered".to_owned()));
    }
    if class.level >= 2 {
        for (p, (k, l)) in class.pairs.iter().enumerate().filter(|(_, (k, _))| owned(k)) {
            facts.push((class.inverse(p), format!("inverse({},{})", link(*k), link(*l))));
        }
    }
    let mut out = vec![format!("n{i}{}", if node.summary { "*" } else { "" }), format!("of:{}", node.of.0)];
    for (predicate, text) in facts {
        match graph.get(i, predicate) {
            Kleene::True => out.push(text),
            Kleene::False => out.push(format!("!{text}")),
            Kleene::Half => {}
        }
    }
    for (k, f) in class.fields.iter().enumerate().filter(|(k, _)| class.owners[*k] == node.of) {
        let edge = graph.edge(class, i, k);
        let mut targets: Vec<String> = bits(edge.can).map(|t| format!("n{t}")).collect();
        targets.extend(edge.null.then(|| "NULL".to_owned()));
        targets.extend(edge.wild.then(|| "?".to_owned()));
        out.push(format!("{}->{}", field(*f), targets.join("|")));
    }
    out.join(" ")
}

/// A comparison in prefix form.
fn prefix(program: &Program, c: &Cond) -> Option<String> {
    let Cond::Compare(cmp, a, b) = c else { return None };
    let sign = match cmp {
        Cmp::Eq => "==",
        Cmp::Ne => "!=",
        Cmp::Lt => "<",
        Cmp::Le => "<=",
        Cmp::Gt => ">",
        Cmp::Ge => ">=",
    };
    Some(format!("({sign} {} {})", prefix_expr(program, a)?, prefix_expr(program, b)?))
}

fn prefix_expr(program: &Program, e: &Expr) -> Option<String> {
    Some(match e {
        Expr::Binary(op, a, b) => {
            let op = match op {
                BinOp::Add => "+",
                BinOp::Sub => "-",
                BinOp::Mul => "*",
                _ => return None,
            };
            format!("({op} {} {})", prefix_expr(program, a)?, prefix_expr(program, b)?)
        }
        Expr::Var(_) | Expr::Null(_) | Expr::Int(_) => expr(program, e),
        _ => return None,
    })
}
