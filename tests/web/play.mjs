// Playing as a person does: by clicks, by keys, by typing.
import { readFileSync } from "node:fs";
import { check, dice, open, same } from "./support.mjs";

const parameters = (page) => new URLSearchParams(new URL(page.url()).search);
const moves = (page) => (parameters(page).get("moves") ?? "").split(" ").filter(Boolean);
const square = (page, name) => page.getByRole("button", { name, exact: true });
const status = (page) => page.locator(".status").textContent();

async function legal(page, server, game) {
  const body = JSON.stringify({ game, start: parameters(page).get("start") ?? "", moves: moves(page) });
  return (await fetch(`${server.address}/api/position`, { method: "POST", body })).json();
}

// Waits until it is the person's turn, or the game is over.
async function turn(page) {
  await page.waitForFunction(() => !document.querySelector(".status").textContent.includes("thinks") && document.querySelector(".status").textContent !== "");
}

async function play_by_clicks(page, server, game, seed) {
  const random = dice(seed);
  for (let number = 0; ; number++) {
    await turn(page);
    // Chess may go on for very long.
    if (number === 80) await page.getByRole("button", { name: "Resign" }).click();
    if (await page.locator('.status[data-over="yes"]').count()) return status(page);
    const state = await legal(page, server, game);
    if (state.pass) {
      await page.getByRole("button", { name: "Pass", exact: true }).click();
    } else {
      const mate = state.legal.find(([, shown]) => shown.endsWith("#"));
      const [move] = mate ?? state.legal[Math.floor(random() * state.legal.length)];
      const [from, to, rest] = [move.slice(0, 2), move.slice(2, 4), move.slice(4)];
      await square(page, from).click();
      if (to) await square(page, to).click();
      if (rest) await page.getByRole("button", { name: { q: "Queen", r: "Rook", b: "Bishop", n: "Knight" }[rest] }).click();
    }
    await page.waitForFunction((count) => (new URLSearchParams(location.search).get("moves") ?? "").split(" ").filter(Boolean).length > count, state.moves.length);
  }
}

export async function whole_games({ browser, server }) {
  for (const [game, level, seed] of [["othello", 1, 3], ["chess", 4, 5]]) {
    const page = await open(browser, `${server.address}/play/${game}?level=${level}`);
    const result = await play_by_clicks(page, server, game, seed);
    check(/wins|draw/.test(result), `${game}: ${result}`);
    console.log(`      ${game}: ${moves(page).length} plies, ${result}`);
    await page.close();
  }
}

export async function a_pass({ browser, server }) {
  const start = `XO${"-".repeat(62)} O`;
  const page = await open(browser, `${server.address}/play/othello?start=${encodeURIComponent(start)}&engine=nobody`);
  check((await status(page)).includes("must pass"), await status(page));
  await page.getByRole("button", { name: "Pass", exact: true }).click();
  await page.waitForFunction(() => location.search.includes("moves="));
  await square(page, "c1").click();
  await page.waitForSelector('.status[data-over="yes"]');
  check((await status(page)).includes("black wins"), await status(page));
  await page.close();
}

