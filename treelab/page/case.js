import { h, percent, swatch } from "./dom.js";
import { decided } from "./words.js";

// A case that is typed in, and how a tree classifies it.

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
function branchOf(node, value) {
  const test = node.test;
  if (test.branchOf) return test.branchOf.get(value) ?? -1;
  let step = 0;
  while (step < test.limits.length && !(test.closed ? value <= test.limits[step] : value < test.limits[step])) step++;
  return test.branches[step];
}
// The nodes that a case visits, with the part of it that does, and the shares of the classes.
function walk(model, given) {
  const visited = new Map(), shares = model.classes.map(() => 0), waiting = [[0, 1]];
  while (waiting.length) {
    const [number, part] = waiting.pop(), node = model.nodes[number];
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
export function distribution(model, shares) {
  const row = (share, place) => h(
    "tr", {}, h("td", {}, swatch(model.colours[place]), model.classes[place]), h("td", {}, percent(share)),
  );
  return h("table", { class: "shares" }, shares.map(row));
}

// A form with a field for every feature that is tested; the way of the case is drawn in the tree.
export function caseForm(tree) {
  const model = tree.model, used = new Set(model.nodes.map((node) => node.feature));
  const columns = model.features.filter((column) => used.has(column.name)), fields = columns.map(field);
  const verdict = h("div", { id: "verdict", "aria-live": "polite" });
  const given = () => new Map(columns.map((column, place) => [column.name, valueOf(column, fields[place].value)]));
  const form = h("form", {
    id: "case", onsubmit: (event) => event.preventDefault(),
    oninput: () => {
      const { visited, shares } = walk(model, given());
      verdict.replaceChildren(
        h("h2", {}, `${model.target || "class"}: ${model.classes[decided(model, shares)]}`),
        distribution(model, shares),
      );
      tree.showPath(new Map([...visited].filter(([, part]) => part > 0)));
    },
    onreset: () => setTimeout(() => { verdict.replaceChildren(); tree.showPath(new Map()); }),
  }, columns.map((column, place) => h("label", {}, column.name, fields[place])), h("button", { type: "reset" }, "Clear"));
  return h("section", {}, h("h2", {}, "Classify a case"), verdict, form);
}
function field(column) {
  if (column.labels === null) return h("input", INPUTS[column.scale] ?? INPUTS.number);
  const options = column.labels.map((word, place) => h("option", { value: place }, word));
  return h(
    "select", {}, h("option", { value: "missing" }, "(missing)"), options,
    h("option", { value: "other" }, "(another value)"),
  );
}
function valueOf(column, text) {
  if (column.labels === null) return text === "" ? null : numberOf(text, column.scale);
  return text === "missing" ? null : column.labels[text];
}
