// A board to click on, to drag on and to walk over with the arrow keys; or a grid made of a game's own text.
import { el, svg, put } from "./base.js";
import { piece, NAMES } from "./pieces.js";

const COLUMNS = "abcdefgh";

// The legal moves by the squares that they touch: [from, to, rest] of each; from is empty where a move only
// places something.
export function geometry(legal) {
  const found = [];
  for (const [move] of legal) {
    const both = /^([a-h][1-8])([a-h][1-8])(.*)$/.exec(move);
    const one = /^([a-h][1-8])$/.exec(move);
    if (both) found.push({ from: both[1], to: both[2], rest: both[3], move });
    else if (one) found.push({ from: "", to: one[1], rest: "", move });
  }
  return found;
}

export class Board {
  // `onMoves` is called with the moves that a click or a drag can mean: one, or several to choose from.
  constructor(onMoves) {
    this.onMoves = onMoves;
    this.flipped = false;
    this.chosen = "";
    this.enabled = true;
    this.squares = new Map();
    this.grid = el("div", { class: "board", role: "grid", "aria-label": "Board" });
    this.arrows = svg("svg", { class: "arrows", viewBox: "0 0 800 800", "aria-hidden": "true" });
    this.element = el("div", { class: "board-frame" }, this.grid, this.arrows);
    this.hints = new Map();
    this.state = null;
    this.moves = [];
    this.drag = null;
  }

  show(state, enabled) {
    this.state = state;
    this.enabled = enabled;
    this.chosen = "";
    this.hints.clear();
    this.arrowList = [];
    this.moves = geometry(state.legal);
    if (state.board) this.draw();
    else this.drawText();
  }

  flip() {
    this.flipped = !this.flipped;
    if (this.state) this.draw();
  }

  // Is row 1 at the bottom?
  upward() {
    return this.state.board.upward !== this.flipped;
  }

  draw() {
    if (!this.state.board) return;
    const { board } = this.state;
    const focused = document.activeElement?.dataset?.square;
    const up = this.upward();
    const rows = [];
    this.squares.clear();
    this.grid.className = `board ${board.surface}`;
    for (let row = 0; row < 8; row++) {
      const cells = [];
      for (let column = 0; column < 8; column++) {
        const name = COLUMNS[this.flipped ? 7 - column : column] + (up ? 8 - row : row + 1);
        cells.push(this.square(name, column, row));
      }
      rows.push(el("div", { role: "row", class: "board-row" }, cells));
    }
    put(this.grid, rows);
    if (focused) this.squares.get(focused)?.focus();
    this.drawArrows();
  }

  square(name, column, row) {
    const { board } = this.state;
    const on = board.pieces[name];
    const isDark = (COLUMNS.indexOf(name[0]) + Number(name[1])) % 2 === 1;
    const targets = this.enabled ? this.targets(this.chosen) : [];
    const classes = ["square", isDark ? "dark" : "light"];
    if (board.last.includes(name)) classes.push("last");
    if (board.danger.includes(name)) classes.push("danger");
    if (name === this.chosen) classes.push("chosen");
    if (targets.some((move) => move.to === name)) classes.push(on ? "capture" : "target");
    const what = on ? `${this.sides[on[0]]} ${board.surface === "cloth" ? "disc" : NAMES[on[1]] || on[1]}` : "empty";
    const hint = this.hints.get(name);
    const button = el("button", {
      type: "button", class: classes.join(" "), "data-square": name, "aria-label": name, "aria-description": what, tabindex: name === (this.chosen || "a1") ? 0 : -1,
      onclick: () => this.click(name), onkeydown: (event) => this.key(event, name), onpointerdown: (event) => this.grab(event, name),
    },
    on ? piece(on[0], on[1], board.surface) : null,
    hint ? el("span", { class: `hint ${hint.best ? "best" : ""}` }, hint.text) : null,
    column === 0 ? el("span", { class: "rank", "aria-hidden": "true" }, name[1]) : null,
    row === 7 ? el("span", { class: "file", "aria-hidden": "true" }, name[0]) : null);
    this.squares.set(name, button);
    return el("div", { role: "gridcell" }, button);
  }

  // The moves from a square; without one those that only place something.
  targets(from) {
    return this.moves.filter((move) => move.from === from);
  }

  click(name) {
    if (!this.enabled || this.skipClick) return;
    const placing = this.moves.filter((move) => move.from === "" && move.to === name);
    if (placing.length) return void this.onMoves(placing);
    if (this.chosen && this.chosen !== name) {
      const meant = this.targets(this.chosen).filter((move) => move.to === name);
      if (meant.length) return void this.onMoves(meant);
    }
    const begins = this.moves.some((move) => move.from === name);
    this.chosen = this.chosen === name || !begins ? "" : name;
    this.draw();
    this.squares.get(name)?.focus();
    return undefined;
  }

