//! Ways of pointers between boxes. No way crosses a box, and no two ways of one frame lie on each other.
//!
//! Between the columns of the grid there are vertical channels, above each row a horizontal one. A pointer to the
//! neighbour in the same row goes straight. One within a column goes through the channel beside it. Any other leaves
//! its row into the channel beside its box, goes up or down to the channel above the target's row, along it, and down
//! to the target. In a channel each pointer has a lane; pointers that never meet, in place or in time, share lanes.

use super::links::Roles;
use super::place::{COLUMNS, Placement, Position};
use super::scene::{Frames, Held, Scene};

/// A pointer of some frames.
#[derive(Clone, Debug)]
pub struct Pointer {
    /// The box it starts from.
    pub from: usize,
    /// The row of it.
    pub row: usize,
    /// The box it leads to.
    pub to: usize,
    /// When it is there.
    pub frames: Frames,
    /// When it was there in the frame before and its row holds something else now.
    pub past: Frames,
    /// Which way it takes.
    pub way: Way,
}

/// The way of a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To the neighbour.
    Straight {
        /// To the right.
        right: bool,
    },
    /// Through one vertical channel.
    Beside {
        /// It leaves to the right.
        exit_right: bool,
        /// It comes in from the right.
        enter_right: bool,
        /// The channel, counted from the left of the picture.
        channel: usize,
        /// Its lane.
        lane: usize,
    },
    /// Through a vertical channel and the one above the target's row.
    Above {
        /// It leaves to the right.
        exit_right: bool,
        /// The vertical channel.
        channel: usize,
        /// The lane in it.
        lane: usize,
        /// The lane in the channel above the target's row.
        upper: usize,
    },
}

impl Way {
    /// Whether the pointer leaves its box to the right.
    #[must_use]
    pub fn exit_right(self) -> bool {
        match self {
            Way::Straight { right } => right,
            Way::Beside { exit_right, .. } | Way::Above { exit_right, .. } => exit_right,
        }
    }
}

/// All ways, and how many lanes each channel has.
#[derive(Clone, Debug, Default)]
pub struct Routes {
    /// All pointers of all frames.
    pub pointers: Vec<Pointer>,
    /// By vertical channel; channel c is to the left of column c.
    pub vertical: Vec<usize>,
    /// By row, for the channel above it.
    pub horizontal: Vec<usize>,
}

/// What occupies a lane: a stretch of the channel for some frames.
#[derive(Clone, Copy)]
struct Stretch {
    from: usize,
    to: usize,
    frames: Frames,
    lane: usize,
}

#[derive(Default)]
struct Channel(Vec<Stretch>);

impl Channel {
    fn take(&mut self, a: usize, b: usize, frames: Frames) -> usize {
        let (from, to) = (a.min(b), a.max(b));
        let mut is_taken = Vec::new();
        for s in &self.0 {
            if s.from <= to && from <= s.to && s.frames & frames != 0 {
                is_taken.resize(is_taken.len().max(s.lane + 1), false);
                is_taken[s.lane] = true;
            }
        }
        let lane = is_taken.iter().position(|taken| !taken).unwrap_or(is_taken.len());
        self.0.push(Stretch { from, to, frames, lane });
        lane
    }

    fn n_lanes(&self) -> usize {
        self.0.iter().map(|s| s.lane + 1).max().unwrap_or(0)
    }
}

