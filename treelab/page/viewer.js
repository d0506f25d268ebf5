import { caseForm, distribution } from "./case.js";
import { drawLegend, h, themeButton } from "./dom.js";
import { heatMap } from "./heat.js";
import { TreeView, treeTools } from "./tree.js";
import { casesAndScore, facts, heading, ruleOf } from "./words.js";

// One tree with all that can be asked of it without its data. `host` is where this happens:
// `host.keys` hears keys (the whole page, or this element), `host.pageTools` adds light, dark and
// print, and `host.why(path)` answers what every metric says, where the data are alive.

export function mount(root, model, host = {}) {
  const title = `Decision tree for ${model.title || model.target || "class"}`;
  const details = h("section", { id: "details", "aria-live": "polite" });
  const pane = h("div", { class: "pane" }), aside = h("aside", { "aria-label": "The chosen node, and a case" });
  const tree = new TreeView(pane, title, { chosen: (node) => showDetails(details, tree.model, node, host) });
  const legend = h("ul", { id: "legend", "aria-label": "Classes" });
  const line = h("p", { id: "facts" });
  const tools = treeTools(tree, host.keys ?? root);
  if (host.pageTools) tools.append(
    themeButton(), h("button", { id: "print", type: "button", onclick: () => print() }, "Print"),
  );
  root.append(h("header", {}, h("h1", {}, title), line, tools, legend), h("main", {}, pane, aside));
  root.classList.add("viewer");
  const show = (shown, stay) => {
    tree.show(shown, stay);
    line.textContent = facts(shown);
    drawLegend(shown.classes, shown.colours, legend);
    aside.replaceChildren(details, caseForm(tree), ...help(shown));
  };
  show(model);
  addEventListener("beforeprint", () => tree.view.forPrint());
  addEventListener("afterprint", () => tree.view.afterPrint());
  return { tree, show };
}
function help(model) {
  return [
    h(
      "p", { class: "help" },
      "Click a test to open or close it, a leaf for its rule. Drag to move, scroll to zoom. "
        + "Keys: arrows walk the tree, Enter opens, + − 0 zoom, / searches; "
        + "Enter there goes to the next hit, Shift+Enter to the one before.",
    ),
    h("p", { class: "help", id: "learner" }, model.learner ? `Made by ${model.learner}` : ""),
  ];
}
export function nodeSummary(model, node) {
  return [
    h("h2", {}, heading(model, node)), h("p", { class: "rule" }, ruleOf(model, node)),
    h("p", {}, casesAndScore(node)), distribution(model, node.shares),
  ];
}
function showDetails(details, model, node, host) {
  details.replaceChildren(...nodeSummary(model, node));
  if (!host.why || !node.children) return;
  const answer = h("div", { id: "answer" });
  const ask = async () => {
    answer.replaceChildren(h("p", { class: "help" }, "Asking every metric …"));
    try { answer.replaceChildren(heatMap(await host.why(node.path))); }
    catch (error) { answer.replaceChildren(h("p", { role: "alert" }, error.message)); }
  };
  details.append(h("p", {}, h("button", { id: "why", type: "button", onclick: ask }, "Why this test?")), answer);
}
