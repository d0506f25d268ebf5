// What on a page has too little contrast: texts ("texts") or the borders of controls ("controls").
([kind, least]) => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const read = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return { rgb: [r, g, b], alpha: a / 255 };
  };
  const over = (top, alpha, below) => top.map((part, at) => alpha * part + (1 - alpha) * below[at]);
  const light = (rgb) => rgb.map((part) => part / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const contrast = (a, b) => {
    const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  // The colours behind an element, the nearest first; a node of a tree has its box behind it.
  const layers = (element) => {
    const found = [];
    for (let at = element; at?.nodeType === 1; at = at.parentElement) {
      if (at.matches("g.node")) {
        for (const rect of [...at.querySelectorAll("rect.tint, rect.box")].reverse()) {
          const look = getComputedStyle(rect), { rgb, alpha } = read(look.fill);
          found.push({ rgb, alpha: alpha * look.fillOpacity });
        }
      }
      found.push(read(getComputedStyle(at).backgroundColor));
    }
    return found;
  };
  const behind = (element) => layers(element).reverse()
    .reduce((below, { rgb, alpha }) => over(rgb, alpha, below), [255, 255, 255]);
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true })
    && element.getClientRects().length > 0 && !element.closest(".unseen, noscript, option");
  const ownWords = (element) => [...element.childNodes]
    .filter((node) => node.nodeType === 3).map((node) => node.data).join("").trim();
  const ratioOf = {
    texts: (element) => {
      const look = getComputedStyle(element), ground = behind(element);
      const ink = read(element instanceof SVGElement ? look.fill : look.color);
      return contrast(over(ink.rgb, ink.alpha, ground), ground);
    },
    controls: (element) =>
      contrast(read(getComputedStyle(element).borderTopColor).rgb, behind(element.parentElement)),
  }[kind];
  const wanted = {
    texts: (element) => ownWords(element) && !element.matches("script, style, .badge-word"),
    controls: (element) => element.matches("input[type=number], input[type=search], select"),
  }[kind];
  return [...document.body.querySelectorAll("*")].filter(wanted).filter(isSeen)
    .map((element) => [ownWords(element).slice(0, 40) || element.id, ratioOf(element)])
    .filter(([, ratio]) => ratio < least)
    .map(([words, ratio]) => `${words}: ${ratio.toFixed(2)}`);
}
