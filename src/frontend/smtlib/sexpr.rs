//! S-expressions with positions, cut from a text one at a time.
//!
//! A [`Tree`] holds one expression as a flat vector in preorder; each node knows where its subtree ends.
//! So reading needs only a stack of open parentheses, walking needs no pointers, and dropping a deep
//! expression is dropping a vector. Atoms are slices of the text.

use crate::frontend::smtlib::error::{Position, ReadError};

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A list; its children follow.
    List,
    /// A symbol; `|quoted|` symbols come without their bars.
    Symbol,
    /// `:keyword`, with the colon.
    Keyword,
    /// Decimal digits.
    Numeral,
    /// Digits with a point.
    Decimal,
    /// `#x...` or `#b...`.
    Bits,
    /// A string, without the outer quotes; inner quotes are still doubled.
    String,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    kind: Kind,
    at: Position,
    /// Byte range in the text, without the quotes of an atom.
    start: usize,
    end: usize,
    /// Whether the atom stands in bars or quotes.
    quoted: bool,
    /// Index of the first node after this subtree.
    after: u32,
}

/// A node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(u32);

/// One S-expression.
#[derive(Clone, Debug)]
pub struct Tree<'a> {
    text: &'a str,
    nodes: Vec<Node>,
}

impl<'a> Tree<'a> {
    /// The whole expression.
    pub const ROOT: NodeId = NodeId(0);

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// What the node is.
    pub fn kind(&self, id: NodeId) -> Kind {
        self.node(id).kind
    }

    /// Where the node starts.
    pub fn at(&self, id: NodeId) -> Position {
        self.node(id).at
    }

    /// The text of an atom, without quotes; empty for a list.
    pub fn text(&self, id: NodeId) -> &'a str {
        if self.kind(id) == Kind::List { "" } else { self.range(id) }
    }

    /// What the user wrote at this node, with its quotes, parentheses and blanks.
    pub fn source(&self, id: NodeId) -> &'a str {
        let node = self.node(id);
        if node.quoted { &self.text[node.start - 1..node.end + 1] } else { self.range(id) }
    }

    fn range(&self, id: NodeId) -> &'a str {
        let node = self.node(id);
        &self.text[node.start..node.end]
    }

    /// The name, if the node is a symbol.
    pub fn symbol(&self, id: NodeId) -> Option<&'a str> {
        (self.kind(id) == Kind::Symbol).then(|| self.text(id))
    }

    /// The name, or an error that says what should have been there.
    pub fn expect_symbol(&self, id: NodeId, expected: &str) -> Result<&'a str, ReadError> {
        self.symbol(id).ok_or_else(|| self.expected(id, expected))
    }

    /// The children of a list; nothing for an atom.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let after = self.node(id).after;
        let mut next = id.0 + 1;
        std::iter::from_fn(move || {
            if next >= after {
                return None;
            }
            let child = NodeId(next);
            next = self.node(child).after;
            Some(child)
        })
    }

    /// The children of a list of exactly `N`; `expected` describes the list.
    pub fn exactly<const N: usize>(&self, id: NodeId, expected: &str) -> Result<[NodeId; N], ReadError> {
        let children: Vec<NodeId> = self.children(id).take(N + 1).collect();
        if self.kind(id) != Kind::List {
            return Err(self.expected(id, expected));
        }
        children.try_into().map_err(|_| {
            ReadError::expected(
                self.at(id),
                expected,
                format!("a list of {} elements", self.children(id).count()),
            )
        })
    }

    /// The children of a list; `expected` describes the list.
    pub fn list(&self, id: NodeId, expected: &str) -> Result<Vec<NodeId>, ReadError> {
        if self.kind(id) != Kind::List {
            return Err(self.expected(id, expected));
        }
        Ok(self.children(id).collect())
    }

    /// The error that something else should stand at this node.
    pub fn expected(&self, id: NodeId, expected: &str) -> ReadError {
        ReadError::expected(self.at(id), expected, self.describe(id))
    }

    /// A short name of the node for messages.
    pub fn describe(&self, id: NodeId) -> String {
        const LONGEST: usize = 40;
        let text = self.text(id);
        let short = match text.char_indices().nth(LONGEST) {
            Some((cut, _)) => format!("{}...", &text[..cut]),
            None => text.to_owned(),
        };
        match self.kind(id) {
            Kind::List if self.node(id).after == id.0 + 1 => "()".to_owned(),
            Kind::List => "a list".to_owned(),
            Kind::String => format!("the string \"{short}\""),
            Kind::Numeral | Kind::Decimal | Kind::Bits => format!("the number {short}"),
            Kind::Symbol | Kind::Keyword => short,
        }
    }
}

/// Cuts a text into S-expressions.
#[derive(Clone, Debug)]
pub struct Cutter<'a> {
    text: &'a str,
    offset: usize,
    here: Position,
}

fn is_symbol_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c)
}

impl<'a> Cutter<'a> {
    /// Starts at the beginning of a text.
    pub fn new(text: &'a str) -> Cutter<'a> {
        Cutter::at(text, Position { line: 1, column: 1 })
    }

    /// Starts at the beginning of a text that is part of a larger one.
    pub fn at(text: &'a str, here: Position) -> Cutter<'a> {
        Cutter { text, offset: 0, here }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.offset..].chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.offset += c.len_utf8();
        if c == '\n' {
            self.here = Position { line: self.here.line + 1, column: 1 };
        } else {
            self.here.column += 1;
        }
        Some(c)
    }

    fn skip_while(&mut self, keep: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&keep) {
            self.bump();
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            self.skip_while(char::is_whitespace);
            if self.peek() != Some(';') {
                return;
            }
            self.skip_while(|c| c != '\n');
        }
    }

