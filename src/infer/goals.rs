//! Candidates for promises: what is returned, what fields hold afterwards, the shape of what is left, its cells.

use super::atoms::Shape;
use super::vocabulary::{Linked, Place, Vocabulary, member};
use crate::frontend::c::outline::Sketch;

/// A candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Goal {
    pub(super) text: String,
    pub(super) cost: u32,
    /// The shapes in whose behaviour it belongs, if it does not always hold.
    pub(super) shape: Option<Shape>,
    /// It is the shape itself, not what else is known of its cells.
    pub(super) primary: bool,
    /// It is about something that may be another pointer than at the entry.
    pub(super) moves: bool,
}

struct Goals(Vec<Goal>);

impl Goals {
    fn add(&mut self, cost: u32, text: String) {
        self.shaped(cost, None, text);
    }

    fn shaped(&mut self, cost: u32, shape: Option<Shape>, text: String) {
        if !self.0.iter().any(|g| g.text == text) {
            self.0.push(Goal { text, cost, shape, primary: false, moves: false });
        }
    }

    /// The shape itself.
    fn primary(&mut self, cost: u32, shape: Shape, moves: bool, text: String) {
        if !self.0.iter().any(|g| g.text == text) {
            self.0.push(Goal { text, cost, shape: Some(shape), primary: true, moves });
        }
    }
}

/// What is there after the call: the result, parameters with the heap of then, globals.
struct Left {
    text: String,
    record: usize,
    /// It may be another pointer than at the entry.
    moves: bool,
}

/// All candidates for a function.
pub(super) fn goals(vocabulary: &Vocabulary) -> Vec<Goal> {
    let mut out = Goals(Vec::new());
    let mut left = Vec::new();
    match &vocabulary.result {
        Some(Sketch::Pointer(inner)) => {
            if let Sketch::Record(record) = **inner {
                left.push(Left { text: "\\result".to_owned(), record, moves: true });
                pointer_result(&mut out, vocabulary, record);
            }
        }
        Some(Sketch::Int { .. }) => number_result(&mut out, vocabulary),
        _ => {}
    }
    for place in &vocabulary.places {
        let is_global = place.behind.is_none() && place.depth > 0;
        let moves = place.behind.is_some() || is_global;
        left.push(Left { text: place.text.clone(), record: place.record, moves });
        fields_after(&mut out, vocabulary, place);
        freed(&mut out, vocabulary, place);
    }
    for place in &vocabulary.inner {
        left.push(Left { text: place.text.clone(), record: place.record, moves: true });
    }
    for l in &left {
        shapes(&mut out, vocabulary, l);
    }
    for a in vocabulary.places.iter().filter(|p| p.behind.is_some()) {
        for b in vocabulary
            .places
            .iter()
            .filter(|p| p.behind == a.behind && p.record == a.record && p.text != a.text)
        {
            if let Some((forward, back)) = vocabulary.record(a).doubly() {
                let text = format!("\\dlseg({forward}, {back}, {}, NULL, NULL, {})", a.text, b.text);
                out.primary(3, Shape::Dlist, true, text);
            }
            for field in vocabulary.record(a).lists() {
                let (head, tail) = (&a.text, &b.text);
                out.shaped(6, Some(Shape::List), format!("{head} == NULL || {head} -{field}*-> {tail}"));
            }
            if a.text < b.text {
                out.shaped(6, Some(Shape::List), format!("{} == NULL <==> {} == NULL", a.text, b.text));
            }
        }
    }
    for (number, written) in &vocabulary.numbers {
        if *written {
            for change in ["", " + 1", " - 1"] {
                let cost = if change.is_empty() { 9 } else { 4 };
                out.add(cost, format!("{number} == \\old({number}){change}"));
            }
            out.add(4, format!("{number} == 0"));
            out.add(6, format!("{number} >= 0"));
            for (other, _) in vocabulary.numbers.iter().filter(|(n, _)| n != number) {
                out.add(5, format!("{number} == \\old({other})"));
            }
        }
    }
    out.0
}

/// Values at the entry that something may be equal to afterwards: the struct, and the text in an exit formula.
fn values(vocabulary: &Vocabulary, record: usize) -> Vec<(u32, String)> {
    let mut out = vec![(2, "NULL".to_owned())];
    for place in vocabulary.places.iter().filter(|p| p.record == record) {
        let plain = place.depth == 0;
        out.push((1, if plain { place.text.clone() } else { format!("\\old({})", place.text) }));
        for field in &vocabulary.record(place).links {
            out.push((3, format!("\\old({})", place.member(field))));
        }
    }
    // Pointers of other structs, one step away.
    for place in vocabulary.places.iter().filter(|p| p.record != record) {
        for (field, to) in &vocabulary.record(place).others {
            if *to == record {
                out.push((3, format!("\\old({})", place.member(field))));
            }
        }
    }
    out
}

