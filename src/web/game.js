// A game in progress: its moves are kept here, and the server knows the rules.
import { ask } from "./api.js";

export class Game {
  constructor(name, sides) {
    this.name = name;
    this.sides = sides;
    this.start = "";
    this.moves = [];
    // Which ply is shown: the last one, unless somebody walks through the game.
    this.at = 0;
    this.state = null;
    this.last = null;
    // What is known of the value after each ply, for the side that begins.
    this.values = [];
    this.marks = [];
    this.resigned = null;
    // Counts what was shown: an answer that comes too late is known by it.
    this.serial = 0;
  }

  question(plies = this.moves.length) {
    return { game: this.name, start: this.start, moves: this.moves.slice(0, plies) };
  }

  take(state) {
    this.start = state.usual_start ? "" : state.start;
    this.moves = state.moves;
    this.at = this.moves.length;
    this.state = state;
    this.last = state;
    this.resigned = null;
    this.serial += 1;
  }

  // A new game from a position.
  async begin(start, moves = []) {
    const state = await ask("/api/position", { game: this.name, start, moves });
    this.values = [];
    this.marks = [];
    this.take(state);
  }

  // Another point of the same game, or another game: what is known of the plies that they share stays.
  async restore(start, moves) {
    const state = await ask("/api/position", { game: this.name, start, moves });
    const isSame = (state.usual_start ? "" : state.start) === this.start;
    let shared = 0;
    while (isSame && shared < this.moves.length && this.moves[shared] === state.moves[shared]) shared += 1;
    this.values.length = Math.min(this.values.length, isSame ? shared + 1 : 0);
    this.marks.length = Math.min(this.marks.length, shared);
    this.take(state);
    return isSame;
  }

  async load(text) {
    const state = await ask("/api/load", { game: this.name, text });
    this.values = [];
    this.marks = [];
    this.take(state);
  }

  // Plays a move as people type it, from the position that is shown: later moves are given up. False if
  // something else was shown before it could be played.
  async play(text) {
    const { serial } = this;
    const state = await ask("/api/position", { ...this.question(this.at), play: text });
    if (serial !== this.serial) return false;
    this.values.length = Math.min(this.values.length, state.moves.length);
    this.marks.length = Math.min(this.marks.length, state.moves.length - 1);
    this.take(state);
    return true;
  }

  // Takes moves back until so many are left.
  async truncate(plies) {
    const state = await ask("/api/position", this.question(Math.max(0, plies)));
    this.values.length = Math.min(this.values.length, plies + 1);
    this.marks.length = Math.min(this.marks.length, plies);
    this.take(state);
  }

  // Shows the position after so many plies; the moves stay.
  async walk(plies) {
    this.at = Math.max(0, Math.min(this.moves.length, plies));
    this.state = this.at === this.moves.length ? this.last : await ask("/api/position", this.question(this.at));
  }

  isAtEnd() {
    return this.at === this.moves.length;
  }

  verdict() {
    if (this.resigned !== null) return { winner: 1 - this.resigned.side, text: `${this.sides[1 - this.resigned.side]} wins: ${this.resigned.why}` };
    return this.last.verdict;
  }
}

// A clock for both sides, in seconds.
export class Clocks {
  constructor(control) {
    [this.base, this.increment] = control;
    this.left = [this.base, this.base];
    this.side = null;
    this.since = 0;
  }

  now(side) {
    const gone = this.side === side ? (performance.now() - this.since) / 1000 : 0;
    return Math.max(0, this.left[side] - gone);
  }

  // This side's time runs from now on; the other's stops.
  run(side) {
    this.halt();
    this.side = side;
    this.since = performance.now();
  }

  halt() {
    if (this.side !== null) this.left[this.side] = this.now(this.side);
    this.side = null;
  }

  moved(side) {
    this.left[side] += this.increment;
  }
}

// A time on a clock.
export function clockText(seconds) {
  const whole = Math.floor(seconds);
  const tenths = seconds < 20 ? `.${Math.floor((seconds - whole) * 10)}` : "";
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}${tenths}`;
}
