"""Contrast as WCAG 2.2 defines it, of every text on a page: what is seen, not what was meant."""

LEAST = 4.5
"""Of texts of ordinary size (1.4.3, AA)."""

LEAST_OF_CONTROLS = 3.0
"""Of the borders of controls against what is around them (1.4.11, AA)."""

FAINT = """(least) => {
  const CANVAS = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const read = (colour) => {
    CANVAS.clearRect(0, 0, 1, 1); CANVAS.fillStyle = colour; CANVAS.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = CANVAS.getImageData(0, 0, 1, 1).data;
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
  const behind = (element) => {
    const layers = [];
    for (let at = element; at && at.nodeType === 1; at = at.parentElement) {
      if (at instanceof SVGElement && at.matches("g.node")) {
        for (const rect of [...at.querySelectorAll("rect.tint, rect.box")].reverse()) {
          const look = getComputedStyle(rect), colour = read(look.fill);
          layers.push({ rgb: colour.rgb, alpha: colour.alpha * look.fillOpacity });
        }
      }
      const colour = read(getComputedStyle(at).backgroundColor);
      if (colour.alpha) layers.push(colour);
      if (colour.alpha === 1) break;
    }
    return layers.reverse().reduce((below, { rgb, alpha }) => over(rgb, alpha, below), [255, 255, 255]);
  };
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true })
    && element.getClientRects().length > 0 && !element.closest(".unseen, noscript, option");
  const found = [];
  for (const element of document.body.querySelectorAll("*")) {
    const words = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join("").trim();
    if (!words || element.matches("script, style, .badge-word") || !isSeen(element)) continue;
    const look = getComputedStyle(element), ink = read(element instanceof SVGElement ? look.fill : look.color);
    const ground = behind(element), ratio = contrast(over(ink.rgb, ink.alpha, ground), ground);
    if (ratio < least) found.push(`${words.slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  return found;
}"""

FAINT_CONTROLS = FAINT.split("  const found = [];")[0] + """
  const found = [];
  for (const element of document.querySelectorAll("input:not([type=range], [type=file], [type=checkbox], [type=radio]), select")) {
    if (!isSeen(element)) continue;
    const edge = read(getComputedStyle(element).borderTopColor), ratio = contrast(edge.rgb, behind(element.parentElement));
    if (ratio < least) found.push(`${element.id}: ${ratio.toFixed(2)}`);
  }
  return found;
}"""  # fmt: skip


def faint(page):
    """Return what on a page has too little contrast: texts and borders of controls."""
    return page.evaluate(FAINT, LEAST) + page.evaluate(FAINT_CONTROLS, LEAST_OF_CONTROLS)
