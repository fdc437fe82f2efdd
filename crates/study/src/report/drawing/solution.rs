//! The solution trees that prove the root's value, and the types of their nodes.
//!
//! A max solution tree has all children of a MAX node and one of a MIN node, and proves an upper bound; a min
//! solution tree proves a lower bound likewise. Their union is the critical tree. Nodes in both are of Knuth and
//! Moore's type 1; elsewhere a node with one child in its tree is of type 2, one with all children of type 3
//! (de Bruin, Pijls and Plaat 1994, section 2).

use super::{DrawnNode, TreePicture, is_max};

impl TreePicture {
    /// Finds a max and a min solution tree of the root's value, if the visited leaves prove it. Where one child
    /// is enough, it is that of the principal variation, or else the first.
    pub(super) fn find_solution_trees(&mut self) {
        let value = self.nodes[0].proved;
        if !value.is_exact() {
            return;
        }
        (self.nodes[0].in_max_tree, self.nodes[0].in_min_tree) = (true, true);
        // Parents come before their children.
        for at in 0..self.nodes.len() {
            let DrawnNode { depth, visit, in_max_tree, in_min_tree, .. } = self.nodes[at];
            let children = match visit {
                Some(_) => 0..0,
                None => self.nodes[at].children.clone(),
            };
            let one = |proves: &dyn Fn(&DrawnNode) -> bool| {
                let mut enough = children.clone().filter(|&c| proves(&self.nodes[c]));
                let first = enough.next();
                first.into_iter().chain(enough).find(|&c| self.nodes[c].in_solution).or(first)
            };
            let below = one(&|child| child.proved.upper <= value.upper);
            let above = one(&|child| child.proved.lower >= value.lower);
            for child in children.clone() {
                self.nodes[child].in_max_tree =
                    in_max_tree && (is_max(depth) || below == Some(child));
                self.nodes[child].in_min_tree =
                    in_min_tree && (!is_max(depth) || above == Some(child));
            }
        }
    }
}

impl DrawnNode {
    /// Knuth and Moore's type, if it is in the critical tree.
    pub(super) fn kind(&self) -> Option<u8> {
        match (self.in_max_tree, self.in_min_tree) {
            (true, true) => Some(1),
            (false, false) => None,
            // A max solution tree has one child of a MIN node, a min solution tree one of a MAX node.
            (in_max, _) => Some(if in_max == is_max(self.depth) { 3 } else { 2 }),
        }
    }
}
