// Watching, racing, the quiz, the results, and the files for a lecture.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check, dice, folder, open, run, same } from "./support.mjs";

const TREE = "((((3 12) (8 1)) ((2 4) (6 9))) (((14 5) (2 7)) ((1 3) (4 4))))";

const shown = (page) => page.evaluate(() => ({
  leaves: document.querySelector('[data-count="leaves"]').textContent,
  visits: document.querySelector('[data-count="visits"]').textContent,
  value: document.querySelector("[data-value]").dataset.value,
}));

// Every algorithm from the first to the last leaf: the counts are those of `tree --json`.
export async function every_algorithm({ browser, server }) {
  const algorithms = run("algorithms", "--json").trim().split("\n").map((line) => JSON.parse(line));
  const { algorithms: known } = await (await fetch(`${server.address}/api/info`)).json();
  same(known.length, algorithms.length, "algorithms on the page");
  const page = await open(browser, `${server.address}/watch?tree=${encodeURIComponent(TREE)}&algorithm=minimax`);
  for (const { id, examples, simulated, parallel } of known) {
    for (const example of examples) {
      await page.getByLabel("Algorithm", { exact: true }).selectOption(example);
      await page.waitForFunction((id) => document.querySelector("[data-algorithm]")?.dataset.algorithm === id, example);
      const steps = await page.evaluate(() => {
        const next = document.querySelector('[aria-label="Next leaf"]');
        const leaves = [];
        const count = document.querySelector('[data-count="leaves"]');
        const slider = document.querySelector('[aria-label="Step"]');
        while (slider.value !== slider.max) {
          next.click();
          leaves.push(Number(count.textContent));
        }
        return leaves;
      });
      check(steps.every((count, place) => place === 0 || count >= steps[place - 1]), `${example}: leaves go back`);
      const found = await shown(page);
      // Threads do not take the same steps each time.
      if (parallel && !simulated) continue;
      const expected = JSON.parse(run("tree", TREE, "--algorithm", example, "--json", ...(simulated && parallel ? ["--simulate"] : [])));
      same([found.leaves, found.visits], [String(expected.leaves), String(expected.visits)], `${id}: ${example}`);
      same(found.value, expected.value === null ? "" : String(expected.value), `${example}: value`);
    }
  }
  await page.close();
}

export async function forward_and_back({ browser, server }) {
  const page = await open(browser, `${server.address}/watch?tree=${encodeURIComponent(TREE)}&algorithm=sss&step=7`);
  const state = () => page.evaluate(() => [document.querySelector(".sentence").textContent, document.querySelector(".slide output").textContent,
    document.querySelector('[data-count="visits"]').textContent, [...document.querySelectorAll(".node")].map((node) => node.getAttribute("class") + node.textContent).join("|"),
    [...document.querySelectorAll(".edges path")].map((edge) => edge.getAttribute("d") + edge.getAttribute("class")).sort().join("|")]);
  const seven = await state();
  check(seven[1].startsWith("step 7 of "), `the link holds the step: ${seven[1]}`);
  for (let step = 0; step < 9; step++) await page.getByRole("button", { name: "Step forward" }).click();
  check((await state())[1].startsWith("step 16 of "), "nine steps forward");
  for (let step = 0; step < 9; step++) await page.getByRole("button", { name: "Step back" }).click();
  same(await state(), seven, "nine steps forward and back");
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  await page.keyboard.press("n");
  check(await page.locator(".reasons li").count() > 0, "a cut-off has a reason");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.waitForFunction(() => new URLSearchParams(location.search).get("step") > 0);
  await page.reload();
  await page.waitForSelector("body[data-ready=yes]");
  check(!(await state())[1].startsWith("step 0"), "a reload keeps the step");
  await page.getByLabel("Algorithm", { exact: true }).selectOption("alpha-beta");
  await page.waitForFunction(() => document.querySelector("[data-algorithm]")?.dataset.algorithm === "alpha-beta");
  await page.goBack();
  await page.waitForSelector("body[data-ready=yes]");
  await page.waitForFunction(() => document.querySelector("[data-algorithm]")?.dataset.algorithm === "sss");
  await page.goForward();
  await page.waitForFunction(() => document.querySelector("[data-algorithm]")?.dataset.algorithm === "alpha-beta");
  await page.close();
}