fn pointer_result(out: &mut Goals, vocabulary: &Vocabulary, record: usize) {
    let own = &vocabulary.records[record];
    for (cost, value) in values(vocabulary, record) {
        out.add(cost, format!("\\result == {value}"));
        if value != "NULL" {
            out.add(cost + 4, format!("\\result == NULL <==> {value} == NULL"));
            out.add(cost + 5, format!("\\result == NULL || \\result == {value}"));
            for (more, second) in values(vocabulary, record) {
                if second != "NULL" && value < second {
                    out.add(cost + more + 4, format!("\\result == {value} || \\result == {second}"));
                }
            }
            out.add(cost + 7, format!("{value} == NULL ==> \\result == NULL"));
            out.add(cost + 6, format!("\\result == {value} || \\fresh(\\result)"));
            for field in &own.links {
                out.add(cost + 2, format!("\\result->{field} == {value}"));
                out.add(cost + 6, format!("\\result == NULL || \\result->{field} == {value}"));
            }
            for field in own.lists() {
                out.add(cost + 3, format!("{value} -{field}*-> \\result"));
                out.add(cost + 5, format!("\\result == NULL || {value} -{field}*-> \\result"));
                out.add(
                    cost + 6,
                    format!("\\result == NULL || \\old({} -{field}*-> \\result)", strip_old(&value)),
                );
            }
        }
    }
    out.add(4, "\\result != NULL".to_owned());
    out.add(2, "\\fresh(\\result)".to_owned());
    out.add(4, "\\result == NULL || \\fresh(\\result)".to_owned());
    out.add(3, "\\freed(\\result)".to_owned());
    for field in &own.links {
        out.add(4, format!("\\result->{field} == NULL"));
        out.add(6, format!("\\result == NULL || \\result->{field} == NULL"));
        out.add(7, format!("\\result->{field} == \\result"));
    }
    for data in &own.numbers {
        for (number, _) in vocabulary.numbers.iter() {
            let number = entry_value(vocabulary, number);
            out.add(4, format!("\\result->{data} == {number}"));
            out.add(5, format!("\\result == NULL || \\result->{data} == {number}"));
        }
        for place in vocabulary.places.iter().filter(|p| p.record == record) {
            out.add(6, format!("\\result->{data} == \\old({})", place.member(data)));
            out.add(7, format!("\\result == NULL || \\result->{data} == \\old({})", place.member(data)));
        }
        out.add(6, format!("\\result->{data} == 0"));
    }
}

fn strip_old(value: &str) -> &str {
    value.strip_prefix("\\old(").and_then(|v| v.strip_suffix(')')).unwrap_or(value)
}

/// A number as it was at the entry: parameters mean that in any case.
fn entry_value(vocabulary: &Vocabulary, number: &str) -> String {
    let field = vocabulary.numbers.iter().any(|(n, written)| n == number && *written);
    if field { format!("\\old({number})") } else { number.to_owned() }
}

fn number_result(out: &mut Goals, vocabulary: &Vocabulary) {
    out.add(4, "\\result >= 0".to_owned());
    out.add(3, "\\result == 0 || \\result == 1".to_owned());
    for n in [0, 1, -1] {
        out.add(3, format!("\\result == {n}"));
    }
    out.add(5, "\\result > 0".to_owned());
    out.add(6, "\\result == 0 || \\result == -1".to_owned());
    for place in &vocabulary.places {
        let value = if place.depth == 0 { place.text.clone() } else { format!("\\old({})", place.text) };
        out.add(5, format!("\\result == 0 <==> {value} == NULL"));
        out.add(5, format!("\\result != 0 <==> {value} == NULL"));
        out.add(8, format!("{value} == NULL ==> \\result == 0"));
        for data in &vocabulary.record(place).numbers {
            out.add(4, format!("\\result == \\old({})", place.member(data)));
        }
    }
    for (number, _) in &vocabulary.numbers {
        let value = entry_value(vocabulary, number);
        out.add(3, format!("\\result == {value}"));
        for change in [" + 1", " - 1"] {
            out.add(4, format!("\\result == {value}{change}"));
        }
        out.add(6, format!("\\result <= {value}"));
        out.add(6, format!("\\result >= {value}"));
    }
}

