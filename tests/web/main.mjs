// The page, tested as a person would use it: `node tests/web/main.mjs [PROGRAM] [WORD…]`. The words choose tests.
import * as watch from "./watch.mjs";
import * as play from "./play.mjs";
import * as hostile from "./hostile.mjs";
import { browse, end, faults, serve } from "./support.mjs";

const words = process.argv.slice(3);
const tests = [watch, play, hostile].flatMap((module) => Object.entries(module)).filter(([name]) => words.length === 0 || words.some((word) => name.includes(word)));
const [browser, server] = await Promise.all([browse(), serve()]);
let failed = 0;
for (const [name, test] of tests) {
  const start = Date.now();
  try {
    await test({ browser, server, serve });
    if (faults.length) throw new Error(`errors in the browser's console: ${faults.splice(0).join("; ")}`);
    console.log(`ok    ${name.replaceAll("_", " ")} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    faults.length = 0;
    console.log(`FAIL  ${name.replaceAll("_", " ")}: ${error.stack}`);
    for (const context of browser.contexts()) await context.close();
  }
}
await browser.close();
end();
console.log(failed ? `${failed} of ${tests.length} failed` : `${tests.length} passed`);
process.exit(failed ? 1 : 0);
