// Pieces and discs, drawn here: simple shapes in a square of 100 by 100.
import { svg } from "./base.js";

const BASE = "M24 84Q50 78 76 84V92H24Z";

const SHAPES = {
  p: ["M50 20A14 14 0 0 1 58 45Q60 66 72 84H28Q40 66 42 45A14 14 0 0 1 50 20Z", BASE],
  r: ["M27 18H38V27H45V18H55V27H62V18H73V38L64 45V70L71 84H29L36 70V45L27 38Z", BASE],
  n: ["M30 84C28 64 46 60 45 47L33 54C26 58 19 52 22 45L35 29C37 21 45 16 52 16L57 8L62 18C77 26 80 52 73 84Z", BASE],
  b: ["M50 12A5 5 0 1 1 49.9 12Z", "M50 20C69 36 69 50 59 61H41C31 50 31 36 50 20Z", "M41 61H59L68 84H32Z", BASE],
  q: ["M20 30L35 54L36 22L50 50L64 22L65 54L80 30L69 70L73 84H27L31 70Z", "M20 25A5 5 0 1 1 19.9 25ZM36 16A5 5 0 1 1 35.9 16ZM64 16A5 5 0 1 1 63.9 16ZM80 25A5 5 0 1 1 79.9 25Z", BASE],
  k: ["M46 6H54V13H61V20H54V30H46V20H39V13H46Z", "M50 34C60 24 82 29 77 48C74 58 66 61 66 70L72 84H28L34 70C34 61 26 58 23 48C18 29 40 24 50 34Z", BASE],
};

const LINES = { n: "M42 31A2.5 2.5 0 1 1 41.9 31Z", b: "M50 32V48M43 40H57", r: "M36 45H64M36 70H64", k: "M35 70H65", q: "M32 70H68", p: "M40 47H60" };

export const NAMES = { p: "pawn", r: "rook", n: "knight", b: "bishop", q: "queen", k: "king" };

// A piece: its owner, 0 or 1, and its letter; a disc where the board is of cloth.
export function piece(owner, letter, surface) {
  const root = svg("svg", { viewBox: "0 0 100 100", class: `piece owner-${owner} ${surface === "cloth" ? "disc" : "man"}`, "aria-hidden": "true" });
  if (surface === "cloth") {
    root.append(svg("circle", { class: "rim", cx: 50, cy: 52, r: 41 }), svg("circle", { class: "face", cx: 50, cy: 49, r: 40 }), svg("ellipse", { class: "shine", cx: 40, cy: 32, rx: 17, ry: 9 }));
  } else if (SHAPES[letter]) {
    for (const d of SHAPES[letter]) root.append(svg("path", { class: "body", d }));
    if (LINES[letter]) root.append(svg("path", { class: "detail", d: LINES[letter] }));
  } else {
    root.append(svg("text", { x: 50, y: 70, class: "letter" }, letter));
  }
  return root;
}
