// The view to play on.
import { el, put, svg, button, amount, isTyping } from "./base.js";
import { ask } from "./api.js";
import { Board, geometry } from "./board.js";
import { Engine } from "./engine.js";
import { Game, Clocks, clockText } from "./game.js";
import { NAMES, piece } from "./pieces.js";
import { linkButton, start, tellError } from "./forms.js";

const NOBODY = "nobody";
const CONTROLS = [["", "no clock"], ["60+0", "1 minute"], ["180+2", "3 minutes + 2 s"], ["300+0", "5 minutes"], ["600+5", "10 minutes + 5 s"], ["1800+0", "30 minutes"]];
const ALL_LINES = 32;

function valueGraph() {
  const [width, height] = [640, 110];
  const line = svg("path", { class: "series p1" });
  const dot = svg("circle", { class: "dot p1", r: 4 });
  const cursor = svg("path", { class: "cursor" });
  const scale = [svg("text", { class: "scale", x: 4, y: 13 }), svg("text", { class: "scale", x: 4, y: height - 4 })];
  const root = svg("svg", { class: "chart graph", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Value graph" },
    svg("path", { class: "axis", d: `M0 ${height / 2}H${width}` }), scale, cursor, line, dot);
  return {
    element: root,
    draw(values, plies, at) {
      const known = values.map((value, ply) => [ply, value]).filter(([, value]) => value !== undefined && value !== null);
      const clamp = (value) => Math.max(-3200, Math.min(3200, value));
      const most = Math.max(200, ...known.map(([, value]) => Math.abs(clamp(value))));
      const x = (ply) => (ply / Math.max(1, plies)) * (width - 12) + 6;
      const y = (value) => height / 2 - (clamp(value) / most) * (height / 2 - 6);
      line.setAttribute("d", known.map(([ply, value], place) => `${place ? "L" : "M"}${x(ply).toFixed(1)} ${y(value).toFixed(1)}`).join("") || "M0 0");
      scale.forEach((text, place) => (text.textContent = known.length ? `${place ? "−" : "+"}${(most / 100).toFixed(1)}` : ""));
      cursor.setAttribute("d", `M${x(at)} 0V${height}`);
      const here = known.findLast(([ply]) => ply <= at);
      dot.setAttribute("cx", here ? x(here[0]) : -9);
      dot.setAttribute("cy", here ? y(here[1]) : -9);
      root.setAttribute("aria-label", `Value graph: ${known.length} values`);
    },
  };
}

const movesOf = (query) => (query.get("moves") ?? "").split(" ").filter(Boolean);

start(async (place, data, query) => {
  const name = decodeURIComponent(location.pathname.split("/")[2]);
  const about = data.games.find((game) => game.name === name);
  document.title = `Play ${name} · Plyground`;
  const { sides } = about;
  const game = new Game(name, sides);
  const engine = new Engine();
  const seed = Math.floor(Math.random() * 2 ** 32);
  const option = (value, text, wanted) => el("option", { value, selected: value === wanted }, text);

  // The settings.
  const wantedEngine = query.get("engine") ?? "";
  const opponent = el("select", { "aria-label": "Opponent" },
    option("", "the standard engine", wantedEngine), option(NOBODY, "nobody: two people", wantedEngine),
    el("optgroup", { label: "Engines" }, about.engines.map(({ name: id }) => option(id, id, wantedEngine))),
    el("optgroup", { label: "Algorithms" }, data.algorithms.flatMap((entry) => entry.examples.map((id) => option(id, `${id} · ${entry.name}`, wantedEngine)))));
  const level = el("select", { "aria-label": "Level" }, about.levels.map((one) => option(String(one.level), `${one.level}: ${one.about}${one.elo ? ` (${one.elo} Elo)` : ""}`, query.get("level") ?? "3")));
  const side = el("select", { "aria-label": "You play" }, sides.map((text, number) => option(String(number), text, query.get("side") ?? "0")));
  const control = el("select", { "aria-label": "Clock" }, CONTROLS.map(([value, text]) => option(value, text, query.get("clock") ?? "")));

  // The board and what is around it.
  const board = new Board((moves) => choose(moves));
  board.sides = sides;
  const status = el("p", { role: "status", class: "status" });
  const problem = el("div", {});
  const clockOf = sides.map(() => el("span", { class: "clock" }));
  const tallyOf = sides.map((text, number) => el("span", { class: "tally", "data-tally": number }));
  const takenOf = sides.map(() => el("span", { class: "taken" }));
  const bars = sides.map((text, number) => el("div", { class: `player player-${number}` }, el("span", { class: `sign owner-${number}` }), el("strong", {}, text), tallyOf[number], takenOf[number], clockOf[number]));
  const pass = el("button", { type: "button", class: "primary", hidden: true, onclick: () => move(game.state.pass) }, "Pass");
  const typed = el("input", { type: "text", "aria-label": "Move", placeholder: "type a move", size: 10, autocomplete: "off", spellcheck: "false" });
  const moveForm = el("form", { class: "row", onsubmit: (event) => {
    event.preventDefault();
    const text = typed.value.trim();
    typed.value = "";
    if (text) move(text);
  } }, typed, el("button", { type: "submit" }, "Play it"), pass);
  const moveList = el("ol", { class: "moves", "aria-label": "Moves" });
  const graph = valueGraph();
  const mistakes = el("div", { class: "mistakes" });
  const moveButtons = el("div", { class: "row move-buttons", "aria-label": "Legal moves" });
  let clocks = null;
  let beginning = null;
  let thinks = false;

  const person = () => Number(side.value);
  const isPersons = (mover) => opponent.value === NOBODY || mover === person();
  const isOver = () => game.verdict() !== null && game.verdict() !== undefined;
  const engineOf = () => (opponent.value === NOBODY ? "" : opponent.value);

  const remember = (push) => {
    const now = new URLSearchParams();
    if (game.start) now.set("start", game.start);
    if (game.moves.length) now.set("moves", game.moves.join(" "));
    if (opponent.value) now.set("engine", opponent.value);
    now.set("level", level.value);
    now.set("side", side.value);
    if (control.value) now.set("clock", control.value);
    const address = `${location.pathname}?${now}`;
    if (push) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  };

  // Shows everything as it is now.
  const show = () => {
    const { state } = game;
    const mine = !thinks && !isOver() && isPersons(state.mover);
    board.show(state, mine || (!game.isAtEnd() && !thinks && isPersons(state.mover)));
    const order = board.flipped ? [0, 1] : [1, 0];
    const natural = state.board && !state.board.upward ? [...order].reverse() : order;
    top.replaceChildren(bars[natural[0]]);
    bottom.replaceChildren(bars[natural[1]]);
    place.classList.toggle("wood-game", state.board?.surface === "wood");
    bars.forEach((bar, number) => bar.classList.toggle("to-move", number === state.mover && !isOver()));
    tallyOf.forEach((tally, number) => (tally.textContent = state.board ? state.board.tally[number] : ""));
    showTaken();
    const verdict = game.verdict();
    pass.hidden = !(mine && state.pass && game.isAtEnd());
    if (!game.isAtEnd()) status.textContent = `After move ${game.at} of ${game.moves.length}`;
    else if (verdict) status.textContent = verdict.text + (game.last.note && game.resigned === null ? ` (${game.last.note})` : "");
    else if (thinks) status.textContent = `${sides[state.mover]} thinks…`;
    else if (state.pass) status.textContent = `${sides[state.mover]} must pass`;
    else status.textContent = isPersons(state.mover) && opponent.value !== NOBODY ? `Your move: ${sides[state.mover]}` : `${sides[state.mover]} to move`;
    status.dataset.over = verdict ? "yes" : "no";
    // Links, and not buttons: many a move has the name of a square.
    put(moveList, game.last.numbered.map((text, ply) => el("li", {}, el("a", {
      href: "#", class: `${ply + 1 === game.at ? "here" : ""} ${game.marks[ply]?.quality ?? ""}`, onclick: (event) => {
        event.preventDefault();
        walk(ply + 1);
      },
    }, text + (game.marks[ply]?.mark ?? "")))));
    moveList.querySelector(".here")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    graph.draw(game.values, game.moves.length, game.at);
    put(moveButtons, state.board ? null : state.legal.map(([move_text, shown]) => el("button", { type: "button", disabled: !mine, onclick: () => move(move_text) }, shown)));
    undo.disabled = game.moves.length === 0;
    hint.disabled = isOver() || thinks;
    resign.disabled = isOver() || game.moves.length === 0;
    showClocks();
  };

  const showTaken = () => {
    if (!beginning?.board || beginning.board.surface !== "wood") return;
    const count = (state) => {
      const found = new Map();
      for (const [owner, letter] of Object.values(state.board.pieces)) found.set(`${owner}${letter}`, (found.get(`${owner}${letter}`) || 0) + 1);
      return found;
    };
    const [before, now] = [count(beginning), count(game.state)];
    sides.forEach((text, owner) => {
      const gone = [...before].filter(([key]) => key[0] !== String(owner)).flatMap(([key, number]) => Array.from({ length: Math.max(0, number - (now.get(key) || 0)) }, () => key));
      put(takenOf[owner], gone.map((key) => piece(Number(key[0]), key[1], "wood")));
      takenOf[owner].setAttribute("aria-label", gone.length ? `has taken ${gone.map((key) => NAMES[key[1]]).join(", ")}` : "");
    });
  };

  const showClocks = () => {
    clockOf.forEach((clock, number) => (clock.textContent = clocks ? clockText(clocks.now(number)) : ""));
    if (clocks && clocks.side !== null && clocks.now(clocks.side) <= 0 && !isOver()) {
      const late = clocks.side;
      clocks.halt();
      engine.stop();
      thinks = false;
      game.resigned = { side: late, why: "time" };
      show();
    }
  };
  setInterval(() => clocks && clocks.side !== null && showClocks(), 100);

  const attempt = async (work) => {
    tellError(problem, null);
    try {
      await work();
    } catch (error) {
      thinks = false;
      show();
      tellError(problem, error);
    }
  };

  // One of several moves: which piece a pawn becomes, for example.
  const choose = (moves) => {
    if (moves.length === 1) return move(moves[0].move);
    const words = { q: "Queen", r: "Rook", b: "Bishop", n: "Knight" };
    const dialog = el("dialog", { "aria-label": "Choose" }, el("p", {}, "Which piece?"),
      el("div", { class: "row" }, moves.map((one) => el("button", { type: "button", class: "promotion", "aria-label": words[one.rest] ?? one.rest, onclick: () => {
        dialog.close();
        move(one.move);
      } }, piece(game.state.mover, one.rest, "wood")))));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    return undefined;
  };

  const move = (text) => attempt(async () => {
    if (thinks || (isOver() && game.isAtEnd())) return;
    const mover = game.state.mover;
    if (!(await game.play(text))) return;
    clocks?.moved(mover);
    remember(true);
    await next();
  });

  // Whose turn it is: a person's, or the engine's, which thinks then.
  const next = async () => {
    engine.stop();
    const { mover } = game.state;
    if (isOver()) {
      clocks?.halt();
      return show();
    }
    clocks?.run(mover);
    if (isPersons(mover)) {
      thinks = false;
      show();
      return room.follow();
    }
    return engineMoves(false);
  };

  // The engine moves for the side to move, whoever plays it.
  const engineMoves = async (forPerson) => {
    const { mover } = game.state;
    thinks = true;
    show();
    const asked = game.moves.length;
    const limits = clocks ? { clock: [clocks.now(mover), clocks.increment] } : {};
    const outcome = await engine.think({ ...game.question(), engine: engineOf(), level: Number(level.value), seed, ...limits }, (report) => room.report(report, false));
    if (!outcome || game.moves.length !== asked) return undefined;
    if (!(await game.play(outcome.best))) return undefined;
    thinks = false;
    game.values[game.moves.length] = outcome.value;
    clocks?.moved(mover);
    // A person's move and the answer to it are one step back.
    remember(forPerson);
    return next();
  };

  // The engine comes to an end with its thinking; or it moves for a person.
  const moveNow = () => attempt(async () => {
    if (thinks) return void (await engine.moveNow());
    if (isOver()) return undefined;
    if (!game.isAtEnd()) await game.truncate(game.at);
    return engineMoves(true);
  });

  const walk = (plies) => attempt(async () => {
    if (thinks) return;
    await game.walk(plies);
    show();
    await room.follow();
  });

  const newGame = (from) => attempt(async () => {
    engine.stop();
    thinks = false;
    await game.begin(from ?? "");
    beginning = game.state;
    clocks = control.value ? new Clocks(control.value.split("+").map(Number)) : null;
    board.flipped = Boolean(game.state.board && game.state.board.upward && person() === 1);
    put(mistakes);
    remember(true);
    await next();
  });

  // Takes back to the person's last move: the engine's answer too.
  const takeBack = () => attempt(async () => {
    engine.stop();
    thinks = false;
    let plies = game.moves.length - 1;
    const parity = game.last.mover;
    // After an odd number of plies the other side is to move.
    const moverAfter = (left) => (game.moves.length - left) % 2 === 0 ? parity : 1 - parity;
    while (plies > 0 && opponent.value !== NOBODY && !isPersons(moverAfter(plies))) plies -= 1;
    await game.truncate(plies);
    remember(true);
    await next();
  });

  const giveHint = () => attempt(async () => {
    if (thinks || isOver()) return;
    const { state } = game;
    const asked = game.at;
    const best = new Map();
    const outcome = await engine.think({ ...game.question(game.at), nodes: 300000, time: 2, lines: state.board?.surface === "cloth" ? ALL_LINES : 3 }, (report) => {
      if (report.line.length) best.set(report.line[0], report);
    });
    if (!outcome || game.at !== asked) return;
    const sign = state.mover === 0 ? 1 : -1;
    const hints = new Map();
    if (state.board?.surface === "cloth") {
      for (const [mv, report] of best) {
        const [found] = geometry([[mv]]);
        const value = Math.round((sign * report.value) / 100);
        if (found) hints.set(found.to, { text: value > 0 ? `+${value}` : String(value), best: mv === outcome.best });
      }
      board.showHints(hints);
    }
    board.showArrows([[outcome.best, 1]]);
    status.textContent = `Hint: ${outcome.best_shown} (${outcome.value_text} for ${sides[0]}, depth ${outcome.depth})`;
    game.values[game.at] = outcome.value;
    graph.draw(game.values, game.moves.length, game.at);
  });

  const giveUp = () => {
    engine.stop();
    thinks = false;
    clocks?.halt();
    game.resigned = { side: opponent.value === NOBODY ? game.last.mover : person(), why: "resignation" };
    show();
  };

  const setUp = () => {
    const text = el("textarea", { rows: 3, "aria-label": "Position", spellcheck: "false" }, game.state.position);
    const wrong = el("div", {});
    const dialog = el("dialog", { "aria-label": "Set up a position" }, el("h2", {}, "Set up a position"),
      el("p", { class: "quiet" }, "A position or a game as its files hold it: FEN or PGN, 64 squares, a transcript or GGF."), text, wrong,
      el("div", { class: "row" }, el("button", { type: "button", class: "primary", onclick: () => load(text.value).then(() => dialog.close(), (error) => tellError(wrong, error)) }, "Set up"), el("button", { type: "button", onclick: () => dialog.close() }, "Cancel")));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  };

  const load = async (text) => {
    engine.stop();
    thinks = false;
    await game.load(text);
    beginning = await ask("/api/position", game.question(0));
    clocks = control.value ? new Clocks(control.value.split("+").map(Number)) : null;
    put(mistakes);
    remember(true);
    // Who has loaded a game looks at it first.
    if (!isOver() && game.moves.length === 0) await next();
    else show();
  };

  const file = el("input", { type: "file", "aria-label": "Load a game", hidden: true, onchange: async () => {
    const [chosen] = file.files;
    if (chosen) attempt(async () => load(await chosen.text()));
    file.value = "";
  } });

  const save = (format) => attempt(async () => {
    const players = sides.map((text, number) => (isPersons(number) ? "Person" : `Plyground ${engineOf()} level ${level.value}`));
    const { text, name: saved } = await ask("/api/save", { ...game.question(), format, players });
    const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    const link = el("a", { href: address, download: saved });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  });

  const analyse = () => attempt(async () => {
    if (thinks || game.moves.length === 0) return;
    const plies = game.moves.length;
    const outcome = await engine.annotate(game.question(), ({ done, of }) => (status.textContent = `Analysing: ${done} of ${of}`));
    if (!outcome || game.moves.length !== plies) return;
    for (const one of outcome.moves) {
      game.values[one.ply] = one.value;
      game.marks[one.ply - 1] = one;
    }
    show();
    const bad = outcome.moves.filter((one) => one.mark);
    put(mistakes, el("h3", {}, bad.length ? "Mistakes" : "No mistake was found"), el("ul", {}, bad.map((one) => el("li", {},
      el("button", { type: "button", class: one.quality, onclick: () => walk(one.ply) }, `${game.last.numbered[one.ply - 1]}${one.mark}`),
      ` gives away ${(one.loss / 100).toFixed(2)}; better was ${one.line.slice(0, 5).join(" ")}`))));
    status.textContent = `Analysed: ${bad.length} of ${outcome.moves.length} moves are marked`;
  });

  // The engine room: what a search says of itself.
  const room = (() => {
    const lines = el("select", { "aria-label": "Lines" }, [1, 2, 3, 5].map((number) => option(String(number), `${number} ${number === 1 ? "line" : "lines"}`, "3")));
    const cells = {};
    const cell = (key, text, attributes) => {
      cells[key] = el("strong", attributes ?? {}, "–");
      return el("span", { class: "figure" }, `${text} `, cells[key]);
    };
    const fill = el("meter", { min: 0, max: 1000, value: 0, "aria-label": "Hash fill" });
    const list = el("ol", { class: "lines" });
    let found = [];
    let on = false;
    const toggle = el("button", { type: "button", onclick: () => {
      on = !on;
      toggle.textContent = on ? "Stop" : "Analyse";
      if (on) follow();
      else if (!thinks) engine.stop();
    } }, "Analyse");
    const report = (one, arrows) => {
      if (one.number === 0) {
        cells.depth.textContent = `${one.depth}/${one.deepest}`;
        cells.value.textContent = one.bound + one.value_text;
        cells.value.dataset.value = one.value;
        cells.nodes.textContent = amount(one.nodes);
        cells.nodes.dataset.count = "nodes";
        cells.nps.textContent = `${amount(one.nps)}/s`;
        cells.full.textContent = `${(one.full / 10).toFixed(1)} %`;
        fill.value = one.full;
      }
      found[one.number] = one;
      put(list, found.filter(Boolean).map((line) => el("li", {}, el("span", { class: "number" }, `${line.bound}${line.value_text}`), " ", line.shown.slice(0, 12).join(" "))));
      if (arrows) board.showArrows(found.filter((line) => line?.line.length).map((line) => [line.line[0], 1 - line.number / 4]));
    };
    const follow = async () => {
      if (!on || thinks || game.state.verdict) return;
      found = [];
      const { at } = game;
      try {
        const outcome = await engine.think({ ...game.question(at), lines: Number(lines.value), time: 60 }, (one) => game.at === at && report(one, true));
        if (outcome && game.at === at) {
          game.values[at] = outcome.value;
          graph.draw(game.values, game.moves.length, game.at);
        }
      } catch (error) {
        tellError(problem, error);
      }
    };
    lines.addEventListener("change", follow);
    const element = el("section", { class: "panel room", "aria-label": "Engine room" }, el("h3", {}, "Engine room"),
      el("div", { class: "row" }, toggle, lines),
      el("div", { class: "figures" }, cell("depth", "depth"), cell("value", "value", { "data-value": "" }), cell("nodes", "nodes"), cell("nps", "speed"), cell("full", "hash"), fill),
      el("p", { class: "quiet" }, `Values are for ${sides[0]}.`), list);
    return { element, report: (one, arrows) => {
      if (one.number === 0 && one.depth <= 1) found = [];
      report(one, arrows);
    }, follow };
  })();

  const undo = el("button", { type: "button", onclick: takeBack }, "Undo");
  const hint = el("button", { type: "button", onclick: giveHint }, "Hint");
  const resign = el("button", { type: "button", onclick: giveUp }, "Resign");
  const top = el("div", {});
  const bottom = el("div", {});
  const walks = el("div", { class: "controls", role: "toolbar", "aria-label": "Walk through the game" },
    button("First position", "«", () => walk(0)), button("Previous move", "‹", () => walk(game.at - 1)), button("Next move", "›", () => walk(game.at + 1)), button("Last position", "»", () => walk(game.moves.length)));
  const watchLink = () => {
    const now = new URLSearchParams({ game: name, position: game.state.position, depth: about.depth });
    location.href = `/watch?${now}`;
  };
  put(place,
    el("div", { class: "row form card" },
      el("label", {}, "Opponent", opponent), el("label", {}, "Level", level), el("label", {}, "You play", side), el("label", {}, "Clock", control),
      el("button", { type: "button", class: "primary", onclick: () => newGame() }, "New game"),
      el("span", { class: "others" }, data.games.filter((other) => other.name !== name).map((other) => el("a", { href: `/play/${other.name}` }, `Play ${other.name}`)))),
    el("div", { class: "table" },
      el("div", { class: "left" }, top, board.element, moveButtons, bottom, status, problem, moveForm, graph.element,
        el("div", { class: "controls", role: "toolbar", "aria-label": "Game" }, undo, hint, el("button", { type: "button", onclick: moveNow }, "Move now"), resign,
          el("button", { type: "button", onclick: () => {
            board.flip();
            show();
          } }, "Flip"),
          el("button", { type: "button", onclick: setUp }, "Set up"), el("button", { type: "button", onclick: () => file.click() }, "Load"), file,
          about.extensions.map((format, number) => el("button", { type: "button", onclick: () => save(format) }, number === 0 ? `Save ${format.toUpperCase()}` : format.toUpperCase())),
          el("button", { type: "button", onclick: analyse }, "Analyse game"), el("button", { type: "button", onclick: watchLink }, "Watch a search"), linkButton())),
      el("div", { class: "right" }, el("section", { class: "panel" }, el("h3", {}, "Moves"), moveList, walks, mistakes), room.element)));
  for (const setting of [opponent, level, side]) setting.addEventListener("change", () => attempt(async () => {
    remember();
    if (!isOver()) await next();
  }));
  document.addEventListener("keydown", (event) => {
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("[data-square]")) return;
    if (event.key === "ArrowLeft") walk(game.at - 1);
    else if (event.key === "ArrowRight") walk(game.at + 1);
  });
  // The browser's own back and forward walk from one turn of the person to another.
  addEventListener("popstate", () => attempt(async () => {
    engine.stop();
    thinks = false;
    const now = new URLSearchParams(location.search);
    opponent.value = now.get("engine") ?? "";
    level.value = now.get("level") ?? "3";
    side.value = now.get("side") ?? "0";
    control.value = now.get("clock") ?? "";
    if (!(await game.restore(now.get("start") ?? "", movesOf(now)))) beginning = await ask("/api/position", game.question(0));
    if (!control.value) clocks = null;
    put(mistakes);
    await next();
  }));

  await attempt(async () => {
    try {
      await game.begin(query.get("start") ?? "", movesOf(query));
    } catch (error) {
      await game.begin("");
      show();
      throw error;
    }
    beginning = game.moves.length ? await ask("/api/position", game.question(0)) : game.state;
    clocks = control.value ? new Clocks(control.value.split("+").map(Number)) : null;
    board.flipped = Boolean(game.state.board && game.state.board.upward && person() === 1);
    // The page is ready before the engine has thought.
    document.body.dataset.ready = "yes";
    next().catch((error) => {
      thinks = false;
      show();
      tellError(problem, error);
    });
  });
});
