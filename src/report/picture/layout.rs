//! From the grid to pixels: columns as wide as their widest box, rows as high as their highest, channels as wide as
//! their lanes need, and on top the variables that lead to no box.

use super::links::Roles;
use super::place::{Placement, place};
use super::route::{Pointer, Routes, Way, routes};
use super::scene::{Look, Scene};
use super::size::{self, GAP, INDENT, LABEL, ROW, STEM, Size, TITLE};

/// Around everything.
const MARGIN: i32 = 10;
/// Between two lanes.
const LANE: i32 = 8;
/// The first lane of a vertical channel.
const FIRST: i32 = 12;
/// Width of a vertical channel without lanes.
const CHANNEL: i32 = 36;
/// Height of a horizontal channel without lanes.
const ABOVE: i32 = 10;
/// Where pointers from above come in, from the left side of the box.
const PORT: i32 = 8;
/// Pointers to the right and to the left at the height of one row keep this distance from its middle.
const APART: i32 = 3;
/// Labels go on one line up to this width.
const LINE: i32 = 150;
/// Variables on top go on one line at least up to this width.
const STRIP: i32 = 560;

/// A rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rect {
    /// Left.
    pub x: i32,
    /// Top.
    pub y: i32,
    /// Width.
    pub w: i32,
    /// Height.
    pub h: i32,
}

impl Rect {
    fn new(x: i32, y: i32, size: Size) -> Rect {
        Rect { x, y, w: size.w, h: size.h }
    }
}

/// A point.
pub type Point = (i32, i32);

/// Where everything of a scene is, in all frames.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The whole picture.
    pub size: Size,
    /// By box.
    pub boxes: Vec<Rect>,
    /// By frame, box and label.
    pub labels: Vec<Vec<Vec<Rect>>>,
    /// By frame and variable.
    pub loose: Vec<Vec<Rect>>,
    /// Pointers with the corners of their ways.
    pub pointers: Vec<(Pointer, Vec<Point>)>,
}

impl Layout {
    /// Lays a scene out.
    #[must_use]
    pub fn new(scene: &Scene, roles: &Roles) -> Layout {
        let with_kind = size::shows_kinds(scene);
        let sizes: Vec<Size> = scene.boxes.iter().map(|b| size::block(b, with_kind)).collect();
        let placement = place(scene, roles);
        let fits = |_: usize, row: usize, to: usize| row_height(row) + APART < sizes[to].h;
        let routes = routes(scene, roles, &placement, fits);
        let blocks: Vec<Vec<Labels>> = (0..scene.n_frames())
            .map(|frame| {
                let look =
                    |(i, b): (usize, &super::scene::Block)| Labels::new(b.looks[frame].as_ref(), sizes[i]);
                scene.boxes.iter().enumerate().map(look).collect()
            })
            .collect();
        let grid = Grid::new(&placement, &routes, &sizes, &blocks);
        let (loose, strip) = strip(scene, grid.width.max(STRIP));
        let at = |i: usize| {
            let position = placement.positions[i];
            Rect::new(grid.columns[position.column], strip + grid.rows[position.row], sizes[i])
        };
        let boxes: Vec<Rect> = (0..sizes.len()).map(at).collect();
        let labels = blocks
            .iter()
            .map(|frame| frame.iter().zip(&boxes).map(|(labels, b)| labels.above(*b)).collect::<Vec<_>>());
        let pointers = routes.pointers.iter().map(|pointer| {
            let row = placement.positions[pointer.to].row;
            (pointer.clone(), grid.way(pointer, &boxes, strip + grid.above[row]))
        });
        let widest = loose.iter().flatten().map(|r| r.x + r.w + MARGIN).max().unwrap_or(0);
        let size = Size { w: grid.width.max(widest).max(120), h: (strip + grid.height).max(40) };
        Layout { size, labels: labels.collect(), pointers: pointers.collect(), boxes, loose }
    }
}

/// The middle of a row, from the top of its box.
#[must_use]
pub fn row_height(row: usize) -> i32 {
    TITLE + ROW * row as i32 + ROW / 2
}

/// The labels of a box in one frame, from the left end of their lowest line.
struct Labels {
    /// Offsets to the right, and lines.
    places: Vec<(i32, usize, Size)>,
    width: i32,
    lines: usize,
}

impl Labels {
    fn new(look: Option<&Look>, of: Size) -> Labels {
        let mut out = Labels { places: Vec::new(), width: 0, lines: 0 };
        let line = (of.w - INDENT).max(LINE);
        let mut x = 0;
        for label in look.into_iter().flat_map(|look| &look.labels) {
            let size = size::label(label);
            if out.lines == 0 || x + size.w > line {
                x = 0;
                out.lines += 1;
            }
            out.places.push((x, out.lines - 1, size));
            x += size.w + GAP;
            out.width = out.width.max(x);
        }
        out
    }

