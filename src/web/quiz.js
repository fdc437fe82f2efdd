// A quiz for a class: which leaves will the search visit on this tree?
import { el, put } from "./base.js";
import { ask } from "./api.js";
import { Film } from "./film.js";
import { TreeView } from "./treeview.js";
import { AlgorithmPicker, linkButton, start, tellError } from "./forms.js";
import { EXAMPLES } from "./examples.js";

// A random tree that is small enough to think about.
function randomTree() {
  const number = (most) => Math.floor(Math.random() * most);
  const make = (depth) => (depth === 0 ? String(number(10)) : `(${Array.from({ length: 2 + number(2) }, () => make(depth - 1)).join(" ")})`);
  return make(2 + number(2));
}

start(async (place, data, query) => {
  const tree = el("textarea", { "aria-label": "Tree", rows: 2, spellcheck: "false" }, query.get("tree") ?? EXAMPLES[0].tree);
  const algorithm = new AlgorithmPicker(data.algorithms, query.get("algorithm") ?? EXAMPLES[0].algorithm, "Algorithm");
  const problem = el("div", {});
  const exercise = el("div", {});

  const set = async () => {
    tellError(problem, null);
    try {
      const film = await ask("/api/search", { tree: tree.value, algorithm: algorithm.value });
      show(film);
    } catch (error) {
      put(exercise);
      tellError(problem, error);
    }
  };

  const show = (data) => {
    const film = new Film(data);
    const leaves = [];
    // From left to right, as people number them.
    const waiting = [0];
    while (waiting.length) {
      const node = waiting.pop();
      if (film.isLeaf(node)) leaves.push(node);
      for (let child = film.first[node] + film.count[node] - 1; child >= film.first[node]; child--) waiting.push(child);
    }
    const answer = new Set(data.steps.filter((step) => step.e === "leaf").map((step) => step.n));
    const chosen = new Set();
    let checked = false;
    const marks = (node) => {
      if (!film.isLeaf(node)) return "";
      if (!checked) return chosen.has(node) ? "chosen" : "";
      if (answer.has(node)) return chosen.has(node) ? "right" : "missed";
      return chosen.has(node) ? "wrong" : "rightly-left";
    };
    const view = new TreeView(film, { label: "The tree of the exercise", marks, onPick: (node) => film.isLeaf(node) && toggle(node) });
    const boxes = leaves.map((node, number) => el("label", { class: "check" },
      el("input", { type: "checkbox", "data-leaf": number, "aria-label": `Leaf ${number}, value ${film.leafValue[node]}`, onchange: () => toggle(node) }), ` ${film.leafValue[node]}`));
    const toggle = (node) => {
      if (checked) return;
      if (!chosen.delete(node)) chosen.add(node);
      boxes[leaves.indexOf(node)].querySelector("input").checked = chosen.has(node);
      view.draw(node);
    };
    const verdict = el("div", { role: "status" });
    const check = el("button", { type: "button", class: "primary", onclick: () => {
      checked = true;
      check.disabled = true;
      film.go(film.steps.length);
      view.redraw();
      const right = leaves.filter((node) => answer.has(node) === chosen.has(node)).length;
      const order = data.steps.filter((step) => step.e === "leaf").map((step) => leaves.indexOf(step.n));
      const first = [...new Set(order)];
      const wrong = leaves.filter((node) => answer.has(node) !== chosen.has(node));
      const why = wrong.map((node) => {
        const name = `Leaf ${leaves.indexOf(node)} (${film.leafValue[node]})`;
        if (answer.has(node)) {
          const step = data.steps.find((s) => s.e === "leaf" && s.n === node);
          return el("li", {}, `${name} is visited as number ${first.indexOf(leaves.indexOf(node)) + 1}. ${step.t}`);
        }
        let at = node;
        while (at !== 0 && !film.whyCut(at)) at = film.parent[at];
        return el("li", {}, `${name} is not visited. ${film.whyCut(at)?.why ?? ""}`);
      });
      const all = `${data.algorithm.name} visits ${answer.size} of ${leaves.length} leaves, in the order ${first.join(" ")} (numbered from 0).`;
      const watch = new URLSearchParams({ tree: tree.value.trim(), algorithm: algorithm.value });
      put(verdict, el("p", {}, el("strong", { "data-score": right }, right === leaves.length ? "All right!" : `${right} of ${leaves.length} leaves are right.`), ` ${all}`),
        why.length ? el("ul", {}, why) : null, el("p", {}, el("a", { href: `/watch?${watch}` }, "Watch this search")));
    } }, "Check");
    const again = el("button", { type: "button", onclick: () => show(data) }, "Try again");
    put(exercise,
      el("p", {}, "Which leaves does ", el("strong", {}, data.algorithm.name), " visit on this tree? Choose them in the picture or in the list; MAX (squares) moves first, and children are searched from left to right."),
      el("div", { class: "canvas quiz" }, view.element),
      el("fieldset", { class: "leaves" }, el("legend", {}, "Leaves from left to right"), boxes),
      el("div", { class: "row" }, check, again), verdict);
  };

  const begin = () => {
    history.pushState(null, "", `/quiz?${new URLSearchParams({ tree: tree.value.trim(), algorithm: algorithm.value })}`);
    set();
  };
  algorithm.select.addEventListener("change", () => algorithm.select.value && begin());
  const form = el("form", { class: "form card", onsubmit: (event) => {
    event.preventDefault();
    begin();
  } }, el("div", { class: "row" }, el("label", { class: "grow" }, "Tree", tree), algorithm.element),
  el("div", { class: "row" }, el("button", { type: "submit", class: "primary" }, "Set this exercise"), el("button", { type: "button", onclick: () => {
    tree.value = randomTree();
    begin();
  } }, "Random tree"), linkButton()));
  put(place, form, problem, exercise);
  addEventListener("popstate", () => location.reload());
  await set();
});
