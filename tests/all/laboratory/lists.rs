//! The list algorithms once more, as literal lists: slow, obvious, and the oracle for the fast ones.
//! Nodes are Dewey paths, OPEN and BACKUP are vectors that are searched from end to end.

use plyground::tree::Explicit;

type Path = Vec<usize>;
const INF: i64 = 1 << 30;

#[derive(Clone, Debug)]
struct Open {
    n: Path,
    live: bool,
    hi: i64,
    active: bool,
    untested: bool,
}

#[derive(Clone, Debug)]
struct Backup {
    n: Path,
    next: usize,
    partition: usize,
    low: i64,
    high: i64,
    pushed: usize,
}

pub struct Literal {
    pub value: i64,
    pub visited: Vec<usize>,
    pub peak_open: usize,
    pub peak_backup: usize,
}

struct Lists<'t> {
    tree: &'t Explicit,
    /// 0 if the root is the operator's MAX node (SSS*, PS*), 1 for DUAL*.
    side: usize,
    open: Vec<Open>,
    backup: Vec<Backup>,
    visited: Vec<usize>,
    peak_open: usize,
    peak_backup: usize,
}

fn below(x: &[usize], n: &[usize]) -> bool {
    x.len() > n.len() && x.starts_with(n)
}

impl Lists<'_> {
    fn new(tree: &Explicit, side: usize) -> Lists<'_> {
        Lists {
            tree,
            side,
            open: vec![Open { n: vec![], live: true, hi: INF, active: true, untested: false }],
            backup: vec![],
            visited: vec![],
            peak_open: 0,
            peak_backup: 0,
        }
    }

    fn is_max(&self, n: &[usize]) -> bool {
        n.len() % 2 == self.side
    }

    fn children(&self, n: &[usize]) -> usize {
        self.tree.child_count(&self.tree.node_at(n).unwrap())
    }

    fn evaluate(&mut self, n: &[usize]) -> i64 {
        let node = self.tree.node_at(n).unwrap();
        self.visited.push(self.tree.leaf_number(&node).unwrap());
        let v = i64::from(self.tree.leaf_value(&node).unwrap());
        if self.side == 0 { v } else { -v }
    }

    /// Takes the best ACTIVE state: highest merit, ties leftmost.
    fn first(&mut self) -> Option<Open> {
        let best = (0..self.open.len()).filter(|&i| self.open[i].active).min_by(|&i, &j| {
            let (a, b) = (&self.open[i], &self.open[j]);
            b.hi.cmp(&a.hi).then(a.n.cmp(&b.n))
        })?;
        Some(self.open.remove(best))
    }

    fn push(&mut self, n: Path, live: bool, hi: i64) {
        self.open.push(Open { n, live, hi, active: true, untested: false });
    }

    /// low of the MAX node `n`, or -∞ above the root.
    fn low(&self, n: &[usize]) -> i64 {
        self.backup.iter().find(|b| b.n == n).map_or(-INF, |b| b.low)
    }

    /// low of the nearest MAX ancestor.
    fn low_above(&self, n: &[usize]) -> i64 {
        (0..n.len()).rev().find(|&k| self.is_max(&n[..k])).map_or(-INF, |k| self.low(&n[..k]))
    }

    fn purge(&mut self, n: &[usize]) {
        self.open.retain(|s| !below(&s.n, n));
        self.backup.retain(|b| !below(&b.n, n));
    }

    fn push_partition(&mut self, n: &[usize], sizes: &dyn Fn(usize, usize) -> usize) {
        let children = self.children(n);
        let b = self.backup.iter_mut().find(|b| b.n == n).unwrap();
        let end = (b.next + sizes(children, b.partition)).min(children);
        let (start, hi) = (b.next, b.high);
        b.next = end;
        b.partition += 1;
        for j in start..end {
            self.push([n, &[j]].concat(), true, hi);
        }
    }

    fn finished(self, value: i64) -> Literal {
        let value = if self.side == 0 { value } else { -value };
        let Lists { visited, peak_open, peak_backup, .. } = self;
        Literal { value, visited, peak_open, peak_backup }
    }
}

