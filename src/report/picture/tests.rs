//! The oracle of pictures, on random heaps: nothing lies on anything else, every pointer is drawn from its row to its
//! box without crossing another, every variable occurs, and the text is well-formed.

use super::layout::{Point, Rect, row_height};
use super::links::{Role, Roles};
use super::scene::{Culprit, Held, Scene};
use super::*;
use crate::report::findings::{Cell, Content, Status, Variable};
use crate::util::rng::Rng;

fn variable(name: &str, value: Content) -> Variable {
    Variable { name: name.to_owned(), value }
}

fn to(i: usize) -> Content {
    Content::Cell(format!("c{i}"))
}

/// A cell with a number and these links.
fn cell(i: usize, kind: &str, links: &[(&str, Content)]) -> Cell {
    let mut fields = vec![variable("key", Content::Int(i as i128))];
    fields.extend(links.iter().map(|(name, value)| variable(name, value.clone())));
    Cell { name: format!("c{i}"), kind: kind.to_owned(), status: Status::Allocated, fields }
}

fn state(variables: Vec<Variable>, cells: Vec<Cell>) -> State {
    State { variables, cells, drawn: Vec::new() }
}

/// A heap of one of the shapes that programs have, up to 60 cells, and what variables hold.
fn random(rng: &mut Rng) -> State {
    let most = if rng.one_in(3) { 60 } else { 9 };
    let n = 1 + rng.below(most);
    let next = |i: usize, last: Content| if i + 1 < n { to(i + 1) } else { last };
    let shape = rng.below(9);
    let mut cells: Vec<Cell> = (0..n)
        .map(|i| match shape {
            0 => cell(i, "list", &[("next", next(i, Content::Null))]),
            1 => cell(i, "ring", &[("next", next(i, to(0)))]),
            2 => {
                let prev = if i == 0 { Content::Null } else { to(i - 1) };
                cell(i, "dlist", &[("prev", prev), ("next", next(i, Content::Null))])
            }
            3 => {
                let child = |k: usize| if k < n { to(k) } else { Content::Null };
                let parent = if i == 0 { Content::Null } else { to((i - 1) / 2) };
                cell(
                    i,
                    "tree",
                    &[("left", child(2 * i + 1)), ("right", child(2 * i + 2)), ("parent", parent)],
                )
            }
            4 => cell(i, "dring", &[("next", next(i, to(0))), ("prev", to((i + n - 1) % n))]),
            // A list of lists: every third cell is of the outer one.
            5 if i % 3 == 0 => {
                let below = if i + 3 < n { to(i + 3) } else { Content::Null };
                cell(i, "outer", &[("down", below), ("row", next(i, Content::Null))])
            }
            5 => {
                let last = if i % 3 == 2 { Content::Null } else { next(i, Content::Null) };
                cell(i, "inner", &[("next", last)])
            }
            // Anything, with fields without a name that tells.
            _ => {
                let mut any = || match rng.below(8) {
                    0 => Content::Null,
                    1 => Content::Wild,
                    2 => Content::Field { cell: format!("c{}", rng.below(n)), field: "a".to_owned() },
                    3 => Content::Array(vec![to(rng.below(n)), Content::Null]),
                    _ => to(rng.below(n)),
                };
                let kind = if shape == 8 && i % 2 == 0 { "even" } else { "odd" };
                cell(i, kind, &[("a", any()), ("b", any()), ("c", any())][..1 + shape % 3])
            }
        })
        .collect();
    // Something is broken, something freed.
    for _ in 0..rng.below(4) {
        let (at, target) = (rng.below(n), rng.below(n));
        let fields = &mut cells[at].fields;
        let k = 1 + rng.below(fields.len() - 1);
        fields[k].value = if rng.one_in(3) { Content::Null } else { to(target) };
    }
    if rng.one_in(2) {
        let at = rng.below(n);
        cells[at].status = *rng.pick(&[Status::Freed, Status::Automatic]);
    }
    let mut variables = Vec::new();
    for i in 0..rng.below(9) {
        let value = match rng.below(8) {
            0 => Content::Null,
            1 => Content::Int(-7),
            2 => Content::Wild,
            3 => Content::Array((0..rng.below(20)).map(|k| Content::Int(k as i128)).collect()),
            4 => Content::Array((0..rng.below(5)).map(|_| to(rng.below(n))).collect()),
            _ => to(rng.below(n)),
        };
        let long = if rng.one_in(4) { "_with_a_name_that_is_much_longer_than_usual" } else { "" };
        variables.push(variable(&format!("v{i}{long}"), value));
    }
    state(variables, cells)
}

