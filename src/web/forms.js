// The forms that the views share: what is searched, and by which algorithm.
import { el, put } from "./base.js";
import { info } from "./api.js";
import { EXAMPLES } from "./examples.js";

// Shows an error, or nothing.
export function tellError(place, error) {
  put(place, error ? el("p", { class: "error", role: "alert" }, error.message || String(error)) : null);
}

// A choice of an algorithm: the catalogue's examples, or any id that is typed.
export class AlgorithmPicker {
  constructor(algorithms, value, label) {
    this.typed = el("input", { type: "text", "aria-label": `${label}: its id`, hidden: true, size: 12, spellcheck: "false" });
    const groups = algorithms.map((entry) => entry.examples.map((id) => el("option", { value: id, title: entry.about }, `${id} · ${entry.name}`)));
    this.select = el("select", { "aria-label": label, onchange: () => this.changed() }, groups.flat(), el("option", { value: "" }, "another id…"));
    this.element = el("label", {}, label, this.select, this.typed);
    this.set(value);
  }

  changed() {
    this.typed.hidden = this.select.value !== "";
    if (!this.typed.hidden) this.typed.focus();
  }

  set(id) {
    const known = [...this.select.options].some((option) => option.value === id);
    this.select.value = known ? id : "";
    this.typed.value = known ? "" : id;
    this.typed.hidden = known;
  }

  get value() {
    return (this.select.value || this.typed.value).trim();
  }
}

// What is searched: a tree as text, or a position of a game to a depth.
export class SubjectForm {
  constructor(data, query) {
    this.games = data.games;
    const isGame = query.has("game");
    const name = `subject-${Math.random().toString(36).slice(2)}`;
    const radio = (value, checked, text) => el("label", { class: "check" }, el("input", { type: "radio", name, value, checked, onchange: () => this.show() }), text);
    this.kind = el("div", { class: "row", role: "radiogroup", "aria-label": "What is searched" }, radio("tree", !isGame, " a tree"), radio("game", isGame, " a position"));
    this.tree = el("textarea", { "aria-label": "Tree", rows: 2, spellcheck: "false" }, query.get("tree") ?? EXAMPLES[0].tree);
    this.example = el("select", { "aria-label": "Example", onchange: () => this.take() },
      el("option", { value: "" }, "examples…"), EXAMPLES.map((example, number) => el("option", { value: number }, example.name)));
    this.game = el("select", { "aria-label": "Game" }, data.games.map((game) => el("option", { value: game.name, selected: game.name === query.get("game") }, game.name)));
    this.position = el("input", { type: "text", "aria-label": "Position", value: query.get("position") ?? "", placeholder: "empty for the start", spellcheck: "false" });
    this.depth = el("input", { type: "number", "aria-label": "Depth", min: 0, max: 12, value: query.get("depth") ?? 3 });
    const memories = [["", "the algorithm's own"], ["table", "transposition table"], ["table+history", "table and history"], ["all", "all functions"]];
    const wanted = query.get("memory") ?? "";
    // A link may ask for any parts.
    if (!memories.some(([value]) => value === wanted)) memories.push([wanted, wanted]);
    this.memory = el("select", { "aria-label": "Memory" },
      memories.map(([value, text]) => el("option", { value, selected: value === wanted }, text)));
    this.deepening = el("input", { type: "checkbox", checked: query.get("deepening") === "1" });
    this.treeFields = el("div", { class: "row" }, el("label", { class: "grow" }, "Tree: lists are nodes, numbers are leaves, the root is MAX", this.tree));
    this.gameFields = el("div", { class: "row" }, el("label", {}, "Game", this.game), el("label", { class: "grow" }, "Position", this.position), el("label", {}, "Depth", this.depth), el("label", {}, "Memory", this.memory), el("label", { class: "check" }, this.deepening, " depth 1, 2, … first"));
    this.element = el("div", { class: "subject" }, el("div", { class: "row spread" }, this.kind, this.example), this.treeFields, this.gameFields);
    this.onExample = null;
    this.show();
  }

  isTree() {
    return this.kind.querySelector("input:checked").value === "tree";
  }

  show() {
    this.treeFields.hidden = !this.isTree();
    this.example.hidden = !this.isTree();
    this.gameFields.hidden = this.isTree();
  }

  take() {
    const example = EXAMPLES[Number(this.example.value)];
    if (this.example.value === "" || !example) return;
    this.tree.value = example.tree;
    this.example.value = "";
    if (this.onExample) this.onExample(example);
  }

  // What to ask the server for, without the algorithm.
  question() {
    if (this.isTree()) return { tree: this.tree.value };
    return { game: this.game.value, position: this.position.value, depth: Number(this.depth.value), memory: this.memory.value, deepening: this.deepening.checked };
  }

  // The same for a link.
  query() {
    const query = new URLSearchParams();
    if (this.isTree()) {
      query.set("tree", this.tree.value.trim());
      return query;
    }
    query.set("game", this.game.value);
    if (this.position.value.trim()) query.set("position", this.position.value.trim());
    query.set("depth", this.depth.value);
    if (this.memory.value) query.set("memory", this.memory.value);
    if (this.deepening.checked) query.set("deepening", "1");
    return query;
  }
}

// Copies the link to what is shown.
export function linkButton() {
  const done = el("span", { role: "status", class: "quiet" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      done.textContent = " copied";
    } catch {
      done.textContent = ` ${location.href}`;
    }
  };
  return el("span", {}, el("button", { type: "button", onclick: copy }, "Copy link"), done);
}

// Runs a view once the server has told what it knows.
export async function start(view) {
  const place = document.getElementById("view");
  try {
    await view(place, await info(), new URLSearchParams(location.search));
    document.body.dataset.ready = "yes";
  } catch (error) {
    tellError(place, error);
  }
}
