import { branchesOf, histogramChart, lineChart } from "./charts.js";
import { amount, fill, h, scrolled } from "./dom.js";
import { button, choice, labelled, tickedIn, ticks } from "./forms.js";
import { heatMap } from "./heat.js";
import { nodeSummary } from "./viewer.js";

// Asking: what every metric says at a node, its cases, and pairs of them by distance.

const PAGE = 25;
export const FIRST_CASES = { start: 0, size: PAGE };

export class AskSection {
  constructor(lab) {
    this.lab = lab;
    this.summary = h("div", { id: "details", "aria-live": "polite" });
    this.table = h("div", { id: "why-table" });
    this.values = h("section", { id: "values" });
    this.cases = h("section", { id: "cases" });
    this.pi = h("section", { id: "pi" });
    this.whole = h("div", {}, this.summary, this.question(), this.table, this.values, this.pi, this.cases);
    this.none = h(
      "p", { class: "empty" }, "Grow a tree first; then click a node, or walk to it with the arrow keys, and ask.",
    );
    this.element = h("div", {}, this.none, this.whole);
    this.update();
  }
  update() {
    this.whole.hidden = !this.lab.tree;
    this.none.hidden = Boolean(this.lab.tree);
  }
  shown() {
    if (this.lab.tree) this.chosen(this.lab.node);
  }
  get isShown() {
    return this.lab.section === "ask" && this.lab.tree;
  }
  // Asks at once what is quick; the answers of a node that was left meanwhile are dropped.
  async chosen(node) {
    if (!this.isShown) return;
    this.summary.replaceChildren(...nodeSummary(this.lab.tree.page, node));
    this.ask.hidden = !node.children;
    this.table.replaceChildren();
    this.pi.replaceChildren();
    this.first = 0;
    if (!this.lab.host.knows("node", this.lab.path)) { this.sayUnasked(); return; }
    await this.showValues();
    if (this.lab.node !== node) return;
    await this.showCases();
    if (node.children && this.lab.node === node && this.lab.host.knows("why", this.lab.path)) await this.why(null);
  }
  sayUnasked() {
    fill(this.table, h("p", { class: "empty" }, "Nothing was asked at this node when the page was kept."));
    this.values.replaceChildren();
    this.cases.replaceChildren();
  }

  // Metrics

  question() {
    const names = this.lab.choices.metrics.map(({ name }) => name);
    this.some = ticks("Metrics", names, new Set());
    this.ask = h("div", { class: "question" }, h("h2", {}, "What does every metric say?"),
      this.lab.host.isLive ? h("p", { class: "actions" },
        button(
          "The usual metrics", () => this.why(null), { id: "ask-usual" },
        ), button("All metrics", () => this.why("all"), { id: "ask-all" })) : null,
      this.lab.host.isLive ? h(
        "details", {}, h("summary", {}, "Some metrics"), this.some,
        button("Ask these", () => this.why(tickedIn(this.some)), { id: "ask-some" }),
      ) : null);
    return this.ask;
  }
  async why(metrics) {
    const { node, path } = this.lab, body = { path, ...(metrics ? { metrics } : {}) };
    const kept = this.lab.host.isLive ? body : this.best(path) ?? body;
    const answer = await this.lab.ask("why", kept, "Asking every metric");
    if (answer && this.lab.node === node) fill(
      this.table,
      heatMap(answer, this.lab.tree.can_edit && this.lab.host.isLive ? (candidate) => this.take(candidate) : null),
    );
  }
  // A kept page shows of a node the answer of most metrics.
  best(path) {
    const asked = [...this.lab.host.answers.keys()].filter((key) => key.startsWith("why "));
    const here = asked.map((key) => JSON.parse(key.slice(4))).filter((body) => body.path.join() === path.join());
    return here.sort((a, b) => (b.metrics?.length ?? 0) - (a.metrics?.length ?? 0))[0];
  }
  take(candidate) {
    return this.lab.change("edit", { edit: candidate.edit });
  }

  // Values

