import { sparkHistogram } from "./charts.js";
import { amount, fill, h, percent, plural, scrolled, swatch } from "./dom.js";
import { button, choice, labelled, numberField, numberIn } from "./forms.js";

// Data: where they come from, what their columns are like, and which part of them is used how.

const KINDS = ["numeric", "nominal"];

export class DataSection {
  constructor(lab) {
    this.lab = lab;
    this.facts = h("div", { class: "facts" });
    this.element = h(
      "div", { class: "split-panel" }, h("div", { class: "sources" }, lab.host.isLive ? this.sources() : null),
      this.facts,
    );
    this.update();
  }

  // Where data come from

  sources() {
    const { bundled, files, folder, generators } = this.lab.choices;
    return [
      h("h2", {}, "Open data"),
      this.bundled(bundled), this.dropZone(), files.length ? this.fileOfFolder(files, folder) : null,
      this.generator(generators), this.heldOut(), this.reading(),
    ];
  }
  bundled(sets) {
    const card = h("small"), list = choice(
      sets.map(({ name, title }) => [name, name, title]), "iris", { id: "bundled" },
    );
    const tell = () => {
      const set = sets.find(({ name }) => name === list.value);
      const columns = `${set.numeric} numeric, ${set.nominal} nominal, ${set.classes} classes`;
      card.textContent = `${set.title}: ${plural(set.cases, "case")}, ${columns}`;
    };
    list.addEventListener("change", tell);
    tell();
    const open = button(
      "Open", () => this.open({ from: "bundled", name: list.value }), { id: "open-bundled", class: "main" },
    );
    return h("div", { class: "source" }, labelled("A bundled set", list), open, card);
  }
  dropZone() {
    const input = h(
      "input",
      { type: "file", id: "upload", multiple: true, onchange: () => { if (input.files.length) this.dropped(input.files); input.value = ""; } },
    );
    return h("div", { class: "source drop" }, h(
      "label", { for: "upload" }, "A file: drop it anywhere, or choose it",
    ), input,
      h("small", {}, "csv, tsv, arff, names + data, tab, parquet, xlsx …; it does not leave this machine"));
  }
  fileOfFolder(files, folder) {
    const list = choice(files, files[0], { id: "file" });
    return h(
      "div", { class: "source" }, labelled(`A file of the folder ${folder}`, list),
      button("Open", () => this.open({ from: "file", name: list.value }), { id: "open-file" }),
    );
  }
  generator(generators) {
    const fields = h("div", { class: "parameters" }), list = choice(
      generators.map(({ name, title }) => [name, name, title]), generators[0].name, { id: "generator" },
    ), said = h("small");
    const show = () => {
      const { parameters, title } = generators.find(({ name }) => name === list.value);
      said.textContent = title;
      fields.replaceChildren(...parameters.map(([name, value]) => h(
        "label", {}, name,
        h(
          "input",
          { "data-name": name, "data-usual": JSON.stringify(value), value: typeof value === "string" ? value : JSON.stringify(value), size: 7 },
        ),
      )));
    };
    list.addEventListener("change", show);
    show();
    const filled = () => [...fields.querySelectorAll("input")].filter((field) => field.value !== "");
    const given = () => Object.fromEntries(filled().map((field) => [field.dataset.name, parsed(field)]));
    return h("div", { class: "source" }, labelled("A generator", list), said, fields,
      button("Make", () => this.open({ from: "generator", name: list.value, parameters: given() }), { id: "make" }));
  }
  heldOut() {
    this.share = numberField(0, { id: "hold", min: 0, max: 90, step: 5 });
    this.seed = numberField(0, { id: "hold-seed", step: 1 });
    return h("div", { class: "source" }, h(
      "div", { class: "two" }, labelled("Hold out, percent", this.share), labelled("seed", this.seed),
    ),
      h("small", {}, "Put aside before anything is looked at, so that a tree changed by hand can be judged on them."));
  }
  reading() {
    this.options = {
      delimiter: h("input", { size: 4, placeholder: "found" }), decimal: choice([["", "."], [",", ","]], ""),
      encoding: h("input", { size: 8, placeholder: "utf-8" }),
      header: choice([["", "yes"], ["no", "no"]], ""), missing_marks: h("input", { size: 10, placeholder: "? NA …" }),
    };
    const words = {
      delimiter: "delimiter", decimal: "decimal sign", encoding: "encoding", header: "first line has names",
      missing_marks: "marks of missing values",
    };
    return h(
      "details", { class: "source" }, h("summary", {}, "How files are read"),
      Object.entries(this.options).map(([name, control]) => labelled(words[name], control)),
    );
  }
  asReading() {
    const { delimiter, decimal, encoding, header, missing_marks: marks } = this.options, given = {};
    if (delimiter.value) given.delimiter = delimiter.value === "\\t" ? "\t" : delimiter.value;
    if (decimal.value) given.decimal = decimal.value;
    if (encoding.value) given.encoding = encoding.value;
    if (header.value) given.header = false;
    if (marks.value.trim()) given.missing_marks = marks.value.trim().split(/\s+/);
    return Object.keys(given).length ? given : undefined;
  }
  async dropped(files) {
    const uploads = [];
    for (const file of files) uploads.push(await this.lab.attempt(`Reading ${file.name}`, () => this.lab.host.upload(file)));
    const wanted = uploads.find((upload) => upload && !upload.name.endsWith(".names")) ?? uploads[0];
    if (!wanted) return;
    this.lab.turnTo("data");
    await this.open({ from: "upload", upload: wanted.upload });
  }
  async open(source, more = {}) {
    const share = numberIn(this.share), hold = share ? { share: share / 100, seed: numberIn(this.seed) ?? 0 } : null;
    const isFile = source.from === "file" || source.from === "upload";
    const body = { source, hold, ...(isFile && this.asReading() ? { reading: this.asReading() } : {}), ...more };
    const answer = await this.lab.ask("open", body, "Opening the data");
    if (answer) this.lab.showData(answer.data);
  }

