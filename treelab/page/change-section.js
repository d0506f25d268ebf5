import { branchesOf, histogramChart } from "./charts.js";
import { figure, fill, h } from "./dom.js";
import { button, choice, labelled, numberField, Parametric } from "./forms.js";
import { AccuracyBox } from "./grow-section.js";
import { nodeSummary } from "./viewer.js";

// Changing the tree by hand, and the log of what was changed.

export class ChangeSection {
  constructor(lab) {
    this.lab = lab;
    this.summary = h("div", { "aria-live": "polite" });
    this.split = h("section", { id: "split" });
    this.actions = h("section", { id: "node-actions" });
    this.log = h("ol", { id: "edits" });
    this.undo = button("Undo", () => lab.change("undo"), { id: "undo", title: "Control+Z" });
    this.redo = button("Redo", () => lab.change("redo"), { id: "redo", title: "Control+Y" });
    this.accuracy = new AccuracyBox(lab, "assess-changed");
    const history = lab.host.isLive ? h("p", { class: "actions" }, this.undo, this.redo) : null;
    this.whole = h(
      "div", {}, this.summary, this.split, this.actions,
      h("section", {}, h("h2", {}, "Changes so far"), history, this.log), this.accuracy.element,
    );
    this.none = h("p", { class: "empty" }, "Grow a tree first; then choose a node and change it.");
    this.element = h("div", {}, this.none, this.whole);
    this.update();
  }
  update() {
    const tree = this.lab.tree;
    this.accuracy.update();
    this.whole.hidden = !tree;
    this.none.hidden = Boolean(tree);
    if (!tree) return;
    this.undo.disabled = !tree.undo;
    this.redo.disabled = !tree.redo;
    const words = tree.edits.map(({ words: said, done }) => h(
      "li", { class: done ? null : "undone" }, said, done ? null : h("small", {}, " (undone)"),
    ));
    this.log.replaceChildren(...(words.length ? words : [h(
      "li", { class: "none" }, "none: the tree is as it was grown",
    )]));
  }
  shown() {
    if (this.lab.tree) this.chosen(this.lab.node);
  }
  async chosen(node) {
    if (this.lab.section !== "change" || !this.lab.tree) return;
    this.summary.replaceChildren(...nodeSummary(this.lab.tree.page, node));
    const canEdit = this.lab.tree.can_edit && this.lab.host.isLive;
    this.split.replaceChildren();
    this.actions.replaceChildren();
    if (!canEdit) { this.actions.append(h(
      "p", { class: "empty" }, "This tree cannot be changed here: its data are not open.",
    )); return; }
    this.showActions(node);
    await this.showSplit();
  }
  edit(edit) {
    return this.lab.change("edit", { edit });
  }
  get place() {
    return this.lab.node.path || "root";
  }

  // Another test

