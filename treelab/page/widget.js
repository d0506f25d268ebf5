import { h } from "./dom.js";
import { mount } from "./viewer.js";

// The page of a tree in a notebook's cell. A shadow root keeps its styles and names to itself.

function isDark() {
  const jupyter = document.body.dataset.jpThemeLight;
  return jupyter ? jupyter === "false" : matchMedia("(prefers-color-scheme: dark)").matches;
}
// Asks the kernel, and resolves when it answers.
function asking(model) {
  const waiting = new Map();
  let last = 0;
  model.on("msg:custom", (answer) => {
    const { resolve, reject } = waiting.get(answer.id) ?? {};
    waiting.delete(answer.id);
    if (answer.error) reject?.(new Error(answer.error)); else resolve?.(answer.why);
  });
  return (path) => new Promise((resolve, reject) => {
    waiting.set(++last, { resolve, reject });
    model.send({ id: last, path });
  });
}
function render({ model, el }) {
  el.dataset.theme = isDark() ? "dark" : "light";
  el.style.cssText = "display: block; height: 640px; border: 1px solid #8884; border-radius: 6px; overflow: hidden";
  const shadow = el.attachShadow({ mode: "open" }), root = h("div");
  shadow.append(h("style", {}, model.get("look")), root);
  const shown = mount(root, structuredClone(model.get("tree")), { why: asking(model) });
  model.on("change:tree", () => shown.show(structuredClone(model.get("tree"))));
}
export default { render };
