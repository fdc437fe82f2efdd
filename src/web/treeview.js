// A tree as an SVG that follows a film: only what a step changed is drawn again.
import { el, svg, shownValue, shownBounds } from "./base.js";
import { UNSEEN, LEAF, CUT } from "./film.js";
import { foldedAtFirst, place } from "./layout.js";

const MOST_DRAWN = 2000;
const MARGIN = 24;
const MOST_SCALE = 1.7;
const PROCESS_COLOURS = 8;

// The colours of a parallel search's processes, as items of a legend.
export function processLegend(film) {
  const colours = Math.min(film.processes, PROCESS_COLOURS);
  return Array.from({ length: colours }, (_, number) => el("li", {}, el("span", { class: `swatch process-${number + 1}` }), `process ${number + 1}`));
}

export class TreeView {
  // `onPick` is called with a node that was clicked; `pickable` tells what a click is for.
  constructor(film, { onPick, label, marks } = {}) {
    this.film = film;
    this.onPick = onPick;
    this.marks = marks || null;
    this.folded = foldedAtFirst(film, MOST_DRAWN);
    this.solutionOf = new Uint8Array(film.size);
    this.solutionBefore = new Uint8Array(film.size);
    this.showSolutions = true;
    this.showUnseen = !film.label;
    this.nodeOf = new Array(film.size);
    this.edgeOf = new Array(film.size);
    this.edges = svg("g", { class: "edges" });
    this.nodes = svg("g", { class: "nodes" });
    // A transform of one group, and no viewBox: a browser lays all texts out again when that changes.
    this.windows = svg("g", { class: "windows" });
    this.world = svg("g", {}, this.edges, this.nodes, this.windows);
    this.element = svg("svg", { class: "tree", role: "img", "aria-label": label || "The search tree", tabindex: "0" }, this.world);
    this.follows = false;
    this.size = [900, 480];
    // Until somebody moves it, all of the tree is shown.
    this.isFitted = true;
    this.listen();
    this.build();
    // As high as the tree asks for at this width; the style sheet says between which limits.
    const { right, bottom } = this.layout;
    this.element.style.aspectRatio = `${Math.round(right + 2 * MARGIN)} / ${Math.round(bottom + 2 * MARGIN)}`;
    new ResizeObserver(([{ contentRect }]) => {
      if (!contentRect.width || !contentRect.height) return;
      this.size = [contentRect.width, contentRect.height];
      if (this.follows) this.centre(this.film.current);
      else if (this.isFitted) this.fit();
    }).observe(this.element);
  }

