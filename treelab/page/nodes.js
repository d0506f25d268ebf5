import { cut, draw, plural } from "./dom.js";
import { cases } from "./words.js";

// The drawing of a tree: where its nodes are, and what each looks like. Every page draws trees with this.

export const BOX = { width: 180, height: 66 }, GAP = { x: 16, y: 58 };
const WHOLE = { box: BOX, gap: GAP, name: 20, letters: 24, inset: 12, bar: { y: 55, height: 6 } };
// Without numbers of cases, for several trees side by side.
export const COMPACT = {
  box: { width: 94, height: 30 }, gap: { x: 5, y: 34 }, name: 10, letters: 15, inset: 6, bar: { y: 22, height: 4 },
};

// The nodes to be seen, parents first.
export function visible(nodes, isOpen) {
  const shown = [], waiting = [0];
  while (waiting.length) {
    const number = waiting.pop();
    shown.push(number);
    if (isOpen(number)) waiting.push(...[...nodes[number].children].reverse());
  }
  return shown;
}
// Leaves side by side, every open test above the middle of its children.
export function laidOut(shown, nodes, isOpen, { box, gap } = WHOLE) {
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
export function extentOf(places, box = BOX) {
  const all = [...places], xs = all.map((p) => p.x), ys = all.map((p) => p.y);
  const least = (values) => values.reduce((a, b) => Math.min(a, b)), most = (values) => values.reduce((a, b) => Math.max(a, b));
  const left = least(xs), top = least(ys);
  return { left, top, width: most(xs) - left + box.width, height: most(ys) - top + box.height };
}

// Draws edges, their words and nodes, and returns the places. `look` says which tests are open
// (`isOpen`), what a node is shown as (`kind`: test, closed or leaf), the names of further styles
// (`styles`), attributes (`attributes`) and words to pin on it (`badges`); `onPath` marks an edge.
export function drawTree(stage, model, look) {
  const nodes = model.nodes, shown = visible(nodes, look.isOpen), size = look.size ?? WHOLE;
  const places = laidOut(shown, nodes, look.isOpen, size);
  stage.replaceChildren();
  for (const number of shown) if (number) drawEdge(nodes, nodes[number], places, look, size, stage);
  for (const number of shown) if (number) drawWord(nodes, nodes[number], places, size, stage);
  for (const number of shown) drawNode(model, nodes[number], places.get(number), look, size, stage);
  return places;
}
function drawEdge(nodes, node, places, look, { box, gap }, stage) {
  const from = places.get(node.parent), to = places.get(node.number);
  const x1 = from.x + box.width / 2, y1 = from.y + box.height, x2 = to.x + box.width / 2, middle = y1 + gap.y / 2;
  draw("path", {
    class: look.onPath?.(node) ? "edge path" : "edge", d: `M${x1},${y1}C${x1},${middle} ${x2},${middle} ${x2},${to.y}`,
    "stroke-width": (1 + 7 * node.weight / nodes[0].weight).toFixed(2),
  }, stage);
}
function drawWord(nodes, node, places, { box, letters }, stage) {
  const to = places.get(node.number), word = cut(nodes[node.parent].edges[node.branch], letters);
  draw("text", { class: "word", x: to.x + box.width / 2, y: to.y - 9 }, stage, word);
}
function drawNode(model, node, place, look, size, stage) {
  const kind = look.kind(node), isTest = kind !== "leaf", label = model.classes[node.best], { width, height } = size.box;
  const styles = ["node", isTest ? "test" : "leaf", kind === "closed" ? "closed" : "", ...(look.styles?.(node) ?? [])];
  const group = draw("g", {
    class: styles.filter(Boolean).join(" "), transform: `translate(${place.x},${place.y})`,
    "data-number": node.number, ...look.attributes?.(node),
  }, stage);
  const radius = isTest ? 3 : height / 4.7;
  draw("rect", { class: "box", width, height, rx: radius }, group);
  draw(
    "rect",
    { class: "tint", width, height, rx: radius, fill: model.colours[node.best], "fill-opacity": 0.06 + 0.34 * purity(node.shares) },
    group,
  );
  drawShares(node.shares, model.colours, size, group);
  drawWords(node, kind, label, size, group);
  for (const [badge, word] of (look.badges?.(node) ?? []).entries()) drawBadge(word, badge, group);
}
function drawWords(node, kind, label, { box, name: most }, group) {
  const middle = box.width / 2, name = kind === "leaf" ? label : node.feature;
  draw("text", { class: "name", x: middle, y: 17 }, group, cut(name, most));
  if (box !== BOX) return;
  const second = { test: label, closed: `${plural(node.below, "node")} below`, leaf: "" }[kind];
  if (second) draw("text", { x: middle, y: 33 }, group, cut(second, 24));
  draw("text", { class: "small", x: middle, y: kind === "leaf" ? 36 : 47 }, group, cut(cases(node), 27));
}
// 0 if all classes are equally frequent, 1 if there is only one.
function purity(shares) {
  return shares.length > 1 ? (Math.max(...shares) * shares.length - 1) / (shares.length - 1) : 1;
}
function drawShares(shares, colours, { box, inset, bar }, group) {
  let left = inset;
  for (const [place, share] of shares.entries()) {
    const width = share * (box.width - 2 * inset);
    if (width > 0) draw("rect", { x: left, width, ...bar, fill: colours[place] }, group);
    left += width;
  }
}
function drawBadge(word, place, group) {
  const width = 7 * word.length + 12, x = BOX.width - 8 - width - place * 62;
  draw("rect", { class: "badge", x, y: BOX.height - 6, width, height: 17, rx: 8 }, group);
  draw("text", { class: "badge-word", x: x + width / 2, y: BOX.height + 6.5 }, group, word);
}