  key(event, name) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (event.key === "Escape") {
      this.chosen = "";
      this.draw();
    }
    if (!step) return;
    event.preventDefault();
    const up = this.upward() ? 1 : -1;
    const column = COLUMNS.indexOf(name[0]) + step[0] * (this.flipped ? -1 : 1);
    const row = Number(name[1]) + step[1] * up;
    this.squares.get(`${COLUMNS[column]}${row}`)?.focus();
  }

  // Dragging: the piece follows the pointer; where it is let go, it is moved.
  grab(event, name) {
    if (!this.enabled || event.button !== 0 || !this.moves.some((move) => move.from === name)) return;
    const origin = [event.clientX, event.clientY];
    const shape = this.squares.get(name).querySelector(".piece");
    let moved = false;
    const follow = (move) => {
      const [dx, dy] = [move.clientX - origin[0], move.clientY - origin[1]];
      if (!moved && Math.hypot(dx, dy) < 6) return;
      if (!moved) {
        moved = true;
        this.grid.classList.add("dragging");
      }
      shape.style.transform = `translate(${dx}px, ${dy}px)`;
      shape.style.zIndex = "5";
    };
    const drop = (end) => {
      removeEventListener("pointermove", follow);
      removeEventListener("pointerup", drop);
      removeEventListener("pointercancel", drop);
      this.grid.classList.remove("dragging");
      shape.style.transform = "";
      shape.style.zIndex = "";
      if (!moved) return;
      // The click that ends a drag is none.
      this.skipClick = true;
      setTimeout(() => (this.skipClick = false), 0);
      shape.style.pointerEvents = "none";
      const under = document.elementFromPoint(end.clientX, end.clientY)?.closest("[data-square]");
      shape.style.pointerEvents = "";
      const meant = under ? this.targets(name).filter((move) => move.to === under.dataset.square) : [];
      if (meant.length) this.onMoves(meant);
    };
    addEventListener("pointermove", follow);
    addEventListener("pointerup", drop);
    addEventListener("pointercancel", drop);
  }

  // Values on squares: a map from a square to its text and whether it is the best.
  showHints(hints) {
    this.hints = hints;
    this.draw();
  }

  // Arrows from square to square, or rings on squares: [move, strength from 0 to 1].
  showArrows(list) {
    this.arrowList = list;
    this.drawArrows();
  }

  drawArrows() {
    const list = (this.state?.board && this.arrowList) || [];
    const middle = (name) => {
      const column = COLUMNS.indexOf(name[0]);
      const row = Number(name[1]) - 1;
      return [(this.flipped ? 7 - column : column) * 100 + 50, (this.upward() ? 7 - row : row) * 100 + 50];
    };
    put(this.arrows, list.flatMap(([move, strength]) => {
      const [found] = geometry([[move]]);
      if (!found) return [];
      const [x2, y2] = middle(found.to);
      const style = { class: "arrow", opacity: 0.35 + 0.5 * strength, "stroke-width": 8 + 12 * strength };
      if (!found.from) return [svg("circle", { ...style, cx: x2, cy: y2, r: 38 })];
      const [x1, y1] = middle(found.from);
      const far = Math.hypot(x2 - x1, y2 - y1);
      const [ux, uy] = [(x2 - x1) / far, (y2 - y1) / far];
      const head = 30 + 14 * strength;
      const [bx, by] = [x2 - ux * head, y2 - uy * head];
      const wing = head * 0.55;
      return [
        svg("path", { ...style, d: `M${x1 + ux * 20} ${y1 + uy * 20}L${bx} ${by}` }),
        svg("path", { class: "head", opacity: style.opacity, d: `M${x2} ${y2}L${bx - uy * wing} ${by + ux * wing}L${bx + uy * wing} ${by - ux * wing}Z` }),
      ];
    }));
  }

  // A game that has nothing but a text: its words are cells, and those that name a move can be clicked.
  drawText() {
    const legal = new Set(this.state.legal.map(([move]) => move));
    const lines = this.state.picture.split("\n").filter((line) => line.trim()).map((line) => line.trim().split(/\s+/));
    const headers = lines.filter((words) => words.some((word) => legal.has(word)));
    const rows = lines.map((words) => el("div", { role: "row", class: "text-row" }, words.map((word, column) => {
      const header = headers.map((line) => line[column]).find((name) => legal.has(name));
      const move = legal.has(word) ? word : words.length === headers[0]?.length ? header : undefined;
      const can = this.enabled && move !== undefined;
      return el("div", { role: "gridcell" }, el("button", { type: "button", class: `cell cell-${word.toLowerCase().replace(/[^a-z0-9]/g, "") || "none"}`, disabled: !can, onclick: () => this.onMoves([{ move, rest: "" }]) }, word));
    })));
    this.grid.className = "board text";
    put(this.grid, rows);
    put(this.arrows);
  }
}
