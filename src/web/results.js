// The records of an experiment: filtered, drawn, live while a run is under way.
import { el, put, svg, amount } from "./base.js";
import { ask } from "./api.js";
import { start, tellError } from "./forms.js";

const POLL = 2000;
const MEASURES = [["leaves", "leaves"], ["evaluations", "evaluations"], ["visits", "visits"], ["entries", "entries in memory"], ["seconds", "seconds"]];
const FILTERS = [["game", "Game"], ["depth", "Depth"], ["algorithm", "Algorithm"], ["memory", "Memory"]];
const SHOWN_ROWS = 200;

// A number in few digits.
function shown(value) {
  if (value === null || value === undefined) return "–";
  return typeof value === "number" && !Number.isInteger(value) ? value.toPrecision(3) : String(value);
}

start(async (place, data, query) => {
  if (!data.results) {
    put(place, el("p", {}, "No folder of records was given. Make one with ", el("code", {}, "plyground compare --out results"), " and start ", el("code", {}, "plyground serve results"), "."));
    return;
  }
  let records = [];
  let version = "";
  const chosen = Object.fromEntries(FILTERS.map(([key, text]) => [key, el("select", { "aria-label": text, onchange: () => show() })]));
  const measure = el("select", { "aria-label": "Measure", onchange: () => show() }, MEASURES.map(([value, text]) => el("option", { value, selected: value === query.get("measure") }, text)));
  const title = el("h2", {});
  const live = el("span", { role: "status", class: "quiet" });
  const problem = el("div", {});
  const plot = el("div", {});
  const picked = el("section", { class: "panel", "aria-label": "Search" }, el("p", { class: "quiet" }, "Choose a point or a row: its position, and the search to watch."));
  const table = el("div", { class: "scroll" });

  const fillFilters = () => {
    for (const [key, text] of FILTERS) {
      const values = [...new Set(records.map((record) => String(record[key])))].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
      const wanted = chosen[key].value || query.get(key) || "";
      put(chosen[key], el("option", { value: "" }, `every ${text.toLowerCase()}`), values.map((value) => el("option", { value, selected: value === wanted }, value)));
    }
  };
  const filtered = () => records.filter((record) => FILTERS.every(([key]) => !chosen[key].value || String(record[key]) === chosen[key].value));

  const pick = (record) => {
    const facts = [["game", record.game], ["position", record.position], ["algorithm", record.algorithm], ["depth", record.depth], ["memory", record.memory],
      ["value", record.value ?? "–"], ["best", record.best ?? "–"], ["leaves", record.leaves ?? "–"], ["visits", record.visits], ["stopped by", record.stopped ?? "–"]];
    const watch = new URLSearchParams({ game: record.game, position: record.position, depth: record.depth, algorithm: record.algorithm });
    if (record.memory !== "none") watch.set("memory", record.memory);
    if (record.deepening) watch.set("deepening", "1");
    const play = new URLSearchParams({ start: record.position, engine: "nobody" });
    put(picked, el("h3", {}, `${record.algorithm}, depth ${record.depth}`), el("dl", {}, facts.flatMap(([name, what]) => [el("dt", {}, name), el("dd", {}, String(what))])),
      el("p", {}, el("a", { href: `/watch?${watch}` }, "Watch this search"), " · ", el("a", { href: `/play/${record.game}?${play}` }, "Open the position")));
  };

  const draw = (rows, key) => {
    const names = [...new Set(rows.map((record) => record.algorithm))].sort();
    // On a phone the same letters need more of the width.
    const [width, left, right] = innerWidth < 700 ? [420, 104, 12] : [900, 150, 20];
    const height = 40 + names.length * 26;
    const values = rows.map((record) => record[key]).filter((value) => value > 0);
    const [low, high] = [Math.log10(Math.min(...values, 1e9)), Math.log10(Math.max(...values, 1))];
    const x = (value) => left + ((Math.log10(value) - low) / Math.max(0.01, high - low)) * (width - left - right);
    const y = (name) => 22 + names.indexOf(name) * 26;
    const ticks = [];
    for (let power = Math.ceil(low); power <= high; power++) ticks.push(10 ** power);
    const root = svg("svg", { class: "chart points", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${key} of each search, by algorithm` });
    for (const tick of ticks) root.append(svg("path", { class: "axis", d: `M${x(tick)} 8V${height - 22}` }), svg("text", { x: x(tick), y: height - 8, "text-anchor": "middle" }, amount(tick)));
    for (const name of names) root.append(svg("text", { x: left - 10, y: y(name) + 4, "text-anchor": "end", class: "title" }, name));
    for (const record of rows) {
      if (!(record[key] > 0)) continue;
      root.append(svg("circle", { class: "point", cx: x(record[key]), cy: y(record.algorithm), r: 4.5, tabindex: 0, role: "button", "aria-label": `${record.algorithm}, depth ${record.depth}: ${record[key]} ${key}`,
        onclick: () => pick(record), onkeydown: (event) => event.key === "Enter" && pick(record) }));
    }
    put(plot, root);
  };

  const show = () => {
    const rows = filtered();
    const key = measure.value;
    draw(rows.slice(0, 4000), key);
    const columns = ["game", "depth", "algorithm", "memory", "value", "leaves", "visits", "entries", "seconds"];
    put(table, el("table", {}, el("caption", {}, `${rows.length} of ${records.length} records`),
      el("thead", {}, el("tr", {}, columns.map((column) => el("th", {}, column)))),
      el("tbody", {}, rows.slice(0, SHOWN_ROWS).map((record) => el("tr", { class: "choice", tabindex: 0, onclick: () => pick(record), onkeydown: (event) => event.key === "Enter" && pick(record) },
        columns.map((column) => el("td", { class: typeof record[column] === "number" ? "number" : "" }, shown(record[column]))))))));
    const now = new URLSearchParams();
    for (const [filter] of FILTERS) if (chosen[filter].value) now.set(filter, chosen[filter].value);
    if (key !== MEASURES[0][0]) now.set("measure", key);
    history.replaceState(null, "", `/results${now.size ? `?${now}` : ""}`);
  };

  const look = async () => {
    try {
      const answer = await ask(`/api/results?version=${version}`);
      tellError(problem, null);
      if (!answer.records) {
        live.textContent = `${records.length} records`;
        return;
      }
      live.textContent = version ? `${answer.all} records, more are coming` : `${answer.all} records`;
      ({ version, records } = answer);
      title.textContent = answer.name;
      fillFilters();
      show();
    } catch (error) {
      tellError(problem, error);
    }
  };
  put(place, el("div", { class: "row form card" }, el("div", {}, title, live), FILTERS.map(([key, text]) => el("label", {}, text, chosen[key])), el("label", {}, "Measure", measure), el("a", { href: "/results/report" }, "The whole report")),
    problem, plot, el("div", { class: "stage" }, table, el("aside", { class: "side" }, picked)));
  await look();
  setInterval(() => document.visibilityState === "visible" && look(), POLL);
});
