//! What a contract of a function can speak of: pointers, lists of structs, numbers, as texts.

use super::order;
use crate::frontend::c::outline::{Outline, Outlined, Sketch};

/// A pointer to cells of a struct that is there at the entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// As C writes it.
    pub(super) text: String,
    /// The struct.
    pub(super) record: usize,
    /// What must not be null for it to exist.
    pub(super) behind: Option<String>,
    /// Pointers over which one comes to it.
    pub(super) depth: usize,
}

impl Place {
    /// `place->field`
    pub(super) fn member(&self, field: &str) -> String {
        member(&self.text, field)
    }
}

/// `text->field`
pub(super) fn member(text: &str, field: &str) -> String {
    if text.starts_with('*') { format!("({text})->{field}") } else { format!("{text}->{field}") }
}

/// A struct whose cells are linked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Linked {
    /// As C writes its type.
    pub(super) name: String,
    /// Fields that lead to cells of the same struct.
    pub(super) links: Vec<String>,
    /// Fields that lead to other structs, with these.
    pub(super) others: Vec<(String, usize)>,
    /// Fields with numbers.
    pub(super) numbers: Vec<String>,
}

impl Linked {
    /// Pairs of fields that may be children of a tree.
    pub(super) fn children(&self) -> Option<(&str, &str)> {
        let down: Vec<&str> =
            self.links.iter().map(String::as_str).filter(|f| !leads_up(f) && !is_back(f)).collect();
        match down[..] {
            [a, b, ..] if !(is_forward(a) || is_forward(b)) => Some((a, b)),
            _ => None,
        }
    }

    /// Fields along which cells stand side by side: rings, and what is reached from what.
    pub(super) fn aside(&self) -> Vec<&str> {
        self.lists().into_iter().filter(|f| !leads_up(f) && !leads_down(f)).collect()
    }

    /// The fields of a tree whose cells have any number of children: the first child, and the next one of the same cell.
    pub(super) fn family(&self) -> Option<(&str, &str)> {
        let own = |wanted: fn(&str) -> bool| self.links.iter().map(String::as_str).find(|f| wanted(f));
        Some((own(leads_down)?, own(is_forward)?))
    }

    /// Pairs of fields of which one may lead back where the other came from.
    pub(super) fn doubly(&self) -> Option<(&str, &str)> {
        let back = self.links.iter().find(|f| is_back(f));
        let plain = |f: &&String| !is_back(f) && !leads_up(f);
        let forward = self.links.iter().filter(plain).find(|f| is_forward(f));
        let forward = forward.or_else(|| self.links.iter().find(plain));
        match (forward, back) {
            (Some(forward), Some(back)) => Some((forward, back)),
            _ if self.links.len() == 2 && self.children().is_none() => Some((&self.links[0], &self.links[1])),
            _ => None,
        }
    }

    /// Fields along which lists run.
    pub(super) fn lists(&self) -> Vec<&str> {
        let tree = self.children();
        let in_tree = |f: &str| tree.is_some_and(|(a, b)| f == a || f == b);
        self.links.iter().map(String::as_str).filter(|f| !in_tree(f)).collect()
    }
}

fn has(name: &str, words: &[&str]) -> bool {
    let name = name.to_ascii_lowercase();
    words.iter().any(|w| name.contains(w))
}

fn leads_up(name: &str) -> bool {
    has(name, &["parent", "father", "up", "owner"])
}

fn leads_down(name: &str) -> bool {
    has(name, &["child", "down", "sub", "kid", "first"]) && !is_forward(name) && !is_back(name)
}

fn is_back(name: &str) -> bool {
    has(name, &["prev", "back", "pred", "blink"]) || matches!(name, "p" | "bwd")
}

fn is_forward(name: &str) -> bool {
    has(name, &["next", "succ", "flink", "forw", "link"]) || matches!(name, "n" | "fwd")
}

/// Everything that candidates are made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Vocabulary {
    /// Pointers to structs.
    pub(super) places: Vec<Place>,
    /// Where the links of structs with several links lead: roots of shapes, and nothing else.
    pub(super) inner: Vec<Place>,
    /// Pointers to variables: the name, and the struct that the variable leads to.
    pub(super) doubles: Vec<(String, Option<usize>)>,
    /// Integers: parameters, globals, fields of what parameters lead to (with what must not be null).
    pub(super) numbers: Vec<(String, bool)>,
    /// Arrays, with their length if it is known.
    pub(super) arrays: Vec<(String, Option<u64>)>,
    /// Structs by their number.
    pub(super) records: Vec<Linked>,
    /// What the function returns.
    pub(super) result: Option<Sketch>,
}

