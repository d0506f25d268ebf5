import { h } from "./dom.js";
import { button } from "./forms.js";
import { Cancelled } from "./host.js";

// What is being worked on, with its progress and a way to cancel it; and what went wrong, in one sentence.

const PATIENCE = 300;

export class Work {
  constructor(cancel) {
    this.running = new Set();
    this.words = h("span", { id: "words" });
    this.bar = h("progress", { id: "progress", max: 1, "aria-label": "Progress" });
    this.button = button("Cancel", () => { this.shown.isUnwanted = true; cancel(this.shown.job); }, { id: "cancel" });
    this.line = h("div", { id: "working", role: "status", hidden: true }, this.bar, this.words, this.button);
    this.error = h("p", { id: "error", role: "alert" });
    this.element = h("div", { id: "messages" }, this.line, this.error);
  }
  // The result, or null after a sentence on the page; `does` is given a function that hears of progress.
  async attempt(words, does) {
    const task = { words };
    const patience = setTimeout(() => this.begin(task), PATIENCE);
    this.error.textContent = "";
    try {
      return await does((job) => { Object.assign(task, job, { words: job.words || words }); this.begin(task); });
    } catch (error) {
      // What was replaced by a newer question of the same kind ends without a word.
      if (!(error instanceof Cancelled)) this.error.textContent = error.message;
      else if (task.isUnwanted) this.error.textContent = `${words}: cancelled.`;
      return null;
    } finally {
      clearTimeout(patience);
      this.running.delete(task);
      this.show();
    }
  }
  begin(task) {
    this.running.add(task);
    this.show();
  }
  // The newest of what is running.
  show() {
    this.shown = [...this.running].at(-1);
    this.line.hidden = !this.shown;
    if (!this.shown) return;
    this.button.hidden = !this.shown.job;
    this.words.textContent = this.shown.words;
    const { progress } = this.shown;
    if (progress === undefined || progress === null) this.bar.removeAttribute("value");
    else this.bar.value = progress;
  }
}
