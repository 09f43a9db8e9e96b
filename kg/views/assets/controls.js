// Legend, filters, tools and keys.

function startControls() {
  const presentTypes = byType.map(([type]) => type);
  $("types").replaceChildren(...presentTypes.map((type) => toggle("type", type, shapeIcon(type), STYLES.types[type].plural, state.off, "off")));
  $("relations").replaceChildren(...byRelation.map(([relation]) => toggle("relation", relation, lineIcon(relation), STYLES.relations[relation].words, state.relationsOff, "relationsOff")));
  fillYears();
  fillVenues();
  $("support").max = String(mostSupport);
  $("support").closest(".field").hidden = mostSupport < 2;
  $("support").addEventListener("input", () => go({ support: Number($("support").value) }, { quiet: true }));
  $("confidence").addEventListener("input", () => go({ confidence: Number($("confidence").value) }, { quiet: true }));
  $("more").addEventListener("click", showMore);
  $("reset").addEventListener("click", () => go({ ...plainState(), level: state.level, theme: state.theme, node: state.node, paper: state.paper, edge: state.edge }));
  $("close").addEventListener("click", close);
  $("undo").addEventListener("click", back);
  $("zoom-in").addEventListener("click", () => zoomBy(1.35));
  $("zoom-out").addEventListener("click", () => zoomBy(1 / 1.35));
  $("fit").addEventListener("click", () => fit(true));
  $("theme").addEventListener("click", switchTheme);
  $("help-open").addEventListener("click", () => $("help").showModal());
  $("filter-toggle").addEventListener("click", () => {
    const open = $("side").classList.toggle("open");
    $("filter-toggle").setAttribute("aria-expanded", String(open));
  });
  document.addEventListener("keydown", keyed);
}

function toggle(kind, name, icon, words, set, field) {
  const button = element("button", { type: "button", "aria-pressed": "true", "data-kind": kind, "data-name": name, title: "Click to hide or show; double-click for this alone" }, icon, element("span", {}, words), element("span", { class: "count" }));
  button.addEventListener("click", () => {
    const off = new Set(state[field]);
    if (!off.delete(name)) off.add(name);
    go({ [field]: off });
  });
  button.addEventListener("dblclick", () => {
    const all = [...document.querySelectorAll(`[data-kind="${kind}"]`)].map((other) => other.dataset.name);
    go({ [field]: new Set(all.filter((other) => other !== name)) });
  });
  return element("li", {}, button);
}

function fillYears() {
  $("years").hidden = allYears.length < 2;
  for (const id of ["year-from", "year-to"]) {
    $(id).replaceChildren(...allYears.map((year) => element("option", { value: year }, String(year))));
  }
  $("year-from").addEventListener("change", () => {
    const from = Number($("year-from").value);
    go({ from: from === allYears[0] ? null : from, to: state.to !== null && state.to < from ? from : state.to });
  });
  $("year-to").addEventListener("change", () => {
    const to = Number($("year-to").value);
    go({ to: to === allYears[allYears.length - 1] ? null : to, from: state.from !== null && state.from > to ? to : state.from });
  });
}

function fillVenues() {
  $("venues").hidden = allVenues.length < 2;
  $("venue-list").replaceChildren(...allVenues.map((venue) => {
    const box = element("input", { type: "checkbox", "data-venue": venue });
    box.addEventListener("change", () => {
      const venues = new Set(state.venues);
      if (box.checked) venues.add(venue); else venues.delete(venue);
      go({ venues });
    });
    return element("li", {}, element("label", {}, box, element("span", {}, venue)));
  }));
}

