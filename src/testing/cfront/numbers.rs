//! Expressions with their types and values, by C's rules on a machine with LP64.

use crate::util::rng::Rng;

/// An integer type: its width and whether it is signed. A width of 1 is `_Bool`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) bits: u32,
    pub(super) signed: bool,
}

pub(super) const INT: Kind = Kind { bits: 32, signed: true };
pub(super) const UNSIGNED: Kind = Kind { bits: 32, signed: false };
pub(super) const LONG: Kind = Kind { bits: 64, signed: true };
pub(super) const ULONG: Kind = Kind { bits: 64, signed: false };

/// The integer types by name.
pub(super) const TYPES: &[(&str, Kind)] = &[
    ("_Bool", Kind { bits: 1, signed: false }),
    ("char", Kind { bits: 8, signed: true }),
    ("signed char", Kind { bits: 8, signed: true }),
    ("unsigned char", Kind { bits: 8, signed: false }),
    ("short", Kind { bits: 16, signed: true }),
    ("unsigned short", Kind { bits: 16, signed: false }),
    ("int", INT),
    ("unsigned", UNSIGNED),
    ("long", LONG),
    ("unsigned long", ULONG),
    ("long long", LONG),
    ("unsigned long long", ULONG),
];

impl Kind {
    pub(super) fn min(self) -> i128 {
        if self.signed { -(1i128 << (self.bits - 1)) } else { 0 }
    }

    pub(super) fn max(self) -> i128 {
        (1i128 << (self.bits - u32::from(self.signed))) - 1
    }

    /// The value after a conversion to this type.
    pub(super) fn wrap(self, value: i128) -> i128 {
        if self.bits == 1 {
            return i128::from(value != 0);
        }
        let low = value & ((1i128 << self.bits) - 1);
        if low > self.max() { low - (1i128 << self.bits) } else { low }
    }

    fn promoted(self) -> Kind {
        if self.bits < 32 { INT } else { self }
    }

    fn common(self, other: Kind) -> Kind {
        let (a, b) = (self.promoted(), other.promoted());
        if a.bits == b.bits {
            return Kind { bits: a.bits, signed: a.signed && b.signed };
        }
        if a.bits > b.bits { a } else { b }
    }
}

/// An expression with its type and value.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) text: String,
    pub(super) kind: Kind,
    pub(super) value: i128,
}

fn typed(text: impl Into<String>, kind: Kind, value: i128) -> Typed {
    Typed { text: text.into(), kind, value }
}

/// What expressions are made of.
pub(super) struct Source<'a> {
    pub(super) rng: &'a mut Rng,
    /// Variables and their values; not in constant expressions.
    pub(super) leaves: Vec<Typed>,
    /// A condition of the preprocessor: two types, no casts, overflow wraps.
    pub(super) condition: bool,
}

