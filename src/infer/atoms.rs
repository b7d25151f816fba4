//! Candidates for preconditions: facts about single pointers, shapes, separation, numbers.
//!
//! Each has a cost: what a reader needs to understand it. Among conditions that exclude the same runs the cheapest is
//! chosen.

use super::vocabulary::{Place, Vocabulary, member};

/// A candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Atom {
    pub(super) text: String,
    pub(super) cost: u32,
    /// The shape that it belongs to, if it describes one.
    pub(super) shape: Option<Shape>,
}

impl Atom {
    /// The field along which it says that a list ends.
    pub(super) fn ends(&self) -> Option<&str> {
        self.text.strip_prefix("\\list(").and_then(|rest| rest.split(',').next())
    }

    /// The field along which it says that there is a ring.
    pub(super) fn circles(&self) -> Option<&str> {
        self.text.split_once("\\cyclic(").and_then(|(_, rest)| rest.split(',').next())
    }
}

/// Shapes that contracts describe, each a behaviour of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shape {
    List,
    Dlist,
    Tree,
    Ring,
    Sorted,
}

impl Shape {
    pub(super) const ALL: [Shape; 5] = [Shape::List, Shape::Dlist, Shape::Tree, Shape::Ring, Shape::Sorted];

    /// The name of its behaviour.
    pub(super) fn word(self) -> &'static str {
        match self {
            Shape::List => "list",
            Shape::Dlist => "dlist",
            Shape::Tree => "tree",
            Shape::Ring => "ring",
            Shape::Sorted => "sorted",
        }
    }
}

struct Atoms(Vec<Atom>);

impl Atoms {
    fn add(&mut self, cost: u32, text: String) {
        self.shaped(cost, None, text);
    }

    fn shaped(&mut self, cost: u32, shape: Option<Shape>, text: String) {
        if !self.0.iter().any(|a| a.text == text) {
            self.0.push(Atom { text, cost, shape });
        }
    }
}

/// All candidates for a function; constants are those that it compares numbers with.
pub(super) fn atoms(vocabulary: &Vocabulary, constants: &[i128]) -> Vec<Atom> {
    let mut out = Atoms(Vec::new());
    for (name, _) in &vocabulary.doubles {
        out.add(1, format!("\\valid({name})"));
    }
    for place in &vocabulary.places {
        single(&mut out, vocabulary, place);
    }
    for place in &vocabulary.inner {
        inner(&mut out, vocabulary, place);
    }
    for (a, b) in vocabulary.pairs() {
        pair(&mut out, vocabulary, a, b);
    }
    for (a, b) in places_apart(vocabulary) {
        out.add(6, format!("{} == NULL || {} != NULL", a.text, b.text));
    }
    for (name, record) in &vocabulary.doubles {
        for place in vocabulary.places.iter().filter(|p| p.depth == 0 && Some(p.record) == *record) {
            for field in &vocabulary.record(place).links {
                out.add(3, format!("{name} != &{}", place.member(field)));
            }
        }
        if let Some(record) = record {
            for field in &vocabulary.records[*record].links {
                let of = &vocabulary.records[*record].name;
                out.add(7, format!("\\forall {of} *u; {name} != &u->{field}"));
            }
        }
    }
    numbers(&mut out, vocabulary, constants);
    out.0
}

/// Pointers of different structs, such as two fields of a head.
fn places_apart(vocabulary: &Vocabulary) -> Vec<(&Place, &Place)> {
    let mut out = Vec::new();
    for a in &vocabulary.places {
        for b in vocabulary.places.iter().filter(|b| b.text != a.text) {
            if a.record != b.record && a.depth == b.depth {
                out.push((a, b));
            }
        }
    }
    out
}

fn single(out: &mut Atoms, vocabulary: &Vocabulary, place: &Place) {
    let (text, record) = (&place.text, vocabulary.record(place));
    if place.depth == 0 {
        out.add(1, format!("\\valid({text})"));
    } else {
        out.add(2, format!("{text} != NULL"));
        out.add(5, format!("{text} == NULL"));
    }
    for field in &record.links {
        let step = place.member(field);
        out.add(3, format!("{step} != NULL"));
        out.add(6, format!("{text} == NULL || {step} != NULL"));
        out.add(8, format!("{step} == NULL"));
        out.add(10, format!("{step} != {text}"));
        for second in &record.links {
            let further = member(&step, second);
            out.add(7, format!("{further} != NULL"));
            out.add(10, format!("{step} == NULL || {further} != NULL"));
            if second != field {
                out.shaped(6, Some(Shape::Dlist), format!("{step} == NULL || {further} == {text}"));
            }
        }
    }
    for field in record.lists() {
        out.shaped(2, Some(Shape::List), format!("\\list({field}, {text})"));
        if record.aside().contains(&field) {
            out.shaped(3, Some(Shape::Ring), format!("{text} == NULL || \\cyclic({field}, {text})"));
            out.shaped(2, None, format!("\\cyclic({field}, {text})"));
        }
        for data in record.numbers.iter().take(2) {
            out.shaped(5, Some(Shape::Sorted), format!("\\sorted({field}, {data}, {text}, NULL)"));
        }
    }
    if let Some((a, b)) = record.children() {
        out.shaped(2, Some(Shape::Tree), format!("\\tree({a}, {b}, {text})"));
        for field in [a, b] {
            out.add(6, format!("\\list({field}, {text})"));
        }
    }
    if let Some((child, next)) = record.family() {
        out.shaped(3, Some(Shape::Tree), format!("\\tree({child}, {next}, {text})"));
    }
    if let Some((forward, back)) = record.doubly() {
        out.shaped(4, Some(Shape::Dlist), format!("\\inverse({forward}, {back}, {text}, NULL)"));
    }
}

