//! Signatures as text, for people, certificates and patterns: `h@a, a -next-> b, b =prev=> a, b -?-> #, g!`.
//!
//! `x@n` puts the label x on a node; `-f->` is a path along f, `=f=>` one step, `-?->` any path; `#` is null,
//! `*` dangling, every other node a cell, `!` after it says that all its in-edges are shown. A cell without
//! edges and labels stands alone.
//!
//! The same text is proposed for annotations: a clause `pattern h@a, a -next-> b, b -prev-> #;` of a contract
//! forbids the pattern at the exit, before a loop at its head, and `requires pattern ...;` forbids it at the
//! entry. The keyword is reserved; no front end reads it yet.

use super::signature::{MAX_CELLS, Node, Signature};
use std::fmt::Write as _;

/// What labels and colours are called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// By label.
    pub vars: Vec<String>,
    /// By colour.
    pub colours: Vec<String>,
}

/// The text of a signature. Certificates have thousands, so everything goes into one string.
pub fn show(s: &Signature, names: &Names) -> String {
    let mut out = String::with_capacity(96);
    let next = |out: &mut String| {
        if !out.is_empty() {
            out.push_str(", ");
        }
    };
    let node = |out: &mut String, n: Node| match n {
        Node::NULL => out.push('#'),
        Node::DANGLING => out.push('*'),
        cell => {
            out.push(cell_name(cell));
            if s.is_closed(cell) {
                out.push('!');
            }
        }
    };
    for (name, label) in names.vars.iter().zip(&s.labels).filter(|(_, l)| l.is_known()) {
        next(&mut out);
        out.push_str(name);
        out.push('@');
        node(&mut out, *label);
    }
    for m in s.nodes() {
        let cell = &s.cells[m.index()];
        let mut edge = |colour: &str, direct: bool, target: Node| {
            let (tail, head) = if direct { (" =", "=> ") } else { (" -", "-> ") };
            next(&mut out);
            node(&mut out, m);
            out.push_str(tail);
            out.push_str(colour);
            out.push_str(head);
            node(&mut out, target);
        };
        for (c, target) in cell.coloured.iter().enumerate().filter(|(_, t)| t.is_known()) {
            edge(names.colours.get(c).map_or("", String::as_str), cell.is_direct(c), *target);
        }
        cell.loose().for_each(|t| edge("?", false, t));
        if cell.degree() == 0 && s.in_degree(m) == 0 && !s.is_labelled(m) {
            next(&mut out);
            node(&mut out, m);
        }
    }
    if out.is_empty() { "anything".to_owned() } else { out }
}

fn cell_name(cell: Node) -> char {
    (b'a' + cell.0) as char
}

/// Reads a signature; the error says what is wrong.
pub fn parse(text: &str, names: &Names) -> Result<Signature, String> {
    let mut reader = Reader { sig: Signature::EMPTY, cells: Vec::new(), names };
    if text.trim() == "anything" {
        return Ok(reader.sig);
    }
    for item in text.split(',') {
        reader.item(item.trim())?;
    }
    Ok(reader.sig)
}

struct Reader<'a> {
    sig: Signature,
    cells: Vec<String>,
    names: &'a Names,
}

impl Reader<'_> {
    fn item(&mut self, item: &str) -> Result<(), String> {
        if let Some((label, node)) = item.rsplit_once('@') {
            let label = self.names.vars.iter().position(|v| v == label.trim());
            let label = label.ok_or_else(|| format!("`{item}` has a label that is no pointer variable"))?;
            self.sig.labels[label] = self.node(node)?;
            return Ok(());
        }
        let words: Vec<&str> = item.split_whitespace().collect();
        match words[..] {
            [node] => {
                if !self.node(node)?.is_cell() {
                    return Err(format!("`{node}` says nothing"));
                }
                Ok(())
            }
            [from, arrow, to] => self.edge(from, arrow, to),
            _ => Err(format!("`{item}` is neither a label, an edge nor a cell")),
        }
    }

    fn edge(&mut self, from: &str, arrow: &str, to: &str) -> Result<(), String> {
        let from = self.node(from)?;
        let to = self.node(to)?;
        let strip = |tail, head| arrow.strip_prefix(tail).and_then(|a| a.strip_suffix(head));
        let (field, direct) = match (strip('-', "->"), strip('=', "=>")) {
            (Some(field), _) => (field, false),
            (_, Some(field)) => (field, true),
            _ => return Err(format!("`{arrow}` is no arrow")),
        };
        if !from.is_cell() {
            return Err("an edge begins at a cell".to_owned());
        }
        let colours = self.names.colours.len();
        let cell = &mut self.sig.cells[from.index()];
        if cell.degree() >= colours {
            return Err("a cell has more edges than fields".to_owned());
        }
        if field == "?" {
            cell.add_loose(to);
            return Ok(());
        }
        let colour = self.names.colours.iter().position(|c| c == field);
        let colour = colour.ok_or_else(|| format!("`{field}` is no link field"))?;
        if cell.coloured[colour].is_known() {
            return Err(format!("two edges `{field}` leave one cell"));
        }
        cell.set(colour, to, direct);
        Ok(())
    }

    fn node(&mut self, text: &str) -> Result<Node, String> {
        match text.trim() {
            "#" => return Ok(Node::NULL),
            "*" => return Ok(Node::DANGLING),
            _ => {}
        }
        let (name, closed) = match text.trim().strip_suffix('!') {
            Some(name) => (name, true),
            None => (text.trim(), false),
        };
        if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return Err(format!("`{text}` is no node"));
        }
        let cell = match self.cells.iter().position(|c| c == name) {
            Some(i) => Node::cell(i),
            None if self.cells.len() == MAX_CELLS => return Err("too many cells".to_owned()),
            None => {
                self.cells.push(name.to_owned());
                self.sig.add_cell()
            }
        };
        if closed {
            self.sig.set_closed(cell, true);
        }
        Ok(cell)
    }
}

/// Names `1`, `2`, ... for colours and the given labels, for patterns written in this engine.
pub fn plain_names(vars: &[&str], colours: usize) -> Names {
    let vars = vars.iter().map(|v| (*v).to_owned()).collect();
    let mut names = Names { vars, colours: Vec::new() };
    for c in 1..=colours {
        let mut name = String::new();
        let _ = write!(name, "{c}");
        names.colours.push(name);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trip() {
        let names = plain_names(&["h", "x#2"], 2);
        for text in [
            "anything",
            "h@a, a -1-> b, b -2-> #",
            "h@*, x#2@#",
            "h@a, x#2@a, a =1=> b, a -?-> *",
            "h@a!, a! -?-> b, a! -?-> b",
            "a, b, c!",
        ] {
            let s = parse(text, &names).expect(text);
            let shown = show(&s, &names);
            assert_eq!(parse(&shown, &names).map(|t| t.canonical()), Ok(s.canonical()), "{text}: {shown}");
        }
        assert_eq!(show(&parse("h@a, a -1-> #", &names).unwrap(), &names), "h@a, a -1-> #");
    }

    #[test]
    fn bad_text_is_an_error() {
        let names = plain_names(&["h"], 2);
        for text in [
            "",
            "k@a",
            "a -3-> b",
            "a -> b",
            "# -1-> a",
            "a -1-> b, a -1-> c",
            "a b",
            "#",
            "a -?-> b, a -1-> b, a -2-> c",
        ] {
            assert!(parse(text, &names).is_err(), "{text}");
        }
    }
}
