import { AskSection } from "./ask-section.js";
import { ChangeSection } from "./change-section.js";
import { CompareSection } from "./compare-section.js";
import { DataSection } from "./data-section.js";
import { carried, drawLegend, h, plural, themeButton } from "./dom.js";
import { GrowSection } from "./grow-section.js";
import { KeptPage, Server } from "./host.js";
import { KeepSection } from "./keep-section.js";
import { TreeView, treeTools } from "./tree.js";
import { treeSize } from "./words.js";
import { Work } from "./work.js";

// The lab: six sections around one tree. `Lab` holds what is open, and tells sections of changes.

const SECTIONS = {
  data: DataSection, grow: GrowSection, ask: AskSection, change: ChangeSection, compare: CompareSection,
  keep: KeepSection,
};
const WITH_TREE = new Set(["grow", "ask", "change"]);
const OF_A_TREE = ["why", "node", "cases", "pi", "assess", "python"];
const capital = (word) => word[0].toUpperCase() + word.slice(1);

class Lab {
  constructor(root, host) {
    Object.assign(this, { root, host, data: null, tree: null, node: null });
    this.work = new Work((job) => host.cancel(job));
    this.line = h("p", { id: "facts" });
  }
  async start() {
    this.choices = await this.host.ask("choices");
    this.build();
    const { data, tree, given } = await this.host.ask("state");
    this.data = data ?? (given ? (await this.ask("open", { source: { from: "given" } }, "Opening the data"))?.data : null);
    this.given = given;
    if (tree) this.showTree(tree);
    this.tell();
    this.turnTo(location.hash.slice(1) in SECTIONS ? location.hash.slice(1) : tree ? "grow" : "data", false);
  }

  // The page

  build() {
    this.sections = Object.fromEntries(Object.entries(SECTIONS).map(([name, Section]) => [name, new Section(this)]));
    this.tabs = Object.keys(SECTIONS).map((name) => h("button", {
      id: `tab-${name}`, role: "tab", type: "button", "aria-controls": `panel-${name}`, onclick: () => this.turnTo(name),
      onkeydown: (event) => this.alongTabs(event, name),
    }, capital(name)));
    this.panels = Object.entries(this.sections).map(([name, section]) => h(
      "section",
      { id: `panel-${name}`, class: "panel", role: "tabpanel", "aria-labelledby": `tab-${name}`, hidden: true },
      section.element,
    ));
    const frame = h("div", { class: "pane" });
    this.treeView = new TreeView(
      frame, "Decision tree",
      { chosen: (node) => this.choose(node), badges: (node) => this.badges(node), chooseFirst: true, whole: true },
    );
    this.legend = h("ul", { id: "legend", "aria-label": "Classes" });
    this.empty = h("p", { class: "empty" }, "No tree yet: choose a metric and grow one.");
    const below = h("div", { id: "below" }, this.sections.grow.multiples);
    this.workspace = h(
      "div", { class: "workspace" }, treeTools(this.treeView, this.root), this.legend, frame, this.empty, below,
    );
    this.root.classList.add("viewer", "lab");
    this.root.append(
      h(
        "header", {}, h("h1", {}, "treelab lab"), this.line, themeButton(),
        h("nav", { "aria-label": "Sections" }, h("div", { role: "tablist", "aria-label": "Sections" }, this.tabs)),
      ),
      this.work.element,
      h("main", {}, this.workspace, h("div", { class: "panels" }, this.panels)));
    this.listen();
  }
  listen() {
    addEventListener(
      "hashchange",
      () => { const name = location.hash.slice(1); if (name in SECTIONS && name !== this.section) this.turnTo(name, false); },
    );
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener(
      "drop",
      (event) => { event.preventDefault(); if (event.dataTransfer.files.length) this.sections.data.dropped(event.dataTransfer.files); },
    );
    addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.target.matches?.("input, textarea, select") || this.section !== "change") return;
      const does = { z: event.shiftKey ? "redo" : "undo", y: "redo" }[event.key.toLowerCase()];
      if (does && this.tree?.[does]) { event.preventDefault(); this.change(does); }
    });
  }
  alongTabs(event, name) {
    const names = Object.keys(SECTIONS), at = names.indexOf(name);
    const to = {
      ArrowRight: names[(at + 1) % names.length], ArrowLeft: names.at(at - 1), Home: names[0], End: names.at(-1),
    }[event.key];
    if (!to) return;
    event.preventDefault();
    this.turnTo(to);
    this.root.querySelector(`#tab-${to}`).focus();
  }
  turnTo(name, moves = true) {
    this.section = name;
    if (moves && this.host.isLive) history.replaceState(null, "", `#${name}`);
    for (const tab of this.tabs) {
      const isChosen = tab.id === `tab-${name}`;
      tab.setAttribute("aria-selected", isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
    }
    for (const panel of this.panels) panel.hidden = panel.id !== `panel-${name}`;
    this.root.dataset.section = name;
    this.workspace.hidden = !WITH_TREE.has(name);
    this.sections[name].shown?.();
  }

  // What is open

  tell() {
    const data = this.data, tree = this.tree;
    this.line.textContent = [
      data ? `${data.name}: ${plural(data.cases, "case")}` : "no data yet", tree ? treeSize(tree.page) : "",
    ].filter(Boolean).join("; ");
    this.workspace.classList.toggle("bare", !tree);
    for (const section of Object.values(this.sections)) section.update?.();
  }
  showData(data) {
    this.data = data;
    this.tree = null;
    this.node = null;
    this.host.forget(...OF_A_TREE, "compare");
    this.host.answers.set("state {}", { data, tree: null, given: this.given });
    this.tell();
  }
  showTree(tree, stay = false) {
    this.tree = tree;
    this.host.forget(...OF_A_TREE);
    this.host.answers.set("state {}", { data: this.data, tree, given: this.given });
    drawLegend(tree.page.classes, tree.page.colours, this.legend);
    this.workspace.classList.remove("bare");
    this.treeView.show(tree.page, stay);
  }
  // Grows, edits, undoes, redoes or restores: whatever answers with a tree.
  async change(name, body = {}, stay = true) {
    const answer = await this.ask(name, body, { grow: "Growing" }[name] ?? "Changing the tree");
    if (!answer) return false;
    this.showTree(answer.tree, stay && this.tree !== null);
    this.tell();
    return true;
  }
  choose(node) {
    this.node = node;
    for (const name of ["ask", "change"]) this.sections[name].chosen?.(node);
  }
  badges(node) {
    const isLocked = this.tree?.locked.some((path) => path.join(".") === node.path);
    return isLocked ? ["locked"] : [];
  }
  get path() {
    return this.node.path === "" ? [] : this.node.path.split(".").map(Number);
  }

  // Questions

  // The answer, or null after a sentence on the page.
  async ask(name, body = {}, words = "Asking") {
    return this.attempt(words, (follow) => this.host.ask(name, body, follow));
  }
  attempt(words, does) {
    return this.work.attempt(words, does);
  }
}

const keptData = document.getElementById("data"), place = document.getElementById("page");
try {
  await new Lab(place, keptData ? new KeptPage(await carried(keptData)) : new Server()).start();
} catch (error) {
  place.append(h("p", { role: "alert" }, error.message));
}
