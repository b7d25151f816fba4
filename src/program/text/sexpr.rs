//! Trees of atoms in parentheses: the surface of the text form.

/// Deeper nesting is refused by the reader.
const MAX_DEPTH: usize = 2_000;

/// A tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sexpr {
    /// A word; quoted in text if it has odd characters.
    Atom(String),
    /// Trees in parentheses.
    List(Vec<Sexpr>),
}

/// What is wrong with a text, and where (byte offset).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// Byte offset.
    pub at: usize,
    /// For people.
    pub message: String,
}

impl std::fmt::Display for TextError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "at byte {}: {}", self.at, self.message)
    }
}

impl std::error::Error for TextError {}

fn plain(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '(' | ')' | '"' | ';')
}

/// Writes a tree on one line.
pub(super) fn write(tree: &Sexpr, out: &mut String) {
    match tree {
        Sexpr::Atom(word) if !word.is_empty() && word.chars().all(plain) => out.push_str(word),
        Sexpr::Atom(word) => {
            out.push('"');
            for c in word.chars() {
                match c {
                    '"' | '\\' => {
                        out.push('\\');
                        out.push(c);
                    }
                    '\n' => out.push_str("\\n"),
                    c => out.push(c),
                }
            }
            out.push('"');
        }
        Sexpr::List(items) => {
            out.push('(');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(' ');
                }
                write(item, out);
            }
            out.push(')');
        }
    }
}

/// Reads exactly one tree; `;` starts a comment.
pub(super) fn read(text: &str) -> Result<Sexpr, TextError> {
    let mut stack: Vec<Vec<Sexpr>> = Vec::new();
    let mut done: Option<Sexpr> = None;
    let mut chars = text.char_indices().peekable();
    let fault = |at: usize, message: &str| Err(TextError { at, message: message.to_owned() });
    while let Some((at, c)) = chars.next() {
        let tree = match c {
            c if c.is_whitespace() => continue,
            ';' => {
                while chars.peek().is_some_and(|(_, c)| *c != '\n') {
                    chars.next();
                }
                continue;
            }
            _ if done.is_some() => return fault(at, "nothing may follow the program"),
            '(' => {
                if stack.len() >= MAX_DEPTH {
                    return fault(at, "too deeply nested");
                }
                stack.push(Vec::new());
                continue;
            }
            ')' => match stack.pop() {
                Some(items) => Sexpr::List(items),
                None => return fault(at, "`)` without `(`"),
            },
            '"' => {
                let mut word = String::new();
                loop {
                    match chars.next() {
                        Some((_, '"')) => break,
                        Some((_, '\\')) => match chars.next() {
                            Some((_, 'n')) => word.push('\n'),
                            Some((_, c)) => word.push(c),
                            None => return fault(at, "a string does not end"),
                        },
                        Some((_, c)) => word.push(c),
                        None => return fault(at, "a string does not end"),
                    }
                }
                Sexpr::Atom(word)
            }
            c => {
                let mut word = String::from(c);
                while let Some((_, c)) = chars.next_if(|(_, c)| plain(*c)) {
                    word.push(c);
                }
                Sexpr::Atom(word)
            }
        };
        match stack.last_mut() {
            Some(items) => items.push(tree),
            None => done = Some(tree),
        }
    }
    match done {
        Some(tree) if stack.is_empty() => Ok(tree),
        _ => fault(text.len(), "the text ends too early"),
    }
}
