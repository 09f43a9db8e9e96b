// Puts the page together: the PyVis network, its events, and the way from one state to the next.

let network = null;
let steps = 0;

function startNetwork() {
  const custom = NODES.map((node) => ({ id: node.id, x: X[node.id], y: Y[node.id], size: node.size, shape: "custom", ctxRenderer }));
  // PyVis's nodes carry the picture; its edges are painted in strokes of many at once, which is what keeps frames short.
  network = new vis.Network($("stage"), { nodes: new vis.DataSet(custom), edges: new vis.DataSet([]) }, DATA.net.options);
  network.on("beforeDrawing", paintStage);
  network.on("click", ({ nodes, pointer }) => {
    if (nodes.length) return open(nodes[0], { fly: false });
    const edge = edgeNear(pointer.canvas.x, pointer.canvas.y, currentView());
    if (edge !== null) go({ ...CLOSED, edge }); else close();
  });
  network.on("doubleClick", ({ nodes }) => { if (nodes.length) go({ near: state.near === nodes[0] ? null : nodes[0] }); });
  network.on("hoverNode", ({ node }) => { hovered = node; $("stage").classList.add("over"); redraw(); });
  network.on("blurNode", () => { hovered = null; redraw(); });
  network.on("dragging", ({ nodes }) => { for (const id of nodes) takePosition(id); });
}

// A node draws nothing of its own; it only tells the network where it can be hit.
function ctxRenderer({ id }) {
  const across = Math.max(sizeIn({ scale: network ? network.getScale() : 1 }, NODES[id]) * 2.2, 14);
  return { drawNode() {}, nodeDimensions: { width: across, height: across } };
}

function takePosition(id) {
  const { x, y } = network.getPosition(id);
  X[id] = x;
  Y[id] = y;
}

const CLOSED = { node: null, paper: null, edge: null };
const isOpen = () => state.node !== null || state.paper !== null || state.edge !== null;

function close() {
  if (isOpen()) go(CLOSED);
}

function paintStage(c) {
  paint(c, currentView());
}

function currentView() {
  const scale = network.getScale(), middle = network.getViewPosition();
  const width = $("stage").clientWidth / scale, height = $("stage").clientHeight / scale;
  return { scale, left: middle.x - width / 2, right: middle.x + width / 2, top: middle.y - height / 2, bottom: middle.y + height / 2 };
}

function redraw() {
  if (network) network.redraw();
}

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Where a node stands at a level. A picture is wide; on an upright screen it lies on its side.
function spot(level, i) {
  const { xy } = LEVELS[level];
  return upright ? [xy[2 * i + 1], xy[2 * i]] : [xy[2 * i], xy[2 * i + 1]];
}
let upright = false;

// Nodes glide to where they stand at this level; what was hidden starts from its own place.
let gliding = 0;
function toLevel(level, glide, whole = false) {
  const { count } = LEVELS[level];
  const from = { x: X.slice(), y: Y.slice() };
  const started = performance.now(), turn = ++gliding;
  const step = () => {
    if (turn !== gliding) return;
    const t = glide ? Math.min(1, (performance.now() - started) / 450) : 1;
    const eased = 1 - (1 - t) ** 3;
    for (let i = 0; i < count; i++) {
      const [x, y] = spot(level, i);
      X[i] = from.x[i] + (x - from.x[i]) * eased;
      Y[i] = from.y[i] + (y - from.y[i]) * eased;
    }
    if (t < 1) { redraw(); requestAnimationFrame(step); } else { settleNodes(count); if (state.node !== null && !whole) flyTo(state.node); else fit(glide); }
  };
  step();
}

function settleNodes(count) {
  for (let i = 0; i < count; i++) { const node = network.body.nodes[i]; node.x = X[i]; node.y = Y[i]; }
}

function hideNodes() {
  for (let i = 0; i < NODES.length; i++) network.body.nodes[i].options.hidden = !nodeOn[i];
}

function fit(glide) {
  const shown = NODES.filter((node) => nodeOn[node.id]);
  if (!shown.length) return redraw();
  const xs = shown.map((node) => X[node.id]), ys = shown.map((node) => Y[node.id]);
  const low = (list) => list.reduce((a, b) => Math.min(a, b)), high = (list) => list.reduce((a, b) => Math.max(a, b));
  const [left, right, top, bottom] = [low(xs) - 50, high(xs) + 50, low(ys) - 50, high(ys) + 60];
  const room = visibleRoom();
  const scale = Math.min(room.width / (right - left), room.height / (bottom - top), 1.5);
  moveTo((left + right) / 2, (top + bottom) / 2, scale, glide);
}

