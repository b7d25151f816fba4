//! A model of formulas as a picture: elements are cells, unary functions their fields, constants the labels.

use super::Film;
use super::scene::{Block, Held, Label, Look, Loose, Scene, Slot};
use crate::frontend::smtlib::dialogue::graph::{Element, Graph, Node};
use crate::report::findings::Status;

/// Elements that are drawn; the others are counted.
const MOST: usize = 120;

/// The picture of a model, as a document.
#[must_use]
pub fn svg(graph: &Graph) -> String {
    Film::of(scene(graph)).svg(0, "a model")
}

fn scene(graph: &Graph) -> Scene {
    let n = graph.elements.len().min(MOST);
    let held = |node: &Node| match node {
        Node::Text(text) => Held::Text(text.clone()),
        Node::Nil => Held::Null,
        Node::Element(at) if *at < n => Held::Box(*at, None),
        Node::Element(_) => Held::Beyond,
    };
    let block = |element: &Element| {
        let slot = |node: &Node| Slot { value: held(node), is_changed: false, is_culprit: false };
        let look = Look {
            status: Status::Allocated,
            is_lost: false,
            is_changed: false,
            is_culprit: false,
            slots: element.fields.iter().map(|(_, node)| slot(node)).collect(),
            labels: Vec::new(),
        };
        Block {
            name: element.name.clone(),
            kind: element.sort.clone(),
            is_array: false,
            rows: element.fields.iter().map(|(name, _)| name.clone()).collect(),
            looks: vec![Some(look)],
        }
    };
    let mut boxes: Vec<Block> = graph.elements.iter().take(n).map(block).collect();
    let (mut loose, mut roots) = (Vec::new(), Vec::new());
    for (name, node) in &graph.constants {
        let value = held(node);
        let (is_changed, is_culprit) = (false, false);
        if let Held::Box(at, _) = value
            && let Some(look) = &mut boxes[at].looks[0]
        {
            look.labels.push(Label { text: name.clone(), is_changed, is_culprit });
            roots.push(at);
        } else {
            let (name, items) = (name.clone(), vec![value]);
            loose.push(Loose { name, items, is_array: false, is_changed, is_culprit });
        }
    }
    Scene { boxes, loose: vec![loose], roots, beyond: graph.elements.len() - n }
}
