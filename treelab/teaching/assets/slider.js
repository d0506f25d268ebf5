// A slider with buttons and keys; `show` draws the step it stands at.
function sliding(show) {
  const slider = at("slider");
  const go = (to) => { slider.value = to; show(+slider.value); };
  slider.addEventListener("input", () => show(+slider.value));
  at("back").addEventListener("click", () => go(+slider.value - 1));
  at("forth").addEventListener("click", () => go(+slider.value + 1));
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === slider) return;
    const to = { ArrowLeft: +slider.value - 1, ArrowRight: +slider.value + 1, Home: 0, End: +slider.max }[event.key];
    if (to === undefined || event.target.matches?.("select")) return;
    event.preventDefault();
    go(to);
  });
  return go;
}
// A table of words; `chosen` are the rows that stand out.
function fillTable(table, heads, rows, right, chosen = new Set()) {
  table.replaceChildren();
  const cells = (row, texts, name) => texts.forEach((text, place) => make(name, right[place] ? { class: "number" } : {}, text, row));
  cells(make("tr", {}, "", table), heads, "th");
  for (const [number, texts] of rows.entries()) cells(make("tr", chosen.has(number) ? { class: "chosen" } : {}, "", table), texts, "td");
}
const figure = (value) => value === null ? "-" : String(Number(value.toPrecision(4)));
