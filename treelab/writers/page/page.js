(async () => {
const data = JSON.parse(await carried(document.getElementById("data")));
const nodes = data.nodes;
const BOX = { width: 180, height: 66 }, GAP = { x: 16, y: 58 };
const open = new Set(data.open);
// The smallest text has 11.5 pixels at scale 1: nothing is below 11 when the page opens.
const READABLE = 11 / 11.5;
const view = { x: 0, y: 0, scale: 1 };
let path = new Map(), hits = new Set(), hitAt = -1, chosen = 0, places = new Map();

for (const [number, node] of nodes.entries()) {
  node.number = number;
  node.weight = node.counts.reduce((a, b) => a + b, 0);
  node.shares = node.counts.map((count) => count / node.weight);
  node.probabilities ??= node.shares;
  node.best = decided(node.probabilities);
  for (const [branch, child] of (node.children ?? []).entries()) {
    nodes[child].parent = number;
    nodes[child].branch = branch;
  }
  if (node.test?.labels) node.test.branchOf = new Map(node.test.labels);
}
for (const node of [...nodes].reverse()) {
  node.below = (node.children ?? []).reduce((sum, child) => sum + 1 + nodes[child].below, 0);
}

// Words

function firstOfTheLargest(values) {
  const enough = Math.max(...values) * (1 - 1e-12);
  return values.findIndex((value) => value >= enough);
}
// The most probable class, or with costs (actual, predicted) the one of minimum expected cost.
function decided(shares) {
  if (!data.costs) return firstOfTheLargest(shares);
  const expected = shares.map((_, place) => shares.reduce((sum, share, actual) => sum + share * data.costs[actual][place], 0));
  const enough = Math.min(...expected) + 1e-12 * Math.max(...data.costs.flat());
  return expected.findIndex((cost) => cost <= enough);
}
const colour = (place) => data.colours[place];
function cases(node) {
  const wrong = node.weight - node.counts[node.best];
  const all = plural(node.weight, "case", "cases");
  return wrong > 1e-9 * node.weight ? `${all}, ${amount(wrong)} wrong` : all;
}
// Of each feature what was said of it last, in the order in which they are first tested.
function conditions(node) {
  const above = [], said = new Map();
  for (; node.parent !== undefined; node = nodes[node.parent]) above.unshift(node);
  for (const below of above) said.set(nodes[below.parent].feature, nodes[below.parent].said[below.branch]);
  return [...said.values()].join(" AND ");
}

// Layout

function visible() {
  const shown = [], waiting = [0];
  while (waiting.length) {
    const number = waiting.pop();
    shown.push(number);
    if (open.has(number)) waiting.push(...[...nodes[number].children].reverse());
  }
  return shown;
}
// Drawing

function render() {
  const shown = visible(), stage = at("stage");
  const focused = document.activeElement?.dataset?.number;
  places = laidOut(shown, nodes, (number) => open.has(number), BOX, GAP);
  stage.replaceChildren();
  for (const number of shown) if (number) drawEdge(nodes[number], stage);
  for (const number of shown) if (number) drawWord(nodes[number], stage);
  for (const number of shown) drawNode(nodes[number], stage);
  if (focused !== undefined && places.has(+focused)) focusOn(+focused);
}
function drawEdge(node, stage) {
  const from = places.get(node.parent), to = places.get(node.number);
  const isPath = path.has(node.number) && path.has(node.parent);
  draw("path", {
    class: isPath ? "edge path" : "edge", d: edgePath(from, to, BOX, GAP),
    "stroke-width": (1 + 7 * node.weight / nodes[0].weight).toFixed(2),
  }, stage);
}
function drawWord(node, stage) {
  const to = places.get(node.number), word = cut(nodes[node.parent].edges[node.branch], 24);
  draw("text", { class: "word", x: to.x + BOX.width / 2, y: to.y - 9 }, stage, word);
}
function drawNode(node, stage) {
  const place = places.get(node.number), isTest = Boolean(node.children), isOpen = open.has(node.number);
  const kinds = ["node", isTest ? "test" : "leaf"];
  if (isTest && !isOpen) kinds.push("closed");
  if (hits.has(node.number)) kinds.push("hit");
  if (path.has(node.number)) kinds.push("path");
  if (chosen === node.number) kinds.push("chosen");
  const group = draw("g", {
    class: kinds.join(" "), transform: `translate(${place.x},${place.y})`, role: "treeitem",
    tabindex: chosen === node.number || (!places.has(chosen) && !node.number) ? 0 : -1,
    "data-number": node.number, "aria-label": describe(node).replaceAll("\n", ", "),
  }, stage);
  if (isTest) group.setAttribute("aria-expanded", isOpen);
  const radius = isTest ? 3 : 14, n = data.classes.length;
  const purity = n > 1 ? (Math.max(...node.shares) * n - 1) / (n - 1) : 1;
  draw("rect", { class: "box", width: BOX.width, height: BOX.height, rx: radius }, group);
  draw("rect", { class: "tint", width: BOX.width, height: BOX.height, rx: radius, fill: colour(node.best), "fill-opacity": 0.06 + 0.34 * purity }, group);
  const label = data.classes[node.best], middle = BOX.width / 2;
  draw("text", { class: "name", x: middle, y: 17 }, group, cut(isTest ? node.feature : label, 20));
  const second = isTest ? (isOpen ? label : `${plural(node.below, "node", "nodes")} below`) : "";
  if (second) draw("text", { x: middle, y: 33 }, group, cut(second, 24));
  draw("text", { class: "small", x: middle, y: isTest ? 47 : 36 }, group, cut(cases(node), 27));
  drawShares(node.shares, data.colours, BOX, group);
}
function describe(node) {
  const lines = [node.children ? `test of ${node.feature}` : `leaf: ${data.classes[node.best]}`, cases(node)];
  for (const [place, share] of node.shares.entries()) if (share > 0 && lines.length < 10) lines.push(`${data.classes[place]} ${percent(share)}`);
  if (node.score !== undefined && node.score !== null) lines.push(`score ${Number(node.score.toPrecision(5))}`);
  return lines.join("\n");
}

// View

function place() {
  at("stage").setAttribute("transform", `translate(${view.x},${view.y}) scale(${view.scale})`);
}
function fit() {
  const size = at("tree").getBoundingClientRect();
  const { left, width, height } = extentOf(places.values(), BOX);
  view.scale = Math.min(1.25, (size.width - 32) / width, (size.height - 32) / height);
  view.x = (size.width - width * view.scale) / 2 - left * view.scale;
  view.y = 16;
  place();
}
// Opens fitted to the width, and never so small that it cannot be read.
function start() {
  fitWidth();
  while (view.scale < 0.62 && open.size > 1) { open.delete(lightest()); render(); fitWidth(); }
  if (view.scale >= READABLE) return;
  view.scale = READABLE;
  centre(0, 0);
  view.y = 16;
  place();
}
function fitWidth() {
  const size = at("tree").getBoundingClientRect(), extent = extentOf(places.values(), BOX);
  view.scale = Math.min(1.25, (size.width - 32) / extent.width);
  view.x = (size.width - extent.width * view.scale) / 2 - extent.left * view.scale;
  view.y = 16;
  place();
}
function lightest() {
  const ends = [...open].filter((number) => nodes[number].children.every((child) => !open.has(child)));
  return ends.reduce((a, b) => nodes[b].weight < nodes[a].weight ? b : a);
}
function zoom(factor, x, y) {
  const size = at("tree").getBoundingClientRect();
  x ??= size.width / 2; y ??= size.height / 2;
  const scale = Math.min(4, Math.max(0.02, view.scale * factor));
  view.x = x - (x - view.x) * scale / view.scale;
  view.y = y - (y - view.y) * scale / view.scale;
  view.scale = scale;
  place();
}
function centre(number, share = 0.4) {
  const size = at("tree").getBoundingClientRect(), to = places.get(number);
  view.x = size.width / 2 - (to.x + BOX.width / 2) * view.scale;
  view.y = size.height * share - to.y * view.scale;
  place();
}
function intoView(number) {
  const size = at("tree").getBoundingClientRect(), to = places.get(number);
  const x = to.x * view.scale + view.x, y = to.y * view.scale + view.y;
  const fits = x >= 0 && y >= 0 && x + BOX.width * view.scale <= size.width && y + BOX.height * view.scale <= size.height;
  if (!fits) centre(number);
}
function keepingStill(number, change) {
  const before = { ...places.get(number) };
  change();
  const after = places.get(number);
  view.x += (before.x - after.x) * view.scale;
  place();
}

// What a person does

function element(number) {
  return at("stage").querySelector(`[data-number="${number}"]`);
}
function focusOn(number) {
  element(number)?.focus({ preventScroll: true });
}
function choose(number) {
  chosen = number;
  const node = nodes[number], details = at("details");
  details.replaceChildren();
  make("h2", {}, node.children ? `Test of ${node.feature}` : `Leaf: ${data.classes[node.best]}`, details);
  const rule = conditions(node);
  const then = `${node.children ? "mostly " : ""}${data.target || "class"} = ${data.classes[node.best]}`;
  make("p", { class: "rule" }, rule ? `IF ${rule} THEN ${then}` : `ALL CASES: ${then}`, details);
  make("p", {}, cases(node) + (node.score == null ? "" : `; score ${Number(node.score.toPrecision(5))}`), details);
  distribution(node.shares, details);
}
function distribution(shares, parent) {
  const table = make("table", {}, "", parent);
  for (const [place, share] of shares.entries()) {
    const row = make("tr", {}, "", table), name = make("td", {}, "", row);
    make("i", {}, "", name).style.background = colour(place);
    name.append(data.classes[place]);
    make("td", {}, percent(share), row);
  }
}
function toggle(number) {
  if (!nodes[number].children) return;
  if (!open.delete(number)) open.add(number);
}
function press(number) {
  keepingStill(number, () => { toggle(number); choose(number); render(); });
  focusOn(number);
}
function reveal(number) {
  for (let parent = nodes[number].parent; parent !== undefined; parent = nodes[parent].parent) open.add(parent);
}
function go(number) {
  if (number === undefined) return;
  choose(number); render(); intoView(number); focusOn(number);
}
function step(key, number) {
  const node = nodes[number], siblings = nodes[node.parent]?.children ?? [number];
  if (key === "ArrowUp") go(node.parent);
  if (key === "ArrowLeft") go(siblings[node.branch - 1]);
  if (key === "ArrowRight") go(siblings[node.branch + 1]);
  if (key === "ArrowDown" && node.children) { open.add(number); go(node.children[0]); }
  if (key === "Enter" || key === " ") press(number);
}
function search(text) {
  const wanted = text.trim().toLowerCase();
  const named = (node) => (node.children ? node.feature : data.classes[node.best]).toLowerCase().includes(wanted);
  hits = new Set(wanted ? nodes.filter(named).map((node) => node.number) : []);
  hitAt = -1;
  for (const number of [...hits].slice(0, 100)) reveal(number);
  render();
  if (hits.size) travel(1);
  at("found").textContent = wanted ? plural(hits.size, "node", "nodes") : "";
}
// On to the next hit, or with -1 back to the one before; those not yet shown are opened up.
function travel(by) {
  const all = [...hits];
  if (!all.length) return;
  hitAt = (hitAt + by + all.length) % all.length;
  reveal(all[hitAt]); choose(all[hitAt]); render(); intoView(all[hitAt]);
  at("found").textContent = `${hitAt + 1} of ${plural(all.length, "node", "nodes")}`;
}

// A case

function branchOf(node, value) {
  const test = node.test;
  if (test.branchOf) return test.branchOf.get(value) ?? -1;
  let step = 0;
  while (step < test.limits.length && !(test.closed ? value <= test.limits[step] : value < test.limits[step])) step++;
  return test.branches[step];
}
const INPUTS = {
  number: { type: "number", step: "any", placeholder: "missing" }, date: { type: "date" }, time: { type: "time", step: "any" },
  datetime: { type: "datetime-local", step: "any" }, "datetime-utc": { type: "datetime-local", step: "any", title: "UTC" },
};
// Days or seconds since 1970, or seconds since midnight; the browser's own zone has no part in it.
function numberOf(text, scale) {
  if (scale === "date") return Date.parse(`${text}T00:00Z`) / 86400000;
  if (scale === "time") return Date.parse(`1970-01-01T${text}Z`) / 1000;
  return scale ? Date.parse(`${text}Z`) / 1000 : Number(text);
}
function walk(given) {
  const visited = new Map(), shares = data.classes.map(() => 0), waiting = [[0, 1]];
  while (waiting.length) {
    const [number, part] = waiting.pop(), node = nodes[number];
    visited.set(number, part);
    let branch = -1;
    if (node.children) {
      const value = given.get(node.feature);
      if (value === null && node.spread.length) {
        node.children.forEach((child, place) => waiting.push([child, part * node.spread[place]]));
        continue;
      }
      branch = value === null ? node.missing : branchOf(node, value);
    }
    if (branch >= 0) waiting.push([node.children[branch], part]);
    else node.probabilities.forEach((share, place) => { shares[place] += part * share; });
  }
  return { visited, shares };
}
function fields() {
  const used = new Set(nodes.map((node) => node.feature));
  for (const feature of data.features.filter((column) => used.has(column.name))) {
    const label = make("label", {}, feature.name, at("case"));
    if (feature.labels === null) { make("input", INPUTS[feature.scale] ?? INPUTS.number, "", label); continue; }
    const list = make("select", {}, "", label);
    make("option", { value: "missing" }, "(missing)", list);
    feature.labels.forEach((word, place) => make("option", { value: place }, word, list));
    make("option", { value: "other" }, "(another value)", list);
  }
  at("case").append(make("button", { type: "reset" }, "Clear"));
}
function given() {
  const used = new Set(nodes.map((node) => node.feature)), values = new Map();
  const columns = data.features.filter((column) => used.has(column.name));
  [...at("case").querySelectorAll("input, select")].forEach((field, place) => {
    const column = columns[place];
    if (column.labels === null) values.set(column.name, field.value === "" ? null : numberOf(field.value, column.scale));
    else values.set(column.name, field.value === "missing" ? null : column.labels[field.value]);
  });
  return values;
}
function classify() {
  const { visited, shares } = walk(given());
  path = new Map([...visited].filter(([, part]) => part > 0));
  for (const number of path.size < 200 ? path.keys() : likeliestWay()) reveal(number);
  const verdict = at("verdict");
  verdict.replaceChildren();
  make("h2", {}, `${data.target || "class"}: ${data.classes[decided(shares)]}`, verdict);
  distribution(shares, verdict);
  render();
  pathIntoView();
}
// A case with missing values goes several ways: from the root along its largest parts.
function likeliestWay() {
  const way = [];
  for (let next = 0; next !== undefined;) {
    way.push(next);
    const taken = (nodes[next].children ?? []).filter((child) => path.has(child));
    next = taken.sort((a, b) => path.get(b) - path.get(a))[0];
  }
  return way;
}
// Smaller if need be, but not unreadably so.
function pathIntoView() {
  const way = likeliestWay().map((number) => places.get(number));
  const size = at("tree").getBoundingClientRect(), { left, top, width, height } = extentOf(way, BOX);
  const fitting = Math.min((size.width - 24) / width, (size.height - 24) / height);
  view.scale = Math.max(Math.min(view.scale, fitting), Math.min(view.scale, 0.5));
  if (fitting < view.scale) { centre(likeliestWay().at(-1), 0.7); return; }
  const kept = (from, low, length, room) => Math.min(Math.max(from, 12 - low * view.scale), room - 12 - (low + length) * view.scale);
  view.x = kept(view.x, left, width, size.width);
  view.y = kept(view.y, top, height, size.height);
  place();
}
function forget() {
  path = new Map();
  at("verdict").replaceChildren();
  render();
}

// Wiring

function listen() {
  const tree = at("tree"), numberOf = (event) => event.target.closest?.(".node")?.dataset.number;
  let drag = null, moved = false;
  tree.addEventListener("pointerdown", (event) => { drag = { x: event.clientX, y: event.clientY }; moved = false; });
  addEventListener("pointermove", (event) => {
    if (!drag) return;
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    if (!moved && Math.hypot(dx, dy) < 5) return;
    moved = true; view.x += dx; view.y += dy; drag = { x: event.clientX, y: event.clientY };
    place();
  });
  addEventListener("pointerup", () => { drag = null; });
  addEventListener("pointercancel", () => { drag = null; });
  tree.addEventListener("click", (event) => { const number = numberOf(event); if (number !== undefined && !moved) press(+number); });
  tree.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = tree.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  tree.addEventListener("pointermove", (event) => tip(numberOf(event), event.clientX, event.clientY));
  tree.addEventListener("pointerleave", () => tip());
  tree.addEventListener("keydown", (event) => {
    const number = numberOf(event);
    if (number === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.startsWith("Arrow") || event.key === "Enter" || event.key === " ") { event.preventDefault(); step(event.key, +number); }
  });
  addEventListener("keydown", (event) => {
    if (event.target.matches?.("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+") zoom(1.25);
    if (event.key === "-") zoom(0.8);
    if (event.key === "0") fit();
    if (event.key === "/") { event.preventDefault(); at("search").focus(); }
  });
  at("search").addEventListener("input", (event) => search(event.target.value));
  at("search").addEventListener("keydown", (event) => { if (event.key === "Enter") travel(event.shiftKey ? -1 : 1); });
  at("expand").addEventListener("click", () => { nodes.forEach((node) => node.children && open.add(node.number)); render(); fit(); });
  at("collapse").addEventListener("click", () => { open.clear(); render(); start(); });
  at("closer").addEventListener("click", () => zoom(1.25));
  at("farther").addEventListener("click", () => zoom(0.8));
  at("fit").addEventListener("click", fit);
  at("print").addEventListener("click", () => print());
  at("case").addEventListener("input", classify);
  at("case").addEventListener("submit", (event) => event.preventDefault());
  at("case").addEventListener("reset", () => setTimeout(forget));
  addEventListener("beforeprint", forPrint);
  addEventListener("afterprint", () => { at("tree").removeAttribute("viewBox"); place(); });
}
function forPrint() {
  const { left, width, height } = extentOf(places.values(), BOX);
  at("tree").setAttribute("viewBox", `${left - 8} -8 ${width + 16} ${height + 16}`);
  at("stage").removeAttribute("transform");
}
function tip(number, x, y) {
  const box = at("tip");
  box.hidden = number === undefined;
  if (box.hidden) return;
  box.textContent = describe(nodes[+number]);
  box.style.left = `${Math.min(x + 14, innerWidth - box.offsetWidth - 8)}px`;
  box.style.top = `${Math.min(y + 14, innerHeight - box.offsetHeight - 8)}px`;
}
const leaves = nodes.filter((node) => !node.children).length;
at("facts").textContent = `${plural(nodes[0].weight, "case", "cases")}, ${plural(nodes.length, "node", "nodes")}, ${plural(leaves, "leaf", "leaves")}`;
at("learner").textContent = data.learner ? `Made by ${data.learner}` : "";
drawLegend(data.classes, data.colours, at("legend"));
fields();
choose(0);
listen();
render();
start();
})();
