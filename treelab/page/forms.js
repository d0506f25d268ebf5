import { h } from "./dom.js";

// Controls with their labels.

let controls = 0;
export function labelled(words, control, help = "") {
  control.id ||= `control-${++controls}`;
  return h(
    "div", { class: "field" }, h("label", { for: control.id }, words), control, help ? h("small", {}, help) : null,
  );
}
export function choice(options, value, attributes = {}) {
  const list = h("select", attributes, options.map((option) => {
    const [name, words, title] = Array.isArray(option) ? option : [option, option];
    return h("option", { value: name, title, selected: name === value }, words);
  }));
  return list;
}
export const button = (words, does, attributes = {}) => h(
  "button", { type: "button", onclick: does, ...attributes }, words,
);
export const numberField = (value, attributes = {}) => h(
  "input", { type: "number", step: "any", value: value ?? "", ...attributes },
);
export const numberIn = (field) => field.value === "" ? null : Number(field.value);

// A choice with parameters, written as a text such as "relieff:k=5"; what is as usual is left out.
export class Parametric {
  constructor(words, id, options, value, none = null) {
    const [name, given] = (value ?? "").split(/:(.*)/s);
    this.options = new Map(options.map((option) => [option.name, option]));
    this.list = choice(
      [
        ...(none ? [["", none]] : []),
        ...options.map((option) => [option.name, option.name, option.words ?? option.idea]),
      ],
      name, { id },
    );
    this.said = h("small");
    this.fields = h("div", { class: "parameters" });
    this.more = h("details", {}, h("summary", {}, "Parameters"), this.fields);
    this.element = h("div", { class: "field" }, h("label", { for: id }, words), this.list, this.said, this.more);
    this.list.addEventListener("change", () => this.show());
    this.show(given);
    this.given = { text: value ?? "", written: this.written };
  }
  show(given = "") {
    const option = this.options.get(this.list.value), texts = new Map((given || "").split(",").map((part) => part.split("=")));
    this.said.textContent = option?.words ?? option?.idea ?? "";
    this.usual = option?.parameters ?? [];
    this.more.hidden = !this.usual.length;
    this.fields.replaceChildren(...this.usual.map(([name, value]) => h(
      "label", {}, name, h("input", { value: texts.get(name) ?? plain(value), size: 6, "data-name": name }),
    )));
  }
  // As it was given, where nothing was changed.
  get value() {
    return this.written === this.given.written ? this.given.text : this.written;
  }
  get written() {
    const changed = this.usual.flatMap(([name, usual], place) => {
      const text = this.fields.querySelectorAll("input")[place].value.trim();
      return text === plain(usual) || text === "" ? [] : [`${name}=${text}`];
    });
    return this.list.value + (changed.length ? `:${changed.join(",")}` : "");
  }
}
const plain = (value) => value === null ? "" : String(value);

// Boxes to tick, in a frame with a heading; `ticked` is a set of names.
export function ticks(words, names, ticked, changed = () => {}) {
  const box = (name) => h(
    "label", { class: "tick" },
    h("input", { type: "checkbox", value: name, checked: ticked.has(name), onchange: changed }), name,
  );
  return h("fieldset", { class: "ticks" }, h("legend", {}, words), names.map(box));
}
export const tickedIn = (frame) => [...frame.querySelectorAll("input:checked")].map((box) => box.value);

// Saves a content under a name, as browsers do it.
export function download(name, content) {
  const address = URL.createObjectURL(content), link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