  listen() {
    const element = this.element;
    element.addEventListener("click", (event) => {
      if (this.dragged) return;
      const hit = event.target.closest("[data-node]");
      if (hit) this.pick(Number(hit.dataset.node));
    });
    element.addEventListener("wheel", (event) => {
      event.preventDefault();
      const [px, py] = this.at(event);
      this.zoom(event.deltaY < 0 ? 1 / 1.2 : 1.2, px, py);
    }, { passive: false });
    const pointers = new Map();
    let spread = 0;
    element.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, event);
      this.dragged = false;
      spread = 0;
    });
    element.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      if (pointers.size === 1) {
        const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
        if (!this.dragged && Math.hypot(dx, dy) < 4) return;
        this.dragged = true;
        this.free();
        this.pan(dx, dy);
      } else {
        pointers.set(event.pointerId, event);
        const [a, b] = [...pointers.values()];
        const now = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
        if (spread && now) this.zoom(spread / now);
        spread = now;
        this.dragged = true;
      }
      pointers.set(event.pointerId, event);
    });
    const release = (event) => pointers.delete(event.pointerId);
    element.addEventListener("pointerup", release);
    element.addEventListener("pointercancel", release);
    element.addEventListener("pointerleave", release);
    element.addEventListener("keydown", (event) => {
      const far = this.size[1] / 8;
      if (event.key === "+" || event.key === "=") this.zoom(1 / 1.2);
      else if (event.key === "-") this.zoom(1.2);
      else if (event.key === "0") this.fit();
      else if (event.key === "ArrowUp") this.pan(0, far);
      else if (event.key === "ArrowDown") this.pan(0, -far);
      else return;
      event.preventDefault();
    });
  }

  pick(node) {
    if (this.folded.has(node)) {
      this.unfold(node);
    } else if (this.film.count[node] > 0 && this.picked === node && this.film.size > 40) {
      this.folded.add(node);
      this.build();
    }
    this.picked = node;
    if (this.onPick) this.onPick(node);
  }

  // Unfolds a node, and folds what would be too many below it.
  unfold(node) {
    this.folded.delete(node);
    let shown = 0;
    const waiting = [node];
    while (waiting.length) {
      const at = waiting.shift();
      shown += this.film.count[at];
      const end = this.film.first[at] + this.film.count[at];
      for (let child = this.film.first[at]; child < end; child++) {
        if (this.film.count[child] === 0) continue;
        if (shown > 300) this.folded.add(child);
        else waiting.push(child);
      }
    }
    this.build();
  }

  // Makes all elements anew: when the film is new, or something was folded.
  build() {
    const film = this.film;
    this.layout = place(film, this.folded);
    const { x, y, width, height, visible } = this.layout;
    this.nodeOf.fill(undefined);
    this.edgeOf.fill(undefined);
    const edges = [];
    const nodes = [];
    for (const node of visible) {
      if (node !== 0) {
        const above = film.parent[node];
        const edge = svg("path", {
          d: `M${x[above].toFixed(1)} ${(y[above] + height[above]).toFixed(1)}L${x[node].toFixed(1)} ${y[node].toFixed(1)}`,
        });
        this.edgeOf[node] = edge;
        edges.push(edge);
      }
      nodes.push(this.make(node, x[node], y[node], width[node], height[node]));
    }
    this.edges.replaceChildren(...edges);
    this.nodes.replaceChildren(...nodes);
    this.solutionBefore.fill(255);
    for (const node of visible) this.draw(node);
    this.drawSolutions();
    this.drawWindows();
    film.dirty.clear();
    if (!this.view) this.fit();
  }

  make(node, x, y, width, height) {
    const film = this.film;
    const middle = y + height / 2;
    let shape;
    if (this.folded.has(node)) {
      shape = svg("path", { class: "shape", d: `M${x} ${y}L${x + 22} ${y + height}L${x - 22} ${y + height}Z` });
    } else if (film.isLeaf(node)) {
      shape = svg("rect", { class: "shape", x: x - width / 2, y, width, height, rx: 5 });
    } else if (film.isMax(node)) {
      shape = svg("rect", { class: "shape", x: x - width / 2, y, width, height, rx: 3 });
    } else {
      shape = svg("ellipse", { class: "shape", cx: x, cy: middle, rx: width / 2, ry: height / 2 });
    }
    const label = svg("text", { class: "label", x, y: middle + 4.2 });
    // A move stands above its node.
    const move = film.label && node !== 0 && !film.isLeaf(node) ? svg("text", { class: "move", x, y: y - 4 }, film.label[node]) : null;
    const group = svg("g", { class: "node", "data-node": node }, shape, label, move);
    this.nodeOf[node] = { group, label, badge: null, below: [x, y + height + 12], was: "", text: "", mark: "" };
    return group;
  }

  // Draws a node as it is now.
  draw(node) {
    const drawn = this.nodeOf[node];
    if (!drawn) return;
    const film = this.film;
    const status = film.status[node];
    const isLeaf = film.isLeaf(node);
    const classes = ["node", film.isMax(node) ? "max" : "min"];
    if (isLeaf) classes.push("leaf");
    if (this.folded.has(node)) classes.push("folded");
    classes.push(["unseen", "seen", "seen visited", "cut"][status]);
    if (status === UNSEEN && !this.showUnseen && node !== 0) classes.push("hidden");
    if (film.current === node && film.at > 0) classes.push("now");
    if (film.open[node]) classes.push(["", "live", "solved", "inactive"][film.open[node]]);
    if (film.answeredBy[node]) classes.push("answered");
    if (film.process[node]) classes.push(`process-${((film.process[node] - 1) % PROCESS_COLOURS) + 1}`);
    if (this.marks) classes.push(this.marks(node) || "unmarked");
    const now = classes.join(" ");
    if (now !== drawn.was) {
      drawn.group.setAttribute("class", now);
      drawn.was = now;
      const edge = this.edgeOf[node];
      if (edge) edge.setAttribute("class", this.edgeClass(node));
    }
    const text = this.text(node, status, isLeaf);
    if (text !== drawn.text) {
      drawn.label.textContent = text;
      drawn.text = text;
    }
    const mark = this.mark(node, status, isLeaf);
    if (mark !== drawn.mark) {
      if (!drawn.badge) {
        const [x, y] = drawn.below;
        drawn.badge = svg("text", { class: "badge", x, y });
        drawn.group.append(drawn.badge);
      }
      drawn.badge.textContent = mark;
      drawn.mark = mark;
    }
  }

  edgeClass(node) {
    const status = this.film.status[node];
    const hidden = status === UNSEEN && !this.showUnseen ? " hidden" : "";
    const stacked = this.layout.stacked[node] ? " stacked" : "";
    return `${["unseen", "seen", "seen", "cut"][status]}${hidden}${stacked} s${this.solutionOf[node]}`;
  }

  text(node, status, isLeaf) {
    const film = this.film;
    if (isLeaf && film.rest[node]) return film.label[node];
    if (isLeaf && film.label) {
      return film.label[node] || shownValue(status === LEAF ? film.ownLower[node] : null, film.unit);
    }
    if (isLeaf) return shownValue(film.leafValue[node], film.unit);
    return shownBounds(film.lower[node], film.upper[node], film.unit);
  }

  mark(node, status, isLeaf) {
    const film = this.film;
    if (status === CUT) return "✂";
    if (film.open[node] === 1 || film.open[node] === 2) {
      return `${film.open[node] === 1 ? "L" : "S"} ${shownValue(film.merit[node], film.unit)}`;
    }
    if (isLeaf && status === LEAF) {
      return film.label ? shownValue(film.ownLower[node], film.unit) : String(film.order[node]);
    }
    return "";
  }

  // Draws what a step changed.
  update() {
    for (const node of this.film.dirty) this.draw(node);
    this.film.dirty.clear();
    this.drawSolutions();
    this.drawWindows();
    if (this.follows) this.centre(this.film.current);
  }

  // The windows from the root to where the search is, beside their nodes.
  drawWindows() {
    const { film } = this;
    const { x, y, width, height } = this.layout;
    const texts = [];
    for (let node = film.current; film.at > 0; node = film.parent[node]) {
      const by = film.windowBy[node];
      if (by && !Number.isNaN(x[node]) && !film.isLeaf(node)) {
        const { w, v } = film.steps[by - 1];
        const shown = (value, other) => shownValue(value ?? other, film.unit);
        const text = w ? `(${shown(w[0], -Infinity)}, ${shown(w[1], Infinity)})` : `${film.isMax(node) ? ">" : "<"} ${shown(v)}?`;
        texts.push(svg("text", { x: x[node] + width[node] / 2 + 4, y: y[node] + height[node] / 2 + 4 }, text));
      }
      if (node === 0) break;
    }
    this.windows.replaceChildren(...texts);
  }

  drawSolutions() {
    if (this.showSolutions) this.film.solutions(this.solutionOf);
    else this.solutionOf.fill(0);
    const [now, before] = [this.solutionOf, this.solutionBefore];
    for (const node of this.layout.visible) {
      if (now[node] === before[node]) continue;
      before[node] = now[node];
      const edge = this.edgeOf[node];
      if (!edge) continue;
      edge.setAttribute("class", this.edgeClass(node));
      if (now[node]) this.edges.append(edge);
    }
  }

  // Draws everything again, where what is shown has changed.
  redraw() {
    for (const node of this.layout.visible) this.draw(node);
    this.film.dirty.clear();
    this.drawSolutions();
  }

  // Shows the world with this point in the upper left corner, this much enlarged.
  look(x, y, scale) {
    this.view = [x, y, scale];
    this.world.setAttribute("transform", `translate(${(-x * scale).toFixed(2)} ${(-y * scale).toFixed(2)}) scale(${scale.toFixed(5)})`);
  }

  // It no longer follows the search.
  free() {
    this.follows = false;
    this.onFree?.();
  }

  // Moves it by so many pixels.
  pan(dx, dy) {
    const [x, y, scale] = this.view;
    this.isFitted = false;
    this.look(x - dx / scale, y - dy / scale, scale);
  }

  fit() {
    const { right, bottom } = this.layout;
    const [wide, high] = this.size;
    const scale = Math.min(MOST_SCALE, wide / (right + 2 * MARGIN), high / (bottom + 2 * MARGIN));
    this.isFitted = true;
    this.look(right / 2 - wide / 2 / scale, bottom / 2 - high / 2 / scale, scale);
  }

  // The point of the world under the pointer.
  at(event) {
    const box = this.element.getBoundingClientRect();
    const [x, y, scale] = this.view;
    return [x + (event.clientX - box.left) / scale, y + (event.clientY - box.top) / scale];
  }

  // Makes everything smaller by a factor, around a point of the world or the middle.
  zoom(factor, px, py) {
    const [x, y, scale] = this.view;
    const [cx, cy] = [px ?? x + this.size[0] / 2 / scale, py ?? y + this.size[1] / 2 / scale];
    const least = Math.min(0.05, this.size[0] / (this.layout.right * 2));
    const now = Math.max(least, Math.min(6, scale / factor));
    const by = scale / now;
    this.isFitted = false;
    this.look(cx - (cx - x) * by, cy - (cy - y) * by, now);
  }

  // Brings a node into the middle, near enough to be read.
  centre(node) {
    let at = node;
    while (Number.isNaN(this.layout.x[at]) && at !== 0) at = this.film.parent[at];
    const scale = Math.max(this.view[2], 0.8);
    this.isFitted = false;
    this.look(this.layout.x[at] - this.size[0] / 2 / scale, this.layout.y[at] - this.size[1] / 2 / scale, scale);
  }
}
