// Draws the graph on a canvas (or on anything with the same methods): edges, nodes, labels.

const X = new Float64Array(NODES.length);
const Y = new Float64Array(NODES.length);
let hovered = null;

const byRelation = Object.keys(STYLES.relations).map((relation) => [relation, EDGES.filter((edge) => edge.type === relation && !edge.twin)]).filter(([, list]) => list.length);
const byType = Object.keys(STYLES.types).map((type) => [type, NODES.filter((node) => node.group === type)]).filter(([, list]) => list.length);

// Zoomed out, nodes shrink less than the picture, so that hubs still stand out.
function sizeIn(view, node) {
  const slower = LEVELS[state.level].count > 500 ? -0.42 : -0.3;
  return view.scale < 1 ? Math.max(node.size * view.scale ** slower, 1.9 / view.scale) : node.size;
}

// view: {scale, left, top, right, bottom} in the picture's own units; the canvas is already in these units.
function paint(c, view) {
  const focus = focusOf();
  c.lineJoin = "round";
  c.lineCap = "butt";
  paintEdges(c, view, focus);
  paintNodes(c, view, focus, (node) => !focus || !inFocus(focus, node.id), focus ? 0.16 : 1);
  if (focus) {
    paintFocusEdges(c, view, focus);
    paintNodes(c, view, focus, (node) => inFocus(focus, node.id), 1);
    paintRing(c, view, focus.centre);
  }
  paintLabels(c, view, focus);
}

// What stands out: the node under the pointer or the open one with its neighbours, or the open relation with its ends.
function focusOf() {
  const centre = hovered ?? state.node;
  if (centre !== null) return nodeOn[centre] ? { centre, near: neighboursOf(centre), edges: at[centre] } : null;
  if (state.edge === null || !edgeOn[state.edge]) return null;
  const edge = EDGES[state.edge];
  return { centre: edge.from, near: new Set([edge.to]), edges: [edge] };
}

const inFocus = (focus, id) => id === focus.centre || focus.near.has(id);

function seen(view, edge) {
  const a = edge.from, b = edge.to;
  return !((X[a] < view.left && X[b] < view.left) || (X[a] > view.right && X[b] > view.right) ||
    (Y[a] < view.top && Y[b] < view.top) || (Y[a] > view.bottom && Y[b] > view.bottom));
}

// Strokes of many lines at once are quick, but not of too many; dashes are slow and say nothing in a crowd.
const STROKE = 300, DASHED = 900;

function paintEdges(c, view, focus) {
  // The more lines, the fainter each: many of them must not hide the nodes.
  const many = edgeOn.reduce((sum, on) => sum + on, 0);
  const strength = Math.min(0.62, Math.max(0.16, 0.5 * Math.sqrt(350 / (many + 1)))) * (dark ? 1.1 : 1);
  const inView = byRelation.map(([relation, edges]) => [relation, edges.filter((edge) => edgeOn[edge.id] && seen(view, edge))]);
  const dashed = view.scale > 0.55 && inView.reduce((sum, [, edges]) => sum + edges.length, 0) < DASHED;
  // Lines are at least a hair wide on the screen, however far one zooms out.
  const hair = 1 / Math.max(view.scale, 0.01), thin = view.scale < 0.7 ? 0.8 * hair : 1 / view.scale;
  for (const [relation, edges] of inView) {
    const look = STYLES.relations[relation];
    c.strokeStyle = ink.groups[look.group];
    c.globalAlpha = (focus ? 0.1 : strength) * (look.group === "paper" ? 0.75 : 1);
    c.setLineDash(dashed ? look.dash : []);
    const strong = edges.filter((edge) => edgeSupport[edge.id] > 2);
    strokeEdges(c, strong.length ? edges.filter((edge) => edgeSupport[edge.id] <= 2) : edges, thin);
    strokeEdges(c, strong, Math.min(2 * thin, 2 * hair));
  }
  c.setLineDash([]);
  c.globalAlpha = 1;
}

function strokeEdges(c, edges, width) {
  c.lineWidth = width;
  for (let i = 0; i < edges.length; i += STROKE) {
    c.beginPath();
    for (const edge of edges.slice(i, i + STROKE)) traceEdge(c, edge);
    c.stroke();
  }
}

function traceEdge(c, edge) {
  const x1 = X[edge.from], y1 = Y[edge.from], x2 = X[edge.to], y2 = Y[edge.to];
  c.moveTo(x1, y1);
  if (edge.bend) {
    const [bx, by] = bendPoint(edge);
    c.quadraticCurveTo(bx, by, x2, y2);
  } else c.lineTo(x2, y2);
}

