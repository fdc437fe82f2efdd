// The stepper: a tree that grows, its counts, OPEN and the memory beside it, and a sentence for every step.
import { el, put, button, shownValue, shownBounds, isTyping } from "./base.js";
import { Film } from "./film.js";
import { TreeView, processLegend } from "./treeview.js";

const OPEN_SHOWN = 24;
const SPEEDS = [["0.5", "½ step a second"], ["1", "1 step a second"], ["2", "2 steps a second"], ["5", "5 steps a second"], ["15", "15 steps a second"], ["60", "60 steps a second"]];

const LEGEND = [
  ["max", "MAX"], ["min", "MIN"], ["leaf", "visited leaf"], ["cut", "cut off"], ["live", "LIVE on OPEN"],
  ["solved", "SOLVED on OPEN"], ["s1", "max solution tree: f⁺"], ["s2", "min solution tree: f⁻"], ["s3", "both"],
];

export class Stepper {
  // `onStep` is called with the number of steps done, whenever it changes.
  constructor(data, { step, onStep } = {}) {
    this.onStep = onStep;
    this.film = new Film(data);
    this.view = new TreeView(this.film, { label: "The search tree", onPick: (node) => this.tellNode(node) });
    this.timer = null;
    this.build(data);
    this.hear = (event) => this.onKey(event);
    document.addEventListener("keydown", this.hear);
    this.go(step ?? 0);
  }

  // Ends it: another stepper takes its place.
  close() {
    this.pause();
    document.removeEventListener("keydown", this.hear);
  }

