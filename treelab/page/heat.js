import { figure, h, plural, scrolled } from "./dom.js";

// Every candidate x every metric: a cell is the rank of the candidate by the metric, the darker
// the better. `take(candidate)` makes the tree use a candidate, where that can be done.

const ORDERS = {
  spread: (a, b) => b.spread - a.spread, split: (a, b) => a.split.localeCompare(b.split),
  mean: (a, b) => mean(a) - mean(b),
};
const mean = (candidate) => candidate.ranks.reduce((sum, rank) => sum + rank, 0) / candidate.ranks.length;

export function heatMap(why, take = null) {
  const worst = Math.max(2, ...why.candidates.flatMap((candidate) => candidate.ranks));
  const body = h("tbody"), heads = new Map();
  const sortBy = (key, order) => {
    const sorted = [...why.candidates].sort(order);
    body.replaceChildren(...sorted.map((candidate) => rowOf(candidate, why.metrics, worst, take)));
    for (const [name, head] of heads) head.setAttribute(
      "aria-sort", name !== key ? "none" : key === "spread" ? "descending" : "ascending",
    );
  };
  const headOf = (key, words, order, style, title) => {
    const head = h(
      "th", { scope: "col", class: style, title },
      h("button", { type: "button", onclick: () => sortBy(key, order) }, h("span", {}, words)),
    );
    heads.set(key, head);
    return head;
  };
  const byMetric = (place) => (a, b) => a.ranks[place] - b.ranks[place];
  const table = h("table", { class: "heat" }, h("thead", {}, h("tr", {},
    headOf("split", "candidate", ORDERS.split, "split"),
    take ? h("th", { scope: "col" }, h("span", { class: "unseen" }, "take it")) : null,
    headOf("spread", "spread", ORDERS.spread, "turned", "How far the metrics disagree: the worst rank less the best"),
    headOf("mean", "mean rank", ORDERS.mean, "turned"),
    why.metrics.map(({ name }, place) => headOf(`metric ${name}`, name, byMetric(place), "turned")))), body);
  sortBy("spread", ORDERS.spread);
  return h("div", { class: "why" }, remarks(why),
    scrolled("Candidates by metrics", table));
}
function rowOf(candidate, metrics, worst, take) {
  const strength = (rank) => Math.round(50 * (1 - Math.log(rank) / Math.log(worst)));
  const mixed = (rank) => `color-mix(in srgb, var(--hit) ${strength(rank)}%, var(--paper))`;
  const colour = (rank, place) => candidate.scores[place] === null ? "var(--paper)" : mixed(rank);
  const cell = (rank, place) => h("td", {
    class: "rank", style: { background: colour(rank, place) },
    title: `${metrics[place].name}: score ${figure(candidate.scores[place])}, normalized ${figure(candidate.normalized[place])}, rank ${rank}`,
  }, candidate.scores[place] === null ? "–" : String(rank));
  const button = () => candidate.chosen || !candidate.edit ? null
    : h(
      "button",
      { type: "button", class: "take", "aria-label": `Take ${candidate.split}`, onclick: () => take(candidate) },
      "Take",
    );
  return h("tr", { class: candidate.chosen ? "chosen" : null },
    h(
      "th", { scope: "row", class: "split" }, candidate.split,
      candidate.chosen ? h("small", {}, " the tree's own") : null,
    ),
    take ? h("td", {}, button()) : null,
    h("td", { class: "number" }, String(candidate.spread)),
    h("td", { class: "number" }, mean(candidate).toFixed(1)),
    candidate.ranks.map(cell));
}
function remarks(why) {
  const others = new Map();
  for (const { metric, split, dissents } of why.choices) if (dissents) others.set(split, [...(others.get(split) ?? []), metric]);
  const byVotes = [...others].sort(([, a], [, b]) => b.length - a.length);
  const said = byVotes.map(([split, metrics]) => `${listed(metrics)} would take ${split ?? "nothing"}`);
  const shown = `${why.candidates.length} of ${plural(why.n_candidates, "candidate")}`;
  const all = `${shown}, ranked by ${plural(why.metrics.length, "metric")}; the darker, the better the rank`;
  const w = why.agreement?.toFixed(2), agreement = w && `agreement of the ranks (Kendall's W): ${w}`;
  const first = [
    all, agreement, why.same_data === false ? "the node had other cases when the tree grew" : null, why.sample?.words,
    ...(said.length ? said.slice(0, MOST_SAID) : ["all metrics would take the tree's own test"]),
  ];
  const list = (lines) => h("ul", { class: "remarks" }, lines.filter(Boolean).map((words) => h("li", {}, words)));
  const rest = said.slice(MOST_SAID);
  return [
    list(first),
    rest.length ? h("details", {}, h("summary", {}, plural(rest.length, "other choice")), list(rest)) : null,
  ];
}
const MOST_NAMED = 6, MOST_SAID = 3;
function listed(metrics) {
  const more = metrics.length - MOST_NAMED;
  return more > 1 ? `${metrics.slice(0, MOST_NAMED).join(", ")} and ${more} more` : metrics.join(", ");
}
