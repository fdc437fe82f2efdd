// The view that shows a search step by step.
import { el, put } from "./base.js";
import { ask } from "./api.js";
import { Stepper } from "./stepper.js";
import { AlgorithmPicker, SubjectForm, linkButton, start, tellError } from "./forms.js";

start(async (place, data, query) => {
  const subject = new SubjectForm(data, query);
  const algorithm = new AlgorithmPicker(data.algorithms, query.get("algorithm") ?? data.algorithms[1].id, "Algorithm");
  const problem = el("div", {});
  const stage = el("div", { "aria-busy": "false" });
  let stepper = null;
  let asked = null;

  const address = (step) => {
    const now = subject.query();
    now.set("algorithm", algorithm.value);
    if (query.get("simulate") === "0") now.set("simulate", "0");
    if (step) now.set("step", step);
    return `/watch?${now}`;
  };
  let waiting = null;
  const remember = (step) => {
    // A browser allows few changes of the address a second.
    clearTimeout(waiting);
    waiting = setTimeout(() => history.replaceState(null, "", address(step)), 200);
  };

  const watch = async (step) => {
    asked?.abort();
    asked = new AbortController();
    const { signal } = asked;
    tellError(problem, null);
    stage.setAttribute("aria-busy", "true");
    delete stage.dataset.algorithm;
    try {
      const question = { ...subject.question(), algorithm: algorithm.value };
      if (query.get("simulate") === "0") question.simulate = false;
      const film = await ask("/api/search", question, signal);
      stepper?.close();
      stepper = new Stepper(film, { step, onStep: remember });
      put(stage, stepper.element);
      stage.dataset.algorithm = film.algorithm.id;
    } catch (error) {
      if (error.name !== "AbortError") {
        stepper?.close();
        stepper = null;
        put(stage);
        tellError(problem, error);
      }
    }
    stage.setAttribute("aria-busy", "false");
  };

  const begin = () => {
    history.pushState(null, "", address(0));
    watch(0);
  };
  algorithm.select.addEventListener("change", () => algorithm.select.value && begin());
  subject.onExample = (example) => {
    algorithm.set(example.algorithm);
    begin();
  };
  const form = el("form", { class: "form card", onsubmit: (event) => {
    event.preventDefault();
    begin();
  } }, subject.element, el("div", { class: "row" }, algorithm.element, el("button", { type: "submit", class: "primary" }, "Search"), linkButton()));
  put(place, form, problem, stage);
  addEventListener("popstate", () => location.reload());
  await watch(Number(query.get("step") ?? 0));
});