function bendPoint(edge) {
  const x1 = X[edge.from], y1 = Y[edge.from], x2 = X[edge.to], y2 = Y[edge.to];
  return [(x1 + x2) / 2 - (y2 - y1) * edge.bend, (y1 + y2) / 2 + (x2 - x1) * edge.bend];
}

function paintFocusEdges(c, view, focus) {
  const unit = 1 / Math.max(view.scale, 0.35);
  for (const edge of focus.edges) {
    if (!edgeOn[edge.id] || edge.twin) continue;
    const look = STYLES.relations[edge.type];
    c.strokeStyle = c.fillStyle = ink.groups[look.group];
    c.lineWidth = Math.min(0.8 + Math.sqrt(edgeSupport[edge.id]) * 0.6, 5) * unit;
    c.setLineDash(look.dash.map((length) => length * unit));
    c.beginPath();
    traceEdge(c, edge);
    c.stroke();
    c.setLineDash([]);
    if (look.arrow) paintArrow(c, view, edge, 7.5 * unit);
  }
}

function paintArrow(c, view, edge, size) {
  const [fx, fy] = edge.bend ? bendPoint(edge) : [X[edge.from], Y[edge.from]];
  const x2 = X[edge.to], y2 = Y[edge.to];
  const angle = Math.atan2(y2 - fy, x2 - fx), back = sizeIn(view, NODES[edge.to]) * 1.12 + 1.5;
  const x = x2 - back * Math.cos(angle), y = y2 - back * Math.sin(angle);
  c.beginPath();
  c.moveTo(x, y);
  c.lineTo(x - size * Math.cos(angle - 0.4), y - size * Math.sin(angle - 0.4));
  c.lineTo(x - size * Math.cos(angle + 0.4), y - size * Math.sin(angle + 0.4));
  c.closePath();
  c.fill();
}

function paintNodes(c, view, focus, wanted, alpha) {
  c.globalAlpha = alpha;
  c.strokeStyle = ink.ground;
  c.lineWidth = 1.5 / Math.max(view.scale, 0.5);
  for (const [type, nodes] of byType) {
    const shape = STYLES.types[type].shape;
    c.beginPath();
    let any = false;
    for (const node of nodes) {
      const r = sizeIn(view, node), x = X[node.id], y = Y[node.id];
      if (!nodeOn[node.id] || x + r < view.left || x - r > view.right || y + r < view.top || y - r > view.bottom || !wanted(node)) continue;
      // A small dot and a small polygon look alike; the polygon is drawn in half the time.
      if (shape === "dot" && r * view.scale < 5) polygon(c, x, y, r * 1.04, 9, 0);
      else OUTLINES[shape](c, x, y, r);
      any = true;
    }
    if (!any) continue;
    c.fillStyle = ink.types[type];
    if (view.scale > 0.3 && alpha === 1) c.stroke();
    c.fill();
  }
  c.globalAlpha = 1;
}

function paintRing(c, view, id) {
  const unit = 1 / Math.max(view.scale, 0.3);
  c.strokeStyle = ink.ink;
  c.lineWidth = 2 * unit;
  c.beginPath();
  c.arc(X[id], Y[id], sizeIn(view, NODES[id]) * 1.25 + 4 * unit, 0, 2 * Math.PI);
  c.stroke();
}

const widths = new Map();
function labelWidth(c, text, size) {
  const key = text;
  let width = widths.get(key);
  if (width === undefined) {
    c.font = `500 100px ${ink.font}`;
    width = c.measureText(text).width / 100;
    widths.set(key, width);
  }
  return width * size;
}

const shortened = NODES.map((node) => (node.label.length > 36 ? `${node.label.slice(0, 34).trimEnd()}…` : node.label));

const byImportance = NODES.map((node) => node.id).sort((a, b) => NODES[b].size - NODES[a].size || a - b);

