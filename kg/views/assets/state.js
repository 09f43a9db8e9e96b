"use strict";
// What the page holds, what it shows, and how that is written into its address.

const DATA = JSON.parse(document.getElementById("data").textContent);
const NODES = DATA.net.nodes;
const EDGES = DATA.net.edges;
const PAPERS = DATA.papers;
const STYLES = DATA.styles;
const LEVELS = DATA.levels;
const ENTITY = new Set(["Method", "Task", "Dataset", "Benchmark", "Metric"]);

const byKey = new Map(NODES.map((node) => [node.key, node.id]));
const paperById = new Map(PAPERS.map((paper, i) => [paper.id, i]));
const $ = (id) => document.getElementById(id);

// Edges of each node, and a bend for edges that share their ends, so that none hides another. Of several results
// between the same two only one line is drawn; the panel tells them all.
const at = NODES.map(() => []);
{
  const between = new Map();
  EDGES.forEach((edge, i) => {
    edge.id = i;
    at[edge.from].push(edge);
    if (edge.to !== edge.from) at[edge.to].push(edge);
    const twin = `${edge.from} ${edge.to} ${edge.type}`;
    edge.twin = between.has(twin);
    if (edge.twin) return;
    between.set(twin, true);
    const pair = Math.min(edge.from, edge.to) * NODES.length + Math.max(edge.from, edge.to);
    const turn = between.get(pair) || 0;
    between.set(pair, turn + 1);
    const side = turn % 2 ? -1 : 1;
    edge.bend = Math.ceil(turn / 2) * 0.16 * side * (edge.from < edge.to ? 1 : -1);
  });
}

const allYears = [...new Set(DATA.facets.map((f) => f[0]).filter((year) => year > 0))].sort((a, b) => a - b);
const allVenues = [...new Set(DATA.facets.map((f) => f[1]).filter(Boolean))].sort();
const mostSupport = EDGES.reduce((most, edge) => Math.max(most, edge.support), 1);

function plainState() {
  return {
    node: null, paper: null, edge: null, level: 0, off: new Set(), relationsOff: new Set(), venues: new Set(),
    from: null, to: null, support: 1, confidence: 0, near: null, theme: null,
  };
}
let state = plainState();

function writeState(s) {
  const words = new URLSearchParams();
  if (s.node !== null) words.set("n", NODES[s.node].key);
  if (s.paper !== null) words.set("p", PAPERS[s.paper].id);
  if (s.edge !== null) words.set("e", edgeKey(EDGES[s.edge]));
  if (s.near !== null) words.set("near", NODES[s.near].key);
  if (s.level) words.set("l", s.level);
  if (s.off.size) words.set("hide", [...s.off].sort().join(","));
  if (s.relationsOff.size) words.set("without", [...s.relationsOff].sort().join(","));
  for (const venue of [...s.venues].sort()) words.append("v", venue);
  if (s.from !== null) words.set("from", s.from);
  if (s.to !== null) words.set("to", s.to);
  if (s.support > 1) words.set("s", s.support);
  if (s.confidence > 0) words.set("c", s.confidence);
  if (s.theme) words.set("theme", s.theme);
  return words.toString();
}

// Reads an address anyone may have written: whatever the page does not know is left out.
function readState(text) {
  const words = new URLSearchParams(text);
  const s = plainState();
  const number = (name, low, high) => {
    const value = Number(words.get(name));
    return words.has(name) && Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : null;
  };
  const known = (name, allowed) => new Set((words.get(name) || "").split(",").filter((word) => Object.hasOwn(allowed, word)));
  s.node = byKey.get(words.get("n")) ?? null;
  s.paper = s.node === null ? paperById.get(words.get("p")) ?? null : null;
  const edge = s.node === null && s.paper === null && words.has("e") ? EDGES.find((one) => edgeKey(one) === words.get("e")) : undefined;
  s.edge = edge ? edge.id : null;
  s.near = byKey.get(words.get("near")) ?? null;
  s.level = Math.round(number("l", 0, LEVELS.length - 1) ?? 0);
  s.off = known("hide", STYLES.types);
  s.relationsOff = known("without", STYLES.relations);
  s.venues = new Set(words.getAll("v").filter((venue) => allVenues.includes(venue)));
  s.from = number("from", 0, 9999);
  s.to = number("to", 0, 9999);
  s.support = Math.round(number("s", 1, mostSupport) ?? 1);
  s.confidence = number("c", 0, 1) ?? 0;
  s.theme = ["dark", "light"].includes(words.get("theme")) ? words.get("theme") : null;
  for (const node of s.node !== null ? [s.node] : edge ? [edge.from, edge.to] : []) s.level = Math.max(s.level, levelOf(node));
  return s;
}

function edgeKey(edge) {
  return [NODES[edge.from].key, edge.type, NODES[edge.to].key, edge.value || ""].join(" ").trim();
}

function levelOf(node) {
  return LEVELS.findIndex((level) => level.count > node);
}

// What is visible under the filters. Everything is drawn, searched and counted from these two arrays.
const nodeOn = new Uint8Array(NODES.length);
const edgeOn = new Uint8Array(EDGES.length);
const edgeSupport = new Uint32Array(EDGES.length);

function passing(s) {
  if (s.from === null && s.to === null && !s.venues.size) return null;
  return DATA.facets.map(([year, venue]) =>
    (s.from === null || year >= s.from) && (s.to === null || year <= s.to) && (!s.venues.size || s.venues.has(venue)));
}

function countPassing(pairs, passes) {
  let total = 0;
  for (let i = 0; i < pairs.length; i += 2) if (!passes || passes[pairs[i]]) total += pairs[i + 1];
  return total;
}

function recompute() {
  const passes = passing(state);
  const count = LEVELS[state.level].count;
  const near = state.near === null ? null : new Set([state.near, ...at[state.near].map((e) => (e.from === state.near ? e.to : e.from))]);
  for (const node of NODES) {
    nodeOn[node.id] = node.id < count && !state.off.has(node.group) && (!near || near.has(node.id)) &&
      (!passes || countPassing(node.f, passes) > 0) ? 1 : 0;
  }
  const strict = state.support > 1 || state.confidence > 0;
  const joined = strict ? new Uint8Array(NODES.length) : null;
  for (const edge of EDGES) {
    edgeSupport[edge.id] = countPassing(edge.f, passes);
    const between = ENTITY.has(NODES[edge.from].group) && ENTITY.has(NODES[edge.to].group);
    const on = nodeOn[edge.from] && nodeOn[edge.to] && !state.relationsOff.has(edge.type) && edgeSupport[edge.id] > 0 &&
      (!between || edgeSupport[edge.id] >= state.support) && edge.confidence >= state.confidence;
    edgeOn[edge.id] = on ? 1 : 0;
    if (on && joined) joined[edge.from] = joined[edge.to] = 1;
  }
  // Asking for more evidence leaves many nodes alone; alone they would only be in the way.
  if (joined) for (const node of NODES) if (!joined[node.id] && node.id !== state.node) nodeOn[node.id] = 0;
}

function neighboursOf(node) {
  const found = new Set();
  for (const edge of at[node]) if (edgeOn[edge.id]) found.add(edge.from === node ? edge.to : edge.from);
  return found;
}