// Bring every control in line with the state.
function showControls() {
  const counts = {}, relationCounts = {};
  for (const node of NODES) counts[node.group] = (counts[node.group] || 0) + (node.id < LEVELS[state.level].count ? 1 : 0);
  for (const edge of EDGES) if (edge.from < LEVELS[state.level].count && edge.to < LEVELS[state.level].count) relationCounts[edge.type] = (relationCounts[edge.type] || 0) + 1;
  for (const button of document.querySelectorAll("[data-kind]")) {
    const { kind, name } = button.dataset;
    button.setAttribute("aria-pressed", String(!(kind === "type" ? state.off : state.relationsOff).has(name)));
    const count = (kind === "type" ? counts : relationCounts)[name] || 0;
    button.querySelector(".count").textContent = count.toLocaleString("en");
    button.parentElement.hidden = count === 0;
  }
  if (allYears.length) {
    $("year-from").value = String(state.from ?? allYears[0]);
    $("year-to").value = String(state.to ?? allYears[allYears.length - 1]);
  }
  for (const box of document.querySelectorAll("[data-venue]")) box.checked = state.venues.has(box.dataset.venue);
  $("venue-count").textContent = state.venues.size ? `(${state.venues.size} chosen)` : "";
  $("support").value = String(state.support);
  $("support-value").textContent = String(state.support);
  $("confidence").value = String(state.confidence);
  $("confidence-value").textContent = state.confidence.toFixed(2);
  $("about").textContent = aboutText();
  const next = LEVELS[state.level + 1];
  $("more").hidden = !next;
  if (next) $("more").textContent = `Show ${(next.count - LEVELS[state.level].count).toLocaleString("en")} more`;
  $("undo").disabled = steps === 0;
}

function aboutText() {
  const shown = nodeOn.reduce((sum, on) => sum + on, 0);
  const count = LEVELS[state.level].count;
  const filtered = shown < count ? `, ${(count - shown).toLocaleString("en")} filtered out` : "";
  if (NODES.length >= DATA.total) return count < NODES.length ? `The ${plural(count, "best connected node")} of ${DATA.total.toLocaleString("en")}${filtered}.` : `${plural(shown, "node")}${filtered}.`;
  const last = state.level === LEVELS.length - 1 ? " This file holds no more; kg view --top writes one that does." : "";
  return `The ${plural(count, "best connected node")} of ${DATA.total.toLocaleString("en")}${filtered}.${last}`;
}

function showMore() {
  if (state.level + 1 < LEVELS.length) go({ level: state.level + 1 });
}

function switchTheme() {
  go({ theme: dark ? "light" : "dark" }, { quiet: true });
}

function applyTheme() {
  const wanted = state.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  if (document.documentElement.dataset.theme === wanted && ink.ground) return;
  document.documentElement.dataset.theme = wanted;
  readTheme();
  recolourIcons();
}

const KEYS = {
  "/": () => { $("side").classList.add("open"); $("search").focus(); },
  "?": () => $("help").showModal(),
  Escape: () => (isOpen() ? close() : state.near !== null ? go({ near: null }) : $("side").classList.remove("open")),
  u: () => back(), n: () => walk(1), p: () => walk(-1), m: () => showMore(), d: () => switchTheme(),
  "+": () => zoomBy(1.35), "=": () => zoomBy(1.35), "-": () => zoomBy(1 / 1.35), 0: () => fit(true),
  ArrowLeft: () => pan(-80, 0), ArrowRight: () => pan(80, 0), ArrowUp: () => pan(0, -80), ArrowDown: () => pan(0, 80),
};

function keyed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
  const target = event.target;
  const typing = target.matches("input, select, textarea");
  if (typing && event.key !== "Escape") return;
  if (event.key.startsWith("Arrow") && target !== document.body && target.id !== "stage" && !target.closest("#stage")) return;
  const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

function walk(step) {
  const shown = NODES.filter((node) => nodeOn[node.id]).map((node) => node.id);
  if (!shown.length) return;
  const here = shown.indexOf(state.node);
  open(shown[(here + step + shown.length + (here < 0 && step < 0 ? 1 : 0)) % shown.length]);
}

let saying = 0;
function say(text) {
  $("said").textContent = text;
  clearTimeout(saying);
  saying = setTimeout(() => { $("said").textContent = ""; }, 2600);
}
