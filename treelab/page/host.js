// Who answers the lab's questions: the server, or what a kept page carries.

const WAIT = 250;
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

export class Server {
  constructor() {
    this.tab = tabName();
    this.answers = new Map();
    this.isLive = true;
  }
  // The answer to a question; `follow(job)` hears of work that takes longer.
  async ask(name, body = {}, follow = () => {}) {
    const answer = await this.finished(await this.post(name, body), follow);
    this.answers.set(keyOf(name, body), answer);
    return answer;
  }
  async finished(answer, follow) {
    while (answer.job && (answer.state ?? "running") === "running") {
      follow(answer);
      await pause(WAIT);
      answer = await read(await fetch(`api/jobs/${answer.job}`));
    }
    if (answer.state === "cancelled") throw new Cancelled("Cancelled.");
    if (answer.state === "failed") throw new Error(answer.error);
    return answer.state === "done" ? answer.result : answer;
  }
  async post(name, body) {
    return read(await this.send(`api/${name}`, JSON.stringify({ tab: this.tab, ...body }), "application/json"));
  }
  send(address, body, type) {
    return fetch(address, { method: "POST", headers: { "Content-Type": type }, body }).catch(() => {
      throw new Error("The lab's server does not answer: was it stopped?");
    });
  }
  cancel(job) {
    return this.post("cancel", { job });
  }
  async upload(file) {
    const address = `api/upload?tab=${this.tab}&name=${encodeURIComponent(file.name)}`;
    return read(await this.send(address, file, "application/octet-stream"));
  }
  // A file to keep: its name and its content.
  async file(name, body) {
    const answer = await this.send(`api/${name}`, JSON.stringify({ tab: this.tab, ...body }), "application/json");
    if (!answer.ok) await read(answer);
    const named = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "");
    return { name: named?.[1] ?? name, content: await answer.blob() };
  }
  // Of another tree everything has to be asked again.
  forget(...names) {
    for (const key of this.answers.keys()) if (names.includes(key.split(" ", 1)[0])) this.answers.delete(key);
  }
  knows() {
    return true;
  }
  get kept() {
    return { answers: [...this.answers] };
  }
}

export class KeptPage {
  constructor({ answers }) {
    this.answers = new Map(answers);
    this.isLive = false;
  }
  async ask(name, body = {}) {
    const answer = this.answers.get(keyOf(name, body));
    if (answer === undefined) throw new Error("This file keeps what was asked when it was made; to ask more, open the data with `treelab lab`.");
    return answer;
  }
  forget() {}
  // Whether anything of this kind was asked of a node.
  knows(name, path) {
    return [...this.answers.keys()].some((key) => key.startsWith(`${name} `) && JSON.parse(key.slice(name.length + 1)).path?.join() === path.join());
  }
}
export class Cancelled extends Error {}

const keyOf = (name, body) => `${name} ${JSON.stringify(body)}`;
async function read(answer) {
  const said = await answer.json().catch(() => ({ error: `The server's answer cannot be read (${answer.status}).` }));
  if (!answer.ok) throw new Error(said.error);
  return said;
}
// A tab of its own for every tab of the browser; it outlives a reload, and a copy of a tab gets a new one.
function tabName() {
  const isReload = performance.getEntriesByType("navigation")[0]?.type === "reload";
  const known = isReload ? sessionStorage.getItem("treelab-tab") : null;
  const name = known ?? crypto.randomUUID();
  sessionStorage.setItem("treelab-tab", name);
  return name;
}
