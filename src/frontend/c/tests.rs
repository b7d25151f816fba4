//! Tests of reading whole files.

use super::*;

fn show(text: &str) -> String {
    let unit = load("t.c", text.as_bytes(), &Options::default());
    let mut out = String::new();
    for d in &unit.diagnostics {
        let at = unit.sources.location(d.span);
        out += &format!("{:?} {}:{}: {}\n", d.severity, at.line, at.column, d.message);
    }
    for f in &unit.functions {
        if let Ok(p) = &f.program {
            out += &format!("== {}\n", f.name);
            let vars: Vec<String> = p.vars.iter().map(|v| format!("{}:{:?}", v.name, v.kind)).collect();
            out += &format!("vars {}\n", vars.join(" "));
            for e in &p.edges {
                out += &format!("{} -> {}: {:?}\n", e.from.0, e.to.0, e.command);
            }
            out += &format!("loops {:?}\n contracts {:?}\n", p.loops, p.contracts);
        }
    }
    out
}

#[test]
fn peek() {
    if let Ok(path) = std::env::var("CATENA_PEEK") {
        let text = std::fs::read_to_string(path).unwrap();
        eprintln!("{}", show(&text));
    }
}
