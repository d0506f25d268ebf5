import { amount, cut, draw, figure, h, percent, scrolled, svg } from "./dom.js";

// Small pictures of data: histograms, a matrix of confusion, lines, ranks.

const total = (counts) => counts.reduce((sum, count) => sum + count, 0);
function stack(counts, colours, { x, width, low, scale }, parent) {
  let y = low;
  counts.forEach((count, place) => {
    const height = count * scale;
    if (height <= 0) return;
    y -= height;
    draw("rect", { x, y, width, height, fill: colours[place] }, parent);
  });
}
function barsOf(histogram) {
  const bars = [...histogram.counts];
  if (histogram.others && total(histogram.others) > 0) bars.push(histogram.others);
  return bars;
}
// A column of a table at a glance.
export function sparkHistogram(histogram, colours, words) {
  const picture = svg({ class: "spark", viewBox: "0 0 120 30", role: "img", "aria-label": words });
  const bars = barsOf(histogram), missing = total(histogram.missing) > 0 ? histogram.missing : null;
  const all = missing ? [...bars, missing] : bars, step = 120 / Math.max(all.length, 4);
  const scale = 28 / Math.max(...all.map(total), 1e-9);
  bars.forEach((counts, place) => stack(
    counts, colours, { x: place * step, width: step > 4 ? step - 1 : step, low: 29, scale }, picture,
  ));
  if (missing) draw(
    "rect",
    { class: "absent", x: bars.length * step + 0.5, y: 29 - total(missing) * scale, width: Math.max(step - 2, 1), height: total(missing) * scale },
    picture,
  );
  draw("line", { class: "axis", x1: 0, x2: 120, y1: 29.5, y2: 29.5 }, picture);
  return picture;
}

// The branch of each label, where the tree tests this feature; -1 of one that ends here.
export function branchesOf({ histogram, groups }) {
  if (!groups || histogram?.kind !== "nominal") return null;
  const branches = new Map(groups);
  return histogram.labels.map((label) => branches.get(label) ?? -1);
}

const FRAME = { width: 430, left: 44, right: 12, top: 14, low: 168 };

// A histogram by class, over it the cut of the tree and those that metrics prefer.
export function histogramChart(histogram, colours, { cut: own = null, cuts = [], groups = null, label } = {}) {
  const lines = histogram.kind === "numeric" ? cutLines(cuts) : [];
  const height = FRAME.low + 34 + 16 * lines.length;
  const picture = svg({ class: "chart", viewBox: `0 0 ${FRAME.width} ${height}`, role: "img", "aria-label": label });
  const bars = barsOf(histogram), most = Math.max(...bars.map(total), 1e-9), scale = (FRAME.low - FRAME.top) / most;
  const step = (FRAME.width - FRAME.left - FRAME.right) / bars.length;
  draw("path", { class: "axis", d: `M${FRAME.left},${FRAME.top}V${FRAME.low}H${FRAME.width - FRAME.right}` }, picture);
  for (const part of [0, 0.5, 1]) draw(
    "text", { x: FRAME.left - 6, y: FRAME.low - part * most * scale + 4, "text-anchor": "end" }, picture,
    amount(part * most),
  );
  bars.forEach((counts, place) => stack(
    counts, colours, { x: FRAME.left + place * step + 0.5, width: step > 6 ? step - 1 : step, low: FRAME.low, scale },
    picture,
  ));
  if (histogram.kind === "numeric") numericAxis(histogram, own, lines, picture);
  else nominalAxis(histogram, groups, step, bars.length, picture);
  return picture;
}
function numericAxis({ edges, words }, own, lines, picture) {
  const first = edges[0], last = edges.at(-1), room = FRAME.width - FRAME.left - FRAME.right;
  const x = (value) => FRAME.left + room * Math.min(
    1, Math.max(0, last > first ? (value - first) / (last - first) : 0.5),
  );
  const every = Math.max(1, Math.ceil((edges.length - 1) / 4));
  edges.forEach((edge, place) => {
    const left = edges.length - 1 - place;
    if (left && (place % every || left < every / 2)) return;
    draw("text", { x: x(edge), y: FRAME.low + 15, "text-anchor": "middle" }, picture, words?.[place] ?? figure(edge));
  });
  if (own !== null) draw(
    "line", { class: "own-cut", x1: x(own), x2: x(own), y1: FRAME.top - 8, y2: FRAME.low }, picture,
  );
  lines.forEach(({ at, words: said }, row) => {
    const y = FRAME.low + 34 + 16 * row, place = x(at), after = place > FRAME.width / 2;
    draw("line", { class: "other-cut", x1: place, x2: place, y1: FRAME.top, y2: y - 4 }, picture);
    draw(
      "text", { x: after ? place - 5 : place + 5, y, "text-anchor": after ? "end" : "start" }, picture,
      cut(`${figure(at)}: ${said}`, 52),
    );
  });
}
// Metrics that cut at the same place share a line.
function cutLines(cuts) {
  const places = new Map();
  for (const { metric, cut: at } of cuts) if (at !== null) places.set(at, [...(places.get(at) ?? []), metric]);
  return [...places].sort(([a], [b]) => a - b).map(([at, metrics]) => ({ at, words: metrics.join(", ") }));
}
function nominalAxis({ labels }, groups, step, count, picture) {
  const most = Math.max(2, Math.floor(step / 7));
  for (let place = 0; place < count; place++) {
    const x = FRAME.left + (place + 0.5) * step, word = labels[place] ?? "others";
    if (step >= 16) draw("text", { x, y: FRAME.low + 15, "text-anchor": "middle" }, picture, cut(word, most));
    if (groups && groups[place] >= 0 && place < labels.length) draw(
      "text", { class: "faint", x, y: FRAME.low + 30, "text-anchor": "middle" }, picture,
      step >= 60 ? `branch ${groups[place] + 1}` : String(groups[place] + 1),
    );
  }
}

