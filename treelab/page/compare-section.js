import { differenceChart, rankDiagram } from "./charts.js";
import { fill, fillTable, h, percent, plural, scrolled } from "./dom.js";
import { button, choice, labelled, numberField, tickedIn, ticks } from "./forms.js";

// Comparing: the stores of studies, running or finished, one or several together.

const AGAIN = 3000;

export class CompareSection {
  constructor(lab) {
    this.lab = lab;
    this.found = h("div", { class: "facts" });
    this.filters = h("div");
    this.element = h("div", { class: "split-panel" }, h("div", { class: "sources" }, this.sources()), this.found);
    if (!lab.host.isLive) this.showKept();
  }
  showKept() {
    const kept = [...this.lab.host.answers].filter(([key]) => key.startsWith("study ")).at(-1);
    if (kept) this.show(kept[1]);
    else this.found.append(h("p", { class: "empty" }, "No study was open."));
  }
  sources() {
    if (!this.lab.host.isLive) return null;
    const { stores, folder } = this.lab.choices;
    if (!stores.length) return h(
      "p", { class: "empty" },
      `No store of a study (.sqlite) in the folder ${folder}; start the lab in the folder of a study.`,
    );
    this.stores = ticks(`Stores in ${folder}`, stores, new Set(stores.slice(0, 1)));
    this.measure = choice(["accuracy"], "accuracy", { id: "measure", onchange: () => this.open() });
    this.alpha = numberField(0.05, { id: "alpha", min: 0.001, max: 0.5, step: 0.01, onchange: () => this.open() });
    return [h("h2", {}, "Open studies"), this.stores, h(
      "div", { class: "two" }, labelled("Measure", this.measure), labelled("Level", this.alpha),
    ),
      h(
        "p", { class: "actions" }, button("Open", () => this.open(true), { id: "open-stores", class: "main" }),
      ), this.filters];
  }
  async open(isNew = false) {
    clearTimeout(this.timer);
    if (isNew) this.filters.replaceChildren();
    const some = (name) => {
      const frame = this.filters.querySelector(`[data-name="${name}"]`);
      return frame ? { [name]: tickedIn(frame) } : {};
    };
    const body = {
      files: tickedIn(this.stores), measure: this.measure.value || "accuracy", alpha: Number(this.alpha.value),
      ...some("data"), ...some("learners"),
    };
    this.lab.host.forget("study");
    const answer = await this.lab.ask("study", body, "Reading the store");
    if (!answer) return;
    this.show(answer);
    this.showFilters(answer);
    this.isRunning = answer.stores.some(({ state }) => state === "running");
    if (this.isRunning) this.timer = setTimeout(() => this.lab.section === "compare" && this.open(), AGAIN);
  }
  shown() {
    if (this.isRunning) this.open();
  }
  showFilters({ measures, all_data: data, all_learners: learners }) {
    const chosen = this.measure.value;
    this.measure.replaceChildren(...measures.map((name) => h("option", { selected: name === chosen }, name)));
    if (this.filters.hasChildNodes()) return;
    const filter = (name, words, all) => {
      const frame = ticks(words, all, new Set(all), () => this.open());
      frame.dataset.name = name;
      return h("details", {}, h("summary", {}, `${words}: ${all.length}`), frame);
    };
    this.filters.append(filter("learners", "Learners", learners), filter("data", "Data sets", data));
  }
  show(found) {
    fill(this.found, h("h2", {}, "Progress"), found.stores.map(progressOf).reduce(
      (list, each) => { list.append(each); return list; }, h("ul", { class: "stores" }),
    ),
      ...(found.data.length ? this.results(found) : [h("p", { class: "empty" }, "No trial is finished yet.")]),
      found.failures.length ? h(
        "details", {}, h("summary", {}, plural(found.failures.length, "failure")),
        h("ul", {}, found.failures.map(({ trial, error }) => h("li", {}, `${trial}: ${error}`))),
      ) : "");
  }
  results(found) {
    const { data, learners, means, deviations, best, averages } = found;
    const cell = (row, column) => {
      const said = meanText(means[row][column], deviations[row][column]);
      return best[row][column] ? h("b", {}, said) : said;
    };
    const rows = data.map((name, row) => [name, ...learners.map((_, column) => cell(row, column))]);
    const table = fillTable(
      h("table", { class: "plain results" }), ["data", ...learners],
      [...rows, ["average", ...averages.map((mean) => meanText(mean, null))]], [false, ...learners.map(() => true)],
    );
    return [
      h("ul", { class: "remarks" }, found.conclusion.map((words) => h("li", {}, words))),
      h("h2", {}, "Table"), scrolled("Results", table),
      ...(found.ranks ? [
        h("h2", {}, "Mean ranks"),
        h(
          "p", { class: "help" },
          `Friedman test: p = ${found.ranks.p?.toPrecision(2) ?? "–"}, ${plural(found.ranks.data_sets, "data set")}; `
            + `a bar joins learners that do not differ at the level ${found.ranks.alpha}.`,
        ),
        scrolled("Mean ranks", rankDiagram(found.ranks, learners)),
      ] : []),
      ...(found.differences.length ? [h("h2", {}, "Differences by data set"), this.differences(found)] : []),
    ];
  }
  differences({ differences, data }) {
    const picture = h("div"), list = choice(
      differences.map(({ first, second }, place) => [String(place), `${first} against ${second}`]), "0", { id: "pair" },
    );
    const show = () => {
      const pair = differences[+list.value];
      fill(
        picture, scrolled("Differences", differenceChart(pair, data)),
        h("p", {}, `${pair.first}: ${pair.wins} better, ${pair.ties} equal, ${pair.losses} worse.`),
      );
    };
    list.addEventListener("change", show);
    show();
    return h("div", {}, labelled("Which two", list), picture);
  }
}
// Shares with three digits behind the point, percents with one.
function meanText(mean, deviation) {
  if (mean === null) return "–";
  const digits = Math.abs(mean) < 2 ? 3 : 1, end = deviation?.toFixed(digits);
  return mean.toFixed(digits) + (end === undefined ? "" : ` ± ${end}`);
}
function progressOf({ file, done, failed, expected, state }) {
  const share = expected ? done / expected : 0;
  return h(
    "li", {}, h("b", {}, file),
    ` ${done} of ${expected} trials (${percent(share)}), ${state}${failed ? `, ${failed} failed` : ""}`,
    h("progress", { max: 1, value: share, "aria-label": `Progress of ${file}` }),
  );
}
