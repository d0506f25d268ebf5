import { draw, h, svg } from "./dom.js";
import { drawTree } from "./nodes.js";
import { READABLE, View } from "./view.js";
import { describe, prepared } from "./words.js";

// A tree to walk in: opened and closed, moved, zoomed and searched, by mouse, finger or keys.
// `on.chosen(node)` hears which node was chosen; `on.badges(node)` gives words to pin on a node.

export class TreeView {
  constructor(root, label, on = {}) {
    this.frame = svg({ id: "tree", role: "tree", "aria-label": label });
    this.stage = draw("g", { id: "stage" }, this.frame);
    this.tip = h("div", { id: "tip", role: "tooltip", hidden: true });
    root.append(this.frame, this.tip);
    this.view = new View(this.frame, this.stage);
    this.on = on;
    this.open = new Set();
    this.path = new Map();
    this.hits = new Set();
    this.hitAt = -1;
    this.chosen = 0;
    this.listen();
    this.watchSize();
  }
  // A frame that was not to be seen had no size: the tree is placed when it has one.
  watchSize() {
    let width = 0;
    new ResizeObserver(() => {
      const before = width;
      width = this.frame.getBoundingClientRect().width;
      if (!this.model || !width || width === before) return;
      if (before) this.view.resized(before); else if (!this.isPlaced) this.start();
    }).observe(this.frame);
  }
  get nodes() {
    return this.model.nodes;
  }
  // Another tree. With `stay` what was open and chosen stays so, and where it is on the page.
  show(model, stay = false) {
    const before = stay && this.model ? this.kept() : null, from = { ...this.view.places.get(this.chosen) };
    this.model = prepared(model);
    this.open = new Set(model.open);
    this.path = new Map();
    this.hits = new Set();
    this.chosen = 0;
    if (before) this.restore(before);
    this.render();
    if (before) this.view.keepingPlace(from, this.view.places.get(this.chosen)); else this.start();
    this.choose(this.chosen);
  }
  kept() {
    const tests = this.nodes.filter((node) => node.children);
    const paths = (isOpen) => new Set(tests.filter((node) => this.open.has(node.number) === isOpen).map((node) => node.path));
    return { open: paths(true), closed: paths(false), chosen: this.nodes[this.chosen].path };
  }
  restore({ open, closed, chosen }) {
    for (const node of this.nodes) {
      if (!node.children) continue;
      if (open.has(node.path)) this.open.add(node.number);
      if (closed.has(node.path)) this.open.delete(node.number);
    }
    this.chosen = this.at(chosen) ?? 0;
  }
  // The number of the node at a path, or of the nearest above it.
  at(path) {
    const found = new Map(this.nodes.map((node) => [node.path, node.number]));
    for (let parts = path.split("."); parts.length; parts.pop()) if (found.has(parts.join("."))) return found.get(parts.join("."));
    return 0;
  }

  // Drawing

  render() {
    const active = this.frame.getRootNode().activeElement?.closest?.("#stage .node")?.dataset.number;
    this.view.places = drawTree(this.stage, this.model, {
      isOpen: (number) => this.open.has(number),
      kind: (node) => node.children ? (this.open.has(node.number) ? "test" : "closed") : "leaf",
      styles: (node) => [
        this.hits.has(node.number) && "hit", this.path.has(node.number) && "path",
        this.chosen === node.number && "chosen",
      ],
      onPath: (node) => this.path.has(node.number) && this.path.has(node.parent),
      attributes: (node) => this.attributes(node),
      badges: (node) => this.on.badges?.(node) ?? [],
    });
    if (!this.stage.querySelector('[tabindex="0"]')) this.element(0).setAttribute("tabindex", 0);
    if (active !== undefined) this.focus(+active);
  }
  attributes(node) {
    const words = [describe(this.model, node), ...(this.on.badges?.(node) ?? [])].join("\n").replaceAll("\n", ", ");
    const expanded = node.children ? { "aria-expanded": this.open.has(node.number) } : {};
    const isChosen = this.chosen === node.number;
    return { role: "treeitem", tabindex: isChosen ? 0 : -1, "aria-selected": isChosen, "aria-label": words, ...expanded };
  }
  element(number) {
    return this.stage.querySelector(`[data-number="${number}"]`);
  }
  focus(number) {
    this.element(number)?.focus({ preventScroll: true });
  }
  start() {
    this.isPlaced = this.view.size.width > 0;
    if (!this.isPlaced) return;
    this.view.start(() => {
      if (this.open.size <= 1) return false;
      this.open.delete(this.lightest());
      this.render();
      return true;
    }, this.on.whole ? READABLE : undefined);
  }
  lightest() {
    const ends = [...this.open].filter((number) => this.nodes[number].children.every((child) => !this.open.has(child)));
    return ends.reduce((a, b) => this.nodes[b].weight < this.nodes[a].weight ? b : a);
  }

