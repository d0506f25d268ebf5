import { confusionTable } from "./charts.js";
import { amount, fill, fillTable, h, percent, plural, scrolled, svg } from "./dom.js";
import { button, choice, labelled, numberField, numberIn, Parametric, tickedIn, ticks } from "./forms.js";
import { COMPACT, drawTree, extentOf } from "./nodes.js";
import { prepared } from "./words.js";

// Growing: how, how good the tree is, and what other metrics would have made.

export class GrowSection {
  constructor(lab) {
    this.lab = lab;
    this.multiples = h("div", { id: "multiples" });
    this.facts = h("div", { id: "grown" });
    this.accuracy = new AccuracyBox(lab, "assess-grown");
    this.comparison = h("div", { id: "comparison" });
    this.element = h(
      "div", {}, lab.host.isLive ? this.form() : h("h2", {}, "The tree"), this.facts, this.accuracy.element,
      this.side(),
    );
  }
  form() {
    const { metrics, auto, splits, missing, pruners, defaults, discretizers, unseen, search, probabilities } = this.lab.choices;
    const named = (name, words, options) => [
      name,
      labelled(
        words,
        choice(options.map((each) => [each.name, each.name, each.words]), defaults[name], { id: `grow-${name}` }),
      ),
    ];
    const number = (name, words, none = "no limit") => [
      name, labelled(words, numberField(defaults[name], { id: `grow-${name}`, placeholder: none, step: 1 })),
    ];
    this.metric = new Parametric(
      "Metric", "grow-metric",
      [...metrics, ...auto.map((name) => ({ name, idea: "chosen for the data", parameters: [] }))], defaults.metric,
    );
    this.pruner = new Parametric(
      "Pruning", "grow-pruner", pruners, defaults.pruner, pruners.some(({ name }) => name === "none") ? null : "none",
    );
    this.discretizer = new Parametric(
      "Numbers cut before growing", "grow-discretizer", discretizers, defaults.discretizer, "not at all",
    );
    this.probabilities = new Parametric("Probabilities", "grow-probabilities", probabilities, defaults.probabilities);
    const main = [named("splits", "Splits", splits), named("missing", "Missing values", missing)];
    const limits = [
      number("min_cases", "Cases to split a node, at least"), number("min_branch", "Cases of a branch, at least"),
      number("max_depth", "Depth, at most"), number("max_leaves", "Leaves, at most"),
    ];
    const more = [
      named("unseen", "Unseen values", unseen), named("search", "Search", search),
      number("bins", "Bins of numbers", "exact"), number("seed", "Seed"),
    ];
    this.controls = new Map([...main, ...limits, ...more].map(([name, field]) => [name, field.querySelector("input, select")]));
    const fields = (list) => list.map(([, field]) => field);
    return h("form", {
      class: "form", "aria-label": "How to grow", onsubmit: (event) => { event.preventDefault(); this.grow(); },
    },
      h("h2", {}, "Grow a tree"), this.metric.element, h("div", { class: "two" }, fields(main)),
      this.pruner.element, h("div", { class: "two" }, fields(limits)),
      h(
        "details", {}, h("summary", {}, "More"), this.discretizer.element, this.probabilities.element,
        h("div", { class: "two" }, fields(more)),
      ),
      h("p", { class: "actions" }, h("button", { type: "submit", id: "grow", class: "main" }, "Grow")));
  }
  get settings() {
    const given = {
      metric: this.metric.value, pruner: this.pruner.value || null, discretizer: this.discretizer.value || null,
      probabilities: this.probabilities.value,
    };
    for (const [name, control] of this.controls) given[name] = control.type === "number" ? numberIn(control) : control.value;
    return given;
  }
  async grow() {
    if (this.lab.tree?.edits.length && !await this.isAgreed()) return;
    await this.lab.change("grow", { settings: this.settings }, false);
  }
  isAgreed() {
    const edits = plural(this.lab.tree.edits.length, "edit");
    return new Promise((answer) => {
      const dialog = h("dialog", {
        "aria-label": "Grow again?", onclose: () => { answer(dialog.returnValue === "grow"); dialog.remove(); },
      }, h("form", { method: "dialog" },
        h("p", {}, `Growing another tree drops what was changed by hand: ${edits}.`),
        h(
          "p", { class: "actions" }, h("button", { value: "grow", class: "main" }, "Grow"),
          h("button", { value: "stay" }, "Keep the tree"),
        )));
      this.lab.root.append(dialog);
      dialog.showModal();
    });
  }
  update() {
    const tree = this.lab.tree;
    this.accuracy.update();
    this.facts.replaceChildren();
    if (!this.lab.data) this.facts.append(h("p", { class: "empty" }, "Open data first."));
    if (!tree) { this.multiples.replaceChildren(); this.comparison.replaceChildren(); return; }
    const { leaves, nodes, depth, cases, weight, metric, choice: chosen } = tree.facts;
    this.facts.append(h(
      "p", {},
      `${plural(leaves, "leaf", "leaves")}, ${plural(nodes, "node")}, depth ${depth}, grown from ${plural(cases ?? weight, "case")} by ${metric}.`,
      chosen ? ` ${chosen}` : "",
    ));
    if (!this.lab.host.isLive && !this.multiples.hasChildNodes()) this.showKept();
  }
  showKept() {
    const found = [...this.lab.host.answers].find(([key]) => key.startsWith("compare "));
    if (found) this.show(found[1]);
  }

  // Metrics side by side

