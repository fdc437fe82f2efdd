//! Nodes identified by their path from the root.
//!
//! In the laboratory two nodes are the same only if the same moves in the same order lead to them.
//! A [`PathTree`] gives every such path a number and a piece of data, exactly and without hashing:
//! the children of a node get consecutive numbers when the first of them is asked for.

/// A growing tree of paths, each with a `D` of its own.
#[derive(Clone, Debug)]
pub struct PathTree<D> {
    nodes: Vec<PathNode<D>>,
}

#[derive(Clone, Debug)]
struct PathNode<D> {
    /// The number of the first child; 0, which is the root and never a child, while there are none.
    children: u32,
    parent: u32,
    data: D,
}

/// The path of no moves.
pub const ROOT: u32 = 0;

impl<D: Default> Default for PathTree<D> {
    fn default() -> Self {
        PathTree::new()
    }
}

impl<D: Default> PathTree<D> {
    /// A tree with no path but the empty one.
    pub fn new() -> Self {
        PathTree { nodes: vec![PathNode { children: 0, parent: 0, data: D::default() }] }
    }

    /// The number of the path that continues from `parent` to child `index` of `width`.
    ///
    /// # Panics
    /// If there are more than 2³² paths, which is past any memory limit that a search can be given.
    #[inline]
    pub fn below(&mut self, parent: u32, index: usize, width: usize) -> u32 {
        let mut first = self.nodes[parent as usize].children;
        if first == 0 {
            first = self.add_children(parent, width);
        }
        first + index as u32
    }

    fn add_children(&mut self, parent: u32, width: usize) -> u32 {
        let first = self.nodes.len();
        let end = u32::try_from(first + width).expect("fewer than 2^32 paths") as usize;
        self.nodes.resize_with(end, || PathNode { children: 0, parent, data: D::default() });
        self.nodes[parent as usize].children = first as u32;
        first as u32
    }

    /// The data of a path.
    #[inline]
    pub fn get(&self, path: u32) -> &D {
        &self.nodes[path as usize].data
    }

    /// The data of a path, to change it.
    #[inline]
    pub fn get_mut(&mut self, path: u32) -> &mut D {
        &mut self.nodes[path as usize].data
    }

    /// The data of all paths.
    pub fn data_mut(&mut self) -> impl Iterator<Item = &mut D> {
        self.nodes.iter_mut().map(|node| &mut node.data)
    }

    /// The number of the first child, if the children have numbers yet.
    #[inline]
    pub fn children(&self, path: u32) -> Option<u32> {
        match self.nodes[path as usize].children {
            0 => None,
            first => Some(first),
        }
    }

    /// The child numbers that lead from the root to `path`.
    pub fn steps(&self, mut path: u32) -> Vec<usize> {
        let mut steps = Vec::new();
        while path != ROOT {
            let parent = self.nodes[path as usize].parent;
            steps.push((path - self.nodes[parent as usize].children) as usize);
            path = parent;
        }
        steps.reverse();
        steps
    }

    /// The bytes that the tree takes.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<PathNode<D>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_one_number_and_knows_its_steps() {
        let mut paths = PathTree::<u8>::new();
        let a = paths.below(ROOT, 2, 3);
        let b = paths.below(a, 0, 2);
        assert_eq!(paths.below(ROOT, 2, 3), a);
        assert_eq!(paths.below(a, 0, 2), b);
        assert_ne!(paths.below(a, 1, 2), b);
        *paths.get_mut(b) = 7;
        assert_eq!(*paths.get(b), 7);
        assert_eq!(*paths.get(a), 0);
        assert_eq!(paths.steps(b), [2, 0]);
        assert_eq!(paths.steps(ROOT), [0usize; 0]);
        assert_eq!(paths.children(a), Some(b));
        assert_eq!(paths.children(b), None);
    }
}
