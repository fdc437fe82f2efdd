// Small helpers: elements, numbers, texts. Nothing here knows of searches or games.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

// An element of HTML: its attributes, listeners by names such as `onclick`, and children.
export function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// An element of SVG.
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

// Replaces all that is in an element.
export function put(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// A value as people read it: in units, infinite ones as a sign.
export function shownValue(value, unit) {
  if (value === null || value === undefined) return "";
  if (value === Infinity) return "∞";
  if (value === -Infinity) return "−∞";
  if (unit === 1) return String(value);
  if (Math.abs(value) >= 31000) return value > 0 ? "mate" : "−mate";
  const text = (value / unit).toFixed(2);
  return value > 0 ? `+${text}` : text;
}

// `≥3`, `≤3`, `=3`, `2..5`, or nothing.
export function shownBounds(lower, upper, unit) {
  const low = lower > -Infinity;
  const high = upper < Infinity;
  if (low && lower === upper) return shownValue(lower, unit);
  if (low && high) return `${shownValue(lower, unit)}..${shownValue(upper, unit)}`;
  if (low) return `≥${shownValue(lower, unit)}`;
  if (high) return `≤${shownValue(upper, unit)}`;
  return "";
}

// A large number in few characters.
export function amount(number) {
  if (number >= 1e9) return `${(number / 1e9).toFixed(2)} G`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(2)} M`;
  if (number >= 1e4) return `${(number / 1e3).toFixed(0)} k`;
  return String(Math.round(number));
}

// A button with an accessible name; what it shows may be a sign.
export function button(name, sign, onclick, attributes) {
  return el("button", { type: "button", "aria-label": name, title: name, onclick, ...attributes }, sign);
}

// Is somebody typing there?
export function isTyping(target) {
  return target instanceof Element && target.closest("input:not([type=range]):not([type=checkbox]), textarea, select, dialog") !== null;
}