/// Finds a way for each pointer. `fits` says whether a row of the first box is beside the second one if they are
/// neighbours.
#[must_use]
pub fn routes(
    scene: &Scene,
    roles: &Roles,
    placement: &Placement,
    fits: impl Fn(usize, usize, usize) -> bool,
) -> Routes {
    let rows = placement.positions.iter().map(|p| p.row + 1).max().unwrap_or(0);
    let columns = placement.positions.iter().map(|p| p.column + 1).max().unwrap_or(0);
    let mut vertical: Vec<Channel> = (0..=columns).map(|_| Channel::default()).collect();
    let mut horizontal: Vec<Channel> = (0..rows).map(|_| Channel::default()).collect();
    let mut pointers = collect(scene);
    // Along structures first, so that their lanes are the inner ones.
    let rank = |p: &Pointer| {
        let block = &scene.boxes[p.from];
        let role = roles.of(&block.kind, &block.rows[p.row]);
        let (from, to) = (placement.positions[p.from], placement.positions[p.to]);
        let far = from.row.abs_diff(to.row) + from.column.abs_diff(to.column);
        (matches!(role, super::links::Role::Aside), far, p.from, p.row, p.to)
    };
    pointers.sort_by_key(rank);
    for pointer in &mut pointers {
        let (from, to) = (placement.positions[pointer.from], placement.positions[pointer.to]);
        let is_ring = placement.rings[pointer.from] && placement.rings[pointer.to];
        let busy = pointer.frames | pointer.past;
        pointer.way = match choose(from, to, is_ring, fits(pointer.from, pointer.row, pointer.to)) {
            Way::Beside { exit_right, enter_right, channel, .. } => {
                let lane = vertical[channel].take(2 * from.row + 1, 2 * to.row + 1, busy);
                Way::Beside { exit_right, enter_right, channel, lane }
            }
            Way::Above { exit_right, channel, .. } => {
                let lane = vertical[channel].take(2 * from.row + 1, 2 * to.row, busy);
                let upper = horizontal[to.row].take(2 * channel, 2 * to.column + 1, busy);
                Way::Above { exit_right, channel, lane, upper }
            }
            straight => straight,
        };
    }
    Routes {
        pointers,
        vertical: vertical.iter().map(Channel::n_lanes).collect(),
        horizontal: horizontal.iter().map(Channel::n_lanes).collect(),
    }
}

/// The way by the positions of the boxes.
fn choose(from: Position, to: Position, is_ring: bool, fits: bool) -> Way {
    let beside = |exit_right, enter_right, channel| Way::Beside { exit_right, enter_right, channel, lane: 0 };
    if from == to {
        return beside(true, true, from.column + 1);
    }
    if from.row == to.row && from.column + 1 == to.column {
        return if fits { Way::Straight { right: true } } else { beside(true, false, to.column) };
    }
    if from.row == to.row && to.column + 1 == from.column {
        return if fits { Way::Straight { right: false } } else { beside(false, true, from.column) };
    }
    if from.column == to.column {
        // A ring goes down on its right side and up on its left; so does a list that goes down, on its left.
        let right = is_ring && from.column > 0;
        return beside(right, right, from.column + usize::from(right));
    }
    let is_wrapped = to.row == from.row + 1 && to.column == 0 && from.column + 1 == COLUMNS;
    let exit_right = to.column > from.column || is_wrapped;
    Way::Above { exit_right, channel: from.column + usize::from(exit_right), lane: 0, upper: 0 }
}

/// All pointers between boxes, each once.
fn collect(scene: &Scene) -> Vec<Pointer> {
    let mut out: Vec<Pointer> = Vec::new();
    for (from, block) in scene.boxes.iter().enumerate() {
        for row in 0..block.rows.len() {
            let begin = out.len();
            let mut before = None;
            for (frame, look) in block.looks.iter().enumerate() {
                let now = look.as_ref().and_then(|look| match look.slots.get(row).map(|s| &s.value) {
                    Some(Held::Box(to, _)) => Some(*to),
                    _ => None,
                });
                let bit = 1 << frame;
                let mut at = |to: usize| {
                    let known = out[begin..].iter().position(|p| p.to == to);
                    known.map_or_else(
                        || {
                            let way = Way::Straight { right: true };
                            out.push(Pointer { from, row, to, frames: 0, past: 0, way });
                            out.len() - 1
                        },
                        |i| begin + i,
                    )
                };
                if let Some(target) = now {
                    let i = at(target);
                    out[i].frames |= bit;
                }
                if let Some(target) = before.filter(|_| before != now && look.is_some()) {
                    let i = out[begin..].iter().position(|p| p.to == target);
                    let visible = scene.boxes[target].looks[frame].is_some();
                    if let Some(i) = i.filter(|_| visible) {
                        out[begin + i].past |= bit;
                    }
                }
                before = now;
            }
        }
    }
    out
}
