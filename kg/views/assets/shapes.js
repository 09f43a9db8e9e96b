// How things look: colours of the theme, and the outline of each type.

let ink = {};
let dark = false;

function readTheme() {
  dark = document.documentElement.dataset.theme === "dark";
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue(name).trim();
  ink = { ground: get("--ground"), sheet: get("--sheet"), ink: get("--ink"), muted: get("--muted"), accent: get("--accent"), font: get("--sans") };
  ink.types = Object.fromEntries(Object.entries(STYLES.types).map(([name, s]) => [name, dark ? s.dark : s.light]));
  ink.groups = Object.fromEntries(Object.entries(STYLES.groups).map(([name, s]) => [name, dark ? s.dark : s.light]));
}

function polygon(c, x, y, r, corners, turn) {
  for (let i = 0; i < corners; i++) {
    const angle = turn + (i * 2 * Math.PI) / corners;
    const px = x + r * Math.cos(angle), py = y + r * Math.sin(angle);
    if (i) c.lineTo(px, py); else c.moveTo(px, py);
  }
  c.closePath();
}

// Each adds an outline of about the same area around (x, y) to the current path of a canvas.
const OUTLINES = {
  dot(c, x, y, r) { c.moveTo(x + r, y); c.arc(x, y, r, 0, 2 * Math.PI); },
  diamond(c, x, y, r) { polygon(c, x, y, r * 1.22, 4, 0); },
  square(c, x, y, r) { polygon(c, x, y, r * 1.25, 4, Math.PI / 4); },
  hexagon(c, x, y, r) { polygon(c, x, y, r * 1.1, 6, 0); },
  triangle(c, x, y, r) { polygon(c, x, y + r * 0.18, r * 1.32, 3, -Math.PI / 2); },
  triangleDown(c, x, y, r) { polygon(c, x, y - r * 0.18, r * 1.32, 3, Math.PI / 2); },
  star(c, x, y, r) {
    for (let i = 0; i < 10; i++) {
      const angle = -Math.PI / 2 + (i * Math.PI) / 5, far = i % 2 ? r * 0.62 : r * 1.3;
      if (i) c.lineTo(x + far * Math.cos(angle), y + far * Math.sin(angle)); else c.moveTo(x + far * Math.cos(angle), y + far * Math.sin(angle));
    }
    c.closePath();
  },
  // A sheet of paper with a folded corner.
  sheet(c, x, y, r) {
    const w = r * 0.82, h = r * 1.1, fold = r * 0.5;
    c.moveTo(x - w, y - h); c.lineTo(x + w - fold, y - h); c.lineTo(x + w, y - h + fold);
    c.lineTo(x + w, y + h); c.lineTo(x - w, y + h); c.closePath();
  },
  ring(c, x, y, r) { c.moveTo(x + r, y); c.arc(x, y, r, 0, 2 * Math.PI); c.moveTo(x + r * 0.5, y); c.arc(x, y, r * 0.5, 2 * Math.PI, 0, true); },
  pill(c, x, y, r) {
    const w = r * 0.7, h = r * 0.75;
    c.moveTo(x - w, y - h); c.lineTo(x + w, y - h); c.arc(x + w, y, h, -Math.PI / 2, Math.PI / 2);
    c.lineTo(x - w, y + h); c.arc(x - w, y, h, Math.PI / 2, 1.5 * Math.PI); c.closePath();
  },
};

const SVG = "http://www.w3.org/2000/svg";
function svgElement(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (parent) parent.append(element);
  return element;
}

// Collects the commands of a canvas path as SVG path data, so that one outline serves both.
class PathData {
  constructor() { this.d = ""; }
  moveTo(x, y) { this.d += `M${round(x)} ${round(y)}`; }
  lineTo(x, y) { this.d += `L${round(x)} ${round(y)}`; }
  quadraticCurveTo(a, b, x, y) { this.d += `Q${round(a)} ${round(b)} ${round(x)} ${round(y)}`; }
  closePath() { this.d += "Z"; }
  arc(x, y, r, from, to, back = false) {
    const middle = (from + to) / 2, sweep = back ? 0 : 1;
    const span = Math.abs(to - from);
    const points = span > Math.PI ? [middle, to] : [to];
    for (const angle of points) this.d += `A${round(r)} ${round(r)} 0 0 ${sweep} ${round(x + r * Math.cos(angle))} ${round(y + r * Math.sin(angle))}`;
  }
}
const round = (value) => Math.round(value * 100) / 100;

function outlineData(shape, x, y, r) {
  const path = new PathData();
  OUTLINES[shape](path, x, y, r);
  return path.d;
}

function shapeIcon(type) {
  const svg = svgElement("svg", { class: "shape", viewBox: "-10 -10 20 20", "aria-hidden": "true" });
  svgElement("path", { d: outlineData(STYLES.types[type].shape, 0, 0, 6.6), fill: ink.types[type], "data-type": type }, svg);
  return svg;
}

function lineIcon(relation) {
  const look = STYLES.relations[relation];
  const svg = svgElement("svg", { class: "line", viewBox: "0 0 30 10", "aria-hidden": "true" });
  const line = { x1: 1, y1: 5, x2: look.arrow ? 23 : 29, y2: 5, stroke: ink.groups[look.group], "stroke-width": 2, "data-group": look.group };
  if (look.dash.length) line["stroke-dasharray"] = look.dash.join(" ");
  svgElement("line", line, svg);
  if (look.arrow) svgElement("path", { d: "M22 1.6L29 5L22 8.4Z", fill: ink.groups[look.group], "data-group": look.group }, svg);
  return svg;
}

function recolourIcons() {
  for (const path of document.querySelectorAll("svg [data-type]")) path.setAttribute("fill", ink.types[path.dataset.type]);
  for (const mark of document.querySelectorAll("svg [data-group]")) mark.setAttribute(mark.tagName === "line" ? "stroke" : "fill", ink.groups[mark.dataset.group]);
}