  // What they are like

  update() {
    const data = this.lab.data;
    if (!data) { fill(
      this.facts, h("p", { class: "empty" }, "No data yet: open a set, drop a file, or make data with a generator."),
    ); return; }
    if (this.share) this.share.value = data.asked.hold ? Math.round(100 * data.asked.hold.share) : 0;
    const held = data.held_out ? `${amount(data.training)} to grow from, ${amount(data.held_out)} held out` : `${plural(data.cases, "case")}`;
    const columns = data.columns.filter((column) => column.role !== "target");
    fill(this.facts,
      h("h2", {}, data.name), h("p", {}, `${held}; ${plural(columns.length, "feature")}; target ${data.target}`),
      h(
        "ul", { class: "classes", "aria-label": "Classes" },
        data.classes.map(({ label, colour, cases }) => h("li", {}, swatch(colour), `${label} ${amount(cases)}`)),
      ),
      data.warnings.length ? h("ul", { class: "remarks" }, data.warnings.map((words) => h("li", {}, words))) : null,
      this.table(data), this.lab.host.isLive ? this.apply(data) : null);
  }
  table(data) {
    this.rows = [
      ...data.columns.map((column) => this.row(column, data)), ...data.dropped.map((name) => this.droppedRow(name)),
    ];
    const heads = ["use", "column", "by class", "kind", "target", "missing", "distinct", "values", "notes"];
    return scrolled("Columns", h("table", { class: "columns" },
      h(
        "thead", {},
        h(
          "tr", {},
          heads.map((words, place) => h(
            "th", { scope: "col", class: place === 5 || place === 6 ? "number" : null }, words,
          )),
        ),
      ),
      h("tbody", {}, this.rows.map(({ element }) => element))));
  }
  row(column, data) {
    const { name, kind } = column, isTarget = column.role === "target";
    const use = h("input", { type: "checkbox", checked: true, disabled: isTarget, "aria-label": `Use ${name}` });
    const target = h("input", { type: "radio", name: "target", checked: isTarget, "aria-label": `Predict ${name}` });
    const kinds = choice([...new Set([kind, ...KINDS])], kind, { "aria-label": `Kind of ${name}`, disabled: isTarget });
    const picture = column.histogram ? sparkHistogram(
      column.histogram, data.classes.map(({ colour }) => colour), `${name} by class`,
    ) : null;
    const missing = column.missing ? `${amount(column.missing)} (${percent(column.missing_share)})` : "0";
    const notes = column.findings.map(({ text, fix }) => h("p", {}, text, fix ? h("small", {}, ` ${fix}`) : null));
    const cell = (content, style = null) => h("td", { class: style }, content);
    const element = h("tr", { class: isTarget ? "chosen" : null },
      cell(use), h("th", { scope: "row" }, name), cell(picture), cell(kinds), cell(target),
      cell(missing, "number"), cell(amount(column.distinct), "number"), cell(column.values, "values"),
      cell(notes, "notes"));
    return { name, kind, isTarget, use, target, kinds, element };
  }
  droppedRow(name) {
    const use = h("input", { type: "checkbox", "aria-label": `Use ${name}` });
    const element = h(
      "tr", { class: "dropped" }, h("td", {}, use), h("th", { scope: "row" }, name),
      h("td", { colspan: 7 }, "left out"),
    );
    return { name, use, element, target: { checked: false }, kinds: null };
  }
  apply(data) {
    const again = () => {
      const target = this.rows.find((row) => row.target.checked)?.name ?? data.target;
      const drop = this.rows.filter((row) => !row.use.checked && row.name !== target).map(({ name }) => name);
      const isChanged = (row) => row.kinds && row.name !== target && row.kinds.value !== row.kind;
      const changed = this.rows.filter(isChanged).map(({ name, kinds }) => [name, kinds.value]);
      const { kinds, weights, reading } = data.asked;
      return this.open(
        data.source,
        { target, drop, kinds: { ...kinds, ...Object.fromEntries(changed) }, ...(weights ? { weights } : {}), ...(reading ? { reading } : {}) },
      );
    };
    return h(
      "p", { class: "actions" }, button("Use these columns", again, { id: "apply", class: "main" }),
      button("Grow a tree", () => this.lab.turnTo("grow"), { id: "to-grow" }),
    );
  }
}
function parsed(field) {
  if (typeof JSON.parse(field.dataset.usual) === "string") return field.value;
  try { return JSON.parse(field.value); } catch { return field.value; }
}
