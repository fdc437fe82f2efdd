// A search that can be stepped through, forward and back: what is known of every node at a step.

export const UNSEEN = 0;
export const SEEN = 1;
export const LEAF = 2;
export const CUT = 3;

// Steps that concern no node.
const ELSEWHERE = new Set(["turn", "tick", "waits", "killed"]);

export class Film {
  constructor(data) {
    this.data = data;
    this.unit = data.unit;
    this.steps = data.steps;
    const { parent, first, count, value, rest, label } = data.nodes;
    Object.assign(this, { parent, first, count, leafValue: value, rest, label });
    const size = parent.length;
    this.size = size;
    this.depth = new Int32Array(size);
    for (let node = 1; node < size; node++) this.depth[node] = this.depth[parent[node]] + 1;
    this.status = new Uint8Array(size);
    this.order = new Int32Array(size);
    this.lower = new Float64Array(size).fill(-Infinity);
    this.upper = new Float64Array(size).fill(Infinity);
    this.ownLower = new Float64Array(size).fill(-Infinity);
    this.ownUpper = new Float64Array(size).fill(Infinity);
    // 0 none, 1 LIVE, 2 SOLVED, 3 INACTIVE.
    this.open = new Uint8Array(size);
    this.merit = new Float64Array(size);
    this.process = new Uint8Array(size);
    // The step that cut a node off, from 1, and which of its cut-offs.
    this.cutBy = new Int32Array(size);
    // The window of the last visit, and the bounds that the memory holds, by step numbers.
    this.windowBy = new Int32Array(size);
    this.storedBy = new Int32Array(size);
    this.answeredBy = new Int32Array(size);
    // The step of each process's last OPEN; how many processes there are.
    this.openBy = new Int32Array(256);
    this.processes = this.steps.reduce((most, step) => Math.max(most, step.p || 0), 0);
    this.current = 0;
    // How many steps are done; and what each of them changed.
    this.at = 0;
    this.log = [];
    this.marks = [0];
    // Nodes that changed since they were last drawn.
    this.dirty = new Set();
    this.leafOrder = 0;
    this.leafSteps = [];
    this.cutSteps = [];
    this.steps.forEach((step, index) => {
      if (step.e === "leaf") this.leafSteps.push(index + 1);
      if (step.cut) this.cutSteps.push(index + 1);
    });
  }

  isMax(node) {
    return this.depth[node] % 2 === 0;
  }

  isLeaf(node) {
    return this.count[node] === 0;
  }

  // The Dewey number, or the moves that lead to the node.
  name(node) {
    if (node === 0) return "root";
    const steps = [];
    for (let at = node; at !== 0; at = this.parent[at]) {
      steps.push(this.label ? this.label[at] : at - this.first[this.parent[at]]);
    }
    return steps.reverse().join(this.label ? " " : ".");
  }

  set(array, index, value) {
    if (array[index] === value) return;
    this.log.push(array, index, array[index]);
    array[index] = value;
  }

  // Goes to the state after so many steps.
  go(target) {
    const wanted = Math.max(0, Math.min(this.steps.length, target));
    while (this.at < wanted) this.forward();
    while (this.at > wanted) this.back();
  }

  back() {
    this.at -= 1;
    const mark = this.marks.pop();
    const start = this.marks[this.marks.length - 1];
    this.dirty.add(this.current);
    for (let place = mark - 3; place >= start; place -= 3) {
      const [array, index, old] = [this.log[place], this.log[place + 1], this.log[place + 2]];
      array[index] = old;
      if (array !== this.openBy) this.dirty.add(index);
    }
    this.log.length = start;
    this.current = this.placeOf(this.at);
    this.dirty.add(this.current);
  }

  // The node that the search is at after so many steps.
  placeOf(at) {
    let step = at;
    while (step > 0 && ELSEWHERE.has(this.steps[step - 1].e)) step -= 1;
    return step > 0 ? this.steps[step - 1].n : 0;
  }

  forward() {
    const step = this.steps[this.at];
    this.at += 1;
    this.dirty.add(this.current);
    if (!ELSEWHERE.has(step.e)) this.current = step.n;
    const before = this.log.length;
    this.apply(step);
    for (let place = before; place < this.log.length; place += 3) {
      if (this.log[place] !== this.openBy) this.dirty.add(this.log[place + 1]);
    }
    this.dirty.add(step.n);
    this.marks.push(this.log.length);
  }

