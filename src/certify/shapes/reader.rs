//! The text of an annotation: one abstract state per line.
//!
//! `LOCATION: literals ; variables ; node ; node ...`. Literals are comparisons in prefix form, `(== x 0)`,
//! `(! (<= n i))`, or `true`. A variable is `x=n0|NULL|?` (the nodes it may point to, null, anything), an integer
//! `t:5` (is 5), `t:1..3`, `t:..3` (at most 3) or `t:!1,2` (is neither); `leaked` says that allocated cells may have been forgotten. A node is
//! `n0` (one cell) or `n0*` (one or more), `of:K` the number of its struct, and facts about each of its
//! cells, with `!` for their negations: `live`, `data==5`, `data==..3` (at most 3), `reached(x,next)` (from x along next),
//! `cyclic(next)`, `shared(next)` (several predecessors along it), `crowded` (along any fields), `entered` (a predecessor at all),
//! `inverse(next,prev)` (what next leads to, if a cell, leads back); and its pointer fields: `next->n1|NULL|?`.
//! `?` of a field is a pointer that was never written. The line `leaks` says that lost cells count.

use super::{Answer, fault};
use crate::program::{BinOp, Cmp, Expr, FieldId, Program, StructId, VarId};
use crate::util::hash::Map;

/// All lines.
pub(super) struct Annotation {
    pub(super) leaks: bool,
    pub(super) lines: Map<u32, Vec<Line>>,
}

/// What a pointer may be.
#[derive(Clone, Debug, Default)]
pub(super) struct Targets {
    pub(super) nodes: Vec<usize>,
    pub(super) null: bool,
    pub(super) anything: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Known {
    Is(Range),
    Not(Vec<Range>),
}

/// The lowest and the highest integer, where there is one.
pub(super) type Range = (Option<i128>, Option<i128>);

#[derive(Clone, Debug)]
pub(super) struct Literal {
    pub(super) holds: bool,
    pub(super) cmp: Cmp,
    pub(super) left: Expr,
    pub(super) right: Expr,
}

#[derive(Clone, Debug)]
pub(super) enum Fact {
    Live,
    Within(FieldId, Range),
    Reached(VarId, FieldId),
    Cyclic(FieldId),
    Shared(FieldId),
    Crowded,
    Entered,
    Inverse(FieldId, FieldId),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    pub(super) summary: bool,
    pub(super) of: u32,
    pub(super) facts: Vec<(bool, Fact)>,
    pub(super) fields: Vec<(FieldId, Targets)>,
}

/// One abstract state.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    pub(super) literals: Vec<Literal>,
    pub(super) vars: Vec<(VarId, Targets)>,
    pub(super) ints: Vec<(VarId, Known)>,
    pub(super) leaked: bool,
    pub(super) nodes: Vec<Node>,
}

impl Annotation {
    pub(super) fn read(program: &Program, lines: &[String]) -> Answer<Annotation> {
        let mut out = Annotation { leaks: false, lines: Map::default() };
        for line in lines {
            if line == "leaks" {
                out.leaks = true;
                continue;
            }
            let Some((location, rest)) = line.split_once(": ") else {
                return fault(format!("this line is not understood: {line}"));
            };
            match location.parse::<u32>() {
                Ok(location) if location < program.locations => {
                    out.lines.entry(location).or_default().push(read_line(program, rest)?);
                }
                _ => return fault(format!("`{location}` is no location")),
            }
        }
        Ok(out)
    }
}

fn read_line(program: &Program, text: &str) -> Answer<Line> {
    let mut sections = text.split(" ; ");
    let mut line = Line::default();
    let literals = sections.next().unwrap_or("true");
    let mut tokens = Tokens { rest: literals, program };
    if literals != "true" {
        while !tokens.rest.trim().is_empty() {
            line.literals.push(tokens.literal()?);
        }
    }
    for token in sections.next().unwrap_or("").split_whitespace() {
        if token == "leaked" {
            line.leaked = true;
        } else if let Some((name, targets)) = token.split_once('=') {
            line.vars.push((var(program, name)?, targets_of(targets)?));
        } else if let Some((name, value)) = token.split_once(':') {
            let ranges = |text: &str| text.split(',').map(range).collect::<Answer<Vec<Range>>>();
            let known = match value.strip_prefix('!') {
                Some(not) => Known::Not(ranges(not)?),
                None => Known::Is(range(value)?),
            };
            line.ints.push((var(program, name)?, known));
        } else if token != "-" {
            return fault(format!("`{token}` is not understood"));
        }
    }
    for section in sections {
        line.nodes.push(read_node(program, section, line.nodes.len())?);
    }
    let count = line.nodes.len();
    let mut all =
        line.vars.iter().map(|(_, t)| t).chain(line.nodes.iter().flat_map(|n| n.fields.iter().map(|f| &f.1)));
    if all.any(|t| t.nodes.iter().any(|n| *n >= count)) {
        return fault("a pointer leads to a node that is not there");
    }
    Ok(line)
}

