// Line charts that grow: a few series over one axis.
import { svg } from "./base.js";

const WIDTH = 420;
const HEIGHT = 170;
const LEFT = 46;
const BOTTOM = 24;
const TOP = 10;

function nice(most) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 5, 10].map((by) => by * power).find((step) => step >= most) ?? most;
}

// A chart of series: each with its points, [x, y], and the class that colours it. Axes are for all points to
// come, so that nothing jumps while it grows.
export class Chart {
  constructor(title, mostX, mostY, axis) {
    this.mostX = Math.max(1, mostX);
    this.mostY = nice(mostY);
    this.lines = new Map();
    this.root = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": title });
    this.root.append(
      svg("title", {}, title),
      svg("path", { class: "axis", d: `M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${WIDTH - 8}` }),
      svg("text", { class: "scale", x: LEFT - 5, y: TOP + 9, "text-anchor": "end" }, String(this.mostY)),
      svg("text", { class: "scale", x: LEFT - 5, y: HEIGHT - BOTTOM, "text-anchor": "end" }, "0"),
      svg("text", { class: "scale", x: WIDTH - 8, y: HEIGHT - 8, "text-anchor": "end" }, `${this.mostX} ${axis}`),
      svg("text", { class: "title", x: LEFT + 8, y: TOP + 10 }, title));
    this.element = this.root;
  }

  x(value) {
    return LEFT + (value / this.mostX) * (WIDTH - 8 - LEFT);
  }

  y(value) {
    return HEIGHT - BOTTOM - (value / this.mostY) * (HEIGHT - BOTTOM - TOP);
  }

  // Draws a series, or draws it again.
  draw(name, points, colour) {
    if (!this.lines.has(name)) {
      const line = svg("path", { class: `series ${colour}` });
      const dot = svg("circle", { class: `dot ${colour}`, r: 3.5 });
      this.lines.set(name, [line, dot]);
      this.root.append(line, dot);
    }
    const [line, dot] = this.lines.get(name);
    const d = points.map(([x, y], place) => `${place ? "L" : "M"}${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`).join("");
    line.setAttribute("d", d || "M0 0");
    const last = points[points.length - 1] || [0, 0];
    dot.setAttribute("cx", this.x(last[0]).toFixed(1));
    dot.setAttribute("cy", this.y(last[1]).toFixed(1));
  }
}