  side() {
    if (!this.lab.host.isLive) return this.comparison;
    const names = this.lab.choices.metrics.map(({ name }) => name);
    this.metrics = ticks("Metrics", names, new Set(["gain", "gini", "relieff"].filter((name) => names.includes(name))));
    return h("section", {}, h("h2", {}, "Metrics side by side"), h(
      "details", {}, h("summary", {}, "Which metrics"), this.metrics,
    ),
      h(
        "p", { class: "actions" }, button("Compare their trees", () => this.compare(), { id: "compare-metrics" }),
      ), this.comparison);
  }
  async compare() {
    const answer = await this.lab.ask(
      "compare", { metrics: tickedIn(this.metrics), folds: 10, seed: 0 }, "Growing a tree by each metric",
    );
    if (answer) this.show(answer);
  }
  show({ trees, differences, baseline, majority, folds, alike }) {
    const rows = trees.map(({ metric, accuracy, error, leaves, depth }, place) => [
      metric, `${percent(accuracy)} ± ${(100 * error).toFixed(1)}`, amount(leaves), amount(depth),
      percent(alike[0][place]),
    ]);
    const table = fillTable(
      h("table", { class: "plain" }), ["metric", "accuracy", "leaves", "depth", `as ${trees[0].metric}`], rows,
      [false, true, true, true, true],
    );
    fill(
      this.comparison,
      h(
        "p", {},
        `${folds}-fold cross-validation; always ${majority}: ${percent(baseline)}. The last column: cases predicted as by the first tree.`,
      ),
      scrolled("Accuracies", table),
    );
    const heads = ["node", ...trees.map(({ metric }) => metric)];
    const nodes = differences.map(({ path, words }) => [
      path.length ? path.join(".") : "root", ...words.map((said) => said ?? "–"),
    ]);
    fill(this.multiples, h("h2", {}, "Trees by metric"), h(
      "p", { class: "help" }, `Framed in dashes: other than in the tree of ${trees[0].metric}.`,
    ),
      h("div", { class: "multiples" }, trees.map((tree) => smallTree(tree))),
      nodes.length ? scrolled(
        "Differences",
        fillTable(h("table", { class: "plain", id: "differences" }), heads, nodes, heads.map(() => false)),
      ) : h("p", {}, "The trees are the same."));
  }
}

// A tree as small as it is readable.
function smallTree({ metric, page, differs, leaves, accuracy }) {
  const model = prepared(page), open = new Set(page.open), others = new Set(differs);
  const picture = svg({ role: "img", "aria-label": `Tree by ${metric}: ${plural(leaves, "leaf", "leaves")}` });
  const places = drawTree(picture, model, {
    isOpen: (number) => open.has(number), kind: (node) => node.children ? (open.has(node.number) ? "test" : "closed") : "leaf",
    styles: (node) => [others.has(node.number) && "differs"], size: COMPACT,
  });
  const { left, width, height } = extentOf(places.values(), COMPACT.box);
  picture.setAttribute("viewBox", `${left - 6} -6 ${width + 12} ${height + 12}`);
  picture.style.width = `${width + 12}px`;
  return h(
    "figure", { style: { flexBasis: `${width + 40}px` } },
    h("figcaption", {}, h("b", {}, metric), ` ${plural(leaves, "leaf", "leaves")}, ${percent(accuracy)}`),
    scrolled(`Tree by ${metric}`, picture),
  );
}

// How good the tree is, on which cases.
export class AccuracyBox {
  constructor(lab, id) {
    this.lab = lab;
    this.result = h("div", { "aria-live": "polite" });
    this.button = button("Cross-validate", () => this.assess(), { id });
    this.element = h(
      "section", { class: "accuracy" }, h("h2", {}, "How good is it?"),
      lab.host.isLive ? h("p", { class: "actions" }, this.button) : null, this.result,
    );
  }
  get body() {
    return { folds: 10, seed: 0 };
  }
  update() {
    const { tree, host } = this.lab;
    this.element.hidden = !tree;
    this.result.replaceChildren();
    if (!tree) return;
    this.button.textContent = tree.held_out ? "Judge on the cases held out" : "Cross-validate";
    this.button.disabled = tree.data === false;
    if (tree.held_out) this.show({
      ...tree.held_out, words: `Measured on the ${plural(tree.held_out.cases, "case")} held out beforehand.`,
      skipped: [],
    });
    this.element.hidden = !host.isLive && !tree.held_out && !host.answers.has(`assess ${JSON.stringify(this.body)}`);
    const known = host.answers.get(`assess ${JSON.stringify(this.body)}`);
    if (known) this.show(known);
  }
  async assess() {
    const answer = await this.lab.ask("assess", this.body, "Judging the tree");
    if (!answer) return;
    for (const name of ["grow", "change"]) this.lab.sections[name].accuracy.show(answer);
  }
  show(found) {
    const size = found.leaves === undefined ? "" : ` Leaves ${amount(found.leaves)}, depth ${amount(found.depth)} on average.`;
    fill(this.result,
      h(
        "p", { class: "big" }, percent(found.accuracy),
        found.error === null || found.error === undefined ? "" : h("small", {}, ` ± ${(100 * found.error).toFixed(1)}`),
      ),
      h("p", {}, `${found.words.replace(/\.?$/, ".")} Always ${found.majority}: ${percent(found.baseline)}.${size}`),
      found.skipped.length ? h("ul", { class: "remarks" }, found.skipped.map((words) => h("li", {}, words))) : null,
      confusionTable(found));
  }
}
