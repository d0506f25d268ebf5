// A slider with buttons and keys; `show` draws the step it stands at.
export function sliding(show) {
  const at = (id) => document.getElementById(id), slider = at("slider");
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