  build(data) {
    const figure = (name, label, title) => {
      const number = el("strong", { "data-count": name }, "0");
      this[name] = number;
      return el("span", { class: "figure", title }, number, ` ${label}`);
    };
    this.rootValue = el("strong", { "data-value": "" }, "?");
    this.rootBounds = el("span", { class: "quiet" });
    this.where = el("output", { "aria-live": "off" });
    this.slider = el("input", {
      type: "range", min: 0, max: this.film.steps.length, value: 0, "aria-label": "Step",
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.toggle = button("Play", "▶", () => (this.timer ? this.pause() : this.play()), { class: "primary" });
    this.speed = el("select", { "aria-label": "Speed", onchange: () => this.timer && this.play() },
      SPEEDS.map(([value, text]) => el("option", { value, selected: value === "2" }, text)));
    const controls = el("div", { class: "controls", role: "toolbar", "aria-label": "Steps" },
      button("First step", "«", () => this.go(0)),
      button("Previous cut-off", "‹ ✂", () => this.jump(this.film.cutSteps, -1)),
      button("Step back", "‹", () => this.go(this.film.at - 1)),
      this.toggle,
      button("Step forward", "›", () => this.go(this.film.at + 1)),
      button("Next leaf", "› leaf", () => this.jump(this.film.leafSteps, 1)),
      button("Next cut-off", "✂ ›", () => this.jump(this.film.cutSteps, 1)),
      button("Last step", "»", () => this.go(this.film.steps.length)),
      this.speed);
    this.sentence = el("p", { class: "sentence", "aria-live": "polite" });
    this.reasons = el("ul", { class: "reasons", "aria-live": "polite" });
    this.openPanel = el("section", { class: "panel", "aria-label": "OPEN" });
    this.memoryPanel = el("section", { class: "panel", "aria-label": "Memory" });
    this.nodePanel = el("section", { class: "panel", "aria-label": "Node", hidden: true });
    const solutions = el("input", {
      type: "checkbox", checked: true,
      onchange: () => {
        this.view.showSolutions = solutions.checked;
        this.view.drawSolutions();
      },
    });
    this.follow = el("input", {
      type: "checkbox",
      onchange: () => {
        this.view.follows = this.follow.checked;
        if (this.follow.checked) this.view.centre(this.film.current);
        else this.view.fit();
      },
    });
    this.view.onFree = () => (this.follow.checked = false);
    const zooms = el("div", { class: "zooms", role: "toolbar", "aria-label": "View" },
      button("Zoom in", "+", () => this.view.zoom(1 / 1.3)),
      button("Zoom out", "−", () => this.view.zoom(1.3)),
      button("Show all", "⤢", () => {
        this.view.free();
        this.view.fit();
      }),
      el("label", {}, this.follow, " follow"),
      el("label", {}, solutions, " solution trees"));
    const { algorithm } = data;
    this.element = el("div", { class: "stepper" },
      el("div", { class: "headline" },
        el("h2", {}, algorithm.name),
        el("span", { class: "quiet" }, `${algorithm.about}${algorithm.simulated ? " (simulated)" : ""}`)),
      controls,
      el("div", { class: "figures" },
        figure("leaves", "leaves", "Distinct leaves that were evaluated"),
        figure("visits", "visits", "All visits of nodes"),
        figure("memory", "in memory", "States on OPEN and nodes with stored bounds"),
        el("span", { class: "figure", title: "The value of the root" }, "value ", this.rootValue, " ", this.rootBounds)),
      el("div", { class: "slide" }, this.slider, this.where),
      el("div", { class: "stage" },
        el("div", { class: "canvas" }, this.view.element, zooms),
        el("aside", { class: "side" }, el("section", { class: "panel now", "aria-label": "What happens" }, this.sentence, this.reasons),
          this.openPanel, this.memoryPanel, this.nodePanel)),
      this.legend(),
      data.truncated ? el("p", { class: "notice" }, `The search is longer than can be watched: these are its first ${this.film.steps.length} steps. A smaller depth shows all of it.`) : null);
    // What would be too small to read is shown where the search is.
    if (this.film.size > 160 || this.view.layout.right > 2.4 * innerWidth) {
      this.follow.checked = true;
      this.view.follows = true;
    }
  }

  legend() {
    return el("ul", { class: "legend", "aria-label": "Legend" }, LEGEND.map(([kind, text]) => el("li", {}, el("span", { class: `swatch ${kind}` }), text)), processLegend(this.film));
  }

  onKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const onSlider = event.target === this.slider;
    const actions = {
      ArrowRight: () => !onSlider && this.go(this.film.at + 1),
      ArrowLeft: () => !onSlider && this.go(this.film.at - 1),
      Home: () => this.go(0),
      End: () => this.go(this.film.steps.length),
      n: () => this.jump(this.film.cutSteps, 1),
      p: () => this.jump(this.film.cutSteps, -1),
      l: () => this.jump(this.film.leafSteps, 1),
      f: () => {
        this.view.free();
        this.view.fit();
      },
    };
    if (event.key === " " && !(event.target instanceof HTMLButtonElement)) {
      event.preventDefault();
      if (this.timer) this.pause();
      else this.play();
    } else if (actions[event.key] && actions[event.key]() !== false) {
      event.preventDefault();
    }
  }

  // Goes to the next of some steps, or to the last before this one.
  jump(steps, direction) {
    const at = this.film.at;
    const found = direction > 0 ? steps.find((step) => step > at) : steps.findLast((step) => step < at);
    this.go(found ?? (direction > 0 ? this.film.steps.length : 0));
  }

  play() {
    this.pause();
    if (this.film.at === this.film.steps.length) this.go(0);
    const tick = () => {
      this.go(this.film.at + 1);
      if (this.film.at === this.film.steps.length) this.pause();
    };
    this.timer = setInterval(tick, 1000 / Number(this.speed.value));
    put(this.toggle, "❙❙");
    this.toggle.setAttribute("aria-label", "Pause");
    this.toggle.title = "Pause";
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    put(this.toggle, "▶");
    this.toggle.setAttribute("aria-label", "Play");
    this.toggle.title = "Play";
  }

  go(step) {
    this.film.go(step);
    this.view.update();
    this.tell();
    if (this.onStep) this.onStep(this.film.at);
  }

  tell() {
    const { film } = this;
    const [leaves, visits, memory] = film.counts();
    this.leaves.textContent = leaves;
    this.visits.textContent = visits;
    this.memory.textContent = memory;
    this.slider.value = film.at;
    this.where.textContent = `step ${film.at} of ${film.steps.length}`;
    const step = film.step();
    const isLast = film.at === film.steps.length;
    const { value } = film.data.result;
    const known = isLast && value !== null;
    this.rootValue.textContent = known ? shownValue(value, film.unit) : "?";
    this.rootValue.dataset.value = known ? value : "";
    const bounds = shownBounds(film.lower[0], film.upper[0], film.unit);
    this.rootBounds.textContent = known || !bounds ? "" : `proved so far: ${bounds}`;
    const process = step && step.p ? `Process ${step.p}. ` : "";
    this.sentence.textContent = step ? process + step.t + (step.end ? ` ${step.end}` : "") : "The search has not begun. Step forward, or play.";
    put(this.reasons, ((step && step.cut) || []).map((cut) => el("li", {}, "✂ ", cut.why)));
    this.tellOpen();
    this.tellMemory(step);
    if (this.view.picked !== undefined) this.tellNode(this.view.picked);
  }

  // OPEN of every process. The rows stay, only what is in them changes: that is quicker.
  tellOpen() {
    const lists = this.film.openLists();
    this.openPanel.hidden = lists.length === 0;
    if (!lists.length) return;
    if (this.openTables?.length !== lists.length) {
      this.openTables = lists.map(() => {
        const rows = Array.from({ length: OPEN_SHOWN }, () => el("tr", {}, el("td", {}), el("td", {}), el("td", { class: "number" })));
        const [caption, more] = [el("caption", {}), el("td", { colspan: 3 })];
        const element = el("table", {}, caption, el("thead", {}, el("tr", {}, el("th", {}, "node"), el("th", {}, "status"), el("th", { class: "number" }, "merit"))), el("tbody", {}, rows, el("tr", {}, more)));
        return { element, caption, rows, more };
      });
      put(this.openPanel, el("h3", {}, "OPEN"), this.openTables.map((table) => table.element));
    }
    const set = (place, text) => place.textContent !== text && (place.textContent = text);
    lists.forEach(({ p: process, states, all }, number) => {
      const { caption, rows, more } = this.openTables[number];
      set(caption, process ? `Process ${process}` : "best first");
      rows.forEach((row, place) => {
        const state = states[place];
        row.hidden = !state;
        if (!state) return;
        const [node, status, merit, active] = state;
        row.className = status.toLowerCase();
        set(row.cells[0], this.film.name(node));
        set(row.cells[1], active ? status : "INACTIVE");
        set(row.cells[2], shownValue(merit ?? Infinity, this.film.unit));
      });
      const rest = all - Math.min(states.length, OPEN_SHOWN);
      more.parentElement.hidden = rest <= 0;
      set(more, `and ${rest} more`);
    });
  }

  tellMemory(step) {
    const { film } = this;
    const recent = [];
    for (let at = film.at; at > 0 && recent.length < 8 && film.at - at < 400; at--) {
      const { e, n, b } = film.steps[at - 1];
      if (e === "stored" || e === "answered") recent.push([e, n, b, at]);
    }
    this.memoryPanel.hidden = recent.length === 0;
    if (!recent.length) return;
    const rows = recent.map(([kind, node, [low, high], at]) => el("tr", { class: kind },
      el("td", {}, film.name(node)), el("td", {}, kind === "stored" ? "stores" : "answers"),
      el("td", { class: "number" }, shownBounds(low ?? -Infinity, high ?? Infinity, film.unit) || "nothing"),
      el("td", { class: "number quiet" }, `step ${at}`)));
    put(this.memoryPanel, el("h3", {}, "Memory: f⁻ and f⁺"), el("table", {}, el("tbody", {}, rows)));
    if (step && step.e === "answered") this.memoryPanel.classList.add("fresh");
    else this.memoryPanel.classList.remove("fresh");
  }

  tellNode(node) {
    const { film } = this;
    this.nodePanel.hidden = false;
    const side = film.isLeaf(node) ? "leaf" : film.isMax(node) ? "MAX" : "MIN";
    const facts = [["f⁻, f⁺", shownBounds(film.lower[node], film.upper[node], film.unit) || "nothing proved"]];
    if (film.windowBy[node]) {
      const by = film.steps[film.windowBy[node] - 1];
      if (by.w) facts.push(["last window", `(${shownValue(by.w[0] ?? -Infinity, film.unit)}, ${shownValue(by.w[1] ?? Infinity, film.unit)})`]);
      else facts.push(["last test", shownValue(by.v, film.unit)]);
    }
    if (film.storedBy[node]) {
      const [low, high] = film.steps[film.storedBy[node] - 1].b;
      facts.push(["in memory", shownBounds(low ?? -Infinity, high ?? Infinity, film.unit) || "nothing"]);
    }
    if (film.open[node]) facts.push(["on OPEN", `${["", "LIVE", "SOLVED", "INACTIVE"][film.open[node]]}, merit ${shownValue(film.merit[node], film.unit)}`]);
    const cut = film.whyCut(node);
    put(this.nodePanel, el("h3", {}, `${side} ${film.name(node)}`),
      el("dl", {}, facts.flatMap(([name, what]) => [el("dt", {}, name), el("dd", {}, what)])),
      cut ? el("p", {}, `✂ ${cut.why} (step ${cut.step})`) : null);
  }
}

// A file that holds the film of one search, and nothing to ask a server for.
export function openAlone() {
  const data = JSON.parse(document.getElementById("film").textContent);
  const step = Number(new URLSearchParams(location.hash.slice(1)).get("step") || 0);
  const stepper = new Stepper(data, { step });
  document.getElementById("stepper").append(stepper.element);
}
