(async () => {
const data = JSON.parse(await carried(at("data")));

function show(step) {
  const frame = data.frames[step], svg = at("picture");
  at("where").textContent = `step ${step} of ${data.frames.length - 1}`;
  at("what").textContent = frame.title;
  at("why").textContent = frame.text;
  svg.replaceChildren();
  const { width, height } = frame.picture, scale = Math.max(0.48, Math.min(1.4, (at("canvas").clientWidth - 34) / width));
  svg.style.setProperty("--text", `${Math.max(12, 10.5 / scale)}px`);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("width", width * scale);
  svg.setAttribute("height", height * scale);
  for (const [name, attributes, text] of frame.picture.shapes) draw(name, attributes, svg, text ?? "");
  fillTable(at("table"), frame.heads, frame.rows, frame.right, new Set(frame.chosen));
}

at("facts").textContent = data.heading;
drawLegend(data.classes, data.colours, at("legend"));
at("slider").max = data.frames.length - 1;
sliding(show)(0);
addEventListener("resize", () => show(+at("slider").value));
})();