  apply(step) {
    const node = step.n;
    const process = step.p || 0;
    switch (step.e) {
      case "leaf":
        this.see(node);
        if (this.status[node] !== LEAF) {
          this.set(this.status, node, LEAF);
          this.set(this.order, node, step.c[0]);
        }
        if (process) this.set(this.process, node, process);
        this.learn(node, step.v, step.v);
        break;
      case "enter":
      case "test":
        this.see(node);
        this.set(this.windowBy, node, this.at);
        break;
      case "answered":
        this.see(node);
        this.set(this.answeredBy, node, this.at);
        this.learn(node, step.b[0] ?? -Infinity, step.b[1] ?? Infinity);
        break;
      case "stored":
        this.set(this.storedBy, node, this.at);
        break;
      case "taken":
      case "judged":
      case "chosen":
      case "resumed":
        this.see(node);
        if (process && this.isLeaf(node) === false) this.set(this.process, node, process);
        break;
      case "iteration":
        this.begin();
        break;
      case "killed":
        this.closeList(step.q);
        break;
      default:
    }
    for (const list of step.open || []) this.opens(list.p, list.states);
    (step.cut || []).forEach((cut) => {
      for (const gone of cut.nodes) {
        if (this.status[gone] !== UNSEEN) continue;
        this.set(this.status, gone, CUT);
        this.set(this.cutBy, gone, this.at);
      }
    });
  }

  // A new iteration: nothing is known of any node but what the memory holds.
  begin() {
    for (let node = 0; node < this.size; node++) {
      for (const array of [this.status, this.order, this.open, this.process, this.cutBy, this.windowBy, this.answeredBy]) this.set(array, node, 0);
      for (const array of [this.lower, this.ownLower]) this.set(array, node, -Infinity);
      for (const array of [this.upper, this.ownUpper]) this.set(array, node, Infinity);
    }
    for (let process = 0; process < this.openBy.length; process++) this.set(this.openBy, process, 0);
  }

  see(node) {
    for (let at = node; this.status[at] === UNSEEN || this.status[at] === CUT; at = this.parent[at]) {
      this.set(this.status, at, SEEN);
      if (at === 0) break;
    }
  }

  opens(process, states) {
    this.closeList(process);
    for (const [node, status, merit, active] of states) {
      this.set(this.open, node, active ? (status === "LIVE" ? 1 : 2) : 3);
      this.set(this.merit, node, merit ?? Infinity);
    }
    this.set(this.openBy, process, this.at);
  }

  // The last OPEN of a process; null if it has none.
  listOf(process) {
    const by = this.openBy[process];
    return by ? this.steps[by - 1].open.find((list) => list.p === process) : null;
  }

  // A process has no OPEN any more, or another one.
  closeList(process) {
    for (const [node] of this.listOf(process)?.states ?? []) this.set(this.open, node, 0);
    this.set(this.openBy, process, 0);
  }

  // The states on OPEN, best first, with the number of all: of every process.
  openLists() {
    const lists = [];
    this.openBy.forEach((by, process) => by && lists.push(this.listOf(process)));
    return lists;
  }

  learn(node, lower, upper) {
    this.set(this.ownLower, node, Math.max(this.ownLower[node], lower));
    this.set(this.ownUpper, node, Math.min(this.ownUpper[node], upper));
    for (let at = node; ; at = this.parent[at]) {
      let low = this.ownLower[at];
      let high = this.ownUpper[at];
      if (this.count[at] > 0) {
        const end = this.first[at] + this.count[at];
        const isMax = this.isMax(at);
        let below = isMax ? -Infinity : Infinity;
        let above = below;
        for (let child = this.first[at]; child < end; child++) {
          below = isMax ? Math.max(below, this.lower[child]) : Math.min(below, this.lower[child]);
          above = isMax ? Math.max(above, this.upper[child]) : Math.min(above, this.upper[child]);
        }
        low = Math.max(low, below);
        high = Math.min(high, above);
      }
      if (at !== node && low === this.lower[at] && high === this.upper[at]) break;
      this.set(this.lower, at, low);
      this.set(this.upper, at, high);
      if (at === 0) break;
    }
  }

  // The counts so far: leaves, visits, memory.
  counts() {
    return this.at === 0 ? [0, 0, 0] : this.steps[this.at - 1].c;
  }

  step() {
    return this.at === 0 ? null : this.steps[this.at - 1];
  }

  // The solution trees that the visited leaves prove: 1 for the max solution tree, which bounds the root
  // from above, 2 for the min solution tree, which bounds it from below, 3 for both.
  solutions(into) {
    into.fill(0);
    const walk = (bit, all, bound) => {
      const waiting = [0];
      while (waiting.length) {
        const node = waiting.pop();
        into[node] |= bit;
        const end = this.first[node] + this.count[node];
        if (this.ownLower[node] === this.ownUpper[node]) continue;
        if (this.isMax(node) === all) {
          for (let child = this.first[node]; child < end; child++) waiting.push(child);
        } else {
          for (let child = this.first[node]; child < end; child++) {
            if (bound[child] === bound[node]) {
              waiting.push(child);
              break;
            }
          }
        }
      }
    };
    if (this.upper[0] < Infinity) walk(1, true, this.upper);
    if (this.lower[0] > -Infinity) walk(2, false, this.lower);
    return into;
  }

  // Why a node was cut off.
  whyCut(node) {
    const by = this.cutBy[node];
    if (!by) return null;
    const found = (this.steps[by - 1].cut || []).find((cut) => cut.nodes.includes(node));
    return found ? { step: by, why: found.why } : null;
  }
}