impl Source<'_> {
    fn pick<'b>(&mut self, words: &[&'b str]) -> &'b str {
        words[self.rng.below(words.len())]
    }

    pub(super) fn literal(&mut self) -> Typed {
        if self.rng.one_in(6) {
            let characters: [(&str, i128); 10] = [
                ("'a'", 97),
                ("'\\n'", 10),
                ("'\\0'", 0),
                ("'\\377'", -1),
                ("'\\x80'", -128),
                ("'\\''", 39),
                ("'\"'", 34),
                ("'ab'", 24930),
                ("'\\xff\\1'", 65281),
                ("'abcd'", 1633837924),
            ];
            let (text, value) = characters[self.rng.below(characters.len())];
            return typed(text, if self.condition { LONG } else { INT }, value);
        }
        let edges: [u64; 16] = [
            0,
            1,
            2,
            7,
            31,
            63,
            127,
            128,
            255,
            32767,
            65535,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_ffff,
            0x7fff_ffff_ffff_ffff,
            0xffff_ffff_ffff_ffff,
        ];
        let value = if self.rng.one_in(3) { edges[self.rng.below(16)] } else { self.rng.below(100) as u64 };
        let (suffix, unsigned, long) = [
            ("", false, false),
            ("", false, false),
            ("u", true, false),
            ("U", true, false),
            ("l", false, true),
            ("L", false, true),
            ("ul", true, true),
            ("LU", true, true),
            ("ll", false, true),
            ("ULL", true, true),
            ("llu", true, true),
        ][self.rng.below(11)];
        let decimal = self.rng.below(3) == 0 && (unsigned || value <= i64::MAX as u64);
        let text = match self.rng.below(3) {
            _ if decimal => value.to_string(),
            0 => format!("0{value:o}"),
            1 => format!("0x{value:x}"),
            _ => format!("0X{value:X}"),
        };
        let value = i128::from(value);
        let candidates = [INT, UNSIGNED, LONG, ULONG];
        let fits = |k: &Kind| {
            (k.bits == 64 || !long)
                && (!k.signed || !unsigned)
                && (k.signed || unsigned || !decimal)
                && value <= k.max()
        };
        let mut kind = candidates.into_iter().find(fits).unwrap_or(ULONG);
        if self.condition {
            kind = if unsigned || value > LONG.max() { ULONG } else { LONG };
        }
        typed(format!("{text}{suffix}"), kind, value)
    }

    fn leaf(&mut self) -> Typed {
        if !self.leaves.is_empty() && !self.rng.one_in(3) {
            let leaf = &self.leaves[self.rng.below(self.leaves.len())];
            return leaf.clone();
        }
        if !self.condition && self.rng.one_in(8) {
            let sizes =
                [("sizeof(int)", 4), ("sizeof(long)", 8), ("sizeof(char *)", 8), ("sizeof \"abc\"", 4)];
            let (text, size) = sizes[self.rng.below(4)];
            return typed(text, ULONG, size);
        }
        self.literal()
    }

    /// An expression that has a value.
    pub(super) fn expr(&mut self, depth: usize) -> Typed {
        if depth == 0 {
            return self.leaf();
        }
        let made = match self.rng.below(12) {
            0 => Some(self.leaf()),
            1 | 2 => self.unary(depth),
            3 if !self.condition => Some(self.cast(depth)),
            4 => Some(self.choice(depth)),
            5 => Some(self.circuit(depth)),
            _ => self.binary(depth),
        };
        made.unwrap_or_else(|| self.leaf())
    }

    fn cast(&mut self, depth: usize) -> Typed {
        let e = self.expr(depth - 1);
        let (name, kind) = TYPES[self.rng.below(TYPES.len())];
        typed(format!("({name})({})", e.text), kind, kind.wrap(e.value))
    }

    fn unary(&mut self, depth: usize) -> Option<Typed> {
        let e = self.expr(depth - 1);
        let op = self.pick(&["-", "~", "!", "+"]);
        let kind = if self.condition { e.kind } else { e.kind.promoted() };
        let truth = if self.condition { LONG } else { INT };
        let text = format!("{op}({})", e.text);
        Some(match op {
            "!" => typed(text, truth, i128::from(e.value == 0)),
            "+" => typed(text, kind, e.value),
            "~" => typed(text, kind, kind.wrap(!e.value)),
            _ => typed(text, kind, self.fit(kind, -e.value)?),
        })
    }

    /// The value of arithmetic; none where C has none.
    fn fit(&self, kind: Kind, value: i128) -> Option<i128> {
        let inside = (kind.min()..=kind.max()).contains(&value);
        (inside || !kind.signed || self.condition).then(|| kind.wrap(value))
    }

    fn choice(&mut self, depth: usize) -> Typed {
        let (test, yes, no) = (self.expr(depth - 1), self.expr(depth - 1), self.expr(depth - 1));
        let kind = yes.kind.common(no.kind);
        let (chosen, other) = if test.value != 0 { (&yes, &no) } else { (&no, &yes) };
        let value = kind.wrap(chosen.value);
        // What is not chosen is not computed.
        let broken = format!("({}) / 0", other.text);
        let other = if self.rng.one_in(4) && self.condition { broken } else { other.text.clone() };
        let (yes, no) =
            if test.value != 0 { (chosen.text.clone(), other) } else { (other, chosen.text.clone()) };
        typed(format!("(({}) ? ({yes}) : ({no}))", test.text), kind, value)
    }

    fn circuit(&mut self, depth: usize) -> Typed {
        let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
        let and = self.rng.one_in(2);
        let (op, decided) = if and { ("&&", a.value == 0) } else { ("||", a.value != 0) };
        let value = if and { a.value != 0 && b.value != 0 } else { a.value != 0 || b.value != 0 };
        let broken = decided && self.condition && self.rng.one_in(3);
        let right = if broken { format!("({}) % 0", b.text) } else { b.text };
        let kind = if self.condition { LONG } else { INT };
        typed(format!("(({}) {op} ({right}))", a.text), kind, i128::from(value))
    }

    fn binary(&mut self, depth: usize) -> Option<Typed> {
        let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
        let operators =
            ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", ">", "<=", ">=", "==", "!="];
        let op = self.pick(&operators);
        let (kind, value) = self.apply(op, &a, &b)?;
        Some(typed(format!("(({}) {op} ({}))", a.text, b.text), kind, value))
    }

    /// The type and value of `a op b`; none where C has none.
    pub(super) fn apply(&self, op: &str, a: &Typed, b: &Typed) -> Option<(Kind, i128)> {
        let truth = if self.condition { LONG } else { INT };
        if matches!(op, "<<" | ">>") {
            let kind = if self.condition { a.kind } else { a.kind.promoted() };
            let by = u32::try_from(b.value).ok().filter(|n| *n < kind.bits)?;
            let value = match op {
                "<<" if kind.signed && !self.condition => {
                    Some(a.value << by).filter(|v| a.value >= 0 && *v <= kind.max())?
                }
                "<<" => kind.wrap(a.value << by),
                _ => a.value >> by,
            };
            return Some((kind, value));
        }
        let kind = a.kind.common(b.kind);
        let (x, y) = (kind.wrap(a.value), kind.wrap(b.value));
        let comparison = match op {
            "<" => Some(x < y),
            ">" => Some(x > y),
            "<=" => Some(x <= y),
            ">=" => Some(x >= y),
            "==" => Some(x == y),
            "!=" => Some(x != y),
            _ => None,
        };
        if let Some(value) = comparison {
            return Some((truth, i128::from(value)));
        }
        let value = match op {
            "+" => x + y,
            "-" => x - y,
            "*" => x.checked_mul(y)?,
            "/" => x.checked_div(y)?,
            "%" if x == kind.min() && y == -1 => return None,
            "%" => x.checked_rem(y)?,
            "&" => x & y,
            "|" => x | y,
            _ => x ^ y,
        };
        Some((kind, self.fit(kind, value)?))
    }
}