  // What a person does

  choose(number) {
    this.chosen = number;
    this.on.chosen?.(this.nodes[number]);
  }
  press(number) {
    this.view.keepingStill(number, () => {
      if (this.nodes[number].children && !this.open.delete(number)) this.open.add(number);
      this.choose(number);
      this.render();
    });
    this.focus(number);
  }
  // One click chooses; where nodes are worked on, only a second one opens or closes.
  click(number) {
    if (this.on.chooseFirst && number !== this.chosen) { this.choose(number); this.render(); this.focus(number); }
    else this.press(number);
  }
  reveal(number) {
    for (let parent = this.nodes[number].parent; parent !== undefined; parent = this.nodes[parent].parent) this.open.add(parent);
  }
  go(number) {
    if (number === undefined) return;
    this.reveal(number); this.choose(number); this.render(); this.view.intoView(number); this.focus(number);
  }
  step(key, number) {
    const node = this.nodes[number], siblings = this.nodes[node.parent]?.children ?? [number];
    if (key === "ArrowUp") this.go(node.parent);
    if (key === "ArrowLeft") this.go(siblings[node.branch - 1]);
    if (key === "ArrowRight") this.go(siblings[node.branch + 1]);
    if (key === "ArrowDown" && node.children) { this.open.add(number); this.go(node.children[0]); }
    if (key === "Enter" || key === " ") this.press(number);
  }
  expand() {
    this.nodes.forEach((node) => node.children && this.open.add(node.number));
    this.render(); this.view.fit();
  }
  collapse() {
    this.open.clear(); this.render(); this.start();
  }
  // Marks the tests of a feature and the leaves of a class, and returns how many.
  search(text) {
    const wanted = text.trim().toLowerCase();
    const named = (node) => (node.children ? node.feature : this.model.classes[node.best]).toLowerCase().includes(wanted);
    this.hits = new Set(wanted ? this.nodes.filter(named).map((node) => node.number) : []);
    this.hitAt = -1;
    for (const number of [...this.hits].slice(0, 100)) this.reveal(number);
    this.render();
    if (this.hits.size) this.travel(1);
    return this.hits.size;
  }
  // On to the next hit, or with -1 back to the one before; those not yet shown are opened up.
  travel(by) {
    const all = [...this.hits];
    if (!all.length) return 0;
    this.hitAt = (this.hitAt + by + all.length) % all.length;
    const number = all[this.hitAt];
    this.reveal(number); this.choose(number); this.render(); this.view.intoView(number);
    return this.hitAt + 1;
  }
  // The nodes that a case visits, with the part of it that does.
  showPath(visited) {
    this.path = visited;
    const way = this.likeliestWay();
    for (const number of visited.size < 200 ? visited.keys() : way) this.reveal(number);
    this.render();
    if (visited.size) this.view.wayIntoView(way);
  }
  // A case with missing values goes several ways: from the root along its largest parts.
  likeliestWay() {
    const way = [];
    for (let next = 0; next !== undefined;) {
      way.push(next);
      const taken = (this.nodes[next].children ?? []).filter((child) => this.path.has(child));
      next = taken.sort((a, b) => this.path.get(b) - this.path.get(a))[0];
    }
    return way;
  }