/// The next state of a run: a few fields and variables change, a cell comes or is freed.
fn change(rng: &mut Rng, before: &State) -> State {
    let mut after = before.clone();
    let n = after.cells.len();
    for _ in 0..1 + rng.below(3) {
        let (at, target) = (rng.below(n), rng.below(n));
        let fields = &mut after.cells[at].fields;
        let k = rng.below(fields.len());
        fields[k].value = if k == 0 { Content::Int(99_999) } else { to(target) };
    }
    if let Some(variable) = after.variables.first_mut() {
        variable.value = to(rng.below(n));
    }
    match rng.below(4) {
        0 => after.cells[rng.below(n)].status = Status::Freed,
        1 => after.cells.push(Cell { name: format!("new {n}"), ..after.cells[0].clone() }),
        _ => {}
    }
    after
}

fn overlap(a: Rect, b: Rect) -> bool {
    a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
}

fn contains(outer: Rect, inner: Rect) -> bool {
    outer.x <= inner.x
        && outer.y <= inner.y
        && inner.x + inner.w <= outer.x + outer.w
        && inner.y + inner.h <= outer.y + outer.h
}

/// The pieces of a way as thin rectangles.
fn pieces(corners: &[Point]) -> Vec<Rect> {
    let piece = |pair: &[Point]| {
        let ((a, b), (c, d)) = (pair[0], pair[1]);
        assert!(a == c || b == d, "a way has a slanted piece: {corners:?}");
        Rect { x: a.min(c), y: b.min(d), w: (a - c).abs() + 1, h: (b - d).abs() + 1 }
    };
    corners.windows(2).map(piece).collect()
}

fn check(states: &[&State]) {
    let film = Film::new(states, &Culprit::default());
    let (scene, layout) = (&film.scene, &film.layout);
    let paper = Rect { x: 0, y: 0, w: layout.size.w, h: layout.size.h };
    for (frame, state) in states.iter().enumerate() {
        let mut rects: Vec<(String, Rect)> = Vec::new();
        for (i, block) in scene.boxes.iter().enumerate().filter(|(_, b)| b.looks[frame].is_some()) {
            rects.push((block.name.clone(), layout.boxes[i]));
            let look = block.looks[frame].as_ref().expect("it is there");
            assert_eq!(look.labels.len(), layout.labels[frame][i].len());
            for (label, place) in look.labels.iter().zip(&layout.labels[frame][i]) {
                rects.push((label.text.clone(), *place));
            }
        }
        assert_eq!(scene.loose[frame].len(), layout.loose[frame].len());
        for (variable, place) in scene.loose[frame].iter().zip(&layout.loose[frame]) {
            rects.push((variable.name.clone(), *place));
        }
        for (i, (name, a)) in rects.iter().enumerate() {
            assert!(contains(paper, *a), "{name} is outside of the picture: {a:?}");
            for (other, b) in &rects[i + 1..] {
                assert!(!overlap(*a, *b), "{name} lies on {other}: {a:?} {b:?}");
            }
        }
        // Every cell and every variable.
        for cell in &state.cells {
            assert!(rects.iter().any(|(name, _)| *name == cell.name), "{} is missing", cell.name);
        }
        for v in &state.variables {
            let shown = |name: &str| name == v.name || name.starts_with(&format!("{} = &", v.name));
            let n = rects.iter().filter(|(name, _)| shown(name)).count();
            assert_eq!(n, 1, "{} occurs {n} times", v.name);
        }
        ways(&film, frame, &rects);
        let text = film.svg(frame, "a heap");
        well_formed(&text);
        assert_eq!(text, Film::new(states, &Culprit::default()).svg(frame, "a heap"), "not deterministic");
    }
    #[cfg(feature = "cli")]
    well_formed(&film.element(0, "role=\"img\""));
}