// The part of the stage that no panel covers, and how far its middle lies from the stage's.
function visibleRoom() {
  const stage = $("stage").getBoundingClientRect(), panel = $("panel");
  const below = matchMedia("(max-width: 760px)").matches;
  const covered = panel.hidden ? { width: 0, height: 0 } : panel.getBoundingClientRect();
  const width = below ? stage.width : stage.width - covered.width, height = below ? stage.height - covered.height : stage.height;
  return { width, height, dx: below ? 0 : -covered.width / 2, dy: below ? -covered.height / 2 : 0 };
}

function moveTo(x, y, scale, glide) {
  const room = visibleRoom();
  network.moveTo({ position: { x, y }, scale, offset: { x: room.dx, y: room.dy }, animation: glide && !calm() ? { duration: 420, easingFunction: "easeInOutCubic" } : false });
  if (!glide) redraw();
}

// Bring a node to the middle, at a zoom that shows its neighbours, or as many as can still be read.
function flyTo(id) {
  const room = visibleRoom();
  let wide = 120, high = 90;
  for (const other of neighboursOf(id)) {
    wide = Math.max(wide, Math.abs(X[other] - X[id]) + 70);
    high = Math.max(high, Math.abs(Y[other] - Y[id]) + 40);
  }
  const scale = Math.min(room.width / (2 * wide), room.height / (2 * high), 2);
  moveTo(X[id], Y[id], Math.max(scale, Math.min(network.getScale(), 0.7), 0.35), true);
}

function zoomBy(factor) {
  network.moveTo({ scale: Math.min(6, Math.max(0.02, network.getScale() * factor)), animation: calm() ? false : { duration: 160, easingFunction: "easeOutQuad" } });
}

function pan(dx, dy) {
  const { x, y } = network.getViewPosition(), scale = network.getScale();
  network.moveTo({ position: { x: x + dx / scale, y: y + dy / scale } });
}

function open(id, { fly = true } = {}) {
  const off = new Set(state.off);
  off.delete(NODES[id].group);
  const change = { ...CLOSED, node: id, level: Math.max(state.level, levelOf(id)), off };
  if (state.near !== null && id !== state.near && !at[state.near].some((edge) => edge.from === id || edge.to === id)) change.near = null;
  go(change, { fly });
}

function openPaper(number) {
  if (PAPERS[number].node !== undefined && levelOf(PAPERS[number].node) <= state.level && !state.off.has("Paper")) return open(PAPERS[number].node);
  return go({ ...CLOSED, paper: number });
}

// Every change of what is shown goes through here: it becomes part of the address, and Back undoes it.
function go(change, { fly = true, quiet = false } = {}) {
  const next = { ...state, ...change };
  const words = `#${writeState(next)}`;
  if (words === (location.hash || "#")) return;
  flyAfter = fly;
  if (quiet) { history.replaceState(history.state, "", words); show(next); }
  else { steps += 1; history.pushState({ steps }, "", words); show(next); }
}
let flyAfter = true;

function back() {
  if (steps > 0) history.back();
}

function show(next, first = false) {
  const was = state;
  state = next;
  applyTheme();
  recompute();
  hideNodes();
  showControls();
  if (first || was.node !== state.node || was.paper !== state.paper || was.edge !== state.edge || was.near !== state.near || was.theme !== state.theme) showCard();
  if (first || was.level !== state.level) toLevel(state.level, !first && !calm(), first && !location.hash);
  else if (was.near !== state.near) fit(true);
  if (state.node !== null && flyAfter && (first || was.node !== state.node) && was.level === state.level) flyTo(state.node);
  flyAfter = true;
  redraw();
}

function start() {
  const first = readState(location.hash.slice(1));
  state = first;
  applyTheme();
  upright = $("stage").clientHeight > $("stage").clientWidth * 1.1;
  X.set(NODES.map((node) => (upright ? node.y : node.x)));
  Y.set(NODES.map((node) => (upright ? node.x : node.y)));
  startNetwork();
  startControls();
  startSearch();
  startPicture();
  const asked = !location.hash && DATA.focus.length ? { ...first, node: DATA.focus[0] } : first;
  show(asked, true);
  window.addEventListener("popstate", (event) => { steps = event.state?.steps ?? 0; show(readState(location.hash.slice(1))); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { applyTheme(); redraw(); });
  window.addEventListener("resize", () => redraw());
}

start();