impl Vocabulary {
    pub(super) fn of(outline: &Outline, function: &Outlined) -> Vocabulary {
        let mut out = Vocabulary {
            records: outline.records.iter().map(|r| linked(outline, r)).collect(),
            ..Vocabulary::default()
        };
        let plain = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.is_empty();
        let mut below = order::below(outline, &function.name);
        below.push(function.name.clone());
        let named: Vec<&String> =
            below.iter().filter_map(|n| outline.function(n)).flat_map(|f| &f.globals).collect();
        let globals = outline.globals.iter().filter(|(name, _)| named.contains(&name));
        for (name, sketch) in function.parameters.iter().chain(globals).filter(|(n, _)| plain(n)) {
            out.add(name, sketch);
        }
        for place in out.places.clone() {
            if place.depth > 0 {
                continue;
            }
            let fields = out.records[place.record].clone();
            for (field, record) in &fields.others {
                out.places.push(Place {
                    text: place.member(field),
                    record: *record,
                    behind: Some(place.text.clone()),
                    depth: 1,
                });
            }
            for link in fields.links.iter().filter(|_| fields.links.len() > 1) {
                let (text, behind) = (place.member(link), Some(place.text.clone()));
                out.inner.push(Place { text, record: place.record, behind, depth: 2 });
            }
            for field in
                fields.numbers.iter().filter(|_| !fields.others.is_empty() || fields.links.is_empty())
            {
                out.numbers.push((place.member(field), true));
            }
        }
        out.result = Some(function.result.clone()).filter(|s| *s != Sketch::Other);
        out
    }

    fn add(&mut self, name: &str, sketch: &Sketch) {
        let name = name.to_owned();
        match sketch {
            Sketch::Int { .. } => self.numbers.push((name, false)),
            Sketch::Array(_, length) => self.arrays.push((name, *length)),
            Sketch::Pointer(inner) => match &**inner {
                Sketch::Record(record) => {
                    self.places.push(Place { text: name, record: *record, behind: None, depth: 0 });
                }
                Sketch::Pointer(target) => {
                    let record = match **target {
                        Sketch::Record(record) => Some(record),
                        _ => None,
                    };
                    if let Some(record) = record {
                        let (text, behind) = (format!("*{name}"), Some(name.clone()));
                        self.places.push(Place { text, record, behind, depth: 1 });
                    }
                    self.doubles.push((name, record));
                }
                Sketch::Int { .. } => {
                    self.numbers.push((format!("*{name}"), true));
                    self.doubles.push((name, None));
                }
                _ => {}
            },
            // A global struct is a cell that always exists.
            Sketch::Record(record) => {
                for (field, of) in self.records[*record].others.clone() {
                    let text = format!("{name}.{field}");
                    self.places.push(Place { text, record: of, behind: None, depth: 1 });
                }
                for field in self.records[*record].numbers.clone() {
                    self.numbers.push((format!("{name}.{field}"), false));
                }
            }
            Sketch::Other => {}
        }
    }

    /// The struct of a place.
    pub(super) fn record(&self, place: &Place) -> &Linked {
        &self.records[place.record]
    }

    /// Pairs of different places of one struct.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&Place, &Place)> {
        let places = &self.places;
        places.iter().flat_map(move |a| {
            places.iter().filter(move |b| a.record == b.record && a.text != b.text).map(move |b| (a, b))
        })
    }
}

fn linked(outline: &Outline, record: &crate::frontend::c::outline::Record) -> Linked {
    let own = outline.records.iter().position(|r| r == record);
    let mut out = Linked { name: record.name.clone(), ..Linked::default() };
    for (name, sketch) in record.members.iter().filter(|(n, _)| !n.contains('.')) {
        match sketch {
            Sketch::Int { .. } => out.numbers.push(name.clone()),
            Sketch::Pointer(inner) => match **inner {
                Sketch::Record(to) if Some(to) == own => out.links.push(name.clone()),
                Sketch::Record(to) => out.others.push((name.clone(), to)),
                _ => {}
            },
            _ => {}
        }
    }
    out
}