/// Every pointer of a frame has a way from its row to its box; it crosses nothing, and no two lie on each other.
fn ways(film: &Film, frame: usize, rects: &[(String, Rect)]) {
    let (scene, layout) = (&film.scene, &film.layout);
    let seen: Vec<_> = layout.pointers.iter().filter(|(p, _)| p.frames >> frame & 1 == 1).collect();
    for (from, block) in scene.boxes.iter().enumerate() {
        for row in 0..block.rows.len() {
            let target = block.target(frame, row);
            let found: Vec<_> = seen.iter().filter(|(p, _)| p.from == from && p.row == row).collect();
            assert_eq!(found.len(), usize::from(target.is_some()), "{} {}", block.name, block.rows[row]);
            let (Some(target), Some((pointer, corners))) = (target, found.first()) else { continue };
            assert_eq!(pointer.to, target);
            let (start, end) = (corners[0], *corners.last().expect("not empty"));
            let (a, b) = (layout.boxes[from], layout.boxes[target]);
            assert!((start.1 - (a.y + row_height(row))).abs() <= 4, "it starts at another row");
            assert!(a.x <= start.0 && start.0 <= a.x + a.w);
            let on_side = (end.0 == b.x || end.0 == b.x + b.w) && b.y <= end.1 && end.1 <= b.y + b.h;
            let on_top = end.1 == b.y && b.x <= end.0 && end.0 <= b.x + b.w;
            assert!(on_side || on_top, "it does not end at its box: {corners:?} {b:?}");
        }
    }
    for (i, (pointer, corners)) in seen.iter().enumerate() {
        for piece in pieces(corners) {
            for (name, rect) in rects {
                let own = *name == scene.boxes[pointer.from].name || *name == scene.boxes[pointer.to].name;
                let inside = Rect { x: rect.x + 1, y: rect.y + 1, w: rect.w - 2, h: rect.h - 2 };
                assert!(own || !overlap(piece, inside), "a way crosses {name}: {corners:?} {rect:?}");
            }
        }
        for (other, others) in &seen[i + 1..] {
            if other.to == pointer.to {
                continue;
            }
            for a in pieces(corners) {
                for b in pieces(others) {
                    let both = |f: fn(&Rect) -> bool| f(&a) && f(&b);
                    let parallel = both(|r| r.h == 1 && r.w > 1) || both(|r| r.w == 1 && r.h > 1);
                    assert!(!(parallel && overlap(a, b)), "two ways are one: {corners:?} {others:?}");
                }
            }
        }
    }
}

