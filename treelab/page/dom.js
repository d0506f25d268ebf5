// What every page is made of. Every name becomes text, never markup.

const SVG = "http://www.w3.org/2000/svg";

export const percent = (share) => `${(100 * share).toFixed(1)} %`;
export const amount = (weight) => weight.toLocaleString("en", { maximumFractionDigits: 1 });
export const figure = (value) => value === null || value === undefined ? "-" : String(Number(value.toPrecision(4)));
export const plural = (count, one, many = `${one}s`) => `${amount(count)} ${count === 1 ? one : many}`;
export const cut = (text, most) => [...text].length > most ? [...text].slice(0, most - 1).join("") + "…" : text;

// An element with its attributes and children; a text among the children stays text.
// An attribute `onclick: f` listens, `style: {...}` sets properties, and null leaves one out.
export function h(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "style") Object.assign(made.style, value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter(isThere));
  return made;
}
const isThere = (child) => child !== null && child !== undefined && child !== "";
export const fill = (element, ...children) => element.replaceChildren(...children.flat().filter(isThere));
export function draw(name, attributes, parent, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  parent.append(made);
  return made;
}
export const svg = (attributes) => draw("svg", attributes, document.createDocumentFragment());

// A table of words and elements; `right` says which columns are numbers, `chosen` which rows stand out.
export function fillTable(table, heads, rows, right, chosen = new Set()) {
  const cells = (texts, name) => texts.map((text, place) => h(
    name, { class: right[place] ? "number" : null, scope: name === "th" ? "col" : null }, text,
  ));
  table.replaceChildren(h("thead", {}, h("tr", {}, cells(heads, "th"))));
  table.append(h(
    "tbody", {},
    rows.map((texts, number) => h("tr", { class: chosen.has(number) ? "chosen" : null }, cells(texts, "td"))),
  ));
  return table;
}
// What may be wider than its place can be moved sideways, by keys as well.
export const scrolled = (label, ...children) => h(
  "div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, ...children,
);
export const swatch = (colour) => h("i", { style: { background: colour } });
export function drawLegend(classes, colours, list) {
  list.replaceChildren(...classes.map((label, place) => h("li", {}, swatch(colours[place]), label)));
}

// Data that a page carries, packed or not.
export async function carried(element) {
  if (element.type === "application/json") return JSON.parse(element.textContent);
  const bytes = Uint8Array.from(atob(element.textContent), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(unpacked).text());
}

// Light or dark, as the reader's system has it until the button is pressed.
export function themeButton(element = document.documentElement) {
  const button = h("button", { id: "theme", type: "button", title: "Light or dark" });
  const turn = (name) => { element.dataset.theme = name; button.textContent = name === "dark" ? "Light" : "Dark"; };
  button.addEventListener("click", () => turn(element.dataset.theme === "dark" ? "light" : "dark"));
  turn(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  return button;
}