export async function positions_and_errors({ browser, server }) {
  const page = await open(browser, `${server.address}/watch?game=chess&depth=2&algorithm=alpha-beta`, { expectErrors: true });
  await page.getByRole("button", { name: "Last step" }).click();
  const expected = JSON.parse(run("best", "chess", "--depth", "2", "--algorithm", "alpha-beta", "--json"));
  const found = await shown(page);
  same([found.leaves, found.visits, found.value], [expected.leaves, expected.visits, expected.value].map(String), "chess at depth 2");
  for (const [address, message] of [["/watch?tree=((1%202)&algorithm=sss", "line 1"], ["/watch?tree=(1)&algorithm=sssss", "sssss"], ["/watch?game=othello&position=zz", "line 1"]]) {
    await page.goto(server.address + address);
    await page.waitForSelector("body[data-ready=yes]");
    check((await page.getByRole("alert").textContent()).includes(message), `${address} is told`);
  }
  await page.close();
}

// A search with deepening: every iteration begins with an empty tree, and its leaves are judged at its depth.
export async function deepening({ browser, server }) {
  for (const [algorithm, memory] of [["pvs", "table"], ["sss", ""], ["mtd-f", ""]]) {
    const page = await open(browser, `${server.address}/watch?game=othello&depth=3&algorithm=${algorithm}&memory=${memory}&deepening=1`);
    check(await page.getByLabel("depth 1, 2, … first").isChecked(), "the link asks for deepening");
    const film = await page.evaluate(async (question) => (await fetch("/api/search", { method: "POST", body: JSON.stringify(question) })).json(), { game: "othello", depth: 3, algorithm, memory, deepening: true });
    same(film.steps.filter((step) => step.e === "iteration").map((step) => step.d), [1, 2, 3], "iterations");
    const begins = film.steps.map((step, number) => [step.e, number + 1]).filter(([event]) => event === "iteration").map(([, number]) => number);
    await page.goto(page.url() + `&step=${begins[1]}`);
    await page.waitForSelector("body[data-ready=yes]");
    same(await page.locator(".node:not(.hidden)").count(), 1, "only the root is there again");
    const state = () => page.evaluate(() => [...document.querySelectorAll(".node")].map((node) => `${node.getAttribute("class")} ${node.textContent}`));
    const before = await state();
    await page.getByRole("button", { name: "Last step" }).click();
    const memories = memory ? ["--memory", memory] : [];
    const expected = JSON.parse(run("best", "othello", "--depth", "3", "--algorithm", algorithm, "--deepening", ...memories, "--json"));
    const found = await shown(page);
    same([found.leaves, found.visits, found.value], [expected.leaves, expected.visits, expected.value].map(String), `${algorithm} with deepening`);
    await page.evaluate((steps) => {
      for (let step = 0; step < steps; step++) document.querySelector('[aria-label="Step back"]').click();
    }, film.steps.length - begins[1]);
    same(await state(), before, "back to the second iteration");
    await page.close();
  }
}

// How long a step takes to draw; told, not judged.
export async function drawing_time({ browser, server }) {
  const random = dice(7);
  const make = (depth) => (depth === 0 ? String(Math.floor(random() * 100)) : `(${[0, 1, 2].map(() => make(depth - 1)).join(" ")})`);
  for (const [depth, algorithm] of [[5, "alpha-beta"], [5, "sss"], [6, "minimax"]]) {
    const page = await open(browser, `${server.address}/watch`);
    await page.getByLabel("Tree", { exact: true }).fill(make(depth));
    await page.getByLabel("Algorithm", { exact: true }).selectOption(algorithm);
    await page.waitForFunction((id) => document.querySelector("[data-algorithm]")?.dataset.algorithm === id, algorithm);
    const times = await page.evaluate(() => {
      const next = document.querySelector('[aria-label="Step forward"]');
      const slider = document.querySelector('[aria-label="Step"]');
      const found = [];
      while (slider.value !== slider.max && found.length < 120) {
        const start = performance.now();
        next.click();
        document.querySelector("svg.tree").getBoundingClientRect();
        found.push(performance.now() - start);
      }
      return found.sort((a, b) => a - b);
    });
    const nodes = await page.locator(".node").count();
    const at = (part) => times[Math.floor(part * (times.length - 1))].toFixed(1);
    console.log(`      ${algorithm}, ${nodes} nodes drawn: a step takes ${at(0.5)} ms (median), ${at(0.95)} ms (95 %)`);
    check(times.length > 50, "the tree has steps");
    await page.close();
  }
}

