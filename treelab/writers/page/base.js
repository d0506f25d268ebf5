"use strict";
// What all pages share. Every name becomes text, never markup.

const at = (id) => document.getElementById(id);
async function carried(element) {
  if (element.type === "application/json") return element.textContent;
  const bytes = Uint8Array.from(atob(element.textContent), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked).text();
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const amount = (weight) => weight.toLocaleString("en", { maximumFractionDigits: 1 });
const cut = (text, most) => [...text].length > most ? [...text].slice(0, most - 1).join("") + "…" : text;
const plural = (count, one, many) => `${amount(count)} ${count === 1 ? one : many}`;
function make(name, attributes = {}, text = "", parent = null) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  parent?.append(made);
  return made;
}
function draw(name, attributes, parent, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  parent.append(made);
  return made;
}

function drawShares(shares, colours, box, group) {
  let left = 12;
  for (const [place, share] of shares.entries()) {
    const width = share * (box.width - 24);
    if (width > 0) draw("rect", { x: left, y: box.height - 11, width, height: 6, fill: colours[place] }, group);
    left += width;
  }
}
function drawLegend(classes, colours, list) {
  for (const [place, label] of classes.entries()) {
    const item = make("li", {}, "", list);
    make("i", {}, "", item).style.background = colours[place];
    item.append(label);
  }
}
// Leaves side by side, every open test above the middle of its children; parents come first.
function laidOut(shown, nodes, isOpen, box, gap) {
  const places = new Map();
  let column = 0;
  for (const number of shown) {
    const parent = places.get(nodes[number].parent);
    const place = { y: parent ? parent.y + box.height + gap.y : 0 };
    if (!isOpen(number)) place.x = column++ * (box.width + gap.x);
    places.set(number, place);
  }
  for (const number of [...shown].reverse()) {
    if (!isOpen(number)) continue;
    const children = nodes[number].children;
    places.get(number).x = (places.get(children[0]).x + places.get(children.at(-1)).x) / 2;
  }
  return places;
}
function extentOf(some, box) {
  const all = [...some], xs = all.map((p) => p.x), ys = all.map((p) => p.y);
  const least = (values) => values.reduce((a, b) => Math.min(a, b)), most = (values) => values.reduce((a, b) => Math.max(a, b));
  const left = least(xs), top = least(ys);
  return { left, top, width: most(xs) - left + box.width, height: most(ys) - top + box.height };
}
function edgePath(from, to, box, gap) {
  const x1 = from.x + box.width / 2, y1 = from.y + box.height, x2 = to.x + box.width / 2, middle = y1 + gap.y / 2;
  return `M${x1},${y1}C${x1},${middle} ${x2},${middle} ${x2},${to.y}`;
}
function theme(name) {
  document.documentElement.dataset.theme = name;
  at("theme").textContent = name === "dark" ? "Light" : "Dark";
}
theme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
at("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