    fn height(&self) -> i32 {
        if self.lines == 0 { 0 } else { self.lines as i32 * (LABEL + GAP) + STEM }
    }

    fn above(&self, of: Rect) -> Vec<Rect> {
        let top = of.y - self.height();
        let at = |(x, line, size): &(i32, usize, Size)| {
            Rect::new(of.x + INDENT + x, top + *line as i32 * (LABEL + GAP), *size)
        };
        self.places.iter().map(at).collect()
    }
}

/// Where columns, rows and channels are; rows count from the bottom of the variables on top.
struct Grid {
    columns: Vec<i32>,
    /// The left side of each vertical channel.
    channels: Vec<i32>,
    rows: Vec<i32>,
    /// The upper side of each horizontal channel.
    above: Vec<i32>,
    width: i32,
    height: i32,
}

impl Grid {
    fn new(placement: &Placement, routes: &Routes, sizes: &[Size], labels: &[Vec<Labels>]) -> Grid {
        let n_columns = routes.vertical.len().saturating_sub(1);
        let (mut widths, mut heights) = (vec![0; n_columns], vec![(0, 0); routes.horizontal.len()]);
        for (i, at) in placement.positions.iter().enumerate() {
            let of = |f: fn(&Labels) -> i32| labels.iter().map(|frame| f(&frame[i])).max().unwrap_or(0);
            let label_width = of(|l| l.width);
            let width = &mut widths[at.column];
            *width = sizes[i].w.max(INDENT + label_width).max(*width);
            let (upper, lower) = &mut heights[at.row];
            *upper = of(Labels::height).max(*upper);
            *lower = sizes[i].h.max(*lower);
        }
        let mut x = MARGIN;
        let (mut columns, mut channels) = (Vec::new(), Vec::new());
        for (c, lanes) in routes.vertical.iter().enumerate() {
            channels.push(x);
            let lanes = *lanes as i32;
            let is_outer = c == 0 || c == n_columns;
            x += match (is_outer, lanes) {
                (true, 0) => 0,
                (true, _) => FIRST + lanes * LANE + FIRST,
                (false, _) => CHANNEL + lanes * LANE,
            };
            if c < n_columns {
                columns.push(x);
                x += widths[c];
            }
        }
        let mut y = MARGIN;
        let (mut rows, mut above) = (Vec::new(), Vec::new());
        for (lanes, (upper, lower)) in routes.horizontal.iter().zip(heights) {
            above.push(y);
            y += ABOVE + *lanes as i32 * LANE + upper;
            rows.push(y);
            y += lower;
        }
        Grid { columns, channels, rows, above, width: x + MARGIN, height: y + MARGIN }
    }

    /// The corners of a pointer's way; `above` is the upper side of the channel above its target.
    fn way(&self, pointer: &Pointer, boxes: &[Rect], above: i32) -> Vec<Point> {
        let (from, to) = (boxes[pointer.from], boxes[pointer.to]);
        let right = pointer.way.exit_right();
        let y = from.y + row_height(pointer.row) + if right { -APART } else { APART };
        let start = (if right { from.x + from.w - PORT } else { from.x + PORT }, y);
        let entry = to.y + TITLE / 2;
        match pointer.way {
            Way::Straight { right } => vec![start, (if right { to.x } else { to.x + to.w }, y)],
            Way::Beside { enter_right, channel, lane, .. } => {
                let x = self.channels[channel] + FIRST + lane as i32 * LANE;
                // Coming in and leaving at one height would be one line.
                let entry = entry + if enter_right { -APART } else { APART };
                vec![start, (x, y), (x, entry), (if enter_right { to.x + to.w } else { to.x }, entry)]
            }
            Way::Above { channel, lane, upper, .. } => {
                let x = self.channels[channel] + FIRST + lane as i32 * LANE;
                let lane = above + ABOVE / 2 + upper as i32 * LANE;
                vec![start, (x, y), (x, lane), (to.x + PORT, lane), (to.x + PORT, to.y)]
            }
        }
    }
}

/// The variables on top, by frame, and the height of all.
fn strip(scene: &Scene, width: i32) -> (Vec<Vec<Rect>>, i32) {
    let mut height = 0;
    let mut out = Vec::new();
    for loose in &scene.loose {
        let (mut x, mut y, mut line) = (MARGIN, MARGIN, 0);
        let mut places = Vec::new();
        for variable in loose {
            let size = size::loose(variable);
            if x > MARGIN && x + size.w > width - MARGIN {
                x = MARGIN;
                y += line + 2 * GAP;
                line = 0;
            }
            places.push(Rect::new(x, y, size));
            x += size.w + 3 * GAP;
            line = line.max(size.h);
        }
        if !loose.is_empty() {
            height = height.max(y + line);
        }
        out.push(places);
    }
    (out, height)
}