  async showValues(feature = null) {
    const { node, path } = this.lab;
    const found = await this.lab.ask("node", { path, ...(feature ? { feature } : {}) }, "Counting values");
    if (!found || this.lab.node !== node) return;
    const list = choice(
      found.features, found.feature, { id: "value-feature", onchange: () => this.showValues(list.value) },
    );
    const colours = this.lab.tree.page.colours;
    fill(this.values, h("h2", {}, "Values at this node, by class"), labelled("Feature", list),
      found.histogram ? histogramChart(
        found.histogram, colours,
        { cut: found.cut, cuts: found.cuts, groups: branchesOf(found), label: `${found.feature} by class` },
      ) : h("p", {}, "No values here."),
      found.histogram?.kind === "numeric" ? h(
        "p", { class: "help" }, "Thick: the tree's own cut; dashed: the cuts that metrics prefer.",
      ) : nominalChoices(found),
      this.lab.host.isLive || this.hasPi(path, found.feature) ? button(
        "The four cases of Pi by distance", () => this.showPi(found.feature), { id: "ask-pi" },
      ) : null);
  }
  hasPi(path, feature) {
    return this.lab.host.answers.has(`pi ${JSON.stringify({ path, feature })}`);
  }
  async showPi(feature) {
    const { node, path } = this.lab;
    const found = await this.lab.ask("pi", { path, feature }, "Comparing pairs of cases");
    if (!found || this.lab.node !== node) return;
    const dashes = [null, "6 3", null, "6 3"];
    const series = found.cases.map(({ name, colour, pairs }, place) => ({ name, colour, values: pairs, dash: dashes[place] }));
    const ranks = found.ranks.map(([alpha, rank]) => `${rank} of ${found.of} at alpha ${alpha}`).join(", ");
    fill(this.pi, h("h2", {}, `Pairs of cases by distance: ${feature}`), lineChart(
      found.distances, series, `Pairs of the four cases by distance, ${feature}`, "features on which a pair differs",
    ),
      h("p", {}, `Rank of ${feature} by Pi: ${ranks}.`), found.sample ? h(
        "p", { class: "help" }, `Of a sample of ${amount(found.sample.cases)} of ${amount(found.sample.of)} cases.`,
      ) : null);
  }

  // Cases

  async showCases(order = {}) {
    const { node, path } = this.lab;
    const found = await this.lab.ask(
      "cases", { path, ...FIRST_CASES, start: this.first, ...order }, "Looking up cases",
    );
    if (!found || this.lab.node !== node) return;
    const turn = (by) => { this.first = Math.max(0, this.first + by); return this.showCases(order); };
    const head = (name) => {
      const isSorted = order.order === name;
      const sort = () => {
        this.first = 0;
        return this.showCases({ order: name, descending: isSorted && !order.descending });
      };
      return h(
        "th", { scope: "col", "aria-sort": isSorted ? (order.descending ? "descending" : "ascending") : null },
        name === "case" || !this.lab.host.isLive ? name : button(name, sort),
      );
    };
    const last = Math.min(found.start + PAGE, found.total);
    fill(this.cases, h("h2", {}, "Cases that reach it"),
      scrolled("Cases", h("table", { class: "plain cases" }, h("thead", {}, h("tr", {}, found.columns.map(head))),
        h(
          "tbody", {},
          found.rows.map((cells) => h(
            "tr", { class: isWrong(cells, found.columns) ? "wrong" : null },
            cells.map((cell) => h("td", {}, cell === null ? "?" : typeof cell === "number" ? amount(cell) : cell)),
          )),
        ))),
      h("p", { class: "actions" }, found.start ? button("Before", () => turn(-PAGE)) : null, h(
        "span", {}, found.total ? `${found.start + 1} to ${last} of ${amount(found.total)}` : "no cases",
      ),
        last < found.total && this.lab.host.isLive ? button("Next", () => turn(PAGE), { id: "more-cases" }) : null));
  }
}
function isWrong(cells, columns) {
  const [actual, predicted] = ["class", "predicted"].map((name) => cells[columns.indexOf(name)]);
  return predicted !== undefined && actual !== predicted;
}
function nominalChoices(found) {
  const words = [...new Set(found.cuts.filter((each) => each.words).map((each) => each.words))];
  const metrics = (split) => found.cuts.filter((each) => each.words === split).map(({ metric }) => metric);
  const said = words.map((split) => `${metrics(split).join(", ")}: ${split}`);
  return h("ul", { class: "remarks" }, said.map((text) => h("li", {}, text)));
}
