// Save and print: the same painting on a canvas of its own, or as SVG.

// The methods of a canvas that painting uses, written as SVG elements.
class SvgCanvas {
  constructor(parent) { this.parent = parent; this.path = new PathData(); this.dash = []; this.globalAlpha = 1; this.lineWidth = 1; }
  save() {}
  restore() {}
  beginPath() { this.path = new PathData(); }
  moveTo(x, y) { this.path.moveTo(x, y); }
  lineTo(x, y) { this.path.lineTo(x, y); }
  quadraticCurveTo(a, b, x, y) { this.path.quadraticCurveTo(a, b, x, y); }
  arc(...numbers) { if (!this.path.d) this.path.moveTo(numbers[0] + numbers[2], numbers[1]); this.path.arc(...numbers); }
  closePath() { this.path.closePath(); }
  setLineDash(dash) { this.dash = dash; }
  measureText(text) { return { width: text.length * 55 }; }
  look() { return this.globalAlpha < 1 ? { opacity: round(this.globalAlpha) } : {}; }
  fill() { svgElement("path", { d: this.path.d, fill: this.fillStyle, "fill-rule": "evenodd", ...this.look() }, this.parent); }
  stroke() {
    const attributes = { d: this.path.d, fill: "none", stroke: this.strokeStyle, "stroke-width": round(this.lineWidth), "stroke-linejoin": "round", ...this.look() };
    if (this.dash.length) attributes["stroke-dasharray"] = this.dash.map(round).join(" ");
    svgElement("path", attributes, this.parent);
  }
  words(text, x, y, attributes) {
    const [, weight, size] = /^(\d+) ([\d.]+)px/.exec(this.font);
    const made = svgElement("text", { x: round(x), y: round(y), "font-family": ink.font.replaceAll('"', "'"), "font-size": size, "font-weight": weight, ...attributes }, this.parent);
    made.textContent = text;
  }
  strokeText(text, x, y) { this.words(text, x, y, { fill: "none", stroke: this.strokeStyle, "stroke-width": round(this.lineWidth), "stroke-linejoin": "round" }); }
  fillText(text, x, y) { this.words(text, x, y, { fill: this.fillStyle }); }
}

// The part to draw: all that is visible, with a margin, about 2,400 pixels wide.
function wholeView() {
  let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
  for (const node of NODES) {
    if (!nodeOn[node.id]) continue;
    left = Math.min(left, X[node.id] - node.size); right = Math.max(right, X[node.id] + node.size);
    top = Math.min(top, Y[node.id] - node.size); bottom = Math.max(bottom, Y[node.id] + node.size);
  }
  if (left === Infinity) [left, top, right, bottom] = [-100, -100, 100, 100];
  const margin = 60 + (right - left) * 0.03;
  [left, top, right, bottom] = [left - margin, top - margin, right + margin, bottom + margin];
  const scale = Math.min(1600 / (right - left), 1200 / (bottom - top), 1.6);
  return { left, top, right, bottom, scale, width: Math.round((right - left) * scale), height: Math.round((bottom - top) * scale) };
}

function drawnCanvas(density) {
  const view = wholeView();
  const canvas = element("canvas", { width: view.width * density, height: view.height * density });
  const c = canvas.getContext("2d");
  c.fillStyle = ink.ground;
  c.fillRect(0, 0, canvas.width, canvas.height);
  c.scale(view.scale * density, view.scale * density);
  c.translate(-view.left, -view.top);
  paint(c, view);
  return canvas;
}

function svgText() {
  const view = wholeView();
  const svg = svgElement("svg", { xmlns: SVG, viewBox: `${round(view.left)} ${round(view.top)} ${round(view.right - view.left)} ${round(view.bottom - view.top)}`, width: view.width, height: view.height });
  const title = svgElement("title", {}, svg);
  title.textContent = DATA.title;
  svgElement("rect", { x: round(view.left), y: round(view.top), width: round(view.right - view.left), height: round(view.bottom - view.top), fill: ink.ground }, svg);
  paint(new SvgCanvas(svg), view);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(svg)}\n`;
}

function saveBlob(blob, ending) {
  const name = DATA.title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "graph";
  const address = URL.createObjectURL(blob);
  const link = element("a", { href: address, download: `${name}.${ending}` });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
  say(`Saved ${name}.${ending}`);
}

function startPicture() {
  const menu = $("save");
  const action = (id, act) => $(id).addEventListener("click", () => { menu.open = false; act(); });
  action("save-png", () => drawnCanvas(2).toBlob((blob) => saveBlob(blob, "png"), "image/png"));
  action("save-svg", () => saveBlob(new Blob([svgText()], { type: "image/svg+xml" }), "svg"));
  action("print", () => window.print());
  action("copy-link", copyLink);
  document.addEventListener("pointerdown", (event) => { if (!menu.contains(event.target)) menu.open = false; });
  window.addEventListener("beforeprint", () => {
    const was = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
    readTheme();
    $("printed").src = drawnCanvas(2).toDataURL("image/png");
    $("printed").hidden = false;
    recolourIcons();
    window.addEventListener("afterprint", () => {
      document.documentElement.dataset.theme = was;
      readTheme();
      recolourIcons();
      $("printed").hidden = true;
      redraw();
    }, { once: true });
  });
}

function copyLink() {
  const done = () => say("Link copied");
  const failed = () => say("The address bar holds the link to this view");
  if (navigator.clipboard) navigator.clipboard.writeText(location.href).then(done, failed);
  else failed();
}
