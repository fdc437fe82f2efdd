//! PARSSS* once more, as the paper prints it, with literal lists: slow, obvious, and the oracle for
//! the fast one in its simulation.

use plyground::tree::Explicit;

type Path = Vec<usize>;
const INF: i64 = 1 << 30;

#[derive(Clone, Debug)]
struct Open {
    n: Path,
    live: bool,
    h: i64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Status {
    Live,
    Solved,
    /// Killed, or SOLVED and taken in by the process above.
    Gone,
}

#[derive(Debug)]
struct Process {
    p: Path,
    open: Vec<Open>,
    parent: Option<usize>,
    /// MINPROC's h
    h: i64,
    status: Status,
    leaves: usize,
}

pub struct Literal {
    pub value: i64,
    pub terminal_count: u64,
    pub visited: Vec<usize>,
    pub peak_open: usize,
}

struct Machine<'t> {
    tree: &'t Explicit,
    spawn_height: usize,
    n: usize,
    processes: Vec<Process>,
    visited: Vec<usize>,
    /// The most states that were on all OPENs at once.
    peak_open: usize,
    changed: bool,
}

fn below(x: &[usize], n: &[usize]) -> bool {
    x.len() > n.len() && x.starts_with(n)
}

/// PARSSS*(N): a tick after the other, in rounds until nothing changes.
pub fn parsss(tree: &Explicit, n: usize, spawn_height: usize) -> Literal {
    let mut m = Machine {
        tree,
        spawn_height,
        n: n - 1,
        processes: Vec::new(),
        visited: Vec::new(),
        peak_open: 0,
        changed: false,
    };
    m.start(vec![], INF, None);
    let mut terminal_count = 0;
    while m.processes[0].status == Status::Live {
        terminal_count += 1;
        m.processes.iter_mut().for_each(|process| process.leaves = 1);
        m.changed = true;
        while std::mem::take(&mut m.changed) {
            let mut i = 0;
            while i < m.processes.len() {
                m.turn(i);
                i += 1;
            }
        }
    }
    let Machine { visited, peak_open, .. } = m;
    Literal { value: m.processes[0].h, terminal_count, visited, peak_open }
}

impl Machine<'_> {
    fn start(&mut self, p: Path, h: i64, parent: Option<usize>) {
        let open = vec![Open { n: p.clone(), live: true, h }];
        let status = Status::Live;
        self.processes.push(Process { p, open, parent, h, status, leaves: 1 });
    }

    fn children(&self, n: &[usize]) -> usize {
        self.tree.child_count(&self.tree.node_at(n).unwrap())
    }

    fn started_by(&self, i: usize) -> Vec<usize> {
        (0..self.processes.len()).filter(|&q| self.processes[q].parent == Some(i)).collect()
    }

    fn kill(&mut self, i: usize) {
        if self.processes[i].status == Status::Live {
            self.n += 1;
        }
        self.processes[i].status = Status::Gone;
        self.changed = true;
        for q in self.started_by(i) {
            if self.processes[q].status != Status::Gone {
                self.kill(q);
            }
        }
    }

    fn push(&mut self, i: usize, n: Path, live: bool, h: i64) {
        self.processes[i].open.push(Open { n, live, h });
        let live = self.processes.iter().filter(|process| process.status == Status::Live);
        self.peak_open = self.peak_open.max(live.map(|process| process.open.len()).sum());
        self.changed = true;
    }

    fn turn(&mut self, i: usize) {
        while self.processes[i].status == Status::Live && self.step(i) {}
    }

    /// One time through the printed loop; `false` if the process pauses.
    fn step(&mut self, i: usize) -> bool {
        for q in self.started_by(i) {
            if self.processes[q].status == Status::Solved {
                self.processes[q].status = Status::Gone;
                let (p, h) = (self.processes[q].p.clone(), self.processes[q].h);
                self.push(i, p, false, h);
            }
        }
        let open = &self.processes[i].open;
        let first = (0..open.len())
            .min_by(|&a, &b| open[b].h.cmp(&open[a].h).then(open[a].n.cmp(&open[b].n)))
            .unwrap();
        let x = open[first].clone();
        let others = self.started_by(i);
        let live = |q: &&usize| self.processes[**q].status != Status::Gone;
        let h = others.iter().filter(live).map(|&q| self.processes[q].h).fold(x.h, i64::max);
        if h < self.processes[i].h {
            self.processes[i].h = h;
            self.changed = true;
        }
        let leaf = self.children(&x.n) == 0;
        if x.live && leaf && self.processes[i].leaves == 0 {
            return false;
        }
        self.processes[i].open.remove(first);
        // LIVEMINS, sorted by depth, ties leftmost.
        let mut mins: Vec<Open> = self.processes[i].open.clone();
        mins.retain(|s| {
            s.live && s.n.len() % 2 == 1 && self.tree.height() - s.n.len() >= self.spawn_height
        });
        mins.sort_by(|a, b| a.n.len().cmp(&b.n.len()).then(a.n.cmp(&b.n)));
        let k = self.n.min(mins.len());
        self.n -= k;
        for min in mins.drain(..k) {
            self.processes[i].open.retain(|s| s.n != min.n);
            self.start(min.n, min.h, Some(i));
            self.changed = true;
        }
        let max = x.n.len().is_multiple_of(2);
        match (x.live, max) {
            (true, _) if leaf => {
                let node = self.tree.node_at(&x.n).unwrap();
                self.visited.push(self.tree.leaf_number(&node).unwrap());
                let value = i64::from(self.tree.leaf_value(&node).unwrap());
                self.processes[i].leaves = 0;
                self.push(i, x.n, false, value.min(x.h));
            }
            (true, false) => self.push(i, [x.n.as_slice(), &[0]].concat(), true, x.h),
            (true, true) => {
                for j in 0..self.children(&x.n) {
                    self.push(i, [x.n.as_slice(), &[j]].concat(), true, x.h);
                }
            }
            (false, _) if x.n == self.processes[i].p => {
                for q in self.started_by(i) {
                    if self.processes[q].status != Status::Gone {
                        self.kill(q);
                    }
                }
                self.processes[i].status = Status::Solved;
                self.processes[i].h = x.h;
                self.n += 1;
                self.changed = true;
            }
            (false, true) => {
                let (&j, parent) = x.n.split_last().unwrap();
                if j + 1 < self.children(parent) {
                    self.push(i, [parent, &[j + 1]].concat(), true, x.h);
                } else {
                    self.push(i, parent.to_vec(), false, x.h);
                }
            }
            (false, false) => {
                let parent = x.n[..x.n.len() - 1].to_vec();
                self.processes[i].open.retain(|s| !below(&s.n, &parent));
                let mut left = false;
                for q in self.started_by(i) {
                    let process = &self.processes[q];
                    if process.status == Status::Gone || !below(&process.p, &parent) {
                        continue;
                    }
                    if process.h <= x.h {
                        self.kill(q);
                    } else {
                        left = true;
                    }
                }
                if left {
                    self.processes[i].open.push(x);
                    return false;
                }
                self.push(i, parent, false, x.h);
            }
        }
        true
    }
}
