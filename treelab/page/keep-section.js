import { h } from "./dom.js";
import { FIRST_CASES } from "./ask-section.js";
import { button, choice, download, labelled } from "./forms.js";

// Keeping: the model, the tree for other programs, the lines that make it, and the page itself.

const MOST_NODES = 40;

export class KeepSection {
  constructor(lab) {
    this.lab = lab;
    this.lines = h("pre", { id: "python", tabindex: 0, "aria-label": "Python lines that make this tree" });
    this.whole = h("div", { class: "keep" });
    this.none = h("p", { class: "empty" }, "Grow a tree first, or open a model file.");
    this.element = h("div", {}, this.none, this.whole, lab.host.isLive ? this.restore() : null);
    this.build();
    this.update();
  }
  build() {
    const copied = h("span", { role: "status" });
    const copy = async () => { await navigator.clipboard.writeText(this.lines.textContent); copied.textContent = "Copied."; };
    const python = h(
      "section", {}, h("h2", {}, "The same tree in Python"), this.lines,
      this.lab.host.isLive ? h("p", { class: "actions" }, button("Copy", copy, { id: "copy" }), copied) : null,
    );
    this.whole.append(...(this.lab.host.isLive ? [this.files()] : []), python);
  }
  files() {
    return h("section", {}, h("h2", {}, "Save"),
      h("p", { class: "actions" }, button(
        "Model file", () => this.save("model", {}), { id: "save-model", class: "main" },
      ),
        button("Everything on this page, as one HTML file", () => this.savePage(), { id: "save-page" })),
      h(
        "p", { class: "help" },
        "The model file holds the tree and its edit log; opened again it is the same, byte for byte.",
      ),
      h("h2", {}, "For other programs"),
      h(
        "ul", { class: "formats" },
        this.lab.choices.formats.map(({ name, words }) => h(
          "li", {}, button(name, () => this.save("export", { format: name }), { "data-format": name }),
          words ? h("span", {}, words) : null,
        )),
      ));
  }
  restore() {
    const { models } = this.lab.choices;
    const input = h(
      "input",
      { type: "file", id: "restore", accept: ".json", onchange: () => { if (input.files.length) this.open(input.files[0]); input.value = ""; } },
    );
    const list = models.length ? choice(models, models[0], { id: "model" }) : null;
    return h("section", { class: "keep" }, h("h2", {}, "Open a model file"), labelled("A file", input),
      list ? [
        labelled("A file of the folder", list),
        button("Open", () => this.lab.change("restore", { file: list.value }, false), { id: "open-model" }),
      ] : null);
  }
  async open(file) {
    const upload = await this.lab.attempt(`Reading ${file.name}`, () => this.lab.host.upload(file));
    if (upload) await this.lab.change("restore", { upload: upload.upload }, false);
  }
  async save(name, body) {
    const file = await this.lab.attempt("Saving", () => this.lab.host.file(name, body));
    if (file) download(file.name, file.content);
  }
  // Asks at the heaviest nodes what can be asked quickly, so that the kept page can answer it.
  async gather(follow) {
    const nodes = [...this.lab.tree.page.nodes].sort((a, b) => b.weight - a.weight).slice(0, MOST_NODES);
    for (const [done, node] of nodes.entries()) {
      const path = node.path === "" ? [] : node.path.split(".").map(Number);
      follow({ words: `Asking at node ${done + 1} of ${nodes.length}`, progress: done / nodes.length });
      await this.lab.host.ask("node", { path });
      await this.lab.host.ask("cases", { path, ...FIRST_CASES });
      if (node.children) await this.lab.host.ask("why", { path });
    }
    return true;
  }
  async savePage() {
    await this.shown();
    if (this.lab.tree.data !== false && !await this.lab.attempt("Gathering", (follow) => this.gather(follow))) return;
    await this.save("page", { title: this.lab.data?.name ?? "tree", kept: this.lab.host.kept });
  }
  update() {
    this.whole.hidden = !this.lab.tree;
    this.none.hidden = Boolean(this.lab.tree);
    if (this.lab.section === "keep") this.shown();
  }
  async shown() {
    if (!this.lab.tree) return;
    const answer = await this.lab.ask("python", {}, "Writing the lines");
    if (answer) this.lines.textContent = answer.python;
  }
}
