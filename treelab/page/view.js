import { BOX, extentOf } from "./nodes.js";

// Where a drawing is looked at from: moved, zoomed, and brought to what is wanted.

// The smallest text has 11.5 pixels at scale 1: nothing is below 11 when the page opens.
export const READABLE = 11 / 11.5, SMALLEST = 0.72;

export class View {
  constructor(frame, stage) {
    Object.assign(this, { frame, stage, x: 0, y: 0, scale: 1, places: new Map() });
  }
  get size() {
    return this.frame.getBoundingClientRect();
  }
  place() {
    this.stage.setAttribute("transform", `translate(${this.x},${this.y}) scale(${this.scale})`);
  }
  fit(alsoHeight = true) {
    const size = this.size, { left, width, height } = extentOf(this.places.values());
    const room = [(size.width - 32) / width, ...(alsoHeight ? [(size.height - 32) / height] : [])];
    this.scale = Math.max(0.02, Math.min(1.25, ...room));
    this.x = (size.width - width * this.scale) / 2 - left * this.scale;
    this.y = 16;
    this.place();
  }
  // Fitted to the width, and never so small that it cannot be read; `collapse` makes the drawing
  // narrower, until it would have to shrink no further than to `least`.
  start(collapse, least = 0.62) {
    this.fit(false);
    while (this.scale < least && collapse()) this.fit(false);
    if (this.scale >= READABLE) return;
    this.scale = READABLE;
    this.centre(0, 0);
    this.y = 16;
    this.place();
  }
  // The frame has another width: a tree that was seen whole still is, another keeps its middle.
  resized(before) {
    const size = this.size, { left, width } = extentOf(this.places.values());
    const wasWhole = left * this.scale + this.x >= 0 && (left + width) * this.scale + this.x <= before;
    if (!wasWhole) { this.move((size.width - before) / 2, 0); return; }
    this.fit(false);
    if (this.scale < SMALLEST) { this.scale = SMALLEST; this.centre(0, 0); this.move(0, 16); }
  }
  zoom(factor, x = this.size.width / 2, y = this.size.height / 2) {
    const scale = Math.min(4, Math.max(0.02, this.scale * factor));
    this.x = x - (x - this.x) * scale / this.scale;
    this.y = y - (y - this.y) * scale / this.scale;
    this.scale = scale;
    this.place();
  }
  move(dx, dy) {
    this.x += dx; this.y += dy;
    this.place();
  }
  centre(number, share = 0.4) {
    const size = this.size, to = this.places.get(number);
    this.x = size.width / 2 - (to.x + BOX.width / 2) * this.scale;
    this.y = size.height * share - to.y * this.scale;
    this.place();
  }
  intoView(number) {
    const size = this.size, to = this.places.get(number);
    const x = to.x * this.scale + this.x, y = to.y * this.scale + this.y;
    const fits = x >= 0 && y >= 0 && x + BOX.width * this.scale <= size.width && y + BOX.height * this.scale <= size.height;
    if (!fits) this.centre(number);
  }
  keepingStill(number, change) {
    const before = { ...this.places.get(number) };
    change();
    this.keepingPlace(before, this.places.get(number));
  }
  // Moves so that what was in one place of the drawing is seen where it was.
  keepingPlace(before, after) {
    if (before.x !== undefined && after) this.move(
      (before.x - after.x) * this.scale, (before.y - after.y) * this.scale,
    );
  }
  // All of a way from the root into view: smaller if need be, but not unreadably so.
  wayIntoView(way) {
    const size = this.size, { left, top, width, height } = extentOf(way.map((number) => this.places.get(number)));
    const fitting = Math.min((size.width - 24) / width, (size.height - 24) / height);
    this.scale = Math.max(Math.min(this.scale, fitting), Math.min(this.scale, 0.5));
    if (fitting < this.scale) { this.centre(way.at(-1), 0.7); return; }
    const kept = (from, low, length, room) => Math.min(
      Math.max(from, 12 - low * this.scale), room - 12 - (low + length) * this.scale,
    );
    this.x = kept(this.x, left, width, size.width);
    this.y = kept(this.y, top, height, size.height);
    this.place();
  }
  forPrint() {
    const { left, width, height } = extentOf(this.places.values());
    this.frame.setAttribute("viewBox", `${left - 8} -8 ${width + 16} ${height + 16}`);
    this.stage.removeAttribute("transform");
  }
  afterPrint() {
    this.frame.removeAttribute("viewBox");
    this.place();
  }
}
