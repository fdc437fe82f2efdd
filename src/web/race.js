// Two to four algorithms side by side on the same tree or position, stepped by leaves.
import { el, put, button, shownValue, isTyping } from "./base.js";
import { ask } from "./api.js";
import { Film } from "./film.js";
import { TreeView, processLegend } from "./treeview.js";
import { Chart } from "./chart.js";
import { AlgorithmPicker, SubjectForm, linkButton, start, tellError } from "./forms.js";

const MOST = 4;
const USUAL = ["alpha-beta", "sss", "mtd-f"];

// One algorithm of the race.
class Runner {
  constructor(data, colour) {
    this.colour = colour;
    this.film = new Film(data);
    this.view = new TreeView(this.film, { label: `The tree of ${data.algorithm.name}` });
    this.all = this.film.leafSteps.length;
    const number = (name) => (this[name] = el("strong", { "data-count": name }, "0"));
    this.value = el("strong", { "data-value": "" }, "?");
    this.element = el("section", { class: `runner ${colour}`, "aria-label": data.algorithm.name },
      el("h3", {}, data.algorithm.name, data.algorithm.simulated ? el("span", { class: "quiet" }, " simulated") : null),
      el("div", { class: "figures" },
        el("span", { class: "figure" }, number("leaves"), " leaves"), el("span", { class: "figure" }, number("visits"), " visits"),
        el("span", { class: "figure" }, number("memory"), " in memory"), el("span", { class: "figure" }, "value ", this.value)),
      el("div", { class: "canvas" }, this.view.element),
      this.film.processes ? el("ul", { class: "legend", "aria-label": "Processes" }, processLegend(this.film)) : null);
  }

  // The state after so many evaluations of leaves; its end if there are no more.
  go(leaves) {
    const { film } = this;
    film.go(leaves === 0 ? 0 : leaves >= this.all ? film.steps.length : film.leafSteps[leaves - 1]);
    this.view.update();
    const [distinct, visits, memory] = film.counts();
    this.leaves.textContent = distinct;
    this.visits.textContent = visits;
    this.memory.textContent = memory;
    const { value } = film.data.result;
    const known = film.at === film.steps.length && value !== null;
    this.value.textContent = known ? shownValue(value, film.unit) : "?";
    this.value.dataset.value = known ? value : "";
    this.element.classList.toggle("done", film.at === film.steps.length);
  }

  // The points of a chart up to now: x is evaluations of leaves.
  points(which) {
    const points = [[0, 0]];
    const { film } = this;
    film.leafSteps.forEach((step, index) => {
      if (step <= film.at) points.push([index + 1, film.steps[step - 1].c[which]]);
    });
    if (film.at === film.steps.length && film.at > 0) points.push([this.all, film.steps[film.at - 1].c[which]]);
    return points;
  }
}

start(async (place, data, query) => {
  const subject = new SubjectForm(data, query);
  const given = (query.get("algorithms") ?? USUAL.join(",")).split(",").slice(0, MOST);
  const pickers = el("div", { class: "row" });
  const chosen = [];
  const add = (id) => {
    const picker = new AlgorithmPicker(data.algorithms, id, `Algorithm ${chosen.length + 1}`);
    chosen.push(picker);
    pickers.append(picker.element);
    more.disabled = chosen.length >= MOST;
    fewer.disabled = chosen.length <= 2;
  };
  const more = el("button", { type: "button", onclick: () => add(USUAL[0]) }, "One more");
  const fewer = el("button", { type: "button", onclick: () => {
    chosen.pop().element.remove();
    more.disabled = false;
    fewer.disabled = chosen.length <= 2;
  } }, "One less");
  given.forEach(add);
  while (chosen.length < 2) add(USUAL[chosen.length]);
  const problem = el("div", {});
  const track = el("div", {});
  let timer = null;
  let hear = null;

  const link = (leaves) => {
    const now = subject.query();
    now.set("algorithms", chosen.map((picker) => picker.value).join(","));
    if (leaves) now.set("step", leaves);
    return `/race?${now}`;
  };

  const race = async (step) => {
    clearInterval(timer);
    timer = null;
    tellError(problem, null);
    try {
      const films = await Promise.all(chosen.map((picker) => ask("/api/search", { ...subject.question(), algorithm: picker.value })));
      show(films.map((film, number) => new Runner(film, `p${number + 1}`)), step);
    } catch (error) {
      put(track);
      tellError(problem, error);
    }
  };

  const show = (runners, step) => {
    const longest = Math.max(1, ...runners.map((runner) => runner.all));
    const most = (which) => Math.max(1, ...runners.map((runner) => Math.max(...runner.film.steps.map((s) => s.c[which]))));
    const charts = [["leaves", 0], ["visits", 1], ["memory", 2]].map(([name, which]) => [new Chart(name, longest, most(which), "evaluations"), which]);
    let at = 0;
    const where = el("output", {});
    const slider = el("input", { type: "range", min: 0, max: longest, value: 0, "aria-label": "Leaves", oninput: () => go(Number(slider.value)) });
    let waiting = null;
    const go = (leaves) => {
      at = Math.max(0, Math.min(longest, leaves));
      for (const runner of runners) {
        runner.go(at);
        for (const [chart, which] of charts) chart.draw(runner.colour, runner.points(which), runner.colour);
      }
      slider.value = at;
      where.textContent = `${at} of ${longest} evaluations`;
      clearTimeout(waiting);
      waiting = setTimeout(() => history.replaceState(null, "", link(at)), 200);
    };
    const pause = () => {
      clearInterval(timer);
      timer = null;
      put(toggle, "▶");
      toggle.setAttribute("aria-label", "Play");
    };
    const play = () => {
      if (at === longest) go(0);
      timer = setInterval(() => {
        go(at + 1);
        if (at === longest) pause();
      }, Math.max(30, Math.min(500, 12000 / longest)));
      put(toggle, "❙❙");
      toggle.setAttribute("aria-label", "Pause");
    };
    const toggle = button("Play", "▶", () => (timer ? pause() : play()), { class: "primary" });
    document.removeEventListener("keydown", hear);
    hear = (event) => {
      if (isTyping(event.target) || event.target === slider || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "ArrowRight") go(at + 1);
      else if (event.key === "ArrowLeft") go(at - 1);
    };
    document.addEventListener("keydown", hear);
    put(track,
      el("div", { class: "controls", role: "toolbar", "aria-label": "Steps" },
        button("First step", "«", () => go(0)), button("Step back", "‹", () => go(at - 1)), toggle,
        button("Step forward", "›", () => go(at + 1)), button("Last step", "»", () => go(longest))),
      el("div", { class: "slide" }, slider, where),
      el("div", { class: "charts" }, charts.map(([chart]) => chart.element)),
      el("div", { class: `runners of-${runners.length}` }, runners.map((runner) => runner.element)));
    go(step);
  };

  const begin = () => {
    history.pushState(null, "", link(0));
    race(0);
  };
  const form = el("form", { class: "form card", onsubmit: (event) => {
    event.preventDefault();
    begin();
  } }, subject.element, pickers, el("div", { class: "row" }, more, fewer, el("button", { type: "submit", class: "primary" }, "Race"), linkButton()));
  put(place, form, problem, track);
  addEventListener("popstate", () => location.reload());
  await race(Number(query.get("step") ?? 0));
});