export async function promotion_and_castling({ browser, server }) {
  const page = await open(browser, `${server.address}/play/chess?engine=nobody&start=${encodeURIComponent("8/P6k/8/8/8/8/8/K7 w - - 0 1")}`);
  await square(page, "a7").click();
  await square(page, "a8").click();
  await page.getByRole("button", { name: "Knight" }).click();
  await page.waitForFunction(() => location.search.includes("a7a8n"));
  same(await square(page, "a8").getAttribute("aria-description"), "white knight", "the new piece");
  await page.goto(`${server.address}/play/chess?engine=nobody&start=${encodeURIComponent("4k3/8/8/8/8/8/8/4K2R w K - 0 1")}`);
  await page.waitForSelector("body[data-ready=yes]");
  // By dragging.
  const [from, to] = [await square(page, "e1").boundingBox(), await square(page, "g1").boundingBox()];
  await page.mouse.move(from.x + 20, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(to.x + 20, to.y + 20, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => location.search.includes("moves="));
  same(await square(page, "f1").getAttribute("aria-description"), "white rook", "the rook has jumped");
  await page.close();
}

export async function take_back_save_and_load({ browser, server }) {
  const page = await open(browser, `${server.address}/play/chess?level=1`, { expectErrors: true });
  await page.getByLabel("Move", { exact: true }).fill("e4");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => new URLSearchParams(location.search).get("moves")?.split(" ").length === 2);
  await turn(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction(() => !location.search.includes("moves="));
  // By keys: the king's pawn once more.
  await square(page, "e2").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => new URLSearchParams(location.search).get("moves")?.split(" ").length === 2);
  await turn(page);
  await page.getByLabel("Move", { exact: true }).fill("Ke5");
  await page.keyboard.press("Enter");
  check((await page.getByRole("alert").textContent()).includes("Ke5"), "an illegal move is told");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save PGN" }).click()]);
  const text = readFileSync(await download.path(), "utf8");
  check(text.includes("1. e4"), text);
  await page.getByRole("button", { name: "New game" }).click();
  await page.waitForFunction(() => !location.search.includes("moves="));
  await page.locator("input[type=file]").setInputFiles({ name: "game.pgn", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.waitForFunction(() => new URLSearchParams(location.search).get("moves")?.split(" ").length === 2);
  await page.getByRole("button", { name: "First position" }).click();
  await page.waitForFunction(() => document.querySelector(".status").textContent.includes("After move 0"));
  await page.locator("input[type=file]").setInputFiles({ name: "nothing.pgn", mimeType: "text/plain", buffer: Buffer.from("1. nonsense") });
  await page.getByRole("alert").waitFor();
  await page.close();
}

// The browser's own back and forward go from turn to turn, without loading the page anew.
export async function back_move_by_move({ browser, server }) {
  const page = await open(browser, `${server.address}/play/chess?level=1`);
  await page.evaluate(() => (window.stays = true));
  const state = () => page.evaluate(() => [new URLSearchParams(location.search).get("moves") ?? "", document.querySelector(".status").textContent,
    [...document.querySelectorAll("[data-square]")].map((square) => square.getAttribute("aria-description")).join(), window.stays]);
  const seen = [await state()];
  for (const text of ["e4", "d4"]) {
    await page.getByLabel("Move", { exact: true }).fill(text);
    await page.keyboard.press("Enter");
    await page.waitForFunction((plies) => new URLSearchParams(location.search).get("moves")?.split(" ").length === plies, 2 * seen.length);
    await turn(page);
    seen.push(await state());
  }
  const shows = (expected) => page.waitForFunction((moves) => document.querySelectorAll(".moves li").length === moves.split(" ").filter(Boolean).length && document.querySelector(".status").textContent.startsWith("Your move"), expected[0]);
  for (const place of [1, 0, 1, 2]) {
    await (place < 2 && (await state())[0].length > seen[place][0].length ? page.goBack() : page.goForward());
    await shows(seen[place]);
    same(await state(), seen[place], `after turn ${place}`);
  }
  // In the middle of thinking, too.
  await page.goto(`${server.address}/play/chess?level=9`);
  await page.waitForSelector("body[data-ready=yes]");
  await page.getByLabel("Move", { exact: true }).fill("e4");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".status").textContent.includes("thinks"));
  await page.goBack();
  await page.waitForFunction(() => document.querySelector(".status").textContent.startsWith("Your move"));
  await new Promise((resolve) => setTimeout(resolve, 300));
  same((await state())[0], "", "nothing is played any more");
  await page.close();
}

export async function hints_and_analysis({ browser, server }) {
  const page = await open(browser, `${server.address}/play/othello?level=1&engine=nobody&moves=f5 d6 c3 d3 c4 f4`);
  await page.getByRole("button", { name: "Hint" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".hint").length > 3);
  check((await status(page)).startsWith("Hint: "), await status(page));
  await page.getByRole("button", { name: "Analyse game" }).click();
  await page.waitForFunction(() => document.querySelector(".status").textContent.startsWith("Analysed"));
  check((await page.locator(".graph").getAttribute("aria-label")).includes("6 values") || (await page.locator(".graph").getAttribute("aria-label")).includes("7 values"), "a value for every move");
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll(".room .lines li").length === 3 && document.querySelectorAll(".arrow").length > 0);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.close();
}

// The processor time of a process, in hundredths of a second.
function spent(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

// Whoever leaves in the middle of thinking leaves no thinking behind.
export async function reload_and_close({ browser, server }) {
  const pages = [];
  for (const game of ["chess", "othello"]) {
    const page = await open(browser, `${server.address}/play/${game}?engine=nobody`);
    await page.getByRole("button", { name: "Analyse", exact: true }).click();
    await page.waitForFunction(() => document.querySelectorAll(".room .lines li").length > 0);
    pages.push(page);
  }
  const depth = (page) => page.locator(".room .figure strong").first().textContent();
  check((await depth(pages[0])) !== "–" && (await depth(pages[1])) !== "–", "two tabs think at once");
  await pages[0].reload();
  await pages[0].waitForSelector("body[data-ready=yes]");
  same(await depth(pages[0]), "–", "a reload ends the thinking");
  await pages[1].close();
  let before = spent(server.process.pid);
  for (let number = 0; ; number++) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const now = spent(server.process.pid);
    if (now - before <= 2) break;
    before = now;
    check(number < 60, "the server still thinks though nobody listens");
  }
  // A level that thinks when the page is loaded anew goes on playing.
  await pages[0].goto(`${server.address}/play/chess?level=9&side=1`);
  await pages[0].waitForFunction(() => document.querySelector(".status")?.textContent.includes("thinks"));
  await pages[0].goto(`${server.address}/play/chess?level=2&side=1`);
  await pages[0].waitForFunction(() => location.search.includes("moves="));
  await pages[0].close();
}