/// What the fields of a place hold afterwards.
fn fields_after(out: &mut Goals, vocabulary: &Vocabulary, place: &Place) {
    let own = vocabulary.record(place);
    let targets =
        own.links.iter().map(|f| (f, place.record)).chain(own.others.iter().map(|(f, to)| (f, *to)));
    let mut locations: Vec<(String, usize)> = targets.map(|(f, to)| (place.member(f), to)).collect();
    if place.behind.is_some() || place.depth > 0 {
        locations.push((place.text.clone(), place.record));
    }
    for (location, to) in locations {
        for (cost, value) in values(vocabulary, to) {
            if strip_old(&value) != location {
                out.add(cost + 1, format!("{location} == {value}"));
            }
        }
        out.add(5, format!("{location} != NULL"));
        out.add(4, format!("\\fresh({location})"));
        if let Some(Sketch::Pointer(_)) = &vocabulary.result {
            out.add(4, format!("{location} == \\result"));
        }
        out.add(9, format!("{location} == \\old({location})"));
        let record = &vocabulary.records[to];
        for data in &record.numbers {
            for (number, _) in &vocabulary.numbers {
                let number = entry_value(vocabulary, number);
                out.add(6, format!("{} == {number}", member(&location, data)));
            }
        }
        for field in &record.links {
            out.add(6, format!("{} == \\old({location})", member(&location, field)));
            out.add(7, format!("{} == NULL", member(&location, field)));
        }
    }
    for data in &own.numbers {
        for (number, _) in &vocabulary.numbers {
            if place.member(data) != *number {
                let number = entry_value(vocabulary, number);
                out.add(4, format!("{} == {number}", place.member(data)));
            }
        }
    }
}

fn freed(out: &mut Goals, vocabulary: &Vocabulary, place: &Place) {
    let value = if place.depth == 0 { place.text.clone() } else { format!("\\old({})", place.text) };
    out.add(2, format!("\\freed({value})"));
    out.add(4, format!("{value} == NULL || \\freed({value})"));
    let name = &vocabulary.record(place).name;
    for field in vocabulary.record(place).lists() {
        let cells = format!("\\old(\\cells({field}, {}, NULL))", place.text);
        out.add(3, format!("\\forall {name} *u; u \\in {cells} ==> \\freed(u)"));
    }
}

fn shapes(out: &mut Goals, vocabulary: &Vocabulary, left: &Left) {
    let own: &Linked = &vocabulary.records[left.record];
    let text = &left.text;
    let same: Vec<&Place> = vocabulary.places.iter().filter(|p| p.record == left.record).collect();
    for field in own.lists() {
        out.primary(2, Shape::List, left.moves, format!("\\list({field}, {text})"));
        out.primary(3, Shape::Ring, left.moves, format!("\\cyclic({field}, {text})"));
        out.primary(4, Shape::Ring, left.moves, format!("{text} == NULL || \\cyclic({field}, {text})"));
        for data in own.numbers.iter().take(2) {
            out.primary(5, Shape::Sorted, left.moves, format!("\\sorted({field}, {data}, {text}, NULL)"));
        }
        let cells = |t: &str| format!("\\cells({field}, {t}, NULL)");
        let now = cells(text);
        for a in &same {
            let before = format!("\\old({})", cells(&a.text));
            out.shaped(5, Some(Shape::List), format!("{now} == {before}"));
            out.shaped(7, Some(Shape::List), format!("\\subset({now}, {before})"));
            out.shaped(7, Some(Shape::List), format!("\\subset({before}, {now})"));
            if text != "\\result" && vocabulary.result.is_some() {
                out.shaped(7, Some(Shape::List), format!("{now} == \\diff({before}, {{\\result}})"));
            }
            for b in &same {
                if a.text == b.text {
                    continue;
                }
                let value = if b.depth == 0 { b.text.clone() } else { format!("\\old({})", b.text) };
                out.shaped(6, Some(Shape::List), format!("{now} == \\union({before}, {{{value}}})"));
                out.shaped(7, Some(Shape::List), format!("{now} == \\diff({before}, {{{value}}})"));
                if a.text < b.text {
                    let other = format!("\\old({})", cells(&b.text));
                    out.shaped(6, Some(Shape::List), format!("{now} == \\union({before}, {other})"));
                }
            }
            if a.text != *text && (left.moves || a.depth > 0) {
                out.shaped(7, Some(Shape::List), format!("\\disjoint({now}, {})", cells(&a.text)));
            }
        }
    }
    if let Some((a, b)) = own.children() {
        out.primary(2, Shape::Tree, left.moves, format!("\\tree({a}, {b}, {text})"));
    }
    if let Some((child, next)) = own.family() {
        out.primary(3, Shape::Tree, left.moves, format!("\\tree({child}, {next}, {text})"));
    }
    if let Some((forward, back)) = own.doubly() {
        out.primary(4, Shape::Dlist, left.moves, format!("\\inverse({forward}, {back}, {text}, NULL)"));
        out.shaped(
            5,
            Some(Shape::Dlist),
            format!("{text}->{forward} == NULL || {text}->{forward}->{back} == {text}"),
        );
    }
}
