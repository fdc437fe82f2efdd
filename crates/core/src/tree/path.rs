//! Nodes identified by their path from the root.
//!
//! In the laboratory two nodes are the same only if the same moves in the same order lead to them.
//! A [`PathTree`] gives every such path a number and a piece of data, exactly and without hashing:
//! the children of a node get consecutive numbers when the first of them is asked for.

/// A growing tree of paths, each with a `D` of its own.
#[derive(Clone, Debug)]
pub struct PathTree<D> {
    nodes: Vec<PathNode<D>>,
    /// Numbers that were given back: the first of as many neighbours as the place in the list says.
    free: Vec<Vec<u32>>,
}

#[derive(Clone, Debug)]
struct PathNode<D> {
    /// The number of the first child; 0, which is the root and never a child, while there are none.
    children: u32,
    parent: u32,
    data: D,
}

/// The parent of a number that is free.
const FREE: u32 = u32::MAX;

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
        let root = PathNode { children: 0, parent: 0, data: D::default() };
        PathTree { nodes: vec![root], free: Vec::new() }
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

    /// A function of its own, so that to ask for a child that has a number costs no call.
    #[cold]
    #[inline(never)]
    fn add_children(&mut self, parent: u32, width: usize) -> u32 {
        if !self.free.is_empty()
            && let Some(first) = self.add_free_children(parent, width)
        {
            return first;
        }
        let first = self.nodes.len();
        let end = u32::try_from(first + width).expect("fewer than 2^32 paths") as usize;
        self.nodes.resize_with(end, || PathNode { children: 0, parent, data: D::default() });
        self.nodes[parent as usize].children = first as u32;
        first as u32
    }

    /// Gives the children free numbers, those of the fewest neighbours that are enough; the rest stays free.
    #[cold]
    fn add_free_children(&mut self, parent: u32, width: usize) -> Option<u32> {
        let found = (width..self.free.len()).find(|&count| !self.free[count].is_empty())?;
        let first = self.free[found].pop()?;
        if found > width {
            self.free[found - width].push(first + width as u32);
        }
        for node in &mut self.nodes[first as usize..][..width] {
            node.parent = parent;
        }
        self.nodes[parent as usize].children = first;
        Some(first)
    }

    /// Removes everything below a path, whose numbers other paths may have then; `removed` gets the data.
    pub fn remove_below(&mut self, path: u32, mut removed: impl FnMut(D)) {
        let mut parents = vec![path];
        while let Some(parent) = parents.pop() {
            let first = std::mem::take(&mut self.nodes[parent as usize].children) as usize;
            if first == 0 {
                continue;
            }
            let children = self.nodes[first..].iter_mut().zip(first as u32..);
            let mut width = 0;
            for (node, number) in children.take_while(|(node, _)| node.parent == parent) {
                removed(std::mem::take(&mut node.data));
                node.parent = FREE;
                if node.children != 0 {
                    parents.push(number);
                }
                width += 1;
            }
            if self.free.len() <= width {
                self.free.resize_with(width + 1, Vec::new);
            }
            self.free[width].push(first as u32);
        }
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

    /// How many children have numbers.
    pub fn width(&self, path: u32) -> u32 {
        let Some(first) = self.children(path) else { return 0 };
        let children = self.nodes[first as usize..].iter();
        children.take_while(|node| node.parent == path).count() as u32
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
        let free: usize = self.free.iter().map(|free| free.capacity() * size_of::<u32>()).sum();
        let lists = self.free.capacity() * size_of::<Vec<u32>>();
        self.nodes.capacity() * size_of::<PathNode<D>>() + free + lists
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

    #[test]
    fn what_is_removed_makes_room_for_other_paths() {
        let mut paths = PathTree::<u8>::new();
        let a = paths.below(ROOT, 0, 2);
        let b = paths.below(a, 1, 4);
        let deep = paths.below(b, 2, 3);
        let second = paths.below(ROOT, 1, 2);
        let other = paths.below(second, 0, 2);
        (*paths.get_mut(deep), *paths.get_mut(other)) = (7, 8);
        let (numbers, mut removed) = (paths.nodes.len(), Vec::new());
        paths.remove_below(a, |data| removed.push(data));
        removed.sort_unstable();
        assert_eq!(removed, [0, 0, 0, 0, 0, 0, 7]);
        assert_eq!((paths.children(a), *paths.get(other)), (None, 8));
        // Seven places are free: 4 and 3, of which the larger is divided.
        let c = paths.below(other, 0, 3);
        let d = paths.below(c, 1, 2);
        let e = paths.below(d, 1, 2);
        assert_eq!(paths.nodes.len(), numbers);
        assert_eq!((paths.steps(e), *paths.get(e)), (vec![1, 0, 0, 1, 1], 0));
        paths.below(e, 0, 1);
        assert_eq!(paths.nodes.len(), numbers + 1);
    }
}
