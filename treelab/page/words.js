import { amount, percent, plural } from "./dom.js";

// What is computed of a tree's model once, and what is said of its nodes.

function firstOfTheLargest(values) {
  const enough = Math.max(...values) * (1 - 1e-12);
  return values.findIndex((value) => value >= enough);
}
// The most probable class, or with costs (actual, predicted) the one of minimum expected cost.
export function decided(model, shares) {
  if (!model.costs) return firstOfTheLargest(shares);
  const expected = shares.map((_, place) => shares.reduce(
    (sum, share, actual) => sum + share * model.costs[actual][place], 0,
  ));
  const enough = Math.min(...expected) + 1e-12 * Math.max(...model.costs.flat());
  return expected.findIndex((cost) => cost <= enough);
}
// Adds to every node its number, weight, shares, class, place below its parent and path from the root.
export function prepared(model) {
  const nodes = model.nodes;
  for (const [number, node] of nodes.entries()) {
    node.number = number;
    node.path = number ? node.path : "";
    node.weight = node.counts.reduce((a, b) => a + b, 0);
    node.shares = node.counts.map((count) => node.weight ? count / node.weight : 0);
    node.probabilities ??= node.shares;
    node.best ??= decided(model, node.probabilities);
    for (const [branch, child] of (node.children ?? []).entries()) {
      Object.assign(nodes[child], { parent: number, branch, path: number ? `${node.path}.${branch}` : `${branch}` });
    }
    if (node.test?.labels) node.test.branchOf = new Map(node.test.labels);
  }
  for (const node of [...nodes].reverse()) {
    node.below = (node.children ?? []).reduce((sum, child) => sum + 1 + nodes[child].below, 0);
  }
  return model;
}
const leavesOf = (model) => model.nodes.filter((node) => !node.children).length;
export const treeSize = (model) => `${plural(model.nodes.length, "node")}, ${plural(leavesOf(model), "leaf", "leaves")}`;
export const facts = (model) => `${plural(model.nodes[0].weight, "case")}, ${treeSize(model)}`;
export function cases(node) {
  const wrong = node.weight - node.counts[node.best];
  const all = plural(node.weight, "case");
  return wrong > 1e-9 * node.weight ? `${all}, ${amount(wrong)} wrong` : all;
}
export function heading(model, node) {
  return node.children ? `Test of ${node.feature}` : `Leaf: ${model.classes[node.best]}`;
}
// Of each feature what was said of it last, in the order in which they are first tested.
function conditions(nodes, node) {
  const above = [], said = new Map();
  for (; node.parent !== undefined; node = nodes[node.parent]) above.unshift(node);
  for (const below of above) said.set(nodes[below.parent].feature, nodes[below.parent].said[below.branch]);
  return [...said.values()].join(" AND ");
}
export function ruleOf(model, node) {
  const rule = conditions(model.nodes, node);
  const then = `${node.children ? "mostly " : ""}${model.target || "class"} = ${model.classes[node.best]}`;
  return rule ? `IF ${rule} THEN ${then}` : `ALL CASES: ${then}`;
}
const score = (node) => node.score === undefined || node.score === null ? "" : `score ${Number(node.score.toPrecision(5))}`;
export const casesAndScore = (node) => [cases(node), score(node)].filter(Boolean).join("; ");
export function describe(model, node) {
  const lines = [node.children ? `test of ${node.feature}` : `leaf: ${model.classes[node.best]}`, cases(node)];
  for (const [place, share] of node.shares.entries()) if (share > 0 && lines.length < 10) lines.push(`${model.classes[place]} ${percent(share)}`);
  if (score(node)) lines.push(score(node));
  return lines.join("\n");
}
