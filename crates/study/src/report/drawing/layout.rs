//! The layout of a drawing: the places and sizes of nodes, and levels that are folded.

use super::*;

/// The places of all nodes. Leaves have equal distances, parents are above the middle of their children,
/// and the distance is as small as possible without nodes of a level touching.
pub(super) struct Layout {
    /// The middle of every node, from the left edge of the tree.
    pub(super) x: Vec<f64>,
    /// Width and height of every node.
    pub(super) sizes: Vec<(f64, f64)>,
    /// The upper edge of every level.
    pub(super) tops: Vec<f64>,
    /// Levels that are folded away.
    pub(super) hidden: Vec<bool>,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Layout {
    pub(super) fn of(picture: &TreePicture) -> Layout {
        let nodes = &picture.nodes;
        let common = picture.common_size();
        let sizes: Vec<_> = (0..nodes.len()).map(|at| picture.size(at, common)).collect();
        let hidden = folded_levels(picture);
        // In units of the distance between two leaves.
        let mut x = vec![0.0; nodes.len()];
        for at in (0..nodes.len()).rev() {
            let children = &nodes[at].children;
            x[at] = match nodes[at].leaf {
                Some((_, place)) => place as f64,
                None => f64::midpoint(x[children.start], x[children.end - 1]),
            };
        }
        let half = |at: usize| {
            let depth = nodes[at].depth;
            let own = sizes[at].0.max(picture.badge(at).unwrap_or(0.0));
            let fold = hidden.get(depth + 1).is_some_and(|&h| h);
            if fold { own.max(FOLD_WIDTH) / 2.0 } else { own / 2.0 }
        };
        // Small trees may be spaced widely: the header is wide anyway.
        let leaves = nodes.iter().filter(|n| n.leaf.is_some()).count();
        let mut unit = (1_500.0 / leaves as f64).min(46.0);
        for (level, _) in picture.levels.iter().zip(&hidden).filter(|&(_, &hidden)| !hidden) {
            for (left, right) in level.clone().zip(level.clone().skip(1)) {
                let both = nodes[left].leaf.is_some() && nodes[right].leaf.is_some();
                let apart = half(left) + half(right) + if both { GAP } else { 2.0 * GAP };
                unit = unit.max(apart / (x[right] - x[left]));
            }
        }
        let everywhere = 0..nodes.len();
        let left = everywhere.clone().map(|at| x[at] * unit - half(at)).fold(0.0, f64::min);
        let right = everywhere.map(|at| x[at] * unit + half(at)).fold(0.0, f64::max);
        for x in &mut x {
            *x = *x * unit - left;
        }
        let (tops, height) = tops(picture, &x, &sizes, &hidden);
        Layout { x, sizes, tops, hidden, width: right - left, height }
    }

    pub(super) fn is_visible(&self, depth: usize) -> bool {
        !self.hidden[depth]
    }

    /// The middle of a node's upper edge.
    pub(super) fn place(&self, origin: Point, at: usize, depth: usize) -> Point {
        (origin.0 + self.x[at], origin.1 + self.tops[depth])
    }
}

/// The upper edge of every level, and the height of the tree.
pub(super) fn tops(
    picture: &TreePicture,
    x: &[f64],
    sizes: &[(f64, f64)],
    hidden: &[bool],
) -> (Vec<f64>, f64) {
    let badge = |at: usize| picture.nodes[at].visit.map_or(0.0, |_| BADGE_GAP + BADGE_HEIGHT);
    let visible = hidden.iter().filter(|&&h| !h).count();
    let least = if visible > 40 { 18.0 } else { 30.0 };
    let mut tops = Vec::with_capacity(picture.levels.len());
    let (mut y, mut bottom) = (0.0, 0.0_f64);
    for (depth, level) in picture.levels.iter().enumerate() {
        tops.push(y);
        if hidden[depth] {
            continue;
        }
        let height = level.clone().map(|at| sizes[at].1 + badge(at)).fold(0.0, f64::max);
        bottom = y + height;
        // Long edges need height, or they would be flat.
        let reach =
            level.clone().flat_map(|at| picture.nodes[at].children.clone().map(move |c| (at, c)));
        let reach = reach.map(|(at, c)| (x[at] - x[c]).abs()).fold(0.0, f64::max);
        let fold = hidden.get(depth + 1).is_some_and(|&h| h);
        y = bottom + if fold { 64.0 } else { (0.16 * reach).clamp(least, 120.0) };
    }
    (tops, bottom)
}

/// Levels to leave out: inside long runs of levels where every node has one child, so that nothing
/// changes from one to the next.
pub(super) fn folded_levels(picture: &TreePicture) -> Vec<bool> {
    let mut hidden = vec![false; picture.levels.len()];
    let is_plain = |level: &Range<usize>| {
        let mut nodes = picture.nodes[level.clone()].iter();
        nodes.all(|n| n.children.len() == 1 && n.visit.is_none())
    };
    let mut run = 0;
    for (depth, level) in picture.levels.iter().enumerate() {
        if is_plain(level) {
            run += 1;
            continue;
        }
        if run >= FOLD_FROM {
            hidden[depth - run + FOLD_ENDS..depth - FOLD_ENDS].fill(true);
        }
        run = 0;
    }
    hidden
}
