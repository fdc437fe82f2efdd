// Asking the server, and listening to what it reports.

// One name for this tab, as long as it is not loaded anew: its engine is known by it.
export const tab = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

async function refused(response) {
  let message = `${response.status} ${response.statusText}`;
  try {
    message = (await response.json()).error || message;
  } catch {
    // It was no JSON: the status must do.
  }
  return new Error(message);
}

// Asks for JSON; with a body by POST. An error has the server's own message.
export async function ask(path, body, signal) {
  const options = body === undefined ? { signal } : { method: "POST", body: JSON.stringify(body), signal };
  const response = await fetch(path, options);
  if (!response.ok) throw await refused(response);
  return response.json();
}

let known = null;

// What the server knows: games, engines, algorithms. Asked once.
export function info() {
  known ??= ask("/api/info");
  return known;
}

// Asks for something that takes time: `heard` is called with the name and the data of every event. Ends when
// the server has no more to say. Aborting the signal stops the work at the server too.
export async function listen(path, body, heard, signal) {
  const response = await fetch(path, { method: "POST", body: JSON.stringify(body), signal });
  if (!response.ok) throw await refused(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    let end = text.indexOf("\n\n");
    while (end >= 0) {
      const fields = { event: "message", data: "" };
      for (const line of text.slice(0, end).split("\n")) {
        const colon = line.indexOf(":");
        fields[line.slice(0, colon)] = line.slice(colon + 1).trimStart();
      }
      text = text.slice(end + 2);
      end = text.indexOf("\n\n");
      const data = JSON.parse(fields.data || "null");
      if (fields.event === "failed") throw new Error(data.error);
      heard(fields.event, data);
    }
  }
}

// The tab's engine is not needed any more when the page goes away.
addEventListener("pagehide", () => navigator.sendBeacon("/api/close", JSON.stringify({ tab })));