/// Every tag is closed, in order, attributes are quoted, and no `<` or `&` stands alone.
pub(super) fn well_formed(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['<', '&']) {
        let entity = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
        if rest[at..].starts_with('&') {
            assert!(entity.iter().any(|e| rest[at..].starts_with(e)), "{}", &rest[at..]);
            rest = &rest[at + 1..];
            continue;
        }
        let end = at + rest[at..].find('>').expect("a tag ends");
        let tag = &rest[at + 1..end];
        assert!(!tag.contains('<'), "{tag}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap_or_default());
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn nothing_lies_on_anything_else() {
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        check(&[&random(&mut rng)]);
    }
}

#[test]
fn boxes_stay_where_they_are_through_a_run() {
    for seed in 0..150 {
        let mut rng = Rng::new(1000 + seed);
        let mut states = vec![random(&mut rng)];
        for _ in 0..rng.below(8) {
            let next = change(&mut rng, states.last().expect("not empty"));
            states.push(next);
        }
        check(&states.iter().collect::<Vec<_>>());
    }
}

fn roles(kind: &str, state: &State, rows: &[&str]) -> Vec<Role> {
    let roles = Roles::new(&Scene::new(&[state], &Culprit::default()));
    rows.iter().map(|row| roles.of(kind, row)).collect()
}

#[test]
fn links_are_known_by_what_they_do() {
    // A doubly linked list whose fields have no names that tell.
    let n = 4;
    let after = |i: usize| if i + 1 < n { to(i + 1) } else { Content::Null };
    let before = |i: usize| if i > 0 { to(i - 1) } else { Content::Null };
    let cells = (0..n).map(|i| cell(i, "d", &[("x", after(i)), ("y", before(i))])).collect();
    assert_eq!(
        roles("d", &state(Vec::new(), cells), &["x", "y", "key"]),
        [Role::Next, Role::Back, Role::Aside]
    );
    // The first declared is the way back, by its name.
    let cells = (0..n).map(|i| cell(i, "d", &[("prev", before(i)), ("next", after(i))])).collect();
    assert_eq!(roles("d", &state(Vec::new(), cells), &["prev", "next"]), [Role::Back, Role::Next]);
    // A tree with a way up, without names.
    let child = |k: usize| if k < 7 { to(k) } else { Content::Null };
    let up = |i: usize| if i > 0 { to((i - 1) / 2) } else { Content::Null };
    let cells = (0..7)
        .map(|i| cell(i, "t", &[("u", up(i)), ("a", child(2 * i + 1)), ("b", child(2 * i + 2))]))
        .collect();
    let tree = state(Vec::new(), cells);
    assert_eq!(roles("t", &tree, &["u", "a", "b"]), [Role::Back, Role::Child(0), Role::Child(1)]);
    // A list whose cells also lead to its head is a list.
    let cells =
        (0..5).map(|i| cell(i, "l", &[("o", to(0)), ("m", if i < 4 { to(i + 1) } else { Content::Null })]));
    let list = state(Vec::new(), cells.collect());
    let found = roles("l", &list, &["o", "m"]);
    assert!(!found.contains(&Role::Child(0)), "{found:?}");
}

#[test]
fn shapes_are_recognised_in_the_placement() {
    let positions = |state: &State| {
        let film = Film::new(&[state], &Culprit::default());
        film.layout.boxes.iter().map(|r| (r.x, r.y)).collect::<Vec<_>>()
    };
    let list: Vec<Cell> =
        (0..4).map(|i| cell(i, "n", &[("next", if i < 3 { to(i + 1) } else { Content::Null })])).collect();
    // The variable leads into the middle: the list is one row all the same.
    let at = positions(&state(vec![variable("m", to(2))], list));
    assert!(at.windows(2).all(|p| p[0].0 < p[1].0 && p[0].1 == p[1].1), "{at:?}");
    let ring: Vec<Cell> = (0..6).map(|i| cell(i, "n", &[("next", to((i + 1) % 6))])).collect();
    let at = positions(&state(vec![variable("h", to(0))], ring));
    assert!(at[0].1 == at[2].1 && at[3].1 == at[5].1 && at[0].1 < at[3].1 && at[5].0 == at[0].0, "{at:?}");
    let child = |k: usize| if k < 7 { to(k) } else { Content::Null };
    let tree: Vec<Cell> =
        (0..7).map(|i| cell(i, "t", &[("left", child(2 * i + 1)), ("right", child(2 * i + 2))])).collect();
    let at = positions(&state(vec![variable("r", to(0))], tree));
    assert!(at[1].0 < at[0].0 && at[0].0 < at[2].0 && at[1].1 == at[2].1 && at[0].1 < at[1].1, "{at:?}");
}

#[test]
fn what_nobody_reaches_is_lost() {
    let cells = vec![cell(0, "n", &[("next", Content::Null)]), cell(1, "n", &[("next", to(0))])];
    let scene = Scene::new(&[&state(vec![variable("x", to(0))], cells)], &Culprit::default());
    let lost: Vec<bool> = scene.boxes.iter().filter_map(|b| b.looks[0].as_ref()).map(|l| l.is_lost).collect();
    assert_eq!(lost, [false, true]);
}

#[test]
fn the_culprit_is_the_path_of_the_message() {
    let cells = vec![cell(0, "n", &[("next", to(1))]), cell(1, "n", &[("next", Content::Null)])];
    let heap = state(vec![variable("x", to(0))], cells);
    let found = culprit::find("null dereference through `x->next->next`", "", &heap);
    assert_eq!(found.field, Some(("c1".to_owned(), "next".to_owned())));
    assert_eq!((found.variable, found.cell), (None, None));
    let found = culprit::find("use after free through `x`", "", &heap);
    assert_eq!((found.variable.as_deref(), found.cell.as_deref()), (Some("x"), Some("c0")));
    assert_eq!(culprit::find("postcondition does not hold", "", &heap), Culprit::default());
    assert_eq!(culprit::find("a cell of `struct n` is leaked", "", &heap), Culprit::default());
    // By the failing expression.
    let found = culprit::find("null dereference", "sum += x->next->next->key;", &heap);
    assert_eq!(found.field, Some(("c1".to_owned(), "next".to_owned())));
    assert_eq!(culprit::find("null dereference", "y = x->next;", &heap), Culprit::default());
}

#[test]
fn a_way_back_that_does_not_lead_back_is_marked() {
    let cells = vec![
        cell(0, "d", &[("prev", Content::Null), ("next", to(2))]),
        cell(1, "d", &[("prev", to(0)), ("next", to(2))]),
        cell(2, "d", &[("prev", to(1)), ("next", to(3))]),
        cell(3, "d", &[("prev", to(2)), ("next", Content::Null)]),
    ];
    let heap = state(vec![variable("x", to(0)), variable("y", to(1))], cells);
    let marked = |structure: bool| -> Vec<String> {
        let film = Film::new(&[&heap], &Culprit { structure, ..Culprit::default() });
        let looks = film.scene.boxes.iter().map(|b| (b, b.looks[0].as_ref().expect("it is there")));
        let wrong = |(b, l): (&scene::Block, &scene::Look)| {
            l.slots.iter().any(|s| s.is_culprit).then(|| b.name.clone())
        };
        looks.filter_map(wrong).collect()
    };
    assert_eq!(marked(true), ["c2"]);
    assert_eq!(marked(false), [""; 0]);
}

#[test]
fn a_large_heap_is_cut_and_says_so() {
    let cells = (0..500).map(|i| cell(i, "n", &[("next", to((i + 1) % 500))])).collect();
    let heap = state(vec![variable("x", to(0)), variable("far", to(400))], cells);
    let film = Film::new(&[&heap], &Culprit::default());
    assert!(film.scene.boxes.len() < 200);
    assert!(matches!(film.scene.loose[0][0].items[0], Held::Beyond));
    assert!(film.svg(0, "").contains("more cells are not drawn"));
    assert!(film.dot(0, "").contains("more cells are not drawn"));
}

#[test]
fn hostile_names_stay_text() {
    let hostile = "</text><script>alert(1)</script>]]>\"'&\0\u{202e}";
    let mut odd = cell(0, hostile, &[(hostile, to(0))]);
    odd.name = hostile.to_owned();
    odd.fields.push(variable(hostile, Content::Cell(hostile.to_owned())));
    let heap = state(
        vec![variable(hostile, Content::Cell(hostile.to_owned())), variable("n", Content::Null)],
        vec![odd],
    );
    for text in [heap.svg(), heap.dot()] {
        assert!(!text.contains("<script") && !text.contains('\0') && !text.contains('\u{202e}'), "{text}");
    }
    well_formed(&heap.svg());
}
