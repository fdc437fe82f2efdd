// Where the nodes of a tree stand: parents above the middle of their children, folded ones as one sign.

const LEVEL = 74;
const GAP = 8;
const ROW = 24;
// Many leaves below one node stand in rows.
const IN_A_ROW = 9;

function labelWidth(film, node) {
  const text = film.label ? film.label[node] : film.leafValue[node] === null ? "" : String(film.leafValue[node]);
  return Math.max(26, text.length * 7.4 + 12);
}

// Which nodes are folded at first, so that at most `most` are drawn.
export function foldedAtFirst(film, most) {
  const folded = new Set();
  if (film.size <= most) return folded;
  const levels = [];
  for (let node = 0; node < film.size; node++) levels[film.depth[node]] = (levels[film.depth[node]] || 0) + 1;
  let shown = 0;
  let deepest = 0;
  for (let depth = 0; depth < levels.length; depth++) {
    shown += levels[depth];
    if (shown > most && depth > 1) break;
    deepest = depth;
  }
  for (let node = 0; node < film.size; node++) {
    if (film.depth[node] === deepest && film.count[node] > 0) folded.add(node);
  }
  return folded;
}

// Places every visible node; x is NaN where it is not visible.
export function place(film, folded) {
  const { size, first, count, depth } = film;
  const x = new Float64Array(size).fill(NaN);
  const y = new Float64Array(size);
  const width = new Float64Array(size);
  const height = new Float64Array(size).fill(ROW);
  const visible = [];
  // Leaves below the first row of their siblings.
  const stacked = new Uint8Array(size);
  let right = 0;
  let bottom = 0;
  // Children before parents, from left to right, without recursion: trees may be deep.
  const waiting = [[0, false]];
  while (waiting.length) {
    const [node, placed] = waiting.pop();
    const top = depth[node] * LEVEL;
    if (placed) {
      const last = first[node] + count[node] - 1;
      x[node] = middle(node, last);
      y[node] = top;
      width[node] = film.label ? 50 : 34;
      height[node] = 34;
      visible.push(node);
      continue;
    }
    const isFolded = folded.has(node);
    if (count[node] === 0 || isFolded) {
      width[node] = isFolded ? 44 : labelWidth(film, node);
      height[node] = isFolded ? 34 : ROW;
      x[node] = right + width[node] / 2;
      y[node] = top;
      right += width[node] + GAP;
      bottom = Math.max(bottom, top);
      visible.push(node);
      continue;
    }
    waiting.push([node, true]);
    const end = first[node] + count[node];
    let onlyLeaves = count[node] > IN_A_ROW;
    for (let child = first[node]; onlyLeaves && child < end; child++) onlyLeaves = count[child] === 0;
    if (onlyLeaves) {
      let widest = 0;
      for (let child = first[node]; child < end; child++) widest = Math.max(widest, labelWidth(film, child));
      const columns = Math.max(3, Math.ceil(Math.sqrt(count[node] / 2)));
      for (let child = first[node]; child < end; child++) {
        const number = child - first[node];
        width[child] = widest;
        x[child] = right + (number % columns) * (widest + 4) + widest / 2;
        y[child] = top + LEVEL + Math.floor(number / columns) * (ROW + 16);
        stacked[child] = number >= columns ? 1 : 0;
        bottom = Math.max(bottom, y[child]);
        visible.push(child);
      }
      right += columns * (widest + 4) + 2 * GAP;
      continue;
    }
    for (let child = end - 1; child >= first[node]; child--) waiting.push([child, false]);
    right += depth[node] > 0 ? GAP : 0;
  }
  function middle(node, last) {
    let low = Infinity;
    let high = -Infinity;
    for (let child = first[node]; child <= last; child++) {
      low = Math.min(low, x[child]);
      high = Math.max(high, x[child]);
    }
    return (low + high) / 2;
  }
  return { x, y, width, height, visible, stacked, right: Math.max(right - GAP, 40), bottom: bottom + ROW + 20 };
}
