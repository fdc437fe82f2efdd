// Requests that must be refused, and a server that goes on.
import net from "node:net";
import http from "node:http";
import { check, same } from "./support.mjs";

function request(server, { path = "/", method = "GET", headers = {}, body } = {}) {
  return new Promise((resolve, reject) => {
    const sent = http.request({ host: "127.0.0.1", port: server.port, path, method, headers: { host: `localhost:${server.port}`, ...headers } }, (answer) => {
      let text = "";
      answer.on("data", (part) => (text += part));
      answer.on("end", () => resolve({ code: answer.statusCode, text, headers: answer.headers }));
      answer.on("error", () => resolve({ code: answer.statusCode, text, headers: answer.headers }));
    });
    sent.on("error", (error) => (sent.res ? null : reject(error)));
    if (body !== undefined) sent.write(body);
    sent.end();
  });
}

async function still_there(server) {
  const { code } = await request(server, { path: "/api/info" });
  same(code, 200, "the server goes on");
}

export async function strangers({ server }) {
  const own = `http://localhost:${server.port}`;
  const post = { path: "/api/search", method: "POST", body: JSON.stringify({ tree: "(1 2)", algorithm: "sss" }) };
  same((await request(server, { ...post, headers: { origin: own } })).code, 200, "the page itself");
  for (const headers of [{ origin: "http://evil.example" }, { origin: "null" }, { host: "evil.example" }, { host: `evil.example:${server.port}` }, { host: `localhost:${server.port + 1}` }, { "sec-fetch-site": "cross-site" }]) {
    same((await request(server, { ...post, headers })).code, 403, JSON.stringify(headers));
  }
  const page = await request(server, { path: "/watch" });
  check(page.headers["content-security-policy"].includes("default-src 'none'"), "a policy");
  same(page.headers["x-content-type-options"], "nosniff", "no sniffing");
  await still_there(server);
}

export async function nonsense({ server }) {
  for (const path of ["/../../etc/passwd", "/page/../../../etc/passwd", "/page/..%2f..%2fetc%2fpasswd", "/page/%2e%2e%2fCargo.toml", "/play/..%2f..%2fx", "/page/watch.html", "/nothing"]) {
    same((await request(server, { path })).code, 404, path);
  }
  const post = (path, body) => request(server, { path, method: "POST", body });
  for (const [path, body] of [["/api/search", "{"], ["/api/search", "[1,2]"], ["/api/search", '{"tree":"((1","algorithm":"sss"}'], ["/api/search", '{"tree":"(1)","algorithm":"nobody"}'], ["/api/search", '{"tree":7}'],
    ["/api/position", '{"game":"chess","start":"8/8"}'], ["/api/position", '{"game":"go"}'], ["/api/position", '{"game":"chess","moves":["e2e5"]}'], ["/api/think", '{"tab":"a","game":"chess","engine":"/etc/passwd"}'],
    ["/api/think", '{"tab":"","game":"chess"}'], ["/api/think", '{"tab":"a","game":"chess","time":-1}'], ["/api/think", '{"tab":"a","game":"chess","lines":1000}'], ["/api/think", '{"tab":"a","game":"chess","level":99}'],
    ["/api/search", `{"game":"chess","depth":4000000000,"algorithm":"sss"}`], ["/api/load", '{"game":"chess","text":"\\u0000"}'], ["/api/save", '{"game":"chess","format":"exe"}']]) {
    const { code, text } = await post(path, body);
    same(code, 400, `${path} ${body}: ${text}`);
    check(JSON.parse(text).error.length > 10, `${path}: a message: ${text}`);
  }
  same((await request(server, { path: "/api/search" })).code, 405, "a search by GET");
  // Searches that would take for ever or all memory come to an end.
  const deep = await post("/api/search", JSON.stringify({ tree: `${"(".repeat(900)}1${")".repeat(900)}`, algorithm: "alpha-beta" }));
  same(deep.code, 200, "a deep tree");
  const large = await post("/api/search", '{"game":"chess","depth":9,"algorithm":"minimax"}');
  check(JSON.parse(large.text).truncated, "a large search is cut short");
  await still_there(server);
}

export async function a_hundred_megabytes({ server }) {
  const code = await new Promise((resolve) => {
    const socket = net.connect(server.port, "127.0.0.1");
    let said = "";
    socket.on("data", (part) => (said += part));
    socket.on("error", () => {});
    socket.on("close", () => resolve(said.slice(9, 12)));
    socket.write(`POST /api/search HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Length: ${100 << 20}\r\n\r\n`);
    const part = Buffer.alloc(1 << 20, 32);
    let sent = 0;
    const more = () => {
      while (sent < 100 && !socket.destroyed) {
        sent += 1;
        if (!socket.write(part)) return void socket.once("drain", more);
      }
      return undefined;
    };
    more();
    setTimeout(() => socket.destroy(), 4000);
  });
  check(code === "413" || code === "", `100 MB: ${code}`);
  await still_there(server);
}

export async function a_thousand_connections({ browser, server }) {
  const sockets = [];
  for (let number = 0; number < 1000; number++) {
    const socket = net.connect(server.port, "127.0.0.1");
    socket.on("error", () => {});
    sockets.push(socket);
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (const socket of sockets) socket.destroy();
  for (let number = 0; ; number++) {
    try {
      await still_there(server);
      break;
    } catch (error) {
      if (number > 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  const page = await browser.newPage();
  await page.goto(`${server.address}/watch`);
  await page.waitForSelector(".node");
  await page.close();
}

export async function strangers_on_the_network({ serve }) {
  const server = await serve("--bind", "127.0.0.1");
  check(server.said().includes("warning"), "a warning");
  const token = new URL(server.address).searchParams.get("token");
  same((await request(server, { path: "/watch" })).code, 401, "without the token");
  const entered = await request(server, { path: `/watch?token=${token}` });
  same(entered.code, 200, "with the token");
  const cookie = entered.headers["set-cookie"][0];
  check(cookie.includes("HttpOnly") && cookie.includes("SameSite=Strict"), cookie);
  same((await request(server, { path: "/api/info", headers: { cookie: cookie.split(";")[0] } })).code, 200, "with the cookie");
}

export async function the_end({ serve }) {
  const server = await serve();
  const thinking = http.request({ host: "127.0.0.1", port: server.port, path: "/api/think", method: "POST", headers: { host: `localhost:${server.port}` } });
  thinking.on("error", () => {});
  thinking.end(JSON.stringify({ tab: "x", game: "chess", time: 60 }));
  await new Promise((resolve) => thinking.on("response", resolve));
  const ended = new Promise((resolve) => server.process.on("exit", resolve));
  server.process.kill("SIGINT");
  same(await ended, 0, "Ctrl-C in the middle of thinking");
}
