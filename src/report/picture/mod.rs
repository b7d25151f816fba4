//! Heap states as pictures, in SVG.
//!
//! A [`Film`] is the states of one run. `scene` says what is to be seen, `links` what the pointers of a struct mean
//! (found in the data), `place` gives each box a place in a grid, `route` finds ways for the pointers, `layout` turns all
//! of that into pixels, `svg` writes it down. Boxes stay where they are through a run, so that what moves is what
//! changed. `dot` writes a state for Graphviz, `model` shows a model of formulas as a state.
//!
//! No crate for graph layout is used. Those there are place any graph and know nothing of lists, rings and trees; they
//! would neither put a list into a row nor keep boxes in place from state to state, and the grid with its
//! channels is a few hundred lines. SVG is text; the few elements that are needed are written directly.

pub mod culprit;
pub mod describe;
mod dot;
pub mod escape;
mod layout;
mod links;
#[cfg(feature = "cli")]
pub mod model;
mod place;
mod route;
pub mod scene;
mod size;
mod svg;
#[cfg(test)]
mod tests;

use super::findings::State;
use layout::Layout;
use links::Roles;
use scene::{Culprit, Scene};

/// One state by itself.
pub(super) fn of_state(state: &State) -> Film {
    Film::new(&[state], &Culprit::default())
}

/// The states of one run, laid out.
#[derive(Clone, Debug)]
pub struct Film {
    scene: Scene,
    roles: Roles,
    layout: Layout,
}

impl Film {
    /// Lays out the states of a run, the first [`scene::MOST_FRAMES`]. What fails in the last one is about `culprit`.
    #[must_use]
    pub fn new(states: &[&State], culprit: &Culprit) -> Film {
        let mut scene = Scene::new(states, culprit);
        if culprit.structure {
            culprit::mark_structure(&mut scene);
        }
        Film::of(scene)
    }

    fn of(scene: Scene) -> Film {
        let roles = Roles::new(&scene);
        let layout = Layout::new(&scene, &roles);
        Film { scene, roles, layout }
    }

    /// One state as a document of its own; empty if there is no such state.
    #[must_use]
    pub fn svg(&self, frame: usize, described: &str) -> String {
        if frame >= self.scene.n_frames() { String::new() } else { svg::one(self, frame, described) }
    }

    /// One state for Graphviz; empty if there is no such state.
    #[must_use]
    pub fn dot(&self, frame: usize, title: &str) -> String {
        if frame >= self.scene.n_frames() { String::new() } else { dot::frame(self, frame, title) }
    }

    /// All states as one element of a page, which sees `shown` at first.
    #[cfg(feature = "cli")]
    #[must_use]
    pub fn element(&self, shown: usize, attributes: &str) -> String {
        svg::all(self, shown, attributes)
    }
}