  // Wiring

  listen() {
    const tree = this.frame, numberOf = (event) => event.target.closest?.(".node")?.dataset.number;
    this.listenToDragging();
    tree.addEventListener(
      "click",
      (event) => { const number = numberOf(event); if (number !== undefined && !this.moved) this.click(+number); },
    );
    tree.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = tree.getBoundingClientRect();
      this.view.zoom(Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    tree.addEventListener("pointermove", (event) => this.showTip(numberOf(event), event.clientX, event.clientY));
    tree.addEventListener("pointerleave", () => this.showTip());
    tree.addEventListener("keydown", (event) => {
      const number = numberOf(event);
      if (number === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key.startsWith("Arrow") || event.key === "Enter" || event.key === " ") { event.preventDefault(); this.step(event.key, +number); }
    });
  }
  listenToDragging() {
    let drag = null;
    this.frame.addEventListener(
      "pointerdown", (event) => { drag = { x: event.clientX, y: event.clientY }; this.moved = false; },
    );
    addEventListener("pointermove", (event) => {
      if (!drag) return;
      const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
      if (!this.moved && Math.hypot(dx, dy) < 5) return;
      this.moved = true; drag = { x: event.clientX, y: event.clientY };
      this.view.move(dx, dy);
    });
    addEventListener("pointerup", () => { drag = null; });
    addEventListener("pointercancel", () => { drag = null; });
  }
  showTip(number, x, y) {
    const box = this.tip;
    box.hidden = number === undefined;
    if (box.hidden) return;
    box.textContent = describe(this.model, this.nodes[+number]);
    box.style.left = `${Math.min(x + 14, innerWidth - box.offsetWidth - 8)}px`;
    box.style.top = `${Math.min(y + 14, innerHeight - box.offsetHeight - 8)}px`;
  }
}

// The tools of a tree: find, open, close, zoom. `keys` is where + - 0 and / are heard.
export function treeTools(tree, keys) {
  const found = h("output", { id: "found", for: "search" });
  const told = (place) => place ? `${place} of ${tree.hits.size} node${tree.hits.size === 1 ? "" : "s"}` : "";
  const search = h("input", {
    id: "search", type: "search", placeholder: "Find a feature or class", "aria-label": "Find a feature or class",
    oninput: () => { const n = tree.search(search.value); found.textContent = search.value.trim() ? `${n} node${n === 1 ? "" : "s"}` : ""; },
    onkeydown: (event) => { if (event.key === "Enter") found.textContent = told(tree.travel(event.shiftKey ? -1 : 1)); },
  });
  const button = (id, text, does, more = {}) => h("button", { id, type: "button", onclick: does, ...more }, text);
  keys.addEventListener("keydown", (event) => {
    const from = event.composedPath()[0];
    if (from.matches?.("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+") tree.view.zoom(1.25);
    if (event.key === "-") tree.view.zoom(0.8);
    if (event.key === "0") tree.view.fit();
    if (event.key === "/") { event.preventDefault(); search.focus(); }
  });
  return h("div", { class: "tools", role: "toolbar", "aria-label": "Drawing" },
    search, found,
    button("expand", "Expand all", () => tree.expand()),
    button("collapse", "Collapse", () => tree.collapse()),
    button("closer", "+", () => tree.view.zoom(1.25), { "aria-label": "Zoom in", title: "Zoom in (+)" }),
    button("farther", "−", () => tree.view.zoom(0.8), { "aria-label": "Zoom out", title: "Zoom out (-)" }),
    button("fit", "Fit", () => tree.view.fit(), { title: "Show the whole tree (0)" }));
}
