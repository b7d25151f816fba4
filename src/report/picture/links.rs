//! What the pointers of a struct mean, found in the data: the link of a list, the children of a tree, the way back.
//!
//! Two links of one struct that undo each other are the two directions of a list, or children and parent. The way back
//! is the one with the name of one (`prev`, `parent`), else the one by which several cells lead to one, else the
//! later one. What is left leads on: one link makes a list; several make a tree, unless one has the name of a list's
//! link or cells are entered from several sides, then the first of them is the list and the others lead aside.

use super::scene::Scene;
use crate::util::hash::Map;

/// How a row of a box is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The link of a list.
    Next,
    /// A child of a tree, the number counts them.
    Child(usize),
    /// Against the direction of a list or a tree.
    Back,
    /// Any other pointer.
    Aside,
}

/// The roles of the rows of each box.
#[derive(Clone, Debug)]
pub struct Roles {
    kinds: Map<String, Map<String, Role>>,
}

impl Roles {
    /// Looks at all frames.
    #[must_use]
    pub fn new(scene: &Scene) -> Roles {
        let mut kinds: Map<String, Map<String, Role>> = Map::default();
        for block in scene.boxes.iter().filter(|b| !b.is_array) {
            if !kinds.contains_key(&block.kind) {
                kinds.insert(block.kind.clone(), kind(scene, &block.kind));
            }
        }
        Roles { kinds }
    }

    /// The role of a row.
    #[must_use]
    pub fn of(&self, kind: &str, row: &str) -> Role {
        self.kinds.get(kind).and_then(|rows| rows.get(row)).copied().unwrap_or(Role::Aside)
    }
}

/// One way from a box to another of its kind, in some frame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    frame: usize,
    from: usize,
    to: usize,
}

fn kind(scene: &Scene, kind: &str) -> Map<String, Role> {
    let mut names: Vec<&String> = Vec::new();
    for block in scene.boxes.iter().filter(|b| b.kind == kind && !b.is_array) {
        for row in &block.rows {
            if !names.contains(&row) {
                names.push(row);
            }
        }
    }
    // Those that lead to a box of the same kind, with all their steps.
    let mut links: Vec<(&String, Vec<Step>)> = Vec::new();
    for name in names {
        let mut steps = Vec::new();
        for (from, block) in scene.boxes.iter().enumerate().filter(|(_, b)| b.kind == kind && !b.is_array) {
            let Some(row) = block.rows.iter().position(|r| r == name) else { continue };
            for frame in 0..scene.n_frames() {
                let target = block
                    .target(frame, row)
                    .filter(|to| scene.boxes.get(*to).is_some_and(|b| b.kind == kind && !b.is_array));
                steps.extend(target.map(|to| Step { frame, from, to }));
            }
        }
        if !steps.is_empty() {
            steps.sort_unstable();
            links.push((name, steps));
        }
    }
    let mut is_back = vec![false; links.len()];
    for i in 0..links.len() {
        for k in i + 1..links.len() {
            if undone(&links[i].1, &links[k].1) || undone(&links[k].1, &links[i].1) {
                let first = [i, k].map(|l| (names_back(links[l].0), joins(&links[l].1)));
                // The later one, unless the first is more of a way back.
                is_back[if first[0] > first[1] { i } else { k }] = true;
            }
        }
    }
    let mut roles: Map<String, Role> = Map::default();
    for ((name, _), _) in links.iter().zip(&is_back).filter(|(_, back)| **back) {
        roles.insert((*name).clone(), Role::Back);
    }
    let onward: Vec<&(&String, Vec<Step>)> =
        links.iter().zip(&is_back).filter(|(_, back)| !**back).map(|(link, _)| link).collect();
    let list = onward.iter().find(|(name, _)| names_next(name)).map(|(name, _)| *name);
    let children: Vec<&String> =
        onward.iter().map(|(name, _)| *name).filter(|name| names_child(name)).collect();
    let first = if children.len() >= 2 || (children.len() == 1 && list.is_none()) {
        for (i, name) in children.iter().enumerate() {
            roles.insert((*name).clone(), Role::Child(i));
        }
        None
    } else if let Some(list) = list {
        Some(list)
    } else if onward.len() >= 2 && is_forest(&onward) {
        for (i, (name, _)) in onward.iter().enumerate() {
            roles.insert((*name).clone(), Role::Child(i));
        }
        None
    } else {
        // The one with the most steps, the first of those.
        onward.iter().rev().max_by_key(|(_, steps)| steps.len()).map(|(name, _)| *name)
    };
    if let Some(name) = first {
        roles.insert(name.clone(), Role::Next);
    }
    roles
}

/// Whether at least half of the steps of one link are undone by the other; a step on the spot shows nothing.
fn undone(steps: &[Step], by: &[Step]) -> bool {
    let (mut n_undone, mut n) = (0, 0);
    for step in steps.iter().filter(|s| s.from != s.to) {
        n += 1;
        let back = Step { frame: step.frame, from: step.to, to: step.from };
        n_undone += usize::from(by.binary_search(&back).is_ok());
    }
    n > 0 && 2 * n_undone >= n
}

/// Whether several boxes lead to one in the same frame.
fn joins(steps: &[Step]) -> bool {
    let mut entered: Vec<(usize, usize)> = steps.iter().map(|s| (s.frame, s.to)).collect();
    entered.sort_unstable();
    entered.windows(2).any(|pair| pair[0] == pair[1])
}

/// Whether at most a quarter of the boxes that these links enter is entered more than once.
fn is_forest(links: &[&(&String, Vec<Step>)]) -> bool {
    let mut entered: Vec<(usize, usize)> =
        links.iter().flat_map(|(_, steps)| steps.iter().map(|s| (s.frame, s.to))).collect();
    entered.sort_unstable();
    let n = entered.len();
    entered.dedup();
    4 * (n - entered.len()) <= n
}

/// The words of a name: `lChild`, `left_child` and `links.next` have two.
fn words(name: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        let breaks = !c.is_alphabetic() || (c.is_uppercase() && was_lower);
        if breaks && out.last().is_some_and(|word| !word.is_empty()) {
            out.push(String::new());
        }
        if c.is_alphabetic() {
            let at = out.len() - 1;
            out[at].extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase();
    }
    out
}

fn has_word(name: &str, known: &[&str]) -> bool {
    words(name).iter().any(|word| known.contains(&word.as_str()))
}

fn names_back(name: &str) -> bool {
    const BACK: [&str; 15] = [
        "prev",
        "previous",
        "prv",
        "pred",
        "predecessor",
        "back",
        "backward",
        "bwd",
        "blink",
        "bk",
        "parent",
        "up",
        "father",
        "owner",
        "p",
    ];
    has_word(name, &BACK)
}

fn names_next(name: &str) -> bool {
    const NEXT: [&str; 14] = [
        "next",
        "nxt",
        "n",
        "succ",
        "successor",
        "forward",
        "fwd",
        "flink",
        "link",
        "rest",
        "cdr",
        "tl",
        "tail",
        "sibling",
    ];
    has_word(name, &NEXT)
}

fn names_child(name: &str) -> bool {
    const CHILD: [&str; 13] =
        ["left", "right", "l", "r", "lft", "rgt", "child", "children", "kid", "kids", "son", "lson", "rson"];
    has_word(name, &CHILD) || ["lchild", "rchild"].contains(&name.to_lowercase().as_str())
}