/// PS* with partition sizes given by `sizes(children, partition)`; `side` 1 exchanges the sides.
pub fn phased(tree: &Explicit, side: usize, sizes: &dyn Fn(usize, usize) -> usize) -> Literal {
    let mut l = Lists::new(tree, side);
    let mut clock = 0;
    loop {
        let Open { n, live, hi, .. } = l.first().unwrap();
        let max = l.is_max(&n);
        let leaf = l.children(&n) == 0;
        let parent = n.split_last().map(|(_, p)| p.to_vec());
        match (live, max, parent) {
            (true, _, parent) if leaf => {
                let s = l.evaluate(&n).min(hi);
                match parent {
                    None => return l.finished(s),
                    Some(_) if !max => {
                        let floor = l.low_above(&n);
                        l.push(n, false, s.max(floor));
                    }
                    Some(i) => {
                        let low = l.low_above(&i);
                        if s > low {
                            l.push(n, false, s);
                        } else {
                            l.push(i, false, low);
                        }
                    }
                }
            }
            (true, true, _) => {
                let low = l.low_above(&n);
                clock += 1;
                let entry =
                    Backup { n: n.clone(), next: 0, partition: 0, low, high: hi, pushed: clock };
                l.backup.push(entry);
                l.push_partition(&n, sizes);
            }
            (true, false, _) => l.push([n.as_slice(), &[0]].concat(), true, hi),
            (false, _, None) => return l.finished(hi),
            (false, true, Some(i)) => {
                l.backup.retain(|b| !below(&b.n, &i));
                let m = n[n.len() - 1];
                if hi > l.low_above(&i) && m + 1 < l.children(&i) {
                    l.push([i.as_slice(), &[m + 1]].concat(), true, hi);
                } else {
                    l.push(i, false, hi);
                }
            }
            (false, false, Some(i)) => {
                let b = l.backup.iter_mut().find(|b| b.n == i).unwrap();
                b.low = b.low.max(hi);
                let (low, high) = (b.low, b.high);
                if low >= high {
                    l.purge(&i);
                    l.backup.retain(|b| b.n != i);
                    l.push(i, false, high);
                } else {
                    for b in l.backup.iter_mut().filter(|b| below(&b.n, &i)) {
                        b.low = b.low.max(low);
                    }
                    let tree = l.tree;
                    let left = |b: &Backup| b.next < tree.child_count(&tree.node_at(&b.n).unwrap());
                    let x = l
                        .backup
                        .iter()
                        .filter(|b| below(&b.n, &i) && left(b) && b.high > b.low)
                        .max_by_key(|b| b.pushed)
                        .map(|b| b.n.clone());
                    let own = left(l.backup.iter().find(|b| b.n == i).unwrap());
                    match x {
                        Some(x) => {
                            l.purge(&x);
                            l.push_partition(&x, sizes);
                        }
                        None => {
                            l.purge(&i);
                            if own {
                                l.push_partition(&i, sizes);
                            } else {
                                l.backup.retain(|b| b.n != i);
                                l.push(i, false, low);
                            }
                        }
                    }
                }
            }
        }
        l.peak_open = l.peak_open.max(l.open.len());
        l.peak_backup = l.peak_backup.max(l.backup.len());
    }
}

/// ITERSSS*(M), mended, for an M that is enough by the formula.
pub fn itersss(tree: &Explicit, entries: usize) -> Literal {
    let mut l = Lists::new(tree, 0);
    loop {
        let Some(x) = l.first() else {
            // No ACTIVE state: the deepest INACTIVE one, ties leftmost.
            let y = (0..l.open.len())
                .min_by(|&i, &j| {
                    let (a, b) = (&l.open[i].n, &l.open[j].n);
                    b.len().cmp(&a.len()).then(a.cmp(b))
                })
                .unwrap();
            l.open[y].active = true;
            l.open[y].untested = true;
            continue;
        };
        let max = l.is_max(&x.n);
        let sons = l.children(&x.n);
        let fits = |l: &Lists<'_>, sons: usize| l.open.len() + sons <= entries;
        let parent = x.n.split_last().map(|(_, p)| p.to_vec());
        match (x.live, max, parent) {
            (true, _, parent) if sons == 0 => {
                let s = l.evaluate(&x.n).min(x.hi);
                if parent.is_none() {
                    return l.finished(s);
                }
                l.push(x.n, false, s);
            }
            (true, true, _) => {
                if x.untested || x.n.is_empty() || fits(&l, sons) {
                    for j in 0..sons {
                        l.push([x.n.as_slice(), &[j]].concat(), true, x.hi);
                    }
                } else {
                    l.open.push(Open { active: false, ..x });
                }
            }
            (true, false, _) => {
                let first = [x.n.as_slice(), &[0]].concat();
                let grandsons = l.children(&first);
                if grandsons == 0 || x.untested || fits(&l, grandsons) {
                    let untested = x.untested;
                    l.open.push(Open { n: first, live: true, hi: x.hi, active: true, untested });
                } else {
                    l.open.push(Open { active: false, ..x });
                }
            }
            (false, _, None) => return l.finished(x.hi),
            (false, true, Some(i)) => {
                let m = x.n[x.n.len() - 1];
                if m + 1 < l.children(&i) {
                    l.push([i.as_slice(), &[m + 1]].concat(), true, x.hi);
                } else {
                    l.push(i, false, x.hi);
                }
            }
            (false, false, Some(i)) => {
                l.open.retain(|s| !below(&s.n, &i) || s.hi > x.hi);
                let y = (0..l.open.len())
                    .filter(|&k| below(&l.open[k].n, &i) && !l.open[k].active)
                    .min_by(|&a, &b| {
                        let (a, b) = (&l.open[a].n, &l.open[b].n);
                        b.len().cmp(&a.len()).then(a.cmp(b))
                    });
                match y {
                    None => l.push(i, false, x.hi),
                    Some(y) => {
                        l.open[y].active = true;
                        l.open[y].untested = true;
                        l.open.push(x);
                    }
                }
            }
        }
        l.peak_open = l.peak_open.max(l.open.len());
    }
}
