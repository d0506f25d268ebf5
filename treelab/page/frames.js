import { carried, draw, drawLegend, fillTable, themeButton } from "./dom.js";
import { sliding } from "./slider.js";

// A method, step by step: a title, a sentence, a picture and a table.

const at = (id) => document.getElementById(id);
const data = await carried(at("data"));

function show(step) {
  const frame = data.frames[step], picture = at("picture");
  at("where").textContent = `step ${step} of ${data.frames.length - 1}`;
  at("what").textContent = frame.title;
  at("why").textContent = frame.text;
  picture.replaceChildren();
  const { width, height } = frame.picture, scale = Math.max(
    0.48, Math.min(1.4, (at("canvas").clientWidth - 34) / width),
  );
  picture.style.setProperty("--text", `${Math.max(12, 10.5 / scale)}px`);
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  picture.setAttribute("width", width * scale);
  picture.setAttribute("height", height * scale);
  for (const [name, attributes, text] of frame.picture.shapes) draw(name, attributes, picture, text ?? "");
  fillTable(at("table"), frame.heads, frame.rows, frame.right, new Set(frame.chosen));
}

document.body.classList.add("frames");
at("facts").textContent = data.heading;
drawLegend(data.classes, data.colours, at("legend"));
at("tools").append(themeButton());
at("slider").max = data.frames.length - 1;
sliding(show)(0);
addEventListener("resize", () => show(+at("slider").value));