// Actual classes by rows, predicted ones by columns; right answers on the diagonal.
export function confusionTable({ classes, confusion }) {
  const rows = confusion.map(total);
  const cell = (count, actual, predicted) => {
    const share = rows[actual] ? count / rows[actual] : 0, mixed = actual === predicted ? "--hit" : "--path";
    const background = `color-mix(in srgb, var(${mixed}) ${Math.round(45 * share)}%, var(--paper))`;
    const title = `${percent(share)} of ${classes[actual]} predicted as ${classes[predicted]}`;
    return h("td", { class: "number", style: { background }, title }, amount(count));
  };
  return scrolled("Confusion matrix", h("table", { class: "confusion" },
    h("caption", {}, "Rows: actual class; columns: predicted"),
    h("thead", {}, h("tr", {}, h("td"), classes.map((label) => h("th", { scope: "col" }, cut(label, 16))))),
    h(
      "tbody", {},
      confusion.map((counts, actual) => h(
        "tr", {}, h("th", { scope: "row" }, cut(classes[actual], 24)),
        counts.map((count, predicted) => cell(count, actual, predicted)),
      )),
    )));
}

// Lines over steps: `series` are {name, colour, values}.
export function lineChart(steps, series, label, across) {
  const width = 430, left = 56, low = 190, height = 226 + 18 * Math.ceil(series.length / 2);
  const picture = svg({ class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  const known = series.flatMap(({ values }) => values).filter((value) => value !== null);
  const most = Math.max(...known, 1e-9), least = Math.min(0, ...known);
  const x = (place) => left + (width - left - 16) * (steps.length > 1 ? place / (steps.length - 1) : 0.5);
  const y = (value) => low - (low - 14) * (value - least) / (most - least);
  draw("path", { class: "axis", d: `M${left},14V${low}H${width - 10}` }, picture);
  for (const value of [least, (least + most) / 2, most]) draw(
    "text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, picture, figure(value),
  );
  const every = Math.ceil(steps.length / 10);
  steps.forEach((step, place) => { if (place % every === 0) draw(
    "text", { x: x(place), y: low + 17, "text-anchor": "middle" }, picture, String(step),
  ); });
  draw("text", { class: "faint", x: (left + width) / 2, y: low + 33, "text-anchor": "middle" }, picture, across);
  series.forEach(({ name, colour, values, dash }, row) => {
    const points = values.flatMap((value, place) => value === null ? [] : [`${x(place)},${y(value)}`]).join(" ");
    draw("polyline", { class: "line", stroke: colour, points, ...(dash ? { "stroke-dasharray": dash } : {}) }, picture);
    const at = { x: left + (row % 2) * 190, y: low + 52 + 18 * Math.floor(row / 2) };
    draw(
      "line",
      { class: "line", stroke: colour, x1: at.x, x2: at.x + 22, y1: at.y - 4, y2: at.y - 4, ...(dash ? { "stroke-dasharray": dash } : {}) },
      picture,
    );
    draw("text", { x: at.x + 28, y: at.y }, picture, name);
  });
  return picture;
}

// The diagram of Demsar (2006): mean ranks on a line, those that do not differ joined by bars.
export function rankDiagram({ mean_ranks: ranks, critical_difference: critical, cliques }, names) {
  const width = 620, left = 150, right = 470, n = names.length;
  const order = [...ranks.keys()].sort((a, b) => ranks[a] - ranks[b]), half = Math.ceil(n / 2);
  const axis = 46, bars = axis + 16, first = bars + 10 * cliques.length + 14, height = first + 20 * half + 6;
  const picture = svg({
    class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `Critical-difference diagram: ${order.map((place) => `${names[place]} ${ranks[place].toFixed(2)}`).join(", ")}`,
  });
  const x = (rank) => left + (right - left) * (n > 1 ? (rank - 1) / (n - 1) : 0.5);
  draw("line", { class: "axis", x1: left, x2: right, y1: axis, y2: axis }, picture);
  for (let rank = 1; rank <= n; rank++) {
    draw("line", { class: "axis", x1: x(rank), x2: x(rank), y1: axis - 5, y2: axis }, picture);
    draw("text", { x: x(rank), y: axis - 9, "text-anchor": "middle" }, picture, String(rank));
  }
  if (critical !== null) {
    draw("line", { class: "bar", x1: left, x2: Math.min(width - 10, x(1 + critical)), y1: 12, y2: 12 }, picture);
    draw("text", { x: left - 8, y: 16, "text-anchor": "end" }, picture, `CD = ${critical.toFixed(2)}`);
  }
  cliques.forEach((members, row) => {
    const places = members.map((place) => x(ranks[place]));
    draw(
      "line",
      { class: "bar", x1: Math.min(...places) - 4, x2: Math.max(...places) + 4, y1: bars + 10 * row, y2: bars + 10 * row },
      picture,
    );
  });
  order.forEach((place, at) => {
    const isLeft = at < half, y = first + 20 * (isLeft ? at : n - 1 - at), to = isLeft ? left - 6 : right + 6;
    draw(
      "polyline", { class: "axis", points: `${x(ranks[place])},${axis} ${x(ranks[place])},${y} ${to},${y}` }, picture,
    );
    draw(
      "text", { x: isLeft ? to - 4 : to + 4, y: y + 4, "text-anchor": isLeft ? "end" : "start" }, picture,
      cut(`${names[place]} ${ranks[place].toFixed(2)}`, 22),
    );
  });
  return picture;
}

// A bar for each data set, to the right where the first is better, to the left where the second is.
export function differenceChart({ first, second, points }, names) {
  const known = names.map((name, place) => ({ name, points: points[place] })).filter((each) => each.points !== null);
  known.sort((a, b) => b.points - a.points);
  const width = 520, middle = 300, room = 150, most = Math.max(...known.map((each) => Math.abs(each.points)), 1e-9);
  const picture = svg({
    class: "chart", viewBox: `0 0 ${width} ${18 * known.length + 30}`, role: "img",
    "aria-label": `Differences between ${first} and ${second} by data set`,
  });
  draw("text", { x: middle - 8, y: 14, "text-anchor": "end" }, picture, `${cut(second, 20)} is better`);
  draw("text", { x: middle + 8, y: 14 }, picture, `${cut(first, 20)} is better`);
  known.forEach((each, row) => {
    const y = 24 + 18 * row, length = room * Math.abs(each.points) / most, isFirst = each.points > 0;
    draw("text", { x: 8, y: y + 11 }, picture, cut(each.name, 18));
    draw(
      "rect",
      { class: isFirst ? "first" : "second", x: isFirst ? middle : middle - length, y: y + 1, width: Math.max(length, 0.5), height: 12 },
      picture,
    );
    draw(
      "text",
      { class: "faint", x: isFirst ? middle + length + 5 : middle - length - 5, y: y + 11, "text-anchor": isFirst ? "start" : "end" },
      picture, each.points.toFixed(1),
    );
  });
  draw("line", { class: "axis", x1: middle, x2: middle, y1: 20, y2: 24 + 18 * known.length }, picture);
  return picture;
}
