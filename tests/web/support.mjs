// A server, a browser and checks for the tests of the page.
import { spawn, execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const require = createRequire(join(process.env.PLAYWRIGHT_FOLDER ?? process.cwd(), "package.json"));
const { chromium } = require("playwright-core");

export const program = process.argv[2] ?? "target/release/plyground";
const started = [];

// Starts the server and waits for its address.
export async function serve(...options) {
  const server = spawn(program, ["serve", "--port", "0", ...options], { stdio: ["ignore", "pipe", "pipe"] });
  started.push(server);
  let said = "";
  server.stderr.on("data", (text) => (said += text));
  const address = await new Promise((resolve, reject) => {
    server.stdout.on("data", (text) => {
      said += text;
      const found = /http:\/\/[^\s]+/.exec(said);
      if (found) resolve(found[0]);
    });
    server.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
  return { process: server, address: address.replace(/\/$/, ""), port: Number(new URL(address).port), said: () => said };
}

export async function browse() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

// A page whose errors count as failures.
export async function open(browser, address, options = {}) {
  const page = await (options.context ?? browser).newPage(options.context ? undefined : { viewport: { width: 1280, height: 900 }, ...options });
  page.on("console", (message) => message.type() === "error" && !options.expectErrors && faults.push(`${page.url()}: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`${page.url()}: ${error}`));
  await page.goto(address);
  await page.waitForSelector("body[data-ready=yes]");
  return page;
}

export const faults = [];

export function check(condition, what) {
  if (!condition) throw new Error(what);
}

export function same(found, expected, what) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: found ${a}, expected ${b}`);
}

// What the program prints on these arguments.
export function run(...options) {
  return execFileSync(program, options, { encoding: "utf8" });
}

export function folder() {
  return mkdtempSync(join(tmpdir(), "plyground-web-"));
}

export function end() {
  for (const server of started) server.kill("SIGINT");
}

// A random number from 0 to 1, the same in every run.
export function dice(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
