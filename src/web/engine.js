// The tab's engine: it does one thing at a time, and what is new stops what was.
import { ask, listen, tab } from "./api.js";

export class Engine {
  constructor() {
    this.running = null;
  }

  // Thinks: `report` is called with every line that it finds. Resolves to the outcome; to null if it was
  // stopped by something newer.
  async think(question, report) {
    return this.run("/api/think", question, (name, data) => name === "info" && report && report(data));
  }

  // Analyses a whole game; `report` is called with how far it is.
  async annotate(question, report) {
    return this.run("/api/annotate", question, (name, data) => name === "progress" && report && report(data));
  }

  async run(path, question, heard) {
    this.stop();
    const running = new AbortController();
    this.running = running;
    let outcome = null;
    try {
      await listen(path, { tab, ...question }, (name, data) => {
        if (name === "done") outcome = data;
        else if (this.running === running) heard(name, data);
      }, running.signal);
    } catch (error) {
      if (error.name === "AbortError") return null;
      throw error;
    } finally {
      if (this.running === running) this.running = null;
    }
    return running.signal.aborted ? null : outcome;
  }

  // Stops it without an outcome.
  stop() {
    this.running?.abort();
    this.running = null;
  }

  // Asks it to come to an end with what it has.
  moveNow() {
    return ask("/api/stop", { tab });
  }

  get busy() {
    return this.running !== null;
  }
}