fn read_node(program: &Program, text: &str, number_of: usize) -> Answer<Node> {
    let mut words = text.split_whitespace();
    let mut node = Node::default();
    let name = words.next().unwrap_or("");
    let plain = name.trim_end_matches('*');
    if plain != format!("n{number_of}") {
        return fault(format!("`{name}` is not node number {number_of}"));
    }
    node.summary = plain != name;
    for word in words {
        if let Some(of) = word.strip_prefix("of:") {
            match of.parse::<u32>() {
                Ok(of) if (of as usize) < program.structs.len() => node.of = of,
                _ => return fault(format!("`{of}` is no struct")),
            }
        } else if let Some((field, targets)) = word.split_once("->") {
            node.fields.push((field_of(program, node.of, field)?, targets_of(targets)?));
        } else {
            let (positive, word) = match word.strip_prefix('!') {
                Some(rest) => (false, rest),
                None => (true, word),
            };
            node.facts.push((positive, fact(program, node.of, word)?));
        }
    }
    Ok(node)
}

fn fact(program: &Program, of: u32, word: &str) -> Answer<Fact> {
    if let Some((field, value)) = word.split_once("==") {
        return Ok(Fact::Within(field_of(program, of, field)?, range(value)?));
    }
    let Some((head, rest)) = word.split_once('(') else {
        return match word {
            "live" => Ok(Fact::Live),
            "crowded" => Ok(Fact::Crowded),
            "entered" => Ok(Fact::Entered),
            _ => fault(format!("`{word}` is not understood")),
        };
    };
    let words: Vec<&str> = rest.trim_end_matches(')').split(',').collect();
    Ok(match (head, &words[..]) {
        ("reached", [x, f]) => Fact::Reached(var(program, x)?, field_of(program, of, f)?),
        ("cyclic", [f]) => Fact::Cyclic(field_of(program, of, f)?),
        ("shared", [f]) => Fact::Shared(field_of(program, of, f)?),
        ("inverse", [f, g]) => Fact::Inverse(field_of(program, of, f)?, field_of(program, of, g)?),
        _ => return fault(format!("`{word}` is not understood")),
    })
}

fn targets_of(text: &str) -> Answer<Targets> {
    let mut out = Targets::default();
    for word in text.split('|') {
        match word {
            "NULL" => out.null = true,
            "?" => out.anything = true,
            _ => match word.strip_prefix('n').and_then(|n| n.parse().ok()) {
                Some(n) => out.nodes.push(n),
                None => return fault(format!("`{word}` is no target")),
            },
        }
    }
    Ok(out)
}

/// A number, or two ends of which one may be absent.
fn range(text: &str) -> Answer<Range> {
    let end = |text: &str| if text.is_empty() { Ok(None) } else { number(text).map(Some) };
    match text.split_once("..") {
        Some((from, to)) => Ok((end(from)?, end(to)?)),
        None => number(text).map(|n| (Some(n), Some(n))),
    }
}

fn number(text: &str) -> Answer<i128> {
    text.parse().or_else(|_| fault(format!("`{text}` is no number")))
}

fn var(program: &Program, name: &str) -> Answer<VarId> {
    program.var_named(name).map_or_else(|| fault(format!("`{name}` is no variable")), Ok)
}

fn field_of(program: &Program, of: u32, name: &str) -> Answer<FieldId> {
    let fields = &program.structs[of as usize].fields;
    let found = fields.iter().copied().find(|f| program.fields[f.index()].name == name);
    found.map_or_else(|| fault(format!("`{name}` is no field")), Ok)
}

/// Comparisons in prefix form.
struct Tokens<'a, 'p> {
    rest: &'a str,
    program: &'p Program,
}

impl<'a> Tokens<'a, '_> {
    fn next(&mut self) -> &'a str {
        let text = self.rest.trim_start();
        let end = match text.chars().next() {
            Some('(' | ')') => 1,
            _ => text.find([' ', '(', ')']).unwrap_or(text.len()),
        };
        let (token, rest) = text.split_at(end);
        self.rest = rest;
        token
    }

    fn expect(&mut self, what: &str) -> Answer<()> {
        let found = self.next();
        if found == what { Ok(()) } else { fault(format!("`{found}` where `{what}` is expected")) }
    }

    fn literal(&mut self) -> Answer<Literal> {
        self.expect("(")?;
        let cmp = match self.next() {
            "!" => {
                let mut inner = self.literal()?;
                self.expect(")")?;
                inner.holds = !inner.holds;
                return Ok(inner);
            }
            "==" => Cmp::Eq,
            "!=" => Cmp::Ne,
            "<" => Cmp::Lt,
            "<=" => Cmp::Le,
            ">" => Cmp::Gt,
            ">=" => Cmp::Ge,
            other => return fault(format!("`{other}` is no comparison")),
        };
        let (left, right) = (self.expr()?, self.expr()?);
        self.expect(")")?;
        Ok(Literal { holds: true, cmp, left, right })
    }

    fn expr(&mut self) -> Answer<Expr> {
        let token = self.next();
        if token != "(" {
            return Ok(match token {
                "NULL" => Expr::Null(StructId(0)),
                _ => match token.parse() {
                    Ok(n) => Expr::Int(n),
                    Err(_) => Expr::Var(var(self.program, token)?),
                },
            });
        }
        let op = match self.next() {
            "+" => BinOp::Add,
            "-" => BinOp::Sub,
            "*" => BinOp::Mul,
            other => return fault(format!("`{other}` is no operation")),
        };
        let (left, right) = (self.expr()?, self.expr()?);
        self.expect(")")?;
        Ok(Expr::Binary(op, Box::new(left), Box::new(right)))
    }
}