// Labels go to the most important nodes first, each where no other label and no larger node stands; zooming in makes
// room for more.
function placeLabels(c, view, focus) {
  const placed = [];
  const pixel = 1 / view.scale;
  const area = (view.right - view.left) * (view.bottom - view.top) * view.scale * view.scale;
  const most = Math.max(20, Math.round(area / 11000));
  const count = LEVELS[state.level].count;
  const inView = (id) => nodeOn[id] && X[id] > view.left && X[id] < view.right && Y[id] > view.top && Y[id] < view.bottom;
  const order = focus ? [focus.centre, ...[...focus.near].sort((a, b) => a - b)].filter(inView).slice(0, 60) : [];
  if (!focus) for (const id of byImportance) if (id < count && inView(id)) order.push(id);
  const words = new Grid(120 * pixel), bodies = new Grid(120 * pixel);
  for (const id of focus ? order : order.slice(0, 400)) {
    const r = sizeIn(view, NODES[id]);
    if (focus || r * view.scale > 6) bodies.add({ left: X[id] - r, right: X[id] + r, top: Y[id] - r, bottom: Y[id] + r, id });
  }
  for (const id of order) {
    if (placed.length >= most && !focus) break;
    const r = sizeIn(view, NODES[id]), whole = focus && id === focus.centre;
    if (!focus && r * view.scale < 4.2 && view.scale < 0.8) continue;
    const text = whole ? NODES[id].label : shortened[id];
    const size = Math.min(11.5 + r * view.scale * 0.2, 17) * pixel;
    const width = labelWidth(c, text, size), gap = 3 * pixel;
    const spots = [[X[id] - width / 2, Y[id] + r * 1.12 + gap], [X[id] + r * 1.12 + gap, Y[id] - size / 2], [X[id] - width / 2, Y[id] - r * 1.12 - gap - size], [X[id] - r * 1.12 - gap - width, Y[id] - size / 2]];
    const boxes = spots.map(([left, top]) => ({ left: left - gap, top: top - gap * 0.4, right: left + width + gap, bottom: top + size * 1.12 + gap * 0.4, id }))
      .filter((box) => box.left >= view.left && box.right <= view.right && !words.meets(box));
    // The best known are named even where that covers a neighbour.
    const box = boxes.find((one) => !bodies.meets(one)) ?? (whole || (!focus && placed.length < 20) ? boxes[0] : undefined);
    if (!box) continue;
    words.add(box);
    placed.push({ x: box.left + gap, y: box.top + gap * 0.4 + size * 0.86, size, text, bold: whole });
  }
  return placed;
}

// Boxes by the cells they lie in, to ask quickly which of them a new one would meet.
class Grid {
  constructor(cell) { this.cell = cell; this.cells = new Map(); }
  *keys(box) {
    for (let i = Math.floor(box.left / this.cell); i <= Math.floor(box.right / this.cell); i++)
      for (let j = Math.floor(box.top / this.cell); j <= Math.floor(box.bottom / this.cell); j++) yield i * 65536 + j;
  }
  add(box) {
    for (const key of this.keys(box)) { if (!this.cells.has(key)) this.cells.set(key, []); this.cells.get(key).push(box); }
  }
  meets(box) {
    for (const key of this.keys(box))
      for (const other of this.cells.get(key) || [])
        if (other.id !== box.id && box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom) return true;
    return false;
  }
}

// Words are drawn in whole pixels of the screen: the same few sizes, whose glyphs the browser keeps.
function paintLabels(c, view, focus) {
  const labels = placeLabels(c, view, focus);
  const at = c.getTransform ? c.getTransform() : { a: 1, e: 0, f: 0 };
  const whole = (value) => (c.getTransform ? Math.round(value) : value);
  c.save();
  if (c.getTransform) c.setTransform(1, 0, 0, 1, 0, 0);
  c.textBaseline = "alphabetic";
  c.strokeStyle = ink.ground;
  c.fillStyle = ink.ink;
  for (const { text, x, y, size, bold } of labels) {
    const height = Math.round(size * at.a * 2) / 2;
    c.font = `${bold ? 700 : 500} ${height}px ${ink.font}`;
    c.lineWidth = height * 0.24;
    c.strokeText(text, whole(at.a * x + at.e), whole(at.a * y + at.f));
    c.fillText(text, whole(at.a * x + at.e), whole(at.a * y + at.f));
  }
  c.restore();
}

// The relation whose line passes nearest to a point, within some pixels.
function edgeNear(x, y, view, within = 7) {
  let best = null, least = within / view.scale;
  for (const edge of EDGES) {
    if (!edgeOn[edge.id] || edge.twin || !seen(view, edge)) continue;
    const far = distanceTo(edge, x, y);
    if (far < least) { least = far; best = edge.id; }
  }
  return best;
}

function distanceTo(edge, x, y) {
  if (!edge.bend) return toSegment(x, y, X[edge.from], Y[edge.from], X[edge.to], Y[edge.to]);
  const [bx, by] = bendPoint(edge), x1 = X[edge.from], y1 = Y[edge.from], x2 = X[edge.to], y2 = Y[edge.to];
  let least = Infinity, px = x1, py = y1;
  for (let i = 1; i <= 8; i++) {
    const t = i / 8, qx = (1 - t) ** 2 * x1 + 2 * t * (1 - t) * bx + t * t * x2, qy = (1 - t) ** 2 * y1 + 2 * t * (1 - t) * by + t * t * y2;
    least = Math.min(least, toSegment(x, y, px, py, qx, qy));
    [px, py] = [qx, qy];
  }
  return least;
}

function toSegment(x, y, x1, y1, x2, y2) {
  const dx = x2 - x1, dy = y2 - y1;
  const t = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - x1 - t * dx, y - y1 - t * dy);
}
