//! Abstract states in words, for traces and certificates.

use super::precision::Precision;
use super::shape::graph::{Graph, bits};
use super::shape::truths::Kleene;
use super::tree::Node;
use crate::program::{Cmp, Cond, Expr, Program};

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
        for (t, (field, constant)) in class.tests.iter().enumerate() {
            let name = &program.fields[field.index()].name;
            match graph.get(i, class.test(t)) {
                Kleene::True => facts.push(format!("{name}=={constant}")),
                Kleene::False => facts.push(format!("{name}!={constant}")),
                Kleene::Half => {}
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
        Expr::Binary(op, a, b) => format!("({} {op:?} {})", expr(program, a), expr(program, b)),
    }
}
