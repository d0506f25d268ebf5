import { amount, carried, draw, drawLegend, figure, fillTable, percent, plural, themeButton } from "./dom.js";
import { BOX, drawTree, extentOf } from "./nodes.js";
import { sliding } from "./slider.js";
import { prepared } from "./words.js";

// How a tree grows and shrinks, step by step.

const at = (id) => document.getElementById(id);
const data = prepared(await carried(at("data"))), nodes = data.nodes;
const LINES = Object.entries(data.lines);
const NAMES = { training: "training", pessimistic: "pessimistic estimate", held_out: "held out" };
let mode = "growth";

// The tree so far: in growing the tests made by now, in pruning those not yet replaced.
function showTree(isOpen, current) {
  const picture = at("picture");
  const places = drawTree(picture, data, {
    isOpen, kind: (node) => isOpen(node.number) ? "test" : "leaf", styles: (node) => [current.has(node.number) && "path"],
  });
  const extent = extentOf(places.values()), room = at("canvas").clientWidth - 34;
  const scale = Math.max(0.95, Math.min(1.15, room / (extent.width + 8)));
  picture.setAttribute("viewBox", `${extent.left - 4} -4 ${extent.width + 8} ${extent.height + 8}`);
  picture.setAttribute("width", (extent.width + 8) * scale);
  picture.setAttribute("height", (extent.height + 8) * scale);
  const [first] = current;
  if (places.has(first)) scrollTo(places.get(first), extent, scale);
}
function scrollTo(place, extent, scale) {
  const canvas = at("canvas");
  canvas.scrollLeft = (place.x - extent.left + BOX.width / 2) * scale - canvas.clientWidth / 2;
  canvas.scrollTop = place.y * scale - canvas.clientHeight / 3;
}

// Growing

function showGrowth(step) {
  const made = (number) => nodes[number].step && nodes[number].step <= step;
  const here = data.growth[step - 1];
  showTree(made, new Set(here ? [here.node] : [0]));
  at("where").textContent = `step ${step} of ${data.growth.length}`;
  if (!here) {
    at("what").textContent = "All cases in one leaf";
    at("why").textContent = "Each step turns a leaf into a test: the candidate that the metric prefers.";
    fillTable(at("table"), [], [], []);
    return;
  }
  at("what").textContent = `Step ${step}: ${nodes[here.node].feature}`;
  at("why").textContent = here.candidates.length
    ? `${plural(here.n_candidates, "candidate")} of ${plural(nodes[here.node].weight, "case")}, judged by ${data.metric}; the best of each feature:`
    : "Pruning moved this test here: it was not chosen among candidates of these cases.";
  const rows = here.candidates.map((each) => [each.feature, each.split, figure(each.score)]);
  const chosen = new Set(here.candidates.flatMap((each, place) => each.chosen ? [place] : []));
  fillTable(at("table"), ["feature", "split", data.metric], rows, [false, false, true], chosen);
}

// Pruning

function showPruning(step) {
  const here = data.pruning[step];
  const isOpen = (number) => Boolean(nodes[number].children) && step < nodes[number].gone;
  const cutHere = nodes.flatMap((node, number) => node.children && node.gone === step && isGrown(node.parent, step) ? [number] : []);
  showTree(isOpen, new Set(cutHere));
  at("where").textContent = `tree ${step + 1} of ${data.pruning.length}`;
  at("what").textContent = plural(here.leaves, "leaf", "leaves");
  const who = cutHere.map((number) => nodes[number].feature).join(", ");
  at("why").textContent = step && who
    ? `At a price of ${figure(here.alpha)} a leaf it does not pay any more to test ${who} (framed).`
    : "The weakest link goes first: the test that saves the fewest training errors for each leaf it needs.";
  drawCurve(step);
  const rows = LINES.filter(([name]) => here[name] !== null).map(([name]) => [NAMES[name], percent(here[name])]);
  fillTable(at("table"), ["error rate", ""], rows, [false, true]);
}
function isGrown(parent, step) {
  return parent === undefined || nodes[parent].gone > step;
}
function drawCurve(step) {
  const curve = at("curve"), width = 400, height = 220, left = 44, low = 180, steps = data.pruning;
  curve.replaceChildren();
  curve.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const lines = LINES.filter(([name]) => steps[0][name] !== null);
  const most = Math.max(...steps.flatMap((each) => lines.map(([name]) => each[name])), 1e-9);
  const x = (place) => left + (width - left - 16) * (steps.length > 1 ? place / (steps.length - 1) : 0.5);
  const y = (rate) => low - (low - 34) * rate / most;
  draw("path", { class: "axis", d: `M${left},34V${low}H${width - 10}` }, curve);
  for (const rate of [0, most / 2, most]) draw(
    "text", { x: left - 6, y: y(rate) + 4, "text-anchor": "end" }, curve,
    `${(100 * rate).toFixed(most < 0.1 ? 1 : 0)} %`,
  );
  const every = Math.ceil(steps.length / 8);
  steps.forEach((each, place) => { if (place % every === 0 && (place === 0 || place + every / 2 < steps.length)) draw(
    "text", { x: x(place), y: low + 17, "text-anchor": "middle" }, curve, amount(each.leaves),
  ); });
  if ((steps.length - 1) % every) draw(
    "text", { x: x(steps.length - 1), y: low + 17, "text-anchor": "middle" }, curve, amount(steps.at(-1).leaves),
  );
  draw("text", { class: "faint", x: (left + width) / 2, y: height - 6, "text-anchor": "middle" }, curve, "leaves");
  draw("line", { class: "here", x1: x(step), x2: x(step), y1: 34, y2: low }, curve);
  lines.forEach(([name, colour], row) => {
    draw(
      "polyline",
      { class: "line", stroke: colour, points: steps.map((each, place) => `${x(place)},${y(each[name])}`).join(" ") },
      curve,
    );
    draw("circle", { cx: x(step), cy: y(steps[step][name]), r: 4, fill: colour }, curve);
    draw("rect", { x: left + [0, 76, 226][row], y: 8, width: 12, height: 4, fill: colour }, curve);
    draw("text", { x: left + [0, 76, 226][row] + 17, y: 14 }, curve, NAMES[name]);
  });
}

// Wiring

function turnTo(next) {
  mode = next;
  at("growing").setAttribute("aria-pressed", mode === "growth");
  at("shrinking").setAttribute("aria-pressed", mode === "pruning");
  at("curve").toggleAttribute("hidden", mode === "growth");
  at("slider").max = mode === "growth" ? data.growth.length : data.pruning.length - 1;
  go(0);
}
const show = (step) => mode === "growth" ? showGrowth(step) : showPruning(step);
const go = sliding(show);
at("growing").addEventListener("click", () => turnTo("growth"));
at("shrinking").addEventListener("click", () => turnTo("pruning"));
addEventListener("resize", () => show(+at("slider").value));
at("facts").textContent = data.heading;
drawLegend(data.classes, data.colours, at("legend"));
at("tools").append(themeButton());
turnTo("growth");
