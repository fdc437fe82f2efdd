// The first page: where everything is.
import { el, put } from "./base.js";
import { start } from "./forms.js";

start(async (place, data) => {
  const card = (href, title, text) => el("a", { class: "card view", href }, el("h2", {}, title), el("p", {}, text));
  put(place,
    el("p", {}, `${data.algorithms.length} searches of the literature, exact and counted, on ${data.games.map((game) => game.name).join(", ")} and any tree.`),
    el("div", { class: "views" },
      data.games.map((game) => card(`/play/${game.name}`, `Play ${game.name}`, "Against any engine or algorithm, at any level, with hints, a clock and an analysis of the game.")),
      card("/watch", "Watch a search", "Type a tree or take a position: see every step, every cut-off and its reason."),
      card("/race", "Race", "Two to four algorithms side by side, leaf by leaf."),
      card("/quiz", "Quiz", "Which leaves will the search visit? Choose, check, understand."),
      card("/results", "Results", data.results ? "The records of your experiment, live." : "Start the program with a folder of records to see them here.")));
});