  async showSplit(feature = null) {
    const { node, path } = this.lab;
    const found = await this.lab.ask("node", { path, ...(feature ? { feature } : {}) }, "Counting values");
    if (!found || this.lab.node !== node) return;
    const list = choice(
      found.features, found.feature, { id: "split-feature", onchange: () => this.showSplit(list.value) },
    );
    fill(this.split, h("h2", {}, node.children ? "Take another test" : "Split this leaf"), labelled("Feature", list),
      candidates(found, (edit) => this.edit(edit)), this.byHand(found));
  }
  byHand(found) {
    if (found.slider) return this.threshold(found);
    return found.histogram?.kind === "nominal" && found.edit ? this.grouping(found) : null;
  }
  // The slider moves a line over the histogram; letting go, Enter, or the button takes the threshold.
  threshold(found) {
    const { lowest, highest, borders } = found.slider;
    if (lowest === null || !(highest > lowest) && !borders) return h(
      "p", { class: "help" }, "All cases here have the same value.",
    );
    const steps = borders ?? Array.from({ length: 201 }, (_, step) => lowest + (highest - lowest) * step / 201);
    const nearest = (value) => steps.reduce(
      (best, step, place) => Math.abs(step - value) < Math.abs(steps[best] - value) ? place : best, 0,
    );
    const first = found.cut ?? found.cuts.find((each) => each.cut !== null)?.cut ?? steps[Math.floor(steps.length / 2)];
    const picture = h("div"), exact = numberField(
      shortest(first), { id: "threshold-number", "aria-label": "Threshold" },
    );
    const show = (value) => fill(
      picture,
      histogramChart(
        found.histogram, this.lab.tree.page.colours,
        { cut: value, label: `${found.feature} by class, cut at ${figure(value)}` },
      ),
    );
    const take = () => this.edit({ ...found.edit, by: Number(exact.value) });
    let isHeld = false;
    const slider = h("input", {
      type: "range", id: "threshold", min: 0, max: steps.length - 1, step: 1, value: nearest(first),
      "aria-label": `Threshold of ${found.feature}`, "aria-valuetext": figure(first),
      onpointerdown: () => { isHeld = true; }, onchange: () => { if (isHeld) { isHeld = false; take(); } },
      onkeydown: (event) => { if (event.key === "Enter") take(); },
      oninput: () => {
        const value = steps[+slider.value];
        exact.value = shortest(value);
        slider.setAttribute("aria-valuetext", figure(value));
        show(value);
      },
    });
    exact.addEventListener("input", () => { slider.value = nearest(Number(exact.value)); show(Number(exact.value)); });
    exact.addEventListener("keydown", (event) => { if (event.key === "Enter") take(); });
    show(first);
    return h(
      "div", { class: "threshold" }, picture, slider,
      h(
        "p", { class: "actions" }, h("span", {}, `${found.feature} <=`), exact,
        button("Take this threshold", take, { id: "take-threshold" }),
      ),
    );
  }
  grouping(found) {
    const { labels } = found.histogram, own = branchesOf(found), groups = own ?? labels.map(() => 0), count = Math.min(
      labels.length, Math.max(2, ...groups.map((group) => group + 2)),
    );
    const names = Array.from({ length: count }, (_, place) => [String(place), `branch ${place + 1}`]);
    const lists = labels.map((label, place) => choice(
      names, String(Math.max(0, groups[place])), { "aria-label": `Branch of ${label}` },
    ));
    const take = () => {
      const groupOf = ([branch]) => labels.filter((_, place) => lists[place].value === branch);
      return this.edit({ ...found.edit, by: names.map(groupOf).filter((group) => group.length) });
    };
    return h("div", {}, histogramChart(
      found.histogram, this.lab.tree.page.colours, { groups: own, label: `${found.feature} by class` },
    ),
      h(
        "table", { class: "plain" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "value"), h("th", { scope: "col" }, "goes to"))),
        h("tbody", {}, labels.map((label, place) => h("tr", {}, h("td", {}, label), h("td", {}, lists[place])))),
      ),
      h("p", { class: "actions" }, button("Take these groups", take, { id: "take-groups" })));
  }

  // What else can be done to a node

  showActions(node) {
    const { metrics } = this.lab.choices, { classes } = this.lab.tree.page;
    const isLocked = this.lab.badges(node).includes("locked");
    const metric = new Parametric("Metric", "regrow-metric", metrics, this.lab.tree.settings.metric);
    const label = choice(classes, classes[node.best], { id: "label" });
    const lock = button(
      isLocked ? "Unlock" : "Lock", () => this.edit({ edit: isLocked ? "unlock" : "lock", node: this.place }),
      { id: "lock" },
    );
    this.actions.append(h("h2", {}, "This node"), h("p", { class: "actions" },
      node.children ? button(
        "Prune to a leaf", () => this.edit({ edit: "prune", node: this.place }), { id: "prune" },
      ) : null, lock),
      metric.element, h(
        "p", { class: "actions" },
        button(
          "Regrow below with this metric",
          () => this.edit({ edit: "regrow", node: this.place, learner: { metric: metric.value } }), { id: "regrow" },
        ),
      ));
    if (!node.children) this.actions.append(
      labelled("Class of this leaf", label),
      h(
        "p", { class: "actions" },
        button(
          "Relabel", () => this.edit({ edit: "relabel", node: this.place, label: label.value }), { id: "relabel" },
        ),
      ),
    );
  }
}
// A threshold as short as it can be written without moving from one step of the slider to another.
const shortest = (value) => String(Number(value.toPrecision(6)));

// What each metric would take of a feature, those that agree together.
function candidates(found, take) {
  const ways = new Map();
  for (const each of found.cuts) if (each.words) ways.set(
    each.words, { edit: each.edit, metrics: [...(ways.get(each.words)?.metrics ?? []), each.metric] },
  );
  const line = ([words, { edit, metrics }]) => h(
    "li", {}, edit ? button(words, () => take(edit), { class: "take" }) : words,
    h("small", {}, ` ${metrics.join(", ")}`),
  );
  return ways.size ? h(
    "ul", { class: "candidates", "aria-label": "The best of this feature by each metric" }, [...ways].map(line),
  ) : null;
}