    /// The next expression, or nothing at the end of the text.
    pub fn next_tree(&mut self) -> Result<Option<Tree<'a>>, ReadError> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        loop {
            self.skip_blanks();
            let (at, start) = (self.here, self.offset);
            match self.peek() {
                None => {
                    return match open.last() {
                        None => Ok(None),
                        Some(&list) => Err(ReadError::expected(
                            at,
                            &format!("a ')' for the '(' at {}", nodes[list].at),
                            "the end of the input",
                        )),
                    };
                }
                Some('(') => {
                    self.bump();
                    open.push(nodes.len());
                    nodes.push(Node { kind: Kind::List, at, start, end: start, quoted: false, after: 0 });
                }
                Some(')') => {
                    self.bump();
                    let Some(list) = open.pop() else {
                        return Err(ReadError::expected(at, "a command", "')'"));
                    };
                    nodes[list].after = nodes.len() as u32;
                    nodes[list].end = self.offset;
                }
                Some(_) => {
                    let before = self.offset;
                    let (kind, start, end) = self.atom()?;
                    let quoted = start > before;
                    nodes.push(Node { kind, at, start, end, quoted, after: nodes.len() as u32 + 1 });
                }
            }
            if open.is_empty() {
                return Ok(Some(Tree { text: self.text, nodes }));
            }
        }
    }

    /// Kind and byte range of the atom that starts here.
    fn atom(&mut self) -> Result<(Kind, usize, usize), ReadError> {
        let (at, start) = (self.here, self.offset);
        let kind = match self.peek() {
            Some('|') => return self.quoted('|', "symbol").map(|(s, e)| (Kind::Symbol, s, e)),
            Some('"') => return self.quoted('"', "string").map(|(s, e)| (Kind::String, s, e)),
            Some(':') => Kind::Keyword,
            Some('#') => Kind::Bits,
            Some(c) if c.is_ascii_digit() => Kind::Numeral,
            Some(c) if is_symbol_char(c) => Kind::Symbol,
            Some(c) => {
                return Err(ReadError::expected(
                    at,
                    "a parenthesis or an atom",
                    format!("the character {c:?}"),
                ));
            }
            None => return Err(ReadError::expected(at, "an atom", "the end of the input")),
        };
        self.bump();
        self.skip_while(is_symbol_char);
        let text = &self.text[start..self.offset];
        let is_number = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
        let kind = match kind {
            Kind::Numeral if is_number(text) => Kind::Numeral,
            Kind::Numeral if text.split_once('.').is_some_and(|(a, b)| is_number(a) && is_number(b)) => {
                Kind::Decimal
            }
            Kind::Numeral => return Err(ReadError::expected(at, "a number", text)),
            Kind::Keyword | Kind::Bits if text.len() == 1 => {
                return Err(ReadError::expected(at, "a keyword or a number", text));
            }
            other => other,
        };
        Ok((kind, start, self.offset))
    }

    /// The byte range between two quotes; in a string a doubled quote is a quote.
    fn quoted(&mut self, quote: char, what: &str) -> Result<(usize, usize), ReadError> {
        let at = self.here;
        self.bump();
        let start = self.offset;
        loop {
            self.skip_while(|c| c != quote);
            let end = self.offset;
            if self.bump().is_none() {
                return Err(ReadError::expected(
                    self.here,
                    &format!("a {quote} to end the {what} at {at}"),
                    "the end of the input",
                ));
            }
            if quote == '"' && self.peek() == Some('"') {
                self.bump();
                continue;
            }
            return Ok((start, end));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_lists_and_positions() {
        let text = "; head\n(a |b c| :k 12 1.5 #xF \"s\"\"t\" ())\n  d";
        let mut cutter = Cutter::new(text);
        let tree = cutter.next_tree().unwrap().unwrap();
        let children: Vec<NodeId> = tree.children(Tree::ROOT).collect();
        let kinds: Vec<Kind> = children.iter().map(|&c| tree.kind(c)).collect();
        use Kind::*;
        assert_eq!(kinds, [Symbol, Symbol, Keyword, Numeral, Decimal, Bits, String, List]);
        assert_eq!(tree.symbol(children[1]), Some("b c"));
        assert_eq!(tree.text(children[6]), "s\"\"t");
        assert_eq!(tree.at(children[3]).to_string(), "2:13");
        let tree = cutter.next_tree().unwrap().unwrap();
        assert_eq!((tree.text(Tree::ROOT), tree.at(Tree::ROOT).to_string()), ("d", "3:3".to_owned()));
        assert!(cutter.next_tree().unwrap().is_none());
    }

    #[test]
    fn deep_lists_are_flat() {
        let depth = 100_000;
        let text = format!("{}{}", "(".repeat(depth), ")".repeat(depth));
        let tree = Cutter::new(&text).next_tree().unwrap().unwrap();
        let mut at = Tree::ROOT;
        let mut n = 1;
        while let Some(child) = tree.children(at).next() {
            (at, n) = (child, n + 1);
        }
        assert_eq!(n, depth);
        let unclosed = "(".repeat(depth);
        assert!(Cutter::new(&unclosed).next_tree().is_err());
    }
}