/// Shapes behind a link.
fn inner(out: &mut Atoms, vocabulary: &Vocabulary, place: &Place) {
    let (text, record) = (&place.text, vocabulary.record(place));
    for field in record.lists() {
        if place.behind.as_ref().is_some_and(|base| member(base, field) == *text) {
            continue;
        }
        out.shaped(4, Some(Shape::List), format!("\\list({field}, {text})"));
        for other in vocabulary.places.iter().filter(|p| p.record == place.record) {
            if Some(&other.text) != place.behind.as_ref() {
                out.shaped(5, Some(Shape::List), format!("!({text} -{field}*-> {})", other.text));
            }
        }
    }
    if let Some((a, b)) = record.children() {
        // Whoever means both children means the tree.
        out.shaped(7, Some(Shape::Tree), format!("\\tree({a}, {b}, {text})"));
    }
    if let Some((child, next)) = record.family() {
        out.shaped(7, Some(Shape::Tree), format!("\\tree({child}, {next}, {text})"));
    }
}

fn pair(out: &mut Atoms, vocabulary: &Vocabulary, a: &Place, b: &Place) {
    let (x, y) = (&a.text, &b.text);
    let record = vocabulary.record(a);
    let first = x < y;
    if first {
        out.add(3, format!("{x} != {y}"));
        out.add(7, format!("{x} == {y}"));
        out.add(7, format!("{x} == NULL <==> {y} == NULL"));
        out.add(7, format!("{x} != NULL || {y} != NULL"));
    }
    out.add(6, format!("{x} == NULL || {y} != NULL"));
    for field in record.aside() {
        out.shaped(3, Some(Shape::List), format!("!({x} -{field}*-> {y})"));
        out.add(5, format!("{x} -{field}*-> {y}"));
        out.add(6, format!("{x} == NULL || {x} -{field}*-> {y}"));
        out.add(9, format!("{x} == NULL || {x} -{field}*-> {y} && {y} != NULL"));
        if first {
            let cells = |t: &str| format!("\\cells({field}, {t}, NULL)");
            out.shaped(4, Some(Shape::List), format!("\\disjoint({}, {})", cells(x), cells(y)));
        }
        let end = b.member(field);
        if a.depth == 1 && b.depth == 1 && a.behind == b.behind {
            out.add(7, format!("{y} == NULL || {end} == NULL"));
        }
    }
    for field in &record.links {
        out.add(16, format!("{} == {y}", a.member(field)));
        out.add(26, format!("{} != {y}", a.member(field)));
    }
    if let Some((forward, back)) = record.doubly() {
        if a.behind.is_some() && a.behind == b.behind {
            out.shaped(4, Some(Shape::Dlist), format!("\\dlseg({forward}, {back}, {x}, NULL, NULL, {y})"));
        }
        out.shaped(4, Some(Shape::Dlist), format!("!({x} -{forward}*-> {y})"));
    }
}

fn numbers(out: &mut Atoms, vocabulary: &Vocabulary, constants: &[i128]) {
    let plain: Vec<&str> =
        vocabulary.numbers.iter().filter(|(n, _)| n != "\\result").map(|(n, _)| n.as_str()).collect();
    for n in &plain {
        out.add(3, format!("{n} >= 0"));
        out.add(4, format!("{n} > 0"));
        out.add(4, format!("{n} != 0"));
        for c in constants.iter().filter(|c| c.unsigned_abs() > 1).take(4) {
            out.add(5, format!("{n} < {c}"));
            out.add(5, format!("{n} <= {c}"));
            out.add(6, format!("{n} > {c}"));
        }
    }
    for (array, length) in &vocabulary.arrays {
        for n in &plain {
            match length {
                Some(length) => {
                    out.add(4, format!("{n} < {length}"));
                    out.add(4, format!("{n} <= {length}"));
                }
                None => {
                    out.add(3, format!("\\valid({array} + (0..{n} - 1))"));
                    out.add(4, format!("\\valid({array} + (0..{n}))"));
                    out.add(5, format!("\\valid({array} + ({n}..{n}))"));
                    for m in plain.iter().filter(|m| *m != n) {
                        out.add(6, format!("\\valid({array} + ({n}..{m} - 1))"));
                        out.add(7, format!("\\valid({array} + ({n}..{m}))"));
                    }
                }
            }
        }
        if length.is_none() {
            out.add(5, format!("\\valid({array} + (0..0))"));
        }
    }
    for (i, n) in plain.iter().enumerate() {
        for m in plain.iter().skip(i + 1) {
            out.add(6, format!("{n} < {m}"));
            out.add(6, format!("{n} <= {m}"));
            out.add(6, format!("{m} < {n}"));
            out.add(6, format!("{m} <= {n}"));
        }
    }
    // A guard is worth its words only where a pointer and a number go together.
    for place in &vocabulary.places {
        for n in plain.iter().take(3) {
            out.add(8, format!("{} != NULL || {n} <= 0", place.text));
            out.add(8, format!("{} != NULL || {n} == 0", place.text));
            for link in vocabulary.record(place).links.iter().filter(|_| place.depth == 1) {
                out.add(9, format!("{} != NULL || {n} <= 1", place.member(link)));
            }
        }
    }
}