export async function a_file_for_a_lecture({ browser }) {
  const file = join(folder(), "lecture.html");
  run("tree", TREE, "--algorithm", "sss", "--html", file);
  const page = await browser.newPage();
  const problems = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`file://${file}`);
  await page.getByRole("button", { name: "Last step" }).click();
  const expected = JSON.parse(run("tree", TREE, "--algorithm", "sss", "--json"));
  const found = await shown(page);
  same([found.leaves, found.visits, found.value], [expected.leaves, expected.visits, expected.value].map(String), "the file's counts");
  run("best", "othello", "--depth", "3", "--algorithm", "mtd-f", "--html", file);
  await page.goto(`file://${file}`);
  await page.getByRole("button", { name: "Last step" }).click();
  const best = JSON.parse(run("best", "othello", "--depth", "3", "--algorithm", "mtd-f", "--json"));
  same((await shown(page)).visits, String(best.visits), "the position's visits");
  same(problems, [], "errors in the file");
  check(asked.every((address) => address.startsWith("file:")), "the file asks for nothing");
  await page.close();
}

export async function a_race({ browser, server }) {
  const page = await open(browser, `${server.address}/race?tree=${encodeURIComponent(TREE)}&algorithms=alpha-beta,sss,parsss:2`);
  same(await page.locator(".runner").count(), 3, "runners");
  await page.getByRole("button", { name: "Step forward" }).click();
  same(await page.locator('.runner [data-count="leaves"]').allTextContents(), ["1", "1", "1"], "one leaf each");
  await page.getByRole("button", { name: "Last step" }).click();
  const leaves = ["alpha-beta", "sss"].map((id) => String(JSON.parse(run("tree", TREE, "--algorithm", id, "--json")).leaves));
  same((await page.locator('.runner [data-count="leaves"]').allTextContents()).slice(0, 2), leaves, "leaves of the race");
  check(await page.locator(".node.process-2").count() > 0, "processes have colours");
  same(await page.getByLabel("Processes").locator("li").allTextContents(), ["process 1", "process 2"], "the colours are explained");
  same(await page.locator(".series").count(), 9, "three charts of three");
  await page.close();
}

export async function a_quiz({ browser, server }) {
  const page = await open(browser, `${server.address}/quiz?tree=((3 12 8) (2 4 6) (14 5 2))&algorithm=alpha-beta`);
  for (const leaf of [0, 1, 2, 3, 6, 7, 8]) await page.locator(`[data-leaf="${leaf}"]`).check();
  await page.getByRole("button", { name: "Check" }).click();
  same(await page.locator("[data-score]").getAttribute("data-score"), "9", "all right");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator('.node.leaf[data-node]').first().click();
  await page.getByRole("button", { name: "Check" }).click();
  check((await page.getByRole("status").last().textContent()).includes("cannot matter") === false, "the first leaf is right");
  same(await page.locator("[data-score]").getAttribute("data-score"), "3", "one visited leaf and the two that are cut off");
  await page.close();
}

export async function results({ browser, serve }) {
  const records = folder();
  run("compare", "--game", "othello", "--depth", "3", "--algorithms", "alpha-beta,pvs", "--out", records);
  const server = await serve(records);
  const page = await open(browser, `${server.address}/results`);
  const rows = await page.locator("tbody tr").count();
  check(rows >= 4, `${rows} rows`);
  await page.getByLabel("Algorithm", { exact: true }).selectOption("pvs");
  same(await page.locator("tbody tr").count(), rows / 2, "rows of one algorithm");
  await page.locator(".point").first().click();
  check((await page.getByRole("link", { name: "Watch this search" }).getAttribute("href")).includes("algorithm=pvs"), "a search to watch");
  // A run that goes on is shown.
  const file = join(records, "records.jsonl");
  const lines = readFileSync(file, "utf8").trim().split("\n");
  run("compare", "--game", "othello", "--depth", "2", "--algorithms", "pvs", "--out", records);
  check(readFileSync(file, "utf8").trim().split("\n").length > lines.length, "more records");
  await page.waitForFunction((before) => document.querySelectorAll("tbody tr").length > before, rows / 2);
  await page.goto(`${server.address}/results/report`);
  check((await page.title()).startsWith("Plyground report"), "the report");
  await page.close();
}
